//! Set operations: UNION, EXCEPT, INTERSECT, each with and without ALL.
//!
//! A chain runs from left to right. Behind the last operation that must compare rows nothing is kept: rows go straight
//! on. What is kept and has no room waits in files; both sides of EXCEPT and INTERSECT are parted by their rows' keys
//! then.

use super::memory::{ENTRY, Operator, row_bytes};
use super::query::run;
use super::sort::{RowKeys, Sorter};
use super::spill::{DEPTH_MAX, PARTS, Parts, RowFile, RowReader, Rows};
use super::unique::{Seen, Unique};
use super::{Cx, Flow, Sink};
use crate::error::SqlError;
use crate::expr::{Type, store};
use crate::plan::QueryPlan;
use crate::syntax::ast::SetOperator;
use hashbrown::HashMap;
use types::Value;

/// Runs a chain of set operations.
pub fn run_chain(
    plan: &QueryPlan,
    first: &QueryPlan,
    rest: &[(SetOperator, bool, QueryPlan)],
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
) -> Result<Flow, SqlError> {
    let types: Vec<Type> = plan.columns.iter().map(|c| c.ty.clone()).collect();
    let is_union = |op: &SetOperator| *op == SetOperator::Union;
    let last_comparing = rest.iter().rposition(|(op, all, _)| !(is_union(op) && *all));
    let Some(last) = last_comparing else {
        return stream(std::iter::once(first).chain(rest.iter().map(|(.., plan)| plan)), &types, cx, sink);
    };
    let (compared, streamed) = rest.split_at(last + 1);
    let mut left = Left { types: &types, rows: Rows::default() };
    // A UNION takes repeated rows out of all that is left of it.
    let last_other = compared.iter().rposition(|(op, ..)| !is_union(op));
    left.keep(first, cx)?;
    for (at, (op, all, operand)) in compared.iter().enumerate() {
        match op {
            SetOperator::Union if last_other.is_none_or(|other| other < at) => continue,
            SetOperator::Union if *all => left.keep(operand, cx)?,
            SetOperator::Union => {
                left.keep(operand, cx)?;
                left.unite(cx)?;
            }
            SetOperator::Except | SetOperator::Intersect => {
                left.compare(*op == SetOperator::Intersect, *all, operand, cx)?;
            }
        }
    }
    let united = &compared[last_other.map_or(0, |other| other + 1)..];
    let flow = match united {
        [] => left.send(cx, sink)?,
        _ => left.send_united(united.iter().map(|(.., plan)| plan), cx, sink)?,
    };
    match flow {
        Flow::Stop => Ok(Flow::Stop),
        Flow::Continue => stream(streamed.iter().map(|(.., plan)| plan), &types, cx, sink),
    }
}

/// Hands on the rows of queries one after the other.
fn stream<'p>(
    queries: impl Iterator<Item = &'p QueryPlan>,
    types: &[Type],
    cx: &mut Cx<'_>,
    sink: Sink<'_>,
) -> Result<Flow, SqlError> {
    for query in queries {
        // A query that ends at a limit of its own stops, too, but not those behind it.
        let mut enough = false;
        run(query, cx, &mut |cx, row| {
            let from = query.columns.iter().map(|column| &column.ty);
            let row = store::to_types(row, from, types, cx.state);
            let flow = sink(cx, &row)?;
            enough = flow == Flow::Stop;
            Ok(flow)
        })?;
        if enough {
            return Ok(Flow::Stop);
        }
    }
    Ok(Flow::Continue)
}

/// Rows told apart, as they come.
struct United {
    keys: RowKeys,
    unique: Unique,
}

impl United {
    fn new(types: &[Type]) -> Self {
        Self { keys: RowKeys::new(types), unique: Unique::default() }
    }

    /// Takes a row; whether it is known to be new.
    fn take(&mut self, row: &[Value], cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        cx.check_interrupt()?;
        let key = self.keys.of(row);
        match self.unique.insert(key, cx)? {
            Seen::New => return Ok(true),
            Seen::Before => {}
            Seen::Unclear => self.unique.put_aside(key, &[], row, cx)?,
        }
        Ok(false)
    }
}

/// The rows of a chain so far.
struct Left<'t> {
    types: &'t [Type],
    rows: Rows,
}

