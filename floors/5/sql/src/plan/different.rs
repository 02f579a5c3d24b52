//! Blocks whose result does not tell how often a row comes: DISTINCT, and groups of which nothing is asked but their keys,
//! MIN, MAX and what DISTINCT aggregates make of different values.
//!
//! Of tables of which such a block reads nothing it is enough to know that there is a row: each row of the others is joined
//! with the first one that is found, and no outer join is needed at all.

use super::joins::locks_rows;
use super::order::hides_order;
use super::walk::visit_deep;
use super::{AggregateCall, Join, SelectPlan, hash};
use crate::expr::Kind;
use crate::syntax::ast::AggregateKind;
use std::collections::BTreeSet;

/// Whether a block's result stays as it is if rows of its joins come more often, or less often.
pub fn is_told_by_different_rows(plan: &SelectPlan) -> bool {
    if plan.windows.is_some() || plan.row_number.is_some() || plan.lock.is_some() {
        return false;
    }
    match &plan.group {
        Some(group) => {
            let several = !group.keys.is_empty() || !group.aggregates.is_empty();
            several && group.variables.is_empty() && group.aggregates.iter().all(is_told_by_different_values)
        }
        None => plan.distinct,
    }
}

fn is_told_by_different_values(call: &AggregateCall) -> bool {
    // What is computed may tell of each row that it cannot be.
    let plain = call.args.iter().all(|e| matches!(e.kind, Kind::Column(_)));
    plain
        && match call.kind {
            AggregateKind::Min | AggregateKind::Max | AggregateKind::BitAnd | AggregateKind::BitOr => true,
            AggregateKind::Count => call.distinct,
            _ => false,
        }
}

/// Has the last tables of a block's join, as far as nothing is read of them, looked at no further than to the first row that
/// belongs to each row of those before.
pub fn find_first_rows(plan: &mut SelectPlan) {
    if !is_told_by_different_rows(plan) {
        return;
    }
    let unseen = hides_order(plan);
    let mut read = BTreeSet::new();
    let mut settled = true;
    plan.visit_result(&mut |e| {
        visit_deep(e, &mut |e| match &e.kind {
            Kind::Column(slot) if slot.level == plan.level => {
                read.insert(slot.index);
            }
            Kind::AssignUserVar(..) => settled = false,
            _ => {}
        });
    });
    let Some(Join::Inner(steps)) = &mut plan.from else { return };
    let spared = |join: &Join| !locks_rows(join) && join.has_none_of(&read);
    let kept_around = |join: &Join| matches!(join, Join::Hash(hash) if hash.around.is_some());
    let from = steps.iter().rposition(|(join, _)| !spared(join)).map_or(1, |last| last + 1);
    // The order in which rows come from a buffer of those around has come to be seen.
    if !unseen && steps.iter().any(|(join, _)| kept_around(join)) {
        return;
    }
    if settled && from < steps.len() && steps[from..].iter_mut().all(|(join, _)| hash::go_one_by_one(join)) {
        plan.first_of = Some(from);
    }
}
