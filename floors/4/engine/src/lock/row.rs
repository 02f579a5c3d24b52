//! Locks on rows and unique keys: shared or exclusive, first come first served.
//!
//! A key that no transaction holds has no entry. A request that conflicts with a holder or with an earlier request
//! queues; a holder that wants more goes to the front. Releasing grants from the front as far as it goes.

use crate::ids::TxnId;
use crate::key_table::KeyTable;
use crate::lock::wait::{Site, Waiter};
use crate::lock::{Asker, LockError, LockKey, Locks};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

const SHARDS: usize = 256;

/// What a lock allows others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// Others may share.
    Shared,
    /// Nobody else.
    Exclusive,
}

impl Mode {
    fn conflicts(self, other: Mode) -> bool {
        self == Mode::Exclusive || other == Mode::Exclusive
    }
}

/// How a lock was got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Got {
    /// It was not held before.
    New,
    /// It was held, perhaps in the weaker mode.
    HeldBefore,
}

/// A request that must wait, and what it will be when it is granted.
struct Queued {
    waiter: Arc<Waiter>,
    granted: Got,
}

struct Request {
    mode: Mode,
    waiter: Arc<Waiter>,
}

#[derive(Default)]
struct Lock {
    holders: SmallVec<[(TxnId, Mode); 2]>,
    queue: VecDeque<Request>,
}

impl Lock {
    fn admits(&self, txn: TxnId, mode: Mode) -> bool {
        self.holders.iter().all(|&(holder, held)| holder == txn || !mode.conflicts(held))
    }

    fn hold(&mut self, txn: TxnId, mode: Mode) {
        match self.holders.iter_mut().find(|(holder, _)| *holder == txn) {
            Some((_, held)) => *held = mode.max(*held),
            None => self.holders.push((txn, mode)),
        }
    }

    /// Grants from the front as far as it goes; requests that ended otherwise drop out.
    fn grant(&mut self) {
        while let Some(front) = self.queue.front() {
            if front.waiter.is_waiting() && !self.admits(front.waiter.txn, front.mode) {
                break;
            }
            let Some(front) = self.queue.pop_front() else { break };
            if front.waiter.grant() {
                self.hold(front.waiter.txn, front.mode);
            }
        }
    }

    fn is_free(&self) -> bool {
        self.holders.is_empty() && self.queue.is_empty()
    }
}

/// The table of row locks.
pub(crate) struct RowLocks {
    locks: KeyTable<Lock>,
}

impl RowLocks {
    /// No lock is held.
    pub(crate) fn new() -> RowLocks {
        RowLocks { locks: KeyTable::new(SHARDS) }
    }

    /// Takes the lock at once, or queues a waiter for it.
    fn take_or_queue(
        &self,
        key: &LockKey,
        mode: Mode,
        txn: TxnId,
        waiter: impl FnOnce() -> Option<Arc<Waiter>>,
    ) -> Result<Got, Option<Queued>> {
        let mut place = self.locks.lock(key.tree, &key.key);
        let lock = place.or_default();
        let held = lock.holders.iter().find(|(holder, _)| *holder == txn).map(|&(_, held)| held);
        match held {
            Some(held) if held >= mode => return Ok(Got::HeldBefore),
            Some(_) if lock.admits(txn, mode) => {
                lock.hold(txn, mode);
                return Ok(Got::HeldBefore);
            }
            None if lock.queue.is_empty() && lock.admits(txn, mode) => {
                lock.hold(txn, mode);
                return Ok(Got::New);
            }
            _ => {}
        }
        let Some(waiter) = waiter() else { return Err(None) };
        let request = Request { mode, waiter: waiter.clone() };
        match held {
            Some(_) => lock.queue.push_front(request),
            None => lock.queue.push_back(request),
        }
        // Told here, under the mutex: a moment later the request may be granted already.
        let granted = if held.is_some() { Got::HeldBefore } else { Got::New };
        Err(Some(Queued { waiter, granted }))
    }

    /// Lets a lock go and grants it to those who wait.
    pub(crate) fn release(&self, key: &LockKey, txn: TxnId) {
        let mut place = self.locks.lock(key.tree, &key.key);
        if let Some(mut held) = place.find() {
            let lock = &mut held.get_mut().value;
            lock.holders.retain(|(holder, _)| *holder != txn);
            lock.grant();
            if lock.is_free() {
                held.remove();
            }
        }
    }

    /// Takes a waiter that gave up out of its queue.
    fn forget(&self, key: &LockKey, waiter: &Arc<Waiter>) {
        let mut place = self.locks.lock(key.tree, &key.key);
        if let Some(mut held) = place.find() {
            let lock = &mut held.get_mut().value;
            lock.queue.retain(|request| !Arc::ptr_eq(&request.waiter, waiter));
            lock.grant();
            if lock.is_free() {
                held.remove();
            }
        }
    }

    /// The holders and the earlier requests that `txn`'s request conflicts with.
    pub(crate) fn blockers(&self, key: &LockKey, txn: TxnId, out: &mut Vec<TxnId>) {
        let place = self.locks.lock(key.tree, &key.key);
        let Some(lock) = place.get() else { return };
        let Some(at) = lock.queue.iter().position(|request| request.waiter.txn == txn) else { return };
        let mode = lock.queue[at].mode;
        let holders = lock.holders.iter().filter(|&&(holder, held)| holder != txn && mode.conflicts(held));
        out.extend(holders.map(|&(holder, _)| holder));
        for ahead in lock.queue.iter().take(at).rev() {
            if ahead.waiter.txn != txn {
                out.push(ahead.waiter.txn);
            }
            if ahead.mode == Mode::Exclusive {
                // It conflicts with all before it: through it they are reached.
                break;
            }
        }
    }

    /// Locks held now, for the status.
    pub(crate) fn count(&self) -> usize {
        self.locks.len()
    }
}

impl Locks {
    /// Takes a row lock, waiting as the asker allows (`wait` false: not at all).
    pub(crate) fn lock_row(
        &self,
        key: &LockKey,
        mode: Mode,
        asker: &Asker<'_>,
        wait: bool,
    ) -> Result<Got, LockError> {
        let waiter = || wait.then(|| Waiter::new(asker, Site::Row(key.clone())));
        match self.rows.take_or_queue(key, mode, asker.txn, waiter) {
            Ok(got) => Ok(got),
            Err(None) => Err(LockError::WouldWait),
            Err(Some(Queued { waiter, granted })) => {
                let deadline = Instant::now() + asker.timeout;
                match self.waits.wait(self, &waiter, asker, deadline) {
                    Ok(()) => Ok(granted),
                    Err(error) => {
                        self.rows.forget(key, &waiter);
                        Err(error)
                    }
                }
            }
        }
    }
}
