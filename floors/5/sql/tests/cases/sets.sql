create table t (id int primary key, g varchar(5), v int, d decimal(6,2), f double, dt date, u bigint unsigned)
insert into t values (1,'a',10,1.5,0.5,'2020-01-01',1),(2,'a',20,2.5,1.5,'2020-01-02',2),(3,'a',20,null,2.5,null,3),(4,'b',5,4.25,3.5,'2020-01-04',4),(5,'b',null,5.5,null,'2020-01-05',5),(6,null,7,6.5,5.5,'2020-01-06',18446744073709551615)
create table t2 (a int, b int)
insert into t2 values (3,1),(1,2),(2,3),(1,4)
select 1 union select 2 intersect select 2
select 1 union all select 2 union all select 2 intersect select 2
(select 1 union select 2) intersect select 2
select 1 union select 2 except select 1
select 1 except select 2 union select 1
select 1 union (select 2 except select 2)
select 1 intersect all select 1 union all select 3
(select 1 union all select 1 union all select 2) intersect all (select 1 union all select 1)
(select 1 union all select 1 union all select 2) except all (select 1)
(select 1 union all select 1 union all select 2) except (select 1)
select null union select null
select null intersect select null
select null except select null
select 'a' union select 'A'
select 'a' collate utf8mb4_bin union select 'A'
select 1 union select 'a'
select 1.5 union select 2
select 1 union select 1.0
select cast(1 as unsigned) union select -1
select date'2020-01-01' union select '2020-01-02'
select 1, 2 union select 1
select 1 a union select 2 b order by a desc
select 1 a union select 2 b order by b desc
select 1 a, 'x' c union select 2 b, 'y' order by 2 desc
select 1 a union select 2 order by 3
select 1 a union select 2 order by a+0 desc
(select id from t order by id desc limit 2) union all (select id from t order by id limit 1)
(select id from t order by id desc limit 2) union (select id from t order by id limit 1) order by id
select id from t order by id desc limit 2 union select 1
(select 1 union select 2) order by 1 desc
((select 1)) union ((select 2))
(select 1 union select 2 limit 1) union select 5
((select 1 union select 2) limit 1) union select 5 order by 1 desc limit 1
select id from t union select id from t limit 2 offset 3
(select id from t limit 2) limit 1
((select id from t order by id limit 3) order by id desc limit 2) limit 1
select * from (select 1 union select 2) x
select * from ((select 1) union (select 2)) x
select * from (select 1 a union all select 1 intersect select 1) x
select (select 1 union select 2)
select (select 1 union select 1)
select 1 in (select 1 union select 2), 3 in (select 1 union select 2)
select 1 = any (select 1 union select 2), 1 = all (select 1 union select 1)
select exists (select 1 from t where 1=0 union select 1 from t where 1=0)
insert into t2 select 7,7 union select 8,8
select * from t2 order by a, b
select 1 union all select 2 into @a
select 1 union select 1 into @a
select @a
select 1 into @b union select 2
values (1,2),(3,4)
values (1,2),(3,4) order by 1 desc
values (1,2),(3,4) limit 1
values (1),(1) union select 1
select 1 union values (2),(3)
values (1) union all values (2)
(values (1),(2)) union (values (2),(3)) order by 1 desc
values (1,2),(3)
values ()
values (1,'a'),('b',2)
values (1),(null),(1.5)
select * from (values (1,2),(3,4)) v
-- differs: names of a derived table's columns, as in MySQL
select * from (values (1,2),(3,4)) v(a,b)
select * from (values (1,2),(3,4)) v where `1` > 1
select v.* from (values (1 , 'x'),(3,'y')) v
select * from t where id in (values (1),(3)) order by id
select * from t where (id, v) in (values (1,10),(3,1)) order by id
select 1 where 1 in (values (1))
select (values (5))
select (values (5),(6))
select exists (values (1))
select 5 > any (values (4),(9))
values (@a), (1+1)
values (1) order by nosuch
values (default)
values (id)
select id, (values (t.id)) from t limit 2
select id from t where id in (select 1 intersect select 1)
-- differs: Oracle's MINUS is understood in every mode
select 1 minus select 2
select id from t except select a from t2 order by id
select id, v from t intersect select id, v from t where v > 10 order by id
select g from t union select g from t
select g from t union all select g from t
select g from t intersect select g from t
select g from t intersect all select g from t
select g from t except all select g from t where id = 1
select distinct g from t union all select g from t where g is null
select count(*) from (select g from t union all select g from t) x
create table u as select 1 a union select 'abc'
show create table u
create table u2 as select id, d from t union select u, f from t
show create table u2
create table u3 as (select 1 a) union all (select null)
show create table u3
create table u4 as values (1,'a'),(2.5,'bcd')
show create table u4
create table u5 as select cast('2020-01-01' as date) a, 1 b, 'x' c intersect select now(), 1.5, 'xx'
show create table u5
select a from u union select b from nosuch
select 1 union select * from t
select 1 union distinct select 1 union all select 1
select 1 union all select 1 union distinct select 1
select 1 union all select 1 intersect select 1 union all select 2
select 1 a union select 2 a for update
(select id from t for update) union (select a from t2) order by 1
select id from t union select id from t order by (select 1), id
select id from t union select id from t group by id
select t.id from t union select t2.a from t2 order by t.id
select id from t union select id from t order by t.id
select id x from t union select a from t2 order by x limit 3
select id x from t union select a from t2 order by id limit 3
(select id x from t) order by id desc limit 1
(select id x from t order by v limit 3) order by x desc
select a.id, b.id from t a join t2 b on a.id > b.a union all select 0, 0 order by 1 desc, 2 limit 4
select id, (values (3),(1) order by 1 limit 1) x, v from t order by id
