//! Statements that change rows.

use super::{
    ColumnRef, Expr, FileFormat, Limit, Name, OrderItem, Query, SelectItem, Span, TableName, TableRef,
};

/// How urgent a change is; accepted and without effect, as for InnoDB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Priority {
    #[default]
    Normal,
    Low,
    High,
    Delayed,
}

/// `INSERT`, `REPLACE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Insert {
    /// `REPLACE`.
    pub replace: bool,
    /// `LOW_PRIORITY` and so on.
    pub priority: Priority,
    /// `IGNORE`.
    pub ignore: bool,
    /// The table.
    pub table: TableName,
    /// `PARTITION (...)`.
    pub partitions: Vec<Name>,
    /// The columns; none and `explicit_columns` false means all of them.
    pub columns: Vec<ColumnRef>,
    /// There was a list, be it `()`.
    pub explicit_columns: bool,
    /// The rows.
    pub source: InsertSource,
    /// The statement is a CREATE TABLE ... SELECT, which has made the table: the query does not see it.
    pub fills: bool,
    /// MySQL 8's `AS row(columns)`.
    pub row_alias: Option<(Name, Vec<Name>)>,
    /// `ON DUPLICATE KEY UPDATE`.
    pub on_duplicate: Vec<Assignment>,
    /// `RETURNING`.
    pub returning: Option<Vec<SelectItem>>,
}

/// Where the rows of an INSERT come from.
#[derive(Debug, Clone, PartialEq)]
pub enum InsertSource {
    /// `VALUES (..), (..)`; also `SET a = 1` with `columns` filled in and one row.
    Values(Vec<Vec<Expr>>),
    /// A query.
    Query(Box<Query>),
}

/// `column = value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The column.
    pub column: ColumnRef,
    /// What it gets; [`super::ExprKind::Default`] among others.
    pub value: Expr,
}

/// `UPDATE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// `LOW_PRIORITY`.
    pub priority: Priority,
    /// `IGNORE`.
    pub ignore: bool,
    /// The tables, as in FROM.
    pub tables: Vec<TableRef>,
    /// The changes.
    pub assignments: Vec<Assignment>,
    /// `WHERE`.
    pub filter: Option<Expr>,
    /// `ORDER BY`.
    pub order_by: Vec<OrderItem>,
    /// `LIMIT`.
    pub limit: Option<Limit>,
}

/// `DELETE`.
#[derive(Debug, Clone, PartialEq)]
pub struct Delete {
    /// `LOW_PRIORITY`.
    pub priority: Priority,
    /// `QUICK`.
    pub quick: bool,
    /// `IGNORE`.
    pub ignore: bool,
    /// The tables to delete from in a multi-table DELETE (names or aliases); empty in the single-table form, whose
    /// table is the one member of `from`.
    pub targets: Vec<TableName>,
    /// The tables read.
    pub from: Vec<TableRef>,
    /// `WHERE`.
    pub filter: Option<Expr>,
    /// `ORDER BY`.
    pub order_by: Vec<OrderItem>,
    /// `LIMIT`.
    pub limit: Option<Limit>,
    /// `RETURNING`.
    pub returning: Option<Vec<SelectItem>>,
}

/// `LOAD DATA`.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadData {
    /// `LOW_PRIORITY`, `CONCURRENT`.
    pub priority: Priority,
    /// `LOCAL`.
    pub local: bool,
    /// The file.
    pub path: String,
    /// What happens with duplicates.
    pub duplicates: LoadDuplicates,
    /// The table.
    pub table: TableName,
    /// `PARTITION (...)`.
    pub partitions: Vec<Name>,
    /// `CHARACTER SET`.
    pub charset: Option<Name>,
    /// `FIELDS`, `LINES`.
    pub format: FileFormat,
    /// `IGNORE n LINES`.
    pub ignore_lines: u64,
    /// Columns and user variables that the fields go to; empty means all columns.
    pub targets: Vec<LoadTarget>,
    /// `SET ...`.
    pub set: Vec<Assignment>,
    /// Where the file's name stands, for the log.
    pub path_span: Span,
}

/// A target of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum LoadTarget {
    /// A column.
    Column(ColumnRef),
    /// `@name`.
    UserVar(Name),
}

/// What LOAD DATA does with duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoadDuplicates {
    /// An error (with LOCAL: ignored).
    #[default]
    Error,
    /// `IGNORE`.
    Ignore,
    /// `REPLACE`.
    Replace,
}
