//! Encoding and decoding of one column's row value.

use super::ColumnLayout;
use crate::charset::CollationId;
use crate::column::ColumnType;
use crate::decimal::{Decimal, stored_bytes};
use crate::fixed::FixedType;
use crate::temporal::{Date, DateTime, MICROS, Time, Timestamp};
use crate::value::{BitValue, EnumValue, SetValue, StrValue, Value};

/// How a column's row value is encoded: the column type without what encoding does not need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Int {
        bytes: u8,
        unsigned: bool,
    },
    Decimal {
        precision: u8,
        scale: u8,
    },
    Float,
    Double,
    Year,
    Date,
    Time {
        fsp: u8,
    },
    DateTime {
        fsp: u8,
    },
    Timestamp {
        fsp: u8,
    },
    Bit {
        width: u8,
    },
    Fixed {
        ty: FixedType,
    },
    Enum {
        bytes: u8,
    },
    Set {
        bytes: u8,
    },
    /// CHAR: trailing spaces are not kept.
    Char {
        length_bytes: u8,
    },
    /// BINARY(n): trailing zero bytes are not kept, and come back on decoding.
    Binary {
        length_bytes: u8,
        size: u32,
    },
    /// VARCHAR, VARBINARY, TEXT, BLOB.
    Var {
        length_bytes: u8,
    },
}

/// Bytes that a fraction of so many digits takes.
pub(crate) const fn fraction_bytes(fsp: u8) -> usize {
    (fsp as usize).div_ceil(2)
}

/// The fraction field's value in microseconds' place, for `bytes` bytes of fraction.
const FRACTION_UNIT: [u32; 4] = [MICROS as u32, 10_000, 100, 1];

/// Bytes of an ENUM with so many labels.
pub(crate) const fn enum_bytes(labels: usize) -> usize {
    if labels < 256 { 1 } else { 2 }
}

/// Bytes of a SET with so many labels.
pub(crate) const fn set_bytes(labels: usize) -> usize {
    match labels {
        0..=8 => 1,
        9..=16 => 2,
        17..=24 => 3,
        25..=32 => 4,
        _ => 8,
    }
}

impl Codec {
    pub(crate) fn of(ty: &ColumnType, collation: CollationId) -> Codec {
        let length_bytes = ty.length_bytes(collation) as u8;
        match ty {
            ColumnType::Integer(t) => Codec::Int { bytes: t.size.bytes() as u8, unsigned: t.unsigned },
            ColumnType::Decimal(t) => Codec::Decimal { precision: t.precision, scale: t.scale },
            ColumnType::Float(_) => Codec::Float,
            ColumnType::Double(_) => Codec::Double,
            ColumnType::Bit(width) => Codec::Bit { width: (*width).clamp(1, 64) },
            ColumnType::Year => Codec::Year,
            ColumnType::Date => Codec::Date,
            ColumnType::Time(fsp) => Codec::Time { fsp: (*fsp).min(6) },
            ColumnType::DateTime(fsp) => Codec::DateTime { fsp: (*fsp).min(6) },
            ColumnType::Timestamp(fsp) => Codec::Timestamp { fsp: (*fsp).min(6) },
            ColumnType::Char(_) => Codec::Char { length_bytes },
            ColumnType::Binary(size) => Codec::Binary { length_bytes, size: *size },
            ColumnType::VarChar(_)
            | ColumnType::VarBinary(_)
            | ColumnType::Text(_)
            | ColumnType::Blob(_)
            | ColumnType::Geometry(_) => Codec::Var { length_bytes },
            ColumnType::Fixed(ty) => Codec::Fixed { ty: *ty },
            ColumnType::Enum(labels) => Codec::Enum { bytes: enum_bytes(labels.len()) as u8 },
            ColumnType::Set(labels) => Codec::Set { bytes: set_bytes(labels.len()) as u8 },
        }
    }

