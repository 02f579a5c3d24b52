-- Columns of no row, beside an aggregate whose subquery reads them.
CREATE TABLE norow (id INT PRIMARY KEY, c INT NOT NULL, KEY (c));
INSERT INTO norow VALUES (1, 5), (2, 6), (3, 8);
SELECT x.c, (SELECT MAX(x.c) FROM norow s WHERE x.c) FROM norow x LEFT JOIN norow y ON 1 WHERE y.c IS NULL;
SELECT x.c, x.id, (SELECT MAX(x.c) + x.c FROM norow s WHERE x.c LIMIT 1) FROM norow x JOIN norow y WHERE y.c + x.c = 0;
DROP TABLE norow;
-- Rows that random statements showed to differ, each with a small statement that shows it.
CREATE DATABASE rows_9 CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE rows_9;
SET time_zone = '+00:00', timestamp = 1600000000.123456;

-- A BETWEEN one of whose bounds is the key's column finds a range by it, and in changes one of the key from a bound on:
-- rows outside of it are not read.
SET sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';
CREATE TABLE spans (id INT PRIMARY KEY, n INT UNSIGNED, t TIME NOT NULL, m INT, KEY (t), KEY (m));
INSERT INTO spans VALUES (1, 6, '10:11:12', 3), (2, 47, '10:11:12', NULL), (3, 34, '838:59:59', 12), (4, 147, '00:00:00', 7), (5, 197, '12:30:00', 7);
UPDATE spans SET n = 1 WHERE t BETWEEN '1 10:00' AND n;
UPDATE IGNORE spans SET n = 198 WHERE t BETWEEN '0 11:00' AND n;
UPDATE IGNORE spans SET n = n WHERE '0 13:00' BETWEEN n AND t;
UPDATE IGNORE spans SET n = n WHERE '0 09:00' BETWEEN t AND n;
SELECT id FROM spans WHERE t BETWEEN '0 13:00' AND n;
UPDATE IGNORE spans SET n = 199 WHERE t BETWEEN n AND '0 11:00';
UPDATE IGNORE spans SET n = 199 WHERE t BETWEEN n AND '0 09:00';
SELECT id FROM spans WHERE m BETWEEN 5 AND id + 4;
SELECT id FROM spans WHERE m BETWEEN id AND 7;
SELECT id FROM spans WHERE 7 BETWEEN m AND n;
SELECT id FROM spans WHERE 7 BETWEEN id AND m;
SELECT id FROM spans WHERE 7.5 BETWEEN id AND m;
SELECT id FROM spans WHERE m BETWEEN 5 AND id + 4 AND m <= 7 AND m > 2;
SELECT id FROM spans WHERE m BETWEEN 5 AND id + 4 OR m = 3;
SELECT id FROM spans WHERE NOT (m BETWEEN 5 AND id + 4);
SELECT id FROM spans WHERE m BETWEEN NULL AND id OR m BETWEEN NULL AND m;
DROP TABLE spans;

-- Changes of all rows that conditions find go through a small table where the range of a secondary index is no cheaper to
-- MariaDB, and in the order of the rows: a unique key shows it.
SET sql_mode = '';
CREATE TABLE moved (id INT PRIMARY KEY, u INT, c CHAR(8), UNIQUE KEY (u), KEY (c));
INSERT INTO moved VALUES (1, 14, '10'), (2, 26, 'qwertz'), (3, 21, 'qwertz'), (4, 3, 'ab');
UPDATE IGNORE moved SET u = id WHERE 'zz' >= c;
SELECT * FROM moved;
UPDATE IGNORE moved SET u = 30 - id WHERE c >= 'b';
SELECT * FROM moved;
UPDATE IGNORE moved SET u = 99 WHERE c >= '1' LIMIT 3;
SELECT * FROM moved;
DROP TABLE moved;

-- TO_CHAR takes the zero date, whatever the mode, of FROM_DAYS and of what chooses.
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
CREATE TABLE days (id INT PRIMARY KEY, n INT, d DATE, e DECIMAL(10, 3));
INSERT IGNORE INTO days VALUES (1, 0, '2001-01-01', 0), (2, 5, '2001-01-01', 3.14), (3, 500, '0000-00-00', 0.6);
SELECT FROM_DAYS(n), TO_CHAR(FROM_DAYS(n), 'YYYY-MM-DD'), TO_CHAR(FROM_DAYS(e), 'YYYY-MM-DD'), TO_CHAR(d, 'YYYY'), TO_CHAR(COALESCE(FROM_DAYS(n)), 'YYYY'), TO_CHAR(LAST_DAY(d), 'YYYY'), TO_CHAR(COALESCE(d), 'YYYY') FROM days;
SELECT TO_CHAR(STR_TO_DATE('2001-00-01', '%Y-%m-%d')), TO_CHAR(STR_TO_DATE('0000-00-00', '%Y-%m-%d')), TO_CHAR('0000-00-00'), TO_CHAR('2001-00-01'), TO_CHAR(DATE('2001-00-01')), TO_CHAR(MAKEDATE(0, 0));
SELECT TO_CHAR(DATE(d)), TO_CHAR(TIMESTAMP(d)), TO_CHAR(GREATEST(d, d)), TO_CHAR(IF(1, d, d)), TO_CHAR((SELECT d)), TO_CHAR((SELECT FROM_DAYS(n))), TO_CHAR(d + INTERVAL 0 DAY) FROM days WHERE id > 1;
DROP TABLE days;

