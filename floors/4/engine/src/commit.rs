//! The way of a commit, the one way that changes take into pages.
//!
//! ```text
//! prepare   touch the leaves that will change: loads and damage come before the log, not after
//! order     Log::append: place in the log, commit number (gate::Gate::order, inside the log's order lock)
//! gate      wait while a checkpoint closes its generation, if ordered after its position
//! apply     older versions into memory, then the entry into its leaf; tombstones for deletions
//! release   the transaction lets its row and range locks go
//! force     Log::force: one for all that queue meanwhile
//! visible   wait until all before are applied, then Watermark::show; only now the commit is acknowledged
//! ```
//!
//! Two commits that touch the same key cannot be between order and release at once, because the row's lock is held
//! throughout; so application in any order gives one result. Recovery calls [`Core::apply`] with what it decoded from
//! the log.
//!
//! **Early lock release.** A row is not kept from others while the disk works, so a hot row takes many commits a force.
//! Whoever is handed such a row comes after its writer in the log, and is not acknowledged (or refused, or told of a
//! duplicate) before that is durable: [`crate::Txn`] notes the newest commit that it read under a lock. Plain reads
//! see what is visible only. After Johnson et al., "Aether: A Scalable Approach to Logging" (VLDB 2010). For a client that
//! does not wait for the answer, the force may wait as well: [`debt`].

pub(crate) mod checkpoint;
pub(crate) mod debt;
pub(crate) mod gate;

use crate::core::Core;
use crate::error::Result;
use crate::ids::CommitNo;
use crate::mvcc::entry::{self, Entry};
use crate::mvcc::versions::{Keeper, Old};
use crate::txn::Committed;
use crate::txn::log_body::LogBody;
use crate::txn::write_set::{TreeWrites, Write, WriteSet};
use binlog::{GroupBuilder, LogPos, Stamp};
use pages::{PageError, PageNo};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tree::{Action, Finger, TreeError};

/// How long the application of a commit, which is in the log and cannot be taken back, waits for room.
const PATIENCE: Duration = Duration::from_secs(30);
/// Keys applied between two slice points.
const RUN_MAX: usize = 64;

/// Changes a tree, and waits while the file system or the pool has no room: that passes, and giving up means a restart.
pub(crate) fn with_patience(mut change: impl FnMut() -> Result<(), TreeError>) -> Result<()> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match change() {
            Err(TreeError::Page(PageError::NoSpace { .. } | PageError::PoolExhausted))
                if Instant::now() < deadline =>
            {
                runtime::sleep(Duration::from_millis(50));
            }
            done => return Ok(done?),
        }
    }
}

/// A group that has its place in the log.
#[derive(Clone, Copy)]
pub(crate) struct Ordered {
    pub(crate) commit: CommitNo,
    pub(crate) end: LogPos,
}

impl Core {
    /// Commits a write set whose keys nobody waits for.
    pub(crate) fn commit_writes(&self, log: &mut LogBody, writes: &WriteSet) -> Result<Committed> {
        let ordered = self.order_and_apply(log, writes)?;
        self.make_visible(ordered)
    }

    /// The first half of a commit: its place in the log is fixed and its changes are in the pages. After an error
    /// nothing was committed, unless the error is `EngineError::Poisoned`.
    pub(crate) fn order_and_apply(&self, log: &mut LogBody, writes: &WriteSet) -> Result<Ordered> {
        self.bound_versions()?;
        self.prepare(writes)?;
        let ordered = self.order(log.finish())?;
        self.pass_gate(ordered.commit)?;
        if let Err(error) = self.apply(ordered.commit, writes) {
            // In the log but not in the pages: only a replay can make it whole.
            return Err(self.poison(&error));
        }
        self.watermark.note_applied(ordered.commit);
        let now = runtime::turn_wall_time().as_secs() as u32;
        for tree in writes.trees().filter(|tree| tree.place == 0) {
            tree.table.counters.changed_at.store(now, Ordering::Relaxed);
        }
        Ok(ordered)
    }

    /// The second half: durable, and seen by everybody.
    pub(crate) fn make_visible(&self, ordered: Ordered) -> Result<Committed> {
        self.force(ordered)?;
        self.show(ordered.commit)?;
        self.note_log_growth(ordered.end);
        Ok(Committed { commit: Some(ordered.commit), position: Some(ordered.end) })
    }

    /// Brings leaves into the pool that nobody has looked at yet: those of plain secondary indexes.
    fn prepare(&self, writes: &WriteSet) -> Result<()> {
        // Application only upgrades looks at pages: the checkpoint's copies are bounded here.
        self.store.throttle();
        for tree in writes.trees().filter(|t| t.place > 0 && !t.tree().unique) {
            for run in tree.runs() {
                for at in 0..run.len() {
                    tree.tree().handle.tree.contains(run.key(at))?;
                }
            }
        }
        Ok(())
    }

