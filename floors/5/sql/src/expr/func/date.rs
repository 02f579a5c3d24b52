//! Dates and times.

use super::super::build::{boolean, call};
use super::super::operand::{self, Dates};
use super::super::{Class, Coercibility, Expr, Kind, Named, Type, TypeKind, compare, foreknown};
use super::Function;
use super::calendar::refuse_seconds;
use super::extract::number_parts;
use super::locale::Locale;
use super::string::{text_of_length, with_digits};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::convert::to_integer;
use types::temporal::{Interval, IntervalUnit};
use types::{Date, DateMode, DateTime, StrValue, Time, Value};

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

macro_rules! part {
    // `$counts`: never negative to MariaDB, so that its length has no place for a sign.
    ($name:literal, $length:expr, $counts:expr, $dates:expr, $f:expr) => {
        function!(
            $name,
            1,
            1,
            |_, _| Ok(Type { length: $length, written: $counts, ..boolean(true) }),
            |cx, args, _| { on_date(cx, &args[0], $dates, $f) }
        )
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
    part!("year", 4, true, Dates::Parts, |at| Value::Int(i64::from(at.date.year))),
    part!("month", 2, true, Dates::Parts, |at| Value::Int(i64::from(at.date.month))),
    part!("day", 2, true, Dates::Parts, |at| Value::Int(i64::from(at.date.day))),
    part!("dayofmonth", 2, true, Dates::Parts, |at| Value::Int(i64::from(at.date.day))),
    part!("quarter", 1, true, Dates::Parts, |at| Value::Int(i64::from(at.date.quarter()))),
    part!("dayofyear", 3, true, Dates::Whole, |at| Value::Int(i64::from(at.date.day_of_year()))),
    part!("weekday", 1, false, Dates::Whole, |at| Value::Int(i64::from(at.date.weekday()))),
    part!("dayofweek", 1, false, Dates::Whole, |at| Value::Int((i64::from(at.date.weekday()) + 1) % 7 + 1)),
    part!("to_days", 6, true, Dates::Whole, |at| Value::Int(at.date.to_days())),
    function!("date", 1, 1, |_, _| Ok(temporal(TypeKind::Date, 10, 0)), |cx, args, ty| {
        operand::converted(cx, &args[0], ty, false)
    }),
    function!("hour", 1, 1, |_, _| Ok(Type { length: 2, written: true, ..boolean(true) }), |cx, args, _| {
        on_time(cx, &args[0], |time| Value::Int(i64::from(time.hours())))
    }),
    function!(
        "minute",
        1,
        1,
        |_, _| Ok(Type { length: 2, written: true, ..boolean(true) }),
        |cx, args, _| { on_time(cx, &args[0], |time| Value::Int(i64::from(time.minutes()))) }
    ),
    function!(
        "second",
        1,
        1,
        |_, _| Ok(Type { length: 2, written: true, ..boolean(true) }),
        |cx, args, _| { on_time(cx, &args[0], |time| Value::Int(i64::from(time.seconds()))) }
    ),
    function!("datediff", 2, 2, |_, _| Ok(Type { length: 8, ..boolean(true) }), datediff),
    function!("last_day", 1, 1, |_, _| Ok(temporal(TypeKind::Date, 10, 0)), |cx, args, _| {
        on_date(cx, &args[0], Dates::Session, |at| at.date.last_day().map_or(Value::Null, Value::Date))
    }),
    function!("date_format", 2, 3, format_type, date_format),
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
    super::locale::foresee(args.get(2), state);
    format_type_of(&args[1], state)
}

/// The type of a date under a format: the longest that a constant format can give.
pub(super) fn format_type_of(format: &Expr, state: &mut State) -> Result<Type, SqlError> {
    let written = format.is_const() && !matches!(format.ty.origin, Named::Computed(_));
    let length = match written {
        // Bytes of the format count as characters.
        false => byte_length(&format.ty) * 10,
        true => match format.eval(&mut Cx::new(state, &[]))? {
            Value::Null => 0,
            value => format_length(&compare::shown(&value)),
        },
    };
    // It holds on to its collation as the format does.
    let strength = match format.ty.class() {
        Class::Str => format.ty.coercibility,
        _ => Coercibility::Coercible,
    };
    let length = if written { length.min(255) } else { length };
    let ty = text_of_length(length, state.vars.collation_connection, strength, true);
    Ok(Type { decimals: 0, ..ty })
}

/// Bytes of a text of a type.
fn byte_length(ty: &Type) -> u64 {
    let own = ty.class() == Class::Str && !matches!(ty.kind, TypeKind::Null | TypeKind::Fixed(_));
    let widest = if own { ty.collation.charset().max_char_bytes() as u64 } else { 1 };
    super::string::text_length(ty) * widest
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
        Some(e) => foreknown::fraction_digits(e, true, state),
    }))
}

