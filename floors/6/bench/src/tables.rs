//! tables: how fast tables come, open and go, and whether the last is as fast as the first.

use crate::BenchError;
use crate::drive::Load;
use crate::outcome::ServerOutcome;
use crate::target::Target;
use crate::watch::{Crew, Watcher, Wish};
use protocol::request::{begin_query, end, put_decimal};
use protocol::scan::Answer;
use runtime::net::Stream;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many, and where.
#[derive(Debug, Clone)]
pub struct TablesWish {
    /// Database; it is made if it is missing.
    pub database: String,
    /// Number of tables.
    pub count: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    Create,
    Open,
    Drop,
}

impl Pass {
    const ALL: [Pass; 3] = [Pass::Create, Pass::Open, Pass::Drop];

    fn name(self) -> &'static str {
        match self {
            Pass::Create => "create",
            Pass::Open => "open",
            Pass::Drop => "drop",
        }
    }

    /// The statement's text around the table's number.
    fn text(self) -> (&'static str, &'static str) {
        match self {
            Pass::Create => (
                "CREATE TABLE t",
                " (id INT NOT NULL PRIMARY KEY, name VARCHAR(40), k INT, KEY k (k)) ENGINE=InnoDB",
            ),
            Pass::Open => ("SELECT id, name FROM t", " WHERE id=1"),
            Pass::Drop => ("DROP TABLE t", ""),
        }
    }
}

/// Takes one table after the other; all connections count together.
struct TablesLoad {
    pass: Pass,
    next: Arc<AtomicU64>,
    count: u64,
}

impl Load for TablesLoad {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        // Relaxed: only uniqueness counts.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.count {
            return false;
        }
        let (before, behind) = self.pass.text();
        let at = begin_query(out);
        out.extend_from_slice(before.as_bytes());
        put_decimal(out, number);
        out.extend_from_slice(behind.as_bytes());
        end(out, at);
        true
    }

    fn answered(&mut self, answer: &Answer<'_>) -> Result<bool, String> {
        match (self.pass, answer) {
            (Pass::Open, Answer::Rows(0)) | (Pass::Create | Pass::Drop, Answer::Ok(_)) => Ok(true),
            _ => Err(format!("{}: answered by {answer:?}", self.pass.name())),
        }
    }
}

/// Runs it against one server.
pub fn run(target: &Target, wish: &Wish, tables: &TablesWish) -> Result<ServerOutcome, BenchError> {
    let crew = Crew::start(wish)?;
    let mut watcher = Watcher::of(target, wish)?;
    watcher.statement(&format!("DROP DATABASE IF EXISTS `{}`", tables.database))?;
    watcher.statement(&format!("CREATE DATABASE `{}`", tables.database))?;
    let next = Arc::new(AtomicU64::new(0));
    let connect = |_| -> Result<(Stream, TablesLoad), BenchError> {
        let client = target.connect(Some(&tables.database))?;
        let load = TablesLoad { pass: Pass::Create, next: next.clone(), count: tables.count };
        Ok((client.into_stream().into_stream(), load))
    };
    let mut loads = (0..wish.connections).map(connect).collect::<Result<Vec<_>, _>>()?;
    let mut phases = Vec::new();
    for pass in Pass::ALL {
        next.store(0, Ordering::Relaxed);
        loads.iter_mut().for_each(|(_, load)| load.pass = pass);
        let (phase, back) = crew.run_whole(pass.name(), &mut watcher, loads, wish, Some(tables.count))?;
        phases.push(phase);
        loads = back;
    }
    watcher.statement(&format!("DROP DATABASE `{}`", tables.database))?;
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases })
}
