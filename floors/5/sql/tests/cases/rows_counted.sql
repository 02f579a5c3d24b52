-- Rows that statements count, and that their warnings count.
create table t (id int primary key, c int not null, d int)
insert into t values (1,1,1),(2,2,2)
update t set c=default
update ignore t set c=default
set sql_mode=''
update t set c=default
select * from t
update t set c=1 limit 0
update t set c=1 where 0
update t set c=1 where id=7
update t set c=1 where id>7
update t set c=1 where c<3 and c>5
update t set c=1 where d is null and d=5
update t set c=1 where 1=0
update t set c=1 where null
delete from t limit 0
update t, t t2 set t.c=1 where 0
update t set c=1 order by id limit 0
set sql_mode='STRICT_TRANS_TABLES'
update t set c=1 where d = 'x'
create table r (id int primary key, c0 int, c1 varchar(10), unique (c0))
replace into r (id, c1) values (0,'m'),(0,'m')
replace into r (id, c1, c0) values (1,'m',1),(1,'m',1)
create table r2 (id int primary key, c1 varchar(10))
replace into r2 (id, c1) values (0,'m'),(0,'m')
create table r3 (id int primary key, p int, foreign key (p) references r2(id))
replace into r2 (id, c1) values (7,'m'),(7,'m')
insert ignore into t (id,c) values (1,1),(1,2)
create table a (id int auto_increment primary key, j json, c int check (c > 0))
insert ignore into a values (5,'x',1),(6,'y',1)
insert ignore into a values (5,'1',1),(6,'y',1)
insert ignore into a values (5,'1',1),(6,'y',1)
insert ignore into a values (null,'1',1),(6,'y',1)
insert ignore into a values (null,'y',1),(null,'1',1),(null,1,-1)
insert ignore into a select 9,'1',1 union select 10,'x',1
insert ignore into a select 5,'1',1 union select 10,'x',1
insert ignore into a values (5,'1',1)
insert ignore into a values (5,'1',1),(6,'1',1)
insert ignore into a values (5,'1',1),(6,'1',1) on duplicate key update c=7
insert into a values (5,'1',1),(6,'1',1) on duplicate key update c=c
create table w (id int primary key, a int, b date)
create table e (a int)
create table o (a int)
insert into o values (1),(2),(3)
set sql_mode=''
insert into w values (1,'x',1),(2,(select a from e),'x'),(3,'y','x'),(4,'z',1)
insert into w values (11,'x',1),(12,(select max(a) from o),'x'),(13,'y','x'),(14,'z',1)
insert into w values (21,'x',1),(22,(select a from o limit 1),'x'),(23,'y','x'),(24,'z',1)
insert into w values (31,'x',1),(32,(select a from o where a=2),'x'),(33,'y','x'),(34,'z',1)
insert into w values (41,'x',1),(42,(select a from w where id=1),'x'),(43,'y','x'),(44,'z',1)
insert into w values (61,'x',1),(62,exists (select * from o x),'x'),(63,'y','x'),(64,'z',1)
insert into w values (71,'x',1),(72,(select max(id) from w),'x'),(73,'y','x'),(74,'z',1)
insert into w select max(id)+1,'x','x' from w
insert into w select id+100,'x','x' from w where id>30 and id < 34
insert into w select a+1000,'x','x' from o where a>1
insert into w select max(a)+1010,'x','x' from o where a>1
insert into w select a+1100,'x','x' from o group by a
insert into w select a+1200,'x','x' from o order by a desc
insert into w select distinct a+1300,'x','x' from o order by a desc
insert into w select sum(a) over (order by a)+1400,'x','x' from o
replace into w select max(7)+1,'x',-a from o
