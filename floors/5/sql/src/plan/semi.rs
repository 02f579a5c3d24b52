//! `IN (query)` as a join with the query's different rows.
//!
//! A query that reads nothing around it and stands as a condition of its own may be joined: then the rows found can
//! drive the join, where a check could only be made row by row.

use super::access::cost;
use super::equal;
use super::estimate;
use super::exists::is_plain;
use super::hash::is_exact;
use super::order::slots_of;
use super::probe;
use super::pullout::pull_out;
use super::walk::slots_read;
use super::{Body, Join, MAX_TABLES, Source, SubqueryForm, TableAccess};
use crate::bind::{Binder, Scope};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot, build};
use std::collections::BTreeSet;
use std::sync::Arc;
use types::Value;

/// Takes the conditions that can be joins out of `conditions` and adds them to `join`.
pub fn joins_of(
    join: &mut Join,
    conditions: &mut Vec<Expr>,
    scope: &Scope<'_>,
    binder: &mut Binder<'_>,
) -> Result<(), SqlError> {
    for condition in conditions.iter_mut() {
        match impossible(condition, binder) {
            Some(true) => *condition = build::constant(Value::Int(0)),
            None if binder.lift_params => {
                return Err(SqlError::internal_error(
                    "keep a plan whose constants may rule out a subquery's rows",
                ));
            }
            _ => {}
        }
    }
    let mut joined = Vec::new();
    // What a join has no room for stays a condition.
    let room = MAX_TABLES.saturating_sub(join.tables());
    for e in conditions.iter_mut() {
        as_membership(e, binder);
    }
    let said: Vec<Expr> = conditions.iter().flat_map(said_inside).collect();
    conditions.extend(said);
    let mut at = 0;
    while at < conditions.len() && joined.len() < room {
        if !may_join(&conditions[at], scope.level) || is_for_few(join, conditions, at, scope.level, binder) {
            at += 1;
            continue;
        }
        let Kind::Subquery(subquery) = conditions.remove(at).kind else { continue };
        let Ok(subquery) = Arc::try_unwrap(subquery) else { continue };
        let pulled = pull_out(&subquery, scope, conditions);
        let SubqueryForm::In { left, how, .. } = subquery.form else { continue };
        let reads: BTreeSet<u32> = left.iter().flat_map(|e| slots_read(e, scope.level)).collect();
        if let Some(table) = pulled {
            joined.push((reads, Join::Table(Box::new(table))));
            continue;
        }
        let first = scope.reserve(left.len());
        for (i, (left, how)) in left.into_iter().zip(&how).enumerate() {
            let slot = Slot { level: scope.level, index: first + i as u32 };
            let right = Expr { kind: Kind::Column(slot), ty: subquery.plan.columns[i].ty.clone() };
            scope.mark_used(&right);
            conditions.push(build::equality(left, *how, right));
        }
        let alias = format!("<subquery{}>", subquery.number + 2);
        let source = Source::Distinct { plan: Arc::new(subquery.plan), number: binder.next_number(), how };
        let table = TableAccess::new(&alias, source, first..scope.width.get());
        joined.push((reads, Join::Table(Box::new(table))));
    }
    for (reads, joined) in joined {
        add(join, &reads, joined);
    }
    Ok(())
}

/// What the conditions of `IN (query)` say of the values of a column, said of what is looked for among them.
fn said_inside(e: &Expr) -> Vec<Expr> {
    let mut said = Vec::new();
    let Kind::Subquery(subquery) = &e.kind else { return said };
    let Body::Select(select) = &subquery.plan.body else { return said };
    let Some(Join::Table(table)) = &select.from else { return said };
    let mut asked: Vec<(&Expr, Comparison, &Expr)> = Vec::new();
    match &subquery.form {
        SubqueryForm::In { left, how, negated: false } => {
            let members = left.iter().zip(how).zip(&select.items);
            asked.extend(members.map(|((left, how), item)| (left, *how, item)));
        }
        SubqueryForm::Exists if is_plain(select) => {
            asked.extend(table.filter.iter().filter_map(|e| asked_around(e, select.level)));
        }
        _ => {}
    }
    for (left, how, item) in asked {
        let (&Kind::Column(slot), Kind::Column(_)) = (&item.kind, &left.kind) else { continue };
        let of_item = |e: &&Expr| {
            equal::bounds_equals(e, slot, how) || equal::fixes(e, slot) && equal::holds_for_equals(e, how)
        };
        said.extend(table.filter.iter().filter(of_item).map(|e| equal::said_instead(e, left)));
    }
    said
}

/// The column of the block around that an equality wants a column of a query to be, how, and this one.
fn asked_around(e: &Expr, level: u32) -> Option<(&Expr, Comparison, &Expr)> {
    let Kind::Compare(CompareOp::Eq, how, left, right) = &e.kind else { return None };
    let of_level = |e: &Expr, level| matches!(e.kind, Kind::Column(slot) if slot.level == level);
    let pair = [(left, right), (right, left)];
    let (own, around) =
        pair.into_iter().find(|(own, around)| of_level(own, level) && of_level(around, level - 1))?;
    is_exact(*how, &own.ty, &around.ty).then_some((&**around, *how, &**own))
}

