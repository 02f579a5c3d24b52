//! Rows that queries make for the joins around them.

use super::memory::row_bytes;
use super::rows::Rows;
use super::unique::{Seen, Unique};
use super::{Cx, Flow, Materialized, query};
use crate::error::SqlError;
use crate::expr::build::FREE_DECIMALS;
use crate::expr::{Class, Comparison, Expr, Kind, Slot, TypeKind};
use crate::plan::lateral::Lateral;
use crate::plan::{Body, QueryPlan};
use std::rc::Rc;
use types::Value;

/// Rows of a derived table, made once a statement.
pub fn materialize(plan: &QueryPlan, number: usize, cx: &mut Cx<'_>) -> Result<Rc<Rows>, SqlError> {
    if let Some(Some(Materialized::Rows(rows))) = cx.materialized.get(number) {
        return Ok(rows.clone());
    }
    let mut rows = Rows::default();
    let mut kept = Vec::with_capacity(plan.columns.len());
    let computed = computed(plan);
    let frames = std::mem::take(&mut cx.frames);
    let ran = query::run(plan, cx, &mut |cx, row| {
        if computed.is_empty() {
            rows.push(row.iter().cloned(), cx)?;
            return Ok(Flow::Continue);
        }
        kept.extend_from_slice(row);
        for &(at, item) in &computed {
            kept[at] = item.kept(std::mem::take(&mut kept[at]), cx.state);
        }
        rows.push(kept.drain(..), cx)?;
        Ok(Flow::Continue)
    });
    cx.frames = frames;
    ran?;
    cx.count_kept(rows.len() as u64);
    let rows = Rc::new(rows.finish()?);
    cx.keep(number, Materialized::Rows(rows.clone()));
    Ok(rows)
}

/// What a block selects, with the places of its columns; nothing of what is no block.
fn listed(plan: &QueryPlan) -> impl Iterator<Item = (usize, &Expr)> {
    let items = match &plan.body {
        Body::Select(select) => &select.items[..],
        _ => &[],
    };
    items.iter().enumerate()
}

/// The columns of a derived table that keep what its type has room for: those of numbers, dates and texts of geometries
/// that are computed, and the least of labels.
/// Other aggregates have all that they had, and what others keep they have already.
fn computed(plan: &QueryPlan) -> Vec<(usize, &Expr)> {
    listed(plan)
        .filter(|(_, item)| match item.ty.class() {
            _ if item.ty.kind_of_labels().is_some() => true,
            _ if matches!(item.kind, Kind::Column(_)) => false,
            Class::Real => item.ty.decimals < FREE_DECIMALS,
            Class::Str => item.ty.kind == TypeKind::LongBlob,
            Class::Temporal => matches!(item.ty.kind, TypeKind::Date | TypeKind::DateTime),
            Class::Int => item.ty.kind == TypeKind::Long && may_be_beyond(item) && !plan.is_plain_select(),
            class => class == Class::Decimal && item.ty.unsigned,
        })
        .collect()
}

/// Whether what is an INT by its type may be a number beyond it: a period may.
fn may_be_beyond(item: &Expr) -> bool {
    match &item.kind {
        Kind::Const(Value::Int(n)) => i32::try_from(*n).is_err(),
        kind => matches!(kind, Kind::Call(_)),
    }
}

/// The rows of a derived table that the rows around ask for.
pub fn asked_for(lateral: &Lateral, cx: &mut Cx<'_>) -> Result<Vec<Vec<Value>>, SqlError> {
    let keys = lateral.keys.iter().map(|e| e.eval(cx)).collect::<Result<Vec<Value>, _>>()?;
    let mut rows = Vec::new();
    if keys.iter().any(Value::is_null) {
        return Ok(rows);
    }
    let frames = std::mem::take(&mut cx.frames);
    for (&index, key) in lateral.slots.iter().zip(keys) {
        cx.set_slot(Slot { level: lateral.plan.level(), index }, key);
    }
    let mut held = 0;
    let labelled: Vec<(usize, &Expr)> =
        listed(&lateral.plan).filter(|(_, item)| item.ty.kind_of_labels().is_some()).collect();
    let ran = query::run(&lateral.plan, cx, &mut |cx, row| {
        let bytes = row_bytes(row);
        cx.charge(bytes)?;
        held += bytes;
        let mut row = row.to_vec();
        for &(at, item) in &labelled {
            row[at] = item.kept(std::mem::take(&mut row[at]), cx.state);
        }
        rows.push(row);
        Ok(Flow::Continue)
    });
    cx.frames = frames;
    cx.release(held);
    ran?;
    cx.count_kept(rows.len() as u64);
    Ok(rows)
}

/// The different rows of a query without NULLs, made once a statement.
pub fn distinct(
    plan: &QueryPlan,
    number: usize,
    how: &[Comparison],
    cx: &mut Cx<'_>,
) -> Result<Rc<Rows>, SqlError> {
    if let Some(Some(Materialized::Rows(rows))) = cx.materialized.get(number) {
        return Ok(rows.clone());
    }
    let mut rows = Rows::default();
    let mut unique = Unique::default();
    let mut key = Vec::new();
    let frames = std::mem::take(&mut cx.frames);
    let ran = query::run(plan, cx, &mut |cx, row| {
        if super::hash_join::key_of_values(row, how, cx, &mut key) {
            match unique.insert(&key, cx)? {
                Seen::New => rows.push(row.iter().cloned(), cx)?,
                Seen::Before => {}
                Seen::Unclear => unique.put_aside(&key, &[], row, cx)?,
            }
        }
        Ok(Flow::Continue)
    });
    cx.frames = frames;
    ran?;
    unique.finish(cx, |cx, _, row| {
        rows.push(row, cx)?;
        Ok(Flow::Continue)
    })?;
    let rows = Rc::new(rows.finish()?);
    cx.keep(number, Materialized::Rows(rows.clone()));
    Ok(rows)
}
