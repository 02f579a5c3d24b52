//! Changing rows: locks, unique keys, foreign keys, then the write set and the log.
//!
//! All checks of a row come before its first change, so a refused row leaves nothing behind (INSERT IGNORE goes on);
//! only the children of a parent may refuse later, and then what was done is taken back.
//!
//! An update writes only the index entries that it changes. But where the row was changed by another commit after this
//! transaction's snapshot, an entry that stays may be too new for the snapshot's scans, although the row, being this
//! transaction's own now, is seen: then all entries are written.

use crate::catalog::secondary::clustered_part;
use crate::catalog::{SecondaryEntry, Table};
use crate::error::{EngineError, Result};
use crate::lock::row::{Got, Mode};
use crate::mvcc::slots::{Intent, KeyBytes};
use crate::options::{Direction, KeyRange, Read, Wait};
use crate::txn::log_body::Audience;
use crate::txn::room::LOG_MAX;
use crate::txn::write_set::Write;
use crate::txn::{RowBuf, Txn};
use binlog::event::RowChange;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;
use types::Value;

/// About what a held row lock costs.
const LOCK_BYTES: usize = 80;
/// About what an announced insert costs.
const INTENT_BYTES: usize = 64;

/// A row on its way into the indexes.
pub(crate) struct Entries {
    pub(crate) clustered: KeyBytes,
    /// For trees but the first, in their order.
    pub(crate) secondary: Vec<SecondaryEntry>,
}

impl Txn {
    /// Inserts a row. [`EngineError::Duplicate`] names the first unique key in the way.
    pub fn insert(&mut self, table: &Arc<Table>, row: &[u8]) -> Result<()> {
        self.check_writable(table)?;
        self.insert_row(table, row, None)
    }

    /// Inserts a row; `row_id` puts it back under an old hidden id.
    fn insert_row(&mut self, table: &Arc<Table>, row: &[u8], row_id: Option<&[u8]>) -> Result<()> {
        let number = counted(table, row)?;
        table.auto_increment().note_written(number);
        let hidden = table.primary_index().is_none();
        let new_id;
        let row_id = match row_id {
            None if hidden => {
                new_id = table.next_row_id();
                Some(&new_id[..])
            }
            given => given,
        };
        table.clustered_key(row, row_id, &mut self.scratch)?;
        let clustered = KeyBytes::from_slice(&self.scratch);
        let entries = entries_of(table, row, clustered, &mut self.scratch)?;
        self.check_digests(table, &entries, None)?;
        self.claim(table, 0, &entries.clustered, &entries.clustered, hidden)?;
        self.claim_secondary(table, &entries, None)?;
        if self.options.fk_checks && !table.is_temporary() {
            self.check_parents(table, None, row)?;
        }
        self.put(table, 0, &entries.clustered, row)?;
        for entry in entries.secondary {
            self.put_entry(table, entry)?;
        }
        table.auto_increment().note(number);
        let change = RowChange { before: None, after: Some(row) };
        self.log_row(table, change, Audience::Everybody, &entries.clustered)
    }

    /// Replaces a row that was read with [`Read::Exclusive`].
    pub fn update(&mut self, table: &Arc<Table>, old: &RowBuf, new: &[u8]) -> Result<()> {
        self.check_writable(table)?;
        self.whole_or_nothing(table, |txn| txn.update_row(table, old, new, Audience::Everybody, 0))
    }