    /// Size of the row value where it is the same for all values.
    #[inline]
    pub(crate) fn fixed_len(self) -> Option<usize> {
        Some(match self {
            Codec::Int { bytes, .. } | Codec::Enum { bytes } | Codec::Set { bytes } => usize::from(bytes),
            Codec::Decimal { precision, scale } => stored_bytes(precision, scale),
            Codec::Float => 4,
            Codec::Double => 8,
            Codec::Year => 1,
            Codec::Date => 3,
            Codec::Time { fsp } => 3 + fraction_bytes(fsp),
            Codec::DateTime { fsp } => 5 + fraction_bytes(fsp),
            Codec::Timestamp { fsp } => 4 + fraction_bytes(fsp),
            Codec::Bit { width } => usize::from(width).div_ceil(8),
            Codec::Char { .. } | Codec::Binary { .. } | Codec::Var { .. } | Codec::Fixed { .. } => {
                return None;
            }
        })
    }

    /// Bytes of the length field; 0 for types of fixed size.
    #[inline]
    pub(crate) fn length_bytes(self) -> usize {
        match self {
            Codec::Char { length_bytes }
            | Codec::Binary { length_bytes, .. }
            | Codec::Var { length_bytes } => usize::from(length_bytes),
            Codec::Fixed { .. } => 1,
            _ => 0,
        }
    }

