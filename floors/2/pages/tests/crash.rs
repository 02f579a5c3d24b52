//! A crash at every operation of recorded runs, between operations and during them.

mod harness;

use harness::{Pair, number_of, options};
use pages::Store;
use platform::sim::Faults;

fn recorded_run(seed: u64) -> (Pair, platform::sim::Recording) {
    let mut pair = Pair::create(seed);
    pair.disk.record();
    for _ in 0..4 {
        for _ in 0..60 {
            pair.step().unwrap();
        }
        let changes = pair.rng.below(20) as usize;
        pair.checkpoint(changes).unwrap();
    }
    let recording = pair.disk.stop_recording().unwrap();
    (pair, recording)
}

/// Crashes recorded runs between and during all operations, `draws` times each; restarts made, and how many of them
/// found a checkpoint that was not known to be complete.
fn crash_everywhere(seeds: std::ops::Range<u64>, draws: u64) -> (u64, u64) {
    let (mut restarts, mut later) = (0, 0);
    for seed in seeds {
        let (pair, recording) = recorded_run(seed);
        let mut replay = recording.replay();
        loop {
            let now = replay.operations();
            for draw in 0..draws {
                let draw = draw ^ seed << 8;
                let (_, number) = pair.check_restart(&replay.crash(draw), now);
                later += u64::from(number > pair.last_complete(now));
                restarts += 1;
                if let Some(disk) = replay.crash_during_next(draw ^ 0x55) {
                    pair.check_restart(&disk, now);
                    restarts += 1;
                }
            }
            if replay.step().is_none() {
                break;
            }
        }
    }
    (restarts, later)
}

#[test]
fn a_crash_at_every_operation_loses_nothing_checkpointed() {
    let (restarts, later) = crash_everywhere(0..3, 2);
    assert!(restarts > 400 && later > 0, "{restarts} restarts, {later} of them beyond the last complete");
}

#[test]
#[ignore = "a long run: tens of thousands of restarts"]
fn crashes_in_many_runs_lose_nothing_checkpointed() {
    let (restarts, _) = crash_everywhere(100..200, 4);
    println!("{restarts} restarts");
    assert!(restarts > 10_000);
}

/// A crash during a restart that mends a superblock, and during the checkpoint after it.
#[test]
fn crashes_after_crashes_lose_nothing_checkpointed() {
    for seed in 0..12 {
        let mut pair = Pair::create(seed);
        let mut survived = 0;
        while survived < 12 {
            pair.disk.crash_at(pair.disk.operations() + 1 + pair.rng.below(40));
            let mut failed = false;
            while !failed {
                failed = match pair.rng.below(12) {
                    0 => {
                        let changes = pair.rng.below(6) as usize;
                        pair.checkpoint(changes).is_err()
                    }
                    _ => pair.step().is_err(),
                };
            }
            let draw = pair.rng.next_u64();
            let restarted = pair.disk.after_crash(draw);
            // The restart itself may be cut, in its first operations.
            restarted.crash_at(restarted.operations() + 1 + pair.rng.below(6));
            if Store::open(&restarted.dir(), &options()).is_err() {
                pair.disk = restarted;
            }
            let draw = pair.rng.next_u64();
            pair.crash(draw);
            survived += 1;
        }
    }
}

/// The canary: a disk whose forces lie must be noticed by the very checks above.
#[test]
fn lying_forces_are_noticed() {
    let mut noticed = 0;
    for seed in 0..20 {
        let mut pair = Pair::create(seed);
        pair.disk.set_faults(Faults { lying_sync: true, ..Faults::default() });
        for _ in 0..3 {
            for _ in 0..40 {
                pair.step().unwrap();
            }
            pair.checkpoint(5).unwrap();
        }
        let complete = pair.last_complete(u64::MAX);
        let disk = pair.disk.after_crash(seed);
        match Store::open(&disk.dir(), &options()) {
            Err(_) => noticed += 1,
            Ok((_, report)) if number_of(&report.meta) < complete => noticed += 1,
            Ok((store, _)) => {
                let pages = pair.begun[&complete].model.0.keys();
                let bad = pages.filter(|&&page| store.load(pages::PageNo(page)).is_err());
                noticed += u32::from(bad.count() > 0);
            }
        }
    }
    assert!(noticed >= 10, "{noticed} of 20 noticed");
}
