create table t(a int primary key, b varchar(10), c decimal(10,2))
create table u(a int, d date)
insert into t values(1,'x',1.5),(2,'y',2.5)
insert into u values(1,'2020-01-01')
create view v1 as select * from t
show create view v1
create view v2 as select a as x, b, a+1, concat(b,'z'), 5, 'str', null from t where a>0 and b like 'x%' order by x desc limit 3
show create view v2
select * from v2
create view v3(p,q) as select a, count(*) from t group by 1 having count(*)>0 order by 2, 1
show create view v3
select * from v3
create view v4 as select t.*, u.d from t left join u using(a) where d is not null
show create view v4
select * from v4
create view v5 as select t.a from t, u where t.a=u.a union all select a from u order by 1
show create view v5
select * from v5
create view v6 as select x.a from (select a,b from t where b='x') x
show create view v6
select * from v6
create view v7 as select a, (select max(d) from u where u.a=t.a) m, exists(select 1 from u) e, a in (select a from u) i from t
show create view v7
select * from v7
select a from v7 where m is not null
create view v8 as with c as (select a from t) select * from c
show create view v8
select * from v8
create algorithm=merge definer=root@localhost sql security invoker view v9 as select distinct sql_calc_found_rows a from t where a>1 with check option
create algorithm=merge view v9 as select distinct a from t where a>1
show create view v9
select * from v9
create view v10 as select a from t where a>1 with local check option
show create view v10
create view v11 as select a from v1 x natural join u
show create view v11
select * from v11
create view v12 as select case when a=1 then 'one' else b end k, cast(a as signed) c1, if(a,b,c) c2, a is null, not a, -a, a between 1 and 2, date_add('2020-01-01', interval a day) dd, group_concat(distinct b order by a separator '-') g from t group by a
show create view v12
select * from v12
create view v14 as select a from t union (select a from u limit 1) except select 1
show create view v14
select * from v14
create view v15 as values (1,2),(3,4)
show create view v15
select * from v15
create view v16 as select 1
show create view v16
select * from v16
create view v17 as select t.a from t use index(primary) cross join (select 1 as one) d
show create view v17
select * from v17
create view v18 as select t.a from t straight_join u right join v1 on v1.a=t.a inner join v3 on v3.p = v1.a
show create view v18
select * from v18 order by a
create view v19 as select a from test.t where a=@@sql_mode
create or replace view w1 as select a+1 as y, b from t having y>1 order by y
show create view w1
select * from w1
create or replace view w3 as select b as y, max(a) m from t group by b having m>1 and y>'a' order by m, y, b
show create view w3
select * from w3
create or replace view w4 as select a from v1 where a in (1,2)
show create view w4
create or replace view w5 as select t.a from t join u
show create view w5
create or replace view w6 as select t.a, x.a as b from t, t as x, u where x.a=1
show create view w6
select * from w6
create or replace view w7 as select 'a' 'b', 'x' as 'y z', `a` from t
show create view w7
select * from w7
create or replace view w8 as select a, a from t
create or replace view w8(a) as select a, b from t
create or replace view w8(a,a) as select a, b from t
create or replace view w8 as select * from nosuch
create or replace view w8 as select nosuch from t
create or replace view w8 as select @a
create view t as select 1
create view v1 as select 1
create table v1(a int)
create table if not exists v1(a int)
alter view nosuch as select 1
drop view t
drop view nosuch
drop table v1
drop table if exists v1, nosuch
drop view if exists nosuch, v18
drop view v17, nosuch
show tables like 'v17'
alter table v1 add x int
truncate v1
create index i on v1(a)
drop index q on v1
rename table v1 to v1b
show tables like 'v1b'
rename table v1b to v1
rename table v1 to t
create table q like v1
insert into v16 values(1)
delete from v3
update v3 set p=1
update v2 set x=1
check table v1
optimize table v1
analyze table v1
repair table v1
checksum table v1
show table status like 'v1'
show full tables like 'w%'
show create table v1
describe v1
describe v3
describe w1
show full columns from w4
show index from v1
select table_name, view_definition, check_option, is_updatable, definer, security_type, algorithm from information_schema.views where table_schema=database() and table_name in ('v1','v2','v3','v4','v6','v10') order by 1
select table_name, table_type, engine, version, table_comment, temporary from information_schema.tables where table_schema=database() and table_name='v10'
select column_name, column_type, column_default, is_nullable from information_schema.columns where table_schema=database() and table_name='v3'
create table keep as select * from v1
show create table keep
drop table t
select * from v1
select * from w4
check table v1,w4
describe v1
show create view v1
show table status like 'v1'
select count(*) from information_schema.columns where table_schema=database() and table_name='v1'
insert into v1 values(1)
create view w10 as select * from v1
create view w11 as select * from w11
create or replace view v16 as select * from v16
rename table keep to t
select a from v1 where a = 2
create table ct(a int primary key, b int)
create view c1 as select * from ct where a > 10 with local check option
create view c2 as select * from c1 where a < 20 with local check option
create view c3 as select * from c1 where a < 20
create view c4 as select * from ct where a > 10
create view c5 as select * from c4 where a < 20 with local check option
create view c6 as select * from c4 where a < 20 with cascaded check option
insert into c1 values(5,1)
insert into c2 values(5,1)
insert into c2 values(25,1)
insert into c3 values(5,1)
insert into c3 values(25,1)
insert into c5 values (6,1)
insert into c6 values(7,1)
insert into c6 values (15,null)
insert ignore into c6 values(7,1),(16,1)
update c6 set a=30 where a=15
update ignore c6 set a=31
update c3 set a=3 where a=25
update c6 set b=a+1
select * from ct
delete from c6 where a=15
select * from ct
create table tt(a int primary key, b varchar(10))
insert into tt values (1,'x'),(2,'y')
create view j1 as select ct.a as ca, ct.b, tt.a as ta, tt.b as tb from ct join tt on ct.b=tt.a
update j1 set ca=51 where ca=5
update j1 set ca=52, tb='q'
delete from j1
update j1 set tb='new' where ca=51
select * from j1 order by 1
create view n1 as select a+1 as y, b, b as b2 from ct
insert into n1(b) values(3)
insert into n1 values(1,2,3)
update n1 set y=3
update n1 set b=77 where y=26
select * from n1 order by y
create view n2 as select b from ct
insert into n2 values(3)
create view n3 as select a as k, b from ct
insert into n3 values(100,1) on duplicate key update b=b+1
insert into n3 values(100,1) on duplicate key update b=values(b)+9
insert into n3(b,k) select 5,101
replace into n3 values(101,6)
insert into n3 set k=102 returning *
select * from n3 order by k
insert into n3(k,k) values(1,2)
insert into n3(zz) values(1)
update n3 set zz=1
update n3 x set x.b=5 where x.k=102
select * from n3 where k=102
delete x from n3 x where k=102
delete n3 from n3 join tt on n3.b=tt.a
select * from n3 order by b desc limit 1 for update
select n3.* from n3 left join c4 on c4.a=n3.k+1 where c4.a is null order by 1
create view o1 as select a from ct order by a desc
select * from o1
select * from o1 order by a limit 1
create or replace view c4 as select * from c5
alter view c4 as select * from ct
show create view c4
create view inv as select a+1 as z, 1 as one from tt
select tt.a, inv.z, inv.one from tt left join inv on inv.z = tt.a order by 1
select v.one, count(*) from inv v group by v.one
select v.z from inv v where v.z in (select z from inv) and exists (select 1 from inv w where w.z > v.z)
create algorithm=temptable view tm as select a, b from tt
show create view tm
update tm set b='k'
select * from tm where a=2
insert into c4 values(200,1),(201,2)
lock tables c4 read
select count(*) from c4
insert into c4 values(1,1)
select * from c5
-- differs: the recording reads a table of its own between
unlock tables
create view agg as select count(*) as n, sum(a) as s from ct
select n > 3 from agg
select agg.n, x.a from agg, tt x order by 2
create view long_name as select length('123456789012345678901234567890123456789012345678901234567890 looooong') from tt
show create view long_name
create database vdb
create view vdb.x as select * from t
show create view vdb.x
select * from vdb.x
drop database vdb
create or replace view w20 as select (select a+1 from u limit 1), a from tt where (a,b) in (select a,b from tt) and a >= all (select a from u) and not exists (select 1 from u where u.a=tt.a and u.a > 5) order by a desc
show create view w20
select * from w20
create or replace view w21 as select count(*), count(distinct a,b), max(a)+1 from tt
show create view w21
create or replace view w22 as with recursive c(n) as (select 1 union all select 2), d as (select 2 as q) select n, q from c, d
create or replace view w23(x,y) as select a, (select max(d) from u) from t where c is not true group by a, b desc
show create view w23
select * from w23
create or replace view w24 as select a as `my``col`, length('a\'b\\c') l from tt where b like 'a\_%' escape '|'
show create view w24
select concat('',table_name) x, table_type from information_schema.tables where table_schema=database() and table_name='w24'
drop view if exists nosuch1, nosuch2
drop view nosuch1, nosuch2
