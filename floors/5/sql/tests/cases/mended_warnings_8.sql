-- What the differential tester found in warnings, counts and what tables hold, mended.

-- A constant that is read for the digits of its fraction is read twice where it has the more.
CREATE TABLE nothing (id INT);
CREATE OR REPLACE TABLE made AS SELECT TIMESTAMPADD(MINUTE, 5, '2020-02-30' - INTERVAL 1 WEEK) x FROM nothing;
CREATE OR REPLACE TABLE made AS SELECT TIMESTAMPADD(SECOND, '5', '2020-02-30' - INTERVAL 1 WEEK) x FROM nothing;
CREATE OR REPLACE TABLE made AS SELECT TIMESTAMPADD(MINUTE, 5, SUBTIME(2147483647, '100:00:00.5')) x FROM nothing;
CREATE OR REPLACE TABLE made AS SELECT TIMESTAMPADD(MINUTE, 5, SUBTIME(2147483647, '100:00:00')) x FROM nothing;
SELECT TIMESTAMPADD(MINUTE, 5, TIMESTAMPADD(MINUTE, 5, TIMESTAMPADD(MINUTE, 5, '2020-02-30'))) x FROM nothing;
CREATE OR REPLACE TABLE made AS SELECT TIMEDIFF('2020-02-30' - INTERVAL 1 WEEK, SUBTIME(2147483647, '1:0:0')) x FROM nothing;
CREATE OR REPLACE TABLE made AS SELECT TIMEDIFF(SUBTIME(2147483647, '1:0:0'), '2020-02-30' - INTERVAL 1 WEEK) x FROM nothing;
CREATE OR REPLACE TABLE made AS SELECT TIMEDIFF(1.5, SUBTIME(2147483647, '1:0:0')) x FROM nothing;

-- Before a table is altered its defaults are computed over the row that has nothing but them.
CREATE TABLE defaults (c0 UUID, c1 VARCHAR(10) CHARACTER SET latin1 DEFAULT (IFNULL('qwertz', c0)));
ALTER TABLE defaults ADD n1 INT;
ALTER TABLE defaults ADD n2 INT, ALGORITHM=COPY;
ALTER TABLE defaults DROP n1;
CREATE INDEX i ON defaults (n2);
DROP INDEX i ON defaults;
ALTER TABLE defaults COMMENT 'a';
ALTER TABLE defaults ALTER c1 DROP DEFAULT;
CREATE OR REPLACE TABLE defaults (c0 INT, c1 VARCHAR(10) DEFAULT (CONCAT('abcdefghijklmn', COALESCE(c0, ''))));
ALTER TABLE defaults ADD n1 INT;
CREATE OR REPLACE TABLE defaults (c0 INT, c1 INT DEFAULT (18446744073709551615 + 1 + c0));
ALTER TABLE defaults ADD n1 INT;
CREATE OR REPLACE TABLE defaults (c0 INT, c1 INT DEFAULT (1 / 0 + c0));
ALTER TABLE defaults ADD n1 INT;
CREATE OR REPLACE TABLE defaults (c0 INT NOT NULL, c1 INT DEFAULT (c0 + '1a'), c2 INT DEFAULT (CONCAT(c1, 'a') + 0), c3 VARCHAR(10) DEFAULT (CONCAT(c2, 'a') + 0), c4 VARCHAR(4) NOT NULL DEFAULT 'abc', c5 INT DEFAULT (c4 + 0));
ALTER TABLE defaults ADD n1 INT;
CREATE OR REPLACE TABLE defaults (c0 INT);
INSERT INTO defaults VALUES (1);
ALTER TABLE defaults ADD n1 VARCHAR(50) DEFAULT (RAND());
ALTER TABLE defaults ADD n2 VARCHAR(50) DEFAULT (UUID());
ALTER TABLE defaults ADD n3 VARCHAR(50) DEFAULT (USER());
ALTER TABLE defaults ADD n4 VARCHAR(50) DEFAULT (SYSDATE());

