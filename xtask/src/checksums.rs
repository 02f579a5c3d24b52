//! `cargo xtask checksums`: what the sums of pages and log cost a server whose data is four times its pool. Two builds that differ
//! in this alone, each under its own load, on the same machine in turn: one sums, one takes everything for the sum of nothing.
//! Report in `bench/runs`.
//!
//! The machine changes from second to second by far more than what is looked for. So both servers and both loads are there all
//! the time, one pair held still (SIGSTOP) while the other runs, in windows so short and so many that what the machine does to one
//! it does to the other, too. What the ratios of all pairs of windows say is given with the interval that holds their true median with
//! a certainty of 95 % (by the binomial distribution of ranks, whatever the distribution of the ratios).
//!
//! Environment: `CHECKSUMS_POOL_MIB` (48), `CHECKSUMS_WINDOW_MS` (500), `CHECKSUMS_PAIRS` (400); `PENSTOCK_BINARY` and
//! `PENSTOCK_UNSUMMED` name the two builds where they are there already.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::servers::{self, Connection, Server, Setting, number};

/// Bytes of a row of sysbench's table in a leaf, about.
const ROW_BYTES: u64 = 200;
/// Data to a byte of the pool.
const TIMES: u64 = 4;

/// What a server did in one window.
#[derive(Clone, Copy)]
struct Figures {
    /// Queries a second.
    rate: f64,
    /// Server CPU a query, in microseconds.
    cpu_us: f64,
}

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("checksums", |work| {
        let pool = number("CHECKSUMS_POOL_MIB", 48);
        let rows = (pool << 20) * TIMES / ROW_BYTES;
        let start = |binary: &Path, home: &str, direct_io: &str| {
            let home = work.join(home);
            std::fs::create_dir_all(&home).map_err(|e| format!("make {}: {e}", home.display()))?;
            let options = ["--buffer-pool-size", &format!("{pool}M"), "--direct-io", direct_io];
            servers::penstock_of(binary, &home, Setting::default(), &options)
        };
        let (summed, unsummed) = (servers::binary(root)?, unsummed(root)?);
        let mut report = format!(
            "# What checksums cost\n\n{}, commit {}. `cargo xtask checksums`: {rows} rows of sysbench's table, {TIMES} times the pool of \
             {pool} MiB, 8 connections, prepared. Two builds, with the sums of pages and log and without, each under its own load; \
             {} pairs of windows of {} ms, in one of which all but the one server and its load stand still, the order changing from \
             pair to pair. What the pool misses comes from the kernel's page cache, or with `--direct-io all` from the device. \
             Medians; of the ratios of the pairs the median, and where it lies with a certainty of 95 %.\n\n\
             | load | pages from | with sums/s | without/s | with / without | 95 % | CPU us | without | with / without | 95 % |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            servers::machine(),
            servers::commit(root)?,
            number("CHECKSUMS_PAIRS", 400),
            number("CHECKSUMS_WINDOW_MS", 500),
        );
        for (from, direct_io) in [("page cache", "checkpoints"), ("device", "all")] {
            let pair = [start(&summed, "summed", direct_io)?, start(&unsummed, "unsummed", direct_io)?];
            if from == "page cache" {
                for server in &pair {
                    servers::bench_of(server, root, work, &["prepare", "--rows", &rows.to_string()])?;
                }
            }
            for mix in ["read-write", "point-select"] {
                let line = format!("| {mix} | {from} | {} |\n", compare(root, mix, rows, &pair)?);
                eprint!("{line}");
                report += &line;
            }
        }
        servers::keep_report(root, "checksums", &report)
    })
}

/// The build that sums nothing.
fn unsummed(root: &Path) -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("PENSTOCK_UNSUMMED") {
        return Ok(named.into());
    }
    let folder = crate::target_folder(root).join("unsummed");
    let mut build =
        crate::command(root, &["build", "--release", "--package", "penstock", "--features", "unsummed"]);
    crate::run(build.arg("--target-dir").arg(&folder)).map_err(|complaints| complaints.join("\n"))?;
    Ok(folder.join("release/penstock"))
}

