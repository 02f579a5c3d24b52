//! scaling: flexasync again and again, over connections, rows and record sizes, for curves of how the cost grows.

use crate::BenchError;
use crate::flexasync::Flex;
use crate::flexasync::in_process::{self, Home};
use crate::flexasync::wire;
use crate::outcome::{ServerOutcome, Sweep};
use crate::target::Target;
use crate::watch::Wish;

/// What is varied, one thing at a time; the rest stays as the base says.
#[derive(Debug, Clone)]
pub struct Scaling {
    /// Rows, record size and so on.
    pub base: Flex,
    /// Connections, or fibers in process.
    pub connections: Vec<u64>,
    /// Rows of the table.
    pub rows: Vec<u64>,
    /// Bytes of a record.
    pub sizes: Vec<u64>,
}

/// Passes that are drawn.
const DRAWN: [&str; 4] = ["insert", "read", "update", "delete"];

/// One run.
struct Step {
    flex: Flex,
    wish: Wish,
    /// What its phases are called beside their pass.
    name: String,
}

impl Scaling {
    fn steps(&self, wish: &Wish) -> Result<Vec<Step>, BenchError> {
        let mut steps = Vec::new();
        let mut step = |flex: Flex, connections: u64, name: String| {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let connections = connections.max(1) as usize;
            let wish = Wish { connections, threads: connections.min(cores), ..wish.clone() };
            steps.push(Step { flex: flex.checked()?, wish, name });
            Ok::<_, BenchError>(())
        };
        let base = &self.base;
        for &n in &self.connections {
            step(base.clone(), n, of_connections(n))?;
        }
        for &rows in &self.rows {
            step(Flex { rows, ..base.clone() }, wish.connections as u64, of_rows(rows))?;
        }
        for &size in &self.sizes {
            step(Flex { size: size as usize, ..base.clone() }, wish.connections as u64, of_size(size))?;
        }
        Ok(steps)
    }

    /// What to draw of it.
    pub fn sweeps(&self) -> Vec<Sweep> {
        let sweep = |over: &str, values: &[u64], name: fn(u64) -> String| Sweep {
            over: over.into(),
            curves: DRAWN
                .iter()
                .map(|pass| {
                    let place = |&value: &u64| (value as f64, format!("{pass}, {}", name(value)));
                    ((*pass).to_owned(), values.iter().map(place).collect())
                })
                .collect(),
        };
        let all = [
            sweep("connections", &self.connections, of_connections),
            sweep("rows of the table", &self.rows, of_rows),
            sweep("bytes of a record", &self.sizes, of_size),
        ];
        all.into_iter().filter(|sweep| sweep.curves.iter().any(|(_, places)| places.len() > 1)).collect()
    }
}

fn of_connections(n: u64) -> String {
    format!("{n} at once")
}

fn of_rows(n: u64) -> String {
    format!("{n} rows")
}

fn of_size(n: u64) -> String {
    format!("{n} B")
}

/// Runs it against one server, or with a home in the engine in process.
pub fn run(
    target: &Target,
    home: Option<&Home>,
    wish: &Wish,
    scaling: &Scaling,
) -> Result<ServerOutcome, BenchError> {
    let mut all: Option<ServerOutcome> = None;
    for step in scaling.steps(wish)? {
        eprintln!("{}", step.name);
        let mut outcome = match home {
            Some(home) => {
                // Each run finds the disk as the first one found it.
                let _ = std::fs::remove_dir_all(&home.dir);
                in_process::run(home, &step.wish, &step.flex)?
            }
            None => wire::run(target, &step.wish, &step.flex)?,
        };
        for phase in &mut outcome.phases {
            phase.name = format!("{}, {}", phase.name, step.name);
        }
        match &mut all {
            Some(all) => all.add(outcome),
            None => all = Some(outcome),
        }
    }
    all.ok_or_else(|| BenchError::Wish("nothing to vary".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_is_what_runs() {
        let base =
            Flex { database: "d".into(), rows: 60, size: 50, operations: 4, bulk: 1, scattered: false };
        let scaling = Scaling { base, connections: vec![1, 2], rows: vec![30, 60], sizes: vec![20, 40] };
        let dir = tempfile::tempdir().expect("make a directory");
        let home = Home { dir: dir.path().join("d"), pool_bytes: 16 << 20, forced: false };
        let target = Target::parse("/nowhere").expect("an address");
        let wish = Wish { connections: 2, ..Wish::default() };
        let outcome = run(&target, Some(&home), &wish, &scaling).expect("run");
        let sweeps = scaling.sweeps();
        assert_eq!(sweeps.len(), 3);
        for (_, name) in sweeps.iter().flat_map(|sweep| &sweep.curves).flat_map(|(_, places)| places) {
            let phase = outcome.phases.iter().find(|phase| phase.name == *name);
            assert!(phase.is_some_and(|phase| phase.total.answers > 0), "{name}");
        }
    }
}
