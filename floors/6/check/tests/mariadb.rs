//! Tablespaces that a real MariaDB made in all its forms: all of them are sound, to this and to `innochecksum`.

mod support;

use check::{Options, Progress};
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
        for _ in 0..10 {
            let report = check::check(&[server.data()], &Options::default(), &Progress::default());
            assert_eq!(report.exit_code(), 0, "{}", report.to_text(true));
            let table = report.files.iter().find(|file| file.path.ends_with("busy.ibd")).expect("the table");
            assert_eq!(table.holder, Some(server.process()));
        }
        is_over.store(true, Ordering::Relaxed);
    });
}
