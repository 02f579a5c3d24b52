create table p (id int primary key)
create table t (id int primary key, a int, b varchar(20), d int not null, e enum('x','y'), tx text, key kb (b), key ka (a)) charset=utf8mb4
insert into t (id,a,b,d,e) values (1,1,'x',2,'x'),(2,2,'y',3,'y')
create table g (id int primary key, a int, v int as (a + 1) virtual)
create index i on t (d) algorithm=instant
create index i on t (d) algorithm=nocopy lock=none
alter table t drop index i, algorithm=instant
alter table t drop index i, algorithm=inplace, lock=none
alter table t add index i (d), algorithm=copy, lock=none
alter table t add index i (d), algorithm=foo
alter table t add index i (d), lock=bar
alter table t add unique u (tx), algorithm=inplace
alter table t add unique u (tx), lock=none
alter table t add column z int first, algorithm=instant
alter table t drop column z, algorithm=instant
alter table t drop column a, algorithm=instant
alter table t add column z int as (a) stored, algorithm=inplace
alter table t add column z int as (a) stored, lock=none
alter table t add column z int as (a) virtual, algorithm=instant
alter table t drop column z
alter table t add column z int auto_increment unique, algorithm=nocopy
alter table t add column z int auto_increment unique, lock=none
alter table t modify a bigint, algorithm=inplace
alter table t modify a bigint, algorithm=inplace, lock=none
alter table t modify a bigint, lock=none
alter table t modify a int not null, algorithm=nocopy
alter table t modify a int not null, algorithm=inplace, lock=none
alter table t modify d int, algorithm=instant
alter table t modify b varchar(30), algorithm=instant
alter table t modify b varchar(10), algorithm=nocopy
alter table t modify b varchar(30) character set latin1, algorithm=inplace
alter table t modify b varchar(30) collate utf8mb4_bin, algorithm=instant
alter table t modify e enum('x','y','z'), algorithm=instant
alter table t modify e enum('y','x','z'), algorithm=nocopy
alter table t modify tx longtext, lock=none
alter table t rename column e to ee, algorithm=instant
alter table t alter d set default 3, algorithm=instant, lock=none
alter table t convert to character set latin1, algorithm=inplace
alter table t default character set latin1, algorithm=instant
alter table t drop primary key, algorithm=inplace
alter table t drop primary key, lock=none
alter table t drop primary key, add primary key (d), algorithm=nocopy
alter table t drop primary key, add primary key (d), algorithm=inplace, lock=none
alter table t add constraint f foreign key (d) references p (id), algorithm=inplace
alter table t add constraint f foreign key (d) references p (id), lock=none
alter table t add check (a > 0), algorithm=inplace
alter table t add constraint c check (d > 0), lock=none
alter table t engine=innodb, algorithm=nocopy
alter table t force, algorithm=instant
alter table t row_format=compact, algorithm=nocopy
alter table t add index i (d), add column q int, algorithm=nocopy
alter table t add index i (d), add column q int, algorithm=inplace, lock=none
alter table t comment 'x', algorithm=instant, lock=none
alter table t rename to t2, lock=none
alter table t rename to t2, algorithm=inplace, lock=shared
alter table t rename to t2, algorithm=copy, lock=none
alter table t rename to t2, lock=exclusive
alter table g add column z int first, algorithm=instant
alter table g add column z int, algorithm=instant
alter table g modify a int not null, lock=none
