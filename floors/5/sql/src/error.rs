//! Errors and warnings as clients see them: number, SQLSTATE and MariaDB 10.11's wording.
//!
//! Every message that this room sends has a constructor in `table`, named for MariaDB's symbol
//! (`ER_NO_SUCH_TABLE` -> [`SqlError::no_such_table`]), so that a wording stands in one place. Warnings and notes use the
//! same table: a warning is an error's number and text with a level.

mod table;
#[cfg(test)]
mod tests;

pub use table::*;

use std::borrow::Cow;
use std::fmt;
use types::Charset;

/// An error on its way to a client, or a warning's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlError {
    /// MariaDB's number.
    pub errno: u16,
    /// The SQLSTATE.
    pub sqlstate: [u8; 5],
    /// The text.
    pub message: String,
}

/// Out of the box in which numbers come with their errors.
impl From<Box<SqlError>> for SqlError {
    fn from(error: Box<SqlError>) -> SqlError {
        *error
    }
}

impl SqlError {
    /// An error with its own words; prefer the named constructors.
    pub fn new(errno: u16, sqlstate: &[u8; 5], message: impl Into<String>) -> SqlError {
        SqlError { errno, sqlstate: *sqlstate, message: message.into() }
    }

    /// Whether it is that texts have no collation together.
    pub fn is_illegal_mix(&self) -> bool {
        matches!(self.errno, 1267 | 1270 | 1271)
    }

    /// 1064 at a place of the text: `near` is the text from the unexpected token to the end.
    pub fn parse_error(near: &[u8], line: usize) -> SqlError {
        let near = clip(near, 80);
        SqlError::new(
            ER_PARSE_ERROR,
            b"42000",
            format!(
                "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server \
                 version for the right syntax to use near '{near}' at line {line}"
            ),
        )
    }

    /// 1436 for text nested deeper than the parser follows.
    pub fn nested_too_deep(limit: usize) -> SqlError {
        SqlError::new(
            ER_STACK_OVERRUN_NEED_MORE,
            b"HY000",
            format!("Thread stack overrun:  the statement is nested more than {limit} levels deep"),
        )
    }

    /// The SQLSTATE as text.
    pub fn state(&self) -> &str {
        std::str::from_utf8(&self.sqlstate).unwrap_or("HY000")
    }
}

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ERROR {} ({}): {}", self.errno, self.state(), self.message)
    }
}

impl std::error::Error for SqlError {}

/// The result of whatever may fail towards a client.
pub type SqlResult<T> = Result<T, SqlError>;

/// A message for a client that reads a character set: characters that it lacks by their numbers, and those that control
/// it, but for what lays text out.
pub fn message_in(message: &str, charset: Option<Charset>) -> Cow<'_, str> {
    let hidden = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    if message.is_ascii() && !message.contains(hidden) {
        return message.into();
    }
    let mut bytes = Vec::new();
    let mut known = |c: char| match charset {
        None | Some(Charset::Binary) => true,
        Some(charset) => charset.encode(c.into(), &mut bytes),
    };
    let mut shown = String::with_capacity(message.len());
    for c in message.chars() {
        match known(c) && !hidden(c) {
            true => shown.push(c),
            false => shown.push_str(&format!("\\{:04X}", u32::from(c))),
        }
    }
    shown.into()
}

/// At most `limit` bytes as text, cut at a character's edge and marked with dots; bytes that are no UTF-8 read `\xNN`.
fn clip(bytes: &[u8], limit: usize) -> String {
    let long = bytes.len() > limit;
    let mut cut = if long { limit - 3 } else { bytes.len() };
    while long && cut > 0 && bytes[cut] & 0xC0 == 0x80 {
        cut -= 1;
    }
    let mut out = String::with_capacity(limit);
    for chunk in bytes[..cut].utf8_chunks() {
        out.push_str(chunk.valid());
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02X}"));
        }
    }
    if long {
        out.push_str("...");
    }
    out
}
