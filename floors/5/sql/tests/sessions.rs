//! Sessions beside one another: isolation, locks, data definition under them.

mod harness;

use harness::{Client, Server};
use std::sync::Barrier;
use types::Value;

fn two(server: &Server) -> (Client, Client) {
    let (mut a, mut b) = (server.session(), server.session());
    for client in [&mut a, &mut b] {
        client.run("SET innodb_lock_wait_timeout = 1");
        client.run("SET lock_wait_timeout = 1");
    }
    (a, b)
}

#[test]
fn a_transaction_is_seen_when_it_has_committed() {
    let server = Server::new();
    let (mut a, mut b) = two(&server);
    a.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
    a.run("BEGIN; INSERT INTO t VALUES (1, 1)");
    assert_eq!(b.value("SELECT COUNT(*) FROM t"), "0");
    a.run("COMMIT");
    assert_eq!(b.value("SELECT COUNT(*) FROM t"), "1");
    b.run("BEGIN");
    assert_eq!(b.value("SELECT v FROM t WHERE id = 1"), "1");
    a.run("UPDATE t SET v = 2 WHERE id = 1");
    assert_eq!(b.value("SELECT v FROM t WHERE id = 1"), "1");
    b.run("COMMIT");
    assert_eq!(b.value("SELECT v FROM t WHERE id = 1"), "2");
    b.run("SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN");
    assert_eq!(b.value("SELECT v FROM t"), "2");
    a.run("UPDATE t SET v = 3");
    assert_eq!(b.value("SELECT v FROM t"), "3");
    b.run("ROLLBACK");
}

#[test]
fn entries_of_an_index_tell_what_a_snapshot_sees() {
    let server = Server::new();
    let (mut a, mut b) = two(&server);
    a.run("CREATE TABLE t (id INT PRIMARY KEY, k INT, v INT, w TEXT, KEY kv (k, v))");
    a.run("INSERT INTO t SELECT seq, seq % 10, seq, 'w' FROM seq_1_to_1000");
    assert!(a.rows("EXPLAIN SELECT id, v FROM t WHERE k = 3 AND v < 30")[0].contains("Using index"));
    b.run("BEGIN");
    let seen = b.rows("SELECT id, v FROM t WHERE k = 3 AND v < 30");
    assert_eq!(seen, ["3|3", "13|13", "23|23"]);
    a.run(
        "UPDATE t SET v = 7 WHERE id = 13; DELETE FROM t WHERE id = 3; INSERT INTO t VALUES (2000, 3, 4, '')",
    );
    a.run("UPDATE t SET k = 3, v = 29 WHERE id = 40; UPDATE t SET v = 24 WHERE id = 23; UPDATE t SET v = 23 WHERE id = 23");
    assert_eq!(b.rows("SELECT id, v FROM t WHERE k = 3 AND v < 30"), seen);
    assert_eq!(a.rows("SELECT id, v FROM t WHERE k = 3 AND v < 30"), ["2000|4", "13|7", "23|23", "40|29"]);
    b.run("UPDATE t SET w = 'x' WHERE id = 13; UPDATE t SET v = 1 WHERE id = 33");
    // Rows that it has changed itself are seen as they are now, others as they were.
    assert_eq!(b.rows("SELECT id, v FROM t WHERE k = 3 AND v < 30"), ["33|1", "3|3", "13|7", "23|23"]);
    b.run("ROLLBACK");
    assert_eq!(b.rows("SELECT id, v FROM t WHERE k = 3 AND v < 30"), ["2000|4", "13|7", "23|23", "40|29"]);
}

#[test]
fn a_locked_row_makes_others_wait() {
    let server = Server::new();
    let (mut a, mut b) = two(&server);
    a.run("CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 1), (2, 2)");
    a.run("BEGIN; UPDATE t SET v = 10 WHERE id = 1");
    let timeout = (1205, "Lock wait timeout exceeded; try restarting transaction".to_owned());
    assert_eq!(b.error("UPDATE t SET v = 20 WHERE id = 1"), timeout);
    assert_eq!(b.error("SELECT * FROM t WHERE id = 1 FOR UPDATE NOWAIT"), timeout);
    assert_eq!(b.rows("SELECT id FROM t FOR UPDATE SKIP LOCKED"), ["2"]);
    b.run("UPDATE t SET v = 20 WHERE id = 2");
    a.run("ROLLBACK");
    assert_eq!(b.rows("SELECT * FROM t"), ["1|1", "2|20"]);
}

