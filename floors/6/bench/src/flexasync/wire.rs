//! flexasync through the protocol: prepared statements, all of a transaction in one write; rows are written one by one
//! or many with one command (MariaDB's bulk execution).

use super::{Flex, Pass, is_data, put_data, v_of};
use crate::BenchError;
use crate::drive::Load;
use crate::outcome::ServerOutcome;
use crate::target::{Connection, Target};
use crate::watch::{Crew, Watcher, Wish};
use protocol::flags::capability;
use protocol::request::{
    BulkExecute, Execute, Parameter, bulk_value, end, put_bytes, put_integer, put_query,
};
use protocol::scan::Answer;
use protocol::wire::Reader;
use runtime::net::Stream;
use std::ops::Range;

/// A statement, for one row or for many.
struct Statement {
    one: Execute,
    many: BulkExecute,
}

/// The statements of a connection.
struct Statements {
    insert: Statement,
    read: Statement,
    update: Statement,
    delete: Statement,
}

impl Statements {
    fn prepare(client: &mut Connection) -> Result<Statements, BenchError> {
        use Parameter::{Bytes, Unsigned};
        let mut prepare = |sql: &str, parameters: &[Parameter]| {
            let id = client.prepare(sql).map_err(|e| BenchError::Statement(sql.to_owned(), e))?.id;
            let (one, many) = (Execute::new(id, parameters), BulkExecute::new(id, parameters));
            Ok::<_, BenchError>(Statement { one, many })
        };
        Ok(Statements {
            insert: prepare(
                "INSERT INTO flexasync (id, v, data) VALUES (?, ?, ?)",
                &[Unsigned, Unsigned, Bytes],
            )?,
            read: prepare("SELECT v, data FROM flexasync WHERE id=?", &[Unsigned])?,
            update: prepare("UPDATE flexasync SET v=?, data=? WHERE id=?", &[Unsigned, Bytes, Unsigned])?,
            delete: prepare("DELETE FROM flexasync WHERE id=?", &[Unsigned])?,
        })
    }

    fn of(&mut self, pass: Pass) -> &mut Statement {
        match pass {
            Pass::Insert => &mut self.insert,
            Pass::Update => &mut self.update,
            Pass::Delete => &mut self.delete,
            Pass::Read | Pass::ReadUpdated | Pass::ReadDeleted => &mut self.read,
        }
    }
}

/// Where in a pass's commands somebody is.
#[derive(Debug, Clone)]
struct Cursor {
    left: Range<u64>,
    /// Rows of the transaction so far; `None` between two.
    done: Option<u64>,
    operations: u64,
    /// Rows of a command.
    bulk: u64,
}

/// A command of a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Command {
    Begin,
    Rows(Range<u64>),
    Commit,
}

impl Cursor {
    /// The next rows, `most` at most.
    #[inline]
    fn take(&mut self, most: u64) -> Range<u64> {
        let taken = self.left.start..self.left.end.min(self.left.start.saturating_add(most));
        self.left.start = taken.end;
        taken
    }
}

impl Iterator for Cursor {
    type Item = Command;

    #[inline]
    fn next(&mut self) -> Option<Command> {
        if self.operations == 1 {
            return (!self.left.is_empty()).then(|| Command::Rows(self.take(self.bulk)));
        }
        match self.done {
            None if self.left.is_empty() => None,
            None => {
                self.done = Some(0);
                Some(Command::Begin)
            }
            Some(done) if done < self.operations && !self.left.is_empty() => {
                let rows = self.take(self.bulk.min(self.operations - done));
                self.done = Some(done + (rows.end - rows.start));
                Some(Command::Rows(rows))
            }
            Some(_) => {
                self.done = None;
                Some(Command::Commit)
            }
        }
    }
}

/// One connection's rows in one pass.
struct FlexLoad {
    flex: Flex,
    share: Range<u64>,
    pass: Pass,
    statements: Statements,
    sending: Cursor,
    answering: Cursor,
    data: Vec<u8>,
    /// What was wrong about a row of the answer under way.
    wrong: Option<String>,
    /// The command whose answer is under way.
    current: Option<Command>,
}

