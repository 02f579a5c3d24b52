//! Constants, parameters, variables.

use super::super::func::string::text_of_length;
use super::super::print::string_text;
use super::super::{
    Class, Coercibility, Expr, Kind, MOST_TEXT_BYTES, Named, Repertoire, Type, TypeKind, USER_TEXT_BYTES,
};
use super::collate;
use super::types::{TEXT_DECIMALS, fixed_type};
use crate::error::SqlError;
use crate::session::{Level, State, variables};
use crate::syntax::ast::{self, Literal};
use crate::syntax::literal;
use types::convert::to_integer;
use types::{Charset, CollationId, DateMode, Decimal, StrValue, Value};

/// A constant, typed by its value.
pub fn constant(value: Value) -> Expr {
    let ty = type_of_value(&value, CollationId::UTF8MB4_GENERAL_CI);
    Expr { kind: Kind::Const(value), ty }
}

fn number_type(kind: TypeKind, length: u32, decimals: u8, unsigned: bool) -> Type {
    Type {
        kind,
        length,
        decimals,
        unsigned,
        zerofill: false,
        nullable: false,
        collation: CollationId::BINARY,
        coercibility: Coercibility::Numeric,
        repertoire: Repertoire::Ascii,
        written: false,
        spare: 0,
        hex: false,
        in_bytes: false,
        json: false,
        truth: false,
        labels: None,
        origin: Named::default(),
    }
}

/// The type of a value as a literal of it would have.
pub fn type_of_value(value: &Value, connection: CollationId) -> Type {
    match value {
        Value::Null => {
            let ty = number_type(TypeKind::Null, 0, 0, false);
            Type { nullable: true, coercibility: Coercibility::Ignorable, ..ty }
        }
        Value::Int(n) => {
            let digits = n.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
            let kind = if digits < 10 { TypeKind::Long } else { TypeKind::LongLong };
            // A negative number's length has the place for its sign already.
            let written = *n >= 0;
            Type { written, ..number_type(kind, digits + u32::from(!written), 0, false) }
        }
        Value::UInt(n) => number_type(TypeKind::LongLong, n.checked_ilog10().unwrap_or(0) + 1, 0, true),
        Value::Float(_) => number_type(TypeKind::Float, 12, 31, false),
        Value::Double(_) => number_type(TypeKind::Double, 23, 31, false),
        Value::Decimal(d) => {
            // One digit before the point even where it is 0, and the sign's place.
            let digits = u32::from(d.precision()).max(u32::from(d.scale()) + 1);
            let length = digits + u32::from(d.scale() > 0) + 1;
            number_type(TypeKind::Decimal, length, d.scale(), false)
        }
        Value::Date(_) => temporal_type(TypeKind::Date, 10, 0, connection),
        Value::Time(_, fsp) => temporal_type(TypeKind::Time, 10 + fraction(*fsp), *fsp, connection),
        Value::DateTime(_, fsp) | Value::Timestamp(_, fsp) => {
            temporal_type(TypeKind::DateTime, 19 + fraction(*fsp), *fsp, connection)
        }
        Value::Year(_) => number_type(TypeKind::Year, 4, 0, true),
        Value::Bit(bit) => number_type(TypeKind::Bit, u32::from(bit.width), 0, true),
        Value::Str(s) => string_type(s, Coercibility::Coercible),
        Value::Enum(e) => string_type(&e.to_str(), Coercibility::Coercible),
        Value::Set(s) => string_type(&s.to_str(), Coercibility::Coercible),
        Value::Fixed(value) => Type { nullable: false, ..fixed_type(value.ty) },
    }
}

fn fraction(fsp: u8) -> u32 {
    if fsp == 0 { 0 } else { u32::from(fsp) + 1 }
}

fn temporal_type(kind: TypeKind, length: u32, fsp: u8, connection: CollationId) -> Type {
    Type { collation: connection, ..number_type(kind, length, fsp, false) }
}

fn string_type(s: &StrValue, coercibility: Coercibility) -> Type {
    let length = s.collation.charset().char_count(&s.bytes) as u32;
    Type {
        repertoire: super::collate::repertoire_of(s),
        collation: s.collation,
        coercibility,
        ..number_type(TypeKind::VarChar, length, TEXT_DECIMALS, false)
    }
}