    /// Appends the row value; none (with nothing promised about `out`) when `value` is of another type or range.
    pub(crate) fn encode(self, value: &Value, out: &mut Vec<u8>) -> Option<()> {
        match (self, value) {
            (Codec::Int { bytes, unsigned }, Value::Int(n)) => {
                let fits = if unsigned {
                    *n >= 0 && fits_unsigned(*n as u64, bytes)
                } else {
                    fits_signed(*n, bytes)
                };
                put_le(*n as u64, fits.then_some(bytes)?, out);
            }
            (Codec::Int { bytes, unsigned }, Value::UInt(n)) => {
                let fits = fits_unsigned(*n, bytes)
                    && (unsigned || i64::try_from(*n).is_ok_and(|n| fits_signed(n, bytes)));
                put_le(*n, fits.then_some(bytes)?, out);
            }
            (Codec::Decimal { precision, scale }, Value::Decimal(d)) => {
                return d.store(precision, scale, out).then_some(());
            }
            (Codec::Float, Value::Float(f)) => out.extend(f.to_le_bytes()),
            (Codec::Double, Value::Double(f)) => out.extend(f.to_le_bytes()),
            (Codec::Year, Value::Year(0)) => out.push(0),
            (Codec::Year, Value::Year(year)) => out.push(u8::try_from(year.checked_sub(1900)?).ok()?),
            (Codec::Date, Value::Date(date)) => out.extend(&date.packed().to_le_bytes()[..3]),
            (Codec::Time { fsp }, Value::Time(time, _)) => put_time(*time, fsp, out),
            (Codec::DateTime { fsp }, Value::DateTime(at, _)) => put_datetime(*at, fsp, out),
            (Codec::Timestamp { fsp }, Value::Timestamp(at, _)) => {
                out.extend(at.secs.to_be_bytes());
                put_fraction(at.micros, fsp, out);
            }
            (Codec::Bit { width }, Value::Bit(bit)) => {
                let n = usize::from(width).div_ceil(8);
                let fits = width >= 64 || bit.bits >> width == 0;
                out.extend(&bit.bits.to_be_bytes()[fits.then_some(8 - n)?..]);
            }
            (Codec::Enum { bytes }, Value::Enum(e)) => put_le(u64::from(e.index), bytes, out),
            (Codec::Set { bytes }, Value::Set(s)) => {
                put_le(s.bits, fits_unsigned(s.bits, bytes).then_some(bytes)?, out)
            }
            (Codec::Char { length_bytes }, Value::Str(s)) => {
                put_var(s.collation.charset().trim_spaces(&s.bytes), length_bytes, out)?
            }
            (Codec::Binary { length_bytes, .. }, Value::Str(s)) => {
                put_var(trim_end(&s.bytes, 0), length_bytes, out)?
            }
            (Codec::Var { length_bytes }, Value::Str(s)) => put_var(&s.bytes, length_bytes, out)?,
            (Codec::Fixed { ty }, Value::Fixed(value)) if value.ty == ty => {
                let mut stored = Vec::with_capacity(ty.size());
                value.append_stored(&mut stored);
                put_var(trim_end(&stored, 0), 1, out)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The value of a row value's bytes; none when they are no value of the type.
    #[inline]
    pub(crate) fn decode(self, bytes: &[u8], column: &ColumnLayout) -> Option<Value> {
        if !column.fits(bytes.len()) {
            return None;
        }
        Some(match self {
            Codec::Int { unsigned: true, .. } => Value::UInt(read_le(bytes)),
            Codec::Int { unsigned: false, .. } => Value::Int(read_signed(bytes)),
            Codec::Decimal { precision, scale } => Value::Decimal(Decimal::load(precision, scale, bytes)?),
            Codec::Float => Value::Float(f32::from_le_bytes(bytes.try_into().ok()?)),
            Codec::Double => Value::Double(f64::from_le_bytes(bytes.try_into().ok()?)),
            Codec::Year => Value::Year(year_of(bytes[0])),
            Codec::Date => Value::Date(date_of(bytes)?),
            Codec::Time { fsp } => Value::Time(time_of(bytes, fsp)?, fsp),
            Codec::DateTime { fsp } => Value::DateTime(datetime_of(bytes, fsp)?, fsp),
            Codec::Timestamp { fsp } => Value::Timestamp(timestamp_of(bytes, fsp)?, fsp),
            Codec::Bit { width } => Value::Bit(BitValue { bits: read_be(bytes), width }),
            Codec::Enum { .. } => {
                let ColumnType::Enum(labels) = &column.ty else { return None };
                let index = read_le(bytes) as u16;
                Value::Enum(EnumValue { index, labels: labels.clone(), collation: column.collation })
            }
            Codec::Set { .. } => {
                let ColumnType::Set(labels) = &column.ty else { return None };
                Value::Set(SetValue {
                    bits: read_le(bytes),
                    labels: labels.clone(),
                    collation: column.collation,
                })
            }
            Codec::Char { length_bytes } | Codec::Var { length_bytes } => {
                Value::Str(StrValue::new(bytes.get(usize::from(length_bytes)..)?, column.collation))
            }
            Codec::Fixed { ty } => Value::Fixed(ty.from_stored(bytes.get(1..)?)?),
            Codec::Binary { length_bytes, size } => {
                let kept = bytes.get(usize::from(length_bytes)..)?;
                let mut padded = kept.to_vec();
                padded.resize(kept.len().max(size as usize), 0);
                Value::Str(StrValue::owned(padded, column.collation))
            }
        })
    }
}

pub(crate) fn trim_end(bytes: &[u8], pad: u8) -> &[u8] {
    let end = bytes.iter().rposition(|b| *b != pad).map_or(0, |i| i + 1);
    &bytes[..end]
}

fn fits_unsigned(n: u64, bytes: u8) -> bool {
    bytes >= 8 || n >> (8 * u32::from(bytes)) == 0
}

fn fits_signed(n: i64, bytes: u8) -> bool {
    let unused = 64 - 8 * u32::from(bytes.min(8));
    n << unused >> unused == n
}

#[inline]
fn put_le(n: u64, bytes: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&n.to_le_bytes()[..usize::from(bytes)]);
}

fn put_var(bytes: &[u8], length_bytes: u8, out: &mut Vec<u8>) -> Option<()> {
    let len = bytes.len() as u64;
    put_le(len, fits_unsigned(len, length_bytes).then_some(length_bytes)?, out);
    out.extend_from_slice(bytes);
    Some(())
}

fn put_fraction(micros: u32, fsp: u8, out: &mut Vec<u8>) {
    let bytes = fraction_bytes(fsp);
    let fraction = cut_fraction(micros, fsp) / FRACTION_UNIT[bytes];
    out.extend_from_slice(&fraction.to_be_bytes()[4 - bytes..]);
}

/// Microseconds without the digits beyond `fsp`.
pub(crate) fn cut_fraction(micros: u32, fsp: u8) -> u32 {
    let unit = 10_u32.pow(6 - u32::from(fsp.min(6)));
    micros / unit * unit
}

fn put_time(time: Time, fsp: u8, out: &mut Vec<u8>) {
    let bytes = fraction_bytes(fsp);
    let whole = time.hours() << 12 | time.minutes() << 6 | time.seconds();
    let fraction = cut_fraction(time.micros(), fsp) / FRACTION_UNIT[bytes];
    let magnitude = i64::from(whole) << (8 * bytes) | i64::from(fraction);
    let stored = (0x80_0000_i64 << (8 * bytes)) + if time.is_negative() { -magnitude } else { magnitude };
    out.extend_from_slice(&stored.to_be_bytes()[8 - 3 - bytes..]);
}

fn put_datetime(at: DateTime, fsp: u8, out: &mut Vec<u8>) {
    let days = (u64::from(at.date.year) * 13 + u64::from(at.date.month)) << 5 | u64::from(at.date.day);
    let whole = days << 17 | u64::from(at.hour) << 12 | u64::from(at.minute) << 6 | u64::from(at.second);
    out.extend_from_slice(&(0x80_0000_0000 + whole).to_be_bytes()[3..]);
    put_fraction(at.micros, fsp, out);
}

/// A little-endian number of up to 8 bytes.
#[inline]
pub(crate) fn read_le(bytes: &[u8]) -> u64 {
    // The usual lengths without a loop or a call.
    match *bytes {
        [a] => u64::from(a),
        [a, b] => u64::from(u16::from_le_bytes([a, b])),
        [a, b, c] => u64::from(u32::from_le_bytes([a, b, c, 0])),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        _ => {
            let mut all = [0; 8];
            let len = bytes.len().min(8);
            all[..len].copy_from_slice(&bytes[..len]);
            u64::from_le_bytes(all)
        }
    }
}

/// A little-endian two's complement number of up to 8 bytes.
#[inline]
pub(crate) fn read_signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len().clamp(1, 8) as u32;
    (read_le(bytes) << unused) as i64 >> unused
}

/// A big-endian number of up to 8 bytes.
#[inline]
pub(crate) fn read_be(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |n, b| n << 8 | u64::from(*b))
}

