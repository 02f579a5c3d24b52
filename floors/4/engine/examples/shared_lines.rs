//! Two threads, each with a session of its own, do the same one after the other, between stores that mark where each
//! begins and ends. Run under a tracer of memory (`cargo xtask shared-lines`) it tells which cache lines both write: what
//! cores would hand to each other if they did it at the same time.
//!
//! `shared_lines read|update COUNT`

use engine::{DatabaseDef, Ddl, Engine, Mdl, Options, Read, RowBuf, Session, Table, TxnOptions, Wait};
use platform::file::RealDir;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use types::{CollationId, ColumnDef, ColumnType, IndexDef, IntSize, TableDef, Value};

/// A store here begins or ends what is looked at. In a line of its own.
#[repr(align(128))]
struct Marker(AtomicU64);

static MARKER: Marker = Marker(AtomicU64::new(0));

const ROWS: i64 = 1000;

fn definition() -> TableDef {
    TableDef::new(
        ("d", "t"),
        CollationId::UTF8MB4_GENERAL_CI,
        vec![
            ColumnDef::new("id", ColumnType::integer(IntSize::Normal, false), false),
            ColumnDef::new("c", ColumnType::Char(120), false),
        ],
        vec![IndexDef::primary(&[0])],
    )
}

/// One session's work.
struct Worker {
    session: Session,
    table: Arc<Table>,
    row: RowBuf,
    new: Vec<u8>,
    /// Which half of the rows is its own.
    half: i64,
}

impl Worker {
    fn key(&mut self, i: u64) -> i64 {
        let id = 2 * (i as i64 * 7 % (ROWS / 2)) + self.half;
        self.row.key.clear();
        let key = self.table.index_key(0).expect("find the key");
        key.append_values(&[Value::Int(id)], &mut self.row.key).expect("encode");
        id
    }

    fn read(&mut self, i: u64) {
        self.key(i);
        let pin = self.session.pin(&self.table).expect("pin the table");
        assert!(self.session.point_read(&pin, &self.row.key, &mut self.row.row).expect("read"));
    }

    fn update(&mut self, i: u64) {
        let id = self.key(i);
        let mut txn = self.session.begin(TxnOptions::default());
        assert!(txn.hold(&self.table, Mdl::Write).expect("hold the table"));
        txn.begin_statement();
        let read = Read::Exclusive(Wait::Block);
        assert!(txn.get(&self.table, &self.row.key, read, &mut self.row.row).expect("read"));
        encode(&self.table, id, i as i64, &mut self.new);
        txn.update(&self.table, &self.row, &self.new).expect("update");
        txn.end_statement(true);
        txn.commit().expect("commit");
    }

    fn work(&mut self, updates: bool, count: u64) {
        (0..count).for_each(|i| if updates { self.update(i) } else { self.read(i) });
    }
}

fn encode(table: &Table, id: i64, n: i64, out: &mut Vec<u8>) {
    out.clear();
    let values = [Value::Int(id), Value::text(&format!("{n:0119}"))];
    table.layout().encode(&values, out).expect("encode a row");
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let updates = arguments.get(1).is_some_and(|what| what == "update");
    let count = arguments.get(2).and_then(|n| n.parse().ok()).unwrap_or(200);
    println!("{:x}", &raw const MARKER as usize);
    std::io::stdout().flush().expect("say where the marker is");
    let folder = tempfile::tempdir().expect("make a folder");
    let dir = RealDir::new(folder.path(), true).expect("open the folder");
    let mut options = Options::new(Arc::new(dir));
    options.pool_bytes = 8 << 20;
    // Only what the sessions do shall be seen.
    options.background = false;
    let (engine, _) = Engine::open(options).expect("open the engine");
    let session = engine.session();
    let def = DatabaseDef { collation: CollationId::UTF8MB4_GENERAL_CI, comment: String::new() };
    session.ddl(Ddl::CreateDatabase { name: "d".into(), def }, None, TxnOptions::default()).expect("create");
    session.ddl(Ddl::CreateTable { def: definition() }, None, TxnOptions::default()).expect("create");
    let table = engine.catalog().table("d", "t").expect("find the table").clone();
    let (mut txn, mut image) = (session.begin(TxnOptions::default()), Vec::new());
    assert!(txn.hold(&table, Mdl::Write).expect("hold the table"));
    txn.begin_statement();
    for id in 0..ROWS {
        encode(&table, id, 0, &mut image);
        txn.insert(&table, &image).expect("insert");
    }
    txn.end_statement(true);
    txn.commit().expect("commit");
    let (turns, done) = channel::<()>();
    let threads: Vec<_> = (0..2)
        .map(|half| {
            let (go, gone) = channel::<()>();
            let (engine, table, turns) = (engine.clone(), table.clone(), turns.clone());
            let thread = std::thread::spawn(move || {
                let session = engine.session();
                let mut worker = Worker { session, table, row: RowBuf::default(), new: Vec::new(), half };
                // Buffers get their size.
                worker.work(updates, 20);
                turns.send(()).expect("say so");
                gone.recv().expect("wait for the turn");
                MARKER.0.store(1, Ordering::SeqCst);
                worker.work(updates, count);
                MARKER.0.store(2, Ordering::SeqCst);
                turns.send(()).expect("say so");
                // Stays, so that its memory is nobody else's.
                let _ = gone.recv();
            });
            done.recv().expect("the thread is ready");
            (thread, go)
        })
        .collect();
    for (_, go) in &threads {
        go.send(()).expect("give the turn");
        done.recv().expect("the thread is done");
    }
    for (thread, go) in threads {
        drop(go);
        thread.join().expect("the thread ends");
    }
}
