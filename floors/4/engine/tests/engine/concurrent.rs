//! Many threads at once, with sums that must stay.

use crate::fixture::*;
use engine::{Engine, EngineError, Isolation, Read};
use platform::sim::{Disk, Rng};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const ACCOUNTS: i64 = 12;
const START: i64 = 100;

fn bank(disk: &Disk) -> Engine {
    let mut options = options(disk);
    options.background = true;
    options.checkpoint.interval = std::time::Duration::from_millis(50);
    let (engine, _) = Engine::open(options).unwrap();
    create_database(&engine);
    let indexes = vec![primary(), index("k", types::IndexKind::Key, &[1])];
    create(&engine, table_def("acc", 2, indexes));
    for id in 0..ACCOUNTS {
        insert_rows(&engine, "acc", &[&[Some(id), Some(START)]]);
    }
    engine
}

fn sum(rows: &[Vec<Option<i64>>]) -> i64 {
    rows.iter().map(|r| r[1].unwrap()).sum()
}

fn transfer(engine: &Engine, level: Isolation, read: Read, rng: &mut Rng) -> Result<bool, EngineError> {
    let from = rng.below(ACCOUNTS as u64) as i64;
    let to = (from + 1 + rng.below(ACCOUNTS as u64 - 1) as i64) % ACCOUNTS;
    let amount = rng.below(9) as i64 + 1;
    let mut t =
        T::of(engine, engine::TxnOptions { lock_wait: std::time::Duration::from_secs(20), ..with(level) });
    let a = t.get("acc", from, read)?.unwrap()[1].unwrap();
    let b = t.get("acc", to, read)?.unwrap()[1].unwrap();
    t.set("acc", from, Some(a - amount))?;
    t.set("acc", to, Some(b + amount))?;
    if rng.one_in(8) {
        return Ok(false);
    }
    t.txn.commit().map(|_| true)
}

fn run(level: Isolation, read: Read, rounds: usize) {
    let disk = Disk::new(3);
    let engine = bank(&disk);
    let stop = Arc::new(AtomicBool::new(false));
    let commits = Arc::new(AtomicU64::new(0));
    let reader = {
        let (engine, stop) = (engine.clone(), stop.clone());
        std::thread::spawn(move || {
            let mut reads = 0;
            while !stop.load(Ordering::Relaxed) {
                let mut t = T::begin(&engine, Isolation::RepeatableRead);
                assert_eq!(sum(&t.all("acc")), ACCOUNTS * START, "a snapshot sees every transfer whole");
                let by_index = engine::KeyRange::ALL;
                let found = t.scan("acc", 1, by_index, engine::Direction::Backward, Read::Snapshot).unwrap();
                assert_eq!((found.len() as i64, sum(&found)), (ACCOUNTS, ACCOUNTS * START));
                reads += 1;
            }
            reads
        })
    };
    let writers: Vec<_> = (0..4)
        .map(|seed| {
            let (engine, commits) = (engine.clone(), commits.clone());
            std::thread::spawn(move || {
                let mut rng = Rng::new(seed);
                for _ in 0..rounds {
                    match transfer(&engine, level, read, &mut rng) {
                        Ok(true) => {
                            commits.fetch_add(1, Ordering::Relaxed);
                        }
                        Ok(false) | Err(EngineError::Deadlock) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            })
        })
        .collect();
    let ended: Vec<_> = writers.into_iter().map(|writer| writer.join()).collect();
    stop.store(true, Ordering::Relaxed);
    assert!(ended.iter().all(Result::is_ok), "a writer failed");
    assert!(reader.join().unwrap() > 0);
    assert!(commits.load(Ordering::Relaxed) > 0);
    assert_eq!(sum(&rows_of(&engine, "acc")), ACCOUNTS * START);
    assert_eq!(engine.status().row_locks, 0);
    check_all(&engine);
    engine.close().unwrap();
    drop(engine);
    let engine = open(&disk.after_crash(9));
    assert_eq!(sum(&rows_of(&engine, "acc")), ACCOUNTS * START);
    check_all(&engine);
}

#[test]
fn transfers_under_locks_at_read_committed() {
    run(Isolation::ReadCommitted, FOR_UPDATE, 150);
}

#[test]
fn transfers_under_locks_at_repeatable_read() {
    run(Isolation::RepeatableRead, FOR_UPDATE, 150);
}

#[test]
fn transfers_by_plain_reads_at_serializable() {
    run(Isolation::Serializable, Read::Snapshot, 100);
}

#[test]
fn writers_over_data_larger_than_the_pool() {
    const THREADS: i64 = 4;
    const ROWS: i64 = 4000;
    let disk = Disk::new(6);
    let mut small = options(&disk);
    small.background = true;
    small.pool_bytes = 1 << 20;
    small.log.max_segment_bytes = 1 << 20;
    small.checkpoint.log_bytes = 1 << 20;
    let (engine, _) = Engine::open(small).unwrap();
    create_database(&engine);
    let mut def = table_def("t", 2, vec![primary(), index("k", types::IndexKind::Key, &[1])]);
    let text = types::ColumnType::VarBinary(600);
    def.columns.push(types::ColumnDef::new("body", text, false));
    let table = create(&engine, def);
    let encode = |id: i64, v: i64| {
        let body = vec![b'a' + (v % 26) as u8; 300 + (id % 200) as usize];
        let row = [types::Value::Int(id), types::Value::Int(v), types::Value::binary(&body)];
        let mut out = Vec::new();
        table.layout().encode(&row, &mut out).unwrap();
        out
    };
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (engine, table, encode) = (engine.clone(), table.clone(), &encode);
            scope.spawn(move || {
                let mut rng = Rng::new(thread as u64);
                let mut mine = std::collections::BTreeMap::new();
                let session = engine.session();
                for round in 0..700 {
                    let mut txn = session.begin(with(Isolation::ReadCommitted));
                    assert!(txn.hold(&table, engine::Mdl::Write).unwrap());
                    for _ in 0..4 {
                        let id = rng.below((ROWS / THREADS) as u64) as i64 * THREADS + thread;
                        let mut old = engine::RowBuf { key: key(&table, 0, &[id]), row: Vec::new() };
                        let there = txn.get(&table, &old.key, FOR_UPDATE, &mut old.row).unwrap();
                        let expected = mine.get(&id).map(|v| encode(id, *v));
                        assert_eq!(there.then(|| old.row.clone()), expected, "row {id}");
                        let new = encode(id, round);
                        match there {
                            true => txn.update(&table, &old, &new).unwrap(),
                            false => txn.insert(&table, &new).unwrap(),
                        }
                        mine.insert(id, round);
                    }
                    txn.commit().unwrap();
                }
            });
        }
    });
    assert!(engine.status().pages.evictions > 0, "the pool was too large for this test");
    check_all(&engine);
    let rows = table.row_count();
    drop((engine, table));
    let engine = open(&disk.after_kill());
    let table = engine.catalog().table("d", "t").unwrap().clone();
    assert_eq!(engine.check_table(&table).unwrap(), rows);
}

