//! The changes of a transaction before it commits: for each tree, ordered keys to new rows or deletions.
//!
//! Keys and payloads are copied once, into blocks that go all together; what is ordered are short entries that say
//! where. Each change leaves an undo entry (the one that the key had before in this set); rolling back a statement or
//! to a savepoint takes them back in reverse order. No page knows of any of this.

mod ordered;

use crate::catalog::{Table, TableTree};
use crate::error::{EngineError, Result};
use crate::txn::KEPT_MAX;
use ordered::{Blocks, Change, KeyPlace, Ordered, Place};
use std::ops::Bound;
use std::sync::Arc;

/// What an entry costs beside its bytes.
const OVERHEAD: usize = 96;

/// A change of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write<'w> {
    /// The key holds this payload.
    Put(&'w [u8]),
    /// The key is gone.
    Delete,
}

impl<'w> Write<'w> {
    /// The payload, if the key holds one.
    pub(crate) fn payload(self) -> Option<&'w [u8]> {
        match self {
            Write::Put(payload) => Some(payload),
            Write::Delete => None,
        }
    }
}

/// The changes of one tree.
struct TreeChanges {
    table: Arc<Table>,
    place: usize,
    changes: Ordered,
}

/// The changes of one tree, to be read.
#[derive(Clone, Copy)]
pub(crate) struct TreeWrites<'w> {
    pub(crate) table: &'w Arc<Table>,
    /// Place of the tree in the table.
    pub(crate) place: usize,
    changes: &'w Ordered,
    blocks: &'w Blocks,
}

impl<'w> TreeWrites<'w> {
    /// The tree changed.
    pub(crate) fn tree(self) -> &'w TableTree {
        &self.table.trees()[self.place]
    }

    /// Keys changed.
    pub(crate) fn len(self) -> usize {
        self.changes.len()
    }

    /// The keys in order, in runs of some each.
    pub(crate) fn runs(self) -> impl Iterator<Item = Writes<'w>> {
        self.changes.runs().map(move |changes| Writes { changes, blocks: self.blocks })
    }
}

/// Some changes of a tree, their keys ascending.
#[derive(Clone, Copy)]
pub(crate) struct Writes<'w> {
    changes: &'w [Change],
    blocks: &'w Blocks,
}

impl<'w> Writes<'w> {
    /// How many.
    pub(crate) fn len(self) -> usize {
        self.changes.len()
    }

    /// The key at a position.
    #[inline]
    pub(crate) fn key(self, at: usize) -> &'w [u8] {
        self.blocks.key(&self.changes[at])
    }

    /// What becomes of it.
    #[inline]
    pub(crate) fn write(self, at: usize) -> Write<'w> {
        self.blocks.write(&self.changes[at])
    }
}

/// A key that was changed: short, for there is one for each change, and most keys had none before.
struct Undo {
    key: KeyPlace,
    tree: u32,
    /// The last of [`WriteSet::befores`] not taken back yet is what the key had.
    had_one: bool,
}

/// A point to roll back to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WriteMark {
    undo: usize,
    place: Place,
    bytes: usize,
}

/// All changes of a transaction.
#[derive(Default)]
pub(crate) struct WriteSet {
    trees: Vec<TreeChanges>,
    undo: Vec<Undo>,
    befores: Vec<Change>,
    blocks: Blocks,
    bytes: usize,
}

impl WriteSet {
    /// Holds nothing, in the memory that it had, unless that was much.
    pub(crate) fn emptied(mut self) -> WriteSet {
        if self.bytes > KEPT_MAX {
            return WriteSet::default();
        }
        self.trees.clear();
        self.undo.clear();
        self.befores.clear();
        self.blocks.clear();
        WriteSet { bytes: 0, ..self }
    }

