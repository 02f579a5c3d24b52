-- A text beside NULL that is computed, or alone, has a fraction of any length; beside the word it stays as it is.
SET NAMES utf8mb4;
SET sql_mode = '';
CREATE TABLE t (a VARCHAR(10), b ENUM('a','b'), c TEXT, k TINYTEXT, h INT UNSIGNED, i BIGINT UNSIGNED, j DECIMAL(5,2) UNSIGNED, l DOUBLE UNSIGNED);
SELECT IF(1, '2020-01-01' + INTERVAL 1 DAY, NULLIF(NULL, '1 10:00')), IF(1, '2020-01-01' + INTERVAL 1 DAY, NULL), IF(1, COALESCE(NULL), '2020-01-01' + INTERVAL 1 DAY), COALESCE('2020-01-01' + INTERVAL 1 DAY), CASE WHEN 1 THEN '2020-01-01' + INTERVAL 1 DAY END, COALESCE(CAST(12 AS CHAR)), COALESCE(HEX(a)), COALESCE(b) FROM t;
SELECT IF(1, a, NULLIF(NULL, 1)), IF(1, b, NULLIF(NULL, 1)), IF(1, c, NULLIF(NULL, 1)), IF(1, h, NULLIF(NULL, 1)), IF(1, i, NULLIF(NULL, 1)), IF(1, j, NULLIF(NULL, 1)), IF(1, k, NULLIF(NULL, 1)), IF(1, l, NULLIF(NULL, 1)), IF(1, c, NULL), IF(1, k, NULL), IF(1, i, (SELECT NULL)) FROM t;
DROP TABLE t;
-- TRUE is as long as its word.
SELECT TRUE, FALSE, TRUE + 1, -TRUE, -FALSE, COALESCE(TRUE), CAST(TRUE AS UNSIGNED), ABS(TRUE);
-- Named constants as unsigned numbers, moments of decimals in variables.
SELECT CAST(NAME_CONST('it', 12) AS UNSIGNED), CAST(NAME_CONST('it', 18446744073709551615) AS UNSIGNED), CAST(12 AS UNSIGNED);
SET @v3 = -1.25, @v4 = 'a';
SELECT FROM_UNIXTIME(@v3), FROM_UNIXTIME(@v3 + 1), FROM_UNIXTIME('1.2'), FROM_UNIXTIME(@nosuch);
-- Where a pattern of bytes is wrong.
SELECT REGEXP_INSTR(1, UNHEX(SHA1('1e')));
SET default_regex_flags = 'DOTALL';
SELECT 'a' REGEXP 'b)';
SET default_regex_flags = DEFAULT;
-- A view that sorts by a query is none to write to, though it joins.
CREATE TABLE t1 (id INT PRIMARY KEY, a VARCHAR(10));
CREATE TABLE t2 (id INT PRIMARY KEY, c0 INT);
CREATE VIEW w AS SELECT a.id, b.a FROM t2 a LEFT JOIN t1 b ON b.id = a.id ORDER BY (SELECT MAX(c0) FROM t2) - a.id;
UPDATE w SET id = 4, a = 'b';
UPDATE w SET id = 4;
DELETE w FROM w;
INSERT INTO w (id) VALUES (1);
UPDATE w, t1 SET w.id = 3;
DROP VIEW w;
DROP TABLE t1, t2;
-- A text beside a BIGINT column is read when the statement is, in no strict way.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE t (u BIGINT, i INT);
SELECT '::' = u FROM t;
SELECT 1 FROM t WHERE 0 AND u = '::';
INSERT INTO t VALUES (1, 1), (2, 2);
CREATE TABLE m AS SELECT NULLIF('::', u), NULLIF(u, '::'), u IN ('::', 3), u BETWEEN '::' AND 3, u > LEFT('::', 1) FROM t;
SELECT * FROM m;
DROP TABLE m;
CREATE TABLE m AS SELECT '::' = i FROM t;
CREATE TABLE m AS SELECT (u, 1) = ('::', 1) FROM t;
UPDATE t SET i = 1 WHERE u = '::';
UPDATE t SET i = u = '::';
DELETE FROM t WHERE u = '::';
PREPARE s FROM 'SELECT u = ''::'' FROM t';
EXECUTE s;
EXECUTE s;
CREATE VIEW v AS SELECT u = '::', u IN ('a') FROM t;
SELECT * FROM v;
DROP VIEW v;
DROP TABLE t;
-- What DECODE gives for the texts of the session is no text of another character set.
CREATE TABLE m (c6 VARCHAR(20) COLLATE utf8mb4_unicode_ci);
SELECT 1 FROM m WHERE DECODE(CHARSET(1), 'k') = c6;
SELECT 1 FROM m WHERE DECODE('rrrrefdtrefdre', 'k') = c6;
DROP TABLE m;
-- An aggregate of the block around, in a query inside an aggregate, is refused after all else that the query has wrong.
CREATE TABLE t1 (id INT, a INET4);
CREATE TABLE t2 (id INT, c0 TEXT, c4 VARCHAR(20) COLLATE utf8mb4_unicode_ci);
SELECT AVG(id), SUM((SELECT MAX(t2.c0) FROM t1 s1 WHERE s1.id BETWEEN t2.id AND a)) FROM t2;
SELECT AVG(id), SUM((SELECT MAX(t2.c0) + nosuch FROM t1 s1)) FROM t2;
SELECT AVG(id), SUM((SELECT MAX(t2.c0) FROM t1 s1 HAVING nosuch)) FROM t2;
SELECT AVG(id), SUM((SELECT MAX(t2.c0) FROM t1 s1)), nosuch FROM t2;
SELECT SUM(MAX(id)), nosuch FROM t2;
-- Types that have nothing in common come before collations.
SELECT * FROM (SELECT c4, CAST('fe80::1' AS INET6) FROM t2 INTERSECT SELECT CAST('255.255.255.255' AS CHAR), 1 FROM t2) u;
SELECT c4 FROM t2 UNION SELECT CAST('a' AS CHAR) FROM t2;
DROP TABLE t1, t2;
-- Dates that TIMEDIFF makes of something may be days that are in no month; TO_CHAR says nothing of days that are zero.
SET sql_mode = '';
CREATE TABLE m (c TEXT, e DATETIME, i INT);
INSERT INTO m VALUES ('2020-02-30', '2020-01-01', 20200230), ('2020-02-28', '2020-01-01', 20200228), ('a', NULL, 0), ('2020-00-10', NULL, 20200010);
SELECT TIMEDIFF(LAST_DAY(c), LAST_DAY(c)), TIMEDIFF(LAST_DAY(c), e), TIMEDIFF(LAST_DAY(c), '2020-02-29') FROM m;
SELECT TIMEDIFF(DATE(c), DATE(c)), TIMEDIFF(CAST(c AS DATETIME), CAST(c AS DATETIME)), TIMEDIFF(DATE(i), DATE(i)) FROM m;
SELECT TIMEDIFF(c + INTERVAL 1 DAY, e) FROM m;
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT TIMEDIFF(LAST_DAY(c), LAST_DAY(c)) FROM m;
SELECT TO_CHAR(LAST_DAY(0), 'YYYY'), TO_CHAR(LAST_DAY('2020-00-10'), 'YYYY'), TO_CHAR(LAST_DAY('2020-02-30'), 'YYYY'), TO_CHAR(DATE('0000-00-00'), 'YYYY');
SELECT LAST_DAY(0);
DROP TABLE m;
-- A column of a view that is a constant is not of the table that rows go into.
SET sql_mode = '';
CREATE TABLE t2 (id INT PRIMARY KEY, c0 INT);
CREATE VIEW v5 AS SELECT '2001-01-01' AS r0, c0 AS r1, id AS r2 FROM t2;
INSERT INTO v5 (r1) SELECT t2.id FROM t2 ON DUPLICATE KEY UPDATE v5.r0 = DEFAULT;
INSERT INTO v5 (r1) VALUES (2) ON DUPLICATE KEY UPDATE r0 = 1;
INSERT INTO v5 (r1) VALUES (2) ON DUPLICATE KEY UPDATE nosuch = 1;
DROP VIEW v5;
DROP TABLE t2;
-- Half a BETWEEN is a range, too.
CREATE TABLE h (id INT PRIMARY KEY, c0 TIMESTAMP(6) NULL, c2 BIT(64) NOT NULL, KEY k0 (c0));
INSERT INTO h VALUES (1, NULL, 21), (2, 20200131, 14), (3, NULL, 16);
UPDATE h SET c2 = 1 WHERE c0 BETWEEN '2020-01-01' AND c2;
DELETE FROM h WHERE c0 BETWEEN '2020-01-01' AND c2;
DROP TABLE h;
-- A constant document is read when the statement is.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE t (a VARCHAR(10));
INSERT INTO t VALUES ('x');
CREATE TABLE made AS SELECT EXTRACTVALUE(FROM_BASE64('0000-00-00'), '//b') x, UPDATEXML(CAST('a' AS SIGNED), '//b', 'c') y FROM t;
DROP TABLE made;
SELECT EXTRACTVALUE(FROM_BASE64('0000-00-00'), '//b') x FROM t WHERE 0;
CREATE TABLE made AS SELECT CONCAT(FROM_BASE64('0000-00-00'), '//b') x FROM t;
DROP TABLE t;
-- No condition goes before one that tells of the texts that it reads, but that integers are equal.
SET sql_mode = '';
CREATE TABLE t2 (id INT PRIMARY KEY, c1 VARCHAR(60), i INT, f DOUBLE, d DECIMAL(5,2));
INSERT INTO t2 VALUES (1, '%', 1, 1, 1), (2, '12abc', 2, 2, 2), (3, 'x', 3, 3, 3);
SELECT 1 FROM t2 WHERE i + 1 = c1 AND 'y' = f;
SELECT 1 FROM t2 WHERE i + 1 = c1 AND d = 'y';
SELECT 1 FROM t2 WHERE f = 'y' AND i + 1 = c1;
SELECT 1 FROM t2 WHERE i + 1 = c1 AND f > 'y';
SELECT 1 FROM t2 WHERE i + 1 = c1 AND i = 7;
SELECT 1 FROM t2 WHERE (i + 1, 'y') = (c1, f);
DROP TABLE t2;
-- A range of one end leaves the other one to be asked.
CREATE TABLE ends (a INT, b INT, KEY (a));
INSERT INTO ends VALUES (10, 20), (35, 20), (40, 50), (60, 70), (31, NULL);
SELECT * FROM ends FORCE INDEX (a) WHERE a BETWEEN 30 AND b ORDER BY a;
SELECT * FROM ends FORCE INDEX (a) WHERE a BETWEEN b AND 38 ORDER BY a;
DROP TABLE ends;
