//! Definitions of tables, columns, indexes, foreign keys and checks, as the catalog stores them.
//!
//! All of them are plain data with serde; nothing here is checked against anything else. Columns are referred to by
//! their position in [`TableDef::columns`].

use serde::{Deserialize, Serialize};

use crate::charset::CollationId;
use crate::column::ColumnType;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableDef {
    /// Database.
    pub db: String,
    /// Name.
    pub name: String,
    /// Columns in order.
    pub columns: Vec<ColumnDef>,
    /// Indexes; a primary key, if any, is the first.
    pub indexes: Vec<IndexDef>,
    /// Foreign keys of which this table is the child.
    pub foreign_keys: Vec<ForeignKeyDef>,
    /// CHECK constraints of the table.
    pub checks: Vec<CheckDef>,
    /// Default collation of new columns.
    pub collation: CollationId,
    /// COMMENT.
    pub comment: String,
    /// `AUTO_INCREMENT=` of CREATE or ALTER: the next value, above those that are there. A table has none: its counter moves.
    pub auto_increment: Option<u64>,
    /// Other options to be repeated by SHOW CREATE TABLE, in order: name and value text.
    pub options: Vec<(String, String)>,
}

impl TableDef {
    /// A table of columns and indexes, of which nothing else is said.
    pub fn new(
        (db, name): (&str, &str),
        collation: CollationId,
        columns: Vec<ColumnDef>,
        indexes: Vec<IndexDef>,
    ) -> TableDef {
        TableDef {
            db: db.to_owned(),
            name: name.to_owned(),
            columns,
            indexes,
            foreign_keys: Vec::new(),
            checks: Vec::new(),
            collation,
            comment: String::new(),
            auto_increment: None,
            options: Vec::new(),
        }
    }

    /// The position of the column `name`, compared as MariaDB compares column names.
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| same_name(&column.name, name))
    }

    /// The position of the primary key in `indexes`.
    pub fn primary_index(&self) -> Option<usize> {
        self.indexes.iter().position(|index| index.kind == IndexKind::Primary)
    }

    /// The index that InnoDB keeps the rows of a table without a primary key by, in whose order it goes through them: the
    /// first unique one without NULL.
    pub fn keeping_index(&self) -> Option<usize> {
        let orders = |index: &IndexDef| {
            let whole = |part: &IndexPart| part.prefix_chars.is_none() && !self.columns[part.column].nullable;
            index.kind == IndexKind::Unique && !index.is_hashed() && index.parts.iter().all(whole)
        };
        self.indexes.iter().position(orders).filter(|_| self.primary_index().is_none())
    }

    /// Whether rows that agree in columns with these parts are one row: a unique key has no others.
    pub fn has_unique_key(&self, known: impl Fn(&IndexPart) -> bool) -> bool {
        self.indexes.iter().any(|index| index.is_unique() && index.parts.iter().all(&known))
    }

    /// The position of the index `name`.
    pub fn index_position(&self, name: &str) -> Option<usize> {
        self.indexes.iter().position(|index| same_name(&index.name, name))
    }

    /// The position of the AUTO_INCREMENT column.
    pub fn auto_increment_column(&self) -> Option<usize> {
        self.columns.iter().position(|column| column.auto_increment)
    }
}

/// Whether two identifiers of columns or indexes are the same: letters' case does not count.
pub fn same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
        || (!(a.is_ascii() && b.is_ascii())
            && CollationId::UTF8MB3_GENERAL_CI.collation().compare(a.as_bytes(), b.as_bytes()).is_eq())
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnDef {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: ColumnType,
    /// Whether NULL is allowed.
    pub nullable: bool,
    /// Collation of character types; [`CollationId::BINARY`] for all others.
    pub collation: CollationId,
    /// DEFAULT.
    pub default: DefaultValue,
    /// AUTO_INCREMENT.
    pub auto_increment: bool,
    /// ON UPDATE CURRENT_TIMESTAMP (with the column's fractional digits).
    pub on_update_now: bool,
    /// COMMENT.
    pub comment: String,
    /// INVISIBLE.
    pub invisible: bool,
    /// Generated column: its expression.
    pub generated: Option<Generated>,
    /// The column's own CHECK, as text.
    pub check: Option<String>,
    /// The name that the column had when its CHECK came, where it has another by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_name: Option<String>,
}

impl ColumnDef {
    /// Whether a row may leave the column out: it gets a value by itself, a counter that DROP DEFAULT did not take it from
    /// the next number, an ENUM its first label.
    pub fn has_default(&self) -> bool {
        let by_itself = match self.default {
            DefaultValue::None => self.nullable || self.auto_increment,
            DefaultValue::Missing => false,
            _ => true,
        };
        by_itself || self.generated.is_some() || matches!(self.ty, ColumnType::Enum(_))
    }

    /// Whether nothing was given to it for rows that leave it out, or was taken away.
    pub fn lacks_default(&self) -> bool {
        matches!(self.default, DefaultValue::None | DefaultValue::Missing)
    }

    /// What its CHECK is called: as the column was when it came.
    pub fn check_name(&self) -> &str {
        self.check_name.as_deref().unwrap_or(&self.name)
    }

    /// Gives it another name; its CHECK keeps its own.
    pub fn rename(&mut self, name: &str) {
        let old = std::mem::replace(&mut self.name, name.to_owned());
        if self.check.is_some() {
            self.check_name.get_or_insert(old);
        }
    }

