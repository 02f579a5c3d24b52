//! Power cuts at any operation of a recorded run, on a disk that loses, tears and misdirects what was not synced.
//!
//! The run is one thread's: transfers, inserts and deletes in transactions, data definition, checkpoints. After each
//! acknowledgement the disk's operation number and the whole state are noted. After a crash during operation `n` the
//! engine must open with the last state acknowledged before `n`, or with the one under way then, whole. Another run is of
//! tables that come, get their first rows, lose them and go.
//!
//! `PENSTOCK_CRASH_SEEDS` is the number of crashes tried; `cargo xtask soak` sets it to 10,000.

use crate::fixture::*;
use engine::{AlterLock, AlteredRows, Ddl, Engine, EngineError, Isolation, TxnOptions};
use platform::sim::{Disk, Faults, Recording, Rng};
use std::collections::BTreeMap;
use types::{IndexKind, TableDef};

type State = BTreeMap<String, Vec<Vec<Option<i64>>>>;

/// The states of a run, with the number of disk operations at which each was acknowledged.
struct Run {
    recording: Recording,
    history: Vec<(u64, State)>,
}

fn state_of(engine: &Engine) -> State {
    let catalog = engine.catalog();
    let Some(database) = catalog.database("d") else { return State::new() };
    database.tables.keys().map(|name| (name.to_string(), rows_of(engine, name))).collect()
}

fn definition(name: &str) -> TableDef {
    let indexes = vec![primary(), index("u", IndexKind::Unique, &[1]), index("k", IndexKind::Key, &[2])];
    table_def(name, 3, indexes)
}

struct Writer {
    engine: Engine,
    rng: Rng,
    next: i64,
}

impl Writer {
    /// One transaction of inserts, updates and deletes.
    fn transaction(&mut self) -> Result<(), EngineError> {
        let rng = &mut self.rng;
        let log = !rng.one_in(8);
        let mut t = T::of(&self.engine, TxnOptions { log, ..with(Isolation::RepeatableRead) });
        for _ in 0..1 + rng.below(6) {
            self.next += 1;
            let (id, k) = (self.next, rng.below(10) as i64);
            match rng.below(4) {
                0 | 1 => t.insert("main", &[Some(id), Some(-id), Some(k)])?,
                2 => drop(t.change("main", 1 + rng.below(id as u64) as i64, |v| v[2] = Some(k))?),
                _ => drop(t.delete("main", 1 + rng.below(id as u64) as i64)?),
            }
        }
        t.insert("heap", &[Some(self.next), Some(1)])?;
        t.txn.commit().map(|_| ())
    }

    fn definition(&mut self) -> Result<(), EngineError> {
        let side = self.engine.catalog().table("d", "side").is_some();
        let name = || ("d".to_owned(), "side".to_owned());
        let session = self.engine.session();
        let ddl = match (side, self.rng.below(3)) {
            (false, _) => Ddl::CreateTable { def: definition("side") },
            (true, 0) => Ddl::DropTables { tables: vec![name()] },
            (true, 1) => Ddl::AlterTable {
                db: "d".into(),
                table: "main".into(),
                new: definition("main"),
                rows: AlteredRows::Mapped(Box::new(|old, new| {
                    new.extend_from_slice(old);
                    Ok(true)
                })),
                renamed: Vec::new(),
                lock: AlterLock::Shared,
            },
            (true, _) => {
                let mut new = definition("main");
                let known = self.engine.catalog().require("d", "main")?.def().indexes.len();
                if known == 3 {
                    new.indexes.push(index("later", IndexKind::Key, &[2, 1]));
                }
                Ddl::AlterTable {
                    db: "d".into(),
                    table: "main".into(),
                    new,
                    rows: AlteredRows::STAY,
                    renamed: Vec::new(),
                    lock: AlterLock::None,
                }
            }
        };
        session.ddl(ddl, None, TxnOptions::default()).map(|_| ())
    }

