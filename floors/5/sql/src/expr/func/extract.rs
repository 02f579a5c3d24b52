//! EXTRACT: parts of dates, times and intervals.

use super::super::build::{boolean, call, type_name};
use super::super::operand::{self, Dates};
use super::super::{Class, Expr, Type, TypeKind, compare};
use super::date::{unit_constant, unit_of};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::convert::to_decimal;
use types::decimal::Rounding;
use types::temporal::{DayTime, IntervalUnit, MICROS, is_run_of_digits, looks_like_datetime};
use types::{Date, DateMode, DateTime, Decimal, Value};

/// `EXTRACT(unit FROM operand)`.
pub fn extract(of: IntervalUnit, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let name = format!("extract({})", of.name().to_lowercase());
    super::refused::refuse(std::slice::from_ref(&operand), &name)?;
    if operand.ty.json {
        return Err(SqlError::illegal_parameter_type(type_name(&operand.ty), name));
    }
    let of_date = operand.ty.class() == Class::Temporal;
    let length = extract_length(of, of_date);
    let kind = if length > 10 { TypeKind::LongLong } else { TypeKind::Long };
    let ty = Type { kind, length, written: !has_sign(of, of_date), ..boolean(true) };
    call("extract", extracted, vec![operand, unit_constant(of)], ty, state)
}

/// Whether a unit's number may be negative: parts of dates are not.
fn has_sign(unit: IntervalUnit, of_date: bool) -> bool {
    use IntervalUnit as U;
    match unit {
        U::Year | U::YearMonth | U::Quarter | U::Month | U::Week => false,
        U::Day | U::DayHour | U::DayMinute | U::DaySecond | U::DayMicrosecond => !of_date,
        _ => true,
    }
}

/// The longest number that EXTRACT gives of a unit, with its sign where it can be negative. Days of a date have two
/// digits, those of an interval more.
fn extract_length(unit: IntervalUnit, of_date: bool) -> u32 {
    use IntervalUnit as U;
    let days = if of_date { 2 } else { 8 };
    match unit {
        U::Year => 4,
        U::YearMonth => 6,
        U::Quarter => 1,
        U::Month | U::Week => 2,
        U::Day => days,
        U::DayHour => days + 2,
        U::DayMinute => days + 4,
        U::DaySecond => days + 6,
        U::DayMicrosecond => days + 12,
        U::Hour | U::Minute | U::Second => 3,
        U::HourMinute | U::MinuteSecond => 5,
        U::HourSecond | U::Microsecond => 7,
        U::HourMicrosecond => 13,
        U::MinuteMicrosecond => 11,
        U::SecondMicrosecond => 9,
    }
}

/// What there is to take parts of: a date, and a duration from its midnight.
struct Parts {
    date: Date,
    clock: i64,
}

impl Parts {
    fn of(at: DateTime) -> Parts {
        Parts { date: at.date, clock: at.time().as_micros() }
    }

    fn of_clock(clock: i64) -> Parts {
        Parts { date: Date::ZERO, clock }
    }
}

/// Units of dates; the others may be of an interval.
fn of_date(unit: IntervalUnit) -> bool {
    use IntervalUnit as U;
    matches!(unit, U::Year | U::YearMonth | U::Quarter | U::Month | U::Week)
}

fn has_days(unit: IntervalUnit) -> bool {
    use IntervalUnit as U;
    matches!(unit, U::Day | U::DayHour | U::DayMinute | U::DaySecond | U::DayMicrosecond)
}

fn read(cx: &mut Cx<'_>, e: &Expr, unit: IntervalUnit) -> Result<Option<Parts>, SqlError> {
    if matches!(e.ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp) {
        return Ok(operand::datetime(cx, e, Dates::Parts)?.map(|dated| Parts::of(dated.at)));
    }
    let value = operand::bytes_of_bits(&e.eval_exactly(cx)?).into_owned();
    let date = |cx: &mut Cx<'_>| {
        operand::date_of(&value, Some(e), Dates::Parts, cx.state).map(|dated| Parts::of(dated.at))
    };
    Ok(match &value {
        Value::Null => None,
        Value::Time(time, _) => Some(Parts::of_clock(time.as_micros())),
        // What is no part of a date is one of as many hours as the year has years.
        &Value::Year(year) if !of_date(unit) => Some(Parts::of_clock(i64::from(year) * 3600 * MICROS)),
        _ if value.is_temporal() || of_date(unit) => date(cx),
        Value::Str(_) | Value::Enum(_) | Value::Set(_) => {
            let text = match &value {
                Value::Str(s) if !s.collation.charset().is_ascii_based() => {
                    String::from_utf8_lossy(&s.plain_moment()).into_owned()
                }
                value => compare::shown(value),
            };
            match is_date(text.trim().as_bytes(), unit) {
                true if DateTime::parse(text.as_bytes(), DateMode::default()).value.is_some() => date(cx),
                true => refused(&value, e, cx),
                false => interval(&text, &value, e, cx),
            }
        }
        number => {
            let (whole, micros) = number_parts(number);
            let clock = whole.and_then(|whole| DayTime::from_number(whole, micros));
            match clock {
                Some(clock) => Some(Parts::of_clock(clock.0)),
                None if whole
                    .is_some_and(|whole| DateTime::from_number(whole, 0, DateMode::default()).is_some()) =>
                {
                    date(cx)
                }
                None => refused(number, e, cx),
            }
        }
    })
}

