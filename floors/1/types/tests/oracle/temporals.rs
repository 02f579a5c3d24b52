use types::temporal::{Interval, IntervalUnit};
use types::{Date, DateMode, DateTime, Time};

use crate::{Random, ask, assert_same};

const DATETIMES: &[&str] = &[
    "2024-1-2",
    "20240102",
    "240102",
    "2024-01-02T03:04:05",
    "2024-01-02 03:04:05.123456789",
    "20240102030405",
    "20240102030405.5",
    "24/1/2 3.4.5",
    "2024-01-02 3:4",
    "2024-01-02 3",
    "2024-13-02",
    "2024-02-30",
    "2024-02-29",
    "2023-02-29",
    "2024-01-02 25:00:00",
    "2024-01-02abc",
    "abc",
    "",
    "2024-01-02 ",
    " 2024-01-02",
    "0000-00-00",
    "2024-00-00",
    "70-01-01",
    "69-01-01",
    "0-1-1",
    "1-1-1",
    "999-1-1",
    "12024-1-1",
    "2024-1-1-1",
    "2024",
    "202401",
    "2024010",
    "20240102030",
    "202401020304",
    "2024-01",
    "2024.01.02",
    "2024 01 02",
    "2024--01-02",
    "2024-01-02  03:04:05",
    "2024-01-02 03:04:05 ",
    "2024-01-02 03:04:05Z",
    "2024-01-02 03:04:05+02:00",
    "2024-01-02-03:04:05",
    "2024-01-02T 03",
    "2024-01-02 T03",
    "2024-01-02T03",
    "2024-01-02 3:",
    "2024-01-02 3:4:",
    "2024-01-02T",
    "2024-01-02 3:4:5.",
    "2024-01-02 3:4:5,5",
    "20240102T030405",
    "20240102 030405",
    "20240102.5",
    "240102T030405",
    "240102030405.25",
    "2024-01-02 030405",
    "2024-01-02 123",
    "2024-001-02",
    "2024-01-002",
    "2024x1x1",
    "2024:01:02",
    "2024-01-02:03",
    "00-01-01",
    "000-01-01",
    "0000-01-01",
    "2024-1-1 24:00:00",
    "000101",
    "00000000",
    "0",
    "00",
    "20240102abc",
    "2024-01-02 3:4.5",
    "2024-1",
    "24-1-",
    "2024-01-",
    "0000-00-00 01:00:00",
    "2024-01-00",
    "9999-12-31 23:59:59.999999",
    "10000-01-01",
    "2024-01-02 03:60:05",
    "2024-01-02 03:04:60",
    "1/2/3",
    "2024-12-31 23:59:59.9999999",
    "99991231235959",
    "19990101 ",
    "991231235959",
];

const TIMES: &[&str] = &[
    "10:11:12",
    "101112",
    "1112",
    "12",
    "10:11",
    "1 10:11:12",
    "1 10",
    "1 10:11",
    "34 22:59:59",
    "35 0:0:0",
    "900:00:00",
    "-1:2:3",
    "-1 1:2:3",
    "10:60:00",
    "10:11:60",
    "10:11:12.3456789",
    "10:11:12abc",
    "abc",
    "",
    "2024-01-02 03:04:05",
    "2024-01-02",
    "20240102030405",
    "1:2:3",
    "10:11:12.",
    "  10:11:12",
    "101112.5",
    "12.5",
    "8385959",
    "8386000",
    "106000",
    "1234567890",
    "12345678901234567",
    "-",
    "10:",
    ":10",
    "10:11:",
    "2024-01-02T03:04:05",
    "10-11-12",
    "1 ",
    "1 x",
    "839:00:00",
    "8390000",
    "9000000",
    "10000101",
    "101010 ",
    "1 1 1",
    "1.5",
    "10:11.5",
    "1 2.5",
    "12:34:56.7 x",
    "+10:11:12",
    "- 10:11:12",
    "10 :11:12",
    "-0:0:0",
    "00:00:00.0000001",
    "123:45",
    "2024-01-02 03",
    "24-01-02 03:04:05",
    "10101T030405",
    "2024-13-02 03:04:05",
    "0000-00-00 03:04:05",
    "838:59:59.999999",
    "-838:59:59",
    "-839:00:00",
    "0",
    "00:00:00",
    "-00:00:01",
    "-12.5",
];

