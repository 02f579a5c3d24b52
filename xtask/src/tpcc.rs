//! `cargo xtask tpcc`: TPC-C (`penstock bench tpcc`) against Penstock and MariaDB, in turn, both durable, on this machine.
//!
//! Both servers are filled alike and checked for consistency before and after; the mix runs on one and then the other, A B
//! A B. The report in `bench/runs/` has the figures of all rounds together, and the task fails where a condition of
//! consistency is broken or a transaction failed.
//!
//! Environment: `TPCC_WAREHOUSES` (4), `TPCC_CONNECTIONS` (8), `TPCC_SECONDS` (10), `TPCC_ROUNDS` (3); `PENSTOCK_BINARY`:
//! the server and generator to take instead of the ones built now. It takes two times rounds times seconds (and two more
//! each to warm up), and about ten seconds a warehouse to fill both servers: near two minutes as it is.

use crate::Outcome;
use crate::servers::{self, Server, number};
use std::path::Path;
use std::process::Command;

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("tpcc", |work| measure(root, work))
}

fn measure(root: &Path, work: &Path) -> Result<(), String> {
    let servers = servers::start(root, work)?;
    let warehouses = number("TPCC_WAREHOUSES", 4).to_string();
    let connections = number("TPCC_CONNECTIONS", 8).to_string();
    let (seconds, rounds) = (number("TPCC_SECONDS", 10).to_string(), number("TPCC_ROUNDS", 3).to_string());
    let size = ["--warehouses", &warehouses, "--connections", &connections];
    let mut notes = String::new();
    for server in &servers {
        eprintln!("filling {}", server.name);
        notes += &tpcc(root, server, &["prepare"], &size)?.0;
        notes += &tpcc(root, server, &["check"], &size)?.1;
    }
    eprintln!("the mix: {rounds} rounds of {seconds} s on each");
    let [ours, theirs] = &servers;
    let other = format!("unix:{}", theirs.socket.display());
    let timed = ["run", "--seconds", &seconds, "--warmup", "2", "--rounds", &rounds, "--vs", &other];
    let (table, said) = tpcc(root, ours, &timed, &size)?;
    let report = format!(
        "# TPC-C: Penstock beside MariaDB\n\n\
         `cargo xtask tpcc` at commit {}; servers {}; {}.\n\
         Both force their log at each commit, MariaDB with its binlog, and have 1 GiB for pages. Prepared statements, one\n\
         at a time; tpmC counts new orders that were committed.\n\n\
         Filling, before the runs:\n\n```\n{notes}```\n\nThe mix:\n\n```\n{table}{said}```\n",
        servers::commit(root)?,
        servers::versions(&servers)?,
        servers::machine(),
    );
    servers::keep_report(root, "tpcc", &report)
}

/// Runs the generator; what it printed, and what it said beside that, without paths of this run.
fn tpcc(root: &Path, server: &Server, action: &[&str], size: &[&str]) -> Result<(String, String), String> {
    let binary = servers::binary(root)?;
    let mut command = Command::new(binary);
    command.args(["bench", "tpcc"]).args(action).args(size).arg("--socket").arg(&server.socket);
    let out = command.output().map_err(|e| format!("run {command:?}: {e}"))?;
    let folder = server.socket.parent().map(|p| format!("{}/", p.display())).unwrap_or_default();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&folder, "");
    let (printed, said) = (text(&out.stdout), text(&out.stderr));
    match out.status.success() {
        true => Ok((printed, said)),
        false => Err(format!("penstock bench tpcc {} on {}: {printed}{said}", action.join(" "), server.name)),
    }
}
