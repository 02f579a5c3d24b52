//! Storing into the types that numbers and dates never become: UUID, INET4, INET6, geometries.

use super::cast::text_of;
use super::store::{StoreIssue, Stored, stored};
use crate::charset::CollationId;
use crate::fixed::FixedType;
use crate::geometry::GeometryType;
use crate::value::{StrValue, Value};

/// A UUID, INET4 or INET6 from its text, its bytes or one like it; NULL for what is none.
pub(super) fn store_fixed(value: &Value, ty: FixedType) -> Stored {
    let read = match value {
        Value::Fixed(given) if given.ty == ty => Some(*given),
        Value::Str(s) if s.collation == CollationId::BINARY => ty.from_bytes(&s.bytes),
        _ => match foreign(value) {
            Some(name) => return stored(Value::Null, Some(StoreIssue::NeverFixed(name, ty))),
            None => text_of(value).and_then(|s| ty.parse(&s.plain())),
        },
    };
    match read {
        Some(value) => stored(Value::Fixed(value), None),
        None => stored(Value::Null, Some(StoreIssue::BadFixed(ty))),
    }
}

/// What messages call the type of a value that is no text.
fn foreign(value: &Value) -> Option<&'static str> {
    Some(match value {
        Value::Null | Value::Str(_) | Value::Enum(_) | Value::Set(_) => return None,
        Value::Fixed(given) => given.ty.name(),
        Value::Int(n) if i32::try_from(*n).is_ok() => "int",
        Value::Int(_) => "bigint",
        Value::UInt(_) => "bigint unsigned",
        Value::Decimal(_) => "decimal",
        Value::Double(_) => "double",
        Value::Float(_) => "float",
        Value::Date(_) => "date",
        Value::Time(..) => "time",
        Value::DateTime(..) => "datetime",
        Value::Timestamp(..) => "timestamp",
        Value::Year(_) => "year",
        Value::Bit(_) => "bit",
    })
}

/// A geometry as functions make it.
pub(super) fn store_geometry(value: Value, wanted: GeometryType) -> Stored {
    if let Some(name) = foreign(&value) {
        return stored(Value::Null, Some(StoreIssue::NeverGeometry(name, wanted)));
    }
    let given = match &value {
        Value::Str(s) => GeometryType::of_value(&s.bytes),
        _ => None,
    };
    match given {
        None => stored(Value::Null, Some(StoreIssue::BadGeometry)),
        Some(given) if given != wanted && wanted != GeometryType::Geometry => {
            stored(Value::Null, Some(StoreIssue::OtherGeometry(wanted)))
        }
        Some(_) => match value {
            Value::Str(s) => {
                stored(Value::Str(StrValue { bytes: s.bytes, collation: CollationId::BINARY }), None)
            }
            other => stored(other, None),
        },
    }
}
