//! ORDER BY answered by the order of an index, so that nothing is sorted and LIMIT ends the reading.

use super::access::{self, Finder, Found, cost};
use super::equal::Classes;
use super::estimate::TableFacts;
use super::goal::SURELY_CHEAPER;
use super::order::Condition;
use super::{Access, Join, KeyRange, SelectPlan, Source, TableAccess, Tail};
use crate::bind::Binder;
use crate::error::SqlError;
use crate::expr::{Expr, Kind, Slot, build};
use engine::Table;
use std::collections::BTreeSet;
use types::table::IndexPart;
use types::{IndexDef, IndexKind};

/// Takes the order of ORDER BY from an index where one gives it.
pub fn presort(plan: &mut SelectPlan, classes: &Classes, binder: &mut Binder<'_>) -> Result<(), SqlError> {
    let single = matches!(plan.from, Some(Join::Table(_)));
    // Rows are sorted for aggregates that wait for them or list them, and for sums over sums.
    if let Some(group) = &mut plan.group {
        let sorted =
            !group.rollup.is_empty() || group.aggregates.iter().any(|call| call.waits() || call.lists());
        group.keys.iter_mut().for_each(|key| key.reads_table = single && sorted);
    }
    if plan.group.is_some() || plan.windows.is_some() || plan.tail.order_by.is_empty() {
        return Ok(());
    }
    plan.tail.order_by.iter_mut().for_each(|key| key.reads_table = single && !plan.distinct);
    let driver = plan.from.as_mut().and_then(ordering_table);
    if driver.is_some_and(|table| table.first.as_ref().is_some_and(|first| first.are_all())) {
        plan.presorted = true;
        return Ok(());
    }
    let Some((columns, reverse)) = columns_wanted(plan) else { return Ok(()) };
    let limited = plan.tail.limit.is_some();
    let apart = plan.distinct && !brings_together(&columns, plan);
    if apart && !(single && wants_few(&plan.tail, binder)) {
        return Ok(());
    }
    let wanted = rows_wanted(&plan.tail, binder).filter(|_| single);
    let different = plan.distinct;
    let level = plan.level;
    let Some(table) = plan.from.as_mut().and_then(ordering_table) else { return Ok(()) };
    let Source::Base(base) = &table.source else { return Ok(()) };
    let base = base.clone();
    let column = |index: u32| classes.column_in(table, Slot { level, index });
    let Some(columns) = columns.into_iter().map(column).collect::<Option<Vec<usize>>>() else {
        return Ok(());
    };
    if single && !keeps_order(&table.access, &base, &columns) {
        let wanted =
            wanted.map(|wanted| if different { wanted * rows_alike(table, &columns) } else { wanted });
        find_in_order(table, &base, (&columns, wanted), level, binder)?;
    }
    plan.presorted = take_order(table, &base, &columns, reverse, limited && single);
    if !plan.presorted && limited {
        gate(plan);
    }
    Ok(())
}

/// How many rows of a table have the same values in some columns, about.
fn rows_alike(table: &TableAccess, columns: &[usize]) -> f64 {
    let facts = TableFacts::of(table);
    let different = columns.iter().map(|column| facts.distinct_column(table, *column)).fold(1.0, f64::max);
    (facts.rows / different).max(1.0)
}

/// So many different rows are kept apart in memory in any case.
const FEW: f64 = 1000.0;

/// Whether LIMIT ends the reading so early that different rows need no room to speak of.
fn wants_few(tail: &Tail, binder: &Binder<'_>) -> bool {
    !tail.with_ties && !tail.calc_found_rows && rows_wanted(tail, binder).is_some_and(|wanted| wanted <= FEW)
}

/// Whether rows that are alike in the select list come one behind the other, as ORDER BY has them.
pub fn has_alike_together(plan: &SelectPlan) -> bool {
    plan.presorted && columns_wanted(plan).is_some_and(|(columns, _)| brings_together(&columns, plan))
}