fn unix_timestamp(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(e) = args.first() else { return Ok(Value::Int(i64::from(cx.state.statement.now.secs))) };
    let Some(dated) = operand::datetime(cx, e, Dates::ZeroOrWhole)? else { return Ok(Value::Null) };
    // The zero timestamp of a column is a time; what hands one on gives the zero date, which is none.
    if dated.at.date.is_zero() && e.ty.kind == TypeKind::Timestamp && matches!(e.kind, Kind::Column(_)) {
        return Ok(super::calendar::seconds_value(0, ty));
    }
    if !dated.at.date.is_zero() && !has_day(dated.at) {
        return Ok(Value::Null);
    }
    let unix = cx.state.vars.time_zone.to_unix(dated.at).map(|(secs, _)| secs);
    let held = unix.filter(|secs| (0..=i64::from(types::Timestamp::MAX_SECS)).contains(secs));
    Ok(held.map_or(Value::Null, |secs| {
        super::calendar::seconds_value(secs * types::temporal::MICROS + i64::from(dated.at.micros), ty)
    }))
}

pub(super) fn on_date(
    cx: &mut Cx<'_>,
    e: &Expr,
    dates: Dates,
    f: fn(DateTime) -> Value,
) -> Result<Value, SqlError> {
    Ok(operand::datetime(cx, e, dates)?.map_or(Value::Null, |dated| f(dated.at)))
}

pub(super) fn on_time(cx: &mut Cx<'_>, e: &Expr, f: fn(Time) -> Value) -> Result<Value, SqlError> {
    Ok(operand::time(cx, e, false)?.map_or(Value::Null, f))
}

/// Whether there is such a day: it has no zero part, and its month has it.
pub(super) fn has_day(at: DateTime) -> bool {
    !at.is_zero() && at.is_valid(DateMode { no_zero_in_date: true, ..DateMode::default() })
}

fn datediff(cx: &mut Cx<'_>, args: &[Expr], _: &Type) -> Result<Value, SqlError> {
    let first = operand::datetime(cx, &args[0], Dates::Whole)?;
    let second = operand::datetime(cx, &args[1], Dates::Whole)?;
    let days = first.zip(second).map(|(a, b)| a.at.date.to_days() - b.at.date.to_days());
    Ok(days.map_or(Value::Null, Value::Int))
}

fn date_format(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    // What is no locale is told of whatever the date is.
    let locale = super::locale::asked(cx, args.get(2))?.unwrap_or_else(|| super::locale::of(cx.state));
    let value = operand::unchecked(cx, &args[0])?;
    if let Value::Time(time, _) = value {
        return super::parse_date::time_formatted(cx, time, true, &args[1], ty);
    }
    if value.is_null() {
        return Ok(Value::Null);
    }
    // What has been computed as a date is one, whatever days its month has.
    let dates = if value.is_temporal() { Dates::Compared } else { Dates::Parts };
    let Some(dated) = operand::date_of(&value, Some(&args[0]), dates, cx.state) else {
        return Ok(Value::Null);
    };
    with_format(cx, &args[1], ty, |specifier| specify(dated.at, specifier, locale))
}

/// A date under a format; NULL where the format is NULL or empty, or asks for what the date lacks.
pub(super) fn formatted(cx: &mut Cx<'_>, at: DateTime, format: &Expr, ty: &Type) -> Result<Value, SqlError> {
    let locale = super::locale::of(cx.state);
    with_format(cx, format, ty, |specifier| specify(at, specifier, locale))
}

/// Text with each `%x` of a format replaced; NULL where one has nothing to show.
pub(super) fn with_format(
    cx: &mut Cx<'_>,
    format: &Expr,
    ty: &Type,
    mut specify: impl FnMut(u8) -> Option<String>,
) -> Result<Value, SqlError> {
    let charset = ty.collation.charset();
    let bytes = format.ty.class() == Class::Str && format.ty.collation == types::CollationId::BINARY;
    let read = if bytes { types::CollationId::BINARY } else { ty.collation };
    let Some(format) = super::string::text(cx, format, read)? else { return Ok(Value::Null) };
    if format.is_empty() {
        return Ok(Value::Null);
    }
    let format = match bytes && charset.is_unicode() {
        // Each is the character of its number.
        true => format.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes(),
        false => charset.to_plain(&format).into_owned(),
    };
    let mut out = Vec::with_capacity(format.len() * 2);
    let mut bytes = format.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, if byte == b'%' { bytes.next() } else { None }) {
            (_, Some(specifier)) => match specify(specifier) {
                Some(text) => out.extend_from_slice(&super::locale::plain(&text, charset)),
                None => return Ok(Value::Null),
            },
            (other, None) => out.push(other),
        }
    }
    Ok(Value::Str(StrValue::of_plain(out, ty.collation)))
}

