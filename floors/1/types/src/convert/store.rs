//! Storing a value into a column: what is kept, and what MariaDB would say about it.

use super::ConvertContext;
use super::cast::{text_of, to_datetime, to_decimal, to_integer, to_time};
use super::characters::{Bad, in_charset};
use super::opaque::{store_fixed, store_geometry};
use crate::charset::{Charset, CollationId};
use crate::column::{BlobSize, ColumnType, DecimalType, FloatType, IntSize, IntegerType, Labels};
use crate::decimal::{Decimal, Fit, Rounding};
use crate::fixed::FixedType;
use crate::geometry::GeometryType;
use crate::number::{self, Parsed};
use crate::temporal::{Date, DateMode, DateTime, Time, Timestamp, looks_like_datetime};
use crate::value::{BitValue, Bytes, EnumValue, SetValue, StrValue, Value};
use std::sync::Arc;

/// The outcome of [`store`].
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// A value of the column's type (or NULL), which a row image takes.
    pub value: Value,
    /// What was lost or wrong.
    pub issue: Option<StoreIssue>,
    /// What was wrong beside it, with what was left of the value.
    pub also: Option<StoreIssue>,
}

impl Stored {
    /// The same with two complaints, the first of which there may be already.
    fn with(self, issue: Option<StoreIssue>) -> Self {
        let Some(issue) = issue else { return self };
        match self.issue {
            None => Self { issue: Some(issue), ..self },
            Some(_) => Self { also: Some(issue), ..self },
        }
    }
}

