//! System variables, SET, SHOW, INFORMATION_SCHEMA, accounts. What is expected was asked of MariaDB 10.11.

mod harness;

use harness::Server;
use types::Value;

#[test]
fn a_set_computes_all_values_before_it_changes_any() {
    let server = Server::new();
    let mut s = server.session();
    s.run("SET @a = 7");
    s.run("SET @a = 1, @b = @a");
    assert_eq!(s.rows("SELECT @a, @b"), ["1|7"]);
    assert_eq!(
        s.error("SET @a = 2, sql_mode = 'nothing'"),
        (1231, "Variable 'sql_mode' can't be set to the value of 'nothing'".into())
    );
    assert_eq!(s.rows("SELECT @a"), ["1"]);
}

#[test]
fn what_frameworks_set_at_connect_is_taken() {
    let server = Server::new();
    let mut s = server.session();
    s.run(
        "SET NAMES utf8mb4, @@SESSION.sql_mode = CONCAT(CONCAT(@@sql_mode, ',TRADITIONAL'), ',NO_AUTO_VALUE_ON_ZERO'), \
         @@SESSION.wait_timeout = 2147483",
    );
    assert_eq!(
        s.rows("SELECT @@sql_mode, @@wait_timeout"),
        [
            "NO_AUTO_VALUE_ON_ZERO,STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,TRADITIONAL,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION|2147483"
        ]
    );
    s.run("SET NAMES 'utf8mb4' COLLATE 'utf8mb4_unicode_ci', time_zone='+02:00', SESSION sql_mode='STRICT_TRANS_TABLES'");
    assert_eq!(
        s.rows("SELECT @@collation_connection, @@time_zone, @@sql_mode"),
        ["utf8mb4_unicode_ci|+02:00|STRICT_TRANS_TABLES"]
    );
    s.run("SET character_set_results = NULL, autocommit = 1");
    assert_eq!(s.rows("SELECT @@character_set_results"), ["NULL"]);
    s.run("SET STATEMENT max_statement_time = 5 FOR SELECT @@max_statement_time");
    assert_eq!(s.rows("SELECT @@max_statement_time + 0"), ["0.000000"]);
}

#[test]
fn variables_refuse_what_mariadb_refuses() {
    let server = Server::new();
    let mut s = server.session();
    for (sql, errno, message) in [
        ("SET foo = 1", 1193, "Unknown system variable 'foo'"),
        ("SET autocommit = 2", 1231, "Variable 'autocommit' can't be set to the value of '2'"),
        ("SET sort_buffer_size = 'a'", 1232, "Incorrect argument type to variable 'sort_buffer_size'"),
        (
            "SET GLOBAL timestamp = 1",
            1228,
            "Variable 'timestamp' is a SESSION variable and can't be used with SET GLOBAL",
        ),
        (
            "SET init_connect = 'x'",
            1229,
            "Variable 'init_connect' is a GLOBAL variable and should be set with SET GLOBAL",
        ),
        (
            "SET SESSION max_allowed_packet = 5",
            1621,
            "SESSION variable 'max_allowed_packet' is read-only. Use SET GLOBAL to assign the value",
        ),
        ("SET version = 'a'", 1238, "Variable 'version' is a read only variable"),
        ("SELECT @@session.max_connections", 1238, "Variable 'max_connections' is a GLOBAL variable"),
        ("SELECT @@global.timestamp", 1238, "Variable 'timestamp' is a SESSION variable"),
        ("SET character_set_client = 'x'", 1115, "Unknown character set: 'x'"),
        (
            "SET NAMES utf8mb4 COLLATE latin1_bin",
            1253,
            "COLLATION 'latin1_bin' is not valid for CHARACTER SET 'utf8mb4'",
        ),
        ("SET time_zone = 'foo'", 1298, "Unknown or incorrect time zone: 'foo'"),
        ("SET sql_mode = NULL", 1231, "Variable 'sql_mode' can't be set to the value of 'NULL'"),
    ] {
        assert_eq!(s.error(sql), (errno, message.into()), "{sql}");
    }
    s.run("SET div_precision_increment = 100");
    assert_eq!(
        s.rows("SHOW WARNINGS"),
        ["Warning|1292|Truncated incorrect div_precision_increment value: '100'"]
    );
    assert_eq!(s.rows("SELECT @@div_precision_increment"), ["30"]);
    s.run("BEGIN");
    assert_eq!(s.error("SET sql_log_bin = 0").0, 1694);
    assert_eq!(s.error("SET TRANSACTION READ ONLY").0, 1568);
    s.run("ROLLBACK");
}

