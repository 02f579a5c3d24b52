//! Parking and waking: the one primitive under every wait of the house.
//!
//! A task is a fiber on an event loop or a plain OS thread. Its state word has three values:
//!
//! ```text
//!            park()                    wake()
//! RUNNING ----------> PARKED  PARKED ---------> NOTIFIED (the task is scheduled, once)
//! NOTIFIED ---------> RUNNING RUNNING --------> NOTIFIED (the next park returns at once)
//! ```
//!
//! Only the `wake` that moves PARKED to NOTIFIED schedules the task, so it stands in at most one run queue at most
//! once. `wake` releases and `park` acquires: what was written before a wake is seen after the park it ended.
//! `park` may return without a wake; callers look at their condition again.

use crate::event_loop::{self, Shared};
use crate::protocol::ParkState;
use crate::rank;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// State of a task, shared by its wakers.
pub(crate) struct Task {
    pub(crate) state: ParkState,
    home: Home,
}

/// Who runs a task and so how it is scheduled.
enum Home {
    Thread(std::thread::Thread),
    /// Made only where there are fibers.
    #[cfg_attr(not(fibers), expect(dead_code))]
    Fiber {
        shared: Arc<Shared>,
        slot: u32,
    },
}

/// Wakes one task; clones wake the same one. Outliving the task is harmless.
#[derive(Clone)]
pub struct Waker {
    task: Arc<Task>,
}

impl std::fmt::Debug for Waker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.task.home {
            Home::Thread(thread) => write!(f, "Waker({:?})", thread.id()),
            Home::Fiber { shared, slot } => write!(f, "Waker(loop {}, fiber {slot})", shared.index),
        }
    }
}

thread_local! {
    static THREAD_TASK: OnceCell<Arc<Task>> = const { OnceCell::new() };
}

fn with_thread_task<R>(use_task: impl FnOnce(&Arc<Task>) -> R) -> R {
    THREAD_TASK.with(|cell| {
        use_task(cell.get_or_init(|| {
            Arc::new(Task { state: ParkState::new(), home: Home::Thread(std::thread::current()) })
        }))
    })
}

/// The task of the calling thread.
#[cfg(not(fibers))]
pub(crate) fn of_this_thread() -> Arc<Task> {
    with_thread_task(Arc::clone)
}

impl Waker {
    /// The waker of the calling fiber, or thread outside of fibers.
    pub fn current() -> Waker {
        if let Some(fiber) = event_loop::current() {
            return Waker { task: fiber.task().clone() };
        }
        with_thread_task(|task| Waker { task: task.clone() })
    }

    /// Ends the task's current park, or the next one if it does not park now.
    pub fn wake(&self) {
        self.task.wake();
    }
}

impl Task {
    #[cfg(fibers)]
    pub(crate) fn of_fiber(shared: Arc<Shared>, slot: u32) -> Task {
        Task { state: ParkState::new(), home: Home::Fiber { shared, slot } }
    }

    pub(crate) fn wake(&self) {
        if !self.state.notify() {
            return;
        }
        match &self.home {
            Home::Thread(thread) => thread.unpark(),
            Home::Fiber { shared, slot } => event_loop::queue_woken(shared, *slot),
        }
    }
}

/// Waits for a wake of this fiber or thread. May return without one.
pub fn park() {
    rank::assert_none_held();
    if let Some(fiber) = event_loop::current() {
        return fiber.park(None);
    }
    with_thread_task(|task| {
        if task.state.try_park() {
            while task.state.is_parked() {
                std::thread::park();
            }
            task.state.unpark();
        }
    });
}

/// Waits for a wake until `deadline`; true when the deadline has passed. May return early without either.
pub fn park_until(deadline: Instant) -> bool {
    rank::assert_none_held();
    if let Some(fiber) = event_loop::current() {
        fiber.park(Some(deadline));
        return Instant::now() >= deadline;
    }
    with_thread_task(|task| {
        if task.state.try_park() {
            while task.state.is_parked() {
                let now = Instant::now();
                if now >= deadline {
                    break;
                }
                std::thread::park_timeout(deadline - now);
            }
            task.state.unpark();
        }
    });
    Instant::now() >= deadline
}

/// Lets others run that are ready, those just woken first.
pub fn yield_now() {
    rank::assert_none_held();
    match event_loop::current() {
        Some(fiber) => fiber.yield_now(),
        None => std::thread::yield_now(),
    }
}

/// Runs `job` in a fiber of its own on the caller's loop, from where the caller waits or yields on; at once where the
/// caller is a thread. Nobody waits for it: it is for what may as well be left undone.
pub fn beside(job: impl FnOnce() + Send + 'static) {
    rank::assert_none_held();
    match event_loop::current() {
        Some(fiber) => fiber.spawn_beside(Box::new(job)),
        None => job(),
    }
}

/// Calls of [`slice_point`] between two looks at the clock, where calls come fast.
const CALLS_A_LOOK: u32 = 32;
/// Calls come fast if a look comes sooner than this after the last.
const FAST: Duration = Duration::from_micros(50);

thread_local! {
    static CALLS_LEFT: Cell<u32> = const { Cell::new(0) };
    static LAST_LOOK: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// A place in a long computation where it may make way: cheap enough for each row of a scan.
///
/// Yields when this fiber has run longer than its time slice (500 us, or 25 us if somebody is known to wait); does
/// nothing in a thread, which the kernel slices.
#[inline]
pub fn slice_point() {
    rank::assert_none_held();
    let left = CALLS_LEFT.get();
    if left > 0 {
        CALLS_LEFT.set(left - 1);
    } else {
        look_at_slice();
    }
}

#[cold]
fn look_at_slice() {
    let Some(fiber) = event_loop::current() else {
        CALLS_LEFT.set(CALLS_A_LOOK);
        return;
    };
    let now = Instant::now();
    let fast = LAST_LOOK.replace(Some(now)).is_some_and(|last| now - last < FAST);
    CALLS_LEFT.set(if fast { CALLS_A_LOOK } else { 0 });
    fiber.check_slice(now);
}

/// Waits for `duration`, whatever wakes come meanwhile.
pub fn sleep(duration: Duration) {
    let deadline = Instant::now() + duration;
    while !park_until(deadline) {}
}

/// What code that asks [`stack_is_low`] may use before it asks again: frames of a debug build are large.
const STACK_RESERVE: usize = if cfg!(debug_assertions) { 256 << 10 } else { 128 << 10 };

/// Bytes of stack that the caller may still use, down to the guard page: of its fiber, or of its thread.
pub fn stack_left() -> usize {
    let limit = event_loop::stack_limit().unwrap_or_else(platform::stack::thread_limit);
    let here = 0u8;
    (&raw const here as usize).saturating_sub(limit)
}

/// Whether recursion over what users write must end here with an error: the stack is nearly used up.
pub fn stack_is_low() -> bool {
    stack_left() < STACK_RESERVE
}
