//! The rows that a change has found, until it changes them: in memory, and in a temporary file where they are many.

use super::RowUnderChange;
use crate::bind::change::ChangePlan;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::exec::memory::{ENTRY, Operator, row_bytes};
use crate::exec::spill::{RowFile, RowReader};
use engine::{FoundRow, RowBuf, Table};
use smallvec::SmallVec;
use std::sync::Arc;
use types::Value;

/// Most bytes of a block of rows, but for one row that has more.
const BLOCK: usize = 1 << 20;

/// A row to change.
#[derive(Default)]
pub(super) struct Found {
    /// Number of its table among the targets.
    pub(super) target: usize,
    pub(super) old: RowBuf,
    /// The row's number for warnings: among those read, or among those found where they are sorted.
    pub(super) number: u64,
    /// Its new values, where they come from a joined row that will not stand in the frame again.
    pub(super) prepared: Option<RowUnderChange>,
}

impl Found {
    /// Bytes that it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.content() + size_of::<Found>() + ENTRY
    }

    fn content(&self) -> usize {
        let prepared = self.prepared.as_ref().map_or(0, |row| row_bytes(&row.values) + row.assigned.len());
        self.old.key.len() + self.old.row.len() + prepared
    }
}

/// Rows in the order in which they are changed.
#[derive(Default)]
pub(super) struct FoundRows {
    /// Keys and rows of those that are held, one behind the other; a row stands in one block.
    blocks: SmallVec<[Vec<u8>; 1]>,
    places: SmallVec<[Place; 1]>,
    prepared: Vec<RowUnderChange>,
    /// Bytes counted as held.
    bytes: usize,
    /// Those behind the ones that are held.
    filed: Option<RowFile>,
}

/// What is known of a row that is held: how much of the blocks is its own, and the rest of its [`Found`].
struct Place {
    number: u64,
    key: u32,
    row: u32,
    target: u32,
    prepared: bool,
}

/// A walk over found rows.
pub(super) struct FoundWalk<'p> {
    plan: &'p ChangePlan,
    places: smallvec::IntoIter<[Place; 1]>,
    blocks: smallvec::IntoIter<[Vec<u8>; 1]>,
    /// The block under way, and how much of it has been read.
    block: Vec<u8>,
    at: usize,
    prepared: std::vec::IntoIter<RowUnderChange>,
    filed: Option<RowReader>,
    row: Vec<Value>,
    /// The row that was taken last.
    found: Found,
}

impl FoundRows {
    /// Adds a row.
    pub(super) fn push(&mut self, found: Found, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let bytes = found.content() + size_of::<Place>();
        self.keep(bytes, found.old.found(), found.target, found.number, found.prepared, cx)
    }

    /// Adds a row of the one table, as it is read.
    pub(super) fn push_stored(&mut self, row: FoundRow<'_>, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let bytes = row.key.len() + row.row.len() + size_of::<Place>();
        self.keep(bytes, row, 0, cx.state.statement.row, None, cx)
    }

    fn keep(
        &mut self,
        bytes: usize,
        old: FoundRow<'_>,
        target: usize,
        number: u64,
        prepared: Option<RowUnderChange>,
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        if self.filed.is_none() {
            if self.bytes + bytes <= cx.work_memory(Operator::Rows) {
                cx.charge(bytes)?;
                self.bytes += bytes;
                return self.hold(old, target, number, prepared);
            }
            self.filed = Some(RowFile::new(cx)?);
        }
        if let Some(file) = &mut self.filed {
            let mut row = vec![Value::binary(old.row), Value::UInt(target as u64), Value::UInt(number)];
            prepared.into_iter().for_each(|prepared| prepared.pack(&mut row));
            file.push(old.key, &row)?;
        }
        Ok(())
    }