#[test]
fn data_definition_waits_for_readers_and_commits_what_was_open() {
    let server = Server::new();
    let (mut a, mut b) = two(&server);
    a.run("CREATE TABLE t (id INT PRIMARY KEY)");
    a.run("BEGIN; SELECT * FROM t");
    assert_eq!(b.error("ALTER TABLE t ADD v INT").0, 1205);
    a.run("INSERT INTO t VALUES (1)");
    a.run("CREATE TABLE u (a INT)");
    assert_eq!(b.value("SELECT COUNT(*) FROM t"), "1");
    b.run("ALTER TABLE t ADD v INT NOT NULL DEFAULT 7");
    assert_eq!(a.rows("SELECT * FROM t"), ["1|7"]);
    a.run("ROLLBACK");
    assert_eq!(a.value("SELECT COUNT(*) FROM t"), "1");
}

#[test]
fn a_table_renamed_under_lock_tables_is_locked_no_more() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT, b INT); INSERT INTO t VALUES (1, 2); CREATE TABLE u (a INT)");
    s.run("LOCK TABLES t WRITE, u READ; ALTER TABLE t RENAME AS r, DROP b");
    let unlocked = |name: &str| (1100, format!("Table '{name}' was not locked with LOCK TABLES"));
    assert_eq!(s.error("SELECT * FROM r"), unlocked("r"));
    assert_eq!(s.value("SELECT COUNT(*) FROM u"), "0");
    s.run("CREATE TABLE IF NOT EXISTS u (b INT)");
    assert_eq!(s.error("CREATE TABLE IF NOT EXISTS w (b INT)"), unlocked("w"));
    s.run("UNLOCK TABLES");
    assert_eq!(s.rows("SELECT * FROM r"), ["1"]);
}

#[test]
fn lock_tables_keeps_others_out_and_its_own_session_in() {
    let server = Server::new();
    let (mut a, mut b) = two(&server);
    a.run("CREATE TABLE t (id INT); CREATE TABLE u (id INT)");
    a.run("LOCK TABLES t READ");
    assert_eq!(a.value("SELECT COUNT(*) FROM t"), "0");
    assert_eq!(b.value("SELECT COUNT(*) FROM t"), "0");
    let locked = "Table 't' was locked with a READ lock and can't be updated".to_owned();
    assert_eq!(a.error("INSERT INTO t VALUES (1)"), (1099, locked));
    assert_eq!(a.error("SELECT * FROM u"), (1100, "Table 'u' was not locked with LOCK TABLES".to_owned()));
    assert_eq!(b.error("INSERT INTO t VALUES (1)").0, 1205);
    a.run("LOCK TABLES t WRITE, u WRITE");
    a.run("INSERT INTO t VALUES (1)");
    a.run("ALTER TABLE t DISABLE KEYS");
    a.run("INSERT INTO t VALUES (2)");
    assert_eq!(b.error("SELECT * FROM t").0, 1205);
    a.run("UNLOCK TABLES");
    assert_eq!(b.rows("SELECT * FROM t ORDER BY id"), ["1", "2"]);
}

#[test]
fn deadlocks_end() {
    let server = Server::new();
    let setup = "CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 1), (2, 2)";
    server.session().run(setup);
    let both_hold_one = Barrier::new(2);
    let run = |mine: u32, other: u32| {
        let mut client = server.session();
        client.run(&format!("BEGIN; UPDATE t SET v = 0 WHERE id = {mine}"));
        both_hold_one.wait();
        let outcome = client.outcomes(&format!("UPDATE t SET v = 0 WHERE id = {other}")).remove(0);
        outcome.error.map(|error| error.errno)
    };
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| run(1, 2));
        let second = run(2, 1);
        (first.join().expect("the other session's thread"), second)
    });
    assert_eq!([first, second].iter().flatten().collect::<Vec<_>>(), [&1213]);
}

