//! Functions that change documents.

use super::document::Json;
use super::path::Step;
use super::splice::{self, Change};
use super::{
    Written, before_layout, edit, function, json_like_first, json_of_length, member, member_room, out,
    plain_path, read, read_start, utf8,
};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::func::Function;
use crate::expr::func::cast::relabelled;
use crate::expr::func::long::beside;
use crate::expr::func::pieces::member_collation;
use crate::expr::func::string::{collation_of, text_length, text_of_length};
use crate::expr::{Expr, Type};
use crate::session::{Level, State, Stop};
use types::{Charset, CollationId, Value};

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("json_set", 3, usize::MAX, put_type, |cx, args, ty| changed(
        cx,
        args,
        ty,
        "json_set",
        |text, path, stop| splice::put(text, path, Change::Set, stop)
    )),
    function!("json_insert", 3, usize::MAX, put_type, |cx, args, ty| changed(
        cx,
        args,
        ty,
        "json_insert",
        |text, path, stop| splice::put(text, path, Change::Insert, stop)
    )),
    function!("json_replace", 3, usize::MAX, put_type, |cx, args, ty| changed(
        cx,
        args,
        ty,
        "json_replace",
        |text, path, stop| splice::put(text, path, Change::Replace, stop)
    )),
    function!("json_remove", 2, usize::MAX, json_like_first, remove),
    function!("json_array_append", 3, usize::MAX, array_type, |cx, args, ty| changed(
        cx,
        args,
        ty,
        "json_array_append",
        splice::append
    )),
    function!("json_array_insert", 3, usize::MAX, array_type, |cx, args, ty| changed(
        cx,
        args,
        ty,
        "json_array_insert",
        splice::insert
    )),
    function!("json_merge", 2, usize::MAX, merge_type, |cx, args, ty| preserve(
        cx,
        args,
        ty,
        "json_merge_preserve"
    )),
    function!("json_merge_preserve", 2, usize::MAX, merge_type, |cx, args, ty| preserve(
        cx,
        args,
        ty,
        "json_merge_preserve"
    )),
    function!("json_merge_patch", 2, usize::MAX, merge_type, patch),
];

fn put_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    // MariaDB reckons with the arguments before those that it means.
    let own = |e: &Expr| text_length(&e.ty);
    let pairs = (args.len() - 1) / 2;
    let length = own(&args[0]) + (1..=pairs).map(|k| own(&args[k - 1]) + own(&args[k]) + 10).sum::<u64>();
    json_of_length(args, length, state)
}

fn array_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let room = |pair: &[Expr]| text_length(&pair[1].ty) + 4;
    let length = text_length(&args[0].ty) + args[1..].chunks(2).map(room).sum::<u64>();
    json_of_length(args, length, state)
}

fn merge_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(args, "json_merge_preserve", state)?;
    let length: u64 = args.iter().map(|e| member_room(e, collation)).sum::<u64>() + 2;
    Ok(Type { json: true, ..text_of_length(length, collation, coercibility, true) })
}

/// Where a change of a text at a path goes.
type At = fn(&str, &[Step], &Stop) -> splice::Wanted;

