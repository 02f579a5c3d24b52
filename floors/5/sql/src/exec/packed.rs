//! Rows in memory as they would be in a file: packed behind their keys, in blocks that go all together.
//!
//! A row so takes a fraction of what its values take, and none of them is allocated or freed by itself. What is sorted
//! are [`PackedRow`]s, which say where one is, behind the first bytes of its key.

use super::Cx;
use super::slices;
use crate::error::SqlError;
use std::cmp::Ordering;
use types::Value;
use types::key::{head, order_behind_heads};
use types::packed::Packer;

/// Bytes of the first block and of the largest, but for one row that has more; each is twice the one before.
const BLOCK_MIN: usize = 4 << 10;
const BLOCK_MAX: usize = 1 << 20;

/// Bytes of a cache line, and how many of a row's are asked for before it is wanted.
const LINE: usize = 64;
const LINES: usize = 4;

/// Where a row is.
#[derive(Clone, Copy)]
pub struct PackedRow {
    /// See [`head`].
    head: u128,
    block: u32,
    at: u32,
    key: u32,
    row: u32,
}

impl PackedRow {
    /// Bytes that it takes, with its entry.
    pub fn bytes(&self) -> usize {
        self.key as usize + self.row as usize + size_of::<PackedRow>()
    }
}

/// Packed rows.
#[derive(Default)]
pub struct PackedRows {
    blocks: Vec<Vec<u8>>,
    packer: Packer,
}

impl PackedRows {
    /// Keeps a row behind its key.
    pub fn push(&mut self, key: &[u8], row: &[Value]) -> Result<PackedRow, SqlError> {
        let usual = (BLOCK_MIN << self.blocks.len().min(16)).min(BLOCK_MAX);
        let wanted = key.len() + row.iter().map(packed_bytes).sum::<usize>();
        if self.blocks.last().is_none_or(|last| last.capacity() - last.len() < wanted) {
            self.blocks.push(Vec::with_capacity(usual.max(wanted)));
        }
        let block = self.blocks.len() - 1;
        let bytes = &mut self.blocks[block];
        let at = bytes.len();
        bytes.extend_from_slice(key);
        let middle = bytes.len();
        row.iter().for_each(|value| self.packer.write(value, bytes));
        let length = |n: usize| u32::try_from(n).map_err(|_| SqlError::out_of_resources());
        Ok(PackedRow {
            head: head(key),
            block: block as u32,
            at: length(at)?,
            key: length(key.len())?,
            row: length(bytes.len() - middle)?,
        })
    }

    /// A row's key.
    pub fn key(&self, row: &PackedRow) -> &[u8] {
        let at = row.at as usize;
        &self.blocks[row.block as usize][at..at + row.key as usize]
    }

    /// Asks the core to bring a row that will be unpacked soon near: rows in their order lie anywhere in the blocks.
    pub fn prefetch(&self, row: &PackedRow) {
        let at = row.at as usize;
        let bytes = &self.blocks[row.block as usize][at..at + (row.key + row.row) as usize];
        bytes.iter().step_by(LINE).take(LINES).for_each(platform::mem::prefetch);
    }

    /// Puts the values of a row into `values`, whose memory serves again.
    pub fn unpack(&self, row: &PackedRow, values: &mut Vec<Value>) -> Result<(), SqlError> {
        let at = row.at as usize + row.key as usize;
        let packed = &self.blocks[row.block as usize][at..at + row.row as usize];
        self.packer.read_row(packed, values).ok_or_else(|| SqlError::internal_error("read a packed row"))
    }

    /// By the keys; equal ones in the order in which they came.
    pub fn order(&self, a: &PackedRow, b: &PackedRow) -> Ordering {
        let keys = || order_behind_heads(self.key(a), self.key(b));
        a.head.cmp(&b.head).then_with(keys).then_with(|| (a.block, a.at).cmp(&(b.block, b.at)))
    }

    /// Rows in their order.
    pub fn sort(&self, rows: Vec<PackedRow>, cx: &mut Cx<'_>) -> Result<Vec<PackedRow>, SqlError> {
        slices::sort(rows, cx, |a, b| self.order(a, b))
    }

    /// Lets all rows go but these, which are moved.
    pub fn keep(&mut self, rows: &mut [PackedRow]) {
        let blocks = std::mem::take(&mut self.blocks);
        let mut kept = Vec::with_capacity(rows.iter().map(|row| (row.key + row.row) as usize).sum());
        rows.sort_unstable_by_key(|row| (row.block, row.at));
        for row in rows {
            let (at, length) = (row.at as usize, (row.key + row.row) as usize);
            let from = &blocks[row.block as usize][at..at + length];
            (row.block, row.at) = (0, kept.len() as u32);
            kept.extend_from_slice(from);
        }
        self.blocks.push(kept);
    }
}

/// Bytes that a value takes packed, at most.
fn packed_bytes(value: &Value) -> usize {
    match value {
        Value::Str(s) => s.bytes.len() + 8,
        _ => 40,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use types::{CollationId, EnumValue, Labels};

    #[test]
    fn rows_that_stay_keep_keys_values_and_order() {
        let mut rows = PackedRows::default();
        let key = |n: u64| (n * 7919 % 100).to_be_bytes().repeat(1 + n as usize % 4);
        let labels = Arc::new(Labels::new(vec![b"small".into(), b"large".into()]));
        let value = |n: u64| {
            let label =
                EnumValue { index: 1 + n as u16 % 2, labels: labels.clone(), collation: CollationId::BINARY };
            vec![Value::UInt(n), Value::text(&"x".repeat(n as usize % 40)), Value::Null, Value::Enum(label)]
        };
        let mut packed: Vec<PackedRow> = (0..900).map(|n| rows.push(&key(n), &value(n)).unwrap()).collect();
        packed.sort_by(|a, b| rows.order(a, b));
        let numbers = |rows: &PackedRows, packed: &[PackedRow]| -> Vec<u64> {
            let mut values = Vec::new();
            let number = |row: &PackedRow| {
                rows.unpack(row, &mut values).unwrap();
                let Value::UInt(n) = values[0] else { panic!("{values:?}") };
                assert_eq!((&values, rows.key(row)), (&value(n), &key(n)[..]));
                n
            };
            packed.iter().map(number).collect()
        };
        let mut expected: Vec<u64> = (0..900).collect();
        expected.sort_by_key(|&n| key(n));
        assert_eq!(numbers(&rows, &packed), expected);
        packed.truncate(300);
        rows.keep(&mut packed);
        packed.sort_by(|a, b| rows.order(a, b));
        assert_eq!(numbers(&rows, &packed), expected[..300]);
    }
}
