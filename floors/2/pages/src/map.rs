//! The page map: which slot of the file holds which page, and who owns the page; as of now, and as of the generation
//! that a checkpoint is writing.
//!
//! One generation is *open*: changes belong to it. While a checkpoint runs, the one before is *closing*: the
//! checkpoint must write the map as it was when that generation was closed, plus the slots that the pages of that
//! generation go to. So there are two views:
//!
//! - `live`, the entries now;
//! - the closing view: `live`, overlaid with `saved`, which holds an entry for exactly those pages whose live entry
//!   has been changed by the open generation since.
//!
//! Every slot has one owner: a live entry, a saved entry, a chunk or root of the map on disk, or the list of slots
//! `pending` until a superblock without them is forced. A slot displaced in the open generation `C` can be named by
//! superblocks before `C` only, so it is free once a superblock of generation `C` or later is forced; if it was
//! written in `C` too, no superblock names it and it is free at once. (A task may still be reading it: a load that
//! finds the wrong bytes looks at the entry again before it complains, see `load`.)
//!
//! The map's lock is held for a few loads and stores, or for one chunk's copy; never while waiting.

use crate::error::{PageError, Result};
use crate::page::{PAGE_SIZE, PageNo, Slot, TreeNo};
use std::collections::{BTreeMap, HashMap};

/// Where a page is and whose. `tree` 0: the page is free, and the rest means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Entry {
    /// `Slot::NONE.0` for a page that has never been written.
    pub slot: u32,
    pub tree: u32,
    /// Checksum of the page image in the slot.
    pub crc: u32,
    /// Low half of the generation that the image belongs to.
    pub generation: u32,
}

impl Entry {
    pub(crate) const FREE: Entry = Entry { slot: 0, tree: 0, crc: 0, generation: 0 };

    /// A page that the file holds.
    pub(crate) fn is_written(&self) -> bool {
        self.tree != 0 && self.slot != Slot::NONE.0
    }
}

/// Bytes of an entry in a chunk on disk.
pub(crate) const ENTRY_SIZE: usize = 16;
/// Bytes in front of a chunk's entries.
pub(crate) const CHUNK_HEADER: usize = 32;
/// Pages that one chunk describes.
pub(crate) const CHUNK_PAGES: usize = (PAGE_SIZE - CHUNK_HEADER) / ENTRY_SIZE;

const _: () = assert!(CHUNK_PAGES == 1022 && CHUNK_HEADER + CHUNK_PAGES * ENTRY_SIZE == PAGE_SIZE);

/// The entries of one chunk.
pub(crate) type Chunk = [Entry; CHUNK_PAGES];

/// The map's state behind its lock.
pub(crate) struct Map {
    chunks: Vec<Box<Chunk>>,
    /// The open generation.
    pub open: u64,
    /// The generation that a running checkpoint writes.
    pub closing: Option<u64>,
    /// The checkpoint still takes pages of that generation; after that, whatever is written is the open one's.
    pub capturing: bool,
    saved: BTreeMap<u32, Entry>,
    /// Chunks changed in the open generation.
    changed_open: ChunkSet,
    /// Chunks changed in closed generations and not yet part of a forced superblock.
    changed_closed: ChunkSet,
    /// Freed page numbers, to be used again.
    free_pages: Vec<u32>,
    /// The first page number that was never used.
    next_page: u32,
    max_pages: u32,
    trees: HashMap<u32, Owned>,
    pending: Vec<(u64, Slot)>,
}

/// What a tree owns: how many pages, and between which chunks they lie.
#[derive(Clone, Copy)]
struct Owned {
    pages: u64,
    first: u32,
    last: u32,
}

impl Owned {
    /// Counts a page more.
    fn add(trees: &mut HashMap<u32, Owned>, tree: u32, page: u32) {
        let chunk = place(PageNo(page)).0 as u32;
        let owned = trees.entry(tree).or_insert(Owned { pages: 0, first: chunk, last: chunk });
        owned.pages += 1;
        owned.first = owned.first.min(chunk);
        owned.last = owned.last.max(chunk);
    }
}

/// A set of chunk numbers, one bit each: joining two takes microseconds, also for terabytes of pages.
#[derive(Default)]
struct ChunkSet(Vec<u64>);

impl ChunkSet {
    fn insert(&mut self, chunk: usize) {
        if self.0.len() <= chunk / 64 {
            self.0.resize(chunk / 64 + 1, 0);
        }
        self.0[chunk / 64] |= 1 << (chunk % 64);
    }

    /// Takes over everything from `other`.
    fn add_all(&mut self, other: &mut ChunkSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
        other.clear();
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let chunks_of = |(word, bits): (u32, u64)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit)
        };
        (0u32..).zip(self.0.iter().copied()).filter(|&(_, bits)| bits != 0).flat_map(chunks_of)
    }
}

/// What a checkpoint's end leaves to be sorted.
pub(crate) struct Ended {
    saved: BTreeMap<u32, Entry>,
    pending: Vec<(u64, Slot)>,
    open: u64,
    /// The generation of the superblock, if it was forced.
    forced: Option<u64>,
}

