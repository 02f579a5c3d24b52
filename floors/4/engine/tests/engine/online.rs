//! Indexes built beside writers: whatever they did meanwhile, the index is the rows' in the end, or nothing is left of it.

use crate::fixture::*;
use engine::{AlterLock, AlteredRows, Ddl, Engine, EngineError, Isolation, Options, TableName, TxnOptions};
use platform::sim::{Disk, Recording, Rng};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use types::{IndexKind, TableDef};

const WRITERS: i64 = 3;
/// Rows of each writer: its own ones, so that no two wait for each other.
const ROWS: i64 = 120;

/// A table with the first so many of its later indexes. Columns: id, writer, a value that no two rows have, a number
/// from few. The one without a primary key is clustered by hidden numbers.
fn definition(name: &str, later: usize) -> TableDef {
    let first = match name {
        "keyed" => vec![primary()],
        _ => vec![index("ids", IndexKind::Key, &[0])],
    };
    let all = [
        index("few", IndexKind::Key, &[3, 1]),
        index("alone", IndexKind::Unique, &[2]),
        index("both", IndexKind::Unique, &[3, 2]),
    ];
    table_def(name, 4, first.into_iter().chain(all.into_iter().take(later)).collect())
}

fn alteration(new: TableDef, lock: AlterLock) -> Ddl<'static> {
    let (db, table): TableName = ("d".into(), new.name.clone());
    Ddl::AlterTable { db, table, new, rows: AlteredRows::STAY, renamed: Vec::new(), lock }
}

fn alter(engine: &Engine, new: TableDef) -> Result<(), EngineError> {
    engine.session().ddl(alteration(new, AlterLock::None), None, TxnOptions::default()).map(|_| ())
}

/// Finds a row by `id` in the table without a primary key, or by its key, and changes or deletes it.
fn change_row(
    t: &mut T,
    name: &str,
    id: i64,
    change: impl FnOnce(&mut Vec<Option<i64>>) -> bool,
) -> Result<bool, EngineError> {
    let table = t.table(name);
    t.statement(|txn| {
        let range = engine::KeyRange::prefix(&key(&table, 0, &[id]));
        let mut scan = txn.scan(&table, 0, range, engine::Direction::Forward, FOR_UPDATE)?;
        let mut found = engine::RowBuf::default();
        if !scan.next(txn, &mut found)? {
            return Ok(false);
        }
        let mut new = values(&table, &found.row);
        if change(&mut new) {
            txn.update(&table, &found, &row(&table, &new))?;
        } else {
            txn.delete(&table, &found)?;
        }
        Ok(true)
    })
}

/// One transaction of a writer, whose rows have `id % WRITERS == writer`: values wander from row to row, in one
/// transaction or in two, so that a build meets them twice.
fn write_some(t: &mut T, name: &str, rng: &mut Rng, writer: i64, fresh: &mut i64) -> Result<(), EngineError> {
    for step in 0..1 + rng.below(4) {
        let mut some_id = || rng.below(ROWS as u64) as i64 * WRITERS + writer;
        let (id, other) = (some_id(), some_id());
        *fresh += 1;
        let new = *fresh * WRITERS + writer + 1_000_000;
        match rng.below(7) {
            0 => drop(change_row(t, name, id, |_| false)?),
            1 | 2 => {
                let mut given = None;
                change_row(t, name, id, |v| {
                    given = v[2].replace(new);
                    true
                })?;
                if let Some(given) = given {
                    change_row(t, name, other, |v| {
                        v[2] = Some(given);
                        true
                    })?;
                }
            }
            3 => drop(change_row(t, name, id, |v| {
                v[3] = v[3].map(|few| (few + 1) % 5);
                true
            })?),
            // Another clustered key.
            4 => drop(change_row(t, name, id, |v| {
                v[0] = Some(new);
                v[2] = if new % 5 == 0 { None } else { Some(new) };
                true
            })?),
            5 => {
                t.txn.savepoint("s")?;
                change_row(t, name, id, |_| false)?;
                t.insert(name, &[Some(new), Some(writer), None, Some(9)])?;
                t.txn.rollback_to("s")?;
            }
            _ => {
                change_row(t, name, id, |_| false)?;
                t.insert(name, &[Some(id), Some(writer), Some(new), Some(step as i64)])?;
            }
        }
    }
    Ok(())
}

