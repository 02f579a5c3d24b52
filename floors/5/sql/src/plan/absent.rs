//! Outer joins of which only the rows without a partner are wanted (MariaDB's "Not exists").
//!
//! `a LEFT JOIN b ON b.a_id = a.id WHERE b.id IS NULL` asks for rows of `a` without any of `b` where a row of `b` that is
//! joined cannot have NULL there: the first one that is found tells that the row of `a` is none of them.

use super::estimate::TableFacts;
use super::inner::{has_outer, not_null};
use super::{Join, Source};
use crate::expr::{CompareOp, Expr, Kind, build};
use crate::syntax::ast::IsTest;
use std::collections::BTreeSet;
use types::Value;

/// The part of the rows around that is taken to have no partner where nothing tells more.
const UNKNOWN: f64 = 0.4;
/// At least so many have none, where a table has as many values to look for as the other one.
const LEAST: f64 = 0.05;

/// The part of the rows of `left` that have no partner in `right`. Where a column is to equal another, as many of its different
/// values have partners as the other one has different values: rows mostly look for what may be there.
pub fn part(left: &Join, right: &Join, on: &[Expr], level: u32) -> f64 {
    let [Expr { kind: Kind::Compare(CompareOp::Eq, _, a, b), .. }] = on else { return UNKNOWN };
    let distinct = |join: &Join, e: &Expr| {
        let Kind::Column(slot) = e.kind else { return None };
        let table = join.table_with(slot.index).filter(|_| slot.level == level)?;
        Some(TableFacts::of(table).distinct_column(table, table.column_at(slot.index)?).max(1.0))
    };
    let sides = |a, b| Some((distinct(left, a)?, distinct(right, b)?));
    match sides(a, b).or_else(|| sides(b, a)) {
        Some((wanted, there)) => (1.0 - there / wanted).max(LEAST),
        None => UNKNOWN,
    }
}

/// The part of the rows of its first table that a chain of outer joins leaves.
pub fn part_left(join: &Join, level: u32) -> f64 {
    match join {
        Join::Left { left, right, on, absent, .. } => {
            part_left(left, level) * if *absent { part(left, right, on, level) } else { 1.0 }
        }
        _ => 1.0,
    }
}

/// Makes IS NULL of a column false that other conditions want to have a value.
pub fn contradict(conditions: &mut [Expr], level: u32) {
    for at in 0..conditions.len() {
        let Some(slot) = null_column(&conditions[at], level) else { continue };
        let mut others = conditions.iter().enumerate().filter(|(other, _)| *other != at);
        if others.any(|(_, e)| not_null(e, level).contains(&slot)) {
            conditions[at] = build::constant(Value::Int(0));
        }
    }
}

/// Marks such joins; the conditions that said so hold then, and are left out.
pub fn mark(join: &mut Join, conditions: &mut Vec<Expr>, level: u32) {
    if !has_outer(join) {
        return;
    }
    let wanted: BTreeSet<u32> = conditions.iter().filter_map(|e| null_column(e, level)).collect();
    if wanted.is_empty() {
        return;
    }
    let mut told = BTreeSet::new();
    mark_wanted(join, &wanted, &mut told, level);
    conditions.retain(|e| null_column(e, level).is_none_or(|slot| !told.contains(&slot)));
}

/// The column of the block that a condition wants to be NULL.
fn null_column(e: &Expr, level: u32) -> Option<u32> {
    match &e.kind {
        Kind::Is(IsTest::Null, false, operand) => match operand.kind {
            Kind::Column(slot) if slot.level == level => Some(slot.index),
            _ => None,
        },
        _ => None,
    }
}

/// `told` gets those of the slots that are NULL in all rows that are left.
fn mark_wanted(join: &mut Join, wanted: &BTreeSet<u32>, told: &mut BTreeSet<u32>, level: u32) {
    match join {
        Join::Left { left, right, on, right_slots, absent } => {
            mark_wanted(left, wanted, told, level);
            let mut never: BTreeSet<u32> = on.iter().flat_map(|e| not_null(e, level)).collect();
            never_null(right, &mut never);
            if right_slots.iter().any(|slot| wanted.contains(slot) && never.contains(slot)) {
                *absent = true;
                told.extend(right_slots.iter());
            }
        }
        Join::Inner(steps) => {
            steps.iter_mut().for_each(|(member, _)| mark_wanted(member, wanted, told, level));
        }
        Join::Table(_) | Join::Hash(_) => {}
    }
}

/// Whether a chain of outer joins has one of which only rows without a partner are wanted.
pub fn leaves_out_rows(join: &Join) -> bool {
    match join {
        Join::Left { left, absent, .. } => *absent || leaves_out_rows(left),
        _ => false,
    }
}

/// Puts to `slots` those of columns that are NOT NULL in every row that a join has, and takes out dates among them: IS NULL finds
/// the zero date there.
fn never_null(join: &Join, slots: &mut BTreeSet<u32>) {
    match join {
        Join::Table(table) => {
            let Source::Base(base) = &table.source else { return };
            let columns = table.slots.clone().zip(&base.def().columns);
            for (slot, column) in columns.filter(|(_, column)| !column.nullable) {
                match column.ty.is_temporal() {
                    true => slots.remove(&slot),
                    false => slots.insert(slot),
                };
            }
        }
        Join::Inner(steps) => steps.iter().for_each(|(member, _)| never_null(member, slots)),
        Join::Left { left, .. } => never_null(left, slots),
        Join::Hash(hash) => never_null(&hash.build, slots),
    }
}
