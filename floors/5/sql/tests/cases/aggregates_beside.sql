-- What aggregates and windows make of values that are computed, of dates that are none, of bits and of documents.
CREATE TABLE t (id INT PRIMARY KEY, c VARCHAR(20), n INT, w VARCHAR(600), g POINT, b BIT(8), f FLOAT, bt BOOLEAN, s SET('x','y','z'), j JSON);
INSERT INTO t VALUES (1, 'ABC', 8, 'a', POINT(1,1), 65, 1.5, 1, 'x', '{"b": 2, "a":[3, 1]}'), (2, '2020-01-01', 20200230, 'b', POINT(0,1), 3, 2, 0, 'x,y', '[]'), (3, 'b', 5, 'c', NULL, NULL, NULL, 1, 'y', '"q"');
CREATE TABLE u (id INT PRIMARY KEY, c VARCHAR(20));
INSERT INTO u VALUES (1, 'a'), (2, 'b');
-- Of what is computed the least is of the widest type of its class, of text by its length.
CREATE TABLE made AS SELECT MIN(g) a, MIN(COALESCE(g)) b, MIN(COALESCE(bt)) c, MIN(COALESCE(f)) d, MIN(CONCAT(w)) e, MIN(LEFT(w, 512)) h, MIN(REPEAT(w, 40)) i, MIN((SELECT bt)) k FROM t;
SHOW CREATE TABLE made;
DROP TABLE made;
CREATE TABLE made AS SELECT LAG(g) OVER (ORDER BY id) a, LAG(IF(id, bt, bt)) OVER (ORDER BY id) b, PERCENTILE_DISC(1) WITHIN GROUP (ORDER BY COALESCE(bt)) OVER () c FROM t;
SHOW CREATE TABLE made;
DROP TABLE made;
-- Rows are put aside for windows with NULL for what is no date; a constant is compared.
SET sql_mode = '', max_error_count = 0;
SELECT id, LAG(CAST(c AS TIME), 0) OVER (ORDER BY id) x, COUNT(CAST(c AS TIME)) OVER (ORDER BY id) y, MAX(CAST(n AS DATE)) OVER (ORDER BY id) z, SUM(CAST(c AS DATE)) OVER (ORDER BY id) a FROM t;
SELECT id, FIRST_VALUE(TIME('a')) OVER (ORDER BY id) x, COUNT(TIME('a')) OVER (ORDER BY id) y FROM t;
SELECT id, SUM(DATE_ADD(c, INTERVAL 1 HOUR_MINUTE)) OVER (ORDER BY id) x FROM t WHERE id = 2;
SELECT MAX(TIME('a')), MAX(CAST(c AS TIME)), MAX(CAST(n AS DATE)) FROM t WHERE id <> 2 GROUP BY n * 0;
SELECT MAX(TIME('a')), MAX(CAST(c AS TIME)), MAX(CAST(n AS DATE)) FROM t WHERE id <> 2;
SELECT DISTINCT FROM_UNIXTIME(f) x FROM t;
SET max_error_count = DEFAULT;
-- Bits are bits to lists, whoever hands them on.
SELECT HEX(GROUP_CONCAT((SELECT b) ORDER BY id)), HEX(GROUP_CONCAT(b ORDER BY id)), JSON_ARRAYAGG(COALESCE(b)), JSON_OBJECTAGG(id, COALESCE(b)) FROM t;
SELECT id, MAX(b) OVER (ORDER BY id) x FROM t;
-- Lists of documents do not look at how one is laid out anew.
SELECT JSON_OBJECTAGG(id, JSON_DETAILED(j)) x, JSON_ARRAYAGG(JSON_COMPACT('[1, 2]') ORDER BY id) y, JSON_ARRAYAGG(JSON_COMPACT(j) ORDER BY id) z FROM t;
SELECT JSON_ARRAYAGG(ST_ISEMPTY(g)) FROM t WHERE id < 3;
SET div_precision_increment = 0;
SELECT VAR_POP(s), STD(s), AVG(s), VAR_POP(id) FROM t;
SET div_precision_increment = DEFAULT;
-- What a subquery reads of the one group of all rows is the last row's, the select list the first one's.
SELECT (SELECT CONCAT(MIN(t.c), u.id) FROM u WHERE u.id = t.bt) x, id FROM t;
SELECT (SELECT MIN(t.c) FROM u WHERE t.n < 6 AND u.id = 1) x FROM t;
SELECT (SELECT MIN(t.c) FROM u WHERE t.n < 6) x FROM t;
SELECT (SELECT MIN(t.c) FROM u WHERE t.n < 6 AND u.id = 1) x FROM t WHERE id > 5;
SELECT (SELECT u.c FROM u WHERE u.id = t.id) x, (SELECT MIN(t.c) FROM u WHERE t.n < 6 AND u.id = 1) y FROM t;
-- A key by its place is the same expression, whatever value it gives.
SET sql_mode = 'ONLY_FULL_GROUP_BY';
SELECT HEX((SELECT bt)) x, COUNT(*) FROM t GROUP BY 1;
SELECT HEX((SELECT u.id FROM u WHERE u.id = t.bt)) x, COUNT(*) FROM t GROUP BY 1;
SELECT HEX(COLLATION(c)) x, COUNT(*) FROM t GROUP BY 1;
SELECT UNIX_TIMESTAMP(c) IS NULL x, COUNT(*) FROM t WHERE id = 2 GROUP BY UNIX_TIMESTAMP(c) IS NULL;
SELECT HEX((SELECT bt)) x, COUNT(*) FROM t GROUP BY c;
SET sql_mode = DEFAULT;
-- A percentile is taken of the order of its window, which is looked at last.
SELECT PERCENTILE_CONT(NULL) WITHIN GROUP (ORDER BY g + id) OVER () FROM t;
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY nix) OVER () FROM t;
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY nix) OVER (PARTITION BY nux) FROM t;
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY c) OVER (), nix FROM t;
SELECT MEDIAN(c) OVER (PARTITION BY nix) FROM t;
SELECT MEDIAN(c) OVER () FROM t;
-- An index that begins with a part of a text is not read in the place of its table.
CREATE TABLE p (id INT PRIMARY KEY, w CHAR(100), x CHAR(100), c TEXT, d INT, KEY (c(5)));
INSERT INTO p VALUES (1, '', '', 'c', 3), (2, '', '', 'b', 2), (3, '', '', 'a', 1);
SELECT GROUP_CONCAT(id) FROM p;
ALTER TABLE p ADD KEY (d, c(5));
SELECT GROUP_CONCAT(id) FROM p;
DROP TABLE t, u, p;
-- The year zero has four digits in columns alone.
CREATE TABLE y (id INT PRIMARY KEY, a YEAR NOT NULL, b YEAR, k INT, KEY (a));
INSERT INTO y VALUES (1, 0, 0, 1), (2, 2020, 2021, 1);
SELECT a, b FROM y WHERE id = 1;
SELECT MIN(a) FROM y;
SELECT MIN(a), MIN(b), MAX(a) FROM y;
SELECT MIN(b), k FROM y GROUP BY k + 0;
SELECT id, LEAD(b, 0) OVER (ORDER BY id) x, MIN(b) OVER (ORDER BY id) z FROM y;
-- A row that constants look up is looked for first: without it a subquery of the aggregate is not run.
SELECT (SELECT (SELECT SUM(y.id) FROM (SELECT 1 UNION SELECT 2) d) FROM y WHERE y.id = 8) x;
DROP TABLE y;
