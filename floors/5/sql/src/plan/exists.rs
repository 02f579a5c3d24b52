//! `EXISTS (query)` as `IN (query)`, where the query looks at the rows around it by equalities alone.
//!
//! `EXISTS (SELECT ... FROM b WHERE b.x = a.y AND b.z < 10)` asks whether `a.y` is among the different `b.x` of
//! `b.z < 10`. Asked so, one walk over `b` answers for all rows around, which `semi` may even have found by it. Where
//! there are few rows around, an index answers for each of them sooner.

use super::access::{self, cost};
use super::estimate::{self, TableFacts, is_open};
use super::hash::Keys;
use super::order::{Condition, settle};
use super::{Body, Join, OutputColumn, Source, SubqueryExpr, SubqueryForm, TableAccess};
use crate::bind::Binder;
use crate::error::SqlError;
use crate::expr::{Expr, Kind};
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
        let Kind::Subquery(subquery) = &conditions[at].kind else { continue };
        if !matches!(subquery.form, SubqueryForm::Exists) || !subquery.correlated {
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

fn change(
    subquery: &mut SubqueryExpr,
    around: f64,
    level: u32,
    binder: &mut Binder<'_>,
) -> Result<(), SqlError> {
    let Body::Select(select) = &mut subquery.plan.body else { return Ok(()) };
    let tail = &select.tail;
    let plain = select.group.is_none()
        && select.having.is_none()
        && select.windows.is_none()
        && select.row_number.is_none()
        && select.filter.is_empty()
        && select.constant_filter.is_empty()
        && tail.limit.is_none()
        && tail.offset.is_none()
        && tail.rows_examined.is_none();
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
