//! `cargo xtask checksums`: what the sums of pages and log cost a server whose data is four times its pool. Two builds that differ
//! in this alone, on the same machine in turn: one sums, one takes everything for the sum of nothing. Report in `bench/runs`.
//!
//! Environment: `CHECKSUMS_POOL_MIB` (48), `CHECKSUMS_SECONDS` (4), `CHECKSUMS_ROUNDS` (15); `PENSTOCK_BINARY` and
//! `PENSTOCK_UNSUMMED` name the two builds where they are there already.

use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::servers::{self, Server, Setting, number};

/// Bytes of a row of sysbench's table in a leaf, about.
const ROW_BYTES: u64 = 200;
/// Data to a byte of the pool.
const TIMES: u64 = 4;

/// One run.
#[derive(Clone, Copy)]
struct Figures {
    rate: f64,
    cpu_us: f64,
}

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("checksums", |work| {
        let pool = number("CHECKSUMS_POOL_MIB", 48);
        let rows = (pool << 20) * TIMES / ROW_BYTES;
        let options = ["--buffer-pool-size", &format!("{pool}M")];
        let start = |binary: &Path, home: &str| {
            let home = work.join(home);
            std::fs::create_dir_all(&home).map_err(|e| format!("make {}: {e}", home.display()))?;
            let server = servers::penstock_of(binary, &home, Setting::default(), &options)?;
            servers::bench_of(&server, root, work, &["prepare", "--rows", &rows.to_string()])?;
            Ok::<Server, String>(server)
        };
        let pair = [start(&servers::binary(root)?, "summed")?, start(&unsummed(root)?, "unsummed")?];
        let mut report = format!(
            "# What checksums cost\n\n{}, commit {}. `cargo xtask checksums`: {rows} rows of sysbench's table, {TIMES} times the pool of \
             {pool} MiB, 8 connections, prepared, {} rounds of {} s in turn, the order changing from round to round. Two builds: with the \
             sums of pages and log, and without. Medians, and of the ratios of the rounds the median and the middle half.\n\n\
             | load | with sums/s | without/s | with / without | middle half | CPU us | without | with / without | middle half |\n\
             | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
            servers::machine(),
            servers::commit(root)?,
            number("CHECKSUMS_ROUNDS", 15),
            number("CHECKSUMS_SECONDS", 4),
        );
        for mix in ["read-write", "point-select"] {
            report += &compare(mix, |server| load(root, work, server, rows, mix), &pair)?;
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

fn compare(
    mix: &str,
    run: impl Fn(&Server) -> Result<Figures, String>,
    pair: &[Server; 2],
) -> Result<String, String> {
    let mut rounds = Vec::new();
    for round in 0..number("CHECKSUMS_ROUNDS", 15) {
        let figures = match round % 2 {
            0 => [run(&pair[0])?, run(&pair[1])?],
            _ => {
                let without = run(&pair[1])?;
                [run(&pair[0])?, without]
            }
        };
        rounds.push(figures);
    }
    let spread = |of: &dyn Fn(&[Figures; 2]) -> f64| {
        let values = servers::sorted(rounds.iter().map(of));
        let at = |part: usize| values[values.len() * part / 4];
        (at(1), at(2), at(3))
    };
    let figures = |of: fn(&Figures) -> f64| {
        let [with, without] = [0, 1].map(|i| spread(&|pair: &[Figures; 2]| of(&pair[i])).1);
        let (low, ratio, high) = spread(&|pair: &[Figures; 2]| of(&pair[0]) / of(&pair[1]));
        format!("{with:.1} | {without:.1} | {ratio:.4} | {low:.3} to {high:.3}")
    };
    let line = format!("| {mix} | {} | {} |\n", figures(|f| f.rate), figures(|f| f.cpu_us));
    eprint!("{line}");
    Ok(line)
}

fn load(root: &Path, work: &Path, server: &Server, rows: u64, mix: &str) -> Result<Figures, String> {
    let (rows, seconds) = (rows.to_string(), number("CHECKSUMS_SECONDS", 4).to_string());
    let arguments = [mix, "--rows", &rows, "--seconds", &seconds, "--warmup", "1", "--form", "prepared"];
    let figures = servers::bench_of(server, root, work, &arguments)?;
    let phase = &figures["servers"][0]["phases"][0];
    let value = |value: &serde_json::Value| value.as_f64().ok_or("the figures lack one");
    Ok(Figures { rate: value(&phase["rate"])?, cpu_us: value(&phase["server_cpu_us_a_query"])? })
}
