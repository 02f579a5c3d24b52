//! The word of a page: frame, latch and version in 64 bits, and the protocol over it.
//!
//! ```text
//! 63            32  31      30    29       28        27      0
//! +---------------+-------+------+---------+----------+-------+
//! | version       | FRESH | COOL | LATCHED | RESIDENT | frame |
//! +---------------+-------+------+---------+----------+-------+
//! ```
//!
//! | RESIDENT | LATCHED | the page is |
//! | --- | --- | --- |
//! | 0 | 0 | in the file only, or not allocated |
//! | 0 | 1 | being loaded, freed or moved by one task, which wakes the others that park |
//! | 1 | 0 | in `frame`, readable |
//! | 1 | 1 | in `frame`, under one writer's latch; others spin, for its holder never parks |
//!
//! COOL is the second chance: eviction sets it, whoever looks at a cool page takes it away. A page comes out of the file
//! COOL and FRESH, and the first look takes only FRESH away: one that is looked at once, as a scan does, goes before those
//! that were wanted again. Both (HEAT) are no part of a page's state, so every comparison masks them out; a page read often
//! has neither and its word is not written by reading.
//!
//! The version grows whenever the bytes in the frame may have changed or the frame went: by the end of a latch under
//! which something was written, by a load, by an eviction. It wraps after 2^32; a reader would have to sleep through
//! exactly that many changes of one page between two looks at it.
//!
//! # Orderings (a seqlock after Boehm, "Can seqlocks get along with programming language memory models?")
//!
//! - Reader: load word (Acquire), relaxed loads of data, fence (Acquire), load word (Relaxed), compare. The first
//!   Acquire pairs with the Release of the store that made the page readable: the data is at least that new. If a
//!   data load saw a store made under a later latch, then the reader's fence pairs with that writer's Release fence
//!   and the second load sees the latched word or a later one.
//! - Writer: compare-exchange to LATCHED (Acquire: sees the former holder's stores), fence (Release), relaxed stores of
//!   data, store word with the next version (Release).
//!
//! The functions are generic so that the model in `tests` runs this very code on `loom`'s atomics.

use platform::spin::Backoff;
use std::sync::atomic::{AtomicU64, Ordering, fence};

pub(crate) const FRAME_BITS: u32 = 28;
/// Most frames of a pool: 4 TiB of memory.
pub(crate) const FRAMES_MAX: u64 = 1 << FRAME_BITS;

const FRAME_MASK: u64 = FRAMES_MAX - 1;
pub(crate) const RESIDENT: u64 = 1 << 28;
pub(crate) const LATCHED: u64 = 1 << 29;
pub(crate) const COOL: u64 = 1 << 30;
pub(crate) const FRESH: u64 = 1 << 31;
/// What eviction knows of a page's use.
pub(crate) const HEAT: u64 = COOL | FRESH;
const VERSION_ONE: u64 = 1 << 32;

/// What the protocol needs of an atomic 64-bit word.
pub(crate) trait Word {
    fn load(&self, order: Ordering) -> u64;
    fn store(&self, value: u64, order: Ordering);
    fn compare_exchange(&self, old: u64, new: u64, good: Ordering, bad: Ordering) -> Result<u64, u64>;
    fn fence(order: Ordering);
}

impl Word for AtomicU64 {
    #[inline(always)]
    fn load(&self, order: Ordering) -> u64 {
        AtomicU64::load(self, order)
    }

    #[inline(always)]
    fn store(&self, value: u64, order: Ordering) {
        AtomicU64::store(self, value, order);
    }

    #[inline(always)]
    fn compare_exchange(&self, old: u64, new: u64, good: Ordering, bad: Ordering) -> Result<u64, u64> {
        AtomicU64::compare_exchange(self, old, new, good, bad)
    }

    #[inline(always)]
    fn fence(order: Ordering) {
        fence(order);
    }
}

