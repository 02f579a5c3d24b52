-- What random statements found apart: keys of digests, CHAR columns in generated ones, bits beside numbers, zero dates in UNION.
create table p (id int primary key, a int, b varchar(5))
set foreign_key_checks=0
create table c1 (x bigint, foreign key (x) references p (id))
create table c2 (x int, foreign key (x) references p (zz))
create table c3 (x int, foreign key (x) references p (a))
create table c4 (x int, foreign key (x) references nothere (a))
create table c5 (x int not null, foreign key (x) references nothere (a) on delete set null)
create table u (c int unsigned, d int, e tinyint unsigned, f bigint unsigned, g bigint, h decimal(5,2), i decimal(5,2) unsigned, j year, k bit(3), l smallint)
set sql_mode=''
insert into u (c) values (1e20)
insert into u (d) values (1e20)
insert into u (e) values (1e20)
insert into u (f) values (1e20)
insert into u (g) values (1e20)
insert into u (h) values (1e20)
insert into u (i) values (1e20)
insert into u (j) values (1e20)
insert into u (k) values (1e20)
insert into u (l) values (1e20)
insert into u (c) values (-1e20)
insert into u (c) values (-1)
insert into u (c) values (5e9)
insert into u (c) values (5000000000)
insert into u (c) values (99999999999999999999999)
insert into u (l) values (99999999999999999999999)
insert into u (c) values ('1e20')
insert into u (c) values ('99999999999999999999999')
insert into u (f) values (-1e20)
insert into u (f) values (-5.5)
insert into u (c) values (-5.5)
update u set c = 1e20 where d is null limit 1
create table h (id int primary key, t text unique, u int unique, v varchar(3), unique (v))
insert into h values (1,'a',1,'a')
insert ignore into h values (1,'a',1,'a')
insert into h values (1,'a',1,'a')
insert into h values (2,'a',1,'a')
insert into h values (1,'b',1,'a')
insert into h values (1,'a',1,'a') on duplicate key update v='z'
select * from h
replace into h values (1,'a',2,'q')
create table pc (c char(3), g1 text as (c) stored)
create table pc (c char(3), g1 int as (if(c is null,0,1)) stored)
create table pc (c char(3), g1 int as (length(c)) stored)
create table pc (c char(3), g1 text as (rtrim(c)) stored)
create table pc (c char(3), g1 text as (concat(c,'a')) stored)
create table pc (c char(3), g1 char(3) as (c) stored)
create or replace table pc (c char(3), g1 char(5) as (c) stored)
create or replace table pc (c char(3), g1 char(2) as (c) stored)
create or replace table pc (c char(3), g1 int as (c = 'a') stored)
create or replace table pc (c char(3), g1 int as (c) stored)
create or replace table pc (c char(3), g1 varchar(5) as (upper(c)) stored)
create or replace table pc (c char(3), g1 varchar(5) as (left(c,1)) stored)
create or replace table pc (c char(3), g1 varchar(5) as (c) virtual)
create or replace table pc (c char(3), g1 varchar(5) as (c) virtual, key (g1))
create or replace table pc (c binary(3), g1 varchar(5) as (c) stored)
create or replace table pc (c char(3), g1 int as (c in ('a','b')) stored)
create or replace table pc (c char(3), g1 int as (c like 'a') stored)
create or replace table pc (c char(3), g1 int as (coalesce(c,'a')) stored)
create or replace table pc (c char(3), g1 date as (c) stored)
create or replace table pc (c char(3), g1 double as (c) stored)
create or replace table pc (c char(3), g1 int as (c+1) stored)
create or replace table pc (c char(3), g1 enum('a') as (c) stored)
create or replace table pc (c char(3), g1 blob as (c) stored)
drop table u
set sql_mode='STRICT_TRANS_TABLES'
set foreign_key_checks=1
create table b (id int primary key, c0 varchar(20), c1 bit(3), c2 year, c3 mediumint, c4 decimal(10,2), c5 tinyint, c6 smallint, c7 bigint, c8 int, c9 time, d1 date, d2 datetime, u1 int unsigned, u2 tinyint unsigned, f float, g double, ch char(8), tx text)
insert into b (id,c0,c1,c2,c3,c4,c5,c6,c7,c8,d1,d2) values (1,'m%',3,2003,5,1.5,3,3,3,3,'2001-01-01','2001-01-01'),(2,'ab',1,1999,6,2.5,1,1,1,1,'2001-01-02','2001-01-02')
create table i (id int primary key, c0 int, d decimal(10,2), v varchar(10), g double)
insert into i values (0,11,11,'11',11),(1,3,3,'3',3),(25,2,2,'2',2)
select b.c0 from i a join b on a.c0 = b.c1
select b.c0 from i a join b on a.c0 + 2000 = b.c2
select b.c0 from i a join b on a.d = b.c1
select b.c0 from i a join b on a.v = b.c1
select b.c0 from i a join b on a.g = b.c1
select b.c0 from i a join b on a.c0 = b.c2
select b.c0 from i a join b on a.v = b.c2
select b.c0 from i a, b where a.c0 in (select c1 from b)
select b.c0 from i a, b where b.c1 in (select c0 from i)
select id from b where c2 = 3
select id from b where c2 in (3)
select id from b where c2 in (3, 99)
select id from b where c2 in ('3', 10)
select id from b where c2 not in (3, 99)
select id from b where c2 between 3 and 10
select id from b where c2 < 4
select id from b where 3 = c2
select id from b where c2 <=> 3
select id from b where (c2, id) in ((3,1))
select id from b where c2 in (3, 'x')
select id from b where case c2 when 3 then 1 end
create table z1 (id int primary key, c3 mediumint, d1 date, d2 datetime, c9 time, ch char(8))
create table z2 as select -c3, abs(c3), coalesce(c3,5), max(ch), max(c3), year(d1), month(d1), hour(c9), week(d1), to_days(d1), extract(year from d1), datediff(d1,d2), '2001-01-01' + interval 1 day as later from z1
show create table z2
create view z3 as select max(ch) as a, year(d1) as b, null as c, '' as d from z1
show columns from z3
set sql_mode=''
create table z4 (id int primary key, a date not null, b datetime, c date)
insert into z4 values (4,'0000-00-00','0000-00-00','2000-00-01'),(5,'2000-00-00','2001-00-00','0000-00-00')
set sql_mode='NO_ZERO_DATE,NO_ZERO_IN_DATE'
select a,1 from z4 union distinct select null,1 order by 1
select b from z4 union select c from z4
create table z5 (id int auto_increment primary key)
insert into z5 values (24),(-12)
alter table z5 alter column id set default null
create table z6 (id int primary key, c0 int(7) zerofill unique, c1 blob, t varchar(10), key k3 (c1(4), id), unique (t))
insert into z6 values (1,21,'abc','qwertz')
insert into z6 values (2,21,'abc','b')
alter table z6 modify t char(5)
alter table z6 modify c1 char
alter table z6 modify t varchar(10) not null
alter table z6 drop primary key
create view z7 as with recursive w1 as (select id as r0 from z6), w3 (q0) as (select a4.id as r0 from z6 a4), w4 (n, s) as (select 1, 'ab' union select n * 2, s from w4 where n < 7) select a5.id from z6 a5
show create view z7
select * from z7
create table z8 (id int primary key, c0 datetime(3) as ('2001-01-01' + interval 1 day) stored, c1 timestamp as (null + interval 1 day) stored)
alter table z8 row_format=compact
select row_format from information_schema.tables where table_schema=database() and table_name='z8'
