//! The visible watermark: the longest prefix of commits that is applied.
//!
//! Commits take numbers in the log's order and are applied in any order (their row locks keep those apart that
//! touch the same rows). Commit `c` can be seen once all up to `c` are applied; snapshots are taken at the watermark.
//!
//! ```text
//! apply done:   ring[c % N] := c;  then while ring[(v+1) % N] == v+1: visible := v+1
//! ```
//!
//! Two committers `c` and `c+1` ending together: each stores its ring word, then loads the other's. Both accesses are
//! SeqCst, so at least one sees the other's store and carries the watermark over both.

use crate::ids::CommitNo;
use crossbeam_utils::CachePadded;
use runtime::WaitQueue;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most commits between the watermark and the newest one in application; more wait.
const RING: usize = 1 << 16;

/// Applied commits and the watermark over them.
pub(crate) struct Watermark {
    visible: CachePadded<AtomicU64>,
    ring: Box<[AtomicU64]>,
    waiters: WaitQueue,
}

impl Watermark {
    /// Everything up to `start` is applied.
    pub(crate) fn new(start: CommitNo) -> Watermark {
        Watermark {
            visible: CachePadded::new(AtomicU64::new(start.0)),
            ring: (0..RING).map(|_| AtomicU64::new(0)).collect(),
            waiters: WaitQueue::new(),
        }
    }

    /// The newest commit that snapshots may see.
    ///
    /// SeqCst: a snapshot's registration and the purge's horizon are ordered by it, see [`super::slots`].
    #[inline]
    pub(crate) fn visible(&self) -> CommitNo {
        CommitNo(self.visible.load(Ordering::SeqCst))
    }

    /// Waits until the ring has room for `commit`: before it is applied.
    pub(crate) fn wait_for_room(&self, commit: CommitNo) {
        if commit.0 - self.visible().0 >= RING as u64 {
            self.waiters.wait(|| (commit.0 - self.visible().0 < RING as u64).then_some(()));
        }
    }

    /// Notes that `commit` is applied, and moves the watermark as far as it goes.
    pub(crate) fn applied(&self, commit: CommitNo) {
        self.slot(commit.0).store(commit.0, Ordering::SeqCst);
        let mut moved = false;
        loop {
            let visible = self.visible.load(Ordering::SeqCst);
            if self.slot(visible + 1).load(Ordering::SeqCst) != visible + 1 {
                break;
            }
            // Failing means that another one moved it: look again from where it stands.
            let exchange =
                self.visible.compare_exchange(visible, visible + 1, Ordering::SeqCst, Ordering::SeqCst);
            moved |= exchange.is_ok();
        }
        if moved {
            self.waiters.wake_all();
        }
    }

    /// Waits until `commit` can be seen, or `stop` says that it never will.
    pub(crate) fn wait_visible(&self, commit: CommitNo, stop: impl Fn() -> bool) {
        // Those before it are mostly ready to run on this very loop: let them, before anything is parked and woken.
        for _ in 0..2 {
            if self.visible() >= commit {
                return;
            }
            runtime::yield_now();
        }
        if self.visible() < commit {
            self.waiters.wait(|| (self.visible() >= commit || stop()).then_some(()));
        }
    }

    /// Wakes all waiters so that they ask their `stop` again.
    pub(crate) fn stop_waiting(&self) {
        self.waiters.wake_all();
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
    fn the_watermark_is_the_contiguous_prefix() {
        let mark = Watermark::new(CommitNo(10));
        mark.applied(CommitNo(12));
        mark.applied(CommitNo(13));
        assert_eq!(mark.visible(), CommitNo(10));
        mark.applied(CommitNo(11));
        assert_eq!(mark.visible(), CommitNo(13));
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
                        mark.applied(commit);
                        mark.wait_visible(commit, || false);
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
