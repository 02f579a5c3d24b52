//! Transactions: begin, commit, rollback, autocommit.

use super::State;
use super::counters::Counter;
use crate::error::SqlError;
use engine::{Isolation, Mdl, Table, Txn, TxnOptions};
use std::sync::Arc;
use std::time::Duration;

/// What the next transaction is to be, by SET TRANSACTION without a scope.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NextTransaction {
    /// Isolation level.
    pub isolation: Option<Isolation>,
    /// Read only.
    pub read_only: Option<bool>,
}

impl State {
    /// The transaction of the statement under way, begun now if there is none.
    #[inline]
    pub fn txn(&mut self) -> Result<&mut Txn, SqlError> {
        if self.txn.is_none() {
            self.txn = Some(self.begin_now(None));
        }
        self.txn.as_mut().ok_or_else(|| SqlError::internal_error("begin transaction"))
    }

    /// Whether what the statement reads is kept as it is to the end of the transaction.
    pub fn locks_reads(&self) -> bool {
        self.txn.as_ref().is_some_and(Txn::locks_reads)
    }

    fn begin_now(&mut self, read_only: Option<bool>) -> Txn {
        let next = std::mem::take(&mut self.next_transaction);
        let options = TxnOptions {
            isolation: next.isolation.unwrap_or(self.vars.isolation),
            read_only: read_only.or(next.read_only).unwrap_or(self.vars.read_only),
            snapshot_isolation: self.vars.snapshot_isolation,
            lock_wait: Duration::from_secs(self.vars.lock_wait_timeout),
            metadata_wait: Duration::from_secs(self.vars.metadata_wait_timeout),
            log: self.vars.sql_log_bin,
            fk_checks: self.vars.foreign_key_checks,
            unique_checks: self.vars.unique_checks,
            autocommit: self.vars.autocommit && !self.explicit,
            session: self.connection_id,
        };
        let mut txn = self.place.begin(options);
        txn.begin_statement();
        txn
    }

    /// Tells the open transaction what SET changed of waits, checks and logging.
    pub(crate) fn carry_into_transaction(&mut self) {
        let vars = &self.vars;
        if let Some(txn) = &mut self.txn {
            txn.set_options(|options| {
                options.lock_wait = Duration::from_secs(vars.lock_wait_timeout);
                options.metadata_wait = Duration::from_secs(vars.metadata_wait_timeout);
                options.fk_checks = vars.foreign_key_checks;
                options.unique_checks = vars.unique_checks;
                options.snapshot_isolation = vars.snapshot_isolation;
                options.log = vars.sql_log_bin;
            });
        }
    }

    /// A transaction for data definition, which keeps it as the statement's.
    pub(crate) fn begin_for_ddl(&mut self) -> Txn {
        self.begin_now(Some(false))
    }

    /// Locks a table's definition for the transaction's time and gives its present version.
    pub fn lock_table(&mut self, database: &str, table: &str, mdl: Mdl) -> Result<Arc<Table>, SqlError> {
        if let Some(own) = self.temporary(database, table) {
            return Ok(own.clone());
        }
        self.lock_stored_table(database, table, mdl)
    }

    /// As [`State::lock_table`], for tables of all sessions.
    pub(crate) fn lock_stored_table(
        &mut self,
        database: &str,
        table: &str,
        mdl: Mdl,
    ) -> Result<Arc<Table>, SqlError> {
        self.check_locked(database, table, mdl >= Mdl::Write)?;
        let locked = self.txn()?.lock_table(database, table, mdl);
        locked.map_err(SqlError::from)
    }

    /// Error 1792 where the transaction only reads, though there may be nothing to change.
    pub(crate) fn check_reads_only(&self) -> Result<(), SqlError> {
        let begins = || self.next_transaction.read_only.unwrap_or(self.vars.read_only);
        match self.txn.as_ref().map_or_else(begins, |txn| txn.options().read_only) {
            true => Err(SqlError::read_only_transaction()),
            false => Ok(()),
        }
    }

