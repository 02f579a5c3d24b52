//! String functions that take strings apart, put them together and describe them.

use super::super::build::{TEXT_DECIMALS, boolean, call, collate_operands};
use super::super::{Class, Coercibility, Expr, Kind, Named, Type, TypeKind, operand};
use super::Function;
use super::string::{
    ascii_text, check_length, collation_alone, collation_of, compared_collation_of, int_arg, long_text,
    on_bytes, shared_text, string, text, text_bytes, text_length, text_of_length,
};
use super::string_types::known_int;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::convert::to_decimal;
use types::decimal::Rounding;
use types::{Bytes, Charset, CollationId, StrValue, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("substring_index", 3, 3, like_first, substring_index),
    function!("insert", 4, 4, insert_type, insert),
    function!("elt", 2, usize::MAX, elt_type, elt),
    function!(
        "find_in_set",
        2,
        2,
        |args, _| {
            collate_operands(&[&args[0].ty, &args[1].ty], "find_in_set")?;
            Ok(int_type(args, 3))
        },
        find_in_set
    ),
    function!("make_set", 2, usize::MAX, make_set_type, make_set),
    function!("export_set", 3, 5, export_set_type, export_set),
    function!("quote", 1, 1, quote_type, quote),
    function!("soundex", 1, 1, soundex_type, soundex),
    function!("ord", 1, 1, |args, _| Ok(int_type(args, 7)), ord),
    function!("bit_length", 1, 1, bit_length_type, |cx, args, _| on_bytes(cx, &args[0], |bytes, _| {
        Value::Int(bytes.len() as i64 * 8)
    })),
    function!("format", 2, 3, format_type, format),
    function!("chr", 1, 1, chr_type, chr),
];

/// An integer of so many digits, NULL where an argument is.
pub(super) fn int_type(args: &[Expr], length: u32) -> Type {
    Type { length, ..boolean(args.iter().any(|e| e.ty.nullable)) }
}

/// A value's text in a collation's characters, and the character set that its characters are counted in: where bytes are
/// asked for, that of the text that was decoded, or chosen among bytes.
pub(super) fn counted(
    cx: &mut Cx<'_>,
    e: &Expr,
    collation: CollationId,
) -> Result<Option<(Bytes, Charset)>, SqlError> {
    if collation == CollationId::BINARY
        && e.ty.class() == Class::Str
        && let Value::Str(s) = e.eval_found(cx)?
    {
        return Ok(Some((s.bytes, s.collation.charset())));
    }
    Ok(shared_text(cx, e, collation)?.map(|bytes| (bytes, collation.charset())))
}

/// Text as long as the first argument.
fn like_first(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = compared_collation_of(&args[..2], "substring_index", state)?;
    Ok(long_text(text_length(&args[0].ty), collation, coercibility, true))
}

fn substring_index(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let bytes = text(cx, &args[0], ty.collation)?;
    let delimiter = text(cx, &args[1], ty.collation)?;
    // MariaDB counts in 32 bits.
    let count = int_arg(cx, &args[2])?.map(|count| count as i32);
    let (Some(bytes), Some(delimiter), Some(count)) = (bytes, delimiter, count) else {
        return Ok(Value::Null);
    };
    if delimiter.is_empty() || count == 0 {
        return Ok(string(Vec::new(), ty));
    }
    let nth = usize::try_from(count.unsigned_abs()).unwrap_or(usize::MAX);
    if count < 0 && ty.collation.charset().max_char_bytes() == 1 {
        // Single bytes are gone through from the end.
        let place = memchr::memmem::rfind_iter(&bytes, &delimiter).nth(nth - 1);
        let part = place.map_or(&bytes[..], |at| &bytes[at + delimiter.len()..]);
        return Ok(string(part.to_vec(), ty));
    }
    let finder = memchr::memmem::Finder::new(&delimiter);
    // Found where a character begins, where characters have several bytes each.
    let width = ty.collation.charset().min_char_bytes();
    let places: Vec<usize> = finder.find_iter(&bytes).filter(|at| at % width == 0).collect();
    let part = match count > 0 {
        true => places.get(nth - 1).map_or(&bytes[..], |at| &bytes[..*at]),
        false => match places.len().checked_sub(nth) {
            Some(i) => &bytes[places[i] + delimiter.len()..],
            None => &bytes[..],
        },
    };
    Ok(string(part.to_vec(), ty))
}

