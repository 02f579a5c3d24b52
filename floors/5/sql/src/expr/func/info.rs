//! Functions that tell of the session and the server.

use super::super::build::boolean;
use super::super::{Coercibility, Expr, Type, TypeKind};
use super::Function;
use super::string::{check_length, string, text, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State, files};
use types::convert::{to_double, to_integer};
use types::{CollationId, StrValue, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: false }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("database", 0, 0, system_text, database),
    function!("schema", 0, 0, system_text, database),
    function!("version", 0, 0, system_text, |cx, _, _| Ok(cx.state.host.fact("version").unwrap_or_default())),
    function!("user", 0, 0, account_text, user),
    function!("session_user", 0, 0, account_text, user),
    function!("system_user", 0, 0, account_text, user),
    function!("current_user", 0, 0, account_text, |cx, _, _| Ok(system(&cx.state.account))),
    function!("current_role", 0, 0, role_text, |cx, _, _| {
        Ok(cx.state.role.as_deref().map_or(Value::Null, system))
    }),
    function!("connection_id", 0, 0, connection_id_type, |cx, _, _| Ok(Value::UInt(cx.state.connection_id))),
    function!("last_insert_id", 0, 1, last_insert_id_type, last_insert_id),
    function!("row_count", 0, 0, |_, _| Ok(big_int(false)), |cx, _, _| Ok(Value::Int(cx.state.row_count))),
    function!("found_rows", 0, 0, |_, _| Ok(big_int(false)), |cx, _, _| Ok(Value::Int(
        cx.state.found_rows as i64
    ))),
    function!("rownum", 0, 0, |_, _| Ok(Type { nullable: true, ..big_int(true) }), |cx, _, _| Ok(
        Value::UInt(cx.state.statement.row)
    )),
    of_type(function!("charset", 1, 1, told_text, |_, args, _| {
        Ok(system(args[0].ty.collation.charset().name()))
    })),
    of_type(function!("collation", 1, 1, told_text, |_, args, _| Ok(system(args[0].ty.collation.name())))),
    of_type(function!(
        "coercibility",
        1,
        1,
        |_, _| Ok(Type { length: 10, ..boolean(false) }),
        |_, args, _| { Ok(Value::Int(args[0].ty.coercibility as i64)) }
    )),
    function!("load_file", 1, 1, file_type, load_file),
    function!("sleep", 1, 1, |args, _| Ok(boolean(args[0].ty.nullable)), sleep),
    function!("benchmark", 2, 2, |_, _| Ok(boolean(false)), benchmark),
];

/// Functions that ask their argument for its type alone: constants, whatever that reads.
pub const OF_TYPES: &[&str] = &["charset", "collation", "coercibility"];

/// One of [`OF_TYPES`].
const fn of_type(function: Function) -> Function {
    Function { deterministic: true, ..function }
}

/// A text that the system made: utf8mb3, and weak.
fn system_text(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(text_of_length(64, CollationId::UTF8MB3_GENERAL_CI, Coercibility::SysConst, true))
}

/// `user@host`.
fn account_text(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(Type { length: 384, ..system_text(args, state)? })
}

/// A role's name, nothing while none is set.
fn role_text(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(Type { length: 128, nullable: state.role.is_none(), ..system_text(args, state)? })
}

/// As [`system_text`] of what is told of an argument: as weak as a literal.
fn told_text(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(Type { coercibility: Coercibility::Coercible, ..system_text(args, state)? })
}

fn system(text: &str) -> Value {
    Value::Str(StrValue::new(text.as_bytes(), CollationId::UTF8MB3_GENERAL_CI))
}

fn big_int(unsigned: bool) -> Type {
    Type { kind: TypeKind::LongLong, length: 21, unsigned, ..boolean(false) }
}

fn connection_id_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(Type { kind: TypeKind::Long, length: 10, ..big_int(true) })
}

fn unsigned_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(big_int(true))
}

/// With an argument: as long as that.
fn last_insert_id_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let ty = unsigned_type(args, state)?;
    Ok(match args.first() {
        Some(e) => Type { length: e.ty.length.clamp(1, 21), nullable: e.ty.nullable, ..ty },
        None => ty,
    })
}

fn database(cx: &mut Cx<'_>, _: &[Expr], _: &Type) -> Result<Value, SqlError> {
    Ok(cx.state.database.as_deref().map_or(Value::Null, system))
}

fn user(cx: &mut Cx<'_>, _: &[Expr], _: &Type) -> Result<Value, SqlError> {
    Ok(system(&format!("{}@{}", cx.state.user, cx.state.client_host)))
}

fn last_insert_id(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(e) = args.first() else { return Ok(Value::UInt(cx.state.last_insert_id)) };
    let value = e.eval(cx)?;
    let id = to_integer(&value).value as u64;
    cx.state.last_insert_id = id;
    cx.state.statement.insert_id = id;
    Ok(if value.is_null() { Value::Null } else { Value::UInt(id) })
}

fn file_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(text_of_length(16_777_216, CollationId::BINARY, Coercibility::Coercible, true))
}

/// NULL for a file that is not there, may not be read, or is longer than `max_allowed_packet`.
fn load_file(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(path) = text(cx, &args[0], CollationId::UTF8MB4_GENERAL_CI)? else { return Ok(Value::Null) };
    let path = String::from_utf8_lossy(&path).into_owned();
    let mut length = 0;
    let max = cx.state.vars.max_allowed_packet;
    let content = files::content(cx.state, &path, |bytes| {
        length = bytes;
        bytes <= max
    });
    check_length(length, "load_file", cx);
    Ok(content.map_or(Value::Null, |bytes| string(bytes, ty)))
}

fn sleep(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let value = args[0].eval(cx)?;
    let seconds = to_double(&value).value;
    if value.is_null() || seconds.is_nan() || seconds <= 0.0 {
        return Ok(Value::Int(0));
    }
    let mut left = std::time::Duration::try_from_secs_f64(seconds).unwrap_or(std::time::Duration::MAX);
    let step = std::time::Duration::from_millis(50);
    while !left.is_zero() {
        cx.check_interrupt()?;
        let now = left.min(step);
        runtime::sleep(now);
        left -= now;
    }
    Ok(Value::Int(0))
}

fn benchmark(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let count = args[0].eval(cx)?;
    if count.is_null() {
        return Ok(Value::Null);
    }
    let n = to_integer(&count).value;
    if n < 0 {
        let refused = SqlError::wrong_value_for_function("count", n, "benchmark");
        cx.state.warn(Level::Warning, refused.errno, refused.message);
        return Ok(Value::Null);
    }
    for _ in 0..n {
        cx.check_interrupt()?;
        args[1].eval(cx)?;
    }
    Ok(Value::Int(0))
}
