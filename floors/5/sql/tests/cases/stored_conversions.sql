-- What columns take of values of other types: of columns, of literals, of texts that are more or less than they should be.
SET sql_mode = ''
CREATE TABLE s (id INT PRIMARY KEY, b BIT(40), f FLOAT, y YEAR, z INT(6) ZEROFILL, g DOUBLE(10,3), e ENUM('a','bb'), o SET('x','yy'), u UUID, a INET6, t3 TIME(3), dl DECIMAL(40,20), db DOUBLE, tx TEXT)
INSERT INTO s VALUES (1, b'1100001', 0.1, 0, 42, 1.5, 'bb', 'x,yy', '123e4567-e89b-12d3-a456-426655440000', '::1', '10:11:12.345', 1.5, 0.5, '12.5x'), (2, b'1111111111111111', -3.4e10, 2001, 123456, -1.25, 'a', '', '00000000-0000-0000-0000-000000000001', 'ffff::', '00:00:00', 12345678901234567890.5, 1e100, '1e400')
CREATE TABLE x (k INT, v VARCHAR(20), c CHAR(8), t TEXT, b BLOB, vb VARBINARY(40), n BIGINT, i INT UNSIGNED, dt DATETIME, da DATE, tm TIME, bt BIT(60), ye YEAR, en ENUM('a','bb'), st SET('x','yy','1'), u UUID, a INET6, d DECIMAL(6,3) UNSIGNED, fl FLOAT)
INSERT INTO x (k, v, c, t, b, vb, n, dt, tm, bt) SELECT id, b, b, b, b, b, b, b, b, b FROM s
INSERT INTO x (k, v, c, t, b, vb, n, bt, ye) SELECT id, f, f, f, f, f, f, f, f FROM s
INSERT INTO x (k, v, c, t, b, vb, n, dt, da, tm, ye) SELECT id, y, y, y, y, y, y, y, y, y, y FROM s
INSERT INTO x (k, v, c, t, b, vb, n) SELECT id, z, z, z, z, z, z FROM s
INSERT INTO x (k, v, c, t, b, vb, n) SELECT id, g, g, g, g, g, g FROM s
INSERT INTO x (k, v, t, n, bt, en) SELECT id, e, e, e, e, e FROM s
INSERT INTO x (k, v, t, n, bt, st) SELECT id, o, o, o, o, o FROM s
INSERT INTO x (k, v, t, vb, b, n, dt, d) SELECT id, u, u, u, u, u, u, u FROM s
INSERT INTO x (k, v, t, vb, b, n) SELECT id, COALESCE(u, u), COALESCE(u, u), COALESCE(u, u), COALESCE(u, u), COALESCE(u, u) FROM s
INSERT INTO x (k, u, a) SELECT id, a, u FROM s
INSERT INTO x (k, ye) SELECT id, t3 FROM s
INSERT INTO x (k, v, t, n) SELECT id, COALESCE(f, f), COALESCE(f, f), COALESCE(y, y) FROM s
INSERT INTO x (k, v, t) SELECT 3, f, z FROM (SELECT f, z FROM s LIMIT 1) d
INSERT INTO x (k, n, i, st, en, bt) SELECT id, dl, dl, dl, dl, dl FROM s
INSERT INTO x (k, n, i, st, en, bt) SELECT id, db, db, db, db, db FROM s
INSERT INTO x (k, d, fl) SELECT id, tx, tx FROM s
SELECT k, v, c, t, b, HEX(vb), n, i, dt, da, tm, HEX(bt), ye, en, st, u, a, d, fl FROM x
DELETE FROM x
INSERT INTO x (k, v, t) VALUES (1, 'a', 'a')
UPDATE x, s SET v = s.f, t = s.z, n = s.b, tm = s.y, vb = s.u WHERE k = id
SELECT v, t, n, tm, HEX(vb) FROM x
DELETE FROM x
INSERT INTO x (n, i, bt, fl, d) VALUES (-9223372036854775809, 18446744073709551616, 18446744073709551616, '1e309x', '99999x')
INSERT INTO x (n, i, bt, fl, d) VALUES (0x010000000000000000, 0x010000000000000000, 0x010000000000000000, 0x010000000000000000, 0x010000000000000000)
INSERT INTO x (n, i, bt, fl, d) VALUES ('1e20', -0.4, 2.5e0, '-0', '1.5555x'), (1.5, '5 ', -1.5, '1e39x', '-1x')
INSERT INTO x (en, st) VALUES (' 2', '+2'), ('02', '-7'), ('99999', '99999999999999999999'), (1.9, 1.9), (2.5e0, 7.5e0), (65537, 1e20), ('', ' ')
INSERT INTO x (da, dt, tm) VALUES (20200101.5, 20200101.5, 20200101.5), (0.5, 0.5, 0.5), ('+2020-01-01', '+2020-01-01 10:11:12', '.5'), (TIME'00:00:00' + 0, '20200101', '1 2'), (CAST(0 AS DATE), CAST(0 AS DATETIME), CAST(0 AS DATE)), ('2020-01-01 00:00:00.5', '2020-01-01 00:00:00.5', '0000-00-00 00:00:01')
INSERT INTO x (ye) VALUES (-0.5e0), (0.5e0), (2155.4e0), (' 12 '), ('1 '), (0.5), (12)
SELECT n, i, HEX(bt), fl, d, en, st, da, dt, tm, ye FROM x
DELETE FROM x
SET sql_mode = 'STRICT_TRANS_TABLES'
INSERT INTO x (bt) SELECT f FROM s WHERE id = 1
INSERT INTO x (c) SELECT b FROM s WHERE id = 2
INSERT INTO x (da) SELECT y FROM s WHERE id = 2
INSERT INTO x (ye) VALUES (-0.5e0)
INSERT INTO x (ye) SELECT t3 FROM s WHERE id = 1
INSERT INTO x (fl) VALUES ('1e309x')
INSERT INTO x (i) SELECT dl FROM s WHERE id = 2
INSERT INTO x (i) SELECT db FROM s WHERE id = 2
INSERT INTO x (d) VALUES ('99999x')
INSERT INTO x (n) VALUES (0x00000000000000000000000000000001)
INSERT INTO x (bt) VALUES (0x010000000000000000)
INSERT INTO x (en) VALUES (' 1')
INSERT INTO x (st) VALUES ('+5')
INSERT INTO x (da) VALUES ('+2020-01-01')
INSERT INTO x (tm) VALUES ('1 2')
SET sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE'
INSERT INTO x (tm) VALUES ('0000-00-00 00:00:01')
SELECT HEX(bt), en, st, da FROM x
SELECT TIME('.5'), TIME('1 12'), DATE('+2020-01-01'), TIME('-2020-01-01 10:11:12')
