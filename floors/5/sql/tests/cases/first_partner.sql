-- Joins that look no further than to the first row that belongs to another: rows without a partner, different rows.
CREATE DATABASE first_partner;
USE first_partner;
CREATE TABLE p (id INT PRIMARY KEY, g INT, name VARCHAR(20), due DATE NOT NULL DEFAULT '2020-01-01', KEY g (g));
CREATE TABLE c (id INT PRIMARY KEY AUTO_INCREMENT, p_id INT, v INT, note VARCHAR(20), made DATE NOT NULL DEFAULT '2020-01-01', KEY p_id (p_id));
CREATE TABLE l (p_id INT, tag INT, PRIMARY KEY (p_id, tag));
INSERT INTO p SELECT seq, seq % 7, CONCAT('n', seq % 50), '2020-01-01' FROM seq_1_to_400;
INSERT INTO c (p_id, v, note) SELECT seq % 300, seq % 13, CONCAT('t', seq % 40) FROM seq_1_to_3000;
INSERT INTO c (p_id, v, note) VALUES (NULL, 1, 'none'), (NULL, NULL, NULL), (9999, 5, 'lost');
INSERT INTO l SELECT seq % 350, seq % 9 FROM seq_1_to_2000 GROUP BY 1, 2;
-- no partner: the column is NOT NULL, or the condition of the join wants it
SELECT COUNT(*), MIN(p.id), MAX(p.id) FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.id IS NULL;
SELECT COUNT(*), MIN(p.id), MAX(p.id) FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.p_id IS NULL;
SELECT COUNT(*), MIN(p.id) FROM p LEFT JOIN c ON c.p_id = p.id AND c.v = 5 WHERE c.id IS NULL;
SELECT COUNT(*), MIN(p.id) FROM p LEFT JOIN c ON c.p_id = p.id AND c.v > 11 WHERE c.v IS NULL;
-- no such thing: it may be NULL in a row that is joined
SELECT COUNT(*), SUM(c.id) FROM c LEFT JOIN p ON p.id = c.p_id WHERE p.g IS NULL;
SELECT COUNT(*), COUNT(c.id) FROM p LEFT JOIN c ON c.p_id = p.id OR c.p_id IS NULL WHERE c.p_id IS NULL;
SELECT COUNT(*), COUNT(c.id) FROM p LEFT JOIN c ON c.p_id <=> NULL WHERE c.p_id IS NULL;
SELECT COUNT(*), COUNT(c.id) FROM p LEFT JOIN c ON c.v = p.g WHERE c.note IS NULL;
SELECT COUNT(*), COUNT(c.id) FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.made IS NULL;
-- several joins, sides that are joins
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN c ON c.p_id = p.id LEFT JOIN l ON l.p_id = p.id WHERE c.id IS NULL AND l.tag IS NULL;
SELECT COUNT(*), MAX(p.id), MAX(l.tag) FROM p LEFT JOIN c ON c.p_id = p.id LEFT JOIN l ON l.p_id = p.id WHERE c.id IS NULL;
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN (c JOIN l ON l.p_id = c.p_id AND l.tag = 3) ON c.p_id = p.id WHERE l.tag IS NULL;
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN (c LEFT JOIN l ON l.p_id = c.p_id AND l.tag = 3) ON c.p_id = p.id WHERE l.tag IS NULL;
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN (c LEFT JOIN l ON l.p_id = c.p_id AND l.tag = 3) ON c.p_id = p.id WHERE c.id IS NULL;
SELECT COUNT(*), MAX(l.tag) FROM l RIGHT JOIN p ON l.p_id = p.id WHERE l.p_id IS NULL;
SELECT p.id, c.id, l.tag FROM p LEFT JOIN c ON c.p_id = p.id AND c.v > 50 LEFT JOIN l ON l.p_id = c.v WHERE p.g > 2 AND c.id IS NULL ORDER BY p.name, p.id LIMIT 8;
SELECT p.id, c.v FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.id IS NULL ORDER BY p.id LIMIT 5;
SELECT p.id, c.v FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.id IS NULL ORDER BY p.id DESC LIMIT 3, 5;
SELECT p.id, IFNULL(c.v, -1) FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.id IS NULL AND IFNULL(c.v, 7) = 7 AND p.id < 310 ORDER BY p.id;
SELECT p.g, COUNT(*) FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.id IS NULL GROUP BY p.g;
SELECT p.id FROM p WHERE NOT EXISTS (SELECT 1 FROM c LEFT JOIN l ON l.p_id = c.p_id WHERE c.p_id = p.id AND l.tag IS NULL) ORDER BY p.id LIMIT 5;
SELECT JSON_VALUE(c.note, '$.a') FROM p LEFT JOIN c ON c.p_id = p.id WHERE JSON_VALUE(c.note, '$.a') = 'light' AND c.id IS NULL;
-- different rows
SELECT DISTINCT p.g FROM p JOIN c ON c.p_id = p.id ORDER BY p.g;
SELECT DISTINCT p.g FROM p JOIN c ON c.p_id = p.id JOIN l ON l.p_id = p.id WHERE c.v > 3 AND l.tag <> 2 ORDER BY p.g DESC LIMIT 3;
SELECT DISTINCT p.g FROM p LEFT JOIN c ON c.p_id = p.id ORDER BY p.g;
SELECT DISTINCT p.g, c.v FROM p JOIN c ON c.p_id = p.id JOIN l ON l.p_id = p.id AND l.tag < c.v ORDER BY 1, 2 LIMIT 7;
SELECT MIN(p.id), MAX(p.name) FROM p JOIN c ON c.p_id = p.id JOIN l ON l.p_id = p.id;
SELECT MIN(p.id), MAX(p.name), COUNT(*) FROM p JOIN c ON c.p_id = p.id JOIN l ON l.p_id = p.id;
SELECT p.g, MAX(p.id), COUNT(DISTINCT p.name) FROM p JOIN c ON c.p_id = p.id GROUP BY p.g;
SELECT p.g, MAX(p.id), SUM(p.id) FROM p JOIN c ON c.p_id = p.id GROUP BY p.g;
SELECT COUNT(DISTINCT p.g) FROM p JOIN c ON c.p_id = p.id AND c.v = 3 HAVING COUNT(DISTINCT p.g) > 1;
SELECT p.g FROM p JOIN c ON c.p_id = p.id GROUP BY p.g WITH ROLLUP;
SELECT BIT_OR(p.g), BIT_AND(p.id), BIT_XOR(p.id) FROM p JOIN c ON c.p_id = p.id;
SELECT BIT_OR(p.g), BIT_AND(p.id) FROM p JOIN c ON c.p_id = p.id WHERE p.id > 250;
SELECT DISTINCT 1 FROM p JOIN c ON c.p_id = p.id;
SELECT DISTINCT p.g FROM p JOIN c ON c.p_id = p.id WHERE c.v = 1 OR p.id > (SELECT AVG(l.p_id) FROM l WHERE l.p_id = c.p_id) ORDER BY 1;
-- contradictions
SELECT COUNT(*) FROM c WHERE note = 't1' AND note = 't2';
SELECT COUNT(*) FROM c WHERE note = 't1' AND note = 'T1';
SELECT COUNT(*), MAX(p.id) FROM p JOIN c ON c.p_id = p.id WHERE p.id = 3 AND c.p_id = 4;
SELECT COUNT(*), MAX(p.id) FROM p JOIN c ON c.p_id = p.id WHERE p.id = 3 AND c.p_id = 3 AND c.v = 3;
SELECT COUNT(*) FROM c WHERE v = 1 AND v = 1.5;
SELECT COUNT(*) FROM c WHERE v = 1 AND v = '1x';
-- groups of a join in the order of its first table
SELECT p.id, COUNT(*), SUM(c.v) FROM p JOIN c ON c.p_id = p.id WHERE p.id < 12 GROUP BY p.id;
SELECT p.id, COUNT(c.id) FROM p LEFT JOIN c ON c.p_id = p.id GROUP BY p.id ORDER BY p.id LIMIT 298, 5;
SELECT c.p_id, COUNT(*) FROM p JOIN c ON c.p_id = p.id GROUP BY c.p_id HAVING COUNT(*) > 10 ORDER BY NULL LIMIT 3;
SELECT l.p_id, l.tag, COUNT(c.id), MAX(c.v) FROM l LEFT JOIN c ON c.p_id = l.p_id AND c.v > 5 GROUP BY l.p_id, l.tag ORDER BY l.p_id LIMIT 9;
SELECT l.p_id, GROUP_CONCAT(c.v ORDER BY c.id) FROM l JOIN c ON c.p_id = l.p_id WHERE l.tag = 3 GROUP BY l.p_id ORDER BY l.p_id LIMIT 4;
-- what a query says of its members
SELECT p.g, COUNT(*) FROM p JOIN c ON c.p_id = p.id WHERE p.id IN (SELECT l.p_id FROM l WHERE l.p_id IN (3, 5, 8)) GROUP BY p.g;
SELECT COUNT(*) FROM p WHERE p.id IN (SELECT l.p_id FROM l WHERE l.p_id > 340);
SELECT COUNT(*) FROM p WHERE (p.id, p.g) IN (SELECT l.p_id, l.tag FROM l WHERE l.p_id BETWEEN 10 AND 90 AND l.tag = 3);
-- alternatives of several tables
SELECT COUNT(*), MAX(c.id) FROM c JOIN p ON p.id = c.p_id WHERE p.name = 'n7' OR c.p_id = 44;
SELECT COUNT(*), MAX(c.id) FROM c JOIN p ON p.id = c.p_id JOIN l ON l.p_id = p.id WHERE l.p_id < 3 OR c.p_id = 44 OR p.id > 297;
-- a query for each row is asked before the join goes on
SELECT COUNT(*) FROM p JOIN c ON c.p_id = p.id JOIN l ON l.p_id = p.id WHERE (SELECT COUNT(*) FROM c x WHERE x.p_id = p.g) > 12;
SELECT v.z FROM (SELECT DISTINCT g AS z FROM p) v WHERE v.z IN (SELECT v FROM c) AND EXISTS (SELECT 1 FROM p w WHERE w.g > v.z) ORDER BY 1;
-- an order that equal columns of another table have
SELECT p.id, l.tag FROM p JOIN l ON l.p_id = p.id ORDER BY p.id, l.tag LIMIT 9;
SELECT p.id, l.tag, c.id FROM p JOIN l ON l.p_id = p.id JOIN c ON c.p_id = l.p_id ORDER BY p.id DESC, l.tag DESC, c.id LIMIT 12;
SELECT DISTINCT p.id, l.tag FROM p JOIN l ON l.p_id = p.id WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.id = l.p_id AND c.id < 150) ORDER BY 1, 2 LIMIT 6;
SELECT p.id, COUNT(*) FROM l JOIN p ON l.p_id = p.id GROUP BY p.id ORDER BY p.id LIMIT 3, 4;
SELECT l.tag, p.id FROM l LEFT JOIN c ON c.id = l.tag JOIN p ON p.id = l.p_id WHERE p.g = 3 ORDER BY l.p_id, l.tag, p.id LIMIT 7;
SELECT l.p_id, p.name FROM l JOIN p ON p.id = l.p_id WHERE l.p_id NOT IN (SELECT x.p_id FROM c x WHERE x.v > 6 AND x.p_id IS NOT NULL) ORDER BY p.id, l.tag LIMIT 5;
SELECT COUNT(*) FROM l JOIN p ON p.id = l.p_id JOIN c ON c.p_id = p.id WHERE c.p_id % 7 = 3 AND l.p_id NOT IN (SELECT v FROM c WHERE v IS NOT NULL);
-- nothing equals NULL
SELECT COUNT(*), MAX(c.id) FROM c JOIN p ON p.id = c.p_id WHERE c.p_id IS NULL;
SELECT COUNT(*), MAX(c.id) FROM c JOIN p ON p.g <=> c.p_id WHERE c.p_id IS NULL;
SELECT COUNT(*), MAX(c.id) FROM c WHERE p_id IS NULL AND v > 0;
SELECT COUNT(*), MAX(c.id) FROM c WHERE p_id IS NULL AND (p_id = 1 OR v IS NULL);
-- members that a unique key tells apart
SELECT COUNT(*), SUM(c.id) FROM c WHERE c.p_id IN (SELECT id FROM p WHERE g = 3);
SELECT COUNT(*), SUM(c.id) FROM c WHERE c.p_id IN (SELECT p.id FROM p WHERE p.g = 3 OR p.name LIKE 'n1%') AND c.v IN (SELECT p.id FROM p WHERE p.id < 6);
SELECT COUNT(*), SUM(c.id) FROM c WHERE (c.p_id, c.v) IN (SELECT p_id, tag FROM l WHERE tag > 2);
SELECT COUNT(*), SUM(c.id) FROM c WHERE c.v IN (SELECT tag FROM l WHERE tag > 2);
SELECT COUNT(*), SUM(c.id) FROM c WHERE c.p_id IN (SELECT p_id FROM l);
SELECT c.id, p.g FROM c LEFT JOIN p ON p.id = c.p_id WHERE c.v IN (SELECT id FROM p) AND p.id IN (SELECT id FROM p x WHERE x.g > 4) ORDER BY c.id LIMIT 4;
SELECT COUNT(*) FROM c WHERE EXISTS (SELECT 1 FROM p WHERE p.id = c.p_id AND p.g = 2);
SELECT COUNT(*) FROM p WHERE p.id IN (SELECT p_id FROM c WHERE c.id IN (SELECT p_id * 3 FROM l WHERE tag = 4));
SELECT COUNT(*) FROM c WHERE c.p_id IN (SELECT id FROM p HAVING id > 30);
SELECT COUNT(*), SUM(c.id) FROM c WHERE c.p_id + 1 IN (SELECT id FROM p WHERE g = 3) AND c.id > 2000;
CREATE TABLE k (name VARCHAR(20) COLLATE utf8mb4_bin PRIMARY KEY, n INT);
INSERT INTO k VALUES ('n1', 1), ('N1', 2), ('n2', 3);
SELECT COUNT(*) FROM p WHERE name IN (SELECT name FROM k);
SELECT COUNT(*) FROM p WHERE name COLLATE utf8mb4_general_ci IN (SELECT name FROM k);
SELECT n, COUNT(*) FROM k JOIN p ON p.g = k.n WHERE k.name IN (SELECT x.name FROM k x WHERE x.n < 3) GROUP BY n;
UPDATE p SET due = '2021-01-01' WHERE id IN (SELECT v FROM c WHERE v > 7);
DELETE FROM c WHERE c.p_id IN (SELECT id FROM p WHERE due = '2021-01-01');
SELECT COUNT(*), SUM(id) FROM c;
PREPARE q FROM 'SELECT COUNT(*), SUM(c.id) FROM c WHERE c.p_id IN (SELECT id FROM p WHERE g = ? AND id > ?)';
EXECUTE q USING @x, @x;
SET @x = 2, @y = 100;
EXECUTE q USING @x, @y;
EXECUTE q USING @x, @x;
PREPARE q FROM 'SELECT COUNT(*), MAX(p.id) FROM p JOIN c ON c.p_id = p.id WHERE p.id = ? AND c.p_id = ?';
SET @a = 3, @b = 4;
EXECUTE q USING @a, @b;
EXECUTE q USING @a, @a;
EXECUTE q USING @b, @b;
DEALLOCATE PREPARE q;
-- OR over columns of the outer joined table wants one of its rows
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN c ON c.p_id = p.id AND c.v > 3 WHERE c.id IS NULL AND (c.note = 't3' OR c.v > 4);
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.note = 't3' OR c.v > 9;
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.note = 't3' OR p.g > 5;
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN (c JOIN l ON l.p_id = c.id) ON c.p_id = p.id WHERE c.v = 3 OR l.tag = 5;
SELECT COUNT(*), MAX(p.id) FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.note = 't3' OR (c.v > 9 AND p.g = 2) OR c.id IS NULL;
-- what is said of a constant, or of what stands around
SELECT COUNT(*) FROM p JOIN c ON c.p_id = p.id WHERE p.id = 7 AND c.p_id BETWEEN 8 AND 20;
SELECT COUNT(*) FROM p JOIN c ON c.p_id = p.id WHERE p.id = 9 AND c.p_id BETWEEN 8 AND 20;
SELECT MAX(p.name), MIN(p.name) FROM p LEFT JOIN c ON c.p_id = p.id WHERE (SELECT COUNT(*) FROM l WHERE l.p_id = p.id AND l.p_id = 198) > 2 AND (c.id < 5400 OR p.g = 1);
SELECT COUNT(*), COUNT(c.id) FROM p LEFT JOIN c ON c.p_id = p.id WHERE (SELECT COUNT(*) FROM l WHERE l.p_id = p.g AND l.tag = p.g) = 1;
SELECT COUNT(*), COUNT(c.id) FROM p LEFT JOIN c ON c.p_id = p.id WHERE (SELECT COUNT(*) FROM l WHERE l.p_id = c.v AND l.tag < p.g) = 1;
SELECT COUNT(DISTINCT p.name), SUM(c.v) FROM c JOIN p ON p.id = c.p_id WHERE c.p_id IN (4, 36, 23) AND NOT EXISTS (SELECT 1 FROM l WHERE l.p_id = p.id AND l.p_id IN (2, 35, 36));
SELECT COUNT(*) FROM c WHERE c.p_id NOT IN (SELECT x.p_id FROM c x WHERE x.p_id BETWEEN 20 AND 80);
SELECT COUNT(*) FROM c WHERE c.v NOT IN (SELECT x.p_id FROM c x WHERE x.p_id < 4) OR c.id = 3;
SELECT p.id FROM p WHERE p.id < 9 AND EXISTS (SELECT 1 FROM c WHERE c.p_id = p.id AND c.p_id > 4) ORDER BY p.id;
SELECT p.id, (SELECT COUNT(*) FROM c WHERE c.p_id = p.id AND c.p_id IN (2, 4)) n FROM p WHERE p.id < 6 ORDER BY p.id;
SELECT p.g, COUNT(*) FROM c JOIN p ON p.id = c.p_id WHERE c.p_id = 77 AND EXISTS (SELECT 1 FROM l WHERE l.p_id = p.id AND l.p_id < 50) GROUP BY p.g;
SELECT p.g, COUNT(*) FROM c JOIN p ON p.id = c.p_id WHERE c.p_id = 47 AND EXISTS (SELECT 1 FROM l WHERE l.p_id = p.id AND l.p_id < 50) GROUP BY p.g;
SELECT COUNT(*) FROM p WHERE EXISTS (SELECT 1 FROM l WHERE l.p_id = p.id AND l.p_id < 50 AND l.tag = p.g);
SELECT COUNT(*) FROM p WHERE (@n := p.id) IN (SELECT l.p_id FROM l WHERE l.p_id < 50);
SELECT @n;
-- the first groups, from another index than the one that bounds the rows
CREATE TABLE m (a INT, b INT, v INT, PRIMARY KEY (a, b), KEY b (b));
INSERT INTO m SELECT seq DIV 4, seq % 97, seq FROM seq_1_to_6000 GROUP BY 1, 2;
SELECT a, COUNT(*), MIN(b) FROM m WHERE b BETWEEN 3 AND 80 AND (a < 900 OR a < 500) GROUP BY a ORDER BY 1 LIMIT 2;
SELECT a, COUNT(*), MAX(v) FROM m WHERE b BETWEEN 3 AND 80 GROUP BY a HAVING COUNT(*) > 2 ORDER BY a DESC LIMIT 3;
SELECT b, COUNT(*) FROM m WHERE a > 20 GROUP BY b ORDER BY b LIMIT 4;
DELETE p FROM p LEFT JOIN c ON c.p_id = p.id WHERE c.id IS NULL AND p.id > 390;
UPDATE p LEFT JOIN c ON c.p_id = p.id SET p.name = 'alone' WHERE c.id IS NULL;
SELECT name, COUNT(*) FROM p WHERE name = 'alone' GROUP BY name;
DROP DATABASE first_partner;
