//! Two watermarks over the commits: which prefix of them is applied, and which may be seen by everybody.
//!
//! Commits take numbers in the log's order and are applied in any order (their row locks keep those apart that
//! touch the same rows). Commit `c` is **applied** once all up to `c` are in the pages; it is **visible** once it is
//! applied and forced to the log, which holds for all before it as well. Snapshots are taken at `visible`, so that
//! nothing is read that a power cut could take back; only a transaction that was handed a row of a commit still on
//! its way to the disk takes its snapshots at `applied`, and is acknowledged no earlier than what it saw.
//!
//! ```text
//! apply done:   ring[c % N] := c;  then while ring[(a+1) % N] == a+1: applied := a+1
//! forced:       wait until applied >= c;  visible := max(visible, c)
//! ```
//!
//! Two committers `c` and `c+1` ending together: each stores its ring word, then loads the other's. Both accesses are
//! SeqCst, so at least one sees the other's store and carries the watermark over both.

use crate::ids::CommitNo;
use crossbeam_utils::CachePadded;
use runtime::WaitQueue;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most commits between the applied watermark and the newest one in application; more wait.
const RING: usize = 1 << 16;

/// The watermarks.
pub(crate) struct Watermark {
    applied: Mark,
    visible: CachePadded<AtomicU64>,
    ring: Box<[AtomicU64]>,
}

/// A number that only rises, and those who wait for it.
struct Mark {
    at: CachePadded<AtomicU64>,
    waiters: WaitQueue,
}

impl Mark {
    fn new(start: CommitNo) -> Mark {
        Mark { at: CachePadded::new(AtomicU64::new(start.0)), waiters: WaitQueue::new() }
    }

    #[inline]
    fn get(&self) -> CommitNo {
        CommitNo(self.at.load(Ordering::SeqCst))
    }

    /// Waits until `commit` is reached, or `stop` says that it never will be.
    fn wait(&self, commit: CommitNo, stop: impl Fn() -> bool) {
        // Those before it are mostly ready to run on this very loop: let them, before anything is parked and woken.
        for _ in 0..2 {
            if self.get() >= commit {
                return;
            }
            runtime::yield_now();
        }
        if self.get() < commit {
            self.waiters.wait(|| (self.get() >= commit || stop()).then_some(()));
        }
    }
}

impl Watermark {
    /// Everything up to `start` is applied and on the disk.
    pub(crate) fn new(start: CommitNo) -> Watermark {
        Watermark {
            applied: Mark::new(start),
            visible: CachePadded::new(AtomicU64::new(start.0)),
            ring: (0..RING).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The newest commit that every snapshot may see.
    ///
    /// SeqCst: a snapshot's registration and the purge's horizon are ordered by it, see [`super::slots`].
    #[inline]
    pub(crate) fn visible(&self) -> CommitNo {
        CommitNo(self.visible.load(Ordering::SeqCst))
    }

    /// The newest commit that is in the pages with all before it; at least [`Watermark::visible`].
    pub(crate) fn applied(&self) -> CommitNo {
        self.applied.get()
    }

    /// Waits until the ring has room for `commit`: before it is applied.
    pub(crate) fn wait_for_room(&self, commit: CommitNo) {
        let has_room = || commit.0 - self.applied().0 < RING as u64;
        if !has_room() {
            self.applied.waiters.wait(|| has_room().then_some(()));
        }
    }

    /// Notes that `commit` is applied, and moves the watermark as far as it goes.
    pub(crate) fn note_applied(&self, commit: CommitNo) {
        self.slot(commit.0).store(commit.0, Ordering::SeqCst);
        let mut moved = false;
        loop {
            let applied = self.applied().0;
            if self.slot(applied + 1).load(Ordering::SeqCst) != applied + 1 {
                break;
            }
            // Failing means that another one moved it: look again from where it stands.
            let exchange =
                self.applied.at.compare_exchange(applied, applied + 1, Ordering::SeqCst, Ordering::SeqCst);
            moved |= exchange.is_ok();
        }
        if moved {
            self.applied.waiters.wake_all();
        }
    }

    /// Waits until all up to `commit` are applied, or `stop` says that they never will be.
    pub(crate) fn wait_applied(&self, commit: CommitNo, stop: impl Fn() -> bool) {
        self.applied.wait(commit, stop);
    }

    /// Lets everybody see all up to `commit`, which are applied and forced.
    pub(crate) fn show(&self, commit: CommitNo) {
        debug_assert!(self.applied() >= commit, "{commit:?} is not applied");
        // A load first: of many that one force made durable, the last may have been here already.
        if self.visible() < commit {
            self.visible.fetch_max(commit.0, Ordering::SeqCst);
        }
    }

    /// Wakes all waiters so that they ask their `stop` again.
    pub(crate) fn stop_waiting(&self) {
        self.applied.waiters.wake_all();
    }

    fn slot(&self, commit: u64) -> &AtomicU64 {
        &self.ring[commit as usize % RING]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_applied_ones_are_a_contiguous_prefix() {
        let mark = Watermark::new(CommitNo(10));
        mark.note_applied(CommitNo(12));
        mark.note_applied(CommitNo(13));
        assert_eq!(mark.applied(), CommitNo(10));
        mark.note_applied(CommitNo(11));
        assert_eq!((mark.applied(), mark.visible()), (CommitNo(13), CommitNo(10)));
        mark.show(CommitNo(12));
        mark.show(CommitNo(11));
        assert_eq!(mark.visible(), CommitNo(12));
    }

    #[test]
    fn no_commit_is_left_behind_by_racing_committers() {
        let mark = Arc::new(Watermark::new(CommitNo(0)));
        let next = Arc::new(AtomicU64::new(0));
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let (mark, next) = (mark.clone(), next.clone());
                std::thread::spawn(move || {
                    for _ in 0..5_000 {
                        let commit = CommitNo(next.fetch_add(1, Ordering::Relaxed) + 1);
                        mark.wait_for_room(commit);
                        mark.note_applied(commit);
                        mark.wait_applied(commit, || false);
                        mark.show(commit);
                        assert!(mark.visible() >= commit);
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(mark.visible(), CommitNo(20_000));
    }
}