impl FlexLoad {
    fn new(flex: &Flex, share: Range<u64>, statements: Statements) -> FlexLoad {
        let cursor = Cursor { left: 0..0, done: None, operations: flex.operations, bulk: 1 };
        FlexLoad {
            flex: flex.clone(),
            share,
            pass: Pass::Insert,
            statements,
            sending: cursor.clone(),
            answering: cursor,
            data: Vec::new(),
            wrong: None,
            current: None,
        }
    }

    fn begin(&mut self, pass: Pass) {
        self.pass = pass;
        let bulk = if pass.reads() { 1 } else { self.flex.bulk };
        let operations = self.flex.operations;
        self.sending = Cursor { left: self.share.clone(), done: None, operations, bulk };
        self.answering = self.sending.clone();
    }

    /// The command whose answer is under way.
    fn current(&mut self) -> Option<&Command> {
        if self.current.is_none() {
            self.current = self.answering.next();
        }
        self.current.as_ref()
    }

    fn put_rows(&mut self, rows: Range<u64>, out: &mut Vec<u8>) {
        let statement = self.statements.of(self.pass);
        let bulk = rows.end - rows.start > 1;
        let at = if bulk { statement.many.begin(out) } else { statement.one.begin(out) };
        for number in rows {
            self.put_values(number, bulk, out);
        }
        end(out, at);
    }

    /// The values of the pass's statement for one row, in its order.
    fn put_values(&mut self, number: u64, bulk: bool, out: &mut Vec<u8>) {
        let id = self.flex.key(number);
        let v = v_of(id, self.pass.generation());
        let marked = |out: &mut Vec<u8>| {
            if bulk {
                bulk_value(out);
            }
        };
        let put = |out: &mut Vec<u8>, n: u64| {
            marked(out);
            put_integer(out, n);
        };
        if self.pass != Pass::Update {
            put(out, id);
        }
        if matches!(self.pass, Pass::Insert | Pass::Update) {
            self.data.clear();
            put_data(v, self.flex.data_len(), &mut self.data);
            put(out, v);
            marked(out);
            put_bytes(out, &self.data);
        }
        if self.pass == Pass::Update {
            put(out, id);
        }
    }

    /// Whether a binary row of v and data is the one of this number.
    fn is_row(&self, number: u64, payload: &[u8]) -> bool {
        let v = v_of(self.flex.key(number), self.pass.generation());
        let mut r = Reader::new(payload);
        r.bytes(2, "mark and NULLs").is_ok_and(|head| head == [0, 0])
            && r.u64("v") == Ok(v)
            && r.lenenc_bytes("data").is_ok_and(|data| is_data(v, self.flex.data_len(), data))
    }
}

impl Load for FlexLoad {
    #[inline]
    fn next(&mut self, out: &mut Vec<u8>) -> bool {
        match self.sending.next() {
            None => return false,
            Some(Command::Begin) => put_query(out, "BEGIN"),
            Some(Command::Commit) => put_query(out, "COMMIT"),
            Some(Command::Rows(rows)) => self.put_rows(rows, out),
        }
        true
    }

    #[inline]
    fn row(&mut self, payload: &[u8]) {
        let right = match self.current() {
            // Reads are of one row each.
            Some(Command::Rows(rows)) => {
                let number = rows.start;
                self.is_row(number, payload)
            }
            _ => false,
        };
        if !right {
            let pass = self.pass.name();
            self.wrong.get_or_insert_with(|| format!("{pass}: a row with other values: {payload:?}"));
        }
    }

