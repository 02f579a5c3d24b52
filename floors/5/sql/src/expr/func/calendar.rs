//! Calendar and clock arithmetic: weeks, periods, differences, dates and times made of parts.

use super::super::operand::{self, Dates};
use super::super::{Class, Coercibility, Expr, Kind, Named, Type, TypeKind, compare, foreknown, store};
use super::Function;
use super::date::{fraction_shown, fsp_of, on_date, on_time, refuses_extreme, temporal};
use super::extract::number_parts;
use super::locale::{self, Locale};
use super::pieces::int_type;
use super::refused::read_name;
use super::string::{ascii_text, int_arg, text_of_length, with_digits};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State, mode};
use types::convert::{ConvertContext, to_datetime, to_decimal, to_integer};
use types::decimal::Rounding;
use types::temporal::{DayTime, MICROS, looks_like_datetime};
use types::{CollationId, Date, DateTime, Decimal, StrValue, Time, TimeZone, Timestamp, Value};

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
    function!("week", 1, 2, |_, _| Ok(counted(2)), week),
    function!("weekofyear", 1, 1, |_, _| Ok(counted(2)), |cx, args, _| on_date(
        cx,
        &args[0],
        Dates::Whole,
        |at| Value::Int(i64::from(at.date.week(3).1))
    )),
    function!("yearweek", 1, 2, |_, _| Ok(number(6)), year_week),
    function!("dayname", 1, 1, |_, state| Ok(name_type(state, Locale::longest_day)), |cx, args, ty| {
        let dated = operand::datetime(cx, &args[0], Dates::Whole)?;
        let locale = locale::of(cx.state);
        Ok(name_text(dated.and_then(|dated| locale.day(dated.at.date.weekday())), ty))
    }),
    function!("monthname", 1, 1, |_, state| Ok(name_type(state, Locale::longest_month)), |cx, args, ty| {
        let dated = operand::datetime(cx, &args[0], Dates::Parts)?;
        let locale = locale::of(cx.state);
        Ok(name_text(dated.and_then(|dated| locale.month(dated.at.date.month)), ty))
    }),
    function!("microsecond", 1, 1, |_, _| Ok(counted(6)), |cx, args, _| on_time(cx, &args[0], |time| {
        Value::Int(i64::from(time.micros()))
    })),
    function!("to_seconds", 1, 1, |_, _| Ok(big(12)), |cx, args, _| on_date(
        cx,
        &args[0],
        Dates::Whole,
        |at| Value::Int(at.date.to_days() * 86_400 + at.time().as_micros() / MICROS)
    )),
    function!("from_days", 1, 1, |_, _| Ok(temporal(TypeKind::Date, 10, 0)), |cx, args, _| {
        let days = int_arg(cx, &args[0])?;
        let date = days.map(|n| Date::from_days(i64::try_from(n).unwrap_or(-1)));
        let refused = days == Some(0) && cx.state.date_mode().no_zero_date;
        Ok(date.filter(|_| !refused).map_or(Value::Null, Value::Date))
    }),
    function!("time", 1, 1, time_type, |cx, args, ty| { operand::converted(cx, &args[0], ty, false) }),
    function!("timestamp", 1, 2, timestamp_type, timestamp),
    function!("addtime", 2, 2, |args, state| add_time_type(args, "addtime", state), |cx, args, ty| add_time(
        cx, args, ty, 1
    )),
    function!("subtime", 2, 2, |args, state| add_time_type(args, "subtime", state), |cx, args, ty| add_time(
        cx, args, ty, -1
    )),
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

/// A number that is never negative to MariaDB: its length has no place for a sign.
fn counted(length: u32) -> Type {
    Type { written: true, ..number(length) }
}

fn big(length: u32) -> Type {
    Type { kind: TypeKind::LongLong, ..number(length) }
}

/// The name of a month or day.
fn name_text(name: Option<&str>, ty: &Type) -> Value {
    name.map_or(Value::Null, |name| ascii_text(locale::plain(name, ty.collation.charset()), ty))
}

