//! Removing what no snapshot can want: older versions in memory, tombstones in trees.
//!
//! Commits leave what they replaced in a queue of their core, about in the order of their becoming visible, and now and
//! then one of them purges its queue up to the horizon, while leaves and versions are still in its core's cache; what is
//! left then (a snapshot was older, nothing was committed any more) the background thread purges. It changes pages outside
//! of any commit, which is harmless to recovery (a tombstone there or not means the same), but a change must not be cut
//! by a checkpoint's close nor meet a tree that was freed: who purges holds [`Purge::together`], the others
//! [`Purge::alone`].

use crate::core::Core;
use crate::error::Result;
use crate::ids::CommitNo;
use crate::mvcc::entry;
use crate::mvcc::versions::{Kept, Replaced};
use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use runtime::{SharedTurn, TogetherGuard, TurnGuard};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tree::{Action, Finger};

/// Keys handled between two looks at whether somebody wants to be alone.
const BATCH: usize = 64;
/// Keys that a core's queue has before a commit purges it.
const OWN_KEYS: u64 = 256;
/// Queues; cores share them if there are more.
const QUEUES: usize = 64;

/// What the commits of a core replaced.
#[derive(Default)]
struct Queue {
    commits: Mutex<VecDeque<(Arc<Replaced>, u64)>>,
    keys: AtomicU64,
    /// A commit purges when there are so many keys.
    due: AtomicU64,
}

/// The queues.
pub(crate) struct Purge {
    queues: Box<[CachePadded<Queue>]>,
    turn: SharedTurn,
}

impl Purge {
    /// Nothing to purge.
    pub(crate) fn new() -> Purge {
        let queue = || CachePadded::new(Queue { due: AtomicU64::new(OWN_KEYS), ..Queue::default() });
        Purge { queues: (0..QUEUES).map(|_| queue()).collect(), turn: SharedTurn::new() }
    }

    /// Keeps purges out of pages while held.
    pub(crate) fn alone(&self) -> TurnGuard<'_> {
        self.turn.alone()
    }

    fn together(&self) -> TogetherGuard<'_> {
        self.turn.together()
    }

    fn own(&self) -> &Queue {
        &self.queues[runtime::core_id().unwrap_or(0) % QUEUES]
    }

    /// Queues what a commit replaced.
    pub(crate) fn push(&self, replaced: Arc<Replaced>) {
        let keys = replaced.len() as u64;
        let queue = self.own();
        queue.keys.fetch_add(keys, Ordering::Relaxed);
        queue.commits.lock().push_back((replaced, keys));
    }

    /// Keys queued.
    pub(crate) fn len(&self) -> u64 {
        self.queues.iter().map(|queue| queue.keys.load(Ordering::Relaxed)).sum()
    }
}

impl Queue {
    fn pop(&self, horizon: CommitNo) -> Option<(Arc<Replaced>, u64)> {
        let mut commits = self.commits.lock();
        let (replaced, _) = commits.front()?;
        if replaced.commit > horizon { None } else { commits.pop_front() }
    }
}

impl Core {
    /// Purges up to `most` commits of each core; returns how many.
    pub(crate) fn purge_some(&self, most: usize) -> Result<usize> {
        let (horizon, _) = self.locks.slots.horizon(&self.watermark);
        let mut done = 0;
        for queue in &self.purge.queues {
            done += self.purge_queue(queue, horizon, most, || Some(self.purge.together()))?;
        }
        Ok(done)
    }

    /// Purges what this core's commits replaced, if there is enough of it. What cannot be done now is left to the
    /// background thread.
    pub(crate) fn purge_own(&self) {
        let queue = self.purge.own();
        if queue.keys.load(Ordering::Relaxed) < queue.due.load(Ordering::Relaxed) {
            return;
        }
        let (horizon, sessions) = self.locks.slots.horizon(&self.watermark);
        // Nobody has to hear of what fails here: the background thread meets it as well.
        let _ = self.purge_queue(queue, horizon, usize::MAX, || self.purge.turn.try_together());
        // The look for the horizon goes to each session: the more there are, the more it is for.
        let left = queue.keys.load(Ordering::Relaxed);
        queue.due.store(left + OWN_KEYS + 2 * sessions as u64, Ordering::Relaxed);
    }

    fn purge_queue<'t>(
        &'t self,
        queue: &Queue,
        horizon: CommitNo,
        most: usize,
        turn: impl Fn() -> Option<TogetherGuard<'t>>,
    ) -> Result<usize> {
        let mut done = 0;
        while done < most {
            let Some((replaced, keys)) = queue.pop(horizon) else { break };
            self.versions.forget(replaced.commit);
            let kept = replaced.take();
            let removed = self.purge_tombstones(replaced.commit, &kept, &turn);
            if !matches!(removed, Ok(true)) {
                // Its versions are wanted by nobody any more, its tombstones can wait.
                replaced.put_back(kept);
                queue.commits.lock().push_front((replaced, keys));
                return removed.map(|_| done);
            }
            self.versions.note_freed(kept.size());
            queue.keys.fetch_sub(keys, Ordering::Relaxed);
            self.counters.purged.fetch_add(keys, Ordering::Relaxed);
            done += 1;
        }
        Ok(done)
    }

    /// Removes the tombstones that a commit left; false when it did not get its turn.
    fn purge_tombstones<'t>(
        &self,
        commit: CommitNo,
        kept: &Kept,
        turn: impl Fn() -> Option<TogetherGuard<'t>>,
    ) -> Result<bool> {
        for (tree, keys) in kept.removed() {
            let mut finger = Finger::default();
            for batch in keys.chunks(BATCH) {
                let Some(_together) = turn() else { return Ok(false) };
                if tree.freed.load(Ordering::Acquire) {
                    break;
                }
                tree.tree.upsert_run(
                    &mut finger,
                    &mut 0,
                    batch.len(),
                    |at| batch[at],
                    |_, old| {
                        let same = old.and_then(entry::decode);
                        match same {
                            Some(e) if e.commit == commit && e.payload.is_none() => Action::Delete,
                            _ => Action::Keep,
                        }
                    },
                )?;
            }
        }
        Ok(true)
    }

    /// Keeps older versions inside their memory: purges, then takes the oldest snapshots away.
    pub(crate) fn bound_versions(&self) -> Result<()> {
        while self.versions.bytes() > self.options.version_bytes {
            if self.purge_some(usize::MAX)? > 0 {
                continue;
            }
            if !self.locks.slots.revoke_oldest(self.watermark.visible()) {
                break;
            }
            crate::status::Counters::bump(&self.counters.revoked);
        }
        Ok(())
    }
}
