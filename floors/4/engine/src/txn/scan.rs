//! Scans: a tree's cursor and the transaction's own changes, merged in key order.
//!
//! The cursor copies a leaf at once, so what it gives may be old by the time it is looked at. Reads at a snapshot do
//! not mind: the copy's version is resolved by its commit number. Locking reads use the copy only to find keys; each
//! row is read anew under its lock.

mod at_hand;

pub use at_hand::AtHand;

use crate::catalog::secondary::{self, clustered_part};
use crate::catalog::{Table, TreeHandle};
use crate::core::decode;
use crate::error::{EngineError, Result};
use crate::ids::CommitNo;
use crate::lock::range::KeySpan;
use crate::lock::row::Mode;
use crate::mvcc::entry;
use crate::mvcc::slots::KeyBytes;
use crate::options::{Direction, KeyRange, Read, Wait};
use crate::txn::Txn;
use crate::txn::guard::Guard;
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

/// A row that a scan stands on, where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundRow<'r> {
    /// Its clustered key.
    pub key: &'r [u8],
    /// Its image; empty when only keys were asked for.
    pub row: &'r [u8],
}

impl RowBuf {
    /// The row as a scan gives it.
    pub fn found(&self) -> FoundRow<'_> {
        FoundRow { key: &self.key, row: &self.row }
    }

    /// Becomes a copy of a row.
    pub fn copy(&mut self, row: FoundRow<'_>) {
        set(&mut self.key, row.key);
        set(&mut self.row, row.row);
    }
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
    guarded: bool,
    /// How the range is guarded, if it is.
    guard: Option<Guard>,
    cursor: tree::Cursor,
    /// The cursor stands on an entry not yet given.
    ahead: bool,
    at_end: bool,
    started: bool,
    /// There are no more rows.
    ended: bool,
    /// The key looked at last, where `behind`; where `on_last` it is the cursor's, and not copied yet.
    last: KeyBytes,
    behind: bool,
    on_last: bool,
    /// The row given is the cursor's entry; else it is in `out`.
    in_place: bool,
    /// What the entry says beside its key is in `payload`; else the cursor has it.
    copied: bool,
    out: RowBuf,
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
        let mut scan = Scan::of(table);
        self.scan_again(&mut scan, table, index, range, direction, read)?;
        Ok(scan)
    }

    /// As [`Txn::scan`], by a scan that is over or was not begun.
    pub fn scan_again(
        &mut self,
        over: &mut Scan,
        table: &Arc<Table>,
        index: usize,
        range: KeyRange,
        direction: Direction,
        read: Read,
    ) -> Result<()> {
        self.check_active()?;
        let place = if index == crate::CLUSTERED { 0 } else { table.place(index)? };
        over.begin(table, place, range, direction, self.effective(table, read));
        over.may_share = read == Read::Snapshot;
        Ok(())
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
        let mut scan = Scan::of(table);
        scan.begin(table, place, range, direction, read);
        scan
    }
}

impl Scan {
    /// A scan that is not begun: [`Txn::scan_again`] does.
    pub fn of(table: &Arc<Table>) -> Scan {
        let tree = &table.trees()[0].handle.tree;
        Scan {
            table: table.clone(),
            place: 0,
            range: KeyRange::ALL,
            forward: true,
            read: Read::Snapshot,
            may_share: false,
            newest: false,
            keys_only: false,
            guarded: true,
            guard: None,
            cursor: tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward),
            ahead: false,
            at_end: false,
            started: false,
            ended: false,
            last: KeyBytes::new(),
            behind: false,
            on_last: false,
            in_place: false,
            copied: false,
            out: RowBuf::default(),
            payload: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Begins, or begins again: where it is, for it is large.
    fn begin(&mut self, table: &Arc<Table>, place: usize, range: KeyRange, direction: Direction, read: Read) {
        let (walk, forward) = match direction {
            Direction::Forward => (tree::Direction::Forward, true),
            Direction::Backward => (tree::Direction::Backward, false),
        };
        self.cursor.reset(as_slice(&range.lo), as_slice(&range.hi), walk);
        if !Arc::ptr_eq(&self.table, table) {
            self.table = table.clone();
        }
        (self.place, self.range, self.forward, self.read) = (place, range, forward, read);
        (self.may_share, self.newest, self.keys_only) = (false, false, false);
        (self.guarded, self.guard) = (true, None);
        (self.ahead, self.at_end, self.started, self.ended) = (false, false, false, false);
        (self.behind, self.on_last, self.in_place, self.copied) = (false, false, false, false);
        self.last.clear();
        self.out.row.clear();
    }
}

impl Scan {
    /// Has the entries that follow give clustered keys only, or not: [`RowBuf::row`] stays empty where the row itself
    /// need not be read.
    pub fn read_keys_only(&mut self, only: bool) {
        self.keys_only = only;
    }

