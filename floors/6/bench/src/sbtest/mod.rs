//! The mixes of sysbench 1.0's OLTP tests: the same tables, the same statements in the same order, at a fraction of the
//! client's cost.
//!
//! ```text
//! sbtest1 .. sbtestN: id INTEGER AUTO_INCREMENT PRIMARY KEY | k INTEGER, indexed | c CHAR(120) | pad CHAR(60)
//!
//! point-select  one read by primary key, no transaction
//! read-only     BEGIN, 10 points, one range each: plain, SUM, ORDER BY, DISTINCT; COMMIT
//! read-write    the same and the changes of write-only before COMMIT
//! write-only    BEGIN, UPDATE of k, UPDATE of c, DELETE and INSERT of one row, COMMIT
//! ```
//! Source: sysbench's manual and its statements as seen on the wire.

mod fill;
mod load;
mod statement;

use crate::BenchError;
use crate::outcome::ServerOutcome;
use crate::target::{Connection, Target, run};
use crate::watch::{Crew, Watcher, Wish};
use load::MixLoad;
use runtime::net::Stream;
use statement::Prepared;

pub use fill::prepare;
pub use statement::Mix;

/// Tables and their rows.
#[derive(Debug, Clone)]
pub struct Tables {
    /// Database; it is made if it is missing.
    pub database: String,
    /// Number of tables.
    pub tables: u64,
    /// Rows of each.
    pub rows: u64,
    /// Rows of a range.
    pub range: u64,
    /// How ids are picked.
    pub pick: Pick,
}

/// How ids are picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    /// All alike.
    Uniform,
    /// Three of four out of the middle hundredth, as sysbench's `special` does.
    Hot,
    /// The k-th most wanted row about 1/k as often as the first (Zipf's law), the ranks scattered over the table.
    Zipf,
}

/// What to run on the tables.
#[derive(Debug, Clone)]
pub struct MixWish {
    /// The mixes, one after the other.
    pub mixes: Vec<Mix>,
    /// As text.
    pub text: bool,
    /// Prepared.
    pub prepared: bool,
    /// Whether to look into the rows.
    pub check: bool,
}

impl Tables {
    /// Refuses numbers that no table can have.
    pub fn checked(self) -> Result<Tables, BenchError> {
        if self.tables == 0 || self.rows == 0 || self.rows > i32::MAX as u64 || self.range == 0 {
            return Err(BenchError::Wish("tables, rows and range start at 1; ids end at 2147483647".into()));
        }
        Ok(self)
    }
}

/// Runs mixes against one server.
pub fn run_mixes(
    target: &Target,
    wish: &Wish,
    tables: &Tables,
    mixes: &MixWish,
) -> Result<ServerOutcome, BenchError> {
    let crew = Crew::start(wish)?;
    let mut watcher = Watcher::of(target, wish)?;
    let mut phases = Vec::new();
    for &mix in &mixes.mixes {
        for (wanted, prepare, kind) in [(mixes.text, false, "text"), (mixes.prepared, true, "prepared")] {
            if !wanted {
                continue;
            }
            let connect = |number: usize| -> Result<(Stream, MixLoad), BenchError> {
                let mut client = target.connect(Some(&tables.database))?;
                let prepared = match prepare {
                    true => Some(Prepared::prepare(&mut client, mix, tables)?),
                    false => None,
                };
                let load = MixLoad::new(mix, tables, prepared, mixes.check, number as u64);
                Ok((client.into_stream().into_stream(), load))
            };
            let loads = (0..wish.connections).map(connect).collect::<Result<Vec<_>, _>>()?;
            let name = format!("{} {kind}", mix.name());
            phases.push(crew.run_timed(&name, &mut watcher, loads, wish)?.0);
        }
    }
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases })
}

/// Drops the tables.
pub fn cleanup(target: &Target, tables: &Tables) -> Result<(), BenchError> {
    let mut client = target.connect(None)?;
    for table in 1..=tables.tables {
        run(&mut client, &format!("DROP TABLE IF EXISTS `{}`.sbtest{table}", tables.database))?;
    }
    Ok(())
}

/// Whether all tables are there with at least the rows wished for.
pub fn prepared_already(target: &Target, tables: &Tables) -> bool {
    let has_rows = |client: &mut Connection, table: u64| {
        let sql = format!(
            "SELECT id FROM `{}`.sbtest{table} WHERE id BETWEEN {} AND 2147483647 LIMIT 1",
            tables.database, tables.rows
        );
        client.rows(&sql).is_ok_and(|rows| !rows.is_empty())
    };
    target.connect(None).is_ok_and(|mut client| (1..=tables.tables).all(|table| has_rows(&mut client, table)))
}
