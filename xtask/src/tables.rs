//! `cargo xtask tables`: how fast tables come, open and go from 8 connections, and how long a restart takes with all of
//! them, on Penstock and MariaDB (`penstock bench tables`).
//!
//! Environment: `TABLES` (20000), `TABLES_MARIADB` (2000).

use crate::Outcome;
use crate::servers::{self, Server, number};
use std::path::Path;

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("tables", |work| {
        let servers = servers::start(root, work)?;
        let mut report = format!(
            "# Tables: created, opened, dropped, and a restart with all of them\n\n\
             `cargo xtask tables` at commit {}; servers {}; {} shared by server and client.\n\
             Both durable. 8 connections but for the first and the last hundred tables, which one connection makes.\n\
             A restart: from the start of the process to the first answer, through the `mariadb` client.\n\n\
             | server | what | tables | tables/s | p50 ms | p99 ms | server CPU us |\n\
             | --- | --- | --- | --- | --- | --- | --- |\n",
            servers::commit(root)?,
            servers::versions(&servers)?,
            servers::machine(),
        );
        let mut restarts = String::new();
        let counts = [number("TABLES", 20_000), number("TABLES_MARIADB", 2000)];
        for (mut server, count) in servers.into_iter().zip(counts) {
            eprintln!("{}: {count} tables", server.name);
            report += &lines(root, work, &server, count, false)?;
            // Once more, to start with them.
            lines(root, work, &server, count, true)?;
            for (how, signal) in [("after a shutdown", "TERM"), ("after kill -9", "KILL")] {
                let took = server.restart(signal)?;
                restarts +=
                    &format!("| {} | {count} | {how} | {:.0} |\n", server.name, took.as_secs_f64() * 1e3);
            }
        }
        report += &format!("\n| server | tables | restart | ms |\n| --- | --- | --- | --- |\n{restarts}");
        servers::keep_report(root, "tables", &report)
    })
}

fn lines(root: &Path, work: &Path, server: &Server, count: u64, keep: bool) -> Result<String, String> {
    let (socket, tables) = (server.socket.display().to_string(), count.to_string());
    let mut arguments = vec!["tables", "--socket", &socket, "--connections", "8", "--tables", &tables];
    if keep {
        arguments.push("--keep");
    }
    let figures = servers::bench(root, work, &arguments)?;
    let phases = figures["servers"][0]["phases"].as_array().ok_or("the figures have no phases")?;
    let line = |phase: &serde_json::Value| {
        let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
        let latency = &phase["latency_us"];
        format!(
            "| {} | {} | {} | {:.0} | {:.2} | {:.2} | {:.0} |\n",
            server.name,
            phase["name"].as_str().unwrap_or_default(),
            number(&phase["answers"]),
            number(&phase["rate"]),
            number(&latency["p50"]) / 1e3,
            number(&latency["p99"]) / 1e3,
            number(&phase["server_cpu_us_a_query"]),
        )
    };
    Ok(phases.iter().map(line).collect())
}