#[test]
fn rows_are_sorted_however_many_there_are() {
    let server = Server::new();
    let mut client = server.session();
    client.run("SET sort_buffer_size = 4194304");
    client.run("CREATE TABLE t (id INT PRIMARY KEY, k INT NOT NULL, pad VARCHAR(15000))");
    for start in (0..1200).step_by(100) {
        let rows: Vec<String> = (start..start + 100)
            .map(|id| format!("({id}, {}, REPEAT('x', 15000))", id * 7919 % 1201))
            .collect();
        client.run(&format!("INSERT INTO t VALUES {}", rows.join(", ")));
    }
    let mut expected: Vec<(i32, i32)> = (0..1200).map(|id| (id * 7919 % 1201, id)).collect();
    expected.sort_unstable();
    let ids = |rows: Vec<String>| -> Vec<i32> {
        rows.iter().map(|row| row.split('|').next().and_then(|id| id.parse().ok()).expect("an id")).collect()
    };
    let wanted: Vec<i32> = expected.iter().map(|(_, id)| *id).collect();
    // More than is sorted as stored images, and first rows that others push out again and again.
    assert_eq!(ids(client.rows("SELECT id, pad FROM t ORDER BY k, id")), wanted);
    assert_eq!(ids(client.rows("SELECT id, pad FROM t ORDER BY k, id LIMIT 3, 7")), wanted[3..10]);
    let last: Vec<i32> = wanted.iter().rev().take(300).copied().collect();
    assert_eq!(ids(client.rows("SELECT id FROM t ORDER BY k DESC, id DESC LIMIT 300")), last);
    client.run("UPDATE t SET k = k % 10");
    let distinct: Vec<i32> = (0..10).collect();
    assert_eq!(ids(client.rows("SELECT DISTINCT k FROM t ORDER BY k")), distinct);
    assert_eq!(ids(client.rows("SELECT DISTINCT k FROM t ORDER BY k DESC LIMIT 1, 2")), [8, 7]);
}

#[test]
fn a_global_read_lock_holds_changes_back_and_leaves_a_snapshot() {
    let server = Server::new();
    let mut s = server.session();
    s.run("CREATE TABLE t (a INT PRIMARY KEY); INSERT INTO t VALUES (1)");
    let mut other = server.session();
    other.run("SET lock_wait_timeout = 1");
    s.run("FLUSH TABLES WITH READ LOCK");
    assert_eq!(s.rows("SELECT * FROM t"), ["1"]);
    assert_eq!(s.error("INSERT INTO t VALUES (2)").0, 1223);
    assert_eq!(s.error("CREATE TABLE u (a INT)").0, 1223);
    assert_eq!(other.rows("SELECT * FROM t"), ["1"]);
    assert_eq!(other.error("INSERT INTO t VALUES (2)").0, 1205);
    s.run("START TRANSACTION WITH CONSISTENT SNAPSHOT");
    assert_eq!(other.error("INSERT INTO t VALUES (2)").0, 1205);
    s.run("UNLOCK TABLES");
    other.run("INSERT INTO t VALUES (2)");
    assert_eq!(s.rows("SELECT * FROM t"), ["1"]);
    s.run("COMMIT");
    assert_eq!(s.rows("SELECT * FROM t"), ["1", "2"]);
}

#[test]
fn found_rows_of_a_union_are_those_of_the_whole() {
    let server = Server::new();
    let mut client = server.session();
    client.run("create table t (a int)");
    client.run("insert into t values (1), (2), (3), (4)");
    for (query, found) in [
        ("select sql_calc_found_rows a from t union all select 9 limit 2", "5"),
        ("select sql_calc_found_rows a from t union all select 9 order by 1 limit 2", "5"),
        ("(select sql_calc_found_rows a from t limit 2) union all (select a from t limit 1) limit 2", "3"),
        ("(select sql_calc_found_rows a from t limit 2) union (select a from t limit 1) limit 1", "2"),
        ("select a from t union all select 9", "5"),
    ] {
        client.outcomes(query);
        assert_eq!(client.value("select found_rows()"), found, "{query}");
    }
}

