//! Grouped derived tables of which only some groups are made: those that the rows around ask for.
//!
//! In `a JOIN (SELECT x, SUM(v) s FROM b GROUP BY x) t ON t.x = a.y` all groups of `b` are made, though few rows of `a`
//! may be left to ask for one. Where an index finds a group's rows, the query is run for each row of `a` instead, its
//! `x` being that row's `y` (MariaDB's LATERAL DERIVED). The keys asked for stand in slots of the query's own frame.

use super::access::{self, cost};
use super::estimate::{self, TableFacts};
use super::order::Condition;
use super::walk::visit_deep;
use super::{Body, Join, QueryPlan, SelectPlan, Source, TableAccess, Tail, hash};
use crate::bind::Binder;
use crate::error::SqlError;
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot, build};
use std::collections::BTreeSet;
use std::sync::Arc;
use types::table::IndexPart;

/// A query that is run for each row around.
#[derive(Debug)]
pub struct Lateral {
    /// The query.
    pub plan: QueryPlan,
    /// What is asked for, read from the rows around. There are no rows for a NULL.
    pub keys: Vec<Expr>,
    /// Where the query finds it: slots of its own frame.
    pub slots: Vec<u32>,
}

/// Has the derived tables of a join run for each row around where that is cheaper.
pub fn in_join(
    join: &mut Join,
    conditions: &[Expr],
    level: u32,
    binder: &mut Binder<'_>,
) -> Result<(), SqlError> {
    match join {
        Join::Inner(steps) => {
            let own = steps.iter().flat_map(|(_, own)| own);
            let all: Vec<Expr> = conditions.iter().chain(own).cloned().collect();
            for at in 0..steps.len() {
                let others = steps.iter().enumerate().filter(|(other, _)| *other != at);
                let others: Vec<&Join> = others.map(|(_, (join, _))| join).collect();
                match asked_for(&steps[at].0, &others, (&all, &all), level, binder) {
                    Some(asked) => make(&mut steps[at].0, asked, binder)?,
                    None => in_join(&mut steps[at].0, &all, level, binder)?,
                }
            }
        }
        Join::Left { left, right, on, .. } => {
            in_join(left, conditions, level, binder)?;
            if let Some(asked) = asked_for(right, &[left], (on, conditions), level, binder) {
                make(right, asked, binder)?;
            }
        }
        Join::Table(_) | Join::Hash(_) => {}
    }
    Ok(())
}

/// Whether a join has derived tables that might be run so.
pub fn has_groups(join: &Join) -> bool {
    let mut has = false;
    join.visit_tables(&mut |table| has |= groups_of(table).is_some());
    has
}

/// A grouped query over stored tables that a derived table is, if it is not planned yet.
fn groups_of(table: &TableAccess) -> Option<&SelectPlan> {
    let Source::Derived { plan, .. } = &table.source else { return None };
    let Body::Select(select) = &plan.body else { return None };
    let mut stored = select.waiting.is_some() && select.group.is_some() && select.lock.is_none();
    select.from.iter().for_each(|join| {
        join.visit_tables(&mut |inner| stored &= matches!(inner.source, Source::Base(_)));
    });
    stored.then_some(&**select)
}

/// What is asked of groups: keys, as the rows around have them, and the grouping columns that they equal.
type Asked = Vec<(Expr, Comparison, Expr)>;

/// What `on` asks of a derived table's groups, where it is cheaper to make just those. `conditions`: what the rows
/// around must meet.
fn asked_for(
    join: &Join,
    around: &[&Join],
    (on, conditions): (&[Expr], &[Expr]),
    level: u32,
    binder: &mut Binder<'_>,
) -> Option<Asked> {
    let Join::Table(table) = join else { return None };
    let select = groups_of(table)?;
    let known =
        |slot: Slot| slot.level == level && around.iter().any(|join| join.table_with(slot.index).is_some());
    // Rows around that ask by a column.
    let mut asking = |key: &Expr| {
        let read = |t: &TableAccess| matches!(key.kind, Kind::Column(s) if t.slots.contains(&s.index));
        let rows = around.iter().map(|join| estimate::rows_of(join, conditions, &read, level, binder));
        rows.fold(f64::INFINITY, f64::min)
    };
    let mut asked: Asked = Vec::new();
    for e in on {
        let Kind::Compare(CompareOp::Eq, how, left, right) = &e.kind else { continue };
        for (own, other) in [(left, right), (right, left)] {
            let Some(column) = table.column_of(own, level) else { continue };
            let item = &select.items[column];
            let is_key = || select.group.iter().flat_map(|group| &group.keys).any(|key| key.expr.same(item));
            let reads = matches!(&other.kind, Kind::Column(slot) if known(*slot));
            let own_column = matches!(item.kind, Kind::Column(slot) if slot.level == select.level);
            if !reads || !own_column || !is_key() || !hash::is_exact(*how, &other.ty, &item.ty) {
                continue;
            }
            let ask = ((**other).clone(), *how, item.clone());
            match asked.iter_mut().find(|(_, _, key)| key.same(item)) {
                None => asked.push(ask),
                // Of columns that are equal the one is read of which there are fewer.
                Some(held) if asking(other) < asking(&held.0) => *held = ask,
                Some(_) => {}
            }
        }
    }
    let each = cost_of_group(select, &asked)?;
    let runs = asked.iter().map(|(key, ..)| asking(key)).fold(f64::INFINITY, f64::min);
    (runs * each * cost::SURELY_CHEAPER < cost_of_all(select, binder)?).then_some(asked)
}

