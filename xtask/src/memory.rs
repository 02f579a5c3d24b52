//! `cargo xtask memory`: data ten times the buffer pool, Penstock and MariaDB in turn with the same memory and round the page
//! cache (`--direct-io all`, `O_DIRECT`): point reads and changes, evenly and by Zipf's law, full scans, and what a scan
//! beside them costs running point reads. Report in `bench/runs`.
//!
//! Environment: `MEMORY_POOL_MIB` (48), `MEMORY_TIMES` (10), `MEMORY_SECONDS` (5), `MEMORY_ROUNDS` (3).

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::Outcome;
use crate::servers::{self, Server, Setting, number};

/// Bytes of a row of sysbench's table in a leaf, about.
const ROW_BYTES: u64 = 200;
const SCAN: &str = "SELECT SUM(LENGTH(c)) FROM sbtest.sbtest1";

/// A load: its name in the report, the mix and how ids are picked.
const LOADS: [(&str, &str, &str); 4] = [
    ("point reads, evenly", "point-select", "uniform"),
    ("point reads, Zipf", "point-select", "zipf"),
    ("changes, evenly", "write-only", "uniform"),
    ("changes, Zipf", "write-only", "zipf"),
];

/// Rate and p99 of one run.
#[derive(Clone, Copy)]
struct Figures {
    rate: f64,
    p99_us: f64,
}

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("memory", |work| {
        let (pool, times) = (number("MEMORY_POOL_MIB", 48), number("MEMORY_TIMES", 10));
        let rows = (pool << 20) * times / ROW_BYTES;
        let own = ["--buffer-pool-size", &format!("{pool}M"), "--direct-io", "all"];
        let theirs =
            [format!("--innodb-buffer-pool-size={pool}M"), "--innodb-flush-method=O_DIRECT".to_owned()];
        let pair = [
            servers::penstock_with(root, work, Setting::default(), &own)?,
            servers::mariadb_with(work, Setting::default(), &theirs)?,
        ];
        for server in &pair {
            eprintln!("{rows} rows for {}", server.name);
            servers::bench_of(server, root, work, &["prepare", "--rows", &rows.to_string()])?;
        }
        let mut report = format!(
            "# Larger than memory\n\n{}, commit {}. `cargo xtask memory`: {rows} rows of sysbench's table, {times} times the pool of {pool} MiB; \
             Penstock with `--direct-io all`, MariaDB with `O_DIRECT`, both durable with a binlog. 8 connections, prepared, {} s a run, \
             medians of {} rounds in turn.\n\n\
             | load | Penstock/s | MariaDB/s | times | p99 us | MariaDB's | times |\n| --- | --- | --- | --- | --- | --- | --- |\n",
            servers::machine(),
            servers::commit(root)?,
            number("MEMORY_SECONDS", 5),
            number("MEMORY_ROUNDS", 3),
        );
        for (name, mix, pick) in LOADS {
            report += &line(name, in_turn(&pair, |server| load(root, work, server, rows, mix, pick))?);
        }
        report += &line("full scans, seconds in p99", in_turn(&pair, scan)?);
        report +=
            "\nPoint reads by Zipf's law while one connection scans the whole table again and again:\n\n";
        report += "| | Penstock/s | MariaDB/s | times | p99 us | MariaDB's | times |\n| --- | --- | --- | --- | --- | --- | --- |\n";
        let alone = in_turn(&pair, |server| load(root, work, server, rows, "point-select", "zipf"))?;
        let scans = [AtomicU64::new(0), AtomicU64::new(0)];
        let beside = in_turn(&pair, |server| {
            beside_scan(root, work, server, rows, &scans[usize::from(server.name != pair[0].name)])
        })?;
        report += &line("alone", alone);
        report += &line("beside scans", beside);
        report += &format!(
            "\nBeside scans, point reads keep {:.2} of their rate, MariaDB's {:.2}. Meanwhile {} scans ended, MariaDB's {}.\n",
            beside[0].rate / alone[0].rate,
            beside[1].rate / alone[1].rate,
            scans[0].load(Ordering::Relaxed),
            scans[1].load(Ordering::Relaxed),
        );
        servers::keep_report(root, "memory", &report)
    })
}

fn line(name: &str, [ours, theirs]: [Figures; 2]) -> String {
    let line = format!(
        "| {name} | {:.1} | {:.1} | {:.2} | {:.0} | {:.0} | {:.2} |\n",
        ours.rate,
        theirs.rate,
        ours.rate / theirs.rate,
        ours.p99_us,
        theirs.p99_us,
        ours.p99_us / theirs.p99_us
    );
    eprint!("{line}");
    line
}

/// Medians of the rounds, the servers taking turns.
fn in_turn(
    pair: &[Server; 2],
    mut run: impl FnMut(&Server) -> Result<Figures, String>,
) -> Result<[Figures; 2], String> {
    let mut rounds = [Vec::new(), Vec::new()];
    for _ in 0..number("MEMORY_ROUNDS", 3) {
        for (server, figures) in pair.iter().zip(&mut rounds) {
            figures.push(run(server)?);
        }
    }
    Ok(rounds.map(|figures: Vec<Figures>| Figures {
        rate: servers::median(figures.iter().map(|f| f.rate)),
        p99_us: servers::median(figures.iter().map(|f| f.p99_us)),
    }))
}

fn load(
    root: &Path,
    work: &Path,
    server: &Server,
    rows: u64,
    mix: &str,
    pick: &str,
) -> Result<Figures, String> {
    let (rows, seconds) = (rows.to_string(), number("MEMORY_SECONDS", 5).to_string());
    let arguments =
        [mix, "--rows", &rows, "--pick", pick, "--seconds", &seconds, "--warmup", "1", "--form", "prepared"];
    let figures = servers::bench_of(server, root, work, &arguments)?;
    let phase = &figures["servers"][0]["phases"][0];
    let value = |value: &serde_json::Value| value.as_f64().ok_or("the figures lack one");
    if phase["errors"].as_array().is_some_and(|errors| !errors.is_empty()) {
        return Err(format!("{}: errors under load: {}", server.name, phase["errors"]));
    }
    Ok(Figures { rate: value(&phase["rate"])?, p99_us: value(&phase["latency_us"]["p99"])? })
}

/// One full scan: scans a second, and its time as p99.
fn scan(server: &Server) -> Result<Figures, String> {
    let begun = Instant::now();
    servers::client(server, SCAN)?;
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Figures { rate: 1.0 / seconds, p99_us: seconds * 1e6 })
}

fn beside_scan(
    root: &Path,
    work: &Path,
    server: &Server,
    rows: u64,
    ended: &AtomicU64,
) -> Result<Figures, String> {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let scans = scope.spawn(|| {
            // Relaxed: it only ends the loop.
            while !over.load(Ordering::Relaxed) {
                servers::client(server, SCAN)?;
                // One that ends after the load is not counted.
                ended.fetch_add(u64::from(!over.load(Ordering::Relaxed)), Ordering::Relaxed);
            }
            Ok::<(), String>(())
        });
        let figures = load(root, work, server, rows, "point-select", "zipf");
        over.store(true, Ordering::Relaxed);
        scans.join().expect("scanning does not panic")?;
        figures
    })
}
