//! What the store has done, in numbers.

use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// Copies left for the checkpoint writer and not yet taken now.
    pub copies_now: u64,
    /// Pages allocated now.
    pub pages_now: u64,
    /// Size of the page file in bytes now.
    pub file_bytes_now: u64,
    /// Slots of the page file without a use now.
    pub slots_free_now: u64,
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
const SHARDS: usize = 256;
/// The shard of all threads beyond `SHARDS - 1`, and of threads that are ending.
const COMMON: usize = SHARDS - 1;
/// The thread has not asked for its shard yet.
const UNKNOWN: usize = usize::MAX;

/// Counters spread over cache lines: a look at a page writes no line that other cores write, and needs no atomic
/// read-modify-write, since each of the first threads is alone on its shard.
pub(crate) struct Tally {
    shards: Box<[CachePadded<[AtomicU64; EVENTS]>]>,
}

/// Shards given back by threads that ended, and the first never given out.
static SHARDS_FREE: Mutex<(Vec<usize>, usize)> = Mutex::new((Vec::new(), 0));

/// Gives the thread's shard back when the thread ends.
struct Owned(usize);

impl Drop for Owned {
    fn drop(&mut self) {
        SHARD.set(COMMON);
        // The lock orders this thread's last counts before the next owner's first.
        SHARDS_FREE.lock().0.push(self.0);
    }
}

thread_local! {
    static SHARD: Cell<usize> = const { Cell::new(UNKNOWN) };
    static OWNED: RefCell<Option<Owned>> = const { RefCell::new(None) };
}

#[cold]
fn take_shard() -> usize {
    let mut free = SHARDS_FREE.lock();
    let shard = match free.0.pop() {
        Some(shard) => shard,
        None if free.1 < COMMON => {
            free.1 += 1;
            free.1 - 1
        }
        None => COMMON,
    };
    drop(free);
    SHARD.set(shard);
    if shard != COMMON {
        // A thread that is ending cannot keep it: the value is dropped at once, and the shard is free again.
        let owned = Owned(shard);
        let _ = OWNED.try_with(move |keep| keep.replace(Some(owned)));
    }
    SHARD.get()
}

impl Tally {
    pub(crate) fn new() -> Tally {
        let shards = (0..SHARDS).map(|_| CachePadded::new(std::array::from_fn(|_| AtomicU64::new(0))));
        Tally { shards: shards.collect() }
    }

    // Relaxed throughout: a count orders nothing.
    #[inline]
    pub(crate) fn add(&self, event: Count, count: u64) {
        let mut shard = SHARD.get();
        if shard == UNKNOWN {
            shard = take_shard();
        }
        let counter = &self.shards[shard][event as usize];
        if shard == COMMON {
            counter.fetch_add(count, Ordering::Relaxed);
        } else {
            counter.store(counter.load(Ordering::Relaxed) + count, Ordering::Relaxed);
        }
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

#[cfg(test)]
mod tests;