/// What it costs to make all groups: as much of all rows as the table leaves that conditions of its own bound most.
fn cost_of_all(select: &SelectPlan, binder: &mut Binder<'_>) -> Option<f64> {
    let waiting = select.waiting.iter().flat_map(|waiting| &waiting.conditions);
    let conditions: Vec<Condition> = waiting.map(|e| Condition::new(e.clone(), select.level)).collect();
    let mut tables = Vec::new();
    select.from.as_ref()?.visit_tables(&mut |table| tables.push(table));
    let mut least = select.cost;
    for table in tables {
        let own: BTreeSet<u32> = table.slots.clone().collect();
        let ready: Vec<Condition> = conditions.iter().filter(|c| c.is_ready(&own)).cloned().collect();
        let (facts, known) = (TableFacts::of(table), BTreeSet::new());
        let (params, state) = (binder.params, &mut *binder.state);
        let choice =
            access::choose(table, &facts, &ready, &known, select.level, (params, false), state).ok()?;
        least = least.min(choice.cost + select.cost * choice.rows / facts.rows.max(1.0));
    }
    Some(least)
}

/// What it costs to make the one group whose keys are asked for, where an index finds its rows and those that are joined to
/// them.
fn cost_of_group(select: &SelectPlan, asked: &Asked) -> Option<f64> {
    let join = select.from.as_ref()?;
    let mut pairs = Vec::new();
    let mut note = |e: &Expr| {
        if let Kind::Compare(CompareOp::Eq, _, a, b) = &e.kind
            && let (Kind::Column(a), Kind::Column(b)) = (&a.kind, &b.kind)
        {
            pairs.push((*a, *b));
        }
    };
    select.waiting.iter().flat_map(|waiting| &waiting.conditions).for_each(&mut note);
    join.expressions(&mut note);
    let mut tables = Vec::new();
    join.visit_tables(&mut |table| tables.push(table));
    let mut known: BTreeSet<u32> = BTreeSet::new();
    // Columns that have a value: those asked for, and those that equal a column of tables before.
    let has_value = |slot: Slot, known: &BTreeSet<u32>| {
        let is_known = |other: Slot| other.level == slot.level && known.contains(&other.index);
        asked.iter().any(|(_, _, key)| matches!(key.kind, Kind::Column(own) if own == slot))
            || pairs.iter().any(|&(a, b)| a == slot && is_known(b) || b == slot && is_known(a))
    };
    let (mut rows, mut cost) = (1.0, 0.0);
    while !tables.is_empty() {
        let found = |table: &TableAccess| {
            let Source::Base(base) = &table.source else { return None };
            let facts = TableFacts::of(table);
            let value = |part: &IndexPart| {
                let index = table.slots.start + part.column as u32;
                part.prefix_chars.is_none() && has_value(Slot { level: select.level, index }, &known)
            };
            let rows_found = |(number, index): (usize, &types::IndexDef)| {
                let parts = index.parts.iter().take_while(|part| value(part)).count();
                Some(facts.rows / facts.distinct_prefix(number, parts)?)
                    .filter(|_| table.hints.may_find(number))
            };
            base.def().indexes.iter().enumerate().filter_map(rows_found).min_by(f64::total_cmp)
        };
        let (at, each) = (0..tables.len()).find_map(|at| Some((at, found(tables[at])?)))?;
        cost += rows * (cost::LOOKUP + each * cost::FETCH);
        rows *= each;
        known.extend(tables.swap_remove(at).slots.clone());
    }
    Some(cost)
}

/// Has a derived table run for each row around.
fn make(join: &mut Join, asked: Asked, binder: &mut Binder<'_>) -> Result<(), SqlError> {
    let Join::Table(table) = join else { return Ok(()) };
    let Source::Derived { plan, .. } = &mut table.source else { return Ok(()) };
    let Some(plan) = Arc::get_mut(plan) else { return Ok(()) };
    let nothing = Body::Values { rows: Vec::new(), tail: Tail::default(), level: 0 };
    let mut plan = std::mem::replace(plan, QueryPlan { body: nothing, columns: Vec::new() });
    let (mut keys, mut slots) = (Vec::new(), Vec::new());
    if let Body::Select(select) = &mut plan.body
        && let Some(waiting) = &mut select.waiting
    {
        for (key, how, own) in asked {
            let slot = Slot { level: select.level, index: waiting.reserve() };
            let wanted = Expr { kind: Kind::Column(slot), ty: key.ty.clone() };
            waiting.conditions.push(build::equality(own, how, wanted));
            keys.push(key);
            slots.push(slot.index);
        }
        select.plan_now(&slots, binder)?;
    }
    table.source = Source::Lateral(Box::new(Lateral { plan, keys, slots }));
    Ok(())
}

/// The slots around that the rows of a join's members depend on.
pub fn reads_of(join: &Join, level: u32) -> BTreeSet<u32> {
    let mut slots = BTreeSet::new();
    let mut read = |e: &Expr| {
        visit_deep(e, &mut |e| match e.kind {
            Kind::Column(slot) if slot.level == level => drop(slots.insert(slot.index)),
            _ => {}
        });
    };
    join.visit_tables(&mut |table| match &table.source {
        Source::Json(json) => read(&json.document),
        Source::Lateral(lateral) => lateral.keys.iter().for_each(&mut read),
        _ => {}
    });
    slots
}
