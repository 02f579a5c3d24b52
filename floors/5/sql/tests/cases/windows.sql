create table t (id int primary key, g varchar(5), v int, d decimal(6,2), f double, dt date, u bigint unsigned)
insert into t values (1,'a',10,1.5,0.5,'2020-01-01',1),(2,'a',20,2.5,1.5,'2020-01-02',2),(3,'a',20,null,2.5,null,3),(4,'b',5,4.25,3.5,'2020-01-04',4),(5,'b',null,5.5,null,'2020-01-05',5),(6,null,7,6.5,5.5,'2020-01-06',18446744073709551615)
select id, row_number() over (order by v) rn, rank() over (order by v) r, dense_rank() over (order by v) dr, percent_rank() over (order by v) pr, cume_dist() over (order by v) cd, ntile(4) over (order by v) nt from t
select id, lag(v) over (order by id) a, lead(v,2) over (order by id) b, lead(g,-1) over (order by id) c, lag(d, 0) over (order by id) d, lag(dt) over (order by id) e from t
select first_value(v) over (order by id) a, last_value(g) over (order by id) b, nth_value(d,2) over (order by id) c, nth_value(f,2) over (order by id) d from t
-- differs: MariaDB computes some of these windows over the order of another
select sum(v) over (partition by t.g order by id) a, avg(v) over (partition by t.g) b, count(*) over () c, count(v) over (order by id rows between 1 preceding and 1 following) d, min(t.g) over (order by id) e, max(u) over () f from t
select bit_or(v) over (order by id) a, bit_and(v) over (order by id) b, bit_xor(v) over (order by id) c, std(v) over (order by id) d, var_samp(v) over (order by id) e from t
select id, median(v) over (partition by g) a, percentile_cont(0.5) within group (order by v) over (partition by g) b, percentile_disc(0.5) within group (order by v) over (partition by g) c, percentile_disc(0.3) within group (order by d) over () d, median(d) over () e, median(f) over () f from t order by id
select group_concat(v) over () from t
select count(distinct v) over () from t
select sum(distinct v) over () from t
select json_arrayagg(v) over () from t
select json_objectagg(id,v) over () from t
select lead(v,1,0) over (order by id) from t
select row_number() over (order by id rows unbounded preceding) from t
select rank() over () from t
select dense_rank() over (partition by v) from t
-- differs: MariaDB raises the error once a row
select ntile(0) over (order by id) from t
-- differs: MariaDB raises the error once a row
select ntile(null) over (order by id) from t
-- differs: MariaDB raises the error once a row
select ntile(-1) over (order by id) from t
-- differs: MariaDB raises the error once a row
select ntile(v) over (order by id) from t
select nth_value(v,0) over (order by id) from t
select nth_value(v,-1) over (order by id) from t
select nth_value(v,null) over (order by id) from t
select lead(v,null) over (order by id) from t
select lead(v,'1') over (order by id) from t
select lead(v,v) over (order by id) from t
select lead(v) over () from t
select lag(v) over (partition by g) from t
select percent_rank() over () from t
select cume_dist() over () from t
select first_value(v) over () from t
select sum(v) over (order by id range between 1 preceding and current row) from t
select sum(v) over (order by v range between 5 preceding and 5 following) x, id from t
select sum(v) over (order by v desc range between 5 preceding and 5 following) x, id from t
select sum(v) over (order by d range between 1.5 preceding and current row) x, id from t
select sum(v) over (order by f range between 1 preceding and current row) x, id from t
select sum(v) over (order by dt range between 1 preceding and current row) x, id from t
select sum(v) over (order by dt range between interval 1 day preceding and current row) x, id from t
select sum(v) over (order by g range between 1 preceding and current row) x, id from t
select sum(v) over (range between 1 preceding and current row) x, id from t
select sum(v) over (order by id, v range between 1 preceding and current row) x, id from t
select sum(v) over (order by id rows between 1.5 preceding and current row) x, id from t
select sum(v) over (order by id rows between -1 preceding and current row) x, id from t
select sum(v) over (order by id rows between null preceding and current row) x, id from t
select sum(v) over (order by id rows between v preceding and current row) x, id from t
select sum(v) over (order by id rows between '1' preceding and current row) x, id from t
select sum(v) over (order by id range between -1 preceding and current row) x, id from t
select sum(v) over (order by id rows between current row and 1 preceding) x, id from t
select sum(v) over (order by id rows between unbounded following and 1 preceding) x, id from t
select sum(v) over (order by id rows between 1 preceding and unbounded preceding) x, id from t
-- differs: an empty frame gives nothing; MariaDB finds a row at times
select sum(v) over (order by id rows between 1 following and 1 preceding) x, id from t
select sum(v) over (order by id rows between 1 preceding and 2 preceding) x, id from t
select sum(v) over (order by id rows between 2 following and 1 following) x, id from t
select sum(v) over (order by id rows 1 following) x, id from t
select sum(v) over (order by id rows between 1 preceding and current row exclude current row) x from t
select sum(v) over (order by id rows between 1 preceding and current row exclude no others) x from t
select id from t where row_number() over () = 1
select count(*) from t group by row_number() over ()
select id, row_number() over () rn from t having rn > 1
select id, row_number() over () rn from t having row_number() over () > 1
select id, row_number() over () rn from t group by rn
select id from t order by row_number() over (order by id desc)
select id, row_number() over (order by id desc) rn from t order by rn limit 2
select sum(row_number() over ()) from t
select row_number() over (order by row_number() over ()) from t
-- differs: rows in the order of the window
select row_number() over (order by sum(v)) from t group by g
select sum(sum(v)) over (order by g) s, g from t group by g
select sum(sum(v) over ()) from t
select rank() over w, id from t window w as (order by v), w2 as (w)
select rank() over w from t
select rank() over w from t window w as (order by v), w as (order by g)
select rank() over (w order by id) from t window w as (order by v)
select rank() over (w partition by id) from t window w as (order by v)
select rank() over (w order by id) r, id from t window w as (partition by g)
select sum(v) over (w) r, id from t window w as (order by id rows 1 preceding)
select sum(v) over w r, id from t window w as (order by id rows 1 preceding)
select sum(v) over (w rows 2 preceding) r, id from t window w as (order by id rows 1 preceding)
select sum(v) over w2 r, id from t window w1 as (partition by g), w2 as (w1 order by id)
select sum(v) over w2 r, id from t window w2 as (w1 order by id), w1 as (partition by g)
select 1 from t window w as (order by nosuch)
select row_number() over () from t order by nosuch
select id, (select row_number() over ()) from t
-- differs: MariaDB's order of equal rows changes from run to run
select id, row_number() over (order by (select 1)) from t
select id+row_number() over (order by id) x from t
select case when row_number() over (order by id) > 2 then 'x' else 'y' end q from t
select distinct rank() over (order by g) from t
select row_number() over (order by id), count(*) from t
update t set v = row_number() over ()
delete from t where row_number() over () = 1
insert into t (id) values (row_number() over ())
select * from t join (select id i2, row_number() over (order by id desc) rn from t) x on x.i2=t.id where rn < 3 order by id
select row_number() from t
select lag(v) from t
select rank() over (order by 1) r from t
select id, rank() over (order by 2) r from t order by id
select id, v, first_value(v) over () a, row_number() over () b from t
select v, first_value(v) over () a, row_number() over () b from t
select g, count(*) over () b from t order by v
-- differs: MariaDB's order of equal rows changes from run to run
select d, g, v, row_number() over (partition by 1) b from t
create table t2 (a int, b int)
insert into t2 values (3,1),(1,2),(2,3),(5,4)
select a, b, row_number() over () from t2
select b, sum(a) over () from t2
select a, b, row_number() over (order by a), row_number() over () from t2
select a, b, row_number() over (), row_number() over (order by a) from t2
select a, b, row_number() over (order by b desc), row_number() over (order by a) from t2
select a, b, row_number() over (order by a), row_number() over (order by b desc)  from t2
select a, b, row_number() over (order by a, b), rank() over (order by a)  from t2
select a, b, row_number() over (partition by a order by b), rank() over (order by b desc), sum(b) over (partition by a)  from t2
select std(a), std(b) over () from t2
select id, median(v) over (partition by g) a, percentile_cont(0.5) within group (order by v) over (partition by g) b, percentile_disc(0.5) within group (order by v) over (partition by g) c, percentile_disc(0.3) within group (order by t.d) over () d2, median(t.d) over () e, median(t.f) over () f2 from t order by id
select id, median(v) from t
select id, median(v) over (order by id) from t
select id, median(v) over (partition by g rows 1 preceding) from t
select id, median(g) over () from t
select id, percentile_disc(0.5) within group (order by g) over () from t order by id
select id, percentile_disc(0.5) within group (order by dt) over () from t order by id
select id, percentile_cont(0.5) within group (order by dt) over () from t order by id
select id, percentile_cont(1.5) within group (order by v) over () from t
select id, percentile_cont(-0.5) within group (order by v) over () from t
select id, percentile_cont(null) within group (order by v) over () from t order by id
select id, percentile_cont('x') within group (order by v) over () from t order by id
-- differs: MariaDB raises the error once a row
select id, percentile_cont(v) within group (order by v) over () from t order by id
select id, percentile_cont(0.5) within group (order by v desc) over () x, percentile_disc(0.2) within group (order by v desc) over () y from t order by id
select id, percentile_cont(0.5) within group (order by v, id) over () from t order by id
select id, percentile_cont(0.5) within group (order by v) from t order by id
select id, percentile_cont(0.5) over () from t order by id
select id, percentile_cont(0.25) within group (order by v) over () x, percentile_cont(0.75) within group (order by v) over (partition by g) y, percentile_disc(0) within group (order by v) over () z , percentile_disc(1) within group (order by v) over () zz from t order by id
select median(null) over () from t
select median(u) over (), percentile_cont(0.1) within group (order by u) over () from t
select rank(1) over (order by v) from t
select row_number(1) over (order by v) from t
select ntile() over (order by v) from t
select lag() over (order by v) from t
select nth_value(v) over (order by v) from t
select sum(v) over (order by id rows unbounded following) from t
select sum(v) over (order by id rows current row) from t
select sum(v) over (order by id rows 0x1 preceding) x from t
select sum(v) over (order by id rows true preceding) x from t
select sum(v) over (order by id range 1e0 preceding) x from t
select sum(v) over (order by id range '1' preceding) x from t
select sum(v) over (order by id range null preceding) x from t
-- differs: MariaDB's bounds of unsigned keys wrap round
select sum(v) over (order by u range between 1 preceding and 1 following) x,id from t
select v, count(*) over (order by v range between 3 preceding and 1 preceding) x,id from t
select v, count(*) over (order by v range between 1 following and 15 following) x,id from t
select v, count(*) over (order by v range between unbounded preceding and 1 preceding) x,id from t
select v, count(*) over (order by v range between 1 following and unbounded following) x,id from t
select v, count(*) over (order by v desc range between 1 following and unbounded following) x,id from t
select v, count(*) over (order by v range between current row and unbounded following) x,id from t
select v, count(*) over (order by v range between current row and 2 following) x,id from t
select v, count(*) over (partition by g order by v range unbounded preceding) x,id from t order by id
select v, first_value(v) over (order by id rows between 1 following and 2 following) a, last_value(v) over (order by id rows between 2 preceding and 1 preceding) b, nth_value(v,2) over (order by id rows between 1 preceding and 1 following) c, min(v) over (order by id rows between 1 preceding and 1 following) mi, max(v) over (order by id rows between 1 preceding and 1 following) ma, avg(v) over (order by id rows between 1 preceding and 1 following) av, std(v) over (order by id rows between 1 preceding and 1 following) st, bit_and(v) over (order by id rows between 1 preceding and 1 following) ba, bit_or(v) over (order by id rows between 1 preceding and 1 following) bo, bit_xor(v) over (order by id rows between 1 preceding and 1 following) bx, sum(f) over (order by id rows between 1 preceding and 1 following) sf from t
select last_value(v) over () x, last_value(v) over (order by v) y, last_value(v) from t
select last_value(1,2)
select first_value(v) from t
select id from t order by sum(id) over (partition by g) desc, id
select g, count(*), rank() over (order by count(*) desc) r from t group by g order by g
select g, rank() over (order by v) r from t group by g order by g
select sum(v) over (partition by g) s, sum(s) over () from t
select id from t union select row_number() over () from t
select id from t union select id from t order by row_number() over ()
select (select sum(v) over () from t limit 1) x
-- differs: MariaDB compares before it has numbered the rows
select * from t where id in (select row_number() over (order by id) from t2)
select id, sum(id) over (order by (select count(*) from t2 where t2.a < t.id)) s from t
select id, (select max(rank() over (order by t2.a)) from t2) s from t
select id, (select sum(t.id) over () from t2 limit 1) s from t
select count(*) over (partition by null) from t limit 1
select row_number() over (partition by g order by v desc, id) x, t.* from t
select id, row_number() over (order by id desc) r from t limit 2
select sql_calc_found_rows id, row_number() over (order by id desc) r from t limit 2
select count(*) over (order by id) x from t where 1=0
select count(*) over () x
select rank() over (order by 1) x
select dense_rank() over (order by g rows current row) from t
select max(v) over w from t window w as (partition by g order by nosuch)
select rank() over (w) from t window w as (order by v)
select sum(v) over (w partition by id) from t window w as (order by v)
select sum(v) over (w partition by id) from t window w as (partition by v)
select sum(sum(v) over ()) over () from t
select sum(row_number() over ()) over () from t
select min(distinct v) over () from t
select avg(distinct v) over () from t
select max(distinct v) over () from t
select bit_and(distinct v) over () from t
select percentile_cont(0) within group (order by v) over (), percentile_cont(1) within group (order by v) over (),percentile_cont(1.0) within group (order by v) over () from t limit 1
select b, sum(a) over (), avg(b+1) over () from t2
select a+1, sum(a) over () from t2
select b+1 x, count(*) over () from t2
select a, b, count(*) over (partition by b%2) from t2 order by b
select g, v g from t order by sum(v) over (order by g)
select sum(v) over (order by id) + sum(v) over (order by id desc) from t
select -sum(v) over (order by id) from t
select id from t order by rank() over (order by v), id
select id, rank() over (order by v) r from t order by r+1 desc, id
select std(v), variance(v), stddev_samp(d), var_samp(f), std(f), var_pop(d), avg(f), avg(d) from t
select sum(v) over (order by id rows between 1 following and current row) x, id from t
-- differs: an empty frame gives nothing; MariaDB finds a row at times
select sum(v) over (order by id rows between 3 following and 1 following) x, id from t
select sum(v) over (order by id rows between 0 following and 1 preceding) x, id from t
select sum(v) over (order by id rows between current row and current row) x, id from t
select sum(v) over (order by id rows between unbounded preceding and 1 preceding) x, id from t
select id from t union select id from t order by sum(id)
select id from t union select id from t order by id, count(*)
select id from t union select id from t order by id + row_number() over ()
select percentile_cont(null) within group (order by v) over () from t where v is null
