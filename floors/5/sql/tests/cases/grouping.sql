create table t (id int primary key, g varchar(5), v int, d decimal(6,2), f double, dt date, u bigint unsigned)
insert into t values (1,'a',10,1.5,0.5,'2020-01-01',1),(2,'a',20,2.5,1.5,'2020-01-02',2),(3,'a',20,null,2.5,null,3),(4,'b',5,4.25,3.5,'2020-01-04',4),(5,'b',null,5.5,null,'2020-01-05',5),(6,null,7,6.5,5.5,'2020-01-06',18446744073709551615)
create table t2 (a int, b int)
insert into t2 values (3,1),(1,2),(2,3),(1,4)
set sql_mode=concat(@@sql_mode,',ONLY_FULL_GROUP_BY')
select g, v from t group by g
select v from t group by g
select g, v+1 from t group by g
select g, max(v), id from t group by g
select id, g from t group by id
select g from t group by g order by v
select g from t group by g having v > 1
select g, count(*) from t
select count(*), 1 from t
select max(v) from t order by id
select v from t having count(*) > 1
select g, sum(v) + v from t group by g
select upper(g) from t group by g
select g from t group by upper(g)
select upper(g) from t group by upper(g)
-- differs: columns inside subqueries are not looked at
select g, (select max(v) from t t2 where t2.id = t.id) from t group by g
select g, (select max(v) from t t2 where t2.g = t.g) from t group by g
select * from t group by g
select t.g x, v from t group by x
select distinct v from t group by g
select g, any_value(v) from t group by g
select g, 1, now() > 0 from t group by g
select case when g = 'a' then v end from t group by g
select g, v from t where v = 10 group by g
select a.g, b.v from t a join t b on a.id=b.id group by a.g
-- differs: MariaDB does not look at columns of derived tables
select x.g, x.v from (select g, v from t) x group by x.g
select g, group_concat(v order by v) from t group by g
select g, sum(v) over (partition by g) from t group by g
select g, sum(sum(v)) over () from t group by g
select count(distinct v), g from t
insert into t2 select v, count(*) from t
select g, v from t group by g with rollup
select v, g from t group by 2
set sql_mode=default
select g, v from t group by g order by g
select t.*, count(*) from t order by 1
select id, count(*) from t where 1=0
select id, max(v) from t where id > 3
select g, count(*), v from t group by g having v > 5
CREATE TABLE outside (a INT, b VARCHAR(10));
CREATE TABLE inside (c INT, d INT);
INSERT INTO outside VALUES (1, 'x'), (2, 'y'), (3, 'x');
INSERT INTO inside VALUES (10, 1), (20, 2);
SELECT (SELECT MAX(t.a) FROM inside LIMIT 1) x, COUNT(*) FROM outside t GROUP BY x;
SELECT HEX((SELECT AVG(t.a) FROM inside LIMIT 1)), AVG(a) FROM outside t GROUP BY 1;
SELECT b, (SELECT MAX(t.a) + s.c FROM inside s WHERE c = 10) FROM outside t GROUP BY b;
SET sql_mode = 'ONLY_FULL_GROUP_BY';
SELECT (SELECT MAX(t.a) FROM inside WHERE t.a) FROM outside t;
SELECT MAX(a), (SELECT t.a FROM inside LIMIT 1) FROM outside t;
SELECT b, (SELECT t.a FROM inside LIMIT 1) FROM outside t GROUP BY b;
SELECT b, (SELECT t.b FROM inside LIMIT 1) FROM outside t GROUP BY b;
SELECT b, MAX((SELECT s.c FROM inside s WHERE s.d = t.a LIMIT 1)) FROM outside t GROUP BY b;
SELECT a + 1, (SELECT s.c FROM inside s WHERE s.c = t.a + 1 LIMIT 1) FROM outside t GROUP BY a + 1;
SELECT MAX(a), EXISTS (SELECT 1 FROM inside s WHERE s.c = t.a) FROM outside t;
SET sql_mode = DEFAULT;
DROP TABLE outside, inside;
