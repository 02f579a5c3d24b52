//! What looks, changes, loads and checkpoints cost. Tiny in the ordinary run; in full with
//! `cargo test --release -p penstock-pages --test speed -- --ignored --nocapture`.

use pages::{DirectIo, Kind, PAGE_SIZE, PAYLOAD_SIZE, PageNo, PageView, PoolOptions, Result, Store, TreeNo};
use platform::file::{Dir, RealDir};
use platform::sim::Rng;
use std::sync::Arc;
use std::time::Instant;

struct Sizes {
    pages: u32,
    frames: u64,
    looks: u64,
    threads: u64,
}

/// Nanoseconds that this thread has run: what other work on the machine does not spoil. 0 where the system is silent.
fn on_cpu() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|first| first.parse().ok()).unwrap_or(0)
}

fn timed<R>(what: &str, count: u64, work: impl FnOnce() -> R) -> R {
    let (start, cpu) = (Instant::now(), on_cpu());
    let result = work();
    let each = |nanoseconds: u64| nanoseconds as f64 / count as f64;
    let (wall, cpu) = (each(start.elapsed().as_nanos() as u64), each(on_cpu() - cpu));
    println!("{what:<48} {wall:>10.1} ns each, {cpu:>10.1} ns of this thread's CPU, {count} times");
    result
}

/// A small look: two numbers of the page, as a search step would.
fn look(store: &Store, page: PageNo) -> Result<u64> {
    store.read(page, |view| Ok(view.u64_at(0) ^ u64::from(view.u16_at(101))))
}

fn run(sizes: &Sizes) {
    let temp = tempfile::tempdir().unwrap();
    let dir: Arc<dyn Dir> = Arc::new(RealDir::new(temp.path(), false).unwrap());
    let in_memory =
        PoolOptions { pool_bytes: u64::from(sizes.pages + 600) * PAGE_SIZE as u64, ..PoolOptions::default() };
    let (store, _) = Store::create(&dir, &in_memory).unwrap();
    let count = u64::from(sizes.pages);
    let numbers: Vec<PageNo> = timed("allocate and fill 8 bytes", count, || {
        let fresh = (0..sizes.pages).map(|index| {
            let mut page = store.alloc(TreeNo(1), Kind(1)).unwrap();
            page.put_u64(0, u64::from(index));
            page.page()
        });
        fresh.collect()
    });
    timed("checkpoint, everything dirty, per page", count, || store.checkpoint(|_| vec![]).unwrap());
    let hot = numbers[numbers.len() / 2];
    timed("look, same page", sizes.looks, || {
        (0..sizes.looks).fold(0, |sum, _| sum ^ look(&store, hot).unwrap())
    });
    let mut rng = Rng::new(1);
    timed("look, random page", sizes.looks, || {
        (0..sizes.looks).fold(0, |sum, _| sum ^ look(&store, *rng.pick(&numbers)).unwrap())
    });
    let threads = sizes.threads;
    timed(&format!("look, random page, {threads} threads, per look of one"), sizes.looks, || {
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let (store, numbers) = (&store, &numbers);
                scope.spawn(move || {
                    let mut rng = Rng::new(thread);
                    (0..sizes.looks).fold(0, |sum, _| sum ^ look(store, *rng.pick(numbers)).unwrap())
                });
            }
        });
    });
    let mut payload = Box::new([0; PAYLOAD_SIZE]);
    timed("copy a whole payload", sizes.looks / 100, || {
        for _ in 0..sizes.looks / 100 {
            let copy = |view: &PageView<'_>| {
                view.copy_payload(&mut payload);
                Ok(())
            };
            store.read(hot, copy).unwrap();
        }
    });
    timed("latch and change 8 bytes", sizes.looks, || {
        for value in 0..sizes.looks {
            store.lock(hot).unwrap().put_u64(16, value);
        }
    });
    timed("latch and move 4 KiB by 100 bytes", sizes.looks / 100, || {
        for _ in 0..sizes.looks / 100 {
            store.lock(hot).unwrap().move_within(1000, 1100, 4096);
        }
    });
    drop(store);

    let small = PoolOptions { pool_bytes: sizes.frames * PAGE_SIZE as u64, ..PoolOptions::default() };
    let (store, _) = timed("open, per page", count, || Store::open(&dir, &small).unwrap());
    let loads = count.min(20_000);
    let wrong = timed("load a random page from the page cache", loads, || {
        let looks = (0..loads).map(|_| rng.below(count) as u32);
        looks
            .filter(|&index| {
                store.read(numbers[index as usize], |view| Ok(view.u64_at(0))).unwrap() != u64::from(index)
            })
            .count()
    });
    assert_eq!(wrong, 0, "a page held what another page should");
    timed("change a random page, most evict a dirty one", loads, || {
        for _ in 0..loads {
            store.lock(*rng.pick(&numbers)).unwrap().put_u64(8, 1);
        }
    });
    timed("checkpoint after it, per page changed", loads, || store.checkpoint(|_| vec![]).unwrap());
    let counters = store.counters();
    assert!(counters.damaged == 0 && counters.reads > 0 && counters.evictions > 0, "{counters:?}");
    println!("{counters:?}");
}

