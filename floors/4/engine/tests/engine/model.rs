//! The engine against a naive model: several transactions interleaved in one thread, rows in maps.
//!
//! Locks are tried without waiting: a statement that would wait is left out in both. Everything else must agree:
//! what each transaction sees, which keys are duplicates, what is there after commits, rollbacks and restarts.

use crate::fixture::*;
use engine::{CLUSTERED, Ddl, Direction, Engine, EngineError, Isolation, KeyRange, Read, TxnOptions};
use platform::sim::{Disk, Rng};
use std::collections::BTreeMap;
use std::time::Duration;
use types::IndexKind;

type Row = Vec<Option<i64>>;
type Rows = BTreeMap<i64, Row>;
/// Changes of a transaction: new rows, or `None` for deleted ones.
type Changes = BTreeMap<i64, Option<Row>>;

const IDS: u64 = 24;

struct Open {
    t: T,
    level: Isolation,
    snapshot: Option<Rows>,
    changes: Changes,
    savepoint: Option<Changes>,
}

impl Open {
    fn view(&mut self, committed: &Rows) -> Rows {
        let base = match self.level {
            Isolation::RepeatableRead => self.snapshot.get_or_insert_with(|| committed.clone()).clone(),
            _ => committed.clone(),
        };
        with_changes(&base, &self.changes)
    }

    fn newest(&self, committed: &Rows) -> Rows {
        with_changes(committed, &self.changes)
    }
}

fn with_changes(base: &Rows, changes: &Changes) -> Rows {
    let mut rows = base.clone();
    for (id, change) in changes {
        match change {
            Some(row) => rows.insert(*id, row.clone()),
            None => rows.remove(id),
        };
    }
    rows
}

struct World {
    disk: Disk,
    engine: Engine,
    committed: Rows,
    open: Vec<Open>,
    rng: Rng,
}

fn refused(error: &EngineError) -> bool {
    matches!(error, EngineError::LockWaitTimeout)
}

impl World {
    fn new(seed: u64) -> World {
        let disk = Disk::new(seed);
        let indexes = vec![primary(), index("u", IndexKind::Unique, &[1]), index("k", IndexKind::Key, &[2])];
        let engine = engine_with(&disk, vec![table_def("t", 3, indexes)]);
        World { disk, engine, committed: Rows::new(), open: Vec::new(), rng: Rng::new(seed) }
    }

    fn random_row(&mut self, id: i64) -> Row {
        let nullable = |rng: &mut Rng, bound| match rng.below(bound) {
            0 => None,
            n => Some(n as i64),
        };
        vec![Some(id), nullable(&mut self.rng, 30), nullable(&mut self.rng, 5)]
    }

    fn step(&mut self) {
        if self.open.is_empty() || (self.open.len() < 4 && self.rng.one_in(6)) {
            let level = *self.rng.pick(&[Isolation::ReadCommitted, Isolation::RepeatableRead]);
            let options = TxnOptions { lock_wait: Duration::ZERO, ..with(level) };
            let t = T::of(&self.engine, options);
            self.open.push(Open { t, level, snapshot: None, changes: Changes::new(), savepoint: None });
            return;
        }
        let at = self.rng.below(self.open.len() as u64) as usize;
        let id = self.rng.below(IDS) as i64;
        match self.rng.below(20) {
            0..=4 => self.insert(at, id),
            5..=8 => self.update(at, id),
            9..=10 => self.delete(at, id),
            11..=12 => self.read(at, id),
            13..=14 => self.scan(at),
            15 => self.savepoint(at),
            16..=17 => self.end(at, true),
            18 => self.end(at, false),
            _ => match self.rng.below(12) {
                0 => self.restart(),
                1..=3 => drop(self.engine.checkpoint().unwrap()),
                4 => self.truncate(),
                _ => drop(self.engine.purge().unwrap()),
            },
        }
    }

    /// Whether another row has the unique value.
    fn taken(rows: &Rows, row: &Row, not: i64) -> bool {
        row[1].is_some() && rows.iter().any(|(id, r)| *id != not && r[1] == row[1])
    }

    fn insert(&mut self, at: usize, id: i64) {
        let row = self.random_row(id);
        let open = &mut self.open[at];
        let newest = open.newest(&self.committed);
        let duplicate = newest.contains_key(&id) || World::taken(&newest, &row, id);
        match open.t.insert("t", &row) {
            Ok(()) => {
                assert!(!duplicate, "inserted {row:?} into {newest:?}");
                open.changes.insert(id, Some(row));
            }
            Err(EngineError::Duplicate { .. }) => assert!(duplicate, "refused {row:?} in {newest:?}"),
            Err(error) => assert!(refused(&error), "{error}"),
        }
    }

