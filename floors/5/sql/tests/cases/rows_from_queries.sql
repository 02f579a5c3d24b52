-- Rows that subqueries give as operands of IN and of comparisons
select (select 1, 2) in (select 3, 4);
select (select 1, 2) in (select 1, 2);
select (select null, null) in (select 3, 4);
select (select null, 2) in (select 1, 2), (select null, 3) in (select 1, 2), (select null, 2) not in (select 1, 3);
create table t1 (a int, b int);
insert into t1 values (1,2),(3,4),(5,null);
-- differs: MariaDB compares with the first row that the correlated subquery gave.
select a, (select a, b) in (select 1, 2 union select 3, 5) x from t1;
-- differs: MariaDB compares with the first row that the correlated subquery gave.
select a from t1 where (select a, b) in (select 3, 4);
select a from t1 where (select a, b) = (select 3, 4);
select a from t1 where (select a, b) > (select 1, 3);
select a from t1 where (select x.a, x.b from t1 x where x.a = t1.a) <> (select 1, 2);
select (select a, b from t1) in (select 1, 2);
select (select a, b from t1 where a=7) in (select 1, 2), (select a, b from t1 where a=7) = (1, 2);
select (select 1, 2) in (select 1);
select (select 1, 2) = (select 1, 2, 3);
-- differs: MariaDB finds NULL in a list that holds the row.
select (select 1, 2) in ((1, 2), (3, 4));
-- ON DUPLICATE KEY UPDATE sees the tables that rows come from
create table d (i int primary key, j int, k int);
create table s (a int, b int);
create table u (a int, c int);
insert into s values (1,10),(2,20);
insert into u values (1,100),(2,200);
insert into d values (1,1,1);
insert into d (i, j) select a, b from s on duplicate key update j=b+1, k=s.a+values(j);
select * from d order by i;
insert into d (i, j) select a, b from s natural join u on duplicate key update j=c, k=a;
select * from d order by i;
insert into d (i, j) select s.a, s.b from s join u on s.a=u.a on duplicate key update j=a;
insert into d (i, j) select s.a, s.b from s join u on s.a=u.a on duplicate key update j=u.a*3;
select * from d order by i;
insert into d (i, j) select s.a, d.j from s join d on s.a=d.i on duplicate key update j=j+1;
insert into d (i, j) select s.a, x.j from s join d x on s.a=x.i on duplicate key update d.j=x.j+1;
select * from d order by i;
insert into d (i, j) select a, sum(b) from s group by a on duplicate key update j=b;
insert into d (i, j) select a, max(b) from s group by a on duplicate key update j=values(j);
insert into d (i, j) select a, b from s union select 3, 3 on duplicate key update j=7;
select * from d order by i;
insert into d (i, j) select a, b from s on duplicate key update j=s.b returning i, j;
select *, value(i) from d order by i;
select value(j) from d where value(j) is null order by i;
-- Sequence tables
select * from seq_1_to_3;
select * from seq_10_to_2_step_3;
select seq*2 x from seq_1_to_5 where seq>3;
select count(*), sum(seq) from seq_1_to_1000;
select a.seq, b.seq from seq_1_to_2 a, seq_1_to_2_step_1 b where a.seq=b.seq;
select seq_1_to_2.seq from seq_1_to_2 limit 1;
select seq from seq_1_to_18446744073709551615 limit 2;
select * from seq_1_to_10_step_0;
select * from seq_1_to_3x;
update seq_1_to_3 set seq=2;
delete from seq_1_to_3;
create table q select seq, seq div 2 h from seq_1_to_4;
show create table q;
select * from q order by seq;
-- PREPARE finds what is wrong with names
prepare st from 'insert into d (i, x) values (?,?)';
prepare st from 'insert into nothing values (?)';
prepare st from 'update d set x=? where i=1';
prepare st from 'delete from d where x=?';
prepare st from 'insert into d values (?)';
prepare st from 'select date('''') between '''' and ?';
analyze table d persistent for all;
analyze table d;
-- Numbers that are no dates
create table w (ts timestamp null, i int, dd decimal(5,2));
insert into w values ('2004-02-29 11:11:11', 20040229, 0);
select ts=99 from w;
select max(i) = ts from w group by ts;
select 1 from (select 1) a procedure analyse((select 1));
select 1 from (select 1) a procedure other();
select (select 1 from (select 1) a procedure analyse(1));
-- Numbers beside dates
create table nd (f3 timestamp null, i int, d decimal(10,2), r double);
insert into nd values ('2004-02-29 11:11:11',1,1.5,2.5);
select f3>i+0 from nd;
select f3>d+0 from nd;
select f3>r+0 from nd;
select f3 in (i+0,i+6) from nd;
select f3 between i+0 and i+6 from nd;
select case f3 when i+0 then 1 end from nd;
select f3 <=> i+0 from nd;
select time'10:10:10' = i+9999999 from nd;
select time'10:10:10' = i+59, time'10:10:10' = i+58 from nd;
