//! Tables, indexes, databases and views.

use super::{Expr, Name, Query, Span, TableName};

/// Character set and collation as written on a type, a table or a database.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CharsetSpec {
    /// `CHARACTER SET name`; `DEFAULT` is spelt `default`.
    pub charset: Option<Name>,
    /// `COLLATE name`; `DEFAULT` is spelt `default`.
    pub collation: Option<Name>,
    /// The attribute `BINARY`: the `_bin` collation of the character set.
    pub binary: bool,
}

/// A character set or collation of a table or database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CharsetClause {
    /// `CHARACTER SET name`; `DEFAULT` is spelt `default`.
    Charset(Name),
    /// `COLLATE name`; `DEFAULT` is spelt `default`.
    Collate(Name),
}

/// Sizes of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IntSize {
    Tiny,
    Small,
    Medium,
    Int,
    Big,
}

/// Sizes of TEXT and BLOB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum LobSize {
    Tiny,
    Normal,
    Medium,
    Long,
}

/// `UNSIGNED`, `ZEROFILL` of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct NumericAttrs {
    /// `UNSIGNED`; ZEROFILL brings it along.
    pub unsigned: bool,
    /// `ZEROFILL`.
    pub zerofill: bool,
}

/// A column's type as written; bounds are checked by whoever makes the column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataType {
    /// Integers; `BOOL` is `TINYINT(1)`.
    Integer {
        /// The size.
        size: IntSize,
        /// Display width.
        width: Option<u64>,
        /// Attributes.
        attrs: NumericAttrs,
    },
    /// `DECIMAL`, `NUMERIC`, `FIXED`, `DEC`.
    Decimal {
        /// Digits.
        precision: Option<u64>,
        /// Digits behind the point.
        scale: Option<u64>,
        /// Attributes.
        attrs: NumericAttrs,
    },
    /// `FLOAT`, `FLOAT(p)`, `FLOAT(m,d)`.
    Float {
        /// The first number.
        precision: Option<u64>,
        /// The second.
        scale: Option<u64>,
        /// Attributes.
        attrs: NumericAttrs,
    },
    /// `DOUBLE`, `REAL`.
    Double {
        /// Digits.
        precision: Option<u64>,
        /// Digits behind the point.
        scale: Option<u64>,
        /// Attributes.
        attrs: NumericAttrs,
    },
    /// `BIT[(n)]`.
    Bit(Option<u64>),
    /// `YEAR[(n)]`.
    Year(Option<u64>),
    /// `DATE`.
    Date,
    /// `TIME[(fsp)]`.
    Time(Option<u64>),
    /// `DATETIME[(fsp)]`.
    DateTime(Option<u64>),
    /// `TIMESTAMP[(fsp)]`.
    Timestamp(Option<u64>),
    /// `CHAR[(n)]`.
    Char {
        /// Length in characters.
        length: Option<u64>,
        /// Character set.
        charset: CharsetSpec,
    },
    /// `VARCHAR(n)`.
    VarChar {
        /// Length in characters.
        length: u64,
        /// Character set.
        charset: CharsetSpec,
    },
    /// `BINARY[(n)]`.
    Binary(Option<u64>),
    /// `VARBINARY(n)`.
    VarBinary(u64),
    /// `TEXT` and its sizes; `TEXT(n)` takes the smallest size that holds n.
    Text {
        /// The size.
        size: LobSize,
        /// `(n)`.
        length: Option<u64>,
        /// Character set.
        charset: CharsetSpec,
    },
    /// `BLOB` and its sizes.
    Blob {
        /// The size.
        size: LobSize,
        /// `(n)`.
        length: Option<u64>,
    },
    /// `ENUM(...)`: the values' bytes.
    Enum {
        /// The values.
        values: Vec<Vec<u8>>,
        /// Character set.
        charset: CharsetSpec,
    },
    /// `SET(...)`.
    Set {
        /// The values.
        values: Vec<Vec<u8>>,
        /// Character set.
        charset: CharsetSpec,
    },
    /// `JSON`: LONGTEXT with utf8mb4_bin and a check.
    Json,
    /// `GEOMETRY` and its kinds, lower case.
    Geometry(Name),
    /// `UUID`, `INET6`, `INET4`: a type by name, lower case.
    Named(Name),
}

