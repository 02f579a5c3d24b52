//! What all handles of an engine share.

use crate::catalog::{Catalog, Table, TreeHandle, Unnoted};
use crate::commit::Ordered;
use crate::commit::gate::Gate;
use crate::error::{EngineError, Result};
use crate::ids::CommitNo;
use crate::lock::Locks;
use crate::mvcc::entry::{self, Entry};
use crate::mvcc::purge::Purge;
use crate::mvcc::slots::Slot;
use crate::mvcc::versions::{Older, Versions};
use crate::mvcc::watermark::Watermark;
use crate::options::Options;
use crate::status::Counters;
use crate::txn::room::Room;
use binlog::Log;
use pages::Store;
use parking_lot::RwLock;
use platform::file::DirLock;
use runtime::WaitQueue;
use runtime::{SharedTurn, Turn, TurnGuard};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use tree::{Finger, Sighting, Tree};

/// The engine behind its handles.
pub(crate) struct Core {
    pub(crate) options: Options,
    pub(crate) store: Store,
    pub(crate) log: Log,
    pub(crate) catalog_tree: Tree,
    pub(crate) catalog: RwLock<Arc<Catalog>>,
    /// [`Catalog::version`] of the catalog in force.
    pub(crate) catalog_version: AtomicU64,
    /// Tables whose counters the next checkpoint writes.
    pub(crate) unnoted: Unnoted,
    pub(crate) locks: Locks,
    pub(crate) versions: Versions,
    pub(crate) watermark: Watermark,
    pub(crate) purge: Purge,
    pub(crate) gate: Gate,
    pub(crate) counters: Counters,
    /// Memory for changes.
    pub(crate) room: Room,
    pub(crate) next_slot: AtomicU64,
    pub(crate) next_table: AtomicU64,
    pub(crate) next_tree: AtomicU32,
    /// The first failure after which nothing is trusted any more.
    pub(crate) poison: OnceLock<Arc<str>>,
    /// Whose turn it is to change the catalog, see `ddl`.
    pub(crate) ddl: SharedTurn,
    /// Whose turn it is to apply one.
    pub(crate) ddl_apply: Turn,
    /// Work for the background threads.
    pub(crate) background: WaitQueue,
    pub(crate) stopping: AtomicBool,
    pub(crate) checkpoint_wanted: AtomicBool,
    /// Where the log is still read from.
    pub(crate) log_pins: crate::build::LogPins,
    /// Where temporary files go.
    pub(crate) scratch: crate::scratch::Scratch,
    /// Keeps other processes out of the directory.
    pub(crate) _dir_lock: DirLock,
}

/// Where a version was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The commit that wrote it, as far as known: 0 for an older version.
    pub(crate) commit: CommitNo,
    /// The row is there.
    pub(crate) live: bool,
}

