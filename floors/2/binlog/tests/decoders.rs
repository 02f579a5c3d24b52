//! Decoders against a binary log of MariaDB 10.11.19 (`data/mariadb-10.11.binlog`, made by the statements beside it
//! with `--binlog-row-metadata=FULL --server-id=11`), and against the same bytes damaged.

use binlog::LogPos;
use binlog::event::{
    Body, Event, EventKind, FormatDescription, GtidEvent, GtidList, HEADER_BYTES, Header, Query, Rotate,
    Rows, RowsChange, TableMap, check_event, image_length, value_length,
};
use platform::sim::Rng;
use std::collections::BTreeMap;

const FILE: &[u8] = include_bytes!("data/mariadb-10.11.binlog");

/// The file's events: offset, header, body.
fn events() -> Vec<(u64, Header, &'static [u8])> {
    let mut events = Vec::new();
    let mut at = 4;
    while at < FILE.len() {
        let length = Header::decode(&FILE[at..]).expect("header").length as usize;
        let bytes = &FILE[at..at + length];
        let header = check_event(bytes, at as u64).unwrap_or_else(|problem| panic!("{at}: {problem}"));
        events.push((at as u64, header, &bytes[HEADER_BYTES..length - 4]));
        at += length;
    }
    events
}

#[test]
fn every_event_of_mariadb_decodes() {
    let mut counts: BTreeMap<EventKind, usize> = BTreeMap::new();
    for (offset, header, body) in events() {
        *counts.entry(header.kind).or_default() += 1;
        let decoded =
            Body::decode(header.kind, header.flags, body).unwrap_or_else(|error| panic!("{offset}: {error}"));
        assert!(!matches!(decoded, Body::Other(_)), "{offset}: {header:?}");
    }
    for kind in [
        EventKind::FORMAT_DESCRIPTION,
        EventKind::GTID_LIST,
        EventKind::BINLOG_CHECKPOINT,
        EventKind::GTID,
        EventKind::QUERY,
        EventKind::ANNOTATE_ROWS,
        EventKind::TABLE_MAP,
        EventKind::WRITE_ROWS_V1,
        EventKind::UPDATE_ROWS_V1,
        EventKind::DELETE_ROWS_V1,
        EventKind::XID,
        EventKind::XA_PREPARE,
        EventKind::INTVAR,
        EventKind::RAND,
        EventKind::USER_VAR,
        EventKind::ROTATE,
    ] {
        assert!(counts.contains_key(&kind), "the file has no {kind:?}: {counts:?}");
    }
}

/// What SHOW BINLOG EVENTS of the MariaDB server that wrote the file said about it.
#[test]
fn events_are_described_in_mariadbs_words() {
    let mut lines = include_str!("data/mariadb-10.11.show.txt").lines().skip(1);
    for (offset, header, _) in events() {
        let bytes = &FILE[offset as usize..][..header.length as usize];
        let event = Event { position: LogPos::new(1, offset as u32), header, bytes };
        let columns: Vec<&str> = lines.next().expect("a line for each event").split('\t').collect();
        assert_eq!(columns[1], offset.to_string());
        assert_eq!(columns[2], header.kind.name());
        assert_eq!(columns[4], header.end.to_string());
        // Names of character sets stand in it, which another room knows.
        if header.kind != EventKind::USER_VAR {
            assert_eq!(columns[5], event.describe().expect("decodes"));
        }
    }
    assert_eq!(lines.next(), None);
}

/// What we encode is what MariaDB wrote, byte for byte.
#[test]
fn encoding_again_gives_the_same_bytes() {
    for (offset, header, body) in events() {
        let mut out = Vec::new();
        match Body::decode(header.kind, header.flags, body).expect("decode") {
            Body::FormatDescription(event) => FormatDescription::encode(&event, &mut out),
            Body::GtidList(event) => GtidList::encode(&event, &mut out),
            Body::Rotate(event) => Rotate::encode(&event, &mut out),
            Body::TableMap(event) => TableMap::encode(&event, &mut out),
            Body::Query(event) => Query::encode(&event, &mut out),
            // Extra flags, which we do not write, follow XA transactions.
            Body::Gtid(event) if event.xa.is_none() => GtidEvent::encode(&event, &mut out),
            _ => continue,
        }
        assert_eq!(out, body, "{offset}: {header:?}");
    }
}

