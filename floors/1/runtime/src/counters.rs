//! What the event loops have done, counted since the start.

use std::sync::atomic::{AtomicU64, Ordering};

/// A counter that its loop alone increments, and others read.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    /// Adds; only for the owning loop's thread. No read-modify-write: there is one writer.
    #[inline]
    pub(crate) fn add(&self, amount: u64) {
        self.0.store(self.0.load(Ordering::Relaxed) + amount, Ordering::Relaxed);
    }

    /// Adds from any thread.
    pub(crate) fn add_shared(&self, amount: u64) {
        self.0.fetch_add(amount, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Counters of one loop.
#[derive(Debug, Default)]
pub(crate) struct LoopCounters {
    pub(crate) turns: Counter,
    pub(crate) enters: Counter,
    pub(crate) sleeps: Counter,
    pub(crate) completions: Counter,
    pub(crate) resumes: Counter,
    pub(crate) yields: Counter,
    pub(crate) spawned: Counter,
    pub(crate) panics: Counter,
    pub(crate) timers: Counter,
    pub(crate) bells: Counter,
}

/// What an event loop, or all of them together, have done since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Rounds of: take mail, run fibers, look for completions.
    pub turns: u64,
    /// System calls for completions (`io_uring_enter`, `epoll_wait`).
    pub enters: u64,
    /// Rounds that went to sleep for want of anything ready.
    pub sleeps: u64,
    /// Completions (io_uring) or ready descriptors (epoll) seen.
    pub completions: u64,
    /// Times that a fiber was switched to.
    pub resumes: u64,
    /// Times that a fiber gave way while it could have gone on.
    pub yields: u64,
    /// Fibers started.
    pub spawned: u64,
    /// Fibers that ended by a panic.
    pub panics: u64,
    /// Deadlines that passed while a fiber waited.
    pub timers: u64,
    /// Wakes from other threads that needed a system call since the loop slept.
    pub bells: u64,
}

impl LoopCounters {
    pub(crate) fn read(&self) -> Counters {
        Counters {
            turns: self.turns.get(),
            enters: self.enters.get(),
            sleeps: self.sleeps.get(),
            completions: self.completions.get(),
            resumes: self.resumes.get(),
            yields: self.yields.get(),
            spawned: self.spawned.get(),
            panics: self.panics.get(),
            timers: self.timers.get(),
            bells: self.bells.get(),
        }
    }
}

impl std::ops::Add for Counters {
    type Output = Counters;

    fn add(self, other: Counters) -> Counters {
        Counters {
            turns: self.turns + other.turns,
            enters: self.enters + other.enters,
            sleeps: self.sleeps + other.sleeps,
            completions: self.completions + other.completions,
            resumes: self.resumes + other.resumes,
            yields: self.yields + other.yields,
            spawned: self.spawned + other.spawned,
            panics: self.panics + other.panics,
            timers: self.timers + other.timers,
            bells: self.bells + other.bells,
        }
    }
}