#[test]
fn turning_autocommit_on_commits() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT PRIMARY KEY)");
    s.run("SET autocommit = 0");
    s.run("INSERT INTO t VALUES (1)");
    assert_eq!(server.session().rows("SELECT COUNT(*) FROM t"), ["0"]);
    s.run("SET autocommit = 1");
    assert_eq!(server.session().rows("SELECT COUNT(*) FROM t"), ["1"]);
}

#[test]
fn insert_id_and_timestamp_are_obeyed() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT PRIMARY KEY AUTO_INCREMENT, b INT)");
    s.run("SET insert_id = 500, time_zone = '+00:00', timestamp = 1000000");
    s.run("INSERT INTO t (b) VALUES (1), (2)");
    s.run("INSERT INTO t (b) VALUES (3)");
    assert_eq!(s.rows("SELECT a FROM t"), ["500", "501", "502"]);
    assert_eq!(s.rows("SELECT NOW()"), ["1970-01-12 13:46:40"]);
}

const TABLE: &str = "CREATE TABLE t (a INT AUTO_INCREMENT PRIMARY KEY, b VARCHAR(5) DEFAULT 'x', \
    c TIMESTAMP NOT NULL DEFAULT NOW() ON UPDATE NOW(), d ENUM('a','b') NOT NULL DEFAULT 'b', e INT DEFAULT 5, f TEXT, \
    KEY(b(2)), UNIQUE u (e))";

#[test]
fn columns_and_indexes_are_described() {
    let server = Server::new();
    let mut s = server.session();
    s.run(TABLE);
    let columns = [
        "a|int(11)|NO|PRI|NULL|auto_increment",
        "b|varchar(5)|YES|MUL|x|",
        "c|timestamp|NO||current_timestamp()|on update current_timestamp()",
        "d|enum('a','b')|NO||b|",
        "e|int(11)|YES|UNI|5|",
        "f|text|YES||NULL|",
    ];
    assert_eq!(s.rows("SHOW COLUMNS FROM t"), columns);
    assert_eq!(s.rows("DESCRIBE t"), columns);
    assert_eq!(s.rows("DESC t 'e'"), [columns[4]]);
    assert_eq!(s.rows("SHOW COLUMNS FROM t WHERE `Key` = 'PRI'"), [columns[0]]);
    assert_eq!(
        s.rows("SHOW INDEX FROM t"),
        [
            "t|0|PRIMARY|1|a|A|0|NULL|NULL||BTREE|||NO",
            "t|0|u|1|e|A|0|NULL|NULL|YES|BTREE|||NO",
            "t|1|b|1|b|A|0|2|NULL|YES|BTREE|||NO",
        ]
    );
    assert_eq!(
        s.rows(
            "SELECT column_name, column_default, data_type, character_maximum_length, character_octet_length, \
             numeric_precision, numeric_scale, datetime_precision, character_set_name, column_key, extra \
             FROM information_schema.columns WHERE table_schema = 'test' ORDER BY ordinal_position"
        ),
        [
            "a|NULL|int|NULL|NULL|10|0|NULL|NULL|PRI|auto_increment",
            "b|'x'|varchar|5|20|NULL|NULL|NULL|utf8mb4|MUL|",
            "c|current_timestamp()|timestamp|NULL|NULL|NULL|NULL|0|NULL||on update current_timestamp()",
            "d|'b'|enum|1|4|NULL|NULL|NULL|utf8mb4||",
            "e|5|int|NULL|NULL|10|0|NULL|NULL|UNI|",
            "f|NULL|text|65535|65535|NULL|NULL|NULL|utf8mb4||",
        ]
    );
    assert_eq!(s.error("DESCRIBE nothing"), (1146, "Table 'test.nothing' doesn't exist".into()));
}

