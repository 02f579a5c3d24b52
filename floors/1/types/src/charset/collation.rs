//! A collation: comparison, weights, memcomparable key form, hashing.
//!
//! Every rule maps a string to a sequence of weights (`u32`); comparison is by that sequence. Under PAD SPACE the
//! shorter sequence goes on with the weight of a space, under NO PAD it is less.
//!
//! Key form (what [`Collation::append_key`] writes): self-delimiting bytes whose order is the order of `compare` and
//! which are equal exactly when `compare` says equal.
//!
//! ```text
//! weight      0..0x7F      one byte            (byte rules: any value, one byte)
//!             ..0x707F     0x80 + hi, lo       of weight - 0x80
//!             ..0xFFFF     0xF0, hi, lo
//!             beyond       0xF1, three bytes (code points of `_bin`, bad bytes)
//! space       0x20 (1)     then, under PAD SPACE, what follows the run of spaces: 1 less than a space, 3 greater
//! end         PAD SPACE: 0x20 0x02      NO PAD: 0x00 0x01 (a zero weight is 0x00 0xFF)
//! ```
//!
//! Weights of the UCA rules are shifted so that a space weighs 0x20. (1) A table of bytes may give a space another
//! weight, which then stands here and in the end mark.

use std::cmp::Ordering;
use std::hash::Hasher;

use super::uca::Uca;
use super::{Charset, CollationId, tables};

/// Whether the shorter of two strings counts as padded with spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pad {
    /// PAD SPACE.
    Space,
    /// NO PAD.
    None,
}

