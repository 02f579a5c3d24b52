//! Walking a segment from its first byte along the chain of events, until it ends or breaks.

use crate::error::{LogError, Problem, Result};
use crate::event::{
    Body, Event, EventKind, HEADER_BYTES, Header, Mark, Private, PrivateKind, SegmentHead, check_event,
};
use crate::grouping::{Grouping, Step};
use crate::gtid::GtidState;
use crate::position::LogPos;
use crate::segment::{FIRST_EVENT, IN_USE_AT, MAGIC};
use crate::window::Window;
use std::ops::Range;

/// How the chain ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// With ROTATE.
    Rotated,
    /// With STOP.
    Stopped,
    /// The bytes that follow are no good event. A crash may be the cause.
    Broken(Problem),
    /// A good event stands where it may not. No crash does that.
    Wrong(Problem),
}

/// What a walk saw.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    /// The head, if it is whole.
    pub head: Option<SegmentHead>,
    /// Whether the in-use flag is set.
    pub in_use: bool,
    /// Where the chain ended: behind the last good event.
    pub end: u64,
    /// Why.
    pub stop: Stop,
    /// The last round whose mark was good; the head counts as one.
    pub round: Range<u64>,
    /// Groups seen whole.
    pub groups: u64,
    /// The state after the last whole round.
    pub gtids: GtidState,
    /// The highest commit number seen.
    pub last_commit_no: u64,
    /// Whether the position looked for is a place between groups.
    pub position_is_boundary: bool,
}

/// What the walk carries along.
struct Walker<'a> {
    walk: Walk,
    grouping: Grouping,
    number: u32,
    pending_gtids: GtidState,
    list: Option<GtidState>,
    expected: Option<&'a GtidState>,
}

/// Walks segment `number` in `window`. `expected` is the GTID state that its head must continue, `look_for` an
/// offset to recognise.
pub(crate) fn walk(
    window: &mut Window,
    number: u32,
    expected: Option<&GtidState>,
    look_for: Option<u32>,
) -> Result<Walk> {
    let name = window.file().name().to_string();
    let io = |source| LogError::io("read", &name)(source);
    let first = window.get(0..u64::from(FIRST_EVENT) + 1 + IN_USE_AT).map_err(io)?;
    let has_magic = first.starts_with(&MAGIC);
    let in_use = first.get(IN_USE_AT as usize).is_some_and(|byte| byte & 1 != 0);
    let mut walker = Walker {
        walk: Walk {
            head: None,
            in_use,
            end: u64::from(FIRST_EVENT),
            stop: Stop::Broken(Problem::Missing),
            round: 0..0,
            groups: 0,
            gtids: GtidState::new(),
            last_commit_no: 0,
            position_is_boundary: false,
        },
        grouping: Grouping::default(),
        number,
        pending_gtids: GtidState::new(),
        list: None,
        expected,
    };
    if !has_magic {
        walker.walk.end = 0;
        return Ok(walker.walk);
    }
    loop {
        if walker.grouping.is_between() && look_for.is_some_and(|offset| u64::from(offset) == walker.walk.end)
        {
            walker.walk.position_is_boundary = true;
        }
        let at = walker.walk.end;
        let event = match event_at(window, at).map_err(io)? {
            Ok(event) => event,
            Err(problem) => {
                walker.walk.stop = Stop::Broken(problem);
                return Ok(walker.walk);
            }
        };
        let event = Event { position: LogPos::new(number, at as u32), ..event };
        match walker.feed(&event) {
            Ok(None) => walker.walk.end = at + u64::from(event.header.length),
            Ok(Some(stop)) => {
                walker.walk.end = at + u64::from(event.header.length);
                walker.walk.stop = stop;
                if look_for.is_some_and(|offset| u64::from(offset) == walker.walk.end) {
                    walker.walk.position_is_boundary = true;
                }
                return Ok(walker.walk);
            }
            Err(problem) => {
                walker.walk.stop = Stop::Wrong(problem);
                return Ok(walker.walk);
            }
        }
    }
}

/// The event at `offset`, checked, or why there is none. The position's file is open.
pub(crate) fn event_at(
    window: &mut Window,
    offset: u64,
) -> std::io::Result<std::result::Result<Event<'_>, Problem>> {
    let available = window.limit().saturating_sub(offset);
    let Some(header) = Header::decode(window.get(offset..offset + HEADER_BYTES as u64)?) else {
        return Ok(Err(Problem::Missing));
    };
    if header.encode() == [0; HEADER_BYTES] {
        return Ok(Err(Problem::Missing));
    }
    if let Err(problem) = header.check_length(available) {
        return Ok(Err(problem));
    }
    let bytes = window.get(offset..offset + u64::from(header.length))?;
    Ok(check_event(bytes, offset).map(|header| Event {
        position: LogPos::new(0, offset as u32),
        header,
        bytes,
    }))
}

