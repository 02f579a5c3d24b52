//! Memory for the changes of transactions: what one may have, and what all large ones have together.
//!
//! Small transactions are many and are not counted: a counter that all of them write would cost every core more than the
//! changes. Who outgrows [`SMALL`] takes further memory from what is left for all, a [`STEP`] at a time.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that a transaction may have uncounted.
const SMALL: usize = 4 << 20;
/// Bytes taken at once.
const STEP: usize = 16 << 20;
/// Bytes of log events that one transaction may have: positions in a segment of the log have 32 bits.
pub(crate) const LOG_MAX: usize = 3 << 30;
/// Nobody has set what one transaction may have.
const UNSET: usize = usize::MAX;

/// The room of an engine.
pub(crate) struct Room {
    /// What one transaction may have where nothing is set.
    usual: usize,
    /// What it may have, or [`UNSET`].
    set: AtomicUsize,
    /// What large transactions may take together, and what they have taken.
    all: usize,
    taken: AtomicUsize,
}

impl Room {
    /// Room for `usual` bytes a transaction, and `all` bytes for all large ones.
    pub(crate) fn new(usual: usize, all: usize) -> Room {
        Room { usual, set: AtomicUsize::new(UNSET), all, taken: AtomicUsize::new(0) }
    }

    /// Sets what one transaction may have; `None`: the usual.
    pub(crate) fn set_limit(&self, bytes: Option<usize>) {
        self.set.store(bytes.unwrap_or(UNSET), Ordering::Relaxed);
    }

    /// What was set.
    pub(crate) fn set(&self) -> Option<usize> {
        Some(self.set.load(Ordering::Relaxed)).filter(|&set| set != UNSET)
    }

    /// What one transaction may have.
    #[inline]
    pub(crate) fn limit(&self) -> usize {
        match self.set.load(Ordering::Relaxed) {
            UNSET => self.usual,
            set => set,
        }
    }

    /// Takes a step more; false where the others have all.
    fn take(&self) -> bool {
        // Whoever may have more than that alone, may have it.
        let all = self.all.max(self.limit());
        let more = |taken: usize| taken.checked_add(STEP).filter(|&taken| taken <= all);
        self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_ok()
    }

    /// Bytes that large transactions have now.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

/// What a transaction has of the room. Given back by [`Share::end`].
#[derive(Default)]
pub(crate) struct Share {
    taken: usize,
}

impl Share {
    /// What the transaction may have without asking again.
    #[inline]
    pub(crate) fn bytes(&self, room: &Room) -> usize {
        (SMALL + self.taken).min(room.limit())
    }

    /// Makes it larger; false where it may not be.
    #[cold]
    pub(crate) fn grow(&mut self, room: &Room) -> bool {
        let may = SMALL + self.taken < room.limit() && room.take();
        self.taken += if may { STEP } else { 0 };
        may
    }

    /// Gives all back.
    #[inline]
    pub(crate) fn end(&mut self, room: &Room) {
        if self.taken > 0 {
            room.taken.fetch_sub(std::mem::take(&mut self.taken), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ones_take_nothing_large_ones_share() {
        let room = Room::new(10 * STEP, 3 * STEP);
        let (mut one, mut other) = (Share::default(), Share::default());
        assert_eq!((one.bytes(&room), room.taken()), (SMALL, 0));
        room.set_limit(Some(STEP));
        assert!(one.grow(&room) && !one.grow(&room), "it may have no more than the limit");
        assert_eq!((one.bytes(&room), room.taken()), (STEP, STEP));
        room.set_limit(None);
        assert_eq!(one.bytes(&room), SMALL + STEP);
        // Ten steps are what one may have, so that all together have as much.
        assert_eq!((0..20).filter(|_| other.grow(&room)).count(), 9);
        assert!(!one.grow(&room), "the other has the rest");
        other.end(&room);
        other.end(&room);
        assert_eq!(room.taken(), STEP);
        assert!(one.grow(&room));
        one.end(&room);
        assert_eq!(room.taken(), 0);
    }
}
