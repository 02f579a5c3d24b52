//! `cargo xtask compare`: sysbench against Penstock and MariaDB, in turn, both durable, on this machine.
//!
//! Each server gets a directory of its own, the same memory for pages, and forces its log at each commit (MariaDB:
//! `innodb_flush_log_at_trx_commit=1`, `log_bin`, `sync_binlog=1`). Every test runs on one and then the other, for a few
//! seconds, several times; figures are medians. CPU is the server process's own, from `/proc`. The report goes to
//! `bench/runs/`.
//!
//! Each test runs on a third server, too, which only reads, frames and answers OK (`penstock bench answer-ok`): it finds no
//! rows, sends none and keeps nothing, so no server answers sysbench faster on this machine. Its columns say what sysbench
//! and the kernel leave room for.
//!
//! Each test finds its tables as `prepare` makes them: one that follows `oltp_delete` would look for rows that are gone.
//! For the same reason each run of `oltp_delete` gets tables of its own, and draws its rows evenly, not a hundredth of them
//! three times in four as sysbench does otherwise: the server that deletes faster must not be asked for less.
//!
//! Environment, lists with commas: `COMPARE_TESTS` (all), `COMPARE_CONNECTIONS` (2,8,64,512), `COMPARE_WAYS`
//! (socket,tcp), `COMPARE_FORMS` (prepared,text), `COMPARE_SECONDS` (3), `COMPARE_ROUNDS` (1).

use crate::Outcome;
use crate::servers::{self, Server, client, cpu_us, number, output};
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

/// The test that uses its rows up.
const DELETE: &str = "oltp_delete";

/// What one run of sysbench came to.
#[derive(Clone, Copy, Default)]
struct Figures {
    queries_per_s: f64,
    p99_ms: f64,
    cpu_us: f64,
    errors: f64,
}

/// A line of the report.
struct Line {
    ours: Figures,
    theirs: Figures,
    least: Figures,
}

/// How sysbench is run.
#[derive(Clone, Copy)]
struct Run<'a> {
    test: &'a str,
    connections: u64,
    /// Over 127.0.0.1, not the unix socket.
    tcp: bool,
    prepared: bool,
    seconds: u64,
}

impl Run<'_> {
    fn way(self) -> &'static str {
        if self.tcp { "tcp" } else { "socket" }
    }

    fn form(self) -> &'static str {
        if self.prepared { "prepared" } else { "text" }
    }
}

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("compare", |work| {
        let report = compare(root, work)?;
        servers::keep_report(root, "sysbench", &report)
    })
}

/// A list from the environment.
fn list(name: &str, default: &str) -> Vec<String> {
    let text = std::env::var(name).unwrap_or_else(|_| default.to_owned());
    text.split(',').map(str::to_owned).collect()
}

fn compare(root: &Path, work: &Path) -> Result<String, String> {
    let servers = servers::start(root, work)?;
    let yardstick = servers::answer_ok(root, work)?;
    let (seconds, rounds) = (number("COMPARE_SECONDS", 3), number("COMPARE_ROUNDS", 1));
    let connections = list("COMPARE_CONNECTIONS", "2,8,64,512");
    let connections = connections.iter().filter_map(|n| n.parse().ok());
    let (ways, forms) = (list("COMPARE_WAYS", "socket,tcp"), list("COMPARE_FORMS", "prepared,text"));
    let mut report = head(root, &servers, seconds, rounds)?;
    let mut summary = SUMMARY.to_owned();
    for test in list("COMPARE_TESTS", &TESTS.join(",")) {
        if test != DELETE {
            servers.iter().try_for_each(fresh_tables)?;
        }
        let mut lines = Vec::new();
        for way in &ways {
            for connections in connections.clone() {
                for form in &forms {
                    let run = Run {
                        test: &test,
                        connections,
                        tcp: way == "tcp",
                        prepared: form == "prepared",
                        seconds,
                    };
                    let line = measure_all(&servers, &yardstick, run, rounds)?;
                    let row = line.row(run);
                    eprint!("{row}");
                    report += &row;
                    lines.push(line);
                }
            }
        }
        summary += &summary_row(&test, &lines);
    }
    Ok(report + &summary)
}

/// The tables as sysbench makes them.
fn fresh_tables(server: &Server) -> Result<(), String> {
    client(server, "CREATE OR REPLACE DATABASE sbtest")?;
    sysbench(server, "oltp_read_write", false, &["prepare"]).map(drop)
}

/// Both servers in turn, and the yardstick.
fn measure_all(servers: &[Server; 2], yardstick: &Server, run: Run<'_>, rounds: u64) -> Result<Line, String> {
    let [mut ours, mut theirs, mut least] = [const { Vec::new() }; 3];
    for _ in 0..rounds {
        if run.test == DELETE {
            servers.iter().try_for_each(fresh_tables)?;
        }
        ours.push(measure(&servers[0], run)?);
        theirs.push(measure(&servers[1], run)?);
        least.push(measure(yardstick, run)?);
    }
    Ok(Line { ours: median(&ours), theirs: median(&theirs), least: median(&least) })
}

impl Line {
    /// Queries a second as a part of MariaDB's.
    fn rate(&self, of: Figures) -> f64 {
        of.queries_per_s / self.theirs.queries_per_s.max(1.0)
    }

    /// The server's CPU a query as a part of MariaDB's.
    fn cpu(&self, of: Figures) -> f64 {
        of.cpu_us / self.theirs.cpu_us.max(0.1)
    }

