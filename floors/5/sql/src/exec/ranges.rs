//! Bounds of index ranges, from what conditions say of an index's columns.

use super::Cx;
use super::reader::{damaged, index_key};
use crate::error::SqlError;
use crate::expr::compare::{side_once, warn_leftover};
use crate::expr::exact::is_constant_cast;
use crate::expr::operand::begun_with;
use crate::expr::{Class, CompareOp, Expr, Kind, compare_values, store};
use crate::plan::{Access, KeyRange, Opening, Source, TableAccess};
use crate::session::State;
use crate::syntax::ast::IsTest;
use engine::{Table, prefix_end};
use std::cmp::Ordering;
use std::ops::Bound;
use types::charset::LikePrefix;
use types::convert::{self, StoreIssue, to_decimal, to_double, to_integer};
use types::{ColumnDef, ColumnType, IndexDef, IntSize, Value};

/// Bounds made for a range.
pub struct MadeRange {
    /// The bounds.
    pub bounds: engine::KeyRange,
    /// They are what the range says; else they are wider, and the table's conditions decide.
    pub exact: bool,
}

impl MadeRange {
    fn wide(prefix: &[u8]) -> MadeRange {
        MadeRange { bounds: engine::KeyRange::prefix(prefix), exact: false }
    }
}

/// What is looked for in an index's column.
pub(super) struct Sought {
    /// The column's value.
    pub value: Value,
    /// Rows that have it equal what was asked for; else conditions decide.
    pub exact: bool,
}

/// The value of an index's column that may equal what an expression gave; none where any might.
#[inline]
pub(super) fn sought(expr: &Expr, value: Value, column: &ColumnDef, state: &mut State) -> Option<Sought> {
    if let (Value::Str(_), ColumnType::Integer(_) | ColumnType::Decimal(_) | ColumnType::Double(_)) =
        (&value, &column.ty)
        && !matches!(expr.kind, Kind::Const(_) | Kind::Param(_))
    {
        // No strict mode is asked of what keys are made of.
        return Some(state.leniently(|state| number_sought(expr, &value, column, state)));
    }
    let number = as_number(expr, value, column);
    let rounds = is_rounded(expr, column);
    let value = match rounds {
        true => store::nearest(number, column, state),
        false => store::exact(&number, column, state)?,
    };
    Some(Sought { value, exact: !rounds })
}

/// Whether conditions make a whole number of a constant that keys have as it is: both must hold.
fn is_rounded(expr: &Expr, column: &ColumnDef) -> bool {
    matches!(column.ty, ColumnType::Integer(_) | ColumnType::Decimal(_)) && is_constant_cast(expr)
}

/// What a column makes of a bound, and whether that is within it: a lower one where `low`.
fn nearest_bound(
    bound: &Value,
    column: &ColumnDef,
    (low, inclusive): (bool, bool),
    state: &State,
) -> (Value, bool) {
    let kept = store::nearest(bound.clone(), column, state);
    let within = match to_decimal(&kept).value.cmp_value(&to_decimal(bound).value) {
        Ordering::Equal => inclusive,
        Ordering::Greater => low || inclusive,
        Ordering::Less => !low,
    };
    (kept, within)
}

/// A row's text is looked up as the number that it begins with, and the session told of the rest.
fn number_sought(expr: &Expr, text: &Value, column: &ColumnDef, state: &mut State) -> Sought {
    let (class, clean) = match column.ty {
        ColumnType::Integer(_) => {
            let number = to_integer(text);
            // A constant is compared before.
            let kind = if expr.is_settled() { "DECIMAL" } else { "INTEGER" };
            warn_leftover(state, kind, text, &number);
            (Class::Decimal, !number.garbage && !number.spaces)
        }
        ColumnType::Decimal(_) => {
            let number = to_decimal(text);
            warn_leftover(state, "DECIMAL", text, &number);
            (Class::Decimal, !number.garbage && !number.spaces)
        }
        _ => {
            let number = to_double(text);
            warn_leftover(state, "DOUBLE", text, &number);
            (Class::Real, !number.garbage && !number.spaces)
        }
    };
    let number = begun_with(text.clone(), class);
    match store::exact(&number, column, state) {
        Some(value) => Sought { value, exact: clean },
        // No row has it; that those of the nearest value do not is for the conditions to say.
        None => Sought { value: store::nearest(number, column, state), exact: false },
    }
}

