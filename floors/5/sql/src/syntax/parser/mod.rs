//! Tokens to statement tree: recursive descent, operators by precedence.
//!
//! [`parse`] takes one statement off a text and says where the next begins; a client's several statements in one packet
//! are parsed one after the other, each in the mode that the one before left.
//!
//! Errors carry MariaDB's wording, with the text from the first token that cannot go on. Nesting is bounded by
//! [`MAX_NESTING`] (how deep this code recurses) and [`MAX_DEPTH`] (how deep the tree gets, chains like `a+b+c` included):
//! beyond, and where the stack runs low, the answer is error 1436.

mod account;
mod admin;
mod alter;
mod call;
mod create;
mod datatype;
mod ddl;
mod dml;
mod dynamic;
mod expr;
mod oracle;
mod primary;
mod query;
mod set;
mod show;
mod statement;
mod table_ref;
mod transaction;
mod window;

use super::ast::*;
use super::keyword::Kw;
use super::lexer::{LexMode, Lexer, Tok, Token, is_space, version_marker};
use super::literal;
use crate::error::{SqlError, SqlResult};
pub use call::is_word;
use types::DateMode;

/// How deep parentheses, subqueries and calls may nest.
pub const MAX_NESTING: usize = 200;
/// How deep a tree may get.
pub const MAX_DEPTH: usize = 1000;
/// Longest name in characters.
const MAX_NAME: usize = 64;

/// Whether nothing that is stored can have a name: what a query calls its columns and tables may be longer.
fn is_long(name: &str) -> bool {
    name.len() > MAX_NAME && name.chars().count() > MAX_NAME
}
/// Most `?` in a statement.
const MAX_PARAMS: u32 = 65_535;

/// How to read a text.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParseOptions<'o> {
    /// Parts of `sql_mode`.
    pub mode: LexMode,
    /// Which dates are good, where that is looked at.
    pub dates: Option<DateMode>,
    /// `?` may stand (PREPARE).
    pub params: bool,
    /// More statements may follow (`CLIENT_MULTI_STATEMENTS`); else only comments may.
    pub several: bool,
    /// Literals that start at these offsets, in order, become [`ExprKind::Param`]: see [`crate::syntax::shape`]. When one
    /// of them turns out to be syntax, parsing fails with error 1815: parse the text without lifting then.
    pub lifted: &'o [u32],
}

/// One statement off a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The statement.
    pub statement: Statement,
    /// Its words, without the `;` behind them.
    pub text: Span,
    /// How many parameters it has.
    pub params: u32,
    /// Where the next statement starts, if there is one, though it be a comment.
    pub rest: Option<usize>,
}

/// Parses the statement that starts at `from` of `text`.
pub fn parse(text: &[u8], from: usize, options: ParseOptions<'_>) -> SqlResult<Parsed> {
    let start = from + text[from.min(text.len())..].iter().take_while(|b| is_space(**b)).count();
    let bare =
        text.len() - text.iter().rev().take_while(|b| is_space(**b) || **b == b';' || **b == 0).count();
    if start >= bare {
        return Err(SqlError::empty_query());
    }
    // what ends the packet belongs to no statement, and to no error's text
    let text = &text[..bare];
    let mut parser = Parser::new(text, start, options);
    let statement = if parser.tok.tok == Tok::End { Statement::Empty } else { parser.statement()? };
    let statement = parser.waiting(statement);
    let end = parser.prev_end.max(start as u32);
    let rest = match parser.tok.tok {
        Tok::End => None,
        Tok::Char(b';') if options.several => {
            let next = parser.tok.span.end as usize;
            let blank = text[next..].iter().take_while(|b| is_space(**b)).count();
            Some(next + blank)
        }
        Tok::Char(b';') => {
            parser.bump();
            match parser.tok.tok {
                Tok::End => None,
                _ => return Err(parser.unexpected()),
            }
        }
        _ => return Err(parser.unexpected()),
    };
    if !options.lifted.is_empty() && parser.params as usize != options.lifted.len() {
        return Err(SqlError::internal_error("a lifted literal was not read as a value"));
    }
    Ok(Parsed { statement, text: Span { start: start as u32, end }, params: parser.params, rest })
}

