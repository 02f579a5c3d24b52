//! What rows, keys and collations cost: nanoseconds an operation, each beside a check of its result.
//!
//! `cargo bench -p penstock-types`; under `cargo test` it runs a few rounds only.

use std::hint::black_box;
use std::time::Instant;

use types::row::WireOptions;
use types::{
    CollationId, ColumnDef, ColumnType, IndexDef, IndexKey, IndexKind, IntSize, RowLayout, TableDef,
    TimeZone, Value,
};

/// sysbench's table: id, k, c, pad.
fn table() -> TableDef {
    let int = || ColumnType::integer(IntSize::Normal, false);
    TableDef::new(
        ("sbtest", "sbtest1"),
        CollationId::UTF8MB4_GENERAL_CI,
        vec![
            ColumnDef::new("id", int(), false),
            ColumnDef::new("k", int(), false),
            ColumnDef::new("c", ColumnType::Char(120), false),
            ColumnDef::new("pad", ColumnType::Char(60), false),
        ],
        vec![IndexDef::primary(&[0]), IndexDef::new("k", IndexKind::Key, &[1])],
    )
}

fn measure(name: &str, rounds: u32, mut work: impl FnMut() -> u64) {
    let check = work();
    // The best of many batches: what the work costs when nothing else runs.
    let batch = rounds.div_ceil(500);
    let mut best = f64::MAX;
    for _ in 0..rounds / batch {
        let start = Instant::now();
        for _ in 0..batch {
            assert_eq!(black_box(work()), check, "{name}");
        }
        best = best.min(start.elapsed().as_nanos() as f64);
    }
    let each = best / f64::from(batch);
    println!("{name:<44} {each:>9.1} ns   check {check:x}");
}

fn sum(bytes: &[u8]) -> u64 {
    bytes.len() as u64 + u64::from(bytes.iter().fold(0_u8, |sum, b| sum.wrapping_add(*b)))
}

fn main() {
    let rounds = if std::env::args().any(|arg| arg == "--bench") { 500_000 } else { 10 };
    let table = table();
    let layout = RowLayout::of(&table);
    let c = "68487932199-96439406143-93774651418-41631865787-96406072701-20604855487-25459966574-28203206787-41238978918";
    let values = [
        Value::Int(50_000),
        Value::Int(49_929),
        Value::text(c),
        Value::text("22195207048-70116052123-74140395089-76317954521-98694025897"),
    ];
    let (mut row, mut out, mut decoded) = (Vec::new(), Vec::new(), Vec::new());
    layout.encode(&values, &mut row).expect("encode");
    let options = WireOptions { zone: TimeZone::UTC, ..WireOptions::default() };
    measure("encode row (2 ints, 2 chars)", rounds, || {
        out.clear();
        layout.encode(black_box(&values), &mut out).expect("encode");
        out.len() as u64
    });
    measure("decode all columns", rounds, || {
        layout.decode_all(black_box(&row), &mut decoded).expect("decode");
        decoded.len() as u64
    });
    measure("decode one int", rounds, || match layout.decode_column(black_box(&row), 1) {
        Ok(Value::Int(n)) => n as u64,
        _ => 0,
    });
    measure("row to text, all columns", rounds, || {
        out.clear();
        layout.write_text(black_box(&row), &[0, 1, 2, 3], &options, &mut out).expect("text");
        out.len() as u64
    });
    measure("row to text, column c alone", rounds, || {
        out.clear();
        layout.write_text(black_box(&row), &[2], &options, &mut out).expect("text");
        out.len() as u64
    });
    let primary = IndexKey::primary(&table, &table.indexes[0]);
    let secondary = IndexKey::secondary(&table, &table.indexes[1], &table.indexes[0]);
    measure("primary key from a value", rounds, || {
        out.clear();
        primary.append_values(black_box(&values[..1]), &mut out).expect("key");
        sum(&out)
    });
    measure("secondary key from a row", rounds, || {
        out.clear();
        secondary.append_row(&layout, black_box(&row), &mut out).expect("key");
        sum(&out)
    });
    for name in ["utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_bin", "latin1_swedish_ci"] {
        let Some(collation) = types::Collation::by_name(name) else { continue };
        let other = c.to_ascii_uppercase();
        measure(&format!("{name}: key of 107 ASCII bytes"), rounds / 4, || {
            out.clear();
            collation.append_key(black_box(c.as_bytes()), &mut out);
            sum(&out)
        });
        measure(&format!("{name}: compare 107 equal bytes"), rounds / 4, || {
            collation.compare(black_box(c.as_bytes()), black_box(other.as_bytes())) as u64
        });
    }
    let doubles = [0.1_f64, 1.5, 12345.678, 1e100, 1.0 / 3.0];
    measure("five doubles to text", rounds / 4, || {
        out.clear();
        doubles.iter().for_each(|f| types::number::write_double(black_box(*f), &mut out));
        sum(&out)
    });
    let decimal: types::Decimal = "12345678.90".parse().expect("a number");
    measure("decimal(10,2) to text", rounds / 4, || {
        out.clear();
        black_box(&decimal).write(&mut out);
        sum(&out)
    });
    measure("decimal(10,2) times decimal(10,2), added", rounds / 4, || {
        let product = black_box(&decimal).mul(&decimal).and_then(|p| p.add(&decimal)).expect("fits");
        product.to_i64_saturating() as u64
    });
}
