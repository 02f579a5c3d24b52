//! Window functions: a pass sorts the rows, parts them, and computes its functions over one partition after the other;
//! the rows go on to the next pass, the last one hands them out.
//!
//! | module | what |
//! | --- | --- |
//! | `frame` | which rows a frame holds, for each row of a partition |
//! | `aggregate` | aggregates over frames |
//! | `ranks` | what follows from the row before |
//! | `firsts` | which rows the first ranks can go to |
//! | `value` | everything else |
//!
//! A row is kept as the values of the slots that somebody reads later, and its number in the order it came, which settles
//! ties in every pass. Sorts go on in files where they have no room; of the rows themselves no more than a partition is in
//! memory at once (one without room is error 1290).

mod aggregate;
mod firsts;
mod frame;
mod ranks;
mod value;

use super::memory::row_bytes;
use super::query::key_failed;
use super::sort::{InOrder, KeyedRow, Sorter};
use super::{Cx, Flow, Next};
use crate::error::SqlError;
use crate::expr::aggregate::shown_year;
use crate::expr::{Class, Expr, Kind, Type, TypeKind, build::FREE_DECIMALS, operand, sort_key};
use crate::plan::window::{WindowCall, WindowFunction, WindowPass, Windows};
use firsts::Firsts;
use frame::Frames;
use types::decimal::Rounding;
use types::value::BitValue;
use types::{Date, DateTime, Value};

/// The rows of one run of a SELECT block with window functions.
pub struct WindowRows<'p> {
    windows: &'p Windows,
    level: u32,
    width: usize,
    /// Where the value of each slot of the frame stands in a kept row.
    places: Vec<usize>,
    /// Rows for the first pass.
    first: Sorter<'p>,
    /// Which of them can be among those asked for.
    firsts: Option<Firsts<'p>>,
    /// Rows that came.
    count: u64,
    /// The partition under way.
    gathered: Gathered,
    /// Bytes counted as held for it.
    held: usize,
    /// The row that is on its way to a pass: its values, its record, and where the keys end in that.
    row: Vec<Value>,
    key: Vec<u8>,
    ends: Vec<u8>,
}

/// The rows of a partition in order, each behind the one before.
#[derive(Default)]
struct Gathered {
    values: Vec<Value>,
    /// Values a row: those of its slots, and its number.
    stride: usize,
    /// Of each row its keys, its number, and where each key ends.
    records: Vec<u8>,
    /// Where the records end.
    ends: Vec<usize>,
    /// Keys a row.
    keys: usize,
}

