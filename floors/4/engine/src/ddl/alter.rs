//! ALTER TABLE: new definition over the same rows, or rows written anew into a table that takes the old one's place.

use crate::build::{Build, Follower};
use crate::catalog::change::CatalogChange;
use crate::catalog::record::TableRecord;
use crate::catalog::trees::Handles;
use crate::catalog::{Catalog, Table};
use crate::core::{Core, decode};
use crate::ddl::{AlterLock, AlteredRows, QueryText, RowMapping, tree_count};
use crate::error::{EngineError, ForeignKeySide, Result};
use crate::ids::TableId;
use crate::lock::metadata::Mode;
use crate::options::{Direction, KeyRange, Read, Wait};
use crate::txn::foreign::violation;
use crate::txn::log_body::{Audience, LogBody, LogPlan, now_seconds};
use crate::txn::write_set::{Write, WriteSet};
use crate::txn::{Committed, RowBuf, Txn, counted, note_auto_increment};
use binlog::event::RowChange;
use binlog::{GtidPlan, SeqNo};
use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::Arc;
use types::table::same_name;
use types::{ForeignKeyDef, IndexDef, IndexKind, RowLayout, TableDef};

/// Bytes of rows that one group of a copy holds.
const GROUP_BYTES: usize = 4 << 20;

/// Bytes of log that the last catching up, which keeps everybody out, may have before it.
const BEHIND_MAX: u64 = 1 << 20;
/// How often a build that is farther behind lets everybody in again, and how often it reads on before it tries.
const ATTEMPTS_MAX: usize = 4;
const ROUNDS_MAX: usize = 16;

impl Txn {
    pub(super) fn alter_table(
        &mut self,
        (db, name): (&str, &str),
        new: TableDef,
        rows: AlteredRows<'_>,
        (columns, lock): (Vec<(String, String)>, AlterLock),
        query: Option<QueryText<'_>>,
    ) -> Result<Committed> {
        self.hold_name_only(db, name, Mode::Upgradable)?;
        if !columns.is_empty() {
            let catalog = self.place.core.catalog();
            let children = catalog.children(db, name).iter();
            let others = children.filter(|child| (&*child.db, &*child.table) != (db, name));
            self.lock_names(
                &others.map(|child| (child.db.clone(), child.table.clone())).collect::<Vec<_>>(),
            )?;
        }
        let renamed = new.db != db || new.name != name;
        // Waits for all that use the old definition, as MariaDB does before it begins. Not taken where LOCK TABLES has it.
        let held = match renamed {
            false => self.hold_name_only(db, name, Mode::Exclusive)?,
            true => {
                self.lock_names(&[(db.to_owned(), name.to_owned()), (new.db.clone(), new.name.clone())])?;
                None
            }
        };
        let catalog = self.place.core.catalog();
        let old = catalog.require(db, name)?.clone();
        if renamed && catalog.is_taken(&new.db, &new.name) {
            return Err(EngineError::TableExists { db: new.db, table: new.name });
        }
        let change = Alteration { old, renamed, columns, lock, held, query };
        match rows {
            AlteredRows::Stay { absent } if change.old.keeps_rows(&new, &absent) => {
                let record = same_rows_record(&self.place.core, &change.old, new, absent);
                self.finish_alter(&change, &record, None)
            }
            rows => self.rewrite_table(&change, new, rows),
        }
    }

