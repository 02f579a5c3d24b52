-- Rows that random statements showed to differ, each with a small statement that shows it.
CREATE DATABASE rows_8 CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE rows_8;
SET time_zone = '+00:00', timestamp = 1600000000.123456;

-- The zero timestamp of a column is a time since 1970, one that was handed on is none; seconds without a fraction have no
-- digits behind the point to who divides.
SET sql_mode = '';
CREATE TABLE stamps (id INT PRIMARY KEY, s TIMESTAMP(6) NULL, d DATETIME(6));
INSERT INTO stamps VALUES (1, '1999-12-31 23:59:59', '1999-12-31 23:59:59'), (2, '1999-12-31 23:59:59.5', '1999-12-31 23:59:59.5'), (3, '0000-00-00', '0000-00-00');
SELECT UNIX_TIMESTAMP(s), UNIX_TIMESTAMP(COALESCE(s, s)), UNIX_TIMESTAMP(IF(id, s, s)), UNIX_TIMESTAMP(GREATEST(s, s)), UNIX_TIMESTAMP(d) FROM stamps;
SELECT AVG(UNIX_TIMESTAMP(COALESCE(s, s))), AVG(UNIX_TIMESTAMP(s)) FROM stamps WHERE id <> 2;
SELECT UNIX_TIMESTAMP(s) / 3, UNIX_TIMESTAMP(d) / 7, TIME_TO_SEC(d) / 7 FROM stamps;
SELECT AVG(UNIX_TIMESTAMP(d + INTERVAL id SECOND)) FROM stamps WHERE id = 1 UNION ALL SELECT AVG(UNIX_TIMESTAMP(s)) FROM stamps;
DROP TABLE stamps;

-- Nothing is left of equal numbers, no digits behind the point either, as variables show; sums may be wider than decimals.
SET @b := 0.00;
CREATE TABLE numbers (id INT PRIMARY KEY, d DECIMAL(19, 4), w DECIMAL(65, 30));
INSERT INTO numbers VALUES (1, 526.2493, 1), (2, -526.2493, 2), (3, 1, 3), (4, -1, 4);
SELECT id, d, @b := @b + d AS balance FROM numbers ORDER BY id;
SELECT @b := d - d, @b := d + -d, @b := 0.000 + 0.0, @b := 5.00 - 5.00, d - d, CONCAT(d - d) FROM numbers;
SET @b = 1.50 - 1.5;
SELECT @b, @b + 1, @b * 1.00, w + 1, w - w, w * 1.0 FROM numbers LIMIT 1;
SELECT SUM(d - d), AVG(d - d), MAX(d - d), GROUP_CONCAT(d - d), JSON_ARRAYAGG(d - d) FROM numbers;
SELECT DISTINCT d - d FROM numbers;
DROP TABLE numbers;

-- The last digit of doubles, with digits enough behind the point, is even between two that are as near.
SELECT ROUND(1428564192704806.25e0, 2), ROUND(1428564192704807.25e0, 2), ROUND(428564192704807.375e0, 3), FORMAT(1428564192704806.25e0, 2);

-- PERCENTILE_CONT counts rows from one.
CREATE TABLE times (id INT PRIMARY KEY, t TIME(6));
INSERT INTO times VALUES (1, '1 10:00'), (2, '838:59:59'), (3, '23:59:59.99'), (4, '-01:02:03');
SELECT id, PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY t) OVER () FROM times WHERE id > 1;
SELECT id, PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY t) OVER (), MEDIAN(t) OVER () FROM times ORDER BY id;
DROP TABLE times;

-- Bits are a number without a sign once groups are put aside for their order.
CREATE TABLE g (id INT PRIMARY KEY, e VARCHAR(10));
INSERT INTO g VALUES (1, '7'), (2, '8');
SELECT IFNULL(BIT_AND(NULL), 0e0) FROM g GROUP BY id ORDER BY BIT_XOR(1);
SELECT IFNULL(BIT_AND(NULL), 0e0), BIT_AND(id - 2) + 0e0 FROM g GROUP BY id ORDER BY 1;
SELECT IFNULL(BIT_AND(NULL), 0e0) FROM g GROUP BY id;
SELECT IFNULL(BIT_AND(NULL), 0e0) FROM g;

