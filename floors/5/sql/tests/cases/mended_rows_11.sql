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
DROP DATABASE rows_11;
