//! The text of files: LOAD DATA reads it, SELECT ... INTO OUTFILE writes it.
//!
//! A row is a line, a field a part of it. Terminators, the quote and the escape are as the statement says; the defaults
//! are tab, newline, none and backslash. Where neither a terminator nor a quote parts the fields, each has the width that its
//! column's longest value needs.

use crate::error::SqlError;
use crate::syntax::ast::FileFormat;
use crate::syntax::literal::unescaped;
use types::{Charset, CollationId};

/// How rows stand in a file.
#[derive(Debug)]
pub struct Fields {
    terminated: Vec<u8>,
    enclosed: Option<u8>,
    optionally: bool,
    escaped: Option<u8>,
    starting: Vec<u8>,
    lines: Vec<u8>,
    /// The bytes of each field, where nothing parts them.
    widths: Option<Vec<usize>>,
    /// The most bytes of a character of each field that is read for a column of text, if the file is in UTF-8; 1 else.
    longest: Vec<usize>,
    /// Bytes of the longest character.
    widest: usize,
}

/// What reading a row came to.
#[derive(Debug, PartialEq, Eq)]
pub enum Read {
    /// A row, how many bytes it took, and whether the line has more than was wanted.
    Row(Vec<Option<Vec<u8>>>, usize, bool),
    /// The bytes end inside of the row.
    Partial,
    /// Nothing more.
    End,
}

/// One field of a row.
struct Field {
    value: Option<Vec<u8>>,
    /// Behind its terminator.
    next: usize,
    /// It was the line's last.
    last: bool,
}

impl Fields {
    /// What a statement says; error 1083 for what cannot be. `widths` is asked for how many bytes each field has where
    /// nothing parts them.
    pub fn of(
        format: &FileFormat,
        widths: impl FnOnce() -> Result<Vec<usize>, SqlError>,
    ) -> Result<Fields, SqlError> {
        let one = |text: &Option<Vec<u8>>, default: Option<u8>| match text.as_deref() {
            None => Ok(default),
            Some([]) => Ok(None),
            Some([byte]) => Ok(Some(*byte)),
            Some(_) => {
                let text = "Field separator argument is not what is expected; check the manual";
                Err(SqlError::new(1083, b"42000", text))
            }
        };
        let text = |text: &Option<Vec<u8>>, default: &[u8]| text.clone().unwrap_or_else(|| default.to_vec());
        let terminated = text(&format.fields_terminated, b"\t");
        let enclosed = one(&format.enclosed, None)?;
        Ok(Fields {
            widths: (terminated.is_empty() && enclosed.is_none()).then(widths).transpose()?,
            terminated,
            enclosed,
            optionally: format.optionally_enclosed,
            escaped: one(&format.escaped, Some(b'\\'))?,
            starting: text(&format.lines_starting, b""),
            lines: text(&format.lines_terminated, b"\n"),
            longest: Vec::new(),
            widest: 1,
        })
    }

    /// The same for reading text of a character set; `texts` says which fields are for columns of text.
    pub fn of_text(self, charset: CollationId, texts: impl Iterator<Item = bool>) -> Fields {
        let most = match charset.charset() {
            Charset::Utf8mb4 => 4,
            Charset::Utf8mb3 => 3,
            _ => 1,
        };
        let longest = texts.map(|text| if text { most } else { 1 }).collect();
        Fields { longest, widest: most, ..self }
    }

    /// Whether something parts the fields, so that they need no width.
    pub fn are_parted(&self) -> bool {
        self.widths.is_none()
    }

    /// Whether what parts fields can be a part of a number that nothing encloses.
    pub fn are_ambiguous(&self) -> bool {
        (self.optionally || self.enclosed.is_none()) && may_be_in_number(self.terminated.first().copied())
    }

    /// Behind the next line, whose end is none where it is escaped, or behind the next row of `wanted` fields where lines have
    /// no end; `None` where the bytes end before.
    pub fn skip_line(&self, bytes: &[u8], wanted: usize) -> Option<usize> {
        if !self.lines.is_empty() {
            return self.unread_line(bytes);
        }
        match self.read(bytes, false, wanted) {
            Read::Row(_, took, _) => Some(took),
            Read::Partial | Read::End => None,
        }
    }

