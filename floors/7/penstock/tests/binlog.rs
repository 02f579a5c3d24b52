//! `mariadb-binlog` reads every closed segment, and what it prints, replayed by MariaDB, gives the same rows.

mod harness;

use harness::random::Random;
use harness::tools::{self, MariaDb};
use harness::{Connection, Server, one, run};
use std::path::{Path, PathBuf};
use std::process::Command;

const SELECTS: &str = "SELECT * FROM mixed.items ORDER BY id; SELECT * FROM mixed.events ORDER BY item, big, span; \
                       SELECT * FROM mixed.kinds ORDER BY id";

#[test]
fn mariadb_binlog_reads_every_closed_segment() {
    if !tools::installed(&["mariadb-binlog", "mariadb"]) {
        return;
    }
    let mut server = Server::start(&["--max-binlog-size", "64K"]);
    mixed_work(&server);
    let rows = tools::client("mariadb", &server.socket(), &["--batch", "-e", SELECTS], b"");
    // A killed server leaves a segment that is finished when it starts again.
    server.kill();
    server.restart();
    run(&mut server.connect_to("mixed"), "INSERT INTO kinds VALUES (1000, 'after the kill', '')");
    run(&mut server.connect_to("mixed"), "DELETE FROM kinds WHERE id = 1000");
    assert!(server.stop());
    let segments = segments(&server.data_dir());
    assert!(segments.len() >= 5, "the log went on in few segments: {segments:?}");
    let printed = print(&segments);
    for kind in ["Table_map", "Write_rows", "Update_rows", "Delete_rows", "GTID", "Query", "Rotate"] {
        assert!(printed.contains(kind), "no {kind} in what mariadb-binlog printed");
    }
    if let Some(judge) = MariaDb::start() {
        tools::client("mariadb", &judge.socket(), &[], printed.as_bytes());
        let replayed = tools::client("mariadb", &judge.socket(), &["--batch", "-e", SELECTS], b"");
        assert!(replayed == rows, "what MariaDB replays from the log differs");
    }
}

#[test]
fn changes_are_of_the_server_that_made_them() {
    let server = Server::start(&["--server-id", "7"]);
    let mut connection = server.connect();
    run(&mut connection, "CREATE DATABASE d");
    run(&mut connection, "CREATE TABLE d.t (a INT)");
    run(&mut connection, "INSERT INTO d.t VALUES (1)");
    let position = one(&mut connection, "SELECT @@gtid_binlog_pos");
    assert!(position.starts_with("0-7-"), "{position}");
}

const SETUP: &[&str] = &[
    "CREATE DATABASE mixed CHARACTER SET utf8mb4",
    "USE mixed",
    "CREATE TABLE items (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(200) NOT NULL, price DECIMAL(12,3), \
     weight DOUBLE, made DATETIME(3), note TEXT, shade ENUM('red','green','blue') NOT NULL DEFAULT 'green', \
     label CHAR(20) CHARACTER SET latin1, UNIQUE KEY (name))",
    "CREATE TABLE events (item INT, at TIMESTAMP NOT NULL DEFAULT '2020-01-01 00:00:00', day DATE, span TIME(2), \
     y YEAR, small TINYINT UNSIGNED, big BIGINT, raw VARBINARY(300), ratio FLOAT, KEY (item))",
    "CREATE TABLE kinds (id SMALLINT PRIMARY KEY, kind VARCHAR(20), body LONGBLOB)",
];

/// Inserts, updates, deletes, DDL and rolled back work over many types.
fn mixed_work(server: &Server) {
    let mut connection = server.connect();
    SETUP.iter().for_each(|sql| {
        run(&mut connection, sql);
    });
    let mut random = Random::new(5);
    for i in 0..400 {
        insert(&mut connection, i, &mut random);
        change(&mut connection, i, &mut random);
        if i % 100 == 50 {
            run(&mut connection, &format!("ALTER TABLE items ADD COLUMN extra_{i} INT DEFAULT {i}"));
            run(&mut connection, "CREATE TABLE scratch (a INT PRIMARY KEY)");
            run(&mut connection, "INSERT INTO scratch VALUES (1), (2)");
            run(&mut connection, "DROP TABLE scratch");
        }
    }
}

fn insert(connection: &mut Connection, i: u64, random: &mut Random) {
    let (a, b) = (random.below(100_000), random.below(1000));
    let (note, day, shade) = ("note ".repeat(b as usize % 60), 1 + i % 28, 1 + i % 3);
    let item = format!(
        "INSERT INTO items (name, price, weight, made, note, shade, label) VALUES ('item {i}', {a}.{b:03}, {b} / 7, \
         '2024-02-{day:02} 12:34:56.{b:03}', '{note}', {shade}, CONVERT(0xE9E8{b:04} USING latin1))"
    );
    run(connection, &item);
    let (month, year, small, hours) = (1 + i % 12, 1990 + i % 100, i % 256, b % 800);
    let events = format!(
        "INSERT INTO events VALUES ({i}, '2021-05-06 07:08:09', '2022-{month:02}-11', '-{hours}:01:02.25', {year}, \
         {small}, -{a}, 0x00FF{a:06}, {b} / 3), ({i}, DEFAULT, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
    );
    run(connection, &events);
}

fn change(connection: &mut Connection, i: u64, random: &mut Random) {
    let statements = match i % 5 {
        0 => vec![format!(
            "UPDATE items SET price = price + 1, note = NULL, shade = 'blue' WHERE id <= {i} / 20"
        )],
        1 => vec![format!("DELETE FROM events WHERE item = {}", random.below(400))],
        2 => vec![
            "BEGIN".to_owned(),
            format!("INSERT INTO kinds VALUES ({i}, 'kind {i}', REPEAT(0x00AB, {i} * 4))"),
            format!("UPDATE events SET big = {i}, ratio = -ratio WHERE item = {}", i / 2),
            if i % 10 == 2 { "ROLLBACK".to_owned() } else { "COMMIT".to_owned() },
        ],
        3 => vec![format!("REPLACE INTO kinds VALUES ({}, 'again {i}', NULL)", i % 40)],
        _ => vec![],
    };
    statements.iter().for_each(|sql| {
        run(connection, sql);
    });
}

/// The log's segments, oldest first.
fn segments(data: &Path) -> Vec<PathBuf> {
    let index = std::fs::read_to_string(data.join("binlog.index")).expect("read the index");
    index.lines().map(|line| data.join(Path::new(line).file_name().expect("a name"))).collect()
}

/// What mariadb-binlog prints of the segments; each must be read without a complaint.
fn print(segments: &[PathBuf]) -> String {
    for segment in segments {
        let rows = ["--base64-output=DECODE-ROWS", "-v"];
        mariadb_binlog(&rows, std::slice::from_ref(segment));
    }
    mariadb_binlog(&[], segments)
}

fn mariadb_binlog(arguments: &[&str], segments: &[PathBuf]) -> String {
    let mut command = Command::new("mariadb-binlog");
    command.args(["--no-defaults", "--verify-binlog-checksum"]).args(arguments).args(segments);
    let output = command.output().expect("run mariadb-binlog");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.trim().is_empty(), "{segments:?}: {complaint}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
