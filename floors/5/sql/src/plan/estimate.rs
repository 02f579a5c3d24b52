//! What is expected of tables and conditions: rows, different values, the part of rows that conditions keep.
//!
//! Conditions on one table are evaluated on the table's sample of rows; how many rows equal a value comes from the
//! number of different values of index prefixes, or of the sample's columns. The engine takes both anew as data
//! changes (`engine::Statistics`), so nothing here is stale and nothing has to be analyzed.

use super::{Body, Join, QueryPlan, Source, SubqueryExpr, SubqueryForm, TableAccess};
use crate::bind::Binder;
use crate::exec::Cx;
use crate::expr::build::silently;
use crate::expr::{CompareOp, Expr, Kind, Slot};
use crate::session::State;
use engine::Statistics;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::Arc;
use types::Value;

/// Rows that a derived or virtual table is taken to have when nothing is known.
const UNKNOWN_ROWS: f64 = 100.0;
/// Rows of a sample that conditions are evaluated on.
const SAMPLED: usize = 400;
/// Part of the rows that a condition keeps that cannot be looked into.
const EQUAL_KEEPS: f64 = 0.1;
const OTHER_KEEPS: f64 = 0.4;
/// A subquery that costs no more than so many rows is run for its value to plan by.
const CHEAP: f64 = 1000.0;

/// What is known of one table before it is joined.
pub struct TableFacts {
    base: Option<Arc<engine::Table>>,
    /// Asked of the engine once something wants them.
    statistics: OnceCell<Option<Arc<Statistics>>>,
    /// Rows of the table.
    pub rows: f64,
}

impl TableFacts {
    /// What is known of a table.
    pub fn of(table: &TableAccess) -> Self {
        let (base, rows) = match &table.source {
            Source::Base(base) => (Some(base.clone()), base.row_count() as f64),
            Source::Derived { plan, .. } => (None, plan.rows()),
            Source::Distinct { plan, .. } => (None, different_rows(plan)),
            Source::Lateral(lateral) => (None, lateral.plan.rows()),
            Source::Sequence(sequence) => (None, sequence.rows()),
            Source::Virtual(_) | Source::Round(_) | Source::Json(_) => (None, UNKNOWN_ROWS),
        };
        Self { base, statistics: OnceCell::new(), rows: rows.max(1.0) }
    }

    fn statistics(&self) -> Option<&Statistics> {
        let ask = || self.base.as_ref().and_then(|base| base.statistics().ok());
        self.statistics.get_or_init(ask).as_deref()
    }

    /// Different values of the first `parts` parts of an index.
    pub fn distinct_prefix(&self, index: usize, parts: usize) -> Option<f64> {
        let distinct = &self.statistics()?.distinct;
        let known = *distinct.get(index)?.get(parts.checked_sub(1)?)?;
        Some(known.clamp(1.0, self.rows))
    }

    /// Different values of a column.
    pub fn distinct_column(&self, table: &TableAccess, column: usize) -> f64 {
        let (Some(statistics), Source::Base(base)) = (self.statistics(), &table.source) else {
            return self.rows;
        };
        let led = base.def().indexes.iter().position(|i| i.parts.first().is_some_and(|p| p.column == column));
        if let Some(known) = led.and_then(|index| self.distinct_prefix(index, 1)) {
            return known;
        }
        let mut seen = HashSet::new();
        let mut key = Vec::new();
        for row in statistics.sample.iter().take(SAMPLED) {
            key.clear();
            match base.layout().decode_column(row, column) {
                Ok(value) => types::convert::sort_key(&value, &mut key),
                Err(_) => return self.rows,
            }
            seen.insert(key.clone());
        }
        let (taken, found) = (statistics.sample.len().min(SAMPLED) as f64, seen.len() as f64);
        // Values that nearly all differ in the sample differ in the table; few ones were probably all seen.
        match found / taken.max(1.0) {
            part if part > 0.9 => self.rows * part,
            part => (found + found * part * (self.rows / taken.max(1.0)).sqrt()).clamp(1.0, self.rows),
        }
    }

    /// As [`TableFacts::kept`], from nothing but the form of the conditions.
    pub fn guessed(conditions: &[&Expr]) -> f64 {
        let keeps = |e: &&Expr| match &e.kind {
            Kind::Compare(CompareOp::Eq | CompareOp::NullSafeEq, ..) => EQUAL_KEEPS,
            _ => OTHER_KEEPS,
        };
        conditions.iter().map(keeps).product()
    }

    /// The part of the table's rows that all `conditions` keep. Each must read nothing but this table's row and what
    /// is known before the statement runs, else a usual part is taken.
    pub fn kept(
        &self,
        table: &TableAccess,
        conditions: &[&Expr],
        level: u32,
        params: &[Value],
        state: &mut State,
    ) -> f64 {
        let slot_of = |e: &Expr| match e.kind {
            Kind::Column(slot) if slot.level == level && table.slots.contains(&slot.index) => {
                Some((slot.index - table.slots.start) as usize)
            }
            _ => None,
        };
        let own = |slot: Slot| slot.level == level && table.slots.contains(&slot.index);
        let (open, closed): (Vec<&Expr>, Vec<&Expr>) =
            conditions.iter().partition(|e| may_be_tried(e, state, own));
        let guessed: f64 = closed
            .iter()
            .map(|e| match &e.kind {
                Kind::Compare(CompareOp::Eq, _, left, right) => {
                    match slot_of(left).or_else(|| slot_of(right)) {
                        Some(column) => 1.0 / self.distinct_column(table, column),
                        None => EQUAL_KEEPS,
                    }
                }
                _ => OTHER_KEEPS,
            })
            .product();
        guessed * self.sampled(table, &open, level, params, state)
    }

