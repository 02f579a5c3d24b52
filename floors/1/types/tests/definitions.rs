//! What definitions say of themselves, against what MariaDB 10.11 showed: type text, and the type, length and decimals
//! of result set columns under `SET NAMES utf8mb4`.

use std::sync::Arc;

use types::column::wire;
use types::{
    BlobSize, Charset, CollationId, ColumnType, DecimalType, FloatType, IntSize, IntegerType, Labels,
    TableDef,
};

const UTF8MB4: CollationId = CollationId::UTF8MB4_GENERAL_CI;
const LATIN1: CollationId = CollationId::LATIN1_SWEDISH_CI;
const PLAIN: CollationId = CollationId::BINARY;

fn labels(names: &[&str]) -> Arc<Labels> {
    Arc::new(Labels::new(names.iter().map(|name| name.as_bytes().to_vec()).collect()))
}

fn decimal(precision: u8, scale: u8, unsigned: bool) -> ColumnType {
    ColumnType::Decimal(DecimalType { precision, scale, unsigned, zerofill: unsigned })
}

#[test]
fn types_show_as_mariadb_shows_them() {
    let plain_float = FloatType::default();
    let medium = IntegerType { zerofill: true, ..IntegerType::new(IntSize::Medium, true) };
    let five_wide = IntegerType { width: 5, ..IntegerType::new(IntSize::Normal, false) };
    let float_7_3 = FloatType { digits: Some((7, 3)), ..plain_float };
    let double_10_2 = FloatType { digits: Some((10, 2)), unsigned: true, zerofill: false };
    let cases = [
        (ColumnType::integer(IntSize::Tiny, false), PLAIN, "tinyint(4)", wire::TINY, 4, 0),
        (ColumnType::integer(IntSize::Small, true), PLAIN, "smallint(5) unsigned", wire::SHORT, 5, 0),
        (ColumnType::Integer(medium), PLAIN, "mediumint(8) unsigned zerofill", wire::INT24, 8, 0),
        (ColumnType::Integer(five_wide), PLAIN, "int(5)", wire::LONG, 5, 0),
        (ColumnType::integer(IntSize::Big, true), PLAIN, "bigint(20) unsigned", wire::LONGLONG, 20, 0),
        (ColumnType::Float(plain_float), PLAIN, "float", wire::FLOAT, 12, 31),
        (ColumnType::Float(float_7_3), PLAIN, "float(7,3)", wire::FLOAT, 7, 3),
        (ColumnType::Double(plain_float), PLAIN, "double", wire::DOUBLE, 22, 31),
        (ColumnType::Double(double_10_2), PLAIN, "double(10,2) unsigned", wire::DOUBLE, 10, 2),
        (decimal(10, 3, false), PLAIN, "decimal(10,3)", wire::NEWDECIMAL, 12, 3),
        (decimal(5, 0, true), PLAIN, "decimal(5,0) unsigned zerofill", wire::NEWDECIMAL, 5, 0),
        (decimal(38, 38, false), PLAIN, "decimal(38,38)", wire::NEWDECIMAL, 40, 38),
        (ColumnType::Bit(10), PLAIN, "bit(10)", wire::BIT, 10, 0),
        (ColumnType::Year, PLAIN, "year(4)", wire::YEAR, 4, 0),
        (ColumnType::Date, PLAIN, "date", wire::DATE, 10, 0),
        (ColumnType::Time(0), PLAIN, "time", wire::TIME, 10, 0),
        (ColumnType::Time(3), PLAIN, "time(3)", wire::TIME, 14, 3),
        (ColumnType::DateTime(0), PLAIN, "datetime", wire::DATETIME, 19, 0),
        (ColumnType::DateTime(6), PLAIN, "datetime(6)", wire::DATETIME, 26, 6),
        (ColumnType::Timestamp(2), PLAIN, "timestamp(2)", wire::TIMESTAMP, 22, 2),
        (ColumnType::Char(10), UTF8MB4, "char(10)", wire::STRING, 40, 0),
        (ColumnType::Char(10), LATIN1, "char(10)", wire::STRING, 40, 0),
        (ColumnType::Binary(6), PLAIN, "binary(6)", wire::STRING, 6, 0),
        (ColumnType::VarChar(300), LATIN1, "varchar(300)", wire::VAR_STRING, 1200, 0),
        (ColumnType::VarBinary(10), PLAIN, "varbinary(10)", wire::VAR_STRING, 10, 0),
        (ColumnType::Enum(labels(&["a", "bcd"])), UTF8MB4, "enum('a','bcd')", wire::STRING, 12, 0),
        (ColumnType::Enum(labels(&["it's"])), UTF8MB4, "enum('it''s')", wire::STRING, 16, 0),
        (ColumnType::Set(labels(&["a", "b", "cc"])), UTF8MB4, "set('a','b','cc')", wire::STRING, 24, 0),
        (ColumnType::Text(BlobSize::Tiny), UTF8MB4, "tinytext", wire::BLOB, 1020, 0),
        (ColumnType::Text(BlobSize::Tiny), LATIN1, "tinytext", wire::BLOB, 1020, 0),
        (ColumnType::Text(BlobSize::Normal), UTF8MB4, "text", wire::BLOB, 262_140, 0),
        (ColumnType::Text(BlobSize::Medium), UTF8MB4, "mediumtext", wire::BLOB, 67_108_860, 0),
        (ColumnType::Text(BlobSize::Long), UTF8MB4, "longtext", wire::BLOB, 4_294_967_295, 0),
        (ColumnType::Blob(BlobSize::Tiny), PLAIN, "tinyblob", wire::BLOB, 255, 0),
        (ColumnType::Blob(BlobSize::Normal), PLAIN, "blob", wire::BLOB, 65_535, 0),
        (ColumnType::Blob(BlobSize::Medium), PLAIN, "mediumblob", wire::BLOB, 16_777_215, 0),
        (ColumnType::Blob(BlobSize::Long), PLAIN, "longblob", wire::BLOB, 4_294_967_295, 0),
    ];
    for (ty, collation, text, wire_type, length, decimals) in cases {
        assert_eq!(ty.sql_text(collation), text);
        assert_eq!(ty.wire_type(), wire_type, "{text}");
        assert_eq!(ty.display_length(collation, Charset::Utf8mb4), length, "{text}");
        assert_eq!(ty.decimals(), decimals, "{text}");
    }
}

