//! Transactions: a snapshot, a write set, locks, the log's events of what was changed.
//!
//! Nothing of a transaction is in a page before its group has its place in the log. Rolling back touches memory only.
//!
//! What may wait: taking a lock or a name, loading a page, [`Txn::commit`]. Nothing here is held across these but the
//! transaction's own locks.

pub(crate) mod foreign;
mod guard;
pub(crate) mod log_body;
mod read;
pub(crate) mod room;
mod savepoint;
mod scan;
mod write;
pub(crate) mod write_set;

pub(crate) use read::as_slice;
pub use scan::{AtHand, FoundRow, RowBuf, Scan};
pub(crate) use write::{counted, entries_of, note_auto_increment};

use crate::catalog::{Table, View};
use crate::commit::Ordered;
use crate::engine::Place;
use crate::error::{EngineError, Result};
use crate::ids::{CommitNo, TxnId};
use crate::lock::metadata::{Mode as NameMode, NameLock};
use crate::lock::row::{Got, HeldRows, Mode};
use crate::lock::{Asker, LockError, LockKey};
use crate::options::{Isolation, TxnOptions, Wait};
use crate::status::Counters;
use binlog::{GroupBuilder, GroupMark, GtidPlan, LogPos, SeqNo};
use log_body::{LogBody, LogPlan};
use savepoint::{Mark, Savepoint};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use write_set::WriteSet;

pub use crate::lock::metadata::Mode as Mdl;

/// What a commit came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// Its number; `None` when nothing was changed.
    pub commit: Option<CommitNo>,
    /// The end of its group in the log.
    pub position: Option<LogPos>,
}

/// So much memory of each kind a session keeps from one transaction for the next, in bytes.
pub(crate) const KEPT_MAX: usize = 16 << 10;

/// What a session keeps from one transaction for the next.
#[derive(Default)]
pub(crate) struct Kept {
    /// Tables used before.
    names: Vec<Name>,
    /// Memory for events and changes.
    group: Option<GroupBuilder>,
    writes: WriteSet,
}

/// Tables that a session remembers between its transactions.
const KNOWN_MAX: usize = 16;

/// What a wait for a name alone counts more than any number of changes.
const DDL_WEIGHT: u64 = 1 << 40;

/// A name that is held, or a table that was used before.
pub(crate) struct Name {
    lock: Arc<NameLock>,
    table: Option<Arc<Table>>,
    held: Option<NameMode>,
}

