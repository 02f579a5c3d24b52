-- What random statements showed to differ, each with a small statement that shows it.
CREATE DATABASE rows_11 CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE rows_11;
SET sql_mode = '', time_zone = '+00:00', timestamp = 1600000000;

-- last() counts what a step found from all nodes before it, position() goes on behind a predicate; ancestors are counted from
-- the end, descendants of nodes one in the other several times (wrong rows).
SET @z = '<r><a><b>one</b><b>two</b><c/></a><a><b>1</b><b>2</b><b>3</b></a></r>', @n = '<a><b>1</b><a><b>2</b><b>3</b></a></a>';
SELECT EXTRACTVALUE(@z, '/r/a/b[last()]') a, EXTRACTVALUE(@z, '/r/a/b[last()-3]') b, EXTRACTVALUE(@z, '/r/a/b[last()=5]') c, EXTRACTVALUE(@z, '/r/a/b[position()>1][2]') d, EXTRACTVALUE(@z, '/r/a/b[count(.)-3]') e, EXTRACTVALUE(@z, '/r/a/b/text()[2]') f, EXTRACTVALUE(@z, '/r/a/b/ancestor::a[5]/b') g, EXTRACTVALUE(@z, '/r/a/b/parent::a[2]/b') h, EXTRACTVALUE(@n, 'count(//a//b)') i, EXTRACTVALUE(@n, 'sum(//a//b)') j, EXTRACTVALUE(@n, '//a//b[last()=5]') k;
-- Numbers, texts and conditions of a path are SQL's (wrong rows).
SELECT EXTRACTVALUE(1, FORMAT(127, 8)) a, EXTRACTVALUE(1, '0.1 + 0.2') b, EXTRACTVALUE(1, '-1.50') c, EXTRACTVALUE(1, 'round(2.5)') d, EXTRACTVALUE(1, '12345678901234567890') e, EXTRACTVALUE(1, '1 div 0') f, EXTRACTVALUE(1, 'number("1e300")') g, EXTRACTVALUE(1, '"x" mod 2') h, EXTRACTVALUE(1, '$@never') i;
SELECT EXTRACTVALUE(@z, "//b['2']") a, EXTRACTVALUE(@z, '//b[2.5]') b, EXTRACTVALUE(@z, "//b[.>'1']") c, EXTRACTVALUE(@z, "//b[.='TWO']") d, EXTRACTVALUE(@z, "//b[contains(., 'O')]") e, EXTRACTVALUE(@z, '//b[not(1 div 0)]') f;
SELECT EXTRACTVALUE(@z, '//b[.>1]') a, EXTRACTVALUE(@z, '//b["2x"]') b, EXTRACTVALUE(@z, '//b["x" = last()]') c, EXTRACTVALUE(@z, '//b[number(.)]') d;
SELECT EXTRACTVALUE(1, '9223372036854775807 + 1');
-- What is no path is told.
SELECT EXTRACTVALUE(1, 'last()');
SELECT EXTRACTVALUE(1, 'count(1)');
SELECT EXTRACTVALUE(1, '1 | //b');
SELECT EXTRACTVALUE(1, '/a/..[1]');
SELECT EXTRACTVALUE(1, 'concat("a", "b")/c');
SELECT EXTRACTVALUE(1, '/r[last()]/last()');
SELECT EXTRACTVALUE(1, '/a[. >= . ]');
SELECT EXTRACTVALUE(1, '//a[$v]');
-- What is found in no document, or by no path, is a constant; the character set is looked at before.
CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(10));
SELECT EXTRACTVALUE(1, EXTRACTVALUE(NULL, '/a')) a, EXTRACTVALUE(1, UPDATEXML('<a', '/a', '')) b, EXTRACTVALUE('<a>1</a>', COALESCE(EXTRACTVALUE('<a>', '/a'), '/a')) c, EXTRACTVALUE(1, EXTRACTVALUE('<a/>', NULL)) d;
SELECT EXTRACTVALUE(1, EXTRACTVALUE('<a/>', '/a'));
SELECT EXTRACTVALUE(1, UPDATEXML('<a/>', '/a', NULL));
SELECT EXTRACTVALUE('<a>', CONVERT(id USING utf16)) FROM t;
-- RETURNING looks at virtual columns: what they come upon is told, and fails (wrong rows).
CREATE TABLE made (id INT AUTO_INCREMENT PRIMARY KEY, c0 INT, c1 INT AS (CONCAT('x', c0)), c2 INT AS (c1 + 1));
INSERT INTO made (c0) VALUES (1), (2) RETURNING c2;
INSERT INTO made (c0) VALUES (3) RETURNING id;
REPLACE INTO made (id, c0) VALUES (3, 4) RETURNING (SELECT c1);
SET sql_mode = 'STRICT_TRANS_TABLES';
INSERT INTO made (id, c0) VALUES (10, 1), (11, '') RETURNING *;
INSERT INTO made (id, c0) VALUES (12, 1) RETURNING c2;
INSERT INTO made (id, c0) VALUES (13, 1) RETURNING c0;
SELECT id, c0 FROM made;
-- Zero below zero has its sign.
SELECT SFORMAT('{}|{:.2f}|{}|{}', -('0'), -('0'), ROUND(-0.4e0), TRUNCATE(-0.4e0, 0)) a, -('0') b, ROUND(-0.4e0) c, CONCAT(-('0')) d, ATAN2(-('0'), -1) e;
SELECT DISTINCT x FROM (SELECT 0e0 x UNION ALL SELECT -('0')) d;
SELECT x, COUNT(*) FROM (SELECT 0e0 x UNION ALL SELECT -('0')) d GROUP BY x;
-- The least of a column keeps CURRENT_TIMESTAMP as its default where a view shows it.
CREATE TABLE stamped (a TIMESTAMP NULL DEFAULT CURRENT_TIMESTAMP, b DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3), c DATETIME DEFAULT '2020-01-01');
CREATE VIEW stamps AS SELECT MIN(a) a, MAX(b) b, MAX(c) c FROM stamped;
SHOW COLUMNS FROM stamps;
CREATE TABLE kept AS SELECT * FROM stamps;
SHOW CREATE TABLE kept;
-- A column of a foreign key that names its own table may not change as the one that is named.
CREATE TABLE own (c0 INT, c1 BINARY(3), KEY (c1), CONSTRAINT f1 FOREIGN KEY (c1) REFERENCES own (c1));
ALTER TABLE own MODIFY c1 DECIMAL(10,2);
-- Tables are opened before anything else is looked at, as they are written, but for the first one of the first FROM clause.
CREATE TABLE one (id INT PRIMARY KEY, c VARCHAR(10));
CREATE TABLE gone (id INT PRIMARY KEY);
CREATE ALGORITHM=TEMPTABLE VIEW broken AS SELECT 1 r0 FROM gone a1 JOIN one a2;
DROP TABLE gone;
SELECT nosuch FROM one WHERE EXISTS (SELECT 1 FROM missing);
SELECT (SELECT 1 FROM missing1) FROM one, missing2;
SELECT (SELECT 1 FROM missing1) FROM missing2;
SELECT 1 FROM one UNION SELECT (SELECT 1 FROM missing1) FROM missing2;
SELECT 1 FROM one INTERSECT SELECT (SELECT 1 FROM broken a LEFT JOIN broken b ON 1) FROM gone;
SELECT 1 FROM one WHERE nosuch IN (SELECT 1 FROM broken);
SELECT (SELECT 1 FROM broken) FROM (SELECT 1 FROM gone) d;
WITH c AS (SELECT (SELECT 1 FROM missing3) FROM missing1) SELECT (SELECT 1 FROM missing2) FROM c;
WITH missing AS (SELECT 1 a) SELECT nosuch FROM missing, one, missing b;
INSERT INTO one (nosuch) SELECT 1 FROM missing;
INSERT INTO one SELECT 1, (SELECT 1 FROM missing1) FROM missing2;
UPDATE one SET id = (SELECT nosuch FROM one) WHERE id IN (SELECT 1 FROM missing);
DELETE one FROM one, missing1 WHERE id IN (SELECT 1 FROM missing2);
CREATE TABLE filled SELECT (SELECT 1 FROM missing1) FROM missing2;
PREPARE p FROM 'SELECT nosuch FROM one WHERE EXISTS (SELECT 1 FROM missing)';
-- FORMAT of what has no more digits than it is asked for, and of a float, is as long as it can be.
SELECT FORMAT('1 10:00' + INTERVAL 6 MINUTE, 9) a, FORMAT('1 10:00' + INTERVAL 6 MINUTE, 0) b, FORMAT(DATE_FORMAT('2020-01-01', '%Y'), 9) c, FORMAT('12', 9) d;
CREATE TABLE numbers (f FLOAT(7,3), g FLOAT, d DOUBLE(7,3), e ENUM('a', 'b'));
SELECT FORMAT(f, 9) a, FORMAT(f, 2) b, FORMAT(g, 9) c, FORMAT(d, 9) d, FORMAT(d, 2) e, FORMAT(e, 9) f FROM numbers;
CREATE TABLE lengths AS SELECT FORMAT('1 10:00' + INTERVAL 6 MINUTE, 9) a, FORMAT('1 10:00' + INTERVAL 6 MINUTE, 0) b, FORMAT(DATE_FORMAT('2020-01-01', '%Y'), 9) c, FORMAT('12', 9) d, FORMAT(f, 9) e, FORMAT(f, 2) f, FORMAT(g, 9) g, FORMAT(d, 9) h, FORMAT(d, 2) i, FORMAT(e, 9) j FROM numbers;
SHOW CREATE TABLE lengths;
-- A column that COLUMN_GET reads as text may have any characters.
CREATE TABLE letters (id INT, l VARCHAR(10) CHARACTER SET latin1, e ENUM('1', '2') CHARACTER SET latin1);
SELECT COLLATION(CONCAT(l, COLUMN_GET(COLUMN_CREATE('a', 1), 'a' AS CHAR))) FROM letters;
SELECT 1 FROM letters WHERE e BETWEEN COLUMN_JSON(COLUMN_CREATE('a', l)) AND COLUMN_GET(COLUMN_CREATE('a', id), 'a' AS CHAR);
INSERT INTO letters VALUES (1, 'a', '1');
SELECT COLLATION(CONCAT(l, COLUMN_GET(COLUMN_CREATE('a', 1), 'a' AS CHAR))) FROM letters;
-- Faults of ORDER BY are told before those of HAVING.
SELECT 1 FROM letters HAVING nosuch ORDER BY COALESCE(CAST('::1' AS INET6), CAST('123e4567-e89b-12d3-a456-426655440000' AS UUID));
SELECT 1 FROM letters HAVING nosuch ORDER BY nobody;
SELECT 1 FROM letters HAVING nosuch ORDER BY l;
-- What is wrong with keys is told before foreign keys that write to generated columns.
CREATE TABLE keyed (c1 LONGTEXT AS (1), FOREIGN KEY (c1) REFERENCES other (c0) ON UPDATE SET NULL);
CREATE TABLE keyed (id VARCHAR(3000) PRIMARY KEY, c1 INT AS (1), FOREIGN KEY (c1) REFERENCES other (c0) ON UPDATE SET NULL);
CREATE TABLE keyed (id INT, c1 INT AS (1), FOREIGN KEY (c1) REFERENCES other (c0) ON UPDATE SET NULL, KEY (id(5)));
CREATE TABLE keyed (id INT, c1 INT AS (1), FOREIGN KEY (c1) REFERENCES other (c0) ON UPDATE SET NULL, KEY a (id), KEY a (id));
-- A column that is converted for the texts that it is compared with is none to the times among them.
SET sql_mode = '';
CREATE TABLE timed (id INT PRIMARY KEY, t TIME, d DATETIME, u VARCHAR(20), l VARCHAR(5) CHARACTER SET latin1);
INSERT INTO timed VALUES (1, '10:00:00', '2020-01-01', 'x', 'abc'), (2, '11:00:00', '2020-01-01', 'abc', '11:00');
SELECT id, l IN (t, u), l IN (t, 'x'), u IN (t, l), CASE l WHEN t THEN 1 WHEN u THEN 2 END FROM timed;
SELECT id FROM timed WHERE l IN (u, d);
-- TIMEDIFF takes no date of LEAST and GREATEST that the mode does not know (wrong rows).
CREATE TABLE zeros (id INT PRIMARY KEY, z DATETIME, zd DATE, d DATETIME);
INSERT INTO zeros VALUES (1, '0000-00-00', '0000-00-00', '2020-01-01'), (2, '2020-00-00', '2020-00-01', '2020-01-02'), (3, NULL, NULL, NULL);
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT id, TIMEDIFF(LEAST(z, d), d), TIMEDIFF(LEAST(zd, zd), GREATEST(z, z)), TIMEDIFF(z, z), TIMEDIFF(COALESCE(z, d), z), TIMEDIFF(d, GREATEST(d, z)) FROM zeros;
SET sql_mode = 'NO_ZERO_DATE';
SELECT id, TIMEDIFF(LEAST(z, d), d) FROM zeros;
SET sql_mode = 'NO_ZERO_IN_DATE';
SELECT id, TIMEDIFF(LEAST(z, d), d) FROM zeros;
-- Pieces of numbers and times have the character set of numbers in dynamic columns (wrong rows).
SELECT HEX(COLUMN_CREATE('a', RPAD(1.5, 5, 'x'))) a, HEX(COLUMN_CREATE('a', LEFT(1.5, 2))) b, HEX(COLUMN_CREATE('a', REPEAT(TIME'10:00:00', 1))) c, HEX(COLUMN_CREATE('a', LPAD(1.5, 5, 'x'))) d, HEX(COLUMN_CREATE('a', RPAD('1.5', 5, 'x'))) e, HEX(COLUMN_CREATE('a', LEFT(REVERSE(15), 1))) f, HEX(COLUMN_CREATE('a', CONCAT(LEFT(1.5, 2)))) g, COLUMN_GET(COLUMN_CREATE('a', RPAD(1, 3, 'é')), 'a' AS CHAR) h;
SELECT HEX(COLUMN_CREATE('a', SUBSTRING(id, 1, 1))) a, HEX(COLUMN_CREATE('a', RIGHT(u, 1))) b, HEX(COLUMN_CREATE('a', (SELECT INSERT(15, 1, 1, 'x')))) c FROM timed;
-- A variable that was a geometry and is NULL is one still.
SET @g = POINT(0, 0);
SET @g = NULL;
CREATE TABLE place AS SELECT @g g;
SHOW CREATE TABLE place;
-- A period beyond what an INT holds is the greatest INT in a UNION.
SELECT PERIOD_ADD(200001, 1000000000) a UNION SELECT 1;
SELECT PERIOD_ADD(200001, 1000000000) a UNION ALL SELECT 1;
SELECT PERIOD_ADD(200001, 1000000000) a UNION SELECT 5000000000;
-- A document that a path leads nowhere in is read to its end before the next path is.
SELECT JSON_SET('99-', '$.b[0]', 'x', '$.*', 'y'), JSON_REMOVE('[1] x', '$.b[0]', 'z'), JSON_SET('{"b":[1]} x', '$.b[0]', 'x', '$.*', 'y'), JSON_SET('99-', '$.a', 'x', '$.*', 'y'), JSON_ARRAY_INSERT('[1,2', '$.b[0]', 1, '$.*', 'y'), JSON_SET('[1]', '$.b[0]', 'x', '$[1]', 'y');
-- IS NULL finds zero dates where a condition hangs on it, not inside of something else (wrong rows).
SET sql_mode = '';
CREATE TABLE never (id INT PRIMARY KEY, d DATETIME NOT NULL);
INSERT INTO never VALUES (1, '0000-00-00'), (27, '2024-06-15 12:30:45');
SELECT id FROM never WHERE d IS NULL;
SELECT id FROM never WHERE NOT (d IS NULL);
SELECT id FROM never WHERE NOT (d IS NOT NULL);
SELECT id FROM never WHERE NOT NOT (d IS NULL);
SELECT id FROM never WHERE NOT (d IS NULL AND 1);
SELECT id FROM never WHERE NOT (d IS NOT NULL OR id = 27);
SELECT id FROM never WHERE 1 XOR d IS NULL;
SELECT id FROM never WHERE (d IS NULL) = 1;
SELECT id FROM never WHERE (d IS NULL) IS TRUE;
SELECT id FROM never WHERE IF(d IS NULL, 1, 0);
SELECT id FROM never WHERE d IS NULL OR id = 5;
SELECT a.id FROM never a JOIN never b ON a.id = b.id AND b.d IS NULL;
SELECT a.id FROM never a JOIN never b ON a.id = b.id AND (b.d IS NULL) + 0;
SELECT id FROM (SELECT * FROM never WHERE d IS NULL) x;
SELECT id FROM never x WHERE EXISTS (SELECT 1 FROM never y WHERE y.id = x.id AND NOT (y.d IS NULL)) AND x.d IS NULL;
CREATE VIEW nulls AS SELECT id FROM never WHERE d IS NULL;
SELECT * FROM nulls;
UPDATE never SET id = id + 1 WHERE NOT (d IS NULL);
DELETE FROM never WHERE (d IS NULL) = 1;
SELECT id FROM never;
-- What should be a geometry and is none is bytes to a variable, whatever it was.
SET @g = POINT(0, 0);
SET @g = ST_GEOMFROMTEXT('POINT(1'), @h = ST_GEOMFROMTEXT(NULL), @i = 5;
SET @i = POINT(1, NULL);
CREATE TABLE places AS SELECT @g g, @h h, @i i;
SHOW CREATE TABLE places;
DROP TABLE places;
DROP DATABASE rows_11;
