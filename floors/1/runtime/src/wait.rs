//! A queue of waiters in order of arrival, for fibers and threads alike. The protocol is in [`queue`].

mod queue;

use crate::task::{self, Waker};
use parking_lot::Mutex;
use queue::{Queue, Waiters, World};
use std::sync::atomic::AtomicU8;
use std::time::Instant;

/// Waiters in order of arrival. Waiting parks the fiber, or the thread outside of fibers.
///
/// The condition lives with the caller, behind a lock of its own or in atomics. Whoever changes it calls
/// [`WaitQueue::wake_one`] or [`WaitQueue::wake_all`] afterwards.
pub struct WaitQueue {
    queue: Queue<Machine>,
}

/// The world that the queue runs in but for its models.
struct Machine;

impl World for Machine {
    type Flag = AtomicU8;
    type Waker = Waker;
    type Lock<T> = Mutex<T>;

    fn locked<T, R>(lock: &Mutex<T>, work: impl FnOnce(&mut T) -> R) -> R {
        work(&mut lock.lock())
    }

    fn current() -> Waker {
        Waker::current()
    }

    fn wake(waker: &Waker) {
        waker.wake();
    }

    fn park() {
        task::park();
    }

    fn park_until(deadline: Instant) -> bool {
        task::park_until(deadline)
    }
}

impl WaitQueue {
    /// An empty queue.
    pub const fn new() -> WaitQueue {
        WaitQueue { queue: Queue { occupied: AtomicU8::new(0), waiters: Mutex::new(Waiters::new()) } }
    }

    /// Waits until `condition` gives a value, looking first at once and then after each wake.
    ///
    /// `condition` runs without the queue's lock, in the waiter; it may take locks but must not hold them on return.
    pub fn wait<T>(&self, condition: impl FnMut() -> Option<T>) -> T {
        match self.queue.wait(None, condition) {
            Some(value) => value,
            None => unreachable!("a wait without a deadline ends with a value"),
        }
    }

    /// As [`WaitQueue::wait`], giving up with `None` once `deadline` has passed.
    pub fn wait_until<T>(&self, deadline: Instant, condition: impl FnMut() -> Option<T>) -> Option<T> {
        self.queue.wait(Some(deadline), condition)
    }

    /// Wakes the waiter that came first, if there is one. The condition must have been changed before.
    pub fn wake_one(&self) {
        self.queue.wake_one();
    }

    /// Wakes all that wait now. The condition must have been changed before.
    pub fn wake_all(&self) {
        self.queue.wake_all();
    }

    /// How many wait now; a moment later it may be different.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Nobody waits, as seen after everything that the caller wrote before.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

impl Default for WaitQueue {
    fn default() -> WaitQueue {
        WaitQueue::new()
    }
}

impl std::fmt::Debug for WaitQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WaitQueue({} waiting)", self.len())
    }
}