impl Walker<'_> {
    /// Takes a good event. `Some` ends the segment; an error is an event out of place.
    fn feed(&mut self, event: &Event<'_>) -> std::result::Result<Option<Stop>, Problem> {
        let at = u64::from(event.position.offset);
        let end = at + u64::from(event.header.length);
        let Some(head) = self.walk.head else {
            return self.feed_head(event, end).map(|()| None);
        };
        let private = match event.header.kind {
            EventKind::IGNORABLE => Private::decode(event.body()).ok(),
            _ => None,
        };
        if let Some(private) = private.filter(|private| private.kind == PrivateKind::MARK) {
            return self.feed_mark(&private, &head, at, end).map(|()| None);
        }
        if end > self.walk.round.end {
            return Err(Problem::Misplaced("a round begins with its mark"));
        }
        let step = self.grouping.feed(&event.header, event.body())?;
        if step == Step::Ends {
            self.walk.groups += 1;
            self.walk.last_commit_no = self.walk.last_commit_no.max(self.grouping.commit_no);
            if let Some(gtid) = self.grouping.gtid {
                self.pending_gtids.note(gtid);
            }
        }
        if end == self.walk.round.end {
            if !self.grouping.is_between() {
                return Err(Problem::Misplaced("a round holds whole groups"));
            }
            self.walk.gtids = self.pending_gtids.clone();
        }
        match event.header.kind {
            EventKind::ROTATE | EventKind::STOP if end != self.walk.round.end => {
                Err(Problem::Misplaced("the last event of a segment ends its round"))
            }
            EventKind::ROTATE => Ok(Some(Stop::Rotated)),
            EventKind::STOP => Ok(Some(Stop::Stopped)),
            _ if step == Step::Aside => Err(Problem::Misplaced("this event may not stand between groups")),
            _ => Ok(None),
        }
    }

    /// Head events: a format description, a GTID list, checkpoints, our own.
    fn feed_head(&mut self, event: &Event<'_>, end: u64) -> std::result::Result<(), Problem> {
        let wrong = |what| Err(Problem::Misplaced(what));
        let is_first = event.position.offset == FIRST_EVENT;
        match event.decode().map_err(Problem::Body)? {
            Body::FormatDescription(_) if is_first => Ok(()),
            _ if is_first => wrong("a segment begins with its format description"),
            Body::GtidList(list) if self.list.is_none() => {
                let state: GtidState = list.gtids.into_iter().collect();
                if self.expected.is_some_and(|expected| !expected.all().eq(state.all())) {
                    return wrong("the GTID list does not continue the segment before");
                }
                self.list = Some(state);
                Ok(())
            }
            Body::BinlogCheckpoint(_) => Ok(()),
            Body::Private(private) if private.kind == PrivateKind::SEGMENT_HEAD => {
                let head = SegmentHead::decode(private.payload).map_err(Problem::Body)?;
                if head.file != self.number || u64::from(head.head_bytes) != end {
                    return wrong("the head is one of another segment");
                }
                let Some(state) = self.list.take() else {
                    return wrong("the head has no GTID list");
                };
                self.walk.round = 0..end;
                self.walk.head = Some(head);
                self.walk.gtids = state.clone();
                self.pending_gtids = state;
                Ok(())
            }
            _ => wrong("this event may not stand in a head"),
        }
    }

    fn feed_mark(
        &mut self,
        private: &Private<'_>,
        head: &SegmentHead,
        at: u64,
        end: u64,
    ) -> std::result::Result<(), Problem> {
        let mark = Mark::decode(private.payload).map_err(Problem::Body)?;
        if at != self.walk.round.end || !self.grouping.is_between() {
            return Err(Problem::Misplaced("a mark inside a round"));
        }
        if mark.file != self.number || mark.key != head.key {
            return Err(Problem::Misplaced("the mark is one of another segment"));
        }
        let round_end = at + u64::from(mark.round_bytes);
        if round_end < end || mark.round_bytes > head.max_flight {
            return Err(Problem::Misplaced("the mark's round has an impossible length"));
        }
        self.walk.round = at..round_end;
        Ok(())
    }
}
