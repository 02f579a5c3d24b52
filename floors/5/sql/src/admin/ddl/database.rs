//! CREATE, ALTER and DROP DATABASE.

use super::{change, charset, done, names};
use crate::catalog;
use crate::error::SqlError;
use crate::output::Done;
use crate::session::{Level, State};
use crate::syntax::ast;
use engine::{DatabaseDef, Ddl};
use types::table::same_name;

/// CREATE DATABASE.
pub fn create(state: &mut State, create: &ast::CreateDatabase, words: &str) -> Result<Done, SqlError> {
    names::database(&create.name)?;
    if state.global_read_lock {
        state.check_locked("", &create.name, true)?;
    }
    if let Some((schema, _)) = catalog::virtual_database(&create.name)
        && same_name(schema, "information_schema")
    {
        return Err(SqlError::db_access_denied(&state.user, &state.client_host, &create.name));
    }
    let exists = state.engine.catalog().database(&create.name).is_some();
    if catalog::virtual_database(&create.name).is_some() || (exists && !create.or_replace) {
        let error = SqlError::db_create_exists(&create.name);
        if !create.if_not_exists {
            return Err(error);
        }
        state.warn(Level::Note, error.errno, error.message);
        return Ok(done(0));
    }
    let collation = charset::of_clauses(
        &create.options.charsets,
        state.vars.collation_server,
        state.vars.collation_server,
    )?;
    let comment = create.options.comment.clone().unwrap_or_default();
    check_comment(&comment)?;
    if exists {
        change(state, Ddl::DropDatabase { name: create.name.clone() }, &drop_words(&create.name))?;
        state.commit()?;
    }
    let def = DatabaseDef { collation, comment };
    change(state, Ddl::CreateDatabase { name: create.name.clone(), def }, words)?;
    Ok(done(1 + u64::from(exists)))
}

fn drop_words(name: &str) -> String {
    format!("DROP DATABASE IF EXISTS `{}`", name.replace('`', "``"))
}

/// ALTER DATABASE.
pub fn alter(state: &mut State, alter: &ast::AlterDatabase, words: &str) -> Result<Done, SqlError> {
    let name = alter.name.clone().or_else(|| state.database.clone()).ok_or_else(SqlError::no_db)?;
    names::database(&name)?;
    names::not_virtual(state, &name)?;
    let catalog = state.engine.catalog();
    let old = catalog.database(&name).ok_or_else(|| SqlError::bad_db(&name))?;
    let mut def = old.def.clone();
    def.collation = charset::of_clauses(&alter.options.charsets, def.collation, state.vars.collation_server)?;
    if let Some(comment) = &alter.options.comment {
        check_comment(comment)?;
        def.comment.clone_from(comment);
    }
    change(state, Ddl::AlterDatabase { name, def }, words)?;
    Ok(done(1))
}

fn check_comment(comment: &str) -> Result<(), SqlError> {
    const MAX: usize = 1024;
    match comment.chars().count() > MAX {
        true => Err(SqlError::new(4145, b"HY000", format!("Comment for database is too long (max = {MAX})"))),
        false => Ok(()),
    }
}

/// DROP DATABASE.
pub fn drop(state: &mut State, drop: &ast::DropDatabase, words: &str) -> Result<Done, SqlError> {
    names::database(&drop.name)?;
    // An earlier version let users make one called `mysql`, which is in the way of the server's own.
    if state.engine.catalog().database(&drop.name).is_none() {
        names::not_virtual(state, &drop.name)?;
    }
    if state.global_read_lock {
        state.check_locked("", &drop.name, true)?;
    }
    let tables = state.engine.catalog().database(&drop.name).map(|d| d.tables.len() + d.views.len());
    let Some(tables) = tables else {
        let error = SqlError::db_drop_exists(&drop.name);
        if !drop.if_exists {
            return Err(error);
        }
        state.warn(Level::Note, error.errno, error.message);
        return Ok(done(0));
    };
    change(state, Ddl::DropDatabase { name: drop.name.clone() }, words)?;
    if state.database.as_deref() == Some(&drop.name) {
        state.database = None;
    }
    Ok(done(tables as u64))
}
