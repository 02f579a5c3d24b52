//! TPC-C after the specification's revision 5.11: nine tables, five transactions, twelve conditions of consistency.
//!
//! ```text
//! fill         the tables of W warehouses, by INSERTs of many rows            4.3
//! transaction  one of the five on one connection, statement by statement      2.4 - 2.8
//! terminal     draws transactions from a deck of 23, runs and times them      5.2
//! check        the conditions of consistency as queries, for any server       3.3.2
//! ```
//! Statements are prepared and go one at a time: each waits for the last one's answer. What the specification asks for
//! and is left out: keying and think times are off unless wished for, a delivery is not queued but run by its terminal,
//! and there is no display but the figures. A transaction that the server breaks off (deadlock, lock wait, a row changed
//! since the snapshot) is run again with the same input; that is counted and shown, and is no error.

mod check;
mod draw;
mod fill;
mod schema;
mod statement;
mod talk;
mod terminal;
mod transaction;

use crate::BenchError;
use crate::outcome::{Phase, ServerOutcome};
use crate::target::{Target, run};
use crate::watch::{Crew, Watcher, Wish};
use std::time::Duration;
use terminal::{Kinds, Terminal};

pub use check::{Condition, check};
pub use fill::prepare;

/// Database, size and habits.
#[derive(Debug, Clone)]
pub struct Tpcc {
    /// Database; it is made if it is missing.
    pub database: String,
    /// Number of warehouses, W.
    pub warehouses: u64,
    /// Whether terminals key and think as long as 5.2.5.7 says.
    pub think: bool,
}

impl Tpcc {
    /// Refuses what makes no sense.
    pub fn checked(self) -> Result<Tpcc, BenchError> {
        match self.warehouses {
            1..=1_000_000 => Ok(self),
            n => Err(BenchError::Wish(format!("{n} warehouses are none or too many"))),
        }
    }
}

/// Runs the mix for as long as wished. The tables must be there.
pub fn run_mix(target: &Target, wish: &Wish, tpcc: &Tpcc) -> Result<ServerOutcome, BenchError> {
    let crew = Crew::start(wish)?;
    let mut watcher = Watcher::of(target, wish)?;
    let terminal = |number: usize| Terminal::new(target, tpcc, number as u64);
    let mut terminals = (0..wish.connections).map(terminal).collect::<Result<Vec<_>, _>>()?;
    if wish.warmup > 0.0 {
        terminals = timed(&crew, &mut Watcher::silent(), terminals, wish.warmup)?.1;
        terminals.iter_mut().for_each(|terminal| terminal.kinds = Kinds::default());
    }
    let (all, terminals) = timed(&crew, &mut watcher, terminals, wish.seconds)?;
    let mut kinds = Kinds::default();
    terminals.iter().for_each(|terminal| kinds.add(&terminal.kinds));
    let mut phases = kinds.phases(all.seconds);
    phases.insert(0, all);
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases })
}

fn timed(
    crew: &Crew,
    watcher: &mut Watcher,
    terminals: Vec<Terminal>,
    seconds: f64,
) -> Result<(Phase, Vec<Terminal>), BenchError> {
    let length = Duration::try_from_secs_f64(seconds)
        .map_err(|_| BenchError::Wish(format!("{seconds} seconds is no time")))?;
    let job = |mut terminal: Terminal| {
        move |context: &crate::watch::Context<'_>| terminal.run(context, length).map(|()| terminal)
    };
    crew.run_jobs("tpcc", watcher, terminals.into_iter().map(job).collect(), Some(length), None)
}

/// Drops the tables.
pub fn cleanup(target: &Target, tpcc: &Tpcc) -> Result<(), BenchError> {
    let mut client = target.connect(None)?;
    schema::TABLES.iter().try_for_each(|(name, _)| {
        run(&mut client, &format!("DROP TABLE IF EXISTS `{}`.{name}", tpcc.database))
    })
}

/// Whether the tables are there with exactly as many warehouses, filled to the last.
pub fn prepared_already(target: &Target, tpcc: &Tpcc) -> bool {
    let database = &tpcc.database;
    let wanted = tpcc.warehouses.to_string().into_bytes();
    target.connect(None).is_ok_and(|mut client| {
        let sql = format!("SELECT COUNT(*) FROM `{database}`.warehouse WHERE w_tax IS NOT NULL");
        client.rows(&sql).is_ok_and(|rows| rows.first().is_some_and(|row| row[0].as_ref() == Some(&wanted)))
    })
}

#[cfg(test)]
mod tests;
