//! Digests, encodings, number bases, identifiers.

use super::super::{Coercibility, Expr, Kind, Type, TypeKind, operand};
use super::Function;
use super::pieces::int_type;
use super::string::{CAPITALS, ascii_text, check_length, hex_of, int_arg, shared_text, text, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};
use std::sync::atomic::{AtomicU64, Ordering};
use types::convert::to_integer;
use types::{Bytes, CollationId, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

macro_rules! volatile {
    ($name:literal, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: 0, max: 0, ty: $ty, evaluate: $evaluate, deterministic: false }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("md5", 1, 1, |_, state| Ok(ascii(32, state)), |cx, args, ty| digest::<Md5>(cx, args, ty)),
    function!("sha", 1, 1, |_, state| Ok(ascii(40, state)), |cx, args, ty| digest::<Sha1>(cx, args, ty)),
    function!("sha1", 1, 1, |_, state| Ok(ascii(40, state)), |cx, args, ty| digest::<Sha1>(cx, args, ty)),
    function!("sha2", 2, 2, sha2_type, sha2),
    function!("password", 1, 1, |_, state| Ok(ascii(41, state)), password),
    function!("to_base64", 1, 1, to_base64_type, to_base64),
    function!("from_base64", 1, 1, from_base64_type, from_base64),
    function!("conv", 3, 3, |_, state| Ok(ascii(65, state)), conv),
    function!("bin", 1, 1, |_, state| Ok(ascii(65, state)), |cx, args, ty| in_base(cx, &args[0], 2, ty)),
    function!("oct", 1, 1, |_, state| Ok(ascii(65, state)), |cx, args, ty| in_base(cx, &args[0], 8, ty)),
    function!("bit_count", 1, 1, |args, _| Ok(int_type(args, 2)), bit_count),
    volatile!("uuid", uuid_type, uuid),
    volatile!("sys_guid", sys_guid_type, sys_guid),
    volatile!("uuid_short", uuid_short_type, uuid_short),
];

fn ascii(length: u64, state: &State) -> Type {
    text_of_length(length, state.vars.collation_connection, Coercibility::Coercible, true)
}

/// A digest as text.
fn in_hex(sum: &[u8], ty: &Type) -> Value {
    ascii_text(hex_of(sum, b"0123456789abcdef"), ty)
}

/// An argument's bytes, in its own character set.
fn bytes_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Bytes>, SqlError> {
    let collation = super::string::own_collation(e, cx);
    shared_text(cx, e, collation)
}

fn digest<D: Digest>(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    Ok(bytes_of(cx, &args[0])?.map_or(Value::Null, |bytes| in_hex(&D::digest(&bytes[..]), ty)))
}

fn sha2_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let bits = match args[1].is_const() {
        true => to_integer(&args[1].eval(&mut Cx::new(state, &[]))?).value,
        false => 512,
    };
    Ok(match bits {
        0 => ascii(64, state),
        224 | 256 | 384 | 512 => ascii(bits as u64 / 4, state),
        _ => {
            let warning = SqlError::wrong_parameters("sha2");
            state.warn_only(Level::Warning, warning.errno, warning.message);
            // A parameter had no value yet when the text was given its collation.
            match args[1].ty.nullable && matches!(args[1].kind, Kind::Const(_)) {
                true => ascii(0, state),
                false => text_of_length(0, CollationId::BINARY, Coercibility::Coercible, true),
            }
        }
    })
}

fn sha2(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    let bytes = &bytes[..];
    match int_arg(cx, &args[1])?.unwrap_or(0) {
        0 | 256 => Ok(in_hex(&Sha256::digest(bytes), ty)),
        224 => Ok(in_hex(&Sha224::digest(bytes), ty)),
        384 => Ok(in_hex(&Sha384::digest(bytes), ty)),
        512 => Ok(in_hex(&Sha512::digest(bytes), ty)),
        // Of a constant it was said when the statement was bound.
        _ if args[1].is_const() => Ok(Value::Null),
        _ => {
            let warning = SqlError::wrong_parameters("sha2");
            cx.state.warn(Level::Warning, warning.errno, warning.message);
            Ok(Value::Null)
        }
    }
}

/// The text that `mysql_native_password` keeps: `*` and the SHA-1 of the SHA-1.
fn password(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])?.filter(|bytes| !bytes.is_empty()) else {
        return Ok(ascii_text(Vec::new(), ty));
    };
    let twice = Sha1::digest(Sha1::digest(&bytes[..]));
    Ok(ascii_text([b"*", &hex_of(&twice, CAPITALS)[..]].concat(), ty))
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Characters a line of TO_BASE64.
const BASE64_LINE: usize = 76;

