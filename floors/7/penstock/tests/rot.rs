//! One flipped byte anywhere in the page file or the log: an error that says where and what, or the right rows.
//!
//! A server writes tables, closes (and, for the log, is killed, so that recovery needs the log); then, for bytes at a
//! stride over each file, a copy with that byte flipped is started and everything is read. Either the server refuses to
//! start and its log names file, offset and what was expected and found, or it starts and each table gives exactly its
//! rows or an error that names the same. A page holds one table's rows, so at most one table is lost to a flip.
//!
//! `PENSTOCK_ROT_FLIPS` (16) says how many bytes of each file are flipped.

mod harness;

use harness::random::{Random, setting};
use harness::{Connection, Server, run};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLES: [&str; 4] = ["first", "second", "third", "fourth"];
const PAGE: u64 = 16 << 10;

/// Each table through its primary key and through its secondary one.
fn queries(table: &str) -> [String; 2] {
    [
        format!("SELECT id, v, pad FROM rot.{table} FORCE INDEX (PRIMARY) ORDER BY id"),
        format!("SELECT v, id FROM rot.{table} FORCE INDEX (v) WHERE v >= 0 ORDER BY v, id"),
    ]
}

fn fill(connection: &mut Connection) {
    run(connection, "CREATE DATABASE rot");
    for (n, table) in TABLES.iter().enumerate() {
        let definition = "(id INT PRIMARY KEY, v INT NOT NULL, pad VARCHAR(300) NOT NULL, KEY v (v))";
        run(connection, &format!("CREATE TABLE rot.{table} {definition}"));
        for from in (0..600).step_by(100) {
            let row = |id: usize| {
                format!("({id},{},'{}')", (id * 7919 + n) % 1000, "pad.".repeat(20 + (id + n) % 50))
            };
            let rows: Vec<String> = (from..from + 100).map(row).collect();
            run(connection, &format!("INSERT INTO rot.{table} VALUES {}", rows.join(",")));
        }
    }
}

type Rows = Vec<Vec<Option<Vec<u8>>>>;

/// What reading a table gave: per query its rows, or the error's text.
fn read(connection: &mut Connection, table: &str) -> [Result<Rows, String>; 2] {
    queries(table).map(|sql| connection.rows(&sql).map_err(|error| error.to_string()))
}

/// Copies a data directory, holes staying holes.
fn copy(from: &Path, to: &Path) {
    let status =
        Command::new("cp").args(["-a", "--sparse=always"]).arg(from).arg(to).status().expect("run cp");
    assert!(status.success());
}

fn flip(file: &Path, offset: u64, bit: u64) {
    let open = std::fs::OpenOptions::new().read(true).write(true).open(file).expect("open a file to damage");
    let mut byte = [0];
    open.read_exact_at(&mut byte, offset).expect("read a byte");
    byte[0] ^= 1 << bit;
    open.write_all_at(&byte, offset).expect("write a byte");
}

/// A byte in each of `count` stretches of the file's blocks that hold something.
fn places(file: &Path, block: u64, count: u64, random: &mut Random) -> Vec<u64> {
    let bytes = std::fs::read(file).expect("read a file");
    let used: Vec<u64> = (0..)
        .zip(bytes.chunks(block as usize))
        .filter(|(_, chunk)| chunk.iter().any(|&byte| byte != 0))
        .map(|(n, _)| n)
        .collect();
    let stretch = (used.len() as u64).max(count) / count.max(1);
    let mut places = Vec::new();
    for n in 0..count {
        let Some(block_no) = used.get((n * stretch + random.below(stretch)) as usize) else { break };
        let start = block_no * block;
        places.push(start + random.below(block.min(bytes.len() as u64 - start)));
    }
    places.dedup();
    places
}

/// Whether a text names the file, a place in it, and what was expected and found (in the rooms' own words).
fn tells(text: &str, file: &str) -> bool {
    const PLACE: [&str; 2] = [" at byte ", " offset "];
    const BOTH: [[&str; 2]; 2] = [["expected", "found"], ["checksum is", "computed"]];
    text.lines().any(|line| {
        let both = BOTH.iter().any(|words| words.iter().all(|word| line.contains(word)));
        line.contains(file) && PLACE.iter().any(|word| line.contains(word)) && both
    })
}

