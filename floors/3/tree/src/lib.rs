//! B+tree over pages: bytes to bytes.
//!
//! A [`Tree`] maps keys (up to [`KEY_MAX`] bytes, ordered as byte strings) to values (up to [`VALUE_MAX`] bytes). It
//! knows nothing of rows, versions or transactions: what a key means and who may change it when is the engine's
//! matter.
//!
//! - Reading takes no latch and writes nothing shared: [`Tree::get`] and a [`Cursor`] copy out of pages under their
//!   versions and look again where a writer was at work. See `descent`.
//! - [`Tree::upsert`] latches one leaf ([`Tree::upsert_run`] once for several of its keys); a split or a merge latches a parent and two of its children, never waiting
//!   for any of them. See `structure`. No page is loaded under a latch.
//! - A tree has no page before [`Tree::plant`] gives it its root, which keeps its page number for the tree's life.
//! - Several calls may run at once from any threads; each call is atomic for readers, and for a checkpoint if the
//!   caller brackets it with the store's gate.
//!
//! Pages: nodes (see `node` for their layout) and overflow pages for long values (see `overflow`). A page latch has
//! the rank of the floor below; nothing else is locked here.
//!
//! Bytes of a page may be anything: what contradicts the layout is [`TreeError::Corrupt`] with the page's number.

#![forbid(unsafe_code)]

mod batch;
mod bulk;
mod bytes;
mod check;
mod cursor;
mod descent;
mod error;
mod estimate;
mod finger;
mod node;
mod overflow;
mod sample;
mod structure;
#[cfg(test)]
mod tests;
mod upsert;

use pages::{Kind, Optimistic, PageNo, Store, TreeNo};
use std::sync::atomic::{AtomicU32, Ordering};

pub use batch::{BATCH, Sighting};
pub use check::CheckReport;
pub use cursor::{Cursor, Direction, Here};
pub use error::{Result, TreeError};
pub use finger::Finger;
pub use node::KEY_MAX;
pub use overflow::VALUE_MAX;
pub use upsert::{Action, Head};

use crate::descent::Seek;
use crate::node::{Builder, Node, Nonsense, PAYLOAD};
use crate::overflow::Reference;

/// Kind of a page that is a node.
pub(crate) const NODE: Kind = Kind(1);

/// A tree.
pub struct Tree {
    store: Store,
    tree: TreeNo,
    /// `PageNo::NONE` until the tree is planted; set once.
    root: AtomicU32,
}

impl Tree {
    /// Makes an empty tree with its root, whose pages will all carry the number `tree`.
    pub fn create(store: &Store, tree: TreeNo) -> Result<Tree> {
        let new = Tree::open(store, tree, PageNo::NONE);
        new.plant()?;
        Ok(new)
    }

    /// Opens the tree `tree` whose root page is `root`; `PageNo::NONE` for one without any page, which is empty. Nothing
    /// is read yet.
    pub fn open(store: &Store, tree: TreeNo, root: PageNo) -> Tree {
        Tree { store: store.clone(), tree, root: AtomicU32::new(root.0) }
    }

    /// Gives a tree that has no page its root, before its first change; false if it has one. Whoever is told true notes
    /// [`Tree::root`] where the tree will be opened by it.
    pub fn plant(&self) -> Result<bool> {
        if self.root() != PageNo::NONE {
            return Ok(false);
        }
        let mut page = self.store.alloc(self.tree, NODE)?;
        page.write_at(0, &Builder::new(0, &[], None).finish(0));
        // Release, with the load in `root`: who finds the number finds the page written. Its latch is held until then.
        let none = PageNo::NONE.0;
        let planted = self.root.compare_exchange(none, page.page().0, Ordering::Release, Ordering::Relaxed);
        if planted.is_err() {
            // Another task was faster.
            self.store.free(page);
        }
        Ok(planted.is_ok())
    }

    /// The root's page number, to open the tree by again; `PageNo::NONE` before it is planted.
    #[inline]
    pub fn root(&self) -> PageNo {
        PageNo(self.root.load(Ordering::Acquire))
    }

    /// The number that the tree's pages carry.
    pub fn number(&self) -> TreeNo {
        self.tree
    }

    /// Pages that the tree owns.
    pub fn pages(&self) -> u64 {
        self.store.tree_pages(self.tree)
    }

    /// Reads the value of `key` in place of what `value` holds; false when there is none.
    pub fn get(&self, key: &[u8], value: &mut Vec<u8>) -> Result<bool> {
        self.get_from(&mut Finger::default(), key, value)
    }

    /// [`Tree::get`], looking first where the finger points.
    pub fn get_from(&self, finger: &mut Finger, key: &[u8], value: &mut Vec<u8>) -> Result<bool> {
        let mut failed: Option<(Reference, TreeError)> = None;
        loop {
            let Some(found) = self.read_leaf_value(finger, key, value)? else {
                value.clear();
                return Ok(false);
            };
            let Some(reference) = found else { return Ok(true) };
            match failed {
                // Unreadable before, and the leaf held this reference all the time: it is no reader's race.
                Some((known, error)) if known == reference => return Err(error),
                _ => {}
            }
            match self.read_chain(reference, value) {
                Ok(()) => return Ok(true),
                Err(error) => failed = Some((reference, error)),
            }
        }
    }

    /// Whether `key` is there.
    pub fn contains(&self, key: &[u8]) -> Result<bool> {
        loop {
            let Some(spot) = self.descend(Seek::At(key), 0)? else { return Ok(false) };
            let found = Node::new(&spot.node.view()).search(key).1;
            if spot.node.validate() {
                return Ok(found);
            }
        }
    }

    /// Reads what the leaf holds for `key`: `None` without the key, `Some(Some(..))` for a value in overflow pages.
    fn read_leaf_value(
        &self,
        finger: &mut Finger,
        key: &[u8],
        value: &mut Vec<u8>,
    ) -> Result<Option<Option<Reference>>> {
        loop {
            let Some(leaf) = self.leaf_from(finger, key)? else { return Ok(None) };
            let (position, found) = Node::new(&leaf.view()).search(key);
            if found {
                if let Some(read) = self.read_slot(&leaf, position, value)? {
                    return Ok(Some(read));
                }
            } else if leaf.validate() {
                return Ok(None);
            }
        }
    }

    /// Reads the value at a position of a leaf; `None` when the leaf has changed since it was looked at.
    #[inline]
    fn read_slot(
        &self,
        leaf: &Optimistic<'_>,
        position: usize,
        value: &mut Vec<u8>,
    ) -> Result<Option<Option<Reference>>> {
        let view = leaf.view();
        let node = Node::new(&view);
        let slot = node.slot(position);
        let (at, len) = node.value_range(slot);
        value.clear();
        bytes::Bytes::append_to(&view, at, len, value);
        if !leaf.validate() {
            return Ok(None);
        }
        let fail = |nonsense| self.nonsense(leaf.page(), nonsense);
        if at + len > PAYLOAD {
            return Err(fail(Nonsense("record beyond the page")));
        }
        match slot.overflow {
            false => Ok(Some(None)),
            true => Reference::decode(value).map(|reference| Some(Some(reference))).map_err(fail),
        }
    }

    /// Frees all pages of the tree and returns their number. Nobody else may use it any more.
    pub fn destroy(self) -> Result<u64> {
        Ok(self.store.free_tree(self.tree)?)
    }
}
