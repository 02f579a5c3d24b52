//! Prepared statements and kept plans: what one run leaves behind is right for the next, with other values, of another
//! session, behind a change of tables or settings.

mod harness;

use harness::{Client, Server};
use sql::expr::TypeKind;
use types::column::wire;
use types::{CollationId, Value};

type Answer = Result<Vec<String>, (u16, String)>;

/// Prepares, runs once, closes: what drivers do for each query.
fn once(client: &mut Client, sql: &str, params: &[Value]) -> Answer {
    let id = client.prepare(sql);
    let answer = client.execute(id, params);
    client.session.close_prepared(id);
    answer
}

fn rows(of: &[&str]) -> Answer {
    Ok(of.iter().map(|row| (*row).to_owned()).collect())
}

#[test]
fn sessions_share_what_one_has_prepared_and_run() {
    let server = Server::new();
    let (mut a, mut b) = (server.session(), server.session());
    a.run("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10)); INSERT INTO t VALUES (1, 'one'), (2, 'two')");
    let sql = "SELECT v FROM t WHERE id = ?";
    assert_eq!(once(&mut a, sql, &[Value::Int(1)]), rows(&["one"]));
    assert_eq!(once(&mut b, sql, &[Value::Int(2)]), rows(&["two"]));
    assert_eq!(once(&mut b, sql, &[Value::text("2")]), rows(&["two"]));
    assert_eq!(once(&mut a, sql, &[Value::Int(3)]), rows(&[]));
    let add = "INSERT INTO t VALUES (?, ?)";
    assert_eq!(once(&mut a, add, &[Value::Int(3), Value::text("three")]), rows(&[]));
    assert_eq!(once(&mut b, add, &[Value::Int(4), Value::Null]), rows(&[]));
    assert_eq!(a.rows("SELECT v FROM t WHERE id > 2"), ["three", "NULL"]);
}

#[test]
fn a_changed_table_is_prepared_anew() {
    let server = Server::new();
    let (mut a, mut b) = (server.session(), server.session());
    a.run("CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 10)");
    let sql = "SELECT * FROM t WHERE id = ?";
    let kept = b.prepare(sql);
    for client in [&mut a, &mut b] {
        assert_eq!(once(client, sql, &[Value::Int(1)]), rows(&["1|10"]));
    }
    a.run("ALTER TABLE t ADD w INT DEFAULT 7");
    let info = b.session.prepare(sql.as_bytes()).expect("prepare anew");
    assert_eq!(info.columns.len(), 3);
    assert_eq!(b.execute(info.id, &[Value::Int(1)]), rows(&["1|10|7"]));
    assert_eq!(b.execute(kept, &[Value::Int(1)]), rows(&["1|10|7"]));
    a.run("DROP TABLE t");
    assert!(b.session.prepare(sql.as_bytes()).is_err_and(|error| error.errno == 1146));
    assert_eq!(b.execute(kept, &[Value::Int(1)]), Err((1146, "Table 'test.t' doesn't exist".to_owned())));
}

#[test]
fn temporary_tables_and_databases_stay_apart() {
    let server = Server::new();
    let (mut a, mut b) = (server.session(), server.session());
    a.run("CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 10)");
    a.run("CREATE DATABASE other; CREATE TABLE other.t (id INT PRIMARY KEY, v INT); INSERT INTO other.t VALUES (1, 20)");
    let sql = "SELECT v FROM t WHERE id = ?";
    assert_eq!(once(&mut a, sql, &[Value::Int(1)]), rows(&["10"]));
    b.run("CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 30)");
    assert_eq!(once(&mut b, sql, &[Value::Int(1)]), rows(&["30"]));
    assert_eq!(once(&mut a, sql, &[Value::Int(1)]), rows(&["10"]));
    let mut c = server.session();
    c.run("CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 40)");
    assert_eq!(once(&mut c, sql, &[Value::Int(1)]), rows(&["40"]));
    a.run("USE other");
    assert_eq!(once(&mut a, sql, &[Value::Int(1)]), rows(&["20"]));
}

