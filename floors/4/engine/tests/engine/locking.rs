//! Waits, deadlocks, time-outs: several threads.

use crate::fixture::*;
use engine::{Engine, EngineError, Isolation, Mdl, Read, TxnOptions, Wait};
use platform::sim::Disk;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

fn setup() -> Engine {
    let engine = engine_with(&Disk::new(1), vec![plain("t"), plain("s")]);
    insert_rows(&engine, "t", &[&[Some(1), Some(10)], &[Some(2), Some(20)], &[Some(3), Some(30)]]);
    engine
}

type Job = Box<dyn FnOnce(&mut Option<T>) -> Result<Option<i64>, EngineError> + Send>;

/// A connection with a thread of its own, so that it can be seen waiting.
struct Client {
    jobs: Sender<Job>,
    results: Receiver<Result<Option<i64>, EngineError>>,
    thread: Option<JoinHandle<()>>,
}

const SOON: Duration = Duration::from_secs(10);

impl Client {
    fn new(engine: &Engine, level: Isolation) -> Client {
        let (jobs, inbox) = channel::<Job>();
        let (out, results) = channel();
        let engine = engine.clone();
        let thread = std::thread::spawn(move || {
            let options = TxnOptions { lock_wait: SOON, metadata_wait: SOON, ..with(level) };
            let mut t = Some(T::of(&engine, options));
            for job in inbox {
                let result = job(&mut t);
                if out.send(result).is_err() {
                    break;
                }
            }
        });
        Client { jobs, results, thread: Some(thread) }
    }

    fn start(&self, job: impl FnOnce(&mut T) -> Result<Option<i64>, EngineError> + Send + 'static) {
        self.jobs.send(Box::new(|t| job(t.as_mut().expect("a running transaction")))).unwrap();
    }

    fn set(&self, id: i64, v: i64) {
        self.start(move |t| t.set("t", id, Some(v)).map(|_| None));
    }

    fn read(&self, id: i64, read: Read) {
        self.start(move |t| Ok(t.get("t", id, read)?.and_then(|r| r[1])));
    }

    fn done(&self) -> Result<Option<i64>, EngineError> {
        self.results.recv_timeout(SOON).expect("the statement still waits")
    }

    fn waits(&self) {
        let got = self.results.recv_timeout(Duration::from_millis(50));
        assert!(got.is_err(), "did not wait: {got:?}");
    }

