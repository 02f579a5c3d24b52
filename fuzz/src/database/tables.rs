//! The tables of the small database, made without SQL: its reading is what is on trial.

use std::sync::Arc;

use engine::{DatabaseDef, Ddl, Engine, TxnOptions};
use types::{
    BlobSize, CollationId, ColumnDef, ColumnType, DecimalType, FloatType, IndexDef, IndexKind, IntSize,
    IntegerType, Labels, TableDef,
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
        IndexDef::primary(&[0]),
        IndexDef::new("c", IndexKind::Unique, &[2]),
        IndexDef::new("b", IndexKind::Key, &[1]),
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
    u.indexes = vec![IndexDef::new("k", IndexKind::Key, &[0, 1])];
    ddl(Ddl::CreateTable { def: u });
}

fn table(name: &str, columns: &[(&str, ColumnType)]) -> TableDef {
    TableDef::new(
        ("d", name),
        CollationId::UTF8MB4_GENERAL_CI,
        columns.iter().map(|(name, ty)| ColumnDef::new(name, ty.clone(), true)).collect(),
        Vec::new(),
    )
}

/// A table with a column of every type, made by SQL; rows of common, empty, extreme and no values.
pub(super) const EVERY: &str = "
    CREATE TABLE every (id INT PRIMARY KEY,
        t1 TINYINT, t2 SMALLINT UNSIGNED ZEROFILL, t3 MEDIUMINT, t4 INT UNSIGNED, t8 BIGINT, u8 BIGINT UNSIGNED,
        f4 FLOAT, f8 DOUBLE, n2 DECIMAL(10,2), n38 DECIMAL(65,38), b1 BIT(1), b64 BIT(64),
        y YEAR, da DATE, ti TIME(6), dt DATETIME, dt6 DATETIME(6), ts TIMESTAMP(3) NULL,
        c CHAR(5), v VARCHAR(40), vb VARCHAR(20) COLLATE utf8mb4_bin, vl VARCHAR(20) CHARACTER SET latin1,
        vu VARCHAR(20) CHARACTER SET ucs2, vw VARCHAR(20) CHARACTER SET utf16 COLLATE utf16_unicode_ci,
        bi BINARY(4), bv VARBINARY(20), tx TEXT, bl BLOB, e ENUM('x','y','zed'), s SET('p','q','r'),
        j JSON, i6 INET6, uu UUID, g GEOMETRY,
        KEY (t8), KEY (v(10), n2), UNIQUE (dt6), KEY (e, s));
    INSERT INTO every VALUES
        (1, 1, 2, 3, 4, 5, 6, 1.5, 2.5, 10.25, 1.00000000000000000000000000000000000001, 1, 255, 2024, '2024-02-29',
            '10:11:12.5', '2024-02-29 10:11:12', '2024-02-29 10:11:12.654321', '2024-02-29 10:11:12.5', 'abc',
            'one two', 'Bin', 'caf\u{e9}', 'wide', 'more', 'bin', x'00ff', 'text', 'blob', 'x', 'p,r',
            '{\"a\": [1, 2.5, \"x\", null], \"b\": {\"c\": true}}', '2001:db8::1',
            '123e4567-e89b-12d3-a456-426655440000', POINT(1, 2)),
        (2, -128, 65535, 8388607, 4294967295, -9223372036854775808, 18446744073709551615, -3.4e38, 1.7e308,
            99999999.99, -999999999999999999999999999.99999999999999999999999999999999999999, 0,
            x'FFFFFFFFFFFFFFFF', 2155, '9999-12-31', '-838:59:59.999999', '9999-12-31 23:59:59',
            '9999-12-31 23:59:59.999999', '2038-01-19 03:14:07', '\u{e9}\u{1F600}', '-12.5e3xyz', '', '123abc',
            '\u{20ac}', '\u{1F600}', x'00000000', '', '1', x'80', 'zed', 'p,q,r', '[]', '::',
            '00000000-0000-0000-0000-000000000000', ST_GeomFromText('POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 1))')),
        (3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '0000-00-00', '00:00:00', '0000-00-00 00:00:00',
            '1000-01-01', '1970-01-01 12:00:01', '', '', ' ', '', '', '', '', '', '', '', 'y', '', '\"\"',
            '::ffff:1.2.3.4', 'ffffffff-ffff-ffff-ffff-ffffffffffff', ST_GeomFromText('LINESTRING(0 0,1 1,1 2)')),
        (4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);";
