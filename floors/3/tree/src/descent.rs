//! The way from the root to a node without latching (optimistic lock coupling, Leis et al., DaMoN 2016).
//!
//! Each node is read under its version: the child's number counts only when the parent is still unchanged after the
//! child's own version has been taken, so the child was the right one at that moment. Every change that takes keys
//! out of a node's range (split, merge, free) changes its version, which whoever acts on the node validates last.

use crossbeam_utils::Backoff;

use pages::{Optimistic, PageError, PageNo, PageView};

use crate::bytes::Bytes;
use crate::error::{Result, TreeError};
use crate::node::{LEVEL_MAX, Node, Nonsense};
use crate::{NODE, Tree};

impl Bytes for PageView<'_> {
    #[inline(always)]
    fn u16_at(&self, at: usize) -> u16 {
        PageView::u16_at(self, at)
    }

    #[inline(always)]
    fn u32_at(&self, at: usize) -> u32 {
        PageView::u32_at(self, at)
    }

    #[inline(always)]
    fn word(&self, index: usize) -> u64 {
        PageView::word(self, index)
    }

    #[inline]
    fn append_to(&self, at: usize, len: usize, out: &mut Vec<u8>) {
        PageView::append_to(self, at, len, out);
    }

    #[inline]
    fn compare(&self, at: usize, len: usize, with: &[u8]) -> std::cmp::Ordering {
        PageView::compare(self, at, len, with)
    }
}

/// Where a descent goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Seek<'k> {
    /// To the node whose range holds the key.
    At(&'k [u8]),
    /// To the node whose range holds the greatest keys below the key.
    Below(&'k [u8]),
    /// To the leftmost node.
    First,
    /// To the rightmost node.
    Last,
    /// To some node, the same for the same seed as long as the tree stays.
    Random(u64),
}

impl Seek<'_> {
    #[inline]
    pub(crate) fn child_position<B: Bytes + ?Sized>(self, node: Node<'_, B>) -> usize {
        match self {
            Seek::At(key) => node.child_position(key),
            Seek::Below(key) => node.search(key).0,
            Seek::First => 0,
            Seek::Last => node.count(),
            Seek::Random(seed) => crate::sample::random_position(seed, node.level(), node.count() + 1),
        }
    }
}

/// A node reached, not latched, with the parent it was reached through.
pub(crate) struct Spot<'s> {
    pub(crate) node: Optimistic<'s>,
    /// The parent and the node's position among its children.
    pub(crate) parent: Option<(Optimistic<'s>, usize)>,
}

impl Tree {
    /// Descends to a node of `level`; `None` when the tree is not that high. Without any page it has no level at all.
    pub(crate) fn descend(&self, seek: Seek<'_>, level: u8) -> Result<Option<Spot<'_>>> {
        let backoff = Backoff::new();
        loop {
            match self.try_descend(seek, level, &mut |_| ()) {
                Ok(spot) => return Ok(spot),
                Err(Stop::Changed) => backoff.snooze(),
                Err(Stop::Failed(error)) => return Err(*error),
            }
        }
    }

    /// One attempt; `visit` sees each inner node on the way, before it is validated.
    #[inline]
    pub(crate) fn try_descend<'s>(
        &'s self,
        seek: Seek<'_>,
        target: u8,
        visit: &mut dyn FnMut(Node<'_, PageView<'_>>),
    ) -> Result<Option<Spot<'s>>, Stop> {
        let root = self.root();
        if root == PageNo::NONE {
            return Ok(None);
        }
        let mut node = self.store.optimistic(root)?;
        let mut level = self.level_of(&node)?;
        let mut parent = None;
        if level < target {
            return Ok(None);
        }
        while level > target {
            let view = node.view();
            let inner = Node::new(&view);
            visit(inner);
            let position = seek.child_position(inner);
            let child = PageNo(inner.child(position));
            if !node.validate() {
                return Err(Stop::Changed);
            }
            let next = match self.store.optimistic(child) {
                Ok(next) => next,
                // A child freed meanwhile is no error; one missing under an unchanged parent is.
                Err(_) if !node.validate() => return Err(Stop::Changed),
                Err(PageError::NotAllocated(_)) => {
                    return Err(self.nonsense(node.page(), Nonsense("child is not allocated")).into());
                }
                Err(error) => return Err(error.into()),
            };
            if !node.validate() {
                return Err(Stop::Changed);
            }
            let below = self.level_of(&next)?;
            if below + 1 != level {
                return Err(self
                    .nonsense(next.page(), Nonsense("level does not follow its parent's"))
                    .into());
            }
            level = below;
            parent = Some((node, position));
            node = next;
        }
        Ok(Some(Spot { node, parent }))
    }

    /// The level of what must be a node of this tree.
    #[inline]
    fn level_of(&self, node: &Optimistic<'_>) -> Result<u8, Stop> {
        let view = node.view();
        let level = Node::new(&view).level();
        let ours = view.kind() == NODE && view.tree() == self.tree && level <= LEVEL_MAX;
        if !node.validate() {
            return Err(Stop::Changed);
        }
        if !ours {
            return Err(self.nonsense(node.page(), Nonsense("not a node of this tree")).into());
        }
        Ok(level)
    }

    #[cold]
    pub(crate) fn nonsense(&self, page: PageNo, nonsense: Nonsense) -> TreeError {
        TreeError::corrupt(self.tree, page, nonsense)
    }
}

/// Why an attempt did not come to its end.
pub(crate) enum Stop {
    /// Something changed under it: start again.
    Changed,
    /// It failed.
    Failed(Box<TreeError>),
}

impl<E: Into<TreeError>> From<E> for Stop {
    #[cold]
    fn from(error: E) -> Self {
        Stop::Failed(Box::new(error.into()))
    }
}
