//! JSON documents are text; what is taken out of one keeps its own spelling (`1.50` stays `1.50`).

use super::super::build::boolean;
use super::super::{Class, Coercibility, Expr, Kind, Type, TypeKind, compare};
use super::Function;
use super::pieces::int_type;
use super::string::{collation_of, string, text, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::{CollationId, Value};

mod document;

pub use document::quoted;
use document::{Json, Step};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("json_extract", 2, usize::MAX, extract_type, extract),
    function!("json_value", 2, 2, like_first, |cx, args, ty| single(cx, args, ty, true)),
    function!("json_query", 2, 2, like_first, |cx, args, ty| single(cx, args, ty, false)),
    function!("json_unquote", 1, 1, unquote_type, unquote),
    function!("json_quote", 1, 1, quote_type, quote),
    function!("json_object", 0, usize::MAX, made_type, object),
    function!("json_array", 0, usize::MAX, made_type, array),
    function!("json_type", 1, 1, type_type, type_name),
    function!("json_length", 1, 2, |_, _| Ok(Type { nullable: true, ..int_type(&[], 10) }), length),
    function!("json_depth", 1, 1, |args, _| Ok(int_type(args, 10)), depth),
    function!("json_keys", 1, 2, like_first, keys),
    function!("json_exists", 2, 2, |_, _| Ok(boolean(true)), |cx, args, _| {
        Ok(located(cx, args)?.map_or(Value::Null, |found| Value::from(found.is_some())))
    }),
];

/// A document argument in UTF-8.
fn utf8(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<String>, SqlError> {
    let bytes = text(cx, e, CollationId::UTF8MB4_GENERAL_CI)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Reads a document; what is none gives a warning and nothing.
fn read<'t>(cx: &mut Cx<'_>, text: &'t str, argument: usize, name: &str) -> Option<Json<'t>> {
    match document::parse(text) {
        Ok(json) => Some(json),
        Err(at) => {
            let message = format!(
                "Syntax error in JSON text in argument {argument} to function '{name}' at position {at}"
            );
            cx.state.warn(Level::Warning, 4038, message);
            None
        }
    }
}

fn path(cx: &mut Cx<'_>, e: &Expr, argument: usize, name: &str) -> Result<Option<Vec<Step>>, SqlError> {
    let Some(written) = utf8(cx, e)? else { return Ok(None) };
    match document::path(&written) {
        Ok(path) => Ok(Some(path)),
        Err(at) => {
            let message = format!(
                "Syntax error in JSON path in argument {argument} to function '{name}' at position {at}"
            );
            cx.state.warn(Level::Warning, 4042, message);
            Ok(None)
        }
    }
}

fn out(text: String, ty: &Type) -> Value {
    let bytes = types::Charset::Utf8mb4.convert_cow(text.as_bytes(), ty.collation.charset()).into_owned();
    string(bytes, ty)
}

fn like_first(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(&args[..1], "json", state)?;
    Ok(text_of_length(u64::from(args[0].ty.length), collation, coercibility, true))
}

/// Room for the spaces that come in between, once a path.
fn extract_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = like_first(args, state)?;
    let length = u64::from(args[0].ty.length) * 2 * (args.len() as u64 - 1);
    Ok(text_of_length(length, ty.collation, ty.coercibility, true))
}

fn extract(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(json) = read(cx, &text, 1, "json_extract") else { return Ok(Value::Null) };
    let mut found = Vec::new();
    let mut several = args.len() > 2;
    for (i, e) in args[1..].iter().enumerate() {
        let Some(path) = path(cx, e, i + 2, "json_extract")? else { return Ok(Value::Null) };
        several |= path.iter().any(Step::is_wild);
        json.find(&path, &mut found);
    }
    Ok(match (&found[..], several) {
        ([], _) => Value::Null,
        ([one], false) => out(one.to_string(), ty),
        (many, _) => {
            let texts: Vec<String> = many.iter().map(ToString::to_string).collect();
            out(format!("[{}]", texts.join(", ")), ty)
        }
    })
}

/// What the path of the second argument finds first; the outer `None` where an argument is NULL or no JSON.
fn located(cx: &mut Cx<'_>, args: &[Expr]) -> Result<Option<Option<String>>, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(None) };
    let Some(json) = read(cx, &text, 1, "json_exists") else { return Ok(None) };
    let Some(path) = path(cx, &args[1], 2, "json_exists")? else { return Ok(None) };
    let mut found = Vec::new();
    json.find(&path, &mut found);
    Ok(Some(found.first().map(ToString::to_string)))
}

/// JSON_VALUE takes scalars out, JSON_QUERY arrays and objects.
fn single(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, scalar: bool) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(json) = read(cx, &text, 1, "json_value") else { return Ok(Value::Null) };
    let Some(path) = path(cx, &args[1], 2, "json_value")? else { return Ok(Value::Null) };
    let mut found = Vec::new();
    json.find(&path, &mut found);
    let chosen = found.into_iter().find(|json| json.is_scalar() == scalar);
    Ok(match chosen {
        None => Value::Null,
        Some(Json::Scalar("null")) => Value::Null,
        Some(Json::Scalar("true")) => out("1".into(), ty),
        Some(Json::Scalar("false")) => out("0".into(), ty),
        Some(Json::Text(raw)) => out(document::unescaped(raw), ty),
        // A structure as it was written, a number likewise.
        Some(other) => out(other.written(), ty),
    })
}

