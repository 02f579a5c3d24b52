//! flexasync: after NDB's flexAsync. Every row is inserted, read, updated, read again, deleted, and looked for once more,
//! by primary key, in transactions of so many rows; each answer is checked.
//!
//! ```text
//! flexasync: id BIGINT UNSIGNED PRIMARY KEY | v BIGINT UNSIGNED | data VARBINARY(n)
//! row `number` has id = key(number), v = a mix of id and generation, data = the bytes of v again and again
//! ```
//! Each of the `threads x parallel` workers has rows of its own, so that every answer is known beforehand.

pub mod in_process;
pub mod wire;

use crate::BenchError;
use crate::random::mix;
use std::ops::Range;

/// What to do to how many rows.
#[derive(Debug, Clone)]
pub struct Flex {
    /// Database; it is made if it is missing.
    pub database: String,
    /// Rows in all.
    pub rows: u64,
    /// Bytes of a record.
    pub size: usize,
    /// Rows of a transaction; one: the statement is its own.
    pub operations: u64,
    /// Rows of a bulk execution, where rows are written through the protocol; one: a statement each.
    pub bulk: u64,
    /// Keys in random order over all 64 bits; otherwise 0, 1, 2, ...
    pub scattered: bool,
}

/// Bytes of a record that are not data.
const FIXED: usize = 16;
/// Longest data.
const DATA_MAX: usize = 32 << 10;

/// One pass over all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    Insert,
    Read,
    Update,
    ReadUpdated,
    Delete,
    ReadDeleted,
}

impl Pass {
    const ALL: [Pass; 6] =
        [Pass::Insert, Pass::Read, Pass::Update, Pass::ReadUpdated, Pass::Delete, Pass::ReadDeleted];

    fn name(self) -> &'static str {
        match self {
            Pass::Insert => "insert",
            Pass::Read => "read",
            Pass::Update => "update",
            Pass::ReadUpdated => "read updated",
            Pass::Delete => "delete",
            Pass::ReadDeleted => "read deleted",
        }
    }

    fn reads(self) -> bool {
        matches!(self, Pass::Read | Pass::ReadUpdated | Pass::ReadDeleted)
    }

    /// Of the rows that this pass writes, or expects to read.
    fn generation(self) -> u64 {
        match self {
            Pass::Insert | Pass::Read => 0,
            _ => 1,
        }
    }
}

impl Flex {
    /// Refuses what no table can have.
    pub fn checked(self) -> Result<Flex, BenchError> {
        if self.rows == 0
            || self.operations == 0
            || self.bulk == 0
            || !(FIXED + 1..=FIXED + DATA_MAX).contains(&self.size)
        {
            let most = FIXED + DATA_MAX;
            return Err(BenchError::Wish(format!(
                "rows, operations and bulk start at 1, a record has {} to {most} bytes",
                FIXED + 1
            )));
        }
        Ok(self)
    }

    fn data_len(&self) -> usize {
        self.size - FIXED
    }

    #[inline]
    fn key(&self, number: u64) -> u64 {
        // `mix` gives each number its own.
        if self.scattered { mix(number) } else { number }
    }

    /// The rows of one of `workers`.
    fn share(&self, worker: usize, workers: usize) -> Range<u64> {
        let bound = |n: usize| (u128::from(self.rows) * n as u128 / workers as u128) as u64;
        bound(worker)..bound(worker + 1)
    }
}

/// The column `v` of a row.
#[inline]
fn v_of(id: u64, generation: u64) -> u64 {
    mix(id.wrapping_add(generation).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Appends the column `data` of a row.
#[inline]
fn put_data(v: u64, len: usize, out: &mut Vec<u8>) {
    let bytes = v.to_le_bytes();
    let end = out.len() + len;
    while out.len() < end {
        out.extend_from_slice(&bytes);
    }
    out.truncate(end);
}

/// Whether this is the data of a row.
#[inline]
fn is_data(v: u64, len: usize, data: &[u8]) -> bool {
    let bytes = v.to_le_bytes();
    data.len() == len && data.chunks(bytes.len()).all(|chunk| *chunk == bytes[..chunk.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flex() -> Flex {
        Flex { database: "d".into(), rows: 1000, size: 100, operations: 1, bulk: 1, scattered: true }
    }

    #[test]
    fn shares_are_all_rows_once() {
        for workers in [1, 3, 7, 1000, 1500] {
            let mut next = 0;
            for worker in 0..workers {
                let share = flex().share(worker, workers);
                assert_eq!(share.start, next);
                next = share.end;
            }
            assert_eq!(next, 1000);
        }
    }

    #[test]
    fn keys_are_different_and_data_are_known() {
        let keys: std::collections::BTreeSet<u64> = (0..1000).map(|n| flex().key(n)).collect();
        assert_eq!(keys.len(), 1000);
        for len in [1, 7, 8, 9, 84] {
            let mut data = Vec::new();
            put_data(42, len, &mut data);
            assert!(is_data(42, len, &data));
            assert!(!is_data(43, len, &data) && !is_data(42, len + 1, &data));
            *data.last_mut().expect("a byte") ^= 1;
            assert!(!is_data(42, len, &data));
        }
        assert_ne!(v_of(1, 0), v_of(1, 1));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Flex { size: 16, ..flex() }.checked().is_err());
        assert!(Flex { operations: 0, ..flex() }.checked().is_err());
        assert!(flex().checked().is_ok());
    }
}