impl Ended {
    /// Slots that are free now, and slots that will be with a later superblock.
    pub(crate) fn sort(self) -> (Vec<Slot>, Vec<(u64, Slot)>) {
        let Ended { saved, mut pending, open, forced } = self;
        // The closing view's own slots: a superblock may name them until one of the generation now open is forced.
        let slots = saved.into_values().map(|entry| Slot(entry.slot)).filter(|&slot| slot != Slot::NONE);
        pending.extend(slots.map(|slot| (open, slot)));
        let (free, kept) =
            pending.into_iter().partition(|&(since, _)| forced.is_some_and(|forced| since <= forced));
        (Vec::into_iter(free).map(|(_, slot)| slot).collect(), kept)
    }
}

fn place(page: PageNo) -> (usize, usize) {
    (page.0 as usize / CHUNK_PAGES, page.0 as usize % CHUNK_PAGES)
}

impl Map {
    /// An empty map with generation `open`. `PageNo::NONE` is never allocated.
    pub(crate) fn new(open: u64, max_pages: u32) -> Map {
        Map {
            chunks: Vec::new(),
            open,
            closing: None,
            capturing: false,
            saved: BTreeMap::new(),
            changed_open: ChunkSet::default(),
            changed_closed: ChunkSet::default(),
            free_pages: Vec::new(),
            next_page: 1,
            max_pages,
            trees: HashMap::new(),
            pending: Vec::new(),
        }
    }

    /// A map read from disk.
    pub(crate) fn from_chunks(chunks: Vec<Box<Chunk>>, open: u64, max_pages: u32) -> Map {
        let mut map = Map::new(open, max_pages);
        for (number, chunk) in chunks.iter().enumerate() {
            for (index, entry) in chunk.iter().enumerate() {
                let page = (number * CHUNK_PAGES + index) as u32;
                if entry.tree != 0 {
                    Owned::add(&mut map.trees, entry.tree, page);
                    map.next_page = page + 1;
                }
            }
        }
        for page in (1..map.next_page).rev() {
            let (chunk, index) = place(PageNo(page));
            if chunks[chunk][index].tree == 0 {
                map.free_pages.push(page);
            }
        }
        map.chunks = chunks;
        map
    }

    pub(crate) fn get(&self, page: PageNo) -> Entry {
        let (chunk, index) = place(page);
        self.chunks.get(chunk).map_or(Entry::FREE, |chunk| chunk[index])
    }

    fn set(&mut self, page: PageNo, entry: Entry) {
        let (chunk, index) = place(page);
        while self.chunks.len() <= chunk {
            self.chunks.push(Box::new([Entry::FREE; CHUNK_PAGES]));
        }
        self.chunks[chunk][index] = entry;
    }

    /// Changes an entry in the open generation. Returns a slot that is free at once.
    fn change(&mut self, page: PageNo, entry: Entry) -> Option<Slot> {
        let old = self.get(page);
        self.set(page, entry);
        self.changed_open.insert(place(page).0);
        if self.closing.is_some() && !self.saved.contains_key(&page.0) {
            // The closing view keeps the old entry, and with it the slot.
            self.saved.insert(page.0, old);
            return None;
        }
        if old.slot == Slot::NONE.0 || old.slot == entry.slot {
            return None;
        }
        // With a checkpoint running, the old entry was itself made by the open generation: `saved` has the page.
        if self.closing.is_some() || old.generation == self.open as u32 {
            return Some(Slot(old.slot));
        }
        self.pending.push((self.open, Slot(old.slot)));
        None
    }

    /// Gives a page to `tree`.
    pub(crate) fn alloc(&mut self, tree: TreeNo) -> Result<PageNo> {
        assert!(tree.0 != 0, "tree number 0 owns no pages");
        let page = match self.free_pages.pop() {
            Some(page) => page,
            None if self.next_page < self.max_pages => {
                self.next_page += 1;
                self.next_page - 1
            }
            None => return Err(PageError::TooManyPages),
        };
        let entry = Entry { slot: Slot::NONE.0, tree: tree.0, crc: 0, generation: self.open as u32 };
        let none = self.change(PageNo(page), entry);
        debug_assert!(none.is_none(), "a free page has no slot");
        Owned::add(&mut self.trees, tree.0, page);
        Ok(PageNo(page))
    }

    /// Takes a page from its tree. Returns a slot that is free at once. The number may be given out again at once.
    pub(crate) fn free(&mut self, page: PageNo) -> Option<Slot> {
        let tree = self.get(page).tree;
        assert!(tree != 0, "page {page} is freed twice");
        if let Some(owned) = self.trees.get_mut(&tree) {
            owned.pages -= 1;
            if owned.pages == 0 {
                self.trees.remove(&tree);
            }
        }
        let slot = self.change(page, Entry::FREE);
        self.free_pages.push(page.0);
        slot
    }