-- The greatest and least of dates of any digits have six to who computes with them, and in tables of groups.
SELECT MIN(FROM_UNIXTIME('1')) FROM g;
SELECT MIN(FROM_UNIXTIME('1')), MAX(FROM_UNIXTIME(e)) FROM g GROUP BY e;
SELECT MIN(FROM_UNIXTIME('1')), CONCAT(MIN(FROM_UNIXTIME('1'))), IF(id, MAX(FROM_UNIXTIME(e)), 1) FROM g GROUP BY id;
SELECT NULLIF(MIN(FROM_UNIXTIME('1.5')), 'x'), NULLIF(MIN(FROM_UNIXTIME(e)), 'x'), NULLIF(DATE_ADD(MIN(FROM_UNIXTIME(e)), INTERVAL 1 SECOND), 'x'), NULLIF(FROM_UNIXTIME(e), 'x') FROM g;
SELECT HEX(1), NULLIF(MIN(FROM_UNIXTIME(e)), 'x') FROM g GROUP BY 1;
DROP TABLE g;

-- Text beside an address is read as one, in whatever characters it is.
CREATE TABLE a (id INT PRIMARY KEY, c INET4, i INET6, u UUID);
INSERT INTO a VALUES (1, '255.255.255.255', '::1', '123e4567-e89b-12d3-a456-426655440000'), (2, NULL, NULL, NULL);
SELECT CAST(COALESCE(_latin1'abc', c) AS INET4), CAST(COALESCE('abc', c) AS INET4), CAST(IFNULL(_latin1'1.1.1.1', c) AS INET4), CAST(COALESCE(_latin1'x', u) AS UUID) FROM a;
-- What is held against texts that are no addresses is open in a condition.
SELECT id FROM a WHERE i < ALL (SELECT 'abc' FROM a);
SELECT id FROM a WHERE NOT (i < ANY (SELECT 'abc' FROM a));
SELECT id, i < ALL (SELECT 'abc' FROM a), i < ALL (SELECT 'abc') FROM a;
SELECT id FROM a WHERE i <> ALL (SELECT 'abc' FROM a);
DROP TABLE a;

-- MAKE_SET's bytes are sent in the characters of their first member.
CREATE TABLE m (id INT PRIMARY KEY, b BLOB, l VARCHAR(10) CHARACTER SET latin1, u VARCHAR(10) CHARACTER SET utf8mb3);
INSERT INTO m VALUES (1, 'ß', 'ß', 'é');
SELECT MAKE_SET(3, CONVERT(b USING utf8mb3), REVERSE(b)), MAKE_SET(3, l, REVERSE(b)), MAKE_SET(3, u, b), MAKE_SET(2, l, b), MAKE_SET(1, l, b), MAKE_SET(3, 1, b) FROM m;
SELECT HEX(MAKE_SET(3, CONVERT(b USING ucs2), b)), HEX(MAKE_SET(3, l, b)), MAKE_SET(3, l, u) FROM m;
DROP TABLE m;

-- Labels are numbers where groups are put aside.
CREATE TABLE labels (id INT PRIMARY KEY, e ENUM('b', 'a', 'c d', '') NOT NULL, s SET('x', 'y'), g INT);
INSERT INTO labels VALUES (1, '', 'x', 25), (2, 'c d', 'y', 10), (3, 'b', 'x', 10), (4, 'a', 'x,y', 2);
SELECT g, MIN(e), MIN(e) + 0, ROUND(MIN(e), 6), MIN(e) = 2, MIN(e) = 'a', MIN(e) IN (2, 3), CONCAT(MIN(e)), HEX(MIN(e)), IF(MIN(e), 'y', 'n'), MAX(s) + 0, MAX(s) | 0 FROM labels GROUP BY g;
SELECT g FROM labels GROUP BY g HAVING ROUND(MIN(e), 6) <> 1;
SELECT g FROM labels GROUP BY g ORDER BY MIN(e);
SELECT id, MIN(e) + 0, MIN(e) = 2 FROM labels GROUP BY id ORDER BY SUM(id);
SELECT id, MIN(e) + 0 FROM labels GROUP BY id;
SELECT MIN(e) + 0, ROW_NUMBER() OVER () FROM labels;
SELECT m + 0, m FROM (SELECT MIN(e) m FROM labels GROUP BY g) d;
SELECT MIN(e) + 0 FROM labels GROUP BY g WITH ROLLUP;
DROP TABLE labels;

