//! The engine's handles: [`Engine`] for all, [`Session`] for one connection.

use crate::catalog::{Catalog, Table, TableTree};
use crate::commit::debt::Debt;
use crate::core::Core;
use crate::ddl::{Ddl, QueryText};
use crate::error::{EngineError, Result};
use crate::ids::{CommitNo, TxnId};
use crate::lock::Interrupt;
use crate::lock::metadata::Mode;
use crate::mvcc::slots::Slot;
use crate::options::{Options, TxnOptions};
use crate::recovery::{self, RecoveryReport};
use crate::status::{Counters, Status};
use crate::txn::{Committed, Kept, Txn};
use binlog::{Log, LogPos};
use pages::CheckpointReport;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tree::Sighting;

/// How often it counts dirty frames, at most.
const LOOK: Duration = Duration::from_secs(1);
/// How often the background thread looks at what there is to do.
const TICK: Duration = Duration::from_millis(20);
/// When a checkpoint that found no room is tried again.
const RETRY: Duration = Duration::from_secs(2);
/// How long nothing is committed before the log is sealed: often enough to matter, seldom enough to cost nothing.
const QUIET: Duration = Duration::from_millis(500);
/// Commits purged between two looks at the rest.
const PURGE_BATCH: usize = 4096;

/// A storage engine over a directory. Clones are handles of the same one; the last one dropped stops its thread.
#[derive(Clone)]
pub struct Engine {
    pub(crate) core: Arc<Core>,
    /// Stops the background threads when the last handle goes.
    background: Arc<Background>,
}

struct Background {
    core: Arc<Core>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Background {
    fn start(&self, name: &str, work: fn(&Core)) -> Result<()> {
        let core = self.core.clone();
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || work(&core));
        self.threads
            .lock()
            .push(spawned.map_err(|source| EngineError::Io { verb: "start the engine's threads", source })?);
        Ok(())
    }

    fn stop(&self) {
        self.core.stopping.store(true, Ordering::SeqCst);
        self.core.background.wake_all();
        self.core.log.stop_clearing();
        let threads = std::mem::take(&mut *self.threads.lock());
        for thread in threads {
            // It never panics with anything to tell that was not told already.
            drop(thread.join());
        }
    }
}

impl Engine {
    /// Opens the engine in a directory, or makes one in an empty directory; replays the log behind the newest
    /// checkpoint.
    pub fn open(options: Options) -> Result<(Engine, RecoveryReport)> {
        let (core, report) = recovery::open(options)?;
        let background = Arc::new(Background { core: core.clone(), threads: Mutex::default() });
        if core.options.background {
            background.start("engine", Core::work)?;
            background.start("log", |core| core.log.keep_cleared())?;
        }
        Ok((Engine { core, background }, report))
    }

