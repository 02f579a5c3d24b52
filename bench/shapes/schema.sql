-- Tables for `cargo xtask shapes`; @n rows, values scattered by primes so that both servers have the same.
CREATE TABLE a (id INT PRIMARY KEY, k INT, g INT, s VARCHAR(40), d DECIMAL(12,2), dt DATETIME, txt TEXT, f DOUBLE, en ENUM('x','y','z'), n INT, KEY k (k), KEY g (g), KEY s (s), KEY dt (dt), KEY gk (g, k));
CREATE TABLE b (id INT PRIMARY KEY AUTO_INCREMENT, a_id INT, v INT, name VARCHAR(30), KEY a_id (a_id));
CREATE TABLE c (x INT, y INT, z INT, w VARCHAR(20), PRIMARY KEY (x, y));
CREATE TABLE d (h INT, t VARCHAR(30));
CREATE TABLE e (id INT PRIMARY KEY, parent INT, label VARCHAR(20), j JSON, KEY parent (parent));
INSERT INTO a SELECT seq, seq * 7919 % @n, seq * 104729 % 100, HEX(CRC32(seq)), seq * 15485863 % 1000003 / 100, '2020-01-01' + INTERVAL (seq * 32452843 % 100000007) SECOND, CONCAT('lorem ipsum ', seq * 49979687 % 1000003, ' dolor'), (seq * 6700417 % 999983) / 999983, 1 + seq % 3, IF(seq % 10 < 3, NULL, seq * 31 % 1000) FROM seq_1_to_10000000 WHERE seq <= @n;
INSERT INTO b (a_id, v, name) SELECT seq * 7907 % @n, seq * 613 % 1000, CONCAT('name', seq * 911 % 5003) FROM seq_1_to_10000000 WHERE seq <= 2 * @n;
INSERT INTO c SELECT seq DIV 200, seq % 200, seq * 523 % 1000, CONCAT('w', seq % 100) FROM seq_1_to_10000000 WHERE seq <= @n;
INSERT INTO d SELECT seq * 6997 % @n, CONCAT('t', seq * 31 % 1009) FROM seq_1_to_10000000 WHERE seq <= @n / 2;
INSERT INTO e SELECT seq, IF(seq = 1, NULL, (seq + 6) DIV 8), CONCAT('l', seq), CONCAT('{"a":', seq % 50, ',"b":[1,2,', seq, ']}') FROM seq_1_to_10000000 WHERE seq <= @n / 4;
ANALYZE TABLE a, b, c, d, e;
