//! `ROWNUM()`, as a place in a block's row.
//!
//! Conditions that name it come last, on whole rows of the join: what they look at is the number that the row gets if it
//! stays, and it counts only then. So they are neither moved nor merged with anything, and one of the number alone that does
//! not hold ends the block: no other row will ever get another number.

use super::SelectPlan;
use crate::bind::Scope;
use crate::expr::{Expr, Kind, Slot};

/// The numbers of a block's rows: of each whole row of the join that all conditions let through, from 1.
#[derive(Debug)]
pub struct RowNumber {
    /// Where the number stands.
    pub slot: Slot,
    /// Conditions of the number alone: one that does not hold never will.
    pub limits: Vec<Expr>,
    /// Other conditions that name it.
    pub filter: Vec<Expr>,
}

/// Takes the conditions that name the row's number out of the others.
pub fn split(plan: &mut SelectPlan, conditions: &mut Vec<Expr>, scope: &Scope<'_>) {
    let Some(index) = scope.row_number.get() else { return };
    let own = Slot { level: scope.level, index };
    let names = |e: &Expr| {
        let mut found = false;
        e.visit(&mut |e| found |= matches!(e.kind, Kind::Column(slot) if slot == own));
        found
    };
    let of_number_alone = |e: &Expr| {
        let mut alone = true;
        e.visit(&mut |e| {
            alone &= match &e.kind {
                Kind::Column(slot) => *slot == own,
                Kind::Call(call) => call.is_stable(),
                Kind::Subquery(_) | Kind::AssignUserVar(..) | Kind::UserVar(_) => false,
                _ => true,
            };
        });
        alone
    };
    let (numbered, others) = std::mem::take(conditions).into_iter().partition(names);
    *conditions = others;
    let (limits, filter) = Vec::into_iter(numbered).partition(of_number_alone);
    plan.row_number = Some(RowNumber { slot: own, limits, filter });
}
