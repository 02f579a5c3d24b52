//! ALTER TABLE: new definition over the same rows, or rows written anew into a table that takes the old one's place.

use crate::catalog::change::CatalogChange;
use crate::catalog::record::TableRecord;
use crate::catalog::trees::Handles;
use crate::catalog::{Table, TreeHandle};
use crate::core::{Core, decode};
use crate::ddl::{QueryText, RowMapping, tree_count};
use crate::error::{EngineError, ForeignKeySide, Result};
use crate::ids::TableId;
use crate::lock::Interrupt;
use crate::lock::metadata::Mode;
use crate::mvcc::slots::KeyBytes;
use crate::txn::foreign::violation;
use crate::txn::log_body::{Audience, LogBody, LogPlan};
use crate::txn::write_set::{Write, WriteSet};
use crate::txn::{Committed, Txn, note_auto_increment};
use binlog::event::RowChange;
use binlog::{GtidPlan, SeqNo};
use pages::TreeNo;
use std::ops::Bound;
use std::sync::Arc;
use tree::Tree;
use types::{IndexDef, IndexKind, TableDef};

/// Bytes of rows that one group of a copy holds.
const GROUP_BYTES: usize = 4 << 20;

impl Txn {
    pub(super) fn alter_table(
        &mut self,
        db: &str,
        name: &str,
        new: TableDef,
        rows: Option<RowMapping<'_>>,
        query: Option<QueryText<'_>>,
    ) -> Result<Committed> {
        let renamed = new.db != db || new.name != name;
        let mut names = vec![(db.to_owned(), name.to_owned())];
        if renamed {
            names.push((new.db.clone(), new.name.clone()));
        }
        self.lock_names(&names)?;
        let catalog = self.place.core.catalog();
        let old = catalog.require(db, name)?.clone();
        if renamed && catalog.is_taken(&new.db, &new.name) {
            return Err(EngineError::TableExists { db: new.db, table: new.name });
        }
        let core = self.place.core.clone();
        if rows.is_none() && old.keeps_rows(&new) {
            let record = same_rows_record(&core, &old, new);
            return self.finish_alter(&old, record, None, renamed, query);
        }
        let mut identity: RowMapping<'_> = Box::new(|old, new| {
            new.extend_from_slice(old);
            Ok(())
        });
        let mut mapping = rows;
        let copy = core.begin_copy(&old, &new)?;
        let copied = core.copy_rows(&old, &copy, mapping.as_mut().unwrap_or(&mut identity));
        let finished = copied.and_then(|()| {
            let mut trees = vec![copy.trees()[0].no];
            trees.extend((1..tree_count(&new)).map(|_| core.new_tree_no()));
            let mut record = TableRecord { id: copy.id().0, def: new, trees };
            let next = old.auto_increment().get().max(copy.auto_increment().get());
            let wanted = record.def.auto_increment.filter(|&w| w > next);
            record.def.auto_increment = Some(wanted.unwrap_or(next)).filter(|&n| n > 1);
            self.finish_alter(&old, record, Some(&copy), renamed, query)
        });
        if let Err(error) = finished.as_ref()
            && !matches!(error, EngineError::Poisoned(_))
        {
            core.drop_copy(&copy)?;
        }
        finished
    }

    /// Builds the indexes that are new, then swaps the definition.
    fn finish_alter(
        &mut self,
        old: &Arc<Table>,
        record: TableRecord,
        copy: Option<&Arc<Table>>,
        renamed: bool,
        query: Option<QueryText<'_>>,
    ) -> Result<Committed> {
        let core = self.place.core.clone();
        let rows = copy.unwrap_or(old);
        let built = core.build_indexes(rows, &record, &self.place.interrupt)?;
        let handles = built.clone();
        let checked = self.check_new_foreign_keys(old, &record, rows);
        let committed = checked.and_then(|()| {
            self.commit_change(query, built, |_, change| {
                if renamed {
                    change.remove_table(old.db(), old.name());
                }
                if let Some(copy) = copy {
                    change.remove_unfinished(copy.id().0);
                }
                change.put_table(&record)
            })
        });
        if let Err(error) = committed.as_ref()
            && !matches!(error, EngineError::Poisoned(_))
        {
            for handle in handles.values() {
                core.free_tree(handle)?;
            }
        }
        committed
    }

    /// Rows that are there must have parents under foreign keys that are new.
    fn check_new_foreign_keys(
        &mut self,
        old: &Arc<Table>,
        record: &TableRecord,
        rows: &Arc<Table>,
    ) -> Result<()> {
        let known = |name: &str| old.def().foreign_keys.iter().any(|k| k.name == name);
        let new: Vec<_> = record.def.foreign_keys.iter().filter(|k| !known(&k.name)).cloned().collect();
        if new.is_empty() || !self.options().fk_checks {
            return Ok(());
        }
        let tree = rows.trees()[0].handle.clone();
        let mut cursor = tree.tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward);
        while cursor.advance(&tree.tree)? {
            runtime::slice_point();
            self.place.interrupt.check()?;
            let Some(row) = decode(&tree, cursor.value())?.payload else { continue };
            for key in &new {
                if !self.has_parent(rows, key, row)? {
                    return Err(EngineError::ForeignKey(violation(rows, key, ForeignKeySide::Child)));
                }
            }
        }
        Ok(())
    }

    /// Holds a name without looking for its table.
    pub(super) fn hold_name_only(&mut self, db: &str, table: &str, mode: Mode) -> Result<()> {
        let lock = self.place.core.locks.metadata.name(db, table);
        self.hold_lock(&lock, None, mode).map(|_| ())
    }
}

