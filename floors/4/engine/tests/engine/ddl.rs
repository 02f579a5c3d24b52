//! Data definition, with crashes between.

use crate::fixture::*;
use engine::{AlterLock, AlteredRows, Ddl, Engine, EngineError, Isolation, QueryText, Read, TxnOptions};
use platform::sim::Disk;
use types::{ColumnDef, ColumnType, IndexKind, IntSize, ReferentialAction as Action};

fn ddl(engine: &Engine, ddl: Ddl<'_>) -> Result<(), EngineError> {
    let status = binlog::event::QueryStatus::default();
    let query = QueryText { thread_id: 1, db: "d", sql: "some statement", status };
    engine.session().ddl(ddl, Some(query), TxnOptions::default()).map(|_| ())
}

fn names(engine: &Engine) -> Vec<String> {
    engine.catalog().database("d").map_or(vec![], |d| d.tables.keys().map(ToString::to_string).collect())
}

fn name(table: &str) -> (String, String) {
    ("d".into(), table.into())
}

/// The engine as it is, after a crash, and after a checkpoint and a crash.
fn after_each(disk: &Disk, engine: Engine, check: impl Fn(&Engine)) {
    check(&engine);
    drop(engine);
    let disk = disk.after_crash(5);
    let engine = open(&disk);
    check(&engine);
    check_all(&engine);
    engine.checkpoint().unwrap();
    drop(engine);
    let engine = open(&disk.after_crash(6));
    check(&engine);
    check_all(&engine);
}

#[test]
fn tables_are_made_renamed_truncated_and_dropped() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![plain("a"), plain("b"), plain("gone")]);
    insert_rows(&engine, "a", &[&[Some(1), Some(2)]]);
    insert_rows(&engine, "b", &[&[Some(1), Some(2)]]);
    assert!(matches!(
        ddl(&engine, Ddl::CreateTable { def: plain("a") }),
        Err(EngineError::TableExists { .. })
    ));
    // A swap through a third name.
    let pairs = vec![(name("a"), name("x")), (name("b"), name("a")), (name("x"), name("b"))];
    ddl(&engine, Ddl::RenameTables { pairs }).unwrap();
    ddl(&engine, Ddl::TruncateTable { db: "d".into(), table: "a".into() }).unwrap();
    ddl(&engine, Ddl::DropTables { tables: vec![name("gone")] }).unwrap();
    let missing = ddl(&engine, Ddl::DropTables { tables: vec![name("b"), name("gone")] });
    assert!(matches!(missing, Err(EngineError::NoSuchTable { .. })));
    insert_rows(&engine, "a", &[&[Some(5), Some(6)]]);
    after_each(&disk, engine, |engine| {
        assert_eq!(names(engine), ["a", "b"]);
        assert_eq!(rows_of(engine, "a"), [[Some(5), Some(6)]]);
        assert_eq!(rows_of(engine, "b"), [[Some(1), Some(2)]]);
    });
}

