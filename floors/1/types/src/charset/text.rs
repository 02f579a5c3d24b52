//! What collations and character sets do with text beyond comparing: case, LIKE, search, WEIGHT_STRING.

use super::bytes::ByteSet;
use super::collation::Rule;
use super::sets::Encoding;
use super::{Charset, Collation, tables};

/// The direction of a change of case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Upper,
    Lower,
}

impl Collation {
    /// Appends `bytes` in capitals. Binary strings stay as they are. Collations of newer Unicode know more pairs of
    /// letters.
    pub fn upper(&self, bytes: &[u8], out: &mut Vec<u8>) {
        self.map_case(bytes, Case::Upper, out);
    }

    /// Appends `bytes` in small letters. Binary strings stay as they are.
    pub fn lower(&self, bytes: &[u8], out: &mut Vec<u8>) {
        self.map_case(bytes, Case::Lower, out);
    }

    /// Whether the case of these bytes is that of ASCII, each byte by itself.
    pub fn has_case_of_ascii(&self, bytes: &[u8]) -> bool {
        let own_pairs = matches!(self.charset.encoding(), Encoding::Binary | Encoding::Byte(_));
        self.charset.is_ascii_based() && !own_pairs && !self.is_turkish() && bytes.is_ascii()
    }

    fn is_turkish(&self) -> bool {
        matches!(self.rule, Rule::Uca(uca) if uca.is_turkish())
    }

    fn map_case(&self, bytes: &[u8], case: Case, out: &mut Vec<u8>) {
        out.reserve(bytes.len());
        match self.charset.encoding() {
            Encoding::Binary => return out.extend_from_slice(bytes),
            Encoding::Byte(set) => {
                let set = ByteSet::of(set);
                return match case {
                    Case::Upper => out.extend(bytes.iter().map(|b| set.upper(*b))),
                    Case::Lower => out.extend(bytes.iter().map(|b| set.lower(*b))),
                };
            }
            _ => {}
        }
        let (charset, pairs) = (self.charset, self.case_pairs());
        let turkish = self.is_turkish();
        let ascii_bytes = charset.is_ascii_based() && !turkish;
        let mut at = 0;
        while at < bytes.len() {
            if ascii_bytes && bytes[at] < 0x80 {
                let len = bytes[at..].iter().position(|byte| *byte >= 0x80).unwrap_or(bytes.len() - at);
                let start = out.len();
                out.extend_from_slice(&bytes[at..at + len]);
                match case {
                    Case::Upper => out[start..].make_ascii_uppercase(),
                    Case::Lower => out[start..].make_ascii_lowercase(),
                }
                at += len;
                continue;
            }
            let (code, len) = charset.decode(&bytes[at..]);
            let mapped = code.map(|code| match case {
                Case::Upper if turkish && code == 0x69 => 0x130,
                Case::Lower if turkish && code == 0x49 => 0x131,
                Case::Upper => pairs.to_upper(code),
                Case::Lower => pairs.to_lower(code),
            });
            if !mapped.is_some_and(|code| charset.encode(code, out)) {
                out.extend_from_slice(&bytes[at..at + len]);
            }
            at += len;
        }
    }

