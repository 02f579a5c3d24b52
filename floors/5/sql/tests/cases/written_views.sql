-- Rows through views: what is refused, in which order it is told, what CHECK OPTION holds of joins, notes of missing keys.
create table t1 (id int auto_increment primary key, c0 int, c1 varchar(10), c3 bigint not null)
create table t2 (id int auto_increment primary key, c0 int, c1 varchar(10))
create or replace view v1 as select 1 r0, a1.c3 r1, -1 r2 from t1 a1 with local check option
replace into v1 (r0, r1) select c1, c0 from t2
replace into v1 (r0, r1) values (1,2)
insert into v1 (r1) values (1)
insert into v1 (r1) select 1
create or replace view v2 as select c1 from t1
replace into v2 (c1) select 1
replace into v2 (c1) values (1)
create or replace view v3 as select 'x y' r0 from (select '-1' r0 from t2 a2 right join t2 a3 on 1) a1
update v3 set r0 = 1 where null >= all (select 1 from v3)
update v3 set r0 = 1
update v3 set r0 = 1 where 0
update v3 set r0 = 1 order by r0 limit 1
delete from v3
delete from v3 using v3 left join t1 on v3.r0 = t1.id where 1
delete v3 from v3
update v3, t1 set v3.r0 = 1 where v3.r0 = t1.id
insert into v3 values (1)
replace into v3 values (1)
create or replace view v4 as select 'm%' as r0, a1.r1 as r1 from (select c1 r0, c0 r1 from t1) a1
update v4, t1 set v4.r0 = 1 where v4.r1 = t1.id
update v4 set r0 = 1
update v4 set r1 = 1
delete from v4
delete v4 from v4
insert into v4 (r1) values (1)
create or replace algorithm=temptable view v7 as select 1 r0, 1 r1 from t1
create or replace view v9 as select '2020' r0, 1 r1 from v7
update v9 set r0 = 1
update v9 set r0 = 1 where 0
update v9, t2 set v9.r0 = 1
delete from v9
delete v9 from v9, t2
insert into v9 values (1,2)
create or replace view v10 as select 1 r0, 2 r1 from t2 a2 cross join t2 a3
update v10 set r0 = 1
delete from v10
delete from v10 using v10 left join t1 on v10.r1=t1.id
insert into v10 values (1,2)
create or replace view v11 as select 1 r0, a1.r0 r1 from (select 'm' r0, a2.c0 r1 from t2 a2 cross join t2 a3) a1
update v11 set r0 = 1
delete from v11
delete from v11 using v11 left join t1 on v11.r1=t1.id
update v11, t1 set v11.r0 = 1 where v11.r1=t1.id
create or replace view v12 as select 1 r0, a1.r0 r1 from (select distinct c0 r0 from t2 a2) a1
update v12 set r0 = 1
delete from v12
update v12, t1 set v12.r0 = 1 where v12.r1=t1.id
create or replace view v13 as select 1 r0, a1.r0 r1 from (select 1 r0) a1
update v13 set r0 = 1
delete from v13
create or replace view v14 as select 1 r0, a1.r0 r1 from (select c0 r0 from t2 a2) a1
update v14 set r0 = 1
update v14 set r0 = 1 where r0 in (select r0 from v14)
delete from v14
create or replace view v15 as select 1 r0, a1.r0 r1 from (select c0 r0 from t2 a2) a1 join (select c0 r0 from t2) a2
update v15 set r0 = 1
delete from v15
create or replace algorithm=temptable view v16 as select c3 r0 from t1 group by c3
update v16 set r0 = 1 where exists (select 1 from v16 a1 right join v16 a2 on r0)
update v16 set r0 = 1 where nope = 1
update v16 set nope = 1
delete from v16 where nope = 1
delete from v16 where exists (select 1 from v16 a1 right join v16 a2 on r0)
insert into v16 (nope) values (1)
insert into v16 values (1,2,3)
create or replace view v17 as select a2.c1 r0, a2.c0 r1 from t2 a1 cross join t2 a2
replace into v17 (r0, r1) select v17.r0, 1 from v17
insert into v17 (r0, r1) select v17.r0, 1 from v17
replace into v17 (r0, r1) values (1,2)
create or replace view v18 as select a2.c1 r0, a2.c3 r1 from t1 a1 cross join t1 a2
insert into v18 (r0) values (1)
insert into v18 (r0) select 1
replace into v18 (r0) select 1
create or replace view v19 as select c1 from t1 where 'a' with check option
replace into v19 () values ()
insert into v19 () values ()
replace into v19 values ()
replace into v19 () values (),()
create or replace view v20 as select a2.c3 r0 from t1 a1 join t1 a2 on 'a' with check option
insert into v20 (r0) values (27)
create or replace view v21 as select a2.c3 r0 from t1 a1 join t1 a2 on 'a' where a2.c3 > 3 with check option
insert into v21 (r0) values (27)
insert into v21 (r0) values (1)
create or replace view v22 as select a2.c3 r0 from t1 a1 join t1 a2 on a1.id = a2.id with check option
insert into v22 (r0) values (1)
insert ignore into v22 (r0) values (1)
create or replace view v23 as select a2.c3 r0 from t1 a1 join t1 a2 on 1 with check option
insert into v23 (r0) values (1)
create or replace view v24 as select a2.c3 r0 from t1 a1 join t1 a2 with check option
insert into v24 (r0) values (1)
create or replace view v25 as select a2.c3 r0 from t1 a1 join t1 a2 on a2.c3 > 3 with check option
insert into v25 (r0) values (1)
insert into v25 (r0) values (8)
drop table if exists t1
drop table if exists t2
drop table if exists t3
drop table if exists t4
drop table if exists t5
create table t1 (id int auto_increment primary key, c0 int, c1 varchar(10), c3 bigint not null default 5)
create table t2 (id int auto_increment primary key, c0 int, c1 varchar(10), unique(c0))
create table t3 (a int, b int)
insert into t3 values (1,1),(2,2)
create or replace view v1 as select c0, c1 from t1
insert into v1 select a, b from t3 limit 1
insert into v1 select a, b from t3
insert into v1 (select a, b from t3 limit 1)
insert into v1 select a, b from t3 order by a limit 1
insert into v1 select a, b from (select * from t3 limit 1) d
insert into v1 select a, b from t3 union select 1,2 limit 1
replace into v1 select a, b from t3 limit 1
insert into v1 values (1,1)
insert ignore into v1 select a, b from t3 limit 2
insert into v1 select a, b from t3 limit 2 on duplicate key update c0 = 1
insert into v1 select 1,2 limit 1
insert into v1 select a, b from t3 limit 0
create or replace view v2 as select c0, id from t1
insert into v2 (c0) select a from t3 limit 1
create or replace view v3 as select c0, c1 from t2
insert into v3 (c0) select a from t3 limit 1
create or replace view v4 as select a, b from t3
insert into v4 (a) select a from t3 limit 1
create or replace view v44 as select a, b+1 from t3
insert into v44 (a) select a from t3 limit 1
create or replace view v45 as select a from t3
insert into v45 (a) select a from t3 limit 1
update v45 set a = 3 limit 1
update v44 set a = 3 limit 1
update v4 set a = 3 limit 1
update v1 set c0 = 3 limit 1
delete from v1 limit 1
create or replace view v5 as select x.id, x.c0 from t1 x join t1 y
insert into v5 (c0) select a from t3 limit 1
create or replace view v6 as select x.c0, y.c1 from t1 x join t1 y
insert into v6 (c0) select a from t3 limit 1
insert into v6 (c1) select a from t3 limit 1
create or replace view v7 as select y.id, x.c0, y.c1 from t1 x join t1 y
insert into v7 (c0) select a from t3 limit 1
insert into v7 (c1) select a from t3 limit 1
create table t4 (id int primary key, c int, d int not null)
create or replace view v8 as select c, 1 k from t4
insert into v8 (c) select a from t3 limit 1
insert into v8 (k) select a from t3 limit 1
insert into v8 select a, b from t3 limit 1
insert into v8 (nope) select a from t3 limit 1
insert into v8 (c) select a, b from t3 limit 1
insert into v8 (c) select zz from t3 limit 1
insert into t4 (c) select a from t3 limit 1
create table t5 (id int auto_increment primary key, c0 int not null, c1 int, unique(c0))
create or replace view v9 as select c0, c1 from t5
insert into v9 select a,b from t3 limit 1
drop table if exists t1
drop table if exists t2
drop table if exists t3
drop table if exists t4
drop table if exists t5
create table t1 (id int auto_increment primary key, c0 int, c1 varchar(10), c3 bigint not null default 5)
create table t2 (id int auto_increment primary key, c0 int, c1 varchar(10), unique(c0))
create or replace view v1 as select c0, c1 from t1
update v1 set c0=3 where 0 limit 1
delete from v1 where 0 limit 1
update v1 set c0=3 limit 0
delete from v1 limit 0
update v1 set nope=3 limit 1
update v1 set c0='abc' limit 1
update v1 set c0=3 where c0 in (select c0 from v1) limit 1
delete from v1 where c0 in (select c0 from v1) limit 1
delete from v1 where c0 in (select c0 from v1) limit 1 returning *
delete v1 from v1 join t2
update v1 join t2 set v1.c0 = 1
create or replace view v20 as select a2.c3 r0, a1.c0 r1 from t1 a1 join t1 a2 on a2.c3 > 3 and a1.c0 > 5 with check option
insert into v20 (r0) values (1)
insert into v20 (r0) values (4)
insert into v20 (r0) values (4)
insert into v20 (r1) values (4)
insert into v20 (r1) values (14)
create or replace view v21 as select a2.c3 r0, a1.c0 r1 from t2 a1 join t1 a2 on a2.c3 > 3 and a1.c0 is null with check option
insert into v21 (r0) values (4)
insert into v21 (r0) values (1)
insert into v21 (r1) values (1)
create or replace view v22 as select a2.c3 r0, a1.c0 r1 from t2 a1 join t1 a2 on a2.c3 > 3 and a1.id = 0 with check option
insert into v22 (r0) values (4)
create or replace view v23 as select a2.c3 r0, a1.c0 r1 from t2 a1 join t1 a2 on a2.c3 > 3 and a1.c0 > 0 with check option
insert into v23 (r0) values (4)
create or replace view v24 as select a2.c3 r0, a1.c0 r1 from t2 a1 join t1 a2 on a2.c3 > 3 and a1.c0 = a2.c0 with check option
insert into v24 (r0) values (4)
create or replace view v25 as select a2.c3 r0, a1.c0 r1 from t2 a1 join t1 a2 on a2.c3 > 3 and a1.id < a2.id with check option
insert into v25 (r0) values (4)
insert into v25 (r1) values (444)
create or replace view v3 as select 'x y' r0, c0 r1 from (select c0 from t2) a1
update v3 set r0 = 1 where r1 in (select r1 from v3)
update v3 set r1 = 1 where r1 in (select r1 from v3)
update v3 set r1 = 1, r0 = 2 where r1 in (select r1 from v3)
update v3 set nope = 1 where r1 in (select r1 from v3)
update v3 set nope = 1
update v3 set r1 = 1 where nope = 1
delete from v3 where r1 in (select r1 from v3)
delete from v3 where nope in (select r1 from v3)
create or replace algorithm=temptable view v7 as select 1 r0, c0 r1 from t1
create or replace view v9 as select '2020' r0, r1 from v7
update v9 set r0 = 1 where r1 in (select r1 from v9)
update v9 set r1 = 1 where r1 in (select r1 from v9)
update v9, t2 set v9.r1 = 1
update v9, t2 set v9.r0 = 1
update v9, t2 set v9.nope = 1
update v9, t2 set v9.r1 = 1 where nope = 1
update v7, t2 set v7.r0 = 1
update v7, t2 set v7.nope = 1
update v7, t2 set v7.r0 = 1 where nope = 3
update v7 set r0 = 1 where nope = 3
update v7 set nope = 1
update v7 set r0 = nope
update v7 set r0 = 1 order by nope
delete from v7 where nope = 1
delete v7 from v7 where nope = 1
delete v7 from v7, t2 where nope = 1
delete v9 from v9 where nope = 1
delete v3 from v3 where nope = 1
create or replace view v12 as select distinct c0 r0 from t1
update v12 set r0 = 1 where nope = 1
update v12 set nope = 1
create or replace view v13 as select c0+1 r0, c0 r1 from t1
update v13 set r0 = 1 where nope = 1
update v13 set r0 = 1
update v13 set nope = 1
update v13 set r0 = nope
create or replace view v14 as select x.c0+1 r0, x.c0 r1 from t1 x join t2 y
update v14 set r0 = 1 where nope = 1
update v14 set r0 = 1
update v14 set nope = 1
update v14 set r0 = nope
update v14 set r1 = nope
update v14 set r1 = 1 where nope = 1
create or replace view v15 as select x.c0+1 r0, x.c0 r1 from t1 x left join t2 y on x.id = y.id
update v15 set r0 = 1
delete from v15
delete v15 from v15
insert into v15 (r1) values (1)
create or replace view v16 as select c0 r0 from t1 union select c0 from t2
update v16 set r0 = 1
update v16 set nope = 1
update v16, t2 set v16.r0 = 1
delete from v16
delete v16 from v16
create or replace view v17 as select v7.r1 r0, v7.r1+1 r1 from v7 join t1
update v17 set r0 = 1
update v17 set r1 = 1
delete from v17
delete v17 from v17
update v17, t2 set v17.r0 = 1
create or replace view v18 as select r1 r0, r1+1 r1 from v3
update v18 set r0 = 1
update v18 set r1 = 1
delete from v18
delete v18 from v18
update v18, t2 set v18.r0 = 1
update v18, t2 set v18.r1 = 1
drop table if exists t1
drop table if exists t2
drop table if exists t3
drop table if exists t4
drop table if exists t5
create table t1 (id int auto_increment primary key, c0 int, c1 varchar(10), c3 bigint not null default 5)
create or replace view v1 as select c0, c1 from t1 where 'a' with check option
insert into v1 values (1,2)
insert ignore into v1 values (1,2),(2,3)
create or replace view v2 as select c0, c1 from t1 where c1 with check option
insert into v2 values (1,'a')
insert ignore into v2 values (1,'a'),(1,'b')
create or replace view v20 as select a2.c3 r0 from t1 a1 join t1 a2 on 'a' with check option
insert into v20 (r0) values (27)
insert ignore into v20 (r0) values (27), (28)
set sql_mode=''
insert into v1 values (1,2)
insert ignore into v1 values (1,2),(2,3)
insert into v2 values (1,'a')
insert into v20 (r0) values (27)
insert ignore into v20 (r0) values (27), (28)
create or replace view v3 as select id, c0, c1 from t1 where id = 0 with check option
insert into v3 values (null, 1, 2)
insert into v3 (c0) values (1)
insert into v3 values (5, 1, 2)
insert into v3 values (0, 1, 2)
create or replace view v4 as select id, c0, c1 from t1 where id > 0 with check option
insert into v4 values (null, 1, 2)
insert into v4 (c0) values (1)
insert into v4 values (5, 1, 2)
insert into v4 values (0, 1, 2)
create or replace view v5 as select id, c0, c1 from t1 where id is null with check option
insert into v5 values (null, 1, 2)
set sql_mode='STRICT_TRANS_TABLES'
insert into t1 (c0, c1) values (10, 1), (20, 2)
update v2 set c1 = 'a'
update v2 set c0 = 9
update v2 set c1 = '0a' where c0 = 9
update ignore v2 set c1 = 'a'
insert into v2 values (1,'1a')
set sql_mode = ''
update v2 set c1 = 'a'
drop table if exists t1
drop table if exists t2
drop table if exists t3
drop table if exists t4
drop table if exists t5
create table t1 (id int auto_increment primary key, c0 int, c1 varchar(10), c3 bigint not null default 5)
create table t2 (id int auto_increment primary key, c0 int)
create or replace view v1 as select c0, c1 from t1
insert into v1 () values ()
insert into v1 values ()
insert into v1 values (),()
insert into v1 values (),(1,2)
insert into v1 values (1,2),()
create or replace view v2 as select * from t1
insert into v2 () values ()
insert into v2 values ()
create or replace view v3 as select c0+1, c1 from t1
insert into v3 () values ()
create or replace view v4 as select t1.c0 from t1 join t2
insert into v4 () values ()
insert into v4 values ()
create or replace algorithm=temptable view v5 as select t1.c0 from t1
insert into v5 () values ()
create or replace view v6 as select distinct c0 from t1
insert into v6 () values ()
update t1, t2 set t1.c0 = nope
update t1, t2 set t1.c0 = t2.nope, t1.nope = 3
update t1 set c0 = nope
update t1 set c0 = (select 1 from t1 x where x.nope = 1)
-- LOCAL CHECK OPTION holds rows against the view's own joins, and not against what the views under it want.
CREATE TABLE joined (id INT PRIMARY KEY, c INT, d VARCHAR(10));
CREATE VIEW under AS SELECT * FROM joined WHERE c < 100;
CREATE VIEW by_on AS SELECT a.id, a.c FROM under a JOIN joined b ON a.c = b.c WITH LOCAL CHECK OPTION;
INSERT INTO by_on (id, c) VALUES (1, 3);
CREATE VIEW by_name AS SELECT a.id, a.c FROM joined a JOIN joined b USING (c) WHERE a.id < 50 WITH LOCAL CHECK OPTION;
INSERT INTO by_name (id, c) VALUES (2, 3);
CREATE VIEW by_all_names AS SELECT a.id, a.c FROM under a NATURAL JOIN joined b WITH LOCAL CHECK OPTION;
INSERT INTO by_all_names (id, c) VALUES (3, 3);
CREATE VIEW by_nothing AS SELECT a.id, a.c FROM under a JOIN joined b WITH LOCAL CHECK OPTION;
INSERT INTO by_nothing (id, c) VALUES (4, 300);
SELECT * FROM joined;
DROP VIEW by_nothing, by_all_names, by_name, by_on, under;
DROP TABLE joined;
-- A unique key of long text is kept as a digest, which no view shows.
CREATE TABLE digests (t TINYTEXT NOT NULL UNIQUE, n INT);
CREATE VIEW of_digests AS SELECT * FROM digests;
UPDATE of_digests SET n = 1 LIMIT 1;
CREATE OR REPLACE TABLE digests (t TINYTEXT NOT NULL, n INT, UNIQUE (t(10)));
UPDATE of_digests SET n = 1 LIMIT 1;
DROP VIEW of_digests;
DROP TABLE digests;