/// FOUND_ROWS() counts the rows that OFFSET left out, as MariaDB's does.
#[test]
fn rows_that_offset_leaves_out_are_found() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
    client.run("INSERT INTO t VALUES (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)");
    let cases = [
        ("SELECT id FROM t LIMIT 3, 3", "5"),
        ("SELECT id FROM t LIMIT 2", "2"),
        ("SELECT id FROM t LIMIT 1, 2", "3"),
        ("SELECT id FROM t LIMIT 8, 3", "5"),
        ("SELECT id FROM t ORDER BY v LIMIT 8, 3", "5"),
        ("SELECT id + 0 FROM t ORDER BY v LIMIT 1, 3", "4"),
        ("SELECT v FROM t GROUP BY v LIMIT 8, 3", "3"),
        ("SELECT COUNT(*) FROM t LIMIT 8, 3", "1"),
        ("SELECT id INTO @v FROM t WHERE id > 9 LIMIT 1", "0"),
        ("SELECT id INTO @v FROM t ORDER BY id LIMIT 1", "1"),
        ("SELECT id INTO @v FROM t ORDER BY id LIMIT 1 OFFSET 1", "2"),
        ("SELECT SQL_CALC_FOUND_ROWS id INTO @v FROM t ORDER BY id LIMIT 1", "5"),
        ("SELECT id FROM t WHERE id IN (SELECT id FROM (SELECT id FROM t LIMIT 1, 2) d)", "2"),
    ];
    for (query, found) in cases {
        client.run(query);
        assert_eq!(client.value("SELECT FOUND_ROWS()"), found, "{query}");
    }
}

/// FOUND_ROWS() counts no row that goes through no table on its way to another one, as MariaDB's does.
#[test]
fn found_rows_of_no_table() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (id INT PRIMARY KEY, a INT, KEY (a))");
    client.run("INSERT INTO t VALUES (1, 5), (2, 6)");
    client.run("CREATE TABLE u (a INT)");
    for (change, found) in [
        ("INSERT INTO u SELECT MAX(id) FROM t", "0"),
        ("INSERT INTO u SELECT COUNT(*) FROM t", "1"),
        ("CREATE TABLE v SELECT MIN(a), MAX(id) FROM t", "0"),
        ("CREATE TABLE w SELECT MIN(a), COUNT(*) FROM t", "1"),
        ("INSERT INTO u SELECT 1 WHERE 1", "0"),
        ("INSERT INTO u SELECT SQL_CALC_FOUND_ROWS MAX(id) FROM t", "1"),
        ("INSERT INTO u SELECT COUNT(*)", "1"),
        ("INSERT INTO u SELECT ROW_NUMBER() OVER ()", "1"),
        ("SELECT MAX(id) FROM t INTO @a", "0"),
    ] {
        client.run("SELECT a FROM t");
        client.run(change);
        assert_eq!(client.value("SELECT FOUND_ROWS()"), found, "{change}");
    }
}

/// FOUND_ROWS() counts the rows that an UPDATE of several tables finds within its LIMIT, as MariaDB's does.
#[test]
fn rows_of_joined_updates_are_found_up_to_their_limit() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE a (id INT PRIMARY KEY, x INT)");
    client.run("CREATE TABLE b (id INT PRIMARY KEY, x INT)");
    client.run("INSERT INTO a VALUES (1, 1), (2, 2), (3, 3), (4, 4)");
    client.run("INSERT INTO b VALUES (1, 1), (2, 2), (3, 3)");
    let joined = "a JOIN b ON a.id = b.id";
    let cases = [
        (format!("UPDATE {joined} SET a.x = 5 ORDER BY a.id LIMIT 0"), "0"),
        (format!("UPDATE {joined} SET a.x = 6 ORDER BY a.id DESC LIMIT 2"), "2"),
        (format!("UPDATE {joined} SET a.x = 7"), "3"),
        (format!("UPDATE {joined} SET a.x = 8 LIMIT 1"), "1"),
    ];
    for (change, found) in cases {
        client.run(&change);
        assert_eq!(client.value("SELECT FOUND_ROWS()"), found, "{change}");
    }
}

/// Of a statement that fails FOUND_ROWS() counts the rows that were handed on until then, as MariaDB's does.
#[test]
fn rows_before_one_that_fails_are_found() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (id INT PRIMARY KEY, b BIGINT UNSIGNED)");
    client.run("INSERT INTO t VALUES (1, 1), (2, 7), (3, 18446744073709551615)");
    client.run("CREATE TABLE u (id INT, b BIGINT UNSIGNED)");
    let cases = [
        ("SELECT b + 1 FROM t", "2"),
        ("SELECT b FROM t WHERE b + 1 > 0", "2"),
        ("INSERT INTO u (b) SELECT b + 1 FROM t", "2"),
        ("INSERT INTO u (b) SELECT b FROM t WHERE b + 1 > 0", "2"),
        ("INSERT INTO u (b) SELECT b + 1 FROM t ORDER BY b + 1 DESC", "0"),
        ("DELETE t FROM t LEFT JOIN u USING (id) WHERE t.b + 1 > 0", "2"),
        ("UPDATE t LEFT JOIN u USING (id) SET t.b = t.b + 1", "3"),
        ("UPDATE t LEFT JOIN u USING (id) SET t.b = 1 WHERE t.b + 1 > 0 ORDER BY t.b", "0"),
    ];
    for (statement, found) in cases {
        client.run("SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4");
        assert_eq!(client.error(statement).0, 1690, "{statement}");
        assert_eq!(client.value("SELECT FOUND_ROWS()"), found, "{statement}");
    }
}

