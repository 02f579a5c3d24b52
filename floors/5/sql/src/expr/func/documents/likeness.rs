//! Comparing documents: containment, overlap, equality, search; the normal form.

use super::document::{Json, escaped, unescaped};
use super::in_set;
use std::borrow::Cow;
use std::fmt::Write as _;
use types::{Charset, Collation};

/// The character sets of two documents.
pub type Sets = (Charset, Charset);

/// The number of a scalar that is one.
fn number(json: &Json<'_>) -> Option<f64> {
    match json {
        Json::Scalar(word) => word.parse().ok(),
        _ => None,
    }
}

/// Whether two names of members are the same, however they are written.
fn same_key(a: &str, b: &str) -> bool {
    a == b || (a.contains('\\') || b.contains('\\')) && unescaped(a) == unescaped(b)
}

/// Whether two scalars are the same value. Beside bytes a text is the bytes of its character set.
fn same_scalar(a: &Json<'_>, b: &Json<'_>, sets: Sets) -> bool {
    match (a, b) {
        (Json::Text(x), Json::Text(y)) if sets.0 != sets.1 && [sets.0, sets.1].contains(&Charset::Binary) => {
            in_set(unescaped(x), sets.0) == in_set(unescaped(y), sets.1)
        }
        (Json::Text(x), Json::Text(y)) => x == y || unescaped(x) == unescaped(y),
        (Json::Scalar(x), Json::Scalar(y)) => x == y || number(a).is_some() && number(a) == number(b),
        _ => false,
    }
}

/// Whether two values are the same, members of objects in any order.
fn same(a: &Json<'_>, b: &Json<'_>, sets: Sets) -> bool {
    match (a, b) {
        (Json::Array(x), Json::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same(a, b, sets))
        }
        (Json::Object(x), Json::Object(y)) => {
            x.len() == y.len()
                && x.iter().all(|(key, a)| y.iter().any(|(other, b)| key == other && same(a, b, sets)))
        }
        _ => same_scalar(a, b, sets),
    }
}

/// JSON_CONTAINS.
pub fn contains(target: &Json<'_>, wanted: &Json<'_>, sets: Sets) -> bool {
    match (target, wanted) {
        (Json::Object(have), Json::Object(want)) => want.iter().all(|(key, value)| {
            have.iter().any(|(own, inner)| same_key(own, key) && contains(inner, value, sets))
        }),
        (Json::Array(have), Json::Array(want)) => want.iter().all(|value| {
            have.iter().any(|inner| match (inner, value) {
                // An array's member may itself be an array that has it.
                (Json::Array(_), Json::Scalar(_) | Json::Text(_)) => contains(inner, value, sets),
                _ => contains(inner, value, sets) && inner.is_scalar() == value.is_scalar(),
            })
        }),
        (Json::Array(have), value) => have.iter().any(|inner| contains(inner, value, sets)),
        _ => same_scalar(target, wanted, sets),
    }
}

/// JSON_OVERLAPS: a member in common.
pub fn overlaps(a: &Json<'_>, b: &Json<'_>, sets: Sets) -> bool {
    match (a, b) {
        (Json::Object(x), Json::Object(y)) => {
            x.iter().any(|(key, a)| y.iter().any(|(other, b)| same_key(key, other) && same(a, b, sets)))
        }
        (Json::Array(x), Json::Array(y)) => x.iter().any(|a| y.iter().any(|b| same(a, b, sets))),
        (Json::Array(list), one) => list.iter().any(|value| same(value, one, sets)),
        (one, Json::Array(list)) => list.iter().any(|value| same(one, value, sets)),
        _ => same_scalar(a, b, sets),
    }
}

/// JSON_SEARCH: the paths to strings and numbers LIKE a pattern, below the places in `within` (none: everywhere).
pub struct Search<'p> {
    /// How texts are compared: as the document's are.
    pub collation: &'static Collation,
    /// The pattern, which is taken to be in the document's character set, whatever its own one.
    pub pattern: &'p [u8],
    /// Its escape character.
    pub escape: Option<u32>,
    /// Only the first is wanted.
    pub one: bool,
    /// What was found so far.
    pub found: Vec<String>,
}

impl Search<'_> {
    /// Looks through a value at `path`; `inside` says of a value whether it lies at or below a place wanted.
    pub fn walk(
        &mut self,
        json: &Json<'_>,
        path: &mut String,
        inside: bool,
        starts: &dyn Fn(&Json<'_>) -> bool,
    ) {
        if self.one && !self.found.is_empty() {
            return;
        }
        let inside = inside || starts(json);
        let len = path.len();
        match json {
            Json::Text(raw) if inside => self.test(&unescaped(raw), path),
            Json::Scalar(raw) if inside => self.test(raw, path),
            Json::Array(list) => {
                for (i, value) in list.iter().enumerate() {
                    let _ = write!(path, "[{i}]");
                    self.walk(value, path, inside, starts);
                    path.truncate(len);
                }
            }
            Json::Object(members) => {
                for (key, value) in members {
                    let _ = write!(path, ".{key}");
                    self.walk(value, path, inside, starts);
                    path.truncate(len);
                }
            }
            _ => {}
        }
    }

    fn test(&mut self, text: &str, path: &str) {
        let charset = self.collation.charset;
        let mut own = Vec::with_capacity(text.len());
        let whole = text.chars().all(|c| charset.encode(c.into(), &mut own));
        if whole && self.collation.like(&own, self.pattern, self.escape) {
            self.found.push(format!("\"{}\"", escaped(path)));
        }
    }
}