/// How a collation weighs characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The bytes themselves.
    Bytes,
    /// The code points, in encodings whose bytes are not in their order.
    Codes,
    /// One byte, one weight, by a table.
    Table(&'static [u8; 256]),
    /// One byte, one weight or two, by a table of pairs; a second weight of 0 is none.
    Pairs(&'static [u8; 512]),
    /// MariaDB's general_ci of Unicode: one 16-bit weight a character, 0xFFFD beyond the basic plane.
    General,
    /// Unicode Collation Algorithm, primary weights.
    Uca(&'static Uca),
}

/// A collation of the registry.
#[derive(Debug)]
pub struct Collation {
    /// MariaDB's number.
    pub id: CollationId,
    /// MariaDB's name.
    pub name: &'static str,
    /// Its character set.
    pub charset: Charset,
    /// Whether it is its character set's default.
    pub is_default: bool,
    /// The `Sortlen` of SHOW COLLATION.
    pub sort_len: u8,
    /// Padding.
    pub pad: Pad,
    pub(super) rule: Rule,
}

/// The weight of a space in key form and in every rule's sequence but a few tables'.
const SPACE: u32 = 0x20;
/// Bad bytes weigh more than every character.
const BAD: u32 = 0xFF_0000;

impl Collation {
    /// Whether this is a `_bin` collation or binary: bytes differ exactly when strings differ (padding aside).
    pub fn is_bytewise(&self) -> bool {
        matches!(self.rule, Rule::Bytes | Rule::Codes)
    }

    /// Compares two strings of the collation's character set.
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        match self.rule {
            Rule::Bytes if self.pad == Pad::None => a.cmp(b),
            Rule::Bytes => compare_mapped(a, b, self.pad, |byte| byte),
            Rule::Table(table) => compare_mapped(a, b, self.pad, |byte| table[usize::from(byte)]),
            Rule::General if self.charset.is_utf8() => self.compare_general(a, b),
            Rule::General | Rule::Codes | Rule::Pairs(_) => self.compare_weights(a, b),
            Rule::Uca(uca) if uca.has_contractions() || !self.charset.is_utf8() => self.compare_weights(a, b),
            Rule::Uca(_) => {
                let same = self.same_prefix(a, b);
                self.compare_weights(&a[same..], &b[same..])
            }
        }
    }

    /// Length of the beginning, in whole characters, that two strings share byte by byte; no character's weights
    /// depend on its neighbours.
    fn same_prefix(&self, a: &[u8], b: &[u8]) -> usize {
        let same = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        // Back to the beginning of the character that the difference is in.
        let boundary = |at: &usize| {
            a.get(*at).is_none_or(|b| b & 0xC0 != 0x80) && b.get(*at).is_none_or(|b| b & 0xC0 != 0x80)
        };
        (0..=same).rev().find(boundary).unwrap_or(0)
    }

    /// Whether two strings are equal under the collation.
    #[inline]
    pub fn equal(&self, a: &[u8], b: &[u8]) -> bool {
        // Most texts that are compared differ from the first character on.
        if let (Rule::General, [x, ..], [y, ..]) = (self.rule, a, b)
            && self.charset.is_utf8()
            && x.is_ascii()
            && y.is_ascii()
            && !x.eq_ignore_ascii_case(y)
        {
            return false;
        }
        a == b || self.compare(a, b).is_eq()
    }

    /// A number below 64 that texts which are equal have alike, from their first two characters; `None` where that is more
    /// than a look. Most texts that are looked for in a list are told apart from all of it so.
    #[inline]
    pub fn sieve(&self, text: &[u8]) -> Option<u32> {
        let byte = |at: usize| text.get(at).copied().unwrap_or(b' ');
        let (a, b) = (byte(0), byte(1));
        match self.rule {
            Rule::General if self.charset.is_utf8() && a.is_ascii() && b.is_ascii() => {
                let [a, b] = [a, b].map(|byte| u32::from(byte.to_ascii_uppercase()));
                Some((a * 11 + b) % 64)
            }
            _ => None,
        }
    }

    /// The ASCII part by table; from the first character beyond it on by weights.
    fn compare_general(&self, a: &[u8], b: &[u8]) -> Ordering {
        let common = a.len().min(b.len());
        for i in 0..common {
            let (x, y) = (a[i], b[i]);
            if x >= 0x80 || y >= 0x80 {
                return self.compare_weights(&a[i..], &b[i..]);
            }
            let order = x.to_ascii_uppercase().cmp(&y.to_ascii_uppercase());
            if order.is_ne() {
                return order;
            }
        }
        match a.len() == b.len() {
            true => Ordering::Equal,
            false => self.compare_weights(&a[common..], &b[common..]),
        }
    }

    fn compare_weights(&self, a: &[u8], b: &[u8]) -> Ordering {
        let (mut a, mut b) = (self.weights(a), self.weights(b));
        loop {
            let order = match (a.next(), b.next(), self.pad) {
                (None, None, _) => return Ordering::Equal,
                (Some(x), Some(y), _) => x.cmp(&y),
                (Some(x), None, Pad::Space) => x.cmp(&SPACE),
                (None, Some(y), Pad::Space) => SPACE.cmp(&y),
                (Some(_), None, Pad::None) => Ordering::Greater,
                (None, Some(_), Pad::None) => Ordering::Less,
            };
            if order.is_ne() {
                return order;
            }
        }
    }

    /// The weight of a space: a few tables of bytes have one of their own.
    fn space_weight(&self) -> u32 {
        match self.rule {
            Rule::Table(table) => u32::from(table[usize::from(b' ')]),
            _ => SPACE,
        }
    }

    /// The weights of a string in order; ignorable characters have none.
    pub(super) fn weights<'a>(&self, bytes: &'a [u8]) -> Weights<'a> {
        Weights { rule: self.rule, charset: self.charset, bytes, pending: Pending::None }
    }

    /// Appends the memcomparable form of a string, see the module head.
    pub fn append_key(&self, bytes: &[u8], out: &mut Vec<u8>) {
        out.reserve(bytes.len() + 2);
        match (self.rule, self.pad) {
            (Rule::Bytes, Pad::None) => append_escaped(bytes, out),
            (Rule::Bytes, Pad::Space) => append_padded_bytes(bytes, out),
            (Rule::Table(table), Pad::Space) => {
                let weights = bytes.iter().map(|b| u32::from(table[usize::from(*b)]));
                append_padded(weights, self.space_weight(), out, push_byte);
            }
            (Rule::Table(table), Pad::None) => {
                for b in bytes {
                    push_unpadded(u32::from(table[usize::from(*b)]), out, push_byte);
                }
                out.extend([0, 1]);
            }
            (Rule::Pairs(_), Pad::Space) => append_padded(self.weights(bytes), SPACE, out, push_byte),
            (Rule::Pairs(_), Pad::None) => {
                for weight in self.weights(bytes) {
                    push_unpadded(weight, out, push_byte);
                }
                out.extend([0, 1]);
            }
            (Rule::General, Pad::Space) if self.charset.is_utf8() => self.append_general(bytes, out),
            (Rule::General | Rule::Codes | Rule::Uca(_), Pad::Space) => {
                append_padded(self.weights(bytes), SPACE, out, push_weight);
            }
            (Rule::General | Rule::Codes | Rule::Uca(_), Pad::None) => {
                for weight in self.weights(bytes) {
                    push_unpadded(weight, out, push_weight);
                }
                out.extend([0, 1]);
            }
        }
    }

    /// Key form under general_ci: ASCII goes byte by byte, the rest from the spaces before its first character on by
    /// weights.
    fn append_general(&self, bytes: &[u8], out: &mut Vec<u8>) {
        let ascii = bytes.iter().position(|byte| *byte >= 0x80).unwrap_or(bytes.len());
        let plain = bytes[..ascii].iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
        let mut rest = &bytes[..plain];
        while let Some(space) = memchr::memchr(b' ', rest) {
            append_capitals(&rest[..space], out);
            let spaces = &rest[space..];
            // What is plain does not end in a space.
            let run = spaces.iter().position(|byte| *byte != b' ').unwrap_or(spaces.len());
            rest = &spaces[run..];
            let marker = if rest.first().is_some_and(|next| *next < b' ') { 1 } else { 3 };
            out.extend(std::iter::repeat_n([b' ', marker], run).flatten());
        }
        append_capitals(rest, out);
        append_padded(self.weights(&bytes[plain..]), SPACE, out, push_weight);
    }

    /// Whether each character has one weight, whatever stands beside it: strings cut behind as many characters are then in
    /// the order of the whole ones.
    pub fn weighs_each_alone(&self) -> bool {
        !matches!(self.rule, Rule::Pairs(_) | Rule::Uca(_))
    }

    /// Appends what the keys of all strings that begin with the characters of `bytes` have in common. Trailing spaces
    /// are left out under PAD SPACE, where what follows them changes their form, and so are trailing characters that
    /// could be part of a contraction.
    pub fn append_key_prefix(&self, bytes: &[u8], out: &mut Vec<u8>) {
        self.append_key(self.without_contracted_end(bytes), out);
        // The end mark has two bytes in every form.
        out.truncate(out.len() - 2);
    }

    fn without_contracted_end<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let Rule::Uca(uca) = self.rule else { return bytes };
        if !uca.has_contractions() {
            return bytes;
        }
        let (mut at, mut end) = (0, 0);
        while at < bytes.len() {
            let (code, len) = self.charset.decode(&bytes[at..]);
            at += len;
            if code.is_none_or(|code| !uca.may_contract(code)) {
                end = at;
            }
        }
        &bytes[..end]
    }

    /// Feeds a hasher so that equal strings feed the same.
    pub fn hash(&self, bytes: &[u8], state: &mut impl Hasher) {
        if self.rule == Rule::Bytes {
            let end = match self.pad {
                Pad::Space => bytes.iter().rposition(|b| *b != b' ').map_or(0, |i| i + 1),
                Pad::None => bytes.len(),
            };
            state.write(&bytes[..end]);
            return state.write_u8(0xFF);
        }
        let (mut spaces, space) = (0, self.space_weight());
        for weight in self.weights(bytes) {
            if weight == space && self.pad == Pad::Space {
                spaces += 1;
                continue;
            }
            for _ in 0..std::mem::take(&mut spaces) {
                state.write_u32(space);
            }
            state.write_u32(weight);
        }
        state.write_u32(u32::MAX);
    }
}

