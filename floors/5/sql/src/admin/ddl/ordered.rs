//! ORDER BY of ALTER TABLE: rows stay where they are.

use crate::error::SqlError;
use crate::session::{Level, State};
use crate::syntax::ast::{ExprKind, OrderItem};
use types::{IndexKind, TableDef};

/// Error 1054 for a column that is not there; a warning where InnoDB has an order of its own.
pub fn check(table: &TableDef, items: &[OrderItem], state: &mut State) -> Result<(), SqlError> {
    for item in items {
        if let ExprKind::Column(named) = &item.expr.kind
            && table.column_index(&named.column).is_none()
        {
            return Err(SqlError::bad_field(&named.column, "ORDER BY"));
        }
    }
    if is_clustered(table) {
        let told = "ORDER BY ignored as there is a user-defined clustered index in the table";
        state.warn(Level::Warning, 1105, format!("{told} '{}'", table.name));
    }
    Ok(())
}

/// Whether InnoDB keeps the rows in the order of a key: the primary one, or the first unique one without NULLs.
pub fn is_clustered(def: &TableDef) -> bool {
    let whole = |index: &types::IndexDef| {
        let part = |p: &types::IndexPart| p.prefix_chars.is_none() && !def.columns[p.column].nullable;
        index.kind == IndexKind::Unique && index.parts.iter().all(part)
    };
    def.primary_index().is_some() || def.indexes.iter().any(whole)
}
