//! Rows in temporary files: written one behind the other, read back in that order.
//!
//! A record is a key and a row: lengths, key bytes, packed values. Files have no name and end with their user; a disk
//! without room is error 1021.

use super::Cx;
use crate::error::SqlError;
use engine::TemporaryFile;
use std::io::{self, ErrorKind};
use types::Value;
use types::packed::Packer;

/// Bytes gathered before they are written, and read at once.
const BLOCK: usize = 256 << 10;

/// A file of rows.
pub struct RowFile {
    file: TemporaryFile,
    packer: Packer,
    buffer: Vec<u8>,
    rows: u64,
}

impl RowFile {
    /// An empty file.
    pub fn new(cx: &mut Cx<'_>) -> Result<Self, SqlError> {
        let file = cx.state.engine.temporary_file().map_err(|error| failed(&error))?;
        cx.spilled += 1;
        Ok(Self { file, packer: Packer::default(), buffer: Vec::new(), rows: 0 })
    }

    /// Appends a row with its key.
    pub fn push(&mut self, key: &[u8], row: &[Value]) -> Result<(), SqlError> {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(&[0; 8]);
        self.buffer.extend_from_slice(key);
        let middle = self.buffer.len();
        row.iter().for_each(|value| self.packer.write(value, &mut self.buffer));
        let lengths = [middle - start - 8, self.buffer.len() - middle];
        for (at, length) in lengths.into_iter().enumerate() {
            let length = u32::try_from(length).map_err(|_| SqlError::out_of_resources())?;
            self.buffer[start + at * 4..][..4].copy_from_slice(&length.to_le_bytes());
        }
        self.rows += 1;
        if self.buffer.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), SqlError> {
        self.file.append(&self.buffer).map_err(|error| failed(&error))?;
        self.buffer.clear();
        Ok(())
    }

    /// Rows written.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Reads the rows from the first one on.
    pub fn read(mut self) -> Result<RowReader, SqlError> {
        self.flush()?;
        Ok(RowReader { file: self, offset: 0, at: 0 })
    }
}

/// A walk over a file of rows.
pub struct RowReader {
    file: RowFile,
    /// Where the bytes behind the buffer begin.
    offset: u64,
    /// Where in the buffer the next record begins.
    at: usize,
}

impl RowReader {
    /// Puts the next record into `key` and `row`; false at the end.
    pub fn next(&mut self, key: &mut Vec<u8>, row: &mut Vec<Value>) -> Result<bool, SqlError> {
        if !self.fill(8)? {
            return Ok(false);
        }
        let length = |at: usize| {
            let bytes = self.file.buffer.get(at..at + 4).and_then(|b| b.try_into().ok());
            bytes.map_or(0, u32::from_le_bytes) as usize
        };
        let (key_len, row_len) = (length(self.at), length(self.at + 4));
        if !self.fill(8 + key_len + row_len)? {
            return Err(damaged());
        }
        let (head, mut packed) =
            self.file.buffer[self.at + 8..self.at + 8 + key_len + row_len].split_at(key_len);
        key.clear();
        key.extend_from_slice(head);
        row.clear();
        while !packed.is_empty() {
            row.push(self.file.packer.read(&mut packed).ok_or_else(damaged)?);
        }
        self.at += 8 + key_len + row_len;
        Ok(true)
    }

    /// Has `wanted` bytes ready behind `at`; false where the file ends at `at`.
    fn fill(&mut self, wanted: usize) -> Result<bool, SqlError> {
        let buffer = &mut self.file.buffer;
        if buffer.len() - self.at >= wanted {
            return Ok(true);
        }
        buffer.drain(..self.at);
        self.at = 0;
        let held = buffer.len();
        buffer.resize(wanted.max(BLOCK), 0);
        let read =
            self.file.file.read_at(&mut buffer[held..], self.offset).map_err(|error| failed(&error))?;
        buffer.truncate(held + read);
        self.offset += read as u64;
        match buffer.len() {
            0 => Ok(false),
            len if len >= wanted => Ok(true),
            _ => Err(damaged()),
        }
    }
}

/// What a temporary file's failure tells the client.
fn failed(error: &io::Error) -> SqlError {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => SqlError::new(
            1021,
            b"HY000",
            "Disk full (temporary file); waiting for someone to free some space...",
        ),
        _ => SqlError::new(1026, b"HY000", format!("Error writing file 'temporary' (errno: {error})")),
    }
}

fn damaged() -> SqlError {
    SqlError::new(1024, b"HY000", "Error reading file 'temporary'")
}
