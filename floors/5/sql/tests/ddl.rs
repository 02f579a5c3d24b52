//! Data definition.

mod harness;

use harness::Server;

#[test]
fn a_table_is_made_filled_and_read() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(20) NOT NULL DEFAULT 'x', n DECIMAL(5,2))");
    assert_eq!(s.affected("INSERT INTO t (v, n) VALUES ('a', 1.5), ('b', NULL)"), 2);
    s.run("INSERT INTO t () VALUES ()");
    assert_eq!(s.rows("SELECT * FROM t"), ["1|a|1.50", "2|b|NULL", "3|x|NULL"]);
    assert_eq!(
        s.error("INSERT INTO t VALUES (2, 'c', 3)"),
        (1062, "Duplicate entry '2' for key 'PRIMARY'".into())
    );
    s.run("DROP TABLE t");
    assert_eq!(s.error("SELECT * FROM t"), (1146, "Table 'test.t' doesn't exist".into()));
}

#[test]
fn definitions_and_rows_survive_a_power_cut() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE p (id INT PRIMARY KEY); INSERT INTO p VALUES (1), (2)");
    s.run("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a INT CHECK (a > 0), FOREIGN KEY (a) REFERENCES p (id))");
    s.run("INSERT INTO t (a) VALUES (1), (2)");
    s.run("ALTER TABLE t ADD b VARCHAR(10) NOT NULL DEFAULT 'new', ADD UNIQUE (b, id)");
    s.run("ALTER TABLE t MODIFY b VARCHAR(300) CHARACTER SET latin1, RENAME TO u");
    s.run("CREATE TABLE gone (a INT); DROP TABLE gone");
    let shown = s.shown("u");
    drop(s);
    let again = server.after_power_cut();
    let mut s = again.session();
    assert_eq!(s.shown("u"), shown);
    assert_eq!(s.rows("SELECT * FROM u"), ["1|1|new", "2|2|new"]);
    assert_eq!(s.error("INSERT INTO u (a) VALUES (3)").0, 1452);
    assert_eq!(s.error("INSERT INTO u (a) VALUES (-3)").0, 4025);
    s.run("INSERT INTO u (a) VALUES (1)");
    assert_eq!(s.rows("CHECK TABLE u"), ["test.u|check|status|OK"]);
    assert_eq!(s.error("SELECT * FROM gone").0, 1146);
    assert_eq!(s.error("SELECT * FROM t").0, 1146);
}

#[test]
fn a_refused_alter_leaves_the_table_as_it_was() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(10)); INSERT INTO t VALUES (1, 'x'), (2, 'x'), (3, NULL)");
    let (shown, sum) = (s.shown("t"), s.value("CHECKSUM TABLE t"));
    for (sql, errno) in [
        ("ALTER TABLE t ADD UNIQUE (a)", 1062),
        ("ALTER TABLE t ADD b INT, MODIFY a INT", 1292),
        ("ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (a)", 1265),
        ("ALTER TABLE t ADD CHECK (id < 3)", 4025),
        ("ALTER TABLE t ADD FOREIGN KEY (id) REFERENCES nope (id)", 1005),
    ] {
        assert_eq!(s.error(sql).0, errno, "{sql}");
        assert_eq!((s.shown("t"), s.value("CHECKSUM TABLE t")), (shown.clone(), sum.clone()), "{sql}");
    }
    assert_eq!(s.rows("CHECK TABLE t"), ["test.t|check|status|OK"]);
}

#[test]
fn the_log_holds_the_statements_words_and_their_session() {
    let server = Server::new();
    let mut s = server.session();
    s.run("SET foreign_key_checks = 0");
    s.run("CREATE TABLE t /* as said */ (a INT)");
    s.run("SET sql_log_bin = 0");
    s.run("CREATE TABLE hidden (a INT)");
    let log = server.log_bytes();
    assert!(log.len() > 1000, "{} bytes of log", log.len());
    let find = |text: &[u8]| log.windows(text.len()).any(|window| window == text);
    assert!(find(b"CREATE TABLE t /* as said */ (a INT)"));
    assert!(find(b"CREATE DATABASE test"));
    assert!(!find(b"CREATE TABLE hidden (a INT)"));
}

#[test]
fn views_survive_a_power_cut_and_go_to_the_log() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT PRIMARY KEY, b INT)");
    s.run("INSERT INTO t VALUES (1, 10), (2, 20)");
    s.run("CREATE VIEW v AS SELECT a, b + 1 AS c FROM t WHERE a > 1");
    s.run("CREATE VIEW gone AS SELECT 1");
    s.run("DROP VIEW gone");
    s.run("RENAME TABLE v TO w");
    let log = String::from_utf8_lossy(&server.log_bytes()).into_owned();
    assert!(
        log.contains("SQL SECURITY DEFINER VIEW `test`.`v` AS SELECT a, b + 1 AS c FROM t"),
        "no view there"
    );
    drop(s);
    let server = server.after_power_cut();
    let mut s = server.session();
    assert_eq!(s.rows("SELECT * FROM w"), ["2|21"]);
    assert_eq!(s.error("SELECT * FROM v").0, 1146);
    assert_eq!(s.error("SELECT * FROM gone").0, 1146);
    s.run("DROP DATABASE test");
    s.run("CREATE DATABASE test");
    assert_eq!(s.error("SELECT * FROM test.w").0, 1146);
}