/// A day's or month's name, as long as the longest one of the session's locale.
fn name_type(state: &State, longest: fn(&Locale) -> usize) -> Type {
    let length = longest(locale::of(state)) as u64;
    let ty = text_of_length(length, state.vars.collation_connection, Coercibility::Coercible, true);
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
    let Some(dated) = operand::datetime(cx, &args[0], Dates::Whole)? else { return Ok(Value::Null) };
    let mode = mode_of(cx, args.get(1))?;
    Ok(Value::Int(i64::from(dated.at.date.week(mode).1)))
}

fn year_week(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let Some(dated) = operand::datetime(cx, &args[0], Dates::Whole)? else { return Ok(Value::Null) };
    let mode = args.get(1).map_or(Ok(0), |e| mode_of(cx, Some(e)))?;
    Ok(Value::Int(i64::from(dated.at.date.year_week(mode))))
}

fn time_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(temporal(TypeKind::Time, 10, foreknown::digits_once(&args[0], false, state)))
}

fn timestamp_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let digits = if args.len() == 1 { foreknown::digits_once } else { foreknown::fraction_digits };
    let mut fsp = digits(&args[0], true, state);
    if let Some(e) = args.get(1) {
        fsp = match e.ty.kind {
            TypeKind::Null | TypeKind::Enum | TypeKind::Set => 6,
            _ => fsp.max(interval_digits(e, state)?),
        };
    }
    Ok(temporal(TypeKind::DateTime, 19, fsp))
}

fn timestamp(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let [date, time] = args else { return operand::converted(cx, &args[0], ty, false) };
    let Some(dated) = operand::datetime(cx, date, Dates::Parts)? else { return Ok(Value::Null) };
    let Some(micros) = added(cx, time)? else { return Ok(Value::Null) };
    if dated.at.date.is_zero() {
        return Ok(Value::Null);
    }
    let moved = DateTime::from_micros(dated.at.to_micros() + micros);
    Ok(moved.map_or(Value::Null, |at| Value::DateTime(at.truncate(ty.decimals), ty.decimals)))
}

/// The fractional digits of what is added to a time: of a date or NULL, which is no interval, or of a text from a query,
/// nothing tells how many there will be.
fn interval_digits(e: &Expr, state: &mut State) -> Result<u8, SqlError> {
    if let Kind::AssignUserVar(_, value) = &e.kind {
        return interval_digits(value, state);
    }
    Ok(match e.ty.kind {
        TypeKind::Null | TypeKind::Enum | TypeKind::Set => 6,
        _ if e.ty.class() == Class::Str && e.has_subquery() => 6,
        _ if e.ty.class() == Class::Str => match foreknown::value_of(e, state) {
            Some(value) if DayTime::parse_added(compare::shown(&value).as_bytes()).value.is_none() => 6,
            Some(value) => {
                let known = Expr { kind: Kind::Const(value), ty: e.ty.clone() };
                foreknown::fraction_digits(&known, false, state)
            }
            None => 6,
        },
        _ => foreknown::fraction_digits(e, false, state),
    })
}

fn add_time_type(args: &[Expr], name: &str, state: &mut State) -> Result<Type, SqlError> {
    let first = &args[0].ty;
    let added = interval_digits(&args[1], state)?;
    if first.json || args[1].ty.json {
        return Err(SqlError::illegal_parameter_types(read_name(first), read_name(&args[1].ty), name));
    }
    // Labels have no digits of their own.
    let fsp = if first.labels.is_some() { added } else { first.decimals.min(6).max(added) };
    Ok(match first.kind {
        TypeKind::Time => temporal(TypeKind::Time, 10, fsp),
        TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp => temporal(TypeKind::DateTime, 19, fsp),
        TypeKind::Null if added > 0 => text_of_kind(20 + u64::from(added), added, state),
        TypeKind::Null => text_of_kind(19, 0, state),
        _ if first.decimals > 30 && first.class() != Class::Decimal && first.labels.is_none() => {
            text_of_kind(26, 39, state)
        }
        _ => text_of_kind(if fsp > 0 { 20 + u64::from(fsp) } else { 19 }, fsp, state),
    })
}

/// The fixed text type that date functions over text give.
pub(super) fn text_of_kind(length: u64, decimals: u8, state: &State) -> Type {
    let ty = text_of_length(length, state.vars.collation_connection, Coercibility::Coercible, true);
    Type { kind: TypeKind::Char, decimals, ..ty }
}

