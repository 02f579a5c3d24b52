//! Rows in and out, indexes, savepoints, counters, restarts.

use crate::fixture::*;
use engine::{CLUSTERED, Direction, Engine, EngineError, Isolation, KeyRange, Read, TxnOptions};
use platform::sim::Disk;
use types::IndexKind;

fn two_indexes() -> types::TableDef {
    let indexes = vec![primary(), index("u", IndexKind::Unique, &[1]), index("k", IndexKind::Key, &[2])];
    table_def("t", 3, indexes)
}

#[test]
fn rows_come_back_by_every_index_and_after_a_restart() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![two_indexes()]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    for id in [3, 1, 2] {
        t.insert("t", &[Some(id), Some(id * 10), Some(id % 2)]).unwrap();
    }
    assert_eq!(t.all("t").len(), 3, "own changes are seen");
    assert!(rows_of(&engine, "t").is_empty(), "others do not see them");
    t.commit();
    let check = |engine: &Engine| {
        let mut t = T::begin(engine, Isolation::RepeatableRead);
        let ids = |rows: Vec<Vec<Option<i64>>>| rows.iter().map(|r| r[0].unwrap()).collect::<Vec<_>>();
        let table = t.table("t");
        assert_eq!(ids(t.all("t")), [1, 2, 3]);
        let range = KeyRange::prefix(&key(&table, 2, &[1]));
        assert_eq!(ids(t.scan("t", 2, range, Direction::Backward, Read::Snapshot).unwrap()), [3, 1]);
        let range = KeyRange::prefix(&key(&table, 1, &[20]));
        assert_eq!(ids(t.scan("t", 1, range, Direction::Forward, FOR_UPDATE).unwrap()), [2]);
        assert_eq!(t.get("t", 3, Read::Snapshot).unwrap(), Some(vec![Some(3), Some(30), Some(1)]));
        assert_eq!(t.get("t", 4, Read::Snapshot).unwrap(), None);
        assert_eq!(table.row_count(), 3);
        drop(t);
        check_all(engine);
    };
    check(&engine);
    drop(engine);
    // The log alone.
    let (engine, report) = Engine::open(options(&disk.after_kill())).unwrap();
    assert!(report.groups >= 3);
    check(&engine);
    engine.checkpoint().unwrap();
    drop(engine);
}

