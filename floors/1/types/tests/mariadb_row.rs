//! Row images against bytes that MariaDB 10.11 wrote into its binlog (WRITE_ROWS events, FULL images).

use std::sync::Arc;

use types::convert::{ConvertContext, store};
use types::{
    BlobSize, CollationId, ColumnDef, ColumnType, DecimalType, FloatType, IntSize, Labels, RowLayout,
    TimeZone, Value,
};

const LATIN1: CollationId = CollationId::LATIN1_SWEDISH_CI;
const UTF8MB4: CollationId = CollationId::UTF8MB4_GENERAL_CI;

fn labels(names: &[&str]) -> Arc<Labels> {
    Arc::new(Labels::new(names.iter().map(|name| name.as_bytes().to_vec()).collect()))
}

/// Type, collation, and the text of the value in the first row.
fn columns() -> Vec<(ColumnType, CollationId, Value)> {
    let decimal = |precision, scale| {
        ColumnType::Decimal(DecimalType { precision, scale, unsigned: false, zerofill: false })
    };
    let text = Value::text;
    let plain = CollationId::BINARY;
    vec![
        (ColumnType::integer(IntSize::Tiny, false), plain, Value::Int(-5)),
        (ColumnType::integer(IntSize::Small, true), plain, Value::Int(65535)),
        (ColumnType::integer(IntSize::Medium, false), plain, Value::Int(-70000)),
        (ColumnType::integer(IntSize::Normal, false), plain, Value::Int(123456)),
        (ColumnType::integer(IntSize::Big, true), plain, Value::UInt(u64::MAX)),
        (ColumnType::Float(FloatType::default()), plain, Value::Double(1.5)),
        (ColumnType::Double(FloatType::default()), plain, Value::Double(-2.25)),
        (decimal(10, 3), plain, text("-1234.567")),
        (decimal(65, 30), plain, text("12345678901234567890.123456789")),
        (ColumnType::Bit(10), plain, Value::Int(513)),
        (ColumnType::Year, plain, Value::Int(2024)),
        (ColumnType::Date, plain, text("2024-02-29")),
        (ColumnType::Time(3), plain, text("-12:34:56.789")),
        (ColumnType::DateTime(6), plain, text("2024-02-29 12:34:56.123456")),
        (ColumnType::Timestamp(2), plain, text("2024-02-29 12:34:56.12")),
        (ColumnType::Char(10), UTF8MB4, text("ab  ")),
        (ColumnType::Binary(6), plain, Value::binary(b"a\0\0")),
        (ColumnType::VarChar(300), LATIN1, text("hello")),
        (ColumnType::VarChar(10), LATIN1, text("x")),
        (ColumnType::Enum(labels(&["a", "b"])), LATIN1, text("b")),
        (ColumnType::Set(labels(&["a", "b", "c"])), LATIN1, text("a,c")),
        (ColumnType::Text(BlobSize::Normal), LATIN1, text("text")),
        (ColumnType::Blob(BlobSize::Long), plain, text("blob")),
        (ColumnType::Char(255), UTF8MB4, text("wide")),
        (ColumnType::Time(0), plain, text("838:59:59")),
        (ColumnType::DateTime(0), plain, text("9999-12-31 23:59:59")),
    ]
}

const FIRST_ROW: &str = "000000fcfbffff90eefe40e20100ffffffffffffffff0000c03f00000000000002c07ffffb2dfdc8800000000000000c\
    149aa4350dfb38d2075bcd150000000000000000000002017c5dd00f7f3747e12e99b2bac8b801e24065e079f00c0261620161050068656c6c6f\
    0178020504007465787404000000626c6f62040077696465b46efbfef3ff7efb";

/// NULL everywhere but in columns 0 (1), 15 ('') and 16 (zero bytes).
const SECOND_ROW: &str = "fe7ffeff010000";

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

#[test]
fn images_are_those_of_mariadbs_binlog() {
    let columns = columns();
    let context = ConvertContext { zone: TimeZone::UTC, ..ConvertContext::default() };
    let definitions: Vec<ColumnDef> = columns
        .iter()
        .map(|(ty, collation, _)| ColumnDef {
            collation: *collation,
            ..ColumnDef::new("c", ty.clone(), true)
        })
        .collect();
    let layout = RowLayout::of_columns(&definitions);
    let mut first: Vec<Value> = Vec::new();
    for (ty, collation, value) in columns {
        let stored = store(value, &ty, collation, &context);
        first.push(stored.value);
    }
    let mut second = vec![Value::Null; first.len()];
    for (i, value) in [(0, Value::Int(1)), (15, Value::text("")), (16, Value::binary(&[0, 0]))] {
        second[i] = store(value, &definitions[i].ty, definitions[i].collation, &context).value;
    }
    for (values, image) in [(first, FIRST_ROW), (second, SECOND_ROW)] {
        let mut row = Vec::new();
        layout.encode(&values, &mut row).unwrap();
        assert_eq!(row, unhex(image));
        let mut back = Vec::new();
        layout.decode_all(&row, &mut back).unwrap();
        assert_eq!(back, values);
    }
}
