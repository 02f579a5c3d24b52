SELECT * FROM ships ORDER BY id;

SELECT * FROM docks ORDER BY id;

SELECT * FROM calls ORDER BY id;

SELECT call_id, line, goods, tons, HEX(seal), LENGTH(seal) FROM cargo ORDER BY call_id, line;

SELECT s.name, c.arrived, d.label, g.goods, g.tons FROM ships s JOIN calls c ON c.ship = s.id
JOIN docks d ON d.id = c.dock JOIN cargo g ON g.call_id = c.id ORDER BY c.arrived, g.line;

SELECT s.name, COUNT(c.id) AS calls, MAX(c.stay), SEC_TO_TIME(SUM(TIME_TO_SEC(c.stay))) FROM ships s
LEFT JOIN calls c ON c.ship = s.id GROUP BY s.id, s.name ORDER BY calls DESC, s.name;

SELECT kind, COUNT(*), AVG(length), SUM(draught), MIN(built), MAX(name), GROUP_CONCAT(flag ORDER BY id) FROM ships
GROUP BY kind ORDER BY kind;

SELECT kind + 0, kind FROM ships WHERE kind > 'box' GROUP BY kind ORDER BY CAST(kind AS CHAR);

SELECT name FROM ships WHERE name LIKE 'a%' OR name = 'HILDE' ORDER BY name, id;

SELECT label FROM docks WHERE label LIKE 'q%' OR label = 'north' OR label IN ('Roads', 'SOUTH') ORDER BY label;

SELECT DISTINCT LOWER(note) FROM calls WHERE note IS NOT NULL ORDER BY 1;

SELECT dock, COUNT(*), COUNT(DISTINCT ship), SUM(note IS NULL) FROM calls GROUP BY dock HAVING COUNT(*) > 1 ORDER BY dock;

SELECT s.name, (SELECT SUM(g.tons) FROM cargo g JOIN calls c ON c.id = g.call_id WHERE c.ship = s.id) AS tons
FROM ships s WHERE s.length > 50 ORDER BY tons IS NULL, tons, s.name;

SELECT name FROM ships s WHERE NOT EXISTS (SELECT * FROM calls c WHERE c.ship = s.id AND c.dock = 2) ORDER BY id;

SELECT name FROM ships WHERE id IN (SELECT ship FROM calls WHERE dock = (SELECT id FROM docks ORDER BY depth DESC LIMIT 1));

SELECT name FROM ships WHERE built > ALL (SELECT built FROM ships WHERE flag = 'nl' AND built IS NOT NULL) ORDER BY name;

SELECT x.month, x.n, x.n / 3 AS third FROM (SELECT DATE_FORMAT(arrived, '%Y-%m') AS month, COUNT(*) AS n FROM calls
GROUP BY month) x WHERE x.n > 0 ORDER BY x.month;

SELECT id, DAYNAME(arrived), DAYOFYEAR(arrived), arrived + INTERVAL 1 MONTH, DATEDIFF('2024-03-01', day) FROM calls ORDER BY id;

SELECT id, ADDTIME(stay, '01:00:00'), TIME_TO_SEC(stay), EXTRACT(HOUR FROM stay), UNIX_TIMESTAMP('2024-01-01') % 2 FROM calls
WHERE stay IS NOT NULL ORDER BY stay DESC, id;

SELECT fee * 3, fee / 7, ROUND(fee), ROUND(fee, 1), TRUNCATE(fee, 1), FLOOR(-fee), fee DIV 2, fee % 3 FROM docks ORDER BY id;

SELECT depth * 1.1, depth + 0.1e0, ROUND(depth), CAST(depth AS DECIMAL(5,1)), CAST(depth AS SIGNED) FROM docks ORDER BY id;

SELECT a.name, b.name FROM ships a LEFT JOIN ships b ON b.flag = a.flag AND b.id > a.id ORDER BY a.id, b.id;

SELECT d.id, c.id FROM calls c RIGHT JOIN docks d ON d.id = c.dock AND c.stay > '20:00:00' ORDER BY d.id, c.id;

SELECT 'ship' AS what, name AS label FROM ships WHERE id < 4 UNION ALL SELECT 'dock', label FROM docks WHERE fee > 1
UNION SELECT 'ship', 'Anna' ORDER BY what, label LIMIT 6;

SELECT goods, SUM(tons), COUNT(tons), COUNT(*) FROM cargo GROUP BY goods ORDER BY SUM(tons) DESC, goods LIMIT 3 OFFSET 1;

SELECT CONCAT(goods, '/', IFNULL(tons, '?')), UPPER(goods), REVERSE(goods), CHAR_LENGTH(goods), LPAD(line, 4, '0'),
SUBSTRING_INDEX(goods, ',', 1) FROM cargo WHERE call_id >= 8 ORDER BY call_id, line;

SELECT IF(tons > 1000, 'heavy', 'light') AS weight, COUNT(*) FROM cargo GROUP BY weight ORDER BY weight;

SELECT CASE flag WHEN 'de' THEN 'home' WHEN 'xx' THEN NULL ELSE flag END AS home, COUNT(*) FROM ships GROUP BY home ORDER BY home;

SELECT table_name, engine, table_collation FROM information_schema.tables WHERE table_schema = 'harbour' ORDER BY table_name;

SELECT column_name, column_type, is_nullable, column_default, column_key, extra FROM information_schema.columns
WHERE table_schema = 'harbour' ORDER BY table_name, ordinal_position;

SHOW CREATE TABLE calls;

SHOW COLUMNS FROM ships;
