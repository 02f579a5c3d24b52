-- What the differential tester found in what is told of tables and counts, mended.

-- Rows of VALUES that read their own table under its name are computed before any is there; what stands at the end of an
-- index or under a key is looked at before, too, under another name.
CREATE TABLE listed (id INT PRIMARY KEY, a INT);
INSERT INTO listed VALUES (7, 1), (1, (SELECT MAX(x.id) + 1 FROM listed x));
INSERT INTO listed VALUES (20, 1), (21, (SELECT MAX(x.id) + 1 FROM listed x)), (22, (SELECT COUNT(*) FROM listed x)), (23, (SELECT SUM(id) FROM listed x WHERE x.id > 3)), (24, (SELECT x.id FROM listed x WHERE x.id = 20));
REPLACE INTO listed VALUES (60, 1), (61, (SELECT COUNT(*) FROM listed));
INSERT INTO listed VALUES (50, 1), (51, (SELECT COUNT(*) FROM listed)) ON DUPLICATE KEY UPDATE a = 1;
SELECT * FROM listed;
CREATE VIEW listing AS SELECT * FROM listed;
INSERT INTO listed VALUES (80, 1), (81, (SELECT COUNT(*) FROM listing));
SELECT * FROM listed WHERE id >= 80;
CREATE TABLE numbered (id INT AUTO_INCREMENT PRIMARY KEY, a INT);
INSERT INTO numbered VALUES (NULL, 1), (NULL, (SELECT COUNT(*) FROM numbered)), (NULL, id), (NULL, (SELECT MAX(id) FROM numbered));
SELECT * FROM numbered;

-- Lengths of numbers.
CREATE TABLE t (id INT PRIMARY KEY, a INT, b BIGINT, d DATETIME(6), d0 DATETIME, d1 DATETIME(1), e TIME(3), e0 TIME, f DATE, g TIMESTAMP(2), s SMALLINT);
CREATE TABLE made AS SELECT CAST(d AS SIGNED) x0, CAST(e AS SIGNED) x1, CAST(f AS SIGNED) x2, CAST(g AS SIGNED) x3, CAST(e AS SIGNED) + 1 x4, IFNULL(CAST(d0 AS SIGNED), 1) x5, COALESCE(CAST(d1 AS SIGNED)) x6, -CAST(e0 AS SIGNED) x7, SUM(CAST(d AS SIGNED)) x8 FROM t;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT FLOOR(NAME_CONST('n', 12)) x0, ABS(NAME_CONST('n', 12)) x1, ROUND(NAME_CONST('n', 12)) x2, MAX(NAME_CONST('n', 12)) x3, NULLIF(NAME_CONST('n', 12), 3) x4, ROUND(1, NULL) x5, ROUND(12, a) x6, TRUNCATE(123, a) x7 FROM t;
SHOW CREATE TABLE made;
CREATE TABLE wide (b BIGINT(21) UNSIGNED, f INT(20), h TINYINT(6), z INT(12) ZEROFILL);
CREATE OR REPLACE TABLE made AS SELECT b + b x0, f + 1 x1, COALESCE(f) x2, CONCAT(h) x3, SUM(f) x4, -b x5, COALESCE(z) x6, MAX(h) x7 FROM wide;
SHOW CREATE TABLE made;
CREATE VIEW totals AS SELECT 1 r0, 123 r1, MONTH('2020-01-01') r2 FROM t GROUP BY 1, 2, 3 WITH ROLLUP;
SHOW COLUMNS FROM totals;

-- A key of totals that is there twice.
INSERT INTO listed VALUES (100, NULL);
SELECT x.id > 50 AS r, COUNT(*) FROM listed x GROUP BY x.id > 50, x.id > 50 WITH ROLLUP;
SELECT x.a, x.id FROM listed x WHERE x.id IN (20, 21) GROUP BY x.a, x.id, x.a WITH ROLLUP;