/// The scan's own steps find a leaf's first row and what takes a look elsewhere: a row that another has changed since, one
/// that it has deleted. All others lie at hand, where nothing is locked or to be merged in.
#[test]
fn rows_lie_at_hand_where_nothing_else_is_to_be_asked() {
    let disk = Disk::new(5);
    let engine = engine_with(&disk, vec![plain("t")]);
    let rows: Vec<[Option<i64>; 2]> = (1..=50).map(|id| [Some(id), Some(id)]).collect();
    insert_rows(&engine, "t", &rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
    let mut reader = T::begin(&engine, Isolation::RepeatableRead);
    assert_eq!(reader.all("t").len(), 50);
    let mut other = T::begin(&engine, Isolation::ReadCommitted);
    assert!(other.set("t", 20, Some(0)).unwrap() && other.delete("t", 30).unwrap());
    other.commit();
    // Ids that steps found, and how many lay at hand.
    let look = |t: &mut T, read: Read| {
        let table = t.table("t");
        t.statement(|txn| {
            let mut scan = txn.scan(&table, CLUSTERED, KeyRange::ALL, Direction::Forward, read)?;
            let (mut stepped, mut lay, mut buffer) = (Vec::new(), 0, engine::RowBuf::default());
            while scan.next(txn, &mut buffer)? {
                stepped.push(values(&table, &buffer.row)[0].unwrap());
                let mut at_hand = scan.at_hand(txn);
                while at_hand.peek().is_some() {
                    at_hand.pass();
                    lay += 1;
                }
            }
            Ok((stepped, lay))
        })
        .unwrap()
    };
    assert_eq!(look(&mut reader, Read::Snapshot), (vec![1, 20, 30], 47));
    assert_eq!(look(&mut T::begin(&engine, Isolation::ReadCommitted), Read::Snapshot), (vec![1, 31], 47));
    assert_eq!(look(&mut T::begin(&engine, Isolation::ReadCommitted), SHARE).1, 0);
    reader.set("t", 40, Some(0)).unwrap();
    assert_eq!(look(&mut reader, Read::Snapshot).1, 0);
}

#[test]
fn when_a_table_was_made_outlives_a_restart_when_it_was_changed_does_not() {
    let disk = Disk::new(4);
    let engine = engine_with(&disk, vec![two_indexes()]);
    let times = |engine: &Engine| {
        let table = T::begin(engine, Isolation::RepeatableRead).table("t");
        (table.defined_at(), table.changed_at())
    };
    let (made, changed) = times(&engine);
    assert!(made.is_some() && changed.is_none(), "{made:?} {changed:?}");
    insert_rows(&engine, "t", &[&[Some(1), Some(1), None]]);
    assert!(times(&engine).1 >= made);
    drop(engine);
    // By the log, then by the pages.
    let disk = disk.after_kill();
    let (engine, report) = Engine::open(options(&disk)).unwrap();
    assert!(report.groups > 0);
    assert_eq!(times(&engine), (made, None));
    engine.checkpoint().unwrap();
    drop(engine);
    let (engine, report) = Engine::open(options(&disk.after_kill())).unwrap();
    assert_eq!((report.groups, times(&engine)), (0, (made, None)));
}

#[test]
fn a_checkpoint_leaves_nothing_to_replay() {
    let disk = Disk::new(2);
    let engine = engine_with(&disk, vec![two_indexes()]);
    insert_rows(&engine, "t", &[&[Some(1), Some(1), None], &[Some(2), None, None]]);
    engine.checkpoint().unwrap();
    let disk = disk.after_crash(3);
    let (engine, report) = Engine::open(options(&disk)).unwrap();
    assert_eq!(report.groups, 0);
    assert_eq!(rows_of(&engine, "t").len(), 2);
    check_all(&engine);
    insert_rows(&engine, "t", &[&[Some(3), None, Some(4)]]);
    drop(engine);
    let (engine, report) = Engine::open(options(&disk.after_crash(4))).unwrap();
    assert_eq!(report.groups, 1);
    assert_eq!(rows_of(&engine, "t").len(), 3);
    check_all(&engine);
}

#[test]
fn unique_keys_refuse_a_second_row_and_name_the_first() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![two_indexes()]);
    insert_rows(&engine, "t", &[&[Some(1), Some(10), None], &[Some(2), None, None], &[Some(3), None, None]]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    let table = t.table("t");
    let duplicate = |result: Result<(), EngineError>| match result {
        Err(EngineError::Duplicate { index, existing }) => (index, existing),
        other => panic!("{other:?}"),
    };
    assert_eq!(duplicate(t.insert("t", &[Some(1), Some(5), None])), (0, key(&table, 0, &[1])));
    assert_eq!(duplicate(t.insert("t", &[Some(9), Some(10), None])), (1, key(&table, 0, &[1])));
    // In one transaction: freed and taken again, by another row and by the same.
    assert!(t.set("t", 1, Some(11)).unwrap());
    t.insert("t", &[Some(9), Some(10), None]).unwrap();
    assert_eq!(duplicate(t.set("t", 1, Some(10)).map(|_| ())), (1, key(&table, 0, &[9])));
    assert!(t.delete("t", 9).unwrap());
    assert!(t.set("t", 1, Some(10)).unwrap());
    t.commit();
    assert_eq!(rows_of(&engine, "t")[0], [Some(1), Some(10), None]);
    check_all(&engine);
}