    /// The catalog now.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.core.catalog()
    }

    /// A place for one connection.
    pub fn session(&self) -> Session {
        Session { place: self.place() }
    }

    fn place(&self) -> Arc<Place> {
        Arc::new(Place {
            // Relaxed: only uniqueness counts.
            number: self.core.next_slot.fetch_add(1, Ordering::Relaxed),
            slot: self.core.locks.slots.attach(),
            core: self.core.clone(),
            interrupt: Arc::new(Interrupt::new()),
            busy: AtomicBool::new(false),
            begun: AtomicU64::new(0),
            kept: Mutex::default(),
            debt: Debt::none(),
        })
    }

    /// Begins a transaction in a place of its own. Connections keep a [`Session`] instead: it is cheaper.
    pub fn begin(&self, options: TxnOptions) -> Txn {
        self.session().begin(options)
    }

    /// The value of a record of the rooms above.
    pub fn get_record(&self, space: &str, key: &str) -> Option<Arc<[u8]>> {
        self.catalog().record(space, key).cloned()
    }

    /// Puts (or removes) a record of the rooms above, durably. Replicas get nothing of it.
    pub fn put_record(&self, space: &str, key: &str, value: Option<&[u8]>) -> Result<Committed> {
        let records = vec![(key.to_owned(), value.map(<[u8]>::to_vec))];
        self.put_records(space, records)
    }

    /// Puts or removes several records at once.
    pub fn put_records(&self, space: &str, records: Vec<(String, Option<Vec<u8>>)>) -> Result<Committed> {
        self.session().ddl(Ddl::PutRecords { space: space.to_owned(), records }, None, TxnOptions::default())
    }

    /// Makes a checkpoint now.
    pub fn checkpoint(&self) -> Result<CheckpointReport> {
        self.core.checkpoint()
    }

    /// Where the log begins that is still needed: for a restart from the last checkpoint, or for an index that is
    /// being built.
    pub fn log_needed_from(&self) -> LogPos {
        let checkpoint = self.core.gate.checkpoint();
        self.core.log_pins.first().map_or(checkpoint, |pin| pin.min(checkpoint))
    }

    /// Removes what no snapshot can want any more. The background thread does it anyway.
    pub fn purge(&self) -> Result<usize> {
        self.core.purge_some(usize::MAX)
    }

    /// The log, for replication, SHOW BINARY LOGS and the like.
    pub fn log(&self) -> &Log {
        &self.core.log
    }

    /// Why nothing works any more, after a failed write or force.
    pub fn poisoned(&self) -> Option<Arc<str>> {
        self.core.poison.get().cloned()
    }

    /// Sets what one transaction's changes may take, in bytes of memory; `None`: what the options say.
    pub fn set_transaction_limit(&self, bytes: Option<usize>) {
        self.core.room.set_limit(bytes);
    }

    /// What was set of it.
    pub fn transaction_limit(&self) -> Option<usize> {
        self.core.room.set()
    }

    /// How it was opened.
    pub fn options(&self) -> &Options {
        &self.core.options
    }

    /// A new temporary file in the data directory.
    pub fn temporary_file(&self) -> std::io::Result<crate::TemporaryFile> {
        self.core.scratch.file()
    }

    /// State and counters now.
    pub fn status(&self) -> Status {
        let core = &self.core;
        let (lock_waits, deadlocks, lock_timeouts) = core.locks.waits.counters();
        let counters = &core.counters;
        Status {
            commits: Counters::read(&counters.commits),
            rollbacks: Counters::read(&counters.rollbacks),
            old_version_reads: Counters::read(&counters.old_version_reads),
            checkpoints: Counters::read(&counters.checkpoints),
            purged: Counters::read(&counters.purged),
            snapshots_revoked: Counters::read(&counters.revoked),
            version_bytes: core.versions.bytes(),
            transaction_bytes: core.room.taken() as u64,
            purge_queue: core.purge.len(),
            lock_waits,
            lock_waits_now: core.locks.waits.current() as u64,
            deadlocks,
            lock_timeouts,
            row_locks: core.locks.rows.count() as u64,
            visible: core.watermark.visible().0,
            pages: core.store.counters(),
        }
    }

    /// Has the kernel back the whole buffer pool with memory, by a thread on each of `cpus`; work may go on meanwhile.
    pub fn populate_pool(&self, cpus: &[platform::topology::Cpu]) -> std::io::Result<()> {
        self.core.store.populate(cpus)
    }

    /// Where the buffer pool's memory lies.
    pub fn pool_placement(&self) -> pages::Placement {
        self.core.store.placement()
    }

    /// Damage found in the page file since the last call, healed or not, for the server's log.
    pub fn take_damage(&self) -> Vec<pages::Damage> {
        self.core.store.take_damage()
    }

    /// Bytes of all pages of a table. A tree counts as one page at least, which it gets with its first entry.
    pub fn data_bytes(&self, table: &Table) -> u64 {
        let pages = |tree: &TableTree| tree.handle.tree.pages().max(1);
        table.trees().iter().map(pages).sum::<u64>() * pages::PAGE_SIZE as u64
    }

    /// Stops the background threads, makes a last checkpoint and closes the log. Sessions must be gone.
    pub fn close(&self) -> Result<()> {
        self.background.stop();
        self.core.checkpoint()?;
        Ok(self.core.log.close()?)
    }

    /// Checks the structure of all trees of a table, and each index against its rows. The table must be held
    /// exclusively, or nothing may be changing it. Returns the rows.
    pub fn check_table(&self, table: &Table) -> Result<u64> {
        crate::check::check_table(&self.core, table)
    }
}

