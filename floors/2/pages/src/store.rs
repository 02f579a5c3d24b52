//! The store: the calls that trees make.

use crate::checkpoint::DiskMap;
use crate::counters::{Count, Counters, Tally};
use crate::error::{Damage, PageError, Result};
use crate::exclusive::PageMut;
use crate::frames::{FramePool, Placement, WordArray};
use crate::latch;
use crate::map::Map;
use crate::page::{AT_KIND, AT_PAGE, AT_TREE, AT_VERSION, Kind, PAGE_SIZE, PAGE_VERSION, PageNo, TreeNo};
use crate::slots::PageFile;
use crate::view::PageView;
use crate::words;
use parking_lot::Mutex;
use platform::spin::Backoff;
use platform::topology::Cpu;
use runtime::Turn;
use runtime::WaitQueue;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

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
    /// Spread the pool and the table of pages over the NUMA nodes that the process may use.
    pub interleave: bool,
    /// What goes round the kernel's page cache.
    pub direct: DirectIo,
}

/// What goes round the kernel's page cache (`O_DIRECT`), where the file system can do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectIo {
    /// Nothing. The force at a checkpoint's end writes everything at once, and forces of other files, the log's among
    /// them, wait for it.
    Off,
    /// What checkpoints write. Evicted pages and reads use the page cache, as an extension of the pool.
    Checkpoints,
    /// Everything: memory holds each page once, and a page that is not in the pool always costs a device read.
    All,
}

impl Default for PoolOptions {
    fn default() -> PoolOptions {
        PoolOptions {
            pool_bytes: 128 << 20,
            max_pages: 1 << 28,
            extent_min: 64 << 20,
            extent_max: 1 << 30,
            interleave: true,
            direct: DirectIo::Checkpoints,
        }
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
    pub page_words: WordArray,
    pub frames: FramePool,
    pub map: Mutex<Map>,
    pub file: PageFile,
    /// Tasks that wait for loads, by page number.
    pub loads: Box<[WaitQueue]>,
    /// Loads under way that somebody waits for.
    pub loading: AtomicU32,
    /// Tasks that wait for free frames.
    pub room: WaitQueue,
    /// The frame that eviction looks at next.
    pub hand: Mutex<u32>,
    /// Tasks that are evicting now.
    pub evictors: AtomicUsize,
    pub checkpoint_turn: Turn,
    pub disk: Mutex<DiskMap>,
    /// The open generation, as in `map`.
    pub open: AtomicU64,
    /// The generation that a running checkpoint still has to capture pages of; 0: none.
    pub capturing: AtomicU64,
    /// Pages of the generation being captured, as they were before a later change.
    pub copies: Mutex<BTreeMap<u32, Box<[u8]>>>,
    /// Their number, readable without the lock.
    pub copies_len: AtomicUsize,
    /// Tasks that wait until there are fewer copies.
    pub copies_gone: WaitQueue,
    /// Damage found and not yet fetched.
    pub damage: Mutex<Vec<Damage>>,
    /// Why nothing is served any more.
    pub poison: OnceLock<String>,
    pub tally: Tally,
}

impl Store {
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
        let mut backoff = Backoff::new();
        loop {
            let seen = latch::look(word);
            if latch::is_readable(seen) {
                return Ok(shared.begin(page, seen));
            }
            if seen & latch::RESIDENT != 0 {
                latch::relax(&mut backoff);
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
        let mut backoff = Backoff::new();
        loop {
            let seen = latch::look(word);
            if latch::is_readable(seen) {
                return Ok(shared.begin(page, seen));
            }
            if seen & latch::RESIDENT == 0 {
                return Err(NotResident);
            }
            latch::relax(&mut backoff);
        }
    }

    /// Asks the core to bring near what a look at the page begins with: only a hint.
    #[inline]
    pub fn prefetch_word(&self, page: PageNo) {
        self.shared.find_word(page).into_iter().for_each(platform::mem::prefetch);
    }

    /// Takes a look up again; `None` when the page has changed since, or is being changed.
    #[inline]
    pub fn resume(&self, look: Look) -> Option<Optimistic<'_>> {
        let shared = &*self.shared;
        let seen = latch::look(shared.find_word(look.page)?);
        // Equal but for HEAT, and the look was at a readable page.
        ((seen ^ look.seen) & !latch::HEAT == 0).then(|| shared.begin(look.page, seen))
    }

