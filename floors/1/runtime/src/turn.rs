//! A lock whose holder may wait: for work that one task does at a time and that includes I/O.
//!
//! A mutex would stop the whole event loop when its holder is parked on the same loop; this parks the waiter alone.

use crate::WaitQueue;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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

/// A lock that many may hold together, or one alone; holders may wait. Whoever wants it alone lets nobody in who came
/// later.
#[derive(Debug, Default)]
pub struct SharedTurn {
    /// Taken for a moment to join the others, and for all the time to be alone.
    door: Turn,
    together: AtomicUsize,
    leaving: WaitQueue,
}

/// Holds a [`SharedTurn`] together with others until dropped.
#[derive(Debug)]
#[must_use = "the turn is given back when the guard is dropped"]
pub struct TogetherGuard<'t> {
    turn: &'t SharedTurn,
}

impl SharedTurn {
    /// A turn that nobody has.
    pub const fn new() -> SharedTurn {
        SharedTurn { door: Turn::new(), together: AtomicUsize::new(0), leaving: WaitQueue::new() }
    }

    /// Waits to hold it together with others.
    pub fn together(&self) -> TogetherGuard<'_> {
        let _door = self.door.take();
        // Relaxed: the door orders it before whoever wants to be alone.
        self.together.fetch_add(1, Ordering::Relaxed);
        TogetherGuard { turn: self }
    }

    /// Holds it together with others if nobody is alone, wants to be, or is just joining.
    pub fn try_together(&self) -> Option<TogetherGuard<'_>> {
        let _door = self.door.try_take()?;
        self.together.fetch_add(1, Ordering::Relaxed);
        Some(TogetherGuard { turn: self })
    }

    /// Waits to hold it alone.
    pub fn alone(&self) -> TurnGuard<'_> {
        let door = self.door.take();
        // Acquire: sees what those who left did.
        self.leaving.wait(|| (self.together.load(Ordering::Acquire) == 0).then_some(()));
        door
    }
}

impl Drop for TogetherGuard<'_> {
    fn drop(&mut self) {
        // Release: pairs with the acquire of who comes alone.
        if self.turn.together.fetch_sub(1, Ordering::Release) == 1 {
            self.turn.leaving.wake_all();
        }
    }
}
