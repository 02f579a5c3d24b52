//! ORDER BY, DISTINCT and LIMIT.

use super::memory::{Operator, row_bytes};
use super::spill::{RowFile, RowReader};
use super::{Cx, Flow, Sink, slices};
use crate::error::SqlError;
use crate::expr::{Expr, Type, sort_key};
use crate::plan::{SortKey, Tail};
use crate::session::counters::Counter;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use types::Value;

/// Counts rows past OFFSET up to LIMIT.
pub struct Limit {
    skip: u64,
    left: u64,
    found: u64,
    count_all: bool,
}

impl Limit {
    /// Evaluates LIMIT and OFFSET; `sql_select_limit` is the business of whoever runs the outermost query.
    pub fn of(tail: &Tail, cx: &mut Cx<'_>) -> Result<Self, SqlError> {
        let mut count = |e: &Option<Expr>, default| match e {
            None => Ok(default),
            Some(e) => {
                let value = e.eval(cx)?;
                crate::expr::build::count_of(&value)
            }
        };
        let skip = count(&tail.offset, 0)?;
        let left = count(&tail.limit, u64::MAX)?;
        if tail.rows_examined.is_some() {
            let most = count(&tail.rows_examined, u64::MAX)?;
            cx.limit_examined(most);
        }
        Ok(Self { skip, left, found: 0, count_all: tail.calc_found_rows })
    }

    /// All rows.
    pub fn none() -> Self {
        Self { skip: 0, left: u64::MAX, found: 0, count_all: false }
    }

    /// Whether no row is wanted.
    pub fn is_empty(&self) -> bool {
        self.left == 0 && !self.count_all
    }

    /// Takes note of a row; whether it is one that OFFSET leaves out.
    pub fn skips(&mut self) -> bool {
        let skips = self.skip > 0;
        self.found += 1;
        match skips {
            true => self.skip -= 1,
            false => self.left = self.left.saturating_sub(1),
        }
        skips
    }

    /// Whether no more rows are wanted after those noted.
    pub fn is_reached(&self) -> bool {
        self.left == 0
    }

    /// How many of the first rows in order are needed, where that bounds a sort.
    pub fn top(&self, tail: &Tail) -> Option<usize> {
        match tail.limit.is_some() && !tail.with_ties && !self.count_all {
            true => usize::try_from(self.left.saturating_add(self.skip)).ok().filter(|&n| n <= 1 << 20),
            false => None,
        }
    }

    /// Hands a row on if it is within the limit.
    pub fn pass(&mut self, cx: &mut Cx<'_>, row: &[Value], sink: Sink<'_>) -> Result<Flow, SqlError> {
        self.found += 1;
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(Flow::Continue);
        }
        if self.left > 0 {
            self.left -= 1;
            if sink(cx, row)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(if self.left == 0 && !self.count_all { Flow::Stop } else { Flow::Continue })
    }

    /// Leaves what FOUND_ROWS() shall say: rows that OFFSET left out are among those found.
    pub fn report(&self, cx: &mut Cx<'_>) {
        cx.calculated_rows = Some(self.found);
    }
}

/// A row with its sort key; ordered by the key, then by arrival.
struct Keyed {
    key: Box<[u8]>,
    arrival: u64,
    row: Vec<Value>,
}

impl PartialEq for Keyed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Keyed {}

impl PartialOrd for Keyed {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Keyed {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key).then(self.arrival.cmp(&other.arrival))
    }
}

/// Rows in their order.
fn in_order(rows: Vec<Keyed>, cx: &mut Cx<'_>) -> Result<Vec<Keyed>, SqlError> {
    slices::sort_by_key(rows, cx, |keyed| &keyed.key, |a, b| a.arrival.cmp(&b.arrival))
}

/// Sorts rows by keys evaluated when they come in.
pub struct Sorter<'p> {
    keys: &'p [SortKey],
    /// Only the first so many are wanted.
    top: Option<usize>,
    /// With `top` up to twice as many, of which the first stay when they are that many.
    rows: Vec<Keyed>,
    /// The last key among the first `top` rows when they were last told from the others.
    gate: Option<Box<[u8]>>,
    arrivals: u64,
    key: Vec<u8>,
    /// Sorted parts that are in files already, in the order of arrival.
    runs: Vec<RowFile>,
    /// Bytes held.
    held: usize,
}

/// Sorted parts that are merged at once.
const RUNS_MAX: usize = 64;

impl<'p> Sorter<'p> {
    /// An empty sorter; `top` keeps only so many first rows.
    pub fn new(keys: &'p [SortKey], top: Option<usize>) -> Self {
        Self {
            keys,
            top,
            rows: Vec::new(),
            gate: None,
            arrivals: 0,
            key: Vec::new(),
            runs: Vec::new(),
            held: 0,
        }
    }

