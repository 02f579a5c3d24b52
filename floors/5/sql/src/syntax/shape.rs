//! The shape of a statement: its text with the values lifted out, in one pass, for the plan cache.
//!
//! `select c from t where id=42` becomes ``select c from t where id=\x01`` and the literal 42. Two statements of one shape
//! share a plan; the values go in as parameters. Only literals that are plain data are lifted. Kept as they are, so that
//! they make shapes of their own: whatever names a column (select lists, word for word), positions and row counts (behind
//! GROUP BY, ORDER BY, HAVING, LIMIT), arguments of most functions (their types may depend on them), types, units,
//! aliases. What is odd gives no shape at all: variables, parameters, several statements, versioned comments, hints,
//! neighbouring strings.
//!
//! On a miss the same text is parsed with [`Shape::offsets`] as [`super::ParseOptions::lifted`], which turns exactly
//! these literals into parameters.

use super::ast::Span;
use super::lexer::{LexMode, is_name_byte, is_space};
use super::literal;
use std::borrow::Cow;
use types::Charset;

/// Longest text that gets a shape.
const MAX_TEXT: usize = 64 * 1024;
/// Most literals lifted.
const MAX_LITERALS: usize = 4096;
/// Deepest parentheses.
const MAX_LEVELS: usize = 48;

/// What a lifted literal is; its number stands in the shape in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum LiteralKind {
    /// An integer up to 2^63-1.
    Int = 1,
    /// An integer from 2^63 to 2^64-1.
    UInt = 2,
    /// A number with a point, or a bigger integer.
    Decimal = 3,
    /// A number with an exponent.
    Float = 4,
    /// A string.
    Str = 5,
}

/// A literal taken out of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifted {
    /// What.
    pub kind: LiteralKind,
    /// A backslash or a doubled quote is in it.
    pub escaped: bool,
    /// Where it stands in the text, quotes included.
    pub span: Span,
    /// The value of [`LiteralKind::Int`] and [`LiteralKind::UInt`].
    pub int: u64,
}

impl Lifted {
    /// The text of a number, the unescaped bytes of a string.
    pub fn bytes<'t>(&self, text: &'t [u8], mode: LexMode) -> Cow<'t, [u8]> {
        let raw = self.span.of(text);
        match self.kind {
            LiteralKind::Str if self.escaped => Cow::Owned(literal::unescape(raw, mode)),
            LiteralKind::Str => Cow::Borrowed(raw.get(1..raw.len() - 1).unwrap_or(&[])),
            _ => Cow::Borrowed(raw),
        }
    }
}

/// A shape and its literals; kept by a session and filled again for each statement.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    bytes: Vec<u8>,
    literals: Vec<Lifted>,
    hash: u64,
}

impl Shape {
    /// The shape itself.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its hash.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The literals, in the order of the text.
    pub fn literals(&self) -> &[Lifted] {
        &self.literals
    }

    /// Where the literals start in the text.
    pub fn offsets(&self) -> Vec<u32> {
        self.literals.iter().map(|l| l.span.start).collect()
    }

    /// Reads a text. False: it has no shape, and what this holds is of no use.
    pub fn read(&mut self, text: &[u8], mode: LexMode) -> bool {
        self.read_with(text, mode, false)
    }

    /// Whether all parameters of a text stand where a literal would be lifted, or are row counts: a plan that leaves them open
    /// serves for any values of theirs.
    pub fn lifts_parameters(text: &[u8], mode: LexMode) -> bool {
        Shape::default().read_with(text, mode, true)
    }

    fn read_with(&mut self, text: &[u8], mode: LexMode, parameters: bool) -> bool {
        if text.len() > MAX_TEXT {
            return false;
        }
        self.bytes.clear();
        self.literals.clear();
        self.bytes.reserve(text.len());
        let mut reader = Reader {
            text,
            mode,
            parameters,
            counts: false,
            at: 0,
            out: self,
            before: Before::Start,
            levels: [0; MAX_LEVELS],
            level: 0,
        };
        if reader.run().is_none() {
            return false;
        }
        self.hash = hash(&self.bytes);
        true
    }
}

