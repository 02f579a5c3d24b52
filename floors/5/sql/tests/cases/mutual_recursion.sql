-- Common table expressions that name each other.
create table folks (id int, name char(32), dob date, father int, mother int)
insert into folks values (100, 'Me', '2000-01-01', 20, 30), (20, 'Dad', '1970-02-02', 10, 9), (30, 'Mom', '1975-03-03', 8, 7), (10, 'Grandpa Bill', '1940-04-05', null, null), (9, 'Grandma Ann', '1941-10-15', null, null), (25, 'Uncle Jim', '1968-11-18', 8, 7), (98, 'Sister Amy', '2001-06-20', 20, 30), (7, 'Grandma Sally', '1943-08-23', null, 6), (8, 'Grandpa Ben', '1940-10-21', null, null), (6, 'Grandgrandma Martha', '1923-05-17', null, null), (67, 'Cousin Eddie', '1992-02-28', 25, 27)
with recursive couples (h, w) as (select a.father, a.mother from up a), up (id, name, dob, father, mother) as (select * from folks where name = 'Me' union all select p.* from folks p, couples fa where p.id = fa.h union all select p.* from folks p, couples ma where p.id = ma.w) select * from couples
with recursive couples (h, w) as (select a.father, a.mother from up a where a.father is not null and a.mother is not null), up (id, name, dob, father, mother) as (select * from folks where name = 'Me' union select p.* from folks p, couples fa where p.id = fa.h union select p.* from folks p, couples ma where p.id = ma.w) select * from couples
with recursive couples (h, w) as (select a.father, a.mother from up a where a.father is not null and a.mother is not null), up (id, name, dob, father, mother) as (select * from folks where name = 'Me' union all select p.* from folks p, couples fa where p.id = fa.h union all select p.* from folks p, couples ma where p.id = ma.w) select h.name, w.name from couples c, folks h, folks w where c.h = h.id and c.w = w.id
with recursive couples (h, w) as (select a.father, a.mother from up a where a.father is not null and a.mother is not null), up (id, name, dob, father, mother) as (select * from folks where name = 'Me' union select p.* from folks p, couples fa where p.id = fa.h union select p.* from folks p, couples ma where p.id = ma.w) select c.h, x.name, y.name from couples c, up x, up y where c.h = x.id and c.w = y.id
with recursive a (n) as (select n + 1 from b where n < 5), b (n) as (select 1 union all select n from a) select * from a
with recursive b (n) as (select 1 union all select n from a), a (n) as (select n + 1 from b where n < 5) select a.n, b.n from a, b where a.n = b.n
with recursive a (n) as (select n + 1 from b where n < 5), b (n) as (select 1 union all select n from a) select count(*), sum(b.n) from b
with recursive a (n) as (select n + 1 from b where n < 5), b (n) as (select n from c), c (n) as (select 1 union select n from a) select * from b
with recursive t as (select * from folks where id >= 25 union select * from r), r as (select * from t union select folks.* from folks, r where r.id + 1 = folks.id) select * from r
with recursive t as (select * from folks where id >= 25 union select * from r), r as (select * from t union select folks.* from folks, r where r.id + 1 = folks.id) select * from t
with recursive a (n) as (select n from b), b (n) as (select n from a) select * from a
with recursive a (n) as (select n from b), b (n) as (select n from a) select * from b
with recursive a (n, m) as (select 1 union all select n + 1 from a where n < 3) select * from a
with recursive a (n, m) as (select 1, 2 union all select n + 1 from a where n < 3) select * from a
with recursive a (n, m) as (select 1 union all select n + 1 from a where n < 3 and n not in (select m from a)) select * from a
