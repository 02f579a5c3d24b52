//! JSON_TABLE in a plan: rows made of the parts of a document.

use crate::expr::Expr;
use crate::expr::func::documents::Step;
use types::ColumnDef;

/// `JSON_TABLE(document, path COLUMNS (...)) alias`.
#[derive(Debug)]
pub struct JsonTable {
    /// The document; it may read tables named before.
    pub document: Expr,
    /// Where the rows are.
    pub path: Vec<Step>,
    /// The columns.
    pub columns: Vec<JsonColumn>,
    /// How many columns there are, those of nested paths among them.
    pub width: usize,
    /// The alias, for messages.
    pub alias: String,
}

/// A column, or the columns below a nested path.
#[derive(Debug)]
pub enum JsonColumn {
    /// FOR ORDINALITY: position among the table's columns.
    Ordinality(usize),
    /// EXISTS PATH.
    Exists(JsonValue),
    /// PATH.
    Value {
        /// The column and where it is.
        value: JsonValue,
        /// JSON: the part's own words, whatever it is.
        json: bool,
        /// ON EMPTY.
        on_empty: Fallback,
        /// ON ERROR.
        on_error: Fallback,
    },
    /// NESTED PATH: rows of their own beside those of other nested paths.
    Nested {
        /// Where its rows are.
        path: Vec<Step>,
        /// Its columns.
        columns: Vec<JsonColumn>,
    },
}

/// A column that a path leads to.
#[derive(Debug)]
pub struct JsonValue {
    /// Position among the table's columns.
    pub at: usize,
    /// Where it is in the row's part.
    pub path: Vec<Step>,
    /// Its definition.
    pub def: ColumnDef,
}

/// What stands for a missing or wrong value.
#[derive(Debug)]
pub enum Fallback {
    /// NULL.
    Null,
    /// An error.
    Error,
    /// A text.
    Default(String),
}
