//! Nested loops over a tree of joins.

use super::hash_join::around::Side;
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
        Join::Left { left, right, on, right_slots, absent } => {
            let nulls = Some(Nulls { slots: right_slots, alone: *absent });
            match &**right {
                Join::Hash(hash) if hash.once => {
                    let side = Side { hash, on, nulls, level };
                    side.run(cx, &mut |cx, row| run(left, level, cx, row), next)
                }
                _ => run(left, level, cx, &mut |cx| {
                    pairs(cx, level, on, nulls, |cx, pair| run(right, level, cx, pair), next)
                }),
            }
        }
    }
}

/// Runs the steps of an inner join; calls `next` for each row of the first `several` of them once at most: with the first row of
/// the others that belongs to it and passes `filter`.
pub fn run_first(
    steps: &[(Join, Vec<Expr>)],
    several: usize,
    filter: &[Expr],
    level: u32,
    cx: &mut Cx<'_>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    let (steps, others) = steps.split_at(several);
    run_steps(steps, level, cx, &mut |cx| {
        let mut flow = Flow::Continue;
        run_steps(others, level, cx, &mut |cx| {
            if !all(filter, cx)? {
                return Ok(Flow::Continue);
            }
            flow = next(cx)?;
            Ok(Flow::Stop)
        })?;
        Ok(flow)
    })
}

fn run_steps(
    steps: &[(Join, Vec<Expr>)],
    level: u32,
    cx: &mut Cx<'_>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    let Some(((join, on), before)) = steps.split_last() else { return next(cx) };
    match join {
        Join::Hash(hash) if hash.once && !before.is_empty() => {
            let side = Side { hash, on, nulls: None, level };
            side.run(cx, &mut |cx, row| run_steps(before, level, cx, row), next)
        }
        _ => run_steps(before, level, cx, &mut |cx| {
            pairs(cx, level, on, None, |cx, pair| run(join, level, cx, pair), next)
        }),
    }
}

/// What becomes of a row of an outer join's left side that makes no pair.
#[derive(Debug, Clone, Copy)]
pub struct Nulls<'p> {
    /// The slots that become NULL.
    pub slots: &'p [u32],
    /// Only such rows are wanted: no pairs.
    pub alone: bool,
}

/// Calls `next` for the pairs that the row in the frame makes with those of another side of the join, and for the row
/// without one as `nulls` says.
pub fn pairs(
    cx: &mut Cx<'_>,
    level: u32,
    on: &[Expr],
    nulls: Option<Nulls<'_>>,
    side: impl FnOnce(&mut Cx<'_>, Next<'_>) -> Result<Flow, SqlError>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    let mut paired = false;
    let alone = nulls.is_some_and(|nulls| nulls.alone);
    let flow = side(cx, &mut |cx| {
        if !all(on, cx)? {
            return Ok(Flow::Continue);
        }
        paired = true;
        if alone { Ok(Flow::Stop) } else { next(cx) }
    })?;
    match nulls {
        Some(nulls) if !paired && flow == Flow::Continue => {
            set_null(nulls.slots, level, cx);
            next(cx)
        }
        _ if alone => Ok(Flow::Continue),
        _ => Ok(flow),
    }
}

/// Makes slots NULL.
pub fn set_null(slots: &[u32], level: u32, cx: &mut Cx<'_>) {
    let width = slots.last().map_or(0, |&slot| slot as usize + 1);
    let frame = cx.frame_mut(level, width);
    for &slot in slots {
        frame[slot as usize] = Value::Null;
    }
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
