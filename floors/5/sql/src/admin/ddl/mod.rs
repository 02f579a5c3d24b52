//! Data definition: databases, tables, indexes.
//!
//! Every statement commits what came before it, takes the names it changes exclusively, hands the engine a whole new
//! definition, and commits again. The statement's own words go to the log with the session's settings
//! ([`facts`]), so that replicas can run them.
//!
//! | module | what |
//! | --- | --- |
//! | [`names`] | identifiers: lengths, databases, lookups |
//! | [`facts`] | what the log's QUERY event says of the session |
//! | [`charset`] | character sets and collations as written |
//! | [`database`] | CREATE, ALTER, DROP DATABASE |

mod charset;
mod database;
mod facts;
mod names;

use crate::error::SqlError;
use crate::output::{Done, Output};
use crate::session::{Ended, Running, Session, State};
use crate::syntax::ast::Statement;
use engine::Ddl;

/// Runs one statement of this module's.
pub(crate) fn run(
    session: &mut Session,
    statement: &Statement,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    let state = &mut session.state;
    before(state)?;
    let words = String::from_utf8_lossy(running.words).into_owned();
    let done = match statement {
        Statement::CreateDatabase(create) => database::create(state, create, &words)?,
        Statement::AlterDatabase(alter) => database::alter(state, alter, &words)?,
        Statement::DropDatabase(drop) => database::drop(state, drop, &words)?,
        _ => return Err(SqlError::not_supported_yet("this statement").into()),
    };
    session.state.commit()?;
    session.state.row_count = done.affected_rows as i64;
    session.finish(done, running, out)
}

/// The implicit commit before data definition; error 1792 where the session only reads.
fn before(state: &mut State) -> Result<(), SqlError> {
    if state.txn.is_some() && state.explicit && state.txn()?.options().read_only {
        return Err(SqlError::read_only_transaction());
    }
    state.commit()
}

/// Changes the catalog and logs `sql` for replicas.
fn change(state: &mut State, ddl: Ddl<'_>, sql: &str) -> Result<(), SqlError> {
    raw_change(state, ddl, sql).map_err(SqlError::from)
}

/// As [`change`], with the engine's own error.
fn raw_change(state: &mut State, ddl: Ddl<'_>, sql: &str) -> Result<(), engine::EngineError> {
    let facts = facts::Facts::of(state);
    let query = facts.query(sql);
    let mut txn = match state.txn.take() {
        Some(txn) => txn,
        None => state.begin_for_ddl(),
    };
    let changed = txn.ddl(ddl, Some(query));
    state.txn = Some(txn);
    changed.map(|_| ())
}

/// A statement that changed `rows` rows and says no more.
fn done(rows: u64) -> Done {
    Done { affected_rows: rows, ..Done::default() }
}
