//! SELECT and everything below it.

use super::{Expr, Name, Span, TableName};

/// A whole query: a body with what may follow it.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// `WITH ...`.
    pub with: Option<With>,
    /// What is selected.
    pub body: QueryBody,
    /// `ORDER BY` over the body.
    pub order_by: Vec<OrderItem>,
    /// `LIMIT`, `FETCH`, `OFFSET`.
    pub limit: Option<Limit>,
    /// `FOR UPDATE`, `LOCK IN SHARE MODE`.
    pub locking: Option<Locking>,
    /// `INTO ...`.
    pub into: Option<SelectInto>,
    /// INTO stands behind everything else, where MariaDB would rather not have it.
    pub into_last: bool,
    /// Its words in the statement.
    pub span: Span,
}

/// A body and nothing more.
impl From<QueryBody> for Query {
    fn from(body: QueryBody) -> Query {
        Query {
            with: None,
            body,
            order_by: Vec::new(),
            limit: None,
            locking: None,
            into: None,
            into_last: false,
            span: Span::default(),
        }
    }
}

/// The body of a query.
#[derive(Debug, Clone, PartialEq)]
pub enum QueryBody {
    /// One SELECT.
    Select(Box<Select>),
    /// `VALUES (..), (..)`.
    Values(Vec<Vec<Expr>>),
    /// A chain of set operations, evaluated from left to right; `INTERSECT` binds tighter and is nested already.
    SetOps {
        /// The first operand.
        first: Box<QueryBody>,
        /// The others.
        rest: Vec<SetOperation>,
    },
    /// A parenthesised query with its own ORDER BY, LIMIT.
    Nested(Box<Query>),
}

/// One step of a chain of set operations.
#[derive(Debug, Clone, PartialEq)]
pub struct SetOperation {
    /// Which.
    pub op: SetOperator,
    /// `ALL` rather than `DISTINCT`.
    pub all: bool,
    /// The right operand.
    pub body: QueryBody,
}

/// Set operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SetOperator {
    /// `UNION`.
    Union,
    /// `EXCEPT`, `MINUS`.
    Except,
    /// `INTERSECT`.
    Intersect,
}

/// `WITH [RECURSIVE]`.
#[derive(Debug, Clone, PartialEq)]
pub struct With {
    /// `RECURSIVE`.
    pub recursive: bool,
    /// The tables.
    pub ctes: Vec<Cte>,
}

/// One common table expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Cte {
    /// Its name.
    pub name: Name,
    /// Names of its columns.
    pub columns: Vec<Name>,
    /// Its query.
    pub query: Box<Query>,
    /// `CYCLE columns RESTRICT`.
    pub cycle: Vec<Name>,
}

/// Words between SELECT and the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SelectOptions {
    /// `DISTINCT`.
    pub distinct: bool,
    /// `ALL`.
    pub all: bool,
    /// `STRAIGHT_JOIN`.
    pub straight_join: bool,
    /// `HIGH_PRIORITY`.
    pub high_priority: bool,
    /// `SQL_SMALL_RESULT`.
    pub small_result: bool,
    /// `SQL_BIG_RESULT`.
    pub big_result: bool,
    /// `SQL_BUFFER_RESULT`.
    pub buffer_result: bool,
    /// `SQL_CALC_FOUND_ROWS`.
    pub calc_found_rows: bool,
    /// `SQL_CACHE` (true), `SQL_NO_CACHE` (false).
    pub cache: Option<bool>,
}

/// One SELECT; by default one of nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Select {
    /// Words between SELECT and the list.
    pub options: SelectOptions,
    /// The select list.
    pub items: Vec<SelectItem>,
    /// The FROM list: its members are cross-joined. Empty without FROM and with `FROM DUAL`.
    pub from: Vec<TableRef>,
    /// `WHERE`.
    pub filter: Option<Expr>,
    /// `GROUP BY`.
    pub group_by: Vec<OrderItem>,
    /// `WITH ROLLUP`.
    pub rollup: bool,
    /// `HAVING`.
    pub having: Option<Expr>,
    /// `WINDOW name AS (...)`.
    pub windows: Vec<(Name, WindowSpec)>,
    /// It stood in parentheses of its own: the text of a view keeps them.
    pub parenthesized: bool,
    /// Its words in the statement.
    pub span: Span,
}

