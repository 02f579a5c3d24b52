-- What joins within joins, and subqueries that read the rows around them, showed (`--draw nested` of the differential tester).
CREATE TABLE n1 (id INT NOT NULL, a INT, b INT);
CREATE TABLE n3 (id INT NOT NULL, a INT, b INT);
INSERT INTO n1 VALUES (1, 1, 1), (2, 2, 1);
INSERT INTO n3 VALUES (1, 1, 1), (2, 2, 1);
CREATE VIEW v1 AS SELECT id, (SELECT MAX(b) FROM n3 WHERE n3.id = n1.id) AS s, (SELECT MAX(b) FROM n3) AS s2, id IN (SELECT n3.id FROM n3) AS i FROM n1;
CREATE VIEW v2 AS SELECT id, a FROM n1 WHERE EXISTS (SELECT 1 FROM n3);
CREATE VIEW v3 AS SELECT id, a FROM v2;

-- HAVING reads what is grouped by, also where that is a subquery of a view or a derived table.
SELECT x.s, COUNT(*) FROM v1 x GROUP BY x.s HAVING x.s;
SELECT 1, COUNT(*) FROM v1 GROUP BY s2 HAVING s2 > 0;
SELECT x.i FROM v1 x GROUP BY x.i HAVING x.i;
SELECT COUNT(*) FROM (SELECT id, (SELECT MAX(y.b) FROM n3 y WHERE y.id = n1.id) AS s FROM n1) x GROUP BY x.s HAVING x.s + 1 = 2;
SELECT 1 FROM v1 x GROUP BY x.i HAVING x.s;

-- Rows do not go from a table that a subquery of a view beside it reads.
DELETE x1 FROM n3 x1 JOIN v1 x2;
DELETE x1 FROM n3 x1 LEFT JOIN v2 x2 ON 0;
DELETE x1 FROM n3 x1, v3 x2;
DELETE x1 FROM n3 x1 LEFT JOIN v2 x2 ON x1.id IN (SELECT x3.id FROM v1 x3);
DELETE x1 FROM n3 x1 WHERE 1 IN (SELECT (SELECT MAX(id) FROM n3) FROM v2 x3);
DELETE x1 FROM n3 x1 JOIN (SELECT DISTINCT id FROM v2) x2 WHERE x1.id = 2;
DELETE x1 FROM n1 x1 JOIN v2 x2 WHERE x1.id = 2;
SELECT * FROM n1;
SELECT * FROM n3;

-- HAVING of a subquery in the select list reads no column that comes further on in it.
CREATE TABLE t (a INT, b INT, c INT);
CREATE TABLE u (a INT, b INT);
INSERT INTO t VALUES (1, 1, 1), (2, 0, 1);
INSERT INTO u VALUES (1, 1), (2, 2);
SELECT EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.b) AS x, t.b FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.b) AS x, t.a FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.b) AS x, t.b AS k FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.b) AS x, a AS b FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.b) AS x, b FROM t;
SELECT t.b, EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.b) AS x, t.b FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.B) AS x, t.B FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING c) AS x, t.c AS k FROM t;
SELECT t.c AS k, EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.c) AS x FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY u.a HAVING t.c) AS x, y.c AS k FROM t y, t;
SELECT EXISTS (SELECT u.a FROM u HAVING t.c) AS x, t.c FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY a HAVING EXISTS (SELECT 1 FROM u x WHERE t.c)) AS x, t.c FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY a HAVING EXISTS (SELECT 1 FROM u x HAVING t.c)) AS x, t.c FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY a HAVING MAX(t.c) > 0) AS x, t.c FROM t;
SELECT EXISTS (SELECT u.a FROM u WHERE EXISTS (SELECT 1 FROM u x HAVING t.c)) AS x, t.c FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY a HAVING t.c = 1) AS x, t.c + 1 AS k FROM t;
SELECT EXISTS (SELECT u.a FROM u GROUP BY a HAVING d.c = 1) AS x, d.c FROM (SELECT a + 1 AS c FROM t) d;
SELECT EXISTS (SELECT u.a FROM u GROUP BY a HAVING d.c = 1) AS x, d.c FROM (SELECT DISTINCT a + 1 AS c FROM t) d;
SELECT EXISTS (SELECT u.a FROM u HAVING MAX(u.a) > t.c) AS x, t.c FROM t;
SELECT t.c FROM t WHERE EXISTS (SELECT u.a FROM u GROUP BY a HAVING t.c = 1);
