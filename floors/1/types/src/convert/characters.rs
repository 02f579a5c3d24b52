//! Text on its way into the character set of a column.

use crate::charset::Charset;
use crate::value::{Bytes, StrValue};

/// The first character that a character set lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bad {
    /// Where it is in the text.
    pub offset: usize,
    /// Where a question mark stands for it.
    pub at: usize,
}

/// The string's bytes in the column's character set; binary strings are taken as they are and checked.
pub(super) fn in_charset(s: StrValue, charset: Charset, bad: &mut Option<Bad>) -> Bytes {
    let from = s.collation.charset();
    if charset == Charset::Binary {
        return s.bytes;
    }
    if from == Charset::Binary && !s.bytes.len().is_multiple_of(charset.min_char_bytes()) {
        // Zeros before it make whole characters.
        let aligned = Bytes::from(&from.convert_cow(&s.bytes, charset)[..]);
        return in_charset(StrValue { bytes: aligned, collation: s.collation }, charset, bad);
    }
    if from == Charset::Binary || from.same_bytes(charset, &s.bytes) {
        // What is no character of its own set is none of a wider one either.
        let set = if charset.extends(from) { from } else { charset };
        // An ASCII column keeps bytes as any other of one byte a character does.
        let good = if charset == Charset::Ascii { s.bytes.len() } else { set.valid_prefix(&s.bytes) };
        if good == s.bytes.len() {
            return s.bytes;
        }
        *bad = Some(Bad { offset: good, at: good });
        let converted = replace_bad(set, &s.bytes);
        return Bytes::from(converted);
    }
    let converted = from.convert(&s.bytes, charset);
    if let Some(offset) = converted.first_bad {
        let at = from.convert_cow(&s.bytes[..offset], charset).len();
        *bad = Some(Bad { offset, at });
    }
    Bytes::from(converted.bytes)
}

/// `?` in place of every byte that is no character.
fn replace_bad(charset: Charset, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (code, len) = charset.decode(&bytes[at..]);
        match code {
            Some(_) => out.extend_from_slice(&bytes[at..at + len]),
            None => out.extend_from_slice(&charset.of_plain(b"?")),
        }
        at += len;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::CollationId;

    /// LOAD DATA ... CHARACTER SET utf8mb3 kept characters of four bytes in columns of utf8mb4.
    #[test]
    fn what_utf8mb3_has_no_character_for_is_lost_in_utf8mb4_as_well() {
        let text = StrValue::new("a\u{1f600}".as_bytes(), CollationId::UTF8MB3_GENERAL_CI);
        let mut bad = None;
        let kept = in_charset(text, Charset::Utf8mb4, &mut bad);
        assert_eq!(&kept[..], b"a????");
        assert_eq!(bad, Some(Bad { offset: 1, at: 1 }));
    }
}