/// A literal.
pub fn literal(literal: &Literal, state: &mut State) -> Result<Expr, SqlError> {
    let connection = state.vars.collation_connection;
    let value = match literal {
        Literal::Null => Value::Null,
        Literal::Bool(b) => {
            let ty = Type { truth: true, written: true, ..number_type(TypeKind::Long, 5, 0, false) };
            return Ok(Expr { kind: Kind::Const(Value::from(*b)), ty });
        }
        Literal::Int(n) => i64::try_from(*n).map_or(Value::UInt(*n), Value::Int),
        Literal::Decimal(text) => {
            let parsed = Decimal::parse(text.as_bytes());
            let written_scale = text.split_once('.').map_or(0, |(_, digits)| digits.len());
            if written_scale > 38 || parsed.out_of_range {
                let parsed = Value::Decimal(parsed.value);
                let ty = type_of_value(&parsed, connection);
                return Ok(Expr { kind: Kind::Const(parsed), ty });
            }
            let value = Value::Decimal(parsed.value);
            let mut ty = type_of_value(&value, connection);
            // As many digits as were written.
            let digits = text.bytes().filter(u8::is_ascii_digit).count() as u32;
            ty.length = digits.min(65) + u32::from(ty.decimals > 0) + 1;
            return Ok(Expr { kind: Kind::Const(value), ty });
        }
        Literal::Float(text) => {
            let n = text.parse().map_err(|_| SqlError::illegal_value_for_type("double", text))?;
            let n: f64 = n;
            if !n.is_finite() {
                return Err(SqlError::illegal_value_for_type("double", text));
            }
            let ty = number_type(TypeKind::Double, text.len() as u32, 31, false);
            let ty = Type { origin: Named::Written(text.as_str().into()), ..ty };
            return Ok(Expr { kind: Kind::Const(Value::Double(n)), ty });
        }
        Literal::Str(s) => {
            let value = string_literal(s, state)?;
            let ty = string_type(&value, Coercibility::Coercible);
            let origin = introducing(s.charset.as_deref(), &s.bytes);
            return Ok(Expr { kind: Kind::Const(Value::Str(value)), ty: Type { origin, ..ty } });
        }
        Literal::Hex { bytes, quoted, charset } => {
            return bytes_literal(bytes, charset.as_deref(), !quoted);
        }
        Literal::Bit { bytes, charset } => {
            return bytes_literal(bytes, charset.as_deref(), true);
        }
        Literal::Date(text) => Value::Date(literal::date(text, state.date_mode())?),
        Literal::Time(text) => {
            let (time, cut) = literal::time(text)?;
            note_cut_fraction(text, "TIME", cut, state);
            Value::Time(time, written_fraction(text))
        }
        Literal::Timestamp(text) => {
            let (at, cut) = literal::timestamp(text, state.date_mode())?;
            note_cut_fraction(text, "DATETIME", cut, state);
            Value::DateTime(at, written_fraction(text))
        }
    };
    let mut ty = type_of_value(&value, connection);
    if value.is_temporal() {
        ty.collation = CollationId::BINARY;
    }
    // What some mode takes for no date may be NULL.
    let strict = DateMode { no_zero_date: true, no_zero_in_date: true, allow_invalid: false };
    ty.nullable |= match value {
        Value::Date(date) => !date.at_midnight().is_valid(strict),
        Value::DateTime(at, _) => !at.is_valid(strict),
        _ => false,
    };
    Ok(Expr { kind: Kind::Const(value), ty })
}

/// A literal's digits of a second beyond six are cut with a note.
fn note_cut_fraction(text: &str, kind: &str, cut: bool, state: &mut State) {
    if cut {
        let note = SqlError::truncated_wrong_value(kind, text);
        state.warn(Level::Note, note.errno, note.message);
    }
}

fn written_fraction(text: &str) -> u8 {
    text.rsplit_once('.')
        .map_or(0, |(_, digits)| digits.bytes().take_while(u8::is_ascii_digit).count().min(6) as u8)
}

