//! Dynamic columns: COLUMN_CREATE, COLUMN_ADD, COLUMN_DELETE, COLUMN_GET, COLUMN_EXISTS, COLUMN_LIST, COLUMN_CHECK,
//! COLUMN_JSON. [`mod@format`] is their binary form.
//!
//! The calls that make columns have, behind the document of COLUMN_ADD, three arguments a column: its key, its value and
//! a constant that says the type that was asked for (`Wanted`). COLUMN_DELETE is COLUMN_ADD of NULL.

pub mod format;
mod get;

use super::super::build::{behind_whole, call, constant, places, truth_type};
use super::super::{Class, Coercibility, Expr, Kind, Named, Type, TypeKind, compare, exact, operand};
use super::string::with_digits;
use super::{Function, cast};
use crate::admin::dialect::Dialect;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::plan::Body;
use crate::session::State;
use crate::syntax::ast::CastType;
use format::{Columns, Field, Key, Stored, TooMuch};
pub use get::{build_get, field_value};
use types::temporal::{Date, Time};
use types::{Charset, CollationId, Decimal, StrValue, Value};

macro_rules! function {
    ($name:literal, $args:literal, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $args, max: $args, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module that have no syntax of their own.
pub static FUNCTIONS: &[Function] = &[
    function!("column_check", 1, |args, _| Ok(truth_type(args[0].ty.nullable)), check),
    function!("column_exists", 2, |args, _| Ok(truth_type(args.iter().any(|e| e.ty.nullable))), exists),
    function!("column_list", 1, |_, _| Ok(long_text(CollationId::UTF8MB4_GENERAL_CI)), list),
    function!(
        "column_json",
        1,
        |_, _| Ok(Type { decimals: 0, ..long_text(CollationId::UTF8MB4_GENERAL_CI) }),
        json
    ),
];

/// Levels of columns inside columns that COLUMN_JSON goes down.
const DEPTH: usize = 64;

/// The type of a column's value that was asked for; the tag in the calls' arguments is its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// As the value is.
    Own,
    Int,
    UInt,
    Double,
    Decimal,
    Date,
    Time,
    DateTime,
    /// The value is dynamic columns.
    Nested,
    /// Text, its bytes as they are.
    Text(CollationId),
}

impl Wanted {
    const PLAIN: [Wanted; 9] = [
        Wanted::Own,
        Wanted::Int,
        Wanted::UInt,
        Wanted::Double,
        Wanted::Decimal,
        Wanted::Date,
        Wanted::Time,
        Wanted::DateTime,
        Wanted::Nested,
    ];
    /// Tags of text lie behind those of all others: with the collation's number added.
    const TEXT: i64 = 256;

    fn of(ty: &CastType, state: &State) -> Result<Wanted, SqlError> {
        Ok(match ty {
            CastType::Signed => Wanted::Int,
            CastType::Unsigned => Wanted::UInt,
            CastType::Decimal { .. } => Wanted::Decimal,
            CastType::Date => Wanted::Date,
            CastType::Time(_) => Wanted::Time,
            CastType::DateTime(_) => Wanted::DateTime,
            CastType::Char { charset, .. } => Wanted::Text(match (&charset.charset, &charset.collation) {
                (_, Some(name)) => cast::collation_named(name)?,
                (Some(name), None) => cast::charset_named(name)?.default_collation(),
                (None, None) => state.vars.collation_connection,
            }),
            _ => Wanted::Double,
        })
    }

    fn tag(self) -> i64 {
        match self {
            Wanted::Text(collation) => Wanted::TEXT + i64::from(collation.id()),
            plain => Wanted::PLAIN.iter().position(|known| *known == plain).unwrap_or(0) as i64,
        }
    }

    fn of_tag(tag: &Expr) -> Wanted {
        let Kind::Const(Value::Int(tag)) = tag.kind else { return Wanted::Own };
        match u16::try_from(tag - Wanted::TEXT).ok().and_then(CollationId::from_id) {
            Some(collation) => Wanted::Text(collation),
            None => *Wanted::PLAIN.get(tag as usize).unwrap_or(&Wanted::Own),
        }
    }
}

/// The type that a new column is asked for as, as messages write it; `tag` tells of it.
pub fn made_as(tag: &Expr) -> Option<String> {
    Some(match Wanted::of_tag(tag) {
        Wanted::Own | Wanted::Nested => return None,
        Wanted::Int => "int".into(),
        Wanted::UInt => "unsigned int".into(),
        Wanted::Double => "double".into(),
        Wanted::Decimal => "decimal".into(),
        Wanted::Date => "date".into(),
        Wanted::Time => "time".into(),
        Wanted::DateTime => "datetime".into(),
        Wanted::Text(collation) => {
            format!("char charset {} collate {} ", collation.charset().name(), collation.name())
        }
    })
}

fn long_text(collation: CollationId) -> Type {
    super::string::text_of_length(16_777_216, collation, Coercibility::Coercible, true)
}

/// A column to be made: key, value, the type that is asked for, and whether the value is dynamic columns.
pub struct NewColumn<'t> {
    /// Its key.
    pub key: Expr,
    /// Its value.
    pub value: Expr,
    /// `AS type`.
    pub ty: Option<&'t CastType>,
    /// The value comes from a call that makes dynamic columns.
    pub nested: bool,
}

