-- How columns are described that come through views, derived tables, windows and groups.
create table t1 (id int primary key, c1 varchar(10), c4 int not null, k int, d datetime, dd decimal(10,2) not null, u varchar(5) not null, key(k));
insert into t1 values (1,'a',2,3,'2020-01-01',1.5,'u'),(2,'b',3,4,'2020-01-01',1.5,'u');
create table t2 (id int auto_increment primary key, c4 int not null, e enum('a','b'));
insert into t2 values (1,2,'a');
create view v1 as select '10:11:12' r0, 5 r1, 1.5 r2, concat(c1,'x') r3, id, c4, k, d, dd, u from t1;
create view v2 as select '10:11:12' as r0 from t1 a1 right join (select distinct a3.c4 r0 from t1 a3) a2 on 5;
create view v3 as select '10:11:12' as r0 from t1 a1 right join t2 a2 on 5;
create view v4 as select distinct '10:11:12' as r0, c1, id, concat(c1) cc, 5 i, c4, u, k, d from t1;
create view v5 as select max(c1) m, count(*) c, id, u, c1, 'x' l from t1 group by id;
create algorithm=temptable view v6 as select 'x' r0, 5 r1, 1.5 r2, concat(c1,'x') r3, id, c4, k, d, dd, u, e from t1 join t2 using(id,c4);
create view v7 as select 'a' x, id, u from t1 union select 'bb', 3, 'z';
create view v8 as select 'a' x, id, u from t1 limit 5;
create view v9 as select 'a' x, id, u from t1 order by u;
select * from v1;
select * from v2;
select * from v3;
select * from v4;
select * from v5;
select * from v6;
select * from v7;
select * from v8;
select * from v9;
select a.* from t2 left join v1 a on a.id = t2.id;
select a.* from t2 left join v4 a on a.id;
select a.* from t2 left join v5 a on a.id;
select a.* from t2 left join v6 a on a.id;
select a.* from t2 left join v7 a on a.id;
select a.* from t2 left join (select 'a' x, 5 y, concat(c1) z, id, u, k from t1) a on a.id;
select a.* from (select 'a' x, 5 y, concat(c1) z, id, u, k from t1) a;
select a.* from (select 'a' x, 5 y, concat(c1) z, id, u, k from t1 group by id) a;
select a.* from (select distinct 'a' x, 5 y, concat(c1) z, id, u, k from t1) a;
with w as (select 'a' x, 5 y, concat(c1) z, id, u, k from t1) select * from w;
with w as (select 'a' x, 5 y, concat(c1) z, id, u, k from t1) select * from w union select * from w;
with recursive w as (select 'a' x, 5 y, concat(c1) z, id, u, k from t1) select * from w;
with recursive w as (select 1 r0, 1 r1 from t1 a2) select 1 r0, a3.r1 from w a3;
with w as (select 1 r0, 1 r1 from t1 a2) select 1 r0, a3.r1 from w a3;
with recursive w as (select 1 n, 'a' s, cast('x' as char(30)) t union all select n+1, concat(s,'b'), t from w where n < 3) select * from w;
select distinct 'a' x, 5 y, concat(c1) z, id, u, k, c4, d from t1;
select distinct 'a' x, k from t1;
select distinct k from t1;
select distinct 1, k from t1;
select 'a' x, 5 y, concat(c1) z, id, u, k, c4, d from t1 group by id;
select 'a' x, 5 y, concat(c1) z, id, u, k, c4, d from t1 group by k;
select 'a' x, 5 y, concat(c1) z, u, k, c4, d, count(*) from t1 group by k order by null;
select 'a' x, 5 y, concat(c1) z, u, k, c4, d, count(*) from t1;
select id, k, u, c1, 'x', rank() over (order by k) from t1;
select id, k, u, c1, 'x', rank() over (order by id) from t1;
select t2.id, k, u, c1, 'x', rank() over (order by c1) from t1, t2;
select t2.id, k, u, c1, 'x', sum(t2.id) over (order by c1) from t1, t2;
create table t22 (a int, b int not null, c int not null, unique (a), unique(b,c), key(c));
select * from t22;
create table t3 (a int, b int not null, c varchar(10) not null, unique (a), unique(b,c(3)), key(c));
select * from t3;
create table t4 (a int not null, b int not null, unique (a), unique(b));
select * from t4;
show columns from t4;
create table t5 (a int not null, b int primary key, unique (a));
select * from t5;
create or replace table made as select a2.* from t1 a1 left join (select id+1 b, concat('a','b') c, coalesce(k,id) d, coalesce(k,1) e, id is null f, k is null i, concat(id,'a') j, isnull(id) o, (id=1) p, least(id,2) q, -id r, length(id) s, id <=> k u, ifnull(k,3) x from t1) a2 on 1 where 0;
show columns from made;
create or replace table made as select min(1) a, max(k) b, min(1+1) c, min(10000000000) d from t1 union select k, k, 1, 1 from t1 where 0;
show columns from made;
create or replace table made as select k from t1 where 0 union select min(1) from t1;
show columns from made;
create table f (id int primary key, u uuid, i4 inet4 not null, i6 inet6 not null, v varchar(10) not null);
create or replace table made as select ifnull(u,'::') a, least(cast('10.0.0.1' as inet4),'b') b, least(i4,'10.0.0.2') c, coalesce(i4,'x') d, if(0,i6,'b') e, if(0,i6,'::1') g, ifnull(i4,v) h, ifnull(i4,'1.2.3.4') i, case when 1 then i4 else 'x' end j, case when 1 then i4 else '1.1.1.1' end k, coalesce(u,'a') l, coalesce(u,'00000000-0000-0000-0000-000000000000') m, coalesce(i6, 0x00000000000000000000000000000001) n, if(1,i4,v) o from f;
show columns from made;
-- when tables were made and changed, in the session's time zone
SET time_zone = '+05:00'
CREATE TABLE timed (a INT)
CREATE VIEW timed_view AS SELECT 1
SELECT ABS(TIMESTAMPDIFF(SECOND, CREATE_TIME, NOW())) < 600, UPDATE_TIME, CHECK_TIME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'timed'
INSERT INTO timed VALUES (1)
SELECT CREATE_TIME <= UPDATE_TIME, ABS(TIMESTAMPDIFF(SECOND, UPDATE_TIME, NOW())) < 600 FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'timed'
SELECT ABS(TIMESTAMPDIFF(SECOND, CREATE_TIME, NOW())) < 600, ABS(TIMESTAMPDIFF(SECOND, UPDATE_TIME, NOW())) < 600 FROM INFORMATION_SCHEMA.PARTITIONS WHERE TABLE_NAME = 'timed'
ALTER TABLE timed ADD b INT
SELECT ABS(TIMESTAMPDIFF(SECOND, CREATE_TIME, NOW())) < 600 FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'timed'
SELECT CREATE_TIME, UPDATE_TIME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'timed_view'
CREATE TABLE seen_apart (id INT PRIMARY KEY, c0 INT NOT NULL)
CREATE TABLE seen_beside (id INT PRIMARY KEY, c0 INT NOT NULL)
CREATE VIEW seen_through AS SELECT * FROM seen_apart
INSERT INTO seen_apart VALUES (1, 1)
INSERT INTO seen_beside VALUES (1, 1)
CREATE TABLE seen_1 AS SELECT id, c0, COUNT(*) OVER () n FROM seen_apart
SHOW COLUMNS FROM seen_1
CREATE TABLE seen_2 AS SELECT id, c0, COUNT(*) OVER () n FROM seen_through
SHOW COLUMNS FROM seen_2
CREATE TABLE seen_3 AS SELECT id, c0, COUNT(*) n FROM seen_through
SHOW COLUMNS FROM seen_3
CREATE TABLE seen_4 AS SELECT a.id, b.c0, COUNT(*) n FROM seen_apart a, seen_beside b
SHOW COLUMNS FROM seen_4
CREATE TABLE seen_5 AS SELECT a.id, b.c0, COUNT(*) n FROM seen_apart a JOIN seen_beside b
SHOW COLUMNS FROM seen_5
CREATE TABLE seen_6 AS SELECT id, c0, COUNT(*) OVER () n FROM seen_apart GROUP BY c0
SHOW COLUMNS FROM seen_6
CREATE TABLE seen_7 AS SELECT a.id, b.c0, COUNT(*) OVER () n FROM seen_apart a, seen_beside b WHERE 0
SHOW COLUMNS FROM seen_7
