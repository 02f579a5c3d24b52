-- Faults that the differential tester found in rows of queries, each with the smallest statement that shows it.
CREATE DATABASE d CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE d;
SET sql_mode = '';

-- Numbers are added to times by their text: that of FLOAT has few digits, and twelve digits or more are a date.
CREATE TABLE n (id INT PRIMARY KEY, f FLOAT, g FLOAT(8,2), d DOUBLE(10,3), z DECIMAL(20,5) ZEROFILL, i INT(6) ZEROFILL);
INSERT INTO n VALUES (1, 3, 2, 3, 1, 1), (2, 7, 7, 7, 16, 16), (3, 12345.678, 12345.678, 12345.678, 12345.678, 12345), (4, 0.1, 0.1, 0.1, 0.1, 0);
SELECT SUBTIME(101112, f), SUBTIME(101112, g), SUBTIME(101112, d), SUBTIME('10:00:00', z), SUBTIME('10:00:00', i), ADDTIME('10:00:00', g / 3), ADDTIME('10:00:00', f + 0e0) FROM n ORDER BY id;
SELECT ADDTIME('10:00:00', MAX(f)), ADDTIME('10:00:00', MAX(g)) FROM n;
SELECT SUBTIME('10:00:00', '00000000001.5'), SUBTIME('10:00:00', '000000000001.5'), SUBTIME('10:00:00', '000000000001 1:00'), SUBTIME('10:00:00', '00000001:1:1'), SUBTIME('10:00:00', '1.1234567');
SELECT SUBTIME(TRUNCATE(g, 12), 1), SUBTIME(1, TRUNCATE(f, 7)) FROM n WHERE id = 1;

-- DISTINCT, groups, windows and MEDIAN have the digits of a computed double that its type has; FLOAT columns are as they are.
SELECT AVG(DISTINCT g), SUM(DISTINCT g) * 1e0, AVG(DISTINCT g + 0) FROM n;
SELECT MEDIAN(id / g) OVER (PARTITION BY id), MEDIAN(g) OVER (PARTITION BY id) FROM n ORDER BY id;
SET div_precision_increment = 0;
CREATE TABLE e (id INT PRIMARY KEY, d DOUBLE(20,2));
INSERT INTO e VALUES (1, 0.01), (2, 0.02), (3, 0.03), (4, 0.04);
SELECT MAX(d / 7) * 1e0, MIN(-d / 7) * 1e0 FROM e;
SELECT DISTINCT d / 7 FROM e;
SELECT COUNT(*) FROM e GROUP BY d / 7;
SELECT COUNT(*) FROM e GROUP BY d / 7 WITH ROLLUP;
SELECT DENSE_RANK() OVER (ORDER BY d / 7), SUM(d / 7) OVER (ORDER BY id) * 1e0 FROM e ORDER BY id;
SET div_precision_increment = DEFAULT;
SELECT AVG(a.g / 10), COUNT(DISTINCT a.id) FROM n a JOIN n b GROUP BY a.id > 0;
SELECT AVG(g / 10), COUNT(DISTINCT id) FROM n GROUP BY SLEEP(0);

-- An unsigned decimal below zero has no place in a temporary table.
CREATE TABLE u (id INT PRIMARY KEY, a INT UNSIGNED, b DECIMAL(10,2) UNSIGNED);
INSERT INTO u VALUES (1, 34, 129), (2, 251, 74), (3, 10, 20);
SELECT a - b, MAX(a - b) OVER (ORDER BY id) FROM u ORDER BY id;
SELECT DISTINCT a - b FROM u ORDER BY 1;
SELECT * FROM (SELECT a - b FROM u ORDER BY id LIMIT 3) t;
SELECT MAX(a - b), MIN(a - b), SUM(a - b) FROM u GROUP BY id % 1;

-- What is no address is none of one kind only, and in a subquery no reason not to know.
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(10), b VARCHAR(10), i INET4);
INSERT INTO t VALUES (1, '', NULL, '1.2.3.4'), (2, 'x', 'A', '1.2.3.4'), (3, '1.2.3.4', '10.0.0.1', NULL);
SELECT id, a IN (CAST(b AS INET4), a), a IN (i, a), a IN (i, 'x') FROM t ORDER BY id;
SELECT id, CAST('10.0.0.1' AS INET4) NOT IN (SELECT t.b FROM t s), CAST('10.0.0.1' AS INET4) < ALL (SELECT t.b FROM t s) FROM t ORDER BY id;

