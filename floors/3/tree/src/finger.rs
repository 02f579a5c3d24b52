//! Keys near the one before: the leaf found last is looked at first (finger search, Brown and Tarjan, 1980).

use crate::descent::Seek;
use crate::error::Result;
use crate::node::Node;
use crate::{NODE, Tree};
use pages::{Optimistic, PageNo};

/// The leaf found last. Only a hint, good for any tree and after any change: a page counts if it is a leaf of the tree
/// whose range holds the key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finger {
    leaf: Option<PageNo>,
}

impl Tree {
    /// A look at the leaf that covers `key`: where the finger points, or from the root. The finger follows.
    /// `None` without any page.
    pub(crate) fn leaf_from(&self, finger: &mut Finger, key: &[u8]) -> Result<Option<Optimistic<'_>>> {
        if let Some(page) = finger.leaf
            && let Ok(leaf) = self.store.try_optimistic_resident(page)
        {
            let view = leaf.view();
            let node = Node::new(&view);
            let ours = view.kind() == NODE && view.tree() == self.tree && node.level() == 0;
            if ours && node.covers(key) && leaf.validate() {
                return Ok(Some(leaf));
            }
        }
        let Some(spot) = self.descend(Seek::At(key), 0)? else { return Ok(None) };
        finger.leaf = Some(spot.node.page());
        Ok(Some(spot.node))
    }
}
