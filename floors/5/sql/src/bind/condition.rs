//! Conditions: what is asked for its truth must have one, and what MariaDB looks for rows by.

use super::Binder;
use super::Clause;
use super::scope::Scope;
use crate::error::{ER_CANT_AGGREGATE_2COLLATIONS, ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION, SqlError};
use crate::expr::{Expr, build, foreknown};
use crate::syntax::ast::{self, BinaryOp, ExprKind, IsTest, UnaryOp};

impl Binder<'_> {
    /// WHERE or ON.
    pub(super) fn condition(
        &mut self,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let mut finders = Vec::new();
        find_nulls(e, false, &mut finders);
        let around = std::mem::replace(&mut self.finders, finders);
        let joined = self.joined_in(e, scope, clause);
        let joined_around = std::mem::replace(&mut self.joined, joined);
        let denied = match &e.kind {
            ExprKind::Unary { op: UnaryOp::Not, expr } => Some(&**expr),
            _ => None,
        };
        let unlike = denied.and_then(unlike_rows);
        let denied = denied.filter(|_| unlike.is_none());
        let bound = match denied {
            Some(operand) => self.denied(operand, scope, clause),
            None => self.scalar(unlike.as_ref().unwrap_or(e), scope, clause),
        };
        (self.finders, self.joined) = (around, joined_around);
        let mut bound = bound?;
        if denied.is_some() {
            // Of a whole condition NOT is a comparison with a long number.
            build::refuse_truth(&bound, "=", "bigint")?;
            bound = build::unary(UnaryOp::Not, bound, self.state)?;
        } else {
            build::refuse_condition(&bound)?;
        }
        foreknown::settle_texts(&mut bound, self.state);
        Ok(bound)
    }

    /// Whether it finds NULL among what a condition hangs on.
    pub(super) fn finds_nulls(&self, e: &ast::Expr, clause: Clause) -> bool {
        let filters = match clause {
            // That of a view merged there is asked by the outer join.
            Clause::Where => !self.nullable_side,
            Clause::Having => true,
            Clause::On => self.on_filters,
            _ => false,
        };
        filters && self.finders.contains(&std::ptr::from_ref(e))
    }

    /// `operand IS [NOT] NULL` among what a condition hangs on. What an outer join asks may come to be asked of all rows.
    pub(super) fn null_asked(
        &mut self,
        e: &ast::Expr,
        operand: Expr,
        negated: bool,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        let found = match self.finds_nulls(e, clause) {
            true => build::is_null_or_zero_date(operand, self.state)?,
            false if negated || !build::has_zero_date(&operand) => {
                return Ok(build::is(operand, IsTest::Null, negated));
            }
            false => build::is_found_null(operand),
        };
        Ok(if negated { build::not(found) } else { found })
    }

    /// HAVING.
    pub(super) fn of_groups(&mut self, e: &ast::Expr, scope: &Scope<'_>) -> Result<Expr, SqlError> {
        let mut finders = Vec::new();
        find_nulls(e, false, &mut finders);
        let around = std::mem::replace(&mut self.finders, finders);
        let bound = self.scalar(e, scope, Clause::Having);
        self.finders = around;
        bound
    }

    /// The operand of NOT. What is said of a comparison in it that cannot be made names the opposite one, which is what
    /// MariaDB makes of it.
    pub(super) fn denied(
        &mut self,
        e: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Result<Expr, SqlError> {
        const NAMED: [u16; 2] =
            [ER_CANT_AGGREGATE_2COLLATIONS, ER_ILLEGAL_PARAMETER_DATA_TYPES2_FOR_OPERATION];
        self.scalar(e, scope, clause).map_err(|error| match opposite(e) {
            Some(opposite) if NAMED.contains(&error.errno) => {
                self.scalar(&opposite, scope, clause).err().unwrap_or(error)
            }
            _ => error,
        })
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

/// What a condition hangs on that finds NULL, IS NULL, and IS NOT NULL where it is denied, or asks for the least or
/// greatest of rows.
fn find_nulls(e: &ast::Expr, denied: bool, found: &mut Vec<*const ast::Expr>) {
    match &e.kind {
        ExprKind::And(list) | ExprKind::Or(list) => list.iter().for_each(|e| find_nulls(e, denied, found)),
        ExprKind::Unary { op: UnaryOp::Not, expr } => find_nulls(expr, !denied, found),
        ExprKind::Is { test: IsTest::Null | IsTest::Unknown, negated, .. } if *negated == denied => {
            found.push(e);
        }
        ExprKind::Function(call) if !denied && is_isnull(call) => found.push(e),
        ExprKind::Quantified { .. } => found.push(e),
        _ => {}
    }
}

/// Whether it is `ISNULL(operand)`.
fn is_isnull(call: &ast::FunctionCall) -> bool {
    call.name == "isnull" && call.args.len() == 1
}

/// The comparison that NOT makes of rows that are said to be equal.
pub(super) fn unlike_rows(e: &ast::Expr) -> Option<ast::Expr> {
    match &e.kind {
        ExprKind::Binary { op: BinaryOp::Eq, left, right } => {
            let rows = matches!((&left.kind, &right.kind), (ExprKind::Row(_), ExprKind::Row(_)));
            rows.then(|| opposite(e)).flatten()
        }
        _ => None,
    }
}

/// What holds where this does not, if that is another operator.
fn opposite(e: &ast::Expr) -> Option<ast::Expr> {
    let any = |e: &ast::Expr| opposite(e).unwrap_or_else(|| e.clone());
    let kind = match &e.kind {
        ExprKind::Unary { op: UnaryOp::Not, expr } => expr.kind.clone(),
        ExprKind::And(list) => ExprKind::Or(list.iter().map(any).collect()),
        ExprKind::Or(list) => ExprKind::And(list.iter().map(any).collect()),
        ExprKind::Binary { op: BinaryOp::Xor, left, right } => {
            let (mut left, mut right) = (left.clone(), right.clone());
            match opposite(&left) {
                Some(opposite) => *left = opposite,
                None => *right = opposite(&right)?,
            }
            ExprKind::Binary { op: BinaryOp::Xor, left, right }
        }
        ExprKind::Binary { op, left, right } => {
            let op = match op {
                BinaryOp::Eq => BinaryOp::Ne,
                BinaryOp::Ne => BinaryOp::Eq,
                BinaryOp::Lt => BinaryOp::Ge,
                BinaryOp::Le => BinaryOp::Gt,
                BinaryOp::Gt => BinaryOp::Le,
                BinaryOp::Ge => BinaryOp::Lt,
                _ => return None,
            };
            ExprKind::Binary { op, left: left.clone(), right: right.clone() }
        }
        _ => return None,
    };
    Some(ast::Expr { kind, span: e.span })
}

/// Whether a condition holds only where two rows, columns among them, are equal, or one is above the other.
pub(super) fn equates_rows(filter: &ast::Expr) -> bool {
    match &filter.kind {
        ExprKind::And(list) => list.iter().any(equates_rows),
        ExprKind::Binary {
            op: BinaryOp::Eq | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge,
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
