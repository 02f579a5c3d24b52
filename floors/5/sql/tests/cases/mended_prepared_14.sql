-- A window's constants have no place among the columns that its passes are sorted by, and so none in the order of the rows.
SET sql_mode = '';
CREATE TABLE w (id INT PRIMARY KEY, c0 INT, c1 INT);
INSERT INTO w VALUES (1, 5, 3), (2, 4, 7), (3, 6, 1), (4, 2, 2), (5, 3, 6);
SELECT id, MIN(id) OVER (ORDER BY id), MAX(2) OVER (PARTITION BY 1 ORDER BY c0, id) n FROM w;
SELECT id, MIN(id) OVER (ORDER BY c1), MAX(2) OVER (PARTITION BY 2 ORDER BY c0, id) n FROM w;
SELECT c1, id, MIN(id) OVER (ORDER BY c1), MAX(2) OVER (PARTITION BY 2 ORDER BY c0, id) n FROM w;
SELECT c1, c0, id, MIN(id) OVER (PARTITION BY 1 + 1 ORDER BY c1), MAX(2) OVER (ORDER BY c0, id) n FROM w;
SELECT id, MIN(id) OVER (PARTITION BY 1), MAX(2) OVER (PARTITION BY c1) n FROM w;
SELECT c1, id, MIN(id) OVER (ORDER BY 1, c0), MAX(2) OVER (PARTITION BY 1 ORDER BY c1) n FROM w;

-- Text of two bytes and more to a character is plain where its characters are.
CREATE TABLE mix (l VARCHAR(9) CHARACTER SET latin1, u VARCHAR(9) CHARACTER SET ucs2);
SELECT 'a' = _ucs2 x'4e004e00';
SELECT 'ж' = _ucs2 x'4e004e00';
SELECT 'ж' = _utf32 x'00004e00';
SELECT HEX(CONCAT('a', _ucs2 x'4e004e00'));
SELECT CONCAT('ж', _ucs2 x'4e004e00') FROM mix;
SELECT IF(1, 'ж', _ucs2 x'4e004e00') FROM mix;
SELECT REPLACE('ж', _ucs2 x'4e004e00', 'a') FROM mix;
SELECT l = _ucs2 x'4e004e00' FROM mix;
SELECT l IN ('b', _ucs2 x'4e004e00') FROM mix;
SELECT HEX(CONCAT(_utf16 x'4e00', 'a'));
SELECT CONCAT(_utf16 x'4141', l) FROM mix;
SELECT _ucs2 x'0041' = _utf16 x'4e00';

-- Constants of two Unicode character sets beside a parameter do not agree, whatever it will be.
PREPARE s FROM "SELECT '0' BETWEEN _ucs2 x'00410042' AND ?";
PREPARE s FROM "SELECT CONCAT('0', _ucs2 x'00410042', ?)";
PREPARE s FROM "SELECT CASE ? WHEN 'ж' THEN 1 WHEN _ucs2 x'4e004e00' THEN 2 END";
PREPARE s FROM "SELECT CONCAT(_ucs2 x'0041', ?, _utf16 x'0041')";
PREPARE s FROM "SELECT CONCAT(_latin1 x'E4', _ucs2 x'00410042', ?)";
EXECUTE s USING 255;
PREPARE s FROM "SELECT CONCAT('0', _latin1 x'E4', ?)";
EXECUTE s USING 255;

-- Digits of what TIME() and TIMESTAMP() read are known since the statement was prepared, what is said of that was said then.
PREPARE s FROM "SELECT TIME('x' + INTERVAL ? MINUTE)";
EXECUTE s USING 1;
EXECUTE s USING 2;
PREPARE s FROM "SELECT TIME(CONCAT('x', 1 + 'a', ?))";
EXECUTE s USING 1;
PREPARE s FROM "SELECT TIMESTAMP(CONCAT('x', ? + 'a'))";
EXECUTE s USING 1;
PREPARE s FROM "SELECT TIME_TO_SEC(CONCAT('x', ? + 'a'))";
EXECUTE s USING 1;
SELECT TIME('x' + INTERVAL 1 MINUTE);

-- A pattern that is not known before the rows may be none at all.
CREATE TABLE pat (n VARCHAR(9) NOT NULL, s VARCHAR(9));
CREATE TABLE pat1 AS SELECT 'a' REGEXP n AS a, 'a' REGEXP ISNULL(n) AS b, 'a' REGEXP COALESCE('a', s) AS c, 'a' NOT REGEXP n AS d, 'a' REGEXP 'b' AS e, n REGEXP 'b' AS f FROM pat;
DESCRIBE pat1;

-- QUOTE has room for the word NULL where there may be none; what NULLIF gives may be NULL.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE qt (n VARCHAR(0) NOT NULL, s VARCHAR(0), o VARCHAR(1)) CHARSET = utf8mb4;
CREATE TABLE qt1 CHARSET = utf8mb4 AS SELECT QUOTE(MID('abc ', 7, 0)) AS a, QUOTE('') AS b, QUOTE(LEFT('a', 0)) AS c, QUOTE(n) AS d, QUOTE(s) AS e, QUOTE(o) AS f, QUOTE(CONCAT('')) AS g, QUOTE(NULL) AS h FROM qt;
DESCRIBE qt1;
SET sql_mode = '';
CREATE TABLE qt2 CHARSET = utf8mb4 AS SELECT QUOTE(MID('abc ', 7, 0)) AS a, QUOTE('') AS b, QUOTE(s) AS e, QUOTE(CONCAT('')) AS g FROM qt;
DESCRIBE qt2;
CREATE TABLE ad (c INET6 NOT NULL, v VARCHAR(20) NOT NULL);
CREATE TABLE ad1 AS SELECT GREATEST(c, NULLIF('::ffff:1.2.3.4', '20200101')) AS a, GREATEST(c, '::1') AS b, GREATEST(c, NULLIF('::1', NULL)) AS d, GREATEST(c, IFNULL(NULL, '::1')) AS e, LEAST(c, COALESCE('::1')) AS f FROM ad;
DESCRIBE ad1;