fn filled(disk: &Disk) -> Engine {
    fill(engine_with(disk, vec![definition("keyed", 0), definition("heap", 0)]))
}

fn fill(engine: Engine) -> Engine {
    for name in ["keyed", "heap"] {
        let row = |id: i64| [Some(id), Some(id % WRITERS), Some(id), Some(id % 5)];
        let rows: Vec<_> = (0..ROWS * WRITERS).map(row).collect();
        insert_rows(&engine, name, &rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
    }
    engine
}

/// Ends the threads beside, also where the one that builds fails.
struct Stop<'s>(&'s AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Builds and drops indexes while writers write; returns how many commits there were while an index was built.
fn build_beside_writers(engine: &Engine, seed: u64, builds: usize) -> u64 {
    let (stop, commits, beside) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let _stops = Stop(&stop);
        for writer in 0..WRITERS {
            let (engine, stop, commits) = (engine.clone(), &stop, &commits);
            scope.spawn(move || {
                let (mut rng, mut fresh) = (Rng::new(seed * 10 + writer as u64), 0);
                while !stop.load(Ordering::Relaxed) {
                    let options =
                        TxnOptions { lock_wait: Duration::from_secs(20), ..with(Isolation::ReadCommitted) };
                    let mut t = T::of(&engine, options);
                    let name = if rng.one_in(2) { "keyed" } else { "heap" };
                    write_some(&mut t, name, &mut rng, writer, &mut fresh)
                        .expect("no index refuses what is allowed");
                    if !rng.one_in(8) {
                        t.commit();
                        commits.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                engine.checkpoint().expect("checkpoint");
                engine.purge().expect("purge");
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        for build in 0..builds {
            for name in ["keyed", "heap"] {
                let before = commits.load(Ordering::Relaxed);
                alter(engine, definition(name, 1 + build % 3)).expect("build the indexes");
                beside.fetch_add(commits.load(Ordering::Relaxed) - before, Ordering::Relaxed);
                alter(engine, definition(name, 0)).expect("drop the indexes");
            }
        }
        for name in ["keyed", "heap"] {
            alter(engine, definition(name, 3)).expect("build the indexes");
        }
    });
    beside.into_inner()
}

#[test]
fn an_index_built_beside_writers_is_the_rows_index() {
    let mut beside = 0;
    for seed in 0..seeds(4) {
        let engine = filled(&Disk::new(seed));
        beside += build_beside_writers(&engine, seed, 6);
        check_all(&engine);
    }
    assert!(beside > 0, "nobody wrote while an index was built");
}

/// The rows' tree and the trees of the indexes get their first pages at about the same time, from both sides.
#[test]
fn indexes_built_beside_the_first_rows_have_them() {
    for seed in 0..seeds(30) {
        let disk = Disk::new(seed);
        let engine = engine_with(&disk, vec![definition("keyed", 0), definition("heap", 0)]);
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let engine = engine.clone();
                scope.spawn(move || {
                    for id in (0..20).map(|number| number * WRITERS + writer) {
                        for name in ["keyed", "heap"] {
                            insert_rows(&engine, name, &[&[Some(id), Some(writer), Some(id), Some(id % 5)]]);
                        }
                    }
                });
            }
            for name in ["keyed", "heap"] {
                alter(&engine, definition(name, 3)).expect("build the indexes");
            }
            engine.checkpoint().expect("checkpoint");
        });
        for name in ["keyed", "heap"] {
            assert_eq!(rows_of(&engine, name).len() as i64, 20 * WRITERS);
        }
        check_all(&engine);
        drop(engine);
        check_after_crash(&disk.after_crash(seed));
    }
}

fn seeds(few: u64) -> u64 {
    std::env::var("PENSTOCK_ONLINE_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(few)
}

/// A crash at any time: the old definition or the new one, its indexes those of its rows, and no page that nobody has.
fn check_after_crash(disk: &Disk) {
    let engine = open(disk);
    check_all(&engine);
    engine.checkpoint().expect("checkpoint");
    drop(engine);
    let (engine, report) = Engine::open(options(&disk.after_crash(1))).expect("open again");
    assert_eq!(report.orphan_trees, 0, "trees that nobody has are freed when the engine opens");
    check_all(&engine);
}

#[test]
fn a_crash_leaves_no_half_of_an_index() {
    for seed in 0..seeds(2) {
        let disk = Disk::new(seed);
        // In memory: what lies unsynced in temporary files for ever, this disk lets land in the log, where it is rot.
        let (engine, _) =
            Engine::open(Options { sort_bytes: 1 << 20, ..options(&disk) }).expect("open the engine");
        create_database(&engine);
        for name in ["keyed", "heap"] {
            create(&engine, definition(name, 0));
        }
        let engine = fill(engine);
        disk.record();
        build_beside_writers(&engine, seed, 2);
        drop(engine);
        let recording: Recording = disk.stop_recording().expect("find the recording");
        crash_anywhere(&recording, seed, 25, |disk, _| check_after_crash(disk));
    }
}

#[test]
fn duplicates_in_the_rows_undo_the_build() {
    let disk = Disk::new(1);
    let engine = filled(&disk);
    insert_rows(
        &engine,
        "keyed",
        &[&[Some(5000), Some(0), Some(40), None], &[Some(5001), Some(0), Some(7), None]],
    );
    let pages = engine.status().pages.pages_now;
    let refused = alter(&engine, definition("keyed", 2));
    let Err(EngineError::DuplicateRows { index: 2, row }) = refused else { panic!("{refused:?}") };
    let table = engine.catalog().table("d", "keyed").unwrap().clone();
    assert_eq!(values(&table, &row)[0], Some(5000), "the first row that repeats a value is told");
    assert_eq!(table.def().indexes.len(), 1);
    assert_eq!(engine.status().pages.pages_now, pages, "the pages are given back");
    // NULL is never a duplicate.
    alter(&engine, definition("keyed", 1)).unwrap();
    check_all(&engine);
}

/// Runs a build of a unique index in a thread beside `work`; whether it was still under way at the end of that, and
/// what became of it.
fn beside_a_build(engine: &Engine, work: impl FnOnce(&dyn Fn() -> bool)) -> (bool, Result<(), EngineError>) {
    std::thread::scope(|scope| {
        let build = scope.spawn(|| alter(engine, definition("keyed", 3)));
        work(&|| build.is_finished());
        let under_way = !build.is_finished();
        (under_way, build.join().expect("join the build"))
    })
}

#[test]
fn duplicates_made_meanwhile_are_the_builds_error() {
    let engine = filled(&Disk::new(1));
    let rows: Vec<_> = (1000..6000).map(|id| [Some(id), Some(0), Some(id), Some(0)]).collect();
    insert_rows(&engine, "keyed", &rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
    let mut met = 0;
    for attempt in 0..20 {
        let id = 10_000 + attempt;
        let (under_way, built) = beside_a_build(&engine, |is_finished| {
            std::thread::sleep(Duration::from_millis(attempt as u64 % 7));
            let mut t = T::begin(&engine, Isolation::ReadCommitted);
            t.insert("keyed", &[Some(id), Some(0), Some(3), Some(1)]).unwrap();
            if attempt % 2 == 0 && !is_finished() {
                // The rows were scanned by then: only the log tells of this one.
                std::thread::sleep(Duration::from_millis(250));
            }
            t.commit();
        });
        if under_way {
            met += 1;
            assert!(matches!(built, Err(EngineError::DuplicateRows { .. })), "{built:?}");
        }
        if built.is_ok() {
            alter(&engine, definition("keyed", 0)).unwrap();
        }
        let mut t = T::begin(&engine, Isolation::ReadCommitted);
        t.delete("keyed", id).unwrap();
        t.commit();
    }
    assert!(met > 0, "no row came while an index was built");
    // One that came and went does not matter.
    let (_, built) = beside_a_build(&engine, |_| {
        insert_rows(&engine, "keyed", &[&[Some(9_999), Some(0), Some(-3), Some(1)]]);
        let mut t = T::begin(&engine, Isolation::ReadCommitted);
        t.change("keyed", 9_999, |v| v[2] = Some(-4)).unwrap();
        t.insert("keyed", &[Some(9_998), Some(0), Some(-3), Some(1)]).unwrap();
        t.commit();
    });
    built.unwrap();
    check_all(&engine);
}

#[test]
fn a_build_waits_for_those_that_have_the_table_in_use() {
    let engine = filled(&Disk::new(1));
    let mut open = T::begin(&engine, Isolation::ReadCommitted);
    open.insert("keyed", &[Some(20_000), Some(0), Some(20_000), Some(1)]).unwrap();
    let mut open = Some(open);
    let (_, built) = beside_a_build(&engine, |is_finished| {
        std::thread::sleep(Duration::from_millis(100));
        assert!(!is_finished(), "a transaction has changed rows under the old definition");
        open.take().expect("find the transaction").commit();
    });
    built.unwrap();
    assert_eq!(rows_of(&engine, "keyed").len() as i64, ROWS * WRITERS + 1);
    check_all(&engine);
    // One that waits too long leaves nothing.
    alter(&engine, definition("keyed", 0)).unwrap();
    let pages = engine.status().pages.pages_now;
    let mut reader = T::begin(&engine, Isolation::ReadCommitted);
    reader.get("keyed", 1, engine::Read::Snapshot).unwrap();
    let options = TxnOptions { metadata_wait: Duration::from_millis(50), ..TxnOptions::default() };
    let ddl = alteration(definition("keyed", 3), AlterLock::None);
    let refused = engine.session().ddl(ddl, None, options);
    assert!(matches!(refused, Err(EngineError::LockWaitTimeout)), "{refused:?}");
    reader.commit();
    assert_eq!(engine.status().pages.pages_now, pages);
    insert_rows(&engine, "keyed", &[&[Some(30_000), Some(0), Some(30_000), Some(1)]]);
}

#[test]
fn an_interrupted_build_leaves_nothing() {
    let engine = filled(&Disk::new(1));
    let pages = engine.status().pages.pages_now;
    let session = engine.session();
    session.interrupt().raise();
    let ddl = alteration(definition("heap", 3), AlterLock::None);
    let refused = session.ddl(ddl, None, TxnOptions::default());
    assert!(matches!(refused, Err(EngineError::Interrupted)), "{refused:?}");
    assert_eq!(engine.status().pages.pages_now, pages);
    assert_eq!(engine.catalog().table("d", "heap").unwrap().def().indexes.len(), 1);
    alter(&engine, definition("heap", 3)).unwrap();
    check_all(&engine);
}

#[test]
fn locks_asked_for_keep_others_out() {
    let engine = filled(&Disk::new(1));
    let rows: Vec<_> = (1000..6000).map(|id| [Some(id), Some(0), Some(id), Some(0)]).collect();
    insert_rows(&engine, "keyed", &rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
    for (lock, reads, writes) in [
        (AlterLock::None, true, true),
        (AlterLock::Shared, true, false),
        (AlterLock::Exclusive, false, false),
    ] {
        let (mut read, mut wrote) = (0, 0);
        std::thread::scope(|scope| {
            let build = scope.spawn(|| {
                let ddl = alteration(definition("keyed", 3), lock);
                engine.session().ddl(ddl, None, TxnOptions::default()).map(|_| ())
            });
            let impatient =
                || TxnOptions { metadata_wait: Duration::from_millis(3), ..TxnOptions::default() };
            let admits = |mode| {
                let mut txn = engine.begin(impatient());
                txn.lock_table("d", "keyed", mode).is_ok_and(|t| t.def().indexes.len() == 1)
            };
            while !build.is_finished() {
                // Nobody else may alter the table from its beginning to its end; others only for moments.
                if !admits(engine::Mdl::Upgradable) {
                    read += u32::from(admits(engine::Mdl::Read));
                    wrote += u32::from(admits(engine::Mdl::Write));
                }
            }
            build.join().expect("join the build").expect("build the indexes");
        });
        // One of each may come just before the name is held.
        assert_eq!((read > 2, wrote > 2), (reads, writes), "{lock:?}: {read} reads, {wrote} writes");
        alter(&engine, definition("keyed", 0)).unwrap();
    }
}
