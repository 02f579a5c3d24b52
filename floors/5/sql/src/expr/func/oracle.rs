//! The functions that `sql_mode = ORACLE` means by their plain names: NULL and '' are the same to them.

use super::super::build::{self, union_type};
use super::super::compare::{compare_values, matched, side};
use super::super::{Class, Comparison, Expr, Kind, Type, TypeKind};
use super::string::{collation_of, int_arg, string, text, text_of_length};
use super::string_types::replaced_length;
use super::{Function, find};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use types::{CollationId, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("concat_operator_oracle", 2, usize::MAX, |args, state| like("concat", args, state), concat),
    function!("decode_oracle", 3, usize::MAX, decode_type, decode),
    function!("lpad_oracle", 2, 3, |args, state| like("lpad", args, state), |cx, args, ty| or_null(
        cx, "lpad", args, ty
    )),
    function!("rpad_oracle", 2, 3, |args, state| like("rpad", args, state), |cx, args, ty| or_null(
        cx, "rpad", args, ty
    )),
    function!("ltrim_oracle", 1, 1, |args, state| like("ltrim", args, state), |cx, args, ty| or_null(
        cx, "ltrim", args, ty
    )),
    function!("rtrim_oracle", 1, 1, |args, state| like("rtrim", args, state), |cx, args, ty| or_null(
        cx, "rtrim", args, ty
    )),
    // Of what TRIM gives.
    function!(
        "trim_oracle",
        1,
        1,
        |args, _| Ok(Type { nullable: true, ..args[0].ty.clone() }),
        |cx, args, _| { Ok(null_for_empty(args[0].eval(cx)?)) }
    ),
    function!("replace_oracle", 3, 3, replace_type, replace),
    function!("substr_oracle", 2, 3, substr_type, substr),
    function!("lengthb", 1, 1, |args, state| like("length", args, state), |cx, args, ty| plain(
        cx, "length", args, ty
    )),
];

/// The type that the function of another name would have.
fn like(name: &str, args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    match find(name) {
        Some(function) => (function.ty)(args, state),
        None => Ok(build::boolean(true)),
    }
}

fn plain(cx: &mut Cx<'_>, name: &str, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    match find(name) {
        Some(function) => (function.evaluate)(cx, args, ty),
        None => Ok(Value::Null),
    }
}

/// What the function of another name gives, NULL for ''.
fn or_null(cx: &mut Cx<'_>, name: &str, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    Ok(null_for_empty(plain(cx, name, args, ty)?))
}

fn null_for_empty(value: Value) -> Value {
    match value {
        Value::Str(s) if s.bytes.is_empty() => Value::Null,
        other => other,
    }
}

/// `||`: NULL only where all are.
fn concat(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let mut joined: Option<Vec<u8>> = None;
    for e in args {
        if let Some(part) = text(cx, e, ty.collation)? {
            joined.get_or_insert_default().extend_from_slice(&part);
        }
    }
    Ok(joined.map_or(Value::Null, |bytes| string(bytes, ty)))
}

/// The results of DECODE: each second of what follows the operand, and the last where it stands alone.
fn results(args: &[Expr]) -> Vec<&Expr> {
    let mut list: Vec<&Expr> = args[1..].chunks_exact(2).map(|pair| &pair[1]).collect();
    if args.len().is_multiple_of(2) {
        list.extend(args.last());
    }
    list
}

fn decode_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let results = results(args);
    let types: Vec<&Type> = results.iter().map(|e| &e.ty).collect();
    let ty = union_type(&types, "decode", state)?;
    let as_texts = compared_as_texts(args)?;
    for sought in args[1..].chunks_exact(2).map(|pair| &pair[0]) {
        if as_texts.is_none() || !is_text(sought) {
            build::common_fixed(&args[0].ty, &sought.ty, "case..when")?;
        }
    }
    // All arguments count.
    let asked = args.iter().any(|e| e.ty.nullable) && !matches!(ty.kind, TypeKind::Fixed(_));
    let nullable = asked || results.iter().any(|e| e.ty.nullable) || !args.len().is_multiple_of(2);
    Ok(Type { nullable, ..ty })
}

