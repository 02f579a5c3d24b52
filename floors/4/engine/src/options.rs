//! How to open an engine, how to begin a transaction, how to read.

use platform::file::Dir;
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

/// How to open an engine.
#[derive(Clone)]
pub struct Options {
    /// Where the page file and the log are.
    pub dir: Arc<dyn Dir>,
    /// Memory for pages, in bytes.
    pub pool_bytes: u64,
    /// Spread the pool and the tables that all cores share over the NUMA nodes that the process may use.
    pub interleave: bool,
    /// What of the page file goes round the kernel's page cache.
    pub direct: pages::DirectIo,
    /// First piece and smallest growth of the page file, in bytes.
    pub extent_bytes: u64,
    /// Largest growth of the page file, in bytes.
    pub extent_max: u64,
    /// The log.
    pub log: binlog::Options,
    /// Number of this server in the log's events.
    pub server_id: u32,
    /// Domain of this server's GTIDs.
    pub gtid_domain: u32,
    /// When checkpoints are made.
    pub checkpoint: CheckpointPolicy,
    /// Most bytes of one transaction's changes, unless [`crate::Engine::set_transaction_limit`] says otherwise.
    pub write_set_bytes: usize,
    /// Most bytes of the changes of all large transactions together.
    pub write_sets_bytes: usize,
    /// Bytes of older versions beyond which the oldest snapshots are taken away.
    pub version_bytes: u64,
    /// Bytes of index entries that are sorted in memory when an index is built; more go through a temporary file.
    pub sort_bytes: usize,
    /// Threads of the engine's own (purge, checkpoints); off in tests that call them by hand.
    pub background: bool,
}

impl Options {
    /// The defaults over a directory.
    pub fn new(dir: Arc<dyn Dir>) -> Options {
        Options {
            dir,
            pool_bytes: 128 << 20,
            interleave: true,
            direct: pages::PoolOptions::default().direct,
            extent_bytes: pages::PoolOptions::default().extent_min,
            extent_max: pages::PoolOptions::default().extent_max,
            log: binlog::Options::new(1, "10.11.0-MariaDB-penstock"),
            server_id: 1,
            gtid_domain: 0,
            checkpoint: CheckpointPolicy::default(),
            write_set_bytes: 1 << 30,
            write_sets_bytes: 2 << 30,
            version_bytes: 256 << 20,
            sort_bytes: 64 << 20,
            background: true,
        }
    }
}

/// When a checkpoint is made, whichever comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckpointPolicy {
    /// After so many bytes of log.
    pub log_bytes: u64,
    /// When so many of 100 frames are dirty.
    pub dirty_percent: u32,
    /// After so long, if anything was logged.
    pub interval: Duration,
}

impl Default for CheckpointPolicy {
    fn default() -> CheckpointPolicy {
        CheckpointPolicy { log_bytes: 256 << 20, dirty_percent: 50, interval: Duration::from_secs(300) }
    }
}

/// SQL's isolation levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolation {
    /// Acts as READ COMMITTED: uncommitted changes are in no page.
    ReadUncommitted,
    /// A snapshot a statement.
    ReadCommitted,
    /// A snapshot a transaction.
    RepeatableRead,
    /// Reads take shared locks and guard their ranges.
    Serializable,
}

/// How to begin a transaction.
#[derive(Clone, Debug)]
pub struct TxnOptions {
    /// Isolation level.
    pub isolation: Isolation,
    /// Changes are refused.
    pub read_only: bool,
    /// `innodb_snapshot_isolation`: locking a row changed after the snapshot is error 1020.
    pub snapshot_isolation: bool,
    /// Longest wait for a row lock.
    pub lock_wait: Duration,
    /// Longest wait for a table's name.
    pub metadata_wait: Duration,
    /// `sql_log_bin`: false keeps the changes from replicas.
    pub log: bool,
    /// `foreign_key_checks`.
    pub fk_checks: bool,
    /// `unique_checks`: kept for the log; unique keys are always checked.
    pub unique_checks: bool,
    /// One statement of its own: its plain reads take no locks even at SERIALIZABLE.
    pub autocommit: bool,
    /// The session's number, for the log.
    pub session: u64,
}

impl Default for TxnOptions {
    fn default() -> TxnOptions {
        TxnOptions {
            isolation: Isolation::RepeatableRead,
            read_only: false,
            snapshot_isolation: false,
            lock_wait: Duration::from_secs(50),
            metadata_wait: Duration::from_secs(86_400),
            log: true,
            fk_checks: true,
            unique_checks: true,
            autocommit: false,
            session: 0,
        }
    }
}

/// What to do about a row that somebody else has locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Wait for it.
    Block,
    /// Give [`crate::EngineError::LockWaitTimeout`] at once.
    NoWait,
    /// Act as if the row were not there.
    SkipLocked,
}

/// How to read a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// As the isolation level says: at a snapshot without locks, or shared locks at SERIALIZABLE.
    Snapshot,
    /// The newest version under a shared lock.
    Share(Wait),
    /// The newest version under an exclusive lock.
    Exclusive(Wait),
}

/// Bounds over encoded keys of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRange {
    /// Where the range starts.
    pub lo: Bound<Vec<u8>>,
    /// Where it ends.
    pub hi: Bound<Vec<u8>>,
}

impl KeyRange {
    /// Everything.
    pub const ALL: KeyRange = KeyRange { lo: Bound::Unbounded, hi: Bound::Unbounded };

    /// All keys that start with `prefix`.
    pub fn prefix(prefix: &[u8]) -> KeyRange {
        KeyRange { lo: Bound::Included(prefix.to_vec()), hi: prefix_end(prefix) }
    }

    /// One key.
    pub fn point(key: &[u8]) -> KeyRange {
        KeyRange { lo: Bound::Included(key.to_vec()), hi: Bound::Included(key.to_vec()) }
    }
}

/// The bound behind all keys that start with `prefix`.
pub fn prefix_end(prefix: &[u8]) -> Bound<Vec<u8>> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < 0xFF {
            end.push(last + 1);
            return Bound::Excluded(end);
        }
    }
    Bound::Unbounded
}

/// Direction of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Ascending keys.
    Forward,
    /// Descending keys.
    Backward,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_ends_before_the_next_one() {
        assert_eq!(prefix_end(b"ab"), Bound::Excluded(b"ac".to_vec()));
        assert_eq!(prefix_end(&[1, 0xFF, 0xFF]), Bound::Excluded(vec![2]));
        assert_eq!(prefix_end(&[0xFF]), Bound::Unbounded);
        assert_eq!(prefix_end(&[]), Bound::Unbounded);
    }
}
