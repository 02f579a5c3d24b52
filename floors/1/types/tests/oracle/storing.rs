use std::sync::Arc;

use types::convert::{ConvertContext, StoreIssue, store};
use types::{
    BlobSize, CollationId, ColumnType, DateMode, Decimal, DecimalType, FloatType, IntSize, Labels, TimeZone,
    Value,
};

use crate::{ask, assert_same};

fn columns() -> Vec<(&'static str, ColumnType)> {
    let labels =
        |names: &[&str]| Arc::new(Labels::new(names.iter().map(|n| n.as_bytes().to_vec()).collect()));
    let decimal = |precision, scale| {
        ColumnType::Decimal(DecimalType { precision, scale, unsigned: false, zerofill: false })
    };
    vec![
        ("int", ColumnType::integer(IntSize::Normal, false)),
        ("tinyint unsigned", ColumnType::integer(IntSize::Tiny, true)),
        ("bigint", ColumnType::integer(IntSize::Big, false)),
        ("bigint unsigned", ColumnType::integer(IntSize::Big, true)),
        ("decimal(5,2)", decimal(5, 2)),
        ("decimal(30,10)", decimal(30, 10)),
        ("float", ColumnType::Float(FloatType::default())),
        ("double", ColumnType::Double(FloatType::default())),
        ("double(5,2)", ColumnType::Double(FloatType { digits: Some((5, 2)), ..FloatType::default() })),
        ("varchar(3)", ColumnType::VarChar(3)),
        ("char(3)", ColumnType::Char(3)),
        ("varbinary(3)", ColumnType::VarBinary(3)),
        ("tinytext", ColumnType::Text(BlobSize::Tiny)),
        ("date", ColumnType::Date),
        ("datetime", ColumnType::DateTime(0)),
        ("datetime(3)", ColumnType::DateTime(3)),
        ("time", ColumnType::Time(0)),
        ("time(6)", ColumnType::Time(6)),
        ("timestamp", ColumnType::Timestamp(0)),
        ("year", ColumnType::Year),
        ("enum('a','b','1')", ColumnType::Enum(labels(&["a", "b", "1"]))),
        ("set('x','y','z')", ColumnType::Set(labels(&["x", "y", "z"]))),
        ("bit(4)", ColumnType::Bit(4)),
    ]
}

/// SQL literals and the values they are to us.
fn literals() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for text in [
        "12abc",
        "1.5",
        "2.5",
        "-1.5",
        "abc",
        "",
        "99999999999",
        " 12 ",
        "12 ",
        "1e3",
        "1e40",
        "255.5",
        "-1",
        "1.005",
        "1.005x",
        "1000",
        "1e2",
        "-999.999",
        "abcd",
        "abc   ",
        "ab ",
        "2024-13-01",
        "2024-01-02 10:00:00",
        "2024-01-02x",
        "0000-00-00",
        "2024-00-01",
        "10:11:12x",
        "900:00:00",
        "10:60:00",
        "10:11:12.6",
        "2024-01-02 10:11:12.6789",
        "1969-01-01",
        "2040-01-01",
        "1970-01-01 00:00:01",
        "0",
        "00",
        "0000",
        "69",
        "70",
        "1900",
        "2155",
        "2156",
        "2024x",
        "A ",
        "a",
        "b ",
        "3",
        "4",
        "x,y",
        "x,q",
        "X",
        "y,x,y",
        "x, y",
        "5",
        "9",
        "18446744073709551616",
        "-9223372036854775809",
        "0.005",
        "12:34",
        "2038-01-19 03:14:07",
        "2038-01-19 03:14:08",
    ] {
        all.push((format!("'{text}'"), Value::text(text)));
    }
    for n in [
        0, 1, 2, 4, 9, 15, 16, 69, 70, 100, 1234, 1901, 2156, -1, 255, 256, 101112, 106000, 20240102,
        20241301,
    ] {
        all.push((n.to_string(), Value::Int(n)));
    }
    all.push(("20240102030405".into(), Value::Int(20_240_102_030_405)));
    all.push(("18446744073709551615".into(), Value::UInt(u64::MAX)));
    for d in ["1.5", "2.5", "-2.5", "1.005", "1000.5", "12.345", "20240102.5", "0.0049", "-0.4", "2024.6"] {
        all.push((d.into(), Value::Decimal(d.parse::<Decimal>().unwrap())));
    }
    for f in ["1.5e0", "2.5e0", "-1.5e0", "1e30", "1e40", "1.005e0", "255.5e0", "1.235e0", "1e300", "1e20"] {
        all.push((f.into(), Value::Double(f.parse().unwrap())));
    }
    all
}

