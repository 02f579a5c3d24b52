//! Reading the log: event by event, or whole groups, across segments, up to a limit that was forced.

use crate::error::{Damage, LogError, Problem, Result};
use crate::event::{Body, Event, EventKind, Header, PrivateKind};
use crate::grouping::{Grouping, Step};
use crate::gtid::Gtid;
use crate::position::{LogPos, segment_name};
use crate::recovery::event_at;
use crate::segment::{FIRST_EVENT, MAGIC};
use crate::window::Window;
use platform::file::{Cause, Dir, OpenMode};
use std::ops::Range;
use std::sync::Arc;

/// A whole group read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Where its first event starts.
    pub begin: LogPos,
    /// Where its last event ends.
    pub end: LogPos,
    /// Its GTID; `None` for a private group, which replicas never get.
    pub gtid: Option<Gtid>,
    /// Its commit number, 0 if it carries none.
    pub commit_no: u64,
    /// The segment's file name, for errors.
    file: Arc<str>,
    bytes: Vec<u8>,
    events: Vec<Range<usize>>,
}

impl Group {
    /// The events as they are in the file.
    pub fn events(&self) -> impl Iterator<Item = Event<'_>> + '_ {
        let mut offset = self.begin.offset;
        self.events.iter().filter_map(move |range| {
            let bytes = self.bytes.get(range.clone())?;
            let position = LogPos::new(self.begin.file, offset);
            offset += bytes.len() as u32;
            Some(Event { position, header: Header::decode(bytes)?, bytes })
        })
    }

