//! Text to tokens.
//!
//! Works on bytes: the text is utf8mb4, or any character set whose bytes below 0x80 mean ASCII. A token is a kind and a
//! place; its value is taken out of the text when somebody wants it (`literal`). The state is a position and is copied to
//! look ahead or go back.
//!
//! Comments vanish here. `/*!NNNNN ... */` and `/*M!NNNNN ... */` give their content when the number is not above our
//! version; `/*!` between 50700 and 99999 is MySQL's alone and is skipped.

use super::ast::Span;
use super::keyword::Kw;
use types::Charset;

/// What `/*!NNNNNN` is held against: MariaDB 10.11.19.
pub const VERSION_ID: u32 = 101_119;

/// Parts of `sql_mode` that change what the text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct LexMode {
    /// `"` quotes names.
    pub ansi_quotes: bool,
    /// `\` is a plain character in strings.
    pub no_backslash_escapes: bool,
    /// `||` joins strings.
    pub pipes_as_concat: bool,
    /// Spaces may stand between a function's name and its parenthesis.
    pub ignore_space: bool,
    /// `NOT` binds as tightly as `!`.
    pub high_not_precedence: bool,
    /// `''` is NULL.
    pub empty_string_is_null: bool,
    /// As Oracle: INTERSECT stands in line with UNION and EXCEPT, and ROWNUM is a word of its own.
    pub oracle: bool,
    /// The client's character set, where that is not UTF-8: names are written in it.
    pub client: Option<Charset>,
}

/// Kinds of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tok {
    /// The end of the text.
    End,
    /// A word that is no keyword.
    Word,
    /// A word of the grammar.
    Kw(Kw),
    /// `` `name` ``, `"name"` under ANSI_QUOTES: the span includes the quotes.
    Quoted,
    /// Digits.
    Int,
    /// Digits with a point.
    Decimal,
    /// A number with an exponent.
    Float,
    /// `'..'`, `".."`.
    Str,
    /// `N'..'`.
    NStr,
    /// `x'..'`.
    HexStr,
    /// `0x..`.
    Hex,
    /// `b'..'`.
    BitStr,
    /// `0b..`.
    Bit,
    /// `_charset`, a known one.
    Introducer,
    /// `@name`, `@'name'`.
    UserVar,
    /// `@` alone.
    At,
    /// `@@`.
    AtAt,
    /// `?`.
    Param,
    /// `\N`.
    NullEscape,
    /// Operators and punctuation, one byte: itself.
    Char(u8),
    /// `:=`.
    Assign,
    /// `<=`.
    Le,
    /// `>=`.
    Ge,
    /// `<>`, `!=`.
    Ne,
    /// `<=>`.
    NullSafeEq,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `&&`.
    AndAnd,
    /// `||`.
    OrOr,
    /// `->`.
    Arrow,
    /// `->>`.
    ArrowText,
    /// Something that cannot be: an unclosed quote or comment, a stray byte.
    Invalid,
}

/// A token and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What.
    pub tok: Tok,
    /// Where.
    pub span: Span,
}

/// The scanner.
#[derive(Debug, Clone, Copy)]
pub struct Lexer<'a> {
    text: &'a [u8],
    pos: usize,
    mode: LexMode,
    /// Inside a versioned comment whose content counts.
    in_version: bool,
    /// The last token was a name: a point after it starts no number.
    after_name: bool,
    /// The last token was a point after a name: what follows is a name, never a keyword.
    after_point: bool,
}

const NAME: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;

/// Classes of bytes.
static CLASS: [u8; 256] = {
    let mut class = [0u8; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        if b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80 {
            class[i] = NAME;
        } else if b.is_ascii_digit() {
            class[i] = NAME | DIGIT;
        } else if matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) {
            class[i] = SPACE;
        }
        i += 1;
    }
    class
};

/// The byte may stand in a name without quotes.
pub fn is_name_byte(b: u8) -> bool {
    CLASS[b as usize] & NAME != 0
}

/// Bytes beyond ASCII that MariaDB takes for letters of latin1.
fn is_latin1_letter(b: u8) -> bool {
    matches!(b, 0x83 | 0x8A | 0x8C | 0x8E | 0x9A | 0x9C | 0x9E | 0x9F | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0xFF)
}

/// The byte parts words.
pub fn is_space(b: u8) -> bool {
    CLASS[b as usize] & SPACE != 0
}

fn is_digit(b: u8) -> bool {
    CLASS[b as usize] & DIGIT != 0
}