    fn sampled(
        &self,
        table: &TableAccess,
        conditions: &[&Expr],
        level: u32,
        params: &[Value],
        state: &mut State,
    ) -> f64 {
        if conditions.is_empty() {
            return 1.0;
        }
        let (Some(statistics), Source::Base(base)) = (self.statistics(), &table.source) else {
            return conditions.iter().map(|_| OTHER_KEEPS).product();
        };
        let mut columns = Vec::new();
        for condition in conditions {
            condition.visit(&mut |e| {
                if let Kind::Column(slot) = e.kind
                    && slot.level == level
                {
                    columns.push(((slot.index - table.slots.start) as usize, slot.index));
                }
            });
        }
        columns.sort_unstable();
        columns.dedup();
        let (mut looked, mut kept) = (0.0, 0.0);
        let _ = silently(state, |state| {
            let mut cx = Cx::new(state, params);
            // All over the sample: neighbours in it are neighbours in the table.
            let step = (statistics.sample.len() / SAMPLED).max(1);
            for row in statistics.sample.iter().step_by(step) {
                let width = table.slots.end as usize;
                if crate::exec::reader::fill(base, row, &columns, width, level, &mut cx).is_err() {
                    continue;
                }
                looked += 1.0;
                kept += f64::from(u8::from(
                    conditions.iter().all(|e| e.truth(&mut cx).ok().flatten() == Some(true)),
                ));
            }
        });
        if looked == 0.0 {
            return 1.0;
        }
        // None seen is not none there.
        (f64::max(kept, 0.3) / looked).min(1.0)
    }
}

/// Rows of a join at least: those that the conditions on it alone leave of the smallest of its tables that `counts`.
pub fn rows_of(
    join: &Join,
    conditions: &[Expr],
    counts: &dyn Fn(&TableAccess) -> bool,
    level: u32,
    binder: &mut Binder<'_>,
) -> f64 {
    let mut rows = f64::INFINITY;
    join.visit_tables(&mut |table| {
        if !counts(table) {
            return;
        }
        let own = |e: &&Expr| is_open(e, |slot| slot.level == level && table.slots.contains(&slot.index));
        let own: Vec<&Expr> = conditions.iter().filter(own).collect();
        let facts = TableFacts::of(table);
        let kept = facts.kept(table, &own, level, binder.params, binder.state);
        rows = rows.min(facts.rows * kept);
    });
    rows
}

/// Different rows expected of a query.
fn different_rows(plan: &QueryPlan) -> f64 {
    let rows = plan.rows();
    let Body::Select(select) = &plan.body else { return rows };
    let (None, Some(Join::Table(table)), [item]) = (&select.group, &select.from, &select.items[..]) else {
        return rows;
    };
    let Some(column) = table.column_of(item, select.level) else { return rows };
    let facts = TableFacts::of(table);
    let all = facts.distinct_column(table, column);
    // Of values that the conditions are about, as many stay as of the rows.
    let about =
        table.filter.iter().all(|e| is_open(e, |slot| table.slots.start + column as u32 == slot.index));
    if about { (all * rows / facts.rows).clamp(1.0, rows.max(1.0)) } else { rows.min(all) }
}

/// Whether a condition can be evaluated now, given a row of the columns that `own` accepts.
pub(super) fn is_open(e: &Expr, own: impl Fn(Slot) -> bool) -> bool {
    is_open_beside(e, own, |_| false)
}

/// Whether a condition can be evaluated now to plan by: variables are as they stand, cheap queries are run.
fn may_be_tried(e: &Expr, state: &State, own: impl Fn(Slot) -> bool) -> bool {
    is_open_beside(e, own, |e| match &e.kind {
        Kind::UserVar(_) => true,
        Kind::Subquery(subquery) => !state.locks_reads() && is_cheap(subquery),
        _ => false,
    })
}

/// Whether a subquery's value can be had at once, without a lock, for little against what it may spare.
fn is_cheap(subquery: &SubqueryExpr) -> bool {
    let mut locks = false;
    subquery.plan.visit_every_table(&mut |table| locks |= table.lock.is_some());
    !subquery.correlated
        && !locks
        && matches!(subquery.form, SubqueryForm::Scalar)
        && subquery.plan.cost() <= CHEAP
        && subquery.plan.outer_slots(0).is_some()
}

fn is_open_beside(e: &Expr, own: impl Fn(Slot) -> bool, beside: impl Fn(&Expr) -> bool) -> bool {
    let mut open = true;
    e.visit(&mut |e| match &e.kind {
        Kind::Column(slot) => open &= own(*slot),
        Kind::Call(call) => open &= call.is_stable(),
        Kind::Subquery(_) | Kind::AssignUserVar(..) | Kind::UserVar(_) | Kind::Row(_) => open &= beside(e),
        _ => {}
    });
    open
}

/// Whether an expression's value can be had now to plan by; another may be there when the statement runs.
pub(super) fn may_be_asked(e: &Expr, state: &State) -> bool {
    may_be_tried(e, state, |_| false)
}

/// Whether an expression has its value before the statement runs.
pub fn is_known_now(e: &Expr) -> bool {
    is_open(e, |_| false)
}

/// Groups expected of so many rows by keys that are columns of known variety.
pub fn groups(rows: f64, keys: &[super::SortKey], distinct: &dyn Fn(Slot) -> Option<f64>) -> f64 {
    if keys.is_empty() {
        return 1.0;
    }
    let mut product = 1.0;
    for key in keys {
        product *= match key.expr.kind {
            Kind::Column(slot) => distinct(slot).unwrap_or(rows / 10.0),
            Kind::Const(_) => 1.0,
            _ => (rows / 10.0).max(1.0),
        };
    }
    f64::min(product, rows * 0.9).max(1.0)
}
