//! LOAD DATA, from the server's side and from the client's, and SELECT ... INTO OUTFILE: MariaDB beside it.

mod harness;

use harness::tools::{self, MariaDb};
use harness::{Connection, Server, one, run};
use protocol::client::ClientError;
use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// What the client prints for a script, errors among it, with the directory's name left out.
fn answers(socket: &Path, script: &str, dir: &Path) -> String {
    let script = script.replace("DIR", &dir.display().to_string());
    let arguments = ["--default-character-set=utf8mb4", "--local-infile=1", "--force", "-v", "-v"];
    let printed = tools::client_text(socket, &arguments, script.as_bytes());
    printed.replace(&dir.display().to_string(), "DIR")
}

const SCRIPT: &str = r#"
CREATE DATABASE files CHARACTER SET utf8mb4;
USE files;
CREATE TABLE l (a INT PRIMARY KEY, b VARCHAR(20), c DECIMAL(5,1));
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE l;
SELECT * FROM l;
SELECT LENGTH(LOAD_FILE('DIR/plain.txt')), COLLATION(LOAD_FILE('DIR/plain.txt')), LOAD_FILE('DIR/plain.txt') LIKE '1%';
SELECT LOAD_FILE('DIR/none'), LOAD_FILE('DIR'), LOAD_FILE(''), LOAD_FILE(NULL), LOAD_FILE('DIR/hidden.txt');
CREATE TABLE lf AS SELECT LOAD_FILE('DIR/plain.txt') a;
SHOW CREATE TABLE lf;
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE l;
LOAD DATA INFILE 'DIR/plain.txt' IGNORE INTO TABLE l;
LOAD DATA INFILE 'DIR/plain.txt' REPLACE INTO TABLE l;
LOAD DATA LOCAL INFILE 'DIR/plain.txt' INTO TABLE l;
DELETE FROM l;
LOAD DATA LOCAL INFILE 'DIR/quoted.txt' INTO TABLE l FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"';
SELECT * FROM l;
DELETE FROM l;
LOAD DATA INFILE 'DIR/quoted.txt' INTO TABLE l FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"';
SELECT * FROM l;
LOAD DATA INFILE 'DIR/odd.txt' INTO TABLE l FIELDS TERMINATED BY ';' LINES STARTING BY 'xxx' TERMINATED BY '$' (a, @v) SET b = CONCAT(@v, '!'), c = a * 2;
SELECT * FROM l;
DELETE FROM l;
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE l IGNORE 1 LINES (a, b);
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE l IGNORE 1 LINES (a, b, @d) SET c = 7;
SELECT * FROM l;
DELETE FROM l;
CREATE TABLE n (a INT PRIMARY KEY, b VARCHAR(10) NOT NULL, c INT DEFAULT 5, d CHAR(3) CHARACTER SET utf8mb3);
LOAD DATA INFILE 'DIR/bad.txt' INTO TABLE n;
SHOW WARNINGS;
LOAD DATA INFILE 'DIR/bad.txt' IGNORE INTO TABLE n;
SHOW WARNINGS;
LOAD DATA LOCAL INFILE 'DIR/bad.txt' INTO TABLE n CHARACTER SET latin1;
SHOW WARNINGS;
SELECT * FROM n;
DELETE FROM n;
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE n (a, @b, c);
SHOW WARNINGS;
LOAD DATA INFILE 'DIR/plain.txt' REPLACE INTO TABLE n (a, @b, @c) SET d = CONCAT(@b, 'aaaa'), c = 'x';
SHOW WARNINGS;
LOAD DATA INFILE 'DIR/plain.txt' IGNORE INTO TABLE n (a, @b) SET b = NULL;
SHOW WARNINGS;
LOAD DATA INFILE 'DIR/long.txt' INTO TABLE l (a) SET b = 'long';
LOAD DATA INFILE 'DIR/long.txt' IGNORE INTO TABLE l (a) SET b = 'long';
SHOW WARNINGS;
LOAD DATA INFILE 'DIR/long.txt' IGNORE INTO TABLE l FIELDS TERMINATED BY '\t' ENCLOSED BY '"' (a) SET b = 'quoted';
SHOW WARNINGS;
SELECT * FROM l;
CREATE TABLE counted (a INT AUTO_INCREMENT PRIMARY KEY, b VARCHAR(20) UNIQUE);
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE counted (@a, b, @c);
SELECT LAST_INSERT_ID();
DELETE FROM counted WHERE a < 3;
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE counted (@a, b, @c);
SELECT LAST_INSERT_ID();
CREATE VIEW v1 AS SELECT a + 1 AS x FROM n;
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE v1;
CREATE VIEW v2 AS SELECT a, a + 1 AS x FROM l;
LOAD DATA INFILE 'DIR/plain.txt' IGNORE INTO TABLE v2 (a);
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE v2 (x);
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE v2;
CREATE VIEW v3 AS SELECT DISTINCT a FROM l;
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE v3;
CREATE VIEW v4 AS SELECT x.a, y.b FROM l x, l y;
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE v4 (a);
DELETE FROM l;
LOAD DATA INFILE 'DIR/plain.txt' INTO TABLE nosuch;
LOAD DATA LOCAL INFILE 'DIR/plain.txt' INTO TABLE l (zz);
SET GLOBAL local_infile = 0;
SELECT @@local_infile;
LOAD DATA LOCAL INFILE 'DIR/plain.txt' INTO TABLE l;
LOAD DATA LOCAL INFILE 'DIR/plain.txt' INTO TABLE nosuch;
LOAD DATA INFILE 'DIR/plain.txt' REPLACE INTO TABLE l;
SET local_infile = 1;
SET GLOBAL local_infile = 2;
SET GLOBAL local_infile = ON;
LOAD DATA LOCAL INFILE 'DIR/plain.txt' REPLACE INTO TABLE l;
CREATE TABLE zeros (id INT AUTO_INCREMENT PRIMARY KEY, b INT, c INT);
SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';
LOAD DATA LOCAL INFILE 'DIR/zeros.txt' INTO TABLE zeros (id, b) SET c = 1;
LOAD DATA LOCAL INFILE 'DIR/zeros.txt' INTO TABLE zeros (@a, b) SET id = @a, c = 2;
LOAD DATA LOCAL INFILE 'DIR/zeros.txt' REPLACE INTO TABLE zeros (id, b);
SELECT * FROM zeros;
CREATE TABLE nulls LIKE zeros;
LOAD DATA LOCAL INFILE 'DIR/nulls.txt' INTO TABLE nulls (id, b) SET id = id, c = 3;
LOAD DATA LOCAL INFILE 'DIR/nulls.txt' INTO TABLE nulls (id, b) SET c = id;
SELECT * FROM nulls;
CREATE TABLE short (a VARCHAR(20), b VARCHAR(20), c VARCHAR(20), d LONGTEXT DEFAULT (1), e TEXT DEFAULT (NULL), f INT DEFAULT (1 + 1), g TEXT DEFAULT (UUID()));
LOAD DATA LOCAL INFILE 'DIR/plain.txt' INTO TABLE short;
SELECT * FROM short;
SET sql_mode = DEFAULT;
SELECT * FROM l INTO OUTFILE 'DIR/out-1.txt';
SELECT * FROM l INTO OUTFILE 'DIR/out-1.txt';
SELECT 'a,b', NULL, 1.5, 'q"q', 'x\ty\\z' INTO OUTFILE 'DIR/out-2.txt' FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\r\n';
SELECT 1, 'ab' INTO DUMPFILE 'DIR/out-3.txt';
SELECT 1, NULL, 'x' INTO OUTFILE 'DIR/out-4.txt' FIELDS ENCLOSED BY '''' ESCAPED BY '' LINES STARTING BY '>';
SELECT 5 FROM DUAL WHERE 0 INTO OUTFILE 'DIR/out-5.txt';
"#;

/// Fields that nothing parts: each is as wide as its column's longest text.
const FIXED: &str = r#"
CREATE DATABASE fixed CHARACTER SET utf8mb4;
USE fixed;
CREATE TABLE t (a INT, b CHAR(5) CHARACTER SET latin1, c VARCHAR(4), d DECIMAL(6,2), e DATE, f TINYINT UNSIGNED, g DOUBLE, h BIGINT);
INSERT INTO t VALUES (1,'ab','xy',1.5,'2020-01-02',3,1.25,-5), (-2147483648,'abcde',NULL,-1234.50,NULL,200,1e100,9223372036854775807);
INSERT INTO t VALUES (NULL,CONCAT(_latin1 x'E9','\\x'),CONVERT(x'61C3B162E282AC' USING utf8mb4),0,'2021-12-31',0,0,0);
SELECT * FROM t INTO OUTFILE 'DIR/out-1.txt' FIELDS TERMINATED BY '';
SELECT * FROM t INTO OUTFILE 'DIR/out-2.txt' FIELDS TERMINATED BY '' LINES TERMINATED BY '';
SELECT * FROM t INTO OUTFILE 'DIR/out-3.txt' FIELDS TERMINATED BY '' ESCAPED BY '' LINES STARTING BY 'xx';
SELECT 1, 'abc', 2.5, NULL, CONCAT(a,'x'), a+1 FROM t INTO OUTFILE 'DIR/out-4.txt' FIELDS TERMINATED BY '';
CREATE TABLE o (v INT AS (1+1) STORED, i BIT(9), e ENUM('aa','bbb'), y YEAR, t TIMESTAMP NULL, z TIME(2), j SET('a','b'), p DECIMAL(5,0) UNSIGNED ZEROFILL, w SMALLINT(9), dt DATETIME(3), vb VARBINARY(3), ie INET6, uu UUID, f FLOAT, m MEDIUMINT, x TINYTEXT CHARACTER SET latin1, k TEXT);
INSERT INTO o (i,e,y,t,z,j,p,w,dt,vb,ie,uu,f,m,x,k) VALUES (5,'bbb',2020,'2020-01-01 00:00:00','1:2:3.4','a,b',5,3,'2020-01-01',x'010a','::1','550e8400-e29b-41d4-a716-446655440000',1.5,-8000000,'tt',repeat('k',300));
SELECT * FROM o INTO OUTFILE 'DIR/out-5.txt' FIELDS TERMINATED BY '';
CREATE TABLE bt (a BIT(16), b INT, c VARBINARY(5));
INSERT INTO bt VALUES (9,10,x'0009'), (10,5,x'5C0A'), (0x5C30,48,'0');
SELECT * FROM bt INTO OUTFILE 'DIR/out-6.txt';
SELECT * FROM bt INTO OUTFILE 'DIR/out-7.txt' FIELDS TERMINATED BY '0' ESCAPED BY '1';
SELECT * FROM bt INTO OUTFILE 'DIR/out-8.txt' FIELDS ENCLOSED BY '0';
SELECT * FROM bt INTO OUTFILE 'DIR/out-9.txt' LINES TERMINATED BY '0';
SELECT * FROM bt INTO OUTFILE 'DIR/out-10.txt' FIELDS TERMINATED BY 'e' OPTIONALLY ENCLOSED BY '.';
SELECT c, a, e, h, g, NULL, TIME'1:2:3', TRUE, b'1', x'41', 1.5, 1e3, CAST(1 AS DATETIME), YEAR(e) FROM t INTO OUTFILE 'DIR/out-11.txt' FIELDS TERMINATED BY '.' OPTIONALLY ENCLOSED BY '"';
SELECT e, y, t, z, j, ie, uu FROM o INTO OUTFILE 'DIR/out-12.txt' FIELDS TERMINATED BY '.' OPTIONALLY ENCLOSED BY '"' ESCAPED BY '';
SELECT e FROM t INTO OUTFILE 'DIR/out-13.txt' FIELDS TERMINATED BY '-';
SET sql_mode = '';
CREATE TABLE u LIKE t;
LOAD DATA INFILE 'DIR/out-1.txt' INTO TABLE u FIELDS TERMINATED BY '';
SHOW WARNINGS;
LOAD DATA INFILE 'DIR/out-2.txt' INTO TABLE u FIELDS TERMINATED BY '' LINES TERMINATED BY '' IGNORE 1 LINES;
LOAD DATA INFILE 'DIR/out-3.txt' INTO TABLE u FIELDS TERMINATED BY '' ESCAPED BY '' LINES STARTING BY 'xx';
LOAD DATA LOCAL INFILE 'DIR/wide.txt' INTO TABLE u FIELDS TERMINATED BY '';
SHOW WARNINGS;
LOAD DATA INFILE 'DIR/wide.txt' INTO TABLE u FIELDS TERMINATED BY '' ESCAPED BY '' IGNORE 1 LINES (b, a) SET c = 'set';
SHOW WARNINGS;
SELECT * FROM u;
SELECT HEX(b), HEX(c) FROM u;
LOAD DATA INFILE 'DIR/wide.txt' INTO TABLE u FIELDS TERMINATED BY '' (a, @x, b);
SET sql_mode = DEFAULT;
LOAD DATA INFILE 'DIR/wide.txt' INTO TABLE u FIELDS TERMINATED BY '';
LOAD DATA INFILE 'DIR/wide.txt' INTO TABLE u FIELDS TERMINATED BY '' (a, b);
LOAD DATA INFILE 'DIR/out-1.txt' INTO TABLE nosuch FIELDS TERMINATED BY '';
SET sql_mode = '', timestamp = 1600000000;
CREATE TABLE m (a SMALLINT, b VARCHAR(3) CHARACTER SET latin1, c INT NOT NULL DEFAULT 7, d INT DEFAULT 9, e VARCHAR(3) DEFAULT 'x', ts TIMESTAMP NULL, t2 TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, ai INT AUTO_INCREMENT KEY, en ENUM('p','q') DEFAULT 'q', y YEAR, tx TEXT, dt DATE DEFAULT '2020-01-01', g INT AS (a+1) STORED, de DECIMAL(5,2) DEFAULT (1+1), bb BIT(3), ie INET6, uu UUID, ge GEOMETRY);
LOAD DATA INFILE 'DIR/narrow.txt' INTO TABLE m FIELDS TERMINATED BY '';
SHOW WARNINGS;
SELECT * FROM m;
DELETE FROM m;
LOAD DATA INFILE 'DIR/list.txt' INTO TABLE m FIELDS TERMINATED BY ',' LINES TERMINATED BY '' IGNORE 1 LINES (a, d);
LOAD DATA INFILE 'DIR/list.txt' INTO TABLE m FIELDS TERMINATED BY ',' LINES TERMINATED BY '' (a);
SELECT a, d FROM m;
CREATE TABLE n (a INT, b ENUM('p','q') DEFAULT 'q', c ENUM('p','q') NOT NULL, d ENUM('p','q'), g INT AS (a+1), h INT AS (a+2) STORED);
LOAD DATA INFILE 'DIR/narrow.txt' INTO TABLE n FIELDS TERMINATED BY ' ';
SHOW WARNINGS;
LOAD DATA INFILE 'DIR/narrow.txt' INTO TABLE n FIELDS TERMINATED BY '';
SHOW WARNINGS;
SELECT *, b+0, c+0 FROM n;
SET sql_mode = DEFAULT;
LOAD DATA INFILE 'DIR/narrow.txt' INTO TABLE n FIELDS TERMINATED BY ' ';
LOAD DATA INFILE 'DIR/list.txt' INTO TABLE n FIELDS TERMINATED BY ',' (a, b, g, h);
LOAD DATA INFILE 'DIR/list.txt' INTO TABLE n FIELDS TERMINATED BY ',' LINES TERMINATED BY '' (a, g) SET c = 'q';
LOAD DATA INFILE 'DIR/list.txt' INTO TABLE n FIELDS TERMINATED BY ',' LINES TERMINATED BY '' (a, d) SET g = 5;
SELECT * FROM n;
"#;

/// A directory with the files that the scripts read.
fn prepared() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("make a directory");
    let files: [(&str, &[u8]); 10] = [
        (
            "wide.txt",
            b"1          ab   xy              1.50\n2          cd\\N  zz\n\n\
              33333333333abcdefghijklmnopqrstu 9.99    2020-01-01255  1.5                   77\n\
              4          \\t\\\\\\\n\\Z\\0 q              1.25    2020-02-30",
        ),
        ("narrow.txt", b"7     ab\n"),
        ("list.txt", b"1,2,3,4"),
        ("zeros.txt", b"0\t5\n"),
        ("nulls.txt", b"\\N\t5\n"),
        ("plain.txt", b"1\tone\t1.5\n2\ttwo\t\\N\n3\tth\\tree\t3\n"),
        (
            "quoted.txt",
            b"\"1\",\"a \"\"q\"\" b\",2\n\"2\",\"x,y\nz\",NULL\n3,plain,\"NULL\"\n4\n5,e,1,extra\n",
        ),
        ("odd.txt", b"xxx1;a$skip$xxx2;b$"),
        ("bad.txt", b"1\t\\N\t\xE4\t\xF0\x9F\x98\x80\n2\tb\n3\tb\t\n"),
        ("long.txt", b"1\t\"a\nb\"\n2\tmore\t\n3\t\n4\tx\\\ny\n5\tlast"),
    ];
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).expect("write a file");
    }
    let hidden = dir.path().join("hidden.txt");
    std::fs::write(&hidden, "not for everybody").expect("write a file");
    std::fs::set_permissions(hidden, Permissions::from_mode(0o600)).expect("hide a file");
    dir
}

#[test]
fn files_are_read_and_written_as_mariadb_does() {
    let Some(judge) = MariaDb::start() else { return };
    let server = Server::start(&[]);
    compare(&server, &judge, SCRIPT, 5);
    compare(&server, &judge, FIXED, 13);
}

/// Holds what a script prints, and the files that it writes, against MariaDB's.
fn compare(server: &Server, judge: &MariaDb, script: &str, files: usize) {
    let (ours, theirs) = (prepared(), prepared());
    let given = answers(&server.socket(), script, ours.path());
    let expected = answers(&judge.socket(), script, theirs.path());
    assert!(given == expected, "ours:\n{given}\nMariaDB's:\n{expected}");
    for number in 1..=files {
        let name = format!("out-{number}.txt");
        let read = |dir: &tempfile::TempDir| {
            std::fs::read(dir.path().join(&name)).expect("read a file").escape_ascii().to_string()
        };
        assert_eq!(read(&ours), read(&theirs), "{name}");
    }
}

/// The number of the error that a statement ends with.
fn fails(client: &mut Connection, sql: &str) -> u16 {
    match client.query(sql) {
        Err(ClientError::Server(error)) => error.number,
        other => panic!("{sql}: {other:?}"),
    }
}

#[test]
fn files_stand_where_secure_file_priv_says() {
    let (inside, outside) = (prepared(), prepared());
    symlink(outside.path().join("plain.txt"), inside.path().join("link.txt")).expect("make a link");
    let server = Server::start(&["--secure-file-priv", &inside.path().display().to_string()]);
    let mut client = server.connect();
    let (inside, outside) = (inside.path().display(), outside.path().display());
    assert_eq!(one(&mut client, "SELECT @@secure_file_priv"), inside.to_string());
    run(&mut client, "CREATE DATABASE d");
    run(&mut client, "USE d");
    run(&mut client, "CREATE TABLE t (a INT, b TEXT, c TEXT)");
    run(&mut client, &format!("LOAD DATA INFILE '{inside}/plain.txt' INTO TABLE t"));
    run(&mut client, &format!("SELECT * FROM t INTO OUTFILE '{inside}/out.txt'"));
    assert_eq!(one(&mut client, &format!("SELECT LOAD_FILE('{inside}/plain.txt') LIKE '1%'")), "1");
    for place in
        [format!("{outside}/plain.txt"), format!("{inside}/../plain.txt"), format!("{inside}/link.txt")]
    {
        let (load, write) = (
            format!("LOAD DATA INFILE '{place}' INTO TABLE t"),
            format!("SELECT * FROM t INTO OUTFILE '{place}.out'"),
        );
        assert_eq!(fails(&mut client, &load), 1290, "{load}");
        if !place.contains("link") {
            assert_eq!(fails(&mut client, &write), 1290, "{write}");
        }
        assert_eq!(one(&mut client, &format!("SELECT LOAD_FILE('{place}') IS NULL")), "1");
    }
}
