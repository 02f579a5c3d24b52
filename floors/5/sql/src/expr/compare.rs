//! Comparing two values in the way chosen at bind time.

use super::{CompareOp, Comparison};
use crate::session::{Level, State};
use std::borrow::Cow;
use std::cmp::Ordering;
use types::convert::{store, to_datetime, to_decimal, to_double, to_integer, to_str, to_time};
use types::number::Parsed;
use types::{CollationId, ColumnType, DateTime, FixedType, FixedValue, TemporalParse, Time, Value};

/// Whether an ordering satisfies an operator.
pub fn holds(op: CompareOp, ordering: Ordering) -> bool {
    match op {
        CompareOp::Eq | CompareOp::NullSafeEq => ordering.is_eq(),
        CompareOp::Ne => ordering.is_ne(),
        CompareOp::Lt => ordering.is_lt(),
        CompareOp::Le => ordering.is_le(),
        CompareOp::Gt => ordering.is_gt(),
        CompareOp::Ge => ordering.is_ge(),
    }
}

/// As [`compare_values`] for values that are of the kind compared already, which is nearly always; none for others.
#[inline]
pub fn plain_order(a: &Value, b: &Value, how: Comparison) -> Option<Option<Ordering>> {
    Some(Some(match (a, b, how) {
        (Value::Null, _, _) | (_, Value::Null, _) => return Some(None),
        (Value::Int(a), Value::Int(b), Comparison::Int) => a.cmp(b),
        (Value::UInt(a), Value::UInt(b), Comparison::Int) => a.cmp(b),
        (Value::Decimal(a), Value::Decimal(b), Comparison::Decimal) => a.cmp_value(b),
        (Value::Double(a), Value::Double(b), Comparison::Real) => return Some(a.partial_cmp(b)),
        (Value::Date(a), Value::Date(b), Comparison::DateTime) => a.cmp(b),
        (Value::Fixed(a), Value::Fixed(b), Comparison::Fixed(ty)) if a.ty == ty && b.ty == ty => a.cmp(b),
        (Value::DateTime(a, _), Value::DateTime(b, _), Comparison::DateTime) => a.cmp(b),
        (Value::Date(a), Value::DateTime(b, _), Comparison::DateTime) => a.at_midnight().cmp(b),
        (Value::DateTime(a, _), Value::Date(b), Comparison::DateTime) => a.cmp(&b.at_midnight()),
        (Value::Str(a), Value::Str(b), Comparison::Str(collation))
            if a.collation.charset() == b.collation.charset() =>
        {
            collation.collation().compare(&a.bytes, &b.bytes)
        }
        _ => return None,
    }))
}

impl CompareOp {
    /// How it is written.
    pub fn text(self) -> &'static str {
        match self {
            CompareOp::Eq => "=",
            CompareOp::Ne => "<>",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
            CompareOp::NullSafeEq => "<=>",
        }
    }
}

/// The order of two values; `None` when one is NULL or no value of the kind compared.
pub fn compare_values(a: &Value, b: &Value, how: Comparison, state: &mut State) -> Option<Ordering> {
    if let Some(order) = plain_order(a, b, how) {
        return order;
    }
    match how {
        Comparison::Int => Some(to_integer(a).value.cmp(&to_integer(b).value)),
        Comparison::Decimal => {
            let (left, right) = (to_decimal(a), to_decimal(b));
            warn_leftover(state, "DECIMAL", a, &left);
            warn_leftover(state, "DECIMAL", b, &right);
            Some(left.value.cmp_value(&right.value))
        }
        Comparison::Real => number(a, state).partial_cmp(&number(b, state)),
        Comparison::Str(collation) => {
            let (a, b) = (text_in(a, collation)?, text_in(b, collation)?);
            Some(collation.collation().compare(&a, &b))
        }
        Comparison::DateTime => Some(date_time(a, state).cmp(&date_time(b, state))),
        Comparison::Time => Some(time(a, state).cmp(&time(b, state))),
        Comparison::Fixed(ty) => Some(fixed(a, ty, state)?.cmp(&fixed(b, ty, state)?)),
    }
}

/// A value as a date and time; text that is none is warned of and compares as the zero date.
fn date_time(value: &Value, state: &mut State) -> DateTime {
    let parsed = to_datetime(value, &state.convert_context());
    if matches!(value, Value::Str(_)) {
        warn_temporal(state, "datetime", value, &parsed);
    }
    parsed.value.unwrap_or_default()
}

/// A value as a time; text that is none is warned of and compares as zero.
fn time(value: &Value, state: &mut State) -> Time {
    let parsed = to_time(value, &state.convert_context());
    if matches!(value, Value::Str(_)) {
        warn_temporal(state, "time", value, &parsed);
    }
    parsed.value.unwrap_or_default()
}

