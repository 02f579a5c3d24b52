//! ANALYZE, CHECK, CHECKSUM, OPTIMIZE and REPAIR TABLE.

use super::names;
use crate::error::SqlError;
use crate::expr::{Type, TypeKind, build};
use crate::plan::OutputColumn;
use crate::session::{Level, State};
use crate::syntax::ast::{MaintenanceKind, TableMaintenance};
use engine::{CLUSTERED, Direction, KeyRange, Mdl, Read, RowBuf, Table, View};
use std::sync::Arc;
use types::{CollationId, StrValue, Value};

/// Columns and rows of the statement's result.
pub fn run(
    state: &mut State,
    statement: &TableMaintenance,
) -> Result<(Vec<OutputColumn>, Vec<Vec<Value>>), SqlError> {
    let mut rows = Vec::new();
    for table in &statement.tables {
        let (db, name) = names::qualified(state, table)?;
        let shown = format!("{db}.{name}");
        if state.temporary(&db, &name).is_none()
            && let Some(view) = state.engine.catalog().view(&db, &name).cloned()
        {
            rows.extend(of_view(state, statement.kind, &view, &shown));
            state.commit()?;
            continue;
        }
        let locked = state.lock_table(&db, &name, mode_of(statement.kind));
        if statement.kind == MaintenanceKind::Checksum {
            let sum = match locked {
                Ok(table) => Value::UInt(checksum(state, &table)?),
                Err(error) => {
                    state.warn(Level::Error, error.errno, error.message);
                    Value::Null
                }
            };
            rows.push(vec![text(&shown), sum]);
        } else {
            let found = locked.and_then(|table| messages(state, statement, &table));
            let messages = found.unwrap_or_else(|error| {
                vec![("Error", error.message), ("status", "Operation failed".to_owned())]
            });
            let op = op_text(statement.kind);
            rows.extend(
                messages
                    .iter()
                    .map(|(kind, message)| vec![text(&shown), text(op), text(kind), text(message)]),
            );
        }
        state.commit()?;
    }
    Ok((columns(statement.kind), rows))
}

/// Columns of the result.
pub fn columns(kind: MaintenanceKind) -> Vec<OutputColumn> {
    match kind {
        MaintenanceKind::Checksum => {
            vec![column("Table", TypeKind::VarChar, 128), column("Checksum", TypeKind::LongLong, 21)]
        }
        _ => vec![
            column("Table", TypeKind::VarChar, 128),
            column("Op", TypeKind::VarChar, 10),
            column("Msg_type", TypeKind::VarChar, 10),
            column("Msg_text", TypeKind::MediumBlob, 393_216),
        ],
    }
}

/// What is said of a view: CHECK looks whether it works, the others are for tables.
fn of_view(state: &mut State, kind: MaintenanceKind, view: &View, shown: &str) -> Vec<Vec<Value>> {
    let def = view.def();
    let failed = || {
        let error = SqlError::wrong_object(&def.db, &def.name, "BASE TABLE");
        vec![("Error", error.message), ("status", "Operation failed".to_owned())]
    };
    let messages = match kind {
        MaintenanceKind::Checksum => {
            let error = SqlError::wrong_object(&def.db, &def.name, "BASE TABLE");
            state.warn(Level::Error, error.errno, error.message);
            return vec![vec![text(shown), Value::Null]];
        }
        MaintenanceKind::Check => match super::view::cause(state, view) {
            None => vec![("status", "OK".to_owned())],
            Some(cause) => vec![
                ("Error", cause),
                ("Error", SqlError::view_invalid(&def.db, &def.name).message),
                ("error", "Corrupt".to_owned()),
            ],
        },
        _ => failed(),
    };
    let op = op_text(kind);
    messages.iter().map(|(kind, message)| vec![text(shown), text(op), text(kind), text(message)]).collect()
}

/// Checks look at trees that nobody may change meanwhile.
fn mode_of(kind: MaintenanceKind) -> Mdl {
    match kind {
        MaintenanceKind::Check => Mdl::Exclusive,
        _ => Mdl::Read,
    }
}

fn op_text(kind: MaintenanceKind) -> &'static str {
    match kind {
        MaintenanceKind::Analyze => "analyze",
        MaintenanceKind::Check => "check",
        MaintenanceKind::Checksum => "checksum",
        MaintenanceKind::Optimize => "optimize",
        MaintenanceKind::Repair => "repair",
    }
}

fn messages(
    state: &mut State,
    statement: &TableMaintenance,
    table: &Arc<Table>,
) -> Result<Vec<(&'static str, String)>, SqlError> {
    let ok = ("status", "OK".to_owned());
    Ok(match statement.kind {
        MaintenanceKind::Check => match state.engine.check_table(table) {
            Ok(_) => vec![ok],
            Err(error) => vec![("error", error.to_string()), ("error", "Corrupt".to_owned())],
        },
        // Pages are merged and reused as rows go, and index statistics are read from the trees: nothing is left to do.
        MaintenanceKind::Analyze if statement.persistent => {
            vec![("status", "Engine-independent statistics collected".to_owned()), ok]
        }
        MaintenanceKind::Analyze => vec![ok],
        MaintenanceKind::Optimize => {
            let note = "Table does not support optimize, doing recreate + analyze instead";
            vec![("note", note.to_owned()), ok]
        }
        MaintenanceKind::Repair | MaintenanceKind::Checksum => {
            vec![("note", "The storage engine for the table doesn't support repair".to_owned())]
        }
    })
}

/// A number that equal contents share, whatever the order of the rows: the sum of their images' hashes (FNV-1a).
fn checksum(state: &mut State, table: &Arc<Table>) -> Result<u64, SqlError> {
    let mut scan = state.txn()?.scan(table, CLUSTERED, KeyRange::ALL, Direction::Forward, Read::Snapshot)?;
    let mut buffer = RowBuf::default();
    let mut sum = 0u32;
    while scan.next(state.txn()?, &mut buffer)? {
        runtime::slice_point();
        state.check_killed()?;
        let hash =
            buffer.row.iter().fold(0x811C_9DC5_u32, |h, &b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
        sum = sum.wrapping_add(hash);
    }
    Ok(u64::from(sum))
}

fn text(text: &str) -> Value {
    Value::Str(StrValue::new(text.as_bytes(), CollationId::UTF8MB4_GENERAL_CI))
}

fn column(name: &str, kind: TypeKind, length: u32) -> OutputColumn {
    let collation = match kind {
        TypeKind::VarChar | TypeKind::MediumBlob => CollationId::UTF8MB4_GENERAL_CI,
        _ => CollationId::BINARY,
    };
    let decimals = if kind == TypeKind::LongLong { 0 } else { 39 };
    let ty = Type { kind, length, collation, decimals, ..build::boolean(true) };
    OutputColumn { name: name.to_owned(), ty, origin: None }
}
