ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c4' in table 't2' has been ignored
ERROR 1906 (HY000): The value specified for generated column 'c4' in table 't2' has been ignored
ERROR 1064 (42000): You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near 'row_number()' at line 1
ERROR 1906 (HY000): The value specified for generated column 'c3' in table 't2' has been ignored
--------------
drop database if exists w3
--------------

Query OK, 1 row affected

--------------
create database w3 charset utf8mb4
--------------

Query OK, 1 row affected

--------------
set sql_mode='TRADITIONAL'
--------------

Query OK, 0 rows affected

--------------
create table t (a int)
--------------

Query OK, 0 rows affected

--------------
insert t values (1),(2)
--------------

Query OK, 2 rows affected
Records: 2  Duplicates: 0  Warnings: 0

--------------
CREATE TABLE t2 (c0 int, c3 TINYINT GENERATED ALWAYS AS (1), c4 int generated always as (c0+1) stored)
--------------

Query OK, 0 rows affected

--------------
insert into t2(c0,c3) select a,null from t
--------------

--------------
insert into t2(c0,c3) select a,null from t order by a
--------------

--------------
insert into t2(c0,c3) select distinct a,null from t
--------------

--------------
insert into t2(c0,c3) select a,null from t group by a
--------------

--------------
insert into t2(c0,c3) select 1,null union select 2,null
--------------

--------------
insert into t2(c0,c3) select count(*),null from t
--------------

--------------
insert into t2(c0,c3) select * from (select a,null from t) q
--------------

--------------
insert into t2(c0,c3) select a,(select null) from t
--------------

--------------
insert into t2(c0,c3) select c0,null from t2
--------------

Query OK, 0 rows affected
Records: 0  Duplicates: 0  Warnings: 0

--------------
insert into t2(c0,c3) select c0,null+1 from t2
--------------

Query OK, 0 rows affected
Records: 0  Duplicates: 0  Warnings: 0

--------------
insert into t2(c0,c3) values (1,(select null))
--------------

Query OK, 1 row affected

--------------
insert into t2(c0,c4) select a,null from t
--------------

--------------
replace into t2(c0,c4) select a,null from t
--------------

--------------
insert into t2(c0,c4) values row_number()
--------------

--------------
set @n=null
--------------

Query OK, 0 rows affected

--------------
prepare p from 'insert into t2(c0,c3) select a,? from t'
--------------

Query OK, 0 rows affected
Statement prepared

--------------
execute p using @n
--------------

Bye
