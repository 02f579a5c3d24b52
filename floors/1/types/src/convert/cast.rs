//! Values read as other types.

use super::ConvertContext;
use crate::charset::CollationId;
use crate::decimal::{Decimal, Rounding};
use crate::number::{self, Parsed};
use crate::temporal::{DateMode, DateTime, TemporalParse, Time};
use crate::value::{StrValue, Value};

fn exact<T>(value: T) -> Parsed<T> {
    Parsed::exact(value)
}

/// The text that a string, ENUM or SET has; none for others.
pub(super) fn text_of(value: &Value) -> Option<StrValue> {
    match value {
        Value::Str(s) => Some(s.clone()),
        Value::Enum(e) => Some(e.to_str()),
        Value::Set(s) => Some(s.to_str()),
        Value::Fixed(value) => {
            Some(StrValue::owned(value.text().into_bytes(), CollationId::LATIN1_SWEDISH_CI))
        }
        _ => None,
    }
}

/// The value as a double, as arithmetic and comparison with numbers see it. Strings give the number they begin with;
/// ENUM and SET their number; NULL gives 0 (look for NULL before).
pub fn to_double(value: &Value) -> Parsed<f64> {
    match value {
        Value::Double(f) => exact(*f),
        Value::Float(f) => exact(f64::from(*f)),
        Value::Decimal(d) => exact(d.to_f64()),
        Value::Str(s) => number::parse_double(&s.plain()),
        Value::Time(time, _) => exact(time_number(time).to_f64()),
        Value::DateTime(at, _) => exact(with_micros(at.to_number(), at.micros).to_f64()),
        // All other readers take them for unsigned.
        Value::Bit(bit) => exact(bit.bits as i64 as f64),
        other => exact(whole_number(other) as f64),
    }
}

/// The value as an integer (in the range of BIGINT and BIGINT UNSIGNED together): doubles to the nearest (ties to
/// even), decimals half away from zero, strings the integer they begin with.
pub fn to_integer(value: &Value) -> Parsed<i128> {
    match value {
        Value::Double(f) => double_to_integer(*f),
        Value::Float(f) => double_to_integer(f64::from(*f)),
        Value::Decimal(d) => {
            let beyond = if d.is_negative() { i128::from(i64::MIN) } else { i128::from(u64::MAX) };
            let value = d.to_i128().unwrap_or(beyond).clamp(i128::from(i64::MIN), i128::from(u64::MAX));
            Parsed { out_of_range: d.to_i128() != Some(value), ..exact(value) }
        }
        Value::Str(s) => number::parse_integer(&s.plain()),
        other => exact(whole_number(other)),
    }
}

fn double_to_integer(f: f64) -> Parsed<i128> {
    let rounded = f.round_ties_even();
    let value = (rounded as i128).clamp(i128::from(i64::MIN), i128::from(u64::MAX));
    Parsed { out_of_range: value as f64 != rounded, ..exact(value) }
}

/// The value as a decimal; doubles by their shortest digits.
pub fn to_decimal(value: &Value) -> Parsed<Decimal> {
    match value {
        Value::Decimal(d) => exact(*d),
        Value::Double(f) => double_to_decimal(*f),
        Value::Float(f) => double_to_decimal(f64::from(*f)),
        Value::Str(s) => Decimal::parse(&s.plain()),
        Value::Time(time, fsp) if *fsp > 0 => {
            exact(time_number(time).round(i32::from(*fsp), Rounding::Truncate))
        }
        Value::DateTime(at, fsp) if *fsp > 0 => {
            exact(with_micros(at.to_number(), at.micros).round(i32::from(*fsp), Rounding::Truncate))
        }
        other => exact(Decimal::new(whole_number(other), 0)),
    }
}

fn double_to_decimal(f: f64) -> Parsed<Decimal> {
    match Decimal::from_f64(f) {
        Some(value) => exact(value),
        None => Parsed { out_of_range: true, ..exact(Decimal::largest(f < 0.0, 65, 0)) },
    }
}

