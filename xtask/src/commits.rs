//! `cargo xtask commits`: what a commit costs on Penstock and on MariaDB with and without a binlog, by how many
//! connections commit at once, on this disk and on one whose forces take 2 ms longer (`penstock bench commits`).
//!
//! The slow disk is this one with each `fdatasync` and `fsync` of the server held back by `strace`, which both servers
//! bear alike; Penstock runs on epoll then, as forces through a ring are no system calls.
//!
//! Environment: `COMMITS_SECONDS` (3), `COMMITS_DELAY_US` (2000).

use crate::Outcome;
use crate::servers::{self, Server, Setting, number};
use std::path::Path;

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("commits", |work| {
        let delay_us = number("COMMITS_DELAY_US", 2000);
        let mut report = head(root, delay_us)?;
        for force_delay_us in [0, delay_us] {
            for (name, binlog) in
                [("Penstock", None), ("MariaDB", Some(false)), ("MariaDB, binlog", Some(true))]
            {
                eprintln!("{name}, forces {force_delay_us} us longer");
                let setting = Setting { binlog: binlog.unwrap_or(true), force_delay_us };
                let home = work.join(format!("{name}-{force_delay_us}").replace([' ', ','], ""));
                std::fs::create_dir_all(&home).map_err(|e| format!("make {}: {e}", home.display()))?;
                let server = match binlog {
                    None => servers::penstock(root, &home, setting)?,
                    Some(_) => servers::mariadb(&home, setting)?,
                };
                let disk =
                    if force_delay_us == 0 { "as it is".to_owned() } else { format!("+{force_delay_us} us") };
                report += &lines(root, work, &server, &format!("{disk} | {name}"))?;
                drop(server);
                let _ = std::fs::remove_dir_all(&home);
            }
        }
        servers::keep_report(root, "commits", &report)
    })
}

fn head(root: &Path, delay_us: u64) -> Result<String, String> {
    Ok(format!(
        "# Commits: forces, bytes and time of each\n\n\
         `cargo xtask commits` at commit {}; {} shared by server and client.\n\
         Each commit updates one row by primary key, autocommit, prepared, over a unix socket. MariaDB:\n\
         innodb_flush_log_at_trx_commit=1, with a binlog sync_binlog=1. Forces and bytes are the servers' own counters\n\
         (MariaDB: Innodb_data_fsyncs + Binlog_group_commits, Innodb_os_log_written + Binlog_bytes_written).\n\
         The slow disk: each fdatasync and fsync held back by {delay_us} us (strace).\n\n\
         | disk | server | connections | commits/s | us of time a commit | p50 us | p99 us | forces a commit | log bytes a commit | server CPU us |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        servers::commit(root)?,
        servers::machine(),
    ))
}

fn lines(root: &Path, work: &Path, server: &Server, name: &str) -> Result<String, String> {
    let (socket, seconds) = (server.socket.display().to_string(), number("COMMITS_SECONDS", 3).to_string());
    let arguments = ["commits", "--socket", &socket, "--seconds", &seconds];
    let figures = servers::bench(root, work, &arguments)?;
    let phases = figures["servers"][0]["phases"].as_array().ok_or("the figures have no phases")?;
    let line = |phase: &serde_json::Value| {
        let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
        let connections = phase["name"].as_str().and_then(|name| name.split(' ').next()).unwrap_or_default();
        let (rate, latency) = (number(&phase["rate"]), &phase["latency_us"]);
        format!(
            "| {name} | {connections} | {rate:.0} | {:.1} | {:.0} | {:.0} | {:.3} | {:.0} | {:.1} |\n",
            1e6 / rate.max(1e-3),
            number(&latency["p50"]),
            number(&latency["p99"]),
            number(&phase["forces an answer"]),
            number(&phase["log bytes an answer"]),
            number(&phase["server_cpu_us_a_query"]),
        )
    };
    Ok(phases.iter().map(line).collect())
}
