-- Statements that random ones (cargo xtask differ) showed to be answered in another way.

-- Nothing to be found: neither counts nor a result come of it.
CREATE TABLE never (id INT PRIMARY KEY, a INT, b VARCHAR(5));
INSERT INTO never VALUES (1, 1, 'a');
UPDATE never SET a = 2 WHERE a <> a;
UPDATE never SET a = 2 WHERE b > b;
UPDATE never SET a = 2 WHERE NOT (a <= a);
UPDATE never SET a = 2 WHERE a = a AND id > 7;
DELETE FROM never WHERE a < a;
DELETE FROM never WHERE 'a' RETURNING id;
DELETE FROM never WHERE 0 RETURNING *;
DELETE FROM never WHERE b <> b RETURNING id;
DELETE FROM never WHERE id = 7 RETURNING id;
DELETE FROM never LIMIT 0 RETURNING id;
SELECT * FROM never WHERE a <> a;

-- DEFAULT and IGNORE given to parameters.
CREATE TABLE given (id INT AUTO_INCREMENT PRIMARY KEY, a VARCHAR(10) DEFAULT 'dd', b INT NOT NULL, c INT NOT NULL DEFAULT 5);
PREPARE p FROM 'REPLACE INTO given (id, a, b, c) VALUES (?, ?, ?, ?)';
EXECUTE p USING DEFAULT, 14, DEFAULT, 7;
EXECUTE p USING DEFAULT, DEFAULT, 3, DEFAULT;
EXECUTE p USING DEFAULT, IGNORE, 3, 4;
PREPARE p FROM 'UPDATE given SET a = ?, b = ? WHERE id = ?';
EXECUTE p USING 'x', IGNORE, 1;
EXECUTE p USING IGNORE, 9, 2;
EXECUTE p USING DEFAULT, DEFAULT, 1;
EXECUTE p USING DEFAULT, 2, 2;
EXECUTE IMMEDIATE 'INSERT INTO given VALUES (?, ?, ?, ?)' USING DEFAULT, DEFAULT, 4, IGNORE;
PREPARE p FROM 'INSERT INTO given SET id = ?, b = ? ON DUPLICATE KEY UPDATE a = ?, c = ?';
EXECUTE p USING 1, 4, DEFAULT, IGNORE;
EXECUTE p USING 2, 4, IGNORE, DEFAULT;
SELECT * FROM given;
EXECUTE IMMEDIATE 'SELECT ? + 1' USING 2;

-- The entry of a key: bytes and control characters by their numbers, 64 bytes of it at most.
CREATE TABLE entries (b BINARY(4) UNIQUE, v VARBINARY(100) UNIQUE, c CHAR(4) UNIQUE, s VARCHAR(99) UNIQUE, n BIT(12) UNIQUE, t BLOB, UNIQUE KEY (t(3)));
INSERT INTO entries (b) VALUES ('zz'), ('zz');
INSERT INTO entries (b) VALUES (x'00'), (x'00');
INSERT INTO entries (b) VALUES (x'00610000'), (x'00610000');
INSERT INTO entries (v) VALUES (x'61010A'), (x'61010A');
INSERT INTO entries (v) VALUES (CONCAT(REPEAT(x'01', 10), REPEAT('a', 60))), (CONCAT(REPEAT(x'01', 10), REPEAT('a', 60)));
INSERT INTO entries (c) VALUES ('zz'), ('zz');
INSERT INTO entries (s) VALUES (x'61017F'), (x'61017F');
INSERT INTO entries (s) VALUES ('a\n\t'), ('a\n\t');
INSERT INTO entries (s) VALUES (REPEAT('a', 64)), (REPEAT('a', 64));
INSERT INTO entries (s) VALUES (REPEAT('a', 65)), (REPEAT('a', 65));
INSERT INTO entries (s) VALUES (CONCAT('a', REPEAT('é', 40))), (CONCAT('a', REPEAT('é', 40)));
INSERT INTO entries (n) VALUES (513), (513);
INSERT INTO entries (t) VALUES (x'FF00616263'), (x'FF00616263');
SET sql_mode = 'PAD_CHAR_TO_FULL_LENGTH';
INSERT INTO entries (b) VALUES ('zz'), ('zz');
INSERT INTO entries (c) VALUES ('zz'), ('zz');
SET sql_mode = DEFAULT;
CREATE TABLE doubled (s VARCHAR(99));
INSERT INTO doubled VALUES (REPEAT('c', 70)), (REPEAT('c', 70));
ALTER TABLE doubled ADD UNIQUE (s);

