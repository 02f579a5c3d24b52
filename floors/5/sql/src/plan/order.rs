//! Where conditions are checked, in which order tables are joined, and whether an index gives the wanted order.
//!
//! Conditions go to the first place where all their columns are known. The join order is greedy: the table that
//! gives the fewest rows comes first, then always the one that gives the fewest rows for each row so far.

use super::access;
use super::{Join, SelectPlan, Source, TableAccess};
use crate::bind::Scope;
use crate::error::SqlError;
use crate::expr::{Expr, Kind};
use crate::session::State;
use std::collections::BTreeSet;

/// A condition with the slots of this block that it reads.
#[derive(Debug, Clone)]
pub struct Condition {
    /// The condition.
    pub expr: Expr,
    /// Slots read.
    pub slots: BTreeSet<u32>,
    /// It has a correlated subquery, which may read anything: it waits until the row is whole.
    pub late: bool,
}

impl Condition {
    /// Looks through an expression of the block at `level`.
    pub fn new(expr: Expr, level: u32) -> Self {
        let mut slots = BTreeSet::new();
        let mut late = false;
        expr.visit(&mut |e| match &e.kind {
            Kind::Column(slot) if slot.level == level => {
                slots.insert(slot.index);
            }
            Kind::Subquery(s) if s.correlated => late = true,
            Kind::AssignUserVar(..) => late = true,
            _ => {}
        });
        Self { expr, slots, late }
    }

    fn is_ready(&self, known: &BTreeSet<u32>) -> bool {
        !self.late && self.slots.is_subset(known)
    }
}

/// Places the conditions of a block's WHERE and inner joins, orders its joins, chooses how tables are read.
pub fn optimize(
    plan: &mut SelectPlan,
    conditions: Vec<Expr>,
    scope: &Scope<'_>,
    state: &mut State,
) -> Result<(), SqlError> {
    let level = plan.level;
    let conditions = conditions.into_iter().map(|e| Condition::new(e, level)).collect();
    place_all(plan, conditions, scope, state)?;
    presort(plan);
    Ok(())
}

fn place_all(
    plan: &mut SelectPlan,
    conditions: Vec<Condition>,
    scope: &Scope<'_>,
    state: &mut State,
) -> Result<(), SqlError> {
    let (constant, rest): (Vec<_>, Vec<_>) =
        conditions.into_iter().partition(|c| c.slots.is_empty() && !c.late);
    plan.constant_filter = constant.into_iter().map(|c| c.expr).collect();
    let Some(join) = plan.from.take() else {
        plan.filter = rest.into_iter().map(|c| c.expr).collect();
        return Ok(());
    };
    let mut planner = Planner { scope, state, level: plan.level };
    let (join, left_over) = planner.place(join, rest, &BTreeSet::new())?;
    plan.from = Some(join);
    plan.filter = left_over.into_iter().map(|c| c.expr).collect();
    Ok(())
}

struct Planner<'p, 's> {
    scope: &'p Scope<'s>,
    state: &'p mut State,
    level: u32,
}

impl Planner<'_, '_> {
    /// Places `conditions` in `join`, which runs once the slots in `known` have values; gives back what must be
    /// checked behind it.
    fn place(
        &mut self,
        join: Join,
        conditions: Vec<Condition>,
        known: &BTreeSet<u32>,
    ) -> Result<(Join, Vec<Condition>), SqlError> {
        match join {
            Join::Table(table) => self.place_table(table, conditions, known),
            Join::Inner(steps) => self.place_inner(steps, conditions, known),
            Join::Left { left, right, on, right_slots } => {
                let of_right: BTreeSet<u32> = right_slots.iter().copied().collect();
                let touches = |c: &Condition| c.late || !c.slots.is_disjoint(&of_right);
                let (behind, to_left): (Vec<_>, Vec<_>) = conditions.into_iter().partition(touches);
                let (left, mut rest) = self.place(*left, to_left, known)?;
                let mut known_right = known.clone();
                slots_of(&left, &mut known_right);
                let on = on.into_iter().map(|e| Condition::new(e, self.level)).collect();
                let (right, on) = self.place(*right, on, &known_right)?;
                rest.extend(behind);
                let on = on.into_iter().map(|c| c.expr).collect();
                Ok((Join::Left { left: Box::new(left), right: Box::new(right), on, right_slots }, rest))
            }
        }
    }

