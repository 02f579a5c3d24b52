//! A table's AUTO_INCREMENT counter.

use std::sync::atomic::{AtomicU64, Ordering};

/// The next value to give. Never goes back, except by [`AutoIncrement::reset`] (TRUNCATE, ALTER).
#[derive(Debug)]
pub struct AutoIncrement {
    next: AtomicU64,
    /// The largest number that a row was written with since the counter was set, as far as the table keeps it.
    written: AtomicU64,
}

impl AutoIncrement {
    /// Gives `next` first (1 at least).
    pub(crate) fn new(next: u64) -> AutoIncrement {
        let next = next.max(1);
        AutoIncrement { next: AtomicU64::new(next), written: AtomicU64::new(next - 1) }
    }

    /// The value that is to be given next, were increment and offset 1.
    pub fn get(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Takes `count` values `first, first + increment, ...`, all equal to `offset` modulo `increment`; returns the
    /// first, `None` when 64 bits are used up.
    pub fn reserve(&self, count: u64, increment: u64, offset: u64) -> Option<u64> {
        let increment = increment.max(1);
        let mut first = None;
        // Relaxed: the number itself is all that is shared.
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
            first = next_in_series(next, increment, offset);
            let span = count.max(1).checked_mul(increment)?;
            first?.checked_add(span)
        });
        taken.ok().and(first)
    }

    /// Notes that `value` is in the table: the next one is larger.
    pub fn note(&self, value: u64) {
        // A load first: most inserts use the value that was reserved, and then nothing is written.
        if value >= self.get() {
            self.next.fetch_max(value.saturating_add(1), Ordering::Relaxed);
        }
    }

    /// Notes that a row is about to be written with `value`, whether or not it stays.
    pub(crate) fn note_written(&self, value: u64) {
        if value > self.written.load(Ordering::Relaxed) {
            self.written.fetch_max(value, Ordering::Relaxed);
        }
    }

    /// Notes that a row was changed to have `value`: a change writes the number behind its own, an insert its own.
    pub fn note_changed(&self, value: u64) {
        self.note_written(value.saturating_add(1));
    }

    /// Takes over what another form of the table was written with.
    pub(crate) fn keep_written(&self, other: &AutoIncrement) {
        self.written.store(other.written.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// The value behind the largest that a row was written with, for tables with virtual columns: what was reserved for
    /// rows that took none is left out.
    pub fn behind_written(&self) -> u64 {
        self.written.load(Ordering::Relaxed).saturating_add(1)
    }

    /// Sets the next value.
    pub fn reset(&self, next: u64) {
        let next = next.max(1);
        self.next.store(next, Ordering::Relaxed);
        self.written.store(next - 1, Ordering::Relaxed);
    }
}

/// The smallest value of the series at or above `next`: all that are equal to `offset` modulo `increment`. An
/// offset larger than the increment is ignored, as MariaDB does.
pub fn next_in_series(next: u64, increment: u64, offset: u64) -> Option<u64> {
    if increment <= 1 {
        return Some(next);
    }
    let offset = if offset > increment { 0 } else { offset };
    let base = offset.min(next);
    if next <= offset {
        return Some(offset);
    }
    let steps = (next - base).div_ceil(increment);
    offset.checked_add(steps.checked_mul(increment)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_increment_and_offset() {
        let counter = AutoIncrement::new(0);
        assert_eq!(counter.reserve(1, 1, 1), Some(1));
        assert_eq!(counter.reserve(3, 1, 1), Some(2));
        assert_eq!(counter.get(), 5);
        assert_eq!(counter.reserve(1, 10, 5), Some(5));
        assert_eq!(counter.reserve(2, 10, 5), Some(15));
        assert_eq!(counter.reserve(1, 10, 5), Some(35));
        counter.note(100);
        assert_eq!(counter.reserve(1, 10, 5), Some(105));
        counter.note(u64::MAX - 1);
        assert_eq!(counter.reserve(1, 1, 1), None);
    }
}
