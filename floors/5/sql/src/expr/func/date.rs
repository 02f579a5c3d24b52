//! Dates and times.

use super::super::build::{boolean, call};
use super::super::{Class, Coercibility, Expr, Kind, Type, TypeKind, compare};
use super::Function;
use super::string::text_of_length;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::convert::{to_datetime, to_decimal, to_integer, to_time};
use types::temporal::{Interval, IntervalUnit, MICROS};
use types::{Date, DateTime, StrValue, Time, Value};

macro_rules! function {
    ($name:literal, $min:expr, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: $min, max: $max, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

macro_rules! clock {
    ($name:literal, $max:expr, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: 0, max: $max, ty: $ty, evaluate: $evaluate, deterministic: false }
    };
}

macro_rules! whole {
    ($name:literal, $length:expr, $f:expr) => {
        function!($name, 1, 1, |_, _| Ok(Type { length: $length, ..boolean(true) }), |cx, args, _| {
            on_whole_date(cx, &args[0], $f)
        })
    };
}

macro_rules! part {
    ($name:literal, $length:expr, $f:expr) => {
        function!($name, 1, 1, |_, _| Ok(Type { length: $length, ..boolean(true) }), |cx, args, _| {
            on_date(cx, &args[0], $f)
        })
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    clock!("now", 1, datetime_type, now),
    clock!("current_timestamp", 1, datetime_type, now),
    clock!("localtime", 1, datetime_type, now),
    clock!("localtimestamp", 1, datetime_type, now),
    clock!("sysdate", 1, datetime_type, now),
    clock!(
        "curdate",
        0,
        |_, _| Ok(Type { nullable: false, ..temporal(TypeKind::Date, 10, 0) }),
        |cx, _, _| Ok(Value::Date(local_now(cx).date))
    ),
    clock!(
        "current_date",
        0,
        |_, _| Ok(Type { nullable: false, ..temporal(TypeKind::Date, 10, 0) }),
        |cx, _, _| Ok(Value::Date(local_now(cx).date))
    ),
    clock!("curtime", 1, time_type, curtime),
    clock!("current_time", 1, time_type, curtime),
    clock!("unix_timestamp", 1, unix_timestamp_type, unix_timestamp),
    part!("year", 4, |at| Value::Int(i64::from(at.date.year))),
    part!("month", 2, |at| Value::Int(i64::from(at.date.month))),
    part!("day", 2, |at| Value::Int(i64::from(at.date.day))),
    part!("dayofmonth", 2, |at| Value::Int(i64::from(at.date.day))),
    part!("quarter", 1, |at| Value::Int(i64::from(at.date.quarter()))),
    whole!("dayofyear", 3, |at| i64::from(at.date.day_of_year())),
    whole!("weekday", 1, |at| i64::from(at.date.weekday())),
    whole!("dayofweek", 1, |at| (i64::from(at.date.weekday()) + 1) % 7 + 1),
    whole!("to_days", 6, |at| at.date.to_days()),
    function!("date", 1, 1, |_, _| Ok(temporal(TypeKind::Date, 10, 0)), |cx, args, _| {
        on_date(cx, &args[0], |at| Value::Date(at.date))
    }),
    function!("hour", 1, 1, |_, _| Ok(Type { length: 2, ..boolean(true) }), |cx, args, _| {
        on_time(cx, &args[0], |time| Value::Int(i64::from(time.hours())))
    }),
    function!("minute", 1, 1, |_, _| Ok(Type { length: 2, ..boolean(true) }), |cx, args, _| {
        on_time(cx, &args[0], |time| Value::Int(i64::from(time.minutes())))
    }),
    function!("second", 1, 1, |_, _| Ok(Type { length: 2, ..boolean(true) }), |cx, args, _| {
        on_time(cx, &args[0], |time| Value::Int(i64::from(time.seconds())))
    }),
    function!("datediff", 2, 2, |_, _| Ok(Type { length: 8, ..boolean(true) }), datediff),
    function!("last_day", 1, 1, |_, _| Ok(temporal(TypeKind::Date, 10, 0)), |cx, args, _| {
        on_date(cx, &args[0], |at| at.date.last_day().map_or(Value::Null, Value::Date))
    }),
    function!("date_format", 2, 2, format_type, date_format),
];

pub(super) fn temporal(kind: TypeKind, length: u32, fsp: u8) -> Type {
    let extra = if fsp == 0 { 0 } else { u32::from(fsp) + 1 };
    Type { kind, length: length + extra, decimals: fsp, ..boolean(true) }
}

pub(super) fn fsp_of(args: &[Expr], state: &mut State) -> Result<u8, SqlError> {
    let Some(e) = args.first() else { return Ok(0) };
    let value = e.eval(&mut Cx::new(state, &[]))?;
    u8::try_from(to_integer(&value).value)
        .ok()
        .filter(|fsp| *fsp <= 6)
        .ok_or_else(|| SqlError::too_big_precision("current_timestamp", 6))
}

fn datetime_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let fsp = fsp_of(args, state)?;
    Ok(Type { nullable: false, ..temporal(TypeKind::DateTime, 19, fsp) })
}

fn time_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let fsp = fsp_of(args, state)?;
    Ok(Type { nullable: false, ..temporal(TypeKind::Time, 10, fsp) })
}

