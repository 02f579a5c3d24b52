//! Whole queries.

use super::group::Groups;
use super::sort::{Limit, RowSet, Sorter};
use super::window::WindowRows;
use super::{Cx, Flow, Sink, join};
use crate::error::SqlError;
use crate::expr::Expr;
use crate::plan::{Body, QueryPlan, SelectPlan, Tail};
use crate::syntax::ast::SetOperator;
use types::Value;

/// Runs a query; every row of its result goes to `sink`.
pub fn run(plan: &QueryPlan, cx: &mut Cx<'_>, sink: Sink<'_>) -> Result<Flow, SqlError> {
    crate::bind::check_stack()?;
    match &plan.body {
        Body::Select(select) => run_select(select, cx, sink),
        Body::Values(rows, tail) => run_tail(tail, 0, cx, sink, &mut |cx, sink| {
            for row in rows {
                let values = evaluate(row, cx)?;
                if sink(cx, &values)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            Ok(Flow::Continue)
        }),
        Body::SetOps { first, rest, tail, level } => {
            run_tail(tail, *level, cx, sink, &mut |cx, sink| run_set_operations(plan, first, rest, cx, sink))
        }
        Body::Recursive(recursion) => super::recursion::run(recursion, &plan.columns, cx, sink),
    }
}

fn evaluate(items: &[Expr], cx: &mut Cx<'_>) -> Result<Vec<Value>, SqlError> {
    items.iter().map(|e| e.eval(cx)).collect()
}

/// Produces rows into a sink.
type Produce<'p> = &'p mut dyn FnMut(&mut Cx<'_>, Sink<'_>) -> Result<Flow, SqlError>;

/// Orders and limits the rows of a result; sort keys read the row in the frame of `level`.
fn run_tail(
    tail: &Tail,
    level: u32,
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
    produce: Produce<'_>,
) -> Result<Flow, SqlError> {
    let mut limit = Limit::of(tail, cx)?;
    if tail.order_by.is_empty() {
        if limit.is_empty() {
            return Ok(Flow::Continue);
        }
        return produce(cx, &mut |cx, row| limit.pass(cx, row, sink));
    }
    let mut sorter = Sorter::new(&tail.order_by, limit.top(tail));
    produce(cx, &mut |cx, row| {
        let frame = cx.frame_mut(level, row.len());
        frame[..row.len()].clone_from_slice(row);
        sorter.push(cx, row.to_vec())?;
        Ok(Flow::Continue)
    })?;
    sorter.drain(cx, &mut limit, tail.with_ties, sink)
}

fn run_set_operations(
    plan: &QueryPlan,
    first: &QueryPlan,
    rest: &[(SetOperator, bool, QueryPlan)],
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
) -> Result<Flow, SqlError> {
    // UNION ALL from the last distinct operation on needs no memory of rows.
    let types: Vec<_> = plan.columns.iter().map(|c| c.ty.clone()).collect();
    let keep_all =
        |cx: &mut Cx<'_>, operand: &QueryPlan, rows: &mut Vec<Vec<Value>>| -> Result<(), SqlError> {
            run(operand, cx, &mut |cx, row| {
                rows.push(crate::expr::store::to_types(row, &types, cx.state));
                Ok(Flow::Continue)
            })?;
            Ok(())
        };
    let last_distinct = rest.iter().rposition(|(op, all, _)| !(*op == SetOperator::Union && *all));
    let buffered = last_distinct.map_or(0, |i| i + 1);
    let mut rows = Vec::new();
    if buffered > 0 {
        keep_all(cx, first, &mut rows)?;
        for (op, all, operand) in &rest[..buffered] {
            let mut right = Vec::new();
            keep_all(cx, operand, &mut right)?;
            rows = combine(*op, *all, rows, right, &types);
        }
        for row in &rows {
            if sink(cx, row)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
    }
    let streamed = if buffered == 0 { Some(first) } else { None };
    for operand in streamed.into_iter().chain(rest[buffered..].iter().map(|(_, _, plan)| plan)) {
        let flow = run(operand, cx, &mut |cx, row| {
            let row = crate::expr::store::to_types(row, &types, cx.state);
            sink(cx, &row)
        })?;
        if flow == Flow::Stop {
            return Ok(Flow::Stop);
        }
    }
    Ok(Flow::Continue)
}

fn combine(
    op: SetOperator,
    all: bool,
    left: Vec<Vec<Value>>,
    right: Vec<Vec<Value>>,
    types: &[crate::expr::Type],
) -> Vec<Vec<Value>> {
    match op {
        SetOperator::Union if all => left.into_iter().chain(right).collect(),
        SetOperator::Union => {
            let mut seen = RowSet::new(types);
            left.into_iter().chain(right).filter(|row| seen.insert(row)).collect()
        }
        SetOperator::Except | SetOperator::Intersect => {
            let mut counts = RowSet::new(types);
            right.iter().for_each(|row| {
                counts.insert(row);
            });
            let mut seen = RowSet::new(types);
            let keep_found = op == SetOperator::Intersect;
            left.into_iter()
                .filter(|row| {
                    let found = if all { counts.take_one(row) } else { counts.contains(row) };
                    found == keep_found && (all || seen.insert(row))
                })
                .collect()
        }
    }
}

fn run_select(plan: &SelectPlan, cx: &mut Cx<'_>, sink: Sink<'_>) -> Result<Flow, SqlError> {
    cx.frame_mut(plan.level, plan.width);
    let mut limit = Limit::of(&plan.tail, cx)?;
    if plan.calc_found_rows {
        limit.count_all();
    } else if limit.is_empty() {
        return Ok(Flow::Continue);
    }
    let sorted = plan.tail.order_by.is_empty() || plan.presorted;
    let mut seen = plan.distinct.then(|| RowSet::of_items(&plan.items));
    if sorted && !plan.tail.with_ties {
        let flow = rows_of(plan, cx, &mut |cx| {
            let row = evaluate(&plan.items, cx)?;
            if seen.as_mut().is_some_and(|seen| !seen.insert(&row)) {
                return Ok(Flow::Continue);
            }
            limit.pass(cx, &row, sink)
        })?;
        limit.report(plan.calc_found_rows, cx);
        return Ok(flow);
    }
    let top = if plan.calc_found_rows { None } else { limit.top(&plan.tail) };
    let mut sorter = Sorter::new(&plan.tail.order_by, top);
    rows_of(plan, cx, &mut |cx| {
        let row = evaluate(&plan.items, cx)?;
        if seen.as_mut().is_none_or(|seen| seen.insert(&row)) {
            sorter.push(cx, row)?;
        }
        Ok(Flow::Continue)
    })?;
    let flow = sorter.drain(cx, &mut limit, plan.tail.with_ties, sink)?;
    limit.report(plan.calc_found_rows, cx);
    Ok(flow)
}

/// Fills the block's frame with each row (or group) that the select list shall see.
pub fn rows_of(plan: &SelectPlan, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    let Some(windows) = &plan.windows else { return grouped_rows(plan, cx, next) };
    let mut rows = WindowRows::new(windows, plan.level, plan.width);
    grouped_rows(plan, cx, &mut |cx| {
        rows.push(cx);
        Ok(Flow::Continue)
    })?;
    rows.finish(cx, next)
}

/// Rows or groups that HAVING leaves.
fn grouped_rows(plan: &SelectPlan, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    let possible = join::all(&plan.constant_filter, cx)?;
    let Some(group) = &plan.group else {
        return match possible {
            true => joined_rows(plan, cx, &mut |cx| match having(plan, cx)? {
                true => next(cx),
                false => Ok(Flow::Continue),
            }),
            false => Ok(Flow::Continue),
        };
    };
    let mut groups = Groups::new(group, plan.level, plan.width);
    if possible {
        joined_rows(plan, cx, &mut |cx| groups.add(cx).map(|()| Flow::Continue))?;
    }
    groups.finish(cx, &mut |cx| match having(plan, cx)? {
        true => next(cx),
        false => Ok(Flow::Continue),
    })
}

fn having(plan: &SelectPlan, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    match &plan.having {
        None => Ok(true),
        Some(condition) => Ok(condition.truth(cx)? == Some(true)),
    }
}

fn joined_rows(plan: &SelectPlan, cx: &mut Cx<'_>, next: super::Next<'_>) -> Result<Flow, SqlError> {
    match &plan.from {
        None => match join::all(&plan.filter, cx)? {
            true => next(cx),
            false => Ok(Flow::Continue),
        },
        Some(from) => join::run(from, plan.level, cx, &mut |cx| match join::all(&plan.filter, cx)? {
            true => next(cx),
            false => Ok(Flow::Continue),
        }),
    }
}