    /// Places a group in the log. After an error here nothing was committed, unless the error is
    /// `EngineError::Poisoned`.
    pub(crate) fn order(&self, group: &mut GroupBuilder) -> Result<Ordered> {
        let mut commit = CommitNo(0);
        let appended = self.log.append(group, |placed| {
            commit = self.gate.order(placed);
            Stamp { commit_no: commit.0, timestamp: None }
        });
        let appended = match appended {
            Ok(appended) => appended,
            Err(error @ (binlog::LogError::Poisoned { .. } | binlog::LogError::Io { .. })) => {
                return Err(self.poison(&error));
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Ordered { commit, end: appended.end })
    }

    /// Waits until an ordered group is on the disk.
    pub(crate) fn force(&self, ordered: Ordered) -> Result<()> {
        self.log.force(ordered.end).map_err(|error| self.poison(&error))
    }

    /// Waits until an ordered group may be applied.
    pub(crate) fn pass_gate(&self, commit: CommitNo) -> Result<()> {
        self.watermark.wait_for_room(commit);
        self.gate.pass(commit, || self.poison.get().is_some());
        self.check_poison()
    }

    /// Lets everybody see a commit that is applied and forced.
    pub(crate) fn show(&self, commit: CommitNo) -> Result<()> {
        self.watermark.wait_applied(commit, || self.poison.get().is_some());
        if self.watermark.applied() < commit {
            return self.check_poison();
        }
        self.watermark.show(commit);
        Ok(())
    }

    /// Puts a write set into the trees under its commit number.
    pub(crate) fn apply(&self, commit: CommitNo, writes: &WriteSet) -> Result<()> {
        let mut keeper = self.versions.keeper(commit);
        for tree in writes.trees() {
            let rows = self.apply_tree(commit, tree, &mut keeper)?;
            let counters = &tree.table.counters;
            if tree.place == 0 {
                counters.changes.fetch_add(tree.len() as u64, Ordering::Relaxed);
                if rows != 0 {
                    counters.rows.fetch_add(rows, Ordering::Relaxed);
                }
            }
            self.unnoted.add(counters);
        }
        if let Some(replaced) = keeper.finish() {
            self.purge.push(replaced);
        }
        Ok(())
    }

    /// Applies the changes of one tree, by as many as share a leaf; returns by how many its entries grew.
    fn apply_tree(&self, commit: CommitNo, tree: TreeWrites<'_>, keeper: &mut Keeper<'_>) -> Result<i64> {
        let handle = &tree.tree().handle;
        if handle.tree.root() == PageNo::NONE {
            self.plant(handle)?;
        }
        let (mut rows, mut left) = (0, tree.len());
        // The next run is often in the same leaf.
        let mut finger = Finger::default();
        for run in tree.runs() {
            let (mut done, mut last) = (0, (usize::MAX, 0));
            while done < run.len() {
                runtime::slice_point();
                // One latch holds so many keys at most: others get their turn between.
                let until = run.len().min(done + RUN_MAX);
                with_patience(|| {
                    handle.tree.upsert_run(
                        &mut finger,
                        &mut done,
                        until,
                        |at| run.key(at),
                        |at, old| {
                            let write = run.write(at);
                            let old = old.and_then(entry::decode);
                            let was_live = old.is_some_and(|e| e.payload.is_some());
                            let grown = i64::from(write.payload().is_some()) - i64::from(was_live);
                            // Asked again for the same key, its leaf was split under it: the last answer counts.
                            if last.0 == at {
                                rows -= last.1;
                            }
                            last = (at, grown);
                            rows += grown;
                            match old {
                                // A row that came and went inside one transaction.
                                None if write == Write::Delete => return Action::Keep,
                                Some(Entry { commit, payload }) => {
                                    let old = Old { commit, payload, removed: write == Write::Delete };
                                    keeper.keep(handle, run.key(at), old, left - at);
                                }
                                None => {}
                            }
                            entry::put(commit, write.payload())
                        },
                    )
                })?;
            }
            left -= run.len();
        }
        Ok(rows)
    }

    /// Wakes the checkpointer when the log has grown enough.
    fn note_log_growth(&self, end: LogPos) {
        if self.gate.grown_since_checkpoint(end) >= self.options.checkpoint.log_bytes
            && !self.checkpoint_wanted.swap(true, Ordering::Relaxed)
        {
            self.background.wake_all();
        }
    }
}
