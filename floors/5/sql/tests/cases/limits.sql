create table t (id int primary key, g varchar(5), v int, d decimal(6,2), f double, dt date, u bigint unsigned)
insert into t values (1,'a',10,1.5,0.5,'2020-01-01',1),(2,'a',20,2.5,1.5,'2020-01-02',2),(3,'a',20,null,2.5,null,3),(4,'b',5,4.25,3.5,'2020-01-04',4),(5,'b',null,5.5,null,'2020-01-05',5),(6,null,7,6.5,5.5,'2020-01-06',18446744073709551615)
create table t2 (a int, b int)
insert into t2 values (3,1),(1,2),(2,3),(1,4)
select id from t limit 1 into @a
select id into @a from t limit 1
select id from t where id=1 into @a
(select 1 into @a)
(select 1) into @a
select 1 into @a
select id from t order by id limit 1 into @a for update
select id from t order by id limit 1 for update into @a
select id, v from t where id=1 into @a, @b
select id, v from t where id=99 into @a, @b
select @a, @b
select id, v from t into @a, @b
select id, v from t where id=1 into @a
select id into @a, @a from t where id=1
select id, g into @X, @y from t where id=2
select @x, @Y
select id from t where id=1 into a
values (7) into @v
values (7),(8) into @v
select @v
select (select 1 into @a)
select * from (select 1 into @a) x
select 1 from t union select 1 order by x.id
select 1 a union all select 2 order by t.a
create table u6 as select 1 a union all select 2
show create table u6
create table u7 as select 1 a, 'x' b, date'2020-01-01' c, 1.5 d, 1e0 e from t union all select 2,'y',null,3,4 from t order by a
show create table u7
create table u8 as select * from (select 1 a union select 2) x
show create table u8
create table u9 as (select 1 a, id from t)
show create table u9
select id from t fetch first 2 rows only
select id from t order by v desc fetch first 1 row with ties
select id from t order by v desc fetch next 1 rows with ties
select id from t order by v desc offset 1 row fetch first 1 row with ties
select id from t order by v desc offset 2 rows fetch first row only
select id from t order by g fetch first 2 rows with ties
select id from t fetch first 2 rows with ties
select id from t order by id offset 4 rows
select id from t order by id fetch first 0 rows only
select g, count(*) c from t group by g order by c fetch first 1 rows with ties
select distinct g from t order by g fetch first 2 rows with ties
(select id from t order by v desc fetch first 1 row with ties) union all select 100
select id from t union all select id from t order by id fetch first 3 rows with ties
select * from (select id from t order by v desc fetch first 1 row with ties) x
select id from t order by id limit 1 with ties
select id from t limit 1 rows examined 2
select id from t where v > 5 limit rows examined 3
select id from t order by v limit 2 rows examined 3
select count(*) from t a, t b limit rows examined 10
select count(*) from t a join t b limit rows examined 1000
select * from t where id in (select a from t2) limit rows examined 2
select id from t limit 2 offset 1 rows examined 100
select id from t limit 18446744073709551615
select id from t limit 18446744073709551616
select id from t limit -1
select id from t limit 1.5
select id from t limit 'a'
select id from t limit 0
select id from t limit 3,0
select id from t limit null
set @l=2
select id from t limit @l
prepare p from 'select id from t order by id limit ?, ?'
set @a=1, @b=2
execute p using @a, @b
set @b='2'
execute p using @a, @b
set @b=-1
execute p using @a, @b
set @b=null
execute p using @a, @b
set @b=1.5
execute p using @a, @b