    /// The body of [`Txn::update`]; `depth` counts cascades.
    pub(super) fn update_row(
        &mut self,
        table: &Arc<Table>,
        old: &RowBuf,
        new: &[u8],
        audience: Audience,
        depth: usize,
    ) -> Result<()> {
        let Some(image) = self.own_row(table, old)? else { return Ok(()) };
        let image = table.whole_row(image)?;
        let clustered = KeyBytes::from_slice(&old.key);
        let mut moved_to = clustered.clone();
        if table.primary_index().is_some() && table.entry_differs(0, &image, new)? {
            table.clustered_key(new, None, &mut self.scratch)?;
            moved_to = KeyBytes::from_slice(&self.scratch);
        }
        let moved = clustered != moved_to;
        // Most changes are of columns that few indexes have.
        let mut places: SmallVec<[usize; 8]> = SmallVec::new();
        for place in 1..table.trees().len() {
            if moved || self.saw_newer || table.entry_differs(place, &image, new)? {
                places.push(place);
            }
        }
        let before = entries_at(table, &image, clustered, places.iter().copied(), &mut self.scratch)?;
        let after = entries_at(table, new, moved_to, places.into_iter(), &mut self.scratch)?;
        self.check_digests(table, &after, Some(&before))?;
        let mut claimed = Ok(());
        if moved {
            claimed = self.claim(table, 0, &after.clustered, &after.clustered, false);
        }
        claimed = claimed.and_then(|()| self.claim_secondary(table, &after, Some(&before)));
        if let Err(EngineError::Duplicate { index, .. }) = &claimed {
            self.check_children_before(table, *index, &image, new)?;
        }
        claimed?;
        if self.options.fk_checks && !table.is_temporary() {
            self.check_parents(table, Some(&image), new)?;
            self.parent_changes(table, &image, Some(new), depth)?;
        }
        if moved {
            self.remove(table, 0, &before.clustered)?;
        }
        self.put(table, 0, &after.clustered, new)?;
        for (old, new) in before.secondary.into_iter().zip(after.secondary) {
            if old.key != new.key {
                self.remove(table, old.place, &old.key)?;
                self.put_entry(table, new)?;
            } else if self.saw_newer || old.payload != new.payload {
                self.put_entry(table, new)?;
            }
        }
        let number = counted(table, new)?;
        table.auto_increment().note(number);
        if number > 0 && number != counted(table, &image)? {
            table.auto_increment().note_changed(number);
        }
        let change = RowChange { before: Some(&image), after: Some(new) };
        self.log_row(table, change, audience, &before.clustered)
    }

    /// Deletes a row that was read with [`Read::Exclusive`]; tells whether it was there still, for an earlier change of this
    /// transaction may have taken it.
    pub fn delete(&mut self, table: &Arc<Table>, old: &RowBuf) -> Result<bool> {
        self.check_writable(table)?;
        self.whole_or_nothing(table, |txn| txn.delete_row(table, old, Audience::Everybody, 0))
    }

    /// Changes a row and the children that refer to it; a foreign key that refuses after some of them were changed
    /// takes back all of this row, for IGNORE goes on with the next.
    fn whole_or_nothing<T>(
        &mut self,
        table: &Arc<Table>,
        change: impl FnOnce(&mut Txn) -> Result<T>,
    ) -> Result<T> {
        if !self.place.core.is_parent(table) {
            return change(self);
        }
        let writes = self.writes.mark();
        self.before_cascade = None;
        let changed = change(self);
        if changed.is_err() {
            self.writes.roll_back_to(writes);
            if let Some(log) = self.before_cascade.take() {
                self.log.cut(log);
            }
        }
        changed
    }

    /// The body of [`Txn::delete`]; `depth` counts cascades.
    pub(super) fn delete_row(
        &mut self,
        table: &Arc<Table>,
        old: &RowBuf,
        audience: Audience,
        depth: usize,
    ) -> Result<bool> {
        let Some(image) = self.own_row(table, old)? else { return Ok(false) };
        let image = table.whole_row(image)?;
        let before = entries_of(table, &image, KeyBytes::from_slice(&old.key), &mut self.scratch)?;
        self.lock_unique_parts(table, &before)?;
        // Before the children are looked at: a row that refers to itself is gone with this change.
        self.remove(table, 0, &before.clustered)?;
        for entry in before.secondary {
            self.remove(table, entry.place, &entry.key)?;
        }
        if self.options.fk_checks && !table.is_temporary() {
            self.parent_changes(table, &image, None, depth)?;
        }
        let change = RowChange { before: Some(&image), after: None };
        self.log_row(table, change, audience, &before.clustered)?;
        Ok(true)
    }

