//! A right that one fiber or thread has at a time and may hold while it waits for the disk.
//!
//! A mutex would block the event loop's thread when its holder is parked on the same loop; this parks the waiter.

use runtime::WaitQueue;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, Default)]
pub(crate) struct Turn {
    taken: AtomicBool,
    queue: WaitQueue,
}

/// Gives the turn back when dropped.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    turn: &'a Turn,
}

impl Turn {
    /// Waits for the turn.
    pub fn take(&self) -> Taken<'_> {
        self.queue.wait(|| self.try_take())
    }

    fn try_take(&self) -> Option<Taken<'_>> {
        // Acquire: sees what the holder before did.
        let was_free = self.taken.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        // Lazily: a `Taken` that is made gives the turn back when it is dropped.
        was_free.then(|| Taken { turn: self })
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        // Release: pairs with the acquire of the next holder.
        self.turn.taken.store(false, Ordering::Release);
        self.turn.queue.wake_one();
    }
}

#[cfg(test)]
mod tests {
    use super::Turn;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn one_holder_at_a_time() {
        let (turn, inside) = (Turn::default(), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        let _taken = turn.take();
                        assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0);
                        inside.fetch_sub(1, Ordering::Relaxed);
                    }
                });
            }
        });
    }
}