#[test]
fn settings_are_those_of_the_run() {
    let server = Server::new();
    let (mut a, mut b) = (server.session(), server.session());
    a.run("CREATE TABLE t (id INT PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 10)");
    let sql = "UPDATE t SET v = 'x' WHERE id = ?";
    let (kept, lax) = (a.prepare(sql), b.prepare(sql));
    b.run("SET sql_mode = ''");
    let refused = (1366, "Incorrect integer value: 'x' for column `test`.`t`.`v` at row 1".to_owned());
    for _ in 0..2 {
        assert_eq!(a.execute(kept, &[Value::Int(1)]), Err(refused.clone()));
        assert_eq!(b.execute(lax, &[Value::Int(1)]), rows(&[]));
    }
    assert_eq!(once(&mut a, sql, &[Value::Int(1)]), Err(refused));
    assert_eq!(once(&mut b, sql, &[Value::Int(1)]), rows(&[]));
}

#[test]
fn variables_and_locked_tables_are_the_sessions_own() {
    let server = Server::new();
    let (mut a, mut b) = (server.session(), server.session());
    a.run(
        "CREATE TABLE t (id INT PRIMARY KEY); CREATE TABLE u (id INT PRIMARY KEY); INSERT INTO t VALUES (1)",
    );
    a.run("SET @x = 5");
    b.run("SET @x = 'text'");
    for _ in 0..2 {
        assert_eq!(once(&mut a, "SELECT @x, @@autocommit", &[]), rows(&["5|1"]));
        assert_eq!(once(&mut b, "SELECT @x, @@autocommit", &[]), rows(&["text|1"]));
    }
    let sql = "SELECT COUNT(*) FROM t WHERE id = ?";
    assert_eq!(once(&mut a, sql, &[Value::Int(1)]), rows(&["1"]));
    b.run("LOCK TABLES u READ");
    assert!(b.session.prepare(sql.as_bytes()).is_err_and(|error| error.errno == 1100));
}

#[test]
fn what_characters_a_value_has_decides_again_each_time() {
    let server = Server::new();
    let mut a = server.session();
    a.run("SET NAMES utf8mb4");
    a.run("CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(9) CHARACTER SET latin1, KEY (s))");
    a.run("INSERT INTO t VALUES (1, 'abc'), (2, '?'), (3, '\u{e9}')");
    let mix = "Illegal mix of collations (latin1_swedish_ci,IMPLICIT) and (utf8mb4_general_ci,COERCIBLE) for operation '='";
    let kept = a.prepare("SELECT id FROM t WHERE s = ?");
    for _ in 0..2 {
        // As literals of one shape, and as parameters of one statement.
        assert_eq!(a.rows("SELECT id FROM t WHERE s = 'abc'"), ["1"]);
        assert_eq!(a.error("SELECT id FROM t WHERE s = '\u{436}'"), (1267, mix.to_owned()));
        assert_eq!(a.rows("SELECT id FROM t WHERE s = '\u{e9}'"), ["3"]);
        assert_eq!(a.execute(kept, &[Value::text("abc")]), rows(&["1"]));
        assert_eq!(a.execute(kept, &[Value::text("\u{436}")]), Err((1267, mix.to_owned())));
        assert_eq!(a.execute(kept, &[Value::text("\u{e9}")]), rows(&["3"]));
    }
}

#[test]
fn digits_of_what_is_computed_follow_each_value() {
    let server = Server::new();
    let mut a = server.session();
    let decimal = |text: &str| Value::Decimal(types::Decimal::parse(text.as_bytes()).value);
    let kept = a.prepare("SELECT ? * 3");
    assert_eq!(a.execute(kept, &[decimal("1.5")]), rows(&["4.5"]));
    assert_eq!(a.execute(kept, &[decimal("1.255")]), rows(&["3.765"]));
    a.run("CREATE TABLE t (id INT PRIMARY KEY, price DECIMAL(10, 4)); INSERT INTO t VALUES (1, 100)");
    let raise = a.prepare("UPDATE t SET price = price * ? WHERE id = ?");
    assert_eq!(a.execute(raise, &[decimal("1.5"), Value::Int(1)]), rows(&[]));
    assert_eq!(a.execute(raise, &[decimal("1.255"), Value::Int(1)]), rows(&[]));
    assert_eq!(a.rows("SELECT price FROM t"), ["188.2500"]);
}

