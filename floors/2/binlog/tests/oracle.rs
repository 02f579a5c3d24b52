//! MariaDB's own reader on files that we wrote. Says so and passes where it is not installed.

mod support;

use binlog::event::{Query, QueryStatus, XaId, flags, flags2};
use binlog::{GroupBuilder, Log, LogPos, Stamp};
use platform::file::RealDir;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use support::*;

/// What mariadb-binlog prints for a file; `None` if the tool is not installed.
fn mariadb_binlog(file: &Path) -> Option<(bool, String)> {
    let result = Command::new("mariadb-binlog")
        .args(["--verify-binlog-checksum", "-v", "--base64-output=decode-rows"])
        .arg(file)
        .output();
    match result {
        Ok(output) => {
            let text = [output.stdout, output.stderr].concat();
            Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => panic!("run mariadb-binlog: {error}"),
    }
}

fn commit_query<'a>() -> Query<'a> {
    let status = QueryStatus {
        flags2: Some(0),
        sql_mode: Some(0x5420_0000 & 0x4020_0000),
        catalog: Some(b"std"),
        charset: Some([45, 45, 45]),
        ..QueryStatus::default()
    };
    Query { thread_id: 9, execution_seconds: 0, error_code: 0, status, database: b"test", text: b"COMMIT" }
}

#[test]
fn mariadb_binlog_reads_what_we_write() {
    let directory = tempfile::tempdir().expect("directory");
    let dir = Arc::new(RealDir::new(directory.path(), false).expect("open directory"));
    let mut options = nasty(3);
    options.max_segment_bytes = 1 << 20;
    let (log, _) = Log::open(dir, options, None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    for number in 1..=12 {
        append(&log, &mut group, number).expect("append");
    }
    // A transaction of tables that cannot roll back.
    group.begin_transaction(plan(), flags2::ALLOW_PARALLEL);
    let map = table(2);
    let row = image(5, None);
    group.row(&map.as_map(), binlog::event::RowChange { before: None, after: Some(&row) });
    group.commit(&commit_query());
    log.append(&mut group, |_| Stamp::default()).expect("append");
    // XA, prepared and completed.
    let xa = XaId { format: 1, gtrid: b"global", bqual: b"branch" };
    group.begin_gtid(
        plan(),
        flags2::TRANSACTIONAL | flags2::ALLOW_PARALLEL | flags2::XA_PREPARED,
        None,
        Some(xa),
    );
    group.row(&map.as_map(), binlog::event::RowChange { before: None, after: Some(&row) });
    group.query(
        &Query { text: b"XA END X'676c6f62616c',X'6272616e6368',1", ..commit_query() },
        flags::SUPPRESS_USE,
    );
    group.xa_prepare(false, xa);
    log.append(&mut group, |_| Stamp::default()).expect("append");
    group.begin_gtid(
        plan(),
        flags2::STANDALONE | flags2::TRANSACTIONAL | flags2::ALLOW_PARALLEL | flags2::XA_COMPLETED,
        Some(77),
        Some(xa),
    );
    let completed = b"XA COMMIT X'676c6f62616c',X'6272616e6368',1";
    group.query(&Query { text: completed, ..commit_query() }, 0);
    log.append(&mut group, |_| Stamp::default()).expect("append");
    group.begin_standalone(plan(), flags2::ALLOW_PARALLEL);
    group.intvar(2, 41);
    group.query(&Query { text: b"INSERT INTO s VALUES (NULL)", ..commit_query() }, 0);
    log.append(&mut group, |_| Stamp { commit_no: 3, timestamp: Some(1_700_000_001) }).expect("append");
    log.rotate().expect("rotate");
    append(&log, &mut group, 13).expect("append");
    log.close().expect("close");

    for (name, wanted) in [
        (
            "binlog.000001",
            &[
                "server v 10.11.8-MariaDB-penstock-test",
                "GTID 0-7-1 trans",
                "### INSERT INTO `test`.`t`",
                "### UPDATE `test`.`t`",
                "### DELETE FROM `test`.`t`",
                "Xid = 1",
                "Annotate_rows",
                "CREATE TABLE t4",
                "GTID 0-7-4 ddl",
                "XA END",
                "XA COMMIT",
                "INSERT_ID=41",
                "Rotate to binlog.000002",
            ][..],
        ),
        ("binlog.000002", &["Gtid list [0-7-", "Xid = 13", "Stop"][..]),
    ] {
        let Some((success, text)) = mariadb_binlog(&directory.path().join(name)) else {
            eprintln!("skipped: mariadb-binlog is not installed");
            return;
        };
        assert!(success, "{name}: {text}");
        assert!(!text.contains("WARNING") && !text.contains("ERROR"), "{name}: {text}");
        for wanted in wanted {
            assert!(text.contains(wanted), "{name} lacks {wanted:?}:\n{text}");
        }
    }
}

#[test]
fn mariadb_binlog_finds_the_byte_that_we_flip() {
    let directory = tempfile::tempdir().expect("directory");
    let dir = Arc::new(RealDir::new(directory.path(), false).expect("open directory"));
    let (log, _) = Log::open(dir, nasty(3), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    let placed = append(&log, &mut group, 1).expect("append");
    log.close().expect("close");
    let path = directory.path().join("binlog.000001");
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[placed.begin.offset as usize + 70] ^= 4;
    std::fs::write(&path, bytes).expect("write");
    let mut reader = log.reader(LogPos::new(1, 0));
    assert!(reader.next_group().is_err(), "our reader finds it too");
    match mariadb_binlog(&path) {
        Some((success, text)) => assert!(!success && text.contains("ERROR"), "{text}"),
        None => eprintln!("skipped: mariadb-binlog is not installed"),
    }
}

/// What our events do when a MariaDB server applies them: `mariadb-binlog | mariadb`. Needs a server to spare:
/// `BINLOG_ORACLE_SOCKET` names its socket; a database `penstock_binlog_test` is made there and dropped.
#[test]
fn a_mariadb_server_applies_our_events() {
    let Ok(socket) = std::env::var("BINLOG_ORACLE_SOCKET") else {
        eprintln!("skipped: BINLOG_ORACLE_SOCKET names no server");
        return;
    };
    let directory = tempfile::tempdir().expect("directory");
    let dir = Arc::new(RealDir::new(directory.path(), false).expect("open directory"));
    let mut options = nasty(3);
    options.max_segment_bytes = 1 << 20;
    let (log, _) = Log::open(dir, options, None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 100);
    let mut ddl = |text: &str| {
        group.begin_standalone(plan(), flags2::DDL | flags2::ALLOW_PARALLEL);
        group.private(binlog::event::PrivateKind(b'C'), b"a change of the catalog");
        group.query(&Query { text: text.as_bytes(), database: b"", ..commit_query() }, flags::SUPPRESS_USE);
        log.append(&mut group, |_| Stamp { commit_no: 1, timestamp: Some(1_700_000_000) }).expect("append");
    };
    ddl("CREATE DATABASE penstock_binlog_test");
    ddl(
        "CREATE TABLE penstock_binlog_test.t (a INT NOT NULL PRIMARY KEY, b VARCHAR(100)) CHARACTER SET latin1",
    );
    let mut map = binlog::event::TableMapBuilder::new(5, b"penstock_binlog_test", b"t");
    map.column(3, &[], false);
    map.column(15, &[100, 0], true);
    group.begin_transaction(plan(), flags2::TRANSACTIONAL | flags2::ALLOW_PARALLEL);
    group.annotate(b"INSERT ...");
    for a in 1..=9 {
        let row = image(a, Some(format!("row {a}").as_bytes()));
        group.row(&map.as_map(), binlog::event::RowChange { before: None, after: Some(&row) });
    }
    group.end_statement();
    for a in 1..=3 {
        let (before, after) = (image(a, Some(format!("row {a}").as_bytes())), image(a, None));
        group.row(&map.as_map(), binlog::event::RowChange { before: Some(&before), after: Some(&after) });
    }
    let gone = image(9, Some(b"row 9"));
    group.row(&map.as_map(), binlog::event::RowChange { before: Some(&gone), after: None });
    group.xid();
    log.append(&mut group, |_| Stamp { commit_no: 2, timestamp: None }).expect("append");
    // A private group: it must not arrive.
    group.begin_private();
    let row = image(100, Some(b"private"));
    group.row(&map.as_map(), binlog::event::RowChange { before: None, after: Some(&row) });
    group.end_private();
    log.append(&mut group, |_| Stamp { commit_no: 3, timestamp: None }).expect("append");
    log.close().expect("close");

    let client = |sql: &str| {
        let output = Command::new("mariadb")
            .args(["-uroot", "-N", "-S", &socket, "-e", sql])
            .output()
            .expect("run mariadb");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    client("DROP DATABASE IF EXISTS penstock_binlog_test");
    let pipe =
        format!("mariadb-binlog {}/binlog.000001 | mariadb -uroot -S {socket}", directory.path().display());
    let output = Command::new("sh").args(["-c", &pipe]).output().expect("run the pipe");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = client("SELECT CONCAT_WS('=', a, IFNULL(b, 'NULL')) FROM penstock_binlog_test.t ORDER BY a");
    let lines: Vec<&str> = rows.lines().collect();
    assert_eq!(lines, ["1=NULL", "2=NULL", "3=NULL", "4=row 4", "5=row 5", "6=row 6", "7=row 7", "8=row 8"]);
    client("DROP DATABASE penstock_binlog_test");
}