fn text_of(value: &Value) -> String {
    let mut text = Vec::new();
    value.append_text(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Corners in which we differ knowingly: numbers below zero or beyond 64 bits for a SET, a double's fraction in a TIME.
fn differs_knowingly(column: &str, literal: &str) -> bool {
    match column {
        "set('x','y','z')" => {
            let text = literal.trim_matches('\'');
            text.starts_with('-') || text.parse::<f64>().is_ok_and(|n| n > 1e19)
        }
        "time(6)" => literal == "1.005e0",
        _ => false,
    }
}

fn strict_errno(issue: &Option<StoreIssue>) -> &'static str {
    match issue {
        None | Some(StoreIssue::Cut) => "",
        Some(StoreIssue::Truncated) => "1265",
        Some(StoreIssue::BadNumber(_) | StoreIssue::BadString { .. }) => "1366",
        Some(StoreIssue::OutOfRange) => "1264",
        Some(StoreIssue::TooLong | StoreIssue::BitTooLong) => "1406",
        Some(StoreIssue::BadTemporal { .. } | StoreIssue::BadFixed(_)) => "1292",
        Some(StoreIssue::NeverFixed(..) | StoreIssue::NeverGeometry(..)) => "4078",
        Some(StoreIssue::BadGeometry) => "1416",
        Some(StoreIssue::OtherGeometry(_)) => "1366",
    }
}

#[test]
fn values_are_stored_alike() {
    let mut sql =
        "set sql_mode='', time_zone='+00:00', timestamp=1700000000$$\nset names utf8mb4$$\ncreate database if \
                   not exists types_oracle$$\nuse types_oracle;\n"
            .to_string();
    let context = ConvertContext {
        mode: DateMode::default(),
        round_fractions: false,
        zone: TimeZone::UTC,
        now: types::Timestamp { secs: 1_700_000_000, micros: 0 },
        ..ConvertContext::default()
    };
    let mut ours = Vec::new();
    for (i, (name, ty)) in columns().iter().enumerate() {
        let shown = if name.starts_with("bit") { "hex(c)" } else { "concat('<', c, '>')" };
        sql.push_str(&format!("create temporary table s{i} (c {name} null) default charset utf8mb4$$\n"));
        for (literal, value) in literals() {
            if differs_knowingly(name, &literal) {
                continue;
            }
            let collation =
                if ty.has_charset() { CollationId::UTF8MB4_GENERAL_CI } else { CollationId::BINARY };
            let result = store(value, ty, collation, &context);
            let case = ours.len();
            sql.push_str(&format!(
                "set sql_mode=''$$\ninsert into s{i} values ({literal})$$\nselect {case}, {shown} from s{i}$$\n\
                 delete from s{i}$$\nset sql_mode='STRICT_ALL_TABLES'$$\n\
                 begin not atomic declare e text default ''; declare continue handler for sqlexception, 1265 get diagnostics \
                 condition 1 e = mysql_errno; insert into s{i} values ({literal}); select {case} + 1, concat('#', if((select count(*) from s{i}) = 0, e, '')); \
                 end$$\ndelete from s{i}$$\n"
            ));
            let text = match &result.value {
                Value::Double(f) if *name == "double(5,2)" => format!("<{f:.2}>"),
                Value::Timestamp(at, _) => format!("<{}>", TimeZone::UTC.to_local(*at)),
                Value::Bit(bit) => format!("{:X}", bit.bits),
                value => format!("<{}>", text_of(value)),
            };
            ours.push((format!("{name} := {literal}"), text));
            ours.push((format!("{name} := {literal} strictly"), format!("#{}", strict_errno(&result.issue))));
        }
    }
    let Some(rows) = ask(&format!("delimiter $$\n{}", sql.replace(";\n", "$$\n"))) else { return };
    let theirs: std::collections::HashMap<String, String> =
        rows.into_iter().map(|row| (row[0].clone(), row[1..].join("|"))).collect();
    let cases: Vec<_> = ours
        .into_iter()
        .enumerate()
        .map(|(i, (case, ours))| (case, ours, theirs.get(&i.to_string()).cloned().unwrap_or_default()))
        .collect();
    assert_same("stored values", &cases);
}
