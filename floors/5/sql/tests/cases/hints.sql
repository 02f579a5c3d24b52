create table h (id int primary key, a int, b int, key ka (a), key kb (b))
create table h2 (id int primary key, a int, key ka (a))
insert into h values (1,1,2),(2,2,1),(3,3,3)
insert into h2 values (1,1),(2,3)
select * from h use index (ka) where a = 1
select * from h force index (ka) where a > 1 order by id
select * from h ignore index (ka, kb) where a = 1
select * from h use index () where a = 1
select * from h use index for order by (kb) order by b
select * from h use index for join (ka) use index for group by (kb) where a = 2
select * from h force index (primary) where id = 2
select * from h use key (ka), h2 ignore key (ka) where h.a = h2.a order by h.id
select * from h use index (nosuch) where a = 1
select * from h x ignore index (nosuch)
select * from h use index (ka) ignore index (kb) where a = 1
select * from h use index (ka) force index (kb) where a = 1
select count(*) from (select * from h) d use index (ka)
select /*+ MAX_EXECUTION_TIME(1000) */ * from h where id = 1
select /*+ NO_INDEX(h ka) BKA(h) */ count(*) from h
select /*! straight_join */ h.id from h, h2 where h.id = h2.id order by 1
select straight_join h.id from h join h2 on h.id = h2.id order by 1
select h.id from h straight_join h2 on h.id = h2.id order by 1
select high_priority sql_no_cache sql_small_result distinct a from h order by a
select sql_big_result a, count(*) from h group by a order by a
select sql_buffer_result id from h where id = 1
select all id from h where id = 1
select distinct all id from h
select sql_cache sql_no_cache id from h where id = 1
update h use index (ka) set b = 9 where a = 1
delete from h2 where a = 3 limit 1
select * from h partition (p0)