fn insert_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(&[args[0].clone(), args[3].clone()], "insert", state)?;
    let of = |e: &Expr| match collation {
        CollationId::BINARY => text_bytes(&e.ty).into(),
        _ => text_length(&e.ty),
    };
    Ok(text_of_length(of(&args[0]) + of(&args[3]), collation, coercibility, true))
}

fn insert(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let bytes = text(cx, &args[0], ty.collation)?;
    let position = int_arg(cx, &args[1])?;
    let length = int_arg(cx, &args[2])?;
    let new = text(cx, &args[3], ty.collation)?;
    let (Some(bytes), Some(position), Some(length), Some(new)) = (bytes, position, length, new) else {
        return Ok(Value::Null);
    };
    let charset = ty.collation.charset();
    let chars = charset.char_count(&bytes) as i128;
    if position < 1 || position > chars {
        return Ok(string(bytes, ty));
    }
    let rest = chars - (position - 1);
    let length = if length < 0 || length > rest { rest } else { length };
    let from = charset.offset_of_char(&bytes, (position - 1) as usize);
    let to = charset.offset_of_char(&bytes, (position - 1 + length) as usize);
    if !check_length((bytes.len() - (to - from) + new.len()) as u64, "insert", cx) {
        return Ok(Value::Null);
    }
    Ok(string([&bytes[..from], &new, &bytes[to..]].concat(), ty))
}

fn elt_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(&args[1..], "elt", state)?;
    let length = args[1..].iter().map(|e| text_length(&e.ty)).max().unwrap_or(0);
    let decimals = args[1..].iter().map(|e| match e.ty.decimals {
        _ if e.ty.labels.is_some() => 0,
        31 => TEXT_DECIMALS,
        digits => digits,
    });
    let decimals = decimals.max().unwrap_or(0);
    // Room for any geometry is all that there is, but for what a variable holds.
    let is_place =
        |e: &Expr| matches!(e.ty.kind, TypeKind::Geometry(_)) && !matches!(e.kind, Kind::UserVar(_));
    let ty = match args[1..].iter().any(is_place) {
        true => long_text(u64::from(u32::MAX), collation, coercibility, true),
        false => text_of_length(length, collation, coercibility, true),
    };
    Ok(Type { decimals, ..ty })
}

fn elt(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(n) = int_arg(cx, &args[0])? else { return Ok(Value::Null) };
    let chosen = usize::try_from(n).ok().filter(|n| *n > 0).and_then(|n| args.get(n));
    let Some(chosen) = chosen else { return Ok(Value::Null) };
    Ok(text(cx, chosen, ty.collation)?.map_or(Value::Null, |bytes| string(bytes, ty)))
}

/// The labels of a SET column in which a text known beforehand is sought: its place is that among all of them then, not
/// among those that the row has.
fn labels_sought(args: &[Expr]) -> Option<&types::Labels> {
    let ty = &args[1].ty;
    let column = matches!(args[1].kind, Kind::Column(_)) && ty.kind == TypeKind::Set;
    ty.labels.as_deref().filter(|_| column && args[0].is_fixed())
}

