-- The text that views are kept in, which of them rows go through, and errors of those that do not.
create table t (a int primary key, b int not null, c varchar(5))
create table t2 (a int primary key, b int, c varchar(5))
create view c1 as select a, count(*) from t
create view c2 as select a, group_concat(b order by c) from t
create view c3 as select x.b, y.* from t x, c1 y
create view c4 as select x.b, y.* from t x, c2 y
create view c5 as select a, row_number() over () from t
create view c6 as select x.b from t x, c5 y
create view c7 as with w as (select * from t) select * from w
create view c8 as select * from (select distinct a from t) q
create view c9 as select x.a from t x, (select count(*) from t) q
create view c10 as select x.a from t x left join t2 y on 1
create view c11 as select x.a, y.b from c8 x left join t2 y on 1
create view c12 as select a from t where b in (select b from c1)
create view c13 as select a, (select max(a) from c1) from t
create view c14 as select distinct a from t
create view c15 as select x.a from c14 x, t y
create view c16 as select x.a from c14 x
create view c17 as select a from t limit 3
create view c18 as select a from t group by a
create view c19 as select a from t having a > 1
create view c20 as select a from t order by b
create algorithm=temptable view c21 as select a from t
create view c22 as select a from c21
create view c23 as select x.a from t x, c21 y
create view c24 as select 1 as k, a from t where rand() > 2
create view c25 as select a from t where a in (select 1 from t)
create view c26 as select x.a from (select max(a) as a from t) x join c1 y on 1
create view c27 as select x.a from (select max(a) as a from t) x join c14 y on 1
create view c28 as select y.a from (select max(a) as a from t) x join c14 y on 1
create view c29 as select y.a from c14 y join (select max(a) as a from t) x on 1
create view c30 as select y.a from t z join c14 y on 1
create view c31 as select x.a from (select a from t) x join c14 y on 1
create view c32 as with w as (select 1) select x.a from t x join c14 y on 1
create view c33 as select x.a from t x join c14 y on 1 join (select 1) z
select table_name, is_updatable from information_schema.views where table_schema=database() order by length(table_name), table_name
create view k1 as select a from t where b in (select b from c1) with check option
create view k2 as select a from t where b in (select a from t) with check option
create view k3 as select a from t where b in (select a from t2) with check option
create view k4 as select x.a from t x left join t2 y on 1 with check option
create view k5 as select x.a from t x join t2 y on 1 with check option
create view k6 as select * from (select 1 as q) x with check option
create view k7 as select * from (select a from t) x with check option
create view k8 as with w as (select * from t) select * from w with check option
create view k9 as select * from t x, c1 y with check option
create view k10 as select * from c21 with check option
create view k12 as select x.a from t x join c8 y on 1 with check option
insert into c3 (b) values (1)
insert into c13 (a) values (1)
insert into c12 (a) values (1)
insert into c25 (a) values (1)
insert into c10 (a) values (1)
insert into c9 (a) values (1)
insert into c24 (a) values (1)
insert into c24 (k) values (1)
insert into c24 values (1,2)
create view e1 as select coalesce(a,b) as r, c from t
insert into e1 set r=1
insert into e1 values (1,'x')
update e1 set r=1
update e1 set c=1
delete from e1
create view e2 as select 1 as x, a+b as y from t
insert into e2 set x=1
insert into e2 values (1,1)
update e2 set x=1
delete from e2
create view e3 as select x.a, y.b, 1 as o from t x join t2 y on x.a=y.a
insert into e3 set a=1
insert into e3 set a=1, b=1
insert into e3 set o=1
insert into e3 values (1,1,1)
insert into e3 (a,b,o) values (1,1,1)
update e3 set o=1
update e3 set a=1, b=1
delete from e3
create view e4 as select 1 as o, x.a+1 as p from t x join t2 y on x.a=y.a
insert into e4 set o=1
insert into e4 values (1,1)
insert into e4 (o,p) values (1,1)
update e4 set o=1
delete from e4
create view e5 as select x.a, y.a as ya from t x left join (select 1 as a) y on 1
insert into e5 set a=1
insert into e5 values (1,1)
delete from e5
update e5 set a=1
update e5 set ya=1
create view e6 as select x.a, y.r from t x join c14 z on 1 join (select 3 as r) y on 1
insert into e6 set a=1
insert into e6 set r=1
insert into e6 values (1,1)
insert into e6 (a,r) select 1,2
delete from e6
update e6 set a=1
update e6 set r=1
create view e7 as select q.r from (select 3 as r) q
update e7 set r=1
delete from e7
insert into e7 values (1)
create view e8 as select y.a from t z join c14 y on 1
update e8 set a=1
delete from e8
insert into e8 values (1)
create algorithm=temptable view e9 as select * from t x, (select 1 as zz) y
delete from e9
delete from t2 using e9 left join t2 on e9.a = t2.a
update e9 left join t2 on 1 set e9.a=1
update e9 left join t2 on 1 set t2.a=1
create algorithm=temptable view e10 as select * from t x
delete from e10 using e10 left join t2 on e10.a = t2.a
delete from c18 using c18 left join t2 on c18.a = t2.a
delete from e3 using e3 left join t2 on e3.a = t2.a
create view e11 as select z.a from e3 y, t z
delete from e11
create view e12 as select 'x' as r, 1 as s from t x left join t y using (a)
delete from e12
update e12 set r=1
insert into e12 set r=1
insert into t2 (a) values (7) returning (select 1 from t2 limit 1)
insert into t2 (a) values (8) returning (select max(a) from t2)
create view e13 as select * from t2
replace into e13 (a) values (8) returning (select 1 from t2 limit 1)
replace into e13 (a) values (8) returning (select 1 from e13 limit 1)
replace into t2 (a) values (8) returning (select 1 from e13 limit 1)
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v1'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v2'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v3'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v4'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v5'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v6'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v7'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v8'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v9'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v10'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v11'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v12'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v13'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v14'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v15'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v16'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v17'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v18'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='v19'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u1'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u2'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u3'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u4'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u5'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u6'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u7'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u8'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u9'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u10'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u11'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u12'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='u13'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='n3'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='n4'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='n5'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='n6'
select view_definition, is_updatable from information_schema.views where table_schema=database() and table_name='n7'
create view w1 as select 1 from t x, t2 y join t2 z on 1
create view w5 as select 1 from t x join t2 y, t2 z
create view w6 as select 1 from (select 1 from t x, t2 y inner join t2 z on 1) q
create view w7 as select 1 from t x, t2 y, t2 z join t2 w on 1
create view w8 as select 1 from t x, t2 y, t2 z
create view w9 as select 1 from t x, t2 y right join t2 z on 1
create view w10 as select 1 from (select 1 from t x, t2 y) q
create view w11 as select 1 from (select 1 from t x, t2 y, t2 z) q
create view w12 as select 1 from (select 1 from t x, t2 y, t2 z join t2 w on 1) q
create view w13 as select 1 from t x, (select 1 from t x, t2 y) q
create view w14 as select 1 from t x left join (t2 y, t2 z) on 1
create view w15 as select (select 1 from t x, t2 y inner join t2 z on 1)
show create view w1
show create view w5
show create view w6
show create view w7
show create view w8
show create view w9
show create view w10
show create view w11
show create view w12
show create view w13
show create view w14
show create view w15
