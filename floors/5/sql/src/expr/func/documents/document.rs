//! A JSON text in parts that point into it.

use super::path::{Place, Step, find_where, is_key};
use crate::session::Stop;
use std::borrow::Cow;
use std::fmt;

/// Deepest nesting that is read.
const DEPTH_MAX: usize = 32;

/// A value of a document. Texts are raw: without their quotes, with their escapes.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'t> {
    /// A number, `true`, `false` or `null`.
    Scalar(Cow<'t, str>),
    /// A string.
    Text(Cow<'t, str>),
    /// An array.
    Array(Vec<Json<'t>>),
    /// An object, in the order of the text.
    Object(Vec<(Cow<'t, str>, Json<'t>)>),
}

/// Why a text is no JSON, and the byte (from 1) that shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It ends too early.
    End,
    /// A control character stands in a string.
    Character(usize),
    /// A byte is part of no character.
    Broken(usize),
    /// Something else than JSON.
    Syntax(usize),
    /// Nested too deep.
    Depth(usize),
    /// The statement was told to end.
    Stopped,
}

impl<'t> Json<'t> {
    /// Neither array nor object.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Json::Scalar(_) | Json::Text(_))
    }

    /// What JSON_TYPE says.
    pub fn type_name(&self) -> &'static str {
        match self {
            Json::Object(_) => "OBJECT",
            Json::Array(_) => "ARRAY",
            Json::Text(_) => "STRING",
            Json::Scalar(word) => match word.as_ref() {
                "null" => "NULL",
                "true" | "false" => "BOOLEAN",
                number if number.contains('.') => "DOUBLE",
                _ => "INTEGER",
            },
        }
    }

    /// Members of an array or object; 1 for anything else.
    pub fn members(&self) -> usize {
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

    /// The members of an array or object, in order.
    pub fn children(&self) -> Box<dyn Iterator<Item = &Json<'t>> + '_> {
        match self {
            Json::Array(list) => Box::new(list.iter()),
            Json::Object(members) => Box::new(members.iter().map(|(_, value)| value)),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// As it is displayed.
    pub fn spelt(&self) -> String {
        match self {
            Json::Scalar(word) => word.as_ref().to_owned(),
            other => other.to_string(),
        }
    }

    /// Whether this is the word `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Json::Scalar(word) if word == "null")
    }
}

/// With a space behind commas and colons, as results of JSON functions are spelt; without any in the alternate form.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (comma, colon) = if f.alternate() { (",", ":") } else { (", ", ": ") };
        let value = |value: &Json<'_>, f: &mut fmt::Formatter<'_>| value.fmt(f);
        match self {
            Json::Scalar(raw) => f.write_str(raw),
            Json::Text(raw) => write!(f, "\"{raw}\""),
            Json::Array(list) => {
                f.write_str("[")?;
                for (i, member) in list.iter().enumerate() {
                    f.write_str(if i > 0 { comma } else { "" })?;
                    value(member, f)?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (i, (key, member)) in members.iter().enumerate() {
                    write!(f, "{}\"{key}\"{colon}", if i > 0 { comma } else { "" })?;
                    value(member, f)?;
                }
                f.write_str("}")
            }
        }
    }
}

/// Reads the document that a text begins with; what stands behind it comes along.
pub fn parse_start<'t>(text: &'t str, stop: &Stop) -> Result<(Json<'t>, &'t str), Fault> {
    let mut reader = Reader::new(text, stop);
    let json = reader.value(0, Wanted::All)?;
    Ok((json, &text[reader.at..]))
}

/// A document as far as a text is one: what is read of it may be found though the rest be none.
pub struct Begun<'t> {
    pub json: Json<'t>,
    /// Values that do not end, each the last one of the one before, the document the first.
    open: usize,
}

impl<'t> Begun<'t> {
    /// Whether a value of it was read to its end.
    pub fn is_whole(&self, value: &Json<'_>) -> bool {
        let mut last = Some(&self.json);
        for _ in 0..self.open {
            if last.is_some_and(|last| std::ptr::eq(last, value)) {
                return false;
            }
            last = last.and_then(|last| last.children().last());
        }
        true
    }

    /// Whether there is a fault in it.
    pub fn is_torn(&self) -> bool {
        self.open > 0
    }

