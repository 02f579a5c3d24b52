//! A server in one process: sessions over an engine on a simulated disk, results as rows of text.
//!
//! ```text
//! let db = Server::new();
//! let mut s = db.session();
//! s.run("CREATE TABLE t (a INT)");
//! assert_eq!(s.rows("SELECT * FROM t"), rows![]);
//! assert_eq!(s.error("SELECT x"), (1054, "Unknown column 'x' in 'SELECT'"));
//! ```

#![allow(dead_code)]

use engine::{Engine, Options};
use platform::sim::Disk;
use sql::admin::dialect::Dialect;
use sql::admin::show_create;
use sql::error::SqlError;
use sql::expr::TypeKind;
use sql::host::{Host, KillTarget, Process, StatusValue};
use sql::output::{ColumnMeta, Done, Gone, Output, RowRef};
use sql::session::Session;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use types::row::{TEXT_NULL, WireOptions, write_value_filled, write_value_text};
use types::{CollationId, StrValue, Value};

const UTF8: CollationId = CollationId::UTF8MB4_GENERAL_CI;

/// A server around sessions that knows next to nothing.
pub struct LoneHost;

impl Host for LoneHost {
    fn status(&self, _visit: &mut dyn FnMut(&str, StatusValue)) {}

    fn processes(&self) -> Vec<Process> {
        Vec::new()
    }

    fn kill(&self, id: u64, _target: KillTarget) -> Result<(), SqlError> {
        Err(SqlError::no_such_thread(id))
    }

    fn fact(&self, name: &str) -> Option<Value> {
        match name {
            "server_id" => Some(Value::UInt(1)),
            "version" => Some(Value::Str(StrValue::new(b"10.11.0-MariaDB-penstock", UTF8))),
            _ => None,
        }
    }

    fn command_number(&self, _: &str) -> usize {
        0
    }

    fn count_command(&self, _: usize) {}

    fn shutdown(&self) {}

    fn accounts_changed(&self) {}
}

/// One statement's outcome.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Columns, if it was a result set.
    pub columns: Vec<ColumnMeta>,
    /// Rows as text; `None` is NULL.
    pub rows: Vec<Vec<Option<String>>>,
    /// How it ended well.
    pub done: Option<Done>,
    /// How it failed.
    pub error: Option<SqlError>,
}

/// Collects outcomes.
#[derive(Default)]
struct Collector {
    outcomes: Vec<Outcome>,
    open: Outcome,
    options: Option<WireOptions>,
}

impl Collector {
    fn end(&mut self) {
        self.outcomes.push(std::mem::take(&mut self.open));
    }

    /// A column's text out of lenenc form.
    fn text(bytes: &[u8]) -> Option<String> {
        let (skip, len) = match bytes.first()? {
            0xFB => return None,
            0xFC => (3, usize::from(u16::from_le_bytes([bytes[1], bytes[2]]))),
            0xFD => (4, u32::from_le_bytes([bytes[1], bytes[2], bytes[3], 0]) as usize),
            0xFE => (9, u64::from_le_bytes(bytes[1..9].try_into().ok()?) as usize),
            &n => (1, usize::from(n)),
        };
        Some(String::from_utf8_lossy(&bytes[skip..skip + len]).into_owned())
    }
}

impl Output for Collector {
    fn columns(&mut self, columns: &[ColumnMeta], options: &WireOptions) -> Result<(), Gone> {
        self.open.columns = columns.to_vec();
        self.options = Some(*options);
        Ok(())
    }

    fn row(&mut self, row: RowRef<'_>) -> Result<(), Gone> {
        let options = self.options.expect("columns come before rows");
        let mut values = Vec::new();
        match row {
            RowRef::Values(row) => {
                for (value, column) in row.iter().zip(&self.open.columns) {
                    let mut bytes = Vec::new();
                    match column.flags & sql::output::flag::ZEROFILL != 0 {
                        true => write_value_filled(
                            value,
                            column.length as usize,
                            column.decimals,
                            &options,
                            &mut bytes,
                        ),
                        false => write_value_text(value, column.decimals, &options, &mut bytes),
                    }
                    values.push(Self::text(&bytes));
                }
            }
            RowRef::Stored { layout, image, columns } => {
                for &column in columns {
                    let mut bytes = Vec::new();
                    match layout.column_bytes(image, column).expect("a sound row") {
                        Some(stored) => {
                            let written = layout.column(column).write_text(stored, &options, &mut bytes);
                            written.expect("a sound column");
                        }
                        None => bytes.push(TEXT_NULL),
                    }
                    values.push(Self::text(&bytes));
                }
            }
        }
        self.open.rows.push(values);
        Ok(())
    }

    fn done(&mut self, done: &Done) -> Result<(), Gone> {
        self.open.done = Some(done.clone());
        self.end();
        Ok(())
    }

    fn error(&mut self, error: &SqlError) -> Result<(), Gone> {
        self.open.error = Some(error.clone());
        self.end();
        Ok(())
    }
}

/// An engine on a disk of its own, with database `test`.
pub struct Server {
    /// The disk.
    pub disk: Disk,
    /// The engine.
    pub engine: Engine,
    next: AtomicU64,
}

impl Server {
    /// A new one.
    pub fn new() -> Server {
        let disk = Disk::new(1);
        let engine = Engine::open(options(&disk)).expect("open the engine").0;
        let server = Server { disk, engine, next: AtomicU64::new(1) };
        server.connect().run("CREATE DATABASE test");
        server
    }

    /// The server on what a power cut leaves of the disk.
    pub fn after_power_cut(&self) -> Server {
        let disk = self.disk.after_crash(7);
        let engine = Engine::open(options(&disk)).expect("open the engine again").0;
        Server { disk, engine, next: AtomicU64::new(1) }
    }