-- A change of a number writes the one behind it: that counts where a table with virtual columns is altered.
CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY, c0 INT, v INT AS (1));
INSERT INTO counted (id, c0) VALUES (16, 255);
UPDATE counted SET id = 14;
ALTER TABLE counted COMMENT 'a';
SHOW CREATE TABLE counted;
UPDATE counted SET id = c0;
SHOW CREATE TABLE counted;
ALTER TABLE counted COMMENT 'b';
SHOW CREATE TABLE counted;
INSERT INTO counted (c0) VALUES (4);
UPDATE counted SET id = 300 WHERE c0 = 4;
ALTER TABLE counted ADD n1 INT, ALGORITHM=COPY;
SHOW CREATE TABLE counted;
BEGIN;
UPDATE counted SET id = 400 WHERE c0 = 4;
ROLLBACK;
ALTER TABLE counted COMMENT 'c';
SHOW CREATE TABLE counted;

-- A password that was never given a place makes no key.
SELECT HEX(DES_ENCRYPT('ab', '')) a, HEX(DES_ENCRYPT('ab', EXTRACTVALUE('<a/>', 'b'))) b, HEX(DES_ENCRYPT('ab', JSON_VALUE('{"a":""}', '$.a'))) c, HEX(DES_ENCRYPT('ab', EXPORT_SET(0, 'a', '', '', 1))) d, HEX(DES_ENCRYPT('ab', REGEXP_SUBSTR('a', 'b'))) e, HEX(DES_ENCRYPT('ab', REGEXP_REPLACE('a', 'a', ''))) f, HEX(DES_ENCRYPT('ab', REPLACE('a', 'a', ''))) g;

-- Names that MariaDB makes for a view's columns may be longer than others.
CREATE VIEW long_named AS SELECT id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+1, id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+1, id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+id+1 FROM nothing;
SHOW CREATE VIEW long_named;
SELECT * FROM long_named;
CREATE TABLE short_named AS SELECT * FROM long_named;

-- What is done, or tells of others, is a constant to who asks for digits and lengths.
CREATE OR REPLACE TABLE made AS SELECT ROUND(1, BENCHMARK(2, '12')) a, ROUND(1.55, BENCHMARK(1, 1)) b, ROUND(123, SLEEP(0)) c, ROUND(123, IS_FREE_LOCK('a')) d, LEFT('abc', BENCHMARK(2, '12')) e, LEFT('abc', SLEEP(0)) f, LEFT('abc', IS_FREE_LOCK('a')) g, ROUND(123, BENCHMARK(id, 1)) h FROM nothing;
SHOW CREATE TABLE made;

-- Bytes of a constant are characters beside those of a column.
CREATE TABLE texts (id INT PRIMARY KEY, c0 VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin, l VARCHAR(20) CHARACTER SET latin1, b VARBINARY(20), n VARCHAR(20) CHARACTER SET utf8mb4);
INSERT INTO texts VALUES (1, 'a_c', 'x', x'0001FF', '1a');
SELECT INTERVAL(LEAST(x'0001', c0), 1, 7) FROM texts;
SELECT GREATEST(x'7001', c0) + 0, LEAST(b, c0) + 0, LEAST(x'0001', l) + 0 FROM texts;
SELECT COALESCE(x'0001', c0) + 0, CASE 1 WHEN 1 THEN x'0002' ELSE c0 END + 0, COALESCE(x'C3A4', c0) + 0 FROM texts;
SELECT CASE x'0001' WHEN 1 THEN 2 WHEN c0 THEN 1 END FROM texts;
SELECT CAST(ST_GEOMFROMTEXT('LINESTRING(0 0,1 1,2 0)') AS BINARY(6)) NOT IN (1, _utf8mb4'a' COLLATE utf8mb4_bin, 1);

-- What windows ask of a row beside a subquery is asked of every row.
CREATE TABLE windowed (id INT PRIMARY KEY, c VARCHAR(20));
INSERT INTO windowed VALUES (1, 'a'), (2, 'b'), (3, 'c');
SELECT LAST_VALUE(c + (SELECT MAX(0) FROM windowed)) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) x FROM windowed;
SELECT FIRST_VALUE((SELECT w.c + 0 FROM windowed s LIMIT 1)) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) x FROM windowed w;
SELECT LAG(c + (SELECT MAX(0) FROM windowed)) OVER (ORDER BY id) x FROM windowed;

