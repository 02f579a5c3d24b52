create table r (a int not null, b varchar(5), c int)
select a, count(*) from r group by a with rollup
select a, count(*) from r group by a with rollup having count(*) > 0
insert into r values (1,'x',10),(1,'y',20),(2,'x',30),(2,'x',40),(2,null,50),(3,'z',null)
select a, b, sum(c), count(*), count(distinct b), group_concat(b order by b), avg(c), max(c) from r group by a, b with rollup
select a, sum(c) from r group by a with rollup
select a, sum(c) from r group by a desc with rollup
select a, b, sum(c) from r group by a desc, b with rollup
select a+1 x, sum(c) from r group by a+1 with rollup
select a+1 x, a+2, sum(c) from r group by a+1 with rollup
select a, a*2, concat(a,'!'), ifnull(a,'total') t, sum(c) from r group by a with rollup
select a, a is null, coalesce(a, -1), if(a is null,'T',a) from r group by a with rollup
select a, c, count(*) from r group by a with rollup
select a, b, sum(c) s from r group by a, b with rollup having s > 50
select a, b, sum(c) s from r group by a, b with rollup having b is null
select a, b, sum(c) s from r group by a, b with rollup order by a
select a, b, sum(c) s from r group by a, b with rollup limit 3
select a, b, sum(c) s from r group by a, b with rollup limit 3 offset 2
select sql_calc_found_rows a, b, sum(c) s from r group by a, b with rollup limit 3
select distinct b from r group by a, b with rollup
select distinct a from r group by a, b with rollup
select b, a, sum(c) from r group by 2, 1 with rollup
select a x, sum(c) from r group by x with rollup
select sum(c) from r group by a with rollup
select a, sum(c), sum(a) from r group by a with rollup
select a, sum(c)/count(*) q, sum(c)+a from r group by a with rollup
select * from (select a, sum(c) s from r group by a with rollup) t where a is null
select * from (select a, sum(c) s from r group by a with rollup) t order by a
select a, sum(c) from r group by a with cube
-- differs: MariaDB tells the two mentions of one key apart
select a, a, sum(c) from r group by a, a with rollup
select a, b, c from r group by a, b, c with rollup
select a, (select a) q, sum(c) from r group by a with rollup
select a, (select max(c) from r r2 where r2.a = r.a) q, sum(c) from r group by a with rollup
select a, rank() over (order by sum(c)) r, sum(c) from r group by a with rollup, a
select count(*) from r group by a with rollup having count(*) = 6
select 1 from r group by 'x' with rollup
select 'x', count(*) from r group by 'x' with rollup
select a from r group by a with rollup union all select 9
select case a when 1 then 'one' else 'other' end k, count(*) from r group by k with rollup
select year(d) y, month(d) m, count(*) from (select date'2020-01-01' d union all select date'2020-02-01' union all select date'2021-02-01') q group by y, m with rollup
select a, json_arrayagg(c) from r group by a with rollup
