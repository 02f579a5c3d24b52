//! Calls that block in the kernel, and long computations, made by helper threads so that an event loop does not stand
//! still.
//!
//! Helpers are started when work waits and none is idle, up to a number, and end after [`IDLE_MAX`] without work. Those
//! that compute are as many as there are cores, and give way to the event loops: else each turn of a loop would wait for
//! the time slices of all of them.

use crate::event_loop;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Helper threads for blocking calls at most: they mostly sleep in the kernel, so more than cores, but bounded.
const BLOCKED_MAX: usize = 32;
/// A helper without work for so long ends.
const IDLE_MAX: Duration = Duration::from_secs(10);

type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Pool {
    jobs: VecDeque<Job>,
    helpers: usize,
    idle: usize,
}

/// Helpers of one kind.
struct Helpers {
    name: &'static str,
    pool: Mutex<Pool>,
    work: Condvar,
    /// They compute.
    computes: bool,
}

impl Helpers {
    const fn new(name: &'static str, computes: bool) -> Helpers {
        let pool = Mutex::new(Pool { jobs: VecDeque::new(), helpers: 0, idle: 0 });
        Helpers { name, pool, work: Condvar::new(), computes }
    }

    fn most(&self) -> usize {
        match self.computes {
            true => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            false => BLOCKED_MAX,
        }
    }
}

static BLOCKING: Helpers = Helpers::new("offload", false);
static COMPUTING: Helpers = Helpers::new("compute", true);

/// Runs `work` where it may block: on a helper thread while the calling fiber is parked, or right here in a thread.
///
/// A panic of `work` continues in the caller.
pub fn offload<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    away(&BLOCKING, work)
}

/// Runs `work` that blocks for some 100 microseconds: right here where no other fiber of any loop has been busy lately, as
/// waking a helper and being woken by it take nearly as long, otherwise as [`offload`].
pub fn offload_unless_only<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    crate::rank::assert_none_held();
    match event_loop::current() {
        Some(fiber) if fiber.is_only() => work(),
        _ => offload(work),
    }
}

/// How often fibers of all loops were resumed so far, as a measure of what goes on beside the caller; 0 in a plain thread.
pub fn resumes() -> u64 {
    event_loop::current().map_or(0, |fiber| fiber.resumes_of_all())
}

/// Runs `work` that computes for long: as [`offload`], on helpers that give way to event loops.
pub fn compute<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    away(&COMPUTING, work)
}

fn away<T: Send>(helpers: &'static Helpers, work: impl FnOnce() -> T + Send) -> T {
    crate::rank::assert_none_held();
    let Some(fiber) = event_loop::current() else { return work() };
    let done = AtomicBool::new(false);
    let mut outcome = None;
    let poker = fiber.poker();
    {
        let (done, outcome) = (&done, &mut outcome);
        let job: Box<dyn FnOnce() + Send + '_> = Box::new(move || {
            *outcome = Some(catch_unwind(AssertUnwindSafe(work)));
            // Release: the fiber reads the outcome after it saw this. Nothing borrowed is touched afterwards.
            done.store(true, Ordering::Release);
            poker.poke();
        });
        // SAFETY: only the lifetime is changed. What the job borrows is on this fiber's stack and stays until `done`:
        // the loop below does not end before, does not panic, and a fiber that waits is never dropped. After setting
        // `done` the job touches only the poker, which it owns.
        let job: Job = unsafe { std::mem::transmute::<Box<dyn FnOnce() + Send + '_>, Job>(job) };
        submit(helpers, job);
    }
    while !done.load(Ordering::Acquire) {
        fiber.wait_operation(None, false);
    }
    match outcome {
        Some(Ok(value)) => value,
        Some(Err(panic)) => resume_unwind(panic),
        None => unreachable!("a job that is done has left its outcome"),
    }
}

fn submit(helpers: &'static Helpers, job: Job) {
    let mut pool = helpers.pool.lock();
    pool.jobs.push_back(job);
    if pool.idle >= pool.jobs.len() || pool.helpers >= helpers.most() {
        drop(pool);
        helpers.work.notify_one();
        return;
    }
    pool.helpers += 1;
    drop(pool);
    let started = std::thread::Builder::new().name(helpers.name.into()).spawn(move || help(helpers));
    if started.is_err() {
        // No thread to be had: if there are helpers, one of them comes to it; if not, it is done here and now, which
        // stalls the loop but loses nothing.
        let orphan = {
            let mut pool = helpers.pool.lock();
            pool.helpers -= 1;
            if pool.helpers == 0 { pool.jobs.pop_back() } else { None }
        };
        if let Some(job) = orphan {
            job();
        }
    }
}

/// A helper's life.
fn help(helpers: &'static Helpers) {
    // The loop that started it may be pinned to a CPU. Best effort, as pinning is.
    let _ = platform::topology::unpin_current();
    if helpers.computes {
        platform::system::give_way();
    }
    let mut pool = helpers.pool.lock();
    loop {
        if let Some(job) = pool.jobs.pop_front() {
            drop(pool);
            job();
            pool = helpers.pool.lock();
            continue;
        }
        pool.idle += 1;
        let timed_out = helpers.work.wait_for(&mut pool, IDLE_MAX).timed_out();
        pool.idle -= 1;
        if timed_out && pool.jobs.is_empty() {
            pool.helpers -= 1;
            return;
        }
    }
}
