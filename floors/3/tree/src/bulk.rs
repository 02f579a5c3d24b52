//! Filling an empty tree from sorted input, node after node, from the leaves up.
//!
//! Each level collects records until its node is full, writes it to a new page and hands page and upper fence to the
//! level above. The root's page is written last: until then, readers see an empty tree.

use crate::error::{Result, TreeError};
use crate::node::{Builder, HEADER, KEY_MAX, KeyParts, Node, Nonsense, PAYLOAD, RECORD_MAX, SLOT, separator};
use crate::overflow::Reference;
use crate::{NODE, Tree};
use pages::PageNo;

/// A record waiting for its node; in an inner level the key is the child's upper fence.
struct Entry {
    at: usize,
    key_len: usize,
    value_len: usize,
    overflow: bool,
    child: u32,
}

/// One level's node under construction.
#[derive(Default)]
struct Level {
    lower: Vec<u8>,
    data: Vec<u8>,
    entries: Vec<Entry>,
}

impl Level {
    fn key(&self, index: usize) -> &[u8] {
        let entry = &self.entries[index];
        &self.data[entry.at..entry.at + entry.key_len]
    }

    fn value(&self, index: usize) -> &[u8] {
        let entry = &self.entries[index];
        &self.data[entry.at + entry.key_len..][..entry.value_len]
    }

    fn add(&mut self, key: &[u8], value: &[u8], overflow: bool, child: u32) {
        let at = self.data.len();
        self.data.extend_from_slice(key);
        self.data.extend_from_slice(value);
        self.entries.push(Entry { at, key_len: key.len(), value_len: value.len(), overflow, child });
    }

    /// Drops the first `count` entries.
    fn drop_first(&mut self, count: usize) {
        let end = self.entries.get(count).map_or(self.data.len(), |entry| entry.at);
        self.data.drain(..end);
        self.entries.drain(..count);
        for entry in &mut self.entries {
            entry.at -= end;
        }
    }

    /// Bytes that a node of these entries and one more would take, if its keys shared what they share now; `field` is
    /// what a record has before its key.
    fn size_with(&self, field: usize, key: &[u8], value_len: usize) -> usize {
        let shared = match self.entries.last() {
            Some(_) => key.iter().zip(&self.lower).take_while(|(a, b)| a == b).count(),
            None => 0,
        };
        let count = self.entries.len() + 1;
        let bytes = self.data.len() + key.len() + value_len + self.lower.len() + key.len();
        HEADER + count * (SLOT + field) + bytes.saturating_sub(shared * count)
    }
}

/// A load under way, and what to free if it fails.
struct Loader<'t> {
    tree: &'t Tree,
    target: usize,
    levels: Vec<Level>,
    pages: Vec<PageNo>,
    chains: Vec<Reference>,
}

impl Tree {
    /// Fills an empty tree with strictly ascending keys; returns how many.
    ///
    /// `pull` puts the next key and value in place of what the two buffers hold, or says false at the end. Nodes are
    /// filled to `fill_percent` (50 to 100; others are clamped). After an error the tree is empty as before. Nobody
    /// else may change the tree meanwhile.
    pub fn bulk_load<E: From<TreeError>>(
        &self,
        fill_percent: usize,
        mut pull: impl FnMut(&mut Vec<u8>, &mut Vec<u8>) -> Result<bool, E>,
    ) -> Result<u64, E> {
        let target = PAYLOAD * fill_percent.clamp(50, 100) / 100;
        let mut loader =
            Loader { tree: self, target, levels: vec![Level::default()], pages: vec![], chains: vec![] };
        let loaded = loader.load(&mut pull);
        if loaded.is_err() {
            loader.undo()?;
        }
        loaded
    }
}

