-- White space that is cut off is missed by nobody, not spaces alone.
SET sql_mode = '';
CREATE TABLE cut (c CHAR(3), n NCHAR(3), l CHAR(3) CHARACTER SET latin1, v VARCHAR(3), t TINYTEXT, b BINARY(3));
INSERT INTO cut (c) VALUES ('a\tb\n'), ('abc \n\t'), ('abc \n\tx');
INSERT INTO cut (n) VALUES ('a\tb\n');
INSERT INTO cut (l) VALUES ('abc \n\t');
INSERT INTO cut (v) VALUES ('abc \n\t\r');
INSERT INTO cut (t) VALUES (CONCAT(REPEAT('a', 255), '\n\t'));
INSERT INTO cut (b) VALUES ('abc\n');
SET sql_mode = 'STRICT_ALL_TABLES';
INSERT INTO cut (c) VALUES (_utf8mb4 0x6162630A0B0C0D09);
INSERT INTO cut (v) VALUES ('abc \n');
INSERT INTO cut (v) VALUES ('abc \nx');
SELECT HEX(c), HEX(n), HEX(l), HEX(v), HEX(b) FROM cut;
-- Doubles at the ends of BIGINT.
SET sql_mode = '';
CREATE TABLE ends (a BIGINT, u BIGINT UNSIGNED, d DOUBLE, f FLOAT);
INSERT INTO ends (a) VALUES (9223372036854775808e0), (9223372036854775807e0), (9223372036854777856e0), (-9223372036854775808e0);
INSERT INTO ends (u) VALUES (18446744073709551616e0), (18446744073709549568e0), (9223372036854775808e0);
INSERT INTO ends (d, f) VALUES (9223372036854775808e0, 9223372036854775808e0);
UPDATE ends SET a = d, u = f * 2 WHERE d IS NOT NULL;
INSERT INTO ends (a) SELECT f FROM ends WHERE f IS NOT NULL;
SELECT * FROM ends;
-- Unique keys that are kept by hash are looked at ahead of all others, where rows change, too.
CREATE TABLE hashed (id INT PRIMARY KEY, b INT UNIQUE, a TEXT UNIQUE);
INSERT INTO hashed VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');
UPDATE hashed SET a = 'b', b = 2 WHERE id = 1;
UPDATE hashed SET a = 'b', b = 2, id = 2 WHERE id = 1;
UPDATE hashed SET a = 'A', b = 2 WHERE id = 1;
UPDATE hashed SET a = 'd', b = 2 WHERE id = 1;
INSERT INTO hashed VALUES (1, 1, 'a') ON DUPLICATE KEY UPDATE id = 2, a = 'b';
CREATE TABLE begins (a TEXT UNIQUE, b INT UNIQUE, PRIMARY KEY (a(2)));
INSERT INTO begins VALUES ('ab', 1), ('cd', 2);
UPDATE begins SET a = 'ab';
UPDATE begins SET a = 'abx', b = 1 WHERE b = 2;
-- Joins of texts that may be longer than any text may be NULL.
CREATE TABLE longest (b LONGBLOB NOT NULL, t LONGTEXT NOT NULL);
SELECT CONCAT_OPERATOR_ORACLE(b, b), CONCAT(b, b), CONCAT_OPERATOR_ORACLE(t, 'a') FROM longest;
-- ON DUPLICATE KEY UPDATE of constants alone, through a view of a join.
CREATE TABLE one (id INT PRIMARY KEY, c0 VARCHAR(20), c1 INT DEFAULT 4);
CREATE TABLE other (id INT PRIMARY KEY, d0 VARCHAR(20), d1 INT DEFAULT 4);
CREATE VIEW joined AS SELECT one.c1 + 1 AS r0, other.d0 AS r1, one.c0 AS r2, 1 AS r3 FROM one JOIN other;
INSERT INTO joined (r1) VALUES (NULL) ON DUPLICATE KEY UPDATE r3 = 23;
INSERT INTO joined (r1) VALUES (NULL) ON DUPLICATE KEY UPDATE r0 = 23;
INSERT INTO joined (r1, r3) VALUES (NULL, 1) ON DUPLICATE KEY UPDATE r3 = 3;
INSERT INTO joined (r2) VALUES (NULL) ON DUPLICATE KEY UPDATE r3 = 3, r1 = 2;
INSERT INTO joined (r1) VALUES (NULL) ON DUPLICATE KEY UPDATE r1 = 3;
-- Columns of numbers beyond BIGINT that become integers.
SET sql_mode = '';
CREATE TABLE beyond (f FLOAT, g FLOAT, h FLOAT, i FLOAT, d DOUBLE, e DOUBLE, n DECIMAL(30,2));
INSERT INTO beyond VALUES (1e20, 1e20, 1e20, 1e20, 9223372036854775808e0, 1e20, 1e20), (-1e20, -1e20, -1e20, -1e20, 1, 1, -1e20);
ALTER TABLE beyond MODIFY f SMALLINT UNSIGNED;
ALTER TABLE beyond MODIFY g BIGINT, MODIFY h BIT(8), MODIFY i ENUM('a');
ALTER TABLE beyond MODIFY d BIGINT;
ALTER TABLE beyond MODIFY e SMALLINT;
ALTER TABLE beyond MODIFY n INT;
SELECT f, g, HEX(h), i, d, e, n FROM beyond;
-- FORMAT of addresses that are NULL: read, asked for and computed.
CREATE TABLE addresses (id INT, i INET6, n INET4, u UUID);
INSERT INTO addresses VALUES (1, NULL, NULL, NULL), (2, '::1', '1.2.3.4', '123e4567-e89b-12d3-a456-426655440000');
SELECT FORMAT(u, 2), FORMAT(i, 1), FORMAT(n, 0), FORMAT(COALESCE(u, u), 2), FORMAT(CAST(i AS INET6), 2), FORMAT((SELECT u), 2) FROM addresses;
SELECT FORMAT((SELECT u FROM addresses WHERE id = 1), 2), FORMAT((SELECT MAX(u) FROM addresses WHERE id = 1), 2), FORMAT((SELECT MAX(u) FROM addresses), 2);
-- Columns of views that take no NULL, in whose place totals have one.
CREATE TABLE firm (a INT NOT NULL DEFAULT 4, z INT(5) ZEROFILL NOT NULL, b CHAR(8) NOT NULL DEFAULT 'x', c VARCHAR(9) NOT NULL DEFAULT 'y', d ENUM('a','bbb') NOT NULL DEFAULT 'a', e SET('a','b') NOT NULL, f DATE NOT NULL DEFAULT '2001-01-01', j YEAR NOT NULL DEFAULT 2001, k TINYINT(1) NOT NULL DEFAULT 1, m DECIMAL(10,2) UNSIGNED NOT NULL DEFAULT 2, n FLOAT(5,1) NOT NULL, o DOUBLE NOT NULL DEFAULT 3, r BINARY(3) NOT NULL DEFAULT 'a', s VARBINARY(4) NOT NULL, t UUID NOT NULL, u INET6 NOT NULL DEFAULT '::', w MEDIUMINT NOT NULL DEFAULT (1 + 1), x DECIMAL(5,0) NOT NULL DEFAULT (a), q CHAR(4) DEFAULT 'q');
CREATE VIEW totals AS SELECT * FROM firm GROUP BY a, z, b, c, d, e, f, j, k, m, n, o, r, s, t, u, w, x, q WITH ROLLUP;
SHOW COLUMNS FROM totals;
CREATE VIEW above AS SELECT b AS bb, d, x, q FROM totals;
SHOW COLUMNS FROM above;
CREATE TABLE of_totals SELECT * FROM totals;
SHOW CREATE TABLE of_totals;
-- The first second of TIMESTAMP, which has fractions alone.
SET time_zone = '+00:00', sql_mode = '';
CREATE TABLE firsts (id INT PRIMARY KEY, a TIMESTAMP(1) NULL, b TIMESTAMP(6) NULL, c TIMESTAMP NULL);
INSERT INTO firsts VALUES (1, '1970-01-01 00:00:00.05', '1970-01-01 00:00:00.000001', '1970-01-01 00:00:00.5');
INSERT INTO firsts VALUES (2, '1970-01-01 00:00:00.95', FROM_UNIXTIME(0.5), FROM_UNIXTIME(0.5));
INSERT INTO firsts VALUES (3, 19700101000000.9, CAST('1970-01-01 00:00:00.9' AS DATETIME(1)), '1970-01-01 00:00:00');
INSERT INTO firsts (id, a, c) SELECT id + 10, b, b FROM firsts;
SELECT id, a, b, c, UNIX_TIMESTAMP(a), UNIX_TIMESTAMP(b), a + INTERVAL 1 SECOND, b > '1970-01-01', CAST(a AS DATETIME(1)) FROM firsts;
SELECT id FROM firsts WHERE b = '1970-01-01 00:00:00.5';
CREATE INDEX b ON firsts (b);
SELECT id FROM firsts FORCE INDEX (b) WHERE b = '1970-01-01 00:00:00.5';
SELECT id FROM firsts FORCE INDEX (b) WHERE b > '1970-01-01' ORDER BY id;
SELECT id FROM firsts FORCE INDEX (b) WHERE b <= '1970-01-01 00:00:00.6' ORDER BY id;
SELECT MIN(b), MAX(b) FROM firsts;
SET time_zone = '-03:30';
SELECT id, a, b, c FROM firsts;
SET sql_mode = 'STRICT_ALL_TABLES';
INSERT INTO firsts (id, b) VALUES (20, '1969-12-31 20:30:00.000001');
INSERT INTO firsts (id, b) VALUES (21, '1969-12-31 20:30:00');
ALTER TABLE firsts MODIFY b DATETIME(6);
ALTER TABLE firsts MODIFY b TIMESTAMP(6) NULL;
SELECT id, b FROM firsts WHERE b IS NOT NULL;
SET time_zone = DEFAULT;
-- Subqueries in ON of joins that read what DELETE deletes from.
CREATE TABLE q1 (id INT);
CREATE TABLE q2 (id INT);
CREATE TABLE gone (c0 INT);
DELETE gone.* FROM gone, q2 WHERE 2 IN (SELECT a2.id FROM q1 a1 RIGHT JOIN q1 a2 ON EXISTS (SELECT 1 FROM gone a3));
DELETE gone.* FROM gone, q2 WHERE EXISTS (SELECT a2.id FROM q1 a2 JOIN q1 a1 ON EXISTS (SELECT 1 FROM gone a3));
DELETE gone.* FROM gone JOIN q2 ON EXISTS (SELECT 1 FROM gone a3);
DELETE FROM gone WHERE EXISTS (SELECT 1 FROM q1 JOIN q2 ON EXISTS (SELECT 1 FROM gone a3));
UPDATE gone, q2 SET gone.c0 = 1 WHERE EXISTS (SELECT a2.id FROM q1 a2 JOIN q1 a1 ON EXISTS (SELECT 1 FROM gone a3));
DELETE gone FROM gone JOIN q2 ON c0 = q2.id WHERE NOT EXISTS (SELECT q2.id FROM q2 a1 JOIN q1 a2 ON 12 IN (SELECT a1.id FROM q1 a3 LEFT JOIN gone a4 ON 1));
-- A table that another refers to is not replaced.
CREATE TABLE parent (id INT PRIMARY KEY);
CREATE TABLE child (a INT, CONSTRAINT f FOREIGN KEY (a) REFERENCES parent (id) ON DELETE CASCADE);
CREATE OR REPLACE TABLE parent (id INT PRIMARY KEY, c INT);
CREATE OR REPLACE TABLE parent LIKE q1;
CREATE OR REPLACE TABLE parent SELECT 1 AS id;
DROP TABLE parent;
-- MIN and MAX of a column that is always NULL are bytes to UNION, those of NULL are NULL.
CREATE TABLE nothing SELECT NULL AS n, 1 AS one;
CREATE TABLE united SELECT 'a' AS a, 'b' AS b, DATE '2001-01-01' AS c, 1 AS d UNION SELECT MIN(n), MAX(NULL), MIN(n), MAX(n) FROM nothing;
SHOW COLUMNS FROM united;
-- Rows with a NULL and a text that is no UUID are none of those looked for.
CREATE TABLE texts (id INT, c VARCHAR(10), n BIGINT);
INSERT INTO texts VALUES (1, '1', NULL);
CREATE TABLE uuids (id INT, u UUID);
INSERT INTO uuids VALUES (1, '00000000-0000-0000-0000-000000000001');
SELECT (n, c) NOT IN (SELECT 1, u FROM uuids), (n, c) IN (SELECT 1, u FROM uuids), (n, id) NOT IN (SELECT 1, id FROM uuids), (n, id) NOT IN (SELECT 1, 2 FROM uuids) FROM texts;
SELECT id FROM texts WHERE (n, c) NOT IN (SELECT 1, MAX(u) FROM uuids);
SELECT id FROM texts WHERE (n, c) NOT IN (SELECT 1, u FROM uuids);
-- Polygons without an area and lines that go nowhere are the lines and points that they cover.
CREATE TABLE shapes (id INT, g GEOMETRY);
INSERT INTO shapes VALUES (1, ST_GEOMFROMTEXT('MULTIPOINT(1 1,2 2)')), (2, POINT(1, 2)), (3, ST_GEOMFROMTEXT('LINESTRING(0 0,1 1,2 0)')), (5, POINT(0, 0)), (7, ST_GEOMFROMTEXT('POLYGON((0 0,0 4,4 4,4 0,0 0))')), (8, ST_GEOMFROMTEXT('LINESTRING(0 0,0 4)'));
SELECT id, ST_CONTAINS(g, ST_ENVELOPE(g)), ST_WITHIN(ST_ENVELOPE(g), g), ST_EQUALS(g, ST_ENVELOPE(g)), ST_INTERSECTS(g, ST_ENVELOPE(g)), ST_DISJOINT(g, ST_ENVELOPE(g)), ST_OVERLAPS(g, ST_ENVELOPE(g)), ST_TOUCHES(g, ST_ENVELOPE(g)) FROM shapes;
SET @p = ST_GEOMFROMTEXT('POLYGON((1 2,1 2,1 2,1 2,1 2))'), @l = ST_GEOMFROMTEXT('POLYGON((0 0,0 0,0 4,0 4,0 0))'), @k = ST_GEOMFROMTEXT('LINESTRING(1 2,1 2)');
SELECT ST_CONTAINS(@p, POINT(1, 2)), ST_CONTAINS(@p, @p), ST_EQUALS(@p, @p), ST_TOUCHES(@p, @p), ST_TOUCHES(POINT(1, 2), @p), ST_WITHIN(@p, @k), ST_CONTAINS(@k, @p), ST_EQUALS(@k, POINT(1, 2)), ST_CONTAINS(@k, POINT(1, 2)), ST_CONTAINS(@k, POINT(1, 3));
SELECT id, ST_CONTAINS(g, @p), ST_CONTAINS(g, @l), ST_WITHIN(g, @l), ST_INTERSECTS(g, @p) FROM shapes;
SELECT ST_CONTAINS(ST_GEOMFROMTEXT('LINESTRING(0 0,0 5)'), @l), ST_CONTAINS(ST_GEOMFROMTEXT('LINESTRING(0 0,2 4)'), @p), ST_CONTAINS(ST_GEOMFROMTEXT('MULTIPOINT(0 0,1 2)'), @p), ST_CONTAINS(ST_GEOMFROMTEXT('LINESTRING(0 0,0 3)'), @l), ST_EQUALS(ST_GEOMFROMTEXT('LINESTRING(0 0,0 4)'), @l), ST_EQUALS(@p, POINT(1, 2));
-- A table with an index of a virtual column gets another primary key in place, unless virtual columns come with it.
CREATE TABLE keyed (id INT NOT NULL PRIMARY KEY, v INT AS (1) VIRTUAL, a INT NOT NULL, b INT, KEY (v));
INSERT INTO keyed (id, a) VALUES (1, 1);
ALTER TABLE keyed DROP PRIMARY KEY, ADD PRIMARY KEY (a);
ALTER TABLE keyed DROP PRIMARY KEY, ADD UNIQUE KEY (id);
ALTER TABLE keyed ADD PRIMARY KEY (a), ADD c INT, COMMENT 'x';
ALTER TABLE keyed DROP PRIMARY KEY, ADD x INT AUTO_INCREMENT PRIMARY KEY;
ALTER TABLE keyed DROP PRIMARY KEY, MODIFY x INT NOT NULL, ADD PRIMARY KEY (a), ADD d INT AS (2) VIRTUAL;
SELECT * FROM keyed;
