//! DROP, RENAME and TRUNCATE TABLE.

use super::{change, done, locks, names, raw_change};
use crate::error::SqlError;
use crate::output::Done;
use crate::session::{Level, State, reference_text};
use crate::syntax::ast;
use engine::{Ddl, EngineError};

/// DROP TABLE: those that are there go, error 1051 names the others.
pub fn drop(state: &mut State, drop: &ast::DropTable, words: &str) -> Result<Done, SqlError> {
    let mut there = Vec::new();
    let mut own = Vec::new();
    let mut missing = Vec::new();
    let mut views = Vec::new();
    let catalog = state.engine.catalog();
    for table in &drop.tables {
        let (db, name) = names::qualified(state, table)?;
        names::table(&name)?;
        if there.contains(&(db.clone(), name.clone())) {
            return Err(SqlError::nonuniq_table(name));
        }
        if state.temporary(&db, &name).is_some() {
            own.push((db, name));
            continue;
        }
        match catalog.table(&db, &name) {
            Some(_) if !drop.temporary => {
                locks::check_change(state, &db, &name)?;
                there.push((db, name));
            }
            _ if !drop.temporary && catalog.view(&db, &name).is_some() => {
                views.push(format!("{db}.{name}"));
            }
            _ => missing.push(format!("{db}.{name}")),
        }
    }
    for (db, name) in &own {
        state.drop_temporary(db, name)?;
    }
    if !there.is_empty() {
        let logged = match missing.is_empty() && views.is_empty() && own.is_empty() {
            true => words.to_owned(),
            false => {
                let list: Vec<String> = there.iter().map(|(db, name)| names::quoted(db, name)).collect();
                format!("DROP TABLE IF EXISTS {}", list.join(","))
            }
        };
        let tables = there.clone();
        change(state, Ddl::DropTables { tables }, &logged)?;
        locks::forget(state, &there);
    }
    let mut errors: Vec<SqlError> = views.into_iter().map(SqlError::it_is_a_view).collect();
    if !missing.is_empty() {
        errors.push(SqlError::bad_table(missing.join(",")));
    }
    for error in errors {
        if !drop.if_exists {
            if !drop.temporary {
                state.commit()?;
            }
            return Err(error);
        }
        state.warn(Level::Note, error.errno, error.message);
    }
    Ok(done(0))
}

/// RENAME TABLE.
pub fn rename(state: &mut State, rename: &ast::RenameTable, words: &str) -> Result<Done, SqlError> {
    if !state.locked_tables.is_empty() {
        return Err(SqlError::lock_or_active_transaction());
    }
    let catalog = state.engine.catalog();
    let mut pairs = Vec::with_capacity(rename.pairs.len());
    for (from, to) in &rename.pairs {
        let from = names::qualified(state, from)?;
        let to = names::qualified(state, to)?;
        names::table(&to.1)?;
        if let Some(own) = state.temporary(&from.0, &from.1).cloned() {
            if state.temporary(&to.0, &to.1).is_some() {
                return Err(SqlError::table_exists(&to.1));
            }
            state.rename_temporary(&own, &to)?;
            continue;
        }
        if catalog.database(&to.0).is_none() {
            return Err(SqlError::bad_db(&to.0));
        }
        let renamed_before = pairs.iter().any(|(_, to)| *to == from);
        if catalog.view(&from.0, &from.1).is_some() && from.0 != to.0 {
            return Err(SqlError::forbid_schema_change(&from.0, &to.0));
        }
        if !catalog.is_taken(&from.0, &from.1) && !renamed_before {
            let missing = SqlError::no_such_table(&from.0, &from.1);
            if !rename.if_exists {
                return Err(missing);
            }
            state.warn(Level::Note, missing.errno, missing.message);
            continue;
        }
        pairs.push((from, to));
    }
    if !pairs.is_empty() {
        change(state, Ddl::RenameTables { pairs }, words)?;
    }
    Ok(done(0))
}

/// TRUNCATE TABLE.
pub fn truncate(state: &mut State, table: &ast::TableName, words: &str) -> Result<Done, SqlError> {
    let (db, name) = names::qualified(state, table)?;
    if let Some(own) = state.temporary(&db, &name) {
        state.make_temporary(types::TableDef::clone(own.def()))?;
        return Ok(done(0));
    }
    locks::check_change(state, &db, &name)?;
    match raw_change(state, Ddl::TruncateTable { db, table: name }, words) {
        Ok(()) => Ok(done(0)),
        Err(EngineError::ReferencedTable { by }) => Err(SqlError::truncate_illegal_fk(reference_text(&by))),
        Err(error) => Err(error.into()),
    }
}
