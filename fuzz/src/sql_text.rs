//! SQL as a client may send it, in every mode of the lexer.

use sql::syntax::{ParseOptions, parse};
use types::DateMode;

/// Takes `data` as the text of statements.
pub fn run(data: &[u8]) {
    for params in [false, true] {
        let dates = Some(DateMode::default());
        let options = ParseOptions { params, several: true, dates, ..ParseOptions::default() };
        let mut from = Some(0);
        while let Some(at) = from {
            let Ok(parsed) = parse(data, at, options) else { break };
            assert!(parsed.text.start <= parsed.text.end && parsed.text.end as usize <= data.len());
            assert!(parsed.rest.is_none_or(|rest| rest > at), "the next statement starts behind this one");
            from = parsed.rest;
        }
    }
}

/// Statements of every kind, and some that nest without measure.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = STATEMENTS.iter().map(|text| text.as_bytes().to_vec()).collect();
    for (open, close) in [
        ("(", ")"),
        ("NOT ", ""),
        ("-", ""),
        ("a+", ""),
        ("a OR ", ""),
        ("f(", ")"),
        ("CASE WHEN ", " THEN 1 END"),
        ("(SELECT ", ")"),
        ("/*!", "*/"),
        ("INTERVAL ", " DAY"),
        ("a IN (", ")"),
        ("a BETWEEN b AND ", ""),
    ] {
        let nested = [open.repeat(3000), "1".to_owned(), close.repeat(3000)].concat();
        seeds.push(format!("SELECT {nested}").into_bytes());
    }
    seeds.push([&b"SELECT 1 FROM "[..], &b"(".repeat(3000), b"t", &b")".repeat(3000)].concat());
    seeds.push(b"SELECT 1 UNION ".repeat(3000));
    seeds.push([&b"SELECT * FROM t"[..], &b" JOIN t".repeat(3000)].concat());
    seeds
}

