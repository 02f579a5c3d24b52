//! The shadow checkpoint.
//!
//! 1. **Close.** The caller, holding its gate against changes, closes the generation: two stores and the map's lists.
//!    From here on changes belong to the next generation. Nobody waits for the rest.
//! 2. **Capture and write.** All pages dirty in the closed generation, in page order, in runs of up to [`RUN`] pages:
//!    copied under their latch, written to fresh slots, entered into the map's closing view. Whoever changes such a
//!    page before it is captured leaves a copy of it (`Shared::before_change`); copies are written first.
//! 3. **Map.** Changed chunks and roots, each to two fresh slots. Force.
//! 4. **Superblock.** First copy of the place whose turn it is, force, second copy, force. Now the slots that only
//!    older superblocks name are free.
//!
//! Without room in the file the checkpoint is abandoned: nothing was overwritten, everything dirty stays dirty, the
//! next one includes it. A failed write or force poisons the store.
//!
//! A page is clean only after its new slot is in the map: an eviction in between would otherwise bring back the old
//! slot's content. Until then `captured` tells writers that no copy is needed any more, and eviction not to write the
//! page a second time.

use crate::buffer::Buffer;
use crate::counters::Count;
use crate::error::{PageError, Result};
use crate::latch;
use crate::mapfile::{ROOT_CHUNKS, Root, encode_chunk, encode_root};
use crate::page::{self, PAGE_SIZE, PageNo, Slot};
use crate::store::{Shared, Store};
use crate::superblock::{BlockRef, META_MAX, ROOTS_MAX, Superblock, slot_of};
use crate::words;
use platform::spin::Backoff;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Most pages written at a time: 4 MiB.
const RUN: usize = 256;
/// Map blocks encoded at a time.
const BLOCKS: usize = 64;

/// What a checkpoint did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckpointReport {
    /// The generation that was closed and is now what a restart finds.
    pub generation: u64,
    /// Pages written.
    pub pages: u64,
    /// Of those, copies that writers had left.
    pub copies: u64,
    /// Blocks of the map written (each has two copies).
    pub map_blocks: u64,
}

/// Closes the generation, once, at the instant that the caller chooses: see [`Store::checkpoint`].
pub struct Close<'a> {
    shared: &'a Shared,
    closed: &'a mut Option<u64>,
}

impl Close<'_> {
    /// Closes the generation: everything changed before belongs to the checkpoint, nothing changed after does.
    pub fn close(self) {
        self.shared.close_generation(self.closed);
    }
}

/// The map on disk as the newest superblock names it. Behind the checkpoint's turn.
#[derive(Default)]
pub(crate) struct DiskMap {
    pub sequence: u64,
    pub roots: Vec<(BlockRef, Box<Root>)>,
    /// Chunks with a damaged copy, to be written anew.
    pub heal: BTreeSet<u32>,
}

/// Ends the checkpoint when dropped: as abandoned, unless its superblock was forced.
struct Running<'a> {
    shared: &'a Shared,
    forced: bool,
    /// Slots of map blocks taken by this checkpoint.
    blocks: Vec<Slot>,
    /// Slots of map blocks that only older superblocks name once this one is forced.
    displaced: Vec<Slot>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let file = &self.shared.file;
        self.shared.end_capture();
        let ended = self.shared.map.lock().end(self.forced);
        let (free, later) = ended.sort();
        self.shared.map.lock().put_off(later);
        file.release_all(&free);
        file.release_all(if self.forced { &self.displaced } else { &self.blocks });
    }
}

/// A page of the closed generation on its way to the file.
struct Captured {
    page: PageNo,
    /// The frame it was captured from, if it was not a copy.
    frame: Option<u32>,
}