/// COLUMN_CREATE, and with a document COLUMN_ADD. `named`: the keys are names, whatever their types.
pub fn build_made(
    document: Option<Expr>,
    columns: Vec<NewColumn<'_>>,
    named: bool,
    state: &mut State,
) -> Result<Expr, SqlError> {
    let (name, evaluate): (_, super::Evaluate) = match (&document, named) {
        (None, false) => {
            ("column_create", |cx, args, _| made(cx, Columns::default(), false, args, has_name(args)))
        }
        (None, true) => ("column_create", |cx, args, _| made(cx, Columns::default(), false, args, true)),
        (Some(_), false) => ("column_add", |cx, args, _| add(cx, args, has_name(&args[1..]))),
        (Some(_), true) => ("column_add", |cx, args, _| add(cx, args, true)),
    };
    let mut args: Vec<Expr> = document.into_iter().collect();
    for column in columns {
        let wanted = match column.ty {
            Some(ty) => match Wanted::of(ty, state)? {
                Wanted::Text(_) if column.nested => Wanted::Nested,
                wanted => wanted,
            },
            None if column.nested => Wanted::Nested,
            None => Wanted::Own,
        };
        args.extend([column.key, column.value, constant(Value::Int(wanted.tag()))]);
    }
    let ty = Type { decimals: 0, ..long_text(CollationId::BINARY) };
    call(name, evaluate, args, ty, state)
}

/// A document's bytes; `None` for NULL.
fn bytes_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Vec<u8>>, SqlError> {
    Ok(match e.eval(cx)? {
        Value::Null => None,
        Value::Str(s) => Some(s.bytes.to_vec()),
        other => Some(compare::shown(&other).into_bytes()),
    })
}

/// A document's columns; `None` for NULL, error 1919 where it is none.
fn columns_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Columns>, SqlError> {
    let Some(bytes) = bytes_of(cx, e)? else { return Ok(None) };
    Columns::parse(&bytes).map(Some).ok_or_else(SqlError::dyn_col_wrong_format)
}

/// Text in UTF-8; of bytes each is a character.
fn in_utf8(text: &[u8], collation: CollationId) -> Vec<u8> {
    match collation.charset() {
        Charset::Binary => text.iter().copied().map(char::from).collect::<String>().into_bytes(),
        charset => charset.convert_cow(text, Charset::Utf8mb4).into_owned(),
    }
}

