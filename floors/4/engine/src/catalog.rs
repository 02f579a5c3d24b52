//! What exists: databases, tables, views, foreign keys between them, and records of the rooms above (accounts, variables).
//!
//! The truth is the catalog tree, number `CATALOG_TREE`; an immutable [`Catalog`] in memory is made from it and
//! swapped whole by each DDL; catalogs share what is the same in them ([`SharedMap`]). Keys of the tree start with the space's letter (`record`). DDL reaches the tree only
//! through the log, as `CatalogChange`s (`change`), on the same way in service and in recovery.

mod auto_increment;
pub(crate) mod change;
pub(crate) mod record;
pub(crate) mod secondary;
mod shared_map;
mod statistics;
mod table;
mod table_map;
pub(crate) mod trees;
mod view;

pub use auto_increment::{AutoIncrement, next_in_series};
pub use record::DatabaseDef;
pub(crate) use secondary::SecondaryEntry;
pub use secondary::read_beside;
pub use shared_map::SharedMap;
pub use statistics::Statistics;
pub use table::Table;
pub(crate) use table::{ROW_ID_BYTES, TableCounters, TableTree, TreeHandle, Unnoted};
pub use view::View;

use crate::error::{EngineError, Result};
use crate::ids::TableId;
use std::sync::Arc;

/// The tree that the catalog is kept in.
pub(crate) const CATALOG_TREE: u32 = 1;

/// A database with its tables and views.
#[derive(Clone, Debug)]
pub struct Database {
    /// Name.
    pub name: String,
    /// Options.
    pub def: DatabaseDef,
    /// Tables by name.
    pub tables: SharedMap<Arc<str>, Arc<Table>>,
    /// Views by name: none has a table's name.
    pub views: SharedMap<Arc<str>, Arc<View>>,
}

/// A foreign key seen from its parent: child table and place in its `foreign_keys`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildKey {
    /// Database of the child.
    pub db: String,
    /// The child.
    pub table: String,
    /// Position in the child's `foreign_keys`.
    pub at: usize,
}

type Name = (String, String);

/// Everything that exists, at one moment. Immutable.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Grows by one with each change.
    pub version: u64,
    databases: SharedMap<Arc<str>, Arc<Database>>,
    by_id: SharedMap<TableId, Arc<Table>>,
    children: SharedMap<Name, Vec<ChildKey>>,
    records: SharedMap<Name, Arc<[u8]>>,
}

impl Catalog {
    /// Databases by name.
    pub fn databases(&self) -> impl Iterator<Item = &Arc<Database>> {
        self.databases.values()
    }

    /// A database.
    pub fn database(&self, name: &str) -> Option<&Arc<Database>> {
        self.databases.get(name)
    }

    /// A table.
    pub fn table(&self, db: &str, name: &str) -> Option<&Arc<Table>> {
        self.databases.get(db)?.tables.get(name)
    }

    /// A view.
    pub fn view(&self, db: &str, name: &str) -> Option<&Arc<View>> {
        self.databases.get(db)?.views.get(name)
    }

    /// Whether a table or a view has this name.
    pub fn is_taken(&self, db: &str, name: &str) -> bool {
        self.table(db, name).is_some() || self.view(db, name).is_some()
    }

    /// A view, or the error that says what is missing.
    pub fn require_view(&self, db: &str, name: &str) -> Result<&Arc<View>> {
        let missing = || EngineError::NoSuchTable { db: db.to_owned(), table: name.to_owned() };
        self.view(db, name).ok_or_else(missing)
    }

    /// A table, or the error that says what is missing.
    pub fn require(&self, db: &str, name: &str) -> Result<&Arc<Table>> {
        self.table(db, name)
            .ok_or_else(|| EngineError::NoSuchTable { db: db.to_owned(), table: name.to_owned() })
    }

    /// A table by its id; finds tables under construction by an ALTER too.
    pub(crate) fn by_id(&self, id: TableId) -> Option<&Arc<Table>> {
        self.by_id.get(&id)
    }

    /// Tables under construction: known by id, in no database.
    pub(crate) fn unfinished(&self) -> Vec<Arc<Table>> {
        let named = |t: &Arc<Table>| self.table(t.db(), t.name()).is_some_and(|n| Arc::ptr_eq(n, t));
        self.by_id.values().filter(|t| !named(t)).cloned().collect()
    }