/// What stood before the token at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing.
    Start,
    /// An operator, a comma, an opening parenthesis, a word like AND: a value may be lifted.
    Operator,
    /// WHERE or AND: as behind an operator, but numbers that are compared with each other are kept. They decide which
    /// conditions there are, and so what plan is wanted.
    Condition,
    /// LIKE: as behind an operator, but a pattern that begins with a wildcard is kept. It leaves no index a range to
    /// read, and so wants another plan than one that does.
    Like,
    /// A word that opens a group rather than a call: `IN`, `VALUES`.
    Group,
    /// A function whose arguments are plain data.
    PlainCall,
    /// Any other word: a literal behind it is syntax.
    Word,
    /// A string that was lifted.
    Lifted,
    /// A literal that was kept, a closing parenthesis, a point.
    Other,
}

/// This level has a SELECT of its own.
const HAS_SELECT: u8 = 1;
/// What is here is kept word for word because of what stands around it.
const INHERITED: u8 = 2;
/// What is here is kept word for word because of where in its query it stands.
const OWN: u8 = 4;

struct Reader<'t, 's> {
    text: &'t [u8],
    mode: LexMode,
    /// Parameters may stand where literals are lifted.
    parameters: bool,
    /// The last word was LIMIT or OFFSET.
    counts: bool,
    at: usize,
    out: &'s mut Shape,
    before: Before,
    levels: [u8; MAX_LEVELS],
    level: usize,
}

impl Reader<'_, '_> {
    /// Reads to the end; nothing where the text is odd.
    fn run(&mut self) -> Option<()> {
        while self.at < self.text.len() {
            let b = self.text[self.at];
            match b {
                _ if is_space(b) => self.space(),
                b'0'..=b'9' => self.number()?,
                _ if is_name_byte(b) => self.word()?,
                b'\'' => self.string(b)?,
                b'"' if !self.mode.ansi_quotes => self.string(b)?,
                b'"' | b'`' => self.quoted_name(b)?,
                b'.' if self.digit_at(self.at + 1) && self.before != Before::Word => self.number()?,
                b';' => return self.finish(),
                _ => self.operator(b)?,
            }
        }
        self.finish()
    }

    /// Only blanks and semicolons may be left.
    fn finish(&mut self) -> Option<()> {
        let rest = &self.text[self.at..];
        let done = self.level == 0 && rest.iter().all(|b| is_space(*b) || *b == b';');
        while self.out.bytes.last() == Some(&b' ') {
            self.out.bytes.pop();
        }
        (done && !self.out.bytes.is_empty()).then_some(())
    }

    fn keeps(&self) -> bool {
        self.levels[self.level] & (INHERITED | OWN) != 0
    }

    fn takes_parameter(&self) -> bool {
        self.counts && self.levels[self.level] & INHERITED == 0
            || !self.keeps() && matches!(self.before, Before::Operator | Before::Condition | Before::Like)
    }

    fn digit_at(&self, at: usize) -> bool {
        self.text.get(at).is_some_and(u8::is_ascii_digit)
    }

