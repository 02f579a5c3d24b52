//! Regular expressions. MariaDB's are PCRE's; the `regex` crate serves all of them but look-around and
//! back-references, which give MariaDB's error 1139.

use super::super::build::{boolean, call, collate_operands, not};
use super::super::{Expr, Type};
use super::Function;
use super::string::text;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use types::{CollationId, Value};

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[];

/// `operand [NOT] REGEXP pattern`.
pub fn build(operand: Expr, pattern: Expr, negated: bool, state: &mut State) -> Result<Expr, SqlError> {
    let ty = boolean(operand.ty.nullable || pattern.ty.nullable);
    let matched = call("regexp", matches, vec![operand, pattern], ty, state)?;
    Ok(if negated { not(matched) } else { matched })
}

fn matches(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let collation = collate_operands(&[&args[0].ty, &args[1].ty], "regexp")?.0;
    let utf8 = CollationId::UTF8MB4_GENERAL_CI;
    let Some(subject) = text(cx, &args[0], utf8)? else { return Ok(Value::Null) };
    let Some(pattern) = text(cx, &args[1], utf8)? else { return Ok(Value::Null) };
    let pattern = String::from_utf8_lossy(&pattern).into_owned();
    let regex = regex::bytes::RegexBuilder::new(&pattern)
        .case_insensitive(!collation.collation().is_bytewise())
        .size_limit(1 << 20)
        .build()
        .map_err(|error| SqlError::regexp_error(error))?;
    Ok(Value::from(regex.is_match(&subject)))
}
