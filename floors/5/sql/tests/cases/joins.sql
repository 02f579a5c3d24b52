create table a (id int, x int, y varchar(5))
create table b (id int, x int, z varchar(5))
create table c (id int, z varchar(5), w int)
insert into a values (1,10,'p'),(2,20,'q'),(3,null,'r')
insert into b values (1,10,'s'),(2,21,'t'),(4,null,'u')
insert into c values (1,'s',7),(4,'u',8),(5,'v',9)
select * from a natural join b
select * from a join b using (id)
select * from a left join b using (id)
select * from a right join b using (id)
select * from a natural left join b
select * from a natural right join b
select id from a join b using (id)
select a.id, b.id, id from a left join b using (id)
select a.id, b.id, id from a right join b using (id)
select * from a join b using (id, x)
select * from a join b using (nosuch)
select * from a join b using (y)
select * from a natural join b natural join c
select * from a natural left join b natural left join c
select * from a left join b using (id) left join c using (id)
select * from a right join b using (id) right join c using (id)
select * from a right join b using (id) left join c using (id) order by 1
select id, count(*) from a right join b using (id) group by id
select * from a right join b using (id) where id = 4
select * from a right join b using (id) order by id desc
select * from (a join b using (id)) join c using (id)
select * from (a join b) join c using (id)
select * from a join (b join c using (id)) using (id)
select a.*, b.* from a natural join b
select b.* , a.x from a natural join b
-- differs: MariaDB tells the error once more
select x from a join b using (id)
select * from a, b natural join c order by a.id, b.id
select * from a join b on a.id = b.id natural join c
select y, z, w from a natural join (b natural join c)
select * from a cross join b using (id)
select * from a inner join b order by 1, 4
select * from a straight_join b on a.id=b.id
select count(*) from a left join (b, c) on a.id=b.id and b.id=c.id
select * from a left join (b cross join c) on a.id=b.id and b.id=c.id
select * from a left join b on a.id=b.id and b.x=10 where b.id is null
select * from a left join b on a.id=b.id left join c on c.id=b.id order by a.id
select * from a join b on (a.id=b.id) join c on (c.id=a.id)
select (1,2) = (1,2), (1,2) < (1,3), (1,null) = (1,2), (1,null) = (2,2), (1,2) <=> (1,null), (null,1) <=> (null,1), (1,2) <> (1,2), (1,2) >= (1,2), (2,null) > (1,1)
select (1,2) = (1,2,3)
select (1,2) = 1
-- differs: no rows inside rows yet
select (1,(2,3)) = (1,(2,3))
select row(1,2) in ((1,2),(3,4)), (1,5) not in ((1,2),(3,4)), (null,1) in ((1,1)), (null,1) in ((1,2))
select (1,2) in (1,2)
select 1 in ((1,2))
select (id, x) in (select id, x from b) q, id from a
select (id, x) not in (select id, x from b) q, id from a
select id from a where (id, x) = (select id, x from b where id = 1)
select id from a where (id, x) = (select id, x from b)
select id from a where (id, x) > (select id, x from b where id = 1)
select id from a where (select id, x from b where id = 1) = (id, x)
-- differs: two row subqueries are not compared yet
select id from a where (select id, x from b where id = 1) = (select 1, 10)
select id from a where row(id, x) = row(1, 10)
select (select 1, 2) = (1, 2)
select (select 1, 2)
select id from a where x > any (select x from b)
select id from a where x > all (select x from b)
select id from a where x > all (select x from b where x is not null)
select id from a where x <> any (select x from b)
select id from a where x = some (select x from b)
select id from a where x <> all (select x from b where 1=0)
select id from a where x > any (select x from b where 1=0)
select 1 > all (select null), 1 > any (select null), null > all (select 1 from a where 1=0), null > any (select 1 from a where 1=0)
select (1,2) = any (select 1,2)
select (1,2) <> all (select 1,2)
select (1,2) > any (select 1,1)
select id from a where exists (select * from b where b.id = a.id and exists (select 1 from c where c.id = b.id))
select id from a where not exists (select 1 from b where b.id = a.id)
select id, exists(select 1 from b where b.id=a.id) e from a order by e, id
select id, (select count(*) from b where b.x > a.x) n from a
select max((select min(b.x) from b where b.id = a.id)) m from a
select id from a where id in (select id from b union select id from c)
select id from a where x in (select x from b) is true
select id from a where (x in (select x from b)) is null
select id from a order by (select z from b where b.id = a.id), id
select id from a group by (select count(*) from b where b.id=a.id)
select count(*) from a having (select max(id) from b) > 3
select (select a.id) from a
select (select a.id from b limit 1) from a
select id from a where id = (select max(b.id) from b where b.id <= a.id)
select id in (1, 2, null), id not in (1, 2, null), id in (null), null in (1), null in (select id from a), null in (select id from a where 1=0) from a
select id from a where id in (1.0, '2', 3e0)
-- differs: compared as doubles, as = does
-- differs: MariaDB names a DOUBLE where there is no table, a DECIMAL else
select 'a' in (0), 'a' in ('A', 1), '1' in (1, 'x')
select id between 1 and 2, id not between 2 and 3, id between null and 2, id between 2 and null from a
-- differs: LIMIT is understood in such subqueries
select * from a where id in (select id from b limit 1)
select * from a where id = (select id from b limit 1)
select (select id, x from a limit 1)
select 1 + (select 1, 2)
select id from a where (id, 1)
select * from a join b on a.id order by 1, 4
select sum((select b.x from b where b.id = a.id)) from a
select (select sum(a.x) from b where b.id=1) from a
select (select sum(a.x)) from a
select (select sum(a.x + b.x) from b where b.id = 1) q from a
select id from a group by id having exists (select 1 from b where b.id = count(a.x))
select count(*), (select count(a.id) from b limit 1) from a
