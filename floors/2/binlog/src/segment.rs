//! The head of a segment, and the bytes that are changed in place when it ends.
//!
//! ```text
//!  0      4                      256
//! +------+----------------------+-----------+-------------------+------------------------+----------
//! | magic| FORMAT_DESCRIPTION   | GTID_LIST | BINLOG_CHECKPOINT | private: segment head  | rounds ...
//! +------+----------------------+-----------+-------------------+------------------------+----------
//! ```
//!
//! The in-use flag, bit 0 of byte 21, is set while the segment is written and cleared when it has ended. Checksums
//! are computed as if it were 0.

use crate::event::{
    Checksums, EventKind, FormatDescription, GtidList, Header, Mark, Rotate, SegmentHead, flags, put_event,
    put_mark_body, put_segment_head_body,
};
use crate::gtid::GtidState;
use crate::position::{LogPos, segment_name};

/// The first bytes of every segment.
pub const MAGIC: [u8; 4] = [0xFE, b'b', b'i', b'n'];
/// Where the first event starts.
pub const FIRST_EVENT: u32 = 4;
/// Offset of the byte with the in-use flag.
pub(crate) const IN_USE_AT: u64 = 4 + 17;
/// Bytes that a segment needs behind its last group: the marks and events that end it.
pub(crate) const ENDING_BYTES: u64 = 1024;
/// Bytes that the head of a segment has without its GTIDs.
pub(crate) const HEAD_BYTES_MAX: u64 = 1 << 20;

/// What the head of a new segment says.
pub(crate) struct HeadPlan<'a> {
    pub base: &'a str,
    pub number: u32,
    pub server_id: u32,
    pub server_version: &'a str,
    pub timestamp: u32,
    /// The first segment after a start of the server.
    pub first: bool,
    pub gtids: &'a GtidState,
    pub checkpoint: u32,
    pub key: u64,
    pub max_flight: u32,
    pub previous_end: LogPos,
}

/// The bytes of a segment's head, the in-use flag set.
pub(crate) fn encode_head(plan: &HeadPlan<'_>) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    let header = |kind: EventKind, flags: u16| Header {
        timestamp: plan.timestamp,
        kind,
        server_id: plan.server_id,
        length: 0,
        end: 0,
        flags,
    };
    let description = FormatDescription {
        server_version: plan.server_version.as_bytes(),
        created: if plan.first { plan.timestamp } else { 0 },
        checksums: Checksums::Crc32,
    };
    let at = out.len() as u64;
    put_event(&mut out, header(EventKind::FORMAT_DESCRIPTION, flags::IN_USE), at, |body| {
        description.encode(body);
    });
    let at = out.len() as u64;
    let list = GtidList { flags: 0, gtids: plan.gtids.all().collect() };
    put_event(&mut out, header(EventKind::GTID_LIST, 0), at, |body| list.encode(body));
    let at = out.len() as u64;
    let checkpoint = segment_name(plan.base, plan.checkpoint);
    put_event(&mut out, header(EventKind::BINLOG_CHECKPOINT, 0), at, |body| {
        body.extend_from_slice(&(checkpoint.len() as u32).to_le_bytes());
        body.extend_from_slice(checkpoint.as_bytes());
    });
    let at = out.len() as u64;
    let mut head = SegmentHead {
        file: plan.number,
        head_bytes: 0,
        key: plan.key,
        max_flight: plan.max_flight,
        previous_end: plan.previous_end.to_u64(),
    };
    head.head_bytes = at as u32 + SEGMENT_HEAD_BYTES;
    put_event(&mut out, header(EventKind::IGNORABLE, flags::IGNORABLE), at, |body| {
        put_segment_head_body(body, &head);
    });
    assert_eq!(out.len() as u32, head.head_bytes, "the head ends where it says");
    out
}

/// Bytes of the private event that ends a head.
const SEGMENT_HEAD_BYTES: u32 = 19 + 13 + 28 + 4;

/// The mark event of a round.
pub(crate) fn encode_mark(offset: u32, timestamp: u32, server_id: u32, mark: &Mark) -> Vec<u8> {
    let mut out = Vec::new();
    let kind = EventKind::IGNORABLE;
    let header = Header { timestamp, kind, server_id, length: 0, end: 0, flags: flags::IGNORABLE };
    put_event(&mut out, header, u64::from(offset), |body| put_mark_body(body, mark));
    out
}

/// How a segment ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The log goes on in the next segment.
    Rotate { next: String },
    /// The log was closed.
    Stop,
}

/// The last event of a segment.
pub(crate) fn encode_ending(offset: u32, timestamp: u32, server_id: u32, ending: &Ending) -> Vec<u8> {
    let mut out = Vec::new();
    let kind = match ending {
        Ending::Rotate { .. } => EventKind::ROTATE,
        Ending::Stop => EventKind::STOP,
    };
    let header = Header { timestamp, kind, server_id, length: 0, end: 0, flags: 0 };
    put_event(&mut out, header, u64::from(offset), |body| {
        if let Ending::Rotate { next } = ending {
            Rotate { position: u64::from(FIRST_EVENT), file: next.as_bytes() }.encode(body);
        }
    });
    out
}