    /// Nothing was changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.trees.iter().all(|t| t.changes.len() == 0)
    }

    /// Keys changed.
    pub(crate) fn len(&self) -> usize {
        self.trees.iter().map(|t| t.changes.len()).sum()
    }

    /// The changes by tree.
    pub(crate) fn trees(&self) -> impl Iterator<Item = TreeWrites<'_>> {
        let blocks = &self.blocks;
        let changed = self.trees.iter().filter(|t| t.changes.len() > 0);
        changed.map(move |t| TreeWrites { table: &t.table, place: t.place, changes: &t.changes, blocks })
    }

    /// The changes of some tables.
    fn copied(&self, of: impl Fn(&Arc<Table>) -> bool) -> Result<WriteSet> {
        let mut copy = WriteSet::default();
        for tree in self.trees().filter(|tree| of(tree.table)) {
            for run in tree.runs() {
                for at in 0..run.len() {
                    copy.set(tree.table, tree.place, run.key(at), run.write(at), usize::MAX)?;
                }
            }
        }
        Ok(copy)
    }

    /// Takes out the changes of a table, all of which were the last ones. They will not be taken back any more.
    pub(crate) fn take_last(&mut self, table: &Arc<Table>) -> Result<WriteSet> {
        let is_its = |tree: &TreeChanges| Arc::ptr_eq(&tree.table, table);
        let taken = self.copied(|of| Arc::ptr_eq(of, table))?;
        while let Some(undo) = self.undo.pop_if(|undo| is_its(&self.trees[undo.tree as usize])) {
            if undo.had_one {
                self.befores.pop();
            }
        }
        debug_assert!(
            !self.undo.iter().any(|undo| is_its(&self.trees[undo.tree as usize])),
            "all were the last"
        );
        self.trees.iter_mut().filter(|tree| is_its(tree)).for_each(|tree| tree.changes = Ordered::default());
        Ok(taken)
    }

    /// Takes the changes of temporary tables out. What was noted to take them back is forgotten with all the rest.
    pub(crate) fn take_temporary(&mut self) -> Result<WriteSet> {
        if !self.trees.iter().any(|t| t.table.is_temporary()) {
            return Ok(WriteSet::default());
        }
        let own = self.copied(|table| table.is_temporary())?;
        self.forget_undo();
        self.trees.retain(|t| !t.table.is_temporary());
        Ok(own)
    }

    /// The change of a key, if there is one.
    #[inline]
    pub(crate) fn get(&self, tree: u32, key: &[u8]) -> Option<Write<'_>> {
        let change = self.changes(tree)?.get(&self.blocks, key)?;
        Some(self.blocks.write(change))
    }

    #[inline]
    fn changes(&self, tree: u32) -> Option<&Ordered> {
        let changed = self.trees.iter().find(|t| t.table.trees()[t.place].no == tree);
        changed.map(|t| &t.changes).filter(|changes| changes.len() > 0)
    }

    /// The first change of a tree inside the bounds, from below or from above.
    pub(crate) fn next_in(
        &self,
        tree: u32,
        lo: Bound<&[u8]>,
        hi: Bound<&[u8]>,
        forward: bool,
    ) -> Option<(&[u8], Write<'_>)> {
        let change = self.changes(tree)?.next_in(&self.blocks, lo, hi, forward)?;
        Some((self.blocks.key(change), self.blocks.write(change)))
    }

    /// Changes a key. The limit counts keys, payloads and what is kept to take changes back.
    pub(crate) fn set(
        &mut self,
        table: &Arc<Table>,
        place: usize,
        key: &[u8],
        write: Write<'_>,
        limit: usize,
    ) -> Result<()> {
        let too_large = EngineError::WriteSetTooLarge { limit };
        let size = OVERHEAD + 2 * key.len() + write.payload().map_or(0, <[u8]>::len);
        if self.bytes + size > limit {
            return Err(too_large);
        }
        let number = table.trees()[place].no;
        let tree = match self.trees.iter().position(|t| t.table.trees()[t.place].no == number) {
            Some(at) => at,
            None => {
                self.trees.push(TreeChanges { table: table.clone(), place, changes: Ordered::default() });
                self.trees.len() - 1
            }
        };
        let change = self.blocks.put(key, write).ok_or(too_large)?;
        self.bytes += size;
        let before = self.trees[tree].changes.set(&self.blocks, key, change);
        self.undo.push(Undo { key: change.key_place(), tree: tree as u32, had_one: before.is_some() });
        self.befores.extend(before);
        Ok(())
    }

    /// A point to roll back to.
    pub(crate) fn mark(&self) -> WriteMark {
        WriteMark { undo: self.undo.len(), place: self.blocks.end(), bytes: self.bytes }
    }

    /// Takes back all changes after `mark`.
    pub(crate) fn roll_back_to(&mut self, mark: WriteMark) {
        for Undo { key, tree, had_one } in self.undo.drain(mark.undo..).rev() {
            let (changes, key) = (&mut self.trees[tree as usize].changes, self.blocks.key_at(key));
            match if had_one { self.befores.pop() } else { None } {
                Some(before) => drop(changes.set(&self.blocks, key, before)),
                None => changes.remove(&self.blocks, key),
            }
        }
        self.blocks.cut(mark.place);
        self.bytes = mark.bytes;
    }

    /// Nothing before now will be rolled back to.
    pub(crate) fn forget_undo(&mut self) {
        self.undo.clear();
        self.befores.clear();
        if self.undo.capacity() > 1024 {
            self.undo.shrink_to(1024);
            self.befores.shrink_to(1024);
        }
    }
}

/// Whether no key is inside: searching among some of these makes no sense.
pub(crate) fn empty_bounds(lo: Bound<&[u8]>, hi: Bound<&[u8]>) -> bool {
    match (lo, hi) {
        (Bound::Included(lo), Bound::Included(hi)) => lo > hi,
        (Bound::Included(lo) | Bound::Excluded(lo), Bound::Included(hi) | Bound::Excluded(hi)) => lo >= hi,
        _ => false,
    }
}
