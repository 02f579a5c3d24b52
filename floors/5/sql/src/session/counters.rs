//! Counters of what statements do, each session's own: SHOW STATUS shows them, SHOW GLOBAL STATUS their sums.
//!
//! A session is the only writer of its counters, so adding costs no atomic addition. What sessions that are gone have
//! counted is kept by the [`Tally`].

use crate::host::Host;
use crate::syntax::ast::{self, Statement};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counters {
    ($($name:ident = $shown:literal, $doc:literal;)*) => {
        /// What is counted.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Counter { $(#[doc = $doc] $name),* }

        /// Name and meaning of each counter, in order.
        pub const COUNTERS: &[(&str, &str)] = &[$(($shown, $doc)),*];
    };
}

counters! {
    CreatedTmpFiles = "Created_tmp_files", "Temporary files written.";
    CreatedTmpDiskTables = "Created_tmp_disk_tables", "Intermediate results that had no room in memory.";
    CreatedTmpTables = "Created_tmp_tables", "Intermediate results kept: derived tables, groups, different rows, set operations, tables of INFORMATION_SCHEMA.";
    EmptyQueries = "Empty_queries", "Queries without a row in their result.";
    HandlerCommit = "Handler_commit", "Transactions committed, those of single statements among them.";
    HandlerDelete = "Handler_delete", "Rows deleted.";
    HandlerReadFirst = "Handler_read_first", "Readings of an index from its start.";
    HandlerReadKey = "Handler_read_key", "Rows or ranges looked for in an index.";
    HandlerReadLast = "Handler_read_last", "Readings of an index from its end.";
    HandlerReadNext = "Handler_read_next", "Steps forward in an index.";
    HandlerReadPrev = "Handler_read_prev", "Steps backward in an index.";
    HandlerReadRndNext = "Handler_read_rnd_next", "Steps through a whole table.";
    HandlerRollback = "Handler_rollback", "Transactions rolled back.";
    HandlerSavepoint = "Handler_savepoint", "Savepoints set.";
    HandlerSavepointRollback = "Handler_savepoint_rollback", "Rollbacks to savepoints.";
    HandlerTmpWrite = "Handler_tmp_write", "Rows written to intermediate results.";
    HandlerUpdate = "Handler_update", "Rows updated.";
    HandlerWrite = "Handler_write", "Rows inserted, or tried.";
    RowsRead = "Rows_read", "Rows read from tables.";
    RowsSent = "Rows_sent", "Rows sent to clients.";
    RowsTmpRead = "Rows_tmp_read", "Rows read from intermediate results.";
    SelectFullJoin = "Select_full_join", "Joins to a table that is gone through as a whole.";
    SelectFullRangeJoin = "Select_full_range_join", "Joins to ranges of an index.";
    SelectRange = "Select_range", "Queries that begin with ranges of an index.";
    SelectScan = "Select_scan", "Queries that begin with a whole table.";
    SlowQueries = "Slow_queries", "Statements that took longer than long_query_time.";
    SortMergePasses = "Sort_merge_passes", "Merges of sorted parts in files.";
    SortPriorityQueueSorts = "Sort_priority_queue_sorts", "Sorts that kept the first rows only.";
    SortRange = "Sort_range", "Sorts of rows that ranges of an index gave.";
    SortRows = "Sort_rows", "Rows sorted.";
    SortScan = "Sort_scan", "Sorts of rows of whole tables.";
}

/// One session's counters.
#[derive(Debug)]
pub struct Counters([AtomicU64; COUNTERS.len()]);