/// The whole part of a number and its fraction in microseconds; no whole part where that is beyond 64 bits.
pub(super) fn number_parts(value: &Value) -> (Option<i64>, u32) {
    let d = to_decimal(value).value;
    let whole = d.round(0, Rounding::Truncate);
    let fraction = d.sub(&whole).map_or(Decimal::new(0, 0), |rest| rest.abs());
    let micros = fraction.round(6, Rounding::Truncate).mul(&Decimal::new(MICROS.into(), 0));
    let micros = micros.map_or(0, |micros| micros.to_i64_saturating());
    (whole.to_i128().and_then(|whole| i64::try_from(whole).ok()), u32::try_from(micros).unwrap_or(0))
}

/// How many digits a text begins with.
fn digits_of(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Whether text is a date where a unit is asked for: digits alone are one where days are, though letters follow.
fn is_date(text: &[u8], unit: IntervalUnit) -> bool {
    let digits = digits_of(text);
    // Year, month and the day's first digit.
    let dashed = digits > 0
        && text[digits..].strip_prefix(b"-").is_some_and(|rest| {
            let month = digits_of(rest);
            month > 0 && matches!(rest[month..], [b'-', b'0'..=b'9', ..])
        });
    let days = has_days(unit) && unit != IntervalUnit::DayMicrosecond;
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    dashed || looks_like_datetime(text) || days && digits_of(unsigned) > 0 && is_run_of_digits(unsigned)
}

fn interval(text: &str, value: &Value, e: &Expr, cx: &mut Cx<'_>) -> Option<Parts> {
    let parsed = DayTime::parse(text.as_bytes());
    let Some(clock) = parsed.value else { return refused(value, e, cx) };
    if parsed.truncated {
        operand::complain(value, Some(e), "time", false, Level::Warning, cx.state);
    } else if parsed.fraction_cut {
        operand::complain(value, Some(e), "time", false, Level::Note, cx.state);
    }
    Some(Parts::of_clock(clock.0))
}

fn refused(value: &Value, e: &Expr, cx: &mut Cx<'_>) -> Option<Parts> {
    operand::complain(value, Some(e), "interval", true, Level::Warning, cx.state);
    None
}

fn extracted(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    use IntervalUnit as U;
    let unit = unit_of(&args[1], cx)?;
    let Some(Parts { date, clock }) = read(cx, &args[0], unit)? else { return Ok(Value::Null) };
    let size = clock.unsigned_abs() as i64;
    let seconds = size / MICROS;
    // Many hours are days and hours here; HOUR() counts them all.
    let (h, m, s, f) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, size % MICROS);
    let day = i64::from(date.day) + seconds / 86_400;
    let (year, month) = (i64::from(date.year), i64::from(date.month));
    let of_day = |from_day: bool| (if from_day { day * 1_000_000 } else { 0 }) + h * 10_000 + m * 100 + s;
    let n = match unit {
        U::Microsecond => f,
        U::Second => s,
        U::Minute => m,
        U::Hour => h,
        U::Day => day,
        U::Week => {
            let mode = cx.state.vars.number("default_week_format").unwrap_or(0) as u8;
            i64::from(date.week(mode).1)
        }
        U::Month => month,
        U::Quarter => i64::from(date.quarter()),
        U::Year => year,
        U::SecondMicrosecond => s * 1_000_000 + f,
        U::MinuteMicrosecond => (m * 100 + s) * 1_000_000 + f,
        U::MinuteSecond => m * 100 + s,
        U::HourMicrosecond => of_day(false) * 1_000_000 + f,
        U::HourSecond => of_day(false),
        U::HourMinute => h * 100 + m,
        U::DayMicrosecond => of_day(true) * 1_000_000 + f,
        U::DaySecond => of_day(true),
        U::DayMinute => day * 10_000 + h * 100 + m,
        U::DayHour => day * 100 + h,
        U::YearMonth => year * 100 + month,
    };
    // The week of a time is the one of no date, whatever its sign.
    Ok(Value::Int(if clock < 0 && unit != U::Week { -n } else { n }))
}
