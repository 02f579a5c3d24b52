-- Constants beside a BIGINT column in BETWEEN are decimals though one of them be NULL.
CREATE TABLE b (id INT PRIMARY KEY, c BIGINT NOT NULL, i INT);
INSERT INTO b VALUES (1, 3, 3), (2, 1000, 1000);
SELECT id FROM b WHERE c BETWEEN '0000-00-00' AND NULL;
SELECT c BETWEEN '2x' AND NULL, c BETWEEN NULL AND '2x', c NOT BETWEEN '2000x' AND NULL FROM b;
SELECT i BETWEEN '2x' AND NULL FROM b;
-- What is compared is read before the other side is found to be NULL, in conditions too.
CREATE TABLE n (id INT, dt DATETIME, ts TIMESTAMP NULL, i INT, s VARCHAR(10));
INSERT INTO n VALUES (1, NULL, NULL, NULL, '9x');
SELECT 1 FROM n WHERE id IN (dt, 2);
SELECT 1 FROM n WHERE id = ts;
SELECT 1 FROM n WHERE id IN (ts, ts);
SELECT id BETWEEN dt AND dt FROM n;
SELECT s BETWEEN i AND dt FROM n;
SELECT s BETWEEN i AND i FROM n;
SELECT (SELECT MIN(1) FROM n WHERE 1 IN (n.ts, 2));
DROP TABLE n, b;
-- Constant texts beside decimals of rows are decimals, whatever they are made by; beside a query's one value they are not.
CREATE TABLE d (id INT PRIMARY KEY, d DECIMAL(10,2));
INSERT INTO d VALUES (1, 1);
SELECT 1 FROM d WHERE d = CONCAT('12', 'abc');
SELECT 1 FROM d WHERE d = '12abc' COLLATE utf8mb4_bin;
SELECT 1 FROM d WHERE ('12abc' COLLATE utf8mb4_bin) = ALL (SELECT x.d FROM d x);
SELECT 1 FROM d WHERE '12abc' = (SELECT MAX(x.d) FROM d x);
SELECT '12abc' < (SELECT x.d FROM d x WHERE x.id = 1) FROM d;
DROP TABLE d;
-- GROUP_CONCAT puts texts aside that are to be ordered or told apart, cut to the length of the result: the row that is told
-- to be cut is the one behind, and what is cut within a character leaves room for it.
CREATE TABLE g (id INT PRIMARY KEY, x TEXT, v VARCHAR(40), b LONGBLOB);
INSERT INTO g VALUES (1, 'abcdeéfghij', 'abcdeéfghij', 'abcdefghij'), (2, 'klm', 'klm', 'klm'), (3, 'opqrstuvwxyz', 'opqrstuvwxyz', 'opqrstuvwxyz');
SET group_concat_max_len = 7;
SELECT GROUP_CONCAT(x ORDER BY id) FROM g;
SELECT GROUP_CONCAT(x ORDER BY id DESC) FROM g;
SELECT GROUP_CONCAT(DISTINCT x) FROM g;
SELECT GROUP_CONCAT(x) FROM g;
SELECT GROUP_CONCAT(v ORDER BY id) FROM g;
SELECT GROUP_CONCAT(b ORDER BY id) FROM g;
SELECT GROUP_CONCAT(CONCAT(x, 'é') ORDER BY id SEPARATOR '') FROM g;
SELECT GROUP_CONCAT(x ORDER BY id) FROM g WHERE id = 1;
SELECT GROUP_CONCAT(x ORDER BY id LIMIT 1) FROM g;
SET group_concat_max_len = 6;
SELECT GROUP_CONCAT(x ORDER BY id SEPARATOR '') FROM g;
SELECT GROUP_CONCAT(x ORDER BY id SEPARATOR '') FROM g WHERE id = 1;
SELECT GROUP_CONCAT(x ORDER BY id SEPARATOR '') FROM g GROUP BY id DIV 2;
SET group_concat_max_len = DEFAULT;
DROP TABLE g;
-- Geometries behind one that is of another kind are not looked at.
SELECT MULTIPOINT(ST_GEOMFROMTEXT('LINESTRING(0 0,0 4,4 4,4 0,0 0)'), POINT('a', 1));
SELECT MULTIPOINT(POINT('b', 1), ST_GEOMFROMTEXT('LINESTRING(0 0,0 4)'), POINT('a', 1));
SELECT MULTILINESTRING(POINT(1, 1), LINESTRING(POINT('a', 1), POINT('b', 1)));
-- Base64 in characters of several bytes.
SELECT FROM_BASE64(CONVERT('YWJj' USING utf16)), FROM_BASE64(CONVERT('YWJj' USING ucs2)), FROM_BASE64(CONVERT('abc ' USING utf32));
SELECT FROM_BASE64(CONVERT('YWJé' USING utf16));
-- Seconds beyond what a time holds are told with their fraction cut.
SELECT SEC_TO_TIME(EXP(16)), SEC_TO_TIME(-9999999.99999951e0), SEC_TO_TIME(3020400.99999951e0);
-- A constant password is read though there be nothing to encode.
SELECT LENGTH(ENCODE(NULL, CAST('1e' AS TIME))), LENGTH(DECODE(NULL, CAST('1e' AS TIME)));
-- Parts of texts: digits are a date where days are asked for, whatever letters follow; punctuation ends that, as do the
-- bytes that are punctuation in latin1.
SELECT EXTRACT(DAY FROM '20200101A'), EXTRACT(DAY_HOUR FROM '20200101A'), EXTRACT(HOUR FROM '20200101A');
SELECT EXTRACT(DAY FROM '20200101A20200101A'), EXTRACT(DAY FROM '20200101 A'), EXTRACT(DAY FROM '20200101é');
SELECT EXTRACT(DAY FROM '20201301AAA'), EXTRACT(DAY FROM '12A'), EXTRACT(DAY_HOUR FROM '12A'), EXTRACT(DAY FROM '12A2');
SELECT EXTRACT(DAY FROM '-20200101A'), EXTRACT(DAY FROM '+20200101'), EXTRACT(DAY FROM '1 A'), EXTRACT(DAY FROM '1 A2');
SELECT CAST('1 1A' AS TIME), CAST('1 1A2' AS TIME), CAST('1 12A' AS TIME), TIME('12 .5'), TIME('12 . '), TIME('1 12 .5');
SELECT CAST('20200101é' AS DATE), CAST('20200101Á' AS DATE), CAST('20200101 ÷' AS DATE), TIME('20200101101112é');
-- Dates in characters of several bytes end with the first that is not ASCII, or the thirty-first.
SELECT CAST(CONVERT('20200101Aé2' USING utf16) AS DATE), CAST(CONVERT('20200101Aa2' USING utf16) AS DATE);
SELECT CAST(CONVERT('20200101aaaaaaaaaaaaaaaaaaaaaaa2' USING utf16) AS DATE), CAST(CONVERT('20200101aaaaaaaaaaaaaaaaaaaaaa2' USING utf16) AS DATE);
SELECT EXTRACT(DAY FROM CONVERT('20200101A😀20200101A😀' USING utf16));
-- The greatest and least label that an index holds is text, as it is elsewhere.
CREATE TABLE e (id INT PRIMARY KEY, e ENUM('a','B','c d',''), g INT, KEY (e), KEY (g, e));
INSERT INTO e VALUES (1, '', 1), (2, '', 2), (3, 'B', 2);
SELECT MAX(e) * 3, MIN(e) + 0.5, ABS(MAX(e)) FROM e;
SELECT MAX(e), MIN(e), MAX(e) = 4, MAX(e) = '' FROM e;
SELECT MAX(e) + 0 FROM e WHERE g = 2;
DROP TABLE e;
-- Of a key that is there twice nothing is said where another one cannot be.
CREATE TABLE k (id INT PRIMARY KEY, a INT, b VARCHAR(10), KEY (b, a));
ALTER TABLE k ADD KEY k4 (b), DROP COLUMN a, ADD UNIQUE KEY k8 (a, c DESC);
ALTER TABLE k ADD KEY k4 (b, a), ADD KEY k4 (b, a);
CREATE TABLE l (a INT, KEY a (a), KEY b (a), KEY c (a(5)));
ALTER TABLE k ADD KEY k4 (b, a);
DROP TABLE k;
-- A row that ALTER IGNORE leaves out for a CHECK gives its number to the next one.
SET sql_mode = '';
CREATE TABLE c (id INT PRIMARY KEY, a DATETIME NOT NULL);
INSERT INTO c VALUES (4, '2024-06-15 12:30:45'), (3, '2001-01-01');
ALTER IGNORE TABLE c MODIFY a BIT(3), ADD COLUMN n INT DEFAULT 3 CHECK (n > 5);
SELECT * FROM c;
DROP TABLE c;
SET sql_mode = DEFAULT;
-- Spaces behind a number are cut from texts with a note, from bytes with a warning, or an error in strict mode.
CREATE TABLE s (d DECIMAL(5,1), f DOUBLE, y YEAR, i BIGINT, t TIME);
SET sql_mode = '';
INSERT INTO s VALUES (_binary' 7 ', CAST(' 7 ' AS BINARY), x'203720', CAST('7' AS BINARY(3)), _binary' 7 ');
INSERT INTO s VALUES (' 7 ', '7 ', ' 7 ', '7  ', ' 7 ');
SET sql_mode = DEFAULT;
INSERT INTO s (d) VALUES (_binary' 7 ');
INSERT INTO s (f) VALUES (_binary' 7 ');
INSERT INTO s (y) VALUES (_binary' 7 ');
INSERT INTO s (i) VALUES (_binary' 7 ');
INSERT INTO s (t) VALUES (_binary' 7 ');
SELECT _binary' 7 ' + 0, CAST(_binary' 7 ' AS DECIMAL(5,1)), CAST(_binary' 7 ' AS SIGNED), _binary' 7 ' = 7;
SELECT * FROM s;
DROP TABLE s;
-- Rows without a primary key are copied in the order of their first unique key.
CREATE TABLE u (id INT NOT NULL UNIQUE, c VARCHAR(10));
INSERT INTO u VALUES (7, 'abcd'), (6, 'abcd'), (5, 'abcdefg'), (4, 'abcdefgh'), (3, 'x');
SET sql_mode = '';
ALTER TABLE u MODIFY c VARCHAR(5);
ALTER TABLE u ADD a INT AUTO_INCREMENT PRIMARY KEY;
SET sql_mode = DEFAULT;
SELECT * FROM u ORDER BY id;
DROP TABLE u;
CREATE TEMPORARY TABLE u (id INT NOT NULL UNIQUE, c VARCHAR(10));
INSERT INTO u VALUES (7, 'abcd'), (6, 'abcd'), (5, 'abcdefg'), (4, 'abcdefgh'), (3, 'x');
ALTER TABLE u ADD a INT AUTO_INCREMENT PRIMARY KEY;
SELECT * FROM u ORDER BY id;
DROP TABLE u;
CREATE TABLE u (id INT UNIQUE, c VARCHAR(10) NOT NULL, UNIQUE (c));
INSERT INTO u VALUES (7, 'b'), (6, 'c'), (NULL, 'a');
DELETE FROM u WHERE id = 6;
UPDATE u SET c = 'd' WHERE c = 'a';
ALTER TABLE u ADD a INT AUTO_INCREMENT PRIMARY KEY;
SELECT * FROM u ORDER BY c;
DROP TABLE u;
-- Doubles in few characters: without an exponent where that shows as many digits as one would leave room for.
CREATE TABLE w (a CHAR(1), b CHAR(2), c CHAR(3), d CHAR(4), e CHAR(5), f CHAR(6), g VARCHAR(7), h VARBINARY(8), i TINYTEXT);
SET sql_mode = '';
INSERT INTO w VALUES (-2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3);
INSERT INTO w VALUES (2.5e-3, 2.5e-3, 2.5e-3, 2.5e-3, 2.5e-3, 2.5e-3, 2.5e-3, 2.5e-3, 2.5e-3);
INSERT INTO w VALUES (-0.6e0, -0.6e0, -0.6e0, -0.6e0, -0.6e0, -0.6e0, -0.6e0, -0.6e0, -0.6e0);
INSERT INTO w VALUES (-0.06e0, -0.06e0, -0.06e0, -0.06e0, -0.06e0, -0.06e0, -0.06e0, -0.06e0, -0.06e0);
INSERT INTO w VALUES (12.34e0, 12.34e0, 12.34e0, 12.34e0, 12.34e0, 12.34e0, 12.34e0, 12.34e0, 12.34e0);
INSERT INTO w VALUES (-9.995e2, -9.995e2, -9.995e2, -9.995e2, -9.995e2, -9.995e2, -9.995e2, -9.995e2, -9.995e2);
INSERT INTO w VALUES (-1.5e20, -1.5e20, -1.5e20, -1.5e20, -1.5e20, -1.5e20, -1.5e20, -1.5e20, -1.5e20);
INSERT INTO w VALUES (1.23e-5, 1.23e-5, 1.23e-5, 1.23e-5, 1.23e-5, 1.23e-5, 1.23e-5, 1.23e-5, 1.23e-5);
SELECT * FROM w;
SET sql_mode = DEFAULT;
INSERT INTO w (c) VALUES (-2.5e-3);
INSERT INTO w (e) VALUES (-2.5e-3);
DROP TABLE w;
-- Bytes without any are no number as a condition either; in a column that a window puts aside nothing is said of them.
CREATE TABLE y (id INT PRIMARY KEY, b BLOB, v VARBINARY(10), c VARCHAR(10), x TEXT, f FLOAT, f2 FLOAT(8,2));
INSERT INTO y VALUES (1, '', '', '', '', 12345.678, 12345.678);
SELECT IF(b, 1, 2), v IS TRUE, CASE WHEN CONCAT(v) THEN 1 END, b XOR 1, NOT CAST(c AS BINARY) FROM y;
SELECT 1 FROM y WHERE CAST(c AS BINARY);
SELECT IF(x'', 1, 2), IF(_binary'', 1, 2);
SELECT BIT_OR(b) OVER (), SUM(x) OVER (), AVG(CONCAT(x)) OVER () FROM y;
SELECT BIT_OR(v) OVER (), SUM(c) OVER () FROM y;
SELECT LAG('100:00:00.5' + INTERVAL 7 MINUTE, 2) OVER (ORDER BY id) FROM y;
-- What is added to a time: a FLOAT is what it shows, digits that might be a date are none.
SELECT SUBTIME('12:30', f), ADDTIME('12:30', f2), ADDTIME('1:00', -f) FROM y;
SELECT SUBTIME('00:00:00', '000000000016'), SUBTIME('00:00:00', '00000000016'), ADDTIME('00:00:00', '000000000016 '), ADDTIME('00:00:00', '-000000000016x');
-- DECODE says that there is no such time.
SELECT DECODE_ORACLE(TIME('10:00:00'), 'a', 7, 3.14159), DECODE_ORACLE(TIME('00:00:00'), 'a', 7, 3.14159), DECODE_ORACLE(TIME(NULL), '1a', 7, 3.14159);
-- The documents of JSON_EQUALS end with a zero byte.
SELECT JSON_EQUALS('{}', '{}\0'), JSON_EQUALS('1\0x', '1'), JSON_EQUALS('{}', x'00'), JSON_EQUALS('{}', '[1,\0]'), JSON_EQUALS(POINT(1, 2), '{}');
DROP TABLE y;
-- Why a view cannot be read is told where a table is made of it, too.
CREATE TABLE q (a INT);
CREATE VIEW qv AS SELECT 2 AS r0 FROM q;
DROP TABLE q;
CREATE TABLE r AS SELECT * FROM qv;
CREATE TABLE r (x INT) AS (SELECT 1) EXCEPT (SELECT * FROM qv);
DROP VIEW qv;
-- Text among numbers of a query is read as a number, and told of; of a query without rows nothing is.
CREATE TABLE m (id INT PRIMARY KEY, s VARCHAR(10));
INSERT INTO m VALUES (1, '1x');
CREATE TABLE o (d DECIMAL(5,1), i INT, f DOUBLE, x VARCHAR(10));
SELECT s NOT IN (SELECT i FROM o) FROM m;
INSERT INTO o VALUES (7, 7, 7, '2z');
SELECT s NOT IN (SELECT d FROM o) FROM m;
SELECT s IN (SELECT i FROM o) FROM m;
SELECT id FROM m WHERE s NOT IN (SELECT f FROM o);
SELECT id FROM m WHERE id NOT IN (SELECT x FROM o);
SELECT '12abc' NOT IN (SELECT i FROM o);
DROP TABLE m, o;
