--------------
drop database if exists w3
--------------

Query OK, 16 rows affected

--------------
create database w3 charset utf8mb4
--------------

Query OK, 1 row affected

--------------
create table t (l varchar(10) charset latin1, u varchar(10), a varchar(10) charset ascii, n int, d date)
--------------

Query OK, 0 rows affected

--------------
insert t values ('a','b','c',1,'2020-01-01')
--------------

Query OK, 1 row affected

--------------
select collation(concat(l, group_concat(u))) a, collation(concat(l, group_concat(n))) b, collation(concat(l, group_concat('x'))) c, collation(concat(l, group_concat('é'))) d, collation(concat(l, group_concat(u,n))) e, collation(concat(l, group_concat(n separator 'é'))) f, collation(concat(l, group_concat(u separator 'x'))) g, collation(concat(l, group_concat(a))) h, collation(concat(l, json_arrayagg(u))) i, collation(concat(l, json_objectagg(u,n))) j, collation(concat(l, json_arrayagg(n))) k, collation(concat(l, group_concat(concat('x',u)))) m, collation(concat(l, group_concat(hex(u)))) o, collation(concat(l, group_concat(d))) p, collation(concat(l, json_objectagg(n,n))) q, collation(concat(l, max(u))) r, collation(concat(u, group_concat(l))) s,  collation(concat(l, json_arrayagg('x'))) v from t
--------------

a	b	c	d	e	f	g	h	i	j	k	m	o	p	q	r	s	v
latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	latin1_swedish_ci	utf8mb4_general_ci	utf8mb4_general_ci	latin1_swedish_ci
1 row in set

Bye
