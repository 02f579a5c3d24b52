//! What a constant is beside a BIGINT column, which is read before the statement runs.

use super::super::func::cast;
use super::super::{Class, Comparison, Expr, Kind, Named, TypeKind, exact};
use super::{constant, silently};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use crate::syntax::ast::CastType;
use types::Value;

/// Whether it is a constant text beside a BIGINT column: it is read as a number once, and no mode makes errors of what is
/// said of it.
pub fn is_text_beside_bigint(column: &Expr, e: &Expr) -> bool {
    can_be_text_beside_bigint(column, e) && e.is_settled()
}

fn is_bigint(column: &Expr) -> bool {
    matches!(column.kind, Kind::Column(_))
        && column.ty.kind == TypeKind::LongLong
        && column.ty.origin.column().is_some()
}

fn can_be_text_beside_bigint(column: &Expr, e: &Expr) -> bool {
    is_bigint(column)
        && e.ty.class() == Class::Str
        && !e.ty.unsigned
        && !e.ty.hex
        && !matches!(e.ty.kind, TypeKind::Null | TypeKind::Fixed(_) | TypeKind::Geometry(_))
}

/// Reads such a text where there is something to say of it: the number that it is.
pub fn number_beside_bigint(column: &Expr, e: &Expr, state: &mut State) -> Result<Option<Expr>, SqlError> {
    // A plan for any text would say nothing of it, or too late.
    let lifted = matches!((&e.kind, &e.ty.origin), (Kind::Param(_), Named::GivenWord));
    state.statement.foreknows |= lifted && can_be_text_beside_bigint(column, e);
    if !is_text_beside_bigint(column, e) {
        return Ok(None);
    }
    let read = |state: &mut State| exact::compared(e, Comparison::Decimal, &mut Cx::new(state, &[]));
    let (Ok(_), false) = silently(state, read) else { return Ok(None) };
    let number = constant(state.leniently(read)?);
    Ok(Some(number))
}

/// As [`number_beside_bigint`], for the constant of a comparison.
pub(super) fn adapt_beside_bigint(column: &Expr, e: &mut Expr, state: &mut State) -> Result<(), SqlError> {
    if let Some(number) = number_beside_bigint(column, e, state)? {
        let nullable = e.ty.nullable;
        *e = number;
        e.ty.nullable = nullable;
    }
    Ok(())
}

/// A date or time beside a BIGINT column that is the same in all rows and has no fraction: the number that it is.
pub fn adapt_time(column: &Expr, e: &mut Expr, state: &mut State) -> Result<(), SqlError> {
    if let Some(number) = number_of_time(column, e, state)? {
        *e = number;
    }
    Ok(())
}

/// The number that such a date or time is.
pub fn number_of_time(column: &Expr, e: &Expr, state: &mut State) -> Result<Option<Expr>, SqlError> {
    let whole = e.ty.class() == Class::Temporal && e.ty.decimals == 0;
    // A column without a sign is not compared with a number below zero.
    let signed = column.ty.unsigned && e.ty.kind == TypeKind::Time;
    let above =
        |e: &Expr| matches!(&e.kind, Kind::Const(Value::Time(time, _)) if *time >= types::Time::default());
    // A plan for any time would do for one below zero, too.
    state.statement.foreknows |= signed && whole && is_bigint(column) && matches!(e.kind, Kind::Param(_));
    if !whole || !is_bigint(column) || !e.is_same_in_all_rows() || signed && !above(e) {
        return Ok(None);
    }
    cast::build(e.clone(), &CastType::Signed, state).map(Some)
}
