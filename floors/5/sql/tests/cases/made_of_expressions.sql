-- Tables made of expressions over columns of every type, and what is said of the numbers in them.
SET NAMES utf8mb4
SET sql_mode = ''
CREATE TABLE t (bits BIT(40), bit BIT(1), bu BIGINT UNSIGNED, b BIGINT, i INT, ts TIMESTAMP NULL, tsf TIMESTAMP(2) NULL, tu TINYINT UNSIGNED, da DATE, dt DATETIME, tm TIME, tmf TIME(3), e ENUM('a','bb'), s SET('x','yy','1'), y YEAR, d DECIMAL(10,2), f FLOAT UNSIGNED, db DOUBLE, c CHAR(3), v VARCHAR(20), x TEXT, mt MEDIUMTEXT, tt TINYTEXT, vb VARBINARY(20), u UUID, ip INET6) CHARACTER SET utf8mb4
INSERT INTO t VALUES (5, 1, 7, -7, 3, '2020-02-03 04:05:06', '2020-02-03 04:05:06.78', 9, '2020-02-03', '2020-02-03 04:05:06', '04:05:06', '04:05:06.789', 'bb', 'x,1', 2001, 1.5, 2.5, 1e100, 'abc', 'text', 'long', 'longer', 'short', 'bytes', '123e4567-e89b-12d3-a456-426655440000', '::1')
CREATE TABLE m AS SELECT bu*bu, bu*i, b*b, b+b, bu+bu, b-bu, bits+bits, bits*tu, bits-bits, bits DIV i, bits DIV v, bits%2, bits%d, d%bits, d%i, -bits FROM t
SHOW CREATE TABLE m
CREATE OR REPLACE TABLE m AS SELECT ts+tu, ts+1, ts+ts, ts*tu, ts-tu, ts%tu, tu%ts, tsf+tu, da+da, da%tu, tu%da, da+y, da+d, da/tu, da+bits, dt+bits, tmf%i, tm*e FROM t
SHOW CREATE TABLE m
CREATE OR REPLACE TABLE m AS SELECT e+1, s+s, e*e, e/e, e DIV i, s DIV bu, s%3, tu+s, y%s, y*s, -e, ROUND(e,i), ROUND(s,-1), ROUND(bits,-1), ROUND(bits,i), ROUND(bit,i), ROUND(da,i), ROUND(da,-1), ROUND(da,1), TRUNCATE(da,i) FROM t
SHOW CREATE TABLE m
CREATE OR REPLACE TABLE m AS SELECT tu%f, bu%db, y%c, f%i, f+f, ROUND(f), CEIL(f), TRUNCATE(f,1), ABS(f) FROM t
SHOW CREATE TABLE m
CREATE OR REPLACE TABLE m AS SELECT JSON_EXTRACT(i,'$.a'), JSON_KEYS(da), JSON_LOOSE(d), JSON_DETAILED(b), JSON_SEARCH(tm,'one','x'), JSON_SET(y,'$.z',1), JSON_VALUE(db,'$'), JSON_QUERY(u,'$'), QUOTE(i), QUOTE(ip), QUOTE(v), JSON_EXTRACT(v,'$.a'), JSON_SEARCH(c,'one','x') FROM t
SHOW CREATE TABLE m
SELECT COLLATION(JSON_EXTRACT(i,'$')), COERCIBILITY(JSON_KEYS(i)), COLLATION(QUOTE(u)), COLLATION(CONCAT(JSON_EXTRACT(i,'$'), 'x')) FROM t
CREATE OR REPLACE TABLE m AS SELECT JSON_MERGE_PATCH(b,'[1]'), JSON_MERGE(i,v), JSON_MERGE_PATCH(y,vb), NULLIF(x,1), NULLIF(mt,mt), NULLIF(tt,1), NULLIF(c,1), (SELECT c), (SELECT tt), (SELECT x), (SELECT e), (SELECT MAX(c) FROM t) FROM t
SHOW CREATE TABLE m
CREATE OR REPLACE TABLE m AS SELECT COALESCE(bu,d,'z'), COALESCE(da,tmf,'z'), COALESCE(i,bits,'z'), GREATEST(vb,s), IFNULL(e,vb), CASE WHEN i THEN vb ELSE s END, TIMESTAMP(dt,e), TIMESTAMP(dt,s) FROM t
SHOW CREATE TABLE m
-- quotients that are stored keep their digits
CREATE TABLE q (k INT, d DECIMAL(10,2), e DECIMAL(20,4))
INSERT INTO q SELECT i, 1 / 200.1, i / 7 FROM t
INSERT INTO q SELECT i, 1 / 200.1, i / 7 FROM t ORDER BY i
INSERT INTO q SELECT DISTINCT a.i, a.i / 601, a.i / 7 FROM t a JOIN (SELECT 1 UNION SELECT 2) b
INSERT INTO q SELECT COUNT(*), SUM(i) / 601, AVG(i) / 7 FROM t GROUP BY i
SELECT * FROM q ORDER BY k, d, e
CREATE OR REPLACE TABLE m AS SELECT i / 7 AS a, d / 7 AS b, i / 3 * 3 AS c FROM t
SELECT * FROM m
-- places of shifts are integers, of which the low 32 bits count
SELECT 1 << '2.7', 1 << 2.7, 1 << 2.2e0, 1 << 2.7e0, 1 << 4294967297, 1 << -1, 8 >> '1x', 8 >> 4294967297, 8 >> '99999999999999999999', 1 << 63, 1 << 64, NULL << 'x'
-- doubles beyond the integers
SELECT LEFT('abc', db), SUBSTRING('abc', db), ROUND(2, db), SUBSTRING_INDEX('a,b', ',', db), EXPORT_SET(db, 1, 0, ',', 3) FROM t
SELECT LEFT('abc', -db), LEFT('abc', 1e100), db & 1, ~db, db DIV 1e99 FROM t
SELECT ROUND(2, CONCAT('99999999999999999999999', SUBSTRING(c, 9))) FROM t
-- times and dates rounded
SELECT ROUND(TIME'838:59:59.999', i-3), ROUND(TIME'838:59:59.999', i-2), CEIL(TIME'838:59:59.999'), ROUND(da, -2), ROUND(da, i-7), ROUND(da, -100) FROM t
-- casts beyond FLOAT, decimals beyond the integers, hours of durations, years in NULLIF
CREATE TABLE n (k INT, db DOUBLE, dl DECIMAL(40,20), tm TIME, y YEAR, dbd DOUBLE(10,3), iz INT(6) ZEROFILL, v VARCHAR(20), j JSON, du DECIMAL(6,3) UNSIGNED, bits BIT(40), x TEXT, ts TIMESTAMP NULL, mt MEDIUMTEXT) CHARACTER SET utf8mb4
INSERT INTO n VALUES (1, 1e100, '12345678901234567890.123', '-838:59:59', 2001, 1.5, 7, '1', '{}', 1.5, 5, 'x', '2020-01-02 03:04:05', 'y')
SELECT CAST(db AS FLOAT), CAST(-db AS FLOAT) AS a, CAST(db AS DOUBLE(5,2)), CAST(db AS FLOAT) + 1 FROM n
SELECT CHAR(dl) = CHAR(9223372036854775807), HEX(dl), EXPORT_SET(dl,1,0,',',4), MAKETIME(dl,1,1) FROM n
SELECT TO_CHAR(tm,'HH24:MI:SS'), TO_CHAR(tm, 'HH12 AM'), TO_CHAR(TIME'11:12:13','HH:MI') FROM n
SELECT NULLIF(y,1), NULLIF(1,y), NULLIF(y,2001), NULLIF(y,99), NULLIF('01',y) FROM n
SELECT dbd COLLATE utf8mb4_bin, iz COLLATE utf8mb4_bin, k COLLATE utf8mb4_bin FROM n
SELECT EXTRACT(DAY_MICROSECOND FROM v), EXTRACT(DAY_SECOND FROM v) FROM n
SELECT EXTRACT(YEAR FROM j) FROM n
CREATE OR REPLACE TABLE m AS SELECT (SELECT x) a, (SELECT mt) b, (SELECT MAX(x) FROM n) c, NULLIF(x,1) d, CAST(du AS UNSIGNED) e, COALESCE(bits,NULL) f, CAST(ts AS UNSIGNED) g, (SELECT MAX(mt) FROM n) h, GROUP_CONCAT(x) i FROM n
SHOW CREATE TABLE m
-- bits of what is no integer, sums of what is no number, labels in UNION
CREATE TABLE g (a INT, v VARCHAR(10), d DOUBLE, dl DECIMAL(40,2), db DOUBLE, y VARCHAR(10), e ENUM('a','b'), s SET('x'), u UUID, i INET6, i4 INET4, c CHAR(3), b BINARY(4)) CHARACTER SET utf8mb4
INSERT INTO g (a, v, d, dl, db, y) VALUES (1,'1.7',1.5,99999999999999999999.5,1e30,'x')
SELECT BIT_OR(v), BIT_OR(d), BIT_OR(dl), BIT_OR(db), BIT_OR(y), BIT_AND(v), BIT_XOR(dl) FROM g
SELECT BIT_OR(CONCAT('18446744073709551615')), BIT_OR(18446744073709551615), BIT_OR('-1'), BIT_OR(-1.5) FROM g
SELECT SUM(DISTINCT u) FROM g
SELECT AVG(DISTINCT i) FROM g
SELECT e FROM g UNION SELECT u FROM g
SELECT i FROM g UNION ALL SELECT s FROM g
SELECT i4 FROM g UNION ALL SELECT e FROM g
CREATE OR REPLACE TABLE m AS SELECT c FROM g UNION ALL SELECT e FROM g
SHOW CREATE TABLE m
CREATE OR REPLACE TABLE m AS SELECT b FROM g UNION ALL SELECT s FROM g
SHOW CREATE TABLE m
-- days that new columns have not
SET sql_mode = 'NO_ZERO_DATE'
ALTER TABLE g ADD day DATE NOT NULL
ALTER TABLE g ADD moment DATETIME NOT NULL, ADD other INT NOT NULL
ALTER TABLE g ADD given DATE NOT NULL DEFAULT '2020-01-01', ADD clock TIME NOT NULL, ADD stamp TIMESTAMP NOT NULL
DELETE FROM g
ALTER TABLE g ADD day DATE NOT NULL
-- Aggregates of floats with digits have those of the column, or of the operand.
CREATE TABLE digits (k INT, a DOUBLE(8,2), b FLOAT(10,3), c DOUBLE);
CREATE OR REPLACE TABLE made_of_digits AS SELECT MIN(a), MAX(b), MIN(c), AVG(a), AVG(b), AVG(c), AVG(a + 1), STD(a), VARIANCE(b), SUM(b), MIN(a + 1) FROM digits;
SHOW CREATE TABLE made_of_digits;
CREATE VIEW shown_digits AS SELECT MIN(a), MAX(b), AVG(a), STD(b) FROM digits GROUP BY k;
SHOW COLUMNS FROM shown_digits;
DROP VIEW shown_digits;
DROP TABLE digits, made_of_digits;
