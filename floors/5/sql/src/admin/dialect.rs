//! What `sql_mode` and `sql_quote_show_create` make of SHOW CREATE: how names are quoted, which options are left out.

use crate::error::{ER_DATA_OUT_OF_RANGE, ER_ILLEGAL_VALUE_FOR_TYPE, SqlError};
use crate::session::{State, mode, variables};
use crate::syntax::keyword::Kw;
use types::convert::to_bool;

/// The way of writing that a session asks for.
pub struct Dialect {
    sql_mode: u64,
    quote: u8,
    quote_all: bool,
}

impl Dialect {
    /// Everything is written, names in backquotes.
    pub const FULL: Self = Self { sql_mode: 0, quote: b'`', quote_all: true };

    /// As the session has it.
    pub fn of(state: &State) -> Result<Self, SqlError> {
        let quote = if state.vars.has_mode(mode::ANSI_QUOTES) { b'"' } else { b'`' };
        let quote_all = to_bool(&variables::read(state, None, "sql_quote_show_create")?) == Some(true);
        Ok(Self { sql_mode: state.vars.sql_mode, quote, quote_all })
    }

    /// The SQL mode that is shown in.
    pub fn sql_mode(&self) -> u64 {
        self.sql_mode
    }

    /// Another server's way, or ANSI: nothing that belongs to MariaDB alone.
    pub fn is_foreign(&self) -> bool {
        self.sql_mode & mode::FOREIGN_SERVERS != 0
    }

    /// MySQL 3.23's or 4.0's way.
    pub fn is_old(&self) -> bool {
        self.sql_mode & (mode::MYSQL323 | mode::MYSQL40) != 0
    }

    /// Options of a table are written.
    pub fn has_table_options(&self) -> bool {
        !self.is_foreign() && self.sql_mode & mode::NO_TABLE_OPTIONS == 0
    }

    /// Options of an index are written.
    pub fn has_key_options(&self) -> bool {
        !self.is_foreign() && !self.is_limited() && self.sql_mode & mode::NO_KEY_OPTIONS == 0
    }

    /// AUTO_INCREMENT is written.
    pub fn has_auto_increment(&self) -> bool {
        self.sql_mode & mode::NO_FIELD_OPTIONS == 0
    }

    /// ON UPDATE is written.
    pub fn has_on_update(&self) -> bool {
        !self.is_limited()
    }

    fn is_limited(&self) -> bool {
        self.is_old() || self.sql_mode & mode::NO_FIELD_OPTIONS != 0
    }

    /// Quotes the names of a definition's text anew; they stand in backquotes.
    pub fn requoted(&self, text: String) -> String {
        if self.quote == b'`' && self.quote_all {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['`', '\'']) {
            out.push_str(&rest[..at]);
            let length = quoted_length(&rest.as_bytes()[at..]);
            let piece = &rest[at..at + length];
            if piece.starts_with('`') && piece.len() > 1 {
                self.write_name(&piece[1..piece.len() - 1].replace("``", "`"), &mut out);
            } else {
                out.push_str(piece);
            }
            rest = &rest[at + length..];
        }
        out.push_str(rest);
        out
    }

    /// Writes a name as names are quoted.
    pub fn write_name(&self, name: &str, out: &mut String) {
        if !self.quote_all && is_plain(name) {
            return out.push_str(name);
        }
        let quote = char::from(self.quote);
        out.push(quote);
        for c in name.chars() {
            if c == quote {
                out.push(quote);
            }
            out.push(c);
        }
        out.push(quote);
    }
}

/// The length of the string or name that begins `text`, with its quotes; a doubled quote stands for one, in a string
/// a backslash takes the next byte with it.
pub(super) fn quoted_length(text: &[u8]) -> usize {
    let quote = text[0];
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' if quote == b'\'' => at += 1,
            b if b == quote && text.get(at + 1) == Some(&quote) => at += 1,
            b if b == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// A name that needs no quotes.
fn is_plain(name: &str) -> bool {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
    let reserved = Kw::find(name.as_bytes()).is_some_and(Kw::is_reserved);
    !reserved && name.bytes().all(fits) && !name.bytes().all(|b| b.is_ascii_digit())
}

/// An error as the session is told it: the names in the expression of errors 1690 and 1367 are quoted as it has names
/// quoted.
pub fn retold(mut error: SqlError, state: &State) -> SqlError {
    let (before, behind) = match error.errno {
        ER_DATA_OUT_OF_RANGE => (" in '", "'"),
        ER_ILLEGAL_VALUE_FOR_TYPE => (" '", "' value found during parsing"),
        _ => return error,
    };
    if let Some(from) = error.message.find(before).map(|at| at + before.len())
        && let Some(expression) = error.message[from..].strip_suffix(behind)
        && let Ok(dialect) = Dialect::of(state)
    {
        let expression = dialect.requoted(expression.to_owned());
        error.message.truncate(from);
        error.message += &expression;
        error.message += behind;
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_alone_are_quoted_anew() {
        let text = || "`a``b` 'it''s `x` \\' y' `c\"d` `select`".to_owned();
        let ansi = Dialect { sql_mode: 0, quote: b'"', quote_all: true };
        assert_eq!(ansi.requoted(text()), "\"a`b\" 'it''s `x` \\' y' \"c\"\"d\" \"select\"");
        let bare = Dialect { sql_mode: 0, quote: b'`', quote_all: false };
        assert_eq!(bare.requoted("`a` `1` `select` `a b`".into()), "a `1` `select` `a b`");
        assert_eq!(Dialect::FULL.requoted(text()), text());
    }
}
