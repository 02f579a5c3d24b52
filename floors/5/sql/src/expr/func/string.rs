//! String functions.

use super::super::build::{TEXT_DECIMALS, boolean, collate_operands, collate_result};
use super::super::{
    Class, Coercibility, Comparison, Expr, MOST_TEXT_BYTES, Repertoire, Type, TypeKind, USER_TEXT_BYTES,
    compare, operand,
};
use super::long::{self, beside, by_pieces};
use super::string_types::{
    agreeing, binary_type, cased_type, concat_type, concat_ws_type, counted_type, cut_type, field_type,
    hex_type, int_type, pad_type, repeat_type, replace_type, substring_type,
};
use super::trim::trimmed;
use super::{Function, pieces};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::State;
use crate::syntax::ast::TrimSide;
use types::convert::to_integer;
use types::{Bytes, Charset, CollationId, StrValue, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("concat", 1, usize::MAX, concat_type, concat),
    function!("concat_ws", 2, usize::MAX, concat_ws_type, concat_ws),
    function!("length", 1, 1, int_type, |cx, args, _| on_bytes(cx, &args[0], |bytes, _| Value::Int(
        bytes.len() as i64
    ))),
    function!("octet_length", 1, 1, int_type, |cx, args, _| on_bytes(cx, &args[0], |b, _| Value::Int(
        b.len() as i64
    ))),
    function!("char_length", 1, 1, int_type, char_length),
    function!("character_length", 1, 1, int_type, char_length),
    function!("upper", 1, 1, cased_type, upper),
    function!("ucase", 1, 1, cased_type, upper),
    function!("lower", 1, 1, cased_type, lower),
    function!("lcase", 1, 1, cased_type, lower),
    function!("substring", 2, 3, substring_type, substring),
    function!("substr", 2, 3, substring_type, substring),
    function!("mid", 2, 3, substring_type, substring),
    function!("left", 2, 2, cut_type, left),
    function!("right", 2, 2, cut_type, right),
    function!("replace", 3, 3, replace_type, replace),
    function!("ltrim", 1, 1, same_text, |cx, args, ty| trimmed(cx, &args[0], None, TrimSide::Leading, ty)),
    function!("rtrim", 1, 1, same_text, |cx, args, ty| trimmed(cx, &args[0], None, TrimSide::Trailing, ty)),
    function!("hex", 1, 1, hex_type, hex),
    function!("unhex", 1, 1, binary_type, unhex),
    function!(
        "locate",
        2,
        3,
        |args, _| {
            collate_operands(&[&args[1].ty, &args[0].ty], "locate")?;
            Ok(pieces::int_type(args, 11))
        },
        |cx, args, _| locate(cx, &args[0], &args[1], args.get(2))
    ),
    function!("instr", 2, 2, |args, _| agreeing(args, "locate", 11), |cx, args, _| locate(
        cx, &args[1], &args[0], None
    )),
    function!("repeat", 2, 2, repeat_type, repeat),
    function!("space", 1, 1, |args, state| counted_type(&[], &args[0], 1, state), space),
    function!("reverse", 1, 1, same_text, reverse),
    function!("ascii", 1, 1, |args, _| Ok(pieces::int_type(args, 3)), |cx, args, _| on_bytes(
        cx,
        &args[0],
        |b, _| { Value::Int(i64::from(b.first().copied().unwrap_or(0))) }
    )),
    function!("lpad", 2, 3, |args, state| pad_type(args, "lpad", state), |cx, args, ty| pad(
        cx, args, ty, true
    )),
    function!("rpad", 2, 3, |args, state| pad_type(args, "rpad", state), |cx, args, ty| pad(
        cx, args, ty, false
    )),
    function!("strcmp", 2, 2, |args, _| agreeing(args, "strcmp", 2), strcmp),
    function!("field", 2, usize::MAX, field_type, field),
];

