//! What accounts may do and see, `read_only`, and views with the rights of those who made them: a script of several
//! accounts, its answers recorded from MariaDB.
//!
//! `data/accounts.txt` has a line `account> statement` for each step (`user:password` where there is one) and MariaDB's
//! answer below it. `PENSTOCK_RECORD=1 PENSTOCK_ORACLE_SOCKET=/path/to/socket cargo test -p penstock --test accounts`
//! records it anew from a MariaDB whose `root` has no password and that lets nobody else in.

mod harness;

use harness::{Connection, Server};
use protocol::client::{Client, ClientError, QueryResult};
use std::collections::HashMap;
use std::fmt::Write;
use std::os::unix::net::UnixStream;
use std::path::Path;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/accounts.txt");

#[test]
fn accounts_do_and_see_what_they_may() {
    let recorded = std::fs::read_to_string(SCRIPT).expect("read the script");
    let steps: Vec<&str> = recorded.lines().filter(|line| is_step(line)).collect();
    if std::env::var_os("PENSTOCK_RECORD").is_some() {
        let oracle = std::env::var("PENSTOCK_ORACLE_SOCKET").expect("PENSTOCK_ORACLE_SOCKET");
        std::fs::write(SCRIPT, play(&steps, Path::new(&oracle))).expect("write the script");
        return;
    }
    let server = Server::start(&[]);
    let played = play(&steps, &server.socket());
    for (ours, theirs) in played.split("\n\n").zip(recorded.split("\n\n")) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(played.len(), recorded.len());
}

fn is_step(line: &str) -> bool {
    line.split_once("> ")
        .is_some_and(|(who, _)| who.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:".contains(&b)))
}

/// Runs the steps, each by a connection of its account that is kept; gives them with their answers.
fn play(steps: &[&str], socket: &Path) -> String {
    let mut connections: HashMap<&str, Connection> = HashMap::new();
    let mut played = String::new();
    for step in steps {
        let (who, sql) = step.split_once("> ").expect("a step");
        writeln!(played, "{step}").expect("write");
        let answer = match connections.contains_key(who) {
            true => Ok(()),
            false => connect(socket, who).map(|connection| drop(connections.insert(who, connection))),
        };
        let answer = answer.and_then(|()| connections.get_mut(who).expect("a connection").query(sql));
        writeln!(played, "{}", told(answer)).expect("write");
    }
    played
}

fn connect(socket: &Path, who: &str) -> Result<Connection, ClientError> {
    let (user, password) = who.split_once(':').unwrap_or((who, ""));
    let stream = UnixStream::connect(socket).expect("connect");
    Client::connect(stream, user, password, None, true)
}

fn told(answer: Result<Vec<QueryResult>, ClientError>) -> String {
    let mut told = String::new();
    match answer {
        Err(error) => writeln!(told, "{error}").expect("write"),
        Ok(results) => {
            for result in results {
                match result {
                    QueryResult::Done(ok) => writeln!(told, "{} rows", ok.affected_rows).expect("write"),
                    QueryResult::Rows { rows, .. } => {
                        for row in rows {
                            let values = row.iter().map(|value| match value {
                                Some(bytes) => String::from_utf8_lossy(bytes).replace('\n', "\\n"),
                                None => "NULL".to_owned(),
                            });
                            writeln!(told, "| {}", values.collect::<Vec<_>>().join(" | ")).expect("write");
                        }
                    }
                }
            }
        }
    }
    told
}
