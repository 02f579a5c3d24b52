//! ORDER BY, DISTINCT and LIMIT.

use super::memory::Operator;
use super::packed::{PackedRow, PackedRows};
use super::spill::{RowFile, RowReader};
use super::{Cx, Flow, Sink};
use crate::error::SqlError;
use crate::expr::{Expr, Type, sort_key};
use crate::plan::{Join, SelectPlan, SortKey, Tail};
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
    /// The block's one table may leave out rows itself ([`Cx::pass_over`]), and what that was around the block.
    handed: Option<u64>,
}

impl Limit {
    /// Evaluates LIMIT and OFFSET; `sql_select_limit` is the business of whoever runs the outermost query.
    pub fn of(tail: &Tail, cx: &mut Cx<'_>) -> Result<Self, SqlError> {
        let mut count = |e: &Option<Expr>, default| match e {
            None => Ok(default),
            Some(e) => {
                let value = e.eval(cx)?;
                crate::expr::build::limit_count(&value, cx.state)
            }
        };
        let skip = count(&tail.offset, 0)?;
        let left = count(&tail.limit, u64::MAX)?;
        if tail.rows_examined.is_some() {
            let most = count(&tail.rows_examined, u64::MAX)?;
            cx.limit_examined(most);
        }
        Ok(Self { skip, left, found: 0, count_all: tail.calc_found_rows, handed: None })
    }

    /// All rows.
    pub fn none() -> Self {
        Self { skip: 0, left: u64::MAX, found: 0, count_all: false, handed: None }
    }

    /// Whether no row is wanted.
    pub fn is_empty(&self) -> bool {
        self.left == 0 && !self.count_all
    }

    /// Has the table of a block that is nothing but its rows leave out those that OFFSET leaves out, if it can do so
    /// without reading them, and know how many are wanted. [`Limit::report`] ends it.
    pub fn hand_over(&mut self, plan: &SelectPlan, cx: &mut Cx<'_>) {
        if plan.group.is_none() && plan.windows.is_none() && !self.count_all {
            cx.wanted_rows = self.skip.saturating_add(self.left);
        }
        if matches!(&plan.from, Some(Join::Table(table)) if table.passes_over) {
            self.handed = Some(std::mem::replace(&mut cx.pass_over, self.skip));
        }
    }

    /// Takes note of the rows that the table left out.
    fn settle(&mut self, cx: &Cx<'_>) {
        if self.handed.is_some() {
            self.found += self.skip - cx.pass_over;
            self.skip = cx.pass_over;
        }
    }

    /// Takes note of a row that OFFSET leaves out, if it is one.
    pub fn leaves_out(&mut self, cx: &mut Cx<'_>) -> bool {
        self.settle(cx);
        let leaves_out = self.skip > 0;
        if leaves_out {
            self.found += 1;
            self.skip -= 1;
            if self.handed.is_some() {
                cx.pass_over = self.skip;
            }
        }
        leaves_out
    }

    /// Takes note of rows that OFFSET leaves out.
    fn left_out(&mut self, rows: u64) {
        self.found += rows;
        self.skip -= rows;
    }

    /// Takes note of a row that is none of those.
    pub fn take(&mut self) {
        self.found += 1;
        self.left = self.left.saturating_sub(1);
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
        if self.leaves_out(cx) {
            return Ok(Flow::Continue);
        }
        let wanted = self.left > 0;
        self.take();
        if wanted && sink(cx, row)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        Ok(if self.left == 0 && !self.count_all { Flow::Stop } else { Flow::Continue })
    }

