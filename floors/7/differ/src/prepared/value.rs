//! What is bound to a parameter: a value as the wire has it.

use super::literal::Literal;
use crate::dice::Dice;
use protocol::client::Bound;
use protocol::flags::wire_type as wire;

/// A value bound to a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What is sent.
    pub bound: Bound,
    /// A literal of much the same type.
    pub written: String,
}

/// Types that clients bind texts and bytes as.
const TEXTS: &[u8] = &[
    wire::VAR_STRING,
    wire::VAR_STRING,
    wire::VAR_STRING,
    wire::STRING,
    wire::VARCHAR,
    wire::BLOB,
    wire::LONG_BLOB,
];

impl Value {
    /// A literal, bound as a client might.
    pub fn of(dice: &mut Dice, literal: &Literal) -> Value {
        match literal {
            Literal::Null => Value {
                bound: Bound {
                    wire_type: *dice.pick(&[wire::NULL, wire::NULL, wire::VAR_STRING, wire::LONGLONG]),
                    unsigned: false,
                    value: None,
                },
                written: "NULL".into(),
            },
            Literal::Integer(n) => integer(dice, *n),
            Literal::Decimal(text) => match dice.below(5) {
                0 => string(wire::VAR_STRING, text),
                1 | 2 => double(text.parse().unwrap_or_default()),
                _ => decimal(text),
            },
            Literal::Double(x) if dice.chance(1, 6) => {
                let x = *x as f32;
                let bound = fixed(wire::FLOAT, false, &x.to_le_bytes());
                Value { bound, written: format!("{x:e}") }
            }
            Literal::Double(x) => double(*x),
            Literal::Text(text) => match temporal(dice, text) {
                Some(value) if dice.chance(1, 2) => value,
                _ => string(*dice.pick(TEXTS), text),
            },
            Literal::Temporal(text) => temporal(dice, text).unwrap_or_else(|| string(wire::VAR_STRING, text)),
            Literal::Bytes(bytes) => {
                let bound = lengthy(*dice.pick(&TEXTS[2..]), bytes);
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                Value { bound, written: format!("x'{digits}'") }
            }
        }
    }

    /// The name of its type.
    pub fn type_name(&self) -> String {
        let name = match self.bound.wire_type {
            wire::TINY => "TINY",
            wire::SHORT => "SHORT",
            wire::LONG => "LONG",
            wire::LONGLONG => "LONGLONG",
            wire::FLOAT => "FLOAT",
            wire::DOUBLE => "DOUBLE",
            wire::NEWDECIMAL => "NEWDECIMAL",
            wire::NULL => "NULL",
            wire::TIMESTAMP => "TIMESTAMP",
            wire::DATE => "DATE",
            wire::TIME => "TIME",
            wire::DATETIME => "DATETIME",
            wire::VARCHAR => "VARCHAR",
            wire::VAR_STRING => "VAR_STRING",
            wire::STRING => "STRING",
            wire::BLOB => "BLOB",
            wire::LONG_BLOB => "LONG_BLOB",
            _ => "?",
        };
        format!("{name}{}", if self.bound.unsigned { " UNSIGNED" } else { "" })
    }
}

fn fixed(wire_type: u8, unsigned: bool, bytes: &[u8]) -> Bound {
    Bound { wire_type, unsigned, value: Some(bytes.to_vec()) }
}

fn lengthy(wire_type: u8, bytes: &[u8]) -> Bound {
    let mut value = Vec::new();
    protocol::wire::put_lenenc_bytes(&mut value, bytes);
    Bound { wire_type, unsigned: false, value: Some(value) }
}

fn string(wire_type: u8, text: &str) -> Value {
    Value { bound: lengthy(wire_type, text.as_bytes()), written: format!("'{}'", text.replace('\'', "''")) }
}

fn decimal(text: &str) -> Value {
    Value { bound: lengthy(wire::NEWDECIMAL, text.as_bytes()), written: text.to_owned() }
}

fn double(x: f64) -> Value {
    Value { bound: fixed(wire::DOUBLE, false, &x.to_le_bytes()), written: format!("{x:e}") }
}

fn integer(dice: &mut Dice, n: i128) -> Value {
    let written = n.to_string();
    let value = |bound| Value { bound, written: written.clone() };
    let roll = dice.below(12);
    if roll == 0 {
        return string(wire::VAR_STRING, &written);
    }
    let unsigned = dice.chance(1, 3);
    match (i64::try_from(n), u64::try_from(n)) {
        (Ok(n), _) if roll < 3 && i8::try_from(n).is_ok() => {
            value(fixed(wire::TINY, false, &(n as i8).to_le_bytes()))
        }
        (Ok(n), _) if roll < 4 && i16::try_from(n).is_ok() => {
            value(fixed(wire::SHORT, false, &(n as i16).to_le_bytes()))
        }
        (Ok(n), _) if roll < 7 && i32::try_from(n).is_ok() => {
            value(fixed(wire::LONG, unsigned && n >= 0, &(n as i32).to_le_bytes()))
        }
        (_, Ok(n)) if unsigned => value(fixed(wire::LONGLONG, true, &n.to_le_bytes())),
        (Ok(n), _) => value(fixed(wire::LONGLONG, false, &n.to_le_bytes())),
        (_, Ok(n)) => value(fixed(wire::LONGLONG, true, &n.to_le_bytes())),
        _ => decimal(&written),
    }
}