/// The two servers under a mix: columns of the report.
fn compare(root: &Path, mix: &str, rows: u64, pair: &[Server; 2]) -> Result<String, String> {
    let [with, without] = pair;
    let mut sides = [Side::start(root, mix, rows, with)?, Side::start(root, mix, rows, without)?];
    let mut windows = Vec::new();
    for turn in 0..number("CHECKSUMS_PAIRS", 400) as usize {
        let first = turn % 2;
        let mut figures = [Figures { rate: 0.0, cpu_us: 0.0 }; 2];
        for side in [first, 1 - first] {
            figures[side] = sides[side].window()?;
        }
        windows.push(figures);
    }
    let figures = |of: fn(&Figures) -> f64| {
        let [with, without] = [0, 1].map(|i| servers::median(windows.iter().map(|pair| of(&pair[i]))));
        let ratios = servers::sorted(windows.iter().map(|pair| of(&pair[0]) / of(&pair[1])));
        let (low, high) = where_the_median_lies(ratios.len());
        let ratio = ratios[ratios.len() / 2];
        format!("{with:.1} | {without:.1} | {ratio:.4} | {:.4} to {:.4}", ratios[low], ratios[high])
    };
    Ok(format!("{} | {}", figures(|f| f.rate), figures(|f| f.cpu_us)))
}

/// The ranks between which the true median of `n` values lies with a certainty of 95 %: the normal approximation of the
/// binomial distribution with a half.
fn where_the_median_lies(n: usize) -> (usize, usize) {
    let reach = 0.98 * (n as f64).sqrt();
    let middle = n as f64 / 2.0;
    ((middle - reach).floor().max(0.0) as usize, ((middle + reach).ceil() as usize).min(n - 1))
}

/// A server and its load; both stand still but in their windows.
struct Side<'a> {
    server: &'a Server,
    load: Child,
    asking: Connection,
}

impl Drop for Side<'_> {
    fn drop(&mut self) {
        // A process that stands still is killed all the same.
        let _ = self.load.kill();
        let _ = self.load.wait();
        let _ = signal(&self.server.child, "CONT");
    }
}

impl<'a> Side<'a> {
    /// How long the pool fills before the first window.
    const WARM: Duration = Duration::from_secs(3);

    fn start(root: &Path, mix: &str, rows: u64, server: &'a Server) -> Result<Side<'a>, String> {
        let mut load = Command::new(servers::binary(root)?);
        load.args(["bench", mix, "--form", "prepared", "--rows", &rows.to_string()]);
        // It is killed when all windows have been.
        load.args(["--seconds", "1000000", "--socket"]).arg(&server.socket);
        load.stdout(Stdio::null()).stderr(Stdio::null());
        let load = load.spawn().map_err(|e| format!("start {load:?}: {e}"))?;
        let side = Side { server, load, asking: servers::connect(&server.socket, "sbtest")? };
        std::thread::sleep(Side::WARM);
        signal(&side.load, "STOP")?;
        signal(&side.server.child, "STOP")?;
        Ok(side)
    }

    /// Lets both run for a window.
    fn window(&mut self) -> Result<Figures, String> {
        signal(&self.server.child, "CONT")?;
        let (questions, cpu) = (self.questions()?, cpu_us(self.server)?);
        let begun = Instant::now();
        signal(&self.load, "CONT")?;
        std::thread::sleep(Duration::from_millis(number("CHECKSUMS_WINDOW_MS", 500)));
        signal(&self.load, "STOP")?;
        let seconds = begun.elapsed().as_secs_f64();
        let (questions, cpu) = (self.questions()? - questions, cpu_us(self.server)? - cpu);
        signal(&self.server.child, "STOP")?;
        match questions {
            0.0 => Err(format!("the load of {} asks nothing", self.server.socket.display())),
            _ => Ok(Figures { rate: questions / seconds, cpu_us: cpu / questions }),
        }
    }

    /// How many queries the server has answered so far.
    fn questions(&mut self) -> Result<f64, String> {
        let rows = servers::ask(&mut self.asking, "SHOW GLOBAL STATUS LIKE 'Questions'")?;
        let value = rows.into_iter().flatten().flatten().nth(1).unwrap_or_default();
        String::from_utf8_lossy(&value).parse().map_err(|e| format!("Questions: {e}"))
    }
}

fn signal(process: &Child, name: &str) -> Result<(), String> {
    servers::output(Command::new("kill").arg(format!("-{name}")).arg(process.id().to_string())).map(drop)
}

/// CPU that the threads of a server have used so far, in microseconds. The kernel counts nanoseconds for each
/// (Documentation/scheduler/sched-stats); of the process as a whole it tells hundredths of a second, too coarse for a window.
fn cpu_us(server: &Server) -> Result<f64, String> {
    let folder = format!("/proc/{}/task", server.child.id());
    let threads = std::fs::read_dir(&folder).map_err(|e| format!("read {folder}: {e}"))?;
    let used = threads.filter_map(|thread| {
        // A thread may have ended since.
        let counts = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        counts.split_whitespace().next()?.parse::<f64>().ok()
    });
    Ok(used.sum::<f64>() / 1000.0)
}