    /// Says that few rows will be asked for, most likely; before the first is.
    pub fn expect_few(&mut self) {
        self.cursor.expect_few();
    }

    /// Leaves the range open to inserts: another lock keeps out those that matter.
    pub(super) fn unguarded(mut self) -> Scan {
        self.guarded = false;
        self
    }

    /// The table scanned.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Puts the next row into `out`; false at the range's end.
    pub fn next(&mut self, txn: &mut Txn, out: &mut RowBuf) -> Result<bool> {
        let more = self.advance(txn)?;
        if more {
            out.copy(self.found());
        }
        Ok(more)
    }

    /// The row that the scan stands on.
    #[inline]
    pub fn found(&self) -> FoundRow<'_> {
        match self.in_place {
            true => FoundRow {
                key: self.cursor.key(),
                row: self.cursor.value().get(entry::HEADER..).unwrap_or_default(),
            },
            false => self.out.found(),
        }
    }

    /// The whole key of the index entry that led to the row.
    pub fn entry_key(&self) -> &[u8] {
        if self.on_last { self.cursor.key() } else { &self.last }
    }

    /// What the index entry that led to the row has beside its key, for [`crate::read_beside`]; of a read without locks.
    pub fn beside(&self) -> &[u8] {
        let payload = match self.copied {
            true => &self.payload,
            false => self.cursor.value().get(entry::HEADER..).unwrap_or_default(),
        };
        secondary::beside(payload)
    }

