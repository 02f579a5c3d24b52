//! `IN (query)` asked row by row: an index tells whether the query has the row that is looked for.
//!
//! All rows of the query, once made, answer every question; each question that an index answers costs little. How many
//! there will be nobody knows beforehand, and so the index is asked until that has cost what making the rows would: no
//! more than twice the cheaper of both is ever paid (a ski rental).

use super::access::{self, cost};
use super::estimate::{TableFacts, is_open};
use super::order::{Condition, settle};
use super::{Body, Join, QueryPlan, SelectPlan, Source, TableAccess, Tail, exists, hash, push};
use crate::bind::Binder;
use crate::expr::{CompareOp, Comparison, Expr, Kind, Slot, build};
use std::collections::BTreeSet;
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
    /// A probe into an uncorrelated query over one stored table for rows like `left`, if an index serves it.
    pub fn of(
        plan: &QueryPlan,
        left: &[Expr],
        how: &[Comparison],
        binder: &mut Binder<'_>,
    ) -> Option<Box<Probe>> {
        let Body::Select(select) = &plan.body else { return None };
        let Some(Join::Table(table)) = &select.from else { return None };
        let steady = |e: &Expr| is_open(e, |slot| slot.level == select.level);
        let whole = exists::is_plain(select) && push::takes_all(&select.tail) && select.lock.is_none();
        if !whole || !table.filter.iter().all(steady) {
            return None;
        }
        let ready = table.filter.iter().map(|e| Condition::new(e.clone(), select.level)).collect();
        let asked = Asked { left, how, items: &select.items };
        let all = select.cost + select.rows * cost::BUILD;
        Self::into_table(table, ready, asked, (select, all), binder)
    }

    /// A probe into the rows of a stored table that meet conditions, the only one of a block; making `all` of them costs so
    /// much.
    pub fn into_table(
        table: &TableAccess,
        mut ready: Vec<Condition>,
        asked: Asked<'_>,
        (select, all): (&SelectPlan, f64),
        binder: &mut Binder<'_>,
    ) -> Option<Box<Probe>> {
        let Source::Base(base) = &table.source else { return None };
        let facts = TableFacts::of(table);
        if facts.rows < ROWS_MIN || table.lock.is_some() {
            return None;
        }
        let mut slots = Vec::with_capacity(asked.left.len());
        let mut nullable = false;
        for (at, ((left, how), item)) in asked.left.iter().zip(asked.how).zip(asked.items).enumerate() {
            table.column_of(item, select.level)?;
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
            let kind = Kind::Compare(op, *how, Box::new(item.clone()), Box::new(wanted));
            ready.push(Condition::new(Expr { kind, ty: build::boolean(false) }, select.level));
            slots.push(slot.index);
        }
        ready.sort_by_key(Condition::effort);
        let known: BTreeSet<u32> = slots.iter().copied().collect();
        let params = binder.params;
        let source = Source::Base(base.clone());
        let mut found = Box::new(TableAccess::new(&table.alias, source, table.slots.clone()));
        found.columns.clone_from(&table.columns);
        found.hints = table.hints.clone();
        let choice =
            access::choose(&found, &facts, &ready, &known, select.level, (params, true), binder.state)
                .ok()?;
        let worth = (all / choice.cost) as u64;
        settle(&mut found, ready, choice);
        if !found.is_ranged() || worth < 2 {
            return None;
        }
        found.cover(&|_| true);
        let one = Expr { kind: Kind::Const(Value::Int(1)), ty: build::boolean(false) };
        let body = SelectPlan {
            level: select.level,
            width: select.width + slots.len(),
            from: Some(Join::Table(found)),
            items: vec![one.clone()],
            tail: Tail { limit: Some(one), ..Tail::default() },
            rows: 1.0,
            ..SelectPlan::default()
        };
        let plan = QueryPlan { body: Body::Select(Box::new(body)), columns: Vec::new() };
        Some(Box::new(Probe { plan, slots, nullable, truth_only: false, worth }))
    }
}
