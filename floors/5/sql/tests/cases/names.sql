create table t (id int primary key, g varchar(5), v int, d decimal(6,2), f double, dt date, u bigint unsigned)
insert into t values (1,'a',10,1.5,0.5,'2020-01-01',1),(2,'a',20,2.5,1.5,'2020-01-02',2),(3,'a',20,null,2.5,null,3),(4,'b',5,4.25,3.5,'2020-01-04',4),(5,'b',null,5.5,null,'2020-01-05',5),(6,null,7,6.5,5.5,'2020-01-06',18446744073709551615)
create table t2 (a int, b int)
insert into t2 values (3,1),(1,2)
select x.n
select n
select 1 from t where x.n
select 1 where x.n = 1
select 1 having x.n = 1
select 1 order by x.n
select 1 from dual where q.w=1
select db1.x.n
select (select x.n) from t
select * from t where exists (select 1 having x.n)
select v+1 from t having v > 10
select v+1 from t having t.v > 10
select v from t having t.v > 10
select v as w from t having t.v > 10
select v as w from t having v > 10
select v+1 as v from t having v > 20
select v+1 as v from t having t.v > 20
select g from t group by g having v > 10
select g from t group by g having max(v) > 10
select g from t group by v, g having v > 10
select v+1 from t group by v having v > 10
select v+1 from t group by v having t.v+1 > 10
select 1 from t having exists (select 1 from t2 where a = v)
select (select 1 from t2 having t.v > 100) from t
select t.* from t having v > 10
select count(*) from t having v > 10
select count(*) from t having g = 'a'
select id from t having rand() < 2 and id = 1
select id from t where id in (select a from t2 having b > 1)
select id i from t group by i having id > 3
select id i from t group by id having i > 3
select id from t group by id+1 having id+1 > 3