-- Seconds that are reckoned with have microseconds, or no fraction, in columns of text and in dynamic columns, which keep
-- all digits of what is reckoned and no group of digits before the point of a quotient.
SET sql_mode = '';
CREATE TABLE seconds (id INT PRIMARY KEY, c TIMESTAMP(1) NULL, d DATETIME(3), t TIME(6), n DECIMAL(10, 2), f DECIMAL(5, 5), v VARBINARY(30), w VARCHAR(30));
INSERT INTO seconds VALUES (1, '2001-01-01', '2001-01-01', '838:59:59', 5, 0.5, 0, 0), (2, '2001-01-01 00:00:00.5', '2001-01-01 00:00:00.25', '10:11:12.5', 2.5, 0.25, 0, 0);
UPDATE seconds SET v = 1 * UNIX_TIMESTAMP(CONVERT_TZ(c, '+01:00', '+02:00')), w = UNIX_TIMESTAMP(d) - 5;
SELECT v, w FROM seconds;
UPDATE seconds SET v = -UNIX_TIMESTAMP(c), w = UNIX_TIMESTAMP(COALESCE(d)) * 1 + 1;
SELECT v, w FROM seconds;
UPDATE seconds SET v = ABS(UNIX_TIMESTAMP(c)), w = UNIX_TIMESTAMP(d);
SELECT v, w FROM seconds;
SELECT 1 * UNIX_TIMESTAMP(c), CONCAT(1 * UNIX_TIMESTAMP(d)), MOD(t, 7), MOD(UNIX_TIMESTAMP(d), 11), @x := MOD(t, 7), @x := MOD(UNIX_TIMESTAMP(d), 11), @x := -UNIX_TIMESTAMP(d) FROM seconds;
SELECT HEX(COLUMN_CREATE('a', t * 11)), HEX(COLUMN_CREATE('a', t + 0)), HEX(COLUMN_CREATE('a', -t)), HEX(COLUMN_CREATE('a', n * 1)), HEX(COLUMN_CREATE('a', n / 3)), HEX(COLUMN_CREATE('a', ABS(t))) FROM seconds;
SELECT HEX(COLUMN_CREATE('a', 1 / 3)), HEX(COLUMN_CREATE('a', 0.5)), HEX(COLUMN_CREATE('a', f)), HEX(COLUMN_CREATE('a', f * 2)), HEX(COLUMN_CREATE('a', MOD(t, 7))), HEX(COLUMN_CREATE('a', t / 7)), HEX(COLUMN_CREATE('a', n / 3 * 3)), HEX(COLUMN_CREATE('a', TIME_TO_SEC(t))), HEX(COLUMN_CREATE('a', UNIX_TIMESTAMP(d))) FROM seconds;
SELECT HEX(COLUMN_ADD(COLUMN_CREATE('a', 1 / 3), 'b', 2)), COLUMN_JSON(COLUMN_CREATE('a', 1 / 3)), COLUMN_GET(COLUMN_CREATE('a', 2 / 3), 'a' AS DECIMAL(10, 5));
DROP TABLE seconds;

-- What DECODE gives is bytes to a column, whatever was decoded.
SET sql_mode = 'TRADITIONAL';
CREATE TABLE decoded (k VARCHAR(10), l VARCHAR(30) CHARACTER SET latin1, u VARCHAR(30), z VARCHAR(30) CHARACTER SET utf16, b VARBINARY(30), e VARCHAR(30) CHARACTER SET ascii);
INSERT INTO decoded (k, l, z, b, e) VALUES ('constant', DECODE('dq', 'abc'), DECODE('dq', 'abc'), DECODE('dq', 'abc'), DECODE('dq', 'abc'));
INSERT INTO decoded (k, l, z, b, e) SELECT 'column', DECODE(SUBSTRING(k, 2), 'abc'), DECODE(k, 'abc'), DECODE(k, 'abc'), DECODE(k, 'abc') FROM decoded;
INSERT INTO decoded (u) VALUES (DECODE('dq', 'abc'));
UPDATE decoded SET l = DECODE(CONVERT(k USING utf16), 'abc'), e = DECODE(CONVERT(k USING latin1), 'abc') WHERE k = 'column';
SELECT k, HEX(l), HEX(u), HEX(z), HEX(b), HEX(e) FROM decoded;
DROP TABLE decoded;