impl Loader<'_> {
    fn load<E: From<TreeError>>(
        &mut self,
        pull: &mut impl FnMut(&mut Vec<u8>, &mut Vec<u8>) -> Result<bool, E>,
    ) -> Result<u64, E> {
        self.check_empty()?;
        let (mut key, mut value) = (Vec::new(), Vec::new());
        let mut count = 0;
        while pull(&mut key, &mut value)? {
            self.add(&key, &value)?;
            count += 1;
        }
        self.finish()?;
        Ok(count)
    }

    fn check_empty(&self) -> Result<()> {
        let tree = self.tree;
        if tree.root() == PageNo::NONE {
            return Err(TreeError::NotPlanted(tree.tree));
        }
        let used = tree.store.read(tree.root(), |view| {
            let node = Node::new(view);
            Ok(node.level() > 0 || node.count() > 0)
        })?;
        if used { Err(TreeError::NotEmpty(tree.tree)) } else { Ok(()) }
    }

    fn add(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        if key.len() > KEY_MAX {
            return Err(TreeError::KeyTooLong { bytes: key.len() });
        }
        let leaf = &self.levels[0];
        // A leaf that was just written has left its successor's first record here.
        if leaf.entries.len().checked_sub(1).is_some_and(|last| leaf.key(last) >= key) {
            return Err(TreeError::OutOfOrder(self.tree.tree));
        }
        let reference;
        let (stored, overflow) = if key.len() + value.len() <= RECORD_MAX {
            (value, false)
        } else {
            let chain = self.tree.write_chain(value)?;
            self.chains.push(chain);
            reference = chain.encode();
            (&reference[..], true)
        };
        self.push(0, key, stored, overflow, 0)
    }

    /// Adds an entry to a level, writing the node before it if it is full enough.
    fn push(&mut self, level: usize, key: &[u8], value: &[u8], overflow: bool, child: u32) -> Result<()> {
        if self.levels.len() == level {
            self.levels.push(Level::default());
        }
        let here = &mut self.levels[level];
        let full = !here.entries.is_empty()
            && here.size_with(if level == 0 { 2 } else { 4 }, key, value.len()) > self.target;
        here.add(key, value, overflow, child);
        if full {
            let before = self.levels[level].entries.len() - 1;
            self.write_node(level, before)?;
        }
        Ok(())
    }

    /// Writes the first `count` entries of a level (fewer if they do not fit; not all of them) as one node.
    fn write_node(&mut self, level: usize, mut count: usize) -> Result<()> {
        let here = &self.levels[level];
        let (image, upper) = loop {
            let upper = match level {
                0 => separator(here.key(count - 1), here.key(count)),
                _ => here.key(count - 1).to_vec(),
            };
            match build(here, level, count, Some(&upper)) {
                Some(image) => break (image, upper),
                None if count > 1 => count -= 1,
                None => return Err(self.tree.nonsense(self.tree.root(), Nonsense("a record does not fit"))),
            }
        };
        let mut page = self.tree.store.alloc(self.tree.tree, NODE)?;
        page.write_at(0, &image);
        let number = page.page();
        drop(page);
        self.pages.push(number);
        let here = &mut self.levels[level];
        here.drop_first(count);
        here.lower.clone_from(&upper);
        self.push(level + 1, &upper, &[], false, number.0)
    }

    /// Writes what is left, the last node of each level without an upper fence, the highest one into the root.
    fn finish(&mut self) -> Result<()> {
        let mut level = 0;
        loop {
            let rightmost = loop {
                let here = &self.levels[level];
                match build(here, level, here.entries.len(), None) {
                    Some(image) => break image,
                    None => self.write_node(level, here.entries.len() - 1)?,
                }
            };
            if self.levels.len() == level + 1 {
                let root = self.tree.root();
                self.tree.store.lock(root)?.write_at(0, &rightmost);
                return Ok(());
            }
            let mut page = self.tree.store.alloc(self.tree.tree, NODE)?;
            page.write_at(0, &rightmost);
            let number = page.page();
            drop(page);
            self.pages.push(number);
            level += 1;
            // The last child has no fence above it: its key is never used.
            self.levels[level].add(&[], &[], false, number.0);
        }
    }

    /// Frees what a failed load has taken.
    fn undo(&mut self) -> Result<()> {
        for page in self.pages.drain(..) {
            let page = self.tree.store.lock(page)?;
            self.tree.store.free(page);
        }
        self.chains.drain(..).try_for_each(|chain| self.tree.free_chain(chain))
    }
}

/// A node of the first `count` entries; `None` when they do not fit.
fn build(level: &Level, height: usize, count: usize, upper: Option<&[u8]>) -> Option<Vec<u8>> {
    let mut builder = Builder::new(height as u8, &level.lower, upper);
    if height == 0 {
        for index in 0..count {
            let key = KeyParts::whole(level.key(index));
            if !builder.push_leaf(key, level.value(index), level.entries[index].overflow) {
                return None;
            }
        }
        return Some(builder.finish(0));
    }
    // Each child but the last is below its own upper fence; the last one's is the node's.
    for index in 0..count - 1 {
        if !builder.push_inner(KeyParts::whole(level.key(index)), level.entries[index].child) {
            return None;
        }
    }
    Some(builder.finish(level.entries[count - 1].child))
}
