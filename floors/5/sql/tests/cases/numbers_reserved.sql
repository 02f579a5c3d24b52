-- SET insert_id says where the numbers of all rows begin; the counter passes by what is written.
create table s (a int, b int)
insert into s values (1,1),(2,2),(3,3),(4,4)
create table d1 (id int auto_increment primary key, a int, unique key (a))
insert into d1 values (255, 77)
set insert_id = 70
insert into d1 (a) select a from s
select * from d1 order by id
insert into d1 (a) values (100)
set insert_id = 80
insert into d1 (a) values (21),(22),(23)
select last_insert_id()
set insert_id = 90
insert into d1 (id,a) values (null, 31),(5, 32),(null, 33)
set insert_id = 590
insert ignore into d1 (id,a) values (0, 41), (0, 42), (0, 42), (0, 42)
insert into d1 (a) values (101)
select * from d1 order by id
-- CREATE TABLE ... SELECT reserves as many numbers at first as the last VALUES of the session had rows.
create table e1 (id int auto_increment primary key) select a from s
show create table e1
insert into s values (1,1),(2,2)
create table e2 (id int auto_increment primary key) replace select a from s limit 5
show create table e2
insert into s values (1,1),(2,2),(3,3)
execute immediate 'create table e3 (id int auto_increment primary key) select 1'
show create table e3
create table e4 (id int auto_increment primary key) ignore select 1
show create table e4
insert into s select 1, 1
create table e5 (id int auto_increment primary key) select 1
show create table e5
-- A row of a query that is there already passes the counter on.
create table g1 (id int auto_increment primary key, a int, unique key(a))
insert into g1 values (default, 9)
insert into g1 select 9, 9
show create table g1
insert ignore into g1 select 20, 9
show create table g1
insert into g1 select 30, 9 on duplicate key update a = 10
show create table g1
insert ignore into g1 values (40, 10)
show create table g1
