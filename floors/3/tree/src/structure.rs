//! Changes of the tree's shape: splits, growth and shrinking of the root, merges.
//!
//! Latches are taken without waiting, parent before child, left before right, each only if the page still has the
//! version under which it was looked at; otherwise everything is let go and looked at again. New pages come from
//! `try_alloc`, which does not wait either. All pages of one change are latched together, so a reader sees it whole
//! or not at all; a checkpoint's gate is the caller's, around whole operations.

use crossbeam_utils::Backoff;
use pages::{Optimistic, PageMut, PageNo};

use crate::bytes::Payload;
use crate::descent::Seek;
use crate::error::Result;
use crate::node::{Builder, LEVEL_MAX, Node, NodeMut, Nonsense, PAYLOAD, Split, merge};
use crate::{NODE, Tree};

/// A node with fewer bytes in use than this looks for a neighbour to merge with.
pub(crate) const UNDERFULL: usize = PAYLOAD / 4;
/// Bytes that a merged node must leave free, lest it split again at once.
const MERGE_SPARE: usize = PAYLOAD / 4;
/// Attempts at a merge, which nobody depends on, before it is left to a later delete.
const MERGE_ATTEMPTS: usize = 20;

impl Payload for PageMut<'_> {
    #[inline]
    fn bytes(&self) -> &[u8] {
        self
    }

    #[inline]
    fn put(&mut self, at: usize, data: &[u8]) {
        self.write_at(at, data);
    }

    #[inline]
    fn shift(&mut self, range: std::ops::Range<usize>, to: usize) {
        self.move_within(range.start, to, range.len());
    }
}

/// What one attempt at a change came to.
enum Attempt {
    Done,
    /// The root's content moved below it: that is what to split now.
    Grown,
    /// Something changed meanwhile.
    Again,
    /// A page could not be had without waiting.
    NoFrame,
    /// The parent must be split first, for this separator.
    ParentFull(usize),
}

impl Tree {
    /// Sees to it that the node of `level` that covers `key` has `need` bytes of room, or comes nearer to it.
    pub(crate) fn split(&self, level: u8, key: &[u8], need: usize) -> Result<()> {
        let backoff = Backoff::new();
        loop {
            let Some(spot) = self.descend(Seek::At(key), level)? else {
                return Ok(());
            };
            let attempt = match &spot.parent {
                None => self.grow_root(&spot.node, need)?,
                Some((parent, position)) => self.split_under(parent, *position, &spot.node, key, need)?,
            };
            match attempt {
                Attempt::Done => return Ok(()),
                Attempt::Grown => {}
                Attempt::Again => backoff.snooze(),
                Attempt::NoFrame => self.store.make_room(1)?,
                Attempt::ParentFull(need) => self.split(level + 1, key, need)?,
            }
        }
    }

    fn split_under(
        &self,
        parent: &Optimistic<'_>,
        position: usize,
        node: &Optimistic<'_>,
        key: &[u8],
        need: usize,
    ) -> Result<Attempt> {
        let (Some(mut parent), Some(mut left)) = (parent.upgrade(), node.upgrade()) else {
            return Ok(Attempt::Again);
        };
        let (parent_no, left_no) = (parent.page(), left.page());
        let in_node = |nonsense| self.nonsense(left_no, nonsense);
        let in_parent = |nonsense| self.nonsense(parent_no, nonsense);
        let old = NodeMut::new(&mut left).map_err(in_node)?;
        if old.node().used() + need <= PAYLOAD {
            return Ok(Attempt::Done);
        }
        let split = Split::of(old.node(), key).map_err(in_node)?;
        let mut above = NodeMut::new(&mut parent).map_err(in_parent)?;
        let separator_need = above.inner_need(&split.separator);
        if above.node().used() + separator_need > PAYLOAD {
            return Ok(Attempt::ParentFull(separator_need));
        }
        let Some(mut right) = self.store.try_alloc(self.tree, NODE)? else {
            return Ok(Attempt::NoFrame);
        };
        let inserted = above.insert_inner(position, &split.separator, left_no.0).map_err(in_parent)?;
        if !inserted {
            return Err(in_parent(Nonsense("live bytes miscounted")));
        }
        above.set_child(position + 1, right.page().0).map_err(in_parent)?;
        right.put(0, &split.right);
        left.put(0, &split.left);
        Ok(Attempt::Done)
    }

    /// Moves the root's content into a new page below it, so that it can be split as any other node.
    fn grow_root(&self, root: &Optimistic<'_>, need: usize) -> Result<Attempt> {
        let Some(mut root) = root.upgrade() else {
            return Ok(Attempt::Again);
        };
        let node = Node::new(root.bytes());
        if node.used() + need <= PAYLOAD {
            return Ok(Attempt::Done);
        }
        let level = node.level();
        if level >= LEVEL_MAX {
            return Err(self.nonsense(self.root(), Nonsense("tree too high")));
        }
        let Some(mut child) = self.store.try_alloc(self.tree, NODE)? else {
            return Ok(Attempt::NoFrame);
        };
        child.put(0, root.bytes());
        root.put(0, &Builder::new(level + 1, &[], None).finish(child.page().0));
        Ok(Attempt::Grown)
    }