/// The record of a table whose rows stay: trees of indexes that stay are kept.
fn same_rows_record(core: &Core, old: &Table, new: TableDef) -> TableRecord {
    let mut trees = vec![old.trees()[0].no];
    let others = new.indexes.iter().filter(|i| i.kind != IndexKind::Primary);
    trees.extend(others.map(|index| kept_tree(old, index).unwrap_or_else(|| core.new_tree_no())));
    TableRecord { id: old.id().0, def: new, trees }
}

/// The tree of an equal index of the old definition. Each is claimed once: two equal indexes have the same parts but
/// not the same name.
fn kept_tree(old: &Table, index: &IndexDef) -> Option<u32> {
    let equal = |o: &&IndexDef| {
        o.kind == index.kind && o.parts == index.parts && types::table::same_name(&o.name, &index.name)
    };
    let at = old.def().indexes.iter().position(|o| equal(&o))?;
    let place = old.place(at).ok()?;
    Some(old.trees()[place].no)
}

impl Core {
    /// A private plan: replicas do the whole statement themselves.
    fn private_plan(&self) -> LogPlan {
        let (domain, server_id) = (self.options.gtid_domain, self.options.server_id);
        let gtid = GtidPlan { domain, server_id, seq_no: SeqNo::Next };
        LogPlan { gtid, public: false, fk_checks: true, unique_checks: true }
    }

    /// Makes the table that rows are copied into: new columns, no index but the primary key.
    fn begin_copy(&self, old: &Table, new: &TableDef) -> Result<Arc<Table>> {
        let mut def = new.clone();
        def.indexes.retain(|i| i.kind == IndexKind::Primary);
        def.foreign_keys.clear();
        def.auto_increment = None;
        // The name is the old one's: no lock of another name is involved.
        def.db = old.db().to_owned();
        def.name = old.name().to_owned();
        let record = self.new_record(def);
        let mut change = CatalogChange::default();
        change.put_unfinished(&record)?;
        let _turn = self.ddl_turn();
        self.commit_catalog(&change, None, &Handles::new())?;
        let copy = self.catalog().by_id(TableId(record.id)).cloned();
        copy.ok_or_else(|| EngineError::corrupt_table("find the copy", old.db(), old.name(), old.id()))
    }