fn compare_mapped(a: &[u8], b: &[u8], pad: Pad, map: impl Fn(u8) -> u8) -> Ordering {
    let common = a.len().min(b.len());
    for i in 0..common {
        let order = map(a[i]).cmp(&map(b[i]));
        if order.is_ne() {
            return order;
        }
    }
    if pad == Pad::None {
        return a.len().cmp(&b.len());
    }
    let space = map(b' ');
    let rest =
        |rest: &[u8]| rest.iter().map(|x| map(*x).cmp(&space)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal);
    if a.len() > common { rest(&a[common..]) } else { rest(&b[common..]).reverse() }
}

fn append_capitals(ascii: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(ascii);
    out[start..].make_ascii_uppercase();
}

fn append_escaped(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(zero) = memchr::memchr(0, rest) {
        out.extend_from_slice(&rest[..zero]);
        out.extend([0, 0xFF]);
        rest = &rest[zero + 1..];
    }
    out.extend_from_slice(rest);
    out.extend([0, 1]);
}

fn append_padded(
    weights: impl Iterator<Item = u32>,
    space: u32,
    out: &mut Vec<u8>,
    push: impl Fn(u32, &mut Vec<u8>),
) {
    let mut spaces = 0;
    for weight in weights {
        if weight == space {
            spaces += 1;
            continue;
        }
        let marker = if weight < space { 1 } else { 3 };
        for _ in 0..std::mem::take(&mut spaces) {
            out.extend([space as u8, marker]);
        }
        push(weight, out);
    }
    out.extend([space as u8, 2]);
}

