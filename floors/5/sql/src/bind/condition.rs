//! Conditions: what is asked for its truth must have one, and what MariaDB looks for rows by.

use super::Binder;
use super::scope::{Clause, Scope};
use crate::error::SqlError;
use crate::expr::{Expr, build};
use crate::syntax::ast::{self, ExprKind, UnaryOp};

impl Binder<'_> {
    /// WHERE or ON.
    pub(super) fn condition(
        &mut self,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        if let ExprKind::Unary { op: UnaryOp::Not, expr } = &e.kind {
            // Of a whole condition NOT is a comparison with a long number.
            let operand = self.scalar(expr, scope, clause)?;
            build::refuse_truth(&operand, "=", "bigint")?;
            return build::unary(UnaryOp::Not, operand, self.state);
        }
        let bound = self.scalar(e, scope, clause)?;
        build::refuse_condition(&bound)?;
        Ok(bound)
    }

    /// The members of AND and OR.
    pub(super) fn truths(
        &mut self,
        list: &[ast::Expr],
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Vec<Expr>, SqlError> {
        let bound = self.scalars(list, scope, clause)?;
        bound.iter().try_for_each(|e| build::refuse_truth(e, "<>", "int"))?;
        Ok(bound)
    }
}

/// Whether a condition holds only where two rows, columns among them, are equal, or one is above the other.
pub(super) fn equates_rows(filter: &ast::Expr) -> bool {
    match &filter.kind {
        ExprKind::And(list) => list.iter().any(equates_rows),
        ExprKind::Binary {
            op:
                ast::BinaryOp::Eq | ast::BinaryOp::Lt | ast::BinaryOp::Le | ast::BinaryOp::Gt | ast::BinaryOp::Ge,
            left,
            right,
        } => {
            let mut sides = [left, right].into_iter();
            let members = |side: &ast::Expr| match &side.kind {
                ExprKind::Row(members) => members.iter().any(|e| matches!(e.kind, ExprKind::Column(_))),
                _ => false,
            };
            sides.any(|side| members(side))
        }
        _ => false,
    }
}