    /// What a table meets at the beginning of its life: few tables, so that each soon is where another one was.
    fn early_life(&mut self) -> Result<(), EngineError> {
        let table = format!("t{}", self.rng.below(4));
        let Some(old) = self.engine.catalog().table("d", &table).cloned() else {
            let ddl = Ddl::CreateTable { def: definition(&table) };
            return self.engine.session().ddl(ddl, None, TxnOptions::default()).map(|_| ());
        };
        let name = ("d".to_owned(), table.clone());
        let ddl = match self.rng.below(14) {
            0 => Ddl::DropTables { tables: vec![name] },
            1 => Ddl::TruncateTable { db: name.0, table: name.1 },
            2 => {
                let free = format!("t{}", self.rng.below(4));
                if self.engine.catalog().table("d", &free).is_some() {
                    return self.engine.checkpoint().map(|_| ());
                }
                Ddl::RenameTables { pairs: vec![(name, ("d".to_owned(), free))] }
            }
            3 => {
                let mut new = (**old.def()).clone();
                match new.indexes.len() {
                    3 => new.indexes.push(index("later", IndexKind::Key, &[2, 1])),
                    _ => new.indexes.truncate(3),
                }
                let lock = *self.rng.pick(&[AlterLock::None, AlterLock::Shared]);
                let rows = AlteredRows::STAY;
                Ddl::AlterTable { db: name.0, table: name.1, new, rows, renamed: Vec::new(), lock }
            }
            4 => Ddl::AlterTable {
                db: name.0,
                table: name.1,
                new: definition(&table),
                rows: AlteredRows::Mapped(Box::new(|old, new| {
                    new.extend_from_slice(old);
                    Ok(true)
                })),
                renamed: Vec::new(),
                lock: AlterLock::Shared,
            },
            5..=6 => {
                self.engine.purge()?;
                return self.engine.checkpoint().map(|_| ());
            }
            _ => return self.first_rows(&table),
        };
        self.engine.session().ddl(ddl, None, TxnOptions::default()).map(|_| ())
    }

    /// Rows for a table, or the last one out of it; taken back again at times, in parts or as a whole.
    fn first_rows(&mut self, table: &str) -> Result<(), EngineError> {
        let mut t = T::begin(&self.engine, Isolation::ReadCommitted);
        let there = t.all(table);
        if self.rng.one_in(3) {
            for row in &there {
                t.delete(table, row[0].expect("a primary key"))?;
            }
            return t.txn.commit().map(|_| ());
        }
        for _ in 0..1 + self.rng.below(3) {
            self.next += 1;
            let id = self.next;
            t.txn.savepoint("s")?;
            t.insert(table, &[Some(id), Some(-id), Some(id % 3)])?;
            match self.rng.below(4) {
                0 => t.txn.rollback_to("s")?,
                1 => drop(t.delete(table, id)?),
                _ => {}
            }
        }
        match self.rng.one_in(4) {
            true => t.txn.rollback(),
            false => drop(t.txn.commit()?),
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), EngineError> {
        match self.rng.below(10) {
            0 => self.definition(),
            1 => {
                self.engine.purge()?;
                self.engine.checkpoint().map(|_| ())
            }
            _ => self.transaction(),
        }
    }
}

type Step = fn(&mut Writer) -> Result<(), EngineError>;

fn run(seed: u64, step: Step, steps: usize, faults: Faults) -> Run {
    let disk = Disk::new(seed);
    disk.set_faults(faults);
    disk.record();
    let engine = engine_with(&disk, vec![definition("main"), table_def("heap", 2, vec![])]);
    let mut history = vec![(disk.operations(), state_of(&engine))];
    let mut writer = Writer { engine, rng: Rng::new(seed), next: 0 };
    for _ in 0..steps {
        step(&mut writer).expect("run a step");
        history.push((disk.operations(), state_of(&writer.engine)));
    }
    let recording = disk.stop_recording().expect("find the recording");
    Run { recording, history }
}

/// The engine after a crash, or why it does not open.
fn reopen(disk: &Disk) -> Result<Engine, String> {
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Engine::open(options(disk)))) {
        Ok(Ok((engine, _))) => Ok(engine),
        Ok(Err(error)) => Err(format!("does not open: {error}")),
        Err(_) => Err("panics when it opens".to_owned()),
    }
}

/// Checks one crash during the operation after `point`.
fn check(run: &Run, disk: &Disk, point: u64, rng: &mut Rng) -> Result<(), String> {
    let acknowledged = run.history.iter().rposition(|(at, _)| *at <= point);
    if rng.one_in(4) {
        // Another power cut while it recovers.
        disk.crash_at(1 + rng.below(40));
        let _ = reopen(disk);
        return check_state(run, &disk.after_crash(rng.next_u64()), acknowledged);
    }
    check_state(run, disk, acknowledged)
}

fn check_state(run: &Run, disk: &Disk, acknowledged: Option<usize>) -> Result<(), String> {
    let engine = reopen(disk)?;
    let Some(acknowledged) = acknowledged else { return Ok(()) };
    let found = state_of(&engine);
    let allowed = &run.history[acknowledged..(acknowledged + 2).min(run.history.len())];
    if !allowed.iter().any(|(_, state)| *state == found) {
        let counts = |s: &State| s.iter().map(|(n, r)| (n.clone(), r.len())).collect::<Vec<_>>();
        return Err(format!(
            "state is neither {:?} nor the next, but {:?}",
            counts(&allowed[0].1),
            counts(&found)
        ));
    }
    check_all(&engine);
    insert_rows(&engine, "heap", &[&[Some(-1), None]]);
    Ok(())
}

