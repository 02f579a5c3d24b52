//! Values of tokens: unquoted names, unescaped strings, bytes of hexadecimal and binary constants.

use super::lexer::LexMode;
use crate::error::{SqlError, SqlResult};
use types::{Date, DateMode, DateTime, Time};

/// The bytes of a string token (quotes included in `raw`).
pub(super) fn unescape(raw: &[u8], mode: LexMode) -> Vec<u8> {
    let Some((&quote, body)) = raw.split_first() else { return Vec::new() };
    let body = body.strip_suffix(&[quote]).unwrap_or(body);
    let special = |b: &u8| *b == quote || (*b == b'\\' && !mode.no_backslash_escapes);
    if !body.iter().any(special) {
        return body.to_vec();
    }
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    while at < body.len() {
        let b = body[at];
        if b == quote {
            out.push(b);
            at += 2;
        } else if b == b'\\' && !mode.no_backslash_escapes && at + 1 < body.len() {
            escape(body[at + 1], &mut out);
            at += 2;
        } else {
            out.push(b);
            at += 1;
        }
    }
    out
}

/// What a backslash makes of the byte behind it; `\%` and `\_` stay as they are for LIKE.
fn escape(b: u8, out: &mut Vec<u8>) {
    if matches!(b, b'%' | b'_') {
        out.push(b'\\');
    }
    out.push(unescaped(b));
}

/// The byte that a backslash and this one stand for.
pub(crate) fn unescaped(byte: u8) -> u8 {
    match byte {
        b'0' => 0,
        b'b' => 8,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'Z' => 26,
        other => other,
    }
}

/// A quoted name's bytes (quotes included in `raw`).
pub(super) fn unquote_name(raw: &[u8]) -> Vec<u8> {
    let Some((&quote, body)) = raw.split_first() else { return Vec::new() };
    let body = body.strip_suffix(&[quote]).unwrap_or(body);
    let mut out = Vec::with_capacity(body.len());
    let mut at = 0;
    while at < body.len() {
        out.push(body[at]);
        at += if body[at] == quote { 2 } else { 1 };
    }
    out
}

/// The bytes of hexadecimal digits; an odd count gets a zero before it.
pub(super) fn hex_bytes(digits: &[u8]) -> Vec<u8> {
    let value = |b: u8| (b as char).to_digit(16).unwrap_or(0) as u8;
    let odd = digits.len() % 2;
    let mut out = Vec::with_capacity(digits.len().div_ceil(2));
    if odd == 1 {
        out.push(value(digits[0]));
    }
    out.extend(digits[odd..].chunks_exact(2).map(|pair| value(pair[0]) << 4 | value(pair[1])));
    out
}

/// The bytes of binary digits, filled with zeros from the left.
pub(super) fn bit_bytes(digits: &[u8]) -> Vec<u8> {
    let short = digits.len() % 8;
    let (first, rest) = digits.split_at(short);
    let byte = |bits: &[u8]| bits.iter().fold(0u8, |v, b| v << 1 | (b - b'0'));
    let mut out = Vec::with_capacity(digits.len().div_ceil(8));
    if short > 0 {
        out.push(byte(first));
    }
    out.extend(rest.chunks_exact(8).map(byte));
    out
}

/// What `DATE'..'` means.
pub(crate) fn date(text: &str, mode: DateMode) -> SqlResult<Date> {
    let parsed = DateTime::parse(text.as_bytes(), mode);
    let at = parsed.value.filter(|_| !parsed.truncated && !parsed.has_time);
    at.map(|at| at.date).ok_or_else(|| SqlError::wrong_value("DATE", text))
}

/// What `TIME'..'` means, and whether digits of its fraction are cut.
pub(crate) fn time(text: &str) -> SqlResult<(Time, bool)> {
    let parsed = Time::parse(text.as_bytes());
    let dated = text.trim_start().trim_start_matches('-').contains('-');
    let time = parsed.value.filter(|_| !parsed.truncated && !dated);
    time.map(|time| (time, parsed.fraction_cut)).ok_or_else(|| SqlError::wrong_value("TIME", text))
}

/// What `TIMESTAMP'..'` means, and whether digits of its fraction are cut.
pub(crate) fn timestamp(text: &str, mode: DateMode) -> SqlResult<(DateTime, bool)> {
    let parsed = DateTime::parse(text.as_bytes(), mode);
    let at = parsed.value.filter(|_| !parsed.truncated && parsed.has_time);
    at.map(|at| (at, parsed.fraction_cut)).ok_or_else(|| SqlError::wrong_value("DATETIME", text))
}
