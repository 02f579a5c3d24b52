create table a (id int primary key, k int, s varchar(20), d decimal(10,2), t date)
create table b (id int primary key, ak int, s varchar(20) collate utf8mb4_bin, d decimal(12,4), key (ak))
create table c (x int, y int, z bigint unsigned)
insert into a values (1,10,'one',1.50,'2020-01-01'),(2,20,'Two',2.25,'2020-01-02'),(3,30,'three',null,null),(4,null,null,4.00,'2020-01-04'),(5,10,'five',5.50,'2020-01-05')
insert into b values (1,10,'one',1.5),(2,10,'two',2.25),(3,20,'Two',2.2500),(4,30,null,null),(5,null,'five',5.5),(6,99,'six',6)
insert into c values (10,1,1),(10,2,2),(20,3,18446744073709551615),(null,4,4),(40,5,null),(10,1,1)
select a.id, c.y from a join c on a.k = c.x order by a.id, c.y
select a.id, c.y from a left join c on a.k = c.x order by a.id, c.y
select a.id, c.y from a left join c on a.k = c.x and c.y > 1 order by a.id, c.y
select a.id, c.y from a left join c on a.k = c.x and a.id > 1 order by a.id, c.y
select a.id, c.y from a left join c on a.k = c.x where c.y is null order by a.id
select c.y, a.id from a right join c on a.k = c.x order by c.y, a.id
select a.id, c.y from a join c on a.k <=> c.x order by a.id, c.y
select a.id, b.id from a join b on a.s = b.s order by 1, 2
select a.id, b.id from a join b on a.d = b.d order by 1, 2
select a.id, c.y from a join c on a.id = c.z order by 1, 2
select x.y, w.y from c x join c w on x.z = w.z order by 1, 2
select count(*) from a, b, c where a.k = b.ak and b.ak = c.x
select a.id, b.id, c.y from a, b, c where a.k = b.ak and b.ak = c.x and a.k = 10 order by 1, 2, 3
select a.id, b.id, c.y from a join (b left join c on b.ak = c.x) on a.k = b.ak order by 1, 2, 3
select a.id, b.id, c.y from a left join (b join c on b.ak = c.x) on a.k = b.ak order by 1, 2, 3
select a.id from a where a.k in (select c.x from c) order by 1
select a.id from a where a.k not in (select c.x from c) order by 1
select a.id from a where a.k not in (select c.x from c where c.x is not null) order by 1
select a.id from a where a.k in (select c.x from c where c.y > 100) order by 1
select a.id from a where (a.k, a.id) in (select c.x, c.y from c) order by 1
select a.id, c.y from a, c where a.k = c.x and a.id in (select ak div 10 from b) order by 1, 2
select a.id from a where a.s in (select s from b) order by 1
select a.id from a where a.id in (select c.y from c union select 5) order by 1
select a.id from a where exists (select * from c where c.x = a.k) order by 1
select a.id from a where not exists (select * from c where c.x = a.k) order by 1
select a.id from a where exists (select * from c where c.x = a.k and c.y > a.id) order by 1
select a.id, (select sum(c.y) from c where c.x = a.k) from a order by 1
select a.id, (select count(*) from c where c.x = a.k and c.y < a.id) from a order by 1
select a.id, (select max(c.y) from c, b where c.x = b.ak and b.ak = a.k) from a order by 1
select a.id, (select s from b where b.ak = a.k order by b.id limit 1) from a order by 1
select a.id, a.k in (select c.x from c where c.y > a.id) from a order by 1
select a.id, (select a.k + c.y from c where c.x = a.k limit 1) is null from a where id > 2 order by 1
select b.id, (select group_concat(a.id order by a.id) from a where a.s = b.s) g from b order by 1
select a.id, b.id from a, b where (a.k = b.ak and a.id = 1 and b.id = 2) or (a.k = b.ak and a.id = 2 and b.id = 3) order by 1, 2
select a.id, b.id from a, b where (a.id = 1 and b.id = 2) or (a.id = 2 and b.id < 3) order by 1, 2
select a.id, b.id from a, b where (a.id = 1 and b.id = 2) or a.id = b.id order by 1, 2
select a.id, q.n from a left join (select x, count(*) n from c group by x) q on q.x = a.k order by 1
select a.id, q.n from a join (select x, count(*) n from c group by x having n > 1) q on q.x = a.k order by 1
select count(*) from c x, c w, c v where x.x = w.x and w.y = v.y
select count(*) from c x join c w join c v
select x.y, count(*) from c x cross join c w group by x.y order by x.y
select a.id from a where k = (select min(x) from c) order by 1
select a.id from a where k > all (select x from c where y > 2 and x is not null) order by 1
select a.id from a where k = any (select x from c) order by 1
select * from a natural join (select id, 5 as five from b) q order by id
update a set s = 'x' where k in (select x from c)
select id, s from a order by id
update a, c set a.s = concat('y', c.y) where a.k = c.x and c.y = 3
select id, s from a order by id
delete a from a join c on a.k = c.x where c.y = 3
select id from a order by id
delete from b where ak in (select x from c where y = 5) or s = 'six'
select id from b order by id
select straight_join a.id, c.y from a, c where a.k = c.x order by 1, 2