/// The state of parsing one statement.
pub(super) struct Parser<'a> {
    lex: Lexer<'a>,
    /// The token to be looked at.
    tok: Token,
    /// The one behind it and the scanner there, once somebody looked.
    ahead: Option<(Token, Lexer<'a>)>,
    /// Where the last consumed token ended.
    prev_end: u32,
    start: usize,
    options: ParseOptions<'a>,
    params: u32,
    /// How many queries around this place, itself included.
    queries: usize,
    /// Inside ON DUPLICATE KEY UPDATE, where `VALUES(column)` means something.
    on_duplicate: bool,
    /// How deep this code has recursed.
    nesting: usize,
    /// How tall the trees built since the innermost [`Parser::nested`] began may be.
    height: usize,
    /// What `WAIT n` and `NOWAIT` say of a statement about tables themselves.
    table_wait: Option<u64>,
    /// The table that the statement makes or alters.
    table_made: Option<TableName>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a [u8], start: usize, options: ParseOptions<'a>) -> Parser<'a> {
        let mut lex = Lexer::new(text, start, options.mode);
        let tok = lex.next_token();
        Parser {
            lex,
            tok,
            ahead: None,
            prev_end: start as u32,
            start,
            options,
            params: 0,
            queries: 0,
            on_duplicate: false,
            nesting: 0,
            height: 0,
            table_wait: None,
            table_made: None,
        }
    }

    /// The token to be looked at, as a copy.
    fn current(&self) -> Tok {
        self.tok.tok
    }

    fn text(&self) -> &'a [u8] {
        self.lex.text()
    }

    /// The bytes under a span.
    fn slice(&self, span: Span) -> &'a [u8] {
        self.text().get(span.start as usize..span.end as usize).unwrap_or(&[])
    }

    /// Consumes the current token and gives it.
    fn bump(&mut self) -> Token {
        let token = self.tok;
        self.prev_end = token.span.end;
        self.tok = match self.ahead.take() {
            Some((next, lex)) => {
                self.lex = lex;
                next
            }
            None => self.lex.next_token(),
        };
        token
    }

    /// The token behind the current one.
    fn peek(&mut self) -> Tok {
        self.peek_token().tok
    }

    fn peek_token(&mut self) -> Token {
        if let Some((token, _)) = self.ahead {
            return token;
        }
        let mut lex = self.lex;
        let token = lex.next_token();
        self.ahead = Some((token, lex));
        token
    }

    /// A copy of the position, to go back to with [`Parser::rewind`].
    fn mark(&self) -> (Lexer<'a>, Token, Option<(Token, Lexer<'a>)>, u32, u32) {
        (self.lex, self.tok, self.ahead, self.prev_end, self.params)
    }

    fn rewind(&mut self, mark: (Lexer<'a>, Token, Option<(Token, Lexer<'a>)>, u32, u32)) {
        (self.lex, self.tok, self.ahead, self.prev_end, self.params) = mark;
    }

    fn at(&self, kw: Kw) -> bool {
        self.tok.tok == Tok::Kw(kw)
    }

    fn at_any(&self, kws: &[Kw]) -> bool {
        matches!(self.tok.tok, Tok::Kw(kw) if kws.contains(&kw))
    }

    fn at_char(&self, b: u8) -> bool {
        self.tok.tok == Tok::Char(b)
    }

    /// Nothing of the statement is left.
    fn at_end(&self) -> bool {
        matches!(self.tok.tok, Tok::End | Tok::Char(b';'))
    }

    fn eat(&mut self, kw: Kw) -> bool {
        let found = self.at(kw);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes both words or none.
    fn eat_two(&mut self, first: Kw, second: Kw) -> bool {
        let found = self.at(first) && self.peek() == Tok::Kw(second);
        if found {
            self.bump();
            self.bump();
        }
        found
    }

    fn eat_char(&mut self, b: u8) -> bool {
        let found = self.at_char(b);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kw: Kw) -> SqlResult<()> {
        if self.eat(kw) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn expect_all(&mut self, kws: &[Kw]) -> SqlResult<()> {
        kws.iter().try_for_each(|kw| self.expect(*kw))
    }

    fn expect_char(&mut self, b: u8) -> SqlResult<()> {
        if self.eat_char(b) { Ok(()) } else { Err(self.unexpected()) }
    }

    /// A word that is no keyword but spells `text`; for words that the grammar takes without knowing them elsewhere.
    fn at_word(&self, text: &str) -> bool {
        matches!(self.tok.tok, Tok::Word | Tok::Kw(_))
            && self.slice(self.tok.span).eq_ignore_ascii_case(text.as_bytes())
    }

    fn eat_word(&mut self, text: &str) -> bool {
        let found = self.at_word(text);
        if found {
            self.bump();
        }
        found
    }

    /// The error at the current token.
    fn unexpected(&self) -> SqlError {
        self.unexpected_at(self.tok.span)
    }

    /// The error at a token: the text from there to the end, the line on which it ends.
    fn unexpected_at(&self, span: Span) -> SqlError {
        let text = self.text();
        // MariaDB counts a comma to what was read already
        let start = if self.slice(span) == b"," { span.end } else { span.start };
        let from = (start as usize).min(text.len());
        let end =
            if self.tok.tok == Tok::Invalid { from } else { (span.end as usize).clamp(from, text.len()) };
        let line = 1 + text[self.start.min(end)..end].iter().filter(|b| **b == b'\n').count();
        SqlError::parse_error(&text[from..], line)
    }

    /// A feature that the grammar knows and this server does not have.
    fn unsupported<T>(&self, feature: &str) -> SqlResult<T> {
        Err(SqlError::not_supported_yet(feature))
    }

    /// Runs a part of the grammar that may contain itself.
    fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> SqlResult<T>) -> SqlResult<T> {
        if self.nesting >= MAX_NESTING || runtime::stack_is_low() {
            return Err(SqlError::nested_too_deep(self.nesting));
        }
        self.nesting += 1;
        let outside = std::mem::take(&mut self.height);
        let result = part(self);
        self.nesting -= 1;
        self.height = outside.max(self.height + 1);
        result
    }

    /// A chain got one longer: its tree is one taller.
    fn taller(&mut self) -> SqlResult<()> {
        self.height += 1;
        if self.height + self.nesting > MAX_DEPTH || runtime::stack_is_low() {
            return Err(SqlError::nested_too_deep(self.height + self.nesting));
        }
        Ok(())
    }

    /// `item, item, ...`.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> SqlResult<T>) -> SqlResult<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat_char(b',') {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `(item, item, ...)`.
    fn paren_list<T>(&mut self, item: impl FnMut(&mut Self) -> SqlResult<T>) -> SqlResult<Vec<T>> {
        self.expect_char(b'(')?;
        let items = self.list(item)?;
        self.expect_char(b')')?;
        Ok(items)
    }

    /// The current token can be a name.
    fn at_name(&self) -> bool {
        match self.current() {
            Tok::Word | Tok::Quoted => true,
            Tok::Kw(kw) => !kw.is_reserved(),
            _ => false,
        }
    }

    /// A name.
    fn name(&mut self) -> SqlResult<Name> {
        if !self.at_name() || self.at_tight_call() {
            return Err(self.unexpected());
        }
        self.take_name()
    }

    /// A word like `COUNT` with a parenthesis right behind it: a call, never a name.
    fn at_tight_call(&self) -> bool {
        let end = self.tok.span.end as usize;
        self.tok.tok == Tok::Word
            && self.text().get(end) == Some(&b'(')
            && std::str::from_utf8(self.slice(self.tok.span)).is_ok_and(call::is_tight)
    }

    /// A name behind a point: reserved words too.
    fn name_after_point(&mut self) -> SqlResult<Name> {
        if !self.at_name() {
            return Err(self.unexpected());
        }
        self.take_name()
    }

    /// Takes the current token as a name, whatever word it is.
    fn take_name(&mut self) -> SqlResult<Name> {
        let token = self.bump();
        let raw = self.slice(token.span);
        let name = if token.tok == Tok::Quoted {
            self.utf8(literal::unquote_name(raw))?
        } else {
            self.utf8(raw.to_vec())?
        };
        Ok(name)
    }

    /// The name of a database; error 1102 for one that is too long.
    fn database_name(&mut self) -> SqlResult<Name> {
        let name = self.name()?;
        if is_long(&name) { Err(SqlError::wrong_db_name(name)) } else { Ok(name) }
    }

    /// Bytes that must be text.
    fn utf8(&self, bytes: Vec<u8>) -> SqlResult<String> {
        if let Some(charset) = self.options.mode.client {
            return Ok(charset.to_utf8_lossy(&bytes));
        }
        String::from_utf8(bytes).map_err(|e| {
            let bad = &e.as_bytes()[e.utf8_error().valid_up_to()..];
            let shown: String = bad.iter().take(6).map(|b| format!("\\x{b:02X}")).collect();
            SqlError::invalid_character_string("utf8mb4", shown)
        })
    }

    /// The client's text as a name shows it.
    fn readable(&self, raw: &[u8]) -> String {
        self.options.mode.client.map_or_else(|| utf8_or_numbers(raw), |charset| charset.to_utf8_lossy(raw))
    }

    /// `[database.]name` of a table; errors 1102 and 1103 for what is too long.
    fn table_name(&mut self) -> SqlResult<TableName> {
        let name = self.qualified_name()?;
        match &name.database {
            Some(database) if is_long(database) => Err(SqlError::wrong_db_name(database)),
            _ if is_long(&name.name) => Err(SqlError::wrong_table_name(&name.name)),
            _ => Ok(name),
        }
    }

    /// `[database.]name`.
    fn qualified_name(&mut self) -> SqlResult<TableName> {
        let first = self.name()?;
        if self.at_char(b'.') {
            self.bump();
            let name = self.name_after_point()?;
            return Ok(TableName { database: Some(first), name });
        }
        Ok(TableName { database: None, name: first })
    }

    /// `[[database.]table.]column`.
    fn column_ref(&mut self) -> SqlResult<ColumnRef> {
        self.eat_char(b'.');
        let first = self.name()?;
        self.column_ref_from(first)
    }

    fn column_ref_from(&mut self, first: Name) -> SqlResult<ColumnRef> {
        if !self.eat_char(b'.') {
            return Ok(ColumnRef { database: None, table: None, column: first });
        }
        let second = self.name_after_point()?;
        if !self.eat_char(b'.') {
            return Ok(ColumnRef { database: None, table: Some(first), column: second });
        }
        let column = self.name_after_point()?;
        Ok(ColumnRef { database: Some(first), table: Some(second), column })
    }

    /// `IF NOT EXISTS`.
    fn if_not_exists(&mut self) -> SqlResult<bool> {
        if !self.at(Kw::IF) || self.peek() != Tok::Kw(Kw::NOT) {
            return Ok(false);
        }
        self.expect_all(&[Kw::IF, Kw::NOT, Kw::EXISTS])?;
        Ok(true)
    }

    /// `IF NOT EXISTS`; error 1221 beside OR REPLACE.
    fn if_not_exists_unless(&mut self, or_replace: bool) -> SqlResult<bool> {
        let found = self.if_not_exists()?;
        match found && or_replace {
            true => Err(SqlError::wrong_usage("OR REPLACE", "IF NOT EXISTS")),
            false => Ok(found),
        }
    }

    /// `IF EXISTS`.
    fn if_exists(&mut self) -> SqlResult<bool> {
        if !self.at(Kw::IF) || self.peek() != Tok::Kw(Kw::EXISTS) {
            return Ok(false);
        }
        self.expect_all(&[Kw::IF, Kw::EXISTS])?;
        Ok(true)
    }

    /// A string constant, one token.
    fn string_bytes(&mut self) -> SqlResult<Vec<u8>> {
        match self.current() {
            Tok::Str => {
                let token = self.bump();
                Ok(literal::unescape(self.slice(token.span), self.options.mode))
            }
            Tok::HexStr => {
                let token = self.bump();
                let raw = self.slice(token.span);
                Ok(literal::hex_bytes(&raw[2..raw.len() - 1]))
            }
            Tok::Hex => {
                let token = self.bump();
                Ok(literal::hex_bytes(&self.slice(token.span)[2..]))
            }
            Tok::BitStr => {
                let token = self.bump();
                let raw = self.slice(token.span);
                Ok(literal::bit_bytes(&raw[2..raw.len() - 1]))
            }
            _ => Err(self.unexpected()),
        }
    }

    /// A string constant that must be text.
    fn string(&mut self) -> SqlResult<String> {
        if self.tok.tok != Tok::Str {
            return Err(self.unexpected());
        }
        let bytes = self.string_bytes()?;
        self.utf8(bytes)
    }

    /// A name or a string constant as a name.
    fn name_or_string(&mut self) -> SqlResult<Name> {
        if self.tok.tok == Tok::Str { self.string() } else { self.name() }
    }

    /// An unsigned integer in decimal digits.
    fn digits(&mut self) -> SqlResult<u64> {
        if self.current() == Tok::Hex { Err(self.unexpected()) } else { self.unsigned() }
    }

    /// An unsigned integer constant, in decimal or hexadecimal digits.
    fn unsigned(&mut self) -> SqlResult<u64> {
        let value = match self.current() {
            Tok::Int => std::str::from_utf8(self.slice(self.tok.span)).ok().and_then(|t| t.parse().ok()),
            Tok::Hex => {
                let bytes = literal::hex_bytes(&self.slice(self.tok.span)[2..]);
                (bytes.len() <= 8).then(|| bytes.iter().fold(0, |v, b| v << 8 | *b as u64))
            }
            _ => None,
        };
        let value = value.ok_or_else(|| self.unexpected())?;
        self.bump();
        Ok(value)
    }

    /// A word as written, upper case, whatever it is.
    fn any_word_upper(&mut self) -> SqlResult<Name> {
        match self.current() {
            Tok::Word | Tok::Kw(_) => Ok(self.take_name()?.to_ascii_uppercase()),
            _ => Err(self.unexpected()),
        }
    }

    /// The statement's words between two places, with versioned comments as MariaDB keeps them: markers gone, skipped
    /// ones gone with what they held, plain comments kept.
    fn words(&self, span: Span) -> String {
        let raw = self.slice(span);
        if memchr::memmem::find(raw, b"/*!").is_none()
            && memchr::memmem::find(raw, b"/*M!").is_none()
            && memchr::memmem::find(raw, b"*/").is_none()
        {
            return self.readable(raw);
        }
        self.readable(&strip_versions(raw))
    }
}

