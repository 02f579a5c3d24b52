//! Prepared statements with parameters of all types in the binary protocol: their answers are what MariaDB 10.11 gave, which
//! lies beside them.
//!
//! In `data/bound.sql` a statement stands at the beginning of a line, below it, indented, each of its executions: its values
//! with their types, `-` for an execution without any. What has no executions is sent as text, for what it does alone.
//! Where MariaDB is installed, the answers are compared with it too, so that they cannot drift; `PENSTOCK_BLESS=1` writes
//! them anew from MariaDB.

mod harness;

use harness::tools::MariaDb;
use harness::{Connection, Server, run};
use protocol::client::{Bound, ClientError, QueryResult};
use protocol::flags::wire_type as wire;
use protocol::reply::OwnedColumn;
use protocol::wire::put_lenenc_bytes;
use std::fmt::Write;
use std::path::Path;

const TYPES: &[(&str, u8)] = &[
    ("TINY", wire::TINY),
    ("SHORT", wire::SHORT),
    ("LONG", wire::LONG),
    ("LONGLONG", wire::LONGLONG),
    ("FLOAT", wire::FLOAT),
    ("DOUBLE", wire::DOUBLE),
    ("NEWDECIMAL", wire::NEWDECIMAL),
    ("NULL", wire::NULL),
    ("DATE", wire::DATE),
    ("TIME", wire::TIME),
    ("DATETIME", wire::DATETIME),
    ("TIMESTAMP", wire::TIMESTAMP),
    ("STRING", wire::STRING),
    ("VARCHAR", wire::VARCHAR),
    ("VAR_STRING", wire::VAR_STRING),
    ("TINY_BLOB", wire::TINY_BLOB),
    ("BLOB", wire::BLOB),
    ("MEDIUM_BLOB", wire::MEDIUM_BLOB),
    ("LONG_BLOB", wire::LONG_BLOB),
];

/// `TYPE value` or `UNSIGNED TYPE value`; a value NULL is none.
fn bound(written: &str) -> Bound {
    let (unsigned, written) = match written.strip_prefix("UNSIGNED ") {
        Some(rest) => (true, rest),
        None => (false, written),
    };
    let (name, text) = written.split_once(' ').unwrap_or((written, "NULL"));
    let wire_type = TYPES.iter().find(|(known, _)| *known == name).expect("a type's name").1;
    let value = (text != "NULL").then(|| sent(wire_type, text));
    Bound { wire_type, unsigned, value }
}

/// A value as the wire has it.
fn sent(wire_type: u8, text: &str) -> Vec<u8> {
    let integer = || text.parse::<i128>().expect("an integer").to_le_bytes();
    match wire_type {
        wire::TINY => integer()[..1].to_vec(),
        wire::SHORT => integer()[..2].to_vec(),
        wire::LONG => integer()[..4].to_vec(),
        wire::LONGLONG => integer()[..8].to_vec(),
        wire::FLOAT => text.parse::<f32>().expect("a number").to_le_bytes().to_vec(),
        wire::DOUBLE => text.parse::<f64>().expect("a number").to_le_bytes().to_vec(),
        wire::DATE | wire::DATETIME | wire::TIMESTAMP | wire::TIME => {
            let numbers: Vec<u32> =
                text.split(['-', ' ', ':', '.']).map(|part| part.parse().expect("a part")).collect();
            let mut value = Vec::new();
            let clock = match wire_type {
                wire::TIME => {
                    // Hours, minutes, seconds, microseconds; none below zero.
                    value.extend([0, (numbers[0] / 24) as u8, 0, 0, 0, (numbers[0] % 24) as u8]);
                    &numbers[1..]
                }
                _ => {
                    value.extend((numbers[0] as u16).to_le_bytes());
                    &numbers[1..]
                }
            };
            let small = if wire_type == wire::TIME { 2 } else { clock.len().min(5) };
            value.extend(clock[..small].iter().map(|part| *part as u8));
            clock[small..].iter().for_each(|micros| value.extend(micros.to_le_bytes()));
            value.insert(0, value.len() as u8);
            value
        }
        _ => {
            let mut value = Vec::new();
            let bytes = text.strip_prefix("hex ").map(|digits| {
                let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits");
                (0..digits.len()).step_by(2).map(byte).collect::<Vec<u8>>()
            });
            put_lenenc_bytes(&mut value, bytes.as_deref().unwrap_or(text.as_bytes()));
            value
        }
    }
}

