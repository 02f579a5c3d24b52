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
use crate::mvcc::slots::KeyBytes;
use crate::recovery::private;
use crate::txn::note_auto_increment;
use crate::txn::write_set::{Write, WriteSet};
use binlog::event::{Body, Private, RowsChange};
use binlog::{Group, LogPos, Placed};
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
        let mut row_ids: &[u8] = &[];
        for body in group.bodies() {
            let (position, body) = body?;
            let misfit = |reason: &str| EngineError::Replay { position, reason: reason.to_owned() };
            match body {
                Body::Rows(rows) => {
                    let table = self.table_of(TableId(rows.table_id), position)?;
                    if rows.columns != table.layout().len() {
                        return Err(misfit("another number of columns than the table has"));
                    }
                    let ids = std::mem::take(&mut row_ids);
                    let part = Rows { change: rows.change, row_ids: ids, images: rows.images };
                    replay_rows(&mut writes, &table, part, position)?;
                }
                Body::Private(Private { kind: private::ROW_IDS, payload, .. }) => row_ids = payload,
                Body::Private(Private { kind: private::ROWS, payload, .. }) => {
                    let rows = private::get_rows(payload).ok_or_else(|| misfit("private rows are cut"))?;
                    let table = self.table_of(rows.table, position)?;
                    let part = Rows { change: rows.change, row_ids: rows.row_ids, images: rows.images };
                    replay_rows(&mut writes, &table, part, position)?;
                }
                Body::Private(Private { kind: private::CATALOG, payload, .. }) => {
                    let change = CatalogChange::decode(payload);
                    let change = change.ok_or_else(|| misfit("catalog change is cut"))?;
                    self.apply_catalog(commit, &change, &Default::default())?;
                }
                _ => {}
            }
        }
        self.apply(commit, &writes)
    }

    fn table_of(&self, id: TableId, position: LogPos) -> Result<Arc<Table>> {
        let table = self.catalog().by_id(id).cloned();
        table.ok_or_else(|| EngineError::Replay { position, reason: format!("no table has id {id}") })
    }
}

/// Rows of one event.
struct Rows<'a> {
    change: RowsChange,
    row_ids: &'a [u8],
    images: &'a [u8],
}

fn replay_rows(writes: &mut WriteSet, table: &Arc<Table>, rows: Rows<'_>, position: LogPos) -> Result<()> {
    let misfit = |reason: &str| EngineError::Replay { position, reason: reason.to_owned() };
    let hidden = table.primary_index().is_none();
    let mut images = rows.images;
    let mut row_ids = rows.row_ids.chunks_exact(crate::catalog::ROW_ID_BYTES);
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
            true => Some(row_ids.next().ok_or_else(|| misfit("a row without its row id"))?),
            false => None,
        };
        replay_row(writes, table, before, after, row_id)?;
    }
    Ok(())
}

/// The keys of one changed row into the write set.
fn replay_row(
    writes: &mut WriteSet,
    table: &Arc<Table>,
    before: Option<&[u8]>,
    after: Option<&[u8]>,
    row_id: Option<&[u8]>,
) -> Result<()> {
    let (mut clustered, mut scratch) = (Vec::new(), Vec::new());
    let mut set = |place, key: KeyBytes, write| writes.set(table, place, key, write, usize::MAX);
    if let Some(row) = before {
        table.clustered_key(row, row_id, &mut clustered)?;
        set(0, KeyBytes::from_slice(&clustered), Write::Delete)?;
        for place in 1..table.trees().len() {
            let entry = table.secondary_entry(place, row, &clustered, &mut scratch)?;
            set(place, entry.key, Write::Delete)?;
        }
    }
    if let Some(row) = after {
        table.clustered_key(row, row_id, &mut clustered)?;
        set(0, KeyBytes::from_slice(&clustered), Write::Put(row.into()))?;
        for place in 1..table.trees().len() {
            let entry = table.secondary_entry(place, row, &clustered, &mut scratch)?;
            let own = (entry.own as u16).to_le_bytes();
            set(place, entry.key, Write::Put(Box::from(own)))?;
        }
        note_auto_increment(table, row)?;
        if let Some(id) = row_id.and_then(|id| id.try_into().ok()) {
            let next = u64::from_be_bytes(id).saturating_add(1);
            table.counters.row_id.fetch_max(next, Ordering::Relaxed);
        }
    }
    Ok(())
}
