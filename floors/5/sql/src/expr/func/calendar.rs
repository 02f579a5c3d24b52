//! Calendar and clock arithmetic: weeks, periods, differences, dates and times made of parts.

use super::super::{Class, Coercibility, Expr, Type, TypeKind, compare};
use super::Function;
use super::date::{DAYS, MONTHS, datetime, fsp_of, on_time, on_whole_date, temporal, whole_date};
use super::pieces::int_type;
use super::string::{ascii_text, int_arg, text_of_length};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::convert::{to_datetime, to_decimal, to_integer, to_time};
use types::decimal::Rounding;
use types::temporal::MICROS;
use types::{Date, DateTime, Decimal, Time, TimeZone, Timestamp, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

macro_rules! utc {
    ($name:literal, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: 0, max: $max, ty: $ty, evaluate: $evaluate, deterministic: false }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("week", 1, 2, |_, _| Ok(number(2)), week),
    function!("weekofyear", 1, 1, |_, _| Ok(number(2)), |cx, args, _| on_whole_date(cx, &args[0], |at| {
        i64::from(at.date.week(3).1)
    })),
    function!("yearweek", 1, 2, |_, _| Ok(number(6)), year_week),
    function!("dayname", 1, 1, |_, state| Ok(name_type(state)), |cx, args, ty| {
        Ok(match whole_date(cx, &args[0])? {
            Some(at) => ascii_text(DAYS[usize::from(at.date.weekday())].into(), ty),
            None => Value::Null,
        })
    }),
    function!("monthname", 1, 1, |_, state| Ok(name_type(state)), |cx, args, ty| {
        let month = datetime(cx, &args[0])?.and_then(|at| usize::from(at.date.month).checked_sub(1));
        Ok(month
            .and_then(|month| MONTHS.get(month))
            .map_or(Value::Null, |name| ascii_text((*name).into(), ty)))
    }),
    function!("microsecond", 1, 1, |_, _| Ok(number(6)), |cx, args, _| on_time(cx, &args[0], |time| {
        Value::Int(i64::from(time.micros()))
    })),
    function!("to_seconds", 1, 1, |_, _| Ok(big(12)), |cx, args, _| on_whole_date(cx, &args[0], |at| at
        .date
        .to_days()
        * 86_400
        + at.time().as_micros() / MICROS)),
    function!("from_days", 1, 1, |_, _| Ok(temporal(TypeKind::Date, 10, 0)), |cx, args, _| {
        let days = int_arg(cx, &args[0])?;
        let date = days.map(|n| Date::from_days(i64::try_from(n).unwrap_or(-1)));
        let refused = |date: &Date| date.year == 0 && cx.state.date_mode().no_zero_date;
        Ok(date.filter(|date| !refused(date)).map_or(Value::Null, Value::Date))
    }),
    function!("time", 1, 1, time_type, |cx, args, ty| {
        let time = time_of(cx, &args[0])?;
        Ok(time.map_or(Value::Null, |time| Value::Time(time.truncate(ty.decimals), ty.decimals)))
    }),
    function!("timestamp", 1, 2, timestamp_type, timestamp),
    function!("addtime", 2, 2, add_time_type, |cx, args, ty| add_time(cx, args, ty, 1)),
    function!("subtime", 2, 2, add_time_type, |cx, args, ty| add_time(cx, args, ty, -1)),
    function!("timediff", 2, 2, time_diff_type, time_diff),
    function!("maketime", 3, 3, make_time_type, make_time),
    function!("makedate", 2, 2, |_, _| Ok(temporal(TypeKind::Date, 10, 0)), make_date),
    function!("sec_to_time", 1, 1, sec_to_time_type, sec_to_time),
    function!("time_to_sec", 1, 1, time_to_sec_type, time_to_sec),
    function!("period_add", 2, 2, |args, _| Ok(int_type(args, 6)), |cx, args, _| period(cx, args, true)),
    function!("period_diff", 2, 2, |args, _| Ok(int_type(args, 6)), |cx, args, _| period(cx, args, false)),
    function!("convert_tz", 3, 3, convert_tz_type, convert_tz),
    function!("from_unixtime", 1, 2, from_unixtime_type, from_unixtime),
    utc!(
        "utc_date",
        0,
        |_, _| Ok(Type { nullable: false, ..temporal(TypeKind::Date, 10, 0) }),
        |cx, _, _| { Ok(Value::Date(utc_now(cx).date)) }
    ),
    utc!("utc_time", 1, |args, state| clock_type(TypeKind::Time, 10, args, state), |cx, _, ty| {
        Ok(Value::Time(utc_now(cx).time().truncate(ty.decimals), ty.decimals))
    }),
    utc!("utc_timestamp", 1, |args, state| clock_type(TypeKind::DateTime, 19, args, state), |cx, _, ty| {
        Ok(Value::DateTime(utc_now(cx).truncate(ty.decimals), ty.decimals))
    }),
];

/// An integer that may be NULL.
fn number(length: u32) -> Type {
    Type { nullable: true, ..int_type(&[], length) }
}

fn big(length: u32) -> Type {
    Type { kind: TypeKind::LongLong, ..number(length) }
}

fn name_type(state: &State) -> Type {
    let ty = text_of_length(9, state.vars.collation_connection, Coercibility::Coercible, true);
    Type { decimals: 0, ..ty }
}

fn clock_type(kind: TypeKind, length: u32, args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let fsp = fsp_of(args, state)?;
    Ok(Type { nullable: false, ..temporal(kind, length, fsp) })
}

fn utc_now(cx: &Cx<'_>) -> DateTime {
    TimeZone::UTC.to_local(cx.state.statement.now)
}

fn mode_of(cx: &mut Cx<'_>, e: Option<&Expr>) -> Result<u8, SqlError> {
    Ok(match e {
        None => cx.state.vars.number("default_week_format").unwrap_or(0) as u8,
        Some(e) => int_arg(cx, e)?.unwrap_or(0).rem_euclid(8) as u8,
    })
}

fn week(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let mode = mode_of(cx, args.get(1))?;
    on_whole_date(cx, &args[0], |at| i64::from(at.date.week(mode).1))
}

fn year_week(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let mode = args.get(1).map_or(Ok(0), |e| mode_of(cx, Some(e)))?;
    on_whole_date(cx, &args[0], |at| i64::from(at.date.year_week(mode)))
}

/// Fractional digits of an argument read as a time or date: what its type or a constant's text has.
pub(super) fn fraction_of(e: &Expr, state: &mut State) -> Result<u8, SqlError> {
    Ok(match e.ty.class() {
        Class::Temporal => e.ty.decimals,
        Class::Int => 0,
        Class::Decimal => e.ty.decimals.min(6),
        _ if e.ty.kind == TypeKind::Null => 0,
        Class::Str if e.is_const() => {
            let value = e.eval(&mut Cx::new(state, &[]))?;
            if value.is_null() {
                return Ok(0);
            }
            let text = compare::shown(&value);
            let context = state.convert_context();
            let readable = to_datetime(&value, &context).value.is_some()
                || to_time(&value, &context).value.is_some_and(|_| !text.is_empty());
            match text.rsplit_once('.') {
                _ if !readable => 6,
                None => 0,
                Some((_, digits)) => digits.bytes().take_while(u8::is_ascii_digit).count().min(6) as u8,
            }
        }
        _ => 6,
    })
}

fn time_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(temporal(TypeKind::Time, 10, fraction_of(&args[0], state)?))
}