impl Name {
    fn is_of(&self, table: Option<&Arc<Table>>) -> bool {
        match (&self.table, table) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// A running transaction. Dropping it rolls it back.
pub struct Txn {
    pub(crate) place: Arc<Place>,
    id: TxnId,
    options: TxnOptions,
    snapshot: Option<CommitNo>,
    writes: WriteSet,
    /// The memory that its changes may take.
    share: room::Share,
    log: LogBody,
    rows: HeldRows,
    /// The row locked exclusively last.
    own_row: Option<LockKey>,
    /// The last lock asked for was not held before.
    lock_is_new: bool,
    ranges: Vec<u32>,
    /// Inserts announced in the slot.
    announced: usize,
    names: Vec<Name>,
    savepoints: Vec<Savepoint>,
    /// A row newer than the snapshot was read under lock: see `write`.
    saw_newer: bool,
    /// The newest commit that was read, perhaps still on its way to the disk: see `crate::commit`.
    saw: CommitNo,
    /// Where the last newest version was read.
    finger: tree::Finger,
    /// Memory in which keys are put together.
    scratch: Vec<u8>,
    /// Plain reads of the statement under way lock what they read.
    reads_lock: bool,
    statement: Mark,
    /// Where the log stood before the children of the row under change were changed, once they are.
    before_cascade: Option<Option<GroupMark>>,
    active: bool,
}

impl Txn {
    /// Begins in a session's place.
    pub(crate) fn begin(place: Arc<Place>, id: TxnId, options: TxnOptions) -> Txn {
        place.slot.set_txn(Some(id));
        let engine = &place.core.options;
        let gtid = GtidPlan { domain: engine.gtid_domain, server_id: engine.server_id, seq_no: SeqNo::Next };
        let plan = LogPlan {
            gtid,
            public: options.log,
            fk_checks: options.fk_checks,
            unique_checks: options.unique_checks,
        };
        let Kept { names, group, writes } = std::mem::take(&mut *place.kept.lock());
        let log = group.map_or_else(|| LogBody::new(plan), |group| LogBody::again(plan, group));
        let saw = place.debt.commit();
        Txn {
            place,
            id,
            options,
            snapshot: None,
            writes,
            share: room::Share::default(),
            log,
            rows: HeldRows::default(),
            own_row: None,
            lock_is_new: false,
            ranges: Vec::new(),
            announced: 0,
            names,
            savepoints: Vec::new(),
            saw_newer: false,
            saw,
            finger: tree::Finger::default(),
            scratch: Vec::new(),
            reads_lock: false,
            statement: Mark::default(),
            before_cascade: None,
            active: true,
        }
    }

    /// Its number.
    pub fn id(&self) -> TxnId {
        self.id
    }

    /// How it was begun.
    pub fn options(&self) -> &TxnOptions {
        &self.options
    }

    /// Changes what may change inside a transaction: waits, checks, whether the next statements are logged.
    pub fn set_options(&mut self, change: impl FnOnce(&mut TxnOptions)) {
        let isolation = self.options.isolation;
        change(&mut self.options);
        self.options.isolation = isolation;
    }

    /// False once it was rolled back by an error ([`EngineError::ends_transaction`]).
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Whether anything was changed.
    pub fn has_changes(&self) -> bool {
        !self.writes.is_empty() || !self.log.is_empty()
    }

    /// Keys changed so far, those of secondary indexes counted.
    pub fn changes(&self) -> usize {
        self.writes.len()
    }

    /// Starts a statement: what [`Txn::end_statement`] with `false` goes back to. At READ COMMITTED and below the
    /// snapshot is let go, so that the statement takes a fresh one.
    pub fn begin_statement(&mut self) {
        if self.options.isolation <= Isolation::ReadCommitted {
            self.drop_snapshot();
        }
        self.reads_lock = false;
        self.statement = self.mark();
    }

    /// The statement under way changes rows: from REPEATABLE READ on, its plain reads see the newest rows and keep them
    /// as they are to the end of the transaction, so that what is written from them stays true (as in InnoDB, where
    /// two sessions that insert MAX(n) + 1 do not come to the same number).
    pub fn lock_reads(&mut self) {
        self.reads_lock = self.options.isolation >= Isolation::RepeatableRead;
    }

    /// Whether plain reads of the statement under way keep rows as they are.
    pub fn locks_reads(&self) -> bool {
        self.reads_lock
    }

    /// Ends a statement; `false` takes its changes back (its locks stay).
    pub fn end_statement(&mut self, ok: bool) {
        if !self.active {
            return;
        }
        if ok {
            self.log.end_statement();
        } else {
            let mark = self.statement;
            self.roll_back_to(mark);
            // The error may tell of a row that only the disk is waited for: a duplicate, a child without a parent. What
            // a failure of the log means the next call tells.
            let _ = self.wait_for_seen();
        }
        if self.savepoints.is_empty() {
            self.writes.forget_undo();
            self.statement = self.mark();
        }
    }

    /// The snapshot that plain reads use, taken now if there is none.
    pub fn snapshot_now(&mut self) -> Result<CommitNo> {
        self.check_active()?;
        Ok(self.take_snapshot())
    }

    /// The snapshot of plain reads: of what is visible, unless rows read under locks are newer. Then they and all
    /// before them are seen, and the transaction waits for them at its end.
    fn take_snapshot(&mut self) -> CommitNo {
        if let Some(snapshot) = self.snapshot {
            return snapshot;
        }
        let core = &self.place.core;
        let watermark = &core.watermark;
        let mut snapshot = self.place.slot.take_snapshot(|| watermark.visible());
        if snapshot < self.saw {
            watermark.wait_applied(self.saw, || core.poison.get().is_some());
            snapshot = self.place.slot.take_snapshot(|| watermark.applied());
            self.saw = snapshot;
        }
        self.snapshot = Some(snapshot);
        snapshot
    }

    /// Waits until everything that was read is visible: only then may anybody hear of it.
    fn wait_for_seen(&self) -> Result<()> {
        self.place.core.have_visible(self.saw)
    }

    fn drop_snapshot(&mut self) {
        if self.snapshot.take().is_some() {
            self.place.slot.drop_snapshot();
        }
    }

    pub(crate) fn check_active(&self) -> Result<()> {
        self.place.core.check_poison()?;
        if self.active { Ok(()) } else { Err(EngineError::NotActive) }
    }

    /// Temporary tables may be changed by transactions that only read.
    fn check_writable(&self, table: &Table) -> Result<()> {
        self.check_active()?;
        if self.options.read_only && !table.is_temporary() {
            Err(EngineError::ReadOnlyTransaction)
        } else {
            Ok(())
        }
    }

    /// Holds a table by name to the end of the transaction and returns its present version.
    pub fn lock_table(&mut self, db: &str, name: &str, mode: NameMode) -> Result<Arc<Table>> {
        self.check_active()?;
        let known = self.names.iter().filter_map(|name| name.table.as_ref());
        let known = known.into_iter().find(|t| t.name() == name && t.db() == db && t.is_current());
        if let Some(table) = known.cloned()
            && self.hold(&table, mode)?
        {
            return Ok(table);
        }
        loop {
            let table = self.place.core.catalog().require(db, name)?.clone();
            if self.hold(&table, mode)? {
                return Ok(table);
            }
        }
    }

    /// Holds a version of a table found before (in a cached plan) to the end of the transaction; false when DDL has
    /// replaced it since: look the name up again.
    pub fn hold(&mut self, table: &Arc<Table>, mode: NameMode) -> Result<bool> {
        let at = self.hold_lock(&table.lock, Some(table), mode)?;
        if table.is_current() {
            return self.check_since(table);
        }
        if let Some(at) = at
            && let Some(mode) = self.names[at].held.take()
        {
            self.place.core.locks.release_name(&self.place.slot, &table.lock, mode, self.id);
        }
        Ok(false)
    }

    /// Holds a view's name to the end of the transaction; false when DDL has replaced this version of it.
    pub fn hold_view(&mut self, view: &View) -> Result<bool> {
        self.check_active()?;
        self.hold_lock(&view.lock, None, NameMode::Read)?;
        Ok(view.is_current())
    }

    /// Holds a name, unless it is held already in this mode or a stronger one; returns its place if it is new.
    pub(crate) fn hold_lock(
        &mut self,
        lock: &Arc<NameLock>,
        table: Option<&Arc<Table>>,
        mode: NameMode,
    ) -> Result<Option<usize>> {
        let (mut holds_some, mut known) = (false, None);
        for (at, name) in self.names.iter().enumerate().filter(|(_, n)| Arc::ptr_eq(&n.lock, lock)) {
            match name.held {
                Some(held) if held.covers(mode) => return Ok(None),
                Some(_) => holds_some = true,
                None if name.is_of(table) => known = Some(at),
                None => {}
            }
        }
        let place = &*self.place;
        let mut asker = self.metadata_asker();
        if mode >= NameMode::Upgradable {
            // In a deadlock it is not the DDL that ends: it may have waited long for others already.
            asker.weight += DDL_WEIGHT;
        }
        let held = place.core.locks.hold_name(&place.slot, lock, mode, holds_some, &asker);
        if let Err(error) = held {
            return Err(self.lock_failed(error));
        }
        let at = known.unwrap_or_else(|| {
            self.names.push(Name { lock: lock.clone(), table: table.cloned(), held: None });
            self.names.len() - 1
        });
        self.names[at].held = Some(mode);
        Ok(Some(at))
    }

    /// Holds a name that [`Txn::hold_lock`] came to hold exclusively, at that place, in a weaker mode from now on.
    pub(crate) fn downgrade(&mut self, at: usize, mode: NameMode) {
        let name = &mut self.names[at];
        debug_assert_eq!(name.held, Some(NameMode::Exclusive));
        name.held = Some(mode);
        self.place.core.locks.downgrade_name(&name.lock, mode, self.id);
    }

    /// Refuses a table that is newer than the snapshot: its indexes know nothing of older versions.
    fn check_since(&self, table: &Table) -> Result<bool> {
        match self.snapshot {
            Some(snapshot) if snapshot < table.since() => {
                let (db, table) = (table.db().to_owned(), table.name().to_owned());
                Err(EngineError::TableNewerThanSnapshot { db, table })
            }
            _ => Ok(true),
        }
    }

    /// Keeps others from changing any row of a table to the end of the transaction: in the place of locks on many rows.
    fn share_table(&mut self, table: &Table) -> Result<()> {
        let held = || self.names.iter().filter(|n| Arc::ptr_eq(&n.lock, &table.lock)).filter_map(|n| n.held);
        if held().any(|held| held.covers(NameMode::NoWrite)) {
            return Ok(());
        }
        let (place, holds_some) = (&*self.place, held().next().is_some());
        let asker = self.asker();
        let got = place.core.locks.hold_name(&place.slot, &table.lock, NameMode::NoWrite, holds_some, &asker);
        if let Err(error) = got {
            return Err(self.lock_failed(error));
        }
        self.names.push(Name { lock: table.lock.clone(), table: None, held: Some(NameMode::NoWrite) });
        Ok(())
    }

    /// Lets the names go that LOCK TABLES took (UNLOCK TABLES). Nothing may have been changed since the last commit.
    pub fn unlock_tables(&mut self) {
        self.release_names();
    }

    /// Lets all names go; tables stay known, so that holding them again costs no write to what others share.
    fn release_names(&mut self) {
        let place = &*self.place;
        for name in &mut self.names {
            if let Some(mode) = name.held.take() {
                place.core.locks.release_name(&place.slot, &name.lock, mode, self.id);
            }
        }
        let mut at = 0;
        while at < self.names.len() {
            let name = &self.names[at];
            let twice = self.names[..at].iter().any(|n| Arc::ptr_eq(&n.lock, &name.lock));
            let current = name.table.as_ref().is_some_and(|t| t.is_current());
            if twice || !current || at >= KNOWN_MAX {
                self.names.swap_remove(at);
            } else {
                at += 1;
            }
        }
    }

    fn asker(&self) -> Asker<'_> {
        Asker {
            txn: self.id,
            weight: (self.writes.len() + self.rows.len()) as u64,
            timeout: self.options.lock_wait,
            place: &self.place,
        }
    }

    fn metadata_asker(&self) -> Asker<'_> {
        Asker { timeout: self.options.metadata_wait, ..self.asker() }
    }

