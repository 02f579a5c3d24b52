//! Frames: for each row of a partition, where its frame starts and ends.
//!
//! Starts and ends never go back from one row to the next, whatever the bounds: aggregates slide over them.

use super::{Partition, WindowRows};
use crate::error::SqlError;
use crate::exec::Cx;
use crate::expr::{Class, Expr};
use crate::plan::window::{FrameEnd, WindowCall, WindowPass};
use std::cmp::Ordering;
use std::ops::Range;
use types::convert::{to_decimal, to_double, to_integer};
use types::decimal::Rounding;
use types::{Decimal, Value};

/// The frames of a partition's rows, as stretches of the partition.
pub struct Frames {
    ranges: Vec<Range<usize>>,
    /// All start where the partition starts.
    pub growing: bool,
}

impl Frames {
    /// The frames of a call over a partition.
    pub fn new(
        rows: &mut WindowRows<'_>,
        pass: &WindowPass,
        call: &WindowCall,
        partition: &Partition<'_>,
        cx: &mut Cx<'_>,
    ) -> Result<Self, SqlError> {
        let count = partition.rows.len();
        let frame = &call.frame;
        let starts = match &frame.start {
            FrameEnd::Unbounded => vec![0; count],
            end if frame.rows => row_bounds(end, false, count, cx)?,
            FrameEnd::Current => peer_bounds(partition, false),
            end => Distances::new(rows, pass, call, partition, end, cx)?.bounds(partition, false, cx)?,
        };
        let ends = match &frame.end {
            FrameEnd::Unbounded => vec![count; count],
            end if frame.rows => row_bounds(end, true, count, cx)?,
            FrameEnd::Current => peer_bounds(partition, true),
            end => Distances::new(rows, pass, call, partition, end, cx)?.bounds(partition, true, cx)?,
        };
        let ranges = starts.into_iter().zip(ends).map(|(start, end)| start..end).collect();
        Ok(Self { ranges, growing: matches!(frame.start, FrameEnd::Unbounded) })
    }

    /// The frame of the row at a position of the partition; empty where it ends before it starts.
    pub fn of(&self, at: usize) -> Range<usize> {
        self.ranges[at].clone()
    }
}

/// Bounds that count rows: of starts, or with `end` of ends (exclusive).
fn row_bounds(bound: &FrameEnd, end: bool, count: usize, cx: &mut Cx<'_>) -> Result<Vec<usize>, SqlError> {
    let mut distance = |e: &Expr| -> Result<usize, SqlError> {
        let n = to_integer(&e.eval(cx)?).value;
        Ok(usize::try_from(n.max(0)).unwrap_or(usize::MAX))
    };
    let (back, on) = match bound {
        FrameEnd::Preceding(e) => (distance(e)?, 0),
        FrameEnd::Following(e) => (0, distance(e)?),
        FrameEnd::Current | FrameEnd::Unbounded => (0, 0),
    };
    let bound = |at: usize| (at + usize::from(end)).saturating_sub(back).saturating_add(on).min(count);
    Ok((0..count).map(bound).collect())
}

/// Where the peers of each row start, or with `end` end.
fn peer_bounds(partition: &Partition<'_>, end: bool) -> Vec<usize> {
    let mut bounds = Vec::with_capacity(partition.rows.len());
    let mut start = 0;
    for &stop in &partition.peers {
        bounds.resize(stop, if end { stop } else { start });
        start = stop;
    }
    bounds
}

/// The sort key of each row as a number, and the distance to go from it.
struct Distances {
    keys: Vec<Number>,
    distance: Number,
    descending: bool,
    /// The key is an integer and the distance is not: MariaDB rounds where it leads.
    rounds: bool,
}

/// Numbers of one class.
#[derive(Clone)]
enum Number {
    Null,
    Int(i128),
    Decimal(Decimal),
    Real(f64),
}

