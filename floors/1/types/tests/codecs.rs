//! Properties of the codecs: rows, keys, decimals and wire values hold whatever is drawn; decoders take any bytes.

use std::cmp::Ordering;
use std::sync::Arc;

use proptest::prelude::*;
use types::charset::{Charset, Collation};
use types::column::wire;
use types::convert::{ConvertContext, compare, sort_key, store};
use types::decimal::{Rounding, Total};
use types::row::{RowPlaces, WireOptions, write_value_binary, write_value_text};
use types::{
    BlobSize, ColumnDef, ColumnType, Date, DateTime, Decimal, DecimalType, FloatType, IndexDef, IndexKey,
    IndexKind, IntSize, IntegerType, Labels, RowLayout, StrValue, TableDef, Time, TimeZone, Value,
};

fn labels(n: usize) -> Arc<Labels> {
    Arc::new(Labels::new((0..n).map(|i| format!("label{i}").into_bytes()).collect()))
}

fn any_column_type() -> impl Strategy<Value = ColumnType> {
    let size = prop_oneof![
        Just(IntSize::Tiny),
        Just(IntSize::Small),
        Just(IntSize::Medium),
        Just(IntSize::Normal),
        Just(IntSize::Big)
    ];
    let blob = prop_oneof![
        Just(BlobSize::Tiny),
        Just(BlobSize::Normal),
        Just(BlobSize::Medium),
        Just(BlobSize::Long)
    ];
    prop_oneof![
        (size, any::<bool>())
            .prop_map(|(size, unsigned)| ColumnType::Integer(IntegerType::new(size, unsigned))),
        (1..=65_u8, 0..=38_u8).prop_map(|(precision, scale)| {
            let scale = scale.min(precision);
            ColumnType::Decimal(DecimalType { precision, scale, unsigned: false, zerofill: false })
        }),
        Just(ColumnType::Float(FloatType::default())),
        Just(ColumnType::Double(FloatType::default())),
        (1..=64_u8).prop_map(ColumnType::Bit),
        Just(ColumnType::Year),
        Just(ColumnType::Date),
        (0..=6_u8).prop_map(ColumnType::Time),
        (0..=6_u8).prop_map(ColumnType::DateTime),
        (0..=6_u8).prop_map(ColumnType::Timestamp),
        (1..=255_u32).prop_map(ColumnType::Char),
        (1..=2000_u32).prop_map(ColumnType::VarChar),
        (1..=255_u32).prop_map(ColumnType::Binary),
        (1..=2000_u32).prop_map(ColumnType::VarBinary),
        blob.clone().prop_map(ColumnType::Text),
        blob.prop_map(ColumnType::Blob),
        (1..=300_usize).prop_map(|n| ColumnType::Enum(labels(n))),
        (1..=64_usize).prop_map(|n| ColumnType::Set(labels(n))),
    ]
}

fn any_column() -> impl Strategy<Value = ColumnDef> {
    (any_column_type(), any::<bool>(), 0..Collation::all().len()).prop_map(|(ty, nullable, collation)| {
        let mut column = ColumnDef::new("c", ty, nullable);
        if column.ty.has_charset() && column.ty.is_string() {
            column.collation = Collation::all()[collation].id;
            if column.collation.charset() == Charset::Binary {
                column.collation = types::CollationId::UTF8MB4_BIN;
            }
        }
        column
    })
}

/// Raw material that `store` makes a value of any column from.
fn any_source() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => Just(Value::Null),
        4 => any::<i64>().prop_map(Value::Int),
        2 => (-300..300_i64).prop_map(Value::Int),
        2 => any::<u64>().prop_map(Value::UInt),
        2 => any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::Double),
        2 => (any::<i128>(), 0..=38_u8).prop_map(|(units, scale)| Value::Decimal(Decimal::new(units, scale))),
        3 => "[ a-cA-C\\x01\u{e4}\u{c4}\u{df}\u{3b1}\u{4e00}\u{1f600}]{0,12}".prop_map(|s| Value::text(&s)),
        2 => proptest::collection::vec(prop_oneof![Just(0_u8), Just(0x20), Just(0xFF), any::<u8>()], 0..12)
            .prop_map(|b| Value::binary(&b)),
        2 => (366..3_652_424_i64, 0..86_400_000_000_i64).prop_map(|(day, micros)| {
            let time = Time::from_micros(micros).unwrap();
            Value::DateTime(DateTime::of_date_and_time(Date::of_day(day).unwrap(), time).unwrap(), 6)
        }),
        1 => (-Time::MAX_MICROS..Time::MAX_MICROS).prop_map(|m| Value::Time(Time::from_micros(m).unwrap(), 6)),
    ]
}

