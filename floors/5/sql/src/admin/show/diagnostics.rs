//! WARNINGS, ERRORS and their counts.

use super::Listing;
use crate::admin::set::evaluate;
use crate::catalog::text;
use crate::error::{SqlError, message_in};
use crate::expr::build::count_of;
use crate::session::{Level, Running, State};
use crate::syntax::ast;
use types::Value;

/// Rows skipped and rows wanted, as LIMIT says.
pub fn range(
    state: &mut State,
    limit: Option<&ast::Limit>,
    running: &Running<'_>,
) -> Result<(usize, usize), SqlError> {
    let mut count = |expr: Option<&ast::Expr>, default: usize| match expr {
        Some(expr) => {
            let value = evaluate(state, expr, running)?;
            Ok::<_, SqlError>(usize::try_from(count_of(&value)?).unwrap_or(usize::MAX))
        }
        None => Ok(default),
    };
    match limit {
        None => Ok((0, usize::MAX)),
        Some(limit) => Ok((count(limit.offset.as_ref(), 0)?, count(limit.count.as_ref(), usize::MAX)?)),
    }
}

/// SHOW WARNINGS and SHOW ERRORS.
pub fn warnings(
    state: &mut State,
    limit: Option<&ast::Limit>,
    errors: bool,
    running: &Running<'_>,
) -> Result<Listing, SqlError> {
    let (skip, take) = range(state, limit, running)?;
    let charset = state.wire_options().charset;
    let mut listing = Listing::new("Level:s7 Code:i4u Message:s512");
    let entries = state.diagnostics.shown().iter().filter(|entry| !errors || entry.level == Level::Error);
    for entry in entries.skip(skip).take(take) {
        let level = match entry.level {
            Level::Note => "Note",
            Level::Warning => "Warning",
            Level::Error => "Error",
        };
        let message = text(message_in(&entry.message, charset));
        listing.rows.push(vec![text(level), Value::UInt(entry.errno.into()), message]);
    }
    Ok(listing)
}

/// SHOW COUNT(*) WARNINGS and ERRORS, which are queries of one row.
pub fn count(state: &mut State, errors: bool) -> Listing {
    let entries = state.diagnostics.shown();
    let (name, count) = match errors {
        true => ("@@session.error_count", entries.iter().filter(|e| e.level == Level::Error).count() as u64),
        false => ("@@session.warning_count", state.diagnostics.shown_count()),
    };
    state.found_rows = 1;
    let mut listing = Listing::new("Count:b21u?").rename(0, name);
    listing.rows.push(vec![Value::UInt(count)]);
    listing
}
