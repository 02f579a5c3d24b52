//! Many threads commit at once: batches form by themselves, everybody hears when the own group is durable.

mod support;

use binlog::{GroupBuilder, Log, LogPos};
use platform::file::RealDir;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use support::slow::SlowDir;
use support::*;

/// Appends transaction `number` with the commit number that is next, and forces it.
fn commit(log: &Log, next: &AtomicU64, group: &mut GroupBuilder, number: u64) {
    fill(group, number);
    let stamp = |_: &_| binlog::Stamp { commit_no: next.fetch_add(1, Ordering::Relaxed), timestamp: None };
    let placed = log.append(group, stamp).expect("append");
    log.force(placed.end).expect("force");
    assert!(log.durable() >= placed.end);
}

#[test]
fn threads_share_forces() {
    const THREADS: u64 = 8;
    const COMMITS: u64 = 60;
    let directory = tempfile::tempdir().expect("directory");
    let dir = Arc::new(RealDir::new(directory.path(), false).expect("open directory"));
    let mut options = nasty(1);
    options.max_segment_bytes = 256 << 10;
    options.preallocate_bytes = 64 << 10;
    options.max_round_bytes = 1 << 20;
    let (log, _) = Log::open(dir.clone(), options.clone(), None).expect("create");
    let next = AtomicU64::new(1);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut group = GroupBuilder::new(SERVER, 1024);
                for number in 0..COMMITS {
                    commit(&log, &next, &mut group, number);
                }
            });
        }
    });
    let counters = log.counters();
    println!("{counters:?}");
    assert_eq!(counters.groups, THREADS * COMMITS);
    assert!(counters.forces < counters.groups / 2, "commits share forces: {counters:?}");
    let groups = read_all(&log, LogPos::new(1, 0)).expect("read");
    let numbers: Vec<u64> = groups.iter().map(|group| group.commit_no).filter(|number| *number > 0).collect();
    assert!(numbers.is_sorted(), "commit numbers follow the log's order");
    assert_eq!(groups.len() as u64, THREADS * COMMITS);
    drop(log);
    let (log, report) = Log::open(dir, options, Some(LogPos::new(1, 4))).expect("open");
    assert_eq!(report.groups, THREADS * COMMITS);
    assert_eq!(report.last_commit_no, THREADS * COMMITS);
    log.close().expect("close");
}

/// Of two threads that commit all the time one waits for the other sooner or later, and is not left waiting; one alone
/// waits for nobody.
#[test]
fn rounds_wait_for_company() {
    const COMMITS: u64 = 60;
    let directory = tempfile::tempdir().expect("directory");
    let dir = Arc::new(RealDir::new(directory.path(), false).expect("open directory"));
    let dir = Arc::new(SlowDir { dir, force: std::time::Duration::from_millis(2) });
    let mut options = nasty(1);
    options.max_segment_bytes = 1 << 20;
    options.clock = Arc::new(platform::clock::RealClock);
    let (log, _) = Log::open(dir, options, None).expect("create");
    let next = AtomicU64::new(1);
    let mut group = GroupBuilder::new(SERVER, 1024);
    (0..COMMITS).for_each(|number| commit(&log, &next, &mut group, number));
    let alone = log.counters();
    assert_eq!((alone.gathers, alone.lone_gathers), (0, 0), "{alone:?}");
    // How long it takes until they meet is a matter of what else the machine does.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
    let commit_until_met = || {
        let mut group = GroupBuilder::new(SERVER, 1024);
        let mut number = 0;
        while log.counters().gathers == 0 && std::time::Instant::now() < deadline {
            commit(&log, &next, &mut group, number);
            number += 1;
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(commit_until_met);
        scope.spawn(commit_until_met);
    });
    println!("{:?}", log.counters());
    assert!(log.counters().gathers > 0, "{:?}", log.counters());
    let groups = read_all(&log, LogPos::new(1, 0)).expect("read");
    assert_eq!(groups.len() as u64, next.load(Ordering::Relaxed) - 1);
}

