//! Removing what no snapshot can want: older versions in memory, tombstones in trees.
//!
//! Commits leave the keys they replaced in a queue, in the order of their becoming visible. A purge takes those at or
//! below the horizon. It changes pages outside of any commit, which is harmless to recovery (a tombstone there or not
//! means the same), but a change must not be cut by a checkpoint's close nor meet a tree that was freed: both take
//! [`Purge::guard`] first.

use crate::catalog::TreeHandle;
use crate::core::Core;
use crate::error::Result;
use crate::ids::CommitNo;
use crate::mvcc::entry;
use crate::mvcc::slots::KeyBytes;
use crate::status::Counters;
use parking_lot::Mutex;
use runtime::{Turn, TurnGuard};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tree::{Action, Finger};

/// Keys handled between two looks at whether somebody wants the guard.
const BATCH: usize = 64;

/// Keys of a tree whose older versions are to go.
pub(crate) struct Replaced {
    pub(crate) tree: Arc<TreeHandle>,
    /// Each with whether the commit left a tombstone.
    pub(crate) keys: Vec<(KeyBytes, bool)>,
}

/// The queue.
pub(crate) struct Purge {
    queue: Mutex<VecDeque<(CommitNo, Vec<Replaced>)>>,
    entries: AtomicU64,
    guard: Turn,
}

impl Purge {
    /// Nothing to purge.
    pub(crate) fn new() -> Purge {
        Purge { queue: Mutex::new(VecDeque::new()), entries: AtomicU64::new(0), guard: Turn::new() }
    }

    /// Keeps purges out of pages while held.
    pub(crate) fn guard(&self) -> TurnGuard<'_> {
        self.guard.take()
    }

    /// Queues what a commit replaced.
    pub(crate) fn push(&self, commit: CommitNo, replaced: Vec<Replaced>) {
        if replaced.is_empty() {
            return;
        }
        self.entries.fetch_add(count(&replaced), Ordering::Relaxed);
        self.queue.lock().push_back((commit, replaced));
    }

    /// Keys queued.
    pub(crate) fn len(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    fn pop(&self, horizon: CommitNo) -> Option<(CommitNo, Vec<Replaced>)> {
        let mut queue = self.queue.lock();
        let (commit, _) = queue.front()?;
        if *commit > horizon { None } else { queue.pop_front() }
    }
}

fn count(replaced: &[Replaced]) -> u64 {
    replaced.iter().map(|replaced| replaced.keys.len() as u64).sum()
}

impl Core {
    /// Purges up to `most` commits; returns how many.
    pub(crate) fn purge_some(&self, most: usize) -> Result<usize> {
        let horizon = self.locks.slots.horizon(&self.watermark);
        let mut done = 0;
        while done < most {
            let Some((commit, replaced)) = self.purge.pop(horizon) else { break };
            for Replaced { tree, keys } in &replaced {
                let mut finger = Finger::default();
                for batch in keys.chunks(BATCH) {
                    let guard = self.purge.guard();
                    self.purge_batch(commit, horizon, tree, batch, &mut finger)?;
                    drop(guard);
                }
            }
            let count = count(&replaced);
            self.purge.entries.fetch_sub(count, Ordering::Relaxed);
            self.counters.purged.fetch_add(count, Ordering::Relaxed);
            done += 1;
        }
        Ok(done)
    }

    fn purge_batch(
        &self,
        commit: CommitNo,
        horizon: CommitNo,
        tree: &TreeHandle,
        keys: &[(KeyBytes, bool)],
        finger: &mut Finger,
    ) -> Result<()> {
        let freed = keys.iter().map(|(key, _)| self.versions.purge(tree.no, key, horizon)).sum();
        self.versions.note_freed(freed);
        if tree.freed.load(Ordering::Acquire) {
            return Ok(());
        }
        for (key, _) in keys.iter().filter(|(_, tombstone)| *tombstone) {
            tree.tree.upsert_from(finger, key, |old| {
                let same = old.and_then(entry::decode);
                match same {
                    Some(e) if e.commit == commit && e.payload.is_none() => Action::Delete,
                    _ => Action::Keep,
                }
            })?;
        }
        Ok(())
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
            Counters::bump(&self.counters.revoked);
        }
        Ok(())
    }
}
