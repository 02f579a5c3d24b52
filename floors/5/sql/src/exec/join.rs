//! Nested loops over a tree of joins.

use super::{Cx, Flow, Next, hash_join, table};
use crate::error::SqlError;
use crate::expr::Expr;
use crate::plan::Join;
use types::Value;

/// Runs `join` for the rows known so far; calls `next` with the frame filled for each row.
pub fn run(join: &Join, level: u32, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
    match join {
        Join::Table(access) => table::run(access, level, cx, next),
        Join::Inner(steps) => run_steps(steps, level, cx, next),
        Join::Hash(hash) => hash_join::run(hash, level, cx, next),
        Join::Left { left, right, on, right_slots } => {
            let mut each = |cx: &mut Cx<'_>| run_left(right, on, right_slots, level, cx, next);
            match &**right {
                Join::Hash(hash) if hash.spills => {
                    hash_join::in_turns(hash, level, cx, &mut |cx, row| run(left, level, cx, row), &mut each)
                }
                _ => run(left, level, cx, &mut each),
            }
        }
    }
}

fn run_steps(
    steps: &[(Join, Vec<Expr>)],
    level: u32,
    cx: &mut Cx<'_>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    let Some(((join, conditions), before)) = steps.split_last() else { return next(cx) };
    let mut each = |cx: &mut Cx<'_>| {
        run(join, level, cx, &mut |cx| match all(conditions, cx)? {
            true => next(cx),
            false => Ok(Flow::Continue),
        })
    };
    match join {
        Join::Hash(hash) if hash.spills => {
            hash_join::in_turns(hash, level, cx, &mut |cx, row| run_steps(before, level, cx, row), &mut each)
        }
        _ => run_steps(before, level, cx, &mut each),
    }
}

fn run_left(
    right: &Join,
    on: &[Expr],
    right_slots: &[u32],
    level: u32,
    cx: &mut Cx<'_>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    let mut matched = false;
    let flow = run(right, level, cx, &mut |cx| {
        if !all(on, cx)? {
            return Ok(Flow::Continue);
        }
        matched = true;
        next(cx)
    })?;
    if matched || flow == Flow::Stop {
        return Ok(flow);
    }
    let width = right_slots.iter().max().map_or(0, |&slot| slot as usize + 1);
    let frame = cx.frame_mut(level, width);
    for &slot in right_slots {
        frame[slot as usize] = Value::Null;
    }
    next(cx)
}

/// Whether all conditions hold.
#[inline]
pub fn all(conditions: &[Expr], cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    for condition in conditions {
        if condition.truth(cx)? != Some(true) {
            return Ok(false);
        }
    }
    Ok(true)
}
