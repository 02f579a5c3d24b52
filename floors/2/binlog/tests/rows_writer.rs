//! Rows into events and back: any sequence of statements, tables, changes, savepoints and rollbacks.

mod support;

use binlog::event::{Body, RowChange, Rows, TableMap, TableMapBuilder, flags2, rows_flags};
use binlog::{Group, GroupBuilder, Log, Stamp};
use platform::sim::{Disk, Rng};
use std::collections::BTreeMap;
use support::*;

/// A changed row: table, image before, image after.
type Change = (u64, Option<Vec<u8>>, Option<Vec<u8>>);

fn tables() -> Vec<TableMapBuilder> {
    (1..=3)
        .map(|id| {
            let mut map = TableMapBuilder::new(id, b"test", format!("t{id}").as_bytes());
            map.column(3, &[], false);
            map.column(15, &[100, 0], true);
            map
        })
        .collect()
}

fn random_change(rng: &mut Rng) -> Change {
    let table = 1 + rng.below(3);
    let mut row = || {
        let length = rng.below(100) as usize;
        let value = text(rng.next_u64(), length);
        image(rng.next_u64() as i32, Some(value.as_slice()).filter(|_| !length.is_multiple_of(5)))
    };
    let (before, after) = (row(), row());
    match rng.below(3) {
        0 => (table, None, Some(after)),
        1 => (table, Some(before), Some(after)),
        _ => (table, Some(before), None),
    }
}

/// Builds a random transaction; returns what it must contain.
fn build(group: &mut GroupBuilder, rng: &mut Rng) -> Vec<Change> {
    let maps = tables();
    let mut wanted: Vec<Change> = Vec::new();
    group.begin_transaction(plan(), flags2::TRANSACTIONAL);
    for _ in 0..=rng.below(5) {
        let (mark, count) = (group.mark(), wanted.len());
        group.begin_statement(if rng.one_in(2) { rows_flags::NO_FOREIGN_KEY_CHECKS } else { 0 });
        if rng.one_in(2) {
            group.annotate(b"a statement");
        }
        if rng.one_in(2) {
            maps.iter().for_each(|map| group.map_table(&map.as_map()));
        }
        for _ in 0..rng.below(12) {
            let change = random_change(rng);
            let map = maps[change.0 as usize - 1].as_map();
            let (before, after) = (change.1.as_deref(), change.2.as_deref());
            group.row(&map, RowChange { before, after });
            wanted.push(change);
        }
        if rng.one_in(4) {
            group.rollback_to(mark);
            wanted.truncate(count);
        }
    }
    group.xid();
    wanted
}

/// Checks the rules that replicas rely on and returns the changes.
fn read(group: &Group, event_bytes: usize) -> Vec<Change> {
    let bodies: Vec<Body<'_>> = group.bodies().map(|body| body.expect("decode").1).collect();
    let sizes: Vec<usize> = group.events().map(|event| event.bytes.len()).collect();
    let mut found = Vec::new();
    // Tables mapped in the statement; whether it has rows already.
    let mut maps: BTreeMap<u64, TableMap<'_>> = BTreeMap::new();
    let mut in_rows = false;
    for (index, body) in bodies.iter().enumerate() {
        match body {
            Body::TableMap(map) => {
                assert!(!in_rows, "tables are mapped before the statement's rows");
                maps.insert(map.table_id, *map);
            }
            Body::Rows(rows) => {
                in_rows = true;
                let count = read_rows(rows, &maps[&rows.table_id], &mut found);
                assert!(
                    sizes[index] <= event_bytes + 64 || count == 1,
                    "{} bytes, {count} rows",
                    sizes[index]
                );
                if rows.ends_statement() {
                    maps.clear();
                    in_rows = false;
                }
            }
            _ => {
                assert!(!in_rows, "the statement's last rows event says so");
                maps.clear();
            }
        }
    }
    found
}

fn read_rows(rows: &Rows<'_>, map: &TableMap<'_>, found: &mut Vec<Change>) -> usize {
    let before = found.len();
    for change in rows.changes(map).expect("same columns") {
        let change = change.expect("image");
        found.push((rows.table_id, change.before.map(<[u8]>::to_vec), change.after.map(<[u8]>::to_vec)));
    }
    assert!(found.len() > before, "no event without rows");
    found.len() - before
}