#[test]
fn cardinality_is_what_prefixes_tell_apart() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE d (id INT PRIMARY KEY, a INT, b INT, KEY (a, b), UNIQUE KEY (b, id))");
    s.run("INSERT INTO d SELECT seq, seq % 10, seq % 100 FROM seq_1_to_1000");
    let told = "SELECT INDEX_NAME, SEQ_IN_INDEX, CARDINALITY FROM INFORMATION_SCHEMA.STATISTICS \
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'd' ORDER BY 1, 2";
    assert_eq!(s.rows(told), ["a|1|10", "a|2|100", "b|1|100", "b|2|1000", "PRIMARY|1|1000"]);
    s.run("TRUNCATE TABLE d");
    assert_eq!(s.rows(told), ["a|1|0", "a|2|0", "b|1|0", "b|2|0", "PRIMARY|1|0"]);
}

#[test]
fn databases_and_tables_are_listed() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT); CREATE TABLE u (a INT)");
    assert_eq!(s.rows("SHOW DATABASES"), ["information_schema", "mysql", "test"]);
    assert_eq!(s.rows("SHOW TABLES"), ["t", "u"]);
    let shown = s.run("SHOW FULL TABLES FROM test LIKE 'u%'");
    let heads: Vec<&str> = shown.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(heads, ["Tables_in_test (u%)", "Table_type"]);
    assert_eq!(shown.rows.len(), 1);
    assert_eq!(s.rows("SHOW FULL TABLES WHERE Tables_in_test = 't'"), ["t|BASE TABLE"]);
    assert_eq!(s.rows("SHOW TABLES FROM information_schema LIKE 'SCHEMATA'"), ["SCHEMATA"]);
    assert_eq!(s.error("SHOW TABLES FROM nothing"), (1049, "Unknown database 'nothing'".into()));
    assert_eq!(
        s.rows("SHOW CREATE DATABASE IF NOT EXISTS test"),
        [
            "test|CREATE DATABASE /*!32312 IF NOT EXISTS*/ `test` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci */"
        ]
    );
}

#[test]
fn keys_and_constraints_are_told() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE p (a INT PRIMARY KEY)");
    s.run(
        "CREATE TABLE c (a INT PRIMARY KEY, b INT, CONSTRAINT k FOREIGN KEY (b) REFERENCES p (a) ON DELETE CASCADE, \
         CONSTRAINT positive CHECK (b > 0))",
    );
    assert_eq!(
        s.rows(
            "SELECT constraint_name, column_name, referenced_table_name, referenced_column_name \
             FROM information_schema.key_column_usage WHERE table_name = 'c'"
        ),
        ["PRIMARY|a|NULL|NULL", "k|b|p|a"]
    );
    assert_eq!(
        s.rows(
            "SELECT unique_constraint_name, update_rule, delete_rule FROM information_schema.referential_constraints"
        ),
        ["PRIMARY|RESTRICT|CASCADE"]
    );
    assert_eq!(
        s.rows(
            "SELECT constraint_name, check_clause FROM information_schema.check_constraints \
             WHERE constraint_schema = 'test'"
        ),
        ["positive|`b` > 0"]
    );
    assert_eq!(
        s.rows(
            "SELECT constraint_type FROM information_schema.table_constraints WHERE table_name = 'c' ORDER BY 1"
        ),
        ["CHECK", "FOREIGN KEY", "PRIMARY KEY"]
    );
}

