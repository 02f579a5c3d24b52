//! A small engine over a simulated disk, tables for it, and rows by numbers.

use engine::{
    CLUSTERED, DatabaseDef, Ddl, Direction, Engine, EngineError, Isolation, KeyRange, Mdl, Options, Read,
    RowBuf, Scan, Table, Txn, TxnOptions, Wait,
};
use platform::clock::SimClock;
use platform::sim::{Disk, Recording, Rng};
use std::sync::Arc;
use std::time::{Duration, Instant};
use types::{
    CollationId, ColumnDef, ColumnType, ForeignKeyDef, IndexDef, IndexKind, IntSize, ReferentialAction,
    TableDef, Value,
};

/// Small pools, segments and extents, so that everything that can fill up does. Nothing runs by itself.
pub fn options(disk: &Disk) -> Options {
    let mut options = Options::new(disk.dir());
    options.pool_bytes = 4 << 20;
    options.extent_bytes = 1 << 20;
    options.log.max_segment_bytes = 64 << 10;
    options.log.preallocate_bytes = 16 << 10;
    options.log.max_round_bytes = 16 << 10;
    options.log.max_group_bytes = 16 << 20;
    options.log.key = Some(7);
    options.log.clock = Arc::new(SimClock::new(1_700_000_000_000_000));
    options.sort_bytes = 2 << 10;
    options.background = false;
    options
}

pub fn open(disk: &Disk) -> Engine {
    Engine::open(options(disk)).expect("open the engine").0
}

pub fn index(name: &str, kind: IndexKind, columns: &[usize]) -> IndexDef {
    IndexDef::new(name, kind, columns)
}

/// Patience of tests: an hour on a loaded machine would be the same as for ever.
const PATIENCE: Duration = Duration::from_secs(60);

pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A transaction that waits for rows and names as long as tests do.
pub fn long_waits(isolation: Isolation) -> TxnOptions {
    TxnOptions { lock_wait: PATIENCE, metadata_wait: PATIENCE, ..with(isolation) }
}

/// `d.name`: INT columns, the first NOT NULL, the others nullable, and indexes.
pub fn table_def(name: &str, columns: usize, indexes: Vec<IndexDef>) -> TableDef {
    let int = ColumnType::integer(IntSize::Normal, false);
    let columns = (0..columns).map(|i| ColumnDef::new(&format!("c{i}"), int.clone(), i > 0)).collect();
    TableDef::new(("d", name), CollationId::UTF8MB4_GENERAL_CI, columns, indexes)
}

pub fn primary() -> IndexDef {
    index("PRIMARY", IndexKind::Primary, &[0])
}

/// id INT PRIMARY KEY, c1 INT.
pub fn plain(name: &str) -> TableDef {
    table_def(name, 2, vec![primary()])
}

pub fn foreign(
    name: &str,
    column: usize,
    parent: &str,
    parent_column: &str,
    on_delete: ReferentialAction,
    on_update: ReferentialAction,
) -> ForeignKeyDef {
    ForeignKeyDef {
        name: name.into(),
        columns: vec![column],
        ref_db: "d".into(),
        ref_table: parent.into(),
        ref_columns: vec![parent_column.into()],
        on_delete,
        on_update,
    }
}

pub fn create_database(engine: &Engine) {
    let def = DatabaseDef { collation: CollationId::UTF8MB4_GENERAL_CI, comment: String::new() };
    let ddl = Ddl::CreateDatabase { name: "d".into(), def };
    engine.session().ddl(ddl, None, TxnOptions::default()).expect("create the database");
}

pub fn create(engine: &Engine, def: TableDef) -> Arc<Table> {
    let name = def.name.clone();
    let created = engine.session().ddl(Ddl::CreateTable { def }, None, TxnOptions::default());
    created.expect("create the table");
    engine.catalog().table("d", &name).expect("find the table").clone()
}

/// An engine with database `d` and the tables.
pub fn engine_with(disk: &Disk, tables: Vec<TableDef>) -> Engine {
    let engine = open(disk);
    create_database(&engine);
    for def in tables {
        create(&engine, def);
    }
    engine
}

pub fn value(v: Option<i64>) -> Value {
    v.map_or(Value::Null, Value::Int)
}

pub fn row(table: &Table, values: &[Option<i64>]) -> Vec<u8> {
    let values: Vec<Value> = values.iter().copied().map(value).collect();
    let mut out = Vec::new();
    table.layout().encode(&values, &mut out).expect("encode a row");
    out
}

pub fn values(table: &Table, row: &[u8]) -> Vec<Option<i64>> {
    let decode = |i| match table.layout().decode_column(row, i).expect("decode a row") {
        Value::Int(v) => Some(v),
        Value::Null => None,
        other => panic!("not an integer: {other:?}"),
    };
    (0..table.layout().len()).map(decode).collect()
}

/// The key of values in an index of the definition.
pub fn key(table: &Table, at: usize, values: &[i64]) -> Vec<u8> {
    let mut out = Vec::new();
    let values: Vec<Value> = values.iter().copied().map(Value::Int).collect();
    table.index_key(at).expect("find the index").append_values(&values, &mut out).expect("encode a key");
    out
}

pub fn with(isolation: Isolation) -> TxnOptions {
    TxnOptions { isolation, lock_wait: Duration::from_millis(200), ..TxnOptions::default() }
}

/// A transaction over tables of database `d`, with what tests need in one word.
pub struct T {
    pub txn: Txn,
}

pub const FOR_UPDATE: Read = Read::Exclusive(Wait::Block);
pub const SHARE: Read = Read::Share(Wait::Block);

impl T {
    pub fn begin(engine: &Engine, isolation: Isolation) -> T {
        T { txn: engine.begin(with(isolation)) }
    }

