//! A value on its way from a column into one of another type, which is not quite the way of INSERT: numbers are made of
//! what columns hold by the type that is wanted, with the warnings of reading them as such, and what is no date is told of
//! the column that it was in.

use crate::error::SqlError;
use crate::expr::build::column_type;
use crate::expr::func::string::with_digits;
use crate::expr::{compare, compare_text, operand, store};
use crate::session::{Level, State, StatementFacts, mode};
use types::convert::{ConvertContext, to_datetime, to_integer};
use types::{CollationId, ColumnDef, ColumnType, Date, DateMode, DateTime, StrValue, Value};

/// A value, not NULL, of the column `old` in its new column; of no column where it was computed.
pub(super) fn store(
    value: Value,
    old: Option<&ColumnDef>,
    column: &ColumnDef,
    state: &mut State,
) -> Result<Value, SqlError> {
    let Some(old) = old else { return store::store(&value, column, state) };
    let value = value.in_zone(&state.vars.time_zone);
    let strict = state.statement.strict && !state.statement.ignore;
    let value = match (&value, &column.ty) {
        (Value::Bit(bit), ColumnType::Fixed(_)) => Value::binary(&bit.to_bytes()),
        (Value::Bit(_), _) => store::given(value, &column_type(old), true, &column.ty),
        (number, ty) if number.is_numeric() && ty.is_string() => text_of(value, old),
        (Value::Float(_) | Value::Double(_) | Value::Year(_), ty) if ty.is_temporal() => text_of(value, old),
        (Value::Fixed(_) | Value::Str(_), ColumnType::Fixed(_)) if same_kind(old, column) => value,
        (Value::Str(_) | Value::Enum(_) | Value::Set(_), ColumnType::Fixed(_)) => value,
        // Whatever it is, an address is looked for in its text.
        (_, ColumnType::Fixed(_)) => text_of(value, old),
        _ => {
            let value = store::given(value, &column_type(old), true, &column.ty);
            match number_of(value, old, column, strict, state) {
                (number, None) => number,
                (number, Some(error)) => {
                    // What the column says of the number stands behind it.
                    state.warn(Level::Error, error.errno, error.message.clone());
                    if let Err(other) = store::store(&number, column, state) {
                        state.warn(Level::Error, other.errno, other.message);
                    }
                    return Err(error);
                }
            }
        }
    };
    let raised = state.diagnostics.entries.len();
    let stored = store::store(&value, column, state);
    let stored = match tells_of_old(&value, old, column, state) {
        Some("datetime") if let Some(at) = refused_date(&value, state) => {
            of_refused(at, &value, column, stored, state)
        }
        Some(kind) => of_old(kind, &value, old, stored, raised, state),
        None => stored,
    };
    stored.map_err(|error| match error.errno {
        // Text of the same type is copied by its characters, anything else is stored.
        1406 if same_kind(old, column) => SqlError::data_truncated(&column.name, state.statement.row),
        _ => error,
    })
}

/// Whether both columns are of one type, but for its length, and of one character set.
fn same_kind(old: &ColumnDef, new: &ColumnDef) -> bool {
    let alike = matches!(
        (&old.ty, &new.ty),
        (ColumnType::Char(_), ColumnType::Char(_))
            | (ColumnType::VarChar(_), ColumnType::VarChar(_))
            | (ColumnType::Binary(_), ColumnType::Binary(_))
            | (ColumnType::VarBinary(_), ColumnType::VarBinary(_))
            | (ColumnType::Fixed(_), ColumnType::Fixed(_))
    );
    alike && old.collation.charset() == new.collation.charset()
}

/// What a date or time is called that is told of the column where it was, since it cannot be read at all.
fn tells_of_old(value: &Value, old: &ColumnDef, column: &ColumnDef, state: &State) -> Option<&'static str> {
    let read = !matches!(
        old.ty,
        ColumnType::Float(_)
            | ColumnType::Double(_)
            | ColumnType::Bit(_)
            | ColumnType::Year
            | ColumnType::Fixed(_)
    );
    let kind = match column.ty {
        // What is a date, but none that a TIMESTAMP has, is told of the new column.
        ColumnType::Timestamp(_) if to_datetime(value, &state.convert_context()).value.is_some() => None,
        ColumnType::Date | ColumnType::DateTime(_) | ColumnType::Timestamp(_) => Some("datetime"),
        ColumnType::Time(_) => Some("time"),
        _ => None,
    };
    kind.filter(|_| read)
}

/// A date of a value that has one, but none that the mode knows.
fn refused_date(value: &Value, state: &State) -> Option<DateTime> {
    let context = state.convert_context();
    if to_datetime(value, &context).value.is_some() {
        return None;
    }
    to_datetime(value, &ConvertContext { mode: DateMode::default(), ..context }).value
}

/// The complaint of such a date: an error tells the date, as the value has it, of the new column.
fn of_refused(
    at: DateTime,
    value: &Value,
    column: &ColumnDef,
    stored: Result<Value, SqlError>,
    state: &State,
) -> Result<Value, SqlError> {
    stored.map_err(|error| {
        if error.errno != 1292 {
            return error;
        }
        let kind = if column.ty == ColumnType::Date { "date" } else { "datetime" };
        let alone = match value {
            Value::Date(_) => true,
            Value::DateTime(..) | Value::Timestamp(..) => false,
            Value::Str(text) => at == at.date.at_midnight() && !text.bytes.contains(&b':'),
            _ => at == at.date.at_midnight() && at.date != Date::ZERO,
        };
        let shown = compare::shown(&if alone { Value::Date(at.date) } else { Value::DateTime(at, 0) });
        SqlError::new(1292, b"22007", told_of(column, kind, &shown, &state.statement))
    })
}

