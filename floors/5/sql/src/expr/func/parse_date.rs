//! STR_TO_DATE and TIME_FORMAT.

use super::super::build::{collate_result, type_name};
use super::super::{Class, Expr, Type, TypeKind, compare, foreknown, operand};
use super::Function;
use super::date::{format_type_of, temporal};
use super::string::{text, with_digits};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::session::{Level, State};
use types::temporal::calendar::{DAY_NAMES, MONTH_NAMES};
use types::{CollationId, Date, DateTime, StrValue, Time, Value};

macro_rules! function {
    ($name:literal, $ty:expr, $evaluate:expr) => {
        Function { name: $name, min: 2, max: 2, ty: $ty, evaluate: $evaluate, deterministic: true }
    };
}

/// The functions of this module.
pub static FUNCTIONS: &[Function] = &[
    function!("str_to_date", str_to_date_type, str_to_date),
    function!("time_format", |args, state| format_type_of(&args[1], state), time_format),
];

/// What a constant format asks for says which type comes out: a date, a time or both; fractions with `%f`.
fn str_to_date_type(args: &[Expr], state: &mut State) -> Result<Type, SqlError> {
    let opaque = |ty: &Type| ty.json || matches!(ty.kind, TypeKind::Geometry(_));
    if args.iter().any(|e| opaque(&e.ty)) {
        let name = |e: &Expr| type_name(&e.ty);
        return Err(SqlError::illegal_parameter_types(name(&args[0]), name(&args[1]), "str_to_date"));
    }
    if args.iter().all(|e| e.ty.class() == Class::Str) {
        collate_result(&[&args[0].ty, &args[1].ty], "str_to_date")?;
    }
    let format = match foreknown::value_of(&args[1], state) {
        None | Some(Value::Null) => return Ok(temporal(TypeKind::DateTime, 19, 6)),
        Some(value) => compare::shown(&value),
    };
    let mut specifiers = Vec::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c == '%' {
            specifiers.extend(chars.next());
        }
    }
    let fsp = if specifiers.contains(&'f') { 6 } else { 0 };
    let dated = specifiers.iter().any(|c| "MVUXYWabcjmvuxyDdew".contains(*c));
    let timed = specifiers.iter().any(|c| "HISThiklprsf".contains(*c));
    Ok(match (dated, timed) {
        (true, true) => temporal(TypeKind::DateTime, 19, fsp),
        (false, true) => temporal(TypeKind::Time, 10, fsp),
        _ => temporal(TypeKind::Date, 10, 0),
    })
}

fn str_to_date(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    let mode = cx.state.date_mode();
    read(cx, args, ty, mode)
}

