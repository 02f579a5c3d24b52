//! Grouped derived tables of which only some groups are made: those that the rows around ask for.
//!
//! In `a JOIN (SELECT x, SUM(v) s FROM b GROUP BY x) t ON t.x = a.y` all groups of `b` are made, though few rows of `a`
//! may be left to ask for one. Where an index finds a group's rows, the query is run for each row of `a` instead, its
//! `x` being that row's `y` (MariaDB's LATERAL DERIVED). The keys asked for stand in slots of the query's own frame.

use super::access::{self, cost};
use super::estimate::{self, TableFacts};
use super::order::{Condition, settle};
use super::walk::visit_deep;
use super::{Body, Join, QueryPlan, SelectPlan, Source, TableAccess, Tail, covering, grouped, hash, push};
use crate::bind::Binder;
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot, build};
use std::collections::BTreeSet;
use std::sync::Arc;

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
pub fn in_join(join: &mut Join, conditions: &[Expr], level: u32, binder: &mut Binder<'_>) {
    match join {
        Join::Inner(steps) => {
            let own = steps.iter().flat_map(|(_, own)| own);
            let all: Vec<Expr> = conditions.iter().chain(own).cloned().collect();
            for at in 0..steps.len() {
                let others = steps.iter().enumerate().filter(|(other, _)| *other != at);
                let others: Vec<&Join> = others.map(|(_, (join, _))| join).collect();
                match asked_for(&steps[at].0, &others, (&all, &all), level, binder) {
                    Some(asked) => make(&mut steps[at].0, asked, binder),
                    None => in_join(&mut steps[at].0, &all, level, binder),
                }
            }
        }
        Join::Left { left, right, on, .. } => {
            in_join(left, conditions, level, binder);
            if let Some(asked) = asked_for(right, &[left], (on, conditions), level, binder) {
                make(right, asked, binder);
            }
        }
        Join::Table(_) | Join::Hash(_) => {}
    }
}

/// Whether a join has derived tables that might be run so.
pub fn has_groups(join: &Join) -> bool {
    let mut has = false;
    join.visit_tables(&mut |table| has |= groups_of(table).is_some());
    has
}

/// A grouped query over one stored table that a derived table is, if it is the only use of it.
fn groups_of(table: &TableAccess) -> Option<(&SelectPlan, &TableAccess)> {
    let Source::Derived { plan, .. } = &table.source else { return None };
    let Body::Select(select) = &plan.body else { return None };
    let group = select.group.as_ref().filter(|group| group.rollup.is_empty() && !group.keys.is_empty())?;
    let plain = select.windows.is_none()
        && select.row_number.is_none()
        && select.lock.is_none()
        && group.variables.is_empty()
        && Arc::strong_count(plan) == 1
        && push::takes_all(&select.tail);
    match &select.from {
        Some(Join::Table(inner)) if plain && matches!(inner.source, Source::Base(_)) => Some((select, inner)),
        _ => None,
    }
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
    let (select, inner) = groups_of(table)?;
    let Source::Base(base) = &inner.source else { return None };
    let known = |slot: Slot| {
        let mut known = false;
        around.iter().for_each(|join| {
            join.visit_tables(&mut |other| known |= other.slots.contains(&slot.index));
        });
        slot.level == level && known
    };
    let mut asked: Asked = Vec::new();
    for e in on {
        let Kind::Compare(CompareOp::Eq, how, left, right) = &e.kind else { continue };
        for (own, other) in [(left, right), (right, left)] {
            let Some(column) = table.column_of(own, level) else { continue };
            let item = &select.items[column];
            let is_key = || select.group.iter().flat_map(|group| &group.keys).any(|key| key.expr.same(item));
            let reads = matches!(&other.kind, Kind::Column(slot) if known(*slot));
            if reads && inner.column_of(item, select.level).is_some() && is_key() {
                let twice = asked.iter().any(|(_, _, key)| key.same(item));
                if !twice && hash::is_exact(*how, &other.ty, &item.ty) {
                    asked.push(((**other).clone(), *how, item.clone()));
                }
            }
        }
    }
    let columns: Vec<usize> =
        asked.iter().filter_map(|(_, _, key)| inner.column_of(key, select.level)).collect();
    let facts = TableFacts::of(inner);
    // Rows of a group, by the index that tells them apart best.
    let rows_found = |(number, index): (usize, &types::IndexDef)| {
        let parts = index.parts.iter();
        let parts =
            parts.take_while(|part| part.prefix_chars.is_none() && columns.contains(&part.column)).count();
        Some(facts.rows / facts.distinct_prefix(number, parts)?).filter(|_| inner.hints.may_find(number))
    };
    let indexes = base.def().indexes.iter().enumerate();
    let each = indexes.filter_map(rows_found).min_by(f64::total_cmp)?;
    let mut runs = f64::INFINITY;
    for join in around {
        let read = |other: &TableAccess| {
            asked
                .iter()
                .any(|(key, ..)| matches!(key.kind, Kind::Column(slot) if other.slots.contains(&slot.index)))
        };
        runs = runs.min(estimate::rows_of(join, conditions, &read, level, binder));
    }
    let keyed = runs * (cost::LOOKUP + each * cost::FETCH);
    (keyed * cost::SURELY_CHEAPER < select.cost).then_some(asked)
}

/// Has a derived table run for each row around.
fn make(join: &mut Join, asked: Asked, binder: &mut Binder<'_>) {
    let Join::Table(table) = join else { return };
    let Source::Derived { plan, .. } = &mut table.source else { return };
    let Some(plan) = Arc::get_mut(plan) else { return };
    let nothing = Body::Values { rows: Vec::new(), tail: Tail::default(), level: 0 };
    let mut plan = std::mem::replace(plan, QueryPlan { body: nothing, columns: Vec::new() });
    let (mut keys, mut slots) = (Vec::new(), Vec::new());
    if let Body::Select(select) = &mut plan.body {
        grouped::undo(select);
        select.presorted = false;
        let mut more = Vec::new();
        for (key, how, own) in asked {
            let slot = Slot { level: select.level, index: select.width as u32 };
            select.width += 1;
            let wanted = Expr { kind: Kind::Column(slot), ty: key.ty.clone() };
            more.push(Condition::new(build::equality(own, how, wanted), select.level));
            keys.push(key);
            slots.push(slot.index);
        }
        ask(select, more, &slots, binder);
        grouped::by_index(select, binder);
        select.from.iter_mut().for_each(covering::cover);
    }
    table.source = Source::Lateral(Box::new(Lateral { plan, keys, slots }));
}

/// Adds conditions on values that stand in `slots` before a block runs.
fn ask(select: &mut SelectPlan, more: Vec<Condition>, slots: &[u32], binder: &mut Binder<'_>) {
    let Some(Join::Table(table)) = &mut select.from else { return };
    let mut ready: Vec<Condition> =
        table.filter.iter().map(|e| Condition::new(e.clone(), select.level)).chain(more).collect();
    ready.sort_by_key(Condition::effort);
    let known: BTreeSet<u32> = slots.iter().copied().collect();
    let (facts, params) = (TableFacts::of(table), binder.params);
    let choice = access::choose(table, &facts, &ready, &known, select.level, (params, false), binder.state);
    if let Ok(choice) = choice {
        (select.rows, select.cost) = (1.0, choice.cost);
        settle(table, ready, choice);
        table.keys_only = false;
    }
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
