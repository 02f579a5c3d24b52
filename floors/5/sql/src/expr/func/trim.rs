//! TRIM.

use super::super::build::{call, settle_bytes, settle_each};
use super::super::{Evaluate, Expr, Type};
use super::string::{compared_collation_of, copied, long_text, same_text, shared_text, text_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use crate::syntax::ast::TrimSide;
use types::{Bytes, Value};

/// `TRIM(side what FROM operand)`.
pub fn trim(side: TrimSide, what: Option<Expr>, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let (name, evaluate): (_, Evaluate) = match side {
        TrimSide::Both => ("trim", |cx, args, ty| trimmed(cx, &args[0], args.get(1), TrimSide::Both, ty)),
        TrimSide::Leading => {
            ("ltrim", |cx, args, ty| trimmed(cx, &args[0], args.get(1), TrimSide::Leading, ty))
        }
        TrimSide::Trailing => {
            ("rtrim", |cx, args, ty| trimmed(cx, &args[0], args.get(1), TrimSide::Trailing, ty))
        }
    };
    let mut ty = same_text(std::slice::from_ref(&operand), state)?;
    if let Some(what) = &what {
        let (collation, coercibility) = compared_collation_of(&[what.clone(), operand.clone()], name, state)?;
        ty = long_text(text_length(&operand.ty), collation, coercibility, true);
    }
    let mut args = vec![operand];
    args.extend(what);
    let mut asked: Vec<&mut Expr> = args.iter_mut().rev().collect();
    settle_each(&mut asked, name, state, |e| settle_bytes(ty.collation, e))?;
    call(name, evaluate, args, ty, state)
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
