use types::number;

use crate::{Random, ask, assert_same};

#[test]
fn doubles_print_as_mariadb_prints_them() {
    let mut random = Random(99);
    let mut doubles = vec![0.0, 1e15, 1e16, 1e-14, 1e-15, 1e-16, 123456789012345.0, 1234567890123456.0];
    doubles.extend((0..500).map(|_| 1e14 + (random.next() >> 9) as f64 / 8.0));
    for _ in 0..1500 {
        let f = f64::from_bits(random.next());
        let size = 10_f64.powi(random.below(40) as i32 - 20);
        doubles.extend([f, (random.next() as i32 as f64) * size].into_iter().filter(|f| f.is_finite()));
    }
    let statements: String = doubles.iter().map(|f| format!("select {f:e};\n")).collect();
    let Some(rows) = ask(&statements) else { return };
    let cases: Vec<_> = doubles
        .iter()
        .zip(rows)
        .map(|(f, row)| {
            let mut text = Vec::new();
            number::write_double(*f, &mut text);
            (format!("{f:e}"), String::from_utf8(text).unwrap(), row.join("|"))
        })
        .collect();
    assert_same("doubles", &cases);
}

#[test]
fn floats_print_as_mariadb_prints_them() {
    let mut random = Random(98);
    let mut floats = vec![0.1_f32, 16777216.0, 999999.5, 9999995.0, 1.5e-15, 1.5e-16, f32::MAX];
    for _ in 0..1000 {
        let f = f32::from_bits(random.next() as u32);
        let size = 10_f32.powi(random.below(40) as i32 - 20);
        floats.extend([f, (random.next() as i16 as f32) * size].into_iter().filter(|f| f.is_normal()));
    }
    // The double of equal value, so that the literal's digits play no part.
    let rows: Vec<String> = floats.iter().map(|f| format!("({:e})", f64::from(*f))).collect();
    let sql = format!(
        "create database if not exists types_oracle; use types_oracle; create temporary table f(i int auto_increment \
         primary key, a float); insert into f(a) values {}; select a from f order by i;",
        rows.join(",")
    );
    let Some(rows) = ask(&sql) else { return };
    assert_eq!(rows.len(), floats.len());
    let cases: Vec<_> = floats
        .iter()
        .zip(rows)
        .map(|(f, row)| {
            let mut text = Vec::new();
            number::write_float(*f, &mut text);
            (format!("{f:e}"), String::from_utf8(text).unwrap(), row.join("|"))
        })
        .collect();
    assert_same("floats", &cases);
}

#[test]
fn strings_become_the_same_numbers() {
    let texts = [
        "12",
        "12abc",
        " 12 ",
        "1.5",
        "1e3",
        "-1.5e-3x",
        ".5",
        "5.",
        ".",
        "-",
        "+7",
        "e5",
        "1e",
        "1e+",
        "0x10",
        "",
        " ",
        "1e400",
        "-1e400",
        "99999999999999999999",
        "-99999999999999999999",
        "18446744073709551615",
        "inf",
        "nan",
        "1 2",
        "\t3",
        "--1",
        "1.2.3",
        "1e5.5",
        "00012",
        "1e-400",
    ];
    let statements: String = texts
        .iter()
        .map(|t| format!("select '{t}' + 0e0, cast('{t}' as signed), cast('{t}' as unsigned);\n"))
        .collect();
    let Some(rows) = ask(&statements) else { return };
    let mut cases = Vec::new();
    for (text, row) in texts.iter().zip(rows) {
        let mut double = Vec::new();
        number::write_double(number::parse_double(text.as_bytes()).value, &mut double);
        cases.push((format!("{text:?} + 0e0"), String::from_utf8(double).unwrap(), row[0].clone()));
        let signed = number::parse_integer(text.as_bytes()).value;
        let theirs = row[1].clone();
        cases.push((format!("{text:?} as signed"), (signed as u64 as i64).to_string(), theirs));
        cases.push((format!("{text:?} as unsigned"), (signed as u64).to_string(), row[2].clone()));
    }
    assert_same("numbers", &cases);
}
