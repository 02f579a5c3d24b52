//! `IN (query)` asked row by row: an index tells whether the query has the row that is looked for.
//!
//! All rows of the query, once made, answer every question; each question that an index answers costs little. How many
//! there will be nobody knows beforehand, and so the index is asked until that has cost what making the rows would: no
//! more than twice the cheaper of both is ever paid (a ski rental).

use super::access::{self, cost};
use super::estimate::{TableFacts, is_open};
use super::order::{Condition, settle};
use super::{Body, Join, QueryPlan, SelectPlan, Source, TableAccess, Tail};
use super::{equal, estimate, exists, hash, push, within};
use crate::bind::Binder;
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot, build};
use std::collections::BTreeSet;
use std::sync::Arc;
use types::Value;

/// The query of a table of fewer rows is run whole.
pub const ROWS_MIN: f64 = 1000.0;

/// A query that gives one row at most: one of those that equal a row looked for.
#[derive(Debug)]
pub struct Probe {
    /// The query.
    pub plan: QueryPlan,
    /// Where it finds the members of the row looked for: slots of its own frame.
    pub slots: Vec<u32>,
    /// Rows with a NULL are found by a NULL.
    pub nullable: bool,
    /// What a NULL leaves open is no more than false.
    pub truth_only: bool,
    /// So many questions cost as much as all rows do.
    pub worth: u64,
}

/// Whether a query reads a table that is worth an index.
pub fn is_large(plan: &QueryPlan) -> bool {
    let mut large = false;
    plan.visit_every_table(&mut |table| {
        large |= matches!(&table.source, Source::Base(base) if base.row_count() as f64 >= ROWS_MIN);
    });
    large
}

/// What rows are compared with members of a query, and how.
pub struct Asked<'a> {
    /// The members of the row looked for.
    pub left: &'a [Expr],
    /// How each is compared.
    pub how: &'a [Comparison],
    /// The members of the query's rows.
    pub items: &'a [Expr],
}

impl Probe {
    /// A probe into an uncorrelated query over stored tables for rows like `left`, if indexes serve it.
    pub fn of(
        plan: &QueryPlan,
        left: &[Expr],
        how: &[Comparison],
        binder: &mut Binder<'_>,
    ) -> Option<Box<Probe>> {
        let Body::Select(select) = &plan.body else { return None };
        let steady = |c: &Condition| is_open(&c.expr, |slot| slot.level == select.level);
        let whole = exists::is_plain(select) && push::takes_all(&select.tail) && select.lock.is_none();
        let (tables, conditions) = within::pieces_of(select).filter(|_| whole)?;
        if !conditions.iter().all(steady) {
            return None;
        }
        let asked = Asked { left, how, items: &select.items };
        let all = select.cost + select.rows * cost::BUILD;
        Self::into_tables(&tables, conditions, asked, (select, all), binder)
    }

    /// A probe into the rows of a block's tables that meet conditions; making `all` of them costs so much.
    pub fn into_tables(
        tables: &[&TableAccess],
        mut conditions: Vec<Condition>,
        asked: Asked<'_>,
        (select, all): (&SelectPlan, f64),
        binder: &mut Binder<'_>,
    ) -> Option<Box<Probe>> {
        let large = |table: &&TableAccess| TableFacts::of(table).rows >= ROWS_MIN;
        let stored = |table: &&TableAccess| matches!(table.source, Source::Base(_)) && table.lock.is_none();
        if !tables.iter().any(large) || !tables.iter().all(stored) {
            return None;
        }
        let mut slots = Vec::with_capacity(asked.left.len());
        let mut nullable = false;
        let mut beforehand = Vec::new();
        for (at, ((left, how), item)) in asked.left.iter().zip(asked.how).zip(asked.items).enumerate() {
            tables.iter().find_map(|table| table.column_of(item, select.level))?;
            let told = matches!(
                how,
                Comparison::Int | Comparison::Str(_) | Comparison::Decimal | Comparison::DateTime
            );
            if !told || !hash::is_exact(*how, &left.ty, &item.ty) {
                return None;
            }
            let slot = Slot { level: select.level, index: (select.width + at) as u32 };
            let wanted = Expr { kind: Kind::Column(slot), ty: left.ty.clone() };
            let op = if item.ty.nullable { CompareOp::NullSafeEq } else { CompareOp::Eq };
            nullable |= item.ty.nullable;
            // What bounds the members bounds what is looked for, before any row is.
            if let Kind::Column(member) = item.kind {
                let bounding = conditions.extract_if(.., |c| equal::bounds_equals(&c.expr, member, *how));
                beforehand.extend(bounding.map(|c| equal::said_instead(&c.expr, &wanted)));
            }
            let kind = Kind::Compare(op, *how, Box::new(item.clone()), Box::new(wanted));
            conditions.push(Condition::new(Expr { kind, ty: build::boolean(false) }, select.level));
            slots.push(slot.index);
        }
        conditions.sort_by_key(Condition::effort);
        let known = slots.iter().copied().collect();
        let (from, cost) = looked_up(tables, conditions, known, select.level, binder)?;
        let worth = (all / cost) as u64;
        if worth < 2 {
            return None;
        }
        let one = Expr { kind: Kind::Const(Value::Int(1)), ty: build::boolean(false) };
        let body = SelectPlan {
            level: select.level,
            width: select.width + slots.len(),
            from: Some(from),
            constant_filter: beforehand,
            items: vec![one.clone()],
            tail: Tail { limit: Some(one), ..Tail::default() },
            rows: 1.0,
            ..SelectPlan::default()
        };
        let plan = QueryPlan { body: Body::Select(Box::new(body)), columns: Vec::new() };
        Some(Box::new(Probe { plan, slots, nullable, truth_only: false, worth }))
    }
}

