select * from json_table('[{"a":1,"b":"x"},{"a":2,"b":"y"},{"a":null}]', '$[*]' columns (id for ordinality, a int path '$.a', b varchar(10) path '$.b')) jt
select * from json_table('[1,2,3]', '$[*]' columns (v int path '$')) jt
select * from json_table('{"a":[1,2]}', '$.a[*]' columns (v int path '$')) as jt
select * from json_table('[{"a":1}]', '$[*]' columns (v int path '$.b' default '7' on empty, w int path '$.a' default '8' on error)) jt
select * from json_table('[{"a":"x"}]', '$[*]' columns (v int path '$.a')) jt
select * from json_table('[{"a":"x"}]', '$[*]' columns (v int path '$.a' default '5' on error)) jt
select * from json_table('[{"a":"x"}]', '$[*]' columns (v int path '$.a' error on error)) jt
select * from json_table('[{"a":1}]', '$[*]' columns (v int path '$.b' error on empty)) jt
select * from json_table('[{"a":[1,2]}]', '$[*]' columns (v int path '$.a')) jt
select * from json_table('[{"a":[1,2]}]', '$[*]' columns (v int path '$.a' error on error)) jt
select * from json_table('[{"a":[1,2]}]', '$[*]' columns (v json path '$.a', w varchar(20) path '$.a')) jt
select * from json_table('[{"a":1},{"b":2}]', '$[*]' columns (e int exists path '$.a', f int exists path '$.b')) jt
select * from json_table('[{"a":1,"b":[10,20]},{"a":2,"b":[30]},{"a":3}]', '$[*]' columns (a int path '$.a', nested path '$.b[*]' columns (i for ordinality, b int path '$'))) jt
select * from json_table('[{"a":1,"b":[10,20],"c":[5]},{"a":2,"c":[6,7]}]', '$[*]' columns (a int path '$.a', nested path '$.b[*]' columns (b int path '$'), nested path '$.c[*]' columns (c int path '$'))) jt
select * from json_table('[{"a":[{"b":[1,2]},{"b":[3]}]}]', '$[*]' columns (n for ordinality, nested path '$.a[*]' columns (m for ordinality, nested path '$.b[*]' columns (b int path '$')))) jt
select * from json_table('not json', '$[*]' columns (a int path '$')) jt
select * from json_table(null, '$[*]' columns (a int path '$')) jt
select * from json_table('[]', '$[*]' columns (a int path '$')) jt
select * from json_table('[1]', 'bad' columns (a int path '$')) jt
select * from json_table('[1]', '$[*]' columns (a int path 'bad')) jt
select * from json_table('[1]', '$[*]' columns (a int path '$', a int path '$')) jt
create table js (id int, d varchar(200))
insert into js values (1,'[1,2]'),(2,'[3]'),(3,null),(4,'[]'),(5,'{"a":9}')
select js.id, jt.v from js, json_table(js.d, '$[*]' columns (v int path '$')) jt order by 1,2
select js.id, jt.v from js join json_table(js.d, '$[*]' columns (v int path '$')) jt on jt.v > 1 order by 1,2
select js.id, jt.v from js left join json_table(js.d, '$[*]' columns (v int path '$')) jt on 1 order by 1,2
select js.id, (select sum(v) from json_table(js.d, '$[*]' columns (v int path '$')) jt) s from js
select id from js where exists (select 1 from json_table(js.d, '$[*]' columns (v int path '$')) jt where v = 3)
select * from json_table('[1]', '$[*]' columns (v int path '$')) jt, json_table('[5,6]', '$[*]' columns (w int path '$')) jt2
select v from json_table('[3,1,2]', '$[*]' columns (v int path '$')) jt order by v
select sum(v), count(*) from json_table('[3,1,2]', '$[*]' columns (v int path '$')) jt
select jt.* from json_table('[1]', '$[*]' columns (v int path '$')) jt where jt.v = 1
select * from json_table('[1.5, "2", true, false, null, "abc"]', '$[*]' columns (i int path '$', d decimal(5,1) path '$', f double path '$', c varchar(10) path '$')) jt
select * from json_table('["2020-01-01", "10:11:12"]', '$[*]' columns (d date path '$', t time path '$', dt datetime path '$')) jt
select * from json_table('["abcdef"]', '$[*]' columns (c varchar(3) path '$', d char(2) path '$')) jt
select * from json_table('["abcdef"]', '$[*]' columns (c varchar(3) path '$' error on error)) jt
select * from json_table('[300, -5]', '$[*]' columns (c tinyint path '$', u int unsigned path '$')) jt
select * from json_table('[{"a":{"b":1}}]', '$[*]' columns (c varchar(20) path '$.a', j json path '$.a', t text path '$.a')) jt
create table jt1 as select * from json_table('[{"a":1,"b":"x"}]', '$[*]' columns (id for ordinality, a int path '$.a', b varchar(10) path '$.b', e int exists path '$.a', f text path '$')) jt
show create table jt1
select * from json_table('[1]', '$[*]' columns (v int path '$'))
select * from json_table('[1]', '$[*]' columns (v int path '$')) jt limit 0
select * from json_table('[1,2]', '$' columns (v json path '$', n int path '$[1]')) jt
select * from json_table('[[1,2],[3]]', '$[*]' columns (a int path '$[0]', b int path '$[1]')) jt
select * from json_table('{"x":{"p":1},"y":{"p":2}}', '$.*' columns (p int path '$.p')) jt
select * from json_table('[{"a":1},{"a":2}]', '$[*]' columns (a int path '$.a')) jt1 join json_table('[{"a":2,"z":5}]', '$[*]' columns (a int path '$.a', z int path '$.z')) jt2 using (a)
select * from json_table(concat('[', '1', ']'), '$[*]' columns (v int path '$')) jt
select * from json_table(jt.v, '$[*]' columns (v int path '$')) jt
insert into js (id) select v from json_table('[77]', '$[*]' columns (v int path '$')) jt
with j as (select * from json_table('[1,2]', '$[*]' columns (v int path '$')) jt) select sum(v) from j
select * from json_table('[{"a":"x","b":1,"c":true,"d":[1, 2]}]', "$[*]" columns (a json path "$.a", b json path "$.b", c json path "$.c", d json path "$.d", e int path "$.d[*]")) t
