//! What a block with LIMIT is after: so many rows, or groups, maybe in an order that an index has.
//!
//! Joined by lookups from the table that has the order, the rows come in it one by one, and the reading ends with the
//! last one that is wanted. A part of the work is so done, where hash tables and sorts want all of it.

use super::access::Finder;
use super::equal::Classes;
use super::estimate::{self, TableFacts};
use super::order::Condition;
use super::presort::{find_in_order, keeps_order, ranges_in_order, rows_wanted, whole_in_order};
use super::{Access, SelectPlan, SortKey, Source, TableAccess, access};
use crate::bind::Binder;
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot};
use engine::Table;
use std::sync::Arc;

/// The rest of the rows that conditions keep which wait until a row is whole.
const LATE_KEEPS: f64 = 0.1;
/// How often a row comes, as a guess, where only different ones are wanted.
const ALIKE: f64 = 4.0;
/// What sorting a row costs.
const SORTED: f64 = 3.0;
/// How many groups are looked at for each that HAVING keeps, as a guess.
const GROUPS_LOOKED_AT: f64 = 4.0;
/// The first rows are read alone where that is so many times cheaper than reading all: those that are wanted may all stand
/// at the far end.
pub const SURELY_CHEAPER: f64 = 4.0;

/// The first rows of a block's result, or its first groups.
#[derive(Debug, Clone)]
pub struct Goal {
    /// How many of them, as far as that can be told.
    pub wanted: f64,
    /// What they are in the order of: for each sort key its column, and those that equal it. Empty where any order does.
    order: Vec<Vec<Slot>>,
    /// Some of them ascending and some descending: no index has that.
    mixed: bool,
    /// They are groups, each of the rows that agree in these.
    pub keys: Option<Vec<SortKey>>,
    /// Where whole rows of the table that has the order decide it: what LIMIT leaves of them.
    first: Option<FirstRows>,
}

/// The first rows of a table in an order: no others are joined, where each of them is in the result. Or all, sorted before
/// they are joined.
#[derive(Debug, Clone)]
pub struct FirstRows {
    /// The order.
    pub order_by: Vec<SortKey>,
    /// LIMIT and OFFSET, which add up; all rows are wanted where there are none.
    pub limits: Vec<Expr>,
}

impl FirstRows {
    /// The same, with the sort keys said by columns of a table.
    fn said_by(mut self, table: &TableAccess, columns: &[usize]) -> FirstRows {
        for (key, column) in self.order_by.iter_mut().zip(columns) {
            if let Kind::Column(slot) = &mut key.expr.kind {
                slot.index = table.slots.start + *column as u32;
            }
        }
        self
    }

    /// Whether all rows are wanted.
    pub fn are_all(&self) -> bool {
        self.limits.is_empty()
    }
}

/// How the table that drives a join gives the first rows.
pub enum Driving {
    /// In the order of an index, so many rows of it.
    InOrder(Goal, f64),
    /// All are looked at, so many are joined.
    Sorted(FirstRows, f64),
}

impl Goal {
    /// The goal of a block, if it has one that its joins can work towards. `late`: conditions wait until a row is whole.
    pub fn of(plan: &SelectPlan, late: bool, classes: &Classes, binder: &Binder<'_>) -> Option<Goal> {
        let tail = &plan.tail;
        let whole = plan.windows.is_some()
            || plan.having.is_some() && plan.group.is_none()
            || plan.row_number.is_some()
            || tail.calc_found_rows
            || tail.with_ties;
        if whole {
            return None;
        }
        let slot = |e: &Expr| match e.kind {
            Kind::Column(slot) if slot.level == plan.level => Some(slot.index),
            _ => None,
        };
        let reverse = tail.order_by.first().is_some_and(|key| key.desc);
        let mixed = tail.order_by.iter().any(|key| key.desc != reverse);
        let mut order: Vec<u32> = tail.order_by.iter().map(|key| slot(&key.expr)).collect::<Option<_>>()?;
        if mixed && (plan.group.is_some() || plan.distinct) {
            return None;
        }
        let mut wanted = rows_wanted(tail, binder)?.max(1.0);
        let mut keys = None;
        if let Some(group) = &plan.group {
            let of_groups: Vec<u32> = group.keys.iter().map(|key| slot(&key.expr)).collect::<Option<_>>()?;
            let plain = group.rollup.is_empty() && !of_groups.is_empty() && !plan.distinct;
            let shown = tail.order_by.is_empty() && !group.as_found;
            if !plain || !of_groups.starts_with(&order) || shown && group.keys.iter().any(|key| key.desc) {
                return None;
            }
            order = of_groups;
            keys = Some(group.keys.clone());
            if plan.having.is_some() {
                wanted *= GROUPS_LOOKED_AT;
            }
        } else if plan.distinct {
            let items: Vec<u32> = plan.items.iter().map(slot).collect::<Option<_>>()?;
            let together = |order: &[u32]| order.iter().all(|slot| items.contains(slot));
            if !order.is_empty() && !order.get(..items.len()).is_some_and(together) {
                return None;
            }
            wanted *= ALIKE;
        }
        let plain = keys.is_none() && !plan.distinct && !order.is_empty();
        let limits = || tail.limit.iter().chain(&tail.offset).cloned().collect();
        let first = plain.then(|| FirstRows { order_by: tail.order_by.clone(), limits: limits() });
        let level = plan.level;
        let order = order.into_iter().map(|index| classes.with_equals(Slot { level, index })).collect();
        let mut goal = Goal { wanted, order, mixed, keys, first };
        if late {
            goal.wait();
        }
        Some(goal)
    }

