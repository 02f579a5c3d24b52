-- Which changes of a table copy its rows, what keys and defaults become, and what is refused in which order.
create table b (id int auto_increment primary key, c0 int, c1 varchar(10) not null, t mediumtext)
insert into b values (1,2,'a','x'),(2,3,'b','y')
alter ignore table b add n1 int after c0
alter ignore table b add n2 int as (1)
alter ignore table b add index (c0)
alter ignore table b add unique (c0)
alter ignore table b drop index c0
alter ignore table b modify c0 bigint
alter ignore table b rename column c0 to c00
alter table b modify c1 varchar(20)
alter table b add n4 int, add n5 int as (1)
alter table b drop n5
alter table b add n5 int as (1), add index (n4)
alter table b add n6 int as (1), engine=innodb
alter table b auto_increment=100
alter table b auto_increment=101, add n7 int as (1)
alter table b rename to b2, add m2 int as (1)
alter table b2 rename to b, drop m2
alter table b add m3 int as (1), alter c1 set default 'a'
alter table b add m5 int as (1), rename column c1 to cc1
alter table b add m6 int as (1) first
alter table b drop m6
alter table b drop m5, drop m3
alter table b add m8 int after id
alter table b modify m8 int after n4
alter table b add constraint x check (m8 > 0), add u1 int as (1)
alter table b drop constraint x
alter table b add u2 int check (u2 > 0)
alter table b add u4 int default (3)
alter table b add u5 int default (c00)
alter table b add u7 datetime default (now())
alter table b force
alter table b modify m8 int(5)
alter table b modify m8 int(5) zerofill
alter table b modify t longtext
alter table b modify cc1 varchar(300)
alter table b modify cc1 varchar(200)
create table h (id int primary key, c0 int, c1 varchar(10), t mediumtext, u1 int, unique (t))
insert into h values (1,2,'a','x',1),(2,3,'b','y',1)
alter ignore table h alter c1 set default 'q'
alter table h comment 'x'
alter table h rename column c0 to c00
alter table h drop index t
alter table h modify c1 varchar(60)
alter table h modify c1 varchar(70)
create table d (id int primary key, a date not null, b datetime, c date)
set sql_mode=''
insert into d values (1,'0000-00-00','0000-00-00','2000-00-01'),(2,'2000-00-00','2001-00-00','0000-00-00')
set sql_mode='NO_ZERO_DATE'
alter table d drop primary key
set sql_mode='NO_ZERO_DATE,NO_ZERO_IN_DATE'
alter table d modify a date not null, modify id bigint
select * from d
set sql_mode='STRICT_TRANS_TABLES'
create table t15 (id int primary key, c1 TIME GENERATED ALWAYS AS ('a') PERSISTENT)
set sql_mode='TRADITIONAL'
create table t16 (id int primary key, c1 TIME GENERATED ALWAYS AS ('a') PERSISTENT)
create table t17 (id int primary key, c1 TIME GENERATED ALWAYS AS ('a') virtual)
create table t18 (id int, c0 double check (c0), constraint f14 foreign key (c0) references t2 (id) on update set default)
create table t18 (id int, c0 double check (c0), constraint f14 foreign key (c0) references t2 (id) on update cascade)
create table t18 (id int, c0 double check (c0), constraint f14 foreign key (c0) references t2 (id) on update set null)
create table t18 (id int, c0 double check (c0), constraint f14 foreign key (c0) references t2 (id) on delete set null)
create table t18 (id int, c0 double check (c0), constraint f14 foreign key (c0) references t2 (id) on delete set default)
create table t18 (id int, c0 double check (c0), constraint f14 foreign key (c0) references t2 (id) on delete restrict)
create table t19 (id int, c0 int, c1 int as (c0) stored,  foreign key (c0) references t2 (id) on update set null)
create table t19 (id int, c0 int, c1 bit(3) as (c0) stored,  foreign key (c0) references t2 (id) on update set null)
create table t19 (id int, c0 int, c1 int as (c0) stored,  foreign key (c0) references t2 (id) on delete set null)
create table t19 (id int, c0 int, c1 int as (c0) stored,  foreign key (c0) references t2 (id) on delete set default)
create table t19 (id int, c0 int, c1 int as (c0) stored,  foreign key (c0) references t2 (id) on update set default)
create table t19 (id int, c0 int, c1 int as (c0) stored,  foreign key (c0) references t2 (id) on update cascade)
create table t19 (id int, c0 int, c1 int as (c0) stored,  foreign key (c0) references t2 (id) on delete cascade)
create table t19 (id int, c0 int, c1 int as (c0) virtual,  foreign key (c0) references t2 (id) on update cascade)
create table t19 (id int, c0 int, c1 int as (c0) virtual,  foreign key (c0) references t2 (id) on update set null)
set sql_mode=''
create table r (id int primary key)
create table c (id int primary key, a int, foreign key (a) references r(id) on delete restrict on update cascade)
create table c2 (id int primary key, a int, foreign key (a) references r(id) on delete set default)
create table c3 (id int primary key, a int, foreign key (a) references r(id) on delete no action on update set default)
create table c4 (id int primary key, a int, foreign key (a) references r(id) on delete set null on update set null)
insert ignore into c values (1,1)
insert ignore into c2 values (1,1)
insert ignore into c3 values (1,1)
insert ignore into c4 values (1,1)
insert into c values (1,1)
insert into c2 values (1,1)
insert into c3 values (1,1)
drop table c
drop table c4
drop table c2
create table al (id int primary key, c1 varchar(10), c2 int, c3 int)
alter table al change c1 n6 int, add check (c1)
alter table al rename column c1 to n7, add constraint k check (c1 > 1)
alter table al drop column c1, add constraint k check (c1 > 1)
alter table al add check (zz > 1)
alter table al add x int as (zz)
alter table al add x int default (zz)
create table al2 (id int check (zz>1))
create table al2 (id int as (zz))
create table al2 (id int default (zz))
create table al3 (a int, b int as (a), c int check (a>1), d int default (a))
alter table al3 drop column a
alter table al3 drop column b, drop column a
alter table al3 drop column b, drop column d, drop column a
create table al4 (id int auto_increment primary key, c1 enum('x','y') default 1, primary key (c1))
create table al4 (id int auto_increment primary key, c1 enum('x','y') default 1)
create table al4 (id int primary key, c1 int default 'x', primary key (c1))
create table al4 (id int primary key, c1 date default 'x', primary key (c1))
create table al4 (id int primary key, c1 int default 'x', c1 int)
create table al4 (id int, c1 set('x') default 'y', c1 int)
create table al4 (id int primary key, c1 int default (zz), primary key (id))
alter table al add primary key (c2,c2)
alter table al add primary key (c2,c9)
alter table al add unique (c2,c2)
alter table al drop primary key, add primary key (c2,c2)
set sql_mode='STRICT_TRANS_TABLES'
insert into al values (1,'a',null,1),(2,'b',2,null),(3,'c',-345,3)
alter table al drop primary key, add primary key (c2)
alter table al modify c2 int not null
set sql_mode=''
alter table al drop primary key, add primary key (c2)
alter table al add primary key (c3)
alter table al drop primary key
alter table al add primary key (c3)
alter table al add primary key (c2,c3)
set sql_mode='TRADITIONAL'
insert into al values (4,'c',-345,3000)
alter table al modify c2 char
alter table al modify c2 varchar(2)
alter table al modify c2 binary(2)
alter table al modify c2 text
alter table al modify c3 int zerofill
alter table al modify c3 varchar(5)
alter table al modify c3 enum('a')
alter table al add d double
update al set d=1.5e30
alter table al modify d varchar(3)
set sql_mode=''
alter table al modify d varchar(3)
alter table al modify c2 char
select * from al
set sql_mode='STRICT_TRANS_TABLES'
create table q3 (a set('x','y') default (left('10',3)), b int primary key)
create table q3 (a bit(3) default (7*99))
create table q4 (a int default ('abc'))
create table q5 (b int not null default (null))
create table q6 (d int default (1/0))
create table q8 (d int unsigned default (-1))
create table q9 (g varchar(2) default (concat('a','bc')))
create table q10 (id int auto_increment primary key)
alter table q10 alter column id set default 7
alter table q10 modify id int default (3 * null)
alter table q10 modify id bit(3) default (7 * 99.99)
alter table q10 drop index primary
alter table q10 drop index `primary`
create table q11 (id int primary key) default charset=latin1 collate=utf8mb4_bin character set utf8mb4
create table m (id int primary key, c0 mediumtext, c1 longtext, c2 decimal(10,2), unique key k5 (c0(1) desc), key k6 (c1(1) desc, c2))
insert into m values (1,'1','2',3)
alter table m modify c0 decimal(10,2)
alter table m modify c1 int
show create table m
create table n (c0 int, c1 varchar(10), c2 int)
alter table n order by c0
alter table n add unique (c0), modify c0 int not null
alter table n order by c1
create table g1 (a time as ('a') stored)
create table g1 (a time(6) as ('a') stored)
create table g1 (a datetime as ('a') stored)
create table g1 (a datetime(6) as ('a') stored)
create table g1 (a date as ('a') stored)
create table g1 (a timestamp as ('a') stored)
create or replace table g1 (a time as (1) stored)
create or replace table g1 (a time as (1.5) stored)
create or replace table g1 (a time(6) as (1.5) stored)
create or replace table g1 (a time as (1e0) stored)
create or replace table g1 (a time(6) as (1e0) stored)
create or replace table g1 (b time(3), a time as (b) stored)
create or replace table g1 (b time(3), a time(3) as (b) stored)
create or replace table g1 (b datetime(3), a time as (b) stored)
create or replace table g1 (b date, a time as (b) stored)
create or replace table g1 (b varchar(10), a time as (b) stored)
create or replace table g1 (b varchar(10), a date as (b) stored)
create or replace table g1 (b varchar(10), a time(6) as (b) stored)
create or replace table g1 (b varchar(10), a time as (b) virtual)
create or replace table g1 (b varchar(10), a time as (b) virtual, key (a))
create or replace table g1 (b int, a time as (b) stored)
create or replace table g1 (b decimal(10,3), a datetime as (b) stored)
create or replace table g1 (b decimal(10,0), a datetime as (b) stored)
create or replace table g1 (b double, a datetime(6) as (b) stored)
create or replace table g1 (b bit(4), a datetime(6) as (b) stored)
create or replace table g1 (b datetime(6), a date as (b) stored)
create or replace table g1 (b time(6), a date as (b) stored)
create or replace table g1 (b varchar(10), a timestamp as (b) stored)
create or replace table g1 (b time(6), a varchar(10) as (b) stored)
create or replace table g1 (b enum('a'), a time as (b) stored)
create or replace table g1 (b json, a time as (b) stored)
create or replace table g1 (a time as (null) stored)
create or replace table g1 (a time as (concat('a')) stored)
create or replace table g1 (b varchar(10), a date as (date(b)) stored)
create or replace table g1 (b varchar(10), a time as (if(b,b,b)) stored)
create or replace table g1 (b int, a year as (b) stored)
alter table g1 add x time as ('a') stored
create or replace table g1 (b char(10), a time default (b))
create or replace table g1 (b char(10), a int check (cast(b as time) > 1))
SET sql_mode='STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO'
CREATE TABLE checked_anew (id INT PRIMARY KEY, c0 INT, CHECK (1 < '90:00:00'))
INSERT IGNORE INTO checked_anew VALUES (1, 2)
ALTER TABLE checked_anew MODIFY c0 BIGINT
ALTER TABLE checked_anew ADD d INT
ALTER TABLE checked_anew ADD f INT AS (1) STORED
ALTER TABLE checked_anew ADD CHECK (c0 < 2)
ALTER TABLE checked_anew ORDER BY d
ALTER IGNORE TABLE checked_anew MODIFY c0 BIGINT
CREATE TABLE computed_anew (id INT PRIMARY KEY, a INT, c0 BINARY(3) AS (CONCAT('x y', a)), c1 INET6 AS (a), c2 TINYINT AS (a * 1000))
INSERT INTO computed_anew (id, a) VALUES (1, 1)
ALTER TABLE computed_anew FORCE
ALTER TABLE computed_anew ORDER BY a
ALTER TABLE computed_anew MODIFY a BIGINT
ALTER TABLE computed_anew DROP c1, DROP c0, MODIFY a BIGINT
ALTER IGNORE TABLE computed_anew MODIFY a BIGINT
CREATE TABLE divided_anew (id INT PRIMARY KEY, a INT, c0 INT AS (CONCAT('x', a)), d INT AS (a / 0))
INSERT INTO divided_anew (id, a) VALUES (1, 1)
ALTER TABLE divided_anew MODIFY a BIGINT
ALTER IGNORE TABLE divided_anew MODIFY a BIGINT
ALTER TABLE divided_anew DROP c0, DROP d, ADD x INT AS (id / 0) STORED
ALTER TABLE divided_anew ADD y INT DEFAULT (1 / 0)
ALTER TABLE divided_anew ADD z INT AS ('a' + 1) STORED
SET sql_mode=DEFAULT
CREATE TABLE held (r0 INT, r1 INT);
INSERT INTO held VALUES (0, 1), (1, 1), (2, NULL);
ALTER IGNORE TABLE held ADD CHECK (r0 < 2);
SELECT * FROM held;
ALTER IGNORE TABLE held ADD CHECK ('a');
SHOW CREATE TABLE held;
SELECT * FROM held;
CREATE TEMPORARY TABLE held_too (r0 INT);
INSERT INTO held_too VALUES (0), (1), (2);
ALTER IGNORE TABLE held_too ADD CHECK (r0 <> 1);
SELECT * FROM held_too;
CREATE TABLE lacking (id INT PRIMARY KEY, a INT);
INSERT INTO lacking VALUES (1, NULL), (2, 3);
ALTER TABLE lacking ADD n INT NOT NULL DEFAULT (a);
ALTER IGNORE TABLE lacking ADD n INT NOT NULL DEFAULT (a);
SELECT * FROM lacking;
CREATE TABLE keyed (id INT PRIMARY KEY, a INT, KEY b (a));
ALTER TABLE keyed ADD n BIGINT UNIQUE, ADD COLUMN IF NOT EXISTS n TIMESTAMP NULL UNIQUE;
ALTER TABLE keyed ADD COLUMN IF NOT EXISTS a INT UNIQUE;
ALTER TABLE keyed ADD COLUMN IF NOT EXISTS b INT UNIQUE;
ALTER TABLE keyed ADD COLUMN IF NOT EXISTS c INT PRIMARY KEY;
SHOW CREATE TABLE keyed;
SET sql_mode='STRICT_TRANS_TABLES'
CREATE TABLE stored_anew (id INT PRIMARY KEY, c0 SET('x','y') AS ('a') STORED, c1 TIME)
INSERT IGNORE INTO stored_anew (id) VALUES (1)
ALTER TABLE stored_anew ORDER BY c1
ALTER TABLE stored_anew MODIFY c1 DATETIME
ALTER TABLE stored_anew ADD c2 INT
SET sql_mode=DEFAULT
CREATE TABLE switched_anew (id INT PRIMARY KEY, c VARCHAR(20), x INT, v TINYINT AS (x * 1000), KEY (x))
INSERT INTO switched_anew (id, x) VALUES (1, 3)
SET sql_mode='STRICT_TRANS_TABLES'
ALTER TABLE switched_anew ADD d INT, DISABLE KEYS
ALTER TABLE switched_anew ADD d INT
SET sql_mode=''
ALTER TABLE switched_anew ADD e INT, DISABLE KEYS
CREATE TABLE failing_check (id INT PRIMARY KEY, c BIGINT, CHECK (c + 4))
INSERT IGNORE INTO failing_check VALUES (12, 1e20), (13, 27)
INSERT INTO failing_check VALUES (12, 1e20), (13, 27)
SET sql_mode=DEFAULT