/// A text type of a length in characters.
pub fn text_of_length(
    length: u64,
    collation: CollationId,
    coercibility: Coercibility,
    nullable: bool,
) -> Type {
    let bytes = length.saturating_mul(collation.charset().max_char_bytes() as u64);
    // Of the longest texts the length is in bytes.
    let length = if bytes < MOST_TEXT_BYTES.into() { length as u32 } else { MOST_TEXT_BYTES };
    let kind = match bytes {
        0..=65_531 => TypeKind::VarChar,
        65_532..=65_535 => TypeKind::Blob,
        65_536..=16_777_215 => TypeKind::MediumBlob,
        _ => TypeKind::LongBlob,
    };
    let repertoire = Repertoire::Any;
    Type { kind, length, decimals: TEXT_DECIMALS, collation, coercibility, repertoire, ..boolean(nullable) }
}

/// As [`text_of_length`], of functions that are given more than the most bytes of others.
pub fn long_text(length: u64, collation: CollationId, coercibility: Coercibility, nullable: bool) -> Type {
    let ty = text_of_length(length, collation, coercibility, nullable);
    let widest = collation.charset().max_char_bytes() as u32;
    let length = length.min((u32::MAX / widest).into()) as u32;
    // These lengths count bytes elsewhere.
    let taken = widest > 1 && matches!(length, USER_TEXT_BYTES | MOST_TEXT_BYTES);
    Type { length: if taken { MOST_TEXT_BYTES + 1 } else { length }, ..ty }
}

pub(super) fn collation_of(
    args: &[Expr],
    name: &str,
    state: &State,
) -> Result<(CollationId, Coercibility), SqlError> {
    let types: Vec<&Type> = args.iter().map(|e| &e.ty).collect();
    // What is of fixed size comes as text of the connection, as numbers do and what is quoted of them.
    let nothing = |ty: &Type| ty.is_nothing() || ty.coercibility == Coercibility::Ignorable;
    let text = |ty: &&Type| {
        let own = !nothing(ty) && !matches!(ty.kind, TypeKind::Fixed(_));
        own && ty.class() == Class::Str && ty.coercibility != Coercibility::Numeric
    };
    match types.iter().any(text) {
        true => collate_result(&types, name),
        false if types.iter().any(|ty| ty.is_bits() || ty.is_existence()) => collate_result(&types, name),
        false if !types.is_empty() && types.iter().all(|ty| nothing(ty)) => {
            Ok((CollationId::BINARY, Coercibility::Ignorable))
        }
        false => Ok((state.vars.collation_connection, Coercibility::Coercible)),
    }
}

/// The collation of one operand as it is by itself, not as part of what texts are made of: of what is no text, latin1's.
pub(super) fn collation_alone(e: &Expr) -> (CollationId, Coercibility) {
    match (e.ty.kind, e.ty.class()) {
        _ if e.ty.is_nothing() => (CollationId::BINARY, Coercibility::Ignorable),
        (TypeKind::Bit, _) => (e.ty.collation, e.ty.coercibility),
        _ if e.ty.is_existence() => (e.ty.collation, e.ty.coercibility),
        (TypeKind::Fixed(_), _) => (CollationId::LATIN1_SWEDISH_CI, Coercibility::Numeric),
        (_, Class::Str) => (e.ty.collation, e.ty.coercibility),
        _ => (CollationId::LATIN1_SWEDISH_CI, Coercibility::Numeric),
    }
}

/// As [`collation_of`] where texts are searched for in another: their collations must agree.
pub(super) fn compared_collation_of(
    args: &[Expr],
    name: &str,
    state: &State,
) -> Result<(CollationId, Coercibility), SqlError> {
    collate_operands(&args.iter().map(|e| &e.ty).collect::<Vec<_>>(), name)?;
    collation_of(args, name, state)
}

/// Characters of a value as text.
pub(in crate::expr) fn text_length(ty: &Type) -> u64 {
    match ty.counts_bytes() || ty.in_bytes {
        true => u64::from(ty.length) / ty.collation.charset().max_char_bytes() as u64,
        false => u64::from(ty.length),
    }
}