    fn drop_copy(&self, copy: &Table) -> Result<()> {
        let mut change = CatalogChange::default();
        change.remove_unfinished(copy.id().0);
        let _turn = self.ddl_turn();
        self.commit_catalog(&change, None, &Handles::new())?;
        Ok(())
    }

    /// Copies all rows, group by group.
    fn copy_rows(&self, old: &Arc<Table>, copy: &Arc<Table>, mapping: &mut RowMapping<'_>) -> Result<()> {
        let tree = &old.trees()[0].handle;
        let mut cursor = tree.tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward);
        let mut writes = WriteSet::default();
        let mut log = LogBody::new(self.private_plan());
        let (mut row, mut key) = (Vec::new(), Vec::new());
        while cursor.advance(&tree.tree)? {
            runtime::slice_point();
            let Some(old_row) = decode(tree, cursor.value())?.payload else { continue };
            row.clear();
            mapping(old_row, &mut row).map_err(EngineError::Mapping)?;
            let hidden = copy.primary_index().is_none();
            let row_id = hidden.then(|| copy.next_row_id());
            copy.clustered_key(&row, row_id.as_ref().map(|id| &id[..]), &mut key)?;
            let target = &copy.trees()[0];
            let there = writes.get(target.no, &key).is_some() || target.handle.tree.contains(&key)?;
            if there {
                let index = copy.primary_index().unwrap_or(crate::CLUSTERED);
                return Err(EngineError::Duplicate { index, existing: key });
            }
            let change = RowChange { before: None, after: Some(&row) };
            log.row(copy, change, Audience::Ourselves, row_id.as_ref().map(|id| &id[..]));
            writes.set(copy, 0, KeyBytes::from_slice(&key), Write::Put(row.as_slice().into()), usize::MAX)?;
            note_auto_increment(copy, &row)?;
            if log.len() >= GROUP_BYTES {
                let full = std::mem::replace(&mut log, LogBody::new(self.private_plan()));
                self.commit_writes(full, &std::mem::take(&mut writes))?;
            }
        }
        if !log.is_empty() {
            self.commit_writes(log, &writes)?;
        }
        Ok(())
    }

    /// Builds the index trees of a record that its rows' table does not have. After an error they are gone.
    fn build_indexes(
        &self,
        rows: &Arc<Table>,
        record: &TableRecord,
        interrupt: &Interrupt,
    ) -> Result<Handles> {
        let mut built = Handles::new();
        let known = |no: u32| rows.trees().iter().any(|t| t.no == no);
        let missing: Vec<u32> = record.trees.iter().copied().filter(|&no| !known(no)).collect();
        if missing.is_empty() {
            return Ok(built);
        }
        let result = self.build_missing(rows, record, &missing, interrupt, &mut built);
        if result.is_err() {
            for handle in built.values() {
                self.free_tree(handle)?;
            }
        }
        result.map(|()| built)
    }

    fn build_missing(
        &self,
        rows: &Arc<Table>,
        record: &TableRecord,
        missing: &[u32],
        interrupt: &Interrupt,
        built: &mut Handles,
    ) -> Result<()> {
        let mut handles = Vec::new();
        for &no in &record.trees {
            let known = rows.trees().iter().find(|t| t.no == no).map(|t| t.handle.clone());
            let handle = match known {
                Some(handle) => handle,
                None => {
                    let handle = Arc::new(TreeHandle::new(Tree::create(&self.store, TreeNo(no))?));
                    built.insert(no, handle.clone());
                    handle
                }
            };
            handles.push(handle);
        }
        let lock = self.locks.metadata.name(&record.def.db, &record.def.name);
        let view = Table::new(record.clone(), handles, rows.counters.clone(), lock, crate::ddl::BEFORE_ALL)?;
        for (place, tree) in view.trees().iter().enumerate().skip(1) {
            if missing.contains(&tree.no) {
                self.fill_index(&view, place, interrupt)?;
            }
        }
        Ok(())
    }
}