/// A column's key; `None` for NULL. A number that is none of the keys is `Err` of its error.
fn key(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Result<Key, SqlError>>, SqlError> {
    key_as(cx, e, e.ty.class() != Class::Int)
}

/// As [`key`] where it is said whether the key is a name.
fn key_as(cx: &mut Cx<'_>, e: &Expr, named: bool) -> Result<Option<Result<Key, SqlError>>, SqlError> {
    let value = e.eval(cx)?;
    if value.is_null() {
        return Ok(None);
    }
    if !named {
        let number = u16::try_from(operand::integer_of(&value, cx.state));
        return Ok(Some(number.map(Key::Number).map_err(|_| SqlError::dyn_col_data())));
    }
    Ok(Some(Ok(Key::Name(match &with_digits(value, &e.ty) {
        Value::Str(s) => in_utf8(&s.bytes, s.collation),
        other => compare::shown(other).into_bytes(),
    }))))
}

/// Whether keys are names: one is written as such, or a value is dynamic columns.
fn has_name(columns: &[Expr]) -> bool {
    let nested = |tag: &Expr| matches!(Wanted::of_tag(tag), Wanted::Nested);
    columns.chunks_exact(3).any(|column| column[0].ty.class() != Class::Int || nested(&column[2]))
}

fn add(cx: &mut Cx<'_>, args: &[Expr], named: bool) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    let columns = Columns::parse(&bytes).ok_or_else(SqlError::dyn_col_wrong_format)?;
    made(cx, columns, bytes.is_empty(), &args[1..], named)
}

/// Puts columns among those that there are; `void` where these are not even an empty document. All keys are names where
/// the new ones (`named`) or the old ones are.
fn made(
    cx: &mut Cx<'_>,
    mut columns: Columns,
    void: bool,
    args: &[Expr],
    named: bool,
) -> Result<Value, SqlError> {
    if named {
        columns.name_all();
    }
    let mut new: Vec<(Key, Option<Stored>)> = Vec::with_capacity(args.len() / 3);
    for column in args.chunks_exact(3) {
        let [of, value, tag] = column else { continue };
        let Some(key) = key_as(cx, of, columns.named)? else { return Ok(Value::Null) };
        let field = field(cx, value, Wanted::of_tag(tag))?;
        new.push((key?, field.as_ref().map(Stored::from)));
    }
    new.sort_by(|(a, _), (b, _)| a.cmp(b));
    if new.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(SqlError::dyn_col_data());
    }
    let void = void && new.iter().all(|(_, value)| value.is_none());
    for (key, value) in new {
        match value {
            Some(value) => drop(columns.by_key.insert(key, value)),
            None => drop(columns.by_key.remove(&key)),
        }
    }
    match columns.to_bytes() {
        _ if void => Ok(Value::binary(b"")),
        Ok(bytes) => Ok(Value::binary(&bytes)),
        Err(TooMuch) => Err(SqlError::dyn_col_limit()),
    }
}

/// A column's value; `None` for NULL.
fn field(cx: &mut Cx<'_>, e: &Expr, wanted: Wanted) -> Result<Option<Field>, SqlError> {
    let temporal = |cx: &mut Cx<'_>, kind: TypeKind| {
        let ty = Type { kind, decimals: 6, ..super::super::build::boolean(true) };
        operand::converted(cx, e, &ty, false)
    };
    if wanted == Wanted::Own && e.ty.kind == TypeKind::Null {
        // It is not asked for, though it be a subquery that finds several.
        return Ok(None);
    }
    if wanted != Wanted::Own && e.eval(cx)?.is_null() {
        return Ok(None);
    }
    Ok(match wanted {
        Wanted::Own if let Some(text) = operand::unquoted(e) => own_field(text.eval_assigned(cx)?, e),
        Wanted::Own if picks_text(e) => own_field(e.eval_assigned(cx)?, e),
        Wanted::Own => match e.eval_exactly(cx)? {
            // An instant that was chosen is as good as none where the mode does not know it, as any date.
            Value::DateTime(at, _) if e.chooses_date() && !at.is_valid(cx.state.date_mode()) => None,
            value => match own_field(value, e) {
                // MariaDB's oldest character set is that of numbers.
                Some(Field::Text(_, text)) if is_piece_of_number(e) => {
                    Some(Field::Text(CollationId::LATIN1_SWEDISH_CI, text))
                }
                own => own,
            },
        },
        Wanted::Int => operand::integer(cx, e)?.map(|n| Field::Int(n as i64)),
        Wanted::UInt => operand::integer(cx, e)?.map(|n| Field::UInt(n as u64)),
        Wanted::Double => operand::real(cx, e)?.map(Field::Double),
        Wanted::Decimal => operand::decimal(cx, e)?.map(|n| Field::Decimal(n, held_digits(e, &n))),
        // What is no date is the zero date.
        Wanted::Date => Some(match temporal(cx, TypeKind::Date)? {
            Value::Date(date) => Field::Date(date),
            _ => Field::Date(Date::ZERO),
        }),
        Wanted::DateTime => Some(match temporal(cx, TypeKind::DateTime)? {
            Value::DateTime(at, _) => Field::DateTime(at),
            _ => Field::DateTime(Date::ZERO.at_midnight()),
        }),
        Wanted::Time => Some(match temporal(cx, TypeKind::Time)? {
            Value::Time(time, _) => Field::Time(time),
            _ => Field::Time(Time::default()),
        }),
        Wanted::Nested => bytes_of(cx, e)?.map(Field::Nested),
        Wanted::Text(collation) => bytes_of(cx, e)?.map(|text| Field::Text(collation, text)),
    })
}

