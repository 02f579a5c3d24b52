//! Scans: a tree's cursor and the transaction's own changes, merged in key order.
//!
//! The cursor copies a leaf at once, so what it gives may be old by the time it is looked at. Reads at a snapshot do
//! not mind: the copy's version is resolved by its commit number. Locking reads use the copy only to find keys; each
//! row is read anew under its lock.

use crate::catalog::{Table, TreeHandle};
use crate::core::decode;
use crate::error::{EngineError, Result};
use crate::ids::CommitNo;
use crate::lock::row::Mode;
use crate::mvcc::slots::KeyBytes;
use crate::options::{Direction, KeyRange, Read, Wait};
use crate::txn::Txn;
use crate::txn::read::as_slice;
use std::cmp::Ordering;
use std::ops::Bound;
use std::sync::Arc;

/// A row that a scan found, in buffers that serve again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowBuf {
    /// Its clustered key.
    pub key: Vec<u8>,
    /// Its image; empty when only keys were asked for.
    pub row: Vec<u8>,
}

/// A walk over a range of an index.
pub struct Scan {
    table: Arc<Table>,
    place: usize,
    range: KeyRange,
    forward: bool,
    read: Read,
    /// It was asked for as a plain read, and may share the table in the place of many rows.
    may_share: bool,
    /// The table is shared: what is newest stays so, and is read without locks.
    newest: bool,
    keys_only: bool,
    /// Guard the range where the isolation level asks for it.
    guard: bool,
    cursor: tree::Cursor,
    /// The cursor stands on an entry not yet given.
    ahead: bool,
    at_end: bool,
    started: bool,
    /// The key looked at last, where `behind`.
    last: KeyBytes,
    behind: bool,
    payload: Vec<u8>,
    scratch: Vec<u8>,
}

/// Where the next entry comes from.
enum Source {
    Own(Option<Vec<u8>>),
    Tree,
}

impl Txn {
    /// Starts a scan of an index of the definition (or [`crate::CLUSTERED`]) over encoded keys. At SERIALIZABLE, and
    /// for locking reads at REPEATABLE READ, the range is guarded against inserts from the first [`Scan::next`] on.
    pub fn scan(
        &mut self,
        table: &Arc<Table>,
        index: usize,
        range: KeyRange,
        direction: Direction,
        read: Read,
    ) -> Result<Scan> {
        self.check_active()?;
        let place = if index == crate::CLUSTERED { 0 } else { table.place(index)? };
        let mut scan = self.scan_place(table, place, range, direction, self.effective(table, read));
        scan.may_share = read == Read::Snapshot;
        Ok(scan)
    }

    /// A scan of a tree of a table, by its place.
    pub(super) fn scan_place(
        &self,
        table: &Arc<Table>,
        place: usize,
        range: KeyRange,
        direction: Direction,
        read: Read,
    ) -> Scan {
        let (cursor_direction, forward) = match direction {
            Direction::Forward => (tree::Direction::Forward, true),
            Direction::Backward => (tree::Direction::Backward, false),
        };
        let tree = &table.trees()[place].handle.tree;
        let cursor = tree.cursor(as_slice(&range.lo), as_slice(&range.hi), cursor_direction);
        Scan {
            table: table.clone(),
            place,
            range,
            forward,
            read,
            may_share: false,
            newest: false,
            keys_only: false,
            guard: true,
            cursor,
            ahead: false,
            at_end: false,
            started: false,
            last: KeyBytes::new(),
            behind: false,
            payload: Vec::new(),
            scratch: Vec::new(),
        }
    }
}

impl Scan {
    /// Gives clustered keys only: [`RowBuf::row`] stays empty where the row itself need not be read.
    #[must_use]
    pub fn keys_only(mut self) -> Scan {
        self.keys_only = true;
        self
    }

    /// Leaves the range open to inserts: another lock keeps out those that matter.
    pub(super) fn unguarded(mut self) -> Scan {
        self.guard = false;
        self
    }

    /// The table scanned.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Puts the next row into `out`; false at the range's end.
    pub fn next(&mut self, txn: &mut Txn, out: &mut RowBuf) -> Result<bool> {
        if !self.started {
            self.start(txn)?;
        }
        loop {
            runtime::slice_point();
            txn.check_interrupt()?;
            if txn.writes.is_empty() && self.read.lock().is_none() {
                match self.step_alone(txn, out)? {
                    Some(true) => return Ok(true),
                    Some(false) => continue,
                    None => return Ok(false),
                }
            }
            let Some((key, source)) = self.step(txn)? else { return Ok(false) };
            let found = match self.read.lock() {
                None => self.at_snapshot(txn, &key, source, out)?,
                Some((mode, wait)) => self.locked(txn, &key, source, mode, wait, out)?,
            };
            self.last = key;
            self.behind = true;
            if found {
                return Ok(true);
            }
        }
    }