const STATEMENTS: [&str; 40] = [
    "SELECT 1; SELECT 'a' 'b', \"c\", `d`, 0x41, b'101', 1.5e3, .5, @v, @@global.sql_mode, NULL, TRUE",
    "SELECT a.b, c AS d, COUNT(DISTINCT e), GROUP_CONCAT(f ORDER BY g DESC SEPARATOR ', ') FROM t AS a LEFT JOIN \
     (u CROSS JOIN v) USING (x, y) WHERE a > 1 AND b LIKE '%x\\_%' ESCAPE '|' OR NOT c IS NULL GROUP BY d WITH \
     ROLLUP HAVING COUNT(*) > 2 ORDER BY 1, d DESC LIMIT 5 OFFSET 10",
    "SELECT * FROM t FORCE INDEX (PRIMARY, i) NATURAL JOIN u STRAIGHT_JOIN v ON t.a = v.a WHERE (a, b) IN \
     (SELECT c, d FROM w WHERE w.e <=> t.e) FOR UPDATE SKIP LOCKED",
    "SELECT CASE a WHEN 1 THEN 'x' ELSE 'y' END, IF(a, b, c), CAST(a AS DECIMAL(10, 2)), CONVERT(b USING latin1), \
     EXTRACT(DAY_MICROSECOND FROM c), d + INTERVAL -1 MONTH, TRIM(LEADING 'x' FROM e), SUBSTRING(f FROM 2 FOR 3)",
    "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT SUM(n) OVER (PARTITION BY \
     n ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM c",
    "(SELECT 1 LIMIT 1) UNION DISTINCT (SELECT 2) EXCEPT SELECT 3 INTERSECT SELECT 4 ORDER BY 1",
    "SELECT EXISTS (SELECT 1), a = ANY (SELECT b), c > ALL (SELECT d), _utf8mb4'x' COLLATE utf8mb4_bin, DATE '2024-01-01'",
    "INSERT LOW_PRIORITY IGNORE INTO d.t (a, b) VALUES (1, DEFAULT), (?, ?) ON DUPLICATE KEY UPDATE a = VALUES(a) + 1",
    "INSERT INTO t SET a = 1, b = DEFAULT(b) RETURNING *",
    "REPLACE INTO t (a) SELECT a FROM u WHERE b BETWEEN 1 AND 2",
    "UPDATE t, u SET t.a = u.a, t.b = t.b + 1 WHERE t.c = u.c",
    "UPDATE t SET a = a << 2 | 3 & ~b ^ c DIV d MOD e ORDER BY f LIMIT 3",
    "DELETE t, u FROM t JOIN u ON t.a = u.a WHERE u.b REGEXP '^x'",
    "DELETE FROM t WHERE a SOUNDS LIKE 'b' ORDER BY c LIMIT 1",
    "CREATE TABLE IF NOT EXISTS d.t (a INT(10) UNSIGNED ZEROFILL NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'x', b \
     VARCHAR(30) CHARACTER SET latin1 COLLATE latin1_bin DEFAULT 'y', c DECIMAL(10, 2) NULL DEFAULT 1.5, d \
     TIMESTAMP(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3), e ENUM('p', 'q'), f SET('r'), g \
     JSON CHECK (json_valid(g)), h INT AS (a + 1) STORED, UNIQUE KEY u (b(10), c DESC), KEY (c), CONSTRAINT k \
     FOREIGN KEY (a) REFERENCES u (v) ON DELETE CASCADE ON UPDATE SET NULL) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4",
    "CREATE TEMPORARY TABLE t LIKE u",
    "CREATE OR REPLACE TABLE t AS SELECT * FROM u",
    "CREATE UNIQUE INDEX i USING BTREE ON t (a, b(5))",
    "ALTER TABLE t ADD COLUMN (x INT, y INT), DROP COLUMN z, MODIFY a BIGINT FIRST, CHANGE b c TEXT AFTER a, ADD \
     PRIMARY KEY (a), DROP FOREIGN KEY k, RENAME TO u, ALTER COLUMN d SET DEFAULT 5, CONVERT TO CHARACTER SET utf8mb3",
    "DROP TABLE IF EXISTS a, b.c CASCADE",
    "RENAME TABLE a TO b, c TO d",
    "TRUNCATE TABLE t",
    "CREATE DATABASE IF NOT EXISTS d DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_unicode_ci",
    "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY; SAVEPOINT s; ROLLBACK TO SAVEPOINT s; COMMIT AND CHAIN",
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "SET @a = 1, GLOBAL max_connections = 10, @@session.sql_mode = 'ANSI', NAMES utf8mb4 COLLATE utf8mb4_bin",
    "XA START 'a', 'b', 1; XA END 'a'; XA PREPARE X'61'; XA COMMIT 'a' ONE PHASE; XA RECOVER",
    "SHOW FULL COLUMNS FROM t FROM d LIKE '%'; SHOW CREATE TABLE t; SHOW GLOBAL STATUS WHERE Variable_name = 'x'",
    "SHOW TABLES; SHOW INDEX FROM t; SHOW ENGINES; SHOW WARNINGS LIMIT 5; SHOW GRANTS FOR CURRENT_USER; SHOW PROCESSLIST",
    "EXPLAIN EXTENDED SELECT 1; DESCRIBE t a; EXPLAIN FORMAT=JSON UPDATE t SET a = 1",
    "LOCK TABLES a READ LOCAL, b AS c WRITE; UNLOCK TABLES; FLUSH TABLES WITH READ LOCK",
    "CREATE USER 'a'@'%' IDENTIFIED BY 'x', b IDENTIFIED VIA mysql_native_password USING '*00'; DROP USER IF EXISTS b",
    "GRANT SELECT (a, b), INSERT ON d.* TO 'u'@'localhost' WITH GRANT OPTION; REVOKE ALL PRIVILEGES ON *.* FROM u",
    "PREPARE s FROM 'SELECT ?'; EXECUTE s USING @a, @b; DEALLOCATE PREPARE s",
    "KILL QUERY 5; USE d; DO SLEEP(0), RELEASE_LOCK('a'); ANALYZE TABLE t; CHECK TABLE t; OPTIMIZE TABLE t",
    "LOAD DATA LOCAL INFILE 'f' INTO TABLE t FIELDS TERMINATED BY ',' ENCLOSED BY '\"' LINES TERMINATED BY '\\n' (a, @b)",
    "SELECT /*!40101 SQL_CALC_FOUND_ROWS */ /*M!100300 1 + */ 2 -- comment\n, 3 # another\n, 4 /* third */",
    "CREATE VIEW v AS SELECT a FROM t; DROP VIEW IF EXISTS v; CREATE SEQUENCE s START WITH 5",
    "SELECT VALUES(a), x'4142', N'x', \"a\"\"b\", 'it''s \\0\\'\\n', a->>'$.b', :c, d.e.f, `g``h`, a\u{e9}b \u{1F600}",
    "BEGIN NOT ATOMIC SELECT 1; END",
];
