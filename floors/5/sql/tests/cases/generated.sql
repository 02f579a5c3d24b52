create table p(a char(5), b char(3) character set utf8mb4, c binary(3), d varchar(5));
insert into p values ('ab','x','y','z ');
select concat('[',a,']'), length(a), concat('[',b,']'), hex(c), concat('[',d,']') from p;
set sql_mode='PAD_CHAR_TO_FULL_LENGTH';
select concat('[',a,']'), length(a), concat('[',b,']'), length(b), hex(c), concat('[',d,']') from p;
select a='ab', a like 'ab', a like 'ab%', char_length(a), rtrim(a)='ab' from p;
select * from p where a='ab';
select a from p;
select group_concat(a,'|') from p;
select concat(max(a),'|') from p;
create table p2 as select a from p;
set sql_mode=default;
select concat('[',a,']') from p2;
create table g(a int, b int as (a+1), c int as (a*2) stored, d varchar(20) generated always as (concat('x',a)) virtual, e int as (b+c) persistent);
show create table g;
describe g;
insert into g(a) values (1),(2),(null);
insert into g values (3,4,5,'x',1);
insert into g values (3,default,default,default,default);
insert into g(a,b) values (4,default);
insert into g(a,b) values (4,5);
insert ignore into g(a,b) values (5,7);
update g set b=3;
update g set b=default;
update g set a=10 where a=1;
select * from g order by a;
set sql_mode='';
insert into g(a,b) values (6,7);
update g set c=9 where a=6;
set sql_mode=default;
select * from g where b=11;
select * from g where c>10 order by c;
alter table g add key(b), add key(c), add unique(d);
show create table g;
select * from g where b=11;
select a from g where d='x10';
insert into g(a) values (10);
-- differs: costs
explain select * from g where b=11;
-- differs: costs
explain select * from g where c=20;
delete from g where b=11;
select count(*) from g;
create table h1(a int, b int as (c+1), c int as (a+1));
show create table h1;
insert into h1(a) values(1);
select * from h1;
create table h2(a int, b int as (b+1));
create table h3(a int auto_increment primary key, b int as (a+1));
-- differs: nothing that changes by itself is taken, since columns are computed when rows are written
create table h4(a int, b int as (rand()));
create table h5(a int, b int as (rand()) stored);
-- differs: as above
create table h6(a int, b int as (now()));
create table h7(a int, b datetime as (now()) stored);
-- differs: a subquery is a mistake of syntax
create table h8(a int, b int as (select 1));
-- differs: as above
create table h9(a int, b int as (@x));
create table h10(a int, b int as (a) default 5);
create table h11(a int, b int as (a) auto_increment);
create table h13(a int, b int as (a) virtual primary key);
create table h14(a int, b int as (uuid()), key(b));
create table h15(a int, b varchar(40) as (uuid()) virtual, key(b));
create table h17(a int, b int as (nosuch(a)));
-- differs: 1054 alone
create table h18(a int, b int as (zz));
create table h19(a int, b int not null as (a+1));
-- differs: MySQL's NOT NULL is taken
create table h19(a int, b int as (a+1) not null);
create table h20(a int, b int as (a+1) unique comment 'x' invisible);
show create table h20;
create table h21(a int, b int as (a+1) check (b>0));
insert into h21(a) values (-5);
create table par(b int primary key);
create table h22(a int, b int as (a+1) stored, foreign key(b) references par(b));
insert into par values (2);
insert into h22(a) values (1);
insert into h22(a) values (2);
create table h24(a int, b int as (a+1) stored, foreign key(b) references par(b) on update cascade);
create table h25(a int, b int as (a+1) stored, foreign key(b) references par(b) on delete set null);
create table i(a int, b int as (a+1));
insert into i(a) values (1),(2);
alter table i modify b int as (a+2);
select * from i;
alter table i modify b int as (a+2) stored;
select * from i;
alter table i modify b bigint as (a+3);
select * from i;
alter table i modify b int;
alter table i add c int as (a*10) after a, add d int as (c+1) stored;
select * from i;
alter table i change c cc int as (a*10);
alter table i change a z int;
-- differs: 1054 alone
alter table i drop column z;
-- differs: 1054 alone
alter table i drop column cc;
show create table i;
create table st(a int, c int as (a+1) stored);
insert into st(a) values (1);
alter table st modify c int as (a+5) stored;
select * from st;
alter table st modify c bigint as (a+6) stored;
alter table st modify c int as (a+5) virtual;
alter table st modify c int;
select * from st;
alter table st modify c int as (a+7) stored;
select * from st;
rename table i to ii;
select * from ii;
create table j like ii;
show create table j;
create table k as select * from ii;
show create table k;
insert into j select * from ii;
insert into j(z) select z from ii;
select * from j;
replace into j(z) values (1);
insert into j(z) values (1) on duplicate key update z=2;
create table l(a int, b int as (a % 3) virtual, key(b));
insert into l(a) values (1),(2),(3),(4),(5),(6);
select b, count(*) from l group by b;
select a from l where b = 0 order by a;
update l set a = a + 1 where b = 0;
select a, b from l order by a;
delete from l where b = 2 order by a limit 1;
select a, b from l order by a;
create table m(a varchar(10), b varchar(10) as (upper(a)), c date as (date(d)), d datetime, e json, f int as (json_value(e,'$.x')) stored, key(b), key(f));
insert into m(a,d,e) values ('abc','2020-01-02 03:04:05','{"x":5}');
select * from m;
select a from m where b='ABC';
insert into m(a,e) values ('x','{"x":"q"}');
create table n(a int, b tinyint as (a));
insert into n(a) values (1000);
insert ignore into n(a) values (1000);
select * from n;
create table n2(a int, b tinyint as (a) stored);
insert into n2(a) values (1000);
insert ignore into n2(a) values (1000);
select * from n2;
create table o(a int, b int as (a/0));
insert into o(a) values (1);
-- differs: the warning was due when the row was written
select * from o;
-- differs: DEFAULT(a) knows the tables of a statement
create table q(a int, b int as (default(a)));
-- differs: nothing that changes by itself is taken
create table q2(a int, b timestamp as (current_timestamp) virtual);
select table_name, column_name, extra, is_generated, generation_expression, column_default, is_nullable from information_schema.columns where table_schema=database() and is_generated='ALWAYS' and table_name in ('g','h1','l','m') order by 1,2;
SET sql_mode='STRICT_TRANS_TABLES'
CREATE TABLE read_by_check (id INT PRIMARY KEY, c0 BINARY(3) AS (CONCAT('x y', -1)), CHECK (LENGTH(c0) < 15))
INSERT INTO read_by_check (id) VALUES (1)
INSERT IGNORE INTO read_by_check (id) VALUES (2)
REPLACE INTO read_by_check (id) VALUES (1)
CREATE TABLE read_by_kept (id INT PRIMARY KEY, c0 BINARY(3) AS (CONCAT('x y', -1)), c1 VARCHAR(20) AS (c0), c2 VARCHAR(20) AS (c1) STORED)
INSERT INTO read_by_kept (id) VALUES (1)
INSERT IGNORE INTO read_by_kept (id) VALUES (2)
CREATE TABLE read_by_none (id INT PRIMARY KEY, c0 BINARY(3) AS (CONCAT('x y', -1)), c1 VARCHAR(20) AS (c0), CHECK (id > 0))
INSERT INTO read_by_none (id) VALUES (1)
SELECT * FROM read_by_none
SET sql_mode=DEFAULT
SET sql_mode=''
CREATE TABLE told_again (id INT AUTO_INCREMENT PRIMARY KEY, c0 INT UNIQUE, c5 DATETIME GENERATED ALWAYS AS (1) STORED)
INSERT INTO told_again (id,c0) VALUES (10,1)
INSERT INTO told_again (id,c0) VALUES (11,1) ON DUPLICATE KEY UPDATE id=VALUES(id)
INSERT INTO told_again (id,c0) VALUES (11,1) ON DUPLICATE KEY UPDATE id=VALUES(id)
INSERT INTO told_again (id,c0) VALUES (11,1) ON DUPLICATE KEY UPDATE id=5
UPDATE told_again SET id=3
UPDATE told_again SET id=3
REPLACE INTO told_again (id,c0) VALUES (11,1)
INSERT INTO told_again (id,c0) VALUES (11,2)
REPLACE INTO told_again (id,c0) VALUES (11,1)
REPLACE INTO told_again (id,c0) VALUES (11,2)
REPLACE INTO told_again (id,c0) VALUES (11,2)
CREATE TABLE told_of_keyed (id INT AUTO_INCREMENT PRIMARY KEY, c0 INT UNIQUE, c5 DATETIME GENERATED ALWAYS AS (1), KEY(c5))
INSERT INTO told_of_keyed (id,c0) VALUES (10,1)
INSERT INTO told_of_keyed (id,c0) VALUES (11,1) ON DUPLICATE KEY UPDATE id=VALUES(id)
INSERT INTO told_of_keyed (id,c0) VALUES (11,1) ON DUPLICATE KEY UPDATE id=VALUES(id)
INSERT INTO told_of_keyed (id,c0) VALUES (11,1) ON DUPLICATE KEY UPDATE id=5
UPDATE told_of_keyed SET id=3
UPDATE told_of_keyed SET id=3
REPLACE INTO told_of_keyed (id,c0) VALUES (11,1)
INSERT INTO told_of_keyed (id,c0) VALUES (11,2)
SET sql_mode='STRICT_TRANS_TABLES'
CREATE TABLE told_strictly (id INT PRIMARY KEY, a INT, c0 BINARY(3) AS (CONCAT('x y',-1)) CHECK (c0 <> 'a'))
INSERT INTO told_strictly (id) VALUES (1)
INSERT IGNORE INTO told_strictly (id) VALUES (1)
UPDATE told_strictly SET a=2
UPDATE told_strictly SET a=2 WHERE id=1
REPLACE INTO told_strictly (id) VALUES (1)
INSERT INTO told_strictly (id) VALUES (2)
SET sql_mode=DEFAULT
CREATE TABLE anew (id INT PRIMARY KEY, c0 DOUBLE, c3 TINYINT AS (c0) STORED, c4 DOUBLE AS (c0 * 10) STORED);
INSERT IGNORE INTO anew (id, c0) VALUES (7, 15.6), (21, 255.2);
SELECT * FROM anew;
ALTER TABLE anew ADD x INT, ALGORITHM=COPY;
ALTER TABLE anew MODIFY c0 INT;
ALTER IGNORE TABLE anew MODIFY c0 INT;
SELECT * FROM anew;
-- A stored column that is defined again is computed again, though nothing of it changes.
CREATE TABLE defined_again (id INT PRIMARY KEY, s INT AS (id) STORED, v INT AS (id) VIRTUAL);
ALTER TABLE defined_again MODIFY s INT AS (id) STORED, ALGORITHM=INPLACE;
ALTER TABLE defined_again CHANGE s t INT AS (id) STORED, ALGORITHM=NOCOPY;
ALTER TABLE defined_again MODIFY v INT AS (id) VIRTUAL, ALGORITHM=INSTANT;
DROP TABLE defined_again;
-- What an expression's collations and types do not allow is told with the expression.
CREATE TABLE told_with (a INET4, b INT AS (a + 1));
CREATE TABLE told_with (a INET4, b DATETIME DEFAULT (a + INTERVAL 1 DAY));
CREATE TABLE told_with (a POINT, b INT AS (ABS(a)));
CREATE TABLE told_with (a VARCHAR(9) COLLATE utf8mb4_unicode_ci, b VARCHAR(9) COLLATE utf8mb4_bin, CHECK (a COLLATE utf8mb4_general_ci = b COLLATE utf8mb4_bin));
CREATE TABLE told_with (a VARCHAR(9) CHARACTER SET latin1, b VARCHAR(9) AS (a COLLATE utf8mb4_bin));