-- Nobody notices that a date behind an aggregate is NULL, nor what ROLLUP makes of a key that is not.
CREATE TABLE k (id INT NOT NULL, d DATE, v VARCHAR(5));
SELECT DATE'2001-01-01' NOT IN (SELECT MAX(d) FROM k), 1 NOT IN (SELECT MAX(id) FROM k), DATE'2001-01-01' < ALL (SELECT MAX(d) FROM k);
INSERT INTO k VALUES (1, NULL, NULL);
SELECT DATE'2001-01-01' NOT IN (SELECT d FROM k), DATE'2001-01-01' NOT IN (SELECT d FROM k HAVING d IS NULL), DATE'2001-01-01' NOT IN (SELECT d FROM k GROUP BY d);
SELECT 5 NOT IN (SELECT id FROM k GROUP BY d, id WITH ROLLUP), 'b' NOT IN (SELECT v FROM k GROUP BY v WITH ROLLUP), 'b' NOT IN (SELECT '' FROM k GROUP BY d, '' WITH ROLLUP);

-- Keys of ROLLUP that are not found where they are written again.
CREATE TABLE r (id INT PRIMARY KEY, c INT, v VARCHAR(10));
INSERT INTO r VALUES (24, 0, '10'), (25, 1, 'a');
CREATE VIEW w AS SELECT id AS r0, 1 AS r1, c + 1 AS r2, c, v FROM r;
SELECT NULLIF(v, 'z') AS x FROM r GROUP BY NULLIF(v, 'z') WITH ROLLUP;
SELECT NULLIF(v, 'z') AS x FROM r GROUP BY x WITH ROLLUP;
SELECT -x.r1 FROM w x GROUP BY -x.r1 WITH ROLLUP;
SELECT r1 FROM w GROUP BY r1 WITH ROLLUP;
SELECT r0 + 1 FROM w GROUP BY r0 + 1 WITH ROLLUP;
SELECT w.r0 + 1 FROM w GROUP BY w.r0 + 1 WITH ROLLUP;
SELECT r2 + 1 FROM w GROUP BY r2 + 1 WITH ROLLUP;
SELECT c OR id FROM r GROUP BY c OR id WITH ROLLUP;
SELECT NOT c FROM r GROUP BY NOT c WITH ROLLUP;

-- Bits have a sign to who reckons with doubles, as long as no temporary table keeps them.
SELECT BIT_XOR(-id) / '2', BIT_OR(-1) / 2, BIT_AND(NULL) >= 3e0 FROM u;
SELECT BIT_OR(-1) / '2' FROM u GROUP BY a % 2;
SELECT BIT_OR(-1) / GROUP_CONCAT(id) FROM u GROUP BY a;

-- Numbers that are to be distinct are those of the greatest and least texts.
CREATE TABLE l (c SET('x', 'y'), v VARCHAR(20));
INSERT INTO l VALUES ('y', '7a'), ('', '2001:db8'), ('x', '2001');
SELECT SUM(DISTINCT LEAST('2001:db8::1', c)) FROM l;

-- What COALESCE and CASE choose beside bytes keeps its own characters, and user variables what was handed on.
SELECT IFNULL(CAST('x' AS INET6), COALESCE('::', x'01')), IFNULL(CAST('x' AS INET6), CASE WHEN 1 THEN '::' ELSE x'01' END), HEX(COALESCE(_latin1 x'E9', x'01')), COALESCE(_latin1 x'E9', x'01'), COALESCE(CONVERT(NULL USING latin1), x'4142');
SET @v = UNCOMPRESS(COMPRESS('')), @w = JSON_UNQUOTE('{"a": 1}'), @x = JSON_UNQUOTE('"a"'), @y = JSON_UNQUOTE(_latin1'a');
SELECT COLLATION(@v), COLLATION(@w), COLLATION(@x), COLLATION(@y);

-- EXISTS beside a column's text.
SELECT JSON_ARRAY(v, EXISTS (SELECT 1 FROM l s WHERE s.v = l.v)), JSON_ARRAY('a', EXISTS (SELECT 1 FROM l s)) FROM l WHERE v = '2001';

-- Digits with something behind them are an interval where a digit follows, else a date or nothing.
SELECT EXTRACT(DAY FROM '575057c8'), EXTRACT(DAY FROM '575057x'), EXTRACT(DAY_HOUR FROM '575057x'), EXTRACT(DAY FROM '20200102x'), EXTRACT(HOUR FROM '575057x');

-- A mean that a subquery gives is one key of all rows, though it has more digits than it shows.
SELECT COUNT(*) FROM u GROUP BY (SELECT AVG(s.a) / 7 FROM u s);

-- A list of values is compared with integers as the nearest one.
SELECT GROUP_CONCAT('1.1|2') > 1, GROUP_CONCAT('1.5x') = 2, GROUP_CONCAT('1.1') > 1e0, MAX('1.1') > 1, CONCAT(GROUP_CONCAT('1.1')) > 1, NULLIF(GROUP_CONCAT('1.1'), 1);

-- The week of no date has no room in a UNION's text, and STR_TO_DATE's format is bytes beside bytes.
SELECT 'abc' UNION ALL SELECT EXTRACT(WEEK FROM '0000-00-00');
SELECT STR_TO_DATE(x'C3A4', _latin1 x'C3A4'), STR_TO_DATE(_utf8mb4 x'C3A4', _latin1 x'C3A4');

