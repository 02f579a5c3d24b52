//! MIN and MAX of a whole table, read at the ends of indexes.
//!
//! Where an index holds the column behind parts that conditions fix, and the conditions say nothing else, the smallest
//! value is the column's in the first row of the index, the largest in the last one. Each MIN and MAX then reads one
//! row of its own.

use super::access::Finder;
use super::order::Condition;
use super::{Access, AggregateCall, Join, KeyRange, SelectPlan, Source, TableAccess};
use crate::expr::Slot;
use crate::syntax::ast::AggregateKind;
use std::collections::BTreeSet;

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

/// Finds the ends that answer all aggregates of a block, if there are such.
pub fn of(plan: &SelectPlan) -> Option<Vec<End>> {
    let group = plan.group.as_ref()?;
    let Some(Join::Table(table)) = &plan.from else { return None };
    let whole = group.keys.is_empty() && group.rollup.is_empty() && group.kept.is_empty();
    let plain = table.lock.is_none() && table.target.is_none() && plan.filter.is_empty();
    if !whole || !plain || plan.windows.is_some() || plan.row_number.is_some() || group.aggregates.is_empty()
    {
        return None;
    }
    group.aggregates.iter().map(|call| end_of(call, table, plan.level)).collect()
}

fn end_of(call: &AggregateCall, table: &TableAccess, level: u32) -> Option<End> {
    let reverse = match call.kind {
        AggregateKind::Min => false,
        AggregateKind::Max => true,
        _ => return None,
    };
    let Source::Base(base) = &table.source else { return None };
    let column = table.column_of(call.args.first()?, level)?;
    // Labels of ENUM and SET stand in indexes by number: so MariaDB finds them there, too, where it compares them as text
    // elsewhere.
    let conditions: Vec<Condition> = table.filter.iter().map(|e| Condition::new(e.clone(), level)).collect();
    let known = BTreeSet::new();
    let primary = base.primary_index();
    let finder = Finder { table, base, conditions: &conditions, known: &known, level };
    let range_of = |(number, index): (usize, &types::IndexDef)| {
        let range = match conditions.is_empty() {
            true => KeyRange::default(),
            false => {
                let mut found = finder.ranges(index)?;
                let all = (0..conditions.len()).all(|place| found.answered.contains(&place));
                found.ranges.pop().filter(|_| all && found.ranges.is_empty())?
            }
        };
        // Behind an index's own parts stand those of the primary key.
        let suffix =
            primary.filter(|own| *own != number).map_or(&[][..], |own| &base.def().indexes[own].parts);
        let part = index.parts.iter().chain(suffix).nth(range.equal.len())?;
        let fits = part.column == column && part.prefix_chars.is_none() && !part.desc;
        (fits && table.hints.may_find(number)).then_some((number, KeyRange { not_null: true, ..range }))
    };
    let (index, range) = base.def().indexes.iter().enumerate().find_map(range_of)?;
    let slot = Slot { level, index: table.slots.start + column as u32 };
    let mut end = TableAccess::new(&table.alias, Source::Base(base.clone()), table.slots.clone());
    end.access = Access::Ranges { index, ranges: vec![range], reverse };
    end.columns = table.columns.clone();
    end.checked = table.checked.clone();
    end.filter = table.filter.clone();
    end.rows = 1.0;
    Some(End { table: end, column: slot.index, result: call.slot })
}
