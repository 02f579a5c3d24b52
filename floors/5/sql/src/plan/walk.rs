//! Walking plans: every expression of a query with all the queries inside it.

use super::window::{FrameEnd, WindowFunction, WindowPass};
use super::{Access, AggregateCall, Body, Join, KeyRange, QueryPlan, SelectPlan, Source, TableAccess, Tail};
use crate::expr::{Expr, Kind, Slot};
use std::collections::HashSet;

impl QueryPlan {
    /// Calls `f` for each expression of the plan, at every depth: parts of expressions and plans of subqueries too.
    pub fn visit_all(&self, f: &mut dyn FnMut(&Expr)) {
        match &self.body {
            Body::Select(select) => select.visit_all(f),
            Body::Values { rows, tail, .. } => {
                rows.iter().flatten().for_each(|e| visit_deep(e, f));
                visit_tail(tail, f);
            }
            Body::SetOps { first, rest, tail, .. } => {
                first.visit_all(f);
                rest.iter().for_each(|(.., plan)| plan.visit_all(f));
                visit_tail(tail, f);
            }
            Body::Recursive(recursion) => {
                recursion.anchors.iter().chain(&recursion.members).for_each(|plan| plan.visit_all(f));
            }
        }
    }

    /// Whether its result depends on nothing but the data: made twice, it is the same.
    pub fn is_fixed(&self) -> bool {
        self.is_fixed_past(&mut HashSet::new())
    }

    /// `seen`: numbers of the derived tables looked into already; several places may share one.
    fn is_fixed_past(&self, seen: &mut HashSet<usize>) -> bool {
        let mut fixed = self.outer_slots(0).is_some();
        self.visit_all(&mut |e| {
            if let Kind::Subquery(subquery) = &e.kind {
                fixed &= subquery.plan.is_fixed_past(seen);
            }
        });
        self.visit_tables(&mut |table| match &table.source {
            Source::Derived { plan, number, .. } | Source::Distinct { plan, number, .. } => {
                fixed &= !seen.insert(*number) || plan.is_fixed_past(seen);
            }
            Source::Round(_) => fixed = false,
            Source::Base(_) | Source::Json(_) | Source::Virtual(_) | Source::Sequence(_) => {}
        });
        fixed
    }

    /// Calls `f` for each table that its blocks join, not for those inside of derived tables and subqueries.
    fn visit_tables(&self, f: &mut dyn FnMut(&TableAccess)) {
        match &self.body {
            Body::Select(select) => select.from.iter().for_each(|join| join.visit_tables(f)),
            Body::Values { .. } => {}
            Body::SetOps { first, rest, .. } => {
                first.visit_tables(f);
                rest.iter().for_each(|(.., plan)| plan.visit_tables(f));
            }
            Body::Recursive(recursion) => {
                recursion.anchors.iter().chain(&recursion.members).for_each(|plan| plan.visit_tables(f));
            }
        }
    }

    /// Slots of the blocks around level `inside` that the plan reads, each once; `None` where its result depends on
    /// more than those (random numbers, variables set on the way).
    pub fn outer_slots(&self, inside: u32) -> Option<Vec<Slot>> {
        let mut slots = Vec::new();
        let mut fixed = true;
        self.visit_all(&mut |e| match &e.kind {
            Kind::Column(slot) if slot.level < inside && !slots.contains(slot) => slots.push(*slot),
            Kind::Call(call) => fixed &= call.deterministic,
            Kind::AssignUserVar(..) | Kind::UserVar(_) => fixed = false,
            _ => {}
        });
        fixed.then_some(slots)
    }
}

impl SelectPlan {
    fn visit_all(&self, f: &mut dyn FnMut(&Expr)) {
        self.visit_upper(f);
        self.from.iter().for_each(|join| join.visit_all(f));
    }

    /// The expressions outside the block's joins.
    pub fn visit_upper(&self, f: &mut dyn FnMut(&Expr)) {
        let mut deep = |e: &Expr| visit_deep(e, f);
        self.constant_filter
            .iter()
            .chain(&self.filter)
            .chain(&self.having)
            .chain(&self.items)
            .for_each(&mut deep);
        if let Some(group) = &self.group {
            group.keys.iter().for_each(|key| visit_deep(&key.expr, f));
            group.aggregates.iter().for_each(|call| visit_aggregate(call, f));
        }
        self.windows.iter().flat_map(|windows| &windows.passes).for_each(|pass| visit_pass(pass, f));
        visit_tail(&self.tail, f);
    }

    /// Whether a condition is known to be false.
    pub fn is_impossible(&self) -> bool {
        self.constant_filter.iter().any(|e| match &e.kind {
            Kind::Const(value) => types::convert::to_bool(value) != Some(true),
            _ => false,
        })
    }

