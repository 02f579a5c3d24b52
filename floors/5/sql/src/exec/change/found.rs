//! The rows that a change has found, until it changes them: in memory, and in a temporary file where they are many.

use super::RowUnderChange;
use crate::error::SqlError;
use crate::exec::Cx;
use crate::exec::memory::{ENTRY, Operator};
use crate::exec::spill::{RowFile, RowReader};
use engine::RowBuf;
use types::{CollationId, StrValue, Value};

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
        self.old.key.len() + self.old.row.len() + size_of::<Found>() + ENTRY
    }
}

/// Rows in the order in which they are changed.
#[derive(Default)]
pub(super) struct FoundRows {
    held: Vec<Found>,
    bytes: usize,
    /// Those behind the ones that are held: of the first target, nothing prepared.
    filed: Option<RowFile>,
}

/// A walk over found rows.
pub(super) struct FoundWalk {
    held: std::vec::IntoIter<Found>,
    filed: Option<RowReader>,
    row: Vec<Value>,
}

impl FoundRows {
    /// Adds a row.
    pub(super) fn push(&mut self, found: Found, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let goes_to_file = found.prepared.is_none() && found.target == 0;
        if goes_to_file && (self.filed.is_some() || self.bytes > cx.work_memory(Operator::Rows)) {
            let file = match &mut self.filed {
                Some(file) => file,
                none => none.insert(RowFile::new(cx)?),
            };
            let image = Value::Str(StrValue::new(&found.old.row, CollationId::BINARY));
            file.push(&found.old.key, &[image, Value::UInt(found.number)])?;
            return Ok(());
        }
        cx.charge(found.bytes())?;
        self.bytes += found.bytes();
        self.held.push(found);
        Ok(())
    }

    /// The rows from the first one on.
    pub(super) fn walk(self) -> Result<FoundWalk, SqlError> {
        let filed = self.filed.map(RowFile::read).transpose()?;
        Ok(FoundWalk { held: self.held.into_iter(), filed, row: Vec::new() })
    }
}

impl FoundWalk {
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
        let [Value::Str(image), Value::UInt(number)] = &self.row[..] else {
            return Err(SqlError::internal_error("read a found row"));
        };
        old.row.extend_from_slice(&image.bytes);
        Ok(Some(Found { target: 0, old, number: *number, prepared: None }))
    }
}
