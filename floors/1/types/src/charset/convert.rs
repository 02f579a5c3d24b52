//! Characters of a byte string: decoding, counting, checking, converting between character sets.
//!
//! Decoding is total: a bad byte is a character of its own, for which [`Charset::decode`] gives no code point.

use std::borrow::Cow;

use super::Charset;
use super::bytes::ByteSet;
use super::sets::Encoding;

/// The outcome of [`Charset::convert`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The text in the new character set; `?` where a character does not exist there.
    pub bytes: Vec<u8>,
    /// Characters replaced by `?`.
    pub replaced: usize,
    /// Offset in the source of the first bad byte or character that could not be converted.
    pub first_bad: Option<usize>,
}

/// What did not fit into the new character set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Characters replaced by `?`.
    pub replaced: usize,
    /// Offset in the source of the first bad byte or character that could not be converted.
    pub first_bad: Option<usize>,
}

/// Decodes one UTF-8 sequence: code point (none for a bad byte) and its length (1 for a bad byte).
#[inline]
fn decode_utf8(bytes: &[u8], widest: usize) -> (Option<u32>, usize) {
    let first = bytes[0];
    if first < 0x80 {
        return (Some(u32::from(first)), 1);
    }
    let tail = |i: usize| bytes.get(i).filter(|b| **b & 0xC0 == 0x80).map(|b| u32::from(b & 0x3F));
    let lead = u32::from(first);
    match first {
        0xC2..=0xDF => match tail(1) {
            Some(a) => (Some((lead & 0x1F) << 6 | a), 2),
            None => (None, 1),
        },
        0xE0..=0xEF => match (tail(1), tail(2)) {
            (Some(a), Some(b)) => {
                let code = (lead & 0x0F) << 12 | a << 6 | b;
                // Surrogates pass, as they do in MariaDB.
                if code >= 0x800 { (Some(code), 3) } else { (None, 1) }
            }
            _ => (None, 1),
        },
        0xF0..=0xF4 if widest == 4 => match (tail(1), tail(2), tail(3)) {
            (Some(a), Some(b), Some(c)) => {
                let code = (lead & 0x07) << 18 | a << 12 | b << 6 | c;
                if (0x1_0000..=0x10_FFFF).contains(&code) { (Some(code), 4) } else { (None, 1) }
            }
            _ => (None, 1),
        },
        _ => (None, 1),
    }
}

/// Appends the UTF-8 of a code point; surrogates too.
pub(super) fn push_utf8(code: u32, out: &mut Vec<u8>) {
    match code {
        0..=0x7F => out.push(code as u8),
        0x80..=0x7FF => out.extend([0xC0 | (code >> 6) as u8, 0x80 | (code & 0x3F) as u8]),
        0x800..=0xFFFF => {
            out.extend([
                0xE0 | (code >> 12) as u8,
                0x80 | (code >> 6 & 0x3F) as u8,
                0x80 | (code & 0x3F) as u8,
            ]);
        }
        _ => out.extend([
            0xF0 | (code >> 18) as u8,
            0x80 | (code >> 12 & 0x3F) as u8,
            0x80 | (code >> 6 & 0x3F) as u8,
            0x80 | (code & 0x3F) as u8,
        ]),
    }
}

/// Decodes one UTF-16 character of at least two bytes; a surrogate without its other half is bad.
fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> (Option<u32>, usize) {
    let unit_at = |at: usize| Some(unit([*bytes.get(at)?, *bytes.get(at + 1)?]));
    match (unit_at(0), unit_at(2)) {
        (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
            (Some(0x1_0000 + (u32::from(high & 0x3FF) << 10) + u32::from(low & 0x3FF)), 4)
        }
        (Some(0xD800..=0xDFFF), _) => (None, 2),
        (Some(code), _) => (Some(u32::from(code)), 2),
        (None, _) => (None, bytes.len()),
    }
}

