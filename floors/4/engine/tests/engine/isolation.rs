//! Snapshots and isolation levels, one after the other in one thread.

use crate::fixture::*;
use engine::{EngineError, Isolation, KeyRange, Read, TxnOptions};
use platform::sim::Disk;

fn setup() -> engine::Engine {
    let engine = engine_with(&Disk::new(1), vec![plain("t")]);
    insert_rows(&engine, "t", &[&[Some(1), Some(10)], &[Some(2), Some(20)]]);
    engine
}

fn set_now(engine: &engine::Engine, id: i64, v: i64) {
    let mut t = T::begin(engine, Isolation::ReadCommitted);
    assert!(t.set("t", id, Some(v)).unwrap());
    t.commit();
}

fn v(t: &mut T, id: i64, read: Read) -> Option<i64> {
    t.get("t", id, read).unwrap().and_then(|r| r[1])
}

#[test]
fn a_snapshot_stays_and_locking_reads_see_the_newest() {
    let engine = setup();
    let mut a = T::begin(&engine, Isolation::RepeatableRead);
    set_now(&engine, 1, 11);
    assert_eq!(v(&mut a, 1, Read::Snapshot), Some(11), "the first read takes the snapshot, not BEGIN");
    set_now(&engine, 1, 12);
    let mut d = T::begin(&engine, Isolation::ReadCommitted);
    d.delete("t", 2).unwrap();
    d.insert("t", &[Some(3), Some(30)]).unwrap();
    d.commit();
    assert_eq!(a.all("t"), [[Some(1), Some(11)], [Some(2), Some(20)]]);
    engine.purge().unwrap();
    assert_eq!(v(&mut a, 1, Read::Snapshot), Some(11), "a purge leaves what a snapshot wants");
    assert_eq!(v(&mut a, 1, FOR_UPDATE), Some(12));
    assert_eq!(v(&mut a, 1, Read::Snapshot), Some(11));
    assert!(a.set("t", 3, Some(31)).unwrap(), "an update works on the newest version");
    assert_eq!(a.all("t"), [[Some(1), Some(11)], [Some(2), Some(20)], [Some(3), Some(31)]]);
    a.txn.rollback();
    engine.purge().unwrap();
    assert_eq!(engine.status().version_bytes, 0, "nothing old is kept without snapshots");
    assert_eq!(rows_of(&engine, "t"), [[Some(1), Some(12)], [Some(3), Some(30)]]);
    check_all(&engine);
}

#[test]
fn read_committed_takes_a_snapshot_a_statement() {
    let engine = setup();
    for level in [Isolation::ReadUncommitted, Isolation::ReadCommitted] {
        let mut a = T::begin(&engine, level);
        let before = v(&mut a, 1, Read::Snapshot).unwrap();
        let mut b = T::begin(&engine, Isolation::ReadCommitted);
        b.set("t", 1, Some(before + 1)).unwrap();
        assert_eq!(v(&mut a, 1, Read::Snapshot), Some(before), "nothing uncommitted is seen");
        b.commit();
        assert_eq!(v(&mut a, 1, Read::Snapshot), Some(before + 1));
    }
}

#[test]
fn snapshot_isolation_refuses_lost_updates_and_rolls_back() {
    let engine = setup();
    let options = TxnOptions { snapshot_isolation: true, ..with(Isolation::RepeatableRead) };
    let changed = |result: Result<bool, EngineError>| matches!(result, Err(EngineError::Changed { .. }));
    let mut a = T::of(&engine, options.clone());
    a.insert("t", &[Some(9), None]).unwrap();
    assert_eq!(v(&mut a, 1, Read::Snapshot), Some(10));
    set_now(&engine, 1, 11);
    assert!(changed(a.set("t", 1, Some(99))));
    assert!(!a.txn.is_active());
    assert!(matches!(a.txn.commit(), Err(EngineError::NotActive)));
    assert_eq!(rows_of(&engine, "t").len(), 2, "the whole transaction went");
    // A key inserted since, and a row deleted since.
    let mut a = T::of(&engine, options.clone());
    a.all("t");
    insert_rows(&engine, "t", &[&[Some(5), Some(50)]]);
    assert!(changed(a.insert("t", &[Some(5), Some(51)]).map(|()| true)));
    let mut a = T::of(&engine, options);
    a.all("t");
    let mut d = T::begin(&engine, Isolation::ReadCommitted);
    d.delete("t", 5).unwrap();
    d.commit();
    assert!(changed(a.set("t", 5, Some(52))));
}

#[test]
fn plain_reads_lock_at_serializable_but_not_under_autocommit() {
    let engine = setup();
    let mut a = T::begin(&engine, Isolation::Serializable);
    assert_eq!(v(&mut a, 1, Read::Snapshot), Some(10));
    let mut b = T::begin(&engine, Isolation::ReadCommitted);
    assert!(matches!(b.set("t", 1, Some(0)), Err(EngineError::LockWaitTimeout)));
    assert!(b.txn.is_active(), "a time-out ends the statement, not the transaction");
    drop(a);
    assert!(b.set("t", 1, Some(5)).unwrap());
    let mut c = T::of(&engine, TxnOptions { autocommit: true, ..with(Isolation::Serializable) });
    assert_eq!(v(&mut c, 1, Read::Snapshot), Some(10));
}

