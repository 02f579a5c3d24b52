-- What statements may not read, name or leave out.
create table t1 (id int primary key, c1 int)
create table t2 (id int primary key, c1 int)
create view v1 as select id as vid, c1 from t1
create view v2 as select t2.id, t1.c1 from t1 join t2 on t1.id=t2.id
create algorithm=temptable view v3 as select id from t1
delete t1 from t1 join t2 on t1.id = t2.id where t2.c1 in (select c1 from t1)
delete t1 from t1 join t2 on t1.id = t2.id where t2.c1 in (select c1 from t2)
delete t1 from t1 where c1 in (select c1 from t1)
delete from t1 where c1 in (select c1 from t1)
delete from t1 using t1 where c1 in (select c1 from t1)
delete a from t1 a where c1 in (select c1 from t1)
delete t1 from t1 where c1 in (select c1 from v1)
delete t1 from t1 where c1 in (select c1 from v2 x)
delete t1 from t1 where id in (select id from v3)
delete t1 from t1 where c1 in (select c1 from (select c1 from t1) d)
delete t1 from t1, (select distinct c1 from t1) d
delete t1 from t1, v1
delete t1 from t1, t1 b
delete t1 from t1 where exists (select 1 from t2 where t2.c1 in (select c1 from t1))
delete t1, t2 from t1 join t2 where exists (select 1 from v1 a1 left join t2 a2 on 1 group by 'b', a2.c1)
update t1, t2 set t1.c1 = 1 where t2.c1 in (select c1 from t1)
create table g (id int not null primary key, c timestamp null generated always as (1))
create table g (id int not null primary key, c int not null as (1))
create table g (id int not null primary key, c int as (1) unique comment 'x')
-- A counter that is used up stays where it is.
create table ai (id int auto_increment primary key, v int)
insert ignore into ai values (1e20, 1)
insert ignore into ai values (0, 1)
insert ignore into ai values (0, 1)
show create table ai
create table at (id tinyint unsigned auto_increment primary key, v int)
insert into at values (254, 1)
insert into at (v) values (1), (2)
insert into at (v) values (1)
insert into at (v) values (1)
select * from at
show create table at
-- Keys tell a number with its digits.
create table dd (id int primary key, v double(8,2), w double(8,2) as (1), unique key (v))
insert into dd (id, v) values (1,1),(2,1)
insert ignore into dd (id, v) values (1,1),(2,1.5),(3,1.5)
create unique index k8 on dd (w)
-- Views that name themselves, compute what is inserted; columns added twice.
create table tv (id int auto_increment primary key, c0 int, c1 varchar(10))
create view v4 as select c0 as r0, 1 as r2 from tv
insert into v4 (r0) values (9)
insert into v4 (r0, r2) values (9, 8)
insert into v4 (r2) values (9)
insert into v4 values (9,8)
insert into v4 (zz) values (1)
replace into v4 (r0) values (1)
create view v5 as select c0 as a, c0 as b from tv
insert into v5 (a) values (1)
insert into v5 (a,b) values (1,2)
select * from tv
alter table tv add n9 int, add column if not exists n9 longblob
alter table tv add n10 int, add n11 int after n10
show columns from tv
create or replace view v6 as select 1 as a
create or replace view v6 as select a from v6
create or replace view v6 as select zz from v6
create or replace view v6 as select zz from tv join v6
create or replace view v6 as select 1 from tv where id in (select a from v6)
create view v6 as select a from v6
create view v33 as select a from v33
create view if not exists v6 as select a from v6
create or replace view v6 as with v6 as (select 2 as b) select * from v6
select * from v6
