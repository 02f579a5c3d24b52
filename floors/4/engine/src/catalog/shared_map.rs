//! An ordered map whose copies share what they have in common.
//!
//! ```text
//! copy A --> [ chunk | chunk | chunk  ]
//!                ^       |
//!                |       v
//! copy B --> [ chunk | chunk' | chunk ]     one key put into B: the list of chunks and one chunk are its own
//! ```
//!
//! A copy costs a counter; a change of a copy costs the list of chunks and one chunk, some hundred words among tens of
//! thousands of entries. The catalog is such maps: each DDL makes a catalog of its own, whatever else there is.

use std::borrow::Borrow;
use std::sync::Arc;

/// Most entries of a chunk.
const CHUNK_MAX: usize = 128;
/// Neighbours of no more entries together become one.
const CHUNK_JOIN: usize = CHUNK_MAX / 2;

type Chunk<K, V> = Arc<Vec<(K, V)>>;

/// An ordered map; see the module head.
#[derive(Debug)]
pub struct SharedMap<K, V> {
    /// None is empty; keys ascend through them all.
    chunks: Arc<Vec<Chunk<K, V>>>,
    len: usize,
}

impl<K, V> Clone for SharedMap<K, V> {
    fn clone(&self) -> Self {
        SharedMap { chunks: self.chunks.clone(), len: self.len }
    }
}

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> Self {
        SharedMap { chunks: Arc::default(), len: 0 }
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    /// Entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The chunk that a key is in, if it is in any.
    fn chunk_of<Q: Ord + ?Sized>(&self, key: &Q) -> usize
    where
        K: Borrow<Q>,
    {
        self.chunks.partition_point(|chunk| chunk.last().is_some_and(|(last, _)| last.borrow() < key))
    }

    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(usize, usize)>
    where
        K: Borrow<Q>,
    {
        let at = self.chunk_of(key);
        let place = self.chunks.get(at)?.binary_search_by(|(k, _)| k.borrow().cmp(key)).ok()?;
        Some((at, place))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (at, place) = self.find(key)?;
        Some(&self.chunks[at][place].1)
    }

    /// Whether a key has a value.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_some()
    }

    /// Sets the value of a key; gives the one before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Some((at, place)) = self.find(&key) {
            let chunk = Arc::make_mut(&mut Arc::make_mut(&mut self.chunks)[at]);
            return Some(std::mem::replace(&mut chunk[place].1, value));
        }
        self.len += 1;
        let at = self.chunk_of(&key);
        let chunks = Arc::make_mut(&mut self.chunks);
        // What comes behind everything fills the last chunk up.
        let at = if at == chunks.len() { at.saturating_sub(1) } else { at };
        let Some(chunk) = chunks.get_mut(at) else {
            chunks.push(Arc::new(vec![(key, value)]));
            return None;
        };
        let place = chunk.partition_point(|(k, _)| *k < key);
        if chunk.len() < CHUNK_MAX {
            Arc::make_mut(chunk).insert(place, (key, value));
        } else if place == chunk.len() {
            chunks.insert(at + 1, Arc::new(vec![(key, value)]));
        } else {
            let low = Arc::make_mut(chunk);
            let mut high = low.split_off(CHUNK_MAX / 2);
            match place.checked_sub(low.len()) {
                Some(place) => high.insert(place, (key, value)),
                None => low.insert(place, (key, value)),
            }
            chunks.insert(at + 1, Arc::new(high));
        }
        None
    }

    /// Takes a key's value away.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (at, place) = self.find(key)?;
        self.len -= 1;
        let chunks = Arc::make_mut(&mut self.chunks);
        let (_, value) = Arc::make_mut(&mut chunks[at]).remove(place);
        if chunks[at].is_empty() {
            chunks.remove(at);
        } else if chunks.get(at + 1).is_some_and(|next| chunks[at].len() + next.len() <= CHUNK_JOIN) {
            let next = chunks.remove(at + 1);
            Arc::make_mut(&mut chunks[at]).extend(next.iter().cloned());
        }
        Some(value)
    }

    /// All entries by key.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).map(|(key, value)| (key, value))
    }

    /// The entries from a key on.
    pub fn iter_from<'m, Q: Ord + ?Sized>(
        &'m self,
        key: &Q,
    ) -> impl Iterator<Item = (&'m K, &'m V)> + use<'m, K, V, Q>
    where
        K: Borrow<Q>,
    {
        let at = self.chunk_of(key);
        let skipped = self.chunks.get(at).map_or(0, |chunk| chunk.partition_point(|(k, _)| k.borrow() < key));
        let rest = self.chunks[at..].iter().flat_map(|chunk| chunk.iter());
        rest.skip(skipped).map(|(key, value)| (key, value))
    }

    /// All keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    /// All values by key.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn assert_same(map: &SharedMap<u16, u32>, model: &BTreeMap<u16, u32>) {
        assert!(map.iter().eq(model.iter()));
        assert_eq!(map.len(), model.len());
        assert!(map.chunks.iter().all(|chunk| !chunk.is_empty() && chunk.len() <= CHUNK_MAX));
    }

    proptest! {
        #[test]
        fn it_is_an_ordered_map(changes in prop::collection::vec((0u16..1500, any::<Option<u32>>()), 0..3000)) {
            let (mut map, mut model) = (SharedMap::default(), BTreeMap::new());
            let (mut before, mut model_before) = (map.clone(), model.clone());
            for (n, (key, value)) in changes.into_iter().enumerate() {
                if n % 500 == 0 {
                    (before, model_before) = (map.clone(), model.clone());
                }
                match value {
                    Some(value) => prop_assert_eq!(map.insert(key, value), model.insert(key, value)),
                    None => prop_assert_eq!(map.remove(&key), model.remove(&key)),
                }
                prop_assert_eq!(map.get(&key), model.get(&key));
            }
            assert_same(&map, &model);
            // The copy saw nothing of what came after it.
            assert_same(&before, &model_before);
            for from in [0, 1, 700, 1499, 2000] {
                prop_assert!(map.iter_from(&from).eq(model.range(from..)));
            }
        }
    }

    #[test]
    fn keys_that_ascend_fill_their_chunks() {
        let mut map = SharedMap::default();
        (0..1000u16).for_each(|n| assert_eq!(map.insert(n, u32::from(n)), None));
        assert_eq!(map.chunks.len(), 1000usize.div_ceil(CHUNK_MAX));
        (0..1000u16).rev().for_each(|n| assert_eq!(map.remove(&n), Some(u32::from(n))));
        assert!(map.is_empty() && map.chunks.is_empty());
    }
}