    /// Takes a row; its sort keys are evaluated on the frames as they are now.
    pub fn push(&mut self, cx: &mut Cx<'_>, row: Vec<Value>) -> Result<(), SqlError> {
        let key = self.key_now(cx)?;
        let pushed = self.push_keyed(cx, &key, row);
        self.key = key;
        pushed
    }

    /// The sort key on the frames as they are now.
    pub fn key_now(&mut self, cx: &mut Cx<'_>) -> Result<Vec<u8>, SqlError> {
        let mut bytes = std::mem::take(&mut self.key);
        bytes.clear();
        for key in self.keys {
            let value = key.expr.eval(cx)?;
            sort_key(&value, &key.expr.ty, key.desc, &mut bytes);
        }
        Ok(bytes)
    }

    /// Takes a key's memory back for the next one.
    pub fn reuse(&mut self, key: Vec<u8>) {
        self.key = key;
    }

    /// Whether a row with this key may be among the first ones.
    pub fn takes(&self, key: &[u8]) -> bool {
        self.gate().is_none_or(|last| key < last)
    }

    /// The key that a row must come before to be among the first ones, once enough are there.
    pub fn gate(&self) -> Option<&[u8]> {
        self.gate.as_deref()
    }

    /// Takes a row whose sort key is there already.
    pub fn push_keyed(&mut self, cx: &mut Cx<'_>, key: &[u8], row: Vec<Value>) -> Result<(), SqlError> {
        if !self.takes(key) {
            return Ok(());
        }
        self.arrivals += 1;
        let bytes = keyed_bytes(key, &row);
        cx.charge(bytes)?;
        self.held += bytes;
        self.rows.push(Keyed { key: key.into(), arrival: self.arrivals, row });
        if let Some(top) = self.top
            && self.rows.len() >= top.saturating_mul(2).max(1)
        {
            self.keep_first(top, cx);
        }
        if self.held > cx.work_memory(Operator::Sort) { self.spill(cx) } else { Ok(()) }
    }

    /// Lets all rows go but the first `top`.
    fn keep_first(&mut self, top: usize, cx: &mut Cx<'_>) {
        let Some(last) = top.checked_sub(1).filter(|last| *last < self.rows.len()) else { return };
        self.rows.select_nth_unstable(last);
        self.gate = Some(self.rows[last].key.clone());
        let gone: usize = self.rows.drain(top..).map(|gone| keyed_bytes(&gone.key, &gone.row)).sum();
        self.held -= gone;
        cx.release(gone);
    }

    /// Writes what is held to a file, sorted.
    fn spill(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        // The first rows of all are among the first of each part: the limit still holds for all of them together.
        self.top = None;
        let rows = in_order(std::mem::take(&mut self.rows), cx)?;
        let mut run = RowFile::new(cx)?;
        for keyed in rows {
            cx.check_interrupt()?;
            run.push(&keyed.key, &keyed.row)?;
        }
        cx.release(std::mem::take(&mut self.held));
        self.runs.push(run);
        if self.runs.len() < RUNS_MAX {
            return Ok(());
        }
        cx.count(Counter::SortMergePasses, 1);
        let mut merged = RowFile::new(cx)?;
        let mut merge = Merge::of(std::mem::take(&mut self.runs))?;
        while let Some(keyed) = merge.next()? {
            cx.check_interrupt()?;
            merged.push(&keyed.key, &keyed.row)?;
        }
        self.runs.push(merged);
        Ok(())
    }

    /// The rows in order.
    fn sorted(&mut self, cx: &mut Cx<'_>) -> Result<Sorted, SqlError> {
        let top = self.top.map_or(u64::MAX, |top| top as u64);
        cx.count(Counter::SortRows, self.arrivals.min(top));
        cx.count(Counter::SortPriorityQueueSorts, u64::from(self.top.is_some()));
        cx.count(Counter::SortMergePasses, u64::from(!self.runs.is_empty()));
        if !self.runs.is_empty() {
            if !self.rows.is_empty() {
                self.spill(cx)?;
            }
            return Ok(Sorted::Merged(Merge::of(std::mem::take(&mut self.runs))?));
        }
        if let Some(top) = self.top {
            self.keep_first(top, cx);
        }
        let rows = in_order(std::mem::take(&mut self.rows), cx)?;
        Ok(Sorted::Held(rows.into_iter()))
    }

