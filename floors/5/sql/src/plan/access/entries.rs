//! How many entries of an index ranges hold.

use super::{BETWEEN_KEEPS, Found, KeyRange};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::build;
use crate::plan::estimate::{TableFacts, may_be_asked};
use crate::session::State;
use engine::Table;
use types::Value;

/// The index is asked for the rows of so many ranges, evenly among all.
const ASKED_RANGES: usize = 16;
/// The part of the rows within a range whose bounds are not known yet.
const RANGE_KEEPS: f64 = 0.3;

/// Rows in ranges: asked of the index where the bounds are known already, by its variety where they are not.
pub(in crate::plan) fn expected(
    base: &Table,
    facts: &TableFacts,
    number: usize,
    found: &Found,
    params: &[Value],
    state: &mut State,
) -> Result<f64, SqlError> {
    if found.whole_unique {
        return Ok(found.ranges.len() as f64);
    }
    if !found.ranges.iter().all(|range| bounds_are_known(range, state)) {
        let parts = base.def().indexes[number].parts.len();
        let per_range = |range: &KeyRange| {
            let bounded = range.equal.len() < found.parts_used;
            let rows = match range.equal.len() {
                0 => facts.rows,
                n => facts.rows / facts.distinct_prefix(number, n.min(parts)).unwrap_or(10.0),
            };
            let both = !range.low.is_empty() && !range.high.is_empty();
            match bounded {
                true => rows * if both { BETWEEN_KEEPS } else { RANGE_KEEPS },
                false => rows,
            }
        };
        return Ok(found.ranges.iter().map(per_range).sum::<f64>().clamp(1.0, facts.rows));
    }
    Ok(asked((base, number), &found.ranges, ASKED_RANGES, params, state)?.clamp(1.0, facts.rows))
}

/// Entries of an index in ranges whose bounds are known, asked of the index for so many of the ranges at most.
pub fn asked(
    (base, number): (&Table, usize),
    ranges: &[KeyRange],
    most: usize,
    params: &[Value],
    state: &mut State,
) -> Result<f64, SqlError> {
    let asked = ranges.iter().step_by(ranges.len().div_ceil(most).max(1));
    let of_all = ranges.len() as f64 / asked.len().max(1) as f64;
    let mut rows = 0.0;
    for range in asked {
        let (estimated, _) = build::silently(state, |state| {
            let mut cx = Cx::new(state, params);
            let made = crate::exec::ranges::key_range(&mut cx, base, number, range)?;
            Ok::<f64, SqlError>(made.map_or(0.0, |made| cx.state.estimate(base, number, &made.bounds) as f64))
        });
        rows += estimated?;
    }
    Ok(rows * of_all)
}

/// Whether the bounds of a range can be had now. An opening is known always; for what is equal to a subquery's value the
/// variety of the index does.
pub fn bounds_are_known(range: &KeyRange, state: &State) -> bool {
    let mut ends = range.low.iter().chain(&range.high);
    range.equal.iter().all(|(e, _)| !e.has_subquery() && may_be_asked(e, state))
        && ends.all(|(e, _)| may_be_asked(e, state))
}