-- The ends of columns that come through a view.
CREATE TABLE labels (id INT PRIMARY KEY, c CHAR(8), b BINARY(3), e ENUM('a', 'b'), x TINYTEXT);
CREATE VIEW through AS SELECT * FROM labels;
CREATE OR REPLACE TABLE made AS SELECT MAX(c) m0, MIN(b) m1, MAX(e) m2, MAX(x) m3 FROM through;
SHOW CREATE TABLE made;

-- Stars that nobody looks at.
CREATE VIEW there AS SELECT id FROM t WHERE EXISTS (SELECT t.* FROM t WHERE a = 1) OR EXISTS (SELECT *, id FROM t UNION SELECT s.*, 1 FROM t s);
SHOW CREATE VIEW there;

-- Foreign keys that are added in the table's place.
CREATE TABLE child (id INT PRIMARY KEY, c INT);
SET foreign_key_checks = 0;
ALTER TABLE child ADD CONSTRAINT f1 FOREIGN KEY (c) REFERENCES child (id) ON DELETE SET DEFAULT ON UPDATE NO ACTION;
ALTER TABLE child ADD CONSTRAINT f2 FOREIGN KEY (c) REFERENCES child (id) ON DELETE RESTRICT;
SET foreign_key_checks = 1;
ALTER TABLE child ADD CONSTRAINT f3 FOREIGN KEY (c) REFERENCES child (id) ON DELETE SET DEFAULT ON UPDATE RESTRICT;
SHOW CREATE TABLE child;
DROP TABLE child;

-- What utf8mb3 keeps utf8mb4 keeps as it is.
CREATE TABLE narrow (id INT PRIMARY KEY, c VARCHAR(20) CHARACTER SET utf8mb3, d TEXT CHARACTER SET utf8mb3, e CHAR(3) CHARACTER SET utf8mb3, f ENUM('a') CHARACTER SET utf8mb3);
INSERT INTO narrow VALUES (1, 'a', 'b', 'c', 'a');
ALTER TABLE narrow MODIFY c VARCHAR(30) CHARACTER SET utf8mb4, MODIFY d TEXT CHARACTER SET utf8mb4, MODIFY e CHAR(3) CHARACTER SET utf8mb4;
ALTER TABLE narrow MODIFY f ENUM('a') CHARACTER SET utf8mb4;

-- Numbers that nobody got.
CREATE TABLE digests (id INT AUTO_INCREMENT PRIMARY KEY, c TEXT, UNIQUE KEY (c));
INSERT IGNORE INTO digests (id, c) VALUES (10, ''), (0, NULL), (18, 'x'), (1, ''), (DEFAULT, 'y');
SHOW CREATE TABLE digests;
CREATE TABLE later (id INT AUTO_INCREMENT PRIMARY KEY, a INT UNIQUE);
INSERT IGNORE INTO later (a) VALUES (1), (1), (1), (2), (2);
ALTER TABLE later ADD COLUMN b INT AS (a) VIRTUAL;
SHOW CREATE TABLE later;
ALTER TABLE later ADD COLUMN c INT AS (a) VIRTUAL;
SHOW CREATE TABLE later;
SET STATEMENT sql_mode = '' FOR INSERT INTO later (a) VALUES (11), (12), (13), (14), (15), (16);
CREATE TABLE filled (id INT AUTO_INCREMENT PRIMARY KEY) SELECT a FROM later;
SHOW CREATE TABLE filled;
SELECT a AS r, COUNT(*) FROM listed GROUP BY 1, 1 WITH ROLLUP;
SELECT a AS r, COUNT(*) FROM listed GROUP BY r, a WITH ROLLUP;
SELECT a, id FROM listed WHERE id IN (20, 21) GROUP BY id, a, id WITH ROLLUP HAVING a IS NULL;

