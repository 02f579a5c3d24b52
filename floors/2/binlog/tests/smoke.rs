//! The log from end to end on a disk that does no harm.

mod support;

use binlog::{GroupBuilder, Log, LogError, LogPos, Tail, examine};
use platform::sim::Disk;
use support::*;

#[test]
fn groups_come_back_whole_in_order_and_across_segments() {
    let disk = Disk::new(1);
    let (log, report) = Log::open(disk.dir(), nasty(1), None).expect("create");
    assert_eq!(report.tail, Tail::Empty);
    let mut group = GroupBuilder::new(SERVER, 1024);
    let mut placed = Vec::new();
    for number in 1..=60 {
        placed.push(append(&log, &mut group, number).expect("append"));
        if number % 7 == 0 {
            log.force(placed.last().expect("some").end).expect("force");
        }
    }
    log.force(log.end()).expect("force");
    assert!(log.segments().len() > 5, "the nasty options rotate often: {:?}", log.segments());
    let groups = read_all(&log, LogPos::new(1, 0)).expect("read");
    assert_eq!(groups.len(), 60);
    for (index, (group, placed)) in groups.iter().zip(&placed).enumerate() {
        let number = index as u64 + 1;
        assert_eq!((group.begin, group.end, group.gtid), (placed.begin, placed.end, placed.gtid));
        assert_eq!(group.commit_no, number);
        assert_eq!(content(group), expected(number));
    }
    // Private groups take no GTID.
    assert_eq!(log.gtid_state().to_string(), "0-7-50");
    assert_eq!(log.gtid_state_at(placed[30].end).expect("state").to_string(), "0-7-26");
    for (segment, after) in [(2, 9), (5, 30)] {
        let state = log.gtid_state_at(placed[after].end).expect("state");
        let start = log.start_for(&state).expect("start").expect("nothing was purged");
        assert!(start.file >= segment && start <= placed[after].end, "{start}");
        let mut missed = read_all(&log, LogPos::new(1, 0)).expect("read");
        missed.retain(|group| group.end < start);
        assert!(missed.iter().filter_map(|group| group.gtid).all(|gtid| state.contains(gtid)));
    }
    assert_eq!(log.start_for(&Default::default()).expect("start"), Some(LogPos::new(1, 4)));
    log.close().expect("close");
    assert_eq!(binlog::verify(&*disk.dir(), "binlog").expect("verify").groups, 60);
    assert!(matches!(append(&log, &mut group, 61), Err(LogError::Closed)));
    // A refused group stays as it is, to be tried again or dropped.
    group.clear();
    drop(log);

    let report = examine(&*disk.dir(), "binlog", Some(placed[3].end)).expect("examine");
    assert_eq!(report.tail, Tail::Closed);
    assert_eq!(report.last_commit_no, 60);
    let (log, report) = Log::open(disk.dir(), nasty(1), Some(placed[3].end)).expect("open");
    assert_eq!(report.gtids.to_string(), "0-7-50");
    let again = read_all(&log, placed[3].end).expect("read");
    assert_eq!(again, groups[4..]);
    let next = append(&log, &mut group, 63).expect("append");
    assert_eq!(next.gtid.map(|gtid| gtid.seq_no), Some(51));
    log.force(next.end).expect("force");
    assert_eq!(read_all(&log, placed[3].end).expect("read").len(), 57);
}

#[test]
fn purge_removes_the_oldest_segments_only() {
    let disk = Disk::new(1);
    let (log, _) = Log::open(disk.dir(), nasty(1), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 1024);
    for number in 1..=60 {
        let placed = append(&log, &mut group, number).expect("append");
        log.force(placed.end).expect("force");
    }
    let before = log.segments();
    let keep = before[3].number;
    assert_eq!(log.purge_before(LogPos::new(keep, 4)).expect("purge"), 3);
    assert_eq!(log.segments().first().map(|segment| segment.number), Some(keep));
    assert!(!disk.dir().exists("binlog.000001").expect("exists"));
    drop(log);
    let (log, report) = Log::open(disk.dir(), nasty(1), Some(LogPos::new(keep, 4))).expect("open");
    assert_eq!(report.segments.first(), Some(&keep));
    assert!(log.purge_before(LogPos::new(1 << 20, 4)).expect("purge") > 0, "the one written to stays");
    assert_eq!(log.segments().len(), 1);
    assert_eq!(log.start_for(&Default::default()).expect("start"), None, "what it lacks was purged");
}
