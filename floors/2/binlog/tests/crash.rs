//! A recorded run of appends, forces, seals, rotations and purges, crashed at every operation with many seeds.
//!
//! What must hold after each crash: the log opens; every group forced before it is there, whole, in order, at its
//! place; of the others a prefix is there, each whole; the log takes new groups. A crash while the log is opened again
//! changes nothing of this. `BINLOG_CRASH_RUNS` and `BINLOG_CRASH_SEEDS` set the number of runs and of seeds for each
//! operation.

mod support;

use binlog::{Group, GroupBuilder, Log, LogPos};
use platform::sim::{Disk, Faults, Recording, Rng};
use support::*;

/// What a run did.
struct Run {
    seed: u64,
    recording: Recording,
    /// All groups in order.
    groups: Vec<Group>,
    /// After so many operations of the disk, so many groups were forced.
    forced: Vec<(u64, usize)>,
    /// After so many operations, a purge of everything before this segment began.
    purges: Vec<(u64, u32)>,
}

impl Run {
    fn forced_at(&self, operations: u64) -> usize {
        self.forced.iter().filter(|(at, _)| *at <= operations).map(|(_, count)| *count).max().unwrap_or(0)
    }

    fn oldest_at(&self, operations: u64) -> u32 {
        self.purges.iter().filter(|(at, _)| *at <= operations).map(|(_, file)| *file).max().unwrap_or(1)
    }
}

fn run(seed: u64, faults: Faults) -> Run {
    let disk = Disk::new(seed);
    disk.set_faults(faults);
    disk.record();
    let mut rng = Rng::new(seed);
    let (log, _) = Log::open(disk.dir(), nasty(seed), None).expect("create");
    let mut group = GroupBuilder::new(SERVER, 512 << rng.below(3));
    let (mut groups, mut forced, mut purges) = (Vec::new(), Vec::new(), Vec::new());
    let mut number = rng.below(6);
    let mut read_upto = LogPos::new(1, 0);
    for _ in 0..14 {
        for _ in 0..=rng.below(4) {
            number += 1;
            append(&log, &mut group, number).expect("append");
        }
        match rng.below(8) {
            0 => log.rotate().map(|_| ()).expect("rotate"),
            1 => log.seal().expect("seal"),
            _ => {}
        }
        log.force(log.end()).expect("force");
        groups.extend(read_all(&log, read_upto).expect("read"));
        read_upto = log.durable();
        forced.push((disk.operations(), groups.len()));
        if rng.one_in(8) {
            purges.push((disk.operations(), read_upto.file));
            log.purge_before(read_upto).expect("purge");
        }
    }
    if rng.one_in(2) {
        log.close().expect("close");
    }
    let recording = disk.stop_recording().expect("recording");
    Run { seed, recording, groups, forced, purges }
}

/// Opens the log on `disk`, which crashed behind operation `operations` of the run, and checks everything.
fn check(disk: &Disk, run: &Run, operations: u64) -> Result<(), String> {
    let (log, report) =
        Log::open(disk.dir(), nasty(run.seed), None).map_err(|error| format!("open: {error}"))?;
    let first = log.segments()[0].number;
    let oldest = run.oldest_at(operations);
    if first > oldest {
        return Err(format!("the log begins with segment {first}, nothing before {oldest} was purged"));
    }
    let found = read_all(&log, LogPos::new(first, 0)).map_err(|error| format!("read: {error}"))?;
    let purged = run.groups.iter().take_while(|group| group.begin.file < first).count();
    let forced = run.forced_at(operations);
    if purged + found.len() < forced {
        return Err(format!("{forced} groups were forced, {} are there: {report:?}", purged + found.len()));
    }
    for (index, (found, wanted)) in found.iter().zip(&run.groups[purged..]).enumerate() {
        if found != wanted {
            return Err(format!("group {} is not the one that was appended", purged + index));
        }
    }
    if purged + found.len() > run.groups.len() {
        return Err("more groups are there than were appended".into());
    }
    let mut group = GroupBuilder::new(SERVER, 1024);
    let placed = append(&log, &mut group, 60).map_err(|error| format!("append: {error}"))?;
    log.force(placed.end).map_err(|error| format!("force: {error}"))?;
    let again = read_all(&log, LogPos::new(first, 0)).map_err(|error| format!("read: {error}"))?;
    let last_seq = found.iter().filter_map(|group| group.gtid).map(|gtid| gtid.seq_no).max();
    let next_seq = placed.gtid.map(|gtid| gtid.seq_no);
    if again.len() != found.len() + 1 || again[..found.len()] != found {
        return Err("the groups changed when another was appended".into());
    }
    if purged == 0 && next_seq != Some(last_seq.unwrap_or(0) + 1) {
        return Err(format!("the new group has number {next_seq:?} after {last_seq:?}"));
    }
    Ok(())
}

