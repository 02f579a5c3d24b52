//! What is wrong with the values of one row: the first fault is the statement's error, the others stand beside it.

use super::Cx;
use crate::error::SqlError;
use crate::session::Level;

/// The faults of a row under way.
#[derive(Default)]
pub(super) struct Faults(Option<SqlError>);

impl Faults {
    /// Takes what giving a value came to; errors that have nothing to do with the value end the row at once.
    pub(super) fn take(&mut self, given: Result<(), SqlError>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let Err(error) = given else { return Ok(()) };
        let of_value = matches!(error.errno, 1264 | 1265 | 1292 | 1366 | 1406);
        if let Some(first) = &self.0 {
            cx.state.warn(Level::Error, error.errno, error.message);
            return if of_value { Ok(()) } else { Err(first.clone()) };
        }
        if !of_value {
            return Err(error);
        }
        cx.state.warn(Level::Error, error.errno, error.message.clone());
        self.0 = Some(error);
        Ok(())
    }

    /// The row has all its values.
    pub(super) fn end(self) -> Result<(), SqlError> {
        self.0.map_or(Ok(()), Err)
    }
}
