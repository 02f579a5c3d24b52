//! `cargo xtask differ`: random schemas, data and statements on Penstock and MariaDB side by side.
//!
//! Rows, column names and types, warnings, errors and what changes leave behind are compared. A statement that differs is
//! made smaller as long as it still differs in the same respect, and kept with its tables as a file that the SQL tests'
//! format takes (`floors/5/sql/tests/cases`). A seed makes the same statements again.

#![forbid(unsafe_code)]

use clap::Parser;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

mod dice;
mod explained;
mod expression;
mod schema;
mod servers;
mod side;
mod statement;
mod term;

use dice::Dice;
use side::{Answer, Side};
use statement::Statement;
use term::Term;

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
    /// Compare display lengths of columns too.
    #[arg(long)]
    lengths: bool,
}

/// The SQL modes that schemas are tried under.
const MODES: &[&str] = &[
    "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
    "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
    "",
    "TRADITIONAL",
    "NO_ZERO_DATE,NO_ZERO_IN_DATE",
    "PAD_CHAR_TO_FULL_LENGTH,PIPES_AS_CONCAT",
];

const DATABASE: &str = "penstock_differ";

/// Both servers, and what came of the statements so far.
struct Run {
    options: Options,
    ours: Side,
    theirs: Side,
    ran: usize,
    explained: BTreeMap<&'static str, usize>,
    /// Shape of each difference found, with how often it came.
    found: BTreeMap<String, usize>,
}

