//! What an account sees of INFORMATION_SCHEMA: of databases, tables and what belongs to them those that it holds a
//! privilege on, of accounts itself alone.

use super::{is_information_schema, text};
use crate::error::SqlError;
use crate::session::{State, variables};
use std::collections::HashSet;
use types::{TableDef, Value};

/// Columns that name a row's database.
const SCHEMAS: [&str; 3] = ["TABLE_SCHEMA", "CONSTRAINT_SCHEMA", "SCHEMA_NAME"];

/// Leaves of a virtual table's rows those that the session's account, one without all privileges, may see.
pub(super) fn visible(
    table: &TableDef,
    rows: Vec<Vec<Value>>,
    state: &mut State,
) -> Result<Vec<Vec<Value>>, SqlError> {
    let place = |name: &str| table.column_index(name);
    let (name, grantee) = (place("TABLE_NAME"), place("GRANTEE"));
    let schema = SCHEMAS.into_iter().find_map(place);
    let (query, privileges, column) = (place("VIEW_DEFINITION"), place("PRIVILEGES"), place("COLUMN_NAME"));
    // Roles are told of as the session may use them.
    let own = match grantee {
        Some(_) if place("ROLE_NAME").is_none() && !state.may("SELECT", "mysql", None)? => {
            state.own_account().map(|own| own.grantee())
        }
        _ => None,
    };
    // A key that has one column which the account holds nothing on is not told of, unless it holds something on the table.
    let key = place("INDEX_NAME").or_else(|| place("CONSTRAINT_NAME"));
    let key = schema.zip(name).zip(column).zip(key);
    let mut hidden = HashSet::new();
    if let Some((((schema, name), column), key)) = key {
        for row in &rows {
            let [schema, name, column, key] =
                [schema, name, column, key].map(|place| variables::shown(&row[place]));
            let held = state.held()?;
            if !held.has_table(&schema, &name) && held.on_column(&schema, &name, &column).is_empty() {
                hidden.insert((schema, name, key));
            }
        }
    }
    let mut left = Vec::with_capacity(rows.len());
    for mut row in rows {
        let shown = |place: usize| variables::shown(&row[place]);
        if let Some(grantee) = grantee {
            if own.as_ref().is_none_or(|own| shown(grantee) == *own) {
                left.push(row);
            }
            continue;
        }
        let Some(schema) = schema.map(shown).filter(|schema| !is_information_schema(schema)) else {
            left.push(row);
            continue;
        };
        let Some(name) = name.map(shown) else {
            if state.sees_database(&schema)? {
                left.push(row);
            }
            continue;
        };
        if !state.sees_table(&schema, &name)? {
            continue;
        }
        if let Some((_, key)) = key
            && !hidden.is_empty()
            && hidden.contains(&(schema.clone(), name.clone(), shown(key)))
        {
            continue;
        }
        let column = column.map(shown).unwrap_or_default();
        if let Some(query) = query
            && !state.may("SHOW VIEW", &schema, Some(&name))?
        {
            row[query] = text("");
        }
        if let Some(place) = privileges {
            let held = state.held()?.on_column(&schema, &name, &column);
            if held.is_empty() {
                continue;
            }
            row[place] = text(held.join(",").to_ascii_lowercase());
        }
        left.push(row);
    }
    Ok(left)
}
