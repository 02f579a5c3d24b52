-- Types that have nothing in common are told of operand by operand of a set operation.
CREATE TABLE t1 (id INT PRIMARY KEY, a VARCHAR(10) CHARACTER SET latin1, b VARBINARY(10), c VARCHAR(10) COLLATE utf8mb4_bin);
SELECT 8, 7 UNION ALL SELECT id, CAST('10.0.0.1' AS INET4) FROM t1 UNION ALL SELECT ST_GEOMFROMTEXT('POINT(1 1)'), 1;
PREPARE s FROM 'SELECT ?, 7 UNION ALL SELECT id, CAST(''10.0.0.1'' AS INET4) FROM t1 UNION ALL SELECT ST_GEOMFROMTEXT(''POINT(1 1)''), 1';
PREPARE s FROM 'SELECT ?, 7 UNION ALL SELECT ST_GEOMFROMTEXT(''POINT(1 1)''), 1 UNION ALL SELECT id, CAST(''10.0.0.1'' AS INET4) FROM t1';
-- What JSON_MERGE makes of bytes is in the characters of the document that the others go into, and none of it where they are none.
INSERT INTO t1 VALUES (1, '["ä"]', '["b"]', '["c"]');
SELECT JSON_MERGE(a, b), JSON_MERGE(a, x'5B5D'), JSON_MERGE(_latin1 x'5B22E4225D', x'5B5D'), JSON_MERGE_PATCH(_latin1 x'5B5D', x'5B22E4225D') FROM t1;
SELECT HEX(JSON_MERGE('[]', x'5B22E4225D')), HEX(JSON_MERGE('["ä"]', x'5B22E4225D')), HEX(JSON_MERGE(_latin1 '["a"]', x'5B22E4225D')), HEX(JSON_MERGE(x'5B22E4225D', '[]'));
SELECT HEX(JSON_MERGE('["ä"]', _latin1 x'5B22E4225D', x'5B5D')), HEX(JSON_MERGE_PATCH('["ä"]', x'5B22E4225D')), HEX(JSON_MERGE('["ä"]', x'5B22C3A4225D'));
SELECT LENGTH(LEFT(JSON_MERGE('["äöü"]', x'5B5D'), 4)), CHAR_LENGTH(JSON_MERGE('["äöü"]', x'5B5D')), HEX(REVERSE(JSON_MERGE('["äöü"]', x'5B5D'))), HEX(CAST(JSON_MERGE('["äöü"]', x'5B5D') AS CHAR)), HEX(JSON_QUOTE(JSON_MERGE('["äöü"]', x'5B5D')));
SELECT HEX(JSON_ARRAY(JSON_MERGE('["äöü"]', x'5B5D'))), HEX(JSON_ARRAY('ä', JSON_MERGE('["äöü"]', x'5B5D'))), HEX(JSON_VALUE(JSON_MERGE('["äöü"]', x'5B5D'), '$[0]')), HEX(CONVERT(JSON_MERGE('["äöü"]', x'5B5D') USING latin1)), HEX(JSON_INSERT('[]', '$[1]', JSON_MERGE('["äöü"]', x'5B5D')));
SELECT @v1 := JSON_MERGE('[]', x'5B5D'), @v2 := JSON_MERGE(x'5B5D', '[]'), @v3 := JSON_MERGE_PATCH('{}', x'5B5D'), @v4 := JSON_MERGE('[]', c), @v5 := JSON_MERGE(a, b), @v6 := JSON_MERGE(NULL, c) FROM t1;
SELECT COLLATION(@v1), COLLATION(@v2), COLLATION(@v3), COLLATION(@v4), COLLATION(@v5), COLLATION(@v6);
PREPARE s FROM 'SET @v1 = JSON_MERGE(''[]'', ?), @v2 = JSON_MERGE(?, ''[]''), @v3 = JSON_COMPACT(JSON_MERGE(''["ä"]'', ?)), @v4 = COALESCE(JSON_MERGE(''["ä"]'', ?), ''a'')';
EXECUTE s USING x'5B5D', x'5B5D', x'5B5D', x'5B5D';
SELECT @v1, COLLATION(@v1), @v2, COLLATION(@v2), @v3, COLLATION(@v3), @v4, COLLATION(@v4);
-- A virtual column that RETURNING reads has to hold its value when the row is written.
SET sql_mode = 'STRICT_TRANS_TABLES';
CREATE TABLE t2 (id INT PRIMARY KEY, n BIGINT, v INT UNSIGNED AS (n), w INT AS (v + 1));
INSERT INTO t2 (id, n) VALUES (1, -28) RETURNING w;
INSERT INTO t2 (id, n) VALUES (1, -28), (2, '2020-13-45') RETURNING *;
INSERT INTO t2 (id, n) VALUES (1, 28), (2, '2020-13-45') RETURNING *;
INSERT INTO t2 (id, n) SELECT 1, -28 RETURNING v;
INSERT INTO t2 (id, n) VALUES (1, -28) RETURNING id;
REPLACE INTO t2 (id, n) VALUES (2, -28) RETURNING *;
INSERT IGNORE INTO t2 (id, n) VALUES (2, -28) RETURNING *;
SET sql_mode = '';
INSERT INTO t2 (id, n) VALUES (3, -28) RETURNING w;
REPLACE INTO t2 (id, n) VALUES (3, -5) RETURNING *;
SELECT * FROM t2;
SELECT @v1 := MAKE_SET(3, a, b), @v2 := MAKE_SET(3, b, a) FROM t1;
SELECT COLLATION(@v1), COLLATION(@v2);
