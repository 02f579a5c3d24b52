//! Commits whose force waits for the commands behind them.
//!
//! Where a client has sent more commands already, or more statements in one text, it waits for no single answer: what one of
//! them commits may be forced together with what the next ones commit, as long as no answer goes out before
//! ([`engine::Txn::commit_owing`]).
//! That goes on from change to change. Whatever gives rows, or does something that others can tell by other means than
//! rows, finds everything paid.

use super::plans::Plan;
use super::{Session, State};
use crate::error::SqlError;
use crate::syntax::ast::Statement;
use std::time::{Duration, Instant};

/// How long commits may wait for the statements behind them: others see them, and DDL gets their tables, no later.
const OWING_MAX: Duration = Duration::from_millis(5);

/// Which commits of a command may be owed: their answers are kept back until [`Session::pay`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MayOwe {
    /// None: each answer may be sent at once.
    #[default]
    Nothing,
    /// Those of statements that others follow in the same text.
    Within,
    /// All.
    All,
}

/// What a session may owe.
#[derive(Debug, Default)]
pub(super) struct Owing {
    /// Commits of the command under way.
    may: MayOwe,
    /// That of its statement under way.
    pub now: bool,
    /// When it began to; nothing before the first time.
    since: Option<Instant>,
}

impl Session {
    /// Which commits of the next command may be owed.
    pub fn let_commits_owe(&mut self, may_owe: MayOwe) {
        self.state.owing.may = may_owe;
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

    /// A statement begins, which `only_changes` rows or does not, `more` of whose text follows.
    pub(super) fn begin_owing(&mut self, only_changes: bool, more: bool) -> Result<(), SqlError> {
        self.owing.now = only_changes
            && match self.owing.may {
                MayOwe::Nothing => false,
                MayOwe::Within => more,
                MayOwe::All => true,
            };
        let too_long = || self.owing.since.is_none_or(|since| since.elapsed() >= OWING_MAX);
        if self.place.owes() && (!only_changes || too_long()) {
            self.pay()?;
        }
        if self.owing.now && !self.place.owes() {
            // A turn of the event loop may be longer than it may owe.
            self.owing.since = Some(Instant::now());
        }
        Ok(())
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