fn main() -> ExitCode {
    match run(Options::parse()) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("{complaint}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: Options) -> Result<usize, String> {
    let started = |given: &Option<PathBuf>, start: &dyn Fn() -> Result<servers::Running, String>| match given
    {
        Some(socket) => Ok((None, socket.clone())),
        None => start().map(|server| (Some(server.socket.clone()), server)).map(|(s, r)| {
            let socket = s.unwrap_or_default();
            (Some(r), socket)
        }),
    };
    let (_penstock, ours) = started(&options.penstock_socket, &|| servers::penstock(&options.penstock))?;
    let (_mariadb, theirs) = started(&options.mariadb_socket, &servers::mariadb)?;
    std::fs::create_dir_all(&options.out).map_err(|e| format!("make {}: {e}", options.out.display()))?;
    let mut run = Run {
        ours: Side::new("penstock", &ours),
        theirs: Side::new("mariadb", &theirs),
        options,
        ran: 0,
        explained: BTreeMap::new(),
        found: BTreeMap::new(),
    };
    let mut seed = run.options.seed;
    while run.ran < run.options.statements && run.found.len() < run.options.stop_after {
        run.schema(seed)?;
        seed += 1;
    }
    let total: usize = run.found.values().sum();
    println!("statements {}, seeds {} to {}", run.ran, run.options.seed, seed - 1);
    for (name, count) in &run.explained {
        println!("explained {name}: {count}");
    }
    println!("unexplained {total} of {} kinds, see {}", run.found.len(), run.options.out.display());
    Ok(total)
}

impl Run {
    /// Makes tables of a seed and runs statements over them.
    fn schema(&mut self, seed: u64) -> Result<(), String> {
        let mut dice = Dice::new(seed);
        let mode = *dice.pick(MODES);
        let session = vec![
            "SET NAMES utf8mb4".to_owned(),
            format!(
                "CREATE DATABASE IF NOT EXISTS {DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"
            ),
            format!("USE {DATABASE}"),
            "CREATE TABLE IF NOT EXISTS nothing (a INT)".to_owned(),
            "SET time_zone = '+00:00', timestamp = 1600000000.123456".to_owned(),
            format!("SET sql_mode = '{mode}'"),
        ];
        for side in [&mut self.ours, &mut self.theirs] {
            side.restart(&[format!("DROP DATABASE IF EXISTS {DATABASE}")])
                .and_then(|()| side.restart(&session))
                .map_err(|e| format!("{}: {e}", side.name))?;
        }
        let (mut tables, mut setup) = (Vec::new(), vec![format!("SET sql_mode = '{mode}'")]);
        for name in ["t1", "t2"] {
            let (table, create) = schema::table(&mut dice, name);
            for sql in [create, schema::rows(&mut dice, &table)] {
                self.compare(
                    &Statement { term: Term::words(term::Role::Fixed, &sql), ordered: false, changes: None },
                    &setup,
                    seed,
                );
                setup.push(sql);
            }
            let content = format!("SELECT * FROM {name}");
            self.compare(
                &Statement { term: Term::words(term::Role::Fixed, content), ordered: false, changes: None },
                &setup,
                seed,
            );
            tables.push(table);
        }
        for _ in 0..self.options.per_schema {
            let statement = statement::statement(&mut dice, &tables);
            self.compare(&statement, &setup, seed);
            if let Some(table) = &statement.changes {
                setup.push(statement.term.to_string());
                let content = format!("SELECT * FROM {table}");
                let whole = Statement {
                    term: Term::words(term::Role::Fixed, content),
                    ordered: false,
                    changes: None,
                };
                if !self.compare(&whole, &setup, seed) {
                    // What follows would only tell the same again.
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn ask(&mut self, sql: &str) -> (Answer, Answer) {
        // A statement without tables leaves the last one's warnings as they are: a look into an empty one clears them.
        self.ours.ask("SELECT a FROM nothing");
        self.theirs.ask("SELECT a FROM nothing");
        (self.ours.ask(sql), self.theirs.ask(sql))
    }

    /// Runs a statement on both; whether they agree.
    fn compare(&mut self, statement: &Statement, setup: &[String], seed: u64) -> bool {
        self.ran += 1;
        let sql = statement.term.to_string();
        let (ours, theirs) = self.ask(&sql);
        let Some(respect) = ours.differs(&theirs, statement.ordered, self.options.lengths) else {
            return true;
        };
        if let Some(name) = explained::explanation(&sql, &ours, &theirs) {
            *self.explained.entry(name).or_default() += 1;
            return true;
        }
        let smallest = match statement.changes {
            None => self.shrink(statement, respect),
            Some(_) => statement.term.clone(),
        };
        self.keep(&smallest.to_string(), respect, setup, seed);
        false
    }

    /// The smallest statement that differs in the same respect.
    fn shrink(&mut self, statement: &Statement, respect: &str) -> Term {
        let mut smallest = statement.term.clone();
        let mut tries = 0;
        'again: loop {
            let mut candidates = smallest.smaller();
            candidates.sort_by_key(|term| term.to_string().len());
            for candidate in candidates {
                let sql = candidate.to_string();
                if sql.len() >= smallest.to_string().len() || tries >= 300 {
                    continue;
                }
                tries += 1;
                let (ours, theirs) = self.ask(&sql);
                let same = ours.differs(&theirs, statement.ordered, self.options.lengths) == Some(respect);
                if same && explained::explanation(&sql, &ours, &theirs).is_none() {
                    smallest = candidate;
                    continue 'again;
                }
            }
            return smallest;
        }
    }

    /// Writes a difference down, once for each shape.
    fn keep(&mut self, sql: &str, respect: &str, setup: &[String], seed: u64) {
        let shape = format!("{respect}: {}", shape_of(sql));
        let count = self.found.entry(shape.clone()).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        let number = self.found.len();
        let (ours, theirs) = self.ask(sql);
        println!("--- {number} (seed {seed}) {respect}\n{sql}");
        let mut text = format!("-- seed {seed}, differs in {respect}\n");
        for (side, answer) in [("MariaDB", &theirs), ("Penstock", &ours)] {
            for line in answer.lines() {
                println!("  {side:<8} {line}");
                text += &format!("--   {side}: {line}\n");
            }
        }
        for line in setup {
            text += &format!("{line};\n");
        }
        text += &format!("{sql};\n");
        let path: &Path = &self.options.out.join(format!("{seed}-{number}.sql"));
        if let Err(error) = std::fs::write(path, text) {
            eprintln!("write {}: {error}", path.display());
        }
    }
}

/// A statement without its names and literals: two of one shape most likely have one cause.
fn shape_of(sql: &str) -> String {
    let (mut shape, mut quoted, mut word) = (String::new(), false, String::new());
    for c in sql.chars().chain([' ']) {
        if c == '\'' {
            quoted = !quoted;
            if quoted {
                shape.push('?');
            }
        } else if quoted {
            continue;
        } else if c.is_ascii_alphanumeric() || c == '_' || c == '.' {
            word.push(c);
        } else {
            let literal = word.starts_with(|c: char| c.is_ascii_digit());
            let column = word.len() <= 4
                && word.starts_with(['c', 'x', 'y'])
                && word.ends_with(|c: char| c.is_ascii_digit());
            shape.push_str(if literal || column { "?" } else { &word });
            word.clear();
            shape.push(c);
        }
    }
    shape.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::shape_of;

    #[test]
    fn shapes_forget_names_and_literals() {
        assert_eq!(shape_of("SELECT ABS(c1), 'it', 1.5 FROM t1"), "SELECT ABS(?), ?, ? FROM t1");
    }
}
