//! The memory of the buffer pool, and what is known of each frame beside its page.

use crate::page::{PAGE_SIZE, PageNo};
use crate::words::{WORDS, Words};
use parking_lot::Mutex;
use platform::mem::{Region, RegionOptions};
use platform::numa::{Spread, bytes_by_node};
use platform::topology::Cpu;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};

/// A zeroed array of atomic words that never moves; memory that was never touched costs nothing.
pub(crate) struct WordArray {
    region: Region,
    len: usize,
}

// SAFETY: the region is plain memory owned by this value, and all access goes through `AtomicU64`.
unsafe impl Send for WordArray {}
// SAFETY: as above, shared access is atomic.
unsafe impl Sync for WordArray {}

impl WordArray {
    /// `len` words; `interleave`: spread over the NUMA nodes.
    pub(crate) fn new(len: usize, huge_pages: bool, interleave: bool) -> io::Result<WordArray> {
        let region = Region::new(len * size_of::<AtomicU64>(), RegionOptions { huge_pages, interleave })?;
        assert!(region.len() >= len * size_of::<AtomicU64>(), "a region is not smaller than asked for");
        Ok(WordArray { region, len })
    }

    #[inline(always)]
    pub(crate) fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: the region is committed, zeroed, aligned to far more than 8 bytes, not smaller than `len` words
        // (asserted in `new`) and lives as long as `self`; zeros are valid atomics; nobody makes any other kind of
        // reference into it but the shared byte slices of `PageMut`, while nothing is stored.
        unsafe { std::slice::from_raw_parts(self.region.as_ptr().cast::<AtomicU64>(), self.len) }
    }
}

/// Where the memory of the pool lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// What became of spreading it over NUMA nodes.
    pub spread: Spread,
    /// The bytes on each node, of those that were touched.
    pub bytes_by_node: BTreeMap<usize, u64>,
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
    /// `count` free frames, whose memory comes as it is used or by [`FramePool::populate`].
    pub(crate) fn new(count: u32, interleave: bool) -> io::Result<FramePool> {
        let memory = WordArray::new(count as usize * WORDS, true, interleave)?;
        let metas = (0..count).map(|_| Meta::default()).collect();
        let free: Vec<u32> = (0..count).rev().collect();
        Ok(FramePool { memory, metas, free: Mutex::new(free), free_len: AtomicU32::new(count) })
    }

    /// Has the kernel back all frames with memory, by a thread on each of `cpus`; frames may be in use meanwhile.
    pub(crate) fn populate(&self, cpus: &[Cpu]) -> io::Result<()> {
        self.memory.region.populate(0..self.metas.len() * PAGE_SIZE, cpus)
    }

    /// Where the frames' memory lies.
    pub(crate) fn placement(&self) -> Placement {
        let start = self.memory.region.as_ptr() as usize;
        Placement {
            spread: self.memory.region.report().spread,
            bytes_by_node: bytes_by_node(start..start + self.memory.region.len()),
        }
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
        drop(free);
        // A reader of the page that was in this frame before may still be copying. If it sees a store that the new
        // owner makes after this fence, it must also see that its page went: the eviction happened before, by the
        // list's lock, and this fence pairs with the one in `latch::is_same`.
        fence(Ordering::Release);
        frame
    }

    /// Frames whose page was changed and not yet written.
    pub(crate) fn dirty_count(&self) -> u64 {
        self.metas.iter().filter(|meta| meta.dirty.load(Ordering::Relaxed) != 0).count() as u64
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