/// Text as a name shows it: bytes that are no UTF-8 by their numbers.
fn utf8_or_numbers(raw: &[u8]) -> String {
    let mut out = String::with_capacity(raw.len());
    for chunk in raw.utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02X}"));
        }
    }
    out
}

/// Takes the markers of versioned comments out of a piece of text.
fn strip_versions(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        match rest {
            [quote @ (b'\'' | b'"' | b'`'), body @ ..] => {
                let len = 2 + body.iter().take_while(|b| *b != quote).count();
                out.extend_from_slice(&rest[..len.min(rest.len())]);
                at += len;
            }
            [b'*', b'/', ..] => at += 2,
            [b'/', b'*', ..] => match version_marker(rest) {
                Some(marker) if marker.runs => at += marker.len,
                marker => {
                    let len = memchr::memmem::find(rest, b"*/").map_or(rest.len(), |n| n + 2);
                    if marker.is_none() {
                        out.extend_from_slice(&rest[..len]);
                    }
                    at += len;
                }
            },
            _ => {
                out.push(rest[0]);
                at += 1;
            }
        }
    }
    let cut = out.iter().take_while(|b| is_space(**b)).count();
    let keep = out.len() - out.iter().rev().take_while(|b| is_space(**b)).count();
    out.get(cut..keep).unwrap_or(&[]).to_vec()
}
