//! The changes of a transaction before it commits: for each tree, ordered keys to new rows or deletions.
//!
//! Each change leaves an undo entry (the write that the key had before in this set); rolling back a statement or to a
//! savepoint takes them back in reverse order. No page knows of any of this.

use crate::catalog::{Table, TableTree};
use crate::error::{EngineError, Result};
use crate::mvcc::slots::KeyBytes;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// What a map entry costs beside its bytes.
const OVERHEAD: usize = 96;

/// A change of one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// The key holds this payload.
    Put(Box<[u8]>),
    /// The key is gone.
    Delete,
}

impl Write {
    fn bytes(&self) -> usize {
        match self {
            Write::Put(payload) => payload.len(),
            Write::Delete => 0,
        }
    }

    /// The payload, if the key holds one.
    pub(crate) fn payload(&self) -> Option<&[u8]> {
        match self {
            Write::Put(payload) => Some(payload),
            Write::Delete => None,
        }
    }
}

/// The changes of one tree.
pub(crate) struct TreeWrites {
    pub(crate) table: Arc<Table>,
    /// Place of the tree in the table.
    pub(crate) place: usize,
    pub(crate) writes: BTreeMap<KeyBytes, Write>,
}

impl TreeWrites {
    /// The tree changed.
    pub(crate) fn tree(&self) -> &TableTree {
        &self.table.trees()[self.place]
    }
}

struct Undo {
    tree: usize,
    key: KeyBytes,
    before: Option<Write>,
}

/// All changes of a transaction.
#[derive(Default)]
pub(crate) struct WriteSet {
    trees: Vec<TreeWrites>,
    undo: Vec<Undo>,
    bytes: usize,
}

impl WriteSet {
    /// Nothing was changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.trees.iter().all(|t| t.writes.is_empty())
    }

    /// Keys changed.
    pub(crate) fn len(&self) -> usize {
        self.trees.iter().map(|t| t.writes.len()).sum()
    }

    /// The changes by tree.
    pub(crate) fn trees(&self) -> &[TreeWrites] {
        &self.trees
    }

    /// Takes the changes of temporary tables out. What was noted to take them back is forgotten with all the rest.
    pub(crate) fn take_temporary(&mut self) -> WriteSet {
        if !self.trees.iter().any(|t| t.table.is_temporary()) {
            return WriteSet::default();
        }
        self.undo.clear();
        let (own, rest) = std::mem::take(&mut self.trees).into_iter().partition(|t| t.table.is_temporary());
        self.trees = rest;
        WriteSet { trees: own, ..WriteSet::default() }
    }

    /// The change of a key, if there is one.
    #[inline]
    pub(crate) fn get(&self, tree: u32, key: &[u8]) -> Option<&Write> {
        self.writes(tree)?.get(key)
    }

    fn writes(&self, tree: u32) -> Option<&BTreeMap<KeyBytes, Write>> {
        self.trees.iter().find(|t| t.tree().no == tree).map(|t| &t.writes).filter(|w| !w.is_empty())
    }

    /// The first change of a tree inside the bounds, from below or from above.
    pub(crate) fn next_in(
        &self,
        tree: u32,
        lo: Bound<&[u8]>,
        hi: Bound<&[u8]>,
        forward: bool,
    ) -> Option<(&KeyBytes, &Write)> {
        let writes = self.writes(tree)?;
        if empty_bounds(lo, hi) {
            return None;
        }
        let mut range = writes.range::<[u8], _>((lo, hi));
        if forward { range.next() } else { range.next_back() }
    }

    /// Changes a key. The limit counts keys, payloads and what is kept to take changes back.
    pub(crate) fn set(
        &mut self,
        table: &Arc<Table>,
        place: usize,
        key: KeyBytes,
        write: Write,
        limit: usize,
    ) -> Result<()> {
        let size = OVERHEAD + 2 * key.len() + write.bytes();
        if self.bytes + size > limit {
            return Err(EngineError::WriteSetTooLarge { limit });
        }
        let number = table.trees()[place].no;
        let tree = match self.trees.iter().position(|t| t.tree().no == number) {
            Some(at) => at,
            None => {
                self.trees.push(TreeWrites { table: table.clone(), place, writes: BTreeMap::new() });
                self.trees.len() - 1
            }
        };
        self.bytes += size;
        let before = self.trees[tree].writes.insert(KeyBytes::from_slice(&key), write);
        self.undo.push(Undo { tree, key, before });
        Ok(())
    }

    /// A point to roll back to.
    pub(crate) fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Takes back all changes after `mark`.
    pub(crate) fn roll_back_to(&mut self, mark: usize) {
        for Undo { tree, key, before } in self.undo.drain(mark..).rev() {
            let writes = &mut self.trees[tree].writes;
            let size = OVERHEAD + 2 * key.len();
            let undone = match before {
                Some(before) => writes.insert(key, before),
                None => writes.remove(&key),
            };
            let undone = undone.as_ref().map_or(0, Write::bytes);
            self.bytes = self.bytes.saturating_sub(size + undone);
        }
    }

    /// Nothing before now will be rolled back to.
    pub(crate) fn forget_undo(&mut self) {
        self.undo.clear();
        if self.undo.capacity() > 1024 {
            self.undo.shrink_to(1024);
        }
    }
}

/// Whether no key is inside: `BTreeMap::range` panics on some of these.
pub(crate) fn empty_bounds(lo: Bound<&[u8]>, hi: Bound<&[u8]>) -> bool {
    match (lo, hi) {
        (Bound::Included(lo), Bound::Included(hi)) => lo > hi,
        (Bound::Included(lo) | Bound::Excluded(lo), Bound::Included(hi) | Bound::Excluded(hi)) => lo >= hi,
        _ => false,
    }
}
