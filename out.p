--------------
drop database if exists w3
--------------

Query OK, 1 row affected

--------------
create database w3 charset utf8mb4
--------------

Query OK, 1 row affected

--------------
create table t(y year, y2 year not null)
--------------

Query OK, 0 rows affected

--------------
insert t values (2010,2010),(2001,2001),(2002,2002),(1999,1999),(0,0),(10,10)
--------------

Query OK, 6 rows affected
Records: 6  Duplicates: 0  Warnings: 0

--------------
select y from t where y in ('01',10e0)
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (1.0,10e0)
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in ('01',1.25)
--------------

y
2001
1 row in set

--------------
select y from t where y in ('01',10.0)
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in ('01','10')
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (10+0.0, 5+5)
--------------

Empty set

--------------
select y from t where y in (1,1+1)
--------------

Empty set

--------------
select y from t where y in (concat('1',0), 1)
--------------

Empty set

--------------
select y from t where y in (5+5, 1e0)
--------------

Empty set

--------------
select y from t where y in (5+5, null)
--------------

Empty set

--------------
select y from t where y in (5+5, null, 1e0)
--------------

Empty set

--------------
select y from t where y in (10, 5e0+5)
--------------

Empty set

--------------
select y from t where y in (10, x'0A')
--------------

y
2010
0000
2010
3 rows in set, 1 warning

Warning (Code 1292): Truncated incorrect DECIMAL value: '\x0A'
--------------
select y from t where y in (10, true)
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (10, @a:=1)
--------------

Empty set

--------------
select y from t where y in (10, (select 1))
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (10, (select max(1) from t))
--------------

Empty set

--------------
select y from t where y in (10, year(now())-year(now())+1)
--------------

Empty set

--------------
select y from t where y in (10, length(user())*0+1)
--------------

Empty set

--------------
select y from t where y in (10, rand()*0+1)
--------------

Empty set

--------------
set @b=1
--------------

Query OK, 0 rows affected

--------------
select y from t where y in (10, @b)
--------------

Empty set

--------------
select y from t where y in (10, y2)
--------------

y
2010
2001
2002
1999
0000
2010
6 rows in set

--------------
select y from t where y in (10, y)
--------------

y
2010
2001
2002
1999
0000
2010
6 rows in set

--------------
select y from t where y=5+5
--------------

Empty set

--------------
select y from t where y=concat('1','0')
--------------

Empty set

--------------
select y from t where y=@b
--------------

Empty set

--------------
select y from t where y=(select 10)
--------------

y
2010
2010
2 rows in set

--------------
select y from t where y between 5+5 and 1+1+10
--------------

Empty set

--------------
select y from t where y between 1 and 5+5
--------------

y
2010
2001
2002
2010
4 rows in set

--------------
select y from t where y not in (10, 5+5)
--------------

y
2010
2001
2002
1999
0000
2010
6 rows in set

--------------
select y from t where y in (10, cast(1 as unsigned))
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (10, cast(1 as double))
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (10, cast('2001-01-01' as date))
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (date'2010-01-01', timestamp'2001-01-01 00:00:00')
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (10,10,1e0)
--------------

y
2010
2001
2010
3 rows in set

--------------
select y from t where y in (time'00:00:10', 10)
--------------

y
2010
0000
2010
3 rows in set

Bye