fn find_in_set(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let collation = collate_operands(&[&args[0].ty, &args[1].ty], "find_in_set")?.0;
    let wanted = text(cx, &args[0], collation)?;
    if let (Some(labels), Some(wanted)) = (labels_sought(args), &wanted) {
        let Some(bits) = int_arg(cx, &args[1])? else { return Ok(Value::Null) };
        // No label ends in spaces.
        let whole = spaces_behind(wanted, collation.charset()) == 0;
        let place = labels.find(wanted, args[1].ty.collation);
        let place = place.filter(|place| whole && bits as u64 >> (place - 1) & 1 == 1);
        return Ok(Value::Int(place.map_or(0, |place| place as i64)));
    }
    let set = text(cx, &args[1], collation)?;
    let (Some(wanted), Some(set)) = (wanted, set) else {
        return Ok(Value::Null);
    };
    let charset = collation.charset();
    // What is longer than all members is not even compared.
    if set.is_empty() || set.len() < wanted.len() || charset.split(&wanted, b',').len() > 1 {
        return Ok(Value::Int(0));
    }
    let mut parts = charset.split(&set, b',').into_iter();
    // Nothing is padded: spaces at its end make a member another.
    let spaces = spaces_behind(&wanted, charset);
    let is_wanted =
        |part: &[u8]| spaces_behind(part, charset) == spaces && collation.collation().equal(part, &wanted);
    let found = parts.position(is_wanted);
    Ok(Value::Int(found.map_or(0, |i| i as i64 + 1)))
}

/// How many spaces a text ends in.
fn spaces_behind(text: &[u8], charset: Charset) -> usize {
    let space = charset.of_plain(b" ");
    text.rchunks(space.len()).take_while(|end| *end == &space[..]).count()
}

fn make_set_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(&args[1..], "make_set", state)?;
    // A geometry is counted as what it is converted to.
    let most = u64::from(u32::MAX) / collation.charset().max_char_bytes() as u64;
    let room = |e: &Expr| match e.ty.kind {
        TypeKind::Geometry(_) => counted_length(&e.ty).min(most),
        _ => counted_length(&e.ty),
    };
    let length = args[1..].iter().map(room).sum::<u64>() + args.len() as u64 - 2;
    // In 32 bits: beside LONGBLOB little is left.
    Ok(long_text(u64::from(length as u32), collation, coercibility, true))
}

fn make_set(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bits) = int_arg(cx, &args[0])? else { return Ok(Value::Null) };
    let mut out = Vec::new();
    let mut first: Option<CollationId> = None;
    for (i, e) in args[1..].iter().enumerate().take(64) {
        if (bits as u64) >> i & 1 == 0 {
            continue;
        }
        let Some(part) = text(cx, e, ty.collation)? else { continue };
        match first {
            Some(first) => out.extend_from_slice(&first.charset().of_plain(b",")),
            None => first = Some(member_collation(&e.ty, ty)),
        }
        out.extend_from_slice(&part);
    }
    match first {
        Some(first) => Ok(Value::Str(StrValue::new(&out, first))),
        None => Ok(string(out, ty)),
    }
}

/// Whether it is what MAKE_SET or JSON_MERGE makes.
pub(super) fn is_members(e: &Expr) -> bool {
    match (&e.kind, &e.ty.origin) {
        (Kind::Call(call), _) => call.name == "make_set" || call.name.starts_with("json_merge"),
        (Kind::Const(_), Named::Computed(of)) => is_members(of),
        _ => false,
    }
}

impl Expr {
    /// Whether its value may be bytes that are sent as characters.
    pub(in crate::expr) fn makes_characters_of_bytes(&self) -> bool {
        self.ty.collation == CollationId::BINARY && is_members(self)
    }
}

/// The collation of what MAKE_SET or JSON_MERGE makes: bytes are sent in the characters of their first member, as MariaDB
/// has it.
pub(super) fn member_collation(member: &Type, all: &Type) -> CollationId {
    match member.class() {
        _ if all.collation != CollationId::BINARY => all.collation,
        Class::Str => member.collation,
        _ => CollationId::LATIN1_SWEDISH_CI,
    }
}

fn export_set_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(&args[1..args.len().min(4)], "export_set", state)?;
    let bit = counted_length(&args[1].ty).max(counted_length(&args[2].ty));
    let separator = args.get(3).map_or(1, |e| counted_length(&e.ty));
    // In 32 bits as well.
    let length = u64::from((bit * 64 + separator * 63) as u32);
    Ok(long_text(length, collation, coercibility, true))
}

