//! What is asked for among the rows of a query: the operand of IN, ANY and ALL.

use super::Clause;
use super::subquery::{is_one_row, selected};
use super::{Binder, Scope};
use crate::error::SqlError;
use crate::expr::{Class, Expr, Kind, TypeKind, build, compare_text};
use crate::plan::QueryPlan;
use crate::syntax::ast::{self, BinaryOp, ExprKind, UnaryOp};
use types::{StrValue, Value};

impl Binder<'_> {
    /// The conditions of WHERE or ON whose queries MariaDB joins.
    pub(super) fn joined_in(
        &self,
        condition: &ast::Expr,
        scope: &Scope<'_>,
        clause: Clause,
    ) -> Vec<*const ast::Expr> {
        let mut found = Vec::new();
        let changed = self.changes_one && scope.level == 0;
        let filters = clause == Clause::Where || clause == Clause::On && self.on_filters;
        if filters && !scope.tables.is_empty() && !changed {
            find_joined(condition, false, &mut found);
        }
        found
    }

    /// Has the operand be what MariaDB compares with the rows of a query. A constant beside a year is one. A label is put
    /// aside as its text, and a parameter as the text that it was taken for when the statement was prepared, but where the
    /// query is joined or is nothing but a list. Beside the least or greatest (`extreme`) of years it stays a number.
    pub(super) fn adapt_asked(
        &mut self,
        asking: &ast::Expr,
        left: &mut [Expr],
        plan: &QueryPlan,
        extreme: bool,
    ) -> Result<(), SqlError> {
        let (ExprKind::InSubquery { expr: written, query, .. }
        | ExprKind::Quantified { left: written, query, .. }) = &asking.kind
        else {
            return Ok(());
        };
        let joined = is_one_row(query) || self.joined.contains(&std::ptr::from_ref(asking));
        let members = match &written.kind {
            ExprKind::Row(list) => &list[..],
            _ => std::slice::from_ref(&**written),
        };
        for (at, e) in left.iter_mut().enumerate() {
            let ty = &plan.columns[at].ty;
            if let Some(column) = selected(plan, at).filter(|_| !extreme) {
                build::adapt_year(column, e, self.state)?;
            }
            if e.ty.labels.is_some() && !joined {
                *e = build::function("coalesce", vec![e.clone()], "", self.state)?;
            }
            let as_text = match ty.class() {
                Class::Temporal => true,
                Class::Str => ty.kind != TypeKind::Null,
                // Of numbers it is the same, but of dates and times the text is read as one.
                _ => e.ty.class() == Class::Temporal,
            };
            let given = self.state.runs_prepared && members.get(at).is_some_and(super::select::is_param);
            if joined || !as_text || !given || e.ty.class() == Class::Str {
                continue;
            }
            let value = match &e.kind {
                Kind::Const(value) => value,
                Kind::Param(_) => {
                    return Err(SqlError::internal_error("keep a plan that compares a parameter as text"));
                }
                _ => continue,
            };
            let text = StrValue::new(compare_text(value).as_bytes(), self.state.vars.collation_connection);
            let null = value.is_null();
            let text = Value::Str(text);
            let mut ty = build::type_of_value(&text, self.state.vars.collation_connection);
            ty.nullable = true;
            *e = Expr { kind: Kind::Const(if null { Value::Null } else { text }), ty };
        }
        Ok(())
    }
}

/// What a condition hangs on that asks a query which MariaDB can join: one SELECT from tables that sums nothing up.
fn find_joined(e: &ast::Expr, denied: bool, found: &mut Vec<*const ast::Expr>) {
    match &e.kind {
        ExprKind::And(list) if !denied => list.iter().for_each(|e| find_joined(e, denied, found)),
        ExprKind::Or(list) if denied => list.iter().for_each(|e| find_joined(e, denied, found)),
        ExprKind::Unary { op: UnaryOp::Not, expr } => find_joined(expr, !denied, found),
        ExprKind::InSubquery { query, negated, .. } if *negated == denied && can_join(query) => found.push(e),
        ExprKind::Quantified { op, all, query, .. } => {
            let is_in = match denied {
                false => (*op, *all) == (BinaryOp::Eq, false),
                true => (*op, *all) == (BinaryOp::Ne, true),
            };
            if is_in && can_join(query) {
                found.push(e);
            }
        }
        _ => {}
    }
}

fn can_join(query: &ast::Query) -> bool {
    let ast::QueryBody::Select(select) = &query.body else { return false };
    !select.from.is_empty()
        && select.having.is_none()
        && query.limit.is_none()
        && !super::grouping::aggregates_here(select, query)
}
