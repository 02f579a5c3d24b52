//! COLUMN_GET: a column's value as the type that is asked for.

use super::super::super::build::{boolean, call, constant, silently, type_of_value};
use super::super::super::{Class, Expr, Kind, Type, TypeKind, compare, operand};
use super::super::cast;
use super::format::Field;
use super::{columns_of, find, key, long_text};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use crate::syntax::ast::CastType;
use types::{CollationId, Decimal, StrValue, Value};

/// Characters of a text of no length that was asked for.
const LONGEST: u32 = 67_108_864;

/// COLUMN_GET(document, key AS ty).
pub fn build_get(document: Expr, key: Expr, ty: &CastType, state: &mut State) -> Result<Expr, SqlError> {
    let mut ty = ty.clone();
    let (mut padded, longest) = (None, matches!(&ty, CastType::Char { length: None, .. }));
    if let CastType::Char { length, .. } | CastType::Binary(length) = &mut ty {
        padded = *length;
        length.get_or_insert(if longest { LONGEST } else { LONGEST * 4 });
    }
    // A value that is not known yet has the type that its cast has.
    let unknown = Expr { kind: Kind::UserVar(String::new()), ty: long_text(CollationId::BINARY) };
    let cast = silently(state, |state| cast::build(unknown, &ty, state)).0?;
    let length = match ty {
        CastType::Signed => 21,
        // Beyond what other texts have at most.
        CastType::Char { .. } if longest => LONGEST - 1,
        _ => cast.ty.length,
    };
    let ty = Type { nullable: true, length, ..cast.ty };
    let mut args = vec![document, key];
    args.extend(padded.map(|length| constant(Value::UInt(u64::from(length)))));
    call("column_get", get, args, ty, state)
}

/// The value of a column by itself; dynamic columns are their bytes.
pub fn field_value(field: Field) -> Value {
    match field {
        Field::Int(n) => Value::Int(n),
        Field::UInt(n) => Value::UInt(n),
        Field::Double(n) => Value::Double(n),
        Field::Text(collation, text) => Value::Str(StrValue::owned(text, collation)),
        Field::Decimal(n, _) => Value::Decimal(n),
        Field::Date(date) => Value::Date(date),
        Field::DateTime(at) => Value::DateTime(at, if at.micros == 0 { 0 } else { 6 }),
        Field::Time(time) => Value::Time(time, if time.micros() == 0 { 0 } else { 6 }),
        Field::Nested(bytes) => Value::binary(&bytes),
    }
}

fn get(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let Some(Ok(key)) = key(cx, &args[1])? else { return Ok(Value::Null) };
    let Some(columns) = columns_of(cx, &args[0])? else { return Ok(Value::Null) };
    let Some(stored) = find(&columns, key) else { return Ok(Value::Null) };
    let field = stored.field().ok_or_else(SqlError::dyn_col_wrong_format)?;
    if matches!(field, Field::Nested(_)) && ty.class() != Class::Str {
        return Ok(Value::Null);
    }
    let text = matches!(field, Field::Text(..));
    let value = field_value(field);
    match ty.class() {
        Class::Int => Ok(integer(&value, ty.unsigned, cx.state)),
        Class::Decimal => {
            let number = if text { decimal_of_text(&value, cx.state) } else { value };
            let mut given = vec![typed(number)];
            given.extend(args.get(2).cloned());
            cast::decimal(cx, &given, ty)
        }
        Class::Real => {
            let number = if text { real_of_text(&value, cx.state) } else { value };
            match ty.kind {
                TypeKind::Float => cast::float(cx, &[typed(number)], ty),
                _ => cast::double(cx, &[typed(number)], ty),
            }
        }
        Class::Temporal => operand::converted(cx, &typed(value), ty, false),
        Class::Str => {
            let mut given = vec![typed(value)];
            given.extend(args.get(2).cloned());
            cast::recoded(cx, &given, ty)
        }
    }
}

/// A value as a constant of its own type.
fn typed(value: Value) -> Expr {
    let collation = match &value {
        Value::Str(s) => s.collation,
        _ => CollationId::UTF8MB4_GENERAL_CI,
    };
    let ty = match &value {
        Value::Null => boolean(true),
        value => type_of_value(value, collation),
    };
    Expr { kind: Kind::Const(value), ty }
}

fn illegal(value: &Value, ty: &str, state: &mut State) {
    let text = compare::cut(compare::whole_text(value), compare::SHOWN_BYTES);
    let warning = SqlError::bad_data(text, ty);
    state.warn(Level::Warning, warning.errno, warning.message);
}

fn decimal_of_text(value: &Value, state: &mut State) -> Value {
    let Value::Str(s) = value else { return Value::Null };
    let number = Decimal::parse(&s.bytes);
    if number.garbage || s.bytes.ends_with(b" ") {
        illegal(value, "DECIMAL", state);
    }
    Value::Decimal(number.value)
}

fn real_of_text(value: &Value, state: &mut State) -> Value {
    let Value::Str(s) = value else { return Value::Null };
    let number = types::number::parse_double(&s.bytes);
    if number.garbage && !s.bytes.is_empty() || s.bytes.ends_with(b" ") {
        illegal(value, "DOUBLE", state);
    }
    Value::Double(number.value)
}

/// As INT, or UNSIGNED INT.
fn integer(value: &Value, unsigned: bool, state: &mut State) -> Value {
    let wide = match value {
        Value::Str(s) => {
            let number = types::number::parse_integer(&s.bytes);
            let n = number.value.clamp(i128::from(i64::MIN), i128::from(u64::MAX));
            if number.garbage || number.spaces || number.out_of_range || n != number.value {
                illegal(value, "INT", state);
            }
            n
        }
        Value::Double(_) | Value::Decimal(_) => {
            let n = types::convert::to_integer(value).value;
            let (least, most) = match unsigned {
                true => (0, i128::from(u64::MAX)),
                false => (i128::from(i64::MIN), i128::from(i64::MAX)),
            };
            if !(least..=most).contains(&n) {
                let ty = if unsigned { "UNSIGNED INT" } else { "INT" };
                let warning = SqlError::data_overflow(compare::shown(value), ty);
                state.warn(Level::Warning, warning.errno, warning.message);
            }
            n.clamp(least, most)
        }
        other => types::convert::to_integer(other).value,
    };
    match unsigned {
        true if wide < 0 => {
            let text = "Cast to unsigned converted negative integer to it's positive complement";
            state.warn(Level::Note, 1105, text);
        }
        false if wide > i128::from(i64::MAX) => {
            let text = "Cast to signed converted positive out-of-range integer to it's negative complement";
            state.warn(Level::Note, 1105, text);
        }
        _ => {}
    }
    if unsigned { Value::UInt(wide as u64) } else { Value::Int(wide as i64) }
}