impl Left<'_> {
    /// UNION ALL.
    fn keep(&mut self, plan: &QueryPlan, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let Self { types, rows } = self;
        run(plan, cx, &mut |cx, row| {
            cx.check_interrupt()?;
            let from = plan.columns.iter().map(|column| &column.ty);
            let row = store::to_types(row, from, types, cx.state);
            rows.push(row, cx)?;
            Ok(Flow::Continue)
        })?;
        Ok(())
    }

    /// Takes repeated rows out.
    fn unite(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut united = United::new(self.types);
        let mut kept = Rows::default();
        let mut rows = std::mem::take(&mut self.rows).finish()?;
        let mut walk = rows.walk();
        while let Some(row) = walk.next_row()? {
            if united.take(row, cx)? {
                kept.push(row.to_vec(), cx)?;
            }
        }
        rows.release(cx);
        united.unique.finish(cx, |cx, _, row| {
            kept.push(row, cx)?;
            Ok(Flow::Continue)
        })?;
        self.rows = kept;
        Ok(())
    }

    /// Hands the rows on.
    fn send(self, cx: &mut Cx<'_>, sink: Sink<'_>) -> Result<Flow, SqlError> {
        let mut rows = self.rows.finish()?;
        let mut walk = rows.walk();
        while let Some(row) = walk.next_row()? {
            cx.check_interrupt()?;
            if sink(cx, row)? == Flow::Stop {
                rows.release(cx);
                return Ok(Flow::Stop);
            }
        }
        rows.release(cx);
        Ok(Flow::Continue)
    }

    /// Hands on the different ones of the rows and those of queries.
    fn send_united<'p>(
        self,
        queries: impl Iterator<Item = &'p QueryPlan>,
        cx: &mut Cx<'_>,
        sink: Sink<'_>,
    ) -> Result<Flow, SqlError> {
        let types = self.types;
        let mut united = United::new(types);
        let mut new_ones = |cx: &mut Cx<'_>, row: &[Value]| match united.take(row, cx)? {
            true => sink(cx, row),
            false => Ok(Flow::Continue),
        };
        let flow = match self.send(cx, &mut new_ones)? {
            Flow::Continue => stream(queries, types, cx, &mut new_ones)?,
            Flow::Stop => Flow::Stop,
        };
        if flow == Flow::Stop {
            united.unique.release(cx);
            return Ok(Flow::Stop);
        }
        united.unique.finish(cx, |cx, _, row| sink(cx, &row))
    }

    /// EXCEPT and INTERSECT.
    fn compare(
        &mut self,
        intersect: bool,
        all: bool,
        plan: &QueryPlan,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let mut right = Left { types: self.types, rows: Rows::default() };
        right.keep(plan, cx)?;
        let (mut left, mut right) = (std::mem::take(&mut self.rows).finish()?, right.rows.finish()?);
        let mut compare =
            Compare { intersect, all, keys: RowKeys::new(self.types), found: Sorter::new(&[], None) };
        let spilled = left.is_spilled() || right.is_spilled();
        {
            let (mut left, mut right) = (left.walk(), right.walk());
            let mut arrivals = 0;
            let left: NextRow<'_> = &mut |_, row| {
                arrivals += 1;
                Ok(copy(left.next_row()?, row).then_some(arrivals))
            };
            let right: NextRow<'_> = &mut |_, row| Ok(copy(right.next_row()?, row).then_some(0));
            match spilled {
                true => compare.in_parts(left, right, 0, cx)?,
                false => compare.at_once(left, right, cx)?,
            }
        }
        left.release(cx);
        right.release(cx);
        compare.found.drain_keyed(cx, &mut |cx, _, row| {
            self.rows.push(row, cx)?;
            Ok(Flow::Continue)
        })?;
        Ok(())
    }
}

