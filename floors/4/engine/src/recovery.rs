//! Opening: a new engine, or the newest checkpoint and the log behind it.
//!
//! ```text
//! lock the directory
//! Store::open            newest valid superblock: pages, meta
//! catalog                from its tree; trees that it does not name were being built at the crash: freed
//! Log::open              decides how the log ends, from the checkpoint's position on
//! replay                 each group through Core::apply and Core::apply_catalog, under the next commit number
//! unfinished tables      of an ALTER cut short: dropped, through the log as any DDL
//! ```
//!
//! Replay changes pages only in memory and the page file's free slots; a crash during it starts over.

pub(crate) mod private;
pub(crate) mod replay;

use crate::build::LogPins;
use crate::catalog::change::CatalogChange;
use crate::catalog::trees::{Loaded, load};
use crate::catalog::{CATALOG_TREE, Catalog, Table, TableCounters, TreeHandle, Unnoted};
use crate::commit::checkpoint::Meta;
use crate::commit::gate::Gate;
use crate::core::Core;
use crate::error::{EngineError, Result};
use crate::ids::{CommitNo, TableId};
use crate::lock::Locks;
use crate::mvcc::purge::Purge;
use crate::mvcc::versions::Versions;
use crate::mvcc::watermark::Watermark;
use crate::options::Options;
use crate::status::Counters;
use crate::txn::room::Room;
use binlog::{Log, LogPos, TailReport};
use pages::{PageNo, PoolOptions, Store, TreeNo};
use parking_lot::RwLock;
use platform::file::DirLock;
use platform::numa::SpreadThread;
use runtime::WaitQueue;
use runtime::{SharedTurn, Turn};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::sync::{Arc, OnceLock};
use tree::Tree;

/// The file that says that a directory is in use.
const LOCK_FILE: &str = "penstock.lock";
/// First number of a tree that is not the engine's own.
const FIRST_TREE: u32 = 16;

/// What opening found and did.
#[derive(Clone, Debug)]
pub struct RecoveryReport {
    /// The directory was empty: a new engine was made.
    pub created: bool,
    /// Where in the log the checkpoint stands.
    pub checkpoint: LogPos,
    /// The checkpoint's newest commit.
    pub checkpoint_commit: CommitNo,
    /// Groups replayed.
    pub groups: u64,
    /// Bytes of those groups.
    pub bytes: u64,
    /// Where the log ends, and what was dropped there.
    pub tail: TailReport,
    /// Trees of unfinished work that were freed.
    pub orphan_trees: usize,
}

/// Opens or makes an engine in `options.dir`.
pub(crate) fn open(options: Options) -> Result<(Arc<Core>, RecoveryReport)> {
    // The tables of locks, versions and transactions are made here, by one thread, for all.
    let _spread = options.interleave.then(SpreadThread::begin);
    let lock = options.dir.lock(LOCK_FILE);
    let lock = lock.map_err(|source| EngineError::Io { verb: "lock the data directory", source })?;
    let pool = PoolOptions {
        pool_bytes: options.pool_bytes,
        extent_min: options.extent_bytes,
        extent_max: options.extent_max,
        interleave: options.interleave,
        direct: options.direct,
        ..PoolOptions::default()
    };
    let exists = Store::exists(&*options.dir)?;
    let (store, meta) = if exists {
        let (store, report) = Store::open(&options.dir, &pool)?;
        (store, report.meta)
    } else {
        (Store::create(&options.dir, &pool)?.0, Vec::new())
    };
    if meta.is_empty() { create(options, store, lock) } else { restart(options, store, lock, &meta) }
}

/// A new engine: an empty catalog, an empty log, and a checkpoint that says so.
fn create(options: Options, store: Store, lock: DirLock) -> Result<(Arc<Core>, RecoveryReport)> {
    // A creation cut short may have left pages.
    for (tree, _) in store.trees() {
        store.free_tree(tree)?;
    }
    let catalog_tree = Tree::create(&store, TreeNo(CATALOG_TREE))?;
    let (log, tail) = Log::open(options.dir.clone(), options.log.clone(), None)?;
    if tail.groups > 0 {
        return Err(EngineError::Replay {
            position: tail.end,
            reason: "the log has transactions but the page file has no checkpoint".to_owned(),
        });
    }
    let at = log.end();
    let gate = Gate::new(CommitNo(0), at, log.gtid_state());
    let start = Start { commit: CommitNo(0), next_tree: FIRST_TREE, next_table: FIRST_TREE.into() };
    let core = assemble(options, store, log, catalog_tree, gate, lock, start);
    core.checkpoint()?;
    let report = RecoveryReport {
        created: true,
        checkpoint: at,
        checkpoint_commit: CommitNo(0),
        groups: 0,
        bytes: 0,
        tail,
        orphan_trees: 0,
    };
    Ok((core, report))
}

