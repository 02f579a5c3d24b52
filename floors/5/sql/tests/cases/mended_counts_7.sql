-- What the differential tester found in definitions and counts, mended.

-- A time that is both for rows that come and for those that change is one fact: another default ends it.
CREATE TABLE stamped (id INT, c0 DATETIME DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, c1 TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, c2 DATETIME DEFAULT '2001-01-01' ON UPDATE CURRENT_TIMESTAMP, c3 DATETIME DEFAULT (CURRENT_TIMESTAMP + INTERVAL 1 DAY) ON UPDATE CURRENT_TIMESTAMP);
CREATE TABLE dropped LIKE stamped;
ALTER TABLE stamped ALTER c0 SET DEFAULT '2001-01-01', ALTER c1 SET DEFAULT '2001-01-01', ALTER c2 SET DEFAULT '2001-01-02', ALTER c3 SET DEFAULT '2001-01-02';
SHOW CREATE TABLE stamped;
ALTER TABLE dropped ALTER c0 DROP DEFAULT, ALTER c1 DROP DEFAULT, ALTER c2 DROP DEFAULT, ALTER c3 DROP DEFAULT;
SHOW CREATE TABLE dropped;

-- Digits: INTERVAL() has two, CAST(... AS SIGNED) those of what it is made of.
CREATE TABLE kinds (id INT PRIMARY KEY, dd DOUBLE, v VARCHAR(5), bi BIGINT, d DATE, dt DATETIME(3), tm TIME, de DECIMAL(10,2), dl DECIMAL(30,0), e ENUM('a','bcd'), b BIT(5), y YEAR, f FLOAT, bu BIGINT UNSIGNED, fl FLOAT(5,2), td DOUBLE(6,1), tt TINYTEXT, i INT);
CREATE TABLE made AS SELECT MOD(INTERVAL(id,11,12),1) a, INTERVAL(id,11,12) + 1 b, INTERVAL(id,11,12) DIV 1 c, MOD(1, INTERVAL(id,11,12)) d, COALESCE(INTERVAL(id,11,12), 1) e FROM kinds;
DESC made;
CREATE OR REPLACE TABLE made AS SELECT CAST(dd AS SIGNED)+1 a, CAST(v AS SIGNED)+1 b, CAST(d AS SIGNED)+1 c, CAST(dt AS SIGNED)+1 d, CAST(tm AS SIGNED)+1 e, CAST(de AS SIGNED)+1 f, CAST(dl AS SIGNED)+1 g, CAST(e AS SIGNED)+1 h, CAST(b AS SIGNED)+1 i, CAST(y AS SIGNED)+1 j, CAST(f AS SIGNED)+1 k, CAST(bu AS SIGNED)+1 l, CAST(fl AS SIGNED)+1 m, CAST(td AS SIGNED)+1 n, CAST('abc' AS SIGNED)+1 o, CAST(1.5e0 AS SIGNED)+1 p, CAST(dd*2 AS SIGNED)+1 q, CAST(tt AS SIGNED)+1 r FROM kinds;
DESC made;
CREATE OR REPLACE TABLE made AS SELECT SUM(CAST(dd AS SIGNED)) a, SUM(CAST(v AS SIGNED)) b, SUM(CAST(i AS SIGNED)) c, SUM(CAST(tt AS SIGNED)) d, COALESCE(CAST(dd AS SIGNED), 1) e, AVG(CAST(v AS SIGNED)) f, CAST(dd AS SIGNED) DIV 2 g, -CAST(dd AS SIGNED) h, CAST(dd AS SIGNED) / 3 i, IF(1, CAST(v AS SIGNED), 1.5) j, CAST(dd AS SIGNED) % 3 k FROM kinds GROUP BY id;
DESC made;

-- What is made of numbers alone is the connection's, once it is one of several.
CREATE OR REPLACE TABLE made AS SELECT JSON_QUERY(y, '$.a') a, IF(1, JSON_QUERY(y, '$.a'), y) b, IF(1, JSON_QUERY(y, '$.a'), NULL) c, COALESCE(JSON_QUERY(y, '$.a')) d, CASE i WHEN 1 THEN JSON_QUERY(y, '$.a') WHEN 2 THEN 1.5 END e, GREATEST(JSON_QUERY(y, '$.a'), JSON_QUERY(y, '$.a')) f, IFNULL(JSON_VALUE(y, '$.a'), i) g, IF(1, JSON_EXTRACT(y, '$.a'), y) h, NVL2(1, JSON_QUERY(y, '$.a'), y) i FROM kinds;
SHOW CREATE TABLE made;
CREATE OR REPLACE TABLE made AS SELECT JSON_QUERY(y, '$.a') a FROM kinds UNION SELECT JSON_QUERY(i, '$.a') FROM kinds;
SHOW CREATE TABLE made;

