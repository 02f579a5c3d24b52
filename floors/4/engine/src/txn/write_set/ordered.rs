//! Ordered keys over blocks of bytes: short runs of entries, so that keys which come in their order are appended and
//! others move a run's part at most.

use super::Write;
use std::cmp::Ordering;
use std::ops::Bound;
use types::key::{head, order_behind_heads};

/// Most entries of a run.
const RUN_MAX: usize = 128;
/// Bytes of the first block and of the largest but for what needs one of its own; each is twice the one before.
const BLOCK_MIN: usize = 512;
const BLOCK_MAX: usize = 1 << 20;
/// Length of a payload that is none.
const DELETED: u32 = u32::MAX;

/// A change of a key: where its bytes are. Good as long as its blocks are not cut before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// See [`head`].
    head: u128,
    block: u32,
    at: u32,
    key: u32,
    payload: u32,
}

/// Where a key's bytes are.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyPlace {
    block: u32,
    at: u32,
    len: u32,
}

impl Change {
    pub(super) fn key_place(&self) -> KeyPlace {
        KeyPlace { block: self.block, at: self.at, len: self.key }
    }
}

/// Bytes of keys and payloads, a payload behind its key.
#[derive(Default)]
pub(super) struct Blocks {
    blocks: Vec<Vec<u8>>,
}

/// A place in the blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    blocks: usize,
    len: usize,
}

impl Blocks {
    /// Copies a key and its payload in; `None` for longer ones than can be.
    #[inline]
    pub(super) fn put(&mut self, key: &[u8], write: Write<'_>) -> Option<Change> {
        let bytes = write.payload().unwrap_or(&[]);
        let need = key.len() + bytes.len();
        let payload = match write {
            Write::Put(bytes) => u32::try_from(bytes.len()).ok().filter(|&len| len != DELETED)?,
            Write::Delete => DELETED,
        };
        if self.blocks.last().is_none_or(|last| last.capacity() - last.len() < need) {
            let usual = BLOCK_MIN << self.blocks.len().min(16);
            self.blocks.push(Vec::with_capacity(usual.min(BLOCK_MAX).max(need)));
        }
        let block = u32::try_from(self.blocks.len() - 1).ok()?;
        let last = self.blocks.last_mut()?;
        let at = u32::try_from(last.len()).ok()?;
        last.extend_from_slice(key);
        last.extend_from_slice(bytes);
        Some(Change { head: head(key), block, at, key: u32::try_from(key.len()).ok()?, payload })
    }

    #[inline]
    pub(super) fn key(&self, change: &Change) -> &[u8] {
        self.key_at(change.key_place())
    }

    #[inline]
    pub(super) fn key_at(&self, place: KeyPlace) -> &[u8] {
        let at = place.at as usize;
        &self.blocks[place.block as usize][at..at + place.len as usize]
    }

    #[inline]
    pub(super) fn write(&self, change: &Change) -> Write<'_> {
        if change.payload == DELETED {
            return Write::Delete;
        }
        let at = change.at as usize + change.key as usize;
        Write::Put(&self.blocks[change.block as usize][at..at + change.payload as usize])
    }

    /// Holds nothing, and keeps its first block.
    pub(super) fn clear(&mut self) {
        self.blocks.truncate(1);
        self.blocks.iter_mut().for_each(Vec::clear);
    }

    /// Where the next bytes come.
    pub(super) fn end(&self) -> Place {
        Place { blocks: self.blocks.len(), len: self.blocks.last().map_or(0, Vec::len) }
    }

    /// Drops what came after a place.
    pub(super) fn cut(&mut self, place: Place) {
        self.blocks.truncate(place.blocks);
        if let Some(last) = self.blocks.last_mut() {
            last.truncate(place.len);
        }
    }

    #[inline]
    fn compare(&self, change: &Change, head: u128, key: &[u8]) -> Ordering {
        change.head.cmp(&head).then_with(|| order_behind_heads(self.key(change), key))
    }
}

/// Entries by key, each key once.
#[derive(Default)]
pub(super) struct Ordered {
    /// None is empty, none has more than [`RUN_MAX`].
    runs: Vec<Vec<Change>>,
    /// The head of each run's first entry: what is searched among thousands of runs lies side by side.
    firsts: Vec<u128>,
    len: usize,
}

