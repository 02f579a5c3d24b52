//! The store: the calls that trees make.

use crate::counters::{Count, Counters, Tally};
use crate::error::{PageError, Result};
use crate::exclusive::PageMut;
use crate::frames::{FramePool, WordArray};
use crate::latch;
use crate::map::Map;
use crate::page::{AT_KIND, AT_PAGE, AT_TREE, AT_VERSION, Kind, PAGE_SIZE, PAGE_VERSION, PageNo, TreeNo};
use crate::view::PageView;
use crate::words;
use crossbeam_utils::Backoff;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// How to make or open a store.
#[derive(Clone, Debug)]
pub struct PoolOptions {
    /// Memory for pages in bytes; at least 16 pages.
    pub pool_bytes: u64,
    /// Most page numbers ever in use; 8 bytes of address space each. 2^28 pages are 4 TiB of data.
    pub max_pages: u32,
    /// The file's first piece and smallest growth, in bytes. It then doubles, up to `extent_max`.
    pub extent_min: u64,
    /// The file's largest growth, in bytes.
    pub extent_max: u64,
}

impl Default for PoolOptions {
    fn default() -> PoolOptions {
        PoolOptions { pool_bytes: 128 << 20, max_pages: 1 << 28, extent_min: 64 << 20, extent_max: 1 << 30 }
    }
}

/// A reader saw bytes that make no sense, surely because a writer was at work: look again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry;

/// The page is not in the pool: let go of all latches, [`Store::load`] it, start again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotResident;

/// A page store. Clones are handles of the same one.
#[derive(Clone)]
pub struct Store {
    pub(crate) shared: Arc<Shared>,
}

/// What all handles share.
pub(crate) struct Shared {
    page_words: WordArray,
    pub frames: FramePool,
    pub map: Mutex<Map>,
    /// The open generation, as in `map`.
    pub open: AtomicU64,
    /// The generation that a running checkpoint still has to copy pages of; 0: none.
    pub capturing: AtomicU64,
    /// Pages of the generation being captured, as they were before a later change.
    pub copies: Mutex<HashMap<u32, Box<[u8]>>>,
    pub copies_len: AtomicUsize,
    pub tally: Tally,
}

impl Store {
    /// A store in memory only, without a file, for building on while the file is not there.
    pub fn in_memory(options: &PoolOptions) -> Result<Store> {
        let frames = (options.pool_bytes / PAGE_SIZE as u64).clamp(16, latch::FRAMES_MAX);
        let shared = Shared {
            page_words: WordArray::new(options.max_pages as usize),
            frames: FramePool::new(frames as u32),
            map: Mutex::new(Map::new(1, options.max_pages)),
            open: AtomicU64::new(1),
            capturing: AtomicU64::new(0),
            copies: Mutex::new(HashMap::new()),
            copies_len: AtomicUsize::new(0),
            tally: Tally::new(),
        };
        Ok(Store { shared: Arc::new(shared) })
    }

    /// Reads from a page without a latch, as often as it takes to get one state of it, and loads it if needed.
    ///
    /// `look` may be given torn bytes (see [`PageView`]); what it returns then is dropped and it is called again, as
    /// it is when it says [`Retry`] itself.
    #[inline]
    pub fn read<R>(&self, page: PageNo, mut look: impl FnMut(&PageView) -> Result<R, Retry>) -> Result<R> {
        loop {
            let seen = self.optimistic(page)?;
            let result = look(&seen.view());
            if seen.validate()
                && let Ok(result) = result
            {
                return Ok(result);
            }
        }
    }

