//! Replay: the log's groups into write sets and catalog changes.
//!
//! Row images are FULL, so every key follows from them; tables without a primary key have their row ids in a private
//! event before the rows. A group is one commit, with the number that it had: groups carry theirs, and a gap or a
//! repetition means that log and pages do not belong together.

use crate::catalog::Table;
use crate::catalog::change::CatalogChange;
use crate::commit::checkpoint::Meta;
use crate::core::Core;
use crate::error::{EngineError, Result};
use crate::ids::{CommitNo, TableId};
use crate::recovery::private;
use crate::txn::note_auto_increment;
use crate::txn::write_set::{Write, WriteSet};
use binlog::event::{Body, Private, RowsChange};
use binlog::{Group, LogPos, Placed};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Commits between two purges: nobody reads old versions during replay.
const PURGE_EVERY: u64 = 64;

impl Core {
    /// Applies everything from the checkpoint to `end`; returns groups and bytes.
    pub(crate) fn replay(&self, meta: &Meta, end: LogPos) -> Result<(u64, u64)> {
        let mut reader = self.log.reader(meta.log);
        let (mut groups, mut bytes) = (0, 0);
        while reader.position() < end {
            let Some(group) = reader.next_group()? else { break };
            let placed = Placed { begin: group.begin, end: group.end, gtid: group.gtid };
            let commit = self.gate.order(&placed);
            if group.commit_no != 0 && group.commit_no != commit.0 {
                return Err(EngineError::Replay {
                    position: group.begin,
                    reason: format!("commit {} where {commit} should follow", group.commit_no),
                });
            }
            self.replay_group(commit, &group)?;
            self.watermark.note_applied(commit);
            self.watermark.show(commit);
            groups += 1;
            bytes += group.bytes().len() as u64;
            if groups % PURGE_EVERY == 0 {
                self.purge_some(usize::MAX)?;
            }
        }
        self.purge_some(usize::MAX)?;
        Ok((groups, bytes))
    }

    fn replay_group(&self, commit: CommitNo, group: &Group) -> Result<()> {
        let mut writes = WriteSet::default();
        each_change(group, |position, change| match change {
            Logged::Rows { table, rows } => {
                let table = self.table_of(table, position)?;
                each_row(&table, rows, position, |row| replay_row(&mut writes, &table, row))
            }
            Logged::Catalog(change) => self.apply_catalog(commit, &change, &Default::default()),
        })?;
        self.apply(commit, &writes)
    }

    fn table_of(&self, id: TableId, position: LogPos) -> Result<Arc<Table>> {
        let table = self.catalog().by_id(id).cloned();
        table.ok_or_else(|| EngineError::Replay { position, reason: format!("no table has id {id}") })
    }
}

/// A change that a group holds.
pub(crate) enum Logged<'g> {
    Rows { table: TableId, rows: Rows<'g> },
    Catalog(CatalogChange),
}

/// Rows of one event.
pub(crate) struct Rows<'g> {
    change: RowsChange,
    /// Columns that the event tells of, where it does.
    columns: Option<usize>,
    /// Hidden row ids, and how many of them rows have taken: those of many small rows, which several events hold, come
    /// before the first.
    row_ids: &'g [u8],
    taken: Rc<Cell<usize>>,
    images: &'g [u8],
}

/// One changed row.
#[derive(Clone, Copy)]
pub(crate) struct Changed<'g> {
    pub(crate) before: Option<&'g [u8]>,
    pub(crate) after: Option<&'g [u8]>,
    /// For tables without a primary key.
    pub(crate) row_id: Option<&'g [u8]>,
}

