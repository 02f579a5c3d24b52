//! Outer joins behind the inner joins beside them.
//!
//! `(a JOIN b LEFT JOIN c ON ..) JOIN d` finds the same rows as `(a JOIN b JOIN d) LEFT JOIN c ON ..`, and there each of `a`,
//! `b` and `d` may drive the others. What reads `c` is asked behind it, as before. An outer join of one table stays where it
//! is: nothing is to be ordered on its left side, and rows that are joined behind it look for no partner of their own.

use super::Join;
use crate::bind::Scope;
use crate::expr::Expr;

/// Puts outer joins of several tables last among a block's inner joins; the conditions of these are put to `conditions`.
pub fn move_out(join: Join, conditions: &mut Vec<Expr>, scope: &Scope<'_>) -> Join {
    match join {
        Join::Left { left, right, on, right_slots, absent } => {
            let left = Box::new(move_out(*left, conditions, scope));
            Join::Left { left, right, on, right_slots, absent }
        }
        Join::Inner(steps) if !scope.in_order && scope.straight.is_empty() && moves(&steps) => {
            let (mut members, mut outer) = (Vec::with_capacity(steps.len()), Vec::new());
            for (mut step, own) in steps {
                conditions.extend(own);
                if keeps_many(&step) {
                    while let Join::Left { left, right, on, right_slots, absent } = step {
                        outer.push((right, on, right_slots, absent));
                        step = *left;
                    }
                }
                match step {
                    Join::Inner(inner) => members.extend(inner),
                    step => members.push((step, Vec::new())),
                }
            }
            for (_, own) in &mut members {
                conditions.append(own);
            }
            outer.into_iter().rev().fold(Join::Inner(members), |left, (right, on, right_slots, absent)| {
                Join::Left { left: Box::new(left), right, on, right_slots, absent }
            })
        }
        join => join,
    }
}

/// Whether an outer join of several tables stands beside others.
fn moves(steps: &[(Join, Vec<Expr>)]) -> bool {
    steps.len() > 1 && steps.iter().any(|(step, _)| keeps_many(step))
}

/// Whether the left side of an outer join is one of several tables.
fn keeps_many(join: &Join) -> bool {
    match join {
        Join::Left { left, .. } => {
            matches!(&**left, Join::Inner(steps) if steps.len() > 1) || keeps_many(left)
        }
        _ => false,
    }
}