    /// Locks a key; `None` when somebody else has it and `wait` says to skip it.
    fn lock_key(&mut self, tree: u32, key: &[u8], mode: Mode, wait: Wait) -> Result<Option<Got>> {
        self.lock(self.place.core.locks.rows.key(tree, key), mode, wait)
    }

    /// The same by the lock's key.
    fn lock(&mut self, lock: LockKey, mode: Mode, wait: Wait) -> Result<Option<Got>> {
        // A row that is changed was read under its lock just before.
        if self.own_row == Some(lock) {
            self.lock_is_new = false;
            return Ok(Some(Got::HeldBefore));
        }
        match self.place.core.locks.lock_row(lock, mode, &self.asker(), wait == Wait::Block) {
            Ok(got) => {
                self.lock_is_new = got == Got::New;
                if mode == Mode::Exclusive {
                    self.own_row = Some(lock);
                }
                if got == Got::New {
                    self.rows.push(lock);
                }
                Ok(Some(got))
            }
            Err(LockError::WouldWait) if wait == Wait::SkipLocked => Ok(None),
            Err(error) => Err(self.lock_failed(error)),
        }
    }

    /// Turns a lock's refusal into the error; a deadlock's victim is rolled back.
    fn lock_failed(&mut self, error: LockError) -> EngineError {
        match error {
            LockError::TimedOut | LockError::WouldWait => EngineError::LockWaitTimeout,
            LockError::Interrupted => EngineError::Interrupted,
            LockError::Deadlock => {
                self.abort();
                EngineError::Deadlock
            }
        }
    }

