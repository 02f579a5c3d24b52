//! `cargo xtask shapes`: some hundred shapes of queries and changes against Penstock and MariaDB, in turn.
//!
//! Not a workload: each shape asks for another way of reading, joining, sorting or grouping, so that one which the planner
//! or executor does badly stands out, whoever would have met it. The report in `bench/runs/` has them in the order of the
//! ratio, the worst first; it fails where rows differ.
//!
//! Environment: `SHAPES_ROWS` (200000), `SHAPES_ROUNDS` (3), `SHAPES_LIMIT` in seconds (10), `SHAPES_ONLY`: a part of the
//! text of those wanted.

use crate::Outcome;
use crate::servers::{self, Connection, ask, number};
use protocol::client::TextRow;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// Stands before what is done in a transaction and rolled back.
const CHANGE: &str = "change: ";

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("shapes", |work| measure(root, work))
}

fn measure(root: &Path, work: &Path) -> Result<(), String> {
    let rows = number("SHAPES_ROWS", 200_000);
    let rounds = number("SHAPES_ROUNDS", 3).max(1);
    let limit = number("SHAPES_LIMIT", 10);
    let read = |name: &str| std::fs::read_to_string(root.join("bench/shapes").join(name));
    let (schema, queries) =
        (read("schema.sql").map_err(|e| e.to_string())?, read("queries.sql").map_err(|e| e.to_string())?);
    let started = servers::start(root, work)?;
    let mut connections =
        servers::loaded(&started, ("shapes", ""), &schema.replace("@n", &rows.to_string()), limit)?;
    let only = std::env::var("SHAPES_ONLY").unwrap_or_default();
    let wanted = queries.lines().filter(|line| !line.starts_with("--") && line.contains(&only));
    let (mut measured, mut failed, mut wrong) = (Vec::new(), String::new(), Vec::new());
    for shape in wanted {
        let sql = filled_in(shape, rows);
        let mut times: [Vec<f64>; 2] = Default::default();
        let mut found = [Ok(Vec::new()), Ok(Vec::new())];
        for _ in 0..rounds {
            for (at, connection) in connections.iter_mut().enumerate() {
                let (time, rows) = timed(connection, &sql);
                times[at].push(time);
                found[at] = rows;
            }
        }
        match found {
            [Ok(ours), Ok(theirs)] => {
                if ours != theirs {
                    wrong.push(shape.to_owned());
                }
                let [ours, theirs] = times.map(servers::median);
                measured.push((ours / theirs, ours, theirs, shape));
            }
            found => {
                for (server, error) in
                    started.iter().zip(found).filter_map(|(s, rows)| Some((s, rows.err()?)))
                {
                    let _ = writeln!(
                        failed,
                        "- {}: `{shape}`: {}",
                        server.name,
                        error.lines().next().unwrap_or("")
                    );
                }
            }
        }
    }
    measured.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut table = String::new();
    for (ratio, ours, theirs, shape) in &measured {
        let _ = writeln!(
            table,
            "| **{ratio:.2}** | {:.2} | {:.2} | `{}` |",
            ours * 1e3,
            theirs * 1e3,
            shape.replace('|', "\\|")
        );
    }
    let within = |most: f64| measured.iter().filter(|(ratio, ..)| *ratio <= most).count();
    let report = format!(
        "# Shapes of queries: Penstock beside MariaDB\n\n\
         `cargo xtask shapes` at commit {}, {rows} rows; servers {}; {}.\n\
         Milliseconds, medians of {rounds} runs in turn over one connection, rows compared; the worst first.\n\n\
         Of {} shapes {} take half of MariaDB's time at most, {} no more than it, {} twice as much at most. The middle \
         one: {:.2}.\n\n\
         | ratio | Penstock | MariaDB | shape |\n| --- | --- | --- | --- |\n{table}\n\
         Not measured (an error, or the limit of {limit} s):\n\n{failed}\nRows differ: {}.\n",
        servers::commit(root)?,
        servers::versions_of(&mut connections)?,
        servers::machine(),
        measured.len(),
        within(0.5),
        within(1.0),
        within(2.0),
        servers::median(measured.iter().map(|(ratio, ..)| *ratio)),
        if wrong.is_empty() { "none".to_owned() } else { wrong.join("; ") },
    );
    servers::keep_report(root, "shapes", &report)?;
    if wrong.is_empty() { Ok(()) } else { Err(format!("rows differ: {}", wrong.join("; "))) }
}

/// How long a shape takes in seconds, and its rows in an order of their own.
fn timed(connection: &mut Connection, shape: &str) -> (f64, Result<Vec<TextRow>, String>) {
    let (sql, change) = match shape.strip_prefix(CHANGE) {
        Some(sql) => (sql, true),
        None => (shape, false),
    };
    if change && let Err(error) = ask(connection, "BEGIN") {
        return (0.0, Err(error));
    }
    let begun = Instant::now();
    let mut rows = ask(connection, sql);
    let time = begun.elapsed().as_secs_f64();
    if change && let Err(error) = ask(connection, "ROLLBACK") {
        return (0.0, Err(error));
    }
    rows.iter_mut().for_each(|rows| rows.sort());
    (time, rows)
}

/// A shape with its lists.
fn filled_in(shape: &str, rows: u64) -> String {
    let member = |n: u64| (n * 7919 + 17) % rows;
    let listed = |sql: String, mark: &str, joined: &str, each: &dyn Fn(u64) -> String| {
        let Some((before, behind)) = sql.split_once(mark) else { return sql };
        let Some((count, behind)) = behind.split_once('}') else { return sql };
        let members: Vec<String> = (0..count.parse().unwrap_or(0)).map(|n| each(member(n))).collect();
        format!("{before}{}{behind}", members.join(joined))
    };
    let sql = listed(shape.to_owned(), "{members:", ",", &|n| n.to_string());
    listed(sql, "{ranges:", " OR ", &|n| format!("id BETWEEN {n} AND {}", n + 2))
}
