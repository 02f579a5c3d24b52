//! The memory of the buffer pool, and what is known of each frame beside its page.

use crate::page::PageNo;
use crate::words::{WORDS, Words};
use parking_lot::Mutex;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// A zeroed array of atomic words that never moves; pages of the system that were never touched cost nothing.
pub(crate) struct WordArray {
    base: NonNull<AtomicU64>,
    len: usize,
}

// SAFETY: the array is plain memory owned by this value, and all access goes through `AtomicU64`.
unsafe impl Send for WordArray {}
// SAFETY: as above, shared access is atomic.
unsafe impl Sync for WordArray {}

impl WordArray {
    pub(crate) fn new(len: usize) -> WordArray {
        let layout = Self::layout(len);
        // SAFETY: the layout is not of size zero, `layout` asserts it.
        let base = unsafe { alloc_zeroed(layout) };
        let Some(base) = NonNull::new(base.cast::<AtomicU64>()) else { handle_alloc_error(layout) };
        WordArray { base, len }
    }

    fn layout(len: usize) -> Layout {
        assert!(len > 0, "an array of no words");
        Layout::array::<AtomicU64>(len).expect("the options limit pages and frames")
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: `base` points to `len` zeroed words, which are valid atomics, alive as long as `self`.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.len) }
    }
}

impl Drop for WordArray {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout, and no borrow outlives `self`.
        unsafe { dealloc(self.base.as_ptr().cast(), Self::layout(self.len)) }
    }
}

/// What is known of a frame. Changed under the latch of the page in it, read by scans without.
#[derive(Default)]
pub(crate) struct Meta {
    /// The page in the frame; meaningful only while that page's word names the frame.
    pub page: AtomicU32,
    /// An eviction is writing the frame out; another eviction leaves it alone.
    pub leaving: AtomicBool,
    /// The generation in which the page was last changed since it was last written; 0: clean.
    pub dirty: AtomicU64,
    /// The closed generation for which the checkpoint writer has copied the page, until its slot is in the map.
    pub captured: AtomicU64,
}

/// All frames and the list of the free ones.
pub(crate) struct FramePool {
    memory: WordArray,
    metas: Box<[Meta]>,
    free: Mutex<Vec<u32>>,
    /// Length of `free`, readable without its lock.
    free_len: AtomicU32,
}

impl FramePool {
    pub(crate) fn new(count: u32) -> FramePool {
        let memory = WordArray::new(count as usize * WORDS);
        let metas = (0..count).map(|_| Meta::default()).collect();
        let free: Vec<u32> = (0..count).rev().collect();
        FramePool { memory, metas, free: Mutex::new(free), free_len: AtomicU32::new(count) }
    }

    pub(crate) fn count(&self) -> u32 {
        self.metas.len() as u32
    }

    #[inline(always)]
    pub(crate) fn words(&self, frame: u32) -> &Words {
        let start = frame as usize * WORDS;
        match self.memory.as_slice()[start..start + WORDS].try_into() {
            Ok(words) => words,
            Err(_) => unreachable!("the slice has the length of a frame"),
        }
    }

    #[inline(always)]
    pub(crate) fn meta(&self, frame: u32) -> &Meta {
        &self.metas[frame as usize]
    }

    /// Takes a free frame, if there is one.
    pub(crate) fn take(&self) -> Option<u32> {
        let mut free = self.free.lock();
        let frame = free.pop();
        self.free_len.store(free.len() as u32, Ordering::Relaxed);
        frame
    }

    /// Gives a frame back that no word names any more.
    pub(crate) fn put(&self, frame: u32) {
        let meta = self.meta(frame);
        meta.dirty.store(0, Ordering::Relaxed);
        meta.captured.store(0, Ordering::Relaxed);
        meta.leaving.store(false, Ordering::Relaxed);
        let mut free = self.free.lock();
        free.push(frame);
        self.free_len.store(free.len() as u32, Ordering::Relaxed);
    }

    pub(crate) fn free_count(&self) -> u32 {
        self.free_len.load(Ordering::Relaxed)
    }

    /// Binds a taken frame to its page, before the page's word names it.
    pub(crate) fn bind(&self, frame: u32, page: PageNo, dirty: u64) {
        let meta = self.meta(frame);
        meta.page.store(page.0, Ordering::Relaxed);
        meta.captured.store(0, Ordering::Relaxed);
        meta.leaving.store(false, Ordering::Relaxed);
        meta.dirty.store(dirty, Ordering::Relaxed);
    }
}