    /// Copies the rows into a table that takes the old one's place. Nobody changes them meanwhile.
    fn rewrite_table(
        &mut self,
        change: &Alteration<'_>,
        new: TableDef,
        rows: AlteredRows<'_>,
    ) -> Result<Committed> {
        let core = self.place.core.clone();
        let old = &change.old;
        // What a mapping counts it counts as InnoDB would find it.
        let by = old.def().keeping_index().filter(|_| matches!(rows, AlteredRows::Mapped(_)));
        let mut mapping: RowMapping<'_> = match rows {
            AlteredRows::Mapped(mapping) => mapping,
            AlteredRows::Stay { mut absent } => {
                // The copy has all columns in its rows.
                absent.extend(old.layout().absent());
                let layout = RowLayout::of(&new).with_absent(&absent);
                Box::new(move |old, new| {
                    new.extend_from_slice(layout.made_whole(old)?.as_deref().unwrap_or(old));
                    Ok(true)
                })
            }
        };
        let copy = core.begin_copy(old, &new)?;
        self.let_in(change, Mode::NoWrite);
        let copied = core.copy_rows((old, by), &copy, &new, &mut mapping).or_else(|fault| {
            // Rows before the one at fault have no parents perhaps: theirs comes first.
            let mut keys = self.new_foreign_keys(old, &new);
            keys.retain(|key| (&key.ref_db, &key.ref_table) != (&new.db, &new.name));
            match matches!(fault, EngineError::Mapping(_) | EngineError::DuplicateRows { .. }) {
                true => self.check_foreign_keys(&keys, &copy).and(Err(fault)),
                false => Err(fault),
            }
        });
        let counted = new.auto_increment.is_some();
        let finished = copied.and_then(|()| {
            let mut trees = vec![copy.trees()[0].no];
            trees.extend((1..tree_count(&new)).map(|_| core.new_tree_no()));
            let (keeping, defined_at) = (trees.clone(), now_seconds());
            let (id, absent) = (copy.id().0, Vec::new());
            let mut record = TableRecord { id, def: new, trees, keeping, defined_at, absent };
            let asked = record.def.auto_increment.unwrap_or_else(|| old.auto_increment().get());
            record.def.auto_increment = Some(asked.max(copy.auto_increment().get()));
            self.finish_alter(change, &record, Some(&copy))
        });
        if let Err(error) = finished.as_ref()
            && !matches!(error, EngineError::Poisoned(_))
        {
            core.drop_copy(&copy)?;
        }
        if finished.is_ok()
            && !counted
            && let Some(made) = core.catalog().by_id(copy.id())
        {
            made.auto_increment().keep_written(old.auto_increment());
        }
        finished
    }

    /// Lets others use the table again, where the statement allows it: `most` says what the work that follows bears.
    fn let_in(&mut self, change: &Alteration<'_>, most: Mode) {
        let mode = match change.lock {
            AlterLock::None => most,
            AlterLock::Shared => Mode::NoWrite,
            AlterLock::Exclusive => return,
        };
        if let Some(at) = change.held {
            self.downgrade(at, mode);
        }
    }

    /// Builds the indexes that are new, then swaps the definition.
    fn finish_alter(
        &mut self,
        change: &Alteration<'_>,
        record: &TableRecord,
        copy: Option<&Arc<Table>>,
    ) -> Result<Committed> {
        let core = self.place.core.clone();
        let rows = copy.unwrap_or(&change.old);
        let mut build = Build::begin(&core, rows, record)?;
        let old = &change.old;
        let keys = self.new_foreign_keys(old, &record.def);
        if copy.is_none() && !keys.is_empty() {
            self.let_in(change, Mode::NoWrite);
        }
        let built = self.check_foreign_keys(&keys, rows).and_then(|()| match copy {
            Some(_) => build.fill_alone(&core, &self.place.interrupt),
            None => self.build_beside(change, &mut build, !keys.is_empty()),
        });
        let committed = built
            .and_then(|()| self.hold_name_only(old.db(), old.name(), Mode::Exclusive))
            .and_then(|_| match (copy, record.def.auto_increment) {
                (None, Some(asked)) => Ok(Some(asked.max(self.next_counted(old)?))),
                (_, settled) => Ok(settled),
            })
            .and_then(|counter| {
                let mut record = record.clone();
                record.def.auto_increment = counter;
                self.commit_change(change.query, build.made().clone(), |catalog, changes| {
                    if change.renamed {
                        changes.remove_table(old.db(), old.name());
                    }
                    if let Some(copy) = copy {
                        changes.remove_unfinished(copy.id().0);
                    }
                    changes.put_table(&record)?;
                    change.children(catalog).try_for_each(|child| changes.put_table(&child))
                })
            });
        if let Err(error) = committed.as_ref()
            && !matches!(error, EngineError::Poisoned(_))
        {
            build.abandon(&core)?;
        }
        committed
    }

    /// The number behind the largest that is in the AUTO_INCREMENT column of a table held exclusively.
    fn next_counted(&mut self, table: &Arc<Table>) -> Result<u64> {
        let Some(column) = table.auto_increment_column() else { return Ok(1) };
        let leads = |index: &&IndexDef| index.parts.first().is_some_and(|part| part.column == column);
        let Some(at) = table.def().indexes.iter().position(|index| leads(&index)) else { return Ok(1) };
        let direction = match table.def().indexes[at].parts[0].desc {
            true => Direction::Forward,
            false => Direction::Backward,
        };
        let newest = Read::Share(Wait::Block);
        let mut scan = self.scan(table, at, KeyRange::ALL, direction, newest)?;
        let mut last = RowBuf::default();
        Ok(match scan.next(self, &mut last)? {
            true => counted(table, &last.row)?.saturating_add(1),
            false => 1,
        })
    }

    /// Fills the new indexes of a table whose rows stay, beside those that use it; ends with the name held exclusively,
    /// or kept from writers where they are so since rows were checked.
    fn build_beside(&mut self, change: &Alteration<'_>, build: &mut Build, checked_rows: bool) -> Result<()> {
        let core = self.place.core.clone();
        if build.is_empty() {
            return Ok(());
        }
        let beside_writers = change.lock == AlterLock::None && !checked_rows;
        let (Some(at), true) = (change.held, beside_writers) else {
            if !checked_rows {
                self.let_in(change, Mode::NoWrite);
            }
            return build.fill_alone(&core, &self.place.interrupt);
        };
        let mut follower = Follower::from_now(&core)?;
        self.downgrade(at, Mode::Upgradable);
        build.fill(&core, &self.place.interrupt)?;
        for attempt in 0.. {
            for _ in 0..ROUNDS_MAX {
                follower.catch_up(build, &self.place.interrupt)?;
                if follower.behind() <= BEHIND_MAX {
                    break;
                }
            }
            build.prove()?;
            let held = self.hold_name_only(change.old.db(), change.old.name(), Mode::Exclusive)?;
            // Much may have been committed by those that were waited for.
            match held.filter(|_| attempt < ATTEMPTS_MAX && follower.behind() > BEHIND_MAX) {
                Some(at) => self.downgrade(at, Mode::Upgradable),
                None => break,
            }
        }
        follower.catch_up(build, &self.place.interrupt)?;
        build.prove()
    }

    /// Foreign keys that are new and that the rows have to be checked against.
    fn new_foreign_keys(&self, old: &Table, new: &TableDef) -> Vec<ForeignKeyDef> {
        let known = |name: &str| old.def().foreign_keys.iter().any(|k| k.name == name);
        let keys = new.foreign_keys.iter().filter(|_| self.options().fk_checks);
        keys.filter(|k| !known(&k.name)).cloned().collect()
    }

    /// Rows that are there must have parents under foreign keys that are new.
    fn check_foreign_keys(&mut self, new: &[ForeignKeyDef], rows: &Arc<Table>) -> Result<()> {
        if new.is_empty() {
            return Ok(());
        }
        let tree = rows.trees()[0].handle.clone();
        let mut cursor = tree.tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward);
        while cursor.advance(&tree.tree)? {
            runtime::slice_point();
            self.place.interrupt.check()?;
            let Some(row) = decode(&tree, cursor.value())?.payload else { continue };
            for key in new {
                if !self.has_parent(rows, key, row)? {
                    return Err(EngineError::ForeignKey(violation(rows, key, ForeignKeySide::Child)));
                }
            }
        }
        Ok(())
    }

    /// Holds a name without looking for its table; its place among those held, unless it was held so before.
    pub(super) fn hold_name_only(&mut self, db: &str, table: &str, mode: Mode) -> Result<Option<usize>> {
        let lock = self.place.core.locks.metadata.name(db, table);
        self.hold_lock(&lock, None, mode)
    }
}

