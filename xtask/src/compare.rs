//! `cargo xtask compare`: sysbench against Penstock and MariaDB, in turn, both durable, on this machine.
//!
//! Each server gets a directory of its own, the same memory for pages, and forces its log at each commit (MariaDB:
//! `innodb_flush_log_at_trx_commit=1`, `log_bin`, `sync_binlog=1`). Every test runs on one and then the other, for a few
//! seconds, several times; figures are medians. CPU is the server process's own, from `/proc`. The report goes to
//! `bench/runs/`.
//!
//! Environment: `COMPARE_SECONDS` (5), `COMPARE_ROUNDS` (3), `COMPARE_THREADS` (8), `COMPARE_TESTS` (all, by name with commas).

use crate::Outcome;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

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

/// A server under test; killed by its own pid when dropped.
struct Server {
    name: &'static str,
    child: Child,
    socket: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").arg("-TERM").arg(pid).status();
        let _ = self.child.wait();
    }
}

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
    let runs = root.join("bench/runs");
    std::fs::create_dir_all(&runs).map_err(|e| say(format!("make {}: {e}", runs.display())))?;
    let date = output(Command::new("date").arg("+%Y-%m-%d-%H%M")).map_err(say)?;
    let file = runs.join(format!("{}-sysbench.md", date.trim()));
    std::fs::write(&file, report).map_err(|e| say(format!("write {}: {e}", file.display())))?;
    println!("kept in {}", file.display());
    Ok(())
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn compare(root: &Path, work: &Path) -> Result<String, String> {
    let build = Command::new("cargo")
        .current_dir(root)
        .args(["build", "--release", "--package", "penstock"])
        .status();
    if !build.map_err(|e| e.to_string())?.success() {
        return Err("the release build failed".into());
    }
    let target = std::env::var("CARGO_TARGET_DIR").map_or_else(|_| root.join("target"), PathBuf::from);
    let servers = [penstock(&target.join("release/penstock"), work)?, mariadb(work)?];
    for server in &servers {
        wait_ready(server)?;
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
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|l| l.strip_prefix("model name"))
        .unwrap_or("")
        .trim_start_matches([':', ' ', '\t']);
    let cores = cpu.lines().filter(|l| l.starts_with("processor")).count();
    let versions: Result<Vec<String>, String> =
        servers.iter().map(|s| client(s, "SELECT VERSION()").map(|v| v.trim().to_owned())).collect();
    let sysbench = output(Command::new("sysbench").arg("--version"))?;
    Ok(format!(
        "# sysbench: Penstock beside MariaDB\n\n\
         `cargo xtask compare` at commit {}, {}; servers {}; {model}, {cores} cores shared by server and client.\n\
         4 tables of 100,000 rows, {threads} connections over unix sockets, {rounds} rounds of {seconds} s each in turn, medians.\n\
         Both durable: every commit forced (MariaDB: innodb_flush_log_at_trx_commit=1, log_bin, sync_binlog=1).\n\n\
         | test | statements | queries/s | MariaDB | ratio | p95 ms | MariaDB | server CPU us/query | MariaDB | ratio | ignored errors |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        commit.trim(),
        sysbench.trim(),
        versions?.join(" and "),
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

fn penstock(binary: &Path, work: &Path) -> Result<Server, String> {
    let socket = work.join("penstock.sock");
    let child = Command::new(binary)
        .arg("serve")
        .arg("--datadir")
        .arg(work.join("penstock"))
        .args(["--port", "0", "--buffer-pool-size", "1G", "--socket"])
        .arg(&socket)
        .stdout(Stdio::null())
        .spawn()
        .map_err(|e| format!("start {}: {e}", binary.display()))?;
    Ok(Server { name: "penstock", child, socket })
}

fn mariadb(work: &Path) -> Result<Server, String> {
    let data = work.join("mariadb");
    let install = Command::new("mariadb-install-db")
        .args(["--no-defaults", "--auth-root-authentication-method=normal", "--user=root"])
        .arg(format!("--datadir={}", data.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !install.map_err(|e| format!("run mariadb-install-db: {e}"))?.success() {
        return Err("mariadb-install-db failed".into());
    }
    let socket = work.join("mariadb.sock");
    let child = Command::new("mariadbd")
        .args(["--no-defaults", "--user=root", "--skip-networking", "--server-id=1"])
        .args([
            "--innodb-flush-log-at-trx-commit=1",
            "--log-bin=binlog",
            "--sync-binlog=1",
            "--binlog-format=ROW",
        ])
        .args([
            "--innodb-buffer-pool-size=1G",
            "--innodb-log-file-size=1G",
            "--max-prepared-stmt-count=100000",
        ])
        .arg(format!("--datadir={}", data.display()))
        .arg(format!("--socket={}", socket.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("start mariadbd: {e}"))?;
    Ok(Server { name: "mariadb", child, socket })
}

fn wait_ready(server: &Server) -> Result<(), String> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if client(server, "SELECT 1").is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(format!("{} does not answer", server.name))
}

fn client(server: &Server, statement: &str) -> Result<String, String> {
    output(
        Command::new("mariadb")
            .args(["--no-defaults", "-uroot", "-N", "-B", "-e", statement])
            .arg(format!("--socket={}", server.socket.display()))
            .stderr(Stdio::null()),
    )
}

fn output(command: &mut Command) -> Result<String, String> {
    let out = command.output().map_err(|e| format!("run {command:?}: {e}"))?;
    match out.status.success() {
        true => Ok(String::from_utf8_lossy(&out.stdout).into_owned()),
        false => Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&out.stderr))),
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

/// CPU that a server has used so far, in microseconds.
fn cpu_us(server: &Server) -> Result<f64, String> {
    let path = format!("/proc/{}/stat", server.child.id());
    let stat =
        std::fs::read_to_string(&path).map_err(|e| format!("read {path}: {e} ({} is gone)", server.name))?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: f64 = [11, 12].iter().filter_map(|&i| fields.get(i)?.parse::<f64>().ok()).sum();
    // USER_HZ is 100 on every Linux that this runs on.
    Ok(ticks * 10_000.0)
}