    fn case_pairs(&self) -> &'static tables::CasePairs {
        match self.rule {
            Rule::Uca(uca) if *uca == super::uca::UCA_1400 => &tables::CASE_1400,
            Rule::Uca(uca) if *uca == super::uca::UNICODE_520 => &tables::CASE_520,
            _ => &tables::CASE,
        }
    }

    /// Whether two characters (or texts) are the same to LIKE and searches: padding plays no part.
    fn same_char(&self, a: &[u8], b: &[u8]) -> bool {
        if a == b {
            return true;
        }
        match self.rule {
            Rule::Bytes | Rule::Codes => false,
            _ => self.weights(a).eq(self.weights(b)),
        }
    }

    /// Whether two characters are the same to LIKE: those that a version of Unicode knows no weights of are themselves.
    fn alike(&self, a: &[u8], b: &[u8]) -> bool {
        let unknown =
            |uca: &super::uca::Uca, c: &[u8]| self.charset.decode(c).0.is_some_and(|c| !uca.knows(c));
        match self.rule {
            Rule::Uca(uca) if a != b && unknown(uca, a) && unknown(uca, b) => false,
            _ => self.same_char(a, b),
        }
    }

    fn char_at<'a>(&self, text: &'a [u8], at: usize) -> &'a [u8] {
        &text[at..at + self.charset.char_len(&text[at..])]
    }

    /// Whether `text` is LIKE `pattern`, in which `escape` (a code point; none for none) makes the next character
    /// literal. Padding plays no part.
    pub fn like(&self, text: &[u8], pattern: &[u8], escape: Option<u32>) -> bool {
        if let (Rule::Table(table), Encoding::Byte(set)) = (self.rule, self.charset.encoding()) {
            let escape = escape.and_then(|code| ByteSet::of(set).byte(code));
            return like_bytes(text, pattern, escape, &ByTable(table));
        }
        if let Some(fold) = self.ascii_rule()
            && pattern.is_ascii()
            && text.is_ascii()
        {
            let escape = escape.and_then(|code| u8::try_from(code).ok());
            return match fold {
                true => like_bytes(text, pattern, escape, &AnyCase),
                false => like_bytes(text, pattern, escape, &Same),
            };
        }
        let (mut at, mut p) = (0, 0);
        // Where to go on when the match fails: the pattern after the last %, and the text it should take next.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let token = Token::next(self.charset, &pattern[p..], escape);
            match token {
                Token::Any(len) => {
                    p += len;
                    if p == pattern.len() {
                        return true;
                    }
                    retry = Some((p, at));
                    continue;
                }
                Token::One(len) if at < text.len() => {
                    p += len;
                    at += self.char_at(text, at).len();
                    continue;
                }
                Token::Literal { skip, len } if at < text.len() => {
                    let wanted = &pattern[p + skip..p + skip + len];
                    let here = self.char_at(text, at);
                    if self.alike(here, wanted) {
                        p += skip + len;
                        at += here.len();
                        continue;
                    }
                }
                Token::End if at == text.len() => return true,
                _ => {}
            }
            match retry {
                Some((after, from)) if from < text.len() => {
                    let next = from + self.char_at(text, from).len();
                    retry = Some((after, next));
                    (p, at) = (after, next);
                }
                _ => return false,
            }
        }
    }

    /// Whether ASCII letters of both cases are the same here and all other ASCII characters only themselves; `None` where
    /// more has to be known of them.
    fn ascii_rule(&self) -> Option<bool> {
        match self.rule {
            Rule::General if self.charset.is_utf8() => Some(true),
            Rule::Bytes | Rule::Codes if self.charset.is_ascii_based() => Some(false),
            _ => None,
        }
    }

    /// The first match of `needle` at or after byte `from` of `text`: its byte range. An empty needle matches at once.
    ///
    /// As in MariaDB a match has the needle's number of bytes: an umlaut of two bytes does not match its plain letter
    /// here, though the two compare equal.
    pub fn find(&self, text: &[u8], needle: &[u8], from: usize) -> Option<std::ops::Range<usize>> {
        if from > text.len() {
            return None;
        }
        if self.rule == Rule::Bytes && self.charset.max_char_bytes() == 1 {
            let at = memchr::memmem::find(&text[from..], needle)? + from;
            return Some(at..at + needle.len());
        }
        let mut start = from;
        loop {
            let window = text.get(start..start + needle.len())?;
            if self.same_char(window, needle) {
                return Some(start..start + needle.len());
            }
            start += self.char_at(text, start).len();
        }
    }

    /// Appends what WEIGHT_STRING(text) gives.
    pub fn weight_string(&self, bytes: &[u8], out: &mut Vec<u8>) {
        match self.rule {
            Rule::Bytes | Rule::Codes if self.charset.is_unicode() => {
                let mut at = 0;
                while at < bytes.len() {
                    let (code, len) = self.charset.decode(&bytes[at..]);
                    // Three bytes a character where there are supplementary ones, else two.
                    let plane = matches!(self.charset, Charset::Utf8mb3 | Charset::Ucs2);
                    let first = if plane { 2 } else { 1 };
                    out.extend_from_slice(&code.unwrap_or(0xFF_FFFF).to_be_bytes()[first..]);
                    at += len;
                }
            }
            Rule::Bytes | Rule::Codes => out.extend_from_slice(bytes),
            Rule::Table(_) | Rule::Pairs(_) => out.extend(self.weights(bytes).map(|w| w as u8)),
            Rule::General => out.extend(self.weights(bytes).flat_map(|w| (w as u16).to_be_bytes())),
            Rule::Uca(uca) => out.extend(self.weights(bytes).flat_map(|w| uca.unshifted(w).to_be_bytes())),
        }
    }
}

