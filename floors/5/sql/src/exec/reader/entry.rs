//! Rows of which an index entry holds all that is wanted.

use super::{Reader, Taker, damaged, index_key, put};
use crate::error::SqlError;
use crate::exec::{Cx, Flow, join};
use crate::expr::Expr;
use crate::expr::stored::Entry;
use crate::plan::covering::{Covered, Parts};
use engine::Scan;

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
        self.read_back(index, scan.entry_key(), &covered.own, cx)?;
        if let Some(primary) = self.table.primary_index() {
            self.read_back(primary, scan.found().key, &covered.primary, cx)?;
        }
        let passes = join::all(filter, cx)?;
        cx.note(access, 0, 1, u64::from(passes));
        let gated = passes && !access.gate.is_empty() && cx.has_gate(self.level);
        if !passes || gated && !cx.passes_gate(self.level, &access.gate)? {
            return Ok(Flow::Continue);
        }
        taker.take(scan.found(), cx)
    }

    /// Fills slots from the parts of a key.
    fn read_back(&self, index: usize, key: &[u8], parts: &Parts, cx: &mut Cx<'_>) -> Result<(), SqlError> {
        let layout = self.table.layout();
        let zone = cx.state.vars.time_zone;
        let frame = cx.frame_mut(self.level, self.access.slots.end as usize);
        let mut broken = None;
        let read = index_key(self.table, index)?.read_back(key, parts.len(), |part, bytes| {
            let Some((column, slot)) = parts[part] else { return };
            if let Err(error) = put(layout.column(column), bytes, &zone, &mut frame[slot as usize]) {
                broken = Some(error);
            }
        });
        match broken.or(read.is_none().then_some(types::RowError::WrongCount)) {
            Some(error) => Err(damaged(self.table, &error)),
            None => Ok(()),
        }
    }

    /// Fills `entry` from an index entry's key and the clustered key in it; false where they do not read as the table
    /// says.
    pub(super) fn fill_entry(
        &self,
        (index, covered): (usize, &Covered),
        (key, clustered): (&[u8], &[u8]),
        entry: &mut Entry,
    ) -> bool {
        entry.clear();
        let mut fill = |index: usize, key: &[u8], parts: &Parts| {
            let key_of = index_key(self.table, index).ok()?;
            key_of.read_back(key, parts.len(), |part, bytes| {
                if let Some((column, _)) = parts[part] {
                    entry.push(column, bytes);
                }
            })
        };
        let primary = match self.table.primary_index() {
            Some(primary) => fill(primary, clustered, &covered.primary),
            None => Some(()),
        };
        primary.is_some() && fill(index, key, &covered.own).is_some()
    }
}
