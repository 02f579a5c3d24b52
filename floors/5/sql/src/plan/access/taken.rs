//! What comes of a choice.

use super::super::estimate::TableFacts;
use super::super::order::Condition;
use super::super::{Access, Source, TableAccess};
use super::{Choice, FEW};

/// The way to the rows of a small table that are all changed: MariaDB goes through the table where a range of another index
/// than the primary key's is no cheaper to it, and the order in which rows are changed shows.
pub fn of_change(choice: Choice, table: &TableAccess, facts: &TableFacts) -> Choice {
    // In pages and comparisons, as its UPDATE and DELETE take them for a table of one page.
    const ROW: f64 = 1.2;
    const RANGE: f64 = 0.13;
    const RANGES: f64 = 0.05;
    const TABLE: f64 = 3.1;
    const PASSED: f64 = 0.2;
    let Source::Base(base) = &table.source else { return choice };
    match &choice.access {
        Access::Ranges { index, ranges, .. }
            if facts.rows <= FEW
                && base.primary_index() != Some(*index)
                && !table.hints.forced()
                && choice.scanned * ROW + ranges.len() as f64 * RANGE + RANGES
                    >= facts.rows * PASSED + TABLE =>
        {
            Choice::scan(facts.rows, choice.rows)
        }
        _ => choice,
    }
}

/// Reads a table in the way chosen, checking `ready` on each row.
pub fn settle(table: &mut TableAccess, ready: Vec<Condition>, choice: Choice) {
    table.access = choice.access;
    table.rows = choice.scanned;
    table.kept = (choice.rows / choice.scanned.max(0.01)).min(1.0);
    let left_to_check = ready.iter().enumerate().filter(|(i, _)| !choice.answered.contains(i));
    table.residual = left_to_check.map(|(_, c)| c.expr.clone()).collect();
    let first_read = |slot: &u32| ready.iter().position(|c| c.slots.contains(slot)).unwrap_or(usize::MAX);
    table.columns.sort_by_cached_key(|(column, slot)| (first_read(slot), *column));
    let read_until = |i| table.columns.partition_point(|(_, slot)| first_read(slot) <= i);
    table.checked = (0..ready.len()).map(read_until).collect();
    table.delivered = None;
    table.filter = ready.into_iter().map(|c| c.expr).collect();
}