impl Default for Counters {
    fn default() -> Self {
        Self(std::array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Counters {
    /// Counts. Relaxed: readers want numbers, not order.
    #[inline]
    pub fn add(&self, counter: Counter, n: u64) {
        let place = &self.0[counter as usize];
        place.store(place.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
    }

    /// The count.
    pub fn get(&self, counter: Counter) -> u64 {
        self.0[counter as usize].load(Ordering::Relaxed)
    }

    fn add_all(&self, others: &Counters) {
        for (mine, other) in self.0.iter().zip(&others.0) {
            mine.fetch_add(other.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// The counts in the order of [`COUNTERS`].
    pub fn all(&self) -> Vec<u64> {
        self.0.iter().map(|n| n.load(Ordering::Relaxed)).collect()
    }
}

/// The counters of all sessions of a server.
#[derive(Default)]
pub struct Tally(Mutex<Sessions>);

#[derive(Default)]
struct Sessions {
    here: Vec<Arc<Counters>>,
    gone: Counters,
}

impl Tally {
    /// An empty tally.
    pub const fn new() -> Self {
        Self(Mutex::new(Sessions {
            here: Vec::new(),
            gone: Counters([const { AtomicU64::new(0) }; COUNTERS.len()]),
        }))
    }

    /// The sums over all sessions, in the order of [`COUNTERS`].
    pub fn sums(&self) -> Vec<u64> {
        let sessions = self.0.lock();
        let sums = Counters::default();
        sums.add_all(&sessions.gone);
        sessions.here.iter().for_each(|counters| sums.add_all(counters));
        sums.all()
    }
}

/// A session's place in its server's tally; left when this is dropped.
pub struct Counted {
    host: Arc<dyn Host>,
    counters: Arc<Counters>,
    /// What was counted when FLUSH STATUS began anew.
    since: Vec<u64>,
    /// Statements by the number of their `Com_` counter, since then.
    commands: Vec<u64>,
}

impl Counted {
    /// A new session's place.
    pub fn new(host: Arc<dyn Host>) -> Self {
        let counters = Arc::new(Counters::default());
        host.tally().0.lock().here.push(counters.clone());
        Self { host, counters, since: vec![0; COUNTERS.len()], commands: Vec::new() }
    }

    /// Counts.
    #[inline]
    pub fn add(&self, counter: Counter, n: u64) {
        self.counters.add(counter, n);
    }

    /// A count since the session began.
    #[inline]
    pub fn get(&self, counter: Counter) -> u64 {
        self.counters.get(counter)
    }

    /// Counts a statement by the number of its `Com_` counter.
    #[inline]
    pub fn command(&mut self, number: usize) {
        self.host.count_command(number);
        if self.commands.len() <= number {
            self.commands.resize(number + 1, 0);
        }
        self.commands[number] += 1;
    }

    /// How many statements were counted under a number.
    pub fn commands(&self, number: usize) -> u64 {
        self.commands.get(number).copied().unwrap_or(0)
    }

    /// The session's own counts, in the order of [`COUNTERS`].
    pub fn own(&self) -> Vec<u64> {
        self.counters.all().iter().zip(&self.since).map(|(now, then)| now.wrapping_sub(*then)).collect()
    }

    /// FLUSH STATUS: the session counts from nothing again.
    pub fn flush(&mut self) {
        self.since = self.counters.all();
        self.commands.clear();
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut sessions = self.host.tally().0.lock();
        if let Some(at) = sessions.here.iter().position(|one| Arc::ptr_eq(one, &self.counters)) {
            sessions.here.swap_remove(at);
        }
        sessions.gone.add_all(&self.counters);
    }
}

/// The name of the `Com_` counter that a statement counts in.
pub(super) fn command_name(statement: &Statement) -> &'static str {
    match statement {
        Statement::Query(_) => "select",
        Statement::Insert(insert) => match (&insert.source, insert.replace) {
            (ast::InsertSource::Values(_), false) => "insert",
            (ast::InsertSource::Query(_), false) => "insert_select",
            (ast::InsertSource::Values(_), true) => "replace",
            (ast::InsertSource::Query(_), true) => "replace_select",
        },
        Statement::Update(update) if update.tables.len() > 1 => "update_multi",
        Statement::Update(_) => "update",
        Statement::Delete(delete) if !delete.targets.is_empty() => "delete_multi",
        Statement::Delete(_) => "delete",
        Statement::LoadData(_) => "load",
        Statement::Begin(_) => "begin",
        Statement::Commit(_) => "commit",
        Statement::Rollback(_) => "rollback",
        Statement::Savepoint(_) => "savepoint",
        Statement::RollbackTo(_) => "rollback_to_savepoint",
        Statement::ReleaseSavepoint(_) => "release_savepoint",
        Statement::Set(_) => "set_option",
        Statement::Use(_) => "change_db",
        Statement::Do(_) => "do",
        Statement::CreateTable(_) => "create_table",
        Statement::DropTable(_) => "drop_table",
        Statement::AlterTable(_) => "alter_table",
        Statement::CreateIndex(_) => "create_index",
        Statement::DropIndex(_) => "drop_index",
        Statement::CreateDatabase(_) => "create_db",
        Statement::DropDatabase(_) => "drop_db",
        Statement::Truncate(_) => "truncate",
        Statement::RenameTable(_) => "rename_table",
        Statement::LockTables(_) => "lock_tables",
        Statement::UnlockTables => "unlock_tables",
        Statement::User(user) if user.alter => "alter_user",
        Statement::User(_) => "create_user",
        Statement::DropUser(drop) if drop.role => "drop_role",
        Statement::DropUser(_) => "drop_user",
        Statement::RenameUser(_) => "rename_user",
        Statement::CreateRole(_) => "create_role",
        Statement::Grant(grant) => match grant.what {
            ast::GrantWhat::Role { .. } => "grant_role",
            _ => "grant",
        },
        Statement::Revoke(revoke) => match revoke.what {
            ast::GrantWhat::Role { .. } => "revoke_role",
            ast::GrantWhat::AllAndGrantOption => "revoke_all",
            _ => "revoke",
        },
        Statement::Prepare { .. } => "prepare_sql",
        Statement::Execute { .. } => "execute_sql",
        Statement::Deallocate(_) => "dealloc_sql",
        Statement::Flush(_) => "flush",
        Statement::Kill(_) => "kill",
        Statement::Show(_) => "show_fields",
        Statement::Explain(_) => "explain_other",
        Statement::Empty => "empty_query",
        _ => "other",
    }
}