    /// The decoded contents, those of wrapped events unwrapped: what recovery applies.
    pub fn bodies(&self) -> impl Iterator<Item = Result<(LogPos, Body<'_>), LogError>> + '_ {
        self.events().map(|event| {
            let damaged = |error| {
                LogError::Damaged(Damage {
                    file: self.file.to_string(),
                    offset: u64::from(event.position.offset),
                    problem: Problem::Body(error),
                })
            };
            let body = match event.decode().map_err(damaged)? {
                Body::Private(private) if private.kind == PrivateKind::WRAPPED => {
                    let Some((kind, inner)) = private.payload.split_first() else {
                        return Ok((event.position, Body::Private(private)));
                    };
                    Body::decode(EventKind(*kind), 0, inner).map_err(damaged)?
                }
                body => body,
            };
            Ok((event.position, body))
        })
    }

    /// Bytes of all its events.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads from a position to a limit.
pub struct Reader {
    dir: Arc<dyn Dir>,
    base: String,
    /// The segment that is open, with its number.
    window: Option<(u32, Window)>,
    /// Where the next event starts.
    at: LogPos,
    /// Nothing is read at or behind this.
    limit: LogPos,
}

impl Reader {
    /// Reads events from `from` (an event's start; offset 0 means the segment's first) up to `limit`, which must be a
    /// position that was forced, or [`Reader::END`] for everything in closed files.
    #[must_use]
    pub fn new(dir: Arc<dyn Dir>, base: &str, from: LogPos, limit: LogPos) -> Reader {
        let at = LogPos::new(from.file, from.offset.max(FIRST_EVENT));
        Reader { dir, base: base.to_string(), window: None, at, limit }
    }

    /// A limit behind everything.
    pub const END: LogPos = LogPos::new(u32::MAX, u32::MAX);

    /// Where the next event starts.
    #[must_use]
    pub fn position(&self) -> LogPos {
        self.at
    }

    /// Moves the limit forward, as the log is forced further.
    pub fn set_limit(&mut self, limit: LogPos) {
        self.limit = limit;
        // The file may have been cut to its exact size, or grown, since it was opened.
        self.window = None;
    }

    /// The next event of any kind; `None` at the limit. The event borrows the reader's buffer.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>> {
        if self.at >= self.limit || !self.open()? {
            return Ok(None);
        }
        let position = self.at;
        let offset = u64::from(position.offset);
        let Some((_, window)) = self.window.as_mut() else {
            return Ok(None);
        };
        let base = &self.base;
        let name = || segment_name(base, position.file);
        let found = event_at(window, offset).map_err(|error| LogError::io("read", &name())(error))?;
        let event = found.map_err(|problem| LogError::Damaged(Damage { file: name(), offset, problem }))?;
        self.at = match event.header.kind {
            // Both end the segment; the next one is opened when it is within the limit.
            EventKind::ROTATE | EventKind::STOP => LogPos::new(position.file.saturating_add(1), FIRST_EVENT),
            _ => LogPos::new(position.file, position.offset.saturating_add(event.header.length)),
        };
        Ok(Some(Event { position, ..event }))
    }

    /// Has the file of the next event open; `false` if it is the one behind the last.
    fn open(&mut self) -> Result<bool> {
        if self.window.as_ref().is_some_and(|(number, _)| *number == self.at.file) {
            return Ok(true);
        }
        let name = segment_name(&self.base, self.at.file);
        let file = match self.dir.open(&name, OpenMode::READ) {
            Ok(file) => file,
            Err(error)
                if Cause::of(&error) == Cause::Missing
                    && self.at.offset == FIRST_EVENT
                    && self.limit == Reader::END =>
            {
                return Ok(false);
            }
            Err(error) if Cause::of(&error) == Cause::Missing => {
                return Err(LogError::MissingSegment {
                    file: name,
                    because: "the log is to be read from it",
                });
            }
            Err(error) => return Err(LogError::io("open", &name)(error)),
        };
        let length = file.len().map_err(LogError::io("read the length of", &name))?;
        let limit =
            if self.at.file == self.limit.file { length.min(u64::from(self.limit.offset)) } else { length };
        let mut window = Window::new(file, limit);
        let magic = window.get(0..u64::from(FIRST_EVENT)).map_err(LogError::io("read", &name))?;
        if magic != MAGIC {
            let problem = Problem::Misplaced("the file does not begin as a binlog");
            return Err(LogError::Damaged(Damage { file: name, offset: 0, problem }));
        }
        self.window = Some((self.at.file, window));
        Ok(true)
    }

    /// The next whole group; `None` at the limit. Events between groups are passed over.
    pub fn next_group(&mut self) -> Result<Option<Group>> {
        let mut grouping = Grouping::default();
        let mut group: Option<Group> = None;
        let base = self.base.clone();
        let (mut number, mut file): (u32, Arc<str>) = (0, "".into());
        loop {
            let Some(event) = self.next_event()? else {
                return match group {
                    None => Ok(None),
                    Some(group) => Err(LogError::Damaged(Damage {
                        file: segment_name(&base, group.end.file),
                        offset: u64::from(group.end.offset),
                        problem: Problem::Misplaced("the group before this place has no end"),
                    })),
                };
            };
            if number != event.position.file {
                number = event.position.file;
                file = segment_name(&base, number).into();
            }
            let step = grouping.feed(&event.header, event.body()).map_err(|problem| {
                LogError::Damaged(Damage {
                    file: segment_name(&base, event.position.file),
                    offset: u64::from(event.position.offset),
                    problem,
                })
            })?;
            if step == Step::Begins {
                group = Some(Group {
                    begin: event.position,
                    end: event.position,
                    gtid: grouping.gtid,
                    commit_no: 0,
                    file: file.clone(),
                    bytes: Vec::new(),
                    events: Vec::new(),
                });
            }
            if let Some(group) = group.as_mut() {
                let start = group.bytes.len();
                group.bytes.extend_from_slice(event.bytes);
                group.events.push(start..group.bytes.len());
                group.end = event.end();
            }
            if step == Step::Ends
                && let Some(mut group) = group.take()
            {
                group.commit_no = grouping.commit_no;
                return Ok(Some(group));
            }
        }
    }
}
