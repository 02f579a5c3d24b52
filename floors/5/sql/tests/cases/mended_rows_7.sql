-- Rows that random statements showed to differ, each with a small statement that shows it.
CREATE DATABASE rows_7 CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE rows_7;

-- What FLOOR, ROUND and their like make of a literal has a sign among its digits, and a UNION's column no more than fit.
SELECT 99.995 n UNION ALL SELECT FLOOR(255);
SELECT 1.5 UNION ALL SELECT ROUND(255);
SELECT 1.5 UNION ALL SELECT TRUNCATE(255, 0);
SELECT 1.5 UNION ALL SELECT -ABS(2555);
SELECT 1.5 UNION ALL SELECT 255 + 1;
SELECT 1.5 UNION ALL SELECT MAX(255);
SELECT FLOOR(255), FLOOR(255) + 1, ROUND(255) * 1.5, COALESCE(FLOOR(255), 1.5), LEAST(FLOOR(255), FLOOR(256)), AVG(ROUND(255));

-- A vertical tab is a space to STR_TO_DATE.
SELECT STR_TO_DATE(CHAR(9, 11), '%Y-%m-%d'), STR_TO_DATE(CONCAT('2020', CHAR(11), '-01'), '%Y-%m-%d'), STR_TO_DATE(CONCAT('2020-01-02', CHAR(11)), '%Y-%m-%d');

-- The year zero has four digits in columns only.
CREATE TABLE years (c YEAR NOT NULL, n YEAR, b BIT(64), k YEAR NOT NULL, i INT);
INSERT INTO years VALUES (0, 0, 1, 2020, 3), (2001, 0, 1, 2020, 3);
SELECT IF(1, c, b), IF(1, n, b), COALESCE(c, k), CASE WHEN i THEN c ELSE b END, NULLIF(c, 1), LEAST(c, b), CONCAT(IF(1, c, b)), LENGTH(COALESCE(c)), JSON_ARRAY(c, IF(1, c, c)) FROM years;
SELECT DISTINCT IF(1, c, c), IF(1, n, n) FROM years;
SELECT IF(1, c, c), COUNT(*) FROM years GROUP BY c;
SELECT GROUP_CONCAT(COALESCE(c)), JSON_ARRAYAGG(COALESCE(c)) FROM years;
SELECT IF(1, c, c) FROM years UNION SELECT n FROM years;
SELECT * FROM (SELECT IF(1, c, c) x FROM years LIMIT 2) d;
DROP TABLE years;

-- A date that the mode refuses is the zero date where a column without NULL takes it.
SET sql_mode = '';
CREATE TABLE dates (id INT PRIMARY KEY, d DATE NOT NULL, t DATETIME(3) NOT NULL);
INSERT INTO dates VALUES (1, '0000-00-00', '0000-00-00'), (2, '0000-00-00', '2020-01-00'), (3, '2020-01-01', '2020-01-01 01:01:01');
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT NVL(d, d), COALESCE(t, t) FROM dates ORDER BY id;
SELECT DISTINCT CASE WHEN 1 THEN d ELSE d END, 1 FROM dates;
SELECT COUNT(DISTINCT NVL(t, t), id), COUNT(NVL(d, d)) FROM dates GROUP BY 1 = 1;
SELECT GROUP_CONCAT(NVL(d, d)) FROM dates GROUP BY id;
DROP TABLE dates;
SET sql_mode = DEFAULT;

-- What DECODE gives is sent in the character set that it was given, as is what REPEAT, LEFT and COALESCE make of it.
CREATE TABLE texts (l VARCHAR(5) CHARSET latin1, u VARCHAR(5) CHARSET utf8mb3, m VARCHAR(5) CHARSET utf8mb4, b VARBINARY(5));
INSERT INTO texts VALUES ('1', '1', '1', '1');
SELECT DECODE(l, 'ab'), DECODE(u, 'ab'), DECODE(m, 'ab'), DECODE(b, 'ab') FROM texts;
SELECT REPEAT(DECODE(l, 'ab'), 2), CONCAT(DECODE(u, 'ab')), COALESCE(DECODE(u, 'ab')), IF(1, DECODE(u, 'ab'), 1), LEFT(DECODE(u, 'ab'), 5) FROM texts;
DROP TABLE texts;
SELECT JSON_ARRAY(DECODE('a', '1')), JSON_ARRAY(CONCAT_WS('-', CAST('ab' AS CHAR), DECODE('a', '1'))), JSON_ARRAY(CONCAT_WS('-', 'a', x'FF'));

-- Functions of the session make one group of all rows, whose sums are of whole quotients.
CREATE TABLE n (i INT);
INSERT INTO n VALUES (1), (2), (3), (4), (5), (6), (7);
SELECT HEX(LAST_INSERT_ID(7)), SUM(1 / 3) + 0 FROM n GROUP BY 1;
SELECT UNIX_TIMESTAMP('2020-01-01') > 0, SUM(1 / 3) + 0 FROM n GROUP BY 1;
SELECT SUM(1 / 3) + 0 FROM n GROUP BY BENCHMARK(1, 1);
SELECT SUM(1 / 3) + 0 FROM n GROUP BY RAND() > 7;
DROP TABLE n;

-- TEXT that is put in order is cut before it is joined.
CREATE TABLE g (id INT, t TEXT CHARSET utf8mb4);
INSERT INTO g VALUES (1, 'Ñandú 6'), (2, 'abc'), (3, 'x');
SET NAMES utf8mb4;
SET group_concat_max_len = 6;
SELECT GROUP_CONCAT(t ORDER BY id SEPARATOR 'caf') FROM g;
SELECT GROUP_CONCAT('q', t ORDER BY id SEPARATOR 'caf') FROM g;
SELECT GROUP_CONCAT(t SEPARATOR 'caf') FROM g;
SET group_concat_max_len = DEFAULT;
DROP TABLE g;

DROP DATABASE rows_7;
