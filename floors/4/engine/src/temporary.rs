//! Temporary tables: one session's own. They stand in no catalog and their rows in no log; a restart finds trees that
//! nobody names and frees them, as it does with whatever was being built.
//!
//! Their changes go through the write set as all do, so statements, savepoints and transactions take them back; at the
//! commit, or sooner where no rollback is to take them back, they are put into the trees without a commit number of
//! their own: they count as written before everything, since nobody else ever looks. For the same reason no older
//! versions are kept.

use crate::build::BEFORE_ALL;
use crate::catalog::record::TableRecord;
use crate::catalog::{Table, TableCounters, TreeHandle};
use crate::core::Core;
use crate::ddl::RowMapping;
use crate::error::{EngineError, Result};
use crate::ids::TableId;
use crate::mvcc::entry;
use crate::mvcc::slots::KeyBytes;
use crate::options::{Direction, KeyRange, Read};
use crate::txn::write_set::{Write, WriteSet};
use crate::txn::{RowBuf, Txn, entries_of, note_auto_increment};
use pages::TreeNo;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tree::{Action, Tree};
use types::TableDef;

impl Core {
    fn make_temporary(&self, def: TableDef) -> Result<Arc<Table>> {
        let mut def = def;
        def.foreign_keys.clear();
        let record: TableRecord = self.new_record(def);
        let mut handles = Vec::with_capacity(record.trees.len());
        for &no in &record.trees {
            handles.push(Arc::new(TreeHandle::new(Tree::create(&self.store, TreeNo(no))?)));
        }
        let counters = Arc::new(TableCounters::of(TableId(record.id), &Default::default()));
        if let Some(next) = record.def.auto_increment {
            counters.auto_increment.reset(next);
        }
        // A name that no statement can say: no base table's lock is shared.
        let lock = self.locks.metadata.name("", &format!("#temporary {}", record.id));
        Ok(Arc::new(Table::new(record, handles, counters, lock, BEFORE_ALL)?.into_temporary()))
    }

    /// Gives a temporary table's pages back.
    pub(crate) fn drop_temporary(&self, table: &Table) -> Result<()> {
        table.mark_gone();
        for tree in table.trees() {
            self.free_tree(&tree.handle)?;
        }
        Ok(())
    }

    /// Puts changes of temporary tables into their trees; those of tables dropped meanwhile go nowhere.
    pub(crate) fn apply_temporary(&self, writes: &WriteSet) -> Result<()> {
        for tree in writes.trees().filter(|t| t.table.is_current()) {
            let mut rows = 0;
            for run in tree.runs() {
                for at in 0..run.len() {
                    runtime::slice_point();
                    rows += put(&tree.tree().handle, run.key(at), run.write(at))?;
                }
            }
            if tree.place == 0 {
                tree.table.counters.rows.fetch_add(rows, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Puts a row of a temporary table straight into its trees; refuses one whose unique keys are there.
    fn insert_temporary(&self, table: &Arc<Table>, row: &[u8]) -> Result<()> {
        let row_id = table.primary_index().is_none().then(|| table.next_row_id());
        let mut scratch = Vec::new();
        table.clustered_key(row, row_id.as_ref().map(|id| &id[..]), &mut scratch)?;
        let clustered = KeyBytes::from_slice(&scratch);
        let entries = entries_of(table, row, clustered, &mut scratch)?;
        let rows = &table.trees()[0].handle;
        if row_id.is_none() && rows.tree.contains(&entries.clustered)? {
            let index = table.primary_index().unwrap_or(crate::CLUSTERED);
            return Err(EngineError::DuplicateRows { index, row: row.to_vec() });
        }
        for (tree, entry) in table.trees()[1..].iter().zip(&entries.secondary) {
            let prefix = KeyRange::prefix(entry.own_part());
            let (lo, hi) = (crate::txn::as_slice(&prefix.lo), crate::txn::as_slice(&prefix.hi));
            if tree.unique && !entry.has_null {
                let mut cursor = tree.handle.tree.cursor(lo, hi, tree::Direction::Forward);
                if cursor.advance(&tree.handle.tree)? {
                    let index = tree.index.unwrap_or(crate::CLUSTERED);
                    return Err(EngineError::DuplicateRows { index, row: row.to_vec() });
                }
            }
        }
        put(rows, &entries.clustered, Write::Put(row))?;
        for (tree, entry) in table.trees()[1..].iter().zip(&entries.secondary) {
            put(&tree.handle, &entry.key, Write::Put(&entry.payload))?;
        }
        table.counters.rows.fetch_add(1, Ordering::Relaxed);
        note_auto_increment(table, row)
    }
}

/// One change of a tree; returns by how many its entries grew.
fn put(tree: &TreeHandle, key: &[u8], write: Write<'_>) -> Result<i64> {
    let mut grown = 0;
    tree.tree.upsert(key, |old| {
        grown = i64::from(write.payload().is_some()) - i64::from(old.is_some());
        match (write, old) {
            (Write::Put(payload), _) => entry::put(BEFORE_ALL, Some(payload)),
            (Write::Delete, Some(_)) => Action::Delete,
            (Write::Delete, None) => Action::Keep,
        }
    })?;
    Ok(grown)
}

impl crate::Engine {
    /// Makes a temporary table. Whoever holds it drops it by [`crate::Engine::drop_temporary`].
    pub fn make_temporary(&self, def: TableDef) -> Result<Arc<Table>> {
        self.core.check_poison()?;
        self.core.make_temporary(def)
    }

    /// Drops a temporary table: its pages are given back, and no statement may use it any more.
    pub fn drop_temporary(&self, table: &Table) -> Result<()> {
        self.core.drop_temporary(table)
    }
}

impl Txn {
    /// A temporary table of another definition with the rows of an old one, as this transaction sees them. The old one
    /// stays for the caller to drop. Changes that the transaction has not committed are committed by it.
    pub fn rewrite_temporary(
        &mut self,
        old: &Arc<Table>,
        def: TableDef,
        rows: &mut RowMapping<'_>,
    ) -> Result<Arc<Table>> {
        let core = self.place.core.clone();
        let new = core.make_temporary(def)?;
        let copied = self.copy_temporary(old, &new, rows);
        match copied {
            Ok(()) => Ok(new),
            Err(error) => {
                core.drop_temporary(&new)?;
                Err(error)
            }
        }
    }

    fn copy_temporary(
        &mut self,
        old: &Arc<Table>,
        new: &Arc<Table>,
        rows: &mut RowMapping<'_>,
    ) -> Result<()> {
        let core = self.place.core.clone();
        let mut scan = self.scan(old, crate::CLUSTERED, KeyRange::ALL, Direction::Forward, Read::Snapshot)?;
        let (mut found, mut row) = (RowBuf::default(), Vec::new());
        while scan.next(self, &mut found)? {
            row.clear();
            if rows(&found.row, &mut row).map_err(EngineError::Mapping)? {
                core.insert_temporary(new, &row)?;
            }
        }
        Ok(())
    }
}