/// Has all rows made at once by those conditions whose block has more rows than an index is worth asking for.
pub fn make_for_many(join: &Join, conditions: &mut [Expr], level: u32, binder: &mut Binder<'_>) {
    let mut any = false;
    conditions.iter_mut().for_each(|e| each_probe(e, &mut |_| any = true));
    if !any {
        return;
    }
    let around = estimate::rows_of(join, conditions, &|_| true, level, binder);
    let mut settle = |probe: &mut Probe| {
        if probe.worth as f64 <= around {
            probe.worth = 0;
        }
    };
    conditions.iter_mut().for_each(|e| each_probe(e, &mut settle));
}

/// The probes of those subqueries of a condition that nearly every row asks.
fn each_probe(e: &mut Expr, f: &mut dyn FnMut(&mut Probe)) {
    match &mut e.kind {
        Kind::Or(list) => list.iter_mut().for_each(|e| each_probe(e, f)),
        Kind::Not(e) => each_probe(e, f),
        Kind::Subquery(subquery) => {
            Arc::get_mut(subquery).and_then(|subquery| subquery.probe.as_deref_mut()).into_iter().for_each(f);
        }
        _ => {}
    }
}

/// Tables joined by lookups alone, each time the one that is cheapest next, from what is known beforehand on; and what that
/// costs.
fn looked_up(
    tables: &[&TableAccess],
    mut conditions: Vec<Condition>,
    mut known: BTreeSet<u32>,
    level: u32,
    binder: &mut Binder<'_>,
) -> Option<(Join, f64)> {
    let mut waiting = tables.to_vec();
    let mut steps = Vec::with_capacity(tables.len());
    let (mut rows, mut all) = (1.0, 0.0);
    while !waiting.is_empty() {
        let mut best: Option<(usize, Vec<Condition>, access::Choice)> = None;
        for (at, table) in waiting.iter().enumerate() {
            let mut reach = known.clone();
            reach.extend(table.slots.clone());
            let ready: Vec<Condition> = conditions.iter().filter(|c| c.is_ready(&reach)).cloned().collect();
            let (facts, params) = (TableFacts::of(table), binder.params);
            let found = access::choose(table, &facts, &ready, &known, level, (params, true), binder.state);
            let found = found.ok().filter(|choice| !choice.is_scan());
            if let Some(choice) = found
                && best.as_ref().is_none_or(|(.., held)| choice.cost < held.cost)
            {
                best = Some((at, ready, choice));
            }
        }
        let (at, ready, choice) = best?;
        let table = waiting.swap_remove(at);
        let own = table.slots.clone();
        known.extend(own.clone());
        conditions.retain(|c| !c.is_ready(&known));
        let Source::Base(base) = &table.source else { return None };
        let mut found = TableAccess::new(&table.alias, Source::Base(base.clone()), own.clone());
        found.columns.clone_from(&table.columns);
        found.hints = table.hints.clone();
        // Of the only table no more is read than the first of its rows.
        all += match tables.len() {
            1 => (choice.cost / choice.rows.max(1.0)).max(cost::LOOKUP),
            _ => rows * choice.cost,
        };
        rows *= choice.rows.max(1.0);
        settle(&mut found, ready, choice);
        found.cover(&|_| true);
        steps.push((Join::Table(Box::new(found)), Vec::new()));
    }
    if !conditions.is_empty() {
        return None;
    }
    let join = match steps.len() {
        1 => steps.pop()?.0,
        _ => Join::Inner(steps),
    };
    Some((join, all))
}
