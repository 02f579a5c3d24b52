//! Locks on rows and unique keys: shared or exclusive, first come first served.
//!
//! A key is known by its hash ([`LockKey`]), so locking copies and compares none. Sixteen neighbours, keys that differ in
//! the last four bits, share an entry with a bit for each, so a transaction that goes through keys in their order touches
//! the table once for sixteen of them, and lets all go together. Neighbours that nobody holds have no entry.
//!
//! A request that conflicts with a holder or with an earlier request for its key queues; a holder that wants more goes to
//! the front. Releasing grants from the front as far as it goes.

use crate::ids::TxnId;
use crate::lock::wait::{Site, Waiter};
use crate::lock::{Asker, Group, LockError, LockKey, Locks, NEIGHBOURS};
use crossbeam_utils::CachePadded;
use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};
use parking_lot::Mutex;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::hash::{BuildHasher, Hasher};
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
    key: LockKey,
    mode: Mode,
    waiter: Arc<Waiter>,
}

impl Request {
    fn bit(&self) -> u16 {
        self.key.bit()
    }
}

type Queue = VecDeque<Request>;

/// What one transaction holds of some neighbours.
struct Holder {
    txn: TxnId,
    shared: u16,
    exclusive: u16,
}

impl Holder {
    fn held(&self, bit: u16) -> Option<Mode> {
        if self.exclusive & bit != 0 {
            Some(Mode::Exclusive)
        } else {
            (self.shared & bit != 0).then_some(Mode::Shared)
        }
    }

    fn admits(&self, bit: u16, mode: Mode) -> bool {
        self.exclusive & bit == 0 && (mode == Mode::Shared || self.shared & bit == 0)
    }

    fn hold(&mut self, bit: u16, mode: Mode) {
        match mode {
            Mode::Shared => self.shared |= bit,
            Mode::Exclusive => self.exclusive |= bit,
        }
    }

    fn let_go(&mut self, bits: u16) {
        self.shared &= !bits;
        self.exclusive &= !bits;
    }
}

/// Neighbours of which somebody holds some. Small: most have one holder and no queue.
struct Locks16 {
    group: Group,
    holders: SmallVec<[Holder; 1]>,
    /// Requests for any of them, in the order of their coming; those of one key are served in it.
    queue: Option<Box<Queue>>,
}

impl Locks16 {
    fn new(group: Group) -> Locks16 {
        Locks16 { group, holders: SmallVec::new(), queue: None }
    }

    fn admits(&self, txn: TxnId, bit: u16, mode: Mode) -> bool {
        self.holders.iter().all(|holder| holder.txn == txn || holder.admits(bit, mode))
    }

    fn hold(&mut self, txn: TxnId, bit: u16, mode: Mode) {
        match self.holders.iter_mut().find(|holder| holder.txn == txn) {
            Some(holder) => holder.hold(bit, mode),
            None => {
                let mut holder = Holder { txn, shared: 0, exclusive: 0 };
                holder.hold(bit, mode);
                self.holders.push(holder);
            }
        }
    }

    fn held(&self, txn: TxnId, bit: u16) -> Option<Mode> {
        self.holders.iter().find(|holder| holder.txn == txn)?.held(bit)
    }

    fn is_wanted(&self, bit: u16) -> bool {
        self.queue.iter().flat_map(|queue| queue.iter()).any(|request| request.bit() == bit)
    }

    /// Takes what a transaction may have now; `None`: it has to queue.
    fn take(&mut self, txn: TxnId, bit: u16, mode: Mode) -> Option<Got> {
        let held = self.held(txn, bit);
        match held {
            Some(held) if held >= mode => return Some(Got::HeldBefore),
            None if self.is_wanted(bit) => return None,
            _ => {}
        }
        if !self.admits(txn, bit, mode) {
            return None;
        }
        self.hold(txn, bit, mode);
        Some(if held.is_some() { Got::HeldBefore } else { Got::New })
    }

    fn let_go(&mut self, txn: TxnId, bits: u16) {
        if let Some(at) = self.holders.iter().position(|holder| holder.txn == txn) {
            let holder = &mut self.holders[at];
            holder.let_go(bits);
            if holder.shared | holder.exclusive == 0 {
                self.holders.swap_remove(at);
            }
        }
    }

    /// Grants from the front as far as it goes for each key; requests that ended otherwise drop out.
    fn grant(&mut self) {
        let Some(mut queue) = self.queue.take() else { return };
        let mut stopped = 0;
        queue.retain(|request| {
            let (bit, txn) = (request.bit(), request.waiter.txn);
            if request.waiter.is_waiting() && (stopped & bit != 0 || !self.admits(txn, bit, request.mode)) {
                stopped |= bit;
                return true;
            }
            if request.waiter.grant() {
                self.hold(txn, bit, request.mode);
            }
            false
        });
        self.queue = (!queue.is_empty()).then_some(queue);
    }

    fn is_free(&self) -> bool {
        self.holders.is_empty() && self.queue.is_none()
    }
}