    pub fn of(engine: &Engine, options: TxnOptions) -> T {
        T { txn: engine.begin(options) }
    }

    pub fn table(&mut self, name: &str) -> Arc<Table> {
        self.txn.lock_table("d", name, Mdl::Write).expect("lock the table")
    }

    /// Runs one statement: begun, ended by its outcome.
    pub fn statement<R>(
        &mut self,
        body: impl FnOnce(&mut Txn) -> Result<R, EngineError>,
    ) -> Result<R, EngineError> {
        self.txn.begin_statement();
        let result = body(&mut self.txn);
        self.txn.end_statement(result.is_ok());
        result
    }

    pub fn insert(&mut self, name: &str, row_values: &[Option<i64>]) -> Result<(), EngineError> {
        let table = self.table(name);
        self.statement(|txn| txn.insert(&table, &row(&table, row_values)))
    }

    pub fn get(&mut self, name: &str, id: i64, read: Read) -> Result<Option<Vec<Option<i64>>>, EngineError> {
        let table = self.table(name);
        let mut found = Vec::new();
        let there = self.statement(|txn| txn.get(&table, &key(&table, 0, &[id]), read, &mut found))?;
        Ok(there.then(|| values(&table, &found)))
    }

    /// Sets column 1 of the row with this primary key; false when there is none.
    pub fn set(&mut self, name: &str, id: i64, new: Option<i64>) -> Result<bool, EngineError> {
        self.change(name, id, |values| values[1] = new)
    }

    pub fn change(
        &mut self,
        name: &str,
        id: i64,
        change: impl FnOnce(&mut Vec<Option<i64>>),
    ) -> Result<bool, EngineError> {
        let table = self.table(name);
        let mut old = RowBuf { key: key(&table, 0, &[id]), row: Vec::new() };
        self.statement(|txn| {
            if !txn.get(&table, &old.key, FOR_UPDATE, &mut old.row)? {
                return Ok(false);
            }
            let mut new = values(&table, &old.row);
            change(&mut new);
            txn.update(&table, &old, &row(&table, &new))?;
            Ok(true)
        })
    }

    pub fn delete(&mut self, name: &str, id: i64) -> Result<bool, EngineError> {
        let table = self.table(name);
        let mut old = RowBuf { key: key(&table, 0, &[id]), row: Vec::new() };
        self.statement(|txn| {
            if !txn.get(&table, &old.key, FOR_UPDATE, &mut old.row)? {
                return Ok(false);
            }
            txn.delete(&table, &old)?;
            Ok(true)
        })
    }

    pub fn scan(
        &mut self,
        name: &str,
        index: usize,
        range: KeyRange,
        direction: Direction,
        read: Read,
    ) -> Result<Vec<Vec<Option<i64>>>, EngineError> {
        let table = self.table(name);
        self.statement(|txn| {
            let mut scan = txn.scan(&table, index, range.clone(), direction, read)?;
            let (mut found, mut buffer) = (Vec::new(), RowBuf::default());
            while scan.next(txn, &mut buffer)? {
                found.push(values(&table, &buffer.row));
            }
            assert_eq!(rows_at_hand(txn.scan(&table, index, range, direction, read)?, txn)?, found);
            Ok(found)
        })
    }

    pub fn all(&mut self, name: &str) -> Vec<Vec<Option<i64>>> {
        self.scan(name, CLUSTERED, KeyRange::ALL, Direction::Forward, Read::Snapshot).expect("scan all")
    }

    pub fn commit(self) {
        self.txn.commit().expect("commit");
    }
}

/// The rows of a scan that takes as many as lie at hand, but for each seventh.
fn rows_at_hand(mut scan: Scan, txn: &mut Txn) -> Result<Vec<Vec<Option<i64>>>, EngineError> {
    let (table, mut found, mut buffer) = (scan.table().clone(), Vec::new(), RowBuf::default());
    while scan.next(txn, &mut buffer)? {
        found.push(values(&table, &buffer.row));
        let mut at_hand = scan.at_hand(txn);
        while found.len() % 7 > 0
            && let Some(row) = at_hand.peek()
        {
            found.push(values(&table, row));
            at_hand.pass();
        }
    }
    Ok(found)
}

/// All rows of a table as a new transaction sees them.
pub fn rows_of(engine: &Engine, name: &str) -> Vec<Vec<Option<i64>>> {
    T::begin(engine, Isolation::ReadCommitted).all(name)
}

pub fn insert_rows(engine: &Engine, name: &str, rows: &[&[Option<i64>]]) {
    let mut t = T::begin(engine, Isolation::ReadCommitted);
    for row in rows {
        t.insert(name, row).expect("insert");
    }
    t.commit();
}

/// Checks trees, indexes and counts of all tables.
pub fn check_all(engine: &Engine) {
    engine.purge().expect("purge");
    for database in engine.catalog().databases() {
        for table in database.tables.values() {
            engine.check_table(table).unwrap_or_else(|e| panic!("check {table:?}: {e}"));
        }
    }
}

/// Cuts the power at so many random moments of a recording; `check` gets the disk that is left, and the operation.
pub fn crash_anywhere(recording: &Recording, seed: u64, count: u64, mut check: impl FnMut(&Disk, u64)) {
    let (first, total) = (recording.first(), recording.ops().len() as u64);
    let mut rng = Rng::new(seed);
    let mut points: Vec<u64> = (0..count).map(|_| first + rng.below(total)).collect();
    points.sort_unstable();
    let mut replay = recording.replay();
    for point in points {
        while replay.operations() < point {
            replay.step();
        }
        if let Some(disk) = replay.crash_during_next(rng.next_u64()) {
            check(&disk, point);
        }
    }
}
