//! Savepoints and the marks that statements and savepoints are rolled back to.

use crate::error::{EngineError, Result};
use crate::txn::Txn;
use crate::txn::write_set::WriteMark;
use binlog::GroupMark;

/// A point in the changes of a transaction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    writes: WriteMark,
    log: Option<GroupMark>,
}

/// A named mark.
#[derive(Clone, Debug)]
pub(crate) struct Savepoint {
    name: String,
    mark: Mark,
}

impl Txn {
    /// Sets a savepoint; one of the same name (letters' case does not count) goes.
    pub fn savepoint(&mut self, name: &str) -> Result<()> {
        self.check_active()?;
        self.savepoints.retain(|s| !s.name.eq_ignore_ascii_case(name));
        let mark = self.mark();
        self.savepoints.push(Savepoint { name: name.to_owned(), mark });
        Ok(())
    }

    /// Takes all changes after a savepoint back, and the savepoints set after it. Locks stay.
    pub fn rollback_to(&mut self, name: &str) -> Result<()> {
        let at = self.find_savepoint(name)?;
        self.savepoints.truncate(at + 1);
        let mark = self.savepoints[at].mark;
        self.roll_back_to(mark);
        self.statement = mark;
        Ok(())
    }

    /// Forgets a savepoint and those set after it; changes stay.
    pub fn release(&mut self, name: &str) -> Result<()> {
        let at = self.find_savepoint(name)?;
        self.savepoints.truncate(at);
        Ok(())
    }

    fn find_savepoint(&self, name: &str) -> Result<usize> {
        self.check_active()?;
        let at = self.savepoints.iter().position(|s| s.name.eq_ignore_ascii_case(name));
        at.ok_or_else(|| EngineError::NoSuchSavepoint(name.to_owned()))
    }

    /// The point reached now.
    pub(super) fn mark(&mut self) -> Mark {
        Mark { writes: self.writes.mark(), log: self.log.mark() }
    }

    /// Takes everything after a mark back.
    pub(super) fn roll_back_to(&mut self, mark: Mark) {
        self.writes.roll_back_to(mark.writes);
        self.log.cut(mark.log);
    }
}
