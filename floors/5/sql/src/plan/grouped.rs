//! GROUP BY and DISTINCT answered by the order of an index.
//!
//! Where rows come in the order of the grouping columns, a group is whole once the next one begins: it is handed on, and
//! LIMIT may end the reading. Where nothing is asked of a group but its columns and the ends of others (MIN, MAX), only
//! the first row of each group is read at all, the rest of it skipped (a loose index scan).

use super::access::{self, Finder, cost};
use super::ends::{self, End};
use super::equal::{self, Classed, Classes};
use super::estimate::{TableFacts, is_open};
use super::hash;
use super::order::{Condition, hides_order};
use super::presort::{
    find_in_order, keeps_order, ordering_table, rows_wanted, sorted_parts, take_order, whole_in_order,
};
use super::{Access, AggregateCall, Group, Join, SelectPlan, SortKey, Source, TableAccess};
use crate::bind::Binder;
use crate::expr::{Class, Expr, Kind, Slot};
use crate::session::mode;
use crate::syntax::ast::AggregateKind;
use engine::Table;
use std::sync::Arc;
use types::{ColumnType, IndexDef};

/// Groups of fewer rows cost more to be found among others than it costs to read an index in their order.
const SMALL: f64 = 4.0;
/// Going to the next group, in rows scanned.
const SKIP: f64 = cost::LOOKUP + cost::FETCH;

/// Takes groups and different rows of one table from the order of an index where one gives it.
pub fn by_index(plan: &mut SelectPlan, binder: &mut Binder<'_>) {
    if plan.row_number.is_some() || !matches!(plan.from, Some(Join::Table(_))) {
        return;
    }
    match &plan.group {
        None if plan.distinct && plan.windows.is_none() => {}
        Some(group) if group.rollup.is_empty() && !plan.distinct => {
            if !group.keys.is_empty() {
                one_by_one(plan, binder);
            }
        }
        _ => return,
    }
    skip_rows(plan, binder);
    find_alike_together(plan);
}

/// Takes back what [`by_index`] decided, before a block's conditions change.
pub fn undo(plan: &mut SelectPlan) {
    if let Some(Join::Table(table)) = &mut plan.from {
        table.skip = None;
    }
    if let Some(group) = plan.group.as_mut().filter(|group| !group.keys.is_empty()) {
        group.in_order = false;
        plan.ends = None;
    }
    if let Some(group) = &mut plan.group {
        group.aggregates.iter_mut().for_each(|call| call.alike_together = false);
    }
}

/// Has nothing put aside of groups that MariaDB takes from an index in their order, which it does wherever one has it, but
/// finds the rows in another way.
pub fn take_from_index(plan: &mut SelectPlan) {
    let (Some(group), Some(Join::Table(table)), false) = (&mut plan.group, &plan.from, plan.distinct) else {
        return;
    };
    let Source::Base(base) = &table.source else { return };
    let columns = ordering_columns(group, table, plan.level);
    let Some(columns) = columns.filter(|_| group.rollup.is_empty()) else { return };
    let conditions = Condition::of_table(table, plan.level);
    let finder = Finder::alone(table, base, &conditions, plan.level, false);
    let found: Vec<usize> = finder.by_index().into_iter().map(|(number, _)| number).collect();
    let fixed = |column: usize| {
        let slot = Slot { level: plan.level, index: table.slots.start + column as u32 };
        table.filter.iter().any(|e| equal::fixes(e, slot))
    };
    let in_order = |(number, index): (usize, &IndexDef)| {
        let mut parts = sorted_parts(base, index)
            .skip_while(|part| fixed(part.column) && !columns.contains(&part.column));
        let has_order = columns.iter().all(|column| {
            parts.next().is_some_and(|part| part.column == *column && part.prefix_chars.is_none())
        });
        has_order && table.hints.may_order(number) && found.iter().all(|other| *other == number)
    };
    if base.def().indexes.iter().enumerate().any(in_order) {
        group.aside = false;
        group.aggregates.iter_mut().for_each(|call| call.of_group = false);
    }
}

