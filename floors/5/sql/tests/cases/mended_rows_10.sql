-- Rows that random statements showed to differ, each with a small statement that shows it.
CREATE DATABASE rows_10 CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE rows_10;

-- The year zero that a subquery finds is the number 0.
SET sql_mode = '', time_zone = '+00:00', timestamp = 1600000000;
CREATE TABLE years (id INT PRIMARY KEY, y YEAR, z INT(5) ZEROFILL);
INSERT INTO years VALUES (1, 0, 3), (2, 2001, 7);
SELECT (SELECT y), (SELECT z), (SELECT y FROM years x WHERE id = years.id), CONCAT((SELECT y)), CONCAT(y) FROM years;
CREATE TABLE found AS SELECT (SELECT y), (SELECT y FROM years x WHERE id = 1) FROM years;
SELECT * FROM found;
-- What CONVERT_TZ tells is a date to everybody.
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT CONVERT_TZ(CONVERT_TZ(FROM_DAYS(-1), '-11:00', '-03:00'), '+01:00', 'SYSTEM');
SELECT DATE(CONVERT_TZ(FROM_DAYS(-id), '+00:00', '+01:00')), CAST(CONVERT_TZ(FROM_DAYS(-id), '+00:00', '+01:00') AS DATETIME), DATE_ADD(CONVERT_TZ(FROM_DAYS(-id), '+00:00', '+01:00'), INTERVAL 1 DAY) FROM years;
-- Text that was chosen among bytes is bytes to UNION and to columns.
SET sql_mode = '';
CREATE TABLE bytes (id INT PRIMARY KEY, l VARCHAR(30) CHARACTER SET latin1, b VARBINARY(20), u VARCHAR(20) CHARACTER SET utf8mb4);
INSERT INTO bytes VALUES (1, CASE WHEN 0 THEN x'01020304' ELSE _utf8mb4'ﬁn' END, CASE WHEN 0 THEN x'01020304' ELSE _utf8mb4'ﬁn' END, CASE WHEN 0 THEN x'01020304' ELSE _utf8mb4'ﬁn' END);
INSERT INTO bytes SELECT 2, COALESCE(_latin1 x'e9', x'01'), COALESCE(_latin1 x'e9', x'01'), COALESCE(_latin1 x'e9', x'01');
SELECT id, HEX(l), HEX(b), HEX(u) FROM bytes;
SELECT CASE WHEN 0 THEN x'01020304' ELSE _utf8mb4'ﬁn' END c UNION ALL SELECT l FROM bytes WHERE id = 1;
SELECT HEX(c) FROM (SELECT COALESCE(_latin1 x'e9', x'01') c UNION SELECT u FROM bytes WHERE id = 1) d;
-- JSON_UNQUOTE takes bytes from under what lays documents out, unread.
SELECT HEX(JSON_UNQUOTE(JSON_COMPACT(POINT(1, 1)))), HEX(JSON_UNQUOTE(JSON_LOOSE(JSON_COMPACT(x'efac81')))), JSON_UNQUOTE(JSON_COMPACT('"a"'));
-- EXISTS is true in a document of bytes, beside a column's text too.
CREATE TABLE documents (id INT PRIMARY KEY, t TIME, j JSON);
INSERT INTO documents VALUES (1, '10:11:12', '[1]');
SELECT JSON_OBJECT('b', (SELECT s.j FROM documents s WHERE s.id = documents.id), CAST(t AS BINARY), EXISTS (SELECT 1 FROM years)), JSON_OBJECT('b', (SELECT s.j FROM documents s WHERE s.id = documents.id), 'a', EXISTS (SELECT 1 FROM years)) FROM documents;
-- A constant that is cast to text is a whole number beside exact ones (wrong rows).
CREATE TABLE wholes (id INT, b BIGINT, d DECIMAL(10,1), k INT PRIMARY KEY);
INSERT INTO wholes VALUES (2, 2, 1.5, 1), (3, 3, 3, 2);
SELECT id + 0 = CAST('1.5' AS CHAR), b = CAST('1.5' AS BINARY(3)), id < CAST('2.4' AS CHAR), d * 2 = CAST('3.01' AS CHAR), d = CAST('1.5' AS CHAR), id IN (CAST('1.5' AS CHAR)), id IN (CAST('1.5' AS CHAR), '7'), (id, 1) = (CAST('1.5' AS CHAR), 1), NULLIF(id, CAST('1.5' AS CHAR)), id = CONCAT('1.5'), id + 0e0 = CAST('1.5' AS CHAR), id BETWEEN CAST('2.4' AS CHAR) AND 7, CASE id WHEN CAST('1.5' AS CHAR) THEN 1 END, id = CAST(id AS CHAR), id = BINARY '1.5' FROM wholes;
SELECT k FROM wholes WHERE k = CAST('1.5' AS CHAR);
SELECT k FROM wholes WHERE k > CAST('1.5' AS CHAR);
SELECT k FROM wholes GROUP BY k HAVING COUNT(*) = CAST(0.5 AS BINARY(6));
-- Decimals of columns have no group of digits in dynamic columns where nothing is before the point; what subqueries find has the digits of what they list.
SELECT HEX(COLUMN_CREATE('b', d)), HEX(COLUMN_CREATE('b', d / 10)), HEX(COLUMN_CREATE('b', ABS(d))), HEX(COLUMN_CREATE('b', (SELECT d FROM wholes x WHERE k = 1))), HEX(COLUMN_CREATE('b', (SELECT AVG(id) FROM wholes))), HEX(COLUMN_CREATE('b', (SELECT SUM(d) FROM wholes))) FROM wholes;
UPDATE wholes SET d = d / 10;
SELECT HEX(COLUMN_CREATE('b', d)), HEX(COLUMN_CREATE('b', (SELECT MIN(d) FROM wholes))), HEX(COLUMN_CREATE('b', (SELECT 1.5 FROM wholes LIMIT 1))) FROM wholes;
SELECT HEX(COLUMN_CREATE('b', SUM(d))), HEX(COLUMN_CREATE('b', AVG(d))), HEX(COLUMN_CREATE('b', MAX(d))) FROM wholes WHERE k = 1;
-- What a temporary table keeps of a text is as long as its column.
SELECT UPPER(1e10) UNION SELECT -128;
SELECT REVERSE(1e10) UNION SELECT -128;
-- FORMAT of BIT has room for as many digits as its greatest number has.
CREATE TABLE bits (a BIT(1), b BIT(5), c BIT(9), d BIT(64));
CREATE TABLE formatted AS SELECT FORMAT(a, 5), FORMAT(b, 5, 'de_DE'), FORMAT(b, 0), FORMAT(c, 5), FORMAT(d, 5), FORMAT(d, 0) FROM bits;
SHOW CREATE TABLE formatted;
-- Pieces of what DECODE gives, and of text that was chosen among bytes, are cut at the text's characters.
SELECT HEX(RIGHT(DECODE('20200101', 'a_c'), 2)), HEX(LEFT(DECODE('20200101', 'a_c'), 6)), HEX(REVERSE(DECODE('20200101', 'a_c'))), HEX(SUBSTR(DECODE('20200101', 'a_c'), 6)), HEX(SUBSTR(DECODE('20200101', 'a_c'), -2)), CHAR_LENGTH(DECODE('20200101', 'a_c')), HEX(INSERT(DECODE('20200101', 'a_c'), 6, 1, 'zz'));
SELECT HEX(RIGHT(COALESCE(_utf8mb4'aß', x'dfdf9823'), 1)), HEX(REVERSE(CASE WHEN 1 THEN _utf8mb4'aß' ELSE x'00' END));
-- Errors show casts to addresses and UUIDs with their type.
SELECT GROUP_CONCAT(CAST('123e4567-e89b-12d3-a456-426655440000' AS UUID), 'x' ORDER BY k LIMIT 3) * 100 FROM wholes;
SELECT GROUP_CONCAT(CAST('1e308' AS CHAR), CAST('::1' AS INET6)) * 100 FROM wholes WHERE k = 1;
-- What lists of NULLs are joined of has no collation of its own.
SELECT JSON_ARRAYAGG(NULL) > 'x', JSON_ARRAYAGG(NULL ORDER BY k LIMIT 2) < 'x', COERCIBILITY(JSON_ARRAYAGG(NULL)), COERCIBILITY(GROUP_CONCAT(NULL)), COERCIBILITY(JSON_OBJECTAGG('a', NULL)) FROM wholes;
SELECT MAX(k) FROM wholes HAVING JSON_ARRAYAGG(NULL) > 'x';
-- Texts that NULL is compared with go with one another.
CREATE TABLE texts (id INT, c VARCHAR(5));
SELECT CASE NULL WHEN c COLLATE utf8mb4_bin THEN id WHEN c COLLATE utf8mb4_general_ci THEN 1 END FROM texts;
SELECT CASE NULL WHEN 1 THEN id WHEN c COLLATE utf8mb4_bin THEN id WHEN c COLLATE utf8mb4_general_ci THEN 1 END FROM texts;
SELECT CASE NULL WHEN c COLLATE utf8mb4_bin THEN id WHEN c THEN 1 END, CASE id WHEN c COLLATE utf8mb4_bin THEN id WHEN c COLLATE utf8mb4_general_ci THEN 1 END FROM texts;
SELECT DECODE_ORACLE(NULL, _utf16 x'0041D83DDE00', id, 'straße', -1.25) FROM texts;
-- Of a NULL that is computed a generated column says that it takes no note.
SET sql_mode = '';
CREATE TABLE generated (id INT PRIMARY KEY, n TINYTEXT AS (1));
INSERT INTO generated VALUES (1, NULLIF(NULL, 'm%'));
INSERT INTO generated VALUES (2, NULL), (3, DEFAULT), (4, (SELECT NULL));
REPLACE INTO generated VALUES (2, 1 + NULL);
UPDATE generated SET n = COALESCE(NULL);
UPDATE generated SET n = NULL;
-- No constant among dates is asked for its digits beforehand.
SELECT GREATEST(STR_TO_DATE('b', '%Y-%m-%d'), ADDDATE(1, 10)), LEAST(DATE('2001-01-01'), ADDDATE(1, 10), ADDDATE(2, 10)), GREATEST(TIMESTAMP('2001-01-01'), ADDDATE(1, 10));
-- DISTINCT is forgotten where the rows of a group differ in a unique key: the groups of ROLLUP are summed up as they are.
CREATE TABLE keyed (a INT NOT NULL, b INT NOT NULL, c INT, d INT, v VARCHAR(5), UNIQUE(a, b), UNIQUE(c));
INSERT INTO keyed VALUES (1, 1, 1, 1, '1x'), (1, 2, 2, 1, '2'), (2, 1, 3, 1, 'y'), (2, 2, 4, 2, '2');
SELECT a, b, SUM(DISTINCT 5), COUNT(DISTINCT d), AVG(DISTINCT d), GROUP_CONCAT(DISTINCT d) FROM keyed GROUP BY a, b WITH ROLLUP;
SELECT b, a, SUM(DISTINCT d) FROM keyed GROUP BY b, a WITH ROLLUP;
SELECT a, SUM(DISTINCT b), SUM(DISTINCT b + 0), COUNT(DISTINCT d + 0, b) FROM keyed GROUP BY a WITH ROLLUP;
SELECT c, SUM(DISTINCT d) FROM keyed GROUP BY c WITH ROLLUP;
SELECT SUM(DISTINCT v) FROM keyed GROUP BY a, b;
SELECT SUM(DISTINCT v) FROM keyed GROUP BY d;
SELECT x.a, x.b, SUM(DISTINCT x.d) FROM keyed x JOIN keyed y ON y.a = 1 AND y.b = 2 GROUP BY x.a, x.b WITH ROLLUP;
SELECT x.a, x.b, SUM(DISTINCT x.d) FROM keyed x JOIN keyed y ON y.c = x.c GROUP BY x.a, x.b WITH ROLLUP;
-- Keys have a constant that is cast to text as it is, conditions as a whole number.
CREATE TABLE bounded (id INT PRIMARY KEY, d DECIMAL(5,1), i INT, KEY(d), KEY(i));
INSERT INTO bounded VALUES (1, 1.5, 1), (2, 2.0, 2), (3, 3.0, 3), (4, 2.4, 4);
SELECT id FROM bounded WHERE d = CAST('1.5' AS CHAR);
SELECT id FROM bounded WHERE d <=> CAST('1.5' AS CHAR);
SELECT id FROM bounded WHERE d = CAST('2' AS CHAR);
SELECT id FROM bounded WHERE d = CAST('2.06' AS CHAR);
SELECT id FROM bounded FORCE INDEX (d) WHERE d >= CAST('2.06' AS CHAR) ORDER BY id;
SELECT id FROM bounded FORCE INDEX (d) WHERE d <= CAST('1.96' AS CHAR) ORDER BY id;
SELECT id FROM bounded WHERE i >= CAST('2.4' AS CHAR) ORDER BY id;
SELECT id FROM bounded WHERE i <= CAST('2.6' AS CHAR) ORDER BY id;
SELECT id FROM bounded WHERE id >= CAST('2.4' AS CHAR) ORDER BY id;
SELECT id FROM bounded WHERE id > CAST('2.6' AS CHAR) ORDER BY id;
SELECT id FROM bounded IGNORE INDEX (d) WHERE d = CAST('1.5' AS CHAR);
-- A number of several sources has room for the longest before its point.
CREATE TABLE numbers (b BIGINT, u BIGINT UNSIGNED, i INT, d4 DOUBLE(4,0), d42 DOUBLE(4,2), n DECIMAL(5,0), m DECIMAL(5,1), z INT(3) ZEROFILL);
CREATE TABLE made AS SELECT IFNULL(NULL + 9, TIMESTAMPDIFF(DAY, b, b)) x0, IFNULL(d4, u) x1, IFNULL(d4, i) x2, IFNULL(d42, b) x3, IFNULL(d42, n) x4, IFNULL(d42, m) x5, IFNULL(d42, 555555) x6, IFNULL(d4, -i) x7, IFNULL(d42, d4) x8, COALESCE(d4, b, u) x9, IFNULL(d4, z) x10 FROM numbers;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT d4 x0, d42 x1, d4 x2, d4 x3 FROM numbers UNION SELECT b, i, u, m FROM numbers;
SHOW CREATE TABLE made;
-- The day before the calendar is one to who compares.
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT MAX(FROM_DAYS(0)), MAX(FROM_DAYS(id - id)), COUNT(FROM_DAYS(0)), MAX(DATE(FROM_DAYS(0))), MAX(IF(1, FROM_DAYS(0), DATE'2001-01-01')), MAX(CASE 1 WHEN 1 THEN FROM_DAYS(0) END) FROM bounded;
SELECT id, MAX(FROM_DAYS(0)) OVER (ORDER BY id), MIN(FROM_DAYS(0)) OVER (), MAX(DATE(FROM_DAYS(0))) OVER (), LAG(FROM_DAYS(0)) OVER (ORDER BY id) FROM bounded;
SET sql_mode = 'STRICT_TRANS_TABLES';
-- What a constant makes true is no condition.
SELECT d FROM keyed WHERE v + 1 > 5 OR 1 = 1;
SELECT d FROM keyed WHERE (v + 1 > 5 OR 'abc' IS NOT NULL) AND d = 2;
SELECT d FROM keyed WHERE v + 1 > 5 OR (d > 1 AND 1);
SELECT d FROM keyed WHERE NOT (v + 1 > 5 AND 0);
UPDATE keyed SET d = 3 WHERE v + 1 > 5 OR 1;
DELETE FROM keyed WHERE v + 1 > 5 OR (v + 2 > 5 OR 2 IN (1, 2));
-- A key that is added in its place, without checks, to a column that has no index is held against the parent's later on.
SET foreign_key_checks = 0;
CREATE TABLE parent (id INT PRIMARY KEY, e INT);
CREATE TABLE child (id INT PRIMARY KEY, c DOUBLE, d DOUBLE, v VARCHAR(5), KEY (d));
ALTER TABLE child ADD FOREIGN KEY (c) REFERENCES parent (id) ON DELETE RESTRICT;
ALTER TABLE child ADD CONSTRAINT named FOREIGN KEY (v) REFERENCES parent (id);
ALTER TABLE child ADD FOREIGN KEY (d) REFERENCES parent (id);
ALTER TABLE child ADD FOREIGN KEY (c) REFERENCES parent (e);
SET foreign_key_checks = 1, sql_mode = '';
SELECT CONCAT(JSON_UNQUOTE(@unset), CONVERT(' x' USING latin1)), CONCAT(JSON_UNQUOTE(@unset), 'x');
-- Groups that an index has in their order are put aside in no table: their means have all their digits.
CREATE TABLE indexed (id INT PRIMARY KEY, c INT, g INT, h INT, KEY (g, h));
INSERT INTO indexed VALUES (7, 11, 1, 1), (2, 3, 2, 1), (5, 7, 1, 2), (9, 13, 3, 3), (10, 17, 2, 2), (11, 3, 4, 4);
SELECT g, AVG(id / c), GREATEST(AVG(id / c), 0.5) FROM indexed GROUP BY g ORDER BY g;
SELECT g, AVG(id / c) FROM indexed WHERE c > 2 GROUP BY g HAVING AVG(id / c) > 0.1 ORDER BY AVG(id / c);
SELECT g, h, AVG(id / c) FROM indexed GROUP BY g, h ORDER BY g, h;
SELECT g, h, AVG(id / c) FROM indexed GROUP BY h, g ORDER BY g, h;
SELECT h, AVG(id / c) FROM indexed WHERE g = 1 GROUP BY h ORDER BY h;
SELECT g, AVG(id / c) FROM indexed WHERE g > 1 GROUP BY g ORDER BY g;
SELECT g, AVG(id / c) FROM indexed WHERE id > 2 GROUP BY g ORDER BY g;
SELECT g, AVG(id / c) FROM indexed IGNORE INDEX (g) GROUP BY g ORDER BY g;
SELECT DISTINCT AVG(id / c) FROM indexed GROUP BY g ORDER BY g;
-- Of a day that its month does not have the time is handed on.
SELECT TIME(TIMESTAMP('2020-02-30 10:11:12')), TIME(CAST('2020-02-30 10:11:12.7' AS DATETIME)), TIME(DATE('2020-02-30')), HOUR(TIMESTAMP('2020-02-30 10:11:12')), TIME_TO_SEC(TIMESTAMP('2020-02-30 10:11:12')), DATE(TIMESTAMP('2020-02-30')), TIME(TIMESTAMP('2020-13-30'));
-- No strict mode is asked of what keys are made of.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE texts_of (id INT PRIMARY KEY, c VARCHAR(10), n INT);
INSERT INTO texts_of VALUES (8, 'qwertz', NULL), (9, '5', NULL);
CREATE TABLE numbers_of (id INT PRIMARY KEY, c TINYINT UNIQUE);
INSERT INTO numbers_of VALUES (1, 1), (2, 2), (5, 5);
CREATE TABLE looked_up (a INT, b VARCHAR(10));
INSERT INTO looked_up VALUES (1, (SELECT MAX(a.c) FROM texts_of a LEFT JOIN numbers_of b USING (c)));
INSERT INTO looked_up SELECT b.id, a.c FROM texts_of a LEFT JOIN numbers_of b ON b.id = a.c;
SELECT * FROM looked_up ORDER BY a, b;
SET sql_mode = '';
-- Different rows in the order in which they are found: LIMIT ends the reading.
CREATE TABLE read_few (id INT PRIMARY KEY, v VARCHAR(5), n INT);
INSERT INTO read_few VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 2), (4, 'd', 1), (5, 'e', 3);
SELECT DISTINCT v + 0 FROM read_few ORDER BY id LIMIT 1;
SELECT DISTINCT v + 0 FROM read_few ORDER BY id DESC LIMIT 1;
SELECT DISTINCT v + 0, n FROM read_few WHERE id > 1 ORDER BY id LIMIT 1, 1;
SELECT DISTINCT n FROM read_few ORDER BY id DESC LIMIT 2;
SELECT DISTINCT n FROM read_few ORDER BY id LIMIT 5;
-- What is empty of CHAR(0) has no digits.
CREATE TABLE nothing_in AS SELECT '' r2;
SELECT CASE WHEN 1 THEN r2 ELSE r2 END r0 FROM nothing_in;
-- FIND_IN_SET pads nothing: spaces at its end make a member another.
SELECT FIND_IN_SET('a', 'a ,b,a'), FIND_IN_SET('a ', 'a,b'), FIND_IN_SET('', '  '), FIND_IN_SET('', ' ,'), FIND_IN_SET('A', 'a ,b,a'), FIND_IN_SET('', ','), FIND_IN_SET('', 'a,'), FIND_IN_SET('', ''), FIND_IN_SET(1, '1 ,1');
SELECT FIND_IN_SET('a ' COLLATE utf8mb4_unicode_ci, 'a,b,a ,a  '), FIND_IN_SET('' COLLATE utf8mb4_unicode_ci, ' ,b,a ,,a  '), FIND_IN_SET(_latin1'a' COLLATE latin1_bin, _latin1'a ,b'), FIND_IN_SET(_latin1'a' COLLATE latin1_swedish_ci, _latin1'a ,a'), FIND_IN_SET('a' COLLATE utf8mb4_nopad_bin, 'a ,b,a');
SET sql_mode = 'PAD_CHAR_TO_FULL_LENGTH';
CREATE TABLE padded (id INT PRIMARY KEY, v VARCHAR(60), c CHAR(3) CHARACTER SET latin1 COLLATE latin1_bin);
INSERT INTO padded VALUES (1, '%', '12'), (2, '', ''), (3, 'a', 'a'), (4, 'a', 'b,a');
SELECT id, FIND_IN_SET(v, c), FIND_IN_SET('', c), FIND_IN_SET(c, 'a  ,b'), FIND_IN_SET(_latin1'a  ', c), FIND_IN_SET(c, v) FROM padded;
CREATE TABLE sets (s SET('x', 'y z'));
INSERT INTO sets VALUES ('x');
SELECT FIND_IN_SET('x', s), FIND_IN_SET('x ', s), FIND_IN_SET('X', s) FROM sets;
SET sql_mode = '';
-- What is longer than all members FIND_IN_SET does not even compare.
SELECT FIND_IN_SET('ä', 'a'), FIND_IN_SET('ä', 'a,b'), FIND_IN_SET('a', 'ä');
-- Constant floats are doubles to windows.
SELECT id, LAG(CAST(-2.5e-3 AS FLOAT)) OVER (ORDER BY id), FIRST_VALUE(CAST(0.1 AS FLOAT)) OVER (ORDER BY id), MAX(CAST(0.1 AS FLOAT)) OVER (ORDER BY id), LAG(CAST(id * 0.1 AS FLOAT)) OVER (ORDER BY id) FROM padded;
-- The year 0 is the number 0 where it is no date.
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
CREATE TABLE years_of (y YEAR NOT NULL);
INSERT INTO years_of VALUES (0), (1999);
SELECT y FROM years_of WHERE DATE(y);
SELECT DATE(y), LAST_DAY(y) FROM years_of;
-- Parts of a day of YEAR are those of as many hours.
SET sql_mode = '';
INSERT INTO years_of VALUES (2030), (2155);
SELECT y, EXTRACT(DAY FROM y), EXTRACT(HOUR FROM y), EXTRACT(MINUTE FROM y), EXTRACT(DAY_SECOND FROM y), EXTRACT(DAY_MICROSECOND FROM y), EXTRACT(HOUR_MINUTE FROM COALESCE(y, y)), EXTRACT(YEAR FROM y), EXTRACT(MONTH FROM y), EXTRACT(YEAR_MONTH FROM y), HOUR(y), DAY(y) FROM years_of;
SELECT EXTRACT(DAY FROM MAX(y)), EXTRACT(DAY FROM (SELECT MIN(y) FROM years_of)) FROM years_of;
-- Doubles of a union have the digits of its column, rounded apart from their whole part.
CREATE TABLE rounded (id INT PRIMARY KEY, c DECIMAL(30, 10), d DOUBLE(10, 3), e DOUBLE(20, 9), f FLOAT(8, 4));
INSERT INTO rounded VALUES (1, -2.5e-3, -1.003, -0.0035, -0.0025), (2, 12345.6789, -1234.567, -0.0000035, -3.123);
SELECT x * 1000000000000 FROM (SELECT c x FROM rounded UNION SELECT d FROM rounded) t;
SELECT x * 1000000000000 FROM (SELECT c x FROM rounded UNION ALL SELECT d FROM rounded) t;
SELECT x * 1000000000000 FROM (SELECT c x FROM rounded EXCEPT SELECT d FROM rounded) t;
SELECT x * 1000000000000 FROM (SELECT c x FROM rounded INTERSECT SELECT c FROM rounded UNION SELECT e FROM rounded) t;
SELECT x * 1000000000000 FROM (SELECT e x FROM rounded UNION ALL SELECT e FROM rounded) t;
SELECT x * 1000000000000 FROM (SELECT f x FROM rounded UNION ALL SELECT c FROM rounded) t;
SELECT x * 1000000000000 FROM (SELECT f x FROM rounded UNION ALL SELECT f FROM rounded) t;
-- JSON_EXTRACT does not know again what it found in wide characters, and compares keys by their bytes.
SELECT JSON_EXTRACT(CONVERT('["x", 1]' USING utf32), '$.a', '$'), JSON_EXTRACT(CONVERT('[1, 2]' USING utf32), '$[0]'), JSON_EXTRACT(CONVERT('[1, 2]' USING ucs2), '$[*]'), JSON_EXTRACT(CONVERT('1' USING utf16), '$');
SELECT JSON_EXTRACT(CONVERT('[1, 2]' USING utf16), '$[2]'), JSON_EXTRACT(CONVERT('{"a": 1}' USING utf16), '$.a'), JSON_EXTRACT(CONVERT('{"a": 1}' USING utf16), CONVERT('$.a' USING utf16)), JSON_EXTRACT('{"a": 1}', CONVERT('$.a' USING utf16));
SELECT JSON_EXTRACT(CONVERT('[7, {"a": 1}]' USING utf16), '$[0]') + 1, JSON_EXTRACT(CONVERT('[7, {"a": 1}]' USING utf16), '$[1].a') + 1, JSON_EXTRACT(CONVERT('[7]' USING utf16), '$[0]') = 7, JSON_EXTRACT(CONVERT('["x"]' USING utf16), '$[0]') = 'x';
SELECT JSON_EXTRACT(CONVERT('{"ß": 1}' USING latin1), '$.ß'), JSON_EXTRACT(CONVERT('{"ß": 1}' USING utf8mb3), '$.ß'), JSON_EXTRACT(CONVERT('{"ß": 1}' USING latin1), CONVERT('$.ß' USING latin1)), JSON_CONTAINS_PATH(CONVERT('{"ß": 1}' USING latin1), 'one', '$.ß'), JSON_VALUE(CONVERT('{"ß": 1}' USING latin1), '$.ß');
-- RETURNING sees all that a view has: of tables that get no row their defaults.
CREATE TABLE joined (id INT AUTO_INCREMENT PRIMARY KEY, c VARCHAR(10) DEFAULT 'q', d DATE);
CREATE VIEW joined_twice AS SELECT a.id, b.d, a.c, 1 x, b.id + 1 y, (SELECT 5) z FROM joined a JOIN joined b;
CREATE VIEW joined_once AS SELECT 1 x, id, d FROM joined;
INSERT INTO joined_twice (d) VALUES (NULL) RETURNING *;
INSERT INTO joined_twice (c) VALUES ('a'), ('b') RETURNING *;
INSERT INTO joined_twice (c) VALUES ('c') RETURNING joined_twice.*, id + 1;
INSERT INTO joined_twice (d) VALUES ('2020-02-02') RETURNING z, y, d, 1;
INSERT INTO joined_once (d) VALUES (NULL) RETURNING *, x;
-- A comparison of rows is NULL to outer joins as soon as one of their members is, and NOT makes it the opposite one.
CREATE TABLE rows_a (id INT PRIMARY KEY, n INT);
CREATE TABLE rows_b (id INT PRIMARY KEY, n INT NOT NULL);
INSERT INTO rows_a VALUES (1, 1), (2, NULL), (3, NULL);
INSERT INTO rows_b VALUES (1, 1), (2, 2), (3, 3);
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = 9 WHERE NOT ((1, a.id) = (2, b.n));
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = a.id AND b.id > 1 WHERE NOT ((1, b.n) = (2, a.id));
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = a.id AND b.id > 1 WHERE (1, b.n) <> (2, a.id);
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = a.id AND b.id > 1 WHERE (1, b.n) <> (2, a.id) OR a.id = 1;
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = 9 WHERE (a.id, b.n) > (0, 3);
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = 9 WHERE NOT ((a.id, b.n) < (0, 3));
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = 9 WHERE NOT ((1, a.id) <=> (2, b.n));
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = 9 WHERE (a.id, b.n) NOT IN ((7, 3), (8, 5));
SELECT a.id FROM rows_a a LEFT JOIN rows_b b ON b.id = 9 WHERE (a.id, 1) NOT IN ((7, 3), (8, b.n));
SELECT NOT ((1, a.id) = (2, b.n)), (1, a.id) = (2, b.n), NOT ((a.id, 1) = (1, 1)) FROM rows_a a LEFT JOIN rows_b b ON b.id = 9;
-- A column that comes to a table with an index of virtual ones has the table built anew, where it is.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE indexed_virtual (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE, c INT UNIQUE, v INT AS (c), KEY (v));
INSERT IGNORE INTO indexed_virtual (id, c) VALUES (NULL, 1), (NULL, 2), (23, 2);
ALTER TABLE indexed_virtual ADD n INT, ALGORITHM = INSTANT;
ALTER TABLE indexed_virtual ADD n INT, LOCK = NONE;
ALTER TABLE indexed_virtual ADD n INT;
SHOW CREATE TABLE indexed_virtual;
CREATE TABLE plain_virtual (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT UNIQUE, c INT UNIQUE, v INT AS (c));
INSERT IGNORE INTO plain_virtual (id, c) VALUES (NULL, 1), (NULL, 2), (23, 2);
ALTER TABLE plain_virtual ADD n INT, ALGORITHM = INSTANT;
SHOW CREATE TABLE plain_virtual;
-- RETURNING reads no view of the table, under another name neither.
CREATE VIEW view_a AS SELECT id, n FROM rows_a;
INSERT INTO rows_a VALUES (4, 23) RETURNING 1, (SELECT 1 FROM view_a v LEFT JOIN rows_b b ON 1 LIMIT 1);
INSERT INTO rows_a VALUES (5, 23) RETURNING 1, (SELECT 1 FROM view_a LIMIT 1);
INSERT INTO rows_a VALUES (6, 23) RETURNING 1, (SELECT 1 FROM rows_a v LIMIT 1);
INSERT INTO rows_a VALUES (7, 23) RETURNING 1, (SELECT 1 FROM rows_a LIMIT 1);
INSERT INTO view_a VALUES (8, 23) RETURNING 1, (SELECT 1 FROM rows_a v LIMIT 1);
INSERT INTO view_a VALUES (9, 23) RETURNING 1, (SELECT 1 FROM view_a v LIMIT 1);
SET sql_mode = '';
DROP DATABASE rows_10;