/// Whether it is a text that COALESCE or CASE chooses, which has the character set of what was chosen.
fn picks_text(e: &Expr) -> bool {
    let picks = match &e.kind {
        Kind::Call(call) => call.name == "coalesce",
        Kind::Case { .. } => true,
        Kind::Const(_) => matches!(&e.ty.origin, Named::Computed(of) if picks_text(of)),
        _ => false,
    };
    picks && e.ty.class() == Class::Str
}

/// Functions that take a text to pieces, or put them together, in the character set of their first argument's value.
const PIECES: &[&str] =
    &["insert", "left", "mid", "repeat", "reverse", "right", "rpad", "substr", "substring"];

/// Whether it is made so of the text of a number, date or time.
fn is_piece_of_number(e: &Expr) -> bool {
    match &e.kind {
        Kind::Call(call) if PIECES.contains(&call.name) => {
            let of = &call.args[0];
            of.ty.class() != Class::Str || is_piece_of_number(of)
        }
        Kind::Const(_) => matches!(&e.ty.origin, Named::Computed(of) if is_piece_of_number(of)),
        Kind::Subquery(subquery) => match &subquery.plan.body {
            Body::Select(select) => select.items.first().is_some_and(is_piece_of_number),
            _ => false,
        },
        _ => false,
    }
}

/// As how many whole digits a decimal is stored, if it has no more: a written one as those it has, what is reckoned in groups
/// of nine, of which a column has no more than it was declared with.
fn held_digits(e: &Expr, n: &Decimal) -> u8 {
    let groups = n.whole_digits().max(1).next_multiple_of(9);
    match &e.kind {
        _ if e.ty.class() != Class::Decimal => 1,
        Kind::Const(_) => match &e.ty.origin {
            Named::Computed(of) => held_digits(of, n),
            _ => 1,
        },
        Kind::Call(call) if exact::chooses(call.name) => 1,
        Kind::Call(call) => match (call.name, call.args.len()) {
            ("abs", _) | ("-", 1) => held_digits(&call.args[0], n),
            ("%" | "mod" | "time_to_sec" | "unix_timestamp", _) => 1,
            // Nothing before the point of a quotient is no group of digits.
            ("/" | "avg", _) if n.whole_digits() == 0 => 0,
            _ => groups,
        },
        Kind::Column(_) if n.whole_digits() == 0 && !is_sum(&e.ty) => 0,
        Kind::Column(_) => groups.min(places(&e.ty, behind_whole(&e.ty)) as u8),
        Kind::Subquery(subquery) => match &subquery.plan.body {
            Body::Select(select) => select.items.first().map_or(1, |item| held_digits(item, n)),
            _ => 1,
        },
        _ => 1,
    }
}

/// Whether it is what a group adds up to.
fn is_sum(ty: &Type) -> bool {
    !matches!(ty.origin, Named::Column(_) | Named::Extreme(..))
}

