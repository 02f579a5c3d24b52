//! `cargo xtask yesmark`: `DO 0`, one at a time on each connection, on Penstock, on the loop that only reads, frames and answers OK
//! (`penstock bench answer-ok`), and on MariaDB, in turn: what of a query's CPU is the server's work. Report in `bench/runs`.
//!
//! Environment: `YESMARK_SECONDS` (3), `YESMARK_ROUNDS` (5).

use std::path::Path;

use crate::Outcome;
use crate::servers::{self, Setting, number};

const CONNECTIONS: [u64; 4] = [1, 4, 16, 64];

/// Rate, CPU of the server a query and p99 of one run.
type Figures = [f64; 3];

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("yesmark", |work| {
        let setting = Setting { binlog: false, ..Setting::default() };
        let (penstock, mariadb) = (servers::penstock(root, work, setting)?, servers::mariadb(work, setting)?);
        let yardstick = servers::answer_ok(root, work)?;
        let sockets =
            [&penstock.socket, &yardstick.socket, &mariadb.socket].map(|path| path.display().to_string());
        let mut report = format!(
            "# DO 0, one at a time\n\n{}, commit {}. `cargo xtask yesmark`: text, unix socket, {} rounds of {} s in turn, medians; CPU is \
             the server's, in microseconds a query.\n\n\
             | connections | Penstock/s | answer-ok/s | MariaDB/s | CPU | answer-ok | MariaDB | of answer-ok | of MariaDB | p99 us | MariaDB's |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            servers::machine(),
            servers::commit(root)?,
            number("YESMARK_ROUNDS", 5),
            number("YESMARK_SECONDS", 3),
        );
        for connections in CONNECTIONS {
            report += &line(root, work, &sockets, connections)?;
        }
        servers::keep_report(root, "yesmark", &report)
    })
}

fn line(root: &Path, work: &Path, sockets: &[String; 3], connections: u64) -> Result<String, String> {
    let mut rounds: [Vec<Figures>; 3] = Default::default();
    for _ in 0..number("YESMARK_ROUNDS", 5) {
        for (socket, figures) in sockets.iter().zip(&mut rounds) {
            figures.push(measure(root, work, socket, connections)?);
        }
    }
    let of = |server: usize, figure: usize| servers::median(rounds[server].iter().map(|round| round[figure]));
    let cpu_of = |other: usize| {
        servers::median(rounds[0].iter().zip(&rounds[other]).map(|(ours, theirs)| ours[1] / theirs[1]))
    };
    let line = format!(
        "| {connections} | {:.0} | {:.0} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.0} | {:.0} |\n",
        of(0, 0),
        of(1, 0),
        of(2, 0),
        of(0, 1),
        of(1, 1),
        of(2, 1),
        cpu_of(1),
        cpu_of(2),
        of(0, 2),
        of(2, 2),
    );
    eprint!("{line}");
    Ok(line)
}

fn measure(root: &Path, work: &Path, socket: &str, connections: u64) -> Result<Figures, String> {
    let (connections, seconds) = (connections.to_string(), number("YESMARK_SECONDS", 3).to_string());
    let mut arguments = vec!["yesmark", "--socket", socket, "--connections", &connections, "--depth", "1"];
    arguments.extend(["--form", "text", "--seconds", &seconds, "--warmup", "0.5"]);
    let figures = servers::bench(root, work, &arguments)?;
    let phase = &figures["servers"][0]["phases"][0];
    let values = [&phase["rate"], &phase["server_cpu_us_a_query"], &phase["latency_us"]["p99"]];
    match values.map(serde_json::Value::as_f64) {
        [Some(rate), Some(cpu), Some(p99)] => Ok([rate, cpu, p99]),
        _ => Err(format!("the figures lack one: {phase}")),
    }
}