-- The ends of what is computed are of its kind still among several sources.
CREATE OR REPLACE TABLE made AS (SELECT MIN(COALESCE(a, id)) x0, MAX(NULLIF(a, 1)) x1, MIN(a DIV 1) x2, MIN(ADDTIME('23:59:59', '01:00')) x3, MIN(s + s) x4 FROM t) UNION SELECT 1, 1, 1, 1, 1;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT FLOOR(MIN(COALESCE(a, id))) x0, MIN(COALESCE(a)) x1 FROM t;
SHOW CREATE TABLE made;

-- What an outer join has no row for keeps the default of its table.
CREATE VIEW apart AS SELECT DISTINCT 1 r0, '2021' r1 FROM t;
CREATE OR REPLACE TABLE made AS SELECT a1.* FROM apart a1 RIGHT JOIN (SELECT 1 z) a2 ON 1;
SHOW CREATE TABLE made;

-- Days behind which there is but a digit and letters.
SELECT CAST('1 2 one' AS TIME), CAST('1 2x' AS TIME), CAST('1 2T' AS TIME), CAST('1 22 one' AS TIME), CAST('1 2:x' AS TIME), CAST('1 2 AM' AS TIME);

-- NULLIF of dates that the mode does not know.
CREATE TABLE zeros (id INT PRIMARY KEY, d DATE, e DATETIME, f TIMESTAMP NULL);
SET sql_mode = '';
INSERT INTO zeros VALUES (2, 0, 0, 0), (3, '2020-00-10', '2020-00-10 01:01:01', NULL), (4, '2020-01-01', '2020-01-01', '2020-01-01');
SET sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
SELECT NULLIF(d, '2001-01-01'), NULLIF(e, '2001-01-01'), NULLIF(f, '2001-01-01'), CONCAT(NULLIF(d, '2001-01-01')), NULLIF(d, '2001-01-01') IS NULL, YEAR(NULLIF(d, '2001-01-01')) FROM zeros;
SELECT COUNT(NULLIF(d, '2001-01-01')), MIN(NULLIF(d, '2001-01-01')) FROM zeros;
UPDATE zeros SET d = NULLIF(d, '2001-01-01');
SELECT * FROM zeros;
SET sql_mode = DEFAULT;

-- Whether a comparison is NULL its operands say.
CREATE TABLE compared (id INT PRIMARY KEY, a INT, b VARCHAR(10), j JSON, CHECK (a > j IS NOT NULL));
INSERT INTO compared VALUES (1, 1, 'x', '[1]');
INSERT INTO compared VALUES (2, 1, NULL, NULL);
SELECT (a > b) IS NULL, (a = 'x') IS NOT NULL, ISNULL(a < b), (a <=> b) IS NULL, (a > j) IS UNKNOWN, COUNT(a > b) FROM compared GROUP BY id, a, b, j;
UPDATE compared SET a = 2 WHERE (a > b) IS NOT NULL;

-- Negative numbers that ON DUPLICATE KEY UPDATE gives, warnings of stored columns that are given values, LOAD's own columns.
CREATE TABLE given (id INT AUTO_INCREMENT PRIMARY KEY, a INT, b INT AS (1) STORED, c DATE AS ('2020-01-01') STORED, d DECIMAL(3, 1) AS (1));
SET sql_mode = '';
INSERT INTO given (a, b, c, d) VALUES (1, 'x', '2020-13-45', 'x'), (2, 7, 0, 1.25);
UPDATE given SET b = 'y', c = '2020-01-01 10:00:00' WHERE id = 1;
SET sql_mode = DEFAULT;

-- Defaults of constants are computed once.
ALTER TABLE given ADD n1 DATE DEFAULT ('2024-06-15 12:30:45' + INTERVAL 1 DAY);
ALTER TABLE given ADD n2 DATE DEFAULT ('2024-06-15 12:30:45' + INTERVAL 1 DAY), ALGORITHM = COPY;
SELECT n1, n2 FROM given;

