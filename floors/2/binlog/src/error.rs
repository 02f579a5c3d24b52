//! What can go wrong in the log, by operation.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::position::LogPos;

/// A place in an event's body where decoding stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What was to be read, as a noun phrase.
    pub what: &'static str,
    /// Offset in the event's body.
    pub at: usize,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read {} at byte {} of the event's body", self.what, self.at)
    }
}

impl std::error::Error for DecodeError {}

/// What is wrong with the bytes at an event's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The checksum over the event is not the one stored in it.
    Checksum {
        /// Computed from the bytes found.
        expected: u32,
        /// Stored behind them.
        found: u32,
    },
    /// The length in the header is impossible here.
    Length {
        /// The length that the header claims.
        found: u32,
        /// The bytes there are up to the end of the file, or of what may be read.
        available: u64,
    },
    /// The end position in the header is not where the event ends.
    EndPosition {
        /// Where the event ends.
        expected: u64,
        /// What the header says.
        found: u32,
    },
    /// The file ends, or zeros begin, where an event should be.
    Missing,
    /// The event's own bytes are right but it may not stand here.
    Misplaced(&'static str),
    /// The body does not decode although its checksum is right.
    Body(DecodeError),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Checksum { expected, found } => {
                write!(f, "checksum is {found:08x}, computed {expected:08x}")
            }
            Problem::Length { found, available } => {
                write!(f, "event length {found} is impossible, {available} bytes are there")
            }
            Problem::EndPosition { expected, found } => {
                write!(f, "end position is {found}, the event ends at {expected}")
            }
            Problem::Missing => f.write_str("an event should follow here, the file holds none"),
            Problem::Misplaced(what) => f.write_str(what),
            Problem::Body(error) => error.fmt(f),
        }
    }
}

/// A damaged place of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The segment's file name.
    pub file: String,
    /// Offset of the event in the file.
    pub offset: u64,
    /// What is wrong there.
    pub problem: Problem,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "file {} offset {}: {}", self.file, self.offset, self.problem)
    }
}

/// An error of the log.
#[derive(Clone, Debug)]
pub enum LogError {
    /// The operating system refused.
    Io {
        /// The operation, as a verb phrase.
        doing: &'static str,
        /// The file it was done to.
        file: String,
        /// The system's error.
        source: Arc<io::Error>,
    },
    /// No room to grow the log. Nothing of the group was placed or written: it may be tried again.
    NoSpace {
        /// The file that could not grow.
        file: String,
        /// The system's error.
        source: Arc<io::Error>,
    },
    /// The bytes at an event's place are wrong.
    Damaged(Damage),
    /// Damage that no crash explains: the log must not be opened for writing.
    Rot {
        /// The place.
        damage: Damage,
        /// Why it cannot be a write that was in flight at a crash.
        evidence: String,
    },
    /// A segment that must exist does not.
    MissingSegment {
        /// Its file name.
        file: String,
        /// Who says that it must exist.
        because: &'static str,
    },
    /// The index file does not make sense.
    Index {
        /// The line number, from 1.
        line: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// A position that is not the start of a group, or outside of the log.
    Position {
        /// The position asked for.
        position: LogPos,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A group larger than the log takes.
    GroupTooLarge {
        /// Its bytes.
        bytes: u64,
        /// The most allowed.
        limit: u64,
    },
    /// A write or force failed before: nothing more is known or accepted.
    Poisoned {
        /// The first failure.
        first: Arc<str>,
    },
    /// The log was closed.
    Closed,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::Io { doing, file, source } => write!(f, "{doing} {file}: {source}"),
            LogError::NoSpace { file, source } => write!(f, "grow {file}: {source}"),
            LogError::Damaged(damage) => write!(f, "read the log: {damage}"),
            LogError::Rot { damage, evidence } => {
                write!(f, "the log is damaged, and not by a crash ({evidence}): {damage}")
            }
            LogError::MissingSegment { file, because } => write!(f, "open {file}: missing, but {because}"),
            LogError::Index { line, problem } => write!(f, "read the log's index, line {line}: {problem}"),
            LogError::Position { position, problem } => write!(f, "read the log at {position}: {problem}"),
            LogError::GroupTooLarge { bytes, limit } => {
                write!(f, "append a group of {bytes} bytes: at most {limit} are possible")
            }
            LogError::Poisoned { first } => write!(f, "the log stopped after a failure: {first}"),
            LogError::Closed => f.write_str("the log is closed"),
        }
    }
}

impl std::error::Error for LogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LogError::Io { source, .. } | LogError::NoSpace { source, .. } => Some(source.as_ref()),
            _ => None,
        }
    }
}

impl LogError {
    /// An I/O error with its operation and file.
    pub(crate) fn io(doing: &'static str, file: &str) -> impl FnOnce(io::Error) -> LogError {
        let file = file.to_string();
        move |source| LogError::Io { doing, file, source: Arc::new(source) }
    }
}

/// Results of the log.
pub type Result<T, E = LogError> = std::result::Result<T, E>;