/// A point in time as ADDTIME and TIMEDIFF take one, in microseconds: text and numbers that are dates with a time of day
/// are dates, others times.
enum Moment {
    /// With a time of day or without.
    Date(DateTime, bool),
    Time(Time),
}

/// With `strict`, days that there are not make text and numbers no time at all; those of a column's dates were let in.
fn moment(cx: &mut Cx<'_>, e: &Expr, strict: bool) -> Result<Option<Moment>, SqlError> {
    let value = operand::unchecked(cx, e)?;
    let is_date = match &value {
        Value::Null => return Ok(None),
        Value::Time(..) | Value::Year(0) => false,
        Value::Date(_) | Value::DateTime(..) | Value::Timestamp(..) | Value::Year(_) => true,
        Value::Str(_) | Value::Enum(_) | Value::Set(_) => {
            looks_like_datetime(compare::shown(&value).trim_start().as_bytes())
        }
        number => {
            let (whole, _) = number_parts(number);
            whole.is_some_and(|whole| (10_000_000..=99_991_231_235_959).contains(&whole))
        }
    };
    if !is_date {
        return Ok(operand::time_of(&value, Some(e), false, cx.state).map(Moment::Time));
    }
    let stored = matches!(value, Value::Date(_) | Value::DateTime(..) | Value::Timestamp(..));
    let mode = types::DateMode { allow_invalid: !strict || stored, ..types::DateMode::default() };
    let parsed = to_datetime(&value, &ConvertContext { mode, ..cx.state.convert_context() });
    if parsed.value.is_none() {
        operand::complain(&value, Some(e), "time", true, Level::Warning, cx.state);
    } else if parsed.truncated {
        compare::warn_truncated(cx.state, "datetime", &value);
    } else if parsed.fraction_cut {
        let kind = if parsed.has_time { "datetime" } else { "date" };
        let message = format!("Truncated incorrect {kind} value: '{}'", compare::bytes_text(&value));
        cx.state.warn(Level::Note, 1292, message);
    }
    let timed = !matches!(value, Value::Date(_)) && parsed.has_time;
    Ok(parsed.value.map(|at| Moment::Date(at, timed)))
}

