//! What subqueries know of the table that an INSERT fills before it writes its first row: MIN and MAX at the ends of indexes,
//! and whether there is a row that constants look up.

use super::query::{as_text, first_of};
use super::{Cx, Materialized};
use crate::bind::insert::{Given, InsertPlan, InsertRows};
use crate::error::SqlError;
use crate::expr::aggregate::shown_year;
use crate::expr::{Expr, Kind};
use crate::plan::walk::visit_deep;
use crate::plan::{Body, QueryPlan, SelectPlan, Source};
use std::rc::Rc;
use types::Value;

/// What is known of a block: results with their slots; `None` where an index has no row, and so the block has none.
#[derive(Clone)]
pub struct Known(Option<Rc<[(u32, Value)]>>);

impl Known {
    /// What was read for a block.
    pub(super) fn of(plan: &SelectPlan, cx: &Cx<'_>) -> Option<Self> {
        let number = plan.early.as_ref()?.number;
        match cx.materialized.get(number) {
            Some(Some(Materialized::Early(known))) => Some(known.clone()),
            _ => None,
        }
    }

    /// Whether the block may have rows.
    pub(super) fn has_rows(&self) -> bool {
        self.0.is_some()
    }

    /// Puts the results where the block's aggregates are.
    pub(super) fn put(&self, plan: &SelectPlan, cx: &mut Cx<'_>) {
        for (slot, value) in self.0.iter().flat_map(|results| results.iter()) {
            cx.frame_mut(plan.level, plan.width)[*slot as usize] = value.clone();
        }
    }
}

/// Reads all that is known before a statement writes.
pub(super) fn read(plan: &InsertPlan, cx: &mut Cx<'_>) -> Result<(), SqlError> {
    let rows = match &plan.rows {
        InsertRows::Values(rows) => &rows[..],
        InsertRows::Query(_) => &[],
    };
    let updates = plan.on_duplicate.iter().map(|(_, given)| given);
    for given in rows.iter().flatten().chain(updates) {
        if let Given::Expr(e) = given {
            read_below(e, cx)?;
        }
    }
    Ok(())
}

fn read_below(e: &Expr, cx: &mut Cx<'_>) -> Result<(), SqlError> {
    let mut outcome = Ok(());
    let mut read = |select: &SelectPlan| {
        if outcome.is_ok() {
            outcome = read_block(select, cx);
        }
    };
    visit_deep(e, &mut |e| {
        if let Kind::Subquery(subquery) = &e.kind {
            blocks(&subquery.plan, &mut read);
            subquery.plan.visit_every_table(&mut |table| {
                if let Source::Derived { plan, .. } | Source::Distinct { plan, .. } = &table.source {
                    blocks(plan, &mut read);
                }
            });
        }
    });
    outcome
}

/// Calls `f` for the blocks of a query, not for those further inside.
fn blocks(plan: &QueryPlan, f: &mut dyn FnMut(&SelectPlan)) {
    match &plan.body {
        Body::Select(select) => f(select),
        Body::SetOps { first, rest, .. } => {
            blocks(first, f);
            rest.iter().for_each(|(.., plan)| blocks(plan, f));
        }
        Body::Values { .. } | Body::Recursive(_) => {}
    }
}

fn read_block(plan: &SelectPlan, cx: &mut Cx<'_>) -> Result<(), SqlError> {
    let Some(early) = &plan.early else { return Ok(()) };
    // Rows that are found before the query runs count for nothing.
    let counted = cx.state.statement.row;
    let mut results = Some(Vec::with_capacity(early.ends.len()));
    for row in &early.rows {
        if !super::query::has_row(row, plan, cx)? {
            results = None;
        }
    }
    for end in &early.ends {
        let found = first_of(end, plan, cx)?;
        results = results.zip(found).map(|(mut results, value)| {
            results.push((end.result, as_text(shown_year(value), end.result, plan, cx)));
            results
        });
    }
    cx.state.statement.row = counted;
    cx.keep(early.number, Materialized::Early(Known(results.map(Rc::from))));
    Ok(())
}
