//! Tiny runs of what the log's speed consists of, each with a check of its result. Real figures:
//! `BINLOG_SPEED=100 cargo test --release -p penstock-binlog --test speed -- --nocapture --test-threads 1`.

mod support;

use binlog::event::{RowChange, TableMapBuilder, flags2};
use binlog::{GroupBuilder, Log, LogPos, Options, Stamp, examine};
use platform::file::RealDir;
use std::sync::Arc;
use std::time::{Duration, Instant};
use support::*;

fn scale() -> u32 {
    std::env::var("BINLOG_SPEED").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1)
}

fn open(directory: &std::path::Path) -> Log {
    let dir = Arc::new(RealDir::new(directory, false).expect("open directory"));
    Log::open(dir, Options::new(SERVER, "10.11.8-MariaDB-penstock-test"), None).expect("create").0
}

/// A sysbench-like update of one row: GTID, TABLE_MAP, UPDATE, XID.
fn update(group: &mut GroupBuilder, map: &TableMapBuilder, before: &[u8], after: &[u8]) {
    group.begin_transaction(plan(), flags2::TRANSACTIONAL | flags2::ALLOW_PARALLEL);
    group.row(&map.as_map(), RowChange { before: Some(before), after: Some(after) });
    group.xid();
}

fn report(what: &str, count: u32, elapsed: Duration) {
    println!("{what}: {count} in {elapsed:?}, {:.2} us each", elapsed.as_secs_f64() * 1e6 / f64::from(count));
}

#[test]
fn encoding_and_placing() {
    let directory = tempfile::tempdir().expect("directory");
    let log = open(directory.path());
    let (before, after) = (image(1, Some(&text(1, 95))), image(1, Some(&text(2, 95))));
    let mut group = GroupBuilder::new(SERVER, 8192);
    let map = table(1);
    let count = 500 * scale();
    let (mut encoding, mut placing, mut forcing) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for number in 0..count {
        let started = Instant::now();
        update(&mut group, &map, &before, &after);
        let encoded = Instant::now();
        let stamp = Stamp { commit_no: u64::from(number) + 1, timestamp: Some(1) };
        log.append(&mut group, |_| stamp).expect("append");
        let placed = Instant::now();
        encoding += encoded - started;
        placing += placed - encoded;
        if number % 1000 == 999 || number + 1 == count {
            log.force(log.end()).expect("force");
            forcing += placed.elapsed();
        }
    }
    report("encode a group outside of locks", count, encoding);
    report("place a group under the lock", count, placing);
    report("force 1000 groups, a group's share", count, forcing);
    let started = Instant::now();
    let groups = read_all(&log, LogPos::new(1, 0)).expect("read");
    report("read a group back", count, started.elapsed());
    assert_eq!(groups.len() as u32, count);
    assert_eq!(groups[0].commit_no, 1);
    let started = Instant::now();
    let found = examine(&**log.dir(), "binlog", None).expect("examine");
    report("scan a group at start", count, started.elapsed());
    assert_eq!(found.groups, u64::from(count));
}

#[test]
fn commits_one_after_the_other_and_side_by_side() {
    let (before, after) = (image(1, Some(&text(1, 95))), image(1, Some(&text(2, 95))));
    for threads in [1u32, 8, 64] {
        let directory = tempfile::tempdir_in(".").expect("directory");
        let log = open(directory.path());
        let each = (4 * scale()).max(4);
        let started = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut group = GroupBuilder::new(SERVER, 8192);
                    let map = table(1);
                    for _ in 0..each {
                        update(&mut group, &map, &before, &after);
                        let placed = log.append(&mut group, |_| Stamp::default()).expect("append");
                        log.force(placed.end).expect("force");
                    }
                });
            }
        });
        report(&format!("commit, {threads} threads"), threads * each, started.elapsed());
        println!("{:?}", log.counters());
        assert_eq!(log.counters().groups, u64::from(threads * each));
    }
}

#[test]
fn commits_of_fibers() {
    for fibers in [1u32, 8, 64] {
        let directory = tempfile::tempdir_in(".").expect("directory");
        let log = Arc::new(open(directory.path()));
        let two = runtime::RuntimeOptions { threads: 2, ..runtime::RuntimeOptions::default() };
        let event_loops = runtime::Runtime::start(two).expect("start");
        let each = (4 * scale()).max(4);
        let started = Instant::now();
        let all: Vec<_> = (0..fibers)
            .map(|_| {
                let log = log.clone();
                event_loops.spawn(move || {
                    let (before, after) = (image(1, Some(&text(1, 95))), image(1, Some(&text(2, 95))));
                    let mut group = GroupBuilder::new(SERVER, 8192);
                    let map = table(1);
                    for _ in 0..each {
                        update(&mut group, &map, &before, &after);
                        let placed = log.append(&mut group, |_| Stamp::default()).expect("append");
                        log.force(placed.end).expect("force");
                    }
                })
            })
            .collect();
        for fiber in all {
            fiber.join().expect("the fiber ends well");
        }
        report(&format!("commit, {fibers} fibers on two loops"), fibers * each, started.elapsed());
        println!("{:?}", log.counters());
        assert_eq!(log.counters().groups, u64::from(fibers * each));
        event_loops.shutdown(Duration::from_secs(10));
    }
}
