//! commits: what a commit costs, by how many connections commit at once: small transactions of their own (an UPDATE of
//! one row by primary key), and what the server's counters say of forces and bytes.
//!
//! | server | forces | bytes |
//! | --- | --- | --- |
//! | Penstock | `Penstock_log_forces` | `Penstock_log_bytes` |
//! | MariaDB | `Innodb_data_fsyncs` (the log's and the pages') and, with a binlog, `Binlog_group_commits` | `Innodb_os_log_written`, `Binlog_bytes_written` |

use crate::drive::Load;
use crate::outcome::ServerOutcome;
use crate::target::{Connection, Target};
use crate::watch::{Crew, Watcher, Wish};
use crate::{BenchError, Random};
use protocol::request::{Execute, Parameter, end, put_integer};
use protocol::scan::Answer;
use runtime::net::Stream;
use std::ops::Range;

/// Where, and in which steps.
#[derive(Debug, Clone)]
pub struct Commits {
    /// Database; it is made if it is missing.
    pub database: String,
    /// Rows of the table.
    pub rows: u64,
    /// Connections, one phase each.
    pub steps: Vec<u64>,
}

/// Rows of one INSERT that fills the table.
const FILL: u64 = 500;

impl Commits {
    /// Refuses what makes no sense.
    pub fn checked(self) -> Result<Commits, BenchError> {
        let most = self.steps.iter().copied().max().unwrap_or(0);
        if most == 0 || self.steps.contains(&0) || self.rows < most {
            return Err(BenchError::Wish("there are connections, and a row at least for each".into()));
        }
        Ok(self)
    }
}

/// Changes rows of its own.
struct CommitLoad {
    update: Execute,
    random: Random,
    share: Range<u64>,
}

impl Load for CommitLoad {
    #[inline]
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        let id = self.share.start + self.random.below(self.share.end - self.share.start);
        let at = self.update.begin(out);
        put_integer(out, self.random.number());
        put_integer(out, id);
        end(out, at);
        true
    }

    #[inline]
    fn answered(&mut self, answer: &Answer<'_>) -> Result<u64, String> {
        match answer {
            // One row affected.
            Answer::Ok(payload) if payload.get(1) == Some(&1) => Ok(1),
            other => Err(format!("an UPDATE of one row was answered by {other:?}")),
        }
    }
}

/// Reads the counters of forces and bytes.
struct Meter(Connection);

impl Meter {
    /// Forces, bytes.
    fn read(&mut self) -> Result<[u64; 2], BenchError> {
        let sql = "SHOW GLOBAL STATUS";
        let rows = self.0.rows(sql).map_err(|error| BenchError::Statement(sql.into(), error))?;
        let text = |cell: &Option<Vec<u8>>| {
            String::from_utf8_lossy(cell.as_deref().unwrap_or_default()).into_owned()
        };
        let value = |name: &str| {
            let row = rows.iter().find(|row| row.first().map(text).as_deref() == Some(name))?;
            text(row.get(1)?).parse::<u64>().ok()
        };
        let sum = |names: [&str; 2]| names.into_iter().filter_map(value).sum();
        Ok(match value("Penstock_log_forces") {
            Some(forces) => [forces, value("Penstock_log_bytes").unwrap_or(0)],
            None => [
                sum(["Innodb_data_fsyncs", "Binlog_group_commits"]),
                sum(["Innodb_os_log_written", "Binlog_bytes_written"]),
            ],
        })
    }
}

/// Runs it against one server.
pub fn run(target: &Target, wish: &Wish, commits: &Commits) -> Result<ServerOutcome, BenchError> {
    let mut watcher = Watcher::of(target, wish)?;
    fill(&mut watcher, commits)?;
    let mut meter = Meter(target.connect(None)?);
    let mut phases = Vec::new();
    for &connections in &commits.steps {
        let wish = Wish { connections: connections as usize, ..wish.clone() };
        let crew = Crew::start(&wish)?;
        let connect = |number: u64| -> Result<(Stream, CommitLoad), BenchError> {
            let mut client = target.connect(Some(&commits.database))?;
            let sql = "UPDATE commits SET v=? WHERE id=?";
            let failed = |error| BenchError::Statement(sql.to_owned(), error);
            let id = client.prepare(sql).map_err(failed)?.id;
            let bound = |n: u64| commits.rows * n / connections;
            let load = CommitLoad {
                update: Execute::new(id, &[Parameter::Unsigned, Parameter::Unsigned]),
                random: Random::new(number + 1),
                share: bound(number)..bound(number + 1),
            };
            Ok((client.into_stream().into_stream(), load))
        };
        let loads = (0..connections).map(connect).collect::<Result<Vec<_>, _>>()?;
        let before = meter.read()?;
        let name = format!("{connections} connection{}", if connections == 1 { "" } else { "s" });
        let (mut phase, loads) = crew.run_timed(&name, &mut watcher, loads, &wish)?;
        let after = meter.read()?;
        drop(loads);
        let names = ["forces", "log bytes"];
        phase.counters = (0..2).map(|i| (names[i], after[i].saturating_sub(before[i]))).collect();
        phases.push(phase);
    }
    watcher.statement(&format!("DROP TABLE `{}`.commits", commits.database))?;
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases })
}

fn fill(watcher: &mut Watcher, commits: &Commits) -> Result<(), BenchError> {
    let database = &commits.database;
    watcher.statement(&format!("CREATE DATABASE IF NOT EXISTS `{database}`"))?;
    watcher.statement(&format!("DROP TABLE IF EXISTS `{database}`.commits"))?;
    watcher.statement(&format!(
        "CREATE TABLE `{database}`.commits (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, v BIGINT UNSIGNED NOT NULL, \
         data CHAR(84) NOT NULL) ENGINE=InnoDB"
    ))?;
    for from in (0..commits.rows).step_by(FILL as usize) {
        let rows: Vec<String> =
            (from..commits.rows.min(from + FILL)).map(|id| format!("({id},0,REPEAT('d',84))")).collect();
        watcher.statement(&format!("INSERT INTO `{database}`.commits VALUES {}", rows.join(",")))?;
    }
    Ok(())
}
