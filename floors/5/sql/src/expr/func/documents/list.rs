//! JSON_ARRAY, JSON_OBJECT: documents that are put together of values.

use super::{Charset, CollationId, Written, document, is_bytes, is_laid_out, out, quoted, utf8, whole_utf8};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::func::string::{check_length, collation_of, text, text_length, text_of_length, with_digits};
use crate::expr::{Class, Coercibility, Expr, Kind, Type, TypeKind, compare};
use crate::session::State;
use types::{StrValue, Value};

pub(super) fn made_type(args: &[Expr], name: &str, state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = match args.iter().all(|e| e.ty.kind == TypeKind::Null) && !args.is_empty()
    {
        true => (CollationId::BINARY, Coercibility::Ignorable),
        false => collation_of(args, name, state)?,
    };
    let room: u64 = args.iter().map(|e| member_room(e, collation)).sum();
    let length = if args.is_empty() { 0 } else { 2 + room };
    Ok(Type { json: true, ..text_of_length(length, collation, coercibility, true) })
}

/// Characters that a value may take as a member of a document in a collation: of text, each may want an escape.
pub(super) fn member_room(e: &Expr, collation: CollationId) -> u64 {
    let ty = &e.ty;
    // Of a text each character may be escaped, but not of a document; a variable's number, which comes in latin1, is text
    // where that is converted.
    let converted = matches!(e.kind, Kind::UserVar(_)) && collation.charset() != Charset::Latin1;
    let text = (matches!(ty.class(), Class::Str | Class::Temporal) || converted) && !ty.json;
    if ty.is_existence() && collation.charset() != Charset::Binary {
        return 8;
    }
    if ty.truth {
        return "false".len() as u64 + 4;
    }
    (text_length(ty) * if text { 2 } else { 1 }).max(4) + 4
}

/// A value that `e` gave as JSON: numbers as they are, documents whole, other text quoted; a BIT column's bytes are
/// written as characters, without quotes.
pub fn member_text(value: &Value, e: &Expr) -> String {
    match (value, e.ty.class()) {
        (Value::Null, _) => "null".into(),
        (Value::Bit(_), _) => {
            let bytes = compare::text_in(value, CollationId::BINARY).unwrap_or_default();
            document::escaped(&bytes.iter().map(|byte| char::from(*byte)).collect::<String>())
        }
        (_, Class::Int) if e.ty.truth => if compare::shown(value) == "0" { "false" } else { "true" }.into(),
        (_, Class::Int | Class::Decimal | Class::Real) => compare::shown(&with_digits(value.clone(), &e.ty)),
        (Value::Str(s), _) if is_of_bytes(s, e) => {
            // Each byte is a character until the whole document is bytes again.
            let text: String = s.bytes.iter().map(|byte| char::from(*byte)).collect();
            if e.ty.json { text } else { quoted(&text) }
        }
        _ if e.ty.json => compare::shown(value),
        _ => quoted(&compare::shown(value)),
    }
}

/// Whether a text is bytes, as documents may be that are sent as characters.
fn is_of_bytes(text: &StrValue, e: &Expr) -> bool {
    text.collation == CollationId::BINARY || e.ty.json && e.ty.collation == CollationId::BINARY
}

/// What a list converts to have all its members in one character set.
#[derive(Clone, Copy)]
pub struct Converted {
    /// Numbers of user variables, which come in latin1, and so are text where that is converted.
    variables: bool,
    /// All numbers, which are text in a set whose characters are wide.
    numbers: bool,
    /// Bytes, which are text in UTF-8, and nothing where they are ill-formed.
    bytes: bool,
    /// What EXISTS says, which is bytes beside characters.
    exists: bool,
}

impl Converted {
    /// What a list of a collation converts; a user variable without a value leaves those that have one as they are.
    pub fn of(args: &[Expr], collation: CollationId) -> Self {
        let unset = |e: &Expr| matches!(e.kind, Kind::UserVar(_)) && e.ty.class() == Class::Str;
        let bytes = args.iter().any(|e| unset(e) && e.ty.collation == CollationId::BINARY);
        let charset = collation.charset();
        Self {
            exists: charset != Charset::Binary,
            variables: !bytes && !matches!(charset, Charset::Latin1 | Charset::Binary),
            numbers: charset != Charset::Binary && !charset.is_ascii_based(),
            bytes: matches!(charset, Charset::Utf8mb3 | Charset::Utf8mb4),
        }
    }
}

