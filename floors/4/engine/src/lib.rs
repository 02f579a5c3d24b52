//! The engine: catalog, versions, locks, write sets, the commit pipeline, recovery.
//!
//! It stores rows (images of [`types::row`]) in tables and keeps the promises: what is acknowledged survives, a
//! transaction is whole or not at all, isolation is what its level says. It does not know SQL's text, sockets or
//! sessions' variables.
//!
//! ```text
//! sql --> Session::begin --> Txn: reads (snapshot or locks), write set, log events
//!                             | commit
//!                             v
//!         order + force (binlog) --> gate --> apply (tree, versions) --> watermark --> locks go
//!                                                ^
//!         recovery: groups of the log -----------+
//! ```
//!
//! | module | what it is |
//! | --- | --- |
//! | [`catalog`] | databases, tables, records; the catalog tree |
//! | `mvcc` | versions, snapshots, purge |
//! | `lock` | row locks, range locks, metadata locks, deadlocks |
//! | [`txn`] | transactions: reading, scanning, changing, foreign keys, savepoints |
//! | `commit` | the way into log and pages, checkpoints |
//! | [`ddl`] | data definition |
//! | `temporary` | temporary tables |
//! | [`recovery`] | opening and replay |
//!
//! Ranks: the engine's floor is 4; its own mutexes are held for moments and never while parking. Everything that may
//! wait says so.

#![forbid(unsafe_code)]

mod build;
pub mod catalog;
mod check;
mod commit;
mod core;
pub mod ddl;
mod engine;
mod error;
mod ids;
mod lock;
#[cfg(test)]
mod model;
mod mvcc;
mod options;
pub mod recovery;
mod scratch;
mod status;
mod temporary;
pub mod txn;

pub use binlog::event::QueryStatus;
pub use catalog::{
    AutoIncrement, Catalog, ChildKey, Database, DatabaseDef, SharedMap, Statistics, Table, View,
    next_in_series, read_beside,
};
pub use ddl::{AlterLock, AlteredRows, Ddl, MappingError, QueryText, RowMapping, TableName};
pub use engine::{Engine, Pin, Session};
pub use error::{EngineError, ForeignKeySide, ForeignKeyViolation, Result};
pub use ids::{CommitNo, TableId, TxnId};
pub use lock::Interrupt;
pub use options::{
    CheckpointPolicy, Direction, Isolation, KeyRange, Options, Read, TxnOptions, Wait, prefix_end,
};
pub use recovery::RecoveryReport;
pub use scratch::TemporaryFile;
pub use status::Status;
pub use tree::Sighting;
pub use txn::{AtHand, Committed, FoundRow, Mdl, RowBuf, Scan, Txn};

/// In place of an index's position: the rows in the order of their clustered key, whichever that is.
pub const CLUSTERED: usize = usize::MAX;