/// The bytes of the first `n` of `width` keys in a record.
fn leading(record: &[u8], n: usize, width: usize) -> &[u8] {
    // No slice of nowhere: comparing those takes some cores hundreds of cycles, in loads that they suppress.
    let Some(at) = n.checked_sub(1) else { return &record[..0] };
    let ends = record.len() - 4 * width;
    let end = record[ends + 4 * at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    &record[..end as usize]
}

impl Gathered {
    /// Lets the rows go; their memory serves those of a pass.
    fn clear(&mut self, pass: &WindowPass) {
        self.values.clear();
        self.records.clear();
        self.ends.clear();
        self.keys = pass.keys.len();
    }

    /// Adds a row, which is empty then.
    fn push(&mut self, record: &[u8], row: &mut Vec<Value>) {
        self.values.append(row);
        self.records.extend_from_slice(record);
        self.ends.push(self.records.len());
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn row(&self, at: usize) -> &[Value] {
        &self.values[at * self.stride..(at + 1) * self.stride]
    }

    /// A row's first `n` keys.
    fn key(&self, at: usize, n: usize) -> &[u8] {
        let from = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        leading(&self.records[from..self.ends[at]], n, self.keys)
    }

    /// The stretches of rows whose first `n` keys are equal, by their ends.
    fn stretches(&self, rows: &[u32], n: usize, cx: &mut Cx<'_>) -> Result<Vec<usize>, SqlError> {
        let mut ends = Vec::new();
        let key = |at: usize| self.key(rows[at] as usize, n);
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
    pub fn new(windows: &'p Windows, level: u32, width: usize, cx: &mut Cx<'_>) -> Result<Self, SqlError> {
        let mut places = vec![0; width];
        for (place, &slot) in windows.slots.iter().enumerate() {
            places[slot as usize] = place;
        }
        Ok(Self {
            windows,
            level,
            width,
            places,
            first: Sorter::new(&[], None),
            firsts: Firsts::of(windows, cx)?,
            count: 0,
            gathered: Gathered { stride: windows.slots.len() + 1, ..Gathered::default() },
            held: 0,
            row: Vec::new(),
            key: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// Keeps the row in the frame, if it can be among those asked for.
    pub fn push(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let number = self.count;
        self.count += 1;
        self.make_record(self.windows.passes.first(), number, cx)?;
        if let Some(firsts) = &mut self.firsts
            && !firsts.take(&self.key, cx)?
        {
            return Ok(());
        }
        let frame = cx.frame_mut(self.level, self.width);
        self.row.clear();
        self.row.extend(self.windows.slots.iter().map(|&slot| frame[slot as usize].clone()));
        self.row.push(Value::UInt(number));
        self.first.push_keyed(cx, &self.key, &self.row)
    }

    /// Makes the record of the row in the frame for a pass.
    fn make_record(
        &mut self,
        pass: Option<&WindowPass>,
        number: u64,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let keys = pass.map_or(&[][..], |pass| &pass.keys);
        self.ends.clear();
        self.key.clear();
        for part in keys {
            // Orders ask subqueries though there be no row.
            let rowless = cx.rowless.take();
            let value = part.expr.eval(cx).map_err(|error| key_failed(error, keys, cx));
            cx.rowless = rowless;
            let value = part.expr.laid_aside(value?, cx.state);
            sort_key(&value, &part.expr.ty, part.desc, &mut self.key);
            self.ends.extend_from_slice(&(self.key.len() as u32).to_le_bytes());
        }
        self.key.extend_from_slice(&number.to_be_bytes());
        self.key.extend_from_slice(&self.ends);
        Ok(())
    }

    /// Computes all functions, then calls `next` once a row, with the row and its results in the frame.
    pub fn finish(mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let mut sorter = std::mem::replace(&mut self.first, Sorter::new(&[], None));
        if let Some(firsts) = self.firsts.take() {
            firsts.release(cx);
        }
        let windows = self.windows;
        for (at, pass) in windows.passes.iter().enumerate() {
            let mut rows = sorter.into_sorted(cx)?;
            let following = windows.passes.get(at + 1);
            sorter = Sorter::new(&[], None);
            if ranks::are_enough_for(pass) {
                if self.rank(pass, &mut rows, following.map(|pass| (pass, &mut sorter)), cx, next)?
                    == Flow::Stop
                {
                    rows.release(cx);
                    return Ok(Flow::Stop);
                }
                continue;
            }
            let mut ahead = rows.take(cx)?;
            while let Some(first) = ahead.take() {
                ahead = self.gather(pass, first, &mut rows, cx)?;
                self.run_pass(pass, following.is_some(), cx)?;
                let flow = match following {
                    Some(following) => {
                        self.pass_on(following, &mut sorter, cx)?;
                        Flow::Continue
                    }
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
    /// than its widest. Gives the first row behind it.
    fn gather(
        &mut self,
        pass: &WindowPass,
        first: KeyedRow,
        rows: &mut InOrder,
        cx: &mut Cx<'_>,
    ) -> Result<Option<KeyedRow>, SqlError> {
        let parting = pass.calls.iter().map(|call| call.partition).min().unwrap_or(0);
        self.gathered.clear(pass);
        let (record, mut row) = first;
        self.hold(&record, &mut row, cx)?;
        while let Some((record, row)) = rows.next(cx)? {
            if self.gathered.key(0, parting) != leading(record, parting, self.gathered.keys) {
                return Ok(Some((record.into(), std::mem::take(row))));
            }
            self.hold(record, row, cx)?;
        }
        Ok(None)
    }

    /// Adds a row to the partition.
    fn hold(&mut self, record: &[u8], row: &mut Vec<Value>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let bytes = record.len() + row_bytes(row) + size_of::<usize>();
        self.held += bytes;
        cx.charge(bytes)?;
        self.gathered.push(record, row);
        Ok(())
    }

    /// Gives the rows of the partition to the next pass.
    fn pass_on(
        &mut self,
        pass: &WindowPass,
        sorter: &mut Sorter<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let mut values = std::mem::take(&mut self.gathered.values);
        for row in values.chunks_exact_mut(self.gathered.stride) {
            cx.check_interrupt()?;
            self.pass_row_on(pass, row, sorter, cx)?;
        }
        self.gathered.values = values;
        Ok(())
    }

    /// Gives a row to the next pass.
    fn pass_row_on(
        &mut self,
        pass: &WindowPass,
        row: &mut [Value],
        sorter: &mut Sorter<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let Some(&Value::UInt(number)) = row.last() else {
            return Err(SqlError::internal_error("read a window's row"));
        };
        self.swap_with_frame(row, cx);
        self.make_record(Some(pass), number, cx)?;
        self.swap_with_frame(row, cx);
        sorter.push_keyed(cx, &self.key, row)
    }

    /// Puts a row into the frame, and what was there in its place.
    fn swap_with_frame(&self, row: &mut [Value], cx: &mut Cx<'_>) {
        let frame = cx.frame_mut(self.level, self.width);
        for (&slot, value) in self.windows.slots.iter().zip(row) {
            std::mem::swap(&mut frame[slot as usize], value);
        }
    }

    /// Hands the rows of the partition out.
    fn hand_out(&mut self, cx: &mut Cx<'_>, next: Next<'_>) -> Result<Flow, SqlError> {
        let mut values = std::mem::take(&mut self.gathered.values);
        for row in values.chunks_exact_mut(self.gathered.stride) {
            cx.check_interrupt()?;
            self.swap_with_frame(row, cx);
            if next(cx)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        self.gathered.values = values;
        Ok(Flow::Continue)
    }

    fn put_in_frame(&self, at: usize, cx: &mut Cx<'_>) {
        let frame = cx.frame_mut(self.level, self.width);
        for (&slot, value) in self.windows.slots.iter().zip(self.gathered.row(at)) {
            frame[slot as usize].clone_from(value);
        }
    }

    /// Computes the functions of a pass over the rows in memory; MariaDB reckons with those of the last one before it puts
    /// them into its table.
    fn run_pass(&mut self, pass: &WindowPass, rounds: bool, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let order: Vec<u32> = (0..self.gathered.len()).map(|at| at as u32).collect();
        for call in &pass.calls {
            let mut start = 0;
            for end in self.gathered.stretches(&order, call.partition, cx)? {
                let rows = &order[start..end];
                let partition = Partition { rows, peers: self.gathered.stretches(rows, call.order, cx)? };
                let results = self.compute(pass, call, &partition, cx)?;
                let (place, stride) = (self.places[call.slot as usize], self.gathered.stride);
                for (&row, result) in rows.iter().zip(results) {
                    self.gathered.values[row as usize * stride + place] = kept(result, &call.ty, rounds);
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
                return Ok(self.gathered.row(row as usize)[self.places[slot.index as usize]].clone());
            }
            _ => {}
        }
        self.put_in_frame(row as usize, cx);
        let said = cx.state.diagnostics.entries.len();
        let counted = std::mem::replace(&mut cx.state.statement.row, u64::from(row) + 1);
        // What is the same in all rows is put aside in no column: of dates it is compared, where what is none is zero.
        let value = match e.ty.class() {
            Class::Temporal if e.is_put_aside_nowhere() => {
                operand::comparable(cx, e).map(|value| match value {
                    Value::Date(_) if operand::is_refused(&value, cx.state) => Value::Date(Date::ZERO),
                    Value::DateTime(_, digits) if operand::is_refused(&value, cx.state) => {
                        Value::DateTime(DateTime::ZERO, digits)
                    }
                    value => value,
                })
            }
            _ => e.eval(cx),
        };
        cx.state.statement.row = counted;
        cx.state.diagnostics.forget_repeated(said);
        Ok(e.laid_aside(value?, cx.state))
    }
}

/// A result as the column of MariaDB's temporary table keeps it: a number of the digits that its type has where it
/// `rounds`, bits as such.
fn kept(result: Value, ty: &Type, rounds: bool) -> Value {
    match result {
        Value::Double(n) if rounds && ty.decimals < FREE_DECIMALS => {
            Value::Double(types::convert::of_digits(n, ty.decimals))
        }
        Value::Float(n) if ty.kind == TypeKind::Double => Value::Double(f64::from(n)),
        Value::Decimal(d) if rounds => Value::Decimal(d.round(i32::from(ty.decimals), Rounding::HalfUp)),
        Value::Int(_) | Value::UInt(_) if ty.kind == TypeKind::Bit => Value::Bit(BitValue {
            bits: types::convert::to_integer(&result).value as u64,
            width: ty.length.clamp(1, 64) as u8,
        }),
        result => shown_year(result),
    }
}