/// A member of a select list.
#[derive(Debug, Clone, PartialEq)]
pub enum SelectItem {
    /// `*`.
    Star,
    /// `[database.]table.*`.
    TableStar(TableName),
    /// An expression.
    Expr {
        /// The expression.
        expr: Expr,
        /// The alias, where given.
        alias: Option<Name>,
        /// The column's name by MariaDB's rules: alias, or column, or the expression's own text.
        name: Name,
    },
}

/// A member of ORDER BY or GROUP BY.
#[derive(Debug, Clone, PartialEq)]
pub struct OrderItem {
    /// The expression; an integer literal is a position.
    pub expr: Expr,
    /// `DESC`.
    pub desc: bool,
}

/// `LIMIT` in all its spellings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limit {
    /// How many rows.
    pub count: Option<Expr>,
    /// How many are skipped.
    pub offset: Option<Expr>,
    /// `FETCH ... WITH TIES`.
    pub with_ties: bool,
    /// `ROWS EXAMINED n`.
    pub rows_examined: Option<Expr>,
}

/// How a query locks what it reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Locking {
    /// `FOR UPDATE` (true), `LOCK IN SHARE MODE` / `FOR SHARE` (false).
    pub exclusive: bool,
    /// `NOWAIT` and so on.
    pub wait: LockWait,
    /// MySQL's `OF a, b`; empty means all.
    pub of: Vec<Name>,
}

/// How long a lock is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockWait {
    /// As the session says.
    Default,
    /// `NOWAIT`.
    NoWait,
    /// `SKIP LOCKED`.
    SkipLocked,
    /// `WAIT n` seconds.
    Seconds(u64),
}

/// `INTO ...`.
#[derive(Debug, Clone, PartialEq)]
pub enum SelectInto {
    /// User variables (or names, inside stored programs).
    Variables(Vec<IntoTarget>),
    /// `OUTFILE`.
    Outfile {
        /// The file.
        path: String,
        /// `CHARACTER SET`.
        charset: Option<Name>,
        /// How it is written.
        format: FileFormat,
    },
    /// `DUMPFILE`.
    Dumpfile(String),
}

/// A target of `INTO`.
#[derive(Debug, Clone, PartialEq)]
pub enum IntoTarget {
    /// `@name`.
    UserVar(Name),
    /// A bare name.
    Local(Name),
}

/// `FIELDS ... LINES ...` of OUTFILE and LOAD DATA.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FileFormat {
    /// `FIELDS TERMINATED BY`.
    pub fields_terminated: Option<Vec<u8>>,
    /// `ENCLOSED BY`.
    pub enclosed: Option<Vec<u8>>,
    /// `OPTIONALLY`.
    pub optionally_enclosed: bool,
    /// `ESCAPED BY`.
    pub escaped: Option<Vec<u8>>,
    /// `LINES STARTING BY`.
    pub lines_starting: Option<Vec<u8>>,
    /// `LINES TERMINATED BY`.
    pub lines_terminated: Option<Vec<u8>>,
}

/// A member of a FROM list.
#[derive(Debug, Clone, PartialEq)]
pub enum TableRef {
    /// A table or view or common table expression.
    Table(TableFactor),
    /// `(query) alias`.
    Derived {
        /// The query.
        query: Box<Query>,
        /// The alias.
        alias: Name,
        /// Names given to its columns.
        columns: Vec<Name>,
        /// `LATERAL`.
        lateral: bool,
    },
    /// `JSON_TABLE(...) alias`.
    JsonTable(Box<JsonTable>),
    /// A join of two.
    Join(Box<Join>),
}

/// A named table with what may follow its name.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFactor {
    /// The name.
    pub name: TableName,
    /// The alias.
    pub alias: Option<Name>,
    /// `PARTITION (...)`.
    pub partitions: Vec<Name>,
    /// `USE INDEX` and so on.
    pub hints: Vec<IndexHint>,
    /// Where the name stands.
    pub span: Span,
}

