//! Constants that are computed once a statement.

use super::super::{Call, Comparison, Expr, Kind, Type};
use super::cast::recoded;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::ReadConstant;
use types::{CollationId, Value};

/// Text that is computed of constants as text of a collation: once a statement, and no mode makes errors of what is said of
/// it.
pub fn recode_once(text: Expr, collation: CollationId) -> Expr {
    let ty = Type { collation, ..text.ty.clone() };
    let args = vec![text];
    let call = Call { name: "convert", evaluate: recoded_once, number: None, args, deterministic: true };
    Expr { kind: Kind::Call(call), ty }
}

fn recoded_once(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let key = (std::ptr::from_ref(&args[0]) as usize, Comparison::Str(ty.collation));
    if let Some(known) = cx.state.statement.constants.get(&key) {
        return Ok(known.read.clone());
    }
    let facts = &mut cx.state.statement;
    let strict = (std::mem::take(&mut facts.strict), std::mem::take(&mut facts.warnings_fail));
    let read = recoded(cx, args, ty);
    (cx.state.statement.strict, cx.state.statement.warnings_fail) = strict;
    let constant = ReadConstant { source: Value::Null, read: read? };
    Ok(cx.state.statement.constants.entry(key).or_insert(constant).read.clone())
}
