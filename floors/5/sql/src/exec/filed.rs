//! Rows in a file, found by their keys: what has to be looked up in any order and has no room in memory.
//!
//! Memory holds a row's place and a part of its key's hash, whatever the row's size. Keys of one hash are told apart by
//! reading them.

use super::spill::{RowFile, Written};
use super::{Cx, Flow};
use crate::error::SqlError;
use hashbrown::HashMap;
use std::hash::Hasher;
use std::rc::Rc;
use types::Value;

/// Bytes that a row takes in memory.
const ROW_BYTES: usize = 40;

/// Rows being filed.
pub struct Filing {
    file: RowFile,
    index: Index,
}

/// Where rows are, by their keys' hashes.
#[derive(Default)]
struct Index {
    /// The last row of each hash.
    tails: HashMap<u64, u32>,
    /// The next row of the same hash; behind the last one comes the first.
    next: Vec<u32>,
    /// The record of each row.
    places: Vec<u64>,
}

/// Rows filed.
pub struct Filed {
    file: Rc<Written>,
    index: Index,
}

fn hash(key: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(key);
    hasher.finish()
}

impl Filing {
    /// No rows yet.
    pub fn new(cx: &mut Cx<'_>) -> Result<Self, SqlError> {
        Ok(Self { file: RowFile::new(cx)?, index: Index::default() })
    }

    /// Adds a row.
    pub fn push(&mut self, key: &[u8], row: &[Value], cx: &mut Cx<'_>) -> Result<(), SqlError> {
        cx.charge(ROW_BYTES)?;
        let Index { tails, next, places } = &mut self.index;
        let number = u32::try_from(places.len()).map_err(|_| SqlError::out_of_resources())?;
        places.push(self.file.push(key, row)?);
        next.push(number);
        if let Some(tail) = tails.insert(hash(key), number) {
            next[number as usize] = std::mem::replace(&mut next[tail as usize], number);
        }
        Ok(())
    }

    /// No more rows are added.
    pub fn finish(self) -> Result<Filed, SqlError> {
        Ok(Filed { file: self.file.finish()?, index: self.index })
    }
}

impl Filed {
    /// Calls `each` for the rows of a key, in the order in which they came.
    pub fn find(
        &self,
        key: &[u8],
        cx: &mut Cx<'_>,
        mut each: impl FnMut(&mut Cx<'_>, &[Value]) -> Result<Flow, SqlError>,
    ) -> Result<Flow, SqlError> {
        let (mut own, mut row) = (Vec::new(), Vec::new());
        let Some(&last) = self.index.tails.get(&hash(key)) else { return Ok(Flow::Continue) };
        let mut at = last;
        loop {
            cx.check_interrupt()?;
            at = self.index.next[at as usize];
            self.file.record_at(self.index.places[at as usize], &mut own, &mut row)?;
            if own == key && each(cx, &row)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            if at == last {
                return Ok(Flow::Continue);
            }
        }
    }

    /// Whether there is a row of a key.
    pub fn contains(&self, key: &[u8], cx: &mut Cx<'_>) -> Result<bool, SqlError> {
        Ok(self.find(key, cx, |_, _| Ok(Flow::Stop))? == Flow::Stop)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.index.places.len() * ROW_BYTES
    }
}
