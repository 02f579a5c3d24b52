CREATE TABLE src (id INT PRIMARY KEY, s VARCHAR(10), n INT)
INSERT INTO src VALUES (1, '10', 5), (2, '20x', 300), (3, 'y', 7), (4, '40', -200)
CREATE TABLE dst (id INT AUTO_INCREMENT PRIMARY KEY, a INT UNIQUE, b TINYINT, c INT DEFAULT (a + 1), CHECK (a < 100))
SET sql_mode = ''
INSERT INTO dst (a, b) SELECT s + 0, n FROM src
SELECT * FROM dst
INSERT IGNORE INTO dst (a, b) SELECT CAST(s AS INT) + id * 30, n FROM src
SELECT * FROM dst
INSERT INTO dst (a, b) SELECT a + 50, b FROM dst WHERE a < 20 ORDER BY id
INSERT INTO dst (a, b) SELECT 60 + (SELECT COUNT(*) FROM dst), 1 FROM src WHERE id = 1
INSERT INTO dst (a, b) SELECT 70 + q.c, 1 FROM (SELECT COUNT(*) c FROM dst) q
CREATE VIEW over_dst AS SELECT a, b FROM dst
INSERT INTO dst (a, b) SELECT a + 11, b FROM over_dst WHERE a = 10
SELECT * FROM dst ORDER BY id
INSERT INTO dst (a, b) SELECT id, n FROM src UNION SELECT id + 1, n FROM src ORDER BY 1, 2 LIMIT 2
SELECT * FROM dst ORDER BY id DESC LIMIT 3
SET sql_mode = DEFAULT
INSERT INTO dst (a, b) SELECT id + 30, n FROM src
SELECT COUNT(*) FROM dst
INSERT INTO dst (a, b) SELECT 40, s FROM src
SELECT COUNT(*) FROM dst
INSERT INTO dst (a, b) SELECT id + 30, id FROM src ORDER BY id DESC RETURNING id - id, a, (SELECT COUNT(*) FROM src WHERE src.id < dst.b)
INSERT INTO dst (a, b) SELECT x.id + 40, (SELECT MIN(y.id) FROM src y WHERE y.id >= x.id) FROM src x JOIN src z ON z.id = x.id RETURNING a, b, c
INSERT INTO dst (a, b) SELECT id, id FROM src ON DUPLICATE KEY UPDATE b = src.id + 60, c = VALUES(a)
REPLACE INTO dst (a, b) SELECT id + 41, id + 10 FROM src
SELECT a, b, c FROM dst ORDER BY a
CREATE TABLE texts (id INT PRIMARY KEY, s VARCHAR(10), n INT, e ENUM('1','2x'), c CHAR(5), t TEXT, b VARBINARY(10), bt BIT(4))
INSERT INTO texts VALUES (1, '10', 5, 1, '3y', '3y', '3y', 1), (2, '20x', 300, 2, '3y', '3y', '3y', 3)
CREATE TABLE sums (a INT, b TINYINT)
SET sql_mode = ''
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts order by n
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts order by s+0
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts group by n
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts limit 5
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts union all SELECT s + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts union SELECT s + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT s | 1, 5 FROM texts
INSERT INTO sums (a, b) SELECT s * 1.5, 5 FROM texts
INSERT INTO sums (a, b) SELECT t * 1.5 + c + b + e + bt, 5 FROM texts
INSERT INTO sums (a, b) SELECT (select max(s+0) from texts), 5 FROM texts
INSERT INTO sums (a, b) SELECT (select max(s+0) from texts y where y.s=20 and y.id=texts.id), 5 FROM texts
INSERT INTO sums (a, b) SELECT q.*,1 FROM (select s+0 from texts) q
INSERT INTO sums (a, b) SELECT q.*,1 FROM (select s+0 from texts limit 10) q
REPLACE INTO sums (a, b) SELECT s+0,1 FROM texts
INSERT INTO sums (a, b) SELECT s+0,1 FROM texts on duplicate key update a=s+0
create table d3 as SELECT s+0,1 FROM texts
INSERT INTO sums (a, b) SELECT s + 0, row_number() over (order by n) FROM texts
INSERT INTO sums (a, b) SELECT round(s), s in (1,2) from texts
INSERT INTO sums (a, b) SELECT s between 1 and 2, coalesce(s,1)+0 from texts
INSERT INTO sums (a, b) SELECT x.s+0,1 from texts x, texts y
INSERT INTO sums (a, b) SELECT c, t from texts
INSERT INTO sums (a, b) SELECT sum(s), t from texts
INSERT INTO sums (a, b) SELECT s div 3, 1 from texts
INSERT INTO sums (a, b) SELECT substr('abc', s), left('abc',s) from texts
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT '20x' + id, 5 FROM texts
INSERT INTO sums (a, b) SELECT '20x' + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT concat(s) + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT abs(s), 5 FROM texts
INSERT INTO sums (a, b) SELECT s = 20, 5 FROM texts
INSERT INTO sums (a, b) SELECT if(s, 1, 0), 5 FROM texts
INSERT INTO sums (a, b) SELECT 1/0, 5 FROM texts
INSERT INTO sums (a, b) SELECT year(s), 5 FROM texts
INSERT INTO sums (a, b) SELECT cast(s as int) + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT -s, 5 FROM texts
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT '20x' + id, 5 FROM texts
INSERT INTO sums (a, b) SELECT if(s, 1, 0), 5 FROM texts
INSERT INTO sums (a, b) SELECT s = 20, 5 FROM texts
SET sql_mode = 'STRICT_ALL_TABLES'
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts order by n
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts group by n
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts union all SELECT s + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT s | 1, 5 FROM texts
INSERT INTO sums (a, b) SELECT t * 1.5 + c + b + e + bt, 5 FROM texts
INSERT INTO sums (a, b) SELECT (select max(s+0) from texts y where y.s=20 and y.id=texts.id), 5 FROM texts
INSERT INTO sums (a, b) SELECT q.*,1 FROM (select s+0 from texts limit 10) q
INSERT INTO sums (a, b) SELECT s+0,1 FROM texts on duplicate key update a=s+0
INSERT INTO sums (a, b) SELECT round(s), s in (1,2) from texts
INSERT INTO sums (a, b) SELECT x.s+0,1 from texts x, texts y
INSERT INTO sums (a, b) SELECT sum(s), t from texts
INSERT INTO sums (a, b) SELECT substr('abc', s), left('abc',s) from texts
INSERT INTO sums (a, b) SELECT '20x' + id, 5 FROM texts
INSERT INTO sums (a, b) SELECT concat(s) + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT s = 20, 5 FROM texts
INSERT INTO sums (a, b) SELECT 1/0, 5 FROM texts
INSERT INTO sums (a, b) SELECT cast(s as int) + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT if(s, 1, 0), 5 FROM texts
INSERT IGNORE INTO sums (a, b) SELECT s + 0, n FROM texts
INSERT INTO sums (a) SELECT n FROM texts WHERE s = 20
INSERT INTO sums (a, b) SELECT s + 0, 5 FROM texts UNION SELECT s + 0, 5 FROM texts
INSERT INTO sums (a, b) SELECT n, 1 FROM texts WHERE s = 20 UNION ALL SELECT n, 1 FROM texts WHERE s = 20
INSERT INTO sums (a, b) SELECT n, n FROM texts UNION ALL SELECT s + 0, 1 FROM texts
INSERT INTO sums (a, b) SELECT a, 1 FROM sums WHERE a < 0 UNION ALL SELECT s + 0, 1 FROM texts
INSERT INTO sums SELECT s + 0, 1 FROM texts
REPLACE INTO sums SELECT s + 0, 1 FROM texts
REPLACE INTO sums (a, b) SELECT s + 0, 1 FROM texts
INSERT INTO sums (a) SELECT s + 0 FROM texts ON DUPLICATE KEY UPDATE a = 1
CREATE TABLE of_union SELECT s + 0, 1 FROM texts UNION ALL SELECT s + 0, 1 FROM texts
SELECT COUNT(*), SUM(a) FROM sums
CREATE TABLE many (i INT PRIMARY KEY)
INSERT INTO many SELECT seq FROM seq_1_to_200
CREATE TABLE some (i INT PRIMARY KEY, k INT)
INSERT INTO some SELECT i, i FROM many LIMIT ROWS EXAMINED 20
SELECT COUNT(*) > 0, COUNT(*) < 30, MIN(i), SUM(i = k) = COUNT(*) FROM some
INSERT INTO some SELECT i + 1000, i FROM some LIMIT ROWS EXAMINED 3
SELECT COUNT(*) < 40 FROM some
BEGIN
INSERT INTO some SELECT i + 300, 1 / (i - 150) FROM many
SELECT COUNT(*) < 40 FROM some
ROLLBACK
