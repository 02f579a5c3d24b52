-- what may be granted
CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT DEFAULT 7)
CREATE TABLE u (a INT, d INT, e INT)
CREATE TABLE w (a INT, x INT)
INSERT INTO t VALUES (1, 10, 100), (2, 20, 200)
INSERT INTO u VALUES (1, 11, 12), (3, 31, 32)
INSERT INTO w VALUES (1, 5)
CREATE USER cp_a@localhost
CREATE USER cp_b@localhost
GRANT SELECT (a, b), INSERT (a), UPDATE (b), REFERENCES (c) ON t TO cp_a@localhost
SHOW GRANTS FOR cp_a@localhost
GRANT SELECT (b, A, c), DELETE ON t TO cp_b@localhost WITH GRANT OPTION
GRANT UPDATE (c), SELECT (a) ON t TO cp_b@localhost
GRANT INSERT ON t TO cp_b@localhost
SHOW GRANTS FOR cp_b@localhost
SELECT host, user, table_name, column_name, column_priv FROM mysql.columns_priv WHERE user LIKE 'cp\_%' ORDER BY user, column_name
SELECT host, user, table_name, table_priv, column_priv FROM mysql.tables_priv WHERE user LIKE 'cp\_%' ORDER BY user
SELECT * FROM information_schema.column_privileges WHERE grantee LIKE '%cp\_%' ORDER BY grantee, BINARY column_name, privilege_type
SELECT grantee, table_name, privilege_type, is_grantable FROM information_schema.table_privileges WHERE grantee LIKE '%cp\_%' ORDER BY grantee, privilege_type
GRANT SELECT (nothing) ON t TO cp_a@localhost
GRANT SELECT (a, nothing) ON t TO cp_a@localhost
GRANT DELETE (a) ON t TO cp_a@localhost
GRANT ALL (a) ON t TO cp_a@localhost
GRANT SELECT (a) ON *.* TO cp_a@localhost
GRANT SELECT (a) ON * TO cp_a@localhost
GRANT SELECT (a) ON nothing TO cp_a@localhost
GRANT SELECT (a, a) ON w TO cp_a@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_a@localhost
REVOKE INSERT (a) ON w FROM cp_a@localhost
-- differs: no word of an engine that cannot roll back
REVOKE SELECT (x) ON w FROM cp_a@localhost
-- differs: no word of an engine that cannot roll back
REVOKE SELECT (nothing) ON w FROM cp_a@localhost
REVOKE SELECT (a), INSERT (a) ON w FROM cp_a@localhost
SHOW GRANTS FOR cp_a@localhost
-- differs: no word of an engine that cannot roll back
REVOKE SELECT (a) ON w FROM cp_a@localhost
-- differs: no word of an engine that cannot roll back
REVOKE SELECT (a) ON nowhere FROM cp_a@localhost
-- what may be read
-- as cp_a
SELECT a, b FROM t
SELECT c FROM t
SELECT * FROM t
SELECT t.* FROM t
SELECT COUNT(*) FROM t
SELECT 1 FROM t
SELECT a FROM t WHERE c = 1
SELECT a FROM t ORDER BY c
SELECT a FROM t GROUP BY c
SELECT a FROM t HAVING c = 1
SELECT x.c FROM t AS x
SELECT x.* FROM t AS x
SELECT nothing FROM t
SELECT (SELECT c FROM t LIMIT 1)
SELECT a FROM t WHERE EXISTS (SELECT * FROM t AS y WHERE y.a = t.a)
SELECT a FROM t WHERE EXISTS (SELECT 1 FROM t AS y WHERE y.a = t.c)
SELECT a FROM t UNION SELECT c FROM t
SELECT z.c FROM (SELECT * FROM t) AS z
WITH z AS (SELECT c FROM t) SELECT * FROM z
SELECT a FROM u
SELECT DEFAULT(c) FROM t
SELECT 1 FROM t JOIN t AS y USING (a)
SELECT 1 FROM t JOIN t AS y USING (c)
SELECT 1 FROM t NATURAL JOIN t AS y
SELECT 1 FROM t JOIN t AS y ON t.c = y.c
SELECT COUNT(c) FROM t
SELECT a FROM t WHERE (a, c) = (1, 2)
SELECT ROW_NUMBER() OVER (ORDER BY c) FROM t
DESCRIBE t
SHOW COLUMNS FROM t
SHOW FULL COLUMNS FROM t
SHOW INDEX FROM t
SHOW CREATE TABLE t
SHOW TABLES
SELECT table_name, column_name, privileges FROM information_schema.columns WHERE table_schema = DATABASE()
SELECT * FROM information_schema.column_privileges
SHOW GRANTS
ANALYZE TABLE t
EXPLAIN SELECT c FROM t
CREATE TABLE made AS SELECT a FROM t
CREATE TABLE made LIKE t
-- what may be changed
INSERT INTO t (a) VALUES (3)
INSERT INTO t VALUES (4, 4, 4)
INSERT INTO t VALUES (4)
INSERT INTO t () VALUES ()
INSERT INTO t (a, b) VALUES (5, 5)
INSERT INTO t (a) VALUES (6 + b)
INSERT INTO t (a) VALUES (6 + c)
INSERT INTO t (a) SELECT a + 10 FROM t
INSERT INTO t (a) SELECT c FROM t
INSERT INTO t SET a = 30
INSERT INTO t SET b = 30
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE b = 1
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE c = 1
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE b = c
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE b = VALUES(a)
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE b = VALUES(c)
INSERT INTO t (a) VALUES (40) RETURNING a
INSERT INTO t (a) VALUES (41) RETURNING c
INSERT INTO t (a) VALUES (42) RETURNING *
REPLACE INTO t (a) VALUES (3)
UPDATE t SET b = 5
UPDATE t SET c = 5
UPDATE t SET b = c
UPDATE t SET b = a + 1 WHERE a = 1
UPDATE t SET b = 1 WHERE c = 1
UPDATE t SET b = 1 ORDER BY c
UPDATE t SET b = 1, c = 2 WHERE c = 1
UPDATE t, w SET t.b = 1
UPDATE t, t AS y SET t.b = 6 WHERE t.a = y.a AND t.a = 1
UPDATE t, t AS y SET t.c = 6 WHERE t.a = y.a
UPDATE t, t AS y SET t.b = y.c WHERE t.a = y.a
UPDATE t SET b = DEFAULT
DELETE FROM t
DELETE FROM t WHERE a = 1
DELETE t FROM t WHERE a = 1
TRUNCATE TABLE t
LOCK TABLES t READ
SELECT a, b FROM t ORDER BY a
-- privileges of the table for some, of columns for others
-- as root
GRANT UPDATE, DELETE, INSERT ON u TO cp_a@localhost
GRANT UPDATE (a), SELECT (a, x), DELETE ON w TO cp_a@localhost
GRANT UPDATE ON w TO cp_b@localhost
GRANT DELETE ON u TO cp_b@localhost
-- as cp_a
UPDATE u SET d = 1
UPDATE u SET d = 1 WHERE a = 1
UPDATE u SET d = e
UPDATE u SET d = 1 ORDER BY e
UPDATE u SET d = 1 LIMIT 1
UPDATE u SET d = (SELECT MAX(a) FROM t)
UPDATE u SET d = (SELECT e FROM w)
UPDATE u, t SET u.d = 1
UPDATE u, t SET t.b = u.d
UPDATE u, t SET u.d = t.b
UPDATE t, u SET t.b = 2 WHERE t.a = u.a
DELETE FROM u WHERE a = 1
DELETE FROM u ORDER BY a LIMIT 1
DELETE FROM u RETURNING a
DELETE FROM u RETURNING 1
DELETE FROM u
INSERT INTO u VALUES (1, 2, 3)
INSERT INTO u VALUES (1, 2, a)
INSERT INTO u VALUES (1, 2, 3) RETURNING a
INSERT INTO u VALUES (1, 2, 3) ON DUPLICATE KEY UPDATE d = a
REPLACE INTO u VALUES (1, 2, 3)
DELETE w FROM w, t WHERE w.a = t.a AND t.c = 3
DELETE w FROM w, t WHERE w.a = t.a AND t.a = 33
DELETE FROM w WHERE x = 44
DELETE u FROM u, t WHERE u.a = t.a
DELETE u FROM u
SELECT * FROM w
SELECT a FROM u
SHOW COLUMNS FROM u
SHOW COLUMNS FROM w
-- as cp_b
UPDATE w SET x = 3
UPDATE w SET x = a
UPDATE w SET x = 1 WHERE a = 1
DELETE FROM u WHERE d = 1
DELETE FROM u
SELECT a FROM w
SELECT * FROM t
DELETE FROM t WHERE a = 99
UPDATE t SET c = b WHERE a = 99
GRANT SELECT (a) ON t TO cp_a@localhost
GRANT INSERT ON t TO cp_a@localhost
GRANT UPDATE (c) ON t TO cp_a@localhost
GRANT UPDATE (a) ON t TO cp_a@localhost
GRANT UPDATE ON t TO cp_a@localhost
GRANT SELECT ON t TO cp_a@localhost
GRANT SELECT (a) ON w TO cp_a@localhost
GRANT SELECT (d) ON u TO cp_a@localhost
REVOKE SELECT (b) ON t FROM cp_a@localhost
REVOKE UPDATE (b) ON t FROM cp_a@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS
-- as root
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_a@localhost
-- what is taken back
REVOKE SELECT ON t FROM cp_a@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_a@localhost
REVOKE INSERT (a) ON t FROM cp_a@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_a@localhost
REVOKE ALL ON t FROM cp_b@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_b@localhost
REVOKE GRANT OPTION ON t FROM cp_b@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_b@localhost
REVOKE ALL PRIVILEGES, GRANT OPTION FROM cp_b@localhost
SHOW GRANTS FOR cp_b@localhost
SELECT host, user, table_name, column_name, column_priv FROM mysql.columns_priv WHERE user LIKE 'cp\_%' ORDER BY user, column_name
-- they stay with the name: of tables that go and columns that are called anew, of accounts that are renamed
GRANT SELECT (a, d) ON u TO cp_b@localhost
ALTER TABLE u RENAME COLUMN d TO dd
DROP TABLE u
SHOW GRANTS FOR cp_b@localhost
CREATE TABLE u (a INT, d INT, f INT)
RENAME USER cp_b@localhost TO cp_c@localhost
SHOW GRANTS FOR cp_c@localhost
SELECT host, user, table_name, column_name, column_priv FROM mysql.columns_priv WHERE user = 'cp_b' OR user = 'cp_c' ORDER BY user, column_name
-- as cp_c
SELECT a, d FROM u
SELECT f FROM u
-- as root
DROP USER cp_c@localhost
SELECT COUNT(*) FROM mysql.columns_priv WHERE user = 'cp_c'
-- views
CREATE USER cp_d@localhost
CREATE USER cp_e@localhost
GRANT SELECT (a, b), UPDATE (b), INSERT (a, b) ON t TO cp_d@localhost
CREATE DEFINER = cp_d@localhost SQL SECURITY DEFINER VIEW vd AS SELECT a, b FROM t
CREATE DEFINER = cp_d@localhost SQL SECURITY DEFINER VIEW vdc AS SELECT a, c FROM t
CREATE SQL SECURITY INVOKER VIEW vi AS SELECT a, b FROM t
CREATE SQL SECURITY INVOKER VIEW vic AS SELECT a, c FROM t
CREATE VIEW vr AS SELECT a, b, c FROM t
CREATE VIEW vt AS SELECT DISTINCT a, b, c FROM t
GRANT SELECT ON vd TO cp_e@localhost
GRANT SELECT ON vdc TO cp_e@localhost
GRANT SELECT ON vi TO cp_e@localhost
GRANT SELECT (a), UPDATE (b), INSERT (a) ON vr TO cp_e@localhost
GRANT SELECT (a) ON vt TO cp_e@localhost
GRANT SELECT, UPDATE, INSERT ON vi TO cp_d@localhost
GRANT SELECT ON vic TO cp_d@localhost
GRANT UPDATE, INSERT ON vd TO cp_e@localhost
-- as cp_e
SELECT * FROM vd
SELECT * FROM vdc
SELECT a FROM vdc
SELECT * FROM vi
SELECT a FROM vr
SELECT b FROM vr
SELECT * FROM vr
SELECT a FROM vt
SELECT b FROM vt
SELECT * FROM vt
SELECT a FROM vr WHERE c = 1
UPDATE vr SET b = 1 WHERE a = 1
UPDATE vr SET b = 1 WHERE b = 1
UPDATE vr SET c = 1
UPDATE vd SET b = 3 WHERE a = 1
-- differs: the table below wants its privileges too, and one error is one entry
UPDATE vd SET a = 3 WHERE a = 1
INSERT INTO vr (a) VALUES (70)
INSERT INTO vr (a, b) VALUES (71, 1)
INSERT INTO vr VALUES (71, 1, 1)
INSERT INTO vd VALUES (72, 1)
SHOW COLUMNS FROM vr
DELETE FROM vr
-- as cp_d
SELECT * FROM vi
SELECT * FROM vic
SELECT a FROM vic
UPDATE vi SET b = 4 WHERE a = 1
-- differs: the table below wants its privileges too, and one error is one entry
UPDATE vi SET a = 4 WHERE a = 1
INSERT INTO vi VALUES (73, 1)
CREATE VIEW own AS SELECT a FROM t
-- as root
GRANT CREATE VIEW, DROP ON * TO cp_d@localhost
-- as cp_d
CREATE VIEW own AS SELECT a FROM t
CREATE VIEW ownc AS SELECT c FROM t
CREATE VIEW owns AS SELECT * FROM t
CREATE VIEW ownr AS SELECT a FROM vr
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS
-- as root
SELECT COUNT(*) FROM t
DROP USER cp_a@localhost, cp_d@localhost, cp_e@localhost
-- as root
DROP VIEW vd, vdc, vi, vic, vr, vt, own
DROP TABLE t, u, w
-- columns that are not there, ON DUPLICATE KEY UPDATE, RETURNING, joined changes
CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT DEFAULT 7)
CREATE TABLE u (a INT, d INT, e INT)
CREATE TABLE w (a INT, x INT)
CREATE TABLE n (q INT)
CREATE TABLE k (a INT PRIMARY KEY, b INT, c INT)
INSERT INTO k VALUES (1,1,1)
CREATE USER cp_a@localhost
CREATE USER cp_b@localhost
GRANT SELECT (a, b), INSERT (a), UPDATE (b) ON t TO cp_a@localhost
GRANT SELECT ON w TO cp_a@localhost
GRANT UPDATE, DELETE ON u TO cp_a@localhost
GRANT INSERT (a, b), UPDATE (a, b), SELECT (a) ON k TO cp_a@localhost
CREATE VIEW vk AS SELECT a, b, c FROM k
CREATE VIEW vw AS SELECT a, x FROM w
GRANT UPDATE, DELETE, INSERT ON vw TO cp_a@localhost
GRANT UPDATE (b) ON vk TO cp_a@localhost
GRANT SELECT (A) ON n TO cp_a@localhost
GRANT SELECT (Q) ON n TO cp_a@localhost
-- as cp_a
SELECT nothing FROM t, w
SELECT w.nothing FROM t, w
SELECT t.nothing FROM t, w
SELECT nothing FROM w, t
SELECT 1 FROM t WHERE nothing = 1
SELECT 1 FROM t ORDER BY nothing
SELECT 1 FROM t GROUP BY nothing
SELECT (SELECT nothing FROM w LIMIT 1) FROM t
SELECT (SELECT nothing FROM t LIMIT 1) FROM w
SELECT zz.nothing FROM t
UPDATE t SET nothing = 1
UPDATE t SET b = nothing
UPDATE u SET d = nothing
UPDATE u SET nothing = 1
INSERT INTO t (nothing) VALUES (1)
INSERT INTO t (a) VALUES (nothing)
DELETE FROM u WHERE nothing = 1
INSERT INTO t (a) VALUES (1) RETURNING b
INSERT INTO k (a) VALUES (1) ON DUPLICATE KEY UPDATE b = 2
INSERT INTO k (a) VALUES (1) ON DUPLICATE KEY UPDATE c = 2
INSERT INTO k (a) VALUES (1) ON DUPLICATE KEY UPDATE b = c
INSERT INTO k (a) VALUES (1) ON DUPLICATE KEY UPDATE b = b + 1
INSERT INTO k (a) VALUES (1) ON DUPLICATE KEY UPDATE b = a
INSERT INTO k (a) VALUES (1) ON DUPLICATE KEY UPDATE b = VALUES(a)
INSERT INTO k (a) VALUES (1) ON DUPLICATE KEY UPDATE b = VALUES(c)
INSERT INTO k (a, b) VALUES (1, 2) ON DUPLICATE KEY UPDATE b = VALUES(b)
INSERT INTO k (a, b) SELECT 1, 2 ON DUPLICATE KEY UPDATE b = 4
INSERT INTO k (a, b) SELECT a, x FROM w ON DUPLICATE KEY UPDATE b = w.x
INSERT INTO k (a, b) SELECT a, x FROM w ON DUPLICATE KEY UPDATE c = w.x
INSERT INTO k (a, b) VALUES (DEFAULT(c), 1)
SELECT q FROM n
SELECT Q FROM n
UPDATE u, w SET u.d = 1 WHERE u.a = 1
UPDATE u, w SET w.x = 1
UPDATE w, u SET w.x = u.d
UPDATE u, n SET u.d = 1
UPDATE u, k SET u.d = 1
DELETE k FROM k, w
DELETE w FROM w, k WHERE w.a = k.a
DELETE u FROM u, w
UPDATE vw SET x = 1
UPDATE vw SET x = 1 WHERE a = 1
UPDATE vw SET x = a
DELETE FROM vw WHERE a = 1
INSERT INTO vw VALUES (1, 2) RETURNING a
INSERT INTO vw VALUES (1, 2) RETURNING *
UPDATE vk SET b = 1 WHERE a = 1
UPDATE vk SET b = c
UPDATE vk SET b = 1 ORDER BY c
UPDATE vk SET nothing = 1
UPDATE vk SET b = nothing
SELECT * FROM vk
SELECT a FROM vk
UPDATE vw, w SET vw.x = w.x
SELECT COUNT(*) FROM k WHERE EXISTS (SELECT * FROM t)
SELECT COUNT(*) FROM k WHERE a IN (SELECT * FROM t)
SELECT t.c FROM t NATURAL JOIN k
SELECT c FROM t NATURAL JOIN k
SELECT c FROM t JOIN k USING (c)
SELECT * FROM t JOIN k USING (a)
SELECT a FROM t JOIN k USING (a)
SELECT k.* FROM t JOIN k USING (a)
SELECT w.* FROM t JOIN w USING (a)
CREATE TEMPORARY TABLE tt (a INT)
SELECT t.* FROM w
SELECT a + c FROM t
SELECT 1 FROM t WHERE 1 = 0 AND c = 1
DO (SELECT c FROM t)
SET @a = (SELECT c FROM t LIMIT 1)
PREPARE s FROM 'SELECT c FROM t'
PREPARE s FROM 'UPDATE t SET c = 1'
SHOW COLUMNS FROM n
SHOW COLUMNS FROM k
SHOW COLUMNS FROM vk
SHOW FULL COLUMNS FROM vw
SHOW CREATE TABLE k
-- differs: one error is one entry
SHOW CREATE VIEW vk
SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name
SELECT table_name, column_name, index_name FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY table_name
SELECT table_name, column_name FROM information_schema.key_column_usage WHERE table_schema = DATABASE() ORDER BY table_name
SELECT table_name, constraint_name FROM information_schema.table_constraints WHERE table_schema = DATABASE() ORDER BY table_name
SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY table_name
SELECT * FROM mysql.columns_priv
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS
-- as root
CREATE USER cp_c@localhost, cp_d@localhost
GRANT SELECT ON vw TO cp_c@localhost
CREATE DEFINER=cp_d@localhost VIEW vdd AS SELECT a FROM w
CREATE DEFINER=cp_d@localhost VIEW vdk AS SELECT a, b, c FROM k
GRANT SELECT, UPDATE, INSERT, DELETE ON vdd TO cp_c@localhost
GRANT SELECT, UPDATE, INSERT, DELETE ON vdk TO cp_c@localhost
-- as cp_c
SELECT * FROM vdd
UPDATE vdd SET a = 1
INSERT INTO vdd VALUES (1)
DELETE FROM vdd
UPDATE vdk SET b = 1
-- as root
GRANT UPDATE (a, b), DELETE ON k TO cp_d@localhost
-- as cp_c
SELECT a FROM vdk
UPDATE vdk SET b = 1
-- differs: the table below wants its privileges too, and one error is one entry
UPDATE vdk SET b = 1 WHERE a = 1
-- differs: the table below wants its privileges too, and one error is one entry
UPDATE vdk SET c = 1
DELETE FROM vdk
DELETE FROM vdk WHERE c = 1
INSERT INTO vdk (a) VALUES (5)
-- as root
GRANT SELECT (a, b) ON k TO cp_d@localhost
-- as cp_c
SELECT a FROM vdk
UPDATE vdk SET b = 1
-- as root
CREATE TABLE fk1 (a INT PRIMARY KEY, b INT, KEY (b))
GRANT REFERENCES (b) ON fk1 TO cp_c@localhost
GRANT CREATE ON * TO cp_c@localhost
-- as cp_c
CREATE TABLE fkc (a INT, FOREIGN KEY (a) REFERENCES fk1 (a))
SHOW TABLES
SHOW COLUMNS FROM fk1
SELECT 1 FROM fk1
DESCRIBE fk1
-- as root
DROP USER cp_a@localhost, cp_b@localhost, cp_c@localhost, cp_d@localhost
CREATE USER cp_a@localhost
CREATE TABLE h (alpha INT, beta INT, gamma INT, delta INT, eps INT, zeta INT)
GRANT SELECT (alpha, beta, gamma, delta, eps, zeta) ON h TO cp_a@localhost
SHOW GRANTS FOR cp_a@localhost
REVOKE SELECT (gamma) ON h FROM cp_a@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_a@localhost
GRANT SELECT (gamma) ON h TO cp_a@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_a@localhost
FLUSH PRIVILEGES
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_a@localhost
GRANT SELECT (zeta), UPDATE (zeta, alpha) ON h TO cp_a@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_a@localhost
DROP USER cp_a@localhost
-- as root
DROP VIEW vk, vw, vdd, vdk
DROP TABLE t, u, w, n, k, h, fk1
-- several privileges at once, foreign keys, what views may show
CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT DEFAULT 7)
CREATE TABLE u (a INT, d INT, e INT)
CREATE TABLE w (a INT, x INT)
CREATE TABLE z (a INT PRIMARY KEY, b INT UNIQUE, c INT)
CREATE USER cp_a@localhost
CREATE USER cp_b@localhost
GRANT INSERT (a), UPDATE (a), SELECT (c, b) ON t TO cp_a@localhost
GRANT INSERT, UPDATE, DELETE ON u TO cp_a@localhost
-- as cp_a
-- differs: columns that are changed want UPDATE
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE c = 2
-- differs: columns that are changed want UPDATE
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE c = b
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = 3
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE c = VALUES(a)
-- differs: columns that are changed want UPDATE
INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE c = VALUES(b)
INSERT INTO t (a) VALUES (b) ON DUPLICATE KEY UPDATE c = VALUES(b)
INSERT INTO t (b) VALUES (c)
INSERT INTO t (b) VALUES (c) ON DUPLICATE KEY UPDATE c = 1
INSERT INTO t (a, b) VALUES (1, 2), (2, c)
INSERT INTO t (c) SELECT a FROM w
INSERT INTO t (c) SELECT a FROM t
INSERT INTO t VALUES (1, 2, 3) ON DUPLICATE KEY UPDATE c = 1
INSERT INTO t VALUES (1, 2, 3), (4)
INSERT INTO t SELECT 1, 2, 3
INSERT INTO t SELECT 1, 2
INSERT INTO t (b) SELECT 1, 2
INSERT INTO t (b) VALUES (1, 2)
INSERT INTO u VALUES (1, 2, 3) RETURNING *
INSERT INTO u VALUES (1, 2, 3) RETURNING u.*
DELETE FROM u RETURNING *
INSERT INTO u VALUES (1, 2, 3) ON DUPLICATE KEY UPDATE a = 1
INSERT INTO u VALUES (1, 2, 3) ON DUPLICATE KEY UPDATE a = VALUES(a)
INSERT INTO u VALUES (1, 2, d) ON DUPLICATE KEY UPDATE a = VALUES(a) + a
INSERT INTO u SELECT 1, 2, 3 ON DUPLICATE KEY UPDATE a = a
INSERT INTO u SELECT a, d, 3 FROM u
REPLACE INTO u SELECT 1, 2, 3
DELETE w FROM w
DELETE w FROM w, u
DELETE u FROM w, u
UPDATE w, u SET w.x = 1
UPDATE w SET x = 1
UPDATE t, w SET t.a = 1
REPLACE INTO t (a) VALUES (1)
INSERT INTO w (a) VALUES (1) ON DUPLICATE KEY UPDATE a = 1
REPLACE INTO w VALUES (1)
SELECT c FROM t WHERE FALSE FOR UPDATE
-- as root
GRANT CREATE VIEW ON * TO cp_a@localhost
-- as cp_a
CREATE VIEW v1 AS SELECT a FROM t
CREATE VIEW v2 AS SELECT a FROM u
CREATE VIEW v3 AS SELECT c FROM t WHERE a = 1
CREATE VIEW v4 AS SELECT a FROM w
-- differs: no view is named that is not there yet
CREATE VIEW v5 AS SELECT 1 FROM t WHERE EXISTS (SELECT a FROM w)
CREATE VIEW v6 AS SELECT * FROM u
CREATE VIEW v7 AS SELECT nothing FROM t
SELECT * FROM v1
SELECT * FROM v2
-- differs: one error is one entry
SHOW CREATE VIEW v1
-- as root
GRANT CREATE, ALTER ON * TO cp_b@localhost
CREATE TABLE fz (a INT)
-- as cp_b
CREATE TABLE f1 (a INT, FOREIGN KEY (a) REFERENCES z (a))
ALTER TABLE fz ADD FOREIGN KEY (a) REFERENCES z (a)
-- as root
GRANT REFERENCES (b) ON z TO cp_b@localhost
-- as cp_b
CREATE TABLE f1 (a INT, FOREIGN KEY (a) REFERENCES z (a))
CREATE TABLE f2 (a INT, FOREIGN KEY (a) REFERENCES z (b))
-- as root
GRANT SELECT ON z TO cp_b@localhost
-- as cp_b
CREATE TABLE f3 (a INT, FOREIGN KEY (a) REFERENCES z (a))
CREATE TABLE f4 (a INT, FOREIGN KEY (a) REFERENCES nothing (a))
CREATE TABLE f5 AS SELECT a FROM z
CREATE OR REPLACE TABLE f3 LIKE z
CREATE TABLE f6 (FOREIGN KEY (a) REFERENCES z (a)) AS SELECT a FROM z
-- as root
REVOKE SELECT ON z FROM cp_b@localhost
SHOW GRANTS FOR cp_b@localhost
REVOKE ALL ON z FROM cp_b@localhost
SHOW GRANTS FOR cp_b@localhost
-- differs: no word of an engine that cannot roll back
REVOKE SELECT ON z FROM cp_b@localhost
REVOKE SELECT ON *.* FROM cp_b@localhost
-- differs: no word of an engine that cannot roll back
REVOKE SELECT ON nodb.* FROM cp_b@localhost
REVOKE DELETE ON t FROM cp_a@localhost
GRANT SELECT (a), SELECT ON t TO cp_b@localhost
SHOW GRANTS FOR cp_b@localhost
REVOKE SELECT (a), DELETE ON t FROM cp_b@localhost
SHOW GRANTS FOR cp_b@localhost
GRANT INSERT (a) ON t TO nobody@localhost
GRANT INSERT (a) ON t TO nobody@localhost IDENTIFIED BY 'x'
SHOW GRANTS FOR nobody@localhost
DROP USER nobody@localhost
GRANT SELECT () ON t TO cp_b@localhost
GRANT USAGE (a) ON t TO cp_b@localhost
GRANT SELECT (t.a) ON t TO cp_b@localhost
GRANT SELECT (a), DELETE, INSERT (b, c) ON t TO cp_b@localhost, cp_a@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_b@localhost
GRANT ALL ON t TO cp_b@localhost
SHOW GRANTS FOR cp_b@localhost
SELECT table_priv, column_priv FROM mysql.tables_priv WHERE user = 'cp_b'
SELECT * FROM information_schema.table_privileges WHERE grantee LIKE '%cp\_%' ORDER BY grantee, table_name, privilege_type
REVOKE INSERT ON t FROM cp_b@localhost
SHOW GRANTS FOR cp_b@localhost
SELECT column_name, column_priv FROM mysql.columns_priv WHERE user = 'cp_b'
GRANT SELECT (Host) ON mysql.db TO cp_b@localhost
-- as cp_b
SELECT host FROM mysql.db WHERE 0
SELECT user FROM mysql.db WHERE 0
-- as root
RENAME TABLE t TO t2
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_b@localhost
DROP USER cp_a@localhost, cp_b@localhost
-- as root
DROP VIEW v1, v2, v6
DROP TABLE f3
DROP TABLE t2, u, w, z, fz
-- names as written
CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT DEFAULT 7)
CREATE TABLE w (a INT, x INT)
CREATE TABLE k (a INT PRIMARY KEY, b INT, c INT)
CREATE USER cp_a@localhost, cp_b@localhost, cp_c@localhost
GRANT SELECT (A, b) ON t TO cp_a@localhost
GRANT SELECT (x) ON w TO cp_a@localhost
CREATE DEFINER=cp_b@localhost VIEW vk AS SELECT a, b, c FROM k
GRANT SELECT, UPDATE ON vk TO cp_c@localhost
GRANT SELECT (a, b, c), UPDATE (b) ON k TO cp_b@localhost
CREATE VIEW vr AS SELECT a AS ra, b AS rb FROM k
GRANT SELECT (ra), INSERT (ra) ON vr TO cp_a@localhost
-- as cp_a
SELECT C FROM t
SELECT T.C FROM t AS T
SELECT * FROM w
SELECT * FROM w, t
SELECT x.* FROM w AS x
SELECT RB FROM vr
SELECT ra FROM vr
INSERT INTO vr (RB) VALUES (1)
INSERT INTO vr (ra) VALUES (rb)
INSERT INTO vr (ra) VALUES (9) ON DUPLICATE KEY UPDATE ra = 1
SELECT COUNT(*), MAX(x) FROM w
SELECT a FROM t WHERE a IN (SELECT a FROM w)
SELECT A FROM t ORDER BY a
-- as cp_c
UPDATE vk SET b = 1
-- differs: the table below wants its privileges too, and one error is one entry
UPDATE vk SET a = 1
-- differs: the table below wants its privileges too, and one error is one entry
UPDATE vk SET c = 1
-- as root
GRANT INSERT (ra), UPDATE ON vr TO cp_a@localhost
-- as cp_a
INSERT INTO vr (ra) VALUES (9) ON DUPLICATE KEY UPDATE rb = 1
INSERT INTO vr (ra) VALUES (9) ON DUPLICATE KEY UPDATE rb = rb
SHOW CREATE TABLE w
SHOW CREATE VIEW vr
SHOW INDEX FROM vr
USE mysql
-- as root
DROP USER cp_a@localhost, cp_b@localhost, cp_c@localhost
-- as root
DROP VIEW vk, vr
DROP TABLE t, w, k
-- parents of foreign keys, many columns
CREATE TABLE z (a INT PRIMARY KEY, b INT UNIQUE, c INT)
CREATE TABLE p (a INT PRIMARY KEY)
CREATE USER cp_b@localhost
GRANT CREATE, ALTER ON * TO cp_b@localhost
GRANT REFERENCES (a), SELECT (a) ON z TO cp_b@localhost
GRANT INSERT ON p TO cp_b@localhost
-- as cp_b
CREATE TABLE s1 (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES s1 (a))
CREATE TABLE s2 (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES z (a))
CREATE TABLE s3 (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES p (a))
CREATE TABLE s4 (a INT PRIMARY KEY, b INT REFERENCES z (a))
SET foreign_key_checks = 0
CREATE TABLE s5 (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES z (a))
CREATE TABLE s6 LIKE p
-- as root
DROP TABLE s3
GRANT SELECT, INSERT ON * TO cp_b@localhost
-- as cp_b
CREATE TABLE s1 (a INT PRIMARY KEY, b INT, FOREIGN KEY (b) REFERENCES s1 (a))
CREATE TABLE s7 AS SELECT * FROM z
-- as root
CREATE TABLE h (alpha INT, beta INT, gamma INT, delta INT, eps INT, zeta INT, `key` INT, `a b` INT)
GRANT SELECT (zeta, eps, alpha, gamma), INSERT (beta, alpha), UPDATE (`key`, `a b`) ON h TO cp_b@localhost
-- differs: tables stand in the order of their names, columns in that of grants that are left
SHOW GRANTS FOR cp_b@localhost
DROP USER cp_b@localhost
DROP TABLE s1, s7
DROP TABLE z, p, h
-- what views compute, statements about tables, accounts that GRANT makes or gives a password
CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT)
CREATE TABLE w (a INT)
CREATE USER cp_a@localhost, cp_b@localhost
GRANT INSERT (a), UPDATE (b), SELECT (c) ON t TO cp_a@localhost
GRANT CREATE VIEW ON * TO cp_a@localhost
GRANT SELECT ON w TO cp_a@localhost WITH GRANT OPTION
CREATE VIEW v AS SELECT a + 1 AS x FROM t
GRANT SELECT, SHOW VIEW ON v TO cp_b@localhost
GRANT INSERT (b) ON t TO cp_b@localhost
-- as cp_a
CREATE VIEW v1 AS SELECT b + 1 FROM t
CREATE VIEW v1 AS SELECT c + 1, a, b FROM t
CHECK TABLE t
GRANT SELECT ON w TO cp_b@localhost IDENTIFIED BY 'y'
GRANT SELECT ON w TO cp_c@localhost IDENTIFIED BY 'y'
GRANT SELECT ON w TO cp_a@localhost IDENTIFIED BY ''
-- as cp_b
CHECK TABLE t
ANALYZE TABLE t
CHECK TABLE w
OPTIMIZE TABLE w
CHECKSUM TABLE t
SHOW CREATE VIEW v
-- as root
GRANT UPDATE ON mysql.* TO cp_a@localhost
-- as cp_a
GRANT SELECT ON w TO cp_b@localhost IDENTIFIED BY ''
GRANT SELECT ON w TO cp_c@localhost IDENTIFIED BY 'y'
-- as root
GRANT CREATE USER ON *.* TO cp_a@localhost
-- as cp_a
GRANT SELECT ON w TO cp_c@localhost IDENTIFIED BY 'y'
-- as root
DROP USER cp_a@localhost, cp_b@localhost, cp_c@localhost
DROP VIEW v, v1
DROP TABLE t, w
-- keys of columns that nothing is held on
CREATE TABLE p (x INT PRIMARY KEY)
CREATE TABLE t (a INT PRIMARY KEY, b INT UNIQUE, c INT, KEY k (a, c), KEY l (c, a), KEY m (c), FOREIGN KEY f (c) REFERENCES p (x), CHECK (b > 0), CHECK (a > 0))
CREATE USER cp_a@localhost, cp_b@localhost
GRANT INSERT (a) ON t TO cp_a@localhost
GRANT DELETE ON t TO cp_b@localhost
-- as cp_a
SHOW INDEX FROM t
SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY index_name, seq_in_index
SELECT constraint_name, column_name FROM information_schema.key_column_usage WHERE table_schema = DATABASE() ORDER BY constraint_name, ordinal_position
SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name
-- as cp_b
SHOW INDEX FROM t
SHOW COLUMNS FROM t
SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY index_name, seq_in_index
SELECT constraint_name, column_name FROM information_schema.key_column_usage WHERE table_schema = DATABASE() ORDER BY constraint_name, ordinal_position
-- as root
DROP USER cp_a@localhost, cp_b@localhost
DROP TABLE t, p
