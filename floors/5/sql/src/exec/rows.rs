//! Rows that queries keep: in memory while they have room there, in a temporary file then.

use super::Cx;
use super::memory::{Operator, row_bytes};
use super::spill::{RowFile, RowReader, Written};
use crate::error::SqlError;
use crate::session::counters::Counter;
use std::rc::Rc;
use types::Value;

/// Values in the first block of rows in memory and in the largest; each block has twice the one before.
const BLOCK_OF_VALUES_MIN: usize = 16;
const BLOCK_OF_VALUES_MAX: usize = 1 << 10;

/// Rows written once and read from the first to the last as often as wanted.
#[derive(Default)]
pub struct Rows {
    /// Rows in memory, each behind the one before, in blocks.
    held: Vec<Vec<Value>>,
    /// Values a row.
    width: usize,
    /// Bytes held.
    bytes: usize,
    writing: Option<RowFile>,
    written: Option<Rc<Written>>,
    count: usize,
}

impl Rows {
    /// Appends a row.
    pub fn push(&mut self, row: impl IntoIterator<Item = Value>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let Some(file) = &mut self.writing else {
            self.keep(row, cx)?;
            return if self.bytes > cx.work_memory(Operator::Rows) { self.spill(cx) } else { Ok(()) };
        };
        let row: Vec<Value> = row.into_iter().collect();
        self.count += 1;
        file.push(&[], &row).map(drop)
    }

    /// Appends a row that stays in memory: more may follow after they have been read.
    pub fn keep(&mut self, row: impl IntoIterator<Item = Value>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if self.held.last().is_none_or(|last| last.capacity() - last.len() < self.width) {
            let usual = (BLOCK_OF_VALUES_MIN << self.held.len().min(8)).min(BLOCK_OF_VALUES_MAX);
            self.held.push(Vec::with_capacity(usual.max(self.width)));
        }
        let Some(block) = self.held.last_mut() else { return Err(SqlError::internal_error("keep a row")) };
        let from = block.len();
        block.extend(row);
        let row = &block[from..];
        debug_assert!(self.count == 0 || self.width == row.len(), "rows of one width");
        let bytes = row_bytes(row);
        self.width = row.len();
        self.count += 1;
        self.bytes += bytes;
        cx.charge(bytes)
    }

    fn spill(&mut self, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        cx.count(Counter::CreatedTmpDiskTables, 1);
        let mut file = RowFile::new(cx)?;
        let held = std::mem::take(&mut self.held);
        let mut rows = Walk::of_blocks(&held, self.width, self.count);
        while let Some(row) = rows.next_row()? {
            cx.check_interrupt()?;
            file.push(&[], row)?;
        }
        self.writing = Some(file);
        self.release(cx);
        Ok(())
    }

    /// No more rows are appended.
    pub fn finish(mut self) -> Result<Self, SqlError> {
        self.written = self.writing.take().map(RowFile::finish).transpose()?;
        Ok(self)
    }

    /// Rows there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether they are in a file.
    pub fn is_spilled(&self) -> bool {
        self.writing.is_some() || self.written.is_some()
    }

    /// Takes no account of the bytes held any more.
    pub fn release(&mut self, cx: &mut Cx<'_>) {
        cx.release(std::mem::take(&mut self.bytes));
    }

    /// A walk over them, from the first on.
    pub fn walk(&self) -> Walk<'_> {
        match &self.written {
            Some(file) => Walk::Filed(Box::new(Filed {
                reader: RowReader::over(file.clone()),
                key: Vec::new(),
                row: Vec::new(),
            })),
            None => Walk::of_blocks(&self.held, self.width, self.count),
        }
    }
}

/// A walk over rows.
pub enum Walk<'r> {
    /// Over a list of rows.
    Listed(std::slice::Iter<'r, Vec<Value>>),
    /// Over rows in blocks.
    Held(Held<'r>),
    /// Over rows in a file.
    Filed(Box<Filed>),
}

/// Where a walk over rows in blocks is.
pub struct Held<'r> {
    block: &'r [Value],
    blocks: &'r [Vec<Value>],
    width: usize,
    /// Rows ahead.
    rows: usize,
}

/// Where a walk over rows in a file is.
pub struct Filed {
    reader: RowReader,
    key: Vec<u8>,
    row: Vec<Value>,
}

impl<'r> Held<'r> {
    fn next(&mut self) -> Option<&'r [Value]> {
        self.rows = self.rows.checked_sub(1)?;
        if self.block.is_empty()
            && let Some((first, others)) = self.blocks.split_first()
        {
            (self.block, self.blocks) = (first, others);
        }
        let (row, ahead) = self.block.split_at_checked(self.width)?;
        self.block = ahead;
        Some(row)
    }
}

impl<'r> Walk<'r> {
    /// Over a list of rows.
    pub fn over(rows: &'r [Vec<Value>]) -> Self {
        Self::Listed(rows.iter())
    }

    fn of_blocks(blocks: &'r [Vec<Value>], width: usize, rows: usize) -> Self {
        Self::Held(Held { block: &[], blocks, width, rows })
    }

    /// The next row.
    pub fn next_row(&mut self) -> Result<Option<&[Value]>, SqlError> {
        match self {
            Self::Listed(rows) => Ok(rows.next().map(Vec::as_slice)),
            Self::Held(held) => Ok(held.next()),
            Self::Filed(filed) => {
                Ok(filed.reader.next(&mut filed.key, &mut filed.row)?.then_some(filed.row.as_slice()))
            }
        }
    }
}
