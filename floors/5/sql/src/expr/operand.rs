//! Operands in the kinds of value that operators and functions ask for, with the warnings that MariaDB raises on the way.
//!
//! Text that is no number counts as the number that it begins with and gives warning 1292 "Truncated incorrect DOUBLE
//! value" (or INTEGER, DECIMAL). What is no date is nothing ("Incorrect datetime value"); in comparisons it counts as the
//! zero date ("Truncated incorrect ..."). A column is named in warnings of dates and times, with the row read.

use super::func::{cast, control, documents, parse_date};
use super::{Class, Expr, Kind, Type, TypeKind, compare, exact};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State, mode};
use std::cmp::Ordering;
use types::convert::{
    ConvertContext, days_as_hours, to_datetime, to_decimal, to_double, to_integer, to_time,
};
use types::temporal::looks_like_datetime;
use types::{DateMode, DateTime, Decimal, StrValue, Time, Value};

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

/// An operand as arithmetic takes it: a number, or what becomes one.
pub fn numeric(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    numeric_as(cx, e, Class::Real)
}

/// As [`numeric`] for what goes on in a class of numbers: GREATEST and LEAST of texts compare them as such then.
pub fn numeric_as(cx: &mut Cx<'_>, e: &Expr, class: Class) -> Result<Value, SqlError> {
    if let Some(number) = e.number(cx) {
        return Ok(number?.into());
    }
    if e.chooses_date() {
        return found(cx, e);
    }
    let call = match &e.kind {
        // An address or UUID that is computed is zero as a number, and is not even computed for that.
        Kind::Call(_) | Kind::Const(_) if matches!(e.ty.kind, TypeKind::Fixed(_)) => {
            return Ok(Value::Int(0));
        }
        // Of what a document's string has behind its number only decimals say something.
        Kind::Call(_) if documents::is_extract(e) => {
            let found = documents::number_found(e, cx)?;
            return Ok(if class == Class::Decimal { found } else { begun_with(found, class) });
        }
        Kind::Call(call) => call,
        Kind::UserVar(_) => return number_of_variable(cx, e, class),
        Kind::Column(_) if cx.state.statement.hushed || (class != Class::Decimal && e.ty.is_joined()) => {
            return Ok(begun_with(e.eval_number(cx)?, class));
        }
        Kind::Column(_) if e.ty.is_joined() => {
            let value = e.eval_number(cx)?;
            // An object is no number at all, and nothing is said of it either.
            let object = matches!(&value, Value::Str(s) if s.plain().starts_with(b"{"));
            return Ok(if object { begun_with(value, class) } else { shown_joined(value, e) });
        }
        Kind::Const(_) if let Some(own) = cast::made_of_text(e) => {
            return Ok(cast::relabelled(e.eval_number(cx)?, own));
        }
        _ if class == Class::Int => {
            let value = e.eval_number(cx)?;
            return Ok(if to_integer(&value).garbage { value } else { unpadded(value, e, cx.state) });
        }
        _ => return e.eval_number(cx).map(|value| unpadded(value, e, cx.state)),
    };
    let of_text = match e.ty.class() {
        Class::Str => !matches!(e.ty.kind, TypeKind::Fixed(_)),
        Class::Real => class != Class::Real && call.args.iter().any(|e| e.ty.class() == Class::Str),
        _ => false,
    };
    if !of_text || !matches!(call.name, "greatest" | "least") {
        let value = e.eval_number(cx)?;
        // Warnings show its bytes as characters.
        return Ok(match cast::made_of_text(e) {
            Some(own) => cast::relabelled(value, own),
            None => value,
        });
    }
    let mut numbers = Vec::with_capacity(call.args.len());
    for e in &call.args {
        let number = match class {
            Class::Int => {
                integer(cx, e)?.map(|n| super::store::integer_value(&Value::Decimal(Decimal::new(n, 0))))
            }
            Class::Decimal => decimal(cx, e)?.map(Value::Decimal),
            _ => real(cx, e)?.map(Value::Double),
        };
        let Some(number) = number else { return Ok(Value::Null) };
        numbers.push(number);
    }
    let order = |a: &Value, b: &Value| match (a, b) {
        (Value::Double(a), Value::Double(b)) => a.total_cmp(b),
        _ => to_decimal(a).value.cmp_value(&to_decimal(b).value),
    };
    let best = match call.name {
        "greatest" => numbers.into_iter().max_by(order),
        _ => numbers.into_iter().min_by(order),
    };
    Ok(best.unwrap_or_default())
}

/// The number that a text begins with, with nothing said of the rest; any other value as it is.
pub fn begun_with(value: Value, class: Class) -> Value {
    match (value, class) {
        (text @ Value::Str(_), Class::Int) => {
            super::store::integer_value(&Value::Decimal(Decimal::new(to_integer(&text).value, 0)))
        }
        (text @ Value::Str(_), Class::Decimal) => Value::Decimal(to_decimal(&text).value),
        (text @ Value::Str(_), _) => Value::Double(to_double(&text).value),
        (other, _) => other,
    }
}

