//! `cargo xtask joins`: joins drawn at random, against Penstock and MariaDB in turn.
//!
//! `shapes` asks what somebody thought of; this asks what nobody did: joins of a shop's and a blog's tables with filters,
//! outer joins, subqueries, groups, orders and limits. Rows are compared as far as the query determines them. The report in
//! `bench/runs/` lists those in which Penstock takes longer, the worst first; it fails where rows differ.
//!
//! Environment: `JOINS_SEED` (1), `JOINS_QUERIES` (300), `JOINS_LIMIT` in seconds (8).

mod draw;

use crate::Outcome;
use crate::servers::{self, ask, number};
use draw::{Drawer, Rows, Tables};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// Below this a ratio says more about the connection than about the plan; in seconds.
const NOTICED: f64 = 0.005;

pub fn run(root: &Path) -> Outcome {
    servers::in_passing("joins", |work| measure(root, work))
}

/// A query measured: seconds on either server.
struct Measured {
    ours: f64,
    theirs: f64,
    sql: String,
}

impl Measured {
    fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }
}

fn measure(root: &Path, work: &Path) -> Result<(), String> {
    let (seed, queries) = (number("JOINS_SEED", 1), number("JOINS_QUERIES", 300));
    let limit = number("JOINS_LIMIT", 8);
    let read = |name: &str| {
        std::fs::read_to_string(root.join("bench/joins").join(name)).map_err(|e| format!("read {name}: {e}"))
    };
    let tables: Tables = toml::from_str(&read("tables.toml")?).map_err(|e| format!("tables.toml: {e}"))?;
    let schema = read("schema.sql")?;
    let started = servers::start(root, work)?;
    let mut connections = servers::loaded(&started, ("joins", "CHARACTER SET utf8mb4"), &schema, limit)?;
    let mut drawer = Drawer::new(&tables, seed);
    let (mut measured, mut failed, mut differing) = (Vec::new(), String::new(), Vec::new());
    for _ in 0..queries {
        let query = drawer.query();
        let mut times = [f64::INFINITY; 2];
        let mut answers = [Ok(Vec::new()), Ok(Vec::new())];
        for _ in 0..2 {
            for (at, connection) in connections.iter_mut().enumerate() {
                let begun = Instant::now();
                answers[at] = ask(connection, &query.sql);
                times[at] = times[at].min(begun.elapsed().as_secs_f64());
            }
        }
        let [ours, theirs] = times;
        match answers {
            [Ok(mut one), Ok(mut other)] => {
                one.sort();
                other.sort();
                let same = if query.rows == Rows::Same { one == other } else { one.len() == other.len() };
                if !same {
                    differing.push(query.sql.clone());
                }
            }
            // Past the limit on one side: its time says so.
            answers => {
                for (server, error) in
                    started.iter().zip(answers).filter_map(|(s, rows)| Some((s, rows.err()?)))
                {
                    let error = error.lines().next().unwrap_or("").to_owned();
                    let _ = writeln!(failed, "- {}: {error}: `{}`", server.name, query.sql);
                }
            }
        }
        measured.push(Measured { ours, theirs, sql: query.sql });
    }
    measured.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    let mut table = String::new();
    for slow in measured.iter().filter(|m| m.ratio() > 1.0 && m.ours > NOTICED) {
        let _ = writeln!(
            table,
            "| **{:.2}** | {:.1} | {:.1} | `{}` |",
            slow.ratio(),
            slow.ours * 1e3,
            slow.theirs * 1e3,
            slow.sql
        );
    }
    let within = |most: f64| measured.iter().filter(|m| m.ratio() <= most || m.ours <= NOTICED).count();
    let sum = |of: fn(&Measured) -> f64| measured.iter().map(of).sum::<f64>();
    let (ours, theirs) = (sum(|m| m.ours), sum(|m| m.theirs));
    let report = format!(
        "# Joins drawn at random: Penstock beside MariaDB\n\n\
         `cargo xtask joins` at commit {}, seed {seed}; servers {}; {}.\n\
         Milliseconds, the better of 2 runs in turn over one connection, rows compared as far as the query determines \
         them; at most {limit} s each.\n\n\
         {} queries in {ours:.1} s against {theirs:.1} s: {:.2} of MariaDB's time; the middle one {:.2}. Of them {} take \
         no more than MariaDB's time or less than {:.0} ms, {} no more than twice it.\n\n\
         | ratio | Penstock | MariaDB | query |\n| --- | --- | --- | --- |\n{table}\n\
         Errors, or the limit of {limit} s:\n\n{failed}\nRows differ: {}.\n",
        servers::commit(root)?,
        servers::versions_of(&mut connections)?,
        servers::machine(),
        measured.len(),
        ours / theirs,
        servers::median(measured.iter().map(Measured::ratio)),
        within(1.0),
        NOTICED * 1e3,
        within(2.0),
        if differing.is_empty() { "none".to_owned() } else { differing.join("; ") },
    );
    servers::keep_report(root, "joins", &report)?;
    if differing.is_empty() { Ok(()) } else { Err(format!("rows differ: {}", differing.join("; "))) }
}