fn format_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    format_type_of(&args[1], state)
}

/// The type of a date under a format: the longest that a constant format can give.
pub(super) fn format_type_of(format: &Expr, state: &mut State) -> Result<Type, SqlError> {
    let length = match format.is_const() {
        false => u64::from(format.ty.length) * 10,
        true => match format.eval(&mut Cx::new(state, &[]))? {
            Value::Null => 0,
            value => format_length(&compare::shown(&value)),
        },
    };
    let ty = text_of_length(length.min(255), state.vars.collation_connection, Coercibility::Coercible, true);
    Ok(Type { decimals: 0, ..ty })
}

/// The most characters of a date under a format.
fn format_length(format: &str) -> u64 {
    let mut length = 0;
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        length += match c {
            '%' => match chars.next() {
                Some('M' | 'W') => 64,
                Some('D' | 'Y' | 'x' | 'X') => 4,
                Some('a' | 'b') => 32,
                Some('j') => 3,
                Some('H' | 'k') => 7,
                Some('r') => 11,
                Some('T') => 8,
                Some('f') => 6,
                Some(
                    'c' | 'd' | 'e' | 'h' | 'i' | 'I' | 'l' | 'm' | 'p' | 'S' | 's' | 'u' | 'U' | 'v' | 'V'
                    | 'y',
                ) => 2,
                Some(_) => 1,
                None => 1,
            },
            _ => 1,
        };
    }
    length
}

fn local_now(cx: &Cx<'_>) -> DateTime {
    cx.state.vars.time_zone.to_local(cx.state.statement.now)
}

fn now(cx: &mut Cx<'_>, _: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    Ok(Value::DateTime(local_now(cx).truncate(ty.decimals), ty.decimals))
}

fn curtime(cx: &mut Cx<'_>, _: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    Ok(Value::Time(local_now(cx).time().truncate(ty.decimals), ty.decimals))
}

fn unix_timestamp_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(super::calendar::seconds_type(match args.first() {
        None => 0,
        Some(e) => super::calendar::fraction_of(e, state)?,
    }))
}

fn unix_timestamp(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(e) = args.first() else { return Ok(Value::Int(i64::from(cx.state.statement.now.secs))) };
    let Some(at) = datetime(cx, e)? else { return Ok(Value::Null) };
    let unix = cx.state.vars.time_zone.to_unix(at).map(|(secs, _)| secs);
    let held = unix.filter(|secs| (0..=i64::from(types::Timestamp::MAX_SECS)).contains(secs));
    Ok(held.map_or(Value::Null, |secs| {
        super::calendar::seconds_value(secs * types::temporal::MICROS + i64::from(at.micros), ty)
    }))
}