/// A value as a time; what is no time gives a warning and nothing.
fn time_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Time>, SqlError> {
    let value = e.eval(cx)?;
    Ok(read_time(cx, &value))
}

fn read_time(cx: &mut Cx<'_>, value: &Value) -> Option<Time> {
    if value.is_null() {
        return None;
    }
    let context = cx.state.convert_context();
    let parsed = to_time(value, &context);
    compare::warn_temporal(cx.state, "time", value, &parsed);
    parsed.value
}

fn timestamp_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let mut fsp = fraction_of(&args[0], state)?;
    if let Some(e) = args.get(1) {
        fsp = fsp.max(fraction_of(e, state)?);
    }
    Ok(temporal(TypeKind::DateTime, 19, fsp))
}

fn timestamp(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(at) = datetime(cx, &args[0])? else { return Ok(Value::Null) };
    let moved = match args.get(1) {
        None => Some(at),
        Some(e) => match time_of(cx, e)? {
            None => return Ok(Value::Null),
            Some(time) => DateTime::from_micros(at.to_micros() + time.as_micros()),
        },
    };
    Ok(moved.map_or(Value::Null, |at| Value::DateTime(at.truncate(ty.decimals), ty.decimals)))
}

fn add_time_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let fsp = args[0].ty.decimals.min(6).max(fraction_of(&args[1], state)?);
    Ok(match args[0].ty.kind {
        TypeKind::Time => temporal(TypeKind::Time, 10, fsp),
        TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp => temporal(TypeKind::DateTime, 19, fsp),
        TypeKind::Null => text_of_kind(19, 0, state),
        _ => text_of_kind(26, 39, state),
    })
}