/// The frame that a resident word names.
#[inline(always)]
pub(crate) fn frame_of(word: u64) -> u32 {
    (word & FRAME_MASK) as u32
}

/// In a frame and not latched.
#[inline(always)]
pub(crate) fn is_readable(word: u64) -> bool {
    word & (RESIDENT | LATCHED) == RESIDENT
}

/// The first look of a reader.
#[inline(always)]
pub(crate) fn look<W: Word>(word: &W) -> u64 {
    word.load(Ordering::Acquire)
}

/// The second look: whether everything copied since `seen` is one state of the page.
#[inline(always)]
pub(crate) fn is_same<W: Word>(word: &W, seen: u64) -> bool {
    W::fence(Ordering::Acquire);
    (word.load(Ordering::Relaxed) ^ seen) & !HEAT == 0
}

/// Latches a word that still has the value `seen` (HEAT apart). On failure the word's present value.
#[inline]
pub(crate) fn try_latch<W: Word>(word: &W, seen: u64) -> Result<(), u64> {
    let mut now = word.load(Ordering::Relaxed);
    loop {
        if (now ^ seen) & !HEAT != 0 || now & LATCHED != 0 {
            return Err(now);
        }
        match word.compare_exchange(now, (now & !HEAT) | LATCHED, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => {
                // Stores into the frame must not be seen before the latched word is.
                W::fence(Ordering::Release);
                return Ok(());
            }
            Err(other) => now = other,
        }
    }
}

/// Lets go of a latch; with the next version when something under it changed.
#[inline]
pub(crate) fn unlatch<W: Word>(word: &W, seen: u64, changed: bool) {
    let clear = seen & !(HEAT | LATCHED);
    let next = if changed { clear.wrapping_add(VERSION_ONE) } else { clear };
    word.store(next, Ordering::Release);
}

/// The word `seen` with the page in `frame`.
pub(crate) fn in_frame(seen: u64, frame: u32) -> u64 {
    (seen & !(VERSION_ONE - 1)) | RESIDENT | u64::from(frame)
}

/// Keeps the latch and makes the page resident, so that others spin for it instead of parking. Those that parked
/// before are woken by the caller, as after every end of the absent state.
pub(crate) fn latched_in_frame<W: Word>(word: &W, seen: u64) {
    word.store(seen | LATCHED, Ordering::Release);
}

/// Ends a latched state with the page in `frame`, out of the file just now.
#[inline]
pub(crate) fn settle_in<W: Word>(word: &W, seen: u64, frame: u32) {
    word.store(in_frame(seen.wrapping_add(VERSION_ONE), frame) | HEAT, Ordering::Release);
}

/// Ends a latched state with the page in no frame.
#[inline]
pub(crate) fn settle_out<W: Word>(word: &W, seen: u64) {
    let version = (seen & !(VERSION_ONE - 1)).wrapping_add(VERSION_ONE);
    word.store(version, Ordering::Release);
}

/// Marks a readable page as cool, no longer fresh; false when it changed meanwhile.
pub(crate) fn cool<W: Word>(word: &W, seen: u64) -> bool {
    word.compare_exchange(seen, (seen | COOL) & !FRESH, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

/// Notes a look at a page that is fresh or cool. Losing the race is fine: somebody else did something to it.
#[cold]
pub(crate) fn warm<W: Word>(word: &W, seen: u64) {
    let less = if seen & FRESH != 0 { seen & !FRESH } else { seen & !COOL };
    let _ = word.compare_exchange(seen, less, Ordering::Relaxed, Ordering::Relaxed);
}

/// Waits a moment for the end of another's latch. Its holder never parks, but may have lost its CPU: then the whole
/// thread yields (not the fiber: this one may hold latches itself).
pub(crate) fn relax(backoff: &mut Backoff) {
    if !backoff.spin() {
        std::thread::yield_now();
    }
}

#[cfg(test)]
mod tests;
