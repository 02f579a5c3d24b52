//! Reading many keys: the way to their leaves is gone for all together, so that the cache misses overlap, and what was
//! found is remembered, so that it is gone once (group prefetching, Chen et al., ICDE 2004).

use crate::descent::Seek;
use crate::error::Result;
use crate::node::Node;
use crate::{NODE, Tree};
use pages::{Look, Optimistic, PageNo};

/// Most keys of a batch.
pub const BATCH: usize = 32;

/// Bytes of a leaf's head and first slots: most searches end within. With the head alone, pipelined point selects from
/// memory were a tenth slower.
const HEAD: usize = 640;
/// Bytes of a value that are worth a hint.
const VALUE: usize = 256;

/// Where a key's record was seen. Good as long as the leaf is unchanged; nothing is held by it.
#[derive(Clone, Copy, Debug)]
pub struct Sighting {
    leaf: Look,
    position: u16,
}

impl Tree {
    /// Prepares for reading up to [`BATCH`] keys soon: leaves that are not in memory are read together, and those that
    /// are come near the core. Gives for each key where its record was seen, as far as that is known; `sighted` takes
    /// one entry a key. Only a hint: it does as much as can be done at once.
    pub fn prefetch<'k>(
        &self,
        keys: impl IntoIterator<Item = &'k [u8]>,
        mut sighted: impl FnMut(usize, Sighting),
    ) -> Result<()> {
        let mut wanted: [(&[u8], Option<Optimistic<'_>>); BATCH] = [const { (&[], None) }; BATCH];
        let mut missing = [PageNo(0); BATCH];
        let (mut count, mut missed) = (0, 0);
        for (at, key) in keys.into_iter().take(BATCH).enumerate() {
            let Some(spot) = self.descend(Seek::At(key), 1)? else { return Ok(()) };
            let view = spot.node.view();
            let parent = Node::new(&view);
            let page = PageNo(parent.child(parent.child_position(key)));
            if !spot.node.validate() {
                break;
            }
            count = at + 1;
            wanted[at].0 = key;
            match self.store.try_optimistic_resident(page) {
                // The right one, at this version, if its parent is still the same.
                Ok(leaf) if spot.node.validate() => {
                    leaf.view().prefetch(0, HEAD);
                    wanted[at].1 = Some(leaf);
                }
                Ok(_) => {}
                Err(_) => {
                    missing[missed] = page;
                    missed += 1;
                }
            }
        }
        self.store.prefetch(&missing[..missed]);
        for (at, (key, leaf)) in wanted[..count].iter().enumerate() {
            let Some(leaf) = leaf else { continue };
            if let Some(position) = self.sight(leaf, key) {
                sighted(at, Sighting { leaf: leaf.look(), position });
            }
        }
        Ok(())
    }

    /// Finds a key in its leaf and asks for its value; `None` without it, or when the leaf changes.
    fn sight(&self, leaf: &Optimistic<'_>, key: &[u8]) -> Option<u16> {
        let view = leaf.view();
        let node = Node::new(&view);
        let ours = view.kind() == NODE && view.tree() == self.tree && node.level() == 0;
        let (position, true) = node.search(key) else { return None };
        let (at, len) = node.value_range(node.slot(position));
        view.prefetch(at, len.min(VALUE));
        (ours && leaf.validate()).then_some(position as u16)
    }

    /// Reads the value of a key that was seen there, as [`Tree::get`] does: at once while the leaf is as it was.
    pub fn get_sighted(&self, sighting: Sighting, key: &[u8], value: &mut Vec<u8>) -> Result<bool> {
        if let Some(leaf) = self.store.resume(sighting.leaf)
            && let Some(None) = self.read_slot(&leaf, usize::from(sighting.position), value)?
        {
            return Ok(true);
        }
        self.get(key, value)
    }
}
