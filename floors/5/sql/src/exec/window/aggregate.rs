//! Aggregates over frames.
//!
//! Frames that all start with the partition grow only. Where frames slide, sums and counts take rows out again, the
//! smallest and greatest values stand in a queue of candidates; what can do neither is computed anew for each row.

use super::frame::Frames;
use super::{Partition, WindowRows};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::aggregate::{Accumulator, kept_apart};
use crate::expr::{Class, Expr, operand, sort_key, store};
use crate::plan::AggregateCall;
use crate::syntax::ast::AggregateKind;
use std::collections::VecDeque;
use types::Value;

impl WindowRows<'_> {
    /// The aggregate's value for each row of a partition.
    pub(super) fn aggregate(
        &mut self,
        call: &AggregateCall,
        frames: &Frames,
        partition: &Partition<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Vec<Value>, SqlError> {
        let mut args = Vec::with_capacity(partition.rows.len());
        for &row in partition.rows {
            cx.check_interrupt()?;
            if call.counts_rows() {
                args.push(vec![Value::Int(1); call.args.len()]);
                continue;
            }
            let mut values = Vec::with_capacity(call.args.len());
            for e in &call.args {
                if (call.reckons() || call.kind == AggregateKind::Count) && e.is_put_aside_nowhere() {
                    // It is what it would be without a window.
                    values.push(Accumulator::argument(call, e, cx)?);
                    continue;
                }
                let mut value = self.eval(row, e, cx)?;
                if value.is_temporal() && e.ty.class() == Class::Str {
                    // A date that is text was put aside as such.
                    value = store::to_type(value, &e.ty, cx.state);
                }
                if call.reckons() && is_empty_aside(&value, e) {
                    values.push(Value::Int(0));
                    continue;
                }
                values.push(match &value {
                    Value::Null => value,
                    _ if call.kind.is_of_bits() => {
                        let value = operand::unpadded(value, e, cx.state);
                        Value::UInt(operand::integer_of(&value, cx.state) as u64)
                    }
                    _ if call.reckons() => operand::unpadded(value, e, cx.state),
                    _ => value,
                });
            }
            args.push(values);
        }
        if frames.growing {
            return growing(call, frames, &args, cx);
        }
        match (call.kind, Accumulator::sliding(call)) {
            (_, Some(sliding)) => slide(call, sliding, frames, &args, cx),
            (AggregateKind::Min | AggregateKind::Max, None) => best(call, frames, &args, cx),
            (_, None) => anew(call, frames, &args, cx),
        }
    }
}

fn growing(
    call: &AggregateCall,
    frames: &Frames,
    args: &[Vec<Value>],
    cx: &mut Cx<'_>,
) -> Result<Vec<Value>, SqlError> {
    let mut accumulator = Accumulator::new(call);
    let mut results: Vec<Value> = Vec::with_capacity(args.len());
    let mut added = 0;
    for at in 0..args.len() {
        cx.check_interrupt()?;
        let end = frames.of(at).end;
        if end > added || at == 0 {
            for values in &args[added..end] {
                cx.check_interrupt()?;
                accumulator.add_values(call, values.clone(), cx)?;
            }
            added = end;
            results.push(accumulator.value(call, cx)?);
        } else {
            results.push(results[at - 1].clone());
        }
    }
    cx.release(accumulator.held());
    Ok(results)
}

fn slide(
    call: &AggregateCall,
    mut accumulator: Accumulator,
    frames: &Frames,
    args: &[Vec<Value>],
    cx: &mut Cx<'_>,
) -> Result<Vec<Value>, SqlError> {
    let mut results = Vec::with_capacity(args.len());
    let (mut taken, mut added) = (0, 0);
    for at in 0..args.len() {
        cx.check_interrupt()?;
        let frame = frames.of(at);
        while taken < frame.start.min(added) {
            accumulator.remove_values(&args[taken]);
            taken += 1;
        }
        if frame.start > added {
            // Rows that no frame has from here on are left out altogether.
            (taken, added) = (frame.start, frame.start);
        }
        while added < frame.end {
            cx.check_interrupt()?;
            accumulator.add_values(call, args[added].clone(), cx)?;
            added += 1;
        }
        results.push(match frame.is_empty() {
            true => Accumulator::new(call).value(call, cx)?,
            false => accumulator.value(call, cx)?,
        });
    }
    Ok(results)
}

/// MIN and MAX: candidates from the frame, each better than all behind it.
fn best(
    call: &AggregateCall,
    frames: &Frames,
    args: &[Vec<Value>],
    cx: &mut Cx<'_>,
) -> Result<Vec<Value>, SqlError> {
    let mut candidates: VecDeque<(usize, Vec<u8>)> = VecDeque::new();
    let mut results = Vec::with_capacity(args.len());
    let mut added = 0;
    for at in 0..args.len() {
        cx.check_interrupt()?;
        let frame = frames.of(at);
        while added < frame.end {
            cx.check_interrupt()?;
            let value = &args[added][0];
            if !value.is_null() {
                let mut key = Vec::new();
                let descending = call.kind == AggregateKind::Max;
                match value {
                    // Labels compare as text.
                    Value::Enum(_) | Value::Set(_) => {
                        let text = store::to_type(value.clone(), &call.ty, cx.state);
                        sort_key(&text, &call.ty, descending, &mut key);
                    }
                    _ => sort_key(value, &call.args[0].ty, descending, &mut key),
                }
                while candidates.back().is_some_and(|(_, last)| *last > key) {
                    candidates.pop_back();
                }
                candidates.push_back((added, key));
            }
            added += 1;
        }
        while candidates.front().is_some_and(|(first, _)| *first < frame.start) {
            candidates.pop_front();
        }
        let found = candidates.front().filter(|_| !frame.is_empty());
        results.push(found.map_or(Value::Null, |(row, _)| args[*row][0].clone()));
    }
    Ok(results)
}

fn anew(
    call: &AggregateCall,
    frames: &Frames,
    args: &[Vec<Value>],
    cx: &mut Cx<'_>,
) -> Result<Vec<Value>, SqlError> {
    let mut results = Vec::with_capacity(args.len());
    for at in 0..args.len() {
        let mut accumulator = Accumulator::new(call);
        for values in args.get(frames.of(at)).unwrap_or_default() {
            cx.check_interrupt()?;
            accumulator.add_values(call, values.clone(), cx)?;
        }
        results.push(accumulator.value(call, cx)?);
        cx.release(accumulator.held());
    }
    Ok(results)
}

/// Whether a text is empty in a column that keeps its texts elsewhere: nothing is read as a number there, and nothing said.
fn is_empty_aside(value: &Value, e: &Expr) -> bool {
    matches!(value, Value::Str(s) if s.bytes.is_empty()) && kept_apart(e)
}
