create table t1 (a int, b int, s varchar(8))
create table t2 (a int, b int, c int)
create table t3 (a int, c int)
create table p (id int primary key, v int)
create table k (id int primary key, v int, key (v))
insert into t1 values (4,1,'d'),(1,2,'a'),(3,1,'c'),(1,3,'A'),(null,2,'n'),(2,2,'b')
insert into t2 values (1,1,9),(2,1,8),(3,2,7),(1,2,6),(4,3,5),(null,3,4),(7,7,3),(1,1,2)
insert into t3 values (2,8),(1,9),(1,6),(5,5),(1,2)
insert into p values (1,10),(2,20),(3,30),(4,40),(5,50)
insert into k values (1,3),(2,2),(3,1),(4,1),(5,2),(6,2),(7,9)
select * from t1, t2 where t1.a = t2.a
select * from t2, t1 where t1.a = t2.a
select * from t1 join t3 join t2 on t1.a = t2.a and t3.a = t2.b
select * from t1 left join t2 on t1.a = t2.a
select * from t2 left join t1 on t1.a = t2.a and t1.b = t2.b
select * from t2 right join t1 on t1.a = t2.a and t1.b > 1
select * from t1 left join (t2 join t3 on t2.a = t3.a) on t1.a = t2.a
select * from (t1 left join t2 on t1.a = t2.a) left join t3 on t2.c = t3.c
select * from t1 left join t2 on t1.a = t2.a where t2.b is null or t2.b > 1
select * from t1, t3
select * from t3, t1
select t1.a, t2.c, t3.c from t1, t2, t3 where t1.a < t2.a and t2.b > t3.a
select t1.s, p.v from t1 join p on p.id = t1.a
select t1.s, p.v from t1 left join p on p.id = t1.a
select t1.s, k.id from t1 join k on k.v = t1.b
select t1.s, k.id from t1 left join k on k.v = t1.b
select * from t2 natural join t3
select * from t1, (select a, count(*) n from t2 group by a) d where d.a = t1.a
select * from t1 left join (select a, count(*) n from t2 group by a) d on d.a = t1.a
select * from t1, (select distinct b from t2) d
with d as (select * from t2 where c > 2) select x.c, y.c from d x, d y where x.a = y.b
with d as (select * from t2 where c > 2) select d.c, t1.s from d, t1 where d.a = t1.a
select * from t1 where a in (select a from t2)
select group_concat(t1.s, t2.c) from t1, t2 where t1.b = t2.b
select t1.s from t1, t2 where t1.a = t2.a limit 3
select t1.a, t2.c from t1 straight_join t2 on t1.a = t2.a
select t1.a, t2.c from t2 straight_join t1 on t1.a = t2.a
select t1.s, t2.c from t1, t2 where t1.a = t2.a union select s, a from t1
set join_cache_level = 0
select * from t1, t2 where t1.a = t2.a
select * from t1 left join t2 on t1.a = t2.a
set join_cache_level = default
set optimizer_switch = 'outer_join_with_cache=off'
select * from t1, t2 where t1.a = t2.a
select * from t1 left join t2 on t1.a = t2.a
select * from t1 left join (t2 join t3 on t2.a = t3.a) on t1.a = t2.a
set optimizer_switch = 'outer_join_with_cache=default,derived_with_keys=off'
select * from t1, (select a, count(*) n from t2 group by a) d where d.a = t1.a
set optimizer_switch = 'derived_with_keys=on,mrr=on'
select @@optimizer_switch
set optimizer_switch = 'mrr'
set optimizer_switch = 'mrr=on,'
set optimizer_switch = 'mrr=on,bla=on'
set optimizer_switch = 'mrr=on,mrr=off'
set optimizer_switch = 'default,default'
set optimizer_switch = null
set optimizer_switch = 1.5
set optimizer_switch = 99999999999999
set optimizer_switch = 'MRR=OFF,mrr_sort_keys=on '
select @@optimizer_switch
set optimizer_switch = 'default'
select @@optimizer_switch = @@global.optimizer_switch
select t1.a from t1, t2 where t1.a = t2.a group by t1.a order by null
select b, a, count(*) from t2 group by b, a order by null
select b, a, count(*) from t2 group by b, a order by 'x'
select b, sum(a) from t2 group by b having sum(a) > 1 order by null
create table ix (id int primary key, s varchar(10), n int, t text, key s (s), key ns (n, s))
insert into ix values (1,'d',3,'x'),(2,'b',1,'y'),(3,'a',2,'z'),(4,'c',null,'w'),(5,'B',1,'v')
select s from ix
select id, s from ix
select n from ix
select s, n from ix where n > 1 or s = 'b'
select distinct n from ix
select distinct s from ix limit 2
select * from ix
select t from ix
select s from ix ignore index (s)
select s from ix ignore index (s, ns)
select s from ix order by n, s
select s from ix limit 3
select id from ix
select count(*), max(t) from ix
select a.s, b.id from ix a, t3 b where a.id = b.a
insert into t3 select id, n from ix
select * from t3
create table inl (a int, s varchar(5))
insert into inl values (1,'x'),(2,'y'),(3,'z'),(4,'x'),(50,'y'),(6,'q')
select a from inl where s in ('x','y','z','w') and a in (1,3,4,50,9) order by a
select a from inl where a in (1,3,4,50,9) and s not in ('z','q','r','t') and a not in (4,5,6,7) order by a

-- An index that holds all columns is read alone, by its ranges too, and backwards for a descending order.
create table held (a int not null, b int, c varchar(10), key (a, b, c));
insert into held values (1, null, null), (1, null, 'b'), (1, 1, null), (2, 1, 'b'), (2, 1, 'a'), (2, 2, 'a'), (1, 3, 'b');
insert into held select * from held;
select * from held where a >= 1 and a < 3;
select * from held where a >= 1 and a < 3 order by a desc;
select * from held where a = 1 order by a desc, b desc;
select * from held where a = 1 and b is null order by a desc, b desc;
select * from held where a = 2 order by a, b;
create table held_whole (f char(1), key (f));
insert into held_whole values ('b'), ('a'), ('1');
select f from held_whole;
select f from held_whole where f in ('a', 1);

-- DISTINCT takes groups in the order in which they were found, and the result is sorted by the groups' keys.
create table found_groups (c int, f varchar(10), v int);
insert into found_groups values (2, 'x', 1), (1, 'x', 1), (3, 'a', 1), (1, 'z', 1), (0, 'a', 1);
select distinct f from found_groups group by c, f;
select distinct f, count(*) from found_groups group by c, f;
select distinct f, count(*) from found_groups group by c, f limit 2;
select distinct f, count(*) from found_groups group by c, f order by c;
select distinct f, count(*) from found_groups group by c, f order by c desc;
select distinct f, count(distinct v) from found_groups group by c, f;
select distinct f, group_concat(v) from found_groups group by c, f;
select distinct f, count(*) n from found_groups group by c, f having n > 0;

-- RAND() goes on with each row, those that DISTINCT leaves out among them.
create table drawn (i int);
insert into drawn values (1), (2), (1), (2), (1), (2), (3), (4), (5), (6);
select distinct i from drawn order by rand(5);
