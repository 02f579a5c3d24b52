CREATE TABLE u (id INT PRIMARY KEY, n INT UNSIGNED, d DOUBLE UNSIGNED, y YEAR, s SET('x','y'), f FLOAT(8,2), l VARCHAR(10) CHARACTER SET latin1, u3 VARCHAR(10) CHARACTER SET utf8mb3, c VARCHAR(20));
INSERT IGNORE INTO u VALUES (1, 1, 1, 0, 'x', 2147483647, 'a', 'a', 'abcdef'), (2, 2, 2, 2000, 'y', -1e10, 'b', 'b', 'ab');
-- NULL counts as signed: an unsigned number beside it has a place for the sign.
CREATE TABLE made AS SELECT NULL a, NULL b, NULL c, NULL e UNION ALL SELECT n, d, y, s FROM u;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT CRC32('a') a UNION SELECT NULL UNION SELECT n FROM u;
SHOW CREATE TABLE made;
-- The zero year among texts is the number, as it is in a column of text.
SELECT y FROM u UNION ALL SELECT 'a';
SELECT COALESCE(y) FROM u UNION ALL SELECT TIME'10:00:00';
-- Where not all digits of a small fraction have room an exponent keeps more of them.
SELECT TAN(3.14159), -EXP(-13) UNION ALL SELECT 'a', 'b';
SELECT CAST(1e-10 AS FLOAT) UNION ALL SELECT 'a';
-- Set operations that are operands are tables, whose columns have names of their own.
SELECT 1, 2 UNION SELECT id, id FROM u INTERSECT SELECT 1, 2;
SELECT 1, 2 UNION SELECT id, ID FROM u INTERSECT SELECT 1, 2;
(SELECT 1, 1 UNION SELECT 2, 2) UNION ALL SELECT 3, 3;
SELECT id, id FROM u INTERSECT SELECT 1, 1 UNION SELECT 3, 3;
(SELECT 1, 1 UNION SELECT 2, 2) ORDER BY 1 DESC;
-- A cast that cuts text is no error in strict mode, one that cuts a number is.
CREATE OR REPLACE TABLE made AS SELECT CAST(c AS CHAR(3)) a, CAST(c AS BINARY(1)) b FROM u;
UPDATE u SET c = CONCAT(CAST('abcdef' AS CHAR(3)), id);
INSERT INTO u (id, c) VALUES (3, CAST(12345 AS CHAR(3)));
-- The greatest float of eight digits is above what they hold, and goes from column to column all the same.
CREATE OR REPLACE TABLE made AS SELECT f FROM u;
SELECT * FROM made;
INSERT INTO u (id, f) SELECT id + 10, f FROM u;
CREATE OR REPLACE TABLE made AS SELECT COALESCE(f) FROM u;
-- What counts as any character of Unicode, though it is all ASCII.
SELECT CONCAT(MD5('a'), _utf16 x'0041D83DDE00');
SELECT CONCAT(CHARSET('a'), _utf16 x'0041D83DDE00');
SELECT FIELD('', COLLATION('b'), _utf16 x'0041D83DDE00');
SELECT CONCAT(DATABASE(), _utf16 x'0041D83DDE00');
SELECT COLLATION(CONCAT(CHARSET('a'), 'b')), COLLATION(CONCAT('b', CHARSET('a'))), COLLATION(TRIM(COLLATION('a') FROM 'b'));
SELECT LPAD(GET_FORMAT(DATETIME, 'EUR'), 4, _ucs2 x'00410042');
SELECT GREATEST(ELT(4, _utf16 x'0041D83DDE00', 1), '20200101');
SELECT CONCAT(u3, MD5('a')), CONCAT(l, MD5('a'), CHARSET(l)) FROM u WHERE id = 1;
-- A constant with characters beyond the basic plane has no place in utf8mb3.
SELECT u3 = _utf8mb4 x'F09F9880' FROM u;
SELECT CONCAT(u3, IF(1, _utf8mb4 x'F09F9880', 5)) FROM u;
SELECT u3 BETWEEN 'a' AND _utf8mb4 x'F09F9880' FROM u;
SELECT u3 FROM u UNION SELECT _utf8mb4 x'F09F9880';
SELECT u3 IN (SELECT _utf8mb4 x'F09F9880') FROM u;
SELECT (SELECT _utf8mb4 x'C3A4' FROM u LIMIT 1) < CONVERT(1 USING latin1);
SELECT (SELECT 'a' FROM u LIMIT 1) < CONVERT(1 USING latin1), _utf8mb4 x'C3A4' < CONVERT(1 USING latin1);
-- NULL has the character set of what gave it; only what is made of NULL alone has none.
SELECT UNHEX(NULL) COLLATE utf8mb4_bin;
SELECT (BINARY NULL) COLLATE utf8mb4_bin;
SELECT LPAD(NULL, 3, 'a') COLLATE latin1_bin;
SELECT UPPER(NULL) COLLATE latin1_bin, NULL COLLATE latin1_bin, ELT(1, NULL) COLLATE latin1_bin;
-- A pattern that is no constant may be NULL.
CREATE OR REPLACE TABLE made AS SELECT REGEXP_INSTR(id, 'a') a, REGEXP_INSTR('a', id) b, FORMAT(CAST('1.2.3.4' AS INET4), 2) c FROM u;
SHOW CREATE TABLE made;
SELECT FORMAT(CAST('x' AS INET6), 2), FORMAT(CAST(NULL AS UUID), 0), FORMAT(CAST('1.2.3.4' AS INET4), 3);
-- Bytes that are no characters are told of with all that follows them; what zeros were put before is one character.
SELECT HEX(CONVERT(x'32302d30322d3330' USING utf32)), HEX(CONVERT(x'323032' USING utf32)), HEX(CONVERT(x'3230320000004141' USING utf32));
SELECT CONVERT(UNHEX(CONCAT('FF', REPEAT('41', 80))) USING utf8mb4);
SELECT HEX(CONVERT(UNHEX('D83D') USING utf16)), HEX(CONVERT(UNHEX('41D83D') USING utf16));
-- Rows are compared one by one.
SELECT (6, 'b') IN ((0, 'a'), (1, _ucs2 x'00410042')), (id, l) IN ((1, 'a'), (2, c)) FROM u;
SELECT (id, l) IN ((1, _utf8mb4 x'D0B6')) FROM u;
-- A text's name is what the connection's character set has of it.
SET collation_connection = latin1_swedish_ci;
SELECT 'aЗä', CONCAT('З') <> '', 'a' AS 'З';
SET collation_connection = utf8mb4_general_ci;
-- Text that is no address is equal to none.
SELECT NULLIF('a', CAST('1.2.3.4' AS INET4)), NULLIF('1.2.3.4', CAST('1.2.3.4' AS INET4)), NULLIF('a', CAST(NULL AS UUID));
SELECT CRC32('a') UNION SELECT NULL UNION SELECT CAST('1.2.3.4' AS INET4);
SELECT n FROM u UNION SELECT 1 UNION SELECT CAST('1.2.3.4' AS INET4);
SELECT n FROM u UNION SELECT 1.5 UNION SELECT CAST('1.2.3.4' AS INET4);
-- Bytes beside text whose collation holds stronger become its characters, and those that are none are told of.
CREATE OR REPLACE TABLE made (v VARBINARY(10));
INSERT INTO made VALUES (x'E4'), (x'41FF42'), ('b');
SELECT CONCAT('a' COLLATE utf8mb4_unicode_ci, v) FROM made;
SELECT REPLACE(v, 'a' COLLATE utf8mb4_bin, 'b'), LPAD(v, 3, 'a' COLLATE utf8mb4_bin) FROM made;
SELECT v IN ('a', 'b' COLLATE utf8mb4_bin) FROM made;
SELECT v = 'b' COLLATE utf8mb4_bin FROM made;
DROP TABLE u, made;
-- The bytes of all texts count as characters where one is a TEXT; beside a constant of bytes a column's do not.
CREATE TABLE long_texts (v VARCHAR(255), w VARCHAR(300), tt TINYTEXT, l TEXT CHARACTER SET latin1);
CREATE OR REPLACE TABLE made AS SELECT COALESCE(v, _binary'x') a, IF(1, w, x'41') b, IFNULL(tt, v) c, (SELECT tt FROM long_texts) d FROM long_texts;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT v, tt, l FROM long_texts UNION SELECT _binary'x', w, w FROM long_texts;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT x, COALESCE(x, '') y, (SELECT x) z FROM (SELECT tt x FROM long_texts UNION SELECT 'a') d;
SHOW CREATE TABLE made;
-- A column with digits behind the point keeps no more of a float than those.
CREATE TABLE floats (f FLOAT(8,2), d DOUBLE(8,2));
INSERT INTO floats VALUES (12345.68, 12345.68), (1.1, 1.1);
SELECT f FROM floats UNION SELECT d FROM floats;
CREATE OR REPLACE TABLE made AS SELECT f FROM floats UNION SELECT 3.14159;
SELECT f, f = 1.1e0, f + 0 FROM made;
DROP TABLE floats, made;