/// An interval as ADDTIME takes one, in microseconds; dates are none. Numbers are read from their text.
fn added(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<i64>, SqlError> {
    let value = with_digits(operand::bytes_of_bits(&e.eval(cx)?).into_owned(), &e.ty);
    // Numbers in four bytes have the digits that they are shown with, though they have been widened.
    let short = match value {
        Value::Float(n) => Some(n),
        Value::Double(n) if e.ty.kind == TypeKind::Float => Some(n as f32),
        _ => None,
    };
    let value = match short {
        Some(n) => Value::Str(StrValue::owned(
            compare::shown(&Value::Float(n)).into_bytes(),
            CollationId::UTF8MB4_GENERAL_CI,
        )),
        None => value,
    };
    let (interval, truncated) = match &value {
        Value::Null => return Ok(None),
        Value::Time(time, _) => (Some(time.as_micros()), false),
        Value::Date(_) | Value::DateTime(..) | Value::Timestamp(..) => (None, false),
        Value::Str(_) | Value::Enum(_) | Value::Set(_) => {
            let shown = compare::shown(&value);
            let parsed = DayTime::parse_added(shown.as_bytes());
            if parsed.value.is_some() && parsed.fraction_cut && !parsed.truncated {
                cx.state.warn(Level::Note, 1292, cut_interval(&shown));
            }
            (parsed.value.map(|interval| interval.0), parsed.truncated)
        }
        number => {
            let (whole, micros) = number_parts(number);
            let interval = whole.and_then(|whole| DayTime::from_number(whole, micros));
            // A fraction alone has its sign too.
            let below = whole == Some(0) && to_decimal(number).value.is_negative();
            let shown = compare::shown(number);
            if interval.is_some() && shown.split_once('.').is_some_and(|(_, digits)| digits.len() > 6) {
                cx.state.warn(Level::Note, 1292, cut_interval(&shown));
            }
            (interval.map(|interval| if below { -interval.0 } else { interval.0 }), false)
        }
    };
    if interval.is_none() || truncated {
        let how = if interval.is_none() { "Incorrect" } else { "Truncated incorrect" };
        let text = match &value {
            Value::DateTime(..) if e.ty.class() == Class::Str => compare::error_text(&value),
            Value::DateTime(at, fsp) => {
                compare::shown(&Value::DateTime(*at, if *fsp > 0 && at.micros > 0 { 6 } else { 0 }))
            }
            _ => compare::error_text(&value),
        };
        cx.state.warn(Level::Warning, 1292, format!("{how} INTERVAL DAY TO SECOND value: '{text}'"));
    }
    Ok(interval)
}

fn cut_interval(shown: &str) -> String {
    format!("Truncated incorrect INTERVAL DAY TO SECOND value: '{shown}'")
}

fn add_time(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, sign: i64) -> Result<Value, SqlError> {
    let Some(moment) = moment(cx, &args[0], true)? else { return Ok(Value::Null) };
    let Some(micros) = added(cx, &args[1])? else { return Ok(Value::Null) };
    // Where the type is text, the value is a date or time all the same: numbers and dates are made of that.
    Ok(match moment {
        // There is no year 0 to reckon from.
        Moment::Date(at, _) => match DateTime::from_micros(at.to_micros() + sign * micros) {
            Some(moved) if at.date.is_zero() || moved.date.year == 0 => return Ok(Value::Null),
            Some(at) => Value::DateTime(at, fraction_shown(at.micros, ty)),
            None => return Ok(Value::Null),
        },
        Moment::Time(time) => {
            let time = clipped(time.as_micros() + sign * micros, ty.decimals, cx);
            let digits = fraction_shown(time.micros(), ty);
            Value::Time(time.truncate(digits), digits)
        }
    })
}

fn time_diff_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let mut digits = |e: &Expr| foreknown::fraction_digits(e, false, state);
    // MariaDB asks once more for what is the greater, and what is said of a constant is said again.
    let fsp = match digits(&args[0]) > digits(&args[1]) {
        true => digits(&args[0]),
        false => digits(&args[1]),
    };
    Ok(temporal(TypeKind::Time, 10, fsp))
}

/// A value to who says nothing of zero days that have no last one.
pub(super) fn silent_of_zero(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    let modes = cx.state.vars.sql_mode;
    if e.is_call("last_day") {
        cx.state.vars.sql_mode &= !(mode::NO_ZERO_DATE | mode::NO_ZERO_IN_DATE);
    }
    let value = e.eval(cx);
    cx.state.vars.sql_mode = modes;
    value
}

fn time_diff(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let modes = cx.state.vars.sql_mode;
    let mut side = |e: &Expr| -> Result<_, SqlError> {
        // What makes a date of something takes days that are in no month here.
        let lax =
            e.ty.class() == Class::Temporal && !e.is_call("date_add") && !matches!(e.kind, Kind::Column(_));
        if lax {
            cx.state.vars.sql_mode |= mode::ALLOW_INVALID_DATES;
        }
        let found = match e.is_call("last_day") {
            true => {
                let last =
                    silent_of_zero(cx, e).map(|value| Expr { kind: Kind::Const(value), ty: e.ty.clone() });
                last.and_then(|last| moment(cx, &last, false))
            }
            false => moment(cx, e, false),
        };
        cx.state.vars.sql_mode = modes;
        Ok(found?.filter(|found| !matches!(found, Moment::Date(at, _) if refuses_extreme(cx, e, *at))))
    };
    let Some(left) = side(&args[0])? else { return Ok(Value::Null) };
    let Some(right) = side(&args[1])? else { return Ok(Value::Null) };
    let difference = match (left, right) {
        (Moment::Date(a, of), Moment::Date(b, other)) if of == other => a.to_micros() - b.to_micros(),
        (Moment::Time(a), Moment::Time(b)) => a.as_micros() - b.as_micros(),
        _ => return Ok(Value::Null),
    };
    // MariaDB counts the seconds between two dates in 32 bits.
    let most = i64::from(i32::MAX) * MICROS;
    let difference = match difference.abs() > most {
        true => difference.signum() * (most + difference.abs() % MICROS),
        false => difference,
    };
    Ok(Value::Time(clipped(difference, 6, cx).truncate(ty.decimals), ty.decimals))
}