    /// A row changed after the snapshot: the transaction is over.
    fn changed(&mut self, table: &Table) -> EngineError {
        self.abort();
        EngineError::Changed { table: table.name().to_owned() }
    }

    /// Passes an error on; those that end the transaction do so.
    fn failed(&mut self, error: EngineError) -> EngineError {
        if error.ends_transaction() {
            self.abort();
        }
        error
    }

    /// Commits. Acknowledged means: forced to the log, applied, visible, and so is all that was read. After an error nothing
    /// was committed, unless the error is [`EngineError::Poisoned`]: then only a restart tells.
    pub fn commit(self) -> Result<Committed> {
        self.end(false)
    }

    /// Commits, but leaves the wait for the force to [`crate::Session::pay`]: nobody may be told before.
    pub fn commit_owing(self) -> Result<Committed> {
        self.end(true)
    }

    fn end(mut self, owing: bool) -> Result<Committed> {
        self.check_active()?;
        self.log.end_statement();
        let own = self.writes.take_temporary()?;
        if !own.is_empty() {
            self.place.core.apply_temporary(&own)?;
        }
        if self.log.is_empty() && self.writes.is_empty() {
            self.release_locks();
            let seen = match owing && self.saw > self.place.core.watermark.visible() {
                true => {
                    self.owe(self.place.core.in_log(self.saw));
                    Ok(())
                }
                false => self.wait_for_seen().and_then(|()| self.place.pay()),
            };
            self.finish();
            return seen.map(|()| Committed::default());
        }
        let writes = std::mem::take(&mut self.writes);
        // Its own snapshot would hold the purge back while it waits for the log.
        self.drop_snapshot();
        let ordered = self.place.core.order_and_apply(&mut self.log, &writes);
        self.writes = writes.emptied();
        // Names stay: DDL works on what is durable.
        self.release_locks();
        let result = ordered.and_then(|ordered| match owing {
            true => {
                self.owe(ordered);
                Ok(Committed { commit: Some(ordered.commit), position: Some(ordered.end) })
            }
            false => {
                let committed = self.place.core.make_visible(ordered)?;
                self.place.pay()?;
                Ok(committed)
            }
        });
        if result.is_ok() {
            Counters::bump(&self.place.core.counters.commits);
        }
        self.finish();
        self.place.core.purge_own();
        result
    }