fn restart(
    options: Options,
    store: Store,
    lock: DirLock,
    meta: &[u8],
) -> Result<(Arc<Core>, RecoveryReport)> {
    let meta = Meta::decode(meta).ok_or_else(|| EngineError::Corrupt {
        verb: "read the checkpoint",
        place: "the superblock's own part".to_owned(),
    })?;
    let catalog_tree = Tree::open(&store, TreeNo(CATALOG_TREE), meta.catalog_root);
    let loaded = load(&catalog_tree)?;
    let orphan_trees = free_orphans(&store, &loaded)?;
    let (log, tail) = Log::open(options.dir.clone(), options.log.clone(), Some(meta.log))?;
    let gate = Gate::new(meta.commit, meta.log, meta.gtids.clone());
    let start = Start { commit: meta.commit, next_tree: meta.next_tree, next_table: meta.next_table };
    let core = assemble(options, store, log, catalog_tree, gate, lock, start);
    core.load_catalog(loaded)?;
    let (groups, bytes) = core.replay(&meta, tail.end)?;
    let report = RecoveryReport {
        created: false,
        checkpoint: meta.log,
        checkpoint_commit: meta.commit,
        groups,
        bytes,
        tail,
        orphan_trees,
    };
    core.drop_unfinished()?;
    Ok((core, report))
}

/// Trees in the page file that the checkpoint's catalog does not name: they were being built.
fn free_orphans(store: &Store, loaded: &Loaded) -> Result<usize> {
    let tables = loaded.tables.iter().chain(&loaded.unfinished);
    let known: BTreeSet<u32> = tables.flat_map(|t| t.trees.iter().copied()).chain([CATALOG_TREE]).collect();
    let mut freed = 0;
    for (tree, _) in store.trees() {
        if !known.contains(&tree.0) {
            store.free_tree(tree)?;
            freed += 1;
        }
    }
    Ok(freed)
}

struct Start {
    commit: CommitNo,
    next_tree: u32,
    next_table: u64,
}

fn assemble(
    options: Options,
    store: Store,
    log: Log,
    catalog_tree: Tree,
    gate: Gate,
    lock: DirLock,
    start: Start,
) -> Arc<Core> {
    Arc::new(Core {
        scratch: crate::scratch::Scratch::over(options.dir.clone()),
        room: Room::new(options.write_set_bytes, options.write_sets_bytes),
        options,
        store,
        log,
        catalog_tree,
        catalog: RwLock::new(Arc::new(Catalog::default())),
        catalog_version: AtomicU64::new(0),
        unnoted: Unnoted::default(),
        locks: Locks::new(),
        versions: Versions::new(),
        watermark: Watermark::new(start.commit),
        purge: Purge::new(),
        gate,
        counters: Counters::default(),
        next_slot: AtomicU64::new(1),
        next_table: AtomicU64::new(start.next_table),
        next_tree: AtomicU32::new(start.next_tree),
        poison: OnceLock::new(),
        ddl: SharedTurn::new(),
        ddl_apply: Turn::new(),
        background: WaitQueue::new(),
        stopping: AtomicBool::new(false),
        checkpoint_wanted: AtomicBool::new(false),
        log_pins: LogPins::default(),
        _dir_lock: lock,
    })
}

impl Core {
    /// Makes the catalog in memory from what its tree holds.
    fn load_catalog(&self, loaded: Loaded) -> Result<()> {
        let mut catalog = Catalog::default();
        for (name, def) in loaded.databases {
            catalog.put_database(&name, def);
        }
        let unfinished = loaded.unfinished.into_iter().map(|t| (t, true));
        for (record, unfinished) in loaded.tables.into_iter().map(|t| (t, false)).chain(unfinished) {
            let mut trees = Vec::with_capacity(record.trees.len());
            for &no in &record.trees {
                let root = loaded.roots.get(&no).copied().unwrap_or(PageNo::NONE);
                if root == PageNo::NONE && self.store.tree_pages(TreeNo(no)) > 0 {
                    let (db, name) = (&record.def.db, &record.def.name);
                    let id = TableId(record.id);
                    return Err(EngineError::corrupt_table("find a tree's root", db, name, id));
                }
                trees.push(Arc::new(TreeHandle::new(Tree::open(&self.store, TreeNo(no), root))));
            }
            let stats = loaded.stats.get(&record.id).copied().unwrap_or_default();
            let counters = Arc::new(TableCounters::of(TableId(record.id), &stats));
            let lock = self.locks.metadata.name(&record.def.db, &record.def.name);
            let table = Arc::new(Table::new(record, trees, counters, lock, CommitNo(0))?);
            if unfinished {
                catalog.put_unfinished(table);
            } else {
                catalog.put_table(table);
            }
        }
        for view in loaded.views {
            catalog.put_view(self.make_view(view));
        }
        for (space, key, value) in loaded.records {
            catalog.put_record(&space, &key, Some(&value));
        }
        self.set_catalog(catalog);
        Ok(())
    }

    /// Drops what an ALTER was filling when the server stopped.
    fn drop_unfinished(&self) -> Result<()> {
        let unfinished = self.catalog().unfinished();
        if unfinished.is_empty() {
            return Ok(());
        }
        let mut change = CatalogChange::default();
        for table in unfinished {
            change.remove_unfinished(table.id().0);
        }
        self.commit_catalog(&change, None, &Default::default())?;
        Ok(())
    }
}
