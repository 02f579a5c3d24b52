//! `penstock bench` end to end, with tiny numbers: each subcommand against a server of its own, its figures and its page.

mod harness;

use harness::{Server, one};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs a benchmark; its exit must be as expected.
fn bench(arguments: &[&str], socket: &Path, good: bool) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_penstock"))
        .arg("bench")
        .args(arguments)
        .arg("--socket")
        .arg(socket)
        .stdin(Stdio::null())
        .output()
        .expect("start penstock bench");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.success(), good, "{arguments:?}: {said}");
    output
}

fn table(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The answers of a phase, by the summary table's line.
fn answers(table: &str, phase: &str) -> u64 {
    let line = table.lines().find(|line| line.trim_start().starts_with(phase));
    let line = line.unwrap_or_else(|| panic!("no phase '{phase}' in {table}"));
    let rest = &line.trim_start()[phase.len()..];
    let count = rest.split_whitespace().nth(1).and_then(|n| n.parse().ok());
    count.unwrap_or_else(|| panic!("no answers in {line}"))
}

const SHORT: [&str; 4] = ["--seconds", "0.3", "--connections", "3"];

#[test]
fn yesmark_agrees_with_the_servers_own_count() {
    let server = Server::start(&[]);
    let questions = || -> u64 {
        let mut connection = server.connect();
        let rows = connection.rows("SHOW GLOBAL STATUS LIKE 'Questions'").expect("ask");
        String::from_utf8_lossy(rows[0][1].as_deref().expect("a count")).parse().expect("a number")
    };
    let before = questions();
    let json = server.data_dir().with_file_name("json");
    let report = server.data_dir().with_file_name("report.html");
    let paths = [json.to_str().expect("a path"), report.to_str().expect("a path")];
    let mut arguments = vec!["yesmark", "--depth", "20", "--json", paths[0], "--report", paths[1]];
    arguments.extend(SHORT);
    let table = table(&bench(&arguments, &server.socket(), true));
    let all = answers(&table, "text") + answers(&table, "prepared");
    let asked = questions() - before;
    // A few more: the watcher's own questions.
    assert!(all > 100 && asked >= all && asked - all < 100, "{asked} questions, {all} answers: {table}");
    let json = std::fs::read_to_string(json).expect("read the JSON");
    assert!(json.contains("\"benchmark\": \"yesmark\"") && json.contains("\"p99\""), "{json}");
    let report = std::fs::read_to_string(report).expect("read the page");
    assert!(report.starts_with("<!DOCTYPE html>") && report.contains("<polyline"), "{report}");
}

#[test]
fn mixes_run_and_find_what_they_expect() {
    let server = Server::start(&[]);
    let tables = ["--rows", "500", "--tables", "2"];
    for more in [&["--depth", "1"][..], &["--depth", "40"], &["--rate", "2000"]] {
        let mut arguments = vec!["mixes", "--check", "--connections", "1", "--seconds", "0.3"];
        arguments.extend(tables);
        arguments.extend(more);
        let table = table(&bench(&arguments, &server.socket(), true));
        for mix in ["point-select", "read-only", "read-write", "write-only"] {
            for form in ["text", "prepared"] {
                assert!(answers(&table, &format!("{mix} {form}")) > 10, "{table}");
            }
        }
    }
    let mut connection = server.connect_to("sbtest");
    assert_eq!(one(&mut connection, "SELECT COUNT(*) FROM sbtest2"), "500");
    assert_eq!(one(&mut connection, "SELECT COUNT(DISTINCT k) > 100 FROM sbtest1 FORCE INDEX (k_1)"), "1");
    bench(&[&["cleanup"][..], &tables].concat(), &server.socket(), true);
    assert_eq!(
        one(&mut connection, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema='sbtest'"),
        "0"
    );
}

#[test]
fn errors_are_counted_and_shown() {
    let server = Server::start(&[]);
    let tables = ["--rows", "300"];
    bench(&[&["prepare"][..], &tables].concat(), &server.socket(), true);
    harness::run(&mut server.connect_to("sbtest"), "DELETE FROM sbtest1 WHERE id BETWEEN 100 AND 299");
    harness::run(&mut server.connect_to("sbtest"), "ALTER TABLE sbtest1 DROP COLUMN pad");
    let mut arguments = vec!["write-only", "--form", "text"];
    arguments.extend(SHORT);
    let output = bench(&[&arguments[..], &tables].concat(), &server.socket(), false);
    assert!(table(&output).contains("error 1054: Unknown column 'pad'"), "{}", table(&output));
    assert!(String::from_utf8_lossy(&output.stderr).contains("answers were errors or wrong"));
}

#[test]
fn flexasync_checks_every_row() {
    let server = Server::start(&[]);
    let passes = ["insert", "read", "update", "read updated", "delete", "read deleted"];
    for more in [
        &["--operations", "7", "--scattered"][..],
        &["--operations", "1"],
        &["--bulk", "40"],
        &["--bulk", "3", "--operations", "10"],
        &["--in-process", "--unforced"],
    ] {
        let mut arguments =
            vec!["flexasync", "--rows", "300", "--parallel", "2", "--threads", "2", "--size", "61"];
        arguments.extend(more);
        let table = table(&bench(&arguments, &server.socket(), true));
        for pass in passes {
            assert_eq!(answers(&table, pass), 300, "{pass}: {table}");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "half a million rows take minutes unoptimised: run it with --release")]
fn tpcc_stays_consistent() {
    let server = Server::start(&[]);
    let size = ["--warehouses", "1", "--connections", "4"];
    bench(&[&["tpcc", "prepare"][..], &size].concat(), &server.socket(), true);
    let output = bench(&[&["tpcc", "run", "--seconds", "2"][..], &size].concat(), &server.socket(), true);
    let shown = table(&output);
    assert!(answers(&shown, "new-order") > 5 && answers(&shown, "payment") > 5, "{shown}");
    assert!(shown.contains("tpmC"), "{shown}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("12 of 12 conditions of consistency hold"), "{said}");
    let mut connection = server.connect_to("tpcc");
    harness::run(&mut connection, "UPDATE warehouse SET w_ytd = w_ytd + 0.01");
    let output = bench(&[&["tpcc", "check"][..], &size].concat(), &server.socket(), false);
    let said = String::from_utf8_lossy(&output.stderr);
    for broken in ["condition 1 is broken 1 times", "condition 8 is broken 1 times", "10 of 12 conditions"] {
        assert!(said.contains(broken), "{broken} in {said}");
    }
    bench(&[&["tpcc", "cleanup"][..], &size].concat(), &server.socket(), true);
}

#[test]
fn commits_are_counted_by_their_forces() {
    let server = Server::start(&[]);
    let arguments = ["commits", "--rows", "100", "--steps", "1,64", "--seconds", "0.3"];
    let shown = table(&bench(&arguments, &server.socket(), true));
    assert!(answers(&shown, "1 connection") > 5 && answers(&shown, "64 connections") > 5, "{shown}");
    let forces = |at: usize| -> f64 {
        let line = shown.lines().filter(|line| line.contains("forces")).nth(at).expect("a line of forces");
        line.split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number")
    };
    // One that commits alone forces each of its commits, whatever else is forced beside; many share forces.
    assert!(forces(0) >= 0.9 && forces(1) < forces(0), "{shown}");
}

#[test]
fn scaling_draws_its_curves() {
    let server = Server::start(&[]);
    let report = server.data_dir().with_file_name("report.html");
    let path = report.to_str().expect("a path");
    let arguments =
        ["scaling", "--rows", "100", "--connections-list", "1,2", "--size-list", "20,200", "--report", path];
    let shown = table(&bench(&arguments, &server.socket(), true));
    assert_eq!(answers(&shown, "read, 2 at once"), 100, "{shown}");
    let page = std::fs::read_to_string(report).expect("read the page");
    assert!(page.contains("Over connections") && page.contains("Over bytes of a record"), "{page}");
}

#[test]
fn tables_come_and_go() {
    let server = Server::start(&[]);
    let arguments = ["tables", "--tables", "40", "--connections", "4"];
    let table = table(&bench(&arguments, &server.socket(), true));
    for (pass, count) in [("first, alone", 4), ("create", 32), ("last, alone", 4), ("open", 40), ("drop", 40)]
    {
        assert_eq!(answers(&table, pass), count, "{table}");
    }
}

#[test]
fn the_yardstick_answers_and_two_servers_are_compared() {
    let server = Server::start(&[]);
    let dir = tempfile::tempdir().expect("make a directory");
    let socket = dir.path().join("ok.sock");
    let mut yardstick = Command::new(env!("CARGO_BIN_EXE_penstock"))
        .args(["bench", "answer-ok", "--threads", "1", "--socket"])
        .arg(&socket)
        .stdout(Stdio::null())
        .spawn()
        .expect("start the yardstick");
    let begun = std::time::Instant::now();
    while std::os::unix::net::UnixStream::connect(&socket).is_err() {
        assert!(begun.elapsed().as_secs() < 60, "the yardstick does not listen");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let other = format!("unix:{}", server.socket().display());
    let mut arguments = vec!["yesmark", "--vs", &other, "--rounds", "2"];
    arguments.extend(SHORT);
    let output = bench(&arguments, &socket, true);
    assert!(table(&output).contains("text: ") && table(&output).contains(" times"), "{}", table(&output));
    yardstick.kill().expect("stop the yardstick");
    yardstick.wait().expect("wait for the yardstick");
}
