//! What entries of an index keep beside their keys: texts as they are written, of which the key has weights alone.

use crate::fixture::*;
use engine::{
    AlterLock, AlteredRows, Ddl, Direction, Engine, Isolation, KeyRange, Read, RowBuf, Table, TxnOptions,
};
use platform::sim::Disk;
use std::sync::Arc;
use types::{CollationId, ColumnDef, ColumnType, IndexKind, StrValue, TableDef, Value};

type Row<'r> = (i64, Option<&'r str>, i64);

/// t (id INT PRIMARY KEY, name VARCHAR(20), n INT, KEY (name, n)).
fn definition() -> TableDef {
    let mut def = table_def("t", 3, vec![primary(), index("name", IndexKind::Key, &[1, 2])]);
    def.columns[1] = ColumnDef::new("name", ColumnType::VarChar(20), true);
    def.columns[1].collation = CollationId::UTF8MB4_GENERAL_CI;
    def
}

fn image(table: &Table, (id, name, n): Row<'_>) -> Vec<u8> {
    let text =
        |text: &str| Value::Str(StrValue::owned(text.as_bytes().to_vec(), CollationId::UTF8MB4_GENERAL_CI));
    let values = [Value::Int(id), name.map_or(Value::Null, text), Value::Int(n)];
    let mut out = Vec::new();
    table.layout().encode(&values, &mut out).expect("encode a row");
    out
}

fn insert(t: &mut T, rows: &[Row<'_>]) {
    let table = t.table("t");
    t.statement(|txn| rows.iter().try_for_each(|row| txn.insert(&table, &image(&table, *row))))
        .expect("insert");
}

fn update(t: &mut T, new: Row<'_>) {
    let table = t.table("t");
    let mut old = RowBuf { key: key(&table, 0, &[new.0]), row: Vec::new() };
    t.statement(|txn| {
        assert!(txn.get(&table, &old.key, FOR_UPDATE, &mut old.row)?);
        txn.update(&table, &old, &image(&table, new))
    })
    .expect("update");
}

/// The names and numbers that entries of an index have, in its order; of rows that are read all the same, as the row says.
fn by_entries(t: &mut T, index: usize) -> Vec<String> {
    let table = t.table("t");
    assert_eq!(table.columns_beside(index), [1, 2]);
    t.statement(|txn| {
        let mut scan = txn.scan(&table, index, KeyRange::ALL, Direction::Forward, Read::Snapshot)?;
        scan.read_keys_only(true);
        let mut found = Vec::new();
        while scan.advance(txn)? {
            match scan.found().row {
                [] => found.push(shown(&table, scan.beside())),
                row => found.push(format!("row {:?}", table.layout().decode_column(row, 1).expect("a name"))),
            }
            let mut at_hand = scan.at_hand(txn);
            while let Some(beside) = at_hand.peek() {
                found.push(shown(&table, beside));
                at_hand.pass();
            }
        }
        Ok(found)
    })
    .expect("scan")
}

fn shown(table: &Table, beside: &[u8]) -> String {
    let mut found = Vec::new();
    let layout = table.layout();
    engine::read_beside(beside, 2, |at, bytes| {
        found.push(match bytes.map(|bytes| layout.column(1 + at).decode(bytes).expect("a value")) {
            None => "NULL".to_owned(),
            Some(Value::Str(text)) => String::from_utf8(text.bytes.to_vec()).expect("text"),
            Some(Value::Int(n)) => n.to_string(),
            Some(other) => panic!("{other:?}"),
        });
    })
    .expect("two columns");
    found.join(" ")
}

fn alter(engine: &Engine, new: TableDef) -> Arc<Table> {
    let ddl = Ddl::AlterTable {
        db: "d".into(),
        table: "t".into(),
        new,
        rows: AlteredRows::STAY,
        renamed: Vec::new(),
        lock: AlterLock::None,
    };
    engine.session().ddl(ddl, None, TxnOptions::default()).expect("alter");
    engine.catalog().table("d", "t").expect("find the table").clone()
}

#[test]
fn entries_tell_texts_as_they_were_written() {
    let disk = Disk::new(3);
    let engine = engine_with(&disk, vec![definition()]);
    let begin = |engine: &Engine| T::begin(engine, Isolation::RepeatableRead);
    let mut t = begin(&engine);
    insert(&mut t, &[(1, Some("abc"), 5), (2, None, 6), (3, Some("ABD"), 7), (4, Some(""), 8)]);
    t.commit();
    let mut before = begin(&engine);
    let first = ["NULL 6", " 8", "abc 5", "ABD 7"];
    assert_eq!(by_entries(&mut before, 1), first);

    // The key stays: 'ABC' weighs what 'abc' does.
    let mut t = begin(&engine);
    update(&mut t, (1, Some("ABC"), 5));
    let own = by_entries(&mut t, 1);
    assert_eq!(
        (&own[..2], &own[3..]),
        (&["NULL 6".to_owned(), " 8".to_owned()][..], &["ABD 7".to_owned()][..])
    );
    assert!(own[2].contains("row"), "a row of the transaction's own is read: {}", own[2]);
    t.commit();
    let second = ["NULL 6", " 8", "ABC 5", "ABD 7"];
    assert_eq!(by_entries(&mut before, 1), first);
    assert_eq!(by_entries(&mut begin(&engine), 1), second);
    check_all(&engine);
    before.commit();
    drop(engine);

    let engine = open(&disk.after_kill());
    assert_eq!(by_entries(&mut begin(&engine), 1), second);
    check_all(&engine);

    // One more index, made from the rows.
    let mut new = definition();
    new.indexes.push(index("later", IndexKind::Unique, &[1, 2]));
    alter(&engine, new);
    let mut t = begin(&engine);
    update(&mut t, (3, Some("abd"), 7));
    insert(&mut t, &[(5, Some("z"), 1)]);
    t.commit();
    let third = ["NULL 6", " 8", "ABC 5", "abd 7", "z 1"];
    for index in [1, 2] {
        assert_eq!(by_entries(&mut begin(&engine), index), third);
    }
    check_all(&engine);
}

#[test]
fn what_is_too_long_or_cut_is_not_kept() {
    let disk = Disk::new(3);
    let engine = engine_with(&disk, vec![]);
    let mut def = definition();
    def.indexes[1].parts[0].prefix_chars = Some(3);
    let table = create(&engine, TableDef { name: "cut".into(), ..def });
    assert_eq!(table.columns_beside(1), [2], "the number alone");
    let mut def = definition();
    def.columns[1].ty = ColumnType::VarChar(800);
    let table = create(&engine, TableDef { name: "long".into(), ..def });
    assert_eq!(table.columns_beside(1), [0; 0]);
    let table = create(&engine, TableDef { name: "plain".into(), ..plain("plain") });
    assert_eq!(table.columns_beside(0), [0; 0], "the rows themselves");
}