-- A text that is read as a number each time does not go before what computes.
CREATE TABLE weeks (id INT PRIMARY KEY, f FLOAT(8,2) NOT NULL, d DATETIME(6));
INSERT INTO weeks VALUES (1, 21474, '2001-01-01 00:00:01'), (2, 127, '2024-06-15 12:30:45.678901');
SELECT id FROM weeks WHERE (WEEKOFYEAR(d), 'b') = ('a', f);
SELECT id FROM weeks WHERE WEEKOFYEAR(d) = 3 AND 'b' = f;
SELECT id FROM weeks WHERE WEEKOFYEAR(d) = 24 AND 'b' = f;

-- Bytes that are no characters are told of as a whole, though they are cut; those that DECODE gives are bytes to numbers.
SELECT HEX(CAST(x'F7FDB464AB3D60CD' AS CHAR(3))), HEX(CAST(AES_ENCRYPT('a', 'b') AS CHAR(3)));
SELECT HEX(CAST(DECODE(HEX('ab'), 1) AS CHAR(3)));
CREATE TABLE kinds (c1 SMALLINT UNSIGNED, c4 DECIMAL(5,2), c5 DOUBLE, c7 YEAR, d INET6, t VARCHAR(20));
INSERT IGNORE INTO kinds (c1) VALUES (DECODE('strabe', 65535));
INSERT IGNORE INTO kinds (c4) VALUES (DECODE('strabe', 65535));
INSERT IGNORE INTO kinds (c5) VALUES (DECODE('strabe', 65535));
INSERT IGNORE INTO kinds (c7) VALUES (DECODE('strabe', 65535));
INSERT IGNORE INTO kinds (d) VALUES (DECODE('strabe', 65535));
SELECT DECODE('strabe', 65535) + 0;

-- What a column cuts off is not looked at, whatever it is.
CREATE TABLE cut (l VARCHAR(5) CHARACTER SET latin1, u VARCHAR(5) CHARACTER SET utf8mb3, c CHAR(5) CHARACTER SET latin1, t TINYTEXT CHARACTER SET latin1, g VARCHAR(20) CHARACTER SET utf8mb4);
INSERT INTO cut (l) VALUES (_utf8mb4 x'6162636465D096');
INSERT INTO cut (l) VALUES (_utf8mb4 x'61626364D096');
INSERT INTO cut (c) VALUES (_utf8mb4 x'61626364652020D096');
INSERT INTO cut (u) VALUES (CONCAT('abcde  ', x'FF'));
INSERT INTO cut (g) VALUES (ST_GEOMFROMTEXT('GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))'));
INSERT IGNORE INTO cut (l) VALUES (_utf8mb4 x'6162636465D096');
INSERT IGNORE INTO cut (l) VALUES (_utf8mb4 x'61626364D096');
INSERT IGNORE INTO cut (t) VALUES (CONCAT(REPEAT('a', 255), _utf8mb4 x'D096'));
INSERT IGNORE INTO cut (t) VALUES (CONCAT(REPEAT('a', 254), _utf8mb4 x'D096'));
INSERT IGNORE INTO cut (g) VALUES (ST_GEOMFROMTEXT('GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))'));
SELECT HEX(l), HEX(u), HEX(c), RIGHT(HEX(t), 4), HEX(g) FROM cut;

-- Too many seconds are told of with the digits that the time has, rounded where times are.
CREATE TABLE seconds (a DOUBLE(10,3), b DOUBLE, d DECIMAL(20,9));
INSERT INTO seconds VALUES (9999999.999, 9999999.999, 9999999.9999999), (-9999999.998, -9999999.998, -9999999.999999999);
SELECT SEC_TO_TIME(a), SEC_TO_TIME(b), SEC_TO_TIME(d) FROM seconds;
SELECT SEC_TO_TIME(9999999.0000001e0), SEC_TO_TIME(1.5e13), SEC_TO_TIME(9999999.9999999e0);
SET sql_mode = CONCAT(@@sql_mode, ',TIME_ROUND_FRACTIONAL');
SELECT SEC_TO_TIME(a), SEC_TO_TIME(b), SEC_TO_TIME(d) FROM seconds;
SELECT SEC_TO_TIME(9999999.0000001e0), SEC_TO_TIME(1.5e13), SEC_TO_TIME(9999999.9999999e0);
SET sql_mode = DEFAULT;