/// What an ALTER is about.
struct Alteration<'a> {
    old: Arc<Table>,
    renamed: bool,
    /// Columns that get other names, before and after.
    columns: Vec<(String, String)>,
    lock: AlterLock,
    /// Where the transaction holds the name exclusively, if it does so for this change alone and may let others in.
    held: Option<usize>,
    query: Option<QueryText<'a>>,
}

impl Alteration<'_> {
    /// Other tables whose foreign keys name a column that gets another name, as they will be.
    fn children(&self, catalog: &Catalog) -> impl Iterator<Item = TableRecord> {
        let (db, name) = (self.old.db(), self.old.name());
        let to_it = |key: &ForeignKeyDef| (&*key.ref_db, &*key.ref_table) == (db, name);
        let others = match self.columns.is_empty() {
            true => BTreeSet::new(),
            false => catalog.children(db, name).iter().map(|child| (&child.db, &child.table)).collect(),
        };
        let mut records: Vec<TableRecord> = others
            .into_iter()
            .filter(|(child_db, child)| (child_db.as_str(), child.as_str()) != (db, name))
            .filter_map(|(db, table)| catalog.table(db, table).map(|table| table.record()))
            .collect();
        for key in records.iter_mut().flat_map(|record| &mut record.def.foreign_keys).filter(|key| to_it(key))
        {
            for column in &mut key.ref_columns {
                let renamed = self.columns.iter().find(|(before, _)| same_name(before, column));
                if let Some((_, after)) = renamed {
                    column.clone_from(after);
                }
            }
        }
        records.into_iter()
    }
}