#[test]
fn write_skew_does_not_happen_at_serializable() {
    let engine = bank(&Disk::new(4));
    let threads: Vec<_> = (0..4)
        .map(|seed| {
            let engine = engine.clone();
            std::thread::spawn(move || {
                let mut rng = Rng::new(seed);
                let mut committed = 0;
                for _ in 0..100 {
                    // Whoever sees the sum of accounts 0 and 1 at 100 or more may take 100 from one of them.
                    let options = engine::TxnOptions {
                        lock_wait: std::time::Duration::from_secs(20),
                        ..with(Isolation::Serializable)
                    };
                    let mut t = T::of(&engine, options);
                    let work = |t: &mut T, rng: &mut Rng| {
                        let a = t.get("acc", 0, Read::Snapshot)?.unwrap()[1].unwrap();
                        let b = t.get("acc", 1, Read::Snapshot)?.unwrap()[1].unwrap();
                        assert!(a + b >= 0, "write skew: {a} + {b}");
                        let (id, old) = if rng.one_in(2) { (0, a) } else { (1, b) };
                        let new = if a + b >= 100 { old - 100 } else { old + 100 };
                        t.set("acc", id, Some(new))
                    };
                    match work(&mut t, &mut rng) {
                        Ok(_) => {
                            t.commit();
                            committed += 1;
                        }
                        Err(EngineError::Deadlock) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
                committed
            })
        })
        .collect();
    let committed: i32 = threads.into_iter().map(|t| t.join().unwrap()).sum();
    assert!(committed > 0);
    check_all(&engine);
}

#[test]
fn a_check_is_not_misled_by_purges_beside_it() {
    const ROWS: i64 = 3000;
    let disk = Disk::new(7);
    let (engine, _) = Engine::open(options(&disk)).unwrap();
    create_database(&engine);
    let indexes = vec![primary(), index("k", types::IndexKind::Key, &[1])];
    let table = create(&engine, table_def("t", 2, indexes));
    for _ in 0..3 {
        let rows: Vec<[Option<i64>; 2]> = (0..ROWS).map(|id| [Some(id), Some(id % 97)]).collect();
        insert_rows(&engine, "t", &rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
        // A transaction for each hundred rows: a purge takes them one by one.
        for start in (0..ROWS).step_by(100) {
            let mut t = T::begin(&engine, Isolation::RepeatableRead);
            for id in start..start + 100 {
                t.delete("t", id).unwrap();
            }
            t.commit();
        }
        std::thread::scope(|scope| {
            scope.spawn(|| engine.purge().unwrap());
            for _ in 0..5 {
                assert_eq!(engine.check_table(&table).unwrap(), 0);
                std::thread::yield_now();
            }
        });
        assert_eq!(engine.check_table(&table).unwrap(), 0);
    }
}