-- Documents that are merged are read in the characters that they have together, if they are constants.
SELECT JSON_MERGE_PATCH(_utf8mb4'[]', _latin1 x'20E4'), JSON_MERGE_PRESERVE(_utf8mb4'[]', _latin1 x'E4'), JSON_COMPACT(_latin1 x'E4'), JSON_MERGE_PATCH(_latin1'[]', _latin1 x'E4');

-- Where a subquery has no rows it does not matter what is looked for.
SELECT id FROM windowed WHERE DATE(c) IN (SELECT '2001-01-01' FROM nothing WHERE 0);
SELECT id FROM windowed WHERE (DATE(c), id) IN (SELECT DATE('2001-01-01'), 2 FROM nothing WHERE 0);
SELECT id FROM windowed WHERE id IN (SELECT COUNT(*) + 2 FROM nothing WHERE 0);

-- What a query calls its columns and tables may be longer than what is stored.
SELECT 1 AS aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
SELECT aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg.id FROM nothing AS aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
SELECT q.aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg FROM (SELECT 1 AS aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg) q;
WITH q(aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg) AS (SELECT 1) SELECT aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg FROM q;
SELECT COUNT(*) AS aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg FROM nothing HAVING aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg = 0;
SELECT id AS aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg FROM nothing ORDER BY aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
SELECT aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg FROM nothing;
SELECT * FROM aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
SELECT * FROM aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg.t;
WITH aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg AS (SELECT 1) SELECT * FROM aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
CREATE TABLE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg (id INT);
CREATE TABLE long_column (aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg INT);
CREATE TABLE long_column AS SELECT 1 AS aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
CREATE VIEW long_column AS SELECT 1 AS aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
CREATE TABLE long_key (id INT, KEY aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg (id));
ALTER TABLE nothing RENAME COLUMN id TO aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
ALTER TABLE nothing RENAME TO aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
ALTER TABLE nothing DROP COLUMN aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
DROP TABLE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
DROP DATABASE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
USE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
INSERT INTO nothing (aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg) VALUES (1);
SELECT aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg();
SELECT * FROM nothing USE INDEX (aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg);
SAVEPOINT aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg;
SELECT id FROM windowed WHERE (DATE(c), id) IN (SELECT DATE('2001-01-01'), 2 FROM nothing WHERE 0 OR NULL);
SHOW COLUMNS FROM long_named;

-- A default that comes to NULL is NULL that is given.
CREATE TABLE null_by_default (id INT PRIMARY KEY, c0 INT, c1 INT NOT NULL DEFAULT (c0));
INSERT INTO null_by_default (id) VALUES (1);
INSERT INTO null_by_default (id) VALUES (1), (2);
INSERT INTO null_by_default VALUES (1, NULL, DEFAULT);
INSERT INTO null_by_default VALUES (1, 1, DEFAULT);
UPDATE null_by_default SET c0 = NULL, c1 = DEFAULT;
UPDATE IGNORE null_by_default SET c0 = NULL, c1 = DEFAULT;
SET sql_mode = '';
REPLACE INTO null_by_default (id) VALUES (2);
UPDATE null_by_default SET c0 = NULL, c1 = DEFAULT;
SET sql_mode = DEFAULT;
SELECT * FROM null_by_default;

-- A column that is not there goes as little as any.
CREATE TABLE changed (c0 INT, c2 DECIMAL);
INSERT INTO changed VALUES (2, 9);
ALTER TABLE changed ADD COLUMN n1 TIMESTAMP AS (NULL), ADD KEY k1 (c2), DROP COLUMN IF EXISTS n20;
CREATE VIEW listed(aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg) AS SELECT id FROM windowed;
SHOW CREATE VIEW listed;
SELECT aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg + 1 FROM listed WHERE aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggg < 3;
SHOW COLUMNS FROM listed;