/// Whether rows in the order of `columns` that are alike in the select list come one behind the other.
fn brings_together(columns: &[u32], plan: &SelectPlan) -> bool {
    let slot_of = |e: &Expr| match e.kind {
        Kind::Column(slot) if slot.level == plan.level => Some(slot.index),
        _ => None,
    };
    let items: Option<BTreeSet<u32>> = plan.items.iter().map(slot_of).collect();
    items.is_some_and(|items| {
        columns.get(..items.len()).is_some_and(|leading| leading.iter().all(|slot| items.contains(slot)))
    })
}

/// Has a block's one table leave out the rows that OFFSET leaves out, where nothing else has to see them.
pub fn pass_over(plan: &mut SelectPlan) {
    let in_order = plan.presorted || plan.tail.order_by.is_empty();
    let seen = plan.distinct
        || plan.group.is_some()
        || plan.windows.is_some()
        || plan.having.is_some()
        || plan.row_number.is_some()
        || !plan.filter.is_empty()
        || plan.tail.with_ties;
    let Some(Join::Table(table)) = &mut plan.from else { return };
    let one_by_one =
        table.lock.is_some() || table.target.is_some() || matches!(table.access, Access::Union(_));
    table.passes_over = plan.tail.offset.is_some() && in_order && !seen && !one_by_one;
}

/// Has rows of a block's one table that cannot be among the first ones left alone once their sort key is known.
fn gate(plan: &mut SelectPlan) {
    // What is looked at or counted in all rows is, whatever comes of them.
    if plan.distinct || plan.tail.with_ties || plan.tail.calc_found_rows {
        return;
    }
    if !plan.filter.is_empty() || plan.row_number.is_some() {
        return;
    }
    let Some(Join::Table(table)) = &mut plan.from else { return };
    table.gate.clone_from(&plan.tail.order_by);
    let sorts = |slot: &u32| {
        plan.tail.order_by.iter().any(|key| matches!(key.expr.kind, Kind::Column(s) if s.index == *slot))
    };
    let checked = table.checked.last().copied().unwrap_or(0);
    table.columns[checked..].sort_by_key(|(_, slot)| !sorts(slot));
    table.gated = checked + table.columns[checked..].partition_point(|(_, slot)| sorts(slot));
}

/// The slots of this block that ORDER BY names, if it names nothing else and all in one direction.
fn columns_wanted(plan: &SelectPlan) -> Option<(Vec<u32>, bool)> {
    let order_by = &plan.tail.order_by;
    let reverse = order_by.first()?.desc;
    let column = |key: &super::SortKey| match key.expr.kind {
        Kind::Column(slot) if slot.level == plan.level && key.desc == reverse => Some(slot.index),
        _ => None,
    };
    Some((order_by.iter().map(column).collect::<Option<Vec<u32>>>()?, reverse))
}

/// How many rows LIMIT and OFFSET ask for, where that can be told.
pub fn rows_wanted(tail: &Tail, binder: &Binder<'_>) -> Option<f64> {
    let count = |e: &Expr| match &e.kind {
        Kind::Const(value) => build::count_of(value).ok(),
        Kind::Param(n) => build::count_of(binder.params.get(*n as usize)?).ok(),
        _ => None,
    };
    let offset = tail.offset.as_ref().map_or(Some(0), count)?;
    Some(tail.limit.as_ref().and_then(count)?.saturating_add(offset) as f64)
}

/// The table whose rows come in their own order, if the join keeps it: a hash join whose rows around may wait does not.
pub fn ordering_table(join: &mut Join) -> Option<&mut TableAccess> {
    match join {
        Join::Table(table) => Some(table),
        Join::Inner(steps) => {
            let hashes = steps.iter().any(|(join, _)| matches!(join, Join::Hash(hash) if hash.once));
            steps.first_mut().filter(|_| !hashes).and_then(|(join, _)| ordering_table(join))
        }
        Join::Left { left, right, .. } => match &**right {
            Join::Hash(hash) if hash.once => None,
            _ => ordering_table(left),
        },
        Join::Hash(_) => None,
    }
}

