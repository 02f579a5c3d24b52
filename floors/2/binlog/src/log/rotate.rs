//! Growing, ending, beginning and removing segments.
//!
//! The order of steps is what recovery relies on:
//!
//! 1. the next segment is created empty, space reserved, its name forced, the index lists it;
//! 2. ROTATE is written and forced as part of a round;
//! 3. the ended segment is cut to its exact size, its in-use flag cleared, forced;
//! 4. the next segment's head is written and forced; rounds follow.

use super::Log;
use super::order::Prepared;
use crate::error::{LogError, Result};
use crate::index::write_index;
use crate::options::Options;
use crate::position::{LogPos, segment_name};
use crate::segment::{ENDING_BYTES, IN_USE_AT};
use platform::file::{Cause, File, OpenMode};
use std::io;
use std::sync::Arc;

/// Space is reserved in multiples of this.
pub(super) const ALIGNMENT: u64 = 4096;

impl Log {
    /// Ends the current segment and begins another (FLUSH BINARY LOGS); returns where the new one goes on.
    pub fn rotate(&self) -> Result<LogPos> {
        let end = loop {
            let mut state = self.order.lock();
            state.check()?;
            if state.next.is_some() {
                let checkpoint = self.recover_from.load(std::sync::atomic::Ordering::Relaxed);
                state.place_rotation(&self.options, self.key, checkpoint, false);
                break state.end();
            }
            drop(state);
            self.prepare_next()?;
        };
        self.force(end)?;
        Ok(end)
    }

    /// Lets groups be placed up to `upto` at least, and a step further in space that is reserved.
    pub(super) fn grow(&self, upto: u64) -> Result<()> {
        let _growth = self.growth.take();
        let (file, allocated) = {
            let state = self.order.lock();
            (state.file().clone(), state.allocated)
        };
        if allocated >= upto {
            return Ok(());
        }
        let reserved = self.reserve(&file, upto)?;
        self.allow(&file, usable(&self.options, reserved, upto));
        Ok(())
    }

    /// After a round: has space got ready, so that appenders need not wait for it. A full disk is their affair.
    pub(super) fn grow_ahead(&self, file: &Arc<dyn File>) {
        let step = u64::from(self.options.preallocate_bytes);
        let (upto, is_clearing_due) = {
            let state = self.order.lock();
            let is_short = Arc::ptr_eq(state.file(), file)
                && state.reserved.saturating_sub(u64::from(state.end().offset)) < step / 4
                && state.reserved < u64::from(self.options.max_segment_bytes);
            (is_short.then_some(state.reserved + 1), self.is_clearing_due(&state))
        };
        if let Some(upto) = upto {
            let _growth = self.growth.take();
            // Appenders find out themselves and report it.
            if let Ok(reserved) = self.reserve(file, upto)
                && self.options.cleared_bytes == 0
            {
                self.allow(file, reserved);
            }
        }
        if is_clearing_due {
            self.clearing.wake_one();
        }
    }

    /// Reserves space in a segment up to `upto` at least; returns up to where there is some. The turn `growth` is held.
    pub(super) fn reserve(&self, file: &Arc<dyn File>, upto: u64) -> Result<u64> {
        let from = {
            let state = self.order.lock();
            if Arc::ptr_eq(state.file(), file) { state.reserved } else { 0 }
        };
        if from >= upto {
            return Ok(from);
        }
        // Doubling keeps the extents of a segment few, however other files grow beside it; but no further than the
        // segment will be used.
        let step = u64::from(self.options.preallocate_bytes).max(from);
        let full = u64::from(self.options.max_segment_bytes) + ENDING_BYTES;
        let least = upto.next_multiple_of(ALIGNMENT);
        let generous = (from + step).min(full).max(upto).next_multiple_of(ALIGNMENT);
        let preallocate = |upto: u64| runtime::offload(|| file.preallocate(from, upto - from)).map(|()| upto);
        let reserved = match preallocate(generous) {
            Err(error) if Cause::of(&error) == Cause::NoSpace => preallocate(least),
            other => other,
        };
        let reserved = reserved.map_err(|error| self.growth_error("grow", file.name(), error))?;
        let mut state = self.order.lock();
        if Arc::ptr_eq(state.file(), file) {
            state.reserved = reserved;
        }
        Ok(reserved)
    }

    /// Lets groups be placed up to `upto`, unless the log has gone on in another segment. The turn `growth` is held.
    pub(super) fn allow(&self, file: &Arc<dyn File>, upto: u64) {
        let mut state = self.order.lock();
        if Arc::ptr_eq(state.file(), file) {
            state.allocated = state.allocated.max(upto);
        }
    }

    /// A full disk before anything was placed can be tried again; anything else poisons.
    fn growth_error(&self, doing: &'static str, file: &str, error: io::Error) -> LogError {
        if Cause::of(&error) == Cause::NoSpace {
            return LogError::NoSpace { file: file.to_string(), source: Arc::new(error) };
        }
        let error = LogError::io(doing, file)(error);
        self.poison(&error);
        error
    }