    /// Merges the node of `level` that covers `key` with a neighbour if both fit well in one page, and so on
    /// upwards. Gives up quietly where others are busy: the next delete tries again.
    pub(crate) fn merge(&self, level: u8, key: &[u8]) -> Result<()> {
        for _ in 0..MERGE_ATTEMPTS {
            let Some(spot) = self.descend(Seek::At(key), level)? else {
                return Ok(());
            };
            let attempt = match &spot.parent {
                None if level == 0 => return Ok(()),
                None => self.shrink_root(&spot.node)?,
                Some((parent, position)) => {
                    let view = parent.view();
                    if Node::new(&view).count() == 0 {
                        // An only child: its parent's neighbours are the ones to ask.
                        return if parent.validate() { self.merge(level + 1, key) } else { Ok(()) };
                    }
                    self.merge_under(parent, *position)?
                }
            };
            match attempt {
                Merged::Not => return Ok(()),
                Merged::Again => std::hint::spin_loop(),
                Merged::Done { parent_underfull: false } => return Ok(()),
                Merged::Done { parent_underfull: true } => return self.merge(level + 1, key),
            }
        }
        Ok(())
    }

    fn merge_under(&self, parent: &Optimistic<'_>, position: usize) -> Result<Merged> {
        let view = parent.view();
        let above = Node::new(&view);
        let count = above.count();
        for at in [position.min(count - 1), position.saturating_sub(1)] {
            let (left, right) = (PageNo(above.child(at)), PageNo(above.child(at + 1)));
            if !parent.validate() {
                return Ok(Merged::Again);
            }
            let (left, right) = match (self.store.optimistic(left), self.store.optimistic(right)) {
                (Ok(left), Ok(right)) => (left, right),
                (Err(_), _) | (_, Err(_)) if !parent.validate() => return Ok(Merged::Again),
                (Err(error), _) | (_, Err(error)) => return Err(error.into()),
            };
            let used = Node::new(&left.view()).used() + Node::new(&right.view()).used();
            // Prefixes may grow or shrink, so this is only a guess; what counts is the built image.
            if used > PAYLOAD {
                continue;
            }
            return self.merge_pair(parent, at, &left, &right);
        }
        Ok(Merged::Not)
    }

    fn merge_pair(
        &self,
        parent: &Optimistic<'_>,
        at: usize,
        left: &Optimistic<'_>,
        right: &Optimistic<'_>,
    ) -> Result<Merged> {
        let (Some(mut parent), Some(mut left), Some(right)) =
            (parent.upgrade(), left.upgrade(), right.upgrade())
        else {
            return Ok(Merged::Again);
        };
        let parent_no = parent.page();
        let in_parent = |nonsense| self.nonsense(parent_no, nonsense);
        let (l, r) = (Node::new(left.bytes()), Node::new(right.bytes()));
        let level = Node::new(parent.bytes()).level();
        for (page, node) in [(&left, l), (&right, r)] {
            if page.kind() != NODE || page.tree() != self.tree || node.level() + 1 != level {
                return Err(self.nonsense(page.page(), Nonsense("not a node of its parent's level")));
            }
        }
        let spare = if l.count() == 0 || r.count() == 0 { 0 } else { MERGE_SPARE };
        let mut above = NodeMut::new(&mut parent).map_err(in_parent)?;
        let separator = above.node().key(at).map_err(in_parent)?.to_vec();
        let merged =
            merge(l, r, &separator, spare).map_err(|nonsense| self.nonsense(left.page(), nonsense))?;
        let Some(image) = merged else {
            return Ok(Merged::Not);
        };
        above.remove(at).map_err(in_parent)?;
        above.set_child(at, left.page().0).map_err(in_parent)?;
        let parent_underfull = above.node().used() < UNDERFULL;
        left.put(0, &image);
        drop((parent, left));
        self.store.free(right);
        Ok(Merged::Done { parent_underfull })
    }

    /// Takes an only child's content into the root, whose page number never changes.
    fn shrink_root(&self, root: &Optimistic<'_>) -> Result<Merged> {
        let view = root.view();
        let node = Node::new(&view);
        let (count, level, child) = (node.count(), node.level(), node.child(0));
        if !root.validate() {
            return Ok(Merged::Again);
        }
        if count > 0 || level == 0 {
            return Ok(Merged::Not);
        }
        let child = match self.store.optimistic(PageNo(child)) {
            Ok(child) => child,
            Err(_) if !root.validate() => return Ok(Merged::Again),
            Err(error) => return Err(error.into()),
        };
        let (Some(mut root), Some(child)) = (root.upgrade(), child.upgrade()) else {
            return Ok(Merged::Again);
        };
        if Node::new(child.bytes()).level() + 1 != level {
            return Err(self.nonsense(child.page(), Nonsense("level does not follow its parent's")));
        }
        root.put(0, child.bytes());
        drop(root);
        self.store.free(child);
        // The level above is gone; the one that moved up may be an only child's parent itself.
        Ok(Merged::Again)
    }
}

/// What an attempt at a merge came to.
enum Merged {
    Done { parent_underfull: bool },
    Again,
    Not,
}