/// Has the table's rows found by an index that has the order, where that is cheaper, given that so many rows are wanted.
pub fn find_in_order(
    table: &mut TableAccess,
    base: &Table,
    (columns, wanted): (&[usize], Option<f64>),
    level: u32,
    binder: &mut Binder<'_>,
) -> Result<(), SqlError> {
    let facts = TableFacts::of(table);
    let conditions = Condition::of_table(table, level);
    let finder = Finder::alone(table, base, &conditions, level, binder.state.keeps_one_offset());
    let price = |index: usize| table.price_by(base, index);
    let found_now = match &table.access {
        Access::Scan | Access::Index { .. } => None,
        Access::Point(..) => return Ok(()),
        Access::Ranges { index, .. } => Some(table.rows * price(*index)),
        Access::Union(_) => Some(table.rows * cost::FETCH),
    };
    let kept = (table.rows * table.kept).max(1.0);
    // Rows that pass are taken to stand evenly among those looked at.
    let until_wanted = |scanned: f64| match wanted {
        Some(wanted) => scanned.min(scanned / kept * wanted),
        None => scanned,
    };
    let best = ranges_in_order(&finder, &facts, columns, &until_wanted, binder)?;
    // Without a range the whole table is gone through in some order, or sorted: a range is less if LIMIT ends it.
    let limit = found_now.unwrap_or(if wanted.is_some() { f64::INFINITY } else { facts.rows * cost::ROW });
    if let Some((_, index, found)) = best.filter(|(price, ..)| *price <= limit) {
        let check = |(place, e): (usize, &Expr)| (!found.answered.contains(&place)).then(|| e.clone());
        table.residual = table.filter.iter().enumerate().filter_map(check).collect();
        table.access = Access::Ranges { index, ranges: found.ranges, reverse: false };
        return Ok(());
    }
    if let (Some(now), Some(_)) = (found_now, wanted) {
        let ordered = |index: &usize| {
            table.hints.may_order(*index) && orders_by(base, &base.def().indexes[*index], 0, columns)
        };
        let dearest = |index: usize| until_wanted(facts.rows) * price(index) * SURELY_CHEAPER;
        let free = table.lock.is_none() && table.target.is_none() && !table.hints.forced();
        if let Some(index) = (0..base.def().indexes.len()).find(ordered)
            && free
            && dearest(index) < now
        {
            table.access = Access::Index { index, reverse: false };
            table.residual.clone_from(&table.filter);
        }
    }
    Ok(())
}

/// The ranges of an index whose rows come in the order of `columns` that are cheapest to read, with what that costs; `read`:
/// how many of so many entries are.
pub fn ranges_in_order(
    finder: &Finder<'_>,
    facts: &TableFacts,
    columns: &[usize],
    read: &dyn Fn(f64) -> f64,
    binder: &mut Binder<'_>,
) -> Result<Option<(f64, usize, Found)>, SqlError> {
    let (table, base) = (finder.table, finder.base);
    let mut best: Option<(f64, usize, Found)> = None;
    for (index, found) in finder.by_index() {
        if !table.hints.may_order(index) || !ranges_keep_order(&found.ranges, base, index, columns) {
            continue;
        }
        let held = access::entries::expected(base, facts, index, &found, binder.params, binder.state)?;
        let price = read(held) * table.price_by(base, index);
        if best.as_ref().is_none_or(|(least, ..)| price < *least) {
            best = Some((price, index, found));
        }
    }
    Ok(best)
}

/// Whether the rows come in the order of `columns`, or the reverse, in the way that they are read.
pub fn keeps_order(access: &Access, base: &Table, columns: &[usize]) -> bool {
    match access {
        Access::Point(..) => true,
        Access::Union(_) => false,
        Access::Ranges { index, ranges, .. } => ranges_keep_order(ranges, base, *index, columns),
        Access::Index { index, .. } => orders_by(base, &base.def().indexes[*index], 0, columns),
        Access::Scan => {
            base.primary_index().is_some_and(|index| orders_by(base, &base.def().indexes[index], 0, columns))
        }
    }
}

/// Whether ranges of an index, read one behind the other as they stand in it, give the order of `columns`.
fn ranges_keep_order(ranges: &[KeyRange], base: &Table, index: usize, columns: &[usize]) -> bool {
    orders_by(base, &base.def().indexes[index], one_value_parts(ranges), columns)
}