/// The characters that a text may have where MariaDB counts them: as many as fit into the most bytes that any can have.
fn counted_length(ty: &Type) -> u64 {
    text_length(ty).min(u64::from(u32::MAX) / ty.collation.charset().max_char_bytes() as u64)
}

fn export_set(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let bits = int_arg(cx, &args[0])?;
    let (on, off) = (text(cx, &args[1], ty.collation)?, text(cx, &args[2], ty.collation)?);
    let (Some(bits), Some(on), Some(off)) = (bits, on, off) else { return Ok(Value::Null) };
    let separator = match args.get(3) {
        None => Some(ty.collation.charset().of_plain(b",").into_owned()),
        Some(e) => text(cx, e, ty.collation)?,
    };
    let count = args.get(4).map_or(Ok(Some(64)), |e| int_arg(cx, e))?;
    let (Some(separator), Some(count)) = (separator, count) else { return Ok(Value::Null) };
    // Of the number there are 32 bits.
    let count = (count as u32).min(64);
    let mut out = Vec::new();
    for i in 0..count {
        if i > 0 {
            out.extend_from_slice(&separator);
        }
        out.extend_from_slice(if (bits as u64) >> i & 1 == 1 { &on } else { &off });
    }
    if !check_length(out.len() as u64, "export_set", cx) {
        return Ok(Value::Null);
    }
    Ok(string(out, ty))
}

fn quote_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_alone(&args[0]);
    let length = match args[0].ty.is_nothing() {
        true => 4,
        false => text_length(&args[0].ty) * 2 + 2,
    };
    // There is room for the word NULL.
    let given = matches!(args[0].kind, Kind::Const(_)) && !matches!(args[0].ty.origin, Named::Computed(_));
    let length = if args[0].ty.nullable && !given { length.max(4) } else { length };
    Ok(text_of_length(length, collation, coercibility, true))
}

fn quote(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = text(cx, &args[0], ty.collation)? else { return Ok(ascii_text(b"NULL".to_vec(), ty)) };
    let bytes = ty.collation.charset().to_plain(&bytes).into_owned();
    let mut out = Vec::with_capacity(bytes.len() + 2);
    quote_into(&bytes, &mut out);
    match check_length(out.len() as u64, "quote", cx) {
        true => Ok(ascii_text(out, ty)),
        false => Ok(Value::Null),
    }
}

/// A text as a literal.
pub fn quote_into(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'\'');
    for &byte in bytes {
        match byte {
            b'\'' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0 => out.extend_from_slice(b"\\0"),
            0x1A => out.extend_from_slice(b"\\Z"),
            other => out.push(other),
        }
    }
    out.push(b'\'');
}

fn soundex_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let (collation, coercibility) = collation_of(args, "soundex", state)?;
    Ok(text_of_length(text_length(&args[0].ty).max(4), collation, coercibility, true))
}

fn soundex(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    /// Codes of A to Z; vowels and the like have none.
    const CODES: &[u8; 26] = b"01230120022455012623010202";
    let Some(bytes) = text(cx, &args[0], ty.collation)? else { return Ok(Value::Null) };
    let unicode = ty.collation.charset().is_unicode();
    let letters = match ty.collation {
        // Bytes are characters of their numbers, those beyond ASCII no letters.
        types::CollationId::BINARY => bytes.iter().filter(|b| b.is_ascii()).map(|b| char::from(*b)).collect(),
        // What is no character ends the text.
        collation => {
            let charset = collation.charset();
            charset.to_utf8_lossy(&bytes[..charset.valid_prefix(&bytes)])
        }
    };
    let mut out = String::new();
    let mut last = b'0';
    // Beyond ASCII everything from there on counts as a letter.
    for c in letters
        .chars()
        .filter(|c| c.is_ascii_alphabetic() || *c >= '\u{C0}' && (unicode || c.is_alphabetic()))
    {
        let upper = c.to_ascii_uppercase();
        let code = match upper {
            'A'..='Z' => CODES[usize::from(upper as u8 - b'A')],
            _ => b'0',
        };
        if out.is_empty() {
            out.push(upper);
            last = code;
        } else if code != b'0' && code != last {
            // One code stands for all that follow it, whatever has none between them.
            out.push(char::from(code));
            last = code;
        }
    }
    while !out.is_empty() && out.chars().count() < 4 {
        out.push('0');
    }
    let utf8 = types::Charset::Utf8mb4.convert_cow(out.as_bytes(), ty.collation.charset()).into_owned();
    Ok(string(utf8, ty))
}

