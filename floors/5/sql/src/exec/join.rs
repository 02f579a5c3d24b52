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
        Join::Left { left, right, on, right_slots } => {
            let nulls = Some(&right_slots[..]);
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

/// Calls `next` for the pairs that the row in the frame makes with those of another side of the join; `nulls` become
/// NULL where there is none.
pub fn pairs(
    cx: &mut Cx<'_>,
    level: u32,
    on: &[Expr],
    nulls: Option<&[u32]>,
    side: impl FnOnce(&mut Cx<'_>, Next<'_>) -> Result<Flow, SqlError>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    let mut paired = false;
    let flow = side(cx, &mut |cx| {
        if !all(on, cx)? {
            return Ok(Flow::Continue);
        }
        paired = true;
        next(cx)
    })?;
    match nulls {
        Some(nulls) if !paired && flow == Flow::Continue => {
            set_null(nulls, level, cx);
            next(cx)
        }
        _ => Ok(flow),
    }
}

/// Makes slots NULL.
pub fn set_null(slots: &[u32], level: u32, cx: &mut Cx<'_>) {
    let width = slots.iter().max().map_or(0, |&slot| slot as usize + 1);
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
