//! What planners ask of a table's contents: how many different values the leading parts of its indexes have, and some
//! of its rows.
//!
//! Nothing is stored and nothing has to be run: statistics are taken from a few dozen leaves when first asked for, and
//! again once enough of the table has changed since. In a sorted index the part of neighbours that differ tells the
//! number of different values: `distinct = 1 + (rows - 1) * differing / pairs`. Where few of them do, as they are so many
//! rows each, the values that leaves begin with tell it: `n` leaves of a table of `d` values begin with
//! `d * (1 - (1 - 1/d)^n)` different ones.

use crate::catalog::{Table, TableTree};
use crate::core::decode;
use crate::error::Result;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tree::Cursor;

/// Leaves looked at in each tree, and neighbours in each.
const LEAVES: u64 = 32;
/// Leaves whose beginnings are looked at where those of the first ones hardly tell how many values there are.
const BEGINNINGS: u64 = 160;
const NEIGHBOURS: usize = 80;
/// Rows kept of a leaf.
const ROWS_A_LEAF: usize = 24;
/// Leaves begin where keys differ more often than elsewhere: up to so many of their entries are passed over.
const PASSED_OVER: u64 = 96;
/// Fewer neighbours that differ tell little.
const TELLING: u64 = 8;
/// Bytes of rows kept as a sample.
const SAMPLE_BYTES: usize = 256 << 10;
/// Statistics are old once more than this part of the rows (and this many) have changed.
const OLD_PART: u64 = 10;
const OLD_ROWS: u64 = 64;

/// Statistics of a table at one time.
#[derive(Debug, Default)]
pub struct Statistics {
    /// Rows that the table had.
    pub rows: u64,
    /// Different values of the first 1, 2 ... own parts of each index of the definition.
    pub distinct: Vec<Vec<f64>>,
    /// Images of some rows from all over the table.
    pub sample: Vec<Box<[u8]>>,
    /// The table's count of changes when they were taken.
    at: u64,
}

/// The statistics that a table keeps.
#[derive(Debug, Default)]
pub(super) struct KeptStatistics(Mutex<Option<Arc<Statistics>>>);

impl Table {
    /// The table's statistics, taken anew when they are old.
    pub fn statistics(&self) -> Result<Arc<Statistics>> {
        let changes = self.counters.changes.load(Ordering::Relaxed);
        let kept = self.statistics.0.lock().clone();
        if let Some(kept) = kept
            && changes.wrapping_sub(kept.at) <= OLD_ROWS.max(kept.rows / OLD_PART)
        {
            return Ok(kept);
        }
        // Two sessions may both take them: that is cheaper than one waiting for the other.
        let taken = Arc::new(self.take_statistics(changes)?);
        *self.statistics.0.lock() = Some(taken.clone());
        Ok(taken)
    }

    /// Has the next [`Table::statistics`] look at the table again.
    pub fn forget_statistics(&self) {
        *self.statistics.0.lock() = None;
    }

    fn take_statistics(&self, changes: u64) -> Result<Statistics> {
        let rows = self.row_count();
        let mut taken = Statistics { rows, at: changes, ..Statistics::default() };
        taken.distinct.resize(self.def().indexes.len(), Vec::new());
        let mut bytes = 0;
        for (place, tree) in self.trees().iter().enumerate() {
            // Parts of a digest are not told apart.
            let parts = tree.key.as_ref().map_or(0, |key| if key.is_digest() { 1 } else { key.own_parts() });
            let mut seen = Neighbours::of(parts);
            let small = rows <= LEAVES * NEIGHBOURS as u64;
            let (runs, length) = if small { (1, usize::MAX) } else { (LEAVES, NEIGHBOURS) };
            let kept = if small { usize::MAX } else { ROWS_A_LEAF };
            for seed in 0..runs {
                let cursor = if small {
                    let all = std::ops::Bound::Unbounded;
                    tree.handle.tree.cursor(all, all, tree::Direction::Forward)
                } else {
                    tree.handle.tree.cursor_at_random(seed)?
                };
                let passed_over = if small { 0 } else { passed_over(seed) };
                self.look_at(place, cursor, (passed_over, length), &mut seen, |nth, row| {
                    if nth < kept && bytes < SAMPLE_BYTES {
                        bytes += row.len();
                        taken.sample.push(row.into());
                    }
                })?;
            }
            for seed in LEAVES..BEGINNINGS {
                if small || !seen.hardly_tell() {
                    break;
                }
                let cursor = tree.handle.tree.cursor_at_random(seed)?;
                self.look_at(place, cursor, (passed_over(seed), 1), &mut seen, |_, _| {})?;
            }
            if let Some(index) = tree.index {
                taken.distinct[index] = seen.distinct(rows, tree.unique);
            }
        }
        Ok(taken)
    }

