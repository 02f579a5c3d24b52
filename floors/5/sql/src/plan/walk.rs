//! Walking plans: every expression of a query with all the queries inside it.
//!
//! `expressions` gives the whole expressions of a part of a plan, as they stand there. `Deep` goes through the parts of
//! these and the plans of their subqueries. A subquery may stand in several places (as a condition and as a bound of an
//! index, in the select list and in ORDER BY): it is entered once, or the walk would double with each level of nesting.

use super::window::{FrameEnd, WindowFunction, WindowPass};
use super::{Access, AggregateCall, Body, Join, KeyRange, QueryPlan, SelectPlan, Source, TableAccess, Tail};
use super::{SubqueryExpr, SubqueryForm};
use crate::expr::{Expr, Kind, Slot, Type};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A walk through expressions, their parts, and the plans of all subqueries below, each once.
struct Deep<'f> {
    each: &'f mut dyn FnMut(&Expr),
    /// Numbers of the subqueries entered.
    entered: HashSet<usize>,
}

impl<'f> Deep<'f> {
    fn new(each: &'f mut dyn FnMut(&Expr)) -> Self {
        Self { each, entered: HashSet::new() }
    }

    fn expr(&mut self, e: &Expr) {
        let mut found = Vec::new();
        e.visit(&mut |e| {
            (self.each)(e);
            if let Kind::Subquery(subquery) = &e.kind
                && self.entered.insert(subquery.number)
            {
                found.push(subquery.clone());
            }
        });
        for subquery in found {
            subquery.plan.expressions(&mut |e| self.expr(e));
        }
    }
}

/// Calls `f` for an expression and all its parts, plans of subqueries included.
pub fn visit_deep(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    Deep::new(f).expr(e);
}

/// The slots of the block at `level` that an expression reads.
pub fn slots_read(e: &Expr, level: u32) -> BTreeSet<u32> {
    let mut slots = BTreeSet::new();
    e.visit(&mut |e| match e.kind {
        Kind::Column(slot) if slot.level == level => drop(slots.insert(slot.index)),
        _ => {}
    });
    slots
}

impl QueryPlan {
    /// Whether it is a block that gives its row without going through a table: it names none, or its aggregates stand at
    /// the ends of indexes. MariaDB counts no such row for FOUND_ROWS() that goes elsewhere than to the client.
    pub fn is_uncounted(&self) -> bool {
        let Body::Select(select) = &self.body else { return false };
        let reads_none = select.from.is_none() && select.group.is_none();
        (reads_none || select.is_one_of_ends()) && select.windows.is_none() && !select.tail.calc_found_rows
    }

    /// Whether MariaDB knows what it gives as soon as it has planned it: it looks up rows by whole keys, or at the ends of
    /// indexes.
    pub fn looks_once(&self) -> bool {
        let Body::Select(select) = &self.body else { return false };
        let is_point = |table: &TableAccess| {
            matches!(table.source, Source::Base(_)) && matches!(table.access, Access::Point(..))
        };
        let mut once = select.from.is_some();
        select.from.iter().for_each(|join| join.visit_tables(&mut |table| once &= is_point(table)));
        once || select.is_one_of_ends()
    }

    /// Calls `f` for each expression of the plan, at every depth: parts of expressions and plans of subqueries too.
    pub fn visit_all(&self, f: &mut dyn FnMut(&Expr)) {
        let mut deep = Deep::new(f);
        self.expressions(&mut |e| deep.expr(e));
    }

    fn expressions(&self, f: &mut dyn FnMut(&Expr)) {
        match &self.body {
            Body::Select(select) => {
                select.upper_expressions(f);
                select.from.iter().for_each(|join| join.expressions(f));
            }
            Body::Values { rows, tail, .. } => {
                rows.iter().flatten().for_each(&mut *f);
                tail_expressions(tail, f);
            }
            Body::SetOps { first, rest, tail, .. } => {
                first.expressions(f);
                rest.iter().for_each(|(.., plan)| plan.expressions(f));
                tail_expressions(tail, f);
            }
            Body::Recursive(recursion) => {
                recursion.anchors.iter().chain(&recursion.members).for_each(|plan| plan.expressions(f));
            }
        }
    }

    /// Whether its result depends on nothing but the data: made twice, it is the same.
    pub fn is_fixed(&self) -> bool {
        let mut fixed = self.outer_slots(0).is_some();
        self.visit_every_table(&mut |table| match &table.source {
            Source::Derived { plan, .. } | Source::Distinct { plan, .. } => {
                fixed &= plan.outer_slots(0).is_some();
            }
            Source::Lateral(lateral) => fixed &= lateral.plan.outer_slots(0).is_some(),
            Source::Round(_) => fixed = false,
            Source::Base(_) | Source::Json(_) | Source::Virtual(_) | Source::Sequence(_) => {}
        });
        fixed
    }

    /// Calls `f` for each table that the query reads, inside of derived tables and subqueries too.
    pub fn visit_every_table(&self, f: &mut dyn FnMut(&TableAccess)) {
        self.visit_tables_past(&mut HashSet::new(), f);
    }

