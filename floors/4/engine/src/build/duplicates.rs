//! Values of a unique index that two rows may have.
//!
//! A build that goes on beside writers meets a value twice without any two rows having had it at once: a row that was
//! scanned gave it away, and one that was scanned later took it. Such values are only noted, and looked at when the
//! tree stands at a commit.

use crate::catalog::secondary::own_len;
use crate::catalog::{SecondaryEntry, Table, TreeHandle};
use crate::core::decode;
use crate::error::Result;
use crate::options::{KeyRange, prefix_end};
use crate::txn::as_slice;
use std::collections::BTreeSet;
use std::ops::Bound;

/// Values noted; with more the whole tree is looked through.
const NOTED_MAX: usize = 10_000;

/// The values that were met twice.
#[derive(Debug, Default)]
pub(super) struct Suspects {
    values: BTreeSet<Box<[u8]>>,
    too_many: bool,
}

/// A row that has a value that another one has: the later one of the two in the order of the rows.
struct Later {
    clustered: Vec<u8>,
    row: Vec<u8>,
}

impl Suspects {
    /// Notes a value, as the own part of an entry's key.
    pub(super) fn add(&mut self, own: &[u8]) {
        if self.too_many || self.values.contains(own) {
            return;
        }
        if self.values.len() < NOTED_MAX {
            self.values.insert(own.into());
        } else {
            self.too_many = true;
            self.values.clear();
        }
    }

    /// Notes the value of an entry that has come if there is another one with it.
    pub(super) fn look_for_another(&mut self, tree: &TreeHandle, entry: &SecondaryEntry) -> Result<()> {
        let range = KeyRange::prefix(entry.own_part());
        let mut cursor = tree.tree.cursor(as_slice(&range.lo), as_slice(&range.hi), tree::Direction::Forward);
        while cursor.advance(&tree.tree)? {
            if cursor.key() != entry.key.as_slice() {
                self.add(entry.own_part());
                break;
            }
        }
        Ok(())
    }

    /// The image of a row that has a noted value together with another one: of all of them the one that comes first
    /// in the order of the rows. Values that turn out well are forgotten; those whose rows have changed since the
    /// tree's commit are looked at again next time.
    pub(super) fn prove(&mut self, table: &Table, place: usize) -> Result<Option<Vec<u8>>> {
        let values = std::mem::take(&mut self.values);
        let mut first: Option<Later> = None;
        if std::mem::take(&mut self.too_many) {
            self.look(table, place, (Bound::Unbounded, Bound::Unbounded), &mut first)?;
        }
        for own in values {
            let hi = prefix_end(&own);
            self.look(table, place, (Bound::Included(&own), as_slice(&hi)), &mut first)?;
        }
        Ok(first.map(|later| later.row))
    }

    /// Looks for equal neighbours in a part of the tree.
    fn look(
        &mut self,
        table: &Table,
        place: usize,
        (lo, hi): (Bound<&[u8]>, Bound<&[u8]>),
        first: &mut Option<Later>,
    ) -> Result<()> {
        let tree = &table.trees()[place].handle;
        let mut cursor = tree.tree.cursor(lo, hi, tree::Direction::Forward);
        let (mut last, mut last_own) = (Vec::new(), None);
        while cursor.advance(&tree.tree)? {
            runtime::slice_point();
            let Some(payload) = decode(tree, cursor.value())?.payload else { continue };
            let key = cursor.key();
            let own = own_len(payload).min(key.len());
            if last_own.is_some_and(|len: usize| last[..len] == key[..own]) {
                let sooner = first.as_ref().is_none_or(|first| key[own..] < first.clustered[..]);
                if sooner {
                    let rows = [&key[own..], &last[own..]];
                    match row_with(table, place, &key[..own], rows)? {
                        Has::Row(row) => *first = Some(Later { clustered: key[own..].to_vec(), row }),
                        Has::Null => {}
                        Has::Changed => self.add(&key[..own]),
                    }
                }
            }
            last.clear();
            last.extend_from_slice(key);
            last_own = Some(own);
        }
        Ok(())
    }
}

/// What rows say of a value that an index has of them.
enum Has {
    /// The image of one that has it.
    Row(Vec<u8>),
    /// A part of it is NULL: any number of rows may have it.
    Null,
    /// They have other ones by now.
    Changed,
}

fn row_with(table: &Table, place: usize, own: &[u8], rows: [&[u8]; 2]) -> Result<Has> {
    let handle = &table.trees()[0].handle;
    let (mut value, mut scratch) = (Vec::new(), Vec::new());
    for clustered in rows {
        if !handle.tree.get(clustered, &mut value)? {
            continue;
        }
        let Some(row) = decode(handle, &value)?.payload else { continue };
        let entry = table.secondary_entry(place, row, clustered, &mut scratch)?;
        if entry.own_part() == own {
            return Ok(if entry.has_null { Has::Null } else { Has::Row(row.to_vec()) });
        }
    }
    Ok(Has::Changed)
}
