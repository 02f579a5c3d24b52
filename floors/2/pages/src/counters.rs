//! What the store has done, in numbers.

use crossbeam_utils::CachePadded;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The store's counters since it was opened, and its state now (the fields with `_now`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Looks at a page that was in the pool.
    pub hits: u64,
    /// Pages read from the file.
    pub reads: u64,
    /// Pages written to the file, map and superblocks included.
    pub writes: u64,
    /// Frames emptied to make room.
    pub evictions: u64,
    /// Of those, frames that had to be written first.
    pub evictions_dirty: u64,
    /// Checkpoints completed.
    pub checkpoints: u64,
    /// Copies that writers left for the checkpoint writer.
    pub copies: u64,
    /// Damaged places found in the file.
    pub damaged: u64,
    /// Of those, places made good from their second copy.
    pub healed: u64,
    /// Times that the file grew.
    pub growths: u64,
    /// Frames of the pool.
    pub frames: u64,
    /// Frames without a page now.
    pub frames_free_now: u64,
    /// Frames changed and not yet written now.
    pub frames_dirty_now: u64,
    /// Pages allocated now.
    pub pages_now: u64,
    /// Size of the page file in bytes now.
    pub file_bytes_now: u64,
}

/// The events that are counted.
#[derive(Clone, Copy)]
pub(crate) enum Count {
    Hits,
    Reads,
    Writes,
    Evictions,
    EvictionsDirty,
    Checkpoints,
    Copies,
    Damaged,
    Healed,
    Growths,
}

const EVENTS: usize = Count::Growths as usize + 1;
const SHARDS: usize = 64;

/// Counters spread over cache lines, so that a read of a page writes no line that other cores write.
pub(crate) struct Tally {
    shards: Box<[CachePadded<[AtomicU64; EVENTS]>]>,
}

static NEXT_SHARD: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static SHARD: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn shard() -> usize {
    SHARD.with(|shard| {
        if shard.get() == usize::MAX {
            shard.set(NEXT_SHARD.fetch_add(1, Ordering::Relaxed) % SHARDS);
        }
        shard.get()
    })
}

impl Tally {
    pub(crate) fn new() -> Tally {
        let shards = (0..SHARDS).map(|_| CachePadded::new(std::array::from_fn(|_| AtomicU64::new(0))));
        Tally { shards: shards.collect() }
    }

    #[inline]
    pub(crate) fn add(&self, event: Count, count: u64) {
        // Relaxed: a count orders nothing.
        self.shards[shard()][event as usize].fetch_add(count, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn one(&self, event: Count) {
        self.add(event, 1);
    }

    /// The sums; the state of now is the store's to fill in.
    pub(crate) fn sums(&self) -> Counters {
        let sum = |event: Count| {
            self.shards.iter().map(|shard| shard[event as usize].load(Ordering::Relaxed)).sum::<u64>()
        };
        Counters {
            hits: sum(Count::Hits),
            reads: sum(Count::Reads),
            writes: sum(Count::Writes),
            evictions: sum(Count::Evictions),
            evictions_dirty: sum(Count::EvictionsDirty),
            checkpoints: sum(Count::Checkpoints),
            copies: sum(Count::Copies),
            damaged: sum(Count::Damaged),
            healed: sum(Count::Healed),
            growths: sum(Count::Growths),
            ..Counters::default()
        }
    }
}