/// One step of a LIKE pattern; lengths in bytes.
enum Token {
    /// `%`
    Any(usize),
    /// `_`
    One(usize),
    /// A character after `skip` bytes of escape.
    Literal {
        skip: usize,
        len: usize,
    },
    End,
}

impl Token {
    fn next(charset: Charset, pattern: &[u8], escape: Option<u32>) -> Token {
        if pattern.is_empty() {
            return Token::End;
        }
        let (code, len) = charset.decode(pattern);
        if code.is_some() && code == escape {
            let next = charset.char_len(&pattern[len..]);
            // An escape at the very end stands for itself.
            return if next == 0 {
                Token::Literal { skip: 0, len }
            } else {
                Token::Literal { skip: len, len: next }
            };
        }
        match code {
            Some(0x25) => Token::Any(len),
            Some(0x5F) => Token::One(len),
            _ => Token::Literal { skip: 0, len },
        }
    }
}

/// Which bytes are the same to LIKE.
trait Alike {
    /// Whether two are.
    fn alike(&self, a: u8, b: u8) -> bool;
    /// Where the first byte that is the same as `wanted` stands.
    fn find(&self, wanted: u8, text: &[u8]) -> Option<usize>;
}

/// Each byte is itself.
struct Same;

impl Alike for Same {
    fn alike(&self, a: u8, b: u8) -> bool {
        a == b
    }

    fn find(&self, wanted: u8, text: &[u8]) -> Option<usize> {
        memchr::memchr(wanted, text)
    }
}

/// Letters of both cases are the same.
struct AnyCase;

impl Alike for AnyCase {
    fn alike(&self, a: u8, b: u8) -> bool {
        a.eq_ignore_ascii_case(&b)
    }

    fn find(&self, wanted: u8, text: &[u8]) -> Option<usize> {
        memchr::memchr2(wanted.to_ascii_lowercase(), wanted.to_ascii_uppercase(), text)
    }
}

/// Bytes of one weight are the same.
struct ByTable(&'static [u8; 256]);

impl Alike for ByTable {
    fn alike(&self, a: u8, b: u8) -> bool {
        self.0[usize::from(a)] == self.0[usize::from(b)]
    }

    fn find(&self, wanted: u8, text: &[u8]) -> Option<usize> {
        text.iter().position(|byte| self.alike(*byte, wanted))
    }
}

/// [`Collation::like`] of text whose characters are bytes.
fn like_bytes(text: &[u8], pattern: &[u8], escape: Option<u8>, by: &impl Alike) -> bool {
    let (mut at, mut p) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    loop {
        let (wanted, len) = match pattern[p..] {
            [] if at == text.len() => return true,
            [] => (None, 0),
            // An escape at the very end stands for itself.
            [first, next, ..] if Some(first) == escape => (Some(next), 2),
            [b'%', ..] if escape != Some(b'%') => {
                p += 1;
                if p == pattern.len() {
                    return true;
                }
                retry = Some((p, at));
                continue;
            }
            [b'_', ..] if escape != Some(b'_') => match text.get(at) {
                Some(&any) => (Some(any), 1),
                None => (None, 0),
            },
            [first, ..] => (Some(first), 1),
        };
        if let (Some(wanted), Some(&here)) = (wanted, text.get(at)) {
            if by.alike(here, wanted) {
                p += len;
                at += 1;
                continue;
            }
            // Behind a % the text is searched for the first character wanted there.
            if let Some((after, from)) = retry
                && after == p
                && from == at
            {
                let Some(found) = by.find(wanted, &text[at..]) else { return false };
                at += found;
                retry = Some((after, at));
                continue;
            }
        }
        match retry {
            Some((after, from)) if from < text.len() => {
                (p, at) = (after, from + 1);
                retry = Some((p, at));
            }
            _ => return false,
        }
    }
}

/// The literal text that every match of a LIKE pattern begins with, and whether the pattern is nothing but it
/// (then LIKE is equality of characters) or it followed by a single `%`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LikePrefix {
    /// The literal text, escapes resolved.
    pub text: Vec<u8>,
    /// What follows it.
    pub rest: LikeRest,
}

