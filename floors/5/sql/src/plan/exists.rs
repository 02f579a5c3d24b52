//! `EXISTS (query)` as `IN (query)`, where the query looks at the rows around it by equalities alone.
//!
//! `EXISTS (SELECT ... FROM b WHERE b.x = a.y AND b.z < 10)` asks whether `a.y` is among the different `b.x` of
//! `b.z < 10`. Asked so, one walk over `b` answers for all rows around, which `semi` may even have found by it. Where
//! there are few rows around, an index answers for each of them sooner. Inside of OR and NOT, where it cannot be told how
//! often it is asked, both are tried in turn (`probe`).

use super::access::{self, cost};
use super::estimate::{self, TableFacts, is_open};
use super::hash::Keys;
use super::order::Condition;
use super::probe::{self, Asked, Probe};
use super::{Body, Join, OutputColumn, SelectPlan, Source, SubqueryExpr, SubqueryForm, TableAccess, within};
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
        let Kind::Subquery(subquery) = &mut conditions[at].kind else { continue };
        if !subquery.correlated {
            continue;
        }
        if let Some(subquery) = Arc::get_mut(subquery) {
            within::ask(subquery, binder)?;
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

/// Whether a query is rows of a join that meet the join's conditions, all of them.
pub fn is_plain(select: &SelectPlan) -> bool {
    keeps_rows(select) && select.filter.is_empty() && select.constant_filter.is_empty()
}

/// Whether a query is rows of a join that meet conditions, all of them.
pub fn keeps_rows(select: &SelectPlan) -> bool {
    let tail = &select.tail;
    select.group.is_none()
        && select.having.is_none()
        && select.windows.is_none()
        && select.row_number.is_none()
        && tail.limit.is_none()
        && tail.offset.is_none()
        && tail.rows_examined.is_none()
}

/// What is asked of the rows of a query by equalities with the row around, and the conditions that are left; nothing where
/// it looks at the rows around in another way.
fn keys_of(select: &SelectPlan, level: u32) -> Option<(Keys, Vec<Condition>)> {
    let Some(Join::Table(table)) = &select.from else { return None };
    if !is_plain(select) || table.lock.is_some() || !matches!(table.source, Source::Base(_)) {
        return None;
    }
    let own: BTreeSet<u32> = table.slots.clone().collect();
    let mut keys = Keys::default();
    let mut rest = Vec::new();
    for condition in Condition::of_table(table, select.level) {
        if keys.take(&condition, &own, select.level) {
            continue;
        }
        if condition.outer || condition.late {
            return None;
        }
        rest.push(condition);
    }
    let reads_around = |e: &Expr| is_open(e, |slot| slot.level == level);
    (!keys.keys.is_empty() && keys.probe.iter().all(reads_around)).then_some((keys, rest))
}

fn change(
    subquery: &mut SubqueryExpr,
    around: f64,
    level: u32,
    binder: &mut Binder<'_>,
) -> Result<(), SqlError> {
    let Body::Select(select) = &subquery.plan.body else { return Ok(()) };
    let Some((keys, rest)) = keys_of(select, level) else { return Ok(()) };
    let Some(Join::Table(table)) = &select.from else { return Ok(()) };
    let choice = all_members(table, &rest, select.level, binder)?;
    if choice.cost + choice.rows * cost::BUILD > around * each_lookup(table) {
        return Ok(());
    }
    make(subquery, keys, rest, choice)
}

/// How all rows are found that a query may have for any row around.
fn all_members(
    table: &TableAccess,
    rest: &[Condition],
    level: u32,
    binder: &mut Binder<'_>,
) -> Result<access::Choice, SqlError> {
    let (params, known) = (binder.params, BTreeSet::new());
    access::choose(table, &TableFacts::of(table), rest, &known, level, (params, false), binder.state)
}

/// Has a query give the members that are looked for.
fn make(
    subquery: &mut SubqueryExpr,
    keys: Keys,
    rest: Vec<Condition>,
    choice: access::Choice,
) -> Result<(), SqlError> {
    let Body::Select(select) = &mut subquery.plan.body else { return Ok(()) };
    within::find(select, rest, choice)?;
    let column = |key: &Expr| OutputColumn { name: String::new(), ty: key.ty.clone(), origin: None };
    subquery.plan.columns = keys.keys.iter().map(column).collect();
    select.items = keys.keys;
    subquery.form = SubqueryForm::In { left: keys.probe, how: keys.how, negated: false };
    (subquery.correlated, subquery.reads) = (false, None);
    Ok(())
}

/// Has those that stand inside of a condition asked of an index, row by row, until all members would have cost as much.
pub fn in_turn(e: &mut Expr, level: u32, binder: &mut Binder<'_>) -> Result<(), SqlError> {
    let Kind::Subquery(subquery) = &mut e.kind else {
        let mut done = Ok(());
        e.children_mut(&mut |child| {
            if done.is_ok() {
                done = in_turn(child, level, binder);
            }
        });
        return done;
    };
    let Some(subquery) = Arc::get_mut(subquery) else { return Ok(()) };
    if !matches!(subquery.form, SubqueryForm::Exists) || !subquery.correlated {
        return Ok(());
    }
    let Body::Select(select) = &subquery.plan.body else { return Ok(()) };
    let Some((keys, rest)) = keys_of(select, level) else { return Ok(()) };
    let Some(Join::Table(table)) = &select.from else { return Ok(()) };
    if TableFacts::of(table).rows < probe::ROWS_MIN {
        return Ok(());
    }
    let choice = all_members(table, &rest, select.level, binder)?;
    let asked = Asked { left: &keys.probe, how: &keys.how, items: &keys.keys };
    let all = choice.cost + choice.rows * cost::BUILD;
    let Some(mut probe) = Probe::into_tables(&[table], rest.clone(), asked, (select, all), binder) else {
        return Ok(());
    };
    probe.truth_only = true;
    make(subquery, keys, rest, choice)?;
    subquery.probe = Some(probe);
    Ok(())
}

/// What it costs to look for one row's answer: until the first row that passes.
fn each_lookup(table: &TableAccess) -> f64 {
    cost::LOOKUP + cost::FETCH * table.rows.min(1.0 / table.kept.max(0.01))
}