/// How many leading parts have the same one value in all ranges.
fn one_value_parts(ranges: &[KeyRange]) -> usize {
    let Some((first, rest)) = ranges.split_first() else { return 0 };
    let same = |a: &Expr, b: &Expr| match (&a.kind, &b.kind) {
        (Kind::Const(a), Kind::Const(b)) => a == b,
        (Kind::Param(a), Kind::Param(b)) => a == b,
        (Kind::Column(a), Kind::Column(b)) => a == b,
        _ => false,
    };
    let in_all = |(at, (value, _)): &(usize, &(Expr, bool))| {
        rest.iter().all(|range| range.equal.get(*at).is_some_and(|(other, _)| same(value, other)))
    };
    first.equal.iter().enumerate().take_while(in_all).count()
}

/// What the entries of an index are sorted by: its own parts, then those of the primary key.
pub fn sorted_parts<'t>(base: &'t Table, index: &'t IndexDef) -> impl Iterator<Item = &'t IndexPart> {
    let primary = base.primary_index().filter(|_| index.kind != IndexKind::Primary);
    let behind = primary.map_or(&[][..], |primary| &base.def().indexes[primary].parts);
    index.parts.iter().chain(behind)
}

/// Whether the index's order behind `skip` leading parts, which have one value each, is the order of `columns`.
fn orders_by(base: &Table, index: &IndexDef, skip: usize, columns: &[usize]) -> bool {
    let def = base.def();
    let fixed = &index.parts[..skip.min(index.parts.len())];
    let mut ordered = sorted_parts(base, index)
        .skip(skip)
        .map_while(|p| (p.prefix_chars.is_none() && !p.desc).then_some(p.column));
    // A whole unique key decides: columns behind it cannot change the order.
    let unique_at = (index.is_unique() && !index.parts.iter().any(|p| def.columns[p.column].nullable))
        .then_some(index.parts.len().saturating_sub(skip));
    let decided = unique_at.unwrap_or(usize::MAX);
    let mut columns = columns.iter().filter(|&&column| fixed.iter().all(|part| part.column != column));
    columns.by_ref().take(decided).all(|column| ordered.next() == Some(*column))
}

/// The index that a table gone through whole would be read by for the order of `columns`: it is worth that where it is not
/// all read (`eager`), or holds all that is wanted.
pub fn whole_in_order(table: &TableAccess, base: &Table, columns: &[usize], eager: bool) -> Option<usize> {
    let indexes = &base.def().indexes;
    let has_order =
        |index: &usize| table.hints.may_order(*index) && orders_by(base, &indexes[*index], 0, columns);
    let ordered = || (0..indexes.len()).filter(has_order);
    let covered = |index: &usize| table.is_covered_by(base, *index);
    let primary = base.primary_index().filter(has_order);
    primary.or_else(|| ordered().find(covered)).or_else(|| ordered().find(|_| eager))
}

/// Makes the table's rows come in the order of `columns` if its access allows it; `eager` also turns a whole scan into
/// a scan of any index that has the order (worth it when few rows are wanted).
pub fn take_order(
    table: &mut TableAccess,
    base: &Table,
    columns: &[usize],
    reverse: bool,
    eager: bool,
) -> bool {
    let def = base.def();
    let keeps = keeps_order(&table.access, base, columns);
    match &mut table.access {
        Access::Point(..) | Access::Union(_) => keeps,
        Access::Ranges { index, ranges, reverse: backward } => {
            let fixed = &def.indexes[*index].parts[..one_value_parts(ranges)];
            // Columns of one value ask for no order.
            let one_value = |column: &usize| fixed.iter().any(|part| part.column == *column);
            *backward = keeps && reverse && !columns.iter().all(one_value);
            keeps
        }
        Access::Index { reverse: backward, .. } if keeps => {
            *backward = reverse;
            true
        }
        Access::Scan | Access::Index { .. } => {
            let index = whole_in_order(table, base, columns, eager);
            if let Some(index) = index {
                table.access = Access::Index { index, reverse };
            }
            index.is_some()
        }
    }
}