/// Bytes that a value as text may take, which MariaDB counts in 32 bits.
pub(super) fn text_bytes(ty: &Type) -> u32 {
    let widest = ty.collation.charset().max_char_bytes() as u32;
    match ty.length {
        length if ty.counts_bytes() || ty.in_bytes => length,
        length if length >= u32::MAX / widest => u32::MAX,
        length => length * widest,
    }
}

pub(super) fn same_text(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(&args[..1], "string", state)?;
    Ok(long_text(text_length(&args[0].ty), collation, coercibility, true))
}

/// A value of a type as what its text is made of: a double of fixed digits has all of them, a ZEROFILL column its zeros.
pub fn with_digits(value: Value, ty: &Type) -> Value {
    let mut text = Vec::new();
    match &value {
        Value::Double(n) if ty.decimals < TEXT_DIGITS => {
            types::number::write_fixed(*n, ty.decimals, &mut text)
        }
        Value::Float(n) if ty.decimals < TEXT_DIGITS => {
            types::number::write_fixed(f64::from(*n), ty.decimals, &mut text)
        }
        value if ty.zerofill && value.is_numeric() => text = compare::shown(value).into_bytes(),
        _ => return value,
    }
    if ty.zerofill {
        let width = ty.origin.column().map_or(0, |column| column.width);
        let width = if width > 0 { width } else { ty.length };
        let missing = (width as usize).min(255).saturating_sub(text.len());
        text.splice(..0, std::iter::repeat_n(b'0', missing));
    }
    Value::Str(StrValue::owned(text, CollationId::UTF8MB4_GENERAL_CI))
}

/// As many digits of a double mean as many as it takes.
const TEXT_DIGITS: u8 = 31;

/// A value's text in a collation's characters; `None` for NULL.
pub fn text(cx: &mut Cx<'_>, e: &Expr, collation: CollationId) -> Result<Option<Vec<u8>>, SqlError> {
    Ok(shared_text(cx, e, collation)?.map(Bytes::into_vec))
}

/// As [`text`]; a column's or a constant's own bytes are shared, not copied.
pub(super) fn shared_text(
    cx: &mut Cx<'_>,
    e: &Expr,
    collation: CollationId,
) -> Result<Option<Bytes>, SqlError> {
    let in_place = |s: &StrValue| s.collation.charset() == collation.charset();
    match e.peek(cx) {
        Some(Value::Str(s)) if in_place(s) => return Ok(Some(s.bytes.clone())),
        _ => {}
    }
    match with_digits(e.eval_found(cx)?, &e.ty) {
        Value::Str(s) if in_place(&s) => Ok(Some(s.bytes)),
        Value::Str(s) if s.bytes.len() >= long::LONG_BYTES => {
            Ok(Some(long::converted(cx, &s, collation.charset())?.0.into_owned().into()))
        }
        value => Ok(compare::text_in(&value, collation).map(|text| Bytes::from(text.into_owned()))),
    }
}

pub(super) fn own_collation(e: &Expr, cx: &Cx<'_>) -> CollationId {
    match e.ty.class() {
        Class::Str if e.ty.kind != TypeKind::Null => e.ty.collation,
        // Numbers and dates are ASCII whatever literals are.
        _ if !cx.state.vars.collation_connection.charset().is_ascii_based() => {
            CollationId::UTF8MB4_GENERAL_CI
        }
        _ => cx.state.vars.collation_connection,
    }
}

pub(super) fn on_bytes(
    cx: &mut Cx<'_>,
    e: &Expr,
    f: fn(&[u8], CollationId) -> Value,
) -> Result<Value, SqlError> {
    let collation = own_collation(e, cx);
    Ok(shared_text(cx, e, collation)?.map_or(Value::Null, |bytes| f(&bytes, collation)))
}

pub(super) fn string(bytes: Vec<u8>, ty: &Type) -> Value {
    Value::Str(StrValue::owned(bytes, ty.collation))
}

/// A piece of a text as a value of a text type.
pub(super) fn copied(bytes: &[u8], ty: &Type) -> Value {
    Value::Str(StrValue::new(bytes, ty.collation))
}