/// What was lost or wrong when a value was stored.
///
/// | issue | strict mode | otherwise |
/// | --- | --- | --- |
/// | `Cut` | note 1265 | note 1265 |
/// | `Truncated` | error 1265 | warning 1265 |
/// | `BadNumber` | error 1366 | warning 1366 |
/// | `OutOfRange` | error 1264 | warning 1264 |
/// | `TooLong` | error 1406 | warning 1265 |
/// | `BitTooLong` | error 1406 | warning 1264 |
/// | `BadTemporal` | error 1292 | warning 1265 (1264 when out of range) |
/// | `BadString` | error 1366 | warning 1366 |
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreIssue {
    /// Nothing that counts was lost: digits rounded, trailing spaces, the time of day for a DATE.
    Cut,
    /// The text went on after the number, an ENUM or SET has no such label.
    Truncated,
    /// Not a number at all; the name is what MariaDB calls the type ("integer", "decimal", "double").
    BadNumber(&'static str),
    /// The number was clipped to the type's range.
    OutOfRange,
    /// The string was cut to the column's length.
    TooLong,
    /// The value has more bits than a BIT column.
    BitTooLong,
    /// No date or time, or one with something after it.
    BadTemporal {
        /// What MariaDB calls the type.
        kind: TemporalKind,
        /// The value was clipped to the type's range, not wrong as such.
        out_of_range: bool,
        /// Beside that the text went on after the value.
        leftover: bool,
    },
    /// No UUID, INET4 or INET6.
    BadFixed(FixedType),
    /// A value of a type that is never brought to UUID, INET4 or INET6; its name.
    NeverFixed(&'static str, FixedType),
    /// A value of a type that is never brought to a geometry; its name.
    NeverGeometry(&'static str, GeometryType),
    /// No geometry.
    BadGeometry,
    /// A geometry of a type that the column does not take, which is this one.
    OtherGeometry(GeometryType),
    /// The string has bytes that the column's character set lacks, the first being at this offset of the source.
    BadString {
        /// Offset in the source's bytes.
        offset: usize,
    },
}

/// A temporal type's name in messages; TIMESTAMP counts as datetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalKind {
    /// "date"
    Date,
    /// "time"
    Time,
    /// "datetime"
    DateTime,
}

impl TemporalKind {
    /// The name in messages.
    pub fn name(self) -> &'static str {
        match self {
            TemporalKind::Date => "date",
            TemporalKind::Time => "time",
            TemporalKind::DateTime => "datetime",
        }
    }
}

pub(super) fn stored(value: Value, issue: Option<StoreIssue>) -> Stored {
    Stored { value, issue, also: None }
}

/// Converts a value to a column of a type and collation. NULL stays NULL.
pub fn store(value: Value, ty: &ColumnType, collation: CollationId, context: &ConvertContext) -> Stored {
    if value.is_null() {
        return stored(Value::Null, None);
    }
    if let (ColumnType::Timestamp(fsp), Value::Timestamp(at, _)) = (ty, &value) {
        let micros = crate::row::cut_fraction(at.micros, *fsp);
        return stored(Value::Timestamp(Timestamp { micros, ..*at }, *fsp), None);
    }
    let value = match value {
        // To numbers and dates they are their text.
        Value::Fixed(fixed) if ty.is_numeric() || ty.is_temporal() => Value::text(&fixed.text()),
        value => value.in_zone(&context.zone),
    };
    match ty {
        ColumnType::Integer(t) => store_integer(&value, t),
        ColumnType::Decimal(t) => store_decimal(&value, t),
        ColumnType::Float(t) => store_float(&value, t, true),
        ColumnType::Double(t) => store_float(&value, t, false),
        ColumnType::Bit(width) => store_bit(&value, *width),
        ColumnType::Year => match &value {
            Value::Date(date) => store_year_of(date.year, TemporalKind::Date),
            Value::DateTime(at, _) => store_year_of(at.date.year, TemporalKind::DateTime),
            Value::Time(..) => store_year_of(0, TemporalKind::Time),
            value => store_year(value),
        },
        ColumnType::Date => store_date(&value, context),
        ColumnType::Time(fsp) => store_time(&value, *fsp, context),
        ColumnType::DateTime(fsp) => store_datetime(&value, *fsp, context),
        ColumnType::Timestamp(fsp) => store_timestamp(&value, *fsp, context),
        ColumnType::Enum(labels) => store_enum(&value, labels, collation),
        ColumnType::Set(labels) => store_set(&value, labels, collation),
        ColumnType::Fixed(ty) => store_fixed(&value, *ty),
        ColumnType::Geometry(ty) => store_geometry(value, *ty),
        _ => store_string(value, ty, collation),
    }
}

/// A number as an integer column takes it: strings are rounded, not cut at the point.
fn rounded(value: &Value) -> Parsed<i128> {
    match value {
        Value::Str(s) => number::parse_rounded(&s.plain()),
        Value::Time(time, _) => to_integer(&Value::Int(time.to_number())),
        other => to_integer(other),
    }
}

/// What stands against a number read from text: garbage after it, or no number. Spaces are garbage where they are bytes.
fn text_issue<T>(value: &Value, number: &Parsed<T>, kind: &'static str) -> Option<StoreIssue> {
    let Value::Str(s) = value else { return None };
    let text = s.plain();
    let prefix = number::NumberPrefix::parse(&text);
    if prefix.is_empty() {
        Some(StoreIssue::BadNumber(kind))
    } else if number.garbage || number.spaces && s.collation == CollationId::BINARY {
        Some(StoreIssue::Truncated)
    } else {
        None
    }
}

/// A negative decimal is out of an unsigned range even where it rounds to zero.
fn is_negative_decimal(value: &Value) -> bool {
    matches!(value, Value::Decimal(d) if d.is_negative())
}

fn store_integer(value: &Value, ty: &IntegerType) -> Stored {
    let number = rounded(value);
    let (min, max) = ty.range();
    let clipped = number.value.clamp(i128::from(min), i128::from(max));
    let negative = ty.unsigned && is_negative_decimal(value);
    let out_of_range = match value {
        // As a double the greatest BIGINT is one more, which is no fault; the greatest unsigned one is no BIGINT.
        Value::Double(f) if ty.size == IntSize::Big && *f == max as f64 => ty.unsigned,
        _ => number.out_of_range || clipped != number.value || negative,
    };
    let issue = if out_of_range {
        Some(StoreIssue::OutOfRange)
    } else {
        text_issue(value, &number, "integer").or(number.spaces.then_some(StoreIssue::Cut))
    };
    let again = out_of_range && is_out_of_range_twice(value, ty, clipped);
    stored(ty.value(clipped as i64), issue).with(again.then_some(StoreIssue::OutOfRange))
}

/// Whether a number is out of the range of 64 bits, which is told, and then out of the column's, which is told too.
fn is_out_of_range_twice(value: &Value, ty: &IntegerType, clipped: i128) -> bool {
    match value {
        Value::Double(_) => ty.size == IntSize::Normal && ty.unsigned && clipped > 0,
        Value::Decimal(n) if ty.size != IntSize::Big => {
            let whole = n.round(0, Rounding::HalfUp).to_i128();
            match ty.unsigned {
                true => !n.is_negative() && whole.is_none_or(|n| u64::try_from(n).is_err()),
                false => whole.is_none_or(|n| i64::try_from(n).is_err()),
            }
        }
        _ => false,
    }
}

fn store_decimal(value: &Value, ty: &DecimalType) -> Stored {
    let number = to_decimal(value);
    let of_text = text_issue(value, &number, "decimal").filter(|_| !number.out_of_range);
    if ty.unsigned && number.value.is_negative() {
        let zero = Decimal::ZERO.fit(ty.precision, ty.scale).0;
        return stored(Value::Decimal(zero), of_text).with(Some(StoreIssue::OutOfRange));
    }
    let (fitted, fit) = number.value.fit(ty.precision, ty.scale);
    let stored = stored(Value::Decimal(fitted), of_text);
    let cut = number.spaces && stored.issue.is_none() || number.cut || fit == Fit::Rounded;
    match number.out_of_range || fit == Fit::OutOfRange {
        true => stored.with(Some(StoreIssue::OutOfRange)),
        false => stored.with(cut.then_some(StoreIssue::Cut)),
    }
}

fn store_float(value: &Value, ty: &FloatType, single: bool) -> Stored {
    let number = super::to_double(value);
    let mut n = number.value;
    let limit = match ty.digits {
        Some((m, d)) => {
            let scale = 10_f64.powi(i32::from(d));
            n = round_to(n, scale);
            10_f64.powi(i32::from(m) - i32::from(d)) - 1.0 / scale
        }
        None if single => f64::from(f32::MAX),
        None => f64::MAX,
    };
    let negative = ty.unsigned && n < 0.0;
    if negative || n.is_nan() {
        n = 0.0;
    }
    // A double just above f32::MAX still rounds down to it.
    let too_large = match value {
        _ if single && ty.digits.is_none() => (n as f32).is_infinite(),
        // What another column keeps for its greatest number may be a little more than that.
        Value::Float(_) if single => n as f32 > limit as f32 || -(n as f32) > limit as f32,
        _ => n.abs() > limit,
    };
    if too_large || number.out_of_range {
        n = limit.copysign(n);
    }
    // Nothing has no sign.
    let n = n + 0.0;
    let value_issue = match number.out_of_range {
        true => Some(StoreIssue::OutOfRange),
        false => text_issue(value, &number, "double"),
    };
    let stored = stored(if single { Value::Float(n as f32) } else { Value::Double(n) }, value_issue);
    match too_large || negative {
        true => stored.with(Some(StoreIssue::OutOfRange)),
        false if stored.issue.is_none() => stored.with(number.spaces.then_some(StoreIssue::Cut)),
        false => stored,
    }
}

/// A number of so many digits after the point, as a column of them keeps it.
pub fn of_digits(n: f64, digits: u8) -> f64 {
    round_to(n, 10_f64.powi(i32::from(digits)))
}

/// Rounds the part after the point to `1 / scale`, as MariaDB does it: apart from the whole part.
fn round_to(n: f64, scale: f64) -> f64 {
    let whole = n.floor();
    let fraction = ((n - whole) * scale).round_ties_even() / scale;
    if fraction.is_finite() { whole + fraction } else { n }
}

fn store_bit(value: &Value, width: u8) -> Stored {
    let width = width.clamp(1, 64);
    let max = u64::MAX >> (64 - u32::from(width));
    let bits = match value {
        _ if value.is_temporal() || matches!(value, Value::Str(_) | Value::Fixed(_)) => {
            let text = super::to_str(value, CollationId::UTF8MB4_GENERAL_CI);
            let text = text.map_or(Bytes::EMPTY, |s| Bytes::from(&s.plain()[..]));
            let significant = text.iter().position(|b| *b != 0).map_or(&[][..], |first| &text[first..]);
            if significant.len() > 8 {
                None
            } else {
                Some(significant.iter().fold(0_u64, |n, b| n << 8 | u64::from(*b)))
            }
        }
        Value::Double(f) => Some(as_64_bits(*f) as u64),
        number => {
            let n = rounded(number);
            // All 64 bits take a negative number as it is.
            let negative = i64::try_from(n.value).ok().filter(|_| width == 64).map(|n| n as u64);
            u64::try_from(n.value).ok().or(negative).filter(|_| !n.out_of_range)
        }
    };
    if is_negative_decimal(value) {
        return stored(Value::Bit(BitValue { bits: 0, width }), Some(StoreIssue::OutOfRange));
    }
    match bits.filter(|bits| *bits <= max) {
        Some(bits) => stored(Value::Bit(BitValue { bits, width }), None),
        None => {
            let twice = bits.is_none() && width < 64 && matches!(value, Value::Decimal(_));
            let most = stored(Value::Bit(BitValue { bits: max, width }), None);
            most.with(twice.then_some(StoreIssue::OutOfRange)).with(Some(StoreIssue::BitTooLong))
        }
    }
}

/// The whole part of a double in the 64 bits of a signed integer; the least one for what has no place there.
fn as_64_bits(n: f64) -> i64 {
    if n.abs() < -(i64::MIN as f64) { n as i64 } else { i64::MIN }
}

fn store_year(value: &Value) -> Stored {
    let number = match value {
        // What is below zero stays so.
        Value::Double(f) => to_integer(&Value::Double(if *f < 0.0 { f.floor() } else { f.trunc() })),
        other => rounded(other),
    };
    let mut issue = text_issue(value, &number, "integer").or(number.spaces.then_some(StoreIssue::Cut));
    // A text of zero means 2000 unless it has four characters; the number 0 means the zero year.
    let no_number = matches!(issue, Some(StoreIssue::BadNumber(_)));
    let zero_text = matches!(value, Value::Str(s) if s.plain().len() != 4) && !no_number;
    let year = match number.value {
        0 if zero_text => 2000,
        0 if !is_negative_decimal(value) => 0,
        n @ 1..=69 => 2000 + n,
        n @ 70..=99 => 1900 + n,
        n @ 1901..=2155 if !matches!(value, Value::Double(f) if *f > 2155.0) => n,
        _ => {
            issue = Some(StoreIssue::OutOfRange);
            0
        }
    };
    stored(Value::Year(year as u16), issue)
}

/// The year of a date or time, of which the rest is lost.
fn store_year_of(year: u16, kind: TemporalKind) -> Stored {
    let kept = store_year(&Value::Int(i64::from(year)));
    let lost = StoreIssue::BadTemporal { kind, out_of_range: false, leftover: false };
    Stored { issue: kept.issue.or(Some(lost)), ..kept }
}

/// The issue of what is no date that the mode takes: the zero date, which it could be elsewhere, is out of range.
fn no_date(kind: TemporalKind, value: &Value, context: &ConvertContext) -> Option<StoreIssue> {
    let lenient = ConvertContext { mode: DateMode::default(), ..*context };
    let out_of_range =
        context.mode.no_zero_date && to_datetime(value, &lenient).value.is_some_and(|at| at.is_zero());
    Some(StoreIssue::BadTemporal { kind, out_of_range, leftover: false })
}

/// The issue of a temporal that was read with something left over.
fn temporal_issue(kind: TemporalKind, truncated: bool) -> Option<StoreIssue> {
    truncated.then_some(StoreIssue::BadTemporal { kind, out_of_range: false, leftover: false })
}

fn store_date(value: &Value, context: &ConvertContext) -> Stored {
    let parsed = to_datetime(value, context);
    let kind = TemporalKind::Date;
    let Some(at) = parsed.value else {
        return stored(Value::Date(Date::ZERO), no_date(kind, value, context));
    };
    // Of the fraction of a second nothing is said.
    let time_lost = at.time().truncate(0).as_micros() != 0 || parsed.fraction_cut;
    let issue = temporal_issue(kind, parsed.truncated).or(time_lost.then_some(StoreIssue::Cut));
    stored(Value::Date(at.date), issue)
}

fn store_datetime(value: &Value, fsp: u8, context: &ConvertContext) -> Stored {
    let parsed = to_datetime(value, context);
    let kind = TemporalKind::DateTime;
    match parsed.value.and_then(|at| fraction_of_datetime(at, fsp, context)) {
        None => stored(Value::DateTime(DateTime::ZERO, fsp), no_date(kind, value, context)),
        Some(at) => {
            let issue =
                temporal_issue(kind, parsed.truncated).or(parsed.fraction_cut.then_some(StoreIssue::Cut));
            stored(Value::DateTime(at, fsp), issue)
        }
    }
}

fn fraction_of_datetime(at: DateTime, fsp: u8, context: &ConvertContext) -> Option<DateTime> {
    if context.round_fractions { at.round(fsp) } else { Some(at.truncate(fsp)) }
}

/// Dates that have been.
const WHOLE: DateMode = DateMode { no_zero_date: true, no_zero_in_date: true, allow_invalid: false };

fn store_timestamp(value: &Value, fsp: u8, context: &ConvertContext) -> Stored {
    let parsed = to_datetime(value, context);
    let kind = TemporalKind::DateTime;
    let zero = Value::Timestamp(Timestamp::ZERO, fsp);
    let whole = parsed.value.filter(|at| at.is_zero() || at.is_valid(WHOLE));
    let Some(at) = whole.and_then(|at| fraction_of_datetime(at, fsp, context)) else {
        return stored(zero, temporal_issue(kind, true));
    };
    match context.zone.to_timestamp(at) {
        None => stored(zero, Some(StoreIssue::BadTemporal { kind, out_of_range: true, leftover: false })),
        Some((instant, in_gap)) => {
            let issue = temporal_issue(kind, parsed.truncated || in_gap);
            stored(Value::Timestamp(instant, fsp), issue.or(parsed.fraction_cut.then_some(StoreIssue::Cut)))
        }
    }
}

fn store_time(value: &Value, fsp: u8, context: &ConvertContext) -> Stored {
    let kind = TemporalKind::Time;
    let dated = match value {
        Value::Str(s) if looks_like_datetime(s.plain_moment().trim_ascii_start()) => {
            Some(to_datetime(value, context).value)
        }
        _ => None,
    };
    if dated == Some(None) {
        return stored(Value::Time(Time::default(), fsp), no_date(kind, value, context));
    }
    let days = super::days_as_hours(value, context);
    let mut parsed = to_time(value, context);
    parsed.value = days.or(parsed.value);
    let Some(time) = parsed.value else {
        return stored(Value::Time(Time::default(), fsp), temporal_issue(kind, true));
    };
    let time = if context.round_fractions { time.round(fsp) } else { time.truncate(fsp) };
    let leftover = matches!(value, Value::Str(s) if Time::span(&s.plain_moment()).truncated);
    let out_of_range = parsed.truncated && time.as_micros().abs() >= Time::MAX_SECONDS * 1_000_000;
    let date_lost = match value {
        _ if days.is_some() => false,
        Value::Date(date) => *date != Date::ZERO,
        Value::DateTime(at, _) => at.date != Date::ZERO,
        Value::Str(_) => dated.flatten().is_some_and(|at| at.date != Date::ZERO),
        Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_) | Value::Float(_) => {
            super::to_double(value).value.abs() >= 10_000_000.0
        }
        _ => false,
    } || parsed.fraction_cut;
    let issue = if parsed.truncated {
        Some(StoreIssue::BadTemporal { kind, out_of_range, leftover: out_of_range && leftover })
    } else {
        date_lost.then_some(StoreIssue::Cut)
    };
    stored(Value::Time(time, fsp), issue)
}