    /// Leaves what FOUND_ROWS() shall say: rows that OFFSET left out are among those found.
    pub fn report(&mut self, cx: &mut Cx<'_>) {
        self.settle(cx);
        if let Some(around) = self.handed.take() {
            cx.pass_over = around;
        }
        cx.wanted_rows = u64::MAX;
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

/// Sorts rows by keys evaluated when they come in.
pub struct Sorter<'p> {
    keys: &'p [SortKey],
    /// Only the first so many are wanted.
    top: Option<usize>,
    /// With `top` up to twice as many, of which the first stay when they are that many.
    rows: Vec<PackedRow>,
    /// What they say the place of.
    packed: PackedRows,
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
/// How many rows ahead of the one that is taken the next are asked for.
const AHEAD: usize = 12;

impl<'p> Sorter<'p> {
    /// An empty sorter; `top` keeps only so many first rows.
    pub fn new(keys: &'p [SortKey], top: Option<usize>) -> Self {
        Self {
            keys,
            top,
            rows: Vec::new(),
            packed: PackedRows::default(),
            gate: None,
            arrivals: 0,
            key: Vec::new(),
            runs: Vec::new(),
            held: 0,
        }
    }

    /// Takes a row; its sort keys are evaluated on the frames as they are now.
    pub fn push(&mut self, cx: &mut Cx<'_>, row: &[Value]) -> Result<(), SqlError> {
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
            let value = key.value(cx)?;
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
    pub fn push_keyed(&mut self, cx: &mut Cx<'_>, key: &[u8], row: &[Value]) -> Result<(), SqlError> {
        if !self.takes(key) {
            return Ok(());
        }
        self.arrivals += 1;
        let row = self.packed.push(key, row)?;
        cx.charge(row.bytes())?;
        self.held += row.bytes();
        self.rows.push(row);
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
        let Self { rows, packed, .. } = self;
        rows.select_nth_unstable_by(last, |a, b| packed.order(a, b));
        self.gate = Some(packed.key(&rows[last]).into());
        rows.truncate(top);
        packed.keep(rows);
        let held = rows.iter().map(PackedRow::bytes).sum();
        cx.release(self.held - held);
        self.held = held;
    }

    /// Writes what is held to a file, sorted.
    fn spill(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        // The first rows of all are among the first of each part: the limit still holds for all of them together.
        self.top = None;
        let packed = std::mem::take(&mut self.packed);
        let mut run = RowFile::new(cx)?;
        let mut values = Vec::new();
        for row in packed.sort(std::mem::take(&mut self.rows), cx)? {
            cx.check_interrupt()?;
            packed.unpack(&row, &mut values)?;
            run.push(packed.key(&row), &values)?;
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
    pub fn into_sorted(mut self, cx: &mut Cx<'_>) -> Result<InOrder, SqlError> {
        let top = self.top.map_or(u64::MAX, |top| top as u64);
        cx.count(Counter::SortRows, self.arrivals.min(top));
        cx.count(Counter::SortPriorityQueueSorts, u64::from(self.top.is_some()));
        cx.count(Counter::SortMergePasses, u64::from(!self.runs.is_empty()));
        let rows = if self.runs.is_empty() {
            if let Some(top) = self.top {
                self.keep_first(top, cx);
            }
            let rows = self.packed.sort(std::mem::take(&mut self.rows), cx)?;
            Sorted::Held(rows.into_iter(), std::mem::take(&mut self.packed))
        } else {
            if !self.rows.is_empty() {
                self.spill(cx)?;
            }
            Sorted::Merged(Merge::of(std::mem::take(&mut self.runs))?)
        };
        Ok(InOrder { rows, row: Vec::new(), key: Box::default(), held: self.held })
    }

    /// Hands all rows on in order, with their keys, until whoever takes them has enough.
    pub fn drain_keyed(self, cx: &mut Cx<'_>, each: EachKeyed<'_>) -> Result<Flow, SqlError> {
        let mut rows = self.into_sorted(cx)?;
        while let Some((key, row)) = rows.next(cx)? {
            if each(cx, key, std::mem::take(row))? == Flow::Stop {
                rows.release(cx);
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    /// Lets the first `n` rows in order go without sorting them, if all are in memory; gives how many went.
    fn pass_over(&mut self, n: u64, cx: &mut Cx<'_>) -> u64 {
        if n == 0 || !self.runs.is_empty() {
            return 0;
        }
        if let Some(top) = self.top {
            self.keep_first(top, cx);
        }
        let Self { rows, packed, .. } = self;
        let n = usize::try_from(n).unwrap_or(usize::MAX).min(rows.len());
        if n < rows.len() {
            rows.select_nth_unstable_by(n, |a, b| packed.order(a, b));
        }
        rows.drain(..n);
        n as u64
    }

    /// Hands the rows on in order, as far as the limit goes.
    pub fn drain(
        mut self,
        cx: &mut Cx<'_>,
        limit: &mut Limit,
        with_ties: bool,
        sink: Sink<'_>,
    ) -> Result<Flow, SqlError> {
        if !with_ties {
            limit.left_out(self.pass_over(limit.skip, cx));
        }
        let mut rows = self.into_sorted(cx)?;
        let mut last = Vec::new();
        while let Some((key, row)) = rows.next(cx)? {
            if with_ties {
                if limit.left == 0 {
                    if last != key {
                        break;
                    }
                    limit.left = 1;
                }
                last.clear();
                last.extend_from_slice(key);
            }
            let flow = limit.pass(cx, row, sink)?;
            if flow == Flow::Stop && !with_ties {
                rows.release(cx);
                return Ok(Flow::Stop);
            }
        }
        rows.release(cx);
        Ok(Flow::Continue)
    }
}

/// A row behind its key, until the next one is taken.
pub type TakenRow<'o> = (&'o [u8], &'o mut Vec<Value>);

/// A row behind its key.
pub type KeyedRow = (Box<[u8]>, Vec<Value>);

/// Takes rows with their keys.
pub type EachKeyed<'k> = &'k mut dyn FnMut(&mut Cx<'_>, &[u8], Vec<Value>) -> Result<Flow, SqlError>;

/// Rows in order.
pub struct InOrder {
    rows: Sorted,
    /// The row that was taken last, and its key where that came out of a file.
    row: Vec<Value>,
    key: Box<[u8]>,
    /// Bytes held until they are all taken.
    held: usize,
}

impl InOrder {
    /// The next row with its key.
    pub fn next<'o>(&'o mut self, cx: &mut Cx<'_>) -> Result<Option<TakenRow<'o>>, SqlError> {
        cx.check_interrupt()?;
        let key = match &mut self.rows {
            Sorted::Held(rows, packed) => match rows.next() {
                Some(row) => {
                    if let Some(later) = rows.as_slice().get(AHEAD) {
                        packed.prefetch(later);
                    }
                    packed.unpack(&row, &mut self.row)?;
                    Some(packed.key(&row))
                }
                None => None,
            },
            Sorted::Merged(merge) => match merge.next()? {
                Some(keyed) => {
                    (self.key, self.row) = (keyed.key, keyed.row);
                    Some(&*self.key)
                }
                None => None,
            },
        };
        if key.is_none() {
            cx.release(std::mem::take(&mut self.held));
        }
        Ok(key.map(|key| (key, &mut self.row)))
    }

    /// As [`InOrder::next`], a row that stays when the next one is taken.
    pub fn take(&mut self, cx: &mut Cx<'_>) -> Result<Option<KeyedRow>, SqlError> {
        Ok(self.next(cx)?.map(|(key, row)| (key.into(), std::mem::take(row))))
    }

    /// No more rows are taken.
    pub fn release(&mut self, cx: &mut Cx<'_>) {
        cx.release(std::mem::take(&mut self.held));
    }
}

/// Sorted rows.
enum Sorted {
    Held(std::vec::IntoIter<PackedRow>, PackedRows),
    Merged(Merge),
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