/// What is said of a value that was read as a date or time: a warning where it is none or goes on after it, a note where
/// digits of a second are cut.
pub fn warn_temporal<T>(state: &mut State, kind: &str, value: &Value, parsed: &TemporalParse<T>) {
    let (level, how) = match parsed {
        TemporalParse { value: None, .. } => (Level::Warning, "Incorrect"),
        TemporalParse { truncated: true, .. } => (Level::Warning, "Truncated incorrect"),
        TemporalParse { fraction_cut: true, .. } => (Level::Note, "Truncated incorrect"),
        _ => return,
    };
    let shown = shown(value);
    state.warn(level, 1292, format!("{how} {kind} value: '{shown}'"));
}

/// As [`warn_temporal`], of a constant: what is no date at all counts as cut too.
fn warn_constant<T>(state: &mut State, kind: &str, value: &Value, parsed: &TemporalParse<T>) {
    match parsed.value {
        Some(_) => warn_temporal(state, kind, value, parsed),
        None => warn_truncated(state, kind, value),
    }
}

/// A value in the form that a comparison reads it in, with the warnings that reading gives; text under a collation
/// stays as it is.
pub fn as_compared(value: &Value, how: Comparison, state: &mut State) -> Value {
    match how {
        _ if value.is_null() => Value::Null,
        Comparison::Int => {
            let n = to_integer(value).value;
            i64::try_from(n).map(Value::Int).unwrap_or(Value::UInt(n as u64))
        }
        Comparison::Decimal => {
            let number = to_decimal(value);
            warn_leftover(state, "DECIMAL", value, &number);
            Value::Decimal(number.value)
        }
        Comparison::Real => Value::Double(number(value, state)),
        Comparison::Str(_) => value.clone(),
        Comparison::DateTime => {
            let parsed = to_datetime(value, &state.convert_context());
            warn_constant(state, "datetime", value, &parsed);
            Value::DateTime(parsed.value.unwrap_or_default(), 6)
        }
        Comparison::Time => {
            let parsed = to_time(value, &state.convert_context());
            warn_constant(state, "time", value, &parsed);
            Value::Time(parsed.value.unwrap_or_default(), 6)
        }
        Comparison::Fixed(ty) => fixed(value, ty, state).map_or(Value::Null, Value::Fixed),
    }
}

/// A value as one of a type of fixed size; a warning for what is none.
pub fn fixed(value: &Value, ty: FixedType, state: &mut State) -> Option<FixedValue> {
    if value.is_null() {
        return None;
    }
    let stored = store(value.clone(), &ColumnType::Fixed(ty), CollationId::BINARY, &state.convert_context());
    if let Value::Fixed(value) = stored.value {
        return Some(value);
    }
    let text = format!("Incorrect {} value: '{}'", ty.name(), shown(value));
    state.warn(Level::Warning, 1292, text);
    None
}

/// A value as a double; text that goes on after the number is warned of.
pub fn number(value: &Value, state: &mut State) -> f64 {
    let number = to_double(value);
    warn_leftover(state, "DOUBLE", value, &number);
    number.value
}

/// A value's bytes in a collation's character set; `None` for NULL.
pub fn text_in(value: &Value, collation: CollationId) -> Option<Cow<'_, [u8]>> {
    let charset = collation.charset();
    match value {
        Value::Str(s) if s.collation.charset() == charset => Some(Cow::Borrowed(&s.bytes)),
        Value::Str(s) => Some(s.collation.charset().convert_cow(&s.bytes, charset)),
        other => {
            let text = to_str(other, collation)?;
            let from = text.collation.charset();
            Some(Cow::Owned(from.convert_cow(&text.bytes, charset).into_owned()))
        }
    }
}

/// What is said of text that was read as a number: a warning of what is no number, a note of white space after it.
pub fn warn_leftover<T>(state: &mut State, kind: &str, value: &Value, number: &Parsed<T>) {
    let level = match (number.garbage, number.spaces) {
        (true, _) => Level::Warning,
        (false, true) => Level::Note,
        (false, false) => return,
    };
    let shown = shown(value);
    state.warn(level, 1292, format!("Truncated incorrect {kind} value: '{shown}'"));
}

/// Warning 1292 "Truncated incorrect ... value".
pub fn warn_truncated(state: &mut State, kind: &str, value: &Value) {
    let shown = shown(value);
    state.warn(Level::Warning, 1292, format!("Truncated incorrect {kind} value: '{shown}'"));
}

/// A value as messages show it.
pub fn shown(value: &Value) -> String {
    match to_str(value, CollationId::UTF8MB4_GENERAL_CI) {
        None => "NULL".into(),
        Some(text) => text.collation.charset().to_utf8_lossy(&text.bytes),
    }
}
