-- JSON_EXTRACT compared: strings by their characters, true and false as numbers
CREATE TABLE t (id INT, doc JSON);
INSERT INTO t VALUES (1, '{"name":"value","n":5,"t":true,"f":false,"z":null,"a":[1,2],"o":{"k":"v"},"d":1.5,"q":"a\\"b","num":"7"}');
SELECT JSON_EXTRACT(doc,'$.name') = 'value', JSON_EXTRACT(doc,'$.name') = '"value"', 'value' = JSON_EXTRACT(doc,'$.name') FROM t;
SELECT JSON_EXTRACT(doc,'$.name') <> 'value', JSON_EXTRACT(doc,'$.name') <=> 'value', JSON_EXTRACT(doc,'$.name') > 'va', JSON_EXTRACT(doc,'$.name') < 'zz' FROM t;
SELECT JSON_EXTRACT(doc,'$.z') = 'null', JSON_EXTRACT(doc,'$.z') IS NULL, JSON_EXTRACT(doc,'$.z') = 0, JSON_EXTRACT(doc,'$.none') = 'x' FROM t;
SELECT JSON_EXTRACT(doc,'$.name') IN ('x','value'), JSON_EXTRACT(doc,'$.name') BETWEEN 'a' AND 'w', JSON_EXTRACT(doc,'$.name') LIKE 'val%', JSON_EXTRACT(doc,'$.name') LIKE '"val%' FROM t;
SELECT JSON_EXTRACT(doc,'$.name') = JSON_EXTRACT('{"x":"value"}','$.x'), JSON_EXTRACT(doc,'$.name') = JSON_UNQUOTE(JSON_EXTRACT(doc,'$.name')), JSON_EXTRACT(doc,'$.name') = CONCAT('val','ue') FROM t;
SELECT JSON_QUERY(doc,'$.o') = '{"k":"v"}', JSON_VALUE(doc,'$.name') = 'value', JSON_QUOTE('x') = 'x', JSON_QUOTE('x') = '"x"' FROM t;
SELECT id FROM t WHERE JSON_EXTRACT(doc,'$.name') = 'value';
SELECT JSON_EXTRACT(doc,'$.n') = 5, JSON_EXTRACT(doc,'$.n') = '5', JSON_EXTRACT(doc,'$.d') = 1.5, JSON_EXTRACT(doc,'$.n') > 4 FROM t;
SELECT JSON_EXTRACT(doc,'$.t') = true, JSON_EXTRACT(doc,'$.t') = 1, JSON_EXTRACT(doc,'$.f') = false, JSON_EXTRACT(doc,'$.f') = 0, JSON_EXTRACT(doc,'$.t') = 'true' FROM t;
SELECT JSON_EXTRACT(doc,'$.a') = '[1, 2]', JSON_EXTRACT(doc,'$.o') = '{"k": "v"}', JSON_EXTRACT(doc,'$.q') = 'a"b', JSON_EXTRACT(doc,'$.num') = 7 FROM t;
SELECT id FROM t WHERE JSON_EXTRACT(doc,'$.t');
SELECT id FROM t WHERE JSON_EXTRACT(doc,'$.f');
SELECT id FROM t WHERE NOT JSON_EXTRACT(doc,'$.f') AND JSON_EXTRACT(doc,'$.n');
SELECT CASE JSON_EXTRACT(doc,'$.name') WHEN 'value' THEN 1 ELSE 0 END, IF(JSON_EXTRACT(doc,'$.t'), 'y', 'n'), STRCMP(JSON_EXTRACT(doc,'$.name'), 'value') FROM t;
