//! What columns are given must be of types that something of theirs can be made of: UUIDs, addresses and geometries are
//! no numbers and no dates, nor the other way round. Strict mode says so before it looks at any row.

use super::dml::{Given, InsertRows};
use crate::error::SqlError;
use crate::expr::{Class, Type, TypeKind, build};
use types::table::TableDef;

/// Checks what an INSERT gives to a table's `columns`.
pub(super) fn check_rows(rows: &InsertRows, columns: &[usize], def: &TableDef) -> Result<(), SqlError> {
    match rows {
        InsertRows::Values(rows) => {
            rows.iter().flat_map(|row| row.iter().zip(columns)).try_for_each(|(given, column)| match given {
                Given::Expr(e) => check(&e.ty, *column, def),
                Given::Default => Ok(()),
            })
        }
        InsertRows::Query(plan) => {
            plan.columns.iter().zip(columns).try_for_each(|(given, column)| check(&given.ty, *column, def))
        }
    }
}

/// Error 4078 for an expression whose type nothing of a column's type can be made of.
pub(super) fn check(ty: &Type, column: usize, def: &TableDef) -> Result<(), SqlError> {
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
    Err(SqlError::new(4078, b"HY000", text))
}
