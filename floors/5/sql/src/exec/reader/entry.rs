//! Rows of which an index entry holds all that is wanted.

use super::{Reader, Shown, Taker, damaged, index_key, put};
use crate::error::SqlError;
use crate::exec::{Cx, Flow, join};
use crate::expr::Expr;
use crate::expr::stored::Entry;
use crate::plan::covering::{Covered, Parts};
use engine::Scan;

/// The bytes of an index entry.
#[derive(Clone, Copy)]
pub(super) struct EntryBytes<'e> {
    pub key: &'e [u8],
    /// The clustered key that the key ends with.
    pub clustered: &'e [u8],
    /// What stands beside the key.
    pub beside: &'e [u8],
}

impl Reader<'_> {
    /// As [`Reader::row`], from what an index entry holds of the row.
    pub(super) fn entry(
        &self,
        scan: &Scan,
        (index, covered): (usize, &Covered),
        filter: &[Expr],
        cx: &mut Cx<'_>,
        taker: &mut dyn Taker,
    ) -> Result<Flow, SqlError> {
        let access = self.access;
        let (layout, shown) = (self.table.layout(), Shown::of(cx));
        let frame = cx.frame_mut(self.level, access.slots.end as usize);
        let mut broken = None;
        let found = EntryBytes { key: scan.entry_key(), clustered: scan.found().key, beside: scan.beside() };
        self.read_back((index, covered), found, |column, slot, bytes| {
            if let Err(error) = put(layout.column(column), bytes, &shown, &mut frame[slot as usize]) {
                broken = Some(error);
            }
        })?;
        if let Some(error) = broken {
            return Err(damaged(self.table, &error));
        }
        let passes = join::all(filter, cx)?;
        cx.note(access, 0, 1, u64::from(passes));
        let gated = passes && !access.gate.is_empty() && cx.has_gate(self.level);
        if !passes || gated && !cx.passes_gate(self.level, &access.gate)? {
            return Ok(Flow::Continue);
        }
        taker.take(scan.found(), cx)
    }

    /// Fills `entry` from an index entry; false where it does not read as the table says.
    pub(super) fn fill_entry(
        &self,
        covered: (usize, &Covered),
        found: EntryBytes<'_>,
        entry: &mut Entry,
    ) -> bool {
        entry.clear();
        self.read_back(covered, found, |column, _, bytes| entry.push(column, bytes)).is_ok()
    }

    /// Hands on the columns wanted of an index entry, with their slots and their bytes as row images have them.
    #[inline]
    fn read_back(
        &self,
        (index, covered): (usize, &Covered),
        EntryBytes { key, clustered, beside }: EntryBytes<'_>,
        mut each: impl FnMut(usize, u32, Option<&[u8]>),
    ) -> Result<(), SqlError> {
        let mut hand_on = |parts: &Parts, part: usize, bytes: Option<&[u8]>| {
            if let Some((column, slot)) = parts[part] {
                each(column, slot, bytes);
            }
        };
        let damaged = || damaged(self.table, &types::RowError::WrongCount);
        let mut read = |index: usize, key: &[u8], parts: &Parts| {
            let read = index_key(self.table, index)?
                .read_back(key, parts.len(), |part, bytes| hand_on(parts, part, bytes));
            read.ok_or_else(damaged)
        };
        read(index, key, &covered.own)?;
        if let Some(primary) = self.table.primary_index() {
            read(primary, clustered, &covered.primary)?;
        }
        let parts = &covered.beside;
        engine::read_beside(beside, parts.len(), |part, bytes| hand_on(parts, part, bytes))
            .ok_or_else(damaged)
    }
}