/// ASCII text (or UTF-8, where the character set is not one of bytes) as a value of a text type.
pub(super) fn ascii_text(text: Vec<u8>, ty: &Type) -> Value {
    Value::Str(StrValue::of_plain(text, ty.collation))
}

/// Error 1301 as a warning and NULL, where a result would be longer than `max_allowed_packet`.
pub(super) fn check_length(len: u64, name: &str, cx: &mut Cx<'_>) -> bool {
    let max = cx.state.vars.max_allowed_packet;
    if len <= max {
        return true;
    }
    let warning = SqlError::allowed_packet_overflowed(name, max);
    cx.state.warn(crate::session::Level::Warning, warning.errno, warning.message);
    false
}

fn concat(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let mut joined = Vec::new();
    for e in args {
        let Some(part) = shared_text(cx, e, ty.collation)? else { return Ok(Value::Null) };
        if !check_length((joined.len() + part.len()) as u64, "concat", cx) {
            return Ok(Value::Null);
        }
        joined.extend_from_slice(&part);
    }
    Ok(string(joined, ty))
}

fn concat_ws(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(separator) = shared_text(cx, &args[0], ty.collation)? else { return Ok(Value::Null) };
    let mut joined = Vec::new();
    let mut first = true;
    for e in &args[1..] {
        let Some(part) = shared_text(cx, e, ty.collation)? else { continue };
        if !check_length((joined.len() + separator.len() + part.len()) as u64, "concat_ws", cx) {
            return Ok(Value::Null);
        }
        if !std::mem::take(&mut first) {
            joined.extend_from_slice(&separator);
        }
        joined.extend_from_slice(&part);
    }
    Ok(string(joined, ty))
}

fn char_length(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let text = pieces::counted(cx, &args[0], own_collation(&args[0], cx))?;
    Ok(text.map_or(Value::Null, |(bytes, charset)| Value::Int(charset.char_count(&bytes) as i64)))
}

fn upper(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    cased(cx, args, ty, true)
}

fn lower(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    cased(cx, args, ty, false)
}

fn cased(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, to_upper: bool) -> Result<Value, SqlError> {
    let Some(bytes) = shared_text(cx, &args[0], ty.collation)? else { return Ok(Value::Null) };
    let collation = ty.collation.collation();
    if bytes.len() < long::LONG_BYTES && collation.has_case_of_ascii(&bytes) {
        let text = Bytes::changed(&bytes, |text| match to_upper {
            true => text.make_ascii_uppercase(),
            false => text.make_ascii_lowercase(),
        });
        return Ok(Value::Str(StrValue { bytes: text, collation: ty.collation }));
    }
    let mut out = Vec::with_capacity(bytes.len());
    by_pieces(cx, ty.collation.charset(), &bytes, |piece| match to_upper {
        true => collation.upper(piece, &mut out),
        false => collation.lower(piece, &mut out),
    })?;
    Ok(string(out, ty))
}

