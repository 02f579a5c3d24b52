//! The ten writers, and what must be found of their work.

use super::harness::random::Random;
use super::harness::{Connection, one, run, send_all};
use protocol::client::{ClientError, QueryResult};
use std::sync::atomic::{AtomicBool, Ordering};

const ACCOUNTS: u64 = 64;
const OPENING: i64 = 1000;
const BATCH: u64 = 5;
/// Changes that [`Work::Streams`] sends before it reads an answer.
const SENT: u64 = 30;

/// Makes the tables.
pub const SETUP: &[&str] = &[
    "CREATE DATABASE crash",
    "USE crash",
    "CREATE TABLE accounts (id INT PRIMARY KEY, balance BIGINT NOT NULL)",
    "INSERT INTO accounts SELECT a.n + 8 * b.n, 1000 FROM \
     (SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 \
      UNION ALL SELECT 6 UNION ALL SELECT 7) a, \
     (SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 \
      UNION ALL SELECT 6 UNION ALL SELECT 7) b",
    "CREATE TABLE transfers (writer INT, seq BIGINT, source INT NOT NULL, target INT NOT NULL, amount INT NOT NULL, \
     PRIMARY KEY (writer, seq), KEY (source), KEY (target))",
    "CREATE TABLE entries (id BIGINT AUTO_INCREMENT PRIMARY KEY, writer INT NOT NULL, seq BIGINT NOT NULL, \
     pad VARCHAR(600), UNIQUE KEY by_writer (writer, seq))",
    "CREATE TABLE batches (writer INT, batch BIGINT, k INT, pad VARCHAR(600), PRIMARY KEY (writer, batch, k))",
    "CREATE TABLE heap (writer INT, batch BIGINT, k INT, tag VARCHAR(20), pad VARCHAR(600), KEY (writer, batch), \
     KEY (tag))",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Transfers,
    Entries,
    Batches,
    Heaps,
    Tables,
    Streams,
}

/// One connection's work. Its changes are numbered from 1 on.
pub struct Writer {
    work: Work,
    number: u64,
    random: Random,
    /// The last change that the server acknowledged.
    acknowledged: u64,
    /// How many changes after it were sent.
    under_way: u64,
    /// AUTO_INCREMENT values acknowledged since the last look, with their changes.
    ids: Vec<(u64, u64)>,
    id_max: u64,
}

fn pad(writer: u64, seq: u64, k: u64) -> String {
    format!("{writer}/{seq}/{k};").repeat(1 + ((writer * 7 + seq * 13 + k) % 40) as usize)
}

