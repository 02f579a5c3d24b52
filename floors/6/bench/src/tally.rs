//! What a load did: latencies, answers, errors. Each event loop has its own, so that nothing is shared while it runs.

use hdrhistogram::Histogram;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::time::Duration;

/// Latencies are kept from 100 ns ...
const LOWEST_NS: u64 = 100;
/// ... to an hour, ...
const HIGHEST_NS: u64 = 3_600_000_000_000;
/// ... each within 1% of what it was.
const DIGITS: u8 = 2;

/// Latencies in nanoseconds.
pub fn histogram() -> Histogram<u64> {
    Histogram::new_with_bounds(LOWEST_NS, HIGHEST_NS, DIGITS).expect("these bounds are valid")
}

/// Errors of one number: how many, and what the first one said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// How many came.
    pub count: u64,
    /// The first one's text.
    pub message: String,
}

/// Errors after which a transaction is run again: lock wait timeout, deadlock, record changed since the snapshot.
pub const RUN_AGAIN: [u16; 3] = [1205, 1213, 1020];

/// Errors by the server's number; 0 stands for answers that were wrong without being errors.
pub type Complaints = BTreeMap<u16, Complaint>;

/// What happened since the last look.
#[derive(Debug, Clone)]
pub struct Interval {
    /// Latency of each answer in nanoseconds, errors included.
    pub latencies: Histogram<u64>,
    /// Answers, errors included.
    pub answers: u64,
    /// Rows received.
    pub rows: u64,
    /// Commands whose intended time came before the end, but not their turn.
    pub unsent: u64,
    /// Answers that were errors, and answers that were wrong.
    pub complaints: Complaints,
    /// Transactions that the server broke off and that were run again, by the error's number.
    pub retries: Complaints,
}

impl Default for Interval {
    fn default() -> Interval {
        let (complaints, retries) = (Complaints::new(), Complaints::new());
        Interval { latencies: histogram(), answers: 0, rows: 0, unsent: 0, complaints, retries }
    }
}

impl Interval {
    /// Notes `count` answers that took `latency` each.
    #[inline]
    pub fn record(&mut self, latency: Duration, count: u64) {
        let nanos = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        self.latencies.saturating_record_n(nanos, count);
        self.answers += count;
    }

    /// Notes an error, or with number 0 a wrong answer.
    pub fn complain(&mut self, number: u16, message: impl FnOnce() -> String) {
        note(&mut self.complaints, number, 1, message);
    }

    /// Notes that a transaction is run again because of an error.
    pub fn retry(&mut self, number: u16, message: impl FnOnce() -> String) {
        note(&mut self.retries, number, 1, message);
    }

    /// Adds another's.
    pub fn add(&mut self, other: &Interval) {
        self.latencies.add(&other.latencies).expect("all histograms have the same bounds");
        self.answers += other.answers;
        self.rows += other.rows;
        self.unsent += other.unsent;
        for (mine, theirs) in [(&mut self.complaints, &other.complaints), (&mut self.retries, &other.retries)]
        {
            for (&number, complaint) in theirs {
                note(mine, number, complaint.count, || complaint.message.clone());
            }
        }
    }

    /// Answers that were errors or wrong.
    pub fn complaints_count(&self) -> u64 {
        self.complaints.values().map(|c| c.count).sum()
    }

    fn clear(&mut self) {
        self.latencies.reset();
        self.answers = 0;
        self.rows = 0;
        self.unsent = 0;
        self.complaints.clear();
        self.retries.clear();
    }
}

fn note(all: &mut Complaints, number: u16, count: u64, message: impl FnOnce() -> String) {
    all.entry(number).or_insert_with(|| Complaint { count: 0, message: message() }).count += count;
}

/// Where the fibers of one event loop note what happened. Only they and the watcher, once a second, come here.
#[derive(Debug, Default)]
pub struct Tally {
    interval: Mutex<Interval>,
}

impl Tally {
    /// Notes something.
    #[inline]
    pub fn note(&self, change: impl FnOnce(&mut Interval)) {
        change(&mut self.interval.lock());
    }

    /// Adds what happened since the last call to `into`.
    pub fn take(&self, into: &mut Interval) {
        let mut interval = self.interval.lock();
        into.add(&interval);
        interval.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_is_taken_once() {
        let tally = Tally::default();
        tally.note(|i| i.record(Duration::from_micros(50), 99));
        tally.note(|i| i.record(Duration::from_secs(2), 1));
        tally.note(|i| i.complain(1213, || "deadlock".into()));
        tally.note(|i| i.complain(1213, || "another".into()));
        let mut total = Interval::default();
        tally.take(&mut total);
        tally.take(&mut total);
        assert_eq!((total.answers, total.complaints_count()), (100, 2));
        assert_eq!(total.complaints[&1213].message, "deadlock");
        let (p50, p99) = (total.latencies.value_at_quantile(0.5), total.latencies.value_at_quantile(0.995));
        assert!((49_500..=50_500).contains(&p50), "{p50}");
        assert!((1_980_000_000..=2_020_000_000).contains(&p99), "{p99}");
    }

    #[test]
    fn latencies_out_of_range_are_kept_at_its_end() {
        let mut interval = Interval::default();
        interval.record(Duration::ZERO, 1);
        interval.record(Duration::from_secs(1 << 40), 1);
        assert_eq!((interval.latencies.len(), interval.answers), (2, 2));
    }
}