    /// Error 1290 where `read_only` keeps the session's account from changing anything.
    pub(crate) fn check_read_only(&mut self) -> Result<(), SqlError> {
        if self.restriction() == 0 {
            return Ok(());
        }
        match super::variables::global_switch(self, "read_only")?
            && crate::admin::require(self, &["READ_ONLY ADMIN"]).is_err()
        {
            true => Err(SqlError::option_prevents_statement("--read-only")),
            false => Ok(()),
        }
    }

    /// FLUSH TABLES WITH READ LOCK: nobody changes any table until UNLOCK TABLES.
    pub(crate) fn lock_everything(&mut self) -> Result<(), SqlError> {
        let catalog = self.engine.catalog();
        let mut tables = Vec::new();
        for database in catalog.databases() {
            let names = database.tables.keys();
            tables.extend(names.map(|name| (database.name.clone(), name.to_string(), Mdl::NoWrite)));
        }
        self.lock_tables(tables)?;
        self.global_read_lock = true;
        Ok(())
    }

    /// Under LOCK TABLES, error 1100 for a table that is not locked, 1099 for a change of one locked for reading.
    pub fn check_locked(&self, database: &str, table: &str, change: bool) -> Result<(), SqlError> {
        if self.global_read_lock {
            let text = "Can't execute the query because you have a conflicting read lock";
            return if change { Err(SqlError::new(1223, b"HY000", text)) } else { Ok(()) };
        }
        if self.locked_tables.is_empty() {
            return Ok(());
        }
        let found = self.locked_tables.iter().find(|(d, t, _)| d == database && t == table);
        match found {
            None => Err(SqlError::table_not_locked(table)),
            Some((_, _, mode)) if change && *mode != Mdl::Exclusive => {
                Err(SqlError::table_not_locked_for_write(table))
            }
            Some(_) => Ok(()),
        }
    }

    /// Rows expected in a range of an index.
    pub fn estimate(&mut self, table: &Table, index: usize, range: &engine::KeyRange) -> u64 {
        match self.txn() {
            Ok(txn) => txn.estimate(table, index, range).unwrap_or(u64::MAX),
            Err(_) => u64::MAX,
        }
    }

    /// Whether a transaction of several statements is open.
    pub fn in_transaction(&self) -> bool {
        self.txn.is_some() && (self.explicit || !self.vars.autocommit)
    }

    /// START TRANSACTION: commits what is open and begins.
    pub fn start_transaction(
        &mut self,
        read_only: Option<bool>,
        consistent_snapshot: bool,
    ) -> Result<(), SqlError> {
        self.commit()?;
        if self.global_read_lock {
            // It stays: whoever wants one state of all tables looks at the log's place before letting it go.
            self.explicit = true;
            if consistent_snapshot {
                self.txn()?.snapshot_now()?;
            }
            return Ok(());
        }
        self.unlock_tables();
        self.explicit = true;
        let mut txn = self.begin_now(read_only);
        if consistent_snapshot {
            txn.snapshot_now()?;
        }
        self.txn = Some(txn);
        Ok(())
    }

    /// Commits what is open, if anything.
    pub fn commit(&mut self) -> Result<(), SqlError> {
        self.explicit = false;
        if self.txn.is_some() {
            self.counted.add(Counter::HandlerCommit, 1);
        }
        let owing = self.owing.now && self.locked_tables.is_empty();
        self.relock_after(|txn| {
            let committed = if owing { txn.commit_owing() } else { txn.commit() };
            committed.map(|_| ()).map_err(SqlError::from)
        })
    }

    /// Rolls back what is open, if anything.
    pub fn rollback(&mut self) -> Result<(), SqlError> {
        self.explicit = false;
        if self.txn.is_some() {
            self.counted.add(Counter::HandlerRollback, 1);
        }
        self.relock_after(|txn| {
            txn.rollback();
            Ok(())
        })
    }

