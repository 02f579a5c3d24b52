//! Metadata locks: a table's name against DDL.
//!
//! Statements that read or write rows hold READ or WRITE: a word in their session's own slot, no shared line written.
//! LOCK TABLES ... READ holds NO_WRITE, DDL and LOCK TABLES ... WRITE hold EXCLUSIVE: both go through the name's
//! queue, first come first served, and set `restrict` so that slots are no longer enough. UPGRADABLE goes through the
//! queue too, but restricts nobody: it only keeps others from altering the table, for the whole time of an ALTER that
//! holds the name exclusively for moments. All SeqCst:
//!
//! ```text
//! row user:   word into its slot;    look at restrict;  if restricted: word out, queue
//! restrictor: set restrict;          look through all slots for words that conflict; wait until there is none
//! leaving:    word out of its slot;  look at restrict;  if restricted: wake the queue
//! ```
//!
//! A restrictor that waits keeps newcomers out, but not transactions that hold the name already: they would wait for
//! one that waits for them.

use crate::ids::TxnId;
use crate::lock::wait::{Site, Waiter};
use crate::lock::{Asker, LockError, Locks};
use crate::mvcc::slots::{Slot, Slots};
use hashbrown::HashMap;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

/// How a table's name is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    /// Reads rows.
    Read,
    /// Changes rows.
    Write,
    /// Is about to alter the table: others read and change rows, nobody else alters it.
    Upgradable,
    /// Keeps changes of others out: LOCK TABLES ... READ.
    NoWrite,
    /// Alone: DDL, LOCK TABLES ... WRITE.
    Exclusive,
}

impl Mode {
    /// How a slot's word says it: of row users only.
    fn bits(self) -> u64 {
        u64::from(self != Mode::Read)
    }

    fn of_word(word: u64) -> Mode {
        if word & 1 == 0 { Mode::Read } else { Mode::Write }
    }

    /// Whether two transactions may hold these at once.
    fn conflicts(self, other: Mode) -> bool {
        match (self.min(other), self.max(other)) {
            (_, Mode::Exclusive) | (Mode::Upgradable, Mode::Upgradable) => true,
            (low, Mode::NoWrite) => low == Mode::Write,
            _ => false,
        }
    }

    /// Whether it stands in the name's own lists, not in a slot.
    fn is_listed(self) -> bool {
        self >= Mode::Upgradable
    }

    /// Whether it keeps row users out.
    fn restricts(self) -> bool {
        self >= Mode::NoWrite
    }

    /// Whether who holds this may do what `wanted` allows.
    pub(crate) fn covers(self, wanted: Mode) -> bool {
        match wanted {
            Mode::Read => true,
            Mode::Write | Mode::Upgradable => self == wanted || self == Mode::Exclusive,
            Mode::NoWrite | Mode::Exclusive => self >= wanted,
        }
    }
}

#[derive(Debug)]
struct Queued {
    mode: Mode,
    waiter: Arc<Waiter>,
}

#[derive(Debug, Default)]
struct State {
    /// Modes held that slots do not tell.
    granted: Vec<(TxnId, Mode)>,
    /// In order of arrival: those of such modes, and row users that met a restrictor.
    queue: VecDeque<Queued>,
}

/// The lock of one table name.
#[derive(Debug)]
pub(crate) struct NameLock {
    id: u64,
    /// 0: slots are enough; 1: NO_WRITE held or wanted; 2: EXCLUSIVE held or wanted, or somebody queues.
    restrict: AtomicU8,
    state: Mutex<State>,
}

impl NameLock {
    fn word(&self, mode: Mode) -> u64 {
        self.id << 1 | mode.bits()
    }

    fn set_restrict(&self, state: &State) {
        // Nobody but others of their kind meets those that are to alter the table.
        let queued = || state.queue.iter().map(|q| q.mode).filter(|&m| m != Mode::Upgradable);
        let granted = state.granted.iter().map(|&(_, m)| m).filter(|m| m.restricts());
        let value = match granted.chain(queued()).max() {
            None => 0,
            Some(Mode::NoWrite) if queued().next().is_none() => 1,
            Some(_) => 2,
        };
        self.restrict.store(value, Ordering::SeqCst);
    }

    /// Whether row users of `mode` need to ask the queue.
    fn restricted(&self, mode: Mode) -> bool {
        match self.restrict.load(Ordering::SeqCst) {
            0 => false,
            1 => mode != Mode::Read,
            _ => true,
        }
    }

    /// Wakes everybody in the queue to look again.
    fn wake(&self) {
        for queued in &self.state.lock().queue {
            queued.waiter.grant();
        }
    }
}

/// The names' locks.
pub(crate) struct MetadataLocks {
    names: Mutex<HashMap<(String, String), Arc<NameLock>>>,
    next_id: AtomicU64,
}

impl MetadataLocks {
    /// No name yet.
    pub(crate) fn new() -> MetadataLocks {
        MetadataLocks { names: Mutex::new(HashMap::new()), next_id: AtomicU64::new(1) }
    }

    /// The lock of a name, made when there is none.
    pub(crate) fn name(&self, db: &str, table: &str) -> Arc<NameLock> {
        let mut names = self.names.lock();
        if names.len() > 1024 && names.len().is_power_of_two() {
            names.retain(|_, lock| Arc::strong_count(lock) > 1);
        }
        names
            .entry((db.to_owned(), table.to_owned()))
            .or_insert_with(|| {
                // Relaxed: only uniqueness counts.
                let id = self.next_id.fetch_add(1, Ordering::Relaxed);
                Arc::new(NameLock { id, restrict: AtomicU8::new(0), state: Mutex::default() })
            })
            .clone()
    }

