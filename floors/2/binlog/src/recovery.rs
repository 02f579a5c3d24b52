//! Opening: what a crash left, and whether a crash can have left it. Reading only; `docs/recovery.md` has the table.
//!
//! The writer forces a round before it writes the next, so at a crash at most one round is in flight: of it any
//! sectors may be missing, everything before it is whole, everything behind it was never written. A round begins
//! with a *mark* that says how long it is; a segment's head is a round of its own. From this follows what a break in
//! the chain of events means:
//!
//! - the round that it stands in has a good mark: a byte written behind that round proves that the round had been
//!   forced, so the break is rot; else, if sectors of the round are missing, it is torn and was never
//!   acknowledged: it is dropped whole;
//! - the mark itself is broken: a good mark further on proves the same, as does a byte further away than any round
//!   is long;
//! - a break that one flipped bit explains, or in a segment that has ended or has a successor, is rot.

mod evidence;
mod walk;

pub(crate) use walk::event_at;

use crate::error::{Damage, LogError, Problem, Result};
use crate::gtid::GtidState;
use crate::index::{Listing, list_segments};
use crate::position::{LogPos, segment_name};
use crate::segment::{FIRST_EVENT, HEAD_BYTES_MAX};
use crate::window::Window;
use evidence::{all_arrived, find_mark, first_written, one_flip};
use platform::file::{Dir, OpenMode, SECTOR};
use std::ops::Range;
use walk::{Stop, Walk, walk};

/// How the log ends, from the table in `docs/recovery.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tail {
    /// There is no log yet, or its creation was cut short.
    Empty,
    /// The last segment ended with STOP: the log was closed.
    Closed,
    /// The last segment ended with ROTATE: a crash came between two segments.
    BetweenSegments,
    /// The last round is whole and nothing follows.
    Clean,
    /// The last round is incomplete and is dropped.
    Torn(Cut),
}

/// What is dropped from the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Where the log ends without it.
    pub at: LogPos,
    /// The break, at or behind that.
    pub damage: Damage,
    /// Bytes from `at` to the last one written.
    pub bytes: u64,
}

/// What opening found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailReport {
    /// How the log ends.
    pub tail: Tail,
    /// Where it ends: behind the last event that counts.
    pub end: LogPos,
    /// Numbers of its segments, those without a head left out.
    pub segments: Vec<u32>,
    /// What the log contains.
    pub gtids: GtidState,
    /// The highest commit number in the part scanned.
    pub last_commit_no: u64,
    /// Whole groups in the part scanned.
    pub groups: u64,
    /// Files of segments whose purge was cut short.
    pub leftovers: Vec<u32>,
    pub(crate) key: Option<u64>,
    /// The last round of a segment that is still open: written again before the log goes on.
    pub(crate) last_round: Range<u64>,
    /// The last segment has no head: it was prepared, or its head is torn.
    pub(crate) headless: Option<u32>,
}

impl TailReport {
    fn empty(headless: Option<u32>, leftovers: Vec<u32>) -> TailReport {
        TailReport {
            tail: Tail::Empty,
            end: LogPos::default(),
            segments: Vec::new(),
            gtids: GtidState::new(),
            last_commit_no: 0,
            groups: 0,
            leftovers,
            key: None,
            last_round: 0..0,
            headless,
        }
    }
}

/// Looks at the log from the segment of `from` (else the last one) to its end and decides how it ends. Changes
/// nothing. `from` must be a place between groups, as a checkpoint stores it.
pub fn examine(dir: &dyn Dir, base: &str, from: Option<LogPos>) -> Result<TailReport> {
    let listing = list_segments(dir, base)?;
    let missing_from =
        |position| LogError::Position { position, problem: "the log does not reach back so far" };
    if let Some(from) = from
        && !listing.segments.contains(&from.file)
    {
        return Err(match listing.segments.last() {
            Some(last) if *last > from.file => missing_from(from),
            _ => LogError::MissingSegment {
                file: segment_name(base, from.file),
                because: "the last checkpoint needs it",
            },
        });
    }
    Examiner { dir, base, from, listing, report: TailReport::empty(None, Vec::new()) }.run()
}

/// As [`examine`], over all segments.
pub fn verify(dir: &dyn Dir, base: &str) -> Result<TailReport> {
    let oldest = list_segments(dir, base)?.segments.first().copied();
    let from = oldest.map(|number| LogPos::new(number, FIRST_EVENT));
    match examine(dir, base, from) {
        // One segment that was never begun.
        Err(LogError::Position { .. }) => examine(dir, base, None),
        result => result,
    }
}

struct Examiner<'a> {
    dir: &'a dyn Dir,
    base: &'a str,
    from: Option<LogPos>,
    listing: Listing,
    report: TailReport,
}

/// What became of one segment.
enum Verdict {
    /// It goes on or ended so.
    Ends(Tail),
    /// It has no head.
    Headless,
}

