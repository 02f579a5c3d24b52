create table t1 (a int(0), b bit(0), c float(24), d float(25), f decimal(0), g decimal(5,0) unsigned zerofill, h int(5) zerofill, i tinyint unsigned, j bool, k serial, l double(10,3), m real, n float(7,4) unsigned, o dec, p numeric(5), q int1, r bigint unsigned default 5)
show create table t1
create table t2 (a char, b varchar(10) character set latin1, c varchar(10) collate utf8mb4_bin, d text(100), e text(70000), f blob(10), g enum('a','b ','it''s') default 'a', h set('x','y') not null default 'x,y', i json, j binary, k varbinary(5) default 'ab', l tinytext, m text default 'abc', n char(5) binary, o nchar(3), p national varchar(3), q long varchar, r char(3) ascii, t varchar(5) byte)
show create table t2
create table t3 (a timestamp, b timestamp not null default current_timestamp on update current_timestamp, c datetime(3) default now(3), d date default '2020-1-2', e time default '1:2:3', f year default 99, g int default (1+2), h varchar(36) default (uuid()), i int as (g+1), j int generated always as (g*2) stored, k int invisible default 3, l int not null invisible default 4 comment 'x''y', m bit(5) default b'101', n decimal(5,2) default 1.5, o double default 1e10, p int default '7', q float default 0.1, r int not null default 3 check (r > 2), constraint cc check (g < 10 and h <> 'abc' or n in (1,2) ), check (g between 1 and 5 and h like 'a%' and d is not null))
show create table t3
create table k1 (a int, b int, c varchar(300), d text, key(a), key(a,b), unique(b), unique(c(10)), primary key (a), key z(d(20)), unique u2(a,c), key (a), index(b desc))
show create table k1
create table k2 (c varchar(1000), key(c))
show create table k2
create table k3 (c varchar(1000), primary key(c))
create table k3 (c varchar(1000), unique(c))
create table k4 (c varchar(700), d varchar(700), key(c,d))
create table k5 (c text, key(c(800)))
show create table k5
create table k6 (c text, key(c))
create table k6 (c int, key(c(10)))
create table k6 (c varchar(10), key(c(11)))
create table k62 (c varchar(10), key(c(0)))
create table k6 (c varchar(10), key(c(10)))
show create table k6
create table k7(a int auto_increment)
create table k8(a int auto_increment primary key, b int auto_increment unique)
create table k9 (a int, a int)
create table k10 (a int, key x(a), key x(a))
create table k11(a int primary key, b int primary key)
create table k12 (a int, key(b))
create table k13 (a int null primary key)
show create table k13
create table k14 (a int default 'x')
create table k15 (a date default '2020-13-01')
create table k16 (a varchar(3) default 'abcd')
create table k17 (a int not null default null)
create table k18 (a varchar(20000))
create table k19 (a char(256))
create table k20 (a decimal(70))
create table k21 (a decimal(50,40))
create table k22(a decimal(3,5))
create table k23 (a int(300))
create table k24 (a bit(65))
create table k25(a time(7))
create table k26 (a float(60))
create table k27 (a float(10,40))
create table k28 (a varchar(10)) engine=foo
create table k29 (a enum('a','a'))
create table k30 (a int) charset=foo
create table k31(a int) collate=foo
create table k32 (a int) charset=latin1 collate=utf8mb4_bin
create table k33 (a varchar(10000), b varchar(10000))
create table k34 (`a ` int)
create table `k35 ` (a int)
create table k37 like nope
create table k38 (a text default 'a', b blob default 'x')
show create table k38
create table k39 (a varchar(16384))
create table k40 (a varbinary(65533))
create table k41 (a varbinary(65532))
create table k42 (a varbinary(65530))
create table k44 (a int auto_increment, key(a), b int auto_increment)
create table k45 (a varchar(10) auto_increment primary key)
create table k46 (a int auto_increment default 3 primary key)
create table k47 (a int on update current_timestamp)
create table k49 (a datetime(3) default now())
create table k50 (a datetime default now(3))
show create table k50
create table k51 (a blob primary key)
create table k53 (primary key(a), a int)
show create table k53
create table k54 (a int unique primary key, b int unique, c int comment 'x')
show create table k54
create table k56 (a int primary key auto_increment) auto_increment=10 row_format=compressed avg_row_length=3 checksum=1 delay_key_write=1 pack_keys=1 min_rows=2
show create table k56
create table k57 (a int) comment='hi''s' row_format=dynamic max_rows=5 stats_persistent=1 engine=innodb
show create table k57
create table if not exists k57 (a int)
create table k57 (a int)
drop table if exists nope, nope2
drop table nope, k56, nope2
create database if not exists test
drop database if exists nopedb
drop database nopedb
create database test
create table nodb.t (a int)
drop table nodb.t
truncate nope
rename table nope to x
rename table k57 to k54
create table d1 (a datetime(3) default now(3), b timestamp(6) default now(6) on update now(6), d int default -5, e varchar(3) default 5, f int default true, g datetime default '2020-01-01 1:2:3', k decimal(5,2) default 1.5, m float default 1e-3, n double default 3.14159e100, o bit(8) default 5, r varchar(10) default x'41', s year default '2020', t char(5) default 'ab  ', u int zerofill default 3, v int default (5), w varchar(20) default concat('a','b'), x varchar(10) default ('q'), y date default (curdate()), z timestamp null default null on update current_timestamp, aa int default (-5), bb varchar(10) default null, cc text default '', dd json default '{}', ee date default curdate())
show create table d1
create table d2 (a enum('x') default 'y')
create table d2 (a set('a','b') default 2)
create table d2 (a enum('a','b') default 2)
create table d2 (a int default 1.7)
create table d3 (k decimal(5,2) default 1.555)
show create table d3
create table d4 (h time(2) default '1:2:3.456')
show create table d4
-- differs: MariaDB tells a second error, 4027
create table e1 (a int, check (zz > 1))
-- differs: MariaDB tells a second error, 4027
create table e2 (a int as (zz))
-- differs: MariaDB tells a second error, 4027
create table e3 (a int default (zz))
create table e5 (a int, b int, c varchar(10), d datetime, check (not a and b or !b), check (a in (1,2,3) and c is null or a not between 2 and 3), check (length(c) > 3 or c like 'x%' escape '!' ), check ((a + b) * 2 - -3 > 4 div 2 mod 3), check (case when a = 1 then 'x' when b=2 then 'y' else null end = 'x'), check (cast(a as char(10)) = c and cast(c as signed) = 1 and convert(c using latin1) = 'z'))
show create table e5
create table e6 (a int, b int, c varchar(10), d datetime, check (d + interval 1 day > '2020-01-01' and extract(year from d) = 2020 and c regexp '^a' and (a,b) = (1,2)), check (c collate utf8mb4_bin = 'A' and _utf8mb4'x' <> c and 1.5 < a and 1e5 > b and a <=> null and a is true and a is not false and c not in ('a','b') and trim(both 'x' from c) = '' and substring(c from 2 for 3) = 'b' and coalesce(a,b,1) = if(a,b,2) and (a xor b)), check (left(c,2) = upper(c) and -a < 3 and mod(a,3)=1 and isnull(a) and char_length(c)=3))
show create table e6
create table g1 (a int)
create or replace table g1 (b int)
show create table g1
create table g2 like d1
show create table g2
create table g2 like d1
create table g4 (x int primary key) as select 1 as x, 2 as y
show create table g4
select * from g4
create table g5 select x, y, 'abc' as s from g4
show create table g5
select * from g5
create table g6 as select 1 as a, 1 as a
create table b1 (a varchar(10) charset binary, b text charset binary, c char(3)) charset=latin1
show create table b1
create table b2 (a varchar(10), b enum('x'), c text) collate=utf8mb4_unicode_ci
show create table b2
create table b3 (a int check (a > 0), b int, constraint c1 check (b > 0), constraint c1 check (b > 1))
-- differs: the parser tells first
create table aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (a int)
create table q (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa int)
create table q (a int, key `PRIMARY` (a))
create table q (a int, key `` (a))
create table `we``ird` (`a``b` int comment 'a\nb', `select` varchar(5) default 'it''s', key `k``x` (`a``b`))
drop table `we``ird`
create table m1 (a mediumint, b smallint(3), c bigint(5) unsigned, d integer, e int2, f int3, g int4, h int8, i middleint, j character varying(5), k char varying(6), l double precision, m float8, n float4, o fixed(4,1), p mediumblob, q longblob, r mediumtext, s longtext, t datetime(6), u time(3), v year(4), w varbinary(20), x boolean not null, y long)
show create table m1
create table source (a int)
insert into source values (1), (2)
set autocommit = 0
create table target as select * from source
rollback
select count(*) from target
start transaction
insert into source values (3)
create table target2 select max(a) as m from source
rollback
select * from target2
select count(*) from source
set autocommit = 1
drop table source, target, target2