/// As [`member_text`] for a list's member; `None` where it has no text in the list's character set.
pub fn listed_text(value: &Value, e: &Expr, converted: Converted) -> Option<String> {
    let number = matches!(e.ty.class(), Class::Int | Class::Decimal | Class::Real);
    let variable = matches!(e.kind, Kind::UserVar(_));
    match value {
        Value::Null | Value::Bit(_) => {}
        Value::Str(s) if converted.bytes && is_of_bytes(s, e) => {
            let text = std::str::from_utf8(&s.bytes).ok()?;
            return Some(if e.ty.json { text.to_owned() } else { quoted(text) });
        }
        // DECODE may give what is no text of its set.
        _ if is_no_text(value) => return None,
        _ if converted.exists && e.ty.is_existence() => return Some(quoted(&compare::shown(value))),
        _ if variable && converted.variables => return Some(quoted(&compare::shown(value))),
        _ if number && converted.numbers => {
            return Some(quoted(&compare::shown(&with_digits(value.clone(), &e.ty))));
        }
        _ => {}
    }
    Some(member_text(value, e))
}

fn listed(cx: &mut Cx<'_>, e: &Expr, converted: Converted) -> Result<Option<String>, SqlError> {
    match is_laid_out(e) {
        true => member(cx, e, Charset::Utf8mb4),
        false => Ok(listed_text(&e.eval_found(cx)?, e, converted)),
    }
}

/// Whether a value has bytes that are no characters of its set.
fn is_no_text(value: &Value) -> bool {
    match value {
        Value::Str(s) => {
            matches!(s.collation.charset(), Charset::Utf8mb3 | Charset::Utf8mb4)
                && std::str::from_utf8(&s.bytes).is_err()
        }
        _ => false,
    }
}

/// A value as a member of a document that is changed; none where it is no text of its character set.
pub(super) fn member(cx: &mut Cx<'_>, e: &Expr, around: Charset) -> Result<Option<String>, SqlError> {
    if is_laid_out(e) {
        return Ok(Some(utf8(cx, e)?.map_or_else(|| "null".into(), |written| written.text)));
    }
    let value = e.eval_found(cx)?;
    Ok(Some(match &value {
        _ if is_no_text(&value) => return Ok(None),
        Value::Null => member_text(&value, e),
        // Bytes take another document as its bytes.
        Value::Str(own) if e.ty.json && around == Charset::Binary => {
            own.bytes.iter().copied().map(char::from).collect()
        }
        // The document around it is text, whose characters the bytes of another one are read as.
        _ if e.ty.json => compare::shown(&value),
        _ => member_text(&value, e),
    }))
}

/// A member's name; `None` where it has none in the list's character set.
fn name(cx: &mut Cx<'_>, e: &Expr, converted: Converted) -> Result<Option<String>, SqlError> {
    if converted.bytes && is_bytes(e) {
        let bytes = text(cx, e, CollationId::BINARY)?.unwrap_or_default();
        return Ok(std::str::from_utf8(&bytes).ok().map(quoted));
    }
    // It is text like any other, in the layout that it was given.
    let name = whole_utf8(cx, e)?.map(Written::in_characters);
    if name.as_ref().is_some_and(|name| name.broken.is_some()) {
        return Ok(None);
    }
    Ok(Some(quoted(name.as_deref().unwrap_or_default())))
}

/// The text of an object; none where a part of it has no text in its character set.
pub(super) fn object_text(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Option<String>, SqlError> {
    let converted = Converted::of(args, ty.collation);
    let mut members = Vec::with_capacity(args.len() / 2);
    for pair in args.chunks(2) {
        let (name, member) = (name(cx, &pair[0], converted)?, listed(cx, &pair[1], converted)?);
        let (Some(name), Some(member)) = (name, member) else { return Ok(None) };
        members.push(format!("{name}: {member}"));
    }
    Ok(Some(format!("{{{}}}", members.join(", "))))
}

pub(super) fn object(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let text = object_text(cx, args, ty)?;
    Ok(within(cx, text, ty, "json_object"))
}

/// The text of an array; none where a member has no text in its character set.
pub(super) fn array_text(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Option<String>, SqlError> {
    let converted = Converted::of(args, ty.collation);
    let members = args.iter().map(|e| listed(cx, e, converted)).collect::<Result<Option<Vec<_>>, _>>()?;
    Ok(members.map(|members| format!("[{}]", members.join(", "))))
}

pub(super) fn array(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let text = array_text(cx, args, ty)?;
    Ok(within(cx, text, ty, "json_array"))
}

/// A document that was put together, where it is no longer than may be.
fn within(cx: &mut Cx<'_>, text: Option<String>, ty: &Type, function: &str) -> Value {
    match text {
        Some(text) if check_length(text.len() as u64, function, cx) => out(text, ty),
        _ => Value::Null,
    }
}
