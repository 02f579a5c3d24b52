-- DEFAULT expressions that name columns, rows into joins through views, what ALTER TABLE counts, ROW_COUNT().
create table d1 (id int auto_increment primary key, a int, b int default (a + 1), c varchar(20) default (concat(a, '-', b)), d int default (3 * 2))
show create table d1
insert into d1 (a) values (5)
insert into d1 (a, b) values (7, default)
insert into d1 (b) values (3)
insert into d1 values (null, 1, default, default, default), (null, default, 2, 'x', default)
select * from d1
update d1 set b = default, a = 100 where id = 1
update d1 set a = 50, c = default where id = 2
select * from d1
alter table d1 add column e int default (a * 2), add f varchar(10) default 'q'
select * from d1
insert into d1 set a = 9
replace into d1 (id, a) values (1, 11)
insert into d1 (id, a) values (1, 2) on duplicate key update b = default, a = values(a)
select * from d1
insert into d1 (a) select 77
select * from d1 where a = 77
create table d2 (a int default (b), b int default (1))
create table d2 (a int default (b), b int)
insert into d2 (b) values (4)
insert into d2 values ()
select * from d2
create table d3 (id int auto_increment primary key, a int default (id))
create table d3 (g int as (1), a int default (g))
create table d3 (a int default (a))
create table d3 (a int, b int not null invisible)
create table d3 (a int, b int not null default 3 invisible)
alter table d3 add e int not null invisible
describe d1
create table d4 (t text default 'x', g int as (1))
describe d4
select column_name, column_default from information_schema.columns where table_schema = database() and table_name in ('d4', 'd1')
set @a = 1
insert into d2 values (1,1),(2,2)
begin
commit
alter table d4 rename to d5
create view w1 as select 1 from d2 where a not in (select a from d2) and not exists (select * from d2)
show create view w1
create table j1 (id int primary key, a int)
create table j2 (id int primary key, b int, c int not null)
create view jv as select j1.id, j1.a, j2.id as id2, j2.b from j1 join j2 on j1.id = j2.id
create view jv2 as select j1.id, j1.a, j2.b, 1 as k from j1, j2 with check option
create view jv3 as select j1.id, j1.a, j2.b, 1 as k from j1, j2
create view jv4 as select j1.id, j1.a, j2.b, 1 as k from j1 left join j2 on j1.id = j2.id
insert into jv values (1,2,3,4)
insert into jv (id, a) values (1, 2)
insert into jv (id, b) values (1,2)
insert into jv () values ()
insert into jv (id2, b) values (1,2)
insert into jv2 (id, a) values (5,5)
insert into jv2 (k) values (5)
insert into jv3 (k) values (5)
insert into jv3 (k, id) values (5, 5)
insert into jv3 (id) values (6)
insert into jv4 (id) values (8)
insert into jv (id) select 7
insert into jv set id=9, a=9
insert into jv (id) values (1) on duplicate key update a = 77
insert into jv (id) values (1) on duplicate key update b = 77
replace into jv (id,a) values (1,3)
insert ignore into jv (id) values (1)
insert into jv (id, id) values (1, 1)
delete from jv
select * from j1
select * from j2
create table k1 (id int auto_increment primary key, c0 int, key (c0))
insert into k1 values (1,1)
update k1 set c0 = 5