    /// `seen`: numbers of the derived tables looked into already; several places may share one.
    fn visit_tables_past(&self, seen: &mut HashSet<usize>, f: &mut dyn FnMut(&TableAccess)) {
        let mut look = |table: &TableAccess| {
            f(table);
            match &table.source {
                Source::Derived { plan, number } | Source::Distinct { plan, number, .. } => {
                    if seen.insert(*number) {
                        plan.visit_tables_past(seen, f);
                    }
                }
                Source::Lateral(lateral) => lateral.plan.visit_tables_past(seen, f),
                Source::Round(_)
                | Source::Base(_)
                | Source::Json(_)
                | Source::Virtual(_)
                | Source::Sequence(_) => {}
            }
        };
        self.visit_tables(&mut look);
        self.visit_all(&mut |e| {
            if let Kind::Subquery(subquery) = &e.kind {
                subquery.plan.visit_tables(&mut look);
            }
        });
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
            Kind::Call(call) => fixed &= call.is_stable(),
            Kind::AssignUserVar(..) | Kind::UserVar(_) => fixed = false,
            _ => {}
        });
        fixed.then_some(slots)
    }

    /// The select list, if it is one block.
    pub fn items(&self) -> &[Expr] {
        match &self.body {
            Body::Select(select) => &select.items,
            _ => &[],
        }
    }
}

impl SubqueryExpr {
    /// The subquery as an expression of the block at `level`.
    pub fn into_expr(mut self, level: u32, ty: Type) -> Expr {
        if self.correlated {
            self.reads = self.slots_read(level);
        }
        Expr { kind: Kind::Subquery(Arc::new(self)), ty }
    }

    /// Whether nothing of it is kept for the next row around.
    pub fn runs_again(&self) -> bool {
        self.correlated || self.drawn && matches!(self.form, SubqueryForm::Scalar | SubqueryForm::Exists)
    }

    fn slots_read(&self, level: u32) -> Option<Vec<Slot>> {
        let mut slots = self.plan.outer_slots(level + 1)?;
        let left: &[Expr] = match &self.form {
            SubqueryForm::Scalar | SubqueryForm::Column(_) | SubqueryForm::Exists => &[],
            SubqueryForm::In { left, .. } | SubqueryForm::RowCompare { left, .. } => left,
            SubqueryForm::Quantified { left, .. } => std::slice::from_ref(left),
        };
        let mut fixed = true;
        for e in left {
            visit_deep(e, &mut |e| match &e.kind {
                Kind::Column(slot) if slot.level <= level && !slots.contains(slot) => slots.push(*slot),
                Kind::Call(call) => fixed &= call.is_stable(),
                Kind::AssignUserVar(..) | Kind::UserVar(_) => fixed = false,
                _ => {}
            });
        }
        fixed.then_some(slots)
    }
}

/// Whether a condition is a constant that is not true.
fn is_false(e: &Expr) -> bool {
    matches!(&e.kind, Kind::Const(value) if types::convert::to_bool(value) != Some(true))
}

impl SelectPlan {
    /// Whether its one row is that of aggregates which stand at the ends of indexes.
    pub(super) fn is_one_of_ends(&self) -> bool {
        self.ends.is_some() && self.group.as_ref().is_some_and(|group| group.keys.is_empty())
    }

    /// Calls `f` for each expression outside the block's joins, at every depth.
    pub fn visit_upper(&self, f: &mut dyn FnMut(&Expr)) {
        let mut deep = Deep::new(f);
        self.upper_expressions(&mut |e| deep.expr(e));
    }

    /// The expressions outside the block's joins.
    pub fn upper_expressions(&self, f: &mut dyn FnMut(&Expr)) {
        let numbered = self.row_number.iter().flat_map(|number| number.limits.iter().chain(&number.filter));
        self.constant_filter
            .iter()
            .chain(&self.implied)
            .chain(&self.filter)
            .chain(numbered)
            .chain(self.waiting.iter().flat_map(|waiting| &waiting.conditions))
            .for_each(&mut *f);
        self.visit_result(f);
    }

    /// The expressions that make the block's result of the rows that its conditions keep.
    pub fn visit_result(&self, f: &mut dyn FnMut(&Expr)) {
        self.having.iter().chain(&self.items).for_each(&mut *f);
        if let Some(group) = &self.group {
            group.keys.iter().for_each(|key| f(&key.expr));
            group.aggregates.iter().for_each(|call| aggregate_expressions(call, f));
            group.variables.iter().for_each(|(_, e)| f(e));
        }
        self.windows.iter().flat_map(|windows| &windows.passes).for_each(|pass| pass_expressions(pass, f));
        tail_expressions(&self.tail, f);
    }

    /// Whether a condition is known to be false.
    pub fn is_impossible(&self) -> bool {
        self.constant_filter.iter().any(is_false)
    }

    /// Whether HAVING is known to be false.
    pub fn leaves_nothing(&self) -> bool {
        self.having.as_ref().is_some_and(|having| match &having.kind {
            Kind::And(all) => all.iter().any(is_false),
            _ => is_false(having),
        })
    }