    /// Latches a page, and loads it first if needed. No latch may be held: this may wait.
    pub fn lock(&self, page: PageNo) -> Result<PageMut<'_>> {
        self.throttle();
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
        let mut backoff = Backoff::new();
        loop {
            let seen = latch::look(word) & !latch::HEAT;
            if seen & latch::RESIDENT == 0 {
                return Err(NotResident);
            }
            if latch::is_readable(seen) && latch::try_latch(word, seen).is_ok() {
                return Ok(PageMut::new(shared, page, seen));
            }
            latch::relax(&mut backoff);
        }
    }

    /// Brings a page into the pool. No latch may be held: this may wait.
    pub fn load(&self, page: PageNo) -> Result<()> {
        self.shared.bring_in(page)
    }

    /// Brings several pages into the pool with reads that are in flight together, as far as that can be done now: for a
    /// scan that knows its next pages. At most 32 (and an eighth of the pool) at a time, the rest is left alone. No
    /// latch may be held: this may wait.
    pub fn prefetch(&self, pages: &[PageNo]) {
        if pages.iter().any(|page| self.shared.is_absent(*page)) {
            self.shared.bring_in_many(pages);
        }
    }

    /// Waits while writers have left more copies for a running checkpoint than an eighth of the pool: it bounds their
    /// memory. [`Store::lock`] does this by itself; who only upgrades looks calls it now and then, with no latch held.
    #[inline]
    pub fn throttle(&self) {
        let shared = &*self.shared;
        let few = || shared.copies_len.load(Ordering::Relaxed) <= shared.copies_max();
        if !few() {
            shared.copies_gone.wait(|| few().then_some(()));
        }
    }