#[test]
fn definitions_survive_the_catalog() {
    let mut column = types::ColumnDef::new("name", ColumnType::Enum(labels(&["a", "\u{e4}"])), true);
    column.default = types::DefaultValue::Literal(b"a".to_vec());
    let table = TableDef {
        db: "d".into(),
        name: "t".into(),
        columns: vec![column],
        indexes: vec![types::IndexDef {
            name: "PRIMARY".into(),
            kind: types::IndexKind::Primary,
            parts: vec![types::IndexPart { column: 0, prefix_chars: Some(3), desc: true }],
            comment: String::new(),
            options: types::IndexOptions::default(),
        }],
        foreign_keys: Vec::new(),
        checks: Vec::new(),
        collation: UTF8MB4,
        comment: "c".into(),
        auto_increment: Some(7),
        options: vec![("row_format".into(), "dynamic".into())],
    };
    let text = serde_json::to_string(&table).unwrap();
    assert_eq!(serde_json::from_str::<TableDef>(&text).unwrap(), table);
    // An id that is no collation is refused, not kept.
    let damaged = text.replace("\"collation\":45", "\"collation\":17");
    assert_ne!(damaged, text);
    assert!(serde_json::from_str::<TableDef>(&damaged).is_err());
}

#[test]
fn zones_convert_both_ways() {
    use types::{Date, DateTime, TimeZone, Timestamp};
    let at = |d: u8, h: u8, m: u8| DateTime::new(Date::new(2024, 3, d), h, m, 0, 0);
    let berlin = TimeZone::parse("europe/berlin").unwrap();
    assert_eq!(berlin.name(), "Europe/Berlin");
    // The clock went from 02:00 to 03:00 on the 31st: times between are the moment of the change.
    assert_eq!(
        berlin.to_timestamp(at(31, 1, 30)).unwrap(),
        (Timestamp { secs: 1_711_845_000, micros: 0 }, false)
    );
    assert_eq!(
        berlin.to_timestamp(at(31, 2, 30)).unwrap(),
        (Timestamp { secs: 1_711_846_800, micros: 0 }, true)
    );
    assert_eq!(
        berlin.to_timestamp(at(31, 3, 0)).unwrap(),
        (Timestamp { secs: 1_711_846_800, micros: 0 }, false)
    );
    let twice = DateTime::new(Date::new(2024, 10, 27), 2, 30, 0, 0);
    let first = berlin.to_timestamp(twice).unwrap().0;
    assert_eq!(first.secs, 1_729_989_000);
    assert_eq!(berlin.to_local(first), twice);
    for (text, name, offset) in
        [("+02:00", "+02:00", 7200), ("-3:30", "-03:30", -12_600), ("+13:00", "+13:00", 46_800)]
    {
        let zone = TimeZone::parse(text).unwrap();
        assert_eq!((zone.name().as_str(), zone.offset_at(0)), (name, offset));
    }
    for text in ["+13:01", "-13:00", "+2", "+02:60", "nowhere", "", "+:", "++2:00"] {
        assert_eq!(TimeZone::parse(text), None, "{text}");
    }
    assert_eq!(TimeZone::parse("System"), Some(TimeZone::System));
    let utc = TimeZone::UTC;
    assert_eq!(utc.to_timestamp(DateTime::ZERO), Some((Timestamp::ZERO, false)));
    assert_eq!(utc.to_timestamp(Date::new(1970, 1, 1).at_midnight()), None);
    assert_eq!(utc.to_timestamp(Date::new(2038, 1, 20).at_midnight()), None);
    assert_eq!(utc.to_timestamp(Date::new(2024, 0, 1).at_midnight()), None);
}