/// A duration within the range of a TIME of so many digits; its end and a warning beyond it.
fn clipped(micros: i64, digits: u8, cx: &mut Cx<'_>) -> Time {
    let most = Time::saturating(i64::MAX).0.truncate(digits.min(6)).as_micros();
    let time = Time::saturating(micros.clamp(-most, most)).0;
    if micros.abs() > most {
        let (size, sign) = (micros.unsigned_abs(), if micros < 0 { "-" } else { "" });
        let (seconds, fraction) = (size / MICROS as u64, size % MICROS as u64);
        let mut shown = format!("{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
        if fraction > 0 {
            shown += &format!(".{fraction:06}");
        }
        cx.state.warn(Level::Warning, 1292, format!("Truncated incorrect time value: '{shown}'"));
    }
    time
}

fn make_time_type(args: &[Expr], _: &mut State) -> Result<Type, SqlError> {
    Ok(time_of_seconds(&args[2].ty))
}

/// A TIME with as many fractional digits as a number of seconds has.
fn time_of_seconds(seconds: &Type) -> Type {
    let digits = if seconds.labels.is_some() { 0 } else { seconds.decimals.min(6) };
    temporal(TypeKind::Time, 10, digits)
}

/// A number of seconds, read as an integer where its type has no fraction.
fn seconds_of(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Value>, SqlError> {
    // What is a double reads texts as such.
    let class = if e.ty.class() == Class::Real { Class::Real } else { Class::Decimal };
    let value = operand::numeric_as(cx, e, class)?;
    Ok(match &value {
        Value::Null => None,
        Value::Str(_) | Value::Decimal(_) if e.ty.decimals == 0 => {
            let n = operand::integer_of(&value, cx.state);
            Some(Value::Int(n.clamp(i64::MIN.into(), i64::MAX.into()) as i64))
        }
        Value::Str(_) => Some(Value::Decimal(operand::decimal_of(&value, cx.state))),
        Value::Enum(_) | Value::Set(_) => Some(Value::Int(to_integer(&value).value as i64)),
        Value::Bit(_) => Some(store::integer_value(&value)),
        Value::Float(n) => Some(Value::Double(f64::from(*n))),
        _ if value.is_temporal() => Some(Value::Decimal(to_decimal(&value).value)),
        _ => Some(value),
    })
}

/// Warning 1292 of too many seconds; those that 64 bits hold are shown in full, a fraction with six digits, where the number
/// has to have some (`fixed`).
pub(super) fn refuse_seconds(what: &str, seconds: &Value, fixed: bool, cx: &mut Cx<'_>) {
    let shown = match (seconds, number_parts(seconds)) {
        (Value::Double(n), (Some(_), _)) if fixed && n.fract() == 0.0 => format!("{n:.0}"),
        (Value::Double(n), (Some(_), _)) if fixed => {
            let cut = (n.fract().abs() * 1e6) as u32;
            format!("{}{:.0}.{cut:06}", if *n < 0.0 { "-" } else { "" }, n.abs().trunc())
        }
        (Value::Decimal(_), (Some(whole), micros)) if fixed => {
            let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
            format!("{whole}{fraction}")
        }
        _ => compare::shown(seconds),
    };
    cx.state.warn(Level::Warning, 1292, format!("Truncated incorrect {what} value: '{shown}'"));
}

/// Whether seconds are below zero, though it be by less than a microsecond.
fn is_below_zero(seconds: &Value) -> bool {
    match seconds {
        Value::Double(n) => *n < 0.0,
        Value::Decimal(d) => d.is_negative() && !d.is_zero(),
        _ => false,
    }
}

/// Whether a number of seconds has all six digits behind its point, or none: that of a moment, however it is written.
fn has_micros(e: &Expr) -> bool {
    match &e.kind {
        Kind::Const(_) if let Named::Computed(of) = &e.ty.origin => has_micros(of),
        Kind::Call(call) => {
            e.ty.class() == Class::Temporal || matches!(call.name, "unix_timestamp" | "date_add" | "date_sub")
        }
        _ => e.ty.class() == Class::Temporal,
    }
}

fn make_time(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let (hour, minute) = (int_arg(cx, &args[0])?, int_arg(cx, &args[1])?);
    let seconds = seconds_of(cx, &args[2])?;
    let Some(seconds) = seconds else { return Ok(Value::Null) };
    let second = micros_of(&seconds, Rounding::Truncate);
    if second.abs() >= 60 * MICROS {
        refuse_seconds("seconds", &seconds, has_micros(&args[2]), cx);
    }
    let (Some(hour), Some(minute)) = (hour, minute) else { return Ok(Value::Null) };
    if !(0..60).contains(&minute) || !(0..60 * MICROS).contains(&second) || is_below_zero(&seconds) {
        return Ok(Value::Null);
    }
    let sign = if hour < 0 { -1 } else { 1 };
    if hour.unsigned_abs() > 838 {
        let shown = format!("{hour:02}:{minute:02}:{:02}", second / MICROS);
        let fraction = second % MICROS;
        let shown = if fraction > 0 { format!("{shown}.{fraction:06}") } else { shown };
        cx.state.warn(Level::Warning, 1292, format!("Truncated incorrect time value: '{shown}'"));
        let most = Time::saturating(sign * i64::MAX / 2).0;
        return Ok(Value::Time(most.truncate(ty.decimals), ty.decimals));
    }
    let second = micros_of(&seconds, rounding_of(cx));
    let total = (hour.unsigned_abs() as i64 * 3600 + minute as i64 * 60) * MICROS + second;
    let time = clipped(sign * total, 6, cx);
    Ok(Value::Time(time.truncate(ty.decimals), ty.decimals))
}

/// What becomes of digits behind the microseconds.
fn rounding_of(cx: &Cx<'_>) -> Rounding {
    match cx.state.vars.has_mode(mode::TIME_ROUND_FRACTIONAL) {
        true => Rounding::HalfUp,
        false => Rounding::Truncate,
    }
}

/// A number of seconds in microseconds, cut, or rounded where the mode has it so; clipped where 64 bits do not do. A
/// double's fraction is its own, not its text's.
fn micros_of(seconds: &Value, rounding: Rounding) -> i64 {
    if let Value::Double(_) | Value::Float(_) = seconds {
        let n = types::convert::to_double(seconds).value.clamp(-1e12, 1e12);
        let fraction = (n - n.trunc()) * MICROS as f64;
        let fraction = if rounding == Rounding::Truncate { fraction } else { fraction.round() };
        return n.trunc() as i64 * MICROS + fraction as i64;
    }
    let micros = to_decimal(seconds).value.mul(&Decimal::new(MICROS.into(), 0));
    let whole = micros.map(|d| d.round(0, rounding).to_i64_saturating());
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
    let Some(seconds) = seconds_of(cx, &args[0])? else { return Ok(Value::Null) };
    let micros = micros_of(&seconds, rounding_of(cx));
    let (time, beyond) = Time::saturating(micros);
    if beyond {
        // A fraction is shown as it was read, with the digits that the time has.
        let read = match seconds {
            Value::Double(n) if n.fract() != 0.0 && n.abs() < 1e12 => {
                let digits = i32::from(ty.decimals.min(6));
                Value::Decimal(Decimal::new(micros.into(), 6).round(digits, Rounding::Truncate))
            }
            Value::Decimal(d) if d.scale() > 6 => Value::Decimal(d.round(6, rounding_of(cx))),
            other => other,
        };
        refuse_seconds("seconds", &read, true, cx);
    }
    Ok(Value::Time(time.truncate(ty.decimals), ty.decimals))
}

fn time_to_sec_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(seconds_type(foreknown::fraction_digits(&args[0], false, state)))
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
    Ok(operand::time(cx, &args[0], false)?.map_or(Value::Null, |time| match ty.decimals {
        0 => Value::Int(time.as_micros() / MICROS),
        _ => seconds_value(time.as_micros(), ty),
    }))
}

/// Months of a period YYYYMM or YYMM; none of them for what is no period.
fn months_of(period: i128) -> i64 {
    let Some(period) = i64::try_from(period).ok().filter(|period| (1..=999_912).contains(period)) else {
        return 0;
    };
    full_year(period / 100) * 12 + period % 100 - 1
}

/// Years of two digits lie between 1970 and 2069.
fn full_year(year: i64) -> i64 {
    match year {
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        other => other,
    }
}

fn period(cx: &mut Cx<'_>, args: &[Expr], add: bool) -> Result<Value, SqlError> {
    let (Some(first), Some(second)) = (int_arg(cx, &args[0])?, int_arg(cx, &args[1])?) else {
        return Ok(Value::Null);
    };
    if !add {
        return Ok(Value::Int(months_of(first) - months_of(second)));
    }
    if first == 0 {
        return Ok(Value::Int(0));
    }
    // MariaDB reckons in 32 bits without a sign.
    let months = i64::from((months_of(first) as u32).wrapping_add(second as u32));
    Ok(Value::Int(match months {
        0 => 0,
        months => full_year(months.div_euclid(12)) * 100 + months.rem_euclid(12) + 1,
    }))
}

fn convert_tz_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    Ok(temporal(TypeKind::DateTime, 19, foreknown::fraction_digits(&args[0], true, state)))
}