/// A value as a date with time; what is no date gives a warning and nothing.
pub(super) fn datetime(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<DateTime>, SqlError> {
    let value = e.eval(cx)?;
    if value.is_null() {
        return Ok(None);
    }
    let context = cx.state.convert_context();
    let parsed = to_datetime(&value, &context);
    compare::warn_temporal(cx.state, "datetime", &value, &parsed);
    Ok(parsed.value)
}

/// A value as a date that has a month and a day; another gives a warning and nothing.
pub(super) fn whole_date(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<DateTime>, SqlError> {
    let Some(at) = datetime(cx, e)? else { return Ok(None) };
    if has_day(at) {
        return Ok(Some(at));
    }
    // A column's own date is NULL silently.
    if matches!(e.kind, Kind::Column(_)) && e.ty.class() == Class::Temporal {
        return Ok(None);
    }
    let shown = compare::shown(&e.eval(cx)?);
    cx.state.warn(Level::Warning, 1292, format!("Incorrect datetime value: '{shown}'"));
    Ok(None)
}

/// What a date with a month and a day gives.
pub(super) fn on_whole_date(
    cx: &mut Cx<'_>,
    e: &Expr,
    f: impl Fn(DateTime) -> i64,
) -> Result<Value, SqlError> {
    Ok(whole_date(cx, e)?.map_or(Value::Null, |at| Value::Int(f(at))))
}

pub(super) fn on_date(cx: &mut Cx<'_>, e: &Expr, f: fn(DateTime) -> Value) -> Result<Value, SqlError> {
    Ok(datetime(cx, e)?.map_or(Value::Null, f))
}

pub(super) fn on_time(cx: &mut Cx<'_>, e: &Expr, f: fn(Time) -> Value) -> Result<Value, SqlError> {
    let value = e.eval(cx)?;
    if value.is_null() {
        return Ok(Value::Null);
    }
    let context = cx.state.convert_context();
    let parsed = to_time(&value, &context);
    compare::warn_temporal(cx.state, "time", &value, &parsed);
    Ok(parsed.value.map_or(Value::Null, f))
}

pub(super) fn has_day(at: DateTime) -> bool {
    at.date.month != 0 && at.date.day != 0
}

fn datediff(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let (Some(a), Some(b)) = (whole_date(cx, &args[0])?, whole_date(cx, &args[1])?) else {
        return Ok(Value::Null);
    };
    Ok(Value::Int(a.date.to_days() - b.date.to_days()))
}

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub(super) const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

fn date_format(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(at) = datetime(cx, &args[0])? else { return Ok(Value::Null) };
    formatted(cx, at, &args[1], ty)
}

/// A date under a format; NULL where the format is NULL or empty, or asks for what the date lacks.
pub(super) fn formatted(cx: &mut Cx<'_>, at: DateTime, format: &Expr, ty: &Type) -> Result<Value, SqlError> {
    let Some(format) = super::string::text(cx, format, ty.collation)? else { return Ok(Value::Null) };
    let format = ty.collation.charset().to_plain(&format);
    if format.is_empty() {
        return Ok(Value::Null);
    }
    let mut out = Vec::with_capacity(format.len() * 2);
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'%' => match bytes.next() {
                None => out.push(b'%'),
                Some(specifier) => match specify(at, specifier) {
                    Some(text) => out.extend_from_slice(text.as_bytes()),
                    None => return Ok(Value::Null),
                },
            },
            other => out.push(other),
        }
    }
    Ok(Value::Str(StrValue::of_plain(out, ty.collation)))
}