/// Changes a document pair by pair of paths and values. Whatever claims to be a document and is none spoils the one that it
/// goes into.
fn changed(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, name: &str, at: At) -> Result<Value, SqlError> {
    let Some(mut text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    for (i, pair) in args[1..].chunks(2).enumerate() {
        let Some(path) = plain_path(cx, &pair[0], 2 * i + 2, name)? else { return Ok(Value::Null) };
        if name == "json_array_insert" && !matches!(path.last(), Some(Step::Index(_))) {
            return Ok(Value::Null);
        }
        match beside(cx, text.len(), |stop| at(&text, &path, stop))? {
            Ok(Some(splice)) => {
                let value = member(cx, &pair[1], ty.collation.charset())?;
                let Some(value) = value else { return Ok(Value::Null) };
                text.text = beside(cx, text.len(), |_| splice.of(&text, &value))?;
            }
            Ok(None) if name != "json_array_append" => {
                if is_spoilt_beyond(cx, &text, &path, name)? {
                    return Ok(Value::Null);
                }
            }
            _ => return nothing(cx, &text, name),
        }
    }
    Ok(read(cx, &text, 1, name)?.map_or(Value::Null, |json| out(json.to_string(), ty)))
}

/// NULL, behind what there is to say of a document that is read to its end.
fn nothing(cx: &mut Cx<'_>, text: &Written, name: &str) -> Result<Value, SqlError> {
    read(cx, text, 1, name).map(|_| Value::Null)
}

/// Whether a document that a path leads nowhere in, so that it was read to its end, is none, which is told.
fn is_spoilt_beyond(cx: &mut Cx<'_>, text: &Written, path: &[Step], name: &str) -> Result<bool, SqlError> {
    let missed = beside(cx, text.len(), |stop| splice::misses(text, path, stop))?;
    Ok(matches!(missed, Ok(true)) && read(cx, text, 1, name)?.is_none())
}

fn remove(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let name = "json_remove";
    let Some(mut text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    for (i, e) in args[1..].iter().enumerate() {
        let Some(path) = plain_path(cx, e, i + 2, name)? else { return Ok(Value::Null) };
        if path.is_empty() {
            let error = SqlError::json_path_not_allowed("$", i + 2, name);
            cx.state.warn(Level::Warning, error.errno, error.message);
            return Ok(Value::Null);
        }
        match beside(cx, text.len(), |stop| splice::remove(&text, &path, stop))? {
            Ok(Some(splice)) => text.text = beside(cx, text.len(), |_| splice.of(&text, ""))?,
            Ok(None) if is_spoilt_beyond(cx, &text, &path, name)? => return Ok(Value::Null),
            Ok(None) => {}
            Err(_) => return nothing(cx, &text, name),
        }
    }
    Ok(read(cx, &text, 1, name)?.map_or(Value::Null, |json| out(json.to_string(), ty)))
}

/// A document that is merged with others: where they are bytes together, as its own.
fn merged_text(cx: &mut Cx<'_>, e: &Expr, ty: &Type) -> Result<Option<Written>, SqlError> {
    let text = utf8(cx, e)?;
    if ty.collation != CollationId::BINARY {
        return Ok(text);
    }
    let own = member_collation(&before_layout(e).ty, ty).charset();
    Ok(text.map(|text| text.in_bytes(own)))
}

/// What became of documents. Bytes are in the characters of the document that the others went into, which they have to be.
fn merged_value(
    cx: &mut Cx<'_>,
    json: Option<Json<'_>>,
    (first, sent): (&Expr, Charset),
    ty: &Type,
    name: &str,
) -> Value {
    let value = json.map_or(Value::Null, |json| out(json.to_string(), ty));
    let Value::Str(text) = &value else { return value };
    if ty.collation != CollationId::BINARY {
        return value;
    }
    if sent.is_utf8()
        && let Err(fault) = std::str::from_utf8(&text.bytes)
    {
        let error = SqlError::json_bad_character(1, name, fault.valid_up_to());
        cx.state.warn(Level::Warning, error.errno, error.message);
        return Value::Null;
    }
    let own = member_collation(&first.ty, ty);
    relabelled(value, if own.charset() == sent { own } else { sent.default_collation() })
}

fn preserve(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, name: &str) -> Result<Value, SqlError> {
    let mut texts = Vec::with_capacity(args.len());
    for e in args {
        let Some(text) = merged_text(cx, e, ty)? else { return Ok(Value::Null) };
        texts.push(text);
    }
    let mut all: Option<Json<'_>> = None;
    for (i, text) in texts.iter().enumerate() {
        let Some(json) = read_start(cx, text, i + 1, name)? else { return Ok(Value::Null) };
        all = Some(match all {
            None => json,
            Some(before) => beside(cx, text.len(), |_| edit::merged(before, json))?,
        });
    }
    let first = (&args[0], texts[0].sent);
    Ok(merged_value(cx, all, first, ty, name))
}

/// JSON_MERGE_PATCH: what is unknown stays so until something other than an object takes its place.
fn patch(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let texts = args.iter().map(|e| merged_text(cx, e, ty)).collect::<Result<Vec<_>, _>>()?;
    let mut all: Option<Json<'_>> = None;
    let mut first = 0;
    // The first is read along with the second, if there is one.
    let alone = texts.get(1).is_some_and(Option::is_none);
    for (i, text) in texts.iter().enumerate() {
        let json = match text {
            _ if i == 0 && alone => None,
            None => None,
            // Of an object beside nothing no more is read than how it begins.
            Some(text) if i > 0 && all.is_none() && text.trim_start().starts_with('{') => None,
            Some(text) => match read_start(cx, text, i + 1, "json_merge_patch")? {
                None => return Ok(Value::Null),
                // Beside nothing it is taken as a whole, and counts as the first.
                Some(_) if i > 0 && all.is_none() => match read(cx, text, 1, "json_merge_patch")? {
                    None => return Ok(Value::Null),
                    json => json,
                },
                json => json,
            },
        };
        if all.is_none() {
            first = i;
        }
        all = match (all, json) {
            (_, None) => None,
            (None, Some(json)) if i == 0 || !matches!(json, Json::Object(_)) => Some(json),
            (None, _) => None,
            (Some(before), Some(json)) => {
                let bytes = text.as_ref().map_or(0, |text| text.len());
                Some(beside(cx, bytes, |_| edit::patched(before, json))?)
            }
        };
    }
    let first = (&args[first], texts[first].as_ref().map_or(Charset::Binary, |text| text.sent));
    Ok(merged_value(cx, all, first, ty, "json_merge_patch"))
}