/// The fixed text type that date functions over text give.
pub(super) fn text_of_kind(length: u64, decimals: u8, state: &State) -> Type {
    let ty = text_of_length(length, state.vars.collation_connection, Coercibility::Coercible, true);
    Type { kind: TypeKind::Char, decimals, ..ty }
}

fn add_time(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, sign: i64) -> Result<Value, SqlError> {
    let value = args[0].eval(cx)?;
    let amount_value = args[1].eval(cx)?;
    if value.is_null() || amount_value.is_null() {
        return Ok(Value::Null);
    }
    let Some(amount) = read_time(cx, &amount_value) else { return Ok(Value::Null) };
    let context = cx.state.convert_context();
    let as_date = to_datetime(&value, &context);
    let is_date = match ty.kind {
        TypeKind::DateTime => true,
        TypeKind::Time => false,
        _ => {
            let dated = as_date.has_time
                || matches!(value, Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_));
            dated && as_date.value.is_some() && looks_like_date(&value)
        }
    };
    let micros = sign * amount.as_micros();
    // Digits of a second are known of numbers, of text they are as many as there are.
    let told = match args[0].ty.class() {
        Class::Int | Class::Decimal | Class::Real => {
            Some(fraction_of(&args[0], cx.state)?.max(fraction_of(&args[1], cx.state)?))
        }
        _ => None,
    };
    let result = if is_date {
        as_date.value.and_then(|at| DateTime::from_micros(at.to_micros() + micros)).map(|at| {
            match ty.class() {
                Class::Temporal => Value::DateTime(at, ty.decimals),
                _ => Value::DateTime(at, told.unwrap_or(if at.micros == 0 { 0 } else { 6 })),
            }
        })
    } else {
        read_time(cx, &value).map(|time| {
            let (sum, clipped) = Time::saturating(time.as_micros() + micros);
            if clipped {
                let shown = compare::shown(&Value::Time(sum, 0));
                cx.state.warn(Level::Warning, 1292, format!("Truncated incorrect time value: '{shown}'"));
            }
            match ty.class() {
                Class::Temporal => Value::Time(sum, ty.decimals),
                _ => Value::Time(sum, told.unwrap_or(if sum.micros() == 0 { 0 } else { 6 })),
            }
        })
    };
    Ok(match (result, ty.class()) {
        (None, _) => Value::Null,
        (Some(value), Class::Temporal) => value,
        (Some(value), _) => ascii_text(compare::shown(&value).into_bytes(), ty),
    })
}

/// Whether a text is written as a date, not as a time with days.
fn looks_like_date(value: &Value) -> bool {
    let text = compare::shown(value);
    text.bytes().filter(|byte| *byte == b'-').count() >= 2 || !text.contains(':') && text.len() > 7
}

fn time_diff_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let fsp = fraction_of(&args[0], state)?.max(fraction_of(&args[1], state)?);
    Ok(temporal(TypeKind::Time, 10, fsp))
}

fn time_diff(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let (left, right) = (args[0].eval(cx)?, args[1].eval(cx)?);
    if left.is_null() || right.is_null() {
        return Ok(Value::Null);
    }
    let context = cx.state.convert_context();
    let dated = |value: &Value| match value {
        Value::Time(..) => None,
        Value::Date(_) | Value::DateTime(..) | Value::Timestamp(..) => to_datetime(value, &context).value,
        _ if looks_like_date(value) => {
            to_datetime(value, &context).value.filter(|_| to_datetime(value, &context).has_time)
        }
        _ => None,
    };
    let difference = match (dated(&left), dated(&right)) {
        (Some(a), Some(b)) => a.to_micros() - b.to_micros(),
        (Some(_), None) | (None, Some(_)) if left.is_temporal() && right.is_temporal() => {
            return Ok(Value::Null);
        }
        _ => {
            let (Some(a), Some(b)) = (read_time(cx, &left), read_time(cx, &right)) else {
                return Ok(Value::Null);
            };
            a.as_micros() - b.as_micros()
        }
    };
    Ok(Value::Time(clipped(difference, cx).truncate(ty.decimals), ty.decimals))
}

