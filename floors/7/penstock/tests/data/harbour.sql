-- A harbour of our own making: ships, docks, the calls that ships make at docks, and what they carry.
CREATE DATABASE harbour CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
USE harbour;
CREATE TABLE ships (
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(40) NOT NULL,
  flag CHAR(2) CHARACTER SET ascii NOT NULL DEFAULT 'xx',
  built YEAR NULL,
  length DECIMAL(6,2) NOT NULL,
  draught FLOAT NULL,
  kind ENUM('tanker','bulk','box','ferry') NOT NULL,
  UNIQUE KEY by_name (name)
);
CREATE TABLE docks (
  id TINYINT NOT NULL PRIMARY KEY,
  label VARCHAR(20) COLLATE utf8mb4_bin NOT NULL,
  depth DOUBLE NOT NULL,
  fee DECIMAL(10,3) NOT NULL DEFAULT 12.500
);
CREATE TABLE calls (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  ship INT UNSIGNED NOT NULL,
  dock TINYINT NULL,
  arrived DATETIME NOT NULL,
  stay TIME NULL,
  day DATE NULL,
  note TEXT NULL,
  KEY by_ship (ship, arrived),
  KEY by_note (note(8)),
  CONSTRAINT calls_ship FOREIGN KEY (ship) REFERENCES ships (id) ON DELETE CASCADE,
  CONSTRAINT calls_dock FOREIGN KEY (dock) REFERENCES docks (id) ON DELETE SET NULL
);
CREATE TABLE cargo (
  call_id BIGINT NOT NULL,
  line SMALLINT UNSIGNED NOT NULL,
  goods VARCHAR(30) CHARACTER SET latin1 NOT NULL,
  tons DECIMAL(8,1) NULL,
  seal VARBINARY(8) NULL,
  PRIMARY KEY (call_id, line),
  CONSTRAINT cargo_call FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
);
INSERT INTO ships (name, flag, built, length, draught, kind) VALUES
  ('Anna', 'de', 1998, 120.50, 6.5, 'bulk'), ('Berta', 'nl', 2004, 88.25, 4.25, 'ferry'),
  (CONVERT(0xC384676972 USING utf8mb4), 'no', 2011, 230.00, 12.75, 'tanker'), ('Dora', 'de', NULL, 61.10, NULL, 'ferry'),
  ('Emma', 'dk', 2006, 397.70, 15.5, 'box'), ('Frieda', 'de', 2019, 399.90, 16, 'box'),
  ('Gerda', 'pa', 1987, 99.99, 5.125, 'bulk'), ('hilde', 'xx', 1955, 12.00, 1.5, 'ferry');
INSERT INTO docks (id, label, depth, fee) VALUES (1, 'North', 8.5, 10), (2, 'south', 17.25, 99.995), (3, 'Quay 3', 6, DEFAULT),
  (-1, 'roads', 40, 0);
INSERT INTO calls (ship, dock, arrived, stay, day, note) VALUES
  (1, 1, '2024-01-02 03:04:05', '12:30:00', '2024-01-02', 'first of the year'), (1, 1, '2024-02-29 23:59:59', '48:00:01', '2024-02-29', NULL),
  (2, 3, '2024-01-02 06:00:00', '00:25:00', '2024-01-02', 'every day'), (2, 3, '2024-01-03 06:00:00', '00:26:00', '2024-01-03', 'every day'),
  (2, 3, '2024-01-04 06:10:00', NULL, '2024-01-04', 'Every Day, late'), (3, 2, '2023-12-31 22:00:00', '30:00:00', '2023-12-31', ''),
  (3, -1, '2024-03-01 00:00:00', '100:15:30', NULL, 'waits at the roads'), (5, 2, '2024-01-20 10:00:00', '20:00:00', '2024-01-20', 'first'),
  (5, 2, '2024-02-20 10:00:00', '21:00:00', '2024-02-20', 'second'), (6, 2, '2024-01-21 11:00:00', '19:30:15', '2024-01-21', NULL),
  (7, NULL, '2024-05-05 05:05:05', NULL, NULL, 'turned away'), (8, 1, '1970-01-01 00:00:01', '838:59:59', '1970-01-01', 'the pilot''s boat');
INSERT INTO cargo VALUES
  (1, 1, 'coal', 1200.5, 0x00FF), (1, 2, 'ore', 800, NULL), (2, 1, 'grain', 1999.9, 0x61), (3, 1, 'cars', 12.3, ''), (4, 1, 'cars', 10, 'a'),
  (5, 1, 'lorries', NULL, 'b'), (6, 1, 'crude', 90000.5, 0x0102030405060708), (7, 1, 'crude', 90000.5, 'x'), (8, 1, 'boxes', 4000, 'c'),
  (8, 2, 'boxes, cold', 250.2, 'd'), (9, 1, 'boxes', 4100, 'c'), (10, 1, 'boxes', 3900, 'e'), (10, 2, CONVERT(0x4BE47365 USING latin1), 0.1, 'f');
UPDATE ships SET length = length + 0.01 WHERE kind = 'ferry' ORDER BY id LIMIT 2;
INSERT INTO docks (id, label, depth) VALUES (3, 'Quay 3', 6) ON DUPLICATE KEY UPDATE depth = VALUES(depth) + 0.5, label = CONCAT(label, 'a');
REPLACE INTO docks VALUES (-1, 'Roads', 41.5, 0.001);
DELETE FROM ships WHERE name = 'GERDA';
