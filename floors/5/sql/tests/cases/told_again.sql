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
