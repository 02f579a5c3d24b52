//! Tables whose rows are made when they are asked for: INFORMATION_SCHEMA, and the database `mysql`.
//!
//! | module | tables |
//! | --- | --- |
//! | `objects` | SCHEMATA, TABLES, VIEWS, PARTITIONS |
//! | `columns` | COLUMNS |
//! | `constraints` | STATISTICS, KEY_COLUMN_USAGE, TABLE_CONSTRAINTS and their kin |
//! | `privileges` | USER_PRIVILEGES and its kin |
//! | `server` | variables, status, processes, collations, engines |
//! | `empty` | tables of what this server does not have: routines, triggers |
//! | `visible` | what of all this an account sees |
//! | `define` | columns of these tables, as MariaDB 10.11 declares them |
//! | `mysql` | the database `mysql`: accounts, privileges, time zones |

mod columns;
mod constraints;
pub(crate) mod define;
mod empty;
pub mod mysql;
mod objects;
mod privileges;
pub(crate) mod server;
mod visible;

#[cfg(test)]
mod tests;

use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use engine::{Database, Table};
use std::sync::Arc;
use types::{CollationId, StrValue, TableDef, Value, ViewDef};

/// Rows of a virtual table.
pub type Rows = Result<Vec<Vec<Value>>, SqlError>;

/// A virtual table.
pub struct VirtualTable {
    /// Its database.
    pub database: &'static str,
    /// Name; upper case in INFORMATION_SCHEMA.
    pub name: &'static str,
    /// Its columns, in the short form of [`define`].
    columns: &'static str,
    /// Makes its rows.
    rows: fn(&mut Cx<'_>) -> Rows,
}

impl VirtualTable {
    /// Its definition.
    pub fn definition(&self) -> TableDef {
        define::table((self.database, self.name), self.columns)
    }

    /// Its rows, as far as the session's account may see them.
    pub fn read(&self, cx: &mut Cx<'_>) -> Rows {
        let mut rows = (self.rows)(cx)?;
        if self.database != INFORMATION_SCHEMA {
            // Who may read the table at all sees the whole of it.
            let definition = self.definition();
            rows.iter_mut().for_each(|row| define::fit(&definition, row));
            return Ok(rows);
        }
        match cx.state.restriction() {
            0 => Ok(rows),
            _ => visible::visible(&self.definition(), rows, cx.state),
        }
    }
}

/// A table of INFORMATION_SCHEMA.
const fn of_schema(name: &'static str, columns: &'static str, rows: fn(&mut Cx<'_>) -> Rows) -> VirtualTable {
    VirtualTable { database: INFORMATION_SCHEMA, name, columns, rows }
}

impl std::fmt::Debug for VirtualTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// What is asked of a virtual table. Rows beside may be left out; what is true of them is not told.
#[derive(Debug, Default, Clone)]
pub struct Wanted {
    /// Of one database.
    pub database: Option<String>,
    /// Of one table.
    pub table: Option<String>,
    /// Of tables whose name matches a pattern of LIKE.
    pub pattern: Option<String>,
    /// Only the names are looked at.
    pub names_only: bool,
    /// The session's temporary table, if it has one of the name.
    pub temporary: bool,
}

impl Wanted {
    /// The session's temporary table that is asked for.
    pub fn own(&self, state: &State) -> Option<Arc<Table>> {
        let (database, table) = (self.database.as_ref()?, self.table.as_ref()?);
        state.temporary(database, table).filter(|_| self.temporary).cloned()
    }

    /// Whether a table is asked for.
    pub fn has(&self, database: &str, table: &str) -> bool {
        let collation = CollationId::UTF8MB3_GENERAL_CI.collation();
        let equal = |wanted: &Option<String>, name: &str| {
            wanted.as_ref().is_none_or(|w| w.trim_end().eq_ignore_ascii_case(name.trim_end()))
        };
        let like =
            |pattern: &String| collation.like(table.as_bytes(), pattern.as_bytes(), Some(u32::from(b'\\')));
        equal(&self.database, database) && equal(&self.table, table) && self.pattern.as_ref().is_none_or(like)
    }
}

const PARTS: [&[VirtualTable]; 6] = [
    objects::TABLES,
    columns::TABLES,
    constraints::TABLES,
    privileges::TABLES,
    server::TABLES,
    empty::TABLES,
];

/// All tables of INFORMATION_SCHEMA.
pub fn virtual_tables() -> impl Iterator<Item = &'static VirtualTable> {
    PARTS.into_iter().flatten()
}

/// The virtual table of a database and a name; error 1109 for one that INFORMATION_SCHEMA does not have.
pub fn found(database: &str, name: &str) -> Result<Option<&'static VirtualTable>, SqlError> {
    match is_information_schema(database) {
        true => {
            virtual_table(name).map(Some).ok_or_else(|| SqlError::unknown_table(name, INFORMATION_SCHEMA))
        }
        false => Ok(mysql::TABLES.iter().find(|table| database == mysql::MYSQL && table.name == name)),
    }
}

/// A virtual database's own name for itself and its collation.
pub fn virtual_database(name: &str) -> Option<(&'static str, CollationId)> {
    match name {
        mysql::MYSQL => Some((mysql::MYSQL, CollationId::UTF8MB4_GENERAL_CI)),
        _ if is_information_schema(name) => Some((INFORMATION_SCHEMA, CollationId::UTF8MB3_GENERAL_CI)),
        _ => None,
    }
}

/// A view's definition: one of the server's own, or a stored one.
pub(crate) fn view(state: &State, database: &str, name: &str) -> Option<ViewDef> {
    let stored = || state.engine.catalog().view(database, name).map(|view| view.def().clone());
    mysql::view(database, name).cloned().or_else(stored)
}

/// Finds a table of INFORMATION_SCHEMA, in any letter case.
pub fn virtual_table(name: &str) -> Option<&'static VirtualTable> {
    virtual_tables().find(|table| table.name.eq_ignore_ascii_case(name))
}

/// Name of the database that holds them.
pub const INFORMATION_SCHEMA: &str = "information_schema";

/// Whether a database is this one, in any letter case.
pub fn is_information_schema(database: &str) -> bool {
    database.eq_ignore_ascii_case(INFORMATION_SCHEMA)
}

/// The wanted tables of the database `mysql`.
fn own_tables(wanted: &Wanted) -> impl Iterator<Item = TableDef> {
    let wanted = mysql::TABLES.iter().filter(|table| wanted.has(table.database, table.name));
    wanted.map(VirtualTable::definition)
}

/// The stored tables of a database, without those whose name the server has taken for a table of its own.
fn stored(database: &Database) -> impl Iterator<Item = &Arc<Table>> {
    database.tables.values().filter(|table| !mysql::has(&database.name, table.name()))
}

/// The views of a database that are not hidden.
fn stored_views(database: &Database) -> impl Iterator<Item = &ViewDef> {
    let views = database.views.values().map(|view| view.def());
    views.filter(|view| !mysql::has(&database.name, &view.name))
}

/// A text.
pub(crate) fn text(text: impl AsRef<str>) -> Value {
    Value::Str(StrValue::new(text.as_ref().as_bytes(), CollationId::UTF8MB3_GENERAL_CI))
}

/// A text or NULL.
pub(crate) fn optional(given: Option<impl AsRef<str>>) -> Value {
    given.map_or(Value::Null, text)
}

/// The words of a yes or no.
fn yes(is: bool) -> Value {
    text(if is { "YES" } else { "NO" })
}

/// The one catalog.
fn def() -> Value {
    text("def")
}