#[test]
fn what_shows_something_tells_its_columns_when_it_is_prepared() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10))");
    for sql in [
        "EXPLAIN SELECT * FROM t",
        "EXPLAIN EXTENDED SELECT * FROM t",
        "EXPLAIN FORMAT=JSON UPDATE t SET v = 'a'",
        "ANALYZE SELECT * FROM t",
        "ANALYZE FORMAT=JSON SELECT * FROM t",
        "DESCRIBE t",
        "CHECK TABLE t",
        "ANALYZE TABLE t",
        "OPTIMIZE TABLE t",
        "REPAIR TABLE t",
        "CHECKSUM TABLE t",
        "SHOW COLUMNS FROM t",
        "SHOW CREATE TABLE t",
    ] {
        let prepared = client.session.prepare(sql.as_bytes()).expect(sql);
        let shown = client.run(sql).columns;
        assert!(!shown.is_empty(), "{sql}");
        assert_eq!(prepared.columns, shown, "{sql}");
    }
}

/// MariaDB keeps the type of the other one: a driver that announces texts for all must not make dates and bits texts.
#[test]
fn a_parameter_given_null_is_null_to_if_and_to_variables_whatever_it_was_announced_as() {
    let server = Server::new();
    let mut client = server.session();
    client.run(
        "CREATE TABLE t (c INT, d DATETIME, b BIT(3), i INET4);
         INSERT INTO t VALUES (1, '2020-01-02 03:04:05', 1, NULL)",
    );
    let listed = client.prepare("SELECT COERCIBILITY(JSON_OBJECT(i, ?)), COERCIBILITY(CONCAT(?, i)) FROM t");
    let dates = client.prepare("SELECT MAX(IF(c, d, ?)), NVL2(c, d, ?), IF(c, ?, d) FROM t");
    let means = client.prepare("SELECT AVG(IF(1, b, ?)) FROM t");
    let nothing = client.prepare("SELECT IF(1, NULL, ?)");
    let computed = client.prepare("SELECT IF(c, d, CONCAT(?)) FROM t");
    let joined =
        client.prepare("SELECT CONCAT(?), GROUP_CONCAT(?), JSON_COMPACT(?), JSON_EXTRACT(?, '$'), QUOTE(?)");
    let variable = client.prepare("SET @v = ?");
    let kinds = |outcome: &harness::Outcome| outcome.columns.iter().map(|c| c.wire_type).collect::<Vec<_>>();
    for announced in [TypeKind::VarChar, TypeKind::Blob, TypeKind::Long, TypeKind::Null, TypeKind::DateTime] {
        let mut run = |id, n| client.execute_as(id, &vec![Value::Null; n], &vec![announced; n]);
        assert_eq!(kinds(&run(dates, 3)), [wire::DATETIME; 3], "{announced:?}");
        assert_eq!(run(listed, 2).rows, [[Some("4".to_owned()), Some("4".to_owned())]], "{announced:?}");
        let mean = run(means, 1);
        assert_eq!(mean.rows, [[Some("1.0000".to_owned())]], "{announced:?}");
        assert_eq!(kinds(&mean), [wire::NEWDECIMAL], "{announced:?}");
        assert_eq!(kinds(&run(nothing, 1)), [wire::STRING], "{announced:?}");
        assert_eq!(kinds(&run(computed, 1)), [wire::VAR_STRING], "{announced:?}");
        assert!(run(joined, 5).columns.iter().all(|c| c.collation == CollationId::BINARY), "{announced:?}");
        client.run("SET @v = 1.5");
        client.execute_as(variable, &[Value::Null], &[announced]);
        assert_eq!(kinds(&client.run("SELECT @v")), [wire::NEWDECIMAL], "{announced:?}");
    }
    let date = Value::Date(types::Date::new(2020, 1, 2));
    client.execute_as(variable, &[date], &[TypeKind::Date]);
    assert_eq!(client.value("SELECT CONCAT(@v, ' ', COLLATION(@v))"), "2020-01-02 binary");
    let text = client.execute_as(dates, &vec![Value::text("a"); 3], &[TypeKind::VarChar; 3]);
    assert_eq!(kinds(&text), [wire::VAR_STRING; 3]);
}

