//! Logs built event by event.

use super::*;
use crate::scan::SLICE_BYTES;
use ::binlog::event::{event_checksum, flags};
use platform::file::OpenMode;
use platform::sim::Disk;

/// A log of so many events of different lengths; where each begins.
fn log(version: &str, checksums: bool, in_use: bool, events: u32) -> (Vec<u8>, Vec<u64>) {
    let mut file = MAGIC.to_vec();
    let mut places = Vec::new();
    let mut body = 4_u16.to_le_bytes().to_vec();
    let mut text = version.as_bytes().to_vec();
    text.resize(VERSION_BYTES, 0);
    body.extend_from_slice(&text);
    body.extend_from_slice(&[0, 0, 0, 0, 19]);
    body.extend_from_slice(&[0; 40]);
    if has_algorithm(version) {
        body.push(u8::from(checksums));
    }
    let first_flags = if in_use { flags::IN_USE } else { 0 };
    push(&mut file, EventKind::FORMAT_DESCRIPTION, first_flags, &body, has_algorithm(version));
    for n in 0..events {
        places.push(file.len() as u64);
        let body: Vec<u8> = (0..20 + n * 37 % 1500).map(|k| (k * 31 + n) as u8).collect();
        push(&mut file, EventKind::QUERY, 0, &body, checksums);
    }
    (file, places)
}

fn push(file: &mut Vec<u8>, kind: EventKind, flags: u16, body: &[u8], with_sum: bool) {
    let length = HEADER_BYTES + body.len() + if with_sum { CRC_BYTES } else { 0 };
    let end = (file.len() + length) as u32;
    let header = Header { timestamp: 1, kind, server_id: 1, length: length as u32, end, flags };
    let mut event = header.encode().to_vec();
    event.extend_from_slice(body);
    if with_sum {
        let sum = event_checksum(&event);
        event.extend_from_slice(&sum.to_le_bytes());
    }
    file.extend_from_slice(&event);
}

fn check(bytes: &[u8]) -> FileReport {
    let disk = Disk::new(1);
    let file = disk.dir().open("log", OpenMode::NEW).expect("open");
    file.write_all_at(bytes, 0).expect("write");
    let dialect = recognise(bytes).expect("a log");
    let job = BinlogJob::new(file, "log".into(), bytes.len() as u64, dialect);
    job.run(0, &mut Scratch { buffer: vec![0; SLICE_BYTES] }, &Progress::default());
    job.conclude()
}

fn kinds(report: &FileReport) -> Vec<Kind> {
    report.findings.iter().map(|finding| finding.kind).collect()
}

const MARIADB: &str = "10.11.19-MariaDB-log";

#[test]
fn sound_logs_of_all_dialects_pass() {
    for (version, checksums) in [
        (MARIADB, true),
        (MARIADB, false),
        ("8.0.36", true),
        ("8.4.2", false),
        ("5.1.73-log", false),
        ("5.5.62", false),
        ("5.6.1", true),
    ] {
        let (file, places) = log(version, checksums, false, 1000);
        let report = check(&file);
        assert_eq!(
            (kinds(&report), report.units),
            (vec![], places.len() as u64 + 1),
            "{version}: {report:?}"
        );
        assert_eq!(report.opaque > 0, !checksums, "{version}");
    }
}

#[test]
fn each_harm_has_its_kind_and_the_walk_goes_on() {
    let (file, places) = log(MARIADB, true, false, 600);
    let (from, to) = (places[300] as usize, places[301] as usize);
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut copy = file.clone();
        change(&mut copy);
        let report = check(&copy);
        assert!(report.findings.iter().all(|found| found.from >= from as u64), "{report:?}");
        (kinds(&report), report.units)
    };
    let others = places.len() as u64;
    for byte in [from, from + 4, from + 20, to - 5, to - 1] {
        assert_eq!(with(&|file| file[byte] ^= 2), (vec![Kind::BitFlip], others), "byte {}", byte - from);
    }
    // Each bit of the length.
    for bit in 0..32 {
        let (kinds, units) = with(&|file| file[from + 9 + bit / 8] ^= 1 << (bit % 8));
        assert_eq!((kinds.len(), units), (1, others), "bit {bit}");
        assert_eq!(kinds[0], Kind::BitFlip, "bit {bit}");
    }
    assert_eq!(with(&|file| file[from + 30..from + 40].fill(0xEE)), (vec![Kind::Content], others));
    assert_eq!(with(&|file| file[from..to].fill(0)), (vec![Kind::Zeroed], others));
    assert_eq!(with(&|file| file.truncate(to - 3)).0, [Kind::Torn]);
    let two = with(&|file| {
        file[from + 30] ^= 1;
        file[places[400] as usize + 30] ^= 1;
    });
    assert_eq!(two.0, [Kind::BitFlip, Kind::BitFlip]);
    // An event of another place: all right but where it ends.
    let moved = with(&|file| {
        let event = file[places[10] as usize..places[11] as usize].to_vec();
        file.splice(from..to, event);
        file.truncate(from + (places[11] - places[10]) as usize);
    });
    assert_eq!(moved.0, [Kind::Misdirected]);
}

#[test]
fn a_torn_tail_of_a_log_in_use_is_said_and_no_damage() {
    let (file, places) = log(MARIADB, true, true, 50);
    for cut in [1, 10, 18, 19, 30] {
        let report = check(&file[..places[49] as usize + cut]);
        assert_eq!((kinds(&report), report.notes.len()), (vec![], 1), "{cut}: {report:?}");
    }
    let mut reserved = file.clone();
    reserved.resize(file.len() + 100_000, 0);
    let report = check(&reserved);
    assert!(kinds(&report).is_empty() && report.notes[0].contains("reserved"), "{report:?}");
    // A bit in the middle, though, no crash flips; nor in the last event.
    for place in [20, 49] {
        let mut flipped = file.clone();
        flipped[places[place] as usize + 25] ^= 1;
        assert_eq!(kinds(&check(&flipped)), [Kind::BitFlip]);
    }
}

#[test]
fn encrypted_logs_are_said_to_be() {
    let report = check(b"\xFDbin and what follows");
    assert!(kinds(&report).is_empty() && report.notes.len() == 1);
    assert_eq!(recognise(b"\xFEbi"), None);
}

/// Any bytes behind the magic number: an answer, never a panic.
#[test]
fn any_bytes_are_walked() {
    let (file, _) = log(MARIADB, true, true, 40);
    let mut state = 7_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    for _ in 0..60 {
        let mut copy = file.clone();
        // A log that was closed needs no patience.
        copy[21] &= !1;
        for _ in 0..1 + next() % 8 {
            let at = 4 + next() as usize % (copy.len() - 4);
            copy[at] = next() as u8;
        }
        copy.truncate(5 + next() as usize % copy.len());
        let _ = check(&copy);
    }
}
