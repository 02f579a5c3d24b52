-- An AUTO_INCREMENT column whose default was dropped, bare NULL for a generated column, and what is told of definitions.
create table t1 (id int auto_increment primary key, c0 int)
alter table t1 alter id drop default
create view v1 as select * from t1
show columns from v1
insert into t1 (c0) values (1)
insert into t1 values (default, 2)
insert ignore into t1 values (default, 3)
insert into t1 values (null, 4), (0, 5)
insert into t1 () values ()
insert into t1 set c0 = 6, id = default
insert into v1 values (default, 7)
replace into t1 values (default, 8)
update t1 set id = default where id = 1
update ignore t1 set id = default where id = 1
select * from t1 order by id
create table t2 as select id from t1
show create table t2
set sql_mode = ''
insert into t1 values (default, 2), (default, 3)
update t1 set id = default where id = 1
select * from t1 order by id
set sql_mode = default
create table t3 (id int not null primary key, c0 int, c1 int, c2 datetime(3) generated always as ('2001-01-01') stored unique)
insert into t3 (id, c0) values (2, 0)
insert into t3 (c2, c1, c0, id) values (null, 7, 30, 7) on duplicate key update c0 = 5
insert into t3 (c2, c1, c0, id) values (null, 7, 30, 7)
insert into t3 (c2, c1, c0, id) values ('2020-01-01', 7, 30, 7)
insert into t3 (c2, c1, c0, id) values (nullif(1, 1), 7, 30, 7)
replace into t3 (c2, id) values (null, 7)
update t3 set c2 = null
select * from t3
create table t4 (a int, foreign key (a) references t3 (id) on delete set null on update set default)
create table t5 (a int, foreign key (a) references t3 (id) on delete set default)
select constraint_name, update_rule, delete_rule from information_schema.referential_constraints where constraint_schema = database() order by 1
create table t6 (id int not null primary key, c1 blob unique, c2 text not null unique, c3 int unique, c4 int not null unique, c5 json unique)
show create table t6
create table t7 (c0 int default (concat('x', -1)), c2 int default 'a')
create table t7 (c0 int default 'a', c2 int default (concat('x', -1)))
create table t7 (c0 int default (nosuch), c2 int default 'a')
-- CHAR behind windows, counts in temporary tables, common table expressions in views
create table t8 (id int auto_increment primary key, c1 char, c2 char(3), c5 binary(2), c7 smallint unsigned)
create table t9 as select lead(c1) over (order by id) a, max(c2) over () b, max(c2) c, nth_value(c5, 1) over (order by id) d from t8 group by c1, id
show create table t9
select a, b from (select lead(c1) over (order by id) a, max(c2) over () b from t8) q
create table t10 as select sum(r1), r1 + 1, avg(r1), r0 + 1 from (select 1 r0, count(*) r1 from t8 group by id) d group by r1, r0
show create table t10
create view v3 as with w1 as (select 1 r0 from t8) select a.c7 * w1.r0, w1.r0 + 1 from t8 a, w1
show columns from v3
create or replace view v3 as with w1 as (select id from t8) select 1 as r0 from w1 join v3 on nosuch
create or replace view v3 as with v3 as (select id from t8) select nosuch from v3
create or replace view v3 as with w1 as (select id from t8) select 1 from w1 join v3 join nosuch
-- constants that IS NULL cannot hold for, and windows over integers, in the texts of views
create view v4 as select 1 from t8 where id is null or isnull(5) or rand() is null or (select 1) is null or abs(1) is null or 1 / 2 is null or -1 is null or now() is null or (1 is null) is null or coalesce(1, 2) is null or not (1 is null) or upper('a') is null or (id = 1) is null
create view v5 as select id is null, 'a' is not null, database() is null, '2021-03-01' is null, left('a', 1) is null, pi() is null, cast('2020-01-01' as date) is null, unix_timestamp() is null from t8 group by 'y' is null having 1 is null
create view v6 as select 1 from (select 1 is null x from t8) d where (select 2 is null) and exists (select 1 from t8 where 3 is null) and d.x is null union select 4 is null
select table_name, view_definition from information_schema.views where table_schema = database() and table_name in ('v4', 'v5', 'v6') order by 1
show create view v5
create view v7 as select rank() over (partition by 4 order by 5 desc, id) a, sum(2) over w b from t8 window w as (partition by true order by 2.5, 'a', -1, null, 1 + 1)
show create view v7
select * from v7
-- conditions on later parts of indexes, the order in which changes find rows
create table t11 (id int primary key, c0 int, c3 time not null, c4 int not null)
insert into t11 values (1, 1, '10:00:00', 4)
update t11 set c0 = id where c3 is null
create unique index k6 on t11 (id, c3)
update t11 set c0 = id where c3 is null
delete from t11 where c3 is null returning id
delete from t11 where c4 is null returning id
create table t12 (id bigint unsigned not null unique, c0 int unique, c1 int)
insert into t12 values (4, 1, 1), (1, 10, 1), (3, 5, 1), (2, 8, 1)
explain update t12 set c0 = id
update ignore t12 set c0 = id
select * from t12 order by id
delete from t12 limit 1
update t12 set c1 = 100 limit 1
update t12 set c1 = 200 where c1 > 0 order by c1 limit 1
select * from t12 order by id
-- virtual columns that come in place, what an UPDATE names again, rows put into joins of queries
create table t13 (id int primary key, c0 int, c2 char(8), key (c0))
insert into t13 values (1, 5, 'a'), (2, 6, 'b')
create table t14 (a int)
set sql_mode = ''
alter table t13 add column n1 tinyint as (c0 + 1000)
alter table t13 add column n2 tinyint as (c0 + 1000), add index (c2)
alter table t13 add column n3 tinyint as (c0 + 1000), add column n4 int
alter table t13 add column n5 tinyint as (c0 + 1000) stored
set sql_mode = default
alter table t13 drop n1, drop n2, drop n3
alter table t13 drop n5
alter table t13 rename column x3 to n10, change x0 n8 text
alter table t13 change x0 n8 text, rename column x3 to n10
alter table t13 change x0 n8 text, alter x3 drop default
create view v8 as select id, c0 from t13 where c0 in (select c0 from t13)
update v8 set c0 = 1
update v8 set c0 = 2 where exists (select id from v8 a)
update v8 set c0 = 6 where exists (select id from t13 a)
update v8 set c0 = (select max(id) + 5 from v8 a) where id = 1
delete from v8 where exists (select id from v8 a)
select id, c0 from t13
create view v9 as select r0 from (select a r0 from t14) q
create view v10 as select x.c0 r0, x.id r1, y.r0 r2 from t13 x join v9 y
insert into v10 (r0, r1) values (1, 10)
insert into v10 (r2) values (1)
create or replace view v9 as select r0 from (select distinct a r0 from t14) q
insert into v10 (r0, r1) values (1, 10)
create or replace view v9 as select a r0 from t14
insert into v10 (r0, r1) values (1, 11)
-- CHAR with its spaces where it is read while it is written, NULL of a temporary table in UNION
set sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'
create table t17 (id int primary key, c0 varchar(20), c1 varchar(10), c2 char(8), c3 char(4), check (length(c2) > 7))
insert into t17 values (1, 'x', 'y', 'z', 'w')
update t17 set c2 = 'pq', c0 = concat(c2, '|'), c1 = length(c2), c3 = c2
select *, length(c3) from t17
insert into t17 (id, c2, c0, c1) values (2, 'ab', concat(c2, '|'), length(c2))
insert into t17 (id, c2, c0) values (2, 'ab', 'q') on duplicate key update c0 = concat(values(c2), '|'), c1 = length(values(c2))
select * from t17
alter table t17 modify c3 varchar(20), drop constraint CONSTRAINT_1
select *, length(c3) from t17
set sql_mode = default
create table t18 select r1 from (select distinct 'q' r0, null r1 from t17) d union select 1
show create table t18
create table t19 select r1 from (select distinct 'q' r0, null r1 from t17) d union select 'abc'
show create table t19
-- defaults that read columns which have no value yet
create table t20 (n varchar(20) not null default (id), id int not null primary key)
insert into t20 (n, id) values (default, 22)
insert into t20 (n, id) values ('10', 38), (default, 39)
select * from t20
create table t21 (n varchar(20) not null default (c), id int not null primary key, c int)
insert into t21 (n, id, c) values (default, 82, 5), (default, 83, 6)
insert ignore into t21 (n, id, c) values (default, 92, 5), (default, 93, 6)
insert ignore into t21 (id) values (61), (62)
insert into t21 (id, c) values (63, 4)
select * from t21
-- tables joined by commas and by words beside IS NULL
create view v11 as select 1 from t20 a cross join t21 b, t20 c where 1 is null or a.n is null
select view_definition from information_schema.views where table_schema = database() and table_name = 'v11'