impl Examiner<'_> {
    fn run(mut self) -> Result<TailReport> {
        self.report.leftovers = std::mem::take(&mut self.listing.leftovers);
        let segments = std::mem::take(&mut self.listing.segments);
        let Some(mut last) = segments.len().checked_sub(1) else {
            return Ok(self.report);
        };
        // A last segment without a head says nothing; the one before it must tell how the log ends.
        let mut headless = None;
        if self.first_bytes_written(segments[last])?.is_none() {
            headless = Some(segments[last]);
            match last.checked_sub(1) {
                Some(before) => last = before,
                None => {
                    self.check_first(segments[last])?;
                    self.report.headless = headless;
                    return self.finish();
                }
            }
        }
        let first = match self.from {
            Some(from) => segments.iter().position(|number| *number == from.file).unwrap_or(last).min(last),
            None => last,
        };
        // With a torn head at the end, the segment before is wanted too.
        let first = if self.from.is_none() && headless.is_none() { first.saturating_sub(1) } else { first };
        self.report.segments = segments[..first].to_vec();
        for (index, number) in segments[..=last].iter().enumerate().skip(first) {
            let is_last = index == last;
            let followed = !is_last || headless.is_some();
            match self.segment(*number, is_last, followed, headless.is_some())? {
                Verdict::Ends(tail) => {
                    self.report.tail = tail;
                    self.report.segments.push(*number);
                }
                Verdict::Headless => headless = Some(*number),
            }
        }
        self.report.headless = headless;
        self.finish()
    }

    fn finish(self) -> Result<TailReport> {
        if let Some(from) = self.from
            && from > self.report.end
        {
            return Err(LogError::Position { position: from, problem: "the log ends before it" });
        }
        Ok(self.report)
    }

    /// The log's very first segment may lack its head: its creation was cut short. A later one, after a purge, may
    /// not: it was begun before those before it could go.
    fn check_first(&self, number: u32) -> Result<()> {
        if number == 1 {
            return Ok(());
        }
        let name = segment_name(self.base, number);
        Err(rot(&name, 0, Problem::Missing, "it is the oldest segment, those before it were purged".into()))
    }

    fn window(&self, number: u32) -> Result<Window> {
        let name = segment_name(self.base, number);
        let file = self.dir.open(&name, OpenMode::READ).map_err(LogError::io("open", &name))?;
        let length = file.len().map_err(LogError::io("read the length of", &name))?;
        Ok(Window::new(file, length))
    }

    fn first_bytes_written(&self, number: u32) -> Result<Option<u64>> {
        let mut window = self.window(number)?;
        let name = window.file().name().to_string();
        let all = 0..window.limit();
        first_written(&mut window, all).map_err(LogError::io("read", &name))
    }

    /// Walks one segment and judges how it ends.
    fn segment(&mut self, number: u32, is_last: bool, followed: bool, by_headless: bool) -> Result<Verdict> {
        let mut window = self.window(number)?;
        let name = window.file().name().to_string();
        let continues = self.report.key.is_some();
        let expected = continues.then(|| self.report.gtids.clone());
        let look_for = self.from.filter(|from| from.file == number).map(|from| from.offset);
        let seen = walk(&mut window, number, expected.as_ref(), look_for)?;
        let Some(head) = seen.head else {
            // At most one segment is prepared and not begun.
            let is_last = is_last && !by_headless;
            return self.judge_head(&mut window, number, &seen, is_last).map_err(read_error(&name))?;
        };
        if continues && (Some(head.key) != self.report.key || head.previous_end != self.report.end.to_u64()) {
            let problem = Problem::Misplaced("the head does not continue the segment before");
            return Err(rot(&name, 0, problem, "its segments do not belong together".into()));
        }
        let tail = judge(&mut window, &seen, number, followed && !by_headless)
            .map_err(read_error(&name))?
            .map_err(|(offset, problem, evidence)| rot(&name, offset, problem, evidence))?;
        let end = match &tail {
            Tail::Torn(cut) => u64::from(cut.at.offset),
            _ => seen.end,
        };
        self.report.key = Some(head.key);
        self.report.end = LogPos::new(number, end as u32);
        self.report.gtids = seen.gtids;
        self.report.groups += seen.groups;
        self.report.last_commit_no = self.report.last_commit_no.max(seen.last_commit_no);
        self.report.last_round = seen.round;
        if let Some(from) = self.from.filter(|from| from.file == number)
            && !seen.position_is_boundary
        {
            let problem = if u64::from(from.offset) > end {
                "the log ends before it"
            } else {
                "no group begins or ends there"
            };
            return Err(LogError::Position { position: from, problem });
        }
        Ok(Verdict::Ends(tail))
    }

    /// A segment whose head is not whole.
    fn judge_head(
        &self,
        window: &mut Window,
        number: u32,
        seen: &Walk,
        is_last: bool,
    ) -> std::io::Result<Result<Verdict>> {
        let name = window.file().name().to_string();
        let (problem, wrong) = match &seen.stop {
            Stop::Broken(problem) => (problem.clone(), false),
            Stop::Wrong(problem) => (problem.clone(), true),
            Stop::Rotated | Stop::Stopped => (Problem::Missing, true),
        };
        let rot = |evidence: &str| Ok(Err(rot(&name, seen.end, problem.clone(), evidence.into())));
        if wrong {
            return rot("a good event stands in the wrong place");
        }
        if !is_last {
            return rot("a later segment exists, which is prepared after this head was forced");
        }
        if self.report.segments.is_empty()
            && let Err(error) = self.check_first(number)
        {
            return Ok(Err(error));
        }
        if matches!(self.report.tail, Tail::Clean | Tail::Torn(_)) {
            return rot("the segment before it has not ended, so this one was never begun");
        }
        let limit = window.limit();
        if let Some(at) = find_mark(window, 0, number, self.report.key)? {
            return rot(&format!("the round at {at} was begun after this head was forced"));
        }
        if let Some(at) = first_written(window, HEAD_BYTES_MAX.min(limit)..limit)? {
            return rot(&format!("the byte at {at} lies behind any head"));
        }
        if one_flip(window, seen.end, &problem)?.is_some() || self.magic_flipped(window)? {
            return rot("one flipped bit explains it");
        }
        Ok(Ok(Verdict::Headless))
    }

    fn magic_flipped(&self, window: &mut Window) -> std::io::Result<bool> {
        let found = window.get(0..4)?;
        let wrong: u32 =
            found.iter().zip(crate::segment::MAGIC).map(|(found, right)| (found ^ right).count_ones()).sum();
        Ok(found.len() == 4 && wrong == 1)
    }
}

