create table u (id int primary key, a int, s varchar(20), key (a))
create table v (id int primary key, a int, b int not null, s varchar(20), d date)
create table w (id int primary key, v int, c decimal(10,2))
insert into u select seq, seq % 10, elt(seq % 3 + 1, 'one', 'two', null) from seq_1_to_100
insert into v values (1,1,1,'x','2020-01-01'),(2,2,0,null,null),(3,null,5,'y','2021-02-03'),(7,7,7,'two','2022-03-04')
insert into w values (1,1,1.50),(2,2,null),(3,9,9.00),(4,null,4.25)
-- An outer join behind which a condition wants rows of both sides is an inner one: a key finds its row first.
with recursive r as (select 1 as n union all select n + 1 from r where n < 100000) select * from r as x join r as y on 1 right join v on x.n = v.a where 100 = v.id
with recursive r as (select 1 as n union all select n + 1 from r where n < 100000) select * from r as x join r as y on 1 left join v on x.n = v.a where 100 = v.id
with recursive r as (select 1 as n union all select n + 1 from r where n < 100000) select * from (select 1 as p from r x join r y on 1) z left join v on 1 right join r on v.id = r.n where 100 = v.id
-- differs: MariaDB reads v's row while it plans, and so calls its values constants.
explain select u.id from u left join v on u.a = v.a where v.id = 1
select u.id, v.id from u left join v on u.a = v.a where v.id = 1 order by u.id
select u.id, v.id from u left join v on u.a = v.a where v.b > 4 order by u.id, v.id
select u.id, v.id from u left join v on u.a = v.a where v.b + u.id < 10 order by u.id, v.id
select u.id, v.id from u left join v on u.a = v.a where v.s like '%o' order by u.id limit 3
select u.id, v.id from u left join v on u.a = v.a where v.s is not null and u.id < 20 order by u.id
select u.id, v.id from u left join v on u.a = v.a where not (v.s = 'x') order by u.id limit 5
select u.id, v.id from u left join v on u.a = v.a where (v.id = 1 or v.b = 7) and u.id < 30 order by u.id
select u.id, v.id from u left join v on u.a = v.a where year(v.d) = 2022 order by u.id limit 3
select u.id, v.id from u left join v on u.a = v.a where v.id in (select v from w) order by u.id limit 5
select u.id, v.id from u left join v on u.a = v.a where (v.id, u.id) in ((1,1),(7,7)) order by u.id
select u.id, v.id from u left join v on u.a = v.a where (v.s = 'x') is true order by u.id limit 3
select u.id, v.id from u left join v on u.a = v.a where v.b between 1 and 7 and u.id < 12 order by u.id
select u.id, v.id, w.id from u left join v on u.a = v.a left join w on w.v = v.id where w.c > 1 order by u.id limit 3
select u.id, v.id, w.id from u left join (v left join w on w.v = v.id) on u.a = v.a and w.c > 1 where u.id < 5 order by u.id
-- And those that want it not stay outer ones.
select u.id, v.id from u left join v on u.a = v.a where v.s is null and u.id < 15 order by u.id
select u.id, v.id from u left join v on u.a = v.a where (v.id = 1 or u.id = 5) and u.id < 30 order by u.id
select u.id, v.id from u left join v on u.a = v.a where not (v.s <=> 'x') and u.id < 12 order by u.id
select u.id, v.id from u left join v on u.a = v.a where (v.s = 'x') is not true and u.id < 12 order by u.id
select u.id, v.id from u left join v on u.a = v.a where coalesce(v.b, 0) = 0 and u.id < 12 order by u.id
select u.id, v.id from u left join v on u.a = v.a where 5 not between v.b and 4 and u.id < 12 order by u.id
select u.id, v.id from u left join v on u.a = v.a where v.id not in (select v from w where v > 5) and u.id < 12 order by u.id
select u.id, v.id, w.id from u left join v on u.a = v.a left join w on w.v = v.id where coalesce(w.c, 3) > 1 and u.id < 8 order by u.id
update u left join v on u.a = v.a set u.s = concat(ifnull(u.s, '-'), v.b) where v.id in (1, 7)
delete v from u right join v on u.a = v.a where u.id = 7
select count(*), sum(length(s)) from u
select id from v order by id
-- The place of a label is that in the column's declaration, where the label is known beforehand.
create table st (id int primary key, f set('gift','express','b2b'), s varchar(20))
insert into st values (1,'express,b2b','b2b'),(2,'gift,b2b','gift'),(3,'b2b','express'),(4,'',''),(5,null,'b2b'),(6,'gift',null)
select id, find_in_set('B2B', f), find_in_set(s, f), find_in_set('gift', f), find_in_set('none', f), find_in_set('', f), find_in_set('gift,b2b', f), find_in_set(null, f), find_in_set('b2b', concat(f)) from st order by id
select find_in_set('b2b', f) as k, count(*), min(id) from st group by k with rollup
select id from st where find_in_set('b2b', f) > 0 order by id
-- Of rows that GROUP_CONCAT orders alike the last comes first.
select group_concat(seq order by seq % 3), group_concat(seq order by seq % 3 desc separator ';'), group_concat(distinct seq order by seq % 3) from seq_1_to_20
select group_concat(seq order by seq % 3 limit 4), json_arrayagg(seq order by seq % 3) from seq_1_to_10
select a, group_concat(id order by s) from u force index (a) where a < 2 group by a
-- What is out of range is named with its values, also where those are a statement's parameters.
create table stock (id int primary key, n int unsigned not null, d decimal(65,0))
insert into stock values (1, 5, 99999999999999999999999999999999999999999999999999999999999999999)
update stock set n = n - 6 where id = 1
update stock set n = (stock.n + -7) where id = 1
update stock set n = n + -2 * 70 where id = 1
update stock set n = n * -1 where id = 1
update stock set d = d * 100 where id = 1
insert into stock values (1, 0, 0) on duplicate key update n = n - 8
prepare s from 'select n - ? from stock where id = ?'
set @a = 9, @b = 1
execute s using @a, @b
-- A parameter beyond the signed numbers is a decimal below zero.
PREPARE p FROM 'SELECT -?';
SET @a = 18446744073709551615;
EXECUTE p USING @a;
SET @a = 9223372036854775808;
EXECUTE p USING @a;
SET @a = 5;
EXECUTE p USING @a;
EXECUTE IMMEDIATE 'SELECT -?, -(? - 1), 1 + -?' USING 18446744073709551615, 18446744073709551615, 18446744073709551615;
SELECT -18446744073709551615, -(18446744073709551615), - -9223372036854775808;
-- A date beside a YEAR column counts by its year, a time of day as the year zero.
CREATE TABLE years (y YEAR, d DATE, KEY (y));
INSERT INTO years VALUES (2010, '2010-05-06'), (0, '2001-01-01'), (2155, NULL);
SELECT y, y = DATE'2010-02-03', y < DATE'2010-02-03', TIMESTAMP'2010-02-03 01:02:03' = y, y <=> DATE'2010-02-03', y = d FROM years;
SELECT y, y = TIME'10:00:00', y < TIME'10:00:00', y IN (DATE'2010-01-01', DATE'2155-01-01') FROM years;
SELECT y, y = DATE'1800-01-01', y > DATE'1800-01-01', y = DATE'3000-01-01', y = DATE'0000-00-00' FROM years;
SELECT y FROM years WHERE y = DATE'2010-12-31';
SELECT y FROM years WHERE y > TIMESTAMP'2010-12-31 00:00:00';
SELECT y FROM years WHERE y BETWEEN DATE'2009-01-01' AND CAST('2011-01-01' AS DATE);
EXECUTE IMMEDIATE 'SELECT y FROM years WHERE y = ?' USING DATE'2010-05-05';
EXECUTE IMMEDIATE 'SELECT y FROM years WHERE y <=> ?' USING TIME'10:05:05';
DROP TABLE years;