    /// Reads the row of `wanted` fields at most that `bytes` start with, and passes over the rest of its line. With `all`
    /// nothing comes behind the bytes.
    pub fn read(&self, bytes: &[u8], all: bool, wanted: usize) -> Read {
        let mut at = 0;
        if !self.starting.is_empty() {
            match find(bytes, &self.starting) {
                Some(found) => at = found + self.starting.len(),
                None if all => return Read::End,
                None => return Read::Partial,
            }
        }
        if at == bytes.len() {
            return if all { Read::End } else { Read::Partial };
        }
        if let Some(widths) = &self.widths {
            return self.row_of_widths(widths, bytes, at, all);
        }
        let mut row = Vec::new();
        loop {
            if at == bytes.len() && all {
                // A terminator that the file ends with begins no field.
                return Read::Row(row, at, false);
            }
            let longest = self.longest.get(row.len()).copied().unwrap_or(1);
            let Some(field) = self.field(bytes, at, all, longest) else { return Read::Partial };
            row.push(field.value);
            at = field.next;
            if field.last {
                return Read::Row(row, at, false);
            }
            if row.len() >= wanted {
                return match self.rest_of_line(bytes, at, all) {
                    Some((next, more)) => Read::Row(row, next, more),
                    None => Read::Partial,
                };
            }
        }
    }

    /// The row at a place whose fields nothing parts. The line's end ends it before all fields are there; an escape takes no
    /// room in its field.
    fn row_of_widths(&self, widths: &[usize], bytes: &[u8], start: usize, all: bool) -> Read {
        let whole = widths.iter().fold(0, |sum: usize, width| sum.saturating_add(*width));
        let mut text = Vec::new();
        let mut at = start;
        while text.len() < whole {
            let rest = &bytes[at..];
            match rest {
                [] if all => break,
                [escape, next, ..] if self.escaped == Some(*escape) => {
                    text.push(unescaped(*next));
                    at += 2;
                }
                _ if rest.len() < self.lines.len().max(2) && !all => return Read::Partial,
                _ if !self.lines.is_empty() && rest.starts_with(&self.lines) => break,
                _ => {
                    text.push(rest[0]);
                    at += 1;
                }
            }
        }
        // Where lines have no end and fields no width, the file has no rows.
        let Some((next, more)) = self.rest_of_line(bytes, at, all) else { return Read::Partial };
        if next == start {
            return Read::End;
        }
        let mut rest = text.as_slice();
        let mut row = Vec::with_capacity(widths.len());
        for width in widths {
            if rest.is_empty() {
                break;
            }
            let (field, behind) = rest.split_at(rest.len().min(*width));
            row.push(Some(field.to_vec()));
            rest = behind;
        }
        Read::Row(row, next, more)
    }

    /// Behind the line's end, and whether there is something before it; quotes mean nothing there. A line that the file's
    /// end ends has nothing more. `None` where the bytes may end before.
    fn rest_of_line(&self, bytes: &[u8], start: usize, all: bool) -> Option<(usize, bool)> {
        if self.lines.is_empty() {
            return Some((start, false));
        }
        let mut at = start;
        while at < bytes.len() {
            if self.escaped == Some(bytes[at]) {
                at += 2;
            } else if bytes[at..].starts_with(&self.lines) {
                return Some((at + self.lines.len(), at > start));
            } else {
                at += 1;
            }
        }
        all.then_some((bytes.len(), false))
    }