fn unquote_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let length = u64::from(args[0].ty.length);
    Ok(text_of_length(length, CollationId::UTF8MB4_BIN, Coercibility::Coercible, true))
}

fn unquote(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    Ok(match document::parse(&text) {
        Ok(Json::Text(raw)) => out(document::unescaped(raw), ty),
        _ => out(text, ty),
    })
}

fn quote_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let length = u64::from(args[0].ty.length) * 12 + 2;
    Ok(text_of_length(length, CollationId::UTF8MB4_BIN, Coercibility::Coercible, true))
}

fn quote(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    if args[0].ty.class() != Class::Str {
        return Ok(Value::Null);
    }
    Ok(utf8(cx, &args[0])?.map_or(Value::Null, |text| out(document::quoted(&text), ty)))
}

fn made_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(args, "json", state)?;
    let length = args.iter().map(|e| u64::from(e.ty.length) * 12 + 4).sum::<u64>();
    Ok(text_of_length(length, collation, coercibility, true))
}

/// A value as JSON: numbers as they are, documents of JSON functions whole, other text quoted.
fn member(cx: &mut Cx<'_>, e: &Expr) -> Result<String, SqlError> {
    let value = e.eval(cx)?;
    Ok(member_text(&value, e))
}

/// A value that `e` gave as JSON.
pub fn member_text(value: &Value, e: &Expr) -> String {
    match (value, e.ty.class()) {
        (Value::Null, _) => "null".into(),
        (_, Class::Int) if is_truth(e) => if compare::shown(value) == "0" { "false" } else { "true" }.into(),
        (_, Class::Int | Class::Decimal | Class::Real) => compare::shown(value),
        _ if makes_json(e) => compare::shown(value),
        _ => document::quoted(&compare::shown(value)),
    }
}

/// Conditions; TRUE and FALSE as written, which are constants whose type is as long as the words.
fn is_truth(e: &Expr) -> bool {
    match &e.kind {
        Kind::Const(_) => !e.ty.written && e.ty.length == 5 && e.ty.kind == TypeKind::Long,
        Kind::And(_)
        | Kind::Or(_)
        | Kind::Not(_)
        | Kind::Compare(..)
        | Kind::CompareRows(..)
        | Kind::Between { .. }
        | Kind::InList { .. }
        | Kind::InRows { .. }
        | Kind::Is(..)
        | Kind::Like { .. } => true,
        _ => false,
    }
}

fn makes_json(e: &Expr) -> bool {
    let Kind::Call(call) = &e.kind else { return false };
    matches!(call.name, "json_object" | "json_array" | "json_extract" | "json_query" | "json_keys")
}

fn object(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    if !args.len().is_multiple_of(2) {
        return Err(SqlError::wrong_param_count("JSON_OBJECT"));
    }
    let mut members = Vec::with_capacity(args.len() / 2);
    for pair in args.chunks(2) {
        let Some(key) = utf8(cx, &pair[0])? else { return Ok(Value::Null) };
        members.push(format!("{}: {}", document::quoted(&key), member(cx, &pair[1])?));
    }
    Ok(out(format!("{{{}}}", members.join(", ")), ty))
}

fn array(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let members = args.iter().map(|e| member(cx, e)).collect::<Result<Vec<_>, _>>()?;
    Ok(out(format!("[{}]", members.join(", ")), ty))
}

fn type_type(_: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(text_of_length(12, state.vars.collation_connection, Coercibility::Coercible, true))
}

fn type_name(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let json = read(cx, &text, 1, "json_type");
    Ok(json.map_or(Value::Null, |json| out(json.type_name().into(), ty)))
}

fn length(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(json) = read(cx, &text, 1, "json_length") else { return Ok(Value::Null) };
    let mut found = Vec::new();
    match args.get(1) {
        None => found.push(&json),
        Some(e) => match path(cx, e, 2, "json_length")? {
            None => return Ok(Value::Null),
            Some(path) => json.find(&path, &mut found),
        },
    }
    Ok(found.first().map_or(Value::Null, |json| Value::Int(json.len() as i64)))
}

fn depth(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let json = read(cx, &text, 1, "json_depth");
    Ok(json.map_or(Value::Null, |json| Value::Int(json.depth() as i64)))
}

fn keys(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(text) = utf8(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(json) = read(cx, &text, 1, "json_keys") else { return Ok(Value::Null) };
    let mut found = Vec::new();
    match args.get(1) {
        None => found.push(&json),
        Some(e) => match path(cx, e, 2, "json_keys")? {
            None => return Ok(Value::Null),
            Some(path) => json.find(&path, &mut found),
        },
    }
    let Some(Json::Object(members)) = found.first() else { return Ok(Value::Null) };
    let names: Vec<String> = members.iter().map(|(key, _)| format!("\"{key}\"")).collect();
    Ok(out(format!("[{}]", names.join(", ")), ty))
}
