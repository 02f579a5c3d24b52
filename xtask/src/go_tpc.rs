//! `cargo xtask go-tpc`: TPC-C by PingCAP's `go-tpc` against Penstock and MariaDB in turn, and its check of consistency.
//! Report in `bench/runs`.
//!
//! Environment: `GO_TPC`, the program (else it is looked for in the path, else built by `go install`); `GO_TPC_WAREHOUSES` (2),
//! `GO_TPC_THREADS` (8), `GO_TPC_SECONDS` (15), `GO_TPC_ROUNDS` (3).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::servers::{self, Server, number, output};

const MODULE: &str = "github.com/pingcap/go-tpc/cmd/go-tpc@v1.0.12";

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("go-tpc", |work| {
        let program = program(root)?;
        let pair = servers::start(root, work)?;
        let (warehouses, threads) = (number("GO_TPC_WAREHOUSES", 2), number("GO_TPC_THREADS", 8));
        let mut report = format!(
            "# TPC-C by go-tpc\n\n{}, commit {}; {}. `cargo xtask go-tpc`: {MODULE}, {warehouses} warehouses, {threads} threads, {} s a run, in \
             turn, over 127.0.0.1; both durable, MariaDB with its binlog, 1 GiB for pages.\n\n\
             | round | Penstock tpmC | MariaDB tpmC | times | NEW_ORDER p99 ms | MariaDB's |\n| --- | --- | --- | --- | --- | --- |\n",
            servers::machine(),
            servers::commit(root)?,
            servers::versions(&pair)?,
            number("GO_TPC_SECONDS", 15),
        );
        for server in &pair {
            servers::client(server, "CREATE DATABASE tpcc")?;
            // Not with the check behind: one of its queries had not ended on MariaDB after two minutes.
            tpcc(&program, server, &["prepare", "--no-check"])?;
        }
        let mut printed = String::new();
        let mut ratios = Vec::new();
        for round in 1..=number("GO_TPC_ROUNDS", 3) {
            let time = format!("{}s", number("GO_TPC_SECONDS", 15));
            let mut figures = Vec::new();
            for server in &pair {
                let said = tpcc(&program, server, &["run", "--time", &time])?;
                printed += &format!("{} round {round}:\n{}", server.name, summary(&said));
                figures.push((rate(&said)?, p99(&said)?));
            }
            let [(ours, our_p99), (theirs, their_p99)] = figures[..] else {
                return Err("two servers".into());
            };
            ratios.push(ours / theirs);
            let line = format!(
                "| {round} | {ours:.0} | {theirs:.0} | {:.2} | {our_p99} | {their_p99} |\n",
                ours / theirs
            );
            eprint!("{line}");
            report += &line;
        }
        report += &format!("\nMedian: {:.2} times. ", servers::median(ratios));
        // It ends with an error where a condition does not hold.
        tpcc(&program, &pair[0], &["check"])?;
        report += "`go-tpc tpcc check` finds every condition of consistency to hold on Penstock, after the runs. It was not \
                   run on MariaDB, where one of its queries may take minutes.\n";
        report += &format!("\n```text\n{printed}```\n");
        servers::keep_report(root, "go-tpc", &report)
    })
}

/// The program: named, in the path, or built.
fn program(root: &Path) -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("GO_TPC") {
        return Ok(named.into());
    }
    if Command::new("go-tpc").arg("version").output().is_ok() {
        return Ok("go-tpc".into());
    }
    let folder = crate::target_folder(root).join("go-tpc");
    output(Command::new("go").args(["install", MODULE]).env("GOBIN", &folder))?;
    Ok(folder.join("go-tpc"))
}

/// Runs one of its actions and gives what it printed.
fn tpcc(program: &Path, server: &Server, action: &[&str]) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(["tpcc", "-H", "127.0.0.1", "-P", &server.port.to_string(), "-U", "root", "-D", "tpcc"]);
    command.args(["--warehouses", &number("GO_TPC_WAREHOUSES", 2).to_string()]);
    command.args(["-T", &number("GO_TPC_THREADS", 8).to_string()]).args(action);
    output(&mut command)
}

fn summary(said: &str) -> String {
    let wanted = |line: &&str| line.starts_with("[Summary]") || line.starts_with("tpmC");
    said.lines().filter(wanted).map(|line| format!("{line}\n")).collect()
}

fn rate(said: &str) -> Result<f64, String> {
    let line = said.lines().find_map(|line| line.strip_prefix("tpmC: ")).ok_or("go-tpc printed no tpmC")?;
    line.split(',').next().and_then(|number| number.parse().ok()).ok_or(format!("no number: {line}"))
}

fn p99(said: &str) -> Result<f64, String> {
    let line = said.lines().find(|line| line.starts_with("[Summary] NEW_ORDER -")).ok_or("no NEW_ORDER")?;
    let at = line.split("99th(ms): ").nth(1).and_then(|rest| rest.split(',').next());
    at.and_then(|number| number.parse().ok()).ok_or(format!("no 99th: {line}"))
}
