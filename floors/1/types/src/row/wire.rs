//! Column values on the wire: protocol text (length and text) and protocol binary, straight from row bytes or from
//! values.
//!
//! Strings are sent in the results character set where that differs; everything else is ASCII. TIMESTAMPs are shown
//! in the session's zone.

use std::borrow::Cow;

use super::codec::{self, Codec};
use super::{ColumnLayout, RowError};
use crate::charset::{Charset, CollationId};
use crate::column::{ColumnType, wire};
use crate::decimal::Decimal;
use crate::number;
use crate::temporal::{Date, DateTime, Time, TimeZone};
use crate::value::Value;

/// What a session's settings say about results.
#[derive(Clone, Copy, Debug)]
pub struct WireOptions {
    /// Zone of TIMESTAMPs.
    pub zone: TimeZone,
    /// `character_set_results`; none sends strings as they are.
    pub charset: Option<Charset>,
}

impl Default for WireOptions {
    fn default() -> WireOptions {
        WireOptions { zone: TimeZone::System, charset: Some(Charset::Utf8mb4) }
    }
}

impl WireOptions {
    fn convert<'a>(&self, bytes: &'a [u8], collation: CollationId) -> Cow<'a, [u8]> {
        match self.charset {
            // What DECODE gives may be no text of the set that it is said to be in.
            Some(charset) if collation.charset() == Charset::Utf8mb3 && charset == Charset::Utf8mb4 => {
                match std::str::from_utf8(bytes) {
                    Ok(_) => Cow::Borrowed(bytes),
                    Err(_) => {
                        let mut out = Vec::with_capacity(bytes.len());
                        Charset::Utf8mb3.convert_to(bytes, charset, &mut out);
                        Cow::Owned(out)
                    }
                }
            }
            Some(charset) => collation.charset().convert_cow(bytes, charset),
            None => Cow::Borrowed(bytes),
        }
    }
}

/// Appends a length-encoded integer.
#[inline]
pub fn put_lenenc_int(n: u64, out: &mut Vec<u8>) {
    match n {
        0..=250 => out.push(n as u8),
        251..=0xFFFF => {
            out.push(0xFC);
            out.extend_from_slice(&n.to_le_bytes()[..2]);
        }
        0x1_0000..=0xFF_FFFF => {
            out.push(0xFD);
            out.extend_from_slice(&n.to_le_bytes()[..3]);
        }
        _ => {
            out.push(0xFE);
            out.extend_from_slice(&n.to_le_bytes());
        }
    }
}