fn stored(source: &Value, column: &ColumnDef) -> Value {
    let context = ConvertContext { zone: TimeZone::UTC, ..ConvertContext::default() };
    match store(source.clone(), &column.ty, column.collation, &context).value {
        Value::Null if !column.nullable => stored(&Value::Int(7), column),
        value => value,
    }
}

fn table_of(columns: Vec<ColumnDef>) -> TableDef {
    TableDef::new(("d", "t"), types::CollationId::UTF8MB4_GENERAL_CI, columns, Vec::new())
}

fn any_row() -> impl Strategy<Value = (Vec<ColumnDef>, Vec<Value>)> {
    proptest::collection::vec((any_column(), any_source()), 1..20).prop_map(|pairs| {
        let values = pairs.iter().map(|(column, source)| stored(source, column)).collect();
        (pairs.into_iter().map(|(column, _)| column).collect(), values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_row_comes_back_as_it_was((columns, values) in any_row()) {
        let layout = RowLayout::of_columns(&columns);
        let mut row = Vec::new();
        layout.encode(&values, &mut row).unwrap();
        let mut back = Vec::new();
        layout.decode_all(&row, &mut back).unwrap();
        prop_assert_eq!(&back, &values);
        prop_assert_eq!(layout.image_len(&row).unwrap(), row.len());
        let mut ranges = Vec::new();
        layout.ranges(&row, &mut ranges).unwrap();
        let odd: Vec<usize> = (0..values.len()).filter(|i| i % 2 == 1).collect();
        layout.decode(&row, &odd, &mut back).unwrap();
        prop_assert!(back.iter().eq(odd.iter().map(|i| &values[*i])));
        for (i, value) in values.iter().enumerate() {
            prop_assert_eq!(&layout.decode_column(&row, i).unwrap(), value);
            prop_assert_eq!(layout.range(&row, i).unwrap(), ranges[i].clone());
        }
        let mut places = RowPlaces::default();
        for i in (0..values.len()).rev().chain(0..values.len()) {
            let bytes = places.bytes(&layout, &row, i).unwrap();
            prop_assert_eq!(bytes, ranges[i].clone().map(|range| &row[range]));
            if i == 0 {
                places.clear();
            }
        }
    }

    #[test]
    fn ranks_order_as_the_values_do(
        column in any_column(), a in any_source(), b in any_source(), c in -40..40_i64, d in -40..40_i64,
    ) {
        let sources = [a, b, Value::Int(c), Value::Decimal(Decimal::new(i128::from(d), 1))];
        let values: Vec<Value> =
            sources.iter().map(|source| stored(source, &column)).filter(|value| !value.is_null()).collect();
        let layout = RowLayout::of_columns(std::slice::from_ref(&column));
        let layout = layout.column(0);
        let rank = |value: &Value| {
            let mut bytes = Vec::new();
            layout.encode(value, &mut bytes).unwrap();
            let rank = layout.rank(&bytes);
            prop_assert_eq!(rank.is_some(), layout.is_ranked());
            if layout.is_ranked() {
                prop_assert_eq!(layout.rank_of(value), rank.map(i128::from));
            }
            Ok(rank)
        };
        for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
            let order = match (x, y) {
                (Value::Decimal(x), Value::Decimal(y)) => x.cmp_value(y),
                (Value::Int(x), Value::Int(y)) => x.cmp(y),
                (Value::UInt(x), Value::UInt(y)) => x.cmp(y),
                (Value::Date(x), Value::Date(y)) => x.cmp(y),
                (Value::Time(x, _), Value::Time(y, _)) => x.cmp(y),
                (Value::DateTime(x, _), Value::DateTime(y, _)) => x.cmp(y),
                _ => continue,
            };
            if let (Some(x), Some(y)) = (rank(x)?, rank(y)?) {
                prop_assert_eq!(x.cmp(&y), order);
            }
        }
        // What the column cannot hold has no rank, or its own.
        for source in &sources {
            let held = stored(source, &column);
            let same = match (source, &held) {
                (Value::Decimal(x), Value::Decimal(y)) => x.cmp_value(y).is_eq(),
                (Value::DateTime(x, _), Value::DateTime(y, _)) => x == y,
                _ => continue,
            };
            prop_assert!(same || layout.rank_of(source).is_none());
        }
    }

    #[test]
    fn units_are_the_number(column in any_column(), a in any_source(), c in -40..40_i64, noise in any::<u64>()) {
        let layout = RowLayout::of_columns(std::slice::from_ref(&column));
        let layout = layout.column(0);
        for source in [a, Value::Int(c), Value::Decimal(Decimal::new(i128::from(c), 1))] {
            let value = stored(&source, &column);
            if value.is_null() {
                continue;
            }
            let mut bytes = Vec::new();
            layout.encode(&value, &mut bytes).unwrap();
            let units = layout.units(&bytes);
            match &value {
                Value::Int(n) => prop_assert_eq!(units, Some(*n)),
                Value::UInt(n) => prop_assert_eq!(units, i64::try_from(*n).ok()),
                Value::Decimal(d) if layout.is_ranked() => prop_assert_eq!(units, d.units()),
                _ => prop_assert_eq!(units, None),
            }
            let scale = match &value {
                Value::Int(_) | Value::UInt(_) => Some(0),
                Value::Decimal(d) if layout.is_ranked() => Some(d.scale()),
                _ => None,
            };
            prop_assert_eq!(layout.scale_of_units(), scale);
            // Bytes that are no number have no units, nor a value.
            if let Value::Decimal(_) = value && layout.is_ranked() {
                let noise = &noise.to_be_bytes()[..bytes.len()];
                let read = layout.decode(noise).ok().map(|value| match value {
                    Value::Decimal(d) => d.units().unwrap(),
                    other => panic!("{other:?}"),
                });
                prop_assert_eq!(layout.units(noise), read);
            }
            prop_assert_eq!(layout.units(&bytes[1..]), None);
        }
    }

    #[test]
    fn a_total_is_the_sum(
        numbers in proptest::collection::vec((any::<i128>(), 0_u32..128, 0..=38_u8, any::<bool>()), 1..40),
        same in any::<bool>(),
    ) {
        let mut sum: Option<(Decimal, Total)> = None;
        for (units, shift, scale, less) in numbers {
            let (units, scale) = (units >> shift, if same { 2 } else { scale });
            let d = Decimal::new(units, scale);
            let Some((exact, total)) = &mut sum else {
                sum = Some((d, Total::from(d)));
                continue;
            };
            let expected = if less { exact.sub(&d) } else { exact.add(&d) };
            let done = match less {
                true => total.subtract(&d),
                false if shift % 2 == 0 => total.add_units(units, scale),
                false => total.add(&d),
            };
            prop_assert_eq!(done, expected.map(drop));
            if let Ok(expected) = expected {
                *exact = expected;
            }
            prop_assert_eq!(total.value(), *exact);
        }
    }

    #[test]
    fn a_text_cut_at_boundaries_is_the_same_in_pieces(
        bytes in proptest::collection::vec(prop_oneof![0_u8.., 0x80_u8..0xF5, Just(0xD8), Just(0xDC)], 0..60),
        step in 4_usize..12,
    ) {
        for collation in Collation::all() {
            let from = collation.charset;
            for to in [Charset::Utf8mb4, Charset::Utf16, Charset::Latin1].into_iter().filter(|to| *to != from) {
                let (mut whole, mut pieces) = (Vec::new(), Vec::new());
                let lost = from.convert_to(&bytes, to, &mut whole);
                let (mut at, mut replaced) = (0, 0);
                while at < bytes.len() {
                    let end = from.boundary(&bytes, at + step);
                    prop_assert!(end > at);
                    replaced += from.convert_to(&bytes[at..end], to, &mut pieces).replaced;
                    at = end;
                }
                prop_assert_eq!(&whole, &pieces, "{} to {}", from.name(), to.name());
                prop_assert_eq!(lost.replaced, replaced);
            }
            let count = from.char_count(&bytes);
            let (mut at, mut counted) = (0, 0);
            while at < bytes.len() {
                at += from.char_len(&bytes[at..]);
                counted += 1;
            }
            prop_assert_eq!(count, counted);
        }
    }

    #[test]
    fn row_bytes_and_values_say_the_same_on_the_wire((columns, values) in any_row()) {
        let layout = RowLayout::of_columns(&columns);
        let options = WireOptions { zone: TimeZone::UTC, charset: Some(Charset::Utf8mb4) };
        let mut row = Vec::new();
        layout.encode(&values, &mut row).unwrap();
        for (i, value) in values.iter().enumerate().filter(|(_, value)| !value.is_null()) {
            let column = layout.column(i);
            let bytes = layout.column_bytes(&row, i).unwrap().unwrap();
            let (mut direct, mut through_value) = (Vec::new(), Vec::new());
            column.write_text(bytes, &options, &mut direct).unwrap();
            write_value_text(value, 31, &options, &mut through_value);
            prop_assert_eq!(&direct, &through_value);
            let (mut direct, mut through_value) = (Vec::new(), Vec::new());
            column.write_binary(bytes, &options, &mut direct).unwrap();
            write_value_binary(value, column.ty().wire_type(), 31, &options, &mut through_value);
            prop_assert_eq!(direct, through_value);
        }
    }

    #[test]
    fn keys_order_as_values_do(
        column in any_column(),
        sources in proptest::collection::vec(any_source(), 2..6),
        desc in any::<bool>(),
    ) {
        let table = table_of(vec![column.clone()]);
        let mut index = IndexDef::new("i", IndexKind::Key, &[0]);
        index.parts[0].desc = desc;
        let key_of = IndexKey::primary(&table, &index);
        let layout = RowLayout::of(&table);
        let values: Vec<Value> = sources.iter().map(|source| stored(source, &column)).collect();
        let keys: Vec<Vec<u8>> = values.iter().map(|value| {
            let (mut row, mut from_row, mut from_value) = (Vec::new(), Vec::new(), Vec::new());
            layout.encode(std::slice::from_ref(value), &mut row).unwrap();
            let own = key_of.append_row(&layout, &row, &mut from_row).unwrap();
            key_of.append_values(std::slice::from_ref(value), &mut from_value).unwrap();
            assert_eq!(from_row, from_value);
            if let (ColumnType::Integer(t), false, false) = (&column.ty, column.nullable, desc) {
                let number = types::convert::to_integer(value).value;
                assert_eq!(types::key::read_integer(t, &from_row), Some(number));
            }
            assert_eq!((own.len, own.has_null), (from_row.len(), value.is_null()));
            if key_of.columns_read_back().next().is_some() {
                let mut back = None;
                key_of.read_back(&from_row, 1, |_, bytes| back = bytes.map(<[u8]>::to_vec)).unwrap();
                assert_eq!(back.as_deref(), layout.column_bytes(&row, 0).unwrap());
            }
            from_row
        }).collect();
        let context = ConvertContext::default();
        for (a, key_a) in values.iter().zip(&keys) {
            for (b, key_b) in values.iter().zip(&keys) {
                // ENUM and SET are ordered by number in an index.
                let number = |value: &Value| match value {
                    Value::Enum(e) => Value::UInt(e.index.into()),
                    Value::Set(s) => Value::UInt(s.bits),
                    other => other.clone(),
                };
                let (x, y) = (number(a), number(b));
                let order = match (a.is_null(), b.is_null()) {
                    (true, other) => if other { Ordering::Equal } else { Ordering::Less },
                    (false, true) => Ordering::Greater,
                    _ => match (&x, &y) {
                        (Value::Timestamp(a, _), Value::Timestamp(b, _)) => a.cmp(b),
                        _ => compare(&x, &y, column.collation.collation(), &context).unwrap(),
                    },
                };
                let wanted = if desc { order.reverse() } else { order };
                prop_assert_eq!(key_a.cmp(key_b), wanted, "{:?} {:?}", a, b);
                // One key never is the beginning of another.
                prop_assert!(key_a == key_b || !key_b.starts_with(key_a));
                let (mut sort_a, mut sort_b) = (Vec::new(), Vec::new());
                sort_key(a, &mut sort_a);
                sort_key(b, &mut sort_b);
                prop_assert_eq!(sort_a.cmp(&sort_b), order, "sort keys of {:?} {:?}", a, b);
            }
        }
    }

    #[test]
    fn collations_hash_and_key_what_they_call_equal(
        n in 0..Collation::all().len(),
        a in "[ aA\\x00\\x01\u{e4}\u{c4}\u{df}\u{ad}\u{4e00}\u{1f600}]{0,6}",
        b in "[ aA\\x00\\x01\u{e4}\u{c4}\u{df}\u{ad}\u{4e00}\u{1f600}]{0,6}",
    ) {
        use std::hash::Hasher;
        let collation = &Collation::all()[n];
        let bytes = |s: &str| Charset::Utf8mb4.convert(s.as_bytes(), collation.charset).bytes;
        let (a, b) = (bytes(&a), bytes(&b));
        let order = collation.compare(&a, &b);
        prop_assert_eq!(order.reverse(), collation.compare(&b, &a));
        let (mut key_a, mut key_b) = (Vec::new(), Vec::new());
        collation.append_key(&a, &mut key_a);
        collation.append_key(&b, &mut key_b);
        prop_assert_eq!(key_a.cmp(&key_b), order);
        let hash = |bytes: &[u8]| {
            let mut hasher = std::hash::DefaultHasher::new();
            collation.hash(bytes, &mut hasher);
            hasher.finish()
        };
        prop_assert_eq!(hash(&a) == hash(&b), order.is_eq());
        if let (Some(of_a), Some(of_b)) = (collation.sieve(&a), collation.sieve(&b)) {
            prop_assert!(of_a == of_b || order.is_ne(), "{:?} {:?}", a, b);
        }
        // All strings that begin with a have keys that begin with a's prefix.
        let mut prefix = Vec::new();
        collation.append_key_prefix(&a, &mut prefix);
        let mut longer = a.clone();
        longer.extend_from_slice(&b);
        let mut key = Vec::new();
        collation.append_key(&longer, &mut key);
        prop_assert!(key.starts_with(&prefix), "{:?} {:?}", prefix, key);
    }

    #[test]
    fn decimals_keep_their_value(units in any::<i128>(), scale in 0..=38_u8, other in any::<i64>(), places in 0..=38_u8) {
        let d = Decimal::new(units, scale);
        prop_assert_eq!(d.to_string().parse::<Decimal>().unwrap(), d);
        let (precision, mut bytes) = (65, Vec::new());
        prop_assert!(d.store(precision, scale, &mut bytes));
        prop_assert_eq!(Decimal::load(precision, scale, &bytes), Some(d));
        let e = Decimal::new(other.into(), places);
        if let Ok(sum) = d.add(&e) && sum.scale() == scale.max(places) {
            prop_assert!(sum.sub(&e).unwrap().cmp_value(&d).is_eq());
        }
        if other != 0 {
            let rest = d.rem(&e).unwrap();
            prop_assert!(rest.abs().cmp_value(&e.abs()).is_lt());
            // |a - b * trunc(a / b)| is the remainder.
            // Where all of it fits.
            let fits = d.whole_digits() + scale.max(places) < 74;
            if fits && let Ok(whole) = d.div(&e, 0).map(|q| q.round(0, Rounding::Truncate)) && let Ok(part) = whole.mul(&e) {
                prop_assert!(d.sub(&part).unwrap().cmp_value(&rest).is_eq());
            }
        }
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(
        columns in proptest::collection::vec(any_column(), 1..8),
        bytes in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let layout = RowLayout::of_columns(&columns);
        read_everything(&layout, &bytes);
    }

    #[test]
    fn damaged_rows_are_decoded_or_refused(
        (columns, values) in any_row(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let layout = RowLayout::of_columns(&columns);
        let mut row = Vec::new();
        layout.encode(&values, &mut row).unwrap();
        for (at, byte) in damage {
            let at = at.index(row.len());
            row[at] = byte;
        }
        read_everything(&layout, &row);
        row.truncate(cut.index(row.len()));
        read_everything(&layout, &row);
    }

    #[test]
    fn any_text_is_read_or_refused(text in proptest::collection::vec(prop_oneof![
        "[0-9:. T-]".prop_map(|s| s.into_bytes()[0]), any::<u8>()
    ], 0..40)) {
        let _ = DateTime::parse(&text, types::DateMode::default());
        let _ = Time::parse(&text);
        let _ = Decimal::parse(&text);
        let _ = types::number::parse_double(&text);
        let _ = types::number::parse_integer(&text);
        let _ = types::number::parse_rounded(&text);
        let _ = types::temporal::Interval::parse(types::temporal::IntervalUnit::DaySecond, &text);
        for collation in Collation::all() {
            let mut out = Vec::new();
            collation.append_key(&text, &mut out);
            collation.upper(&text, &mut out);
            collation.weight_string(&text, &mut out);
            collation.like(&text, b"%a_%", Some(92));
            collation.like(b"abc", &text, Some(u32::from(b'0')));
        }
    }
}

/// Calls every decoder; only panics and endless loops are wrong.
fn read_everything(layout: &RowLayout, row: &[u8]) {
    let options = WireOptions::default();
    let (mut values, mut ranges, mut out) = (Vec::new(), Vec::new(), Vec::new());
    let _ = layout.decode_all(row, &mut values);
    let _ = layout.ranges(row, &mut ranges);
    let _ = layout.image_len(row);
    let wanted: Vec<usize> = (0..layout.len()).rev().chain(0..layout.len()).collect();
    let _ = layout.write_text(row, &wanted, &options, &mut out);
    for i in 0..layout.len() {
        let _ = layout.decode_column(row, i);
        if let Ok(Some(bytes)) = layout.column_bytes(row, i) {
            let _ = layout.column(i).write_text(bytes, &options, &mut out);
            let _ = layout.column(i).write_binary(bytes, &options, &mut out);
        }
    }
}

#[test]
fn prefix_parts_cut_characters_not_bytes() {
    let mut column = ColumnDef::new("c", ColumnType::VarChar(10), false);
    column.collation = types::CollationId::UTF8MB4_GENERAL_CI;
    let collation = column.collation;
    let table = table_of(vec![column]);
    let mut index = IndexDef::new("i", IndexKind::Key, &[0]);
    index.parts[0].prefix_chars = Some(2);
    let key_of = IndexKey::primary(&table, &index);
    let key = |text: &str| {
        let mut key = Vec::new();
        key_of.append_values(&[Value::Str(StrValue::new(text.as_bytes(), collation))], &mut key).unwrap();
        key
    };
    assert_eq!(key("\u{e4}\u{f6}x"), key("\u{c4}\u{d6}y"));
    assert_ne!(key("\u{e4}x"), key("\u{e4}y"));
}

#[test]
fn prefix_end_is_the_next_key_after_all_with_the_prefix() {
    assert_eq!(types::key::prefix_end(&[1, 2]), Some(vec![1, 3]));
    assert_eq!(types::key::prefix_end(&[1, 0xFF, 0xFF]), Some(vec![2]));
    assert_eq!(types::key::prefix_end(&[0xFF]), None);
}

/// As MariaDB sends it.
#[test]
fn a_zero_has_no_sign_in_the_binary_protocol() {
    let options = WireOptions { zone: TimeZone::UTC, charset: None };
    for value in [Value::Double(-0.0), Value::Float(-0.0)] {
        for wire_type in [wire::DOUBLE, wire::FLOAT] {
            let mut out = Vec::new();
            write_value_binary(&value, wire_type, 31, &options, &mut out);
            assert!(out.iter().all(|byte| *byte == 0), "{value:?}: {out:?}");
        }
    }
}
