create table t1 (id int primary key, n int, d decimal(10,2), k int, key (k));
insert into t1 values (1,5,1.11,1),(2,6,2.22,1),(3,6,3.33,2),(4,7,1.00,2),(5,7,2.00,2),(6,9,2,2);
create table t2 (id int primary key, b bit(5), g point, u uuid, i inet6, j int, v varchar(10) collate utf8mb4_unicode_ci, w varchar(10), f float not null, l varchar(600), x text, s varchar(30));
-- A mean is a quotient: whoever reckons with it has all its digits.
select avg(n)*3, avg(n)+1, avg(n)/3, truncate(avg(n),3), concat(avg(n)), round(avg(n),6), floor(avg(n)*1000000) from t1;
select avg(n)=40/6, avg(n)=6.6667, avg(n) > 6.66666, cast(avg(n) as decimal(20,10)), coalesce(avg(n))*3, -avg(n)*3, time_format(avg(n),'%f') from t1;
select d > 2, avg(n), avg(n)*3, truncate(avg(n),4) from t1 group by d > 2;
select k+1, avg(n)*3, round(avg(n),6), cast(avg(n) as decimal(20,10)) from t1 group by k+1 with rollup;
select id, avg(n) over (), avg(n) over () * 3 from t1 order by id;
select (select avg(n) from t1)*3, (select avg(n) from t1) = 6.6667, (select avg(d) from t1)*3, (select sum(n)/7 from t1) = 5.7143;
select count(*) from t1 having avg(n) = 6.6667;
create table m (a decimal(20,10));
insert into m select avg(n) from t1;
select a from m;
drop table m;
select avg(n) from t1 union all select 1.123456789;
-- Only what is put aside for its group has the digits of a column.
select k+1, avg(1/n), sum(1/n) from t1 group by k+1;
select k+1, avg(1/n), sum(1/n), count(distinct n) from t1 group by k+1;
select id, avg(1/n), sum(1/n) from t1 group by id;
select k+1, avg(1/n), sum(1/n) from t1 group by k+1 with rollup;
select sql_big_result k+1, avg(1/n), sum(1/n) from t1 group by k+1;
-- Errors of ALL and ANY name the comparison that is asked.
select j = all (select u from t2) from t2;
select j <> all (select u from t2) from t2;
select j < all (select u from t2) from t2;
select j >= all (select u from t2) from t2;
select j >= any (select u from t2) from t2;
select v = all (select w from t2) from t2;
select v > all (select w from t2) from t2;
select 1 from t2 where j >= any (select u from t2);
select 1 from t2 where j >= all (select u from t2);
select 1 from t2 where j = all (select u from t2);
select 1 from t2 x where x.j >= any (select u from t2 where j = x.j);
select 1 from t2 where v < all (select w from t2);
select 1 from t2 where 1 >= any (select cast(1 as inet6));
-- BIT is an integer to what chooses, and itself to what compares.
select if(1,b,u) from t2;
select ifnull(b,u) from t2;
select coalesce(b,u) from t2;
select case 1 when 1 then b else g end from t2;
select b = u from t2;
select (b,1) in ((1,2),(u,2)) from t2;
select b union select u from t2;
-- A subquery of nothing but a list is its expression.
create table m as select time((select '10:11:12.5')) a, subdate((select '2020-01-01 10:11:12.5'), 1) b, round(1.55, (select 1)) c, str_to_date('2020-01-01', (select '%Y-%m-%d')) d, (select f+1) e, coalesce((select 1),2) g from t2;
show create table m;
drop table m;
select power((select -2.5e-3), -128);
select n from t1 order by (select -n), id;
select (select n+1), sum(id) from t1 group by n;
select (select b), (select x) from t2;
-- Digits of what a user variable, or a function of one, holds.
set @a = '10:11:12.5', @b = '2020-01-01', @n = null;
create table m as select time(concat(@a)) a, timestamp('2020-01-01', concat(@a)) b, timestamp(null, @b) c, timestamp('2020-01-01', '2020-01-01 10:11:12' - interval 255 second) d, convert_tz(coalesce(@n, makedate(10,1)), '-11:00', '-03:00') e;
show create table m;
drop table m;
-- What is no date is shown by its bytes, for STR_TO_DATE as characters of the basic plane.
select date(_utf16 x'0041D83DDE00'), time(_ucs2 x'00410042'), datediff(convert('straße' using utf32), 1);
select str_to_date('😀','%Y'), str_to_date('A😀B','%Y'), str_to_date(_utf16 x'0041D83DDE00','%Y'), str_to_date(convert('éa' using ucs2),'%Y'), str_to_date(_latin1 x'E961','%Y');
-- Formats of rows have ten characters for each byte.
create table m as select date_format('2020-02-29', w) a, time_format('1:1:1', w) b, from_unixtime(1, w) c, date_format('2020-02-29', l) d, date_format('2020-02-29', x) e from t2;
show create table m;
drop table m;
-- Nothing is in order by a variable that nothing sets.
select id from t1 order by date(@n), last_day(concat(@a, 'x')), id desc limit 2;
-- The range of a percentile is checked where there is nothing to choose from.
select percentile_cont(1.5) within group (order by nullif(n, n)) over () from t1;
-- Zero to be compared is no date of the session's, whatever casts are around it.
set sql_mode = 'NO_ZERO_DATE,NO_ZERO_IN_DATE';
select id from t1 where '2020-01-01' > cast(cast('2020-02-30' as datetime) as date) and id < 3;
set sql_mode = default;
select 1 from t1 where least(cast('1.2.3.4' as inet4), 'abc');
-- A number that COALESCE or CASE chooses among texts keeps the character set of numbers.
set @a = coalesce(5, 'x'), @b = ifnull(5, 'x'), @c = case when 1 then 1.5 else 'x' end, @d = case when 0 then 5 else 'x' end, @e = coalesce(5, _utf16'x');
select @a, collation(@a), @b, collation(@b), @c, collation(@c), @d, collation(@d), @e, collation(@e);
select concat(coalesce(5, 'x'), 'ä'), coalesce(n, 'ä') = 'ä', hex(coalesce(5, _utf16'x')) from t1 limit 1;
