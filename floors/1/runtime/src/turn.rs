//! A lock whose holder may wait: for work that one task does at a time and that includes I/O.
//!
//! A mutex would stop the whole event loop when its holder is parked on the same loop; this parks the waiter alone.

use crate::WaitQueue;
use std::sync::atomic::{AtomicBool, Ordering};

/// One holder at a time; the others park, in order of arrival.
#[derive(Debug, Default)]
pub struct Turn {
    taken: AtomicBool,
    waiters: WaitQueue,
}

/// Holds a [`Turn`] until dropped.
#[derive(Debug)]
#[must_use = "the turn is given back when the guard is dropped"]
pub struct TurnGuard<'t> {
    turn: &'t Turn,
}

impl Turn {
    /// A turn that nobody has.
    pub const fn new() -> Turn {
        Turn { taken: AtomicBool::new(false), waiters: WaitQueue::new() }
    }

    /// Waits for the turn.
    pub fn take(&self) -> TurnGuard<'_> {
        self.waiters.wait(|| self.try_take())
    }

    /// Takes the turn if nobody has it.
    pub fn try_take(&self) -> Option<TurnGuard<'_>> {
        // Acquire: sees what the holder before did.
        let was_free = self.taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        // Lazily: a guard that is made gives the turn back when it is dropped.
        was_free.then(|| TurnGuard { turn: self })
    }
}

impl Drop for TurnGuard<'_> {
    fn drop(&mut self) {
        // Release: pairs with the acquire of the next holder.
        self.turn.taken.store(false, Ordering::Release);
        self.turn.waiters.wake_one();
    }
}