pub(crate) fn year_of(byte: u8) -> u16 {
    if byte == 0 { 0 } else { 1900 + u16::from(byte) }
}

pub(crate) fn date_of(bytes: &[u8]) -> Option<Date> {
    Date::from_packed(read_le(bytes) as u32)
}

fn fraction_of(bytes: &[u8], fsp: u8) -> Option<u32> {
    let len = fraction_bytes(fsp);
    let micros = u32::try_from(read_be(bytes)).ok()?.checked_mul(FRACTION_UNIT[len.min(3)])?;
    if len == 0 {
        return Some(0);
    }
    (micros < MICROS as u32).then_some(micros)
}

pub(crate) fn time_of(bytes: &[u8], fsp: u8) -> Option<Time> {
    let fraction = fraction_bytes(fsp);
    let shift = 8 * fraction as u32;
    let stored = read_be(bytes) as i64 - (0x80_0000_i64 << shift);
    let magnitude = stored.unsigned_abs();
    let whole = (magnitude >> shift) as u32;
    let micros =
        (magnitude & ((1 << shift) - 1)) as u32 * if fraction == 0 { 0 } else { FRACTION_UNIT[fraction] };
    let (hours, minutes, seconds) = (whole >> 12, whole >> 6 & 63, whole & 63);
    if minutes > 59 || seconds > 59 || micros >= MICROS as u32 {
        return None;
    }
    Time::from_parts(stored < 0, hours, minutes, seconds, micros)
}

pub(crate) fn datetime_of(bytes: &[u8], fsp: u8) -> Option<DateTime> {
    let (whole, fraction) = bytes.split_at_checked(5)?;
    let whole = read_be(whole).checked_sub(0x80_0000_0000)?;
    let (days, clock) = (whole >> 17, (whole & 0x1_FFFF) as u32);
    let months = days >> 5;
    let (year, month, day) = (months / 13, (months % 13) as u8, (days & 31) as u8);
    let (hour, minute, second) = ((clock >> 12) as u8, (clock >> 6 & 63) as u8, (clock & 63) as u8);
    if year > 9999 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some(DateTime::new(Date::new(year as u16, month, day), hour, minute, second, fraction_of(fraction, fsp)?))
}

pub(crate) fn timestamp_of(bytes: &[u8], fsp: u8) -> Option<Timestamp> {
    let (secs, fraction) = bytes.split_at_checked(4)?;
    Some(Timestamp { secs: read_be(secs) as u32, micros: fraction_of(fraction, fsp)? })
}
