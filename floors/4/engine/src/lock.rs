//! Locks that transactions hold to their end, and the waits for them.
//!
//! Three kinds: rows and unique keys ([`row`]), ranges against inserts ([`range`]), table names against DDL
//! ([`metadata`]). A wait of any kind joins one wait-for graph ([`wait`]), so that deadlocks across kinds are found.
//!
//! Order of the short mutexes here: the registry of waits, then one shard or name lock, then a slot's list. Nobody
//! parks while holding one.

pub(crate) mod metadata;
pub(crate) mod range;
pub(crate) mod row;
pub(crate) mod wait;

use crate::engine::Place;
use crate::ids::TxnId;
use crate::mvcc::slots::{Intent, Slots};
use metadata::MetadataLocks;
use range::RangeLocks;
use row::RowLocks;
use wait::{Site, Waiter, Waits};

pub use wait::Interrupt;

/// Why a lock was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockError {
    /// The wait took longer than the transaction allows.
    TimedOut,
    /// It would have had to wait, and must not.
    WouldWait,
    /// A cycle of waits; this transaction was chosen to end.
    Deadlock,
    /// The session was told to stop.
    Interrupted,
}

/// All locks of the engine.
pub(crate) struct Locks {
    pub(crate) rows: RowLocks,
    pub(crate) ranges: RangeLocks,
    pub(crate) metadata: MetadataLocks,
    pub(crate) waits: Waits,
    pub(crate) slots: Slots,
}

impl Locks {
    /// No lock is held.
    pub(crate) fn new() -> Locks {
        Locks {
            rows: RowLocks::new(),
            ranges: RangeLocks::new(),
            metadata: MetadataLocks::new(),
            waits: Waits::new(),
            slots: Slots::new(),
        }
    }

    /// The transactions that `waiter` waits for now.
    fn blockers(&self, waiter: &Waiter, out: &mut Vec<TxnId>) {
        match &waiter.site {
            Site::Row(key) => self.rows.blockers(*key, waiter.txn, out),
            Site::Range { tree, key } => self.ranges.blockers(*tree, key, waiter.txn, out),
            Site::Metadata { lock, mode, holds_some } => {
                self.metadata.blockers(lock, (*mode, *holds_some), waiter.txn, &self.slots, out);
            }
        }
    }

    /// Announced inserts of others into a range of a tree.
    pub(crate) fn intents_in(&self, tree: u32, range: &range::KeySpan, not: TxnId) -> Vec<Intent> {
        let mut found = Vec::new();
        self.slots.for_each(|slot| {
            if slot.txn() != Some(not) {
                slot.find_intents(|i| i.tree == tree && range.contains(&i.key), &mut found);
            }
        });
        found
    }
}

/// The bits of a key's last byte by which neighbours differ.
const NEIGHBOURS: u8 = 15;

/// A lock on a key of a tree: the hash of both but for the key's last four bits, and these. Where two keys have one hash,
/// which takes some 2^29 locks held at once to become likely, they are locked together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LockKey(u64);

/// The hash that neighbours have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group(u64);

impl LockKey {
    fn new(hash: u64, last: u8) -> LockKey {
        LockKey(hash & !u64::from(NEIGHBOURS) | u64::from(last))
    }

    fn group(self) -> Group {
        Group(self.0 & !u64::from(NEIGHBOURS))
    }

    /// Which of the neighbours.
    fn bit(self) -> u16 {
        1 << (self.0 & u64::from(NEIGHBOURS))
    }
}

impl Group {
    /// For a table that goes by the lowest bits and the highest.
    fn hash(self) -> u64 {
        self.0 ^ self.0 >> 20
    }
}

/// Who asks for a lock and how long it may take.
pub(crate) struct Asker<'a> {
    pub(crate) txn: TxnId,
    /// What would be lost by ending this transaction: a deadlock ends the lightest.
    pub(crate) weight: u64,
    /// Longest wait.
    pub(crate) timeout: std::time::Duration,
    /// Its session's place, where what is owed is paid before a wait, and what ends the wait from outside.
    pub(crate) place: &'a Place,
}
