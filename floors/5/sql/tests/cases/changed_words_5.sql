-- Words changed in other cases' statements: what was told apart so after the fourth.
CREATE DATABASE changed_words_5 CHARACTER SET utf8mb4;
USE changed_words_5;
-- Some free words are no functions' names.
SELECT ANY (SELECT 1);
SELECT 1 <=> ANY (SELECT 1);
SELECT 1 <=> SOME (SELECT 1);
SELECT SLAVE(1);
SELECT BOOL(1, 2);
SELECT GLOBAL(1), 1;
SELECT ACCOUNT(1);
SELECT `any`(1);
SELECT changed_words_5.any(1);
SELECT 1 = ANY (SELECT 1), 1 > SOME (SELECT 1);
CREATE TABLE any (any INT, slave INT, id INT);
SELECT any, slave, id FROM any WHERE any = 1;
-- A date that is rounded to a whole number has no sign.
SET @a = CEIL(DATE'2020-01-01'), @b = FLOOR(DATE'2020-01-01'), @c = CEILING(DATE'2020-01-01'), @d = CEIL(TIME'10:00:00.5');
CREATE TABLE made AS SELECT @a a, @b b, @c c;
SHOW CREATE TABLE made;
SELECT @a, @b, @c, @d;
-- Numbers without a sign are a year of two digits beside a column only alone.
CREATE TABLE years (y YEAR);
INSERT INTO years VALUES (2010), (2001), (1999), (0), (NULL);
SELECT y, y = CAST(10 AS UNSIGNED), y IN (CAST(10 AS UNSIGNED)), y IN (CAST(10 AS UNSIGNED), CAST(1 AS UNSIGNED)), y IN (CAST(10 AS UNSIGNED), NULL), y IN (CAST(2010 AS UNSIGNED), NULL) FROM years;
SELECT y, y IN (10, '99'), y IN ('99', CAST(10 AS UNSIGNED)), y IN (CAST(10 AS UNSIGNED), 99.0), y IN (10, 99.0), y IN (10, CAST(1 AS UNSIGNED)), y IN (5 + CAST(5 AS UNSIGNED), NULL), y NOT IN (5 + 5, 99) FROM years;
PREPARE s FROM 'SELECT y FROM years WHERE y IN (?, ''99'')';
SET @u = CAST(10 AS UNSIGNED);
EXECUTE s USING @u;
EXECUTE s USING 10;
-- Control characters are no part of TO_CHAR's pattern; a quote that is not closed goes to its end.
SELECT HEX(TO_CHAR('2020-01-01', CONCAT(x'01'))) a, TO_CHAR('2020-01-01', CONCAT('yyyy', x'7f')) b, TO_CHAR('2020-01-01', CONCAT('yyyy', x'09', 'mm')) c, TO_CHAR('2020-01-01', CONCAT('yyyy mm')) d;
SELECT TO_CHAR('2020-01-01', x'09');
SELECT TO_CHAR('2020-01-01', 'yyyy"yyyy'), TO_CHAR('2020-01-01', '"yyyy'), TO_CHAR('2020-01-01', '"'), TO_CHAR('2020-01-01', 'yyyy"-"mm"');
-- Seconds that there are not, whatever hours and minutes are.
SELECT MAKETIME(8, NULL, 161.5), MAKETIME(NULL, 8, 61), MAKETIME(8, 60, NULL);
-- A text behind an introducer names its column by the characters that it has there.
SELECT _latin1'é';
SELECT _ucs2'ab';
SELECT _utf32'1x';
SELECT _koi8r'é' AS x, _latin1' é', _utf8mb3'é', _ucs2 0x0061;
CREATE OR REPLACE TABLE made AS SELECT _latin1'é', _utf16'ab';
SHOW CREATE TABLE made;
-- A date with an interval binds tighter than a shift.
SELECT COT(0 * (1 << ('2020-01-01' + INTERVAL id DAY))) FROM (SELECT 1 id) d;
SELECT COT(0 * ('2020-01-01' - INTERVAL id DAY << 1)) FROM (SELECT 1 id) d;
SELECT COT(0 * (1 | ('2020-01-01' - INTERVAL id DAY))) FROM (SELECT 1 id) d;
SELECT COT(0 * (1 - ('2020-01-01' - INTERVAL id DAY))) FROM (SELECT 1 id) d;
SELECT COT(0 * (('2020-01-01' - INTERVAL id DAY) ^ 1)) FROM (SELECT 1 id) d;
-- System variables that have no text now, and what has no sign.
CREATE OR REPLACE TABLE made AS SELECT @@in_transaction a, @@external_user b, @@secure_file_priv c, @@server_id d, @@enforce_storage_engine e;
SHOW CREATE TABLE made;
SHOW VARIABLES LIKE 'in_transaction';
-- Documents: what is read of them, and as what.
SELECT JSON_EXISTS(NULL, JSON_TYPE('$[*]')), JSON_EXISTS(NULL, '$[');
SELECT JSON_CONTAINS('[1,2,x', 'é'), JSON_CONTAINS('[1,2,x', ''), JSON_CONTAINS('{"a":[1,2,x', 'é', '$.a'), JSON_CONTAINS('[1,2,x', '1'), JSON_CONTAINS('[1,2,x', '[1'), JSON_CONTAINS('x', 'y');
SELECT JSON_MERGE_PATCH(NULL, '{"a":2,"c":3', '1'), JSON_MERGE_PATCH(NULL, '{"a":2}1', NULL), JSON_MERGE_PATCH('1', NULL, '{"a":2}1'), JSON_MERGE_PATCH('1', NULL, '2z'), JSON_MERGE_PATCH(NULL, '{"a":1}', '{"b":2}', '[3]', '{"c":4}'), JSON_MERGE_PATCH(NULL, '{"a":1}');
SELECT HEX(JSON_INSERT(x'5B5D', '$[1]', JSON_MERGE('["ä"]', x'5B5D'))), HEX(JSON_SET(x'5B5D', '$[1]', JSON_ARRAY('ä'))), HEX(JSON_ARRAY_APPEND(x'5B5D', '$', JSON_MERGE('["ä"]', x'5B5D'))), HEX(JSON_ARRAY_INSERT(x'5B5D', '$[0]', JSON_ARRAY('ä'))), HEX(JSON_INSERT('[]', '$[1]', JSON_MERGE('["ä"]', x'5B5D'))), HEX(JSON_INSERT(x'5B5D', '$[1]', 'ä'));
SELECT JSON_OVERLAPS('["ß"]', _binary'["ß"]'), JSON_OVERLAPS(_binary'"ß"', '["ß"]'), JSON_OVERLAPS(x'5B22DF225D', '["ß"]'), JSON_OVERLAPS(_binary'{"a":"ß"}', '{"a":"ß"}'), JSON_OVERLAPS(_binary'[["ß",1]]', '[["ß",1]]'), JSON_OVERLAPS(_binary'["ß"]', _binary'["ß"]');
SELECT JSON_CONTAINS(_binary'["ß"]', '"ß"'), JSON_CONTAINS(x'22DF22', '"ß"'), JSON_CONTAINS('"ß"', _binary'"ß"'), JSON_CONTAINS(_binary'{"ß":1}', '{"ß":1}');
SELECT JSON_OVERLAPS('{"a\\u0062":1}', '{"ab":1}'), JSON_CONTAINS('{"a\\u0062":1}', '{"ab":1}'), JSON_CONTAINS('[{"ab":1}]', '[{"a\\u0062":1}]'), JSON_OVERLAPS('[{"a\\u0062":1}]', '[{"ab":1}]');
-- Sums of times that have as many digits as their text.
SELECT SUM(FROM_UNIXTIME('1')), AVG(FROM_UNIXTIME('1')), SUM(DISTINCT FROM_UNIXTIME('1.5')), STD(FROM_UNIXTIME('1')), SUM(FROM_UNIXTIME(1.5e0)), SUM(FROM_UNIXTIME(1.5)), SUM(SEC_TO_TIME('1.5')) FROM years;
-- Few bits beside an integer without a sign are an INT.
CREATE TABLE bits (b BIT(9), c BIT(11), d BIT(12), i INT UNSIGNED, l BIGINT UNSIGNED);
CREATE OR REPLACE TABLE made AS SELECT IF(1, b, i) x, IF(1, c, i) y, IF(1, d, i) z, IF(1, b, l) u, COALESCE(c, i) v FROM bits;
SHOW CREATE TABLE made;
-- A text is read as an address, and is not one though it has sixteen bytes.
SELECT IS_IPV4_MAPPED('::ffff:1.2.3.4'), IS_IPV4_COMPAT('::1.2.3.4'), IS_IPV4_MAPPED('::1'), IS_IPV4_COMPAT(_latin1'::9.9.9.9'), IS_IPV4_MAPPED(5), IS_IPV4_MAPPED(REPEAT('a', 16)), IS_IPV4_COMPAT(INET6_ATON('::1.2.3.4')), IS_IPV4_COMPAT(REPEAT(x'00', 15)), IS_IPV4_MAPPED(NULL), IS_IPV4_COMPAT(CAST('::1.2.3.4' AS INET6));
-- Where there is nothing to look for it is not asked whether one or all are wanted.
SELECT JSON_SEARCH('["abc"]', '', NULL), JSON_SEARCH(NULL, '', 1), JSON_SEARCH('["abc"]', NULL, NULL);
-- Beside what gives but one row a comparison may be NULL.
CREATE OR REPLACE TABLE made AS SELECT 1 < ALL (SELECT NULL) a, 1 < ALL (SELECT 1) b, 1 < ANY (SELECT y) c FROM years;
SHOW CREATE TABLE made;
-- What is NULL is not looked for.
SELECT CAST(NULL AS CHAR) IN (-y + CAST(0 AS UNSIGNED)) FROM years WHERE y = 2001;
-- A date beside the numbers of a query is its text where a parameter brings it.
PREPARE s FROM 'SELECT ? NOT IN (SELECT y FROM years WHERE y > 2000), ? <= ALL (SELECT MIN(255) FROM years)';
EXECUTE s USING TIMESTAMP'2020-01-01 00:00:00', TIMESTAMP'1999-12-31 23:59:59';
-- The mode in which '' is NULL is left by ''.
SET sql_mode = 'EMPTY_STRING_IS_NULL';
SELECT '' IS NULL, @@sql_mode;
SET sql_mode = '';
SELECT '' IS NULL, @@sql_mode;
SET sql_mode = NULL;
-- A side of a join whose own outer join asks for a row around the query is joined anew for each of these.
CREATE TABLE t1 (id INT PRIMARY KEY);
CREATE TABLE a2 (c INT);
CREATE TABLE a3 (n INT);
INSERT INTO t1 VALUES (1), (9), (23), (30);
INSERT INTO a2 VALUES (25), (8);
INSERT INTO a3 VALUES (1), (2);
CREATE TABLE one (i INT);
INSERT INTO one VALUES (1);
SELECT id, (SELECT MAX(n) FROM one, a2 LEFT JOIN a3 ON id > c) m, (SELECT COUNT(*) FROM one, a2 LEFT JOIN a3 ON id > c) k FROM t1 ORDER BY id;
SELECT id, (SELECT MAX(n + c) FROM a2 LEFT JOIN a3 ON id > c, one) m, (SELECT SUM(n) FROM one LEFT JOIN (a2 JOIN a3 ON id > c) ON i < n) s FROM t1 ORDER BY id;
SELECT id, (SELECT SUM(c) FROM one LEFT JOIN (a2 LEFT JOIN a3 ON n = c - id) ON i = 1 WHERE n IS NULL) s FROM t1 ORDER BY id;
SELECT id FROM t1 WHERE EXISTS (SELECT 1 FROM one, a2 LEFT JOIN a3 ON id > c WHERE n = 2) ORDER BY id;
SELECT id FROM t1 WHERE 2 IN (SELECT n FROM one, a2 LEFT JOIN a3 ON id > c AND n > i) ORDER BY id;
SELECT id, (SELECT MAX((SELECT MAX(n) FROM one, a2 LEFT JOIN a3 ON id > c AND n >= i)) FROM one) m FROM t1 ORDER BY id;
DROP DATABASE changed_words_5;
