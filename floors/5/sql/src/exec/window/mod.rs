//! Window functions: a pass sorts the rows, parts them, and computes its functions over one partition after the other;
//! the rows go on to the next pass, the last one hands them out.
//!
//! | module | what |
//! | --- | --- |
//! | `frame` | which rows a frame holds, for each row of a partition |
//! | `aggregate` | aggregates over frames |
//! | `value` | everything else |
//!
//! A row is kept as the values of the slots that somebody reads later, and its number in the order it came, which settles
//! ties in every pass. Sorts go on in files where they have no room; of the rows themselves no more than a partition is in
//! memory at once (one without room is error 1290).

mod aggregate;
mod frame;
mod value;

use super::memory::row_bytes;
use super::sort::{InOrder, KeyedRow, Sorter};
use super::{Cx, Flow, Next};
use crate::error::SqlError;
use crate::expr::{Class, Expr, Kind, Type, build::FREE_DECIMALS, operand, sort_key};
use crate::plan::window::{WindowCall, WindowFunction, WindowPass, Windows};
use frame::Frames;
use types::Value;

/// The rows of one run of a SELECT block with window functions.
pub struct WindowRows<'p> {
    windows: &'p Windows,
    level: u32,
    width: usize,
    /// Where the value of each slot of the frame stands in a kept row.
    places: Vec<usize>,
    /// Rows for the first pass.
    first: Sorter<'p>,
    /// Rows that came.
    count: u64,
    /// The rows of the partition under way, in order.
    rows: Vec<Vec<Value>>,
    /// Bytes counted as held for them.
    held: usize,
    key: Vec<u8>,
}

/// The keys of the partition under way.
struct Sorted {
    /// Records: keys, number, and where each key ends.
    records: Vec<Box<[u8]>>,
    /// Keys a row.
    width: usize,
}

/// The bytes of the first `n` of `width` keys in a record.
fn leading(record: &[u8], n: usize, width: usize) -> &[u8] {
    let Some(at) = n.checked_sub(1) else { return &[] };
    let ends = record.len() - 4 * width;
    let end = record[ends + 4 * at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    &record[..end as usize]
}

impl Sorted {
    /// The stretches of rows whose first `n` keys are equal, by their ends.
    fn stretches(&self, rows: &[u32], n: usize, cx: &mut Cx<'_>) -> Result<Vec<usize>, SqlError> {
        let mut ends = Vec::new();
        let key = |at: usize| leading(&self.records[rows[at] as usize], n, self.width);
        for at in 1..rows.len() {
            cx.check_interrupt()?;
            if key(at - 1) != key(at) {
                ends.push(at);
            }
        }
        if !rows.is_empty() {
            ends.push(rows.len());
        }
        Ok(ends)
    }
}

/// A partition under a call: its rows in order, and the ends of its stretches of peers.
struct Partition<'r> {
    rows: &'r [u32],
    peers: Vec<usize>,
}

impl<'p> WindowRows<'p> {
    /// No rows yet.
    pub fn new(windows: &'p Windows, level: u32, width: usize) -> Self {
        let mut places = vec![0; width];
        for (place, &slot) in windows.slots.iter().enumerate() {
            places[slot as usize] = place;
        }
        Self {
            windows,
            level,
            width,
            places,
            first: Sorter::new(&[], None),
            count: 0,
            rows: Vec::new(),
            held: 0,
            key: Vec::new(),
        }
    }

    /// Keeps the row in the frame.
    pub fn push(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let frame = cx.frame_mut(self.level, self.width);
        let mut row: Vec<Value> = Vec::with_capacity(self.windows.slots.len() + 1);
        row.extend(self.windows.slots.iter().map(|&slot| frame[slot as usize].clone()));
        row.push(Value::UInt(self.count));
        self.make_record(self.windows.passes.first(), self.count, cx)?;
        self.count += 1;
        self.first.push_keyed(cx, &self.key, &row)
    }

    /// Makes the record of the row in the frame for a pass.
    fn make_record(
        &mut self,
        pass: Option<&WindowPass>,
        number: u64,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let keys = pass.map_or(&[][..], |pass| &pass.keys);
        let mut ends = Vec::with_capacity(4 * keys.len());
        self.key.clear();
        for part in keys {
            let value = part.expr.eval(cx)?;
            sort_key(&value, &part.expr.ty, part.desc, &mut self.key);
            ends.extend_from_slice(&(self.key.len() as u32).to_le_bytes());
        }
        self.key.extend_from_slice(&number.to_be_bytes());
        self.key.extend_from_slice(&ends);
        Ok(())
    }

    /// Computes all functions, then calls `next` once a row, with the row and its results in the frame.
    pub fn finish(mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let mut sorter = std::mem::replace(&mut self.first, Sorter::new(&[], None));
        let windows = self.windows;
        for (at, pass) in windows.passes.iter().enumerate() {
            let mut rows = sorter.into_sorted(cx)?;
            let following = windows.passes.get(at + 1);
            sorter = Sorter::new(&[], None);
            let mut ahead = rows.take(cx)?;
            while let Some(first) = ahead.take() {
                let (sorted, after) = self.gather(pass, first, &mut rows, cx)?;
                ahead = after;
                self.run_pass(pass, &sorted, cx)?;
                let flow = match following {
                    Some(following) => self.pass_on(following, &mut sorter, cx)?,
                    None => self.hand_out(cx, next)?,
                };
                cx.release(std::mem::take(&mut self.held));
                if flow == Flow::Stop {
                    rows.release(cx);
                    return Ok(Flow::Stop);
                }
            }
        }
        Ok(Flow::Continue)
    }