#[test]
fn a_table_takes_its_first_page_with_its_first_row() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![]);
    let pages = |engine: &Engine| engine.status().pages.pages_now;
    let empty = pages(&engine);
    let def = |name: &str| table_def(name, 2, vec![primary(), index("k", IndexKind::Key, &[1])]);
    // As few as one page of the catalog holds.
    for number in 1..7 {
        ddl(&engine, Ddl::CreateTable { def: def(&format!("t{number}")) }).unwrap();
    }
    assert_eq!(pages(&engine), empty);
    let table = engine.catalog().table("d", "t6").unwrap().clone();
    assert_eq!(
        engine.data_bytes(&table),
        2 * pages::PAGE_SIZE as u64,
        "a page a tree, as what it tells of itself"
    );
    assert_eq!(rows_of(&engine, "t6"), [] as [[Option<i64>; 2]; 0]);
    // Before and behind a checkpoint; one whose rows are all gone again; one that is dropped without ever having had any.
    insert_rows(&engine, "t1", &[&[Some(1), Some(2)]]);
    assert_eq!(pages(&engine), empty + 2);
    engine.checkpoint().unwrap();
    insert_rows(&engine, "t2", &[&[Some(3), Some(4)], &[Some(5), None]]);
    ddl(&engine, Ddl::TruncateTable { db: "d".into(), table: "t1".into() }).unwrap();
    ddl(&engine, Ddl::DropTables { tables: vec![name("t3"), name("t4")] }).unwrap();
    assert_eq!(pages(&engine), empty + 2);
    // An index of a table that has no page yet.
    let ddl_of = |def| Ddl::AlterTable {
        db: "d".into(),
        table: "t5".into(),
        new: def,
        rows: AlteredRows::STAY,
        renamed: Vec::new(),
        lock: AlterLock::None,
    };
    let more = table_def(
        "t5",
        2,
        vec![primary(), index("k", IndexKind::Key, &[1]), index("l", IndexKind::Key, &[1])],
    );
    ddl(&engine, ddl_of(more)).unwrap();
    after_each(&disk, engine, |engine| {
        assert_eq!(rows_of(engine, "t1"), [] as [[Option<i64>; 2]; 0]);
        assert_eq!(rows_of(engine, "t2"), [[Some(3), Some(4)], [Some(5), None]]);
        assert_eq!(rows_of(engine, "t5"), [] as [[Option<i64>; 2]; 0]);
        assert_eq!(names(engine), ["t1", "t2", "t5", "t6"]);
    });
    let disk = disk.after_crash(7);
    let engine = open(&disk);
    insert_rows(&engine, "t5", &[&[Some(9), Some(8)]]);
    after_each(&disk, engine, |engine| assert_eq!(rows_of(engine, "t5"), [[Some(9), Some(8)]]));
}

#[test]
fn swapped_tables_keep_their_rows() {
    // The tree of the table that was put first was freed: its number stood for the name that it had left.
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![plain("a"), plain("b")]);
    insert_rows(&engine, "a", &[&[Some(1), Some(1)]]);
    insert_rows(&engine, "b", &[&[Some(2), Some(2)]]);
    let pairs = vec![(name("a"), name("x")), (name("b"), name("a")), (name("x"), name("b"))];
    ddl(&engine, Ddl::RenameTables { pairs }).unwrap();
    insert_rows(&engine, "a", &[&[Some(5), Some(6)]]);
    after_each(&disk, engine, |engine| {
        assert_eq!(rows_of(engine, "a"), [[Some(2), Some(2)], [Some(5), Some(6)]]);
        assert_eq!(rows_of(engine, "b"), [[Some(1), Some(1)]]);
    });
}

#[test]
fn databases_go_with_their_tables() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![plain("a"), plain("b")]);
    insert_rows(&engine, "a", &[&[Some(1), Some(2)]]);
    let pages = engine.status().pages.pages_now;
    ddl(&engine, Ddl::DropDatabase { name: "d".into() }).unwrap();
    assert!(engine.status().pages.pages_now < pages, "their pages are free");
    after_each(&disk, engine, |engine| assert!(engine.catalog().database("d").is_none()));
}

#[test]
fn indexes_are_built_dropped_and_used() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![table_def("t", 3, vec![primary()])]);
    let rows: Vec<Vec<Option<i64>>> = (0..500).map(|i| vec![Some(i), Some(i % 7), Some(-i)]).collect();
    insert_rows(&engine, "t", &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let mut def = table_def("t", 3, vec![primary(), index("k", IndexKind::Key, &[1])]);
    let alter = |new: &types::TableDef| Ddl::AlterTable {
        db: "d".into(),
        table: "t".into(),
        new: new.clone(),
        rows: AlteredRows::STAY,
        renamed: Vec::new(),
        lock: AlterLock::None,
    };
    ddl(&engine, alter(&def)).unwrap();
    def.indexes.push(index("u", IndexKind::Unique, &[1]));
    let refused = ddl(&engine, alter(&def));
    assert!(matches!(refused, Err(EngineError::DuplicateRows { index: 2, .. })), "{refused:?}");
    def.indexes[2] = index("u", IndexKind::Unique, &[2]);
    ddl(&engine, alter(&def)).unwrap();
    insert_rows(&engine, "t", &[&[Some(1000), Some(3), Some(1)]]);
    def.indexes.remove(1);
    ddl(&engine, alter(&def)).unwrap();
    after_each(&disk, engine, |engine| {
        let mut t = T::begin(engine, Isolation::RepeatableRead);
        let table = t.table("t");
        assert_eq!(table.def().indexes.len(), 2);
        let range = engine::KeyRange::prefix(&key(&table, 1, &[-499]));
        let found = t.scan("t", 1, range, engine::Direction::Forward, Read::Snapshot).unwrap();
        assert_eq!(found, [[Some(499), Some(499 % 7), Some(-499)]]);
        assert_eq!(table.row_count(), 501);
    });
}