#[test]
fn announced_types_are_those_of_set_operations_and_of_system_variables() {
    let server = Server::new();
    let mut client = server.session();
    let united = client.prepare("SELECT ? UNION ALL SELECT 1");
    let rows = client.execute_as(united, &[Value::text(" 12 ")], &[TypeKind::Char]).rows;
    assert_eq!(rows, [[Some(" 12".to_owned())], [Some("1".to_owned())]]);
    let rows = client.execute_as(united, &[Value::text(" 12 ")], &[TypeKind::VarChar]).rows;
    assert_eq!(rows, [[Some(" 12 ".to_owned())], [Some("1".to_owned())]]);
    // A number that is NULL is the number zero to a variable.
    let checks = client.prepare("SET check_constraint_checks = ?");
    client.execute_as(checks, &[Value::Null], &[TypeKind::LongLong]);
    assert_eq!(client.value("SELECT @@check_constraint_checks"), "0");
    // In a list nothing is compared with it: text is not read as a number.
    client.run("SET sql_mode = 'TRADITIONAL'; CREATE TABLE t (c INT); INSERT INTO t VALUES (1)");
    let listed = client.prepare("UPDATE t SET c = 'a' IN ('b', ?)");
    client.execute_as(listed, &[Value::Null], &[TypeKind::LongLong]);
    assert_eq!(client.value("SELECT COUNT(*) FROM t WHERE c IS NULL"), "1");
    // What chooses among dates gives text the zero one, whatever the mode.
    let chosen = client.prepare("SELECT CONCAT(COALESCE(NULL, ?)), CONCAT(IF(1, ?, NULL)), IF(1, ?, NULL)");
    let zero = Value::DateTime(types::Date::ZERO.at_midnight(), 0);
    let rows = client.execute_as(chosen, &vec![zero; 3], &[TypeKind::DateTime; 3]).rows;
    let text = Some("0000-00-00 00:00:00".to_owned());
    assert_eq!(rows, [[text.clone(), text, None]]);
}

/// As MariaDB tells it: by itself what a parameter gives is known, what is computed with it may be NULL another time.
#[test]
fn only_what_stands_alone_is_told_not_to_be_null() {
    let server = Server::new();
    let mut client = server.session();
    let mut nullable = |sql: &str, params: usize| {
        let id = client.prepare(sql);
        let ran = client.execute_as(id, &vec![Value::Int(1); params], &vec![TypeKind::Long; params]);
        let not_null = |c: &sql::output::ColumnMeta| c.flags & sql::output::flag::NOT_NULL == 0;
        ran.columns.iter().map(not_null).collect::<Vec<_>>()
    };
    assert_eq!(nullable("SELECT ?, (SELECT ?), NVL(?, ?), COALESCE(NULL, ?), IFNULL(?, 1)", 6), [false; 5]);
    assert_eq!(
        nullable("SELECT -?, CRC32((SELECT ?)), 1.5 * COALESCE(?, ?), CRC32C(NVL(?, ?))", 6),
        [true; 4]
    );
    assert_eq!(nullable("SELECT NVL(COALESCE(?, ?), NULL), COALESCE(NVL(?, ?), ?)", 5), [false; 2]);
    let id = client.prepare("SELECT (?), ((?)), (?) AS a");
    let names = client.execute_as(id, &vec![Value::Int(1); 3], &[TypeKind::Long; 3]).columns;
    assert_eq!(names.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["?", "?", "a"]);
}

/// MariaDB: as long as its texts' bytes are, where a parameter among them is announced as BLOB; alone it stays what it is.
#[test]
fn texts_beside_a_parameter_of_bytes_have_the_size_of_their_bytes() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (c VARCHAR(30), d VARCHAR(300)); INSERT INTO t VALUES ('a', 'b')");
    let mut kinds = |sql: &str, announced: TypeKind| {
        let id = client.prepare(sql);
        let params = sql.matches('?').count();
        let ran = client.execute_as(id, &vec![Value::text("x"); params], &vec![announced; params]);
        ran.columns.iter().map(|c| c.wire_type).collect::<Vec<_>>()
    };
    for announced in [TypeKind::TinyBlob, TypeKind::Blob, TypeKind::LongBlob] {
        let several = kinds(
            "SELECT COALESCE(?, c), IFNULL(c, ?), (SELECT IF(1, ?, c)), COALESCE(d, ?) FROM t",
            announced,
        );
        assert_eq!(several, [wire::TINY_BLOB, wire::TINY_BLOB, wire::TINY_BLOB, wire::BLOB], "{announced:?}");
        let least = kinds("SELECT MIN(?), COALESCE(MAX(?), 0.5), MAX(COALESCE(?, c)) FROM t", announced);
        assert_eq!(least, [wire::VAR_STRING; 3], "{announced:?}");
    }
    assert_eq!(kinds("SELECT (SELECT ? FROM t)", TypeKind::LongBlob), [wire::LONG_BLOB]);
    assert_eq!(kinds("SELECT (SELECT ? FROM t)", TypeKind::Blob), [wire::BLOB]);
}

