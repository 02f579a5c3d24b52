-- what functions and UNION make of bytes, wide characters and doubles
CREATE TABLE texts (id INT PRIMARY KEY, c VARCHAR(10), d DOUBLE, e DOUBLE(10,3));
INSERT INTO texts VALUES (1, 'a', 0.5, 1.5);
-- numbers are text in a document of wide characters, but for those beside a column's text
SELECT JSON_ARRAY(1, _utf16 x'0041'), JSON_ARRAY(_ucs2 x'0041', 1=1, 2 IS NULL, NULL), JSON_ARRAY(_ucs2 x'0041', id, c), JSON_OBJECT(_utf16 x'0041', 1) FROM texts;
SELECT JSON_ARRAY(CONVERT(c USING ucs2), id, 1.5, 1e0, b'1') FROM texts;
-- bytes are text beside a column's, and nothing where they are ill-formed
SELECT JSON_ARRAY(UNHEX('c3a9'), c), JSON_ARRAY(UNHEX('e9'), c), JSON_OBJECT(c, UNHEX('c3a9')), JSON_OBJECT(c, UNHEX('e9')) FROM texts;
SELECT JSON_OBJECT(UNHEX('c3a9'), c), JSON_OBJECT(UNHEX('e9'), c), JSON_ARRAY(JSON_ARRAY(UNHEX('e9'), c), 1), JSON_COMPACT(JSON_ARRAY(UNHEX('e9'), c)) FROM texts;
SELECT HEX(JSON_ARRAY(UNHEX('e9'), CONVERT(c USING latin1))) FROM texts;
SELECT JSON_ARRAY(POINT(1, 2), c) FROM texts;
-- a column of text keeps question marks for what is no character
CREATE TABLE made AS SELECT 1 AS n, t FROM (SELECT 'abc' AS t UNION ALL SELECT c FROM texts UNION ALL SELECT POINT(1, 2)) u;
SELECT HEX(t) FROM (SELECT 'abc' AS t UNION ALL SELECT c FROM texts UNION ALL SELECT POINT(1, 2)) u;
SELECT HEX(t) FROM (SELECT 'abc' AS t UNION ALL SELECT POINT(1, 2)) u;
SELECT HEX(t) FROM (SELECT NVL(c, POINT(1, 2)) AS t FROM texts UNION SELECT ST_GEOMFROMTEXT('POINT(-1.5 3)', 4326)) u;
-- a double has all its digits where TEXT keeps it, a column those that it was declared with
SELECT t FROM (SELECT CAST('' AS CHAR(70000)) AS t UNION ALL SELECT PI() UNION ALL SELECT e FROM texts UNION ALL SELECT e * 1.5 FROM texts UNION ALL SELECT e + e FROM texts) u;
SELECT t FROM (SELECT 'a' AS t UNION ALL SELECT PI()) u;
DROP TABLE made;
-- geometries that are one of several weigh no more than numbers beside text
SELECT COERCIBILITY(COALESCE(POINT(1, 2), POINT(2, 3))), COERCIBILITY(IF(1, POINT(1, 2), NULL)), CHARSET(CONCAT(COALESCE(POINT(1, 2), POINT(2, 3)), 'a'));
-- so many units that 64 bits with a sign do not hold them
SELECT '2020-01-01' + INTERVAL ~0 SECOND, '2020-01-01' - INTERVAL ~1 DAY, TIME'10:00:00' + INTERVAL ~0 HOUR, TIMESTAMPADD(WEEK, ~0, '2020-01-01'), '2020-01-01' + INTERVAL ~0 MONTH;
-- what goes on with a dash is no time to add
SELECT ADDTIME('10:00:00', '10-'), SUBTIME(1, '2020-01-'), ADDTIME('10:00:00', '1.5-'), ADDTIME('10:00:00', '12a'), TIMESTAMP('2020-01-01', '10-'), EXTRACT(SECOND FROM '10-');
-- dates and times that are text are kept as text by MIN and MAX
SELECT MAX(ADDTIME('10:00:00', 1)) + 0, ROUND(MIN('1970-01-02' - INTERVAL 5 MONTH)), FORMAT(MAX(SUBTIME('838:59:59', id)), 2) FROM texts;
SELECT MAX(ADDTIME('10:00:00', id)) + 0 FROM texts GROUP BY c;
SELECT MAX(ADDTIME('10:00:00', id)) OVER () + 0 FROM texts;
-- addresses in wide characters
SELECT INET_ATON(CONVERT('1.2.3.4' USING ucs2)), HEX(INET6_ATON(CONVERT('::1' USING ucs2))), IS_IPV4(_ucs2 x'0031002e0031002e0031002e0031'), IS_IPV6(CONVERT('::1' USING utf16));
-- a name that is a number
SELECT HEX(COLUMN_CREATE(PI(), 1)), HEX(COLUMN_CREATE(1.50, 1));
-- user variables keep the character set of the number that a text begins with, a rounded date bytes
SET @a = MAKE_SET(3, 1, 1), @b = MAKE_SET(3, 'a', 'b'), @c = JSON_MERGE(7, '"text"'), @d = JSON_MERGE('7', 8), @e = RPAD_ORACLE(1, 6);
SELECT @a, COLLATION(@a), COLLATION(@b), @c, COLLATION(@c), COLLATION(@d), COLLATION(@e);
SET @a = FLOOR(TIMESTAMP'2020-01-01 10:00:00.5'), @b = ROUND(DATE'2020-01-01'), @c = JSON_MERGE_PATCH(7, 8), @d = JSON_UNQUOTE(1);
SELECT @a, COLLATION(@a), COLLATION(@b), COLLATION(@c), COLLATION(@d);
DROP TABLE texts;
-- Bytes in a document stay what they are in the documents around it.
CREATE TABLE bytes_kept (b VARBINARY(12));
INSERT INTO bytes_kept VALUES ('ß'), (x'FF'), ('a');
SELECT HEX(JSON_ARRAY(b)), HEX(JSON_ARRAY(1, JSON_ARRAY(b, '"t"', 0), 1)), HEX(JSON_ARRAY('x', JSON_ARRAY(JSON_ARRAY(b)))) FROM bytes_kept;
SELECT HEX(JSON_OBJECT('a', JSON_ARRAY(b))), HEX(JSON_OBJECT('a', JSON_OBJECT('k', b))), HEX(JSON_ARRAY(JSON_OBJECT('k', b))) FROM bytes_kept;
SELECT HEX(JSON_ARRAYAGG(JSON_ARRAY(b))), HEX(JSON_OBJECTAGG('k', JSON_OBJECT('a', b))) FROM bytes_kept WHERE b <> 'a';
SELECT HEX(JSON_ARRAY('é', JSON_ARRAY(b))), HEX(JSON_ARRAY(CONVERT('é' USING utf8mb4), JSON_OBJECT('a', b))) FROM bytes_kept WHERE b <> x'FF';
SELECT HEX(JSON_SET('{}', '$.a', JSON_ARRAY(b))), HEX(JSON_INSERT(JSON_ARRAY(b), '$[1]', 'x')), HEX(JSON_EXTRACT(JSON_ARRAY(JSON_ARRAY(b)), '$[0]')) FROM bytes_kept WHERE b <> x'FF';
DROP TABLE bytes_kept;