    fn start(&mut self, txn: &mut Txn) -> Result<()> {
        txn.check_active()?;
        self.started = true;
        match self.read.lock() {
            None => {
                txn.take_snapshot();
            }
            Some(_) if self.may_share && txn.shares_table(|| self.estimate())? => {
                txn.share_table(&self.table)?;
                self.newest = true;
                self.read = Read::Snapshot;
            }
            Some((_, wait)) if self.guard && txn.guards_ranges(wait) => {
                let wait = if wait == Wait::SkipLocked { Wait::Block } else { wait };
                txn.lock_range(&self.table, self.place, &self.range, wait)?;
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// About how many entries the range has.
    fn estimate(&self) -> Result<u64> {
        let (lo, hi) = (as_slice(&self.range.lo), as_slice(&self.range.hi));
        Ok(self.tree().tree.range_estimate(lo, hi)?)
    }

    /// The commit up to which the scan sees versions: all, or those of the transaction's snapshot.
    fn sees(&self, txn: &mut Txn) -> CommitNo {
        if self.newest { CommitNo(u64::MAX) } else { txn.take_snapshot() }
    }

    /// Notes that a version of the tree is given: it was read as the newest one, or the snapshot must still hold.
    fn note(&self, txn: &mut Txn, commit: CommitNo, sees: CommitNo) -> Result<()> {
        if self.newest {
            return txn.note_newest(&self.table, commit);
        }
        if txn.place.slot.holds(sees) { Ok(()) } else { Err(txn.failed(EngineError::SnapshotTooOld)) }
    }

    /// Reads the row that an index entry is of.
    fn row_of_entry(&self, txn: &mut Txn, out: &mut RowBuf) -> Result<bool> {
        match self.newest {
            true => txn.get_newest(&self.table, 0, &out.key, &mut out.row),
            false => txn.get_at_snapshot(&self.table, &out.key, &mut out.row),
        }
    }

    fn tree(&self) -> &TreeHandle {
        &self.table.trees()[self.place].handle
    }

    /// A step of a read at the snapshot by a transaction that has changed nothing: entries come from the tree alone,
    /// and are looked at where the cursor has them. Whether the entry gave a row; `None` at the range's end.
    fn step_alone(&mut self, txn: &mut Txn, out: &mut RowBuf) -> Result<Option<bool>> {
        let tree = &self.table.trees()[self.place].handle;
        if !std::mem::take(&mut self.ahead) && (self.at_end || !self.cursor.advance(&tree.tree)?) {
            self.at_end = true;
            return Ok(None);
        }
        self.last.clear();
        self.last.extend_from_slice(self.cursor.key());
        self.behind = true;
        let snapshot = self.sees(txn);
        let entry = decode(tree, self.cursor.value())?;
        let payload = if entry.commit <= snapshot {
            self.note(txn, entry.commit, snapshot)?;
            let Some(payload) = entry.payload else { return Ok(Some(false)) };
            payload
        } else {
            let core = &txn.place.core;
            let older = core.read_older(tree.no, &self.last, snapshot, &txn.place.slot, &mut self.payload);
            if !older.map_err(|error| txn.failed(error))? {
                return Ok(Some(false));
            }
            &self.payload
        };
        out.row.clear();
        if self.place == 0 {
            set(&mut out.key, &self.last);
            out.row.extend_from_slice(payload);
            return Ok(Some(true));
        }
        set(&mut out.key, self.clustered_part(&self.last, payload)?);
        Ok(Some(self.keys_only || self.row_of_entry(txn, out)?))
    }

    /// The next key in order, from the tree or from the own changes; own changes hide the tree's entry.
    fn step(&mut self, txn: &Txn) -> Result<Option<(KeyBytes, Source)>> {
        if !self.ahead && !self.at_end {
            let tree = &self.table.trees()[self.place].handle.tree;
            self.ahead = self.cursor.advance(tree)?;
            self.at_end = !self.ahead;
        }
        let after = self.behind.then_some(&self.last[..]);
        let (lo, hi) = match (after, self.forward) {
            (Some(last), true) => (Bound::Excluded(last), as_slice(&self.range.hi)),
            (Some(last), false) => (as_slice(&self.range.lo), Bound::Excluded(last)),
            (None, _) => (as_slice(&self.range.lo), as_slice(&self.range.hi)),
        };
        let own = txn.writes.next_in(self.tree().no, lo, hi, self.forward);
        let Some((own_key, write)) = own else {
            return Ok(self.take_ahead());
        };
        if self.ahead {
            let order = own_key.as_slice().cmp(self.cursor.key());
            let order = if self.forward { order } else { order.reverse() };
            match order {
                Ordering::Greater => return Ok(self.take_ahead()),
                Ordering::Equal => self.ahead = false,
                Ordering::Less => {}
            }
        }
        Ok(Some((own_key.clone(), Source::Own(write.payload().map(<[u8]>::to_vec)))))
    }

    fn take_ahead(&mut self) -> Option<(KeyBytes, Source)> {
        if !std::mem::take(&mut self.ahead) {
            return None;
        }
        Some((KeyBytes::from_slice(self.cursor.key()), Source::Tree))
    }

    /// The entry as the snapshot sees it; the payload goes to `self.payload`.
    fn resolve(&mut self, txn: &mut Txn, key: &[u8], source: Source) -> Result<bool> {
        self.payload.clear();
        match source {
            Source::Own(None) => return Ok(false),
            Source::Own(Some(payload)) => {
                self.payload = payload;
                return Ok(true);
            }
            Source::Tree => {}
        }
        let snapshot = self.sees(txn);
        let entry = decode(&self.table.trees()[self.place].handle, self.cursor.value())?;
        if entry.commit <= snapshot {
            self.note(txn, entry.commit, snapshot)?;
            self.payload.extend_from_slice(entry.payload.unwrap_or(&[]));
            return Ok(entry.payload.is_some());
        }
        let tree = self.tree().no;
        let older = txn.place.core.read_older(tree, key, snapshot, &txn.place.slot, &mut self.payload);
        older.map_err(|error| txn.failed(error))
    }

    fn at_snapshot(&mut self, txn: &mut Txn, key: &[u8], source: Source, out: &mut RowBuf) -> Result<bool> {
        if !self.resolve(txn, key, source)? {
            return Ok(false);
        }
        out.row.clear();
        if self.place == 0 {
            set(&mut out.key, key);
            std::mem::swap(&mut out.row, &mut self.payload);
            return Ok(true);
        }
        set(&mut out.key, self.clustered_part(key, &self.payload)?);
        let changed_here = txn.writes.get(self.table.trees()[0].no, &out.key).is_some();
        if self.keys_only && !changed_here {
            return Ok(true);
        }
        if !self.row_of_entry(txn, out)? {
            return Ok(false);
        }
        if changed_here {
            // The row is this transaction's own, the entry may be the snapshot's: of a version that another commit
            // replaced before this transaction changed the row again.
            let entry = self.table.secondary_entry(self.place, &out.row, &out.key, &mut self.scratch)?;
            return Ok(entry.key.as_slice() == key);
        }
        Ok(true)
    }

    fn locked(
        &mut self,
        txn: &mut Txn,
        key: &[u8],
        source: Source,
        mode: Mode,
        wait: Wait,
        out: &mut RowBuf,
    ) -> Result<bool> {
        let payload = match &source {
            Source::Own(payload) => payload.as_deref(),
            Source::Tree => {
                let entry = decode(self.tree(), self.cursor.value())?;
                if entry.payload.is_none() {
                    txn.saw = txn.saw.max(entry.commit);
                }
                entry.payload
            }
        };
        // Deleted already: a row coming back is an insert, which the range's guard keeps out.
        let Some(payload) = payload else { return Ok(false) };
        if self.place == 0 {
            set(&mut out.key, key);
            return txn.get_locked(&self.table, &out.key, mode, wait, &mut out.row);
        }
        let clustered = self.clustered_part(key, payload)?.to_vec();
        out.key = clustered;
        if !txn.get_locked(&self.table, &out.key, mode, wait, &mut out.row)? {
            return Ok(false);
        }
        // The entry may be of a version of the row that is gone.
        let entry = self.table.secondary_entry(self.place, &out.row, &out.key, &mut self.scratch)?;
        Ok(entry.key.as_slice() == key)
    }

    /// The clustered key in a secondary entry.
    fn clustered_part<'k>(&self, key: &'k [u8], payload: &[u8]) -> Result<&'k [u8]> {
        clustered_part(key, payload).ok_or_else(|| {
            EngineError::corrupt_table(
                "read an index entry",
                self.table.db(),
                self.table.name(),
                self.table.id(),
            )
        })
    }
}

/// The clustered key behind the index's own parts, whose length is the payload.
pub(crate) fn clustered_part<'k>(key: &'k [u8], payload: &[u8]) -> Option<&'k [u8]> {
    let own = u16::from_le_bytes(payload.try_into().ok()?);
    key.get(usize::from(own)..)
}

/// The length of the index's own parts in a secondary entry's key.
pub(crate) fn own_len(payload: &[u8]) -> usize {
    payload.try_into().map_or(0, |bytes| usize::from(u16::from_le_bytes(bytes)))
}

fn set(buffer: &mut Vec<u8>, bytes: &[u8]) {
    buffer.clear();
    buffer.extend_from_slice(bytes);
}