    /// Brings the rows of one partition into memory, `first` ahead of them: what no call of the pass parts any further
    /// than its widest. Also gives the first row behind it.
    fn gather(
        &mut self,
        pass: &WindowPass,
        first: KeyedRow,
        rows: &mut InOrder,
        cx: &mut Cx<'_>,
    ) -> Result<(Sorted, Option<KeyedRow>), SqlError> {
        let width = pass.keys.len();
        let parting = pass.calls.iter().map(|call| call.partition).min().unwrap_or(0);
        let mut sorted = Sorted { records: Vec::new(), width };
        self.rows.clear();
        let mut next = Some(first);
        while let Some((record, row)) = next.take() {
            let same = sorted
                .records
                .first()
                .is_none_or(|first| leading(first, parting, width) == leading(&record, parting, width));
            if !same {
                return Ok((sorted, Some((record, row))));
            }
            let bytes = record.len() + row_bytes(&row) + 16;
            self.held += bytes;
            cx.charge(bytes)?;
            sorted.records.push(record);
            self.rows.push(row);
            next = rows.take(cx)?;
        }
        Ok((sorted, None))
    }

    /// Gives the rows of the partition to the next pass.
    fn pass_on(
        &mut self,
        pass: &WindowPass,
        sorter: &mut Sorter<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Flow, SqlError> {
        for row in std::mem::take(&mut self.rows) {
            cx.check_interrupt()?;
            let number = match row.last() {
                Some(Value::UInt(number)) => *number,
                _ => return Err(SqlError::internal_error("read a window's row")),
            };
            let frame = cx.frame_mut(self.level, self.width);
            for (&slot, value) in self.windows.slots.iter().zip(&row) {
                frame[slot as usize].clone_from(value);
            }
            self.make_record(Some(pass), number, cx)?;
            sorter.push_keyed(cx, &self.key, &row)?;
        }
        Ok(Flow::Continue)
    }

    /// Hands the rows of the partition out.
    fn hand_out(&mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        for row in std::mem::take(&mut self.rows) {
            cx.check_interrupt()?;
            let frame = cx.frame_mut(self.level, self.width);
            for (&slot, value) in self.windows.slots.iter().zip(row) {
                frame[slot as usize] = value;
            }
            if next(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    /// Computes the functions of a pass over the rows in memory.
    fn run_pass(&mut self, pass: &WindowPass, sorted: &Sorted, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let order: Vec<u32> = (0..self.rows.len()).map(|at| at as u32).collect();
        for call in &pass.calls {
            let mut start = 0;
            for end in sorted.stretches(&order, call.partition, cx)? {
                let rows = &order[start..end];
                let partition = Partition { rows, peers: sorted.stretches(rows, call.order, cx)? };
                let results = self.compute(pass, call, &partition, cx)?;
                let place = self.places[call.slot as usize];
                for (&row, result) in rows.iter().zip(results) {
                    self.rows[row as usize][place] = kept(result, &call.ty);
                }
                start = end;
            }
        }
        Ok(())
    }

    fn compute(
        &mut self,
        pass: &WindowPass,
        call: &WindowCall,
        partition: &Partition<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Value>, SqlError> {
        if let WindowFunction::Aggregate(aggregate) = &call.function {
            let frames = Frames::new(self, pass, call, partition, cx)?;
            return self.aggregate(aggregate, &frames, partition, cx);
        }
        self.values(pass, call, partition, cx)
    }

    /// An expression's value for a kept row.
    fn eval(&mut self, row: u32, e: &Expr, cx: &mut Cx<'_>) -> Result<Value, SqlError> {
        match e.kind {
            Kind::Const(ref value) => return Ok(value.clone()),
            Kind::Column(slot) if slot.level == self.level => {
                return Ok(self.rows[row as usize][self.places[slot.index as usize]].clone());
            }
            _ => {}
        }
        let values = &self.rows[row as usize];
        let frame = cx.frame_mut(self.level, self.width);
        for (&slot, value) in self.windows.slots.iter().zip(values) {
            frame[slot as usize].clone_from(value);
        }
        let said = cx.state.diagnostics.entries.len();
        let counted = std::mem::replace(&mut cx.state.statement.row, u64::from(row) + 1);
        // Dates are kept as for comparing: what is none is zero.
        let value = match e.ty.class() {
            Class::Temporal => operand::comparable(cx, e),
            _ => e.eval(cx),
        };
        cx.state.statement.row = counted;
        cx.state.diagnostics.forget_repeated(said);
        value
    }
}

/// A result as the column of MariaDB's temporary table keeps it: a number of the digits that its type has.
fn kept(result: Value, ty: &Type) -> Value {
    match result {
        Value::Double(n) if ty.decimals < FREE_DECIMALS => {
            Value::Double(types::convert::of_digits(n, ty.decimals))
        }
        result => result,
    }
}
