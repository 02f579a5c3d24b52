//! A JSON text in parts that point into it, and paths through it.

use std::fmt;

/// Deepest nesting that is read.
const DEPTH_MAX: usize = 32;

/// A value of a document. Texts are raw: without their quotes, with their escapes.
#[derive(Debug, PartialEq)]
pub enum Json<'t> {
    /// A number, `true`, `false` or `null`.
    Scalar(&'t str),
    /// A string.
    Text(&'t str),
    /// An array.
    Array(Vec<Json<'t>>),
    /// An object, in the order of the text.
    Object(Vec<(&'t str, Json<'t>)>),
}

/// A step of a path.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// `.name`.
    Key(String),
    /// `.*`.
    AnyKey,
    /// `[n]`.
    Index(usize),
    /// `[*]`.
    AnyIndex,
}

impl Step {
    /// Whether it may find several values.
    pub fn is_wild(&self) -> bool {
        matches!(self, Step::AnyKey | Step::AnyIndex)
    }
}

impl<'t> Json<'t> {
    /// Neither array nor object.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Json::Scalar(_) | Json::Text(_))
    }

    /// All values that a path leads to.
    pub fn find<'j>(&'j self, path: &[Step], found: &mut Vec<&'j Json<'t>>) {
        let Some((step, rest)) = path.split_first() else {
            found.push(self);
            return;
        };
        match (self, step) {
            (Json::Object(members), Step::Key(name)) => {
                let member = members.iter().find(|(key, _)| *key == name || unescaped(key) == *name);
                if let Some((_, value)) = member {
                    value.find(rest, found);
                }
            }
            (Json::Object(members), Step::AnyKey) => {
                members.iter().for_each(|(_, value)| value.find(rest, found));
            }
            (Json::Array(list), Step::Index(n)) => {
                if let Some(value) = list.get(*n) {
                    value.find(rest, found);
                }
            }
            (Json::Array(list), Step::AnyIndex) => list.iter().for_each(|value| value.find(rest, found)),
            // Anything else is an array of itself.
            (_, Step::Index(0)) => self.find(rest, found),
            _ => {}
        }
    }

    /// What JSON_TYPE says.
    pub fn type_name(&self) -> &'static str {
        match self {
            Json::Object(_) => "OBJECT",
            Json::Array(_) => "ARRAY",
            Json::Text(_) => "STRING",
            Json::Scalar("null") => "NULL",
            Json::Scalar("true" | "false") => "BOOLEAN",
            Json::Scalar(number) if number.contains(['.', 'e', 'E']) => "DOUBLE",
            Json::Scalar(_) => "INTEGER",
        }
    }

    /// Members of an array or object; 1 for anything else.
    pub fn len(&self) -> usize {
        match self {
            Json::Array(list) => list.len(),
            Json::Object(members) => members.len(),
            _ => 1,
        }
    }

    /// Levels of nesting, 1 for a scalar.
    pub fn depth(&self) -> usize {
        let inner = match self {
            Json::Array(list) => list.iter().map(Json::depth).max(),
            Json::Object(members) => members.iter().map(|(_, value)| value.depth()).max(),
            _ => None,
        };
        inner.unwrap_or(0) + 1
    }

    /// Without spaces between the parts.
    pub fn written(&self) -> String {
        match self {
            Json::Array(list) => {
                let parts: Vec<String> = list.iter().map(Json::written).collect();
                format!("[{}]", parts.join(","))
            }
            Json::Object(members) => {
                let parts: Vec<String> =
                    members.iter().map(|(key, value)| format!("\"{key}\":{}", value.written())).collect();
                format!("{{{}}}", parts.join(","))
            }
            other => other.to_string(),
        }
    }
}

