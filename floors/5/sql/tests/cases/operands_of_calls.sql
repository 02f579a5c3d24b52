-- Fewest and most of labels and bits, FIELD over several kinds, digits that ROUND adds, computed text of some length.
CREATE TABLE t (id INT PRIMARY KEY, e ENUM('z','a','B'), b BIT(10), n DECIMAL(10,2), d DATETIME(2), v VARCHAR(600));
INSERT INTO t VALUES (1, 'z', 5, 1.55, '2020-01-01 10:11:12.56', 'x'), (2, 'a', 300, -2.5, '1999-12-31 23:59:59.99', 'y'), (3, 'B', 1, NULL, '0000-00-00', NULL);
SELECT MIN(e), MAX(e), MIN(b), MAX(b) FROM t;
SELECT id > 1, MIN(e), MAX(e) FROM t GROUP BY id > 1;
SELECT FIELD('x', 'a', 1), FIELD(n, '1.55', 2), FIELD(NULL, NULL), FIELD(e, 'a', 'z') FROM t;
SELECT ROUND(n, 4), ROUND(n, 1), TRUNCATE(n, 3), ROUND(12345.678, 7), ROUND(b), ROUND(d), ROUND(d, 1), FLOOR(d) FROM t;
SELECT FROM_UNIXTIME(CAST(1.5 AS DOUBLE)), TIMESTAMP('0000-00-00', '10:00:00'), PERIOD_ADD(200001, -24001), CHR(1000), JSON_UNQUOTE(JSON_DETAILED('{"a":[1]}'));
CREATE TABLE u AS SELECT REPEAT('a', 600) a, REPEAT('a', 500) b, v, CONCAT(v, 'x') c FROM t;
SHOW CREATE TABLE u;
DROP TABLE t, u;
