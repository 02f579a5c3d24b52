//! Text that becomes a number, a date, a pattern, a sort key.

use types::number::{parse_double, parse_integer, parse_rounded};
use types::temporal::{DateMode, DateTime, Time, TimeZone};
use types::{Charset, Decimal, charset};

/// Takes `data` as the text of a value of every kind, in every character set and collation.
pub fn run(data: &[u8]) {
    let _ = Decimal::parse(data);
    let _ = DateTime::parse(data, DateMode::default());
    let _ = Time::parse(data);
    let _ = (parse_double(data), parse_integer(data), parse_rounded(data));
    let _ = TimeZone::parse(&String::from_utf8_lossy(data));
    let sets = [Charset::Utf8mb4, Charset::Utf8mb3, Charset::Latin1, Charset::Ascii, Charset::Binary];
    let mut out = Vec::new();
    for from in sets {
        let prefix = from.valid_prefix(data);
        assert!(prefix <= data.len());
        let characters = from.char_count(data);
        assert!(from.offset_of_char(data, characters) <= data.len());
        for to in sets {
            let _ = from.convert(data, to);
        }
    }
    let (a, b) = data.split_at(data.len() / 2);
    for collation in charset::Collation::all() {
        out.clear();
        collation.append_key(data, &mut out);
        collation.weight_string(data, &mut out);
        collation.upper(data, &mut out);
        collation.lower(data, &mut out);
        let order = collation.compare(a, b);
        assert_eq!(collation.compare(b, a), order.reverse(), "{} {a:?} {b:?}", collation.name);
        assert_eq!(collation.equal(a, b), order.is_eq(), "{} {a:?} {b:?}", collation.name);
        let _ = collation.like(a, b, Some(u32::from(b'\\')));
        let _ = collation.find(a, b, 0);
    }
}

/// Texts that mean something.
pub fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "2024-02-29 23:59:59.999999",
        "20240229235959",
        "-838:59:59.000001",
        "12 10:11:12",
        "-12345678901234567890.123456789e-12",
        "1e308",
        "+09:00",
        "18446744073709551615",
        "a%b_c\\%d%",
        "Stra\u{df}e \u{1F600} \u{e9}\u{301} \u{130}i ",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