/// `0x..`, `x'..'` and `b'..'`: bytes, which may count as a number, or behind `_charset` text, which must be of its
/// characters (error 1300).
fn bytes_literal(bytes: &[u8], charset_name: Option<&str>, is_number: bool) -> Result<Expr, SqlError> {
    let (s, ty) = match introduced(bytes, charset_name)? {
        Some(s) => {
            let charset = s.collation.charset();
            let good = charset.valid_prefix(&s.bytes);
            if good < s.bytes.len() && charset.is_unicode() {
                return Err(collate::no_characters(charset, &s.bytes[good..]));
            }
            let origin = introducing(charset_name, &s.bytes);
            let ty = string_type(&s, Coercibility::Coercible);
            (s, Type { origin, ..ty })
        }
        None => {
            let s = StrValue::new(bytes, CollationId::BINARY);
            let ty = string_type(&s, Coercibility::Coercible);
            let origin = match is_number {
                true => {
                    let digits = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
                    Named::Written(format!("0x{digits}").into())
                }
                false => Named::default(),
            };
            (s, Type { unsigned: is_number, hex: !is_number, decimals: 0, origin, ..ty })
        }
    };
    Ok(Expr { kind: Kind::Const(Value::Str(s)), ty })
}

/// What text behind `_charset` is to messages: its bytes as they stand.
fn introducing(charset: Option<&str>, bytes: &[u8]) -> Named {
    charset.map_or(Named::Nothing, |name| {
        Named::Written(format!("_{}{}", name.to_lowercase(), string_text(bytes)).into())
    })
}

/// Bytes behind `_charset`: too few for a character get zeros before them.
fn introduced(bytes: &[u8], charset: Option<&str>) -> Result<Option<StrValue>, SqlError> {
    let Some(name) = charset else { return Ok(None) };
    let charset = Charset::by_name(name).ok_or_else(|| SqlError::unknown_character_set(name))?;
    let bytes = Charset::Binary.convert_cow(bytes, charset);
    Ok(Some(StrValue::new(&bytes, charset.default_collation())))
}

/// A string literal: its bytes come in the client's character set and are brought to the connection's.
fn string_literal(s: &ast::StrLiteral, state: &State) -> Result<StrValue, SqlError> {
    if let Some(text) = introduced(&s.bytes, s.charset.as_deref())? {
        return Ok(text);
    }
    let client = state.vars.character_set_client.charset();
    let connection = state.vars.collation_connection;
    if client == connection.charset() || client == Charset::Binary {
        return Ok(StrValue::new(&s.bytes, connection));
    }
    Ok(StrValue::new(&client.convert_cow(&s.bytes, connection.charset()), connection))
}

/// A parameter: typed by its value once that is known, and by what a client announced it as. With `lift` it stays a
/// parameter, of a type wide enough for other values of its kind; else a known value is a constant of this execution, which the
/// planner may look at.
pub fn param(n: u32, value: Option<&Value>, lift: bool, state: &State) -> Expr {
    let connection = state.vars.collation_connection;
    let Some(value) = value else {
        let ty = Type { repertoire: Repertoire::Any, ..type_of_value(&Value::Null, connection) };
        return Expr { kind: Kind::Param(n), ty };
    };
    let mut ty = type_of_value(value, connection);
    let announced = state.announced.get(n as usize);
    ty = match announced {
        Some(kind) => announced_type(ty, *kind),
        None if value.is_null() => Type { origin: Named::GivenNull, ..ty },
        None => ty,
    };
    if !lift {
        // What is computed with it may be NULL another time.
        ty.nullable = true;
        return Expr { kind: Kind::Const(value.clone()), ty };
    }
    match value {
        Value::Int(_) | Value::UInt(_) if announced.is_none() => {
            ty.kind = TypeKind::LongLong;
            ty.length = 20;
        }
        Value::Str(text) => {
            ty.length = ty.length.max(255);
            if super::logic::number_constant(text, false, value, Class::Decimal).is_none() {
                ty.origin = Named::GivenWord;
            }
        }
        _ => {}
    }
    Expr { kind: Kind::Param(n), ty }
}

