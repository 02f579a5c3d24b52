//! Sides of joins that are kept in hash tables: whether they are, their keys, the rows around them.

use super::{Condition, Placed, Planner, distinct_of, slots_of};
use crate::error::SqlError;
use crate::expr::{Expr, Kind};
use crate::plan::estimate::TableFacts;
use crate::plan::hash::{self, Keys};
use crate::plan::joins::{self, IndexFacts};
use crate::plan::{Join, Source, TableAccess, access};
use std::collections::{BTreeSet, HashSet};

impl Planner<'_, '_, '_> {
    /// Whether the right side of an outer join is better kept in a hash table than looked up for each of `around` rows;
    /// and if so, whether an index could have been looked into.
    pub(super) fn left_by_hash(
        &mut self,
        (right, absent): (&Join, bool),
        on: &[Condition],
        own: &BTreeSet<u32>,
        around: f64,
    ) -> Result<Option<bool>, SqlError> {
        let keyed = on.iter().any(|c| hash::sides(c, own, self.level).is_some());
        if !joins::may_hash(right, self.level) {
            return Ok(None);
        }
        let driver = right.first_table();
        let local: Vec<Condition> = on.iter().filter(|c| self.is_local(c, own)).cloned().collect();
        let facts = TableFacts::of(driver);
        let alone = self.choose(driver, &facts, &local, &BTreeSet::new())?;
        let mut known: BTreeSet<u32> = BTreeSet::new();
        on.iter().for_each(|c| known.extend(c.slots.difference(own)));
        let each = self.choose(driver, &facts, on, &known)?;
        let looked_up = self.joins_by_index(driver, &facts, on, own);
        if looked_up && joins::locks_rows(right) {
            return Ok(None);
        }
        let by_hash = match right {
            Join::Table(_) => {
                let built = alone.cost + alone.rows * access::cost::BUILD + around * access::cost::PROBE;
                // Of a small table any way does: MariaDB looks into an index wherever it can.
                let small = facts.rows.max(1.0) * around.max(1.0) <= joins::COMBINATIONS;
                // The first row found ends a look where none is wanted.
                let looks = around * each.cost / if absent { each.rows.max(1.0) } else { 1.0 };
                !(small && looked_up) && built < looks && (keyed || each.is_scan())
            }
            _ => keyed || around > 1.0,
        };
        Ok(by_hash.then_some(looked_up))
    }

    /// The rows around a side of a join that runs `runs` times: those of the joins before it; none where it runs more than
    /// once, or where they come one by one. `kept`: buffers may keep them.
    pub(super) fn around<'j>(
        &self,
        kept: bool,
        (before, rows): (impl Iterator<Item = &'j Join>, f64),
        runs: f64,
    ) -> Option<hash::Around> {
        if !self.outermost || self.changes || self.first_rows || runs != 1.0 {
            return None;
        }
        let mut slots = BTreeSet::new();
        let mut rounds = false;
        before.for_each(|join| {
            slots.extend(slots_of(join));
            join.visit_tables(&mut |table| rounds |= matches!(table.source, Source::Round(_)));
        });
        slots.retain(|&slot| self.scope.is_used(slot));
        let slots = kept.then(|| slots.into_iter().collect());
        let derived_by_key = self.buffers.derived_by_key;
        Some(hash::Around { slots, rounds, derived_by_key, rows, ordered: self.ordered })
    }

    /// Whether values of what stands around can be looked for in an index of a table with these slots.
    fn joins_by_index(
        &self,
        table: &TableAccess,
        facts: &TableFacts,
        on: &[Condition],
        own: &BTreeSet<u32>,
    ) -> bool {
        let Source::Base(base) = &table.source else { return false };
        let around = |c: &Condition, e: &Expr| {
            let read = Condition::new(e.clone(), self.level);
            (!c.late && read.slots.is_disjoint(own)).then_some(u128::from(!read.slots.is_empty()))
        };
        base.def().indexes.iter().enumerate().any(|(number, index)| {
            table.hints.may_find(number)
                && IndexFacts::of(table, number, index, facts, on, &around, self.level)
                    .is_some_and(|index| index.joins())
        })
    }

    pub(super) fn is_local(&self, condition: &Condition, own: &BTreeSet<u32>) -> bool {
        !condition.late && !condition.outer && condition.slots.is_subset(own)
    }

    /// Places a join whose rows are kept in a hash table: conditions on them alone are checked as they are made,
    /// equalities make keys, the rest is left over.
    pub(super) fn hashed(
        &mut self,
        join: Join,
        conditions: Vec<Condition>,
        own: &BTreeSet<u32>,
        once: Option<hash::Around>,
        looked_up: bool,
    ) -> Result<Placed, SqlError> {
        let (local, others): (Vec<_>, Vec<_>) = conditions.into_iter().partition(|c| self.is_local(c, own));
        let mut keys = Keys::default();
        let mut classes = HashSet::new();
        let mut left_over = Vec::new();
        for condition in others {
            // One equality of a class says it for all: the rows around are equal among themselves already.
            if condition.class.is_some_and(|class| classes.contains(&class))
                && !condition.slots.is_disjoint(own)
            {
                continue;
            }
            match keys.take(&condition, own, self.level) {
                true => classes.extend(condition.class),
                false => left_over.push(condition),
            }
        }
        let mut placed = self.place(join, local, &BTreeSet::new(), 1.0)?;
        let local_late = std::mem::take(&mut placed.left_over);
        left_over.extend(local_late);
        let mut slots: Vec<u32> = own.iter().copied().filter(|&slot| self.scope.is_used(slot)).collect();
        let row = self.changes.then(|| self.scope.reserve(1));
        slots.extend(row);
        let number = self.binder.next_number();
        let rows = placed.rows;
        let cost = placed.cost + rows * access::cost::BUILD;
        let distinct = match (&placed.join, keys.keys.first().map(|e| &e.kind)) {
            (join, Some(Kind::Column(slot))) => distinct_of(join, slot.index).unwrap_or(rows),
            _ => rows,
        };
        let each = if keys.keys.is_empty() { rows } else { (rows / distinct.max(1.0)).max(0.1) };
        Ok(Placed {
            join: hash::made((placed.join, rows), keys, number, (slots, row), once, looked_up),
            left_over,
            rows: each,
            cost,
        })
    }
}
