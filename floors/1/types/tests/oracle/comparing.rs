use types::convert::{ConvertContext, compare};
use types::{CollationId, Date, DateMode, DateTime, Decimal, Time, TimeZone, Value};

use crate::{ask, assert_same};

/// SQL expressions and the values they are to us.
fn operands() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for n in [0, 1, -1, 2, 20240101, 100000, 101112, i64::MAX, i64::MIN + 1] {
        all.push((n.to_string(), Value::Int(n)));
    }
    all.push(("18446744073709551615".into(), Value::UInt(u64::MAX)));
    for d in ["1.0", "1.5", "-0.5", "20240101.5", "9223372036854775807.5"] {
        all.push((d.into(), Value::Decimal(d.parse::<Decimal>().unwrap())));
    }
    for f in ["1e0", "1.5e0", "1e19", "-1e-3"] {
        all.push((f.into(), Value::Double(f.parse().unwrap())));
    }
    for text in
        ["", "1", "1.5", "1abc", "abc", "2024-01-01", "20240101", "2024-01-01 00:00:00", "10:11:12", "-1"]
    {
        all.push((format!("'{text}'"), Value::text(text)));
    }
    let date = |y, m, d| Value::Date(Date::new(y, m, d));
    all.push(("date'2024-01-01'".into(), date(2024, 1, 1)));
    all.push(("date'1999-12-31'".into(), date(1999, 12, 31)));
    let at = DateTime::new(Date::new(2024, 1, 1), 10, 11, 12, 0);
    all.push(("timestamp'2024-01-01 10:11:12'".into(), Value::DateTime(at, 0)));
    all.push((
        "timestamp'2024-01-01 00:00:00'".into(),
        Value::DateTime(Date::new(2024, 1, 1).at_midnight(), 0),
    ));
    let time = |h, m, s| Time::from_parts(false, h, m, s, 0).unwrap();
    all.push(("time'10:11:12'".into(), Value::Time(time(10, 11, 12), 0)));
    all.push(("time'00:00:01'".into(), Value::Time(time(0, 0, 1), 0)));
    all
}

#[test]
fn values_of_different_types_compare_alike() {
    let context = ConvertContext {
        mode: DateMode::default(),
        round_fractions: false,
        zone: TimeZone::UTC,
        now: types::Timestamp { secs: 1_700_000_000, micros: 0 },
        ..ConvertContext::default()
    };
    let collation = CollationId::UTF8MB4_GENERAL_CI.collation();
    let mut sql = "set sql_mode='', time_zone='+00:00', timestamp=1700000000;\n".to_string();
    let mut ours = Vec::new();
    for (a_sql, a) in operands() {
        for (b_sql, b) in operands() {
            sql.push_str(&format!("select ({a_sql} > {b_sql}) - ({a_sql} < {b_sql});\n"));
            let order = compare(&a, &b, collation, &context);
            ours.push((
                format!("{a_sql} and {b_sql}"),
                order.map_or("NULL".into(), |o| (o as i32).to_string()),
            ));
        }
    }
    let Some(rows) = ask(&sql) else { return };
    assert_eq!(rows.len(), ours.len());
    let cases: Vec<_> =
        ours.into_iter().zip(rows).map(|((case, ours), row)| (case, ours, row.join("|"))).collect();
    assert_same("comparisons", &cases);
}