impl Ordered {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn runs(&self) -> impl Iterator<Item = &[Change]> {
        self.runs.iter().map(Vec::as_slice)
    }

    /// The first place whose key is not below `key`, in the run that it belongs to, and whether it holds it.
    #[inline]
    fn locate(&self, blocks: &Blocks, key: &[u8]) -> (usize, usize, bool) {
        let head = head(key);
        let Some(last) = self.runs.last() else { return (0, 0, false) };
        // Keys mostly come in their order.
        if last.last().is_some_and(|change| blocks.compare(change, head, key) == Ordering::Less) {
            return (self.runs.len() - 1, last.len(), false);
        }
        let behind = self.firsts.partition_point(|first| *first <= head);
        let alike = self.firsts[..behind].partition_point(|first| *first < head);
        let starts_before = |run: &Vec<Change>| blocks.compare(&run[0], head, key) != Ordering::Greater;
        let run = (alike + self.runs[alike..behind].partition_point(starts_before)).saturating_sub(1);
        match self.runs[run].binary_search_by(|change| blocks.compare(change, head, key)) {
            Ok(at) => (run, at, true),
            Err(at) => (run, at, false),
        }
    }

    #[inline]
    pub(super) fn get(&self, blocks: &Blocks, key: &[u8]) -> Option<&Change> {
        let (run, at, found) = self.locate(blocks, key);
        if found { Some(&self.runs[run][at]) } else { None }
    }

    /// Sets a key's entry; returns the one that it had.
    #[inline]
    pub(super) fn set(&mut self, blocks: &Blocks, key: &[u8], change: Change) -> Option<Change> {
        let (run, at, found) = self.locate(blocks, key);
        if found {
            return Some(std::mem::replace(&mut self.runs[run][at], change));
        }
        self.len += 1;
        let runs = self.runs.len();
        match self.runs.get_mut(run) {
            None => {
                self.runs.push(vec![change]);
                self.firsts.push(change.head);
                return None;
            }
            Some(full) if full.len() >= RUN_MAX => {
                // Behind the last one nothing is moved: whoever appends leaves full runs.
                let split = if run + 1 == runs && at == full.len() { at } else { RUN_MAX / 2 };
                let mut rest = Vec::with_capacity(RUN_MAX);
                rest.extend(full.drain(split..));
                if at >= split {
                    rest.insert(at - split, change);
                } else {
                    full.insert(at, change);
                }
                self.firsts.insert(run + 1, rest[0].head);
                self.runs.insert(run + 1, rest);
            }
            Some(run) => run.insert(at, change),
        }
        if at == 0 {
            self.firsts[run] = change.head;
        }
        None
    }

    /// Removes a key that is there.
    pub(super) fn remove(&mut self, blocks: &Blocks, key: &[u8]) {
        let (run, at, found) = self.locate(blocks, key);
        if found {
            self.len -= 1;
            self.runs[run].remove(at);
            match self.runs[run].first() {
                Some(first) => self.firsts[run] = first.head,
                None => {
                    self.runs.remove(run);
                    self.firsts.remove(run);
                }
            }
        }
    }

    /// The first entry inside the bounds, from below or from above.
    pub(super) fn next_in(
        &self,
        blocks: &Blocks,
        lo: Bound<&[u8]>,
        hi: Bound<&[u8]>,
        forward: bool,
    ) -> Option<&Change> {
        if super::empty_bounds(lo, hi) {
            return None;
        }
        let change = if forward { self.from(blocks, lo) } else { self.down_from(blocks, hi) }?;
        let key = blocks.key(change);
        let inside = match (forward, lo, hi) {
            (true, _, Bound::Included(hi)) => key <= hi,
            (true, _, Bound::Excluded(hi)) => key < hi,
            (false, Bound::Included(lo), _) => key >= lo,
            (false, Bound::Excluded(lo), _) => key > lo,
            _ => true,
        };
        inside.then_some(change)
    }