-- Subqueries among listed rows that read the table by its own name meet none of these rows, those by another name do.
CREATE TABLE i (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b INT);
CREATE VIEW j AS SELECT * FROM i WHERE b;
INSERT INTO i (a, b) VALUES (1, 5), (2, (SELECT COUNT(*) FROM i)), (3, (SELECT COUNT(*) FROM i x WHERE a > 0)) RETURNING *;
INSERT INTO i (a, b) VALUES (1, 5), (2, (SELECT COUNT(*) FROM i x WHERE a > 0)) RETURNING *;
INSERT INTO i (a, b) VALUES (1, 5), (2, (SELECT COUNT(*) FROM j)), (3, (SELECT COUNT(*) FROM (SELECT * FROM i) x)) RETURNING *;
INSERT INTO i (a, b) VALUES (1, 5), (2, (SELECT COUNT(*) FROM (SELECT * FROM i x) i WHERE a > 0)) RETURNING *;
INSERT INTO i (a, b) VALUES (@a := 7, 5), (2, (SELECT COUNT(*) + @a FROM i)) RETURNING *;
INSERT INTO j (a, b) VALUES (1, 5), (2, (SELECT COUNT(*) FROM i)), (3, (SELECT COUNT(*) FROM j)) RETURNING *;
REPLACE INTO i (id, a, b) VALUES (1, 1, 5), (500, 2, (SELECT COUNT(*) FROM i)) RETURNING *;

-- A user variable's NULL that was to be a shape.
SET @v = CASE WHEN 0 THEN POINT(1, 1) END, @w = IFNULL(ST_GEOMFROMTEXT(NULL), ST_GEOMFROMTEXT(NULL)), @x = IF(0, POINT(1, 1), NULL), @y = CASE WHEN 1 THEN POINT(1, 1) END, @z = CASE WHEN 0 THEN x'01' END;
SELECT @v, @w, COLLATION(@v), COLLATION(@w), COLLATION(@x), COLLATION(@y), COLLATION(@z);

-- A day that its month has not is rounded within itself, and has none behind it; the first second of all is in no time zone.
SET sql_mode = 'ALLOW_INVALID_DATES';
CREATE TABLE o (id INT PRIMARY KEY, a DATETIME(6), b DATETIME);
INSERT INTO o VALUES (1, '2020-02-30', '2020-02-30'), (2, '2020-02-30 10:00:00.6', '2020-02-31 10:00:00'), (3, '2020-02-30 23:59:59.9', '0000-00-00'), (4, '2020-02-00 23:59:59.9', '2020-00-05'), (5, '9999-12-31 23:59:59.9', NULL);
SELECT ROUND(a), ROUND(b), ROUND(a, 1), CEILING(a), FLOOR(a), TRUNCATE(a, 0) FROM o ORDER BY id;
SET sql_mode = '';
SELECT CONVERT_TZ(FROM_UNIXTIME(0), '+00:00', '+05:30'), CONVERT_TZ('1970-01-01 00:00:00.5', '+00:00', '+05:30'), CONVERT_TZ('1970-01-01 00:00:01', '+00:00', '+05:30'), CONVERT_TZ('1970-01-01 05:30:00', '+05:30', '+00:00');

-- Names of members are in the layout that they were given, and user variables in the collation of what was laid out.
SELECT JSON_OBJECT(JSON_PRETTY('{"b":2}'), 1), JSON_OBJECT(JSON_LOOSE('{"b":2}'), 1), JSON_OBJECT(JSON_COMPACT('{"b": 2}'), JSON_PRETTY('{"b":2}'));
SET @v = JSON_PRETTY(JSON_UNQUOTE('{"a": 1}')), @w = JSON_COMPACT(JSON_UNQUOTE('{"a": 1}')), @x = JSON_LOOSE('{"a": 1}');
SELECT COLLATION(@v), COLLATION(@w), COLLATION(@x);

-- Numbers that LPAD has nothing to put before are in latin1, as what it cuts off.
SET @a = LPAD(1, 1), @b = LPAD(12, 1), @c = LPAD(1, 2), @d = LPAD('1', 1), @e = LPAD(1.5, 3), @f = LPAD(123, 0);
SELECT COLLATION(@a), COLLATION(@b), COLLATION(@c), COLLATION(@d), COLLATION(@e), COLLATION(@f);
-- Constants are put aside nowhere, addresses are ASCII in any character set.
CREATE OR REPLACE TABLE put (id INT, a INET4, u UUID, CHECK (a <> 'zz' OR CONCAT(u, 'ä') LIKE '%'));
INSERT INTO put VALUES (1, '1.2.3.4', NULL), (2, NULL, NULL);
SELECT DISTINCT PI() + 0e0 FROM put;
SELECT DISTINCT PI(), id FROM put ORDER BY id;
SHOW CREATE TABLE put;
DROP TABLE put;
DROP DATABASE d;