/// One `%x` of DATE_FORMAT; nothing where the date lacks the part.
fn specify(at: DateTime, specifier: u8) -> Option<String> {
    let Date { year, month, day } = at.date;
    let hour12 = (at.hour + 11) % 12 + 1;
    let weekday = || has_day(at).then(|| at.date.weekday());
    Some(match specifier {
        b'Y' => format!("{year:04}"),
        b'y' => format!("{:02}", year % 100),
        b'm' => format!("{month:02}"),
        b'c' => month.to_string(),
        b'd' => format!("{day:02}"),
        b'e' => day.to_string(),
        b'D' => {
            let suffix = match (day % 10, day / 10) {
                (_, 1) => "th",
                (1, _) => "st",
                (2, _) => "nd",
                (3, _) => "rd",
                _ => "th",
            };
            format!("{day}{suffix}")
        }
        b'H' => format!("{:02}", at.hour),
        b'k' => at.hour.to_string(),
        b'h' | b'I' => format!("{hour12:02}"),
        b'l' => hour12.to_string(),
        b'i' => format!("{:02}", at.minute),
        b's' | b'S' => format!("{:02}", at.second),
        b'f' => format!("{:06}", at.micros),
        b'p' => if at.hour < 12 { "AM" } else { "PM" }.to_owned(),
        b'T' => format!("{:02}:{:02}:{:02}", at.hour, at.minute, at.second),
        b'r' => {
            let half = if at.hour < 12 { "AM" } else { "PM" };
            format!("{hour12:02}:{:02}:{:02} {half}", at.minute, at.second)
        }
        b'M' => (*MONTHS.get(usize::from(month).checked_sub(1)?)?).to_owned(),
        b'b' => MONTHS.get(usize::from(month).checked_sub(1)?)?[..3].to_owned(),
        b'W' => DAYS[usize::from(weekday()?)].to_owned(),
        b'a' => DAYS[usize::from(weekday()?)][..3].to_owned(),
        b'w' => ((weekday()? + 1) % 7).to_string(),
        b'j' => format!("{:03}", has_day(at).then(|| at.date.day_of_year())?),
        b'U' => format!("{:02}", at.date.week(0).1),
        b'u' => format!("{:02}", at.date.week(1).1),
        b'V' => format!("{:02}", at.date.week(2).1),
        b'v' => format!("{:02}", at.date.week(3).1),
        b'X' => format!("{:04}", at.date.week(2).0),
        b'x' => format!("{:04}", at.date.week(3).0),
        other => char::from(other).to_string(),
    })
}

/// A unit travels to the evaluation as a constant argument.
fn unit_constant(unit: IntervalUnit) -> Expr {
    super::super::build::constant(Value::text(unit.name()))
}

fn unit_of(e: &Expr, cx: &mut Cx<'_>) -> Result<IntervalUnit, SqlError> {
    let value = e.eval(cx)?;
    IntervalUnit::by_name(&compare::shown(&value))
        .ok_or_else(|| SqlError::internal_error("read interval unit"))
}

/// A date plus or minus an interval.
pub fn date_arith(
    date: Expr,
    amount: Expr,
    unit: IntervalUnit,
    subtract: bool,
    state: &mut State,
) -> Result<Expr, SqlError> {
    let of_amount = match unit {
        _ if unit.has_micros() => 6,
        IntervalUnit::Second if amount.ty.class() == Class::Str => 6,
        IntervalUnit::Second => super::calendar::fraction_of(&amount, state)?,
        _ => 0,
    };
    let decimals = super::calendar::fraction_of(&date, state)?.max(of_amount);
    let ty = match (date.ty.kind, unit.is_date_only()) {
        (TypeKind::Date, true) => temporal(TypeKind::Date, 10, 0),
        (TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp, _) => {
            temporal(TypeKind::DateTime, 19, decimals)
        }
        (TypeKind::Time, false) => temporal(TypeKind::Time, 10, decimals),
        (TypeKind::Time, true) if matches!(unit, IntervalUnit::Day | IntervalUnit::Week) => {
            temporal(TypeKind::Time, 10, decimals)
        }
        (TypeKind::Time, true) => temporal(TypeKind::DateTime, 19, decimals),
        _ if decimals > 0 => super::calendar::text_of_kind(20 + u64::from(decimals), decimals, state),
        _ => super::calendar::text_of_kind(19, 0, state),
    };
    let args = vec![date, amount, unit_constant(unit)];
    match subtract {
        false => call("date_add", |cx, args, ty| add_interval(cx, args, ty, false), args, ty, state),
        true => call("date_sub", |cx, args, ty| add_interval(cx, args, ty, true), args, ty, state),
    }
}

fn interval_of(value: &Value, unit: IntervalUnit, subtract: bool) -> Option<Interval> {
    let interval = if unit.is_composite() {
        Interval::parse(unit, compare::shown(value).as_bytes())?
    } else if unit == IntervalUnit::Second {
        Interval::seconds(&to_decimal(value).value)
    } else {
        Interval::of(unit, i64::try_from(to_integer(value).value).ok()?)
    };
    Some(match subtract {
        true => Interval { months: interval.months.checked_neg()?, micros: interval.micros.checked_neg()? },
        false => interval,
    })
}