    /// The transactions that keep `txn` from holding the name in `mode`.
    pub(crate) fn blockers(
        &self,
        lock: &NameLock,
        (mode, holds_some): (Mode, bool),
        txn: TxnId,
        slots: &Slots,
        out: &mut Vec<TxnId>,
    ) {
        {
            let state = lock.state.lock();
            let granted = state.granted.iter().filter(|&&(t, m)| t != txn && m.conflicts(mode));
            out.extend(granted.map(|&(t, _)| t));
            let ahead = state.queue.iter().take_while(|q| !holds_some && q.waiter.txn != txn);
            out.extend(ahead.filter(|q| q.mode.conflicts(mode)).map(|q| q.waiter.txn));
        }
        if mode.restricts() {
            holders(lock, mode, txn, slots, out);
        }
    }
}

/// Row users whose words conflict with `mode`.
fn holders(lock: &NameLock, mode: Mode, not: TxnId, slots: &Slots, out: &mut Vec<TxnId>) {
    slots.for_each(|slot| {
        let conflict = |word| word >> 1 == lock.id && Mode::of_word(word).conflicts(mode);
        if slot.any_table(conflict) && slot.txn() != Some(not) {
            // A word without a transaction is one just being put or taken away: it wakes us when it leaves.
            out.push(slot.txn().unwrap_or(TxnId(0)));
        }
    });
}

impl Locks {
    /// Holds a name without waiting and without a shared write; false when somebody restricts it.
    #[inline]
    pub(crate) fn try_hold_name(&self, slot: &Slot, lock: &NameLock, mode: Mode) -> bool {
        debug_assert!(!mode.is_listed());
        slot.add_table(lock.word(mode));
        if !lock.restricted(mode) {
            return true;
        }
        slot.remove_table(lock.word(mode));
        lock.wake();
        false
    }

    /// Holds a name in any mode. `holds_some`: the transaction holds the name already, in a weaker mode.
    pub(crate) fn hold_name(
        &self,
        slot: &Slot,
        lock: &Arc<NameLock>,
        mode: Mode,
        holds_some: bool,
        asker: &Asker<'_>,
    ) -> Result<(), LockError> {
        if !mode.is_listed() && self.try_hold_name(slot, lock, mode) {
            return Ok(());
        }
        let deadline = Instant::now() + asker.timeout;
        loop {
            let waiter = {
                let mut state = lock.state.lock();
                if mode.restricts() {
                    // Before the slots are looked through: whoever comes behind the look must find it.
                    lock.restrict.store(2, Ordering::SeqCst);
                }
                let mine = state.queue.iter().position(|q| q.waiter.txn == asker.txn);
                if self.admits(lock, &state, mode, asker.txn, mine, holds_some) {
                    if let Some(at) = mine {
                        state.queue.remove(at);
                    }
                    if mode.is_listed() {
                        state.granted.push((asker.txn, mode));
                    } else {
                        slot.add_table(lock.word(mode));
                    }
                    lock.set_restrict(&state);
                    return Ok(());
                }
                let waiter = Waiter::new(asker, Site::Metadata { lock: lock.clone(), mode, holds_some });
                let queued = Queued { mode, waiter: waiter.clone() };
                match mine {
                    Some(at) => state.queue[at] = queued,
                    None => state.queue.push_back(queued),
                }
                lock.set_restrict(&state);
                // Restricted now; a holder that left before it could see that is found missing here.
                if self.admits(lock, &state, mode, asker.txn, Some(state.queue.len() - 1), holds_some) {
                    waiter.grant();
                }
                waiter
            };
            if let Err(error) = self.waits.wait(self, &waiter, asker, deadline) {
                let mut state = lock.state.lock();
                state.queue.retain(|q| q.waiter.txn != asker.txn);
                lock.set_restrict(&state);
                drop(state);
                lock.wake();
                return Err(error);
            }
        }
    }

    /// Whether nothing held, and nothing queued before place `mine`, conflicts.
    fn admits(
        &self,
        lock: &NameLock,
        state: &State,
        mode: Mode,
        txn: TxnId,
        mine: Option<usize>,
        holds_some: bool,
    ) -> bool {
        if state.granted.iter().any(|&(t, m)| t != txn && m.conflicts(mode)) {
            return false;
        }
        let ahead = state.queue.iter().take(mine.unwrap_or(state.queue.len()));
        if !holds_some && ahead.into_iter().any(|q| q.waiter.txn != txn && q.mode.conflicts(mode)) {
            return false;
        }
        if !mode.restricts() {
            return true;
        }
        let mut found = Vec::new();
        holders(lock, mode, txn, &self.slots, &mut found);
        found.is_empty()
    }

    /// Holds a name that was held exclusively in a weaker mode from now on, without a moment between.
    pub(crate) fn downgrade_name(&self, lock: &NameLock, mode: Mode, txn: TxnId) {
        debug_assert!(mode.is_listed());
        let mut state = lock.state.lock();
        if let Some(held) = state.granted.iter_mut().find(|held| **held == (txn, Mode::Exclusive)) {
            held.1 = mode;
        }
        lock.set_restrict(&state);
        drop(state);
        lock.wake();
    }

    /// Lets a name go.
    pub(crate) fn release_name(&self, slot: &Slot, lock: &NameLock, mode: Mode, txn: TxnId) {
        if mode.is_listed() {
            let mut state = lock.state.lock();
            if let Some(at) = state.granted.iter().position(|&(t, m)| t == txn && m == mode) {
                state.granted.swap_remove(at);
            }
            lock.set_restrict(&state);
            drop(state);
            lock.wake();
        } else {
            slot.remove_table(lock.word(mode));
            if lock.restrict.load(Ordering::SeqCst) != 0 {
                lock.wake();
            }
        }
    }
}
