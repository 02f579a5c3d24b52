//! A lock that may be held while its holder waits: others park, so no event loop stands still.

use runtime::WaitQueue;
use std::sync::atomic::{AtomicBool, Ordering};

/// One holder at a time, first come first served.
pub(crate) struct Turn {
    taken: AtomicBool,
    waiters: WaitQueue,
}

/// Holds a [`Turn`] until dropped.
pub(crate) struct TurnGuard<'t> {
    turn: &'t Turn,
}

impl Turn {
    pub(crate) const fn new() -> Turn {
        Turn { taken: AtomicBool::new(false), waiters: WaitQueue::new() }
    }

    /// Waits for the turn.
    pub(crate) fn take(&self) -> TurnGuard<'_> {
        // SeqCst: the queue's Dekker pair is over this word.
        self.waiters.wait(|| (!self.taken.swap(true, Ordering::SeqCst)).then_some(()));
        TurnGuard { turn: self }
    }
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        self.turn.taken.store(false, Ordering::SeqCst);
        self.turn.waiters.wake_one();
    }
}