fn ord(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    on_bytes(cx, &args[0], |bytes, collation| {
        let len = collation.charset().char_len(bytes).min(bytes.len());
        Value::Int(bytes[..len].iter().fold(0, |n, byte| n << 8 | i64::from(*byte)))
    })
}

fn bit_length_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(Type { kind: TypeKind::LongLong, ..int_type(args, 11) })
}

/// The digits before the point, rounded up perhaps, with separators and sign, and the fraction.
fn format_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    super::locale::foresee(args.get(2), state);
    let nothing = matches!(args[1].kind, Kind::Const(Value::Null));
    let known = known_int(&args[1], state)?.filter(|_| !nothing).map(|digits| digits.clamp(0, 38) as u64);
    let digits = known.unwrap_or(38);
    let ty = &args[0].ty;
    // Where it has no fixed number of digits it has more than any.
    let rounds = u64::from(ty.decimals >= 31 || u64::from(ty.decimals) > digits);
    let whole = match ty.kind {
        TypeKind::Tiny => 3,
        TypeKind::Short => 5,
        TypeKind::Int24 => 8 - u64::from(!ty.unsigned),
        TypeKind::Long => 10,
        TypeKind::Year => 4,
        TypeKind::LongLong => 20 - u64::from(!ty.unsigned),
        TypeKind::Bit => u64::from((u64::MAX >> (64 - ty.length.clamp(1, 64))).ilog10()) + 1,
        TypeKind::Decimal => {
            let point = u64::from(ty.decimals > 0);
            let sign = u64::from(!ty.unsigned);
            let rounds = u64::from(u64::from(ty.decimals) > known.unwrap_or(0));
            u64::from(ty.length).saturating_sub(u64::from(ty.decimals) + point + sign) + rounds
        }
        TypeKind::Date => 8,
        TypeKind::Time => 7 + u64::from(u64::from(ty.decimals) > digits),
        TypeKind::DateTime | TypeKind::Timestamp => 14 + u64::from(u64::from(ty.decimals) > digits),
        TypeKind::Null => 309,
        _ if args[0].is_literal_bytes() => 309,
        TypeKind::Fixed(_) => 1,
        TypeKind::Float => 39 + rounds,
        TypeKind::Enum | TypeKind::Set => 309,
        _ => 309 + rounds,
    };
    let length = whole + whole / 3 + u64::from(digits > 0) + 1 + digits;
    Ok(text_of_length(length, state.vars.collation_connection, Coercibility::Coercible, true))
}