/// Crashes the run everywhere; the error says where and with which seed.
fn crash_everywhere(run: &Run, seeds: u64) -> Result<u64, String> {
    let mut crashes = 0;
    let mut replay = run.recording.replay();
    loop {
        let operations = replay.operations();
        for number in 0..seeds {
            let seed = run.seed.wrapping_mul(1_000_003) + operations * 1009 + number;
            let disks = [Some(replay.crash(seed)), replay.crash_during_next(seed)];
            for (index, disk) in disks.into_iter().flatten().enumerate() {
                let place = |text: String| {
                    format!("run {} operation {operations}+{index} seed {seed}: {text}", run.seed)
                };
                // Now and then crash again while the log is repaired.
                if seed.is_multiple_of(23) {
                    crashes += crash_reopening(&disk, run, operations, seed).map_err(place)?;
                }
                check(&disk, run, operations).map_err(place)?;
                crashes += 1;
            }
        }
        if replay.step().is_none() {
            return Ok(crashes);
        }
    }
}

fn crash_reopening(disk: &Disk, run: &Run, operations: u64, seed: u64) -> Result<u64, String> {
    let disk = disk.snapshot();
    disk.record();
    Log::open(disk.dir(), nasty(run.seed), None).map_err(|error| format!("open: {error}"))?;
    let recording = disk.stop_recording().ok_or("no recording")?;
    let mut replay = recording.replay();
    let mut crashes = 0;
    while let Some(crashed) = replay.crash_during_next(seed ^ replay.operations()) {
        let place = |text| format!("crashed again at {}: {text}", replay.operations());
        check(&crashed, run, operations).map_err(place)?;
        crashes += 1;
        replay.step();
    }
    Ok(crashes)
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
fn nothing_forced_is_lost_by_a_crash_anywhere() {
    let mut crashes = 0;
    for seed in 1..=setting("BINLOG_CRASH_RUNS", 3) {
        let run = run(seed, Faults::default());
        crashes += crash_everywhere(&run, setting("BINLOG_CRASH_SEEDS", 2))
            .unwrap_or_else(|error| panic!("{error}"));
    }
    println!("{crashes} crashes");
}

#[test]
fn a_disk_that_lies_about_syncs_is_caught() {
    let run = run(1, Faults { lying_sync: true, ..Faults::default() });
    let caught = crash_everywhere(&run, 2);
    assert!(caught.is_err(), "the checker believes a disk that forces nothing");
}

/// Threads that commit, rotate and purge side by side while the power goes. No run repeats, but what must hold is the
/// same.
#[test]
fn threads_lose_nothing_forced_either() {
    for seed in 1..=setting("BINLOG_CRASH_RUNS", 3) * 8 {
        let disk = Disk::new(seed);
        let (log, _) = Log::open(disk.dir(), nasty(seed), None).expect("create");
        disk.crash_at(disk.operations() + 1 + seed * 7 % 150);
        let forced: Vec<Vec<(LogPos, u64)>> = std::thread::scope(|scope| {
            let log = &log;
            let work = |thread: u64| {
                scope.spawn(move || {
                    let mut group = GroupBuilder::new(SERVER, 1024);
                    let mut forced = Vec::new();
                    for step in 0.. {
                        let number = thread * 1000 + step;
                        let done = append(log, &mut group, number).and_then(|placed| {
                            log.force(placed.end)?;
                            Ok(placed)
                        });
                        let Ok(placed) = done else { break };
                        forced.push((placed.begin, number));
                        let also = match number % 11 {
                            3 => log.rotate().map(|_| ()),
                            5 => log.seal(),
                            _ => Ok(()),
                        };
                        if also.is_err() {
                            break;
                        }
                    }
                    forced
                })
            };
            let threads: Vec<_> = (1..=4).map(work).collect();
            threads.into_iter().map(|thread| thread.join().expect("thread")).collect()
        });
        for crash in 0..12 {
            let crashed = disk.after_crash(seed * 100 + crash);
            let opened = Log::open(crashed.dir(), nasty(seed), None);
            let (log, _) = opened.unwrap_or_else(|error| panic!("{seed} {crash}: {error}"));
            let found = read_all(&log, LogPos::new(1, 0)).expect("read");
            for (begin, number) in forced.iter().flatten() {
                let group = found.iter().find(|group| group.begin == *begin);
                let group = group.unwrap_or_else(|| panic!("{seed} {crash}: {begin} was forced and is gone"));
                assert_eq!(group.commit_no, *number);
            }
        }
    }
}
