//! The rows that a change has found, until it changes them: in memory, and in a temporary file where they are many.

use super::RowUnderChange;
use crate::bind::change::ChangePlan;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::exec::memory::{ENTRY, Operator, row_bytes};
use crate::exec::spill::{RowFile, RowReader};
use engine::{RowBuf, Table};
use std::sync::Arc;
use types::Value;

/// A row to change.
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
        let prepared = self.prepared.as_ref().map_or(0, |row| row_bytes(&row.values) + row.assigned.len());
        self.old.key.len() + self.old.row.len() + prepared + size_of::<Found>() + ENTRY
    }
}

/// Rows in the order in which they are changed.
#[derive(Default)]
pub(super) struct FoundRows {
    held: Vec<Found>,
    bytes: usize,
    /// Those behind the ones that are held.
    filed: Option<RowFile>,
}

/// A walk over found rows.
pub(super) struct FoundWalk<'p> {
    plan: &'p ChangePlan,
    held: std::vec::IntoIter<Found>,
    filed: Option<RowReader>,
    row: Vec<Value>,
}

impl FoundRows {
    /// Adds a row.
    pub(super) fn push(&mut self, found: Found, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        if self.filed.is_none() {
            let bytes = found.bytes();
            if self.bytes + bytes <= cx.work_memory(Operator::Rows) {
                cx.charge(bytes)?;
                self.bytes += bytes;
                self.held.push(found);
                return Ok(());
            }
            self.filed = Some(RowFile::new(cx)?);
        }
        if let Some(file) = &mut self.filed {
            let Found { target, old, number, prepared } = found;
            let mut row = vec![Value::binary(&old.row), Value::UInt(target as u64), Value::UInt(number)];
            prepared.into_iter().for_each(|prepared| prepared.pack(&mut row));
            file.push(&old.key, &row)?;
        }
        Ok(())
    }

    /// The rows from the first one on.
    pub(super) fn walk(self, plan: &ChangePlan) -> Result<FoundWalk<'_>, SqlError> {
        let filed = self.filed.map(RowFile::read).transpose()?;
        Ok(FoundWalk { plan, held: self.held.into_iter(), filed, row: Vec::new() })
    }
}

impl FoundWalk<'_> {
    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Found>, SqlError> {
        if let Some(found) = self.held.next() {
            return Ok(Some(found));
        }
        let Some(file) = &mut self.filed else { return Ok(None) };
        let mut old = RowBuf::default();
        if !file.next(&mut old.key, &mut self.row)? {
            return Ok(None);
        }
        let mut values = self.row.drain(..);
        let (Some(Value::Str(image)), Some(Value::UInt(target)), Some(Value::UInt(number))) =
            (values.next(), values.next(), values.next())
        else {
            return Err(SqlError::internal_error("read a found row"));
        };
        old.row.extend_from_slice(&image.bytes);
        let target = target as usize;
        let prepared = RowUnderChange::unpack(&self.plan.targets[target].table, values);
        Ok(Some(Found { target, old, number, prepared }))
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
