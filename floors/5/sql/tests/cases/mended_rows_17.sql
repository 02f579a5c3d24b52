-- An index's column of dates or times that is to equal a text that is none: an UPDATE or DELETE finds nothing.
SET timestamp = 1600000000.123456, time_zone = '+00:00';
CREATE TABLE m (id INT PRIMARY KEY, d DATE, dt DATETIME, t TIME, u TIME, ts TIMESTAMP NULL, y YEAR, n INT, KEY (d), KEY (dt), KEY (t, u), KEY (ts), KEY (y));
INSERT IGNORE INTO m VALUES (1, 0, 0, 0, 0, 0, 0, 1), (2, '2020-01-01', '2020-01-01', 0, 0, 0, 0, 2), (3, NULL, NULL, NULL, 0, 0, 0, 3);
UPDATE m SET n = n + 1 WHERE u = 'a';
UPDATE m SET n = n + 1 WHERE ts = 'a';
UPDATE m SET n = n + 1 WHERE d = '2020-13-45';
UPDATE m SET n = n + 1 WHERE d = '2020-01-01 00:00:00';
UPDATE m SET n = n + 1 WHERE dt = '2020-01-01 25:00:00';
UPDATE m SET n = n + 1 WHERE dt = '2020-01-01x';
UPDATE m SET n = n + 1 WHERE t = CONCAT('a', 'b');
UPDATE m SET n = n + 1 WHERE t = '2020-01-01 00:00:00';
UPDATE m SET n = n + 1 WHERE t <=> 'a' AND RAND() < 2;
UPDATE m SET n = n + 1 WHERE (t = 'a' OR d = 'b') AND y = 0;
UPDATE m SET n = n + 1 WHERE t IN ('a', 'b') LIMIT 1;
DELETE FROM m WHERE t = 'a' RETURNING *;
DELETE FROM m WHERE t IN ('a', NULL);
SET @a = 'a';
PREPARE s FROM 'UPDATE m SET n = n + 1 WHERE t = ?';
EXECUTE s USING @a;
SELECT id, n FROM m;
SET sql_mode = '';
UPDATE m SET n = n + 10 WHERE t IN ('a', 'b');
UPDATE m SET n = n + 10 WHERE y = 'a';
UPDATE m, (SELECT 1) x SET n = n + 10 WHERE t = 'a';
UPDATE m SET n = n + 10 WHERE t = 'a' OR n = 2;
SELECT id, n FROM m;
SELECT id FROM m WHERE t = 'a';
-- LAST_INSERT_ID() behind an INSERT through a view of a join that shows the number of whichever of its tables.
CREATE TABLE g (id INT AUTO_INCREMENT PRIMARY KEY, c CHAR(8) NOT NULL DEFAULT '');
CREATE VIEW g_other AS SELECT a.c AS r0, b.id AS r1 FROM g a JOIN g b ON 1;
CREATE VIEW g_own AS SELECT a.c AS r0, a.id AS r1 FROM g a JOIN g b ON 1;
CREATE VIEW g_none AS SELECT a.c AS r0 FROM g a JOIN g b ON 1;
INSERT INTO g_other (r0) VALUES ('zz');
SELECT LAST_INSERT_ID();
INSERT INTO g_own (r0) VALUES ('zz');
SELECT LAST_INSERT_ID();
INSERT INTO g_none (r0) VALUES ('zz');
SELECT LAST_INSERT_ID();
INSERT INTO g_other (r0) VALUES ('zz'), ('y');
SELECT LAST_INSERT_ID();
CREATE DATABASE IF NOT EXISTS information_schema;
-- Children refuse a change that is a duplicate under an index of theirs, or one behind it.
CREATE TABLE p (id INT PRIMARY KEY, c INT, u INT UNIQUE, w INT UNIQUE);
INSERT INTO p VALUES (0, 6, 1, 7), (2, 6, 2, 8), (3, 6, 3, 9);
CREATE TABLE c1 (a INT, CONSTRAINT f1 FOREIGN KEY (a) REFERENCES p (id));
INSERT INTO c1 VALUES (2);
UPDATE p SET id = c;
UPDATE p SET id = 3 WHERE id = 2;
UPDATE p SET id = 2 WHERE id = 3;
UPDATE IGNORE p SET id = 3 WHERE id = 2;
CREATE TABLE c2 (a INT, CONSTRAINT f2 FOREIGN KEY (a) REFERENCES p (w));
INSERT INTO c2 VALUES (8);
UPDATE p SET w = 10, u = 3 WHERE id = 2;
UPDATE p SET w = 9 WHERE id = 2;
INSERT INTO p VALUES (2, 1, 9, 3) ON DUPLICATE KEY UPDATE id = 3;
-- Parts of dates that are no dates of the mode; times of dates that no calendar has.
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
CREATE TABLE e (id INT, a DATETIME(3), b DATETIME(6) NOT NULL, d DATE);
INSERT IGNORE INTO e VALUES (1, '2020-02-30', '2020-02-30', '2020-02-30'), (2, NULL, '2020-02-30', NULL);
SELECT EXTRACT(MICROSECOND FROM COALESCE(a, b)), EXTRACT(HOUR FROM IFNULL(a, b)), EXTRACT(DAY FROM COALESCE(d, b)), EXTRACT(SECOND FROM GREATEST(a, b)), EXTRACT(SECOND FROM IF(1, a, b)) FROM e;
SET sql_mode = '';
SELECT TIME_FORMAT(TIMESTAMP('2020-02-30'), '%k'), TIME_FORMAT('2020-02-30 10:00:00', '%k'), TIME_FORMAT(20200230101112, '%k'), TIME_FORMAT('2020-02-30', '%k'), TIME_FORMAT(DATE('2020-02-30'), '%k');
SELECT TIME_FORMAT('2020-00-00 10:00:00', '%k'), TIME_FORMAT('10:00:00', '%k'), TIME_FORMAT(101112, '%k'), TIME_FORMAT(LAST_DAY('2020-02-30'), '%k'), TIME_FORMAT(a, '%k'), TIME_FORMAT(NULL, '%k') FROM e;
SELECT EXTRACT(WEEK FROM CAST('-10:00:00' AS TIME)), EXTRACT(DAY FROM CAST('-34:00:00' AS TIME));
SELECT EXTRACT(MINUTE_SECOND FROM '1.000000000000'), EXTRACT(MINUTE_SECOND FROM '1.000000'), EXTRACT(DAY FROM '00:00:01.00000011'), EXTRACT(HOUR FROM 1.00000011);
-- A variable takes the collation of the text that another was put into.
SET @a = RPAD('a', 3, 'b' COLLATE utf8mb4_bin), @b = LPAD('abc', 3, 'b' COLLATE utf8mb4_bin), @c = LPAD('abc', 4, 'b' COLLATE utf8mb4_bin), @d = INSERT('abc', 1, 1, 'b' COLLATE utf8mb4_bin), @e = CONCAT('a', 'b' COLLATE utf8mb4_bin), @f = RPAD('a' COLLATE utf8mb4_bin, 3, 'b');
SELECT COLLATION(@a), COLLATION(@b), COLLATION(@c), COLLATION(@d), COLLATION(@e), COLLATION(@f);
-- Groups by constants and by the primary key have their means in all digits.
SELECT FORMAT(AVG(100 / id), 6) FROM m GROUP BY 'a', id;
SELECT FORMAT(AVG(100 / id), 6) FROM m GROUP BY id, 1 + 1;
SELECT FORMAT(AVG(100 / id), 6) FROM m GROUP BY id, n;
SELECT FORMAT(AVG(100 / id), 6) FROM m GROUP BY 'a', n;
-- What messages call sets and dynamic columns.
CREATE TABLE s (s SET('x', 'y'), e ENUM('a', 'b'), u UUID);
SELECT MAX(s) FROM s UNION SELECT u FROM s;
SELECT MAX(e) FROM s UNION SELECT u FROM s;
SELECT EXP(COLUMN_GET(COLUMN_CREATE('a', '10000'), 'a' AS SIGNED));
SELECT EXP(COLUMN_GET(COLUMN_CREATE('a', '10000'), 'a' AS DECIMAL(10,2)));
SELECT EXP(COLUMN_GET(COLUMN_CREATE('a', '10000'), 'a' AS CHAR(10) CHARACTER SET utf8mb3));
SELECT EXP(COLUMN_GET(COLUMN_CREATE('a', '10000'), 'a' AS DATETIME(3)));
SELECT EXP(COLUMN_GET(COLUMN_CREATE('a', '10000'), 'a' AS BINARY(5)));
SELECT EXP(COLUMN_GET(COLUMN_CREATE('a', '10000' AS CHAR, 'b', 1 AS INT), 'a' AS FLOAT));
-- Members of lists are read before the rows, all of them, and fail in no mode, but for lists of one value in queries.
CREATE TABLE l (id INT PRIMARY KEY, d DATE, t TIME, n INT, x DOUBLE);
INSERT INTO l VALUES (1, '2020-01-01', 0, 0, 1), (2, NULL, 0, 0, 2), (3, NULL, NULL, 0, 3);
CREATE TABLE q (a INT);
SET sql_mode = 'STRICT_ALL_TABLES';
UPDATE l SET id = id WHERE t IN ('a', 'b');
UPDATE l SET id = id WHERE id = 1 AND d IN ('a', 'b');
UPDATE l SET id = id WHERE t NOT IN ('a', 'b', NULL);
UPDATE l SET id = id WHERE t IN (99, 'b');
UPDATE l SET n = t IN ('a', 'b');
UPDATE l SET n = n IN ('a', 'b');
UPDATE l SET n = 1 WHERE (t, n) IN (('a', 1), ('b', 2));
UPDATE l SET n = 1 WHERE t IN ('a');
DELETE FROM l WHERE n IN ('a', 'b') AND x > 9;
INSERT INTO q SELECT t IN ('a', 'b') FROM l;
INSERT INTO q SELECT 1 FROM l WHERE t IN ('a', 'b');
INSERT INTO q SELECT 1 FROM l WHERE x IN ('a', 'b') OR n = 1;
INSERT INTO q SELECT 1 FROM l WHERE NOT (d IN ('a', 'b'));
INSERT INTO q SELECT 1 FROM l WHERE t IN ('10:00:00', 'b');
INSERT INTO q SELECT 1 FROM l WHERE n IN ('a', '1');
INSERT INTO q VALUES (1 IN ('a', 'b'));
SELECT * FROM q;
-- Types: results of CASE, IF and NVL2 that are UUIDs, numbers of variables in documents, room for geometries and documents.
SET sql_mode = '';
SET @v1 = 10, @v2 = 1.5, @v3 = 1e0;
SELECT CASE WHEN NULL THEN CAST('::1' AS INET6) ELSE CAST('::2' AS INET6) END, CASE id WHEN 1 THEN CAST('::1' AS INET6) END, IF(n, CAST('::1' AS INET6), '::1'), NVL2(n, CAST('::1' AS INET6), CAST('::2' AS INET6)), CASE WHEN 1 THEN CAST('1' AS INET6) ELSE CAST('::2' AS INET6) END FROM l WHERE id = 1;
SELECT JSON_ARRAY(@v1, @v1), JSON_ARRAY(@v2), JSON_ARRAY(@v3), JSON_OBJECT('a', @v1), JSON_MERGE(@v1, @v1), JSON_ARRAY(n, @v1), JSON_ARRAY(_latin1'a', @v1) FROM l WHERE id = 1;
SELECT EXPORT_SET(1, ELT(9, POINT(1, 1), 1), 1, 'a', 1), MAKE_SET(3, t, POINT(1, 1)), MAKE_SET(4, _latin1'a', POINT(1, 1)) FROM l WHERE id = 9;
CREATE TABLE jl (j JSON, l LONGTEXT, m MEDIUMTEXT);
SELECT CONVERT(JSON_VALUE(j, '$.a') USING latin1) COLLATE latin1_german1_ci, JSON_QUERY(l, '$.a'), JSON_VALUE(m, '$.a') FROM jl;
CREATE TABLE dd AS SELECT DES_DECRYPT('abc') AS a, DES_DECRYPT('a') AS b, DES_DECRYPT(_latin1'a') AS c;
SHOW COLUMNS FROM dd;
-- A text of bytes beside latin1 is that of its bytes.
CREATE TABLE lg (c VARCHAR(10) CHARACTER SET latin1 COLLATE latin1_general_cs NOT NULL);
INSERT INTO lg VALUES ('abc'), ('ABC'), ('x');
SELECT c FROM lg WHERE c <= DECODE('Abc', _ucs2 x'00410042');
SELECT c FROM lg WHERE c BETWEEN c AND ENCODE('Abc', _ucs2 x'00410042');
-- Texts of views, messages of aggregates.
CREATE VIEW nt AS SELECT NOT TRUE AS a, NOT FALSE AS b, NOT 1 AS c, NOT (NOT TRUE) AS d, NOT (TRUE AND FALSE) AS e, (NOT TRUE) = id AS f FROM l WHERE NOT TRUE;
SHOW CREATE VIEW nt;
CREATE TABLE ag (u UUID, n INT);
SELECT SUM((SELECT MAX(ag.u) FROM ag x)) FROM ag;
SELECT AVG((SELECT MAX(ag.u))) FROM ag;
SELECT SUM((SELECT MAX(ag.n) FROM ag x)) FROM ag;
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT TIMEDIFF('2020-01-01', LEAST(0, NOW(3)));
CREATE TABLE f (f FLOAT);
INSERT INTO f VALUES (2147483647), (1e20), (1.1);
SELECT TIME_FORMAT(f, '%k') FROM f;
-- Widths of integers through tables under way.
CREATE VIEW w1 AS SELECT r1 FROM (SELECT n AS r1, 'x' AS y FROM (SELECT 1 AS n UNION SELECT 2) a) b;
SHOW COLUMNS FROM w1;
CREATE VIEW w2 AS WITH RECURSIVE w (n, s) AS (SELECT 1, 'ab' UNION ALL SELECT n * 2, s FROM w WHERE n < 7), v AS (SELECT n AS r1 FROM w) SELECT * FROM w AS x RIGHT JOIN v ON 1;
SHOW COLUMNS FROM w2;
CREATE VIEW w3 AS SELECT r1 FROM (SELECT n AS r1 FROM (SELECT 1 AS n UNION SELECT 2) a LIMIT 1) b;
SHOW COLUMNS FROM w3;
-- Virtual columns are computed where a statement names them, and those of a row that another is to take the place of.
SET sql_mode = 'TRADITIONAL';
CREATE TABLE vc (id INT PRIMARY KEY, s SET('x', 'y') AS (c), c VARCHAR(20), d INT, e TINYINT AS (d * 100));
INSERT INTO vc (id, c, d) VALUES (1, 'ab', 5);
INSERT INTO vc (id, c, d) VALUES (2, 'ab', 1) ON DUPLICATE KEY UPDATE s = 'z';
INSERT INTO vc (id, c, d) VALUES (3, 'x', 5) ON DUPLICATE KEY UPDATE s = 'z';
INSERT INTO vc (id, c, d) VALUES (4, 'x', 5) ON DUPLICATE KEY UPDATE d = e;
INSERT INTO vc (id, c, d) VALUES (5, 'x', 5) ON DUPLICATE KEY UPDATE d = VALUES(e);
INSERT INTO vc (id, c, d, s) VALUES (6, 'ab', 1, DEFAULT);
INSERT INTO vc (id, c, d) VALUES (7, 'x', 1), (8, 'ab', 1);
INSERT IGNORE INTO vc (id, c, d) VALUES (8, 'x', 1);
SELECT id, s FROM vc;
INSERT INTO vc (id, c, d) VALUES (7, 'x', 1) ON DUPLICATE KEY UPDATE d = -1;
-- A geometry beside a text is one.
SET sql_mode = '';
SELECT LEAST('a', POINT(1, 1), 1), GREATEST(POINT(1, 1), 'a', 1.5);
SELECT LEAST(POINT(1, 1), 1);
SELECT LEAST('a', 1, POINT(1, 1));
SELECT LEAST('a', CAST('::1' AS INET6), 1);
-- A stored column that is computed no more is copied, CHECKs and all; what refers to a copy is told as such.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE sg (id INT AUTO_INCREMENT PRIMARY KEY, c VARCHAR(20) CHECK (c > 1), g DECIMAL(10,2) AS (5) STORED);
INSERT INTO sg (c) VALUES ('2'), ('3');
ALTER TABLE sg MODIFY g DECIMAL(10,2), ALGORITHM=INPLACE;
ALTER TABLE sg MODIFY g DECIMAL(10,2);
SET sql_mode = '';
INSERT INTO sg (c) VALUES ('4x');
SET sql_mode = 'STRICT_TRANS_TABLES';
ALTER TABLE sg MODIFY g DECIMAL(10,2) AS (5) STORED;
-- A NULL that a column does not take is told before what is wrong behind it.
CREATE TABLE fb (x INT);
INSERT INTO fb VALUES (NULL);
CREATE TABLE ib (id INT PRIMARY KEY, t TIME, n INT);
INSERT INTO ib SELECT x, TIME('2020-02-29'), 12 FROM fb;
INSERT INTO ib (t, id) SELECT TIME('2020-02-29'), x FROM fb;
INSERT INTO ib SELECT 1, TIME('2020-02-29'), 12 FROM fb;
-- Doubles without digits behind the point that are less than a half.
SELECT ABS(INET_NTOA(200613)), -INET_NTOA(200613), ABS(INET_NTOA(6 * 65536)), CONCAT(ABS(INET_NTOA(5 * 65536))), ABS(INET_NTOA(0));
-- What XPath cannot read is cut by bytes, bytes stay bytes, floats are told as they are printed.
SELECT EXTRACTVALUE(1, CONCAT('123E4567E89B12D3A456426655440000', 'Зд'));
SELECT HEX(CONVERT(DECODE('20200101', 'straße') USING binary));
CREATE TABLE fu (f FLOAT);
INSERT INTO fu VALUES (3.14159);
SELECT CAST(f AS UUID), CAST(f AS INET6) FROM fu;
-- The widths of integers that were kept on the way.
CREATE TABLE wi SELECT IF(2, a.r0, 7) AS a, a.r0 + 0 AS b FROM (SELECT 12 AS r0 FROM fu) a;
SHOW COLUMNS FROM wi;
-- Duplicates are looked for in the order in which the indexes were made.
CREATE TABLE oi (id INT AUTO_INCREMENT PRIMARY KEY, c0 INT, c1 INT NOT NULL, UNIQUE KEY k0 (c0));
CREATE UNIQUE INDEX k1 ON oi (c1);
INSERT INTO oi (c0, c1) VALUES (1, 1);
INSERT INTO oi (c0, c1) VALUES (1, 1);
INSERT IGNORE INTO oi (c0, c1) VALUES (1, 1);
INSERT INTO oi (c0, c1) VALUES (1, 1) ON DUPLICATE KEY UPDATE c1 = 2;
-- Rows behind one that is there twice are looked at nevertheless.
CREATE TABLE np (a INT, b INT);
INSERT INTO np VALUES (1, 1), (1, 3), (NULL, 4), (3, 3);
SET sql_mode = 'STRICT_TRANS_TABLES';
ALTER TABLE np ADD PRIMARY KEY (a);
ALTER TABLE np ADD PRIMARY KEY (a), ALGORITHM=COPY;
SET sql_mode = '';
ALTER TABLE np ADD PRIMARY KEY (a);
-- Dates that the mode does not know tell groups apart where rows are sorted for them.
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
CREATE TABLE zg (id INT PRIMARY KEY, d DATE, t TIMESTAMP NULL);
INSERT IGNORE INTO zg VALUES (1, '2024-06-15', '1970-01-02'), (5, '2020-02-30', '0000-00-00'), (25, NULL, NULL);
SELECT SUM(DISTINCT id) FROM zg GROUP BY COALESCE(d, t);
SELECT GROUP_CONCAT(id), COUNT(*) FROM zg GROUP BY IF(id, d, d);
SELECT COUNT(*) FROM zg GROUP BY IFNULL(d, t);
SELECT COUNT(*) FROM zg GROUP BY IFNULL(d, t) WITH ROLLUP;
SELECT GROUP_CONCAT(id) FROM zg GROUP BY DATE(d);
-- ENUM and SET look for numbers in what a text became, with the eyes of what it was.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE se (id INT PRIMARY KEY AUTO_INCREMENT, s SET('x','y','z'), e ENUM('x','y','z'));
INSERT IGNORE INTO se (s) VALUES (CONVERT('5' USING ucs2));
INSERT IGNORE INTO se (e) VALUES (CONVERT('2' USING utf32));
INSERT IGNORE INTO se (e) VALUES (CONVERT('2' USING latin1));
INSERT INTO se (s) VALUES (_ucs2 x'00410042');
INSERT INTO se (s) VALUES (CONVERT('x,z' USING utf16));
INSERT INTO se (s) VALUES (CONVERT('x,AB' USING ucs2));
SELECT id, s, s + 0, e, e + 0 FROM se;
-- The sum of a group is kept with so many digits.
CREATE TABLE sd (id INT PRIMARY KEY, c DECIMAL(10,2));
INSERT INTO sd VALUES (2, 10), (4, -128), (5, 7);
SELECT SUM(id / c) FROM sd WHERE id < 5 GROUP BY 1 + c - c;
SELECT SUM(4 / -128), AVG(id / c) FROM sd GROUP BY 1 + c - c;
-- The spaces that CHAR is filled up with are no part of a number.
SET sql_mode = 'PAD_CHAR_TO_FULL_LENGTH';
CREATE TABLE pf (c CHAR(8), e ENUM('3', '7'));
INSERT INTO pf VALUES ('-3.5', '7');
SELECT FORMAT(c, 3), FORMAT(e, 2) FROM pf;
