-- IS NULL finds the zero date of a DATE or DATETIME column that takes no NULL, of an outer join and in HAVING, too.
SET sql_mode = '';
CREATE TABLE a (id INT PRIMARY KEY, x INT, dt DATETIME NOT NULL);
CREATE TABLE b (id INT PRIMARY KEY, aid INT, d DATE NOT NULL, dt DATETIME NOT NULL, ts TIMESTAMP NOT NULL, KEY (d));
INSERT INTO a VALUES (1, 1, 0), (2, 2, '2020-01-01'), (3, 3, '2020-01-01');
INSERT INTO b VALUES (1, 1, 0, 0, 0), (2, 2, '2020-01-01', '2020-01-01', '2020-01-01'), (3, NULL, '2020-01-01', 0, 0);
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE b.d IS NULL ORDER BY 1, 2;
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE b.dt IS NULL ORDER BY 1, 2;
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE b.ts IS NULL ORDER BY 1, 2;
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE ISNULL(b.d) ORDER BY 1, 2;
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE NOT b.d IS NOT NULL ORDER BY 1, 2;
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE b.d IS NOT NULL ORDER BY 1, 2;
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE b.d IS NULL AND a.id < 3 ORDER BY 1, 2;
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id WHERE (b.d IS NULL) = 1 ORDER BY 1, 2;
SELECT a.id, b.id FROM a LEFT JOIN b ON b.aid = a.id AND b.d IS NULL ORDER BY 1, 2;
SELECT a.id, c.id, b.id FROM a LEFT JOIN (b LEFT JOIN b c ON c.id = b.id) ON b.aid = a.id WHERE c.d IS NULL ORDER BY 1, 2;
SELECT a.id, (SELECT COUNT(*) FROM a x WHERE b.d IS NULL) FROM a LEFT JOIN b ON b.aid = a.id ORDER BY 1;
SELECT id FROM b WHERE ISNULL(d);
CREATE VIEW v AS SELECT a.id AS ai, b.id AS bi, b.d FROM a LEFT JOIN b ON b.aid = a.id;
SELECT * FROM v WHERE d IS NULL ORDER BY 1, 2;
SELECT * FROM (SELECT DISTINCT * FROM v) w WHERE d IS NULL ORDER BY 1, 2;
SELECT id, dt FROM a HAVING dt IS NULL;
SELECT id, dt + 0 AS z FROM a HAVING z IS NULL;
SELECT d AS z, id FROM b HAVING z IS NULL;
SELECT MAX(dt) AS m FROM a HAVING m IS NULL;
SELECT b.d, COUNT(*) FROM a LEFT JOIN b ON b.aid = a.id GROUP BY d HAVING d IS NULL;
SELECT d, COUNT(*) FROM b GROUP BY d WITH ROLLUP HAVING d IS NULL;
SELECT COUNT(*), d FROM b WHERE id = 99 HAVING d IS NULL;
UPDATE a LEFT JOIN b ON b.aid = a.id SET a.x = 10 WHERE b.d IS NULL;
SELECT * FROM a;
DELETE a FROM a LEFT JOIN b ON b.aid = a.id WHERE b.d IS NULL;
SELECT * FROM a;