    /// What a path leads to in what was read. Places that are counted from an end need one.
    pub fn find<'j>(&'j self, path: &[Step]) -> Vec<&'j Json<'t>> {
        let mut found = Vec::new();
        find_where(&self.json, path, &|value| self.is_whole(value), &mut found);
        found
    }

    /// The first of it, if that was read to its end.
    pub fn first<'j>(&'j self, path: &[Step]) -> Option<&'j Json<'t>> {
        self.find(path).first().copied().filter(|json| self.is_whole(json))
    }
}

/// Reads the document that a text begins with, up to a fault in one of its members.
pub fn parse_begun<'t>(text: &'t str, stop: &Stop) -> Result<Begun<'t>, Fault> {
    let mut reader = Reader { torn: Some(0), ..Reader::new(text, stop) };
    let json = reader.value(0, Wanted::All)?;
    Ok(Begun { json, open: reader.torn.unwrap_or(0) })
}

/// Reads a document.
pub fn parse<'t>(text: &'t str, stop: &Stop) -> Result<Json<'t>, Fault> {
    parse_along(text, &[], stop)
}

/// Reads a document of which a path's values are wanted: what the path does not lead to is looked at and left out.
pub fn parse_along<'t>(text: &'t str, path: &[Step], stop: &Stop) -> Result<Json<'t>, Fault> {
    Reader::new(text, stop).whole(Wanted::Along(path)).map(|(json, _)| json)
}

/// The words of `text`, which `root` was read from, that one of its values was read from.
pub fn as_written<'t>(text: &'t str, root: &Json<'_>, wanted: &Json<'_>) -> &'t str {
    let (mut before, mut open) = (0, vec![root]);
    while let Some(value) = open.pop() {
        if std::ptr::eq(value, wanted) {
            break;
        }
        before += 1;
        let children: Vec<_> = value.children().collect();
        open.extend(children.into_iter().rev());
    }
    let places = Reader { text, at: 0, places: Some(Vec::new()), torn: Some(0), stop: None }
        .whole(Wanted::All)
        .map(|(_, places)| places);
    places
        .ok()
        .and_then(|places| places.get(before).cloned())
        .and_then(|place| text.get(place))
        .unwrap_or(text)
}

/// What is wanted of a value.
#[derive(Clone, Copy)]
enum Wanted<'p> {
    All,
    /// What a path leads to from it.
    Along(&'p [Step]),
    /// That it is one.
    Nothing,
}

impl<'p> Wanted<'p> {
    /// For a value that begins with this byte, where the path's next step decides what is wanted of its members.
    fn at(self, first: u8) -> Self {
        match self {
            // What is no array is one of itself.
            Wanted::Along([Step::Index(Place::Start(0)), rest @ ..]) if first != b'[' => {
                Wanted::Along(rest).at(first)
            }
            Wanted::Along([Step::Key(_) | Step::Index(Place::Start(_)), ..]) => self,
            Wanted::Along(_) => Wanted::All,
            other => other,
        }
    }

    /// Of a member of an object.
    fn named(self, key: &str) -> Self {
        match self {
            Wanted::Along([Step::Key(name), rest @ ..]) if is_key(key, name) => Wanted::Along(rest),
            Wanted::Along(_) => Wanted::Nothing,
            other => other,
        }
    }

    /// Of a member of an array.
    fn numbered(self, at: usize) -> Self {
        match self {
            Wanted::Along([Step::Index(Place::Start(place)), rest @ ..]) if *place == at => {
                Wanted::Along(rest)
            }
            Wanted::Along(_) => Wanted::Nothing,
            other => other,
        }
    }

    fn is_nothing(self) -> bool {
        matches!(self, Wanted::Nothing)
    }
}

#[derive(Clone)]
pub(super) struct Reader<'t, 's> {
    text: &'t str,
    pub(super) at: usize,
    /// Where each value stands, in the order in which they begin, for who asks.
    places: Option<Vec<std::ops::Range<usize>>>,
    /// How many values around the fault were left open, for who asks for what stands before it.
    torn: Option<usize>,
    stop: Option<&'s Stop>,
}

impl<'t, 's> Reader<'t, 's> {
    /// At the start of a text.
    pub(super) fn new(text: &'t str, stop: &'s Stop) -> Reader<'t, 's> {
        Reader { text, at: 0, places: None, torn: None, stop: Some(stop) }
    }