    /// Behind the end of a line of which nothing is read: what begins a character of several bytes takes as many as it asks
    /// for, the line's end among them.
    fn unread_line(&self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            if self.escaped == Some(bytes[at]) {
                at += 2;
            } else if bytes[at..].starts_with(&self.lines) {
                return Some(at + self.lines.len());
            } else {
                at += begun(bytes[at], self.widest);
            }
        }
        None
    }

    /// The field at a place; `None` where the bytes may end inside of it.
    fn field(&self, bytes: &[u8], start: usize, all: bool, longest: usize) -> Option<Field> {
        let quote = self.enclosed.filter(|quote| bytes.get(start) == Some(quote));
        let mut at = start + usize::from(quote.is_some());
        let mut value = Vec::new();
        let mut is_null = false;
        loop {
            let Some(&byte) = bytes.get(at) else {
                // A quote that nothing closes is none, and `\N` behind it no NULL.
                if let Some(quote) = quote {
                    value.splice(..0, [quote].into_iter().chain(is_null.then_some(b'N')));
                    is_null = false;
                }
                return all.then(|| Field { value: self.finish(value, is_null, None), next: at, last: true });
            };
            if self.escaped == Some(byte) && (self.enclosed != Some(byte)) {
                let Some(&next) = bytes.get(at + 1) else {
                    // At the end of the file it escapes nothing.
                    value.push(byte);
                    at += 1;
                    match all {
                        true => continue,
                        false => return None,
                    }
                };
                match next {
                    b'N' if value.is_empty() => is_null = true,
                    _ => value.push(unescaped(next)),
                }
                at += 2;
                continue;
            }
            if let Some(quote) = quote
                && byte == quote
            {
                let behind = at + 1;
                // What follows decides; it must be there.
                let needed = self.terminated.len().max(self.lines.len()).max(1);
                if bytes.len() < behind + needed && !all {
                    return None;
                }
                if bytes.get(behind) == Some(&quote) {
                    value.push(quote);
                    at = behind + 1;
                    continue;
                }
                if let Some((next, last)) = self.terminator(bytes, behind) {
                    let value = self.finish(value, is_null, Some(quote));
                    return Some(Field { value, next, last });
                }
                if behind >= bytes.len() && self.escaped == Some(quote) {
                    // As an escape it escapes nothing, and closes nothing.
                    value.push(quote);
                    at = behind;
                    continue;
                }
                if behind >= bytes.len() {
                    let value = self.finish(value, is_null, Some(quote));
                    return Some(Field { value, next: behind, last: true });
                }
            } else if quote.is_none() {
                let needed = self.terminated.len().max(self.lines.len());
                if let Some((next, last)) = self.terminator(bytes, at) {
                    let value = self.finish(value, is_null, None);
                    return Some(Field { value, next, last });
                }
                if bytes.len() < at + needed && !all {
                    return None;
                }
            }
            let took = character(bytes, at, all, longest)?;
            value.extend_from_slice(&bytes[at..at + took]);
            at += took;
        }
    }

    /// Whether a field or line ends at a place: behind the terminator, and whether it is the line's.
    fn terminator(&self, bytes: &[u8], at: usize) -> Option<(usize, bool)> {
        let here = |text: &[u8]| !text.is_empty() && bytes[at..].starts_with(text);
        let line = here(&self.lines);
        if here(&self.terminated) && !(line && self.lines.len() >= self.terminated.len()) {
            return Some((at + self.terminated.len(), false));
        }
        line.then(|| (at + self.lines.len(), true))
    }

    fn finish(&self, value: Vec<u8>, is_null: bool, quote: Option<u8>) -> Option<Vec<u8>> {
        // Where fields may be quoted, the bare word is the value.
        let word = quote.is_none() && self.enclosed.is_some() && value == b"NULL";
        if (is_null && value.is_empty()) || word {
            return None;
        }
        match is_null {
            true => Some([b"N", value.as_slice()].concat()),
            false => Some(value),
        }
    }

    /// Appends a row: each value's text, and whether it is a string's.
    pub fn write(&self, row: &[(Option<Vec<u8>>, bool)], out: &mut Vec<u8>) {
        out.extend_from_slice(&self.starting);
        for (i, (text, is_string)) in row.iter().enumerate() {
            if let Some(widths) = &self.widths {
                let (text, width) = (text.as_deref().unwrap_or_default(), widths[i]);
                let text = &text[..text.len().min(width)];
                self.write_text(text, *is_string, None, out);
                // What is escaped takes more of the file than of the width.
                out.resize(out.len() + width - text.len(), b' ');
                continue;
            }
            if i > 0 {
                out.extend_from_slice(&self.terminated);
            }
            let quote = self.enclosed.filter(|_| *is_string || !self.optionally);
            let Some(text) = text else {
                match self.escaped {
                    Some(escape) => out.extend_from_slice(&[escape, b'N']),
                    None => out.extend_from_slice(b"NULL"),
                }
                continue;
            };
            out.extend(quote);
            self.write_text(text, *is_string, quote, out);
            out.extend(quote);
        }
        out.extend_from_slice(&self.lines);
    }

    /// Appends a field's text, escaped where it has to be: numbers only where what parts fields or escapes can be part of one.
    fn write_text(&self, text: &[u8], is_string: bool, quote: Option<u8>, out: &mut Vec<u8>) {
        let separator = self.enclosed.or(self.terminated.first().copied());
        match is_string || may_be_in_number(separator) || may_be_in_number(self.escaped) {
            true => text.iter().for_each(|&byte| self.write_byte(byte, quote, out)),
            false => out.extend_from_slice(text),
        }
    }

    fn write_byte(&self, byte: u8, quote: Option<u8>, out: &mut Vec<u8>) {
        let separates = quote.or(self.terminated.first().copied()) == Some(byte);
        // Escaped, a letter that means something would mean that.
        let means_something = b"ntrb0ZN".contains(&byte);
        let special =
            separates || self.lines.first() == Some(&byte) || byte == 0 || self.escaped == Some(byte);
        match self.escaped {
            Some(_) if separates && means_something => out.extend(quote),
            Some(escape) if special => out.push(escape),
            None if quote == Some(byte) => out.push(byte),
            _ => {}
        }
        out.push(if byte == 0 && self.escaped.is_some() { b'0' } else { byte });
    }
}

