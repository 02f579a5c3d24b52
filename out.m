--------------
drop database if exists w3
--------------

Query OK, 1 row affected

--------------
create database w3 charset utf8mb4
--------------

Query OK, 1 row affected

--------------
set sql_mode=''
--------------

Query OK, 0 rows affected

--------------
create table t (id int primary key, b bigint, u bigint unsigned, i int, z bigint zerofill, s smallint)
--------------

Query OK, 0 rows affected

--------------
insert t values(1,94,94,94,94,94),(2,0,0,0,0,0),(3,20200101,20200101,20200101,20200101,1),(4,20200101000000,20200101000000,7,20200101000000,7),(5,100000,100000,100000,100000,1),(6,-100000,1,-100000,1,1),(7,1000000,7,7,7,7),(8,20200101000001,20200101000001,1,1,1)
--------------

Query OK, 8 rows affected
Records: 8  Duplicates: 0  Warnings: 0

--------------
select id from t where b=timestamp'2020-01-01 00:00:00'
--------------

id
4
1 row in set

--------------
select id from t where b=timestamp'2020-01-01 00:00:00.5'
--------------

Empty set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b=timestamp'2020-01-01 00:00:00.4'
--------------

Empty set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b>timestamp'2020-01-01 00:00:00.5'
--------------

id
8
1 row in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b>=timestamp'2020-01-01 00:00:00'
--------------

id
4
8
2 rows in set

--------------
select id from t where b<date'2020-01-01'
--------------

id
1
2
5
6
7
5 rows in set

--------------
select id from t where b<=date'2020-01-01'
--------------

id
1
2
3
5
6
7
6 rows in set

--------------
select id from t where b<>date'2020-01-01'
--------------

id
1
2
4
5
6
7
8
7 rows in set

--------------
select id from t where u>date'2020-01-01'
--------------

id
4
8
2 rows in set

--------------
select id from t where i>date'2020-01-01'
--------------

Empty set, 5 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`i` at row 1
Warning (Code 1292): Incorrect datetime value: '7' for column `w3`.`t`.`i` at row 4
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`i` at row 6
Warning (Code 1292): Incorrect datetime value: '7' for column `w3`.`t`.`i` at row 7
Warning (Code 1292): Incorrect datetime value: '1' for column `w3`.`t`.`i` at row 8
--------------
select id from t where i<date'2020-01-01'
--------------

id
1
2
4
5
6
7
8
7 rows in set, 5 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`i` at row 1
Warning (Code 1292): Incorrect datetime value: '7' for column `w3`.`t`.`i` at row 4
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`i` at row 6
Warning (Code 1292): Incorrect datetime value: '7' for column `w3`.`t`.`i` at row 7
Warning (Code 1292): Incorrect datetime value: '1' for column `w3`.`t`.`i` at row 8
--------------
select id from t where s<date'2020-01-01'
--------------

id
1
2
3
4
5
6
7
8
8 rows in set, 7 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`s` at row 1
Warning (Code 1292): Incorrect datetime value: '1' for column `w3`.`t`.`s` at row 3
Warning (Code 1292): Incorrect datetime value: '7' for column `w3`.`t`.`s` at row 4
Warning (Code 1292): Incorrect datetime value: '1' for column `w3`.`t`.`s` at row 5
Warning (Code 1292): Incorrect datetime value: '1' for column `w3`.`t`.`s` at row 6
Warning (Code 1292): Incorrect datetime value: '7' for column `w3`.`t`.`s` at row 7
Warning (Code 1292): Incorrect datetime value: '1' for column `w3`.`t`.`s` at row 8
--------------
select id from t where z<date'2020-01-01'
--------------

id
1
2
5
6
7
8
6 rows in set

--------------
select id from t where b=time'10:00:00'
--------------

id
5
1 row in set

--------------
select id from t where b=time'-10:00:00'
--------------

id
6
1 row in set

--------------
select id from t where u=time'-10:00:00'
--------------

Empty set, 1 warning

Warning (Code 1292): Incorrect time value: '94' for column `w3`.`t`.`u` at row 1
--------------
select id from t where u>time'-10:00:00'
--------------

id
1
2
3
4
5
6
7
8
8 rows in set, 1 warning