/// How the flips of a file ended.
#[derive(Debug, Default)]
struct Outcomes {
    refused: u32,
    table_lost: u32,
    unharmed: u32,
}

struct Original {
    dir: tempfile::TempDir,
    rows: Vec<[Result<Rows, String>; 2]>,
}

impl Original {
    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// A filled data directory of a server that was closed or killed.
    fn make(closed: bool) -> Original {
        let mut server = Server::start(&["--max-binlog-size", "128K"]);
        let mut connection = server.connect();
        fill(&mut connection);
        let rows: Vec<_> = TABLES.iter().map(|table| read(&mut connection, table)).collect();
        drop(connection);
        if closed {
            assert!(server.stop());
        } else {
            server.kill();
        }
        let dir = tempfile::tempdir().expect("make a directory");
        copy(&server.data_dir(), &dir.path().join("data"));
        Original { dir, rows }
    }

    /// Starts a server over a copy with one bit flipped and reads everything.
    fn with_flip(&self, file: &str, offset: u64, bit: u64, outcomes: &mut Outcomes) {
        let dir = tempfile::tempdir().expect("make a directory");
        let data = dir.path().join("data");
        copy(&self.data(), &data);
        flip(&data.join(file), offset, bit);
        let place = format!("{file}, byte {offset}, bit {bit}");
        let mut server = Server::stopped_at(&data, &[]);
        server.expected = vec!["penstock.data", "binlog.0"];
        if !server.try_restart() {
            assert!(
                tells(&server.log_text(), file),
                "{place}: the refusal says too little: {}",
                server.log_text()
            );
            outcomes.refused += 1;
            return;
        }
        let mut connection = server.connect();
        let mut lost = 0;
        for (table, rows) in TABLES.iter().zip(&self.rows) {
            let found = read(&mut connection, table);
            for (found, expected) in found.iter().zip(rows) {
                match found {
                    Ok(_) => assert!(found == expected, "{place}: wrong rows of {table}"),
                    Err(error) => {
                        let told = tells(error, file) || tells(&server.log_text(), file);
                        assert!(told, "{place}: reading {table} says too little: {error}");
                    }
                }
            }
            lost += u32::from(found.iter().any(Result::is_err));
        }
        assert!(lost <= 1, "{place}: {lost} tables are lost");
        outcomes.table_lost += lost;
        outcomes.unharmed += 1 - lost;
        // What a closing checkpoint would say of the damage is not asked here.
        server.kill();
    }
}

#[test]
fn a_flipped_byte_of_the_page_file_is_told() {
    let original = Original::make(true);
    let mut random = Random::new(21);
    let flips = setting("PENSTOCK_ROT_FLIPS", 16);
    let mut outcomes = Outcomes::default();
    for offset in places(&original.data().join("penstock.data"), PAGE, flips, &mut random) {
        original.with_flip("penstock.data", offset, random.below(8), &mut outcomes);
    }
    println!("penstock.data: {outcomes:?}");
    assert!(outcomes.table_lost > 0, "no flip hit a table");
}

#[test]
fn a_flipped_byte_of_the_log_that_recovery_needs_is_told() {
    let original = Original::make(false);
    let mut random = Random::new(22);
    let flips = setting("PENSTOCK_ROT_FLIPS", 16);
    let mut names: Vec<String> = std::fs::read_dir(original.data())
        .expect("list the directory")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| name.starts_with("binlog.0"))
        .collect();
    names.sort();
    assert!(names.len() > 2, "{names:?}");
    let mut refused = 0;
    for name in &names {
        let mut outcomes = Outcomes::default();
        let each = (flips / names.len() as u64).max(2);
        for offset in places(&original.data().join(name), 512, each, &mut random) {
            original.with_flip(name, offset, random.below(8), &mut outcomes);
        }
        println!("{name}: {outcomes:?}");
        refused += outcomes.refused;
    }
    assert!(refused > 0, "no flip was found");
}
