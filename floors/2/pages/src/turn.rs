//! A lock whose holder may wait: for work that is done by one task at a time and includes I/O.

use runtime::WaitQueue;
use std::sync::atomic::{AtomicBool, Ordering};

/// One task's turn at a time; the others park, in order of arrival.
pub(crate) struct Turn {
    busy: AtomicBool,
    waiters: WaitQueue,
}

/// Shows that it is this task's turn, until dropped.
pub(crate) struct TurnGuard<'a>(&'a Turn);

impl Turn {
    pub(crate) const fn new() -> Turn {
        Turn { busy: AtomicBool::new(false), waiters: WaitQueue::new() }
    }

    pub(crate) fn take(&self) -> TurnGuard<'_> {
        // Acquire pairs with the Release below: a turn sees what the one before did.
        let free = || self.busy.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        self.waiters.wait(|| free().then_some(()));
        TurnGuard(self)
    }
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
        self.0.waiters.wake_one();
    }
}