/// The type of a value as a client announced it: its kind and, but for texts and decimals, its length are those of all its
/// values.
fn announced_type(of: Type, kind: TypeKind) -> Type {
    if of.kind == TypeKind::Null {
        return Type { kind, origin: Named::GivenNull, ..of };
    }
    let temporal = of.class() == Class::Temporal;
    let (collation, origin) = match temporal {
        true => (CollationId::BINARY, Named::GivenDate),
        false => (of.collation, of.origin),
    };
    let of = Type { kind, collation, origin, written: false, ..of };
    match kind {
        TypeKind::Tiny => Type { length: 4, ..of },
        TypeKind::Short => Type { length: 6, ..of },
        TypeKind::Long | TypeKind::Int24 => Type { length: 11, ..of },
        TypeKind::LongLong => Type { length: 21, ..of },
        TypeKind::Float => Type { length: 23, ..of },
        TypeKind::DateTime | TypeKind::Timestamp => Type { length: 19, ..of },
        TypeKind::Time => Type { length: 23, ..of },
        _ => of,
    }
}

/// `@name`.
pub fn user_var(name: &str, state: &State) -> Expr {
    let name = name.to_lowercase();
    let given = state.user_vars.get(&name);
    // Bytes of text, or so many characters, as MariaDB has it.
    let longest = if given.is_some() { USER_TEXT_BYTES } else { MOST_TEXT_BYTES };
    let value = given.unwrap_or(&Value::Null);
    let mut ty = type_of_value(value, state.vars.collation_connection);
    ty.nullable = true;
    if ty.class() == Class::Str {
        ty.coercibility = Coercibility::Implicit;
        ty.repertoire = repertoire_of_variable(&ty);
        ty.kind = TypeKind::LongBlob;
        ty.length = longest;
        ty.decimals = TEXT_DECIMALS;
    }
    if let (Value::Null, Some(of)) = (value, state.user_nulls.get(&name)) {
        ty = match of.class() {
            Class::Int => number_type(TypeKind::LongLong, 20, 0, of.unsigned),
            Class::Decimal => number_type(TypeKind::Decimal, 83, 38, false),
            Class::Real => number_type(TypeKind::Double, 23, 31, false),
            Class::Temporal => Type { collation: CollationId::LATIN1_SWEDISH_CI, ..ty },
            Class::Str if matches!(of.kind, TypeKind::Fixed(_)) => {
                Type { collation: CollationId::LATIN1_SWEDISH_CI, ..ty }
            }
            Class::Str if of.kind == TypeKind::Null => ty,
            Class::Str if matches!(of.kind, TypeKind::Geometry(_)) => {
                Type { kind: of.kind, collation: of.collation, ..ty }
            }
            Class::Str => Type { collation: of.collation, ..ty },
        };
        ty.nullable = true;
    }
    if let (Value::Str(_), Some(Type { kind: kind @ TypeKind::Geometry(_), .. })) =
        (value, state.user_nulls.get(&name))
    {
        ty.kind = *kind;
    }
    match ty.kind {
        TypeKind::Long | TypeKind::LongLong => {
            ty.kind = TypeKind::LongLong;
            ty.length = 20;
            ty.written = false;
        }
        TypeKind::Decimal => {
            ty.length = 83;
            ty.decimals = 38;
        }
        _ => {}
    }
    Expr { kind: Kind::UserVar(name), ty }
}

/// A variable may have any character of its set, whichever it has now.
fn repertoire_of_variable(ty: &Type) -> Repertoire {
    match ty.collation.charset() {
        Charset::Ascii => Repertoire::Ascii,
        _ if ty.kind == TypeKind::Null => ty.repertoire,
        _ => ty.repertoire.max(Repertoire::Plain),
    }
}

/// `@name := value`.
pub fn assign_user_var(name: &str, value: Expr, state: &State) -> Expr {
    let ty = match &value.kind {
        Kind::Const(Value::Null) => assigned_null(name, &value.ty, state),
        _ => assigned_type(&value.ty),
    };
    Expr { kind: Kind::AssignUserVar(name.to_lowercase(), Box::new(value)), ty }
}

/// The type of an assignment of NULL: text of no length, of the character set that the variable has by then if the NULL is
/// written as one.
fn assigned_null(name: &str, null: &Type, state: &State) -> Type {
    let before = user_var(name, state).ty;
    let collation = match before.class() {
        _ if matches!(null.origin, Named::Computed(_)) => CollationId::BINARY,
        Class::Str => before.collation,
        _ => CollationId::LATIN1_SWEDISH_CI,
    };
    Type { decimals: 0, ..text_of_length(0, collation, Coercibility::Implicit, true) }
}

