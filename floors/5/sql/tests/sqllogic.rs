//! sqllogictest scripts, run in process: those of `tests/slt`, and SQLite's own where they are at hand.
//!
//! SQLite's corpus is not part of this repository. It is looked for in the folder that `PENSTOCK_SLT` names, else beside
//! the repository in `../shared/slt`; where neither is, one line says so.
//!
//! A script is records parted by blank lines: `statement ok|error` and a statement; `query TYPES [SORT] [LABEL]`, a
//! query, `----` and its values, one a line, or `N values hashing to MD5`. `skipif X` and `onlyif X` go before a record:
//! here X is `mysql`, and `mariadb` in scripts of our own. A label names a result that is the same everywhere in a file.

mod harness;

use harness::{Client, Server};
use md5::{Digest, Md5};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Records of SQLite's corpus that MariaDB answers otherwise, by file and line of the record's first line.
const KNOWN: &[(&str, &[usize], &str)] = &[
    ("slt_lang_createview.test", &[68, 79], "views take INSERT and UPDATE here"),
    ("slt_lang_dropindex.test", &[22], "DROP INDEX names its table"),
    (
        "slt_good_9.test",
        &[871, 6751, 11614, 20021, 33356, 33508, 44457, 44649, 45760, 52234, 56234],
        "the name in HAVING is ambiguous",
    ),
];

/// One record.
struct Record {
    line: usize,
    kind: Kind,
    sql: String,
}

enum Kind {
    Statement { fails: bool },
    Query { types: String, sort: Sort, label: Option<String>, expected: Vec<String> },
    Halt,
}

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    None,
    Rows,
    Values,
}

/// Takes a script apart; records for other servers are left out.
fn records(text: &str) -> Vec<Record> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (mut wanted, mut head) = (true, line);
        let first = at + 1;
        while let Some(condition) = head.strip_prefix("skipif ").or_else(|| head.strip_prefix("onlyif ")) {
            let condition = condition.split_whitespace().next().unwrap_or("");
            let ours = matches!(condition, "mysql" | "mariadb");
            wanted &= ours == head.starts_with("onlyif ");
            head = lines.next().map_or("", |(_, line)| line.trim_end());
        }
        let mut body = Vec::new();
        while let Some((_, line)) = lines.next_if(|(_, line)| !line.trim_end().is_empty()) {
            body.push(line.trim_end());
        }
        if wanted && let Some(kind) = kind_of(head, &body) {
            let sql = body.iter().take_while(|line| **line != "----").copied().collect::<Vec<_>>().join("\n");
            found.push(Record { line: first, kind, sql });
        }
    }
    found
}

fn kind_of(head: &str, body: &[&str]) -> Option<Kind> {
    let mut words = head.split_whitespace();
    match words.next()? {
        "statement" => Some(Kind::Statement { fails: words.next() == Some("error") }),
        "query" => {
            let types = words.next().unwrap_or("").to_owned();
            let (mut sort, mut label) = (Sort::None, None);
            for word in words {
                match word {
                    "nosort" => {}
                    "rowsort" => sort = Sort::Rows,
                    "valuesort" => sort = Sort::Values,
                    name => label = Some(name.to_owned()),
                }
            }
            let expected = body.iter().skip_while(|line| **line != "----").skip(1);
            Some(Kind::Query { types, sort, label, expected: expected.map(|s| (*s).to_owned()).collect() })
        }
        "halt" => Some(Kind::Halt),
        // `hash-threshold` only matters to who writes scripts.
        _ => None,
    }
}

/// A value as scripts write it: integers cut, reals with three digits, text with `@` for what does not print.
fn shown(value: Option<&str>, of: char) -> String {
    let Some(text) = value else { return "NULL".into() };
    let number = || text.trim().parse::<f64>().unwrap_or(0.0);
    match of {
        'I' => text.parse::<i128>().map_or_else(|_| format!("{:.0}", number().trunc()), |n| n.to_string()),
        'R' => format!("{:.3}", number()),
        _ if text.is_empty() => "(empty)".into(),
        _ => text.chars().map(|c| if (' '..='~').contains(&c) { c } else { '@' }).collect(),
    }
}

fn values(rows: &[Vec<Option<String>>], types: &str, sort: Sort) -> Vec<String> {
    let shown = |row: &Vec<Option<String>>| -> Vec<String> {
        row.iter().zip(types.chars()).map(|(value, of)| shown(value.as_deref(), of)).collect()
    };
    let mut rows: Vec<Vec<String>> = rows.iter().map(shown).collect();
    if sort == Sort::Rows {
        rows.sort();
    }
    let mut values: Vec<String> = rows.into_iter().flatten().collect();
    if sort == Sort::Values {
        values.sort();
    }
    values
}