impl Core {
    /// The background thread: purge, checkpoints.
    fn work(&self) {
        let mut last_checkpoint = Instant::now();
        let mut last_look = Instant::now();
        let mut not_before = Instant::now();
        let (mut durable, mut quiet_since) = (LogPos::default(), Instant::now());
        while !self.stopping.load(Ordering::SeqCst) {
            let wanted =
                || self.stopping.load(Ordering::SeqCst) || self.checkpoint_wanted.load(Ordering::SeqCst);
            self.background.wait_until(Instant::now() + TICK, || wanted().then_some(()));
            if self.poison.get().is_some() {
                return;
            }
            let mut worked = self.purge_some(PURGE_BATCH);
            let due = self.checkpoint_is_due(last_checkpoint, &mut last_look);
            self.checkpoint_wanted.store(false, Ordering::SeqCst);
            if worked.is_ok() && due && Instant::now() >= not_before {
                last_checkpoint = Instant::now();
                worked = self.checkpoint().map(|_| 0);
                if worked.is_err() {
                    not_before = Instant::now() + RETRY;
                }
            }
            if self.log.durable() != durable {
                (durable, quiet_since) = (self.log.durable(), Instant::now());
            } else if worked.is_ok() && quiet_since.elapsed() >= QUIET {
                // Say so in the log, so that later damage is not taken for a torn tail. Does nothing the second time.
                worked = self.log.seal().map(|()| 0).map_err(EngineError::from);
                durable = self.log.durable();
            }
            // A full disk passes; a failed write has poisoned the store or the log, and with it the next commit.
            if let Err(EngineError::Log(error @ binlog::LogError::Io { .. })) = &worked {
                self.poison(error);
            }
        }
    }

    /// `look`: when the frames were last looked at.
    fn checkpoint_is_due(&self, last: Instant, look: &mut Instant) -> bool {
        let policy = &self.options.checkpoint;
        let (_, end) = self.gate.newest();
        let grown = end != self.gate.checkpoint();
        // Looks at every frame: only where something was written, and not at each turn.
        let mut dirty = || {
            if look.elapsed() < LOOK {
                return false;
            }
            *look = Instant::now();
            let (dirty, frames) = self.store.dirty_frames();
            dirty * 100 >= u64::from(policy.dirty_percent) * frames.max(1)
        };
        self.checkpoint_wanted.load(Ordering::SeqCst)
            || self.gate.grown_since_checkpoint(end) >= policy.log_bytes
            || (grown && last.elapsed() > LOOK && dirty())
            || (grown && last.elapsed() >= policy.interval)
    }
}

/// What belongs to one connection: everything that its statements write is in here, and shared with nobody else.
pub(crate) struct Place {
    pub(crate) core: Arc<Core>,
    pub(crate) slot: Arc<Slot>,
    pub(crate) interrupt: Arc<Interrupt>,
    /// A transaction runs.
    pub(crate) busy: AtomicBool,
    /// What its last transaction left. Taken by the transaction while it runs.
    pub(crate) kept: Mutex<Kept>,
    /// Commits that nobody has been told of.
    pub(crate) debt: Debt,
    number: u64,
    begun: AtomicU64,
}

impl Place {
    /// Forces and shows what is owed.
    pub(crate) fn pay(&self) -> Result<()> {
        let Some(due) = self.debt.due() else { return Ok(()) };
        let paid = self.core.make_visible(due);
        self.debt.end(&self.core.locks, &self.slot);
        paid.map(|_| ())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What a failure of the log means whoever comes next hears.
        let _ = self.pay();
        self.core.locks.slots.detach(&self.slot);
    }
}