#[test]
fn filters_reach_server_facts() {
    let server = Server::new();
    let mut s = server.session();
    assert_eq!(s.rows("SHOW VARIABLES LIKE 'binlog\\_format'"), ["binlog_format|ROW"]);
    assert_eq!(
        s.rows("SHOW VARIABLES WHERE Variable_name IN ('collation_server', 'autocommit')"),
        ["autocommit|ON", "collation_server|utf8mb4_general_ci"]
    );
    assert_eq!(
        s.rows("SHOW COLLATION WHERE Charset = 'latin1' AND `Default` = 'Yes'"),
        ["latin1_swedish_ci|latin1|8|Yes|Yes|1"]
    );
    assert_eq!(s.rows("SHOW CHARSET LIKE 'latin1'"), ["latin1|cp1252 West European|latin1_swedish_ci|1"]);
    assert_eq!(s.rows("SHOW SLAVE STATUS"), [""; 0]);
    assert_eq!(s.rows("SHOW TRIGGERS"), [""; 0]);
    assert_eq!(s.rows("SHOW COUNT(*) WARNINGS"), ["0"]);
}

#[test]
fn accounts_are_made_granted_shown_and_dropped() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE USER a@localhost IDENTIFIED BY 'x'");
    assert_eq!(
        s.error("CREATE USER a@localhost"),
        (1396, "Operation CREATE USER failed for 'a'@'localhost'".into())
    );
    s.run("GRANT INSERT, SELECT ON test.* TO a@localhost");
    s.run("GRANT PROCESS, REPLICATION CLIENT ON *.* TO a@localhost WITH GRANT OPTION");
    assert_eq!(
        s.rows("SHOW GRANTS FOR a@localhost"),
        [
            "GRANT PROCESS, BINLOG MONITOR ON *.* TO `a`@`localhost` IDENTIFIED BY PASSWORD '*B69027D44F6E5EDC07F1AEAD1477967B16F28227' WITH GRANT OPTION",
            "GRANT SELECT, INSERT ON `test`.* TO `a`@`localhost`",
        ]
    );
    s.run("REVOKE INSERT ON test.* FROM a@localhost");
    assert_eq!(
        s.error("REVOKE INSERT ON other.* FROM a@localhost"),
        (1141, "There is no such grant defined for user 'a' on host 'localhost'".into())
    );
    s.run("REVOKE ALL PRIVILEGES, GRANT OPTION FROM a@localhost");
    s.run("SET PASSWORD FOR a@localhost = PASSWORD('')");
    assert_eq!(s.rows("SHOW GRANTS FOR a@localhost"), ["GRANT USAGE ON *.* TO `a`@`localhost`"]);
    s.run("GRANT ALL ON test.* TO a@localhost");
    assert_eq!(
        s.rows("SHOW GRANTS FOR a@localhost"),
        ["GRANT USAGE ON *.* TO `a`@`localhost`", "GRANT ALL PRIVILEGES ON `test`.* TO `a`@`localhost`"]
    );
    s.run("RENAME USER a@localhost TO b@'%'");
    s.run("DROP USER b");
    assert_eq!(s.error("DROP USER b"), (1396, "Operation DROP USER failed for 'b'@'%'".into()));
    s.run("DROP USER IF EXISTS b");
    assert_eq!(s.rows("SHOW WARNINGS"), ["Note|1974|Can't drop user 'b'@'%'; it doesn't exist"]);
}

#[test]
fn an_account_without_privileges_is_refused() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE USER a@localhost");
    s.session.state.user = "a".into();
    s.session.state.set_account("a@localhost".into());
    for sql in
        ["CREATE USER c", "DROP USER a@localhost", "FLUSH LOGS", "SHUTDOWN", "SET PASSWORD FOR root = ''"]
    {
        assert_eq!(s.error(sql).0, 1227, "{sql}");
    }
    assert_eq!(s.error("GRANT SELECT ON *.* TO a@localhost").0, 1045);
    s.run("SET PASSWORD = PASSWORD('y')");
}