#[test]
fn guarded_ranges_keep_inserts_out_at_repeatable_read_and_above() {
    let engine = setup();
    let table = engine.catalog().table("d", "t").unwrap().clone();
    let range = || KeyRange {
        lo: std::ops::Bound::Included(key(&table, 0, &[2])),
        hi: std::ops::Bound::Included(key(&table, 0, &[100])),
    };
    let forward = engine::Direction::Forward;
    for (level, read, guarded) in [
        (Isolation::ReadCommitted, FOR_UPDATE, false),
        (Isolation::RepeatableRead, FOR_UPDATE, true),
        (Isolation::RepeatableRead, Read::Snapshot, false),
        (Isolation::Serializable, Read::Snapshot, true),
    ] {
        let mut a = T::begin(&engine, level);
        assert_eq!(a.scan("t", 0, range(), forward, read).unwrap().len(), 1);
        let mut b = T::begin(&engine, Isolation::RepeatableRead);
        b.insert("t", &[Some(101), None]).unwrap();
        let inserted = b.insert("t", &[Some(50), None]);
        assert_eq!(inserted.is_err(), guarded, "{level:?} {read:?}: {inserted:?}");
        assert_eq!(a.scan("t", 0, range(), forward, read).unwrap().len(), 1, "no phantom");
    }
}

#[test]
fn versions_that_outgrow_their_memory_cost_the_oldest_snapshot() {
    let disk = Disk::new(1);
    let mut small = options(&disk);
    small.version_bytes = 20_000;
    let (engine, _) = engine::Engine::open(small).unwrap();
    create_database(&engine);
    create(&engine, plain("t"));
    insert_rows(&engine, "t", &[&[Some(1), Some(0)]]);
    let mut old = T::begin(&engine, Isolation::RepeatableRead);
    assert_eq!(v(&mut old, 1, Read::Snapshot), Some(0));
    for i in 1..400 {
        set_now(&engine, 1, i);
    }
    assert!(engine.status().version_bytes <= 21_000, "{}", engine.status().version_bytes);
    assert_eq!(engine.status().snapshots_revoked, 1);
    assert!(matches!(old.get("t", 1, Read::Snapshot), Err(EngineError::SnapshotTooOld)));
    assert!(!old.txn.is_active());
}

#[test]
fn the_write_set_has_a_limit() {
    let disk = Disk::new(1);
    let mut small = options(&disk);
    small.write_set_bytes = 10_000;
    let (engine, _) = engine::Engine::open(small).unwrap();
    create_database(&engine);
    create(&engine, plain("t"));
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    let failed = (0..1000).find_map(|i| t.insert("t", &[Some(i), None]).err());
    assert!(matches!(failed, Some(EngineError::WriteSetTooLarge { limit: 0..=10_000 })), "{failed:?}");
    assert!(t.txn.is_active());
    let kept = t.all("t").len();
    t.commit();
    assert_eq!(rows_of(&engine, "t").len(), kept);
    // What is set holds at once, and is more than the options say.
    engine.set_transaction_limit(Some(1_000_000));
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    (1000..2000).for_each(|i| t.insert("t", &[Some(i), None]).unwrap());
    engine.set_transaction_limit(None);
    assert!(t.insert("t", &[Some(2000), None]).is_err());
    t.commit();
    assert_eq!(rows_of(&engine, "t").len(), kept + 1000);
}

#[test]
fn large_transactions_share_their_room() {
    let disk = Disk::new(1);
    let mut options = options(&disk);
    (options.write_set_bytes, options.write_sets_bytes) = (32 << 20, 32 << 20);
    let (engine, _) = engine::Engine::open(options).unwrap();
    create_database(&engine);
    create(&engine, plain("t"));
    let begin = || T::begin(&engine, Isolation::RepeatableRead);
    let fill =
        |t: &mut T, from: i64| (from..from + 1_000_000).find(|&i| t.insert("t", &[Some(i), None]).is_err());
    let (mut first, mut second, mut small) = (begin(), begin(), begin());
    assert!(fill(&mut first, 0).is_some_and(|at| at > 10_000), "one has all that there is for one");
    let held = engine.status().transaction_bytes;
    assert_eq!(held, 32 << 20);
    let own = fill(&mut second, 2_000_000).map(|at| at - 2_000_000);
    assert!(own.is_some_and(|rows| (1000..50_000).contains(&rows)), "nothing is left but its own: {own:?}");
    small.insert("t", &[Some(5_000_000), None]).unwrap();
    small.commit();
    first.txn.rollback();
    assert_eq!(engine.status().transaction_bytes, 0);
    assert!(fill(&mut second, 3_000_000).is_some_and(|at| at > 3_010_000), "the room came back");
    second.commit();
    assert_eq!(engine.status().transaction_bytes, 0);
}

#[test]
fn read_only_transactions_change_nothing() {
    let engine = setup();
    let mut t = T::of(&engine, TxnOptions { read_only: true, ..with(Isolation::RepeatableRead) });
    assert!(matches!(t.insert("t", &[Some(7), None]), Err(EngineError::ReadOnlyTransaction)));
    assert_eq!(t.all("t").len(), 2);
    let commits = engine.status().commits;
    t.commit();
    assert_eq!(engine.status().commits, commits, "a commit without changes is none");
}
