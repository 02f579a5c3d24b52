-- Rows that random statements showed to differ, each with a small statement that shows it.
CREATE DATABASE rows_10 CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE rows_10;

-- The year zero that a subquery finds is the number 0.
SET sql_mode = '', time_zone = '+00:00', timestamp = 1600000000;
CREATE TABLE years (id INT PRIMARY KEY, y YEAR, z INT(5) ZEROFILL);
INSERT INTO years VALUES (1, 0, 3), (2, 2001, 7);
SELECT (SELECT y), (SELECT z), (SELECT y FROM years x WHERE id = years.id), CONCAT((SELECT y)), CONCAT(y) FROM years;
CREATE TABLE found AS SELECT (SELECT y), (SELECT y FROM years x WHERE id = 1) FROM years;
SELECT * FROM found;
-- What CONVERT_TZ tells is a date to everybody.
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT CONVERT_TZ(CONVERT_TZ(FROM_DAYS(-1), '-11:00', '-03:00'), '+01:00', 'SYSTEM');
SELECT DATE(CONVERT_TZ(FROM_DAYS(-id), '+00:00', '+01:00')), CAST(CONVERT_TZ(FROM_DAYS(-id), '+00:00', '+01:00') AS DATETIME), DATE_ADD(CONVERT_TZ(FROM_DAYS(-id), '+00:00', '+01:00'), INTERVAL 1 DAY) FROM years;
-- Text that was chosen among bytes is bytes to UNION and to columns.
SET sql_mode = '';
CREATE TABLE bytes (id INT PRIMARY KEY, l VARCHAR(30) CHARACTER SET latin1, b VARBINARY(20), u VARCHAR(20) CHARACTER SET utf8mb4);
INSERT INTO bytes VALUES (1, CASE WHEN 0 THEN x'01020304' ELSE _utf8mb4'ﬁn' END, CASE WHEN 0 THEN x'01020304' ELSE _utf8mb4'ﬁn' END, CASE WHEN 0 THEN x'01020304' ELSE _utf8mb4'ﬁn' END);
INSERT INTO bytes SELECT 2, COALESCE(_latin1 x'e9', x'01'), COALESCE(_latin1 x'e9', x'01'), COALESCE(_latin1 x'e9', x'01');
SELECT id, HEX(l), HEX(b), HEX(u) FROM bytes;
SELECT CASE WHEN 0 THEN x'01020304' ELSE _utf8mb4'ﬁn' END c UNION ALL SELECT l FROM bytes WHERE id = 1;
SELECT HEX(c) FROM (SELECT COALESCE(_latin1 x'e9', x'01') c UNION SELECT u FROM bytes WHERE id = 1) d;
-- JSON_UNQUOTE takes bytes from under what lays documents out, unread.
SELECT HEX(JSON_UNQUOTE(JSON_COMPACT(POINT(1, 1)))), HEX(JSON_UNQUOTE(JSON_LOOSE(JSON_COMPACT(x'efac81')))), JSON_UNQUOTE(JSON_COMPACT('"a"'));
-- EXISTS is true in a document of bytes, beside a column's text too.
CREATE TABLE documents (id INT PRIMARY KEY, t TIME, j JSON);
INSERT INTO documents VALUES (1, '10:11:12', '[1]');
SELECT JSON_OBJECT('b', (SELECT s.j FROM documents s WHERE s.id = documents.id), CAST(t AS BINARY), EXISTS (SELECT 1 FROM years)), JSON_OBJECT('b', (SELECT s.j FROM documents s WHERE s.id = documents.id), 'a', EXISTS (SELECT 1 FROM years)) FROM documents;
