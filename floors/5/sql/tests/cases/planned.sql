create table p (id int primary key, a int, b int, s varchar(20), d date, key ka (a), key kb (b), key ks (s), key kd (d), key kab (a, b))
insert into p values (1,1,10,'b','2020-01-03'),(2,2,null,'B','2020-01-01'),(3,null,30,'a',null),(4,2,5,null,'2020-01-02'),(5,7,7,'','2021-01-01'),(6,null,null,'zz','1999-12-31')
create table q (id int primary key, a int unsigned, e enum('z','m','a'), key ka (a), key ke (e))
select min(a), max(a), min(id), max(id) from p
select min(s), max(s), min(d), max(d) from p
select min(a) from p where a > 2
select max(a) from p where a < 2
select max(a) from p where a > 100
select min(b) from p where a = 2
select max(b), min(b) from p where a is null
select max(b) from p where a = 2 and b < 6
select max(b) from p where a = 2 and b < 6 and id > 0
select max(id) from p where id between 2 and 4
select max(a) from p where a < 2.5
select max(s) from p where s < 'B'
select min(d) from p where d > '2020-01-01'
select max(a) m from p having m > 100
select max(a) m from p having m > 1
select min(a), count(*) from p
select min(a), max(b) from p where 1 = 0
select (select max(a) from p where a < x.b) from p x order by id
select min(distinct a) from p
select max(a) from q
select min(e), max(e) from q
insert into q values (1, 5, 'z'), (2, 9, 'a'), (3, null, 'm')
select max(a), min(a) from q
select min(e), max(e) from q
begin
insert into p values (9, 99, 99, 'zzz', '2030-01-01')
select max(a), max(s), max(d) from p
delete from p where id = 9
select max(a), max(s), max(d) from p
rollback
select id from p where a = 2 or b = 10 order by id
select id from p where a = 2 or b = 5 or s = 'a' order by id
select id from p where a = 2 or b > 5 order by id
select id from p where (a = 2 and id > 2) or (b = 10 and s = 'b') order by id
select id from p where a is null or b is null order by id
select id from p where (a = 2 or b = 10) and id <> 2 order by id
select count(*) from p where a in (1, 2) or b in (30, 5)
update p set b = b + 1 where a = 2 or b = 10
select id, a, b from p order by id
delete from p where a = 7 or s = 'zz'
select id from p order by id
select * from (select a, count(*) n from p group by a) d where a = 2
select * from (select a, count(*) n from p group by a) d where a is null
select * from (select a, count(*) n from p group by a having n > 1) d where a < 3 and n = 2
select * from (select a, sum(b) x from p group by a with rollup) d where a = 2
select * from (select id, a from p order by id limit 2) d where a = 2
select * from (select distinct s from p) d where s = 'b'
select * from (select a from p union select id from p) d where a = 2
select * from (select a from p union all select s from p) d where a = '2'
select * from (select a from p except select id from p) d where a is null
select * from (select a, row_number() over (order by id) n from p) d where a = 2
select * from (select upper(s) u, id from p group by u, id) d where u = 'B' order by id
select d.id, d.n from p left join (select a as id, count(*) n from p group by a) d on d.id = p.id where d.n = 1 order by 1
create view v as select a, count(*) n, max(b) m from p group by a
select * from v where a = 2
select * from v where n = 1 and a = 1
select * from v v1 join v v2 on v1.a = v2.a where v1.a = 2
with c as (select a, count(*) n from p group by a) select * from c where a = 1
with c as (select a, count(*) n from p group by a) select x.a, y.n from c x join c y on x.a = y.a where x.a = 2
with c as (select a from p) select (select count(*) from c), (select max(a) from c where a < 2)
with c as (select id from p), d as (select id from c where id < 3) select count(*) from c, d, d e
with recursive r as (select 1 n union all select n + 1 from r where n < 4), c as (select n from r) select count(*) from c a, c b
with recursive c as (select id from p), r as (select 1 n union all select n + 1 from r, c where c.id = r.n and n < 3) select * from r
prepare st from 'with c as (select a, count(*) n from p group by a) select x.a from c x join c y on x.n = y.n where x.a = ? order by 1'
set @a = 2
execute st using @a
set @a = 1
execute st using @a
select straight_join p.id from p, q where p.id = q.id order by 1
select p.id from q straight_join p on p.id = q.id order by 1
select p.id from p force index (kb) where b > 6 order by id
select min(id), max(id) from p where a = 2
select min(id), max(id) from p where s = 'b'
select max(id) from p where a is null