    /// Begins a look without a latch, and loads the page if needed.
    #[inline]
    pub fn optimistic(&self, page: PageNo) -> Result<Optimistic<'_>> {
        let shared = &*self.shared;
        let Some(word) = shared.find_word(page) else { return Err(PageError::NotAllocated(page)) };
        let seen = latch::look(word);
        if latch::is_readable(seen) {
            return Ok(shared.begin(page, seen));
        }
        self.optimistic_slow(page)
    }

    #[cold]
    fn optimistic_slow(&self, page: PageNo) -> Result<Optimistic<'_>> {
        let shared = &*self.shared;
        let word = shared.word(page);
        let backoff = Backoff::new();
        loop {
            let seen = latch::look(word);
            if latch::is_readable(seen) {
                return Ok(shared.begin(page, seen));
            }
            if seen & latch::RESIDENT != 0 {
                backoff.snooze();
            } else {
                self.load(page)?;
            }
        }
    }

    /// Begins a look at a page that is in the pool; waits for nothing but the end of a writer's latch.
    #[inline]
    pub fn try_optimistic_resident(&self, page: PageNo) -> Result<Optimistic<'_>, NotResident> {
        let shared = &*self.shared;
        let word = shared.find_word(page).ok_or(NotResident)?;
        let backoff = Backoff::new();
        loop {
            let seen = latch::look(word);
            if latch::is_readable(seen) {
                return Ok(shared.begin(page, seen));
            }
            if seen & latch::RESIDENT == 0 {
                return Err(NotResident);
            }
            backoff.snooze();
        }
    }

    /// Latches a page, and loads it first if needed. No latch may be held: this may wait.
    pub fn lock(&self, page: PageNo) -> Result<PageMut<'_>> {
        loop {
            match self.try_lock_resident(page) {
                Ok(page) => return Ok(page),
                Err(NotResident) => self.load(page)?,
            }
        }
    }

    /// Latches a page that is in the pool; waits for nothing but the end of another writer's latch, so other latches
    /// may be held.
    pub fn try_lock_resident(&self, page: PageNo) -> Result<PageMut<'_>, NotResident> {
        let shared = &*self.shared;
        let word = shared.find_word(page).ok_or(NotResident)?;
        let backoff = Backoff::new();
        loop {
            let seen = latch::look(word) & !latch::COOL;
            if seen & latch::RESIDENT == 0 {
                return Err(NotResident);
            }
            if latch::is_readable(seen) && latch::try_latch(word, seen).is_ok() {
                return Ok(PageMut::new(shared, page, seen));
            }
            backoff.snooze();
        }
    }

    /// Brings a page into the pool. No latch may be held: this may wait.
    pub fn load(&self, page: PageNo) -> Result<()> {
        let shared = &*self.shared;
        match shared.find_word(page) {
            Some(word) if latch::look(word) & latch::RESIDENT != 0 => Ok(()),
            Some(_) | None => Err(PageError::NotAllocated(page)),
        }
    }

    /// Takes a new page for `tree`, zeroed, latched. No latch may be held: making room may wait.
    pub fn alloc(&self, tree: TreeNo, kind: Kind) -> Result<PageMut<'_>> {
        loop {
            if let Some(page) = self.try_alloc(tree, kind)? {
                return Ok(page);
            }
            self.make_room(1)?;
        }
    }

    /// The same without waiting, so that other latches may be held. `None`: no frame is free; let go of all latches,
    /// call [`Store::make_room`], start again.
    pub fn try_alloc(&self, tree: TreeNo, kind: Kind) -> Result<Option<PageMut<'_>>> {
        let shared = &*self.shared;
        let Some(frame) = shared.frames.take() else { return Ok(None) };
        let (page, generation) = {
            let mut map = shared.map.lock();
            match map.alloc(tree) {
                Ok(page) => (page, map.open),
                Err(error) => {
                    shared.frames.put(frame);
                    return Err(error);
                }
            }
        };
        let word = shared.word(page);
        let backoff = Backoff::new();
        // A task that does not know yet that the page was free may be looking for it: wait for its answer.
        let seen = loop {
            let seen = latch::look(word);
            assert!(seen & latch::RESIDENT == 0, "page {page} was free and is in a frame");
            if latch::try_latch(word, seen).is_ok() {
                break seen;
            }
            backoff.snooze();
        };
        shared.frames.bind(frame, page, generation);
        let memory = shared.frames.words(frame);
        words::fill(memory, 0, PAGE_SIZE, 0);
        words::copy_in(memory, AT_PAGE, &page.0.to_le_bytes());
        words::copy_in(memory, AT_TREE, &tree.0.to_le_bytes());
        words::copy_in(memory, AT_KIND, &[kind.0]);
        words::copy_in(memory, AT_VERSION, &[PAGE_VERSION]);
        Ok(Some(PageMut::fresh(shared, page, seen, frame)))
    }

    /// Makes sure that `frames` frames (fewer than a quarter of the pool) are free now, for [`Store::try_alloc`]. No
    /// latch may be held: this may wait.
    pub fn make_room(&self, frames: u32) -> Result<()> {
        if self.shared.frames.free_count() >= frames { Ok(()) } else { Err(PageError::PoolExhausted) }
    }

    /// Gives a page back. Its number may be given out again at once.
    pub fn free(&self, page: PageMut<'_>) {
        let shared = &*self.shared;
        let (page, frame, seen) = page.into_parts();
        shared.before_change(page, frame);
        let slot = shared.map.lock().free(page);
        latch::settle_out(shared.word(page), seen);
        shared.frames.put(frame);
        debug_assert!(slot.is_none());
    }

    /// Trees that own pages, with the number of their pages, by tree number.
    pub fn trees(&self) -> Vec<(TreeNo, u64)> {
        self.shared.map.lock().trees()
    }

    /// What has been done so far, and the state now.
    pub fn counters(&self) -> Counters {
        let shared = &*self.shared;
        let mut counters = shared.tally.sums();
        counters.frames = u64::from(shared.frames.count());
        counters.frames_free_now = u64::from(shared.frames.free_count());
        counters.pages_now = shared.map.lock().used_pages();
        counters
    }
}