/// A column of CREATE TABLE or ALTER TABLE.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnSpec {
    /// The name.
    pub name: Name,
    /// The type.
    pub ty: DataType,
    /// `SERIAL`: BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE.
    pub serial: bool,
    /// `NOT NULL` (false), `NULL` (true).
    pub nullable: Option<bool>,
    /// `DEFAULT value`: a literal, a function, an expression.
    pub default: Option<Expr>,
    /// `ON UPDATE CURRENT_TIMESTAMP[(fsp)]`: the expression.
    pub on_update: Option<Expr>,
    /// `AUTO_INCREMENT`.
    pub auto_increment: bool,
    /// `PRIMARY KEY`, `UNIQUE` on the column.
    pub key: Option<ColumnKey>,
    /// `COMMENT`.
    pub comment: Option<String>,
    /// `AS (expr)`.
    pub generated: Option<Generated>,
    /// `CHECK (expr)` on the column.
    pub check: Option<Expr>,
    /// `[CONSTRAINT [name]] REFERENCES ...` on the column.
    pub references: Option<Box<(Option<Name>, References)>>,
    /// `INVISIBLE`.
    pub invisible: bool,
    /// `COMPRESSED`.
    pub compressed: bool,
}

/// A key said on a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKey {
    /// `PRIMARY KEY`, `KEY`.
    Primary,
    /// `UNIQUE [KEY]`.
    Unique,
}

/// `[GENERATED ALWAYS] AS (expr) [VIRTUAL | PERSISTENT | STORED]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The expression.
    pub expr: Expr,
    /// Kept in the row.
    pub stored: bool,
}

/// What a foreign key points at.
#[derive(Debug, Clone, PartialEq)]
pub struct References {
    /// The parent table.
    pub table: TableName,
    /// Its columns.
    pub columns: Vec<Name>,
    /// `ON DELETE`.
    pub on_delete: Option<ReferenceAction>,
    /// `ON UPDATE`.
    pub on_update: Option<ReferenceAction>,
}

/// What happens to children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ReferenceAction {
    Restrict,
    Cascade,
    SetNull,
    NoAction,
    SetDefault,
}

/// An index.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexSpec {
    /// `CONSTRAINT name`.
    pub constraint: Option<Name>,
    /// The index's own name.
    pub name: Option<Name>,
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// Which.
    pub kind: IndexKind,
    /// The columns.
    pub parts: Vec<KeyPart>,
    /// `USING BTREE` and so on, lower case.
    pub algorithm: Option<Name>,
    /// `COMMENT`.
    pub comment: Option<String>,
    /// `KEY_BLOCK_SIZE`.
    pub key_block_size: Option<u64>,
    /// `IGNORED`, MySQL's `INVISIBLE`.
    pub ignored: bool,
}

/// Kinds of index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum IndexKind {
    Primary,
    Unique,
    Plain,
    Fulltext,
    Spatial,
}

/// A column of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPart {
    /// The column.
    pub column: Name,
    /// Prefix length.
    pub length: Option<u64>,
    /// `DESC`.
    pub desc: bool,
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignKeySpec {
    /// `CONSTRAINT name`.
    pub constraint: Option<Name>,
    /// The index's name.
    pub index: Option<Name>,
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// The columns here.
    pub columns: Vec<Name>,
    /// The parent.
    pub references: References,
}

/// `[CONSTRAINT name] CHECK (expr)`.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckSpec {
    /// Its name.
    pub name: Option<Name>,
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// The condition.
    pub expr: Expr,
}

/// A member of CREATE TABLE's list.
#[derive(Debug, Clone, PartialEq)]
pub enum TableElement {
    /// A column.
    Column(Box<ColumnSpec>),
    /// An index.
    Index(IndexSpec),
    /// A foreign key.
    ForeignKey(Box<ForeignKeySpec>),
    /// A check.
    Check(CheckSpec),
}

/// `name = value` behind a table's list.
#[derive(Debug, Clone, PartialEq)]
pub enum TableOption {
    /// `ENGINE`.
    Engine(Name),
    /// `AUTO_INCREMENT`.
    AutoIncrement(u64),
    /// `DEFAULT CHARACTER SET`, `COLLATE`.
    Charset(CharsetClause),
    /// `COMMENT`.
    Comment(String),
    /// `ROW_FORMAT`, upper case.
    RowFormat(Name),
    /// Any other: name in upper case and its value, kept for SHOW CREATE TABLE.
    Other(Name, TableOptionValue),
}

/// The value of a table option.
#[derive(Debug, Clone, PartialEq)]
pub enum TableOptionValue {
    /// A number.
    Number(u64),
    /// A word.
    Word(Name),
    /// A string.
    Str(String),
    /// Names (`UNION = (a, b)`).
    Tables(Vec<TableName>),
}

