//! Space that groups are about to come to is written with zeros beforehand (`docs/decisions/0190`).
//!
//! A force into space that is reserved but was never written has to tell the file system's journal that it is written now,
//! block by block; into space that holds zeros it writes the data and no more. The zeros go through a handle of their own:
//! an error of their force is told there and cannot use up the one that a round would have been told.
//!
//! Zeros are written only behind [`Order::allocated`], where no group may be placed, while the
//! turn `growth` is held: no group is overwritten, and no segment cut to its size grows again.

use super::Log;
use super::order::Order;
use super::rotate::ALIGNMENT;
use crate::error::{LogError, Result};
use crate::segment::ENDING_BYTES;
use platform::file::OpenMode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Rounds of more than this, in bytes, gain less than zeros cost.
pub(super) const LARGE_ROUND: u64 = 64 << 10;
/// Written at once: small enough that the page cache keeps the zeros in small pieces, which are cheap to write back one by one.
const CHUNK: usize = 64 << 10;
/// After a failure that may pass.
const RETRY: Duration = Duration::from_secs(1);

impl Log {
    /// Keeps [`Options::cleared_bytes`](crate::Options::cleared_bytes) of zeros ahead of the log's end, until
    /// [`Log::stop_clearing`] is called or the log takes nothing more. For a thread of its own; without one the log is slower
    /// to force and nothing else.
    pub fn keep_cleared(&self) {
        let mut failed = false;
        loop {
            let is_over = || self.clearing_ends.load(Ordering::Acquire) || self.order.lock().check().is_err();
            let deadline = Instant::now() + RETRY;
            let is_due = || self.is_clearing_due(&self.order.lock());
            let wanted = || (is_over() || (!failed && is_due())).then_some(());
            let found = self.clearing.wait_until(deadline, wanted);
            if is_over() {
                return;
            }
            // A full disk is the affair of those who append.
            failed = found.is_some() && self.clear_piece().is_err();
        }
    }

    /// Ends [`Log::keep_cleared`].
    pub fn stop_clearing(&self) {
        // Release: pairs with the acquire above.
        self.clearing_ends.store(true, Ordering::Release);
        self.clearing.wake_all();
    }

    /// Whether small rounds are about to reach the end of what may be used.
    pub(super) fn is_clearing_due(&self, state: &Order) -> bool {
        self.small_rounds.load(Ordering::Relaxed)
            && state.reserve() < u64::from(self.options.cleared_bytes) / 2
            && state.allocated < u64::from(self.options.max_segment_bytes)
            && state.file().raw_fd().is_some()
    }

    /// Writes zeros over the piece of space behind what may be used, and lets it be used.
    fn clear_piece(&self) -> Result<()> {
        let piece = u64::from(self.options.cleared_bytes / 16).max(ALIGNMENT);
        let _growth = self.growth.take();
        let (file, from) = {
            let state = self.order.lock();
            (state.file().clone(), state.allocated)
        };
        let full = u64::from(self.options.max_segment_bytes) + ENDING_BYTES;
        let upto = (from + piece).min(full.next_multiple_of(ALIGNMENT));
        self.reserve(&file, upto)?;
        let zeros = vec![0; CHUNK.min(piece as usize)];
        let cleared = self.dir.open(file.name(), OpenMode::WRITE).and_then(|own| {
            let mut at = from;
            while at < upto {
                let bytes = (upto - at).min(zeros.len() as u64);
                own.write_all_at(&zeros[..bytes as usize], at)?;
                at += bytes;
            }
            own.sync_data()
        });
        // The device does not do what it should: nothing more is promised.
        cleared.map_err(|error| {
            let error = LogError::io("clear", file.name())(error);
            self.poison(&error);
            error
        })?;
        self.counters.cleared(upto - from);
        self.allow(&file, upto);
        Ok(())
    }
}
