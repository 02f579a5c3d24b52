CREATE TABLE t1 (id INT, i INT, c VARCHAR(10));
INSERT INTO t1 VALUES (1,10,'a'),(2,20,'b'),(3,30,'c'),(4,30,'d');
SET @g=1;
SELECT @g, (@g:=c), @g FROM t1 LIMIT 1;
SET @a=1.5e0;
SELECT @a, @a:='2.7x', @a FROM t1 LIMIT 2;
SET @a=0;
SELECT @a, @a:=@a+COUNT(*), COUNT(*), @a FROM t1 GROUP BY i;
SET @a=0;
SELECT @a, @a:='hello', @a, @a:=3, @a, @a:='hello again' FROM t1 GROUP BY i;
SET @a=0;
SELECT @a, @a:=@a+1, @a FROM t1 GROUP BY i;
SET @a=0;
SELECT i, (@a:=@a+1) AS rn, SUM(id) FROM t1 GROUP BY i ORDER BY i DESC;
SET @a=0;
SELECT @a:=id, i FROM t1 GROUP BY i HAVING i=20;
SELECT @a;
SET @a=0;
SELECT i, @a:=@a+1 AS rn FROM t1 ORDER BY c DESC;
SET @a=0;
SELECT @a, @a:=@a+id, @a FROM t1 ORDER BY c DESC;
SET @a=0;
SELECT c, @a:=@a+1 AS rn FROM t1 ORDER BY c DESC LIMIT 1, 2;
SELECT @a;
SET @a=0, @p=NULL;
SELECT i, @a:=IF(@p=i,@a+1,1) AS rn, @p:=i FROM t1 ORDER BY i, id;
SELECT COERCIBILITY(@q:='x'), COERCIBILITY(@q:='x' COLLATE utf8mb4_bin);
SELECT (@q:='x' COLLATE utf8mb4_bin) = 'X' COLLATE utf8mb4_general_ci;
PREPARE s FROM 'SELECT @v + 1, @v';
SET @v=1;
EXECUTE s;
SET @v='2';
EXECUTE s;
SET @kept = -128;
SET @kept = NULL;
SELECT @kept, COLLATION(@kept), COERCIBILITY(@kept);
SET @kept = 'x';
SET @kept = (SELECT NULL);
SELECT @kept, COLLATION(@kept), COERCIBILITY(@kept);
SELECT @kept := 1.5, @kept := NULL;
CREATE TEMPORARY TABLE made AS SELECT @kept AS k;
SHOW CREATE TABLE made;
DROP TABLE made;
-- stored in a column the text of a variable keeps its digits, and is refused where it is no number
CREATE TABLE stored (a DECIMAL(35, 12), b BIGINT, c DOUBLE);
SET @digits = '99998969694839.983485848', @most = '9223372036854775807', @bad = '12x';
INSERT INTO stored VALUES (@digits, @most, @digits);
SELECT * FROM stored;
SELECT @most DIV 3, 7 DIV @most, @bad DIV 5;
INSERT INTO stored VALUES (@bad, 2, 3);
INSERT INTO stored VALUES (1, @bad, 3);
INSERT INTO stored VALUES (1, 2, @bad);
UPDATE stored SET a = @bad;
UPDATE stored SET a = @most, b = @most - 4096;
SELECT * FROM stored;
DROP TABLE stored;
CREATE TABLE told_null (id INT PRIMARY KEY, n VARCHAR(20), d DATE, e DECIMAL(5,2))
INSERT INTO told_null VALUES (1, NULL, NULL, NULL)
SELECT n, COUNT(*) OVER () INTO @told_n, @told_c FROM told_null ORDER BY id LIMIT 1
SELECT d, e INTO @told_d, @told_e FROM told_null
SELECT MAX(n), NULL INTO @told_m, @told_n2 FROM told_null
CREATE TABLE told_nulls AS SELECT @told_n, @told_c, @told_d, @told_e, @told_m, @told_n2
SHOW COLUMNS FROM told_nulls
-- A parameter's NULL leaves a text variable bytes, a number a number; one of a row leaves it as it is.
SET @text = _latin1'a', @number = 1;
EXECUTE IMMEDIATE 'SET @text = ?, @number = ?' USING NULL, NULL;
SELECT COLLATION(@text), COLLATION(@number), COERCIBILITY(@text), COERCIBILITY(@number);
SET @text = _latin1'a';
EXECUTE IMMEDIATE 'SELECT ? INTO @text' USING NULL;
SELECT COLLATION(@text);
SET @text = NULL;
EXECUTE IMMEDIATE 'SET @text = ?' USING NULL;
SELECT COLLATION(@text);
SET @text = CAST('no uuid' AS UUID);
EXECUTE IMMEDIATE 'SET @text = ?' USING NULL;
SELECT COLLATION(@text);