/// Has groups handed on one by one where the rows come in their order.
fn one_by_one(plan: &mut SelectPlan, binder: &mut Binder<'_>) {
    let (Some(group), Some(Join::Table(table))) = (&mut plan.group, &mut plan.from) else { return };
    let Source::Base(base) = &table.source else { return };
    let base = base.clone();
    let Some(columns) = ordering_columns(group, table, plan.level) else { return };
    let order_by = &plan.tail.order_by;
    // Keys of one value in all rows order nothing.
    let one_value = |key: &SortKey| {
        let mut conditions = table.filter.iter();
        matches!(key.expr.kind, Kind::Column(slot) if conditions.any(|e| equal::fixes(e, slot)))
    };
    let order_of =
        |keys: &[SortKey]| -> Vec<SortKey> { keys.iter().filter(|key| !one_value(key)).cloned().collect() };
    let (by, keys) = (order_of(order_by), order_of(&group.keys));
    let backward = by.first().is_some_and(|key| key.desc);
    let ordered = !order_by.is_empty()
        && plan.windows.is_none()
        && by.len() <= keys.len()
        && by.iter().zip(&keys).all(|(a, key)| a.expr.same(&key.expr) && a.desc == backward);
    // Without ORDER BY groups come in the order of their keys.
    let shown = order_by.is_empty() && !group.as_found;
    if shown && group.keys.iter().any(|key| key.desc) {
        return;
    }
    let facts = TableFacts::of(table);
    let rows = |index: Option<usize>| {
        let groups = index.and_then(|index| facts.distinct_prefix(index, columns.len()));
        facts.rows / groups.unwrap_or_else(|| facts.distinct_column(table, columns[0]))
    };
    let first_ones = order_by.is_empty() && plan.windows.is_none() && plan.having.is_none();
    let wanted = rows_wanted(&plan.tail, binder).filter(|_| ordered || first_ones);
    let wanted = wanted.map(|groups| groups * rows(whole_in_order(table, &base, &columns, true)));
    let eager = table.lock.is_none() && wanted.is_some_and(|wanted| wanted * cost::FETCH < facts.rows);
    let scans = matches!(table.access, Access::Scan);
    let ordered_scan = scans
        && (eager || {
            let held = whole_in_order(table, &base, &columns, false);
            held.is_some() && rows(held) < SMALL
        });
    // Where the first groups are a small part, the rows may be found by another index that has their order.
    if eager
        && !scans
        && !keeps_order(&table.access, &base, &columns)
        && find_in_order(table, &base, (&columns, wanted), plan.level, binder).is_err()
    {
        return;
    }
    if ordered_scan || keeps_order(&table.access, &base, &columns) {
        let taken = take_order(table, &base, &columns, ordered && backward, eager);
        plan.presorted = group.hands_on(taken, has_all(table, &base, &columns)) && ordered;
    }
}

/// Has the groups of a join handed on one by one, which gives its rows in the order of their keys for the first ones.
pub fn first_groups(plan: &mut SelectPlan, classes: &Classes) {
    let (Some(group), Some(join)) = (&mut plan.group, &mut plan.from) else { return };
    let Some(table) = ordering_table(join) else { return };
    let Source::Base(base) = &table.source else { return };
    let base = base.clone();
    let Some(columns) = columns_equal_to(&group.keys, table, classes, plan.level) else { return };
    let reverse = plan.tail.order_by.first().is_some_and(|key| key.desc);
    let taken = take_order(table, &base, &columns, reverse, true);
    let all = has_all(table, &base, &columns);
    plan.presorted = group.hands_on(taken, all) && !plan.tail.order_by.is_empty();
}

/// Has the groups of a join handed on one by one where the table that drives it is read in the order of their keys, or of
/// columns that equal them, as it is.
pub fn of_join(plan: &mut SelectPlan, classes: &Classes) {
    let unseen = hides_order(plan);
    let (Some(group), Some(join)) = (&mut plan.group, &mut plan.from) else { return };
    let plain = group.rollup.is_empty() && !plan.distinct && plan.row_number.is_none();
    if group.in_order || !plain || matches!(join, Join::Table(_)) || group.keys.iter().any(|key| key.desc) {
        return;
    }
    let table = join.first_table();
    let Source::Base(base) = &table.source else { return };
    let Some(columns) = columns_equal_to(&group.keys, table, classes, plan.level) else { return };
    if !keeps_order(&table.access, base, &columns) || !hash::keep_order(join, unseen) {
        return;
    }
    let wanted = &plan.tail.order_by;
    let ordered = !wanted.is_empty()
        && plan.windows.is_none()
        && wanted.len() <= group.keys.len()
        && wanted.iter().zip(&group.keys).all(|(a, key)| !a.desc && a.expr.same(&key.expr));
    (group.in_order, group.in_order_alone) = (true, true);
    plan.presorted = ordered;
}