/// `CREATE TABLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateTable {
    /// `OR REPLACE`.
    pub or_replace: bool,
    /// `TEMPORARY`.
    pub temporary: bool,
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// The table.
    pub name: TableName,
    /// `LIKE other`.
    pub like: Option<TableName>,
    /// Columns, indexes, constraints in order.
    pub elements: Vec<TableElement>,
    /// Options in order.
    pub options: Vec<TableOption>,
    /// `PARTITION BY` was given: its words. Not supported yet.
    pub partitioning: Option<Span>,
    /// `WITH SYSTEM VERSIONING` was given. Not supported yet.
    pub system_versioning: bool,
    /// `[IGNORE | REPLACE] [AS] query`.
    pub select: Option<CreateSelect>,
}

/// The query of CREATE TABLE ... SELECT.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateSelect {
    /// `IGNORE`.
    pub ignore: bool,
    /// `REPLACE`.
    pub replace: bool,
    /// The query.
    pub query: Box<Query>,
}

/// `CREATE INDEX`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateIndex {
    /// `OR REPLACE`.
    pub or_replace: bool,
    /// The table.
    pub table: TableName,
    /// The index.
    pub index: IndexSpec,
    /// `ALGORITHM` and `LOCK`, as actions of the ALTER TABLE that it is.
    pub manner: Vec<super::AlterAction>,
}

/// `DROP INDEX`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropIndex {
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// The index.
    pub name: Name,
    /// The table.
    pub table: TableName,
    /// `ALGORITHM` and `LOCK`, as actions of the ALTER TABLE that it is.
    pub manner: Vec<super::AlterAction>,
}

/// `DROP TABLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropTable {
    /// `TEMPORARY`.
    pub temporary: bool,
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// The tables.
    pub tables: Vec<TableName>,
    /// `WAIT n`, `NOWAIT`.
    pub wait: super::LockWait,
}

/// `RENAME TABLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct RenameTable {
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// Old and new names, in order.
    pub pairs: Vec<(TableName, TableName)>,
}

/// Options of a database.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DatabaseOptions {
    /// Character sets and collations, in order.
    pub charsets: Vec<CharsetClause>,
    /// `COMMENT`.
    pub comment: Option<String>,
}

/// `CREATE DATABASE`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateDatabase {
    /// `OR REPLACE`.
    pub or_replace: bool,
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// The database.
    pub name: Name,
    /// Its options.
    pub options: DatabaseOptions,
}

/// `ALTER DATABASE`.
#[derive(Debug, Clone, PartialEq)]
pub struct AlterDatabase {
    /// The database; the current one where not given.
    pub name: Option<Name>,
    /// Its options.
    pub options: DatabaseOptions,
}

/// `DROP DATABASE`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropDatabase {
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// The database.
    pub name: Name,
}

/// `CREATE VIEW`, `ALTER VIEW`.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateView {
    /// `ALTER VIEW`.
    pub alter: bool,
    /// `OR REPLACE`.
    pub or_replace: bool,
    /// `IF NOT EXISTS`.
    pub if_not_exists: bool,
    /// `ALGORITHM`.
    pub algorithm: ViewAlgorithm,
    /// `DEFINER`.
    pub definer: Option<super::Account>,
    /// `SQL SECURITY INVOKER` (true).
    pub invoker: bool,
    /// The view.
    pub name: TableName,
    /// Names of its columns.
    pub columns: Vec<Name>,
    /// The query; its span gives the text.
    pub query: Box<Query>,
    /// `WITH CHECK OPTION`.
    pub check: ViewCheck,
}

/// How a view is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum ViewAlgorithm {
    #[default]
    Undefined,
    Merge,
    Temptable,
}

/// `WITH [LOCAL | CASCADED] CHECK OPTION`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum ViewCheck {
    #[default]
    None,
    Local,
    Cascaded,
}

/// `DROP VIEW`.
#[derive(Debug, Clone, PartialEq)]
pub struct DropView {
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// The views.
    pub views: Vec<TableName>,
}

/// `DROP PROCEDURE` and its kin.
#[derive(Debug, Clone, PartialEq)]
pub struct DropStored {
    /// `PROCEDURE`, `FUNCTION`, `TRIGGER`, `EVENT`, `SEQUENCE`, `PACKAGE`, `PACKAGE BODY`, `SERVER`.
    pub kind: &'static str,
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// Its name.
    pub name: TableName,
}