fn store_enum(value: &Value, labels: &Arc<Labels>, collation: CollationId) -> Stored {
    if matches!(value, Value::Enum(e) if Arc::ptr_eq(&e.labels, labels) && e.collation == collation) {
        return stored(value.clone(), None);
    }
    let make =
        |index: usize| Value::Enum(EnumValue { index: index as u16, labels: labels.clone(), collation });
    let index = match value {
        Value::Str(_)
        | Value::Enum(_)
        | Value::Set(_)
        | Value::Fixed(_)
        | Value::Date(_)
        | Value::Time(..)
        | Value::DateTime(..) => {
            let text = text_in(value, collation.charset());
            labels.find(&text, collation).or_else(|| {
                if !reads_numbers(value, collation.charset()) {
                    return None;
                }
                let plain = collation.charset().to_plain(&text);
                let end = plain.iter().rposition(|b| *b != b' ').map_or(0, |last| last + 1);
                number_in_text(&plain[..end], 6).and_then(|n| usize::try_from(n).ok())
            })
        }
        number => usize::try_from(listed_number(number)).ok(),
    };
    match index.filter(|index| (1..=labels.len()).contains(index)) {
        Some(index) => stored(make(index), None),
        None if matches!(value, Value::Enum(e) if e.index == 0) => stored(make(0), None),
        None => stored(make(0), Some(StoreIssue::Truncated)),
    }
}

