//! `IN (query)` of a query that reads the rows around it: it looks for the row itself, and runs no further than to the first
//! one that equals it.

use super::access;
use super::estimate::{TableFacts, is_open};
use super::exists::keeps_rows;
use super::hash::is_exact;
use super::order::{Condition, settle};
use super::probe::ROWS_MIN;
use super::{Body, Join, SelectPlan, Source, SubqueryExpr, SubqueryForm, TableAccess};
use crate::bind::Binder;
use crate::error::SqlError;
use crate::expr::{Comparison, Expr, build};
use std::collections::BTreeSet;

/// Has `IN (query)` of a query that reads the rows around it look for the row itself: `EXISTS` of those that equal it.
pub fn ask(subquery: &mut SubqueryExpr, binder: &mut Binder<'_>) -> Result<(), SqlError> {
    let SubqueryForm::In { left, how, negated: false } = &subquery.form else { return Ok(()) };
    let Body::Select(select) = &mut subquery.plan.body else { return Ok(()) };
    let Some((table, mut ready)) = looked_through(select).filter(|_| keeps_rows(select)) else {
        return Ok(());
    };
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
    for ((left, how), item) in left.iter().zip(how).zip(&select.items) {
        let equal = build::equality(item.clone(), *how, left.clone());
        ready.push(Condition::new(equal, select.level));
    }
    ready.sort_by_key(Condition::effort);
    let (params, known) = (binder.params, BTreeSet::new());
    let choice = access::choose(table, &facts, &ready, &known, select.level, (params, false), binder.state)?;
    if choice.is_scan() {
        return Ok(());
    }
    find(select, ready, choice)?;
    subquery.form = SubqueryForm::Exists;
    Ok(())
}

/// Has the rows of a query of one table found in another way, and in any order.
pub fn find(select: &mut SelectPlan, ready: Vec<Condition>, choice: access::Choice) -> Result<(), SqlError> {
    let Some(mut table) = select.from.take().and_then(only_table) else {
        return Err(SqlError::internal_error("take a subquery's table"));
    };
    (select.rows, select.cost) = (choice.rows, choice.cost);
    settle(&mut table, ready, choice);
    table.keys_only = false;
    table.cover(&|_| true);
    select.from = Some(Join::Table(table));
    select.tail.order_by.clear();
    // It followed from conditions that may not be among those that are left.
    select.implied.clear();
    Ok(())
}

/// The only table of a query, and the conditions on its rows: it may be kept by what is looked for in it.
fn looked_through(select: &SelectPlan) -> Option<(&TableAccess, Vec<Condition>)> {
    let (tables, conditions) = pieces_of(select)?;
    match tables[..] {
        [table] => Some((table, conditions)),
        _ => None,
    }
}

/// The tables of a query whose rows are all made of theirs, and all its conditions, however it joins them.
pub fn pieces_of(select: &SelectPlan) -> Option<(Vec<&TableAccess>, Vec<Condition>)> {
    let (mut tables, mut conditions) = (Vec::new(), Vec::new());
    take_apart(select.from.as_ref()?, &mut tables, &mut conditions).then_some(())?;
    let conditions = conditions.into_iter().map(|e| Condition::new(e, select.level)).collect();
    Some((tables, conditions))
}

fn take_apart<'j>(join: &'j Join, tables: &mut Vec<&'j TableAccess>, conditions: &mut Vec<Expr>) -> bool {
    match join {
        Join::Table(table) => {
            conditions.extend(table.filter.iter().cloned());
            tables.push(table);
            true
        }
        Join::Hash(hash) => {
            let keyed = hash.keys.iter().zip(&hash.probe).zip(&hash.how);
            let equal = keyed.map(|((key, probe), how)| build::equality(key.clone(), *how, probe.clone()));
            conditions.extend(equal);
            take_apart(&hash.build, tables, conditions)
        }
        Join::Inner(steps) => steps.iter().all(|(join, behind)| {
            conditions.extend(behind.iter().cloned());
            take_apart(join, tables, conditions)
        }),
        Join::Left { .. } => false,
    }
}

/// The only table of a join.
fn only_table(join: Join) -> Option<Box<TableAccess>> {
    match join {
        Join::Table(table) => Some(table),
        Join::Inner(mut steps) => {
            steps.pop().filter(|_| steps.is_empty()).and_then(|(join, _)| only_table(join))
        }
        Join::Hash(hash) => only_table(hash.build),
        Join::Left { .. } => None,
    }
}
