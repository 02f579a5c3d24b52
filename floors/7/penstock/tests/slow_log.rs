//! The slow query log: what is written to it, and what is not.

mod harness;

use harness::{Server, one, run};

#[test]
fn slow_statements_are_written_with_their_facts() {
    let server = Server::start(&[]);
    let log = || std::fs::read_to_string(server.data_dir().join("slow.log")).unwrap_or_default();
    run(&mut server.connect(), "SET GLOBAL slow_query_log = 1");
    let mut client = server.connect();
    run(&mut client, "SET long_query_time = 0.05");
    one(&mut client, "SELECT SLEEP(0.2), 'written'");
    let entry = log();
    for part in [
        "# User@Host: root[root] @ localhost []\n",
        "  QC_hit: No\n# Query_time: 0.",
        "  Rows_sent: 1  Rows_examined: 0\n# Rows_affected: 0\nSET timestamp=",
        ";\nSELECT SLEEP(0.2), 'written';\n",
    ] {
        assert!(entry.contains(part), "{part:?} in {entry}");
    }
    let slow = one(&mut client, "SHOW STATUS WHERE Variable_name = 'Slow_queries' AND Value > 0");
    assert_eq!(slow, "Slow_queries");
    run(&mut client, "SET min_examined_row_limit = 1");
    one(&mut client, "SELECT SLEEP(0.2), 'too few rows'");
    run(&mut client, "SET min_examined_row_limit = 0, slow_query_log = 0");
    one(&mut client, "SELECT SLEEP(0.2), 'not in this session'");
    assert_eq!(log(), entry);
}
