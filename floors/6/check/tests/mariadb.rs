//! Tablespaces that a real MariaDB made in all its forms: all of them are sound, to this and to `innochecksum`.

mod support;

use check::{Algorithm, Kind, Options, Progress, RewriteError, rewrite};
use std::sync::atomic::{AtomicBool, Ordering};
use support::{Config, MariaDb, configs, files, fill, innochecksum, installed};

const NEEDED: [&str; 3] = ["mariadbd", "mariadb", "innochecksum"];

#[test]
fn all_that_mariadb_makes_is_sound() {
    if !installed(&NEEDED) {
        return;
    }
    for config in configs() {
        let server = MariaDb::start(config);
        fill(&server, config);
        let dir = server.stop();
        let report = check::check(&[dir.path().join("data")], &Options::default(), &Progress::default());
        let text = report.to_text(true);
        assert_eq!(report.exit_code(), 0, "{config:?}\n{text}");
        for file in files(&dir.path().join("data"), |name| name.ends_with(".ibd") || name.starts_with("undo"))
        {
            assert_eq!(innochecksum(&file), None, "{config:?} {}\n{text}", file.display());
        }
        println!("{config:?}\n{text}");
    }
}

/// A server that writes pages and events all the while: none of that is damage.
#[test]
fn what_a_running_server_writes_is_no_damage() {
    if !installed(&NEEDED) {
        return;
    }
    let server = MariaDb::start(Config { page_kib: 16, algorithm: "full_crc32" });
    server.sql(
        "SET GLOBAL innodb_max_dirty_pages_pct=0; CREATE DATABASE t; USE t; \
         CREATE TABLE busy (id INT PRIMARY KEY, v VARCHAR(300), KEY (v(20))) ENGINE=InnoDB;\
         INSERT INTO busy SELECT seq, REPEAT(MD5(seq), 8) FROM seq_1_to_20000;",
    );
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Relaxed: a hint to stop, nothing more. A bound, for the test that failed does not give it.
            for _ in (0..500).take_while(|_| !is_over.load(Ordering::Relaxed)) {
                server.sql(
                    "USE t; UPDATE busy SET v = REPEAT(MD5(RAND()), 8) WHERE id % 7 = FLOOR(RAND() * 7)",
                );
            }
        });
        for _ in 0..5 {
            let report = check::check(&[server.data()], &Options::default(), &Progress::default());
            assert_eq!(report.exit_code(), 0, "{}", report.to_text(true));
            let table = report.files.iter().find(|file| file.path.ends_with("busy.ibd")).expect("the table");
            assert_eq!(table.holder, Some(server.process()));
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

/// Sums of algorithms that this MariaDB does not write any more, but reads: it takes all pages for good.
#[test]
fn mariadb_reads_what_was_rewritten() {
    if !installed(&NEEDED) {
        return;
    }
    let config = Config { page_kib: 16, algorithm: "crc32" };
    let server = MariaDb::start(config);
    fill(&server, config);
    let one = server.data().join("t/dynamic.ibd");
    assert!(matches!(rewrite(&one, None), Err(RewriteError::InUse(Some(_)))), "a server runs");
    let sum = "SELECT BIT_XOR(CRC32(CONCAT(id, a, v, IFNULL(b, '')))) FROM t.";
    let tables = ["redundant", "compact", "dynamic", "zip1", "zip4", "zip8"];
    let before = tables.map(|table| server.sql(&format!("{sum}{table}")));
    let dir = server.stop();
    for to in [Algorithm::None, Algorithm::Innodb, Algorithm::Crc32] {
        for table in tables {
            let path = dir.path().join(format!("data/t/{table}.ibd"));
            let counts = rewrite(&path, Some(to)).expect("rewrite");
            assert!(counts.rewritten > 10 && counts.left == 0, "{table}: {counts:?}");
            let report = check::check(&[path], &Options::default(), &Progress::default());
            assert_eq!(report.exit_code(), 0, "{}", report.to_text(true));
        }
        if to == Algorithm::None {
            continue;
        }
        let server = MariaDb::start_over(dir.path(), config);
        let after = tables.map(|table| server.sql(&format!("{sum}{table}")));
        assert_eq!(before, after, "{to:?}");
        server.sql("SHUTDOWN");
        server.wait();
    }
    // What was changed on purpose gets its sums; a page of another place does not.
    let path = dir.path().join("data/t/dynamic.ibd");
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[3 * 16384 + 8000] ^= 0xFF;
    let (front, back) = bytes.split_at_mut(5 * 16384);
    front[4 * 16384..].copy_from_slice(&back[..16384]);
    std::fs::write(&path, &bytes).expect("write");
    let counts = rewrite(&path, None).expect("rewrite");
    assert_eq!((counts.rewritten, counts.left), (1, 1));
    let report = check::check(std::slice::from_ref(&path), &Options::default(), &Progress::default());
    assert_eq!(report.exit_code(), Kind::Misdirected.exit_code(), "{}", report.to_text(true));
    // A page from after the end of the log, which only the log beside it tells: its LSN's upper half.
    let path = dir.path().join("data/t/compact.ibd");
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[3 * 16384 + 19] ^= 1;
    std::fs::write(&path, &bytes).expect("write");
    assert_eq!(rewrite(&path, None).expect("rewrite").rewritten, 1);
    let report = check::check(std::slice::from_ref(&path), &Options::default(), &Progress::default());
    assert_eq!(report.exit_code(), Kind::Stale.exit_code(), "{}", report.to_text(true));
    let log = dir.path().join("data/binlog.000001");
    assert!(matches!(rewrite(&log, None), Err(RewriteError::NoTablespace)));
}

/// A system tablespace of several files, of which only the first says how its pages look.
#[test]
fn a_system_tablespace_of_several_files() {
    if !installed(&NEEDED) {
        return;
    }
    let config = Config { page_kib: 16, algorithm: "crc32" };
    let files = "--innodb-data-file-path=ibdata1:5M;ibdata2:5M;ibdata3:5M:autoextend";
    let server =
        MariaDb::start_with(config, &[files, "--innodb-file-per-table=OFF", "--innodb-undo-tablespaces=0"]);
    server.sql(
        "CREATE DATABASE t; USE t; CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(300)) ENGINE=InnoDB;\
         INSERT INTO t SELECT seq, REPEAT(MD5(seq), 9) FROM seq_1_to_20000",
    );
    let dir = server.stop();
    let look = || check::check(&[dir.path().join("data")], &Options::default(), &Progress::default());
    let report = look();
    let text = report.to_text(true);
    assert_eq!(report.exit_code(), 0, "{text}");
    assert!(
        text.contains("data/ibdata2: InnoDB, classic") && text.contains("data/ibdata3: InnoDB"),
        "{text}"
    );
    let path = dir.path().join("data/ibdata2");
    let mut bytes = std::fs::read(&path).expect("read");
    bytes[16384 * 20 + 999] ^= 1;
    std::fs::write(&path, &bytes).expect("write");
    let report = look();
    let found: Vec<_> =
        report.findings().map(|(path, finding)| (path.to_path_buf(), finding.kind, finding.page)).collect();
    assert_eq!(found, [(path, Kind::BitFlip, Some(320 + 20))], "{}", report.to_text(true));
}
