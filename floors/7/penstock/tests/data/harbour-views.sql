-- Views over the harbour of harbour.sql: merged ones, whole ones, views on views, ones that rows are written through.
CREATE VIEW german AS SELECT id, name, length FROM ships WHERE flag = 'de' WITH CHECK OPTION;
CREATE VIEW long_german AS SELECT * FROM german WHERE length > 100;
CREATE VIEW visits AS SELECT c.id, s.name AS ship, d.label AS dock, c.arrived, c.stay FROM calls c JOIN ships s ON s.id = c.ship LEFT JOIN docks d ON d.id = c.dock;
CREATE VIEW per_dock (dock, visits, last_seen) AS SELECT dock, COUNT(*), MAX(arrived) FROM visits GROUP BY dock;
CREATE ALGORITHM = TEMPTABLE SQL SECURITY INVOKER VIEW `heavy cargo` AS SELECT call_id, SUM(tons) AS `tons in all` FROM cargo GROUP BY call_id HAVING SUM(tons) > 1000;
CREATE VIEW seals AS SELECT goods, tons FROM cargo WHERE seal IS NOT NULL UNION SELECT label, depth FROM docks;
CREATE VIEW busiest AS SELECT ship, (SELECT COUNT(*) FROM calls c WHERE c.ship = s.id) AS calls, EXISTS (SELECT 1 FROM calls c WHERE c.ship = s.id AND c.dock IS NULL) AS waited FROM ships s JOIN (SELECT DISTINCT ship FROM visits) v ON v.ship = s.name;
CREATE VIEW kinds AS SELECT kind, CASE WHEN length < 50 THEN 'small' WHEN length < 200 THEN 'middle' ELSE 'large' END AS size, name LIKE '%a' AS ends_in_a, CONCAT(name, ' (', flag, ')') AS full_name FROM ships ORDER BY length DESC;
CREATE VIEW spans AS SELECT id, DATE_ADD(day, INTERVAL 1 MONTH) AS next_month, note IS NULL OR note = '' AS silent FROM calls WHERE arrived BETWEEN '2024-01-01' AND '2024-02-29';
UPDATE long_german SET length = length + 0.5 WHERE name = 'Anna';
UPDATE visits SET stay = '01:00:00' WHERE dock = 'Quay 3';
