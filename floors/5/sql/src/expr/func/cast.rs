//! CAST, CONVERT, COLLATE.

use super::super::build::{call, refuse_opaque, temporal_digits, type_of_value, whole_digits};
use super::super::{Class, Coercibility, Expr, Kind, Named, Type, TypeKind, compare, operand, store};
use super::long;
use super::string::{check_length, long_text, text_length, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use crate::syntax::ast::CastType;
use types::convert::to_integer;
use types::decimal::Rounding;
use types::{Charset, Collation, CollationId, Decimal, FixedType, StrValue, Value};

fn base(kind: TypeKind, length: u32, decimals: u8) -> Type {
    Type { kind, length, decimals, ..super::super::build::boolean(true) }
}

/// The type of a cast to text: no fraction is told of it.
fn text_type(length: u32, collation: CollationId, coercibility: Coercibility) -> Type {
    let ty = text_of_length(u64::from(length), collation, coercibility, true);
    Type { decimals: 0, ..ty }
}

fn integer_type(length: u32, unsigned: bool, nullable: bool) -> Type {
    let kind = if length < 10 { TypeKind::Long } else { TypeKind::LongLong };
    Type { unsigned, nullable, ..base(kind, length, 0) }
}

/// Bytes of a binary literal, which counts as a number: the digits of its widest value.
fn literal_length(operand: &Expr) -> Option<u32> {
    let is_literal = operand.ty.class() == Class::Str && operand.ty.unsigned;
    is_literal.then(|| (operand.ty.length * 12).div_ceil(5).min(20))
}

fn signed_length(operand: &Expr) -> u32 {
    match operand.ty.class() {
        _ if operand.ty.kind == TypeKind::Null => 2,
        Class::Int if operand.ty.written => (operand.ty.length + operand.ty.missing_sign()).max(2),
        Class::Real => 20,
        // As long as the text, the point and the colons too.
        Class::Temporal => operand.ty.length.clamp(10, 21),
        _ => literal_length(operand).unwrap_or(operand.ty.length).clamp(2, 21),
    }
}

/// A number with a sign, of as many digits as what it is made of.
fn signed_type(operand: &Expr) -> Type {
    let ty = integer_type(signed_length(operand), false, operand.ty.nullable);
    let of = &operand.ty;
    let digits = match of.class() {
        _ if of.kind == TypeKind::Null || literal_length(operand).is_some() => return ty,
        Class::Temporal => temporal_digits(of) + u32::from(of.decimals.min(6)),
        Class::Int => whole_digits(of),
        Class::Decimal => whole_digits(of) + u32::from(of.decimals),
        Class::Real | Class::Str => of.length.clamp(1, 65),
    };
    Type { spare: ty.length as i32 - 1 - digits as i32, ..ty }
}

fn unsigned_length(operand: &Expr) -> u32 {
    match operand.ty.class() {
        _ if operand.ty.kind == TypeKind::Null => 1,
        // That a constant given a name is not negative is not known.
        Class::Int if operand.ty.is_named_constant() && !operand.ty.unsigned => 20,
        Class::Int if operand.ty.written || operand.ty.unsigned => operand.ty.length,
        Class::Decimal | Class::Temporal if operand.ty.unsigned => operand.ty.length.min(20),
        Class::Str if operand.ty.length <= 1 && !operand.ty.unsigned => 1,
        Class::Str if operand.ty.hex => operand.ty.length.min(20),
        _ => literal_length(operand).unwrap_or(20),
    }
}

/// `CAST(operand AS ty)`.
pub fn build(operand: Expr, ty: &CastType, state: &mut State) -> Result<Expr, SqlError> {
    match ty {
        CastType::Char { .. } if matches!(operand.ty.kind, TypeKind::Geometry(_)) => {
            refuse_opaque(&[&operand.ty], "cast_as_char")?;
        }
        CastType::Signed | CastType::Year => refuse_opaque(&[&operand.ty], "cast_as_signed")?,
        CastType::Unsigned => refuse_opaque(&[&operand.ty], "cast_as_unsigned")?,
        CastType::Decimal { .. } => refuse_opaque(&[&operand.ty], "decimal_typecast")?,
        CastType::Double(_) => refuse_opaque(&[&operand.ty], "double_typecast")?,
        CastType::Float => refuse_opaque(&[&operand.ty], "float_typecast")?,
        CastType::Date => refuse_opaque(&[&operand.ty], "cast_as_date")?,
        CastType::Time(_) => refuse_opaque(&[&operand.ty], "cast_as_time")?,
        CastType::DateTime(_) => refuse_opaque(&[&operand.ty], "cast_as_datetime")?,
        _ => {}
    }
    let nullable = operand.ty.nullable;
    let connection = state.vars.collation_connection;
    let (name, evaluate, target): (_, super::Evaluate, _) = match ty {
        CastType::Signed => ("cast_as_signed", signed, signed_type(&operand)),
        CastType::Unsigned => {
            let ty = integer_type(unsigned_length(&operand), true, nullable);
            let kind = if ty.length <= 10 { TypeKind::Long } else { ty.kind };
            ("cast_as_unsigned", unsigned, Type { kind, ..ty })
        }
        CastType::Binary(length) => {
            let fixed = match operand.ty.kind {
                TypeKind::Fixed(ty) => Some(ty.zero().bytes().len() as u32),
                _ => None,
            };
            let length = length.or(fixed).unwrap_or(super::super::arith::byte_length(&operand.ty).max(
                match operand.ty.class() {
                    Class::Str => {
                        let widest = operand.ty.collation.charset().max_char_bytes() as u32;
                        operand.ty.length.saturating_mul(widest)
                    }
                    _ => 0,
                },
            ));
            // It is as long as its operand is, though that be longer than any text that is computed.
            let ty = Type { length, ..text_type(length, CollationId::BINARY, Coercibility::Implicit) };
            let kind = if fixed.is_some() { TypeKind::Char } else { ty.kind };
            ("cast_as_binary", to_binary, Type { kind, ..ty })
        }
        CastType::Char { length, charset } => {
            let collation = match (&charset.charset, &charset.collation) {
                (None, Some(name)) if name == "default" => connection.charset().default_collation(),
                (_, Some(name)) if name != "default" => collation_named(name)?,
                (Some(name), _) => charset_named(name)?.default_collation(),
                (None, None)
                    if operand.ty.class() == Class::Str && operand.ty.collation != CollationId::BINARY =>
                {
                    connection
                }
                (None, _) => connection,
            };
            let ty = match *length {
                Some(length) => text_type(length, collation, Coercibility::Implicit),
                None => Type { decimals: 0, ..whole_text(&operand, collation) },
            };
            let cast = if super::pieces::is_members(&operand) { members_recoded } else { recoded };
            ("cast_as_char", cast, ty)
        }
        CastType::Date => ("cast_as_date", temporal, base(TypeKind::Date, 10, 0)),
        CastType::Time(fsp) | CastType::DateTime(fsp) if *fsp > 6 => {
            let named = match &operand.kind {
                Kind::Const(value) => compare::shown(value),
                _ => String::new(),
            };
            return Err(SqlError::too_big_precision(named, 6));
        }
        CastType::Time(fsp) => ("cast_as_time", temporal, base(TypeKind::Time, 10 + fraction(*fsp), *fsp)),
        CastType::DateTime(fsp) => {
            ("cast_as_datetime", temporal, base(TypeKind::DateTime, 19 + fraction(*fsp), *fsp))
        }
        CastType::Decimal { precision, scale } => {
            check_digits(&operand, *precision, *scale)?;
            let length = precision + 1 + u32::from(*scale > 0);
            let ty = Type { nullable, ..base(TypeKind::Decimal, length, *scale as u8) };
            ("cast_as_decimal", decimal, ty)
        }
        CastType::Double(None) => ("cast_as_double", double, base(TypeKind::Double, 22, 31)),
        CastType::Double(Some((length, decimals))) => {
            check_digits(&operand, *length, *decimals)?;
            ("cast_as_double", double, base(TypeKind::Double, *length, *decimals as u8))
        }
        CastType::Float => ("cast_as_float", float, base(TypeKind::Float, 12, 31)),
        CastType::Year => ("cast_as_signed", signed, base(TypeKind::LongLong, 4, 0)),
        CastType::Json => {
            let length = operand.ty.length;
            ("cast_as_char", to_text, text_type(length, CollationId::UTF8MB4_BIN, Coercibility::Implicit))
        }
        CastType::IntervalDaySecond(_) => return Err(SqlError::not_supported_yet("CAST AS INTERVAL")),
        CastType::Named(name) => match FixedType::by_name(name) {
            Some(fixed) => {
                let ty = super::super::build::fixed_type(fixed);
                let nullable = super::super::build::may_lack(&ty, &operand, state);
                ("cast", to_fixed, Type { nullable, ..ty })
            }
            None => return Err(SqlError::not_supported_yet(format!("CAST AS {name}"))),
        },
    };
    let mut args = vec![operand];
    // A length that was asked for cuts, and fills bytes up.
    let padded = match ty {
        CastType::Binary(length) | CastType::Char { length, .. } => *length,
        _ => None,
    };
    if let Some(length) = padded {
        args.push(super::super::build::constant(Value::UInt(u64::from(length))));
    }
    call(name, evaluate, args, target, state)
}

/// Tells a cast that says so when its value is out of range what it goes by.
pub fn name_cast(cast: &mut Expr, name: impl FnOnce() -> String) {
    if let Kind::Call(call) = &mut cast.kind
        && let Some(operands) = match call.name {
            "cast_as_decimal" | "cast_as_double" | "cast_as_float" => Some(1),
            "column_get" if cast.ty.class() == Class::Decimal => Some(2),
            _ => None,
        }
        && call.args.len() == operands
    {
        call.args.push(super::super::build::constant(Value::text(&name())));
    }
}

/// What DECIMAL(precision, scale) and DOUBLE(precision, scale) may ask for.
fn check_digits(operand: &Expr, precision: u32, scale: u32) -> Result<(), SqlError> {
    let named = match &operand.kind {
        Kind::Const(value) => compare::shown(value),
        _ => String::new(),
    };
    match () {
        () if precision > 65 => Err(SqlError::too_big_precision(named, 65)),
        () if scale > 38 => Err(SqlError::too_big_scale(named, 38)),
        () if scale > precision => Err(SqlError::scale_exceeds_precision("")),
        () => Ok(()),
    }
}

fn fraction(fsp: u8) -> u32 {
    if fsp == 0 { 0 } else { u32::from(fsp) + 1 }
}

/// A character set by name.
pub fn charset_named(name: &str) -> Result<Charset, SqlError> {
    match name {
        "default" => Ok(Charset::Utf8mb4),
        name => Charset::by_name(name).ok_or_else(|| SqlError::unknown_character_set(name)),
    }
}

/// A collation by name.
pub fn collation_named(name: &str) -> Result<CollationId, SqlError> {
    Collation::by_name(name).map(|c| c.id).ok_or_else(|| SqlError::unknown_collation(name))
}

/// The operand; a binary literal counts as a number.
fn number(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    // What is taken out of a document is cast as the text that it is.
    if super::documents::is_extract(e) || matches!(e.kind, Kind::UserVar(_)) {
        return e.eval(cx);
    }
    let text = e.ty.class() == Class::Str;
    // Texts are the number that the text begins with, dates of the type of text too; not the greatest as a number.
    let value = match &e.kind {
        // Here a user variable's text is read with all that is said of it.
        crate::expr::Kind::UserVar(_) => e.eval(cx)?,
        _ if text => operand::shown_joined(e.eval_number(cx)?, e),
        _ => operand::numeric(cx, e)?,
    };
    Ok(match text && value.is_temporal() {
        true => Value::text(&compare::shown(&value)),
        false => value,
    })
}

fn signed(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let value = number(cx, &args[0])?;
    if value.is_null() {
        return Ok(value);
    }
    if let Some(clipped) = overflow(&value, i64::MIN as f64, i64::MAX as f64) {
        note_overflow(&value, "SIGNED", cx);
        return Ok(Value::Int(if clipped { i64::MAX } else { i64::MIN }));
    }
    if let Some(clipped) = cut_decimal(&value, i128::from(i64::MIN)..=i128::from(i64::MAX), "INT", cx) {
        return Ok(Value::Int(clipped as i64));
    }
    let n = integer(&value, cx);
    if n > i128::from(i64::MAX) && matches!(value, Value::Str(_)) && !to_integer(&value).out_of_range {
        let text = "Cast to signed converted positive out-of-range integer to it's negative complement";
        cx.state.warn(Level::Note, 1105, text);
    }
    // The doubles at the end of the range are one beyond it.
    let cut = matches!(value, Value::Double(_) | Value::Float(_));
    Ok(Value::Int(if cut { n.min(i128::from(i64::MAX)) as i64 } else { n as i64 }))
}

fn unsigned(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let value = number(cx, &args[0])?;
    if value.is_null() {
        return Ok(value);
    }
    if let Some(true) = overflow(&value, i64::MIN as f64, u64::MAX as f64) {
        note_overflow(&value, "UNSIGNED", cx);
        return Ok(Value::UInt(u64::MAX));
    }
    if let Some(clipped) = cut_decimal(&value, i128::MIN..=i128::from(u64::MAX), "UNSIGNED INT", cx) {
        return Ok(Value::UInt(clipped as u64));
    }
    let n = integer(&value, cx);
    if n < 0 && matches!(value, Value::Decimal(_) | Value::Double(_) | Value::Float(_) | Value::Time(..)) {
        match value {
            Value::Decimal(_) => {
                let shown = compare::shown(&value);
                let text = format!("Got overflow when converting '{shown}' to UNSIGNED INT. Value truncated");
                cx.state.warn(Level::Warning, 1916, text);
            }
            _ => note_overflow(&value, "UNSIGNED", cx),
        }
        return Ok(Value::UInt(0));
    }
    if n < 0 {
        let text = "Cast to unsigned converted negative integer to it's positive complement";
        cx.state.warn(Level::Note, 1105, text);
    }
    Ok(Value::UInt(n as u64))
}

/// Whether a double is above (true) or below what the integers hold.
fn overflow(value: &Value, least: f64, most: f64) -> Option<bool> {
    let Value::Double(n) = value else { return None };
    (*n > most || *n < least).then_some(*n > most)
}

/// The nearest number that a type holds, for a decimal that it does not hold.
fn cut_decimal(
    value: &Value,
    held: std::ops::RangeInclusive<i128>,
    ty: &str,
    cx: &mut Cx<'_>,
) -> Option<i128> {
    let Value::Decimal(n) = value else { return None };
    let whole = n.round(0, Rounding::HalfUp);
    let beyond = if n.is_negative() { i128::MIN } else { i128::MAX };
    let wide = whole.to_i128().unwrap_or(beyond);
    if held.contains(&wide) {
        return None;
    }
    let warning = SqlError::data_overflow(compare::shown(value), ty);
    cx.state.warn(Level::Warning, warning.errno, warning.message);
    Some(wide.clamp(*held.start(), *held.end()))
}

fn note_overflow(value: &Value, sign: &str, cx: &mut Cx<'_>) {
    let shown = match value {
        Value::Time(time, _) => compare::shown(&Value::Time(*time, 0)),
        value => compare::shown(value),
    };
    let text = format!("Got overflow when converting '{shown}' to {sign} BIGINT. Value truncated");
    cx.state.warn(Level::Note, 1916, text);
}

fn integer(value: &Value, cx: &mut Cx<'_>) -> i128 {
    let number = to_integer(value);
    if number.out_of_range && !number.garbage {
        compare::warn_truncated(cx.state, "INTEGER", value);
    }
    compare::warn_leftover(cx.state, "INTEGER", value, &number);
    number.value
}

/// Warning 1977 for a character that the new character set lacks, 1300 for what is no character of its own one.
fn warn_of_lost(s: &StrValue, at: usize, to: Charset, state: &mut State) {
    let from = s.collation.charset();
    let rest = &s.bytes[at..];
    if from.is_unicode() && from.valid_prefix(rest) == 0 {
        return warn_of_bad(rest, from, state);
    }
    let character: String = rest[..from.char_len(rest)].iter().map(|byte| format!("{byte:02X}")).collect();
    let lost = SqlError::cannot_convert_character(from.name(), character, to.name());
    state.warn(Level::Warning, lost.errno, lost.message);
}

/// CAST AS BINARY: what is of fixed size gives its bytes, not its text.
fn to_binary(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = match super::string::with_digits(args[0].eval_found(cx)?, &args[0].ty) {
        Value::Fixed(fixed) => Value::binary(fixed.bytes()),
        value => value,
    };
    cast_text(cx, value, args, ty)
}

fn to_text(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = super::string::with_digits(args[0].eval_found(cx)?, &args[0].ty);
    cast_text(cx, value, args, ty)
}

fn cast_text(cx: &mut Cx<'_>, mut value: Value, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    if let Value::Bit(_) = value {
        // Bytes that are no characters are told and replaced, as those of other bytes.
        value = operand::bytes_of_bits(&value).into_owned();
    }
    let charset = ty.collation.charset();
    let text = match &value {
        Value::Str(s) => {
            let (text, lost) = long::converted(cx, s, charset)?;
            if let Some(at) = lost {
                warn_of_lost(s, at, charset, cx.state);
            }
            text
        }
        other => match compare::text_in(other, ty.collation) {
            Some(text) => text,
            None => return Ok(Value::Null),
        },
    };
    // Bytes are counted as characters of what is cast.
    let end = match &value {
        _ if args.len() < 2 => text.len(),
        Value::Str(s) if ty.collation == CollationId::BINARY => {
            s.collation.charset().offset_of_char(&text, ty.length as usize)
        }
        _ => charset.offset_of_char(&text, ty.length as usize),
    };
    let is_binary = ty.collation == CollationId::BINARY;
    if end < text.len() && !(is_binary && matches!(args[0].ty.kind, TypeKind::Fixed(_))) {
        let kind = if is_binary { "BINARY" } else { "CHAR" };
        let told = |state: &mut _| compare::warn_truncated(state, &format!("{kind}({})", ty.length), &value);
        // Text may well be cut: that is no error in any mode.
        match args[0].ty.class() {
            Class::Str => cx.state.leniently(told),
            _ => told(cx.state),
        }
    }
    // A length beyond the longest text is warned of, and counts as that.
    let declared = match args.get(1).map(|length| length.eval(cx)).transpose()? {
        Some(Value::Int(length)) => length as u64,
        Some(Value::UInt(length)) => length,
        _ => 0,
    };
    let most = cx.state.vars.max_allowed_packet;
    let name = if is_binary { "cast_as_binary" } else { "cast_as_char" };
    if !check_length(declared.max(end as u64), name, cx) && declared <= most {
        return Ok(Value::Null);
    }
    let mut bytes = text[..end].to_vec();
    if is_binary {
        bytes.resize(end.max(declared.min(most) as usize), 0);
    }
    Ok(Value::Str(StrValue::owned(bytes, ty.collation)))
}

