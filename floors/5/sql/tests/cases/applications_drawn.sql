-- What applications send, as the differential tester draws it.

-- A key of ROLLUP is itself wherever it stands, also where its value hangs on the clock or the session.
create table t (id int, a datetime, b int);
insert into t values (1, '2020-01-01', 1), (2, null, 2), (3, '2030-01-01', 1);
set timestamp = 1600000000;
select if(a < now(), 'over', 'trial') as k, count(*) from t group by 1 with rollup;
select if(a < now(), 'over', 'trial') as k, count(*) from t group by k with rollup;
select b, if(a < now(), 'over', 'trial') as k, count(*) from t group by 1, 2 with rollup;
select if(t.a < now(), 'over', 'trial') as k, count(*) from t group by if(t.a < now(), 'over', 'trial') with rollup;
select if(t.a < utc_date(), 'over', 'trial') as k, count(u.id) from t join t u on u.id = t.id group by 1 with rollup;
select if(b < @@div_precision_increment, 'over', 'trial') as k, count(*) from t group by 1 with rollup;
select coalesce(b, database(), user()) as k, count(*) from t group by 1 with rollup;
select (select max(u.b) from t u where u.id = t.id) as k, count(*) from t group by 1 with rollup;
select (select max(u.b) from t u where u.id = t.id) as k, count(*) from t group by (select max(u.b) from t u where u.id = t.id) with rollup;
select floor(rand() * 1) + b as k, count(*) from t group by floor(rand() * 1) + b with rollup;
select b + last_insert_id() as k, count(*) from t group by b + last_insert_id() with rollup;

-- Of two keys of ROLLUP that are written alike each is the item of the select list that it names.
select t.b as k1, t.b as k2, count(*) from t group by 1, 2 with rollup;
select t.b as k1, t.b as k2, count(*) from t group by k1, k2 with rollup;
select t.b + 1 as k1, t.b + 1 as k2, count(*) from t group by 1, 2 with rollup;
select t.b as k1, if(a < now(), 'over', 'trial') as k2, t.b as k3, count(*) from t group by 1, 2, 3 with rollup;
select date(a) as k1, year(a) as k2, date(a) as k3, count(*) from t group by k1, k2, k3 with rollup having k3 is null;

-- Two columns of one name are ambiguous, two aggregates or windows are not: the first is meant.
select count(*) as n, count(*) as n from t having n is not null;
select max(id) as n, min(id) as n from t having n > 2;
select sum(id) as n, sum(id) as n from t group by b having n > 2;
select count(*) as n, count(distinct a) as n, b from t group by b order by n, b;
select row_number() over (order by id desc) as n, row_number() over (order by id) as n from t order by n;
select b as n, id as n from t having n > 1;
select b as n, b as n from t having n > 1;

-- GROUP_CONCAT's ORDER BY takes NULL for the zero of its type, but for labels; JSON_ARRAYAGG has it first.
create table g (id int, c decimal(12,4), f double, t time, y year, b bit(4), e enum('a','b'), st set('a','b'), bl blob, tx text, bi binary(3), ch char(3), ts timestamp null, i6 inet6, nn int unsigned, dt date);
insert into g (id) values (1), (2);
insert into g values (3, 0, 0, '00:00:00', 0, b'0', 'a', '', 0x00, '', '', '', '2020-01-01', '::', 0, '2020-01-01'), (4, -1, -1, '-10:00:00', 2000, 1, 'b', 'a', 'x', '\t', '\t', '\t', '2021-01-01', '::1', 1, '2020-01-01'), (5, 1, 1, '10:00:00', 2001, 2, 'a', 'b', '', 'a', 'a', 'a', '1971-01-02', '1::1', 2, '0000-00-00');
select group_concat(id order by c, id), group_concat(id order by c desc, id), group_concat(distinct id order by c, id), json_arrayagg(id order by c, id), group_concat(id order by c desc, id limit 3) from g;
select group_concat(id order by f, id), group_concat(id order by f desc, id), group_concat(id order by t, id), group_concat(id order by t desc, id) from g;
select group_concat(id order by y, id), group_concat(id order by y desc, id), group_concat(id order by b, id), group_concat(id order by b desc, id) from g;
select group_concat(id order by e, id), group_concat(id order by e desc, id), group_concat(id order by st, id), group_concat(id order by st desc, id) from g;
select group_concat(id order by bl, id), group_concat(id order by bl desc, id), group_concat(id order by tx, id), group_concat(id order by tx desc, id) from g;
select group_concat(id order by bi, id), group_concat(id order by bi desc, id), group_concat(id order by ch, id), group_concat(id order by ch desc, id) from g;
select group_concat(id order by ts, id), group_concat(id order by ts desc, id), group_concat(id order by i6, id), group_concat(id order by i6 desc, id) from g;
select group_concat(id order by nn, id), group_concat(id order by nn desc, id), group_concat(id order by dt, id), group_concat(id order by dt desc, id) from g;
select group_concat(id order by c + 0, id), group_concat(id order by -c, id), group_concat(id order by concat(tx, 'x'), id), group_concat(id order by c < 0 desc, id), group_concat(id order by nullif(e, 'a') desc, id) from g;
select group_concat(id order by round(c, 1), id), group_concat(id order by addtime(t, '-01:00:00'), id), group_concat(id order by date(dt) desc, id), group_concat(id order by (select x.c from g x where x.id = g.id), id), group_concat(id order by null, id) from g;
select id % 2 as k, group_concat(id order by c desc, id), count(distinct c) from g group by k;
select e, group_concat(id order by c desc, id) from g group by e with rollup;

