//! Ways to wait for a lock: what the lock lets through, and what waiting costs a neighbour.
//!
//! `cargo bench -p penstock-platform --bench spin` measures; `cargo test` runs it for an instant.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use platform::spin::{Backoff, pause};
use platform::topology::{Topology, pin_current};
use rustix::thread::futex;

/// How a thread waits while the lock is held.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// Reads in a loop.
    Bare,
    /// Tries to take it in a loop: writes each time.
    Atomic,
    /// Reads in a loop, with the CPU's hint between.
    Hint,
    /// `platform`'s: reads after growing waits, and parks when that did not help.
    Backoff,
    /// Parks at once.
    Park,
}

const WAYS: [Way; 5] = [Way::Bare, Way::Atomic, Way::Hint, Way::Backoff, Way::Park];

const FREE: u32 = 0;
const HELD: u32 = 1;
/// Held, and somebody is parked.
const AWAITED: u32 = 2;

/// A lock of one word (Drepper, "Futexes are tricky", 2011, mutex 2).
#[derive(Default)]
#[repr(align(128))]
struct Lock(AtomicU32);

impl Lock {
    fn try_take(&self) -> bool {
        self.0.compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn is_free(&self) -> bool {
        self.0.load(Ordering::Relaxed) == FREE
    }

    fn take(&self, way: Way) {
        let mut backoff = Backoff::new();
        while !self.try_take() {
            match way {
                Way::Bare => while !self.is_free() {},
                Way::Atomic => {}
                Way::Hint => {
                    while !self.is_free() {
                        pause();
                    }
                }
                Way::Backoff => {
                    while !self.is_free() {
                        if !backoff.spin() {
                            return self.park();
                        }
                    }
                }
                Way::Park => return self.park(),
            }
        }
    }

    fn park(&self) {
        while self.0.swap(AWAITED, Ordering::Acquire) != FREE {
            let _ = futex::wait(&self.0, futex::Flags::PRIVATE, AWAITED, None);
        }
    }

    fn release(&self) {
        if self.0.swap(FREE, Ordering::Release) == AWAITED {
            let _ = futex::wake(&self.0, futex::Flags::PRIVATE, 1);
        }
    }
}

/// Some `steps` nanoseconds of dependent arithmetic.
fn work(steps: u64) -> u64 {
    (0..steps).fold(black_box(1), |x: u64, _| x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1))
}

/// Takes and releases a second by so many threads, which hold the lock a third of their time.
fn throughput(way: Way, threads: u32, time: Duration) -> f64 {
    let (lock, taken) = (Lock::default(), AtomicU64::new(0));
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut mine = 0;
                while begun.elapsed() < time {
                    for _ in 0..64 {
                        lock.take(way);
                        black_box(work(50));
                        lock.release();
                        black_box(work(100));
                    }
                    mine += 64;
                }
                // Relaxed: read after all have been joined.
                taken.fetch_add(mine, Ordering::Relaxed);
            });
        }
    });
    taken.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64()
}

/// Work a second of a thread on one CPU while another waits for a held lock on the next; `None`: nobody waits.
fn neighbour(way: Option<Way>, time: Duration) -> f64 {
    let cpus = Topology::discover().cpus;
    let (lock, over) = (Lock::default(), AtomicBool::new(false));
    assert!(lock.try_take());
    std::thread::scope(|scope| {
        if let Some(way) = way {
            let (lock, cpu) = (&lock, cpus.last().map_or(0, |cpu| cpu.number));
            scope.spawn(move || {
                let _ = pin_current(cpu);
                lock.take(way);
            });
        }
        let worker = scope.spawn(|| {
            let _ = pin_current(cpus.first().map_or(0, |cpu| cpu.number));
            let (begun, mut rounds) = (Instant::now(), 0_u64);
            // Relaxed: it only ends the loop.
            while !over.load(Ordering::Relaxed) {
                black_box(work(1000));
                rounds += 1;
            }
            rounds as f64 / begun.elapsed().as_secs_f64()
        });
        std::thread::sleep(time);
        over.store(true, Ordering::Relaxed);
        let rate = worker.join().expect("working does not panic");
        lock.release();
        rate
    })
}

fn median(rounds: usize, mut of: impl FnMut() -> f64) -> f64 {
    let mut values: Vec<f64> = (0..rounds).map(|_| of()).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    // Cargo hands `--bench` to benchmarks only when they are to measure.
    let measure = std::env::args().any(|argument| argument == "--bench");
    let (time, rounds) =
        if measure { (Duration::from_millis(200), 7) } else { (Duration::from_millis(1), 1) };
    println!("million takes a second by so many threads; the neighbour's speed beside a waiter, 1 is alone");
    println!("{:<10}{:>12}{:>12}{:>12}{:>14}", "", "1", "2", "8", "neighbour");
    for way in WAYS {
        let takes = [1, 2, 8].map(|threads| median(rounds, || throughput(way, threads, time)) / 1e6);
        let beside = median(rounds, || neighbour(Some(way), time) / neighbour(None, time));
        let name = format!("{way:?}");
        println!("{name:<10}{:>12.2}{:>12.2}{:>12.2}{beside:>14.2}", takes[0], takes[1], takes[2]);
    }
}