/// Constant text that a number equals is looked up as the number that it begins with; nothing is said of the rest, but
/// beside a BIGINT.
fn as_number(expr: &Expr, value: Value, column: &ColumnDef) -> Value {
    match (&value, &column.ty) {
        _ if !matches!(expr.kind, Kind::Const(_) | Kind::Param(_)) => value,
        (_, ColumnType::Integer(ty)) if ty.size == IntSize::Big => value,
        (Value::Str(_), ColumnType::Integer(_) | ColumnType::Decimal(_)) => match to_decimal(&value) {
            number if number.out_of_range => value,
            number => Value::Decimal(number.value),
        },
        (Value::Str(_), ColumnType::Double(_)) => match to_double(&value) {
            number if number.out_of_range => value,
            number => Value::Double(number.value),
        },
        _ => value,
    }
}

/// The key bounds of a range; `None` when a NULL makes it empty. A bound that the column cannot hold exactly is left
/// open.
pub fn key_range(
    cx: &mut Cx<'_>,
    table: &Table,
    index: usize,
    range: &KeyRange,
) -> Result<Option<MadeRange>, SqlError> {
    let key_of = index_key(table, index)?;
    let def = table.def().clone();
    let mut prefix = Vec::with_capacity(32);
    let mut exact = true;
    for (i, (expr, null_safe)) in range.equal.iter().enumerate() {
        let value = expr.eval_sought(cx)?;
        let column = &def.columns[key_of.parts()[i].column];
        if value.is_null() {
            if !*null_safe || !column.nullable {
                return Ok(None);
            }
            key_of.append_part(i, &value, &mut prefix).map_err(|e| damaged(table, &e))?;
            continue;
        }
        let Some(sought) = sought(expr, value, column, cx.state) else {
            return Ok(Some(MadeRange::wide(&prefix)));
        };
        exact &= sought.exact;
        key_of.append_part(i, &sought.value, &mut prefix).map_err(|e| damaged(table, &e))?;
    }
    let part = range.equal.len();
    let mut made = MadeRange { bounds: engine::KeyRange::prefix(&prefix), exact };
    let Some(key_part) = key_of.parts().get(part) else { return Ok(Some(made)) };
    let column = &def.columns[key_part.column];
    let bounds = &mut made.bounds;
    if range.not_null && column.nullable {
        let mut nulls = prefix.clone();
        key_of.append_part(part, &Value::Null, &mut nulls).map_err(|e| damaged(table, &e))?;
        bounds.lo = from_end(&nulls);
    }
    let beginning = key_part.prefix_chars();
    if let Some(Opening { pattern, escape, collation }) = &range.starts_with {
        let Some(pattern) = pattern.like_text(*collation, cx)? else { return Ok(None) };
        let mut text = LikePrefix::of(collation.charset(), &pattern, escape.map(u32::from)).text;
        if let Some(chars) = beginning {
            text.truncate(collation.charset().offset_of_char(&text, chars as usize));
        }
        if text.is_empty() {
            return Ok(Some(made));
        }
        let mut start = prefix.clone();
        if column.nullable {
            start.push(1);
        }
        column.collation.collation().append_key_prefix(&text, &mut start);
        *bounds = engine::KeyRange { hi: prefix_end(&start), lo: Bound::Included(start) };
        return Ok(Some(made));
    }
    if beginning.is_some() {
        made.exact = false;
        // Beginnings may be in another order than the texts.
        if !column.collation.collation().weighs_each_alone() {
            return Ok(Some(made));
        }
    }
    for (all, low) in [(&range.low, true), (&range.high, false)] {
        // Of several the one is taken that leaves the least.
        let mut least: Option<(Vec<u8>, bool)> = None;
        for (expr, inclusive) in all {
            let value = expr.eval_sought(cx)?;
            if value.is_null() {
                return Ok(None);
            }
            let rounded = is_rounded(expr, column);
            made.exact &= !rounded;
            let (value, inclusive) = match rounded {
                true => nearest_bound(&value, column, (low, *inclusive), cx.state),
                false => match store::exact(&value, column, cx.state) {
                    Some(value) => (value, *inclusive),
                    None => {
                        made.exact = false;
                        continue;
                    }
                },
            };
            let mut key = prefix.clone();
            key_of.append_part(part, &value, &mut key).map_err(|e| damaged(table, &e))?;
            // What begins with as much as a bound may lie on either side of it.
            let inclusive = inclusive || beginning.is_some();
            let narrows = |(held, included): &(Vec<u8>, bool)| match key.cmp(held) {
                Ordering::Equal => *included && !inclusive,
                other => (other == Ordering::Greater) == low,
            };
            if least.as_ref().is_none_or(narrows) {
                least = Some((key, inclusive));
            }
        }
        match least {
            None => {}
            Some((key, true)) if low => bounds.lo = Bound::Included(key),
            Some((key, false)) if low => bounds.lo = from_end(&key),
            Some((key, true)) => bounds.hi = prefix_end(&key),
            Some((key, false)) => bounds.hi = Bound::Excluded(key),
        }
    }
    Ok(Some(made))
}

