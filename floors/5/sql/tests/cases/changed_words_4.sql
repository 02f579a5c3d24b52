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
DROP DATABASE changed_words_4;
