//! Tests of lexer, parser and shapes that need nothing from outside.

mod errors;
mod fuzz;
mod names;
mod shapes;
mod statements;

use super::ast::*;
use super::*;
use crate::error::SqlResult;

/// Parses one statement in default mode.
pub(super) fn statement(text: &str) -> SqlResult<Statement> {
    parse(text.as_bytes(), 0, ParseOptions { params: true, ..ParseOptions::default() }).map(|p| p.statement)
}

/// The only SELECT of a text.
pub(super) fn select(text: &str) -> Select {
    match statement(text) {
        Ok(Statement::Query(query)) => match query.body {
            QueryBody::Select(select) => *select,
            other => panic!("{text}: {other:?}"),
        },
        other => panic!("{text}: {other:?}"),
    }
}

/// The only expression of a text.
pub(super) fn expr(text: &str) -> Expr {
    match select(&format!("select {text}")).items.remove(0) {
        SelectItem::Expr { expr, .. } => expr,
        other => panic!("{text}: {other:?}"),
    }
}