fn show<T: std::fmt::Display>(value: Option<T>) -> String {
    value.map_or("NULL".to_string(), |v| v.to_string())
}

fn with_six_digits(at: DateTime) -> String {
    let mut text = Vec::new();
    at.write(6, &mut text);
    String::from_utf8(text).unwrap()
}

fn time_with_six_digits(time: Time) -> String {
    let mut text = Vec::new();
    time.write(6, &mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn dates_and_times_are_read_alike() {
    let mut sql = "set sql_mode='';\n".to_string();
    DATETIMES.iter().for_each(|t| sql.push_str(&format!("select cast('{t}' as datetime(6));\n")));
    TIMES.iter().for_each(|t| sql.push_str(&format!("select cast('{t}' as time(6));\n")));
    let Some(rows) = ask(&sql) else { return };
    let dates = DATETIMES.iter().map(|text| {
        let parsed = DateTime::parse(text.as_bytes(), DateMode::default());
        (format!("datetime {text:?}"), show(parsed.value.map(with_six_digits)))
    });
    let times = TIMES.iter().map(|text| {
        (format!("time {text:?}"), show(Time::parse(text.as_bytes()).value.map(time_with_six_digits)))
    });
    let cases: Vec<_> =
        dates.chain(times).zip(rows).map(|((case, ours), row)| (case, ours, row.join("|"))).collect();
    assert_eq!(cases.len(), DATETIMES.len() + TIMES.len());
    assert_same("texts", &cases);
}

#[test]
fn numbers_become_the_same_dates_and_times() {
    let numbers: &[i64] = &[
        0,
        1,
        100,
        101,
        1231,
        691231,
        691232,
        700100,
        700101,
        991231,
        991232,
        1000101,
        10000101,
        20240102,
        20240230,
        99991231,
        99991232,
        101000000,
        101000001,
        20240102030405,
        240102030405,
        691231235959,
        700101000000,
        991231235959,
        99991231235959,
        99991231235960,
        -1,
        10000000,
        8385959,
        8386000,
        106000,
        9000000,
        9999999,
        101112,
        -101112,
        12,
        10101000000,
    ];
    let mut sql = "set sql_mode='';\n".to_string();
    numbers.iter().for_each(|n| sql.push_str(&format!("select cast({n} as datetime), cast({n} as time);\n")));
    let Some(rows) = ask(&sql) else { return };
    let mut cases = Vec::new();
    for (n, row) in numbers.iter().zip(rows) {
        let at = DateTime::from_number(*n, 0, DateMode::default());
        cases.push((format!("{n} as datetime"), show(at), row[0].clone()));
        cases.push((
            format!("{n} as time"),
            show(Time::from_number(*n, 0).map(|(time, _)| time.truncate(0))),
            row[1].clone(),
        ));
    }
    assert_same("numbers", &cases);
}

#[test]
fn the_calendar_is_mariadbs() {
    let mut random = Random(5);
    let mut dates =
        vec![Date::new(0, 1, 1), Date::new(0, 12, 31), Date::new(1, 1, 1), Date::new(9999, 12, 31)];
    for year in 1995..2030 {
        dates.extend([
            Date::new(year, 1, 1),
            Date::new(year, 1, 3),
            Date::new(year, 12, 29),
            Date::new(year, 12, 31),
        ]);
    }
    dates.extend((0..400).map(|_| Date::of_day(366 + random.below(3_652_058) as i64).unwrap()));
    let sql: String = dates
        .iter()
        .map(|d| {
            let weeks: String =
                (0..8).map(|mode| format!(", week('{d}',{mode}), yearweek('{d}',{mode})")).collect();
            format!(
                "select to_days('{d}'), weekday('{d}'), dayofyear('{d}'), last_day('{d}'), \
                 from_days(to_days('{d}')){weeks};\n"
            )
        })
        .collect();
    let Some(rows) = ask(&sql) else { return };
    let cases: Vec<_> = dates
        .iter()
        .zip(rows)
        .map(|(d, row)| {
            let mut ours = vec![
                d.to_days().to_string(),
                d.weekday().to_string(),
                d.day_of_year().to_string(),
                show(d.last_day()),
                Date::from_days(d.to_days()).to_string(),
            ];
            (0..8).for_each(|mode| ours.extend([d.week(mode).1.to_string(), d.year_week(mode).to_string()]));
            (d.to_string(), ours.join("|"), row.join("|"))
        })
        .collect();
    assert_same("dates", &cases);
}

#[test]
fn intervals_add_alike() {
    let mut random = Random(11);
    let simple = ["MICROSECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR"];
    let composite = [
        ("SECOND_MICROSECOND", "1.5"),
        ("MINUTE_MICROSECOND", "3:4.25"),
        ("MINUTE_SECOND", "70:80"),
        ("HOUR_MICROSECOND", "1:2:3.000004"),
        ("HOUR_SECOND", "-1:2:3"),
        ("HOUR_MINUTE", "30:90"),
        ("DAY_MICROSECOND", "1 2:3:4.5"),
        ("DAY_SECOND", "-3 4:5:6"),
        ("DAY_MINUTE", "1 2:3"),
        ("DAY_HOUR", "1 30"),
        ("YEAR_MONTH", "1-13"),
        ("DAY_SECOND", "10"),
        ("DAY_HOUR", "1 2 3"),
    ];
    let (mut sql, mut ours) = (String::new(), Vec::new());
    for _ in 0..600 {
        let date = Date::of_day(366 + random.below(3_652_058) as i64).unwrap();
        let at = DateTime::new(date, 23, random.below(60) as u8, 59, random.below(1_000_000) as u32);
        let (unit, interval, text) = if random.below(3) == 0 {
            let (unit, text) = *random.pick(&composite);
            let parsed = Interval::parse(IntervalUnit::by_name(unit).unwrap(), text.as_bytes());
            (unit, parsed, format!("'{text}'"))
        } else {
            let unit = *random.pick(&simple);
            let n = random.below(4000) as i64 - 2000;
            (unit, Some(Interval::of(IntervalUnit::by_name(unit).unwrap(), n)), n.to_string())
        };
        sql.push_str(&format!("select '{}' + interval {text} {unit};\n", with_six_digits(at)));
        let case = format!("{} + interval {text} {unit}", with_six_digits(at));
        let result = interval.and_then(|interval| at.plus(interval));
        ours.push((case, show(result.map(|at| at.to_string()))));
    }
    for _ in 0..400 {
        let mut one = || {
            let date = Date::of_day(730_000 + random.below(1500) as i64).unwrap();
            DateTime::new(date, random.below(24) as u8, random.below(60) as u8, 0, 0)
        };
        let (a, b) = (one(), one());
        let unit = *random.pick(&simple);
        sql.push_str(&format!("select timestampdiff({unit}, '{a}', '{b}');\n"));
        let ours_is = a.difference(b, IntervalUnit::by_name(unit).unwrap()).to_string();
        ours.push((format!("timestampdiff({unit}, {a}, {b})"), ours_is));
    }
    let Some(rows) = ask(&sql) else { return };
    assert_eq!(rows.len(), ours.len());
    let cases: Vec<_> =
        ours.into_iter().zip(rows).map(|((case, ours), row)| (case, ours, row.join("|"))).collect();
    assert_same("intervals", &cases);
}