/// What follows the literal beginning of a LIKE pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikeRest {
    /// Nothing.
    Nothing,
    /// One or more `%` and nothing else.
    Anything,
    /// Something else.
    Pattern,
}

impl LikePrefix {
    /// Takes a pattern apart.
    pub fn of(charset: Charset, pattern: &[u8], escape: Option<u32>) -> LikePrefix {
        let mut text = Vec::new();
        let mut p = 0;
        loop {
            let rest = match Token::next(charset, &pattern[p..], escape) {
                Token::Literal { skip, len } => {
                    text.extend_from_slice(&pattern[p + skip..p + skip + len]);
                    p += skip + len;
                    continue;
                }
                Token::End => LikeRest::Nothing,
                Token::Any(len) if pattern[p..].chunks(len).all(|c| c == &pattern[p..p + len]) => {
                    LikeRest::Anything
                }
                _ => LikeRest::Pattern,
            };
            return LikePrefix { text, rest };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All strings over `letters` up to `most` characters.
    fn strings(letters: &[u8], most: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        let mut from = 0;
        for _ in 0..most {
            let longer: Vec<Vec<u8>> =
                all[from..].iter().flat_map(|s| letters.iter().map(|c| [&s[..], &[*c]].concat())).collect();
            from = all.len();
            all.extend(longer);
        }
        all
    }

    #[test]
    fn like_of_ascii_text_is_like_of_any_text() {
        let escape = Some(u32::from(b'!'));
        let of = |name| Collation::by_name(name).expect(name);
        let (any_case, by_table) = (of("utf8mb4_general_ci"), of("latin1_swedish_ci"));
        for collation in [any_case, of("utf8mb4_bin")] {
            for pattern in strings(b"aB%_!", 4) {
                for text in strings(b"Ab%", 4) {
                    // Behind both the same character that is not ASCII: the matching of any text is at work.
                    let beyond = |s: &[u8]| [s, "\u{e9}".as_bytes()].concat();
                    if pattern.last() == Some(&b'!') {
                        continue;
                    }
                    let general = collation.like(&beyond(&text), &beyond(&pattern), escape);
                    let quick = collation.like(&text, &pattern, escape);
                    assert_eq!(quick, general, "{} {text:?} like {pattern:?}", collation.name);
                    if collation.name == any_case.name {
                        assert_eq!(
                            by_table.like(&text, &pattern, escape),
                            general,
                            "{text:?} like {pattern:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn an_escape_is_a_character_of_the_set() {
        let latin1 = Collation::by_name("latin1_swedish_ci").expect("the default of latin1");
        // The euro sign is the byte 0x80.
        assert!(latin1.like(b"a%", b"a\x80%", Some(0x20AC)));
        assert!(!latin1.like(b"ab", b"a\x80%", Some(0x20AC)));
        assert!(latin1.like(b"\xC9a", b"\xE9%", None), "letters of both cases");
    }
}