#[test]
fn speed_is_measured() {
    run(&Sizes { pages: 600, frames: 64, looks: 2_000, threads: 2 });
}

#[test]
#[ignore = "a measurement for release builds"]
fn speed_in_full() {
    run(&Sizes { pages: 40_000, frames: 8_192, looks: 5_000_000, threads: 2 });
}

/// How long forces of another file take alone and beside a checkpoint: what a commit feels.
fn forces_beside_a_checkpoint(pages: u32, direct: DirectIo) {
    let temp = tempfile::tempdir().unwrap();
    let dir: Arc<dyn Dir> = Arc::new(RealDir::new(temp.path(), false).unwrap());
    let pool_bytes = u64::from(pages + 600) * PAGE_SIZE as u64;
    let (store, _) =
        Store::create(&dir, &PoolOptions { pool_bytes, direct, ..PoolOptions::default() }).unwrap();
    let log = dir.open("log", platform::file::OpenMode::CREATE).unwrap();
    log.preallocate(0, 64 << 20).unwrap();
    let numbers: Vec<PageNo> = (0..pages).map(|_| store.alloc(TreeNo(1), Kind(1)).unwrap().page()).collect();
    store.checkpoint(|_| vec![]).unwrap();
    for round in 0..2 {
        numbers.iter().for_each(|&page| store.lock(page).unwrap().put_u64(0, round));
        let (stop, offset) = (std::sync::atomic::AtomicBool::new(round == 0), std::cell::Cell::new(0));
        let mut times: Vec<u128> = Vec::new();
        let mut force = || {
            let start = Instant::now();
            log.write_all_at(&[7; 400], offset.get()).unwrap();
            log.sync_data().unwrap();
            offset.set(offset.get() + 400);
            times.push(start.elapsed().as_micros());
        };
        let mut took = 0;
        if round == 0 {
            (0..100).for_each(|_| force());
        } else {
            std::thread::scope(|scope| {
                let checkpoint = scope.spawn(|| {
                    let (start, cpu) = (Instant::now(), on_cpu());
                    store.checkpoint(|_| vec![]).unwrap();
                    stop.store(true, std::sync::atomic::Ordering::Relaxed);
                    println!("checkpoint: {} us of CPU", (on_cpu() - cpu) / 1000);
                    start.elapsed().as_millis()
                });
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    force();
                }
                took = checkpoint.join().unwrap();
            });
        }
        times.sort_unstable();
        let at = |part: usize| times[(times.len() - 1) * part / 100];
        println!(
            "direct {direct:?}, checkpoint {took} ms: {} forces, median {} us, p95 {} us, longest {} us",
            times.len(),
            at(50),
            at(95),
            at(100)
        );
    }
}

#[test]
fn forces_beside_a_checkpoint_are_measured() {
    forces_beside_a_checkpoint(100, DirectIo::Checkpoints);
}

#[test]
#[ignore = "a measurement for release builds"]
fn forces_beside_a_checkpoint_in_full() {
    for direct in [DirectIo::Off, DirectIo::Checkpoints, DirectIo::Off, DirectIo::Checkpoints] {
        forces_beside_a_checkpoint(8_000, direct);
    }
}
