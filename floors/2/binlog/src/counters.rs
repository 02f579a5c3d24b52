//! What the log counts.

use std::sync::atomic::{AtomicU64, Ordering};

/// Upper bounds of the histogram of groups in a round; a last class takes the rest.
pub const GROUPS_BOUNDS: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// Counters of a log. They count only: relaxed everywhere.
#[derive(Debug, Default)]
pub struct Counters {
    forces: AtomicU64,
    groups: AtomicU64,
    bytes: AtomicU64,
    write_us: AtomicU64,
    sync_us: AtomicU64,
    rotations: AtomicU64,
    waits: AtomicU64,
    gathers: AtomicU64,
    lone_gathers: AtomicU64,
    cleared_bytes: AtomicU64,
    round_groups: [AtomicU64; GROUPS_BOUNDS.len() + 1],
}

/// The counters at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CounterValues {
    /// Rounds of write and force.
    pub forces: u64,
    /// Groups forced.
    pub groups: u64,
    /// Bytes written.
    pub bytes: u64,
    /// Microseconds spent writing.
    pub write_us: u64,
    /// Microseconds spent forcing.
    pub sync_us: u64,
    /// Segments begun after another.
    pub rotations: u64,
    /// Calls of `force` that found another leading.
    pub waits: u64,
    /// Rounds that waited for more groups and got some.
    pub gathers: u64,
    /// Rounds that waited for nothing.
    pub lone_gathers: u64,
    /// Zeros written ahead of the log's end.
    pub cleared_bytes: u64,
    /// Rounds by groups in them: up to [`GROUPS_BOUNDS`], then more.
    pub round_groups: [u64; GROUPS_BOUNDS.len() + 1],
}

impl Counters {
    pub(crate) fn round(&self, groups: u64, bytes: u64, write_us: u64, sync_us: u64) {
        self.forces.fetch_add(1, Ordering::Relaxed);
        self.groups.fetch_add(groups, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.write_us.fetch_add(write_us, Ordering::Relaxed);
        self.sync_us.fetch_add(sync_us, Ordering::Relaxed);
        let class = GROUPS_BOUNDS.partition_point(|bound| *bound < groups);
        self.round_groups[class].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn rotation(&self) {
        self.rotations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn wait(&self) {
        self.waits.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn gather(&self, somebody_came: bool) {
        let counter = if somebody_came { &self.gathers } else { &self.lone_gathers };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn cleared(&self, bytes: u64) {
        self.cleared_bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// All counters now.
    #[must_use]
    pub fn values(&self) -> CounterValues {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CounterValues {
            forces: get(&self.forces),
            groups: get(&self.groups),
            bytes: get(&self.bytes),
            write_us: get(&self.write_us),
            sync_us: get(&self.sync_us),
            rotations: get(&self.rotations),
            waits: get(&self.waits),
            gathers: get(&self.gathers),
            lone_gathers: get(&self.lone_gathers),
            cleared_bytes: get(&self.cleared_bytes),
            round_groups: std::array::from_fn(|class| get(&self.round_groups[class])),
        }
    }
}
