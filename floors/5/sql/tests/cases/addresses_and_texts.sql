-- Names of dynamic columns: quoted as the session quotes, in UTF-8; all of them names beside one that is.
set sql_mode = 'ANSI_QUOTES';
select column_list(column_create('a', 1, 'b', 4)), column_list(column_create('a', 1, 'b`"', 4));
set sql_mode = '';
select column_list(column_create('a', 1, 'b`"', 4));
set sql_quote_show_create = 0;
select column_list(column_create('a', 1, 'b', 4));
set sql_quote_show_create = 1;
set names utf8mb4 collate utf8mb4_bin;
select collation(column_list(column_create('a', 1))), collation(column_json(column_create('a', 1)));
set names utf8mb4 collate utf8mb4_general_ci;
select column_list(column_create(20200131, 'Abc', 'b', '0')), column_list(column_create(-1, 1, 'b', 2));
select column_list(column_create(65536, 'Abc'));
select hex(column_json(column_create('a', x'9F80', x'9F80', 1))), hex(column_list(column_create(x'9F80', 1)));
select column_exists(column_create('a', hour('b'), 'b', 1), null), column_get(column_create('a', hour('b')), null as char);
-- Whole digits of decimals in groups of nine where they are computed.
select hex(column_create('a', cast(-128 as decimal(65,30)))), hex(column_create('a', cast(3.14 as decimal(10,5)))), hex(column_create('a', 3.14000));
select hex(column_create('a', 3.14+1)), hex(column_create('a', -3.14)), hex(column_create('a', round(3.14,1))), hex(column_create('a', coalesce(3.14,2)));
-- Texts made of numbers have no character set of their own.
select quote(1) collate utf8mb4_bin, collation(upper(quote(1))), coercibility(upper(quote(1))), collation(quote(1)), collation(reverse(quote(1)));
select quote(null) collate latin1_bin, upper(null) collate latin1_bin, null collate latin1_bin;
-- XPath.
select extractvalue(1, 'sum(//b)'), extractvalue(1, '-sum(//b)'), extractvalue(1, '-0');
select extractvalue(_utf16 x'0041D83DDE00', 'a');
select extractvalue('a', _utf16 x'0041D83DDE00');
select updatexml(_utf16 x'0041D83DDE00', 'a', 'b');
-- Names of operations.
select group_concat(_ucs2 x'00410042', 'x');
select sum(distinct point(0,0));
select cot(char(99.995 using utf8mb4));
-- Faults of the select list are told alone.
create table one (a varchar(20));
insert into one values ('q');
select cast(a as inet6) + 1 from one where sha2(a, 5);
select nosuch from one where sha2(a, 5);
select ntile(1) over (order by a rows unbounded preceding) from one where sha2(a, 5);
select 1 from one where sha2(a, 5) order by nosuch;
-- Types that do not go together.
create table ty (i int, u uuid, f bit(5), g point, n inet4, t timestamp null, d date, s varchar(9), y year, bg bigint unsigned);
select 1 from ty where (f) = all (select u from ty x);
select 1 from ty where (f) <> any (select u from ty x);
select 1 from ty where (i) > any (select g from ty x);
select 1 from ty where (i) >= all (select g from ty x);
select 1 from ty where (i) >= all (select ty.n from ty x);
select 1 from ty where (i) >= any (select ty.n);
select (point(0,0)) <= all (select i from ty s0);
select (1) <= all (select g from ty s0);
select 1 from ty where (i) in (select g from ty x);
select case when 1 then n else f end from ty;
select if(1, f, g) from ty;
select coalesce(f, n) from ty;
select nullif(n, f) from ty;
select (f, 1) in ((1000, null), (u, s)) from ty;
select (1, f) in ((1000, null), (1, u)) from ty;
select (s, 1) in ((i, 1), (u, 2)) from ty;
select (f, 1) in ((u, 1)) from ty;
select n in (point(0,0), i) from ty;
select decode_oracle(bg, g, s, u) from ty;
select g between s and i from ty;
select g between null and i from ty;
select s between d and g from ty;
-- Addresses are compared from the left, as far as there are any.
create table tn (n inet4, s varchar(10), nn inet4, j json);
insert into tn values ('1.2.3.4', 'q', null, '[]');
select cast('x' as inet4) < '0000';
select cast(s as inet4) < 'x' from tn;
select concat(s,'y') < cast(s as inet4) from tn;
select cast(null as inet6) = 'x', 'x' = cast(null as inet6);
select concat(s,'y') = cast(null as inet6) from tn;
select json_overlaps(null, '0' < cast('10.0.0.1' as inet4)), if(0, '0' < cast('10.0.0.1' as inet4), 1);
select s between cast('1.2.3.4' as inet4) and 'a' from tn;
select s between cast('x' as inet4) and concat(s,'a') from tn;
select concat(s,'b') in (n, n, null) from tn;
select cast(s as inet4) <=> 'x' from tn;
select concat(s,'b') <=> cast(s as inet4) from tn;
select nn <=> concat(s,'b'), nn <=> s, nn <=> 'b' from tn;
select 1 from tn where (convert(cast('10.0.0.1' as inet4), uuid)) <=> s;
select 1 from tn where least(n, s);
select inet_ntoa(cast('x' as inet4)), inet_ntoa(cast(s as inet4)), inet_ntoa(nn) from tn;
update tn set s = 'q' where n = 'x';
set sql_mode = 'STRICT_TRANS_TABLES';
update tn set s = 'q' where cast(s as inet4) = 'x';
set sql_mode = default;
-- Texts of addresses and UUIDs.
select hex(convert(cast('fe80::1' as inet6) using binary)), hex(cast(cast('fe80::1' as inet6) as binary));
select cast(cast('123e4567-e89b-12d3-a456-426655440000' as uuid) as char(4)), cast(n as char(2)) from tn;
create table made as select cast('10.0.0.1' as inet4) collate utf8mb4_bin a, cast('::1' as inet6) collate utf8mb4_bin b;
show create table made;
-- Lengths of texts.
create or replace table made as select substring('10', 5, 12) a, substring('10', 1, 12) b, substring('10', -5, 5) c, substring('10', 3, 1) d;
show create table made;
create or replace table made as select date_format('1970-01-02', a) a, date_format('1970-01-02', convert(a using latin1)) b, time_format('1', a) c, from_unixtime(1, a) d from one;
show create table made;
-- Keys of documents have all digits of their columns.
create table z (z smallint(3) unsigned zerofill, f float(8,2), d double(10,3), de decimal(20,5) unsigned zerofill);
insert into z values (9, 127, 3.1, 10);
select json_objectagg(z, f), json_objectagg(f, z), json_objectagg(d, d), json_objectagg(de, d) from z;
-- Geometries.
select st_area(st_geomfromtext('MULTILINESTRING((0 0,1 1),(2 2,3 3))')), st_area(st_geomfromtext('MULTIPOINT(1 1,2 2)')), st_area(st_geomfromtext('GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))'));
select geometrycollection(x'01020304', null);
select geometrycollection(null, x'01020304');
select st_astext(multipoint(st_asbinary(point(1,1))));
select polygon(decode(a, 'k')) from one;
select hex(column_create('a', d)), hex(column_create('a', e)) from (select cast(3.14 as decimal(10,5)) d, 12345.5 e) x;
-- What is no date or time, as warnings show it.
select str_to_date('A😀b', '%H'), str_to_date('😀b', '%H'), str_to_date(_utf16 x'0041D83DDE00', '%H');
select cast(_utf16 x'0041D83DDE00' as datetime), addtime(_ucs2 x'00410042', '838:59:59');
-- A user variable has the character set of what was chosen for it.
set @v = coalesce(0, 'a');
select @v, collation(@v);
set @v = case when null then 'x' else -1 end;
select @v, collation(@v);
set @v = extractvalue('<a>1</a>', 'count(/a)');
select @v, collation(@v);
set @v = coalesce('a', 1), @w = if(0, 'a', 1);
select @v, collation(@v), collation(@w);
set @v = decode_oracle(2147483647, -1, '10', 255);
select @v, collation(@v);
-- What DECODE gives are bytes, but of the characters of its text.
create table d1 (id int primary key, c varchar(20), l varchar(20) character set latin1, u3 varchar(20) character set utf8mb3);
insert into d1 values (1, 'abc', 'abc', 'abc'), (2, 'x', 'x', 'x'), (3, null, null, null);
select id from d1 where decode(c, 'k') = c;
select id from d1 where decode(l, 'k') = c;
select id from d1 where decode(u3, 'k') = c;
select id from d1 where decode(c, 'k') like c;
select id from d1 where decode(c, 'k') = 1;
select id from d1 where decode(l, 'k') = 1;
-- LIKE looks at no pattern where there is no text.
select id from d1 where null like chr(200 + id);
select id from d1 where c like chr(200 + id);
-- A piece of a text counts as having all its characters.
select left(_utf16 x'0041D83DDE00', 1) = 'a';
select soundex(_utf16 x'0041D83DDE00') = soundex('a');
select soundex(_utf16 x'0041') = soundex('a');
-- Kinds of texts by their lengths.
create table two (m mediumtext, b blob, e enum('a'));
set @v = _latin1'abc';
create or replace table made as select max(@v) a, from_base64(column_list(column_create(1,1))) b, convert(column_get(column_create('a', 1), 'a' as char) using binary) c, extractvalue(null, null) d, trim(leading b from m) e, json_object(aes_decrypt(null, 'hello'), json_detailed('[1]', 0), 1, 1) f, json_array_append(1, '$', column_list(column_create(1,1))) g, des_decrypt(des_encrypt(m, 'k')) h, if(1, e, column_get(column_create('a', 1), 'a' as char)) i from two;
show create table made;
create or replace table made as select json_merge_preserve(1, json_object('255.255.255.255', -128)) a, (select 1=1 from two limit 1) b, (select json_valid('12') from two limit 1) c;
show create table made;
set @v = 'abc';
create or replace table made as select elt(2, @v, e) a, soundex(@v) b, json_unquote(@v) c, json_compact(@v) d, left(@v, 100000000) e, repeat(@v, 1) f, insert(@v, 1, 1, e) g from two;
show create table made;
select position(lpad('{"b":2}', 8, _utf16 x'0041D83DDE00') in 'a');
select 1 from ty where null between g and t;
set @v = convert('' using latin1) collate latin1_german1_ci;
select @v, collation(@v);
select cast(decode(1, 'a') as double);
select locate('', 'abc', 4), locate('', 'äbc', 4), locate('', 'äbc', 5), locate('', 'ääää', 5), locate('a', 'ääa', 3);
update two set m = 'x' where extractvalue('<a>x</a>', '/a') = 101112;
delete from two where extractvalue('<a>x</a>', '/a') = 101112;
select extractvalue('<a>', database());
select cast(b'1' as inet4), cast(cast(b'00000001000000100000001100000100' as unsigned) as char);
create or replace table made (a bit(40), b bit(32));
insert into made values (3, 16909060);
select cast(a as inet4), cast(b as inet4) from made;
-- A column of bytes is always like itself.
explain select 1 from two where b not like b;
explain select 1 from two where m not like m;
drop table one, ty, tn, made, z, d1, two;
-- Labels that are no address are told of as other text is.
CREATE TABLE labels (s SET('x','y'), e ENUM('1.2.3.4','b'), i INET4);
INSERT INTO labels VALUES ('y', 'b', NULL), (NULL, '1.2.3.4', NULL);
SELECT COALESCE(i, s), IFNULL(i, e) FROM labels;
CREATE TABLE made_of_labels AS SELECT CASE WHEN 0 THEN i ELSE s END FROM labels;
DROP TABLE labels;
-- GREATEST and LEAST refuse a third operand beside what they would choose from the two before it.
SELECT LEAST(1, 1e3, POINT(1, 1));
SELECT GREATEST(1, 1.5, POINT(1, 1));
SELECT GREATEST('a', 1, POINT(1, 1));
SELECT GREATEST(NULL, 1, POINT(1, 1));
SELECT LEAST(CURTIME(), CURDATE(), POINT(1, 1));
SELECT LEAST(CAST(1 AS UNSIGNED), -1, POINT(1, 1));
SELECT FORMAT(NULLIF(CAST('1.2.3.4' AS INET4), '1.2.3.4'), 2), FORMAT(MAX(NULLIF(CAST('1.2.3.4' AS INET4), '1.2.3.4')), 2);