fn add_interval(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, subtract: bool) -> Result<Value, SqlError> {
    let unit = unit_of(&args[2], cx)?;
    let amount = args[1].eval(cx)?;
    let value = args[0].eval(cx)?;
    if amount.is_null() || value.is_null() {
        return Ok(Value::Null);
    }
    if !unit.is_composite() && unit != IntervalUnit::Second {
        compare::warn_leftover(cx.state, "INTEGER", &amount, &to_integer(&amount));
    }
    let Some(interval) = interval_of(&amount, unit, subtract) else { return overflow(cx) };
    if ty.kind == TypeKind::Time {
        let context = cx.state.convert_context();
        let Some(time) = to_time(&value, &context).value else { return Ok(Value::Null) };
        return Ok(time.plus(interval).map_or(Value::Null, |time| Value::Time(time, ty.decimals)));
    }
    let context = cx.state.convert_context();
    let parsed = to_datetime(&value, &context);
    let Some(at) = parsed.value.filter(|at| has_day(*at)) else {
        let shown = compare::shown(&value);
        cx.state.warn(Level::Warning, 1292, format!("Incorrect datetime value: '{shown}'"));
        return Ok(Value::Null);
    };
    compare::warn_temporal(cx.state, "datetime", &value, &parsed);
    let Some(moved) = at.plus(interval) else { return overflow(cx) };
    Ok(match ty.class() {
        Class::Temporal if ty.kind == TypeKind::Date => Value::Date(moved.date),
        Class::Temporal => Value::DateTime(moved, ty.decimals),
        _ => {
            let mut out = Vec::new();
            let is_date = !parsed.has_time && unit.is_date_only();
            match is_date {
                true => moved.date.write(&mut out),
                false => moved.write(ty.decimals, &mut out),
            }
            Value::Str(StrValue::of_plain(out, ty.collation))
        }
    })
}

fn overflow(cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    let warning = SqlError::datetime_function_overflow("datetime");
    cx.state.warn(Level::Warning, warning.errno, warning.message);
    Ok(Value::Null)
}

/// `TIMESTAMPDIFF(unit, from, to)`.
pub fn timestamp_diff(of: IntervalUnit, from: Expr, to: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let ty = Type { kind: TypeKind::LongLong, length: 21, ..boolean(true) };
    let evaluate: super::Evaluate = |cx, args, _| {
        let unit = unit_of(&args[2], cx)?;
        let (Some(from), Some(to)) = (datetime(cx, &args[0])?, datetime(cx, &args[1])?) else {
            return Ok(Value::Null);
        };
        Ok(Value::Int(from.difference(to, unit)))
    };
    call("timestampdiff", evaluate, vec![from, to, unit_constant(of)], ty, state)
}

/// `EXTRACT(unit FROM operand)`.
pub fn extract(of: IntervalUnit, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let length = extract_length(of);
    let kind = if length > 10 { TypeKind::LongLong } else { TypeKind::Long };
    let ty = Type { kind, length, ..boolean(true) };
    call("extract", extracted, vec![operand, unit_constant(of)], ty, state)
}

/// The longest number that EXTRACT gives of a unit, with its sign where it can be negative.
fn extract_length(unit: IntervalUnit) -> u32 {
    use IntervalUnit as U;
    match unit {
        U::Year => 4,
        U::YearMonth => 6,
        U::Quarter => 1,
        U::Month | U::Week => 2,
        U::Day => 8,
        U::DayHour => 10,
        U::DayMinute => 12,
        U::DaySecond => 14,
        U::DayMicrosecond => 20,
        U::Hour | U::Minute | U::Second => 3,
        U::HourMinute | U::MinuteSecond => 5,
        U::HourSecond | U::Microsecond => 7,
        U::HourMicrosecond => 13,
        U::MinuteMicrosecond => 11,
        U::SecondMicrosecond => 9,
    }
}

