//! Window functions that are no aggregates.

use super::frame::Frames;
use super::{Partition, WindowRows, ranks};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{Class, Expr, Kind};
use crate::plan::window::{WindowCall, WindowFunction, WindowPass};
use types::Value;
use types::convert::{to_double, to_integer};

impl WindowRows<'_> {
    /// The function's value for each row of a partition.
    pub(super) fn values(
        &mut self,
        pass: &WindowPass,
        call: &WindowCall,
        partition: &Partition<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Value>, SqlError> {
        let count = partition.rows.len();
        match &call.function {
            WindowFunction::RowNumber | WindowFunction::Rank | WindowFunction::DenseRank => {
                Ok(ranks::of_partition(&call.function, partition))
            }
            WindowFunction::PercentRank => Ok(by_peers(partition, |first, _| {
                Value::Double(if count > 1 { first as f64 / (count - 1) as f64 } else { 0.0 })
            })),
            WindowFunction::CumeDist => {
                Ok(by_peers(partition, |_, end| Value::Double(end as f64 / count as f64)))
            }
            WindowFunction::Ntile => self.ntile(call, partition, cx),
            WindowFunction::Lag => self.shifted(call, partition, -1, cx),
            WindowFunction::Lead => self.shifted(call, partition, 1, cx),
            WindowFunction::FirstValue | WindowFunction::LastValue | WindowFunction::NthValue => {
                let frames = Frames::new(self, pass, call, partition, cx)?;
                self.of_frame(call, &frames, partition, cx)
            }
            WindowFunction::PercentileCont | WindowFunction::PercentileDisc => {
                self.percentile(call, partition, cx)
            }
            WindowFunction::Aggregate(_) => Err(SqlError::internal_error("compute window function")),
        }
    }

    fn ntile(
        &mut self,
        call: &WindowCall,
        partition: &Partition<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Value>, SqlError> {
        let count = partition.rows.len() as i128;
        let mut tiles_before = None;
        let mut results = Vec::with_capacity(partition.rows.len());
        for (at, &row) in partition.rows.iter().enumerate() {
            cx.check_interrupt()?;
            let tiles = self.eval(row, &call.args[0], cx)?;
            let tiles = if tiles.is_null() { 0 } else { to_integer(&tiles).value };
            if tiles <= 0 || tiles_before.replace(tiles).is_some_and(|before| before != tiles) {
                return Err(SqlError::invalid_ntile_argument());
            }
            let (size, larger, at) = (count / tiles, count % tiles, at as i128);
            let tile = match at < larger * (size + 1) {
                true => at / (size + 1) + 1,
                false => (at - larger) / size + 1,
            };
            results.push(Value::Int(tile as i64));
        }
        Ok(results)
    }

    /// An argument of a partition's rows: it is computed for all of them, but what asks a subquery alone, and no row, or
    /// stands beside one in a row of aggregates, only for those that are looked at.
    fn seen<'r>(
        &mut self,
        argument: &'r Expr,
        partition: &Partition<'r>,
        cx: &mut Cx<'_>,
    ) -> Result<Seen<'r>, SqlError> {
        let count = partition.rows.len();
        let mut seen = Seen { argument, rows: partition.rows, values: vec![None; count] };
        // What is no column's is computed where it is shown.
        let mut reads_row = false;
        argument.visit(&mut |e| match &e.kind {
            Kind::Column(_) => reads_row = true,
            Kind::Subquery(subquery) => reads_row |= subquery.correlated,
            _ => {}
        });
        let shown = argument.has_subquery() && (!reads_row || count == 1) || argument.is_same_in_all_rows();
        for at in 0..if shown { 0 } else { count } {
            cx.check_interrupt()?;
            seen.value(Some(at), self, cx)?;
        }
        Ok(seen)
    }

    /// LAG and LEAD: the value of the row so many rows in `direction`.
    fn shifted(
        &mut self,
        call: &WindowCall,
        partition: &Partition<'_>,
        direction: i128,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Value>, SqlError> {
        let mut values = self.seen(&call.args[0], partition, cx)?;
        let mut results = Vec::with_capacity(partition.rows.len());
        for (at, &row) in partition.rows.iter().enumerate() {
            cx.check_interrupt()?;
            let distance = match call.args.get(1) {
                None => 1,
                Some(e) => to_integer(&self.eval(row, e, cx)?).value,
            };
            let other = usize::try_from(at as i128 + direction * distance).ok();
            results.push(values.value(other, self, cx)?);
        }
        Ok(results)
    }

    /// FIRST_VALUE, LAST_VALUE, NTH_VALUE.
    fn of_frame(
        &mut self,
        call: &WindowCall,
        frames: &Frames,
        partition: &Partition<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Value>, SqlError> {
        let mut values = self.seen(&call.args[0], partition, cx)?;
        let mut results = Vec::with_capacity(partition.rows.len());
        for (at, &row) in partition.rows.iter().enumerate() {
            cx.check_interrupt()?;
            let frame = frames.of(at);
            let wanted = match call.function {
                WindowFunction::FirstValue => Some(frame.start),
                WindowFunction::LastValue => frame.end.checked_sub(1),
                _ => {
                    let nth = self.eval(row, &call.args[1], cx)?;
                    // NULL is the first one.
                    let nth = if nth.is_null() { 1 } else { to_integer(&nth).value };
                    usize::try_from(nth - 1).ok().and_then(|n| frame.start.checked_add(n))
                }
            };
            results.push(values.value(wanted.filter(|at| frame.contains(at)), self, cx)?);
        }
        Ok(results)
    }

    fn percentile(
        &mut self,
        call: &WindowCall,
        partition: &Partition<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Value>, SqlError> {
        let continuous = matches!(call.function, WindowFunction::PercentileCont);
        let name = if continuous { "percentile_cont" } else { "percentile_disc" };
        let mut fraction = None;
        let mut known = Vec::with_capacity(partition.rows.len());
        for &row in partition.rows {
            cx.check_interrupt()?;
            // The range is checked of rows without a value, too; there NULL is in it.
            let wanted = self.eval(row, &call.args[0], cx)?;
            let at = to_double(&wanted).value;
            if !(0.0..=1.0).contains(&at) {
                return Err(SqlError::percentile_out_of_range(name));
            }
            let value = self.eval(row, &call.args[1], cx)?;
            // A constant that is no date or time is NULL, though it compares as zero.
            let of = &call.args[1];
            let constant = of.ty.class() == Class::Temporal && of.is_put_aside_nowhere();
            if value.is_null() || constant && of.eval(cx)?.is_null() {
                continue;
            }
            known.push(value);
            if wanted.is_null() {
                return Err(SqlError::percentile_argument_type(name));
            }
            if fraction.replace(at).is_some_and(|before| before != at) {
                return Err(SqlError::argument_not_constant(name));
            }
        }
        let fraction = fraction.unwrap_or_default();
        let result = match known.len() {
            0 => Value::Null,
            n if continuous => {
                // Counted from one, as MariaDB does: the last digits depend on it.
                let at = 1.0 + fraction * (n - 1) as f64;
                let (low, high) = (at.floor(), at.ceil());
                let nth = |at: f64| to_double(&known[at as usize - 1]).value;
                let (first, second) = (nth(low), nth(high));
                Value::Double(if low == high { first } else { (at - low) * second + (high - at) * first })
            }
            n => {
                let at = (fraction * n as f64).ceil() as usize;
                known.swap_remove(at.saturating_sub(1).min(n - 1))
            }
        };
        Ok(vec![result; partition.rows.len()])
    }
}

/// A value for each stretch of peers, by where it starts and ends.
fn by_peers(partition: &Partition<'_>, value: impl Fn(usize, usize) -> Value) -> Vec<Value> {
    let mut results = Vec::with_capacity(partition.rows.len());
    let mut start = 0;
    for &end in &partition.peers {
        results.resize(end, value(start, end));
        start = end;
    }
    results
}

/// An argument's value in the rows of a partition that were looked at.
struct Seen<'p> {
    argument: &'p Expr,
    rows: &'p [u32],
    values: Vec<Option<Value>>,
}

impl Seen<'_> {
    /// The value in a row of the partition; NULL where there is no such row.
    fn value(
        &mut self,
        at: Option<usize>,
        window: &mut WindowRows<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Value, SqlError> {
        let Some((at, &row)) = at.and_then(|at| Some((at, self.rows.get(at)?))) else {
            return Ok(Value::Null);
        };
        if let Some(known) = &self.values[at] {
            return Ok(known.clone());
        }
        let value = window.eval(row, self.argument, cx)?;
        self.values[at] = Some(value.clone());
        Ok(value)
    }
}