fn push_utf16(code: u32, out: &mut Vec<u8>, bytes: fn(u16) -> [u8; 2]) {
    match code.checked_sub(0x1_0000) {
        None => out.extend(bytes(code as u16)),
        Some(rest) => {
            out.extend(bytes(0xD800 + (rest >> 10) as u16));
            out.extend(bytes(0xDC00 + (rest & 0x3FF) as u16));
        }
    }
}

impl Charset {
    /// The first character of `bytes`, which must not be empty: its code point (none for a bad byte) and its length.
    #[inline]
    pub fn decode(self, bytes: &[u8]) -> (Option<u32>, usize) {
        match self.encoding() {
            Encoding::Utf8(widest) => decode_utf8(bytes, usize::from(widest)),
            Encoding::Binary => (Some(u32::from(bytes[0])), 1),
            Encoding::Byte(set) => (ByteSet::of(set).code(bytes[0]), 1),
            Encoding::Ucs2 => match bytes {
                [high, low, ..] => (Some(u32::from(u16::from_be_bytes([*high, *low]))), 2),
                _ => (None, bytes.len()),
            },
            Encoding::Utf16 => decode_utf16(bytes, u16::from_be_bytes),
            Encoding::Utf16le => decode_utf16(bytes, u16::from_le_bytes),
            Encoding::Utf32 => match bytes {
                [a, b, c, d, ..] => {
                    (Some(u32::from_be_bytes([*a, *b, *c, *d])).filter(|code| *code <= 0x10_FFFF), 4)
                }
                _ => (None, bytes.len()),
            },
        }
    }

    /// Appends a code point; false (and nothing appended) when the character set lacks it.
    pub fn encode(self, code: u32, out: &mut Vec<u8>) -> bool {
        match self.encoding() {
            Encoding::Utf8(4) | Encoding::Utf16 | Encoding::Utf16le | Encoding::Utf32 if code > 0x10_FFFF => {
                return false;
            }
            Encoding::Utf8(3) | Encoding::Ucs2 if code > 0xFFFF => return false,
            Encoding::Utf8(_) => push_utf8(code, out),
            Encoding::Ucs2 => out.extend((code as u16).to_be_bytes()),
            Encoding::Utf16 => push_utf16(code, out, u16::to_be_bytes),
            Encoding::Utf16le => push_utf16(code, out, u16::to_le_bytes),
            Encoding::Utf32 => out.extend(code.to_be_bytes()),
            Encoding::Binary if code <= 0xFF => out.push(code as u8),
            Encoding::Binary => return false,
            Encoding::Byte(set) => match ByteSet::of(set).byte(code) {
                Some(byte) => out.push(byte),
                None => return false,
            },
        }
        true
    }

    /// Length in bytes of the first character; 0 for an empty string.
    #[inline]
    pub fn char_len(self, bytes: &[u8]) -> usize {
        if bytes.is_empty() { 0 } else { self.decode(bytes).1 }
    }

    /// Bytes of each character where all have the same number.
    #[inline]
    fn fixed_width(self) -> Option<usize> {
        (self.min_char_bytes() == self.max_char_bytes()).then(|| self.max_char_bytes())
    }

    /// Number of characters.
    pub fn char_count(self, bytes: &[u8]) -> usize {
        if let Some(width) = self.fixed_width() {
            return bytes.len().div_ceil(width);
        }
        if self.is_utf8() && bytes.is_ascii() {
            return bytes.len();
        }
        if let (Charset::Utf8mb4, Ok(text)) = (self, std::str::from_utf8(bytes)) {
            return text.chars().count();
        }
        let (mut at, mut count) = (0, 0);
        while at < bytes.len() {
            at += self.decode(&bytes[at..]).1;
            count += 1;
        }
        count
    }