    /// Hands all rows on in order, with their keys, until whoever takes them has enough.
    pub fn drain_keyed(self, cx: &mut Cx<'_>, each: EachKeyed<'_>) -> Result<Flow, SqlError> {
        let mut rows = self.into_sorted(cx)?;
        while let Some((key, row)) = rows.next(cx)? {
            if each(cx, &key, row)? == Flow::Stop {
                rows.release(cx);
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    /// The rows in order, to be taken one by one.
    pub fn into_sorted(mut self, cx: &mut Cx<'_>) -> Result<InOrder, SqlError> {
        let rows = self.sorted(cx)?;
        Ok(InOrder { rows, held: self.held })
    }

    /// Hands the rows on in order, as far as the limit goes.
    pub fn drain(
        mut self,
        cx: &mut Cx<'_>,
        limit: &mut Limit,
        with_ties: bool,
        sink: Sink<'_>,
    ) -> Result<Flow, SqlError> {
        let mut rows = self.sorted(cx)?;
        cx.release(std::mem::take(&mut self.held));
        let mut last: Option<Box<[u8]>> = None;
        while let Some(keyed) = rows.next()? {
            cx.check_interrupt()?;
            if with_ties && limit.left == 0 {
                if last.as_ref() != Some(&keyed.key) {
                    break;
                }
                limit.left = 1;
            }
            let flow = limit.pass(cx, &keyed.row, sink)?;
            last = Some(keyed.key);
            if flow == Flow::Stop && !with_ties {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}

/// A row behind its key.
pub type KeyedRow = (Box<[u8]>, Vec<Value>);

/// Takes rows with their keys.
pub type EachKeyed<'k> = &'k mut dyn FnMut(&mut Cx<'_>, &[u8], Vec<Value>) -> Result<Flow, SqlError>;

/// Rows in order.
pub struct InOrder {
    rows: Sorted,
    /// Bytes held until they are all taken.
    held: usize,
}

impl InOrder {
    /// The next row with its key.
    pub fn next(&mut self, cx: &mut Cx<'_>) -> Result<Option<KeyedRow>, SqlError> {
        cx.check_interrupt()?;
        let next = self.rows.next()?;
        match &next {
            None => cx.release(std::mem::take(&mut self.held)),
            Some(keyed) if self.held > 0 => {
                let bytes = keyed_bytes(&keyed.key, &keyed.row).min(self.held);
                self.held -= bytes;
                cx.release(bytes);
            }
            Some(_) => {}
        }
        Ok(next.map(|keyed| (keyed.key, keyed.row)))
    }

    /// No more rows are taken.
    pub fn release(&mut self, cx: &mut Cx<'_>) {
        cx.release(std::mem::take(&mut self.held));
    }
}

/// Bytes that a row to be sorted takes.
fn keyed_bytes(key: &[u8], row: &[Value]) -> usize {
    key.len() + row_bytes(row) + size_of::<Keyed>()
}

/// Sorted rows.
enum Sorted {
    Held(std::vec::IntoIter<Keyed>),
    Merged(Merge),
}

impl Sorted {
    fn next(&mut self) -> Result<Option<Keyed>, SqlError> {
        match self {
            Self::Held(rows) => Ok(rows.next()),
            Self::Merged(merge) => merge.next(),
        }
    }
}

/// Sorted files read together.
struct Merge {
    readers: Vec<RowReader>,
    /// The next row of each file that has one; `arrival` is the file's number, so that equal rows keep their order.
    heads: BinaryHeap<Reverse<Keyed>>,
}

impl Merge {
    fn of(runs: Vec<RowFile>) -> Result<Merge, SqlError> {
        let mut merge = Merge { readers: Vec::with_capacity(runs.len()), heads: BinaryHeap::new() };
        for (number, run) in runs.into_iter().enumerate() {
            merge.readers.push(run.read()?);
            merge.advance(number)?;
        }
        Ok(merge)
    }

    fn advance(&mut self, number: usize) -> Result<(), SqlError> {
        let (mut key, mut row) = (Vec::new(), Vec::new());
        if self.readers[number].next(&mut key, &mut row)? {
            self.heads.push(Reverse(Keyed { key: key.into(), arrival: number as u64, row }));
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Keyed>, SqlError> {
        let Some(Reverse(first)) = self.heads.pop() else { return Ok(None) };
        self.advance(first.arrival as usize)?;
        Ok(Some(first))
    }
}

/// How rows are told apart: by the equality of their types.
pub struct RowKeys {
    types: Vec<Type>,
    key: Vec<u8>,
}

impl RowKeys {
    /// Of rows of these types.
    pub fn new(types: &[Type]) -> Self {
        Self { types: types.to_vec(), key: Vec::new() }
    }

    /// Of rows of a select list.
    pub fn of_items(items: &[Expr]) -> Self {
        Self { types: items.iter().map(|e| e.ty.clone()).collect(), key: Vec::new() }
    }

    /// The bytes in which a row equals those of its kind.
    pub fn of<'v>(&mut self, row: impl IntoIterator<Item = &'v Value>) -> &[u8] {
        self.key.clear();
        for (value, ty) in row.into_iter().zip(&self.types) {
            sort_key(value, ty, false, &mut self.key);
        }
        &self.key
    }
}
