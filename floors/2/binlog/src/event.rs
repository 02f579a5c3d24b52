//! Events: the common header, the checksum, and the bodies in the files of this folder.
//!
//! ```text
//!  0         4     5            9         13             17      19                    length-4
//! +---------+-----+------------+---------+--------------+-------+---------------------+-----------+
//! |timestamp|type | server id  | length  | end position | flags | body                | CRC-32    |
//! +---------+-----+------------+---------+--------------+-------+---------------------+-----------+
//! ```
//!
//! All little-endian. `length` counts header and checksum; `end position` is the offset of the next event in the
//! file, 0 in artificial events. The checksum is CRC-32 (IEEE) of everything before it. Decoders are total: bytes
//! from outside give a [`DecodeError`] or a [`Problem`], never a panic, and no length found sizes an allocation.

mod body;
mod cursor;
mod describe;
mod format;
mod gtid;
mod kind;
mod private;
mod query;
mod rows;
mod small;
mod table_map;
mod values;

pub use body::Body;
pub use format::{Checksums, FormatDescription};
pub use gtid::{GtidEvent, GtidList, XaId, flags2};
pub use kind::EventKind;
pub use private::{MARK_BYTES, Mark, PRIVATE_HEAD, PRIVATE_MAGIC, Private, PrivateKind, SegmentHead};
pub(crate) use private::{put_mark_body, put_private_head, put_segment_head_body};
pub use query::{Query, QueryStatus};
pub(crate) use rows::put_rows_head;
pub use rows::{RowChange, RowChanges, Rows, RowsChange, rows_flags};
pub use small::{Incident, Rotate, UserVar};
pub use table_map::{OptionalMetadata, TableMap, TableMapBuilder, metadata_kind};
pub use values::{image_length, value_length};

use crate::error::{DecodeError, Problem};
use crate::position::LogPos;
use checksum::crc32;

/// Bytes of the common header.
pub const HEADER_BYTES: usize = 19;
/// Bytes of the checksum behind the body.
pub const CRC_BYTES: usize = 4;
/// The smallest event: a header and a checksum.
pub const MIN_EVENT_BYTES: usize = HEADER_BYTES + CRC_BYTES;
/// Largest event that readers accept: 1 GiB.
pub const MAX_EVENT_BYTES: u32 = 1 << 30;

/// Flags in the common header.
pub mod flags {
    /// In a FORMAT_DESCRIPTION: the file is open for writing. Not covered by the checksum.
    pub const IN_USE: u16 = 0x1;
    /// The statement depends on its session (temporary tables).
    pub const THREAD_SPECIFIC: u16 = 0x4;
    /// Print no USE before the statement.
    pub const SUPPRESS_USE: u16 = 0x8;
    /// Made up for a replica, not in any file.
    pub const ARTIFICIAL: u16 = 0x20;
    /// Readers that do not know the type skip the event.
    pub const IGNORABLE: u16 = 0x80;
    /// Replicas configured so skip the event.
    pub const SKIP_REPLICATION: u16 = 0x8000;
}

/// The common header of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Seconds since 1970; 0 in artificial events.
    pub timestamp: u32,
    /// What the body holds.
    pub kind: EventKind,
    /// The server that wrote it first.
    pub server_id: u32,
    /// Bytes of the event, header and checksum included.
    pub length: u32,
    /// Offset of the next event in the file.
    pub end: u32,
    /// See [`flags`].
    pub flags: u16,
}