    /// All bytes of the log.
    pub fn log_bytes(&self) -> Vec<u8> {
        let dir = self.disk.dir();
        let mut bytes = Vec::new();
        for name in dir.list().expect("list the directory") {
            if name.starts_with("binlog.0") {
                let file = dir.open(&name, platform::file::OpenMode::READ).expect("open a segment");
                let mut part = vec![0; file.len().expect("a segment's size") as usize];
                file.read_exact_at(&mut part, 0).expect("read a segment");
                bytes.extend(part);
            }
        }
        bytes
    }

    /// A session without a database.
    pub fn connect(&self) -> Client {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut session = Session::new(self.engine.clone(), Arc::new(LoneHost), id);
        session.state.user = "root".into();
        session.state.client_host = "localhost".into();
        Client { session }
    }

    /// A session in database `test`.
    pub fn session(&self) -> Client {
        let mut client = self.connect();
        client.run("USE test");
        client
    }
}

/// Small pools and segments; nothing runs by itself.
fn options(disk: &Disk) -> Options {
    let mut options = Options::new(disk.dir());
    options.pool_bytes = 8 << 20;
    options.extent_bytes = 1 << 20;
    options.log.max_segment_bytes = 4 << 20;
    options.log.preallocate_bytes = 64 << 10;
    options.background = false;
    options
}

/// A session with the texts of its results.
pub struct Client {
    /// The session itself.
    pub session: Session,
}

impl Client {
    /// Runs statements; gives all outcomes.
    pub fn outcomes(&mut self, sql: &str) -> Vec<Outcome> {
        let mut collector = Collector::default();
        self.session.query(sql.as_bytes(), true, &mut collector).expect("nobody goes away here");
        collector.outcomes
    }

    /// Runs statements that must all go well; gives the last outcome.
    #[track_caller]
    pub fn run(&mut self, sql: &str) -> Outcome {
        let outcomes = self.outcomes(sql);
        for outcome in &outcomes {
            if let Some(error) = &outcome.error {
                panic!("{sql}\n{error}");
            }
        }
        outcomes.into_iter().last().expect("a statement has an outcome")
    }

    /// Prepares a statement; gives its id.
    #[track_caller]
    pub fn prepare(&mut self, sql: &str) -> u32 {
        self.session.prepare(sql.as_bytes()).unwrap_or_else(|error| panic!("{sql}\n{error}")).id
    }

    /// Runs a prepared statement with parameters of no announced types; gives its rows as [`Client::rows`] does, or its
    /// error.
    pub fn execute(&mut self, id: u32, params: &[Value]) -> Result<Vec<String>, (u16, String)> {
        let outcome = self.execute_as(id, params, &[]);
        let text = |v: Option<String>| v.unwrap_or_else(|| "NULL".to_owned());
        match outcome.error {
            Some(error) => Err((error.errno, error.message)),
            None => Ok(outcome
                .rows
                .into_iter()
                .map(|row| row.into_iter().map(text).collect::<Vec<_>>().join("|"))
                .collect()),
        }
    }

    /// Runs a prepared statement with parameters of these announced types, or of none.
    pub fn execute_as(&mut self, id: u32, params: &[Value], announced: &[TypeKind]) -> Outcome {
        let mut collector = Collector::default();
        self.session.execute(id, params, announced.into(), &mut collector).expect("nobody goes away here");
        collector.outcomes.into_iter().last().expect("a statement has an outcome")
    }

    /// Rows of a query, values joined by `|`, NULL as `NULL`.
    #[track_caller]
    pub fn rows(&mut self, sql: &str) -> Vec<String> {
        let text = |v: Option<String>| v.unwrap_or_else(|| "NULL".to_owned());
        self.run(sql)
            .rows
            .into_iter()
            .map(|row| row.into_iter().map(text).collect::<Vec<_>>().join("|"))
            .collect()
    }

    /// The one value of a query.
    #[track_caller]
    pub fn value(&mut self, sql: &str) -> String {
        let mut rows = self.rows(sql);
        assert_eq!(rows.len(), 1, "{sql}: {rows:?}");
        rows.remove(0)
    }

    /// The error of a statement that must fail.
    #[track_caller]
    pub fn error(&mut self, sql: &str) -> (u16, String) {
        match self.outcomes(sql).into_iter().last().and_then(|outcome| outcome.error) {
            Some(error) => (error.errno, error.message),
            None => panic!("{sql}\nwent well"),
        }
    }

    /// Affected rows of a statement.
    #[track_caller]
    pub fn affected(&mut self, sql: &str) -> u64 {
        self.run(sql).done.expect("a statement that went well").affected_rows
    }

    /// What a statement adds to a status counter of the session.
    #[track_caller]
    pub fn counted(&mut self, counter: &str, sql: &str) -> u64 {
        let now = |client: &mut Self| {
            let shown = client.run(&format!("SHOW SESSION STATUS LIKE '{counter}'"));
            shown.rows[0][1].as_deref().and_then(|count| count.parse::<u64>().ok()).expect("a number")
        };
        let before = now(self);
        self.run(sql);
        now(self) - before
    }

    /// The diagnostics that the last statement left: number and text of each.
    pub fn warnings(&self) -> Vec<(u16, String)> {
        let entries = &self.session.state.diagnostics.entries;
        entries.iter().map(|w| (w.errno, w.message.clone())).collect()
    }

    /// SHOW CREATE TABLE's text of a table of database `test`.
    pub fn shown(&self, table: &str) -> Option<String> {
        let catalog = self.session.state.engine.catalog();
        catalog
            .table("test", table)
            .map(|table| show_create::create_table_text(&show_create::present(table), &Dialect::FULL))
    }
}
