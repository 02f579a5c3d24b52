-- What statements do, as a session's status counts it.
create table t1 (a int primary key, b int, c varchar(10), key(b));
insert into t1 select seq, seq%7, seq from seq_1_to_20;
create table t2 (a int, b int);
flush status;
select * from t1 where a=3;
select variable_name, variable_value from information_schema.session_status where variable_name rlike '^(handler_(delete|read_[kflp]|read_next|update|write)|rows_read|sort_)' and variable_value <> '0';
show status like 'handler_read_key';
flush status;
select * from t1 where a=99;
select variable_name, variable_value from information_schema.session_status where variable_name rlike '^(handler_(delete|read_[kflp]|read_next|update|write)|rows_read|sort_)' and variable_value <> '0';
flush status;
select * from t1 where c='x';
select variable_name, variable_value from information_schema.session_status where variable_name rlike '^(handler_(delete|read_[kflp]|read_next|update|write)|rows_read|sort_)' and variable_value <> '0';
flush status;
select * from t1 order by a desc;
select variable_name, variable_value from information_schema.session_status where variable_name rlike '^(handler_(delete|read_[kflp]|read_next|update|write)|rows_read|sort_)' and variable_value <> '0';
flush status;
select * from t1 order by a limit 2;
select variable_name, variable_value from information_schema.session_status where variable_name rlike '^(handler_(delete|read_[kflp]|read_next|update|write)|rows_read|sort_)' and variable_value <> '0';
flush status;
select * from t1 where a>10 order by c;
select variable_name, variable_value from information_schema.session_status where variable_name rlike '^(handler_(delete|read_[kflp]|read_next|update|write)|rows_read|sort_)' and variable_value <> '0';
insert into t2 values (1,2),(2,3),(3,4);
flush status;
update t2 set b=9 where a=1;
update t1 set c=9 where a=1;
delete from t1 where a=1;
delete from t2;
select variable_name, variable_value from information_schema.session_status where variable_name rlike '^(handler_(delete|read_[kflp]|read_next|update|write)|rows_read|sort_)' and variable_value <> '0';
flush status;
begin;
replace into t1 values (5,5,5);
insert into t1 values (5,5,5) on duplicate key update c='w';
savepoint x;
insert ignore into t1 values (5,5,5);
rollback to x;
rollback;
select variable_name, variable_value from information_schema.session_status where variable_name rlike '^(handler_(delete|read_[kflp]|read_next|update|write)|rows_read|sort_)' and variable_value <> '0';
select variable_name from information_schema.global_variables where variable_name like 'wait_tim%';
show variables where variable_name='WAIT_TIMEOUT';
CREATE TABLE moved_by_update1 (id INT AUTO_INCREMENT PRIMARY KEY, a INT UNIQUE)
INSERT INTO moved_by_update1 VALUES (10, 1)
INSERT INTO moved_by_update1 VALUES (NULL, 1), (NULL, 1), (NULL, 1) ON DUPLICATE KEY UPDATE id = VALUES(id)
SELECT * FROM moved_by_update1
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update1'
INSERT INTO moved_by_update1 VALUES (NULL, 1), (NULL, 2), (NULL, 1) ON DUPLICATE KEY UPDATE id = VALUES(id)
SELECT * FROM moved_by_update1
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update1'
INSERT INTO moved_by_update1 VALUES (NULL, 1), (NULL, 1), (NULL, 3) ON DUPLICATE KEY UPDATE id = id + 1
SELECT * FROM moved_by_update1
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update1'
INSERT INTO moved_by_update1 VALUES (NULL, 1), (NULL, 1), (NULL, 3) ON DUPLICATE KEY UPDATE id = id + 100
SELECT * FROM moved_by_update1
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update1'
INSERT INTO moved_by_update1 VALUES (NULL, 1), (NULL, 1), (NULL, 4) ON DUPLICATE KEY UPDATE id = 500
SELECT * FROM moved_by_update1
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update1'
INSERT INTO moved_by_update1 VALUES (NULL, 5), (NULL, 1), (NULL, 6) ON DUPLICATE KEY UPDATE id = 700
SELECT * FROM moved_by_update1
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update1'
INSERT INTO moved_by_update1 VALUES (NULL, 1), (NULL, 1), (NULL, 7) ON DUPLICATE KEY UPDATE a = a
SELECT * FROM moved_by_update1
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update1'
CREATE TABLE moved_by_update2 (id INT AUTO_INCREMENT PRIMARY KEY, a INT UNIQUE)
INSERT INTO moved_by_update2 VALUES (10, 1),(20,2)
INSERT INTO moved_by_update2 (a) SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 1 UNION ALL SELECT 3 ON DUPLICATE KEY UPDATE id = VALUES(id)
SELECT * FROM moved_by_update2
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update2'
INSERT IGNORE INTO moved_by_update2 (a) VALUES (1),(2),(1),(4) ON DUPLICATE KEY UPDATE id = id+30
SELECT * FROM moved_by_update2
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update2'
INSERT INTO moved_by_update2 (id,a) VALUES (5,1),(6,2),(NULL,1),(NULL,5) ON DUPLICATE KEY UPDATE id = VALUES(id)
SELECT * FROM moved_by_update2
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update2'
INSERT INTO moved_by_update2 (id,a) VALUES (NULL,7),(200,2),(NULL,1),(NULL,6) ON DUPLICATE KEY UPDATE id = VALUES(id)
SELECT * FROM moved_by_update2
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update2'
INSERT INTO moved_by_update2 (id,a) VALUES (NULL,2),(NULL,1),(NULL,8) ON DUPLICATE KEY UPDATE id = id-1
SELECT * FROM moved_by_update2
SELECT LAST_INSERT_ID()
SELECT AUTO_INCREMENT FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'moved_by_update2'
CREATE TABLE own (id INT AUTO_INCREMENT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES own (id));
INSERT INTO own VALUES (1, NULL), (11, NULL);
INSERT IGNORE INTO own (p) VALUES (4), (11), (5), (1);
INSERT IGNORE INTO own (p) SELECT 4 FROM own;
SHOW CREATE TABLE own;
SELECT * FROM own;
CREATE TABLE numbered (id INT AUTO_INCREMENT PRIMARY KEY, a INT);
CREATE VIEW numberless AS SELECT a FROM numbered;
CREATE VIEW numbering AS SELECT id AS n, a FROM numbered;
INSERT INTO numbered (a) VALUES (1);
SELECT LAST_INSERT_ID();
INSERT INTO numberless VALUES (2);
SELECT LAST_INSERT_ID();
INSERT INTO numberless SELECT a FROM numbered;
SELECT LAST_INSERT_ID();
INSERT INTO numbering (a) VALUES (3);
SELECT LAST_INSERT_ID();
REPLACE INTO numberless VALUES (2), (3);
SELECT LAST_INSERT_ID();
INSERT INTO numberless VALUES (NULL) RETURNING a;
SELECT LAST_INSERT_ID();
