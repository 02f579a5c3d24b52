//! Our own events: type IGNORABLE (28) with flag 0x80, which every reader of binlogs skips.
//!
//! ```text
//!  0      4      5               13
//! +------+------+---------------+---------------------------+
//! | PNST | kind | commit number | payload                   |
//! +------+------+---------------+---------------------------+
//! ```
//!
//! The commit number is patched in the ordering step, 0 where there is none. Payloads by kind:
//!
//! ```text
//! M mark          file number u32 | bytes of the round u32 | log key u64
//! H segment head  file number u32 | bytes of the head u32  | log key u64 | largest flight u32 | previous end u64
//! B begin         (empty)          a group that replicas never get
//! W wrapped       type u8 | body   an ordinary event inside such a group
//! E end           (empty)
//! others          the engine's
//! ```

use super::cursor::Cursor;
use super::{CRC_BYTES, HEADER_BYTES};
use crate::error::DecodeError;

/// The first bytes of the body.
pub const PRIVATE_MAGIC: [u8; 4] = *b"PNST";
/// Bytes of the body before the payload.
pub const PRIVATE_HEAD: usize = 13;
/// Bytes of a whole mark event.
pub const MARK_BYTES: usize = HEADER_BYTES + PRIVATE_HEAD + 16 + CRC_BYTES;

/// The kind byte of a private event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrivateKind(pub u8);

impl PrivateKind {
    /// The first event of a round: all before it was forced when it was written.
    pub const MARK: PrivateKind = PrivateKind(b'M');
    /// The last event of a segment's head.
    pub const SEGMENT_HEAD: PrivateKind = PrivateKind(b'H');
    /// Opens a group that replicas never get.
    pub const BEGIN: PrivateKind = PrivateKind(b'B');
    /// An ordinary event inside such a group.
    pub const WRAPPED: PrivateKind = PrivateKind(b'W');
    /// Closes such a group.
    pub const END: PrivateKind = PrivateKind(b'E');

    /// One of the kinds above.
    pub(crate) const fn is_own(self) -> bool {
        matches!(self.0, b'M' | b'H' | b'B' | b'W' | b'E')
    }
}

/// A decoded private event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Private<'a> {
    /// What the payload is.
    pub kind: PrivateKind,
    /// The commit number of its group, 0 where there is none.
    pub commit_no: u64,
    /// The rest of the body.
    pub payload: &'a [u8],
}

impl<'a> Private<'a> {
    /// Decodes the body of an IGNORABLE event; an error if it is not one of ours.
    pub fn decode(body: &'a [u8]) -> Result<Private<'a>, DecodeError> {
        let mut cursor = Cursor::new(body);
        if cursor.take(4, "private event's magic")? != PRIVATE_MAGIC {
            return Err(DecodeError { what: "private event's magic", at: 0 });
        }
        let kind = PrivateKind(cursor.u8("private event's kind")?);
        let commit_no = cursor.u64("commit number")?;
        Ok(Private { kind, commit_no, payload: cursor.rest() })
    }
}

/// Appends the part of the body before the payload, the commit number open.
pub(crate) fn put_private_head(out: &mut Vec<u8>, kind: PrivateKind) {
    out.extend_from_slice(&PRIVATE_MAGIC);
    out.push(kind.0);
    out.extend_from_slice(&[0; 8]);
}

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The segment that it was written for.
    pub file: u32,
    /// Bytes of the round, from the mark's first on.
    pub round_bytes: u32,
    /// The log's key: bytes that users store cannot pose as marks.
    pub key: u64,
}

impl Mark {
    /// Decodes the payload.
    pub fn decode(payload: &[u8]) -> Result<Mark, DecodeError> {
        let mut cursor = Cursor::new(payload);
        let mark = Mark {
            file: cursor.u32("mark's file")?,
            round_bytes: cursor.u32("mark's round")?,
            key: cursor.u64("mark's key")?,
        };
        if cursor.is_empty() { Ok(mark) } else { Err(cursor.error("end of the mark")) }
    }
}

/// Appends the body of a mark.
pub(crate) fn put_mark_body(out: &mut Vec<u8>, mark: &Mark) {
    put_private_head(out, PrivateKind::MARK);
    out.extend_from_slice(&mark.file.to_le_bytes());
    out.extend_from_slice(&mark.round_bytes.to_le_bytes());
    out.extend_from_slice(&mark.key.to_le_bytes());
}

/// What a segment's head says about the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentHead {
    /// The segment's number.
    pub file: u32,
    /// Offset where the head ends and the first round starts.
    pub head_bytes: u32,
    /// See [`Mark::key`].
    pub key: u64,
    /// No round of this segment is longer.
    pub max_flight: u32,
    /// Where the segment before ended, as [`crate::LogPos::to_u64`]; 0 for the first.
    pub previous_end: u64,
}

impl SegmentHead {
    /// Decodes the payload.
    pub fn decode(payload: &[u8]) -> Result<SegmentHead, DecodeError> {
        let mut cursor = Cursor::new(payload);
        let head = SegmentHead {
            file: cursor.u32("segment's number")?,
            head_bytes: cursor.u32("segment head's length")?,
            key: cursor.u64("segment's key")?,
            max_flight: cursor.u32("segment's largest flight")?,
            previous_end: cursor.u64("end of the segment before")?,
        };
        if cursor.is_empty() { Ok(head) } else { Err(cursor.error("end of the segment head")) }
    }
}

/// Appends the body of a segment head.
pub(crate) fn put_segment_head_body(out: &mut Vec<u8>, head: &SegmentHead) {
    put_private_head(out, PrivateKind::SEGMENT_HEAD);
    out.extend_from_slice(&head.file.to_le_bytes());
    out.extend_from_slice(&head.head_bytes.to_le_bytes());
    out.extend_from_slice(&head.key.to_le_bytes());
    out.extend_from_slice(&head.max_flight.to_le_bytes());
    out.extend_from_slice(&head.previous_end.to_le_bytes());
}
