//! One padded slot a session: its snapshot, the tables it holds, the keys it is about to insert.
//!
//! Readers write their own slot only, never a shared line. Whoever needs the whole picture (purge, DDL, a range lock)
//! pays by walking all slots.
//!
//! **Snapshot against purge.** All accesses are SeqCst, so they stand in one order:
//!
//! ```text
//! reader:  slot := PINNING;  s := visible;  slot := s
//! purge:   h := visible;     for each slot: h := min(h, slot)
//! ```
//!
//! If purge reads the slot before the reader's PINNING, then its load of `visible` came before the reader's, and as
//! the watermark never falls, `s >= h`. If it reads PINNING (0) it purges nothing. If it reads `s`, then `h <= s`.
//! So nothing that a registered snapshot wants is ever purged. `crate::model` walks all interleavings of this.
//!
//! **Revoking.** When versions outgrow their memory the purge revokes the oldest snapshot by a compare-exchange of
//! its slot word to REVOKED before it removes anything. A reader compares the word after it has looked: what was
//! removed was removed after the word changed, under the same mutex or page latch that the reader looked through.

use crate::ids::{CommitNo, TxnId};
use crate::lock::LockKey;
use crate::mvcc::watermark::Watermark;
use crossbeam_utils::CachePadded;
use parking_lot::{Mutex, RwLock};
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// No snapshot.
const IDLE: u64 = u64::MAX;
/// The snapshot was taken away.
const REVOKED: u64 = u64::MAX - 1;
/// A snapshot is being taken: holds everything.
const PINNING: u64 = 0;

/// Tables that a slot names without a lock; more go to the overflow list.
const TABLES_INLINE: usize = 12;

/// Bytes of a key, short ones without an allocation.
pub(crate) type KeyBytes = SmallVec<[u8; 24]>;

/// A key that a transaction is about to insert: what range locks look for.
#[derive(Clone, Debug)]
pub(crate) struct Intent {
    pub(crate) tree: u32,
    pub(crate) key: KeyBytes,
    /// The lock on the row, which the inserting transaction holds until it ends.
    pub(crate) row: LockKey,
}

/// State of a session that others may have to see.
pub(crate) struct Slot {
    snapshot: CachePadded<AtomicU64>,
    /// The running transaction, 0 for none.
    txn: CachePadded<AtomicU64>,
    /// Metadata locks held: `lock id << 1 | mode`, 0 for a free place.
    tables: [AtomicU64; TABLES_INLINE],
    has_more_tables: AtomicBool,
    more_tables: Mutex<Vec<u64>>,
    has_intents: AtomicBool,
    intents: Mutex<Vec<Intent>>,
}

impl Slot {
    fn new() -> Slot {
        Slot {
            snapshot: CachePadded::new(AtomicU64::new(IDLE)),
            txn: CachePadded::new(AtomicU64::new(0)),
            tables: [const { AtomicU64::new(0) }; TABLES_INLINE],
            has_more_tables: AtomicBool::new(false),
            more_tables: Mutex::new(Vec::new()),
            has_intents: AtomicBool::new(false),
            intents: Mutex::new(Vec::new()),
        }
    }

    /// Registers a snapshot at the watermark (the visible one, or the applied one, which is never behind it); replaces
    /// an earlier one.
    pub(crate) fn take_snapshot(&self, watermark: impl Fn() -> CommitNo) -> CommitNo {
        self.snapshot.store(PINNING, Ordering::SeqCst);
        let snapshot = watermark();
        self.snapshot.store(snapshot.0, Ordering::SeqCst);
        snapshot
    }

    /// Lets the snapshot go.
    pub(crate) fn drop_snapshot(&self) {
        // Release is enough: letting go late only keeps versions longer.
        self.snapshot.store(IDLE, Ordering::Release);
    }

    /// Whether the snapshot taken is still this slot's; asked after each look at versions.
    #[inline]
    pub(crate) fn holds(&self, snapshot: CommitNo) -> bool {
        // Acquire pairs with the revoking compare-exchange, see the module head.
        self.snapshot.load(Ordering::Acquire) == snapshot.0
    }

    /// Names the transaction that runs in this session.
    pub(crate) fn set_txn(&self, txn: Option<TxnId>) {
        // Relaxed: only read by those that found an entry of this slot, which was stored later with SeqCst.
        self.txn.store(txn.map_or(0, |t| t.0), Ordering::Relaxed);
    }

    /// The running transaction.
    pub(crate) fn txn(&self) -> Option<TxnId> {
        match self.txn.load(Ordering::Relaxed) {
            0 => None,
            id => Some(TxnId(id)),
        }
    }