/// MariaDB gives SHA2 its collation when it prepares it, whatever length it is asked for later.
#[test]
fn a_digest_of_no_known_length_is_text_where_a_parameter_asks_for_it() {
    let server = Server::new();
    let mut client = server.session();
    let id = client.prepare("SELECT SHA2('a', ?), SHA2('a', 3)");
    let asked = client.execute_as(id, &[Value::Int(3)], &[TypeKind::Long]);
    let collations: Vec<_> = asked.columns.iter().map(|c| c.collation).collect();
    assert_eq!(collations, [CollationId::UTF8MB4_GENERAL_CI, CollationId::BINARY]);
    assert_eq!(asked.rows, [[None, None]]);
}

/// MariaDB finds a key of WITH ROLLUP in the select list by the value that a parameter of it has, signed or not.
#[test]
fn a_key_of_rollup_is_found_by_the_values_of_its_parameters() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (k INT); INSERT INTO t VALUES (1), (2)");
    let id = client.prepare("SELECT k + 1, COUNT(*) FROM t GROUP BY k + ? WITH ROLLUP");
    for (value, announced) in [(Value::Int(1), TypeKind::Long), (Value::UInt(1), TypeKind::LongLong)] {
        let rows = client.execute_as(id, &[value], &[announced]).rows;
        let keys: Vec<_> = rows.iter().map(|row| row[0].as_deref()).collect();
        assert_eq!(keys, [Some("2"), Some("3"), None]);
    }
}

/// Bytes that a parameter brings are shown as text.
#[test]
fn an_error_shows_the_bytes_of_a_parameter_as_text() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (k INT); INSERT INTO t VALUES (1)");
    let id = client.prepare("SELECT EXP(k + ?) FROM t");
    let error = client
        .execute_as(id, &[Value::Str(types::StrValue::new(b"999", CollationId::BINARY))], &[TypeKind::Blob])
        .error;
    let message = error.expect("a double has no room for it").message;
    assert_eq!(message, "DOUBLE value is out of range in 'exp(`test`.`t`.`k` + '999')'");
}

/// What a subquery aggregates for the block around makes that block one row, of columns that may be NULL: MariaDB knows of
/// it when the statement is run that it has prepared, and not yet when it prepares it or runs a text.
#[test]
fn columns_beside_an_aggregate_of_a_subquery_may_be_null_once_they_were_prepared() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (id INT PRIMARY KEY); CREATE TABLE u (id INT)");
    let sql = "SELECT id, (SELECT MAX(t.id) FROM u) FROM t";
    let not_null = |columns: &[sql::output::ColumnMeta]| columns[0].flags & sql::output::flag::NOT_NULL != 0;
    let prepared = client.session.prepare(sql.as_bytes()).expect(sql);
    assert!(not_null(&prepared.columns));
    assert!(!not_null(&client.execute_as(prepared.id, &[], &[]).columns));
    assert!(not_null(&client.run(sql).columns));
}

/// NULL that a client announces as a number is passed over in lists and choices beside geometries and UUIDs, as MariaDB
/// does; by itself it is a number that they are not compared with.
#[test]
fn null_announced_as_a_number_is_passed_over_among_several() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (g LINESTRING, u UUID)");
    let mut errors = |sql: &str, value: Value| {
        let id = client.prepare(sql);
        client.execute_as(id, &[value], &[TypeKind::LongLong]).error.map(|e| e.errno)
    };
    for sql in [
        "SELECT 1 FROM t WHERE g IN (?, 'a')",
        "SELECT 1 FROM t WHERE u IN ('a', ?)",
        "SELECT CASE u WHEN ? THEN 1 END FROM t",
        "SELECT IF(1, POINT(1, 2), ?)",
    ] {
        assert_eq!(errors(sql, Value::Null), None, "{sql}");
        assert_eq!(errors(sql, Value::Int(1)), Some(4078), "{sql}");
    }
    for sql in [
        "SELECT 1 FROM t WHERE g = ?",
        "SELECT 1 FROM t WHERE u IN (?)",
        "SELECT 1 FROM t WHERE ? IN (g, 'a')",
        "SELECT NULLIF(?, POINT(1, 2))",
        "SELECT COALESCE(u, ?) FROM t",
        "SELECT (1, u) IN ((3, ?), (-1, '10')) FROM t",
        "SELECT (1, g) IN ((3, ?), (-1, 'a')) FROM t",
        "SELECT u IN (SELECT ?) FROM t",
        "SELECT (1, u) IN (SELECT 3, ?) FROM t",
    ] {
        assert_eq!(errors(sql, Value::Null), Some(4078), "{sql}");
    }
}

