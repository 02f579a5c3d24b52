//! What can go wrong in the engine.

use crate::ids::TableId;
use std::fmt;
use std::sync::Arc;

/// Shorthand for this room's results.
pub type Result<T, E = EngineError> = std::result::Result<T, E>;

/// Which side of a foreign key a statement broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignKeySide {
    /// A child row would have no parent (error 1452).
    Child,
    /// A parent row is needed by a child row (error 1451).
    Parent,
}

/// A broken foreign key, with all that its message needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignKeyViolation {
    /// Which side the statement was at.
    pub side: ForeignKeySide,
    /// Database of the child table.
    pub db: String,
    /// The child table, which has the constraint.
    pub table: String,
    /// The constraint's name.
    pub constraint: String,
    /// Columns of the child.
    pub columns: Vec<String>,
    /// Database of the parent.
    pub ref_db: String,
    /// The parent table.
    pub ref_table: String,
    /// Columns of the parent.
    pub ref_columns: Vec<String>,
    /// ON DELETE of the constraint.
    pub on_delete: types::ReferentialAction,
    /// ON UPDATE of the constraint.
    pub on_update: types::ReferentialAction,
}

/// Errors of the engine. After [`EngineError::Deadlock`], [`EngineError::Changed`] and
/// [`EngineError::SnapshotTooOld`] the whole transaction was rolled back; after the others the statement is to be
/// ended with `end_statement(false)`, which rolls back the statement alone.
#[derive(Debug)]
pub enum EngineError {
    /// A lock was not given in time, or at once with NOWAIT (1205).
    LockWaitTimeout,
    /// This transaction was chosen to end a deadlock, and was rolled back (1213).
    Deadlock,
    /// A row that is to be changed or locked was changed after the snapshot; rolled back (1020).
    Changed {
        /// The table.
        table: String,
    },
    /// The transaction's snapshot was so old that its versions outgrew their memory; rolled back.
    SnapshotTooOld,
    /// The session was told to stop (1317).
    Interrupted,
    /// A unique key has the value already (1062).
    Duplicate {
        /// Position of the index in the definition.
        index: usize,
        /// The clustered key of the row that has it.
        existing: Vec<u8>,
    },
    /// Two rows that are there have the same value in an index that was to be unique (1062).
    DuplicateRows {
        /// Position of the index in the new definition.
        index: usize,
        /// One of the rows, as the new definition has it.
        row: Vec<u8>,
    },
    /// A foreign key forbids the change (1451, 1452).
    ForeignKey(Box<ForeignKeyViolation>),
    /// Cascades went deeper than 15 tables (1456-like).
    CascadeTooDeep {
        /// Database of the table reached last.
        db: String,
        /// The table reached last.
        table: String,
    },
    /// The changes of the transaction outgrew their memory.
    WriteSetTooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// A key is longer than an index can hold (1071-like).
    KeyTooLong {
        /// Its bytes.
        bytes: usize,
        /// Most bytes.
        limit: usize,
    },
    /// A read-only transaction was to change something (1792).
    ReadOnlyTransaction,
    /// The transaction was rolled back before; it takes nothing more.
    NotActive,
    /// No savepoint of that name (1305).
    NoSuchSavepoint(String),
    /// No such database (1049).
    NoSuchDatabase(String),
    /// The database exists (1007).
    DatabaseExists(String),
    /// No such table (1146).
    NoSuchTable {
        /// Database.
        db: String,
        /// Name.
        table: String,
    },
    /// The table exists (1050).
    TableExists {
        /// Database.
        db: String,
        /// Name.
        table: String,
    },
    /// No such index.
    NoSuchIndex(String),
    /// A table handle is older than the last DDL on it: look the table up again.
    TableChanged {
        /// Database.
        db: String,
        /// Name.
        table: String,
    },
    /// The table was made or altered after the transaction's snapshot (1412).
    TableNewerThanSnapshot {
        /// Database.
        db: String,
        /// Name.
        table: String,
    },
    /// The table is the parent of a foreign key of another one (1217, 1451, 1701).
    ReferencedTable {
        /// The foreign key that needs it.
        by: Box<ForeignKeyViolation>,
    },
    /// The row mapping of an ALTER TABLE refused a row, with the caller's own error.
    Mapping(Box<dyn std::error::Error + Send + Sync>),
    /// Stored bytes are not what was written.
    Corrupt {
        /// What was being read, as a verb phrase.
        verb: &'static str,
        /// Where.
        place: String,
    },
    /// Replay met a log that does not fit the data.
    Replay {
        /// Where in the log.
        position: binlog::LogPos,
        /// What does not fit.
        reason: String,
    },
    /// A failed write or force: nothing more is done (the first failure is told).
    Poisoned(Arc<str>),
    /// Pages.
    Page(pages::PageError),
    /// Trees.
    Tree(tree::TreeError),
    /// The log.
    Log(binlog::LogError),
    /// A row image or key.
    Row(types::RowError),
    /// The data directory.
    Io {
        /// What was being done, as a verb phrase.
        verb: &'static str,
        /// The operating system's error.
        source: std::io::Error,
    },
}