#[test]
fn plans_over_views_follow_the_views() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT PRIMARY KEY, b INT)");
    s.run("INSERT INTO t VALUES (1, 10), (2, 20)");
    s.run("CREATE VIEW v AS SELECT a, b FROM t");
    let mut other = server.session();
    for _ in 0..3 {
        assert_eq!(other.rows("SELECT b FROM v WHERE a = 2"), ["20"]);
    }
    s.run("CREATE OR REPLACE VIEW v AS SELECT a, b * 2 AS b FROM t");
    assert_eq!(other.rows("SELECT b FROM v WHERE a = 2"), ["40"]);
    s.run("DROP VIEW v");
    assert_eq!(other.error("SELECT b FROM v WHERE a = 2").0, 1146);
    s.run("CREATE TABLE v (a INT PRIMARY KEY, b INT)");
    assert_eq!(other.rows("SELECT b FROM v WHERE a = 2"), [""; 0]);
}

#[test]
fn temporary_tables_are_one_sessions_own() {
    let server = Server::new();
    let mut s = server.session();
    let mut other = server.session();
    s.run("CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)");
    for _ in 0..3 {
        assert_eq!(other.rows("SELECT a FROM t WHERE a = 1"), ["1"]);
    }
    s.run("CREATE TEMPORARY TABLE t (a INT PRIMARY KEY, b INT)");
    s.run("INSERT INTO t VALUES (1, 10), (2, 20)");
    assert_eq!(s.rows("SELECT b FROM t WHERE a = 1"), ["10"]);
    assert_eq!(s.error("SELECT a FROM t WHERE c = 1").0, 1054);
    assert_eq!(other.rows("SELECT * FROM t WHERE a = 1"), ["1"]);
    let log = String::from_utf8_lossy(&server.log_bytes()).into_owned();
    assert!(!log.contains("TEMPORARY"), "replicas hear of it");
    s.run("BEGIN; UPDATE t SET b = b + 1; ROLLBACK");
    assert_eq!(s.rows("SELECT b FROM t"), ["10", "20"]);
    s.session.reset();
    s.run("USE test");
    assert_eq!(s.rows("SELECT * FROM t"), ["1"]);
    drop(s);
    drop(other);
    let again = server.after_power_cut();
    assert_eq!(again.session().rows("SELECT * FROM t"), ["1"]);
}

/// As MariaDB has it, but for the table's name in 121, which is its copy's there (`altered-foreign-key` of the differences).
#[test]
fn a_foreign_key_of_a_name_that_the_table_has_is_met_as_it_is_copied() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE p (id INT PRIMARY KEY)");
    client.run("CREATE TABLE c (id INT, a INT, CONSTRAINT k FOREIGN KEY (a) REFERENCES p (id))");
    for name in ["k", "K"] {
        let add = format!("ALTER TABLE c ADD CONSTRAINT {name} FOREIGN KEY (a) REFERENCES p (id)");
        assert_eq!(client.error(&add).0, 1005, "{add}");
        let told = client.warnings();
        assert_eq!(told.iter().map(|(errno, _)| *errno).collect::<Vec<_>>(), [121, 1005, 1022], "{add}");
        assert!(
            told[0].1.contains(&format!("duplicate name, CONSTRAINT `{name}` FOREIGN KEY (`a`)")),
            "{told:?}"
        );
        assert!(told[1].1.contains("errno: 121 \"Duplicate key on write or update\""), "{told:?}");
    }
}

#[test]
fn rows_that_lack_a_column_are_changed_when_their_values_are() {
    let mut s = Server::new().session();
    s.run("CREATE TABLE older (id INT PRIMARY KEY, a INT)");
    s.run("INSERT INTO older VALUES (1, 1), (2, 2), (3, 3)");
    s.run("ALTER TABLE older ADD COLUMN n INT NOT NULL DEFAULT 7, ADD COLUMN w VARCHAR(9) NOT NULL DEFAULT 'word'");
    assert_eq!(s.affected("UPDATE older SET n = 7, a = a"), 0);
    assert_eq!(s.affected("INSERT INTO older (id) VALUES (3) ON DUPLICATE KEY UPDATE w = 'word'"), 0);
    assert_eq!(s.affected("INSERT INTO older (id) VALUES (3) ON DUPLICATE KEY UPDATE w = 'other'"), 2);
    assert_eq!(s.affected("REPLACE INTO older VALUES (2, 2, 7, 'word')"), 1);
    assert_eq!(s.affected("UPDATE older SET n = 8 WHERE n = 7 AND id < 3"), 2);
    assert_eq!(s.affected("UPDATE older SET n = 8"), 1);
}

#[test]
fn null_that_is_given_to_null_counts_where_the_column_has_a_default() {
    let mut s = Server::new().session();
    s.run("SET sql_mode = ''");
    s.run("CREATE TABLE t (id INT PRIMARY KEY, a INT DEFAULT 4, b INT, v VARCHAR(5) DEFAULT 'x', e ENUM('x') DEFAULT 'x', w TEXT DEFAULT 'x', z INT DEFAULT 0)");
    s.run("INSERT INTO t VALUES (1, NULL, NULL, NULL, NULL, NULL, NULL)");
    for (given, counted) in [
        ("a = NULL", 1),
        ("b = NULL", 0),
        ("b = NULL, v = v", 1),
        ("e = NULL", 1),
        ("w = NULL, z = NULL", 0),
        ("a = 5", 2),
        ("a = NULL", 2),
    ] {
        let change = format!("INSERT INTO t (id) VALUES (1) ON DUPLICATE KEY UPDATE {given}");
        assert_eq!(s.affected(&change), counted, "{given}");
    }
}
