//! `cargo xtask compare`: sysbench against Penstock and MariaDB, in turn, both durable, on this machine.
//!
//! Each server gets a directory of its own, the same memory for pages, and forces its log at each commit (MariaDB:
//! `innodb_flush_log_at_trx_commit=1`, `log_bin`, `sync_binlog=1`). Every test runs on one and then the other, for a few
//! seconds, several times; figures are medians. CPU is the server process's own, from `/proc`. The report goes to
//! `bench/runs/`.
//!
//! Environment: `COMPARE_SECONDS` (5), `COMPARE_ROUNDS` (3), `COMPARE_THREADS` (8), `COMPARE_TESTS` (all, by name with commas).

use crate::Outcome;
use crate::servers::{self, Server, client, cpu_us, number, output};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const TESTS: [&str; 10] = [
    "oltp_point_select",
    "oltp_read_only",
    "oltp_read_write",
    "oltp_write_only",
    "oltp_insert",
    "oltp_delete",
    "oltp_update_index",
    "oltp_update_non_index",
    "select_random_points",
    "select_random_ranges",
];

const TABLES: &str = "--tables=4";
const ROWS: &str = "--table-size=100000";

/// What one run of sysbench came to.
#[derive(Clone, Copy, Default)]
struct Figures {
    queries_per_s: f64,
    p95_ms: f64,
    cpu_us: f64,
    errors: f64,
}

pub fn run(root: &Path) -> Outcome {
    let say = |error: String| vec![error];
    let work = std::env::temp_dir().join(format!("penstock-compare-{}", std::process::id()));
    std::fs::create_dir_all(&work).map_err(|e| say(format!("make {}: {e}", work.display())))?;
    let report = compare(root, &work).map_err(say);
    let _ = std::fs::remove_dir_all(&work);
    let report = report?;
    println!("{report}");
    servers::keep_report(root, "sysbench", &report).map_err(say)
}

fn compare(root: &Path, work: &Path) -> Result<String, String> {
    let servers = servers::start(root, work)?;
    for server in &servers {
        client(server, "CREATE DATABASE sbtest")?;
        sysbench(server, "oltp_read_write", &["prepare"])?;
    }
    let seconds = number("COMPARE_SECONDS", 5);
    let rounds = number("COMPARE_ROUNDS", 3);
    let threads = number("COMPARE_THREADS", 8);
    let wanted = std::env::var("COMPARE_TESTS").unwrap_or_default();
    let mut report = head(root, &servers, seconds, rounds, threads)?;
    for test in TESTS.iter().filter(|test| wanted.is_empty() || wanted.split(',').any(|w| w == **test)) {
        for prepared in [true, false] {
            let mut figures: [Vec<Figures>; 2] = [Vec::new(), Vec::new()];
            for _ in 0..rounds {
                for (server, figures) in servers.iter().zip(&mut figures) {
                    figures.push(measure(server, test, prepared, seconds, threads)?);
                }
            }
            let [ours, theirs] = figures.map(|f| median(&f));
            let _ = writeln!(
                report,
                "| {test} | {} | {:.0} | {:.0} | **{:.2}** | {:.2} | {:.2} | {:.1} | {:.1} | **{:.2}** | {:.0} / {:.0} |",
                if prepared { "prepared" } else { "text" },
                ours.queries_per_s,
                theirs.queries_per_s,
                ours.queries_per_s / theirs.queries_per_s.max(1.0),
                ours.p95_ms,
                theirs.p95_ms,
                ours.cpu_us,
                theirs.cpu_us,
                ours.cpu_us / theirs.cpu_us.max(0.1),
                ours.errors,
                theirs.errors,
            );
            eprintln!("{test} {}: done", if prepared { "prepared" } else { "text" });
        }
    }
    Ok(report)
}

fn head(root: &Path, servers: &[Server], seconds: u64, rounds: u64, threads: u64) -> Result<String, String> {
    let commit = output(Command::new("git").current_dir(root).args(["rev-parse", "--short", "HEAD"]))?;
    let (versions, machine) = (servers::versions(servers)?, servers::machine());
    let sysbench = output(Command::new("sysbench").arg("--version"))?;
    Ok(format!(
        "# sysbench: Penstock beside MariaDB\n\n\
         `cargo xtask compare` at commit {}, {}; servers {}; {machine} shared by server and client.\n\
         4 tables of 100,000 rows, {threads} connections over unix sockets, {rounds} rounds of {seconds} s each in turn, medians.\n\
         Both durable: every commit forced (MariaDB: innodb_flush_log_at_trx_commit=1, log_bin, sync_binlog=1).\n\n\
         | test | statements | queries/s | MariaDB | ratio | p95 ms | MariaDB | server CPU us/query | MariaDB | ratio | ignored errors |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        commit.trim(),
        sysbench.trim(),
        versions,
    ))
}

fn median(figures: &[Figures]) -> Figures {
    let of = |f: fn(&Figures) -> f64| {
        let mut values: Vec<f64> = figures.iter().map(f).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Figures {
        queries_per_s: of(|f| f.queries_per_s),
        p95_ms: of(|f| f.p95_ms),
        cpu_us: of(|f| f.cpu_us),
        errors: of(|f| f.errors),
    }
}

fn sysbench(server: &Server, test: &str, more: &[&str]) -> Result<String, String> {
    let mut command = Command::new("sysbench");
    command
        .args([test, TABLES, ROWS, "--db-driver=mysql", "--mysql-user=root", "--mysql-db=sbtest"])
        .arg(format!("--mysql-socket={}", server.socket.display()))
        .args(more);
    let out = command.output().map_err(|e| format!("run sysbench: {e}"))?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    match out.status.success() {
        true => Ok(text),
        false => {
            Err(format!("sysbench {test} on {}: {text}{}", server.name, String::from_utf8_lossy(&out.stderr)))
        }
    }
}

fn measure(
    server: &Server,
    test: &str,
    prepared: bool,
    seconds: u64,
    threads: u64,
) -> Result<Figures, String> {
    let before = cpu_us(server)?;
    let mode = if prepared { "--db-ps-mode=auto" } else { "--db-ps-mode=disable" };
    let (time, threads) = (format!("--time={seconds}"), format!("--threads={threads}"));
    let text = sysbench(server, test, &[mode, &time, &threads, "run"])?;
    let used = cpu_us(server)? - before;
    let value = |label: &str| {
        let line = text.lines().find(|l| l.trim_start().starts_with(label)).unwrap_or_default();
        let digits = line.split(':').nth(1).unwrap_or_default().trim();
        digits.split([' ', '(']).next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0)
    };
    let queries = value("queries:");
    Ok(Figures {
        queries_per_s: queries / seconds as f64,
        p95_ms: value("95th percentile"),
        cpu_us: used / queries.max(1.0),
        errors: value("ignored errors"),
    })
}