/// The tables mapped so far, and each rows event with its map.
fn rows_events() -> Vec<(TableMap<'static>, Rows<'static>)> {
    let mut maps = BTreeMap::new();
    let mut found = Vec::new();
    for (offset, header, body) in events() {
        match Body::decode(header.kind, header.flags, body).expect("decode") {
            Body::TableMap(map) => drop(maps.insert(map.table_id, map)),
            Body::Rows(rows) => {
                found.push((*maps.get(&rows.table_id).unwrap_or_else(|| panic!("{offset}: no map")), rows));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn rows_split_into_images_of_all_types() {
    let mut changes = BTreeMap::new();
    for (map, rows) in rows_events() {
        assert_eq!(map.database, b"d");
        let mut bytes = 0;
        for change in rows.changes(&map).expect("same columns") {
            let change = change.expect("image");
            bytes += change.before.map_or(0, <[u8]>::len) + change.after.map_or(0, <[u8]>::len);
            *changes.entry((map.table.to_vec(), rows.change as u8)).or_insert(0) += 1;
        }
        assert_eq!(bytes, rows.images.len(), "the images are used up");
    }
    let count = |table: &str, change: RowsChange| changes[&(table.as_bytes().to_vec(), change as u8)];
    assert_eq!(count("t", RowsChange::Write), 6);
    assert_eq!(count("t", RowsChange::Update), 3);
    assert_eq!(count("t", RowsChange::Delete), 1);
    // Two by their statement, one each by those logged as text: format STATEMENT and a value that RAND() gave.
    assert_eq!(count("m", RowsChange::Write), 2);
}

#[test]
fn values_of_a_row_have_the_lengths_that_they_were_inserted_with() {
    let (map, rows) = rows_events().into_iter().next().expect("rows");
    let image = rows
        .changes(&map)
        .expect("same columns")
        .next()
        .expect("a row")
        .expect("image")
        .after
        .expect("after");
    let mut at = map.types.len().div_ceil(8);
    let mut values = Vec::new();
    for (kind, metadata) in map.columns() {
        let length = value_length(kind, metadata, &image[at..]).expect("value");
        values.push(&image[at..at + length]);
        at += length;
    }
    assert_eq!(at, image.len());
    assert_eq!(image_length(&map, rows.present, image), Ok(image.len()));
    assert_eq!(values[0], [0xFF]);
    assert_eq!(values[7].len(), 5, "DECIMAL(10,2)");
    assert_eq!(values[8].len(), 30, "DECIMAL(65,30)");
    assert_eq!(values[14], b"\x07\x00varchar");
    assert_eq!(values[15], b"\x02vb");
    assert_eq!(values[16], b"\x05\x00chars");
    assert_eq!(values[17], b"\x03bin");
    assert_eq!(values[18], b"\x04\x00text");
    assert_eq!(values[19], b"\x04\x00\x00\x00long");
    assert_eq!(values[20], b"\x04tiny");
    assert_eq!((values[21], values[22], values[23].len()), (&[2][..], &[5][..], 2));
    let names: Vec<u8> = map
        .optional()
        .map(|item| item.expect("optional metadata"))
        .find(|item| item.kind == binlog::event::metadata_kind::COLUMN_NAME)
        .map(|item| item.value.to_vec())
        .expect("names");
    assert!(names.starts_with(b"\x02i1\x02i2\x02i3\x02i4"));
}

/// Any bytes: every decoder ends, with a value or an error, and allocates nothing by lengths that it found.
#[test]
fn damaged_bodies_do_no_harm() {
    let mut rng = Rng::new(7);
    let originals = events();
    let maps: Vec<TableMap<'_>> = rows_events().into_iter().map(|(map, _)| map).collect();
    for _ in 0..60_000 {
        let (_, header, body) = rng.pick(&originals);
        let mut bytes = body.to_vec();
        for _ in 0..=rng.below(4) {
            match rng.below(4) {
                0 => bytes.truncate(rng.below(bytes.len() as u64 + 1) as usize),
                1 if !bytes.is_empty() => {
                    let at = rng.below(bytes.len() as u64) as usize;
                    bytes[at] = *rng.pick(&[0, 1, 0x7F, 0x80, 0xFA, 0xFC, 0xFD, 0xFE, 0xFF]);
                }
                2 if !bytes.is_empty() => {
                    let at = rng.below(bytes.len() as u64) as usize;
                    bytes[at] = rng.next_u64() as u8;
                }
                _ => bytes.push(rng.next_u64() as u8),
            }
        }
        let kind = if rng.one_in(8) { EventKind(rng.next_u64() as u8) } else { header.kind };
        match Body::decode(kind, 0x80, &bytes) {
            Ok(Body::Rows(rows)) => {
                if let Ok(changes) = rows.changes(rng.pick(&maps)) {
                    assert!(changes.count() <= bytes.len() + 1);
                }
            }
            Ok(Body::TableMap(map)) => {
                assert!(map.optional().count() <= bytes.len() + 1);
                assert_eq!(map.columns().count(), map.types.len());
                let _ = image_length(&map, &[0xFF; 4], body);
            }
            Ok(_) | Err(_) => {}
        }
        let _ = check_event(&bytes, rng.next_u64() >> 32);
    }
}

#[test]
fn a_flipped_bit_anywhere_in_an_event_is_noticed() {
    for (offset, header, _) in events() {
        let start = offset as usize;
        let event = &FILE[start..start + header.length as usize];
        for bit in (0..event.len() * 8).step_by(5) {
            let mut bytes = event.to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let in_use = header.kind == EventKind::FORMAT_DESCRIPTION && bit == 17 * 8;
            assert_eq!(check_event(&bytes, offset).is_ok(), in_use, "{offset} bit {bit}");
        }
    }
}
