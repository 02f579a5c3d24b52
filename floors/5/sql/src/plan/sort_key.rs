//! What rows are sorted by.

use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{Expr, Kind, Slot, operand};
use types::Value;

/// One sort key.
#[derive(Debug, Clone)]
pub struct SortKey {
    /// The expression.
    pub expr: Expr,
    /// Descending.
    pub desc: bool,
    /// Rows of a table are sorted by it as they are read: a date that it computes may be one of those that no mode has.
    pub reads_table: bool,
}

impl SortKey {
    /// Sorts by an expression.
    pub fn new(expr: Expr, desc: bool) -> SortKey {
        SortKey { expr, desc, reads_table: false }
    }

    /// Whether it is nothing but a column.
    pub fn is_column(&self, slot: Slot) -> bool {
        matches!(self.expr.kind, Kind::Column(own) if own == slot)
    }

    /// Its value for the row under way.
    #[inline]
    pub fn value(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        if self.reads_table { operand::ordered(cx, &self.expr) } else { self.expr.eval(cx) }
    }

    /// Its value for the row under way, where it tells groups apart.
    pub fn group_value(&self, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        if self.reads_table { self.expr.eval_found(cx) } else { self.expr.eval(cx) }
    }
}