impl<'a> Lexer<'a> {
    /// A scanner that starts at `pos` of `text`; positions beyond 4 GiB do not occur (packets are smaller).
    pub fn new(text: &'a [u8], pos: usize, mode: LexMode) -> Lexer<'a> {
        Lexer { text, pos, mode, in_version: false, after_name: false, after_point: false }
    }

    /// The whole text.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The byte may stand in a name without quotes, in the client's character set.
    fn names(&self, b: u8) -> bool {
        is_name_byte(b) && (b.is_ascii() || self.mode.client != Some(Charset::Latin1) || is_latin1_letter(b))
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The next token.
    pub fn next_token(&mut self) -> Token {
        if let Err(start) = self.skip_blank() {
            self.pos = self.text.len();
            return self.token(Tok::Invalid, start);
        }
        let start = self.pos;
        let after_name = std::mem::take(&mut self.after_name);
        let after_point = std::mem::take(&mut self.after_point);
        if start >= self.text.len() {
            return self.token(Tok::End, start);
        }
        let b = self.text[start];
        if after_point && self.names(b) {
            self.skip_name();
            self.after_name = true;
            return self.token(Tok::Word, start);
        }
        let tok = match b {
            b'0'..=b'9' => self.number_or_name(start),
            b'.' if is_digit(self.byte(start + 1)) && !after_name => self.fraction(start),
            b'\'' => self.quoted(start, Tok::Str),
            b'"' if self.mode.ansi_quotes => self.quoted_name(b'"'),
            b'"' => self.quoted(start, Tok::Str),
            b'`' => self.quoted_name(b'`'),
            _ if self.names(b) => self.name(start),
            _ => self.operator(b),
        };
        self.token(tok, start)
    }

    fn token(&self, tok: Tok, start: usize) -> Token {
        Token { tok, span: Span { start: start as u32, end: self.pos as u32 } }
    }

    /// Skips spaces and comments; gives the start of a comment that never ends.
    fn skip_blank(&mut self) -> Result<(), usize> {
        loop {
            let at = self.pos;
            match self.byte(at) {
                b if is_space(b) => self.pos += 1,
                b'#' => self.skip_line(),
                b'-' if self.byte(at + 1) == b'-' && self.dashes_end_line(at + 2) => self.skip_line(),
                b'/' if self.byte(at + 1) == b'*' => self.comment(at)?,
                b'*' if self.in_version && self.byte(at + 1) == b'/' => {
                    self.in_version = false;
                    self.pos += 2;
                }
                _ => {
                    // an unclosed versioned comment: the error stands at the very end
                    return if at >= self.text.len() && self.in_version { Err(at) } else { Ok(()) };
                }
            }
            self.after_name = false;
        }
    }

    /// `--` is a comment only before a space, a control character or the end.
    fn dashes_end_line(&self, at: usize) -> bool {
        self.text.get(at).is_none_or(|b| is_space(*b) || b.is_ascii_control())
    }

    fn skip_line(&mut self) {
        match memchr::memchr(b'\n', &self.text[self.pos..]) {
            Some(n) => self.pos += n + 1,
            None => self.pos = self.text.len(),
        }
    }

    fn comment(&mut self, start: usize) -> Result<(), usize> {
        if self.in_version {
            return self.skip_comment(start);
        }
        let marker = version_marker(&self.text[start..]);
        match marker {
            Some(Marker { runs: true, len }) => {
                self.in_version = true;
                self.pos += len;
                Ok(())
            }
            _ => self.skip_comment(start),
        }
    }

    /// Skips a comment, with one level of comments inside it when it is a versioned one.
    fn skip_comment(&mut self, start: usize) -> Result<(), usize> {
        let versioned = version_marker(&self.text[start..]).is_some();
        let mut at = start + 2;
        let mut depth = 0;
        while at < self.text.len() {
            match (self.text[at], self.byte(at + 1)) {
                (b'*', b'/') => {
                    at += 2;
                    if depth == 0 {
                        self.pos = at;
                        return Ok(());
                    }
                    depth -= 1;
                }
                (b'/', b'*') if versioned && depth == 0 => {
                    depth = 1;
                    at += 2;
                }
                _ => at += 1,
            }
        }
        Err(start)
    }

    fn skip_name(&mut self) {
        while self.names(self.byte(self.pos)) && self.pos < self.text.len() {
            self.pos += 1;
        }
    }

    fn skip_digits(&mut self) {
        while is_digit(self.byte(self.pos)) {
            self.pos += 1;
        }
    }

    fn name(&mut self, start: usize) -> Tok {
        let quote = self.byte(start + 1);
        if quote == b'\'' {
            match self.text[start] {
                b'x' | b'X' => return self.radix_string(start, 2, |b| b.is_ascii_hexdigit(), Tok::HexStr),
                b'b' | b'B' => return self.radix_string(start, 1, |b| matches!(b, b'0' | b'1'), Tok::BitStr),
                b'n' | b'N' => return self.quoted(start + 1, Tok::NStr),
                _ => {}
            }
        }
        self.skip_name();
        let word = &self.text[start..self.pos];
        self.after_name = true;
        // right before a point and a name it is a name itself, whatever it spells
        let qualifies = self.byte(self.pos) == b'.' && is_name_byte(self.byte(self.pos + 1));
        if !qualifies && let Some(kw) = Kw::find(word) {
            return Tok::Kw(kw);
        }
        if word[0] == b'_' && is_charset(&word[1..]) {
            return Tok::Introducer;
        }
        Tok::Word
    }

    fn number_or_name(&mut self, start: usize) -> Tok {
        if self.text[start] == b'0' {
            let (radix, tok): (fn(&u8) -> bool, Tok) = match self.byte(start + 1) {
                b'x' => (|b| b.is_ascii_hexdigit(), Tok::Hex),
                b'b' => (|b| matches!(b, b'0' | b'1'), Tok::Bit),
                _ => (|_| false, Tok::Invalid),
            };
            let digits =
                self.text[start + 1..].get(1..).unwrap_or(&[]).iter().take_while(|b| radix(b)).count();
            if digits > 0 && !is_name_byte(self.byte(start + 2 + digits)) {
                self.pos = start + 2 + digits;
                return tok;
            }
        }
        self.skip_digits();
        match self.byte(self.pos) {
            b'.' => self.fraction(start),
            b'e' | b'E' if self.exponent() => Tok::Float,
            b if is_name_byte(b) && self.pos < self.text.len() => {
                self.skip_name();
                self.after_name = true;
                Tok::Word
            }
            _ => Tok::Int,
        }
    }

    /// From the point of a number on.
    fn fraction(&mut self, start: usize) -> Tok {
        self.pos = start;
        self.skip_digits();
        self.pos += 1;
        self.skip_digits();
        match self.byte(self.pos) {
            b'e' | b'E' if self.exponent() => Tok::Float,
            b'e' | b'E' => {
                self.pos += 1;
                Tok::Invalid
            }
            _ => Tok::Decimal,
        }
    }

    /// Takes `e[+-]digits` where it stands.
    fn exponent(&mut self) -> bool {
        let mut at = self.pos + 1;
        if matches!(self.byte(at), b'+' | b'-') {
            at += 1;
        }
        if !is_digit(self.byte(at)) {
            return false;
        }
        self.pos = at;
        self.skip_digits();
        true
    }

    /// A string from its opening quote at `open` on.
    fn quoted(&mut self, open: usize, tok: Tok) -> Tok {
        let quote = self.text[open];
        let mut at = open + 1;
        while at < self.text.len() {
            let b = self.text[at];
            if b == b'\\' && !self.mode.no_backslash_escapes {
                at += 2;
            } else if b == quote {
                if self.byte(at + 1) != quote {
                    self.pos = at + 1;
                    return tok;
                }
                at += 2;
            } else {
                at += 1;
            }
        }
        self.pos = self.text.len();
        Tok::Invalid
    }

    fn quoted_name(&mut self, quote: u8) -> Tok {
        let mut at = self.pos + 1;
        while at < self.text.len() {
            if self.text[at] == quote {
                if self.byte(at + 1) != quote {
                    self.pos = at + 1;
                    return Tok::Quoted;
                }
                at += 1;
            }
            at += 1;
        }
        self.pos = self.text.len();
        Tok::Invalid
    }

    /// `x'..'`, `b'..'`: digits in multiples of `step` up to the quote.
    fn radix_string(&mut self, start: usize, step: usize, digit: fn(&u8) -> bool, tok: Tok) -> Tok {
        let digits = self.text[start + 2..].iter().take_while(|b| digit(b)).count();
        let end = start + 2 + digits;
        if self.byte(end) != b'\'' || digits % step != 0 {
            self.pos = (end + 1).min(self.text.len());
            return Tok::Invalid;
        }
        self.pos = end + 1;
        tok
    }

    fn operator(&mut self, b: u8) -> Tok {
        let (second, third) = (self.byte(self.pos + 1), self.byte(self.pos + 2));
        let (tok, len) = match (b, second, third) {
            (b'<', b'=', b'>') => (Tok::NullSafeEq, 3),
            (b'-', b'>', b'>') => (Tok::ArrowText, 3),
            (b'<', b'=', _) => (Tok::Le, 2),
            (b'>', b'=', _) => (Tok::Ge, 2),
            (b'<', b'>', _) | (b'!', b'=', _) => (Tok::Ne, 2),
            (b'<', b'<', _) => (Tok::ShiftLeft, 2),
            (b'>', b'>', _) => (Tok::ShiftRight, 2),
            (b'&', b'&', _) => (Tok::AndAnd, 2),
            (b'|', b'|', _) => (Tok::OrOr, 2),
            (b':', b'=', _) => (Tok::Assign, 2),
            (b'-', b'>', _) => (Tok::Arrow, 2),
            (b'\\', b'N', _) => (Tok::NullEscape, 2),
            (b'@', b'@', _) => (Tok::AtAt, 2),
            (b'@', _, _) => return self.user_variable(),
            (b'?', next, _) if !is_name_byte(next) => (Tok::Param, 1),
            (b'.', _, _) => {
                self.after_point = is_name_byte(second);
                (Tok::Char(b), 1)
            }
            (b'(' | b')' | b',' | b';' | b'+' | b'-' | b'*' | b'/' | b'%', _, _)
            | (b'=' | b'<' | b'>' | b'!' | b'~' | b'^' | b'&' | b'|' | b'{' | b'}' | b':', _, _) => {
                (Tok::Char(b), 1)
            }
            _ => (Tok::Invalid, 1),
        };
        self.pos += len;
        tok
    }

    /// `@name`, `@'name'`, or `@` alone.
    fn user_variable(&mut self) -> Tok {
        let at = self.pos + 1;
        match self.byte(at) {
            quote @ (b'\'' | b'"' | b'`') => {
                self.pos = at;
                let tok = if quote == b'`' { self.quoted_name(b'`') } else { self.quoted(at, Tok::UserVar) };
                if tok == Tok::Invalid { tok } else { Tok::UserVar }
            }
            b if is_name_byte(b) || b == b'.' => {
                self.pos = at;
                while is_name_byte(self.byte(self.pos)) || self.byte(self.pos) == b'.' {
                    self.pos += 1;
                }
                Tok::UserVar
            }
            _ => {
                self.pos = at;
                Tok::At
            }
        }
    }
}

/// The start of a versioned comment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marker {
    /// Its content counts.
    pub runs: bool,
    /// Bytes up to the content.
    pub len: usize,
}

/// Reads `/*!`, `/*!NNNNN[N]`, `/*M!...` at the start of `text`.
pub(super) fn version_marker(text: &[u8]) -> Option<Marker> {
    let (mariadb, digits_at) = match text {
        [b'/', b'*', b'!', ..] => (false, 3),
        [b'/', b'*', b'M', b'!', ..] => (true, 4),
        _ => return None,
    };
    let digits = text[digits_at..].iter().take(6).take_while(|b| b.is_ascii_digit()).count();
    if digits < 5 {
        return Some(Marker { runs: true, len: digits_at });
    }
    let version = text[digits_at..digits_at + digits].iter().fold(0u32, |v, b| v * 10 + (b - b'0') as u32);
    let mysql_only = !mariadb && (50_700..=99_999).contains(&version);
    Some(Marker { runs: version <= VERSION_ID && !mysql_only, len: digits_at + digits })
}

/// Names of character sets that may stand behind `_`.
const CHARSETS: &[&str] = &[
    "armscii8", "ascii", "big5", "binary", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866",
    "cp932", "dec8", "eucjpms", "euckr", "filename", "gb2312", "gbk", "geostd8", "greek", "hebrew", "hp8",
    "keybcs2", "koi8r", "koi8u", "latin1", "latin2", "latin5", "latin7", "macce", "macroman", "sjis", "swe7",
    "tis620", "ucs2", "ujis", "utf16", "utf16le", "utf32", "utf8", "utf8mb3", "utf8mb4",
];

fn is_charset(name: &[u8]) -> bool {
    CHARSETS.iter().any(|c| c.as_bytes().eq_ignore_ascii_case(name))
}
