//! ALTER TABLE.

use super::{
    CharsetClause, CheckSpec, ColumnSpec, Expr, ForeignKeySpec, IndexSpec, Name, TableName, TableOption,
};

/// `ALTER TABLE`.
#[derive(Debug, Clone, PartialEq)]
pub struct AlterTable {
    /// `IGNORE`.
    pub ignore: bool,
    /// `IF EXISTS`.
    pub if_exists: bool,
    /// The table.
    pub name: TableName,
    /// `WAIT n`, `NOWAIT`.
    pub wait: super::LockWait,
    /// The actions in order; `ONLINE` is the first of them, as `LOCK = NONE`.
    pub actions: Vec<AlterAction>,
}

/// Where a column goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ColumnPosition {
    /// Where it is, or last.
    #[default]
    Default,
    /// `FIRST`.
    First,
    /// `AFTER column`.
    After(Name),
}

impl AlterAction {
    /// Whether it says IF EXISTS or IF NOT EXISTS.
    pub fn asks_existence(&self) -> bool {
        match self {
            Self::AddColumn { if_not_exists: asks, .. }
            | Self::DropColumn { if_exists: asks, .. }
            | Self::DropIndex { if_exists: asks, .. }
            | Self::DropForeignKey { if_exists: asks, .. }
            | Self::DropConstraint { if_exists: asks, .. }
            | Self::ModifyColumn { if_exists: asks, .. }
            | Self::ChangeColumn { if_exists: asks, .. }
            | Self::AlterDefault { if_exists: asks, .. }
            | Self::RenameColumn { if_exists: asks, .. }
            | Self::RenameIndex { if_exists: asks, .. } => *asks,
            Self::AddIndex(spec) => spec.if_not_exists,
            Self::AddForeignKey(spec) => spec.if_not_exists,
            Self::AddCheck(spec) => spec.if_not_exists,
            _ => false,
        }
    }

    /// Whether MariaDB has nothing to do for it where IF EXISTS or IF NOT EXISTS passes over it.
    pub fn may_be_forgotten(&self) -> bool {
        match self {
            Self::DropConstraint { .. }
            | Self::ChangeColumn { .. }
            | Self::RenameColumn { .. }
            | Self::RenameIndex { .. } => false,
            // Keys and conditions of a column are added without it.
            Self::AddColumn { column, .. } => {
                column.key.is_none()
                    && !column.serial
                    && column.check.is_none()
                    && column.references.is_none()
            }
            _ => self.asks_existence(),
        }
    }
}

/// One action of ALTER TABLE.
#[derive(Debug, Clone, PartialEq)]
pub enum AlterAction {
    /// `ADD [COLUMN]`.
    AddColumn {
        /// `IF NOT EXISTS`.
        if_not_exists: bool,
        /// The column.
        column: Box<ColumnSpec>,
        /// Where.
        position: ColumnPosition,
    },
    /// `ADD INDEX` and so on.
    AddIndex(IndexSpec),
    /// `ADD FOREIGN KEY`.
    AddForeignKey(Box<ForeignKeySpec>),
    /// `ADD CHECK`.
    AddCheck(CheckSpec),
    /// `DROP [COLUMN]`.
    DropColumn {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The column.
        name: Name,
    },
    /// `DROP INDEX`.
    DropIndex {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The index.
        name: Name,
    },
    /// `DROP PRIMARY KEY`.
    DropPrimaryKey,
    /// `DROP FOREIGN KEY`.
    DropForeignKey {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The constraint.
        name: Name,
    },
    /// `DROP CONSTRAINT`, MySQL's `DROP CHECK`.
    DropConstraint {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The constraint.
        name: Name,
    },
    /// `MODIFY [COLUMN]`.
    ModifyColumn {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The column.
        column: Box<ColumnSpec>,
        /// Where.
        position: ColumnPosition,
    },
    /// `CHANGE [COLUMN] old new ...`.
    ChangeColumn {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The old name.
        old: Name,
        /// The column.
        column: Box<ColumnSpec>,
        /// Where.
        position: ColumnPosition,
    },
    /// `ALTER [COLUMN] c SET DEFAULT value`, `DROP DEFAULT`.
    AlterDefault {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The column.
        column: Name,
        /// The default; none drops it.
        default: Option<Expr>,
    },
    /// `ALTER INDEX i [NOT] IGNORED`.
    AlterIndexIgnored {
        /// The index.
        name: Name,
        /// `IGNORED`.
        ignored: bool,
    },
    /// `RENAME [TO]`.
    RenameTo(TableName),
    /// `RENAME COLUMN`.
    RenameColumn {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The old name.
        old: Name,
        /// The new name.
        new: Name,
    },
    /// `RENAME INDEX`.
    RenameIndex {
        /// `IF EXISTS`.
        if_exists: bool,
        /// The old name.
        old: Name,
        /// The new name.
        new: Name,
    },
    /// `CONVERT TO CHARACTER SET`.
    ConvertCharset(Vec<CharsetClause>),
    /// A table option.
    Option(TableOption),
    /// `ORDER BY columns`.
    OrderBy(Vec<super::OrderItem>),
    /// `ENABLE KEYS`.
    EnableKeys,
    /// `DISABLE KEYS`.
    DisableKeys,
    /// `FORCE`.
    Force,
    /// `ALGORITHM = name`, lower case.
    Algorithm(Name),
    /// `LOCK = name`, lower case.
    Lock(Name),
    /// `DISCARD TABLESPACE` (false), `IMPORT TABLESPACE` (true).
    Tablespace {
        /// `IMPORT`.
        import: bool,
    },
}