#[test]
fn the_log_is_shown_rotated_and_purged() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)");
    let events = s.rows("SHOW BINLOG EVENTS LIMIT 3");
    assert!(events[0].starts_with("binlog.000001|4|Format_desc|"), "{events:?}");
    assert_eq!(events.len(), 3);
    s.run("FLUSH LOGS");
    assert_eq!(s.rows("SHOW BINARY LOGS").len(), 2);
    assert!(s.rows("SHOW MASTER STATUS")[0].starts_with("binlog.000002|"));
    s.run("INSERT INTO t VALUES (2)");
    s.run("PURGE BINARY LOGS TO 'binlog.000002'");
    assert_eq!(s.rows("SHOW BINARY LOGS").len(), 1);
    assert_eq!(s.error("PURGE BINARY LOGS TO 'nothing'").0, 1373);
}

#[test]
fn grants_decide_what_an_account_may_do() {
    let server = Server::new();
    let mut root = server.session();
    root.run("CREATE TABLE t (a INT PRIMARY KEY); CREATE TABLE u (a INT); INSERT INTO t VALUES (1)");
    root.run("CREATE USER a@localhost");
    root.run("GRANT SELECT ON test.t TO a@localhost");
    // The plan of an account that may do everything is not to serve one that may not.
    assert_eq!(root.rows("SELECT * FROM u WHERE a = 1"), [""; 0]);
    let mut s = server.session();
    s.session.state.user = "a".into();
    s.session.state.set_account("a@localhost".into());
    assert_eq!(s.rows("SELECT * FROM t WHERE a = 1"), ["1"]);
    let denied = |command: &str, table: &str| {
        (1142, format!("{command} command denied to user 'a'@'localhost' for table `test`.`{table}`"))
    };
    assert_eq!(s.error("SELECT * FROM u WHERE a = 1"), denied("SELECT", "u"));
    assert_eq!(s.error("SELECT * FROM t WHERE a IN (SELECT a FROM u)"), denied("SELECT", "u"));
    assert_eq!(s.error("INSERT INTO t VALUES (2)"), denied("INSERT", "t"));
    assert_eq!(s.error("UPDATE t SET a = 2"), denied("UPDATE", "t"));
    assert_eq!(s.error("DELETE FROM t"), denied("DELETE", "t"));
    assert_eq!(s.error("DROP TABLE t"), denied("DROP", "t"));
    assert_eq!(s.error("ALTER TABLE t ADD b INT"), denied("ALTER", "t"));
    assert_eq!(
        s.error("CREATE DATABASE x"),
        (1044, "Access denied for user 'a'@'localhost' to database 'x'".into())
    );
    assert_eq!(s.error("SET GLOBAL max_error_count = 1").0, 1227);
    root.run("GRANT ALL ON `te%`.* TO a@localhost");
    assert_eq!(s.rows("SELECT * FROM u WHERE a = 1"), [""; 0]);
    s.run("INSERT INTO t VALUES (2); DROP TABLE u");
    root.run("REVOKE ALL ON `te%`.* FROM a@localhost");
    assert_eq!(s.error("INSERT INTO t VALUES (3)"), denied("INSERT", "t"));
    root.run("DROP USER a@localhost");
    assert_eq!(s.error("SELECT * FROM t WHERE a = 1"), denied("SELECT", "t"));
}

