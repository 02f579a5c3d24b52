//! Applying catalog changes: trees made, filled and freed, the catalog tree and the catalog in memory.
//!
//! The trees of a new table have no page: each gets its root with its first entry ([`Core::plant`]), so that what a table
//! costs before it is used is its place in the catalog.
//!
//! Runs behind the commit gate as any commit's application does, so a checkpoint has all of a change or nothing.

use crate::build::Build;
use crate::catalog::change::{CatalogChange, Change, decode_record};
use crate::catalog::record::{self, CatalogKey, TableRecord, TableStats};
use crate::catalog::{CATALOG_TREE, Catalog, Table, TableCounters, TreeHandle, View};
use crate::commit::with_patience;
use crate::core::Core;
use crate::error::{EngineError, Result};
use crate::ids::{CommitNo, TableId};
use crate::lock::Interrupt;
use pages::{PageNo, TreeNo};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tree::{Action, Tree, TreeError};
use types::ViewDef;

/// Trees by number.
pub(crate) type Handles = HashMap<u32, Arc<TreeHandle>>;

/// What a change names of what is there: all that it may replace or drop. A tree has one table, so trees that a change
/// moves or frees are those of tables that it names.
struct Touched {
    tables: Vec<Arc<Table>>,
    views: Vec<Arc<View>>,
}

impl Touched {
    fn by(changes: &[Change], old: &Catalog) -> Touched {
        let mut tables: BTreeMap<TableId, Arc<Table>> = BTreeMap::new();
        let mut views = Vec::new();
        for change in changes {
            let (named, known) = match change {
                Change::Table(db, name, record) => {
                    (old.table(db, name), record.as_ref().and_then(|r| old.by_id(TableId(r.id))))
                }
                Change::Unfinished(id, _) => (None, old.by_id(TableId(*id))),
                Change::View(db, name, _) => {
                    views.extend(old.view(db, name).cloned());
                    continue;
                }
                Change::Database(..) | Change::Record(..) => continue,
            };
            tables.extend(named.into_iter().chain(known).map(|table| (table.id(), table.clone())));
        }
        Touched { tables: tables.into_values().collect(), views }
    }
}

impl Core {
    /// Applies a change under its commit number. `built` has index trees that were filled before.
    pub(crate) fn apply_catalog(
        &self,
        commit: CommitNo,
        change: &CatalogChange,
        built: &Handles,
    ) -> Result<()> {
        // The names are held and the log has their order: who is first here does not matter.
        let _turn = self.ddl_apply.take();
        let old = self.catalog();
        let mut new = (*old).clone();
        new.version += 1;
        let changes: Vec<Change> = change
            .records
            .iter()
            .map(|(key, value)| decode_record(key, value.as_deref()))
            .collect::<Result<_>>()?;
        let touched = Touched::by(&changes, &old);
        let mut handles = built.clone();
        for table in &touched.tables {
            handles.extend(table.trees().iter().map(|t| (t.no, t.handle.clone())));
        }
        let mut kept = BTreeSet::new();
        for (decoded, (key, value)) in changes.into_iter().zip(&change.records) {
            if let Change::Table(_, _, Some(record)) | Change::Unfinished(_, Some(record)) = &decoded {
                kept.extend(record.trees.iter().copied());
            }
            match decoded {
                Change::Database(name, Some(def)) => new.put_database(&name, def),
                Change::Database(name, None) => new.remove_database(&name),
                Change::Table(_, _, Some(record)) => {
                    let table = self.make_table(*record, commit, &mut handles, &old)?;
                    new.put_table(table);
                }
                Change::Table(db, name, None) => {
                    new.remove_table(&db, &name);
                }
                Change::View(_, _, Some(view)) => new.put_view(self.make_view(*view)),
                Change::View(db, name, None) => new.remove_view(&db, &name),
                Change::Unfinished(_, Some(record)) => {
                    let table = self.make_table(*record, commit, &mut handles, &old)?;
                    new.put_unfinished(table);
                }
                Change::Unfinished(id, None) => {
                    new.remove_unfinished(TableId(id));
                }
                Change::Record(space, key, value) => new.put_record(&space, &key, value.as_deref()),
            }
            self.put_catalog(key, value.as_deref())?;
        }
        self.swap_catalog(&touched, &kept, new)
    }

    fn put_catalog(&self, key: &[u8], value: Option<&[u8]>) -> Result<()> {
        Ok(self.catalog_tree.upsert(key, |_| match value {
            Some(value) => Action::put(value),
            None => Action::Delete,
        })?)
    }

    /// Gives a tree its root before its first change. Behind the commit gate, as the change itself: a checkpoint has
    /// the root's record with the page.
    pub(crate) fn plant(&self, handle: &TreeHandle) -> Result<()> {
        let mut planted = false;
        with_patience(|| {
            planted = handle.tree.plant()?;
            Ok(())
        })?;
        if planted {
            with_patience(|| self.put_root(handle))?;
        }
        Ok(())
    }

    fn put_root(&self, handle: &TreeHandle) -> std::result::Result<(), TreeError> {
        let root = handle.tree.root().0.to_le_bytes();
        self.catalog_tree.upsert(&record::root_key(handle.no), |_| Action::put(&root[..]))
    }

