//! A session's temporary tables. They hide tables and views of the same name from the session's statements, though not
//! from the text of views, and go with the session.

use super::State;
use crate::error::SqlError;
use engine::{Engine, RowMapping, Table};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use types::TableDef;

/// The tables, in the order of their making. Dropping this drops them.
pub struct Temporaries {
    engine: Engine,
    tables: Vec<Arc<Table>>,
}

impl Temporaries {
    /// None yet.
    pub fn new(engine: Engine) -> Self {
        Self { engine, tables: Vec::new() }
    }

    fn place(&self, database: &str, name: &str) -> Option<usize> {
        self.tables.iter().position(|table| table.name() == name && table.db() == database)
    }

    /// Their names' hash, 0 for none: plans that sessions share are of one meaning of all names.
    #[inline]
    pub fn names(&self) -> u64 {
        if self.tables.is_empty() { 0 } else { self.hash_names() }
    }

    fn hash_names(&self) -> u64 {
        let mut names: Vec<(&str, &str)> = self.tables.iter().map(|t| (t.db(), t.name())).collect();
        names.sort_unstable();
        let mut hasher = std::hash::DefaultHasher::new();
        names.hash(&mut hasher);
        hasher.finish() | 1
    }

    /// Drops all of them.
    pub fn clear(&mut self) {
        for table in self.tables.drain(..) {
            // What fails here has poisoned the store, which the next statement tells.
            let _ = self.engine.drop_temporary(&table);
        }
    }
}

impl Drop for Temporaries {
    fn drop(&mut self) {
        self.clear();
    }
}

impl State {
    /// The session's temporary table of a name.
    pub fn temporary(&self, database: &str, name: &str) -> Option<&Arc<Table>> {
        self.temporaries.place(database, name).map(|at| &self.temporaries.tables[at])
    }

    /// Makes a temporary table; one of the same name goes.
    pub(crate) fn make_temporary(&mut self, def: TableDef) -> Result<(), SqlError> {
        let table = self.engine.make_temporary(def)?;
        self.put_temporary(table)
    }

    fn put_temporary(&mut self, table: Arc<Table>) -> Result<(), SqlError> {
        self.drop_temporary(table.db(), table.name())?;
        self.temporaries.tables.push(table);
        Ok(())
    }

    /// Drops a temporary table; false where there is none of this name.
    pub(crate) fn drop_temporary(&mut self, database: &str, name: &str) -> Result<bool, SqlError> {
        let Some(at) = self.temporaries.place(database, name) else { return Ok(false) };
        let table = self.temporaries.tables.remove(at);
        self.engine.drop_temporary(&table)?;
        Ok(true)
    }

    /// Puts a temporary table of another definition in an old one's place, its rows mapped.
    pub(crate) fn change_temporary(
        &mut self,
        old: &Arc<Table>,
        def: TableDef,
        rows: &mut RowMapping<'_>,
    ) -> Result<(), engine::EngineError> {
        let mut txn = match self.txn.take() {
            Some(txn) => txn,
            None => self.begin_for_ddl(),
        };
        let made = txn.rewrite_temporary(old, def, rows);
        self.txn = Some(txn);
        let made = made?;
        let _ = self.drop_temporary(old.db(), old.name());
        let _ = self.put_temporary(made);
        Ok(())
    }

    /// A copy of a temporary table under another name, in its place.
    pub(crate) fn rename_temporary(
        &mut self,
        old: &Arc<Table>,
        to: &(String, String),
    ) -> Result<(), SqlError> {
        let mut def = TableDef::clone(old.def());
        (def.db, def.name) = to.clone();
        def.auto_increment = def.auto_increment_column().map(|_| old.auto_increment().get());
        self.change_temporary(old, def, &mut same_rows()).map_err(SqlError::from)
    }
}

/// Rows as they are.
pub(crate) fn same_rows<'a>() -> RowMapping<'a> {
    Box::new(|old, new| {
        new.extend_from_slice(old);
        Ok(true)
    })
}
