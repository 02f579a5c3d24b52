-- columns of foreign keys under other names
create table p (id int not null auto_increment primary key, n varchar(10) not null, x int, unique (n))
create table c (id int, p int, n varchar(10), key (p), constraint g foreign key (p) references p (id), constraint h foreign key (n) references p (n))
alter table c change p pp int, modify id bigint
alter table c change p pp int, add column z int
alter table c change pp p int, algorithm=copy
alter table c rename column pp to p, drop column z
alter table p rename column id to i, modify x bigint
alter table p rename column id to i, algorithm=copy
alter table p change id i bigint not null auto_increment
alter table p change id i int not null auto_increment
show create table c
alter table p change n m varchar(20) not null
show create table c
alter table p change m n varchar(10) null
alter table p modify m varchar(10)
alter table c modify p int not null
alter table c modify p bigint
alter table p change m n varchar(20) not null, add column y int, add index (y)
alter table p rename column n to m, rename column i to n
show create table c
alter table p rename column m to n, rename column n to m
show create table c
alter table p rename column m to id2, rename to p2
show create table c
insert into p2 (n) values ('a')
insert into c values (1, 1, 'a')
insert into c values (1, 2, 'a')
set foreign_key_checks = 0
alter table p2 rename column id2 to id3
alter table p2 change id3 id4 int not null auto_increment, algorithm=copy
set foreign_key_checks = 1
show create table c
delete from p2
create table s (id int primary key, up int, foreign key (up) references s (id))
alter table s rename column id to i
show create table s
alter table s rename column up to u, rename column i to id
show create table s
drop table c, p2, s
-- counters that are set back
create table q (id int auto_increment primary key) auto_increment=10
insert into q values (), (), ()
alter table q auto_increment=5
insert into q values ()
select * from q
delete from q where id > 10
alter table q auto_increment=5
insert into q values ()
select * from q
alter table q auto_increment=100
show create table q
alter table q auto_increment=50
show create table q
rename table q to q2
insert into q2 values ()
select max(id) from q2
truncate table q2
show create table q2
insert into q2 values (), ()
insert into q2 values (1000)
delete from q2 where id = 1000
alter table q2 auto_increment=0
show create table q2
insert into q2 values (1000)
delete from q2 where id = 1000
alter table q2 auto_increment=7, add column z int
show create table q2
insert into q2 values (300, 1)
delete from q2 where id = 300
alter table q2 modify z bigint
show create table q2
alter table q2 modify z int, auto_increment=9
show create table q2
insert into q2 values (300, 1)
delete from q2 where id = 300
alter table q2 force
show create table q2
alter table q2 auto_increment=9, algorithm=copy
show create table q2
create table r (a int, b bigint unsigned auto_increment, key (b desc))
insert into r (a) values (1), (2), (3)
delete from r where b = 3
alter table r auto_increment=1
insert into r (a) values (4)
select * from r
create table n (a int auto_increment, key (a))
insert into n values (-5), (3)
delete from n where a = 3
alter table n auto_increment=1
insert into n values (null)
select * from n
create temporary table t (a int auto_increment primary key)
insert into t values (), (), ()
delete from t where a > 1
alter table t auto_increment=1
insert into t values ()
select * from t
show create table t
drop table q2, r, n, t
-- texts of nothing but comments, and with comments behind
execute immediate '/* nothing */'
execute immediate '-- nothing'
execute immediate 'select 1; -- and no more'
execute immediate 'select 1; select 2'
prepare s from 'select 2; /* c */ # d'
execute s
prepare s from '# nothing'
execute s
prepare s from ';'
-- types of columns of foreign keys
create table p (a varchar(10) not null, b int, e enum('a'), unique (a), unique (b), unique (e))
create table c (a varchar(10), b int, e enum('a'), constraint f foreign key (a) references p (a), constraint g foreign key (b) references p (b), constraint h foreign key (e) references p (e))
alter table p modify a varchar(12) not null
alter table p modify a varchar(12) not null, algorithm=copy
alter table p modify a varchar(8) not null
alter table p modify a varchar(10) not null default 'x'
alter table p modify a varchar(10)
alter table p modify a varchar(10) collate utf8mb4_bin
alter table p modify b bigint
alter table p modify b int(5)
alter table p modify e enum('a', 'b')
alter table c modify a varchar(12)
alter table c modify a varchar(10) not null
alter table c modify b int unsigned
alter table c modify e enum('a', 'b')
set foreign_key_checks = 0
alter table p modify a varchar(12)
alter table c modify a varchar(12)
alter table c modify b bigint
set foreign_key_checks = 1
drop table c, p
-- rows of values that are not as many as the columns
create table q (a int auto_increment primary key, b int)
insert into q values (), (5, 5)
insert into q values (6, 6), ()
insert into q values (), ()
insert into q () values (), ()
insert into q () values (), (1, 2)
insert into q (a) values (), (1)
insert into q (a) values ()
replace into q values (1, 1), ()
insert into q values (), (), (1)
select * from q
CREATE TABLE old_p (id INT PRIMARY KEY, c0 VARCHAR(20), c1 INT, KEY (c0));
CREATE TABLE old_c (id INT PRIMARY KEY, a INT, b BIGINT, s VARCHAR(30), n INT NOT NULL, KEY (a), KEY (b));
SET foreign_key_checks = 0;
ALTER TABLE old_c ADD FOREIGN KEY (a) REFERENCES old_p (c1);
ALTER TABLE old_c ADD CONSTRAINT `x y` FOREIGN KEY (b) REFERENCES old_p (id);
ALTER TABLE old_c ADD FOREIGN KEY (a) REFERENCES old_p (nocol);
ALTER TABLE old_c ADD FOREIGN KEY (a) REFERENCES nowhere (nocol);
ALTER TABLE old_c ADD FOREIGN KEY (n) REFERENCES old_p (id) ON DELETE SET NULL;
ALTER TABLE old_c ADD FOREIGN KEY (n) REFERENCES nowhere (id) ON DELETE SET NULL;
ALTER TABLE old_c ADD FOREIGN KEY (b) REFERENCES old_c (id);
ALTER TABLE old_c ADD FOREIGN KEY (s) REFERENCES old_p (c0);
SET foreign_key_checks = 1;
