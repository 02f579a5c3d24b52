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
SELECT * FROM l INTO OUTFILE 'DIR/out-1.txt';
SELECT * FROM l INTO OUTFILE 'DIR/out-1.txt';
SELECT 'a,b', NULL, 1.5, 'q"q', 'x\ty\\z' INTO OUTFILE 'DIR/out-2.txt' FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\r\n';
SELECT 1, 'ab' INTO DUMPFILE 'DIR/out-3.txt';
SELECT 1, NULL, 'x' INTO OUTFILE 'DIR/out-4.txt' FIELDS ENCLOSED BY '''' ESCAPED BY '' LINES STARTING BY '>';
SELECT 5 FROM DUAL WHERE 0 INTO OUTFILE 'DIR/out-5.txt';
"#;

/// A directory with the files that the script reads.
fn prepared() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("make a directory");
    let files: [(&str, &[u8]); 5] = [
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
    let (ours, theirs) = (prepared(), prepared());
    let given = answers(&server.socket(), SCRIPT, ours.path());
    let expected = answers(&judge.socket(), SCRIPT, theirs.path());
    assert!(given == expected, "ours:\n{given}\nMariaDB's:\n{expected}");
    for number in 1..=5 {
        let name = format!("out-{number}.txt");
        let read = |dir: &tempfile::TempDir| std::fs::read(dir.path().join(&name)).expect("read a file");
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