#[test]
fn a_failed_statement_is_taken_back_alone_and_savepoints_nest() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![two_indexes()]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.insert("t", &[Some(1), Some(1), None]).unwrap();
    let table = t.table("t");
    let failed = t.statement(|txn| {
        txn.insert(&table, &row(&table, &[Some(2), Some(2), None]))?;
        txn.insert(&table, &row(&table, &[Some(1), Some(3), None]))
    });
    assert!(matches!(failed, Err(EngineError::Duplicate { index: 0, .. })));
    assert_eq!(t.all("t").len(), 1);
    t.txn.savepoint("a").unwrap();
    t.insert("t", &[Some(3), Some(3), None]).unwrap();
    t.txn.savepoint("b").unwrap();
    t.set("t", 1, Some(7)).unwrap();
    t.txn.rollback_to("B").unwrap();
    assert_eq!(t.all("t").len(), 2);
    t.txn.rollback_to("a").unwrap();
    assert!(matches!(t.txn.rollback_to("b"), Err(EngineError::NoSuchSavepoint(_))));
    t.insert("t", &[Some(4), Some(3), None]).unwrap();
    t.commit();
    let expected = vec![vec![Some(1), Some(1), None], vec![Some(4), Some(3), None]];
    assert_eq!(rows_of(&engine, "t"), expected);
    drop(engine);
    let engine = open(&disk.after_kill());
    assert_eq!(rows_of(&engine, "t"), expected, "what was taken back is not in the log either");
    check_all(&engine);
}

#[test]
fn tables_without_a_primary_key_keep_equal_rows_apart_also_in_replay() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![table_def("t", 2, vec![index("k", IndexKind::Key, &[1])])]);
    insert_rows(&engine, "t", &[&[Some(1), Some(1)], &[Some(1), Some(1)], &[Some(2), Some(1)]]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    let table = t.table("t");
    t.statement(|txn| {
        let mut scan = txn.scan(&table, CLUSTERED, KeyRange::ALL, Direction::Forward, FOR_UPDATE)?;
        let mut first = engine::RowBuf::default();
        assert!(scan.next(txn, &mut first)?);
        txn.delete(&table, &first)?;
        assert!(scan.next(txn, &mut first)?);
        txn.update(&table, &first, &row(&table, &[Some(5), Some(9)]))
    })
    .unwrap();
    t.insert("t", &[Some(6), Some(1)]).unwrap();
    t.commit();
    let expected = vec![vec![Some(5), Some(9)], vec![Some(2), Some(1)], vec![Some(6), Some(1)]];
    assert_eq!(rows_of(&engine, "t"), expected);
    drop(engine);
    let engine = open(&disk.after_kill());
    assert_eq!(rows_of(&engine, "t"), expected);
    insert_rows(&engine, "t", &[&[Some(7), None]]);
    assert_eq!(rows_of(&engine, "t").len(), 4, "row ids go on behind those replayed");
    check_all(&engine);
}

/// Rows of one statement that several events of the log hold have their row ids before the first.
#[test]
fn many_rows_without_a_primary_key_come_back_by_the_log() {
    let disk = Disk::new(6);
    let engine = engine_with(&disk, vec![table_def("t", 2, vec![])]);
    let rows: Vec<[Option<i64>; 2]> = (0..9000).map(|n| [Some(n), Some(n % 7)]).collect();
    let mut t = T::begin(&engine, Isolation::ReadCommitted);
    let table = t.table("t");
    t.statement(|txn| rows.iter().try_for_each(|values| txn.insert(&table, &row(&table, values)))).unwrap();
    t.commit();
    drop((table, engine));
    let (engine, report) = Engine::open(options(&disk.after_kill())).unwrap();
    assert!(report.groups > 0);
    assert_eq!(rows_of(&engine, "t"), rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>());
    insert_rows(&engine, "t", &[&[Some(9000), None]]);
    assert_eq!(rows_of(&engine, "t").len(), 9001);
    check_all(&engine);
}

#[test]
fn what_is_not_for_replicas_survives_all_the_same() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![two_indexes()]);
    let mut t = T::of(&engine, TxnOptions { log: false, ..with(Isolation::RepeatableRead) });
    t.insert("t", &[Some(1), Some(2), Some(3)]).unwrap();
    t.commit();
    let gtids = engine.log().gtid_state();
    engine.put_record("user", "root", Some(b"secret")).unwrap();
    engine.put_record("user", "gone", Some(b"x")).unwrap();
    engine.put_record("user", "gone", None).unwrap();
    assert_eq!(engine.log().gtid_state(), gtids, "no number is taken for what replicas never get");
    drop(engine);
    let engine = open(&disk.after_kill());
    assert_eq!(rows_of(&engine, "t").len(), 1);
    assert_eq!(engine.get_record("user", "root").as_deref(), Some(&b"secret"[..]));
    assert_eq!(engine.catalog().records("user").count(), 1);
}

