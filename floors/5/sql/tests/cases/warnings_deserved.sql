SET NAMES utf8mb4;
CREATE TABLE wd (id INT PRIMARY KEY, g VARCHAR(20) CHARACTER SET utf8mb4, m3 VARCHAR(20) CHARACTER SET utf8mb3, i INT, bi BIGINT, d DECIMAL(10,2), v VARCHAR(20) CHARACTER SET utf8mb4, b VARBINARY(20));
INSERT INTO wd VALUES (1, 'abc', 'abc', 1, 1, 1.5, 'abc', 'abc'), (2, 'abd', 'abd', 2, 2, 2.5, 'abd', 'abd');
-- Bytes that are no characters
SELECT 1 FROM wd WHERE DECODE(g, 'k') = m3;
SELECT CONVERT(DECODE(g, 'k') USING latin1) FROM wd;
SELECT CONVERT(DECODE(m3, 'k') USING latin1) FROM wd;
SELECT CONVERT(DECODE('straße', 'b') USING ascii);
SELECT CASE DECODE(g, 'k') WHEN g THEN 1 WHEN 'x' THEN 2 END FROM wd;
SELECT CASE g WHEN DECODE(g, 'k') THEN 1 END FROM wd;
SELECT DECODE(g, 'k') IN (1, g) FROM wd;
SELECT x'01020304' IN (1, v) FROM wd WHERE id = 1;
SELECT 0x41 IN (65, 'b'), x'41' IN (65, 'A'), x'61' IN ('A', 'b');
SELECT x'01020304' IN (v, CAST('::1' AS INET6)) FROM wd WHERE id = 1;
-- Constant bytes are taken as they are
SELECT id FROM wd WHERE g < UNHEX('bc') ORDER BY id;
SELECT id FROM wd WHERE UNHEX('bc') > g ORDER BY id;
SELECT id FROM wd WHERE g BETWEEN 'a' AND UNHEX('bc') ORDER BY id;
SELECT id FROM wd WHERE g IN ('abd', UNHEX('bc'));
-- What is not asked for is not computed
SELECT ISNULL('12:30' * 7), ISNULL(-''), (-'') IS NULL, ISNULL(ABS('a')), ISNULL(CAST('a' AS SIGNED));
SELECT (-'') IS NOT NULL;
SELECT ISNULL('a' DIV 7);
SELECT EXTRACTVALUE(SEC_TO_TIME('abc'), NULL), UPDATEXML('abc' + 1, NULL, 'a');
SELECT REGEXP_SUBSTR(LAST_DAY(-128), NULL);
SELECT REGEXP_SUBSTR(LAST_DAY(g), NULL) FROM wd WHERE id = 1;
SELECT REGEXP_INSTR(LAST_DAY(-128), NULL), REGEXP_REPLACE(LAST_DAY(-128), NULL, 'x');
-- How numbers are told of
SELECT MAKETIME(8, 6, UNIX_TIMESTAMP('2020-01-01 10:10:10.5')), MAKETIME(8, 6, UNIX_TIMESTAMP('2020-01-01 10:10:10.0')), MAKETIME(8, 6, 161.5);
SELECT FROM_UNIXTIME('2020-02-28 10:11:12.5' - INTERVAL 3 WEEK);
SELECT FROM_UNIXTIME('2020-02-28 10:11:12.5' + INTERVAL id QUARTER) FROM wd;
SELECT id FROM wd WHERE bi BETWEEN v AND v;
SELECT id FROM wd WHERE bi BETWEEN '12' AND v;
SELECT bi BETWEEN 'a' AND 'b' FROM wd LIMIT 1;
SELECT id FROM wd WHERE bi BETWEEN v AND 1;
SELECT (d, d) IN (SELECT 'a', 5 FROM wd WHERE id = 1) FROM wd WHERE id = 1;
SELECT id FROM wd WHERE d = ALL (SELECT 'a' FROM wd WHERE id = 1) AND id = 1;
SELECT id FROM wd WHERE d > ANY (SELECT 'a' FROM wd WHERE id = 1) AND id = 1;
-- What stands where something else is wanted in XML
SELECT EXTRACTVALUE('<a <a><b>one</b></a>>t</a>', '/a');
SELECT EXTRACTVALUE('<a /b', '/a');
SELECT EXTRACTVALUE('<a =b', '/a');
SELECT EXTRACTVALUE('<a "b"', '/a');
SELECT EXTRACTVALUE('<a <!--x-->', '/a');
SELECT EXTRACTVALUE('<a b= <a>', '/a');
SELECT EXTRACTVALUE('<>', '/a');
SELECT EXTRACTVALUE('<a>x</a b>', '/a');
SELECT EXTRACTVALUE('< a>x</a>', '/a'), EXTRACTVALUE('<a / >', '/a'), EXTRACTVALUE('<a b="1" />', '/a/@b');
SELECT EXTRACTVALUE('<a ?b', '/a');
-- What orders nothing is not computed
SELECT id FROM wd ORDER BY UNIX_TIMESTAMP('2020-01-00'), id;
SELECT id FROM wd ORDER BY EXTRACTVALUE('text', '/a') + 0, id;
SELECT id FROM wd WHERE id = 1 ORDER BY EXTRACTVALUE('text', '/a') + id, id;
-- What is looked for among rows has no name
SELECT id FROM wd WHERE (v) NOT IN (SELECT wd.t FROM (SELECT 1 AS one, TIME'10:00' AS t) wd);
DROP TABLE wd;