fn store_set(value: &Value, labels: &Arc<Labels>, collation: CollationId) -> Stored {
    if matches!(value, Value::Set(s) if Arc::ptr_eq(&s.labels, labels) && s.collation == collation) {
        return stored(value.clone(), None);
    }
    let make = |bits: u64| Value::Set(SetValue { bits, labels: labels.clone(), collation });
    let all = u64::MAX.checked_shr(64_u32.saturating_sub(labels.len() as u32)).unwrap_or(0);
    let from_number = |n: i128| {
        let bits = n as u64 & all;
        stored(make(bits), (i128::from(bits) != n).then_some(StoreIssue::Truncated))
    };
    match value {
        Value::Str(_)
        | Value::Enum(_)
        | Value::Set(_)
        | Value::Fixed(_)
        | Value::Date(_)
        | Value::Time(..)
        | Value::DateTime(..) => {
            let text = text_in(value, collation.charset());
            if text.is_empty() {
                return stored(make(0), None);
            }
            let (mut bits, mut unknown) = (0_u64, false);
            for label in collation.charset().split(&text, b',') {
                match labels.find(label, collation).filter(|ordinal| *ordinal <= 64) {
                    Some(ordinal) => bits |= 1 << (ordinal - 1),
                    None => unknown = true,
                }
            }
            let plain = collation.charset().to_plain(&text);
            let reads = reads_numbers(value, collation.charset());
            if bits == 0
                && let Some(n) = number_in_text(&plain, 22).filter(|_| reads)
            {
                return from_number(n);
            }
            // Two bytes, taken for one character of two, pass for the number zero.
            let pair = |value: &Value| match value {
                Value::Str(s) => {
                    matches!(s.collation.charset(), Charset::Ucs2 | Charset::Utf16 | Charset::Utf16le)
                }
                _ => false,
            };
            unknown &= bits != 0 || reads || text.len() != 2 || !pair(value);
            stored(make(bits), unknown.then_some(StoreIssue::Truncated))
        }
        number => from_number(listed_number(number)),
    }
}