    /// Takes note that conditions are checked on whole rows.
    pub fn wait(&mut self) {
        self.wanted /= LATE_KEEPS;
        self.first = None;
    }

    /// The first rows of a table that drives an outer join, where its `own` conditions are all there are: each of its rows
    /// is in the result, be it alone. `rows`: how many there are.
    pub fn first_of(self, table: &TableAccess, conditions: &[Condition], rows: f64) -> Option<Driving> {
        let (_, columns) = self.ordered_columns(table)?;
        let wanted = self.wanted;
        let own = |slot: &u32| table.slots.contains(slot);
        let all = conditions.iter().all(|c| !c.late && c.slots.iter().all(own));
        let free = table.lock.is_none() && table.target.is_none();
        let first = self.first.filter(|_| all && free && wanted < rows)?;
        Some(Driving::Sorted(first.said_by(table, &columns), wanted))
    }

    /// What it costs to read all rows of a table that its `own` conditions ask for in the order that is wanted, read as
    /// `chosen` otherwise; nothing where no way of reading them gives that.
    pub fn price_in_order(
        &self,
        table: &TableAccess,
        facts: &TableFacts,
        chosen: &access::Choice,
        own: &[Condition],
        level: u32,
        binder: &mut Binder<'_>,
    ) -> Result<Option<f64>, SqlError> {
        if self.order.is_empty() {
            return Ok(Some(chosen.cost));
        }
        let Some((base, columns)) = self.ordered_columns(table).filter(|_| !self.mixed) else {
            return Ok(None);
        };
        if keeps_order(&chosen.access, base, &columns) {
            return Ok(Some(chosen.cost));
        }
        let finder = Finder::alone(table, base, own, level, binder.state.keeps_one_offset());
        let ranges = ranges_in_order(&finder, facts, &columns, &|held| held, binder)?;
        let whole = whole_in_order(table, base, &columns, true);
        let whole = whole.map(|index| facts.rows * table.price_by(base, index));
        Ok(ranges.map(|(price, ..)| price).into_iter().chain(whole).reduce(f64::min))
    }

    /// What it costs to sort all rows of a table, read as `chosen`, before they are joined; nothing where it has not all of
    /// the order.
    pub fn price_sorted(&self, table: &TableAccess, chosen: &access::Choice) -> Option<f64> {
        let free = table.lock.is_none() && table.target.is_none();
        let sorts = self.first.is_some() && self.ordered_columns(table).is_some();
        (sorts && free).then_some(chosen.cost + chosen.rows * SORTED)
    }

    /// All rows of the table that drives the join sorted before they are joined, so many of them.
    pub fn sorted(self, table: &TableAccess, rows: f64) -> Option<Driving> {
        let (_, columns) = self.ordered_columns(table)?;
        let first = self.first?.said_by(table, &columns);
        Some(Driving::Sorted(FirstRows { limits: Vec::new(), ..first }, rows))
    }

    /// A stored table that has all columns of the order, or such as equal them, and these.
    fn ordered_columns<'t>(&self, table: &'t TableAccess) -> Option<(&'t Arc<Table>, Vec<usize>)> {
        let Source::Base(base) = &table.source else { return None };
        let column = |slots: &Vec<Slot>| slots.iter().find_map(|slot| table.column_at(slot.index));
        Some((base, self.order.iter().map(column).collect::<Option<_>>()?))
    }

    /// The part of the rows of a join that has to be made, if it makes `rows`, and `driving` rows of `table` drive it.
    pub fn part(&self, table: &TableAccess, driving: f64, rows: f64) -> f64 {
        let all = match &self.keys {
            None => rows,
            Some(keys) => {
                let groups = estimate::groups(driving, keys, &|slot| {
                    let column = table.column_at(slot.index)?;
                    Some(TableFacts::of(table).distinct_column(table, column))
                });
                // Each has a row of the join at least.
                groups.min(rows)
            }
        };
        (self.wanted / all.max(1.0)).min(1.0)
    }

    /// Has a table, which drives its join, read in the order that is wanted, given how many of its rows are.
    pub fn take_order(
        &self,
        table: &mut TableAccess,
        rows: f64,
        level: u32,
        binder: &mut Binder<'_>,
    ) -> Result<(), SqlError> {
        let found = self.ordered_columns(table).map(|(base, columns)| (base.clone(), columns));
        let Some((base, columns)) = found.filter(|(_, columns)| !columns.is_empty()) else { return Ok(()) };
        if !keeps_order(&table.access, &base, &columns) {
            find_in_order(table, &base, (&columns, Some(rows)), level, binder)?;
        }
        if !keeps_order(&table.access, &base, &columns)
            && let Some(index) = whole_in_order(table, &base, &columns, true)
        {
            table.access = Access::Index { index, reverse: false };
            table.residual.clone_from(&table.filter);
        }
        table.rows = table.rows.min((rows / table.kept.max(0.001)).max(1.0));
        Ok(())
    }
}
