-- functions that Oracle means otherwise: under sql_mode = ORACLE, behind oracle_schema, and in views made so
SELECT TRIM_ORACLE('  a '), TRIM_ORACLE('   '), TRIM_ORACLE(BOTH 'x' FROM 'xx'), TRIM_ORACLE(LEADING 'x' FROM 'xxa'), TRIM_ORACLE(NULL)
SELECT oracle_schema.trim(' '), oracle_schema.trim(TRAILING 'b' FROM 'ab'), mariadb_schema.trim(' '), oracle_schema.ltrim(' '), mariadb_schema.ltrim(' '), oracle_schema.substr('abc', 0, 2), mariadb_schema.substr('abc', 0, 2), oracle_schema.concat('a', NULL), mariadb_schema.concat('a', NULL), oracle_schema.replace('abc', 'b', NULL), oracle_schema.lpad('a', 0, 'x'), oracle_schema.rpad('a', 0, 'x'), oracle_schema.decode(1, 1, 2)
SELECT oracle_schema.upper('a'), mariadb_schema.upper('a')
CREATE TABLE t (a VARCHAR(5), b INT)
INSERT INTO t VALUES ('x', 1), ('', 2), (NULL, 3), (' ', 4)
SET sql_mode = ORACLE
SELECT TRIM('  ') a, LTRIM(' ') b, SUBSTR('abc', 0, 2) c, 'a' || NULL d, REPLACE('abc', 'b', '') e, LPAD('a', 0, 'x') f, RTRIM('') g, CONCAT('a', NULL) h, LENGTH('') i, DECODE(1, 1, 2) j, RPAD('', 2) k, TRIM(BOTH 'x' FROM 'xx') l, SUBSTRING('abc', 0, 2) m, MID('abc', 0, 2) n, UPPER('') o, LEFT('a', 0) p
SELECT LENGTH('ä'), LENGTHB('ä'), CHAR_LENGTH('ä')
SELECT a || '-' || b || a, a || b IS NULL, TRIM(a) IS NULL FROM t
SELECT NULL || NULL, '' || ''
SELECT mariadb_schema.concat('a', NULL), mariadb_schema.trim(' ')
CREATE VIEW v AS SELECT TRIM(a) a, LTRIM(a) b, a || 'b' c, CONCAT(a, 'b') d, SUBSTR(a FROM 1) e, DECODE(b, 1, 2) f, REPLACE(a, 'a', 'b') g, LENGTH(a) h, MID(a, 1) i FROM t
SET sql_mode = DEFAULT
SHOW CREATE VIEW v
SELECT * FROM v
SELECT TRIM(a), LTRIM(a), LENGTH('ä') FROM t
CREATE VIEW w AS SELECT TRIM_ORACLE('a') a, TRIM(LEADING FROM 'b') b, TRIM(TRAILING FROM a) d, TRIM_ORACLE(BOTH 'x' FROM a) c FROM t
SHOW CREATE VIEW w
SELECT * FROM w
CREATE TABLE c AS SELECT TRIM_ORACLE(a) a, TRIM(a) b FROM t
SHOW CREATE TABLE c
