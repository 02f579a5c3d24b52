//! TRIM.

use super::super::build::{call, constant, settle_bytes, settle_each};
use super::super::{Expr, Type};
use super::string::{compared_collation_of, copied, long_text, same_text, shared_text, text_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use crate::syntax::ast::TrimSide;
use types::{Bytes, Value};

/// `TRIM(side what FROM operand)`.
pub fn trim(side: TrimSide, what: Option<Expr>, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let mut ty = same_text(std::slice::from_ref(&operand), state)?;
    if let Some(what) = &what {
        let name = match side {
            TrimSide::Both => "trim",
            TrimSide::Leading => "ltrim",
            TrimSide::Trailing => "rtrim",
        };
        let (collation, coercibility) = compared_collation_of(&[what.clone(), operand.clone()], name, state)?;
        ty = long_text(text_length(&operand.ty), collation, coercibility, true);
    }
    let (mut operand, mut what) = (operand, what.unwrap_or_else(|| constant(Value::text(" "))));
    settle_each(&mut [&mut what, &mut operand], "trim", state, |e| settle_bytes(ty.collation, e))?;
    let args = vec![operand, what];
    match side {
        TrimSide::Both => call(
            "trim",
            |cx, args, ty| trimmed(cx, &args[0], Some(&args[1]), TrimSide::Both, ty),
            args,
            ty,
            state,
        ),
        TrimSide::Leading => call(
            "trim",
            |cx, args, ty| trimmed(cx, &args[0], Some(&args[1]), TrimSide::Leading, ty),
            args,
            ty,
            state,
        ),
        TrimSide::Trailing => call(
            "trim",
            |cx, args, ty| trimmed(cx, &args[0], Some(&args[1]), TrimSide::Trailing, ty),
            args,
            ty,
            state,
        ),
    }
}

/// A text without what stands at its ends: `what`, a space where there is none.
pub(super) fn trimmed(
    cx: &mut Cx<'_>,
    e: &Expr,
    what: Option<&Expr>,
    side: TrimSide,
    ty: &Type,
) -> Result<Value, SqlError> {
    let Some(bytes) = shared_text(cx, e, ty.collation)? else { return Ok(Value::Null) };
    let what = match what {
        None => Bytes::from(ty.collation.charset().space()),
        Some(e) => match shared_text(cx, e, ty.collation)? {
            None => return Ok(Value::Null),
            Some(what) => what,
        },
    };
    let mut rest = &bytes[..];
    if !what.is_empty() {
        while side != TrimSide::Trailing && rest.starts_with(&what) {
            rest = &rest[what.len()..];
        }
        while side != TrimSide::Leading && rest.ends_with(&what) {
            rest = &rest[..rest.len() - what.len()];
        }
    }
    Ok(copied(rest, ty))
}