/// A date's number with its fraction.
fn with_micros(n: i64, micros: u32) -> Decimal {
    Decimal::new(i128::from(n) * 1_000_000 + i128::from(micros), 6)
}

/// A time's number with its fraction, which has the time's sign: of less than a second nothing else has.
fn time_number(time: &Time) -> Decimal {
    let sign = if time.is_negative() { -1 } else { 1 };
    Decimal::new(i128::from(time.to_number()) * 1_000_000 + sign * i128::from(time.micros()), 6)
}

/// The number of a value whose numeric form is whole; 0 for NULL and for types handled elsewhere.
fn whole_number(value: &Value) -> i128 {
    match value {
        Value::Int(n) => i128::from(*n),
        Value::UInt(n) => i128::from(*n),
        Value::Year(year) => i128::from(*year),
        Value::Bit(bit) => i128::from(bit.bits),
        Value::Enum(e) => i128::from(e.index),
        Value::Set(s) => i128::from(s.bits),
        Value::Date(date) => i128::from(date.to_number()),
        Value::Time(time, _) => i128::from(time.to_number()),
        Value::DateTime(at, _) => i128::from(at.to_number()),
        Value::Timestamp(at, _) => i128::from(crate::temporal::TimeZone::UTC.to_local(*at).to_number()),
        Value::Null
        | Value::Float(_)
        | Value::Double(_)
        | Value::Decimal(_)
        | Value::Str(_)
        | Value::Fixed(_) => 0,
    }
}

/// The value as a condition: NULL is none, a number is true when it is not zero.
pub fn to_bool(value: &Value) -> Option<bool> {
    Some(match value {
        Value::Null => return None,
        Value::Decimal(d) => !d.is_zero(),
        Value::Time(time, _) => time.as_micros() != 0,
        Value::DateTime(at, _) => !at.is_zero(),
        Value::Double(_) | Value::Float(_) | Value::Str(_) => to_double(value).value != 0.0,
        other => whole_number(other) != 0,
    })
}

/// The value's text. Numbers and temporals take `collation`, the connection's.
pub fn to_str(value: &Value, collation: CollationId) -> Option<StrValue> {
    match value {
        Value::Null => None,
        Value::Bit(bit) => Some(StrValue { bytes: bit.to_bytes(), collation: CollationId::BINARY }),
        other => Some(text_of(other).unwrap_or_else(|| {
            let mut text = Vec::new();
            other.append_text(&mut text);
            StrValue::of_plain(text, collation)
        })),
    }
}

fn parsed<T>(value: Option<T>, has_time: bool) -> TemporalParse<T> {
    TemporalParse { value, truncated: false, fraction_cut: false, has_time }
}

/// The integer part of a number and its fraction in microseconds; none for what no temporal can be.
fn number_parts(value: &Value) -> Option<(i64, u32)> {
    match value {
        Value::Double(_) | Value::Float(_) => {
            // The double's own binary digits, cut: 5.789 may be 5.788999.
            let n = to_double(value).value;
            let whole = n.trunc();
            let micros = ((n - whole).abs() * 1e6).trunc();
            (whole.abs() < i64::MAX as f64).then_some((whole as i64, micros as u32))
        }
        Value::Decimal(_) => {
            let d = to_decimal(value).value;
            let whole = d.round(0, Rounding::Truncate);
            let rest = d.sub(&whole).ok()?.abs();
            let micros = rest.round(6, Rounding::Truncate);
            let micros = micros.mul(&Decimal::new(1_000_000, 0)).ok()?.to_i64_saturating() as u32;
            Some((i64::try_from(whole.to_i128()?).ok()?, micros))
        }
        other => Some((i64::try_from(whole_number(other)).ok()?, 0)),
    }
}

