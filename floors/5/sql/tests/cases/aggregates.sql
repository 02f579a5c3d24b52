create table j (id int, g int, s varchar(10), d decimal(5,2), f double, dt datetime, js json, b bit(3), bl blob, e enum('x','y'))
insert into j values (1,1,'a"b',1.5,2.5,'2020-01-01 10:00:00','{"k":[1,2]}',5,'bin','x'),(2,1,null,null,null,null,null,null,null,null),(3,2,'é\\n',3,1e20,'2021-01-01','[1]',1,'zz','y')
select json_arrayagg(s) from j
select json_arrayagg(d), json_arrayagg(f), json_arrayagg(dt), json_arrayagg(e) from j
select json_arrayagg(bl) from j
select json_arrayagg(s order by id desc) from j
select json_arrayagg(distinct g) from j
select json_arrayagg(distinct g order by g desc limit 1) from j
select json_arrayagg(id order by id limit 2) from j
select json_arrayagg(id order by id limit 1, 2) from j
select json_arrayagg(id) from j where 1=0
select json_arrayagg(json_object('a', id)) from j
select json_arrayagg(json_array(id, s)) from j
select json_arrayagg(id=1) from j
select json_arrayagg(true) from j
select json_arrayagg(null) from j
select json_arrayagg(1)
select g, json_arrayagg(s) from j group by g
select json_objectagg(id, s) from j
select json_objectagg(s, id) from j
select json_objectagg(g, d) from j
select json_objectagg(id, s) from j where 1=0
select g, json_objectagg(id, f) from j group by g
select json_objectagg('k', null) from j
select json_objectagg(id) from j
select json_objectagg(distinct id, s) from j
set group_concat_max_len=20
select json_arrayagg(id*1000000) from j
select group_concat(id*1000000) from j
select json_objectagg(id, id*1000000) from j
select group_concat(s), group_concat(js), group_concat(dt separator ' | ') from j
set group_concat_max_len=default
select group_concat(id order by id desc), group_concat(id, s), group_concat(distinct g order by g desc), group_concat(id order by 1 desc), group_concat(id order by g desc, id separator ';') from j
select group_concat(id limit 2), group_concat(id order by id desc limit 1 offset 1), group_concat(id order by id limit 1,1), group_concat(id order by id desc separator '-' limit 2) from j
select group_concat(distinct g, s order by s) from j
select group_concat(distinct s order by id) from j
select group_concat(d, f) from j
select group_concat(b) from j
select group_concat(id separator '') from j
select group_concat(g order by id) from j where g is null
select group_concat(id order by s is null, s) from j
select group_concat(id order by nosuch) from j
select group_concat(id order by 2) from j
select group_concat((select 1)) from j
select group_concat(id) over () from j
select group_concat(distinct id order by id separator ', ') x from j having x = '1, 2, 3'
select group_concat(null) from j
select group_concat(bl), group_concat(e), group_concat(d order by d) from j
set group_concat_max_len=10
select group_concat(repeat('x',8)) from j
select g, group_concat(repeat('x',8)) from j group by g
select group_concat(s, 'aaaaaaa') from j
select group_concat('é', 'éééééé') from j
set group_concat_max_len=default
select count(distinct g, s), count(distinct g, id), count(distinct id) from j
select count(distinct null) from j
select sum(distinct g), avg(distinct g), min(distinct g), max(distinct s) from j
select sum(s), avg(s) from j
select sum(dt), avg(dt), sum(b), max(e), min(bl) from j
select bit_and(id), bit_or(id), bit_xor(id), bit_and(s) from j where id > 1
select bit_and(id), bit_or(id), bit_xor(id), sum(id), avg(id), min(id), count(id), std(id), group_concat(id) from j where 1=0
select sum(e), avg(e), sum('1.5'), sum(1.50), sum(1e0), avg(1) from j
CREATE TABLE placed_in_group (id INT PRIMARY KEY, a INT, b INT)
INSERT INTO placed_in_group VALUES (1,3,1),(2,1,2),(3,2,3)
SELECT GROUP_CONCAT(a ORDER BY TRUE) FROM placed_in_group
SELECT GROUP_CONCAT(a ORDER BY -1) FROM placed_in_group
SELECT GROUP_CONCAT(a ORDER BY 2) FROM placed_in_group
EXECUTE IMMEDIATE 'SELECT GROUP_CONCAT(a ORDER BY ?) FROM placed_in_group' USING 1
EXECUTE IMMEDIATE 'SELECT GROUP_CONCAT(a ORDER BY ?) FROM placed_in_group' USING 255
EXECUTE IMMEDIATE 'SELECT GROUP_CONCAT(a, b ORDER BY ? DESC) FROM placed_in_group' USING 2
CREATE TABLE seen_once (id INT PRIMARY KEY, g VARCHAR(10));
INSERT INTO seen_once VALUES (1, ''), (2, ''), (3, 'x');
SELECT COUNT(DISTINCT (SELECT 5)), COUNT(DISTINCT 5), COUNT(DISTINCT id), SUM(DISTINCT (SELECT MAX(id) FROM seen_once)) FROM seen_once;
SELECT g, COUNT(DISTINCT (SELECT COUNT(*) FROM seen_once s)), COUNT(DISTINCT (SELECT MAX(s.id) FROM seen_once s WHERE s.id = o.id)) FROM seen_once o GROUP BY g ORDER BY g;
