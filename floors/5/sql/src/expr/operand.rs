//! Operands in the kinds of value that operators and functions ask for, with the warnings that MariaDB raises on the way.
//!
//! Text that is no number counts as the number that it begins with and gives warning 1292 "Truncated incorrect DOUBLE
//! value" (or INTEGER, DECIMAL).

mod temporal;

pub use temporal::{
    Dated, Dates, bytes_of_bits, comparable, complain, converted, date_of, dated_as, datetime, found,
    hands_on_dates, is_let_in, is_refused, ordered, time, time_of, time_of_day, unchecked,
};

use super::func::{cast, documents, secret};
use super::{Class, Expr, Kind, Named, TypeKind, compare, exact};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State, mode};
use types::convert::{to_decimal, to_double, to_integer};
use types::{Decimal, StrValue, Value};

/// An operand as arithmetic takes it: a number, or what becomes one.
pub fn numeric(cx: &mut Cx<'_>, e: &Expr) -> Result<Value, SqlError> {
    numeric_as(cx, e, Class::Real)
}

/// As [`numeric`]; the least of labels is a text, which is read in the class that is reckoned in.
pub fn exact_number(cx: &mut Cx<'_>, e: &Expr, class: Class) -> Result<Value, SqlError> {
    let value = numeric(cx, e)?;
    Ok(match class {
        _ if e.ty.labels.is_none() || !matches!(value, Value::Str(_)) => value,
        Class::Int => Value::Int(integer_of(&value, cx.state) as i64),
        _ => Value::Decimal(decimal_of(&value, cx.state)),
    })
}

/// JSON_UNQUOTE: a text that is in no quotes is what it was, in its own characters; not so what is taken out of a document.
pub fn unquoted(e: &Expr) -> Option<&Expr> {
    let of = match (&e.kind, &e.ty.origin) {
        (Kind::Const(_), Named::Computed(of)) => of,
        _ => e,
    };
    match &of.kind {
        Kind::Call(call) if call.name == "json_unquote" && !documents::is_extract(&call.args[0]) => Some(of),
        _ => None,
    }
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
        _ if let Some(text) = unquoted(e) => return text.eval_assigned(cx),
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
        Kind::Const(_) if let Some(own) = secret::made_of_text(e) => {
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
        return Ok(match secret::made_of_text(e) {
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