/// Zeros are written ahead while threads commit and segments end as fast as they can.
#[test]
fn zeros_come_before_the_groups_and_never_over_them() {
    const THREADS: u64 = 4;
    const COMMITS: u64 = 400;
    let directory = tempfile::tempdir().expect("directory");
    let dir = Arc::new(RealDir::new(directory.path(), false).expect("open directory"));
    let mut options = nasty(1);
    options.max_segment_bytes = 64 << 10;
    options.preallocate_bytes = 16 << 10;
    options.cleared_bytes = 16 << 10;
    let (log, _) = Log::open(dir.clone(), options.clone(), None).expect("create");
    let next = AtomicU64::new(1);
    std::thread::scope(|scope| {
        let clearing = scope.spawn(|| log.keep_cleared());
        let committing: Vec<_> = (0..THREADS)
            .map(|_| {
                scope.spawn(|| {
                    let mut group = GroupBuilder::new(SERVER, 1024);
                    (0..COMMITS).for_each(|number| commit(&log, &next, &mut group, number));
                })
            })
            .collect();
        committing.into_iter().for_each(|thread| thread.join().expect("commit"));
        // What is behind the end is cleared without anybody's asking.
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while log.counters().cleared_bytes == 0 && std::time::Instant::now() < deadline {
            commit(&log, &next, &mut GroupBuilder::new(SERVER, 1024), 1);
        }
        log.stop_clearing();
        clearing.join().expect("clear");
    });
    println!("{:?}", log.counters());
    assert!(log.counters().cleared_bytes > 0, "zeros were written");
    let groups = read_all(&log, LogPos::new(1, 0)).expect("read");
    let committed = next.load(Ordering::Relaxed) - 1;
    assert_eq!(groups.len() as u64, committed);
    for segment in log.segments().iter().rev().skip(1) {
        let length = std::fs::metadata(directory.path().join(&segment.name)).expect("segment").len();
        assert_eq!(length, segment.bytes, "{} was cut to its size and stayed so", segment.name);
    }
    drop(log);
    let (log, report) = Log::open(dir, options, Some(LogPos::new(1, 4))).expect("open");
    assert_eq!(report.groups, committed);
    log.close().expect("close");
}

#[test]
fn waiters_hear_of_a_failure() {
    let disk = platform::sim::Disk::new(1);
    let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("create");
    let plan = vec![platform::sim::Fault::eio(platform::sim::Call::Sync).on("binlog.0").after(20)];
    disk.set_faults(platform::sim::Faults { plan, ..platform::sim::Faults::default() });
    let (log, failed) = (&log, &AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..6 {
            scope.spawn(move || {
                let mut group = GroupBuilder::new(SERVER, 1024);
                for number in 0..200 {
                    let done = append(log, &mut group, thread * 1000 + number)
                        .and_then(|placed| log.force(placed.end));
                    if done.is_err() {
                        failed.fetch_add(1, Ordering::Relaxed);
                        return;
                    }
                }
            });
        }
    });
    assert_eq!(failed.load(Ordering::Relaxed), 6, "each thread hears an error");
}

#[test]
fn fibers_share_forces_and_rotations() {
    const FIBERS: u64 = 60;
    const COMMITS: u64 = 12;
    let directory = tempfile::tempdir().expect("directory");
    let dir = Arc::new(RealDir::new(directory.path(), false).expect("open directory"));
    let mut options = nasty(1);
    options.max_segment_bytes = 64 << 10;
    options.preallocate_bytes = 16 << 10;
    let log = Arc::new(Log::open(dir, options, None).expect("create").0);
    let two = runtime::RuntimeOptions { threads: 2, ..runtime::RuntimeOptions::default() };
    let event_loops = runtime::Runtime::start(two).expect("start");
    let fibers: Vec<_> = (0..FIBERS)
        .map(|fiber| {
            let log = log.clone();
            event_loops.spawn(move || {
                let mut group = GroupBuilder::new(SERVER, 1024);
                for number in 0..COMMITS {
                    let placed = append(&log, &mut group, fiber * COMMITS + number + 1).expect("append");
                    log.force(placed.end).expect("force");
                    assert!(log.durable() >= placed.end);
                }
            })
        })
        .collect();
    for fiber in fibers {
        fiber.join().expect("the fiber ends well");
    }
    let counters = log.counters();
    println!("{counters:?}");
    assert_eq!(counters.groups, FIBERS * COMMITS);
    assert!(counters.forces < counters.groups / 3, "commits share forces: {counters:?}");
    assert!(counters.rotations > 2);
    assert_eq!(read_all(&log, LogPos::new(1, 0)).expect("read").len() as u64, FIBERS * COMMITS);
    event_loops.shutdown(std::time::Duration::from_secs(10));
    log.close().expect("close");
}
