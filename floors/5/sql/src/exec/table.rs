//! Rows of one table.

use super::reader::Reader;
use super::rows::Walk;
use super::sort::Sorter;
use super::{Cx, Flow, Materialized, Next, join, made};
use crate::catalog::{VirtualTable, Wanted};
use crate::error::SqlError;
use crate::expr::{CompareOp, Expr, Kind, Slot, build};
use crate::plan::{Source, TableAccess};
use crate::session::counters::Counter;
use engine::{FoundRow, Table};
use std::sync::Arc;
use types::Value;

/// Runs a table: fills its slots and calls `next` for each row that passes its conditions, or the first of them, or all in an
/// order.
pub fn run(access: &TableAccess, level: u32, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
    let Some(first) = &access.first else { return run_all(access, level, cx, next) };
    let mut wanted = 0_u64;
    for e in &first.limits {
        let count = e.eval(cx)?;
        wanted = wanted.saturating_add(build::limit_count(&count, cx.state)?);
    }
    let delivered = access.columns_delivered();
    let slots: Vec<Slot> = delivered.iter().map(|&(_, index)| Slot { level, index }).collect();
    let most = (!first.are_all()).then(|| usize::try_from(wanted).unwrap_or(usize::MAX));
    let mut sorter = Sorter::new(&first.order_by, most);
    run_all(access, level, cx, &mut |cx| {
        let row: Vec<Value> = slots.iter().map(|&slot| cx.slot(slot).clone()).collect();
        sorter.push(cx, &row)?;
        Ok(Flow::Continue)
    })?;
    sorter.drain_keyed(cx, &mut |cx, _, row| {
        slots.iter().zip(row).for_each(|(&slot, value)| cx.set_slot(slot, value));
        next(cx)
    })
}

fn run_all(access: &TableAccess, level: u32, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
    cx.note(access, 1, 0, 0);
    match &access.source {
        Source::Base(table) => run_base(table, access, level, cx, next),
        Source::Derived { plan, number } => {
            let rows = made::materialize(plan, *number, cx)?;
            run_rows(rows.walk(), access, level, cx, next)
        }
        Source::Lateral(lateral) => {
            let rows = made::asked_for(lateral, cx)?;
            run_rows(Walk::over(&rows), access, level, cx, next)
        }
        Source::Distinct { plan, number, how } => {
            let rows = made::distinct(plan, *number, how, cx)?;
            run_rows(rows.walk(), access, level, cx, next)
        }
        Source::Json(json) => {
            let rows = super::json_table::rows(json, cx)?;
            run_rows(Walk::over(&rows), access, level, cx, next)
        }
        Source::Round(number) => {
            let rows = match cx.materialized.get(*number) {
                Some(Some(Materialized::Rows(rows))) => rows.clone(),
                _ => return Err(SqlError::internal_error("read a recursion that is not under way")),
            };
            run_rows(rows.walk(), access, level, cx, next)
        }
        Source::Virtual(table) => {
            cx.wanted = wanted(table, access, level, cx.params);
            let rows = table.read(cx);
            cx.wanted = Wanted::default();
            let rows = rows?;
            cx.count_kept(rows.len() as u64);
            run_rows(Walk::over(&rows), access, level, cx, next)
        }
        Source::Sequence(sequence) => super::sequence::run(*sequence, access, level, cx, next),
    }
}

/// The database and table that the conditions ask for, where they are constants.
fn wanted(table: &VirtualTable, access: &TableAccess, level: u32, params: &[Value]) -> Wanted {
    let constant = |e: &Expr| match &e.kind {
        Kind::Const(Value::Str(value)) => Some(value.clone()),
        Kind::Param(n) => match params.get(*n as usize) {
            Some(Value::Str(value)) => Some(value.clone()),
            _ => None,
        },
        _ => None,
    };
    let def = table.definition();
    let named = ["TABLE_CATALOG", "TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE"];
    // Of what is listed of views themselves only this is looked for in them.
    let opens = |name: &str| match &def.name[..] {
        "VIEWS" => name == "IS_UPDATABLE",
        _ => !named.contains(&name),
    };
    let names_only = !access.columns.iter().any(|(at, _)| opens(&def.columns[*at].name));
    let mut wanted = Wanted { names_only, ..Wanted::default() };
    for condition in &access.filter {
        let Kind::Compare(CompareOp::Eq, _, left, right) = &condition.kind else { continue };
        let (column, value) = match (&left.kind, &right.kind) {
            (Kind::Column(slot), _) => (slot, constant(right)),
            (_, Kind::Column(slot)) => (slot, constant(left)),
            _ => continue,
        };
        let Some(value) = value else { continue };
        if column.level != level || !access.slots.contains(&column.index) {
            continue;
        }
        let name = def.columns.get((column.index - access.slots.start) as usize).map(|c| c.name.as_str());
        let value = String::from_utf8_lossy(&value.bytes).into_owned();
        match name {
            Some("TABLE_SCHEMA") => wanted.database = Some(value),
            Some("TABLE_NAME") => wanted.table = Some(value),
            _ => {}
        }
    }
    wanted
}

fn run_rows(
    rows: Walk<'_>,
    access: &TableAccess,
    level: u32,
    cx: &mut Cx<'_>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    run_more_rows(rows, 0, access, level, cx, next)
}

/// Hands on the rows that pass the conditions; `before` of the table's have been looked at already.
pub(super) fn run_more_rows(
    mut rows: Walk<'_>,
    before: u64,
    access: &TableAccess,
    level: u32,
    cx: &mut Cx<'_>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    let width = access.slots.end as usize;
    let mut at = before;
    while let Some(row) = rows.next_row()? {
        at += 1;
        cx.count(Counter::HandlerReadRndNext, 1);
        cx.count(Counter::RowsTmpRead, 1);
        cx.state.statement.row = at;
        cx.examine()?;
        let frame = cx.frame_mut(level, width);
        for &(column, slot) in &access.columns {
            frame[slot as usize] = row.get(column).cloned().unwrap_or_default();
        }
        cx.note(access, 0, 1, 0);
        if !join::all(&access.filter, cx)? {
            continue;
        }
        cx.note(access, 0, 0, 1);
        if next(cx)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
    }
    Ok(Flow::Continue)
}

fn run_base(
    table: &Arc<Table>,
    access: &TableAccess,
    level: u32,
    cx: &mut Cx<'_>,
    next: Next<'_>,
) -> Result<Flow, SqlError> {
    Reader { table, access, level, decodes: true }.run(cx, &mut |cx: &mut Cx<'_>, _: FoundRow<'_>| next(cx))
}
