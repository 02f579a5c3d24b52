//! Disks that fail: what is poisoned, what can be tried again.

mod support;

use binlog::{GroupBuilder, Log, LogError, LogPos, Tail};
use platform::file::{Create, OpenMode};
use platform::sim::{Call, Disk, Fault, Faults};
use support::*;

fn with_plan(plan: Vec<Fault>) -> Faults {
    Faults { plan, ..Faults::default() }
}

#[test]
fn a_failed_write_or_force_poisons_the_log() {
    for call in [Call::Write, Call::Sync] {
        let disk = Disk::new(1);
        let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("create");
        let mut group = GroupBuilder::new(SERVER, 1024);
        let first = append(&log, &mut group, 1).expect("append");
        log.force(first.end).expect("force");
        disk.set_faults(with_plan(vec![Fault::eio(call).on("binlog.0").times(1)]));
        let second = append(&log, &mut group, 2).expect("append");
        assert!(matches!(log.force(second.end), Err(LogError::Io { .. })));
        // The device works again; the log does not.
        assert!(matches!(log.force(second.end), Err(LogError::Poisoned { .. })));
        assert!(matches!(append(&log, &mut group, 3), Err(LogError::Poisoned { .. })));
        group.clear();
        assert!(log.seal().is_err() && log.rotate().is_err() && log.close().is_err());
        assert_eq!(log.durable(), first.end, "nothing is called durable that is not known to be");
        assert_eq!(read_all(&log, LogPos::new(1, 0)).expect("read").len(), 1);
        drop(log);
        // A restart finds what was forced, and the other group whole or not at all; either way for good.
        let (log, report) = Log::open(disk.dir(), nasty(1), None).expect("open");
        let found = read_all(&log, LogPos::new(1, 0)).expect("read").len();
        assert!((1..=2).contains(&found), "{report:?}");
        let crashed = disk.after_crash(5);
        drop(log);
        let (log, _) = Log::open(crashed.dir(), nasty(1), None).expect("open");
        assert_eq!(read_all(&log, LogPos::new(1, 0)).expect("read").len(), found);
    }
}

