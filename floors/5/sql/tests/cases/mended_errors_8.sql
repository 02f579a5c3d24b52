SET NAMES utf8mb4;
SET sql_mode = '';
-- A subquery of an aggregate of the one group of all rows reads the last row, beside what is of the first one.
CREATE TABLE t1 (id INT PRIMARY KEY, c1 INT, c2 VARCHAR(10), e ENUM('a', 'b'));
INSERT INTO t1 VALUES (1, 10, 'x', 'a'), (2, 5, 'y', 'b'), (3, 30, 'z', NULL);
CREATE TABLE t2 (id INT PRIMARY KEY, c4 INT);
INSERT INTO t2 VALUES (1, 1), (2, 2), (3, 3);
SELECT id, (SELECT MAX(t1.c1) FROM t2 s1 WHERE s1.c4 >= t1.id) FROM t1;
SELECT id, (SELECT CONCAT(MAX(t1.c1), t1.id) FROM t2 s1 WHERE s1.c4 = 1) FROM t1;
SELECT CONCAT(t1.c2), (SELECT CONCAT(MAX(t1.c1), t1.c2) FROM t2 s1 WHERE s1.c4 = 1) FROM t1, t2;
SELECT c2, c1, (SELECT CONCAT(MAX(t1.c1), t1.c2, t1.c1) FROM t2 s1 WHERE s1.c4 = 1) FROM t1 HAVING c1 > 5 AND c2 <> 'z';
-- It knows nothing of no rows where it is another time's as well.
SELECT (SELECT MAX(t1.c1) FROM t2 s1 WHERE @v2 IS NULL) FROM t1 WHERE c1 > 100;
SELECT 1 IN (SELECT IFNULL(MAX(t1.c1), 1) + FLOOR(RAND()) FROM t2) FROM t1 WHERE c1 > 100;
SELECT 1 NOT IN (SELECT IFNULL(MAX(t1.c1), 1) + FLOOR(RAND()) FROM t2) FROM t1 WHERE c1 > 100;
SELECT IFNULL((SELECT s1.c4 FROM t2 s1 WHERE RAND() < 2 LIMIT 1), MAX(c1)) FROM t1 WHERE c1 > 100;
-- What a subquery gives of the row around it may be NULL where that is the one row of all.
CREATE TABLE made AS SELECT (SELECT id), COALESCE((SELECT id), c1), MAX(c1) FROM t1;
SHOW CREATE TABLE made;
-- A computed zero TIMESTAMP is told with the digits of the column.
SET sql_mode = 'TRADITIONAL';
CREATE TABLE t3 (id INT PRIMARY KEY, c0 TIMESTAMP(6) NULL, c1 TIMESTAMP NULL);
INSERT IGNORE INTO t3 VALUES (1, '2020-01-00', '2020-01-00');
CREATE OR REPLACE TABLE made AS SELECT COALESCE(NULL, c0) FROM t3;
CREATE OR REPLACE TABLE made AS SELECT LEAST(c0, c1) FROM t3;
CREATE OR REPLACE TABLE made AS SELECT c0 FROM t3;
CREATE OR REPLACE TABLE made (x TIMESTAMP(2));
INSERT INTO made SELECT COALESCE(c0) FROM t3;
INSERT INTO made SELECT c0 FROM t3;
SET sql_mode = '';
-- Constants with a collation, and formats, in error 1690.
SELECT COT('ab' COLLATE utf8mb4_unicode_520_ci);
SELECT COT(LOWER('ab' COLLATE utf8mb4_bin));
SELECT COT(CONCAT('ab', 'x') COLLATE utf8mb4_bin);
SELECT COT(GET_FORMAT(DATETIME, 'EUR'));
-- Long text made of TEXT columns has fewer characters than bytes.
CREATE TABLE t4 (id INT PRIMARY KEY, c0 TINYTEXT, c1 TINYTEXT NOT NULL, c2 TEXT, i INT UNSIGNED);
SET @v3 = ' 12 ';
SELECT EXPORT_SET(4, (SELECT c0), 1), EXPORT_SET(4, (SELECT c2), 1), EXPORT_SET(4, 'a', 'bc', (SELECT c0), 9) FROM t4;
SELECT REPLACE(c1, CAST('10:11:12' AS BINARY(6)), COALESCE(c1)) FROM t4;
SELECT CONVERT(COALESCE(c2, NOW()) USING ascii) FROM t4;
SELECT LEAST('a', LEAST(@v3, 'a')), IF(1, 'a', COALESCE(@v3, 'a'));
SELECT EXPORT_SET(3, COLUMN_GET(COLUMN_CREATE('a', i), 'a' AS CHAR), 1) FROM t4;
-- Numbers of the session have no characters but digits.
SELECT IF(1, BIN(IS_USED_LOCK('1e')), CONVERT('a' USING ascii));
SELECT IF(1, BIN(RAND()), CONVERT('a' USING ascii));
-- A foreign key to its own table that is added in its place finds the indexes that were there.
SET foreign_key_checks = 0;
CREATE TABLE f1 (id INT PRIMARY KEY, c0 INT);
ALTER TABLE f1 DROP PRIMARY KEY, ADD FOREIGN KEY (c0) REFERENCES f1 (id) ON UPDATE SET DEFAULT;
SHOW CREATE TABLE f1;
SET foreign_key_checks = 1;
INSERT INTO f1 VALUES (1, 7);
ALTER TABLE f1 ADD x INT;
SET foreign_key_checks = 0;
CREATE OR REPLACE TABLE f1 (id INT, c0 INT);
ALTER TABLE f1 ADD KEY (id), ADD FOREIGN KEY (c0) REFERENCES f1 (id);
DROP TABLE f1;
SET foreign_key_checks = 1;
-- What is computed of a table behind a merged join is taken for another table's.
CREATE TABLE z1 (id INT PRIMARY KEY, c0 INT, c1 VARCHAR(10));
CREATE TABLE z2 (id INT PRIMARY KEY, c0 INT, c1 VARCHAR(10));
CREATE VIEW w1 AS SELECT a4.c1 r0, CONCAT(a4.c0) AS r1 FROM (SELECT x.c1 FROM z1 x, z1 y) a JOIN z2 a4;
INSERT INTO w1 (r0, r1) VALUES ('a', 'a');
INSERT INTO w1 (r1) VALUES ('a');
CREATE OR REPLACE VIEW w1 AS SELECT a4.c1 r0, CONCAT(a4.c0) AS r1 FROM z2 a4 JOIN (SELECT x.c1 FROM z1 x, z1 y) a;
INSERT INTO w1 (r0, r1) VALUES ('a', 'a');
CREATE VIEW w2 AS SELECT x.c1 FROM z1 x, z1 y;
CREATE OR REPLACE VIEW w1 AS SELECT a4.c1 r0, CONCAT(a4.c0) AS r1 FROM w2 a JOIN z2 a4;
INSERT INTO w1 (r0, r1) VALUES ('a', 'a');
INSERT INTO w1 (r1) VALUES ('a');
-- Numbers become texts without single bytes when the statement is read.
SELECT 1, ELT(12, _ucs2 x'00410042', EXP('2038-01-01'));
SELECT IF(1, _utf16 x'00410042', EXP(2000));
SELECT ELT(12, _ucs2 x'00410042', EXP(UNIX_TIMESTAMP('2038-01-01')));
SELECT CASE WHEN 1 THEN _ucs2 x'00410042' ELSE EXP(2000) END;
SELECT ELT(1, 'ab', EXP(2000));
-- Constant bytes beside a text of the rows are that text's characters, which are no UUID.
CREATE TABLE u1 (id INT PRIMARY KEY, c3 VARCHAR(20) CHARACTER SET utf8mb3);
INSERT INTO u1 VALUES (1, 'a');
SELECT CAST('123e4567-e89b-12d3-a456-426655440000' AS UUID) IN (x'00000000000000000000000000000001', c3) FROM u1;
SELECT CAST('123e4567-e89b-12d3-a456-426655440000' AS UUID) IN (x'00000000000000000000000000000001', NULL) FROM u1;
-- Rows of set operations that a new table takes have no errors of their own, but those of UNION ALL.
SET sql_mode = 'STRICT_ALL_TABLES';
CREATE TABLE i5 (id INT PRIMARY KEY, c0 INT);
INSERT INTO i5 VALUES (1, 1);
CREATE OR REPLACE TABLE made (r0 VARCHAR(30)) (SELECT c1 r0 FROM z1) EXCEPT ALL SELECT CONCAT(a2.id, 'x') + 1 FROM i5 a2;
CREATE OR REPLACE TABLE made (r0 VARCHAR(30)) (SELECT c1 r0 FROM z1) UNION SELECT CONCAT(a2.id, 'x') + 1 FROM i5 a2;
CREATE OR REPLACE TABLE made (r0 VARCHAR(30)) (SELECT c1 r0 FROM z1) UNION ALL SELECT CONCAT(a2.id, 'x') + 1 FROM i5 a2;
SET sql_mode = '';
-- Queries in FROM are looked at first where a statement is prepared, those of the last SELECT before.
PREPARE s FROM '(SELECT 1 FROM (SELECT cx FROM t1) a) UNION (SELECT 1 FROM (SELECT cy FROM t1) b)';
PREPARE s FROM 'SELECT 1 FROM (SELECT cx FROM t1) a, (SELECT cy FROM t1) b';
PREPARE s FROM '(SELECT cy) UNION SELECT 1 FROM (SELECT c9 FROM t1) d INTERSECT (SELECT 1 FROM (SELECT cx FROM t1) a)';
PREPARE s FROM 'SELECT cy FROM t1 WHERE c1 IN (SELECT 1 FROM (SELECT cx FROM t1) a)';
PREPARE s FROM 'INSERT INTO t1 (c1) SELECT cy UNION SELECT 1 FROM (SELECT cx FROM t1) a';
(SELECT cy) UNION (SELECT 1 FROM (SELECT cx FROM t1) a);
