//! The table of `docs/recovery.md`, row by row.

mod support;

use binlog::event::MARK_BYTES;
use binlog::{GroupBuilder, Log, LogError, LogPos, Options, Placed, Tail, examine};
use platform::file::{File, OpenMode, SECTOR};
use platform::sim::Disk;
use std::sync::Arc;
use support::*;

const FIRST: &str = "binlog.000001";
const SECOND: &str = "binlog.000002";

/// Rounds of several sectors, all in one segment.
fn roomy() -> Options {
    let mut options = nasty(9);
    options.max_segment_bytes = 256 << 10;
    options.preallocate_bytes = 32 << 10;
    options.max_round_bytes = 16 << 10;
    options
}

/// A log of three rounds, one group each, still open.
struct Case {
    disk: Disk,
    rounds: Vec<Placed>,
}

impl Case {
    fn new() -> Case {
        Case::with(roomy(), |_| {})
    }

    /// A last round none of whose sectors ends with a zero.
    fn without_zeros() -> Case {
        let case = |last| Case::of([3, 9, last], roomy(), |_| {});
        let has_none = |case: &Case| {
            let first = (case.start(2) + 1).next_multiple_of(SECTOR as u64);
            let mut ends = (first..case.end(2)).step_by(SECTOR).chain([case.end(2)]);
            ends.all(|end| case.read(FIRST, end - 1, 1) != [0])
        };
        (15..600).filter(|last| last % 6 < 3).map(case).find(has_none).expect("one of them")
    }

    fn with(options: Options, last: impl FnOnce(&Log)) -> Case {
        Case::of([3, 9, 15], options, last)
    }

    fn of(numbers: [u64; 3], options: Options, last: impl FnOnce(&Log)) -> Case {
        let disk = Disk::new(9);
        let (log, _) = Log::open(disk.dir(), options, None).expect("create");
        let mut group = GroupBuilder::new(SERVER, 1024);
        let rounds = numbers
            .map(|number| {
                let placed = append(&log, &mut group, number).expect("append");
                log.force(placed.end).expect("force");
                placed
            })
            .to_vec();
        last(&log);
        Case { disk, rounds }
    }

    fn file(&self, name: &str) -> Arc<dyn File> {
        self.disk.dir().open(name, OpenMode::WRITE).expect("open")
    }

    /// Where round `index` begins: at its mark.
    fn start(&self, index: usize) -> u64 {
        u64::from(self.rounds[index].begin.offset) - MARK_BYTES as u64
    }

    fn end(&self, index: usize) -> u64 {
        u64::from(self.rounds[index].end.offset)
    }

    fn write(&self, name: &str, offset: u64, bytes: &[u8]) {
        self.file(name).write_all_at(bytes, offset).expect("write");
    }

    fn read(&self, name: &str, offset: u64, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.file(name).read_exact_at(&mut bytes, offset).expect("read");
        bytes
    }

    /// Zeros from `offset` to the end of its sector: a lost or torn sector of reserved space.
    fn lose(&self, name: &str, offset: u64) {
        let length = SECTOR - offset as usize % SECTOR;
        self.write(name, offset, &vec![0; length]);
    }

    /// The first whole sector inside round `index`.
    fn sector(&self, index: usize) -> u64 {
        (self.start(index) + MARK_BYTES as u64).next_multiple_of(SECTOR as u64)
    }

    fn examine(&self) -> Result<Tail, LogError> {
        examine(&*self.disk.dir(), "binlog", None).map(|report| report.tail)
    }

    /// The log opens, keeps `groups` groups, and does so again after the repair.
    fn opens(&self, tail: impl Fn(&Tail) -> bool, groups: usize) {
        let found = self.examine().unwrap_or_else(|error| panic!("{error}"));
        assert!(tail(&found), "{found:?}");
        let before = self.disk.operations();
        let _ = self.examine();
        assert_eq!(self.disk.operations(), before, "deciding changes nothing");
        for _ in 0..2 {
            let (log, _) = Log::open(self.disk.dir(), roomy(), None).expect("open");
            assert_eq!(read_all(&log, LogPos::new(1, 0)).expect("read").len(), groups);
        }
    }

