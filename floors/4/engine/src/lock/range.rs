//! Range locks: what keeps inserts out of a range that somebody read under lock.
//!
//! Taken by locking scans at REPEATABLE READ and by every scan at SERIALIZABLE. They conflict with inserts only, never
//! with one another (as MariaDB's gap locks). Rows that exist are guarded by their row locks.
//!
//! Inserters write no shared line while no range of the tree is locked. The pair, all SeqCst:
//!
//! ```text
//! scanner:   count[tree] += 1, range in the list;  look through the slots for intents in the range
//! inserter:  intent into its slot;                 look at count[tree]
//! ```
//!
//! One of the two sees the other. The scanner then waits, when it comes there, for that inserter's row lock (its range
//! ends at that key meanwhile: `txn::guard`); the inserter withdraws its intent, waits for the range to go, and tries again. Both may see each other: the inserter's withdrawal keeps that
//! from being a deadlock, as the scanner waits for the row's lock, of which the detector knows.

use crate::ids::TxnId;
use crate::lock::wait::{Site, Waiter};
use crate::lock::{Asker, LockError, Locks};
use crate::mvcc::slots::KeyBytes;
use hashbrown::HashMap;
use parking_lot::Mutex;
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const SHARDS: usize = 64;

/// Bounds over encoded keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeySpan {
    pub(crate) lo: Bound<Vec<u8>>,
    pub(crate) hi: Bound<Vec<u8>>,
}

impl KeySpan {
    /// Whether `key` is inside.
    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        let after = match &self.lo {
            Bound::Included(lo) => key >= lo.as_slice(),
            Bound::Excluded(lo) => key > lo.as_slice(),
            Bound::Unbounded => true,
        };
        after
            && match &self.hi {
                Bound::Included(hi) => key <= hi.as_slice(),
                Bound::Excluded(hi) => key < hi.as_slice(),
                Bound::Unbounded => true,
            }
    }
}

impl KeySpan {
    /// The part that a walk through it has come through at `key`.
    pub(crate) fn up_to(&self, key: &[u8], forward: bool) -> KeySpan {
        let end = Bound::Included(key.to_vec());
        match forward {
            true => KeySpan { lo: self.lo.clone(), hi: end },
            false => KeySpan { lo: end, hi: self.hi.clone() },
        }
    }

    /// Whether all of `other` is inside.
    fn covers(&self, other: &KeySpan) -> bool {
        starts_no_later(&self.lo, &other.lo) && ends_no_earlier(&self.hi, &other.hi)
    }

    /// Grows to hold all of `other` too, and what is between.
    fn stretch(&mut self, other: &KeySpan) {
        if !starts_no_later(&self.lo, &other.lo) {
            self.lo.clone_from(&other.lo);
        }
        if !ends_no_earlier(&self.hi, &other.hi) {
            self.hi.clone_from(&other.hi);
        }
    }
}

fn starts_no_later(a: &Bound<Vec<u8>>, b: &Bound<Vec<u8>>) -> bool {
    match (a, b) {
        (Bound::Unbounded, _) => true,
        (_, Bound::Unbounded) => false,
        (Bound::Excluded(a), Bound::Included(b)) => a < b,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) => a <= b,
    }
}

fn ends_no_earlier(a: &Bound<Vec<u8>>, b: &Bound<Vec<u8>>) -> bool {
    match (a, b) {
        (Bound::Unbounded, _) => true,
        (_, Bound::Unbounded) => false,
        (Bound::Excluded(a), Bound::Included(b)) => a > b,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) => a >= b,
    }
}

/// Ranges of one transaction in one tree. More than [`RANGES_MAX`] become one that holds them all: looking through
/// them, which every inserter does, stays cheap.
struct Held {
    txn: TxnId,
    spans: Vec<Span>,
}

struct Span {
    keys: KeySpan,
    /// Several scans rely on it.
    shared: bool,
}

const RANGES_MAX: usize = 256;

#[derive(Default)]
struct Shard {
    trees: HashMap<u32, Vec<Held>>,
    waiters: Vec<Arc<Waiter>>,
}