/// Privileges on columns are there after a start, and plans of accounts that may do more do not serve.
#[test]
fn privileges_on_columns_survive() {
    let server = Server::new();
    let mut root = server.session();
    root.run(
        "CREATE TABLE t (a INT PRIMARY KEY, b INT); INSERT INTO t VALUES (1, 2); CREATE USER a@localhost",
    );
    root.run("GRANT SELECT (a), UPDATE (b) ON t TO a@localhost");
    let server = server.after_power_cut();
    let (mut root, mut s) = (server.session(), server.session());
    s.session.state.user = "a".into();
    s.session.state.set_account("a@localhost".into());
    let denied =
        (1143, "SELECT command denied to user 'a'@'localhost' for column 'b' in table 't'".to_owned());
    assert_eq!(root.rows("SELECT b FROM t WHERE a = 1"), ["2"]);
    assert_eq!(s.rows("SELECT a FROM t WHERE a = 1"), ["1"]);
    assert_eq!(s.error("SELECT b FROM t WHERE a = 1"), denied);
    s.run("UPDATE t SET b = 3 WHERE a = 1");
    assert_eq!(root.rows("SELECT b FROM t WHERE a = 1"), ["3"]);
    let id = s.prepare("UPDATE t SET b = ? WHERE a = 1");
    root.run("REVOKE UPDATE (b) ON t FROM a@localhost");
    assert_eq!(s.execute(id, &[Value::Int(4)]).unwrap_err().0, 1142);
    root.run("GRANT SELECT ON t TO a@localhost");
    assert_eq!(s.rows("SELECT b FROM t WHERE a = 1"), ["3"]);
    root.run("REVOKE SELECT ON t FROM a@localhost");
    assert_eq!(s.error("SELECT a FROM t WHERE a = 1").0, 1142);
}

/// A table that is joined to the one that is changed needs to be read only, but what is changed needs more.
#[test]
fn tables_joined_to_a_changed_one_need_select() {
    let server = Server::new();
    let mut root = server.session();
    root.run("CREATE TABLE t (a INT, b INT); CREATE TABLE u (a INT); CREATE TABLE h (a INT)");
    root.run("GRANT ALL ON *.* TO root@localhost IDENTIFIED BY 'x'");
    root.run("INSERT INTO t VALUES (1, 1), (2, 2); INSERT INTO u VALUES (1), (3)");
    root.run(
        "CREATE VIEW v AS SELECT a, b FROM t; CREATE VIEW w AS SELECT a FROM u; CREATE USER a@localhost",
    );
    root.run("GRANT SELECT, UPDATE, DELETE ON test.t TO a@localhost; GRANT SELECT ON test.u TO a@localhost");
    root.run("GRANT SELECT ON test.v TO a@localhost; GRANT SELECT, UPDATE, DELETE ON test.w TO a@localhost");
    let mut s = server.session();
    s.session.state.user = "a".into();
    s.session.state.set_account("a@localhost".into());
    let denied = |command: &str, table: &str| {
        (1142, format!("{command} command denied to user 'a'@'localhost' for table `test`.`{table}`"))
    };
    s.run("UPDATE t JOIN u ON t.a = u.a SET t.b = t.b + 10");
    s.run("UPDATE w JOIN v ON w.a = v.a SET w.a = 5");
    s.run("DELETE t FROM t JOIN u ON t.a = u.a - 4");
    assert_eq!(s.rows("SELECT * FROM t"), ["2|2"]);
    assert_eq!(s.rows("SELECT * FROM u"), ["5", "3"]);
    assert_eq!(s.error("UPDATE t JOIN u ON t.a = u.a SET u.a = 1"), denied("UPDATE", "u"));
    assert_eq!(s.error("UPDATE t JOIN u x SET t.b = 1, x.a = 1"), denied("UPDATE", "u"));
    assert_eq!(s.error("UPDATE t JOIN v SET v.b = 1"), denied("UPDATE", "v"));
    assert_eq!(s.error("UPDATE t JOIN h SET t.b = 1"), denied("SELECT", "h"));
    assert_eq!(s.error("DELETE u FROM t JOIN u"), denied("DELETE", "u"));
    assert_eq!(s.error("DELETE v FROM t JOIN v"), denied("DELETE", "v"));
    assert_eq!(s.error("DELETE FROM u"), denied("DELETE", "u"));
    assert_eq!(s.error("UPDATE u SET a = 1 WHERE a IN (SELECT a FROM u)"), denied("UPDATE", "u"));
    root.run("GRANT DELETE ON test.h TO a@localhost");
    assert_eq!(s.error("DELETE h FROM t JOIN h"), denied("SELECT", "h"));
    root.run("DROP USER a@localhost");
}