-- Bytes in ASCII columns.
CREATE TABLE bytes (id INT PRIMARY KEY, b BLOB, a VARCHAR(10) CHARACTER SET ascii);
INSERT INTO bytes VALUES (1, x'C384', x'FF'), (2, 'b', BINARY 'é'), (3, 'b', _ascii x'FF');
UPDATE bytes SET a = b WHERE id = 1;
SELECT id, HEX(a) FROM bytes;

-- Texts that are put together in another character set, and INSTR, as they are shown.
CREATE TABLE sets (a VARCHAR(20) CHARACTER SET utf8mb3, b VARCHAR(20), l VARCHAR(20) CHARACTER SET latin1, n INT, d1 VARCHAR(50) DEFAULT (IFNULL(l, b)), d2 VARCHAR(50) DEFAULT (CASE WHEN n THEN a ELSE b END), d3 VARCHAR(50) DEFAULT (CONCAT(n, a, 'x', l)), g INT AS (a = b), CHECK (a < l), CHECK (LEFT(NULL, 3) <> 'zz'), CHECK (a IN ('x', b)), CHECK (n IN (a, b)), CHECK (INSTR(a, b)), CHECK ((a, b) = (b, a)), CHECK (TRIM(a FROM b) > 'x'));
SHOW CREATE TABLE sets;
CREATE VIEW sought AS SELECT INSTR(a, b) AS i FROM sets;
SHOW CREATE VIEW sought;

-- What queries bring is forgotten where it may have been changed, a number that no row took is told.
CREATE TABLE parents (id INT PRIMARY KEY);
INSERT INTO parents VALUES (1);
CREATE TABLE children (id INT AUTO_INCREMENT PRIMARY KEY, a INT, FOREIGN KEY (a) REFERENCES parents (id));
INSERT IGNORE INTO children (id, a) VALUES (23, 7), (30, 1), (DEFAULT, 7);
INSERT INTO children (id, a) SELECT id + 50, 1 FROM parents ON DUPLICATE KEY UPDATE a = 1;
INSERT INTO children (id, a) VALUES (51, 1) ON DUPLICATE KEY UPDATE id = -3;
SELECT * FROM children;
DROP TABLE children;

-- The ends of integers in a temporary table.
CREATE VIEW ends AS WITH RECURSIVE w (q0, q1) AS (SELECT 1, 3 FROM t) SELECT MIN(q1), MAX(q0) FROM w;
SHOW COLUMNS FROM ends;
CREATE OR REPLACE TABLE made AS SELECT MAX(r0) m0, MIN(r1) m1, MAX(r0) + 1 m2, COALESCE(MAX(r0)) m3 FROM (SELECT DISTINCT 12 r0, LENGTH('abc') r1 FROM t) x;
SHOW CREATE TABLE made;

-- b'..' and 0x.. are numbers beside one in rows, too.
SELECT (10, a) < (b'1000001', 7), (id, 1) <> (0x41, 1), (10.5, 1) < (0x41, 1), (1e1, 1) < (x'41', 1), ('10', 1) < (0x41, 1), (65, 1) <=> (0x41, 1) FROM listed WHERE id IN (7, 20);
DELETE FROM listed WHERE (10, a) < (b'1000001', 7) AND id = 7;
SELECT COUNT(*) FROM listed;

-- So they are beside doubles.
CREATE TABLE doubles (d DOUBLE, f FLOAT(8, 2));
INSERT INTO doubles VALUES (1, 0.5), (2, 100);
SELECT f > 0x4142, d > 0x41, d + 0 > 0x41, 1e0 < 0x41, d IN (0x01, 0x41), d <=> 0x01 FROM doubles;
SELECT SUM(f) FROM doubles HAVING AVG(DISTINCT f) > 0x4142;
SHOW COLUMNS FROM sets;
SELECT CONSTRAINT_NAME, CHECK_CLAUSE FROM INFORMATION_SCHEMA.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = DATABASE() AND TABLE_NAME = 'sets';