/// Bytes as text of a collation.
pub fn relabelled(value: Value, collation: CollationId) -> Value {
    match value {
        Value::Str(s) => Value::Str(StrValue { collation, ..s }),
        value => value,
    }
}

/// How long a warning of bytes that are no characters shows them.
const SHOWN_BAD: usize = 64;

/// Warning 1300 for bytes that begin with what is no character of their set.
fn warn_of_bad(bad: &[u8], charset: Charset, state: &mut State) {
    let shown = compare::short(compare::printable_bytes(&bad[..bad.len().min(SHOWN_BAD)]), SHOWN_BAD);
    let warning = SqlError::invalid_character_string(charset.name(), shown);
    state.warn(Level::Warning, warning.errno, warning.message);
}

/// CONVERT ... USING: bytes that are no characters of the set become question marks.
pub(super) fn recoded(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let of = &args[0].ty;
    let is_bytes =
        of.kind == TypeKind::Bit || of.class() == Class::Str && of.collation == CollationId::BINARY;
    let own = super::secret::made_of_text(&args[0]);
    let given = match own {
        // Of Unicode they are looked at as they are, and told of by its name.
        Some(own) if !own.charset().is_unicode() => relabelled(args[0].eval(cx)?, own),
        _ => super::string::with_digits(args[0].eval_found(cx)?, of),
    };
    let length = if let Value::Str(s) = &given { s.bytes.len() } else { usize::MAX };
    // Where it is cut it is told of as a whole.
    let whole = (is_bytes && args.len() > 1).then(|| given.clone());
    let told = cx.state.diagnostics.entries.len();
    let value = cast_text(cx, given, args, ty)?;
    let wanted = ty.collation.charset();
    let charset = own.filter(|_| wanted != Charset::Binary).map_or(wanted, |own| own.charset());
    let Value::Str(s) = &value else { return Ok(value) };
    let good = charset.valid_prefix(&s.bytes);
    // A parameter's text may have bytes that are no characters of its own set.
    let is_looked_at = is_bytes || of.class() == Class::Str && of.collation.charset() == charset;
    if !is_looked_at || !charset.is_unicode() || good == s.bytes.len() {
        return Ok(value);
    }
    // The first character lacked bytes, which zeros stand for: told of without them, and one even if it is none.
    let filled = if good == 0 { s.bytes.len().saturating_sub(length) } else { 0 };
    let bad = match &whole {
        Some(Value::Str(whole)) if whole.bytes.starts_with(&s.bytes) => &whole.bytes[good..],
        _ => &s.bytes[good + filled..],
    };
    warn_of_bad(bad, charset, cx.state);
    // It is the first that is told.
    if let Some(told) = cx.state.diagnostics.entries.get_mut(told..) {
        told.rotate_right(usize::from(!told.is_empty()));
    }
    let first = if filled > 0 { charset.min_char_bytes() } else { 1 };
    Ok(Value::Str(StrValue::owned(readable(&s.bytes, charset, first), ty.collation)))
}