    /// Notes that content of `generation` was written to `slot`. Returns a slot that is free at once.
    ///
    /// The caller makes sure that the content is the page's newest of that generation.
    pub(crate) fn install(&mut self, page: PageNo, slot: Slot, crc: u32, generation: u64) -> Option<Slot> {
        let written =
            |entry: Entry| Entry { slot: slot.0, tree: entry.tree, crc, generation: generation as u32 };
        if !(self.capturing && self.closing.is_some_and(|closing| generation <= closing)) {
            return self.change(page, written(self.get(page)));
        }
        self.changed_closed.insert(place(page).0);
        let old = match self.saved.get_mut(&page.0) {
            Some(saved) => {
                let old = *saved;
                *saved = written(old);
                old
            }
            None => {
                let old = self.get(page);
                self.set(page, written(old));
                old
            }
        };
        if old.slot != Slot::NONE.0 {
            self.pending.push((generation, Slot(old.slot)));
        }
        None
    }

    /// Closes the open generation for a checkpoint and returns it.
    pub(crate) fn close(&mut self) -> u64 {
        assert!(self.closing.is_none(), "one checkpoint at a time");
        let closing = self.open;
        self.open += 1;
        self.closing = Some(closing);
        self.capturing = true;
        self.changed_closed.add_all(&mut self.changed_open);
        closing
    }

    /// The chunks that the checkpoint must write.
    pub(crate) fn changed_chunks(&self) -> Vec<u32> {
        self.changed_closed.iter().collect()
    }

    /// The closing view of a chunk.
    pub(crate) fn closing_chunk(&self, chunk: u32) -> Box<Chunk> {
        let first = chunk * CHUNK_PAGES as u32;
        let mut copy = match self.chunks.get(chunk as usize) {
            Some(chunk) => chunk.clone(),
            None => Box::new([Entry::FREE; CHUNK_PAGES]),
        };
        for (page, entry) in self.saved.range(first..first + CHUNK_PAGES as u32) {
            copy[(page - first) as usize] = *entry;
        }
        // A page that was being allocated while the generation was closed has no content in it: not there yet. (With
        // the caller's gate this cannot be; without it the file must still make sense.)
        copy.iter_mut().filter(|entry| !entry.is_written()).for_each(|entry| *entry = Entry::FREE);
        copy
    }

    /// Ends a checkpoint, whose superblock was forced or not. What it returns is to be sorted without the lock, which
    /// would be held for too long, and brought back by `put_off`.
    pub(crate) fn end(&mut self, forced: bool) -> Ended {
        self.capturing = false;
        let closing = self.closing.take();
        if forced {
            self.changed_closed.clear();
        }
        let saved = std::mem::take(&mut self.saved);
        let pending = std::mem::take(&mut self.pending);
        Ended { saved, pending, open: self.open, forced: closing.filter(|_| forced) }
    }

    /// Slots that become free with a later superblock.
    pub(crate) fn put_off(&mut self, mut slots: Vec<(u64, Slot)>) {
        if self.pending.is_empty() {
            self.pending = slots;
        } else {
            self.pending.append(&mut slots);
        }
    }

    /// Pages of `tree` in the first chunk from `from` on that may have some, and the chunk behind it; `None` when there
    /// are no more.
    pub(crate) fn pages_of(&self, tree: TreeNo, from: usize) -> Option<(Vec<PageNo>, usize)> {
        let owned = self.trees.get(&tree.0)?;
        let chunk = from.max(owned.first as usize);
        let entries = self.chunks.get(chunk).filter(|_| chunk <= owned.last as usize)?;
        let first = (chunk * CHUNK_PAGES) as u32;
        let mine = entries.iter().zip(first..).filter(|(entry, _)| entry.tree == tree.0);
        Some((mine.map(|(_, page)| PageNo(page)).collect(), chunk + 1))
    }

    /// Pages in use in one chunk; `None` behind the last chunk.
    pub(crate) fn pages_in(&self, chunk: usize) -> Option<Vec<PageNo>> {
        let entries = self.chunks.get(chunk)?;
        let used = entries.iter().zip((chunk * CHUNK_PAGES) as u32..).filter(|(entry, _)| entry.tree != 0);
        Some(used.map(|(_, page)| PageNo(page)).collect())
    }

    /// Trees that own pages, with how many.
    pub(crate) fn trees(&self) -> Vec<(TreeNo, u64)> {
        let mut trees: Vec<_> = self.trees.iter().map(|(&tree, owned)| (TreeNo(tree), owned.pages)).collect();
        trees.sort_unstable();
        trees
    }

    /// Pages of one tree.
    pub(crate) fn tree_pages(&self, tree: TreeNo) -> u64 {
        self.trees.get(&tree.0).map_or(0, |owned| owned.pages)
    }

    /// Pages in use.
    pub(crate) fn used_pages(&self) -> u64 {
        self.trees.values().map(|owned| owned.pages).sum()
    }

    /// The live entries of all pages in use.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (PageNo, Entry)> + '_ {
        let entries = self.chunks.iter().flat_map(|chunk| chunk.iter()).zip(0u32..);
        entries.filter(|(entry, _)| entry.tree != 0).map(|(entry, page)| (PageNo(page), *entry))
    }
}