/// Hands on the changes of a group, with their places in the log.
pub(crate) fn each_change(
    group: &Group,
    mut each: impl FnMut(LogPos, Logged<'_>) -> Result<()>,
) -> Result<()> {
    let (mut row_ids, mut taken): (&[u8], _) = (&[], Rc::default());
    for body in group.bodies() {
        let (position, body) = body?;
        let misfit = |reason: &str| EngineError::Replay { position, reason: reason.to_owned() };
        let change = match body {
            Body::Rows(rows) => {
                let (change, columns) = (rows.change, Some(rows.columns));
                let part = Rows { change, columns, row_ids, taken: Rc::clone(&taken), images: rows.images };
                Logged::Rows { table: TableId(rows.table_id), rows: part }
            }
            Body::Private(Private { kind: private::ROW_IDS, payload, .. }) => {
                (row_ids, taken) = (payload, Rc::default());
                continue;
            }
            Body::Private(Private { kind: private::ROWS, payload, .. }) => {
                let rows = private::get_rows(payload).ok_or_else(|| misfit("private rows are cut"))?;
                let (change, row_ids) = (rows.change, rows.row_ids);
                let part = Rows { change, columns: None, row_ids, taken: Rc::default(), images: rows.images };
                Logged::Rows { table: rows.table, rows: part }
            }
            Body::Private(Private { kind: private::CATALOG, payload, .. }) => {
                let change = CatalogChange::decode(payload);
                Logged::Catalog(change.ok_or_else(|| misfit("catalog change is cut"))?)
            }
            _ => continue,
        };
        each(position, change)?;
    }
    Ok(())
}

/// Hands on the rows of an event.
pub(crate) fn each_row(
    table: &Table,
    rows: Rows<'_>,
    position: LogPos,
    mut each: impl FnMut(Changed<'_>) -> Result<()>,
) -> Result<()> {
    let misfit = |reason: &str| EngineError::Replay { position, reason: reason.to_owned() };
    if rows.columns.is_some_and(|columns| columns != table.layout().len()) {
        return Err(misfit("another number of columns than the table has"));
    }
    let hidden = table.primary_index().is_none();
    let mut images = rows.images;
    let mut row_ids = rows.row_ids.chunks_exact(crate::catalog::ROW_ID_BYTES).skip(rows.taken.get());
    while !images.is_empty() {
        let mut next = || -> Result<&[u8]> {
            let len = table.layout().image_len(images)?;
            if len == 0 {
                return Err(misfit("a row without bytes"));
            }
            let (image, rest) = images.split_at(len);
            images = rest;
            Ok(image)
        };
        let first = next()?;
        let (before, after) = match rows.change {
            RowsChange::Write => (None, Some(first)),
            RowsChange::Delete => (Some(first), None),
            RowsChange::Update => (Some(first), Some(next()?)),
        };
        let row_id = match hidden {
            true => {
                rows.taken.set(rows.taken.get() + 1);
                Some(row_ids.next().ok_or_else(|| misfit("a row without its row id"))?)
            }
            false => None,
        };
        each(Changed { before, after, row_id })?;
    }
    Ok(())
}

/// The keys of one changed row into the write set.
fn replay_row(writes: &mut WriteSet, table: &Arc<Table>, changed: Changed<'_>) -> Result<()> {
    let Changed { before, after, row_id } = changed;
    let (mut clustered, mut scratch) = (Vec::new(), Vec::new());
    let mut set = |place, key: &[u8], write: Write<'_>| writes.set(table, place, key, write, usize::MAX);
    if let Some(row) = before {
        table.clustered_key(row, row_id, &mut clustered)?;
        set(0, &clustered, Write::Delete)?;
        for place in 1..table.trees().len() {
            let entry = table.secondary_entry(place, row, &clustered, &mut scratch)?;
            set(place, &entry.key, Write::Delete)?;
        }
    }
    if let Some(row) = after {
        table.clustered_key(row, row_id, &mut clustered)?;
        set(0, &clustered, Write::Put(row))?;
        for place in 1..table.trees().len() {
            let entry = table.secondary_entry(place, row, &clustered, &mut scratch)?;
            set(place, &entry.key, Write::Put(&entry.payload))?;
        }
        note_auto_increment(table, row)?;
        if let Some(id) = row_id.and_then(|id| id.try_into().ok()) {
            let next = u64::from_be_bytes(id).saturating_add(1);
            table.counters.row_id.fetch_max(next, Ordering::Relaxed);
        }
    }
    Ok(())
}