/// STR_TO_DATE for who knows the dates of a mode.
pub(in crate::expr) fn read(
    cx: &mut Cx<'_>,
    args: &[Expr],
    ty: &Type,
    mode: types::DateMode,
) -> Result<Value, SqlError> {
    let value = with_digits(args[0].eval(cx)?, &args[0].ty);
    // Beside bytes both are what they are made of.
    let is_bytes = |e: &Expr| e.ty.class() == Class::Str && e.ty.collation == CollationId::BINARY;
    let read_in = match args.iter().any(is_bytes) {
        true => CollationId::BINARY,
        false => CollationId::UTF8MB4_GENERAL_CI,
    };
    let Some(bytes) = compare::text_in(&value, read_in) else { return Ok(Value::Null) };
    let Some(format) = text(cx, &args[1], read_in)? else { return Ok(Value::Null) };
    let mut parts = Parts::default();
    let rest = parts.read(&bytes, &format);
    let result = rest.and_then(|_| parts.finish()).filter(|at| {
        ty.kind == TypeKind::Time
            || match at.date.is_zero() {
                true => !mode.no_zero_date,
                false => !mode.no_zero_in_date || at.date.month != 0 && at.date.day != 0,
            }
    });
    let kind = match ty.kind {
        TypeKind::Date => "date",
        TypeKind::Time => "time",
        _ => "datetime",
    };
    // In the characters that text and format have together.
    let given = || {
        let together = collate_result(&[&args[0].ty, &args[1].ty], "str_to_date");
        let collation = match together {
            Ok((collation, _)) if collation.charset().min_char_bytes() == 1 => collation,
            _ => CollationId::UTF8MB4_GENERAL_CI,
        };
        compare::text_in(&value, collation).unwrap_or_default()
    };
    let Some(at) = result else {
        let shown = shown_as_given(&given());
        let warning = SqlError::wrong_value_for_function("datetime", shown, "str_to_date");
        cx.state.warn(Level::Warning, warning.errno, warning.message);
        return Ok(Value::Null);
    };
    if rest.is_some_and(|rest| !bytes[rest..].iter().all(is_space)) {
        let shown = compare::bytes_text(&Value::binary(&given()));
        cx.state.warn(Level::Warning, 1292, format!("Truncated incorrect {kind} value: '{shown}'"));
    }
    Ok(match ty.kind {
        TypeKind::Date => Value::Date(at.date),
        TypeKind::Time => {
            let hours = i64::from(at.date.day) * 24 * 3_600_000_000;
            Time::from_micros(hours + at.time().as_micros())
                .map_or(Value::Null, |time| Value::Time(time.truncate(ty.decimals), ty.decimals))
        }
        _ => Value::DateTime(at.truncate(ty.decimals), ty.decimals),
    })
}

/// A text as the warning shows it: its bytes up to a zero, as far as they are UTF-8 of three bytes a character, with
/// others than printable ones by their numbers.
fn shown_as_given(bytes: &[u8]) -> String {
    const SHOWN: usize = 127;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let text = match std::str::from_utf8(&bytes[..end]) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut shown = String::new();
    for c in text.chars().take_while(|c| *c <= '\u{FFFF}') {
        let hidden = (c < ' ' || c == '\x7f') && !matches!(c, '\t' | '\n' | '\r');
        let written = if hidden { format!("\\{:04X}", u32::from(c)) } else { c.to_string() };
        if shown.len() + written.len() > SHOWN {
            break;
        }
        shown.push_str(&written);
    }
    shown
}

/// What a text gave under a format.
#[derive(Default)]
struct Parts {
    date: Date,
    hour: u32,
    minute: u32,
    second: u32,
    micros: u32,
    /// `%p` said PM; `None` where it said nothing.
    afternoon: Option<bool>,
    /// The hour came from a 12-hour specifier.
    twelve: bool,
    day_of_year: Option<u32>,
    /// 1 for Monday to 7 for Sunday.
    weekday: Option<u32>,
    week: Option<u32>,
    week_year: Option<u32>,
    /// Weeks begin on Sunday; the week's year was asked for with them.
    sunday_first: bool,
    strict_week: bool,
}

/// What is skipped between parts: the vertical tab too.
fn is_space(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || *byte == b'\x0B'
}

/// A number of at most `most` digits at the start.
fn digits(text: &[u8], most: usize) -> Option<(u32, usize)> {
    let len = text.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..len]).ok()?.parse().ok()?;
    Some((number, len))
}

/// The position of the name that the text begins with, in any case; the longest where `short` is none.
fn name(text: &[u8], names: &[&str], short: Option<usize>) -> Option<(u32, usize)> {
    names.iter().enumerate().find_map(|(i, name)| {
        let name = &name.as_bytes()[..short.unwrap_or(name.len())];
        let matches = text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        matches.then_some((i as u32 + 1, name.len()))
    })
}

