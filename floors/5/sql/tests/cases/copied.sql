-- What changes of tables and rows make of values that are there.
create table bb (id int, v varchar(5))
insert into bb values (12,'abc')
alter table bb modify id bit(3)
alter table bb modify v bit(3)
update bb set id = 1
alter table bb modify id bit(3)
create table gc (r0 varchar(30), r1 varchar(30))
insert into gc values ('10','abcdefgh'),('abcdefgh','1')
alter table gc add n1 char(5) generated always as (r0) stored first
alter table gc change r1 n19 char(5) generated always as (r0) stored first
create table z (id int primary key, d date, dt datetime)
insert ignore into z values (1,0,null),(2,'2020-13-45',null)
set sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE'
update z set d = d
update z set d = d, dt = dt, id = id
update z set d = dt where id = 2
update z set d = d + 0
alter table z drop primary key
alter table z change id n8 bool
alter table z add column q int
alter table z add key (d)
alter table z force
alter ignore table z drop primary key
select * from z
set sql_mode = default
create table k (c0 blob unique, b int unique, c int, a char(200), key (c), unique (c,b), unique q (a(10), c), unique w(c0(3)), unique nn (c))
show create table k
create table k2 (c0 longblob, c1 bool, unique key k13 (c0 asc, c1 desc))
show create table k2
-- INTERSECT that stands first is a member of the chain, of the chain's types.
create table t1 (d datetime, e date, v varchar(5), n int)
insert into t1 values ('2001-01-01','2001-01-01','b',1),('2002-01-01','2001-01-01','c',2)
select d,v from t1 intersect all select e,v from t1 except select n,n+1 from t1
select d,v from t1 intersect all select e,v from t1
select d,v from t1 intersect select e,v from t1 union select n,n+1 from t1 order by 1
select v from t1 intersect select 'b' intersect all select v from t1
select n from t1 union all select n from t1 intersect all select 2 union all select 7 order by 1
select n from t1 intersect select 2 union all select 7 intersect select 7 order by 1
select n from t1 intersect all select n from t1 except select 2
create view v1 as select 1 as a intersect select 2 except select 3
show create view v1
select * from v1