    fn update(&mut self, at: usize, id: i64) {
        let new_id = if self.rng.one_in(5) { self.rng.below(IDS) as i64 } else { id };
        let row = self.random_row(new_id);
        let open = &mut self.open[at];
        let newest = open.newest(&self.committed);
        let duplicate = (new_id != id && newest.contains_key(&new_id)) || World::taken(&newest, &row, id);
        match open.t.change("t", id, |values| values.clone_from(&row)) {
            Ok(found) => {
                assert_eq!(found, newest.contains_key(&id));
                if found {
                    assert!(!duplicate, "{id} became {row:?} in {newest:?}");
                    open.changes.insert(id, None);
                    open.changes.insert(new_id, Some(row));
                }
            }
            Err(EngineError::Duplicate { .. }) => assert!(duplicate, "refused {row:?} in {newest:?}"),
            Err(error) => assert!(refused(&error), "{error}"),
        }
    }

    fn delete(&mut self, at: usize, id: i64) {
        let open = &mut self.open[at];
        let newest = open.newest(&self.committed);
        match open.t.delete("t", id) {
            Ok(found) => {
                assert_eq!(found, newest.contains_key(&id));
                if found {
                    open.changes.insert(id, None);
                }
            }
            Err(error) => assert!(refused(&error), "{error}"),
        }
    }

    fn read(&mut self, at: usize, id: i64) {
        let open = &mut self.open[at];
        let expected = open.view(&self.committed).get(&id).cloned();
        assert_eq!(open.t.get("t", id, Read::Snapshot).unwrap(), expected);
    }

    fn scan(&mut self, at: usize) {
        let which = *self.rng.pick(&[CLUSTERED, 0, 1, 2]);
        let direction = *self.rng.pick(&[Direction::Forward, Direction::Backward]);
        let open = &mut self.open[at];
        let mut expected: Vec<Row> = open.view(&self.committed).into_values().collect();
        match which {
            1 => expected.sort_by_key(|r| (r[1], r[0])),
            2 => expected.sort_by_key(|r| (r[2], r[0])),
            _ => {}
        }
        if direction == Direction::Backward {
            expected.reverse();
        }
        let found = open.t.scan("t", which, KeyRange::ALL, direction, Read::Snapshot).unwrap();
        assert_eq!(found, expected, "index {which}, {direction:?}, {:?}", open.level);
    }

    fn savepoint(&mut self, at: usize) {
        let open = &mut self.open[at];
        match open.savepoint.take() {
            Some(changes) => {
                open.t.txn.rollback_to("s").unwrap();
                open.changes.clone_from(&changes);
                open.savepoint = Some(changes);
            }
            None => {
                open.t.txn.savepoint("s").unwrap();
                open.savepoint = Some(open.changes.clone());
            }
        }
    }

    fn end(&mut self, at: usize, commit: bool) {
        let open = self.open.swap_remove(at);
        if commit {
            open.t.commit();
            self.committed = with_changes(&self.committed, &open.changes);
        } else {
            open.t.txn.rollback();
        }
    }

    /// Everything goes, with the pages: the next row is a first one again.
    fn truncate(&mut self) {
        self.open.clear();
        let ddl = Ddl::TruncateTable { db: "d".into(), table: "t".into() };
        self.engine.session().ddl(ddl, None, TxnOptions::default()).unwrap();
        self.committed.clear();
        self.compare();
    }

    fn restart(&mut self) {
        self.open.clear();
        let disk = self.disk.after_crash(self.rng.next_u64());
        self.engine = open(&disk);
        self.disk = disk;
        self.compare();
    }

    fn compare(&self) {
        let rows: Vec<Row> = self.committed.values().cloned().collect();
        assert_eq!(rows_of(&self.engine, "t"), rows);
        check_all(&self.engine);
    }
}

#[test]
fn the_engine_agrees_with_a_naive_model() {
    let seeds: u64 = std::env::var("PENSTOCK_MODEL_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(12);
    for seed in 0..seeds {
        let mut world = World::new(seed);
        for _ in 0..400 {
            world.step();
        }
        world.open.clear();
        world.compare();
        world.restart();
        assert_eq!(world.engine.status().version_bytes, 0);
    }
}