impl Parts {
    /// Reads the text under the format; where it ended, or nothing where the text does not follow.
    fn read(&mut self, text: &[u8], format: &[u8]) -> Option<usize> {
        let mut at = 0;
        let mut wanted = format.iter().copied();
        while let Some(byte) = wanted.next() {
            while text.get(at).is_some_and(is_space) {
                at += 1;
            }
            if at == text.len() {
                break;
            }
            if is_space(&byte) {
                continue;
            }
            let rest = &text[at..];
            let specifier = if byte == b'%' { wanted.next() } else { None };
            at += match specifier {
                Some(specifier) => self.specifier(specifier, rest)?,
                None if byte == rest[0] => 1,
                None => return None,
            };
        }
        Some(at)
    }

    /// Reads one specifier; how many bytes it took.
    fn specifier(&mut self, specifier: u8, text: &[u8]) -> Option<usize> {
        let (number, len) = match specifier {
            b'M' => name(text, &MONTH_NAMES, None)?,
            b'b' => name(text, &MONTH_NAMES, Some(3))?,
            b'W' => name(text, &DAY_NAMES, None)?,
            b'a' => name(text, &DAY_NAMES, Some(3))?,
            b'T' | b'r' => return self.clock(specifier == b'r', text),
            b'p' => {
                self.afternoon = match text.get(..2)?.to_ascii_uppercase().as_slice() {
                    b"PM" => Some(true),
                    b"AM" => Some(false),
                    _ => return None,
                };
                return Some(2);
            }
            b'#' => return Some(text.iter().take_while(|byte| byte.is_ascii_digit()).count()),
            b'@' => return Some(text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()),
            b'.' => return Some(text.iter().take_while(|byte| byte.is_ascii_punctuation()).count()),
            b'Y' | b'X' | b'x' => digits(text, 4)?,
            b'j' => digits(text, 3)?,
            b'f' => digits(text, 6)?,
            b'w' => digits(text, 1)?,
            b'%' => return (text[0] == b'%').then_some(1),
            _ => digits(text, 2)?,
        };
        match specifier {
            b'Y' => self.date.year = if len <= 2 { short_year(number) } else { number } as u16,
            b'y' => self.date.year = short_year(number) as u16,
            b'M' | b'b' | b'm' | b'c' => self.date.month = number as u8,
            b'd' | b'e' => self.date.day = number as u8,
            b'D' => {
                self.date.day = number as u8;
                return Some((len + 2).min(text.len()));
            }
            b'H' | b'k' => self.hour = number,
            b'h' | b'I' | b'l' => {
                self.hour = number;
                self.twelve = true;
            }
            b'i' => self.minute = number,
            b's' | b'S' => self.second = number,
            b'f' => self.micros = number * 10_u32.pow(6 - len as u32),
            b'j' => self.day_of_year = Some(number).filter(|n| (1..=366).contains(n)).or(Some(0)),
            b'W' | b'a' => self.weekday = Some(number),
            b'w' => self.weekday = Some(if number == 0 { 7 } else { number }),
            b'V' | b'U' | b'v' | b'u' => {
                self.sunday_first = matches!(specifier, b'V' | b'U');
                self.strict_week = matches!(specifier, b'V' | b'v');
                self.week = Some(number);
            }
            b'X' | b'x' => self.week_year = Some(number),
            _ => return None,
        }
        Some(len)
    }

    /// `%T` and `%r`: hours, minutes, seconds between colons.
    fn clock(&mut self, twelve: bool, text: &[u8]) -> Option<usize> {
        let format: &[u8] = if twelve { b"%I:%i:%S %p" } else { b"%H:%i:%S" };
        self.read(text, format)
    }

