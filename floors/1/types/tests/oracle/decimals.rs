use types::Decimal;
use types::decimal::Rounding;

use crate::{Random, ask, assert_same};

fn random_decimal(random: &mut Random, digits: usize) -> String {
    let whole = 1 + random.below(digits);
    let fraction = random.below(digits.min(20));
    let mut text = String::new();
    if random.below(3) == 0 {
        text.push('-');
    }
    text.push(char::from(b'1' + random.below(9) as u8));
    (1..whole).for_each(|_| text.push(char::from(b'0' + random.below(10) as u8)));
    if fraction > 0 {
        text.push('.');
        (0..fraction).for_each(|_| text.push(char::from(b'0' + random.below(10) as u8)));
    }
    text
}

/// One row of results for each case, in order.
fn compare(what: &str, cases: Vec<(String, String)>) {
    let statements: String = cases.iter().map(|(sql, _)| format!("select {sql};\n")).collect();
    let Some(rows) = ask(&statements) else { return };
    assert_eq!(rows.len(), cases.len(), "one row each");
    let all: Vec<_> =
        cases.into_iter().zip(rows).map(|((sql, ours), row)| (sql, ours, row.join("|"))).collect();
    assert_same(what, &all);
}

#[test]
fn arithmetic_is_mariadbs() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut cases = Vec::new();
    for i in 0..1500 {
        let digits = [3, 9, 18][i % 3];
        let (a, b) = (random_decimal(&mut random, digits), random_decimal(&mut random, digits));
        let (x, y): (Decimal, Decimal) = (a.parse().unwrap(), b.parse().unwrap());
        cases.push((format!("{a} + ({b})"), x.add(&y).unwrap().to_string()));
        cases.push((format!("{a} - ({b})"), x.sub(&y).unwrap().to_string()));
        if x.scale() + y.scale() <= 38 {
            cases.push((format!("{a} * ({b})"), x.mul(&y).unwrap().to_string()));
        }
        let rest = x.rem(&y).unwrap();
        if !rest.is_zero() {
            // MariaDB's zero may be negative here, ours never is.
            cases.push((format!("{a} % ({b})"), rest.to_string()));
        }
        let quotient = x.div(&y, 4).unwrap().round(i32::from(x.scale()) + 4, Rounding::HalfUp);
        cases.push((format!("{a} / ({b})"), quotient.to_string()));
        let order = x.cmp_value(&y) as i32;
        cases.push((format!("({a} > {b}) - ({a} < {b})"), order.to_string()));
    }
    compare("decimal operations", cases);
}

#[test]
fn rounding_is_mariadbs() {
    let mut random = Random(77);
    let mut cases = Vec::new();
    for _ in 0..800 {
        let a = random_decimal(&mut random, 12);
        let x: Decimal = a.parse().unwrap();
        let digits = random.below(12) as i32 - 4;
        if digits <= i32::from(x.scale()) {
            cases.push((format!("round({a}, {digits})"), x.round(digits, Rounding::HalfUp).to_string()));
            cases.push((format!("truncate({a}, {digits})"), x.round(digits, Rounding::Truncate).to_string()));
        }
        cases.push((format!("floor({a})"), x.round(0, Rounding::Floor).to_string()));
        cases.push((format!("ceiling({a})"), x.round(0, Rounding::Ceiling).to_string()));
        let (p, s) = (1 + random.below(40) as u8, random.below(20) as u8);
        let s = s.min(p);
        cases.push((format!("cast({a} as decimal({p},{s}))"), x.fit(p, s).0.to_string()));
    }
    compare("roundings", cases);
}

#[test]
fn doubles_become_the_same_decimals() {
    let mut random = Random(3);
    let mut cases = Vec::new();
    for _ in 0..500 {
        let mantissa = random.next() as i32;
        let exponent = random.below(30) as i32 - 15;
        let text = format!("{mantissa}e{exponent}");
        let f: f64 = text.parse().unwrap();
        let ours = Decimal::from_f64(f).unwrap().fit(65, 30).0.to_string();
        cases.push((format!("cast({text} as decimal(65,30))"), ours));
    }
    compare("conversions", cases);
}
