-- Labels in joins and among a query's rows, as the text that they show.
create table labels_a (id int primary key, en enum('x', 'Y', '10', ''), st set('x', 'y', 'z'), s varchar(10));
insert into labels_a values (1, 'x', 'x,y', 'x'), (2, 'y', 'y', 'Y'), (3, '10', 'z', '10'), (4, '', '', ''), (5, null, null, null);
create table labels_b (id int primary key, en enum('y', 'x', '10', 'q'), st set('z', 'y', 'x'), s varchar(10));
insert into labels_b select seq, seq % 4 + 1, 1 << seq % 3, elt(seq % 4 + 1, 'x', 'y ', '10', '') from seq_1_to_1500;
select a.id, a.en, count(*) from labels_a a join labels_b b on a.en = b.en group by a.id, a.en order by a.id;
select a.id, a.en, count(*) from labels_a a join labels_b b on a.en = b.s group by a.id, a.en order by a.id;
select a.id, a.st, count(*) from labels_a a join labels_b b on a.st = b.st group by a.id, a.st order by a.id;
select id from labels_a where en in (select en from labels_b) order by id;
select id from labels_a where (en, st) in (select en, st from labels_b) order by id;
select id from labels_a where (en, s) in (select s, en from labels_b) order by id;
select id from labels_a where en not in (select en from labels_b) order by id;
select id from labels_a a where id = 1 or exists (select 1 from labels_b b where b.en = a.s and b.id > 3) order by id;
drop table labels_a, labels_b;