    /// The log is refused with this evidence; opening says the same and changes nothing.
    fn is_rot(&self, words: &str) {
        let error = self.examine().expect_err("rot");
        assert!(matches!(error, LogError::Rot { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        let before = self.disk.operations();
        assert!(Log::open(self.disk.dir(), roomy(), None).is_err());
        assert_eq!(self.disk.operations(), before);
    }
}

fn rotate(log: &Log) {
    log.rotate().expect("rotate");
}

fn is_torn(tail: &Tail) -> bool {
    matches!(tail, Tail::Torn(_))
}

fn is_empty(tail: &Tail) -> bool {
    *tail == Tail::Empty
}

#[test]
fn rows_1_to_3_nothing_or_a_beginning_cut_short() {
    let fresh = Case { disk: Disk::new(1), rounds: Vec::new() };
    fresh.opens(is_empty, 0);
    for written in [0, 1, 100, 300, 380] {
        let case = Case { disk: Disk::new(1), rounds: Vec::new() };
        let head = Case::new().read(FIRST, 0, written);
        case.disk.dir().open(FIRST, OpenMode::NEW).expect("create").set_len(8192).expect("grow");
        case.write(FIRST, 0, &head);
        case.opens(is_empty, 0);
    }
}

#[test]
fn row_4_a_flipped_bit_in_a_head() {
    for offset in [0, 30, 270, 300] {
        let case = Case { disk: Disk::new(1), rounds: Vec::new() };
        let mut head = Case::new().read(FIRST, 0, 380);
        head[offset] ^= 1;
        case.disk.dir().open(FIRST, OpenMode::NEW).expect("create").set_len(8192).expect("grow");
        case.write(FIRST, 0, &head);
        case.is_rot("one flipped bit");
    }
}

#[test]
fn row_5_a_broken_head_with_a_round_behind() {
    let case = Case::new();
    case.write(FIRST, 0, &[0; 300]);
    case.is_rot("was begun after this head was forced");
}

#[test]
fn row_6_and_8_the_head_of_the_next_segment() {
    let case = Case::with(roomy(), rotate);
    // All of it missing, and a part of it.
    for from in [0, 260] {
        let case = Case { disk: case.disk.snapshot(), rounds: case.rounds.clone() };
        case.write(SECOND, from, &[0; 400]);
        case.opens(|tail| *tail == Tail::BetweenSegments, 3);
    }
    // Prepared while the segment before goes on.
    let case = Case::new();
    case.disk.dir().open(SECOND, OpenMode::NEW).expect("create").set_len(4096).expect("grow");
    case.opens(|tail| *tail == Tail::Clean, 3);
}

#[test]
fn row_7_a_segment_begun_before_the_one_before_ended() {
    let case = Case::new();
    case.disk.dir().open(SECOND, OpenMode::NEW).expect("create").set_len(4096).expect("grow");
    case.write(SECOND, 0, &[1, 2, 3]);
    case.is_rot("the next segment exists");
}

#[test]
fn two_segments_that_were_never_begun() {
    let case = Case::new();
    for name in [SECOND, "binlog.000003"] {
        case.disk.dir().open(name, OpenMode::NEW).expect("create").set_len(4096).expect("grow");
    }
    // The index knows of neither; without it the segments themselves tell.
    assert!(matches!(case.examine(), Err(LogError::Index { line: 2, .. })));
    case.disk.dir().remove("binlog.index").expect("remove");
    case.is_rot("which is prepared after this head was forced");
}

#[test]
fn row_9_the_oldest_segment_after_a_purge() {
    let case = Case::with(roomy(), |log| {
        let begun = log.rotate().expect("rotate");
        log.purge_before(begun).expect("purge");
    });
    case.file(SECOND).set_len(0).expect("cut");
    case.is_rot("those before it were purged");
}

#[test]
fn rows_10_to_12_ended_segments() {
    let closed = || Case::with(roomy(), |log| log.close().expect("close"));
    closed().opens(|tail| *tail == Tail::Closed, 3);
    let rotated = || {
        let case = Case::with(roomy(), rotate);
        case.disk.dir().remove(SECOND).expect("remove");
        case.disk.dir().remove("binlog.index").expect("remove");
        case
    };
    rotated().opens(|tail| *tail == Tail::BetweenSegments, 3);
    for case in [closed(), rotated()] {
        let file = case.file(FIRST);
        let length = file.len().expect("length");
        file.set_len(length + 5000).expect("grow");
        let kept = Case { disk: case.disk.snapshot(), rounds: Vec::new() };
        kept.opens(|tail| matches!(tail, Tail::Closed | Tail::BetweenSegments), 3);
        case.write(FIRST, length + 4000, &[1]);
        case.is_rot("nothing is written to a segment that has ended");
    }
}

#[test]
fn row_13_a_whole_last_round() {
    let case = Case::new();
    case.opens(|tail| *tail == Tail::Clean, 3);
    let case = Case::new();
    case.file(FIRST).set_len(case.end(2)).expect("cut");
    case.opens(|tail| *tail == Tail::Clean, 3);
}

#[test]
fn rows_14_to_16_a_torn_last_round() {
    for torn_from in [0, 1, 17, 511] {
        let case = Case::new();
        case.lose(FIRST, case.sector(2) + torn_from);
        case.opens(is_torn, 2);
    }
    // Only its last byte: torn, unless one bit was all that it had.
    let case = Case::new();
    let last = case.read(FIRST, case.end(2) - 1, 1)[0];
    assert!(last.count_ones() > 1, "the checksum's last byte suits the test");
    case.write(FIRST, case.end(2) - 1, &[0]);
    case.opens(is_torn, 2);
    let case = Case::new();
    let (from, to) = (case.sector(2), case.sector(2) + 2 * SECTOR as u64);
    let moved = case.read(FIRST, from, SECTOR);
    case.lose(FIRST, from);
    case.write(FIRST, to, &moved);
    case.opens(is_torn, 2);
    let case = Case::new();
    case.file(FIRST).set_len(case.end(2) - 3).expect("cut");
    case.opens(is_torn, 2);
    // The report says where.
    let case = Case::new();
    case.lose(FIRST, case.sector(2));
    let Ok(Tail::Torn(cut)) = case.examine() else { panic!("torn") };
    assert_eq!(u64::from(cut.at.offset), case.start(2));
    assert_eq!((cut.damage.file.as_str(), cut.bytes), (FIRST, case.end(2) - case.start(2)));
    assert!((case.start(2)..case.end(2)).contains(&cut.damage.offset));
}

#[test]
fn row_17_and_18_damage_before_a_later_round() {
    let case = Case::new();
    case.lose(FIRST, case.sector(1));
    case.is_rot("was begun after this round was forced");
    // The later round's mark is gone too; its bytes are not.
    case.write(FIRST, case.start(2), &[0; MARK_BYTES]);
    case.is_rot("was written after this round was forced");
}

#[test]
fn row_19_and_20_the_last_round_arrived() {
    let case = Case::without_zeros();
    let at = case.start(2) + MARK_BYTES as u64 + 100;
    case.write(FIRST, at, &[0xEE, 0xEE]);
    case.is_rot("all sectors of its round were written");
    // A sector is missing as well, but further on: the first break is one flipped bit.
    let case = Case::new();
    let gtid = case.start(2) + MARK_BYTES as u64 + 20;
    let byte = case.read(FIRST, gtid, 1)[0];
    case.write(FIRST, gtid, &[byte ^ 4]);
    case.lose(FIRST, case.sector(2) + 2 * SECTOR as u64);
    case.is_rot("one flipped bit");
}

#[test]
fn rows_21_to_23_a_lost_mark() {
    let case = Case::new();
    case.write(FIRST, case.start(2), &[0; MARK_BYTES]);
    case.opens(is_torn, 2);
    let case = Case::new();
    case.write(FIRST, case.start(2), &[0xEE; MARK_BYTES]);
    case.opens(is_torn, 2);
    let case = Case::new();
    case.write(FIRST, case.start(1), &[0; MARK_BYTES]);
    case.is_rot("was begun after this place was forced");
    let case = Case::new();
    case.write(FIRST, case.start(2), &[0; MARK_BYTES]);
    let far = case.start(2) + (16 << 10) + (64 << 10) + 4096 + SECTOR as u64;
    case.file(FIRST).set_len(far + 10).expect("grow");
    case.write(FIRST, far, &[1]);
    case.is_rot("further away than any round is long");
}

#[test]
fn row_24_and_25_a_segment_that_had_ended() {
    let case = Case::with(roomy(), rotate);
    case.lose(FIRST, case.sector(2));
    case.is_rot("the next segment exists");
    let case = Case::new();
    case.lose(FIRST, case.sector(2));
    case.write(FIRST, 21, &[0]);
    case.is_rot("its in-use flag is clear");
}

#[test]
fn row_26_good_events_in_the_wrong_place() {
    // A segment of another log in between.
    let other = Case::with(Options { key: Some(77), ..roomy() }, rotate);
    let case = Case::with(roomy(), rotate);
    let length = case.file(SECOND).len().expect("length") as usize;
    case.write(SECOND, 0, &other.read(SECOND, 0, length));
    case.is_rot("do not belong together");
    // A segment under another's name.
    let case = Case::with(roomy(), rotate);
    let first = case.read(FIRST, 0, case.end(2) as usize);
    case.write(SECOND, 0, &first);
    case.is_rot("a good event stands in the wrong place");
}

#[test]
fn row_27_to_29_refusals_that_name_what_is_missing() {
    let case = Case::with(roomy(), |log| {
        log.rotate().expect("rotate");
        log.rotate().expect("rotate");
    });
    let without = Case { disk: case.disk.snapshot(), rounds: Vec::new() };
    without.disk.dir().remove(SECOND).expect("remove");
    assert!(matches!(without.examine(), Err(LogError::MissingSegment { file, .. }) if file == SECOND));
    let index = Case { disk: case.disk.snapshot(), rounds: Vec::new() };
    index.write("binlog.index", 16, b"./binlog.000009\n");
    assert!(matches!(index.examine(), Err(LogError::Index { line: 2, .. })));
    let beyond = LogPos::new(3, 9999);
    let error = examine(&*case.disk.dir(), "binlog", Some(beyond)).expect_err("beyond the end");
    assert!(matches!(error, LogError::Position { position, .. } if position == beyond));
}
