//! The tables of the small database, made without SQL: its reading is what is on trial.

use std::sync::Arc;

use engine::{DatabaseDef, Ddl, Engine, TxnOptions};
use types::{
    BlobSize, CollationId, ColumnDef, ColumnType, DecimalType, FloatType, IndexDef, IndexKind, IndexPart,
    IntSize, IntegerType, Labels, TableDef,
};

/// Makes database `d` with the tables `t` and `u`, empty.
pub(super) fn make(engine: &Engine) {
    let def = DatabaseDef { collation: CollationId::UTF8MB4_GENERAL_CI, comment: String::new() };
    let ddl =
        |ddl| engine.session().ddl(ddl, None, TxnOptions::default()).expect("an empty disk takes a table");
    ddl(Ddl::CreateDatabase { name: "d".into(), def });
    let integer = |size, unsigned| ColumnType::Integer(IntegerType::new(size, unsigned));
    let labels = Arc::new(Labels::new(vec![b"x".to_vec(), b"y".to_vec()]));
    let double = FloatType { digits: None, unsigned: false, zerofill: false };
    let decimal = DecimalType { precision: 10, scale: 2, unsigned: false, zerofill: false };
    let mut t = table(
        "t",
        &[
            ("a", integer(IntSize::Normal, false)),
            ("b", ColumnType::VarChar(20)),
            ("c", ColumnType::Decimal(decimal)),
            ("d", ColumnType::DateTime(3)),
            ("e", ColumnType::Double(double)),
            ("f", ColumnType::Enum(labels)),
            ("g", ColumnType::Text(BlobSize::Normal)),
        ],
    );
    t.columns[0].nullable = false;
    t.columns[0].auto_increment = true;
    t.indexes = vec![
        index("PRIMARY", IndexKind::Primary, &[0]),
        index("c", IndexKind::Unique, &[2]),
        index("b", IndexKind::Key, &[1]),
    ];
    ddl(Ddl::CreateTable { def: t });
    let mut u = table(
        "u",
        &[
            ("a", integer(IntSize::Normal, false)),
            ("b", ColumnType::VarChar(20)),
            ("c", integer(IntSize::Big, true)),
            ("v", ColumnType::Date),
            ("w", ColumnType::Time(0)),
        ],
    );
    u.indexes = vec![index("k", IndexKind::Key, &[0, 1])];
    ddl(Ddl::CreateTable { def: u });
}

fn table(name: &str, columns: &[(&str, ColumnType)]) -> TableDef {
    TableDef {
        db: "d".into(),
        name: name.into(),
        columns: columns.iter().map(|(name, ty)| ColumnDef::new(name, ty.clone(), true)).collect(),
        indexes: Vec::new(),
        foreign_keys: Vec::new(),
        checks: Vec::new(),
        collation: CollationId::UTF8MB4_GENERAL_CI,
        comment: String::new(),
        auto_increment: None,
        options: Vec::new(),
    }
}

fn index(name: &str, kind: IndexKind, columns: &[usize]) -> IndexDef {
    let part = |column: &usize| IndexPart { column: *column, prefix_chars: None, desc: false };
    IndexDef {
        name: name.into(),
        kind,
        parts: columns.iter().map(part).collect(),
        comment: String::new(),
        options: types::IndexOptions::default(),
    }
}