pub(super) fn int_arg(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<i128>, SqlError> {
    if let Some(&Value::Int(n)) = e.peek(cx) {
        return Ok(Some(n.into()));
    }
    operand::integer(cx, e)
}

fn substring(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some((bytes, charset)) = pieces::counted(cx, &args[0], ty.collation)? else {
        // The others are read all the same.
        args[1..].iter().try_for_each(|e| int_arg(cx, e).map(drop))?;
        return Ok(Value::Null);
    };
    let position = int_arg(cx, &args[1])?;
    let length = args.get(2).map_or(Ok(Some(i128::MAX)), |e| int_arg(cx, e))?;
    let (Some(position), Some(length)) = (position, length) else { return Ok(Value::Null) };
    if position > 0 && length > 0 {
        // Counted from the beginning, no further than needed.
        let places = |n: i128| usize::try_from(n).unwrap_or(usize::MAX);
        let from = charset.offset_of_char(&bytes, places(position - 1));
        let rest = &bytes[from..];
        let found = &rest[..charset.offset_of_char(rest, places(length))];
        return Ok(Value::Str(StrValue::new(found, ty.collation)));
    }
    let chars = charset.char_count(&bytes) as i128;
    let start = if position < 0 { chars + position } else { position - 1 };
    if start < 0 || position == 0 || start >= chars || length <= 0 {
        return Ok(string(Vec::new(), ty));
    }
    let end = start.saturating_add(length).min(chars);
    let from = charset.offset_of_char(&bytes, start as usize);
    let to = charset.offset_of_char(&bytes, end as usize);
    Ok(Value::Str(StrValue::new(&bytes[from..to], ty.collation)))
}

fn left(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let text = pieces::counted(cx, &args[0], ty.collation)?;
    let n = int_arg(cx, &args[1])?;
    let (Some((bytes, charset)), Some(n)) = (text, n) else {
        return Ok(Value::Null);
    };
    let end = charset.offset_of_char(&bytes, n.clamp(0, i128::from(u32::MAX)) as usize);
    Ok(of_same(&args[0], copied(&bytes[..end], ty)))
}

fn right(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let text = pieces::counted(cx, &args[0], ty.collation)?;
    let n = int_arg(cx, &args[1])?;
    let (Some((bytes, charset)), Some(n)) = (text, n) else {
        return Ok(Value::Null);
    };
    let skip = (charset.char_count(&bytes) as i128 - n.max(0)).max(0);
    let from = charset.offset_of_char(&bytes, skip as usize);
    Ok(copied(&bytes[from..], ty))
}

fn replace(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = shared_text(cx, &args[0], ty.collation)? else { return Ok(Value::Null) };
    let Some(from) = shared_text(cx, &args[1], ty.collation)? else { return Ok(Value::Null) };
    // Byte by byte: what would take its place may be NULL where nothing is found.
    let bytewise = ty.collation.charset().max_char_bytes() == 1 || ty.collation.collation().is_bytewise();
    let nowhere = from.is_empty() || memchr::memmem::find(&bytes, &from).is_none();
    if from.is_empty() || bytewise && nowhere {
        return Ok(Value::Str(StrValue { bytes, collation: ty.collation }));
    }
    let Some(to) = shared_text(cx, &args[2], ty.collation)? else { return Ok(Value::Null) };
    if nowhere {
        return Ok(Value::Str(StrValue { bytes, collation: ty.collation }));
    }
    let charset = ty.collation.charset();
    let mut out = Vec::with_capacity(bytes.len());
    let (mut at, mut look) = (0, long::LONG_BYTES);
    while at < bytes.len() {
        if at >= look {
            cx.check_interrupt()?;
            look = at + long::LONG_BYTES;
        }
        if bytes[at..].starts_with(&from) {
            out.extend_from_slice(&to);
            at += from.len();
            if !check_length(out.len() as u64, "replace", cx) {
                return Ok(Value::Null);
            }
        } else {
            let len = charset.char_len(&bytes[at..]).max(1).min(bytes.len() - at);
            out.extend_from_slice(&bytes[at..at + len]);
            at += len;
        }
    }
    Ok(string(out, ty))
}

/// Hexadecimal digits as HEX gives them.
pub(super) const CAPITALS: &[u8; 16] = b"0123456789ABCDEF";

/// Two digits a byte.
pub(super) fn hex_of(bytes: &[u8], digits: &[u8; 16]) -> Vec<u8> {
    let mut hex = Vec::with_capacity(2 * bytes.len());
    for byte in bytes {
        hex.extend_from_slice(&[digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]);
    }
    hex
}

fn hex(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = args[0].eval_found(cx)?;
    let digits = match &value {
        Value::Null => return Ok(Value::Null),
        Value::Str(s) => {
            if !check_length(2 * s.bytes.len() as u64, "hex", cx) {
                return Ok(Value::Null);
            }
            let mut digits = Vec::with_capacity(2 * s.bytes.len());
            by_pieces(cx, Charset::Binary, &s.bytes, |piece| digits.extend(hex_of(piece, CAPITALS)))?;
            digits
        }
        Value::Fixed(value) => hex_of(value.bytes(), CAPITALS),
        Value::Int(_) | Value::UInt(_) | Value::Bit(_) | Value::Year(_) => {
            format!("{:X}", to_integer(&value).value as u64).into_bytes()
        }
        Value::Decimal(_) | Value::Double(_) | Value::Float(_) => {
            // Halves go away from zero here, not to the even number.
            let n = types::convert::to_double(&value).value.round();
            // What 64 bits do not hold is all of them.
            let beyond = n <= i64::MIN as f64 || n >= u64::MAX as f64;
            let bits = if beyond { u64::MAX } else { to_integer(&Value::Double(n)).value as u64 };
            format!("{bits:X}").into_bytes()
        }
        other => hex_of(&compare::text_in(other, ty.collation).unwrap_or_default(), CAPITALS),
    };
    Ok(ascii_text(digits, ty))
}

fn unhex(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    // Digits of two bytes are none.
    let collation = own_collation(&args[0], cx);
    let Some(digits) = text(cx, &args[0], collation)? else { return Ok(Value::Null) };
    let padded = if digits.len() % 2 == 1 { [b"0", &digits[..]].concat() } else { digits };
    let mut bytes = Vec::with_capacity(padded.len() / 2);
    for (number, pair) in padded.chunks(2).enumerate() {
        if number % long::LONG_BYTES == long::LONG_BYTES - 1 {
            cx.check_interrupt()?;
        }
        let digits = std::str::from_utf8(pair).ok().filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => bytes.push(byte),
            None => return Ok(Value::Null),
        }
    }
    Ok(string(bytes, ty))
}