    /// Ends the transaction; tables of LOCK TABLES stay locked across it. One that ALTER TABLE renamed is locked no more
    /// under any name, though the session goes on under LOCK TABLES.
    fn relock_after(&mut self, end: impl FnOnce(Txn) -> Result<(), SqlError>) -> Result<(), SqlError> {
        let Some(txn) = self.txn.take() else { return Ok(()) };
        end(txn)?;
        if !self.locked_tables.is_empty() {
            let tables = self.locked_tables.clone();
            for (database, table, mdl) in &tables {
                let catalog = self.engine.catalog();
                if catalog.is_taken(database, table) {
                    self.lock_listed(database, table, *mdl)?;
                }
            }
        }
        Ok(())
    }

    /// Forgets the open transaction without a word: the session ends or is reset.
    pub fn abandon_transaction(&mut self) {
        self.explicit = false;
        self.locked_tables.clear();
        self.global_read_lock = false;
        if let Some(txn) = self.txn.take() {
            txn.rollback();
        }
    }

    /// LOCK TABLES.
    pub fn lock_tables(&mut self, tables: Vec<(String, String, Mdl)>) -> Result<(), SqlError> {
        self.commit()?;
        self.unlock_tables();
        for (database, table, mdl) in &tables {
            if let Err(error) = self.lock_listed(database, table, *mdl) {
                self.abandon_transaction();
                return Err(error);
            }
        }
        self.locked_tables = tables;
        Ok(())
    }

    /// Locks what LOCK TABLES names; of a view it is the name alone, its tables are in the list too.
    fn lock_listed(&mut self, database: &str, table: &str, mdl: Mdl) -> Result<(), SqlError> {
        if crate::catalog::mysql::has(database, table) {
            // Its rows are made when they are read.
            return Ok(());
        }
        match self.engine.catalog().view(database, table).cloned() {
            Some(view) => self.txn()?.hold_view(&view).map(|_| ()).map_err(SqlError::from),
            None => self.txn()?.lock_table(database, table, mdl).map(|_| ()).map_err(SqlError::from),
        }
    }

    /// UNLOCK TABLES.
    pub fn unlock_tables(&mut self) {
        if std::mem::take(&mut self.global_read_lock) && self.explicit {
            // The transaction begun meanwhile goes on.
            self.locked_tables.clear();
            if let Some(txn) = &mut self.txn {
                txn.unlock_tables();
            }
            return;
        }
        if !self.locked_tables.is_empty() {
            self.locked_tables.clear();
            if let Some(txn) = self.txn.take() {
                txn.rollback();
            }
        }
    }

    /// Ends a statement: its changes stay or go; under autocommit the transaction ends with it.
    pub fn end_statement(&mut self, ok: bool) -> Result<(), SqlError> {
        let Some(txn) = &mut self.txn else { return Ok(()) };
        txn.end_statement(ok);
        if !txn.is_active() {
            self.txn = None;
            self.explicit = false;
            return Ok(());
        }
        if (self.explicit || !self.vars.autocommit) && !self.statement.commits {
            return Ok(());
        }
        if !self.locked_tables.is_empty() && !txn.has_changes() {
            return Ok(());
        }
        if ok { self.commit() } else { self.rollback() }
    }

    /// Server status bits for OK packets.
    pub fn status_bits(&self) -> u16 {
        const IN_TRANSACTION: u16 = 1;
        const AUTOCOMMIT: u16 = 2;
        const NO_BACKSLASH_ESCAPES: u16 = 1 << 9;
        let mut bits = 0;
        let mut set = |on: bool, bit: u16| bits |= if on { bit } else { 0 };
        set(self.explicit || (!self.vars.autocommit && self.txn.is_some()), IN_TRANSACTION);
        set(self.vars.autocommit, AUTOCOMMIT);
        set(self.vars.has_mode(super::mode::NO_BACKSLASH_ESCAPES), NO_BACKSLASH_ESCAPES);
        bits
    }
}