/// Whether it is what LEAST or GREATEST gives of dates and the session's mode knows no such date, which is warned of.
pub(super) fn refuses_extreme(cx: &mut Cx<'_>, e: &Expr, at: DateTime) -> bool {
    let dates = matches!(e.ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp);
    if !dates || !["least", "greatest"].iter().any(|name| e.is_call(name)) {
        return false;
    }
    let (mode, date) = (cx.state.date_mode(), at.date);
    let refuses = match date.is_zero() {
        true => mode.no_zero_date,
        false => mode.no_zero_in_date && (date.month == 0 || date.day == 0),
    };
    if refuses {
        let shown = match e.ty.kind {
            TypeKind::Date => Value::Date(date),
            // All digits of a fraction, or none.
            _ => Value::DateTime(at, if at.micros > 0 { 6 } else { 0 }),
        };
        let message = format!("Incorrect datetime value: '{}'", compare::shown(&shown));
        cx.state.warn(Level::Warning, 1292, message);
    }
    refuses
}

/// One `%x` of DATE_FORMAT; nothing where the date lacks the part.
fn specify(at: DateTime, specifier: u8, locale: &Locale) -> Option<String> {
    let Date { year, month, day } = at.date;
    let hour12 = (at.hour + 11) % 12 + 1;
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
        b'M' => locale.month(month)?.to_owned(),
        b'b' => locale.short_month(month)?.to_owned(),
        b'W' | b'a' | b'w' if year == 0 && month == 0 => return None,
        b'W' => locale.day(at.date.weekday())?.to_owned(),
        b'a' => locale.short_day(at.date.weekday())?.to_owned(),
        b'w' => ((at.date.weekday() + 1) % 7).to_string(),
        b'j' if year == 0 || month == 0 => return None,
        b'j' => format!("{:03}", at.date.day_of_year()),
        b'U' => format!("{:02}", at.date.week(0).1),
        b'u' => format!("{:02}", at.date.week(1).1),
        b'V' => format!("{:02}", at.date.week(2).1),
        b'v' => format!("{:02}", at.date.week(3).1),
        b'X' => format!("{:04}", at.date.week(2).0 as u32),
        b'x' => format!("{:04}", at.date.week(3).0 as u32),
        other => char::from(other).to_string(),
    })
}

/// A unit travels to the evaluation as a constant argument.
pub(super) fn unit_constant(unit: IntervalUnit) -> Expr {
    super::super::build::constant(Value::text(unit.name()))
}

pub(super) fn unit_of(e: &Expr, cx: &mut Cx<'_>) -> Result<IntervalUnit, SqlError> {
    let unit = match e.peek(cx) {
        Some(Value::Str(name)) => std::str::from_utf8(&name.bytes).ok().and_then(IntervalUnit::by_name),
        _ => IntervalUnit::by_name(&compare::shown(&e.eval(cx)?)),
    };
    unit.ok_or_else(|| SqlError::internal_error("read interval unit"))
}