    fn row(&self, run: Run<'_>) -> String {
        let Line { ours, theirs, least } = *self;
        format!(
            "| {} | {} | {} | {} | {:.0} | {:.0} | **{:.2}** | {:.2} | {:.2} | {:.1} | {:.1} | **{:.2}** | {:.0} / {:.0} | {:.2} | {:.2} |\n",
            run.test,
            run.way(),
            run.connections,
            run.form(),
            ours.queries_per_s,
            theirs.queries_per_s,
            self.rate(ours),
            ours.p99_ms,
            theirs.p99_ms,
            ours.cpu_us,
            theirs.cpu_us,
            self.cpu(ours),
            ours.errors,
            theirs.errors,
            self.rate(least),
            self.cpu(least),
        )
    }
}

const SUMMARY: &str = "\nBy test, medians of its lines:\n\n\
    | test | queries/s, of MariaDB's | only OK | lines at 3 and more | only OK | server CPU, of MariaDB's | only OK | lines with a longer p99 |\n\
    | --- | --- | --- | --- | --- | --- | --- | --- |\n";

fn summary_row(test: &str, lines: &[Line]) -> String {
    let middle = |figure: &dyn Fn(&Line) -> f64| servers::median(lines.iter().map(figure));
    let thrice = |of: fn(&Line) -> Figures| lines.iter().filter(|l| l.rate(of(l)) >= 3.0).count();
    format!(
        "| {test} | {:.2} | {:.2} | {} of {} | {} | {:.2} | {:.2} | {} |\n",
        middle(&|l| l.rate(l.ours)),
        middle(&|l| l.rate(l.least)),
        thrice(|l| l.ours),
        lines.len(),
        thrice(|l| l.least),
        middle(&|l| l.cpu(l.ours)),
        middle(&|l| l.cpu(l.least)),
        lines.iter().filter(|l| l.ours.p99_ms > l.theirs.p99_ms).count(),
    )
}

fn head(root: &Path, servers: &[Server], seconds: u64, rounds: u64) -> Result<String, String> {
    let (versions, machine) = (servers::versions(servers)?, servers::machine());
    let sysbench = output(Command::new("sysbench").arg("--version"))?;
    Ok(format!(
        "# sysbench: Penstock beside MariaDB\n\n\
         `cargo xtask compare` at commit {}, {}; servers {versions}; {machine} shared by server and client.\n\
         4 tables of 100,000 rows, {rounds} rounds of {seconds} s each in turn, medians.\n\
         Both durable: every commit forced (MariaDB: innodb_flush_log_at_trx_commit=1, log_bin, sync_binlog=1).\n\
         Tables fresh for each test; oltp_delete: for each run, rows drawn evenly.\n\
         The last two columns: a server that only reads, frames and answers OK, without rows and log: its queries/s and its CPU as parts of MariaDB's.\n\n\
         | test | way | connections | statements | queries/s | MariaDB | ratio | p99 ms | MariaDB | server CPU us/query | MariaDB | ratio | \
         ignored errors | only OK: ratio | CPU ratio |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        servers::commit(root)?,
        sysbench.trim(),
    ))
}

fn median(figures: &[Figures]) -> Figures {
    let of = |f: fn(&Figures) -> f64| servers::median(figures.iter().map(f));
    Figures {
        queries_per_s: of(|f| f.queries_per_s),
        p99_ms: of(|f| f.p99_ms),
        cpu_us: of(|f| f.cpu_us),
        errors: of(|f| f.errors),
    }
}

fn sysbench(server: &Server, test: &str, tcp: bool, more: &[&str]) -> Result<String, String> {
    let mut command = Command::new("sysbench");
    command.args([test, TABLES, ROWS, "--db-driver=mysql", "--mysql-user=root", "--mysql-db=sbtest"]);
    match tcp {
        true => command.args(["--mysql-host=127.0.0.1".to_owned(), format!("--mysql-port={}", server.port)]),
        false => command.arg(format!("--mysql-socket={}", server.socket.display())),
    };
    let out = command.args(more).output().map_err(|e| format!("run sysbench: {e}"))?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    match out.status.success() {
        true => Ok(text),
        false => {
            Err(format!("sysbench {test} on {}: {text}{}", server.name, String::from_utf8_lossy(&out.stderr)))
        }
    }
}

fn measure(server: &Server, run: Run<'_>) -> Result<Figures, String> {
    let before = cpu_us(server)?;
    let mode = if run.prepared { "--db-ps-mode=auto" } else { "--db-ps-mode=disable" };
    let (time, threads) = (format!("--time={}", run.seconds), format!("--threads={}", run.connections));
    let drawn = if run.test == DELETE { "--rand-type=uniform" } else { "--rand-type=special" };
    let text =
        sysbench(server, run.test, run.tcp, &[mode, &time, &threads, drawn, "--percentile=99", "run"])?;
    let used = cpu_us(server)? - before;
    let value = |label: &str| {
        let line = text.lines().find(|l| l.trim_start().starts_with(label)).unwrap_or_default();
        let digits = line.split(':').nth(1).unwrap_or_default().trim();
        digits.split([' ', '(', 's']).next().and_then(|n| n.parse::<f64>().ok()).unwrap_or(0.0)
    };
    let queries = value("queries:");
    Ok(Figures {
        // Its own clock: many connections take a while to begin and to end.
        queries_per_s: queries / value("total time").max(0.1),
        p99_ms: value("99th percentile"),
        cpu_us: used / queries.max(1.0),
        errors: value("ignored errors"),
    })
}
