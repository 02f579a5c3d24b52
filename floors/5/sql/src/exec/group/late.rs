//! What aggregates keep of every row, once it has no room: it goes to sorts by group, and comes back group by group when
//! the values are wanted.
//!
//! ```text
//! DISTINCT:  group (4), aggregate (2), length of key (4), key, arrival (8)  -> first of each key ->
//! all:       group (4), aggregate (2), ORDER BY of the call, arrival (8)    -> the aggregate, value by value
//! ```
//!
//! A value keeps its place among the group's: the result is that of memory without end, to the last digit.

use crate::error::SqlError;
use crate::exec::Cx;
use crate::exec::sort::{InOrder, KeyedRow, Sorter};
use crate::expr::aggregate::{Accumulator, Addition, Joiner, Kept};
use crate::plan::AggregateCall;
use types::{CollationId, StrValue, Value};

/// Where the head of a record's key ends: group and aggregate.
const HEAD: usize = 6;
const ARRIVAL: usize = 8;

/// Values on their way to their aggregates.
pub(super) struct Late {
    /// Values to be told apart. The row: ORDER BY of the call, then the values; no row for what was added before.
    distinct: Sorter<'static>,
    /// Values in the order in which they are added.
    ordered: Sorter<'static>,
    arrivals: u64,
}

impl Default for Late {
    fn default() -> Self {
        Self { distinct: Sorter::new(&[], None), ordered: Sorter::new(&[], None), arrivals: 0 }
    }
}

fn head(position: usize, at: usize) -> Vec<u8> {
    let mut key = (position as u32).to_be_bytes().to_vec();
    key.extend_from_slice(&(at as u16).to_be_bytes());
    key
}

fn bytes(value: &[u8]) -> Value {
    Value::Str(StrValue::new(value, CollationId::BINARY))
}

impl Late {
    /// Takes what an aggregate has kept so far.
    pub(super) fn unload(
        &mut self,
        (position, at): (usize, usize),
        call: &AggregateCall,
        accumulator: &mut Accumulator,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        for kept in accumulator.unload(call) {
            cx.check_interrupt()?;
            match kept {
                Kept::Seen(key) => self.push_distinct(position, at, &key, 0, Vec::new(), cx)?,
                Kept::Text(order, text) => {
                    self.arrivals += 1;
                    self.push_ordered(position, at, &order, self.arrivals, vec![bytes(&text)], cx)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the row in the frames.
    pub(super) fn add(
        &mut self,
        position: usize,
        at: usize,
        call: &AggregateCall,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let Some(Addition { distinct, order, mut values }) = Accumulator::addition(call, cx)? else {
            return Ok(());
        };
        self.arrivals += 1;
        match distinct {
            Some(key) => {
                values.insert(0, bytes(&order));
                self.push_distinct(position, at, &key, self.arrivals, values, cx)
            }
            None => self.push_ordered(position, at, &order, self.arrivals, values, cx),
        }
    }

    fn push_distinct(
        &mut self,
        position: usize,
        at: usize,
        key: &[u8],
        arrival: u64,
        row: Vec<Value>,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let mut record = head(position, at);
        record.extend_from_slice(&(key.len() as u32).to_be_bytes());
        record.extend_from_slice(key);
        record.extend_from_slice(&arrival.to_be_bytes());
        self.distinct.push_keyed(cx, &record, &row)
    }

    fn push_ordered(
        &mut self,
        position: usize,
        at: usize,
        order: &[u8],
        arrival: u64,
        row: Vec<Value>,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let mut record = head(position, at);
        record.extend_from_slice(order);
        record.extend_from_slice(&arrival.to_be_bytes());
        self.ordered.push_keyed(cx, &record, &row)
    }

    /// All values have come.
    pub(super) fn finish(mut self, cx: &mut Cx<'_>) -> Result<Values, SqlError> {
        let distinct = std::mem::replace(&mut self.distinct, Sorter::new(&[], None));
        let mut distinct = distinct.into_sorted(cx)?;
        let mut last: Box<[u8]> = Box::default();
        while let Some((record, row)) = distinct.next(cx)? {
            let (key, arrival) = record.split_at(record.len() - ARRIVAL);
            if *last == *key {
                continue;
            }
            last = key.into();
            let Some((Value::Str(order), row)) = row.split_first() else { continue };
            let ordered = [&key[..HEAD], &order.bytes, arrival].concat();
            self.ordered.push_keyed(cx, &ordered, row)?;
        }
        let mut ordered = self.ordered.into_sorted(cx)?;
        let next = ordered.take(cx)?;
        Ok(Values { ordered, next })
    }
}

/// Values, group by group.
pub(super) struct Values {
    ordered: InOrder,
    next: Option<KeyedRow>,
}

impl Values {
    /// The value of an aggregate; groups and aggregates are asked for in their order.
    pub(super) fn value(
        &mut self,
        position: usize,
        at: usize,
        accumulator: &mut Accumulator,
        call: &AggregateCall,
        cx: &mut Cx<'_>,
    ) -> Result<Value, SqlError> {
        let head = head(position, at);
        let mut texts = Accumulator::joins(call).then(|| Joiner::new(call, cx));
        while let Some((_, values)) = self.next.take_if(|(key, _)| key.starts_with(&head)) {
            match (&mut texts, values.first()) {
                (Some(texts), Some(Value::Str(text))) => texts.push(&text.bytes),
                _ => accumulator.add_new(call, values, cx)?,
            }
            self.next = self.ordered.take(cx)?;
        }
        match texts {
            Some(texts) => Ok(texts.finish(cx)),
            None => accumulator.value(call, cx),
        }
    }
}