fn convert_tz(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let moved = moved_between(cx, args)?;
    Ok(moved.map_or(Value::Null, |at| Value::DateTime(at.truncate(ty.decimals), ty.decimals)))
}

/// The time that CONVERT_TZ tells, which is one to everybody.
pub(in crate::expr) fn moved_between(
    cx: &mut Cx<'_>,
    args: &[Expr],
) -> Result<Option<types::DateTime>, SqlError> {
    let mut zone = |e: &Expr| -> Result<Option<TimeZone>, SqlError> {
        Ok(TimeZone::parse(&compare::shown(&e.eval(cx)?)))
    };
    let (Some(from), Some(to)) = (zone(&args[1])?, zone(&args[2])?) else { return Ok(None) };
    let Some(dated) = operand::datetime(cx, &args[0], Dates::Whole)? else { return Ok(None) };
    // A day that its month has not (ALLOW_INVALID_DATES) is so many days into the next one.
    let day = dated.at.date.to_days();
    let at = types::DateTime {
        date: if day > 0 { types::Date::from_days(day) } else { dated.at.date },
        ..dated.at
    };
    Ok(Some(match from.to_unix(at) {
        // What a TIMESTAMP cannot hold stays as it is: the first second of all is the zero date's.
        Some((secs, _)) if (1..=i64::from(Timestamp::MAX_SECS)).contains(&secs) => {
            to.local_of_unix(secs, at.micros)
        }
        _ => at,
    }))
}