-- Beside virtual columns that change places, indexes may go by themselves; a unique one that goes has the table copied.
SET sql_mode = '';
CREATE TABLE shrunk (id INT NOT NULL PRIMARY KEY, c1 VARCHAR(5) UNIQUE, c3 INT, c4 DATE GENERATED ALWAYS AS (NULL));
INSERT INTO shrunk (id) VALUES (1);
ALTER TABLE shrunk DROP COLUMN c1, ALGORITHM = INPLACE;
ALTER TABLE shrunk DROP COLUMN c1;
DROP TABLE shrunk;
CREATE TABLE shrunk (id INT NOT NULL PRIMARY KEY, c1 INT, c2 INT, c3 INT, c4 INT AS (id + 1), KEY a (c1, c2), KEY b (c2), UNIQUE KEY c (c3));
INSERT INTO shrunk (id) VALUES (1), (2);
ALTER TABLE shrunk DROP COLUMN c1, DROP KEY a, ALGORITHM = INPLACE;
ALTER TABLE shrunk DROP COLUMN c1, DROP KEY a;
ALTER TABLE shrunk DROP KEY b, DROP COLUMN c2, ALGORITHM = INPLACE;
ALTER TABLE shrunk DROP KEY b, DROP COLUMN c2;
ALTER TABLE shrunk DROP COLUMN c3, DROP KEY c, ALGORITHM = INPLACE;
ALTER TABLE shrunk DROP COLUMN c3, DROP KEY c;
DROP TABLE shrunk;

-- Texts in what is a double are read as such by who wants seconds.
SELECT FROM_UNIXTIME(LEAST(101112, 'a')), SEC_TO_TIME(GREATEST(-1, 'a')), MAKETIME(1, 1, LEAST(1.5, 'a')), FROM_UNIXTIME(COALESCE('a', 5)), SEC_TO_TIME(LEAST('b', 'a'));

-- The sign of an integer that functions make of constants is a matter of their values: they are asked for beforehand.
SET sql_mode = '';
CREATE TABLE none (id INT PRIMARY KEY);
CREATE TABLE one (id INT PRIMARY KEY);
INSERT INTO one VALUES (1);
SELECT -(MICROSECOND('2020-01-00')), -(YEAR('abc')), -(CAST('abc' AS SIGNED)) FROM none;
SELECT -(HOUR('abc')) FROM one;
CREATE TABLE signs AS SELECT -(CAST('-5x' AS SIGNED)) a, -(YEAR('2001-01-01')) b, -(MINUTE('x')) c, -(LENGTH('abc')) d, -(ABS(CAST('x' AS SIGNED))) e FROM none;
SHOW CREATE TABLE signs;
SELECT -(-(MICROSECOND('x'))), -(CAST('18446744073709551615x' AS UNSIGNED)), -(CAST('x' AS SIGNED)) FROM one;
DROP TABLE none, one, signs;

-- Dates that are chosen are looked at by CAST and DATE that aggregates and comparisons read, too; texts that COALESCE and CASE
-- choose have the character set of what was chosen in dynamic columns.
SET sql_mode = '';
CREATE TABLE chosen (id INT PRIMARY KEY, ts TIMESTAMP(1) NULL, d DATETIME, s VARCHAR(10));
INSERT INTO chosen VALUES (1, '0000-00-00', '0000-00-00', 'a'), (2, '1999-12-31 23:59:59', '1999-12-31 23:59:59', NULL);
SET sql_mode = 'TRADITIONAL';
SELECT MIN(CAST(IF(1, ts, ts) AS DATETIME)), MIN(CAST(IF(1, d, d) AS DATETIME)), MIN(CAST(d AS DATETIME)), MIN(CAST(COALESCE(ts) AS DATETIME)), MIN(CAST(CASE WHEN 1 THEN ts END AS DATETIME)), MIN(CAST(GREATEST(ts, ts) AS DATETIME)), MIN(CAST(CAST(IF(1, ts, ts) AS DATETIME) AS DATE)) FROM chosen;
SELECT MIN(COALESCE(ts)), MIN(DATE(COALESCE(ts))), MIN(DATE(IF(1, ts, ts))), MIN(TIMESTAMP(IF(1, ts, ts))) FROM chosen;
SELECT id, CAST(IF(1, ts, ts) AS DATETIME) < '2020-01-01', CAST(IF(1, d, d) AS DATETIME) < '2020-01-01', CAST(COALESCE(ts) AS DATETIME) < '2020-01-01', CAST(GREATEST(ts, ts) AS DATETIME) < '2020-01-01', IF(1, ts, ts) < '2020-01-01' FROM chosen;
SET sql_mode = '';
SELECT HEX(COLUMN_CREATE('b', COALESCE(2, 'a'))), HEX(COLUMN_CREATE('b', IF(1, 2, 'a'))), HEX(COLUMN_CREATE('b', CASE WHEN 1 THEN 2 ELSE 'a' END)), HEX(COLUMN_CREATE('b', COALESCE(s, 2))), HEX(COLUMN_CREATE('b', COALESCE(id, '2'))) FROM chosen;
DROP TABLE chosen;

DROP DATABASE rows_9;
