//! A microbenchmark that runs tiny with the tests and in full by hand:
//! `cargo test -p penstock-tree --release -- --ignored --nocapture speed`.

use std::hint::black_box;
use std::ops::Bound;

use super::{Draw, memory_store, new_tree, put};
use crate::{Action, Direction};

/// Nanoseconds that this thread has run on a processor: other work on the machine does not count.
fn cpu_ns() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has it");
    stat.split(' ').next().and_then(|ns| ns.parse().ok()).expect("first field is a number")
}

/// Prints nanoseconds an operation and checks each result.
fn measure(keys: u64, lookups: u64) {
    let tree = new_tree(&memory_store(1 << 30));
    let row = [7_u8; 100];
    let report = |what: &str, count: u64, start: u64| {
        let each = (cpu_ns() - start) as f64 / count as f64;
        println!("{what}: {each:.0} ns each of {count}");
    };
    let start = cpu_ns();
    for key in 0..keys {
        put(&tree, &(key | 1 << 63).to_be_bytes(), &row);
    }
    report("ascending insert, 100-byte rows", keys, start);
    let mut draw = Draw(5);
    let mut value = Vec::new();
    let mut random = || (draw.below(keys) | 1 << 63).to_be_bytes();
    let start = cpu_ns();
    for _ in 0..lookups {
        assert!(tree.get(&random(), &mut value).unwrap());
        black_box(&value);
    }
    report("random get", lookups, start);
    let start = cpu_ns();
    for _ in 0..lookups {
        tree.upsert(&random(), |old| {
            assert_eq!(old.map(<[u8]>::len), Some(100));
            Action::put(&row)
        })
        .unwrap();
    }
    report("random upsert in place", lookups, start);
    let start = cpu_ns();
    let mut cursor = tree.cursor(Bound::Unbounded, Bound::Unbounded, Direction::Forward);
    let (mut count, mut sum) = (0_u64, 0_usize);
    while cursor.advance(&tree).unwrap() {
        count += 1;
        sum += cursor.key().len() + cursor.value().len();
    }
    assert_eq!((count, sum as u64), (keys, keys * 108));
    report("full scan", count, start);
    let start = cpu_ns();
    for _ in 0..lookups / 10 {
        let key = random();
        cursor.reset(Bound::Included(&key), Bound::Included(&key), Direction::Forward);
        assert!(cursor.advance(&tree).unwrap() && cursor.key() == key);
    }
    report("cursor over one key", lookups / 10, start);
    let tree = new_tree(&memory_store(1 << 30));
    let start = cpu_ns();
    for _ in 0..keys {
        put(&tree, &draw.next().to_be_bytes(), &row);
    }
    report("random insert, 100-byte rows", keys, start);
    assert!(tree.check().unwrap().keys > keys / 2);
}

#[test]
fn speed_is_measured_and_results_checked() {
    measure(2000, 2000);
}

#[test]
#[ignore = "a measurement for release builds"]
fn speed_in_full() {
    measure(20_000, 20_000_000);
    measure(1_000_000, 2_000_000);
}
