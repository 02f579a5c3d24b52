//! Statements that tell the server what to do: KILL, FLUSH, RESET, PURGE, SHUTDOWN.

use super::account::require;
use super::ddl;
use super::set::{bound, evaluate};
use crate::bind::Clause;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::operand::integer;
use crate::host::KillTarget;
use crate::output::{Done, Output};
use crate::session::{Ended, Level, Running, Session, State};
use crate::syntax::ast::{self, FlushTarget, PurgeUntil, ResetTarget, Statement};
use binlog::LogPos;
use types::Value;
use types::convert::to_datetime;

/// KILL: one's own connections, or with the privilege those of others.
pub(crate) fn kill(state: &mut State, kill: &ast::Kill, running: &Running<'_>) -> Result<(), SqlError> {
    let target = if kill.query { KillTarget::Query } else { KillTarget::Connection };
    let processes = state.host.processes();
    match &kill.target {
        ast::KillTarget::Id(id) => {
            let id = killed_number(state, id, running)?;
            let process = processes.iter().find(|process| process.id == id);
            if process.is_some_and(|process| process.user != state.user)
                && require(state, &["SUPER", "CONNECTION ADMIN"]).is_err()
            {
                return Err(SqlError::kill_denied(id));
            }
            state.host.kill(id, target)
        }
        ast::KillTarget::User(account) => {
            let (user, _) = super::account::named(state, account)?;
            if user != state.user {
                require(state, &["SUPER", "CONNECTION ADMIN"])?;
            }
            for process in processes.iter().filter(|process| process.user == user) {
                state.host.kill(process.id, target)?;
            }
            Ok(())
        }
        // Statements have no numbers here: none has this one.
        ast::KillTarget::QueryId(id) => {
            let id = killed_number(state, id, running)?;
            Err(SqlError::no_such_query(id))
        }
    }
}

/// The number that KILL names; a negative one is that far from the end of all numbers.
fn killed_number(state: &mut State, id: &ast::Expr, running: &Running<'_>) -> Result<u64, SqlError> {
    let id = bound(state, id, Clause::Kill, running)?;
    Ok(integer(&mut Cx::new(state, running.params), &id)?.unwrap_or(0) as u64)
}

/// FLUSH.
pub(crate) fn flush(
    session: &mut Session,
    flush: &ast::Flush,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    let state = &mut session.state;
    state.commit()?;
    require(state, &["RELOAD"])?;
    if let [FlushTarget::Tables { tables, read_lock: true, for_export: false }] = flush.targets.as_slice()
        && !tables.is_empty()
    {
        let lock = |name: &ast::TableName| ast::LockTable {
            name: name.clone(),
            alias: None,
            write: false,
            local: false,
        };
        let wait = ast::LockWait::Default;
        let lock = ast::LockTables { tables: tables.iter().map(lock).collect(), wait };
        return ddl::run(session, &Statement::LockTables(lock), running, out);
    }
    for target in &flush.targets {
        match target {
            FlushTarget::Tables { for_export: true, .. } => {
                return Err(SqlError::not_supported_yet("FLUSH TABLES ... FOR EXPORT").into());
            }
            FlushTarget::Tables { read_lock: true, .. } => state.lock_everything()?,
            // Tables have no files of their own to close.
            FlushTarget::Tables { .. } => {}
            FlushTarget::Logs(which) => {
                if matches!(which.as_str(), "" | "BINARY") {
                    state.engine.log().rotate().map_err(log_error)?;
                }
            }
            FlushTarget::Other(what) => match what.as_str() {
                "PRIVILEGES" => state.host.accounts_changed(),
                "STATUS" => state.counted.flush(),
                _ => {}
            },
        }
    }
    session.finish(Done::default(), running, out)
}

fn log_error(error: binlog::LogError) -> SqlError {
    SqlError::unknown_error(error)
}

/// RESET.
pub(crate) fn reset(state: &mut State, targets: &[ResetTarget]) -> Result<(), SqlError> {
    state.commit()?;
    require(state, &["RELOAD"])?;
    for target in targets {
        match target {
            // There is none to reset.
            ResetTarget::QueryCache => {}
            // The log is the storage's own: emptying it would lose what checkpoints have not yet.
            ResetTarget::Master => return Err(SqlError::not_supported_yet("RESET MASTER")),
            ResetTarget::Slave { .. } => return Err(SqlError::not_supported_yet("RESET SLAVE")),
        }
    }
    Ok(())
}

/// PURGE BINARY LOGS: whole segments, and none that recovery would read.
pub(crate) fn purge(state: &mut State, until: &PurgeUntil, running: &Running<'_>) -> Result<(), SqlError> {
    require(state, &["SUPER", "BINLOG ADMIN"])?;
    let wanted = match until {
        PurgeUntil::Log(name) => {
            let segments = state.engine.log().segments();
            let found = segments.iter().find(|segment| segment.name == *name);
            LogPos::new(found.ok_or_else(SqlError::unknown_target_binlog)?.number, 0)
        }
        PurgeUntil::Before(expr) => {
            let value = evaluate(state, expr, running)?;
            older_than(state, &value)?
        }
    };
    let mut limit = state.engine.log_needed_from();
    if wanted > limit {
        // A checkpoint moves what recovery needs forward.
        state.commit()?;
        state.engine.checkpoint()?;
        limit = state.engine.log_needed_from();
    }
    state.engine.log().purge_before(wanted.min(limit)).map_err(log_error)?;
    Ok(())
}

/// The first segment that has events of a time or later: what lies before it is older.
fn older_than(state: &State, value: &Value) -> Result<LogPos, SqlError> {
    let context = state.convert_context();
    let at =
        to_datetime(value, &context).value.ok_or_else(|| SqlError::wrong_arguments("PURGE LOGS BEFORE"))?;
    let at = state.vars.time_zone.to_unix(at).map_or(0, |(secs, _)| secs);
    let log = state.engine.log();
    let mut keep = LogPos::new(0, 0);
    for segment in log.segments() {
        let mut reader = log.reader(LogPos::new(segment.number, 0));
        let begun = reader.next_event().map_err(log_error)?.map_or(i64::MAX, |e| e.header.timestamp.into());
        // A segment's events end where the next one's begin.
        if begun > at && keep.file != 0 {
            break;
        }
        keep = LogPos::new(segment.number, 0);
    }
    Ok(keep)
}

/// DROP PROCEDURE, TRIGGER and their kin: there are none, so IF EXISTS gives a note and its absence an error.
pub(crate) fn drop_missing(state: &mut State, if_exists: bool, error: SqlError) -> Result<(), SqlError> {
    if !if_exists {
        return Err(error);
    }
    state.commit()?;
    state.warn(Level::Note, error.errno, error.message);
    Ok(())
}
