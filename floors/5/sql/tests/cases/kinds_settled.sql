CREATE TABLE k (id INT PRIMARY KEY, c VARCHAR(20), d DOUBLE UNSIGNED, f FLOAT UNSIGNED, s SMALLINT, ts TIMESTAMP NULL, en ENUM('a'), st SET('x'), g GEOMETRY, u UUID, m MEDIUMTEXT NOT NULL, t TEXT NOT NULL)
INSERT INTO k (id, c, d, f, s, m, t) VALUES (1, 'a', 1, 1, 1, 'm', 't'), (2, 'b', 4, 4, 2, 'm', 't')
-- What is out of range is told of with the aggregates that it is made of.
SELECT BIT_AND(id + 5) - COUNT(*) - 18446744073709551615 FROM k
SELECT BIT_OR(0) - COUNT(*) FROM k
SELECT EXP(STD(id) * 9999), EXP(VAR_POP(id) * 99999) FROM k
SELECT EXP(VARIANCE(id) * 99999) FROM k
SELECT EXP(VAR_SAMP(id) * 99999) FROM k
SELECT EXP(STDDEV_SAMP(id) * 99999) FROM k
SELECT EXP(SUM(DISTINCT id) * 9999) FROM k
SELECT EXP(AVG(id) * 9999) FROM k
SELECT EXP(AVG(DISTINCT id + 0.5) * 9999) FROM k
SELECT EXP(SUM(id + 0.5) * 9999) FROM k
SELECT EXP(MIN(id) * 9999) FROM k
SELECT EXP(MAX(DISTINCT id + 0.5) * 9999) FROM k
SELECT EXP(COUNT(DISTINCT id, c) * 9999) FROM k
SELECT -BIT_OR(~id), c FROM k GROUP BY id
SELECT a1.r1 + a1.r1 FROM (SELECT BIT_AND(0) r1 FROM k) a1
SELECT EXP(z.x + 9999) FROM (SELECT MIN(id) x FROM k) z
-- So are the constants of conditions.
SELECT 1 FROM k WHERE 5 - BIT_COUNT(id) - ~3
SELECT 1 FROM k WHERE id > 1 AND id * -9223372036854775807
SELECT EXP(DATE'2020-01-01')
SELECT EXP(TIME'800:10:10')
SELECT EXP(TIMESTAMP'2020-01-31 10:20:30.5')
SELECT EXP(YEARWEEK('2020-01-01'))
SELECT COT(X'C3A4')
SELECT EXP(0x7FFF)
-- Floating-point numbers are signed where one of several is taken.
CREATE TABLE made AS SELECT IF(1, d, d) a, COALESCE(d) b, COALESCE(f, f) c, NVL(d, f) e, IF(1, d, 3) g, NULLIF(d, d) h, MIN(d) i FROM k GROUP BY id
SHOW CREATE TABLE made
CREATE OR REPLACE TABLE made AS SELECT d FROM k UNION SELECT d FROM k
SHOW CREATE TABLE made
-- x'..' is unsigned where it is divided without a remainder.
CREATE OR REPLACE TABLE made AS SELECT X'31' DIV id a, id DIV X'31' b, X'31' MOD 3 c, 3 MOD X'31' d, -X'31' e FROM k
SHOW CREATE TABLE made
SET sql_mode = ''
-- What may grow longer than any text may be NULL.
CREATE OR REPLACE TABLE made AS SELECT JSON_ARRAY(m) a, JSON_OBJECT(m, 1) b, JSON_QUOTE(m) c, TO_BASE64(m) d, REPEAT(m, 2) e, REPLACE(m, 'a', 'b') f, JSON_MERGE(m, m) g, JSON_ARRAY(1, t) h, TO_BASE64(t) i, QUOTE(m) j FROM k WHERE 0
SELECT column_name, is_nullable FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'made'
SET sql_mode = DEFAULT
-- Names of character sets are constants, whatever has them.
CREATE OR REPLACE TABLE made AS SELECT STR_TO_DATE('1', CHARSET(c)) a, STR_TO_DATE('1', COLLATION(c)) b, TIMEDIFF('12:30', LEAST('00:00:00', COLLATION(@v1))) d FROM k WHERE 0
SHOW CREATE TABLE made
SELECT COLLATION(c), MIN(2 / 255) * 100 / COUNT(*) FROM k GROUP BY 1
SELECT HEX(COERCIBILITY('a')), MIN(2 / 255) * 100 / COUNT(*) FROM k GROUP BY 1
-- Types that errors name.
SELECT ts BETWEEN 1 AND u FROM k
SELECT ts BETWEEN '1' AND u FROM k
SELECT ts BETWEEN ts AND u FROM k
SELECT id BETWEEN ts AND g FROM k
SELECT ADDTIME(en, u) FROM k
SELECT SUBTIME(u, st) FROM k
-- NULL is looked for among texts only where these can be compared.
SELECT NULL IN ('a' COLLATE utf8mb4_bin, 'b' COLLATE utf8mb4_general_ci)
SELECT NULL IN (1, c COLLATE utf8mb4_bin, c COLLATE utf8mb4_general_ci) FROM k
SELECT NULL IN ('a' COLLATE utf8mb4_bin, 1)
-- Lengths of listed texts are counted in 32 bits, of characters where these are of several bytes.
CREATE OR REPLACE TABLE made AS SELECT MAKE_SET(6, 1, ST_ASTEXT(NULL)) a, MAKE_SET(1, 'a', ST_ASTEXT(g)) b, EXPORT_SET(1, 'a', 'b', ST_ASTEXT(g)) c, MAKE_SET(1, g, 'abc') d, EXPORT_SET(1, g, 'a') e FROM k
SHOW CREATE TABLE made
