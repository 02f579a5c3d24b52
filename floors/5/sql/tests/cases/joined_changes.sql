-- Joined changes: each row once, by the first of its matches, whichever table drives
create table a (id int primary key, x int, v int, s varchar(40));
create table b (y int, w int, t varchar(40));
create table few (y int, w int);
insert into a select seq, seq % 50, 0, concat('a', seq) from seq_1_to_300;
insert into b select seq % 70, seq, concat('b', seq) from seq_1_to_400;
insert into few values (1, 10), (1, 11), (2, 20), (null, 30), (99, 40);
update a join b on a.x = b.y set a.v = b.w;
select sum(v), min(v), max(v), sum(v * id) from a;
update a join b on a.x = b.y set b.w = a.id, a.v = b.w;
select sum(v), sum(v * id) from a;
select sum(w), sum(w * y) from b;
update few join a on a.x = few.y set a.v = few.w, few.w = few.w + 1;
select * from few order by y, w;
select sum(v), sum(v * id) from a;
-- rows of an outer join without a match
update a left join b on a.x = b.y and b.w > 100 set a.v = ifnull(b.w, -1), b.t = a.s;
select sum(v), sum(v * id), sum(v < 0) from a;
select count(*), sum(t like 'a%'), min(t), max(t) from b;
update few left join a on a.x = few.y set few.w = ifnull(a.id, -2), a.v = 7;
select * from few order by y, w;
select sum(v), sum(v * id) from a;
update a right join few on a.x = few.y set a.s = concat('few', few.y), few.w = few.w * 2;
select * from few order by y, w;
select count(*), min(s), max(s) from a where s like 'few%';
-- three tables, one of them changed in the middle
update few join a on a.x = few.y join b on b.y = a.x set a.v = b.w + few.w;
select sum(v), sum(v * id) from a;
update few left join (a join b on b.y = a.x) on a.x = few.y + 1 set b.w = b.w + 1000, few.w = 5;
select sum(w), sum(w * y) from b;
select * from few order by y, w;
-- other than equal
update few join a on a.x < few.y set a.v = a.v + 1, few.w = few.w + 1 where a.id < 60;
select sum(v), sum(v * id) from a;
-- itself under two names
update a p join a q on p.x = q.v set p.v = q.id, q.s = 'q';
select sum(v), sum(v * id), count(distinct s) from a;
-- through a view, with what it wants
create view va as select id, x, v from a where v < 1000000 with check option;
update va join b on va.x = b.y set va.v = b.w;
update va join b on va.x = b.y set va.v = 2000000;
update ignore va join b on va.x = b.y set va.v = if(va.id % 2, 2000000, 3);
select sum(v), sum(v * id) from a;
-- subqueries that read the target, safe updates, IGNORE
update a join b on a.x = b.y set a.v = (select max(v) from a z) where b.w > (select avg(v) from a y);
update a join b on a.x = b.y set a.v = 1 where b.w > (select avg(y) from few);
set sql_safe_updates = 1;
update a join b on a.x = b.y set a.v = 2;
update a join b on a.x = b.y set a.v = 2 where a.id = 5;
delete a from a join b on a.x = b.y;
set sql_safe_updates = 0;
create table u (k int primary key, n int);
insert into u values (1, 1), (2, 2), (3, 3);
update u join few on u.n = few.y set u.k = 3;
select * from u order by k;
update ignore u join few on u.n = few.y set u.k = 3;
select * from u order by k;
select * from u order by k;
-- DELETE from either side, from both, of rows without a match
delete a from a join few on a.x = few.y where a.id < 30;
delete few, b from few left join b on b.y = few.y where few.y is null or few.y = 2;
select count(*), sum(w) from b;
select * from few order by y, w;
delete b from a right join b on a.x = b.y where a.id is null;
select count(*), sum(w) from b;
delete from p, q using a p join a q on p.x = q.x where p.id < q.id and p.id % 3 = 0;
select count(*), sum(id) from a;
drop view va;
drop table a, b, few, u;
CREATE TABLE seen (id INT AUTO_INCREMENT PRIMARY KEY, c INT);
CREATE TABLE other (id INT PRIMARY KEY, c INT);
INSERT INTO seen VALUES (1, 1), (2, 1);
INSERT INTO other VALUES (1, 1);
CREATE VIEW looking AS SELECT * FROM seen WHERE id NOT IN (SELECT o.c + 5 FROM other o, seen s);
CREATE VIEW looked_at AS SELECT * FROM looking;
CREATE VIEW whole AS SELECT * FROM (SELECT * FROM seen) x;
CREATE VIEW of_whole AS SELECT * FROM whole;
UPDATE looking JOIN other ON looking.id = other.id SET looking.c = 5, other.c = 7;
UPDATE looking JOIN seen ON looking.id = seen.id SET looking.c = seen.c + 1;
UPDATE looked_at JOIN other ON looked_at.id = other.id SET looked_at.c = looked_at.c + 1;
UPDATE looked_at SET c = 1;
UPDATE of_whole JOIN other ON of_whole.id = other.id SET of_whole.c = 9;
UPDATE of_whole SET c = 1;
DELETE FROM of_whole;
DELETE looking FROM looking JOIN other ON looking.id = other.id;
SELECT * FROM seen;