/// Adds a member to the innermost join that has all the slots it is looked for by: not beside an outer join if the left side
/// of that has them.
fn add(join: &mut Join, reads: &BTreeSet<u32>, member: Join) {
    if let Join::Left { left, .. } = join
        && reads.is_subset(&slots_of(left))
    {
        return add(left, reads, member);
    }
    let mut steps: Vec<(Join, Vec<Expr>)> = match std::mem::replace(join, Join::Inner(Vec::new())) {
        Join::Inner(steps) => steps,
        other => vec![(other, Vec::new())],
    };
    steps.push((member, Vec::new()));
    *join = Join::Inner(steps);
}

/// Whether a condition looks for something among the rows of a query that is known to have none: it does not even matter
/// what for. `None` where that depends on a literal that was lifted out of the statement.
fn impossible(e: &Expr, binder: &mut Binder<'_>) -> Option<bool> {
    let Kind::Subquery(subquery) = &e.kind else { return Some(false) };
    let Body::Select(select) = &subquery.plan.body else { return Some(false) };
    let sums_up = select.group.as_ref().is_some_and(|group| group.keys.is_empty());
    let asks = matches!(subquery.form, SubqueryForm::In { negated: false, .. });
    if !asks || subquery.correlated || sums_up {
        return Some(false);
    }
    let lifted = |e: &Expr| !e.is_settled() && e.is_same_in_all_rows();
    let fails = |e: &Expr| {
        let truth = build::silently(binder.state, |state| e.truth(&mut Cx::new(state, &[]))).0;
        e.is_settled() && truth.is_ok_and(|truth| truth != Some(true))
    };
    match select.constant_filter.iter().any(fails) {
        false if select.constant_filter.iter().any(lifted) => None,
        known => Some(known),
    }
}

/// Has `= ANY` and `<> ALL` of a large table's rows asked as IN and NOT IN are.
fn as_membership(e: &mut Expr, binder: &mut Binder<'_>) {
    let Kind::Subquery(subquery) = &mut e.kind else { return };
    let Some(subquery) = Arc::get_mut(subquery).filter(|subquery| !subquery.correlated) else { return };
    let SubqueryForm::Quantified { left, how, op, all, .. } = &subquery.form else { return };
    let negated = match (op, all) {
        (CompareOp::Eq, false) => false,
        (CompareOp::Ne, true) => true,
        _ => return,
    };
    let [column] = &subquery.plan.columns[..] else { return };
    if !is_exact(*how, &left.ty, &column.ty) || !probe::is_large(&subquery.plan) {
        return;
    }
    let (left, how) = (vec![left.clone()], vec![*how]);
    subquery.probe = probe::Probe::of(&subquery.plan, &left, &how, binder);
    subquery.form = SubqueryForm::In { left, how, negated };
}

/// Whether a condition is better asked for each of the rows that the others keep than joined; it is so from then on.
fn is_for_few(join: &Join, conditions: &mut [Expr], at: usize, level: u32, binder: &mut Binder<'_>) -> bool {
    let worth = match &conditions[at].kind {
        Kind::Subquery(subquery) => subquery.probe.as_ref().map(|probe| probe.worth as f64),
        _ => None,
    };
    let Some(worth) = worth else { return false };
    if estimate::rows_of(join, conditions, &|_| true, level, binder) * cost::SURELY_CHEAPER > worth {
        return false;
    }
    if let Kind::Subquery(subquery) = &mut conditions[at].kind
        && let Some(probe) = Arc::get_mut(subquery).and_then(|subquery| subquery.probe.as_mut())
    {
        probe.truth_only = true;
    }
    true
}

/// Whether a condition is `expressions of this block IN (query of its own)` that compares values of like types.
fn may_join(e: &Expr, level: u32) -> bool {
    let Kind::Subquery(subquery) = &e.kind else { return false };
    let SubqueryForm::In { left, how, negated: false } = &subquery.form else { return false };
    let columns = &subquery.plan.columns;
    let plain = |e: &Expr| {
        let mut own = false;
        let mut plain = true;
        e.visit(&mut |e| match &e.kind {
            Kind::Column(slot) => own |= slot.level == level,
            Kind::Subquery(_) | Kind::AssignUserVar(..) => plain = false,
            Kind::Call(call) => plain &= call.is_stable(),
            _ => {}
        });
        own && plain
    };
    !subquery.correlated
        && Arc::strong_count(subquery) == 1
        && left.iter().all(plain)
        && left.iter().zip(columns).zip(how).all(|((left, column), how)| is_exact(*how, &left.ty, &column.ty))
}