impl Store {
    /// Writes everything changed so far, and makes it what a restart finds, together with `meta`.
    ///
    /// `close` is called at once, in this task. It stops all changes of pages (the engine's gate), calls
    /// [`Close::close`], lets changes go on, and returns the bytes that belong to exactly that state (log position,
    /// catalog root ...; at most 8128). Where no changes can be going on, `|_| meta` will do. One checkpoint runs at a
    /// time, others wait. No latch may be held.
    ///
    /// After [`PageError::NoSpace`] and [`PageError::MetaTooLong`] the former checkpoint stands and nothing is lost.
    pub fn checkpoint(&self, close: impl FnOnce(Close<'_>) -> Vec<u8>) -> Result<CheckpointReport> {
        let shared = &*self.shared;
        let _turn = shared.checkpoint_turn.take();
        shared.check_poison()?;
        let mut closed = None;
        let mut running = Running { shared, forced: false, blocks: Vec::new(), displaced: Vec::new() };
        let meta = close(Close { shared, closed: &mut closed });
        if closed.is_none() {
            shared.close_generation(&mut closed);
        }
        let Some(generation) = closed else { unreachable!("the generation was closed just now") };
        if meta.len() > META_MAX {
            return Err(PageError::MetaTooLong { bytes: meta.len(), max: META_MAX });
        }
        let mut report = CheckpointReport { generation, ..CheckpointReport::default() };
        shared.write_generation(generation, &mut report)?;
        shared.end_capture();
        shared.write_map(meta, &mut running, &mut report)?;
        shared.tally.one(Count::Checkpoints);
        Ok(report)
    }
}

impl Shared {
    fn close_generation(&self, closed: &mut Option<u64>) {
        let mut map = self.map.lock();
        let generation = map.close();
        // A writer that sees the new open generation must see what to leave copies for: capturing first, both Release.
        self.capturing.store(generation, Ordering::Release);
        self.open.store(map.open, Ordering::Release);
        *closed = Some(generation);
    }

    /// No more copies are needed.
    fn end_capture(&self) {
        self.map.lock().capturing = false;
        self.capturing.store(0, Ordering::Release);
        let mut copies = self.copies.lock();
        copies.clear();
        self.copies_len.store(0, Ordering::Relaxed);
        drop(copies);
        self.copies_gone.wake_all();
    }

    /// Pages that may be dirty in closed generations, in order.
    fn dirty_pages(&self, generation: u64) -> Vec<u32> {
        let metas = (0..self.frames.count()).map(|frame| self.frames.meta(frame));
        let dirty = metas.filter(|meta| (1..=generation).contains(&meta.dirty.load(Ordering::Relaxed)));
        let mut pages: Vec<u32> = dirty.map(|meta| meta.page.load(Ordering::Relaxed)).collect();
        pages.sort_unstable();
        pages.dedup();
        pages
    }

    /// Writes every page of the closed generation, and enters it into the map.
    fn write_generation(&self, generation: u64, report: &mut CheckpointReport) -> Result<()> {
        let pages = self.dirty_pages(generation);
        let mut rest = pages.iter().copied();
        // Eviction leaves captured frames alone: a run must not be most of a small pool.
        let most = RUN.min(self.frames.count() as usize / 4);
        let mut images = Buffer::new(most);
        loop {
            let mut run: Vec<Captured> = Vec::with_capacity(most);
            report.copies += self.take_copies(&mut run, most, &mut images);
            while run.len() < most
                && let Some(page) = rest.next()
            {
                let image = &mut images[run.len() * PAGE_SIZE..][..PAGE_SIZE];
                runtime::slice_point();
                if let Some(frame) = self.capture(PageNo(page), generation, image) {
                    run.push(Captured { page: PageNo(page), frame: Some(frame) });
                }
            }
            // Of a page that was changed since the look at the copies there is one now, and nothing was captured. Once
            // every page was looked at and no copy is left, there will be none any more.
            report.copies += self.take_copies(&mut run, most, &mut images);
            if run.is_empty() {
                return Ok(());
            }
            self.write_run(&run, &mut images[..run.len() * PAGE_SIZE], generation)?;
            report.pages += run.len() as u64;
        }
    }