/// CAST of what MAKE_SET makes: bytes are bytes to it, in whatever characters they are sent.
fn members_recoded(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let given = relabelled(args[0].eval(cx)?, args[0].ty.collation);
    let given = Expr { kind: Kind::Const(given), ty: args[0].ty.clone() };
    recoded(cx, &[std::slice::from_ref(&given), &args[1..]].concat(), ty)
}

/// Bytes as characters of a set: question marks stand for those that are none, each for one, at the beginning for `first`.
pub fn readable(bytes: &[u8], charset: Charset, first: usize) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let sound = charset.valid_prefix(&bytes[at..]);
        out.extend_from_slice(&bytes[at..at + sound]);
        at += sound;
        if at < bytes.len() {
            out.extend_from_slice(&charset.of_plain(b"?"));
            at += if at == 0 { first } else { 1 };
        }
    }
    out
}

/// Bytes as text of a collation, as `CONVERT ... USING` makes it.
pub fn recode(bytes: Expr, collation: CollationId) -> Expr {
    let ty = Type { collation, ..bytes.ty.clone() };
    super::super::build::volatile_call("convert", recoded, vec![bytes], ty)
}

fn temporal(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    operand::converted(cx, &args[0], ty, false)
}

fn to_fixed(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let given = match args[0].ty.class() {
        // Text that was chosen beside bytes is text.
        Class::Str => args[0].eval_assigned(cx)?,
        _ => args[0].eval(cx)?,
    };
    let value = super::string::with_digits(given, &args[0].ty);
    let TypeKind::Fixed(fixed) = ty.kind else { return Ok(Value::Null) };
    let value = match value {
        Value::Bit(_) => operand::bytes_of_bits(&value).into_owned(),
        value => value,
    };
    // Whatever has a text may be one of its texts; bytes, as dates and times of parameters are, are taken as they are.
    let collation = match args[0].ty.origin {
        Named::GivenDate => CollationId::BINARY,
        _ => CollationId::UTF8MB4_GENERAL_CI,
    };
    let value = match compare::text_in(&value, CollationId::UTF8MB4_GENERAL_CI) {
        None => return Ok(Value::Null),
        Some(_) if matches!(&value, Value::Str(s) if s.collation == CollationId::BINARY) => value,
        Some(text) => Value::Str(StrValue::new(&text, collation)),
    };
    Ok(compare::fixed(&value, fixed, cx.state).map_or(Value::Null, Value::Fixed))
}