-- IN, ANY and ALL do without groups that nothing is counted of: the NULL in the totals of ROLLUP is no row of theirs.
CREATE TABLE t (id INT PRIMARY KEY, c INT, v VARCHAR(10), n INT NOT NULL);
INSERT INTO t VALUES (8, 3, 'zz', 3), (9, 4, 'a', 4), (10, 3, 'q', 3);
CREATE TABLE o (x INT, y INT NOT NULL);
INSERT INTO o VALUES (8, 8), (3, 3), (NULL, 0), (4, 4);
SELECT x, y, x IN (SELECT c FROM t GROUP BY c WITH ROLLUP) AS a, y IN (SELECT c FROM t GROUP BY c, id WITH ROLLUP) AS b, y IN (SELECT c + 0 FROM t GROUP BY c WITH ROLLUP) AS d FROM o;
SELECT x, y, y <> ALL (SELECT c FROM t GROUP BY c WITH ROLLUP) AS a, x > ANY (SELECT c FROM t GROUP BY c WITH ROLLUP) AS b, y < ALL (SELECT c FROM t GROUP BY c WITH ROLLUP) AS d FROM o;
SELECT x, y, (x, y) IN (SELECT c, id FROM t GROUP BY c, id WITH ROLLUP) AS a, y IN (SELECT id FROM t GROUP BY c WITH ROLLUP) AS b, x IN (SELECT NULL FROM t GROUP BY c WITH ROLLUP) AS d FROM o;
SELECT x, y, y IN (SELECT c FROM t GROUP BY c WITH ROLLUP HAVING COUNT(*) > 0) AS a, y IN (SELECT c FROM t GROUP BY c WITH ROLLUP UNION SELECT 5) AS b, y IN (SELECT r FROM (SELECT c AS r FROM t GROUP BY c WITH ROLLUP) q) AS d FROM o;
SELECT x, y FROM o WHERE y NOT IN (SELECT c FROM t GROUP BY c WITH ROLLUP);
INSERT INTO t VALUES (11, NULL, 'q', 1);
SELECT x, y, y IN (SELECT c FROM t GROUP BY c WITH ROLLUP) AS a, y IN (SELECT n FROM t GROUP BY n WITH ROLLUP) AS b FROM o;

-- What HAVING asks of no row is asked before any row is read, all of it.
CREATE TABLE e (id INT PRIMARY KEY, a INT, v VARCHAR(10));
SELECT 1 FROM e HAVING CAST(0 AS UNSIGNED) - 100 >= 3e0;
SELECT id FROM e HAVING id = 1 OR CAST(0 AS UNSIGNED) - 1;
SELECT id FROM e HAVING 0 AND CAST(0 AS UNSIGNED) - 1;
SELECT a, COUNT(*) FROM e GROUP BY a HAVING CAST(0 AS UNSIGNED) - 1;
SELECT id FROM e HAVING (SELECT 1 FROM o) = 1;
SELECT id FROM t WHERE 0 HAVING 'abc';
SELECT id FROM t HAVING '1abc';
SELECT id FROM e HAVING 'abc';
SELECT COUNT(*) FROM e HAVING '1abc';
EXPLAIN SELECT id FROM e HAVING 0;

-- A date or time without a fraction beside a BIGINT column is the number that it is.
CREATE TABLE w (id INT PRIMARY KEY, b BIGINT, u BIGINT UNSIGNED, i INT);
INSERT INTO w VALUES (1, 94, 94, 94), (2, 0, 0, 0), (3, 20200101, 20200101, 20200101), (4, 20200101000000, 20200101000000, 7), (5, 100000, 100000, 100000), (6, -100000, 1, -100000), (7, 20200101000001, 7, 7);
SELECT id FROM w WHERE b = DATE'0000-00-00';
SELECT id FROM w WHERE b = TIMESTAMP'2020-01-01 00:00:00';
SELECT id FROM w WHERE b > TIMESTAMP'2020-01-01 00:00:00.5';
SELECT id FROM w WHERE b <= DATE'2020-01-01';
SELECT id FROM w WHERE u > DATE'2020-01-01';
SELECT id FROM w WHERE i < DATE'2020-01-01';
SELECT id FROM w WHERE b = TIME'-10:00:00';
SELECT id FROM w WHERE u = TIME'10:00:00';
SELECT id FROM w WHERE u > TIME'-10:00:00';
SELECT id FROM w WHERE b < CURDATE();
SELECT id FROM w WHERE b + 0 < DATE'2020-01-01';
SELECT id FROM w WHERE b IN (DATE'0000-00-00', DATE'2020-01-01');
SELECT id FROM w WHERE b IN (DATE'0000-00-00', 94);
SELECT id FROM w WHERE b BETWEEN DATE'0000-00-00' AND DATE'2020-01-01';
SELECT id, b = DATE'0000-00-00', DATE'0000-00-00' <=> u, NULLIF(b, DATE'0000-00-00'), NULLIF(DATE'0000-00-00', b), CASE b WHEN DATE'0000-00-00' THEN 1 ELSE 0 END FROM w;
SELECT id, b AS m FROM w HAVING m = DATE'0000-00-00';
UPDATE w SET i = 5 WHERE b = DATE'0000-00-00';

