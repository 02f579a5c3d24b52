//! Regular expressions. MariaDB's are PCRE's; the `regex` crate serves all of them but look-around and
//! back-references inside the pattern, which give MariaDB's error 1139.

use super::super::build::{boolean, call, collate_operands, not};
use super::super::{Expr, Type};
use super::Function;
use super::pieces::int_type;
use super::string::{collation_of, string, text, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use regex::bytes::{Captures, Regex, RegexBuilder};
use types::{Charset, CollationId, Value};

/// Memory that a compiled pattern may take.
const SIZE_MAX: usize = 1 << 20;

macro_rules! function {
    ($name:literal, $count:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $count, max: $count, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("regexp_replace", 3, replace_type, replace),
    function!("regexp_substr", 2, substring_type, substring),
    function!("regexp_instr", 2, |args, _| Ok(int_type(args, 11)), position),
];

/// `operand [NOT] REGEXP pattern`.
pub fn build(operand: Expr, pattern: Expr, negated: bool, state: &mut State) -> Result<Expr, SqlError> {
    let ty = boolean(operand.ty.nullable || pattern.ty.nullable);
    let matched = call("regexp", matches, vec![operand, pattern], ty, state)?;
    Ok(if negated { not(matched) } else { matched })
}

/// The subject in UTF-8 (or bytes) and the compiled pattern; `None` where one is NULL.
fn prepare(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<(Vec<u8>, Regex)>, SqlError> {
    let collation = collate_operands(&[&args[0].ty, &args[1].ty], "regexp")?.0;
    let binary = collation == CollationId::BINARY;
    let matched = if binary { CollationId::BINARY } else { CollationId::UTF8MB4_GENERAL_CI };
    let Some(subject) = text(cx, &args[0], matched)? else { return Ok(None) };
    let Some(pattern) = text(cx, &args[1], matched)? else { return Ok(None) };
    let pattern = String::from_utf8_lossy(&pattern).into_owned();
    let built = RegexBuilder::new(&pattern)
        .case_insensitive(!collation.collation().is_bytewise())
        .unicode(!binary)
        .size_limit(SIZE_MAX)
        .build();
    match built {
        Ok(regex) => Ok(Some((subject, regex))),
        Err(error) => {
            let reason = error.to_string();
            Err(SqlError::regexp_error(reason.lines().last().unwrap_or("").trim_start_matches("error: ")))
        }
    }
}

fn matches(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    Ok(prepare(cx, args)?.map_or(Value::Null, |(subject, regex)| Value::from(regex.is_match(&subject))))
}

fn replace_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) =
        collation_of(&[args[0].clone(), args[2].clone()], "regexp_replace", state)?;
    Ok(text_of_length(16_777_216, collation, coercibility, true))
}

fn replace(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some((subject, regex)) = prepare(cx, args)? else { return Ok(Value::Null) };
    let Some(new) = text(cx, &args[2], CollationId::UTF8MB4_GENERAL_CI)? else { return Ok(Value::Null) };
    let replaced = regex.replace_all(&subject, |found: &Captures<'_>| expanded(&new, found));
    Ok(in_type(&replaced, ty))
}

/// A replacement with `\0` to `\9` as the groups found.
fn expanded(new: &[u8], found: &Captures<'_>) -> Vec<u8> {
    let mut out = Vec::with_capacity(new.len());
    let mut bytes = new.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, if byte == b'\\' { bytes.next() } else { None }) {
            (_, Some(digit @ b'0'..=b'9')) => {
                let group = found.get(usize::from(digit - b'0'));
                out.extend_from_slice(group.map_or(&[], |group| group.as_bytes()));
            }
            (_, Some(other)) => out.push(other),
            (other, None) => out.push(other),
        }
    }
    out
}

/// What was matched in UTF-8, in the type's character set.
fn in_type(bytes: &[u8], ty: &Type) -> Value {
    match ty.collation == CollationId::BINARY {
        true => string(bytes.to_vec(), ty),
        false => string(Charset::Utf8mb4.convert_cow(bytes, ty.collation.charset()).into_owned(), ty),
    }
}

fn substring_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(&args[..1], "regexp_substr", state)?;
    Ok(text_of_length(u64::from(args[0].ty.length), collation, coercibility, true))
}

fn substring(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some((subject, regex)) = prepare(cx, args)? else { return Ok(Value::Null) };
    Ok(in_type(regex.find(&subject).map_or(&[], |found| found.as_bytes()), ty))
}

fn position(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some((subject, regex)) = prepare(cx, args)? else { return Ok(Value::Null) };
    Ok(Value::Int(
        regex
            .find(&subject)
            .map_or(0, |found| Charset::Utf8mb4.char_count(&subject[..found.start()]) as i64 + 1),
    ))
}
