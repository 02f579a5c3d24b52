//! Reading single rows, and the locks that reading takes.

use crate::catalog::Table;
use crate::error::Result;
use crate::ids::CommitNo;
use crate::lock::row::Mode;
use crate::options::{Isolation, KeyRange, Read, Wait};
use crate::txn::Txn;
use std::sync::Arc;

/// Locks on rows that plain reads take before they lock whole tables instead.
const ROWS_LOCKED: usize = 10_000;

impl Read {
    /// The lock that a read takes on rows, and how it waits; `None` reads at the snapshot.
    pub(super) fn lock(self) -> Option<(Mode, Wait)> {
        match self {
            Read::Snapshot => None,
            Read::Share(wait) => Some((Mode::Shared, wait)),
            Read::Exclusive(wait) => Some((Mode::Exclusive, wait)),
        }
    }
}

impl Txn {
    /// What a read really is: plain ones lock at SERIALIZABLE, unless the statement is a transaction of its own, and in
    /// statements that change rows.
    pub(super) fn effective(&self, table: &Table, read: Read) -> Read {
        let serializable = self.options.isolation == Isolation::Serializable && !self.options.autocommit;
        let locks = (serializable || self.reads_lock) && !table.is_temporary();
        match read {
            Read::Snapshot if locks => Read::Share(Wait::Block),
            other => other,
        }
    }

    /// Whether so many rows are locked, or about to be, that the whole table had better be shared.
    pub(super) fn shares_table(&self, more: impl FnOnce() -> Result<u64>) -> Result<bool> {
        Ok(self.rows.len() >= ROWS_LOCKED || more()? >= ROWS_LOCKED as u64)
    }

    /// Reads a row by its clustered key into `row`; false when there is none (or it is locked, with SKIP LOCKED).
    pub fn get(&mut self, table: &Arc<Table>, key: &[u8], read: Read, row: &mut Vec<u8>) -> Result<bool> {
        self.check_active()?;
        match self.effective(table, read).lock() {
            None => self.get_at_snapshot(table, key, row),
            Some(_) if read == Read::Snapshot && self.shares_table(|| Ok(0))? => {
                self.share_table(table)?;
                self.get_newest(table, 0, key, row)
            }
            Some((mode, wait)) => self.get_locked(table, key, mode, wait, row),
        }
    }

    /// Reads a row at the snapshot, own changes first.
    pub(super) fn get_at_snapshot(&mut self, table: &Table, key: &[u8], row: &mut Vec<u8>) -> Result<bool> {
        // First: the statement's reads share a snapshot, whether this row is its own or not.
        let snapshot = self.take_snapshot();
        let tree = &table.trees()[0].handle;
        if let Some(write) = self.writes.get(tree.no, key) {
            return Ok(copy(write.payload(), row));
        }
        let read = self.place.core.read_at(tree, key, snapshot, &self.place.slot, row);
        read.map_err(|error| self.failed(error))
    }

    /// Locks a row, then reads its newest version, own changes first.
    pub(super) fn get_locked(
        &mut self,
        table: &Arc<Table>,
        key: &[u8],
        mode: Mode,
        wait: Wait,
        row: &mut Vec<u8>,
    ) -> Result<bool> {
        let tree = table.trees()[0].no;
        if self.lock_key(tree, key, mode, wait)?.is_none() {
            return Ok(false);
        }
        self.get_newest(table, 0, key, row)
    }

    /// Reads the newest version of an entry that is locked, own changes first. With `snapshot_isolation` one that was
    /// changed after the snapshot ends the transaction.
    pub(super) fn get_newest(
        &mut self,
        table: &Arc<Table>,
        place: usize,
        key: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        let tree = &table.trees()[place].handle;
        if let Some(write) = self.writes.get(tree.no, key) {
            return Ok(copy(write.payload(), out));
        }
        let Some(found) = self.place.core.read_newest(tree, &mut self.finger, key, out)? else {
            return Ok(false);
        };
        self.note_newest(table, found.commit)?;
        Ok(found.live)
    }

    /// Notes that a version was read as the newest one.
    pub(super) fn note_newest(&mut self, table: &Table, commit: CommitNo) -> Result<()> {
        self.saw = self.saw.max(commit);
        let newer = self.snapshot.is_some_and(|snapshot| commit > snapshot);
        if newer && self.options.snapshot_isolation && self.options.isolation >= Isolation::RepeatableRead {
            return Err(self.changed(table));
        }
        self.saw_newer |= newer;
        Ok(())
    }

    /// Lets the lock on a row go that the last read took although the row is not wanted, as MariaDB does at READ
    /// COMMITTED. Does nothing at other levels, or when this transaction has changed the row.
    pub fn unlock_row(&mut self, table: &Table, key: &[u8]) {
        let tree = table.trees()[0].no;
        if self.options.isolation > Isolation::ReadCommitted || self.writes.get(tree, key).is_some() {
            return;
        }
        let lock = self.place.core.locks.rows.key(tree, key);
        // Only what the last read itself locked: an earlier statement may want a lock that was there.
        if std::mem::take(&mut self.lock_is_new) && self.rows.pop(lock) {
            self.own_row = None;
            self.place.core.locks.rows.release(lock, self.id);
        }
    }

    /// About how many entries a range of an index has.
    pub fn estimate(&self, table: &Table, index: usize, range: &KeyRange) -> Result<u64> {
        let place = if index == crate::CLUSTERED { 0 } else { table.place(index)? };
        let bound = |b: &std::ops::Bound<Vec<u8>>| b.clone();
        let (lo, hi) = (bound(&range.lo), bound(&range.hi));
        let tree = &table.trees()[place].handle.tree;
        Ok(tree.range_estimate(as_slice(&lo), as_slice(&hi))?)
    }

    /// Ends with [`crate::EngineError::Interrupted`] when the session was told to stop; for long loops.
    pub fn check_interrupt(&self) -> Result<()> {
        self.place.interrupt.check()
    }
}

/// A bound by reference.
pub(crate) fn as_slice(bound: &std::ops::Bound<Vec<u8>>) -> std::ops::Bound<&[u8]> {
    match bound {
        std::ops::Bound::Included(key) => std::ops::Bound::Included(key),
        std::ops::Bound::Excluded(key) => std::ops::Bound::Excluded(key),
        std::ops::Bound::Unbounded => std::ops::Bound::Unbounded,
    }
}

fn copy(payload: Option<&[u8]>, out: &mut Vec<u8>) -> bool {
    out.clear();
    out.extend_from_slice(payload.unwrap_or(&[]));
    payload.is_some()
}
