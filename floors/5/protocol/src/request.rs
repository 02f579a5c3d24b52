//! What a client sends, framed and appended to a buffer: for clients that write many commands at once.
//!
//! ```text
//! length, 3 | 0 | 03 | text                                                  COM_QUERY
//! length, 3 | 0 | 17 | id, 4 | 0 | 1, 4 | NULLs | 1 | types, 2 each | values  COM_STMT_EXECUTE, the first time
//! length, 3 | 0 | 17 | id, 4 | 0 | 1, 4 | NULLs | 0 | values                  and later: the types are known
//! length, 3 | 0 | fa | id, 4 | 80, 2 | types, 2 each | (0 | value) ...        COM_STMT_BULK_EXECUTE
//! ```
//! Commands of 16 MiB and more are not for this module.

use crate::command::BULK_SENDS_TYPES;
use crate::flags::wire_type;
use crate::packet::{HEADER, MAX_PAYLOAD};
use crate::wire::put_lenenc_bytes;

const QUERY: u8 = 0x03;
const STMT_EXECUTE: u8 = 0x17;
const STMT_BULK_EXECUTE: u8 = 0xFA;
/// Stands before each value of a bulk execution: it is neither NULL nor a default.
const VALUE_FOLLOWS: u8 = 0;

/// Opens a command; what is appended until [`end`] belongs to it. Returns where it starts.
#[inline]
pub fn begin(out: &mut Vec<u8>, command: u8) -> usize {
    let at = out.len();
    out.extend_from_slice(&[0, 0, 0, 0, command]);
    at
}

/// Closes the command that starts at `at`.
///
/// # Panics
/// If it is 16 MiB long or longer: a bug of the caller.
#[inline]
pub fn end(out: &mut [u8], at: usize) {
    let length = out.len() - at - HEADER;
    assert!(length < MAX_PAYLOAD, "a command of {length} bytes");
    out[at..at + 3].copy_from_slice(&(length as u32).to_le_bytes()[..3]);
}

/// Opens a text query; its text is appended until [`end`].
#[inline]
pub fn begin_query(out: &mut Vec<u8>) -> usize {
    begin(out, QUERY)
}

/// Appends a text query.
pub fn put_query(out: &mut Vec<u8>, sql: &str) {
    let at = begin_query(out);
    out.extend_from_slice(sql.as_bytes());
    end(out, at);
}

/// Appends a number in decimal digits.
#[inline]
pub fn put_decimal(out: &mut Vec<u8>, mut n: u64) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// The type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// 64 bits, signed.
    Signed,
    /// 64 bits, unsigned.
    Unsigned,
    /// A string.
    Bytes,
    /// A DECIMAL, in digits.
    Decimal,
}

impl Parameter {
    fn on_wire(self) -> [u8; 2] {
        match self {
            Parameter::Signed => [wire_type::LONGLONG, 0],
            Parameter::Unsigned => [wire_type::LONGLONG, 0x80],
            Parameter::Bytes => [wire_type::VAR_STRING, 0],
            Parameter::Decimal => [wire_type::NEWDECIMAL, 0],
        }
    }
}

/// Executions of one prepared statement over one connection: all but the values is encoded once. No value is NULL.
#[derive(Debug, Clone)]
pub struct Execute {
    first: Option<Vec<u8>>,
    later: Vec<u8>,
}

impl Execute {
    /// For the statement `id` with parameters of these types.
    pub fn new(id: u32, parameters: &[Parameter]) -> Execute {
        let mut later = vec![0, 0, 0, 0, STMT_EXECUTE];
        later.extend_from_slice(&id.to_le_bytes());
        later.extend_from_slice(&[0, 1, 0, 0, 0]);
        let mut first = None;
        if !parameters.is_empty() {
            later.resize(later.len() + parameters.len().div_ceil(8), 0);
            let mut with_types = later.clone();
            later.push(0);
            with_types.push(1);
            parameters.iter().for_each(|p| with_types.extend_from_slice(&p.on_wire()));
            first = Some(with_types);
        }
        Execute { first, later }
    }

