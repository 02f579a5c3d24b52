//! Damage of single bytes, everywhere: reported with file and offset, or, only where a force was never known to have
//! ended, dropped with the round that it is in. Nothing wrong is ever returned.

mod support;

use binlog::{Group, GroupBuilder, Log, LogError, LogPos, Tail, examine};
use platform::sim::Disk;
use support::*;

/// A log with several segments, forced up to its end, the last segment still open.
fn filled(seed: u64) -> (Disk, Log, Vec<Group>) {
    let disk = Disk::new(seed);
    let (log, _) = Log::open(disk.dir(), nasty(seed), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    for number in 1..=14 {
        let placed = append(&log, &mut group, number).expect("append");
        log.force(placed.end).expect("force");
    }
    let groups = read_all(&log, LogPos::new(1, 0)).expect("read");
    (disk, log, groups)
}

fn files(disk: &Disk) -> Vec<(String, u64)> {
    let dir = disk.dir();
    let names = dir.list().expect("list").into_iter();
    names
        .map(|name| {
            let file = dir.open(&name, platform::file::OpenMode::READ).expect("open");
            let length = file.len().expect("length");
            (name, length)
        })
        .collect()
}

/// What a reader of a damaged log gets before its error, if any.
fn read_damaged(disk: &Disk, limit: LogPos) -> (Vec<Group>, Option<LogError>) {
    let mut reader = binlog::Reader::new(disk.dir(), "binlog", LogPos::new(1, 0), limit);
    let mut groups = Vec::new();
    loop {
        match reader.next_group() {
            Ok(Some(group)) => groups.push(group),
            Ok(None) => return (groups, None),
            Err(error) => return (groups, Some(error)),
        }
    }
}

/// The file and offset that an error names.
fn place(error: &LogError) -> Option<(String, u64)> {
    match error {
        LogError::Damaged(damage) | LogError::Rot { damage, .. } => {
            Some((damage.file.clone(), damage.offset))
        }
        LogError::Index { .. } => Some(("binlog.index".into(), 0)),
        LogError::MissingSegment { file, .. } => Some((file.clone(), 0)),
        _ => None,
    }
}

/// Damages each `stride`-th byte in turn, in three ways, and gives each damaged disk to `check`.
fn damage_everywhere(disk: &Disk, stride: usize, mut check: impl FnMut(&Disk, &str, u64)) {
    let ways: [fn(u8) -> u8; 3] = [|byte| byte ^ 1, |byte| byte ^ 0xFF, |byte| byte ^ 0x10];
    for (name, length) in files(disk) {
        for offset in (0..length).step_by(stride) {
            let way = ways[(offset % 3) as usize];
            let copy = disk.snapshot();
            assert!(copy.damage(&name, offset, way), "{name} {offset}");
            check(&copy, &name, offset);
        }
    }
}

#[test]
fn a_reader_reports_or_is_not_concerned() {
    let (disk, log, groups) = filled(1);
    let limit = log.durable();
    let mut reported = 0;
    damage_everywhere(&disk, 2, |damaged, name, offset| {
        let (found, error) = read_damaged(damaged, limit);
        assert_eq!(found, groups[..found.len()], "{name} {offset}");
        match error {
            Some(error) => {
                let (file, at) = place(&error).unwrap_or_else(|| panic!("{name} {offset}: {error}"));
                assert_eq!(file, name, "{offset}: {error}");
                assert!(at <= offset, "{name} {offset}: {error}");
                reported += 1;
            }
            // Space not written yet, the in-use flag, which no sum covers, or the index.
            None => {
                let unwritten =
                    name == format!("binlog.{:06}", limit.file) && offset >= u64::from(limit.offset);
                assert!(
                    unwritten || offset == 21 || name == "binlog.index",
                    "{name} {offset} went unnoticed"
                );
                assert_eq!(found.len(), groups.len());
            }
        }
    });
    assert!(reported > 1_000, "most bytes are covered: {reported}");
}

#[test]
fn opening_a_sealed_log_refuses_any_damage_with_file_and_offset() {
    let (disk, log, groups) = filled(2);
    log.seal().expect("seal");
    let end = log.durable();
    drop(log);
    damage_everywhere(&disk, 7, |damaged, name, offset| {
        // From the start, as after a long time without checkpoint.
        match examine(&*damaged.dir(), "binlog", Some(LogPos::new(1, 4))) {
            Ok(report) => {
                assert!(report.groups == groups.len() as u64, "{name} {offset} lost groups: {report:?}");
                let last = name == format!("binlog.{:06}", end.file);
                // The seal is a round of nothing; behind it is space never written.
                let in_seal = last && offset >= u64::from(end.offset) - 52;
                assert!(in_seal || offset == 21, "{name} {offset} went unnoticed: {report:?}");
            }
            Err(error) => {
                let (file, at) = place(&error).unwrap_or_else(|| panic!("{name} {offset}: {error}"));
                // Damage of the index shows as a segment too many or too few.
                assert!(file == name || name == "binlog.index", "{name} {offset}: {error}");
                // A cleared in-use flag shows where the segment has no end.
                assert!(at <= offset || offset == 21 || name == "binlog.index", "{name} {offset}: {error}");
            }
        }
    });
}

#[test]
fn opening_an_unsealed_log_drops_at_most_the_last_round() {
    let (disk, log, groups) = filled(3);
    let end = log.durable();
    drop(log);
    let last_round = groups.last().expect("some").begin;
    let (mut refused, mut dropped) = (0, 0);
    damage_everywhere(&disk, 7, |damaged, name, offset| {
        if name != format!("binlog.{:06}", end.file) || offset >= u64::from(end.offset) {
            return;
        }
        match examine(&*damaged.dir(), "binlog", Some(LogPos::new(1, 4))) {
            Ok(report) if report.groups == groups.len() as u64 => assert_eq!(offset, 21),
            Ok(report) => {
                assert!(matches!(report.tail, Tail::Torn(_)));
                assert!(offset + 52 >= u64::from(last_round.offset), "{offset}: {report:?}");
                dropped += 1;
            }
            Err(_) => refused += 1,
        }
    });
    assert!(refused > 10 * dropped, "{refused} refused, {dropped} dropped");
}

#[test]
fn a_closed_log_refuses_any_damage() {
    let (disk, log, groups) = filled(4);
    log.close().expect("close");
    drop(log);
    damage_everywhere(&disk, 7, |damaged, name, offset| {
        match examine(&*damaged.dir(), "binlog", Some(LogPos::new(1, 4))) {
            Ok(report) => {
                assert_eq!(report.groups, groups.len() as u64);
                assert!(offset == 21, "{name} {offset} went unnoticed");
            }
            Err(error) => assert!(place(&error).is_some(), "{name} {offset}: {error}"),
        }
    });
}
