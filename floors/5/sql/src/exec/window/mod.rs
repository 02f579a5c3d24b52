//! Window functions: rows are kept, sorted once a pass, parted, and each function computed over its partitions.
//!
//! | module | what |
//! | --- | --- |
//! | `frame` | which rows a frame holds, for each row of a partition |
//! | `aggregate` | aggregates over frames |
//! | `value` | everything else |
//!
//! A row is kept as the values of the slots that somebody reads later, in the order it came; passes sort numbers of
//! rows, never rows.

mod aggregate;
mod frame;
mod value;

use super::memory::row_bytes;
use super::{Cx, Flow, Next, slices};
use crate::error::SqlError;
use crate::expr::{Expr, Kind, sort_key};
use crate::plan::window::{WindowCall, WindowFunction, WindowPass, Windows};
use frame::Frames;
use types::Value;

/// What a row's key takes beside its bytes.
const KEY_BYTES: usize = 24;

/// The rows of one run of a SELECT block with window functions.
pub struct WindowRows<'p> {
    windows: &'p Windows,
    level: u32,
    width: usize,
    /// Where the value of each slot of the frame stands in a kept row.
    places: Vec<usize>,
    rows: Vec<Vec<Value>>,
    /// Bytes counted as held.
    held: usize,
}

/// The rows of a pass in its order, with their keys.
struct Sorted {
    /// Numbers of rows.
    order: Vec<u32>,
    /// Keys by number of row.
    keys: Vec<Box<[u8]>>,
    /// Where each of a row's keys ends, rows one after the other.
    ends: Vec<u32>,
    /// Keys a row.
    width: usize,
}

impl Sorted {
    /// The bytes of a row's first `n` keys.
    fn leading(&self, row: u32, n: usize) -> &[u8] {
        let end = match n {
            0 => 0,
            n => self.ends[row as usize * self.width + n - 1] as usize,
        };
        &self.keys[row as usize][..end]
    }

    /// The stretches of `rows` whose first `n` keys are equal, by their ends.
    fn stretches(&self, rows: &[u32], n: usize) -> Vec<usize> {
        let mut ends = Vec::new();
        for at in 1..rows.len() {
            if self.leading(rows[at - 1], n) != self.leading(rows[at], n) {
                ends.push(at);
            }
        }
        if !rows.is_empty() {
            ends.push(rows.len());
        }
        ends
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
        Self { windows, level, width, places, rows: Vec::new(), held: 0 }
    }

    /// Keeps the row in the frame.
    pub fn push(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let frame = cx.frame_mut(self.level, self.width);
        let row: Vec<Value> = self.windows.slots.iter().map(|&slot| frame[slot as usize].clone()).collect();
        self.hold(row_bytes(&row), cx)?;
        self.rows.push(row);
        Ok(())
    }

    /// Computes all functions, then calls `next` once a row, with the row and its results in the frame.
    pub fn finish(mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let flow = self.compute_all(cx, next);
        cx.release(self.held);
        flow
    }

    /// Takes note of bytes held until the rows are gone.
    fn hold(&mut self, bytes: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        self.held += bytes;
        cx.charge(bytes)
    }

    fn compute_all(&mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let mut order: Vec<u32> = Vec::new();
        for pass in &self.windows.passes {
            order = self.run_pass(pass, cx)?;
        }
        for row in order {
            cx.check_interrupt()?;
            let values = std::mem::take(&mut self.rows[row as usize]);
            let frame = cx.frame_mut(self.level, self.width);
            for (&slot, value) in self.windows.slots.iter().zip(values) {
                frame[slot as usize] = value;
            }
            if next(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    /// Runs a pass; gives the order that it brought the rows into.
    fn run_pass(&mut self, pass: &WindowPass, cx: &mut Cx<'_>) -> Result<Vec<u32>, SqlError> {
        let sorted = self.sort(pass, cx)?;
        for call in &pass.calls {
            let mut start = 0;
            for end in sorted.stretches(&sorted.order, call.partition) {
                let rows = &sorted.order[start..end];
                let partition = Partition { rows, peers: sorted.stretches(rows, call.order) };
                let results = self.compute(pass, call, &partition, cx)?;
                let place = self.places[call.slot as usize];
                for (&row, result) in rows.iter().zip(results) {
                    self.rows[row as usize][place] = result;
                }
                start = end;
            }
        }
        Ok(sorted.order)
    }

    fn sort(&mut self, pass: &WindowPass, cx: &mut Cx<'_>) -> Result<Sorted, SqlError> {
        let count = u32::try_from(self.rows.len()).map_err(|_| SqlError::out_of_sort_memory())?;
        let width = pass.keys.len();
        let mut keys: Vec<Box<[u8]>> = Vec::with_capacity(self.rows.len());
        let mut ends = Vec::with_capacity(self.rows.len() * width);
        let mut key = Vec::new();
        for row in 0..count {
            cx.check_interrupt()?;
            key.clear();
            for part in &pass.keys {
                let value = self.eval(row, &part.expr, cx)?;
                sort_key(&value, &part.expr.ty, part.desc, &mut key);
                ends.push(key.len() as u32);
            }
            self.hold(key.len() + KEY_BYTES, cx)?;
            keys.push(Box::from(&key[..]));
        }
        let mut order: Vec<u32> = (0..count).collect();
        if width > 0 {
            order = slices::sort(order, cx, |&a, &b| keys[a as usize].cmp(&keys[b as usize]))?;
        }
        Ok(Sorted { order, keys, ends, width })
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
        e.eval(cx)
    }
}
