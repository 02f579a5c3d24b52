-- Query shapes for `cargo xtask shapes`, one a line. Behind `change:` stands what is rolled back again.
-- {members:N}: N numbers below @n; {ranges:N}: N short ranges of id, joined by OR.
select count(*) from a
select count(n) from a
select count(*) from a where g=7
select sum(d),avg(f) from a
select g,count(*),sum(d) from a group by g
select g,k%10,count(*) from a group by g,k%10
select en,g,max(s) from a group by en,g
select s,count(*) from a group by s order by 2 desc,s limit 5
select distinct g from a
select distinct k from a order by k limit 10
select count(distinct k) from a
select count(distinct s), count(distinct g) from a
select g,count(distinct n) from a group by g
select * from a order by k limit 10
select * from a order by d limit 10
select id from a order by txt limit 20
select id,s from a order by s desc limit 100000,10
select id,s from a order by f
select * from a where k between 1000 and 3000
select * from a where k between 1000 and 3000 order by dt limit 5
select * from a where g=5 order by id desc limit 3
select * from a where g=5 order by k limit 3
select * from a where g in (1,2,3) and k<2000
select * from a where g in (1,2,3) order by k limit 10
select count(*) from a where s like 'ab%'
select count(*) from a where s like '%abc%'
select count(*) from a where txt like '%77%'
select count(*) from a where txt regexp '7{2}'
select count(*) from a where txt rlike 'dolor$' 
select count(*) from a where dt >= '2021-01-01' and dt < '2021-06-01'
select year(dt),month(dt),count(*) from a group by 1,2
select date(dt),sum(d) from a group by date(dt) order by 2 desc limit 3
select date_format(dt,'%Y-%m'),count(*) from a group by 1
select min(k),max(k) from a
select min(k),max(k) from a where g=4
select g,min(k),max(k) from a group by g
select g,max(dt) from a group by g having max(dt)>'2022-01-01'
select g,group_concat(id order by k) from a where k<20000 group by g
select sum(id) from a where k=5 or id=7 or s='abc'
select sum(id) from a where k<50 or dt<'2020-01-02'
select sum(z) from c where (x,y) in ((1,2),(5,7),(100,3))
select sum(z) from c where (x,y) > (500,100) 
select sum(z) from c where x=5 and y>100
select sum(z) from c where (x,y) > (500,100) order by x,y limit 10
select x,y from c where (x > 500 or (x=500 and y>100)) order by x,y limit 10
select x,max(y) from c group by x
select x,sum(z) from c group by x order by x desc limit 5
select count(*) from a join b on b.a_id=a.id
select count(*) from a join b on b.a_id=a.id where a.g=3
select a.id,b.v from a join b on b.a_id=a.id where a.k between 100 and 200
select a.g,sum(b.v) from a join b on b.a_id=a.id group by a.g
select count(*) from a left join b on b.a_id=a.id where b.id is null
select count(*) from a where not exists (select 1 from b where b.a_id=a.id)
select count(*) from a where exists (select 1 from b where b.a_id=a.id and b.v<10)
select count(*) from a where id not in (select a_id from b)
select count(*) from a where id in (select a_id from b where v=5)
select count(*) from a where k in (select h from d)
select count(*) from d join a on a.k=d.h
select count(*) from a x join a y on x.k=y.id join a z on y.k=z.id where x.g=1
select a.id,(select max(v) from b where b.a_id=a.id) from a where a.k<5000
select a.id,(select count(*) from b where b.a_id=a.id) m from a order by m desc,a.id limit 5
select * from (select g,count(*) c from a group by g) t where c>2000
select * from (select a_id,sum(v) sv from b group by a_id) t where a_id=77
select t.sv from a join (select a_id,sum(v) sv from b group by a_id) t on t.a_id=a.id where a.k<100
with t as (select g,sum(d) sd from a group by g) select * from t x join t y on x.g=y.g+1
with recursive r as (select id,parent,0 depth from e where id=1 union all select e.id,e.parent,depth+1 from e join r on e.parent=r.id) select depth,count(*) from r group by depth
with recursive s as (select 1 n union all select n+1 from s where n<1000) select sum(n) from s
select id,row_number() over (partition by g order by k) r from a
select * from (select id,g,row_number() over (partition by g order by k desc) r from a) t where r<=3
select id,sum(d) over (partition by g order by id) from a
select id,avg(d) over (order by id rows between 50 preceding and 50 following) from a
select id,lag(k) over (order by id),rank() over (order by g) from a
select g,ntile(4) over (partition by g order by k) q from a
select id from a where k<1000 union select id from a where k>199000
select g from a union select v from b
select id from a intersect select a_id from b
select id from a except select a_id from b
select sum(length(txt)), sum(char_length(s)) from a
select sum(crc32(txt)) from a
select max(md5(s)) from a
select max(sha2(s,256)) from a
select sum(json_extract(j,'$.a')) from e
select json_value(j,'$.a') v,count(*) from e group by v
select count(*) from e where json_extract(j,'$.a')=7
select count(*) from a where upper(s)='ABC' or lower(txt)='abc'
select concat(s,'-',k,'-',txt) from a where substring(s,2,2)='ab'
select count(*) from a where d*1.1+f>5000
select count(*) from a where k+g>100000 and id%7=3
select sum(case when g<10 then d when g<20 then d*2 else 0 end) from a
select sum(if(n is null,1,0)),sum(coalesce(n,0)) from a
select g,en,count(*) from a group by g,en with rollup
select sql_calc_found_rows id from a where g=3 limit 5
select count(*) from a where dt + interval 1 day > '2022-06-01'
select count(*) from a where dt between '2021-01-01' and date_add('2021-01-01', interval 10 day)
select g,std(d),variance(f) from a group by g
select max(a.k) from a force index(gk) where g between 3 and 9
select id from a where k=(select max(k) from a)
select id from a where (g,k) in (select g,max(k) from a group by g)
select a.* from a join (select g,max(k) mk from a group by g) m on a.g=m.g and a.k=m.mk
select id from a x where k=(select max(k) from a y where y.g=x.g)
select id from a x where d>(select avg(d) from a y where y.g=x.g) and x.g<3
select count(*) from a x where k>all(select v from b)
select count(*) from a where k>any(select z from c)
select count(*) from a natural join (select id from a where g=1) t
select straight_join count(*) from b join a on a.id=b.a_id
select count(*) from b where a_id+0 in (1,2,3)
select count(*) from b where name='name77'
select name,count(*) c from b group by name having c>100
select distinct name,v from b limit 10
select distinct a.g,b.name from a join b on b.a_id=a.id where a.g<5
select b.* from b order by name,v limit 10
select b.* from b order by v desc,id limit 50000,5
select * from b where a_id>5000 order by a_id limit 10
select * from b where a_id>5000 and v=500 order by id limit 10
select count(*),g from a where k>100000 group by g order by count(*),g limit 3
change: update a set f=f+1
change: update a set n=1 where g=3
change: update a set k=k+1 where g<5
change: update a set g=g+1 where id<20000
change: update a join b on b.a_id=a.id set a.f=b.v
change: update a join b on b.a_id=a.id set b.v=a.g where a.g<50
change: update b set v=(select g from a where a.id=b.a_id) where id<50000
change: update a set txt=concat(txt,'x') where id%3=0
change: update b set v=v+1 order by id limit 5000
change: delete from a where g=3
change: delete from b where id%2=0
change: delete from b
change: delete a,b from a join b on b.a_id=a.id where a.g=3
change: delete from b where a_id in (select id from a where g<10)
change: delete b from b left join a on a.id=b.a_id where a.id is null or a.g=1
change: insert into d select id,s from a
change: insert into c select id+100000,1,2,'x' from a
change: insert into a(id,k,g,s) select id+1000000,k,g,s from a
change: insert into b(a_id,v,name) select a_id,v,name from b
change: insert into a(id,k) select id,k from a where id<20000 on duplicate key update n=5
change: replace into a select * from a where id<20000
change: insert ignore into a select * from a where id<50000
select sum(id) from a where id in ({members:100})
select sum(id) from a where id in ({members:5000})
select sum(id) from a where k in ({members:5000})
select sum(id) from a where {ranges:10}
select sum(id) from a where {ranges:800}
select k, id from a where k between 1000 and 30000
select id from a where g = 7
select max(k) from a where g between 3 and 9
select id, k from a order by k
-- Pages of joins: the first rows or groups in the order of an index.
select a.id,b.v from a join b on b.a_id=a.id order by a.id,b.id limit 10
select b.id,a.k from b join a on a.id=b.a_id order by b.id desc limit 10
select b.id,a.k from b left join a on a.id=b.a_id order by b.id limit 10
select b.id,a.k,e.label from b left join a on a.id=b.a_id left join e on e.id=a.g order by b.id limit 10
select a.k,b.id from a join b on b.a_id=a.id where a.k>1000 and b.v<500 order by a.k,b.id limit 10
select a.id,count(*),sum(b.v) from a join b on b.a_id=a.id group by a.id order by a.id limit 5
select a.k,count(b.id) from a left join b on b.a_id=a.id group by a.k order by a.k desc limit 5
select a_id,sum(v) from b group by a_id order by a_id limit 5
select g,count(*) from a group by g order by g limit 3
select g,k,count(*) from a where g=3 group by g,k order by k desc limit 5
-- Membership, asked for few rows and for many.
select id from a where k between 100 and 200 and id not in (select a_id from b where a_id is not null)
select id from a where k between 100 and 200 and id in (select a_id from b where v<100)
select id,id in (select a_id from b where v<500) from a where k between 100 and 200
select id from a where k<50 and (id,k) in (select a_id,v from b)
select id from a where k<50 and id in (select a_id from b where b.v=a.g)
select id from a where k<50 and id in (select b.a_id from b join e on e.id=b.v where b.v<100)
select count(*) from a where k=5 or exists(select 1 from b where b.a_id=a.id and b.v=5)
select count(*) from a where g=any(select x from c where x<3)
select sum(k) from a where id in (select max(id) from a group by g)
-- Conditions that belong further inside, and ranges that follow from them.
select * from (select id,g,row_number() over (partition by g order by k) r from a) t where g=5 and r<=3
select id,r from (select id,row_number() over (order by k) r from a) t where r<=10
select a.id,t.r from a join (select id,a_id,row_number() over (partition by a_id order by v,id) r from b) t on t.a_id=a.id where a.id=77
select * from (select a.id,sum(b.v) sv from a left join b on b.a_id=a.id group by a.id) t where id=77
with x as (select a_id,count(*) n from b group by a_id) select * from x where a_id=77 union all select * from x where a_id=78
select g,count(*) from a group by g having g=5
select count(distinct g) from a
select g,max(id) from a group by g
select k from a where k not between 5 and 199990
select count(*) from a where not (k>5 and k<199995)
select count(*) from a where k>5 and k>100000 and k<100010
select count(*) from b where (a_id,v) in ((1,2),(3,4),(5,6))
select count(*) from e join a on a.k between e.id and e.id+2 where e.id<100
-- Bounds that are known when the statement runs.
select count(s) from a where dt > now() - interval 1 day
select count(*) from a join b on b.a_id=a.id where a.dt > now() - interval 1 day
select count(s) from a where dt > (select max(dt) - interval 1 hour from a)
select count(*) from a where s in (user(), database())
select sum(k) from a where dt < now() and f > 0
select sum(case when dt >= now() - interval 5 year then k else 0 end) from a
-- Views and derived tables of groups, asked for few of them; days; pages in an order without index.
select * from (select a.id,a.g,count(*) n,sum(b.v) s from a join b on b.a_id=a.id group by a.id) t where id=777
select t.* from a join (select a.id,count(*) n,sum(b.v) s from a join b on b.a_id=a.id group by a.id) t on t.id=a.id where a.k=77
select * from (select a.id,a.g,count(*) n from a join b on b.a_id=a.id group by a.id) t where id between 100 and 110
select b.* from b where (b.a_id,b.id) in (select a_id,max(id) from b group by a_id) and b.a_id between 100 and 120
select distinct b.v from a join b on b.a_id=a.id where a.g=3
select a.id,b.v,e.label from a left join b on b.a_id=a.id left join e on e.id=a.id where a.g<10 order by a.f,a.id limit 20
select a.id,b.v from a join b on b.a_id=a.id where a.g=3 and b.v<50 order by a.k desc limit 10
select sum(k) from a where date(dt)='2021-05-05'
select count(*) from a where year(dt)=2022
