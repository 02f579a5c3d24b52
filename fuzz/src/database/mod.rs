//! A small database and a client that reads everything: what statements on trial run on.

use std::cell::RefCell;
use std::sync::Arc;

use engine::{Engine, Options};
use platform::sim::Disk;
use sql::error::SqlError;
use sql::host::{Host, KillTarget, Process, StatusValue};
use sql::output::{ColumnMeta, Done, Gone, Output, RowRef};
use sql::session::Session;
use types::Value;
use types::row::{WireOptions, write_value_text};

mod tables;

/// Inputs that share a database; then it is made anew.
const INPUTS: u32 = 500;
/// Rows that the client reads of a result before it goes away.
const ROWS_MAX: u32 = 5000;
/// `max_allowed_packet` here. Functions end at it with NULL and a warning, or a small multiple of it.
const PACKET: u64 = 256 << 10;
/// `max_statement_time` here: joins of joins are no matter of these targets.
const STATEMENT_US: u64 = 2_000_000;
/// No value is as long as this, however calls are nested: what makes one is bounded by the statement, not by numbers
/// in it.
const VALUE_MAX: usize = 256 << 20;
/// A claim of the server that something cannot happen.
const INTERNAL_ERROR: u16 = 1815;

thread_local!(static DATABASE: RefCell<Option<(Engine, u32)>> = const { RefCell::new(None) });

/// A session in the database of this thread, and its client.
///
/// Tables: `t` and `u` of a few columns, `every` with a column of each type; a few rows each.
pub fn session() -> (Session, Client) {
    let mut session = Session::new(database(), Arc::new(Alone), 1);
    session.use_database("d").expect("the database is there");
    session.state.vars.max_allowed_packet = PACKET;
    session.state.vars.max_statement_time_us = STATEMENT_US;
    (session, Client { rows: 0, row: Vec::new(), error: None })
}

fn database() -> Engine {
    DATABASE.with_borrow_mut(|held| {
        if let Some((engine, uses)) = held
            && *uses < INPUTS
        {
            *uses += 1;
            return engine.clone();
        }
        // The old one goes first: both want memory for pages.
        *held = None;
        let mut options = Options::new(Disk::new(1).dir());
        options.pool_bytes = 8 << 20;
        options.extent_bytes = 1 << 20;
        options.write_set_bytes = 4 << 20;
        options.background = false;
        let (engine, _) = Engine::open(options).expect("an empty disk takes a database");
        tables::make(&engine);
        let mut session = Session::new(engine.clone(), Arc::new(Alone), 1);
        let mut client = Client { rows: 0, row: Vec::new(), error: None };
        session.use_database("d").expect("the database is there");
        for text in [ROWS, tables::EVERY] {
            let _ = session.query(text.as_bytes(), true, &mut client);
            assert_eq!(client.error, None, "the rows are good");
        }
        *held = Some((engine.clone(), 0));
        engine
    })
}

/// What the tables hold.
const ROWS: &str = "INSERT INTO t VALUES (1,'one',1.5,'2024-02-29 12:00:00.5',1e10,'x','text'),(2,'two',NULL,NULL,-0.1,'y',NULL), \
        (3,NULL,-7,'1999-12-31 23:59:59',0,NULL,''),(4,'Two ',100,'2000-01-01',3.5,'x','abc');
    INSERT INTO u VALUES (1,'one',18446744073709551615,'2024-01-31','-10:00:00'),(1,'x',0,NULL,NULL), \
        (NULL,NULL,5,'1000-01-01','838:59:59'),(4,'Two',7,'2020-02-02','00:00:01');";

/// A server of this one session.
struct Alone;

impl Host for Alone {
    fn status(&self, visit: &mut dyn FnMut(&str, StatusValue)) {
        visit("Questions", StatusValue::Count(1));
    }

    fn processes(&self) -> Vec<Process> {
        Vec::new()
    }

    fn kill(&self, _: u64, _: KillTarget) -> Result<(), SqlError> {
        Ok(())
    }

    fn fact(&self, _: &str) -> Option<Value> {
        None
    }

    fn command_number(&self, _: &str) -> usize {
        0
    }

    fn count_command(&self, _: usize) {}

    fn shutdown(&self) {}

    fn accounts_changed(&self) {}
}

/// A client that reads everything.
pub struct Client {
    rows: u32,
    row: Vec<u8>,
    error: Option<String>,
}

impl Client {
    /// The first error since the last time it was asked for.
    pub fn take_error(&mut self) -> Option<String> {
        self.error.take()
    }
}

impl Output for Client {
    fn columns(&mut self, _: &[ColumnMeta], _: &WireOptions) -> Result<(), Gone> {
        Ok(())
    }

    fn row(&mut self, row: RowRef<'_>) -> Result<(), Gone> {
        self.rows += 1;
        if self.rows > ROWS_MAX {
            return Err(Gone);
        }
        let options = WireOptions::default();
        self.row.clear();
        match row {
            RowRef::Values(values) => {
                values
                    .iter()
                    .for_each(|value| assert!(bytes_of(value) < VALUE_MAX, "a value without measure"));
                values.iter().for_each(|value| write_value_text(value, 31, &options, &mut self.row));
            }
            RowRef::Stored { layout, image, columns } => {
                for column in columns {
                    if let Some(bytes) = layout.column_bytes(image, *column).expect("a stored row decodes") {
                        let written = layout.column(*column).write_text(bytes, &options, &mut self.row);
                        written.expect("a stored column decodes");
                    }
                }
            }
        }
        Ok(())
    }

    fn done(&mut self, _: &Done) -> Result<(), Gone> {
        Ok(())
    }

    fn error(&mut self, error: &SqlError) -> Result<(), Gone> {
        assert_ne!(error.errno, INTERNAL_ERROR, "{error}");
        self.error.get_or_insert_with(|| error.to_string());
        Ok(())
    }
}

fn bytes_of(value: &Value) -> usize {
    match value {
        Value::Str(text) => text.bytes.len(),
        _ => 0,
    }
}
