//! Power cuts under several writers and a checkpointer at once.
//!
//! Each writer moves money between accounts and, in the same transaction, inserts a row with its own running number. The
//! tables of those rows take turns, and all writers come to each about when it gets its first one.
//! After a crash the numbers of each writer are a prefix that holds all acknowledged ones, and the sum is what it was.

use crate::fixture::*;
use engine::{Engine, EngineError, Isolation};
use platform::sim::{Disk, Recording, Rng};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const WRITERS: i64 = 4;
const ACCOUNTS: i64 = 8;
const TRANSFERS: i64 = 40;
/// As many transfers of a writer go to the same table.
const TO_ONE: i64 = 4;

fn done(number: i64) -> String {
    format!("done{}", number / TO_ONE)
}

fn all_done() -> impl Iterator<Item = String> {
    (0..TRANSFERS).step_by(TO_ONE as usize).map(done)
}

/// For each writer, the disk operations done at each of its acknowledgements.
type Acknowledged = Vec<Vec<u64>>;

fn transfer(engine: &Engine, rng: &mut Rng, writer: i64, number: i64) -> Result<(), EngineError> {
    let options = engine::TxnOptions { lock_wait: Duration::from_secs(20), ..with(Isolation::ReadCommitted) };
    let mut t = T::of(engine, options);
    let from = rng.below(ACCOUNTS as u64) as i64;
    let to = (from + 1) % ACCOUNTS;
    // In the order of the accounts: no deadlocks.
    for (id, amount) in [(from.min(to), 5), (from.max(to), -5)] {
        t.change("acc", id, |v| v[1] = v[1].map(|x| x + amount))?;
    }
    t.insert(&done(number), &[Some(writer * 1_000_000 + number), Some(number)])?;
    t.txn.commit().map(|_| ())
}

fn run(seed: u64) -> (Recording, Acknowledged) {
    let disk = Disk::new(seed);
    let engine = engine_with(&disk, vec![plain("acc")]);
    all_done().for_each(|name| drop(create(&engine, plain(&name))));
    for id in 0..ACCOUNTS {
        insert_rows(&engine, "acc", &[&[Some(id), Some(100)]]);
    }
    disk.record();
    let stop = AtomicBool::new(false);
    let acknowledged = Mutex::new(vec![Vec::new(); WRITERS as usize]);
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (engine, disk, acknowledged) = (engine.clone(), disk.clone(), &acknowledged);
                scope.spawn(move || {
                    let mut rng = Rng::new(seed * 100 + writer as u64);
                    for number in 0..TRANSFERS {
                        transfer(&engine, &mut rng, writer, number).expect("transfer");
                        let at = disk.operations();
                        acknowledged.lock().unwrap()[writer as usize].push(at);
                    }
                })
            })
            .collect();
        let checkpointer = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                engine.checkpoint().expect("checkpoint");
                engine.purge().expect("purge");
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        let ended: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
        stop.store(true, Ordering::Relaxed);
        checkpointer.join().unwrap();
        assert!(ended.iter().all(Result::is_ok), "a writer failed");
    });
    (disk.stop_recording().expect("find the recording"), acknowledged.into_inner().unwrap())
}

fn check(disk: &Disk, point: u64, acknowledged: &Acknowledged) {
    let engine = open(disk);
    let accounts = rows_of(&engine, "acc");
    let sum: i64 = accounts.iter().filter_map(|r| r[1]).sum();
    assert_eq!((accounts.len() as i64, sum), (ACCOUNTS, ACCOUNTS * 100), "operation {point}");
    let mut done: Vec<_> = all_done().flat_map(|name| rows_of(&engine, &name)).collect();
    done.sort_unstable();
    for (writer, times) in acknowledged.iter().enumerate() {
        let base = writer as i64 * 1_000_000;
        let numbers: Vec<i64> =
            done.iter().filter_map(|r| r[0]).filter(|n| n / 1_000_000 == base / 1_000_000).collect();
        let expected: Vec<i64> = (0..numbers.len() as i64).map(|n| base + n).collect();
        assert_eq!(numbers, expected, "writer {writer}: its transactions are a prefix, operation {point}");
        let sure = times.iter().filter(|at| **at <= point).count();
        assert!(numbers.len() >= sure, "writer {writer}: {sure} acknowledged, {} there", numbers.len());
    }
    check_all(&engine);
}

#[test]
fn acknowledged_transfers_survive_any_crash_under_many_writers() {
    let crashes: u64 = std::env::var("PENSTOCK_CRASH_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(60);
    let runs = 1 + crashes / 1000;
    for seed in 0..runs {
        let (recording, acknowledged) = run(seed);
        crash_anywhere(&recording, seed, crashes / runs, |disk, point| check(disk, point, &acknowledged));
    }
}
