//! A small database of our own: its queries give what MariaDB 10.11 gave, which lies beside them.
//!
//! Where MariaDB is installed, what lies beside them is compared with it too, so that it cannot drift;
//! `PENSTOCK_BLESS=1` writes it anew from MariaDB.

mod harness;

use harness::tools::MariaDb;
use harness::{Connection, Server, run};
use protocol::client::QueryResult;
use std::fmt::Write;
use std::path::Path;

/// The statements of a script: one ends with `;` at the end of a line.
fn statements(script: &str) -> Vec<String> {
    let code: Vec<&str> = script.lines().filter(|line| !line.starts_with("--")).collect();
    code.join("\n")
        .split(";\n")
        .map(|sql| sql.trim().trim_end_matches(';').to_owned())
        .filter(|sql| !sql.is_empty())
        .collect()
}

/// Each query with its columns and rows, as text.
fn answers(connection: &mut Connection) -> String {
    statements(include_str!("data/harbour.sql")).iter().for_each(|sql| {
        run(connection, sql);
    });
    let mut text = String::new();
    for sql in statements(include_str!("data/harbour-queries.sql")) {
        let _ = writeln!(text, "{sql};");
        match connection.query(&sql).map(|mut results| results.remove(0)) {
            Ok(QueryResult::Rows { columns, rows, .. }) => {
                let names: Vec<_> = columns.iter().map(|column| column.name.clone()).collect();
                let _ = writeln!(text, "{}", names.join("\t"));
                for row in rows {
                    let value = |bytes: &Option<Vec<u8>>| match bytes {
                        Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                        None => "NULL".to_owned(),
                    };
                    let _ = writeln!(text, "{}", row.iter().map(value).collect::<Vec<_>>().join("\t"));
                }
            }
            other => drop(writeln!(text, "{other:?}")),
        }
        text.push('\n');
    }
    text
}

/// The queries whose answers differ, with both answers.
fn differences(found: &str, expected: &str) -> String {
    let pairs = found.split("\n\n").zip(expected.split("\n\n"));
    let differ = pairs.filter(|(found, expected)| found != expected);
    differ.map(|(found, expected)| format!("{found}\n--- expected:\n{expected}\n\n")).collect()
}

#[test]
fn answers_are_mariadbs() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/harbour-expected.txt");
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