impl EngineError {
    /// A table whose bytes are not what was written.
    pub(crate) fn corrupt_table(verb: &'static str, db: &str, table: &str, id: TableId) -> EngineError {
        EngineError::Corrupt { verb, place: format!("table {db}.{table} (id {id})") }
    }

    /// Whether the transaction is over after this error.
    pub fn ends_transaction(&self) -> bool {
        matches!(
            self,
            EngineError::Deadlock
                | EngineError::Changed { .. }
                | EngineError::SnapshotTooOld
                | EngineError::NotActive
                | EngineError::Poisoned(_)
        )
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::LockWaitTimeout => f.write_str("wait for a lock: took too long"),
            EngineError::Deadlock => f.write_str("wait for a lock: deadlock, transaction rolled back"),
            EngineError::Changed { table } => {
                write!(f, "lock a row of {table}: changed after the snapshot, transaction rolled back")
            }
            EngineError::SnapshotTooOld => f.write_str("read at a snapshot: too old, its versions are gone"),
            EngineError::Interrupted => f.write_str("wait: interrupted"),
            EngineError::Duplicate { index, .. } => write!(f, "insert a key: duplicate in index {index}"),
            EngineError::DuplicateRows { index, .. } => {
                write!(f, "build a unique index: duplicate in index {index}")
            }
            EngineError::ForeignKey(v) => write!(
                f,
                "check foreign key {} of {}.{}: {}",
                v.constraint,
                v.db,
                v.table,
                match v.side {
                    ForeignKeySide::Child => "no parent row",
                    ForeignKeySide::Parent => "a child row needs it",
                }
            ),
            EngineError::CascadeTooDeep { db, table } => {
                write!(f, "cascade a change to {db}.{table}: too deep")
            }
            EngineError::WriteSetTooLarge { limit } => {
                write!(f, "change a row: the transaction's changes outgrew {limit} bytes")
            }
            EngineError::KeyTooLong { bytes, limit } => {
                write!(f, "encode a key: {bytes} bytes, at most {limit}")
            }
            EngineError::ReadOnlyTransaction => f.write_str("change a row: the transaction is read-only"),
            EngineError::NotActive => f.write_str("use a transaction: it was rolled back"),
            EngineError::NoSuchSavepoint(name) => write!(f, "find savepoint {name}: none"),
            EngineError::NoSuchDatabase(db) => write!(f, "find database {db}: none"),
            EngineError::DatabaseExists(db) => write!(f, "create database {db}: exists"),
            EngineError::NoSuchTable { db, table } => write!(f, "find table {db}.{table}: none"),
            EngineError::TableExists { db, table } => write!(f, "create table {db}.{table}: exists"),
            EngineError::NoSuchIndex(name) => write!(f, "find index {name}: none"),
            EngineError::TableChanged { db, table } => {
                write!(f, "use table {db}.{table}: its definition changed")
            }
            EngineError::TableNewerThanSnapshot { db, table } => {
                write!(f, "read table {db}.{table}: its definition is newer than the snapshot")
            }
            EngineError::ReferencedTable { by } => {
                write!(
                    f,
                    "change table {}.{}: foreign key {} needs it",
                    by.ref_db, by.ref_table, by.constraint
                )
            }
            EngineError::Mapping(error) => write!(f, "map a row to the new definition: {error}"),
            EngineError::Corrupt { verb, place } => write!(f, "{verb}: {place}: not what was written"),
            EngineError::Replay { position, reason } => {
                write!(f, "replay the log at {position}: {reason}")
            }
            EngineError::Poisoned(reason) => write!(f, "refuse work after a failed write: {reason}"),
            EngineError::Page(error) => error.fmt(f),
            EngineError::Tree(error) => error.fmt(f),
            EngineError::Log(error) => error.fmt(f),
            EngineError::Row(error) => error.fmt(f),
            EngineError::Io { verb, source } => write!(f, "{verb}: {source}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl EngineError {
    /// Whether the disk had no room for what was to be done.
    pub fn is_disk_full(&self) -> bool {
        let full =
            |source: &std::io::Error| platform::file::Cause::of(source) == platform::file::Cause::NoSpace;
        match self {
            EngineError::Page(error) | EngineError::Tree(tree::TreeError::Page(error)) => match error {
                pages::PageError::NoSpace { .. } => true,
                pages::PageError::Io { source, .. } => full(source),
                _ => false,
            },
            EngineError::Log(binlog::LogError::NoSpace { .. }) => true,
            EngineError::Log(binlog::LogError::Io { source, .. }) => full(source),
            EngineError::Io { source, .. } => full(source),
            _ => false,
        }
    }
}

impl From<pages::PageError> for EngineError {
    fn from(error: pages::PageError) -> EngineError {
        EngineError::Page(error)
    }
}

impl From<tree::TreeError> for EngineError {
    fn from(error: tree::TreeError) -> EngineError {
        EngineError::Tree(error)
    }
}

impl From<binlog::LogError> for EngineError {
    fn from(error: binlog::LogError) -> EngineError {
        EngineError::Log(error)
    }
}

impl From<types::RowError> for EngineError {
    fn from(error: types::RowError) -> EngineError {
        EngineError::Row(error)
    }
}
