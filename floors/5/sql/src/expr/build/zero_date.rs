//! `IS NULL` of dates that take no NULL: it finds the zero date, as ODBC's users expect (MariaDB's page on IS NULL).

use super::super::{CompareOp, Expr, Kind, Named, TypeKind};
use super::logic::compare;
use super::types::truth_type;
use super::{constant, equality, is, or};
use crate::error::SqlError;
use crate::expr::Comparison;
use crate::session::State;
use crate::syntax::ast::IsTest;
use types::{Date, DateTime, Value};

/// `e IS NULL` in WHERE and HAVING: of a DATE or DATETIME column that takes no NULL it finds the zero date, and beside it NULL
/// where the column is of an outer join.
pub fn is_null_or_zero_date(e: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let Some(zero) = zero_date(&e) else { return Ok(is(e, IsTest::Null, false)) };
    let outer = e.ty.nullable && is_outer(&e);
    let equal = compare(CompareOp::Eq, e.clone(), constant(zero), state)?;
    Ok(if outer { or(vec![is_found_null(e), equal]) } else { equal })
}

/// Whether it is a column of which that finds the zero date.
pub fn has_zero_date(e: &Expr) -> bool {
    zero_date(e).is_some()
}

/// `e IS NULL`, though it never is.
pub fn is_found_null(e: Expr) -> Expr {
    Expr { kind: Kind::Is(IsTest::Null, false, Box::new(e)), ty: truth_type(false) }
}

/// Has a condition of an outer join that has become one of all rows find the zero date, as [`is_null_or_zero_date`] does.
pub fn find_zero_dates(condition: &mut Expr) {
    match &mut condition.kind {
        Kind::And(list) | Kind::Or(list) => list.iter_mut().for_each(find_zero_dates),
        Kind::Is(IsTest::Null, false, operand) => {
            let Some(zero) = zero_date(operand) else { return };
            let equal = equality((**operand).clone(), Comparison::DateTime, constant(zero));
            *condition = or(vec![condition.clone(), equal]);
        }
        _ => {}
    }
}

fn zero_date(e: &Expr) -> Option<Value> {
    let firm = !e.ty.nullable || matches!(&e.ty.origin, Named::Column(origin) if origin.firm);
    match e.ty.kind {
        _ if !firm || !matches!(e.kind, Kind::Column(_)) => None,
        TypeKind::Date => Some(Value::Date(Date::ZERO)),
        TypeKind::DateTime => Some(Value::DateTime(DateTime::ZERO, 0)),
        _ => None,
    }
}

fn is_outer(e: &Expr) -> bool {
    matches!(&e.ty.origin, Named::Column(origin) if origin.outer)
}