/// The table of range locks.
pub(crate) struct RangeLocks {
    /// Transactions with ranges in the trees of a shard: what inserters look at first. SeqCst, see the module head.
    counts: Box<[AtomicUsize]>,
    shards: Box<[Mutex<Shard>]>,
}

impl RangeLocks {
    /// No range is locked.
    pub(crate) fn new() -> RangeLocks {
        RangeLocks {
            counts: (0..SHARDS).map(|_| AtomicUsize::new(0)).collect(),
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    fn at(tree: u32) -> usize {
        tree as usize % SHARDS
    }

    /// Locks a range for `txn`; returns what the caller has to look through for intents, `None` when all of it was
    /// locked before.
    pub(crate) fn add(&self, tree: u32, span: &KeySpan, txn: TxnId) -> Option<KeySpan> {
        let mut shard = self.shards[Self::at(tree)].lock();
        let holders = shard.trees.entry(tree).or_default();
        let at = match holders.iter().position(|h| h.txn == txn) {
            Some(at) => at,
            None => {
                self.counts[Self::at(tree)].fetch_add(1, Ordering::SeqCst);
                holders.push(Held { txn, spans: Vec::new() });
                holders.len() - 1
            }
        };
        let spans = &mut holders[at].spans;
        if let Some(held) = spans.iter_mut().find(|held| held.keys.covers(span)) {
            held.shared = true;
            return None;
        }
        if spans.len() < RANGES_MAX {
            spans.push(Span { keys: span.clone(), shared: false });
            return Some(span.clone());
        }
        let mut hull = span.clone();
        spans.drain(..).for_each(|held| hull.stretch(&held.keys));
        spans.push(Span { keys: hull.clone(), shared: true });
        Some(hull)
    }

    /// Lets go of what of a range lies behind `key` in the direction of the scan that it was locked for, and wakes the
    /// inserters that wait there; false where others rely on the range.
    pub(crate) fn draw_back(&self, tree: u32, span: &KeySpan, key: &[u8], forward: bool, txn: TxnId) -> bool {
        let mut shard = self.shards[Self::at(tree)].lock();
        let holder = shard.trees.get_mut(&tree).and_then(|all| all.iter_mut().find(|h| h.txn == txn));
        let held = holder.and_then(|h| h.spans.iter_mut().find(|held| !held.shared && held.keys == *span));
        let Some(held) = held else { return false };
        held.keys = span.up_to(key, forward);
        for waiter in shard.waiters.drain(..) {
            waiter.grant();
        }
        true
    }

    /// Lets all ranges of `txn` in `tree` go and wakes the inserters that wait there.
    pub(crate) fn release(&self, tree: u32, txn: TxnId) {
        let mut shard = self.shards[Self::at(tree)].lock();
        let mut gone = 0;
        if let Some(holders) = shard.trees.get_mut(&tree) {
            let before = holders.len();
            holders.retain(|h| h.txn != txn);
            gone = before - holders.len();
            if holders.is_empty() {
                shard.trees.remove(&tree);
            }
        }
        self.counts[Self::at(tree)].fetch_sub(gone, Ordering::SeqCst);
        for waiter in shard.waiters.drain(..) {
            waiter.grant();
        }
    }

    /// Whether somebody else's range holds `key`; cheap while no range is locked.
    pub(crate) fn blocks(&self, tree: u32, key: &[u8], txn: TxnId) -> bool {
        self.counts[Self::at(tree)].load(Ordering::SeqCst) != 0
            && Self::conflict(&self.shards[Self::at(tree)].lock(), tree, key, txn)
    }

    fn others<'s>(
        shard: &'s Shard,
        tree: u32,
        key: &'s [u8],
        txn: TxnId,
    ) -> impl Iterator<Item = TxnId> + 's {
        let holders = shard.trees.get(&tree).into_iter().flatten();
        let inside = move |h: &&Held| h.txn != txn && h.spans.iter().any(|held| held.keys.contains(key));
        holders.filter(inside).map(|h| h.txn)
    }

    fn conflict(shard: &Shard, tree: u32, key: &[u8], txn: TxnId) -> bool {
        Self::others(shard, tree, key, txn).next().is_some()
    }