fn extracted(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    use IntervalUnit as U;
    let unit = unit_of(&args[1], cx)?;
    let value = args[0].eval(cx)?;
    // Text that is no date with a time of day is a time, where days or a time of day are asked for.
    let of_clock = !matches!(unit, U::Year | U::YearMonth | U::Quarter | U::Month | U::Week);
    let is_time = args[0].ty.kind == TypeKind::Time
        || of_clock
            && matches!(value, Value::Str(_))
            && !compare::shown(&value).trim_start_matches('-').contains('-')
        || of_clock && matches!(value, Value::Int(n) if n.abs() <= 9_999_999);
    let (date, clock) = if is_time {
        match span_of(&value, cx) {
            Some(micros) => (Date::ZERO, micros),
            None => return Ok(Value::Null),
        }
    } else {
        match datetime(cx, &args[0])? {
            Some(at) => (at.date, at.time().as_micros()),
            None => return Ok(Value::Null),
        }
    };
    // A TIME of many hours is days and hours here; HOUR() counts them all.
    let (negative, clock) = (clock < 0, clock.abs());
    let (seconds, f) = (clock / MICROS, clock % MICROS);
    let (h, m, s) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let day = i64::from(date.day) + seconds / 86_400;
    let (year, month) = (i64::from(date.year), i64::from(date.month));
    let clock = |from_day: bool| (if from_day { day * 1_000_000 } else { 0 }) + h * 10_000 + m * 100 + s;
    let n = match unit {
        U::Microsecond => f,
        U::Second => s,
        U::Minute => m,
        U::Hour => h,
        U::Day => day,
        U::Week => i64::from(date.week(0).1),
        U::Month => month,
        U::Quarter => i64::from(date.quarter()),
        U::Year => year,
        U::SecondMicrosecond => s * 1_000_000 + f,
        U::MinuteMicrosecond => (m * 100 + s) * 1_000_000 + f,
        U::MinuteSecond => m * 100 + s,
        U::HourMicrosecond => clock(false) * 1_000_000 + f,
        U::HourSecond => clock(false),
        U::HourMinute => h * 100 + m,
        U::DayMicrosecond => clock(true) * 1_000_000 + f,
        U::DaySecond => clock(true),
        U::DayMinute => day * 10_000 + h * 100 + m,
        U::DayHour => day * 100 + h,
        U::YearMonth => year * 100 + month,
    };
    Ok(Value::Int(if negative { -n } else { n }))
}

/// A value as microseconds of a span of days and hours, which may go far beyond what a TIME holds.
fn span_of(value: &Value, cx: &mut Cx<'_>) -> Option<i64> {
    if value.is_null() {
        return None;
    }
    let span = match value {
        Value::Str(s) => Time::parse_span(&s.plain()),
        other => {
            let context = cx.state.convert_context();
            let parsed = to_time(other, &context);
            types::TemporalParse {
                value: parsed.value.map(Time::as_micros),
                truncated: parsed.truncated,
                fraction_cut: parsed.fraction_cut,
                has_time: parsed.has_time,
            }
        }
    };
    compare::warn_temporal(cx.state, "interval", value, &span);
    span.value
}

/// `GET_FORMAT(kind, operand)`.
pub fn get_format(kind: &str, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let value = operand.eval(&mut Cx::new(state, &[]))?;
    let format = match (kind, compare::shown(&value).to_uppercase().as_str()) {
        ("date", "USA") => "%m.%d.%Y",
        ("date", "JIS" | "ISO") => "%Y-%m-%d",
        ("date", "EUR") => "%d.%m.%Y",
        ("date", "INTERNAL") => "%Y%m%d",
        ("datetime", "USA" | "EUR") => "%Y-%m-%d %H.%i.%s",
        ("datetime", "JIS" | "ISO") => "%Y-%m-%d %H:%i:%s",
        ("datetime", "INTERNAL") => "%Y%m%d%H%i%s",
        ("time", "USA") => "%h:%i:%s %p",
        ("time", "JIS" | "ISO") => "%H:%i:%s",
        ("time", "EUR") => "%H.%i.%s",
        ("time", "INTERNAL") => "%H%i%s",
        _ => return Ok(super::super::build::constant(Value::Null)),
    };
    Ok(super::super::build::constant(Value::text(format)))
}
