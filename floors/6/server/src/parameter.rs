//! Parameters of a prepared statement: from the wire to values.

use protocol::command::{Parameter, ParameterType};
use protocol::flags::wire_type as wire;
use sql::expr::TypeKind;
use sql::session::Announced;
use types::temporal::MICROS;
use types::{CollationId, Date, DateTime, Decimal, StrValue, Time, Value};

/// The types that parameters were announced as.
pub(crate) fn announced(types: &[ParameterType]) -> Announced {
    types.iter().map(|ty| kind_of(ty.wire_type)).collect()
}

fn kind_of(wire_type: u8) -> TypeKind {
    match wire_type {
        wire::NULL => TypeKind::Null,
        wire::TINY => TypeKind::Tiny,
        wire::SHORT | wire::YEAR => TypeKind::Short,
        wire::INT24 => TypeKind::Int24,
        wire::LONG => TypeKind::Long,
        wire::LONGLONG => TypeKind::LongLong,
        wire::FLOAT => TypeKind::Float,
        wire::DOUBLE => TypeKind::Double,
        wire::DECIMAL | wire::NEWDECIMAL => TypeKind::Decimal,
        wire::DATE => TypeKind::Date,
        wire::TIME => TypeKind::Time,
        wire::DATETIME => TypeKind::DateTime,
        wire::TIMESTAMP => TypeKind::Timestamp,
        wire::STRING => TypeKind::Char,
        wire::TINY_BLOB => TypeKind::TinyBlob,
        wire::BLOB => TypeKind::Blob,
        wire::MEDIUM_BLOB => TypeKind::MediumBlob,
        wire::LONG_BLOB => TypeKind::LongBlob,
        _ => TypeKind::VarChar,
    }
}

/// A parameter as a value; texts come in the client's character set, what is announced as a BLOB is bytes.
pub(crate) fn parameter_value(
    parameter: &Parameter<'_>,
    ty: ParameterType,
    long: Option<&Vec<u8>>,
    client: CollationId,
    connection: CollationId,
) -> Value {
    let blob = matches!(ty.wire_type, wire::TINY_BLOB..=wire::BLOB);
    let text = |bytes: &[u8]| {
        if blob {
            return Value::Str(StrValue::new(bytes, CollationId::BINARY));
        }
        let converted = client.charset().convert_cow(bytes, connection.charset());
        Value::Str(StrValue::new(&converted, connection))
    };
    match *parameter {
        Parameter::Null => Value::Null,
        Parameter::Int(n) => Value::Int(n),
        Parameter::UInt(n) => Value::UInt(n),
        Parameter::Float(n) => Value::Float(n),
        Parameter::Double(n) => Value::Double(n),
        Parameter::Bytes(bytes) => text(bytes),
        Parameter::Decimal(digits) => Value::Decimal(Decimal::parse(digits).value),
        Parameter::Long => text(long.map(Vec::as_slice).unwrap_or_default()),
        Parameter::Date { year, month, day } => Value::Date(date(year, month, day).unwrap_or(Date::ZERO)),
        Parameter::DateTime { year, month, day, hour, minute, second, micros } => {
            let clock = hour < 24 && minute < 60 && second < 60 && micros < 1_000_000;
            let at = date(year, month, day).filter(|_| clock);
            let at = at.map_or(DateTime::ZERO, |date| DateTime::new(date, hour, minute, second, micros));
            Value::DateTime(at, if at.micros == 0 { 0 } else { 6 })
        }
        Parameter::Time { minute: 60.., .. } | Parameter::Time { second: 60.., .. } => {
            Value::Time(Time::default(), 0)
        }
        Parameter::Time { negative, days, hour, minute, second, micros } => {
            let seconds = i64::from(days) * 86_400
                + i64::from(hour) * 3600
                + i64::from(minute) * 60
                + i64::from(second);
            let total = seconds * MICROS + i64::from(micros);
            let (time, _) = Time::saturating(if negative { -total } else { total });
            Value::Time(time, if micros == 0 { 0 } else { 6 })
        }
    }
}

/// A date whose month and day there can be; what else is wrong with it is found where it is used.
fn date(year: u16, month: u8, day: u8) -> Option<Date> {
    (year <= 9999 && month <= 12 && day <= 31).then(|| Date::new(year, month, day))
}
