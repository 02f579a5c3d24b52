//! flexasync against the engine in this process: what the rooms below SQL and sockets can do.

use super::{Flex, Pass, is_data, put_data, v_of};
use crate::BenchError;
use crate::outcome::ServerOutcome;
use crate::tally::Tally;
use crate::watch::{Context, Crew, Watcher, Wish};
use engine::{DatabaseDef, Ddl, Engine, Mdl, Options, Read, RowBuf, Session, Table, TxnOptions, Wait};
use platform::file::{Dir, DirLock, File, OpenMode, RealDir};
use platform::topology::Topology;
use std::io;
use std::ops::Range;
use std::os::fd::RawFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use types::{CollationId, ColumnDef, ColumnType, IndexDef, IntSize, StrValue, TableDef, Value};

/// Where the engine lives and what it promises.
#[derive(Debug, Clone)]
pub struct Home {
    /// An empty directory, or one of an earlier run.
    pub dir: PathBuf,
    /// Memory for pages, in bytes.
    pub pool_bytes: u64,
    /// Whether each commit waits for the device; otherwise the log is only written.
    pub forced: bool,
}

/// Runs it in the engine; workers are `wish.connections` fibers.
pub fn run(home: &Home, wish: &Wish, flex: &Flex) -> Result<ServerOutcome, BenchError> {
    let crew = Crew::start(wish)?;
    let engine = open(home)?;
    let table = make_table(&engine, flex)?;
    let mut watcher = Watcher::alone(wish);
    let mut phases = Vec::new();
    for pass in Pass::ALL {
        let job = |worker: usize| {
            let mut worker = Worker {
                session: engine.session(),
                table: table.clone(),
                flex: flex.clone(),
                pass,
                row: RowBuf::default(),
                new: Vec::new(),
                values: Vec::new(),
                data: Vec::new(),
                share: flex.share(worker, wish.connections),
            };
            move |context: &Context<'_>| worker.work(context)
        };
        let jobs: Vec<_> = (0..wish.connections).map(job).collect();
        phases.push(crew.run_jobs(pass.name(), &mut watcher, jobs, None, Some(flex.rows))?.0);
    }
    let checked = engine.check_table(&table)?;
    drop(crew);
    engine.close()?;
    if checked != 0 {
        return Err(BenchError::Wish(format!("{checked} rows are left where all were deleted")));
    }
    let version = if home.forced { "log forced at each commit" } else { "log written, not forced" };
    Ok(ServerOutcome { name: "engine in process".into(), version: version.into(), phases })
}

/// Opens the engine, its whole pool backed with memory: what is measured are rows, not the kernel's first touch.
fn open(home: &Home) -> Result<Engine, BenchError> {
    let dir = RealDir::new(&home.dir, true)
        .map_err(|e| BenchError::System(format!("open {}", home.dir.display()), e))?;
    let dir: Arc<dyn Dir> = if home.forced { Arc::new(dir) } else { Arc::new(Unforced(dir)) };
    let mut options = Options::new(dir);
    options.pool_bytes = home.pool_bytes;
    let engine = Engine::open(options)?.0;
    engine
        .populate_pool(&Topology::discover().cpus)
        .map_err(|e| BenchError::System("back the pool".into(), e))?;
    Ok(engine)
}

fn make_table(engine: &Engine, flex: &Flex) -> Result<Arc<Table>, BenchError> {
    let session = engine.session();
    let run = |ddl| session.ddl(ddl, None, TxnOptions::default()).map(drop);
    if engine.catalog().table(&flex.database, NAME).is_some() {
        run(Ddl::DropTables { tables: vec![(flex.database.clone(), NAME.into())] })?;
    }
    if engine.catalog().database(&flex.database).is_none() {
        let def = DatabaseDef { collation: CollationId::UTF8MB4_GENERAL_CI, comment: String::new() };
        run(Ddl::CreateDatabase { name: flex.database.clone(), def })?;
    }
    run(Ddl::CreateTable { def: table_def(flex) })?;
    let table = engine.catalog().table(&flex.database, NAME).cloned();
    table.ok_or_else(|| BenchError::Wish("the table is not there after it was made".into()))
}