    /// Counts differing neighbours among the next `length` entries of a tree; rows of the clustered one go to `keep`.
    fn look_at(
        &self,
        place: usize,
        mut cursor: Cursor,
        (passed_over, length): (usize, usize),
        seen: &mut Neighbours,
        mut keep: impl FnMut(usize, &[u8]),
    ) -> Result<()> {
        let tree: &TableTree = &self.trees()[place];
        for _ in 0..passed_over {
            cursor.advance(&tree.handle.tree)?;
        }
        let (mut last, mut row, mut key) = (Vec::new(), Vec::new(), Vec::new());
        let mut ends = Vec::new();
        for nth in 0..length {
            runtime::slice_point();
            if !cursor.advance(&tree.handle.tree)? {
                break;
            }
            let Some(payload) = decode(&tree.handle, cursor.value())?.payload else { continue };
            row.clear();
            if place == 0 {
                row.extend_from_slice(payload);
                keep(nth, &row);
            }
            let Some(key_of) = &tree.key else { continue };
            let parts = if key_of.is_digest() { 1 } else { key_of.own_parts() };
            let begins = last.is_empty();
            if place > 0 {
                let own = super::secondary::own_len(payload).min(cursor.key().len());
                if begins && parts == 1 {
                    seen.begin(cursor.key(), &[own]);
                    last.extend_from_slice(cursor.key());
                    continue;
                }
                if !begins && (parts == 1 || last.get(..own) == Some(&cursor.key()[..own])) {
                    seen.add(&last, cursor.key(), &vec![own; parts]);
                    last.clear();
                    last.extend_from_slice(cursor.key());
                    continue;
                }
                if !self.row_of_entry(cursor.key(), payload, &mut row)? {
                    continue;
                }
            }
            // The entry's own bytes are compared; the row tells where each part of them ends.
            ends.clear();
            key.clear();
            for part in 0..parts {
                let column = key_of.parts()[part].column;
                let value = self.layout().decode_column(&row, column)?;
                key_of.append_part(part, &value, &mut key)?;
                ends.push(key.len());
            }
            match begins {
                true => seen.begin(cursor.key(), &ends),
                false => seen.add(&last, cursor.key(), &ends),
            }
            last.clear();
            last.extend_from_slice(cursor.key());
        }
        Ok(())
    }

    /// The newest row behind an entry of a secondary tree; false where it is gone.
    pub(crate) fn row_of_entry(&self, key: &[u8], payload: &[u8], row: &mut Vec<u8>) -> Result<bool> {
        let Some(clustered) = super::secondary::clustered_part(key, payload) else { return Ok(false) };
        let handle = &self.trees()[0].handle;
        let mut value = Vec::new();
        if !handle.tree.get(clustered, &mut value)? {
            return Ok(false);
        }
        row.clear();
        let payload = decode(handle, &value)?.payload;
        row.extend_from_slice(payload.unwrap_or_default());
        Ok(payload.is_some())
    }
}

/// Entries of a leaf that are passed over.
fn passed_over(seed: u64) -> usize {
    (seed * 29 % PASSED_OVER) as usize
}

/// How many neighbours of an index differ in its first 1, 2 ... parts.
struct Neighbours {
    differing: Vec<u64>,
    pairs: u64,
    /// What leaves begin with, by the first 1, 2 ... parts, and how many leaves there were.
    begins: Vec<HashSet<Box<[u8]>>>,
    leaves: u64,
}

impl Neighbours {
    fn of(parts: usize) -> Self {
        Self { differing: vec![0; parts], pairs: 0, begins: vec![HashSet::new(); parts], leaves: 0 }
    }

    fn begin(&mut self, key: &[u8], ends: &[usize]) {
        self.leaves += 1;
        for (begins, &end) in self.begins.iter_mut().zip(ends) {
            begins.insert(key[..end.min(key.len())].into());
        }
    }

    fn add(&mut self, a: &[u8], b: &[u8], ends: &[usize]) {
        self.pairs += 1;
        let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        for (differing, end) in self.differing.iter_mut().zip(ends) {
            *differing += u64::from(common < *end);
        }
    }

    /// Whether beginnings that tell of some parts were alike too seldom.
    fn hardly_tell(&self) -> bool {
        let hardly = |begins: &HashSet<_>| begins.len() as u64 * 2 > self.leaves;
        self.differing.iter().zip(&self.begins).any(|(&differing, b)| differing < TELLING && hardly(b))
    }

    fn distinct(&self, rows: u64, unique: bool) -> Vec<f64> {
        let rows = rows as f64;
        let of = |(&differing, begins): (&u64, &HashSet<Box<[u8]>>)| match self.pairs {
            0 => rows.max(1.0),
            pairs => {
                let by_neighbours = (1.0 + (rows - 1.0).max(0.0) * differing as f64 / pairs as f64).max(1.0);
                match differing < TELLING && self.leaves > 1 {
                    true => by_beginnings(begins.len() as u64, self.leaves, by_neighbours)
                        .clamp(1.0, rows.max(1.0)),
                    false => by_neighbours,
                }
            }
        };
        let mut distinct: Vec<f64> = self.differing.iter().zip(&self.begins).map(of).collect();
        if let Some(whole) = distinct.last_mut().filter(|_| unique) {
            *whole = rows.max(1.0);
        }
        distinct
    }
}

/// Different values of a table of which so many `leaves` begin with `found` different ones. Where all differ there are many:
/// so many at least that two would be alike, or `otherwise`.
fn by_beginnings(found: u64, leaves: u64, otherwise: f64) -> f64 {
    let (found, leaves) = (found as f64, leaves as f64);
    let alike = leaves * (leaves - 1.0) / 2.0;
    if found >= leaves {
        return alike.max(otherwise);
    }
    let (mut low, mut high) = (found, alike.max(found));
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        let expected = middle * (1.0 - (1.0 - 1.0 / middle).powf(leaves));
        if expected < found { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_tell_how_many_values_there_are() {
        for (found, from, to) in
            [(1, 1.0, 1.0), (2, 2.0, 2.1), (10, 10.0, 11.0), (27, 60.0, 110.0), (31, 300.0, 496.0)]
        {
            let told = by_beginnings(found, 32, 1.0);
            assert!((from..=to).contains(&told), "{found} of 32: {told}");
        }
        assert_eq!(by_beginnings(32, 32, 1.0), 496.0);
        assert_eq!(by_beginnings(32, 32, 9000.0), 9000.0);
    }
}
