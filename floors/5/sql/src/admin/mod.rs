//! Statements that are not queries: SET, SHOW, data definition and the rest.

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
    let _ = (session, statement, running, out);
    Err(SqlError::not_supported_yet("this statement").into())
}