    /// Takes a new page for `tree`, zeroed, latched. No latch may be held: making room may wait.
    pub fn alloc(&self, tree: TreeNo, kind: Kind) -> Result<PageMut<'_>> {
        self.throttle();
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
        shared.check_poison()?;
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
        let mut backoff = Backoff::new();
        // Whoever freed the page may not have let go of it yet, or a reader with an old pointer may be about to learn
        // that it is gone. Neither waits for anything.
        let seen = loop {
            let seen = latch::look(word);
            if seen & latch::LATCHED == 0 {
                assert!(seen & latch::RESIDENT == 0, "page {page} was free and is in a frame");
                if latch::try_latch(word, seen).is_ok() {
                    break seen;
                }
            }
            latch::relax(&mut backoff);
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

    /// Waits until `frames` frames (at most a quarter of the pool) are free, for [`Store::try_alloc`]; another task may
    /// be faster. No latch may be held.
    pub fn make_room(&self, frames: u32) -> Result<()> {
        self.shared.make_room(frames)
    }

    /// Gives a page back. Its number may be given out again at once. Waits for nothing.
    pub fn free(&self, page: PageMut<'_>) {
        let shared = &*self.shared;
        let (page, frame, seen) = page.into_parts();
        shared.before_change(page, frame);
        // The map first: a reader with an old pointer must not load the page again. Whoever is given the number next
        // waits for the latch to end.
        shared.free_number(page);
        latch::settle_out(shared.word(page), seen);
        shared.give_back(frame);
    }

    /// Gives back a page that nobody else uses, in the pool or not. No latch may be held: this may wait.
    pub fn free_page(&self, page: PageNo) -> Result<()> {
        loop {
            match self.try_lock_resident(page) {
                Ok(page) => {
                    self.free(page);
                    return Ok(());
                }
                Err(NotResident) => match self.shared.latch_absent(page)? {
                    None => {}
                    Some(absent) => return self.shared.free_absent(absent),
                },
            }
        }
    }

    /// Gives back all pages of a tree that nobody else uses any more; returns their number. No latch may be held: this
    /// may wait.
    pub fn free_tree(&self, tree: TreeNo) -> Result<u64> {
        let (mut freed, mut from) = (0, 0);
        loop {
            let pages = self.shared.map.lock().pages_of(tree, from);
            let Some((pages, next)) = pages else { break };
            from = next;
            for page in pages {
                self.free_page(page)?;
                freed += 1;
            }
            runtime::slice_point();
        }
        Ok(freed)
    }

    /// Has the kernel back the whole pool with memory, by a thread on each of `cpus`, side by side. Until then, and
    /// where this is not called, memory comes as it is used. The pool may be in use meanwhile.
    pub fn populate(&self, cpus: &[Cpu]) -> std::io::Result<()> {
        self.shared.frames.populate(cpus)
    }

    /// Where the pool's memory lies.
    pub fn placement(&self) -> Placement {
        self.shared.frames.placement()
    }

    /// The damage found in the file since the last call, for the log.
    pub fn take_damage(&self) -> Vec<Damage> {
        std::mem::take(&mut *self.shared.damage.lock())
    }

    /// Reads every page that the map names from the file, whether it is in the pool or not, and returns the damage.
    pub fn verify(&self) -> Result<Vec<Damage>> {
        self.shared.verify()
    }

    /// Trees that own pages, with the number of their pages, by tree number.
    pub fn trees(&self) -> Vec<(TreeNo, u64)> {
        self.shared.map.lock().trees()
    }

    /// Pages that a tree owns.
    pub fn tree_pages(&self, tree: TreeNo) -> u64 {
        self.shared.map.lock().tree_pages(tree)
    }

    /// Frames with changes that the page file has not, and frames in all. Looks at every frame.
    pub fn dirty_frames(&self) -> (u64, u64) {
        (self.shared.frames.dirty_count(), u64::from(self.shared.frames.count()))
    }

    /// What has been done so far, and the state now.
    pub fn counters(&self) -> Counters {
        let shared = &*self.shared;
        let mut counters = shared.tally.sums();
        counters.frames = u64::from(shared.frames.count());
        counters.frames_free_now = u64::from(shared.frames.free_count());
        counters.frames_dirty_now = shared.frames.dirty_count();
        counters.copies_now = shared.copies_len.load(Ordering::Relaxed) as u64;
        counters.slots_free_now = u64::from(shared.file.free_slots());
        counters.file_bytes_now = u64::from(shared.file.slot_count()) * PAGE_SIZE as u64;
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
    pub(crate) fn find_word(&self, page: PageNo) -> Option<&AtomicU64> {
        self.page_words.as_slice().get(page.0 as usize)
    }

    #[inline(always)]
    fn begin(&self, page: PageNo, seen: u64) -> Optimistic<'_> {
        if seen & latch::HEAT != 0 {
            latch::warm(self.word(page), seen);
        }
        self.tally.one(Count::Hits);
        Optimistic { shared: self, page, seen: seen & !latch::HEAT }
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

    /// Most copies that writers may leave before `throttle` makes them wait.
    fn copies_max(&self) -> usize {
        (self.frames.count() as usize / 8).max(64)
    }

    /// Takes a page's number back.
    pub(crate) fn free_number(&self, page: PageNo) {
        let free = self.map.lock().free(page);
        free.into_iter().for_each(|slot| self.file.release(slot));
    }

    /// Fails if an earlier write or force failed.
    pub(crate) fn check_poison(&self) -> Result<()> {
        match self.poison.get() {
            None => Ok(()),
            Some(reason) => Err(PageError::Poisoned(reason.clone())),
        }
    }

    /// Notes that a write or force failed: from here on nothing is served. Gives the first such error's words.
    pub(crate) fn poison(&self, error: PageError) -> PageError {
        PageError::Poisoned(self.poison.get_or_init(|| error.to_string()).clone())
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

/// A look at a page, to be taken up again by [`Store::resume`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    page: PageNo,
    seen: u64,
}

impl<'s> Optimistic<'s> {
    /// This look, for later.
    #[inline]
    pub fn look(&self) -> Look {
        Look { page: self.page, seen: self.seen }
    }

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
