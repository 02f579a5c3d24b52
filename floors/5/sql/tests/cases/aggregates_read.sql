-- Means as doubles have all digits, and groups that are put aside whole those of their columns.
create table g (id int primary key, a int, d decimal(10,2), f double(10,2))
insert into g values (1,7,1.11,1.11),(2,7,3.33,3.33),(3,3,65535.33,65535.33),(4,9,8.1,8.1),(5,9,0.07,0.07)
select ifnull(avg(id/7),0e0), avg(id)*1e0, sqrt(avg(d)), avg(d/7)+'1', avg(d)/max('8'), cast(avg(d/a) as double), coalesce(avg(d/7), 0e0), -avg(d/7) from g
select a, ifnull(avg(id/7),0e0), avg(d/3)*1e0, avg(d/3) from g group by a order by a
select a, ifnull(avg(id/7),0e0), avg(d/3)*1e0, count(distinct a) from g group by a order by a
select a, ifnull(avg(id/7),0e0), avg(d/3)*1e0, count(distinct a) c from g group by a order by c, a
select a, ifnull(avg(id/7),0e0), avg(d)*1e0 from g group by a with rollup
select avg(distinct d)*1e0, avg(d/7)*1e0, avg(id) * 1e0 from g where id > 2
select avg(id)*1e0 from g where id > 100
select a, avg(id/7)*1e0, row_number() over (order by a) r from g group by a order by a
select a from g group by a having avg(id)*1e0 > 1.5 order by avg(id)*1e0
select id from g x where exists (select 1 from g having avg(id)*1e0 > x.id) order by id
select avg(id)*1e0, ifnull(avg(id/7),0e0) from g where id <> 3 and id <> 5 group by a > 0
create table kept as select avg(d/7) x, avg(d/7) + 0e0 y, ifnull(avg(id),0e0) z from g
select * from kept
-- Digits of groups that are ordered, told apart or numbered when they are whole.
select max(id/a)*3, sum(id/a)*3, avg(id/a)*3, count(distinct a) c from g group by a order by a
select max(id/a)*3, sum(id/a)*3, avg(id/a)*3, count(distinct a) c from g group by a order by c, a
select max(id/a)*3, sum(id/a)*3, avg(id/a)*3, count(distinct a) c from g group by a, d order by d
select max(id/a)*3, count(distinct a) c from g group by a, id order by a, id
select max(id/a)*3, count(distinct a) c from g group by a, id order by id, a
select distinct max(id/a)*3, count(distinct a) c from g group by a
select distinct a, max(id/a)*3, count(distinct a) c from g group by a
select id, max(id/a)*3, sum(id/a)*3, avg(id/a)*3 from g group by id
select id, max(id/a)*3, sum(id/a)*3, avg(id/a)*3, max(a) c from g group by id order by c, id
select a, max(id/7)*3, count(distinct a) from g where a = 9 group by a order by 2
select max(id/7)*3, row_number() over () from g
select sql_buffer_result max(id/7)*3 from g
select max(id/7)*3 from g
-- Doubles of fixed digits.
select a, ifnull(max(f/a),0e0), ifnull(sum(f/a),0e0), ifnull(avg(f/a),0e0), ifnull(std(f/a),0e0) from g group by a
select a, ifnull(max(f/a),0e0), ifnull(sum(f/a),0e0), ifnull(avg(f/a),0e0), ifnull(std(f/a),0e0), count(distinct a) c from g group by a order by c, a
select a, ifnull(max(f/a),0e0), ifnull(avg(f/a),0e0), count(distinct a) c from g group by a order by a
-- The least of dates that are texts is a text.
create table t (id int primary key, s varchar(30), d date, t datetime(2))
insert into t values (1,'2020-02-29','2020-02-03','2020-02-03 01:02:03.45'),(2,'10:00:01','2021-02-03','2021-02-03 01:02:03.45')
select min(addtime('100:00:00.5', '00:00:00')) * 3, addtime('100:00:00.5', '00:00:00') * 3
select -min(addtime(s,'00:00:01')), -min(addtime(t,'00:00:01')) from t
select round(max('1970-01-02' - interval 5 month)), max(t - interval 5 month)+0, max(d - interval 5 month)+0 from t
select cast(max(addtime(s,'00:00:01')) as decimal(30,3)), max(addtime(s,'00:00:01')) = 100002 from t
select id, -max(addtime(s,'00:00:01')) from t group by id
-- Nothing is said of what is behind the number in the joined texts of a group, unless they are put aside or decimals.
select group_concat(id)+0, json_arrayagg(id)*2, json_objectagg(id,id)+0, greatest(group_concat('b'), 0.5), -group_concat('Abc') from g
select group_concat(id) > 5, 1 between 1 and json_arrayagg(id), cast(group_concat(id) as signed), group_concat(id) & 1, truncate(group_concat('b'), 7) from g
select cast(group_concat(id) as decimal(20,5)), cast(json_objectagg(id,id) as decimal(20,5)) from g
select a, group_concat(id)+0 from g group by a
select a, group_concat(id)+0 x from g group by a order by count(*), a
select group_concat(id)+0 x, row_number() over () from g
select x+0 from (select group_concat(id) x from g) q
select a from g group by a having group_concat(id) > 1
-- Variables and subqueries of no other block make one group.
select hex(@v3), sum(id/a)*3 from g group by 1
select hex((select max(id) from g s)), sum(id/a)*3 from g group by 1
select sum(id/a)*3 from g group by (select s.id from g s where s.id = g.id limit 1) order by 1
