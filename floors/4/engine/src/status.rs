//! Counters for SHOW STATUS and the metrics.

use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the engine counts itself. All 64 bits wide.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) commits: CachePadded<AtomicU64>,
    pub(crate) rollbacks: CachePadded<AtomicU64>,
    pub(crate) old_version_reads: CachePadded<AtomicU64>,
    pub(crate) checkpoints: CachePadded<AtomicU64>,
    pub(crate) purged: CachePadded<AtomicU64>,
    pub(crate) revoked: CachePadded<AtomicU64>,
}

impl Counters {
    /// Adds one.
    pub(crate) fn bump(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read(counter: &AtomicU64) -> u64 {
        counter.load(Ordering::Relaxed)
    }
}

/// State and counters of an engine at a moment.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// Transactions committed that changed something.
    pub commits: u64,
    /// Transactions rolled back that had changed something.
    pub rollbacks: u64,
    /// Reads that needed an older version.
    pub old_version_reads: u64,
    /// Checkpoints made.
    pub checkpoints: u64,
    /// Versions and tombstones removed.
    pub purged: u64,
    /// Snapshots taken away because versions outgrew their memory.
    pub snapshots_revoked: u64,
    /// Bytes of older versions in memory.
    pub version_bytes: u64,
    /// Bytes that large transactions have taken for their changes.
    pub transaction_bytes: u64,
    /// Entries that wait to be purged.
    pub purge_queue: u64,
    /// Waits for locks so far.
    pub lock_waits: u64,
    /// Waits going on.
    pub lock_waits_now: u64,
    /// Deadlocks found.
    pub deadlocks: u64,
    /// Waits that took too long.
    pub lock_timeouts: u64,
    /// Row locks held.
    pub row_locks: u64,
    /// The newest commit that can be seen.
    pub visible: u64,
    /// The page store.
    pub pages: pages::Counters,
}
