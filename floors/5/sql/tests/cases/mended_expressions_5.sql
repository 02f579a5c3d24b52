-- A user variable that is to be given a value is known by then, and has the character set of it, though there be none.
CREATE TABLE b (id INT PRIMARY KEY, c DATETIME(3), v VARCHAR(9), t TIME, t3 TIME(3), i4 INET4, i6 INET6, d DATETIME NOT NULL);
INSERT IGNORE INTO b VALUES (1, '2020-01-01 10:11:12.5', 'a', '10:11:12', '10:11:12.5', '1.2.3.4', '::1', '0000-00-00'), (2, '2020-01-01 10:11:12', 'b', NULL, NULL, NULL, NULL, '2020-01-31');
SET @v = 'a';
SET @v = EXP(9999);
SELECT @v, COLLATION(@v), COERCIBILITY(@v);
SET @v = (SELECT x'41' FROM b);
SELECT @v, COLLATION(@v), COERCIBILITY(@v);
SET @v = CAST(NULL AS DOUBLE);
SELECT @v, COLLATION(@v);
SET @v = 'a';
SET @v = NULLIF(1, 1);
SELECT @v, COLLATION(@v);
SET @v = _latin1'a';
SELECT @v := 'b' FROM b WHERE 0;
SELECT @v, COLLATION(@v);
SET @new1 = EXP(9999);
SELECT @new1, COLLATION(@new1), COERCIBILITY(@new1);
SET @new2 = (SELECT x'41' FROM b);
SELECT @new2, COLLATION(@new2), COERCIBILITY(@new2);
SET @v = 'a';
PREPARE s FROM 'SET @v = ?';
SELECT @v, COLLATION(@v);
EXECUTE s USING NULL;
SELECT @v, COLLATION(@v);
EXECUTE s USING _latin1'a';
EXECUTE s USING NULL;
SELECT @v, COLLATION(@v);
SET @v = 'a';
PREPARE s FROM 'SET @v = ? COLLATE utf8mb4_bin';
SELECT @v, COLLATION(@v);
SET @v = 'a';
PREPARE s FROM 'SELECT @v := ?';
SELECT @v, COLLATION(@v);
SET @v = 'a';
PREPARE s FROM 'SET @v = CONCAT(?)';
SELECT @v, COLLATION(@v);
-- A variable keeps all digits of a number that was reckoned of a date.
SET @v = (CONVERT_TZ('2020-02-28 10:11:12.5', '+00:00', '+05:30')) + 6;
SELECT @v;
SET @v = CAST('2020-02-28 10:11:12.5' AS DATETIME(3)) + 1;
SELECT @v;
SET @v = CAST('2020-01-01 10:11:12' AS DATETIME(3)) + 0;
SELECT @v;
SET @v = -CAST('10:11:12.5' AS TIME(3));
SELECT @v;
-- Weeks cannot be added to a time, as months cannot.
SELECT t + INTERVAL 1 WEEK, t + INTERVAL 7 DAY, t3 - INTERVAL 1 WEEK, t + INTERVAL NULL WEEK, DATE_ADD(t, INTERVAL 1 WEEK) FROM b WHERE id = 1;
CREATE TABLE m1 AS SELECT t + INTERVAL 1 WEEK AS a, t + INTERVAL 1 DAY AS c FROM b WHERE 0;
SHOW CREATE TABLE m1;
-- The session's facts are constants to ROUND.
SELECT ROUND('a', LAST_INSERT_ID(11)), ROUND(1.2345, (SELECT 2)), TRUNCATE(1.2345, (SELECT 2)), ROUND(1.12345, LAST_INSERT_ID(2)), ROUND(1.23456, LENGTH(DATABASE()) * 0 + 2);
CREATE TABLE m2 AS SELECT GREATEST(ROUND('1', LAST_INSERT_ID(11)), NULL) AS a, GREATEST(ROUND('1', CONNECTION_ID() * 0 + 3), NULL) AS b;
SHOW CREATE TABLE m2;
-- What cannot be compared under NOT is said of the opposite comparison.
SELECT NOT (c > i4) FROM b;
SELECT NOT (c > i4 AND c < 5) FROM b;
SELECT NOT (c < 5 OR c > i4) FROM b;
SELECT NOT NOT (c > i4) FROM b;
SELECT NOT (c > i4) IS TRUE FROM b;
SELECT id FROM b WHERE NOT (c = i4);
SELECT id FROM b WHERE NOT ((c, 1) = (i4, 1));
SELECT NOT (1 XOR (c > i4)) FROM b;
SELECT NOT (c <=> i4) FROM b;
SELECT NOT (IF(1, c > i4, 1)) FROM b;
-- A path in a variable is read before the document.
SET @good = '/a', @bad = '1:1';
SELECT EXTRACTVALUE('<a>', @good);
SELECT EXTRACTVALUE('<a>', @bad);
SELECT EXTRACTVALUE('<a>', @nothing);
SELECT EXTRACTVALUE('<a>', CONCAT(@bad));
SELECT IF(0, EXTRACTVALUE('<a>', @nothing), 1);
SELECT UPDATEXML('<a>', @bad, 'x');
SET @x = EXTRACTVALUE('<a>', @bad);
-- Empty text of a UNION is VARCHAR.
CREATE TABLE m3 AS SELECT '' a UNION SELECT NULL;
SHOW CREATE TABLE m3;
CREATE TABLE m4 AS SELECT * FROM (SELECT '' a UNION SELECT '') x;
SHOW CREATE TABLE m4;
CREATE TABLE m5 AS SELECT x'' a UNION SELECT NULL;
SHOW CREATE TABLE m5;
CREATE TABLE m6 AS SELECT '' a, CONCAT('') b;
SHOW CREATE TABLE m6;
CREATE TABLE m7 AS SELECT NULL a UNION SELECT NULL;
SHOW CREATE TABLE m7;
-- The bytes of an address are BINARY.
CREATE TABLE m8 AS SELECT CAST(i6 AS BINARY) a, CAST(i4 AS BINARY) b, CAST(i6 AS BINARY(5)) c, BINARY i6 d, CONVERT(i6, BINARY) e, CAST(CAST('::' AS INET6) AS BINARY) f, CAST(i6 AS BINARY(255)) g, CAST(i6 AS BINARY(256)) h, CAST('abc' AS BINARY) i, CONCAT(CAST(i6 AS BINARY)) j, CAST(i6 AS CHAR) k FROM b;
SHOW CREATE TABLE m8;
CREATE TABLE m9 AS SELECT * FROM (SELECT CAST(i6 AS BINARY) a FROM b LIMIT 1) x;
SHOW CREATE TABLE m9;
CREATE TABLE m10 AS SELECT DISTINCT CAST(i6 AS BINARY) a FROM b;
SHOW CREATE TABLE m10;
-- A text is among dates as it is one, whatever the mode has of it.
SET sql_mode = 'TRADITIONAL';
SELECT id FROM b WHERE '2020-01-00' IN (SELECT d FROM b);
SELECT '2020-01-00' IN (SELECT d FROM b), '2020-02-31' IN (SELECT d FROM b), 20200100 IN (SELECT d FROM b), '0000-00-00' IN (SELECT d FROM b), '2020-01-31' IN (SELECT d FROM b);
SELECT id, '2020-01-00' IN (SELECT d FROM b) FROM b;
-- Errors of PREPARE quote names as the mode has it.
SET sql_mode = 'ANSI_QUOTES';
PREPARE s FROM 'SELECT LINESTRING(POINT(1, 1), (SELECT MAX(ST_GEOMFROMTEXT(''LINESTRING(0 0,1 1)'')) FROM b s))';
SET sql_mode = '';
-- What stands for no character to escape with.
SELECT 'a%' LIKE 'a\\%' ESCAPE NULL, 'a%' LIKE 'a\\%' ESCAPE '', 'a\\b' LIKE 'a\\%' ESCAPE '', 'a\\b' LIKE 'a\\%' ESCAPE CONCAT(''), 'a\\b' LIKE 'a\\%' ESCAPE CONCAT(NULL);
SELECT _latin1'a\\b' LIKE _latin1'a\\%' ESCAPE '', _latin1'a\\b' LIKE _latin1'a\\%' ESCAPE _latin1'', x'615c62' LIKE 'a\\%' ESCAPE '';
PREPARE s FROM 'SELECT ''a%'' LIKE ''a|%'' ESCAPE ?';
EXECUTE s USING '|';
EXECUTE s USING NULL;
EXECUTE s USING 'ab';
SET sql_mode = 'NO_BACKSLASH_ESCAPES';
SELECT 'a\b' LIKE 'a\%', 'a\b' LIKE 'a\b', 'ab' LIKE 'a\b', _latin1'a\b' LIKE _latin1'a\%', x'615c62' LIKE 'a\%', _cp1251'a\b' LIKE _cp1251'a\%', 'a%' LIKE 'a\%' ESCAPE NULL;
SELECT 'a%' LIKE 'a\%' ESCAPE '';
SET sql_mode = '';
-- NAME_CONST is looked at as it is read.
SELECT NAME_CONST(id, 1) FROM nosuch;
SELECT NAME_CONST('a', id), syntax error here;
SELECT NAME_CONST('a', 1 + 1);
SELECT NAME_CONST('a', @a);
SELECT NAME_CONST(CONCAT('a'), 1);
SELECT NAME_CONST(-'a', 1);
SELECT NAME_CONST('a', - -'x');
SELECT NAME_CONST('a', -1 COLLATE utf8mb4_bin);
SELECT NAME_CONST(-1, 1), NAME_CONST('a', -'1'), NAME_CONST('b', -NULL), NAME_CONST('c', 1 COLLATE utf8mb4_bin), NAME_CONST(+'d', - -1), NAME_CONST(NULL, 1), NAME_CONST('e', (1));
PREPARE s FROM 'SELECT NAME_CONST(?, 1) FROM nosuch';
PREPARE s FROM 'SELECT NAME_CONST(''a'', ?), _ucs2 ?';
-- An unknown number of digits leaves those of a time.
CREATE TABLE p (id INT PRIMARY KEY, d DATETIME(3) NOT NULL, t TIME(2), y YEAR, s SMALLINT, v VARCHAR(10), n BIGINT, l LONGBLOB, u UUID, b5 BIT(5));
INSERT INTO p VALUES (1, '2020-01-01 10:11:12', '10:11:12', 1975, -62, 'a', 1, 'x', NULL, 2), (2, '2020-01-01 10:11:12', '10:11:12', 2030, 193, 'b', 0, '1e2', NULL, 3);
CREATE TABLE m11 AS SELECT ROUND(d, NULL) a, ROUND(t, NULL) b, TRUNCATE(d, NULL) c, ROUND(TIME'10:11:12.5', NULL) e FROM p;
SHOW CREATE TABLE m11;
-- Seconds may be below zero by less than a microsecond.
SELECT FROM_UNIXTIME(ATAN2(-2.5e-3, 100000)), FROM_UNIXTIME(-1e-7, '%Y'), FROM_UNIXTIME(-0.0000001), FROM_UNIXTIME(-0.0), FROM_UNIXTIME('-0.00000001'), MAKETIME(1, 1, -1e-9);
-- A geometry that is NULL is none beside a BIGINT column either; the least of geometries is none of numbers.
SELECT id FROM p WHERE n = POINT(1, 1);
SELECT id FROM p WHERE n = POINT(1, NULL);
SELECT id FROM p WHERE ST_POINTN(ST_GEOMFROMTEXT('MULTIPOINT(1 1,2 2)'), 4) <=> n;
SELECT MIN(n / n) - MAX(ST_GEOMFROMTEXT('POINT(1 1)')) FROM p;
SELECT MAX(POINT(1, 1)) + 1 FROM p;
SELECT 1.5e0 + MAX(POINT(1, 1)) FROM p;
SELECT -MAX(POINT(1, 1)) FROM p;
SELECT ABS(MAX(POINT(1, 1))) FROM p;
SELECT ROUND(MAX(POINT(1, 1))) FROM p;
SELECT MOD(MAX(POINT(1, 1)), 1) FROM p;
SELECT (SELECT MAX(POINT(1, 1))) - 1 FROM p;
SELECT id FROM p GROUP BY id ORDER BY MAX(POINT(1, 1)) + 1;
-- Constants that something is said of are years beside a YEAR column as well.
SELECT id FROM p WHERE y NOT BETWEEN COLUMN_GET(COLUMN_CREATE(1, 'x', 2, '10:11'), 2 AS DECIMAL(10,2)) AND 2147483647;
-- What a subquery finds to be no date is told of by its column.
SELECT TIME'10:11:12.5' IN (SELECT s FROM p WHERE id = 1);
SELECT TIME'10:11:12.5' IN (SELECT v FROM p WHERE id = 1);
SELECT TIMESTAMP'2020-01-01 10:11:12.5' IN (SELECT s FROM p WHERE id = 1);
SELECT TIME'10:11:12.5' = (SELECT s FROM p WHERE id = 1);
-- Beside bits a text keeps its characters where it is a number.
SELECT 'straße' IN (b5, '%'), 'straße' IN (b5, 2.5, '%') FROM p WHERE id = 1;
-- DECODE gives a text among bytes in its own character set.
SELECT DECODE_ORACLE(l, l, _latin1 x'E4', l), HEX(DECODE_ORACLE(l, l, _latin1 x'E4', l)), DECODE_ORACLE(1, 1, _ucs2 x'00E4', x'41') FROM p;
-- A parameter's text is known where it is to be a UUID.
PREPARE s FROM 'CREATE TABLE m12 AS SELECT IFNULL(u, ?) a, COALESCE(u, ?) b, IFNULL(u, CONCAT(?)) c FROM p WHERE 0';
EXECUTE s USING '123E4567E89B12D3A456426655440000', '123E4567E89B12D3A456426655440000', '123E4567E89B12D3A456426655440000';
SHOW CREATE TABLE m12;
-- JSON_EXISTS says nothing of what is no path.
SELECT JSON_EXISTS('"text"', ''), JSON_EXISTS('"text"', '$.'), JSON_EXISTS('[1', '$.b');
-- Lengths go by what is a constant to the statement.
SET @n = 3;
CREATE TABLE m13 AS SELECT LEFT(v, LAST_INSERT_ID(2)) a, LPAD(v, LAST_INSERT_ID(5), 'b') b, REPEAT('ab', LAST_INSERT_ID(2)) c, SUBSTR(v, 1, LAST_INSERT_ID(2)) d, SPACE(LAST_INSERT_ID(3)) e, LEFT(v, @n) f, REPEAT('ab', @n) g, LEFT(v, CONNECTION_ID() * 0 + 2) h, LEFT(v, (SELECT MAX(id) FROM p)) i, LEFT(v, RAND() * 0 + 2) j, FORMAT(1.5, LAST_INSERT_ID(3)) k, FORMAT(1.5, id) l, FORMAT(1.5, 38) m, FORMAT(1.5, NULL) n, REPEAT('ab', (SELECT MAX(id) FROM p)) o FROM p;
SHOW CREATE TABLE m13;
-- Locales that are written in the statement are looked at once, whether they are wanted or not.
SELECT IF(1, 1, FORMAT(7, 5, NULL)), IF(1, 1, DATE_FORMAT(d, '%M', 'xx')), FORMAT(7, 5, 'yy'), IF(1, 1, FORMAT(7, 5, CONCAT('zz'))) FROM p;
SELECT FORMAT(7, 5, CONCAT('zz')) FROM p;
-- A document that stays as it is keeps the places of what stands behind it.
SELECT JSON_INSERT('{"b":2,"a":[3,1]}1', '$.b[2].c', 'x'), JSON_SET('{"b":2} x', '$.b[2].c', 'x'), JSON_INSERT('[1,2]3', '$[0]', 'x');
-- In a condition the greatest of texts is a text, but to comparisons.
CREATE TABLE q (id INT PRIMARY KEY, c BIGINT, i INT);
INSERT INTO q VALUES (1, 0, 0), (2, 2020, 2020), (3, 1, 1), (4, 100, 100);
SELECT id FROM q WHERE c BETWEEN GREATEST('2020', '3') AND 5000;
SELECT id FROM q WHERE i IN (GREATEST('2020', '3'), 100);
SELECT id FROM q WHERE NOT (i BETWEEN GREATEST('2020', '3') AND 5000);
SELECT id FROM q WHERE i + GREATEST('2020', '3') = 2020;
SELECT id FROM q WHERE i >= GREATEST('2020', '3');
SELECT id FROM q WHERE INTERVAL(i, GREATEST('2020', '3'));
SELECT x.id FROM q x JOIN q y ON x.i BETWEEN GREATEST('2020', '3') AND 5000 AND y.id = x.id;
SELECT id, i BETWEEN GREATEST('2020', '3') AND 5000, i IN (GREATEST('2020', '3'), 100) FROM q;
-- Mixes of collations that no parameter makes up are told of by PREPARE.
PREPARE s FROM 'SELECT v COLLATE utf8mb4_bin = (? COLLATE utf8mb4_general_ci) FROM p';
PREPARE s FROM 'SELECT 1 FROM p WHERE v COLLATE utf8mb4_bin = v COLLATE utf8mb4_general_ci AND ?';
PREPARE s FROM 'SELECT ? COLLATE utf8mb4_bin IN (1, v COLLATE utf8mb4_general_ci) FROM p';
PREPARE s FROM 'SELECT CONCAT(v COLLATE utf8mb4_bin, ?) FROM p';
EXECUTE s USING 'x';
-- Dates that show what digits there are have six as numbers.
CREATE TABLE r (id INT PRIMARY KEY, c VARCHAR(20), ts TIMESTAMP(6) NULL, d DATETIME(3));
INSERT IGNORE INTO r VALUES (1, '1', '0000-00-00', '0000-00-00'), (2, '1.5', '2020-01-01 10:11:12.5', '2020-01-02');
SELECT ABS(FROM_UNIXTIME(c)), ABS(TIMESTAMP('2020-01-01', c)), ABS(d) FROM r;
-- The least of dates is rounded whatever the mode has of it.
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT ROUND(ts, 2), FLOOR(ts), TRUNCATE(d, 2) FROM r;
SELECT TRUNCATE(MIN(ts), 7), ROUND(MIN(d)), FLOOR(MIN(ts)), CEIL(MIN(d)) FROM r;
SELECT HEX(1), TRUNCATE(MIN(ts), 7), ROUND(MIN(d), 2) FROM r GROUP BY 1;
SET sql_mode = '';
-- The other case may be longer.
SET NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci;
CREATE TABLE m14 AS SELECT UCASE('a_c') a, LCASE('a_c') b, CONCAT(UPPER('abc')) c, LEFT(UPPER('abc'), 2) d, UPPER(12) e, LOWER(x'41') f, UPPER('abc' COLLATE utf8mb4_unicode_ci) g, UPPER('abc' COLLATE utf8mb4_turkish_ci) h, UPPER(_ucs2 x'0061' COLLATE ucs2_unicode_520_ci) i;
SHOW CREATE TABLE m14;
SET NAMES utf8mb4;
-- No query is run for the digits of an integer; for a path one is, once, and what it says fails nothing.
CREATE TABLE m15 AS SELECT ROUND(id, (SELECT MAX(id) FROM r)) a, ROUND(1.2345, (SELECT MIN(id) FROM r)) b, ROUND(id, (SELECT 1)) c, ROUND(id, NULL) d FROM r;
SHOW CREATE TABLE m15;
SELECT EXTRACTVALUE('<a>1</a>', (SELECT ':' FROM r WHERE id = 1)) FROM r WHERE 0;
SELECT EXTRACTVALUE('<a>1</a>', (SELECT '/a' FROM r WHERE id = 1)) FROM r;
SELECT IF(0, EXTRACTVALUE('<a>1</a>', (SELECT ':' FROM r WHERE id = 1)), 2) FROM r;
SELECT EXTRACTVALUE(1, DATE_ADD('A', INTERVAL 0 DAY)) FROM r;
SET sql_mode = 'TRADITIONAL';
CREATE TABLE m16 AS SELECT EXTRACTVALUE(1, DATE_ADD('A', INTERVAL 0 DAY)) x FROM r;
SET sql_mode = '';
-- Names of days and months are as long as the locale's.
SET lc_time_names = 'de_DE';
CREATE TABLE m17 AS SELECT DAYNAME('2020-01-01') a, MONTHNAME('2020-01-01') b, DAYNAME(d) c FROM r WHERE 0;
SHOW CREATE TABLE m17;
SET lc_time_names = 'ja_JP';
CREATE TABLE m18 AS SELECT DAYNAME('2020-01-01') a, MONTHNAME('2020-01-01') b FROM r WHERE 0;
SHOW CREATE TABLE m18;
SET lc_time_names = DEFAULT;
-- Rows that are cut are counted on from group to group.
CREATE TABLE w (id INT PRIMARY KEY, c VARCHAR(30), g INT);
INSERT INTO w VALUES (1, 'a', 1), (2, 'bbbbbbbbbbbbbbbb', 1), (3, 'cc', 1), (4, 'd', 2), (5, 'eeeeeeeeeeeeeeeeeeeeeeeeee', 2), (6, 'f', 3), (7, 'gggggggggggggggggggggggg', 3);
SET group_concat_max_len = 10;
SELECT g, GROUP_CONCAT(c) FROM w GROUP BY g;
SELECT g, GROUP_CONCAT(DISTINCT c ORDER BY c) FROM w GROUP BY g;
SELECT g, JSON_ARRAYAGG(c ORDER BY id) FROM w GROUP BY g;
SELECT (SELECT GROUP_CONCAT(c ORDER BY c) FROM w x WHERE x.g = y.g) FROM w y GROUP BY g;
SELECT GROUP_CONCAT(c ORDER BY id) FROM w;
SET group_concat_max_len = DEFAULT;
CREATE TABLE cut_total (a INT, s VARCHAR(30));
INSERT INTO cut_total VALUES (1, 'aaaaaaaa'), (1, 'bbbbbbbb'), (2, 'cccccccc'), (2, 'dddddddd'), (3, 'e'), (3, 'ffffffffff');
SET group_concat_max_len = 10;
-- differs: it is told when the group ends, MariaDB tells it at the row; the numbers are alike
SELECT a, GROUP_CONCAT(s) FROM cut_total GROUP BY a WITH ROLLUP;
-- differs: it is told when the group ends, MariaDB tells it at the row; the numbers are alike
SELECT a, s, GROUP_CONCAT(s, s) FROM cut_total GROUP BY a, s WITH ROLLUP;
SET group_concat_max_len = DEFAULT;
SELECT '' LIKE '1' ESCAPE COUNT(1);
SELECT 'a' LIKE 'a' ESCAPE a FROM cut_total;
SELECT 'a' LIKE 'b' ESCAPE (SELECT 'x'), 'a' LIKE 'a' ESCAPE NULL, 'a_' LIKE 'a|_' ESCAPE '|';
SELECT 'a' LIKE 'a' ESCAPE MAX(s) FROM cut_total;
CREATE TABLE bits_read (b BIT(64), b6 BIT(63), id INT);
INSERT INTO bits_read VALUES (0xffffffffffffffff, 0x7fffffffffffffff, 21);
SELECT b + 0e0, b * 1e0, ATAN2(b, id), SQRT(b), b + 0, b * 1.0, b6 + 0e0, AVG(b), SUM(b), STD(b) FROM bits_read;
SELECT b > 1e0, CAST(b AS DOUBLE), CAST(b AS DECIMAL(30,0)), SIGN(b), ABS(b), b DIV 1, DEGREES(b), POW(b, 1) FROM bits_read;
CREATE TABLE bits_kept (x DOUBLE, y DECIMAL(30), z BIGINT UNSIGNED);
INSERT INTO bits_kept SELECT b, b, b FROM bits_read;
SELECT * FROM bits_kept;
SELECT COUNT(*) FROM bits_read JOIN bits_kept ON b = z;