-- What is true or false stays so when it is rounded; the digits may be NULL.
CREATE TABLE y (id INT, d DATE NOT NULL, t TIME NOT NULL, n INT);
CREATE TABLE z AS SELECT MAX(ROUND(id > 1)) AS a, MAX(FLOOR(id > 1)) AS b, MAX(ABS(id > 1)) AS c, MAX(ROUND(id > 1, -1)) AS e, MAX(ROUND(n)) AS f FROM y;
SHOW CREATE TABLE z;
SELECT JSON_ARRAY(ROUND(1 = 1), CEILING(1 IS NULL), TRUNCATE(1 = 1, 0), ABS(1 = 1));
CREATE TABLE z2 AS SELECT ROUND(d, n) AS a, ROUND(d, '1') AS b, TRUNCATE(d, n) AS c, ROUND(t, n) AS e, ROUND(d) AS f FROM y;
SHOW CREATE TABLE z2;

-- IS NULL of such dates in ON finds the zero date where the outer join has no rows without a partner; a merged view's does so, too.
CREATE TABLE a3 (id INT PRIMARY KEY, x INT, n INT, d DATE NOT NULL);
CREATE TABLE b3 (id INT PRIMARY KEY, aid INT, n INT, d DATETIME NOT NULL);
INSERT INTO a3 VALUES (1, 1, 1, 0), (2, 2, 2, '2020-01-01'), (3, 1, 3, 0);
INSERT INTO b3 VALUES (1, 1, 1, 0), (2, 2, 2, '2020-01-01'), (3, 3, 3, 0);
SELECT a.id, b.id FROM a3 a LEFT JOIN b3 b ON b.aid = a.id AND a.d IS NULL WHERE b.id > 0;
SELECT a.id, b.id FROM a3 a LEFT JOIN b3 b ON b.aid = a.id AND (b.d IS NULL OR a.id = 2) WHERE b.id > 0;
SELECT a.id, b.id FROM a3 a LEFT JOIN b3 b ON b.aid = a.id AND ISNULL(b.d) WHERE b.id > 0;
SELECT a.id, b.id FROM a3 a LEFT JOIN b3 b ON b.aid = a.id AND a.d IS NULL;
SELECT a.id, b.id, c.id FROM a3 a LEFT JOIN (b3 b JOIN b3 c ON c.id = b.id AND b.d IS NULL) ON b.aid = a.id;
SELECT a.id, b.id, c.id FROM a3 a LEFT JOIN (b3 b JOIN b3 c ON c.id = b.id AND b.d IS NULL) ON b.aid = a.id WHERE c.id > 0;
CREATE VIEW v3 AS SELECT * FROM b3 WHERE d IS NULL;
SELECT a.id, v.id FROM a3 a LEFT JOIN v3 v ON v.aid = a.id;
SELECT a.id, v.id FROM a3 a LEFT JOIN v3 v ON v.aid = a.id WHERE v.id > 0;
SELECT a.id, q.id FROM a3 a LEFT JOIN (SELECT DISTINCT b.id, b.aid FROM b3 b JOIN b3 c ON c.id = b.id AND b.d IS NULL) q ON q.aid = a.id;
SELECT a.id, (SELECT COUNT(*) FROM b3 b LEFT JOIN b3 c ON c.id = b.id AND a.d IS NULL WHERE c.id > 0) AS z FROM a3 a;
UPDATE a3 a LEFT JOIN b3 b ON b.aid = a.id AND a.d IS NULL SET a.n = 9 WHERE b.id > 0;