fn to_base64_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let widest = args[0].ty.collation.charset().max_char_bytes() as u64;
    let digits = (u64::from(args[0].ty.length) * widest).div_ceil(3) * 4;
    Ok(ascii(digits + digits.saturating_sub(1) / BASE64_LINE as u64, state))
}

fn to_base64(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(bytes) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    let digits = bytes.len().div_ceil(3) * 4;
    let breaks = digits.saturating_sub(1) / BASE64_LINE;
    if !check_length((digits + breaks) as u64, "to_base64", cx) {
        return Ok(Value::Null);
    }
    let mut digits = Vec::with_capacity(digits);
    for chunk in bytes.chunks(3) {
        let mut group = [0; 3];
        group[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, group[0], group[1], group[2]]);
        for i in 0..4 {
            let digit = BASE64[(bits >> (18 - 6 * i)) as usize & 63];
            digits.push(if i <= chunk.len() { digit } else { b'=' });
        }
    }
    Ok(ascii_text(digits.chunks(BASE64_LINE).collect::<Vec<_>>().join(&b'\n'), ty))
}

fn from_base64_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let length = u64::from(super::string::text_bytes(&args[0].ty)).div_ceil(4) * 3;
    Ok(text_of_length(length, CollationId::BINARY, Coercibility::Coercible, true))
}

fn from_base64(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(digits) = bytes_of(cx, &args[0])? else { return Ok(Value::Null) };
    // Characters of several bytes are read as the digits that they are.
    let digits = super::string::own_collation(&args[0], cx).charset().to_plain(&digits).into_owned();
    match decode_base64(&digits) {
        Ok(bytes) => Ok(ascii_text(bytes, ty)),
        Err(at) => {
            cx.state.warn(Level::Warning, 1958, format!("Bad base64 data as position {at}"));
            Ok(Value::Null)
        }
    }
}

/// Bytes of base64 digits with white space between; the position of what is no digit.
fn decode_base64(digits: &[u8]) -> Result<Vec<u8>, usize> {
    let (mut out, mut bits, mut held, mut padding) = (Vec::new(), 0_u32, 0, 0);
    for (at, byte) in digits.iter().enumerate() {
        if byte.is_ascii_whitespace() {
            continue;
        }
        let value = match byte {
            b'=' if held >= 2 => {
                padding += 1;
                0
            }
            _ if padding > 0 => return Err(at),
            other => BASE64.iter().position(|digit| digit == other).ok_or(at)? as u32,
        };
        bits = bits << 6 | value;
        held += 1;
        if held == 4 {
            let bytes = bits.to_be_bytes();
            out.extend_from_slice(&bytes[1..4 - padding]);
            (bits, held) = (0, 0);
        }
    }
    if held == 0 { Ok(out) } else { Err(digits.len()) }
}

fn digit_of(byte: u8) -> Option<u64> {
    char::from(byte).to_digit(36).map(u64::from)
}

/// The digits of a number in a base, upper case.
fn write_in_base(mut n: u64, base: u64, negative: bool) -> Vec<u8> {
    let mut digits = Vec::new();
    loop {
        let digit = char::from_digit((n % base) as u32, 36).unwrap_or('0');
        digits.push(digit.to_ascii_uppercase() as u8);
        n /= base;
        if n == 0 {
            break;
        }
    }
    if negative {
        digits.push(b'-');
    }
    digits.reverse();
    digits
}

fn conv(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let digits = digits_of(cx, &args[0])?;
    let from = int_arg(cx, &args[1])?;
    let to = int_arg(cx, &args[2])?;
    let (Some(digits), Some(from), Some(to)) = (digits, from, to) else {
        return Ok(Value::Null);
    };
    Ok(rebased(&digits, from, to, ty))
}

/// The text whose digits are read: a BIT column's is its number.
fn digits_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Vec<u8>>, SqlError> {
    match e.ty.kind {
        TypeKind::Bit => Ok(operand::integer(cx, e)?.map(|n| n.to_string().into_bytes())),
        _ => text(cx, e, CollationId::UTF8MB4_GENERAL_CI),
    }
}