    /// Leaves a commit's force, and the names until then, to the session.
    fn owe(&mut self, ordered: Ordered) {
        let place = &*self.place;
        place.debt.add(ordered);
        for name in &mut self.names {
            if name.held.is_some_and(|mode| place.debt.take_name(&name.lock, mode)) {
                name.held = None;
            }
        }
    }

    /// Puts all rows of a temporary table into its trees: no rollback takes them back any more. They were the table's only
    /// changes, and are the last of the transaction.
    pub fn keep_rows(&mut self, table: &Arc<Table>) -> Result<()> {
        let rows = self.writes.take_last(table)?;
        self.place.core.apply_temporary(&rows)
    }

    /// Rolls everything back.
    pub fn rollback(mut self) {
        self.abort();
    }

    /// Rolls back and lets all locks go; the handle stays, inactive.
    fn abort(&mut self) {
        if !self.active {
            return;
        }
        if self.has_changes() {
            Counters::bump(&self.place.core.counters.rollbacks);
        }
        self.finish();
        // The session's next transaction shall not see less. What a failure of the log means it will hear.
        let _ = self.wait_for_seen();
    }

    /// Lets rows and ranges go, and announced inserts.
    fn release_locks(&mut self) {
        self.place.slot.clear_intents();
        for tree in self.ranges.drain(..) {
            self.place.core.locks.ranges.release(tree, self.id);
        }
        self.own_row = None;
        self.place.core.locks.rows.release_all(&mut self.rows, self.id);
    }

    /// Lets everything go.
    fn finish(&mut self) {
        if !self.active {
            return;
        }
        self.active = false;
        self.drop_snapshot();
        self.share.end(&self.place.core.room);
        self.savepoints.clear();
        self.release_locks();
        self.release_names();
        let names = std::mem::take(&mut self.names);
        let writes = std::mem::take(&mut self.writes).emptied();
        *self.place.kept.lock() = Kept { names, group: self.log.take_memory(), writes };
        self.place.slot.set_txn(None);
        self.place.busy.store(false, Ordering::Release);
    }
}

impl Drop for Txn {
    fn drop(&mut self) {
        self.abort();
    }
}
