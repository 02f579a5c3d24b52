//! Commits of a session whose force it does not wait for yet.
//!
//! A client that sends many commands at once waits for no answer in between. [`crate::Txn::commit_owing`] leaves the
//! second half of the commit to [`crate::Session::pay`], which the session calls before anybody hears of it: one force
//! for all that it committed meanwhile ("flush pipelining" in Johnson et al., "Aether", VLDB 2010). Until then
//!
//! - the session itself goes on from its own newest commit (as one that read it under a lock, see [`crate::commit`]);
//! - others see it where they lock rows, and are told of that after a force of theirs;
//! - the names of its tables stay held, since DDL works on what is durable.
//!
//! A session pays before it waits for anybody's lock, so nobody waits for what it owes while it waits itself.

use crate::commit::Ordered;
use crate::ids::{CommitNo, TxnId};
use crate::lock::Locks;
use crate::lock::metadata::{Mode, NameLock};
use crate::mvcc::slots::Slot;
use binlog::LogPos;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a session owes.
pub(crate) struct Debt {
    /// The newest commit that it is to force and show; 0: none. Only the session's own fiber is here.
    commit: AtomicU64,
    rest: Mutex<Rest>,
}

#[derive(Default)]
struct Rest {
    /// Where that commit's group ends, or one behind it.
    end: LogPos,
    /// Names held until it is paid, each once: by row users, whose words stand in the session's slot.
    names: Vec<(Arc<NameLock>, Mode)>,
}

impl Debt {
    /// Nothing is owed.
    pub(crate) fn none() -> Debt {
        Debt { commit: AtomicU64::new(0), rest: Mutex::default() }
    }

    /// The newest commit that is owed; 0 where there is none.
    #[inline]
    pub(crate) fn commit(&self) -> CommitNo {
        // Relaxed: written by this fiber.
        CommitNo(self.commit.load(Ordering::Relaxed))
    }

    /// Owes this commit too.
    pub(crate) fn add(&self, ordered: Ordered) {
        if ordered.commit > self.commit() {
            self.commit.store(ordered.commit.0, Ordering::Relaxed);
            self.rest.lock().end = ordered.end;
        }
    }

    /// Takes over a name that is held; false where it is held for the debt already, or not by a row user.
    pub(crate) fn take_name(&self, lock: &Arc<NameLock>, mode: Mode) -> bool {
        let mut rest = self.rest.lock();
        if mode > Mode::Write || rest.names.iter().any(|(held, by)| Arc::ptr_eq(held, lock) && *by == mode) {
            return false;
        }
        rest.names.push((lock.clone(), mode));
        true
    }

    /// What is to be forced and shown. The names stay until [`Debt::end`].
    pub(crate) fn due(&self) -> Option<Ordered> {
        match self.commit() {
            CommitNo(0) => None,
            commit => Some(Ordered { commit, end: self.rest.lock().end }),
        }
    }

    /// It is paid: lets the names go.
    pub(crate) fn end(&self, locks: &Locks, slot: &Slot) {
        self.commit.store(0, Ordering::Relaxed);
        let names = std::mem::take(&mut self.rest.lock().names);
        for (lock, mode) in names {
            locks.release_name(slot, &lock, mode, TxnId(0));
        }
    }
}