    #[inline]
    fn answered(&mut self, answer: &Answer<'_>) -> Result<u64, String> {
        self.current();
        let command = self.current.take();
        if let Some(why) = self.wrong.take() {
            return Err(why);
        }
        let (right, count) = match (command, answer) {
            (Some(Command::Begin | Command::Commit), Answer::Ok(_)) => (true, 0),
            (Some(Command::Rows(rows)), Answer::Rows(found)) => {
                let wanted = u64::from(self.pass != Pass::ReadDeleted);
                (self.pass.reads() && *found == wanted, rows.end - rows.start)
            }
            (Some(Command::Rows(rows)), Answer::Ok(payload)) => {
                let affected = Reader::new(payload.get(1..).unwrap_or_default()).lenenc("affected rows");
                (!self.pass.reads() && affected == Ok(rows.end - rows.start), rows.end - rows.start)
            }
            _ => (false, 0),
        };
        if right { Ok(count) } else { Err(format!("{}: answered by {answer:?}", self.pass.name())) }
    }

    fn failed(&mut self, _error: &protocol::reply::Err) -> bool {
        self.current();
        self.current = None;
        self.wrong = None;
        false
    }
}

/// Runs it against one server.
pub fn run(target: &Target, wish: &Wish, flex: &Flex) -> Result<ServerOutcome, BenchError> {
    let crew = Crew::start(wish)?;
    let mut watcher = Watcher::of(target, wish)?;
    watcher.statement(&format!("CREATE DATABASE IF NOT EXISTS `{}`", flex.database))?;
    watcher.statement(&format!("DROP TABLE IF EXISTS `{}`.flexasync", flex.database))?;
    watcher.statement(&format!(
        "CREATE TABLE `{}`.flexasync (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, v BIGINT UNSIGNED NOT NULL, \
         data VARBINARY({}) NOT NULL) ENGINE=InnoDB",
        flex.database,
        flex.data_len()
    ))?;
    let connect = |number: usize| -> Result<(Stream, FlexLoad), BenchError> {
        let mut client = target.connect(Some(&flex.database))?;
        if flex.bulk > 1 && client.greeting.capabilities & capability::STMT_BULK == 0 {
            return Err(BenchError::Wish(format!("{} knows no bulk execution", target.place)));
        }
        let statements = Statements::prepare(&mut client)?;
        let load = FlexLoad::new(flex, flex.share(number, wish.connections), statements);
        Ok((client.into_stream().into_stream(), load))
    };
    let mut loads = (0..wish.connections).map(connect).collect::<Result<Vec<_>, _>>()?;
    // A transaction goes out in one piece.
    let whole = if flex.operations == 1 { 1 } else { flex.operations as usize + 2 };
    let wish = Wish { depth: wish.depth.max(whole), ..wish.clone() };
    let mut phases = Vec::new();
    for pass in Pass::ALL {
        loads.iter_mut().for_each(|(_, load)| load.begin(pass));
        let (phase, back) = crew.run_whole(pass.name(), &mut watcher, loads, &wish, Some(flex.rows))?;
        phases.push(phase);
        loads = back;
    }
    watcher.statement(&format!("DROP TABLE `{}`.flexasync", flex.database))?;
    Ok(ServerOutcome { name: target.place.to_string(), version: watcher.version(), phases })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transactions_are_whole_and_the_last_is_shorter() {
        let cursor = |left, operations, bulk| Cursor { left, done: None, operations, bulk };
        let commands = |cursor: Cursor| cursor.collect::<Vec<_>>();
        use Command::{Begin, Commit, Rows};
        assert_eq!(
            commands(cursor(0..3, 2, 1)),
            [Begin, Rows(0..1), Rows(1..2), Commit, Begin, Rows(2..3), Commit]
        );
        assert_eq!(commands(cursor(4..6, 1, 1)), [Rows(4..5), Rows(5..6)]);
        assert_eq!(commands(cursor(0..5, 1, 3)), [Rows(0..3), Rows(3..5)]);
        assert_eq!(
            commands(cursor(0..5, 4, 3)),
            [Begin, Rows(0..3), Rows(3..4), Commit, Begin, Rows(4..5), Commit]
        );
        assert_eq!(commands(cursor(0..0, 9, 3)), []);
    }
}
