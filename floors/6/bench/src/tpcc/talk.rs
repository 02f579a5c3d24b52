//! One statement after the other over a connection, each answer looked at before the next: what a transaction needs.

use super::statement::{Prepared, Statement, Value};
use crate::BenchError;
use crate::target::Target;
use protocol::ProtocolError;
use protocol::reply::Err as ErrPacket;
use protocol::request::put_query;
use protocol::scan::{Answer, Scanner, Visit};
use protocol::wire::Reader;
use runtime::net::Stream;
use std::io;
use std::time::Instant;

const READ_BYTES: usize = 16 << 10;

/// Why a statement had no good answer.
pub(super) enum Trouble {
    /// The server answered with an error; the connection is fine.
    Server(ErrPacket),
    /// An answer that cannot be right.
    Wrong(String),
    /// There is no talking on.
    Broken(BenchError),
}

impl From<ProtocolError> for Trouble {
    fn from(error: ProtocolError) -> Trouble {
        Trouble::Broken(error.into())
    }
}

/// The last answer: its rows one behind the other.
#[derive(Default)]
struct Reply {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    error: Option<ErrPacket>,
    over: bool,
}

impl Visit for Reply {
    fn row(&mut self, payload: &[u8]) {
        self.bytes.extend_from_slice(payload);
        self.ends.push(self.bytes.len());
    }

    fn answer(&mut self, answer: Answer<'_>) {
        self.over = true;
        if let Answer::Err(payload) = answer {
            self.error = ErrPacket::decode(payload).ok();
        }
    }
}

/// A connection with its prepared statements.
pub(super) struct Talk {
    stream: Stream,
    prepared: Prepared,
    scanner: Scanner,
    output: Vec<u8>,
    input: Vec<u8>,
    reply: Reply,
}

impl Talk {
    pub fn new(target: &Target, database: &str) -> Result<Talk, BenchError> {
        let mut client = target.connect(Some(database))?;
        let prepared = Prepared::prepare(&mut client)?;
        Ok(Talk {
            stream: client.into_stream().into_stream(),
            prepared,
            scanner: Scanner::new(),
            output: Vec::new(),
            input: Vec::with_capacity(READ_BYTES),
            reply: Reply::default(),
        })
    }

    /// Until when answers are waited for.
    pub fn set_deadline(&self, deadline: Instant) {
        self.stream.set_read_deadline(Some(deadline));
    }

    /// Runs a statement of text without rows.
    pub fn say(&mut self, sql: &str) -> Result<(), Trouble> {
        self.output.clear();
        put_query(&mut self.output, sql);
        self.exchange()
    }

    /// Runs a prepared statement; its rows are there until the next.
    pub fn run(&mut self, statement: Statement, values: &[Value<'_>]) -> Result<(), Trouble> {
        self.output.clear();
        self.prepared.put(statement, values, &mut self.output);
        self.exchange()
    }

    /// Reads a stock for an order of a district.
    pub fn read_stock(&mut self, district: u64, values: &[Value<'_>]) -> Result<(), Trouble> {
        self.output.clear();
        self.prepared.put_stock(district, values, &mut self.output);
        self.exchange()
    }

    /// Runs a prepared statement that has a row; its first one.
    pub fn one(&mut self, statement: Statement, values: &[Value<'_>]) -> Result<Row<'_>, Trouble> {
        self.run(statement, values)?;
        self.row(0).ok_or_else(|| Trouble::Wrong(format!("{statement:?} with {values:?} found no row")))
    }

    fn exchange(&mut self) -> Result<(), Trouble> {
        let broken = |error: io::Error| Trouble::Broken(BenchError::Connection(error));
        self.reply.bytes.clear();
        self.reply.ends.clear();
        self.reply.over = false;
        self.stream.write_all(&self.output).map_err(broken)?;
        while !self.reply.over {
            let read = self.stream.read_to_vec(&mut self.input, READ_BYTES).map_err(broken)?;
            if read == 0 {
                return Err(broken(io::ErrorKind::UnexpectedEof.into()));
            }
            let used = self.scanner.scan(&self.input, &mut self.reply)?;
            self.input.drain(..used);
        }
        self.reply.error.take().map_or(Ok(()), |error| Err(Trouble::Server(error)))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.reply.ends.len()
    }

    /// A row of the last answer.
    pub fn row(&self, number: usize) -> Option<Row<'_>> {
        let end = *self.reply.ends.get(number)?;
        let start = if number == 0 { 0 } else { self.reply.ends[number - 1] };
        Some(Row { payload: &self.reply.bytes[start..end] })
    }
}

/// A binary row; reading its values needs their number.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    payload: &'a [u8],
}

impl<'a> Row<'a> {
    /// The values of a row of `columns` columns, from the first on.
    pub fn values(self, columns: usize) -> Values<'a> {
        let mut reader = Reader::new(self.payload);
        // Mark and NULL bitmap; a row too short has no values either.
        let nulls = reader.bytes(1 + (columns + 9) / 8, "mark and NULLs").map_or(&[][..], |head| &head[1..]);
        Values { reader, nulls, at: 2 }
    }
}

/// Values of a row in their order; NULL reads as 0 or nothing.
pub(super) struct Values<'a> {
    reader: Reader<'a>,
    nulls: &'a [u8],
    at: usize,
}

impl<'a> Values<'a> {
    fn null(&mut self) -> bool {
        let bit = self.at;
        self.at += 1;
        self.nulls.get(bit / 8).is_none_or(|byte| byte & 1 << (bit % 8) != 0)
    }

    /// An INT.
    pub fn int(&mut self) -> Result<u64, Trouble> {
        if self.null() { Ok(0) } else { Ok(i64::from(self.reader.u32("INT")? as i32) as u64) }
    }

    /// A text.
    pub fn text(&mut self) -> Result<&'a [u8], Trouble> {
        if self.null() { Ok(&[]) } else { Ok(self.reader.lenenc_bytes("text")?) }
    }

    /// A decimal, in units of its last of `digits` digits behind the point.
    pub fn decimal(&mut self, digits: usize) -> Result<i64, Trouble> {
        let text = self.text()?;
        let (negative, text) = text.strip_prefix(b"-").map_or((false, text), |rest| (true, rest));
        let (mut value, mut behind) = (0i64, None);
        for &byte in text {
            match byte {
                b'.' => behind = Some(0),
                b'0'..=b'9' => {
                    value = value.wrapping_mul(10).wrapping_add(i64::from(byte - b'0'));
                    behind = behind.map(|n| n + 1);
                }
                _ => return Err(Trouble::Wrong(format!("a decimal like {text:?}"))),
            }
        }
        let missing = digits.saturating_sub(behind.unwrap_or(0)) as u32;
        let value = value.wrapping_mul(10i64.wrapping_pow(missing));
        Ok(if negative { -value } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_their_order() {
        let payload = b"\0\x08\x07\0\0\0\x02ab\x06-12.34";
        let mut values = Row { payload }.values(4);
        assert_eq!(values.int().ok(), Some(7));
        assert_eq!(values.text().ok(), Some(&b""[..]));
        assert_eq!(values.text().ok(), Some(&b"ab"[..]));
        assert_eq!(values.decimal(2).ok(), Some(-1234));
        assert!(values.int().is_ok_and(|n| n == 0) || values.int().is_err());
    }
}