/// `USE | FORCE | IGNORE INDEX`.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexHint {
    /// Which.
    pub kind: IndexHintKind,
    /// For what.
    pub scope: IndexHintScope,
    /// The indexes; `PRIMARY` is the primary key. `USE INDEX ()` is empty.
    pub indexes: Vec<Name>,
}

/// Kinds of index hint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IndexHintKind {
    Use,
    Force,
    Ignore,
}

/// What an index hint is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IndexHintScope {
    All,
    Join,
    OrderBy,
    GroupBy,
}

/// A join of two.
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    /// Left operand.
    pub left: TableRef,
    /// Right operand.
    pub right: TableRef,
    /// Which.
    pub kind: JoinKind,
    /// On what.
    pub condition: JoinCondition,
    /// It stands in parentheses: what stands around it does not reach in.
    pub parenthesized: bool,
}

/// Kinds of join.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JoinKind {
    /// `JOIN`, `INNER JOIN`, `CROSS JOIN`, and a comma inside parentheses.
    Inner,
    /// `LEFT JOIN`.
    Left,
    /// `RIGHT JOIN`.
    Right,
    /// `STRAIGHT_JOIN`.
    Straight,
}

/// Join conditions.
#[derive(Debug, Clone, PartialEq)]
pub enum JoinCondition {
    /// None.
    None,
    /// `ON expr`.
    On(Expr),
    /// `USING (columns)`.
    Using(Vec<Name>),
    /// `NATURAL`.
    Natural,
}

/// `JSON_TABLE(expr, path COLUMNS (...)) alias`.
#[derive(Debug, Clone, PartialEq)]
pub struct JsonTable {
    /// The document.
    pub expr: Expr,
    /// The path of the rows.
    pub path: Vec<u8>,
    /// The columns.
    pub columns: Vec<JsonColumn>,
    /// The alias.
    pub alias: Name,
}

/// A column of JSON_TABLE.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonColumn {
    /// `name FOR ORDINALITY`.
    Ordinality(Name),
    /// `name type PATH path`, or `EXISTS PATH`.
    Path {
        /// The name.
        name: Name,
        /// The type.
        ty: super::DataType,
        /// The path.
        path: Vec<u8>,
        /// `EXISTS`.
        exists: bool,
        /// `... ON EMPTY`.
        on_empty: JsonFallback,
        /// `... ON ERROR`.
        on_error: JsonFallback,
    },
    /// `NESTED PATH path COLUMNS (...)`.
    Nested {
        /// The path.
        path: Vec<u8>,
        /// The columns.
        columns: Vec<JsonColumn>,
    },
}

/// What JSON_TABLE gives for a missing or wrong value.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonFallback {
    /// `NULL`; also where nothing is said.
    Null,
    /// `ERROR`.
    Error,
    /// `DEFAULT 'text'`.
    Default(Vec<u8>),
}

/// A window.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WindowSpec {
    /// The window it refines.
    pub base: Option<Name>,
    /// `PARTITION BY`.
    pub partition_by: Vec<OrderItem>,
    /// `ORDER BY`.
    pub order_by: Vec<OrderItem>,
    /// The frame.
    pub frame: Option<Frame>,
}

/// `ROWS | RANGE ...`.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// `ROWS` (true), `RANGE` (false).
    pub rows: bool,
    /// Where it starts.
    pub start: FrameBound,
    /// Where it ends; the current row where not given.
    pub end: Option<FrameBound>,
    /// `EXCLUDE CURRENT ROW | GROUP | TIES | NO OTHERS`.
    pub exclude: FrameExclude,
}

/// A frame's end.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum FrameBound {
    UnboundedPreceding,
    Preceding(Expr),
    CurrentRow,
    Following(Expr),
    UnboundedFollowing,
}

/// `EXCLUDE ...` of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FrameExclude {
    NoOthers,
    CurrentRow,
    Group,
    Ties,
}