#[test]
fn a_full_disk_refuses_groups_and_loses_none() {
    let disk = Disk::new(1);
    let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    disk.set_faults(Faults { capacity: Some(24 << 10), ..Faults::default() });
    let mut kept = 0;
    let mut full = 0;
    for number in 1..=200 {
        match append(&log, &mut group, number) {
            Ok(placed) => {
                log.force(placed.end).expect("what was placed has its space");
                kept += 1;
            }
            Err(LogError::NoSpace { .. }) => {
                full += 1;
                group.clear();
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(kept > 5 && full > 50, "{kept} kept, {full} refused");
    // The log can be closed all the same.
    let copy = disk.snapshot();
    let copied = Log::open(copy.dir(), nasty(1), None).expect("open a copy").0;
    let used: u64 = copied.segments().iter().map(|segment| segment.bytes).sum();
    copy.set_faults(Faults { capacity: Some(used), ..Faults::default() });
    copied.close().expect("close on a full disk");
    // Room again: the log goes on.
    disk.set_faults(Faults::default());
    let placed = append(&log, &mut group, 201).expect("append");
    log.force(placed.end).expect("force");
    assert_eq!(read_all(&log, LogPos::new(1, 0)).expect("read").len(), kept + 1);
    log.close().expect("close");
    drop(log);
    let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("open");
    assert_eq!(read_all(&log, LogPos::new(1, 0)).expect("read").len(), kept + 1);
}

#[test]
fn a_group_too_large_is_refused_and_the_log_goes_on() {
    let disk = Disk::new(1);
    let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    group.begin_private();
    group.private(binlog::event::PrivateKind(b'X'), &vec![7; 65 << 10]);
    group.end_private();
    let result = log.append(&mut group, |_| panic!("the order is not taken"));
    assert!(matches!(result, Err(LogError::GroupTooLarge { .. })));
    group.clear();
    append(&log, &mut group, 1).expect("append");
}

#[test]
fn a_log_that_must_reach_a_checkpoint_says_what_is_missing() {
    let disk = Disk::new(1);
    let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    let placed = append(&log, &mut group, 1).expect("append");
    log.force(placed.end).expect("force");
    drop(log);
    let open = |from| Log::open(disk.snapshot().dir(), nasty(1), Some(from)).map(|_| ());
    assert!(matches!(open(LogPos::new(2, 4)), Err(LogError::MissingSegment { .. })));
    let inside = LogPos::new(1, placed.end.offset - 31);
    assert!(matches!(open(inside), Err(LogError::Position { .. })));
    let beyond = LogPos::new(1, placed.end.offset + 100);
    assert!(matches!(open(beyond), Err(LogError::Position { .. })));
    assert!(open(placed.end).is_ok() && open(placed.begin).is_ok());
}

#[test]
fn opening_twice_without_a_write_between_keeps_everything() {
    let disk = Disk::new(1);
    let mut group = GroupBuilder::new(SERVER, 1024);
    for round in 1..=5 {
        let (log, report) = Log::open(disk.dir(), nasty(1), None).expect("open");
        assert_eq!(matches!(report.tail, Tail::Empty), round == 1);
        assert_eq!(read_all(&log, LogPos::new(1, 0)).expect("read").len(), round as usize - 1);
        let placed = append(&log, &mut group, round).expect("append");
        log.force(placed.end).expect("force");
    }
}

#[test]
fn the_index_is_rebuilt_when_it_is_missing_and_checked_when_it_is_not() {
    let disk = Disk::new(1);
    let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    for number in 1..=20 {
        let placed = append(&log, &mut group, number).expect("append");
        log.force(placed.end).expect("force");
    }
    drop(log);
    let without = disk.snapshot();
    without.dir().remove("binlog.index").expect("remove");
    let (log, _) = Log::open(without.dir(), nasty(1), None).expect("open");
    assert_eq!(read_all(&log, LogPos::new(1, 0)).expect("read").len(), 20);
    let gap = disk.snapshot();
    gap.dir().remove("binlog.000002").expect("remove");
    let missing = Log::open(gap.dir(), nasty(1), None);
    assert!(matches!(missing, Err(LogError::MissingSegment { file, .. }) if file == "binlog.000002"));
    let bad = disk.snapshot();
    let mode = OpenMode { create: Create::Never, write: true, direct: false };
    let index = bad.dir().open("binlog.index", mode).expect("open");
    index.write_all_at(b"./binlog.00000x\n", 0).expect("write");
    assert!(matches!(Log::open(bad.dir(), nasty(1), None), Err(LogError::Index { line: 1, .. })));
}

/// One failing call anywhere in a run. What was acknowledged is there after a restart; and what a restart finds is there
/// for good, although the kernel may have shown it bytes that the disk never got.
#[test]
fn any_single_failure_loses_nothing() {
    let mut failures = 0;
    for call in [Call::Write, Call::Sync, Call::SetLen, Call::Names, Call::SyncNames] {
        for skipped in 0..60 {
            let disk = Disk::new(skipped);
            disk.set_faults(with_plan(vec![Fault::eio(call).after(skipped).times(1)]));
            let mut forced = 0;
            let opened = Log::open(disk.dir(), nasty(1), None);
            if let Ok((log, _)) = opened {
                let mut group = GroupBuilder::new(SERVER, 1024);
                let failed = (1..=30).find(|number| {
                    let step = append(&log, &mut group, *number).and_then(|placed| {
                        log.force(placed.end)?;
                        forced += 1;
                        if number % 10 == 0 {
                            log.purge_before(LogPos::new(1, 4)).map(|_| ())
                        } else {
                            Ok(())
                        }
                    });
                    step.is_err()
                });
                if failed.is_none() {
                    break;
                }
                // A purge that failed is not the log's end; everything else is.
                if failed.is_some_and(|number| number % 10 != 0) {
                    assert!(log.seal().is_err(), "{call:?} {skipped}: the log goes on after a failure");
                }
            }
            failures += 1;
            disk.set_faults(Faults::default());
            for crash in 0..4 {
                let restarted = disk.after_kill();
                let (log, report) = Log::open(restarted.dir(), nasty(1), None)
                    .unwrap_or_else(|error| panic!("{call:?} {skipped}: {error}"));
                let found = read_all(&log, LogPos::new(1, 0)).expect("read");
                assert!(found.len() >= forced, "{call:?} {skipped}: {forced} forced: {report:?}");
                let (log, _) = Log::open(restarted.after_crash(crash).dir(), nasty(1), None).expect("open");
                assert_eq!(
                    read_all(&log, LogPos::new(1, 0)).expect("read"),
                    found,
                    "{call:?} {skipped} {crash}"
                );
            }
        }
    }
    assert!(failures > 100, "{failures}");
}