impl Shared {
    /// The word of a page number that exists for certain.
    #[inline(always)]
    pub(crate) fn word(&self, page: PageNo) -> &AtomicU64 {
        &self.page_words.as_slice()[page.0 as usize]
    }

    #[inline(always)]
    fn find_word(&self, page: PageNo) -> Option<&AtomicU64> {
        self.page_words.as_slice().get(page.0 as usize)
    }

    #[inline(always)]
    fn begin(&self, page: PageNo, seen: u64) -> Optimistic<'_> {
        if seen & latch::COOL != 0 {
            latch::warm(self.word(page), seen);
        }
        self.tally.one(Count::Hits);
        Optimistic { shared: self, page, seen: seen & !latch::COOL }
    }

    /// Before the first change of a latched page under this latch: leaves the checkpoint writer its copy if it still
    /// needs the page as it is, and makes the page dirty in the open generation.
    #[inline]
    pub(crate) fn before_change(&self, page: PageNo, frame: u32) {
        let meta = self.frames.meta(frame);
        let open = self.open.load(Ordering::Acquire);
        let dirty = meta.dirty.load(Ordering::Relaxed);
        if dirty == open {
            return;
        }
        if dirty != 0 {
            self.leave_copy(page, frame, dirty);
        }
        meta.dirty.store(open, Ordering::Relaxed);
    }

    #[cold]
    fn leave_copy(&self, page: PageNo, frame: u32, dirty: u64) {
        let capturing = self.capturing.load(Ordering::Acquire);
        let meta = self.frames.meta(frame);
        if capturing == 0 || dirty > capturing || meta.captured.load(Ordering::Relaxed) == capturing {
            return;
        }
        let mut copy = vec![0; PAGE_SIZE].into_boxed_slice();
        words::copy_out(self.frames.words(frame), 0, &mut copy);
        let mut copies = self.copies.lock();
        copies.insert(page.0, copy);
        self.copies_len.store(copies.len(), Ordering::Relaxed);
        self.tally.one(Count::Copies);
    }
}

/// A look at a page without a latch.
#[derive(Clone, Copy)]
pub struct Optimistic<'s> {
    shared: &'s Shared,
    page: PageNo,
    seen: u64,
}

impl<'s> Optimistic<'s> {
    /// The page looked at.
    pub fn page(&self) -> PageNo {
        self.page
    }

    /// The bytes; garbage until [`Optimistic::validate`] says otherwise.
    #[inline(always)]
    pub fn view(&self) -> PageView<'s> {
        PageView::new(self.shared.frames.words(latch::frame_of(self.seen)))
    }

    /// Whether everything copied out so far is the page as it was when this look began, and the page still is so.
    #[inline(always)]
    pub fn validate(&self) -> bool {
        latch::is_same(self.shared.word(self.page), self.seen)
    }

    /// The latch, if the page is still as it was when this look began. Waits for nothing.
    #[inline]
    pub fn upgrade(self) -> Option<PageMut<'s>> {
        latch::try_latch(self.shared.word(self.page), self.seen).ok()?;
        Some(PageMut::new(self.shared, self.page, self.seen))
    }
}

#[cfg(test)]
mod tests;