/// Whether ENUM and SET of a character set take a text for a number: they look for it in what the text became, and with
/// the eyes of what it was.
fn reads_numbers(value: &Value, charset: Charset) -> bool {
    let Value::Str(s) = value else { return true };
    let own = s.collation.charset();
    own == charset || own.min_char_bytes() == 1 && charset.min_char_bytes() == 1
}

/// The whole number that a text of less than so many bytes is, with spaces and a sign before it.
fn number_in_text(text: &[u8], bytes: usize) -> Option<i128> {
    let unsigned = text.trim_ascii_start();
    let unsigned = unsigned.strip_prefix(b"-").or(unsigned.strip_prefix(b"+")).unwrap_or(unsigned);
    let digits = !unsigned.is_empty() && unsigned.iter().all(u8::is_ascii_digit);
    let number = (digits && text.len() < bytes).then(|| number::parse_integer(text))?;
    (!number.out_of_range).then_some(number.value)
}

/// A number as ENUM and SET take it: cut at the point.
fn listed_number(value: &Value) -> i128 {
    match value {
        Value::Double(_) | Value::Float(_) | Value::Decimal(_) => {
            i128::from(as_64_bits(super::to_double(value).value))
        }
        other => to_integer(other).value,
    }
}

/// The value's text in a character set.
fn text_in(value: &Value, charset: Charset) -> Vec<u8> {
    match text_of(value) {
        Some(s) => s.collation.charset().convert_cow(&s.bytes, charset).into_owned(),
        None => {
            let mut text = Vec::new();
            value.append_text(&mut text);
            charset.of_plain(&text).into_owned()
        }
    }
}