-- A column of a temporary table takes no day that its month has not, unless the mode allows any.
CREATE TABLE days (id INT PRIMARY KEY, c VARCHAR(20));
INSERT INTO days VALUES (2, '2020-02-30'), (3, '2020-02-28'), (4, '2020-03-01');
SELECT id, MAX(STR_TO_DATE(c, '%Y-%m-%d')) OVER (ORDER BY id), MIN(STR_TO_DATE(c, '%Y-%m-%d')) OVER (ORDER BY id), LAG(STR_TO_DATE(c, '%Y-%m-%d')) OVER (ORDER BY id), STR_TO_DATE(c, '%Y-%m-%d') FROM days;
SELECT DISTINCT STR_TO_DATE(c, '%Y-%m-%d') FROM days;
SELECT STR_TO_DATE(c, '%Y-%m-%d') d, COUNT(*), MAX(STR_TO_DATE(c, '%Y-%m-%d %H')) FROM days GROUP BY d;
SELECT MAX(STR_TO_DATE(c, '%Y-%m-%d')) FROM days GROUP BY c;
SELECT MAX(STR_TO_DATE(c, '%Y-%m-%d')) FROM days WHERE id = 2;
SELECT * FROM (SELECT STR_TO_DATE(c, '%Y-%m-%d') FROM days LIMIT 3) d;
SET sql_mode = 'ALLOW_INVALID_DATES';
SELECT id, MAX(STR_TO_DATE(c, '%Y-%m-%d')) OVER (ORDER BY id) FROM days;
SELECT DISTINCT STR_TO_DATE(c, '%Y-%m-%d') FROM days;
SET sql_mode = '';
DROP TABLE days;

-- The bytes of a geometry that text was put to are characters in a temporary table; geometries that were chosen are
-- converted before they are listed.
CREATE TABLE shapes (id INT PRIMARY KEY, g POINT, v VARCHAR(10), b BLOB);
INSERT INTO shapes VALUES (1, POINT(1, 2), 'x', 'q');
SELECT HEX(CONCAT(ST_GEOMFROMTEXT('POINT(1 1)'), v)) FROM shapes;
SELECT CONCAT(ST_GEOMFROMTEXT('POINT(1 1)'), v) FROM shapes UNION SELECT v FROM shapes;
SELECT CONCAT(ST_GEOMFROMTEXT('POINT(1 1)'), v) FROM shapes UNION ALL SELECT v FROM shapes;
SELECT DISTINCT CONCAT(ST_GEOMFROMTEXT('POINT(1 1)'), v) FROM shapes;
SELECT MAX(CONCAT(ST_GEOMFROMTEXT('POINT(1 1)'), v)) FROM shapes GROUP BY v;
SELECT MAX(CONCAT(ST_GEOMFROMTEXT('POINT(1 1)'), v)) OVER () FROM shapes;
SELECT * FROM (SELECT CONCAT(ST_GEOMFROMTEXT('POINT(1 1)'), v) FROM shapes LIMIT 1) d;
SELECT JSON_ARRAYAGG(COALESCE(g, g) ORDER BY id), JSON_ARRAYAGG(g), GROUP_CONCAT(IF(1, g, g)), GROUP_CONCAT(COALESCE(g), b), GROUP_CONCAT(COALESCE(g), v), GROUP_CONCAT(COALESCE(g), id) FROM shapes;
SELECT JSON_OBJECTAGG(id, COALESCE(g)), JSON_OBJECTAGG(id, g) FROM shapes;

-- Subqueries that may give something else each time have no value where there are known to be no rows.
SELECT MIN(id), (SELECT ST_GEOMFROMTEXT('POINT(1 1)') FROM shapes s LIMIT 1), (SELECT POINT(1, 1) FROM shapes s LIMIT 1), (SELECT 5 FROM shapes s LIMIT 1), (SELECT RAND() * 0 FROM shapes s LIMIT 1), (SELECT UUID() IS NULL FROM shapes s LIMIT 1) FROM shapes WHERE 0;
SELECT MIN(id), (SELECT ST_GEOMFROMTEXT('POINT(1 1)') FROM shapes s LIMIT 1) FROM shapes WHERE v = 'none';
DROP TABLE shapes;

