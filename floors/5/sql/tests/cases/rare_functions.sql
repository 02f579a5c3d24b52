-- Geometries: what is none is told by its text, subqueries with whole names; CONTAINS and its like compare shapes.
CREATE TABLE g (id INT PRIMARY KEY, shape GEOMETRY, word VARCHAR(20) CHARACTER SET latin1);
INSERT INTO g VALUES (1, ST_GEOMFROMTEXT('POLYGON((0 0,0 4,1 4,1 1,4 1,4 0,0 0))'), 'a'), (2, POINT(3, 3), 'b');
SELECT LINESTRING((SELECT MIN(POINT(0, 0)) FROM g s));
SELECT LINESTRING((SELECT NULL FROM g s WHERE s.id = 1 ORDER BY s.id LIMIT 1), NULL);
SELECT POLYGON(IF(1, 'ab', GEOMFROMTEXT('POINT(1 1)')));
SELECT MULTIPOINT(_binary'ab');
SELECT MULTIPOINT(0x4142);
SELECT POW(ST_SRID(POINTFROMTEXT('POINT(1 1)')), -1);
SELECT POW(ASCII(_latin1'a') - 97, -1);
SELECT CONTAINS(a.shape, b.shape), MBRCONTAINS(a.shape, b.shape), WITHIN(b.shape, a.shape), EQUALS(a.shape, ENVELOPE(a.shape)), MBREQUALS(a.shape, ENVELOPE(a.shape)), MBRTOUCHES(a.shape, b.shape) FROM g a JOIN g b ON a.id = 1 AND b.id = 2;
CREATE VIEW v AS SELECT GEOMFROMTEXT('POINT(1 1)') a, AsWKB(POINT(1, 1)) b, CONTAINS(POINT(1, 1), POINT(1, 1)) c, MBREQUAL(POINT(1, 1), POINT(1, 1)) d;
SHOW CREATE VIEW v;
-- Lengths in 32 bits: no end of text, or hardly any.
CREATE TABLE made AS SELECT HEX(shape) a, UNHEX(HEX(shape)) b, HEX(AES_ENCRYPT(HEX(shape), 'k')) c, CONVERT(HEX(COLUMN_CREATE('a', 1)) USING ascii) d, TRIM(LEADING _binary'x' FROM HEX(COLUMN_CREATE('a', 1))) e, FROM_BASE64(HEX(COLUMN_CREATE('a', 1))) f, EXPORT_SET(3, shape, word, word, 3) g, DES_DECRYPT(HEX(shape), 'k') h, INSERT(BINARY '', 1, 4, EXTRACTVALUE('<a/>', '/a')) i FROM g LIMIT 0;
SHOW CREATE TABLE made;
-- Texts that DECODE gives back are of the argument's characters.
SELECT DECODE(_latin1'abc', 1), HEX(DECODE('abc', 1)), DECODE(1, 'a');
SELECT DES_DECRYPT(_latin1 x'E4');
SELECT UNHEX(_ucs2 x'00410042'), UNHEX('4');
-- Steps to text() and node() lead nowhere; each text counts by itself, in the order of the document.
SET @d = '<r><a i="1">t<b>v</b><b j="2">w</b>u</a><c/></r>';
SELECT UPDATEXML(@d, '/r/a/b[1]/text()', 'R') a, UPDATEXML(@d, '/r/a/text()', 'R') b, UPDATEXML(@d, '/r/c/node()', 'R') c;
SELECT EXTRACTVALUE(@d, '//text()') a, EXTRACTVALUE(@d, '//b[2]/text()') b, EXTRACTVALUE(@d, 'count(//node())') c, EXTRACTVALUE(@d, '/r/a[text()="u"]') d, EXTRACTVALUE(@d, '/r/a/b/text()[2]') e, EXTRACTVALUE(@d, 'count(/)') f, EXTRACTVALUE(@d, '/r/a/b/parent::node()') g;
-- Where paths cannot be read: only spaces are white, numbers have one point, of bytes letters are ASCII.
SELECT EXTRACTVALUE(@d, 'a	b');
SELECT EXTRACTVALUE(@d, '255.255.255.255');
SELECT EXTRACTVALUE(@d, 'a b😀c');
SELECT EXTRACTVALUE(NULL, x'C3A4');
SELECT EXTRACTVALUE(NULL, (SELECT '1e2'));
SELECT EXTRACTVALUE(@d, JSON_DETAILED('{"a": 1}')) FROM g WHERE id = 3;
-- What is the same in all rows is a path.
SELECT EXTRACTVALUE(1, UPPER(@unset)) a, EXTRACTVALUE('<b>1</b>', @p := 'b') b, EXTRACTVALUE('<a/>', BENCHMARK(1, NULL)) c;
SELECT EXTRACTVALUE('<b>1</b>', CONCAT(@p, RAND()));
SELECT EXTRACTVALUE('<b>1</b>', word) FROM g;
-- What geometries are asked is answered by truths.
SELECT JSON_ARRAY(ST_ISEMPTY(shape), ST_WITHIN(shape, shape), MBREQUAL(shape, shape), ST_ISCLOSED(shape)) a FROM g WHERE id = 1;
-- Texts that keep no other character set's company, and what warnings show of values.
SELECT CONCAT(COLUMN_JSON(COLUMN_CREATE('a', id)), word) FROM g;
SELECT JSON_TYPE(HEX(id)) < word FROM g;
SELECT DECODE('a', 'k') = CONVERT(word USING utf8mb3) FROM g;
SELECT CONVERT(x'F8BF0000000000000840' USING utf8mb4) a, CONVERT(CONCAT(x'F8', REPEAT('a', 61)) USING utf8mb4) b;
SELECT COLUMN_GET(COLUMN_CREATE('a', REPEAT('a', 160)), 'a' AS SIGNED) a, COLUMN_GET(COLUMN_CREATE('a', ' 12 '), 'a' AS DECIMAL(10,2)) b;
SELECT COLUMN_GET(COLUMN_CREATE('a', 2147483647), 'a' AS DECIMAL(10,2)) a, COLUMN_GET(COLUMN_CREATE('a', 2147483647), 'a' AS DECIMAL(10,2)) + 1 b;
SELECT COT(COLUMN_EXISTS(COLUMN_CREATE('a', 'x', 'b', 'y'), 'c'));
