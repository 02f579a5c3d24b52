//! Texts of definitions: strings as literals, expressions (DEFAULT, CHECK, generated columns) in MariaDB's own
//! spelling, which SHOW CREATE TABLE repeats and which is parsed again whenever the table is used.

use crate::error::SqlError;
use crate::expr::expr_text;
use crate::syntax::ast::Expr;
use crate::syntax::{ParseOptions, parse};

/// A string as a literal.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    for c in text.chars() {
        match c {
            '\'' => out.push_str("''"),
            '\\' => out.push_str("\\\\"),
            '\0' => out.push_str("\\0"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

/// An expression's text; error 1901 for a subquery, which has none that could be read again.
pub fn expression(e: &Expr) -> Result<String, SqlError> {
    let text = expr_text(e);
    match parse(format!("DO {text}").as_bytes(), 0, ParseOptions::default()) {
        Ok(_) => Ok(text),
        Err(_) => Err(SqlError::new(
            1901,
            b"HY000",
            "Function or expression 'select ...' cannot be used in a table's definition",
        )),
    }
}
