//! Where conditions are checked, in which order tables are joined, and whether an index gives the wanted order.
//!
//! Conditions go to the first place where all their columns are known. What follows from equalities is added first
//! (`equal`), `IN (query)` becomes a join with the query's different rows where it may, `joins` finds the order and the
//! way of each join, `access` how each table's rows are found.

pub(super) use super::access::taken::settle;
use super::equal::Classes;
use super::estimate::{self, TableFacts};
use super::goal::{Driving, Goal, SURELY_CHEAPER};
use super::hash;
use super::joins;
use super::{
    Access, AggregateCall, Group, Join, RowSlots, SelectPlan, Source, TableAccess, absent, access, apart,
    beforehand, clocks, dates, determined, different, eliminate, ends, equal, exists, factor, grouped, inner,
    lateral, outward, presort, probe, push, row_number, semi, sure, waiting,
};
use crate::bind::{Binder, Scope};
use crate::error::SqlError;
use crate::expr::{CompareOp, Expr, Kind, Slot, build};
use std::collections::BTreeSet;
use types::CollationId;

mod condition;
mod members;
mod sides;

pub use condition::{Condition, tells};
use condition::{sort_by_effort, without_implied};

/// Places the conditions of a block's WHERE and inner joins, orders its joins, chooses how tables are read.
pub fn optimize(
    plan: &mut SelectPlan,
    mut conditions: Vec<Expr>,
    (scope, given): (&Scope<'_>, &[u32]),
    binder: &mut Binder<'_>,
) -> Result<(), SqlError> {
    let level = plan.level;
    clocks::settle(plan, &mut conditions, binder);
    row_number::split(plan, &mut conditions, scope);
    push::having_into_rows(plan, &mut conditions);
    let of_where = conditions.len();
    plan.from = plan.from.take().map(|join| inner::make(join, &mut conditions, level));
    conditions[of_where..].iter_mut().for_each(build::find_zero_dates);
    plan.from = plan.from.take().map(|join| outward::move_out(join, &mut conditions, scope));
    plan.from.iter_mut().for_each(|join| absent::mark(join, &mut conditions, level));
    absent::contradict(&mut conditions, level);
    eliminate::leave_out(plan, &conditions);
    if plan.from.is_some() {
        conditions = sure::leave_out(conditions, binder)?;
        conditions = dates::on_columns(conditions, binder)?;
    }
    if let Some(join) = &mut plan.from {
        exists::by_membership(join, &mut conditions, level, binder)?;
        semi::joins_of(join, &mut conditions, scope, binder)?;
        conditions.iter_mut().try_for_each(|e| match e.kind {
            // By itself it is asked as often as there are rows.
            Kind::Subquery(_) => Ok(()),
            _ => exists::in_turn(e, level, binder),
        })?;
        if plan.tail.limit.is_none() {
            probe::make_for_many(join, &mut conditions, level, binder);
        }
        plan.width = scope.width.get() as usize;
    }
    let mut tables = Vec::new();
    plan.from.iter().for_each(|join| join.visit_tables(&mut |table| tables.push(table.slots.clone())));
    let conditions = factor::factor(conditions, &tables, level);
    let (classed, classes) = equal::propagate(conditions, level);
    plan.implied = equal::said_beforehand(&classed, &classes, level);
    determined::settle_keys(plan, &classed, &classes);
    let restated = equal::restated(&classed, &classes, &tables, level);
    plan.group.iter_mut().for_each(|group| grouped::find_lone(group, &classed));
    if let Some(join) = plan.from.as_mut().filter(|join| push::has_derived(join)) {
        let mut conditions: Vec<Expr> = classed.iter().map(|c| c.expr.clone()).collect();
        conditions.extend(restated.iter().map(|(e, _)| e.clone()));
        push::into_derived(join, &conditions, level, binder);
        if lateral::has_groups(join) {
            lateral::in_join(join, &conditions, level, binder)?;
        }
        waiting::plan_all(join, binder)?;
    }
    let said = restated.into_iter().filter(|(e, _)| equal::is_bound(e));
    let said = said.map(|(e, class)| Condition { implied: Some(class), ..Condition::new(e, level) });
    let own = classed.into_iter().map(|c| Condition { class: c.class, ..Condition::new(c.expr, level) });
    let conditions: Vec<Condition> = own.chain(said).collect();
    plan.early = ends::EarlyEnds::find(plan, &conditions, binder);
    let first_rows = place_all(plan, conditions, &classes, (scope, given), binder)?;
    presort::presort(plan, &classes, binder)?;
    apart::forget_distinct(plan);
    grouped::take_from_index(plan);
    keep_for_groups(plan, scope);
    grouped::find_ordered(plan);
    grouped::by_index(plan, binder);
    grouped::of_join(plan, &classes);
    if first_rows {
        grouped::first_groups(plan, &classes);
    }
    ends::find(plan, binder);
    if !plan.from.as_ref().is_some_and(joins::locks_rows) {
        hash::prune(plan);
    }
    presort::pass_over(plan);
    different::find_first_rows(plan);
    grouped::find_reordered(plan);
    Ok(())
}

/// Whether a condition wants a column to be other than itself.
pub fn is_never_true(e: &Expr) -> bool {
    let (left, right) = match &e.kind {
        Kind::Compare(CompareOp::Ne | CompareOp::Lt | CompareOp::Gt, _, left, right) => (&**left, &**right),
        // Of bytes nothing else is like them.
        Kind::Like { operands, negated: true, collation: CollationId::BINARY, .. } => {
            (&operands[0], &operands[1])
        }
        _ => return false,
    };
    match (&left.kind, &right.kind) {
        (Kind::Column(a), Kind::Column(b)) => a == b,
        _ => false,
    }
}

/// Whether a condition looks through an XML document, or has a subquery that is drawn anew each time: changes ask it for
/// each row, whatever it reads.
fn is_asked_again(e: &Expr) -> bool {
    let mut again = false;
    e.visit(&mut |e| {
        again |= match &e.kind {
            Kind::Call(call) => matches!(call.name, "extractvalue" | "updatexml"),
            Kind::Subquery(subquery) => subquery.runs_again(),
            _ => false,
        };
    });
    again
}

/// Places a block's conditions and joins; tells whether its first rows are made, one by one.
fn place_all(
    plan: &mut SelectPlan,
    conditions: Vec<Condition>,
    classes: &Classes,
    (scope, given): (&Scope<'_>, &[u32]),
    binder: &mut Binder<'_>,
) -> Result<bool, SqlError> {
    let changes = plan.from.as_ref().is_some_and(joins::locks_rows);
    let mut beforehand = Vec::new();
    if !changes {
        conditions.iter().for_each(|c| beforehand::read(&c.expr, &mut beforehand));
    }
    let once = |c: &Condition| c.slots.is_empty() && !c.late && !(changes && is_asked_again(&c.expr));
    let (constant, rest): (Vec<_>, Vec<_>) =
        conditions.into_iter().partition(|c| once(c) || is_never_true(&c.expr));
    let known = |c: Condition| match c.slots.is_empty() {
        true => c.expr,
        false => Expr { kind: Kind::Const(types::Value::Int(0)), ty: c.expr.ty },
    };
    plan.constant_filter = constant.into_iter().map(known).collect();
    plan.read_beforehand = beforehand;
    let Some(join) = plan.from.take() else {
        plan.filter = rest.into_iter().map(|c| c.expr).collect();
        (plan.rows, plan.cost) = (1.0, 1.0);
        return Ok(false);
    };
    let late = rest.iter().any(|condition| condition.late);
    let goal =
        if changes || matches!(join, Join::Table(_)) { None } else { Goal::of(plan, late, classes, binder) };
    let alone = plan.level == 0 && matches!(join, Join::Table(_));
    let outermost = plan.level == 0 && joins::may_hash(&join, plan.level);
    let buffers = hash::Buffers::of(&binder.state.vars);
    let ordered = !hides_order(plan);
    let mut planner = Planner {
        scope,
        classes,
        binder,
        level: plan.level,
        alone,
        outermost,
        changes,
        changes_all: changes && plan.tail.limit.is_none(),
        ordered,
        buffers,
        goal,
        driving: None,
        first_rows: false,
    };
    let known = plan.row_number.iter().map(|number| &number.slot.index).chain(given).copied().collect();
    let placed = planner.place(join, rest, &known, 1.0)?;
    let first_rows = planner.first_rows;
    plan.width = scope.width.get() as usize;
    (plan.rows, plan.cost) = (placed.rows, placed.cost);
    if let Some(group) = &plan.group {
        plan.rows = estimate::groups(plan.rows, &group.keys, &|slot| distinct_of(&placed.join, slot.index));
    }
    if let Some(Kind::Const(types::Value::Int(most))) = plan.tail.limit.as_ref().map(|e| &e.kind) {
        plan.rows = plan.rows.min(*most as f64);
    }
    plan.from = Some(placed.join);
    plan.filter = placed.left_over.into_iter().map(|c| c.expr).collect();
    Ok(first_rows)
}

/// Whether nothing tells in which order a block's join gave its rows: they are sorted, or counted and summed up, and nothing
/// is read of the first of a group.
pub fn hides_order(plan: &SelectPlan) -> bool {
    match &plan.group {
        _ if plan.row_number.is_some() => false,
        Some(group) => {
            let lists = group.aggregates.iter().any(AggregateCall::lists);
            !group.as_found && !lists && !reads_first_rows(plan, group)
        }
        None => !plan.tail.order_by.is_empty() && plan.windows.is_none(),
    }
}

/// Whether columns are read behind grouping that are no keys.
fn reads_first_rows(plan: &SelectPlan, group: &Group) -> bool {
    let is_key = |e: &Expr| group.keys.iter().any(|key| key.expr.same(e));
    let mut reads = false;
    plan.visit_upper(&mut |e| {
        if let Kind::Column(slot) = e.kind
            && slot.level == plan.level
        {
            let aggregate = group.aggregates.iter().any(|call| call.slots().any(|own| own == slot.index));
            reads |= !aggregate && !is_key(e);
        }
    });
    reads
}

/// Different values of a column of a join.
fn distinct_of(join: &Join, slot: u32) -> Option<f64> {
    let table = join.table_with(slot)?;
    Some(TableFacts::of(table).distinct_column(table, table.column_at(slot)?))
}

/// Finds what groups must keep of their first rows; of the one group of all rows the last row's, where subqueries of its
/// aggregates read it. What else is given of the first row has places of its own then.
fn keep_for_groups(plan: &mut SelectPlan, scope: &Scope<'_>) {
    let Some(mut group) = plan.group.take() else { return };
    let level = plan.level;
    let note = |slots: &mut BTreeSet<u32>, e: &Expr| match e.kind {
        Kind::Column(slot) if slot.level == level => {
            slots.insert(slot.index);
        }
        _ => {}
    };
    let lone = group.keys.is_empty() && group.rollup.is_empty();
    let last = if lone { read_last(plan, &group, &note) } else { BTreeSet::new() };
    if !last.is_empty() && group.variables.is_empty() {
        let variables = &mut group.variables;
        for e in plan.items.iter_mut().chain(&mut plan.having) {
            e.replace(&mut |e| {
                let of_last =
                    matches!(e.kind, Kind::Column(slot) if slot.level == level && last.contains(&slot.index));
                of_last.then(|| {
                    let known = variables.iter().find(|(_, of)| of.same(e)).map(|(index, _)| *index);
                    let index = known.unwrap_or_else(|| {
                        let index = scope.reserve(1);
                        variables.push((index, e.clone()));
                        index
                    });
                    Expr { kind: Kind::Column(Slot { level, index }), ty: e.ty.clone() }
                })
            });
        }
        plan.width = scope.width.get() as usize;
    }
    let mut kept = BTreeSet::new();
    plan.visit_upper(&mut |e| note(&mut kept, e));
    if let Some(windows) = &plan.windows {
        kept.extend(&windows.slots);
    }
    for call in &group.aggregates {
        call.slots().for_each(|slot| {
            kept.remove(&slot);
        });
    }
    kept.extend(&group.rollup);
    group.kept = kept.into_iter().collect();
    let lasting = group.kept.iter().copied().enumerate().filter(|(_, slot)| last.contains(slot));
    group.lasting = lasting.collect();
    plan.group = Some(group);
}

/// The columns that subqueries of the one group's aggregates read, and no other subquery.
fn read_last(plan: &SelectPlan, group: &Group, note: &dyn Fn(&mut BTreeSet<u32>, &Expr)) -> BTreeSet<u32> {
    let of_aggregates =
        |slots: &BTreeSet<u32>| group.aggregates.iter().any(|call| slots.contains(&call.slot));
    let (mut first, mut last) = (BTreeSet::new(), BTreeSet::new());
    // Windows and variables are computed of the first row's columns where these are.
    let apart = plan.windows.is_none() && group.variables.is_empty();
    plan.upper_expressions(&mut |e| {
        e.visit(&mut |e| {
            if !apart {
                note(&mut first, e);
            }
            if let Kind::Subquery(subquery) = &e.kind {
                e.visit(&mut |left| note(&mut first, left));
                let mut read = BTreeSet::new();
                subquery.plan.visit_all(&mut |e| note(&mut read, e));
                if of_aggregates(&read) { last.extend(read) } else { first.extend(read) }
            }
        })
    });
    last.retain(|slot| {
        !first.contains(slot) && group.aggregates.iter().all(|call| call.slots().all(|of| of != *slot))
    });
    last
}

struct Planner<'p, 's, 'b> {
    scope: &'p Scope<'s>,
    classes: &'p Classes,
    binder: &'p mut Binder<'b>,
    level: u32,
    /// The block has one table, and runs once.
    alone: bool,
    /// It runs once.
    outermost: bool,
    /// It locks rows, and so may change them.
    changes: bool,
    /// All rows found so.
    changes_all: bool,
    /// The order of its rows shows.
    ordered: bool,
    /// Where rows around joins may be kept.
    buffers: hash::Buffers,
    /// What the join that is placed next is after, if that is not all rows.
    goal: Option<Goal>,
    /// The table that is placed next drives the block; so many of its rows are wanted, as the goal says.
    driving: Option<Driving>,
    /// The block's first rows are made, one by one.
    first_rows: bool,
}

/// A join in its place.
struct Placed {
    join: Join,
    /// Conditions to be checked behind it.
    left_over: Vec<Condition>,
    /// Rows expected of one run.
    rows: f64,
    cost: f64,
}

/// Rows that a whole table may have to be read in the order of an index only because MariaDB does so.
const SHOWN_ROWS: f64 = 2000.0;

/// How often a block that reads rows around it is taken to run: what is kept for all its runs is worth as much.
const RUNS: f64 = 100.0;

impl Planner<'_, '_, '_> {
    /// Places `conditions` in `join`, which runs once for each of about `runs` rows, when the slots in `known` have
    /// values.
    fn place(
        &mut self,
        join: Join,
        conditions: Vec<Condition>,
        known: &BTreeSet<u32>,
        runs: f64,
    ) -> Result<Placed, SqlError> {
        match join {
            Join::Table(table) => self.place_table(table, conditions, known),
            Join::Inner(steps) => self.place_inner(steps, conditions, known, runs),
            Join::Left { left, right, on, right_slots, absent } => {
                self.place_left((*left, *right, absent), on, right_slots, conditions, known, runs)
            }
            Join::Hash(_) => Err(SqlError::internal_error("place a hash join")),
        }
    }

    fn place_left(
        &mut self,
        (left, right, absent): (Join, Join, bool),
        on: Vec<Expr>,
        right_slots: Vec<u32>,
        conditions: Vec<Condition>,
        known: &BTreeSet<u32>,
        runs: f64,
    ) -> Result<Placed, SqlError> {
        let of_right: BTreeSet<u32> = right_slots.iter().copied().collect();
        let mut known_right = known.clone();
        known_right.extend(slots_of(&left));
        let touches = |c: &Condition| c.late || !c.slots.is_disjoint(&of_right);
        let (behind, to_left): (Vec<_>, Vec<_>) = conditions.into_iter().partition(touches);
        self.drive(&left, &to_left, absent || !behind.is_empty(), known)?;
        // Subqueries that read nothing of the right side are asked before it is looked at.
        let early = !absent && !self.changes;
        let (asked, behind): (Vec<_>, Vec<_>) =
            behind.into_iter().partition(|c| early && c.may_be_asked(&known_right, self.level));
        let alone = absent.then(|| absent::part(&left, &right, &on, self.level));
        let mut left = self.place(left, to_left, known, runs)?;
        if !asked.is_empty() {
            let asked = asked.into_iter().map(|c| c.expr).collect();
            left.join = Join::Inner(vec![(left.join, asked)]);
        }
        self.goal = None;
        let on: Vec<Condition> = on.into_iter().map(|e| Condition::new(e, self.level)).collect();
        let around = left.rows * runs;
        let by_hash = self.left_by_hash((&right, absent), &on, &of_right, around)?;
        let buffers = self.buffers;
        let once = self.around(buffers.outer, (std::iter::once(&left.join), left.rows), runs);
        self.buffers = buffers.inside_outer();
        let (right, each) = match by_hash {
            Some(looked_up) => (self.hashed(right, on, &of_right, once, looked_up)?, access::cost::PROBE),
            None => {
                let placed = self.place(right, on, &known_right, around)?;
                let each = if absent { placed.cost / placed.rows.max(1.0) } else { placed.cost };
                (placed, each)
            }
        };
        self.buffers = buffers;
        let mut left_over = left.left_over;
        left_over.extend(behind);
        let rows = left.rows * alone.unwrap_or(right.rows.max(1.0));
        let built = if matches!(right.join, Join::Hash(_)) { right.cost } else { 0.0 };
        Ok(Placed {
            join: Join::Left {
                left: Box::new(left.join),
                right: Box::new(right.join),
                on: right.left_over.into_iter().map(|c| c.expr).collect(),
                right_slots,
                absent,
            },
            left_over,
            rows,
            cost: left.cost + built + left.rows * each,
        })
    }

    /// Has a table drive the left side of an outer join where the first rows of it do.
    fn drive(
        &mut self,
        left: &Join,
        conditions: &[Condition],
        late: bool,
        known: &BTreeSet<u32>,
    ) -> Result<(), SqlError> {
        let Some(mut goal) = self.goal.take() else { return Ok(()) };
        if late {
            goal.wait();
        }
        let Some(table) = left.driver() else {
            self.goal = Some(goal);
            return Ok(());
        };
        let late = late || absent::leaves_out_rows(left);
        let own: Vec<Condition> = conditions
            .iter()
            .filter(|c| c.slots.iter().all(|slot| table.slots.contains(slot)))
            .cloned()
            .collect();
        let facts = TableFacts::of(table);
        let choice = self.choose(table, &facts, &own, known)?;
        let part = goal.part(table, choice.rows, choice.rows);
        let price = goal.price_in_order(table, &facts, &choice, &own, self.level, self.binder)?;
        if let Some(price) = price
            && price * part * SURELY_CHEAPER < choice.cost
        {
            self.first_rows = true;
            self.driving = Some(Driving::InOrder(goal, choice.rows * part));
        } else if !late {
            self.driving = goal.first_of(table, conditions, choice.rows);
        }
        Ok(())
    }

    fn choose(
        &mut self,
        table: &TableAccess,
        facts: &TableFacts,
        conditions: &[Condition],
        known: &BTreeSet<u32>,
    ) -> Result<access::Choice, SqlError> {
        let params = self.binder.params;
        let (alone, state) = (self.alone, &mut *self.binder.state);
        let choice = access::choose(table, facts, conditions, known, self.level, (params, alone), state)?;
        let changed = alone && self.changes_all && table.target.is_some() && !state.vars.sql_safe_updates;
        Ok(if changed { access::taken::of_change(choice, table, facts) } else { choice })
    }

    fn place_table(
        &mut self,
        mut table: Box<TableAccess>,
        conditions: Vec<Condition>,
        known: &BTreeSet<u32>,
    ) -> Result<Placed, SqlError> {
        let driving = self.driving.take();
        table.want_columns(|slot| self.scope.is_used(slot));
        let mut reach = known.clone();
        reach.extend(table.slots.clone());
        let (mut ready, left_over): (Vec<_>, Vec<_>) =
            conditions.into_iter().partition(|c| c.is_ready(&reach));
        sort_by_effort(&mut ready);
        let facts = TableFacts::of(&table);
        let choice = self.choose(&table, &facts, &ready, known)?;
        let own: BTreeSet<u32> = table.slots.clone().collect();
        let looks_around = ready.iter().any(|c| c.outer && hash::sides(c, &own, self.level).is_some());
        let free = table.lock.is_none() && table.target.is_none();
        let mut finds_by_around = false;
        choice.access.expressions(&mut |e| finds_by_around |= e.reads_column());
        // All rows, or many of them, whatever stands around.
        let same = choice.is_scan() || !finds_by_around && choice.scanned >= probe::ROWS_MIN;
        if looks_around && same && known.is_empty() && free && driving.is_none() {
            // A block that runs for each row around it: its rows are kept by what it looks for.
            let alone = choice.cost + choice.rows * access::cost::BUILD;
            if alone < choice.cost * RUNS {
                let mut placed = self.hashed(Join::Table(table), ready, &own, None, true)?;
                let later = std::mem::take(&mut placed.left_over);
                let conditions = later.into_iter().map(|c| c.expr).collect();
                let join = Join::Inner(vec![(placed.join, conditions)]);
                return Ok(Placed { join, left_over, ..placed });
            }
        }
        let (rows, cost) = (choice.rows, choice.cost);
        // In a table of some size this would cost more than the order is worth.
        let shows =
            (self.ordered || self.alone) && self.level == 0 && known.is_empty() && facts.rows <= SHOWN_ROWS;
        let covering = match &table.source {
            Source::Base(base) if shows && free && matches!(choice.access, Access::Scan) => {
                let one_offset = self.binder.state.keeps_one_offset();
                let (table, level) = (&table, self.level);
                let finder = access::Finder { table, base, conditions: &ready, known, level, one_offset };
                finder.covering()
            }
            Source::Base(base) if shows && table.target.is_some() && choice.is_scan() => {
                base.def().keeping_index().map(|index| (Access::Index { index, reverse: false }, Vec::new()))
            }
            _ => None,
        };
        let choice = match covering {
            Some((access, answered)) => access::Choice { access, answered, ..choice },
            None => choice,
        };
        settle(&mut table, ready, choice);
        let (rows, cost) = match driving {
            None => (rows, cost),
            Some(Driving::InOrder(goal, wanted)) => {
                goal.take_order(&mut table, wanted, self.level, self.binder)?;
                (wanted, cost * (wanted / rows.max(1.0)).min(1.0))
            }
            Some(Driving::Sorted(first, wanted)) => {
                table.first = Some(Box::new(first));
                (wanted, cost)
            }
        };
        Ok(Placed { join: Join::Table(table), left_over, rows, cost })
    }

    fn place_inner(
        &mut self,
        steps: Vec<(Join, Vec<Expr>)>,
        mut conditions: Vec<Condition>,
        known: &BTreeSet<u32>,
        runs: f64,
    ) -> Result<Placed, SqlError> {
        let mut waiting: Vec<Option<Join>> = Vec::with_capacity(steps.len());
        for (mut join, extra) in steps {
            conditions.extend(extra.into_iter().map(|e| Condition::new(e, self.level)));
            if let Join::Table(table) = &mut join {
                table.want_columns(|slot| self.scope.is_used(slot));
            }
            waiting.push(Some(join));
        }
        let goal = self.goal.take();
        let (order, first_rows) = self.join_order(&waiting, &conditions, known, goal.as_ref())?;
        if let (Some(goal), Some(wanted), Some(first)) = (goal, first_rows, order.first()) {
            self.first_rows = true;
            self.driving = match wanted.sorted {
                true => {
                    waiting[first.unit].as_ref().and_then(|join| goal.sorted(join.first_table(), first.rows))
                }
                false => Some(Driving::InOrder(goal, first.rows * wanted.part)),
            };
        }
        let part = first_rows.map_or(1.0, |first| first.part);
        let mut fewest_behind = fewest_behind(&order).into_iter();
        // What keeps rows out of a hash table stays there.
        let by_hash = order.iter().filter(|step| step.hash).filter_map(|step| waiting[step.unit].as_ref());
        let kept: BTreeSet<u32> = by_hash.flat_map(slots_of).collect();
        let mut known = known.clone();
        let mut ordered: Vec<(Join, Vec<Expr>)> = Vec::with_capacity(waiting.len());
        let (mut rows, mut cost) = (1.0, 0.0);
        for step in order {
            let Some(join) = waiting[step.unit].take() else { continue };
            let own = slots_of(&join);
            let mut reach = known.clone();
            reach.extend(own.iter().copied());
            let here = |c: Condition| match c.slots.is_disjoint(&kept) {
                true => c.said_of(&reach, self.classes, self.level),
                false => c,
            };
            let (ready, rest): (Vec<_>, Vec<_>) =
                conditions.into_iter().map(here).partition(|c| c.is_ready(&reach));
            let ask = fewest_behind.next().is_some_and(|fewest| step.rows <= fewest) && !self.changes;
            let (asked, rest): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|c| ask && c.may_be_asked(&reach, self.level));
            conditions = rest;
            let placed = match step.hash {
                true => {
                    let before = (ordered.iter().map(|(join, _)| join), rows);
                    let once = self.around(self.buffers.inner, before, runs);
                    self.hashed(join, ready, &own, once, step.looked_up)?
                }
                false => self.place(join, without_implied(ready), &known, rows * runs)?,
            };
            let conditions = placed.left_over.into_iter().chain(asked).map(|c| c.expr).collect();
            // A table that keeps its rows by what is looked for is a step with conditions itself.
            match placed.join {
                Join::Inner(mut inner) if inner.len() == 1 => {
                    inner[0].1.extend(conditions);
                    ordered.append(&mut inner);
                }
                join => ordered.push((join, conditions)),
            }
            (rows, cost) = (step.rows * part, step.cost * part + step.made);
            known = reach;
        }
        Ok(Placed { join: Join::Inner(ordered), left_over: conditions, rows, cost })
    }
}

/// The fewest rows that come behind any of the steps that follow each, for all but the last one.
fn fewest_behind(order: &[joins::Step]) -> Vec<f64> {
    let mut fewest = f64::INFINITY;
    let following = order.iter().skip(1).rev().map(|step| {
        fewest = fewest.min(step.rows);
        fewest
    });
    let mut behind: Vec<f64> = following.collect();
    behind.reverse();
    behind
}

/// The slots that a join gives values to.
pub fn slots_of(join: &Join) -> BTreeSet<u32> {
    let mut slots = BTreeSet::new();
    join.visit_tables(&mut |table| {
        slots.extend(table.slots.clone());
        slots.extend(table.target.into_iter().flat_map(RowSlots::all));
    });
    slots
}
