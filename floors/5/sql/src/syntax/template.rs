//! Texts that are known, each with something that belongs to its shape: a text that differs from one of them in its
//! values alone has the same shape, and need not be read word by word.
//!
//! What stands between the values is compared byte for byte, so a text that passes goes through the very states of the
//! shape's reader, if each value ends where the reader would end it. That is sure of integers of few digits and of
//! strings without escapes and wildcards before all else, the only values that templates know.

use super::ast::Span;
use super::shape::{Lifted, LiteralKind, mix};

/// Longest text kept.
const MAX_TEXT: usize = 512;
/// Most values of a text kept.
const MAX_VALUES: usize = 16;
/// Digits that make no integer greater than 2^63-1.
const MAX_DIGITS: usize = 18;
/// Sets of texts; a text's first bytes choose.
const SETS: usize = 64;
/// Texts of a set.
const WAYS: usize = 4;
/// Bytes that choose the set.
const CHOOSING: usize = 24;

/// Texts read lately, and what was kept with each.
#[derive(Debug)]
pub struct Templates<T> {
    /// None at first.
    sets: Vec<[Option<Template<T>>; WAYS]>,
    /// The way whose turn it is to be forgotten.
    turn: usize,
}

/// A text, and where its values stand.
#[derive(Debug)]
struct Template<T> {
    /// How the text was read.
    key: u64,
    text: Box<[u8]>,
    values: Box<[(Span, LiteralKind)]>,
    kept: T,
}

impl<T> Default for Templates<T> {
    fn default() -> Self {
        Self { sets: Vec::new(), turn: 0 }
    }
}

impl<T> Templates<T> {
    /// What is kept with a text that was read under the same key, and from which `text` differs in its values alone; these
    /// go to `values`.
    pub fn find(&self, text: &[u8], key: u64, values: &mut Vec<Lifted>) -> Option<&T> {
        let set = self.sets.get(set_of(text))?;
        let found = set.iter().flatten().find(|template| template.values_of(text, key, values))?;
        Some(&found.kept)
    }

    /// Keeps something with a text and all that are like it, if it is of the kind that is kept. `key` stands for how the
    /// text was read: its [`super::LexMode`] at least.
    pub fn keep(&mut self, text: &[u8], key: u64, values: &[Lifted], kept: T) {
        let known = |value: &Lifted| matches!(value.kind, LiteralKind::Int | LiteralKind::Str);
        if text.len() > MAX_TEXT || values.len() > MAX_VALUES || !values.iter().all(known) {
            return;
        }
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Default::default);
        }
        let set = &mut self.sets[set_of(text)];
        let mut unused = Vec::new();
        let like = |template: &Option<Template<T>>| {
            template.as_ref().is_some_and(|template| template.values_of(text, key, &mut unused))
        };
        let way = set.iter().position(like).unwrap_or_else(|| {
            self.turn = (self.turn + 1) % WAYS;
            self.turn
        });
        let values = values.iter().map(|value| (value.span, value.kind)).collect();
        set[way] = Some(Template { key, text: text.into(), values, kept });
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.sets.clear();
    }
}

/// The set of a text: by its first bytes, up to where a value is likely.
fn set_of(text: &[u8]) -> usize {
    let mut hash = 0;
    for bytes in text[..text.len().min(CHOOSING)].chunks(8) {
        let word = match bytes.first_chunk() {
            Some(whole) => u64::from_le_bytes(*whole),
            None => bytes.iter().rev().fold(0, |word, b| word << 8 | u64::from(*b)),
        };
        let values = bytes_equal(word, b'=') | bytes_equal(word, b'(') | bytes_equal(word, b'\'');
        if values != 0 {
            let before = (1 << (values.trailing_zeros() - 7)) - 1;
            hash = mix(hash, word & before);
            break;
        }
        hash = mix(hash, word);
    }
    hash as usize % SETS
}

/// The highest bit of the first byte of a word that equals `byte`, and bits above it that mean nothing.
fn bytes_equal(word: u64, byte: u8) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let differs = word ^ (EACH * u64::from(byte));
    differs.wrapping_sub(EACH) & !differs & (EACH << 7)
}

impl<T> Template<T> {
    fn values_of(&self, text: &[u8], key: u64, values: &mut Vec<Lifted>) -> bool {
        values.clear();
        if self.key != key {
            return false;
        }
        let (mut at, mut known) = (0, 0);
        for (span, kind) in &self.values {
            let fixed = &self.text[known..span.start as usize];
            if !text[at..].starts_with(fixed) {
                return false;
            }
            at += fixed.len();
            let value = match kind {
                LiteralKind::Int => integer(text, at),
                _ => string(text, at, self.text[span.start as usize]),
            };
            let Some(value) = value else { return false };
            values.push(value);
            (at, known) = (value.span.end as usize, span.end as usize);
        }
        text[at..] == self.text[known..]
    }
}

fn integer(text: &[u8], at: usize) -> Option<Lifted> {
    let digits = text[at..].iter().take(MAX_DIGITS + 1).take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || digits > MAX_DIGITS {
        return None;
    }
    let int = text[at..at + digits].iter().fold(0, |int, b| int * 10 + u64::from(b - b'0'));
    Some(lifted(LiteralKind::Int, at, at + digits, int))
}

fn string(text: &[u8], at: usize, quote: u8) -> Option<Lifted> {
    if text.get(at) != Some(&quote) {
        return None;
    }
    if let Some(b'%' | b'_') = text.get(at + 1) {
        // A pattern of another kind, perhaps.
        return None;
    }
    let end = at + 1 + memchr::memchr2(quote, b'\\', &text[at + 1..])?;
    let plain = text[end] == quote && text.get(end + 1) != Some(&quote);
    plain.then(|| lifted(LiteralKind::Str, at, end + 1, 0))
}

fn lifted(kind: LiteralKind, start: usize, end: usize, int: u64) -> Lifted {
    Lifted { kind, escaped: false, span: Span { start: start as u32, end: end as u32 }, int }
}
