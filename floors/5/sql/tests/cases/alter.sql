create table a1 (id int primary key, v varchar(10), n int)
insert into a1 values (1,'abc',null),(2,'99999999',3),(300,'x',3)
alter table a1 modify v int
alter table a1 modify id tinyint
-- differs: MariaDB tells a second error, 1138
alter table a1 modify n int not null
alter table a1 modify v varchar(3)
alter table a1 add unique(n)
alter table a1 drop column zz
alter table a1 drop key zz
alter table a1 drop foreign key zz
alter table a1 drop constraint zz
alter table a1 add column v int
alter table a1 add column q int after zz
-- differs: MariaDB tells a second error, 1138
alter table a1 drop primary key, add primary key(n)
alter table a1 modify zz int
alter table a1 change zz y int
alter table a1 rename column zz to y
alter table a1 rename key zz to y
alter table a1 alter zz set default 5
alter table a1 drop id, drop v, drop n
alter table a1 add primary key (v)
alter table a1 add q datetime not null
select * from a1
alter table a1 rename to a1
create table k2 (a int)
alter table a1 rename to k2
alter table zzz add b int
alter table if exists zzz add b int
alter table a1 add column if not exists v int
alter table a1 drop column if exists zz, drop key if exists zz
alter table a1 add auto int auto_increment unique first
select * from a1
show create table a1
alter table a1 modify v varchar(100) charset latin1 not null default 'x' comment 'c' after n
show create table a1
alter table a1 convert to character set latin1
show create table a1
alter table a1 charset=utf8mb4
show create table a1
alter table a1 alter n set default 7
show create table a1
alter table a1 disable keys
alter table a1 engine=innodb
alter table a1 force
alter table a1 comment='zz', auto_increment=100
show create table a1
insert into a1 (id) values (5)
select auto, id, v, n from a1 order by auto
alter table a1 add index (v), add index(v), add key (n) comment 'kc'
show create table a1
create index ix on a1 (v)
create index ix on a1(v)
create index if not exists ix on a1(v)
create unique index ux on a1(v)
create unique index ux on a1(n)
drop index nope on a1
drop index ix on a1
drop index `PRIMARY` on a1
show create table a1
create index `PRIMARY` on a1(v)
alter table a1 rename column v to w, rename index v to wi
show create table a1
alter table a1 change w w2 varchar(50) first
show create table a1
select * from a1 order by auto
alter table a1 drop column w2
show create table a1
create table c1 (a int, b int)
insert into c1 values (1, 10), (2, 20)
alter table c1 add constraint pos check (b > 15)
alter table c1 add constraint pos check (b > 5)
insert into c1 values (3, 1)
update c1 set b = 2 where a = 1
alter table c1 drop constraint pos
insert into c1 values (3, 1)
alter table c1 add c int not null default 7, add d varchar(5), add e int default 3 after a
select * from c1
alter table c1 modify b bigint unsigned, modify d varchar(300) not null
alter table c1 modify b bigint unsigned
alter table c1 modify c varchar(20)
select * from c1
alter table c1 modify c int unsigned
select * from c1
alter table c1 modify c date
alter table c1 modify c enum('7','8')
select * from c1
alter table c1 modify c enum('7','8','9')
alter table c1 modify c enum('8','9')
alter table c1 add f int as (a + b) stored, add g int as (a * 2)
select a, b, f, g from c1
insert into c1 (a, b) values (10, 20)
select a, b, f, g from c1
show create table c1
alter table c1 rename to c2
select count(*) from c1
select count(*) from c2
rename table c2 to c3, c3 to c4
show create table c4
truncate table c4
select * from c4
alter table c4 add primary key (a), add unique u (b)
insert into c4 (a, b) values (1, 1), (2, 2)
insert into c4 (a, b) values (1, 3)
insert into c4 (a, b) values (3, 2)
alter table c4 drop primary key
insert into c4 (a, b) values (1, 3)
alter table c4 add primary key (a)
select a, b from c4 order by b
alter table c4 drop index u
show create table c4
create table n1 (a int, b varchar(20))
insert into n1 values (1, '2020-01-01'), (2, null), (3, 'x')
alter table n1 modify b date
delete from n1 where a = 3
alter table n1 modify b date
select * from n1
alter table n1 modify b datetime
select * from n1
alter table n1 modify b varchar(20)
select * from n1
-- differs: MariaDB tells a second error, 1138
alter table n1 modify b varchar(20) not null
alter ignore table n1 modify b varchar(20) not null
select * from n1
alter table n1 modify a decimal(10,3), modify b varchar(5)
alter table n1 modify a decimal(10,3)
select * from n1
alter table n1 modify a double
select * from n1
alter table n1 modify a varchar(10)
select * from n1

-- CONVERT TO CHARACTER SET is for columns that come with it too, whatever they say.
CREATE TABLE converted (id INT PRIMARY KEY, a VARCHAR(5) CHARACTER SET latin1)
ALTER TABLE converted CONVERT TO CHARACTER SET utf8mb4, ADD COLUMN n NCHAR(3), ADD l VARCHAR(3) CHARACTER SET latin1, ADD b VARBINARY(3), ADD j JSON, ADD t TEXT CHARACTER SET latin1
SHOW CREATE TABLE converted
-- A name that CHANGE gives is there already.
ALTER TABLE converted CHANGE a x INT, ADD COLUMN IF NOT EXISTS x BIGINT
SHOW CREATE TABLE converted
ALTER TABLE converted CHANGE x y INT, ADD COLUMN IF NOT EXISTS y BIGINT, ADD y DOUBLE
DROP TABLE converted
CREATE TABLE both_ways (a INT, b INT, c INT, d INT, CHECK (c > 0), CONSTRAINT dd CHECK (d > 0), CHECK (a + b > 0));
ALTER TABLE both_ways DROP COLUMN c, DROP CONSTRAINT CONSTRAINT_1;
ALTER TABLE both_ways DROP CONSTRAINT IF EXISTS dd, DROP COLUMN d;
ALTER TABLE both_ways DROP COLUMN b;
ALTER TABLE both_ways DROP COLUMN b, DROP CONSTRAINT CONSTRAINT_2;
SHOW CREATE TABLE both_ways;
