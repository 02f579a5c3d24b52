//! Statements that are not queries: SET, SHOW, data definition and the rest.

mod account;
mod ddl;
mod set;
pub mod show_create;

use crate::error::SqlError;
use crate::output::{Done, Output};
use crate::session::{Ended, Running, Session};
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
        | Statement::RenameUser(_)
        | Statement::Grant(_)
        | Statement::Revoke(_) => accounts(session, statement, running, out),
        _ => Err(SqlError::not_supported_yet("this statement").into()),
    }
}

fn accounts(
    session: &mut Session,
    statement: &Statement,
    running: &Running<'_>,
    out: &mut dyn Output,
) -> Result<(), Ended> {
    let state = &mut session.state;
    match statement {
        Statement::User(user) => account::create_or_alter(state, user)?,
        Statement::DropUser(drop) => account::drop(state, drop)?,
        Statement::RenameUser(pairs) => account::rename(state, pairs)?,
        Statement::Grant(grant) => account::grant::grant(state, grant)?,
        Statement::Revoke(revoke) => account::grant::revoke(state, revoke)?,
        _ => return Err(SqlError::not_supported_yet("this statement").into()),
    }
    session.finish(Done::default(), running, out)
}