impl Header {
    /// Decodes the first 19 bytes of an event; `None` when there are fewer.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Header> {
        let bytes: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        let u32_at = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        Some(Header {
            timestamp: u32_at(0),
            kind: EventKind(bytes[4]),
            server_id: u32_at(5),
            length: u32_at(9),
            end: u32_at(13),
            flags: u16::from_le_bytes([bytes[17], bytes[18]]),
        })
    }

    /// The header's bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0..4].copy_from_slice(&self.timestamp.to_le_bytes());
        bytes[4] = self.kind.0;
        bytes[5..9].copy_from_slice(&self.server_id.to_le_bytes());
        bytes[9..13].copy_from_slice(&self.length.to_le_bytes());
        bytes[13..17].copy_from_slice(&self.end.to_le_bytes());
        bytes[17..19].copy_from_slice(&self.flags.to_le_bytes());
        bytes
    }

    /// Whether the length can be one of an event in a place of `available` bytes.
    pub fn check_length(&self, available: u64) -> Result<(), Problem> {
        if (self.length as usize) < MIN_EVENT_BYTES
            || self.length > MAX_EVENT_BYTES
            || u64::from(self.length) > available
        {
            return Err(Problem::Length { found: self.length, available });
        }
        Ok(())
    }
}

/// The checksum that belongs behind `event`, which comes without it. The in-use flag counts as cleared.
#[must_use]
pub fn event_checksum(event: &[u8]) -> u32 {
    if event.len() > 18 && event[4] == EventKind::FORMAT_DESCRIPTION.0 && event[17] & 1 != 0 {
        let low = [event[17] & !1];
        return checksum::Crc32::new().update(&event[..17]).update(&low).update(&event[18..]).value();
    }
    crc32(event)
}

/// Checks a whole event found at `offset` of a file: length, end position and checksum.
pub fn check_event(bytes: &[u8], offset: u64) -> Result<Header, Problem> {
    let available = bytes.len() as u64;
    let Some(header) = Header::decode(bytes) else {
        return Err(Problem::Missing);
    };
    header.check_length(available)?;
    if u64::from(header.length) != available {
        return Err(Problem::Length { found: header.length, available });
    }
    let (covered, stored) = bytes.split_at(bytes.len() - CRC_BYTES);
    let found = u32::from_le_bytes([stored[0], stored[1], stored[2], stored[3]]);
    let expected = event_checksum(covered);
    if expected != found {
        return Err(Problem::Checksum { expected, found });
    }
    // After the checksum: with a wrong one, the end position is only another symptom.
    let end = offset + available;
    if u64::from(header.end) != end {
        return Err(Problem::EndPosition { expected: end, found: header.end });
    }
    Ok(header)
}

/// An event whose length and checksum were checked, in the bytes of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// Where it starts in the log.
    pub position: LogPos,
    /// Its header.
    pub header: Header,
    /// Header, body and checksum as in the file.
    pub bytes: &'a [u8],
}

impl<'a> Event<'a> {
    /// The bytes between header and checksum.
    #[must_use]
    pub fn body(&self) -> &'a [u8] {
        self.bytes.get(HEADER_BYTES..self.bytes.len().saturating_sub(CRC_BYTES)).unwrap_or(&[])
    }

    /// Decodes the body by the header's type.
    pub fn decode(&self) -> Result<Body<'a>, DecodeError> {
        Body::decode(self.header.kind, self.header.flags, self.body())
    }

    /// Whether it is one of our own events, which replicas never get.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.header.kind == EventKind::IGNORABLE && Private::decode(self.body()).is_ok()
    }

    /// Where the next event starts.
    #[must_use]
    pub fn end(&self) -> LogPos {
        LogPos::new(self.position.file, self.position.offset.saturating_add(self.header.length))
    }
}

/// Appends a whole event with checksum at `offset` of a file: for heads of segments, marks and generated events.
pub fn put_event(out: &mut Vec<u8>, mut header: Header, offset: u64, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[0; HEADER_BYTES]);
    body(out);
    let length = out.len() - start + CRC_BYTES;
    header.length = length as u32;
    header.end = (offset + length as u64) as u32;
    out[start..start + HEADER_BYTES].copy_from_slice(&header.encode());
    let sum = event_checksum(&out[start..]);
    out.extend_from_slice(&sum.to_le_bytes());
}
