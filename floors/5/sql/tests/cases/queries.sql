create table emp (id int primary key, name varchar(20), dept int, salary decimal(10,2), hired date, boss int, key (dept), key (name))
insert into emp values (1,'Ann',1,5000,'2010-01-01',null),(2,'Bob',1,4000,'2011-05-05',1),(3,'Cid',2,3000.5,'2012-12-12',1),(4,'Dee',2,3500,'2013-03-03',3),(5,'Eve',3,2000,'2014-04-04',3),(6,'Fay',null,1500.25,'2015-05-05',5)
create table dept (id int primary key, name varchar(20), key (name))
insert into dept values (1,'Sales'),(2,'Dev'),(3,'Ops'),(4,'Empty')
select * from emp where id = 3
select name from emp where dept = 1 order by name desc
select name from emp where dept is null
select name from emp where id between 2 and 4 order by id
select name from emp where id in (1, 3, 5, 99) order by id
select name from emp where name like '%e%' order by name
select name from emp where salary > 3000 and hired < '2013-01-01' order by id
select e.name, d.name from emp e join dept d on e.dept = d.id order by e.id
select e.name, d.name from emp e left join dept d on e.dept = d.id order by e.id
select d.name, e.name from emp e right join dept d on e.dept = d.id order by d.id, e.id
select d.name from dept d left join emp e on e.dept = d.id where e.id is null
select e.name, b.name as boss from emp e left join emp b on e.boss = b.id order by e.id
select count(*) from emp, dept
select count(*) from emp natural join dept
select id, emp.name, dept.name from emp join dept using (id) order by id
select dept, count(*), sum(salary), avg(salary), min(name), max(hired) from emp group by dept order by dept
select dept, count(*) c from emp group by dept having c > 1 order by dept
select count(distinct dept), count(dept), count(*) from emp
select distinct dept from emp order by dept
select group_concat(name order by name separator '-') from emp
select group_concat(distinct dept order by dept desc) from emp
select count(*) from emp where 1 = 0
select sum(salary) from emp where 1 = 0
select max(id) from emp group by dept order by max(id)
select name, salary from emp order by salary desc limit 2
select name from emp order by id limit 2 offset 3
select name from emp order by id limit 3, 2
select name from emp where salary = (select max(salary) from emp)
select name from emp where dept in (select id from dept where name like '%e%') order by id
select name from emp where dept not in (select id from dept where name = 'Sales') order by id
select name from dept d where exists (select 1 from emp e where e.dept = d.id) order by id
select name from dept d where not exists (select 1 from emp e where e.dept = d.id) order by id
select name, (select count(*) from emp e where e.dept = d.id) n from dept d order by id
select name from emp e where salary > (select avg(salary) from emp x where x.dept = e.dept) order by id
select name from emp where salary > all (select salary from emp where dept = 2) order by id
select name from emp where salary < any (select salary from emp where dept = 2) order by id
select name from emp where (dept, boss) in (select 2, 1) order by id
select (select name from emp where dept = 2)
select t.d, t.n from (select dept d, count(*) n from emp group by dept) t where t.n > 1 order by t.d
with w as (select dept, sum(salary) s from emp group by dept) select * from w where s > 5000 order by dept
select 1 union select 2 union select 1
select 1 union all select 2 union all select 1 order by 1
(select name from emp order by id limit 1) union (select name from dept order by id limit 1)
select 1 intersect select 1
select 1 except select 2
select id from emp except select id from dept order by id
select case dept when 1 then 'one' when 2 then 'two' else 'other' end x, if(salary > 3000, 'rich', 'poor') y from emp order by id
select coalesce(dept, -1), ifnull(boss, 'none'), nullif(dept, 1) from emp order by id
select concat(name, ':', salary), upper(name), length(name), substring(name, 2), reverse(name), left(name, 1), lpad(id, 3, '0') from emp order by id limit 2
select year(hired), month(hired), date_format(hired, '%d/%m/%Y'), hired + interval 1 month, datediff(hired, '2010-01-01') from emp order by id limit 3
select 1 + 1, 7 / 2, 7 div 2, 7 % 3, -5, 2 * 3.5, 1e2, 5 / 0, null + 1
select 'a' = 'A', 'a' = 'a ', 'a' < 'b', binary 'a' = 'A', null = null, null <=> null, 1 = '1'
select round(2.5), round(1.2345, 2), floor(-1.5), ceil(1.2), abs(-3), mod(10, 3), power(2, 10), sqrt(16), truncate(1.999, 1)
select 1 and 0, 1 or null, not 1, 1 xor 1, null and 0, 5 between 1 and 10, 3 in (1, 2), 3 not in (1, null)
select cast('12' as signed), cast(1.7 as signed), cast('2020-01-02' as date), cast(12 as char), cast('abc' as decimal(5,2)), convert('x' using utf8mb4)
select nosuch from emp
select emp.nosuch from emp
select x.id from emp
select id from emp, dept
select * from nosuch
select count(*), name from emp
select nosuchfunc(1)
select concat()
select name from emp group by dept having nosuch > 1
select sum(count(*)) from emp
select * from emp where sum(id) > 1
select 1 from dual
select version() like '10.11%', database(), user() is not null
select straight_join e.id from emp e join dept d on e.dept = d.id order by 1
select e.id, d.id from emp e join dept d on e.dept = d.id and d.name <> 'Dev' left join emp b on b.id = e.boss and b.salary > 4500 order by e.id
select a.id, b.id, c.id from emp a join emp b on a.boss = b.id join emp c on b.boss = c.id order by 1
select * from (select 1 a, 2 b) x join (select 1 a, 3 c) y using (a)
select id from emp where dept = 1 or dept = 3 order by id
select id from emp where name >= 'C' and name < 'E' order by id
select id from emp where id > 2 and id < 5 order by id desc
select id from emp order by dept, name desc
select id from emp where hired = '2012-12-12'
select hex('abc'), unhex('616263'), md5('a'), sha1('a'), crc32('a')
select @a := 5, @a + 1
set @b = 'text'
select @b, @nosuch
select sum(id) filter_none from emp where id in (select max(id) from emp group by dept)
select * from emp where id = 1 for update
select * from emp where id = 1 lock in share mode
values (1, 2), (3, 4)