    /// Makes sure that the row is locked exclusively and still what the caller read; returns its image. A row that an
    /// earlier change of this transaction has changed again (a cascade, a multi-table update) comes as it is now, one
    /// that is gone not at all.
    fn own_row<'r>(&mut self, table: &Arc<Table>, old: &'r RowBuf) -> Result<Option<Cow<'r, [u8]>>> {
        let tree = table.trees()[0].no;
        let got = self.lock_key(tree, &old.key, Mode::Exclusive, Wait::Block)?;
        match self.writes.get(tree, &old.key) {
            Some(Write::Delete) => return Ok(None),
            Some(Write::Put(now)) if *now != *old.row => return Ok(Some(Cow::Owned(now.to_vec()))),
            _ => {}
        }
        if got == Some(Got::New) {
            let mut now = Vec::new();
            if !self.get_newest(table, 0, &old.key, &mut now)? || now != old.row {
                return Err(self.changed(table));
            }
        }
        Ok(Some(Cow::Borrowed(&old.row)))
    }

    /// Takes a key of a unique tree for a new row: locked, not there, in nobody's guarded range.
    fn claim(
        &mut self,
        table: &Arc<Table>,
        place: usize,
        key: &[u8],
        clustered: &[u8],
        fresh: bool,
    ) -> Result<()> {
        let tree = table.trees()[place].no;
        self.lock_key(tree, key, Mode::Exclusive, Wait::Block)?;
        // A new hidden id is in no tree.
        if !fresh {
            let mut found = Vec::new();
            if self.get_newest(table, place, key, &mut found)? {
                let index = table.primary_index().unwrap_or(crate::CLUSTERED);
                return Err(EngineError::Duplicate { index, existing: key.to_vec() });
            }
        }
        self.announce(table, place, key, clustered)
    }

    /// Looks for another row with the values of a unique key that is kept as digests: MariaDB looks there ahead of all
    /// other keys. Values that `before` has too are its own.
    fn check_digests(
        &mut self,
        table: &Arc<Table>,
        entries: &Entries,
        before: Option<&Entries>,
    ) -> Result<()> {
        for (at, entry) in entries.secondary.iter().enumerate() {
            if before.is_some_and(|before| before.secondary[at].own_part() == entry.own_part()) {
                continue;
            }
            let tree = &table.trees()[entry.place];
            let index = tree.index.and_then(|index| table.def().indexes.get(index));
            if tree.unique && index.is_some_and(types::IndexDef::is_digest) {
                self.check_unique(table, entry, before.map(|before| before.clustered.as_slice()))?;
            }
        }
        Ok(())
    }

    /// Checks and announces the secondary entries of a new row; those that `before` has too need neither.
    fn claim_secondary(
        &mut self,
        table: &Arc<Table>,
        after: &Entries,
        before: Option<&Entries>,
    ) -> Result<()> {
        // In the order in which the indexes were made, as MariaDB finds duplicates.
        let trees = table.trees();
        let mut order: SmallVec<[usize; 8]> = (0..after.secondary.len()).collect();
        if !after.secondary.is_sorted_by_key(|entry| trees[entry.place].no) {
            order.sort_by_key(|&at| trees[after.secondary[at].place].no);
        }
        for at in order {
            let entry = &after.secondary[at];
            let old = before.map(|b| &b.secondary[at]);
            if old.is_some_and(|old| old.key == entry.key) {
                continue;
            }
            if table.trees()[entry.place].unique {
                if let Some(old) = old {
                    self.lock_unique_part(table, old)?;
                }
                self.check_unique(table, entry, before.map(|b| b.clustered.as_slice()))?;
            }
            self.announce(table, entry.place, &entry.key, &after.clustered)?;
        }
        Ok(())
    }

    /// Locks the unique part of an entry and looks for another row that has it.
    fn check_unique(
        &mut self,
        table: &Arc<Table>,
        entry: &SecondaryEntry,
        own_row: Option<&[u8]>,
    ) -> Result<()> {
        if entry.has_null {
            return Ok(());
        }
        self.lock_unique_part(table, entry)?;
        if let Some(existing) = self.find_unique(table, entry.place, entry.own_part(), own_row)? {
            let index = table.trees()[entry.place].index.unwrap_or(crate::CLUSTERED);
            return Err(EngineError::Duplicate { index, existing });
        }
        Ok(())
    }

    /// The clustered key of a row that has a unique part now, other than `not`. The part must be locked.
    pub(super) fn find_unique(
        &mut self,
        table: &Arc<Table>,
        place: usize,
        prefix: &[u8],
        not: Option<&[u8]>,
    ) -> Result<Option<Vec<u8>>> {
        let range = KeyRange::prefix(prefix);
        let tree = table.trees()[place].handle.clone();
        let own = self.writes.next_in(
            tree.no,
            super::read::as_slice(&range.lo),
            super::read::as_slice(&range.hi),
            true,
        );
        let mut own_live = None;
        if let Some((key, Write::Put(payload))) = own {
            own_live = clustered_part(key, payload).map(<[u8]>::to_vec);
        }
        if own_live.as_deref().is_some_and(|k| Some(k) != not) {
            return Ok(own_live);
        }
        let mut cursor = tree.tree.cursor(
            super::read::as_slice(&range.lo),
            super::read::as_slice(&range.hi),
            tree::Direction::Forward,
        );
        while cursor.advance(&tree.tree)? {
            let entry = crate::core::decode(&tree, cursor.value())?;
            self.saw = self.saw.max(entry.commit);
            let Some(payload) = entry.payload else { continue };
            let mine = match self.writes.get(tree.no, cursor.key()) {
                // Deleted by this transaction, or just seen above.
                Some(_) => continue,
                None => clustered_part(cursor.key(), payload),
            };
            if mine.is_some() && mine != not {
                return Ok(mine.map(<[u8]>::to_vec));
            }
        }
        // Own entries beyond the first one, when the first is the row itself or gone.
        let all = self.own_entries(tree.no, &range);
        Ok(all.into_iter().find(|k| Some(k.as_slice()) != not))
    }

    fn own_entries(&self, tree: u32, range: &KeyRange) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        let mut lo = super::read::as_slice(&range.lo);
        let hi = super::read::as_slice(&range.hi);
        while let Some((key, write)) = self.writes.next_in(tree, lo, hi, true) {
            if let Some(clustered) = write.payload().and_then(|p| clustered_part(key, p)) {
                found.push(clustered.to_vec());
            }
            lo = std::ops::Bound::Excluded(key);
        }
        found
    }

    fn lock_unique_part(&mut self, table: &Table, entry: &SecondaryEntry) -> Result<()> {
        if !entry.has_null {
            let tree = table.trees()[entry.place].no;
            self.lock_key(tree, entry.own_part(), Mode::Exclusive, Wait::Block)?;
        }
        Ok(())
    }

    fn lock_unique_parts(&mut self, table: &Table, entries: &Entries) -> Result<()> {
        for entry in &entries.secondary {
            if table.trees()[entry.place].unique {
                self.lock_unique_part(table, entry)?;
            }
        }
        Ok(())
    }

    /// Announces a key to range locks, and waits while one of another transaction holds it: see `lock::range`.
    fn announce(&mut self, table: &Table, place: usize, key: &[u8], clustered: &[u8]) -> Result<()> {
        let tree = table.trees()[place].no;
        let row = self.place.core.locks.rows.key(table.trees()[0].no, clustered);
        loop {
            self.place.slot.add_intent(Intent { tree, key: KeyBytes::from_slice(key), row });
            self.announced += 1;
            if !self.place.core.locks.ranges.blocks(tree, key, self.id) {
                return Ok(());
            }
            self.place.slot.pop_intent();
            self.announced -= 1;
            let waited = self.place.core.locks.wait_for_ranges(tree, key, &self.asker());
            waited.map_err(|error| self.lock_failed(error))?;
        }
    }

    /// Changes a key in the write set, if there is memory left: log events and locks count against the same limit.
    fn change(&mut self, table: &Arc<Table>, place: usize, key: &[u8], write: Write<'_>) -> Result<()> {
        let core = &self.place.core;
        let beside = self.log.len() + self.rows.len() * LOCK_BYTES + self.announced * INTENT_BYTES;
        if self.log.len() > LOG_MAX {
            return Err(EngineError::WriteSetTooLarge { limit: LOG_MAX });
        }
        loop {
            let limit = self.share.bytes(&core.room).saturating_sub(beside);
            match self.writes.set(table, place, key, write, limit) {
                Err(EngineError::WriteSetTooLarge { .. }) if self.share.grow(&core.room) => {}
                done => return done,
            }
        }
    }

    fn put(&mut self, table: &Arc<Table>, place: usize, key: &[u8], payload: &[u8]) -> Result<()> {
        self.change(table, place, key, Write::Put(payload))
    }

    fn put_entry(&mut self, table: &Arc<Table>, entry: SecondaryEntry) -> Result<()> {
        self.put(table, entry.place, &entry.key, &entry.payload)
    }

    fn remove(&mut self, table: &Arc<Table>, place: usize, key: &[u8]) -> Result<()> {
        self.change(table, place, key, Write::Delete)
    }

    fn log_row(
        &mut self,
        table: &Arc<Table>,
        change: RowChange<'_>,
        audience: Audience,
        clustered: &[u8],
    ) -> Result<()> {
        if table.is_temporary() {
            return Ok(());
        }
        let row_id = table.primary_index().is_none().then_some(clustered);
        self.log.row(table, change, audience, row_id);
        Ok(())
    }

    /// A scan of own and newest entries under lock, for foreign keys. Ranges are not guarded: a child that comes needs
    /// its parent's lock, which this transaction holds.
    pub(super) fn scan_locked(
        &mut self,
        table: &Arc<Table>,
        place: usize,
        prefix: &[u8],
        mode: Mode,
    ) -> crate::txn::Scan {
        let read = match mode {
            Mode::Shared => Read::Share(Wait::Block),
            Mode::Exclusive => Read::Exclusive(Wait::Block),
        };
        self.scan_place(table, place, KeyRange::prefix(prefix), Direction::Forward, read).unguarded()
    }
}

