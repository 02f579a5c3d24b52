//! MariaDB's own reader on the log of an engine. Says so and passes where it is not installed.

use crate::fixture::*;
use engine::{Ddl, Engine, Isolation, Options, QueryText, TxnOptions};
use platform::file::RealDir;
use std::process::Command;
use std::sync::Arc;
use types::{IndexKind, ReferentialAction as Action};

#[test]
fn mariadb_binlog_reads_the_log_and_sees_what_is_for_replicas() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = Options::new(Arc::new(RealDir::new(folder.path(), false).unwrap()));
    options.pool_bytes = 4 << 20;
    options.extent_bytes = 1 << 20;
    options.log.preallocate_bytes = 64 << 10;
    options.background = false;
    let (engine, _) = Engine::open(options).unwrap();
    let statement = |sql: &'static str| {
        let status = binlog::event::QueryStatus {
            catalog: Some(b"std"),
            charset: Some([45, 45, 45]),
            ..Default::default()
        };
        Some(QueryText { thread_id: 7, db: "d", sql, status })
    };
    create_database(&engine);
    let mut child = table_def("c", 2, vec![primary(), index("f", IndexKind::Key, &[1])]);
    child.foreign_keys.push(foreign("fk", 1, "p", "c0", Action::Cascade, Action::Cascade));
    let session = engine.session();
    for (def, sql) in [
        (plain("p"), "CREATE TABLE p(c0 INT PRIMARY KEY, c1 INT)"),
        (child, "CREATE TABLE c(c0 INT PRIMARY KEY, c1 INT, KEY f(c1))"),
        (table_def("heap", 1, vec![]), "CREATE TABLE heap(c0 INT NOT NULL)"),
    ] {
        session.ddl(Ddl::CreateTable { def }, statement(sql), TxnOptions::default()).unwrap();
    }
    insert_rows(&engine, "p", &[&[Some(1), Some(10)], &[Some(2), None]]);
    insert_rows(&engine, "c", &[&[Some(1), Some(1)], &[Some(2), Some(2)]]);
    insert_rows(&engine, "heap", &[&[Some(5)], &[Some(6)]]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.insert("heap", &[Some(7)]).unwrap();
    t.set("p", 1, Some(11)).unwrap();
    t.delete("p", 2).unwrap();
    t.insert("p", &[Some(3), None]).unwrap();
    t.commit();
    let mut t = T::of(&engine, TxnOptions { log: false, ..with(Isolation::RepeatableRead) });
    t.insert("p", &[Some(99), None]).unwrap();
    t.commit();
    engine.close().unwrap();
    let output = Command::new("mariadb-binlog")
        .args(["--verify-binlog-checksum", "-v", "--base64-output=decode-rows"])
        .arg(folder.path().join("binlog.000001"))
        .output();
    let output = match output {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return eprintln!("mariadb-binlog is not installed: not checked");
        }
        output => output.unwrap(),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    for wanted in ["CREATE TABLE heap", "GTID 0-1-3", "ddl", "COMMIT"] {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
    let count = |what: &str| text.matches(what).count();
    assert_eq!(count("### INSERT INTO `d`.`heap`"), 3);
    assert_eq!(count("### INSERT INTO `d`.`p`"), 3, "the one without sql_log_bin is not there");
    assert_eq!(count("### UPDATE `d`.`p`"), 1);
    assert_eq!(count("### DELETE FROM `d`.`p`"), 1);
    assert_eq!(count("### INSERT INTO `d`.`c`"), 2);
    assert_eq!(count("### DELETE FROM `d`.`c`"), 0, "the cascade is left to the replica's own foreign key");
}
