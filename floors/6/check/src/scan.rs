//! Threads that share the work: each takes a file to look into, or a piece of a large one.
//!
//! Files are opened when their turn comes and closed with their last piece, so that a directory of many thousands
//! needs few descriptors. Pieces go before new files.

use crate::report::FileReport;
use crate::{Options, Progress};
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes read at once: they stay in the core's own cache until they are summed.
pub(crate) const SLICE_BYTES: usize = 256 << 10;

/// A thread's memory.
pub(crate) struct Scratch {
    /// [`SLICE_BYTES`] long.
    pub buffer: Vec<u8>,
}

/// A file, in pieces that any thread may take, in any order.
pub(crate) trait Job: Send + Sync {
    /// How many pieces there are.
    fn pieces(&self) -> u64;
    /// Checks one. Adds to `progress` what it has read.
    fn run(&self, piece: u64, scratch: &mut Scratch, progress: &Progress);
    /// After the last: the report. Called once.
    fn conclude(&self) -> FileReport;
}

/// What opening a file led to.
pub(crate) enum Opened {
    /// Work.
    Job(Box<dyn Job>),
    /// Nothing to be done, but perhaps said.
    Done(Box<FileReport>),
}

/// What waits for a thread.
enum Task<T> {
    Open(T),
    Piece(Arc<Running>, u64),
}

struct Running {
    job: Box<dyn Job>,
    left: AtomicU64,
}

struct Queue<T> {
    tasks: VecDeque<Task<T>>,
    /// Tasks in the hands of threads: they may add more.
    taken: usize,
}

/// Opens each source by `open` and runs its job; the reports, in no order.
pub(crate) fn scan<T: Send>(
    sources: Vec<T>,
    open: impl Fn(T) -> Opened + Sync,
    options: &Options,
    progress: &Progress,
) -> Vec<FileReport> {
    let queue = Mutex::new(Queue { tasks: sources.into_iter().map(Task::Open).collect(), taken: 0 });
    let changed = Condvar::new();
    let reports = Mutex::new(Vec::new());
    let work = || {
        let mut scratch = Scratch { buffer: vec![0; SLICE_BYTES] };
        while let Some(task) = take(&queue, &changed) {
            let (pieces, report) = perform(task, &open, &mut scratch, progress);
            reports.lock().extend(report);
            let mut queue = queue.lock();
            queue.taken -= 1;
            // The first of a file's pieces next, before other files.
            pieces.into_iter().rev().for_each(|piece| queue.tasks.push_front(piece));
            changed.notify_all();
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..options.threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    reports.into_inner()
}

/// The next task; `None` when there is none and none will come.
fn take<T>(queue: &Mutex<Queue<T>>, changed: &Condvar) -> Option<Task<T>> {
    let mut queue = queue.lock();
    loop {
        if let Some(task) = queue.tasks.pop_front() {
            queue.taken += 1;
            return Some(task);
        }
        if queue.taken == 0 {
            return None;
        }
        changed.wait(&mut queue);
    }
}

fn perform<T>(
    task: Task<T>,
    open: &impl Fn(T) -> Opened,
    scratch: &mut Scratch,
    progress: &Progress,
) -> (Vec<Task<T>>, Option<FileReport>) {
    match task {
        Task::Open(source) => match open(source) {
            Opened::Done(report) => {
                progress.add(report.bytes);
                (Vec::new(), Some(*report))
            }
            Opened::Job(job) if job.pieces() == 0 => (Vec::new(), Some(job.conclude())),
            Opened::Job(job) => {
                let pieces = job.pieces();
                let running = Arc::new(Running { job, left: AtomicU64::new(pieces) });
                ((0..pieces).map(|piece| Task::Piece(running.clone(), piece)).collect(), None)
            }
        },
        Task::Piece(running, piece) => {
            running.job.run(piece, scratch, progress);
            // AcqRel: who takes the last sees what the others found.
            let is_last = running.left.fetch_sub(1, Ordering::AcqRel) == 1;
            (Vec::new(), is_last.then(|| running.job.conclude()))
        }
    }
}