const NAME: &str = "flexasync";

fn table_def(flex: &Flex) -> TableDef {
    let number = ColumnType::integer(IntSize::Big, true);
    TableDef::new(
        (&flex.database, NAME),
        CollationId::UTF8MB4_GENERAL_CI,
        vec![
            ColumnDef::new("id", number.clone(), false),
            ColumnDef::new("v", number, false),
            ColumnDef::new("data", ColumnType::VarBinary(flex.data_len() as u32), false),
        ],
        vec![IndexDef::primary(&[0])],
    )
}

/// A fiber with rows of its own.
struct Worker {
    session: Session,
    table: Arc<Table>,
    flex: Flex,
    pass: Pass,
    row: RowBuf,
    new: Vec<u8>,
    values: Vec<Value>,
    data: Vec<u8>,
    share: Range<u64>,
}

impl Worker {
    fn work(&mut self, context: &Context<'_>) -> Result<(), BenchError> {
        let mut begun = Instant::now();
        let mut at = self.share.start;
        while at < self.share.end && !context.stop.load(Ordering::Relaxed) {
            let numbers = at..self.share.end.min(at.saturating_add(self.flex.operations));
            at = numbers.end;
            let count = numbers.end - numbers.start;
            if self.pass.reads() {
                self.read(numbers, context.tally)?
            } else {
                self.change(numbers, context.tally)?
            }
            let now = Instant::now();
            context.tally.note(|i| i.record(now - begun, count));
            begun = now;
            runtime::slice_point();
        }
        Ok(())
    }

    fn set_key(&mut self, id: u64) -> Result<(), BenchError> {
        self.row.key.clear();
        let key = self.table.index_key(0).ok_or_else(|| BenchError::Wish("the table has no key".into()))?;
        key.append_values(&[Value::UInt(id)], &mut self.row.key).map_err(row_error)
    }

    /// Reads each row as a statement of its own: no transaction, nothing shared written.
    fn read(&mut self, numbers: Range<u64>, tally: &Tally) -> Result<(), BenchError> {
        for number in numbers {
            let id = self.flex.key(number);
            self.set_key(id)?;
            let Some(pin) = self.session.pin(&self.table) else {
                return Err(BenchError::Wish("the table was changed from elsewhere".into()));
            };
            let there = self.session.point_read(&pin, &self.row.key, &mut self.row.row)?;
            drop(pin);
            let right = if there {
                self.pass != Pass::ReadDeleted && self.is_row(id)?
            } else {
                self.pass == Pass::ReadDeleted
            };
            if !right {
                tally.note(|i| i.complain(0, || format!("row {id} is not as it was written")));
            }
        }
        Ok(())
    }

    fn is_row(&self, id: u64) -> Result<bool, BenchError> {
        let v = v_of(id, self.pass.generation());
        let mut row = self.table.layout().cursor(&self.row.row).map_err(row_error)?;
        let mut column = |at| row.bytes(at).map_err(row_error).map(Option::unwrap_or_default);
        // Stored as the wire has it: little-endian, and the data behind its length.
        let (stored_id, stored_v) = (column(0)? == id.to_le_bytes(), column(1)? == v.to_le_bytes());
        let data = self.table.layout().column(2).payload(column(2)?);
        Ok(stored_id && stored_v && is_data(v, self.flex.data_len(), data))
    }