fn locate(cx: &mut Cx<'_>, needle: &Expr, haystack: &Expr, from: Option<&Expr>) -> Result<Value, SqlError> {
    let collation = collate_operands(&[&haystack.ty, &needle.ty], "locate")?.0;
    let (hay, needle) = (shared_text(cx, haystack, collation)?, shared_text(cx, needle, collation)?);
    let (Some(hay), Some(needle)) = (hay, needle) else { return Ok(Value::Null) };
    let start = match from {
        None => 1,
        Some(e) => match int_arg(cx, e)? {
            None => return Ok(Value::Null),
            Some(n) => n,
        },
    };
    let charset = collation.charset();
    // Up to there characters are counted as the text has them, though it be compared as bytes.
    let own = match haystack.ty.class() {
        Class::Str if collation == CollationId::BINARY => haystack.ty.collation.charset(),
        _ => charset,
    };
    let chars = own.char_count(&hay) as i128;
    // MariaDB holds the place against the bytes first: behind the last character it is only where some have several.
    let most = if from.is_some() && chars == hay.len() as i128 { chars } else { chars + 1 };
    if start < 1 || start > most {
        return Ok(Value::Int(0));
    }
    let offset = own.offset_of_char(&hay, start as usize - 1);
    if needle.is_empty() {
        // MariaDB counts bytes here.
        return Ok(Value::Int(offset as i64 + 1));
    }
    let mut from = offset;
    while from < hay.len() {
        // A match has the needle's number of bytes, and begins in the piece.
        let end = charset.boundary(&hay, from + long::LONG_BYTES);
        let piece = &hay[..hay.len().min(end + needle.len())];
        if let Some(found) = collation.collation().find(piece, &needle, from) {
            return Ok(Value::Int(start as i64 + charset.char_count(&hay[offset..found.start]) as i64));
        }
        from = end;
        cx.check_interrupt()?;
    }
    Ok(Value::Int(0))
}

fn repeat(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let bytes = text(cx, &args[0], ty.collation)?;
    let n = int_arg(cx, &args[1])?;
    let (Some(bytes), Some(n)) = (bytes, n) else {
        return Ok(Value::Null);
    };
    let n = n.clamp(0, i128::from(u32::MAX)) as u64;
    if !check_length(n.saturating_mul(bytes.len() as u64), "repeat", cx) {
        return Ok(Value::Null);
    }
    Ok(of_same(&args[0], string(bytes.repeat(n as usize), ty)))
}

/// Text that is made of that of DECODE alone is in its character set.
fn of_same(e: &Expr, value: Value) -> Value {
    match super::secret::of_decoded(e) {
        Some(collation) => super::cast::relabelled(value, collation),
        None => value,
    }
}

