//! Places in the log and the names of its files.

use std::fmt;

/// The base name that segments and index share.
pub const DEFAULT_BASE: &str = "binlog";

/// A place in the log: the number of a segment and an offset in it. Ordered as the log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LogPos {
    /// The segment's number, from 1.
    pub file: u32,
    /// Offset in the segment; the first event starts at 4.
    pub offset: u32,
}

impl LogPos {
    /// A place.
    #[must_use]
    pub const fn new(file: u32, offset: u32) -> LogPos {
        LogPos { file, offset }
    }

    /// One number that orders as the position does.
    #[must_use]
    pub const fn to_u64(self) -> u64 {
        ((self.file as u64) << 32) | self.offset as u64
    }

    /// The position that [`LogPos::to_u64`] gave.
    #[must_use]
    pub const fn from_u64(value: u64) -> LogPos {
        LogPos { file: (value >> 32) as u32, offset: value as u32 }
    }
}

impl fmt::Display for LogPos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06}:{}", self.file, self.offset)
    }
}

/// The name of segment `number`: base, dot, at least six digits.
#[must_use]
pub fn segment_name(base: &str, number: u32) -> String {
    format!("{base}.{number:06}")
}

/// The number in a segment's name, if it is one of `base`.
#[must_use]
pub fn segment_number(base: &str, name: &str) -> Option<u32> {
    let digits = name.strip_prefix(base)?.strip_prefix('.')?;
    if digits.len() < 6 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u32 = digits.parse().ok()?;
    // One name a number: no extra leading zeros.
    (number > 0 && segment_name(base, number) == name).then_some(number)
}

/// The name of the index file.
#[must_use]
pub fn index_name(base: &str) -> String {
    format!("{base}.index")
}