    /// Byte offset of the character number `chars`, or the length when there are fewer.
    pub fn offset_of_char(self, bytes: &[u8], chars: usize) -> usize {
        if let Some(width) = self.fixed_width() {
            return bytes.len().min(chars.saturating_mul(width));
        }
        if self.is_utf8() && bytes[..bytes.len().min(chars)].is_ascii() {
            return bytes.len().min(chars);
        }
        let (mut at, mut left) = (0, chars);
        while at < bytes.len() && left > 0 {
            at += self.decode(&bytes[at..]).1;
            left -= 1;
        }
        at
    }

    /// Length of the well-formed prefix: the whole length when every byte is good. Sets of one byte a character take
    /// every byte, ASCII its own only.
    pub fn valid_prefix(self, bytes: &[u8]) -> usize {
        match self.encoding() {
            _ if self == Charset::Ascii => bytes.iter().position(|b| *b >= 0x80).unwrap_or(bytes.len()),
            Encoding::Binary | Encoding::Byte(_) => bytes.len(),
            _ => {
                let narrow =
                    self == Charset::Utf8mb4 || self == Charset::Utf8mb3 && bytes.iter().all(|b| *b < 0xF0);
                if narrow && std::str::from_utf8(bytes).is_ok() {
                    return bytes.len();
                }
                let mut at = 0;
                while at < bytes.len() {
                    match self.decode(&bytes[at..]) {
                        (Some(_), len) => at += len,
                        (None, _) => break,
                    }
                }
                at
            }
        }
    }

    /// Whether bytes of `self` need no change to be read as `to`.
    pub fn same_bytes(self, to: Charset, bytes: &[u8]) -> bool {
        self == to
            || to == Charset::Binary
            || to.extends(self)
            || (self != Charset::Binary && self.is_ascii_based() && to.is_ascii_based() && bytes.is_ascii())
    }

    /// Text as its ASCII characters stand in UTF-8, for what reads numbers, dates or labels out of it.
    #[inline]
    pub fn to_plain(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        match self.is_ascii_based() {
            true => Cow::Borrowed(bytes),
            false => self.convert_cow(bytes, Charset::Utf8mb4),
        }
    }

