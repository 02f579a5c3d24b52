//! The general query log: what it is told, in MariaDB's words. The entries here are those of MariaDB 10.11 for the same commands.

mod harness;

use harness::{Server, one, run};
use protocol::client::Bound;
use protocol::flags::wire_type;

/// The log without its times and connection numbers.
fn entries(text: &str) -> Vec<String> {
    let entry = |line: &str| {
        let (head, argument) = line.rsplit_once('\t').expect("a command and its argument");
        let numbered = head.rsplit('\t').next().expect("a number and a command");
        let (_, command) = numbered.trim_start().split_once(' ').expect("a number and a command");
        format!("{command}\t{argument}")
    };
    text.lines().skip(3).map(entry).collect()
}

#[test]
fn commands_are_written_before_they_are_done() {
    let server = Server::start(&[]);
    let log = server.data_dir().join("general.log");
    let written = || std::fs::read_to_string(&log).unwrap_or_default();
    let mut watcher = server.connect();
    run(&mut watcher, "SET GLOBAL general_log = 1");
    let mut client = server.connect_to("mysql");
    run(&mut client, "CREATE DATABASE logged");
    client.simple(0x02, b"logged").expect("COM_INIT_DB");
    assert!(client.query("SELEC x").is_err());
    run(&mut client, "PREPARE p FROM 'SELECT ?, 5'");
    run(&mut client, "SET @a = 'it''s'");
    run(&mut client, "EXECUTE p USING @a");
    run(&mut client, "EXECUTE IMMEDIATE 'SELECT 7'");
    assert_eq!(one(&mut client, "SELECT 1"), one(&mut client, "SELECT 1"));
    let prepared = client.prepare("SELECT ?, '?', ?").expect("prepare");
    let bound = |wire_type, value| Bound { wire_type, unsigned: false, value };
    let seven = bound(wire_type::LONGLONG, Some(7i64.to_le_bytes().to_vec()));
    let nothing = bound(wire_type::VAR_STRING, None);
    client.execute_bound(&prepared, &[seven, nothing], true).expect("execute");
    run(&mut client, "SET sql_log_off = 1");
    run(&mut client, "DO 'unseen'");
    run(&mut client, "SET sql_log_off = 0");
    client.quit().expect("quit");
    assert!(server.try_connect(Some("nowhere")).is_none());
    while !written().contains("nowhere") {
        std::thread::yield_now();
    }
    let head = format!(
        ". started with:\nTcp port: 0  Unix socket: {}\nTime\t\t    Id Command\tArgument\n",
        server.socket().display()
    );
    assert!(written().contains(&head), "{}", written());
    let expected = [
        "Connect\troot@localhost on mysql using Socket",
        "Query\tCREATE DATABASE logged",
        "Init DB\tlogged",
        "Query\tSELEC x",
        "Query\tPREPARE p FROM 'SELECT ?, 5'",
        "Prepare\tSELECT ?, 5",
        "Query\tSET @a = 'it''s'",
        "Query\tEXECUTE p USING @a",
        "Execute\tSELECT 'it\\'s', 5",
        "Query\tEXECUTE IMMEDIATE 'SELECT 7'",
        "Prepare\tSELECT 7",
        "Execute\tSELECT 7",
        "Query\tSELECT 1",
        "Query\tSELECT 1",
        "Prepare\tSELECT ?, '?', ?",
        "Execute\tSELECT 7, '?', NULL",
        "Query\tSET sql_log_off = 1",
        "Quit\t",
        "Connect\troot@localhost on nowhere using Socket",
    ];
    assert_eq!(entries(&written()), expected);
    // Moved away, it is begun anew; switched off, it is left alone.
    std::fs::rename(&log, log.with_extension("old")).expect("move the log away");
    run(&mut watcher, "SET GLOBAL general_log = 0");
    run(&mut watcher, "DO 'unseen'");
    assert_eq!(entries(&written()), ["Query\tSET GLOBAL general_log = 0"]);
}
