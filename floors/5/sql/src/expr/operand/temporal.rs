//! Operands as dates and times.
//!
//! What is no date is nothing ("Incorrect datetime value"); in comparisons it counts as the zero date ("Truncated
//! incorrect ..."). A column is named in warnings, with the row read.

use super::integer;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build::silently;
use crate::expr::func::{calendar, control, parse_date};
use crate::expr::{Class, Expr, Kind, Type, TypeKind, compare};
use crate::session::{Level, State};
use std::cmp::Ordering;
use types::convert::{ConvertContext, days_as_hours, to_datetime, to_time};
use types::temporal::looks_like_datetime;
use types::{DateMode, DateTime, Time, Value};

/// Which dates an operand may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dates {
    /// Any that a calendar has, with zero parts too.
    Parts,
    /// As `sql_mode` has it.
    Session,
    /// '0000-00-00', but no other with a zero part.
    ZeroOrWhole,
    /// Those with a month and a day.
    Whole,
    /// Those of `ZeroOrWhole` and of `sql_mode` alike.
    SessionZeroOrWhole,
    /// Those of `Whole` and of `sql_mode` alike.
    SessionWhole,
    /// Days beyond their month's end too; what is no date counts as zero.
    Compared,
    /// Of `Compared` those that `sql_mode` has.
    SessionCompared,
    /// As `Compared`; what is no date is said to be none at all.
    Matched,
    /// Days beyond their month's end too, for who sorts by them.
    Ordered,
    /// Of `Ordered` those that `sql_mode` has.
    SessionOrdered,
}

impl Dates {
    fn mode(self, state: &State) -> DateMode {
        let mode = |no_zero_date, no_zero_in_date, allow_invalid| DateMode {
            no_zero_date,
            no_zero_in_date,
            allow_invalid,
        };
        match self {
            Dates::Parts => mode(false, false, false),
            Dates::Session => state.date_mode(),
            Dates::ZeroOrWhole => mode(false, true, false),
            Dates::Whole => mode(true, true, false),
            Dates::SessionZeroOrWhole => DateMode { no_zero_in_date: true, ..state.date_mode() },
            Dates::SessionWhole => {
                DateMode { no_zero_date: true, no_zero_in_date: true, ..state.date_mode() }
            }
            Dates::Compared | Dates::Matched | Dates::Ordered => mode(false, false, true),
            Dates::SessionCompared | Dates::SessionOrdered => {
                DateMode { allow_invalid: true, ..state.date_mode() }
            }
        }
    }

    /// Whether what is no date counts as zero.
    fn is_compared(self) -> bool {
        matches!(self, Dates::Compared | Dates::SessionCompared | Dates::Matched)
    }

    /// Those that the session's mode knows of these.
    fn of_session(self) -> Dates {
        match self {
            Dates::Parts | Dates::Session => Dates::Session,
            Dates::ZeroOrWhole | Dates::SessionZeroOrWhole => Dates::SessionZeroOrWhole,
            Dates::Whole | Dates::SessionWhole => Dates::SessionWhole,
            Dates::Ordered => Dates::SessionOrdered,
            compared => compared,
        }
    }
}

/// A date that an operand gave.
#[derive(Clone, Copy, Debug)]
pub struct Dated {
    /// The date and time.
    pub at: DateTime,
    /// A time of day was given.
    pub has_time: bool,
}

/// An operand as a date; `None` for NULL and for what is none.
pub fn datetime(cx: &mut Cx<'_>, e: &Expr, dates: Dates) -> Result<Option<Dated>, SqlError> {
    if let Some(value @ (Value::Date(_) | Value::DateTime(..))) = e.peek(cx) {
        let value = value.clone();
        return Ok(date_of(&value, Some(e), dates, cx.state));
    }
    if matches!(e.ty.kind, TypeKind::Fixed(_)) {
        let today = cx.state.vars.time_zone.to_local(cx.state.statement.now).date;
        return Ok(address_as_time(cx, e)?.map(|_| Dated { at: today.at_midnight(), has_time: true }));
    }
    if let Some(days) = days_counted(e) {
        return from_days(cx, days, dates);
    }
    if let Kind::Call(call) = &e.kind
        && !dates.is_compared()
    {
        match call.name {
            "str_to_date" => return read_date(cx, e, &call.args, dates),
            // It is no date to who wants months and days.
            "timediff" if dates.mode(cx.state).no_zero_in_date => return Ok(None),
            _ => {}
        }
    }
    if !dates.is_compared()
        && let Some(dated) = handed_on(cx, e, dates)?
    {
        return Ok(dated);
    }
    let value = match dates.is_compared() {
        true => comparable(cx, e)?,
        false => e.eval_exactly(cx)?,
    };
    Ok(match value.is_null() {
        true => None,
        false => date_of(&value, Some(e), dates, cx.state),
    })
}