-- The least and greatest text of windows and derived tables: its bytes are taken for characters.
CREATE TABLE texts (id INT PRIMARY KEY, t TEXT, tt TINYTEXT, tl TEXT CHARACTER SET latin1, b BLOB, tb TINYBLOB, mt MEDIUMTEXT, tu TEXT CHARACTER SET utf8mb3, ttl TINYTEXT CHARACTER SET latin1);
CREATE OR REPLACE TABLE made AS SELECT MAX(t) OVER () a, MAX(tt) OVER () b, MAX(tl) OVER () c, MAX(b) OVER () d, MAX(tb) OVER () e, MAX(mt) OVER () f, LAG(tu) OVER (ORDER BY id) g, LAG(ttl) OVER (ORDER BY id) h FROM texts;
DESC made;
CREATE OR REPLACE TABLE made AS SELECT MAX(t) a, MAX(tt) b, MAX(tl) c, MAX(b) d, MAX(tb) e, MAX(mt) f, MAX(tu) g, MAX(ttl) h FROM (SELECT * FROM texts) q;
DESC made;

-- The order of keys stays, unless one is added or loses a column, or the one that rows are kept in the order of takes NULL.
CREATE TABLE k1 (id INT NOT NULL PRIMARY KEY, c0 VARCHAR(20) UNIQUE, c1 BIGINT UNSIGNED UNIQUE);
ALTER TABLE k1 MODIFY c0 LONGTEXT;
SHOW CREATE TABLE k1;
ALTER TABLE k1 ADD x INT UNIQUE;
SHOW CREATE TABLE k1;
CREATE TABLE k2 (id INT NOT NULL, c1 INT UNIQUE, c2 INT UNIQUE, KEY(id));
ALTER TABLE k2 MODIFY c2 INT NOT NULL;
SHOW CREATE TABLE k2;
CREATE TABLE k3 LIKE k2;
SHOW CREATE TABLE k3;
CREATE TABLE k4 (id INT NOT NULL, c1 INT NOT NULL UNIQUE, c2 INT UNIQUE, c3 INT NOT NULL UNIQUE, KEY(id));
ALTER TABLE k4 MODIFY c1 INT;
SHOW CREATE TABLE k4;
CREATE TABLE k5 (id INT NOT NULL, c1 INT NOT NULL UNIQUE, c2 INT UNIQUE, c3 INT UNIQUE, KEY(id));
ALTER TABLE k5 DROP COLUMN c1, MODIFY c3 INT NOT NULL;
SHOW CREATE TABLE k5;
CREATE TABLE k6 (id INT NOT NULL, c1 INT NOT NULL UNIQUE, c2 INT UNIQUE, c3 INT UNIQUE, KEY(id));
ALTER TABLE k6 DROP KEY c1, MODIFY c3 INT NOT NULL;
SHOW CREATE TABLE k6;

-- UPDATE of joined tables counts what columns cut; it says nothing of values for generated ones.
SET sql_mode = 'ERROR_FOR_DIVISION_BY_ZERO';
CREATE TABLE changed (id INT PRIMARY KEY, i INT, g INT AS (1), n INT NOT NULL, u UUID);
INSERT INTO changed (id, n) VALUES (1, 1), (2, 2);
CREATE TABLE others (id INT PRIMARY KEY);
INSERT INTO others VALUES (1), (2);
UPDATE changed JOIN others USING (id) SET changed.i = '1a' WHERE others.id = 1;
UPDATE changed JOIN others USING (id) SET changed.i = 1 / 0, changed.n = 300;
UPDATE changed JOIN others USING (id) SET changed.g = 7;
UPDATE changed SET g = 7 WHERE 1 IN (SELECT id FROM changed s);
UPDATE changed SET g = 7;
SET sql_mode = 'STRICT_TRANS_TABLES';
UPDATE changed LEFT JOIN others USING (id) SET changed.g = 7;
UPDATE changed SET g = 7;

-- NULL becomes the current time where a TIMESTAMP takes it no more.
SET timestamp = 1600000000;
CREATE TABLE times (a TIME, b TIMESTAMP NULL, c DATE, d INT, e TIMESTAMP(3) NULL);
INSERT INTO times VALUES (NULL, NULL, NULL, NULL, NULL);
ALTER TABLE times MODIFY a TIMESTAMP NOT NULL, MODIFY b TIMESTAMP NOT NULL;
ALTER IGNORE TABLE times MODIFY c TIMESTAMP NOT NULL;
ALTER TABLE times MODIFY d TIMESTAMP NOT NULL DEFAULT '2001-01-01';
SET sql_mode = '';
ALTER TABLE times MODIFY e TIMESTAMP(6) NOT NULL;
SELECT * FROM times;

-- The first of several that are never NULL may be lacking where an outer join lacks its row.
CREATE TABLE few (n INT);
CREATE OR REPLACE TABLE made AS SELECT q.a, q.b, q.c FROM texts LEFT JOIN (SELECT DISTINCT COALESCE('qwertz', 'x y') a, IFNULL('a', 'b') b, COALESCE(1, 2) c FROM few) q ON 1;
DESC made;