    /// The transactions whose ranges hold `key`.
    pub(crate) fn blockers(&self, tree: u32, key: &[u8], txn: TxnId, out: &mut Vec<TxnId>) {
        out.extend(Self::others(&self.shards[Self::at(tree)].lock(), tree, key, txn));
    }
}

impl Locks {
    /// Waits until no other transaction's range holds `key`. Another may come right after: the caller looks again.
    pub(crate) fn wait_for_ranges(&self, tree: u32, key: &[u8], asker: &Asker<'_>) -> Result<(), LockError> {
        let deadline = Instant::now() + asker.timeout;
        let place = &self.ranges.shards[RangeLocks::at(tree)];
        loop {
            let waiter = {
                let mut shard = place.lock();
                if !RangeLocks::conflict(&shard, tree, key, asker.txn) {
                    return Ok(());
                }
                let waiter = Waiter::new(asker, Site::Range { tree, key: KeyBytes::from_slice(key) });
                shard.waiters.push(waiter.clone());
                waiter
            };
            if let Err(error) = self.waits.wait(self, &waiter, asker, deadline) {
                place.lock().waiters.retain(|other| !Arc::ptr_eq(other, &waiter));
                return Err(error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(lo: u8, hi: u8) -> KeySpan {
        KeySpan { lo: Bound::Included(vec![lo]), hi: Bound::Excluded(vec![hi]) }
    }

    #[test]
    fn many_ranges_become_one_that_holds_them() {
        let locks = RangeLocks::new();
        let (me, other) = (TxnId(1), TxnId(2));
        assert_eq!(locks.add(7, &span(10, 20), me), Some(span(10, 20)));
        assert_eq!(locks.add(7, &span(12, 20), me), None, "inside what is held");
        for n in 0..RANGES_MAX as u64 {
            let key = [&[100][..], &n.to_be_bytes()].concat();
            locks.add(7, &KeySpan { lo: Bound::Included(key.clone()), hi: Bound::Included(key) }, me);
        }
        assert!(locks.blocks(7, &[50], other), "between them, now");
        assert!(!locks.blocks(7, &[9], other) && !locks.blocks(7, &[101], other));
        assert!(!locks.blocks(7, &[50], me) && !locks.blocks(8, &[50], other));
        locks.release(7, me);
        assert!(!locks.blocks(7, &[15], other));
    }

    #[test]
    fn a_range_is_drawn_back_unless_others_rely_on_it() {
        let locks = RangeLocks::new();
        let (me, other) = (TxnId(1), TxnId(2));
        locks.add(7, &span(10, 20), me);
        assert!(!locks.draw_back(7, &span(10, 21), &[15], true, me), "not what is held");
        assert!(locks.draw_back(7, &span(10, 20), &[15], true, me));
        assert!(locks.blocks(7, &[15], other) && !locks.blocks(7, &[16], other));
        assert_eq!(locks.add(7, &span(16, 20), me), Some(span(16, 20)));
        assert!(locks.draw_back(7, &span(16, 20), &[18], false, me));
        assert!(locks.blocks(7, &[18], other) && !locks.blocks(7, &[17], other));
        locks.add(7, &span(30, 40), me);
        assert_eq!(locks.add(7, &span(31, 32), me), None);
        assert!(!locks.draw_back(7, &span(30, 40), &[33], true, me), "two scans need it");
    }

    #[test]
    fn bounds_are_compared_with_their_kinds() {
        let all = KeySpan { lo: Bound::Unbounded, hi: Bound::Unbounded };
        let open = KeySpan { lo: Bound::Excluded(vec![1]), hi: Bound::Excluded(vec![3]) };
        let closed = KeySpan { lo: Bound::Included(vec![1]), hi: Bound::Included(vec![3]) };
        assert!(all.covers(&open) && all.covers(&all) && !open.covers(&all));
        assert!(closed.covers(&open) && !open.covers(&closed));
        let mut hull = open.clone();
        hull.stretch(&closed);
        assert_eq!(hull, closed);
    }
}
