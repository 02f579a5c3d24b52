//! JSON_QUOTE and JSON_UNQUOTE: a text as a string of a document, and back.

use super::document::{self, Json, quoted};
use super::{
    Written, before_layout, fault_message, glance_through, is_bytes, like_first, looked_at, out, parsed,
    plain, whole_utf8,
};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::func::string::{long_text, string, text, text_length, text_of_length};
use crate::expr::{Class, Coercibility, Expr, MOST_TEXT_BYTES, Type};
use crate::session::{Level, State};
use types::{CollationId, Value};

/// What is found in a document is no longer than that is.
pub(super) fn found_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = like_first(args, state)?;
    Ok(match text_length(&args[0].ty) {
        length if length > u64::from(MOST_TEXT_BYTES) => {
            long_text(length, ty.collation, ty.coercibility, true)
        }
        _ => ty,
    })
}

pub(super) fn unquote_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let length = text_length(&args[0].ty);
    Ok(long_text(length, CollationId::UTF8MB4_BIN, Coercibility::Coercible, true))
}

pub(super) fn unquote(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let said = |found: Option<&Json<'_>>| match found {
        None => Some(Value::Null),
        Some(Json::Scalar(word)) => Some(out(word.as_ref().to_owned(), ty)),
        Some(Json::Text(raw)) => Some(plain(document::unescaped(raw), ty)),
        Some(_) => None,
    };
    if let Some(found) = glance_through(cx, &args[0], said) {
        return Ok(found);
    }
    let whole = before_layout(&args[0]);
    if is_bytes(whole)
        && let Some(bytes) = text(cx, whole, CollationId::BINARY)?
        && bytes.first() != Some(&b'"')
    {
        // No string of a document: the bytes are the text.
        return Ok(string(bytes, ty));
    }
    looked_at(cx, &args[0])?.map_or(Ok(Value::Null), |text| unquoted(cx, text, ty))
}

/// The characters of the string that a text begins with; any other text as it is.
pub(super) fn unquoted(cx: &mut Cx<'_>, text: Written, ty: &Type) -> Result<Value, SqlError> {
    if !text.trim_ascii_start().starts_with('"') {
        return Ok(text.into_value(ty));
    }
    Ok(match parsed(cx, &text, false)?.map(|(json, _)| json) {
        Ok(Json::Text(raw)) => plain(document::unescaped(&raw), ty),
        Err(fault) if text.starts_with('"') => {
            let (errno, message) = fault_message(&text, fault, 1, "json_unquote");
            cx.state.warn(Level::Warning, errno, message);
            text.into_value(ty)
        }
        _ => text.into_value(ty),
    })
}

pub(super) fn quote_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let length = u64::from(args[0].ty.length) * 12 + 2;
    Ok(text_of_length(length, CollationId::UTF8MB4_BIN, Coercibility::Coercible, true))
}

pub(super) fn quote(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    if !matches!(args[0].ty.class(), Class::Str | Class::Temporal) {
        // A number is no text, but read.
        return args[0].eval(cx).map(|_| Value::Null);
    }
    let text = whole_utf8(cx, &args[0])?.map(Written::in_characters);
    let text = text.filter(|text| text.broken.is_none());
    Ok(text.map_or(Value::Null, |text| out(quoted(&text), ty)))
}
