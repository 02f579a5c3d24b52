//! The first ranks of each partition, where no others are asked for: of a row that so many of its partition come before,
//! nothing is kept. Spark's WindowGroupLimit and SQL Server's Top N Sort of partitions do as much.

use super::leading;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::exec::keys::Keys;
use crate::exec::memory::Operator;
use crate::plan::window::{WindowCall, WindowFunction, Windows};
use types::Value;
use types::convert::to_integer;

/// More ranks than these are better sorted out afterwards.
const MOST: usize = 1000;
/// The part of an operator's memory that the keys may take, and the part by which they must have proved their worth; then
/// all rows are kept.
const PART_OF_MEMORY: usize = 8;
const PROVED_BY: usize = 32;
/// They have where one of so many rows was left out.
const WORTH: u64 = 16;

/// The least keys of each partition so far.
pub(super) struct Firsts<'p> {
    call: &'p WindowCall,
    /// Keys a row.
    width: usize,
    most: usize,
    partitions: Keys,
    /// Of each partition the orders of its first rows, the least first: of DENSE_RANK each once.
    orders: Vec<Vec<Box<[u8]>>>,
    /// Bytes held.
    held: usize,
    /// Rows that were taken, and rows that were not.
    taken: u64,
    left_out: u64,
    /// There was no room for all of them, or they were in vain.
    given_up: bool,
}

impl<'p> Firsts<'p> {
    /// None yet; nothing where all rows are asked for, or too many.
    pub(super) fn of(windows: &'p Windows, cx: &mut Cx<'_>) -> Result<Option<Self>, SqlError> {
        let Some(((pass, call), most)) = windows.only_rank().zip(windows.most.as_ref()) else {
            return Ok(None);
        };
        let most = match most.eval(cx)? {
            value @ (Value::Int(_) | Value::UInt(_) | Value::Decimal(_)) => to_integer(&value).value,
            _ => return Ok(None),
        };
        let Some(most) = usize::try_from(most.max(1)).ok().filter(|&most| most <= MOST) else {
            return Ok(None);
        };
        Ok(Some(Self {
            call,
            width: pass.keys.len(),
            most,
            partitions: Keys::default(),
            orders: Vec::new(),
            held: 0,
            taken: 0,
            left_out: 0,
            given_up: false,
        }))
    }

    /// Whether a row, by its record, can be among the first ones; it counts from then on.
    pub(super) fn take(&mut self, record: &[u8], cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        let takes = self.given_up || self.is_among(record, cx)?;
        match takes {
            true => self.taken += 1,
            false => self.left_out += 1,
        }
        Ok(takes)
    }

    fn is_among(&mut self, record: &[u8], cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        let partition = leading(record, self.call.partition, self.width);
        // Rows that the order leaves alike are numbered by the other keys, then as they come.
        let keys = match self.call.function {
            WindowFunction::RowNumber => self.width,
            _ => self.call.order,
        };
        let order = &leading(record, keys, self.width)[partition.len()..];
        let number = match self.partitions.find(partition) {
            Ok(number) => number,
            Err(hash) => {
                self.hold(partition.len(), cx)?;
                self.orders.push(Vec::new());
                self.partitions.add(hash, partition)?
            }
        };
        let orders = &mut self.orders[number as usize];
        let full = orders.len() == self.most;
        let place = match self.call.function {
            WindowFunction::DenseRank => match orders.binary_search_by(|other| (**other).cmp(order)) {
                Ok(_) => return Ok(true),
                Err(place) => place,
            },
            _ => orders.partition_point(|other| **other <= *order),
        };
        if place == self.most {
            let is_peer = || orders.last().is_some_and(|last| **last == *order);
            return Ok(matches!(self.call.function, WindowFunction::Rank) && is_peer());
        }
        if full {
            orders.pop();
        }
        orders.insert(place, order.into());
        if !full {
            self.hold(order.len(), cx)?;
        }
        Ok(true)
    }

    /// Takes note of a key held.
    fn hold(&mut self, bytes: usize, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let bytes = bytes + 2 * size_of::<Box<[u8]>>();
        self.held += bytes;
        cx.charge(bytes)?;
        let room = cx.work_memory(Operator::Group);
        let in_vain = self.left_out < self.taken / WORTH;
        self.given_up = self.held > room / PART_OF_MEMORY || in_vain && self.held > room / PROVED_BY;
        Ok(())
    }

    /// Lets the keys go.
    pub(super) fn release(self, cx: &mut Cx<'_>) {
        cx.release(self.held);
    }
}
