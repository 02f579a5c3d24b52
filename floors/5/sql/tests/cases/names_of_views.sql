CREATE DATABASE names_of_views
USE names_of_views
CREATE TABLE lt (c VARCHAR(10), u VARCHAR(10))
INSERT INTO lt VALUES ('v', 'v')
-- A column of a merged view, derived table or common table expression is named as there, however the query writes it.
create or replace view v1 as select c as Cc, u from lt
select CC, U from v1
select x.cC from v1 x
select cc+1 from v1
select U from (select u from v1) d
select CC from v1 group by cc
select CC from (select c as Cc from lt) d
select CC from (select c as Cc from lt limit 1) d
with w as (select c Cc from lt) select CC from w
create or replace view v2 as select distinct c as Cc from lt
select CC from v2
select CC from v1 order by cC
select distinct CC from v1
select CC from v1 join lt using (u)
select CC from v1 union select 1
select max(CC), CC from v1
select C from lt
select x.C as C from lt x
select C from lt union select 1
select CC from (select c as Cc from lt) d order by CC
select CC from (select c as Cc from lt group by c) d
select CC from (select c as Cc from lt union select 1) d
select (select CC from v1)
select CC from v1 where u='v' having CC='v'
select CC, count(*) from v1 group by CC
select CC, row_number() over (order by CC) from v1
create or replace view v3 as select CC from v1
select * from v3
select cC from v3
create or replace view v4 as select concat(c, 1) as Cc from lt
select CC from v4
select CC from v4 group by CC
select CC from (select concat(c, 1) as Cc from lt) d
select CC from v1 limit 1
select CC from v1 natural join lt
select CC from lt natural join v1
select CC from v1 a left join lt b on 1
select CC from lt b left join v1 a on 1
(select CC from v1)
select sum(a) from (select 1 A) d
select a from (select 1 A) d
select U, CC from v1 natural join lt
select U, CC from lt natural join v1
select cC from v1 join lt using (u)
select U from lt join v1 using (u)
select (select CC from v1 limit 1) from lt
select CC as cc, CC `CC`, v1.cC + 0 from v1
create table x1 as select CC, U from v1
show columns from x1
select cC from v1 where exists (select CC from lt)
insert into lt select CC, U from v1 returning C
with recursive w as (select c CC from lt union select 'x' from w) select cc from w order by 1
select Cc from (select * from v1) d
select Cc from (select CC from v1) d
select dd from (select CC DD from v1) d
CREATE USER named
SELECT USER, hOST FROM mysql.user WHERE user = 'named'
SELECT mysql.user.uSER FROM mysql.user WHERE user = 'named'
DROP USER named
DROP DATABASE names_of_views