#[test]
fn unlock_tables_without_locks_leaves_a_dump_its_snapshot() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)");
    s.run("START TRANSACTION WITH CONSISTENT SNAPSHOT; UNLOCK TABLES; SAVEPOINT sp");
    server.session().run("INSERT INTO t VALUES (2)");
    assert_eq!(s.rows("SELECT a FROM t"), ["1"]);
    s.run("ROLLBACK TO SAVEPOINT sp; RELEASE SAVEPOINT sp; COMMIT");
    assert_eq!(s.rows("SELECT a FROM t"), ["1", "2"]);
}

#[test]
fn the_database_mysql_is_read_by_those_who_may() {
    let server = Server::new();
    let mut root = server.session();
    root.run("CREATE USER a@localhost IDENTIFIED BY 'x'");
    let mut s = server.session();
    s.session.state.user = "a".into();
    s.session.state.set_account("a@localhost".into());
    let no_database = (1044, "Access denied for user 'a'@'localhost' to database 'mysql'".into());
    let denied = |table: &str| {
        (1142, format!("SELECT command denied to user 'a'@'localhost' for table `mysql`.`{table}`"))
    };
    let seen = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'mysql'";
    assert_eq!(s.error("USE mysql"), no_database);
    assert_eq!(s.error("SHOW TABLES FROM mysql"), no_database);
    assert_eq!(s.error("SELECT User FROM mysql.user"), denied("user"));
    assert_eq!(s.error("SELECT Priv FROM mysql.global_priv"), denied("global_priv"));
    assert_eq!(s.error("DESCRIBE mysql.db"), denied("db"));
    assert_eq!(s.rows(seen), [""; 0]);
    assert!(!s.rows("SHOW DATABASES").contains(&"mysql".to_owned()));
    // Who may read the view needs nothing on the table below it.
    root.run("GRANT SELECT ON mysql.user TO a@localhost");
    assert_eq!(s.rows("SELECT User FROM mysql.user WHERE User = 'a'"), ["a"]);
    assert_eq!(s.error("SELECT Priv FROM mysql.global_priv"), denied("global_priv"));
    assert_eq!(s.rows(seen), ["user"]);
    s.run("USE mysql");
    assert_eq!(s.rows("SHOW TABLES"), ["user"]);
    assert_eq!(s.error("SELECT * FROM db"), denied("db"));
    root.run("GRANT SELECT ON mysql.* TO a@localhost");
    assert_eq!(s.rows("SELECT Db FROM db"), ["mysql"]);
    root.run("REVOKE SELECT ON mysql.* FROM a@localhost; REVOKE SELECT ON mysql.user FROM a@localhost");
    assert_eq!(s.error("SELECT User FROM mysql.user"), denied("user"));
}

#[test]
fn the_database_mysql_is_changed_by_grants_alone() {
    let server = Server::new();
    let mut s = server.session();
    let refused = (
        1235,
        "This version of MariaDB doesn't yet support 'changes of the database mysql other than by CREATE USER, \
         ALTER USER, DROP USER, GRANT and REVOKE'"
            .to_owned(),
    );
    for sql in [
        "INSERT INTO mysql.db (Host, Db, User) VALUES ('%', 'x', 'y')",
        "REPLACE INTO mysql.global_priv (Host, User) VALUES ('%', 'x')",
        "INSERT INTO mysql.user (Host, User) VALUES ('%', 'x')",
        "UPDATE mysql.user SET Password = ''",
        "UPDATE mysql.db SET Db = 'x'",
        "DELETE FROM mysql.db",
        "DELETE FROM mysql.user WHERE User = 'x'",
        "TRUNCATE TABLE mysql.db",
        "DROP TABLE mysql.db",
        "ALTER TABLE mysql.db ADD c INT",
        "CREATE TABLE mysql.own (a INT)",
        "CREATE OR REPLACE TABLE mysql.db (a INT)",
        "RENAME TABLE mysql.db TO test.db",
        "CREATE INDEX i ON mysql.db (Db)",
        "DROP DATABASE mysql",
        "ALTER DATABASE mysql CHARACTER SET latin1",
    ] {
        assert_eq!(s.error(sql), refused, "{sql}");
    }
    assert_eq!(s.error("CREATE DATABASE mysql").0, 1007);
}