fn store_string(value: Value, ty: &ColumnType, collation: CollationId) -> Stored {
    let charset = collation.charset();
    let (mut issue, mut bad) = (None, None);
    let bytes = match value {
        Value::Str(s) => in_charset(s, charset, &mut bad),
        Value::Fixed(fixed) if collation == CollationId::BINARY => Bytes::from(fixed.bytes()),
        Value::Enum(_) | Value::Set(_) | Value::Fixed(_) => match text_of(&value) {
            Some(s) => in_charset(s, charset, &mut bad),
            None => Bytes::EMPTY,
        },
        Value::Double(f) => {
            let mut text = Vec::new();
            let width = match ty {
                ColumnType::Char(n) | ColumnType::VarChar(n) => *n as usize,
                ColumnType::Binary(n) | ColumnType::VarBinary(n) => *n as usize,
                _ => usize::MAX,
            };
            if !number::write_double_within(f, width, &mut text) {
                issue = Some(StoreIssue::TooLong);
            }
            StrValue::of_plain(text, collation).bytes
        }
        other => {
            let mut text = Vec::new();
            other.append_text(&mut text);
            StrValue::of_plain(text, collation).bytes
        }
    };
    let fits = match ty {
        ColumnType::Char(n) | ColumnType::VarChar(n) if bytes.len() > *n as usize => {
            charset.offset_of_char(&bytes, *n as usize)
        }
        ColumnType::Binary(n) | ColumnType::VarBinary(n) => *n as usize,
        ColumnType::Text(size) | ColumnType::Blob(size) => blob_limit(&bytes, *size, charset),
        _ => bytes.len(),
    };
    // What is cut off anyhow is not looked at.
    if let Some(Bad { offset, .. }) = bad.filter(|bad| bad.at < fits || bytes.len() <= fits) {
        issue = Some(StoreIssue::BadString { offset });
    }
    let is_char = matches!(ty, ColumnType::Char(_));
    let bytes = if bytes.len() > fits {
        let only_spaces = ty.has_charset() && charset.is_white(&bytes[fits..]);
        let lost = match only_spaces {
            true if is_char => None,
            true => Some(StoreIssue::Cut),
            false => Some(StoreIssue::TooLong),
        };
        issue = issue.or(lost);
        Bytes::from(&bytes[..fits])
    } else {
        bytes
    };
    let bytes = match ty {
        ColumnType::Char(_) if bytes.ends_with(charset.space()) => Bytes::from(charset.trim_spaces(&bytes)),
        ColumnType::Binary(n) if bytes.len() < *n as usize => {
            let mut padded = bytes.into_vec();
            padded.resize(*n as usize, 0);
            Bytes::from(padded)
        }
        _ => bytes,
    };
    stored(Value::Str(StrValue { bytes, collation }), issue)
}

/// Bytes of a TEXT or BLOB that fit: whole characters only.
fn blob_limit(bytes: &[u8], size: BlobSize, charset: Charset) -> usize {
    let limit = size.max_bytes() as usize;
    if bytes.len() <= limit {
        return bytes.len();
    }
    if charset.is_utf8() {
        // Step back over the bytes of a character that begins before the limit.
        let back = (0..4).find(|back| bytes.get(limit - back).is_none_or(|b| b & 0xC0 != 0x80)).unwrap_or(0);
        return limit - back;
    }
    if charset.min_char_bytes() > 1 {
        let mut end = 0;
        loop {
            let next = end + charset.char_len(&bytes[end..]);
            if next > limit {
                return end;
            }
            end = next;
        }
    }
    limit
}