fn space(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(n) = int_arg(cx, &args[0])? else { return Ok(Value::Null) };
    let n = n.clamp(0, i128::from(u32::MAX)) as u64;
    match check_length(n, "space", cx) {
        true => Ok(ascii_text(vec![b' '; n as usize], ty)),
        false => Ok(Value::Null),
    }
}

fn reverse(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some((bytes, charset)) = pieces::counted(cx, &args[0], ty.collation)? else { return Ok(Value::Null) };
    let mut out = vec![0; bytes.len()];
    let mut end = bytes.len();
    by_pieces(cx, charset, &bytes, |piece| {
        let mut at = 0;
        while at < piece.len() {
            let len = charset.char_len(&piece[at..]).max(1).min(piece.len() - at);
            out[end - len..end].copy_from_slice(&piece[at..at + len]);
            end -= len;
            at += len;
        }
    })?;
    Ok(string(out, ty))
}

fn pad(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, at_left: bool) -> Result<Value, SqlError> {
    let bytes = text(cx, &args[0], ty.collation)?;
    let n = int_arg(cx, &args[1])?;
    let filler = match args.get(2) {
        None => Some(ty.collation.charset().space().to_vec()),
        Some(e) => text(cx, e, ty.collation)?,
    };
    let (Some(bytes), Some(n), Some(filler)) = (bytes, n, filler) else { return Ok(Value::Null) };
    if n < 0 {
        return Ok(Value::Null);
    }
    let charset = ty.collation.charset();
    let name = if at_left { "lpad" } else { "rpad" };
    let wanted = n.min(i128::from(u32::MAX)) as usize;
    if !check_length((wanted * charset.max_char_bytes()) as u64, name, cx) {
        return Ok(Value::Null);
    }
    let chars = charset.char_count(&bytes);
    if chars >= wanted {
        let end = charset.offset_of_char(&bytes, wanted);
        return Ok(string(bytes[..end].to_vec(), ty));
    }
    let fill_chars = charset.char_count(&filler);
    if fill_chars == 0 {
        return Ok(Value::Null);
    }
    let missing = wanted - chars;
    let mut fill = filler.repeat(missing / fill_chars);
    fill.extend_from_slice(&filler[..charset.offset_of_char(&filler, missing % fill_chars)]);
    Ok(string(if at_left { [fill, bytes].concat() } else { [bytes, fill].concat() }, ty))
}

fn strcmp(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let collation = collate_operands(&[&args[0].ty, &args[1].ty], "strcmp")?.0;
    let a = shared_text(cx, &args[0], collation)?;
    let b = shared_text(cx, &args[1], collation)?;
    let (Some(a), Some(b)) = (a, b) else {
        return Ok(Value::Null);
    };
    let order = beside(cx, a.len().min(b.len()), |_| collation.collation().compare(&a, &b))?;
    Ok(Value::Int(order as i64))
}

/// All are compared in one way: as text where all are text, as integers or decimals where all are, else as doubles.
fn field(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let all = |test: fn(Class) -> bool| args.iter().all(|e| test(e.ty.class()));
    let how = if all(|class| matches!(class, Class::Str | Class::Temporal)) {
        let types: Vec<&Type> = args.iter().map(|e| &e.ty).collect();
        Comparison::Str(collate_operands(&types, "field")?.0)
    } else if all(|class| class == Class::Int) {
        Comparison::Int
    } else if all(|class| matches!(class, Class::Int | Class::Decimal)) {
        Comparison::Decimal
    } else {
        Comparison::Real
    };
    let value = compare::side(&args[0], how, cx)?;
    if value.is_null() {
        return Ok(Value::Int(0));
    }
    for (i, e) in args[1..].iter().enumerate() {
        let other = compare::side(e, how, cx)?;
        if compare::compare_values(&value, &other, how, cx.state) == Some(std::cmp::Ordering::Equal) {
            return Ok(Value::Int(i as i64 + 1));
        }
    }
    Ok(Value::Int(0))
}
