-- ON DUPLICATE KEY UPDATE: NULL for the number, rows that IGNORE lets be; what an UPDATE says where rows are compared.
create table t2 (id int primary key, c0 int, c1 varchar(10), c2 varchar(20), c3 int, unique key (c0))
insert into t2 values (23,0,'a','a',2),(27,21,'ab','x y',2)
insert ignore into t2 (id,c0,c1) values (7,21,''),(21,9,'abc'),(22,21,'q') on duplicate key update c0 = 23 returning *
select * from t2
insert ignore into t2 (id,c0,c1) values (30,23,''),(31,9,'abc') on duplicate key update c0 = 0 returning *
insert ignore into t2 (id,c0,c1) values (40,0,''),(23, 7,'abc') on duplicate key update c0 = 77 returning *
select * from t2
insert ignore into t2 (id,c0,c1) values (41,0,''),(23, 7,'abc') returning *
insert ignore into t2 (id,c0,c1) values (23, 7,'abc'),(50,50,'z') returning *
create table t3 (id int auto_increment primary key, c2 int, c4 int)
insert into t3 values (1,2,null),(27,4,22),(28,5,null)
insert into t3 (id, c2) values (28, 9) on duplicate key update id = c4
select * from t3
insert into t3 (id, c2) values (27, 9) on duplicate key update id = null
insert into t3 (id, c2) values (27, 9),(1,2) on duplicate key update id = c4
select * from t3
insert into t3 (id, c2) select 1, 9 on duplicate key update id = null
select * from t3
update t3 set id = null where id = 1
select * from t3
set sql_mode=''
insert into t3 (id, c2) values (22, 9) on duplicate key update id = null
insert into t3 (id, c2) values (0, 9),(22,4) on duplicate key update id = null
select * from t3
create table t4 (id int primary key, c0 int, c1 varchar(10), key(c0))
create or replace view v3 as select * from t4 with check option
update v3 set c1 = c1 where (null,id) < (c0,id)
update t4 set c1 = c1 where (null,id) < (c0,id)
update t4 set c1 = c1 where (null,id) = (c0,id)
update t4 set c1 = c1 where (1,id) < (c0,id)
update t4 set c1 = c1 where 1=0
update v3 set c1 = c1 where 1=0
update v3 set c1 = c1 where null
update t4 set c1 = c1 where null > id
update t4 set c1 = c1 where id > null
update t4 set c1 = c1 where (null, 1) = (id, c0)
update t4 set c1 = c1 where (id, c0) in ((null, 1))
update t4 set c1 = c1 where (id, 1) <  (5, null)
update t4 set c1 = c1 where (id,5) >= (null,c0)
update t4 set c1 = c1 where (id,5) <=> (null,c0)
update t4 set c1 = c1 where (id,5) <> (null,c0)
update t4 set c1 = c1 where (id,5) between (null,c0) and (null, 3)
update t4 set c1 = c1 where not (id,5) <= (null,c0)
update t4 set c1 = c1 where (id,5) = (null,6)
update t4 set c1 = c1 where (1,5) = (id,null)
update t4 set c1 = c1 where (1,5) < (2,null)
update t4 set c1 = c1 where (1,5) = (2,null)
update t4 set c1 = c1 where (id,5) in ((null,6),(2,4))
update t4 set c1 = c1 where (id,c0) > (null,null)
update t4 set c1 = c1 where (id,c0) > (1,null)
