create table bt(a int primary key, b int)
insert into bt values(1,1)
create temporary table bt(x int primary key auto_increment, y varchar(10) default 'q', key(y))
show create table bt
insert into bt(y) values('one'),('two')
select * from bt
select * from bt where y = 'two'
describe bt
show full columns from bt
select table_name,table_type from information_schema.tables where table_name='bt' and table_schema=database()
create temporary table bt(a int)
create temporary table if not exists bt(a int)
create table bt(a int)
create or replace temporary table bt(z int)
select * from bt
show create table bt
drop table bt
select * from bt
drop temporary table bt
drop temporary table if exists bt
start transaction
insert into bt values(2,2)
create temporary table tt like bt
insert into tt select * from bt
select * from tt
rollback
select * from tt
select * from bt
insert into tt values (3,3)
start transaction read only
create temporary table t3(a int)
insert into tt values(4,4)
update tt set b=5 where a=3
delete from tt where a=4
select * from tt
drop temporary table tt
commit
create temporary table t4 select a, b+1 as c from bt
show create table t4
alter table t4 add d int default 5, add primary key(a)
select * from t4
alter table t4 rename to t5
select * from t5
rename table t5 to t6
select * from t6
truncate t6
select * from t6
create index i on t6(c)
show create table t6
check table t6
analyze table t6
insert into t6(a,c) values(1,2)
-- differs: MariaDB 10.11 opens a temporary table twice too
select * from t6 x, t6 y
update t6 join bt using(a) set t6.c=9, bt.b=8
select * from t6
select * from bt
create view vt as select * from t6
create temporary table tf(a int, foreign key(a) references bt(a))
show create table tf
create table tg(a int, foreign key(a) references t6(a))
create view vb as select * from bt
create temporary table vb(q int)
select * from vb
drop table vb
select * from vb
create temporary table bt(hidden int)
select * from vb
select * from bt
drop table bt
drop view vb
-- differs: a database that is not there has no tables
create temporary table nodb.t(a int)
drop temporary table bt
drop table t6, bt
show tables like 't6'
create temporary table t6(a int)
drop table if exists t6, nosuch
create temporary table g(a int, b int as (a+1) virtual, check(a>0))
insert into g(a) values(1)
insert into g(a) values(-1)
select * from g
insert into g(a) values(3),(null)
select * from g order by a desc
delete from g where a=1
select * from g
replace into g(a) values (9)
start transaction
insert into g(a) values(50)
savepoint s
insert into g(a) values(51)
rollback to s
commit
select * from g
create temporary table u(a int primary key, b int unique, c varchar(5))
insert into u values (1,1,'a'),(2,2,'b')
insert into u values (3,2,'c')
insert into u values (2,5,'c')
insert ignore into u values (2,5,'c'),(4,4,'d')
insert into u values (2,5,'c') on duplicate key update b = 7, c = 'up'
select * from u order by b
alter table u drop index b
insert into u values (9,7,'z')
alter table u add unique (b)
select * from u where b = 7
start transaction
insert into u values (20,20,'t')
alter table u add e int default 3
rollback
select a, e from u
create temporary table s2 as select * from u where 1/0
create temporary table s3 (p int primary key) as select 1 as p union all select 1
select * from s3
show columns from s2
-- What CREATE ... SELECT puts into a temporary table stays there whatever becomes of the transaction around.
START TRANSACTION;
CREATE TEMPORARY TABLE kept SELECT 1 AS a UNION ALL SELECT 2;
ROLLBACK;
SELECT * FROM kept;
DROP TEMPORARY TABLE kept;
CREATE TABLE around (a INT PRIMARY KEY, b INT, KEY b (b));
START TRANSACTION;
INSERT INTO around VALUES (1, 10), (2, 20);
SAVEPOINT s;
CREATE TEMPORARY TABLE kept (a INT PRIMARY KEY, KEY b (b)) SELECT a, b FROM around;
INSERT INTO kept VALUES (7, 70);
UPDATE kept SET b = 11 WHERE a = 1;
UPDATE around SET b = 21 WHERE a = 2;
SELECT * FROM kept FORCE INDEX (b) WHERE b > 0 ORDER BY b;
-- differs: MariaDB warns (1196) of a temporary table made since the savepoint; nothing here is not transactional.
ROLLBACK TO SAVEPOINT s;
SELECT * FROM kept ORDER BY a;
SELECT * FROM around ORDER BY a;
INSERT INTO kept VALUES (8, 80);
ROLLBACK;
SELECT * FROM kept FORCE INDEX (b) WHERE b > 0 ORDER BY b;
SELECT COUNT(*) FROM kept;
SELECT COUNT(*) FROM around;
DROP TEMPORARY TABLE kept;
START TRANSACTION;
INSERT INTO around VALUES (3, 30);
CREATE TEMPORARY TABLE kept (a INT PRIMARY KEY) SELECT 1 AS a UNION ALL SELECT 1;
SELECT * FROM kept;
SELECT * FROM around;
COMMIT;
SELECT * FROM around;
DROP TABLE around;
