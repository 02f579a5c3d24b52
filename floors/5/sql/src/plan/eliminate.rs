//! Outer joins that change nothing (MariaDB's table elimination).
//!
//! Of `a LEFT JOIN b ON b.id = a.b_id` each row of `a` comes out once, whatever `b` has, where `id` is a unique key. If
//! nothing is read of `b`, it need not be looked at.

use super::different::is_told_by_different_rows;
use super::hash::{compares_as_keyed, is_exact};
use super::inner::has_outer;
use super::joins::locks_rows;
use super::order::tells;
use super::walk::visit_deep;
use super::{Join, SelectPlan, Source, TableAccess};
use crate::expr::{CompareOp, Expr, Kind};
use std::collections::BTreeSet;
use types::IndexPart;

/// Leaves such tables out of a block's joins; `conditions` are those of its WHERE.
pub fn leave_out(plan: &mut SelectPlan, conditions: &[Expr]) {
    let Some(join) = plan.from.take_if(|join| has_outer(join) && !locks_rows(join)) else { return };
    let mut needed =
        Needed { slots: BTreeSet::new(), level: plan.level, different: is_told_by_different_rows(plan) };
    plan.visit_upper(&mut |e| needed.column(e));
    conditions.iter().for_each(|e| needed.add(e));
    join.visit_tables(&mut |table| table.expressions(&mut |e| needed.add(e)));
    plan.from = Some(needed.without_others(join));
}

/// Slots of a block that something else than a join's own condition reads.
struct Needed {
    slots: BTreeSet<u32>,
    level: u32,
    /// How often a row comes is not needed.
    different: bool,
}

impl Needed {
    fn column(&mut self, e: &Expr) {
        if let Kind::Column(slot) = e.kind
            && slot.level == self.level
        {
            self.slots.insert(slot.index);
        }
    }

    fn add(&mut self, e: &Expr) {
        visit_deep(e, &mut |e| self.column(e));
    }

    /// A join without the tables that are not needed; adds what its conditions need, from the outermost on.
    fn without_others(&mut self, join: Join) -> Join {
        match join {
            Join::Left { left, right, on, absent: false, .. }
                if right.has_none_of(&self.slots)
                    && is_plain(&on)
                    && (self.different && !on.iter().any(tells) || finds_one(&right, &on, self.level)) =>
            {
                self.without_others(*left)
            }
            Join::Left { left, right, on, right_slots, absent } => {
                on.iter().for_each(|e| self.add(e));
                let right = Box::new(self.without_others(*right));
                let left = Box::new(self.without_others(*left));
                Join::Left { left, right, on, right_slots, absent }
            }
            Join::Inner(steps) => {
                steps.iter().flat_map(|(_, conditions)| conditions).for_each(|e| self.add(e));
                let kept = steps.into_iter().map(|(member, own)| (self.without_others(member), own));
                Join::Inner(kept.collect())
            }
            Join::Table(_) | Join::Hash(_) => join,
        }
    }
}

/// Whether conditions do nothing but let rows through.
fn is_plain(on: &[Expr]) -> bool {
    let mut plain = true;
    on.iter().for_each(|e| {
        e.visit(&mut |e| match &e.kind {
            Kind::Subquery(_) | Kind::AssignUserVar(..) => plain = false,
            Kind::Call(call) => plain &= call.is_stable(),
            _ => {}
        });
    });
    plain
}

/// Whether conditions let one row of a table through at most.
fn finds_one(join: &Join, on: &[Expr], level: u32) -> bool {
    let Join::Table(table) = join else { return false };
    let Source::Base(base) = &table.source else { return false };
    let fixed: BTreeSet<usize> = on.iter().filter_map(|e| fixed_column(table, e, level)).collect();
    let known = |part: &IndexPart| part.prefix_chars.is_none() && fixed.contains(&part.column);
    base.def().has_unique_key(known)
}

/// The column of a table that a condition wants equal to what is read elsewhere.
fn fixed_column(table: &TableAccess, e: &Expr, level: u32) -> Option<usize> {
    let Kind::Compare(CompareOp::Eq, how, left, right) = &e.kind else { return None };
    if !is_exact(*how, &left.ty, &right.ty) {
        return None;
    }
    let as_keyed = |own: &Expr| compares_as_keyed(*how, &own.ty);
    [(left, right), (right, left)].into_iter().filter(|(own, _)| as_keyed(own)).find_map(|(own, other)| {
        let mut reads_own = false;
        other.visit(&mut |e| reads_own |= table.column_of(e, level).is_some());
        table.column_of(own, level).filter(|_| !reads_own)
    })
}