/// A text that says a date or time, as one.
fn temporal(dice: &mut Dice, text: &str) -> Option<Value> {
    let (date, clock) = match text.split_once(' ') {
        Some((date, clock)) => (Some(date), Some(clock)),
        None if text.contains(':') => (None, Some(text)),
        None => (Some(text), None),
    };
    let date = match date {
        Some(date) => Some(day(date)?),
        None => None,
    };
    let clock = match clock {
        Some(clock) => Some(time_of_day(clock)?),
        None => None,
    };
    let (wire_type, value, kind) = match (date, clock) {
        (Some(date), None) => {
            let wire_type = *dice.pick(&[wire::DATE, wire::DATE, wire::DATETIME, stamp(date)]);
            let kind = if wire_type == wire::DATE { "DATE" } else { "TIMESTAMP" };
            let zero = date == [0; 4];
            (wire_type, if zero { Vec::new() } else { date.to_vec() }, kind)
        }
        (Some(date), Some(time)) if !time.negative && time.hours < 24 => {
            let mut value = date.to_vec();
            value.extend([time.hours as u8, time.minutes, time.seconds]);
            if time.micros > 0 {
                value.extend(time.micros.to_le_bytes());
            }
            (*dice.pick(&[wire::DATETIME, wire::DATETIME, stamp(date)]), value, "TIMESTAMP")
        }
        (None, Some(time)) => {
            let mut value = vec![u8::from(time.negative)];
            value.extend((time.hours / 24).to_le_bytes());
            value.extend([(time.hours % 24) as u8, time.minutes, time.seconds]);
            if time.micros > 0 {
                value.extend(time.micros.to_le_bytes());
            }
            (wire::TIME, value, "TIME")
        }
        _ => return None,
    };
    let mut sent = vec![value.len() as u8];
    sent.extend(value);
    Some(Value { bound: fixed(wire_type, false, &sent), written: format!("{kind}'{text}'") })
}

/// A day that there is, or the zero date: year, month and day as the wire has them.
fn day(text: &str) -> Option<[u8; 4]> {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return None };
    let lengths = (year.len(), month.len(), day.len()) == (4, 2, 2);
    let (year, month, day) = (year.parse::<u16>().ok()?, month.parse::<u8>().ok()?, day.parse::<u8>().ok()?);
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let there = (1..=12).contains(&month) && (1..=days).contains(&day);
    let [low, high] = year.to_le_bytes();
    (lengths && (there || (year, month, day) == (0, 0, 0))).then_some([low, high, month, day])
}

/// The type of timestamps, for a day that one can be of: MariaDB makes NULL of others.
fn stamp(date: [u8; 4]) -> u8 {
    match u16::from_le_bytes([date[0], date[1]]) {
        1971..=2037 => wire::TIMESTAMP,
        _ => wire::DATETIME,
    }
}

struct Clock {
    negative: bool,
    hours: u32,
    minutes: u8,
    seconds: u8,
    micros: u32,
}

fn time_of_day(text: &str) -> Option<Clock> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (text, micros) = match text.split_once('.') {
        Some((text, digits)) if digits.len() <= 6 => (text, format!("{digits:0<6}").parse().ok()?),
        Some(_) => return None,
        None => (text, 0),
    };
    let parts: Vec<&str> = text.split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return None };
    let (hours, minutes, seconds) = (hours.parse().ok()?, minutes.parse().ok()?, seconds.parse().ok()?);
    (hours <= 838 && minutes < 60 && seconds < 60).then_some(Clock {
        negative,
        hours,
        minutes,
        seconds,
        micros,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(literal: &Literal) -> Vec<Value> {
        (0..200).map(|seed| Value::of(&mut Dice::new(seed), literal)).collect()
    }

    fn sent(literal: &Literal, wire_type: u8, value: &[u8]) -> bool {
        values(literal)
            .iter()
            .any(|v| v.bound.wire_type == wire_type && v.bound.value.as_deref() == Some(value))
    }

    #[test]
    fn integers_fit_their_types() {
        assert!(sent(&Literal::Integer(-1), wire::LONG, &[255; 4]));
        assert!(sent(&Literal::Integer(-1), wire::TINY, &[255]));
        assert!(sent(&Literal::Integer(7), wire::VAR_STRING, b"\x017"));
        let large = values(&Literal::Integer(i128::from(u64::MAX)));
        assert!(large.iter().all(|v| v.bound.unsigned || v.bound.wire_type == wire::VAR_STRING));
        let larger = values(&Literal::Integer(i128::from(u64::MAX) + 1));
        assert!(larger.iter().all(|v| matches!(v.bound.wire_type, wire::NEWDECIMAL | wire::VAR_STRING)));
    }

    #[test]
    fn texts_of_dates_are_bound_as_dates_at_times() {
        let text = |text: &str| Literal::Text(text.into());
        assert!(sent(&text("2020-02-29"), wire::DATE, &[4, 0xE4, 7, 2, 29]));
        assert!(sent(&text("2020-02-29 01:02:03"), wire::DATETIME, &[7, 0xE4, 7, 2, 29, 1, 2, 3]));
        assert!(sent(&text("-25:00:01"), wire::TIME, &[8, 1, 1, 0, 0, 0, 1, 0, 1]));
        assert!(sent(&text("2020-02-29"), wire::VAR_STRING, b"\x0a2020-02-29"));
        let no_day = values(&text("2021-02-29"));
        assert!(no_day.iter().all(|v| TEXTS.contains(&v.bound.wire_type)));
    }

    #[test]
    fn bytes_and_null_are_bound_as_such() {
        assert!(sent(&Literal::Bytes(vec![0, 255]), wire::BLOB, &[2, 0, 255]));
        assert!(values(&Literal::Null).iter().all(|v| v.bound.value.is_none()));
    }
}