/// Puts the next row into a buffer and gives its number among all; `None` at the end.
type NextRow<'k> = &'k mut dyn FnMut(&mut Cx<'_>, &mut Vec<Value>) -> Result<Option<u64>, SqlError>;

fn copy(next: Option<&[Value]>, row: &mut Vec<Value>) -> bool {
    row.clear();
    row.extend_from_slice(next.unwrap_or_default());
    next.is_some()
}

/// The rows of a part of one side.
struct PartReader {
    rows: Option<RowReader>,
    key: Vec<u8>,
}

impl PartReader {
    fn of(part: Option<RowFile>) -> Result<Self, SqlError> {
        Ok(Self { rows: part.map(RowFile::read).transpose()?, key: Vec::new() })
    }

    fn next(&mut self, row: &mut Vec<Value>) -> Result<Option<u64>, SqlError> {
        let Some(rows) = &mut self.rows else { return Ok(None) };
        let more = rows.next(&mut self.key, row)?;
        Ok(self.key.first_chunk().filter(|_| more).map(|bytes| u64::from_be_bytes(*bytes)))
    }
}

/// An EXCEPT or INTERSECT under way.
struct Compare {
    intersect: bool,
    all: bool,
    keys: RowKeys,
    /// The result by where it has its place: each row once, then the copies of each, as MariaDB unfolds its counters.
    found: Sorter<'static>,
}

/// A row of the left side that is in the result.
struct Found {
    number: u64,
    copies: u64,
    /// Kept where there may be copies.
    row: Vec<Value>,
}

impl Compare {
    /// Compares two sides that fit in memory.
    fn at_once(&mut self, left: NextRow<'_>, right: NextRow<'_>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut row = Vec::new();
        let mut held = 0;
        let mut counts: HashMap<Box<[u8]>, u64> = HashMap::new();
        while right(cx, &mut row)?.is_some() {
            cx.check_interrupt()?;
            let key = self.keys.of(&row);
            match counts.get_mut(key) {
                Some(count) => *count += 1,
                None => {
                    charge(key.len() + ENTRY, &mut held, cx)?;
                    counts.insert(key.into(), 1);
                }
            }
        }
        let mut found: HashMap<Box<[u8]>, Found> = HashMap::new();
        while let Some(number) = left(cx, &mut row)? {
            cx.check_interrupt()?;
            let key = self.keys.of(&row);
            let count = counts.get_mut(key).filter(|count| **count > 0);
            let is_there = count.is_some();
            if let (Some(count), true) = (count, self.all) {
                *count -= 1;
            }
            if is_there != self.intersect {
                continue;
            }
            if let Some(found) = found.get_mut(key) {
                found.copies += 1;
                continue;
            }
            charge(key.len() + row_bytes(&row) + ENTRY, &mut held, cx)?;
            let kept = if self.all { row.clone() } else { Vec::new() };
            found.insert(key.into(), Found { number, copies: 0, row: kept });
            self.found.push_keyed(cx, &place(0, number), &row)?;
        }
        if self.all {
            for Found { number, copies, row } in found.into_values() {
                for _ in 0..copies {
                    cx.check_interrupt()?;
                    self.found.push_keyed(cx, &place(1, number), &row)?;
                }
            }
        }
        cx.release(held);
        Ok(())
    }

    /// Parts both sides by their rows' keys, and compares part by part.
    fn in_parts(
        &mut self,
        left: NextRow<'_>,
        right: NextRow<'_>,
        depth: u32,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let (left, depth) = self.parted(left, depth, cx)?;
        let (right, _) = self.parted(right, depth - 1, cx)?;
        let room = cx.work_memory(Operator::Group) as u64;
        for (left, right) in left.into_iter().zip(right) {
            let bytes = |part: &Option<RowFile>| part.as_ref().map_or(0, RowFile::bytes);
            let fits = bytes(&left).max(bytes(&right)) <= room || depth >= DEPTH_MAX;
            let (mut left, mut right) = (PartReader::of(left)?, PartReader::of(right)?);
            let left: NextRow<'_> = &mut |_, row| left.next(row);
            let right: NextRow<'_> = &mut |_, row| right.next(row);
            match fits {
                true => self.at_once(left, right, cx)?,
                false => self.in_parts(left, right, depth, cx)?,
            }
        }
        Ok(())
    }

    fn parted(
        &mut self,
        next: NextRow<'_>,
        depth: u32,
        cx: &mut Cx<'_>,
    ) -> Result<([Option<RowFile>; PARTS], u32), SqlError> {
        let mut parts = Parts::new(depth);
        let mut row = Vec::new();
        while let Some(number) = next(cx, &mut row)? {
            cx.check_interrupt()?;
            parts.push(self.keys.of(&row), &number.to_be_bytes(), &row, cx)?;
        }
        Ok(parts.into_files())
    }
}

fn charge(bytes: usize, held: &mut usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
    cx.charge(bytes)?;
    *held += bytes;
    Ok(())
}

/// Where a row has its place in a result.
fn place(copy: u8, number: u64) -> [u8; 9] {
    let mut place = [copy; 9];
    place[1..].copy_from_slice(&number.to_be_bytes());
    place
}