fn described(columns: &[OwnedColumn]) -> String {
    let one = |c: &OwnedColumn| {
        format!("{} {}/{}/{}/{}", c.name, c.wire_type, c.flags & 0x7FFF, c.decimals, c.collation)
    };
    columns.iter().map(one).collect::<Vec<_>>().join(" | ")
}

fn told(outcome: Result<Vec<QueryResult>, ClientError>) -> String {
    let mut text = String::new();
    for result in match outcome {
        Ok(results) => results,
        Err(error) => return format!("  {error}\n"),
    } {
        match result {
            QueryResult::Done(ok) => {
                let _ = writeln!(text, "  {} rows, {} warnings", ok.affected_rows, ok.warnings);
            }
            QueryResult::Rows { columns, rows, end } => {
                let _ = writeln!(text, "  {}, {} warnings", described(&columns), end.warnings);
                for row in rows {
                    let value = |value: Option<Vec<u8>>| match value {
                        Some(bytes) => format!("'{}'", bytes.escape_ascii()),
                        None => "NULL".to_owned(),
                    };
                    let row: Vec<String> = row.into_iter().map(value).collect();
                    let _ = writeln!(text, "  {}", row.join(" | "));
                }
            }
        }
    }
    text
}

/// Each statement with its answers.
fn answers(connection: &mut Connection) -> String {
    for sql in ["SET NAMES utf8mb4", "CREATE DATABASE bound CHARACTER SET utf8mb4", "USE bound"] {
        run(connection, sql);
    }
    let mut text = String::new();
    let mut lines = include_str!("data/bound.sql").lines().filter(|l| !l.is_empty() && !l.starts_with("--"));
    let mut next = lines.next();
    while let Some(sql) = next {
        let mut executions = Vec::new();
        next = lines.next();
        while let Some(line) = next.filter(|line| line.starts_with(' ')) {
            executions.push(line.trim());
            next = lines.next();
        }
        if executions.is_empty() {
            run(connection, sql);
            continue;
        }
        let _ = writeln!(text, "{sql}");
        match connection.prepare(sql) {
            Err(error) => drop(writeln!(text, "  {error}")),
            Ok(statement) => {
                let (parameters, columns) = (statement.parameters, described(&statement.columns));
                let _ = writeln!(text, " {parameters} parameters; {columns}");
                for execution in executions {
                    let _ = writeln!(text, " {execution}");
                    let values: Vec<Bound> =
                        execution.split(" | ").filter(|value| *value != "-").map(bound).collect();
                    text += &told(connection.execute_bound(&statement, &values, true));
                }
            }
        }
        text.push('\n');
    }
    text
}

/// The statements whose answers differ, with both answers.
fn differences(found: &str, expected: &str) -> String {
    let pairs = found.split("\n\n").zip(expected.split("\n\n"));
    let differ = pairs.filter(|(found, expected)| found != expected);
    differ.map(|(found, expected)| format!("{found}\n--- expected:\n{expected}\n\n")).collect()
}

#[test]
fn answers_are_mariadbs() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bound-expected.txt");
    if let Some(judge) = MariaDb::start() {
        let given = answers(&mut judge.connect());
        if std::env::var_os("PENSTOCK_BLESS").is_some() {
            std::fs::write(&beside, &given).expect("write what is expected");
        }
        let expected = std::fs::read_to_string(&beside).expect("read what is expected");
        assert!(given == expected, "MariaDB gives another answer:\n{}", differences(&given, &expected));
    }
    let expected = std::fs::read_to_string(&beside).expect("read what is expected");
    let server = Server::start(&[]);
    let found = answers(&mut server.connect());
    assert!(found == expected, "{}", differences(&found, &expected));
}
