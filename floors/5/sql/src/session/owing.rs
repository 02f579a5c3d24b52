//! Commits whose force waits for the commands behind them.
//!
//! Where a client has sent more commands already, it waits for no single answer: what such a command commits may be
//! forced together with what the next ones commit, as long as no answer goes out before ([`engine::Txn::commit_owing`]).
//! That goes on from change to change. Whatever gives rows, or does something that others can tell by other means than
//! rows, finds everything paid.

use super::plans::Plan;
use super::{Session, State};
use crate::error::SqlError;
use crate::syntax::ast::Statement;

impl Session {
    /// Whether the next command's commits may be owed: its answer is kept back until [`Session::pay`].
    pub fn let_commits_owe(&mut self, may: bool) {
        self.state.may_owe = may;
    }

    /// Whether there are commits that nobody may be told of.
    pub fn owes(&self) -> bool {
        self.state.place.owes()
    }

    /// Waits until what was committed is durable. After an error only a restart tells what was.
    pub fn pay(&mut self) -> Result<(), SqlError> {
        self.state.place.pay().map_err(SqlError::from)
    }
}

impl State {
    /// Waits until what was committed is durable.
    #[inline]
    pub(crate) fn pay(&mut self) -> Result<(), SqlError> {
        if self.place.owes() { self.place.pay().map_err(SqlError::from) } else { Ok(()) }
    }

    /// A statement begins, which `only_changes` rows or does not.
    pub(super) fn begin_owing(&mut self, only_changes: bool) -> Result<(), SqlError> {
        self.owing = self.may_owe && only_changes;
        if only_changes { Ok(()) } else { self.pay() }
    }
}

impl Plan {
    /// Whether it changes rows and gives none.
    pub(super) fn only_changes(&self) -> bool {
        match self {
            Plan::Insert(insert) => insert.returning.is_none(),
            Plan::Update(change) | Plan::Delete(change) => change.returning.is_none(),
            Plan::Query(_) | Plan::Do(_) => false,
        }
    }
}

/// Whether a statement changes rows and gives none, or begins or ends a transaction.
pub(super) fn only_changes(statement: &Statement) -> bool {
    match statement {
        Statement::Insert(insert) => insert.returning.is_none(),
        Statement::Delete(delete) => delete.returning.is_none(),
        Statement::Update(_) | Statement::Begin(_) | Statement::Commit(_) => true,
        _ => false,
    }
}