/// Appends a length-encoded string.
#[inline]
pub fn put_lenenc_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_lenenc_int(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Appends what `write` appends, with its length before it; numbers and temporals stay below 251 bytes.
#[inline]
fn put_short(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.push(0);
    write(out);
    let len = out.len() - start - 1;
    if len <= 250 {
        out[start] = len as u8;
    } else {
        let text = out.split_off(start + 1);
        out.truncate(start);
        put_lenenc_bytes(&text, out);
    }
}

/// SQL NULL in the text protocol.
pub const TEXT_NULL: u8 = 0xFB;

impl ColumnLayout {
    /// Appends a column's bytes (as [`super::RowLayout::column_bytes`] gave them) as protocol text.
    #[inline]
    pub fn write_text(&self, bytes: &[u8], options: &WireOptions, out: &mut Vec<u8>) -> Result<(), RowError> {
        self.put_text(bytes, options, out).ok_or(RowError::BadValue { column: 0 })
    }

    /// Appends a column's bytes as a protocol binary value.
    #[inline]
    pub fn write_binary(
        &self,
        bytes: &[u8],
        options: &WireOptions,
        out: &mut Vec<u8>,
    ) -> Result<(), RowError> {
        self.put_binary(bytes, options, out).ok_or(RowError::BadValue { column: 0 })
    }

    fn put_text(&self, bytes: &[u8], options: &WireOptions, out: &mut Vec<u8>) -> Option<()> {
        if self.codec.fixed_len().is_some_and(|len| len != bytes.len()) {
            return None;
        }
        match self.codec {
            Codec::Int { unsigned: false, .. } => {
                put_short(out, |out| number::write_i64(codec::read_signed(bytes), out))
            }
            Codec::Int { unsigned: true, .. } => {
                let width = match &self.ty {
                    ColumnType::Integer(t) if t.zerofill => usize::from(t.width),
                    _ => 0,
                };
                put_short(out, |out| number::write_zerofill(codec::read_le(bytes), width, out));
            }
            Codec::Char { length_bytes } | Codec::Var { length_bytes } => {
                let content = bytes.get(usize::from(length_bytes)..)?;
                put_lenenc_bytes(&options.convert(content, self.collation), out);
            }
            Codec::Binary { length_bytes, size } => {
                put_padded(bytes.get(usize::from(length_bytes)..)?, size as usize, out);
            }
            _ => {
                let value = self.codec.decode(bytes, self)?;
                self.put_value_text(&value, options, out);
            }
        }
        Some(())
    }

    /// A value with this column's number format.
    fn put_value_text(&self, value: &Value, options: &WireOptions, out: &mut Vec<u8>) {
        match (&self.ty, value) {
            (ColumnType::Decimal(t), Value::Decimal(d)) if t.zerofill => {
                put_short(out, |out| d.write_padded(usize::from(t.precision - t.scale), out));
            }
            (ColumnType::Float(t) | ColumnType::Double(t), Value::Float(_) | Value::Double(_)) => {
                put_short(out, |out| {
                    let start = out.len();
                    match (t.digits, value) {
                        (Some((_, decimals)), Value::Float(f)) => {
                            number::write_fixed(f64::from(*f), decimals, out)
                        }
                        (Some((_, decimals)), Value::Double(f)) => number::write_fixed(*f, decimals, out),
                        (None, value) => value.append_text(out),
                        (Some(_), _) => {}
                    }
                    if t.zerofill {
                        let usual = if matches!(value, Value::Float(_)) { 12 } else { 22 };
                        number::pad_zeros(start, t.digits.map_or(usual, |(m, _)| usize::from(m)), out);
                    }
                });
            }
            _ => write_value_text(value, 31, options, out),
        }
    }

    fn put_binary(&self, bytes: &[u8], options: &WireOptions, out: &mut Vec<u8>) -> Option<()> {
        if self.codec.fixed_len().is_some_and(|len| len != bytes.len()) {
            return None;
        }
        match self.codec {
            Codec::Int { bytes: 3, unsigned: true } => {
                out.extend((codec::read_le(bytes) as u32).to_le_bytes())
            }
            Codec::Int { bytes: 3, .. } => out.extend((codec::read_signed(bytes) as i32).to_le_bytes()),
            Codec::Int { .. } => out.extend_from_slice(bytes),
            Codec::Float => put_float(f32::from_le_bytes(bytes.try_into().ok()?), out),
            Codec::Double => put_double(f64::from_le_bytes(bytes.try_into().ok()?), out),
            Codec::Year => out.extend(codec::year_of(bytes[0]).to_le_bytes()),
            Codec::Date => put_date(codec::date_of(bytes)?, out),
            Codec::Time { fsp } => put_time(codec::time_of(bytes, fsp)?, out),
            Codec::DateTime { fsp } => put_datetime(codec::datetime_of(bytes, fsp)?, out),
            Codec::Timestamp { fsp } => {
                put_datetime(options.zone.to_local(codec::timestamp_of(bytes, fsp)?), out)
            }
            _ => return self.put_text(bytes, options, out),
        }
        Some(())
    }
}

fn put_padded(kept: &[u8], size: usize, out: &mut Vec<u8>) {
    let len = kept.len().max(size);
    put_lenenc_int(len as u64, out);
    out.extend_from_slice(kept);
    out.extend(std::iter::repeat_n(0, len - kept.len()));
}

/// Appends a value as protocol text. `decimals` is the column's: doubles print so many digits after the point,
/// their shortest form for 31.
pub fn write_value_text(value: &Value, decimals: u8, options: &WireOptions, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.push(TEXT_NULL),
        Value::Str(s) => put_lenenc_bytes(&options.convert(&s.bytes, s.collation), out),
        Value::Enum(e) => put_lenenc_bytes(&options.convert(e.label(), e.collation), out),
        Value::Set(s) => put_lenenc_bytes(&options.convert(&s.to_str().bytes, s.collation), out),
        Value::Double(f) if decimals < 31 => put_short(out, |out| number::write_fixed(*f, decimals, out)),
        Value::Float(f) if decimals < 31 => {
            put_short(out, |out| number::write_fixed(f64::from(*f), decimals, out))
        }
        Value::Timestamp(at, fsp) => put_short(out, |out| options.zone.to_local(*at).write(*fsp, out)),
        other => put_short(out, |out| other.append_text(out)),
    }
}

/// As [`write_value_text`] for a ZEROFILL column: zeros in front up to `width` characters.
pub fn write_value_filled(
    value: &Value,
    width: usize,
    decimals: u8,
    options: &WireOptions,
    out: &mut Vec<u8>,
) {
    if !value.is_numeric() {
        return write_value_text(value, decimals, options, out);
    }
    let mut text = Vec::new();
    write_value_text(value, decimals, options, &mut text);
    // A number's text is short: its length takes one byte.
    let digits = text.get(1..).unwrap_or_default();
    put_short(out, |out| {
        out.extend(std::iter::repeat_n(b'0', width.min(250).saturating_sub(digits.len())));
        out.extend_from_slice(digits);
    });
}