#[test]
fn an_alter_that_changes_rows_writes_them_anew() {
    let disk = Disk::new(1);
    let mut old_def = table_def("t", 2, vec![primary(), index("k", IndexKind::Key, &[1])]);
    old_def.columns[0].auto_increment = true;
    let engine = engine_with(&disk, vec![old_def.clone()]);
    let rows: Vec<Vec<Option<i64>>> = (1..=400).map(|i| vec![Some(i), Some(i * 2)]).collect();
    insert_rows(&engine, "t", &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let old = engine.catalog().table("d", "t").unwrap().clone();
    let mut new = old_def.clone();
    let big = ColumnType::integer(IntSize::Big, false);
    new.columns.push(ColumnDef::new("c2", big, true));
    new.indexes.push(index("u", IndexKind::Unique, &[2]));
    let layout = types::RowLayout::of(&new);
    let alter = |fail_at: i64| Ddl::AlterTable {
        db: "d".into(),
        table: "t".into(),
        new: new.clone(),
        rows: AlteredRows::Mapped(Box::new({
            let (old, layout) = (old.clone(), layout.clone());
            move |from, to| {
                let v = values(&old, from);
                if v[0] == Some(fail_at) {
                    return Err("no such row, please".into());
                }
                let all: Vec<_> = [v[0], v[1], v[0].map(|x| x + 1_000_000)].into_iter().map(value).collect();
                layout.encode(&all, to)?;
                Ok(true)
            }
        })),
        renamed: Vec::new(),
        lock: AlterLock::None,
    };
    let pages = engine.status().pages.pages_now;
    assert!(matches!(ddl(&engine, alter(300)), Err(EngineError::Mapping(_))));
    assert_eq!(engine.status().pages.pages_now, pages, "nothing is left of the failed one");
    assert_eq!(rows_of(&engine, "t").len(), 400);
    ddl(&engine, alter(-1)).unwrap();
    insert_rows(&engine, "t", &[&[Some(401), None, None]]);
    after_each(&disk, engine, |engine| {
        let found = rows_of(engine, "t");
        assert_eq!(found.len(), 401);
        assert_eq!(found[9], [Some(10), Some(20), Some(1_000_010)]);
        let table = engine.catalog().table("d", "t").unwrap().clone();
        assert_eq!(table.auto_increment().get(), 402);
        assert_eq!(table.row_count(), 401);
    });
}

#[test]
fn parents_are_not_dropped_and_keys_follow_a_rename() {
    let disk = Disk::new(1);
    let mut child = table_def("c", 2, vec![primary(), index("f", IndexKind::Key, &[1])]);
    child.foreign_keys.push(foreign("fk", 1, "p", "c0", Action::Restrict, Action::Restrict));
    let engine = engine_with(&disk, vec![plain("p"), child.clone()]);
    insert_rows(&engine, "p", &[&[Some(1), None]]);
    insert_rows(&engine, "c", &[&[Some(1), Some(1)]]);
    for refused in [
        ddl(&engine, Ddl::DropTables { tables: vec![name("p")] }),
        ddl(&engine, Ddl::TruncateTable { db: "d".into(), table: "p".into() }),
    ] {
        assert!(matches!(refused, Err(EngineError::ReferencedTable { .. })), "{refused:?}");
    }
    ddl(&engine, Ddl::RenameTables { pairs: vec![(name("p"), name("q"))] }).unwrap();
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    assert!(matches!(t.delete("q", 1), Err(EngineError::ForeignKey(_))));
    drop(t);
    // A new constraint is checked against the rows that are there.
    insert_rows(&engine, "c", &[&[Some(2), None]]);
    let mut def = child.clone();
    def.foreign_keys[0].ref_table = "q".into();
    def.foreign_keys.push(foreign("fk2", 0, "q", "c0", Action::Restrict, Action::Restrict));
    let alter = Ddl::AlterTable {
        db: "d".into(),
        table: "c".into(),
        new: def,
        rows: AlteredRows::STAY,
        renamed: Vec::new(),
        lock: AlterLock::None,
    };
    assert!(matches!(ddl(&engine, alter), Err(EngineError::ForeignKey(_))));
    ddl(&engine, Ddl::DropTables { tables: vec![name("c"), name("q")] }).unwrap();
    after_each(&disk, engine, |engine| assert!(names(engine).is_empty()));
}

#[test]
fn keys_follow_a_column_that_gets_another_name() {
    let disk = Disk::new(1);
    let mut child = table_def("c", 2, vec![primary(), index("f", IndexKind::Key, &[1])]);
    child.foreign_keys.push(foreign("fk", 1, "p", "c0", Action::Restrict, Action::Restrict));
    let engine = engine_with(&disk, vec![plain("p"), child]);
    insert_rows(&engine, "p", &[&[Some(1), None]]);
    insert_rows(&engine, "c", &[&[Some(1), Some(1)]]);
    let mut new = plain("p");
    new.columns[0].name = "number".into();
    let renamed = vec![("c0".to_owned(), "number".to_owned())];
    let (db, table, lock) = ("d".into(), "p".into(), AlterLock::None);
    ddl(&engine, Ddl::AlterTable { db, table, new, rows: AlteredRows::STAY, renamed, lock }).unwrap();
    after_each(&disk, engine, |engine| {
        let child = engine.catalog().table("d", "c").unwrap().clone();
        assert_eq!(child.def().foreign_keys[0].ref_columns, ["number"]);
        let mut t = T::begin(engine, Isolation::RepeatableRead);
        assert!(matches!(t.delete("p", 1), Err(EngineError::ForeignKey(_))));
    });
}

#[test]
fn columns_added_as_null_write_no_row() {
    let disk = Disk::new(1);
    let narrow = |n: i64| vec![Some(n), Some(n % 7), None, Some(-n), Some(2 * n)];
    let keys = || vec![primary(), index("k", IndexKind::Key, &[1])];
    let engine = engine_with(&disk, vec![table_def("t", 5, keys())]);
    let rows: Vec<_> = (0..500).map(narrow).collect();
    insert_rows(&engine, "t", &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    engine.checkpoint().unwrap();
    let change = |engine: &Engine, id: i64, at: usize, to: Option<i64>| {
        let mut t = T::begin(engine, Isolation::RepeatableRead);
        t.change("t", id, |row| row[at] = to).unwrap();
        t.commit();
    };
    // In the log under the old definition, read under the new one.
    change(&engine, 3, 4, Some(1000));
    let before = engine.catalog().table("d", "t").unwrap().id();
    let (db, table, lock) = ("d".into(), "t".into(), AlterLock::None);
    let new = table_def("t", 8, keys());
    ddl(&engine, Ddl::AlterTable { db, table, new, rows: AlteredRows::STAY, renamed: Vec::new(), lock })
        .unwrap();
    change(&engine, 4, 7, Some(44));
    change(&engine, 5, 1, Some(55));
    change(&engine, 6, 5, Some(66));
    change(&engine, 6, 5, None);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.delete("t", 7).unwrap();
    t.commit();
    let wide = [Some(900), Some(1), Some(2), Some(3), Some(4), Some(5), None, Some(7)];
    insert_rows(&engine, "t", &[&wide]);
    let mut expected: Vec<_> = (0..500).map(|n| [narrow(n), vec![None; 3]].concat()).collect();
    (expected[3][4], expected[4][7], expected[5][1]) = (Some(1000), Some(44), Some(55));
    expected.remove(7);
    expected.push(wide.to_vec());
    after_each(&disk, engine, |engine| {
        assert_eq!(rows_of(engine, "t"), expected);
        assert_eq!(engine.catalog().table("d", "t").unwrap().id(), before, "it is the table that it was");
    });
}

/// INT NOT NULL columns behind those that older rows have: their value is the table's, over crashes, changes, names and
/// indexes.
#[test]
fn columns_that_rows_lack_have_the_value_they_were_added_with() {
    let disk = Disk::new(1);
    let narrow = |n: i64| vec![Some(n), Some(n % 7), None];
    let engine = engine_with(&disk, vec![table_def("t", 3, vec![primary()])]);
    let rows: Vec<_> = (0..300).map(narrow).collect();
    insert_rows(&engine, "t", &rows.iter().map(Vec::as_slice).collect::<Vec<_>>());
    engine.checkpoint().unwrap();
    let wide = |name: &str, columns: usize, indexes| {
        let mut def = table_def(name, columns, indexes);
        def.columns[3..].iter_mut().for_each(|column| column.nullable = false);
        def
    };
    let alter = |from: &str, new, absent: &[(usize, i32)]| {
        let absent = absent.iter().map(|(at, n)| (*at, n.to_le_bytes().to_vec())).collect();
        let (db, table, lock) = ("d".into(), from.into(), AlterLock::None);
        Ddl::AlterTable { db, table, new, rows: AlteredRows::Stay { absent }, renamed: Vec::new(), lock }
    };
    let key = || vec![primary(), index("k", IndexKind::Key, &[4])];
    ddl(&engine, alter("t", wide("t", 5, vec![primary()]), &[(3, 33), (4, -4)])).unwrap();
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.change("t", 1, |row| row[1] = Some(100)).unwrap();
    t.change("t", 2, |row| row[4] = Some(40)).unwrap();
    t.delete("t", 3).unwrap();
    t.commit();
    insert_rows(&engine, "t", &[&[Some(500), None, None, Some(1), Some(2)]]);
    ddl(&engine, alter("t", wide("t", 6, key()), &[(5, 55)])).unwrap();
    ddl(&engine, alter("t", wide("u", 6, key()), &[])).unwrap();
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.change("u", 4, |row| row[5] = Some(56)).unwrap();
    t.commit();
    let mut expected: Vec<_> =
        (0..300).map(|n| [narrow(n), vec![Some(33), Some(-4), Some(55)]].concat()).collect();
    (expected[1][1], expected[2][4], expected[4][5]) = (Some(100), Some(40), Some(56));
    expected.remove(3);
    expected.push(vec![Some(500), None, None, Some(1), Some(2), Some(55)]);
    after_each(&disk, engine, |engine| assert_eq!(rows_of(engine, "u"), expected));
    // A copy has them in its rows.
    let engine = open(&disk.after_crash(7));
    let mut whole = wide("u", 6, key());
    whole.columns[5].nullable = true;
    ddl(&engine, alter("u", whole, &[])).unwrap();
    assert_eq!(rows_of(&engine, "u"), expected);
    check_all(&engine);
}

#[test]
fn a_counter_goes_back_where_it_is_told_to() {
    let disk = Disk::new(1);
    let mut def = table_def("t", 1, vec![primary()]);
    def.columns[0].auto_increment = true;
    let engine = engine_with(&disk, vec![def.clone()]);
    insert_rows(&engine, "t", &[&[Some(1)], &[Some(50)]]);
    let next = |engine: &Engine| engine.catalog().table("d", "t").unwrap().auto_increment().get();
    let alter = |next: u64| {
        let new = types::TableDef { auto_increment: Some(next), ..def.clone() };
        let (db, table, lock) = ("d".into(), "t".into(), AlterLock::None);
        Ddl::AlterTable { db, table, new, rows: AlteredRows::STAY, renamed: Vec::new(), lock }
    };
    ddl(&engine, alter(10)).unwrap();
    assert_eq!(next(&engine), 51, "no number that is there is given again");
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.delete("t", 50).unwrap();
    t.commit();
    ddl(&engine, alter(10)).unwrap();
    assert_eq!(next(&engine), 10);
    ddl(&engine, Ddl::RenameTables { pairs: vec![(name("t"), name("u"))] }).unwrap();
    insert_rows(&engine, "u", &[&[Some(20)]]);
    ddl(&engine, Ddl::RenameTables { pairs: vec![(name("u"), name("t"))] }).unwrap();
    assert_eq!(next(&engine), 21, "another name does not set it back");
    after_each(&disk, engine, |engine| assert_eq!(next(engine), 21));
}

#[test]
fn a_snapshot_does_not_read_a_table_made_after_it() {
    let engine = engine_with(&Disk::new(1), vec![plain("a"), plain("b")]);
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.all("a");
    ddl(&engine, Ddl::TruncateTable { db: "d".into(), table: "b".into() }).unwrap();
    let refused = t.txn.lock_table("d", "b", engine::Mdl::Read);
    assert!(matches!(refused, Err(EngineError::TableNewerThanSnapshot { .. })), "{refused:?}");
}
