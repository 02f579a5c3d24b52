//! Finding the rows that a change is to change.

use super::RowUnderChange;
use super::found::{Found, FoundRows};
use super::keeps;
use crate::bind::change::ChangePlan;
use crate::bind::insert::Given;
use crate::error::SqlError;
use crate::exec::memory::ENTRY;
use crate::exec::reader::{Reader, only_stored};
use crate::exec::sort::{Limit, Sorter};
use crate::exec::{Cx, Flow, join, query};
use crate::plan::SelectPlan;
use engine::{FoundRow, RowBuf};
use types::Value;

/// Finds and locks the rows to change, each of a table once; those of one joined row together.
pub(super) fn find(plan: &ChangePlan, cx: &mut Cx<'_>) -> Result<FoundRows, SqlError> {
    let mut limit = Limit::of(&plan.find.tail, cx)?;
    let mut found = FoundRows::default();
    // One of several tables is a query in MariaDB, whose rows FOUND_ROWS() counts.
    let counted = |found: u64, cx: &mut Cx<'_>| {
        if plan.multi_table {
            cx.state.found_rows = found;
        }
    };
    if limit.is_empty() {
        counted(0, cx);
        return Ok(found);
    }
    if let Some(reader) = alone(plan) {
        find_alone(&plan.find, &reader, &mut limit, &mut found, cx)?;
        return Ok(found);
    }
    let mut unordered: Vec<Vec<Found>> = Vec::new();
    let mut seen = vec![hashbrown::HashSet::new(); plan.targets.len()];
    let sorted = plan.find.tail.order_by.is_empty() || plan.find.presorted;
    let mut sorter = Sorter::new(&plan.find.tail.order_by, None);
    let (mut joined, mut handed) = (0, 0);
    let read = query::rows_of(&plan.find, cx, &mut |cx| {
        joined += 1;
        // A row whose new values fail is counted, one that is still to be put in order is not.
        handed = if sorted { joined } else { 0 };
        let mut rows = Vec::with_capacity(plan.targets.len());
        for (target, seen) in seen.iter_mut().enumerate() {
            let Some(old) = cx.take_target(plan.targets[target].row) else { continue };
            if plan.multi_table {
                if !seen.insert(old.key.clone()) {
                    continue;
                }
                cx.charge(old.key.len() + ENTRY)?;
            }
            let prepared = match plan.multi_table && !plan.assignments.is_empty() {
                true => Some(prepare(plan, target, &old, cx)?),
                false => None,
            };
            rows.push(Found { target, old, number: cx.state.statement.row, prepared });
        }
        if sorted {
            return limit.pass(cx, &[], &mut |cx, _| {
                rows.drain(..).try_for_each(|row| found.push(row, cx))?;
                Ok(Flow::Continue)
            });
        }
        cx.charge(rows.iter().map(Found::bytes).sum())?;
        sorter.push(cx, &[Value::UInt(unordered.len() as u64)])?;
        unordered.push(rows);
        Ok(Flow::Continue)
    });
    if let Err(error) = read {
        counted(handed, cx);
        return Err(error);
    }
    if sorted {
        counted(joined, cx);
        return Ok(found);
    }
    let mut number = 0;
    sorter.drain(cx, &mut limit, plan.find.tail.with_ties, &mut |cx, row| {
        if let Some(Value::UInt(position)) = row.first() {
            number += 1;
            for row in std::mem::take(&mut unordered[*position as usize]) {
                cx.release(row.bytes());
                found.push(Found { number, ..row }, cx)?;
            }
        }
        Ok(Flow::Continue)
    })?;
    counted(number, cx);
    Ok(found)
}

/// The table that the rows come from, where it alone has to be read: [`ChangePlan::alone`].
fn alone(plan: &ChangePlan) -> Option<Reader<'_>> {
    let (access, table) = only_stored(&plan.find).filter(|_| plan.alone)?;
    Some(Reader { table, access, level: plan.find.level, decodes: !plan.find.filter.is_empty() })
}

/// Finds and locks the rows of one table in the order in which it gives them.
fn find_alone(
    find: &SelectPlan,
    reader: &Reader<'_>,
    limit: &mut Limit,
    found: &mut FoundRows,
    cx: &mut Cx<'_>,
) -> Result<(), SqlError> {
    cx.frame_mut(find.level, find.width);
    if !query::is_possible(find, cx)? {
        return Ok(());
    }
    query::count_access(reader.access, true, cx);
    cx.note(reader.access, 1, 0, 0);
    reader.run(cx, &mut |cx: &mut Cx<'_>, row: FoundRow<'_>| {
        if !join::all(&find.filter, cx)? {
            return Ok(Flow::Continue);
        }
        limit.pass(cx, &[], &mut |cx, _| found.push_stored(row, cx).map(|()| Flow::Continue))
    })?;
    Ok(())
}

/// In a multi-table UPDATE the new values come from the joined row: they are computed while it stands in the frame.
fn prepare(
    plan: &ChangePlan,
    target: usize,
    old: &RowBuf,
    cx: &mut Cx<'_>,
) -> Result<RowUnderChange, SqlError> {
    let table = &plan.targets[target].table;
    cx.state.statement.target = Some(table.clone());
    let mut row = RowUnderChange::decode(table, old)?;
    for (_, column, given) in plan.assignments.iter().filter(|(t, ..)| *t == target) {
        // Nothing is said of what a generated column is given here.
        if table.def().columns[*column].generated.is_some() {
            if let Given::Expr(expr) = given {
                expr.eval(cx)?;
            }
            continue;
        }
        row.assign_apart(*column, given, cx)?;
    }
    if let Some(rule) = &plan.view_rule {
        row.keeps_view_rule = row.in_frame(plan.targets[target].first, cx, |cx| keeps(rule, cx))?;
    }
    Ok(row)
}
