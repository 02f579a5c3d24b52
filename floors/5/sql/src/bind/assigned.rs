//! What columns are given must be of types that something of theirs can be made of: UUIDs, addresses and geometries are
//! no numbers and no dates, nor the other way round. Strict mode says so before it looks at any row.

use super::insert::{Given, InsertRows};
use crate::error::SqlError;
use crate::expr::{Class, Type, TypeKind, build};
use crate::session::{Level, State};
use types::table::TableDef;

/// Checks what an INSERT gives to a table's `columns`: an error in strict mode, elsewhere (`lenient`) a warning.
pub(super) fn check_rows(
    rows: &InsertRows,
    columns: &[usize],
    def: &TableDef,
    lenient: bool,
    state: &mut State,
) -> Result<(), SqlError> {
    match rows {
        InsertRows::Values(rows) => {
            // Further rows are held against the columns when they are stored.
            let first = &rows[..rows.len().min(1)];
            for (given, column) in first.iter().flat_map(|row| row.iter().zip(columns)) {
                if let Given::Expr(e) = given {
                    check(&e.ty, *column, def, lenient, state)?;
                }
            }
        }
        InsertRows::Query(plan) => {
            for (given, column) in plan.columns.iter().zip(columns) {
                check(&given.ty, *column, def, lenient, state)?;
            }
        }
    }
    Ok(())
}

/// Error 4078 for an expression whose type nothing of a column's type can be made of.
pub(crate) fn check(
    ty: &Type,
    column: usize,
    def: &TableDef,
    lenient: bool,
    state: &mut State,
) -> Result<(), SqlError> {
    use TypeKind::{Fixed, Geometry, Null};
    let column = &def.columns[column];
    let target = build::column_type(column);
    let never = match (ty.kind, target.kind) {
        (Null, _) => false,
        (Fixed(from), Fixed(to)) => from != to,
        (Fixed(_), Geometry(_)) | (Geometry(_), Fixed(_)) => true,
        (Geometry(_), Geometry(_)) => false,
        (_, Fixed(_) | Geometry(_)) => ty.class() != Class::Str,
        (Fixed(_) | Geometry(_), _) => target.class() != Class::Str,
        _ => false,
    };
    if !never {
        return Ok(());
    }
    let (from, to) = (build::type_name(ty), build::type_name(&target));
    let (database, table, name) = (&def.db, &def.name, &column.name);
    let text = format!("Cannot cast '{from}' as '{to}' in assignment of `{database}`.`{table}`.`{name}`");
    if lenient {
        state.warn_only(Level::Warning, 4078, text);
        return Ok(());
    }
    Err(SqlError::new(4078, b"HY000", text))
}
