//! tables: how fast tables come, open and go, and whether the last is as fast as the first.

use crate::BenchError;
use crate::drive::Load;
use crate::outcome::ServerOutcome;
use crate::target::Target;
use crate::watch::{Crew, Watcher, Wish};
use protocol::request::{begin_query, end, put_decimal};
use protocol::scan::Answer;
use runtime::net::Stream;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many, and where.
#[derive(Debug, Clone)]
pub struct TablesWish {
    /// Database; it is made anew.
    pub database: String,
    /// Number of tables.
    pub count: u64,
    /// Leave them all behind.
    pub keep: bool,
}

/// Tables that one connection makes alone, before all others and behind them.
const ALONE: u64 = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// The first tables, by one connection.
    First,
    Create,
    /// The last ones, by one connection: they should take no longer than the first.
    Last,
    Open,
    Drop,
}

impl Pass {
    const ALL: [Pass; 5] = [Pass::First, Pass::Create, Pass::Last, Pass::Open, Pass::Drop];

    fn name(self) -> &'static str {
        match self {
            Pass::First => "first, alone",
            Pass::Create => "create",
            Pass::Last => "last, alone",
            Pass::Open => "open",
            Pass::Drop => "drop",
        }
    }

    /// The statement's text around the table's number.
    fn text(self) -> (&'static str, &'static str) {
        match self {
            Pass::First | Pass::Create | Pass::Last => (
                "CREATE TABLE t",
                " (id INT NOT NULL PRIMARY KEY, name VARCHAR(40), k INT, KEY k (k)) ENGINE=InnoDB",
            ),
            Pass::Open => ("SELECT id, name FROM t", " WHERE id=1"),
            Pass::Drop => ("DROP TABLE t", ""),
        }
    }

    /// The numbers of its tables.
    fn numbers(self, count: u64) -> Range<u64> {
        let alone = ALONE.min(count / 10);
        match self {
            Pass::First => 0..alone,
            Pass::Create => alone..count - alone,
            Pass::Last => count - alone..count,
            Pass::Open | Pass::Drop => 0..count,
        }
    }
}

/// Takes one table after the other; all connections count together.
struct TablesLoad {
    pass: Pass,
    next: Arc<AtomicU64>,
    end: u64,
}

impl Load for TablesLoad {
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        // Relaxed: only uniqueness counts.
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.end {
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

    fn answered(&mut self, answer: &Answer<'_>) -> Result<u64, String> {
        match (self.pass, answer) {
            (Pass::Open, Answer::Rows(0)) => Ok(1),
            (Pass::First | Pass::Create | Pass::Last | Pass::Drop, Answer::Ok(_)) => Ok(1),
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
        let load = TablesLoad { pass: Pass::Create, next: next.clone(), end: 0 };
        Ok((client.into_stream().into_stream(), load))
    };
    let mut loads = (0..wish.connections).map(connect).collect::<Result<Vec<_>, _>>()?;
    let mut phases = Vec::new();
    for pass in Pass::ALL {
        if pass == Pass::Drop && tables.keep {
            continue;
        }
        let numbers = pass.numbers(tables.count);
        next.store(numbers.start, Ordering::Relaxed);
        loads.iter_mut().for_each(|(_, load)| (load.pass, load.end) = (pass, numbers.end));
        let resting = if matches!(pass, Pass::First | Pass::Last) { loads.split_off(1) } else { Vec::new() };
        let total = Some(numbers.end - numbers.start);
        let (phase, back) = crew.run_whole(pass.name(), &mut watcher, loads, wish, total)?;
        phases.push(phase);
        loads = back;
        loads.extend(resting);
    }
    if !tables.keep {
        watcher.statement(&format!("DROP DATABASE `{}`", tables.database))?;
    }
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases })
}
