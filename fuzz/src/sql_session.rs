//! Statements that mean nearly what somebody meant, run in a session over a small database.

use crate::database;
use types::Value;

/// What would wait, or end what runs it.
const LEFT_OUT: [&str; 8] =
    ["sleep", "benchmark", "get_lock", "xa", "shutdown", "kill", "wait", "lock tables"];

/// Takes `data` as what a client sends: several statements, then each of them prepared.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data).to_ascii_lowercase();
    if LEFT_OUT.iter().any(|word| text.contains(word)) {
        return;
    }
    let (mut session, mut client) = database::session();
    let _ = session.query(b"BEGIN", true, &mut client);
    let _ = session.query(data, true, &mut client);
    if let Ok(info) = session.prepare(data) {
        let values = [Value::Int(1), Value::Null, Value::Double(-1.5)];
        let params: Vec<Value> =
            values.into_iter().cycle().take(session.parameter_count(info.id).unwrap_or(0)).collect();
        let _ = session.execute(info.id, &params, sql::session::Announced::new(), &mut client);
        let _ = session.execute(info.id, &params, sql::session::Announced::new(), &mut client);
    }
    let _ = session.query(b"SHOW WARNINGS; SELECT COUNT(*) FROM d.t; ROLLBACK", true, &mut client);
}

/// Statements over the small database: whole ones, and each expression in several places.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<String> = STATEMENTS.iter().map(|text| (*text).to_owned()).collect();
    for (table, expressions) in [("t", OF_T), ("u", OF_U)] {
        for e in expressions {
            seeds.push(format!("SELECT {e} FROM {table}"));
            seeds.push(format!("SELECT a FROM {table} WHERE {e} ORDER BY {e} DESC"));
            seeds.push(format!("SELECT MAX({e}), COUNT(DISTINCT {e}) FROM {table} GROUP BY {e}"));
        }
    }
    seeds.into_iter().map(String::into_bytes).collect()
}

/// Expressions over `t`.
const OF_T: &[&str] = &[
    "(SELECT MAX(c) FROM u WHERE u.a = t.a)",
    "EXISTS (SELECT 1 FROM u)",
    "a IN (SELECT a FROM u)",
    "CASE a WHEN 1 THEN 'x' ELSE b END",
    "IF(c > 0, d, NULL)",
    "COALESCE(b, g, 'z')",
    "NULLIF(a, 1)",
    "CAST('12abc' AS SIGNED)",
    "CAST(e AS DECIMAL(5,2))",
    "CAST(d AS DATE)",
    "CONVERT(b USING latin1)",
    "BINARY b",
    "d + INTERVAL 1 MONTH",
    "DATE_FORMAT(d, '%Y-%m %W %j %f')",
    "DATEDIFF(d, '2000-01-01')",
    "EXTRACT(YEAR_MONTH FROM d)",
    "TIMESTAMPDIFF(DAY, d, NOW())",
    "STR_TO_DATE('31.12.2020', '%d.%m.%Y')",
    "UNIX_TIMESTAMP(d)",
    "FROM_UNIXTIME(1e9)",
    "LAST_DAY(d)",
    "CONCAT(b, '-', c)",
    "SUBSTRING(b, -2, 1)",
    "LPAD(b, 10, 'ab')",
    "REPLACE(b, 'o', '0')",
    "INSERT(b, 2, 1, 'XX')",
    "LOCATE('o', b)",
    "TRIM(BOTH 'o' FROM b)",
    "REVERSE(b)",
    "HEX(b)",
    "UNHEX('4142')",
    "REPEAT(b, 2)",
    "SUBSTRING_INDEX(b, 'o', -1)",
    "FIELD(b, 'one', 'two')",
    "FIND_IN_SET('x', 'a,x')",
    "ELT(2, 'p', 'q')",
    "MD5(b)",
    "SHA1(b)",
    "CRC32(b)",
    "LENGTH(b)",
    "FORMAT(c, 2)",
    "SOUNDEX(b)",
    "QUOTE(b)",
    "ASCII(b)",
    "CHAR(65, 66)",
    "ORD(b)",
    "BIT_LENGTH(b)",
    "STRCMP(b, 'x')",
    "SPACE(3)",
    "UPPER(b)",
    "ABS(c)",
    "ROUND(c, 1)",
    "TRUNCATE(c, -1)",
    "c DIV 3",
    "c MOD 3",
    "c / 0",
    "POW(c, 2)",
    "SQRT(c)",
    "LOG(2, c)",
    "FLOOR(c)",
    "SIGN(c)",
    "CEIL(e)",
    "1 << 63",
    "~0",
    "5 & 3 | 4 ^ 1",
    "-9223372036854775808",
    "18446744073709551615 + 0",
    "1e308 * 10",
    "CONV('ff', 16, 10)",
    "GREATEST(a, c)",
    "LEAST(a, 'x')",
    "BIT_COUNT(a)",
    "RAND(1)",
    "PI()",
    "ATAN2(a, c)",
    "COT(1)",
    "DEGREES(1)",
    "INTERVAL(5, 1, 10)",
    "b REGEXP '^o'",
    "b RLIKE '['",
    "REGEXP_REPLACE(b, '(o)', '<\\\\1>')",
    "REGEXP_SUBSTR(b, '.$')",
    "REGEXP_INSTR(b, 'n')",
    "JSON_EXTRACT('{\"a\":[1,2]}', '$.a[1]')",
    "JSON_OBJECT('a', a)",
    "JSON_ARRAY(a, b)",
    "JSON_VALID(b)",
    "a <=> NULL",
    "b = 'TWO'",
    "b COLLATE utf8mb4_bin = 'two'",
    "(a, b) = (2, 'two')",
    "a XOR c",
    "NOT a",
    "b IS NOT TRUE",
    "LAST_INSERT_ID()",
    "ROW_COUNT()",
    "FOUND_ROWS()",
    "DATABASE()",
    "USER()",
    "VERSION()",
    "CONNECTION_ID()",
    "UUID()",
    "CAST(-1 AS UNSIGNED)",
    "'9' + '1x'",
    "0x41 + 0",
    "'a' = 0",
    "DATE '2024-02-30'",
    "TIME '25:61:61'",
    "1.0e-400",
    ".1 + .2",
];