    fn hold(
        &mut self,
        FoundRow { key, row }: FoundRow<'_>,
        target: usize,
        number: u64,
        prepared: Option<RowUnderChange>,
    ) -> Result<(), SqlError> {
        let wanted = key.len() + row.len();
        if self.blocks.last().is_none_or(|last| last.capacity() - last.len() < wanted) {
            // Most changes find one row: each block has room for as much as there is so far.
            self.blocks.push(Vec::with_capacity(wanted.max(self.bytes.min(BLOCK))));
        }
        let Some(block) = self.blocks.last_mut() else {
            return Err(SqlError::internal_error("keep a found row"));
        };
        block.extend_from_slice(key);
        block.extend_from_slice(row);
        let length = |n: usize| u32::try_from(n).map_err(|_| SqlError::out_of_resources());
        self.places.push(Place {
            number,
            key: length(key.len())?,
            row: length(row.len())?,
            target: length(target)?,
            prepared: prepared.is_some(),
        });
        self.prepared.extend(prepared);
        Ok(())
    }

    /// The rows from the first one on.
    pub(super) fn walk(self, plan: &ChangePlan) -> Result<FoundWalk<'_>, SqlError> {
        Ok(FoundWalk {
            plan,
            places: self.places.into_iter(),
            blocks: self.blocks.into_iter(),
            block: Vec::new(),
            at: 0,
            prepared: self.prepared.into_iter(),
            filed: self.filed.map(RowFile::read).transpose()?,
            row: Vec::new(),
            found: Found::default(),
        })
    }
}

impl FoundWalk<'_> {
    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<&mut Found>, SqlError> {
        match self.places.next() {
            Some(place) => self.take_held(&place)?,
            None if self.take_filed()? => {}
            None => return Ok(None),
        }
        Ok(Some(&mut self.found))
    }

    fn take_held(&mut self, place: &Place) -> Result<(), SqlError> {
        if self.at == self.block.len() {
            (self.block, self.at) = (self.blocks.next().unwrap_or_default(), 0);
        }
        let (key, row) = (place.key as usize, place.row as usize);
        let bytes = self.block.get(self.at..self.at + key + row);
        let (key, row) = bytes.ok_or_else(|| SqlError::internal_error("read a found row"))?.split_at(key);
        let old = &mut self.found.old;
        old.key.clear();
        old.key.extend_from_slice(key);
        old.row.clear();
        old.row.extend_from_slice(row);
        self.at += key.len() + row.len();
        (self.found.target, self.found.number) = (place.target as usize, place.number);
        self.found.prepared = if place.prepared { self.prepared.next() } else { None };
        Ok(())
    }

    fn take_filed(&mut self) -> Result<bool, SqlError> {
        let Some(file) = &mut self.filed else { return Ok(false) };
        let old = &mut self.found.old;
        if !file.next(&mut old.key, &mut self.row)? {
            return Ok(false);
        }
        let mut values = self.row.drain(..);
        let (Some(Value::Str(image)), Some(Value::UInt(target)), Some(Value::UInt(number))) =
            (values.next(), values.next(), values.next())
        else {
            return Err(SqlError::internal_error("read a found row"));
        };
        old.row.clear();
        old.row.extend_from_slice(&image.bytes);
        (self.found.target, self.found.number) = (target as usize, number);
        self.found.prepared = RowUnderChange::unpack(&self.plan.targets[self.found.target].table, values);
        Ok(true)
    }
}

impl RowUnderChange {
    /// Appends what [`RowUnderChange::unpack`] reads.
    fn pack(self, row: &mut Vec<Value>) {
        let assigned: Vec<u8> = self.assigned.into_iter().map(u8::from).collect();
        row.extend([Value::Int(i64::from(self.keeps_view_rule)), Value::binary(&assigned)]);
        row.extend(self.values);
    }

    /// The row that was packed, if one was.
    fn unpack(table: &Arc<Table>, mut packed: impl Iterator<Item = Value>) -> Option<Self> {
        let (Value::Int(keeps), Value::Str(assigned)) = (packed.next()?, packed.next()?) else { return None };
        Some(Self {
            values: packed.collect(),
            assigned: assigned.bytes.iter().map(|&assigned| assigned != 0).collect(),
            keeps_view_rule: keeps != 0,
            ..Self::new(table)
        })
    }
}