    /// A column with a name, type and nullability, all else at its default; collation 45 for character types.
    pub fn new(name: &str, ty: ColumnType, nullable: bool) -> ColumnDef {
        let collation = if ty.has_charset() { CollationId::UTF8MB4_GENERAL_CI } else { CollationId::BINARY };
        ColumnDef {
            name: name.to_string(),
            ty,
            nullable,
            collation,
            default: DefaultValue::None,
            auto_increment: false,
            on_update_now: false,
            comment: String::new(),
            invisible: false,
            generated: None,
            check: None,
            check_name: None,
        }
    }
}

/// A column's default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DefaultValue {
    /// No default was given.
    #[default]
    None,
    /// DEFAULT NULL.
    Null,
    /// A literal: the text of the value after its conversion to the column, in the column's character set
    /// (a number's digits, a date's text, the string itself; ENUM and SET labels).
    Literal(Vec<u8>),
    /// DEFAULT CURRENT_TIMESTAMP (with the column's fractional digits).
    CurrentTimestamp,
    /// An expression, as text.
    Expression(String),
    /// None, though the column takes NULL: rows have to say it. A table made of a query has this of a NOT NULL column that
    /// the query may leave NULL.
    Missing,
}

/// A generated column's rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generated {
    /// Expression, as text.
    pub expression: String,
    /// STORED (true) or VIRTUAL.
    pub stored: bool,
}

/// An index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexDef {
    /// Name; `PRIMARY` for the primary key.
    pub name: String,
    /// Primary, unique or plain.
    pub kind: IndexKind,
    /// Parts in order.
    pub parts: Vec<IndexPart>,
    /// COMMENT.
    pub comment: String,
    /// What else was said of it.
    #[serde(default)]
    pub options: IndexOptions,
}

/// Words of an index that change nothing in how it is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct IndexOptions {
    /// `USING ...`.
    pub algorithm: Option<IndexAlgorithm>,
    /// `IGNORED`: queries are planned as if it were not there.
    pub ignored: bool,
    /// Made for a foreign key, to go where another index serves as well.
    #[serde(default)]
    pub generated: bool,
}

/// What an index was said to be kept as; all are kept as trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum IndexAlgorithm {
    /// `BTREE`.
    Btree,
    /// `HASH`.
    Hash,
    /// A unique key longer than a key may be: its tree keeps digests, so that it finds equal rows and nothing else.
    Digest,
}

impl IndexDef {
    /// An index over whole columns in ascending order, by their positions.
    pub fn new(name: &str, kind: IndexKind, columns: &[usize]) -> IndexDef {
        let part = |&column| IndexPart { column, prefix_chars: None, desc: false };
        IndexDef {
            name: name.to_owned(),
            kind,
            parts: columns.iter().map(part).collect(),
            comment: String::new(),
            options: IndexOptions::default(),
        }
    }

    /// The primary key over whole columns.
    pub fn primary(columns: &[usize]) -> IndexDef {
        IndexDef::new("PRIMARY", IndexKind::Primary, columns)
    }

    /// Whether its tree keeps digests of the keys instead of the keys.
    pub fn is_digest(&self) -> bool {
        self.options.algorithm == Some(IndexAlgorithm::Digest)
    }

    /// Whether MariaDB keeps it by hash: without order and cardinality.
    pub fn is_hashed(&self) -> bool {
        self.is_digest()
            || self.kind == IndexKind::Unique && self.options.algorithm == Some(IndexAlgorithm::Hash)
    }

    /// Whether equal keys are refused.
    pub fn is_unique(&self) -> bool {
        matches!(self.kind, IndexKind::Primary | IndexKind::Unique)
    }
}

/// Kind of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum IndexKind {
    /// PRIMARY KEY.
    Primary,
    /// UNIQUE KEY.
    Unique,
    /// KEY.
    Key,
    /// SPATIAL KEY: kept in the order of the geometries' bytes, so that it is found again; it finds no rows by place.
    Spatial,
}

/// One part of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexPart {
    /// Position of the column in the table.
    pub column: usize,
    /// Only the first so many characters (bytes for binary types).
    pub prefix_chars: Option<u32>,
    /// DESC.
    pub desc: bool,
}

/// A foreign key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignKeyDef {
    /// Constraint name.
    pub name: String,
    /// Positions of the child's columns.
    pub columns: Vec<usize>,
    /// Parent's database.
    pub ref_db: String,
    /// Parent.
    pub ref_table: String,
    /// Names of the parent's columns (the parent may not exist yet).
    pub ref_columns: Vec<String>,
    /// ON DELETE.
    pub on_delete: ReferentialAction,
    /// ON UPDATE.
    pub on_update: ReferentialAction,
}

/// What a foreign key does when its parent changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ReferentialAction {
    /// RESTRICT, the default.
    #[default]
    Restrict,
    /// NO ACTION: the same, but written so.
    NoAction,
    /// CASCADE.
    Cascade,
    /// SET NULL.
    SetNull,
    /// SET DEFAULT (accepted and refused at run time as InnoDB does).
    SetDefault,
}

/// A CHECK constraint of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckDef {
    /// Constraint name.
    pub name: String,
    /// Expression, as text.
    pub expression: String,
}