/// NULL that a client announces as a number is no text that is looked for among a query's.
#[test]
fn null_announced_as_a_number_is_not_known_to_be_among_texts() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (s VARCHAR(9)); INSERT INTO t VALUES ('a'), ('b')");
    for (sql, rows) in [
        ("SELECT ? IN (SELECT s FROM t)", vec![vec![None]]),
        ("SELECT ? NOT IN (SELECT 'a' FROM t)", vec![vec![None]]),
        ("SELECT 1 FROM t WHERE ? NOT IN (SELECT 'a' FROM t x)", vec![]),
        ("SELECT 1 FROM t WHERE ? > ALL (SELECT s FROM t x)", vec![]),
    ] {
        let id = client.prepare(sql);
        for announced in [TypeKind::LongLong, TypeKind::Double, TypeKind::DateTime] {
            let ran = client.execute_as(id, &[Value::Null], &[announced]);
            assert_eq!(ran.rows, rows, "{sql} {announced:?}");
        }
    }
    // Among UUIDs a parameter is the text that it was taken for, too, but where MariaDB joins the query.
    client.run("CREATE TABLE f (u UUID); INSERT INTO f VALUES ('123e4567-e89b-12d3-a456-426655440000')");
    let mut asked = |sql: &str| {
        let id = client.prepare(sql);
        client.execute_as(id, &[Value::Int(5)], &[TypeKind::LongLong]).error.map(|e| e.errno)
    };
    assert_eq!(asked("SELECT ? IN (SELECT u FROM f)"), None);
    assert_eq!(asked("SELECT 1 FROM f WHERE ? NOT IN (SELECT u FROM f x)"), None);
    assert_eq!(asked("SELECT 1 FROM f WHERE ? IN (SELECT u FROM f x)"), Some(4078));
    assert_eq!(asked("SELECT ? IN (SELECT UUID())"), Some(4078));
}

/// What DECODE gives of a number or date that a parameter brings are bytes, of one that is written characters.
#[test]
fn decode_of_a_parameter_gives_its_bytes() {
    let server = Server::new();
    let mut client = server.session();
    let id = client.prepare("SELECT HEX(DECODE(?, 1)), CHARSET(CONCAT(DECODE(?, 1))), DECODE(?, 1)");
    let five = Value::Int(5);
    let ran = client.execute_as(id, &[five.clone(), five.clone(), five], &[TypeKind::Long; 3]);
    assert_eq!(ran.columns[2].collation, CollationId::BINARY);
    assert_eq!(ran.rows[0][..2], [Some("90".to_owned()), Some("binary".to_owned())]);
}

/// The greatest of a parameter's NULL is of the type that it was announced as, also beside others.
#[test]
fn the_greatest_of_an_announced_null_has_its_type_in_unions() {
    let server = Server::new();
    let mut client = server.session();
    client.run("CREATE TABLE t (a INT)");
    let id = client.prepare("SELECT 1 UNION SELECT MAX(?) FROM t");
    let mut kind = |announced| client.execute_as(id, &[Value::Null], &[announced]).columns[0].wire_type;
    assert_eq!(kind(TypeKind::VarChar), wire::VAR_STRING);
    assert_eq!(kind(TypeKind::Null), wire::LONG);
}

/// NATURAL_SORT_KEY of a parameter may be NULL where the parameter is, that of anything else always.
#[test]
fn natural_sort_key_of_a_parameter_is_there_where_it_is() {
    let server = Server::new();
    let mut client = server.session();
    let not_null = |columns: &[sql::output::ColumnMeta]| columns[0].flags & sql::output::flag::NOT_NULL != 0;
    let id = client.prepare("SELECT NATURAL_SORT_KEY(?)");
    let mut asked = |value: Value| not_null(&client.execute_as(id, &[value], &[TypeKind::VarChar]).columns);
    assert!(asked(Value::text("a")));
    assert!(!asked(Value::Null));
    assert!(!not_null(&client.run("SELECT NATURAL_SORT_KEY('a')").columns));
}
