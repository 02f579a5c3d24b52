create table p (id int primary key, b int, key(b), c varchar(10), unique(c))
create table c1 (a int, b int references p(id), c varchar(10), d int, foreign key (a) references p(id) on delete cascade, constraint fkx foreign key (d) references p(b) on update set null, foreign key ix(c) references p(c) on delete no action, constraint fky foreign key iy(d) references p(b) on delete restrict)
show create table c1
create table c2 (a int, foreign key (a) references nope(id))
create table c3 (a bigint, foreign key (a) references p(id))
create table c5 (a int, foreign key (z) references p(id))
create table c6 (a int, b int, foreign key (a,b) references p(id))
drop table p
truncate p
create table fp (id int primary key, u int unique)
create table fc (a int, b int, constraint f1 foreign key (a) references fp(id), constraint f2 foreign key (b) references fp(u))
alter table fc drop key f1
alter table fc drop column a
alter table fp drop column u
alter table fp modify id bigint
alter table fc modify a bigint
alter table fc drop foreign key f1
show create table fc
alter table fc add foreign key (a) references fp(id)
alter table fc add foreign key (b) references fp(id)
insert into fc values (5,null)
insert into fc values (null,7)
set foreign_key_checks=0
insert into fc values (5,null)
set foreign_key_checks=1
delete from fc
insert into fp values (1, 10), (2, 20)
insert into fc values (1, null), (2, null)
delete from fp where id = 1
update fp set id = 3 where id = 2
-- differs: the order of the names does not matter
drop table fp, fc
create table par (id int primary key, name varchar(10))
create table ch (id int primary key auto_increment, pid int, v int, constraint fk1 foreign key (pid) references par(id) on delete cascade on update cascade)
insert into par values (1,'a'),(2,'b'),(3,'c')
insert into ch (pid, v) values (1, 1), (1, 2), (2, 3), (null, 4)
update par set id = 10 where id = 1
select * from ch order by id
delete from par where id = 10
select * from ch order by id
create table gr (id int, cid int, foreign key (cid) references ch(id) on delete set null)
insert into gr values (1, 3), (2, 4)
delete from par where id = 2
select * from gr order by id
select * from ch
create table selfref (id int primary key, parent int, foreign key (parent) references selfref(id) on delete cascade)
insert into selfref values (1, null), (2, 1), (3, 2)
insert into selfref values (4, 9)
delete from selfref where id = 1
select * from selfref
create table ck (a int check (a > 0), b varchar(10), constraint bc check (b <> 'bad' or a > 100))
insert into ck values (1, 'ok')
insert into ck values (0, 'ok')
insert into ck values (1, 'bad')
insert into ck values (101, 'bad')
insert into ck values (null, null)
update ck set a = -1 where a = 1
update ck set b = 'bad' where a = 1
insert ignore into ck values (5, 'a'), (-5, 'b'), (6, 'c')
select * from ck order by a
insert into ck values (7, 'x') on duplicate key update a = 0
create table js (j json)
insert into js values ('{"a": 1}')
insert into js values ('{a: 1}')
select * from js
create table gen (a int, b int, s int as (a + b), t int as (a * b) stored, u varchar(20) as (concat(a, '-', b)) stored)
insert into gen (a, b) values (1, 2), (3, 4)
select * from gen
update gen set a = 10 where b = 2
select * from gen
insert into gen values (1, 2, 3, 4, 5)
insert into gen values (1, 2, default, default, default)
select * from gen
insert into gen (a, s) values (1, 2)
update gen set s = 1
create table named_check (a int, constraint `ck " two ` check (a > 1), constraint `` check (a < 9), constraint ` y` check (a <> 5))
show create table named_check
insert into named_check values (0)
insert into named_check values (9)
insert into named_check values (5)
alter table named_check drop constraint ` y`
insert into named_check values (5)
create table named_check2 (a int, constraint `x ` unique (a))
create table named_check2 (a int constraint c check (a > 2))
create table named_check2 (a int constraint check (a > 2))
create table named_check2 (a int constraint c unique)
create table named_check2 (a int constraint c references nix(a))
create table named_parent (a int primary key)
create table named_child (a int constraint own_name references named_parent(a), b int constraint references named_parent(a))
show create table named_child
insert into named_child values (1, null)
drop table named_child, named_parent, named_check
create table checked_columns (a int, b int, check (a+b>0));
alter table checked_columns drop column b;
alter table checked_columns drop column a, drop constraint constraint_1;
drop table checked_columns;
create table defaulted_columns (a int, d int default (a+1));
alter table defaulted_columns drop column a;
drop table defaulted_columns;
CREATE TABLE beyond (a BIGINT, CHECK (a + 4));
INSERT IGNORE INTO beyond VALUES (9223372036854775807);
INSERT INTO beyond VALUES (9223372036854775807);
CREATE TABLE held_twice (a INT CHECK (a < 10), b INT);
CREATE VIEW holding AS SELECT a, b FROM held_twice WHERE b > 5 WITH CHECK OPTION;
INSERT INTO holding VALUES (11, 1);
INSERT INTO holding VALUES (11, 6);
INSERT IGNORE INTO holding VALUES (11, 1), (11, 6), (1, 6);
REPLACE INTO holding VALUES (11, 1);
SELECT * FROM held_twice;
UPDATE holding SET a = 12, b = 1;
UPDATE holding SET a = 12;
-- A column that the table's own foreign key refers to stays, and so does its index.
CREATE TABLE own_parent (id INT PRIMARY KEY, u INT UNIQUE, c INT, CONSTRAINT own_id FOREIGN KEY (c) REFERENCES own_parent (id), CONSTRAINT own_u FOREIGN KEY (c) REFERENCES own_parent (u));
ALTER TABLE own_parent DROP COLUMN id;
ALTER TABLE own_parent DROP COLUMN u;
ALTER TABLE own_parent DROP COLUMN u, ALGORITHM=COPY;
ALTER TABLE own_parent DROP INDEX u;
ALTER TABLE own_parent MODIFY u BIGINT;
ALTER TABLE own_parent CHANGE u u2 INT, ALGORITHM=COPY;
ALTER TABLE own_parent CHANGE u u2 INT;
ALTER TABLE own_parent DROP FOREIGN KEY own_u;
ALTER TABLE own_parent DROP COLUMN u2;
CREATE TABLE own_child (c INT, CONSTRAINT from_child FOREIGN KEY (c) REFERENCES own_parent (id));
ALTER TABLE own_parent DROP FOREIGN KEY own_id, DROP COLUMN id;
SET foreign_key_checks = 0;
ALTER TABLE own_parent ADD COLUMN b INT, ADD KEY b (b);
ALTER TABLE own_child ADD CONSTRAINT to_b FOREIGN KEY (c) REFERENCES own_parent (b);
ALTER TABLE own_parent DROP COLUMN b;
SET foreign_key_checks = 1;
ALTER TABLE own_parent DROP COLUMN b;
SHOW CREATE TABLE own_parent;
DROP TABLE own_child, own_parent;