    /// Goes to the next row; false at the range's end.
    #[inline]
    pub fn advance(&mut self, txn: &mut Txn) -> Result<bool> {
        if !self.started {
            self.start(txn)?;
        }
        let locks = self.read.lock();
        while !self.ended {
            let found = match locks {
                None if txn.writes.is_empty() => self.step_alone(txn)?,
                None => self.step_merged(txn)?,
                Some((mode, wait)) => self.step_locked(txn, mode, wait)?,
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
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
            Some((_, wait)) if self.guarded && txn.guards_ranges(wait) => self.guard = Some(Guard::default()),
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
    fn row_of_entry(&mut self, txn: &mut Txn) -> Result<bool> {
        match self.newest {
            true => txn.get_newest(&self.table, 0, &self.out.key, &mut self.out.row),
            false => txn.get_at_snapshot(&self.table, &self.out.key, &mut self.out.row),
        }
    }

    fn tree(&self) -> &TreeHandle {
        &self.table.trees()[self.place].handle
    }

    /// A step of a read at the snapshot by a transaction that has changed nothing: entries come from the tree alone,
    /// and are looked at where the cursor has them. Whether the entry gave a row.
    fn step_alone(&mut self, txn: &mut Txn) -> Result<bool> {
        if std::mem::take(&mut self.ahead) {
            self.check_snapshot(txn)?;
        } else if !self.cursor.advance_here() && !self.look_further(txn)? {
            return Ok(false);
        }
        (self.behind, self.on_last) = (true, true);
        let snapshot = self.sees(txn);
        let tree = &self.table.trees()[self.place].handle;
        let entry = decode(tree, self.cursor.value())?;
        let payload = if entry.commit <= snapshot {
            if self.newest {
                txn.note_newest(&self.table, entry.commit)?;
            }
            let Some(payload) = entry.payload else { return Ok(false) };
            (self.in_place, self.copied) = (self.place == 0, false);
            if self.in_place {
                return Ok(true);
            }
            payload
        } else {
            let core = &txn.place.core;
            let (key, slot) = ((tree.no, self.cursor.key()), &txn.place.slot);
            let older = core.read_older(key, entry.commit, snapshot, slot, &mut self.payload);
            if !older.map_err(|error| txn.failed(error))? {
                return Ok(false);
            }
            (self.in_place, self.copied) = (false, true);
            &self.payload
        };
        let key = self.cursor.key();
        self.out.row.clear();
        if self.place == 0 {
            set(&mut self.out.key, key);
            self.out.row.extend_from_slice(payload);
            return Ok(true);
        }
        let clustered = self.clustered_part(key, payload)?;
        set(&mut self.out.key, clustered);
        Ok(self.keys_only || self.row_of_entry(txn)?)
    }

    /// Moves the cursor on where that takes a look at the tree; false at the range's end.
    fn look_further(&mut self, txn: &mut Txn) -> Result<bool> {
        runtime::slice_point();
        txn.check_interrupt()?;
        let tree = &self.table.trees()[self.place].handle.tree;
        if self.at_end || !self.cursor.advance(tree)? {
            (self.at_end, self.ended) = (true, true);
            return Ok(false);
        }
        self.check_snapshot(txn)?;
        Ok(true)
    }

    /// The snapshot must hold after each look at the tree: only then nothing that it sees was missing there.
    fn check_snapshot(&self, txn: &mut Txn) -> Result<()> {
        let sees = self.sees(txn);
        if self.newest || txn.place.slot.holds(sees) {
            return Ok(());
        }
        Err(txn.failed(EngineError::SnapshotTooOld))
    }

    /// A step of a read at the snapshot that sees the transaction's own changes.
    fn step_merged(&mut self, txn: &mut Txn) -> Result<bool> {
        runtime::slice_point();
        txn.check_interrupt()?;
        let Some((key, source)) = self.step(txn)? else {
            self.ended = true;
            return Ok(false);
        };
        let found = self.at_snapshot(txn, &key, source)?;
        (self.last, self.behind) = (key, true);
        Ok(found)
    }

    /// A step of a read that locks rows.
    fn step_locked(&mut self, txn: &mut Txn, mode: Mode, wait: Wait) -> Result<bool> {
        runtime::slice_point();
        txn.check_interrupt()?;
        self.grow_guard(txn)?;
        let next = self.step(txn)?;
        if self.wait_at_guard(txn, next.as_ref().map(|(key, _)| &key[..]), wait)? {
            return Ok(false);
        }
        let Some((key, source)) = next else {
            self.ended = true;
            return Ok(false);
        };
        let found = self.locked(txn, &key, source, mode, wait)?;
        (self.last, self.behind) = (key, true);
        Ok(found)
    }

    /// What is left of the range.
    fn rest(&self) -> KeySpan {
        let last = || Bound::Excluded(self.last.to_vec());
        match (self.behind, self.forward) {
            (true, true) => KeySpan { lo: last(), hi: self.range.hi.clone() },
            (true, false) => KeySpan { lo: self.range.lo.clone(), hi: last() },
            (false, _) => KeySpan { lo: self.range.lo.clone(), hi: self.range.hi.clone() },
        }
    }

    /// Guards the rest of the range where it is not guarded, and has it read anew: what was read before may be old.
    fn grow_guard(&mut self, txn: &mut Txn) -> Result<()> {
        if self.guard.as_ref().is_none_or(Guard::reaches) {
            return Ok(());
        }
        self.note_last();
        let rest = self.rest();
        let direction = if self.forward { tree::Direction::Forward } else { tree::Direction::Backward };
        self.cursor.reset(as_slice(&rest.lo), as_slice(&rest.hi), direction);
        (self.ahead, self.at_end) = (false, false);
        self.guard = Some(txn.guard(&self.table, self.place, rest, self.forward)?);
        Ok(())
    }

    /// Waits for the inserts of others that the guard ends at, where the scan has come to them: with `next` or with the
    /// range's end. Whether it did: then the rest has to be guarded and read anew.
    fn wait_at_guard(&mut self, txn: &mut Txn, next: Option<&[u8]>, wait: Wait) -> Result<bool> {
        let Some(inserts) = self.guard.as_ref().and_then(|guard| guard.inserts(next, self.forward)) else {
            return Ok(false);
        };
        for insert in inserts {
            // The inserter holds its row to its end: behind this lock the row is there or is not.
            txn.lock(insert.row, Mode::Shared, wait)?;
        }
        self.guard = Some(Guard::default());
        Ok(true)
    }

    /// Locks a row that the entry `key` leads to. Where that takes a wait, what is behind the entry is open to inserts
    /// meanwhile, as MariaDB's next-key locks leave it.
    fn lock_row(&mut self, txn: &mut Txn, key: &[u8], mode: Mode, wait: Wait) -> Result<bool> {
        let (tree, row) = (self.table.trees()[0].no, &self.out.key);
        if wait != Wait::Block || self.guard.is_none() {
            return Ok(txn.lock_key(tree, row, mode, wait)?.is_some());
        }
        if txn.lock_key(tree, row, mode, Wait::SkipLocked)?.is_none() {
            let span = self.guard.as_mut().and_then(Guard::give_up);
            let drawn_back = span.is_some_and(|span| {
                let index = self.table.trees()[self.place].no;
                txn.place.core.locks.ranges.draw_back(index, &span, key, self.forward, txn.id)
            });
            if drawn_back {
                self.guard = Some(Guard::default());
            }
            txn.lock_key(tree, row, mode, Wait::Block)?;
        }
        Ok(true)
    }

    /// The scan ends before its range does: what it has not come to is open to inserts again, as MariaDB's next-key locks
    /// leave it.
    pub fn leave(&mut self, txn: &Txn) {
        let span = self.guard.as_mut().filter(|_| self.behind).and_then(Guard::give_up);
        if let Some(span) = span {
            let index = self.table.trees()[self.place].no;
            txn.place.core.locks.ranges.draw_back(index, &span, &self.last, self.forward, txn.id);
        }
        self.ended = true;
    }

    /// Copies the key looked at last out of the cursor, which is about to move.
    fn note_last(&mut self) {
        if std::mem::take(&mut self.on_last) {
            self.last.clear();
            self.last.extend_from_slice(self.cursor.key());
        }
    }

    /// The next key in order, from the tree or from the own changes; own changes hide the tree's entry.
    fn step(&mut self, txn: &Txn) -> Result<Option<(KeyBytes, Source)>> {
        self.note_last();
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
            let order = own_key.cmp(self.cursor.key());
            let order = if self.forward { order } else { order.reverse() };
            match order {
                Ordering::Greater => return Ok(self.take_ahead()),
                Ordering::Equal => self.ahead = false,
                Ordering::Less => {}
            }
        }
        Ok(Some((KeyBytes::from_slice(own_key), Source::Own(write.payload().map(<[u8]>::to_vec)))))
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
        let (key, newest, slot) = ((self.tree().no, key), entry.commit, &txn.place.slot);
        let older = txn.place.core.read_older(key, newest, snapshot, slot, &mut self.payload);
        older.map_err(|error| txn.failed(error))
    }

    fn at_snapshot(&mut self, txn: &mut Txn, key: &[u8], source: Source) -> Result<bool> {
        (self.in_place, self.copied) = (false, true);
        if !self.resolve(txn, key, source)? {
            return Ok(false);
        }
        self.out.row.clear();
        if self.place == 0 {
            set(&mut self.out.key, key);
            std::mem::swap(&mut self.out.row, &mut self.payload);
            return Ok(true);
        }
        let clustered = self.clustered_part(key, &self.payload)?;
        set(&mut self.out.key, clustered);
        let changed_here = txn.writes.get(self.table.trees()[0].no, &self.out.key).is_some();
        if self.keys_only && !changed_here {
            return Ok(true);
        }
        if !self.row_of_entry(txn)? {
            return Ok(false);
        }
        // The row is this transaction's own, the entry may be the snapshot's: of a version that another commit replaced
        // before this transaction changed the row again.
        Ok(!changed_here || self.is_entry_of_row(key)?)
    }

    /// Whether an index entry is of the version of its row that was found.
    fn is_entry_of_row(&mut self, key: &[u8]) -> Result<bool> {
        let RowBuf { key: clustered, row } = &self.out;
        let entry = self.table.secondary_entry(self.place, row, clustered, &mut self.scratch)?;
        Ok(entry.key.as_slice() == key)
    }

    fn locked(&mut self, txn: &mut Txn, key: &[u8], source: Source, mode: Mode, wait: Wait) -> Result<bool> {
        self.in_place = false;
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
        let clustered = if self.place == 0 { key } else { self.clustered_part(key, payload)? };
        set(&mut self.out.key, clustered);
        if !self.lock_row(txn, key, mode, wait)?
            || !txn.get_newest(&self.table, 0, &self.out.key, &mut self.out.row)?
        {
            return Ok(false);
        }
        Ok(self.place == 0 || self.is_entry_of_row(key)?)
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

fn set(buffer: &mut Vec<u8>, bytes: &[u8]) {
    buffer.clear();
    buffer.extend_from_slice(bytes);
}
