//! Cost of the engine's everyday calls over a real directory, one thread: point reads without and with a transaction,
//! short scans, updates with commit (forced). Each prints a check of its results beside the time.
//!
//! `cargo bench -p penstock-engine` runs it in full; `cargo test --benches` tiny.

use engine::{
    DatabaseDef, Ddl, Direction, Engine, Isolation, KeyRange, Mdl, Options, Read, RowBuf, TxnOptions, Wait,
};
use platform::file::RealDir;
use std::ops::Bound;
use std::sync::Arc;
use std::time::Instant;
use types::{CollationId, ColumnDef, ColumnType, IndexDef, IndexKind, IntSize, TableDef, Value};

fn definition() -> TableDef {
    let int = ColumnType::integer(IntSize::Normal, false);
    TableDef::new(
        ("d", "sbtest1"),
        CollationId::UTF8MB4_GENERAL_CI,
        vec![
            ColumnDef::new("id", int.clone(), false),
            ColumnDef::new("k", int, false),
            ColumnDef::new("c", ColumnType::Char(120), false),
            ColumnDef::new("pad", ColumnType::Char(60), false),
        ],
        vec![IndexDef::primary(&[0]), IndexDef::new("k_1", IndexKind::Key, &[1])],
    )
}

fn report(what: &str, count: u64, start: Instant, check: &str) {
    let each = start.elapsed().as_nanos() as u64 / count.max(1);
    println!("{what:<44} {each:>8} ns each, {count} times, {check}");
}

fn main() {
    let tiny = !std::env::args().any(|a| a == "--bench");
    let (rows, reads, writes) = if tiny { (500, 500, 20) } else { (100_000, 2_000_000, 20_000) };
    let folder = tempfile::tempdir().expect("make a folder");
    let dir = RealDir::new(folder.path(), true).expect("open the folder");
    let (engine, _) = Engine::open(Options::new(Arc::new(dir))).expect("open the engine");
    let session = engine.session();
    let def = DatabaseDef { collation: CollationId::UTF8MB4_GENERAL_CI, comment: String::new() };
    let ddl = Ddl::CreateDatabase { name: "d".into(), def };
    session.ddl(ddl, None, TxnOptions::default()).expect("create the database");
    let ddl = Ddl::CreateTable { def: definition() };
    session.ddl(ddl, None, TxnOptions::default()).expect("create the table");
    let table = engine.catalog().table("d", "sbtest1").expect("find the table").clone();
    let row = |id: i64, k: i64| {
        let (c, pad) = (format!("{id:0119}"), format!("{k:059}"));
        let values = [Value::Int(id), Value::Int(k), Value::text(&c), Value::text(&pad)];
        let mut out = Vec::new();
        table.layout().encode(&values, &mut out).expect("encode a row");
        out
    };
    let key = |id: i64| {
        let mut out = Vec::new();
        table.index_key(0).expect("find the key").append_values(&[Value::Int(id)], &mut out).expect("encode");
        out
    };
    let options = TxnOptions { isolation: Isolation::RepeatableRead, ..TxnOptions::default() };

    let start = Instant::now();
    for chunk in (0..rows).collect::<Vec<i64>>().chunks(1000) {
        let mut txn = session.begin(options.clone());
        txn.hold(&table, Mdl::Write).expect("hold the table");
        txn.begin_statement();
        for &id in chunk {
            txn.insert(&table, &row(id, id * 7 % rows)).expect("insert");
        }
        txn.end_statement(true);
        txn.commit().expect("commit");
    }
    report("insert, 1000 a commit", rows as u64, start, &format!("{} rows", table.row_count()));

    let next = |i: u64| (i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as i64 % rows;
    let keys: Vec<Vec<u8>> = (0..rows).map(key).collect();
    let (mut found, mut buffer) = (0_u64, Vec::new());
    let start = Instant::now();
    for i in 0..reads {
        let pin = session.pin(&table).expect("pin the table");
        found += u64::from(session.point_read(&pin, &keys[next(i) as usize], &mut buffer).expect("read"));
    }
    report("point read, pinned", reads, start, &format!("{found} found"));

    let (mut found, start) = (0, Instant::now());
    for i in 0..reads {
        let mut txn = session.begin(options.clone());
        txn.hold(&table, Mdl::Read).expect("hold the table");
        found +=
            u64::from(txn.get(&table, &keys[next(i) as usize], Read::Snapshot, &mut buffer).expect("read"));
        txn.commit().expect("commit");
    }
    report("point read, a transaction each", reads, start, &format!("{found} found"));

    let (mut found, mut line, start) = (0, RowBuf::default(), Instant::now());
    for i in 0..reads / 50 {
        let mut txn = session.begin(options.clone());
        txn.hold(&table, Mdl::Read).expect("hold the table");
        let from = next(i).min(rows - 100);
        let range = KeyRange { lo: Bound::Included(key(from)), hi: Bound::Excluded(key(from + 100)) };
        let mut scan = txn.scan(&table, 0, range, Direction::Forward, Read::Snapshot).expect("scan");
        while scan.next(&mut txn, &mut line).expect("scan") {
            found += 1;
        }
    }
    report("scan of 100 rows", reads / 50, start, &format!("{found} rows"));

    let (mut changed, start) = (0, Instant::now());
    for i in 0..writes {
        let mut txn = session.begin(options.clone());
        txn.hold(&table, Mdl::Write).expect("hold the table");
        txn.begin_statement();
        let id = next(i);
        let mut old = RowBuf { key: key(id), row: Vec::new() };
        if txn.get(&table, &old.key, Read::Exclusive(Wait::Block), &mut old.row).expect("read") {
            txn.update(&table, &old, &row(id, i as i64)).expect("update");
            changed += 1;
        }
        txn.end_statement(true);
        txn.commit().expect("commit");
    }
    report("update of an indexed column, commit, force", writes, start, &format!("{changed} changed"));
    let start = Instant::now();
    engine.checkpoint().expect("checkpoint");
    report("checkpoint", 1, start, "done");
    engine.purge().expect("purge");
    let checked = engine.check_table(&table).expect("check");
    assert_eq!(checked, rows as u64);
}
