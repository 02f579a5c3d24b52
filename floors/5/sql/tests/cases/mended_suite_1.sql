-- tables with SPATIAL keys are altered, and have other keys of the same column
CREATE TABLE sp (a VARCHAR(50), b GEOMETRY NOT NULL, SPATIAL KEY (b))
ALTER TABLE sp ADD c INT, ADD KEY (b(20))
ALTER TABLE sp ADD SPATIAL KEY (b)
SHOW CREATE TABLE sp
-- a column that takes the name of one that goes takes its place in keys
CREATE TABLE ai (i INT NOT NULL AUTO_INCREMENT PRIMARY KEY, j INT, KEY ji (j, i))
INSERT INTO ai (j) VALUES (7), (8)
ALTER TABLE ai DROP i, ADD i INT UNSIGNED NOT NULL AUTO_INCREMENT FIRST, AUTO_INCREMENT = 5
SHOW CREATE TABLE ai
SELECT * FROM ai
-- what is dropped twice is forgiven once
ALTER TABLE ai DROP KEY ji, DROP KEY IF EXISTS ji
ALTER TABLE ai DROP COLUMN j, DROP COLUMN IF EXISTS j
ALTER TABLE ai DROP COLUMN j, DROP COLUMN j
SHOW CREATE TABLE ai
-- IF NOT EXISTS of constraints
CREATE TABLE co (a INT, b INT)
ALTER TABLE co ADD CONSTRAINT IF NOT EXISTS low CHECK (a + b > 100)
ALTER TABLE co ADD CONSTRAINT IF NOT EXISTS low CHECK (a + b > 200)
ALTER TABLE co ADD CONSTRAINT low CHECK (a + b > 300)
ALTER TABLE co ADD PRIMARY KEY IF NOT EXISTS (a)
ALTER TABLE co ADD PRIMARY KEY IF NOT EXISTS (b)
SHOW CREATE TABLE co
ALTER TABLE co DROP CONSTRAINT PRIMARY KEY
ALTER TABLE co DROP CONSTRAINT IF EXISTS low
SHOW CREATE TABLE co
-- ALTER ... ORDER BY has columns
ALTER TABLE co ORDER BY 1
ALTER TABLE co ORDER BY a + 1
ALTER TABLE co ORDER BY nosuch
ALTER TABLE co ORDER BY a DESC, co.b
OPTIMIZE TABLE co EXTENDED
CHECK TABLE co EXTENDED
ANALYZE TABLE co QUICK
-- rows get numbers under NO_AUTO_VALUE_ON_ZERO
CREATE TABLE za (a INT)
INSERT INTO za VALUES (1), (2)
SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO'
ALTER TABLE za ADD b INT AUTO_INCREMENT PRIMARY KEY
SET sql_mode = DEFAULT
SELECT * FROM za
-- what only reads changes nothing, though there be nothing to change
CREATE TABLE ro (a INT)
CREATE TEMPORARY TABLE rt (a INT)
START TRANSACTION READ ONLY
UPDATE ro SET a = 3
DELETE FROM ro
SELECT * FROM ro FOR UPDATE
SELECT * FROM ro LOCK IN SHARE MODE
INSERT INTO ro SELECT * FROM za
INSERT INTO rt SELECT a FROM za
DELETE rt FROM rt JOIN ro
DELETE FROM nosuch
UPDATE ro SET nosuch = 1
PREPARE s FROM 'DELETE FROM ro'
COMMIT
SET SESSION TRANSACTION READ ONLY
LOCK TABLES ro READ, za WRITE
SET SESSION TRANSACTION READ WRITE
-- columns by the name of their table
CREATE TABLE qc (qc.x INT, qc.y INT, KEY (x))
CREATE TABLE qd (qc.x INT)
ALTER TABLE qc ADD qc.z INT, MODIFY qc.x BIGINT
ALTER TABLE qc ADD qd.z INT
SHOW CREATE TABLE qc
-- engines
SET default_storage_engine = heap
SELECT @@default_storage_engine
SET default_storage_engine = gemini
SET storage_engine = innodb
SELECT @@default_storage_engine
-- collations that are the default
SELECT CAST('a' AS CHAR(3) COLLATE DEFAULT), COLLATION(CAST('a' AS CHAR(3) CHARACTER SET latin1 COLLATE DEFAULT))
-- literals with character sets are read again
CREATE TABLE li (a VARCHAR(3) DEFAULT (_utf8mb4 X'41'), b VARCHAR(4) DEFAULT CONCAT(_latin1 0x41), c VARCHAR(4) DEFAULT CONCAT(_utf8 b'1000001'), d VARCHAR(4) AS (_latin1 0x41))
SHOW CREATE TABLE li
INSERT INTO li (a) VALUES ('b')
SELECT * FROM li
CREATE VIEW lv AS SELECT _utf8mb4 X'41' AS a, _latin1 0x41 AS b, CONCAT(_latin1 X'4142', 'c') AS c, _latin1 0xE4 AS d, _ucs2 0x0041 AS e, _binary X'41' AS f
SELECT a, b, c, HEX(d), e, HEX(f) FROM lv
-- views of percentiles
CREATE TABLE pe (name CHAR(10), score DECIMAL(10,4))
INSERT INTO pe VALUES ('a', 2), ('a', 4), ('b', 7)
CREATE VIEW pv AS SELECT name, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY score) OVER (PARTITION BY name) AS c, MEDIAN(score) OVER (PARTITION BY name) AS d, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY score DESC) OVER () AS e FROM pe
SHOW CREATE VIEW pv
SELECT * FROM pv ORDER BY name
-- an aggregate without columns goes out where it cannot stand
CREATE TABLE ag (a INT, b INT)
CREATE TABLE am (m INT)
INSERT INTO ag VALUES (1, 10), (1, 20), (2, 30)
INSERT INTO am VALUES (1), (2)
SELECT COUNT(*), a, (SELECT m FROM am WHERE m = COUNT(*) LIMIT 1) AS x FROM ag GROUP BY a
SELECT COUNT(*), a, (SELECT MIN(m) FROM am WHERE m = COUNT(*)) AS x FROM ag GROUP BY a
SELECT COUNT(*), a FROM ag GROUP BY a HAVING (SELECT MIN(m) FROM am WHERE m = COUNT(*)) > 1
SELECT a FROM ag WHERE (SELECT m FROM am WHERE m = COUNT(*)) > 0
SELECT (SELECT m FROM am JOIN pe ON m = COUNT(*) LIMIT 1) AS x FROM ag
SELECT (SELECT (SELECT MAX(m) FROM am WHERE COUNT(*) > 2) FROM am GROUP BY m LIMIT 1) AS x FROM ag
-- calls of statements and sessions are no defaults
CREATE TABLE df (a INT DEFAULT BENCHMARK(1, 1))
CREATE TABLE df (a INT DEFAULT GET_LOCK('a', 1))
CREATE TABLE df (a INT DEFAULT LAST_INSERT_ID())
CREATE TABLE df (a INT DEFAULT SLEEP(1))
CREATE TABLE df (a INT, b INT DEFAULT VALUE(a))
CREATE TABLE df (a INT CHECK (a > ROW_COUNT()))
CREATE TABLE df (a INT, b INT AS (NAME_CONST('x', 1)))
CREATE TABLE df (a INT DEFAULT CONNECTION_ID(), b VARCHAR(30) DEFAULT USER(), c VARCHAR(40) DEFAULT UUID())
DROP TABLE IF EXISTS ``
ALTER DATABASE aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa CHARACTER SET latin1
CREATE VIEW vn AS SELECT 1 AS `x `
-- what SET STATEMENT cannot set
SET STATEMENT autocommit = 0 FOR SELECT 1
SET STATEMENT Wait_Timeout = 1 FOR SELECT 1
SET STATEMENT analyze_max_length = 64 FOR SELECT @@analyze_max_length
-- WAIT and NOWAIT
CREATE TABLE wa (a INT)
ALTER TABLE wa NOWAIT ADD b INT
CREATE INDEX ia ON wa (a) WAIT 1
DROP INDEX ia ON wa NOWAIT
TRUNCATE TABLE wa WAIT 2
RENAME TABLE wa NOWAIT TO wb
DROP TABLE wb WAIT 1
SELECT @@lock_wait_timeout, @@innodb_lock_wait_timeout
-- nodes with prefixes
SELECT EXTRACTVALUE('<a><and:and>test</and:and></a>', '/a/and:and') AS a, EXTRACTVALUE('<n:e xmlns:n="my">b</n:e>', 'count(n:e)') AS b, EXTRACTVALUE('<n:e><n:f k:l="4">b</n:f></n:e>', '/n:e/n:f[@k:l=4]') AS c, EXTRACTVALUE('<a><b>1</b></a>', '/child::a/descendant-or-self::b') AS d
-- DISTINCT values are joined in their order
CREATE TABLE gd (a INT, b INT, c DECIMAL(5,2), d DATE, e DOUBLE, f ENUM('z','y','x'), g VARCHAR(5) COLLATE utf8mb4_bin, h TEXT, i BIT(3), j TIME, k SET('c','b','a'))
INSERT INTO gd VALUES (1,3,3.1,'2003-01-01',3.5,'x','b','b',3,'3:0:0','a'), (1,-1,-1.1,'2001-01-01',-1,'z','B','B',1,'-1:0:0','c'), (2,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL), (2,20,2.1,'2002-01-01',20,'y','a','a',2,'20:0:0','b,c'), (2,3,3.1,'2003-01-01',3.5,'x','b','b',3,'3:0:0','a')
SELECT GROUP_CONCAT(DISTINCT b), GROUP_CONCAT(DISTINCT c), GROUP_CONCAT(DISTINCT d), GROUP_CONCAT(DISTINCT e), GROUP_CONCAT(DISTINCT f), GROUP_CONCAT(DISTINCT g), GROUP_CONCAT(DISTINCT h), GROUP_CONCAT(DISTINCT i+0), GROUP_CONCAT(DISTINCT j), GROUP_CONCAT(DISTINCT k) FROM gd
SELECT a, GROUP_CONCAT(DISTINCT b, f), GROUP_CONCAT(DISTINCT b+0 SEPARATOR ''), GROUP_CONCAT(DISTINCT IF(b > 0, b, NULL)), GROUP_CONCAT(DISTINCT CONCAT(g)), GROUP_CONCAT(DISTINCT 1) FROM gd GROUP BY a
SELECT GROUP_CONCAT(DISTINCT b LIMIT 2), GROUP_CONCAT(DISTINCT b, c LIMIT 1, 1), JSON_ARRAYAGG(DISTINCT b), JSON_ARRAYAGG(DISTINCT g) FROM gd
-- single bytes are searched from the end
SELECT SUBSTRING_INDEX(_latin1'aaaaaaaaa1', _latin1'aa', -1) AS a, SUBSTRING_INDEX(_utf8mb4'aaaaaaaaa1', 'aa', -1) AS b, SUBSTRING_INDEX(_latin1'aaaaaaaaa1', _latin1'aa', -3) AS c, SUBSTRING_INDEX(_latin1'aaaaa', _latin1'aa', -9) AS d, SUBSTRING_INDEX(_latin1'aaaaaa1', _latin1'aa', 2) AS e
-- seeds of the session
SET rand_seed1 = 10000000, rand_seed2 = 1000000
SELECT RAND(), RAND(999999), RAND()
SELECT RAND(), @@rand_seed1
-- GRANT makes accounts where the mode does not forbid it
SET sql_mode = ''
GRANT SELECT ON *.* TO suite_user@localhost
SHOW GRANTS FOR suite_user@localhost
DROP USER suite_user@localhost
SET sql_mode = DEFAULT
GRANT SELECT ON *.* TO suite_user@localhost
-- weights of so many characters
create table wc (a varchar(5), b varchar(5) character set latin1 collate latin1_swedish_ci, c varchar(5) collate utf8mb4_unicode_ci, d varbinary(5), e varchar(5) collate utf8mb4_bin, f varchar(5) character set latin1 collate latin1_bin, g varchar(5) collate utf8mb4_nopad_bin, h varchar(5) collate utf8mb4_unicode_nopad_ci, i int)
insert into wc values ('ab','ab','ab','ab','ab','ab','ab','ab',12),('abcd ','abcd ','abcd ','abcd ','abcd ','abcd ','abcd ','abcd ',12345678),('','','','','','','','',0)
select hex(weight_string(a as char(4))), hex(weight_string(b as char(4))), hex(weight_string(c as char(4))), hex(weight_string(d as char(4))), hex(weight_string(e as char(4))), hex(weight_string(f as char(4))), hex(weight_string(g as char(4))), hex(weight_string(h as char(4))), hex(weight_string(i as char(4))) from wc
select hex(weight_string(a as char(2))), hex(weight_string(b as char(2))), hex(weight_string(c as char(2))), hex(weight_string(d as char(2))), hex(weight_string(e as char(2))), hex(weight_string(g as char(2))), hex(weight_string(h as char(2))) from wc
select hex(weight_string(a as binary(4))), hex(weight_string(b as binary(4))), hex(weight_string(c as binary(4))), hex(weight_string(i as binary(3))) from wc
select hex(weight_string(a,1,2,0xc0)), hex(weight_string(a,5,4,192)), hex(weight_string(b,5,4,192)), hex(weight_string(b,5,4,0)), hex(weight_string(b,1,4,0)), hex(weight_string(b,0,0,65)) from wc
create table wd as select weight_string(a), weight_string(a as char(3)), weight_string(a as binary(3)), weight_string(c), weight_string(c as char(3)), weight_string(b as char(3)), weight_string(i as char(3)) from wc
show create table wd
create view wv as select weight_string(a) a, weight_string(a as char(3)) b, weight_string(a as binary(3)) c, weight_string(a level 1 desc) d from wc where i = 12
show create view wv
select hex(a), hex(b), hex(c), hex(d) from wv
-- queries in the order of a union, and in what orders its rows
SELECT 1.5 AS two UNION SELECT 1 ORDER BY (SELECT two LIMIT 1)
(SELECT 1 AS a) UNION (SELECT 2) ORDER BY (SELECT -a)
SELECT a AS q FROM ag UNION SELECT 7 ORDER BY (SELECT MAX(m) FROM am WHERE m < q), q DESC
SELECT a AS q FROM ag UNION SELECT 7 ORDER BY (SELECT nosuch)
-- lengths of TEXT are cut
CREATE TABLE tl (a TEXT(1431655798), b TEXT(4294967295), c BLOB(4294967295), d TEXT(16777215), e TEXT(1073741823))
SHOW CREATE TABLE tl
CREATE TABLE tm (a TEXT(4294967296))
-- assignments that do not see each other
CREATE TABLE sa (a INT, b INT)
INSERT INTO sa VALUES (1, 10), (2, 20)
CREATE VIEW sv AS SELECT a, b FROM sa WHERE a < 50 WITH CHECK OPTION
SET sql_mode = 'SIMULTANEOUS_ASSIGNMENT'
UPDATE sa SET a = b, b = a
SELECT * FROM sa
UPDATE sa SET a = 1, b = 3, a = 2
UPDATE sv SET a = b + 60, b = a
UPDATE sv SET a = b + 6, b = a
INSERT INTO sa VALUES (5, 6)
SELECT * FROM sa
SET sql_mode = DEFAULT
UPDATE sa SET a = b, b = a
SELECT * FROM sa
-- long comments are cut outside strict mode
SET sql_mode = ''
CREATE TABLE lc (a INT COMMENT 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')
ALTER TABLE lc ADD KEY k (a) COMMENT 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'
ALTER TABLE lc COMMENT 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'
SELECT LENGTH(column_comment) FROM information_schema.columns WHERE table_name = 'lc' AND table_schema = DATABASE()
SELECT LENGTH(table_comment) FROM information_schema.tables WHERE table_name = 'lc' AND table_schema = DATABASE()
SET sql_mode = DEFAULT
ALTER TABLE lc ADD b INT COMMENT 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