/// The columns of a table that sort keys are, or equal, each once; nothing where one is none.
fn columns_equal_to(
    keys: &[SortKey],
    table: &TableAccess,
    classes: &Classes,
    level: u32,
) -> Option<Vec<usize>> {
    each_once(keys.iter().map(|key| match key.expr.kind {
        Kind::Column(slot) if slot.level == level => classes.column_in(table, slot),
        _ => None,
    }))
}

impl Group {
    /// Has its groups handed on one by one, if its rows come in their order; gives whether they do. Whether MariaDB puts none
    /// aside then (`known`).
    fn hands_on(&mut self, in_order: bool, known: bool) -> bool {
        self.in_order = in_order;
        self.aggregates.iter_mut().for_each(|call| call.of_group &= !(in_order && known));
        in_order
    }
}

/// Where the conditions leave no key but constants there is one group: MariaDB puts no rows aside for it.
pub fn find_lone(group: &mut Group, conditions: &[Classed]) {
    let known = |e: &Expr| match e.kind {
        Kind::Column(slot) => conditions.iter().any(|condition| equal::fixes(&condition.expr, slot)),
        _ => e.is_one_to_groups(),
    };
    if !group.keys.is_empty() && group.keys.iter().all(|key| known(&key.expr)) {
        group.aggregates.iter_mut().for_each(|call| {
            call.of_group = false;
            call.put_aside = false;
        });
    }
}

/// Where a join's first table gives the rows in the order of the keys and those of all others are looked up for each,
/// MariaDB puts none aside for its groups.
pub fn find_ordered(plan: &mut SelectPlan) {
    let (Some(group), Some(join)) = (&mut plan.group, &plan.from) else { return };
    let table = join.first_table();
    let Source::Base(base) = &table.source else { return };
    let mut whole = 0;
    join.visit_tables(&mut |table| whole += usize::from(table.access.reads_all()));
    let looked_up = whole == usize::from(table.access.reads_all());
    let columns = ordering_columns(group, table, plan.level).filter(|_| looked_up);
    let keeps =
        |columns: &[usize]| keeps_order(&table.access, base, columns) && has_all(table, base, columns);
    if columns.is_some_and(|columns| keeps(&columns)) {
        group.aggregates.iter_mut().for_each(|call| call.of_group = false);
    }
}

/// Has only the first row of each group or of alike rows read.
fn skip_rows(plan: &mut SelectPlan, binder: &Binder<'_>) {
    let Some(Join::Table(table)) = &plan.from else { return };
    let Source::Base(base) = &table.source else { return };
    let read = table.lock.is_some() || table.target.is_some();
    if read || !plan.filter.is_empty() {
        return;
    }
    let group = plan.group.as_ref();
    let counted = group.and_then(different_values);
    let wanted = match group {
        Some(group) => {
            let keys = group.keys.iter().map(|key| &key.expr);
            columns_of(keys.chain(counted.into_iter().flatten()), table, plan.level)
        }
        None => columns_of(plan.items.iter(), table, plan.level),
    };
    let Some(wanted) = wanted else { return };
    // Nothing else is read of the rows whose values are counted.
    if counted.is_some() && !table.columns.iter().all(|(column, _)| wanted.contains(column)) {
        return;
    }
    // The conditions hold for all rows of a group, or for none.
    let of_group = |e: &Expr| {
        is_open(e, |slot| {
            let column = slot.index.checked_sub(table.slots.start).map(|column| column as usize);
            slot.level == plan.level && column.is_some_and(|column| wanted.contains(&column))
        })
    };
    if !table.filter.iter().all(of_group) {
        return;
    }
    let shows_order = group.is_some_and(|group| plan.tail.order_by.is_empty() && !group.as_found);
    let fits = |index: &IndexDef| {
        let leading = index.parts.get(..wanted.len());
        leading.is_some_and(|parts| {
            let plain = parts.iter().all(|p| p.prefix_chars.is_none() && !p.desc);
            let same = parts.iter().zip(&wanted).all(|(part, column)| part.column == *column);
            plain && (same || !shows_order && parts.iter().all(|part| wanted.contains(&part.column)))
        })
    };
    let facts = TableFacts::of(table);
    let price = |index: usize| table.price_by(base, index);
    let (at, now) = match &table.access {
        Access::Scan => (None, facts.rows * cost::ROW),
        // The order is wanted, and LIMIT may end the reading.
        Access::Index { index, .. } if plan.presorted => (Some(*index), f64::INFINITY),
        Access::Index { index, .. } => (None, facts.rows * price(*index)),
        Access::Ranges { index, .. } => (Some(*index), table.rows * price(*index)),
        Access::Point(..) | Access::Union(_) => return,
    };
    let mut best: Option<(f64, usize, Vec<End>)> = None;
    for (number, index) in base.def().indexes.iter().enumerate() {
        let allowed = table.hints.may_order(number) && at.is_none_or(|at| at == number);
        if !allowed || !fits(index) {
            continue;
        }
        let ends = match group.filter(|_| counted.is_none()) {
            Some(group) => ends_of(group, (table, base), &index.parts[..wanted.len()], plan.level, binder),
            None => Some(Vec::new()),
        };
        let (Some(ends), Some(groups)) = (ends, facts.distinct_prefix(number, wanted.len())) else {
            continue;
        };
        let cost = groups * SKIP * (1 + ends.len()) as f64;
        // Groups of a row or two are read through.
        if cost < now.min(facts.rows * price(number)) && best.as_ref().is_none_or(|(held, ..)| cost < *held) {
            best = Some((cost, number, ends));
        }
    }
    let Some((cost, index, ends)) = best else { return };
    let of_ends = group.is_some() && counted.is_none();
    let Some(Join::Table(table)) = &mut plan.from else { return };
    table.skip = Some(wanted.len());
    if !matches!(&table.access, Access::Ranges { .. }) {
        let reverse = matches!(table.access, Access::Index { reverse: true, .. }) && plan.presorted;
        table.access = Access::Index { index, reverse };
    }
    table.rows = table.rows.min(cost / SKIP);
    plan.cost = plan.cost.min(cost);
    if of_ends {
        plan.ends = Some(ends);
    }
}

