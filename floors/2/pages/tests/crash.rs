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

#[test]
fn a_crash_at_every_operation_loses_nothing_checkpointed() {
    let mut restarts = 0;
    let mut later = 0;
    for seed in 0..3 {
        let (pair, recording) = recorded_run(seed);
        let mut replay = recording.replay();
        loop {
            let now = replay.operations();
            for draw in 0..2 {
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
    assert!(restarts > 400 && later > 0, "{restarts} restarts, {later} of them beyond the last complete");
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
