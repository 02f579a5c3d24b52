//! Comparing values of different types as MariaDB does, and keys for grouping and sorting.

use std::cmp::Ordering;

use super::ConvertContext;
use super::cast::{text_of, to_datetime, to_decimal, to_double, to_integer, to_time};
use crate::charset::Collation;
use crate::temporal::DateTime;
use crate::value::Value;

/// How two values compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Integer,
    Decimal,
    Double,
    Text,
    Time,
    Date,
}

fn class(value: &Value) -> Class {
    match value {
        Value::Int(_) | Value::UInt(_) | Value::Year(_) | Value::Bit(_) | Value::Null => Class::Integer,
        Value::Decimal(_) => Class::Decimal,
        Value::Float(_) | Value::Double(_) => Class::Double,
        Value::Str(_) | Value::Enum(_) | Value::Set(_) | Value::Fixed(_) => Class::Text,
        Value::Time(..) => Class::Time,
        Value::Date(_) | Value::DateTime(..) | Value::Timestamp(..) => Class::Date,
    }
}

/// The order of two values, none when either is NULL.
///
/// Strings compare under `collation`, which the caller has derived from both; their bytes must be of its character
/// set. A string or number beside a date is read as a date (what is none counts as zero); a string beside a time as a time; a string beside a
/// number as a double; ENUM and SET beside numbers as their numbers, beside strings as their labels.
pub fn compare(a: &Value, b: &Value, collation: &Collation, context: &ConvertContext) -> Option<Ordering> {
    if a.is_null() || b.is_null() {
        return None;
    }
    match (class(a), class(b)) {
        (Class::Text, Class::Text) => compare_text(a, b, collation),
        (Class::Integer, Class::Integer) => Some(to_integer(a).value.cmp(&to_integer(b).value)),
        (Class::Date, _) | (_, Class::Date) => {
            let date = |value| to_datetime(value, context).value.unwrap_or(DateTime::ZERO);
            Some(date(a).cmp(&date(b)))
        }
        (Class::Time, _) | (_, Class::Time) => {
            let time = |value| to_time(value, context).value.unwrap_or_default();
            Some(time(a).cmp(&time(b)))
        }
        (Class::Text, _) | (_, Class::Text) => compare_labels_or_doubles(a, b),
        (Class::Double, _) | (_, Class::Double) => to_double(a).value.partial_cmp(&to_double(b).value),
        _ => Some(to_decimal(a).value.cmp_value(&to_decimal(b).value)),
    }
}

fn compare_text(a: &Value, b: &Value, collation: &Collation) -> Option<Ordering> {
    if let (Value::Fixed(a), Value::Fixed(b)) = (a, b)
        && a.ty == b.ty
    {
        return Some(a.cmp(b));
    }
    if let (Value::Str(a), Value::Str(b)) = (a, b) {
        return Some(collation.compare(&a.bytes, &b.bytes));
    }
    Some(collation.compare(&text_of(a)?.bytes, &text_of(b)?.bytes))
}

fn compare_labels_or_doubles(a: &Value, b: &Value) -> Option<Ordering> {
    let number = |value: &Value| matches!(value, Value::Enum(_) | Value::Set(_));
    if (number(a) || class(a) == Class::Integer) && (number(b) || class(b) == Class::Integer) {
        return Some(to_integer(a).value.cmp(&to_integer(b).value));
    }
    to_double(a).value.partial_cmp(&to_double(b).value)
}

/// Appends bytes that are equal exactly when two values of one column (so of one type) are equal to GROUP BY and
/// DISTINCT; NULLs are equal. Self-delimiting, so that several columns may follow each other.
pub fn group_key(value: &Value, out: &mut Vec<u8>) {
    sort_key(value, out);
}

/// Appends bytes whose order is the order of values of one column, NULLs first. Self-delimiting.
///
/// ENUM and SET order by their numbers; strings by their own collation; numbers of different exactness do not mix.
pub fn sort_key(value: &Value, out: &mut Vec<u8>) {
    if value.is_null() {
        return out.push(0);
    }
    out.push(1);
    match value {
        Value::Null => {}
        Value::Str(s) => s.collation.collation().append_key(&s.bytes, out),
        Value::Fixed(value) => value.append_stored(out),
        Value::Double(f) => push_double(*f, out),
        Value::Float(f) => push_double(f64::from(*f), out),
        Value::Decimal(d) => d.append_order_key(out),
        Value::Date(date) => out.extend_from_slice(&date.packed().to_be_bytes()),
        Value::Time(time, _) => out.extend_from_slice(&((time.as_micros() as u64) ^ 1 << 63).to_be_bytes()),
        Value::DateTime(at, _) => {
            out.extend_from_slice(&at.date.packed().to_be_bytes());
            // A day has less than 2^40 microseconds.
            out.extend_from_slice(&at.time().as_micros().to_be_bytes()[3..]);
        }
        Value::Timestamp(at, _) => {
            out.extend_from_slice(&at.secs.to_be_bytes());
            out.extend_from_slice(&at.micros.to_be_bytes());
        }
        integer => push_integer(to_integer(integer).value, out),
    }
}

/// An integer from i64::MIN to u64::MAX: how many bytes it takes, those below zero turned round, and these.
fn push_integer(n: i128, out: &mut Vec<u8>) {
    let magnitude = if n < 0 { !n as u64 } else { n as u64 };
    let len = 8 - magnitude.leading_zeros() as usize / 8;
    out.push(if n < 0 { 0x7F - len as u8 } else { 0x80 + len as u8 });
    out.extend_from_slice(&(n as u64).to_be_bytes()[8 - len..]);
}

fn push_double(f: f64, out: &mut Vec<u8>) {
    let bits = if f == 0.0 { 0 } else { f.to_bits() };
    out.extend_from_slice(&(if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }).to_be_bytes());
}
