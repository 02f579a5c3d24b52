create table z (id int primary key, d datetime, dn datetime not null, d6 datetime(6), da date, c timestamp null, v varchar(30), b bit(64));
insert ignore into z values (1, '0000-00-00', '0000-00-00', '0000-00-00', '0000-00-00', '0000-00-00', '0000-00-00', 20), (2, '2020-02-29', '2020-02-29', '2020-02-29 10:11:12.5', '2020-02-29', '2020-02-29', '2020-01-01', 27), (3, '2020-01-00', '2020-01-00', '2020-01-00', '2020-01-00', null, '2020-01-00', null);
-- What chooses among dates gives text, numbers and comparisons those that sql_mode does not know, too.
set sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
select id, ifnull(d, d), concat(ifnull(d, d)), hex(ifnull(d, d)), ifnull(d, d) + 0, ifnull(d, d) is null, ifnull(d, d) = d, date(ifnull(d, d)) from z;
select cast(ifnull(d, d) as char), ifnull(ifnull(d, d), 5), coalesce(ifnull(d, d), 'x'), concat(coalesce(d, d)), concat(if(1, d, c)), concat(case when 1 then d else c end), concat(nullif(d, c)) from z;
select concat(ifnull(dn, d)), concat(ifnull(d6, d)), concat(ifnull(d, d6)), concat(ifnull(da, d)), concat(ifnull(d, da)), concat(ifnull(da, da)), length(ifnull(d, d)), json_array(ifnull(d, d)) from z;
select ifnull(d, d) between '0000-00-00' and '2020-01-01', ifnull(d, d) < '2020-01-01', ifnull(d, d) in ('0000-00-00'), ifnull(d, d) like '0%', greatest(ifnull(d, d), '2000-01-01') from z;
select id from z where ifnull(d, d) = d;
select id from z where ifnull(d, d) < '2020-01-01';
select id from z where ifnull(d, d);
select distinct hex(ifnull(d, d)) from z;
select count(ifnull(d, d)), min(ifnull(d, d)), max(ifnull(d, d)), sum(ifnull(d, d)) from z;
select hex(if(false, d, c)), count(*) from z group by 1;
select column_json(column_create('a', 1, 'b', nvl(c, c), 'e', ifnull(d, d))), column_json(column_create('a', 1, 'c', c, 'd', d)) from z where id < 3;
set @d = (select ifnull(d, d) from z where id = 1);
create table made as select ifnull(d, d) x, concat(ifnull(d, d)) y from z;
select * from made;
update ignore z set d = greatest(ifnull(d, d), timestamp'2000-01-01 00:00:00') where id = 1;
select id, d from z;
drop table made;
set sql_mode = '';
-- Seconds are rounded where the mode has it so.
select from_unixtime(1000012345.678e0), from_unixtime(1.9999996), from_unixtime('1.1234567'), sec_to_time(1.9999996), maketime(1, 1, 59.9999996);
set sql_mode = 'TIME_ROUND_FRACTIONAL';
select from_unixtime(1000012345.678e0), from_unixtime(1.9999996), from_unixtime('1.1234567'), from_unixtime(1.9999996, '%s %f');
select sec_to_time(1.1234567), sec_to_time(1.9999996e0), sec_to_time(-1.1234567), maketime(1, 1, 1.1234567e0), maketime(1, 1, 59.9999996);
set sql_mode = '';
-- A date and time without a fraction is a whole number to division, and to what stores it.
create table q (c timestamp(6), v varchar(30), j text);
insert into q values ('2020-01-31', '', ''), ('2020-01-31 10:11:12.5', '', '');
select c / 123456, c / 7 from q;
update q set v = unix_timestamp(c), j = c + 0;
select v, j from q;
drop table q;
-- EXTRACT(WEEK) counts by default_week_format.
set default_week_format = 3;
select extract(week from '2020-01-01'), extract(week from '2020-01-00'), extract(week from '2020-00-00'), extract(week from '2019-00-05');
set default_week_format = 0;
select extract(week from '2020-01-01'), extract(week from '2020-01-00'), extract(week from '2020-00-00'), extract(week from '2019-00-05');
-- Bits: constants are numbers to FORMAT, what a subquery finds is one to GROUP_CONCAT; SFORMAT gives each number a sign.
select format(0x4142, 5), format(x'41', 2), format(b'1000001', 2);
select group_concat((select b from z where id = 1)), hex(group_concat((select x.b from z y where y.id = 1))), group_concat(distinct (select b from z where id = 1)) from z x;
select sformat('{}', 18446744073709551615), sformat('{}', ~b), sformat('{}', -1) from z;
-- Nodes are true where there is one.
select extractvalue('<a>1</a><a>2</a>', 'boolean(/a)'), extractvalue('<a>1</a>', 'boolean(/a)'), extractvalue('<a>1</a><a>2</a>', 'not(/a)'), extractvalue('<a>1</a><a>2</a>', '/a and 1'), extractvalue('<r><a>1</a><a>2</a><c>5</c></r>', '/r[a]/c'), extractvalue('<r><a>1</a><c>5</c></r>', '/r[a]/c');
select coercibility(name_const('it', 12)), coercibility(name_const('it', 'a'));
-- Numbers apart from each other have the digits of their type.
select avg(distinct pi()), sum(distinct pi()), avg(distinct cast('1.23456' as char)) from z;
select avg(distinct pi() + seq / 100000000), sum(distinct pi() + seq / 100000000), count(distinct pi() + seq / 100000000) from seq_1_to_10;
set div_precision_increment = 8;
select stddev(cast(id as char)), stddev(hex(id)), stddev(id), stddev(concat(id)) from z;
set div_precision_increment = 4;
-- A UUID or an address beside bytes is read as text.
create table u (id int primary key, u uuid, i inet6);
insert into u values (1, '123e4567-e89b-12d3-a456-426655440000', '::1'), (2, null, null);
select '123e4567-e89b-12d3-a456-426655440000' in (u, @unset), '123e4567-e89b-12d3-a456-426655440000' in (u, _binary 'abc'), '::1' in (i, x'00') from u;
select id from u where '123e4567-e89b-12d3-a456-426655440000' in (cast('123e4567-e89b-12d3-a456-426655440000' as uuid), @unset);
drop table u;
-- Types.
create table n (a decimal(5,0) unsigned, b decimal(5,2) unsigned, c decimal(10,0), d decimal(10,2), e decimal(18,0), f decimal(20,2) unsigned, g decimal(5,5), i bigint, j mediumint, t timestamp null);
create table made as select floor(a) fa, floor(b) fb, ceiling(b) cb, floor(c) fc, floor(d) fd, floor(e) fe, floor(f) ff, ceiling(f) cf, floor(g) fg, floor(1.5) k from n;
show create table made;
create or replace table made as select format(i, 8) fi, format(j, 8) fj, format(0x41, 2) h, coalesce(coalesce(t, t), t) t1, if(1, if(1, t, t), t) t2, case when 1 then ifnull(t, t) else t end t3 from n;
show create table made;
create or replace table made as select t from n union select ifnull(t, t) from n;
show create table made;
set sql_mode = 'NO_UNSIGNED_SUBTRACTION';
create or replace table made as select a - a x, b - b y, a - 1 z from n;
show create table made;
set sql_mode = '';
select '😀😀', 1 + '123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567😀8901234567890' n;
select concat('😀', '1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890');
drop table n, made, z;
-- COLLATE keeps the length of what is computed; NULL that is computed is no text to IF.
create table made as select hex('abc') collate utf8mb4_bin a, mid('straße', 5, 11) collate utf8mb4_bin b, cast('a' as char(10)) collate utf8mb4_bin c, 'abc' collate utf8mb4_bin d, upper(hex('abc') collate utf8mb4_bin) e, if(1, ifnull(null, null), null) f, if(1, null, null) g;
show create table made;
drop table made;
-- A user variable gets what was chosen under its own collation, if it is in that character set, else under that of all.
set @v = case when 1 then 'a' else 'b' collate utf8mb4_bin end;
select collation(@v);
set @v = coalesce(null, 'b', 'a' collate utf8mb4_bin);
select collation(@v);
set @v = decode_oracle(6, 1, 'a' collate utf8mb4_bin, 'b');
select collation(@v);
set @v = case when 1 then _utf8mb3'a' else 'x' collate utf8mb4_bin end;
select collation(@v);
set @v = case when 1 then collation(2) else cast(1 as char(3)) end;
select collation(@v);
set @v = if(1, 'a', 'b' collate utf8mb4_bin);
select collation(@v);
-- Weeks of dates that lack a month or a day.
SET sql_mode = '';
SELECT DATE_FORMAT('2023-01-00', '%U %u %V %v %X %x'), DATE_FORMAT('2017-01-00', '%U %u %V %v %X %x'), DATE_FORMAT('2018-00-00', '%U %u %V %v %X %x'), DATE_FORMAT('0000-01-00', '%U %u %V %v %X %x'), DATE_FORMAT('2024-03-00', '%U %u %V %v %X %x');
SELECT EXTRACT(WEEK FROM '2023-01-00'), EXTRACT(WEEK FROM '2017-01-00'), EXTRACT(WEEK FROM '2018-00-00'), EXTRACT(WEEK FROM '0001-01-00'), EXTRACT(WEEK FROM '2024-03-00');