    /// ASCII text in this character set.
    #[inline]
    pub fn of_plain(self, text: &[u8]) -> Cow<'_, [u8]> {
        match self.is_ascii_based() {
            true => Cow::Borrowed(text),
            false => Charset::Utf8mb4.convert_cow(text, self),
        }
    }

    /// A space.
    #[inline]
    pub const fn space(self) -> &'static [u8] {
        match self.encoding() {
            Encoding::Binary | Encoding::Byte(_) | Encoding::Utf8(_) => b" ",
            Encoding::Ucs2 | Encoding::Utf16 => b"\0 ",
            Encoding::Utf16le => b" \0",
            Encoding::Utf32 => b"\0\0\0 ",
        }
    }

    /// Text without the spaces at its end.
    #[inline]
    pub fn trim_spaces(self, bytes: &[u8]) -> &[u8] {
        let space = self.space();
        let mut rest = bytes;
        while let Some(shorter) = rest.strip_suffix(space) {
            rest = shorter;
        }
        rest
    }

    /// Whether text is white space alone, of which nobody misses what is cut off. In character sets of wide units
    /// that is spaces.
    pub fn is_white(self, bytes: &[u8]) -> bool {
        match self.is_ascii_based() {
            true => bytes.iter().all(|b| crate::number::is_space(*b)),
            false => self.trim_spaces(bytes).is_empty(),
        }
    }

    /// The parts of a text between separators, an ASCII character.
    pub fn split(self, bytes: &[u8], separator: u8) -> Vec<&[u8]> {
        if self.is_ascii_based() {
            return bytes.split(|b| *b == separator).collect();
        }
        let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
        while at < bytes.len() {
            let (code, len) = self.decode(&bytes[at..]);
            if code == Some(u32::from(separator)) {
                parts.push(&bytes[start..at]);
                start = at + len;
            }
            at += len;
        }
        parts.push(&bytes[start..]);
        parts
    }

    /// Binary bytes as text of this character set: those that are no whole number of the shortest character's bytes get
    /// zeros before them.
    fn of_binary(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        let width = self.min_char_bytes();
        match bytes.len() % width {
            0 => Cow::Borrowed(bytes),
            rest => Cow::Owned([&[0; 4][..width - rest], bytes].concat()),
        }
    }

    /// Converts `bytes` to the character set `to`. Bytes from or to binary pass unchanged, but for zeros before those
    /// that are too few for a character.
    pub fn convert(self, bytes: &[u8], to: Charset) -> Conversion {
        if self == Charset::Binary {
            return Conversion { bytes: to.of_binary(bytes).into_owned(), replaced: 0, first_bad: None };
        }
        if self.same_bytes(to, bytes) {
            return Conversion { bytes: bytes.to_vec(), replaced: 0, first_bad: None };
        }
        let mut out = Vec::with_capacity(bytes.len() + 8);
        let Lost { replaced, first_bad } = self.convert_to(bytes, to, &mut out);
        Conversion { bytes: out, replaced, first_bad }
    }

    /// Appends `bytes` character by character in the character set `to`.
    pub fn convert_to(self, bytes: &[u8], to: Charset, out: &mut Vec<u8>) -> Lost {
        let mut lost = Lost::default();
        let mut at = 0;
        while at < bytes.len() {
            let (code, len) = self.decode(&bytes[at..]);
            if !code.is_some_and(|code| to.encode(code, out)) {
                to.encode(u32::from(b'?'), out);
                lost.replaced += 1;
                lost.first_bad.get_or_insert(at);
            }
            at += len;
        }
        lost
    }

    /// The last place at or before `at`, and no more than a character before it, where no character is cut; the end
    /// where `at` is beyond it.
    pub fn boundary(self, bytes: &[u8], at: usize) -> usize {
        if at >= bytes.len() {
            return bytes.len();
        }
        match self.encoding() {
            Encoding::Binary | Encoding::Byte(_) => at,
            // Behind four bytes that continue a character none of them is part of the same one.
            Encoding::Utf8(_) => {
                (0..=at.min(3)).find(|back| bytes[at - back] & 0xC0 != 0x80).map_or(at, |back| at - back)
            }
            Encoding::Ucs2 => at & !1,
            Encoding::Utf32 => at & !3,
            Encoding::Utf16 | Encoding::Utf16le => {
                let at = at & !1;
                let high = if self.encoding() == Encoding::Utf16 { 0 } else { 1 };
                // Not between the halves of a character beyond the basic plane.
                let half = |at: usize, mark: u8| {
                    let unit = bytes.get(at..at + 2);
                    unit.is_some_and(|unit| unit[high] & 0xFC == mark)
                };
                match at >= 2 && half(at, 0xDC) && half(at - 2, 0xD8) {
                    true => at - 2,
                    false => at,
                }
            }
        }
    }

    /// Converts without a copy where the bytes can stay as they are.
    pub fn convert_cow(self, bytes: &[u8], to: Charset) -> Cow<'_, [u8]> {
        if self == Charset::Binary {
            return to.of_binary(bytes);
        }
        if self.same_bytes(to, bytes) {
            return Cow::Borrowed(bytes);
        }
        Cow::Owned(self.convert(bytes, to).bytes)
    }

    /// The text as a `String`; `?` or the replacement character for what does not fit.
    pub fn to_utf8_lossy(self, bytes: &[u8]) -> String {
        match self.encoding() {
            _ if self == Charset::Ascii => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Binary | Encoding::Utf8(_) => String::from_utf8_lossy(bytes).into_owned(),
            _ => String::from_utf8_lossy(&self.convert(bytes, Charset::Utf8mb4).bytes).into_owned(),
        }
    }
}
