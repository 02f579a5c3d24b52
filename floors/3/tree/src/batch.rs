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

/// A key's way down, as far as it has been gone.
struct Way<'k, 's> {
    key: &'k [u8],
    /// The leaf's parent, which named the leaf.
    parent: Optimistic<'s>,
    page: PageNo,
    /// The leaf, if it is in memory.
    leaf: Option<Optimistic<'s>>,
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
        let mut ways: [Option<Way<'_, '_>>; BATCH] = [const { None }; BATCH];
        let mut count = 0;
        for (at, key) in keys.into_iter().take(BATCH).enumerate() {
            let Some(spot) = self.descend(Seek::At(key), 1)? else { return Ok(()) };
            let view = spot.node.view();
            let parent = Node::new(&view);
            let page = PageNo(parent.child(parent.child_position(key)));
            if !spot.node.validate() {
                break;
            }
            self.store.prefetch_word(page);
            ways[at] = Some(Way { key, parent: spot.node, page, leaf: None });
            count = at + 1;
        }
        let mut missing = [PageNo(0); BATCH];
        let mut missed = 0;
        for way in ways[..count].iter_mut().flatten() {
            match self.store.try_optimistic_resident(way.page) {
                // The right one, at this version, if its parent is still the same.
                Ok(leaf) if way.parent.validate() => {
                    leaf.view().prefetch(0, HEAD);
                    way.leaf = Some(leaf);
                }
                Ok(_) => {}
                Err(_) => {
                    missing[missed] = way.page;
                    missed += 1;
                }
            }
        }
        self.store.prefetch(&missing[..missed]);
        for (at, way) in ways[..count].iter().flatten().enumerate() {
            let Some(leaf) = &way.leaf else { continue };
            if let Some(position) = self.sight(leaf, way.key) {
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
