//! The event loop's stand-in where stacks cannot be switched (POWER): each fiber is an OS thread, the kernel does the
//! rest. The names are those of the module `event_loop`; what only fibers do is never called, since there is none.
//!
//! A "loop" here is a thread that starts the others and waits for their end. A stop makes the bell, an eventfd that
//! nobody reads, readable for ever: threads that wait for the network poll it beside their socket.

use crate::Backend;
use crate::balance::{Balance, Standing};
use crate::counters::LoopCounters;
use crate::task::{self, Task};
use io_uring::squeue;
use parking_lot::{Condvar, Mutex};
use rustix::event::{EventfdFlags, eventfd};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// A function that a new thread runs.
pub(crate) type Job = Box<dyn FnOnce() + Send>;
/// Called with the message of each panic that ended a fiber.
pub(crate) type PanicHook = Arc<dyn Fn(&str) + Send + Sync>;

pub(crate) const READABLE: u8 = 1;
pub(crate) const WRITABLE: u8 = 2;

/// No fiber exists.
pub(crate) enum Fiber {}

/// Why an operation was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cancelled {
    Deadline,
    Stop,
}

/// How an operation of a ring ended; none ever begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) result: i32,
    pub(crate) more_to_read: bool,
    pub(crate) cancelled: Option<Cancelled>,
}

/// How an exchange ended.
#[expect(dead_code, reason = "none ever begins")]
pub(crate) enum Exchanged {
    Sent(Ended),
    Received(Ended),
}

/// What epoll knows of a socket: nothing, threads poll.
#[derive(Default)]
pub(crate) struct Readiness;

/// What other threads tell a loop.
pub(crate) enum Mail {
    Spawn(Job),
    Stop,
    Abandon,
}

/// The part of a loop that all threads share.
pub(crate) struct Shared {
    pub(crate) index: usize,
    pub(crate) uses_ring: AtomicBool,
    pub(crate) load: AtomicUsize,
    pub(crate) stopping: AtomicBool,
    pub(crate) counters: LoopCounters,
    pub(crate) standing: Standing,
    bell: OwnedFd,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    mail: Vec<Mail>,
    closed: bool,
    /// Threads that run, to be woken by a stop.
    running: HashMap<u64, Arc<Task>>,
    /// Threads that were started and have not ended.
    alive: usize,
    next: u64,
}

/// One loop.
pub(crate) struct EventLoop {
    shared: Arc<Shared>,
    stack: usize,
    panic_hook: PanicHook,
}

thread_local! {
    static HERE: RefCell<Option<Arc<Shared>>> = const { RefCell::new(None) };
}

/// Never a fiber.
pub(crate) fn current<'a>() -> Option<&'a Fiber> {
    None
}

/// The index of the loop that started this thread.
pub(crate) fn index_here() -> Option<usize> {
    HERE.with_borrow(|here| here.as_ref().map(|shared| shared.index))
}

/// The limit of a fiber's stack; those of threads are known to `platform`.
pub(crate) fn stack_limit() -> Option<usize> {
    None
}

