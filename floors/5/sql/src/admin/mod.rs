//! Statements that are not queries: SET, SHOW, data definition and the rest.

mod ddl;
pub mod show_create;

use crate::error::SqlError;
use crate::output::Output;
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
        _ => Err(SqlError::not_supported_yet("this statement").into()),
    }
}