    /// A run of blanks: one space, or all of it where words are kept.
    fn space(&mut self) {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|b| is_space(*b)) {
            self.at += 1;
        }
        if self.keeps() {
            self.out.bytes.extend_from_slice(&self.text[start..self.at]);
        } else if !self.out.bytes.is_empty() {
            self.out.bytes.push(b' ');
        }
    }

    fn copy_from(&mut self, start: usize) {
        self.out.bytes.extend_from_slice(&self.text[start..self.at]);
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 1;
        while self.text.get(self.at).is_some_and(|b| is_name_byte(*b)) {
            self.at += 1;
        }
        self.copy_from(start);
        let word = &self.text[start..self.at];
        if self.mode.client == Some(Charset::Latin1) && !word.is_ascii() {
            // Not every byte is a letter there.
            return None;
        }
        let role = if self.before == Before::Other && self.text[..start].last() == Some(&b'.') {
            Role::Name
        } else {
            role(word)
        };
        if self.before == Before::Start && !matches!(role, Role::Select | Role::Statement | Role::Do) {
            return None;
        }
        self.counts = word.eq_ignore_ascii_case(b"LIMIT") || word.eq_ignore_ascii_case(b"OFFSET");
        let flags = &mut self.levels[self.level];
        self.before = match role {
            Role::Select => {
                *flags |= HAS_SELECT | OWN;
                Before::Word
            }
            Role::From => {
                if *flags & HAS_SELECT != 0 {
                    *flags &= !OWN;
                }
                Before::Group
            }
            Role::Where => {
                *flags &= !OWN;
                Before::Condition
            }
            Role::Tail | Role::Do => {
                *flags |= OWN;
                Before::Word
            }
            Role::Operator if word.eq_ignore_ascii_case(b"AND") => Before::Condition,
            Role::Operator => Before::Operator,
            Role::Like => Before::Like,
            Role::Group => Before::Group,
            Role::PlainCall => Before::PlainCall,
            Role::Statement | Role::Name => Before::Word,
        };
        Some(())
    }

    /// Keeps or lifts the literal from `start` to here.
    fn literal(&mut self, start: usize, kind: LiteralKind, escaped: bool, int: u64) -> Option<()> {
        let lifts = match self.before {
            Before::Operator | Before::Condition => true,
            Before::Like => !matches!(self.text.get(start + 1), Some(b'%' | b'_')),
            _ => false,
        };
        if self.keeps() || !lifts {
            self.copy_from(start);
            self.before = Before::Other;
            return Some(());
        }
        if self.out.literals.len() >= MAX_LITERALS {
            return None;
        }
        self.out.bytes.push(kind as u8);
        let span = Span { start: start as u32, end: self.at as u32 };
        self.out.literals.push(Lifted { kind, escaped, span, int });
        self.before = if kind == LiteralKind::Str { Before::Lifted } else { Before::Other };
        Some(())
    }

    fn digits(&mut self) {
        while self.digit_at(self.at) {
            self.at += 1;
        }
    }

    /// Where `1=1` ends, if that is what stands here.
    fn end_of_numbers_compared(&self) -> Option<usize> {
        let behind = |at: usize, f: &dyn Fn(&u8) -> bool| {
            at + self.text[at..].iter().position(|b| !f(b)).unwrap_or(self.text.len() - at)
        };
        let sign = behind(behind(self.at, &u8::is_ascii_digit), &|b| is_space(*b));
        let number = behind((sign + 1).min(self.text.len()), &|b| is_space(*b));
        let end = behind(number, &u8::is_ascii_digit);
        let ends = self.text.get(end).is_none_or(|b| is_space(*b) || matches!(b, b')' | b';'));
        (self.text.get(sign) == Some(&b'=') && end > number && ends).then_some(end)
    }

    fn number(&mut self) -> Option<()> {
        let start = self.at;
        if self.before == Before::Condition
            && let Some(end) = self.end_of_numbers_compared()
        {
            self.at = end;
            self.copy_from(start);
            self.before = Before::Other;
            return Some(());
        }
        let mut value = Some(0u64);
        while let Some(b @ b'0'..=b'9') = self.text.get(self.at) {
            value = value.and_then(|v| v.checked_mul(10)?.checked_add((b - b'0') as u64));
            self.at += 1;
        }
        let mut kind = match value {
            Some(v) if v <= i64::MAX as u64 => LiteralKind::Int,
            Some(_) => LiteralKind::UInt,
            None => LiteralKind::Decimal,
        };
        if self.text.get(self.at) == Some(&b'.') {
            kind = LiteralKind::Decimal;
            self.at += 1;
            self.digits();
        }
        if let Some(b'e' | b'E') = self.text.get(self.at) {
            let signed = matches!(self.text.get(self.at + 1), Some(b'+' | b'-'));
            if !self.digit_at(self.at + 1 + signed as usize) {
                return None;
            }
            kind = LiteralKind::Float;
            self.at += 1 + signed as usize;
            self.digits();
        }
        if self.text.get(self.at).is_some_and(|b| is_name_byte(*b)) {
            // 0x.., 1st: a constant of another kind, a name
            while self.text.get(self.at).is_some_and(|b| is_name_byte(*b)) {
                self.at += 1;
            }
            self.copy_from(start);
            self.before = Before::Word;
            return Some(());
        }
        self.literal(start, kind, false, value.unwrap_or(0))
    }

    fn string(&mut self, quote: u8) -> Option<()> {
        if self.before == Before::Lifted {
            return None;
        }
        let start = self.at;
        let mut escaped = false;
        self.at += 1;
        loop {
            let found = memchr::memchr2(quote, b'\\', self.text.get(self.at..)?)?;
            self.at += found;
            if self.text[self.at] == b'\\' {
                let escapes = !self.mode.no_backslash_escapes;
                escaped |= escapes;
                self.at += if escapes { 2 } else { 1 };
            } else if self.text.get(self.at + 1) == Some(&quote) {
                escaped = true;
                self.at += 2;
            } else {
                self.at += 1;
                break;
            }
        }
        self.literal(start, LiteralKind::Str, escaped, 0)
    }

    fn quoted_name(&mut self, quote: u8) -> Option<()> {
        let start = self.at;
        let len = memchr::memchr(quote, &self.text[start + 1..])?;
        self.at = start + len + 2;
        if self.text.get(self.at) == Some(&quote) {
            return None;
        }
        self.copy_from(start);
        self.before = Before::Word;
        Some(())
    }

    fn operator(&mut self, b: u8) -> Option<()> {
        let next = self.text.get(self.at + 1).copied().unwrap_or(0);
        match (b, next) {
            (b'/', b'*') => return self.comment(),
            (b'-', b'-')
                if self.text.get(self.at + 2).is_none_or(|b| is_space(*b) || b.is_ascii_control()) =>
            {
                return self.line_comment();
            }
            (b'#', _) => return self.line_comment(),
            (b'(', _) => {
                let keeps = self.keeps() || matches!(self.before, Before::Word | Before::Other);
                self.level += 1;
                *self.levels.get_mut(self.level)? = if keeps { INHERITED } else { 0 };
                self.before = Before::Operator;
            }
            (b')', _) => {
                self.level = self.level.checked_sub(1)?;
                self.before = Before::Other;
            }
            (b'.', _) => self.before = Before::Other,
            (b'?', _) if self.parameters && self.takes_parameter() => self.before = Before::Other,
            (b',' | b'=' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%', _) => {
                self.before = Before::Operator
            }
            (b'|' | b'&' | b'^' | b'~' | b'!', _) => self.before = Before::Operator,
            _ => return None,
        }
        self.out.bytes.push(b);
        self.at += 1;
        Some(())
    }

    /// A plain comment: a space, or itself where words are kept.
    fn comment(&mut self) -> Option<()> {
        let start = self.at;
        let body = &self.text[start + 2..];
        if matches!(body.first(), Some(b'!' | b'+')) || body.starts_with(b"M!") {
            return None;
        }
        self.at = start + 4 + memchr::memmem::find(body, b"*/")?;
        self.blank(start);
        Some(())
    }

    fn line_comment(&mut self) -> Option<()> {
        let start = self.at;
        self.at = memchr::memchr(b'\n', &self.text[start..]).map_or(self.text.len(), |n| start + n);
        self.blank(start);
        Some(())
    }

    fn blank(&mut self, start: usize) {
        if self.keeps() {
            self.copy_from(start);
        } else if !self.out.bytes.is_empty() {
            self.out.bytes.push(b' ');
        }
    }
}

