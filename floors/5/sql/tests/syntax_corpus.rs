//! The parser against statements from outside: the shared dumps and sqllogictest files, and MariaDB itself.
//!
//! Each test says so and passes when what it needs is not there: `../shared` beside the repository (or the folder that
//! `PENSTOCK_SHARED` names), `xz`, a MariaDB client and the socket that `PENSTOCK_ORACLE_SOCKET` names.

#[path = "harness/dump.rs"]
mod dump_file;

use dump_file::{dump, shared, statements};
use sql::error::ER_NOT_SUPPORTED_YET;
use sql::syntax::{ParseOptions, parse};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A dump parses; only stored programs are refused, by name.
#[test]
fn dumps_parse() {
    for (name, programs) in [("chinook", 0), ("sakila", 12)] {
        let Some(text) = dump(name) else { continue };
        let all = statements(&text);
        assert!(all.len() > 100, "{name}: {} statements", all.len());
        let mut refused = 0;
        for statement in &all {
            match parse(statement, 0, ParseOptions::default()) {
                Ok(parsed) => assert_eq!(parsed.rest, None, "{}", String::from_utf8_lossy(statement)),
                Err(e) if e.errno == ER_NOT_SUPPORTED_YET => refused += 1,
                Err(e) => panic!("{name}: {}: {e}", String::from_utf8_lossy(statement)),
            }
        }
        assert_eq!(refused, programs, "{name}");
    }
}

/// The statements of a sqllogictest file that are meant for MySQL, with what is expected of them.
fn records(text: &str) -> Vec<(bool, String)> {
    let mut out = Vec::new();
    for block in text.replace("\r\n", "\n").split("\n\n") {
        let mut lines = block.lines().filter(|l| !l.starts_with('#')).peekable();
        let mut skip = false;
        while let Some(line) =
            lines.next_if(|l| l.is_empty() || l.starts_with("skipif") || l.starts_with("onlyif"))
        {
            skip |=
                line.starts_with("skipif mysql") || (line.starts_with("onlyif") && !line.contains("mysql"));
        }
        let Some(head) = lines.next() else { continue };
        if skip || !(head.starts_with("statement") || head.starts_with("query")) {
            continue;
        }
        let body: Vec<&str> = lines.take_while(|l| *l != "----").collect();
        out.push((!head.starts_with("statement error"), body.join("\n")));
    }
    out
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "test") {
            out.push(path);
        }
    }
}

/// SQLite's own syntax, which MariaDB refuses too.
const FOREIGN: &[&str] =
    &["DROP INDEX t", "NOT INDEXED", " x NOT NULL ", "REINDEX ", "total(DISTINCT", "count(DISTINCT *)"];

#[test]
fn sqllogictest_statements_parse() {
    let Some(folder) = shared("slt") else { return };
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    let mut total = 0;
    for path in paths {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for (good, statement) in records(&text) {
            total += 1;
            let result = parse(statement.as_bytes(), 0, ParseOptions::default());
            let foreign = FOREIGN.iter().any(|f| statement.contains(f));
            if let (true, false, Err(e)) = (good, foreign, &result) {
                panic!("{}: {statement}: {e}", path.display());
            }
        }
    }
    assert!(total > 10_000, "only {total} statements");
}

/// Wrong statements: each gives here what MariaDB gives, to the letter.
const WRONG: &[&str] = &[
    "selec 1",
    "select 1 +",
    "select * from where",
    "select 'a' 'b' from from t",
    "select x'abz', 1",
    "select 'abc",
    "select 1 /* unfin",
    "select (1,2",
    "select a b c from t",
    "insert into t (a,b) value (1,2),",
    "insert into t values (1,2,3,4",
    "update t set a=1 wher b=2",
    "delete from t where",
    "create table x (a int, b varchar(10) nott null)",
    "create table x (a int,, b int)",
    "create table x (a foo)",
    "create table x (a varchar)",
    "create table x (a double(5))",
    "alter table t add column",
    "alter table t foo",
    "drop",
    "drop table",
    "select * from t where a between 1 or 2",
    "select a from t limit 1,2,3",
    "select 1 limit -1",
    "select 1 as select",
    "select count (*) from t",
    "select a. from t",
    "select 1 union select 2 limit 1 union select 3",
    "select 1 order by 1 union select 2",
    "select 1 from t for update limit 1",
    "select 1,\n2,\nfrom t",
    "select * from t left join u",
    "select * from (select 1)",
    "set names",
    "set transaction isolation level foo",
    "set global",
    "show foo",
    "show tables like",
    "grant select on t",
    "start transaction read",
    "begin 1",
    "lock tables t",
    "kill",
    "execute",
    "select cast(1 as foo)",
    "select cast(1 as int) 2 3",
    "select date_add(a, interval 1 foo)",
    "select extract(foo from a)",
    "select case 1 end",
    "select rank() from t",
    "select sum(1) over (rows foo)",
    "with a as select 1 select 2",
    "values (1),",
    "select (select 1 into @a)",
    "explain foo bar baz",
    "select \u{e9}\u{e9} \u{e9} \u{e9} from",
    "select 1 from t group by",
    "select 1 1 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "; select 1",
    "select 1 from dual where not",
    "call",
    "truncate",
    "rename table a b",
    "create view v select 1",
    "create index on t (a)",
    "create database",
    "load data infile 'x'",
    "xa foo",
    "flush",
];

/// The error of one statement at the oracle, `ERROR n (state): text`.
fn oracle(socket: &str, text: &str) -> Option<String> {
    let mut client = Command::new("mariadb")
        .args([
            "--socket",
            socket,
            "-uroot",
            "--delimiter=\u{1}",
            "--comments",
            "--default-character-set=utf8mb4",
            "mysql",
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    client.stdin.take()?.write_all(format!("{text}\u{1}").as_bytes()).ok()?;
    let output = client.wait_with_output().ok()?;
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    let at = shown.find("ERROR ")?;
    // "ERROR 1064 (42000) at line 1: text" is the client's own form
    let (head, message) = shown[at..].split_once(": ")?;
    let head = head.split(" at line ").next().unwrap_or(head);
    Some(format!("{head}: {}", message.trim_end()))
}

#[test]
fn errors_read_as_mariadbs() {
    let Ok(socket) = std::env::var("PENSTOCK_ORACLE_SOCKET") else {
        eprintln!("skipped: PENSTOCK_ORACLE_SOCKET names no MariaDB");
        return;
    };
    let mut different = Vec::new();
    for text in WRONG {
        let Some(theirs) = oracle(&socket, text) else {
            different.push(format!("{text}: MariaDB gives no error"));
            continue;
        };
        let ours = match parse(text.as_bytes(), 0, ParseOptions::default()) {
            Ok(_) => "parsed".to_owned(),
            Err(e) => e.to_string(),
        };
        if ours != theirs {
            different.push(format!("{text}\n  ours   {ours}\n  theirs {theirs}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}
