//! Opening for appending: repair what the decision allows, then go on in a new segment.
//!
//! Every step leaves a log about which the same or the next decision is made, so a crash here does no harm:
//!
//! 1. a torn round is cut off and the cut forced, before anything is written behind it;
//! 2. a whole last round is written once more and forced: after a failed force the kernel may hold clean pages that
//!    the disk never got, and reading them proves nothing;
//! 3. the open segment is ended like in any rotation; the new segment begins with the GTIDs found.

use super::Log;
use super::force::Forcing;
use super::gather::Gathering;
use super::order::Order;
use super::rotate::end_file;
use crate::counters::Counters;
use crate::error::{LogError, Result};
use crate::options::Options;
use crate::position::{LogPos, segment_name};
use crate::recovery::{Tail, TailReport, examine};
use parking_lot::Mutex;
use platform::file::{Dir, File, OpenMode};
use runtime::Turn;
use runtime::WaitQueue;
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};

impl Log {
    /// Decides how the log ends, from the segment of `from` on, repairs that, and begins a new segment. An empty
    /// directory gets a new log, unless `from` says that there must be one.
    ///
    /// Before anything is appended, replay from `from` to [`TailReport::end`] with [`Log::reader`].
    pub fn open(dir: Arc<dyn Dir>, options: Options, from: Option<LogPos>) -> Result<(Log, TailReport)> {
        let options = options.bounded();
        let report = examine(&*dir, &options.base, from)?;
        let log = Log::continue_from(dir, options, &report)?;
        Ok((log, report))
    }

    fn continue_from(dir: Arc<dyn Dir>, options: Options, report: &TailReport) -> Result<Log> {
        let file = last_file(&*dir, &options, report)?;
        let (end, allocated) = match &file {
            Some(file) => {
                repair(file, report)?;
                let length = file.len().map_err(LogError::io("read the length of", file.name()))?;
                (report.end, length)
            }
            None => (LogPos::default(), 0),
        };
        let mut segments = Vec::new();
        for number in &report.segments {
            segments.push((*number, segment_bytes(&*dir, &options, *number, report.end)?));
        }
        let key =
            report.key.or(options.key).unwrap_or_else(|| RandomState::new().hash_one(options.server_id));
        let next = report.headless.unwrap_or(end.file + 1);
        let is_open = matches!(report.tail, Tail::Clean | Tail::Torn(_));
        // Until the new segment is begun, an empty log stands on a file that is never written to.
        let file = match file {
            Some(file) => file,
            None => dir
                .open(&segment_name(&options.base, next), OpenMode::CREATE)
                .map_err(LogError::io("create", &segment_name(&options.base, next)))?,
        };
        let oldest = segments.first().map_or(next, |(number, _)| *number);
        let log = Log {
            order: Mutex::new(Order::new(file, end, allocated, report.gtids.clone())),
            durable: AtomicU64::new(end.to_u64()),
            forcing: Mutex::new(Forcing::default()),
            crowded: AtomicBool::new(false),
            gathering: Gathering::default(),
            brief: AtomicBool::new(false),
            resumes: AtomicU64::new(0),
            growth: Turn::default(),
            names: Turn::default(),
            segments: Mutex::new(segments),
            news: WaitQueue::new(),
            clearing: WaitQueue::new(),
            clearing_ends: AtomicBool::new(false),
            small_rounds: AtomicBool::new(true),
            recover_from: AtomicU32::new(oldest),
            counters: Counters::default(),
            key,
            dir,
            options,
        };
        let prepared = log.create_segment(next)?;
        let begun = {
            let mut state = log.order.lock();
            state.next = Some(prepared);
            if is_open {
                state.place_rotation(&log.options, key, oldest, true);
            } else {
                state.begin_segment(&log.options, key, oldest, true);
            }
            state.end()
        };
        log.force(begun)?;
        Ok(log)
    }
}

fn last_file(dir: &dyn Dir, options: &Options, report: &TailReport) -> Result<Option<Arc<dyn File>>> {
    if report.end == LogPos::default() {
        return Ok(None);
    }
    let name = segment_name(&options.base, report.end.file);
    dir.open(&name, OpenMode::WRITE).map(Some).map_err(LogError::io("open", &name))
}

/// Steps 1 and 2 of the module's head; for a segment that has ended, the end of a rotation that was cut short.
fn repair(file: &Arc<dyn File>, report: &TailReport) -> Result<()> {
    let end = u64::from(report.end.offset);
    match &report.tail {
        Tail::Empty => Ok(()),
        Tail::Closed | Tail::BetweenSegments => {
            rewrite(file, report.last_round.clone())?;
            end_file(file, end)
        }
        Tail::Clean => {
            rewrite(file, report.last_round.clone())?;
            file.sync_data().map_err(LogError::io("force", file.name()))
        }
        Tail::Torn(_) => {
            file.set_len(end).map_err(LogError::io("cut", file.name()))?;
            file.sync_data().map_err(LogError::io("force", file.name()))
        }
    }
}

/// Writes the bytes of `range` again where they are.
fn rewrite(file: &Arc<dyn File>, range: Range<u64>) -> Result<()> {
    const CHUNK: u64 = 1 << 20;
    let mut at = range.start;
    let mut bytes = Vec::new();
    while at < range.end {
        bytes.resize((range.end - at).min(CHUNK) as usize, 0);
        file.read_exact_at(&mut bytes, at).map_err(LogError::io("read", file.name()))?;
        file.write_all_at(&bytes, at).map_err(LogError::io("write", file.name()))?;
        at += bytes.len() as u64;
    }
    Ok(())
}

fn segment_bytes(dir: &dyn Dir, options: &Options, number: u32, end: LogPos) -> Result<u64> {
    if number == end.file {
        return Ok(u64::from(end.offset));
    }
    let name = segment_name(&options.base, number);
    let file = dir.open(&name, OpenMode::READ).map_err(LogError::io("open", &name))?;
    file.len().map_err(LogError::io("read the length of", &name))
}