Warning (Code 1292): Incorrect time value: '94' for column `w3`.`t`.`u` at row 1
--------------
select id from t where b>time'-10:00:00'
--------------

id
1
2
3
4
5
7
8
7 rows in set

--------------
select id from t where b=time'10:00:00.5'
--------------

Empty set, 1 warning

Warning (Code 1292): Incorrect time value: '94' for column `w3`.`t`.`b` at row 1
--------------
select id from t where b=cast('2020-01-01' as date)
--------------

id
3
1 row in set

--------------
select id from t where b<cast('2020-01-01' as date)
--------------

id
1
2
5
6
7
5 rows in set

--------------
select id from t where b<date('2020-01-01')
--------------

id
1
2
5
6
7
5 rows in set

--------------
select id from t where b<date_add(date'2020-01-01', interval 0 day)
--------------

id
1
2
5
6
7
5 rows in set

--------------
select id from t where b<date_add('2020-01-01', interval 0 day)
--------------

id
1
2
5
6
7
5 rows in set

--------------
select id from t where b<(select date'2020-01-01')
--------------

id
1
2
5
6
7
5 rows in set

--------------
select id from t where b<(select max(date'2020-01-01') from t)
--------------

id
1
2
5
6
7
5 rows in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 14
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 15
--------------
set @d=date'2020-01-01'
--------------

Query OK, 0 rows affected

--------------
select id from t where b<@d
--------------

id
1
2
6
3 rows in set

--------------
select id from t where b+0<date'2020-01-01'
--------------

id
1
2
5
6
7
5 rows in set, 3 warnings

Warning (Code 1292): Truncated incorrect datetime value: '94'
Warning (Code 1292): Truncated incorrect datetime value: '-100000'
Warning (Code 1292): Truncated incorrect datetime value: '1000000'
--------------
select id from t where -b<date'2020-01-01'
--------------

id
1
2
3
4
5
6
7
8
8 rows in set, 6 warnings

Warning (Code 1292): Truncated incorrect datetime value: '-94'
Warning (Code 1292): Truncated incorrect datetime value: '-20200101'
Warning (Code 1292): Truncated incorrect datetime value: '-20200101000000'
Warning (Code 1292): Truncated incorrect datetime value: '-100000'
Warning (Code 1292): Truncated incorrect datetime value: '-1000000'
Warning (Code 1292): Truncated incorrect datetime value: '-20200101000001'
--------------
select id from t where b between date'0000-00-00' and date'2020-01-01'
--------------

id
1
2
3
4
5
6
7
7 rows in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b between 0 and date'2020-01-01'
--------------

id
1
2
3
4
5
6
7
7 rows in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b between date'0000-00-00' and 100
--------------

id
1
2
6
7
4 rows in set, 4 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Truncated incorrect datetime value: '100'
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b not between date'0000-00-00' and date'2020-01-01'
--------------

id
8
1 row in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where date'2020-01-01' between b and 20210000
--------------

id
1
2
3
4
5
6
7
7 rows in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b in (date'0000-00-00', date'2020-01-01')
--------------

id
2
3
2 rows in set

--------------
select id from t where b in (date'0000-00-00', 94)
--------------

id
1
2
6
7
4 rows in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b in (date'0000-00-00', i)
--------------

id
1
2
3
5
6
7
6 rows in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b in (date'0000-00-00')
--------------

id
2
1 row in set

--------------
select id from t where date'0000-00-00' in (b, 5)
--------------

id
1
2
3
4
5
6
7
8
8 rows in set, 7 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Truncated incorrect datetime value: '5'
Warning (Code 1292): Truncated incorrect datetime value: '5'
Warning (Code 1292): Truncated incorrect datetime value: '5'
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
Warning (Code 1292): Truncated incorrect datetime value: '5'
--------------
select id from t where (b,id)=(date'0000-00-00',1)
--------------

id
1
1 row in set, 1 warning

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
--------------
select id from t where (b,id) in ((date'0000-00-00',1),(1,2))
--------------

id
1
2
2 rows in set, 2 warnings

Warning (Code 1292): Truncated incorrect datetime value: '1'
Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
--------------
select id from t where b<=>date'0000-00-00'
--------------

id
2
1 row in set

--------------
select id from t where greatest(b,date'0000-00-00')=94
--------------

