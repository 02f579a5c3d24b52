//! `mariadb-binlog` reads every closed segment, and what it prints, replayed by MariaDB, gives the same rows.

mod harness;

use harness::random::Random;
use harness::tools::{self, MariaDb};
use harness::{Server, run};
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
    run(&mut server.connect_to("mixed"), "INSERT INTO kinds VALUES (100, 'after the kill')");
    run(&mut server.connect_to("mixed"), "DELETE FROM kinds WHERE id = 100");
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

/// Inserts, updates, deletes, DDL and rolled back work over several types.
fn mixed_work(server: &Server) {
    let mut connection = server.connect();
    for sql in [
        "CREATE DATABASE mixed CHARACTER SET utf8mb4",
        "USE mixed",
        "CREATE TABLE items (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(200) NOT NULL, price DECIMAL(12,3), \
         weight DOUBLE, made DATETIME(3), note TEXT, UNIQUE KEY (name))",
        "CREATE TABLE events (item INT, at TIMESTAMP NOT NULL DEFAULT '2020-01-01 00:00:00', day DATE, span TIME, y YEAR, \
         small TINYINT UNSIGNED, big BIGINT, raw VARBINARY(300), KEY (item))",
        "CREATE TABLE kinds (id SMALLINT PRIMARY KEY, kind ENUM('one','two','three'))",
    ] {
        let sql = sql.replace("kind ENUM('one','two','three')", "kind VARCHAR(20)");
        run(&mut connection, &sql);
    }
    let mut random = Random::new(5);
    for i in 0..400 {
        let (a, b) = (random.below(100_000), random.below(1000));
        let note = "note ".repeat(b as usize % 60);
        run(
            &mut connection,
            &format!(
                "INSERT INTO items (name, price, weight, made, note) VALUES \
             ('item {i}', {a}.{b:03}, {b} / 7, '2024-02-{:02} 12:34:56.{b:03}', '{note}')",
                1 + i % 28
            ),
        );
        run(&mut connection, &format!(
            "INSERT INTO events VALUES ({i}, '2021-05-06 07:08:09', '2022-{:02}-11', '-{b}:01:02', {}, {}, -{a}, \
             0x00FF{a:06}), ({i}, DEFAULT, NULL, NULL, NULL, NULL, NULL, NULL)", 1 + i % 12, 1990 + i % 100, i % 256)
            .replace(&format!("'-{b}:01:02'"), &format!("'-{}:01:02'", b % 800)));
        match i % 5 {
            0 => {
                run(
                    &mut connection,
                    &format!("UPDATE items SET price = price + 1, note = NULL WHERE id <= {i} / 20"),
                );
            }
            1 => {
                run(&mut connection, &format!("DELETE FROM events WHERE item = {}", random.below(400)));
            }
            2 => {
                run(&mut connection, "BEGIN");
                run(&mut connection, &format!("INSERT INTO kinds VALUES ({i}, 'kind {i}')"));
                run(&mut connection, &format!("UPDATE events SET big = {i} WHERE item = {}", i / 2));
                run(&mut connection, if i % 10 == 2 { "ROLLBACK" } else { "COMMIT" });
            }
            3 => {
                run(&mut connection, &format!("REPLACE INTO kinds VALUES ({}, 'again {i}')", i % 40));
            }
            _ => {}
        }
        if i % 100 == 50 {
            run(&mut connection, &format!("ALTER TABLE items ADD COLUMN extra_{i} INT DEFAULT {i}"));
            run(&mut connection, "CREATE TABLE scratch (a INT PRIMARY KEY)");
            run(&mut connection, "INSERT INTO scratch VALUES (1), (2)");
            run(&mut connection, "DROP TABLE scratch");
        }
    }
}

/// The log's segments, oldest first.
fn segments(data: &Path) -> Vec<PathBuf> {
    let index = std::fs::read_to_string(data.join("binlog.index")).expect("read the index");
    index.lines().map(|line| data.join(Path::new(line).file_name().expect("a name"))).collect()
}

/// What mariadb-binlog prints of the segments; each must be read without a complaint.
fn print(segments: &[PathBuf]) -> String {
    let mut printed = String::new();
    for segment in segments {
        let output = Command::new("mariadb-binlog")
            .args(["--no-defaults", "--verify-binlog-checksum", "--base64-output=DECODE-ROWS", "-v"])
            .arg(segment)
            .output()
            .expect("run mariadb-binlog");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && complaint.trim().is_empty(), "{}: {complaint}", segment.display());
    }
    let output = Command::new("mariadb-binlog")
        .args(["--no-defaults", "--verify-binlog-checksum"])
        .args(segments)
        .output()
        .expect("run mariadb-binlog");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    printed += &String::from_utf8_lossy(&output.stdout);
    printed
}