/// A value as the column that it makes by itself.
fn own_field(value: Value, e: &Expr) -> Option<Field> {
    let ty = &e.ty;
    Some(match value {
        Value::Null => return None,
        Value::Int(n) if ty.unsigned => Field::UInt(n as u64),
        Value::Int(n) => Field::Int(n),
        Value::UInt(n) => Field::UInt(n),
        Value::Double(n) => Field::Double(n),
        Value::Float(n) => Field::Double(f64::from(n)),
        Value::Decimal(n) => Field::Decimal(n, held_digits(e, &n)),
        // What ADDTIME and its like give of texts.
        _ if value.is_temporal() && ty.class() == Class::Str => {
            Field::Text(ty.collation, compare::shown(&value).into_bytes())
        }
        Value::Date(date) => Field::Date(date),
        Value::DateTime(at, _) => Field::DateTime(at),
        Value::Time(time, _) => Field::Time(time),
        Value::Str(s) => Field::Text(s.collation, s.bytes.to_vec()),
        Value::Enum(_) | Value::Set(_) => Field::Text(ty.collation, compare::shown(&value).into_bytes()),
        Value::Fixed(_) => Field::Text(CollationId::LATIN1_SWEDISH_CI, compare::shown(&value).into_bytes()),
        other => match types::convert::to_integer(&other).value {
            n if n < 0 => Field::Int(n as i64),
            n => Field::UInt(n as u64),
        },
    })
}

fn check(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    let columns = Columns::parse(&bytes);
    Ok(Value::from(columns.is_some_and(|columns| columns.by_key.values().all(|v| v.field().is_some()))))
}

/// The column of a key, if there is one: names of numbers are those numbers.
fn find(columns: &Columns, key: Key) -> Option<&Stored> {
    let key = match (columns.named, key) {
        (true, key) => Key::Name(key.into_name()),
        (false, Key::Name(name)) => Key::Number(std::str::from_utf8(&name).ok()?.parse().ok()?),
        (false, key) => key,
    };
    columns.by_key.get(&key)
}

fn exists(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(Ok(key)) = key(cx, &args[1])? else { return Ok(Value::Null) };
    let Some(columns) = columns_of(cx, &args[0])? else { return Ok(Value::Null) };
    Ok(Value::from(find(&columns, key).is_some()))
}

fn list(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(columns) = columns_of(cx, &args[0])? else { return Ok(Value::Null) };
    let dialect = Dialect::of(cx.state)?;
    let mut out = String::new();
    for key in columns.by_key.into_keys() {
        if !out.is_empty() {
            out.push(',');
        }
        dialect.write_name(&String::from_utf8_lossy(&key.into_name()), &mut out);
    }
    Ok(Value::Str(StrValue::owned(out.into_bytes(), ty.collation)))
}

fn json(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    let mut out = Vec::new();
    if !bytes.is_empty() {
        write_json(&bytes, DEPTH, &mut out)?;
    }
    Ok(Value::Str(StrValue::owned(out, ty.collation)))
}

fn write_json(bytes: &[u8], depth: usize, out: &mut Vec<u8>) -> Result<(), SqlError> {
    /// Characters of a decimal at most.
    const DECIMAL: usize = 39;
    let columns = Columns::parse(bytes).filter(|_| depth > 0).ok_or_else(SqlError::dyn_col_wrong_format)?;
    out.push(b'{');
    for (at, (key, stored)) in columns.by_key.into_iter().enumerate() {
        out.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
        out.append(&mut key.into_name());
        out.extend_from_slice(b"\":");
        match stored.field().ok_or_else(SqlError::dyn_col_wrong_format)? {
            Field::Nested(bytes) => write_json(&bytes, depth - 1, out)?,
            Field::Text(collation, text) => write_string(&in_utf8(&text, collation), out),
            Field::Double(0.0) => out.push(b'0'),
            Field::Decimal(n, _) => {
                let mut text = n.to_string().into_bytes();
                let point = text.iter().position(|byte| *byte == b'.').unwrap_or(text.len());
                text.truncate(DECIMAL.max(point));
                out.append(&mut text);
            }
            field @ (Field::Int(_) | Field::UInt(_) | Field::Double(_)) => {
                out.extend_from_slice(compare::shown(&field_value(field)).as_bytes());
            }
            dated => write_string(compare::shown(&field_value(dated)).as_bytes(), out),
        }
    }
    out.push(b'}');
    Ok(())
}

/// A string of JSON.
fn write_string(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0..b' ' => out.extend_from_slice(format!("\\u{byte:04X}").as_bytes()),
            byte => out.push(byte),
        }
    }
    out.push(b'"');
}