/// The row locks of a transaction.
#[derive(Default)]
pub(crate) struct HeldRows {
    groups: Vec<(Group, u16)>,
    count: usize,
}

impl HeldRows {
    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Notes one that was not held before.
    pub(crate) fn push(&mut self, key: LockKey) {
        self.count += 1;
        match self.groups.last_mut() {
            Some((group, bits)) if *group == key.group() => *bits |= key.bit(),
            _ => self.groups.push((key.group(), key.bit())),
        }
    }

    /// Takes the newest out again if it is this one: then the caller releases it.
    pub(crate) fn pop(&mut self, key: LockKey) -> bool {
        let Some((group, bits)) = self.groups.last_mut() else { return false };
        if *group != key.group() || *bits & key.bit() == 0 {
            return false;
        }
        *bits &= !key.bit();
        self.count -= 1;
        if *bits == 0 {
            self.groups.pop();
        }
        true
    }
}

/// Some of the locks, on cache lines of their own.
type Shard = Mutex<HashTable<Locks16>>;

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
        LockKey::new(hasher.finish(), last & NEIGHBOURS)
    }

    fn shard(&self, group: Group) -> &Shard {
        &self.shards[(group.0 >> 32) as usize % SHARDS]
    }

    /// Takes the lock at once, or queues a waiter for it.
    fn take_or_queue(
        &self,
        key: LockKey,
        mode: Mode,
        txn: TxnId,
        waiter: impl FnOnce() -> Option<Arc<Waiter>>,
    ) -> Result<Got, Option<Queued>> {
        let (group, bit) = (key.group(), key.bit());
        let mut shard = self.shard(group).lock();
        let locks = match shard.entry(group.hash(), |l| l.group == group, |l| l.group.hash()) {
            Entry::Vacant(place) => place.insert(Locks16::new(group)),
            Entry::Occupied(locks) => locks,
        }
        .into_mut();
        if let Some(got) = locks.take(txn, bit, mode) {
            return Ok(got);
        }
        let Some(waiter) = waiter() else { return Err(None) };
        let request = Request { key, mode, waiter: waiter.clone() };
        // Told here, under the mutex: a moment later the request may be granted already.
        let granted = if locks.held(txn, bit).is_some() { Got::HeldBefore } else { Got::New };
        let queue = locks.queue.get_or_insert_default();
        match granted {
            Got::HeldBefore => queue.push_front(request),
            Got::New => queue.push_back(request),
        }
        Err(Some(Queued { waiter, granted }))
    }

    /// Lets a lock go and grants it to those who wait.
    pub(crate) fn release(&self, key: LockKey, txn: TxnId) {
        self.change(key.group(), |locks| locks.let_go(txn, key.bit()));
    }

    /// Lets all locks of a transaction go.
    pub(crate) fn release_all(&self, held: &mut HeldRows, txn: TxnId) {
        for (group, bits) in held.groups.drain(..) {
            self.change(group, |locks| locks.let_go(txn, bits));
        }
        held.count = 0;
    }

    /// Takes a waiter that gave up out of its queue.
    fn forget(&self, key: LockKey, waiter: &Arc<Waiter>) {
        self.change(key.group(), |locks| {
            if let Some(queue) = &mut locks.queue {
                queue.retain(|request| !Arc::ptr_eq(&request.waiter, waiter));
            }
        });
    }

    /// Changes locks, grants what they can give then, and removes them when nobody has or wants any.
    fn change(&self, group: Group, change: impl FnOnce(&mut Locks16)) {
        let mut shard = self.shard(group).lock();
        if let Ok(mut found) = shard.find_entry(group.hash(), |l| l.group == group) {
            let locks = found.get_mut();
            change(locks);
            locks.grant();
            if locks.is_free() {
                found.remove();
            }
        }
    }

    /// The holders and the earlier requests that `txn`'s request conflicts with.
    pub(crate) fn blockers(&self, key: LockKey, txn: TxnId, out: &mut Vec<TxnId>) {
        let (group, bit) = (key.group(), key.bit());
        let shard = self.shard(group).lock();
        let Some(locks) = shard.find(group.hash(), |l| l.group == group) else { return };
        let queue = locks.queue.iter().flat_map(|queue| queue.iter()).filter(|request| request.bit() == bit);
        let queue: SmallVec<[&Request; 8]> = queue.collect();
        let Some(at) = queue.iter().position(|request| request.waiter.txn == txn) else { return };
        let mode = queue[at].mode;
        let holders = locks.holders.iter().filter(|holder| holder.txn != txn && !holder.admits(bit, mode));
        out.extend(holders.map(|holder| holder.txn));
        for ahead in queue[..at].iter().rev() {
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
        let bits = |holder: &Holder| (holder.shared | holder.exclusive).count_ones() as usize;
        let count = |locks: &Locks16| locks.holders.iter().map(bits).sum::<usize>();
        self.shards.iter().map(|shard| shard.lock().iter().map(count).sum::<usize>()).sum()
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