/// JSON_NORMALIZE: no spaces, keys in order, numbers as `d.dEn`. Members of one key stand in the order of their values.
pub fn normal(json: &Json<'_>) -> String {
    let mut out = String::new();
    Normal::of(json).write(&mut out);
    out
}

/// A normalised value. The order is that of members with one key: by kind, then by size, then by content.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Normal {
    Object(usize, Vec<(String, Normal)>),
    Array(usize, Vec<Normal>),
    /// With its length in bytes.
    Text(usize, String),
    Number(usize, String),
    True,
    False,
    Null,
}

impl Normal {
    fn of(json: &Json<'_>) -> Normal {
        match json {
            Json::Text(raw) => Normal::Text(raw.len(), raw.to_string()),
            Json::Scalar(word) if number(json).is_some() => {
                let text = normal_number(word);
                Normal::Number(text.len(), text)
            }
            Json::Scalar(word) => match word.as_bytes().first() {
                Some(b't') => Normal::True,
                Some(b'f') => Normal::False,
                _ => Normal::Null,
            },
            Json::Array(list) => Normal::Array(list.len(), list.iter().map(Normal::of).collect()),
            Json::Object(members) => {
                let member = |(key, value): &(Cow<'_, str>, Json<'_>)| (key.to_string(), Normal::of(value));
                let mut members: Vec<_> = members.iter().map(member).collect();
                members.sort();
                Normal::Object(members.len(), members)
            }
        }
    }

    fn write(&self, out: &mut String) {
        let comma = |i: usize, out: &mut String| {
            if i > 0 {
                out.push(',');
            }
        };
        match self {
            Normal::Object(_, members) => {
                out.push('{');
                for (i, (key, value)) in members.iter().enumerate() {
                    comma(i, out);
                    let _ = write!(out, "\"{key}\":");
                    value.write(out);
                }
                out.push('}');
            }
            Normal::Array(_, list) => {
                out.push('[');
                for (i, value) in list.iter().enumerate() {
                    comma(i, out);
                    value.write(out);
                }
                out.push(']');
            }
            Normal::Text(_, raw) => {
                let _ = write!(out, "\"{raw}\"");
            }
            Normal::Number(_, text) => out.push_str(text),
            Normal::True => out.push_str("true"),
            Normal::False => out.push_str("false"),
            Normal::Null => out.push_str("null"),
        }
    }
}

/// A number as its first digit, its other digits and the power of ten.
fn normal_number(text: &str) -> String {
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (sign, digits) = mantissa.strip_prefix('-').map_or(("", mantissa), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let kept = significant.trim_end_matches('0');
    if kept.is_empty() {
        return "0.0E0".into();
    }
    let zeros = (all.len() - significant.len()) as i64;
    let power = power.parse::<i64>().unwrap_or(0).saturating_add(whole.len() as i64 - 1 - zeros);
    let rest = if kept.len() > 1 { &kept[1..] } else { "0" };
    format!("{sign}{}.{rest}E{power}", &kept[..1])
}

/// JSON_DETAILED: a member a line, indented by `width` spaces a level.
pub fn detailed(json: &Json<'_>, width: usize, level: usize, out: &mut String) {
    let line = |out: &mut String, level: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', width * level));
    };
    match json {
        Json::Array(list) if list.len() < 2 && list.iter().all(Json::is_scalar) => {
            let _ = write!(out, "{json}");
        }
        Json::Array(list) => {
            out.push('[');
            for (i, value) in list.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                line(out, level + 1);
                detailed(value, width, level + 1, out);
            }
            line(out, level);
            out.push(']');
        }
        Json::Object(members) => {
            out.push('{');
            for (i, (key, value)) in members.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                line(out, level + 1);
                let _ = write!(out, "\"{key}\": ");
                if !value.is_scalar() {
                    line(out, level + 1);
                }
                detailed(value, width, level + 1, out);
            }
            line(out, level);
            out.push('}');
        }
        scalar => {
            let _ = write!(out, "{scalar}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::parse;
    use super::*;
    use crate::session::Stop;

    #[test]
    fn numbers_have_one_normal_form() {
        for (text, form) in [
            ("1.50", "1.5E0"),
            ("100", "1.0E2"),
            ("1e2", "1.0E2"),
            ("-0.0", "0.0E0"),
            ("0.001", "1.0E-3"),
            ("-123.456e-2", "-1.23456E0"),
        ] {
            assert_eq!(normal(&parse(text, &Stop::never()).expect("a number")), form);
        }
    }

    #[test]
    fn containment() {
        let has = |a, b| {
            contains(
                &parse(a, &Stop::never()).expect("a document"),
                &parse(b, &Stop::never()).expect("a document"),
                (Charset::Utf8mb4, Charset::Utf8mb4),
            )
        };
        assert!(has("[1, [2, 3]]", "[2]"));
        assert!(has("[1, 2, 3]", "[3, 1]"));
        assert!(has(r#"{"a": [{"x": 1}, {"y": 2}]}"#, r#"{"a": [{"y": 2}]}"#));
        assert!(has("{\"a\": 1}", "{\"a\": 1.0}"));
        assert!(!has("1", "[1]"));
        assert!(!has("[1]", "[1, 2]"));
    }
}
