//! flexasync through the protocol: prepared statements, all of a transaction in one write.

use super::{Flex, Pass, is_data, put_data, v_of};
use crate::BenchError;
use crate::drive::Load;
use crate::outcome::ServerOutcome;
use crate::target::{Connection, Target};
use crate::watch::{Crew, Watcher, Wish};
use protocol::request::{Execute, Parameter, end, put_bytes, put_integer, put_query};
use protocol::scan::Answer;
use protocol::wire::Reader;
use runtime::net::Stream;
use std::ops::Range;

/// The statements of a connection.
struct Statements {
    insert: Execute,
    read: Execute,
    update: Execute,
    delete: Execute,
}

impl Statements {
    fn prepare(client: &mut Connection) -> Result<Statements, BenchError> {
        use Parameter::{Bytes, Unsigned};
        let mut one = |sql: &str, parameters: &[Parameter]| {
            let statement = client.prepare(sql).map_err(|e| BenchError::Statement(sql.to_owned(), e))?;
            Ok::<_, BenchError>(Execute::new(statement.id, parameters))
        };
        Ok(Statements {
            insert: one(
                "INSERT INTO flexasync (id, v, data) VALUES (?, ?, ?)",
                &[Unsigned, Unsigned, Bytes],
            )?,
            read: one("SELECT v, data FROM flexasync WHERE id=?", &[Unsigned])?,
            update: one("UPDATE flexasync SET v=?, data=? WHERE id=?", &[Unsigned, Bytes, Unsigned])?,
            delete: one("DELETE FROM flexasync WHERE id=?", &[Unsigned])?,
        })
    }
}

/// Where in a pass's commands somebody is.
#[derive(Debug, Clone)]
struct Cursor {
    left: Range<u64>,
    /// Rows of the transaction so far; `None` between two.
    done: Option<u64>,
    operations: u64,
}

/// A command of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Command {
    Begin,
    Row(u64),
    Commit,
}

impl Iterator for Cursor {
    type Item = Command;

    #[inline]
    fn next(&mut self) -> Option<Command> {
        if self.operations == 1 {
            return self.left.next().map(Command::Row);
        }
        match self.done {
            None if self.left.is_empty() => None,
            None => {
                self.done = Some(0);
                Some(Command::Begin)
            }
            Some(done) if done < self.operations && !self.left.is_empty() => {
                self.done = Some(done + 1);
                self.left.next().map(Command::Row)
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
        let cursor = Cursor { left: 0..0, done: None, operations: flex.operations };
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
        self.sending = Cursor { left: self.share.clone(), done: None, operations: self.flex.operations };
        self.answering = self.sending.clone();
    }

    fn current(&mut self) -> Option<Command> {
        if self.current.is_none() {
            self.current = self.answering.next();
        }
        self.current
    }

    fn put_row(&mut self, number: u64, out: &mut Vec<u8>) {
        let id = self.flex.key(number);
        let v = v_of(id, self.pass.generation());
        if matches!(self.pass, Pass::Insert | Pass::Update) {
            self.data.clear();
            put_data(v, self.flex.data_len(), &mut self.data);
        }
        let statements = &mut self.statements;
        let at = match self.pass {
            Pass::Insert => {
                let at = statements.insert.begin(out);
                put_integer(out, id);
                put_integer(out, v);
                put_bytes(out, &self.data);
                at
            }
            Pass::Update => {
                let at = statements.update.begin(out);
                put_integer(out, v);
                put_bytes(out, &self.data);
                put_integer(out, id);
                at
            }
            Pass::Delete => {
                let at = statements.delete.begin(out);
                put_integer(out, id);
                at
            }
            Pass::Read | Pass::ReadUpdated | Pass::ReadDeleted => {
                let at = statements.read.begin(out);
                put_integer(out, id);
                at
            }
        };
        end(out, at);
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
            Some(Command::Row(number)) => self.put_row(number, out),
        }
        true
    }

    #[inline]
    fn row(&mut self, payload: &[u8]) {
        let right = match self.current() {
            Some(Command::Row(number)) => self.is_row(number, payload),
            _ => false,
        };
        if !right {
            let pass = self.pass.name();
            self.wrong.get_or_insert_with(|| format!("{pass}: a row with other values: {payload:?}"));
        }
    }

    #[inline]
    fn answered(&mut self, answer: &Answer<'_>) -> Result<bool, String> {
        let command = self.current();
        self.current = None;
        if let Some(why) = self.wrong.take() {
            return Err(why);
        }
        let right = match (command, answer) {
            (Some(Command::Begin | Command::Commit), Answer::Ok(_)) => return Ok(false),
            (Some(Command::Row(_)), Answer::Rows(rows)) => {
                self.pass.reads() && *rows == u64::from(self.pass != Pass::ReadDeleted)
            }
            // One row affected.
            (Some(Command::Row(_)), Answer::Ok(payload)) => !self.pass.reads() && payload.get(1) == Some(&1),
            _ => false,
        };
        if right { Ok(true) } else { Err(format!("{}: answered by {answer:?}", self.pass.name())) }
    }

    fn failed(&mut self, _error: &protocol::reply::Err) {
        self.current();
        self.current = None;
        self.wrong = None;
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
        let cursor = Cursor { left: 0..3, done: None, operations: 2 };
        use Command::{Begin, Commit, Row};
        assert_eq!(cursor.collect::<Vec<_>>(), [Begin, Row(0), Row(1), Commit, Begin, Row(2), Commit]);
        let cursor = Cursor { left: 4..6, done: None, operations: 1 };
        assert_eq!(cursor.collect::<Vec<_>>(), [Row(4), Row(5)]);
        assert_eq!(Cursor { left: 0..0, done: None, operations: 9 }.count(), 0);
    }
}
