//! Set operations: UNION, EXCEPT, INTERSECT, each with and without ALL.
//!
//! A chain runs from left to right. Behind the last operation that must compare rows nothing is kept: rows go straight
//! on. What is kept and has no room waits in files; both sides of EXCEPT and INTERSECT are parted by their rows' keys
//! then.

use super::keys::Keys;
use super::memory::{ENTRY, Operator, row_bytes};
use super::query::run;
use super::rows::Rows;
use super::sort::{RowKeys, Sorter};
use super::spill::{DEPTH_MAX, PARTS, Parts, RowFile, RowReader};
use super::unique::{Seen, Unique};
use super::{Cx, Flow, Sink};
use crate::error::SqlError;
use crate::expr::{Type, store};
use crate::plan::QueryPlan;
use crate::syntax::ast::SetOperator;
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
    // A UNION takes repeated rows out of all that is left of it.
    let others = compared.iter().rposition(|(op, ..)| !is_union(op)).map_or(0, |last| last + 1);
    let (compared, united) = compared.split_at(others);
    let mut left = Left { types: &types, rows: Rows::default() };
    let mut first = Some(first);
    if !compared.is_empty()
        && let Some(first) = first.take()
    {
        left.keep(first, cx)?;
    }
    for (op, all, operand) in compared {
        match op {
            SetOperator::Union => {
                left.keep(operand, cx)?;
                if !*all {
                    left.unite(cx)?;
                }
            }
            SetOperator::Except | SetOperator::Intersect => {
                left.compare(*op == SetOperator::Intersect, *all, operand, cx)?;
            }
        }
    }
    let flow = match united {
        [] => left.send(cx, sink)?,
        _ => left.send_united(first.into_iter().chain(united.iter().map(|(.., plan)| plan)), cx, sink)?,
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
    let mut stored = Vec::with_capacity(types.len());
    for query in queries {
        // A query that ends at a limit of its own stops, too, but not those behind it.
        let mut enough = false;
        run(query, cx, &mut |cx, row| {
            let from = query.columns.iter().map(|column| &column.ty);
            store::to_types(row, from, types, cx.state, &mut stored);
            let flow = sink(cx, &stored)?;
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
        let mut stored = Vec::with_capacity(types.len());
        run(plan, cx, &mut |cx, row| {
            cx.check_interrupt()?;
            let from = plan.columns.iter().map(|column| &column.ty);
            store::to_types(row, from, types, cx.state, &mut stored);
            rows.push(stored.drain(..), cx)?;
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
                kept.push(row.iter().cloned(), cx)?;
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

/// The different rows of two sides.
#[derive(Default)]
struct Sides {
    keys: Keys,
    /// Of each key: rows of the right side that the left one has not met, and rows in the result.
    counts: Vec<(u64, u64)>,
    /// Bytes held.
    held: usize,
}

impl Sides {
    fn add(&mut self, hash: u64, key: &[u8], cx: &mut Cx<'_>) -> Result<usize, SqlError> {
        self.hold(key.len() + ENTRY + size_of::<(u64, u64)>(), cx)?;
        self.counts.push((0, 0));
        Ok(self.keys.add(hash, key)? as usize)
    }

    fn hold(&mut self, bytes: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        cx.charge(bytes)?;
        self.held += bytes;
        Ok(())
    }
}

impl Compare {
    /// Compares two sides that fit in memory.
    fn at_once(&mut self, left: NextRow<'_>, right: NextRow<'_>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let mut row = Vec::new();
        let mut sides = Sides::default();
        while right(cx, &mut row)?.is_some() {
            cx.check_interrupt()?;
            let key = self.keys.of(&row);
            let at = match sides.keys.find(key) {
                Ok(number) => number as usize,
                Err(hash) => sides.add(hash, key, cx)?,
            };
            sides.counts[at].0 += 1;
        }
        // The first of the rows that may be in the result more than once, with its number.
        let mut firsts: Vec<(usize, u64, Vec<Value>)> = Vec::new();
        while let Some(number) = left(cx, &mut row)? {
            cx.check_interrupt()?;
            let key = self.keys.of(&row);
            let at = match sides.keys.find(key) {
                Ok(number) => number as usize,
                Err(_) if self.intersect => continue,
                Err(hash) => sides.add(hash, key, cx)?,
            };
            let (right, given) = &mut sides.counts[at];
            let is_there = *right > 0;
            if self.all {
                *right = right.saturating_sub(1);
            }
            if is_there != self.intersect {
                continue;
            }
            *given += 1;
            if *given > 1 {
                continue;
            }
            self.found.push_keyed(cx, &place(0, number), &row)?;
            if self.all {
                sides.hold(row_bytes(&row), cx)?;
                firsts.push((at, number, row.clone()));
            }
        }
        for (at, number, row) in firsts {
            for _ in 1..sides.counts[at].1 {
                cx.check_interrupt()?;
                self.found.push_keyed(cx, &place(1, number), &row)?;
            }
        }
        cx.release(sides.held);
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

/// Where a row has its place in a result.
fn place(copy: u8, number: u64) -> [u8; 9] {
    let mut place = [copy; 9];
    place[1..].copy_from_slice(&number.to_be_bytes());
    place
}
