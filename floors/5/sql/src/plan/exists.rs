//! `EXISTS (query)` as `IN (query)`, where the query looks at the rows around it by equalities alone.
//!
//! `EXISTS (SELECT ... FROM b WHERE b.x = a.y AND b.z < 10)` asks whether `a.y` is among the different `b.x` of
//! `b.z < 10`. Asked so, one walk over `b` answers for all rows around, which `semi` may even have found by it. Where
//! there are few rows around, an index answers for each of them sooner.

use super::access::{self, cost};
use super::estimate::{self, TableFacts, is_open};
use super::hash::{Keys, is_exact};
use super::order::{Condition, settle};
use super::{Body, Join, OutputColumn, SelectPlan, Source, SubqueryExpr, SubqueryForm, TableAccess};
use crate::bind::Binder;
use crate::error::SqlError;
use crate::expr::{CompareOp, Comparison, Expr, Kind, build};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Asks by membership in those of a block's conditions where that is cheaper.
pub fn by_membership(
    join: &Join,
    conditions: &mut [Expr],
    level: u32,
    binder: &mut Binder<'_>,
) -> Result<(), SqlError> {
    for at in 0..conditions.len() {
        let Kind::Subquery(subquery) = &mut conditions[at].kind else { continue };
        if !subquery.correlated {
            continue;
        }
        if let Some(subquery) = Arc::get_mut(subquery) {
            ask_within(subquery, binder)?;
        }
        if !matches!(subquery.form, SubqueryForm::Exists) {
            continue;
        }
        // It is checked once at least for each row that the smallest table keeps.
        let around = estimate::rows_of(join, conditions, &|_| true, level, binder);
        let Kind::Subquery(subquery) = &mut conditions[at].kind else { continue };
        let Some(subquery) = Arc::get_mut(subquery) else { continue };
        change(subquery, around, level, binder)?;
    }
    Ok(())
}

/// So many rows of a table are worth an index.
const ROWS_MIN: f64 = 1000.0;

/// Has `IN (query)` of a query that reads the rows around it look for the row itself: `EXISTS` of those that equal it.
fn ask_within(subquery: &mut SubqueryExpr, binder: &mut Binder<'_>) -> Result<(), SqlError> {
    let SubqueryForm::In { left, how, negated: false } = &subquery.form else { return Ok(()) };
    let Body::Select(select) = &mut subquery.plan.body else { return Ok(()) };
    if !is_plain(select) {
        return Ok(());
    }
    let Some(Join::Table(table)) = &mut select.from else { return Ok(()) };
    let facts = TableFacts::of(table);
    let exact = |((left, how), item): ((&Expr, &Comparison), &Expr)| {
        table.column_of(item, select.level).is_some()
            && is_exact(*how, &left.ty, &item.ty)
            && is_open(left, |_| true)
    };
    let fits = left.iter().zip(how).zip(&select.items).all(exact);
    if !fits || facts.rows < ROWS_MIN || table.lock.is_some() || !matches!(table.source, Source::Base(_)) {
        return Ok(());
    }
    let mut ready: Vec<Condition> =
        table.filter.iter().map(|e| Condition::new(e.clone(), select.level)).collect();
    for ((left, how), item) in left.iter().zip(how).zip(&select.items) {
        let kind = Kind::Compare(CompareOp::Eq, *how, Box::new(item.clone()), Box::new(left.clone()));
        ready.push(Condition::new(Expr { kind, ty: build::boolean(true) }, select.level));
    }
    ready.sort_by_key(Condition::effort);
    let (params, known) = (binder.params, BTreeSet::new());
    let choice = access::choose(table, &facts, &ready, &known, select.level, (params, false), binder.state)?;
    (select.rows, select.cost) = (choice.rows, choice.cost);
    settle(table, ready, choice);
    table.keys_only = false;
    table.cover(&|_| true);
    select.tail.order_by.clear();
    subquery.form = SubqueryForm::Exists;
    Ok(())
}

/// Whether a query is rows of a join that meet conditions, all of them.
fn is_plain(select: &SelectPlan) -> bool {
    let tail = &select.tail;
    select.group.is_none()
        && select.having.is_none()
        && select.windows.is_none()
        && select.row_number.is_none()
        && select.filter.is_empty()
        && select.constant_filter.is_empty()
        && tail.limit.is_none()
        && tail.offset.is_none()
        && tail.rows_examined.is_none()
}

fn change(
    subquery: &mut SubqueryExpr,
    around: f64,
    level: u32,
    binder: &mut Binder<'_>,
) -> Result<(), SqlError> {
    let Body::Select(select) = &mut subquery.plan.body else { return Ok(()) };
    let plain = is_plain(select);
    let Some(Join::Table(table)) = &mut select.from else { return Ok(()) };
    if !plain || table.lock.is_some() || !matches!(table.source, Source::Base(_)) {
        return Ok(());
    }
    let own: BTreeSet<u32> = table.slots.clone().collect();
    let mut keys = Keys::default();
    let mut rest = Vec::new();
    for condition in table.filter.iter().map(|e| Condition::new(e.clone(), select.level)) {
        if keys.take(&condition, &own, select.level) {
            continue;
        }
        if condition.outer || condition.late {
            return Ok(());
        }
        rest.push(condition);
    }
    let reads_around = |e: &Expr| is_open(e, |slot| slot.level == level);
    if keys.keys.is_empty() || !keys.probe.iter().all(reads_around) {
        return Ok(());
    }
    let facts = TableFacts::of(table);
    let (params, known) = (binder.params, BTreeSet::new());
    let choice = access::choose(table, &facts, &rest, &known, select.level, (params, false), binder.state)?;
    let at_once = choice.cost + choice.rows * cost::BUILD;
    if at_once > around * each_lookup(table) {
        return Ok(());
    }
    (select.rows, select.cost) = (choice.rows, choice.cost);
    settle(table, rest, choice);
    table.keys_only = false;
    table.cover(&|_| true);
    let column = |key: &Expr| OutputColumn { name: String::new(), ty: key.ty.clone(), origin: None };
    subquery.plan.columns = keys.keys.iter().map(column).collect();
    select.items = keys.keys;
    select.tail.order_by.clear();
    subquery.form = SubqueryForm::In { left: keys.probe, how: keys.how, negated: false };
    (subquery.correlated, subquery.reads) = (false, None);
    Ok(())
}

/// What it costs to look for one row's answer: until the first row that passes.
fn each_lookup(table: &TableAccess) -> f64 {
    cost::LOOKUP + cost::FETCH * table.rows.min(1.0 / table.kept.max(0.01))
}