id
1
2
6
7
4 rows in set, 4 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Truncated incorrect datetime value: '94'
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id, case b when date'0000-00-00' then 1 else 0 end, nullif(b,date'0000-00-00'), nullif(date'0000-00-00',b), if(b=date'0000-00-00',1,0), b=date'0000-00-00', date'0000-00-00'=u, strcmp(b,date'0000-00-00') from t
--------------

id	case b when date'0000-00-00' then 1 else 0 end	nullif(b,date'0000-00-00')	nullif(date'0000-00-00',b)	if(b=date'0000-00-00',1,0)	b=date'0000-00-00'	date'0000-00-00'=u	strcmp(b,date'0000-00-00')
1	1	94	0000-00-00	0	0	0	1
2	1	NULL	NULL	1	1	1	-1
3	0	20200101	0000-00-00	0	0	0	1
4	0	20200101000000	0000-00-00	0	0	0	1
5	0	100000	0000-00-00	0	0	0	1
6	1	-100000	0000-00-00	0	0	0	-1
7	1	1000000	0000-00-00	0	0	0	1
8	0	20200101000001	0000-00-00	0	0	0	1
8 rows in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select x.id from (select id, b from t) x where x.b=date'0000-00-00'
--------------

id
2
1 row in set

--------------
select x.id from (select distinct id, b from t) x where x.b=date'0000-00-00'
--------------

id
2
1 row in set

--------------
select x.id from (select id, max(b) b from t group by id) x where x.b=date'0000-00-00'
--------------

id
2
1 row in set

--------------
select id, max(b) m from t group by id having m=date'0000-00-00'
--------------

id	m
1	94
2	0
6	-100000
7	1000000
4 rows in set, 3 warnings

Warning (Code 1292): Truncated incorrect datetime value: '94'
Warning (Code 1292): Truncated incorrect datetime value: '-100000'
Warning (Code 1292): Truncated incorrect datetime value: '1000000'
--------------
select id, b m from t having m=date'0000-00-00'
--------------

id	m
2	0
1 row in set

--------------
create view v as select id, b from t
--------------

Query OK, 0 rows affected

--------------
select id from v where b=date'0000-00-00'
--------------

id
2
1 row in set

--------------
select (select x.id from t x where y.b=date'0000-00-00' and x.id=y.id) from t y
--------------

(select x.id from t x where y.b=date'0000-00-00' and x.id=y.id)
NULL
2
NULL
NULL
NULL
NULL
NULL
NULL
8 rows in set

--------------
select y.id from t y where b = any(select date'0000-00-00')
--------------

id
2
1 row in set

--------------
select y.id from t y join t x on x.b=date'0000-00-00' and x.id=y.id
--------------

id
2
1 row in set

--------------
select y.id from t y left join t x on x.b=date'0000-00-00' and x.id=y.id where x.id is not null
--------------

id
2
1 row in set

--------------
select id from t where b=curdate()-interval 100 year
--------------

Empty set

--------------
select id from t where b<curdate()
--------------

id
1
2
3
5
6
7
6 rows in set

--------------
select id from t where b<now()
--------------

id
1
2
3
4
5
6
7
8
8 rows in set

--------------
select id from t where b<now(6)
--------------

id
1
2
3
4
5
6
7
8
8 rows in set, 3 warnings

Warning (Code 1292): Incorrect datetime value: '94' for column `w3`.`t`.`b` at row 1
Warning (Code 1292): Incorrect datetime value: '-100000' for column `w3`.`t`.`b` at row 6
Warning (Code 1292): Incorrect datetime value: '1000000' for column `w3`.`t`.`b` at row 7
--------------
select id from t where b>utc_time() and id=1
--------------

Empty set

--------------
select id from t where date'0000-00-00' = b order by id
--------------

id
2
1 row in set

--------------
update t set s=5 where b=date'0000-00-00'
--------------

Query OK, 1 row affected
Rows matched: 1  Changed: 1  Warnings: 0

--------------
delete from t where b<date'2020-01-01' and b=94
--------------

Query OK, 1 row affected

--------------
select id,s from t
--------------

id	s
2	5
3	1
4	7
5	1
6	1
7	7
8	1
7 rows in set

Bye