/// What an aggregate joined as warnings show it: a list of a document as its bytes.
pub fn shown_joined(value: Value, e: &Expr) -> Value {
    match value {
        Value::Str(s) if e.ty.json && e.ty.is_joined() => {
            Value::Str(StrValue { collation: types::CollationId::BINARY, ..s })
        }
        value => value,
    }
}

/// A user variable's number. Nothing is said of what its text has behind it, but decimals say it where there is none.
fn number_of_variable(cx: &mut Cx<'_>, e: &Expr, class: Class) -> Result<Value, SqlError> {
    let value = e.eval_exactly(cx)?;
    if let (Value::Str(s), Class::Decimal) = (&value, class) {
        let text = s.plain();
        let number = text.trim_ascii_start();
        let number = number.strip_prefix(b"-").or(number.strip_prefix(b"+")).unwrap_or(number);
        if !number.strip_prefix(b".").unwrap_or(number).first().is_some_and(u8::is_ascii_digit) {
            let warning = SqlError::bad_data("", "DECIMAL");
            cx.state.warn(Level::Warning, warning.errno, warning.message);
        }
    }
    Ok(begun_with(value, class))
}

/// A number in a CHAR column, without the spaces that PAD_CHAR_TO_FULL_LENGTH shows behind it: of those nothing is said.
pub fn unpadded(value: Value, e: &Expr, state: &State) -> Value {
    let Value::Str(s) = &value else { return value };
    let column = matches!(e.kind, Kind::Column(_)) && e.ty.kind == TypeKind::Char;
    if !column || !state.vars.has_mode(mode::PAD_CHAR_TO_FULL_LENGTH) || to_double(&value).garbage {
        return value;
    }
    Value::Str(StrValue::new(s.collation.charset().trim_spaces(&s.bytes), s.collation))
}