#[test]
fn any_statements_come_back_and_keep_the_rules() {
    let disk = Disk::new(1);
    let mut options = nasty(1);
    options.max_segment_bytes = 1 << 20;
    let (log, _) = Log::open(disk.dir(), options, None).expect("create");
    let mut rng = Rng::new(42);
    for _ in 0..300 {
        let event_bytes = *rng.pick(&[60, 300, 1000, 8192]);
        let mut group = GroupBuilder::new(SERVER, event_bytes);
        let wanted = build(&mut group, &mut rng);
        let placed = log.append(&mut group, |_| Stamp::default()).expect("append");
        log.force(placed.end).expect("force");
        let groups = read_all(&log, placed.begin).expect("read");
        assert_eq!(groups.len(), 1);
        assert_eq!(read(&groups[0], event_bytes), wanted);
    }
}

/// The rows events of a group: table, rows, whether the statement ends there.
fn rows_events(log: &Log, group: &mut GroupBuilder) -> Vec<(u64, usize, bool)> {
    let placed = log.append(group, |_| Stamp::default()).expect("append");
    log.force(placed.end).expect("force");
    let groups = read_all(log, placed.begin).expect("read");
    let bodies = groups[0].bodies().map(|body| body.expect("decode").1);
    let mut found = Vec::new();
    for body in bodies {
        if let Body::Rows(rows) = body {
            let map = tables()[rows.table_id as usize - 1].clone();
            found.push((
                rows.table_id,
                read_rows(&rows, &map.as_map(), &mut Vec::new()),
                rows.ends_statement(),
            ));
        }
    }
    found
}

#[test]
fn statements_like_the_one_before_go_on_in_its_event() {
    let disk = Disk::new(1);
    let mut options = nasty(1);
    options.max_segment_bytes = 1 << 20;
    let (log, _) = Log::open(disk.dir(), options, None).expect("create");
    let maps = tables();
    let row = image(7, Some(b"row"));
    let insert = |group: &mut GroupBuilder, table: usize, flags: u16| {
        group.begin_statement(flags);
        group.row(&maps[table].as_map(), RowChange { before: None, after: Some(&row) });
    };
    let mut group = GroupBuilder::new(SERVER, 8192);
    group.begin_transaction(plan(), flags2::TRANSACTIONAL);
    insert(&mut group, 0, 0);
    insert(&mut group, 0, 0);
    let mark = group.mark();
    // Goes on, then another table, other flags, another kind of change: all of it is taken back.
    insert(&mut group, 0, 0);
    insert(&mut group, 1, 0);
    insert(&mut group, 1, rows_flags::NO_FOREIGN_KEY_CHECKS);
    group.begin_statement(0);
    group.row(&maps[0].as_map(), RowChange { before: Some(&row), after: None });
    group.rollback_to(mark);
    insert(&mut group, 0, 0);
    insert(&mut group, 1, 0);
    insert(&mut group, 1, rows_flags::NO_FOREIGN_KEY_CHECKS);
    group.begin_statement(0);
    group.row(&maps[1].as_map(), RowChange { before: Some(&row), after: None });
    group.annotate(b"a statement");
    group.begin_statement(0);
    group.row(&maps[1].as_map(), RowChange { before: Some(&row), after: None });
    group.xid();
    let expected = [(1, 3, true), (2, 1, true), (2, 1, true), (2, 1, true), (2, 1, true)];
    assert_eq!(rows_events(&log, &mut group), expected);
}

#[test]
fn some_columns_only() {
    let disk = Disk::new(1);
    let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    let map = table(1);
    group.begin_transaction(plan(), flags2::TRANSACTIONAL);
    // binlog_row_image MINIMAL: the key before, the changed column after.
    let (key, changed) = ([0xFE, 1, 0, 0, 0], [0xFE, 2, b'h', b'i']);
    let change = RowChange { before: Some(&key), after: Some(&changed) };
    group.row_of_columns(&map.as_map(), &[0b01], &[0b10], change);
    group.row(&map.as_map(), RowChange { before: Some(&image(1, None)), after: Some(&image(2, None)) });
    group.xid();
    let placed = log.append(&mut group, |_| Stamp::default()).expect("append");
    log.force(placed.end).expect("force");
    let groups = read_all(&log, placed.begin).expect("read");
    let found = read(&groups[0], 1024);
    assert_eq!(found[0], (1, Some(key.to_vec()), Some(changed.to_vec())));
    assert_eq!(found[1], (1, Some(image(1, None)), Some(image(2, None))));
}