    /// A table in memory over its trees; those that do not exist are made.
    fn make_table(
        &self,
        record: TableRecord,
        commit: CommitNo,
        handles: &mut Handles,
        old: &Catalog,
    ) -> Result<Arc<Table>> {
        self.next_table.fetch_max(record.id + 1, Ordering::Relaxed);
        let rows_are_there = record.trees.first().is_some_and(|no| handles.contains_key(no));
        let mut made = Vec::new();
        let mut trees = Vec::with_capacity(record.trees.len());
        for &no in &record.trees {
            self.next_tree.fetch_max(no.saturating_add(1), Ordering::Relaxed);
            let handle = match handles.get(&no) {
                Some(handle) => handle.clone(),
                None => {
                    let handle = Arc::new(TreeHandle::new(Tree::open(&self.store, TreeNo(no), PageNo::NONE)));
                    if rows_are_there {
                        handle.tree.plant()?;
                        made.push(no);
                    }
                    handles.insert(no, handle.clone());
                    handle
                }
            };
            if handle.tree.root() != PageNo::NONE {
                self.put_root(&handle)?;
            }
            trees.push(handle);
        }
        let id = TableId(record.id);
        let counters = match old.by_id(id) {
            Some(table) => table.counters.clone(),
            None => Arc::new(TableCounters::of(id, &TableStats::default())),
        };
        if let Some(next) = record.def.auto_increment {
            counters.auto_increment.reset(next);
            self.unnoted.add(&counters);
        }
        let lock = self.locks.metadata.name(&record.def.db, &record.def.name);
        let table = Arc::new(Table::new(record, trees, counters, lock, commit)?);
        if !made.is_empty() {
            let is_made = |place: &usize| made.contains(&table.trees()[*place].no);
            let places = (1..table.trees().len()).filter(is_made).collect();
            Build::of_places(table.clone(), places).fill_alone(self, &Interrupt::new())?;
        }
        Ok(table)
    }

    /// A view in memory.
    pub(crate) fn make_view(&self, def: ViewDef) -> Arc<View> {
        let lock = self.locks.metadata.name(&def.db, &def.name);
        Arc::new(View::new(def, lock))
    }

    /// Makes `new` the catalog; frees what it does not name of what was touched. `kept`: trees that it names.
    fn swap_catalog(&self, touched: &Touched, kept: &BTreeSet<u32>, new: Catalog) -> Result<()> {
        let gone: Vec<Arc<TreeHandle>> = touched
            .tables
            .iter()
            .flat_map(|t| t.trees().iter().map(|tree| tree.handle.clone()))
            .filter(|handle| !kept.contains(&handle.no))
            .collect();
        let same = |t: &Arc<Table>| new.by_id(t.id()).is_some_and(|n| Arc::ptr_eq(n, t));
        let replaced: Vec<Arc<Table>> = touched.tables.iter().filter(|t| !same(t)).cloned().collect();
        let ids_gone: Vec<TableId> =
            replaced.iter().map(|t| t.id()).filter(|id| new.by_id(*id).is_none()).collect();
        let same = |v: &Arc<View>| new.view(&v.def().db, &v.def().name).is_some_and(|n| Arc::ptr_eq(n, v));
        let views_gone: Vec<Arc<View>> = touched.views.iter().filter(|v| !same(v)).cloned().collect();
        self.set_catalog(new);
        views_gone.iter().for_each(|view| view.mark_gone());
        for table in replaced {
            table.mark_gone();
        }
        for id in ids_gone {
            self.put_catalog(&record::stats_key(id.0), None)?;
        }
        for handle in gone {
            if handle.tree.root() != PageNo::NONE {
                self.put_catalog(&record::root_key(handle.no), None)?;
            }
            self.free_tree(&handle)?;
        }
        Ok(())
    }

    /// Gives a tree's pages back. Nobody reads it: its table is held exclusively.
    pub(crate) fn free_tree(&self, handle: &TreeHandle) -> Result<()> {
        {
            // Purges that began before are done with it, later ones see the flag.
            let _guard = self.purge.alone();
            handle.freed.store(true, Ordering::Release);
        }
        self.store.free_tree(TreeNo(handle.no))?;
        Ok(())
    }
}

/// Everything in the catalog tree, decoded.
#[derive(Default)]
pub(crate) struct Loaded {
    pub(crate) databases: Vec<(String, record::DatabaseDef)>,
    pub(crate) tables: Vec<TableRecord>,
    pub(crate) views: Vec<ViewDef>,
    pub(crate) unfinished: Vec<TableRecord>,
    pub(crate) records: Vec<(String, String, Vec<u8>)>,
    pub(crate) roots: HashMap<u32, PageNo>,
    pub(crate) stats: HashMap<u64, TableStats>,
}

/// Reads the whole catalog tree.
pub(crate) fn load(tree: &Tree) -> Result<Loaded> {
    let mut loaded = Loaded::default();
    let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, tree::Direction::Forward);
    while cursor.advance(tree)? {
        let (key, value) = (cursor.key(), cursor.value());
        let corrupt = || EngineError::Corrupt {
            verb: "read the catalog",
            place: format!("tree {CATALOG_TREE}, key {:?}", String::from_utf8_lossy(key)),
        };
        match CatalogKey::decode(key).ok_or_else(corrupt)? {
            CatalogKey::Root(no) => {
                let root = value.try_into().map_err(|_| corrupt())?;
                loaded.roots.insert(no, PageNo(u32::from_le_bytes(root)));
            }
            CatalogKey::Stats(id) => {
                let stats = serde_json::from_slice(value).map_err(|_| corrupt())?;
                loaded.stats.insert(id, stats);
            }
            _ => match decode_record(key, Some(value))? {
                Change::Database(name, Some(def)) => loaded.databases.push((name, def)),
                Change::Table(_, _, Some(table)) => loaded.tables.push(*table),
                Change::View(_, _, Some(view)) => loaded.views.push(*view),
                Change::Unfinished(_, Some(table)) => loaded.unfinished.push(*table),
                Change::Record(space, key, Some(value)) => loaded.records.push((space, key, value)),
                _ => return Err(corrupt()),
            },
        }
    }
    Ok(loaded)
}