/// An address is the time of no hours to who asks for dates; one that is computed is not even computed for that.
fn address_as_time(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Time>, SqlError> {
    let known = matches!(e.kind, Kind::Call(_) | Kind::Const(_)) || !e.eval(cx)?.is_null();
    Ok(known.then(Time::default))
}

/// What FROM_DAYS counts from, if that is what an expression is.
fn days_counted(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        Kind::Call(call) if call.name == "from_days" => call.args.first(),
        _ => None,
    }
}

/// Whether no mode is asked for what it gives: FROM_DAYS, what chooses it, and CONVERT_TZ of what it was given.
fn is_date_to_everybody(e: &Expr) -> bool {
    let moved = matches!(&e.kind, Kind::Call(call) if call.name == "convert_tz");
    moved || days_counted(e).is_some() || e.chooses_date() && counts_days(e)
}

/// Whether FROM_DAYS is somewhere in it.
fn counts_days(e: &Expr) -> bool {
    let mut counts = false;
    e.visit(&mut |e| counts |= days_counted(e).is_some());
    counts
}

/// Whether a zero date is what FROM_DAYS gave to what chooses, so that no mode refuses it.
pub fn is_let_in(cx: &mut Cx<'_>, e: &Expr, value: &Value) -> Result<bool, SqlError> {
    let zero = match value {
        Value::Date(date) => date.is_zero(),
        Value::DateTime(at, _) => at.date.is_zero(),
        _ => false,
    };
    Ok(zero && counts_days(e) && datetime(cx, e, Dates::SessionOrdered)?.is_some())
}

/// FROM_DAYS as an operand: the zero date that it gives for the days before the calendar is one to everybody.
fn from_days(cx: &mut Cx<'_>, days: &Expr, dates: Dates) -> Result<Option<Dated>, SqlError> {
    let Some(days) = integer(cx, days)? else { return Ok(None) };
    if days == 0 && dates.mode(cx.state).no_zero_date {
        return Ok(None);
    }
    let date = types::Date::from_days(i64::try_from(days).unwrap_or(-1));
    Ok(Some(Dated { at: date.at_midnight(), has_time: false }))
}

/// STR_TO_DATE as an operand: what is no date to its user, or to the session, is none to it.
fn read_date(cx: &mut Cx<'_>, e: &Expr, of: &[Expr], dates: Dates) -> Result<Option<Dated>, SqlError> {
    let (mode, own) = (dates.mode(cx.state), cx.state.date_mode());
    let mode = DateMode {
        no_zero_date: mode.no_zero_date || own.no_zero_date,
        no_zero_in_date: mode.no_zero_in_date || own.no_zero_in_date,
        ..mode
    };
    Ok(match parse_date::read(cx, of, &e.ty, mode)? {
        Value::Null => None,
        Value::Date(date) => Some(Dated { at: date.at_midnight(), has_time: false }),
        Value::DateTime(at, _) => Some(Dated { at, has_time: true }),
        other => date_of(&other, Some(e), dates, cx.state),
    })
}

/// Whether a function asks its operands for the dates that its user knows.
pub fn hands_on_dates(name: &str) -> bool {
    super::exact::chooses(name)
        || matches!(name, "cast_as_date" | "cast_as_datetime" | "date" | "timestamp" | "last_day")
}