#[test]
fn auto_increment_goes_on_after_a_crash() {
    let disk = Disk::new(1);
    let mut def = plain("t");
    def.columns[0].auto_increment = true;
    let engine = engine_with(&disk, vec![def]);
    let table = engine.catalog().table("d", "t").unwrap().clone();
    let id = table.auto_increment().reserve(1, 1, 1).unwrap() as i64;
    insert_rows(&engine, "t", &[&[Some(id), None], &[Some(41), None]]);
    assert_eq!(table.auto_increment().get(), 42);
    engine.checkpoint().unwrap();
    drop((engine, table));
    let engine = open(&disk.after_crash(1));
    let table = engine.catalog().table("d", "t").unwrap().clone();
    assert_eq!(table.auto_increment().get(), 42, "the checkpoint has it");
    insert_rows(&engine, "t", &[&[Some(50), None]]);
    drop((engine, table));
    let engine = open(&disk.after_kill());
    drop(engine);
}

#[test]
fn data_larger_than_the_pool_and_long_values() {
    let disk = Disk::new(1);
    let mut def = plain("t");
    let text = types::ColumnType::Text(types::BlobSize::Long);
    def.columns.push(types::ColumnDef::new("body", text, false));
    let mut small = options(&disk);
    small.pool_bytes = 1 << 20;
    small.log.max_segment_bytes = 1 << 20;
    let (engine, _) = Engine::open(small.clone()).unwrap();
    create_database(&engine);
    let table = create(&engine, def);
    let body = |id: i64| "x".repeat(1000 + (id as usize * 7919) % 30_000);
    let encode = |id: i64| {
        let mut out = Vec::new();
        let values = [types::Value::Int(id), types::Value::Int(-id), types::Value::text(&body(id))];
        table.layout().encode(&values, &mut out).unwrap();
        out
    };
    for chunk in (0..300).collect::<Vec<i64>>().chunks(10) {
        let mut t = T::begin(&engine, Isolation::ReadCommitted);
        t.table("t");
        for &id in chunk {
            t.statement(|txn| txn.insert(&table, &encode(id))).unwrap();
        }
        t.commit();
        if chunk[0] % 100 == 0 {
            engine.checkpoint().unwrap();
        }
    }
    let check = |engine: &Engine| {
        let mut t = T::begin(engine, Isolation::RepeatableRead);
        let table = t.table("t");
        let mut found = Vec::new();
        for id in (0..300).rev() {
            assert!(t.txn.get(&table, &key(&table, 0, &[id]), Read::Snapshot, &mut found).unwrap());
            assert_eq!(found, encode(id), "row {id}");
        }
    };
    check(&engine);
    drop(engine);
    small.dir = disk.after_kill().dir();
    let (engine, _) = Engine::open(small).unwrap();
    check(&engine);
    check_all(&engine);
}

#[test]
fn statistics_follow_the_rows() {
    let disk = Disk::new(9);
    let engine = engine_with(&disk, vec![two_indexes()]);
    let insert = |ids: std::ops::Range<i64>, of: i64| {
        let mut t = T::begin(&engine, Isolation::RepeatableRead);
        for id in ids {
            t.insert("t", &[Some(id), Some(id), Some(id % of)]).unwrap();
        }
        t.commit();
    };
    let statistics = || T::begin(&engine, Isolation::RepeatableRead).table("t").statistics().unwrap();
    assert_eq!(statistics().rows, 0);
    insert(0..500, 7);
    let few = statistics();
    assert_eq!((few.rows, few.sample.len()), (500, 500), "a small table is looked at whole");
    assert_eq!(few.distinct, [vec![500.0], vec![500.0], vec![7.0]]);
    insert(500..510, 7);
    assert_eq!(statistics().rows, 500, "a few changes do not count");
    insert(510..5_000, 20);
    let many = statistics();
    assert_eq!(many.rows, 5_000);
    assert!((5.0..60.0).contains(&many.distinct[2][0]), "{:?}", many.distinct);
    assert!(many.sample.len() >= 100, "{}", many.sample.len());
}