/// An operand as a double; `None` for NULL.
#[inline]
pub fn real(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<f64>, SqlError> {
    if let Some(number) = e.number(cx) {
        return Ok(number?.real());
    }
    if let Some(mean) = e.real_mean() {
        let mean = mean.eval(cx)?;
        return Ok((!mean.is_null()).then(|| to_double(&mean).value));
    }
    let value = numeric(cx, e)?;
    Ok((!value.is_null()).then(|| real_of(&value, cx.state)))
}

/// A value as a double.
pub fn real_of(value: &Value, state: &mut State) -> f64 {
    let number = to_double(value);
    compare::warn_leftover(state, "DOUBLE", value, &number);
    number.value
}

/// An operand as a decimal; `None` for NULL.
pub fn decimal(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<Decimal>, SqlError> {
    let value = numeric_as(cx, e, Class::Decimal)?;
    Ok((!value.is_null()).then(|| decimal_of(&value, cx.state)))
}

/// A value as a decimal.
pub fn decimal_of(value: &Value, state: &mut State) -> Decimal {
    let number = to_decimal(value);
    if number.out_of_range && matches!(value, Value::Str(_) | Value::Float(_) | Value::Double(_)) {
        let warning = SqlError::data_overflow("", "DECIMAL");
        state.warn(Level::Warning, warning.errno, warning.message);
    }
    compare::warn_leftover(state, "DECIMAL", value, &number);
    number.value
}

/// An operand as an integer; `None` for NULL.
pub fn integer(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<i128>, SqlError> {
    let value = numeric_as(cx, e, Class::Int)?;
    if let Value::Int(n) = value {
        return Ok(Some(i128::from(n)));
    }
    if matches!((&value, &e.kind), (Value::Double(_), Kind::Column(_))) && beyond_integers(&value) {
        warn_beyond(&value, cx.state);
    }
    let number = (!value.is_null()).then(|| integer_of(&value, cx.state));
    Ok(match value {
        Value::Decimal(_) if !e.ty.unsigned => number.map(|n| n.clamp(i64::MIN.into(), i64::MAX.into())),
        _ => number,
    })
}

/// Whether a number has no place among the signed integers.
fn beyond_integers(value: &Value) -> bool {
    let number = to_integer(value);
    number.out_of_range || i64::try_from(number.value).is_err()
}

fn warn_beyond(value: &Value, state: &mut State) {
    let warning = SqlError::data_overflow(compare::shown(value), "INT");
    state.warn(Level::Warning, warning.errno, warning.message);
}

/// A value as an integer. Exact numbers and texts beyond the integers are warned of; a real one is the last of them.
pub fn integer_of(value: &Value, state: &mut State) -> i128 {
    let number = to_integer(value);
    compare::warn_leftover(state, "INTEGER", value, &number);
    match value {
        Value::Decimal(_) if beyond_integers(value) => warn_beyond(value, state),
        Value::Str(_) => {
            if number.out_of_range && !number.garbage {
                compare::warn_truncated(state, "INTEGER", value);
            }
            // Its 64 bits, which are a signed number.
            return i128::from(number.value as i64);
        }
        Value::Float(_) | Value::Double(_) => {
            return number.value.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
        }
        _ => {}
    }
    number.value
}

/// An operand as the 64 bits that bit operators see: text is a decimal, rounded.
pub fn bits(cx: &mut Cx<'_>, e: &Expr) -> Result<Option<u64>, SqlError> {
    let value = numeric_as(cx, e, Class::Decimal)?;
    Ok(match &value {
        Value::Null => None,
        Value::Int(n) => Some(*n as u64),
        Value::UInt(n) => Some(*n),
        Value::Bit(_) | Value::Year(_) | Value::Enum(_) | Value::Set(_) => {
            Some(to_integer(&value).value as u64)
        }
        _ => {
            let number = decimal_of(&value, cx.state);
            let integer = to_integer(&Value::Decimal(number)).value;
            let whole = number.round(0, types::decimal::Rounding::HalfUp).to_i128();
            if whole != Some(integer) || i64::try_from(integer).is_err() && u64::try_from(integer).is_err() {
                let kind = if number.is_negative() { "INT" } else { "UNSIGNED INT" };
                let warning = SqlError::data_overflow(compare::shown(&Value::Decimal(number)), kind);
                cx.state.warn(Level::Warning, warning.errno, warning.message);
            }
            Some(integer as u64)
        }
    })
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
        false => exact::read_as_date(e, cx)?,
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
            let chosen = super::eval::choose_branch(operand.as_deref(), branches, cx)?;
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
        None => exact::read_as_date(e, cx)?,
        Some(None) => Value::Null,
        Some(Some(dated)) if dated.has_time => Value::DateTime(dated.at, e.ty.decimals.min(6)),
        Some(Some(dated)) => Value::Date(dated.at.date),
    })
}

/// What chooses among dates, as [`unchecked`], in its own type.
pub fn found(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    let digits = e.ty.decimals.min(6);
    Ok(match (unchecked(cx, e)?, e.ty.kind) {
        (Value::DateTime(at, _), TypeKind::Date) => Value::Date(at.date),
        (Value::DateTime(at, _), TypeKind::DateTime | TypeKind::Timestamp) => Value::DateTime(at, digits),
        (Value::Date(date), TypeKind::DateTime | TypeKind::Timestamp) => {
            Value::DateTime(date.at_midnight(), digits)
        }
        (value, _) => value,
    })
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
    let mode = DateMode { allow_invalid: mode.allow_invalid || own, ..mode };
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
    let value = match compared {
        true => comparable(cx, e)?,
        false if days_counted(e).is_some() => unchecked(cx, e)?,
        false => exact::read_as_date(e, cx)?,
    };
    Ok(match value.is_null() {
        true => None,
        false => time_of(&value, Some(e), compared, cx.state),
    })
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
        Value::Str(s) if looks_like_datetime(s.plain().trim_ascii_start()) => "datetime",
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
        Value::Year(year) if kind != "time" => format!("{year:04}0000"),
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
            let chosen = super::eval::choose_branch(operand.as_deref(), branches, cx)?;
            let Some(chosen) = chosen.or(otherwise.as_deref()) else { return Ok(Value::Null) };
            let value = comparable(cx, chosen)?;
            return Ok(super::store::to_type(value, &e.ty, cx.state));
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
        _ => return exact::read_as_date(e, cx),
    };
    let value = comparable(cx, chosen)?;
    Ok(super::store::to_type(value, &e.ty, cx.state))
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
        (true, true) => Dates::Compared,
        (true, false) => Dates::SessionCompared,
        (false, _) => Dates::Session,
    };
    let dated = datetime(cx, e, dates)?;
    let mode = cx.state.date_mode();
    let mode = DateMode { allow_invalid: mode.allow_invalid || matches!(e.kind, Kind::Column(_)), ..mode };
    let unasked = compared && computed || is_found_date(e) || days_counted(e).is_some();
    let known = |dated: &Dated| e.ty.class() != Class::Temporal || unasked || dated.at.is_valid(mode);
    let Some(dated) = dated.filter(known) else { return Ok(Value::Null) };
    Ok(match ty.kind {
        TypeKind::Date => Value::Date(dated.at.date),
        _ => of_digits(dated.at, ty.decimals, cx).map_or(Value::Null, |at| Value::DateTime(at, ty.decimals)),
    })
}

/// A date with so many digits of a second: rounded where the mode says so.
fn of_digits(at: DateTime, digits: u8, cx: &Cx<'_>) -> Option<DateTime> {
    match cx.state.convert_context().round_fractions {
        true => at.round(digits),
        false => Some(at.truncate(digits)),
    }
}