/// What is said of a value of a column.
fn told_of(column: &ColumnDef, kind: &str, shown: &str, facts: &StatementFacts) -> String {
    let target = facts.target.as_ref().map(|t| format!("`{}`.`{}`", t.db(), t.name()));
    let (target, row) = (target.unwrap_or_default(), facts.row);
    format!("Incorrect {kind} value: '{shown}' for column {target}.`{}` at row {row}", column.name)
}

/// The complaint of a date or time, behind the diagnostics that were `raised` before, as one of the column where it was.
fn of_old(
    kind: &str,
    value: &Value,
    old: &ColumnDef,
    stored: Result<Value, SqlError>,
    raised: usize,
    state: &mut State,
) -> Result<Value, SqlError> {
    let facts = &state.statement;
    let told = |kind: &str| told_of(old, kind, &compare::bytes_text(value), facts);
    if let Err(error) = &stored
        && error.errno == 1292
    {
        return Err(SqlError::new(1292, b"22007", told(kind)));
    }
    if let Some(said) = state.diagnostics.entries.get_mut(raised) {
        let clipped = said.errno == 1264 && kind == "time" && value.is_numeric();
        match said.level {
            Level::Warning if said.errno == 1265 || clipped => {
                (said.errno, said.message) = (1292, told(kind))
            }
            // The fraction of a number that is a date.
            Level::Note if matches!(value, Value::Decimal(_)) && kind == "datetime" => {
                (said.errno, said.message) = (1292, told("date"));
            }
            _ => {}
        }
    }
    stored
}

/// What is not of the kind of number that a column takes as such a number; what it is not wholly is told, which is an
/// error in strict mode. Of the spaces of a text that is padded nothing is told.
fn number_of(
    value: Value,
    old: &ColumnDef,
    column: &ColumnDef,
    strict: bool,
    state: &mut State,
) -> (Value, Option<SqlError>) {
    let padded = matches!(old.ty, ColumnType::Char(_)) && state.vars.has_mode(mode::PAD_CHAR_TO_FULL_LENGTH);
    let raised = state.diagnostics.entries.len();
    let number = match (&value, &column.ty) {
        (Value::Str(_), ColumnType::Integer(_) | ColumnType::Bit(_)) => whole(&value, state),
        (Value::Decimal(_), ColumnType::Bit(_)) => return (value, None),
        (Value::Decimal(_), ColumnType::Integer(ty)) if ty.unsigned => return (value, None),
        (
            Value::Double(_) | Value::Decimal(_),
            ColumnType::Integer(_) | ColumnType::Bit(_) | ColumnType::Enum(_) | ColumnType::Set(_),
        ) => match old.ty {
            // MariaDB does not look whether a FLOAT is beyond them.
            ColumnType::Float(_) => Value::Int(clipped(to_integer(&value).value)),
            _ => whole(&value, state),
        },
        (Value::Date(_) | Value::Time(..) | Value::DateTime(..), ColumnType::Bit(_)) => {
            Value::Int(to_integer(&value).value as i64)
        }
        (Value::Str(_), ColumnType::Float(_) | ColumnType::Double(_)) => {
            Value::Double(operand::real_of(&value, state))
        }
        (Value::Str(_), ColumnType::Decimal(_)) => Value::Decimal(operand::decimal_of(&value, state)),
        (Value::Double(_), ColumnType::Decimal(_)) => {
            let number = types::convert::to_decimal(&value);
            if number.out_of_range {
                overflow("", "DECIMAL", state);
            }
            Value::Decimal(number.value)
        }
        _ => return (value, None),
    };
    if padded && state.diagnostics.entries.get(raised).is_some_and(|told| told.level == Level::Note) {
        state.diagnostics.entries.remove(raised);
        state.diagnostics.raised -= 1;
    }
    if !strict || state.diagnostics.entries.len() <= raised {
        return (number, None);
    }
    let complaint = state.diagnostics.entries.remove(raised);
    state.diagnostics.raised -= 1;
    let sqlstate = if complaint.errno == 1916 { b"22003" } else { b"22007" };
    (number, Some(SqlError::new(complaint.errno, sqlstate, complaint.message)))
}

/// A value as a signed integer of 64 bits; a number beyond them is told, and a text.
fn whole(value: &Value, state: &mut State) -> Value {
    let number = to_integer(value);
    let clipped = clipped(number.value);
    // As a double the greatest one is one more, which is no fault.
    let greatest = matches!(value, Value::Double(f) if *f == i64::MAX as f64);
    let beyond = !greatest && (number.out_of_range || i128::from(clipped) != number.value);
    match value {
        Value::Str(_) if beyond => compare::warn_truncated(state, "INTEGER", value),
        Value::Str(_) => compare::warn_leftover(state, "INTEGER", value, &number),
        _ if beyond => overflow(&compare::shown(value), "INT", state),
        _ => {}
    }
    Value::Int(clipped)
}

fn clipped(number: i128) -> i64 {
    number.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

fn overflow(shown: &str, ty: &str, state: &mut State) {
    let warning = SqlError::data_overflow(shown, ty);
    state.warn(Level::Warning, warning.errno, warning.message);
}

/// A value's text, of a number with the zeros and digits that its old column shows it with.
fn text_of(value: Value, old: &ColumnDef) -> Value {
    let mut text = match with_digits(value, &column_type(old)) {
        text @ Value::Str(_) if !matches!(old.ty, ColumnType::Integer(_)) => return text,
        value => compare_text(&value),
    };
    if let ColumnType::Integer(ty) = &old.ty
        && ty.zerofill
    {
        text = format!("{:0>width$}", text.trim_start_matches('0'), width = usize::from(ty.width));
    }
    Value::Str(StrValue::owned(text.into_bytes(), CollationId::UTF8MB4_GENERAL_CI))
}
