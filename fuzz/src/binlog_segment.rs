//! A log segment: event headers, checksums, bodies of every kind, row images.

use binlog::event::{Body, EventKind, Header, Private, TableMap, check_event};

/// Bytes in front of the first event of a file.
const MAGIC: usize = 4;
/// Of an event header, and of the checksum behind an event.
const HEADER: usize = 19;
const CHECKSUM: usize = 4;

/// A segment that MariaDB 10.11 wrote: DDL, rows with every column type, XA, statements.
pub const MARIADB_SEGMENT: &[u8] = include_bytes!("../seeds/mariadb-10.11-rows.binlog");

/// Walks `data` as a segment, by its lengths, without regard to the checksums; and takes it as the body of each
/// type of event.
pub fn run(data: &[u8]) {
    events(data, body_of);
    let body = data.get(1..).unwrap_or(&[]);
    body_of(EventKind(data.first().copied().unwrap_or(0)), 0x80, body, &mut None);
}

/// Calls `visit` with each event of a segment: type, flags, body, and the last table map.
pub fn events<'a>(
    data: &'a [u8],
    mut visit: impl FnMut(EventKind, u16, &'a [u8], &mut Option<TableMap<'a>>),
) {
    let mut map = None;
    let mut at = MAGIC;
    while let Some(rest) = data.get(at..) {
        let Some(header) = Header::decode(rest) else { return };
        if header.check_length(rest.len() as u64).is_err() {
            return;
        }
        let event = &rest[..header.length as usize];
        let _ = check_event(event, at as u64);
        visit(header.kind, header.flags, &event[HEADER..event.len() - CHECKSUM], &mut map);
        at += event.len();
    }
}

fn body_of<'a>(kind: EventKind, flags: u16, body: &'a [u8], map: &mut Option<TableMap<'a>>) {
    match Body::decode(kind, flags, body) {
        Ok(Body::TableMap(decoded)) => *map = Some(decoded),
        Ok(Body::Rows(rows)) => {
            if let Some(map) = map {
                rows.changes(map).into_iter().flatten().for_each(drop);
            }
        }
        Ok(Body::Private(private)) => marks(&private),
        _ => {}
    }
}

fn marks(private: &Private<'_>) {
    let _ = binlog::event::Mark::decode(private.payload);
    let _ = binlog::event::SegmentHead::decode(private.payload);
}

/// The segment, and the body of each of its events behind its type.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = vec![MARIADB_SEGMENT.to_vec()];
    events(MARIADB_SEGMENT, |kind, _, body, _| seeds.push([&[kind.0], body].concat()));
    seeds
}
