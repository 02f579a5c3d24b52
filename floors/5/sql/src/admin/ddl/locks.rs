//! LOCK TABLES and UNLOCK TABLES, and what a session under them may change.

use super::names;
use crate::catalog::mysql;
use crate::error::SqlError;
use crate::session::State;
use crate::syntax::ast;
use engine::Mdl;

/// LOCK TABLES.
pub fn lock(state: &mut State, lock: &ast::LockTables) -> Result<(), SqlError> {
    let mut tables: Vec<(String, String, Mdl)> = Vec::with_capacity(lock.tables.len());
    for table in &lock.tables {
        let (db, name) = match names::is_of_mysql(state, &table.name) {
            true => (mysql::MYSQL.to_owned(), table.name.name.clone()),
            false => names::qualified(state, &table.name)?,
        };
        if state.temporary(&db, &name).is_some() {
            // Nobody else sees it.
            continue;
        }
        if table.write && state.vars.read_only {
            return Err(SqlError::read_only_transaction());
        }
        let mode = if table.write { Mdl::Exclusive } else { Mdl::NoWrite };
        if let Some(view) = state.engine.catalog().view(&db, &name).cloned() {
            let (below, views) = super::view::opened_by(state, &view)?;
            for table in below {
                add(&mut tables, table.0.db(), table.0.name(), mode);
            }
            for view in views {
                add(&mut tables, &view.def().db, &view.def().name, mode);
            }
        }
        add(&mut tables, &db, &name, mode);
    }
    state.lock_tables(tables)
}

/// One name may be locked under several aliases: the strongest counts.
fn add(tables: &mut Vec<(String, String, Mdl)>, db: &str, name: &str, mode: Mdl) {
    match tables.iter_mut().find(|(d, t, _)| d == db && t == name) {
        Some(known) => known.2 = known.2.max(mode),
        None => tables.push((db.to_owned(), name.to_owned(), mode)),
    }
}

/// Error 1100 or 1099 where LOCK TABLES does not let a table be changed.
pub fn check_change(state: &State, db: &str, name: &str) -> Result<(), SqlError> {
    state.check_locked(db, name, true)
}

/// Error 1100 for a table to be made under LOCK TABLES; one that is there and locked is left to the statement.
pub fn check_new(state: &State, db: &str, name: &str) -> Result<(), SqlError> {
    if state.global_read_lock {
        return state.check_locked("", name, true);
    }
    let locked = &state.locked_tables;
    match locked.is_empty() || locked.iter().any(|(d, n, _)| d == db && n == name) {
        true => Ok(()),
        false => Err(SqlError::table_not_locked(name)),
    }
}

/// Tables that were dropped are locked no more.
pub fn forget(state: &mut State, gone: &[(String, String)]) {
    state.locked_tables.retain(|(db, name, _)| !gone.iter().any(|(d, n)| d == db && n == name));
}