/// Has rows whose different values are counted read in their order, where that spares to remember most of them.
fn find_alike_together(plan: &mut SelectPlan) {
    let (Some(group), Some(Join::Table(table))) = (&mut plan.group, &mut plan.from) else { return };
    let Source::Base(base) = &table.source else { return };
    if table.skip.is_some() || !group.keys.is_empty() && !group.in_order {
        return;
    }
    let Some(args) = different_values(group) else { return };
    let exprs = group.keys.iter().map(|key| &key.expr).chain(args);
    let Some(columns) = columns_of(exprs, table, plan.level) else { return };
    let base = base.clone();
    if !keeps_order(&table.access, &base, &columns) {
        let free = matches!(table.access, Access::Scan) && table.lock.is_none() && table.target.is_none();
        let index = whole_in_order(table, &base, &columns, false).filter(|_| free && group.keys.is_empty());
        let Some(index) = index else { return };
        let facts = TableFacts::of(table);
        let values = facts.distinct_prefix(index, columns.len());
        if values.is_none_or(|values| facts.rows / values > SMALL) {
            return;
        }
        table.access = Access::Index { index, reverse: false };
    }
    group.aggregates.iter_mut().for_each(|call| call.alike_together = true);
}

/// What a group's aggregates are computed of, where that is the different values of the same columns for all of them.
fn different_values(group: &Group) -> Option<&[Expr]> {
    let first = group.aggregates.first()?;
    let same = |args: &[Expr]| {
        args.len() == first.args.len() && args.iter().zip(&first.args).all(|(a, b)| a.same(b))
    };
    let takes_different = |call: &AggregateCall| {
        let counts = match call.kind {
            AggregateKind::Count => true,
            AggregateKind::Sum | AggregateKind::Avg => {
                matches!(call.args[0].ty.class(), Class::Int | Class::Decimal)
            }
            _ => false,
        };
        call.distinct && counts && same(&call.args)
    };
    group.aggregates.iter().all(takes_different).then_some(&first.args[..])
}

/// The different columns of a table that expressions are, in their order, if they all are.
fn columns_of<'e>(
    exprs: impl Iterator<Item = &'e Expr>,
    table: &TableAccess,
    level: u32,
) -> Option<Vec<usize>> {
    each_once(exprs.map(|e| table.column_of(e, level)))
}

