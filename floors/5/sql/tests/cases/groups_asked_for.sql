CREATE TABLE a (id INT PRIMARY KEY, k INT, y INT, KEY k (k))
CREATE TABLE b (id INT PRIMARY KEY AUTO_INCREMENT, x INT, y INT, v INT, s VARCHAR(10), KEY x (x), KEY xy (x, y), KEY s (s))
INSERT INTO a SELECT seq, seq % 97, NULLIF(seq % 5, 4) FROM seq_1_to_400
INSERT INTO b (x, y, v, s) SELECT NULLIF(seq % 500, 7), seq % 5, seq % 31, CONCAT('S', seq % 200) FROM seq_1_to_4000
ANALYZE TABLE a, b
SELECT a.id, q.n, q.s FROM a JOIN (SELECT x, COUNT(*) n, SUM(v) s FROM b GROUP BY x) q ON q.x = a.id WHERE a.k = 3 ORDER BY a.id
SELECT a.id, q.n, q.s FROM a LEFT JOIN (SELECT x, COUNT(*) n, SUM(v) s FROM b WHERE v > 25 GROUP BY x) q ON q.x = a.id WHERE a.id < 12 ORDER BY a.id
SELECT a.id, q.n FROM a LEFT JOIN (SELECT x, COUNT(*) n FROM b GROUP BY x HAVING n > 7) q ON q.x = a.id AND q.n > 3 WHERE a.id IN (6, 7, 8, 600) ORDER BY a.id
SELECT a.id, q.y, q.m FROM a JOIN (SELECT x, y, MAX(v) m FROM b GROUP BY x, y) q ON q.x = a.id AND q.y = a.y WHERE a.id < 9 ORDER BY a.id, q.y
SELECT a.id, q.y, q.m FROM a JOIN (SELECT x, y, MAX(v) m FROM b GROUP BY x, y) q ON q.x = a.id WHERE a.id < 4 ORDER BY a.id, q.y
SELECT a.id, q.m FROM a JOIN (SELECT x, MIN(y) m FROM b GROUP BY x) q ON q.x = a.y WHERE a.id < 9 ORDER BY a.id
SELECT a.id, q.c, r.c FROM a JOIN (SELECT x, COUNT(*) c FROM b GROUP BY x) q ON q.x = a.id JOIN (SELECT x, COUNT(DISTINCT v) c FROM b GROUP BY x) r ON r.x = q.x + 0 WHERE a.id < 5 ORDER BY a.id
SELECT a.id, q.c, r.c FROM a JOIN (SELECT x, COUNT(*) c FROM b GROUP BY x) q ON q.x = a.id LEFT JOIN (SELECT x, COUNT(DISTINCT v) c FROM b GROUP BY x) r ON r.x = q.x WHERE a.id < 5 ORDER BY a.id
SELECT a.id, q.c FROM a JOIN (SELECT s, COUNT(*) c FROM b GROUP BY s) q ON q.s = CONCAT('s', a.id) WHERE a.id < 5 ORDER BY a.id
SELECT a.id, q.c FROM a JOIN b z ON z.id = a.id JOIN (SELECT s, COUNT(*) c FROM b GROUP BY s) q ON q.s = z.s WHERE a.id < 5 ORDER BY a.id
SELECT a.id, (SELECT SUM(q.n) FROM b z JOIN (SELECT x, COUNT(*) n FROM b GROUP BY x) q ON q.x = z.x WHERE z.id = a.id) t FROM a WHERE a.id < 5 ORDER BY a.id
WITH q AS (SELECT x, COUNT(*) n FROM b GROUP BY x) SELECT a.id, q.n FROM a JOIN q ON q.x = a.id WHERE a.id < 4 ORDER BY a.id
WITH q AS (SELECT x, COUNT(*) n FROM b GROUP BY x) SELECT a.id, q.n, r.n FROM a JOIN q ON q.x = a.id JOIN q r ON r.x = a.id + 1 WHERE a.id < 4 ORDER BY a.id
CREATE VIEW w AS SELECT x, SUM(v) s FROM b GROUP BY x
SELECT a.id, w.s FROM a JOIN w ON w.x = a.id WHERE a.id < 4 ORDER BY a.id
UPDATE a JOIN (SELECT x, SUM(v) s FROM b GROUP BY x) q ON q.x = a.id SET a.y = q.s WHERE a.id < 6
SELECT id, y FROM a WHERE id < 8
PREPARE p FROM 'SELECT a.id, q.n FROM a JOIN (SELECT x, COUNT(*) n FROM b GROUP BY x) q ON q.x = a.id WHERE a.id = ?'
SET @i = 3
EXECUTE p USING @i
SET @i = 4
EXECUTE p USING @i
DELETE FROM b WHERE x = 4
EXECUTE p USING @i
DROP VIEW w
DROP TABLE a, b
