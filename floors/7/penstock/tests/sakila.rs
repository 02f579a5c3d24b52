//! Views: those of a real dump, and some of our own over the harbour; MariaDB beside both.
//!
//! The Sakila database is not part of the repository; where it is missing the test says so. Its triggers and routines
//! are refused as not supported yet, which `--force` passes over.

mod harness;

use harness::tools::{self, MariaDb};
use harness::{Server, shared};
use std::path::Path;

/// What `mariadb` prints for a query, errors included.
fn answer(socket: &Path, database: &str, sql: &str) -> Result<String, String> {
    let arguments = ["--batch", "--default-character-set=utf8mb4", database, "-e", sql];
    let printed = tools::try_client("mariadb", socket, &arguments, b"")?;
    Ok(with_definer(&printed))
}

/// A server without accounts names no definer.
fn with_definer(text: &[u8]) -> String {
    String::from_utf8_lossy(text).replace("DEFINER=``", "DEFINER=`root`@`localhost`")
}

/// The queries of a file, one a paragraph.
fn queries(text: &str) -> Vec<&str> {
    text.split("\n\n").map(str::trim).filter(|part| part.ends_with(';')).collect()
}

/// Where two texts begin to differ.
fn difference(ours: &str, theirs: &str) -> String {
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return "no line differs".to_owned(),
            (ours, theirs) if ours != theirs => return format!("penstock: {ours:?}\n mariadb: {theirs:?}"),
            _ => {}
        }
    }
}

/// Asks both servers; what differs is told at the end, all of it. With `sorted` the order of rows does not count.
fn compare(ours: &Path, theirs: &Path, database: &str, queries: &[String], sorted: bool) {
    let order = |text: String| {
        let mut lines: Vec<&str> = text.lines().collect();
        if sorted {
            lines.sort_unstable();
        }
        lines.join("\n")
    };
    let mut different = Vec::new();
    for sql in queries {
        let judged = answer(theirs, database, sql).unwrap_or_else(|error| panic!("MariaDB: {sql}: {error}"));
        match answer(ours, database, sql).map(order) {
            Ok(given) if given == order(judged.clone()) => {}
            Ok(given) => different.push(format!("{sql}\n{}", difference(&given, &order(judged)))),
            Err(error) => different.push(format!("{sql}\n{error}")),
        }
    }
    assert!(
        different.is_empty(),
        "{} of {} differ:\n{}",
        different.len(),
        queries.len(),
        different.join("\n\n")
    );
}

/// A column of names.
fn names(socket: &Path, sql: &str) -> Vec<String> {
    let text = answer(socket, "information_schema", sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn sakila_has_mariadbs_tables_and_views() {
    let Some(file) = shared("data/sakila.sql.xz") else {
        println!("skipped: sakila.sql.xz is not here");
        return;
    };
    if !tools::installed(&["xz"]) {
        return;
    }
    let Some(judge) = MariaDb::start() else { return };
    let server = Server::start(&[]);
    let (ours, theirs) = (server.socket(), judge.socket());
    let unpacked = std::process::Command::new("xz").arg("-dc").arg(file).output().expect("run xz").stdout;
    // A restore with errors ends unhappily, but it ends: what it left out is looked at below.
    if let Err(complaint) = tools::try_client("mariadb", &ours, &["--force"], &unpacked) {
        let errors = complaint.lines().filter(|line| line.starts_with("ERROR"));
        let other: Vec<&str> = errors.filter(|line| !line.starts_with("ERROR 1235 (42000)")).collect();
        assert!(other.is_empty(), "{other:?}");
    }
    tools::client("mariadb", &theirs, &["--force"], &unpacked);

    let of_kind = |kind: &str| {
        format!(
            "SELECT table_name FROM tables WHERE table_schema = 'sakila' AND table_type = '{kind}' ORDER BY 1"
        )
    };
    let tables = names(&theirs, &of_kind("BASE TABLE"));
    let views = names(&theirs, &of_kind("VIEW"));
    assert_eq!((tables.len(), views.len()), (16, 7));
    assert_eq!(names(&ours, &of_kind("BASE TABLE")), tables);
    assert_eq!(names(&ours, &of_kind("VIEW")), views);
    let all = tables.iter().chain(&views).map(|name| format!("SELECT * FROM {name}"));
    compare(&ours, &theirs, "sakila", &all.collect::<Vec<_>>(), true);
    let shown: Vec<String> = views.iter().map(|name| format!("SHOW CREATE VIEW {name}")).collect();
    compare(&ours, &theirs, "sakila", &shown, false);

    let queries: Vec<String> =
        queries(include_str!("data/sakila-queries.sql")).into_iter().map(str::to_owned).collect();
    assert_eq!(queries.len(), 40);
    compare(&ours, &theirs, "sakila", &queries, false);
}

/// Rows and definitions of the harbour's views.
fn assert_same_views(ours: &Path, theirs: &Path, database: &str) {
    let sql = format!("SELECT table_name FROM views WHERE table_schema = '{database}' ORDER BY 1");
    let views = names(theirs, &sql);
    assert_eq!(names(ours, &sql), views);
    assert!(views.len() >= 8, "{views:?}");
    let rows = views.iter().map(|view| format!("SELECT * FROM `{view}`"));
    compare(ours, theirs, database, &rows.collect::<Vec<_>>(), true);
    let shown =
        views.iter().flat_map(|view| [format!("SHOW CREATE VIEW `{view}`"), format!("DESCRIBE `{view}`")]);
    compare(ours, theirs, database, &shown.collect::<Vec<_>>(), false);
}

#[test]
fn views_of_the_harbour_are_dumped_and_restored_both_ways() {
    if !tools::installed(&["mysqldump"]) {
        return;
    }
    let Some(judge) = MariaDb::start() else { return };
    let server = Server::start(&[]);
    let (ours, theirs) = (server.socket(), judge.socket());
    for socket in [&ours, &theirs] {
        let script = concat!(include_str!("data/harbour.sql"), include_str!("data/harbour-views.sql"));
        tools::client("mariadb", socket, &["--default-character-set=utf8mb4"], script.as_bytes());
    }
    assert_same_views(&ours, &theirs, "harbour");
    for (from, to) in [(&ours, &theirs), (&theirs, &ours)] {
        let dumped = tools::client("mysqldump", from, &["harbour"], b"");
        tools::client("mariadb", to, &["-e", "CREATE DATABASE again CHARACTER SET utf8mb4"], b"");
        tools::client("mariadb", to, &["again"], with_definer(&dumped).as_bytes());
    }
    assert_same_views(&ours, &theirs, "again");
}
