-- Groups that nothing is asked of are left out before a parameter could be a place among what is listed.
CREATE TABLE t1 (id INT PRIMARY KEY, n INT UNSIGNED NOT NULL, c VARCHAR(10), b VARBINARY(10));
INSERT INTO t1 VALUES (1, 1, '1', 'a'), (2, 2, '1', 'b');
EXECUTE IMMEDIATE 'SELECT id FROM t1 WHERE c IN (SELECT 1 FROM t1 a GROUP BY 1, ?)' USING 100;
EXECUTE IMMEDIATE 'SELECT id FROM t1 WHERE EXISTS (SELECT 1 FROM t1 a GROUP BY ?)' USING 100;
EXECUTE IMMEDIATE 'SELECT id FROM t1 WHERE n > ANY (SELECT 1 FROM t1 a GROUP BY ? WITH ROLLUP)' USING 100;
EXECUTE IMMEDIATE 'SELECT id IN (SELECT 1 FROM t1 a GROUP BY ? UNION SELECT 3) FROM t1' USING 0;
EXECUTE IMMEDIATE 'SELECT id FROM t1 WHERE c IN (SELECT 1 FROM t1 a GROUP BY ? HAVING 1)' USING 100;
EXECUTE IMMEDIATE 'SELECT id FROM t1 WHERE c IN (SELECT COUNT(*) FROM t1 a GROUP BY id, ?)' USING 100;
EXECUTE IMMEDIATE 'SELECT id FROM t1 WHERE c = (SELECT 1 FROM t1 a GROUP BY 1, ?)' USING 100;
SELECT id FROM t1 WHERE c IN (SELECT 1 FROM t1 a GROUP BY 1, 100);
-- A time that a parameter brings is bytes to addresses and UUIDs.
EXECUTE IMMEDIATE 'SELECT CAST(? AS INET6), CAST(? AS UUID), CAST(CONCAT(?) AS INET6)' USING TIME'-10:00:00.123456', TIME'-10:00:00.123456', TIME'-10:00:00.123456';
EXECUTE IMMEDIATE 'SELECT CAST(? AS INET6), CAST(? AS UUID)' USING TIME'10:00:00', TIME'-10:00:00.1';
-- Bytes that are no ASCII go into no other character set.
SELECT HEX(CONVERT(_binary x'C3A4' USING ascii)), CONCAT(CONVERT(_binary x'C3A4' USING ascii), 'x');
SELECT CONCAT(CONVERT(_binary x'C3A4' USING ascii), 'x' COLLATE utf8mb4_nopad_bin);
SELECT CASE WHEN 1 THEN CONVERT(_binary x'C3A4' USING ascii) ELSE 'x' COLLATE utf8mb4_nopad_bin END;
SELECT CONVERT(_binary x'C3A4' USING ascii) = 'x' COLLATE utf8mb4_bin;
SELECT CONVERT(_binary x'C3A4' USING ascii) IN ('a', 'x' COLLATE utf8mb4_bin);
SELECT CONCAT(_ascii x'C3', 'x' COLLATE utf8mb4_bin);
SELECT CONCAT(CONVERT(b USING ascii), 'x' COLLATE utf8mb4_bin) FROM t1;
-- Integers lose their sign in an error of types only to a NULL before it.
PREPARE s FROM 'SELECT id, n FROM t1 UNION ALL SELECT 6, CAST(''fe80::1'' AS INET6) FROM t1 EXCEPT SELECT 1, ?';
SELECT n FROM t1 UNION SELECT CAST('::' AS INET6) UNION SELECT NULL;
SELECT n FROM t1 UNION SELECT NULL UNION SELECT CAST('::' AS INET6);
SELECT COALESCE(n, CAST('::' AS INET6), NULL) FROM t1;
SELECT COALESCE(n, NULL, CAST('::' AS INET6)) FROM t1;
-- What is prepared and is no query does not look into common table expressions that nothing names.
PREPARE s FROM 'CREATE VIEW v AS WITH RECURSIVE w AS (SELECT 1 FROM t1 a JOIN t1 b ON c.d) SELECT id FROM t1';
EXECUTE s;
SELECT * FROM v;
PREPARE s FROM 'CREATE TABLE t2 AS WITH w AS (SELECT x) SELECT 1 AS a';
EXECUTE s;
PREPARE s FROM 'INSERT INTO t1 (id) SELECT 1 FROM (WITH w AS (SELECT x) SELECT 1) a';
PREPARE s FROM 'DELETE FROM t1 WHERE id = (WITH w AS (SELECT x) SELECT 1)';
PREPARE s FROM 'DO (WITH w AS (SELECT x) SELECT 1)';
PREPARE s FROM 'CREATE TABLE t2 AS WITH w AS (SELECT x), u AS (SELECT 1 FROM w) SELECT 1';
PREPARE s FROM 'CREATE TABLE t2 AS WITH w AS (SELECT 1 FROM missing) SELECT 1';
PREPARE s FROM 'WITH w AS (SELECT x) SELECT 1';
-- Names of foreign keys are told with the database where they are not looked at, and are taken till the statement is done.
SET foreign_key_checks = 0;
CREATE TABLE t3 (id INT PRIMARY KEY, n INT, KEY (n), CONSTRAINT f1 FOREIGN KEY (n) REFERENCES t3 (id));
ALTER TABLE t3 ADD CONSTRAINT f1 FOREIGN KEY (n) REFERENCES t3 (id);
ALTER TABLE t3 ADD CONSTRAINT F1 FOREIGN KEY (n) REFERENCES t3 (id);
ALTER TABLE t3 DROP FOREIGN KEY f1, ADD CONSTRAINT f1 FOREIGN KEY (n) REFERENCES t3 (id);
ALTER TABLE t3 ADD CONSTRAINT f2 FOREIGN KEY (n) REFERENCES t3 (id), ADD CONSTRAINT f2 FOREIGN KEY (n) REFERENCES t3 (id);
ALTER TABLE t3 ADD CONSTRAINT f1 FOREIGN KEY IF NOT EXISTS (n) REFERENCES t3 (id);
ALTER TABLE t3 ADD CONSTRAINT f3 FOREIGN KEY IF NOT EXISTS f1 (n) REFERENCES t3 (id);
SET foreign_key_checks = 1;
ALTER TABLE t3 ADD CONSTRAINT f2 FOREIGN KEY (n) REFERENCES t3 (id), ADD CONSTRAINT f2 FOREIGN KEY (n) REFERENCES t3 (id);
SHOW CREATE TABLE t3;
-- What a temporary table is made of by way of a view or a query in between has lost the constant defaults of its columns.
CREATE TABLE t5 (id INT PRIMARY KEY, c CHAR(3) DEFAULT 'zz', n INT NOT NULL DEFAULT 8, ts TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, t TEXT NOT NULL DEFAULT 'q');
CREATE VIEW v5 AS SELECT * FROM t5;
CREATE TABLE t6 SELECT * FROM (SELECT DISTINCT * FROM v5) a;
SHOW CREATE TABLE t6;
CREATE TABLE t7 SELECT c, n FROM (SELECT c, n FROM (SELECT c, n FROM t5) a GROUP BY c, n) b;
SHOW CREATE TABLE t7;
CREATE TABLE t8 SELECT * FROM (SELECT c, n FROM (SELECT DISTINCT c, n FROM t5) a) b;
SHOW CREATE TABLE t8;
CREATE TABLE t9 SELECT * FROM (SELECT DISTINCT c, n FROM t5) a;
SHOW CREATE TABLE t9;
-- A format is the one that groups are made by in whatever character set it comes.
CREATE TABLE t10 (d DATETIME NOT NULL, s VARCHAR(5) NOT NULL);
INSERT INTO t10 VALUES ('2020-08-23 23:59:59', 'a'), ('2021-08-23 23:59:59', 'b');
EXECUTE IMMEDIATE 'SELECT DATE_FORMAT(d, ?) AS k, s FROM t10 GROUP BY DATE_FORMAT(d, ''%Y''), s WITH ROLLUP' USING _binary'%Y';
SELECT DATE_FORMAT(d, _latin1'%Y') AS k, s FROM t10 GROUP BY DATE_FORMAT(d, '%Y'), s WITH ROLLUP;
SELECT DATE_FORMAT(d, '%y') AS k, s FROM t10 GROUP BY DATE_FORMAT(d, '%Y'), s WITH ROLLUP;
SELECT _latin1'x', 1 FROM t10 GROUP BY 'x' WITH ROLLUP;
EXECUTE IMMEDIATE 'SELECT IF(d > 0, ''x'', ?) AS k, s FROM t10 GROUP BY IF(d > 0, ''x'', ''y''), s WITH ROLLUP' USING _binary'y';
-- Faults of documents are told by their place in what the changes before have made of the text.
SELECT JSON_SET('{"a":1,  "b":  2  } x', '$.a', 55555), JSON_SET('{"a":1,  "b":  2  } x', '$.c', 5);
SELECT JSON_SET('{"a":1,  "b":  2  } x', '$.a[0]', 55555), JSON_SET('{"a":1,  "b":  2  } x', '$.a[1]', 55555), JSON_SET('{  } x', '$.c', 55555);
SELECT JSON_SET('{"a":1,  "b":  2  } x', '$.a[last]', 55555), JSON_SET('[1,   2  ] x', '$[0]', 55555), JSON_SET('[1,   2  ] x', '$[7]', 55555);
SELECT JSON_SET('[  ] x', '$[7]', 55555), JSON_SET('  [ 1 ] x', '$', 5555555), JSON_SET('  11 x', '$[1]', 55555);
SELECT JSON_INSERT('  11 x', '$[1]', 55555), JSON_INSERT('  [  11  ,12 ] x', '$[0]', 55555), JSON_INSERT('  [  11  ,12 ] x', '$[0][1]', 55555);
SELECT JSON_INSERT(' {"a":   1 } x', '$', 5), JSON_REPLACE('  [  11  ,12 ] x', '$[0][0]', 55555), JSON_REPLACE('  [  11  ,12 ] x', '$[9]', 55555);
SELECT JSON_ARRAY_APPEND('  [  11  ,12 ] x', '$', 55555), JSON_ARRAY_APPEND('  [  11  ,12 ] x', '$[0]', 55555), JSON_ARRAY_APPEND('  [    ] x', '$', 55555);
SELECT JSON_ARRAY_APPEND('  {  "a":   1  } x', '$', 55555), JSON_ARRAY_APPEND('{"a":[1], "b": 5} y', '$.a', 55, '$.q', 4);
SELECT JSON_ARRAY_INSERT('  [  11  ,12 ] x', '$[1]', 55555), JSON_ARRAY_INSERT('  [  11  ,12 ] x', '$[last]', 55555), JSON_ARRAY_INSERT('  [   ] x', '$[7]', 55555);
SELECT JSON_SET(' {"a":   1 } x', '$.a', JSON_OBJECT('b', 1, 'c', JSON_COMPACT('  [1,  2]'))), JSON_SET(' {"a":   1 } x', '$.a', JSON_LOOSE('[1,2]'));
SELECT JSON_SET('{"a":1, "b": x}', '$.a', 55), JSON_SET('{"a":1, "b": x}', '$.a', 55, '$.c', 4), JSON_ARRAY_APPEND('{"a":[1], "b": x}', '$.a', 55);
SELECT JSON_ARRAY_INSERT('{"a":[1,2 x, "b": x} ', '$.a[0]', 55), JSON_SET('{"a":[1,2 x, "b": x} ', '$.a[0]', 55), JSON_SET('{"a":[1,2 x, "b": x} ', '$.a', 55);
SELECT JSON_SET(CONVERT('{"a":1, "b":"é"} x' USING latin1), '$.a', 'éé'), JSON_SET('{"a":1, "b":"é"} x', '$.a', _latin1 x'e9e9'), JSON_SET(_latin1'{"a":1} x', '$.a', 'ж');
SELECT JSON_REMOVE('{"a":1,  "b":  2} x', '$.a'), JSON_REMOVE('{ "a" : 1   ,  "b"  :   2   } x', '$.b'), JSON_REMOVE('{"a":1} x', '$.c');
SELECT JSON_REMOVE('{ "a" : 1   ,  "b"  :   2   ,  "c" :  3 } x', '$.b'), JSON_REMOVE('{ "a" : 1   ,  "b"  :   2   ,  "c" :  3 } x', '$.a', '$.a', '$.b', '$.c');
SELECT JSON_REMOVE('[ 1 ,  2 , 3 ] x', '$[0]'), JSON_REMOVE('[ 1 ,  2 , 3 ] x', '$[1]'), JSON_REMOVE('[ 1 ,  2 , 3 ] x', '$[2]'), JSON_REMOVE('[  1  ] x', '$[0]');
SELECT JSON_REMOVE('[  {"a": 4  }  ,  x] x', '$[0]'), JSON_REMOVE('{"a":1, x', '$.a', '$.x'), JSON_REMOVE('{"a":1 x', '$.a', '$['), JSON_REMOVE('{"a":1} x', '$.a', '$[');
SELECT JSON_SET('{ "a" : [1 , {"b" : 2} ] , "c" : "d" }', '$.a[1].b', 'x', '$.a[1].e', TRUE, '$.a[last]', 5, '$.a[last-7]', 6, '$.c[1]', 7), JSON_SET('[]', '$[last]', 1, '$[0]', 2);
SELECT JSON_ARRAY_INSERT('[1 , [2,3 ] ]', '$[1][0]', 0, '$[1][last]', 9, '$[last-9]', 8, '$[99]', 7), JSON_ARRAY_INSERT('{"a": 5}', '$.a[0]', 1), JSON_ARRAY_INSERT('{"a": 5}', '$[0]', 1);
SELECT JSON_REMOVE('[1 , [2,3 ] , {"a" : 4 , "b" : 5}]', '$[1][last]', '$[2].a', '$[2].b', '$[0]', '$[9]'), JSON_REMOVE('{"a": {"b": 1}}', '$[0].a[0].b', '$.x'), JSON_REMOVE('{"a": 1}', '$.a[0]');
SELECT JSON_INSERT('{"a": 1, "a": 2}', '$.a', 3, '$.\"b c\"', 4), JSON_REPLACE('{"a": 1, "a": 2}', '$.a', 3, '$.b', 4), JSON_SET('{"\\u0061": 1}', '$.a', 3), JSON_SET('[1]', '$[1][1]', 2, '$[0][1]', 3, '$[0].x', 4);
-- Where documents are compared or made normal, faults are told by bytes of UTF-8.
SELECT JSON_EQUALS('1', _binary x'df'), JSON_EQUALS('1', _latin1 x'DF'), JSON_EQUALS(_latin1 x'22DFDF2231', '1'), JSON_NORMALIZE(_binary x'22DFDF22DFDF'), JSON_NORMALIZE(_latin1 x'22DFDF2231');
-- NULL is no label of an ENUM that ALTER lets have none any more, not the first one.
SET sql_mode = '';
CREATE TABLE t11 (id INT, c3 INT, c4 ENUM('x', 'y'), c5 VARCHAR(5));
INSERT INTO t11 VALUES (1, NULL, NULL, NULL), (2, 2, 'y', 'y'), (3, 7, 'x', 'q');
ALTER TABLE t11 MODIFY c3 ENUM('x', 'y', 'z') NOT NULL FIRST, MODIFY c4 ENUM('x', 'y') NOT NULL, MODIFY c5 ENUM('x', 'y') NOT NULL DEFAULT 'y';
SELECT * FROM t11;
-- What a parameter is computed to is no number that is written so, to groups that are summed up.
EXECUTE IMMEDIATE 'SELECT -1 AS k FROM t10 GROUP BY -? WITH ROLLUP' USING 1;
EXECUTE IMMEDIATE 'SELECT -? AS k FROM t10 GROUP BY -? WITH ROLLUP' USING 1, 1;
EXECUTE IMMEDIATE 'SELECT -1.5 AS k FROM t10 GROUP BY -? WITH ROLLUP' USING 1.5;
SELECT 1, ABS(1) FROM t10 GROUP BY ABS(1) WITH ROLLUP;
SELECT 1, 0 + 1 FROM t10 GROUP BY 0 + 1 WITH ROLLUP;
-- Digits of a second that are cut off are those of a datetime.
SELECT TIMEDIFF('2024-06-15 12:30:45.6789011', '10:11:12'), ADDTIME('20240615123045.1234567', '10:11:12.12345678');
-- The number of a parameter is bytes to a user variable where a text might have been chosen, that of a variable is text of it.
SET @i = 10, @d = 1.5, @e = 1e0;
PREPARE s FROM 'SET @v1 = COALESCE(?, ''a''), @v2 = CASE 1 WHEN 1 THEN ? ELSE _latin1''a'' END, @v3 = LEFT(?, 1), @v4 = LPAD(?, 1, ''a''), @v5 = COALESCE(COALESCE(?, ''a''), ''b'')';
EXECUTE s USING @i, @i, @i, @i, @i;
SELECT COLLATION(@v1), COLLATION(@v2), COLLATION(@v3), COLLATION(@v4), COLLATION(@v5);
EXECUTE s USING @e, @e, @e, @e, @e;
SELECT COLLATION(@v1), COLLATION(@v2), COLLATION(@v3), COLLATION(@v4), COLLATION(@v5);
EXECUTE s USING @d, @d, @d, @d, @d;
SELECT COLLATION(@v1), COLLATION(@v2), COLLATION(@v3), COLLATION(@v4), COLLATION(@v5);
SET @v1 = COALESCE(@i, _koi8r'a'), @v2 = CASE 1 WHEN 1 THEN @d ELSE _latin1'a' END, @v3 = LEFT(@e, 1), @v4 = COALESCE(10, 'a'), @v5 = COALESCE(COALESCE(10, 'a'), 'b');
SELECT COLLATION(@v1), COLLATION(@v2), COLLATION(@v3), COLLATION(@v4), COLLATION(@v5);
-- Constants are no columns of a join's rows that are sorted for their groups: what is no date is zero among the extremes.
CREATE TABLE t12 (id INT PRIMARY KEY, c CHAR(5));
INSERT INTO t12 VALUES (1, 'a');
SELECT MAX(TIME('x')) AS r1, MIN(DATE('x')), COUNT(DISTINCT a.id) FROM t12 a CROSS JOIN t11 b GROUP BY a.c;
SELECT MAX(TIME('x')) AS r1, MAX(CAST('2020-13-01' AS DATETIME)) FROM t12 a CROSS JOIN t11 b GROUP BY a.c WITH ROLLUP;
SELECT MAX(TIME('x')) AS r1, MIN(DATE('x')) FROM t12 a CROSS JOIN t11 b GROUP BY a.c;
SELECT SQL_BIG_RESULT MAX(TIME('x')) AS r1 FROM t12 a CROSS JOIN t11 b GROUP BY a.c;
-- What several tables are given is only looked at as the UPDATE runs.
PREPARE s FROM 'UPDATE t12 a, t11 b SET a.c = EXTRACTVALUE(''<a>w</a>'', ?)';
EXECUTE s USING '//a';
SELECT * FROM t12;
PREPARE s FROM 'UPDATE t12 a, t11 b SET a.c = b.nosuch';
EXECUTE s;
PREPARE s FROM 'UPDATE t12 SET c = (SELECT nosuch FROM t12 a)';
EXECUTE s;
PREPARE s FROM 'UPDATE t12 a, t11 b SET a.c = (SELECT 1 FROM nosuch)';
PREPARE s FROM 'UPDATE t12 a, t11 b SET a.c = MAX(1) WHERE b.nosuch';
PREPARE s FROM 'UPDATE t12 SET c = nosuch';
PREPARE s FROM 'UPDATE t12 SET c = 1 WHERE id IN (SELECT id FROM t12) ORDER BY nosuch';
-- What JSON_SEARCH looks for is read in the document's character set, and compared as its texts are.
SELECT JSON_SEARCH(_binary'[1, "a", null]', 'all', 'A') AS a, JSON_SEARCH(_binary'["aÄc"]', 'all', 'a__c') AS b, JSON_SEARCH(_binary'["aÄc"]', 'all', _latin1 x'61c463') AS c, JSON_SEARCH(_binary x'5b2261c463225d', 'all', _latin1 x'61c463') AS d;
SELECT JSON_SEARCH('["Ä"]', 'all', _binary'Ä') AS a, JSON_SEARCH('["Ä"]', 'all', _latin1 x'c4') AS b, JSON_SEARCH(_latin1 x'5b22c4225d', 'all', 'ä') AS c, JSON_SEARCH(_latin1 x'5b22c4225d', 'all', _latin1 x'e4') AS d, JSON_SEARCH(_latin1'["10", 10]', 'all', 10) AS e;
SELECT JSON_SEARCH(_ucs2 x'005b0022006100e90022005d', 'all', 'a%') AS a, JSON_SEARCH(_utf8mb3'["aéc"]', 'all', 'AÉC') AS b, JSON_SEARCH('["Ä"]', 'all', 'ä' COLLATE utf8mb4_bin) AS c;
-- Keys are what the select list has, be it without the sign that a parameter brings.
SET @u = CAST(7 AS UNSIGNED);
PREPARE s FROM 'SELECT 1, 7 - id * 9 AS d FROM t12 GROUP BY 1, ? - id * 9';
EXECUTE s USING @u;
PREPARE s FROM 'SELECT 7 - id * 9 AS d FROM t12 ORDER BY ? - id * 9';
EXECUTE s USING @u;
PREPARE s FROM 'SELECT 1 AS d FROM t12 GROUP BY ? - id * 9';
EXECUTE s USING @u;
-- MIN and MAX at the ends of indexes of the table that rows go into are those of before the first row, whatever else their block does.
CREATE TABLE t13 (id INT PRIMARY KEY, a INT, b VARCHAR(10), c ENUM('x', 'b'), d DATE, KEY (a), KEY (c), KEY (d), KEY (b));
CREATE TABLE t14 (id INT PRIMARY KEY);
INSERT INTO t14 VALUES (0), (3);
REPLACE INTO t13 VALUES (25, 27, '5', 'x', '2001-01-01'), (24, 7, (SELECT MAX(a1.a) + 1 FROM t13 a1, t14 a2), 'b', NULL);
SELECT * FROM t13;
INSERT INTO t13 (id, a, b) VALUES (1, 99, 0), (2, 0, (SELECT CONCAT_WS(' ', MAX(a1.a), COUNT(*)) FROM t13 a1, t14 a2 WHERE a2.id < 3)), (3, 0, (SELECT MAX(a1.a) FROM t13 a1, t14 a2 WHERE a1.id < 99));
SELECT * FROM t13;
INSERT INTO t13 (id, a, c, d) VALUES (4, 100, 2, '2020-02-02'), (5, 1, (SELECT MAX(a1.c) FROM t13 a1, t14 a2), (SELECT MAX(a1.d) FROM t13 a1, t14 a2 WHERE a1.d > '2000-01-01'));
SELECT * FROM t13;
INSERT INTO t13 (id, a, b) VALUES (6, 101, 'z'), (7, 1, (SELECT CONCAT(MAX(a1.c), MAX(a1.b), MIN(a1.id), MIN(a1.a)) FROM t13 a1, t13 a2)), (8, 102, (SELECT MAX(a) FROM t13 a1 UNION SELECT MAX(a1.a) FROM t13 a1, t14)), (9, 103, (SELECT x.m FROM (SELECT MAX(a1.a) AS m FROM t13 a1, t14) x));
SELECT * FROM t13;
INSERT INTO t13 (id, a, b) VALUES (10, 104, 'z'), (11, 1, (SELECT MAX(a1.a) + 0 * SUM(a2.id) FROM t13 a1 LEFT JOIN t14 a2 ON 1)), (12, 1, (SELECT MAX(a1.a) + 0 * SUM(a2.id) FROM t14 a2 LEFT JOIN t13 a1 ON 1)), (13, 1, (SELECT MAX(a1.a) FROM t13 a1, t13 a2 WHERE a1.a = a2.a + 0)), (14, 1, (SELECT MAX(a1.a) FROM t13 a1, t14 a2 HAVING COUNT(*) > 30)), (15, 1, (SELECT MAX(a1.a) FROM t13 a1, t14 a2 WHERE a2.id > 5));
SELECT * FROM t13;
INSERT INTO t13 (id, a) VALUES (16, 105), (10, 1) ON DUPLICATE KEY UPDATE b = (SELECT MAX(a1.a) FROM t13 a1, t14), d = (SELECT MAX(a1.d) FROM t13 a1);
SELECT * FROM t13 WHERE id IN (10, 16);
INSERT INTO t13 (id, a) SELECT id + 13, 106 FROM t14 ON DUPLICATE KEY UPDATE b = (SELECT MAX(a1.a) FROM t13 a1, t14 a2);
SELECT * FROM t13 WHERE id IN (13, 16);
PREPARE s FROM 'INSERT INTO t13 (id, a, b) VALUES (? + 1, 200 + ?, 1), (? + 2, 1, (SELECT MAX(a1.a) FROM t13 a1, t14 a2 WHERE a1.a < ?))';
EXECUTE s USING 30, 1, 30, 900;
EXECUTE s USING 40, 2, 40, 106;
SELECT * FROM t13 WHERE id > 30;
-- What MAKE_SET makes of bytes is a document in the characters of its first member to what looks at it, and bytes to CAST.
SELECT JSON_COMPACT(MAKE_SET(10, _binary'c d', 'ß')) AS a, JSON_COMPACT(MAKE_SET(2, _binary'c d', _latin1 x'df')) AS b, JSON_COMPACT(MAKE_SET(3, '["ß"', _binary']')) AS c, JSON_COMPACT(ELT(2, _binary'c d', 'ß')) AS d;
SELECT JSON_UNQUOTE(MAKE_SET(2, _binary'a', '"ß"')) AS b, HEX(JSON_UNQUOTE(MAKE_SET(2, _binary'a', _latin1 x'22df22'))) AS c, HEX(JSON_UNQUOTE(MAKE_SET(2, _binary'a', _latin1 x'df'))) AS d, JSON_EXTRACT(MAKE_SET(2, _binary'a', '["ß"]'), '$[0]') AS e, JSON_QUOTE(MAKE_SET(2, _binary'a', _latin1 x'df')) AS g, JSON_DETAILED(MAKE_SET(2, _binary'a', '["ß"]')) AS h, JSON_SEARCH(MAKE_SET(2, _binary'a', '["ß"]'), 'all', 'ß') AS i;
SELECT JSON_CONTAINS(MAKE_SET(2, _binary'a', '["ß"]'), '"ß"') AS k, JSON_KEYS(MAKE_SET(2, _binary'a', '{"ß":1}')) AS l, HEX(JSON_SET(MAKE_SET(2, _binary'a', '{"ß":1}'), '$.a', 'ß')) AS m, JSON_SET('{}', '$.a', MAKE_SET(2, _binary'a', 'ß')) AS n, JSON_MERGE(MAKE_SET(2, _binary'a', '["ß"]'), '1') AS o, JSON_VALID(MAKE_SET(2, _binary'a', _ucs2 x'005b0031005d')) AS p, JSON_EXTRACT('{"ß":1}', MAKE_SET(2, _binary'a', '$.ß')) AS r;
SELECT JSON_NORMALIZE(MAKE_SET(2, _binary'a', '["ß"]')) AS v, JSON_EQUALS(MAKE_SET(2, _binary'a', '["ß"]'), '["ß"]') AS x, JSON_OVERLAPS(MAKE_SET(2, _binary'a', '["ß"]'), '["ß"]') AS y, JSON_EXISTS(MAKE_SET(2, _binary'a', '{"ß":1}'), '$.ß') AS z, HEX(JSON_VALUE(MAKE_SET(2, _binary'a', '["ß"]'), '$[0]')) AS f, HEX(JSON_OBJECT(MAKE_SET(2, _binary'a', 'ß'), 'ß', MAKE_SET(2, _binary'a', '€'), 1)) AS q;
SELECT HEX(CAST(MAKE_SET(2, _binary'a', _latin1 x'df') AS CHAR)) AS a, HEX(CAST(MAKE_SET(2, _binary'a', 'ß') AS CHAR CHARACTER SET latin1)) AS b, HEX(CONVERT(MAKE_SET(2, _binary'a', _latin1 x'df') USING utf8mb4)) AS c, HEX(CAST(MAKE_SET(id + 1, _binary'a', _latin1 x'df') AS CHAR(3))) AS d FROM t12;
-- A geometry that is one of several makes a variable that is prepared what a number does.
PREPARE s FROM 'SET @g1 = COALESCE(?, POINT(0, 0)), @g2 = IF(?, POINT(0, 0), POINT(0, 1)), @g3 = POINT(0, 0), @g4 = LEAST(POINT(0, 0), ?), @g5 = CASE 1 WHEN 1 THEN POINT(0, 0) ELSE ? END';
SELECT COLLATION(@g1), COLLATION(@g2), COLLATION(@g3), COLLATION(@g4), COLLATION(@g5), @g1;
EXECUTE s USING 5, 5, 5, 5;
SELECT COLLATION(@g1), @g1;
-- A row that constants look up by a whole key of the table that rows go into is looked for before the first row, in whatever block.
CREATE TABLE t15 (id INT PRIMARY KEY, u INT, k1 VARCHAR(5), k2 INT, r VARCHAR(30), UNIQUE (u), UNIQUE (k1, k2));
INSERT INTO t15 VALUES (1, 1, 'z', 1, 0);
INSERT INTO t15 VALUES (25, 27, 'a', 3, ''), (26, 0, 'b', 3, (SELECT a1.u FROM t15 a1, t14 a2 WHERE a1.id = 25 LIMIT 1)), (27, 2, 'b', 4, (SELECT COUNT(*) FROM t15 a1, t14 a2 WHERE a1.k1 = 'A' AND a1.k2 = 3)), (28, 3, 'b', 5, (SELECT COUNT(a1.id) FROM t14 a2 LEFT JOIN t15 a1 ON a1.id = 25)), (29, 4, 'b', 6, (SELECT 5 FROM t15 a1 WHERE a1.id = 25 UNION SELECT 6 FROM t15 a1 WHERE a1.id = 25)), (30, 5, 'b', 7, (SELECT 1 + (SELECT u FROM t15 a1 WHERE id = 25))), (31, 6, 'b', 8, (SELECT COUNT(*) FROM t15 a1, t14 a2 WHERE a1.u = 27 AND a2.id < 3)), (32, 7, 'b', 9, (SELECT COUNT(*) FROM t15 a1, t14 a2 WHERE a1.k1 = 'a')), (33, 8, 'b', 10, (SELECT COUNT(*) FROM t15 a1, t15 a2 WHERE a1.id = 1));
SELECT * FROM t15;
INSERT INTO t15 VALUES (45, 47, 'c', 3, ''), (1, 7, 'c', 1, 1) ON DUPLICATE KEY UPDATE r = (SELECT u FROM t15 a1 WHERE id = 45);
INSERT INTO t15 SELECT id + 50, 80 + id, 'd', id, '' FROM t14 ORDER BY id ON DUPLICATE KEY UPDATE r = (SELECT MAX(a1.u) FROM t15 a1, t14 a2);
SELECT * FROM t15 WHERE id NOT BETWEEN 25 AND 40;
INSERT INTO t15 SELECT 60, 90, 'e', 1, '' UNION ALL SELECT 1, 1, 1, 1, 1 ON DUPLICATE KEY UPDATE r = (SELECT MAX(a1.u) FROM t15 a1, t14 a2);
INSERT INTO t15 SELECT 61 - 60 * id / 3, 91, 'f', id, '' FROM t14 ORDER BY id ON DUPLICATE KEY UPDATE k1 = (SELECT MAX(a1.id) FROM t15 a1, t14 a2), k2 = (SELECT COUNT(*) FROM t15 a1 WHERE a1.id = 61);
SELECT * FROM t15 WHERE id NOT BETWEEN 25 AND 40;
-- A derived table that is part of its block reads the table that rows go into as the block itself would: by its name as it was.
DELETE FROM t15 WHERE id > 1;
INSERT INTO t15 VALUES (25, 27, 'a', 3, ''), (26, 0, 'b', 3, (SELECT COUNT(*) FROM (SELECT * FROM t15) x WHERE u > 0)), (27, 2, 'b', 4, (SELECT COUNT(*) FROM (SELECT * FROM (SELECT * FROM t15) y) x));
SELECT * FROM t15;
INSERT INTO t15 VALUES (35, 37, 'a', 4, ''), (36, 10, 'c', 3, (SELECT COUNT(*) FROM (SELECT * FROM t15 y) x)), (37, 12, 'c', 4, (SELECT COUNT(*) FROM (SELECT * FROM t15 LIMIT 20) x)), (38, 13, 'c', 5, (SELECT COUNT(*) FROM (SELECT id FROM t15 GROUP BY id) x));
SELECT * FROM t15;