    fn change(&mut self, numbers: Range<u64>, tally: &Tally) -> Result<(), BenchError> {
        let mut txn =
            self.session.begin(TxnOptions { autocommit: self.flex.operations == 1, ..TxnOptions::default() });
        if !txn.hold(&self.table, Mdl::Write)? {
            return Err(BenchError::Wish("the table was changed from elsewhere".into()));
        }
        for number in numbers {
            let id = self.flex.key(number);
            txn.begin_statement();
            let done = match self.pass {
                Pass::Insert => {
                    self.encode(id)?;
                    txn.insert(&self.table, &self.new).map(|()| true)
                }
                _ => {
                    self.set_key(id)?;
                    match txn.get(&self.table, &self.row.key, Read::Exclusive(Wait::Block), &mut self.row.row)
                    {
                        Ok(true) if self.pass == Pass::Update => {
                            self.encode(id)?;
                            txn.update(&self.table, &self.row, &self.new).map(|()| true)
                        }
                        Ok(true) => txn.delete(&self.table, &self.row),
                        other => other,
                    }
                }
            };
            txn.end_statement(done.is_ok());
            if !done? {
                tally.note(|i| i.complain(0, || format!("row {id} is not there")));
            }
        }
        txn.commit()?;
        Ok(())
    }

    /// Encodes the row that this pass writes.
    fn encode(&mut self, id: u64) -> Result<(), BenchError> {
        let v = v_of(id, self.pass.generation());
        self.data.clear();
        put_data(v, self.flex.data_len(), &mut self.data);
        self.values.clear();
        let data = Value::Str(StrValue::new(&self.data, CollationId::BINARY));
        self.values.extend([Value::UInt(id), Value::UInt(v), data]);
        self.new.clear();
        self.table.layout().encode(&self.values, &mut self.new).map_err(row_error)
    }
}

fn row_error(error: types::RowError) -> BenchError {
    BenchError::Wish(format!("encode or decode a row: {error:?}"))
}

/// A directory whose log is written but never forced. Pages still are: a checkpoint is whole or not at all.
struct Unforced(RealDir);

impl Dir for Unforced {
    fn open(&self, name: &str, mode: OpenMode) -> io::Result<Arc<dyn File>> {
        let file = self.0.open(name, mode)?;
        Ok(if name.starts_with("binlog.") { Arc::new(UnforcedFile(file)) } else { file })
    }

    fn list(&self) -> io::Result<Vec<String>> {
        self.0.list()
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.0.remove(name)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.0.rename(from, to)
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        self.0.exists(name)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }

    fn path(&self) -> PathBuf {
        self.0.path()
    }

    fn lock(&self, name: &str) -> io::Result<DirLock> {
        self.0.lock(name)
    }
}

/// A file that counts as forced once it is written.
struct UnforcedFile(Arc<dyn File>);

impl File for UnforcedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> {
        self.0.write_all_at(data, offset)
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn preallocate(&self, offset: u64, len: u64) -> io::Result<()> {
        self.0.preallocate(offset, len)
    }

    fn raw_fd(&self) -> Option<RawFd> {
        // Operations by descriptor would go round this one.
        None
    }

    fn name(&self) -> &str {
        self.0.name()
    }
}

/// A directory that is removed at the end, for those who name none.
pub fn passing_home() -> Result<tempfile::TempDir, BenchError> {
    tempfile::tempdir().map_err(|e| BenchError::System("make a directory".into(), e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_passes_find_what_they_expect() {
        for (forced, operations, scattered) in [(true, 1, false), (false, 16, true)] {
            let dir = tempfile::tempdir().expect("make a directory");
            let home = Home { dir: dir.path().join("d"), pool_bytes: 16 << 20, forced };
            let flex = Flex { database: "flex".into(), rows: 500, size: 100, operations, bulk: 1, scattered };
            let wish = Wish { connections: 3, threads: 2, ..Wish::default() };
            for _again in 0..2 {
                let outcome = run(&home, &wish, &flex).expect("run");
                let figures: Vec<_> =
                    outcome.phases.iter().map(|p| (p.total.answers, p.total.complaints_count())).collect();
                assert_eq!(figures, [(500, 0); 6]);
            }
        }
    }
}