/// With a space behind commas and colons, as results of JSON functions are spelt.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Scalar(raw) => f.write_str(raw),
            Json::Text(raw) => write!(f, "\"{raw}\""),
            Json::Array(list) => {
                f.write_str("[")?;
                for (i, value) in list.iter().enumerate() {
                    write!(f, "{}{value}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (i, (key, value)) in members.iter().enumerate() {
                    write!(f, "{}\"{key}\": {value}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Reads a document; the error is the position, from 1, of what does not belong there.
pub fn parse(text: &str) -> Result<Json<'_>, usize> {
    let mut reader = Reader { text, at: 0 };
    reader.space();
    let json = reader.value(0)?;
    reader.space();
    if reader.at == text.len() { Ok(json) } else { Err(reader.at + 1) }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), usize> {
        if self.peek() != Some(byte) {
            return Err(self.at + 1);
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Json<'t>, usize> {
        if depth >= DEPTH_MAX {
            return Err(self.at + 1);
        }
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'[') => {
                self.at += 1;
                let mut list = Vec::new();
                self.members(b']', |reader| {
                    list.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Json::Array(list))
            }
            Some(b'{') => {
                self.at += 1;
                let mut members = Vec::new();
                self.members(b'}', |reader| {
                    let key = reader.string()?;
                    reader.space();
                    reader.expect(b':')?;
                    reader.space();
                    members.push((key, reader.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(Json::Object(members))
            }
            _ => self.scalar(),
        }
    }

    /// What stands between brackets, separated by commas.
    fn members(&mut self, end: u8, mut one: impl FnMut(&mut Self) -> Result<(), usize>) -> Result<(), usize> {
        self.space();
        if self.peek() == Some(end) {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.space();
            one(self)?;
            self.space();
            if self.peek() == Some(end) {
                self.at += 1;
                return Ok(());
            }
            self.expect(b',')?;
        }
    }

    fn string(&mut self) -> Result<&'t str, usize> {
        self.expect(b'"')?;
        let start = self.at;
        loop {
            match self.peek() {
                None | Some(0..=31) => return Err(self.at + 1),
                Some(b'"') => break,
                Some(b'\\') => {
                    let escape = self.text.as_bytes().get(self.at + 1);
                    let len = match escape {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') => 6,
                        _ => return Err(self.at + 2),
                    };
                    let digits = self.text.as_bytes().get(self.at + 2..self.at + len);
                    if !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                        return Err(self.at + 3);
                    }
                    self.at += len;
                }
                Some(_) => self.at += 1,
            }
        }
        let raw = self.text.get(start..self.at).ok_or(start + 1)?;
        self.at += 1;
        Ok(raw)
    }

    fn scalar(&mut self) -> Result<Json<'t>, usize> {
        let rest = &self.text[self.at..];
        if let Some(word) = ["true", "false", "null"].into_iter().find(|word| rest.starts_with(word)) {
            self.at += word.len();
            return Ok(Json::Scalar(&rest[..word.len()]));
        }
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let sign = usize::from(bytes.first() == Some(&b'-'));
        let whole = digits(sign);
        let mut len = sign + whole;
        if whole == 0 || whole > 1 && bytes[sign] == b'0' {
            return Err(self.at + sign + 1);
        }
        if bytes.get(len) == Some(&b'.') {
            let fraction = digits(len + 1);
            if fraction == 0 {
                return Err(self.at + len + 2);
            }
            len += 1 + fraction;
        }
        if matches!(bytes.get(len), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
            let exponent = digits((len + 1 + sign).min(bytes.len()));
            if exponent == 0 {
                return Err(self.at + len + 2);
            }
            len += 1 + sign + exponent;
        }
        self.at += len;
        Ok(Json::Scalar(&rest[..len]))
    }
}

/// Reads a path: `$`, then `.name`, `."name"`, `.*`, `[n]`, `[*]`.
pub fn path(text: &str) -> Result<Vec<Step>, usize> {
    let text = text.trim();
    let mut rest = text.strip_prefix('$').ok_or(1_usize)?;
    let mut steps = Vec::new();
    let at = |rest: &str| text.len() - rest.len() + 1;
    while !rest.is_empty() {
        if let Some(name) = rest.strip_prefix('.') {
            if let Some(after) = name.strip_prefix('*') {
                steps.push(Step::AnyKey);
                rest = after;
            } else if name.starts_with('"') {
                let mut reader = Reader { text: name, at: 0 };
                let key = reader.string().map_err(|_| at(name))?;
                steps.push(Step::Key(unescaped(key)));
                rest = &name[reader.at..];
            } else {
                let end = name.find(['.', '[']).unwrap_or(name.len());
                let key = name[..end].trim();
                if key.is_empty() {
                    return Err(at(name));
                }
                steps.push(Step::Key(key.to_owned()));
                rest = &name[end..];
            }
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']').ok_or_else(|| at(inner))?;
            steps.push(match index.trim() {
                "*" => Step::AnyIndex,
                n => Step::Index(n.parse().map_err(|_| at(inner))?),
            });
            rest = after;
        } else {
            return Err(at(rest));
        }
    }
    Ok(steps)
}

/// A raw string with its escapes resolved; a lone surrogate becomes the replacement character.
pub fn unescaped(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    let mut high: Option<u32> = None;
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let code = chars.by_ref().take(4).filter_map(|c| c.to_digit(16)).fold(0, |n, d| n << 4 | d);
                match (high.take(), code) {
                    (None, 0xD800..=0xDBFF) => high = Some(code),
                    (Some(high), 0xDC00..=0xDFFF) => {
                        let code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00);
                        out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    _ => out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)),
                }
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// A text in quotes, escaped.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