/// Appends a value, which must not be NULL, as a protocol binary value of the type `wire_type`; values of another
/// type are brought to it as far as that is exact, and sent as text or zero otherwise.
pub fn write_value_binary(
    value: &Value,
    wire_type: u8,
    decimals: u8,
    options: &WireOptions,
    out: &mut Vec<u8>,
) {
    match wire_type {
        wire::TINY | wire::SHORT | wire::YEAR | wire::INT24 | wire::LONG | wire::LONGLONG => {
            let len = match wire_type {
                wire::TINY => 1,
                wire::SHORT | wire::YEAR => 2,
                wire::INT24 | wire::LONG => 4,
                _ => 8,
            };
            out.extend_from_slice(&integer_bits(value).to_le_bytes()[..len]);
        }
        wire::FLOAT => put_float(double_of(value) as f32, out),
        wire::DOUBLE => put_double(double_of(value), out),
        wire::DATE | wire::DATETIME | wire::TIMESTAMP => match value {
            Value::Date(date) => put_date(*date, out),
            Value::DateTime(at, _) => put_datetime(*at, out),
            Value::Timestamp(at, _) => put_datetime(options.zone.to_local(*at), out),
            _ => out.push(0),
        },
        wire::TIME => match value {
            Value::Time(time, _) => put_time(*time, out),
            Value::DateTime(at, _) => put_time(at.time(), out),
            _ => out.push(0),
        },
        _ => write_value_text(value, decimals, options, out),
    }
}

/// Zero has no sign, as it has none as text.
fn put_float(number: f32, out: &mut Vec<u8>) {
    out.extend_from_slice(&(number + 0.0).to_le_bytes());
}

/// Zero has no sign, as it has none as text.
fn put_double(number: f64, out: &mut Vec<u8>) {
    out.extend_from_slice(&(number + 0.0).to_le_bytes());
}

fn integer_bits(value: &Value) -> u64 {
    match value {
        Value::Int(n) => *n as u64,
        Value::UInt(n) => *n,
        Value::Year(year) => u64::from(*year),
        Value::Bit(bit) => bit.bits,
        Value::Enum(e) => u64::from(e.index),
        Value::Set(s) => s.bits,
        Value::Float(f) => f64::from(*f).round_ties_even() as i64 as u64,
        Value::Double(f) => f.round_ties_even() as i64 as u64,
        Value::Decimal(d) => d.to_i64_saturating() as u64,
        _ => 0,
    }
}

fn double_of(value: &Value) -> f64 {
    match value {
        Value::Float(f) => f64::from(*f),
        Value::Double(f) => *f,
        Value::Decimal(d) => d.to_f64(),
        Value::UInt(n) => *n as f64,
        other => integer_bits(other) as i64 as f64,
    }
}

fn put_date(date: Date, out: &mut Vec<u8>) {
    if date.is_zero() {
        return out.push(0);
    }
    out.push(4);
    put_date_parts(date, out);
}

fn put_date_parts(date: Date, out: &mut Vec<u8>) {
    out.extend_from_slice(&date.year.to_le_bytes());
    out.extend([date.month, date.day]);
}

fn put_datetime(at: DateTime, out: &mut Vec<u8>) {
    let len = match at {
        _ if at.micros != 0 => 11,
        _ if at.hour | at.minute | at.second != 0 => 7,
        _ if !at.date.is_zero() => 4,
        _ => 0,
    };
    out.push(len);
    if len >= 4 {
        put_date_parts(at.date, out);
    }
    if len >= 7 {
        out.extend([at.hour, at.minute, at.second]);
    }
    if len == 11 {
        out.extend_from_slice(&at.micros.to_le_bytes());
    }
}

fn put_time(time: Time, out: &mut Vec<u8>) {
    if time.as_micros() == 0 {
        return out.push(0);
    }
    out.push(if time.micros() == 0 { 8 } else { 12 });
    out.push(u8::from(time.is_negative()));
    out.extend_from_slice(&(time.hours() / 24).to_le_bytes());
    out.extend([(time.hours() % 24) as u8, time.minutes() as u8, time.seconds() as u8]);
    if time.micros() != 0 {
        out.extend_from_slice(&time.micros().to_le_bytes());
    }
}

impl Value {
    /// Appends the value's text as a string context sees it: strings and labels in their own character set, numbers
    /// and temporals in ASCII, BIT as bytes, NULL as nothing. A TIMESTAMP shows UTC: bring it to a zone before.
    pub fn append_text(&self, out: &mut Vec<u8>) {
        match self {
            Value::Null => {}
            Value::Int(n) => number::write_i64(*n, out),
            Value::UInt(n) => number::write_u64(*n, out),
            Value::Float(f) => number::write_float(*f, out),
            Value::Double(f) => number::write_double(*f, out),
            Value::Decimal(d) => Decimal::write(d, out),
            Value::Str(s) => out.extend_from_slice(&s.bytes),
            Value::Date(date) => date.write(out),
            Value::Time(time, fsp) => time.write(*fsp, out),
            Value::DateTime(at, fsp) => at.write(*fsp, out),
            Value::Timestamp(at, fsp) => TimeZone::UTC.to_local(*at).write(*fsp, out),
            Value::Year(year) => number::write_zerofill(u64::from(*year), 4, out),
            Value::Bit(bit) => out.extend_from_slice(&bit.to_bytes()),
            Value::Enum(e) => out.extend_from_slice(e.label()),
            Value::Set(s) => s.write(out),
            Value::Fixed(value) => value.write(out),
        }
    }
}