-- Numbers of several sources have 65 digits at most; JSON_UNQUOTE hands text on in its own characters, conditions take the
-- room of their word in documents, addresses are numbers of as many digits as their bytes.
CREATE TABLE n (id INT PRIMARY KEY, b BIT(64), d DECIMAL(10, 2), t BLOB, i INET4, u UUID, s SET('x', 'y'), e ENUM('x'));
INSERT INTO n VALUES (1, 5, 1.5, x'E6F0', NULL, NULL, 'x', 'x');
SELECT COALESCE(d, b), IF(id, d, b), CASE WHEN id THEN d ELSE b END, REVERSE(COALESCE(d, b)) FROM n;
SELECT JSON_UNQUOTE(t) + 1, JSON_UNQUOTE(x'E6F0') * 1 FROM n;
SELECT HEX(COLUMN_CREATE('a', JSON_UNQUOTE('[]'))), HEX(COLUMN_CREATE('a', JSON_UNQUOTE('"x"'))) FROM n;
SELECT JSON_ARRAY(id = 1), JSON_ARRAY(id IS NULL), JSON_OBJECT('a', id IN (1, 2)), JSON_ARRAY(1), JSON_ARRAY(TRUE) FROM n;
SELECT i DIV 1, u DIV 1, CAST('1.2.3.4' AS INET4) DIV 1 FROM n;
SELECT s FROM n UNION SELECT s FROM n UNION SELECT CAST('::' AS INET6);
SELECT e FROM n UNION SELECT s FROM n UNION SELECT CAST('::' AS INET6);
DROP TABLE n;

-- A time that is held between what are dates with times is one, and so are the texts that it is held between.
CREATE TABLE clock (id INT PRIMARY KEY, t TIME);
INSERT INTO clock VALUES (1, '34:00:00'), (2, '-01:02:03'), (3, NULL), (4, '00:00:00'), (5, '10:11:12');
SELECT id, t BETWEEN '10:11:12' AND NOW(), t BETWEEN '2020-09-13 01:00:00' AND NOW(), t BETWEEN 101112 AND NOW(), t NOT BETWEEN '10:11:12' AND TIMESTAMP'2024-06-15 12:30:45.678901', t BETWEEN '01:00' AND '11:00' FROM clock;
PREPARE p FROM 'SELECT id FROM clock WHERE t BETWEEN ''10:11:12'' AND ?';
EXECUTE p USING TIMESTAMP'2024-06-15 12:30:45.678901';
EXECUTE p USING '12:30';
EXECUTE p USING NULL;
DROP TABLE clock;

-- Of indexes that hold all that is wanted the one of the shortest keys is gone through.
CREATE TABLE keyed (id INT PRIMARY KEY, d DATETIME, s SET('x', 'y', 'z') NOT NULL, n BIT(64), u SMALLINT UNSIGNED, KEY k0 (d), KEY k1 (s));
INSERT INTO keyed VALUES (1, '2024-06-15', 'y', 18, 21), (2, '2001-01-01', '', 1, 21), (3, '2001-01-01', 'x', 1, 21), (4, NULL, 'x,z', 1, 21);
SELECT id FROM keyed;
SELECT JSON_OBJECTAGG('a', id) FROM keyed;
-- Among no rows nothing is read as a date to be looked for, DATEDIFF is a difference in errors.
CREATE TABLE none (t TIME(6), d DATE);
SELECT n NOT IN (SELECT t FROM none), n IN (SELECT d FROM none), n < ALL (SELECT t FROM none), n = ANY (SELECT d FROM none) FROM keyed WHERE id = 1;
SET sql_mode = 'STRICT_TRANS_TABLES';
UPDATE keyed SET u = 9 WHERE n NOT IN (SELECT t FROM none);
SET sql_mode = '';
SELECT u * DATEDIFF('2001-01-01', '2024-06-15') FROM keyed;
DROP TABLE keyed, none;

-- Bytes of a LONGBLOB are as long as that is.
CREATE TABLE long_ones (id INT PRIMARY KEY, b LONGBLOB, m MEDIUMBLOB, c BINARY(4));
INSERT INTO long_ones VALUES (1, 'a', 'b', 'c');
SELECT BINARY b, CAST(m AS BINARY), MAKE_SET(7, BINARY b, c), CONCAT(BINARY b, 'x'), REVERSE(BINARY b), CAST(b AS BINARY(20)) FROM long_ones;
DROP TABLE long_ones;

DROP DATABASE rows_8;