    fn from(&self, blocks: &Blocks, lo: Bound<&[u8]>) -> Option<&Change> {
        let (run, at) = match lo {
            Bound::Unbounded => (0, 0),
            Bound::Included(lo) => {
                let (run, at, _) = self.locate(blocks, lo);
                (run, at)
            }
            Bound::Excluded(lo) => {
                let (run, at, found) = self.locate(blocks, lo);
                (run, at + usize::from(found))
            }
        };
        let here = self.runs.get(run)?.get(at);
        here.or_else(|| self.runs.get(run + 1)?.first())
    }

    fn down_from(&self, blocks: &Blocks, hi: Bound<&[u8]>) -> Option<&Change> {
        let (run, behind) = match hi {
            Bound::Unbounded => return self.runs.last()?.last(),
            Bound::Included(hi) => {
                let (run, at, found) = self.locate(blocks, hi);
                (run, at + usize::from(found))
            }
            Bound::Excluded(hi) => {
                let (run, at, _) = self.locate(blocks, hi);
                (run, at)
            }
        };
        match behind.checked_sub(1) {
            Some(at) => self.runs.get(run)?.get(at),
            None => self.runs.get(run.checked_sub(1)?)?.last(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use types::key::HEAD;

    type Model = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

    fn owned(blocks: &Blocks, change: &Change) -> (Vec<u8>, Option<Vec<u8>>) {
        (blocks.key(change).to_vec(), blocks.write(change).payload().map(<[u8]>::to_vec))
    }

    fn key() -> impl Strategy<Value = Vec<u8>> {
        prop_oneof![
            (0..400_u64).prop_map(|n| n.to_be_bytes().to_vec()),
            proptest::collection::vec(0..3_u8, 0..12),
            // Alike in all that stands beside their places.
            (0..400_u64).prop_map(|n| [&[7; HEAD][..], &n.to_be_bytes()].concat()),
        ]
    }

    fn bound() -> impl Strategy<Value = Bound<Vec<u8>>> {
        prop_oneof![Just(Bound::Unbounded), key().prop_map(Bound::Included), key().prop_map(Bound::Excluded)]
    }

    proptest! {
        #[test]
        fn it_is_an_ordered_map(
            changes in proptest::collection::vec((key(), 0..4_u8), 0..900),
            ascending in 0..600_u64,
            ranges in proptest::collection::vec((bound(), bound()), 40),
        ) {
            let (mut blocks, mut ordered, mut model) = (Blocks::default(), Ordered::default(), Model::new());
            let run = (0..ascending).map(|n| ((n * 3).to_be_bytes().to_vec(), 1));
            for (key, what) in run.chain(changes) {
                let payload = vec![what; usize::from(what) * 90];
                let write = match what {
                    0 => {
                        ordered.remove(&blocks, &key);
                        model.remove(&key);
                        continue;
                    }
                    1 => Write::Delete,
                    _ => Write::Put(&payload),
                };
                let change = blocks.put(&key, write).expect("put");
                let before = ordered.set(&blocks, &key, change).map(|c| owned(&blocks, &c).1);
                let write = write.payload().map(<[u8]>::to_vec);
                prop_assert_eq!(before, model.insert(key.clone(), write.clone()));
                prop_assert_eq!(ordered.get(&blocks, &key).map(|c| owned(&blocks, c)), Some((key, write)));
            }
            prop_assert_eq!(ordered.len(), model.len());
            let all: Model = ordered.runs().flatten().map(|c| owned(&blocks, c)).collect();
            prop_assert!(ordered.runs().all(|run| (1..=RUN_MAX).contains(&run.len())));
            prop_assert!(ordered.runs().map(|run| run[0].head).eq(ordered.firsts.iter().copied()));
            prop_assert_eq!(&all, &model);
            for (lo, hi) in ranges {
                let (low, high) = (lo.as_ref().map(|k| &k[..]), hi.as_ref().map(|k| &k[..]));
                for forward in [true, false] {
                    let found = ordered.next_in(&blocks, low, high, forward).map(|c| owned(&blocks, c));
                    let expected = if super::super::empty_bounds(low, high) {
                        None
                    } else {
                        let mut range = model.range::<[u8], _>((low, high));
                        if forward { range.next() } else { range.next_back() }
                    };
                    prop_assert_eq!(found, expected.map(|(k, v)| (k.clone(), v.clone())));
                }
            }
        }
    }
}