fn from_unixtime_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    if let Some(format) = args.get(1) {
        return super::date::format_type_of(format, state);
    }
    // Text and doubles show a fraction where there is one.
    let digits = if args[0].ty.labels.is_some() { 0 } else { args[0].ty.decimals };
    let ty = temporal(TypeKind::DateTime, 19, digits.min(6));
    let as_written = digits >= 31 && !matches!(args[0].ty.kind, TypeKind::Decimal);
    Ok(if as_written { Type { decimals: 39, length: 26, ..ty } } else { ty })
}

fn from_unixtime(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(seconds) = seconds_of(cx, &args[0])? else { return Ok(Value::Null) };
    let micros = micros_of(&seconds, rounding_of(cx));
    if (micros / MICROS).abs() > i64::from(Timestamp::MAX_SECS) {
        refuse_seconds("unixtime", &seconds, has_micros(&args[0]), cx);
        return Ok(Value::Null);
    }
    if micros < 0 || is_below_zero(&seconds) {
        return Ok(Value::Null);
    }
    let at = cx.state.vars.time_zone.local_of_unix(micros / MICROS, (micros % MICROS) as u32);
    match args.get(1) {
        Some(format) => super::date::formatted(cx, at, format, ty),
        None => {
            let digits = fraction_shown(at.micros, ty);
            Ok(Value::DateTime(at.truncate(digits), digits))
        }
    }
}