    /// Takes copies that writers left, while the run has room; returns their number.
    fn take_copies(&self, run: &mut Vec<Captured>, most: usize, images: &mut [u8]) -> u64 {
        let before = run.len();
        let mut copies = self.copies.lock();
        while run.len() < most
            && let Some((page, copy)) = copies.pop_first()
        {
            images[run.len() * PAGE_SIZE..][..PAGE_SIZE].copy_from_slice(&copy);
            run.push(Captured { page: PageNo(page), frame: None });
        }
        self.copies_len.store(copies.len(), Ordering::Relaxed);
        drop(copies);
        self.copies_gone.wake_all();
        (run.len() - before) as u64
    }

    /// Copies a page that is still dirty in a closed generation.
    fn capture(&self, page: PageNo, generation: u64, image: &mut [u8]) -> Option<u32> {
        let (seen, frame) = self.latch_frame(page)?;
        let meta = self.frames.meta(frame);
        let wanted = (1..=generation).contains(&meta.dirty.load(Ordering::Relaxed));
        if wanted {
            words::copy_out(self.frames.words(frame), 0, image);
            meta.captured.store(generation, Ordering::Relaxed);
        }
        latch::unlatch(self.word(page), seen, false);
        wanted.then_some(frame)
    }

    /// The latch of a page in a frame; `None` if it is in none.
    fn latch_frame(&self, page: PageNo) -> Option<(u64, u32)> {
        let word = self.word(page);
        let mut backoff = Backoff::new();
        loop {
            let seen = latch::look(word) & !latch::HEAT;
            if seen & latch::RESIDENT == 0 {
                return None;
            }
            if latch::is_readable(seen) && latch::try_latch(word, seen).is_ok() {
                return Some((seen, latch::frame_of(seen)));
            }
            latch::relax(&mut backoff);
        }
    }

    fn write_run(&self, run: &[Captured], images: &mut [u8], generation: u64) -> Result<()> {
        let slots = self.file.take(run.len(), &self.tally)?;
        let sums: Vec<u32> = images
            .chunks_exact_mut(PAGE_SIZE)
            .zip(&slots)
            .map(|(image, &slot)| {
                runtime::slice_point();
                page::seal(image, slot, generation)
            })
            .collect();
        self.file.write_run(&slots, images, &self.tally).map_err(|error| self.poison(error))?;
        {
            let mut map = self.map.lock();
            for ((captured, &slot), &crc) in run.iter().zip(&slots).zip(&sums) {
                let free = map.install(captured.page, slot, crc, generation);
                free.into_iter().for_each(|slot| self.file.release(slot));
            }
        }
        for captured in run {
            if let Some(frame) = captured.frame {
                self.clean(captured.page, frame, generation);
            }
        }
        Ok(())
    }

    /// The captured page has its slot in the map: it is clean, unless it was changed since.
    fn clean(&self, page: PageNo, frame: u32, generation: u64) {
        let Some((seen, now_in)) = self.latch_frame(page) else { return };
        let meta = self.frames.meta(frame);
        if now_in == frame && meta.captured.load(Ordering::Relaxed) == generation {
            meta.captured.store(0, Ordering::Relaxed);
            if meta.dirty.load(Ordering::Relaxed) <= generation {
                meta.dirty.store(0, Ordering::Relaxed);
            }
        }
        latch::unlatch(self.word(page), seen, false);
    }

