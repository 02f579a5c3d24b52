-- Statements of other cases with other words put in.
-- A sequence's table can be opened, though a name be none of the statement's.
SELECT a.seq FROM seq_1_to_2 c, seq_1_to_2_step_1 b WHERE a.seq = b.seq;
SELECT a.seq FROM seq_1_to_3 b, nosuch c;
SELECT a.seq FROM seq_1_to_3 b, seq_1_to_3_step_0 c;
-- Temporal literals that are none are found as the text is read.
SELECT DATE'x' FROM nosuch;
SELECT nosuch, TIME'x';
SELECT nosuch(1), TIMESTAMP'2020-01-01';
SELECT DATE'2020-02-30', FROM;
INSERT INTO nosuch VALUES (DATE'x');
PREPARE s FROM 'SELECT ?, nosuch, DATE''x''';
-- KILL takes any number.
KILL 0x99999;
KILL 'abc';
KILL b'1111111111111';
KILL QUERY ID 0x99999;
KILL nosuch;
KILL -1;
KILL 99999999999999999999999;
-- Constants beside YEAR and BIGINT columns are what those would hold where a table's expressions are shown.
CREATE TABLE y (a BIGINT, u BIGINT UNSIGNED, b YEAR, CHECK (a = '-5'), CHECK (a = -5), CHECK (a = 12.4), CHECK (u = 12.0), CHECK (a = 1e3), CHECK (a = 1 + 1), CHECK (a = 0x41), CHECK (a = b'11'), CHECK (b = ''), CHECK (a = NULL), CHECK (u = '18446744073709551615'), CHECK (a IN (1, '2', b)), CHECK (a BETWEEN '1' AND 2.0), CHECK (a NOT IN ('1', '2')), CHECK (NOT (b = 12)), CHECK (b = LENGTH('abc')), CHECK (CASE WHEN b = 12 THEN 1 END), CHECK (a = CAST('12' AS SIGNED)), CHECK (b XOR 12));
SHOW CREATE TABLE y;
SELECT check_clause FROM information_schema.check_constraints WHERE table_name = 'y' ORDER BY constraint_name LIMIT 3;
CREATE OR REPLACE TABLE y (b YEAR, a BIGINT, d INT AS (b IN (12)), e INT AS (12 IN (b)), f INT AS (12 IN (b, a)), g INT AS (b = b'1100'), h INT DEFAULT (a = '1'), i INT AS (b BETWEEN 0 AND 99), j YEAR CHECK (j = 12), k INT AS (b = -1), l INT AS (b = 100), m INT AS (NULLIF(b, 12)), n INT AS (b = 12.5), o INT AS (CASE b WHEN 12 THEN 1 END), p INT AS ((b, 12) = (13, 14)), q INT AS (b > DATE'2020-01-01'), r INT AS (b + 12));
SHOW CREATE TABLE y;
DROP TABLE y;
-- Digits of bytes are small letters.
CREATE VIEW yv AS SELECT 0xAb a, X'0aB1' b, b'1' c, 0xABC d, x'' e, b'' f;
SHOW CREATE VIEW yv;
DROP VIEW yv;
-- Names of functions that are reserved words wait for their parenthesis; UNIQUE is DISTINCT.
SELECT MOD FROM y;
SELECT LEFT, 1;
SELECT ABS(IF);
SELECT DEFAULT FROM y;
SELECT UNIQUE seq % 2 FROM seq_1_to_5;
-- Nobody asks whether a month has the day that is rounded, chosen and sent.
SET sql_mode = 'ALLOW_INVALID_DATES';
CREATE TABLE li (id INT, c DATETIME(3), d DATE, z DATETIME);
INSERT INTO li VALUES (1, '2020-02-30 10:11:12.5', '2020-02-30', '2020-02-31'), (2, '2020-01-31 23:59:59.999', '2020-01-31', '0000-00-00');
SET sql_mode = DEFAULT;
SELECT FLOOR(c), CEIL(c), ROUND(c), ROUND(c, 1), TRUNCATE(c, 2), FLOOR(z), ROUND(d) FROM li;
SELECT FLOOR(COALESCE(c)), ROUND(GREATEST(c, c), 1), COALESCE(c), COALESCE(STR_TO_DATE('2020-02-30', '%Y-%m-%d'), c), IFNULL(d, c), IF(1, d, c), CASE WHEN 1 THEN d ELSE c END, GREATEST(d, c) FROM li;
SELECT FLOOR(c) + 0, FLOOR(c) = '2020-02-30 10:11:12', HOUR(FLOOR(c)), DAY(ROUND(c)), LAST_DAY(ROUND(c)), CONCAT(ROUND(c)), CEIL(c) > c FROM li;
SELECT id FROM li WHERE FLOOR(c) > '2020-02-01';
SELECT id FROM li ORDER BY FLOOR(c);
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT ROUND(z), COALESCE(z), IF(1, z, c), IF(1, d, z) FROM li;
SET sql_mode = DEFAULT;
DROP TABLE li;
-- A pattern of TO_CHAR that is none is an error where it is written.
CREATE TABLE tc (f VARCHAR(10));
INSERT INTO tc VALUES ('qq'), ('YYYY');
SELECT TO_CHAR('2020-01-01', f) FROM tc;
SELECT TO_CHAR('2020-01-01', CONCAT('q', 'q'));
SELECT TO_CHAR('x', CONCAT('q', 'q')), TO_CHAR('2020-01-01', (SELECT f FROM tc LIMIT 1));
SELECT TO_CHAR('2020-01-01', 1 + 1), TO_CHAR(f, CONCAT('q', 'q')) FROM tc;
SELECT TO_CHAR(f, 'qq') FROM tc;
SELECT TO_CHAR('2020-01-01', 0x7171);
DROP TABLE tc;
-- Functions of doubles name themselves where they are given rows.
SELECT SQRT(ROW(1, 2));
SELECT POW(1, ROW(1, 2));
SELECT LOG(2, (1, 2));
SELECT LAST_DAY((1, 2));
SELECT CAST('::1' AS INET6) NOT IN (1);
SELECT (1, 2) NOT IN ((1, CAST('::1' AS INET6)));
-- The greatest of labels is that of an index by number, whatever else is summed up.
CREATE TABLE se (id INT, s SET('x','y','z'), e ENUM('c','b','a'), g INT, KEY k (s), KEY (e));
INSERT INTO se VALUES (1, 'y', 'b', 1), (2, 'x,z', 'a', 1), (3, 'x', 'c', 2), (4, 'z', 'b', 2);
SELECT MAX(s), COUNT(*), MAX(e), MIN(e) FROM se;
SELECT MAX(s), COUNT(*), MAX(e), MIN(e) FROM se IGNORE INDEX (k, e);
SELECT MAX(s), MAX(e), SUM(g) FROM se WHERE id > 0;
SELECT MAX(s) FROM se GROUP BY g;
DROP TABLE se;
-- b'..' and 0x.. are numbers in front of IN of one number.
SELECT b'1' IN (1), 0x31 IN (1), 0x01 IN (1), b'1' NOT IN (1), b'1' IN (1.0), b'1' IN (1e0), 0x41 IN ('A'), x'01' IN (1);
SELECT seq FROM seq_1_to_3 WHERE 0x02 IN (seq);
-- No days are counted to before the year 1.
SELECT CAST('0000-12-31' AS DATE) + INTERVAL 0 DAY, CAST('0001-01-01' AS DATE) - INTERVAL 1 DAY, CAST('0000-12-31' AS DATE) + INTERVAL 1 DAY, CAST('0000-12-31' AS DATE) + INTERVAL 0 MONTH, '0000-12-31' + INTERVAL 0 SECOND;
CREATE TABLE ea (d DATE);
INSERT INTO ea VALUES ('0000-12-31'), ('0001-01-01');
SELECT d + INTERVAL 0 DAY, d + INTERVAL 1 DAY, d - INTERVAL 1 DAY, d + INTERVAL 0 MONTH, d + INTERVAL 1 WEEK, DATE_ADD(d, INTERVAL 0 YEAR), ADDDATE(d, 0) FROM ea;
DROP TABLE ea;
-- A user variable has a name.
SELECT @'';
SET @`` = 1;
SELECT @' ';
-- So they are where a query gives but one number.
SELECT b'1' IN (SELECT 1), 0x31 IN (SELECT 1), b'1' NOT IN (SELECT 1), b'1' IN (SELECT 1.0), b'1' = ANY (SELECT 1), 0x31 < ANY (SELECT 2), 0x31 > ALL (SELECT 2), 0x31 IN (SELECT 49 FROM DUAL);