/// What a cast goes by in the select list, which is told along.
fn name_of(args: &[Expr]) -> String {
    match args.get(1) {
        Some(Expr { kind: Kind::Const(name), .. }) => compare::shown(name),
        _ => "(null)".into(),
    }
}

pub(super) fn decimal(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(number) = operand::decimal(cx, &args[0])? else { return Ok(Value::Null) };
    let scale = ty.decimals;
    let precision = (ty.length - 1 - u32::from(scale > 0)) as u8;
    let (fitted, fit) = number.fit(precision, scale);
    if fit == types::decimal::Fit::OutOfRange {
        let name = name_of(args);
        // Without a table the first that is said is said of row 1, what comes after it of none.
        let first = cx.state.diagnostics.raised == 0;
        let row = if cx.state.statement.row == 0 && first { 1 } else { cx.state.statement.row };
        let error = SqlError::out_of_range(name, row);
        cx.state.warn(Level::Warning, error.errno, error.message);
    }
    let fitted: Decimal = fitted.round(i32::from(scale), Rounding::HalfUp);
    Ok(Value::Decimal(fitted))
}

pub(super) fn double(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(number) = operand::real(cx, &args[0])? else { return Ok(Value::Null) };
    if ty.decimals >= 31 {
        return Ok(Value::Double(number));
    }
    let digits = types::FloatType { digits: Some((ty.length as u8, ty.decimals)), ..Default::default() };
    let context = cx.state.convert_context();
    let kept = types::convert::store(
        Value::Double(number),
        &types::ColumnType::Double(digits),
        CollationId::BINARY,
        &context,
    );
    if kept.issue == Some(types::convert::StoreIssue::OutOfRange) {
        note_out_of_range(args, cx);
    }
    Ok(kept.value)
}

