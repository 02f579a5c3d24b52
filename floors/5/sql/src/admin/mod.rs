//! Statements that are not queries: SET, SHOW, data definition and the rest.

pub mod account;
mod control;
mod ddl;
pub mod dialect;
mod set;
mod show;
pub mod show_create;

pub(crate) use show::converted;

pub(crate) use account::columns::{Acts, Guard, guard};
pub(crate) use account::roles::{self, Everywhere};
pub(crate) use account::{Held, definer, require};
pub(crate) use ddl::{
    check_written, column_of, column_of_type, default_text, is_json, maintenance_columns, passes_over,
    told_view_text, view_definition, view_opens, view_text,
};

use crate::error::SqlError;
use crate::output::{Done, Output};
use crate::session::{Ended, Running, Session, State};
use crate::syntax::ast::Statement;

/// Runs one.
pub(crate) fn run(
    session: &mut Session,
    statement: &Statement,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    match statement {
        Statement::CreateDatabase(_)
        | Statement::AlterDatabase(_)
        | Statement::DropDatabase(_)
        | Statement::CreateTable(_)
        | Statement::DropTable(_)
        | Statement::RenameTable(_)
        | Statement::CreateView(_)
        | Statement::DropView(_)
        | Statement::Truncate(_)
        | Statement::AlterTable(_)
        | Statement::CreateIndex(_)
        | Statement::DropIndex(_)
        | Statement::LockTables(_)
        | Statement::UnlockTables
        | Statement::TableMaintenance(_) => ddl::run(session, statement, running, out),
        Statement::Set(items) => set::run(session, items, running, out),
        Statement::SetStatement { items, statement } => {
            set::run_statement(session, items, statement, running, out)
        }
        Statement::User(_)
        | Statement::DropUser(_)
        | Statement::CreateRole(_)
        | Statement::RenameUser(_)
        | Statement::Grant(_)
        | Statement::Revoke(_) => accounts(session, statement, running, out),
        Statement::Show(what) => show::run(session, what, running, out),
        Statement::Describe { table, column } => {
            show::describe(session, table, column.as_deref(), running, out)
        }
        Statement::Flush(flush) => control::flush(session, flush, running, out),
        _ => {
            control(&mut session.state, statement, running)?;
            session.finish(Done::default(), running, out)
        }
    }
}

/// Statements that give no rows and count none.
fn control(state: &mut State, statement: &Statement, running: &Running<'_>) -> Result<(), SqlError> {
    match statement {
        Statement::Kill(kill) => control::kill(state, kill, running),
        Statement::Reset(targets) => control::reset(state, targets),
        Statement::PurgeBinaryLogs(until) => control::purge(state, until, running),
        Statement::Shutdown { .. } => {
            account::require(state, &["SHUTDOWN"])?;
            state.host.shutdown();
            Ok(())
        }
        Statement::DropStored(drop) => {
            state.commit()?;
            let error = show::no_stored(state, drop.kind, &drop.name);
            control::drop_missing(state, drop.if_exists, error)
        }
        _ => Err(SqlError::not_supported_yet(first_words(running.words))),
    }
}

/// What a statement is called by its first words.
fn first_words(words: &[u8]) -> String {
    let words = String::from_utf8_lossy(words).to_ascii_uppercase();
    let mut words = words.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    match (words.next().unwrap_or_default(), words.next()) {
        (verb @ ("ALTER" | "CHANGE" | "CREATE" | "DROP" | "START" | "STOP"), Some(what)) => {
            format!("{verb} {what}")
        }
        (verb, _) => verb.to_owned(),
    }
}

fn accounts(
    session: &mut Session,
    statement: &Statement,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    let state = &mut session.state;
    state.commit()?;
    match statement {
        Statement::User(user) => account::create_or_alter(state, user)?,
        Statement::DropUser(drop) => account::drop(state, drop)?,
        Statement::CreateRole(create) => account::create_role(state, create)?,
        Statement::RenameUser(pairs) => account::rename(state, pairs)?,
        Statement::Grant(grant) => account::grant::grant(state, grant)?,
        Statement::Revoke(revoke) => account::grant::revoke(state, revoke)?,
        _ => return Err(SqlError::not_supported_yet(first_words(running.words)).into()),
    }
    session.finish(Done::default(), running, out)
}
