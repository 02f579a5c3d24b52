//! Commit numbers in the log's order, and the gate that checkpoints close.
//!
//! A checkpoint needs an instant at which the pages hold all commits up to an exact log position and nothing of later
//! ones. It notes the newest ordered commit B under the mutex that gives the numbers; from then on commits after B
//! are ordered and forced but wait before they are applied. When all up to B are applied it closes the generation
//! and opens the gate.
//!
//! `limit` is only written under the mutex. A commit after B took its number after the limit was set, so it sees it;
//! one at or before B passes whatever it sees.

use crate::ids::CommitNo;
use binlog::{GtidState, LogPos, Placed};
use parking_lot::Mutex;
use runtime::WaitQueue;
use std::sync::atomic::{AtomicU64, Ordering};

/// No limit.
const OPEN: u64 = u64::MAX;

struct Order {
    last: CommitNo,
    end: LogPos,
    gtids: GtidState,
}

/// The ordering point.
pub(crate) struct Gate {
    order: Mutex<Order>,
    limit: AtomicU64,
    waiters: WaitQueue,
    /// The log position of the last checkpoint.
    checkpoint: AtomicU64,
}

impl Gate {
    /// Everything up to `last`, which ends at `end`, is applied.
    pub(crate) fn new(last: CommitNo, end: LogPos, gtids: GtidState) -> Gate {
        Gate {
            order: Mutex::new(Order { last, end, gtids }),
            limit: AtomicU64::new(OPEN),
            waiters: WaitQueue::new(),
            checkpoint: AtomicU64::new(end.to_u64()),
        }
    }

    /// Gives the next number to a group. Called inside the log's order lock.
    pub(crate) fn order(&self, placed: &Placed) -> CommitNo {
        let mut order = self.order.lock();
        order.last = CommitNo(order.last.0 + 1);
        order.end = placed.end;
        if let Some(gtid) = placed.gtid {
            order.gtids.note(gtid);
        }
        order.last
    }

    /// The newest commit ordered and where it ends.
    pub(crate) fn newest(&self) -> (CommitNo, LogPos) {
        let order = self.order.lock();
        (order.last, order.end)
    }

    /// Waits while the gate keeps `commit` out.
    pub(crate) fn pass(&self, commit: CommitNo, stop: impl Fn() -> bool) {
        let passes = || commit.0 <= self.limit.load(Ordering::SeqCst) || stop();
        if !passes() {
            self.waiters.wait(|| passes().then_some(()));
        }
    }

    /// Closes the gate behind the newest commit, and tells it, where it ends and the GTIDs up to there.
    pub(crate) fn close(&self) -> (CommitNo, LogPos, GtidState) {
        let order = self.order.lock();
        self.limit.store(order.last.0, Ordering::SeqCst);
        (order.last, order.end, order.gtids.clone())
    }

    /// Opens the gate.
    pub(crate) fn open(&self) {
        {
            let _order = self.order.lock();
            self.limit.store(OPEN, Ordering::SeqCst);
        }
        self.waiters.wake_all();
    }

    /// Wakes those at the gate so that they ask their `stop` again.
    pub(crate) fn wake(&self) {
        self.waiters.wake_all();
    }

    /// Notes where a checkpoint that is complete was taken.
    pub(crate) fn checkpoint_done(&self, at: LogPos) {
        self.checkpoint.store(at.to_u64(), Ordering::Relaxed);
    }

    /// Where the last checkpoint was taken.
    pub(crate) fn checkpoint(&self) -> LogPos {
        LogPos::from_u64(self.checkpoint.load(Ordering::Relaxed))
    }

    /// Bytes of log since the last checkpoint; a full segment for each rotation between.
    pub(crate) fn grown_since_checkpoint(&self, end: LogPos) -> u64 {
        let from = self.checkpoint();
        if end.file == from.file {
            u64::from(end.offset.saturating_sub(from.offset))
        } else {
            u64::from(end.file.saturating_sub(from.file)) * (256 << 20)
        }
    }
}