    /// Creates the segment that follows the current one, reserves its first space, lists it.
    pub(super) fn prepare_next(&self) -> Result<()> {
        // The current segment's head first: recovery looks for one unbegun segment, not for several.
        let end = self.order.lock().end();
        if self.durable().file < end.file {
            self.force(end)?;
        }
        let _growth = self.growth.take();
        let number = {
            let state = self.order.lock();
            // Somebody else was first and may even have gone on in it: the caller looks again.
            if state.next.is_some() || state.end().file != end.file {
                return Ok(());
            }
            end.file.saturating_add(1)
        };
        let prepared = self.create_segment(number)?;
        self.order.lock().next = Some(prepared);
        Ok(())
    }

    /// Step 1 of the module's head.
    pub(super) fn create_segment(&self, number: u32) -> Result<Prepared> {
        let name = segment_name(&self.options.base, number);
        let reserved = u64::from(self.options.preallocate_bytes).next_multiple_of(ALIGNMENT);
        let created = runtime::offload(|| {
            let file = self.dir.open(&name, OpenMode::CREATE)?;
            // Left from an attempt that found the disk full, or from before a crash.
            file.set_len(0)?;
            file.preallocate(0, reserved)?;
            self.dir.sync()?;
            Ok(file)
        });
        let file = created.map_err(|error| self.growth_error("create", &name, error))?;
        let _names = self.names.take();
        let numbers: Vec<u32> = {
            let mut segments = self.segments.lock();
            if segments.last().is_none_or(|(last, _)| *last < number) {
                segments.push((number, 0));
            }
            segments.iter().map(|(number, _)| *number).collect()
        };
        self.replace_index(&numbers)?;
        Ok(Prepared { file, number, reserved })
    }

    fn replace_index(&self, numbers: &[u32]) -> Result<()> {
        runtime::offload(|| write_index(&*self.dir, &self.options.base, numbers)).map_err(|error| match error
        {
            LogError::Io { file, source, .. } if Cause::of(&source) == Cause::NoSpace => {
                LogError::NoSpace { file, source }
            }
            error => {
                self.poison(&error);
                error
            }
        })
    }

    /// Step 3 of the module's head.
    pub(super) fn finish_segment(&self, file: &Arc<dyn File>, end: LogPos) -> Result<()> {
        // Nobody may be growing the file meanwhile.
        let _growth = self.growth.take();
        end_file(file, u64::from(end.offset))?;
        let mut segments = self.segments.lock();
        if let Some((_, bytes)) = segments.iter_mut().find(|(number, _)| *number == end.file) {
            *bytes = u64::from(end.offset);
        }
        drop(segments);
        self.counters.rotation();
        Ok(())
    }

    /// Removes the segments before the one of `position`; returns how many. What recovery, replicas and backups still
    /// need is the caller's affair.
    pub fn purge_before(&self, position: LogPos) -> Result<usize> {
        let _names = self.names.take();
        // The one being written stays, and all whose heads may not be forced yet.
        let keep_from = position.file.min(self.durable().file);
        let (gone, kept): (Vec<u32>, Vec<u32>) = {
            let segments = self.segments.lock();
            segments.iter().map(|(number, _)| *number).partition(|number| *number < keep_from)
        };
        let Some(oldest_kept) = kept.first().copied() else {
            return Ok(0);
        };
        if !gone.is_empty() {
            self.replace_index(&kept)?;
            self.segments.lock().retain(|(number, _)| *number >= oldest_kept);
        }
        let base = self.options.base.clone();
        runtime::offload(|| {
            // Leftovers of a purge that a crash cut short go too.
            for name in self.dir.list()? {
                if crate::position::segment_number(&base, &name).is_some_and(|number| number < oldest_kept) {
                    self.dir.remove(&name)?;
                }
            }
            self.dir.sync()
        })
        .map_err(LogError::io("remove the segments before", &segment_name(&base, oldest_kept)))?;
        Ok(gone.len())
    }
}

/// Cuts an ended segment to its exact size and clears its in-use flag.
pub(super) fn end_file(file: &Arc<dyn File>, length: u64) -> Result<()> {
    runtime::offload(|| {
        file.set_len(length)?;
        file.write_all_at(&[0], IN_USE_AT)?;
        file.sync_data()
    })
    .map_err(LogError::io("end", file.name()))
}

/// Up to where groups may be placed at once in a segment with space up to `reserved`, when they come to `upto`: all of it, or a
/// step, so that the rest can be cleared before.
pub(super) fn usable(options: &Options, reserved: u64, upto: u64) -> u64 {
    match u64::from(options.cleared_bytes) {
        0 => reserved,
        step => reserved.min(upto + step / 4).max(upto),
    }
}