-- A column that the clock fills by itself says so, whether or not the clock changes it again.
create table s (z datetime default now(), a timestamp(3) not null default current_timestamp(3), b timestamp null default current_timestamp, c timestamp null on update current_timestamp, d timestamp not null default '2020-01-01', e timestamp not null default (now() + interval 1 day), f datetime on update now());
select * from s;
select max(a), a from s group by a;

-- The weeks of dates of no month are those that numbers without signs come to.
set sql_mode = '';
create table z (id int, d datetime not null, n date);
insert into z values (1, '0000-00-00 00:00:00', null), (2, '2020-01-01', '0000-00-00'), (3, '2020-00-00 00:00:00', '2020-01-00'), (4, '2019-00-05 10:00:00', '0000-01-00'), (5, '2021-00-00', '2019-00-00');
select id, date_format(d, '%x-W%v'), date_format(n, '%x-W%v'), date_format(d, '%X %V'), date_format(n, '%X %V'), date_format(d, '%U'), date_format(n, '%u') from z order by id;
select id, date_format(d, '%j'), date_format(n, '%j'), date_format(d, '%w'), date_format(n, '%w'), date_format(d, '%W'), date_format(n, '%a') from z order by id;
select date_format('0000-00-00', '%x-W%v'), date_format('2020-00-00', '%x-W%v'), date_format('0000-01-01', '%j'), date_format('0000-05-00', '%j'), date_format('2020-05-00', '%j'), date_format('0000-00-05', '%w %a'), date_format('0000-00-05', '%x %v %U');

-- The first virtual column of a table leaves its counter where rows that went have brought it.
create table o (id int auto_increment primary key, x int, placed datetime);
insert into o (x, placed) values (1, '2020-01-01'), (2, '2020-01-02'), (3, '2020-01-03');
begin;
insert into o (x) values (4), (5);
rollback;
alter table o add column day date generated always as (date(placed)) virtual after id;
insert into o (x) values (6);
select id, x, day from o;
alter table o drop column day;
delete from o where id > 2;
alter table o add column twice int as (x * 2) virtual;
insert into o (x) values (7);
select id, x, twice from o;

-- TIME() and TIMESTAMP() keep their fractions of a second in views.
create table vt (a datetime(3), b datetime, c varchar(20), d double, e time(2), f decimal(10,4), g int, h timestamp(6) null, i date);
insert into vt values ('2020-01-01 10:11:12.345', '2020-01-01 10:11:12', '10:11:12.5', 101112.25, '10:11:12.34', 101112.2500, 101112, '2020-01-01 10:11:12.345678', '2020-01-01');
create view vv as select time(a) a, time(b) b, time(c) c, time(d) d, time(e) e, time(f) f, time(g) g, time(h) h, time(i) i, time('10:00:00.5') j, time(now(3)) l, cast(a as time) m, timestamp(a) o, timestamp(b) p, date(a) q, time(10.25) s, timestamp(f) u, timestamp(b, e) v, coalesce(time(a), timestamp(c)) w from vt where time(a) > '10:11:12.3';
show create view vv;
select a, b, c, d, e, f, g, h, i, j, m, o, p, q, s, v from vv;
create table made as select a, c, h, o from vv;
show create table made;
create view v2 as select time(x.a) a, max(timestamp(h)) over (order by time(x.a)) h from vt x group by time(x.a), timestamp(h) order by time(x.a);
select * from v2;