/// A percentile of what is no time is NULL, though it compares as zero.
#[test]
fn a_percentile_of_no_time_is_null() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (id INT PRIMARY KEY)");
    client.run("INSERT INTO t VALUES (1), (2)");
    assert_eq!(client.rows("SELECT MEDIAN(TIME('abc')) OVER () FROM t"), ["NULL", "NULL"]);
    assert_eq!(client.rows("SELECT MEDIAN(TIME('10:00:00')) OVER () FROM t")[0], "100000.0000000000");
}

/// What SET and DO read of tables stays so to the end of the transaction, as what changing statements read does; what
/// SELECT ... INTO reads does not.
#[test]
fn set_and_do_lock_what_they_read() {
    let server = Server::new();
    let (mut a, mut b) = two(&server);
    a.run("CREATE TABLE t (n INT PRIMARY KEY); INSERT INTO t VALUES (1), (2), (3)");
    for (statement, waits) in [
        ("SET @x = (SELECT MAX(n) FROM t)", true),
        ("DO (SELECT MAX(n) FROM t)", true),
        ("DO (SELECT MAX(n) FROM t)", true),
        ("SELECT MAX(n) INTO @x FROM t", false),
        ("SET @x = (SELECT 3)", false),
        (
            "COMMIT; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; BEGIN; SET @x = (SELECT MAX(n) FROM t)",
            false,
        ),
    ] {
        a.run(&format!("BEGIN; {statement}"));
        match waits {
            true => assert_eq!(b.error("DELETE FROM t WHERE n = 3").0, 1205, "{statement}"),
            false => drop(b.run("DELETE FROM t WHERE n = 3; INSERT INTO t VALUES (3)")),
        }
        a.run("ROLLBACK");
        b.run("DELETE FROM t WHERE n = 3; INSERT INTO t VALUES (3)");
    }
}

/// The status of a session is its own; all sessions' counts, those that are gone among them, make the global one.
#[test]
fn what_statements_do_is_counted() {
    let server = Server::new();
    let (mut one, mut other) = two(&server);
    for statement in
        ["create table t (a int primary key)", "insert into t values (1),(2),(3)", "flush status"]
    {
        one.outcomes(statement);
    }
    let count = |client: &mut Client, scope: &str, name: &str| -> u64 {
        let rows = client.rows(&format!("show {scope} status like '{name}'"));
        let value = rows[0].rsplit(['\t', '|', ' ']).next().unwrap_or_default();
        value.parse().expect("a count")
    };
    let names = ["rows_sent", "empty_queries", "handler_commit", "handler_read_rnd_next"];
    let before = names.map(|name| count(&mut one, "global", name));
    for statement in ["select * from t where a=1", "select a+0 from t", "select * from t where a=9"] {
        one.outcomes(statement);
    }
    assert_eq!(names.map(|name| count(&mut one, "session", name)), [4, 1, 3, 4]);
    assert_eq!(count(&mut other, "session", "rows_sent"), 0);
    drop(one);
    let after = names.map(|name| count(&mut other, "global", name));
    // Other tests of the process count there too.
    assert!(after[0] >= before[0] + 4 && after[1] > before[1] && after[2] >= before[2] + 3);
}

#[test]
fn what_a_transaction_may_take_is_a_variable() {
    let server = Server::new();
    let mut s = server.session();
    s.run("create table t (i int primary key, s varchar(200))");
    let fill = "insert into t with recursive q (i) as (select 1 union all select i + 1 from q where i < 900) \
                select i, repeat('x', 200) from q";
    assert_eq!(s.value("select @@max_binlog_cache_size"), "18446744073709547520");
    s.run("set global max_binlog_cache_size = 65536");
    assert_eq!(s.value("select @@global.max_binlog_cache_size"), "65536");
    let (number, text) = s.error(fill);
    assert_eq!(number, 1197, "{text}");
    assert_eq!(s.value("select count(*) from t"), "0", "the statement is undone");
    assert_eq!(s.error("set max_binlog_cache_size = 65536").0, 1229);
    s.run("set global max_binlog_cache_size = default");
    assert_eq!(s.value("select @@max_binlog_cache_size"), "18446744073709547520");
    assert_eq!(s.affected(fill), 900);
}