    /// Opens an execution; its values are appended until [`end`].
    #[inline]
    pub fn begin(&mut self, out: &mut Vec<u8>) -> usize {
        let at = out.len();
        match self.first.take() {
            None => out.extend_from_slice(&self.later),
            Some(first) => out.extend_from_slice(&first),
        }
        at
    }

    /// Appends an execution without parameters.
    pub fn put(&mut self, out: &mut Vec<u8>) {
        let at = self.begin(out);
        end(out, at);
    }
}

/// Executions of one prepared statement for many sets of parameters at once (MariaDB). No value is NULL.
#[derive(Debug, Clone)]
pub struct BulkExecute {
    head: Vec<u8>,
}

impl BulkExecute {
    /// For the statement `id` with parameters of these types.
    pub fn new(id: u32, parameters: &[Parameter]) -> BulkExecute {
        let mut head = vec![0, 0, 0, 0, STMT_BULK_EXECUTE];
        head.extend_from_slice(&id.to_le_bytes());
        head.extend_from_slice(&BULK_SENDS_TYPES.to_le_bytes());
        parameters.iter().for_each(|p| head.extend_from_slice(&p.on_wire()));
        BulkExecute { head }
    }

    /// Opens an execution; its sets of values are appended, [`bulk_value`] before each value, until [`end`].
    #[inline]
    pub fn begin(&self, out: &mut Vec<u8>) -> usize {
        let at = out.len();
        out.extend_from_slice(&self.head);
        at
    }
}

/// Stands before a value of a bulk execution.
#[inline]
pub fn bulk_value(out: &mut Vec<u8>) {
    out.push(VALUE_FOLLOWS);
}

/// Appends the value of a 64-bit parameter.
#[inline]
pub fn put_integer(out: &mut Vec<u8>, n: u64) {
    out.extend_from_slice(&n.to_le_bytes());
}

/// Appends the value of a string parameter, or a decimal's digits.
#[inline]
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_lenenc_bytes(out, bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{Frame, frame};

    #[test]
    fn commands_stand_one_behind_the_other() {
        let mut out = Vec::new();
        put_query(&mut out, "DO 0");
        let mut execute = Execute::new(7, &[Parameter::Unsigned, Parameter::Bytes]);
        for n in [1, u64::MAX] {
            let at = execute.begin(&mut out);
            put_integer(&mut out, n);
            put_bytes(&mut out, b"xyz");
            end(&mut out, at);
        }
        let mut lengths = Vec::new();
        let mut rest = &out[..];
        while !rest.is_empty() {
            let Ok(Frame::Single { len, seq: 0 }) = frame(rest, 1 << 20, 0) else { panic!("{rest:?}") };
            lengths.push(len);
            rest = &rest[HEADER + len..];
        }
        // Types go with the first execution only.
        assert_eq!(lengths, [5, 10 + 1 + 1 + 4 + 8 + 4, 10 + 1 + 1 + 8 + 4]);
    }

    #[test]
    fn bulk_sets_are_read_as_they_are_written() {
        use crate::command::{BulkParameter, BulkSets, Command};
        let mut out = Vec::new();
        let at = BulkExecute::new(7, &[Parameter::Unsigned, Parameter::Bytes]).begin(&mut out);
        for n in 1..=3 {
            bulk_value(&mut out);
            put_integer(&mut out, n);
            bulk_value(&mut out);
            put_bytes(&mut out, b"xyz");
        }
        end(&mut out, at);
        let Ok(Command::StmtBulkExecute { id: 7, flags, sets }) = Command::decode(&out[HEADER..]) else {
            panic!("{out:?}")
        };
        let mut sets = BulkSets::new(sets, flags, 2, &mut Vec::new()).expect("sets");
        let mut set = Vec::new();
        for n in 1..=3 {
            assert_eq!(sets.next(&mut set), Ok(true));
            assert_eq!(set[0], BulkParameter::Value(crate::command::Parameter::UInt(n)));
        }
        assert_eq!(sets.next(&mut set), Ok(false));
    }

    #[test]
    fn decimals_are_what_rust_prints() {
        for n in [0, 9, 10, 12345, u64::MAX] {
            let mut out = Vec::new();
            put_decimal(&mut out, n);
            assert_eq!(out, n.to_string().into_bytes());
        }
    }
}