/// Columns in the order in which they first come; nothing where one is none, or there are none.
fn each_once(found: impl Iterator<Item = Option<usize>>) -> Option<Vec<usize>> {
    let mut columns = Vec::new();
    for column in found {
        let column = column?;
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    (!columns.is_empty()).then_some(columns)
}

/// The columns of a table whose order is that of the groups: keys of one value have no part in it.
fn ordering_columns(group: &Group, table: &TableAccess, level: u32) -> Option<Vec<usize>> {
    let keys = group.keys.iter().map(|key| &key.expr).filter(|e| !e.is_one_to_groups());
    columns_of(keys, table, level)
}

/// Whether the index that a table is read by has the columns: those behind a unique key are none to MariaDB, though the key
/// decides.
fn has_all(table: &TableAccess, base: &Table, columns: &[usize]) -> bool {
    let index = match &table.access {
        Access::Scan => base.primary_index(),
        Access::Index { index, .. } | Access::Ranges { index, .. } => Some(*index),
        Access::Point(..) | Access::Union(_) => return true,
    };
    let parts = |index: usize| sorted_parts(base, &base.def().indexes[index]);
    index.is_some_and(|index| columns.iter().all(|column| parts(index).any(|part| part.column == *column)))
}

/// How each aggregate of a group is read at an end of an index, behind the group's columns, which are the `leading`
/// parts of an index.
fn ends_of(
    group: &Group,
    (table, base): (&TableAccess, &Arc<Table>),
    leading: &[types::table::IndexPart],
    level: u32,
    binder: &Binder<'_>,
) -> Option<Vec<End>> {
    if group.aggregates.is_empty() {
        return Some(Vec::new());
    }
    // A key is made again of what the group's first row holds.
    let pads = binder.state.vars.has_mode(mode::PAD_CHAR_TO_FULL_LENGTH);
    let again = |part: &types::table::IndexPart| {
        let ty = &base.def().columns[part.column].ty;
        access::decides(ty) && !(pads && matches!(ty, ColumnType::Char(_)))
    };
    if !leading.iter().all(again) {
        return None;
    }
    let key_of = |column: usize| {
        let mut keys = group.keys.iter().map(|key| &key.expr);
        keys.find(|e| matches!(e.kind, Kind::Column(slot) if slot.index == table.slots.start + column as u32))
    };
    let mut ends = Vec::new();
    for call in &group.aggregates {
        let reverse = ends::reads_end(call.kind)?;
        let column = table.column_of(call.args.first()?, level)?;
        let mut indexes = base.def().indexes.iter().enumerate();
        let (number, index) = indexes.find(|(number, index)| {
            let next = sorted_parts(base, index).nth(leading.len());
            let (Some(own), Some(next)) = (index.parts.get(..leading.len()), next) else { return false };
            let same = own.iter().all(|part| {
                part.prefix_chars.is_none() && leading.iter().any(|other| other.column == part.column)
            });
            let fits = next.column == column && next.prefix_chars.is_none() && !next.desc;
            same && fits && table.hints.may_find(*number)
        })?;
        let equal =
            index.parts[..leading.len()].iter().map(|part| Some((key_of(part.column)?.clone(), true)));
        let equal = equal.collect::<Option<Vec<_>>>()?;
        let range = super::KeyRange { equal, not_null: true, ..super::KeyRange::default() };
        ends.push(End::of(call, (table, base), column, (number, range), reverse));
    }
    Some(ends)
}

/// Finds whether the order of a block's groups can be told from its result: ORDER BY that names all their keys leaves no
/// two alike.
pub fn find_reordered(plan: &mut SelectPlan) {
    let column = |e: &Expr| match e.kind {
        Kind::Column(slot) => Some(slot),
        _ => None,
    };
    let order_by = &plan.tail.order_by;
    // Whatever is computed could warn in the order of the groups.
    let plain =
        plan.items.iter().all(|e| column(e).is_some() || matches!(e.kind, Kind::Const(_) | Kind::Param(_)))
            && order_by.iter().all(|key| column(&key.expr).is_some())
            && plan.having.is_none()
            && plan.windows.is_none()
            && !plan.distinct
            && !plan.presorted;
    let Some(group) = &mut plan.group else { return };
    let sorted = |key: &SortKey| {
        column(&key.expr).is_some_and(|slot| order_by.iter().any(|by| column(&by.expr) == Some(slot)))
    };
    group.reordered =
        plain && group.rollup.is_empty() && group.variables.is_empty() && group.keys.iter().all(sorted);
}
