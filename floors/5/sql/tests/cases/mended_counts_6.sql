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