/// Expressions over `u`.
const OF_U: &[&str] = &[
    "ADDTIME(w, '1:1:1')",
    "TIMEDIFF(w, '10:00:00')",
    "SEC_TO_TIME(99999)",
    "TIME_TO_SEC(w)",
    "MAKETIME(1, 2, 3.5)",
    "WEEK(v, 3)",
    "YEARWEEK(v)",
    "DAYNAME(v)",
    "TO_DAYS(v)",
    "FROM_DAYS(738000)",
    "MAKEDATE(2024, 60)",
    "PERIOD_ADD(202401, 5)",
    "QUARTER(v)",
    "CONVERT_TZ(v, '+00:00', '+05:30')",
    "DATE_SUB(v, INTERVAL '1:2' HOUR_MINUTE)",
    "TIMESTAMP(v, w)",
];

/// Whole statements.
const STATEMENTS: &[&str] = &[
    "SELECT * FROM t WHERE a = 2",
    "SELECT a, b FROM t WHERE b LIKE 't%' ORDER BY c DESC LIMIT 2 OFFSET 1",
    "SELECT t.a, u.b, COUNT(*) FROM t LEFT JOIN u ON t.a = u.a WHERE u.c > 0 OR t.b IS NULL GROUP BY t.a, u.b HAVING COUNT(*) > 0",
    "SELECT f, SUM(c), AVG(e), MIN(d), MAX(b), GROUP_CONCAT(DISTINCT b ORDER BY b SEPARATOR '-') FROM t GROUP BY f WITH ROLLUP",
    "SELECT DISTINCT f FROM t WHERE a BETWEEN 1 AND 3 AND c IN (1.5, NULL, -7) ORDER BY 1",
    "SELECT x.s FROM (SELECT a + 1 AS s FROM t UNION ALL SELECT c FROM u) AS x ORDER BY s",
    "INSERT INTO t (b, c) VALUES ('five', 5), ('six', 6.666)",
    "INSERT INTO t VALUES (1, 'dup', 1, NULL, 0, 'y', 'g') ON DUPLICATE KEY UPDATE b = CONCAT(b, VALUES(b)), c = c + 1",
    "INSERT IGNORE INTO t SELECT a, b, c, v, 1, 'z', w FROM u",
    "REPLACE INTO t (a, b, c) VALUES (1, 'r', 100), (NULL, 'n', NULL)",
    "UPDATE t SET b = 'longer than twenty characters', c = c * 2 WHERE a < 3 ORDER BY a DESC LIMIT 1",
    "UPDATE t, u SET t.b = u.b, u.c = t.a WHERE t.a = u.a",
    "UPDATE t SET a = a + 10, d = NOW(3), f = 2",
    "DELETE FROM t WHERE c IS NULL OR d < '2000-01-01'",
    "DELETE t FROM t JOIN u ON t.a = u.a WHERE u.b = 'one'",
    "CREATE TABLE v (id BIGINT UNSIGNED AUTO_INCREMENT, n SET('a','b'), p YEAR, q BIT(5), r BLOB, s TIMESTAMP NULL, PRIMARY KEY (id), KEY (r(10)))",
    "CREATE TABLE w LIKE t; INSERT INTO w SELECT * FROM t; SELECT COUNT(*) FROM w; DROP TABLE w",
    "CREATE TABLE x AS SELECT a, CONCAT(b, 1) AS z, c / 3 AS q FROM t; SHOW CREATE TABLE x; DROP TABLE IF EXISTS x, y",
    "ALTER TABLE u ADD COLUMN z INT NOT NULL DEFAULT 7 AFTER a, DROP COLUMN w, MODIFY c VARCHAR(30), ADD UNIQUE (z, c)",
    "CREATE INDEX i ON u (v); DROP INDEX k ON u; TRUNCATE TABLE u; RENAME TABLE u TO uu, uu TO u",
    "START TRANSACTION; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; SELECT COUNT(*) FROM t FOR UPDATE; COMMIT",
    "SET @x = 5, @y := 'abc'; SELECT @x + 1, @y, @@sql_mode, @@autocommit; SET sql_mode = ''; SET NAMES latin1",
    "SHOW TABLES LIKE 't%'; SHOW FULL COLUMNS FROM t; SHOW INDEX FROM u; SHOW VARIABLES LIKE 'char%'; SHOW STATUS; SHOW DATABASES",
    "SHOW CREATE TABLE t; SHOW TABLE STATUS; SHOW COLLATION WHERE Charset = 'latin1'; SHOW ENGINES; SHOW PROCESSLIST; SHOW GRANTS",
    "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'd' ORDER BY 1, ORDINAL_POSITION",
    "EXPLAIN SELECT * FROM t JOIN u USING (a) WHERE t.b > 'a'; DESCRIBE t; CHECKSUM TABLE t; CHECK TABLE t; ANALYZE TABLE t",
    "PREPARE p FROM 'SELECT ? + a FROM t WHERE b = ?'; SET @p = 1, @q = 'two'; EXECUTE p USING @p, @q; DEALLOCATE PREPARE p",
    "SELECT ? , a FROM t WHERE c = ? OR b LIKE ? LIMIT ?",
];