#[test]
fn what_a_dump_says_of_the_database_mysql_is_passed_over() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE USER a@localhost; GRANT SELECT ON test.* TO a@localhost");
    let before = s.rows("SELECT * FROM mysql.db");
    for sql in [
        "CREATE DATABASE /*!32312 IF NOT EXISTS*/ `mysql` /*!40100 DEFAULT CHARACTER SET utf8mb4 */",
        "USE `mysql`",
        "DROP TABLE IF EXISTS `db`",
        "CREATE TABLE `db` (`Host` char(255) NOT NULL DEFAULT '', PRIMARY KEY (`Host`)) ENGINE=Aria",
        "LOCK TABLES `db` WRITE",
        "/*!40000 ALTER TABLE `db` DISABLE KEYS */",
        "INSERT INTO `db` VALUES ('%'),('localhost')",
        "/*!40000 ALTER TABLE `db` ENABLE KEYS */",
        "UNLOCK TABLES",
        "/*!50001 DROP VIEW IF EXISTS `user`*/",
        "/*!50001 CREATE VIEW `user` AS SELECT 1 AS `Host` */",
    ] {
        s.run(sql);
        let told = s.warnings().iter().any(|(errno, _)| *errno == 1235 || *errno == 1007);
        assert!(told || sql.contains("LOCK") || sql.starts_with("USE"), "{sql}");
    }
    assert_eq!(s.rows("SELECT * FROM mysql.db"), before);
    assert_eq!(s.error("INSERT INTO db VALUES ('%')").0, 1235);
}

#[test]
fn what_stands_in_an_earlier_database_mysql_is_shown_once() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE user (a INT); CREATE TABLE mine (a INT); INSERT INTO mine VALUES (7)");
    // As versions before let users make it.
    let made =
        |ddl: engine::Ddl| server.engine.session().ddl(ddl, None, engine::TxnOptions::default()).unwrap();
    let def =
        engine::DatabaseDef { collation: types::CollationId::LATIN1_SWEDISH_CI, comment: String::new() };
    made(engine::Ddl::CreateDatabase { name: "mysql".into(), def });
    for name in ["user", "mine"] {
        let table = server.engine.catalog().table("test", name).unwrap().def().as_ref().clone();
        made(engine::Ddl::CreateTable { def: types::TableDef { db: "mysql".into(), ..table } });
    }
    for shown in [
        "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'mysql' AND TABLE_NAME IN ('user', 'mine') \
         ORDER BY TABLE_NAME",
        "SELECT DISTINCT TABLE_NAME FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'mysql' AND COLUMN_NAME IN ('a', 'Host') \
         AND TABLE_NAME IN ('user', 'mine') ORDER BY TABLE_NAME",
        "SHOW TABLES FROM mysql WHERE Tables_in_mysql IN ('user', 'mine')",
    ] {
        assert_eq!(s.rows(shown), ["mine", "user"], "{shown}");
    }
    assert_eq!(s.value("SELECT COUNT(*) FROM mysql.mine"), "0");
    assert_eq!(s.value("SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'mysql'"), "1");
    s.run("DROP DATABASE mysql");
    assert_eq!(s.rows("SHOW TABLES FROM mysql WHERE Tables_in_mysql IN ('user', 'mine')"), ["user"]);
}
