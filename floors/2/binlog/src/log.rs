//! The log open for appending.
//!
//! ```text
//! append (any fiber, thread)                       force (first waiter leads, the others wait)
//!   order lock: place, patch, queue  ---batches--->  take the first batch: write, sync, durable, wake
//! ```
//!
//! A *batch* is what one round of write and force takes: a mark and whole groups, in one segment. Groups join the last
//! batch until it is full or taken. Rounds come one after the other: the next is written only after the one before
//! was forced, which is what [`crate::examine`] builds on.
//!
//! Space is reserved before a group is placed. So a full disk is found while nothing of the group is in the log, and
//! [`LogError::NoSpace`] may be tried again. Any other failed write or force poisons the log: what is on the disk is
//! unknown then, nothing more is accepted, every waiter hears it.
//!
//! Locks: `order` and `forcing` are held for a few hundred nanoseconds, never together and never across I/O. `growth`
//! and `names` are turns: their holders may wait for the disk. `growth` comes before `names`.

mod ahead;
mod force;
mod gather;
mod open;
mod order;
mod rotate;

use crate::counters::{CounterValues, Counters};
use crate::error::{LogError, Result};
use crate::event::{Body, MARK_BYTES};
use crate::group::{GroupBuilder, Stamp};
use crate::gtid::{Gtid, GtidState};
use crate::options::Options;
use crate::position::{LogPos, segment_name};
use crate::reader::Reader;
use crate::segment::{ENDING_BYTES, FIRST_EVENT};
use force::Forcing;
use gather::Gathering;
use order::{Order, Room};
use parking_lot::{Mutex, MutexGuard};
use platform::file::Dir;
use runtime::Turn;
use runtime::WaitQueue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

/// Where a group was placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Where its first event starts.
    pub begin: LogPos,
    /// Where its last event ends: force up to here to make it durable.
    pub end: LogPos,
    /// Its GTID; `None` for a private group.
    pub gtid: Option<Gtid>,
}

/// A segment as listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentInfo {
    /// Its number.
    pub number: u32,
    /// Its file name.
    pub name: String,
    /// Its bytes, reserved space left out.
    pub bytes: u64,
}

/// A log open for appending. Shared by reference between fibers and threads.
pub struct Log {
    dir: Arc<dyn Dir>,
    options: Options,
    key: u64,
    order: Mutex<Order>,
    /// Everything before this was forced, as [`LogPos::to_u64`].
    durable: AtomicU64,
    forcing: Mutex<Forcing>,
    /// The last round was for several groups.
    crowded: AtomicBool,
    gathering: Gathering,
    /// The last round kept the device for a moment only.
    brief: AtomicBool,
    /// `runtime::resumes` at the last round.
    resumes: AtomicU64,
    /// Held while a file is made longer, shorter or new.
    growth: Turn,
    /// Held while the index is replaced or segments removed.
    names: Turn,
    /// Numbers and final sizes of all segments; the size of the last is that of the order's end.
    segments: Mutex<Vec<(u32, u64)>>,
    /// Waiters for anything newly durable.
    news: WaitQueue,
    /// Where the thread waits that writes zeros ahead.
    clearing: WaitQueue,
    clearing_ends: AtomicBool,
    /// The last round was a small one.
    small_rounds: AtomicBool,
    /// The oldest segment that recovery needs.
    recover_from: AtomicU32,
    counters: Counters,
}

impl Log {
    /// Places the group at the end of the log; [`Log::force`] makes it durable. The builder is left empty.
    ///
    /// `order` runs inside the order lock, once the place is certain: groups get their commit numbers here in the
    /// log's order. It must be short, must not wait and must not call the log.
    ///
    /// # Panics
    /// If the group has no end: a bug of the caller.
    pub fn append(&self, group: &mut GroupBuilder, order: impl FnOnce(&Placed) -> Stamp) -> Result<Placed> {
        assert!(group.is_complete(), "only a complete group is appended");
        let bytes = group.len() as u64;
        let limit = u64::from(self.options.max_group_bytes);
        if bytes > limit {
            return Err(LogError::GroupTooLarge { bytes, limit });
        }
        let mut state = self.order_with_room(bytes)?;
        let placed = state.place(group, &self.options, order);
        drop(state);
        group.clear();
        Ok(placed)
    }

