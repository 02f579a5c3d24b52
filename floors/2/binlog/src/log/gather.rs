//! Whether a round waits a moment for commits that are about to come (`docs/decisions/0190`).
//!
//! Sessions that commit one after the other take turns otherwise: each commit comes while the one before it is being forced,
//! so each has a force of its own, and two sessions get no more done than one. Those that the last round answered and
//! those that queued meanwhile are the ones that *may* come together. A leader with `k` groups waits for the next one as
//! long as the force by itself would take for a share of it, `force / (k + 1)`: a wait that is met makes the round cheaper
//! for each of its groups than it made it longer, and a large round does not wait at all.
//!
//! A wait that nobody meets delays the round for nothing. After one the next 2 rounds do not wait, after another in a row the next
//! 4, up to 64: where commits come alone, a wait in 65 rounds is lost.

use super::Log;
use runtime::Waker;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Rounds of so many groups share the force well enough.
const ENOUGH: u64 = 8;
/// A shorter wait than this, in microseconds, is below what a timer can do.
const LEAST_US: u64 = 15;
/// A round that took longer, in microseconds, met a stall that says nothing of the next one.
const MOST_US: u64 = 5_000;
/// Rounds without a wait after fruitless ones: two to this at most.
const DOUBT_MAX: u32 = 6;

/// What the leader of a round knows of those before. Hints, relaxed everywhere; only a leader writes.
#[derive(Default)]
pub(super) struct Gathering {
    /// Groups of the last round and those that queued meanwhile.
    expected: AtomicU64,
    /// Microseconds that a round takes, the older ones counting less and less.
    round_us: AtomicU64,
    /// Fruitless waits in a row.
    doubt: AtomicU32,
    /// Rounds that shall not wait.
    pause: AtomicU32,
}

impl Gathering {
    /// After a round of `groups` that took `us`, with `queued` groups behind it.
    pub fn note(&self, groups: u64, queued: u64, us: u64) {
        self.expected.store(groups + queued, Ordering::Relaxed);
        let (before, us) = (self.round_us.load(Ordering::Relaxed), us.min(MOST_US));
        let smoothed = if before == 0 { us } else { (3 * before + us) / 4 };
        self.round_us.store(smoothed, Ordering::Relaxed);
    }

    /// How long a leader with `queued` groups waits for the next one.
    fn patience_us(&self, queued: u64) -> Option<u64> {
        let us = self.round_us.load(Ordering::Relaxed) / (queued + 1);
        let is_worth_it = queued < self.expected.load(Ordering::Relaxed).min(ENOUGH) && us >= LEAST_US;
        is_worth_it.then_some(us)
    }

    /// Whether nobody is expected beside `queued` groups.
    fn are_all(&self, queued: u64) -> bool {
        queued >= self.expected.load(Ordering::Relaxed)
    }

    /// Whether this round may wait at all.
    fn dares(&self) -> bool {
        let pause = self.pause.load(Ordering::Relaxed);
        self.pause.store(pause.saturating_sub(1), Ordering::Relaxed);
        pause == 0
    }

    fn learn(&self, somebody_came: bool) {
        let doubt = if somebody_came { 0 } else { (self.doubt.load(Ordering::Relaxed) + 1).min(DOUBT_MAX) };
        self.doubt.store(doubt, Ordering::Relaxed);
        self.pause.store(if somebody_came { 0 } else { 1 << doubt }, Ordering::Relaxed);
    }
}

impl Log {
    /// Waits, as the leader, for groups that are likely to come soon; says whether all that may come are there.
    pub(super) fn gather(&self) -> bool {
        let first = self.order.lock().queued();
        match self.gathering.patience_us(first) {
            Some(patience) if self.gathering.dares() => self.wait_for_more(first, patience),
            _ => self.gathering.are_all(first),
        }
    }

    /// Waits for groups beside the `first` ones, `patience` microseconds at first.
    fn wait_for_more(&self, first: u64, mut patience: u64) -> bool {
        let mut queued = first;
        loop {
            let deadline = Instant::now() + Duration::from_micros(patience);
            let now = loop {
                self.forcing.lock().gatherer = Some(Waker::current());
                // Looked at behind the mark: who comes later finds it and wakes.
                let now = self.order.lock().queued();
                if now > queued || runtime::park_until(deadline) {
                    break now;
                }
            };
            let somebody_came = now > queued;
            queued = now;
            match self.gathering.patience_us(queued) {
                Some(more) if somebody_came => patience = more,
                _ => break,
            }
        }
        self.forcing.lock().gatherer = None;
        self.counters.gather(queued > first);
        self.gathering.learn(queued > first);
        self.gathering.are_all(queued)
    }
}

#[cfg(test)]
mod tests {
    use super::Gathering;

    #[test]
    fn waits_are_shares_of_a_force_and_only_for_those_expected() {
        let gathering = Gathering::default();
        assert_eq!(gathering.patience_us(1), None, "nothing is known yet");
        gathering.note(1, 1, 240);
        assert_eq!(gathering.patience_us(1), Some(120));
        assert_eq!(gathering.patience_us(2), None, "both are there");
        gathering.note(1, 0, 240);
        assert_eq!(gathering.patience_us(1), None, "one session alone");
        gathering.note(32, 32, 240);
        assert_eq!(gathering.patience_us(8), None, "a large round");
        gathering.note(1, 1, 60_000_000);
        assert!(
            gathering.patience_us(1).is_some_and(|us| us < 1_000),
            "a device that stood still is not waited for"
        );
    }

    #[test]
    fn fruitless_waits_grow_rare() {
        let gathering = Gathering::default();
        let waits = |rounds: u32| {
            let dared = (0..rounds).filter(|_| gathering.dares().then(|| gathering.learn(false)).is_some());
            dared.count()
        };
        assert_eq!(waits(1 + 2 + 1 + 4 + 1 + 8 + 1), 4);
        assert!(waits(650) <= 16);
        assert!(!gathering.dares());
        gathering.learn(true);
        assert!(gathering.dares());
    }
}
