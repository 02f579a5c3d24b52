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
//! One of the two sees the other. The scanner then waits for that inserter's row lock; the inserter withdraws its
//! intent, waits for the range to go, and tries again. Both may see each other: the inserter's withdrawal keeps that
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

struct Range {
    txn: TxnId,
    span: KeySpan,
}

#[derive(Default)]
struct Shard {
    ranges: HashMap<u32, Vec<Range>>,
    waiters: Vec<Arc<Waiter>>,
}

/// The table of range locks.
pub(crate) struct RangeLocks {
    /// Ranges held in the trees of a shard: what inserters look at first. SeqCst, see the module head.
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

    /// Locks a range for `txn`; false when it holds the same one already. The caller then looks for intents.
    pub(crate) fn add(&self, tree: u32, span: &KeySpan, txn: TxnId) -> bool {
        let mut shard = self.shards[Self::at(tree)].lock();
        let ranges = shard.ranges.entry(tree).or_default();
        if ranges.iter().any(|r| r.txn == txn && r.span == *span) {
            return false;
        }
        ranges.push(Range { txn, span: span.clone() });
        self.counts[Self::at(tree)].fetch_add(1, Ordering::SeqCst);
        true
    }

    /// Lets all ranges of `txn` in `tree` go and wakes the inserters that wait there.
    pub(crate) fn release(&self, tree: u32, txn: TxnId) {
        let mut shard = self.shards[Self::at(tree)].lock();
        let mut gone = 0;
        if let Some(ranges) = shard.ranges.get_mut(&tree) {
            let before = ranges.len();
            ranges.retain(|r| r.txn != txn);
            gone = before - ranges.len();
            if ranges.is_empty() {
                shard.ranges.remove(&tree);
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

    fn conflict(shard: &Shard, tree: u32, key: &[u8], txn: TxnId) -> bool {
        shard.ranges.get(&tree).is_some_and(|r| r.iter().any(|r| r.txn != txn && r.span.contains(key)))
    }

    /// The transactions whose ranges hold `key`.
    pub(crate) fn blockers(&self, tree: u32, key: &[u8], txn: TxnId, out: &mut Vec<TxnId>) {
        let shard = self.shards[Self::at(tree)].lock();
        if let Some(ranges) = shard.ranges.get(&tree) {
            let others = ranges.iter().filter(|r| r.txn != txn && r.span.contains(key));
            out.extend(others.map(|r| r.txn));
        }
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
