//! `cargo xtask differ`: random schemas, data and statements on Penstock and MariaDB side by side.
//!
//! Rows, column names and types, warnings, errors and what changes leave behind are compared. A statement that differs is
//! made smaller as long as it still differs in the same respect, and kept with its tables as a file that the SQL tests'
//! format takes (`floors/5/sql/tests/cases`). A seed makes the same statements again.

#![forbid(unsafe_code)]

use clap::{Parser, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

mod again;
mod application;
mod changed;
mod dice;
mod explained;
mod expression;
mod files;
mod joined;
mod keep;
mod nested;
mod plans;
mod prepared;
mod run;
mod schema;
mod script;
mod servers;
mod session;
mod shrink;
mod side;
mod statement;
mod sweep;
mod term;

/// What statements are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Draw {
    /// Expressions in simple queries and changes of two tables.
    Expressions,
    /// Statements of every form with simple expressions in them.
    Statements,
    /// What object-relational mappers and writers of reports send over the tables of applications.
    Applications,
    /// The statements of the SQL tests' cases, and between them their queries with some words changed.
    Changed,
    /// Joins of all kinds within each other over a few small tables, subqueries in all places that read the rows around them.
    Nested,
    /// Expressions, statements and applications, by turns.
    All,
    /// Not drawn but gone through once: every form over columns of every type, every type into every other, under the SQL
    /// mode and in the order of the seed.
    Sweep,
}

/// How statements are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// As text, but for some queries that are prepared as they are.
    Text,
    /// As text, and again with other literals, by what is kept of the first. What differs in the same respect where it is sent
    /// once is only counted.
    Again,
    /// Prepared, executed once or twice with a part of their literals bound to parameters of clients' types, and read in the
    /// binary protocol; as text what MariaDB does not prepare. What differs as text in the same respect is only counted.
    Prepared,
}

/// Compares Penstock and MariaDB on random statements.
#[derive(Parser)]
struct Options {
    /// Statements to run.
    #[arg(long, default_value_t = 2000)]
    statements: usize,
    /// Seed of the first schema; each next one takes the next number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Statements a schema.
    #[arg(long, default_value_t = 100)]
    per_schema: usize,
    /// Stop after so many different differences.
    #[arg(long, default_value_t = 50)]
    stop_after: usize,
    /// What statements are made of.
    #[arg(long, value_enum, default_value_t = Draw::All)]
    draw: Draw,
    /// How statements are sent.
    #[arg(long, value_enum, default_value_t = Protocol::Text)]
    protocol: Protocol,
    /// Penstock's binary, started in a folder of its own.
    #[arg(long, default_value = "target/release/penstock")]
    penstock: PathBuf,
    /// Socket of a Penstock that runs already.
    #[arg(long)]
    penstock_socket: Option<PathBuf>,
    /// Socket of a MariaDB that runs already; else one is started.
    #[arg(long)]
    mariadb_socket: Option<PathBuf>,
    /// Folder for what differs.
    #[arg(long, default_value = "target/differ")]
    out: PathBuf,
    /// A family of functions or statements to draw more often; a part of the sweep, an application, to go through alone.
    #[arg(long, value_parser = family)]
    family: Option<&'static str>,
    /// Explanations whose differences are kept as if nothing explained them: to see what stands behind them.
    #[arg(long, value_delimiter = ',')]
    look_into: Vec<String>,
    /// Compare display lengths of columns too.
    #[arg(long)]
    lengths: bool,
}

/// The family with a name.
fn family(name: &str) -> Result<&'static str, String> {
    let families = expression::families::FAMILIES.iter().map(|family| family.name);
    let mut names = families
        .chain(expression::families::FORMS.iter().copied())
        .chain(sweep::parts())
        .chain(application::names());
    names.find(|known| *known == name).ok_or_else(|| "no such family".into())
}

fn main() -> ExitCode {
    let options = Options::parse();
    match servers::end_on_signals().and_then(|()| run::run(options)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("{complaint}");
            ExitCode::FAILURE
        }
    }
}