/// Tries `crashes` power cuts spread over the run; returns what went wrong.
fn crash_everywhere(run: &Run, crashes: u64, seed: u64) -> Vec<String> {
    let (first, total) = (run.recording.first(), run.recording.ops().len() as u64);
    let mut rng = Rng::new(seed);
    let mut points: Vec<u64> =
        (0..crashes).map(|i| if crashes >= total { i % total } else { rng.below(total) }).collect();
    points.sort_unstable();
    let mut replay = run.recording.replay();
    let mut wrong = Vec::new();
    for point in points {
        while replay.operations() < first + point {
            replay.step();
        }
        let seed = rng.next_u64();
        let Some(disk) = replay.crash_during_next(seed) else { break };
        if let Err(what) = check(run, &disk, first + point, &mut rng) {
            wrong.push(format!("operation {}, seed {seed}: {what}", first + point));
        }
    }
    wrong
}

fn crashes() -> u64 {
    std::env::var("PENSTOCK_CRASH_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(60)
}

#[test]
fn acknowledged_transactions_survive_any_crash_whole() {
    let runs = 1 + crashes() / 1000;
    for seed in 0..runs {
        let run = run(seed, Writer::step, 40, Faults::default());
        let wrong = crash_everywhere(&run, crashes() / runs, seed);
        assert!(wrong.is_empty(), "run {seed}, {} crashes of {}: {wrong:#?}", wrong.len(), crashes());
    }
}

#[test]
fn tables_that_come_and_go_survive_any_crash_whole() {
    let runs = 3 + crashes() / 1000;
    for seed in 0..runs {
        let run = run(seed, Writer::early_life, 60, Faults::default());
        let wrong = crash_everywhere(&run, crashes() / runs, seed);
        assert!(wrong.is_empty(), "run {seed}, {} crashes of {}: {wrong:#?}", wrong.len(), crashes());
    }
}

#[test]
fn the_canary_is_caught() {
    let faults = Faults { lying_sync: true, ..Faults::default() };
    let run = run(1, Writer::step, 25, faults);
    let wrong = crash_everywhere(&run, 40, 1);
    assert!(!wrong.is_empty(), "a disk that lies about syncs must lose something");
}

#[test]
fn a_failed_force_stops_everything() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![plain("t")]);
    insert_rows(&engine, "t", &[&[Some(1), None]]);
    let fault = platform::sim::Fault::eio(platform::sim::Call::Sync).times(1);
    disk.set_faults(Faults { plan: vec![fault], ..Faults::default() });
    let mut t = T::begin(&engine, Isolation::RepeatableRead);
    t.insert("t", &[Some(2), None]).unwrap();
    assert!(matches!(t.txn.commit(), Err(EngineError::Poisoned(_))));
    assert!(engine.poisoned().is_some());
    let mut t = engine.begin(TxnOptions::default());
    assert!(matches!(t.lock_table("d", "t", engine::Mdl::Read), Err(EngineError::Poisoned(_))));
    drop((t, engine));
    let engine = open(&disk.after_crash(2));
    let rows = rows_of(&engine, "t").len();
    assert!(rows == 1 || rows == 2);
}

#[test]
fn a_full_disk_refuses_and_recovers() {
    let disk = Disk::new(1);
    let engine = engine_with(&disk, vec![plain("t")]);
    insert_rows(&engine, "t", &[&[Some(1), None]]);
    let used: u64 = disk
        .dir()
        .list()
        .unwrap()
        .iter()
        .map(|name| disk.dir().open(name, platform::file::OpenMode::READ).unwrap().len().unwrap())
        .sum();
    disk.set_faults(Faults { capacity: Some(used), ..Faults::default() });
    let mut refused = 0;
    for id in 2..200 {
        let mut t = T::begin(&engine, Isolation::RepeatableRead);
        t.insert("t", &[Some(id), None]).unwrap();
        match t.txn.commit() {
            Ok(_) => {}
            Err(EngineError::Log(binlog::LogError::NoSpace { .. })) => refused += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(refused > 0, "the log's reserved space is used up at some point");
    assert_eq!(rows_of(&engine, "t").len(), 199 - refused);
    disk.set_faults(Faults::default());
    insert_rows(&engine, "t", &[&[Some(1000), None]]);
    check_all(&engine);
}
