-- AUTO_INCREMENT values among values given, and where the counter stands afterwards.
create table t (id int auto_increment primary key, a int)
insert into t values (null, 1), (22, 2), (default, 3), (0, 4)
select * from t
show create table t
insert into t values (100, 1), (null, 2), (null, 3)
show create table t
insert into t (a) select a from t where id < 24
show create table t
select * from t
insert ignore into t values (1, 1), (null, 2), (22, 2), (null, 3)
select * from t where id > 105
show create table t
insert into t values (50, 9), (null, 9)
insert ignore into t values (2147483647, 1), (null, 2)
select * from t where id > 1000
insert into t values (null, 2)
create table u (id int auto_increment primary key, a int unique)
insert into u (a) values (1), (2), (3)
insert ignore into u (a) values (3), (4), (2), (5)
select * from u order by 1
insert into u (a) values (5), (6) on duplicate key update a = a + 10
select * from u order by 1
show create table u
replace into u (a) values (1), (7), (2)
select * from u order by 1
-- Tables swap names and keep their rows.
create table x (n int primary key)
insert into x values (1)
rename table u to w, x to u, w to x
insert into u values (2)
select * from u order by 1
select count(*) from x
create table r (id int auto_increment primary key, a int unique, b varchar(10) not null)
insert into r (a, b) values (1, 'x') returning *
insert ignore into r (a, b) values (1, 'y'), (2, 'z') returning id, b
insert into r (a, b) values (2, 'q') on duplicate key update b = 'changed', id = 50 returning *
insert ignore into r (id, a, b) values (0, 7, 'n'), (90, 7, 'o'), (null, 8, 'p')
select id, a from r order by id
insert into r (a, b) values (20, 'x'), (1, 'dup')
select last_insert_id()
create table shown (z int(7) zerofill default 30, b bit(3) default 3, d double(8,2) default 23, f float(6,1) default 1.25)
describe shown
show create table shown