/// MariaDB says nothing of matched rows where its look at the indexes finds that there are none.
#[test]
fn an_update_that_indexes_rule_out_tells_of_no_matches() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (id INT PRIMARY KEY, d DATETIME, b BIT(5), v TEXT, n INT, KEY (d), KEY (b), KEY (v(5)))");
    for (condition, told) in [
        ("d = 'x'", false),
        ("d > 'x'", true),
        ("b = -1", false),
        ("b = 1.5", true),
        ("id = 99999999999", false),
        ("id > 99999999999", true),
        ("id BETWEEN NULL AND id", false),
        ("id BETWEEN id AND NULL", true),
        ("v BETWEEN 'b' AND 'a'", false),
        ("n BETWEEN 2 AND 1", true),
        ("v = @never", false),
        ("n = @never", true),
        ("(id, NULL) IN ((id, 1), (2, n))", false),
    ] {
        let outcomes = client.outcomes(&format!("UPDATE t SET n = 1 WHERE {condition}"));
        let info = outcomes[0].done.as_ref().map(|done| done.info.starts_with("Rows matched: 0"));
        assert_eq!(info, Some(told), "{condition}");
    }
}

#[test]
fn a_session_goes_on_in_another_thread() {
    let server = Server::new();
    let (mut a, mut b) = two(&server);
    a.run("CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, v INT)");
    a.run("SET @mine = 7, sql_mode = 'ANSI_QUOTES', time_zone = '+03:00'; CREATE TEMPORARY TABLE own AS SELECT 5 AS five");
    a.run("PREPARE named FROM 'SELECT v + @mine FROM t WHERE id = ?'; SET @id = 1");
    let (put, get) = (a.prepare("INSERT INTO t (v) VALUES (?)"), a.prepare("SELECT v FROM t WHERE id = ?"));
    assert_eq!(a.execute(put, &[Value::Int(10)]), Ok(vec![]));
    assert_eq!(a.execute(get, &[Value::Int(1)]), Ok(vec!["10".into()]));
    assert_eq!(a.value("SELECT GET_LOCK('held', 0)"), "1");
    a.run("BEGIN");
    assert!(!a.session.can_leave(), "a transaction stays where it is");
    a.run("COMMIT; LOCK TABLES t WRITE");
    assert!(!a.session.can_leave(), "so do locked tables");
    a.run("UNLOCK TABLES; SELECT CAST('x' AS INT)");
    assert!(a.session.can_leave());
    let moving = a.session.leave();
    let there = move || {
        let mut a = Client { session: moving.arrive() };
        assert_eq!(a.warnings().len(), 1);
        assert_eq!(a.value("SELECT LAST_INSERT_ID()"), "1");
        assert_eq!(
            a.rows("SELECT @mine, @@sql_mode, @@time_zone, five FROM own"),
            ["7|ANSI_QUOTES|+03:00|5"]
        );
        assert_eq!(a.execute(put, &[Value::Int(20)]), Ok(vec![]));
        for _ in 0..2 {
            assert_eq!(a.execute(get, &[Value::Int(2)]), Ok(vec!["20".into()]));
        }
        assert_eq!(a.value("EXECUTE named USING @id"), "17");
        assert!(a.prepare("SELECT 1") > get);
        a.session.leave()
    };
    let moving = std::thread::spawn(there).join().expect("all is as it was");
    assert_eq!(b.value("SELECT IS_FREE_LOCK('held')"), "0");
    // Here others may have prepared the same text meanwhile, and its table may have changed.
    b.run("ALTER TABLE t ADD COLUMN w INT DEFAULT 3");
    let all = b.prepare("SELECT * FROM t WHERE id = ?");
    assert_eq!(b.execute(all, &[Value::Int(1)]), Ok(vec!["1|10|3".into()]));
    let mut a = Client { session: moving.arrive() };
    assert_eq!(a.execute(get, &[Value::Int(2)]), Ok(vec!["20".into()]));
    drop(a);
    assert_eq!(b.value("SELECT IS_FREE_LOCK('held')"), "1");
}
