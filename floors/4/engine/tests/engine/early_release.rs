//! Rows are free while their commit is forced, and nobody is told of what a power cut could still take back.

use crate::fixture::*;
use engine::{Engine, EngineError, Isolation};
use platform::sim::Disk;
use std::time::Duration;

/// One row of `t`, at 0, and a disk whose next force does not come back.
fn setup() -> (Disk, Engine) {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![plain("t"), unique("u")]);
    insert_rows(&engine, "t", &[&[Some(1), Some(0)], &[Some(2), Some(0)]]);
    insert_rows(&engine, "u", &[&[Some(1), Some(1)]]);
    (disk, engine)
}

fn unique(name: &str) -> types::TableDef {
    table_def(name, 2, vec![primary(), index("c1", types::IndexKind::Unique, &[1])])
}

/// Runs `first` to its commit's force, then `second`; the force ends when `second` has returned.
fn during_the_force(
    disk: &Disk,
    engine: &Engine,
    first: impl FnOnce(&mut T) + Send,
    second: impl FnOnce() -> Box<dyn FnOnce() + Send>,
) {
    std::thread::scope(|scope| {
        let held = disk.hold_syncs();
        let committer = scope.spawn(|| {
            let mut t = T::of(engine, long_waits(Isolation::RepeatableRead));
            first(&mut t);
            t.commit();
        });
        wait_until("the first commit is forced", || held.waiting() == 1);
        let ending = scope.spawn(second());
        // Long enough to be caught by, were it wrong; right ones never fail here.
        std::thread::sleep(Duration::from_millis(30));
        assert!(!ending.is_finished(), "told of what a power cut may take back");
        assert!(!committer.is_finished(), "acknowledged before the force ended");
        drop(held);
        ending.join().expect("the end of the second");
        committer.join().expect("the first commit");
    });
}

/// Ends a transaction elsewhere: its end waits for the force.
fn end_later(t: T) {
    std::thread::spawn(move || drop(t));
}

#[test]
fn a_row_is_free_while_its_commit_is_forced() {
    let (disk, engine) = setup();
    let first = |t: &mut T| {
        t.set("t", 1, Some(7)).unwrap();
        t.set("t", 2, Some(7)).unwrap();
    };
    during_the_force(&disk, &engine, first, || {
        // Plain reads see what is durable.
        let durable = [[Some(1), Some(0)], [Some(2), Some(0)]];
        assert_eq!(rows_of(&engine, "t"), durable);
        let mut t = T::begin(&engine, Isolation::RepeatableRead);
        // Who locks the row gets the newest one, and from there on sees the whole of that commit.
        assert_eq!(t.get("t", 1, FOR_UPDATE).unwrap(), Some(vec![Some(1), Some(7)]));
        assert_eq!(t.all("t"), [[Some(1), Some(7)], [Some(2), Some(7)]]);
        assert_eq!(rows_of(&engine, "t"), durable);
        Box::new(|| t.commit())
    });
    assert_eq!(rows_of(&engine, "t"), [[Some(1), Some(7)], [Some(2), Some(7)]]);
    check_all(&engine);
}

#[test]
fn a_deleted_row_is_gone_for_locking_scans_only() {
    let (disk, engine) = setup();
    let first = |t: &mut T| assert!(t.delete("t", 1).unwrap());
    during_the_force(&disk, &engine, first, || {
        assert_eq!(rows_of(&engine, "t").len(), 2);
        let mut t = T::begin(&engine, Isolation::ReadCommitted);
        let rows = t.scan("t", engine::CLUSTERED, engine::KeyRange::ALL, engine::Direction::Forward, SHARE);
        assert_eq!(rows.unwrap(), [[Some(2), Some(0)]]);
        Box::new(|| t.commit())
    });
}

#[test]
fn a_duplicate_is_told_when_it_is_durable() {
    let (disk, engine) = setup();
    let first = |t: &mut T| t.insert("u", &[Some(2), Some(2)]).unwrap();
    during_the_force(&disk, &engine, first, || {
        let mut t = T::begin(&engine, Isolation::ReadCommitted);
        Box::new(move || {
            let refused = t.insert("u", &[Some(3), Some(2)]);
            assert!(matches!(refused, Err(EngineError::Duplicate { .. })));
        })
    });
}

#[test]
fn a_hot_row_takes_many_commits_a_force() {
    const WRITERS: i64 = 8;
    let (disk, engine) = setup();
    let add_one = |t: &mut T| assert!(t.change("t", 1, |row| row[1] = row[1].map(|v| v + 1)).unwrap());
    let forces = engine.log().counters().forces;
    std::thread::scope(|scope| {
        let held = disk.hold_syncs();
        let writers: Vec<_> = (0..WRITERS)
            .map(|_| {
                scope.spawn(|| {
                    let mut t = T::of(&engine, long_waits(Isolation::ReadCommitted));
                    add_one(&mut t);
                    t.commit();
                })
            })
            .collect();
        wait_until("all have had the row", || {
            let mut t = T::of(&engine, long_waits(Isolation::ReadCommitted));
            let row = t.get("t", 1, FOR_UPDATE).unwrap().unwrap();
            end_later(t);
            row[1] == Some(WRITERS)
        });
        assert!(writers.iter().all(|writer| !writer.is_finished()), "acknowledged before the force ended");
        drop(held);
    });
    // One that was held, one for all the others.
    assert_eq!(engine.log().counters().forces - forces, 2);
    assert_eq!(rows_of(&engine, "t")[0], [Some(1), Some(WRITERS)]);
}

#[test]
fn a_power_cut_takes_back_what_depends_on_what_it_takes_back() {
    let (disk, engine) = setup();
    std::thread::scope(|scope| {
        let held = disk.hold_syncs();
        for _ in 0..3 {
            scope.spawn(|| {
                let mut t = T::of(&engine, long_waits(Isolation::ReadCommitted));
                for id in [1, 2] {
                    t.change("t", id, |row| row[1] = row[1].map(|v| v + 1)).unwrap();
                }
                t.commit();
            });
        }
        wait_until("all have had the rows", || {
            let mut t = T::of(&engine, long_waits(Isolation::ReadCommitted));
            let row = t.get("t", 2, FOR_UPDATE).unwrap().unwrap();
            end_later(t);
            row[1] == Some(3)
        });
        for seed in 0..20 {
            let after = open(&disk.after_crash(seed));
            let rows = rows_of(&after, "t");
            assert_eq!(rows[0][1], rows[1][1], "seed {seed}: a commit in part");
            check_all(&after);
        }
        drop(held);
    });
    assert_eq!(rows_of(&engine, "t"), [[Some(1), Some(3)], [Some(2), Some(3)]]);
}