    /// The stored tables of its joins.
    fn visit_stored(&self, f: &mut dyn FnMut(&TableAccess)) {
        let mut stored = |table: &TableAccess| {
            if matches!(table.source, Source::Base(_)) {
                f(table);
            }
        };
        self.from.iter().for_each(|join| join.visit_tables(&mut stored));
    }

    /// Whether it goes through the whole of a stored table.
    pub fn reads_whole_table(&self) -> bool {
        let mut whole = false;
        self.visit_stored(&mut |table| whole |= table.access.reads_all());
        whole
    }

    /// Whether a row of a stored table must meet a condition.
    pub fn has_conditions(&self) -> bool {
        let mut any = !self.filter.is_empty();
        self.visit_stored(&mut |table| any |= !table.filter.is_empty() || !table.access.reads_all());
        any
    }
}

impl Join {
    /// Calls `f` for each table of the join.
    pub fn visit_tables(&self, f: &mut dyn FnMut(&TableAccess)) {
        match self {
            Join::Table(table) => f(table),
            Join::Inner(steps) => steps.iter().for_each(|(join, _)| join.visit_tables(f)),
            Join::Left { left, right, .. } => {
                left.visit_tables(f);
                right.visit_tables(f);
            }
            Join::Hash(hash) => hash.build.visit_tables(f),
        }
    }

    /// Calls `f` for each expression of the join.
    pub fn visit_all(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            Join::Table(table) => table.visit_all(f),
            Join::Inner(steps) => {
                for (join, conditions) in steps {
                    join.visit_all(f);
                    conditions.iter().for_each(|e| visit_deep(e, f));
                }
            }
            Join::Left { left, right, on, .. } => {
                left.visit_all(f);
                right.visit_all(f);
                on.iter().for_each(|e| visit_deep(e, f));
            }
            Join::Hash(hash) => {
                hash.build.visit_all(f);
                hash.keys.iter().chain(&hash.probe).for_each(|e| visit_deep(e, f));
            }
        }
    }
}

impl TableAccess {
    /// Calls `f` for each expression of how the table is read.
    pub fn visit_all(&self, f: &mut dyn FnMut(&Expr)) {
        self.filter.iter().for_each(|e| visit_deep(e, f));
        match &self.access {
            Access::Scan | Access::Index { .. } => {}
            Access::Point(_, keys) => keys.iter().for_each(|e| visit_deep(e, f)),
            Access::Ranges { ranges, .. } => ranges.iter().for_each(|range| visit_range(range, f)),
            Access::Union(members) => {
                members.iter().flat_map(|(_, ranges)| ranges).for_each(|range| visit_range(range, f));
            }
        }
        match &self.source {
            Source::Json(json) => visit_deep(&json.document, f),
            // Others see nothing of the rows around them, are made once, and number their slots anew.
            Source::Derived { plan, correlated: true, .. } => plan.visit_all(f),
            _ => {}
        }
    }
}

fn visit_aggregate(call: &AggregateCall, f: &mut dyn FnMut(&Expr)) {
    call.args.iter().for_each(|e| visit_deep(e, f));
    call.order_by.iter().for_each(|key| visit_deep(&key.expr, f));
}

fn visit_pass(pass: &WindowPass, f: &mut dyn FnMut(&Expr)) {
    pass.keys.iter().for_each(|key| visit_deep(&key.expr, f));
    for call in &pass.calls {
        call.args.iter().for_each(|e| visit_deep(e, f));
        if let WindowFunction::Aggregate(aggregate) = &call.function {
            visit_aggregate(aggregate, f);
        }
        for end in [&call.frame.start, &call.frame.end] {
            if let FrameEnd::Preceding(e) | FrameEnd::Following(e) = end {
                visit_deep(e, f);
            }
        }
    }
}

fn visit_range(range: &KeyRange, f: &mut dyn FnMut(&Expr)) {
    range.equal.iter().for_each(|(e, _)| visit_deep(e, f));
    range.low.iter().chain(&range.high).for_each(|(e, _)| visit_deep(e, f));
    range.starts_with.iter().for_each(|opening| visit_deep(&opening.pattern, f));
}

fn visit_tail(tail: &Tail, f: &mut dyn FnMut(&Expr)) {
    tail.order_by.iter().for_each(|key| visit_deep(&key.expr, f));
    tail.limit.iter().chain(&tail.offset).chain(&tail.rows_examined).for_each(|e| visit_deep(e, f));
}

/// An expression with all its parts, plans of subqueries included.
pub fn visit_deep(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    let mut plans = Vec::new();
    e.visit(&mut |e| {
        f(e);
        if let Kind::Subquery(subquery) = &e.kind {
            plans.push(subquery.clone());
        }
    });
    for subquery in plans {
        subquery.plan.visit_all(f);
    }
}