/// Whether what is known of a table's indexes lets no row be found, as MariaDB sees before it looks for any: a pattern it
/// reads later.
pub fn finds_nothing(table: &TableAccess, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    let Source::Base(base) = &table.source else { return Ok(false) };
    for e in &table.filter {
        if asks_for_null(e, table, base) || rules_out_rows(e, cx)? || rules_out_index(e, table, base, cx)? {
            return Ok(true);
        }
    }
    let mut nothing = |index: usize, ranges: &[KeyRange]| {
        for range in ranges {
            let empty = asks_for_none(cx, base, index, range)?
                || match key_range(cx, base, index, range)? {
                    Some(made) => made.exact && is_empty(&made.bounds),
                    None => range.starts_with.is_none(),
                };
            if !empty {
                return Ok(false);
            }
        }
        Ok(true)
    };
    match &table.access {
        Access::Scan | Access::Index { .. } => Ok(false),
        Access::Ranges { index, ranges, .. } => nothing(*index, ranges),
        Access::Union(members) => {
            members.iter().try_fold(true, |all, (index, ranges)| Ok(all && nothing(*index, ranges)?))
        }
        Access::Point(_, keys) => {
            for key in keys {
                if key.eval_sought(cx)?.is_null() {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}

/// Whether a condition asks for one of several rows, each of which has a constant that is not the one asked for.
fn rules_out_rows(e: &Expr, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    let Kind::InRows { operand, list, negated: false } = &e.kind else { return Ok(false) };
    for row in list {
        let mut fails = false;
        for (wanted, (how, member)) in operand.iter().zip(row) {
            let known = (wanted.is_same_in_all_rows(), member.is_same_in_all_rows());
            fails |= known.0 && wanted.eval(cx)?.is_null() || known.1 && member.eval(cx)?.is_null();
            if known == (true, true) {
                let (wanted, member) = (side_once(wanted, *how, cx)?, side_once(member, *how, cx)?);
                fails |= compare_values(&wanted, &member, *how, cx.state) != Some(Ordering::Equal);
            }
        }
        if !fails {
            return Ok(false);
        }
    }
    // It looks for columns in what is asked for.
    Ok(list.len() > 1 && !operand.iter().all(Expr::is_same_in_all_rows))
}

/// Whether a range's columns are to equal what they cannot hold.
fn asks_for_none(cx: &mut Cx<'_>, table: &Table, index: usize, range: &KeyRange) -> Result<bool, SqlError> {
    let Some(index) = table.def().indexes.get(index) else { return Ok(false) };
    for ((e, _), part) in range.equal.iter().zip(&index.parts) {
        if !matches!(e.kind, Kind::Column(_))
            && is_beyond(&e.eval(cx)?, &table.def().columns[part.column], cx.state)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a value is none that a column of numbers or dates could have: out of its range, or no date at all.
fn is_beyond(value: &Value, column: &ColumnDef, state: &State) -> bool {
    let whole = matches!(column.ty, ColumnType::Integer(_) | ColumnType::Bit(_));
    if value.is_null() || !whole && !column.ty.is_temporal() {
        return false;
    }
    let stored = convert::store(value.clone(), &column.ty, column.collation, &state.convert_context());
    match stored.issue {
        Some(StoreIssue::OutOfRange | StoreIssue::BitTooLong) => whole,
        Some(StoreIssue::BadTemporal { out_of_range, leftover, .. }) => !out_of_range && !leftover,
        _ => false,
    }
}

/// Whether a condition on the first column of an index cannot hold: it is to equal NULL or what it cannot be, or to be
/// between bounds that leave nothing.
fn rules_out_index(e: &Expr, table: &TableAccess, base: &Table, cx: &mut Cx<'_>) -> Result<bool, SqlError> {
    let def = base.def();
    let indexed = |e: &Expr| {
        let Kind::Column(slot) = &e.kind else { return None };
        let at = slot.index.checked_sub(table.slots.start).filter(|_| table.slots.contains(&slot.index))?;
        let first = |index: &IndexDef| index.parts.first().is_some_and(|part| part.column == at as usize);
        def.indexes.iter().any(first).then(|| &def.columns[at as usize])
    };
    match &e.kind {
        Kind::Compare(CompareOp::Eq, _, left, right) => {
            let (column, other) = match (indexed(left), indexed(right)) {
                (Some(column), None) => (column, right),
                (None, Some(column)) => (column, left),
                _ => return Ok(false),
            };
            if !other.is_same_in_all_rows() && !other.is_known() {
                return Ok(false);
            }
            let value = other.eval_sought(cx)?;
            Ok(value.is_null() || is_beyond(&value, column, cx.state))
        }
        Kind::Between { operands, how, negated: false } => {
            let [operand, low, high] = &**operands;
            if indexed(operand).is_none() || !low.is_same_in_all_rows() {
                return Ok(false);
            }
            let low = side_once(low, *how, cx)?;
            if low.is_null() || !high.is_same_in_all_rows() {
                return Ok(low.is_null());
            }
            let high = side_once(high, *how, cx)?;
            Ok(high.is_null() || compare_values(&low, &high, *how, cx.state) == Some(Ordering::Greater))
        }
        _ => Ok(false),
    }
}

/// Whether a condition is that a column of an index, whichever part of it, is NULL, which it never is.
fn asks_for_null(e: &Expr, table: &TableAccess, base: &Table) -> bool {
    let Kind::Is(IsTest::Null, false, operand) = &e.kind else { return false };
    let Kind::Column(slot) = &operand.kind else { return false };
    let def = base.def();
    let at = slot.index.checked_sub(table.slots.start).filter(|_| table.slots.contains(&slot.index));
    at.is_some_and(|at| {
        let column = at as usize;
        let indexed = def.indexes.iter().any(|index| index.parts.iter().any(|part| part.column == column));
        indexed && def.columns.get(column).is_some_and(|column| !column.nullable)
    })
}

fn is_empty(range: &engine::KeyRange) -> bool {
    match (&range.lo, &range.hi) {
        (Bound::Included(low), Bound::Included(high)) => low > high,
        (Bound::Included(low) | Bound::Excluded(low), Bound::Included(high) | Bound::Excluded(high)) => {
            low >= high
        }
        _ => false,
    }
}

/// Ranges in order that do not overlap: the members of an OR or IN may, and each row is read once.
pub(super) fn apart(mut ranges: Vec<engine::KeyRange>) -> Vec<engine::KeyRange> {
    if ranges.len() < 2 {
        return ranges;
    }
    ranges.sort_by(|a, b| low_of(a).cmp(&low_of(b)));
    let mut merged: Vec<engine::KeyRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if overlap(last, &range) => {
                if high_of(&range) > high_of(last) {
                    last.hi = range.hi;
                }
            }
            _ => merged.push(range),
        }
    }
    merged
}

/// A lower bound as something that sorts: nothing, then keys, a key itself before what is behind it.
fn low_of(range: &engine::KeyRange) -> (bool, &[u8], bool) {
    match &range.lo {
        Bound::Unbounded => (false, &[], false),
        Bound::Included(key) => (true, key, false),
        Bound::Excluded(key) => (true, key, true),
    }
}

/// An upper bound as something that sorts.
fn high_of(range: &engine::KeyRange) -> (bool, &[u8], bool) {
    match &range.hi {
        Bound::Unbounded => (true, &[], false),
        Bound::Included(key) => (false, key, true),
        Bound::Excluded(key) => (false, key, false),
    }
}

/// Whether a range that starts no earlier than `first` starts before its end.
fn overlap(first: &engine::KeyRange, second: &engine::KeyRange) -> bool {
    match (&first.hi, &second.lo) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => true,
        (Bound::Included(end), Bound::Included(start)) => start <= end,
        (Bound::Included(end) | Bound::Excluded(end), Bound::Included(start) | Bound::Excluded(start)) => {
            start < end
        }
    }
}

/// The lower bound behind all keys that start with `prefix`.
pub(super) fn from_end(prefix: &[u8]) -> Bound<Vec<u8>> {
    match prefix_end(prefix) {
        Bound::Excluded(end) => Bound::Included(end),
        // Nothing is behind a prefix of all ones: a bound above every key that has it.
        _ => Bound::Excluded([prefix, &[0xFF; 16]].concat()),
    }
}
