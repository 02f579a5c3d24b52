//! Foreign keys.

use crate::fixture::*;
use engine::{EngineError, ForeignKeySide, Isolation, TxnOptions};
use platform::sim::Disk;
use types::{IndexKind, ReferentialAction as Action, TableDef};

fn child(name: &str, on_delete: Action, on_update: Action) -> TableDef {
    let mut def = table_def(name, 2, vec![primary(), index("f", IndexKind::Key, &[1])]);
    def.foreign_keys.push(foreign(&format!("{name}_fk"), 1, "p", "c0", on_delete, on_update));
    def
}

fn setup(on_delete: Action, on_update: Action) -> (Disk, engine::Engine) {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![plain("p"), child("c", on_delete, on_update)]);
    insert_rows(&engine, "p", &[&[Some(1), None], &[Some(2), None]]);
    insert_rows(&engine, "c", &[&[Some(10), Some(1)], &[Some(11), Some(1)], &[Some(12), None]]);
    (disk, engine)
}

fn side(result: Result<bool, EngineError>) -> ForeignKeySide {
    match result {
        Err(EngineError::ForeignKey(v)) => {
            assert_eq!((v.table.as_str(), v.constraint.as_str(), v.ref_table.as_str()), ("c", "c_fk", "p"));
            assert_eq!(
                (&v.columns[..], &v.ref_columns[..]),
                (&["c1".to_owned()][..], &["c0".to_owned()][..])
            );
            v.side
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn children_need_parents_and_parents_are_kept() {
    let (_, engine) = setup(Action::Restrict, Action::NoAction);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    assert_eq!(side(t.insert("c", &[Some(13), Some(9)]).map(|()| true)), ForeignKeySide::Child);
    assert_eq!(side(t.set("c", 10, Some(9))), ForeignKeySide::Child);
    assert_eq!(side(t.delete("p", 1)), ForeignKeySide::Parent);
    assert_eq!(side(t.change("p", 1, |v| v[0] = Some(5))), ForeignKeySide::Parent);
    assert!(t.delete("p", 2).unwrap(), "nobody needs it");
    assert!(t.set("p", 1, Some(7)).unwrap(), "the key stays");
    t.insert("p", &[Some(3), None]).unwrap();
    t.insert("c", &[Some(13), Some(3)]).unwrap();
    t.delete("c", 13).unwrap();
    assert!(t.delete("p", 3).unwrap(), "its child went in the same transaction");
    t.commit();
    let mut t = T::of(&engine, TxnOptions { fk_checks: false, ..with(Isolation::RepeatableRead) });
    t.insert("c", &[Some(14), Some(99)]).unwrap();
    assert!(t.delete("p", 1).unwrap());
    t.commit();
    check_all(&engine);
}

#[test]
fn cascades_reach_children_and_survive_replay() {
    for (on_delete, on_update) in [(Action::Cascade, Action::Cascade), (Action::SetNull, Action::SetNull)] {
        let (disk, engine) = setup(on_delete, on_update);
        let mut t = T::begin(&engine, Isolation::RepeatableRead);
        assert!(t.change("p", 1, |v| v[0] = Some(7)).unwrap());
        let expected = if on_update == Action::Cascade { Some(7) } else { None };
        assert_eq!(t.all("c")[0], [Some(10), expected]);
        t.commit();
        let mut t = T::begin(&engine, Isolation::RepeatableRead);
        assert!(t.delete("p", 7).unwrap());
        t.commit();
        let rows = rows_of(&engine, "c");
        assert_eq!(rows.len(), if on_delete == Action::Cascade { 1 } else { 3 });
        check_all(&engine);
        drop(engine);
        let engine = open(&disk.after_kill());
        assert_eq!(rows_of(&engine, "c"), rows, "cascades are in the log for ourselves");
        check_all(&engine);
    }
}

#[test]
fn a_table_may_refer_to_itself() {
    let disk = Disk::new(1);
    let mut def = table_def("c", 2, vec![primary(), index("f", IndexKind::Key, &[1])]);
    def.foreign_keys.push(foreign("c_fk", 1, "c", "c0", Action::Cascade, Action::Restrict));
    let engine = engine_with(&disk, vec![def]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.insert("c", &[Some(1), Some(1)]).unwrap();
    t.insert("c", &[Some(2), Some(1)]).unwrap();
    t.insert("c", &[Some(3), Some(2)]).unwrap();
    assert!(t.insert("c", &[Some(4), Some(5)]).is_err());
    assert!(t.delete("c", 1).unwrap());
    assert!(t.all("c").is_empty());
    for id in 1..=20 {
        t.insert("c", &[Some(id), Some((id - 1).max(1))]).unwrap();
    }
    assert!(matches!(t.delete("c", 1), Err(EngineError::CascadeTooDeep { .. })));
    assert_eq!(t.all("c").len(), 20, "the statement was taken back whole");
    t.commit();
    check_all(&engine);
}

#[test]
fn a_statement_that_deletes_what_its_cascade_deleted_goes_on() {
    let disk = Disk::new(1);
    let mut def = table_def("c", 2, vec![primary(), index("f", IndexKind::Key, &[1])]);
    def.foreign_keys.push(foreign("c_fk", 1, "c", "c0", Action::Cascade, Action::Restrict));
    let engine = engine_with(&disk, vec![def]);
    insert_rows(&engine, "c", &[&[Some(1), None], &[Some(2), Some(1)], &[Some(3), Some(2)]]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    let table = t.table("c");
    t.statement(|txn| {
        let all = engine::KeyRange::ALL;
        let mut scan = txn.scan(&table, 0, all, engine::Direction::Forward, FOR_UPDATE)?;
        let (mut rows, mut row) = (Vec::new(), engine::RowBuf::default());
        while scan.next(txn, &mut row)? {
            rows.push(row.clone());
        }
        rows.iter().try_for_each(|row| txn.delete(&table, row).map(drop))
    })
    .unwrap();
    t.commit();
    assert!(rows_of(&engine, "c").is_empty());
    check_all(&engine);
    drop(engine);
    check_all(&open(&disk.after_kill()));
}

#[test]
fn a_refused_row_leaves_nothing_behind() {
    // DELETE IGNORE kept the deletion of a row that a foreign key refused, without a word of it in the log.
    let disk = Disk::new(1);
    let tables = vec![
        plain("p"),
        child("c", Action::Cascade, Action::Cascade),
        child("e", Action::Restrict, Action::Restrict),
    ];
    let engine = engine_with(&disk, tables);
    insert_rows(&engine, "p", &[&[Some(1), None], &[Some(2), None], &[Some(3), None]]);
    insert_rows(&engine, "c", &[&[Some(10), Some(1)], &[Some(11), Some(2)], &[Some(12), Some(3)]]);
    insert_rows(&engine, "e", &[&[Some(20), Some(2)]]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    let table = t.table("p");
    let mut refused = 0;
    t.statement(|txn| {
        let all = engine::KeyRange::ALL;
        let mut scan = txn.scan(&table, 0, all, engine::Direction::Forward, FOR_UPDATE)?;
        let (mut rows, mut row) = (Vec::new(), engine::RowBuf::default());
        while scan.next(txn, &mut row)? {
            rows.push(row.clone());
        }
        for row in rows {
            match txn.delete(&table, &row) {
                Err(EngineError::ForeignKey(_)) => refused += 1,
                other => drop(other?),
            }
        }
        Ok(())
    })
    .unwrap();
    t.commit();
    assert_eq!(refused, 1);
    let left = (rows_of(&engine, "p"), rows_of(&engine, "c"));
    assert_eq!(left, (vec![vec![Some(2), None]], vec![vec![Some(11), Some(2)]]));
    check_all(&engine);
    drop(engine);
    let engine = open(&disk.after_kill());
    assert_eq!((rows_of(&engine, "p"), rows_of(&engine, "c")), left);
    check_all(&engine);
}

#[test]
fn a_parent_delete_waits_for_an_uncommitted_child() {
    let (_, engine) = setup(Action::Restrict, Action::Restrict);
    let mut a = T::begin(&engine, Isolation::RepeatableRead);
    a.insert("c", &[Some(20), Some(2)]).unwrap();
    let other = engine.clone();
    let waiting = std::thread::spawn(move || {
        let options = TxnOptions { lock_wait: std::time::Duration::from_secs(10), ..TxnOptions::default() };
        let mut t = T::of(&other, options);
        side(t.delete("p", 2))
    });
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert!(!waiting.is_finished());
    a.commit();
    assert_eq!(waiting.join().unwrap(), ForeignKeySide::Parent);
}
