-- Words changed in other cases' statements: what else was told apart so.
CREATE DATABASE changed_words_4 CHARACTER SET utf8mb4;
USE changed_words_4;
CREATE TABLE labelled (id INT PRIMARY KEY, e ENUM('b','a','3'), s SET('x','y'), v VARCHAR(10), t TEXT);
INSERT INTO labelled VALUES (1, 'a', 'x,y', '2', '3'), (2, 'b', 'y', '2', '3'), (3, '3', 'x', 'z', ''), (4, NULL, '', NULL, NULL);
-- The greatest of labels that a query around reads is a label again, with a number of its own.
SELECT a + 0, b + 0, c + 0, a, b, c FROM (SELECT MAX(e) a, MAX(s) b, MIN(e) c FROM labelled) d;
SELECT a + 0, b + 0, a, b FROM (SELECT MAX(e) a, MAX(s) b FROM labelled GROUP BY id) d ORDER BY a;
SELECT b + 0, b FROM (SELECT MAX(s) b FROM labelled GROUP BY id) d ORDER BY b DESC;
SELECT a FROM (SELECT MAX(e) a FROM labelled GROUP BY id) d WHERE a > 'a' ORDER BY a;
SELECT MAX(a), MIN(a), MAX(a) + 0 FROM (SELECT MAX(e) a FROM labelled GROUP BY id) d;
SELECT a, COUNT(*) FROM (SELECT MAX(e) a FROM labelled GROUP BY id) d GROUP BY a ORDER BY a;
SELECT COALESCE(a, 1), a = 1, a = 'b', IF(1, a, 1), CONCAT(a) FROM (SELECT MAX(e) a FROM labelled GROUP BY id) d ORDER BY a;
SELECT x.a + 0 FROM (SELECT MAX(a) a FROM (SELECT MAX(e) a FROM labelled GROUP BY id) d) x;
SELECT l.id, d.a + 0 FROM labelled l JOIN (SELECT id, MAX(e) a FROM labelled GROUP BY id) d ON d.id = l.id WHERE l.id < 3 ORDER BY 1;
WITH d AS (SELECT MAX(e) a, MAX(s) b FROM labelled GROUP BY id) SELECT a + 0, b + 0, a, b FROM d ORDER BY a, b;
CREATE VIEW greatest AS SELECT MAX(e) a, MAX(s) b FROM labelled GROUP BY id;
SELECT a + 0, b + 0, a, b FROM greatest ORDER BY a, b;
CREATE TABLE made AS SELECT a, b FROM (SELECT MAX(e) a, MAX(s) b FROM labelled) d;
SHOW CREATE TABLE made;
SELECT a + 0, b + 0 FROM made;
-- A text out of a query in FROM, and what is chosen of labels alone, has no fixed fraction as a number.
CREATE OR REPLACE TABLE made AS SELECT a + 0 a, b + 0 b, c + 0 c, d + 0 d FROM (SELECT GROUP_CONCAT(v) a, JSON_ARRAYAGG(id) b, COALESCE(MAX(e)) c, IF(1, MAX(s), NULL) d FROM labelled WHERE 0) x;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT g + 0 g FROM (SELECT GROUP_CONCAT(id) g FROM labelled GROUP BY id UNION SELECT 1) x;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT COALESCE(MAX(e)) + 0 a, CASE WHEN 1 THEN MAX(s) END + 0 b, COALESCE(e) + 0 c, IFNULL(MAX(e), NULL) + 0 d, IF(1, MAX(e), NULL) + 0 f, GROUP_CONCAT(v) + 0 g, MAX(e) + 0 h FROM labelled WHERE 0;
SHOW CREATE TABLE made;
-- A function's text has the characters of the texts that it is made of, not of those that only count.
CREATE TABLE sets (l VARCHAR(10) CHARACTER SET latin1, u VARCHAR(10), c VARCHAR(10) COLLATE utf8mb4_unicode_ci, b VARBINARY(10));
INSERT INTO sets VALUES ('a', '2', '3', '2');
SELECT l = SPACE(u), l = SPACE(UPPER(c)), l = SPACE(b), l = REPEAT('a', u), l = REPEAT(2, u), l = LEFT('a', u), l = RIGHT('a', u) FROM sets;
SELECT l = SUBSTRING('a', u), l = MID('a', 1, u), l = SUBSTRING_INDEX('a', 'b', u), l = LPAD('a', u, 'b'), l = RPAD('a', u), l = INSERT('a', u, u, 'b') FROM sets;
SELECT l = ELT(u, 'b', 'a'), l = MAKE_SET(u, 'b', 'a'), l = EXPORT_SET(u, 'a', 'b', 'c', u), l = CONCAT_WS('a', SPACE(u)), l = SUBSTR_ORACLE('a', u), l = LPAD_ORACLE('a', u, 'b') FROM sets;
SELECT l = REPEAT(u, 1) FROM sets;
SELECT l = LPAD('a', 3, u) FROM sets;
SELECT l = INSERT('a', 1, 1, u) FROM sets;
SELECT l = ELT(1, u) FROM sets;
SELECT l = EXPORT_SET(1, 'a', 'b', u) FROM sets;
SELECT l = SUBSTRING_INDEX('a', u, 1) FROM sets;
-- Bytes that are replaced in give way to the collation of what all agree on.
SELECT REGEXP_REPLACE(UNHEX('6162'), 'a', c), REGEXP_REPLACE(UNHEX(HEX(u)), '2', c), REGEXP_REPLACE(c, UNHEX('33'), 'x'), COLLATION(REGEXP_REPLACE(UNHEX(HEX(u)), '2', c)) FROM sets;
SELECT REGEXP_REPLACE(b, '2', c), REGEXP_SUBSTR(UNHEX('4142'), c), REGEXP_SUBSTR(b, '2') FROM sets;
SELECT REGEXP_REPLACE(u, 'a', c) FROM sets;
-- Numbers and times have EXTRACTVALUE and UPDATEXML a collation of their own; a path that looks at no node is a constant.
SELECT COLLATION(EXTRACTVALUE(1, 2)), COERCIBILITY(EXTRACTVALUE(1, 2)), COLLATION(EXTRACTVALUE(NOW(), 1)), COLLATION(UPDATEXML(1, 2, 3)), COLLATION(EXTRACTVALUE(NULL, 1)), COLLATION(EXTRACTVALUE(1, '/a')), COLLATION(EXTRACTVALUE(NULL, NULL)), COLLATION(UPDATEXML(1, 1, 'b'));
SELECT EXTRACTVALUE(1, EXTRACTVALUE('<a/>', '1')), EXTRACTVALUE(1, EXTRACTVALUE('<a/>', '1+1')), EXTRACTVALUE(1, EXTRACTVALUE('<a/>', FLOOR('2'))), EXTRACTVALUE(1, EXTRACTVALUE('<a/>', 'string-length("a")')), EXTRACTVALUE(1, EXTRACTVALUE('<a/>', 'true()')), EXTRACTVALUE(1, UPDATEXML('<a/>', '1', 'b'));
SELECT EXTRACTVALUE(1, EXTRACTVALUE('<a/>', '/a'));
SELECT EXTRACTVALUE(1, EXTRACTVALUE('<a/>', 'count(/a)'));
SELECT EXTRACTVALUE(1, EXTRACTVALUE('<a/>', 'last()'));
SELECT EXTRACTVALUE(1, EXTRACTVALUE('<a/>', '-1 + count(/a | /b)'));
SELECT EXTRACTVALUE(1, EXTRACTVALUE(v, '1')) FROM labelled;
-- NULL that a variable is given is text: bytes, or what the variable is by then.
SET @text = 'a', @latin = _latin1'a', @number = 1;
CREATE OR REPLACE TABLE made AS SELECT COALESCE(@new := NULL, 'a') a, COALESCE(@text := NULL) b, COALESCE(@latin := NULL) c, COALESCE(@number := NULL) d, COALESCE(@text := COALESCE(NULL, NULL)) e;
SHOW CREATE TABLE made;
SELECT COLLATION(@n1 := NULL), COERCIBILITY(@n2 := NULL), (@n3 := NULL) IS NULL, (@n4 := NULL) + 1, CONCAT(@n5 := NULL, 'b'), LEAST(@n6 := NULL, 1), HEX(@n7 := NULL);
SELECT @n8 := NULL UNION SELECT 1;
SELECT (@n9 := NULL) COLLATE utf8mb4_bin;
-- Of a position there are 32 bits.
SELECT id, v FROM labelled ORDER BY 4294967298, 4294967297;
SELECT v, COUNT(*) FROM labelled GROUP BY 4294967297 ORDER BY 18446744073709551615;
SELECT v, COUNT(*) FROM labelled GROUP BY 18446744073709551614;
SELECT 1 UNION SELECT 2 ORDER BY 4294967297;
SELECT 1 UNION SELECT 2 ORDER BY 9223372036854775808;
SELECT GROUP_CONCAT(id ORDER BY 4294967297) FROM labelled;
SELECT GROUP_CONCAT(id ORDER BY 4294967298) FROM labelled;
UPDATE labelled SET v = 'a' ORDER BY 4294967297;
SELECT id FROM labelled ORDER BY 2147483648;
PREPARE s FROM 'SELECT id FROM labelled ORDER BY ?';
EXECUTE s USING 18446744073709551615;
-- Texts that can not be compared are told of by the opposite of what NOT stands before.
SELECT NOT l < '中' FROM sets;
SELECT COUNT(*) FROM sets WHERE NOT u <> c;
SELECT NOT (l > '中' AND 1) FROM sets;
SELECT NOT (l > '中' XOR 1) FROM sets;
SELECT NOT NOT l < '中' FROM sets;
SELECT NOT l <=> '中' FROM sets;
SELECT NOT l BETWEEN 'a' AND '中' FROM sets;
SELECT NOT (l LIKE '中') FROM sets;
SELECT 1 FROM sets HAVING NOT l = '中';
-- TRIM is shown with what it takes away, and from where, if that was said.
SELECT EXP(TRIM(v) * 1e4) FROM labelled;
SELECT EXP(TRIM(BOTH 'x' FROM v) * 1e4) FROM labelled;
SELECT EXP(TRIM(LEADING 'x' FROM v) * 1e4) FROM labelled;
SELECT EXP(TRIM(TRAILING ' ' FROM v) * 1e4) FROM labelled;
SELECT EXP(TRIM(TRAILING FROM v) * 1e4) FROM labelled;
SELECT EXP(TRIM_ORACLE(v) * 1e4) FROM labelled;
SELECT EXP(TRIM_ORACLE(LEADING 'x' FROM v) * 1e4) FROM labelled;
SELECT TRIM(v), TRIM(BOTH '2' FROM v), TRIM(LEADING 'x' FROM 'xax'), TRIM(TRAILING 'x' FROM 'xax'), TRIM(LEADING FROM ' a '), TRIM(u), TRIM(BOTH NULL FROM v) FROM labelled, sets ORDER BY id;
-- The columns of CYCLE are looked for before what comes back to the table is.
WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT NULL FROM r WHERE c2 IS NOT NULL) CYCLE b RESTRICT SELECT * FROM r;
WITH RECURSIVE r AS (SELECT 1 AS a EXCEPT ALL SELECT NULL FROM r WHERE a IS NOT NULL) CYCLE b RESTRICT SELECT * FROM r;
WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT NULL, 2 FROM r) CYCLE b RESTRICT SELECT * FROM r;
WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT NULL FROM r WHERE c2) CYCLE a, a RESTRICT SELECT * FROM r;
WITH RECURSIVE r (x, y) AS (SELECT 1 AS a UNION ALL SELECT NULL FROM r WHERE c2) CYCLE b RESTRICT SELECT * FROM r;
WITH RECURSIVE r (x) AS (SELECT 1 AS a UNION ALL SELECT MAX(x) FROM r) CYCLE a RESTRICT SELECT * FROM r;
WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT NULL FROM nosuch, r) CYCLE b RESTRICT SELECT * FROM r;
WITH RECURSIVE r AS (SELECT 1 AS a) CYCLE b RESTRICT SELECT nope FROM r;
WITH RECURSIVE r (x) AS (SELECT 1 AS a) CYCLE x RESTRICT SELECT * FROM r;
WITH RECURSIVE r (x) AS (SELECT 1 AS a UNION ALL SELECT 2 UNION SELECT x FROM r) CYCLE z RESTRICT SELECT * FROM r;
WITH RECURSIVE r (x) AS (SELECT 1 AS a UNION ALL SELECT MAX(x) FROM r WHERE z) SELECT * FROM r;
WITH RECURSIVE r (x) AS (SELECT 1 AS a EXCEPT SELECT x, 2 FROM r) SELECT * FROM r;
WITH RECURSIVE r (x) AS (SELECT 1 AS a UNION ALL SELECT x % 3 + 1 FROM r) CYCLE x RESTRICT SELECT * FROM r;
SELECT nosuch FROM mysql.user, labelled;
-- An escape is one character of its own character set.
SELECT JSON_SEARCH('["a"]', 'none', 'a%', 0xC3A9);
SELECT JSON_SEARCH('["a"]', 'one', 'a%', _utf8mb4 0xC3A9), JSON_SEARCH('["a"]', 'one', 'a%', 0xC3), JSON_SEARCH('["a"]', 'one', 'a', '');
SELECT 'a' LIKE 'b' ESCAPE 0xC3A9;
SELECT 'a' LIKE 'b' ESCAPE _latin1 0xC3A9;
SELECT 'a' LIKE 'a' ESCAPE _utf8mb4 0xC3A9, 'a%' LIKE 'a|%' ESCAPE 0x7C;
-- The constants 0x.. and b'..' are a type of their own to messages, and numbers where they are reckoned with; labels are, too.
SELECT ROW(1, 2) + 0x41;
SELECT b'1' / ROW(1, 2);
SELECT ROW(1, 2) = 0x41;
SELECT GREATEST(0x41, ROW(1, 2));
SELECT UUID() + 0x41;
SELECT CAST('::' AS INET6) % b'1';
SELECT CAST('::' AS INET6) + x'41';
SELECT ADDTIME(POINT(1, 1), 0x41);
SELECT ROW(1, 2) + e FROM labelled;
SELECT ROW(1, 2) = e FROM labelled;
CREATE VIEW bytes AS SELECT 0x41 h;
SELECT ROW(1, 2) + h FROM bytes;
SELECT ROW(1, 2) + h FROM (SELECT 0x41 h LIMIT 1) d;
-- JSON_CONTAINS reads no further than to where an object begins for what is none, nor beyond that for a scalar.
SELECT JSON_CONTAINS('{"a":1,x', 1.5), JSON_CONTAINS('{"a":1,x', '[1]'), JSON_CONTAINS('{', '"a"'), JSON_CONTAINS('1', '{x'), JSON_CONTAINS('"a"', ' [x'), JSON_CONTAINS('{"a":1', 'true');
SELECT JSON_CONTAINS('{"a":1,x', '{"b":1}');
SELECT JSON_CONTAINS('[1,x', '2');
SELECT JSON_CONTAINS('[1', '{"a":2');
SELECT JSON_CONTAINS('{"a":1}', 'x');
SELECT JSON_CONTAINS('{"a":{"b":1}}', '[1]', '$.a'), JSON_CONTAINS('{"a":1}', '{', '$.a'), JSON_CONTAINS('{"a":1}', '1', '$.a');
-- Keys of dynamic columns are names where a value is dynamic columns, or those that there are have names: any number will do.
SELECT HEX(COLUMN_CREATE(-1, COLUMN_CREATE('b', 1))), HEX(COLUMN_CREATE(70000, COLUMN_CREATE(1, 1))), HEX(COLUMN_CREATE(-1, NULL, 2, COLUMN_CREATE(1, 1))), HEX(COLUMN_CREATE(-1, COLUMN_CREATE(1, 1) AS CHAR));
SELECT HEX(COLUMN_ADD(COLUMN_CREATE(1, 1), -1, COLUMN_CREATE(1, 1))), HEX(COLUMN_ADD(COLUMN_CREATE('a', 1), -1, 2)), HEX(COLUMN_ADD(COLUMN_CREATE('a', 1), 70000, 1.5));
SELECT COLUMN_JSON(COLUMN_CREATE(-1, COLUMN_CREATE(1, 1), 2, 3)), COLUMN_LIST(COLUMN_CREATE(-1, COLUMN_CREATE(1, 1), 2, 3)), COLUMN_GET(COLUMN_CREATE(-1, COLUMN_CREATE('b', 1)), 'a' AS INT);
SELECT HEX(COLUMN_CREATE(-1, IF(1, COLUMN_CREATE(1, 1), 2)));
SELECT COLUMN_ADD(COLUMN_CREATE(1, 1), -1, 2);
SELECT HEX(COLUMN_CREATE(1, COLUMN_CREATE(1, 1))), HEX(COLUMN_CREATE(1, COLUMN_DELETE(COLUMN_CREATE(1, 1), 1))), HEX(COLUMN_ADD(COLUMN_CREATE('a', 1), 1, 2)), HEX(COLUMN_ADD(COLUMN_CREATE(1, 1), 'a', NULL));
-- An index may be hinted at by the beginning of its name that no other has.
CREATE TABLE held (id INT PRIMARY KEY, g INT, k INT, d INT, dd INT, KEY gk (g, k), KEY dk (d), KEY ddk (dd), KEY Xyz (k));
INSERT INTO held VALUES (1, 2, 3, 4, 5), (2, 2, 3, 4, 5);
SELECT id FROM held FORCE INDEX (g) WHERE g = 2;
SELECT id FROM held IGNORE INDEX (x) WHERE k = 3;
SELECT id FROM held USE INDEX (XY, dd, PRI) WHERE k = 3;
SELECT id FROM held FORCE INDEX (d);
SELECT id FROM held FORCE INDEX (dk) WHERE d = 4;
SELECT id FROM held FORCE INDEX (z);
SELECT id FROM held FORCE INDEX (gkk);
EXPLAIN SELECT id FROM held FORCE INDEX (xy) WHERE k = 3;
-- The literal of a date that a mode may take for none may be NULL; EXPORT_SET counts in 32 bits; BIN and OCT are CONV.
CREATE OR REPLACE TABLE made AS SELECT TIMESTAMP'0000-00-00 10:20:30' a, TIMESTAMP'2020-00-00 10:11:12' b, DATE'0000-00-00' c, TIMESTAMP'0000-00-00 00:00:00' d, TIMESTAMP'0000-01-01 00:00:00' e, DATE'2020-01-01' f, TIME'00:00:00' g;
SHOW CREATE TABLE made;
SELECT DATE'0000-00-00' IS NULL, TIMESTAMP'2020-00-00 10:11:12' IS NULL, COALESCE(TIMESTAMP'0000-00-00 10:20:30', 1), IFNULL(DATE'0000-00-00', 1) = 0;
SELECT EXPORT_SET(5, 'a', 'b', '', -9223372036854775808), EXPORT_SET(5, 'a', 'b', '', 4294967298), EXPORT_SET(5, 'a', 'b', '', -4294967290), EXPORT_SET(5, 'a', 'b', '', 3), EXPORT_SET(5, 'a', 'b', '', 65), EXPORT_SET(5, 'a', 'b', '', -1), EXPORT_SET(5, 'a', 'b', '', 4294967296);
SELECT COT(LOCATE(BIN('q'), v)) FROM labelled WHERE id = 1;
SELECT EXP(OCT(v) * 1e9) FROM labelled WHERE id = 1;
-- A row that is compared with a query's by <=> is so or not, NULL it is never.
CREATE OR REPLACE TABLE made AS SELECT (1, 2) <=> (SELECT id, k FROM held LIMIT 1) a, (1, 2) = (SELECT id, k FROM held LIMIT 1) b, (SELECT id, k FROM held WHERE 0) <=> (1, 2) c;
SHOW CREATE TABLE made;
SELECT * FROM made;
SELECT (1, 2) <=> (SELECT id, k FROM held WHERE 0), (NULL, NULL) <=> (SELECT id, k FROM held WHERE 0), (1, NULL) <=> (SELECT id, NULL FROM held WHERE id = 1), (id, k) <=> (SELECT id, k FROM held h WHERE h.id = held.id) FROM held ORDER BY id;
DROP DATABASE changed_words_4;