/// A connection's place in the engine.
pub struct Session {
    place: Arc<Place>,
}

/// Holds a table for one statement without a transaction; see [`Session::pin`].
pub struct Pin<'s> {
    place: &'s Place,
    table: &'s Table,
}

impl Drop for Pin<'_> {
    fn drop(&mut self) {
        let Place { core, slot, .. } = self.place;
        core.locks.release_name(slot, &self.table.lock, Mode::Read, TxnId(0));
    }
}

impl Session {
    /// What ends a wait of this session from outside (KILL).
    pub fn interrupt(&self) -> &Arc<Interrupt> {
        &self.place.interrupt
    }

    /// Waits until what [`Txn::commit_owing`] left is durable and visible. After an error only a restart tells what was
    /// committed.
    pub fn pay(&self) -> Result<()> {
        self.place.pay()?;
        self.place.core.check_poison()
    }

    /// Whether there is anything to pay.
    #[inline]
    pub fn owes(&self) -> bool {
        self.place.debt.commit() != CommitNo(0)
    }

    /// Begins a transaction; one at a time in a session.
    ///
    /// # Panics
    /// If the session's last transaction still runs: a bug of the caller.
    pub fn begin(&self, options: TxnOptions) -> Txn {
        let place = &self.place;
        let was_busy = place.busy.swap(true, Ordering::Acquire);
        assert!(!was_busy, "a session has one transaction at a time");
        // Relaxed: only this session counts here.
        let begun = place.begun.fetch_add(1, Ordering::Relaxed) + 1;
        let id = TxnId(place.number << 36 | begun);
        Txn::begin(place.clone(), id, options)
    }

    /// Holds a table version found before, for one statement that needs no transaction. `None` when DDL has replaced
    /// it or is about to: go through a transaction, which waits.
    #[inline]
    pub fn pin<'s>(&'s self, table: &'s Arc<Table>) -> Option<Pin<'s>> {
        let place = &*self.place;
        if !place.core.locks.try_hold_name(&place.slot, &table.lock, Mode::Read) {
            return None;
        }
        let pin = Pin { place, table };
        table.is_current().then_some(pin)
    }

    /// Reads the newest visible version of one row of the pinned table by its clustered key: no lock, nothing shared
    /// written. For single statements outside of transactions.
    #[inline]
    pub fn point_read(&self, pin: &Pin<'_>, key: &[u8], row: &mut Vec<u8>) -> Result<bool> {
        self.point_read_sighted(pin, key, None, row)
    }

    /// The same where [`Session::prefetch`] has seen the row.
    #[inline]
    pub fn point_read_sighted(
        &self,
        pin: &Pin<'_>,
        key: &[u8],
        sighting: Option<Sighting>,
        row: &mut Vec<u8>,
    ) -> Result<bool> {
        debug_assert!(!self.owes(), "it would not see what the session committed");
        self.place.core.check_poison()?;
        self.place.core.point_read(pin.table, (key, sighting), &self.place.slot, row)
    }

    /// Has the rows of these clustered keys of the pinned table come near, for reads that follow soon: only a hint.
    /// Tells by the key's place in the batch where rows were seen.
    pub fn prefetch<'k>(
        &self,
        pin: &Pin<'_>,
        keys: impl IntoIterator<Item = &'k [u8]>,
        sighted: impl FnMut(usize, Sighting),
    ) {
        // What cannot be read now tells whoever reads it.
        let _ = pin.table.trees()[0].handle.tree.prefetch(keys, sighted);
    }

    /// Changes the catalog in a transaction of its own.
    pub fn ddl(&self, ddl: Ddl<'_>, query: Option<QueryText<'_>>, options: TxnOptions) -> Result<Committed> {
        let mut txn = self.begin(options);
        txn.ddl(ddl, query)
    }
}
