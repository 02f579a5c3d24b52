-- A table with virtual columns that is altered in its place gives numbers again that no row took.
set sql_mode = ''
create table t1 (id int auto_increment primary key, c0 int, v int as (1))
insert into t1 (id, c0) values (27, 1), (0, 2)
show create table t1
alter table t1 alter c0 set default 5
show create table t1
alter table t1 add column n int
show create table t1
insert into t1 (id, c0) values (40, 1), (0, 2)
alter table t1 force
show create table t1
insert into t1 (id, c0) values (50, 1), (0, 2)
create index k1 on t1 (c0)
show create table t1
insert into t1 (id, c0) values (60, 1), (0, 2)
alter table t1 drop column v
show create table t1
insert into t1 (id, c0) values (70, 1), (0, 2)
create index k2 on t1 (c0, n)
show create table t1
create table t2 (id int auto_increment primary key, c0 int unique, v int as (1))
insert ignore into t2 (id, c0) values (null, 1), (21, 1)
show create table t2
alter table t2 comment 'x'
show create table t2
-- The row that a warning names counts those that were found, where a change finds all before it changes one.
set sql_mode = 'STRICT_TRANS_TABLES'
create table t3 (id int primary key, c int, d varchar(3), key (c))
insert into t3 values (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c'), (4, 4, 'd')
update t3 set d = 'long' where d > 'b'
update t3 set id = id + 10, d = 'long' where d > 'b'
update t3 set c = c + 10, d = 'long' where d > 'b'
update t3 set d = 'long' where d > 'b' order by id
update t3 set d = 'long' where d > 'b' order by id limit 3
update t3 set c = c + 10, d = 'long' where c > 2
update t3 force index (c) set c = c + 10, d = 'long' where c > 1 and d > 'b'
update t3 force index (c) set d = 'long' where c > 1 and d > 'b'
create table t3b like t3
replace into t3b (id, c, d) select 1, bit_or(1), 'long' from t3 order by t3.id
-- Nothing is written to a query in FROM, whatever view shows it.
create table t4 (id int primary key, c int)
create table t5 (id int primary key, d int)
insert into t4 values (1, 1), (2, 2)
insert into t5 values (1, 1), (2, 2)
create view v1 as select a.r0 r, a.r0 + 1 q, a.r1 p, t5.d from (select c r0, 'b' r1 from t4) a join t5
update v1 set r = 5
update v1 set p = 5
update v1 set q = 5
update v1 set d = d, r = 5
update v1 set r = 5, q = 5
update v1 set r = 5 where zz = 1
update v1 set r = zz
update v1 set d = d
insert into v1 (r) values (5)
insert into v1 (p) values (5)
update (select c r0 from t4) a join t5 set a.r0 = 5
create view v2 as with w as (select c r0 from t4) select r0 r, 'zz' from w
update v2 set zz = 1
update v2 set r = 1
create view v3 as select r0 r from (select c r0 from t4) a
update v3 join t5 on v3.r = t5.id set v3.r = 1
load data infile '/dev/null' into table v3 (r)
load data infile '/dev/null' into table t4 (id) set c = (select 1 from t5 where exists (select 1 from t4))
load data infile '/dev/null' into table t4 (zz) set c = (select 1 from t4)
-- Rows of a join are not deleted, be it the join of a query or view that a view is over.
create view v4 as select 5 r from (select t4.c from t4, t5) a limit 3
delete v4 from v4 join t4 on v4.r = t4.id
create view v5 as select t4.c r from t4 join t5 union select d from t5
delete v5 from v5 join t4 on v5.r = t4.id
create view v6 as select c r from t4 union select t4.c from t4 join t5
delete v6 from v6 join t4 on v6.r = t4.id
create view v7 as with w as (select distinct t4.c r0 from t4 join t5) select r0 r from w
delete v7 from v7 join t4 on v7.r = t4.id
create view v8 as select * from v7
delete v8 from v8 join t4 on v8.r = t4.id
select * from t4
-- The note on keys that are switched comes when all else is right, and counts keys that come and go.
create table t6 (id int primary key, c int, d text, n varchar(9), key k (c))
alter table t6 disable keys, drop constraint f1
alter table t6 disable keys, add column q int
alter table t6 disable keys, add column q int
alter table t6 disable keys, add key (c)
alter table t6 disable keys, drop key k, drop key c
alter table t6 add key k17 (c), disable keys
alter table t6 enable keys
-- Faults of definitions in MariaDB's order.
alter table t6 convert to character set utf8mb4, convert to character set latin1
alter table t6 convert to character set utf8mb3 collate utf8mb3_bin, convert to character set utf8mb3
show create table t6
alter table t6 add primary key (c, d)
alter table t6 add primary key (c(3))
alter table t6 add primary key (c), add primary key (zz)
alter table t6 add primary key (c), add key (zz)
alter table t6 add primary key (c), add key (d)
alter table t6 add primary key (c)
alter table t6 alter column id set default null, drop foreign key f1
alter table t6 alter column id set default null, add column c int
alter table t6 alter column id set default null, add key (zz)
alter table t6 alter column id set default null, add check (zz)
alter table t6 alter column id set default null
alter table t6 add foreign key (zz) references t6 (id), add column c int
create table t7 (id int, v int as (1), foreign key (v) references t4 (id) on update cascade, check (v))
create table t7 (id int, v int as (1), foreign key (v) references t4 (id) on update set null on delete set null)
create table t7 (id int, v int as (1), foreign key (v) references t4 (id) on update cascade on delete set null)
-- What can be done in its place: the rows are counted by who copies them.
create table t8 (id bigint not null unique, c int)
alter table t8 drop column id, algorithm = inplace
create table t9 (id int primary key, c int, v int as (1), w int as (2), e int, key (v), key (c))
alter table t9 force, algorithm = inplace
alter table t9 engine = InnoDB, add column p int, algorithm = inplace
alter table t9 drop column w, drop column e, algorithm = inplace
alter table t9 drop column v, algorithm = inplace
alter table t9 drop column c, drop column w, algorithm = inplace
alter table t9 add column x int as (3), drop column e, algorithm = inplace
alter table t9 add column y int as (3), add unique (p), algorithm = inplace
alter table t9 add column if not exists p int, add column z int as (3), algorithm = inplace
show create table t9
create table t10 (c0 int invisible, c1 int)
alter table t10 drop column c1
create table t11 (c0 int invisible)
create table t11 (id int auto_increment primary key, c1 longblob, unique key k27 (id, c1))
create table t11 (id int primary key, n json, a tinytext, d int, key (a), key (d, a))
alter table t11 convert to character set latin1
show create table t11
-- Conditions of constants fail where a query gives the rows.
set sql_mode = 'STRICT_TRANS_TABLES'
create table t12 (id int, c int not null)
insert into t12 select id, c from t4 where 'a'
insert into t12 select id, c from t4 where '1a'
insert into t12 select id, c from (select * from t4 where 'a') q
replace into t12 select 1, 2 where 'a'
insert into t12 select 1, 2 union select id, c from t4 where 'a'
create table t13 select id from t4 where 'a'
update t4, t5 set t4.c = t4.c where '1a'
update t4 set c = c where '1a'
delete t12 from t12, t5 where '1a'
-- The faults of rows come before those of what they update.
insert into t12 (id) select id from t4 on duplicate key update t12.zz = 1
insert into t12 (id, c) select id, 1 from t4 on duplicate key update t12.zz = 1
insert into t12 (id) select id, 1, 2 from t4 on duplicate key update t12.zz = 1
insert into t12 (id) select zz from t4 on duplicate key update t12.zz = 1
set sql_mode = ''
insert into t12 (id) select id from t4 on duplicate key update t12.zz = 1