impl Number {
    fn of(value: &Value, class: Class) -> Self {
        match class {
            _ if value.is_null() => Self::Null,
            Class::Int => Self::Int(to_integer(value).value),
            Class::Decimal => Self::Decimal(to_decimal(value).value),
            _ => Self::Real(to_double(value).value),
        }
    }

    fn plus(&self, other: &Self, negated: bool) -> Self {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Self::Int(if negated { a - b } else { a + b }),
            (Self::Real(a), Self::Real(b)) => Self::Real(if negated { a - b } else { a + b }),
            (Self::Decimal(a), Self::Decimal(b)) => {
                // Beyond all digits there is no other key.
                let sum = if negated { a.sub(b) } else { a.add(b) };
                Self::Decimal(sum.unwrap_or(*a))
            }
            _ => Self::Null,
        }
    }

    fn rounded(self) -> Self {
        match self {
            Self::Decimal(d) => Self::Decimal(d.round(0, Rounding::HalfUp)),
            Self::Real(n) => Self::Real(n.round()),
            other => other,
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Decimal(a), Self::Decimal(b)) => a.cmp_value(b),
            (Self::Real(a), Self::Real(b)) => a.total_cmp(b),
            _ => Ordering::Equal,
        }
    }
}

impl Distances {
    fn new(
        rows: &mut WindowRows<'_>,
        pass: &WindowPass,
        call: &WindowCall,
        partition: &Partition<'_>,
        bound: &FrameEnd,
        cx: &mut Cx<'_>,
    ) -> Result<Self, SqlError> {
        let (FrameEnd::Preceding(e) | FrameEnd::Following(e)) = bound else {
            return Err(SqlError::internal_error("find a frame's bound"));
        };
        let key = &pass.keys[call.partition];
        let class = match (key.expr.ty.class(), e.ty.class()) {
            (Class::Int, Class::Int) => Class::Int,
            (Class::Real, _) | (_, Class::Real) => Class::Real,
            _ => Class::Decimal,
        };
        let back = matches!(bound, FrameEnd::Preceding(_));
        let zero = Number::of(&Value::Int(0), class);
        let distance = zero.plus(&Number::of(&e.eval(cx)?, class), back != key.desc);
        let mut keys = Vec::with_capacity(partition.rows.len());
        for &row in partition.rows {
            cx.check_interrupt()?;
            keys.push(Number::of(&rows.eval(row, &key.expr, cx)?, class));
        }
        let rounds = key.expr.ty.class() == Class::Int && class != Class::Int;
        Ok(Self { keys, distance, descending: key.desc, rounds })
    }

    /// Where keys at least (starts) or at most (ends) so far away begin or end; NULLs have but their peers.
    fn bounds(&self, partition: &Partition<'_>, end: bool, cx: &mut Cx<'_>) -> Result<Vec<usize>, SqlError> {
        let peers = peer_bounds(partition, end);
        let is_null = |key: &Number| matches!(key, Number::Null);
        let first = match self.descending {
            true => 0,
            false => self.keys.partition_point(is_null),
        };
        let last = match self.descending {
            true => self.keys.partition_point(|key| !is_null(key)),
            false => self.keys.len(),
        };
        let known = &self.keys[first..last];
        let bound = |(at, key): (usize, &Number)| {
            if is_null(key) {
                return peers[at];
            }
            let target = key.plus(&self.distance, false);
            let target = if self.rounds { target.rounded() } else { target };
            let before = |other: &Number| {
                let ordering = other.compare(&target);
                let ordering = if self.descending { ordering.reverse() } else { ordering };
                if end { ordering.is_le() } else { ordering.is_lt() }
            };
            first + known.partition_point(before)
        };
        let mut bounds = Vec::with_capacity(self.keys.len());
        for of in self.keys.iter().enumerate() {
            cx.check_interrupt()?;
            bounds.push(bound(of));
        }
        Ok(bounds)
    }
}
