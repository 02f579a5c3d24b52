//! Which values a variable takes, and how they are shown.

use super::{State, flags, number_of, text, text_of};
use crate::error::SqlError;
use crate::session::{Level, mode};
use types::Value;
use types::convert::to_double;

/// What values a variable takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// ON or OFF; held as 1 or 0.
    Switch,
    /// A whole number between bounds; beyond them it is cut with a warning.
    Unsigned(u64, u64),
    /// As [`Kind::Unsigned`], a multiple of the third number.
    Blocks(u64, u64, u64),
    /// A number between bounds.
    Double(f64, f64),
    /// A text.
    Text,
    /// A text or NULL.
    Nullable,
    /// One of a few words, or its number from 0.
    Choice(&'static [&'static str]),
    /// Switches with their defaults, as one text.
    Flags(&'static [(&'static str, bool)]),
    /// Whatever the variable's setter takes.
    Free,
}

impl Kind {
    /// The value of a default's text.
    pub(super) fn parse(self, default: &str) -> Value {
        match self {
            Self::Switch => Value::Int(i64::from(default == "ON")),
            Self::Unsigned(..) | Self::Blocks(..) => Value::UInt(default.parse().unwrap_or(0)),
            Self::Double(..) => Value::Double(default.parse().unwrap_or(0.0)),
            Self::Nullable if default.is_empty() => Value::Null,
            Self::Flags(list) => flags::defaults(list),
            Self::Text | Self::Nullable | Self::Choice(_) | Self::Free => text(default),
        }
    }

    /// The value to be held for one that a client gives, in the place of `held`; errors 1231 and 1232.
    pub(super) fn check(
        self,
        name: &'static str,
        value: Value,
        held: &Value,
        state: &mut State,
    ) -> Result<Value, SqlError> {
        match self {
            Self::Switch => switch(name, &value),
            Self::Unsigned(min, max) => unsigned(name, &value, (min, max, 1), state),
            Self::Blocks(min, max, block) => unsigned(name, &value, (min, max, block), state),
            Self::Double(min, max) => double(name, &value, min, max, state),
            Self::Text => match value {
                Value::Str(_) => Ok(value),
                Value::Null => Err(wrong(name, &value)),
                _ => Err(SqlError::wrong_type_for_var(name)),
            },
            Self::Nullable => match value {
                Value::Str(_) | Value::Null => Ok(value),
                _ => Err(SqlError::wrong_type_for_var(name)),
            },
            Self::Choice(_) if name == "default_storage_engine" && value.is_numeric() => {
                Err(SqlError::wrong_type_for_var(name))
            }
            Self::Choice(words) => choice(name, &value, words),
            Self::Flags(list) => flags::changed(name, list, held, &value),
            Self::Free => Ok(value),
        }
    }
}

/// Error 1231.
pub(super) fn wrong(name: &str, value: &Value) -> SqlError {
    SqlError::wrong_value_for_var(name, if value.is_null() { "NULL".into() } else { text_of(value) })
}

fn switch(name: &str, value: &Value) -> Result<Value, SqlError> {
    match value {
        Value::Int(0) | Value::UInt(0) => Ok(Value::Int(0)),
        Value::Int(1) | Value::UInt(1) => Ok(Value::Int(1)),
        Value::Str(_) => match text_of(value).to_ascii_uppercase().as_str() {
            "ON" | "TRUE" => Ok(Value::Int(1)),
            "OFF" | "FALSE" => Ok(Value::Int(0)),
            _ => Err(wrong(name, value)),
        },
        Value::Int(_) | Value::UInt(_) | Value::Null => Err(wrong(name, value)),
        _ => Err(SqlError::wrong_type_for_var(name)),
    }
}

/// Tells that a value was cut to a variable's bounds; an error under STRICT_ALL_TABLES.
fn cut(name: &str, given: &Value, state: &mut State) -> Result<(), SqlError> {
    if state.vars.has_mode(mode::STRICT_ALL_TABLES) {
        return Err(wrong(name, given));
    }
    let warning = SqlError::truncated_wrong_value(name, text_of(given));
    state.warn(Level::Warning, warning.errno, warning.message);
    Ok(())
}

fn unsigned(
    name: &str,
    given: &Value,
    (min, max, block): (u64, u64, u64),
    state: &mut State,
) -> Result<Value, SqlError> {
    let n = match given {
        Value::Int(n) if *n < 0 => 0,
        Value::Int(_) | Value::UInt(_) => number_of(given),
        _ => return Err(SqlError::wrong_type_for_var(name)),
    };
    let kept = n.clamp(min, max);
    let kept = kept - kept % block;
    if kept != n || matches!(given, Value::Int(n) if *n < 0) {
        cut(name, given, state)?;
    }
    Ok(Value::UInt(kept))
}

fn double(name: &str, given: &Value, min: f64, max: f64, state: &mut State) -> Result<Value, SqlError> {
    let n = match given {
        Value::Int(_) | Value::UInt(_) | Value::Decimal(_) | Value::Double(_) | Value::Float(_) => {
            to_double(given).value
        }
        _ => return Err(SqlError::wrong_type_for_var(name)),
    };
    let kept = n.clamp(min, max);
    if kept != n {
        cut(name, given, state)?;
    }
    Ok(Value::Double(kept))
}

fn choice(name: &str, value: &Value, words: &'static [&'static str]) -> Result<Value, SqlError> {
    let found = match value {
        Value::Str(_) => {
            let mut given = text_of(value);
            if name == "default_storage_engine" && given.eq_ignore_ascii_case("heap") {
                given = "MEMORY".to_owned();
            }
            words.iter().find(|word| word.eq_ignore_ascii_case(&given))
        }
        Value::Int(_) | Value::UInt(_) => words.get(number_of(value) as usize),
        Value::Null => None,
        _ => return Err(SqlError::wrong_type_for_var(name)),
    };
    found.map(|word| text(word)).ok_or_else(|| match name {
        "default_storage_engine" if !value.is_null() => SqlError::unknown_storage_engine(text_of(value)),
        "lc_time_names" if !value.is_null() => SqlError::unknown_locale(text_of(value)),
        _ => wrong(name, value),
    })
}

/// A value as SHOW VARIABLES shows it, by the variable's kind.
pub fn shown_as(kind: Kind, value: &Value) -> String {
    match (kind, value) {
        (Kind::Switch, value) => if number_of(value) == 1 { "ON" } else { "OFF" }.to_owned(),
        (_, value) => shown(value),
    }
}

/// A value as text; empty for NULL.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Int(n) => n.to_string(),
        Value::UInt(n) => n.to_string(),
        Value::Double(n) => format!("{n:.6}"),
        Value::Decimal(n) => n.to_string(),
        Value::Str(s) => s.collation.charset().to_utf8_lossy(&s.bytes),
        other => crate::expr::compare_text(other),
    }
}
