//! Several indexes for the members of an OR.

use super::super::estimate::TableFacts;
use super::{Finder, KeyRange, cheapest};
use crate::error::SqlError;
use crate::expr::Kind;
use crate::session::State;
use types::Value;

/// Members of an OR beyond this are not looked up one by one.
const MAX_MEMBERS: usize = 64;
/// Remembering a row that was found, in rows scanned.
const REMEMBER: f64 = 0.5;

/// Indexes and their ranges, rows looked at, cost.
type Union = (Vec<(usize, Vec<KeyRange>)>, f64, f64);

/// The members of an OR, each found by the index that finds it best, where that is cheaper than `limit`.
pub(super) fn choose(
    finder: &Finder<'_>,
    facts: &TableFacts,
    limit: f64,
    (params, state): (&[Value], &mut State),
) -> Result<Option<Union>, SqlError> {
    let mut best: Option<Union> = None;
    for condition in finder.conditions {
        let Kind::Or(members) = &condition.expr.kind else { continue };
        if members.len() > MAX_MEMBERS {
            continue;
        }
        let mut union: Union = (Vec::new(), 0.0, 0.0);
        for member in members {
            let conditions = finder.conditions_of(member);
            let one = Finder { conditions: &conditions, ..*finder };
            let Some((index, found, scanned, cost)) =
                cheapest(&one, one.by_index(), facts, (params, &mut *state))?
            else {
                union.2 = f64::INFINITY;
                break;
            };
            union.0.push((index, found.ranges));
            union.1 += scanned;
            union.2 += cost + scanned * REMEMBER;
        }
        if union.2 < best.as_ref().map_or(limit, |held| held.2) {
            best = Some(union);
        }
    }
    Ok(best)
}
