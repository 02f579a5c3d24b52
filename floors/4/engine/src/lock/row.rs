//! Locks on rows and unique keys: shared or exclusive, first come first served.
//!
//! A key is known by its hash ([`LockKey`]), so locking copies and compares none. A key that no transaction holds has no entry. A request that conflicts with a holder or with an earlier request
//! queues; a holder that wants more goes to the front. Releasing grants from the front as far as it goes.

use crate::ids::TxnId;
use crate::lock::wait::{Site, Waiter};
use crate::lock::{Asker, LockError, LockKey, Locks};
use crossbeam_utils::CachePadded;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use parking_lot::{Mutex, MutexGuard};
use smallvec::{SmallVec, smallvec};
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;
use std::time::Instant;

const SHARDS: usize = 256;
/// The bits of a key's last byte by which neighbours differ.
const NEIGHBOURS: u8 = 15;

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

type Queue = VecDeque<Request>;

/// A key that somebody holds. Small: most have one holder and no queue.
struct Lock {
    key: LockKey,
    holders: SmallVec<[(TxnId, Mode); 1]>,
    queue: Option<Box<Queue>>,
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

    /// Takes what a transaction may have now; `None`: it has to queue.
    fn take(&mut self, txn: TxnId, mode: Mode) -> Option<Got> {
        let held = self.held(txn);
        match held {
            Some(held) if held >= mode => return Some(Got::HeldBefore),
            None if self.queue.is_some() => return None,
            _ => {}
        }
        if !self.admits(txn, mode) {
            return None;
        }
        self.hold(txn, mode);
        Some(if held.is_some() { Got::HeldBefore } else { Got::New })
    }

    fn held(&self, txn: TxnId) -> Option<Mode> {
        self.holders.iter().find(|(holder, _)| *holder == txn).map(|&(_, held)| held)
    }

    /// Grants from the front as far as it goes; requests that ended otherwise drop out.
    fn grant(&mut self) {
        let Some(mut queue) = self.queue.take() else { return };
        while let Some(front) = queue.front() {
            if front.waiter.is_waiting() && !self.admits(front.waiter.txn, front.mode) {
                break;
            }
            let Some(front) = queue.pop_front() else { break };
            if front.waiter.grant() {
                self.hold(front.waiter.txn, front.mode);
            }
        }
        self.queue = (!queue.is_empty()).then_some(queue);
    }

    fn is_free(&self) -> bool {
        self.holders.is_empty() && self.queue.is_none()
    }
}

/// Some of the locks, on cache lines of their own.
type Shard = Mutex<HashTable<Lock>>;

/// The table of row locks.
pub(crate) struct RowLocks {
    shards: Box<[CachePadded<Shard>]>,
    hasher: DefaultHashBuilder,
}

impl RowLocks {
    /// No lock is held.
    pub(crate) fn new() -> RowLocks {
        RowLocks {
            shards: (0..SHARDS).map(|_| CachePadded::default()).collect(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// The lock on a key of a tree, or on the columns' part of a unique one.
    #[inline]
    pub(crate) fn key(&self, tree: u32, key: &[u8]) -> LockKey {
        let (last, front) = key.split_last().unwrap_or((&0, &[]));
        let mut hasher = self.hasher.build_hasher();
        hasher.write_u32(tree);
        hasher.write(front);
        hasher.write_u8(last & !NEIGHBOURS);
        LockKey(hasher.finish() & !u64::from(NEIGHBOURS) | u64::from(last & NEIGHBOURS))
    }

    fn shard(&self, key: LockKey) -> &Shard {
        &self.shards[(key.0 >> 32) as usize % SHARDS]
    }

    /// Takes the lock at once, or queues a waiter for it.
    fn take_or_queue(
        &self,
        key: LockKey,
        mode: Mode,
        txn: TxnId,
        waiter: impl FnOnce() -> Option<Arc<Waiter>>,
    ) -> Result<Got, Option<Queued>> {
        let mut shard = self.shard(key).lock();
        let lock = match shard.entry(key.hash(), |lock| lock.key == key, |lock| lock.key.hash()) {
            Entry::Vacant(place) => {
                place.insert(Lock { key, holders: smallvec![(txn, mode)], queue: None });
                return Ok(Got::New);
            }
            Entry::Occupied(lock) => lock.into_mut(),
        };
        if let Some(got) = lock.take(txn, mode) {
            return Ok(got);
        }
        let Some(waiter) = waiter() else { return Err(None) };
        let request = Request { mode, waiter: waiter.clone() };
        // Told here, under the mutex: a moment later the request may be granted already.
        let granted = if lock.held(txn).is_some() { Got::HeldBefore } else { Got::New };
        let queue = lock.queue.get_or_insert_default();
        match granted {
            Got::HeldBefore => queue.push_front(request),
            Got::New => queue.push_back(request),
        }
        Err(Some(Queued { waiter, granted }))
    }

    /// Lets locks go and grants them to those who wait.
    pub(crate) fn release(&self, keys: impl IntoIterator<Item = LockKey>, txn: TxnId) {
        let mut held: Option<(&Shard, MutexGuard<'_, HashTable<Lock>>)> = None;
        for key in keys {
            let shard = self.shard(key);
            // Neighbours share a shard: its mutex is kept for them.
            if held.as_ref().is_none_or(|(same, _)| !std::ptr::eq(*same, shard)) {
                drop(held.take());
                held = Some((shard, shard.lock()));
            }
            if let Some((_, locks)) = &mut held {
                change(locks, key, |lock| lock.holders.retain(|(holder, _)| *holder != txn));
            }
        }
    }

    /// Takes a waiter that gave up out of its queue.
    fn forget(&self, key: LockKey, waiter: &Arc<Waiter>) {
        change(&mut self.shard(key).lock(), key, |lock| {
            if let Some(queue) = &mut lock.queue {
                queue.retain(|request| !Arc::ptr_eq(&request.waiter, waiter));
            }
        });
    }

    /// The holders and the earlier requests that `txn`'s request conflicts with.
    pub(crate) fn blockers(&self, key: LockKey, txn: TxnId, out: &mut Vec<TxnId>) {
        let shard = self.shard(key).lock();
        let Some(lock) = shard.find(key.hash(), |lock| lock.key == key) else { return };
        let Some(queue) = &lock.queue else { return };
        let Some(at) = queue.iter().position(|request| request.waiter.txn == txn) else { return };
        let mode = queue[at].mode;
        let holders = lock.holders.iter().filter(|&&(holder, held)| holder != txn && mode.conflicts(held));
        out.extend(holders.map(|&(holder, _)| holder));
        for ahead in queue.iter().take(at).rev() {
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
        self.shards.iter().map(|shard| shard.lock().len()).sum()
    }
}

/// Changes a lock, grants what it can give then, and removes it when nobody has or wants it.
fn change(locks: &mut HashTable<Lock>, key: LockKey, change: impl FnOnce(&mut Lock)) {
    if let Ok(mut held) = locks.find_entry(key.hash(), |lock| lock.key == key) {
        let lock = held.get_mut();
        change(lock);
        lock.grant();
        if lock.is_free() {
            held.remove();
        }
    }
}

impl Locks {
    /// Takes a row lock, waiting as the asker allows (`wait` false: not at all).
    pub(crate) fn lock_row(
        &self,
        key: LockKey,
        mode: Mode,
        asker: &Asker<'_>,
        wait: bool,
    ) -> Result<Got, LockError> {
        let waiter = || wait.then(|| Waiter::new(asker, Site::Row(key)));
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
