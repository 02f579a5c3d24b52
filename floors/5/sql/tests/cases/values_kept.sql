-- what user variables keep: the text that was handed on in its own character set, floats as doubles, years unsigned
SET @a = REVERSE(99.995), @b = REVERSE('ab'), @c = LEFT(12, 0), @d = UPPER(12);
SELECT @a, COLLATION(@a), COLLATION(@b), COLLATION(@c), COLLATION(@d);
SET @a = COALESCE(DATE'2020-01-01', NULL), @b = DATE'2020-01-01', @c = NVL(TIME'10:00:00', NULL), @d = LEAST(DATE'2020-01-01', DATE'2020-01-02');
SELECT @a, COLLATION(@a), @b, COLLATION(@b), @c, COLLATION(@c), @d, COLLATION(@d);
SET @a = COALESCE(COLLATION('a'), 'b'), @b = CASE WHEN 1 THEN 'a' ELSE _binary'b' END, @c = IF(1, 'a', _binary'b');
SELECT COLLATION(@a), COLLATION(@b), COLLATION(@c);
SET @a = CAST(0.1 AS FLOAT);
SELECT @a;
CREATE TABLE made AS SELECT @a AS a;
SHOW CREATE TABLE made;
CREATE TABLE years (y YEAR);
INSERT INTO years VALUES (2000);
SET @a = (SELECT y FROM years);
CREATE OR REPLACE TABLE made AS SELECT @a AS a;
SHOW CREATE TABLE made;
-- a variable that a failing SET was to set is known from then on, one that has a value keeps it
SET @never = EXP(1e10);
SELECT @never, COLLATION(@never), COLLATION(@nothing);
SET @had = 1;
SET @had = EXP(1e10);
SELECT @had;
SET @a = nothing;
-- NULL alone leaves a variable its type, NULL that was computed does not
SET @a = 127;
SET @a = NULL;
CREATE OR REPLACE TABLE made AS SELECT @a AS a;
SHOW CREATE TABLE made;
SET @a = 127;
SET @a = COALESCE(NULL, NULL);
CREATE OR REPLACE TABLE made AS SELECT @a AS a;
SHOW CREATE TABLE made;
-- digits that a variable asks for are known when the statement begins
SET @n = 'x', @i = 1, @nothing = NULL;
SELECT ROUND(1.25, @n), ROUND(1.25, @i), ROUND(1.25e0, @i), TRUNCATE(1.27, @i), ROUND(1.25, @nothing);
CREATE OR REPLACE TABLE made AS SELECT ROUND(NULL, @i) AS a, ROUND(NULL, @nothing) AS b, ROUND(1.25, @i) AS c, ROUND('1.25', @n) AS d;
SHOW CREATE TABLE made;
SELECT ROUND(NULL, '12:30');
SELECT ROUND('a', '12:30');
CREATE TABLE labels (n ENUM('a', 'b'));
CREATE OR REPLACE TABLE made AS SELECT NULL * n AS a, n / NULL AS b FROM labels;
SHOW CREATE TABLE made;
-- a float that a column rounded up to its greatest number goes into others like it
CREATE TABLE floats (c FLOAT(8,2));
INSERT IGNORE INTO floats VALUES (2147483647);
CREATE TABLE copies AS SELECT c FROM floats;
INSERT INTO copies SELECT c FROM floats;
INSERT INTO copies VALUES (2147483647);
SELECT * FROM copies;
-- what CAST cuts to the length that it is given is told of, and is no error where rows are stored
CREATE TABLE texts (a VARCHAR(10), b INT);
INSERT INTO texts (a) VALUES (CAST('abcdef' AS CHAR(3)));
INSERT INTO texts (a) VALUES (CAST('abcdef' AS BINARY(3)));
UPDATE texts SET b = CAST('123456' AS CHAR(3));
INSERT INTO texts (b) VALUES (CAST('12abc' AS SIGNED));
SELECT * FROM texts;
-- an address or UUID is sure to be one where constants say so by themselves
CREATE OR REPLACE TABLE made AS SELECT CAST('::' AS INET6) AS a, CAST(CONCAT('::') AS INET6) AS b, CAST(GREATEST('::', '::1') AS INET6) AS c, CAST(CASE WHEN 1 THEN '::' ELSE 'x' END AS INET6) AS d, CAST(IF(1, CONCAT('::'), '::1') AS INET6) AS e, COALESCE(CAST('0' AS INET6), LEAST('::', '::1')) AS f;
SHOW CREATE TABLE made;
SELECT CAST(COALESCE('::', x'00') AS INET6);
CREATE OR REPLACE TABLE made AS SELECT CAST('::' AS INET6) = '::1' AS e, CAST('::' AS INET6) = '::' AS b, CAST('::' AS INET6) IN ('::', '::1') AS c;
SET sql_mode = '';
CREATE OR REPLACE TABLE made AS SELECT CAST('::' AS INET6) = 'x' AS a, CAST('::' AS INET6) BETWEEN '::' AND 'x' AS c, CAST('::' AS INET6) <=> 'x' AS d;
SHOW CREATE TABLE made;
-- a pattern that comes with the rows may be none
CREATE OR REPLACE TABLE made AS SELECT REGEXP_INSTR('a', 'b') AS a, REGEXP_INSTR('a', id) AS b FROM (SELECT 1 AS id FROM years) s;
SHOW CREATE TABLE made;
-- a constant text beside a decimal of rows is read as one, in NULLIF and IN of one member as well
CREATE TABLE numbers (d DECIMAL(20,5), v VARCHAR(10));
INSERT INTO numbers VALUES (3.5, '3x');
SELECT NULLIF(d, '3x'), NULLIF(d + 1, '3x'), NULLIF('3x', d) FROM numbers;
SELECT NULLIF(d, v) FROM numbers;
SELECT d IN ('3x') FROM numbers;
SELECT d IN ('3x', '4x') FROM numbers;
-- what could not be computed is named with its subqueries' numbers, bytes that are a number as one
SELECT EXP((SELECT d FROM numbers) * 10000);
SELECT EXP(d * b'1000001' * 10000) FROM numbers;
-- a text that is no address is not equal to one, either
SELECT NULLIF('a', CAST('::' AS INET6)), NULLIF(CAST('::' AS INET6), 'a');
-- faults of an UPDATE's conditions come before what there is to say of what it assigns
SET sql_mode = '';
CREATE TABLE hosts (id INT PRIMARY KEY, a INET4, u UUID);
UPDATE hosts SET a = 1 WHERE u;
UPDATE hosts SET a = 1 WHERE id;
-- a variable's text that is no number is told of where a decimal is asked for; what follows its number is not
SET @s = 'a', @x = '12x', @e = '';
SELECT @s = 1, @s <=> 1, @e = 1;
SELECT @x = 12, @s = 1e0, @s + 1, ROUND(@s), @s % 2;
SELECT @s IN (1, 'b'), @s BETWEEN 1 AND 2, NULLIF(1, @s);
SELECT CAST(@s AS DECIMAL), @s DIV 2;
SELECT FORMAT(@s, 2), FORMAT(@x, 2);
SET sql_mode = 'STRICT_ALL_TABLES';
UPDATE texts SET b = 1 WHERE @s = 1;
CREATE OR REPLACE TABLE made AS SELECT @s = 1 AS a;
-- so is a constant text beside decimals that a subquery gives
SET sql_mode = '';
SELECT 'x' > ALL (SELECT d FROM numbers);
SELECT 'x' < ANY (SELECT d FROM numbers);
SELECT d = @s FROM numbers;