/// What a word does to what stands behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A name, or a word without importance here.
    Name,
    /// Starts a statement that may have a shape.
    Statement,
    /// Starts a statement whose literals are kept.
    Do,
    Select,
    From,
    Where,
    /// Starts a clause whose literals are syntax: GROUP, ORDER, HAVING, LIMIT, ...
    Tail,
    /// A value may follow: AND, THEN, ...
    Operator,
    Like,
    /// A parenthesis behind it is no call: IN, VALUES, ...
    Group,
    /// A function whose arguments are plain data.
    PlainCall,
}

/// The role of a word, in any letter case.
fn role(word: &[u8]) -> Role {
    const WORDS: &[(&[u8], Role)] = &[
        (b"AND", Role::Operator),
        (b"OR", Role::Operator),
        (b"ON", Role::Operator),
        (b"XOR", Role::Operator),
        (b"NOT", Role::Operator),
        (b"DIV", Role::Operator),
        (b"SET", Role::Group),
        (b"LIKE", Role::Like),
        (b"WHEN", Role::Operator),
        (b"THEN", Role::Operator),
        (b"ELSE", Role::Operator),
        (b"BETWEEN", Role::Operator),
        (b"IN", Role::Group),
        (b"ANY", Role::Group),
        (b"ALL", Role::Group),
        (b"SOME", Role::Group),
        (b"JOIN", Role::Group),
        (b"EXISTS", Role::Group),
        (b"VALUE", Role::Group),
        (b"VALUES", Role::Group),
        (b"FROM", Role::From),
        (b"WHERE", Role::Where),
        (b"SELECT", Role::Select),
        (b"INSERT", Role::Statement),
        (b"UPDATE", Role::Statement),
        (b"DELETE", Role::Statement),
        (b"REPLACE", Role::Statement),
        (b"DO", Role::Do),
        (b"GROUP", Role::Tail),
        (b"ORDER", Role::Tail),
        (b"LIMIT", Role::Tail),
        (b"FETCH", Role::Tail),
        (b"OFFSET", Role::Tail),
        (b"HAVING", Role::Tail),
        (b"WINDOW", Role::Tail),
        (b"RETURNING", Role::Tail),
        (b"PROCEDURE", Role::Tail),
        (b"MD5", Role::PlainCall),
        (b"SHA1", Role::PlainCall),
        (b"CRC32", Role::PlainCall),
        (b"UNHEX", Role::PlainCall),
        (b"LOWER", Role::PlainCall),
        (b"UPPER", Role::PlainCall),
        (b"CONCAT", Role::PlainCall),
    ];
    // length and first letter tell almost all words apart
    const INDEX: [[u64; 26]; 10] = {
        let mut index = [[0u64; 26]; 10];
        let mut i = 0;
        while i < WORDS.len() {
            index[WORDS[i].0.len()][(WORDS[i].0[0] - b'A') as usize] |= 1 << i;
            i += 1;
        }
        index
    };
    let Some(first) = word[0].to_ascii_uppercase().checked_sub(b'A') else { return Role::Name };
    let Some(mut hits) = INDEX.get(word.len()).and_then(|row| row.get(first as usize)).copied() else {
        return Role::Name;
    };
    while hits != 0 {
        let (text, role) = WORDS[hits.trailing_zeros() as usize];
        if text.eq_ignore_ascii_case(word) {
            return role;
        }
        hits &= hits - 1;
    }
    Role::Name
}

/// A hash by folded multiplication, 8 bytes a step; equal shapes are compared anyway.
fn hash(bytes: &[u8]) -> u64 {
    let mut chunks = bytes.chunks_exact(8);
    let mut h = SEED ^ bytes.len() as u64;
    for chunk in &mut chunks {
        h = mix(h, u64::from_le_bytes(chunk.try_into().unwrap_or_default()));
    }
    let mut last = [0u8; 8];
    last[..chunks.remainder().len()].copy_from_slice(chunks.remainder());
    mix(mix(h, u64::from_le_bytes(last)), SEED)
}

const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// A hash of a hash and one value more.
pub(super) fn mix(hash: u64, value: u64) -> u64 {
    let wide = (hash ^ value) as u128 * SEED as u128;
    (wide as u64) ^ (wide >> 64) as u64
}
