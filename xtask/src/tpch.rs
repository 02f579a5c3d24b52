//! `cargo xtask tpch`: the 22 queries of TPC-H against Penstock and MariaDB, in turn, on this machine.
//!
//! Both servers get the same rows (`data`), an ANALYZE, and each query several times; the report in `bench/runs/` has
//! each query's median, and fails where the rows differ. What a query may take is bounded on both servers.
//!
//! Environment: `TPCH_SCALE` in thousandths (100), `TPCH_ROUNDS` (3), `TPCH_QUERIES` (all, by number with commas),
//! `TPCH_LIMIT` in seconds (60), `TPCH_SOCKETS`: the sockets of two servers that run already, with a comma; what they
//! have in database `tpch` is used as it is.

use crate::Outcome;
use crate::servers::{self, Server, ask, client, connect, number};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

mod data;

pub fn run(root: &Path) -> Outcome {
    let work = std::env::temp_dir().join(format!("penstock-tpch-{}", std::process::id()));
    let outcome = prepare(root, &work).and_then(|(servers, sockets)| {
        let outcome = measure(root, &sockets);
        drop(servers);
        outcome
    });
    let _ = std::fs::remove_dir_all(&work);
    outcome.map_err(|error| vec![error])
}

/// Two servers with the data, and their sockets.
fn prepare(root: &Path, work: &Path) -> Result<(Vec<Server>, Vec<PathBuf>), String> {
    let (mut started, mut sockets) = (Vec::new(), Vec::new());
    match std::env::var("TPCH_SOCKETS") {
        Ok(list) => sockets.extend(list.split(',').map(PathBuf::from)),
        Err(_) => {
            std::fs::create_dir_all(work).map_err(|e| format!("make {}: {e}", work.display()))?;
            started.extend(servers::start(root, work)?);
            for server in &started {
                client(server, "CREATE DATABASE tpch")?;
                sockets.push(server.socket.clone());
            }
        }
    }
    let schema = std::fs::read_to_string(root.join("bench/tpch/schema.sql")).map_err(|e| e.to_string())?;
    for socket in &sockets {
        let mut connection = connect(socket, "tpch")?;
        if !ask(&mut connection, "SHOW TABLES")?.is_empty() {
            continue;
        }
        let begun = Instant::now();
        ask(&mut connection, &schema)?;
        data::make(number("TPCH_SCALE", 100) as i64, &mut |insert| ask(&mut connection, insert).map(|_| ()))?;
        ask(
            &mut connection,
            "ANALYZE TABLE region, nation, part, supplier, partsupp, customer, orders, lineitem",
        )?;
        eprintln!("{}: loaded in {:.1} s", socket.display(), begun.elapsed().as_secs_f64());
    }
    Ok((started, sockets))
}

/// The queries in the file, with their names.
fn queries(root: &Path) -> Result<Vec<(String, String)>, String> {
    let text = std::fs::read_to_string(root.join("bench/tpch/queries.sql")).map_err(|e| e.to_string())?;
    let wanted = std::env::var("TPCH_QUERIES").unwrap_or_default();
    let wanted: Vec<String> = wanted.split(',').filter(|w| !w.is_empty()).map(|w| format!("Q{w}")).collect();
    let mut all: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix("-- Q") {
            Some(name) => all.push((format!("Q{name}"), String::new())),
            None if line.starts_with("--") => {}
            None => all.iter_mut().last().into_iter().for_each(|(_, query)| *query += &format!("{line}\n")),
        }
    }
    all.retain(|(name, _)| wanted.is_empty() || wanted.contains(name));
    Ok(all)
}

fn measure(root: &Path, sockets: &[PathBuf]) -> Result<(), String> {
    let limit = number("TPCH_LIMIT", 60);
    let rounds = number("TPCH_ROUNDS", 3).max(1);
    let mut connections = sockets.iter().map(|s| connect(s, "tpch")).collect::<Result<Vec<_>, _>>()?;
    for connection in &mut connections {
        ask(connection, &format!("SET max_statement_time = {limit}"))?;
    }
    let mut table = String::new();
    let (mut sums, mut slower, mut wrong) = ([0.0; 2], Vec::new(), Vec::new());
    for (name, query) in queries(root)? {
        let mut times: [Vec<f64>; 2] = Default::default();
        let mut rows = [Vec::new(), Vec::new()];
        let mut failed = String::new();
        for _ in 0..rounds {
            for (i, connection) in connections.iter_mut().enumerate() {
                let begun = Instant::now();
                match ask(connection, &query) {
                    Ok(found) => rows[i] = found,
                    Err(error) => failed = error,
                }
                times[i].push(begun.elapsed().as_secs_f64());
            }
        }
        let [ours, theirs] = times.map(servers::median);
        let verdict = match (failed.is_empty(), rows[0] == rows[1]) {
            (false, _) => format!("failed: {}", failed.lines().next().unwrap_or_default()),
            (true, false) => "rows differ".into(),
            (true, true) => format!("{} rows", rows[0].len()),
        };
        if !failed.is_empty() || rows[0] != rows[1] {
            wrong.push(name.clone());
        }
        if ours > theirs {
            slower.push(name.clone());
        }
        sums[0] += ours;
        sums[1] += theirs;
        let line = format!("| {name} | {ours:.3} | {theirs:.3} | **{:.2}** | {verdict} |", ours / theirs);
        eprintln!("{line}");
        let _ = writeln!(table, "{line}");
    }
    let versions = servers::versions_of(&mut connections)?;
    let report = format!(
        "# TPC-H: Penstock beside MariaDB\n\n\
         `cargo xtask tpch` at commit {}, scale {:.3}; servers {}; {}.\n\
         Seconds, medians of {rounds} runs each in turn; rows are compared.\n\n\
         | query | Penstock | MariaDB | ratio | rows |\n| --- | --- | --- | --- | --- |\n{table}\
         | sum | {:.3} | {:.3} | **{:.2}** | |\n\nSlower: {}. Wrong: {}.\n",
        servers::commit(root)?,
        number("TPCH_SCALE", 100) as f64 / 1000.0,
        versions,
        servers::machine(),
        sums[0],
        sums[1],
        sums[0] / sums[1],
        listed(&slower),
        listed(&wrong),
    );
    servers::keep_report(root, "tpch", &report)?;
    if wrong.is_empty() { Ok(()) } else { Err(format!("wrong: {}", wrong.join(", "))) }
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