/// A duration within TIME's range; 838:59:59 and a warning beyond it.
fn clipped(micros: i64, cx: &mut Cx<'_>) -> Time {
    let limit = Time::MAX_SECONDS * MICROS;
    match Time::from_micros(micros) {
        Some(time) => time,
        None => {
            let seconds = micros.unsigned_abs() / MICROS as u64;
            let sign = if micros < 0 { "-" } else { "" };
            let shown = format!("{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
            cx.state.warn(Level::Warning, 1292, format!("Truncated incorrect time value: '{shown}'"));
            Time::saturating(limit * micros.signum()).0
        }
    }
}

fn make_time_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(time_of_seconds(&args[2].ty))
}

/// A TIME with as many fractional digits as a number of seconds has.
fn time_of_seconds(seconds: &Type) -> Type {
    let fsp = match seconds.class() {
        Class::Int => 0,
        Class::Decimal => seconds.decimals.min(6),
        _ if seconds.kind == TypeKind::Null => 0,
        _ => 6,
    };
    temporal(TypeKind::Time, 10, fsp)
}

fn make_time(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let (hour, minute) = (int_arg(cx, &args[0])?, int_arg(cx, &args[1])?);
    let seconds = args[2].eval(cx)?;
    let (Some(hour), Some(minute), false) = (hour, minute, seconds.is_null()) else {
        return Ok(Value::Null);
    };
    let second = micros_of(&seconds);
    if second >= 60 * MICROS {
        let shown = compare::shown(&seconds);
        cx.state.warn(Level::Warning, 1292, format!("Truncated incorrect seconds value: '{shown}'"));
    }
    if !(0..60).contains(&minute) || !(0..60 * MICROS).contains(&second) {
        return Ok(Value::Null);
    }
    // Beyond the range only that it is beyond matters.
    let hours = hour.unsigned_abs().min(1_000_000) as i64;
    let total = (hours * 3600 + minute as i64 * 60) * MICROS + second;
    let total = if hour < 0 { -total } else { total };
    Ok(Value::Time(clipped(total, cx).truncate(ty.decimals), ty.decimals))
}

/// A number of seconds in microseconds, cut; clipped where 64 bits do not do.
fn micros_of(seconds: &Value) -> i64 {
    let micros = to_decimal(seconds).value.mul(&Decimal::new(MICROS.into(), 0));
    let whole = micros.map(|d| d.round(0, Rounding::Truncate).to_i64_saturating());
    whole.unwrap_or(i64::MAX).clamp(-1 << 60, 1 << 60)
}

fn make_date(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let (Some(year), Some(day)) = (int_arg(cx, &args[0])?, int_arg(cx, &args[1])?) else {
        return Ok(Value::Null);
    };
    if !(0..=9999).contains(&year) || !(1..=4_000_000).contains(&day) {
        return Ok(Value::Null);
    }
    let year = match year {
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        other => other,
    };
    let first = Date::new(year as u16, 1, 1).to_days();
    Ok(Date::of_day(first + day as i64 - 1).map_or(Value::Null, Value::Date))
}

fn sec_to_time_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(time_of_seconds(&args[0].ty))
}

fn sec_to_time(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = args[0].eval(cx)?;
    if value.is_null() {
        return Ok(Value::Null);
    }
    let (time, beyond) = Time::saturating(micros_of(&value));
    if beyond {
        let shown = compare::shown(&value);
        cx.state.warn(Level::Warning, 1292, format!("Truncated incorrect seconds value: '{shown}'"));
    }
    Ok(Value::Time(time.truncate(ty.decimals), ty.decimals))
}

fn time_to_sec_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let fsp = fraction_of(&args[0], state)?;
    Ok(seconds_type(fsp))
}

/// Seconds with a fraction: BIGINT without one, DECIMAL with it.
pub(super) fn seconds_type(fsp: u8) -> Type {
    match fsp {
        0 => big(17),
        fsp => Type { kind: TypeKind::Decimal, length: 18 + u32::from(fsp), decimals: fsp, ..number(0) },
    }
}

