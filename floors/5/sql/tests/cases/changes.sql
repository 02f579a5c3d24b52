create table t (id int primary key auto_increment, a int, b varchar(20) default 'dflt', c decimal(6,2) not null, unique u (a))
insert into t (a, c) values (1, 1.005), (2, '2.5'), (null, 3)
select * from t
insert into t (a, b) values (9, 'no c')
insert into t values (default, 4, default, 1)
insert into t set a = 5, b = 'set', c = 9.999
insert into t (a, c) values (1, 7) on duplicate key update b = concat(b, '!'), c = values(c) + 1
select * from t
insert ignore into t (a, c) values (1, 7), (50, 8), (2, 9)
select * from t
replace into t (id, a, c) values (1, 2, 77)
select * from t
insert into t (a, c) values ('abc', 1)
insert into t (a, c) values (99999999999, 1)
insert into t (b, c) values ('123456789012345678901234567890', 1)
insert into t (a, c) values (60, null)
insert into t (a, c) values (1,2,3)
insert into t (zz) values (1)
insert into t (a, a) values (1, 2)
insert into nope values (1)
update t set b = 'upd', a = a + 100 where id > 3
select * from t
update t set c = c * 2 order by id desc limit 2
select id, c from t
update t set a = 2
update t set zz = 1
update t set b = default, c = id where a is null
select * from t
delete from t where a > 100 order by id limit 1
select id from t order by id
delete from t order by id desc limit 1
select id from t order by id
insert into t (a, c) select a + 1000, c from t where a is not null
select * from t
insert into t (id, a, c) values (1000, 5000, 1), (null, 5001, 1), (0, 5002, 1)
select id, a from t where a >= 5000
create table u (x int, y varchar(10), key (x))
insert into u values (1, 'one'), (2, 'two'), (2, 'zwei'), (3, 'three'), (null, 'null')
update u set y = upper(y) where x = 2
select * from u
update t, u set t.b = u.y where t.id = u.x
select id, b from t order by id
delete u from u join t on t.id = u.x where t.id = 2
select * from u
delete from u where x in (select id from t)
select * from u
delete from u
select count(*) from u
insert into u values (1, 'a'), (2, 'b') returning x, y
delete from u where x = 1 returning *
replace into u values (5, 'five')
create table d (a datetime, b date, c time, e year, f timestamp null, g enum('x','y'), h set('p','q','r'), i bit(4), j double, k float, l char(5), m binary(3), n blob, o bigint unsigned, p tinyint)
insert into d values ('2020-02-30', '2020-01-01', '1:2:3', 2020, '2020-01-01 00:00:00', 'x', 'p,r', 5, 1.5, 2.5, 'ab', 'c', 'blob', 18446744073709551615, -128)
insert into d values ('2020-02-28 12:30:45', '2020-01-01', '1:2:3', 2020, '2020-01-01 00:00:00', 'x', 'p,r', b'101', 1.5, 2.5, 'ab  ', 'c', 'blob', 18446744073709551615, -128)
select a, b, c, e, f, g, h, i + 0, j, k, l, hex(m), n, o, p from d
insert into d (g) values ('z')
insert into d (h) values ('z')
insert into d (i) values (16)
insert into d (o) values (-1)
insert into d (p) values (128)
insert into d (l) values ('abcdef')
insert into d (m) values ('abcd')
insert into d (e) values (1800)
insert into d (c) values ('900:00:00')
insert into d (b) values ('not a date')
set sql_mode = ''
insert into d (p, l, g, b, o, a) values (1000, 'abcdefgh', 'zz', 'junk', -5, '2020-13-01')
select p, l, g, b, o, a from d where p = 127
insert into t (a, b) values (777, 'c is zero')
select a, b, c from t where a = 777
insert into t (a, c) values ('12abc', null), (778, null)
select a, c from t where a in (12, 778)
set sql_mode = default
begin
insert into u values (100, 'x')
savepoint s1
insert into u values (101, 'y')
rollback to s1
select * from u order by x
rollback
select * from u order by x
begin
update u set y = 'changed' where x = 2
commit
select * from u order by x
rollback to nosuch
start transaction read only
insert into u values (7, 'x')
commit
set autocommit = 0
insert into u values (8, 'eight')
rollback
select count(*) from u where x = 8
set autocommit = 1
create table ai (id int auto_increment primary key, v int)
insert into ai (v) values (1), (2)
select last_insert_id()
insert into ai (id, v) values (10, 3)
insert into ai (v) values (4)
select * from ai
select last_insert_id(), row_count()
delete from ai where id = 11
insert into ai (v) values (5)
select * from ai
update ai set id = 20 where id = 10
insert into ai (v) values (6)
select max(id) from ai