/// The same for bytes that are their own weights.
fn append_padded_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(space) = memchr::memchr(b' ', rest) {
        let (before, spaces) = rest.split_at(space);
        out.extend_from_slice(before);
        let run = spaces.iter().position(|b| *b != b' ').unwrap_or(spaces.len());
        rest = &spaces[run..];
        if let Some(next) = rest.first() {
            let marker = if *next < b' ' { 1 } else { 3 };
            out.extend(std::iter::repeat_n([b' ', marker], run).flatten());
        }
    }
    out.extend_from_slice(rest);
    out.extend([b' ', 2]);
}

fn push_unpadded(weight: u32, out: &mut Vec<u8>, push: impl Fn(u32, &mut Vec<u8>)) {
    push(weight, out);
    if weight == 0 {
        out.push(0xFF);
    }
}

fn push_byte(weight: u32, out: &mut Vec<u8>) {
    out.push(weight as u8);
}

fn push_weight(weight: u32, out: &mut Vec<u8>) {
    match weight {
        0..=0x7F => out.push(weight as u8),
        0x80..=0x707F => {
            let rest = weight - 0x80;
            out.extend([0x80 + (rest >> 8) as u8, rest as u8]);
        }
        0x7080..=0xFFFF => out.extend([0xF0, (weight >> 8) as u8, weight as u8]),
        _ => {
            out.push(0xF1);
            out.extend_from_slice(&weight.to_be_bytes()[1..]);
        }
    }
}

/// Iterator over a string's weights.
pub(super) struct Weights<'a> {
    rule: Rule,
    charset: Charset,
    bytes: &'a [u8],
    pending: Pending,
}

/// Weights of a character that are still to come.
enum Pending {
    None,
    One(u32),
    List(&'static Uca, &'static [u16]),
}

impl Iterator for Weights<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            match self.pending {
                Pending::None => {}
                Pending::One(weight) => {
                    self.pending = Pending::None;
                    return Some(weight);
                }
                Pending::List(uca, [first, rest @ ..]) => {
                    self.pending = Pending::List(uca, rest);
                    return Some(uca.shifted(*first));
                }
                Pending::List(_, []) => self.pending = Pending::None,
            }
            let first = *self.bytes.first()?;
            match self.rule {
                Rule::Bytes => {
                    self.bytes = &self.bytes[1..];
                    return Some(u32::from(first));
                }
                Rule::Table(table) => {
                    self.bytes = &self.bytes[1..];
                    return Some(u32::from(table[usize::from(first)]));
                }
                Rule::Pairs(table) => {
                    self.bytes = &self.bytes[1..];
                    let [weight, second] = [0, 1].map(|i| u32::from(table[usize::from(first) * 2 + i]));
                    if second != 0 {
                        self.pending = Pending::One(second);
                    }
                    return Some(weight);
                }
                Rule::Codes => {
                    let (code, len) = self.charset.decode(self.bytes);
                    self.bytes = &self.bytes[len..];
                    return Some(code.unwrap_or(BAD + u32::from(first)));
                }
                Rule::General if first < 0x80 && self.charset.is_utf8() => {
                    self.bytes = &self.bytes[1..];
                    return Some(u32::from(first.to_ascii_uppercase()));
                }
                Rule::General => {
                    let (code, len) = self.charset.decode(self.bytes);
                    self.bytes = &self.bytes[len..];
                    return Some(code.map_or(BAD + u32::from(first), tables::general_weight));
                }
                Rule::Uca(uca) => {
                    if self.charset.is_utf8()
                        && let Some(weight) = uca.ascii_weight(first)
                    {
                        self.bytes = &self.bytes[1..];
                        return Some(weight);
                    }
                    let (code, len) = self.charset.decode(self.bytes);
                    self.bytes = &self.bytes[len..];
                    let Some(code) = code else { return Some(BAD + u32::from(first)) };
                    if let Some((list, len)) = uca.contraction(self.charset, code, self.bytes) {
                        self.bytes = &self.bytes[len..];
                        self.pending = Pending::List(uca, list);
                        continue;
                    }
                    match uca.weights(code) {
                        Some(list) => self.pending = Pending::List(uca, list),
                        None => {
                            let (high, low) = uca.implicit_weights(code);
                            self.pending = Pending::One(uca.shifted(low));
                            return Some(uca.shifted(high));
                        }
                    }
                }
            }
        }
    }
}