/// The type of an assignment: the variable's kind, the value's length. What is neither number nor text is text.
fn assigned_type(of: &Type) -> Type {
    let repertoire = repertoire_of_variable(of);
    let text = |collation| {
        let text = text_of_length(u64::from(of.length), collation, Coercibility::Implicit, of.nullable);
        Type { repertoire, unsigned: of.unsigned, ..text }
    };
    match (of.class(), of.kind) {
        (_, TypeKind::Null) => of.clone(),
        (Class::Int, _) => {
            let kind = if of.length < 10 { TypeKind::Long } else { TypeKind::LongLong };
            Type { kind, zerofill: false, decimals: 0, ..of.clone() }
        }
        (Class::Real, _) => Type { kind: TypeKind::Double, ..of.clone() },
        (Class::Decimal, _) => of.clone(),
        (Class::Temporal, _) | (Class::Str, TypeKind::Fixed(_)) => {
            Type { decimals: of.decimals, ..text(CollationId::LATIN1_SWEDISH_CI) }
        }
        (Class::Str, TypeKind::Enum | TypeKind::Set) => Type { decimals: 0, ..text(of.collation) },
        (Class::Str, TypeKind::Char | TypeKind::TinyBlob | TypeKind::Blob | TypeKind::MediumBlob) => {
            Type { decimals: of.decimals, ..text(of.collation) }
        }
        // It is the variable's from here on.
        (Class::Str, _) => Type { coercibility: Coercibility::Implicit, repertoire, ..of.clone() },
    }
}

/// `@@name`.
pub fn sys_var(variable: &ast::SysVar, state: &mut State) -> Result<Expr, SqlError> {
    if let Some(base) = &variable.base {
        return Err(SqlError::variable_is_not_struct(base));
    }
    let name = variable.name.to_lowercase();
    let value = variables::read(state, variable.scope, &name)?;
    let mut ty = type_of_value(&value, state.vars.collation_connection);
    match value {
        Value::Int(_) | Value::UInt(_) => {
            ty.kind = TypeKind::LongLong;
            ty.length = 21;
        }
        Value::Str(_) => {
            ty.coercibility = Coercibility::SysConst;
            ty.repertoire = ty.repertoire.max(Repertoire::Plain);
        }
        Value::Double(_) => ty.decimals = 6,
        // A text that there is none of is one still.
        Value::Null => {
            let none = Value::Str(StrValue::new(b"", CollationId::UTF8MB3_GENERAL_CI));
            ty = type_of_value(&none, state.vars.collation_connection);
            ty.coercibility = Coercibility::SysConst;
            ty.repertoire = ty.repertoire.max(Repertoire::Plain);
        }
        _ => {}
    }
    ty.nullable = true;
    Ok(Expr { kind: Kind::SysVar(variable.scope, name), ty })
}

/// A count as LIMIT takes it.
pub fn count_of(value: &Value) -> Result<u64, SqlError> {
    match value {
        Value::Null => Ok(0),
        Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_) | Value::Str(_) => {
            let n = to_integer(value).value;
            // Only a parameter can be negative.
            u64::try_from(n).map_err(|_| SqlError::wrong_arguments("EXECUTE"))
        }
        _ => Err(SqlError::wrong_arguments("LIMIT")),
    }
}

/// A count as LIMIT takes it: from a parameter that came with a type 64 bits without a sign.
pub fn limit_count(value: &Value, state: &State) -> Result<u64, SqlError> {
    match value {
        _ if state.announced.is_empty() => count_of(value),
        Value::Null => Ok(0),
        _ => Ok(to_integer(value).value as u64),
    }
}

/// A count that must be known at bind time.
pub fn constant_count(e: &Expr, params: &[Value], state: &State) -> Result<u64, SqlError> {
    match &e.kind {
        Kind::Const(value) => limit_count(value, state),
        Kind::Param(n) => limit_count(params.get(*n as usize).unwrap_or(&Value::Null), state),
        _ => Err(SqlError::wrong_arguments("LIMIT")),
    }
}
