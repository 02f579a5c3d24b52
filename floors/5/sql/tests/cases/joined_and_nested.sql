-- Columns in common stand first, in the order of the side that all rows are kept of.
create table t1 (id int primary key, u int, c3 char(8) not null, v int)
create table t3 (m int, c3 int, n int, id int primary key, o int)
create table t4 (id int, c3 int, z int)
insert into t1 values (1,5,'1',6)
insert into t3 values (3,1,3,1,3)
insert into t4 values (1,1,1)
select * from t3 natural right join t1
select * from t1 natural right join t3 natural right join t4
select * from t1 natural right join t3 natural left join t4
select * from t4 natural right join (t1 natural right join t3)
select * from t3 natural join t1 natural join t4
select * from t1 right join t3 using (id,c3)
select * from t1 left join t3 using (c3,id)
select * from t1 join t3 using (c3,id)
-- GROUP BY knows two columns where USING made one of them.
create table a (id int, r0 int)
create table b (id int, r0 int)
insert into a values (1,1),(2,1),(3,2)
insert into b values (7,1),(8,1),(9,2)
select max(a.r0) as r0 from a join b using (r0) group by r0
select count(*) as r0 from a left join b using (r0) group by r0 having r0
select count(a.id) over () as r0 from a left join b using (r0) group by r0
select b.id as r0, count(*) from a join b using (r0) group by r0
select a.id+1 as r0, count(*) from a natural join (select r0 from b) b group by r0
select a.id r0, count(*) from a join b using (r0) group by r0+0
select a.r0, count(*) from a join b using (r0) group by r0
-- Columns that merged queries compute are different columns.
select x.r0, y.r0 from (select 1.25 r0 from a) x join (select 1 r0 from b) y using (r0) window w as (order by r0)
select x.r0, y.r0 from (select 1 r0 from a) x join (select 1 r0 from b) y on 1 order by r0
select x.r0, y.r0 from (select 1 r0 from a) x join (select 1 r0 from b) y on 1 group by r0
select x.r0, x.q r0 from (select 1 r0, 1 q from a) x order by r0
select x.r0, y.r0 from (select 1 r0 from a) x join (select 1 r0 from b) y on 1 having r0
select x.r0, x.r0 from (select 1 r0 from a limit 1) x order by r0
select x.r0, 1 as r0 from (select 1 r0 from a) x order by r0
select x.r0, count(*) from (select 1 r0 from a) x group by r0
select x.q r0, count(*) from (select 1 r0, 1 q from a) x group by r0
-- A subquery without tables is the expression in it.
create table s1 as select time((select '2001-01-01 00:00:01')) a, subdate((select '1999-12-31 23:59:59'), 12) b, left('abcdef', (select 3)) d, round(1.255, (select 1)) e, date_format('2020-01-01', (select '%Y')) f, repeat('ab', (select 3)) g
show create table s1
create table s2 as select (select 1) a, (select null) n, (select '') c, (select 1.0/3) q, (select x'41') e, (select date'2020-01-01') f, (select -1) h, (select id+1) i, (select concat(id)) j, (select true) k, (select 18446744073709551615) m from a
show create table s2
select (select (select a.id+x.id) from b x order by x.id limit 1) from a
select id in ((select 1),(select 2)), (select 1,2) = (1,2), (select id+10 where id = 2) from a
select max(id), (select id+1) from a group by id+1
create view v1 as select (select 1)+1 x, (select 'a') is null y from a where (select 1) is null
show create view v1
select view_definition from information_schema.views where table_schema = database() and table_name = 'v1'
-- Numbers that aggregates of windows are made of.
create table w (id int primary key, d datetime, f float(8,2), z decimal(8,2) zerofill)
insert ignore into w values (1,'2038-01-01 00:00:00',1000,7),(2,'0000-00-00',3.14,8),(3,null,null,9)
select id, sum(least('1.2.3.4','abc')) over (order by id) a, avg(least('1.2.3.4','abc')) over () b, sum(least('1.2.3.4','abc')) over (partition by id) c from w
select json_objectagg(f, id) from w where id < 3
select json_objectagg(z, id) from w
set sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE'
select id, count(greatest(d,d)) over (order by id) b from w
-- Columns of derived tables, views and common table expressions are as coercible as what they are made of.
set sql_mode = default
select coercibility(d.n), coercibility(d.i), coercibility(d.m), coercibility(d.e), coercibility(d.v), coercibility(d.dd), coercibility(d.l), coercibility(d.u), coercibility(d.x) from (select distinct null n, 1 i, max(null) m, '' e, version() v, curdate() dd, 'a' collate utf8mb4_bin l, @xx u, x'41' x) d
create table c1 (b bit(4), y year, e enum('a'), u uuid, v varchar(3))
select coercibility(b), coercibility(y), coercibility(e), coercibility(u), coercibility(v) from (select distinct * from c1 union select * from c1 union select 1,2001,'a','00000000-0000-0000-0000-000000000001','a') d
with recursive w as (select null n union select n from w) select coercibility(n) from w
create view v2 as select distinct null n, 'a' a
select coercibility(n), coercibility(a) from v2
select concat(a, 'x' collate utf8mb4_unicode_ci) from (select 'a' collate utf8mb4_bin a limit 1) d
create table s3 as select if(1,1,d.n) a, coalesce(d.n,id) b, concat(d.n,'a') c, d.n from (select distinct null n) d, a
show create table s3
-- A parameter is no position where ORDER BY orders nothing.
execute immediate '(select id from a order by ?, r0) intersect select 1' using 5
execute immediate '(select id from a order by ?, r0 limit 1) union select 1' using 5
execute immediate 'select * from (select id from a order by ?) d' using 5
