//! Functions that ask about documents.

use super::document::{Begun, Json};
use super::likeness::{self, Search};
use super::path::{Path, find};
use super::{
    Written, begun, fault_message, function, json_of_length, looked_at, out, parsed, path_of, plain_path,
    read, read_start, reads_keys, utf8,
};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build::{escape_of, truth_type};
use crate::expr::func::Function;
use crate::expr::func::long::beside;
use crate::expr::func::pieces::int_type;
use crate::expr::func::string::{collation_alone, text, text_of_length};
use crate::expr::{Class, Coercibility, Expr, Type, compare};
use crate::session::{Level, State};
use types::{Charset, CollationId, Value};

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("json_valid", 1, 1, |_, _| Ok(truth_type(true)), valid),
    function!("json_type", 1, 1, type_type, type_name),
    function!("json_length", 1, 2, |_, _| Ok(Type { nullable: true, ..int_type(&[], 10) }), length),
    function!("json_depth", 1, 1, |args, _| Ok(int_type(args, 10)), depth),
    function!("json_exists", 2, 2, |_, _| Ok(truth_type(true)), exists),
    function!("json_contains", 2, 3, |_, _| Ok(truth_type(true)), contains),
    function!("json_contains_path", 3, usize::MAX, |_, _| Ok(truth_type(true)), contains_path),
    function!("json_overlaps", 2, 2, |_, _| Ok(truth_type(true)), overlaps),
    function!("json_equals", 2, 2, |_, _| Ok(truth_type(true)), equals),
    function!("json_search", 3, usize::MAX, search_type, search),
];

fn valid(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(text) = looked_at(cx, &args[0])? else { return Ok(Value::Null) };
    let Err(fault) = parsed(cx, &text, true)? else { return Ok(Value::Int(1)) };
    let (errno, message) = fault_message(&text, fault, 1, "json_valid");
    cx.state.warn(Level::Note, errno, message);
    Ok(Value::Int(0))
}

fn type_type(_: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let _ = state;
    Ok(text_of_length(12, CollationId::UTF8MB3_GENERAL_CI, Coercibility::Coercible, true))
}

fn type_name(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(text) = looked_at(cx, &args[0])? else { return Ok(Value::Null) };
    let json = read(cx, &text, 1, "json_type")?;
    Ok(json.map_or(Value::Null, |json| out(json.type_name().into(), ty)))
}