fn format(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(digits) = int_arg(cx, &args[1])? else { return Ok(Value::Null) };
    let value = match (args[0].ty.kind, &args[0].kind) {
        // What is no number is none, be it NULL, unless it is read, asked for or the end of a group.
        (TypeKind::Fixed(_), kind)
            if matches!(kind, Kind::Column(_) | Kind::Subquery(_))
                || matches!(args[0].ty.origin, Named::Extreme(..)) =>
        {
            match args[0].eval(cx)? {
                Value::Null => Value::Null,
                _ => Value::Int(0),
            }
        }
        (TypeKind::Fixed(_), _) => Value::Int(0),
        (_, Kind::UserVar(_)) => operand::numeric_as(cx, &args[0], Class::Real)?,
        _ if args[0].ty.is_joined() => operand::numeric_as(cx, &args[0], Class::Real)?,
        (_, Kind::Const(_)) => args[0].eval_number(cx)?,
        // The spaces that CHAR is filled up with are no part of a number.
        (_, Kind::Column(_)) if args[0].ty.class() == Class::Str => operand::numeric(cx, &args[0])?,
        (_, Kind::Call(_)) if args[0].ty.class() == Class::Str => {
            operand::numeric_as(cx, &args[0], Class::Real)?
        }
        _ => args[0].eval_exactly(cx)?,
    };
    if value.is_null() {
        return Ok(Value::Null);
    }
    let locale = super::locale::asked(cx, args.get(2))?.unwrap_or_else(super::locale::first);
    // They are counted by an INT, which others fall out of.
    let digits = (digits as i32).clamp(0, 38) as u8;
    let mut plain = Vec::new();
    match &value {
        Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Year(_) | Value::Bit(_) => {
            to_decimal(&value).value.round(i32::from(digits), Rounding::HalfUp).write(&mut plain);
        }
        _ => {
            let number = operand::real_of(&value, cx.state);
            let rounded = super::numeric::round_double(number, i32::from(digits), Rounding::HalfUp);
            types::number::write_fixed(rounded, digits, &mut plain);
        }
    }
    let plain = String::from_utf8_lossy(&plain).into_owned();
    let (sign, rest) = plain.strip_prefix('-').map_or(("", plain.as_str()), |rest| ("-", rest));
    // No zero has a sign here.
    let sign = if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) { "" } else { sign };
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let fraction = format!("{fraction:0<width$}", width = usize::from(digits));
    let marked = sign.to_owned() + &locale.marked(whole, &fraction);
    Ok(ascii_text(marked.into_bytes(), ty))
}

/// Warning 1300 of bytes that are no characters: the first three are shown.
fn warn_of_bytes(bytes: &[u8], charset: types::Charset, cx: &mut Cx<'_>) {
    let bad: String = bytes.iter().take(3).map(|byte| format!("{byte:02X}")).collect();
    let message = format!("Invalid {} character string: '{bad}'", charset.name());
    cx.state.warn(Level::Warning, 1300, message);
}

/// Four bytes of the database's character set.
fn chr_type(_: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let collation = crate::session::variables::database_collation(state);
    let length = 4 / collation.charset().max_char_bytes() as u64;
    Ok(text_of_length(length, collation, Coercibility::Coercible, true))
}

fn chr(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(code) = int_arg(cx, &args[0])? else { return Ok(Value::Null) };
    let code = (code as u32).to_be_bytes();
    let skip = code.iter().take(3).take_while(|byte| **byte == 0).count();
    let skip = skip - skip % ty.collation.charset().min_char_bytes();
    let (bytes, charset) = (&code[skip..], ty.collation.charset());
    let good = charset.valid_prefix(bytes);
    if good < bytes.len() {
        warn_of_bytes(&bytes[good..], charset, cx);
        if cx.state.vars.is_strict() {
            return Ok(Value::Null);
        }
    }
    Ok(string(bytes[..good].to_vec(), ty))
}

/// `CHAR(codes USING charset)`.
pub fn char_function(args: Vec<Expr>, charset: Option<&str>, state: &mut State) -> Result<Expr, SqlError> {
    let collation = match charset {
        None => CollationId::BINARY,
        Some(name) => super::cast::charset_named(name)?.default_collation(),
    };
    let chars = args.len() as u64 * 4 / collation.charset().max_char_bytes() as u64;
    let ty = text_of_length(chars, collation, Coercibility::Coercible, true);
    call(
        "char",
        |cx, args, ty| {
            let mut bytes = Vec::new();
            for e in args {
                let Some(n) = int_arg(cx, e)? else { continue };
                let code = (n as u32).to_be_bytes();
                let skip = code.iter().take(3).take_while(|b| **b == 0).count();
                // Whole characters where they have several bytes.
                let width = ty.collation.charset().min_char_bytes();
                bytes.extend_from_slice(&code[skip - skip % width..]);
            }
            let charset = ty.collation.charset();
            let good = charset.valid_prefix(&bytes);
            if good < bytes.len() {
                warn_of_bytes(&bytes[good..], charset, cx);
                if cx.state.vars.is_strict() {
                    return Ok(Value::Null);
                }
                bytes.truncate(good);
            }
            Ok(string(bytes, ty))
        },
        args,
        ty,
        state,
    )
}
