//! Bytes whose order is the order of values: for ORDER BY, GROUP BY, DISTINCT and hashing.

use super::func::long::aside;
use super::{Class, Type, TypeKind};
use types::Value;
use types::convert;

/// Appends a value's key among values of one type. NULLs come first; `desc` turns the order round.
pub fn sort_key(value: &Value, ty: &Type, desc: bool, out: &mut Vec<u8>) {
    let start = out.len();
    append(value, ty, out);
    if desc {
        out[start..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}

/// Values of one type may still be of several kinds (a CASE that gives numbers and dates): they are brought to the
/// type's class first, so that their keys compare.
fn append(value: &Value, ty: &Type, out: &mut Vec<u8>) {
    let converted = match (ty.class(), value) {
        (_, Value::Null) => None,
        // Bits are numbers among numbers: their own keys would be told apart from those.
        (Class::Int, Value::Int(_) | Value::UInt(_) | Value::Year(_)) => None,
        (Class::Int, other) => Some(super::store::integer_value(other)),
        (Class::Decimal, Value::Decimal(_)) => None,
        (Class::Decimal, other) => Some(Value::Decimal(convert::to_decimal(other).value)),
        (Class::Real, Value::Double(_) | Value::Float(_)) => None,
        (Class::Real, other) => Some(Value::Double(convert::to_double(other).value)),
        (Class::Str, Value::Str(s)) if s.collation == ty.collation => None,
        (Class::Str, Value::Fixed(value)) if ty.kind == TypeKind::Fixed(value.ty) => None,
        // The least of labels, too, where it is kept as one.
        (Class::Str, Value::Enum(_) | Value::Set(_)) if ty.labels.is_some() => None,
        (Class::Str, other) => {
            let text =
                super::compare::text_in(other, ty.collation).map(|t| t.into_owned()).unwrap_or_default();
            Some(Value::Str(types::StrValue::owned(text, ty.collation)))
        }
        (Class::Temporal, other) => temporal(other, ty.kind),
    };
    let value = converted.as_ref().unwrap_or(value);
    let bytes = if let Value::Str(s) = value { s.bytes.len() } else { 0 };
    aside(bytes, || convert::sort_key(value, out));
}

fn temporal(value: &Value, kind: TypeKind) -> Option<Value> {
    match (kind, value) {
        (TypeKind::Date, Value::Date(_)) | (TypeKind::Time, Value::Time(..)) => None,
        (TypeKind::Date, Value::DateTime(at, _)) => Some(Value::Date(at.date)),
        (TypeKind::DateTime | TypeKind::Timestamp, Value::Date(date)) => {
            Some(Value::DateTime(date.at_midnight(), 0))
        }
        _ => None,
    }
}
