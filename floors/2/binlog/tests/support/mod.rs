//! A small log's worth of groups with contents that a checker can recompute.
#![allow(dead_code)] // each test file uses a part

pub mod slow;

use binlog::event::{Body, Query, QueryStatus, RowChange, TableMapBuilder, flags2};
use binlog::{Group, GroupBuilder, GtidPlan, Log, LogPos, Options, Placed, SeqNo, Stamp};
use platform::clock::SimClock;
use std::sync::Arc;

pub const SERVER: u32 = 7;

/// Options with every knob at its nasty value.
pub fn nasty(seed: u64) -> Options {
    let mut options = Options::new(SERVER, "10.11.8-MariaDB-penstock-test");
    options.max_segment_bytes = 4 << 10;
    options.preallocate_bytes = 4 << 10;
    options.cleared_bytes = 4 << 10;
    options.max_round_bytes = 4 << 10;
    options.max_group_bytes = 64 << 10;
    options.key = Some(seed ^ 0x5EED);
    options.clock = Arc::new(SimClock::new(1_700_000_000_000_000));
    options
}

pub fn plan() -> GtidPlan {
    GtidPlan { domain: 0, server_id: SERVER, seq_no: SeqNo::Next }
}

/// A table `test.t (a INT, b VARCHAR(100))`.
pub fn table(id: u64) -> TableMapBuilder {
    let mut map = TableMapBuilder::new(id, b"test", b"t");
    map.column(3, &[], false);
    map.column(15, &[100, 0], true);
    map.signedness(&[false]);
    map.names([&b"a"[..], b"b"]);
    map
}

/// A row image of that table.
pub fn image(a: i32, b: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = vec![if b.is_none() { 0xFE } else { 0xFC }];
    bytes.extend_from_slice(&a.to_le_bytes());
    if let Some(b) = b {
        bytes.push(b.len() as u8);
        bytes.extend_from_slice(b);
    }
    bytes
}

/// Bytes that are never zero, different for each number.
pub fn text(number: u64, length: usize) -> Vec<u8> {
    let mut state = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            b'!' + (state % 90) as u8
        })
        .collect()
}

/// Fills the builder with transaction `number`: one of several shapes and sizes.
pub fn fill(group: &mut GroupBuilder, number: u64) {
    group.set_timestamp(1_700_000_000);
    let map = table(1);
    let map = map.as_map();
    match number % 6 {
        5 => {
            group.begin_private();
            let row = image(number as i32, Some(&text(number, 60)));
            group.row(&map, RowChange { before: None, after: Some(&row) });
            group.end_private();
        }
        4 => {
            group.begin_standalone(plan(), flags2::DDL | flags2::ALLOW_PARALLEL);
            let status = QueryStatus { flags2: Some(0), sql_mode: Some(0), ..QueryStatus::default() };
            let sql = format!("CREATE TABLE t{number} (a INT) /* {} */", number);
            group.private(binlog::event::PrivateKind(b'C'), &text(number, 30));
            group.query(
                &Query {
                    thread_id: 1,
                    execution_seconds: 0,
                    error_code: 0,
                    status,
                    database: b"test",
                    text: sql.as_bytes(),
                },
                0,
            );
        }
        kind => {
            group.begin_transaction(plan(), flags2::TRANSACTIONAL | flags2::ALLOW_PARALLEL);
            group.annotate(b"INSERT INTO t VALUES (...)");
            // Now and then larger than a round and than a sector.
            let rows = if kind == 3 { 40 } else { 1 + number as i32 % 4 };
            for row in 0..rows {
                let after = image(number as i32, Some(&text(number + row as u64, 90)));
                let before = image(number as i32, None);
                let change = match row % 3 {
                    0 => RowChange { before: None, after: Some(&after) },
                    1 => RowChange { before: Some(&before), after: Some(&after) },
                    _ => RowChange { before: Some(&before), after: None },
                };
                group.row(&map, change);
            }
            group.xid();
        }
    }
}

/// Appends transaction `number` with that commit number.
pub fn append(log: &Log, group: &mut GroupBuilder, number: u64) -> binlog::Result<Placed> {
    fill(group, number);
    log.append(group, |_| Stamp { commit_no: number, timestamp: None })
}

/// All groups from `from` on, read back.
pub fn read_all(log: &Log, from: LogPos) -> binlog::Result<Vec<Group>> {
    let mut reader = log.reader(from);
    let mut groups = Vec::new();
    while let Some(group) = reader.next_group()? {
        groups.push(group);
    }
    Ok(groups)
}

/// What a group holds, position and GTID left out: the same for the same transaction wherever it stands.
pub fn content(group: &Group) -> Vec<String> {
    group
        .bodies()
        .map(|body| match body.expect("decode").1 {
            Body::Gtid(gtid) => format!("gtid flags {}", gtid.flags2),
            Body::Private(private) => format!("private {:?} {:?}", private.kind, private.payload),
            body => format!("{body:?}"),
        })
        .collect()
}

/// The content that transaction `number` must have.
pub fn expected(number: u64) -> Vec<String> {
    let disk = platform::sim::Disk::new(1);
    let mut options = nasty(1);
    options.max_segment_bytes = 1 << 20;
    let (log, _) = Log::open(disk.dir(), options, None).expect("open");
    let mut group = GroupBuilder::new(SERVER, 1024);
    let placed = append(&log, &mut group, number).expect("append");
    log.force(placed.end).expect("force");
    content(&read_all(&log, placed.begin).expect("read")[0])
}
