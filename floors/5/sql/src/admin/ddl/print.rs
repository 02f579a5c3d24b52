//! Texts of definitions: strings as literals, expressions (DEFAULT, CHECK, generated columns) in MariaDB's own
//! spelling, which SHOW CREATE TABLE repeats and which is parsed again whenever the table is used.

use crate::error::SqlError;
use crate::expr::expr_text;
use crate::syntax::ast::rewrite::Rewrite;
use crate::syntax::ast::{Expr, Query};

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

/// An expression's text; error 1901 for a subquery.
pub fn expression(e: &Expr) -> Result<String, SqlError> {
    let mut queries = Queries(false);
    queries.expr(&mut e.clone());
    match queries.0 {
        false => Ok(expr_text(e)),
        true => Err(SqlError::new(
            1901,
            b"HY000",
            "Function or expression 'select ...' cannot be used in a table's definition",
        )),
    }
}

/// Whether there is a query anywhere.
struct Queries(bool);

impl Rewrite for Queries {
    fn query(&mut self, _: &mut Query) {
        self.0 = true;
    }
}