/// The first value at an optional path; `None` where something is NULL, no document, or not there.
fn at_path<R>(
    cx: &mut Cx<'_>,
    document: &Expr,
    path: Option<(&Expr, usize)>,
    name: &str,
    ask: impl FnOnce(&Json<'_>) -> R,
) -> Result<Option<R>, SqlError> {
    let Some(text) = looked_at(cx, document)? else { return Ok(None) };
    let path = match path {
        None => Path::default(),
        Some((e, argument)) => match plain_path(cx, e, argument, name)? {
            None => return Ok(None),
            Some(path) => path,
        },
    };
    if let Ok((json, _)) = parsed(cx, &text, true)? {
        let mut found = Vec::new();
        find(&json, &path, &mut found);
        return Ok(found.first().map(|json| ask(json)));
    }
    // What stands behind a scalar is not looked at.
    if let Some(begun) = begun(cx, &text)?.filter(Begun::is_torn)
        && let Some(scalar) = begun.find(&path).first().filter(|json| json.is_scalar())
    {
        return Ok(Some(ask(scalar)));
    }
    read(cx, &text, 1, name).map(|_| None)
}

fn length(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let path = args.get(1).map(|e| (e, 2));
    let whole = |(e, _): (&Expr, usize)| e.peek(cx).is_some_and(|path| compare::shown(path) == "$");
    if path.is_none_or(whole)
        && let Some(text) = looked_at(cx, &args[0])?
        && !text.trim_start().starts_with(['[', '{'])
        && let Ok((Json::Scalar(_) | Json::Text(_), _)) = parsed(cx, &text, false)?
    {
        // What stands behind a scalar is not looked at.
        return Ok(Value::Int(1));
    }
    let length = at_path(cx, &args[0], path, "json_length", |json| json.members() as i64)?;
    Ok(length.map_or(Value::Null, Value::Int))
}

fn depth(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let depth = at_path(cx, &args[0], None, "json_depth", |json| json.depth() as i64)?;
    Ok(depth.map_or(Value::Null, Value::Int))
}

fn exists(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    // A path is read whatever the document is.
    let (text, path) = (looked_at(cx, &args[0])?, path_of(cx, &args[1], 2, "json_exists")?);
    let (Some(text), Some(path)) = (text, path) else { return Ok(Value::Null) };
    if path.is_empty() {
        // The whole is there, whatever it is.
        return Ok(Value::from(true));
    }
    // Where something begins it is there.
    let found = begun(cx, &text)?.is_some_and(|begun| !begun.find(&path).is_empty());
    if !found && read(cx, &text, 1, "json_exists")?.is_none() {
        // It was read to its end in vain.
        return Ok(Value::Null);
    }
    Ok(Value::from(found))
}

fn contains(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(text) = looked_at(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(wanted) = looked_at(cx, &args[1])? else { return Ok(Value::Null) };
    let path = args.get(2).map(|e| (e, 3));
    let path = match path {
        None => Path::default(),
        Some((e, argument)) => match plain_path(cx, e, argument, "json_contains")? {
            None => return Ok(Value::Null),
            Some(path) => path,
        },
    };
    let begun = begun(cx, &text)?;
    let found = begun.as_ref().and_then(|begun| begun.first(&path));
    // Neither is read further than to its beginning where that says all.
    let target = if path.is_empty() { begun.as_ref().map(|begun| &begun.json) } else { found };
    let opening = wanted.trim_start_matches([' ', '\t', '\n', '\r']).chars().next();
    match (target, opening) {
        (Some(Json::Object(_)), Some('[')) => return Ok(Value::from(false)),
        (Some(Json::Scalar(_) | Json::Text(_)), Some('[' | '{')) => return Ok(Value::from(false)),
        (Some(Json::Object(_)), opening) if opening != Some('{') => {
            let scalar = read_start(cx, &wanted, 2, "json_contains")?;
            return Ok(scalar.map_or(Value::Null, |_| Value::from(false)));
        }
        _ => {}
    }
    // What begins there is read further once what is wanted begins, too.
    let begins = begun.as_ref().is_some_and(|begun| !begun.find(&path).is_empty());
    let wants_scalar = !matches!(opening, Some('[' | '{'));
    if begins && wants_scalar && read_start(cx, &wanted, 2, "json_contains")?.is_none() {
        return Ok(Value::Null);
    }
    // Where nothing is found what is wanted is not looked at.
    let Some(json) = found else {
        // It was read to its end in vain.
        return Ok(read(cx, &text, 1, "json_contains")?.map_or(Value::Null, |_| Value::from(false)));
    };
    let sets = (text.charset, wanted.charset);
    let Some(wanted) = read_start(cx, &wanted, 2, "json_contains")? else { return Ok(Value::Null) };
    Ok(Value::from(beside(cx, text.len(), |_| likeness::contains(json, &wanted, sets))?))
}

/// Whether the second argument asks for one match (or all); `None` with a warning where it says neither.
fn one_or_all(cx: &mut Cx<'_>, e: &Expr, name: &str) -> Result<Option<bool>, SqlError> {
    let Some(word) = looked_at(cx, e)? else { return Ok(None) };
    match word.to_ascii_lowercase().as_str() {
        "one" => Ok(Some(true)),
        "all" => Ok(Some(false)),
        _ => {
            let error = SqlError::json_one_or_all(name);
            cx.state.warn(Level::Warning, error.errno, error.message);
            Ok(None)
        }
    }
}

fn contains_path(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let name = "json_contains_path";
    let Some(text) = looked_at(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(one) = one_or_all(cx, &args[1], name)? else { return Ok(Value::Null) };
    let mut paths = Vec::new();
    for (i, e) in args[2..].iter().enumerate() {
        let Some(path) = path_of(cx, e, i + 3, name)? else { return Ok(Value::Null) };
        paths.push((path, e));
    }
    let Some(json) = read(cx, &text, 1, name)? else { return Ok(Value::Null) };
    let leads = |(path, e): &(Path, &Expr)| {
        let mut found = Vec::new();
        if reads_keys(&args[0], path, e) {
            find(&json, path, &mut found);
        }
        !found.is_empty()
    };
    Ok(Value::from(if one { paths.iter().any(leads) } else { paths.iter().all(leads) }))
}

/// Documents that are none overlap with nothing.
fn overlaps(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(first) = looked_at(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(second) = looked_at(cx, &args[1])? else { return Ok(Value::Null) };
    let Some(a) = read_start(cx, &first, 1, "json_overlaps")? else { return Ok(Value::from(false)) };
    let Some(b) = read_start(cx, &second, 2, "json_overlaps")? else { return Ok(Value::from(false)) };
    let sets = (first.charset, second.charset);
    Ok(Value::from(beside(cx, first.len() + second.len(), |_| likeness::overlaps(&a, &b, sets))?))
}

fn equals(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(first) = looked_at(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(second) = looked_at(cx, &args[1])? else { return Ok(Value::Null) };
    let [first, second] = [first, second].map(Written::in_utf8);
    let Some(a) = read(cx, &first, 1, "json_equals")? else { return Ok(Value::Null) };
    let Some(b) = read(cx, &second, 2, "json_equals")? else { return Ok(Value::Null) };
    let bytes = first.len() + second.len();
    Ok(Value::from(beside(cx, bytes, |_| likeness::normal(&a) == likeness::normal(&b))?))
}

fn search_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    if let Some(escape) = args.get(3) {
        escape_of(escape, collation_alone(&args[0]).0, state)?;
    }
    // Bytes times bytes.
    let (collation, _) = collation_alone(&args[0]);
    let length = u64::from(args[0].ty.length);
    let squared = length.saturating_mul(length);
    let most = squared.saturating_mul(collation.charset().max_char_bytes() as u64);
    json_of_length(args, most, state)
}

/// What JSON_SEARCH looks for, as it is written.
fn pattern_bytes(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Vec<u8>>, SqlError> {
    match e.ty.collation.charset() {
        own if e.ty.class() == Class::Str && own != Charset::Utf8mb4 => text(cx, e, e.ty.collation),
        _ => Ok(utf8(cx, e)?.map(|written| written.text.into_bytes())),
    }
}

fn search(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let name = "json_search";
    let (document, pattern) = (utf8(cx, &args[0])?, pattern_bytes(cx, &args[2])?);
    let (Some(text), Some(pattern)) = (document, pattern) else { return Ok(Value::Null) };
    let Some(one) = one_or_all(cx, &args[1], name)? else { return Ok(Value::Null) };
    let escape = match args.get(3) {
        None => Some('\\'),
        Some(e) => match utf8(cx, e)?.filter(|text| !text.is_empty()) {
            None => Some('\\'),
            Some(text) if text.chars().count() == 1 => text.chars().next(),
            Some(_) => return Err(SqlError::wrong_arguments("ESCAPE")),
        },
    };
    let mut paths = Vec::new();
    for (i, e) in args.iter().enumerate().skip(4) {
        let Some(path) = path_of(cx, e, i + 1, name)? else { return Ok(Value::Null) };
        paths.push(path);
    }
    let Some(begun) = begun(cx, &text)?.filter(|begun| one || !begun.is_torn()) else {
        return read(cx, &text, 1, name).map(|_| Value::Null);
    };
    let json = &begun.json;
    let within: Vec<&Json<'_>> = paths.iter().flat_map(|path| begun.find(path)).collect();
    let starts = |value: &Json<'_>| within.iter().any(|place| std::ptr::eq(*place, value));
    let mut search = Search {
        collation: ty.collation.collation(),
        pattern: &pattern,
        escape: escape.map(u32::from),
        one,
        found: Vec::new(),
    };
    search.walk(json, &mut "$".to_owned(), paths.is_empty(), &starts);
    Ok(match &search.found[..] {
        [] => {
            // It was read to its end in vain.
            let _ = read(cx, &text, 1, name)?;
            Value::Null
        }
        [one] => out(one.clone(), ty),
        many if one => out(many[0].clone(), ty),
        many => out(format!("[{}]", many.join(", ")), ty),
    })
}