/// Waits with `poll` together with a stop of the runtime that this thread belongs to.
pub(crate) fn with_stop_signal<R>(wait: impl FnOnce(Option<BorrowedFd<'_>>) -> R) -> R {
    use std::os::fd::AsFd;
    let here = HERE.with_borrow(Clone::clone);
    wait(here.as_ref().map(|shared| shared.bell.as_fd()))
}

/// For tasks of fibers only.
pub(crate) fn queue_woken(shared: &Arc<Shared>, slot: u32) {
    unreachable!("a task of a fiber on loop {}, slot {slot}, without fibers", shared.index);
}

impl Shared {
    pub(crate) fn new(index: usize) -> io::Result<Shared> {
        Ok(Shared {
            index,
            uses_ring: AtomicBool::new(false),
            load: AtomicUsize::new(0),
            stopping: AtomicBool::new(false),
            counters: LoopCounters::default(),
            standing: Standing::default(),
            bell: eventfd(0, EventfdFlags::CLOEXEC)?,
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    /// Hands mail to the loop. Mail to a loop that has ended is dropped.
    pub(crate) fn send(&self, mail: Mail) {
        let mut state = self.state.lock();
        if !state.closed {
            state.mail.push(mail);
            self.changed.notify_one();
        }
    }

    /// Refuses further mail and drops what lies there.
    pub(crate) fn close(&self) {
        let left = {
            let mut state = self.state.lock();
            state.closed = true;
            std::mem::take(&mut state.mail)
        };
        drop(left);
    }
}

impl EventLoop {
    /// A loop; `Backend::IoUring` is refused.
    pub(crate) fn new(
        shared: Arc<Shared>,
        _balance: Arc<Balance>,
        backend: Backend,
        fiber_stack: usize,
        panic_hook: PanicHook,
    ) -> io::Result<EventLoop> {
        if backend == Backend::IoUring {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "threads instead of fibers do not use io_uring",
            ));
        }
        Ok(EventLoop { shared, stack: fiber_stack, panic_hook })
    }

    /// Starts threads until stopped; returns how many were left behind.
    pub(crate) fn run(&self) -> usize {
        let mut stopping = false;
        loop {
            let mail = {
                let mut state = self.shared.state.lock();
                while state.mail.is_empty() && !(stopping && state.alive == 0) {
                    self.shared.changed.wait(&mut state);
                }
                std::mem::take(&mut state.mail)
            };
            if mail.is_empty() {
                break;
            }
            self.shared.counters.turns.add(1);
            let mut abandon = false;
            for message in mail {
                match message {
                    Mail::Spawn(job) => self.spawn(job),
                    Mail::Stop => {
                        stopping = true;
                        self.stop();
                    }
                    Mail::Abandon => abandon = true,
                }
            }
            if abandon {
                break;
            }
        }
        self.shared.close();
        self.shared.state.lock().alive
    }

    /// Network waits end, parked threads look at their conditions once more.
    fn stop(&self) {
        let rung = rustix::io::write(&self.shared.bell, &1u64.to_ne_bytes());
        assert!(rung.is_ok(), "ring loop {}: {rung:?}", self.shared.index);
        let running: Vec<_> = self.shared.state.lock().running.values().cloned().collect();
        for task in running {
            task.wake();
        }
    }

    fn spawn(&self, job: Job) {
        let id = {
            let mut state = self.shared.state.lock();
            state.alive += 1;
            state.next += 1;
            state.next
        };
        let (shared, hook) = (self.shared.clone(), self.panic_hook.clone());
        let thread = std::thread::Builder::new()
            .name(format!("fiber-{}-{id}", shared.index))
            .stack_size(self.stack)
            .spawn(move || run_job(job, &shared, &hook, id));
        match thread {
            Ok(_) => self.shared.counters.spawned.add(1),
            Err(error) => {
                (self.panic_hook)(&format!("start a thread: {error}"));
                self.shared.load.fetch_sub(1, Ordering::Relaxed);
                self.shared.state.lock().alive -= 1;
            }
        }
    }
}

fn run_job(job: Job, shared: &Arc<Shared>, hook: &PanicHook, id: u64) {
    HERE.set(Some(shared.clone()));
    let task = task::of_this_thread();
    shared.state.lock().running.insert(id, task.clone());
    if shared.stopping.load(Ordering::Acquire) {
        // The stop may have looked before this thread was there to be seen.
        task.wake();
    }
    if let Err(panic) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)) {
        shared.counters.panics.add_shared(1);
        let message = crate::panic_message(&*panic);
        // A payload whose drop panics must not keep the rest from being done.
        std::mem::forget(panic);
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| hook(&message)));
    }
    shared.load.fetch_sub(1, Ordering::Relaxed);
    let mut state = shared.state.lock();
    state.running.remove(&id);
    state.alive -= 1;
    shared.changed.notify_one();
}

/// Pokes nobody: there is no fiber to make one.
#[derive(Clone)]
pub(crate) struct Poker;

impl Poker {
    pub(crate) fn poke(&self) {}
}

impl Ended {
    /// The count, or the error.
    pub(crate) fn count(self) -> io::Result<usize> {
        usize::try_from(self.result).map_err(|_| io::Error::from_raw_os_error(-self.result))
    }
}

impl Readiness {
    pub(crate) fn wait(
        self: &Arc<Self>,
        fiber: &Fiber,
        _socket: BorrowedFd<'_>,
        _bit: u8,
        _deadline: Option<Instant>,
    ) -> io::Result<Option<Cancelled>> {
        match *fiber {}
    }
}

impl Fiber {
    pub(crate) fn task(&self) -> &Arc<Task> {
        match *self {}
    }

    pub(crate) fn park(&self, _deadline: Option<Instant>) {
        match *self {}
    }

    pub(crate) fn yield_now(&self) {
        match *self {}
    }

    pub(crate) fn spawn_beside(&self, _job: Job) {
        match *self {}
    }

    pub(crate) fn check_slice(&self, _now: Instant) {
        match *self {}
    }

    pub(crate) fn poker(&self) -> Poker {
        match *self {}
    }

    pub(crate) fn wait_operation(&self, _deadline: Option<Instant>, _interruptible: bool) {
        match *self {}
    }

    pub(crate) fn has_ring(&self) -> bool {
        match *self {}
    }

    /// # Safety
    /// As the fibers' own.
    pub(crate) unsafe fn ring(&self, _: squeue::Entry, _: Option<Instant>, _: bool) -> Ended {
        match *self {}
    }

    pub(crate) fn called_away(&self) -> Option<Arc<Shared>> {
        match *self {}
    }

    pub(crate) fn is_alone(&self) -> bool {
        match *self {}
    }

    pub(crate) fn is_only(&self) -> bool {
        match *self {}
    }

    pub(crate) fn resumes_of_all(&self) -> u64 {
        match *self {}
    }

    /// # Safety
    /// As the fibers' own.
    pub(crate) unsafe fn ring_exchange(
        &self,
        _: (squeue::Entry, Option<Instant>),
        _: (squeue::Entry, Option<Instant>),
    ) -> Exchanged {
        match *self {}
    }

    /// # Safety
    /// As the fibers' own.
    pub(crate) unsafe fn ring_batch(
        &self,
        _count: usize,
        _entry: impl FnMut(usize) -> squeue::Entry,
        _ended: impl FnMut(usize, Ended),
    ) {
        match *self {}
    }
}