/// The keys of a row in all trees of its table, put together in `scratch`.
pub(crate) fn entries_of(
    table: &Table,
    row: &[u8],
    clustered: KeyBytes,
    scratch: &mut Vec<u8>,
) -> Result<Entries> {
    entries_at(table, row, clustered, 1..table.trees().len(), scratch)
}

/// The keys of a row in some of its trees.
fn entries_at(
    table: &Table,
    row: &[u8],
    clustered: KeyBytes,
    places: impl Iterator<Item = usize>,
    scratch: &mut Vec<u8>,
) -> Result<Entries> {
    let mut secondary = Vec::new();
    for place in places {
        secondary.push(table.secondary_entry(place, row, &clustered, scratch)?);
    }
    Ok(Entries { clustered, secondary })
}

/// Raises the counter to what a row holds.
pub(crate) fn note_auto_increment(table: &Table, row: &[u8]) -> Result<()> {
    table.auto_increment().note(counted(table, row)?);
    Ok(())
}

/// The number in a row's AUTO_INCREMENT column; 0 where there is none, or a negative one.
pub(crate) fn counted(table: &Table, row: &[u8]) -> Result<u64> {
    let Some(column) = table.auto_increment_column() else { return Ok(0) };
    Ok(match table.layout().decode_column(row, column)? {
        Value::Int(v) => u64::try_from(v).unwrap_or(0),
        Value::UInt(v) => v,
        Value::Double(v) if v >= 0.0 => v as u64,
        _ => 0,
    })
}