/// Runs a statement; an error that says that the transaction was rolled back, or is to be, is `Ok(None)`.
fn attempt(connection: &mut Connection, sql: &str) -> Result<Option<u64>, ClientError> {
    match connection.query(sql) {
        Ok(results) => match results.last() {
            Some(QueryResult::Done(ok)) => Ok(Some(ok.last_insert_id)),
            _ => Ok(Some(0)),
        },
        Err(ClientError::Server(error)) if matches!(error.number, 1213 | 1205 | 1020) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Runs the statements of a transaction; whether none of them had to be rolled back.
fn transaction(connection: &mut Connection, steps: &[String]) -> Result<bool, ClientError> {
    for sql in steps {
        if attempt(connection, sql)?.is_none() {
            attempt(connection, "ROLLBACK")?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// Rows of a batch of [`Work::Heaps`].
fn heap_rows(batch: u64) -> u64 {
    300 * (1 + batch % 4)
}

impl Writer {
    /// Three that transfer, two that insert, two that delete and insert, one that does so in a table without a primary
    /// key, one that makes and drops tables, one that sends many changes before it hears of the first.
    pub fn ten(seed: u64) -> Vec<Writer> {
        use Work::{Batches, Entries, Heaps, Streams, Tables, Transfers};
        let works =
            [Transfers, Transfers, Transfers, Entries, Entries, Batches, Batches, Heaps, Tables, Streams];
        let writer = |(number, work)| Writer {
            work,
            number,
            random: Random::new(seed * 100 + number),
            acknowledged: 0,
            under_way: 0,
            ids: Vec::new(),
            id_max: 0,
        };
        (0..).zip(works).map(writer).collect()
    }

    /// Changes acknowledged.
    pub fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// Works until the server is gone.
    pub fn work(&mut self, connection: &mut Connection, stop: &AtomicBool) {
        while !stop.load(Ordering::Relaxed) {
            let seq = self.acknowledged + 1;
            self.under_way = if self.work == Work::Streams { SENT } else { 1 };
            let done = match self.work {
                Work::Transfers => self.transfer(connection, seq),
                Work::Entries => self.enter(connection, seq),
                Work::Batches => self.replace_batch(connection, seq),
                Work::Heaps => self.replace_heap(connection, seq),
                Work::Tables => self.change_tables(connection, seq),
                Work::Streams => self.stream(connection, seq),
            };
            match done {
                Ok(true) => self.acknowledged = self.acknowledged.max(seq),
                Ok(false) => {}
                Err(ClientError::Io(_)) => return,
                Err(error) => panic!("{:?} {}, change {seq}: {error}", self.work, self.number),
            }
            self.under_way = 0;
        }
    }

    /// A transfer in four statements; now and then it is rolled back, its row under a number that must not stay.
    fn transfer(&mut self, connection: &mut Connection, seq: u64) -> Result<bool, ClientError> {
        let (source, step) = (self.random.below(ACCOUNTS), 1 + self.random.below(ACCOUNTS - 1));
        let (target, amount) = ((source + step) % ACCOUNTS, 1 + self.random.below(50));
        let undo = self.random.chance(10);
        let row = if undo { format!("-{seq}") } else { seq.to_string() };
        let number = self.number;
        let steps = [
            "BEGIN".to_owned(),
            format!("UPDATE accounts SET balance = balance - {amount} WHERE id = {source}"),
            format!("UPDATE accounts SET balance = balance + {amount} WHERE id = {target}"),
            format!("INSERT INTO transfers VALUES ({number}, {row}, {source}, {target}, {amount})"),
            if undo { "ROLLBACK".to_owned() } else { "COMMIT".to_owned() },
        ];
        Ok(transaction(connection, &steps)? && !undo)
    }

    fn enter(&mut self, connection: &mut Connection, seq: u64) -> Result<bool, ClientError> {
        let number = self.number;
        let text = pad(number, seq, 0);
        let sql = format!("INSERT INTO entries (writer, seq, pad) VALUES ({number}, {seq}, '{text}')");
        let Some(id) = attempt(connection, &sql)? else { return Ok(false) };
        self.ids.push((seq, id));
        Ok(true)
    }

    /// Every other one a transaction of two rows, of which one is taken out again.
    fn stream(&mut self, connection: &mut Connection, first: u64) -> Result<bool, ClientError> {
        let number = self.number;
        let mut answers = Vec::new();
        let mut sent = Vec::new();
        for seq in first..first + SENT {
            let insert = format!("INSERT INTO entries (writer, seq, pad) VALUES ({number}, {seq}, 'stream')");
            let steps = match seq % 2 {
                0 => vec![insert],
                _ => vec![
                    "BEGIN".to_owned(),
                    format!("INSERT INTO entries (writer, seq) VALUES ({number}, -{seq})"),
                    insert,
                    format!("DELETE FROM entries WHERE writer = {number} AND seq = -{seq}"),
                    "COMMIT".to_owned(),
                ],
            };
            answers.push((seq, steps.len()));
            sent.extend(steps);
        }
        send_all(connection, sent)?;
        for (seq, steps) in answers {
            for _ in 0..steps {
                connection.expect_reply();
                connection.results(false)?;
            }
            self.acknowledged = seq;
            self.under_way -= 1;
        }
        Ok(true)
    }

    fn replace_batch(&mut self, connection: &mut Connection, seq: u64) -> Result<bool, ClientError> {
        let number = self.number;
        let mut steps = vec![
            "BEGIN".to_owned(),
            format!("DELETE FROM batches WHERE writer = {number} AND batch = {}", seq - 1),
        ];
        let rows = (0..BATCH)
            .map(|k| format!("INSERT INTO batches VALUES ({number}, {seq}, {k}, '{}')", pad(number, seq, k)));
        steps.extend(rows);
        steps.push(format!(
            "UPDATE batches SET pad = CONCAT(pad, '!') WHERE writer = {number} AND batch = {seq} AND k = 0"
        ));
        steps.push("COMMIT".to_owned());
        transaction(connection, &steps)
    }

    /// So many rows a statement that the log takes several events for them.
    fn replace_heap(&mut self, connection: &mut Connection, seq: u64) -> Result<bool, ClientError> {
        let number = self.number;
        let last = heap_rows(seq) - 1;
        transaction(
            connection,
            &[
                "BEGIN".to_owned(),
                format!(
                    "INSERT INTO heap SELECT {number}, {seq}, CAST(seq AS SIGNED), 'batch {seq}', \
                     REPEAT('x', seq % 150) FROM seq_0_to_{last}"
                ),
                format!("DELETE FROM heap WHERE writer = {number} AND batch = {}", seq - 1),
                // The key of the tag stays, its letters do not.
                format!(
                    "UPDATE heap SET k = k + 1, tag = UPPER(tag) \
                     WHERE writer = {number} AND batch = {seq} AND k % 3 > 0"
                ),
                "COMMIT".to_owned(),
            ],
        )
    }

    /// Change 4k makes table k, 4k+1 fills it, 4k+2 adds a column, 4k+3 drops the table before it.
    fn change_tables(&mut self, connection: &mut Connection, seq: u64) -> Result<bool, ClientError> {
        let (k, what) = (seq / 4, seq % 4);
        let sql = match what {
            0 => format!("CREATE TABLE made_{k} (i INT PRIMARY KEY, v INT)"),
            1 if k > 0 => format!("INSERT INTO made_{k} VALUES (1, {k})"),
            2 if k > 0 => format!("ALTER TABLE made_{k} ADD COLUMN z INT NOT NULL DEFAULT {}", k + 5),
            3 if k > 1 => format!("DROP TABLE made_{}", k - 1),
            _ => "DO 1".to_owned(),
        };
        std::thread::sleep(std::time::Duration::from_millis(10));
        Ok(attempt(connection, &sql)?.is_some())
    }

    /// The changes that may be the last one found.
    fn last_allowed(&self) -> std::ops::RangeInclusive<u64> {
        self.acknowledged..=self.acknowledged + self.under_way
    }

    /// Looks for all of this writer's changes and goes on from what is there.
    pub fn verify(&mut self, connection: &mut Connection) {
        let last = match self.work {
            Work::Transfers => self.verify_numbers(connection, "transfers"),
            Work::Entries => self.verify_entries(connection),
            Work::Streams => self.verify_numbers(connection, "entries"),
            Work::Batches => self.verify_batch(connection),
            Work::Heaps => self.verify_heap(connection),
            Work::Tables => self.verify_tables(connection),
        };
        let who = format!("{:?} {}", self.work, self.number);
        assert!(
            self.last_allowed().contains(&last),
            "{who}: {last} found, {:?} expected",
            self.last_allowed()
        );
        self.acknowledged = last;
        self.under_way = 0;
    }

    fn verify_numbers(&self, connection: &mut Connection, table: &str) -> u64 {
        let number = self.number;
        let sql = format!("SELECT COUNT(*), MIN(seq), MAX(seq) FROM {table} WHERE writer = {number}");
        let found = numbers(connection, &sql).remove(0);
        if found[0] > 0 {
            assert_eq!(
                (found[1], found[2]),
                (1, found[0]),
                "{table} of writer {number}: a gap, or one undone"
            );
        }
        found[0] as u64
    }

    fn verify_entries(&mut self, connection: &mut Connection) -> u64 {
        let last = self.verify_numbers(connection, "entries");
        let number = self.number;
        for (seq, id) in self.ids.drain(..) {
            let sql = format!("SELECT id, pad FROM entries WHERE writer = {number} AND seq = {seq}");
            let rows = connection.rows(&sql).expect("read");
            let found: Vec<_> = rows[0]
                .iter()
                .map(|v| String::from_utf8(v.clone().expect("a value")).expect("text"))
                .collect();
            assert_eq!(found, [id.to_string(), pad(number, seq, 0)], "entry {seq} of writer {number}");
            self.id_max = self.id_max.max(id);
        }
        let next = attempt(connection, "INSERT INTO entries (writer, seq) VALUES (-1, 1)").expect("insert");
        assert!(next.expect("inserted") > self.id_max, "AUTO_INCREMENT gives a number again");
        run(connection, "DELETE FROM entries WHERE writer = -1");
        last
    }

    fn verify_batch(&self, connection: &mut Connection) -> u64 {
        let number = self.number;
        let sql = format!("SELECT batch, k, pad FROM batches WHERE writer = {number} ORDER BY batch, k");
        let rows = connection.rows(&sql).expect("read");
        let Some(first) = rows.first() else { return 0 };
        let text =
            |bytes: &Option<Vec<u8>>| String::from_utf8(bytes.clone().expect("a value")).expect("text");
        let batch: u64 = text(&first[0]).parse().expect("a number");
        let found: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(text).collect()).collect();
        let expected: Vec<Vec<String>> = (0..BATCH)
            .map(|k| {
                let mark = if k == 0 { "!" } else { "" };
                vec![batch.to_string(), k.to_string(), pad(number, batch, k) + mark]
            })
            .collect();
        assert_eq!(found, expected, "batch of writer {number}");
        batch
    }

    fn verify_heap(&self, connection: &mut Connection) -> u64 {
        let number = self.number;
        let sql = format!(
            "SELECT batch, COUNT(*), SUM(k), SUM(LENGTH(pad)), COUNT(DISTINCT k) FROM heap \
             WHERE writer = {number} GROUP BY batch"
        );
        let found = numbers(connection, &sql);
        let Some(batch) = found.first().map(|row| row[0] as u64) else { return 0 };
        let rows = 0..heap_rows(batch) as i64;
        let moved: Vec<i64> = rows.clone().map(|k| k + i64::from(k % 3 > 0)).collect();
        let distinct = moved.iter().collect::<std::collections::BTreeSet<_>>().len() as i64;
        let lengths = rows.clone().map(|k| k % 150).sum();
        let expected = vec![batch as i64, rows.end, moved.iter().sum(), lengths, distinct];
        assert_eq!(found, [expected], "batch without a primary key of writer {number}");
        let sql = format!(
            "SELECT COUNT(*), SUM(BINARY tag = 'BATCH {batch}') FROM heap FORCE INDEX (tag) \
             WHERE tag LIKE 'batch {batch}'"
        );
        let upper = rows.clone().filter(|k| k % 3 > 0).count() as i64;
        assert_eq!(numbers(connection, &sql), [[rows.end, upper]], "tags of batch {batch} by their index");
        batch
    }

    fn verify_tables(&self, connection: &mut Connection) -> u64 {
        let rows = connection.rows("SHOW TABLES LIKE 'made%'").expect("list tables");
        let name = |row: &Vec<Option<Vec<u8>>>| {
            String::from_utf8_lossy(row[0].as_ref().expect("a name")).into_owned()
        };
        let mut tables: Vec<String> = rows.iter().map(name).collect();
        tables.sort();
        let matches = |change: &u64| tables_after(*change) == tables && content_after(connection, *change);
        let mut candidates: Vec<u64> = self.last_allowed().rev().collect();
        candidates.retain(matches);
        *candidates
            .first()
            .unwrap_or_else(|| panic!("tables {tables:?} after change {:?}", self.last_allowed()))
    }
}

/// The tables there after a change of [`Work::Tables`].
fn tables_after(change: u64) -> Vec<String> {
    let (k, what) = (change / 4, change % 4);
    let mut tables = Vec::new();
    if k > 1 && what < 3 {
        tables.push(format!("made_{}", k - 1));
    }
    if k > 0 {
        tables.push(format!("made_{k}"));
    }
    tables.sort();
    tables
}

/// Whether the newest table holds what it should after a change.
fn content_after(connection: &mut Connection, change: u64) -> bool {
    let (k, what) = ((change / 4) as i64, change % 4);
    let expected = match (k, what) {
        (0, _) => return true,
        (_, 0) => vec![],
        (_, 1) => vec![vec![1, k]],
        _ => vec![vec![1, k, k + 5]],
    };
    numbers(connection, &format!("SELECT * FROM made_{k}")) == expected
}

/// A result of whole numbers, NULL as 0.
fn numbers(connection: &mut Connection, sql: &str) -> Vec<Vec<i64>> {
    let rows = connection.rows(sql).unwrap_or_else(|e| panic!("{sql}: {e}"));
    let number = |value: &Option<Vec<u8>>| {
        value.as_ref().map_or(0, |text| String::from_utf8_lossy(text).parse().expect("a number"))
    };
    rows.iter().map(|row| row.iter().map(number).collect()).collect()
}

/// What holds over all writers: balances agree with the transfers, indexes with their tables.
pub fn verify_together(connection: &mut Connection) {
    let mut balances = vec![OPENING; ACCOUNTS as usize];
    for row in numbers(connection, "SELECT source, target, amount FROM transfers") {
        balances[row[0] as usize] -= row[2];
        balances[row[1] as usize] += row[2];
    }
    let found = numbers(connection, "SELECT id, balance FROM accounts ORDER BY id");
    let expected: Vec<Vec<i64>> = (0..).zip(&balances).map(|(id, balance)| vec![id, *balance]).collect();
    assert_eq!(found, expected, "balances disagree with the transfers");
    assert_eq!(one(connection, "SELECT SUM(balance) FROM accounts"), (ACCOUNTS as i64 * OPENING).to_string());
    for (table, index, column) in [
        ("transfers", "source", "source"),
        ("transfers", "target", "target"),
        ("entries", "by_writer", "writer"),
    ] {
        let all = one(connection, &format!("SELECT COUNT(*) FROM {table} FORCE INDEX (PRIMARY)"));
        let by_index = one(
            connection,
            &format!("SELECT COUNT(*) FROM {table} FORCE INDEX ({index}) WHERE {column} >= 0"),
        );
        assert_eq!(all, by_index, "{table} by its primary key and by {index}");
    }
    let all = one(connection, "SELECT COUNT(pad) FROM heap IGNORE INDEX (writer)");
    let by_index = one(connection, "SELECT COUNT(pad) FROM heap FORCE INDEX (writer) WHERE writer >= 0");
    assert_eq!(all, by_index, "heap by its rows and by its index");
    let checked =
        connection.rows("CHECK TABLE accounts, transfers, entries, batches, heap").expect("check tables");
    for row in &checked {
        assert_eq!(row[3].as_deref(), Some(&b"OK"[..]), "{row:?}");
    }
}