/// A text's digits of one base in another.
fn rebased(digits: &[u8], from: i128, to: i128, ty: &Type) -> Value {
    let allowed = |base: i128| (2..=36).contains(&base.abs());
    if !allowed(from) || !allowed(to) || digits.is_empty() {
        return Value::Null;
    }
    let text = digits.trim_ascii_start();
    let (negative, text) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let base = from.unsigned_abs() as u64;
    let mut n: u64 = 0;
    for digit in text.iter().map_while(|byte| digit_of(*byte).filter(|digit| *digit < base)) {
        n = n.checked_mul(base).and_then(|n| n.checked_add(digit)).unwrap_or(u64::MAX);
    }
    let n = if negative { n.wrapping_neg() } else { n };
    let signed = to < 0 && (n as i64) < 0;
    let magnitude = if signed { (n as i64).unsigned_abs() } else { n };
    ascii_text(write_in_base(magnitude, to.unsigned_abs() as u64, signed), ty)
}

fn in_base(cx: &mut Cx<'_>, e: &Expr, base: i128, ty: &Type) -> Result<Value, SqlError> {
    Ok(digits_of(cx, e)?.map_or(Value::Null, |digits| rebased(&digits, 10, base, ty)))
}

fn bit_count(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let bits = operand::bits(cx, &args[0])?;
    Ok(bits.map_or(Value::Null, |bits| Value::Int(i64::from(bits.count_ones()))))
}

fn uuid_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    let decimals = super::super::build::TEXT_DECIMALS;
    Ok(Type { unsigned: false, decimals, ..super::super::build::fixed_type(types::FixedType::Uuid) })
}

fn sys_guid_type(_: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(text_of_length(32, CollationId::LATIN1_SWEDISH_CI, Coercibility::Coercible, true))
}

/// A version 1 UUID: 100 ns since October 1582, a random node chosen at the process' start.
fn time_uuid() -> [u8; 16] {
    /// From the Gregorian calendar's first day to 1970, in 100 ns.
    const GREGORIAN: u64 = 0x01B2_1DD2_1381_4000;
    static LAST: AtomicU64 = AtomicU64::new(0);
    static NODE: std::sync::LazyLock<[u8; 8]> = std::sync::LazyLock::new(|| {
        let mut node = rand::random::<[u8; 8]>();
        node[0] = node[0] & 0x3F | 0x80; // the RFC's variant
        node[2] |= 1; // a node that is no network card's
        node
    });
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let ticks = now.as_nanos() as u64 / 100 + GREGORIAN;
    // Never the same twice: the clock may stand still between two calls.
    let previous = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(ticks.max(last + 1)));
    let ticks = ticks.max(previous.unwrap_or(0) + 1);
    let mut out = [0; 16];
    out[..4].copy_from_slice(&(ticks as u32).to_be_bytes());
    out[4..6].copy_from_slice(&((ticks >> 32) as u16).to_be_bytes());
    out[6..8].copy_from_slice(&((ticks >> 48) as u16 & 0x0FFF | 0x1000).to_be_bytes());
    out[8..].copy_from_slice(&*NODE);
    out
}

fn uuid(_: &mut Cx<'_>, _: &[Expr], _: &Type) -> Result<Value, SqlError> {
    Ok(types::FixedType::Uuid.from_bytes(&time_uuid()).map_or(Value::Null, Value::Fixed))
}

fn sys_guid(_: &mut Cx<'_>, _: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    Ok(in_hex(&time_uuid(), ty))
}

fn uuid_short_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(Type { kind: TypeKind::LongLong, unsigned: true, ..int_type(args, 21) })
}

/// Server id, start time and a counter, as MariaDB packs them.
fn uuid_short(cx: &mut Cx<'_>, _: &[Expr], _: &Type) -> Result<Value, SqlError> {
    static NEXT: std::sync::LazyLock<AtomicU64> = std::sync::LazyLock::new(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        AtomicU64::new(now.as_secs() << 24)
    });
    let server = cx.state.host.fact("server_id").map_or(1, |id| to_integer(&id).value as u64);
    Ok(Value::UInt((server & 0xFF) << 56 | NEXT.fetch_add(1, Ordering::Relaxed) & 0x00FF_FFFF_FFFF_FFFF))
}

#[cfg(test)]
mod tests {
    use super::decode_base64;

    #[test]
    fn base64_is_read_to_its_end_or_not_at_all() {
        assert_eq!(decode_base64(b"YWJj"), Ok(b"abc".to_vec()));
        assert_eq!(decode_base64(b"YWI="), Ok(b"ab".to_vec()));
        assert_eq!(decode_base64(b"YQ=="), Ok(b"a".to_vec()));
        assert_eq!(decode_base64(b"YQ==YQ=="), Err(4));
        assert_eq!(decode_base64(b"YW"), Err(2));
        assert_eq!(decode_base64(b"Y==="), Err(1));
    }
}