fn note_out_of_range(args: &[Expr], cx: &mut Cx<'_>) {
    let out_of_range = SqlError::out_of_range(name_of(args), cx.state.statement.row.max(1));
    cx.state.warn(Level::Note, out_of_range.errno, out_of_range.message);
}

pub(super) fn float(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = double(cx, args, ty)?;
    let Value::Double(n) = value else { return Ok(value) };
    let float = n as f32;
    if float.is_finite() {
        return Ok(Value::Float(float));
    }
    note_out_of_range(args, cx);
    Ok(Value::Float(f32::MAX.copysign(float)))
}

/// The type of a text brought to another character set. Of the longest, whose bytes are counted, so many stay.
fn whole_text(operand: &Expr, collation: CollationId) -> Type {
    let same = operand.ty.collation.charset() == collation.charset();
    match operand.ty.counts_bytes() && same {
        true => text_of_length(operand.ty.length.into(), collation, Coercibility::Implicit, true),
        false => long_text(text_length(&operand.ty), collation, Coercibility::Implicit, true),
    }
}

/// `CONVERT(operand USING charset)`.
pub fn convert_using(operand: Expr, charset: &str, state: &mut State) -> Result<Expr, SqlError> {
    let collation = charset_named(charset)?.default_collation();
    let ty = whole_text(&operand, collation);
    call("convert", recoded, vec![operand], ty, state)
}