    /// Locks the order with room for a group of `bytes`, growing and rotating before as needed.
    fn order_with_room(&self, bytes: u64) -> Result<MutexGuard<'_, Order>> {
        loop {
            let mut state = self.order.lock();
            state.check()?;
            match state.room(bytes + MARK_BYTES as u64 + ENDING_BYTES, self.options.max_segment_bytes) {
                Room::Enough => return Ok(state),
                Room::Rotate => {
                    let recover_from = self.recover_from.load(Ordering::Relaxed);
                    state.place_rotation(&self.options, self.key, recover_from, false);
                }
                Room::Prepare => {
                    drop(state);
                    self.prepare_next()?;
                }
                Room::Grow { upto } => {
                    drop(state);
                    self.grow(upto)?;
                }
            }
        }
    }

    /// Writes down that everything so far is forced, so that damage to it can no longer be taken for a torn tail.
    /// One small round; call it when the log has been quiet for a moment. Does nothing if it was done already.
    pub fn seal(&self) -> Result<()> {
        let upto = {
            let state = self.order.lock();
            state.check()?;
            if state.is_sealed() {
                return Ok(());
            }
            state.end()
        };
        self.force(upto)?;
        let upto = {
            let mut state = self.order_with_room(0)?;
            state.place_seal(&self.options);
            state.end()
        };
        self.force(upto)
    }

    /// Ends the log with STOP and gives the last segment its exact size. Appending fails afterwards.
    pub fn close(&self) -> Result<()> {
        let upto = {
            // The room that every group leaves behind itself is for this: a full disk closes well.
            let mut state = self.order.lock();
            state.check()?;
            state.place_stop(&self.options);
            state.end()
        };
        self.force(upto)
    }

    /// Everything before this position was forced.
    #[must_use]
    pub fn durable(&self) -> LogPos {
        // Acquire: who sees the position sees the bytes that were written before it was published.
        LogPos::from_u64(self.durable.load(Ordering::Acquire))
    }

    /// Where the next group will be, or its round's mark.
    #[must_use]
    pub fn end(&self) -> LogPos {
        self.order.lock().end()
    }

    /// Waits until something behind `seen` is durable and returns how far; `None` when `deadline` passes first.
    pub fn wait_durable(&self, seen: LogPos, deadline: Instant) -> Result<Option<LogPos>> {
        self.news
            .wait_until(deadline, || {
                let durable = self.durable();
                if durable > seen {
                    return Some(Ok(durable));
                }
                self.order.lock().check().err().map(Err)
            })
            .transpose()
    }

    /// Reads whole groups or events from `from` to what is durable now.
    #[must_use]
    pub fn reader(&self, from: LogPos) -> Reader {
        Reader::new(self.dir.clone(), &self.options.base, from, self.durable())
    }

    /// The transactions that the log contains, those placed but not forced included.
    #[must_use]
    pub fn gtid_state(&self) -> GtidState {
        self.order.lock().gtids().clone()
    }

    /// The transactions before a position: `binlog_gtid_pos`.
    pub fn gtid_state_at(&self, position: LogPos) -> Result<GtidState> {
        let limit = self.durable();
        if position > limit {
            return Err(LogError::Position { position, problem: "the log ends before it" });
        }
        let mut state = self.gtids_before(position.file)?;
        let mut reader = self.reader(LogPos::new(position.file, 0));
        while reader.position() < position {
            match reader.next_group()? {
                Some(group) if group.end <= position => {
                    group.gtid.into_iter().for_each(|gtid| state.note(gtid))
                }
                _ => break,
            }
        }
        Ok(state)
    }

    /// Where to start sending to a replica that has `state`: the start of the newest segment before which there is
    /// nothing that it lacks; `None` if it needs what was purged.
    pub fn start_for(&self, state: &GtidState) -> Result<Option<LogPos>> {
        let durable = self.durable();
        for segment in self.segments().iter().rev().filter(|segment| segment.number <= durable.file) {
            if self.gtids_before(segment.number)?.all().all(|gtid| state.contains(gtid)) {
                return Ok(Some(LogPos::new(segment.number, FIRST_EVENT)));
            }
        }
        Ok(None)
    }

    /// What a segment's GTID list says.
    fn gtids_before(&self, number: u32) -> Result<GtidState> {
        let mut reader = self.reader(LogPos::new(number, 0));
        while let Some(event) = reader.next_event()? {
            if let Ok(Body::GtidList(list)) = event.decode() {
                return Ok(list.gtids.into_iter().collect());
            }
        }
        Ok(GtidState::new())
    }

    /// All segments, oldest first.
    #[must_use]
    pub fn segments(&self) -> Vec<SegmentInfo> {
        let end = self.end();
        let info = |(number, bytes): (u32, u64)| SegmentInfo {
            number,
            name: segment_name(&self.options.base, number),
            bytes: if number == end.file { u64::from(end.offset) } else { bytes },
        };
        self.segments.lock().iter().copied().filter(|(number, _)| *number <= end.file).map(info).collect()
    }

    /// Tells which segment recovery would start from, for BINLOG_CHECKPOINT in later segments.
    pub fn note_checkpoint(&self, position: LogPos) {
        // Relaxed: it only informs.
        self.recover_from.store(position.file, Ordering::Relaxed);
    }

    /// Counters at this moment.
    #[must_use]
    pub fn counters(&self) -> CounterValues {
        self.counters.values()
    }

    /// The settings in force.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The directory that the log is in.
    #[must_use]
    pub fn dir(&self) -> &Arc<dyn Dir> {
        &self.dir
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log").field("durable", &self.durable()).finish_non_exhaustive()
    }
}