    fn end(&self, commit: bool) {
        self.jobs
            .send(Box::new(move |t| {
                let t = t.take().expect("a running transaction");
                if commit { t.txn.commit().map(|_| None) } else { Ok(None) }
            }))
            .unwrap();
        self.done().unwrap();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let (dead, _) = channel();
        drop(std::mem::replace(&mut self.jobs, dead));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[test]
fn a_second_writer_waits_and_works_on_the_result_of_the_first() {
    let engine = setup();
    let (a, b) =
        (Client::new(&engine, Isolation::RepeatableRead), Client::new(&engine, Isolation::RepeatableRead));
    a.set(1, 11);
    a.done().unwrap();
    b.start(|t| t.change("t", 1, |v| v[1] = v[1].map(|x| x * 2)).map(|_| None));
    b.waits();
    a.end(true);
    b.done().unwrap();
    b.end(true);
    assert_eq!(rows_of(&engine, "t")[0][1], Some(22));
    assert_eq!(engine.status().row_locks, 0);
}

#[test]
fn shared_locks_live_together_first_come_first_served() {
    let engine = setup();
    let clients: Vec<_> = (0..4).map(|_| Client::new(&engine, Isolation::RepeatableRead)).collect();
    clients[0].read(1, SHARE);
    clients[0].done().unwrap();
    clients[1].read(1, SHARE);
    clients[1].done().unwrap();
    clients[2].set(1, 0);
    clients[2].waits();
    clients[3].read(1, SHARE);
    clients[3].waits();
    clients[0].end(true);
    clients[2].waits();
    clients[1].end(true);
    clients[2].done().unwrap();
    clients[3].waits();
    clients[2].end(true);
    assert_eq!(clients[3].done().unwrap(), Some(0));
}

#[test]
fn a_deadlock_has_one_victim_that_is_rolled_back_whole() {
    let engine = setup();
    let (a, b) =
        (Client::new(&engine, Isolation::RepeatableRead), Client::new(&engine, Isolation::RepeatableRead));
    a.start(|t| t.insert("s", &[Some(100), None]).map(|()| None));
    a.done().unwrap();
    a.set(1, 11);
    a.done().unwrap();
    b.set(2, 22);
    b.done().unwrap();
    a.set(2, 12);
    a.waits();
    b.set(1, 21);
    // b has changed less.
    assert!(matches!(b.done(), Err(EngineError::Deadlock)));
    a.done().unwrap();
    a.end(true);
    let expected = [[Some(1), Some(11)], [Some(2), Some(12)], [Some(3), Some(30)]];
    assert_eq!(rows_of(&engine, "t"), expected);
    assert_eq!(engine.status().deadlocks, 1);
}

#[test]
fn three_in_a_ring_and_two_upgrades_lose_one() {
    let engine = setup();
    let ring: Vec<_> = (0..3).map(|_| Client::new(&engine, Isolation::RepeatableRead)).collect();
    for (i, client) in ring.iter().enumerate() {
        client.set(i as i64 + 1, 0);
        client.done().unwrap();
    }
    ring[0].set(2, 1);
    ring[0].waits();
    ring[1].set(3, 1);
    ring[1].waits();
    ring[2].set(1, 1);
    let outcomes: Vec<_> = [2, 1, 0]
        .into_iter()
        .map(|i| {
            let outcome = ring[i].done();
            if outcome.is_ok() {
                ring[i].end(true);
            }
            outcome
        })
        .collect();
    assert_eq!(outcomes.iter().filter(|o| matches!(o, Err(EngineError::Deadlock))).count(), 1);
    assert_eq!(outcomes.iter().filter(|o| o.is_ok()).count(), 2);

    let pair: Vec<_> = (0..2).map(|_| Client::new(&engine, Isolation::RepeatableRead)).collect();
    for client in &pair {
        client.read(1, SHARE);
        client.done().unwrap();
    }
    pair[0].set(1, 5);
    pair[0].waits();
    pair[1].set(1, 6);
    let (second, first) = (pair[1].done(), pair[0].done());
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
}

#[test]
fn nowait_and_skip_locked() {
    let engine = setup();
    let mut a = T::begin(&engine, Isolation::RepeatableRead);
    assert!(a.get("t", 2, FOR_UPDATE).unwrap().is_some());
    let mut b = T::begin(&engine, Isolation::RepeatableRead);
    let nowait = b.get("t", 2, Read::Exclusive(Wait::NoWait));
    assert!(matches!(nowait, Err(EngineError::LockWaitTimeout)));
    let skip = Read::Exclusive(Wait::SkipLocked);
    let all = engine::KeyRange::ALL;
    let found = b.scan("t", engine::CLUSTERED, all, engine::Direction::Forward, skip).unwrap();
    assert_eq!(found, [[Some(1), Some(10)], [Some(3), Some(30)]]);
}

#[test]
fn rows_that_a_statement_did_not_want_are_unlocked_at_read_committed() {
    let engine = setup();
    for (level, kept) in [(Isolation::ReadCommitted, false), (Isolation::RepeatableRead, true)] {
        let mut a = T::begin(&engine, level);
        let table = a.table("t");
        let locked = |id: i64| {
            let mut b = T::begin(&engine, Isolation::ReadCommitted);
            b.get("t", id, Read::Exclusive(Wait::NoWait)).is_err()
        };
        assert!(a.get("t", 1, FOR_UPDATE).unwrap().is_some());
        a.get("t", 2, FOR_UPDATE).unwrap();
        a.txn.unlock_row(&table, &key(&table, 0, &[2]));
        assert_eq!((locked(1), locked(2)), (true, kept));
        // Read again by a later statement that does not want it: the earlier one's lock stays.
        a.get("t", 1, FOR_UPDATE).unwrap();
        a.txn.unlock_row(&table, &key(&table, 0, &[1]));
        assert!(locked(1));
        a.set("t", 3, Some(0)).unwrap();
        a.txn.unlock_row(&table, &key(&table, 0, &[3]));
        assert!(locked(3), "a changed row stays locked");
    }
}

#[test]
fn a_duplicate_waits_for_the_other_insert() {
    let engine = setup();
    for commit in [true, false] {
        let (a, b) = (
            Client::new(&engine, Isolation::RepeatableRead),
            Client::new(&engine, Isolation::RepeatableRead),
        );
        a.start(|t| t.insert("t", &[Some(7), Some(70)]).map(|()| None));
        a.done().unwrap();
        b.start(|t| t.insert("t", &[Some(7), Some(71)]).map(|()| None));
        b.waits();
        a.end(commit);
        let inserted = b.done();
        assert_eq!(matches!(inserted, Err(EngineError::Duplicate { .. })), commit, "{inserted:?}");
        b.end(false);
        let mut t = T::begin(&engine, Isolation::RepeatableRead);
        t.delete("t", 7).unwrap();
        t.commit();
    }
}

#[test]
fn ddl_waits_for_transactions_and_newcomers_wait_for_ddl() {
    let engine = setup();
    let (a, b, c) = (
        Client::new(&engine, Isolation::RepeatableRead),
        Client::new(&engine, Isolation::RepeatableRead),
        Client::new(&engine, Isolation::RepeatableRead),
    );
    a.read(1, Read::Snapshot);
    a.done().unwrap();
    b.start(|t| {
        let table = engine::Ddl::TruncateTable { db: "d".into(), table: "t".into() };
        t.txn.ddl(table, None).map(|_| None)
    });
    b.waits();
    c.read(1, Read::Snapshot);
    c.waits();
    // One that holds the name goes on.
    a.set(1, 5);
    a.done().unwrap();
    a.end(true);
    b.done().unwrap();
    b.end(true);
    assert_eq!(c.done().unwrap(), None);
    assert!(rows_of(&engine, "t").is_empty());
}

#[test]
fn a_deadlock_between_names_and_rows_is_found() {
    let engine = setup();
    let (a, b) =
        (Client::new(&engine, Isolation::RepeatableRead), Client::new(&engine, Isolation::RepeatableRead));
    // b holds t's row and wants s; a holds s exclusively and wants the row.
    b.set(1, 1);
    b.done().unwrap();
    a.start(|t| t.txn.lock_table("d", "s", Mdl::Exclusive).map(|_| None));
    a.done().unwrap();
    a.set(1, 2);
    a.waits();
    b.start(|t| t.txn.lock_table("d", "s", Mdl::Read).map(|_| None));
    let (b_done, a_done) = (b.done(), a.done());
    let deadlocks = [&a_done, &b_done].iter().filter(|r| matches!(r, Err(EngineError::Deadlock))).count();
    assert_eq!(deadlocks, 1, "{a_done:?} {b_done:?}");
}

#[test]
fn an_interrupt_ends_a_wait() {
    let engine = setup();
    let mut a = T::begin(&engine, Isolation::RepeatableRead);
    a.set("t", 1, Some(1)).unwrap();
    let session = engine.session();
    let interrupt = session.interrupt().clone();
    let waiting = std::thread::spawn(move || {
        let mut t = T { txn: session.begin(TxnOptions { lock_wait: SOON, ..TxnOptions::default() }) };
        t.set("t", 1, Some(2)).map(|_| ())
    });
    std::thread::sleep(Duration::from_millis(30));
    interrupt.raise();
    assert!(matches!(waiting.join().unwrap(), Err(EngineError::Interrupted)));
}

#[test]
fn an_insert_that_was_announced_before_the_range_was_locked_is_waited_for() {
    let engine = setup();
    let (a, b) =
        (Client::new(&engine, Isolation::RepeatableRead), Client::new(&engine, Isolation::Serializable));
    a.start(|t| t.insert("t", &[Some(50), Some(5)]).map(|()| None));
    a.done().unwrap();
    b.start(|t| Ok(Some(t.all("t").len() as i64)));
    b.waits();
    a.end(true);
    assert_eq!(b.done().unwrap(), Some(4));
}

/// A plain read within a statement that changes rows.
/// The sum of column 1 over all rows of `t`, locked one after the other.
fn sum_locked(t: &mut T, direction: engine::Direction) -> Result<Option<i64>, EngineError> {
    let rows = t.scan("t", engine::CLUSTERED, engine::KeyRange::ALL, direction, FOR_UPDATE)?;
    Ok(Some(rows.iter().filter_map(|row| row[1]).sum()))
}

#[test]
fn a_scan_that_waits_for_a_row_leaves_what_is_behind_it_open() {
    use engine::Direction::{Backward, Forward};
    for (direction, behind, before) in [(Forward, 10, 0), (Backward, 0, 10)] {
        let engine = setup();
        let [holder, scanner, outside, late] =
            [(); 4].map(|()| Client::new(&engine, Isolation::RepeatableRead));
        holder.set(2, 200);
        holder.done().unwrap();
        scanner.start(move |t| sum_locked(t, direction));
        scanner.waits();
        // What the scan has come through is guarded: else a row would appear there.
        outside.start(move |t| t.insert("t", &[Some(before), Some(1)]).map(|()| None));
        outside.waits();
        // With all of the range guarded this was a deadlock.
        holder.start(move |t| t.insert("t", &[Some(behind), Some(1000)]).map(|()| None));
        holder.done().unwrap();
        scanner.waits();
        holder.end(true);
        assert_eq!(scanner.done().unwrap(), Some(10 + 200 + 30 + 1000), "{direction:?}");
        late.start(move |t| t.insert("t", &[Some(2 * behind - 1), None]).map(|()| None));
        late.waits();
        outside.waits();
        scanner.start(move |t| sum_locked(t, direction));
        assert_eq!(scanner.done().unwrap(), Some(1240), "no phantom");
        scanner.end(true);
        outside.done().unwrap();
        late.done().unwrap();
        outside.end(true);
        late.end(true);
        check_all(&engine);
    }
}

#[test]
fn a_scan_that_ends_early_leaves_what_it_did_not_come_to_open() {
    let engine = setup();
    let [reader, behind, before] = [(); 3].map(|()| Client::new(&engine, Isolation::RepeatableRead));
    reader.start(|t| {
        let table = t.table("t");
        t.statement(|txn| {
            let all = engine::KeyRange::ALL;
            let mut scan =
                txn.scan(&table, engine::CLUSTERED, all, engine::Direction::Forward, FOR_UPDATE)?;
            assert!(scan.advance(txn)? && scan.advance(txn)?);
            let second = values(&table, scan.found().row)[1];
            scan.leave(txn);
            Ok(second)
        })
    });
    assert_eq!(reader.done().unwrap(), Some(20));
    behind.start(|t| t.insert("t", &[Some(10), None]).map(|()| None));
    behind.done().unwrap();
    before.start(|t| t.insert("t", &[Some(0), None]).map(|()| None));
    before.waits();
    reader.end(true);
    before.done().unwrap();
}

#[test]
fn a_scan_comes_to_an_insert_under_way_before_it_waits_for_it() {
    for commits in [true, false] {
        let engine = setup();
        let [inserter, scanner, other] = [(); 3].map(|()| Client::new(&engine, Isolation::RepeatableRead));
        inserter.start(|t| t.insert("t", &[Some(10), Some(1000)]).map(|()| None));
        inserter.done().unwrap();
        scanner.start(|t| sum_locked(t, engine::Direction::Forward));
        scanner.waits();
        // It has locked the rows before.
        other.set(3, 0);
        other.waits();
        inserter.start(|t| t.insert("t", &[Some(11), Some(500)]).map(|()| None));
        inserter.done().unwrap();
        inserter.end(commits);
        let sum = if commits { 1560 } else { 60 };
        assert_eq!(scanner.done().unwrap(), Some(sum));
        scanner.end(true);
        other.done().unwrap();
        other.end(true);
        check_all(&engine);
    }
}

fn reading_change(t: &mut T, id: i64) -> Result<Option<i64>, EngineError> {
    let table = t.table("t");
    let mut found = Vec::new();
    let there = t.statement(|txn| {
        txn.lock_reads();
        txn.get(&table, &key(&table, 0, &[id]), Read::Snapshot, &mut found)
    })?;
    Ok(there.then(|| values(&table, &found)[1]).flatten())
}

#[test]
fn what_a_change_is_made_from_is_new_and_stays_from_repeatable_read_on() {
    for level in [Isolation::ReadCommitted, Isolation::RepeatableRead] {
        let engine = setup();
        let (a, b) = (Client::new(&engine, level), Client::new(&engine, level));
        a.read(1, Read::Snapshot);
        assert_eq!(a.done().unwrap(), Some(10));
        insert_rows(&engine, "s", &[&[Some(1), None]]);
        let mut other = T::begin(&engine, level);
        other.set("t", 1, Some(11)).unwrap();
        other.commit();
        a.start(|t| reading_change(t, 1));
        assert_eq!(a.done().unwrap(), Some(11), "not the snapshot's {level:?}");
        a.read(1, Read::Snapshot);
        let later = if level == Isolation::ReadCommitted { 11 } else { 10 };
        assert_eq!(a.done().unwrap(), Some(later), "{level:?}");
        b.set(1, 12);
        if level == Isolation::RepeatableRead {
            b.waits();
            a.end(true);
        }
        b.done().unwrap();
    }
}

#[test]
fn a_change_made_from_many_rows_shares_their_table() {
    // The range is only estimated.
    const ROWS: i64 = 30_000;
    let engine = setup();
    let rows: Vec<[Option<i64>; 2]> = (0..ROWS).map(|id| [Some(id), Some(1)]).collect();
    insert_rows(&engine, "s", &rows.iter().map(|row| &row[..]).collect::<Vec<_>>());
    let mut a = T::begin(&engine, Isolation::RepeatableRead);
    a.txn.snapshot_now().unwrap();
    let mut other = T::begin(&engine, Isolation::RepeatableRead);
    other.set("s", 5, Some(100)).unwrap();
    other.delete("s", 6).unwrap();
    other.commit();
    let sum = |t: &mut T| {
        let table = t.txn.lock_table("d", "s", Mdl::Read)?;
        t.statement(|txn| {
            txn.lock_reads();
            let all = engine::KeyRange::ALL;
            let mut scan =
                txn.scan(&table, engine::CLUSTERED, all, engine::Direction::Forward, Read::Snapshot)?;
            let (mut sum, mut buffer) = (0, engine::RowBuf::default());
            while scan.next(txn, &mut buffer)? {
                sum += values(&table, &buffer.row)[1].unwrap_or(0);
            }
            Ok(sum)
        })
    };
    assert_eq!(sum(&mut a).unwrap(), ROWS - 2 + 100, "the newest rows");
    assert_eq!(engine.status().row_locks, 0, "the table, not its rows");
    // Others may read and share; nobody may change a row.
    let b = Client::new(&engine, Isolation::RepeatableRead);
    b.start(move |t| sum(t).map(Some));
    assert_eq!(b.done().unwrap(), Some(ROWS - 2 + 100));
    b.end(true);
    let c = Client::new(&engine, Isolation::ReadCommitted);
    c.start(|t| t.set("s", 9, Some(2)).map(|_| None));
    c.waits();
    // The transaction itself may, and sees it.
    a.insert("s", &[Some(ROWS), Some(50)]).unwrap();
    assert_eq!(sum(&mut a).unwrap(), ROWS - 2 + 150);
    let mut reader = T::begin(&engine, Isolation::ReadCommitted);
    let table = reader.txn.lock_table("d", "s", Mdl::Read).unwrap();
    let mut found = Vec::new();
    assert!(reader.txn.get(&table, &key(&table, 0, &[9]), Read::Snapshot, &mut found).unwrap());
    a.commit();
    c.done().unwrap();
    c.end(true);
    drop(reader);
    check_all(&engine);
}

/// One who changes rows and one who wants the table alone, again and again: never both at once. The first takes the name
/// without a shared write, so the order of its word and the other's sign is all that keeps them apart.
#[test]
fn a_table_held_alone_is_used_by_nobody_else() {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
    let engine = setup();
    let (inside, over) = (AtomicU32::new(0), AtomicBool::new(false));
    let hold = |mode: Mdl, work: &mut dyn FnMut()| {
        let session = engine.session();
        let options = TxnOptions { metadata_wait: SOON, ..with(Isolation::ReadCommitted) };
        let mut txn = session.begin(options);
        txn.lock_table("d", "t", mode).expect("hold the table");
        work();
        txn.rollback();
    };
    std::thread::scope(|scope| {
        let user = scope.spawn(|| {
            while !over.load(SeqCst) {
                hold(Mdl::Write, &mut || {
                    inside.fetch_add(1, SeqCst);
                    inside.fetch_sub(1, SeqCst);
                });
            }
        });
        let mut met = 0;
        for _ in 0..20_000 {
            let mut seen = 0;
            hold(Mdl::Exclusive, &mut || seen = (0..20).map(|_| inside.load(SeqCst)).sum());
            met += seen;
        }
        over.store(true, SeqCst);
        user.join().expect("the other ends");
        assert_eq!(met, 0, "somebody used a table that was held alone");
    });
}