/// `DECODE(operand, a, x, b, y, otherwise)`; NULL equals NULL.
fn decode(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let chosen = chosen(cx, args)?;
    let Some(e) = chosen else { return Ok(Value::Null) };
    match ty.collation == CollationId::BINARY && is_text(e) {
        // Among bytes a text is what it is alone.
        true => e.eval(cx),
        false => e.eval_among(ty, cx),
    }
}

fn is_text(e: &Expr) -> bool {
    e.ty.class() == Class::Str && !matches!(e.ty.kind, TypeKind::Null | TypeKind::Fixed(_))
}

/// Texts are compared under one collation, which all that is compared settles.
fn compared_as_texts(args: &[Expr]) -> Result<Option<Comparison>, SqlError> {
    let sought = || args[1..].chunks_exact(2).map(|pair| &pair[0]);
    if !is_text(&args[0]) && args[0].ty.kind != TypeKind::Null || !sought().any(is_text) {
        return Ok(None);
    }
    let compared: Vec<&Type> = std::iter::once(&args[0]).chain(sought()).map(|e| &e.ty).collect();
    Ok(Some(Comparison::Str(build::collate_operands(&compared, "decode")?.0)))
}

/// The result that the operand leads to.
pub(in crate::expr) fn chosen<'e>(cx: &mut Cx<'_>, args: &'e [Expr]) -> Result<Option<&'e Expr>, SqlError> {
    let as_texts = compared_as_texts(args)?;
    for pair in args[1..].chunks_exact(2) {
        let how = match as_texts {
            Some(how) if is_text(&pair[0]) => how,
            _ => build::comparison(&args[0].ty, &pair[0].ty, cx.state)?,
        };
        let operand = side(&args[0], how, cx)?;
        let other = matched(&pair[0], how, cx)?;
        let same = operand.is_null() && other.is_null()
            || compare_values(&operand, &other, how, cx.state).is_some_and(std::cmp::Ordering::is_eq);
        if same {
            return Ok(Some(&pair[1]));
        }
    }
    Ok(args.last().filter(|_| args.len().is_multiple_of(2)))
}

fn replace_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(args, "replace", state)?;
    like("replace", args, state)?;
    Ok(text_of_length(replaced_length(args), collation, coercibility, true))
}

/// REPLACE that takes NULL for ''.
fn replace(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = text(cx, &args[0], ty.collation)? else { return Ok(Value::Null) };
    let from = text(cx, &args[1], ty.collation)?.unwrap_or_default();
    let charset = ty.collation.charset();
    // Byte for byte: where nothing is found the text stays as it is, '' too.
    let bytewise = charset.max_char_bytes() == 1 || ty.collation.collation().is_bytewise();
    if from.is_empty() || bytewise && memchr::memmem::find(&bytes, &from).is_none() {
        return Ok(string(bytes, ty));
    }
    let to = text(cx, &args[2], ty.collation)?.unwrap_or_default();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        if bytes[at..].starts_with(&from) {
            out.extend_from_slice(&to);
            at += from.len();
        } else {
            let len = charset.char_len(&bytes[at..]).clamp(1, bytes.len() - at);
            out.extend_from_slice(&bytes[at..at + len]);
            at += len;
        }
    }
    Ok(if out.is_empty() { Value::Null } else { string(out, ty) })
}

/// As long as from position 1 where a constant 0 is asked for.
fn substr_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let mut args = args.to_vec();
    if matches!(args[1].kind, Kind::Const(Value::Int(0))) {
        args[1] = build::constant(Value::Int(1));
    }
    like("substr", &args, state)
}

/// SUBSTR whose position 0 is 1.
fn substr(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(position) = int_arg(cx, &args[1])? else { return Ok(Value::Null) };
    if position != 0 {
        return or_null(cx, "substr", args, ty);
    }
    let mut args = args.to_vec();
    args[1] = build::constant(Value::Int(1));
    or_null(cx, "substr", &args, ty)
}
