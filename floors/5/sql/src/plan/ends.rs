//! MIN and MAX of a whole table, read at the ends of indexes.
//!
//! Where an index holds the column behind parts that conditions fix, and the conditions say nothing else, the smallest
//! value is the column's in the first row of the index, the largest in the last one. Each MIN and MAX then reads one
//! row of its own. `grouped` does the same for each group.

use super::access::{Finder, cost};
use super::order::Condition;
use super::presort;
use super::{Access, AggregateCall, Join, KeyRange, SelectPlan, Source, TableAccess};
use crate::bind::Binder;
use crate::syntax::ast::AggregateKind;
use engine::Table;
use std::sync::Arc;

/// One MIN or MAX.
#[derive(Debug)]
pub struct End {
    /// The way to the row: the first one found has the value.
    pub table: TableAccess,
    /// Where the row's value stands.
    pub column: u32,
    /// Where the result goes.
    pub result: u32,
}

/// Those that MariaDB reads before the statement writes its first row: in subqueries of an INSERT, of the table that it
/// fills. Whatever else the block joins or sums up is read as it runs.
#[derive(Debug)]
pub struct EarlyEnds {
    /// Number among the statement's materialised results.
    pub number: usize,
    /// Rows that constants look up by whole keys: where one is not there yet, the block has none.
    pub rows: Vec<TableAccess>,
    /// The ends.
    pub ends: Vec<End>,
}

impl EarlyEnds {
    /// Those of a block: the conditions on the table are of nothing else, and say no more than the range of an index does.
    pub fn find(plan: &SelectPlan, conditions: &[Condition], binder: &mut Binder<'_>) -> Option<Box<Self>> {
        let written = binder.written.as_ref()?;
        let whole = plan.group.as_ref().filter(|group| group.keys.is_empty());
        let one_offset = binder.state.keeps_one_offset();
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        kept_tables(plan.from.as_ref()?, &mut |table| {
            let Source::Base(base) = &table.source else { return };
            if base.id() != written.id() {
                return;
            }
            let is_own = |slot: &u32| table.slots.contains(slot);
            let is_fixed = |c: &Condition| !c.late && !c.outer && c.slots.iter().all(is_own);
            let on_it: Vec<_> = conditions.iter().filter(|c| c.slots.iter().any(is_own)).cloned().collect();
            let fixed: Vec<_> = on_it.iter().filter(|c| is_fixed(c)).cloned().collect();
            let finder = Finder::alone(table, base, &fixed, plan.level, one_offset);
            rows.extend(row_of_key(&finder));
            if fixed.len() < on_it.len() {
                return;
            }
            for call in whole.iter().flat_map(|group| &group.aggregates) {
                let Some(reverse) = reads_end(call.kind) else { continue };
                let Some(column) = call.args.first().and_then(|e| table.column_of(e, plan.level)) else {
                    continue;
                };
                if let Some(found) = range_before(column, &finder) {
                    ends.push(End::of(call, (table, base), column, found, reverse));
                }
            }
        });
        let found = !ends.is_empty() || !rows.is_empty();
        found.then(|| Box::new(Self { number: binder.early_number(), rows, ends }))
    }
}

/// The one row that constants find by a whole key.
fn row_of_key(finder: &Finder<'_>) -> Option<TableAccess> {
    let Finder { table, base, .. } = finder;
    let Source::Base(stored) = &table.source else { return None };
    let range_of = |(number, index): (usize, &types::IndexDef)| {
        let mut found = finder.ranges(index)?;
        let range = found.ranges.pop().filter(|_| found.ranges.is_empty())?;
        let whole = range.equal.len() == index.parts.len() && table.hints.may_find(number);
        whole.then_some((number, range))
    };
    let mut indexes = base.def().indexes.iter().enumerate().filter(|(_, index)| index.is_unique());
    let (index, range) = indexes.find_map(range_of)?;
    let mut row = TableAccess::new(&table.alias, Source::Base(stored.clone()), table.slots.clone());
    row.access = Access::Ranges { index, ranges: vec![range], reverse: false };
    row.rows = 1.0;
    Some(row)
}

/// Calls `f` for the tables of a join that no row of others can leave without one.
fn kept_tables(join: &Join, f: &mut dyn FnMut(&TableAccess)) {
    match join {
        Join::Table(table) => f(table),
        Join::Inner(steps) => steps.iter().for_each(|(join, _)| kept_tables(join, f)),
        Join::Left { left, .. } => kept_tables(left, f),
        Join::Hash(_) => {}
    }
}