fn may_be_in_number(byte: Option<u8>) -> bool {
    byte.is_some_and(|byte| b".0123456789e+-".contains(&byte))
}

fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    match text.is_empty() {
        true => None,
        false => bytes.windows(text.len()).position(|window| window == text),
    }
}

/// Bytes of the character that one begins; one where it would have more than `longest`.
fn begun(byte: u8, longest: usize) -> usize {
    let length = match byte {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 1,
    };
    if length > longest { 1 } else { length }
}

/// How many bytes are read as one character: all of a whole one, all but the last of those that should be one, so that
/// what ends a field may stand among them. `None` where the bytes may end inside of it.
fn character(bytes: &[u8], at: usize, all: bool, longest: usize) -> Option<usize> {
    let length = begun(bytes[at], longest);
    if length == 1 {
        return Some(1);
    }
    match bytes.get(at..at + length) {
        None => all.then_some(bytes.len() - at),
        Some(whole) if std::str::from_utf8(whole).is_ok() => Some(length),
        Some(_) => Some(length - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(format: &FileFormat, bytes: &[u8], step: usize) -> Vec<Vec<Option<String>>> {
        let fields = Fields::of(format, || Ok(vec![3, 2])).expect("a format");
        let mut rows = Vec::new();
        let (mut from, mut to) = (0, 0);
        loop {
            match fields.read(&bytes[from..to], to == bytes.len(), usize::MAX) {
                Read::Row(row, took, _) => {
                    let text = |v: Option<Vec<u8>>| v.map(|v| String::from_utf8_lossy(&v).into_owned());
                    rows.push(row.into_iter().map(text).collect());
                    from += took;
                }
                Read::Partial => to = (to + step).min(bytes.len()),
                Read::End => return rows,
            }
        }
    }

    #[test]
    fn rows_are_the_same_however_the_bytes_come() {
        let quoted = FileFormat {
            fields_terminated: Some(b"::".to_vec()),
            enclosed: Some(b"\"".to_vec()),
            lines_terminated: Some(b"\r\n".to_vec()),
            ..FileFormat::default()
        };
        let plain = FileFormat::default();
        let fixed = FileFormat {
            fields_terminated: Some(Vec::new()),
            lines_terminated: Some(b"\r\n".to_vec()),
            ..FileFormat::default()
        };
        let unended = FileFormat { lines_terminated: Some(Vec::new()), ..fixed.clone() };
        for (format, bytes) in [
            (&fixed, &b"abcde\r\nf\\t\\\\hi\r\na\r\n\r\nabcdef\\\r\n\r\nxy"[..]),
            (&unended, b"abcdefghijk\\"),
            (&plain, &b"1\ta\\tb\t\\N\n\\N2\t\n\nlast"[..]),
            (&quoted, b"\"a\"\"b\"::\"x::\r\ny\"::NULL\r\n\"NULL\"::2:3::\"open\r\n"),
        ] {
            let whole = rows(format, bytes, bytes.len());
            assert!(whole.len() > 1);
            for step in 1..5 {
                assert_eq!(rows(format, bytes, step), whole);
            }
        }
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(rows(&plain, b"1\ta\\tb\t\\N\n", 9), [[some("1"), some("a\tb"), None]]);
        assert_eq!(rows(&quoted, b"\"a\"\"b\"::NULL\r\n", 9), [[some("a\"b"), None]]);
        // The word is NULL only where fields may be quoted, whatever escapes there are.
        let bare = FileFormat { escaped: Some(Vec::new()), ..FileFormat::default() };
        let unescaped = FileFormat { escaped: Some(Vec::new()), ..quoted.clone() };
        assert_eq!(rows(&bare, b"NULL\t\\N\n", 9), [[some("NULL"), some("\\N")]]);
        assert_eq!(rows(&plain, b"NULL\t\\N\n", 9), [[some("NULL"), None]]);
        assert_eq!(rows(&unescaped, b"NULL::\"NULL\"\r\n", 9), [[None, some("NULL")]]);
        assert_eq!(rows(&plain, b"1\t\\", 9), [[some("1"), some("\\")]]);
        let cut = |text: &[u8]| rows(&fixed, text, 9);
        assert_eq!(cut(b"abcde\r\nab\r\n"), [vec![some("abc"), some("de")], vec![some("ab")]]);
        assert_eq!(cut(b"a\\\\cd\\\r\n"), [[some("a\\c"), some("d\r")]]);
        assert_eq!(rows(&unended, b"abcdefgh", 9), [vec![some("abc"), some("de")], vec![some("fgh")]]);
        // No NULL behind a quote that is none, and no end of a line behind an escape.
        assert_eq!(rows(&quoted, b"\"\\Nx\r\n", 9), [[some("\"Nx\r\n")]]);
        assert_eq!(
            Fields::of(&plain, || Ok(Vec::new())).expect("a format").skip_line(b"a\\\nb\nc", 9),
            Some(5)
        );
    }

    #[test]
    fn what_should_be_a_character_takes_what_ends_a_field() {
        let format = FileFormat::default();
        let read = |bytes: &[u8], text: bool| {
            let fields = Fields::of(&format, || Ok(Vec::new())).expect("a format");
            let fields = fields.of_text(CollationId::UTF8MB4_GENERAL_CI, [text, false].into_iter());
            match fields.read(bytes, true, 2) {
                Read::Row(row, ..) => row.into_iter().flatten().collect::<Vec<_>>(),
                _ => Vec::new(),
            }
        };
        assert_eq!(read(b"\xE4\t7\tb\n", true), [&b"\xE4\t7"[..], b"b"]);
        assert_eq!(read(b"\xE4\t7\tb\n", false), [&b"\xE4"[..], b"7"]);
        assert_eq!(read(b"\xE4\t\t7\n", true), [&b"\xE4\t"[..], b"7"]);
        assert_eq!(read(b"\xC3\t7\n", true), [&b"\xC3"[..], b"7"]);
        assert_eq!(read(b"\xF0\t\t\t7\n", true), [&b"\xF0\t\t"[..], b"7"]);
        assert_eq!(read(b"\xE4\n", true), [&b"\xE4\n"[..]]);
        assert_eq!(read("\u{e4}\t7\n".as_bytes(), true), [&b"\xC3\xA4"[..], b"7"]);
    }

    #[test]
    fn what_is_written_reads_back() {
        let format = FileFormat { enclosed: Some(b"'".to_vec()), ..FileFormat::default() };
        let fields = Fields::of(&format, || Ok(Vec::new())).expect("a format");
        let values = [Some(b"it's\t\\ \n\0".to_vec()), None, Some(b"".to_vec())];
        let row: Vec<_> = values.iter().map(|v| (v.clone(), true)).collect();
        let mut out = Vec::new();
        fields.write(&row, &mut out);
        assert_eq!(fields.read(&out, true, 3), Read::Row(values.to_vec(), out.len(), false));
        assert_eq!(fields.read(&out, true, 1), Read::Row(values[..1].to_vec(), out.len(), true));
    }
}