    /// Foreign keys whose parent is this table.
    pub fn children(&self, db: &str, table: &str) -> &[ChildKey] {
        self.children.get(&(db.to_owned(), table.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// A record of the rooms above.
    pub fn record(&self, space: &str, key: &str) -> Option<&Arc<[u8]>> {
        self.records.get(&(space.to_owned(), key.to_owned()))
    }

    /// The records of a space by key.
    pub fn records<'c>(&'c self, space: &'c str) -> impl Iterator<Item = (&'c str, &'c Arc<[u8]>)> + 'c {
        let start = (space.to_owned(), String::new());
        self.records
            .iter_from(&start)
            .take_while(move |((s, _), _)| s == space)
            .map(|((_, k), v)| (k.as_str(), v))
    }

    pub(crate) fn put_database(&mut self, name: &str, def: DatabaseDef) {
        let old = self.databases.get(name);
        let (tables, views) = old.map(|d| (d.tables.clone(), d.views.clone())).unwrap_or_default();
        let database = Database { name: name.to_owned(), def, tables, views };
        self.databases.insert(name.into(), Arc::new(database));
    }

    pub(crate) fn remove_database(&mut self, name: &str) {
        self.databases.remove(name);
    }

    /// Adds a table under its name, replacing one of that name.
    pub(crate) fn put_table(&mut self, table: Arc<Table>) {
        self.remove_table(table.db(), table.name());
        for (at, key) in table.def().foreign_keys.iter().enumerate() {
            let child = ChildKey { db: table.db().to_owned(), table: table.name().to_owned(), at };
            let parent = (key.ref_db.clone(), key.ref_table.clone());
            let mut children = self.children.remove(&parent).unwrap_or_default();
            children.push(child);
            self.children.insert(parent, children);
        }
        self.by_id.insert(table.id(), table.clone());
        let db = table.def().clone();
        self.change_database(&db.db, |database| database.tables.insert(table.name().into(), table));
    }

    /// Adds a table under construction.
    pub(crate) fn put_unfinished(&mut self, table: Arc<Table>) {
        self.by_id.insert(table.id(), table);
    }

    pub(crate) fn remove_unfinished(&mut self, id: TableId) -> Option<Arc<Table>> {
        self.by_id.remove(&id)
    }

    pub(crate) fn remove_table(&mut self, db: &str, name: &str) -> Option<Arc<Table>> {
        self.table(db, name)?;
        let table = self.change_database(db, |database| database.tables.remove(name))?;
        // In a swap of names the number may stand for the table under its new name already.
        if self.by_id.get(&table.id()).is_some_and(|known| Arc::ptr_eq(known, &table)) {
            self.by_id.remove(&table.id());
        }
        for key in &table.def().foreign_keys {
            let parent = (key.ref_db.clone(), key.ref_table.clone());
            let Some(mut children) = self.children.remove(&parent) else { continue };
            children.retain(|c| c.db != db || c.table != name);
            if !children.is_empty() {
                self.children.insert(parent, children);
            }
        }
        Some(table)
    }

    /// Adds a view under its name, replacing one of that name.
    pub(crate) fn put_view(&mut self, view: Arc<View>) {
        let name = view.def().name.as_str().into();
        self.change_database(&view.def().db.clone(), |database| database.views.insert(name, view));
    }

    pub(crate) fn remove_view(&mut self, db: &str, name: &str) {
        self.change_database(db, |database| database.views.remove(name));
    }

    /// Changes a database of this catalog, if it is there; others keep theirs.
    fn change_database<T>(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut Database) -> Option<T>,
    ) -> Option<T> {
        // Taken out, so that it is copied only where another catalog has it too.
        let mut database = self.databases.remove(name)?;
        let changed = change(Arc::make_mut(&mut database));
        self.databases.insert(name.into(), database);
        changed
    }

    pub(crate) fn put_record(&mut self, space: &str, key: &str, value: Option<&[u8]>) {
        let records = &mut self.records;
        let name = (space.to_owned(), key.to_owned());
        match value {
            Some(value) => records.insert(name, Arc::from(value)),
            None => records.remove(&name),
        };
    }
}