    fn place_table(
        &mut self,
        mut table: Box<TableAccess>,
        conditions: Vec<Condition>,
        known: &BTreeSet<u32>,
    ) -> Result<(Join, Vec<Condition>), SqlError> {
        let first = table.slots.start;
        table.columns = table
            .slots
            .clone()
            .filter(|&s| self.scope.is_used(s))
            .map(|s| ((s - first) as usize, s))
            .collect();
        let mut reach = known.clone();
        reach.extend(table.slots.clone());
        let (ready, rest): (Vec<_>, Vec<_>) = conditions.into_iter().partition(|c| c.is_ready(&reach));
        let choice = access::choose(&table, &ready, known, self.level, self.state)?;
        table.access = choice.access;
        table.rows = choice.rows;
        table.filter = ready.into_iter().map(|c| c.expr).collect();
        Ok((Join::Table(table), rest))
    }

    fn place_inner(
        &mut self,
        steps: Vec<(Join, Vec<Expr>)>,
        mut conditions: Vec<Condition>,
        known: &BTreeSet<u32>,
    ) -> Result<(Join, Vec<Condition>), SqlError> {
        let mut known = known.clone();
        let mut waiting: Vec<Join> = Vec::with_capacity(steps.len());
        for (join, extra) in steps {
            conditions.extend(extra.into_iter().map(|e| Condition::new(e, self.level)));
            waiting.push(join);
        }
        let mut ordered = Vec::with_capacity(waiting.len());
        while !waiting.is_empty() {
            let next = self.cheapest(&waiting, &conditions, &known)?;
            let join = waiting.remove(next);
            let mut reach = known.clone();
            slots_of(&join, &mut reach);
            let (ready, rest): (Vec<_>, Vec<_>) = conditions.into_iter().partition(|c| c.is_ready(&reach));
            conditions = rest;
            let (join, left_over) = self.place(join, ready, &known)?;
            ordered.push((join, left_over.into_iter().map(|c| c.expr).collect()));
            known = reach;
        }
        Ok((Join::Inner(ordered), conditions))
    }

    /// Which of the waiting joins gives the fewest rows for each row so far.
    fn cheapest(
        &mut self,
        waiting: &[Join],
        conditions: &[Condition],
        known: &BTreeSet<u32>,
    ) -> Result<usize, SqlError> {
        let mut best = (0, f64::INFINITY);
        for (i, join) in waiting.iter().enumerate() {
            let rows = match join {
                Join::Table(table) => {
                    let mut reach = known.clone();
                    reach.extend(table.slots.clone());
                    let ready: Vec<_> = conditions.iter().filter(|c| c.is_ready(&reach)).cloned().collect();
                    let connected = known.is_empty() || ready.iter().any(|c| !c.slots.is_disjoint(known));
                    let choice = access::choose(table, &ready, known, self.level, self.state)?;
                    // A table without a condition to those before multiplies their rows: it waits.
                    choice.rows.max(1.0) * if connected { 1.0 } else { 1000.0 }
                }
                // Joins within joins come behind the tables that their conditions may want.
                _ => 1e12,
            };
            if rows < best.1 {
                best = (i, rows);
            }
        }
        Ok(best.0)
    }
}

/// Adds the slots that a join gives values to.
pub fn slots_of(join: &Join, slots: &mut BTreeSet<u32>) {
    match join {
        Join::Table(table) => slots.extend(table.slots.clone()),
        Join::Inner(steps) => steps.iter().for_each(|(join, _)| slots_of(join, slots)),
        Join::Left { left, right, .. } => {
            slots_of(left, slots);
            slots_of(right, slots);
        }
    }
}

/// The table whose rows drive the join.
pub fn first_table(join: &mut Join) -> &mut TableAccess {
    match join {
        Join::Table(table) => table,
        Join::Inner(steps) => first_table(&mut steps[0].0),
        Join::Left { left, .. } => first_table(left),
    }
}

/// Takes the order of ORDER BY from an index where one gives it.
fn presort(plan: &mut SelectPlan) {
    let wanted = match &plan.group {
        None if !plan.tail.order_by.is_empty() && !plan.distinct && plan.windows.is_none() => {
            &plan.tail.order_by
        }
        _ => return,
    };
    let reverse = wanted[0].desc;
    if wanted.iter().any(|k| k.desc != reverse) {
        return;
    }
    let mut columns = Vec::with_capacity(wanted.len());
    for key in wanted {
        match key.expr.kind {
            Kind::Column(slot) if slot.level == plan.level => columns.push(slot.index),
            _ => return,
        }
    }
    let limited = plan.tail.limit.is_some();
    let single = matches!(plan.from, Some(Join::Table(_)));
    let Some(join) = &mut plan.from else { return };
    let table = first_table(join);
    let Source::Base(base) = &table.source else { return };
    let base = base.clone();
    let first = table.slots.start;
    if columns.iter().any(|c| !table.slots.contains(c)) {
        return;
    }
    let columns: Vec<usize> = columns.into_iter().map(|c| (c - first) as usize).collect();
    plan.presorted = access::take_order(table, &base, &columns, reverse, limited && single);
}