/// How the walked segment ends; the error is offset, problem and evidence of rot.
type Judged = std::result::Result<Tail, (u64, Problem, String)>;

fn judge(window: &mut Window, seen: &Walk, number: u32, followed: bool) -> std::io::Result<Judged> {
    let limit = window.limit();
    let at = seen.end;
    let problem = match &seen.stop {
        Stop::Rotated | Stop::Stopped => {
            return Ok(match first_written(window, at..limit)? {
                Some(behind) => {
                    let problem = Problem::Misplaced("bytes stand behind the last event of the segment");
                    Err((behind, problem, "nothing is written to a segment that has ended".into()))
                }
                None if seen.stop == Stop::Stopped => Ok(Tail::Closed),
                None => Ok(Tail::BetweenSegments),
            });
        }
        Stop::Wrong(problem) => {
            return Ok(Err((at, problem.clone(), "a good event stands in the wrong place".into())));
        }
        Stop::Broken(problem) => problem.clone(),
    };
    let rot = |evidence: String| Ok(Err((at, problem.clone(), evidence)));
    if followed {
        return rot("the next segment exists, which is begun after this one ended".into());
    }
    if !seen.in_use {
        return rot("the segment was ended properly: its in-use flag is clear".into());
    }
    let max_flight = seen.head.map_or(0, |head| u64::from(head.max_flight));
    let key = seen.head.map(|head| head.key);
    let last_written = last_written(window, at..limit)?;
    if at == seen.round.end {
        let Some(last_written) = last_written else {
            return Ok(Ok(Tail::Clean));
        };
        if let Some(mark) = find_mark(window, at, number, key)? {
            return rot(format!("the round at {mark} was begun after this place was forced"));
        }
        if last_written >= (at + max_flight).next_multiple_of(SECTOR as u64) {
            return rot(format!("the byte at {last_written} is further away than any round is long"));
        }
    } else {
        let round_end = seen.round.end.min(limit);
        if let Some(mark) = find_mark(window, round_end, number, key)? {
            return rot(format!("the round at {mark} was begun after this round was forced"));
        }
        // A misdirected sector fills the round's last one, beyond the round.
        let behind = round_end.next_multiple_of(SECTOR as u64).min(limit);
        if let Some(behind) = first_written(window, behind..limit)? {
            return rot(format!("the byte at {behind} was written after this round was forced"));
        }
        if all_arrived(window, seen.round.clone())? {
            return rot("all sectors of its round were written".into());
        }
    }
    if let Some(byte) = one_flip(window, at, &problem)? {
        return rot(format!("one flipped bit explains it, in the byte at {byte}"));
    }
    // The round is dropped whole, with its mark if that is good.
    let cut = if at == seen.round.end { at } else { seen.round.start };
    let damage = Damage { file: window.file().name().to_string(), offset: at, problem };
    let bytes = last_written.map_or(at, |last| last + 1) - cut;
    Ok(Ok(Tail::Torn(Cut { at: LogPos::new(number, cut as u32), damage, bytes })))
}

/// The offset of the last byte in `range` that is not zero.
fn last_written(window: &mut Window, range: Range<u64>) -> std::io::Result<Option<u64>> {
    let mut last = None;
    let mut at = range.start;
    while let Some(found) = first_written(window, at..range.end)? {
        let bytes = window.get(found..(found + 4096).min(range.end))?;
        let position = bytes.iter().rposition(|byte| *byte != 0).unwrap_or(0) as u64;
        last = Some(found + position);
        at = found + bytes.len().max(1) as u64;
    }
    Ok(last)
}

fn rot(file: &str, offset: u64, problem: Problem, evidence: String) -> LogError {
    LogError::Rot { damage: Damage { file: file.to_string(), offset, problem }, evidence }
}

fn read_error(file: &str) -> impl FnOnce(std::io::Error) -> LogError {
    LogError::io("read", file)
}