/// The value as a date and time: text and numbers are read, dates are midnights, a TIME is counted from today.
pub fn to_datetime(value: &Value, context: &ConvertContext) -> TemporalParse<DateTime> {
    match value {
        Value::Null => parsed(None, false),
        Value::Date(date) => parsed(Some(date.at_midnight()).filter(|at| at.is_valid(context.mode)), false),
        Value::DateTime(at, _) => parsed(Some(*at).filter(|at| at.is_valid(context.mode)), true),
        Value::Timestamp(at, _) => parsed(Some(context.zone.to_local(*at)), true),
        Value::Time(time, _) if context.days_are_hours => {
            parsed(DateTime::of_time(*time).filter(|at| at.is_valid(context.mode)), true)
        }
        Value::Time(time, _) => parsed(DateTime::of_date_and_time(context.today(), *time), true),
        Value::Year(year) => {
            let at = crate::temporal::Date::new(*year, 0, 0).at_midnight();
            parsed(Some(at).filter(|at| at.is_valid(context.mode)), false)
        }
        Value::Str(_) | Value::Enum(_) | Value::Set(_) | Value::Fixed(_) => {
            text_of(value).map_or(parsed(None, false), |s| DateTime::parse(&s.plain_moment(), context.mode))
        }
        number => match number_parts(number) {
            Some((n, micros)) => {
                let has_time = n > 99_991_231 || n == 0;
                let date_alone = !has_time && micros != 0;
                if to_double(number).value < 0.0 {
                    return parsed(None, false);
                }
                let micros = if has_time { micros } else { 0 };
                // Digits beyond six go silently, the whole fraction of a date does not.
                let value = DateTime::from_number(n, micros, context.mode);
                TemporalParse { value, truncated: false, fraction_cut: date_alone, has_time }
            }
            None => parsed(None, false),
        },
    }
}

/// The time that a date without year and month, or the text of one, is stored as where days are hours.
pub fn days_as_hours(value: &Value, context: &ConvertContext) -> Option<Time> {
    if !context.days_are_hours {
        return None;
    }
    match value {
        Value::DateTime(at, _) => at.time_with_days(),
        Value::Str(text) => {
            let text = text.plain_moment();
            let dated = crate::temporal::looks_like_datetime(text.trim_ascii_start());
            let any = DateMode { allow_invalid: true, ..DateMode::default() };
            DateTime::parse(&text, any).value.filter(|_| dated)?.time_with_days()
        }
        _ => None,
    }
}

/// The value as a time: text and numbers are read, dates with time give their time of day.
pub fn to_time(value: &Value, context: &ConvertContext) -> TemporalParse<Time> {
    match value {
        Value::Null => parsed(None, false),
        Value::Time(time, _) => parsed(Some(*time), true),
        Value::Date(_) | Value::Year(_) => parsed(Some(Time::default()), true),
        Value::DateTime(at, _) => parsed(Some(at.time()), true),
        Value::Timestamp(at, _) => parsed(Some(context.zone.to_local(*at).time()), true),
        Value::Str(_) | Value::Enum(_) | Value::Set(_) | Value::Fixed(_) => {
            text_of(value).map_or(parsed(None, false), |s| Time::parse(&s.plain_moment()))
        }
        number => {
            let Some((n, micros)) = number_parts(number) else {
                // Beyond 63 bits an integer's minutes and seconds are looked at, too.
                let whole = if let Value::UInt(n) = number { *n } else { 0 };
                if whole % 100 > 59 || whole / 100 % 100 > 59 {
                    return parsed(None, true);
                }
                let negative = to_double(number).value < 0.0;
                let (clipped, _) = Time::saturating(if negative { i64::MIN / 2 } else { i64::MAX / 2 });
                return TemporalParse { truncated: true, ..parsed(Some(clipped), true) };
            };
            let negative_fraction = n == 0 && to_double(number).value < 0.0;
            // A number of eight digits is a date, whose fraction is lost.
            let date_alone = n > 9_999_999 && n <= 99_991_231;
            match Time::from_number(n, micros) {
                None => parsed(None, true),
                Some((time, clipped)) => {
                    let value = Some(if negative_fraction { -time } else { time });
                    // A date's fraction is lost.
                    let fraction_cut = date_alone && micros != 0;
                    TemporalParse { value, truncated: clipped, fraction_cut, has_time: !date_alone }
                }
            }
        }
    }
}
