//! Commits whose force waits until somebody is to be told of them.

use crate::fixture::*;
use engine::{CLUSTERED, Ddl, Direction, Engine, EngineError, Isolation, KeyRange, Mdl, Session, TxnOptions};
use platform::sim::{Call, Disk, Fault, Faults};
use std::time::Duration;

const BEFORE: [[Option<i64>; 2]; 2] = [[Some(1), Some(0)], [Some(2), Some(0)]];

fn setup() -> (Disk, Engine) {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![plain("t")]);
    insert_rows(&engine, "t", &[&BEFORE[0], &BEFORE[1]]);
    (disk, engine)
}

fn begin(session: &Session) -> T {
    T { txn: session.begin(with(Isolation::RepeatableRead)) }
}

/// Adds one to a row, in a transaction of its own that is left to be forced.
fn add_owing(session: &Session, id: i64) {
    let mut t = begin(session);
    assert!(t.change("t", id, |row| row[1] = row[1].map(|v| v + 1)).unwrap());
    t.txn.commit_owing().unwrap();
}

#[test]
fn one_force_serves_many_commits_and_nobody_sees_them_before() {
    let (_disk, engine) = setup();
    let session = engine.session();
    let forces = engine.log().counters().forces;
    assert!(!session.owes());
    for _ in 0..5 {
        add_owing(&session, 1);
    }
    assert!(session.owes());
    assert_eq!(engine.log().counters().forces, forces);
    assert_eq!(rows_of(&engine, "t"), BEFORE);
    // The session goes on from what it committed; what it reads it owes as well.
    let mut t = begin(&session);
    assert_eq!(t.all("t"), [[Some(1), Some(5)], [Some(2), Some(0)]]);
    t.txn.commit_owing().unwrap();
    session.pay().unwrap();
    assert!(!session.owes());
    assert_eq!(engine.log().counters().forces, forces + 1);
    assert_eq!(rows_of(&engine, "t")[0], [Some(1), Some(5)]);
    check_all(&engine);
}

#[test]
fn a_commit_that_waits_pays_for_those_before_it() {
    let (_disk, engine) = setup();
    let session = engine.session();
    add_owing(&session, 1);
    let mut t = begin(&session);
    assert!(t.set("t", 2, Some(9)).unwrap());
    t.commit();
    assert!(!session.owes());
    assert_eq!(rows_of(&engine, "t"), [[Some(1), Some(1)], [Some(2), Some(9)]]);
    add_owing(&session, 1);
    // One without changes has read what was owed.
    begin(&session).commit();
    assert!(!session.owes());
    assert_eq!(rows_of(&engine, "t")[0], [Some(1), Some(2)]);
}

#[test]
fn who_is_handed_such_a_row_has_it_forced() {
    let (_disk, engine) = setup();
    let session = engine.session();
    add_owing(&session, 1);
    let mut other = T::begin(&engine, Isolation::RepeatableRead);
    assert_eq!(other.get("t", 1, FOR_UPDATE).unwrap(), Some(vec![Some(1), Some(1)]));
    // Its session does not come back for long: nobody waits for it.
    other.commit();
    assert_eq!(rows_of(&engine, "t")[0], [Some(1), Some(1)]);
    assert!(session.owes());
    session.pay().unwrap();
}

#[test]
fn ddl_waits_for_the_names_of_what_is_owed() {
    let (_disk, engine) = setup();
    let session = engine.session();
    add_owing(&session, 1);
    add_owing(&session, 2);
    let drop_table = || {
        let ddl = Ddl::DropTables { tables: vec![("d".into(), "t".into())] };
        let soon = TxnOptions { metadata_wait: Duration::from_millis(20), ..TxnOptions::default() };
        engine.session().ddl(ddl, None, soon)
    };
    assert!(matches!(drop_table(), Err(EngineError::LockWaitTimeout)));
    session.pay().unwrap();
    drop_table().unwrap();
}

#[test]
fn a_session_pays_before_it_waits_for_a_lock() {
    let (_disk, engine) = setup();
    let mut holder = T::begin(&engine, Isolation::RepeatableRead);
    assert!(holder.set("t", 2, Some(7)).unwrap());
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let session = engine.session();
            add_owing(&session, 1);
            let mut t = T { txn: session.begin(long_waits(Isolation::RepeatableRead)) };
            assert_eq!(t.get("t", 2, FOR_UPDATE).unwrap(), Some(vec![Some(2), Some(7)]));
            t.commit();
        });
        wait_until("what it owed is seen while it waits", || rows_of(&engine, "t")[0] == [Some(1), Some(1)]);
        holder.commit();
        waiting.join().unwrap();
    });
}

#[test]
fn a_table_lock_finds_what_is_owed_paid() {
    let (_disk, engine) = setup();
    let session = engine.session();
    add_owing(&session, 1);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut t = T::of(&engine, long_waits(Isolation::ReadCommitted));
            let table = t.txn.lock_table("d", "t", Mdl::NoWrite).unwrap();
            let rows = t.scan("t", CLUSTERED, KeyRange::ALL, Direction::Forward, engine::Read::Snapshot);
            drop(table);
            rows.unwrap()
        });
        std::thread::sleep(Duration::from_millis(20));
        assert!(!reader.is_finished(), "locked before what was changed under the name is durable");
        session.pay().unwrap();
        assert_eq!(reader.join().unwrap()[0], [Some(1), Some(1)]);
    });
}

#[test]
fn what_is_paid_survives_a_power_cut_and_the_rest_goes_in_order() {
    let (disk, engine) = setup();
    let session = engine.session();
    add_owing(&session, 1);
    session.pay().unwrap();
    for id in [1, 2, 1] {
        add_owing(&session, id);
    }
    let possible = [(1, 0), (2, 0), (2, 1), (3, 1)].map(|(a, b)| [[Some(1), Some(a)], [Some(2), Some(b)]]);
    for seed in 0..20 {
        let after = open(&disk.after_crash(seed));
        let rows = rows_of(&after, "t");
        assert!(possible.iter().any(|p| rows == *p), "seed {seed}: {rows:?}");
        check_all(&after);
    }
    session.pay().unwrap();
    for seed in 0..20 {
        assert_eq!(rows_of(&open(&disk.after_crash(seed)), "t"), possible[3], "seed {seed}");
    }
}

#[test]
fn a_checkpoint_and_the_end_of_the_session_pay() {
    let (disk, engine) = setup();
    let session = engine.session();
    add_owing(&session, 1);
    engine.checkpoint().unwrap();
    assert_eq!(rows_of(&engine, "t")[0], [Some(1), Some(1)]);
    add_owing(&session, 2);
    drop(session);
    assert_eq!(rows_of(&engine, "t")[1], [Some(2), Some(1)]);
    assert_eq!(rows_of(&open(&disk.after_crash(3)), "t"), [[Some(1), Some(1)], [Some(2), Some(1)]]);
}

#[test]
fn a_failed_force_is_told_when_it_is_waited_for() {
    let (disk, engine) = setup();
    let session = engine.session();
    add_owing(&session, 1);
    disk.set_faults(Faults { plan: vec![Fault::eio(Call::Sync)], ..Faults::default() });
    assert!(matches!(session.pay(), Err(EngineError::Poisoned { .. })));
    assert!(engine.poisoned().is_some());
}
