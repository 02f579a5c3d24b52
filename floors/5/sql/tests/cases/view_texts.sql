-- What views keep as their text, and what can be changed through them.
create table t1 (id int primary key, a int)
create table t2 (id int primary key, a int)
create view v1 as select x.id from t1 x, t2 y
create view v2 as select x.id from t1 x join t2 y
create view v3 as select x.id from t1 x join t2 y on x.id=y.id
create view v4 as select x.id from t1 x left join t2 y on x.id=y.id
create view v5 as select x.id from t1 x, t2 y, t1 z
create view v6 as select x.id from t1 x join t2 y on x.id=y.id join t1 z on 1
create view v7 as select x.id from t1 x left join (t2 y join t1 z) on 1
create view v8 as select x.id from t1 x, t2 y left join t1 z on 1
create view v9 as select x.id from (t1 x, t2 y) left join t1 z on 1
create view v10 as select x.id from t1 x where exists (select 1 from t1 a, t2 b)
create view v11 as select x.id from (t1 x, t2 y)
create view v12 as select * from (select x.id from t1 x, t2 y) q
create view v13 as select x.id from t1 x cross join t2 y where x.id = 1
create view v14 as select x.id from t1 x union select 1 from t1 a, t2 b
create view v15 as select x.id from t1 x straight_join t2 y
create view v16 as (select x.id from t1 x)
create view v17 as (select x.id from t1 x) union (select 1)
create view v18 as ((select x.id from t1 x) limit 1)
create view v19 as select 1 from t1
create view v20 as select id+1 from t1
create view v21 as select x.id from t1 x left join t2 y on 1 with check option
create view v22 as select x.id from t1 x join t2 y on 1 with check option
create view v23 as select y.id from t1 x right join t2 y on 1
create view v29 as select sum(a) over w from t1 window w as (partition by id order by a)
create view v31 as select sum(a) over (w order by a) from t1 window w as (partition by id)
create view v32 as select x.id from t1 x where x.a in (select a from t1)
create view v33 as select x.id from t1 x where x.a in (select a from t2)
create view v34 as select x.id, (select max(a) from t2) m from t1 x
create view v35 as select x.id from t1 x, t2 z where x.a in (select a from t1)
select table_name, view_definition, is_updatable, check_option, algorithm from information_schema.views where table_schema=database() order by length(table_name), table_name
drop view v32, v33, v34, v35
create view v32 as select x.id from t1 x where x.a in (select a from t1) with check option
create view v33 as select x.id from t1 x where x.a in (select 2 from t1 y) with check option
create view v34 as select id from t1 where a in (select a from t1) with check option
create view v35 as select x.id from t1 x where x.a in (select a from t1 y) with check option
create view v36 as select x.id from t1 x where exists (select 1 from t1 y where x.id = y.id) with check option
create view v37 as select x.id, (select max(a) from t1) b from t1 x with check option
create view v38 as select x.id from t1 x where exists (select 1 from t2 y) with check option
create view v39 as select x.id from t1 x, t2 y where exists (select 1 from t2 y) with check option
create view v40 as (select x.id from t1 x) union select 1
create view v41 as select x.id from t1 x union (select 1)
create view v42 as (select x.id from t1 x order by 1) union (select 1 limit 1) order by 1
create view v43 as select * from ((select id from t1)) q
create view v44 as select * from ((select id from t1) union (select 2)) q
create view v45 as select 1 in (select id from t1), ((select id from t1 limit 1))
show create view v40
show create view v41
show create view v42
show create view v43
show create view v44
show create view v45
create view w1 as with recursive w(n,s) as (select 1, "a" union all select n+1, s from w where n < 3) select * from w
show create view w1
create table keys_of (a int, b int, c int, primary key using hash (a), key (b) using hash, unique (c) using btree, key q (b,c) ignored comment "x")
show create table keys_of
alter table keys_of alter index q not ignored
show create table keys_of
insert into keys_of (b) values (1)
insert into keys_of (a, b) values (1, default)
update keys_of set a = default
create table en (a enum("x","y") not null, b int not null)
insert into en (b) values (3)
insert into en (a) values ("y")
replace into en (a) select "x" from en where 0
select * from en
set sql_mode = "PAD_CHAR_TO_FULL_LENGTH"
create table pads (id int primary key, c char(5), v varchar(5), b binary(3))
insert into pads values (1, "ab", "cd", "e"), (2, "", "", "")
select * from pads
select c from pads where id = 1
select concat(c, "|"), length(c), concat(v, "|") from pads
select c from pads order by c
select * from pads where c = "ab"
select id from pads where c like "ab"
insert into pads select 3, v, c, b from pads where id = 1
select concat(v, "|") from pads where id = 3
set sql_mode = default
select c from pads where id = 1
CREATE TABLE long_defaults (id INT, a TEXT DEFAULT 'ab', b BLOB DEFAULT '', c VARCHAR(20) DEFAULT 'q''x"\\y\n%', h JSON DEFAULT '[]', i TEXT DEFAULT 5, l TEXT NOT NULL DEFAULT 'q''x"\\y\n%', n BIT(3) DEFAULT b'101')
SHOW CREATE TABLE long_defaults
SHOW COLUMNS FROM long_defaults
CREATE VIEW of_long_defaults AS SELECT *, IFNULL(a, '') x FROM long_defaults
SHOW COLUMNS FROM of_long_defaults
SELECT COLUMN_NAME, COLUMN_DEFAULT FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'of_long_defaults' AND TABLE_SCHEMA = DATABASE()