    /// Adds a metadata lock word. The caller then looks at the lock's restriction (Dekker, see `lock::metadata`).
    pub(crate) fn add_table(&self, word: u64) {
        for place in &self.tables {
            if place.load(Ordering::Relaxed) == 0 {
                place.swap(word, Ordering::SeqCst);
                return;
            }
        }
        self.more_tables.lock().push(word);
        self.has_more_tables.store(true, Ordering::SeqCst);
    }

    /// Takes a metadata lock word out. The caller then looks at the lock's restriction.
    pub(crate) fn remove_table(&self, word: u64) {
        for place in &self.tables {
            if place.load(Ordering::Relaxed) == word {
                place.swap(0, Ordering::SeqCst);
                return;
            }
        }
        let mut more = self.more_tables.lock();
        if let Some(at) = more.iter().position(|&w| w == word) {
            more.swap_remove(at);
        }
        self.has_more_tables.store(!more.is_empty(), Ordering::SeqCst);
    }

    /// Whether a metadata lock word that satisfies `wanted` is held.
    pub(crate) fn any_table(&self, wanted: impl Fn(u64) -> bool) -> bool {
        let inline = self.tables.iter().map(|t| t.load(Ordering::SeqCst)).any(|w| w != 0 && wanted(w));
        inline
            || (self.has_more_tables.load(Ordering::SeqCst)
                && self.more_tables.lock().iter().any(|&w| wanted(w)))
    }

    /// Announces an insert. The caller then looks for range locks (Dekker, see `lock::range`).
    pub(crate) fn add_intent(&self, intent: Intent) {
        self.intents.lock().push(intent);
        self.has_intents.store(true, Ordering::SeqCst);
    }

    /// Withdraws the newest intent.
    pub(crate) fn pop_intent(&self) {
        self.intents.lock().pop();
    }

    /// Withdraws all intents, at the end of the transaction.
    pub(crate) fn clear_intents(&self) {
        if self.has_intents.load(Ordering::Relaxed) {
            self.intents.lock().clear();
            self.has_intents.store(false, Ordering::Release);
        }
    }

    /// The intents that `wanted` picks.
    pub(crate) fn find_intents(&self, wanted: impl Fn(&Intent) -> bool, found: &mut Vec<Intent>) {
        if self.has_intents.load(Ordering::SeqCst) {
            found.extend(self.intents.lock().iter().filter(|i| wanted(i)).cloned());
        }
    }
}

/// All slots.
pub(crate) struct Slots {
    all: RwLock<Vec<Arc<Slot>>>,
}

impl Slots {
    /// No session yet.
    pub(crate) fn new() -> Slots {
        Slots { all: RwLock::new(Vec::new()) }
    }

    /// A slot for a new session.
    pub(crate) fn attach(&self) -> Arc<Slot> {
        let slot = Arc::new(Slot::new());
        self.all.write().push(slot.clone());
        slot
    }

    /// The session is gone.
    pub(crate) fn detach(&self, slot: &Arc<Slot>) {
        self.all.write().retain(|other| !Arc::ptr_eq(other, slot));
    }

    /// Visits all slots.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&Arc<Slot>)) {
        self.all.read().iter().for_each(&mut visit);
    }

    /// The oldest commit number that a snapshot may still be at, and the number of sessions: what later commits
    /// replaced can be purged.
    pub(crate) fn horizon(&self, watermark: &Watermark) -> (CommitNo, usize) {
        let (mut horizon, mut sessions) = (watermark.visible().0, 0);
        self.for_each(|slot| {
            sessions += 1;
            let snapshot = slot.snapshot.load(Ordering::SeqCst);
            if snapshot != REVOKED {
                horizon = horizon.min(snapshot);
            }
        });
        (CommitNo(horizon), sessions)
    }

    /// Takes the oldest snapshot away, if there is one older than `newest`; true when one went.
    pub(crate) fn revoke_oldest(&self, newest: CommitNo) -> bool {
        let mut oldest: Option<(u64, Arc<Slot>)> = None;
        self.for_each(|slot| {
            let snapshot = slot.snapshot.load(Ordering::SeqCst);
            // A PINNING word is no snapshot yet: its session would store the number over REVOKED.
            let taken = snapshot != PINNING && snapshot < newest.0;
            if taken && oldest.as_ref().is_none_or(|(best, _)| snapshot < *best) {
                oldest = Some((snapshot, slot.clone()));
            }
        });
        oldest.is_some_and(|(snapshot, slot)| {
            slot.snapshot.compare_exchange(snapshot, REVOKED, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        })
    }
}

#[cfg(test)]
#[path = "slots_tests.rs"]
mod tests;