/// The record of a table whose rows stay: trees of indexes that stay are kept.
fn same_rows_record(
    core: &Core,
    old: &Table,
    new: TableDef,
    mut absent: Vec<(usize, Vec<u8>)>,
) -> TableRecord {
    absent.extend(old.layout().absent());
    let mut keeping = old.keeping().to_vec();
    let mut trees = vec![old.trees()[0].no];
    for index in new.indexes.iter().filter(|i| i.kind != IndexKind::Primary) {
        trees.push(kept_tree(old, index).unwrap_or_else(|| {
            let made = core.new_tree_no();
            keeping.push(made);
            made
        }));
    }
    keeping.retain(|no| trees.contains(no));
    TableRecord { id: old.id().0, def: new, trees, keeping, defined_at: now_seconds(), absent }
}

/// The tree of an equal index of the old definition. Each is claimed once: two equal indexes have the same parts but
/// not the same name.
fn kept_tree(old: &Table, index: &IndexDef) -> Option<u32> {
    let equal =
        |o: &&IndexDef| o.kind == index.kind && o.parts == index.parts && same_name(&o.name, &index.name);
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

    /// Copies all rows, group by group, in the order of an index where one is given.
    fn copy_rows(
        &self,
        (old, by): (&Arc<Table>, Option<usize>),
        copy: &Arc<Table>,
        new: &TableDef,
        mapping: &mut RowMapping<'_>,
    ) -> Result<()> {
        let place = by.map_or(Ok(0), |index| old.place(index))?;
        let tree = &old.trees()[place].handle;
        let mut cursor = tree.tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward);
        let mut writes = WriteSet::default();
        let mut log = LogBody::new(self.private_plan());
        let (mut row, mut key, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        let mut fault = None;
        while cursor.advance(&tree.tree)? {
            runtime::slice_point();
            let Some(entry) = decode(tree, cursor.value())?.payload else { continue };
            let old_row = match place {
                0 => entry,
                _ if old.row_of_entry(cursor.key(), entry, &mut behind)? => &behind,
                _ => continue,
            };
            row.clear();
            match mapping(old_row, &mut row) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    fault = Some(EngineError::Mapping(error));
                    break;
                }
            }
            // Rows behind one that is there twice are only looked at.
            if fault.is_some() {
                continue;
            }
            let hidden = copy.primary_index().is_none();
            let row_id = hidden.then(|| copy.next_row_id());
            copy.clustered_key(&row, row_id.as_ref().map(|id| &id[..]), &mut key)?;
            let target = &copy.trees()[0];
            let there = writes.get(target.no, &key).is_some() || target.handle.tree.contains(&key)?;
            if there {
                let index = new.primary_index().unwrap_or(crate::CLUSTERED);
                fault = Some(EngineError::DuplicateRows { index, row: row.clone() });
                continue;
            }
            let change = RowChange { before: None, after: Some(&row) };
            log.row(copy, change, Audience::Ourselves, row_id.as_ref().map(|id| &id[..]));
            writes.set(copy, 0, &key, Write::Put(&row), usize::MAX)?;
            note_auto_increment(copy, &row)?;
            if log.len() >= GROUP_BYTES {
                self.commit_writes(&mut log, &std::mem::take(&mut writes))?;
                log = LogBody::new(self.private_plan());
            }
        }
        if !log.is_empty() {
            self.commit_writes(&mut log, &writes)?;
        }
        fault.map_or(Ok(()), Err)
    }
}
