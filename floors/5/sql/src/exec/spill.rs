//! Rows in temporary files: written one behind the other, read back in that order, or one by its place.
//!
//! A record is a key and a row: lengths, key bytes, packed values. Files have no name and end with their user; a disk
//! without room is error 1021.
//!
//! `rows` keeps rows in memory while they have room there. What sorts, groups, parts or joins has files of its own.

use super::Cx;
use crate::error::SqlError;
use crate::session::counters::Counter;
use engine::TemporaryFile;
use std::hash::Hasher;
use std::io::{self, ErrorKind};
use std::rc::Rc;
use types::Value;
use types::packed::Packer;

/// Bytes gathered before they are written, and read at once.
const BLOCK: usize = 256 << 10;
/// Bytes read at once where one record is wanted.
const RECORD: usize = 512;

/// A file of rows being written.
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
        cx.count(Counter::CreatedTmpFiles, 1);
        Ok(Self { file, packer: Packer::default(), buffer: Vec::new(), rows: 0 })
    }

    /// Appends a row with its key; gives its place.
    pub fn push(&mut self, key: &[u8], row: &[Value]) -> Result<u64, SqlError> {
        let start = self.buffer.len();
        let place = self.file.len() + start as u64;
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
        if self.buffer.len() >= BLOCK {
            self.flush()?;
        }
        Ok(place)
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

    /// Bytes written.
    pub fn bytes(&self) -> u64 {
        self.file.len() + self.buffer.len() as u64
    }

    /// No more rows are written.
    pub fn finish(mut self) -> Result<Rc<Written>, SqlError> {
        self.flush()?;
        Ok(Rc::new(Written { file: self.file, packer: self.packer }))
    }

    /// Reads the rows from the first one on.
    pub fn read(self) -> Result<RowReader, SqlError> {
        Ok(RowReader::over(self.finish()?))
    }
}

/// A file of rows that is read.
pub struct Written {
    file: TemporaryFile,
    packer: Packer,
}

impl Written {
    /// Puts the record at a place into `key` and `row`.
    pub fn record_at(&self, place: u64, key: &mut Vec<u8>, row: &mut Vec<Value>) -> Result<(), SqlError> {
        let mut buffer = vec![0; RECORD];
        let read = self.read_at(&mut buffer, place)?;
        buffer.truncate(read);
        let (key_len, row_len) = lengths(&buffer)?;
        let wanted = 8 + key_len + row_len;
        if buffer.len() < wanted {
            let held = buffer.len();
            buffer.resize(wanted, 0);
            if self.read_at(&mut buffer[held..], place + held as u64)? < wanted - held {
                return Err(damaged());
            }
        }
        self.unpack(&buffer[8..wanted], key_len, key, row)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize, SqlError> {
        self.file.read_at(buffer, offset).map_err(|error| failed(&error))
    }

    fn unpack(
        &self,
        body: &[u8],
        key_len: usize,
        key: &mut Vec<u8>,
        row: &mut Vec<Value>,
    ) -> Result<(), SqlError> {
        let (head, packed) = body.split_at(key_len);
        key.clear();
        key.extend_from_slice(head);
        self.packer.read_row(packed, row).ok_or_else(damaged)
    }
}

/// A record's lengths: of the key, of the row.
fn lengths(record: &[u8]) -> Result<(usize, usize), SqlError> {
    let length = |at: usize| {
        let bytes = record.get(at..at + 4).and_then(|b| b.try_into().ok()).ok_or_else(damaged)?;
        Ok::<usize, SqlError>(u32::from_le_bytes(bytes) as usize)
    };
    Ok((length(0)?, length(4)?))
}

/// A walk over a file of rows.
pub struct RowReader {
    file: Rc<Written>,
    buffer: Vec<u8>,
    /// Where the bytes behind the buffer begin.
    offset: u64,
    /// Where in the buffer the next record begins.
    at: usize,
}

impl RowReader {
    /// From the first row on.
    pub fn over(file: Rc<Written>) -> Self {
        Self { file, buffer: Vec::new(), offset: 0, at: 0 }
    }

    /// Puts the next record into `key` and `row`; false at the end.
    pub fn next(&mut self, key: &mut Vec<u8>, row: &mut Vec<Value>) -> Result<bool, SqlError> {
        if !self.fill(8)? {
            return Ok(false);
        }
        let (key_len, row_len) = lengths(&self.buffer[self.at..])?;
        let wanted = 8 + key_len + row_len;
        if !self.fill(wanted)? {
            return Err(damaged());
        }
        self.file.unpack(&self.buffer[self.at + 8..self.at + wanted], key_len, key, row)?;
        self.at += wanted;
        Ok(true)
    }

    /// Has `wanted` bytes ready behind `at`; false where the file ends at `at`.
    fn fill(&mut self, wanted: usize) -> Result<bool, SqlError> {
        let buffer = &mut self.buffer;
        if buffer.len() - self.at >= wanted {
            return Ok(true);
        }
        buffer.drain(..self.at);
        self.at = 0;
        let held = buffer.len();
        let left = usize::try_from(self.file.file.len().saturating_sub(self.offset)).unwrap_or(BLOCK);
        buffer.resize(wanted.max((held + left).min(BLOCK)), 0);
        let read = self.file.read_at(&mut buffer[held..], self.offset)?;
        buffer.truncate(held + read);
        self.offset += read as u64;
        match buffer.len() {
            0 => Ok(false),
            len if len >= wanted => Ok(true),
            _ => Err(damaged()),
        }
    }
}

/// Files that rows are parted into, at each depth.
pub const PARTS: usize = 16;
/// How often rows are parted at most: keys that still fall together are the same, or too few to matter.
pub const DEPTH_MAX: u32 = 4;

/// Rows in files by a part of their keys' hash.
pub struct Parts {
    /// None where no row has come.
    files: [Option<RowFile>; PARTS],
    depth: u32,
}

impl Parts {
    /// Empty ones; rows have been parted `depth` times before.
    pub fn new(depth: u32) -> Self {
        Self { files: Default::default(), depth }
    }

    /// Appends a row to the part of `parting`.
    pub fn push(
        &mut self,
        parting: &[u8],
        key: &[u8],
        row: &[Value],
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        // Another hash at each depth: what fell together before is parted now.
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write_u32(self.depth);
        hasher.write(parting);
        let part = &mut self.files[hasher.finish() as usize % PARTS];
        let file = match part {
            Some(file) => file,
            None => part.insert(RowFile::new(cx)?),
        };
        file.push(key, row).map(drop)
    }

    /// The parts, and the depth of what is made of them.
    pub fn into_files(self) -> ([Option<RowFile>; PARTS], u32) {
        (self.files, self.depth + 1)
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