    fn whole(mut self, wanted: Wanted<'_>) -> Result<(Json<'t>, Vec<std::ops::Range<usize>>), Fault> {
        let json = self.value(0, wanted)?;
        match self.space().filter(|_| !self.is_torn()) {
            None => Ok((json, self.places.unwrap_or_default())),
            Some(_) => Err(self.syntax()),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space; gives what follows.
    fn space(&mut self) -> Option<u8> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
        self.peek()
    }

    /// The byte that a value begins with.
    pub(super) fn start(&mut self) -> Result<u8, Fault> {
        self.space().ok_or(Fault::End)
    }

    /// Goes to the quote that a name begins with.
    pub(super) fn quote(&mut self) -> Result<(), Fault> {
        match self.start()? {
            b'"' => Ok(()),
            _ => Err(self.syntax()),
        }
    }

    /// The name of a member, and the colon.
    pub(super) fn key(&mut self) -> Result<&'t str, Fault> {
        self.quote()?;
        let key = self.string()?;
        self.expect(b':')?;
        Ok(key)
    }

    /// Passes a value.
    pub(super) fn skip(&mut self, depth: usize) -> Result<(), Fault> {
        self.value(depth, Wanted::Nothing).map(drop)
    }

    /// The character here does not belong here: its last byte is named.
    fn syntax(&self) -> Fault {
        let character = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        match character {
            None => Fault::End,
            Some(c) if c < ' ' => Fault::Character(self.at + 1),
            Some(c) => Fault::Syntax(self.at + c.len_utf8()),
        }
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.space() != Some(byte) {
            return Err(self.syntax());
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize, wanted: Wanted<'_>) -> Result<Json<'t>, Fault> {
        let first = self.start()?;
        if matches!(first, b'[' | b'{') && depth + 1 >= DEPTH_MAX {
            return Err(Fault::Depth(self.at + 1));
        }
        if self.stop.is_some_and(Stop::is_set) {
            return Err(Fault::Stopped);
        }
        let start = self.at;
        let number = self.places.as_mut().map(|places| {
            places.push(start..start);
            places.len() - 1
        });
        let json = self.value_of(first, depth, wanted.at(first))?;
        if let (Some(places), Some(number)) = (&mut self.places, number) {
            places[number].end = self.at;
        }
        Ok(json)
    }

    fn value_of(&mut self, first: u8, depth: usize, wanted: Wanted<'_>) -> Result<Json<'t>, Fault> {
        match first {
            b'"' => self.string().map(|raw| Json::Text(raw.into())),
            b'[' => {
                let (mut list, mut at) = (Vec::new(), 0);
                self.between(b']', |reader| {
                    let member = reader.member(depth + 1, wanted.numbered(at))?;
                    at += 1;
                    // Members count, wanted or not.
                    if !wanted.is_nothing() {
                        list.push(member);
                    }
                    Ok(())
                })?;
                Ok(Json::Array(list))
            }
            b'{' => {
                let mut members = Vec::new();
                self.between(b'}', |reader| {
                    let key = reader.key()?;
                    let wanted = wanted.named(key);
                    let member = reader.member(depth + 1, wanted)?;
                    if !wanted.is_nothing() {
                        members.push((key.into(), member));
                    }
                    Ok(())
                })?;
                Ok(Json::Object(members))
            }
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            b'-' | b'0'..=b'9' => self.number(),
            _ => Err(self.syntax()),
        }
    }

    fn is_torn(&self) -> bool {
        self.torn.is_some_and(|open| open > 0)
    }

    /// Leaves a value open for a fault, where what stands before it is asked for.
    fn tear(&mut self, fault: Fault) -> Result<(), Fault> {
        match &mut self.torn {
            Some(open) if fault != Fault::Stopped => *open += 1,
            _ => return Err(fault),
        }
        Ok(())
    }

    /// The value of a member; something stands for one that is none.
    fn member(&mut self, depth: usize, wanted: Wanted<'_>) -> Result<Json<'t>, Fault> {
        match self.value(depth, wanted) {
            Err(fault) => self.tear(fault).map(|()| Json::Object(Vec::new())),
            read => read,
        }
    }

    /// What stands between brackets, separated by commas, from the bracket that opens to the one that closes.
    fn between(&mut self, end: u8, mut one: impl FnMut(&mut Self) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut first = true;
        loop {
            let read = match self.next(end, std::mem::take(&mut first)) {
                Ok(true) => one(self),
                Ok(false) => break,
                Err(fault) => Err(fault),
            };
            match read {
                Ok(()) if self.is_torn() => return self.tear(Fault::End),
                Ok(()) => {}
                Err(fault) => return self.tear(fault),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Goes from the bracket that opens to the first member, or from behind one to the next; whether there is one before the
    /// bracket that closes.
    pub(super) fn next(&mut self, end: u8, first: bool) -> Result<bool, Fault> {
        if first {
            self.at += 1;
            return Ok(self.space() != Some(end));
        }
        match self.space() {
            Some(b',') => self.at += 1,
            Some(byte) if byte == end => return Ok(false),
            _ => return Err(self.syntax()),
        }
        Ok(true)
    }

    fn string(&mut self) -> Result<&'t str, Fault> {
        self.at += 1;
        let start = self.at;
        loop {
            match self.peek().ok_or(Fault::End)? {
                b'"' => break,
                b'\\' => {
                    // Any character may be escaped; after \u come four digits.
                    let escaped = self.text[self.at + 1..].chars().next().ok_or(Fault::End)?;
                    self.at += 1 + escaped.len_utf8();
                    for _ in 0..if escaped == 'u' { 4 } else { 0 } {
                        match self.peek() {
                            None => return Err(Fault::End),
                            Some(digit) if !digit.is_ascii_hexdigit() => return Err(Fault::Syntax(self.at)),
                            Some(_) => self.at += 1,
                        }
                    }
                }
                0..=0x1F => return Err(Fault::Character(self.at + 1)),
                _ => self.at += 1,
            }
        }
        let raw = &self.text[start..self.at];
        self.at += 1;
        Ok(raw)
    }

    fn word(&mut self, word: &'static str) -> Result<Json<'t>, Fault> {
        for byte in word.bytes() {
            match self.peek() {
                None => return Err(Fault::End),
                // MariaDB names the last character that fitted.
                Some(other) if other != byte => return Err(Fault::Syntax(self.at)),
                Some(_) => self.at += 1,
            }
        }
        Ok(Json::Scalar(word.into()))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    /// Where digits are missing something must follow that ends a number.
    fn delimited(&self) -> Result<(), Fault> {
        match self.peek() {
            Some(b']' | b'}' | b',' | b' ' | b'\t' | b'\n' | b'\r') => Ok(()),
            None => Err(Fault::Syntax(self.at)),
            Some(_) => Err(self.syntax()),
        }
    }

    /// A number; MariaDB takes one that ends in its point.
    fn number(&mut self) -> Result<Json<'t>, Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            _ if self.digits() == 0 => self.delimited()?,
            _ => {}
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if self.digits() == 0 {
                self.delimited()?;
            }
        }
        Ok(Json::Scalar(self.text[start..self.at].into()))
    }
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

/// A text's characters as a document writes them, without quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
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
    out
}

/// A text in quotes, escaped.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_and_what_is_not() {
        let good = [
            "1",
            " -1.5e+3 ",
            "1.",
            "\"a\\\"b\"",
            "[]",
            "{}",
            "[1, {\"a\": [true, false, null]}]",
            "0",
            "\"\\z\"",
        ];
        for text in good {
            assert!(parse(text, &Stop::never()).is_ok(), "{text}");
        }
        let bad = [
            ("", Fault::End),
            ("{a: 1}", Fault::Syntax(2)),
            ("{\"a\": 1", Fault::End),
            ("[1,]", Fault::Syntax(4)),
            ("[1 2]", Fault::Syntax(4)),
            ("\"a", Fault::End),
            ("01", Fault::Syntax(2)),
            (".5", Fault::Syntax(1)),
            ("[1]]", Fault::Syntax(4)),
            ("\"a\tb\"", Fault::Character(3)),
            ("\"\\", Fault::End),
            ("\"\\u00zz\"", Fault::Syntax(5)),
        ];
        for (text, fault) in bad {
            assert_eq!(parse(text, &Stop::never()), Err(fault), "{text}");
        }
        assert_eq!(parse(&"[".repeat(31), &Stop::never()), Err(Fault::End));
        assert_eq!(parse(&"[".repeat(100_000), &Stop::never()), Err(Fault::Depth(32)));
    }

    #[test]
    fn a_document_is_written_as_it_was_read() {
        let json = parse("{ \"a\" : [ 1.50 ,\"x\\u0041\" ] }", &Stop::never()).expect("a document");
        assert_eq!(json.to_string(), "{\"a\": [1.50, \"x\\u0041\"]}");
        assert_eq!(format!("{json:#}"), "{\"a\":[1.50,\"x\\u0041\"]}");
        assert_eq!(unescaped("x\\u0041\\n\\ud83d\\ude00"), "xA\n\u{1F600}");
    }
}
