create table t (id int primary key, g varchar(5), v int, d decimal(6,2), f double, dt date, u bigint unsigned)
insert into t values (1,'a',10,1.5,0.5,'2020-01-01',1),(2,'a',20,2.5,1.5,'2020-01-02',2),(3,'a',20,null,2.5,null,3),(4,'b',5,4.25,3.5,'2020-01-04',4),(5,'b',null,5.5,null,'2020-01-05',5),(6,null,7,6.5,5.5,'2020-01-06',18446744073709551615)
select @@max_recursive_iterations
with recursive c as (select 1 as n union all select n+1 from c where n<5) select * from c
with recursive c(n) as (select 1 union all select n+1 from c where n<5) select * from c
with recursive c(n) as (select 1 union select n+1 from c where n<5) select * from c
with recursive c(n) as (select 1 union select 1 from c) select * from c
with recursive c(n) as (select 1 union all select 1 from c) select count(*) from c
with recursive c(n) as (select 1 union all select n+1 from c) select count(*), max(n) from c
with recursive c(s) as (select 'a' union all select concat(s,'a') from c where length(s)<5) select * from c
with recursive c(s) as (select cast('a' as char(3)) union all select concat(s,'a') from c where length(s)<5) select * from c
with recursive c(s) as (select cast('a' as char(10)) union all select concat(s,'a') from c where length(s)<5) select * from c
with recursive c(n) as (select 120 union all select n*10 from c where n<100000000000) select * from c
with recursive c(n) as (select cast(120 as decimal(5,1)) union all select n*10+0.55 from c where n<1000000) select * from c
with recursive c(n) as (select 1.5 union all select n*10 from c where n<100) select * from c
with recursive c as (select n+1 from c) select * from c
with recursive c as (select 1 n union all select 2 from c, c c2) select * from c
with recursive c as (select n from c where n=0 union all select 1 n) select * from c
with recursive c as (select 1 n union all select max(n)+1 from c where n<3) select * from c
-- differs: MariaDB hands on the groups of the rounds before again
with recursive c as (select 1 n union all select n+1 from c where n<3 group by n) select count(*) from c
-- differs: MariaDB hands on the groups of the rounds before again
with recursive c as (select 1 n union all select distinct n+1 from c where n<3) select count(*), max(n) from c
with recursive c as (select 1 n union all select n+1 from c where n<3 order by n) select * from c
with recursive c as (select 1 n union all select n+1 from c where n<3 limit 2) select * from c
with recursive c as (select 1 n union all (select n+1 from c where n<3 limit 2)) select * from c
with recursive c as (select 1 n union all select 5 from t left join c on 1=1) select * from c
with recursive c as (select 1 n union all select 5 from c left join t on 1=1 where n<5) select * from c
with recursive c as (select 1 n union all select n+1 from t where id in (select n from c)) select * from c
with recursive c as (select 1 n union all select n+1 from (select * from c) d where n<3) select * from c
with recursive c as (select 1 n union all select row_number() over () + 1 from c where n<3) select * from c
with recursive c as (select 1 n union all select n+1 from c where n<3 union all select n+2 from c where n<3) select * from c
with recursive c as (select 1 n union select n+1 from c where n<3 union all select n+2 from c where n<3) select * from c
with recursive c as (select 1 n union all select 10 union all select n+1 from c where n in (1,2,10)) select * from c
-- differs: MariaDB takes the operator for UNION
with recursive c as (select 1 n intersect select n+1 from c) select * from c
-- differs: MariaDB takes the operator for UNION
with recursive c as (select 1 n except select n+1 from c) select * from c
with recursive c as (select 1 n) select * from c
with recursive a as (select 1 n union all select n+1 from b where n<3), b as (select n from a) select * from a
with a as (select 1), a as (select 2) select * from a
with a(x,y) as (select 1) select * from a
with a(x,x) as (select 1,2) select * from a
with a as (select 1 x, 2 x) select * from a
with a as (select 1 x) select * from a, a b
with a as (select 1 x), b as (select x+1 y from a), c as (select * from a, b) select * from c
with a as (select * from b), b as (select 1) select * from a
with recursive a as (select * from b), b as (select 1) select * from a
with a as (select 1 x) select (select x from a), x from a where x in (select x from a)
select * from (with a as (select 1 x) select * from a) q
select (with a as (select 5 x) select x from a) z
with a as (select 1 x) select * from (with a as (select 2 x) select * from a) q, a
with a as (with b as (select 3 x) select * from b) select * from a
create table ci (a int)
insert into ci with recursive c as (select 1 n union all select n+1 from c where n<3) select * from c
insert into ci (a) with q as (select 7) select * from q
select * from ci
with q as (select 7) insert into ci select * from q
create table cc as with recursive c as (select 1 n, 'ab' s union all select n+1, 'xyzzy' from c where n<3) select * from c
show create table cc
create table cc2 as with recursive c as (select cast(1 as unsigned) n, id from t where id=1 union all select n+1, t.id from c, t where t.id = c.id+1) select * from c
show create table cc2
select * from cc2
delete from ci where a in (with recursive c as (select 1 n union all select n+1 from c where n<2) select n from c)
select * from ci
update ci set a = a+1 where a in (with q as (select 3 z) select z from q)
with recursive c as (select 1 n union all select n+1 from c where n<3) select * from c a join c b on a.n=b.n+1
with recursive c as (select 1 n union all select n+1 from c where n<3) select * from c order by n desc limit 2
with recursive c as (select null n union all select 1 from c where n is null) select * from c
with recursive c as (select 1 n union all select null from c where n is not null) select * from c
with recursive c as (select 1 n, 2 m union all select m, n+m from c where n<30) select * from c
with recursive c as (select 1 n union all select n+1, 2 from c) select * from c
with recursive c as (select 1 union all select `1`+1 from c where `1` < 3) select * from c
with recursive c as (values (1) union all select `1`+1 from c where `1` < 3) select * from c
with recursive c(x) as (values (1),(10) union all select x+1 from c where x < 3) select * from c
set max_recursive_iterations=3
with recursive c(n) as (select 1 union all select n+1 from c) select * from c
set max_recursive_iterations=0
with recursive c(n) as (select 1 union all select n+1 from c) select * from c
set max_recursive_iterations=default
with recursive c(n,p) as (select 1, 1 union select 2, p from c) cycle n restrict select * from c
with recursive c(n) as (select 1 union all select n%3+1 from c) cycle n restrict select * from c
with recursive c(n,m) as (select 1,1 union all select n%3+1,m+1 from c) cycle n restrict select * from c
with recursive c(n) as (select 1 union all select n%3+1 from c) cycle q restrict select * from c
set standard_compliant_cte=0
-- differs: a round without rows still has a maximum, NULL
with recursive c as (select 1 n union all select max(n)+1 from c where n<3) select * from c limit 3
set standard_compliant_cte=1
with recursive fact(n,f) as (select 0, cast(1 as double) union all select n+1, f*(n+1) from fact where n < 10) select * from fact
with cte as (select 1) select 1 from t limit 1
with recursive t1 as (select 1 as a union all select a+1 from t1 where a < 3), t2 as (select a*10 b from t1 union all select b+1 from t2 where b < 12) select * from t2
with cte as (select nosuch from t) select 1
with cte as (select 1 a, 2 a) select 1
with cte(x,y) as (select 1) select 1
with recursive c as (select 1 n union all select n+1 from c where n<3 union all select 5 from c c1 join c c2 on 1=0) select * from c
with recursive c as (select 1 n union select n+1 from c where n<3 union select n+1 from c where n<4) select * from c
with recursive c as (select 1 n union all select 2 union select n+1 from c where n<4) select * from c
with recursive c as ((select 1 n) union all (select n+1 from c where n<4)) select * from c
with recursive c as (select 1 n union all (select n+1 from c where n<4 union all select n+10 from c where n<4)) select * from c
-- differs: no mutual recursion yet
with recursive a as (select 1 n union all select n+1 from b where n<5), b as (select 10 n union all select n+1 from a where n<3) select * from a
with recursive c as (select 1 n union all select count(*)+1 from c where n<3) select * from c
with recursive c as (select 1 n union all select n+1 from c where n<3 having n > 1) select * from c
with recursive c as (select 1 n, 1.5 d, date'2020-01-01' dt, 'abc' s union all select n+1, d*2, dt + interval 1 day, s from c where n<3) select * from c
set sql_mode=''
with recursive c(s) as (select 'a' union all select concat(s,'a') from c where length(s)<5) select * from c limit 3
with recursive c(n) as (select 120 union all select n*10 from c where n<100000000000) select count(*), max(n) from c
set sql_mode=default
with recursive tree as (select id, v, 0 lvl, cast(id as char(100)) path from t where id=1 union all select t.id, t.v, lvl+1, concat(path,'/',t.id) from t join tree on t.id = tree.id+1) select * from tree order by path desc
select n, (with recursive d as (select 1 m union all select m+1 from d where m<3) select sum(m) from d) s from (select 1 n union select 2) x
select * from (select 2 n) x where n in (with recursive d as (select 1 m union all select m+1 from d where m<3) select m from d)
select (with recursive d as (select x.n m union all select m+1 from d where m<5) select sum(m) from d) s from (select 1 n union select 2) x
with recursive c as (select 1 n union all select n+1 from c where n < (select max(id) from t)) select * from c
with recursive c as (select 1 n union all select t.id from c join t on t.id = c.n+1) select c.n, t.v from c left join t on t.id=c.n order by c.n
with recursive c as (select 1 n union all select n+1 from c where n < 3), d as (select n*2 m from c) select * from c join d on c.n=d.m
with c as (select 1 n), c2 as (select * from c union all select n+1 from c) select * from c2
with recursive c as (select 1 n union all select c.n+1 from t right join c on t.id=c.n where c.n<3) select * from c
with recursive c as (select 1 n union all select c.n+1 from c natural join (select 1 n union select 2) z) select * from c
with recursive c as (select id from t where id<2 union select t.id from t, c where t.id=c.id+1 or t.id=c.id-1) select * from c
with t as (select 7 id) select * from t
with t as (select id from t where id=2) select * from t
with recursive t as (select id from t where id=2) select * from t
select * from t where id=(with t as (select 2 id) select id from t)
with cte as (select * from t where id<3) update cte set v=1
with a as (select 1), b as (select 2), select 1
with a select 1
with recursive c as (select 1 n union all select n+1 from c where n<3) select * from c union all select 100 order by n desc
with recursive c as (select 1 n union all select n+1 from c where n<3) (select * from c) union (select 7) limit 2
select * from t where exists (with q as (select 1) select * from q) limit 1
with q as (values (1,2),(3,4)) select * from q
with q(a,b) as (values (1,2),(3,4)) select a+b from q
with q as (select 1 as `x y`) select `x y` from q
create table leg (a int, b int)
insert into leg values (1,2),(1,3),(2,4),(3,4),(4,1),(4,5),(5,2),(5,6),(6,7)
set standard_compliant_cte = 0
with recursive r as (select b, 1 n from leg where a = 1 union all select leg.b, n + 1 from r, leg where leg.a = r.b and leg.b not in (select b from r)) select * from r order by n, b
set standard_compliant_cte = 1