    /// The date and time that the parts make; nothing where they are beyond what there is.
    fn finish(&self) -> Option<DateTime> {
        let mut hour = self.hour;
        if self.twelve && !(1..=12).contains(&hour) || self.afternoon.is_some() && !self.twelve {
            return None;
        }
        if let Some(afternoon) = self.afternoon {
            hour = hour % 12 + if afternoon { 12 } else { 0 };
        }
        let mut date = self.date;
        if let Some(day) = self.day_of_year.filter(|_| date.year > 0) {
            date = Date::of_day(Date::new(date.year, 1, 1).to_days() + i64::from(day) - 1)?;
        }
        if let (Some(week), Some(weekday)) = (self.week, self.weekday) {
            date = self.day_of_week(week, weekday)?;
        }
        let in_range = date.month <= 12
            && date.day <= 31
            && hour < 24
            && self.minute < 60
            && self.second < 60
            && self.micros < 1_000_000;
        let at = DateTime::new(date, hour as u8, self.minute as u8, self.second as u8, self.micros);
        in_range.then_some(at)
    }

    /// The date of a weekday in a numbered week.
    fn day_of_week(&self, week: u32, weekday: u32) -> Option<Date> {
        let year = if self.strict_week { self.week_year? } else { u32::from(self.date.year) };
        if week > 53 || self.strict_week && week == 0 || year > 9999 {
            return None;
        }
        let first = Date::new(year as u16, 1, 1);
        let into = i64::from(first.weekday());
        let first_day = first.to_days();
        let day = if self.sunday_first {
            let offset = if into == 6 { 0 } else { 7 } - into + (i64::from(week) - 1) * 7;
            first_day + offset + i64::from(weekday % 7) - 1
        } else {
            let offset = if into <= 3 { 0 } else { 7 } - into + (i64::from(week) - 1) * 7;
            first_day + offset + i64::from(weekday) - 1
        };
        Date::of_day(day)
    }
}

/// A year of two digits.
fn short_year(year: u32) -> u32 {
    match year {
        0..=69 => year + 2000,
        70..=99 => year + 1900,
        other => other,
    }
}

fn time_format(cx: &mut Cx<'_>, args: &[Expr], ty: &Type) -> Result<Value, SqlError> {
    match operand::time_of_day(cx, &args[0])? {
        Some(time) => time_formatted(cx, time, false, &args[1], ty),
        None => Ok(Value::Null),
    }
}

/// A time under a format; with `dated`, numbers of dates are zeros.
pub(super) fn time_formatted(
    cx: &mut Cx<'_>,
    time: Time,
    dated: bool,
    format: &Expr,
    ty: &Type,
) -> Result<Value, SqlError> {
    let formatted = super::date::with_format(cx, format, ty, |specifier| match specifier {
        b'Y' if dated => Some("0000".into()),
        b'y' | b'm' | b'd' if dated => Some("00".into()),
        b'c' | b'e' if dated => Some("0".into()),
        other => time_part(time, other),
    })?;
    Ok(match formatted {
        Value::Str(text) if time.is_negative() => {
            Value::Str(StrValue::owned([b"-", &text.bytes[..]].concat(), text.collation))
        }
        other => other,
    })
}

/// One specifier over a time; dates' specifiers have nothing to show.
fn time_part(time: Time, specifier: u8) -> Option<String> {
    let (hour, minute, second) = (time.hours(), time.minutes(), time.seconds());
    let hour12 = (hour % 24 + 11) % 12 + 1;
    let half = if hour % 24 < 12 { "AM" } else { "PM" };
    Some(match specifier {
        b'H' => format!("{hour:02}"),
        b'k' => hour.to_string(),
        b'h' | b'I' => format!("{hour12:02}"),
        b'l' => hour12.to_string(),
        b'i' => format!("{minute:02}"),
        b's' | b'S' => format!("{second:02}"),
        b'f' => format!("{:06}", time.micros()),
        b'p' => half.to_owned(),
        b'T' => format!("{hour:02}:{minute:02}:{second:02}"),
        b'r' => format!("{hour12:02}:{minute:02}:{second:02} {half}"),
        b'M' | b'W' | b'a' | b'b' | b'c' | b'd' | b'D' | b'e' | b'j' | b'm' | b'u' | b'U' | b'v' | b'V'
        | b'w' | b'x' | b'X' | b'y' | b'Y' => return None,
        other => char::from(other).to_string(),
    })
}
