//! DISTINCT: the first row of each kind.
//!
//! Rows are known as new at once while their keys have room in memory. Once they have none, rows of further kinds wait in
//! files, parted by their keys' hash, until all have come; then each part is looked through by itself, and a sort
//! brings the first rows of all kinds into the order in which they came. So the rows are the same, in the same order,
//! whatever the room.

use super::keys::Keys;
use super::memory::{ENTRY, Operator};
use super::sort::Sorter;
use super::spill::{DEPTH_MAX, Parts, RowFile};
use super::{Cx, Flow};
use crate::error::SqlError;
use crate::session::counters::Counter;
use types::Value;

/// What becomes of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// It is the first of its kind.
    New,
    /// One like it came before.
    Before,
    /// Nobody knows yet: it is to be put aside.
    Unclear,
}

/// Keys seen.
#[derive(Default)]
pub struct Unique {
    keys: Keys,
    /// Bytes held.
    held: usize,
    /// Rows that wait. A record's key is: arrival (8), length of the row's own key (4), that key, something for whoever
    /// takes the row.
    waiting: Option<Parts>,
    arrivals: u64,
    depth: u32,
    record: Vec<u8>,
}

impl Unique {
    /// Takes a row by the bytes in which it equals those of its kind.
    pub fn insert(&mut self, key: &[u8], cx: &mut Cx<'_>) -> Result<Seen, SqlError> {
        let Err(hash) = self.keys.find(key) else { return Ok(Seen::Before) };
        let bytes = key.len() + ENTRY;
        let full = self.held + bytes > cx.work_memory(Operator::Group) && self.depth < DEPTH_MAX;
        if self.waiting.is_some() || full && !self.keys.is_empty() {
            cx.count(Counter::CreatedTmpDiskTables, u64::from(self.waiting.is_none()));
            return Ok(Seen::Unclear);
        }
        cx.charge(bytes)?;
        cx.count(Counter::CreatedTmpTables, u64::from(self.keys.is_empty()));
        cx.count(Counter::HandlerTmpWrite, 1);
        self.held += bytes;
        self.keys.add(hash, key)?;
        Ok(Seen::New)
    }

    /// Puts an unclear row aside, with what whoever takes it wants to know.
    pub fn put_aside(
        &mut self,
        key: &[u8],
        note: &[u8],
        row: &[Value],
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        self.arrivals += 1;
        self.put(self.arrivals, key, note, row, cx)
    }

    fn put(
        &mut self,
        arrival: u64,
        key: &[u8],
        note: &[u8],
        row: &[Value],
        cx: &mut Cx<'_>,
    ) -> Result<(), SqlError> {
        let length = u32::try_from(key.len()).map_err(|_| SqlError::out_of_resources())?;
        self.record.clear();
        self.record.extend_from_slice(&arrival.to_be_bytes());
        self.record.extend_from_slice(&length.to_be_bytes());
        self.record.extend_from_slice(key);
        self.record.extend_from_slice(note);
        let depth = self.depth;
        self.waiting.get_or_insert_with(|| Parts::new(depth)).push(key, &self.record, row, cx)
    }

    /// Hands on those that waited and are the first of their kinds, in the order in which they came, with their notes.
    pub fn finish(
        mut self,
        cx: &mut Cx<'_>,
        mut each: impl FnMut(&mut Cx<'_>, &[u8], Vec<Value>) -> Result<Flow, SqlError>,
    ) -> Result<Flow, SqlError> {
        let Some(waiting) = self.waiting.take() else {
            self.release(cx);
            return Ok(Flow::Continue);
        };
        self.release(cx);
        let mut sorter = Sorter::new(&[], None);
        let (files, depth) = waiting.into_files();
        for file in files.into_iter().flatten() {
            first_of_each(file, depth, cx, &mut sorter)?;
        }
        sorter.drain_keyed(cx, &mut |cx, record, row| each(cx, note_of(record), row))
    }

    /// No more rows are taken.
    pub fn release(&mut self, cx: &mut Cx<'_>) {
        self.keys = Keys::default();
        cx.release(std::mem::take(&mut self.held));
    }
}

/// Gives the first row of each kind in a part to the sorter.
fn first_of_each(
    file: RowFile,
    depth: u32,
    cx: &mut Cx<'_>,
    sorter: &mut Sorter<'_>,
) -> Result<(), SqlError> {
    let mut unique = Unique { depth, ..Unique::default() };
    let mut rows = file.read()?;
    let (mut record, mut row) = (Vec::new(), Vec::new());
    while rows.next(&mut record, &mut row)? {
        cx.check_interrupt()?;
        let (arrival, key) = parts_of(&record)?;
        match unique.insert(key, cx)? {
            Seen::New => sorter.push_keyed(cx, &record, &row)?,
            Seen::Before => {}
            Seen::Unclear => unique.put(arrival, key, note_of(&record), &row, cx)?,
        }
    }
    let waiting = unique.waiting.take();
    unique.release(cx);
    if let Some(waiting) = waiting {
        let (files, depth) = waiting.into_files();
        for file in files.into_iter().flatten() {
            first_of_each(file, depth, cx, sorter)?;
        }
    }
    Ok(())
}

/// Where a record's own key begins.
const HEAD: usize = 12;

/// The arrival and the row's own key in a record's key.
fn parts_of(record: &[u8]) -> Result<(u64, &[u8]), SqlError> {
    let damaged = || SqlError::internal_error("read a row put aside");
    let arrival = record.first_chunk().map(|bytes| u64::from_be_bytes(*bytes)).ok_or_else(damaged)?;
    let length = record.get(8..HEAD).and_then(|bytes| bytes.try_into().ok()).ok_or_else(damaged)?;
    let key = record.get(HEAD..HEAD + u32::from_be_bytes(length) as usize).ok_or_else(damaged)?;
    Ok((arrival, key))
}

fn note_of(record: &[u8]) -> &[u8] {
    let Ok((_, key)) = parts_of(record) else { return &[] };
    &record[HEAD + key.len()..]
}
