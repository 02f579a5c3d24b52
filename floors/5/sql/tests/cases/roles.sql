-- roles and their names
CREATE DATABASE ro_d
CREATE TABLE ro_d.t (x INT, y INT)
CREATE TABLE ro_d.s (z INT)
INSERT INTO ro_d.t VALUES (1, 2)
CREATE USER ro_u@localhost, ro_v@localhost
SELECT CURRENT_ROLE(), CURRENT_ROLE, CURRENT_ROLE() IS NULL
SET ROLE NONE
CREATE ROLE ro_a
CREATE ROLE ro_a
CREATE OR REPLACE ROLE ro_a
CREATE ROLE IF NOT EXISTS ro_a, ro_b
CREATE ROLE IF NOT EXISTS ro_a
CREATE OR REPLACE ROLE IF NOT EXISTS ro_a
CREATE ROLE ''
CREATE ROLE '  '
CREATE ROLE 'ro_blank  ', `ro_q``q`, 'ro_a''a'
SHOW GRANTS FOR ro_blank
SHOW GRANTS FOR `ro_q``q`
SHOW GRANTS FOR 'ro_a''a'
CREATE ROLE ro_a@localhost
CREATE ROLE CURRENT_USER
CREATE ROLE CURRENT_ROLE
CREATE ROLE public
CREATE ROLE public, none
CREATE ROLE `None`
CREATE USER CURRENT_ROLE
CREATE USER CURRENT_USER
CREATE ROLE ro_aaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjjkkkkkkkkkkllllllllllmmmmmmmmm
CREATE ROLE RO_A
DROP ROLE RO_A
CREATE USER ro_a@localhost
DROP USER ro_a@localhost
DROP ROLE ro_v
DROP USER ro_a
DROP USER IF EXISTS ro_a
DROP ROLE ro_nothing
DROP ROLE IF EXISTS ro_nothing, ro_blank
DROP ROLE IF EXISTS ro_nothing
DROP ROLE PUBLIC
DROP ROLE none
DROP ROLE ''
DROP ROLE CURRENT_ROLE
DROP ROLE CURRENT_USER
DROP USER CURRENT_ROLE
DROP ROLE `ro_q``q`, 'ro_a''a'
DROP ROLE ro_aaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggghhhhhhhhhhiiiiiiiiiijjjjjjjjjjkkkkkkkkkkllllllllllmmmmmmmmm
CREATE ROLE ro_0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789
RENAME USER ro_b TO ro_c
SET PASSWORD FOR ro_b = PASSWORD('x')
SHOW CREATE USER ro_b
-- who may grant them
CREATE ROLE ro_c WITH ADMIN ro_u@localhost
CREATE ROLE ro_d WITH ADMIN CURRENT_USER
CREATE ROLE ro_e WITH ADMIN CURRENT_ROLE
CREATE ROLE ro_e WITH ADMIN ro_d
CREATE ROLE ro_f WITH ADMIN ro_nobody
CREATE ROLE ro_g WITH ADMIN PUBLIC
CREATE ROLE ro_g WITH ADMIN none
SELECT host, user, role, admin_option FROM mysql.roles_mapping WHERE user <> 'ro_nobody' ORDER BY user, role
GRANT ro_f TO ro_u@localhost
GRANT ro_c TO ro_v@localhost
DROP ROLE ro_f
-- granted
GRANT ro_nothing TO ro_u@localhost
GRANT ro_a TO ro_nobody@localhost
GRANT ro_a TO ro_nobody
-- differs: no word of an engine that cannot roll back
GRANT ro_a TO ro_nobody, ro_u@localhost, ro_no@localhost
GRANT ro_a TO ro_u@localhost
GRANT ro_b TO ro_a
GRANT ro_b TO ro_b
GRANT ro_a TO ro_b
GRANT ro_d TO ro_b WITH ADMIN OPTION
GRANT ro_a TO ro_d
GRANT ro_a TO ro_b@''
GRANT ro_a TO CURRENT_ROLE
GRANT CURRENT_ROLE TO ro_u@localhost
GRANT CURRENT_USER TO ro_u@localhost
GRANT PUBLIC TO ro_u@localhost
GRANT none TO ro_u@localhost
GRANT '' TO ro_u@localhost
GRANT ro_a TO none
GRANT ro_u TO ro_v@localhost
GRANT ro_a TO ro_u@localhost WITH GRANT OPTION
GRANT ro_a TO ro_u@localhost REQUIRE SSL
GRANT ro_a@localhost TO ro_v@localhost
GRANT SELECT ON *.* TO ro_u@localhost WITH ADMIN OPTION
GRANT SELECT ON *.* TO ro_nothing
GRANT SELECT ON *.* TO none
GRANT SELECT ON *.* TO CURRENT_ROLE
REVOKE ro_a FROM ro_nobody@localhost
REVOKE ro_a FROM ro_v@localhost
REVOKE ro_a FROM ro_d
REVOKE ro_a FROM CURRENT_ROLE
REVOKE ro_a FROM none
REVOKE ro_a FROM PUBLIC
REVOKE ro_nothing FROM ro_u@localhost
REVOKE PUBLIC FROM ro_u@localhost
REVOKE CURRENT_ROLE FROM ro_u@localhost
REVOKE ADMIN OPTION FOR ro_a FROM ro_v@localhost
GRANT ro_a TO ro_v@localhost WITH ADMIN OPTION
GRANT ro_a TO ro_v@localhost
SHOW GRANTS FOR ro_v@localhost
REVOKE ADMIN OPTION FOR ro_a FROM ro_v@localhost
SHOW GRANTS FOR ro_v@localhost
REVOKE ro_a FROM ro_v@localhost
SHOW GRANTS FOR ro_v@localhost
-- what they hold
GRANT SELECT ON ro_d.t TO ro_a
GRANT SELECT (z) ON ro_d.s TO ro_b
GRANT INSERT ON ro_d.* TO ro_b
GRANT CREATE USER ON *.* TO ro_d
GRANT UPDATE (y) ON ro_d.t TO ro_d WITH GRANT OPTION
GRANT SELECT ON test.* TO ro_u@localhost
SHOW GRANTS FOR ro_a
SHOW GRANTS FOR ro_b
SHOW GRANTS FOR ro_d
SHOW GRANTS FOR ro_u@localhost
SHOW GRANTS FOR CURRENT_ROLE
SHOW GRANTS FOR none
SHOW GRANTS FOR ''
SHOW GRANTS FOR ro_a@''
SHOW GRANTS FOR ro_nothing
SHOW GRANTS FOR ro_nothing@localhost
SHOW GRANTS FOR PUBLIC
SELECT User, Host, is_role, default_role, plugin, Select_priv, Create_user_priv FROM mysql.user WHERE user LIKE 'ro\_%' ORDER BY user
SELECT host, user, JSON_VALUE(priv, '$.is_role'), JSON_VALUE(priv, '$.access') FROM mysql.global_priv WHERE user IN ('ro_a', 'ro_d') ORDER BY user
SELECT host, db, user, insert_priv FROM mysql.db WHERE user LIKE 'ro\_%'
SELECT host, db, user, table_name, table_priv, column_priv FROM mysql.tables_priv WHERE user LIKE 'ro\_%' ORDER BY user, table_name
SELECT grantee, privilege_type, is_grantable FROM information_schema.user_privileges WHERE grantee LIKE '%ro\_%' ORDER BY grantee
SELECT grantee, table_schema, privilege_type, is_grantable FROM information_schema.schema_privileges WHERE grantee LIKE '%ro\_%' AND grantee NOT LIKE '%ro_u%' ORDER BY grantee
SELECT grantee, table_name, privilege_type FROM information_schema.table_privileges WHERE grantee LIKE '%ro\_%' ORDER BY grantee, table_name, privilege_type
SELECT grantee, table_name, column_name, privilege_type FROM information_schema.column_privileges WHERE grantee LIKE '%ro\_%' ORDER BY grantee, table_name
SELECT grantee, role_name, is_grantable, is_default FROM information_schema.applicable_roles ORDER BY grantee, role_name
SELECT * FROM information_schema.enabled_roles
-- roles that are set
-- as ro_u
SELECT CURRENT_ROLE(), CURRENT_USER()
SHOW GRANTS
SELECT * FROM ro_d.t
SET ROLE ro_nothing
SET ROLE ro_v
SET ROLE ro_b
SET ROLE RO_A
SET ROLE ''
SET ROLE PUBLIC
SET ROLE CURRENT_ROLE
SET ROLE ro_a@localhost
SELECT * FROM information_schema.enabled_roles
SET ROLE ro_a
SELECT CURRENT_ROLE(), CURRENT_ROLE, CURRENT_USER()
SHOW GRANTS
SHOW GRANTS FOR CURRENT_USER
SHOW GRANTS FOR CURRENT_ROLE
SHOW GRANTS FOR ro_a
SHOW GRANTS FOR ro_b
SHOW GRANTS FOR PUBLIC
SELECT * FROM information_schema.enabled_roles
SELECT * FROM information_schema.applicable_roles ORDER BY 1, 2
SELECT DISTINCT grantee FROM information_schema.user_privileges
SELECT DISTINCT grantee FROM information_schema.table_privileges
SELECT grantee, privilege_type FROM information_schema.schema_privileges
SELECT * FROM ro_d.t
SELECT z FROM ro_d.s
SELECT * FROM ro_d.s
INSERT INTO ro_d.s VALUES (3)
UPDATE ro_d.t SET y = y + 1
UPDATE ro_d.t SET x = x + 1
DELETE FROM ro_d.t
CREATE TABLE ro_d.n (a INT)
SHOW TABLES FROM ro_d
SHOW COLUMNS FROM ro_d.t
SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'ro_d'
GRANT UPDATE (y) ON ro_d.t TO ro_v@localhost
GRANT SELECT ON ro_d.t TO ro_v@localhost
GRANT INSERT ON ro_d.s TO ro_v@localhost
GRANT INSERT ON *.* TO ro_v@localhost
REVOKE UPDATE (y) ON ro_d.t FROM ro_v@localhost
REVOKE SELECT ON ro_d.t FROM ro_v@localhost
CREATE ROLE ro_made
CREATE ROLE ro_made2 WITH ADMIN ro_a
CREATE ROLE ro_made3 WITH ADMIN CURRENT_ROLE
CREATE ROLE ro_made4 WITH ADMIN ro_b
GRANT ro_made TO ro_v@localhost
GRANT ro_made2 TO ro_v@localhost
GRANT ro_a TO ro_v@localhost
GRANT ro_d TO ro_v@localhost
GRANT ro_c TO ro_v@localhost IDENTIFIED BY 'x'
REVOKE ro_a FROM ro_u@localhost
REVOKE ro_d FROM ro_v@localhost
REVOKE ro_d FROM ro_v@localhost
DROP ROLE ro_made, ro_made2, ro_made3
SET ROLE NONE
SELECT * FROM information_schema.enabled_roles
SELECT CURRENT_ROLE(), CURRENT_USER()
SELECT * FROM ro_d.t
CREATE ROLE ro_more
DROP ROLE ro_a
SHOW GRANTS FOR ro_a
GRANT ro_a TO ro_v@localhost
GRANT ro_d TO ro_v@localhost
REVOKE ro_d FROM ro_v@localhost
-- roles that sessions begin with
SET DEFAULT ROLE ro_b
SET DEFAULT ROLE ro_v
SET DEFAULT ROLE ro_nothing
SET DEFAULT ROLE PUBLIC
SET DEFAULT ROLE ro_a FOR ro_v@localhost
SET DEFAULT ROLE NONE FOR ro_v@localhost
SET DEFAULT ROLE ro_nothing FOR ro_nobody
SET DEFAULT ROLE ro_a
SELECT CURRENT_ROLE()
SHOW GRANTS
SELECT * FROM information_schema.applicable_roles ORDER BY 1, 2
-- as ro_u
SELECT CURRENT_ROLE(), CURRENT_USER()
SELECT * FROM ro_d.t
SHOW GRANTS FOR CURRENT_USER
SET DEFAULT ROLE NONE FOR CURRENT_USER
SELECT CURRENT_ROLE()
SET DEFAULT ROLE CURRENT_ROLE FOR CURRENT_USER
SET @a = 1, ROLE NONE
SELECT CURRENT_ROLE(), @a
SET ROLE ro_a, @a = 2
SELECT CURRENT_ROLE(), @a
SET @a = 3, ROLE ro_nothing
SELECT CURRENT_ROLE(), @a
SET ROLE 'none'
SELECT CURRENT_ROLE()
SET DEFAULT ROLE CURRENT_ROLE
SHOW GRANTS
-- as root
SET DEFAULT ROLE ro_a FOR ro_nobody
SET DEFAULT ROLE NONE FOR ro_nobody
SET DEFAULT ROLE NONE FOR ro_a
SET DEFAULT ROLE ro_a FOR ro_a
SET DEFAULT ROLE ro_nothing FOR ro_u@localhost
SET DEFAULT ROLE ro_b FOR ro_u@localhost
SET DEFAULT ROLE `ro_``q` FOR ro_u@localhost
SET DEFAULT ROLE ro_a FOR ro_u@localhost
SELECT default_role FROM mysql.user WHERE user = 'ro_u'
SHOW GRANTS FOR ro_u@localhost
REVOKE ro_a FROM ro_u@localhost
SHOW GRANTS FOR ro_u@localhost
-- as ro_u
SELECT CURRENT_ROLE(), CURRENT_USER()
SET ROLE ro_a
SHOW GRANTS
-- what everybody has
-- as root
GRANT ro_a TO PUBLIC
GRANT INSERT ON ro_d.s TO PUBLIC
SHOW GRANTS FOR PUBLIC
SHOW GRANTS FOR public
SELECT host, user, role FROM mysql.roles_mapping WHERE user = 'PUBLIC'
SELECT User, Host, is_role FROM mysql.user WHERE user = 'PUBLIC'
-- as ro_v
SHOW GRANTS
SHOW GRANTS FOR PUBLIC
SELECT * FROM ro_d.t
INSERT INTO ro_d.s VALUES (4)
DELETE FROM ro_d.s
SET ROLE ro_a
SELECT * FROM information_schema.applicable_roles
-- as root
GRANT DELETE ON *.* TO PUBLIC
SHOW GRANTS FOR PUBLIC
REVOKE ro_a FROM PUBLIC
REVOKE INSERT ON ro_d.s FROM public
REVOKE DELETE ON *.* FROM PUBLIC
SHOW GRANTS FOR PUBLIC
-- changed and gone
CREATE ROLE ro_x
GRANT ro_x TO ro_u@localhost
GRANT ro_a TO ro_u@localhost WITH ADMIN OPTION
RENAME USER ro_u@localhost TO ro_w@localhost
SELECT host, user, role, admin_option FROM mysql.roles_mapping WHERE user = 'ro_w' ORDER BY role
CREATE OR REPLACE ROLE ro_x
SELECT host, user, role, admin_option FROM mysql.roles_mapping WHERE user = 'ro_w' ORDER BY role
DROP ROLE ro_a
SELECT host, user, role, admin_option FROM mysql.roles_mapping WHERE user = 'ro_w' ORDER BY role
SHOW GRANTS FOR ro_b
GRANT ro_b TO ro_w@localhost
GRANT SELECT ON ro_d.* TO ro_x
GRANT ro_x TO ro_b
REVOKE ALL PRIVILEGES, GRANT OPTION FROM ro_w@localhost
SHOW GRANTS FOR ro_w@localhost
SET ROLE ro_x
SELECT CURRENT_ROLE()
GRANT INSERT ON ro_d.* TO CURRENT_ROLE
SHOW GRANTS FOR CURRENT_ROLE
REVOKE SELECT ON ro_d.* FROM CURRENT_ROLE
SHOW GRANTS FOR ro_x
DROP ROLE CURRENT_ROLE
SELECT CURRENT_ROLE()
GRANT SELECT ON *.* TO CURRENT_ROLE
REVOKE SELECT ON *.* FROM CURRENT_ROLE
SHOW GRANTS FOR CURRENT_ROLE
SELECT * FROM information_schema.enabled_roles
SET ROLE NONE
GRANT ro_b TO ro_w@localhost
DROP USER ro_w@localhost, ro_v@localhost
SELECT host, user, role, admin_option FROM mysql.roles_mapping WHERE user LIKE 'ro\_%' ORDER BY user, role
-- a user's name and a role's
CREATE USER ro_b
GRANT INSERT ON ro_d.* TO ro_b@'%'
GRANT DELETE ON ro_d.* TO ro_b
GRANT UPDATE ON ro_d.* TO ro_b IDENTIFIED BY 'x'
SHOW GRANTS FOR ro_b
SHOW GRANTS FOR ro_b@'%'
DROP ROLE ro_b
SHOW GRANTS FOR ro_b
DROP USER ro_b
-- commits
CREATE TABLE c (a INT)
CREATE USER ro_u@localhost
BEGIN
INSERT INTO c VALUES (1)
SET ROLE NONE
ROLLBACK
SELECT COUNT(*) FROM c
BEGIN
INSERT INTO c VALUES (1)
SET DEFAULT ROLE ro_nothing
ROLLBACK
SELECT COUNT(*) FROM c
BEGIN
INSERT INTO c VALUES (1)
CREATE ROLE IF NOT EXISTS ro_d
ROLLBACK
SELECT COUNT(*) FROM c
BEGIN
INSERT INTO c VALUES (1)
GRANT ro_nothing TO ro_u@localhost
ROLLBACK
SELECT COUNT(*) FROM c
BEGIN
INSERT INTO c VALUES (1)
DROP ROLE ro_nothing
ROLLBACK
SELECT COUNT(*) FROM c
PREPARE s FROM 'SET ROLE ro_d'
EXECUTE s
SELECT CURRENT_ROLE()
PREPARE s FROM 'SELECT CURRENT_ROLE()'
EXECUTE s
SET ROLE NONE
EXECUTE s
SET ROLE ro_d
CREATE TABLE k AS SELECT CURRENT_ROLE() AS r
SHOW CREATE TABLE k
SET ROLE NONE
DROP ROLE ro_c, ro_d, ro_e
DROP USER ro_u@localhost
DROP DATABASE ro_d
-- whom errors name: the account, in those of tables and columns with the client's host
CREATE DATABASE ro_d
CREATE TABLE ro_d.t (x INT, y INT)
CREATE USER ro_any
GRANT SELECT (x) ON ro_d.t TO ro_any WITH GRANT OPTION
-- as ro_any@%
SELECT USER(), CURRENT_USER()
USE mysql
SHOW TABLES FROM mysql
SHOW CREATE DATABASE mysql
CREATE DATABASE ro_more
DROP DATABASE ro_d
LOCK TABLES ro_d.t READ
SELECT y FROM ro_d.t
INSERT INTO ro_d.t VALUES (1, 2)
SHOW CREATE TABLE ro_d.nothing
GRANT SELECT ON ro_d.* TO ro_any
GRANT SELECT ON *.* TO ro_any
GRANT SELECT (y) ON ro_d.t TO ro_any
GRANT INSERT ON ro_d.t TO ro_any
SHOW GRANTS FOR root@localhost
CREATE TABLE information_schema.t (a INT)
SELECT grantee FROM information_schema.user_privileges
-- as root
DROP USER ro_any
DROP DATABASE ro_d
-- named where there is nobody
CREATE ROLE ro_a
CREATE USER ro_u@localhost
GRANT ro_a TO ro_u@localhost
GRANT SELECT ON *.* TO ''
REVOKE SELECT ON *.* FROM ''
GRANT ro_a TO ''
REVOKE ALL PRIVILEGES, GRANT OPTION FROM ro_nobody@localhost
-- differs: no word of an engine that cannot roll back
REVOKE ALL PRIVILEGES, GRANT OPTION FROM ro_nobody@localhost, ro_u@localhost
SHOW GRANTS FOR ro_u@localhost
REVOKE ALL PRIVILEGES, GRANT OPTION FROM none
REVOKE ALL PRIVILEGES, GRANT OPTION FROM CURRENT_ROLE
REVOKE ALL PRIVILEGES, GRANT OPTION FROM ''
REVOKE ALL PRIVILEGES, GRANT OPTION FROM PUBLIC
PREPARE s FROM 'SET ROLE ro_nothing'
PREPARE s FROM 'SET DEFAULT ROLE ro_nothing'
PREPARE s FROM 'SET DEFAULT ROLE ro_a FOR ro_u@localhost'
PREPARE s FROM 'SET DEFAULT ROLE NONE FOR ro_nobody'
PREPARE s FROM 'CREATE ROLE ro_p'
EXECUTE s
EXECUTE s
PREPARE s FROM 'GRANT ro_p TO ro_u@localhost'
EXECUTE s
PREPARE s FROM 'DROP ROLE ro_p'
EXECUTE s
EXECUTE s
SHOW GRANTS FOR ro_u@localhost
DROP USER ro_u@localhost
DROP ROLE ro_a
-- views of roles
CREATE DATABASE ro_d
CREATE TABLE ro_d.t (x INT, y INT)
CREATE USER ro_u@localhost
CREATE ROLE ro_a, ro_b, ro_c
GRANT ro_a TO ro_u@localhost
GRANT ro_b TO ro_a
GRANT CREATE VIEW ON ro_d.* TO ro_u@localhost
GRANT SELECT ON ro_d.* TO ro_u@localhost
CREATE DEFINER = none VIEW ro_d.v AS SELECT 1
CREATE DEFINER = PUBLIC VIEW ro_d.v AS SELECT 1
CREATE DEFINER = '' VIEW ro_d.v AS SELECT 1
CREATE DEFINER = CURRENT_ROLE VIEW ro_d.v AS SELECT 1
CREATE DEFINER = ro_nothing VIEW ro_d.n AS SELECT 1 AS a
SHOW CREATE VIEW ro_d.n
CREATE DEFINER = ro_a VIEW ro_d.v AS SELECT x FROM ro_d.t
SHOW CREATE VIEW ro_d.v
SELECT table_name, definer, security_type FROM information_schema.views WHERE table_schema = 'ro_d' ORDER BY 1
SELECT * FROM ro_d.v
SET ROLE ro_b
CREATE OR REPLACE DEFINER = CURRENT_ROLE VIEW ro_d.w AS SELECT 2 AS b
SHOW CREATE VIEW ro_d.w
SET ROLE NONE
-- as ro_u
SELECT * FROM ro_d.v
SET ROLE ro_a
SELECT * FROM ro_d.v
CREATE DEFINER = ro_a VIEW ro_d.o AS SELECT x FROM ro_d.t
CREATE DEFINER = ro_b VIEW ro_d.p AS SELECT 1
CREATE DEFINER = root@localhost VIEW ro_d.p AS SELECT 1
SET ROLE NONE
CREATE DEFINER = ro_a VIEW ro_d.p AS SELECT 1
-- as root
GRANT SELECT (x) ON ro_d.t TO ro_b
-- as ro_u
SELECT * FROM ro_d.v
SELECT * FROM ro_d.o
-- as root
GRANT SELECT ON ro_d.t TO PUBLIC
REVOKE SELECT (x) ON ro_d.t FROM ro_b
-- as ro_u
SELECT * FROM ro_d.v
-- as root
REVOKE SELECT ON ro_d.t FROM PUBLIC
DROP ROLE ro_a, ro_b, ro_c
SELECT * FROM ro_d.v
SHOW CREATE VIEW ro_d.v
DROP USER ro_u@localhost
DROP DATABASE ro_d
-- whom views name
CREATE DATABASE ro_d
CREATE TABLE ro_d.t (x INT)
INSERT INTO ro_d.t VALUES (1)
CREATE USER ro_u@localhost, ro_any
CREATE ROLE ro_a
GRANT ro_a TO ro_u@localhost
GRANT SELECT ON ro_d.* TO ro_a
GRANT SELECT ON ro_d.* TO ro_u@localhost
GRANT SELECT ON ro_d.* TO ro_any
CREATE DEFINER = ro_any VIEW ro_d.v AS SELECT x, CURRENT_USER() AS u, CURRENT_ROLE() AS r, USER() AS who, CURRENT_USER FROM ro_d.t
CREATE DEFINER = ro_a VIEW ro_d.w AS SELECT x, CURRENT_USER() AS u, CURRENT_ROLE() AS r, USER() AS who FROM ro_d.t
CREATE SQL SECURITY INVOKER VIEW ro_d.i AS SELECT x, CURRENT_USER() AS u, CURRENT_ROLE() AS r FROM ro_d.t
CREATE DEFINER = ro_a VIEW ro_d.wv AS SELECT * FROM ro_d.v
CREATE DEFINER = ro_any VIEW ro_d.vi AS SELECT * FROM ro_d.i
CREATE ALGORITHM = TEMPTABLE DEFINER = ro_any VIEW ro_d.tv AS SELECT x, CURRENT_USER() AS u, CURRENT_ROLE() AS r FROM ro_d.t
CREATE DEFINER = ro_any VIEW ro_d.c AS SELECT x FROM ro_d.t WHERE CURRENT_USER() LIKE 'ro\_any@%'
CREATE DEFINER = ro_gone VIEW ro_d.g AS SELECT 1
SHOW CREATE VIEW ro_d.v
SELECT * FROM ro_d.v
SELECT * FROM ro_d.w
SELECT * FROM ro_d.i
SELECT * FROM ro_d.wv
SELECT * FROM ro_d.vi
SELECT * FROM ro_d.tv
SELECT * FROM ro_d.c
SELECT * FROM ro_d.g
CREATE TABLE m AS SELECT u, r FROM ro_d.v
SHOW CREATE TABLE m
CREATE TABLE l AS SELECT u, r FROM ro_d.w
SHOW CREATE TABLE l
SELECT CURRENT_USER(), v.u FROM ro_d.v WHERE v.u <> CURRENT_USER()
-- as ro_u
SET ROLE ro_a
SELECT * FROM ro_d.v
SELECT * FROM ro_d.w
SELECT * FROM ro_d.i
SELECT * FROM ro_d.wv
SELECT * FROM ro_d.vi
SELECT * FROM ro_d.tv
SELECT * FROM ro_d.c
SELECT * FROM ro_d.g
SET ROLE NONE
SELECT * FROM ro_d.w
SELECT * FROM ro_d.i
-- as root
DROP USER ro_u@localhost, ro_any
DROP ROLE ro_a
DROP DATABASE ro_d
-- before and behind the owner of a view
CREATE DATABASE ro_d
CREATE DATABASE ro_e
CREATE TABLE ro_d.t (x INT)
CREATE TABLE ro_e.t (x INT)
CREATE VIEW ro_d.v AS SELECT 1
CREATE USER ro_u@localhost
GRANT SELECT, CREATE VIEW ON ro_d.* TO ro_u@localhost
-- as ro_u
CREATE DEFINER = root@localhost VIEW ro_d.w AS SELECT nothing FROM ro_d.t
CREATE DEFINER = root@localhost VIEW ro_d.w AS SELECT * FROM ro_d.nothing
CREATE DEFINER = root@localhost VIEW ro_d.w AS SELECT * FROM ro_e.t
CREATE DEFINER = root@localhost VIEW ro_e.w AS SELECT 1
CREATE DEFINER = root@localhost VIEW ro_d.v AS SELECT 1
CREATE DEFINER = root@localhost VIEW ro_d.w AS SELECT 1 AS a, 2 AS a
CREATE DEFINER = root@localhost VIEW ro_d.w AS SELECT @a
CREATE DEFINER = none VIEW ro_d.w AS SELECT nothing FROM ro_d.t
CREATE DEFINER = none VIEW ro_d.w AS SELECT x FROM ro_e.t
-- as root
DROP USER ro_u@localhost
DROP DATABASE ro_d
DROP DATABASE ro_e
-- one role at a time
CREATE ROLE ro_a, ro_b
CREATE USER ro_u@localhost
GRANT ro_a, ro_b TO ro_u@localhost
GRANT `ro_a`, 'ro_b' TO ro_u@localhost
REVOKE ro_a, ro_b FROM ro_u@localhost
GRANT process, file, Usage, super, reload ON *.* TO ro_u@localhost
GRANT event, execute ON test.* TO ro_u@localhost
GRANT usage ON *.* TO ro_u@localhost, ro_a
SHOW GRANTS FOR ro_u@localhost
DROP USER ro_u@localhost
DROP ROLE ro_a, ro_b