    /// The stored tables of its joins.
    pub fn visit_stored(&self, f: &mut dyn FnMut(&TableAccess)) {
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
    pub fn visit_tables<'j>(&'j self, f: &mut dyn FnMut(&'j TableAccess)) {
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

    /// The table that has a slot.
    pub fn table_with(&self, slot: u32) -> Option<&TableAccess> {
        let mut found = None;
        self.visit_tables(&mut |table| found = found.or(table.slots.contains(&slot).then_some(table)));
        found
    }

    /// Whether none of the slots is of its tables.
    pub fn has_none_of(&self, slots: &BTreeSet<u32>) -> bool {
        let mut none = true;
        self.visit_tables(&mut |table| none &= slots.range(table.slots.clone()).next().is_none());
        none
    }

    /// The stored or made table whose rows it gives in their order, each with what is found for it.
    pub fn driver(&self) -> Option<&TableAccess> {
        match self {
            Join::Table(table) => Some(table),
            Join::Left { left, .. } => left.driver(),
            Join::Inner(_) | Join::Hash(_) => None,
        }
    }

    /// The table whose rows drive it.
    pub fn first_table(&self) -> &TableAccess {
        match self {
            Join::Table(table) => table,
            Join::Inner(steps) => steps[0].0.first_table(),
            Join::Left { left, .. } => left.first_table(),
            Join::Hash(hash) => hash.build.first_table(),
        }
    }

    /// How many tables it has.
    pub fn tables(&self) -> usize {
        let mut count = 0;
        self.visit_tables(&mut |_| count += 1);
        count
    }

    /// Calls `f` for each expression of the join, at every depth.
    pub fn visit_all(&self, f: &mut dyn FnMut(&Expr)) {
        let mut deep = Deep::new(f);
        self.expressions(&mut |e| deep.expr(e));
    }

    /// How many tables the steps of an inner join before one have.
    pub fn tables_before(&self, step: usize) -> usize {
        match self {
            Join::Inner(steps) => steps[..step].iter().map(|(join, _)| join.tables()).sum(),
            _ => 0,
        }
    }

    /// The expressions of the join.
    pub fn expressions(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            Join::Table(table) => table.expressions(f),
            Join::Inner(steps) => {
                for (join, conditions) in steps {
                    join.expressions(f);
                    conditions.iter().for_each(&mut *f);
                }
            }
            Join::Left { left, right, on, .. } => {
                left.expressions(f);
                right.expressions(f);
                on.iter().for_each(f);
            }
            Join::Hash(hash) => {
                hash.build.expressions(f);
                hash.keys.iter().chain(&hash.probe).for_each(f);
            }
        }
    }
}

impl TableAccess {
    /// The expressions of how the table is read. A query that its rows come from sees nothing of the rows around it, and
    /// numbers its slots anew.
    pub fn expressions(&self, f: &mut dyn FnMut(&Expr)) {
        self.filter.iter().for_each(&mut *f);
        self.access.expressions(f);
        match &self.source {
            Source::Json(json) => f(&json.document),
            Source::Lateral(lateral) => lateral.keys.iter().for_each(f),
            _ => {}
        }
    }
}

impl Access {
    /// The expressions of its keys and bounds.
    pub fn expressions(&self, f: &mut dyn FnMut(&Expr)) {
        match self {
            Access::Scan | Access::Index { .. } => {}
            Access::Point(_, keys) => keys.iter().for_each(f),
            Access::Ranges { ranges, .. } => ranges.iter().for_each(|range| range_expressions(range, f)),
            Access::Union(members) => {
                members.iter().flat_map(|(_, ranges)| ranges).for_each(|range| range_expressions(range, f));
            }
        }
    }
}

fn aggregate_expressions(call: &AggregateCall, f: &mut dyn FnMut(&Expr)) {
    call.args.iter().for_each(&mut *f);
    call.order_by.iter().for_each(|key| f(&key.expr));
}

fn pass_expressions(pass: &WindowPass, f: &mut dyn FnMut(&Expr)) {
    pass.keys.iter().for_each(|key| f(&key.expr));
    for call in &pass.calls {
        call.args.iter().for_each(&mut *f);
        if let WindowFunction::Aggregate(aggregate) = &call.function {
            aggregate_expressions(aggregate, f);
        }
        for end in [&call.frame.start, &call.frame.end] {
            if let FrameEnd::Preceding(e) | FrameEnd::Following(e) = end {
                f(e);
            }
        }
    }
}

fn range_expressions(range: &KeyRange, f: &mut dyn FnMut(&Expr)) {
    range.equal.iter().for_each(|(e, _)| f(e));
    range.low.iter().chain(&range.high).for_each(|(e, _)| f(e));
    range.starts_with.iter().for_each(|opening| f(&opening.pattern));
}

fn tail_expressions(tail: &Tail, f: &mut dyn FnMut(&Expr)) {
    tail.order_by.iter().for_each(|key| f(&key.expr));
    tail.limit.iter().chain(&tail.offset).chain(&tail.rows_examined).for_each(f);
}