-- A generated column takes NULL for DEFAULT where a query's select list has it written, or as a parameter.
SET sql_mode = 'TRADITIONAL';
CREATE TABLE g (c INT, v TINYINT GENERATED ALWAYS AS (1), s INT GENERATED ALWAYS AS (c + 1) STORED);
INSERT INTO g (c, v) SELECT x, NULL FROM a3;
INSERT INTO g (c, s) SELECT DISTINCT x, (SELECT NULL) FROM a3 ORDER BY 1;
INSERT INTO g (c, v) SELECT 1, NULL UNION SELECT 2, NULL;
INSERT INTO g (c, v) SELECT * FROM (SELECT x, NULL FROM a3) q;
INSERT INTO g (c, v) SELECT x, NULL + 1 FROM a3;
PREPARE p FROM 'INSERT INTO g (c, v) SELECT 7, ?';
SET @n = NULL;
EXECUTE p USING @n;
REPLACE INTO g (c, s) SELECT 8, NULL;
SELECT * FROM g;

-- Constants of all kinds beside a YEAR column are the years that it would hold, in a list where they are compared in one way.
SET sql_mode = '';
CREATE TABLE ye (y YEAR, z YEAR NOT NULL);
INSERT INTO ye VALUES (2010, 2010), (2001, 2001), (2002, 2002), (1999, 1999), (0, 0);
SELECT y FROM ye WHERE y = 5 + 5;
SELECT y FROM ye WHERE y = CONCAT('1', '0');
SET @b = 1;
SELECT y FROM ye WHERE y = @b;
SELECT y FROM ye WHERE y BETWEEN 5 + 5 AND 1 + 1 + 10;
SELECT y FROM ye WHERE y IN (1, 1 + 1);
SELECT y FROM ye WHERE y NOT IN (10, 5 + 5);
SELECT y, y IN (1.25e0, 10) AS a, y IN (1.25, 10) AS b, y IN (10e0, 1e0) AS c, y IN ('01', 10) AS d, y IN ('01', 10e0) AS e FROM ye;
SELECT y, y IN (10, CAST(1 AS UNSIGNED)) AS a, y IN (10, DATE'2010-01-01') AS b, y IN (DATE'2010-01-01', DATE'2001-01-01') AS c, y IN (DATE'2010-01-01', TIMESTAMP'2001-01-01 00:00:00') AS d, y IN (5 + 5, NULL) AS e FROM ye;
PREPARE p FROM 'SELECT y FROM ye WHERE y IN (?, 10) OR y = ? + 1';
SET @d = 1.25e0;
EXECUTE p USING @d, @b;
EXECUTE p USING @b, @b;

-- What GROUP_CONCAT gives may have any character that its arguments may have.
CREATE TABLE ch (l VARCHAR(10) CHARACTER SET latin1, u VARCHAR(10), b VARCHAR(10) CHARACTER SET utf8mb3 COLLATE utf8mb3_bin, n INT);
INSERT INTO ch VALUES ('a', 'b', 'c', 1);
CREATE TABLE ch1 AS SELECT l AS a FROM ch UNION SELECT GROUP_CONCAT(u) FROM ch;
SHOW CREATE TABLE ch1;
CREATE TABLE ch2 AS SELECT l AS a FROM ch UNION SELECT GROUP_CONCAT(n) FROM ch;
SHOW CREATE TABLE ch2;
CREATE TABLE ch3 AS SELECT COALESCE(l, GROUP_CONCAT(b)) AS a, CONCAT(l, GROUP_CONCAT('x', u)) AS c, CONCAT(l, JSON_ARRAYAGG(u)) AS d FROM ch GROUP BY l;
SHOW CREATE TABLE ch3;
SELECT CONCAT(l, GROUP_CONCAT(n SEPARATOR '-')) AS a, COLLATION(CONCAT(l, GROUP_CONCAT('x'))) AS b FROM ch GROUP BY l;
