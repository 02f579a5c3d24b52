//! Following the log behind a build: what was done to the rows since it began.

use crate::build::Build;
use crate::core::Core;
use crate::error::Result;
use crate::lock::Interrupt;
use crate::mvcc::entry;
use crate::recovery::replay::{Changed, Logged, each_change, each_row};
use binlog::{Group, LogPos};
use parking_lot::Mutex;
use std::sync::Arc;
use tree::Action;

/// Bytes of log read at once.
const BATCH_BYTES: usize = 1 << 20;

/// Positions that the log is still to be read from.
#[derive(Debug, Default)]
pub(crate) struct LogPins(Mutex<Vec<Arc<Mutex<LogPos>>>>);

impl LogPins {
    /// The first position that somebody wants.
    pub(crate) fn first(&self) -> Option<LogPos> {
        self.0.lock().iter().map(|pin| *pin.lock()).min()
    }
}

/// A reader of the log that knows how far its build has come. The segments that it will read stay.
pub(crate) struct Follower<'c> {
    core: &'c Core,
    at: Arc<Mutex<LogPos>>,
}

impl Drop for Follower<'_> {
    fn drop(&mut self) {
        self.core.log_pins.0.lock().retain(|pin| !Arc::ptr_eq(pin, &self.at));
    }
}

impl<'c> Follower<'c> {
    /// Follows from now on: whatever was committed before is in the pages.
    pub(crate) fn from_now(core: &'c Core) -> Result<Follower<'c>> {
        let at = {
            // Under this lock, so that a purge that looks meanwhile finds the position.
            let mut pins = core.log_pins.0.lock();
            let at = Arc::new(Mutex::new(core.gate.newest().1));
            pins.push(at.clone());
            at
        };
        let follower = Follower { core, at };
        // Those at or before the position may still be on their way into the pages.
        core.have_visible(core.gate.newest().0)?;
        Ok(follower)
    }

    /// Bytes of log that are not yet read, about.
    pub(crate) fn behind(&self) -> u64 {
        let (from, to) = (*self.at.lock(), self.core.log.durable());
        match to.file.saturating_sub(from.file) {
            0 => u64::from(to.offset.saturating_sub(from.offset)),
            files => u64::from(files) * u64::from(self.core.options.log.max_segment_bytes),
        }
    }

    /// Brings the trees to a commit behind all that are in the pages now; returns the rows changed.
    pub(crate) fn catch_up(&mut self, build: &mut Build, interrupt: &Interrupt) -> Result<u64> {
        // What the scan may have seen must be in what is read.
        self.core.have_visible(self.core.gate.newest().0)?;
        let mut reader = self.core.log.reader(*self.at.lock());
        let mut rows = 0;
        loop {
            interrupt.check()?;
            let groups = runtime::offload(|| -> Result<Vec<Group>> {
                let (mut groups, mut bytes) = (Vec::new(), 0);
                while bytes < BATCH_BYTES {
                    let Some(group) = reader.next_group()? else { break };
                    bytes += group.bytes().len();
                    groups.push(group);
                }
                Ok(groups)
            })?;
            if groups.is_empty() {
                *self.at.lock() = reader.position();
                return Ok(rows);
            }
            for group in &groups {
                rows += build.apply_group(group)?;
                *self.at.lock() = group.end;
            }
        }
    }
}

impl Build {
    /// Applies what a group did to rows of the table; returns how many it changed.
    fn apply_group(&mut self, group: &Group) -> Result<u64> {
        let (table, mut rows) = (self.table.clone(), 0);
        each_change(group, |position, change| match change {
            Logged::Rows { table: id, rows: part } if id == table.id() => {
                each_row(&table, part, position, |row| {
                    runtime::slice_point();
                    rows += 1;
                    self.apply_row(row)
                })
            }
            Logged::Catalog(_) | Logged::Rows { .. } => Ok(()),
        })?;
        Ok(rows)
    }

    fn apply_row(&mut self, row: Changed<'_>) -> Result<()> {
        let (mut clustered, mut scratch, mut value) = (Vec::new(), Vec::new(), Vec::new());
        for filling in &mut self.filling {
            let place = filling.place;
            let mut entry_of = |image: Option<&[u8]>| -> Result<_> {
                let Some(image) = image else { return Ok(None) };
                self.table.clustered_key(image, row.row_id, &mut clustered)?;
                self.table.secondary_entry(place, image, &clustered, &mut scratch).map(Some)
            };
            let (before, after) = (entry_of(row.before)?, entry_of(row.after)?);
            let tree = &self.table.trees()[place];
            if let Some(before) = before.filter(|before| after.as_ref() != Some(before)) {
                tree.handle.tree.upsert(&before.key, |old| match old {
                    Some(_) => Action::Delete,
                    None => Action::Keep,
                })?;
            }
            let Some(after) = after else { continue };
            entry::encode_live(super::BEFORE_ALL, &after.payload, &mut value);
            tree.handle.tree.upsert(&after.key, |_| Action::put(value.as_slice()))?;
            if tree.unique && !after.has_null {
                filling.suspects.look_for_another(&tree.handle, &after)?;
            }
        }
        Ok(())
    }
}
