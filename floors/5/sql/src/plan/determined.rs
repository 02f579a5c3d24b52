//! Sort keys that those before them determine.
//!
//! Rows that are alike in a unique key of a table are alike in all its columns, and in those that equal them: of
//! `ORDER BY o.id, o.total, u.name`, where `u.id = o.user_id`, the first key does. What is left may be the order of an
//! index, or of one table that the join is driven by. Rows that are equal in all keys may then come in another order.

use super::equal::{Classed, Classes, fixed_column};
use super::{Join, SelectPlan, SortKey, Source, TableAccess};
use crate::expr::{Kind, Slot};
use std::collections::BTreeSet;

/// Leaves out those keys of a block's ORDER BY; those that are left are said by columns of one table, where it has them.
pub fn settle_keys(plan: &mut SelectPlan, conditions: &[Classed], classes: &Classes) {
    let keys = &mut plan.tail.order_by;
    let rows = plan.group.is_none() && plan.windows.is_none() && !plan.distinct;
    let (Some(join), true) = (&plan.from, keys.len() > 1) else { return };
    let mut known = Known { slots: BTreeSet::new(), tables: Vec::new(), classes, level: plan.level };
    if rows {
        known.read(join, conditions);
    }
    keys.retain(|key| match key.expr.kind {
        Kind::Column(slot) => known.add(slot),
        _ => true,
    });
    if rows {
        say_by_one_table(keys, &known);
    }
}

/// Columns that have one value in all rows that are alike in the sort keys looked at.
struct Known<'p> {
    slots: BTreeSet<Slot>,
    tables: Vec<&'p TableAccess>,
    classes: &'p Classes,
    level: u32,
}

impl<'p> Known<'p> {
    /// Takes note of a join's tables, and of the columns that conditions give one value.
    fn read(&mut self, join: &'p Join, conditions: &[Classed]) {
        join.visit_tables(&mut |table| self.tables.push(table));
        self.slots.extend(conditions.iter().filter_map(|condition| fixed_column(&condition.expr)));
        self.follow();
    }

    /// Adds a column; false for one that was known.
    fn add(&mut self, slot: Slot) -> bool {
        let new = self.slots.insert(slot);
        if new {
            self.follow();
        }
        new
    }

    /// Adds what follows, until nothing does.
    fn follow(&mut self) {
        let mut before = usize::MAX;
        while std::mem::replace(&mut before, self.slots.len()) != self.slots.len() {
            let equal: Vec<Slot> = self.slots.iter().flat_map(|slot| self.classes.equals_of(*slot)).collect();
            self.slots.extend(equal);
            for table in &self.tables {
                if self.has_key(table) {
                    let level = self.level;
                    self.slots.extend(table.slots.clone().map(|index| Slot { level, index }));
                }
            }
        }
    }

    /// Whether columns that are known tell a table's rows apart.
    fn has_key(&self, table: &TableAccess) -> bool {
        let Source::Base(base) = &table.source else { return false };
        let (def, level) = (base.def(), self.level);
        def.has_unique_key(|part| {
            let slot = Slot { level, index: table.slots.start + part.column as u32 };
            part.prefix_chars.is_none() && !def.columns[part.column].nullable && self.slots.contains(&slot)
        })
    }
}

/// Names the columns of the first key's table instead of those of others that equal them.
fn say_by_one_table(keys: &mut [SortKey], known: &Known<'_>) {
    let Some(Kind::Column(first)) = keys.first().map(|key| &key.expr.kind) else { return };
    let Some(table) = known.tables.iter().find(|table| table.slots.contains(&first.index)) else { return };
    let named = |key: &SortKey| match key.expr.kind {
        Kind::Column(slot) if table.slots.contains(&slot.index) => Some(slot),
        Kind::Column(slot) => known.classes.equals_of(slot).find(|other| table.slots.contains(&other.index)),
        _ => None,
    };
    let Some(slots) = keys.iter().map(named).collect::<Option<Vec<Slot>>>() else { return };
    for (key, slot) in keys.iter_mut().zip(slots) {
        key.expr.kind = Kind::Column(slot);
    }
}
