create table n (i int primary key, s varchar(60), d decimal(10,2), g int)
insert into n with recursive q (i) as (select 1 union all select i + 1 from q where i < 900) select i, concat('row number ', i * 7919 % 907, ' of some length'), i * 1.25, i % 97 from q
create table m (i int, v varchar(40), e enum('small','large'), w date)
insert into m with recursive q (i) as (select 1 union all select i + 1 from q where i < 500) select i * 3 % 701, repeat(char(97 + i % 26), 1 + i % 30), 1 + i % 2, '2020-01-01' + interval i day from q
set sort_buffer_size = 16384, tmp_memory_table_size = 16384, join_buffer_size = 16384
select count(*), sum(i), min(s), max(s) from n
select i, s from n order by s limit 5
select i, s from n order by s desc limit 590, 10
select i, g, d from n order by g desc, d limit 7
select md5(group_concat(i)) from (select i from n order by s, i limit 10000) q
select md5(group_concat(i)) from (select i from n order by g, i desc limit 10000) q
select g, count(*), sum(d), min(s), max(i) from n group by g order by g limit 12
select count(*), sum(c) from (select s, count(*) c from n group by s) q
select s, count(*), count(distinct g) from n group by s order by s limit 4
select i % 200 k, group_concat(i order by i) from n group by k order by k desc limit 3
select g, i % 3 m, avg(d) from n group by g, m order by g, m limit 9
select count(*), sum(n.i), min(v), max(w) from n join m on n.i = m.i
select count(*), sum(n.i), count(m.i), count(e) from n left join m on n.i = m.i
select count(*), sum(m.i), count(n.i) from m left join n on n.g = m.i and n.d > 100
select n.i, m.v, m.e, m.w from n join m on n.g = m.i order by n.i, m.v limit 8
select count(*) from n join m on n.i = m.i and length(m.v) > n.g
select count(*), sum(x.i) from n x join n y on x.s = y.s
select count(*), sum(x.i * y.i) from n x join n y on x.g = y.g join m on m.i = x.i
select n.g, count(*), max(m.v) from n join m on n.i = m.i group by n.g order by 3 desc, 1 limit 6
select count(*) from n where i in (select i from m where v > 'm')
select count(*) from n where exists (select * from m where m.i = n.i and m.w > '2020-06-01')
select distinct g from n order by g desc limit 3
set sort_buffer_size = default, tmp_memory_table_size = default, join_buffer_size = default
set max_statement_time = 0.2
select count(*) from n a, n b, n c where a.i + b.i + c.i < 0
select sleep(3)
set max_statement_time = 0
select 1