-- Names in front of a subquery.
SELECT * FROM never WHERE nix IN (SELECT 1);
SELECT * FROM never WHERE nix + 1 NOT IN (SELECT 1);
SELECT * FROM never WHERE (nix, 1) IN (SELECT 1, 2);
SELECT nix > ANY (SELECT 1);
SELECT * FROM never JOIN given ON nix = ALL (SELECT 1);
UPDATE never SET a = nix IN (SELECT 1);
SELECT * FROM never WHERE 1 IN (SELECT nix);

-- What the client hears of a row that was there.
CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY, a INT UNIQUE, b INT);
INSERT INTO counted VALUES (5, 1, 1);
INSERT INTO counted SET id = NULL, a = 1 ON DUPLICATE KEY UPDATE b = 2;
INSERT INTO counted SET a = 1 ON DUPLICATE KEY UPDATE b = 2;
INSERT INTO counted SET a = 1 ON DUPLICATE KEY UPDATE b = 3;
INSERT INTO counted (id, a) VALUES (77, 1) ON DUPLICATE KEY UPDATE b = 4;
INSERT INTO counted (a) VALUES (2), (1) ON DUPLICATE KEY UPDATE b = 5;
INSERT INTO counted (a) VALUES (1), (3) ON DUPLICATE KEY UPDATE b = 6;
SELECT LAST_INSERT_ID();

-- Types that nothing can be made of: told of the first row, stored as they can be in others.
CREATE TABLE addresses (id INT, a INET4);
INSERT INTO addresses VALUES (2, -99999), (1, '1.2.3.4');
INSERT INTO addresses VALUES (1, '1.2.3.4'), (2, -99999);
INSERT INTO addresses VALUES (1, '1.2.3.4'), (2, 1.5);
INSERT IGNORE INTO addresses VALUES (1, '1.2.3.4'), (2, -99999);
CREATE TABLE numbers (n INT UNSIGNED, d DATE, s VARCHAR(5), i INET6);
ALTER TABLE numbers CHANGE n m INET6;
ALTER TABLE numbers MODIFY i DOUBLE;
ALTER TABLE numbers MODIFY s INET6;
SET sql_mode = '';
ALTER TABLE numbers CHANGE n m INET6;
ALTER TABLE numbers MODIFY d UUID;
SET sql_mode = DEFAULT;

-- Rows that are there are held to CHECKs where the table is copied.
CREATE TABLE held (id INT PRIMARY KEY, n INT CHECK (n > 5));
INSERT INTO held VALUES (1, 7);
ALTER TABLE held ADD j JSON NOT NULL;
SELECT * FROM held;
ALTER TABLE held ADD m INT NOT NULL CHECK (m > 5);
ALTER TABLE held ADD k INT, ALGORITHM=COPY;
ALTER TABLE held ADD CHECK (id < 100);
ALTER TABLE held DROP COLUMN j, DROP COLUMN m;
ALTER TABLE held MODIFY n INT CHECK (n > 9);
ALTER TABLE held ADD CHECK (id < 100);
UPDATE held SET id = 2;
ALTER TABLE held ADD v INT AS (n) VIRTUAL UNIQUE;
ALTER TABLE held ADD w INT AS (n) VIRTUAL, ADD KEY (w);

-- CHECKs go with the columns that they name, and those that name none with any column.
CREATE TABLE going (a INT, b INT, c INT, CHECK (a > 0), CONSTRAINT k2 CHECK (a > 0 AND b > 0), CHECK (1), d INT CHECK (d > 1));
ALTER TABLE going DROP d, ADD e INT;
SHOW CREATE TABLE going;
ALTER TABLE going DROP a, DROP CONSTRAINT k2;
SHOW CREATE TABLE going;

-- What changes by itself is no condition of rows.
CREATE TABLE changing (a DATETIME, CHECK (a > NOW()));
CREATE TABLE changing (a DATETIME CHECK (a > SYSDATE()));
CREATE TABLE changing (a INT, CONSTRAINT k CHECK (a > RAND()));
CREATE TABLE changing (a INT CHECK (a > @x));
CREATE TABLE changing (a INT CHECK (a > FROM_UNIXTIME(a)));
CREATE TABLE changing (a VARCHAR(99) CHECK (a = SCHEMA() OR a = SESSION_USER()));
CREATE TABLE changing (a INT, c INT AUTO_INCREMENT PRIMARY KEY, CHECK (c > a));
ALTER TABLE held ADD CHECK (n < CONNECTION_ID());