/// `operand COLLATE collation`.
pub fn collate(operand: Expr, collation: &str, state: &mut State) -> Result<Expr, SqlError> {
    let collation = match collation {
        "default" if !matches!(operand.ty.kind, TypeKind::Fixed(_)) => {
            operand.ty.collation.charset().default_collation()
        }
        "default" => state.vars.collation_connection.charset().default_collation(),
        name => collation_named(name)?,
    };
    let mut ty = operand.ty.clone();
    // A text made of NULL alone has no character set of its own.
    let is_nothing =
        ty.kind == TypeKind::Null || ty.class() == Class::Str && ty.coercibility == Coercibility::Ignorable;
    let charset = match ty.class() {
        _ if is_nothing => collation.charset(),
        _ if ty.is_bits() || ty.is_existence() => Charset::Binary,
        // What is of fixed size has its text in the connection's characters, as what is made of numbers has.
        Class::Str if !matches!(ty.kind, TypeKind::Fixed(_)) && ty.coercibility != Coercibility::Numeric => {
            ty.collation.charset()
        }
        _ => state.vars.collation_connection.charset(),
    };
    if collation.charset() != charset {
        return Err(SqlError::collation_charset_mismatch(collation.name(), charset.name()));
    }
    ty = text_of_length(text_length(&ty), collation, Coercibility::Explicit, ty.nullable);
    let bytes = u64::from(ty.length) * collation.charset().max_char_bytes() as u64;
    ty.nullable |= state.vars.is_strict() || bytes >= 16_777_216;
    ty.collation = collation;
    ty.coercibility = Coercibility::Explicit;
    ty.labels = None;
    if let Kind::Const(value) = &operand.kind
        && let Some(text) = compare::text_in(value, collation)
    {
        let value = Value::Str(StrValue::new(&text, collation));
        // What is computed of constants has the length that it may have, a literal its own.
        let computed = matches!(operand.ty.origin, Named::Computed(_));
        let length = match operand.ty.kind {
            TypeKind::Fixed(_) => ty.length,
            _ if computed => ty.length,
            _ => type_of_value(&value, collation).length,
        };
        let origin = Named::Computed(std::sync::Arc::new(operand));
        return Ok(Expr { kind: Kind::Const(value), ty: Type { length, origin, ..ty } });
    }
    call(
        "collate",
        |cx, args, ty| {
            let value = super::string::with_digits(args[0].eval_found(cx)?, &args[0].ty);
            Ok(store::to_type(value, ty, cx.state))
        },
        vec![operand],
        ty,
        state,
    )
}
