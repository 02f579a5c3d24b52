//! Functions that change documents.

use super::document::Json;
use super::edit::{self, Change};
use super::{document, function, json_like_first, json_of_length, member, out, plain_path, read, utf8};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::func::Function;
use crate::expr::{Expr, Type};
use crate::session::{Level, State};
use types::Value;

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("json_set", 3, usize::MAX, put_type, |cx, args, ty| put(cx, args, ty, Change::Set)),
    function!("json_insert", 3, usize::MAX, put_type, |cx, args, ty| put(cx, args, ty, Change::Insert)),
    function!("json_replace", 3, usize::MAX, put_type, |cx, args, ty| put(cx, args, ty, Change::Replace)),
    function!("json_remove", 2, usize::MAX, json_like_first, remove),
    function!("json_array_append", 3, usize::MAX, array_type, |cx, args, ty| changed(
        cx,
        args,
        ty,
        "json_array_append",
        edit::append
    )),
    function!("json_array_insert", 3, usize::MAX, array_type, |cx, args, ty| changed(
        cx,
        args,
        ty,
        "json_array_insert",
        edit::insert
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
    if args.len().is_multiple_of(2) {
        return Err(SqlError::wrong_param_count("JSON_SET"));
    }
    let room = |pair: &[Expr]| u64::from(pair[0].ty.length) + u64::from(pair[1].ty.length).max(4) + 6;
    let length = u64::from(args[0].ty.length) * 2 + args[1..].chunks(2).map(room).sum::<u64>();
    json_of_length(args, length, state)
}

fn array_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    if args.len().is_multiple_of(2) {
        return Err(SqlError::wrong_param_count("JSON_ARRAY_APPEND"));
    }
    let room = |pair: &[Expr]| u64::from(pair[1].ty.length) + 4;
    let length = u64::from(args[0].ty.length) + args[1..].chunks(2).map(room).sum::<u64>();
    json_of_length(args, length, state)
}

fn merge_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let length: u64 = args.iter().map(|e| u64::from(e.ty.length)).sum();
    json_of_length(args, 2 * length + 4 * args.len() as u64 + 2, state)
}

/// The value to put in, as JSON text.
fn value_of(text: &str) -> Json<'_> {
    // Whatever claims to be a document and is none goes in as text.
    document::parse(text).unwrap_or_else(|_| Json::Text(document::escaped(text).into()))
}

/// Pairs of path and value.
type Pairs = Vec<(Vec<super::path::Step>, String)>;

fn pairs(cx: &mut Cx<'_>, args: &[Expr], name: &str) -> Result<Option<Pairs>, SqlError> {
    let mut pairs = Vec::new();
    for (i, pair) in args[1..].chunks(2).enumerate() {
        let Some(path) = plain_path(cx, &pair[0], 2 * i + 2, name)? else { return Ok(None) };
        pairs.push((path, member(cx, &pair[1])?));
    }
    Ok(Some(pairs))
}

fn put(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, change: Change) -> Result<Value, SqlError> {
    let name = match change {
        Change::Set => "json_set",
        Change::Insert => "json_insert",
        Change::Replace => "json_replace",
    };
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(pairs) = pairs(cx, args, name)? else { return Ok(Value::Null) };
    let Some(mut json) = read(cx, &text, 1, name) else { return Ok(Value::Null) };
    for (path, value) in &pairs {
        edit::put(&mut json, path, value_of(value), change);
    }
    Ok(out(json.to_string(), ty))
}

/// A change at a place; says whether there is such a place.
type At = for<'t> fn(&mut Json<'t>, &[super::path::Step], Json<'t>) -> bool;

fn changed(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, name: &str, at: At) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(pairs) = pairs(cx, args, name)? else { return Ok(Value::Null) };
    let Some(mut json) = read(cx, &text, 1, name) else { return Ok(Value::Null) };
    for (path, value) in &pairs {
        if !at(&mut json, path, value_of(value)) {
            return Ok(Value::Null);
        }
    }
    Ok(out(json.to_string(), ty))
}

fn remove(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let mut paths = Vec::new();
    for (i, e) in args[1..].iter().enumerate() {
        let Some(path) = plain_path(cx, e, i + 2, "json_remove")? else { return Ok(Value::Null) };
        if path.is_empty() {
            let error = SqlError::json_path_not_allowed("$", i + 2, "json_remove");
            cx.state.warn(Level::Warning, error.errno, error.message);
            return Ok(Value::Null);
        }
        paths.push(path);
    }
    let Some(mut json) = read(cx, &text, 1, "json_remove") else { return Ok(Value::Null) };
    for path in &paths {
        edit::remove(&mut json, path);
    }
    Ok(out(json.to_string(), ty))
}

fn texts(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Vec<Option<String>>, SqlError> {
    args.iter().map(|e| utf8(cx, e)).collect()
}

fn preserve(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, name: &str) -> Result<Value, SqlError> {
    let texts = texts(cx, args)?;
    let mut all: Option<Json<'_>> = None;
    for (i, text) in texts.iter().enumerate() {
        let Some(text) = text else { return Ok(Value::Null) };
        let Some(json) = read(cx, text, i + 1, name) else { return Ok(Value::Null) };
        all = Some(match all {
            None => json,
            Some(before) => edit::merged(before, json),
        });
    }
    Ok(all.map_or(Value::Null, |json| out(json.to_string(), ty)))
}

/// JSON_MERGE_PATCH: what is unknown stays so until something other than an object takes its place.
fn patch(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let texts = texts(cx, args)?;
    let mut all: Option<Json<'_>> = None;
    for (i, text) in texts.iter().enumerate() {
        let json = match text {
            None => None,
            Some(text) => match read(cx, text, i + 1, "json_merge_patch") {
                None => return Ok(Value::Null),
                json => json,
            },
        };
        all = match (all, json) {
            (_, None) => None,
            (None, Some(json)) if i == 0 || !matches!(json, Json::Object(_)) => Some(json),
            (None, _) => None,
            (Some(before), Some(json)) => Some(edit::patched(before, json)),
        };
    }
    Ok(all.map_or(Value::Null, |json| out(json.to_string(), ty)))
}
