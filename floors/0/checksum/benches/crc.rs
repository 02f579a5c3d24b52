//! GB/s of every kernel that this CPU has, beside the crates `crc32fast`, `crc32c` and `crc-fast`, with a result check
//! for each figure.
//!
//! `cargo bench -p penstock-checksum` measures; `cargo test` runs each case for an instant.

use std::hint::black_box;
use std::time::{Duration, Instant};

use checksum::{Castagnoli, Crc, Ieee, Kernel, Polynomial};

/// Far more than caches hold.
const COLD_BYTES: usize = 1 << 30;
/// Bytes of a page.
const PAGE: usize = 16 << 10;
const SIZES: [usize; 6] = [40, 300, 2048, 4096, 16_384, 1 << 20];

fn main() {
    // Cargo hands `--bench` to benchmarks only when they are to measure.
    let measure = std::env::args().any(|argument| argument == "--bench");
    let time = if measure { Duration::from_millis(200) } else { Duration::from_micros(200) };
    println!("GB/s, data in cache; ok: the sum equals the bitwise definition's");
    print!("{:<24}", "bytes");
    SIZES.iter().for_each(|size| print!("{size:>12}"));
    println!();
    let mut right = true;
    for kernel in Kernel::available::<Ieee>() {
        right &= row::<Ieee>(&format!("IEEE {kernel:?}"), time, |data| with::<Ieee>(kernel, data));
    }
    right &= row::<Ieee>("IEEE crc32fast", time, crc32fast::hash);
    let crc_fast = |algorithm| move |data: &[u8]| crc_fast::checksum(algorithm, data) as u32;
    right &= row::<Ieee>("IEEE crc-fast", time, crc_fast(crc_fast::CrcAlgorithm::Crc32IsoHdlc));
    right &= row::<Ieee>("IEEE chosen", time, checksum::crc32);
    for kernel in Kernel::available::<Castagnoli>() {
        right &= row::<Castagnoli>(&format!("Castagnoli {kernel:?}"), time, |data| {
            with::<Castagnoli>(kernel, data)
        });
    }
    right &= row::<Castagnoli>("Castagnoli crc32c", time, crc32c::crc32c);
    right &= row::<Castagnoli>("Castagnoli crc-fast", time, crc_fast(crc_fast::CrcAlgorithm::Crc32Iscsi));
    right &= row::<Castagnoli>("Castagnoli chosen", time, checksum::crc32c);
    println!("\nGB/s, pages of 16 KiB out of memory, in scattered order, a page at a time");
    let memory = vec![0x5A; if measure { COLD_BYTES } else { 1 << 20 }];
    cold("IEEE chosen", &memory, checksum::crc32);
    cold("IEEE crc32fast", &memory, crc32fast::hash);
    cold("IEEE crc-fast", &memory, crc_fast(crc_fast::CrcAlgorithm::Crc32IsoHdlc));
    cold("Castagnoli chosen", &memory, checksum::crc32c);
    cold("Castagnoli crc32c", &memory, crc32c::crc32c);
    cold("Castagnoli crc-fast", &memory, crc_fast(crc_fast::CrcAlgorithm::Crc32Iscsi));
    assert!(right, "a sum was wrong");
}

fn with<P: Polynomial>(kernel: Kernel, data: &[u8]) -> u32 {
    Crc::<P>::new().update_with(kernel, data).value()
}

/// Prints what summing pages that are in no cache comes to: the median of five rounds over all of `memory`.
fn cold(name: &str, memory: &[u8], sum: impl Fn(&[u8]) -> u32) {
    let pages = memory.len() / PAGE;
    let mut rates: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            for i in 0..pages {
                // A step that shares no factor with the number of pages, which is a power of two, visits each once.
                let page = i * 0x9E37 % pages;
                black_box(sum(&memory[page * PAGE..][..PAGE]));
            }
            memory.len() as f64 / start.elapsed().as_nanos() as f64
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    println!("{name:<24}{:>12.2}", rates[2]);
}

/// Prints one line of the table; false if a sum was wrong.
fn row<P: Polynomial>(name: &str, time: Duration, sum: impl Fn(&[u8]) -> u32) -> bool {
    let data: Vec<u8> = (0..1_u32 << 20).map(|i| (i.wrapping_mul(0x9E37_79B1) >> 24) as u8).collect();
    let mut right = true;
    print!("{name:<24}");
    for size in SIZES {
        let data = &data[..size];
        right &= sum(data) == with::<P>(Kernel::Bitwise, data);
        let (start, mut rounds) = (Instant::now(), 0_u64);
        let batch = (65_536 / size).max(1) as u64;
        while start.elapsed() < time {
            for _ in 0..batch {
                black_box(sum(black_box(data)));
            }
            rounds += batch;
        }
        print!("{:>12.2}", (rounds * size as u64) as f64 / start.elapsed().as_nanos() as f64);
    }
    println!("  {}", if right { "ok" } else { "WRONG" });
    right
}