/// A number of microseconds as seconds of that type.
pub(super) fn seconds_value(micros: i64, ty: &Type) -> Value {
    match ty.decimals {
        0 => Value::Int(micros.div_euclid(MICROS)),
        fsp => Value::Decimal(Decimal::new(micros.into(), 6).round(i32::from(fsp), Rounding::Truncate)),
    }
}

fn time_to_sec(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    Ok(time_of(cx, &args[0])?.map_or(Value::Null, |time| match ty.decimals {
        0 => Value::Int(time.as_micros() / MICROS),
        _ => seconds_value(time.as_micros(), ty),
    }))
}

/// Months of a period YYYYMM or YYMM; none for a month that there is not.
fn months_of(period: i128) -> Option<i64> {
    let period = i64::try_from(period).ok().filter(|period| (0..=999_999).contains(period))?;
    if period == 0 {
        return Some(0);
    }
    let (year, month) = (period / 100, period % 100);
    let year = match year {
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        other => other,
    };
    (1..=12).contains(&month).then_some(year * 12 + month - 1)
}

fn period(cx: &mut Cx<'_>, args: &[Expr], add: bool) -> Result<Value, SqlError> {
    let name = if add { "period_add" } else { "period_diff" };
    let (Some(first), Some(second)) = (int_arg(cx, &args[0])?, int_arg(cx, &args[1])?) else {
        return Ok(Value::Null);
    };
    if first == 0 && add {
        return Ok(Value::Int(0));
    }
    let months = months_of(first).ok_or_else(|| SqlError::wrong_arguments(name))?;
    if add {
        let moved = months + second.clamp(-1 << 40, 1 << 40) as i64;
        return Ok(Value::Int(moved.div_euclid(12) * 100 + moved.rem_euclid(12) + 1));
    }
    let other = months_of(second).ok_or_else(|| SqlError::wrong_arguments(name))?;
    Ok(Value::Int(months - other))
}

fn convert_tz_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(temporal(TypeKind::DateTime, 19, fraction_of(&args[0], state)?))
}

fn convert_tz(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(at) = datetime(cx, &args[0])? else { return Ok(Value::Null) };
    let mut zone = |e: &Expr| -> Result<Option<TimeZone>, SqlError> {
        Ok(TimeZone::parse(&compare::shown(&e.eval(cx)?)))
    };
    let (Some(from), Some(to)) = (zone(&args[1])?, zone(&args[2])?) else { return Ok(Value::Null) };
    let moved = match from.to_unix(at) {
        // What a TIMESTAMP cannot hold stays as it is.
        Some((secs, _)) if (0..=i64::from(Timestamp::MAX_SECS)).contains(&secs) => {
            to.local_of_unix(secs, at.micros)
        }
        _ => at,
    };
    Ok(Value::DateTime(moved.truncate(ty.decimals), ty.decimals))
}

fn from_unixtime_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    if let Some(format) = args.get(1) {
        return super::date::format_type_of(format, state);
    }
    let seconds = &args[0].ty;
    Ok(match seconds.class() {
        Class::Int | Class::Temporal => temporal(TypeKind::DateTime, 19, 0),
        Class::Decimal => temporal(TypeKind::DateTime, 19, seconds.decimals.min(6)),
        _ if seconds.kind == TypeKind::Null => temporal(TypeKind::DateTime, 19, 0),
        _ => temporal(TypeKind::DateTime, 19, 6),
    })
}

fn from_unixtime(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let value = args[0].eval(cx)?;
    if value.is_null() {
        return Ok(Value::Null);
    }
    let micros = match to_integer(&value).value {
        n if n > i128::from(Timestamp::MAX_SECS) => {
            compare::warn_truncated(cx.state, "unixtime", &value);
            -1
        }
        _ => micros_of(&value),
    };
    if micros < 0 {
        return Ok(Value::Null);
    }
    let at = cx.state.vars.time_zone.local_of_unix(micros / MICROS, (micros % MICROS) as u32);
    match args.get(1) {
        None => Ok(Value::DateTime(at.truncate(ty.decimals), ty.decimals)),
        Some(format) => super::date::formatted(cx, at, format, ty),
    }
}