-- Whether rows can be changed through a view that does not work any more is not told, but warned of, and of no other view.
CREATE TABLE vt (a INT);
CREATE VIEW vt1 AS SELECT a FROM vt;
CREATE VIEW vt2 AS SELECT 1 a;
CREATE VIEW vt3 AS SELECT a FROM vt1;
SELECT TABLE_NAME, IS_UPDATABLE FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1;
DROP TABLE vt;
SELECT TABLE_NAME, IS_UPDATABLE FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'vt1';
SELECT TABLE_NAME, IS_UPDATABLE FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'vt2';
SELECT TABLE_NAME, IS_UPDATABLE FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'vt3';
SELECT TABLE_NAME, CHECK_OPTION FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1;
SELECT COUNT(*) FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = DATABASE();

-- The number that counts rows has 0 for its default in a view's totals, too.
CREATE TABLE tot (id INT AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL, d INT DEFAULT 7);
CREATE ALGORITHM = TEMPTABLE VIEW tot1 AS SELECT 1 AS r0, a1.id r2, n, d, COUNT(*) FROM tot a1 GROUP BY a1.id, n, d WITH ROLLUP;
SHOW COLUMNS FROM tot1;
CREATE VIEW tot2 AS SELECT id r FROM tot GROUP BY id WITH ROLLUP;
SHOW COLUMNS FROM tot2;
CREATE TABLE tot4 AS SELECT r FROM (SELECT id r, n FROM tot GROUP BY id, n WITH ROLLUP) q;
SHOW COLUMNS FROM tot4;
CREATE TABLE tot5 AS SELECT * FROM tot2;
SHOW COLUMNS FROM tot5;

-- Double quotes of a parameter's text are escaped in messages.
PREPARE s FROM 'SELECT COT(?)';
EXECUTE s USING '{"b": 2}';
EXECUTE s USING "it's \"";
SELECT COT('{"b": 2}');

-- The least and greatest of NULL are nothing beside others.
SELECT 1 r UNION SELECT MAX(NULL) FROM tot;
CREATE TABLE un1 AS SELECT 1 r UNION SELECT (SELECT MIN(NULL) m FROM tot);
DESCRIBE un1;

-- A choice among parameters has no type when it is prepared, and is no text.
PREPARE s FROM "SELECT TO_CHAR(IF(1, ?, NULL), 'YYYY')";
PREPARE s FROM "SELECT TO_CHAR(NVL2(1, ?, ?), 'YYYY')";
PREPARE s FROM "SELECT TO_CHAR(IF(1, ?, 'a'), 'YYYY')";
PREPARE s FROM "SELECT TO_CHAR(COALESCE(?, ?), 'YYYY')";
SELECT TO_CHAR(IF(1, NULL, NULL), 'YYYY');

-- LOCATE counts the characters of the text up to where it begins, and bytes behind that where it is compared with bytes.
SET NAMES utf8mb4;
SELECT LOCATE('', 'Ä', 2), LOCATE(_binary'', 'Ä', 2), LOCATE('', 'Äb', 2), LOCATE('b', 'Äb', 2), LOCATE(_binary'b', 'Äb', 2), LOCATE(_binary'b', 'ÄÄb', 2), LOCATE(_binary'b', _binary'ÄÄb', 2), LOCATE(_binary'b', 'ÄÄb');
SELECT LOCATE(_binary'b', 'ÄÄb', 3), LOCATE(_binary'b', 'ÄÄb', 4), LOCATE(_binary'', 'ÄÄb', 4), LOCATE(_binary'', 'ÄÄb', 5), LOCATE(_binary'b', 'abab', 3), LOCATE(_binary'b', 'abab', 5), LOCATE(_binary'', 'ab', 3), LOCATE(_binary'', 'ÄÄ', 3);
SELECT LOCATE(_binary'b', CONVERT('aab' USING ucs2), 2), LOCATE(_binary'b', CONCAT('Ä', 'b'), 2), LOCATE(_binary'2', 12, 2), LOCATE('b', _binary'ÄÄb', 3), LOCATE('b', 'ÄbÄb', 3);

-- What is computed of parameters may be no address another time; a parameter itself is one where it is one now.
CREATE TABLE adr (i INET6 NOT NULL, j INET6);
PREPARE s FROM "CREATE TABLE adr1 AS SELECT IFNULL(CAST(? AS INET6), 'not one') AS a, IFNULL(CAST(? AS INET6), '::') AS b, GREATEST(i, CONCAT(?)) AS c, GREATEST(i, CAST(? AS INET6)) AS d, LEAST(i, IF(1, ?, '::1')) AS e, COALESCE(j, CONCAT(?)) AS f, COALESCE(j, ?) AS g, GREATEST(i, ?) AS h FROM adr";
EXECUTE s USING '::', '::', '::', '::', '::', '::', '::', '::';
DESCRIBE adr1;