impl Core {
    /// The catalog now.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.catalog.read().clone()
    }

    /// Refuses work after a failure.
    #[inline]
    pub(crate) fn check_poison(&self) -> Result<()> {
        match self.poison.get() {
            None => Ok(()),
            Some(reason) => Err(EngineError::Poisoned(reason.clone())),
        }
    }

    /// Nothing more is trusted: what was in flight is unknown, only a restart tells.
    pub(crate) fn poison(&self, error: &dyn std::fmt::Display) -> EngineError {
        let reason = self.poison.get_or_init(|| Arc::from(error.to_string()));
        let reason = reason.clone();
        self.gate.wake();
        self.watermark.stop_waiting();
        EngineError::Poisoned(reason)
    }

    /// Reads the newest committed version of a key into `out`, payload only, looking first where the finger points;
    /// `None` when there is no entry.
    pub(crate) fn read_newest(
        &self,
        tree: &TreeHandle,
        finger: &mut Finger,
        key: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<Option<Found>> {
        if tree.tree.get_from(finger, key, out)? { found(tree, out).map(Some) } else { Ok(None) }
    }

    /// Reads the version of a key at a snapshot into `out`, payload only; false when there is none.
    pub(crate) fn read_at(
        &self,
        tree: &TreeHandle,
        key: &[u8],
        snapshot: CommitNo,
        slot: &Slot,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        if !tree.tree.get(key, out)? {
            // A tombstone that was removed is older than every snapshot, unless this one was taken away.
            return if slot.holds(snapshot) { Ok(false) } else { Err(EngineError::SnapshotTooOld) };
        }
        let Entry { commit, payload } = decode(tree, out)?;
        if commit <= snapshot {
            let live = payload.is_some();
            strip(out);
            return Ok(live);
        }
        self.read_older((tree.no, key), commit, snapshot, slot, out)
    }

    /// Reads an older version of a tree's key than the one there, which is of the commit `newest`.
    pub(crate) fn read_older(
        &self,
        (tree, key): (u32, &[u8]),
        newest: CommitNo,
        snapshot: CommitNo,
        slot: &Slot,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        out.clear();
        let older = self.versions.find(tree, key, newest, snapshot, out);
        Counters::bump(&self.counters.old_version_reads);
        // After the look: see `mvcc::slots` on revoking.
        if !slot.holds(snapshot) {
            return Err(EngineError::SnapshotTooOld);
        }
        Ok(older == Older::Live)
    }

    /// Reads the newest visible row of a table by its clustered key, perhaps seen before. The slot has no snapshot and
    /// gets none, but where the row's newest version is of a commit on its way to the disk.
    #[inline]
    pub(crate) fn point_read(
        &self,
        table: &Table,
        (key, sighting): (&[u8], Option<Sighting>),
        slot: &Slot,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        let tree = &table.trees()[0].handle;
        let there = match sighting {
            Some(sighting) => tree.tree.get_sighted(sighting, key, out)?,
            None => tree.tree.get(key, out)?,
        };
        if !there {
            return Ok(false);
        }
        let found = found(tree, out)?;
        if found.commit <= self.watermark.visible() {
            return Ok(found.live);
        }
        let snapshot = slot.take_snapshot(|| self.watermark.visible());
        let read = self.read_at(tree, key, snapshot, slot, out);
        slot.drop_snapshot();
        read
    }

    /// Has a commit that is in the log seen by everybody. Who made it may owe the force for long.
    pub(crate) fn have_visible(&self, commit: CommitNo) -> Result<()> {
        if self.watermark.visible() >= commit {
            return Ok(());
        }
        self.make_visible(self.in_log(commit)).map(|_| ())
    }

    /// A commit that was seen, so that its place in the log is before what is its end now.
    pub(crate) fn in_log(&self, commit: CommitNo) -> Ordered {
        Ordered { commit, end: self.gate.newest().1 }
    }

    /// Puts a catalog in force.
    pub(crate) fn set_catalog(&self, catalog: Catalog) {
        let mut now = self.catalog.write();
        // Release, after the catalog could be read only by waiting here: who sees the number finds the catalog.
        self.catalog_version.store(catalog.version, Ordering::Release);
        *now = Arc::new(catalog);
    }

    /// Whether foreign keys name this table as their parent. Asked for each changed row: the catalog, which all
    /// share, is looked at once a version of it.
    pub(crate) fn is_parent(&self, table: &Table) -> bool {
        let version = self.catalog_version.load(Ordering::Acquire);
        table.parent_known(version).unwrap_or_else(|| {
            let is_parent = !self.catalog().children(table.db(), table.name()).is_empty();
            table.note_parent(version, is_parent);
            is_parent
        })
    }

    /// The turn to decide on a change of the catalog and to make it, whatever it is.
    pub(crate) fn ddl_turn(&self) -> TurnGuard<'_> {
        self.ddl.alone()
    }

    /// A number for a new tree.
    pub(crate) fn new_tree_no(&self) -> u32 {
        self.next_tree.fetch_add(1, Ordering::Relaxed)
    }

    /// A number for a new version of a table.
    pub(crate) fn new_table_id(&self) -> u64 {
        self.next_table.fetch_add(1, Ordering::Relaxed)
    }
}

/// What an entry says of itself; its payload stays in the buffer.
#[inline]
fn found(tree: &TreeHandle, value: &mut Vec<u8>) -> Result<Found> {
    let Entry { commit, payload } = decode(tree, value)?;
    let live = payload.is_some();
    strip(value);
    Ok(Found { commit, live })
}

/// Splits an entry of a tree.
pub(crate) fn decode<'v>(tree: &TreeHandle, value: &'v [u8]) -> Result<Entry<'v>> {
    entry::decode(value).ok_or_else(|| EngineError::Corrupt {
        verb: "read a version",
        place: format!("tree {}, a value of {} bytes", tree.no, value.len()),
    })
}

/// Leaves the payload alone in the buffer.
fn strip(value: &mut Vec<u8>) {
    let header = entry::HEADER.min(value.len());
    value.drain(..header);
}