/// A date plus or minus an interval.
pub fn date_arith(
    date: Expr,
    amount: Expr,
    unit: IntervalUnit,
    subtract: bool,
    state: &mut State,
) -> Result<Expr, SqlError> {
    super::refused::check_interval(&date.ty)?;
    let of_amount = match unit {
        _ if unit.has_micros() => 6,
        IntervalUnit::Second if amount.ty.kind == TypeKind::Null => 0,
        IntervalUnit::Second if is_whole_text(&amount) => 0,
        IntervalUnit::Second if amount.ty.class() == Class::Str => 6,
        IntervalUnit::Second => foreknown::fraction_digits(&amount, true, state),
        _ => 0,
    };
    let decimals = match foreknown::fraction_digits(&date, true, state) {
        // MariaDB asks once more for what is the greater, and what is said of a constant is said again.
        of_date if of_date > of_amount => foreknown::fraction_digits(&date, true, state),
        _ => of_amount,
    };
    let ty = match (date.ty.kind, unit.is_date_only()) {
        (TypeKind::Date, true) => temporal(TypeKind::Date, 10, 0),
        (TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp, _) => {
            temporal(TypeKind::DateTime, 19, decimals)
        }
        (TypeKind::Time, false) => temporal(TypeKind::Time, 10, decimals),
        (TypeKind::Time, true) if unit == IntervalUnit::Day => temporal(TypeKind::Time, 10, decimals),
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

/// Whether an expression is text that is said to have no fraction: an integer to whoever counts seconds.
fn is_whole_text(e: &Expr) -> bool {
    e.ty.class() == Class::Str && e.ty.decimals == 0 && e.ty.kind != TypeKind::Null
}

/// So many units, read as MariaDB reads them: text for composite units, a decimal for seconds, else an integer.
fn interval_of(
    cx: &mut Cx<'_>,
    e: &Expr,
    unit: IntervalUnit,
    subtract: bool,
) -> Result<Option<Option<Interval>>, SqlError> {
    let interval = if unit.is_composite() {
        let value = with_digits(e.eval(cx)?, &e.ty);
        if value.is_null() {
            return Ok(None);
        }
        match Interval::parse(unit, compare::shown(&value).as_bytes()) {
            // More numbers than there are places for are no interval.
            None => return Ok(None),
            interval => interval,
        }
    } else if unit == IntervalUnit::Second && !is_whole_text(e) && has_fraction(&e.ty) {
        let seconds = match operand::numeric(cx, e)? {
            Value::Null => return Ok(None),
            Value::Float(n) => operand::decimal_of(&Value::Double(f64::from(n)), cx.state),
            value => operand::decimal_of(&value, cx.state),
        };
        if number_parts(&Value::Decimal(seconds)).0.is_none() {
            refuse_seconds("seconds", &Value::Decimal(seconds), true, cx);
            return Ok(None);
        }
        Some(Interval::seconds(&seconds))
    } else {
        let Some(n) = operand::integer(cx, e)? else { return Ok(None) };
        // What makes days or seconds of such a number tells that it is none.
        let reckoned = !matches!(unit, IntervalUnit::Microsecond | IntervalUnit::Month | IntervalUnit::Year);
        if reckoned && n > i128::from(i64::MAX) {
            return Ok(Some(None));
        }
        // Whatever the sign, 64 bits are taken for a signed number, and years for one of 32.
        let n = n as i64;
        Some(Interval::of(unit, if unit == IntervalUnit::Year { i64::from(n as i32) } else { n }))
    };
    let negated =
        |i: Interval| Some(Interval { months: i.months.checked_neg()?, micros: i.micros.checked_neg()? });
    Ok(Some(if subtract { interval.and_then(negated) } else { interval }))
}

/// Whether seconds of a type may have a fraction.
fn has_fraction(ty: &Type) -> bool {
    ty.class() != Class::Int && !(ty.class() == Class::Decimal && ty.decimals == 0)
}

/// A date of the calendar plus or minus so many units that a constant tells; none where that is no date.
fn moved_plainly(cx: &Cx<'_>, args: &[Expr], ty: &Type, unit: IntervalUnit, subtract: bool) -> Option<Value> {
    let of_calendar = DateMode { no_zero_date: true, no_zero_in_date: true, allow_invalid: false };
    let at = match args[0].peek(cx)? {
        Value::DateTime(at, _) => *at,
        Value::Date(date) => date.at_midnight(),
        _ => return None,
    };
    let Kind::Const(Value::Int(n)) = args[1].kind else { return None };
    if unit.is_composite() || !at.is_valid(of_calendar) {
        return None;
    }
    let n = i64::from(i32::try_from(n).ok()?);
    let moved = at.plus(Interval::of(unit, if subtract { -n } else { n }));
    let moved = moved.filter(|moved| counts_months(unit) || moved.date.year > 0)?;
    match ty.kind {
        TypeKind::Date => Some(Value::Date(moved.date)),
        TypeKind::DateTime | TypeKind::Timestamp => Some(Value::DateTime(moved, ty.decimals)),
        _ => None,
    }
}

fn add_interval(cx: &mut Cx<'_>, args: &[Expr], ty: &Type, subtract: bool) -> Result<Value, SqlError> {
    let unit = unit_of(&args[2], cx)?;
    let dayless = unit.is_date_only() && unit != IntervalUnit::Day;
    if dayless && args[0].ty.kind == TypeKind::Time {
        // Nothing is even read for that.
        return overflow("time", cx);
    }
    if let Some(moved) = moved_plainly(cx, args, ty, unit, subtract) {
        return Ok(moved);
    }
    let value = operand::unchecked(cx, &args[0])?;
    if value.is_null() {
        return Ok(Value::Null);
    }
    let is_text = ty.class() != Class::Temporal;
    // Weeks or months of a TIME: what comes out would be a date, but there is none.
    let is_clock = matches!(value, Value::Time(..)) && (is_text || ty.kind == TypeKind::DateTime);
    if ty.kind == TypeKind::Time || is_clock {
        let Some(time) = operand::time_of(&value, Some(&args[0]), false, cx.state) else {
            return Ok(Value::Null);
        };
        let Some(interval) = interval_of(cx, &args[1], unit, subtract)? else { return Ok(Value::Null) };
        return match interval.filter(|_| !dayless).and_then(|interval| time.plus(interval)) {
            None => overflow("time", cx),
            Some(time) => Ok(Value::Time(time, ty.decimals)),
        };
    }
    let Some(dated) = operand::date_of(&value, Some(&args[0]), Dates::Parts, cx.state) else {
        return Ok(Value::Null);
    };
    if !has_day(dated.at) {
        let whole = ty.kind == TypeKind::DateTime || is_text && dated.has_time;
        let shown = if whole {
            Value::DateTime(dated.at, if dated.at.micros > 0 { 6 } else { 0 })
        } else {
            Value::Date(dated.at.date)
        };
        let message = format!("Incorrect datetime value: '{}'", compare::shown(&shown));
        cx.state.warn(Level::Warning, 1292, message);
        return Ok(Value::Null);
    }
    let Some(interval) = interval_of(cx, &args[1], unit, subtract)? else { return Ok(Value::Null) };
    let moved = interval.and_then(|interval| dated.at.plus(interval));
    let Some(moved) = moved.filter(|moved| counts_months(unit) || moved.date.year > 0) else {
        return overflow("datetime", cx);
    };
    Ok(match ty.class() {
        Class::Temporal if ty.kind == TypeKind::Date => Value::Date(moved.date),
        Class::Temporal => Value::DateTime(moved, ty.decimals),
        _ if !dated.has_time && unit.is_date_only() => Value::Date(moved.date),
        _ => Value::DateTime(moved, ty.decimals),
    })
}

/// Whether months are counted; where days are there is none before the year 1.
fn counts_months(unit: IntervalUnit) -> bool {
    use IntervalUnit::{Month, Quarter, Year, YearMonth};
    matches!(unit, Month | Quarter | Year | YearMonth)
}

/// Fractional digits that a text of a type has: a fixed number, or six where there is a fraction.
pub(super) fn fraction_shown(micros: u32, ty: &Type) -> u8 {
    match ty.decimals {
        digits @ 0..=6 => digits,
        _ if micros == 0 => 0,
        _ => 6,
    }
}

fn overflow(kind: &str, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
    let warning = SqlError::datetime_function_overflow(kind);
    cx.state.warn(Level::Warning, warning.errno, warning.message);
    Ok(Value::Null)
}

/// `TIMESTAMPDIFF(unit, from, to)`.
pub fn timestamp_diff(of: IntervalUnit, from: Expr, to: Expr, state: &mut State) -> Result<Expr, SqlError> {
    for operand in [&from, &to] {
        super::refused::refuse(std::slice::from_ref(operand), "timestampdiff")?;
    }
    let ty = Type { kind: TypeKind::LongLong, length: 21, ..boolean(true) };
    let evaluate: super::Evaluate = |cx, args, _| {
        let unit = unit_of(&args[2], cx)?;
        let Some(from) = operand::datetime(cx, &args[0], Dates::Whole)? else { return Ok(Value::Null) };
        let to = operand::datetime(cx, &args[1], Dates::Whole)?;
        Ok(to.map_or(Value::Null, |to| Value::Int(from.at.difference(to.at, unit))))
    };
    call("timestampdiff", evaluate, vec![from, to, unit_constant(of)], ty, state)
}

/// `GET_FORMAT(kind, operand)`.
pub fn get_format(kind: &str, operand: Expr, state: &mut State) -> Result<Expr, SqlError> {
    let ty = text_of_length(17, state.vars.collation_connection, Coercibility::Coercible, true);
    let kind = super::super::build::constant(Value::text(kind));
    call("get_format", format_named, vec![operand, kind], Type { decimals: 0, ..ty }, state)
}

fn format_named(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(name) = super::string::text(cx, &args[0], types::CollationId::UTF8MB4_GENERAL_CI)? else {
        return Ok(Value::Null);
    };
    let kind = compare::shown(&args[1].eval(cx)?);
    let format = match (kind.as_str(), String::from_utf8_lossy(&name).to_uppercase().as_str()) {
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
        _ => return Ok(Value::Null),
    };
    Ok(super::string::ascii_text(format.as_bytes().to_vec(), ty))
}