/// Has a block's aggregates answered by ends of indexes, where these answer all.
pub fn find(plan: &mut SelectPlan, binder: &Binder<'_>) {
    if plan.ends.is_some() {
        return;
    }
    plan.ends = of(plan, binder.state.keeps_one_offset());
    if plan.ends.is_none() {
        for place in labels_by_number(plan, binder.state.keeps_one_offset()) {
            if let Some(group) = &mut plan.group {
                group.aggregates[place].by_number = true;
            }
        }
    }
    let read_at_once = |ends: &&Vec<End>| ends.iter().all(|end| end.table.residual.is_empty());
    if let Some(ends) = plan.ends.as_ref().filter(read_at_once) {
        plan.cost = plan.cost.min(cost::LOOKUP * ends.len() as f64);
    }
}

/// The ends that answer all aggregates of a block, if there are such. `one_offset`: as [`Finder`] has it.
fn of(plan: &SelectPlan, one_offset: bool) -> Option<Vec<End>> {
    let group = plan.group.as_ref()?;
    let table = whole_table(plan)?;
    if group.aggregates.is_empty() {
        return None;
    }
    group.aggregates.iter().map(|call| end_of(call, table, plan.level, one_offset)).collect()
}

/// The table of a block of nothing but aggregates over it.
fn whole_table(plan: &SelectPlan) -> Option<&TableAccess> {
    let group = plan.group.as_ref()?;
    let Some(Join::Table(table)) = &plan.from else { return None };
    let whole = group.keys.is_empty() && group.rollup.is_empty() && group.kept.is_empty();
    let plain = table.lock.is_none() && table.target.is_none() && plan.filter.is_empty();
    (whole && plain && plan.windows.is_none() && plan.row_number.is_none()).then_some(table)
}

/// The aggregates over labels that MariaDB reads at the ends of indexes, where others have the rows read nevertheless.
fn labels_by_number(plan: &SelectPlan, one_offset: bool) -> Vec<usize> {
    let (Some(group), Some(table)) = (&plan.group, whole_table(plan)) else { return Vec::new() };
    let by_number = |call: &AggregateCall| {
        let labels = call.args.first().is_some_and(|e| e.ty.labels.is_some());
        labels && end_of(call, table, plan.level, one_offset).is_some()
    };
    let calls = group.aggregates.iter().enumerate();
    calls.filter(|(_, call)| by_number(call)).map(|(place, _)| place).collect()
}

impl End {
    /// The end of a range of an index, where a column of `table` stands behind the range's equal parts.
    pub fn of(
        call: &AggregateCall,
        (table, base): (&TableAccess, &Arc<Table>),
        column: usize,
        (index, range): (usize, KeyRange),
        reverse: bool,
    ) -> End {
        let slot = table.slots.start + column as u32;
        let mut end = TableAccess::new(&table.alias, Source::Base(base.clone()), table.slots.clone());
        end.access = Access::Ranges { index, ranges: vec![range], reverse };
        end.columns = vec![(column, slot)];
        end.rows = 1.0;
        End { table: end, column: slot, result: call.slot }
    }
}

/// Whether an aggregate is the value at an end of an index: `false` for the first one, `true` for the last.
pub fn reads_end(kind: AggregateKind) -> Option<bool> {
    match kind {
        AggregateKind::Min => Some(false),
        AggregateKind::Max => Some(true),
        _ => None,
    }
}

fn end_of(call: &AggregateCall, table: &TableAccess, level: u32, one_offset: bool) -> Option<End> {
    let reverse = reads_end(call.kind)?;
    let Source::Base(base) = &table.source else { return None };
    let column = table.column_of(call.args.first()?, level)?;
    // Labels of ENUM and SET stand in indexes by number: so MariaDB finds them there, too, where it compares them as text
    // elsewhere.
    let conditions = Condition::of_table(table, level);
    let finder = Finder::alone(table, base, &conditions, level, one_offset);
    let (index, range) = range_before(column, &finder)?;
    let mut end = End::of(call, (table, base), column, (index, range), reverse);
    end.table.columns.clone_from(&table.columns);
    end.table.checked.clone_from(&table.checked);
    end.table.filter.clone_from(&table.filter);
    Some(end)
}

/// The range of an index at whose ends a column has its extremes, where it answers all conditions.
fn range_before(column: usize, finder: &Finder<'_>) -> Option<(usize, KeyRange)> {
    let Finder { table, base, conditions, .. } = finder;
    let range_of = |(number, index): (usize, &types::IndexDef)| {
        let range = match conditions.is_empty() {
            true => KeyRange::default(),
            false => {
                let mut found = finder.ranges(index)?;
                let all = (0..conditions.len()).all(|place| found.answered.contains(&place));
                found.ranges.pop().filter(|_| all && found.ranges.is_empty())?
            }
        };
        let part = presort::sorted_parts(base, index).nth(range.equal.len())?;
        let fits = part.column == column && part.prefix_chars.is_none() && !part.desc;
        (fits && table.hints.may_find(number)).then_some((number, KeyRange { not_null: true, ..range }))
    };
    base.def().indexes.iter().enumerate().find_map(range_of)
}
