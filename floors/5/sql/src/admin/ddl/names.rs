//! Identifiers of databases, tables, columns and indexes.

use crate::admin::dialect::quoted_length;
use crate::catalog::{self, mysql};
use crate::error::SqlError;
use crate::session::{Level, State};
use crate::syntax::ast;

/// Most characters of an identifier.
const MAX_CHARS: usize = 64;

/// Error 1059 for a name that is too long.
fn check_length(name: &str) -> Result<(), SqlError> {
    match name.chars().count() > MAX_CHARS {
        true => Err(SqlError::too_long_ident(name)),
        false => Ok(()),
    }
}

/// A name that can be stored: not empty, no zero byte, no space at its end.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains('\0') && !name.ends_with(' ')
}

/// A database's name; error 1102.
pub fn database(name: &str) -> Result<(), SqlError> {
    if is_plain(name) && check_length(name).is_ok() { Ok(()) } else { Err(SqlError::wrong_db_name(name)) }
}

/// A table's name; error 1103.
pub fn table(name: &str) -> Result<(), SqlError> {
    if is_plain(name) && check_length(name).is_ok() { Ok(()) } else { Err(SqlError::wrong_table_name(name)) }
}

/// A column's name; errors 1059, 1166.
pub fn column(name: &str) -> Result<(), SqlError> {
    check_length(name)?;
    if is_plain(name) { Ok(()) } else { Err(SqlError::wrong_column_name(name)) }
}

/// A column's name as a query or a change of names gives it; error 1166, whatever is wrong with it.
pub fn given_column(name: &str) -> Result<(), SqlError> {
    column(name).map_err(|_| SqlError::wrong_column_name(name))
}

/// A CHECK's name; error 1059.
pub fn check(name: &str) -> Result<(), SqlError> {
    check_length(name)
}

/// An index's or foreign key's name; errors 1059, 1280.
pub fn index(name: &str) -> Result<(), SqlError> {
    check_length(name)?;
    if is_plain(name) { Ok(()) } else { Err(SqlError::wrong_name_for_index(name)) }
}

/// Database and name of a table to be changed; errors 1046, 1044 for what nobody may change.
pub fn qualified(state: &State, name: &ast::TableName) -> Result<(String, String), SqlError> {
    let database = name.database.as_ref().or(state.database.as_ref()).ok_or_else(SqlError::no_db)?;
    not_virtual(state, database)?;
    Ok((database.clone(), name.name.clone()))
}

/// Whether a name is of a table or view of the database `mysql`.
pub fn is_of_mysql(state: &State, name: &ast::TableName) -> bool {
    let database = name.database.as_deref().or(state.database.as_deref());
    database.is_some_and(|database| mysql::has(database, &name.name))
}

/// Error 1044 for INFORMATION_SCHEMA, 1235 for the database `mysql`.
pub fn not_virtual(state: &State, database: &str) -> Result<(), SqlError> {
    match catalog::virtual_database(database) {
        None => Ok(()),
        Some((mysql::MYSQL, _)) => Err(mysql::refuse_change()),
        Some((name, _)) => Err(state.database_denied(name)),
    }
}

/// Error 1347 for a view where only a table will do.
pub fn not_view(state: &State, database: &str, name: &str) -> Result<(), SqlError> {
    match state.engine.catalog().view(database, name) {
        Some(_) => Err(SqlError::wrong_object(database, name, "BASE TABLE")),
        None => Ok(()),
    }
}

/// A name in backticks.
pub fn quoted_name(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A table's name in backticks, with its database.
pub fn quoted(db: &str, name: &str) -> String {
    format!("{}.{}", quoted_name(db), quoted_name(name))
}

/// The quoted pieces of an expression's text, names and strings, each with what stands before it; then what is left.
fn quoted_pieces(text: &str) -> (Vec<(&str, &str)>, &str) {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['`', '\'']) {
        let end = start + quoted_length(&rest.as_bytes()[start..]);
        pieces.push((&rest[..start], &rest[start..end]));
        rest = &rest[end..];
    }
    (pieces, rest)
}

/// The names in an expression's text, in their backticks.
pub fn names_in(text: &str) -> Vec<&str> {
    let (pieces, _) = quoted_pieces(text);
    pieces.into_iter().map(|(_, quoted)| quoted).filter(|quoted| quoted.starts_with('`')).collect()
}

/// An expression's text with columns under new names; strings in it stay.
pub fn renamed_in(text: &str, renamed: &[(String, String)]) -> String {
    let (pieces, rest) = quoted_pieces(text);
    let mut out = String::with_capacity(text.len());
    for (before, quoted) in pieces {
        out.push_str(before);
        // A string begins with another quote than any name.
        match renamed.iter().find(|(old, _)| quoted_name(old) == quoted) {
            Some((_, new)) => out.push_str(&quoted_name(new)),
            None => out.push_str(quoted),
        }
    }
    out + rest
}

/// A comment, cut to so many characters with a warning outside strict mode.
pub fn comment(text: &str, most: usize, error: SqlError, state: &mut State) -> Result<String, SqlError> {
    let Some((end, _)) = text.char_indices().nth(most) else { return Ok(text.to_owned()) };
    if state.vars.is_strict() {
        return Err(error);
    }
    state.warn(Level::Warning, error.errno, error.message);
    Ok(text[..end].to_owned())
}
