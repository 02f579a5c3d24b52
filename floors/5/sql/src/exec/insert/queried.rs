//! Queries whose rows an INSERT writes.

use crate::error::{ER_QUERY_RESULT_INCOMPLETE, SqlError};
use crate::exec::{Cx, Sink, query};
use crate::expr::Expr;
use crate::expr::build::silently;
use crate::plan::{Body, QueryPlan};
use crate::session::{Level, State};

/// Runs a query whose rows are written: as far as LIMIT ROWS EXAMINED goes, with a warning where that is not to the end.
pub(super) fn read(query: &QueryPlan, cx: &mut Cx<'_>, sink: Sink<'_>) -> Result<(), SqlError> {
    match query::run(query, cx, sink) {
        Err(error) if error.errno == ER_QUERY_RESULT_INCOMPLETE => {
            cx.state.warn_only(Level::Warning, error.errno, error.message);
            Ok(())
        }
        ran => ran.map(drop),
    }
}

/// Whether warnings count the rows of a query as they are read, not as they come: MariaDB writes each row as soon as it
/// has it, unless it sorts or groups them, or reads the table that it writes.
pub(super) fn counts_as_read(query: &QueryPlan, reads_itself: bool) -> bool {
    let Body::Select(select) = &query.body else { return false };
    let sorts = select.distinct || !select.tail.order_by.is_empty();
    let waits = match &select.group {
        // Its one row is in order.
        Some(group) if group.keys.is_empty() => reads_itself,
        grouped => grouped.is_some() || sorts || reads_itself,
    };
    select.from.is_some() && select.windows.is_none() && !waits
}

/// Whether constants behind an item are what is wrong with a row, and none up to it.
pub(super) fn fails_behind(query: &QueryPlan, at: usize, cx: &mut Cx<'_>) -> bool {
    let Body::Select(select) = &query.body else { return false };
    let params = cx.params;
    let mut fails = |e: &Expr| {
        let told = |state: &mut State| e.eval(&mut Cx::new(state, params));
        e.is_same_in_all_rows() && !silently(cx.state, told).1
    };
    let (before, behind) = select.items.split_at((at + 1).min(select.items.len()));
    !before.iter().any(&mut fails) && behind.iter().any(fails)
}
