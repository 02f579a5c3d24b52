-- ROUND of x'..', of dates, of parts of dates.
SET sql_mode = '';
CREATE TABLE rounded AS SELECT ROUND(x'01') a, TRUNCATE(x'01', 0) b, ABS(x'01') c, CEIL(x'01') d, ROUND(x'01', NULL) e, ROUND(YEAR('2020-01-01')) f, ROUND(MONTH('2020-01-01'), -1) g, ROUND(CURRENT_DATE) h, ROUND(WEEKDAY('2020-01-01')) i;
SHOW CREATE TABLE rounded;
DROP TABLE rounded;
SET @a = ROUND(DATE'2020-01-01'), @b = CEIL(DATE'2020-01-01'), @c = TRUNCATE(DATE'2020-01-01', -1), @d = ROUND(5);
SELECT @a, @b, @c, @d;
SELECT ROUND(x'01020304'), ROUND(x'01', 2), ROUND(HOUR('10:11:12'));
CREATE TABLE r (a DOUBLE UNSIGNED, b FLOAT UNSIGNED, c DECIMAL(10,2) UNSIGNED);
SELECT ROUND(a, NULL), TRUNCATE(b, NULL), ROUND(c, NULL) FROM r;
DROP TABLE r;
-- What comes out of XML is no constant.
SELECT STR_TO_DATE('a', EXTRACTVALUE('<a>%Y</a>', '/a')), ROUND(3.14159, EXTRACTVALUE('<a>2</a>', '/a')), TIME(EXTRACTVALUE('<a>10:11:12.123</a>', '/a')), TRUNCATE(3.14159, UPDATEXML('2', '/a', 'b'));
-- Indexes built in place compute their virtual columns.
CREATE TABLE v1 (id INT PRIMARY KEY, c0 INT, v TINYINT AS (c0 + 300), w TINYINT AS (c0 + 400), x INT);
INSERT INTO v1 (id, c0) VALUES (1, 1), (2, 2);
ALTER TABLE v1 ADD KEY (w, v), ADD KEY (v, w);
ALTER TABLE v1 FORCE;
ALTER TABLE v1 ADD y INT;
ALTER TABLE v1 ADD u3 TINYINT AS (c0 + 600), ADD KEY (u3);
ALTER TABLE v1 COMMENT 'a';
ALTER TABLE v1 ROW_FORMAT = DYNAMIC;
ALTER TABLE v1 ADD UNIQUE KEY (u3);
SET sql_mode = 'STRICT_TRANS_TABLES';
ALTER TABLE v1 FORCE;
ALTER TABLE v1 ADD KEY (v);
ALTER IGNORE TABLE v1 ADD KEY (v);
DROP TABLE v1;
CREATE TABLE v2 (id INT PRIMARY KEY, c0 VARCHAR(10), v INT AS (c0 + 0), y INT AS (c0), i INET4 AS (1));
INSERT IGNORE INTO v2 (id, c0) VALUES (1, 'a'), (2, '2b');
ALTER TABLE v2 ADD KEY (v);
ALTER TABLE v2 ADD KEY (y);
ALTER TABLE v2 ADD KEY (i);
ALTER TABLE v2 ADD u TINYINT AS (id + 600), ADD KEY (u);
CREATE INDEX i ON v2 (i);
DROP TABLE v2;
-- A CHECK reads what its generated columns read.
CREATE TABLE c1 (id INT PRIMARY KEY, a INT, b INT AS (a), CHECK (b + id));
ALTER TABLE c1 DROP COLUMN a;
ALTER TABLE c1 DROP COLUMN b;
DROP TABLE c1;
CREATE TABLE c2 (id INT PRIMARY KEY, a INT, b INT AS (a), CHECK (id));
ALTER TABLE c2 DROP COLUMN a;
DROP TABLE c2;
-- Keys with a column twice are as long as they say.
CREATE TABLE k (a LONGTEXT, KEY (a(6), a));
CREATE TABLE k (a LONGTEXT, KEY (a(6), a(4)));
CREATE TABLE k (id INT, a LONGTEXT, KEY (id, id), KEY (a, a));
CREATE TABLE k (a VARCHAR(500), PRIMARY KEY (a, a));
CREATE TABLE k (id INT, KEY (id, id(5)));
-- Columns are looked at before anybody looks whether they are there.
CREATE TABLE d (id INT PRIMARY KEY, a INT);
ALTER TABLE d ADD COLUMN IF NOT EXISTS a INT NOT NULL DEFAULT NULL;
ALTER TABLE d CHANGE a n TINYTEXT, ADD COLUMN IF NOT EXISTS n INT NOT NULL DEFAULT NULL, DROP INDEX nosuch;
ALTER TABLE d ADD COLUMN IF NOT EXISTS a TEXT AUTO_INCREMENT;
ALTER TABLE d ADD COLUMN IF NOT EXISTS a INT ON UPDATE NOW();
ALTER TABLE d MODIFY IF EXISTS nosuch INT NOT NULL DEFAULT NULL;
ALTER TABLE nosuch ADD a INT NOT NULL DEFAULT NULL;
CREATE TABLE IF NOT EXISTS d (id INT PRIMARY KEY, a INT NOT NULL DEFAULT NULL);
DROP TABLE d;
-- An aggregate of an aggregate around is its own block's.
CREATE TABLE t1 (id INT PRIMARY KEY, c INT);
INSERT INTO t1 VALUES (1, 5), (2, 6), (3, 7);
SELECT (SELECT SUM((SELECT MIN(t1.id) FROM t1 s2 WHERE 0)) FROM t1 s1) FROM t1;
SELECT (SELECT SUM((SELECT MIN(t1.id))) FROM t1 s1) FROM t1;
SELECT (SELECT SUM(s1.id + MIN(t1.id)) FROM t1 s1) FROM t1;
SELECT (SELECT SUM(t1.id + (SELECT MIN(t1.id) FROM t1 s2 LIMIT 1)) FROM t1 s1) FROM t1;
SELECT (SELECT SUM((SELECT t1.id FROM t1 s2 LIMIT 1)) FROM t1 s1) FROM t1;
-- Aggregates that subqueries bring are known where the statement was prepared.
CREATE TABLE t2 (id INT PRIMARY KEY, a INT NOT NULL, b VARCHAR(10));
PREPARE q FROM 'SELECT COALESCE(id, (SELECT MAX(t2.b) FROM t1 s1)), CAST(a AS DECIMAL(10, 2)) FROM t2';
EXECUTE q;
SELECT COALESCE(id, (SELECT MAX(t2.b) FROM t1 s1)), CAST(a AS DECIMAL(10, 2)) FROM t2;
DROP TABLE t1, t2;
-- Constants that are chosen have the characters that they have.
SELECT SFORMAT('{}-{}', GREATEST(' x', 'straße'), _latin1'A' COLLATE latin1_bin);
SELECT CONCAT(GREATEST(' x', 'straße'), _latin1'A' COLLATE latin1_bin);
SELECT DECODE_ORACLE('a', CASE WHEN NULL THEN 'A' ELSE 'Ä' END, 1, CONCAT('b', CONVERT(2 USING latin1)), 1);
-- What is computed of bits is a number among texts.
CREATE TABLE b (id INT PRIMARY KEY, a BIT(64), b BIT(5));
INSERT INTO b VALUES (1, 65, 17);
SELECT COALESCE(a) FROM b UNION SELECT COALESCE(b) FROM b;
SELECT COALESCE(a) FROM b UNION SELECT a FROM b;
SELECT COALESCE(a) FROM b UNION SELECT NULL FROM b;
SELECT IF(id, b, NULL), IF(id, b, b), CASE id WHEN 1 THEN b END, IFNULL(b, b), NULLIF(b, 1), LEAST(a, b) FROM b UNION SELECT id, id, id, id, id, id FROM b;
SELECT COALESCE(b) FROM b UNION SELECT 'ä' FROM b;
SELECT CONCAT(COALESCE(a), 'ä'), CONCAT(a, 'ä'), COERCIBILITY(COALESCE(a)), COERCIBILITY(a), GROUP_CONCAT(COALESCE(a)), COALESCE(COALESCE(a), 'a'), LPAD(COALESCE(a), 5, 'x') FROM b;
CREATE TABLE q AS SELECT COALESCE(a) a, CONCAT(COALESCE(a)) b, IF(id, a, b) c, a d FROM b UNION SELECT 1, 1, 1, 1;
SHOW CREATE TABLE q;
DROP TABLE q, b;
-- ASCII keeps any byte that needs no conversion.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE a (id INT, a VARCHAR(20) CHARACTER SET ascii, b CHAR(3) CHARACTER SET ascii);
INSERT INTO a VALUES (1, x'C3A4', x'E4'), (2, _ascii x'E4', NULL);
INSERT INTO a VALUES (3, 'ä', NULL);
INSERT INTO a (id, a) SELECT 4, a FROM a WHERE id = 1;
SELECT id, a, HEX(a), HEX(b), CHAR_LENGTH(a) FROM a;
CREATE TABLE m AS SELECT CONVERT(ST_GEOMFROMTEXT('POINT(1 2)') USING ascii) a, CONVERT(x'E4' USING ascii) b;
SELECT HEX(a), HEX(b) FROM m;
DROP TABLE a, m;
-- What is compared by order with a query's constants is compared with their least or greatest.
CREATE TABLE t (id INT, i INET6);
SELECT 1 FROM t WHERE i < ALL (SELECT 1 FROM t);
SELECT 1 FROM t WHERE i > ANY (SELECT 1 + 1 FROM t);
SELECT 1 FROM t WHERE i < ALL (SELECT TRUE FROM t);
SELECT 1 FROM t WHERE i < ALL (SELECT MAX(id) FROM t);
SELECT 1 FROM t WHERE id < ALL (SELECT ST_GEOMFROMTEXT('POINT(0 0)') FROM t);
SELECT 1 FROM t WHERE id < ALL (SELECT POINT(1, 1) FROM t);
DROP TABLE t;
-- An aggregate of texts is told as it is written.
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2);
SELECT GROUP_CONCAT(REPEAT('9', 309) ORDER BY id LIMIT 1) * 3e300 FROM t;
DROP TABLE t;
-- Small numbers in texts that are too short for them.
CREATE TABLE f (a CHAR(1), b CHAR(2), c CHAR(3), d CHAR(4), e CHAR(5), f CHAR(6));
SET sql_mode = '';
INSERT INTO f VALUES (-2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3, -2.5e-3), (9.6e-3, 9.6e-3, 9.6e-3, 9.6e-3, 9.6e-3, 9.6e-3);
INSERT INTO f VALUES (-9e-1, -9e-1, -9e-1, -9e-1, -9e-1, -9e-1), (2.5e-4, 2.5e-4, 2.5e-4, 2.5e-4, 2.5e-4, 2.5e-4), (1.25e5, 1.25e5, 1.25e5, 1.25e5, 1.25e5, 1.25e5), (5e-5, 5e-5, 5e-5, 5e-5, 5e-5, 5e-5);
SELECT * FROM f;
SET sql_mode = 'STRICT_TRANS_TABLES';
INSERT INTO f (c) VALUES (-2.5e-3);
INSERT INTO f (e) VALUES (-2.5e-3);
DROP TABLE f;
-- Texts that IN compares with numbers of a query, and those of a query, are read as such.
CREATE TABLE n (id INT, t VARCHAR(10), n INT);
INSERT INTO n VALUES (1, 'b', 20), (2, 'c', 3);
UPDATE n SET id = id WHERE n IN (SELECT t FROM (SELECT * FROM n) q);
UPDATE n SET id = id WHERE t NOT IN (SELECT n FROM (SELECT * FROM n) q);
CREATE TABLE m AS SELECT n NOT IN (SELECT t FROM n a) FROM n;
DROP TABLE n;
-- A text that is a number but for its end is told of where it finds a row.
CREATE TABLE t (id INT PRIMARY KEY, n INT, k INT, c VARCHAR(10), e ENUM('x'), u UUID, KEY (k));
INSERT INTO t VALUES (1, 1, 1, 'ABC', 'x', NULL), (2, 2, 2, 'b', 'x', NULL);
SELECT id FROM t WHERE id = '1a';
UPDATE t SET n = 5 WHERE id = '1a';
UPDATE t SET n = 5 WHERE k = '1a';
UPDATE t SET n = 5 WHERE k = '9a';
UPDATE t SET n = 5 WHERE id = '1a' OR id = '2b';
CREATE TABLE q AS SELECT n FROM t WHERE id = '1a';
UPDATE t SET n = 5 WHERE id = '1';
-- So is a label that is no UUID, though there is none beside it.
SELECT e = u, c = u, u = e, e BETWEEN u AND u FROM t WHERE id = 1;
-- XOR reads its second operand first.
UPDATE t SET n = c ^ 'a';
UPDATE t SET n = c | 'a';
DROP TABLE t;
-- What USING wants equal is told of behind the select list and WHERE.
CREATE TABLE t1 (id INT, a BIGINT);
CREATE TABLE t2 (id INT, a UUID);
SELECT nosuch FROM t1 LEFT JOIN t2 USING (a);
SELECT 1 FROM t1 NATURAL JOIN t2 WHERE nosuch;
SELECT 1 FROM t1 LEFT JOIN t2 USING (a);
DROP TABLE t1, t2;
-- Rows that foreign keys may name do not go for a unique key.
CREATE TABLE p (id INT PRIMARY KEY, a INT);
INSERT INTO p VALUES (1, 5), (2, 5);
CREATE TABLE c (id INT PRIMARY KEY, r INT, FOREIGN KEY (r) REFERENCES p (id));
INSERT INTO c VALUES (1, 2);
ALTER TABLE p MODIFY a BIGINT UNIQUE;
ALTER TABLE p ADD UNIQUE (a);
ALTER IGNORE TABLE p ADD UNIQUE (a);
SELECT * FROM p;
SET foreign_key_checks = 0;
ALTER TABLE p MODIFY a BIGINT UNIQUE;
SET foreign_key_checks = 1;
DROP TABLE c, p;
-- A foreign key that writes to a generated column is told of before expressions are.
CREATE TABLE a (id INT PRIMARY KEY, c INT AS (nosuch), FOREIGN KEY (c) REFERENCES p (id) ON UPDATE SET NULL);
CREATE TABLE a (id INT PRIMARY KEY, c INT AS (RAND()), FOREIGN KEY (c) REFERENCES p (id) ON DELETE SET NULL);
CREATE TABLE a (id INT PRIMARY KEY, c INT AS (id), d INT DEFAULT 'a', FOREIGN KEY (c) REFERENCES p (id) ON UPDATE CASCADE);
CREATE TABLE a (id INT PRIMARY KEY, c INT AS (id), KEY (nosuch), FOREIGN KEY (c) REFERENCES p (id) ON UPDATE SET NULL);
-- Texts that are no addresses are read before rows; those of the members of a set operation are told alone.
CREATE TABLE t (id INT, i INET6, u UUID);
CREATE TABLE m2 AS SELECT * FROM t WHERE i = '10.0.0.15';
CREATE TABLE m2 AS SELECT * FROM t WHERE u = 'x';
INSERT INTO t SELECT * FROM t WHERE i = 'x';
INSERT INTO t SELECT * FROM t WHERE i = '::1';
INSERT INTO t (id) SELECT COUNT(*) FROM t WHERE 'x' = i;
UPDATE t SET id = 1 WHERE i = 'x';
CREATE TABLE m3 AS SELECT id FROM t UNION SELECT id FROM t WHERE 'a';
CREATE TABLE m4 AS SELECT id FROM t WHERE 'a' EXCEPT SELECT id FROM t;
CREATE TABLE m5 AS SELECT id FROM t WHERE 'a';
DROP TABLE t, m3, m4;
-- Rows that UPDATE finds before it changes one are found as those of a query.
CREATE TABLE t (id INT PRIMARY KEY, n INT, k INT, c VARCHAR(10), KEY (k));
INSERT INTO t VALUES (1, 1, 1, 'a'), (2, 2, 2, 'b');
UPDATE t SET n = n + 10 WHERE c = 0;
UPDATE t SET id = id + 10 WHERE c = 0;
UPDATE t SET k = k + 10 WHERE n = '1a';
UPDATE t SET n = n + 10 WHERE c = 0 ORDER BY n;
UPDATE t SET n = n + 10 WHERE c = 0 LIMIT 1;
SELECT * FROM t;
DROP TABLE t;
-- What messages show of casts, and of what is long.
SELECT COT(DATE(0));
SELECT EXP(TIMESTAMP(20200101));
SELECT GET_LOCK(REPEAT('a', 70), 0), RELEASE_LOCK(REPEAT('a', 70)), IS_USED_LOCK(REPEAT('a', 192));
SELECT GET_LOCK(REPEAT('a', 193), 0);
SELECT IS_FREE_LOCK(REPEAT('ä', 97));
-- Bits in a user variable have no sign.
CREATE TABLE b (a BIT(64));
INSERT INTO b VALUES (3);
SET @b1 = (SELECT MIN(a) FROM b), @b2 = (SELECT a FROM b), @b3 = (SELECT COALESCE(a) FROM b);
SELECT @b1, @b2, @b3;
DROP TABLE b;
-- Of what has no bytes there is no key, but for whether it is NULL.
CREATE TABLE z (a CHAR(0) NOT NULL, KEY (a));
CREATE TABLE z (a VARBINARY(0) NOT NULL, i INT, UNIQUE (i, a));
CREATE TABLE z (a CHAR(0), i INT, KEY (i, a));
DROP TABLE z;
-- Numbers are not compared with geometries, nor labels reckoned with beside addresses.
CREATE TABLE o (a INT, c SET('x'));
SELECT 1 FROM o HAVING BIT_AND(a) <> POINT(1, 1);
SELECT COUNT(a) = POINT(1, 1) FROM o;
SELECT MAX(c) - CAST('10.0.0.1' AS INET4) FROM o;
DROP TABLE o;
-- A geometry is told shortly.
CREATE TABLE g (p POLYGON);
INSERT INTO g VALUES (ST_GEOMFROMTEXT('LINESTRING(1.123456789 1.123456789,2.123456789 2.123456789,2.123456789 2.123456789,2.123456789 2.123456789,2.123456789 2.12345678)'));
DROP TABLE g;
-- Which tables an assignment or a list of columns through a view is about.
CREATE TABLE t1 (id INT AUTO_INCREMENT PRIMARY KEY, c0 INT, c1 VARCHAR(10));
CREATE TABLE t2 (id INT AUTO_INCREMENT PRIMARY KEY, c3 VARCHAR(20), c1 VARCHAR(10));
CREATE VIEW v3 AS SELECT (SELECT 1 FROM t2 a3 JOIN t1 a4 ON a1.id) r0, a2.c1, 'a' r1 FROM t1 a1 JOIN t1 a2 ON 1;
INSERT INTO v3 (r0, c1, r1) VALUES ('zz', 1, 'a');
INSERT INTO v3 (r0) VALUES ('zz');
INSERT INTO v3 (c1, r0) VALUES ('zz', 1);
CREATE VIEW m AS SELECT 1 AS r0, a3.id AS r1, a1.c1 r2, a3.c1 r3 FROM t2 a1 JOIN t2 a3 ON 1;
UPDATE m JOIN t2 ON m.r1 = t2.id SET m.r2 = 1, m.r1 = 1;
UPDATE m SET r2 = 1, r1 = 1;
UPDATE m SET r2 = 1, r3 = 1;
UPDATE m a JOIN m b SET a.r2 = 1, b.r1 = 1;
CREATE VIEW g1 AS SELECT 1 r0 FROM t1 JOIN t2 ON 1 GROUP BY 'a';
CREATE VIEW u1 AS SELECT 1 AS r0, r0 AS x FROM g1;
UPDATE u1 SET r0 = 4;
UPDATE u1 SET x = 4;
CREATE VIEW g2 AS SELECT 1 r0 FROM t1 GROUP BY 'a';
CREATE VIEW u2 AS SELECT 1 AS r0 FROM g2;
UPDATE u2 SET r0 = 4;
DROP VIEW v3, m, g1, u1, g2, u2;
DROP TABLE t1, t2;
SET sql_mode = DEFAULT;
