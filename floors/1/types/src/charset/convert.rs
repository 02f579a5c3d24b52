//! Characters of a byte string: decoding, counting, checking, converting between character sets.
//!
//! Decoding is total: a bad byte is a character of its own, for which [`Charset::decode`] gives no code point.

use std::borrow::Cow;

use super::Charset;

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

/// Windows-1252 code points of 0x80 to 0x9F; MariaDB keeps the five unassigned ones as C1 controls.
const CP1252_HIGH: [u16; 32] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
];

fn latin1_byte(code: u32) -> Option<u8> {
    match code {
        0..=0x7F | 0xA0..=0xFF => Some(code as u8),
        _ => CP1252_HIGH.iter().position(|&c| u32::from(c) == code).map(|i| 0x80 + i as u8),
    }
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

impl Charset {
    /// The first character of `bytes`, which must not be empty: its code point (none for a bad byte) and its length.
    #[inline]
    pub fn decode(self, bytes: &[u8]) -> (Option<u32>, usize) {
        match self {
            Charset::Utf8mb4 => decode_utf8(bytes, 4),
            Charset::Utf8mb3 => decode_utf8(bytes, 3),
            Charset::Binary => (Some(u32::from(bytes[0])), 1),
            Charset::Ascii => (Some(u32::from(bytes[0])).filter(|c| *c < 0x80), 1),
            Charset::Latin1 => {
                let b = bytes[0];
                let code =
                    if (0x80..0xA0).contains(&b) { CP1252_HIGH[usize::from(b - 0x80)] } else { b.into() };
                (Some(u32::from(code)), 1)
            }
        }
    }

    /// Appends a code point; false (and nothing appended) when the character set lacks it.
    pub fn encode(self, code: u32, out: &mut Vec<u8>) -> bool {
        match self {
            Charset::Utf8mb4 if code <= 0x10_FFFF => push_utf8(code, out),
            Charset::Utf8mb3 if code <= 0xFFFF => push_utf8(code, out),
            Charset::Binary if code <= 0xFF => out.push(code as u8),
            Charset::Ascii if code < 0x80 => out.push(code as u8),
            Charset::Latin1 => match latin1_byte(code) {
                Some(b) => out.push(b),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// Length in bytes of the first character; 0 for an empty string.
    #[inline]
    pub fn char_len(self, bytes: &[u8]) -> usize {
        if bytes.is_empty() { 0 } else { self.decode(bytes).1 }
    }

    /// Number of characters.
    pub fn char_count(self, bytes: &[u8]) -> usize {
        if !self.is_utf8() || bytes.is_ascii() {
            return bytes.len();
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
        if !self.is_utf8() {
            return bytes.len().min(chars);
        }
        if bytes[..bytes.len().min(chars)].is_ascii() {
            return bytes.len().min(chars);
        }
        let (mut at, mut left) = (0, chars);
        while at < bytes.len() && left > 0 {
            at += self.decode(&bytes[at..]).1;
            left -= 1;
        }
        at
    }

    /// Length of the well-formed prefix: the whole length when every byte is good.
    pub fn valid_prefix(self, bytes: &[u8]) -> usize {
        match self {
            Charset::Binary | Charset::Latin1 => bytes.len(),
            Charset::Ascii => bytes.iter().position(|b| *b >= 0x80).unwrap_or(bytes.len()),
            Charset::Utf8mb3 | Charset::Utf8mb4 => {
                let narrow = self == Charset::Utf8mb4 || bytes.iter().all(|b| *b < 0xF0);
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
            || (self == Charset::Utf8mb3 && to == Charset::Utf8mb4)
            || (self != Charset::Binary && bytes.is_ascii())
    }

    /// Converts `bytes` to the character set `to`. Bytes from or to binary pass unchanged.
    pub fn convert(self, bytes: &[u8], to: Charset) -> Conversion {
        if self == Charset::Binary || self.same_bytes(to, bytes) {
            return Conversion { bytes: bytes.to_vec(), replaced: 0, first_bad: None };
        }
        let mut out = Conversion { bytes: Vec::with_capacity(bytes.len() + 8), replaced: 0, first_bad: None };
        let mut at = 0;
        while at < bytes.len() {
            let (code, len) = self.decode(&bytes[at..]);
            if !code.is_some_and(|code| to.encode(code, &mut out.bytes)) {
                out.bytes.push(b'?');
                out.replaced += 1;
                out.first_bad.get_or_insert(at);
            }
            at += len;
        }
        out
    }

    /// Converts without a copy where the bytes can stay as they are.
    pub fn convert_cow(self, bytes: &[u8], to: Charset) -> Cow<'_, [u8]> {
        if self == Charset::Binary || self.same_bytes(to, bytes) {
            return Cow::Borrowed(bytes);
        }
        Cow::Owned(self.convert(bytes, to).bytes)
    }

    /// The text as a `String`; `?` or the replacement character for what does not fit.
    pub fn to_utf8_lossy(self, bytes: &[u8]) -> String {
        match self {
            Charset::Latin1 => {
                String::from_utf8_lossy(&self.convert(bytes, Charset::Utf8mb4).bytes).into_owned()
            }
            _ => String::from_utf8_lossy(bytes).into_owned(),
        }
    }
}