    /// Writes the closing view of the map, then the superblock.
    fn write_map(
        &self,
        meta: Vec<u8>,
        running: &mut Running<'_>,
        report: &mut CheckpointReport,
    ) -> Result<()> {
        let generation = report.generation;
        let (mut roots, sequence, mut chunks) = {
            let disk = self.disk.lock();
            (disk.roots.clone(), disk.sequence + 1, disk.heal.clone())
        };
        chunks.extend(self.map.lock().changed_chunks());
        let chunks: Vec<u32> = chunks.into_iter().collect();
        let mut changed_roots = BTreeSet::new();
        for batch in chunks.chunks(BLOCKS) {
            let blocks = batch.iter().map(|&number| {
                let chunk = self.map.lock().closing_chunk(number);
                encode_chunk(number, &chunk, generation)
            });
            let refs = self.write_blocks(blocks, generation, running)?;
            for (&number, at) in batch.iter().zip(refs) {
                let (root, index) = (number as usize / ROOT_CHUNKS, number as usize % ROOT_CHUNKS);
                assert!(root < ROOTS_MAX, "the options limit page numbers");
                while roots.len() <= root {
                    roots.push((BlockRef::default(), Box::new([BlockRef::default(); ROOT_CHUNKS])));
                    changed_roots.insert(roots.len() - 1);
                }
                displace(&mut running.displaced, &roots[root].1[index]);
                roots[root].1[index] = at;
                changed_roots.insert(root);
            }
            report.map_blocks += batch.len() as u64;
        }
        let changed_roots: Vec<usize> = changed_roots.into_iter().collect();
        for batch in changed_roots.chunks(BLOCKS) {
            let blocks = batch.iter().map(|&root| encode_root(root as u32, &roots[root].1, generation));
            let refs = self.write_blocks(blocks, generation, running)?;
            for (&root, at) in batch.iter().zip(refs) {
                displace(&mut running.displaced, &roots[root].0);
                roots[root].0 = at;
            }
            report.map_blocks += batch.len() as u64;
        }
        let roots_at = roots.iter().map(|(at, _)| *at).collect();
        let superblock = Superblock { sequence, generation, roots: roots_at, meta };
        self.write_superblock(&superblock).map_err(|error| self.poison(error))?;
        running.forced = true;
        *self.disk.lock() = DiskMap { sequence, roots, heal: BTreeSet::new() };
        Ok(())
    }

    /// Writes both copies of some map blocks; returns where they are.
    fn write_blocks(
        &self,
        blocks: impl Iterator<Item = (Vec<u8>, u32)>,
        generation: u64,
        running: &mut Running<'_>,
    ) -> Result<Vec<BlockRef>> {
        let blocks: Vec<(Vec<u8>, u32)> = blocks.collect();
        let sums: Vec<u32> = blocks.iter().map(|&(_, crc)| crc).collect();
        // All first copies, then all second ones: the two of a block lie apart.
        let mut images = Buffer::new(2 * blocks.len());
        for ((image, _), into) in blocks.iter().chain(&blocks).zip(images.chunks_exact_mut(PAGE_SIZE)) {
            into.copy_from_slice(image);
        }
        let slots = self.file.take(2 * sums.len(), &self.tally)?;
        running.blocks.extend_from_slice(&slots);
        self.file.write_run(&slots, &images, &self.tally).map_err(|error| self.poison(error))?;
        let (first, second) = slots.split_at(sums.len());
        let refs = first.iter().zip(second).zip(sums);
        let generation = generation as u32;
        Ok(refs.map(|((a, b), crc)| BlockRef { slots: [a.0, b.0], crc, generation }).collect())
    }

    /// Forces everything the superblock names, then writes its copies one after the other.
    fn write_superblock(&self, superblock: &Superblock) -> Result<()> {
        self.file.sync()?;
        for copy in 0..2 {
            let slot = slot_of(superblock.sequence, copy);
            self.file.write_run(&[slot], &Buffer::of(&superblock.encode(copy)), &self.tally)?;
            self.file.sync()?;
        }
        Ok(())
    }
}

fn displace(displaced: &mut Vec<Slot>, old: &BlockRef) {
    if !old.is_none() {
        displaced.extend(old.slots.map(Slot));
    }
}