/// What an operand gives that asks its own operands for the dates that its user knows; nothing for any other.
fn handed_on(cx: &mut Cx<'_>, e: &Expr, dates: Dates) -> Result<Option<Option<Dated>>, SqlError> {
    if e.ty.class() != Class::Temporal || e.ty.kind == TypeKind::Time {
        return Ok(None);
    }
    let call = match &e.kind {
        Kind::Call(call) => call,
        Kind::Case { operand, branches, otherwise } => {
            let chosen = crate::expr::eval::choose_branch(operand.as_deref(), branches, cx)?;
            let dated = chosen.or(otherwise.as_deref()).map_or(Ok(None), |e| datetime(cx, e, dates));
            return dated.map(Some);
        }
        _ => return Ok(None),
    };
    let dated = match (call.name, &call.args[..]) {
        ("cast_as_date" | "date", [operand]) => datetime(cx, operand, dates.of_session())?
            .map(|dated| Dated { at: dated.at.date.at_midnight(), has_time: false }),
        ("cast_as_datetime" | "timestamp", [operand]) => datetime(cx, operand, dates.of_session())?
            .and_then(|dated| of_digits(dated.at, e.ty.decimals, cx))
            .map(|at| Dated { at, has_time: true }),
        ("convert_tz", list) => calendar::moved_between(cx, list)?
            .map(|at| Dated { at: at.truncate(e.ty.decimals), has_time: true }),
        ("last_day", [operand]) => datetime(cx, operand, dates)?
            .and_then(|dated| dated.at.date.last_day())
            .map(|day| Dated { at: day.at_midnight(), has_time: false }),
        ("if", list) => {
            let chosen = control::chosen_by_if(cx, list)?;
            datetime(cx, chosen, dates)?
        }
        ("nvl2", [tested, then, otherwise]) => {
            let chosen = if tested.eval(cx)?.is_null() { otherwise } else { then };
            datetime(cx, chosen, dates)?
        }
        ("nullif", [value, other]) => match control::differs(cx, value, other)? {
            true => datetime(cx, value, dates)?,
            false => None,
        },
        ("coalesce" | "ifnull" | "nvl", list) => {
            let mut found = None;
            for e in list {
                found = datetime(cx, e, dates)?;
                if found.is_some() {
                    break;
                }
            }
            found
        }
        ("greatest" | "least", list) => {
            let wanted = if call.name == "least" { Ordering::Less } else { Ordering::Greater };
            let mode = dates.mode(cx.state);
            match control::extreme_known(cx, list, &e.ty, wanted, mode)? {
                Value::Date(date) => Some(Dated { at: date.at_midnight(), has_time: false }),
                Value::DateTime(at, _) => Some(Dated { at, has_time: true }),
                _ => None,
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(dated))
}

/// What rows of a table are sorted by: a date that is computed may lie beyond its month's end.
pub fn ordered(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    if !matches!(e.ty.kind, TypeKind::Date | TypeKind::DateTime) || matches!(e.kind, Kind::Column(_)) {
        return e.eval(cx);
    }
    Ok(match datetime(cx, e, Dates::Ordered)? {
        None => Value::Null,
        Some(dated) if e.ty.kind == TypeKind::Date => Value::Date(dated.at.date),
        Some(dated) => Value::DateTime(dated.at, e.ty.decimals.min(6)),
    })
}

/// A date as an operand, where the session's mode has no say: GREATEST, LEAST and whatever chooses among dates give
/// those that they find.
pub fn unchecked(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    if let Some(value @ (Value::Date(_) | Value::DateTime(..))) = e.peek(cx) {
        return Ok(value.clone());
    }
    let dated = match days_counted(e) {
        Some(days) => Some(from_days(cx, days, Dates::Parts)?),
        None => handed_on(cx, e, Dates::Parts)?,
    };
    Ok(match dated {
        None => e.eval_exactly(cx)?,
        Some(None) => Value::Null,
        Some(Some(dated)) if dated.has_time => Value::DateTime(dated.at, e.ty.decimals.min(6)),
        Some(Some(dated)) => Value::Date(dated.at.date),
    })
}

/// What chooses among dates, as [`unchecked`], in its own type.
pub fn found(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    Ok(dated_as(unchecked(cx, e)?, &e.ty))
}

/// A date that was found in the type of what chose it; anything else as it is.
pub fn dated_as(value: Value, ty: &Type) -> Value {
    let digits = ty.decimals.min(6);
    match (value, ty.kind) {
        (Value::DateTime(at, _), TypeKind::Date) => Value::Date(at.date),
        (Value::DateTime(at, _), TypeKind::DateTime | TypeKind::Timestamp) => Value::DateTime(at, digits),
        (Value::Date(date), TypeKind::DateTime | TypeKind::Timestamp) => {
            Value::DateTime(date.at_midnight(), digits)
        }
        (value, _) => value,
    }
}

/// Whether it is a date that the session's mode does not know, have its month the day or not: that was let in.
pub fn is_refused(value: &Value, state: &State) -> bool {
    let mode = Dates::SessionCompared.mode(state);
    match value {
        Value::Date(date) => !date.at_midnight().is_valid(mode),
        Value::DateTime(at, _) => !at.is_valid(mode),
        _ => false,
    }
}

/// Whether it is a date that a subquery finds, which nobody looks at once more.
fn is_found_date(e: &Expr) -> bool {
    matches!(e.kind, Kind::Subquery(_)) && e.ty.class() == Class::Temporal
}

/// A value as a date.
pub fn date_of(value: &Value, of: Option<&Expr>, dates: Dates, state: &mut State) -> Option<Dated> {
    // A column's own date is NULL silently; of its days nothing is said any more, whatever the month has.
    let own = of.is_some_and(|e| matches!(e.kind, Kind::Column(_)) && e.ty.class() == Class::Temporal);
    let mode = match of {
        Some(e) if is_found_date(e) => DateMode { allow_invalid: true, ..DateMode::default() },
        _ => dates.mode(state),
    };
    let let_in = own || of.is_some_and(Expr::rounds_date);
    let mode = DateMode { allow_invalid: mode.allow_invalid || let_in, ..mode };
    let context = match value {
        // No more of the session matters to what is a date already.
        Value::Date(_) | Value::DateTime(..) => ConvertContext { mode, ..ConvertContext::default() },
        _ => ConvertContext { mode, ..state.convert_context() },
    };
    let value = &bytes_of_bits(value);
    let parsed = to_datetime(value, &context);
    let kind = if parsed.value.is_some() && !parsed.has_time { "date" } else { "datetime" };
    match parsed.value {
        None if own => {}
        None => complain(
            value,
            of,
            "datetime",
            !matches!(dates, Dates::Compared | Dates::SessionCompared),
            Level::Warning,
            state,
        ),
        Some(_) if parsed.truncated => complain(value, of, kind, false, Level::Warning, state),
        Some(_) if parsed.fraction_cut && cut_is_said(value, parsed.has_time) => {
            complain(value, of, kind, false, Level::Note, state)
        }
        Some(_) => {}
    }
    match parsed.value {
        None if dates.is_compared() => Some(Dated { at: DateTime::ZERO, has_time: false }),
        at => at.map(|at| Dated { at, has_time: parsed.has_time }),
    }
}

/// An operand as a time; `None` for NULL and, unless it is compared, for what is none.
pub fn time(cx: &mut Cx<'_>, e: &Expr, compared: bool) -> Result<Option<Time>, SqlError> {
    if matches!(e.ty.kind, TypeKind::Fixed(_)) {
        return address_as_time(cx, e);
    }
    if let Some(time) = time_of_no_day(cx, e)? {
        return Ok(Some(time));
    }
    let value = match compared {
        true => comparable(cx, e)?,
        false if days_counted(e).is_some() || e.chooses_date() => unchecked(cx, e)?,
        false => e.eval_exactly(cx)?,
    };
    Ok(match value.is_null() {
        true => None,
        false => time_of(&value, Some(e), compared, cx.state),
    })
}

/// An operand as a time; of what is a date, too, it must be one that the calendar has.
pub fn time_of_day(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Time>, SqlError> {
    if matches!(e.ty.kind, TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp) {
        return Ok(datetime(cx, e, Dates::Parts)?.map(|dated| dated.at.time()));
    }
    if e.ty.class() != Class::Temporal && !matches!(e.ty.kind, TypeKind::Fixed(_)) {
        let value = bytes_of_bits(&e.eval_exactly(cx)?).into_owned();
        let context = ConvertContext { mode: Dates::Parts.mode(cx.state), ..cx.state.convert_context() };
        let has_time = to_time(&value, &context).has_time;
        if has_time && is_dated(&value) && to_datetime(&value, &context).value.is_none() {
            complain(&value, Some(e), "time", true, Level::Warning, cx.state);
            return Ok(None);
        }
        return Ok(if value.is_null() { None } else { time_of(&value, Some(e), false, cx.state) });
    }
    time(cx, e, false)
}

/// Whether a text or number has a date before its time.
fn is_dated(value: &Value) -> bool {
    match value {
        Value::Str(s) => looks_like_datetime(s.plain_moment().trim_ascii_start()),
        Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_) | Value::Float(_) => {
            // As many digits as a date with a time has.
            (1e10..1e14).contains(&types::convert::to_double(value).value.abs())
        }
        _ => false,
    }
}

/// The time in a text of a day that its month does not have, as DATE(), TIMESTAMP(), LAST_DAY() and casts hand it on to who
/// asks for no day, and so does what chooses them.
fn time_of_no_day(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Time>, SqlError> {
    if e.chooses_date() && !e.rounds_date() {
        return time_of_chosen(cx, e);
    }
    let text = match &e.kind {
        Kind::Call(call)
            if matches!(call.name, "date" | "timestamp" | "cast_as_date" | "cast_as_datetime") =>
        {
            match &call.args[..] {
                [text] if text.ty.class() == Class::Str => text,
                _ => return Ok(None),
            }
        }
        Kind::Call(call) if call.name == "last_day" => &call.args[0],
        _ => return Ok(None),
    };
    let of_column;
    let text = match &text.kind {
        Kind::Column(_) if e.is_call("last_day") => {
            of_column = Expr { kind: Kind::Const(text.eval(cx)?), ty: text.ty.clone() };
            &of_column
        }
        _ if text.is_settled() => text,
        _ => return Ok(None),
    };
    let read = |state: &mut State| datetime(&mut Cx::new(state, &[]), text, Dates::SessionOrdered);
    let (dated, _) = silently(cx.state, read);
    let no_day =
        |dated: &Dated| !dated.at.is_valid(DateMode { allow_invalid: false, ..Dates::Parts.mode(cx.state) });
    let Some(dated) = dated?.filter(no_day) else { return Ok(None) };
    Ok(Some(match e.ty.kind {
        TypeKind::Date => Time::default(),
        _ => dated.at.time().truncate(e.ty.decimals),
    }))
}

/// As [`time_of_no_day`], of what chooses among dates. Nothing is asked for where none of them is of such a day.
fn time_of_chosen(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Time>, SqlError> {
    let mut found = Ok(None);
    e.children(&mut |e| {
        if matches!(found, Ok(None)) && !e.chooses_date() {
            found = time_of_no_day(cx, e);
        }
    });
    if found?.is_none() {
        return Ok(None);
    }
    let told = cx.state.diagnostics.told();
    let chosen = match &e.kind {
        Kind::Case { operand, branches, otherwise } => {
            crate::expr::eval::choose_branch(operand.as_deref(), branches, cx)?.or(otherwise.as_deref())
        }
        Kind::Call(call) => match (call.name, &call.args[..]) {
            ("if", list) => Some(control::chosen_by_if(cx, list)?),
            // What stands first is taken, whatever day it is of.
            ("coalesce" | "ifnull" | "nvl", [first, ..]) => Some(first),
            _ => None,
        },
        _ => None,
    };
    let time = match chosen {
        Some(chosen) if chosen.ty.class() == Class::Temporal => time_of_no_day(cx, chosen)?,
        _ => None,
    };
    if time.is_none() {
        // It is asked once more what is chosen, and said.
        cx.state.diagnostics.forget_since(told);
    }
    Ok(time)
}

/// A value as a time.
pub fn time_of(value: &Value, of: Option<&Expr>, compared: bool, state: &mut State) -> Option<Time> {
    let value = &bytes_of_bits(value);
    let context = state.convert_context();
    if compared && let Some(time) = days_as_hours(value, &context) {
        return Some(time);
    }
    let parsed = to_time(value, &context);
    let kind = match &**value {
        _ if parsed.value.is_none() => "time",
        _ if !parsed.has_time => "date",
        Value::Str(s) if looks_like_datetime(s.plain_moment().trim_ascii_start()) => "datetime",
        _ => "time",
    };
    match parsed.value {
        None => complain(value, of, "time", !compared, Level::Warning, state),
        Some(_) if parsed.truncated => complain(value, of, kind, false, Level::Warning, state),
        Some(_) if parsed.fraction_cut && cut_is_said(value, parsed.has_time) => {
            complain(value, of, kind, false, Level::Note, state)
        }
        Some(_) => {}
    }
    match parsed.value {
        None if compared => Some(Time::default()),
        time => time,
    }
}

/// Bits are no number where dates are asked for, but their bytes; a FLOAT is a double.
pub fn bytes_of_bits(value: &Value) -> std::borrow::Cow<'_, Value> {
    match value {
        Value::Float(n) => std::borrow::Cow::Owned(Value::Double(f64::from(*n))),
        Value::Bit(_) => {
            let bytes = compare::text_in(value, types::CollationId::BINARY).unwrap_or_default();
            std::borrow::Cow::Owned(Value::binary(&bytes))
        }
        other => std::borrow::Cow::Borrowed(other),
    }
}

/// Digits beyond microseconds are missed in text only, in numbers the whole fraction of a date.
fn cut_is_said(value: &Value, has_time: bool) -> bool {
    matches!(value, Value::Str(_)) || !has_time
}

/// Warning 1292 of what is no date or time, or not wholly one.
pub fn complain(
    value: &Value,
    of: Option<&Expr>,
    kind: &str,
    useless: bool,
    level: Level,
    state: &mut State,
) {
    let text = match value {
        Value::Year(year) if kind != "time" => (u32::from(*year) * 10_000).to_string(),
        // All digits of a fraction, or none.
        Value::DateTime(at, _) => compare::shown(&Value::DateTime(*at, if at.micros > 0 { 6 } else { 0 })),
        value => compare::bytes_text(value),
    };
    let column = of.filter(|e| matches!(e.kind, Kind::Column(_)) && e.ty.class() != Class::Temporal);
    let message = match column.and_then(|e| e.ty.origin.name()) {
        Some(name) => {
            format!(
                "Incorrect {kind} value: '{text}' for column {name} at row {}",
                state.statement.row.max(1)
            )
        }
        None if useless => format!("Incorrect {kind} value: '{text}'"),
        None => format!("Truncated incorrect {kind} value: '{text}'"),
    };
    state.warn(level, 1292, message);
}

/// An operand of a comparison of dates or times: conversions inside it count what is no date as zero, too.
pub fn comparable(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    let call = match &e.kind {
        Kind::Call(call) => call,
        Kind::Case { operand, branches, otherwise } if e.ty.class() == Class::Temporal => {
            let chosen = crate::expr::eval::choose_branch(operand.as_deref(), branches, cx)?;
            let Some(chosen) = chosen.or(otherwise.as_deref()) else { return Ok(Value::Null) };
            let value = comparable(cx, chosen)?;
            return Ok(chosen_as(value, &e.ty, cx));
        }
        _ => return e.eval_exactly(cx),
    };
    let chosen = match (call.name, &call.args[..]) {
        ("cast_as_date" | "cast_as_datetime" | "cast_as_time" | "date" | "timestamp" | "time", [operand]) => {
            return converted(cx, operand, &e.ty, true);
        }
        ("if", [condition, then, otherwise]) if e.ty.class() == Class::Temporal => {
            if condition.truth(cx)? == Some(true) { then } else { otherwise }
        }
        ("greatest" | "least", list) if e.ty.class() == Class::Temporal => {
            let wanted = if call.name == "least" { Ordering::Less } else { Ordering::Greater };
            return control::extreme(cx, list, &e.ty, wanted);
        }
        _ if e.chooses_date() => return found(cx, e),
        ("last_day", [operand]) => {
            let day = datetime(cx, operand, Dates::Compared)?.and_then(|dated| dated.at.date.last_day());
            return Ok(day.map_or(Value::Null, Value::Date));
        }
        ("from_days", [days]) => {
            let day = from_days(cx, days, Dates::Compared)?;
            return Ok(day.map_or(Value::Null, |dated| Value::Date(dated.at.date)));
        }
        _ => return e.eval_exactly(cx),
    };
    let value = comparable(cx, chosen)?;
    Ok(chosen_as(value, &e.ty, cx))
}

/// A chosen value in the type of what chooses: a date is what was found, whether the mode knows it or not.
fn chosen_as(value: Value, ty: &Type, cx: &mut Cx<'_>) -> Value {
    match (&value, ty.kind) {
        (Value::Date(_) | Value::DateTime(..), TypeKind::Date | TypeKind::DateTime | TypeKind::Timestamp) => {
            dated_as(value, ty)
        }
        _ => crate::expr::store::to_type(value, ty, cx.state),
    }
}

/// An operand in a type of dates or times: what CAST, DATE(), TIME() and TIMESTAMP() give.
pub fn converted(cx: &mut Cx<'_>, e: &Expr, ty: &Type, compared: bool) -> Result<Value, SqlError> {
    if ty.kind == TypeKind::Time {
        let time = time(cx, e, compared)?;
        let rounds = cx.state.convert_context().round_fractions;
        let cut = |time: Time| if rounds { time.round(ty.decimals) } else { time.truncate(ty.decimals) };
        return Ok(time.map_or(Value::Null, |time| Value::Time(cut(time), ty.decimals)));
    }
    // What was computed to be compared is zero already where it is no date of the session's.
    let computed = e.ty.class() == Class::Temporal && !matches!(e.kind, Kind::Column(_));
    let dates = match (compared, computed) {
        // To DATE() and its like the session's mode has its say of the day before the calendar.
        (true, true) if days_counted(e).is_none() => Dates::Compared,
        (true, _) => Dates::SessionCompared,
        (false, _) => Dates::Session,
    };
    let mode = cx.state.date_mode();
    if compared && picks_date(e) {
        // What is chosen is none of the session's where its mode says so, and nothing is said of it.
        let at = match comparable(cx, e)? {
            Value::Date(date) => date.at_midnight(),
            Value::DateTime(at, _) => at,
            _ => return Ok(Value::Null),
        };
        return Ok(match (at.is_valid(DateMode { allow_invalid: true, ..mode }), ty.kind) {
            (false, _) => Value::Null,
            (true, TypeKind::Date) => Value::Date(at.date),
            _ => of_digits(at, ty.decimals, cx).map_or(Value::Null, |at| Value::DateTime(at, ty.decimals)),
        });
    }
    let dated = datetime(cx, e, dates)?;
    // What a column holds was let in, and what is chosen is not looked at once more.
    let let_in = matches!(e.kind, Kind::Column(_)) || e.chooses_date();
    let mode = DateMode { allow_invalid: mode.allow_invalid || let_in, ..mode };
    let unasked = compared && computed || is_found_date(e) || is_date_to_everybody(e);
    let known = |dated: &Dated| e.ty.class() != Class::Temporal || unasked || dated.at.is_valid(mode);
    let Some(dated) = dated.filter(known) else { return Ok(Value::Null) };
    Ok(match ty.kind {
        TypeKind::Date => Value::Date(dated.at.date),
        _ => of_digits(dated.at, ty.decimals, cx).map_or(Value::Null, |at| Value::DateTime(at, ty.decimals)),
    })
}

/// Whether it is one of several dates, or none.
fn picks_date(e: &Expr) -> bool {
    let picks = match &e.kind {
        Kind::Call(call) => super::super::exact::chooses(call.name),
        _ => true,
    };
    picks && e.chooses_date()
}

/// A date with so many digits of a second: rounded where the mode says so.
fn of_digits(at: DateTime, digits: u8, cx: &Cx<'_>) -> Option<DateTime> {
    match cx.state.convert_context().round_fractions {
        true => at.round(digits),
        false => Some(at.truncate(digits)),
    }
}
