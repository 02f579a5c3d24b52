//! What is wrong with the values of one row: the first fault is the statement's error, the others stand beside it.

use super::Cx;
use crate::error::SqlError;
use crate::session::Level;

/// How far a statement goes on giving a row its values behind the first fault.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Not at all: its values are for all columns, in their order.
    Stops,
    /// Up to what a column has no value for, of which MariaDB says that it does not know what it is.
    Listed,
    /// To the end.
    All,
}

/// The faults of a row under way.
pub(crate) struct Faults {
    manner: Manner,
    first: Option<SqlError>,
}

impl Faults {
    /// None yet.
    pub(crate) fn new(manner: Manner) -> Faults {
        Faults { manner, first: None }
    }

    /// Takes what giving a value came to; errors that have nothing to do with the value end the row at once.
    pub(crate) fn take(&mut self, given: Result<(), SqlError>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        // What its expression came upon was before what the column makes of it.
        let evaluated = cx.state.statement.fault.take().map(|fault| *fault);
        let Some(evaluated) = evaluated else { return self.take_one(given, cx) };
        let before = cx.state.statement.fault_at;
        if let Err(error) = &given
            && error.errno == 1690
        {
            let evaluated = cx.state.told_ahead(evaluated, error);
            return Err(self.first.take().unwrap_or(evaluated));
        }
        self.take_one(Err(evaluated), cx)?;
        // It was told first.
        if let Some(told) = cx.state.diagnostics.entries.get_mut(before..) {
            told.rotate_right(usize::from(!told.is_empty()));
        }
        match given {
            Err(error) if error.errno == 1048 => self.take_one(Err(error), cx),
            _ => Ok(()),
        }
    }

    fn take_one(&mut self, given: Result<(), SqlError>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let Err(error) = given else { return Ok(()) };
        // No value at all for the column: a NULL, or what is no geometry.
        let none = matches!(error.errno, 1048 | 1416);
        let of_value = none
            || matches!(
                error.errno,
                1261 | 1263 | 1264 | 1265 | 1292 | 1364 | 1365 | 1366 | 1406 | 1411 | 1441 | 1916
            );
        if self.first.is_none() && (!of_value || self.manner == Manner::Stops) {
            return Err(error);
        }
        cx.state.warn(Level::Error, error.errno, error.message.clone());
        let first = self.first.get_or_insert(error);
        if none && self.manner == Manner::Listed {
            cx.state.warn(Level::Error, 1105, "Unknown error");
            return Err(first.clone());
        }
        if of_value { Ok(()) } else { Err(first.clone()) }
    }

    /// Nothing more is given to a row with a fault.
    pub(super) fn end_so_far(&self) -> Result<(), SqlError> {
        self.first.clone().map_or(Ok(()), Err)
    }

    /// The row has all its values.
    pub(crate) fn end(self) -> Result<(), SqlError> {
        self.first.map_or(Ok(()), Err)
    }
}
