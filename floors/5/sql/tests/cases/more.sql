create table w (id int primary key, t timestamp default current_timestamp, n int)
insert into w (id, n) values (1, 1), (2, 2), (3, 3)
select id, n from w where t is not null
create table w2 like w
insert into w2 select * from w
select count(*) from w2 join w using (id) where w.t = w2.t
alter table w2 add column z int, drop column n, add key (z)
show create table w2
select id, z from w2
alter table w2 add unique key zz (z), add constraint fk foreign key (z) references w (id)
show create table w2
update w2 set z = id
update w2 set z = 9 where id = 1
delete from w where id = 2
alter table w2 drop foreign key fk, drop key zz
delete from w where id = 2
drop table w, w2
create table s (a varchar(10) collate utf8mb4_bin, b varchar(10), key (a), key (b))
insert into s values ('a', 'a'), ('A', 'A'), ('b ', 'b '), ('B', 'B'), (null, null)
select a from s where a = 'a'
select b from s where b = 'a' order by binary b
select hex(a) from s where a = 'b'
select count(distinct a), count(distinct b) from s
select a from s order by a
select b, count(*) from s group by b order by b
alter table s modify b varchar(10) collate utf8mb4_bin
select b from s where b = 'a'
alter table s convert to character set latin1
show create table s
select a from s where a like 'A%'
create table dt (d date, t time, dt datetime(3), ts timestamp null, y year)
insert into dt values ('2020-02-29', '-12:30:00', '2020-02-29 23:59:59.999', '2020-02-29 12:00:00', 1999)
select * from dt
select d + interval 1 year, t + interval 1 hour, date(dt), time(dt), y + 1 from dt
alter table dt modify dt date, modify t time(2), modify y int
select * from dt
create table em (a int)
alter table em add primary key (a)
alter table em drop a
alter table em add b int, drop a
show create table em
alter table em rename column b to c, add d int after c, rename to em2
show create table em2
drop table if exists em, em2
create table big (id int auto_increment primary key, v varchar(100))
insert into big (v) values ('a'), ('b'), ('c'), ('d')
insert into big (v) select v from big
insert into big (v) select v from big
insert into big (v) select v from big
select count(*), count(distinct id) from big
alter table big add key (v), add w int not null default 3
select count(*), sum(w) from big where v = 'a'
delete from big where id > 3
truncate big
insert into big (v) values ('again')
select * from big
check table big