fn digest(values: &[String]) -> String {
    let mut sum = Md5::new();
    values.iter().for_each(|value| {
        sum.update(value.as_bytes());
        sum.update(b"\n");
    });
    let hex: String = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{} values hashing to {hex}", values.len())
}

/// Why a record's answer is wrong.
fn verdict(record: &Record, client: &mut Client, labels: &mut HashMap<String, String>) -> Option<String> {
    let outcome = client.outcomes(&record.sql).into_iter().last()?;
    match (&record.kind, &outcome.error) {
        (Kind::Statement { fails: true }, None) => Some("went well".into()),
        (Kind::Statement { fails: false } | Kind::Query { .. }, Some(error)) => Some(error.to_string()),
        (Kind::Query { types, sort, label, expected }, None) => {
            if outcome.columns.len() != types.len() {
                return Some(format!("{} columns for {types}", outcome.columns.len()));
            }
            let values = values(&outcome.rows, types, *sort);
            let sum = digest(&values);
            if let Some(label) = label
                && labels.entry(label.clone()).or_insert_with(|| sum.clone()) != &sum
            {
                return Some(format!("unlike the other result of {label}: {}", values.join(" ")));
            }
            let right = values == *expected || expected.len() == 1 && expected[0] == sum;
            (!right).then(|| format!("want {}\n  have {sum}: {}", expected.join(" "), values.join(" ")))
        }
        _ => None,
    }
}

/// Runs a script; gives how many records passed and what went wrong.
fn run(path: &Path) -> (usize, String) {
    let text = std::fs::read_to_string(path).expect("read the script");
    let file = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let server = Server::new();
    let mut client = server.session();
    client.run("SET sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'");
    let (mut passed, mut wrong, mut labels) = (0, String::new(), HashMap::new());
    for record in records(&text) {
        if matches!(record.kind, Kind::Halt) {
            break;
        }
        let known = KNOWN.iter().any(|(name, lines, _)| *name == file && lines.contains(&record.line));
        match verdict(&record, &mut client, &mut labels) {
            None => passed += 1,
            Some(_) if known => {}
            Some(why) => {
                let _ = writeln!(wrong, "{}:{}: {}\n  {why}", path.display(), record.line, record.sql);
            }
        }
    }
    (passed, wrong)
}

fn scripts(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            scripts(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "test") {
            found.push(path);
        }
    }
    found.sort();
}

/// Runs all scripts of a folder on as many threads as there are cores.
fn run_all(folder: &Path) -> usize {
    let mut all = Vec::new();
    scripts(folder, &mut all);
    let (files, next) = (all.len(), std::sync::Mutex::new(all));
    let results = std::sync::Mutex::new((0, String::new()));
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..cores.min(files) {
            scope.spawn(|| {
                loop {
                    let Some(path) = next.lock().expect("no test panicked").pop() else { return };
                    // Plans are cached by thread, for one engine a process: a thread of its own for each.
                    let script = std::thread::spawn(move || run(&path));
                    let (passed, wrong) = script.join().expect("no script panicked");
                    let mut results = results.lock().expect("no test panicked");
                    results.0 += passed;
                    results.1 += &wrong;
                }
            });
        }
    });
    let (passed, wrong) = results.into_inner().expect("no test panicked");
    let short: String = wrong.chars().take(20_000).collect();
    assert!(wrong.is_empty(), "{passed} records passed, these did not:\n{short}");
    println!("{passed} records of {files} files");
    passed
}

#[test]
fn our_scripts_pass() {
    assert!(run_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slt")) > 30);
}

#[test]
fn sqlites_scripts_pass() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/slt");
    let folder = std::env::var_os("PENSTOCK_SLT").map_or(beside, PathBuf::from);
    match folder.is_dir() {
        true => assert!(run_all(&folder) > 1000),
        false => println!("skipped: no {}", folder.display()),
    }
}

#[test]
fn scripts_are_read_as_they_are_meant() {
    let text = "# head\nstatement error\nSELECT x\n\nonlyif sqlite\nquery I\nSELECT 1\n----\n1\n\nskipif mysql\n\
                statement ok\nFOO\n\nquery IT rowsort l-1\nSELECT 1,\n 'b'\n----\n1\nb\n\nhalt\n";
    let records = records(text);
    assert_eq!(records.iter().map(|r| r.line).collect::<Vec<_>>(), [2, 15, 22]);
    let Kind::Query { types, expected, label, .. } = &records[1].kind else { panic!("a query") };
    assert_eq!((types.as_str(), expected.len(), label.as_deref()), ("IT", 2, Some("l-1")));
    assert_eq!(records[1].sql, "SELECT 1,\n 'b'");
    assert_eq!(shown(Some("2.75"), 'I'), "2");
    assert_eq!(shown(Some("2"), 'R'), "2.000");
    assert_eq!(shown(Some(""), 'T'), "(empty)");
}