-- A foreign key's parent is looked at before what the key does.
CREATE TABLE child (id INT PRIMARY KEY, c DECIMAL NOT NULL, FOREIGN KEY (c) REFERENCES nix (id) ON UPDATE SET NULL);
CREATE TABLE child (id INT PRIMARY KEY, c DECIMAL NOT NULL, FOREIGN KEY (c) REFERENCES held (id) ON UPDATE SET NULL);
CREATE TABLE child (id INT PRIMARY KEY, c INT NOT NULL, FOREIGN KEY (c) REFERENCES held (id) ON UPDATE SET NULL);

-- Tables that change names in turn: foreign keys follow their parent, and their own table where they have its name.
CREATE TABLE p1 (id INT PRIMARY KEY);
CREATE TABLE p2 (id INT PRIMARY KEY, c1 INT, FOREIGN KEY (c1) REFERENCES p1 (id));
RENAME TABLE p1 TO p3, p2 TO p1, p3 TO p2;
SHOW CREATE TABLE p1;
SHOW CREATE TABLE p2;
RENAME TABLE p1 TO p9, p2 TO p1, p9 TO p2;
SHOW CREATE TABLE p2;
INSERT INTO p2 VALUES (1, 1);
CREATE TABLE p5 (id INT PRIMARY KEY, c1 INT, CONSTRAINT named FOREIGN KEY (c1) REFERENCES p1 (id), FOREIGN KEY (c1) REFERENCES p2 (id));
RENAME TABLE p5 TO p6;
ALTER TABLE p2 RENAME TO p8, ADD z INT;
SHOW CREATE TABLE p6;
SHOW CREATE TABLE p8;

-- Bits in user variables are numbers; lengths of numbers with digits after the point.
CREATE TABLE digits (b BIT(3), d DOUBLE(8,2), e DOUBLE(9,4), f FLOAT(7,2), i INT, n BIGINT, u INT UNSIGNED, c DECIMAL(6,3));
INSERT INTO digits (b, d) VALUES (5, 1.5);
SELECT b INTO @v FROM digits;
SELECT @v, CONCAT(@v, 'a'), @v + 1;
SET @v = (SELECT b FROM digits);
SELECT @v, CONCAT(@v, 'a');
SELECT @v := b FROM digits;
CREATE TABLE lengths AS SELECT COALESCE(n, d) a, COALESCE(u, d) b, COALESCE(d, e) c, COALESCE(d, c) x, COALESCE(f, i) g, IF(1, i, d) h, -d j, -e k, -f l, -(-d) m FROM digits;
SHOW CREATE TABLE lengths;
CREATE TABLE united AS (SELECT n a, d b, i c FROM digits) UNION (SELECT d, e, f FROM digits);
SHOW CREATE TABLE united;

-- Duplicates and CHECKs that IGNORE lets be in an UPDATE of joined tables.
CREATE TABLE u1 (id INT PRIMARY KEY, c INT UNIQUE, k INT CHECK (k < 10));
CREATE TABLE u2 (id INT PRIMARY KEY, c INT);
INSERT INTO u1 VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3);
INSERT INTO u2 VALUES (1, 1), (2, 2), (3, 3);
UPDATE IGNORE u1 JOIN u2 USING (id) SET u1.c = 2;
UPDATE IGNORE u1, u2 SET u1.k = 50 WHERE u1.id = u2.id;
SELECT * FROM u1;

-- Columns behind others that go elsewhere.
CREATE TABLE moved (id INT PRIMARY KEY, c1 INT, c2 INT);
ALTER TABLE moved ADD n1 INT AFTER c1, MODIFY c1 BIGINT FIRST;
SHOW CREATE TABLE moved;
ALTER TABLE moved ADD n2 INT AFTER c2, MODIFY c2 BIGINT AFTER id;
ALTER TABLE moved MODIFY c1 INT AFTER n2, ADD n3 INT AFTER c1, MODIFY n1 INT FIRST;
ALTER TABLE moved MODIFY c1 BIGINT AFTER c2, MODIFY c2 INT AFTER c1;
SHOW CREATE TABLE moved;
ALTER TABLE moved ADD x1 INT AFTER c2, DROP c2;
ALTER TABLE moved CHANGE c1 cc INT FIRST, ADD x2 INT AFTER c1;
ALTER TABLE moved CHANGE c1 cc INT FIRST, ADD x2 INT AFTER cc;
SHOW CREATE TABLE moved;

-- NULL in a common table expression.
WITH w1 (q0) AS (SELECT NULL FROM moved) SELECT q0, q0 IS NULL, COALESCE(q0, 1), CONCAT(q0) FROM w1;
