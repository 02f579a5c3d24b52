//! Making room: second chance over all frames, in batches.
//!
//! The hand goes round the frames. A page that is not cool is made cool and left, and so is one that came out of the file
//! since and that nobody has looked at yet. A cool one that nobody looked at since goes, and one that was looked at only
//! once since it came: scans leave what others want where it is. Clean pages go at once; dirty ones are copied (no latch:
//! as any reader), written to fresh slots, and go if they are still as they were written. Latched pages and pages that
//! the checkpoint writer has in hand are passed over. Nobody holds a latch or the hand's lock while waiting.
//!
//! Writing a dirty page between checkpoints needs no force: until the next superblock nothing names its new slot but
//! the map in memory.

use crate::buffer::Buffer;
use crate::counters::Count;
use crate::error::{PageError, Result};
use crate::latch;
use crate::page::{self, PAGE_SIZE, PageNo};
use crate::store::Shared;
use crate::view::PageView;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Frames emptied at a time.
const BATCH: usize = 32;
/// How long sweeps may find nothing, because every frame is latched, being loaded or being written, before the pool is
/// called too small.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait before the next look when nobody will tell that a frame has become free to go.
const PAUSE: Duration = Duration::from_millis(1);

/// A dirty page chosen to go.
struct Victim {
    page: PageNo,
    frame: u32,
    seen: u64,
    dirty: u64,
}

impl Shared {
    /// Frames that loads leave free, so that `try_alloc`, which may not wait, finds some.
    fn reserve(&self) -> u32 {
        (self.frames.count() / 32).clamp(2, 256)
    }

    /// A free frame. May wait.
    pub(crate) fn take_frame(&self) -> Result<u32> {
        if self.frames.free_count() <= self.reserve() {
            match self.evict_counted() {
                // Out of room in the file, but not out of frames.
                Err(PageError::NoSpace { .. }) if self.frames.free_count() > 0 => {}
                evicted => drop(evicted?),
            }
        }
        loop {
            if let Some(frame) = self.frames.take() {
                return Ok(frame);
            }
            self.make_room(1)?;
        }
    }

    /// Gives a frame back and tells those who wait for one.
    pub(crate) fn give_back(&self, frame: u32) {
        self.frames.put(frame);
        self.room.wake_one();
    }

    /// Waits until `wanted` frames are free.
    pub(crate) fn make_room(&self, wanted: u32) -> Result<()> {
        let wanted = wanted.min(self.frames.count() / 4);
        let mut fruitless_since = None;
        loop {
            if self.frames.free_count() >= wanted {
                return Ok(());
            }
            self.check_poison()?;
            if self.evict_counted()? > 0 {
                fruitless_since = None;
                continue;
            }
            let now = Instant::now();
            if now.duration_since(*fruitless_since.get_or_insert(now)) > PATIENCE {
                return Err(PageError::PoolExhausted);
            }
            if self.evictors.load(Ordering::SeqCst) > 0 {
                // Others have the candidates in hand: their end is the next chance.
                let free = || self.frames.free_count() > 0 || self.evictors.load(Ordering::SeqCst) == 0;
                self.room.wait(|| free().then_some(()));
            } else {
                let free = || self.frames.free_count() >= wanted;
                self.room.wait_until(now + PAUSE, || free().then_some(()));
            }
        }
    }

    /// One batch, so that others know that somebody is at it; returns the frames emptied.
    fn evict_counted(&self) -> Result<usize> {
        self.evictors.fetch_add(1, Ordering::SeqCst);
        let freed = self.evict();
        self.evictors.fetch_sub(1, Ordering::SeqCst);
        self.room.wake_all();
        freed
    }

    /// One batch. Without room in the file for dirty pages it goes on to find clean ones, once round the pool.
    fn evict(&self) -> Result<usize> {
        let mut looked_at = 0;
        loop {
            let (freed, victims) = self.sweep();
            looked_at += freed + victims.len();
            let written = self.write_victims(&victims);
            for victim in &victims {
                self.frames.meta(victim.frame).leaving.store(false, Ordering::Relaxed);
            }
            match written {
                Ok(written) => return Ok(freed + written),
                Err(PageError::NoSpace { .. }) if freed > 0 => return Ok(freed),
                Err(PageError::NoSpace { .. }) if looked_at < self.frames.count() as usize => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Moves the hand until a batch is together or everything has been passed often enough to have cooled.
    fn sweep(&self) -> (usize, Vec<Victim>) {
        let mut hand = self.hand.lock();
        let (mut freed, mut victims) = (0, Vec::new());
        let frames = self.frames.count();
        let batch = BATCH.min(frames as usize / 4);
        for _ in 0..frames as usize * 2 + 1 {
            let frame = *hand;
            *hand = (frame + 1) % frames;
            let meta = self.frames.meta(frame);
            let page = PageNo(meta.page.load(Ordering::Relaxed));
            let word = self.word(page);
            let seen = latch::look(word);
            if !latch::is_readable(seen) || latch::frame_of(seen) != frame {
                continue;
            }
            if seen & latch::HEAT != latch::COOL {
                latch::cool(word, seen);
                continue;
            }
            let seen = seen & !latch::HEAT;
            let dirty = meta.dirty.load(Ordering::Relaxed);
            if dirty != 0 {
                let in_hand = self.is_captured(frame) || meta.leaving.swap(true, Ordering::Relaxed);
                if !in_hand {
                    victims.push(Victim { page, frame, seen, dirty });
                }
            } else if self.empty_clean(frame, word, seen) {
                freed += 1;
            }
            if freed + victims.len() >= batch {
                break;
            }
        }
        self.tally.add(Count::Evictions, freed as u64);
        (freed, victims)
    }

    /// Empties a frame whose page was seen to be clean, if the page is still as it was seen.
    fn empty_clean(&self, frame: u32, word: &AtomicU64, seen: u64) -> bool {
        let is_same = latch::try_latch(word, seen).is_ok();
        if is_same {
            // Dirty since the look: that takes a latch, and the version would have grown.
            debug_assert_eq!(self.frames.meta(frame).dirty.load(Ordering::Relaxed), 0);
            latch::settle_out(word, seen);
            self.frames.put(frame);
        }
        is_same
    }

    /// Empties the frame of a clean page that was looked at once since it came out of the file.
    pub(crate) fn let_go(&self, page: PageNo) {
        let Some(word) = self.find_word(page) else { return };
        let seen = latch::look(word);
        if !latch::is_readable(seen) || seen & latch::HEAT != latch::COOL {
            return;
        }
        let frame = latch::frame_of(seen);
        let is_clean = self.frames.meta(frame).dirty.load(Ordering::Relaxed) == 0;
        if is_clean && self.empty_clean(frame, word, seen & !latch::HEAT) {
            self.tally.one(Count::Evictions);
            self.room.wake_one();
        }
    }

    /// Whether the checkpoint writer holds a copy of the frame's page that is not in the map yet.
    fn is_captured(&self, frame: u32) -> bool {
        let capturing = self.capturing.load(Ordering::Acquire);
        capturing != 0 && self.frames.meta(frame).captured.load(Ordering::Relaxed) == capturing
    }

    /// Writes victims to fresh slots and empties the frames of those that stayed as they were written.
    fn write_victims(&self, victims: &[Victim]) -> Result<usize> {
        if victims.is_empty() {
            return Ok(0);
        }
        let slots = self.file.take_some(victims.len(), &self.tally)?;
        let victims = &victims[..slots.len()];
        let mut images = Buffer::new(victims.len());
        let mut good = Vec::with_capacity(victims.len());
        for victim in victims {
            let image = &mut images[good.len() * PAGE_SIZE..][..PAGE_SIZE];
            PageView::new(self.frames.words(victim.frame)).copy_page(image);
            if latch::is_same(self.word(victim.page), victim.seen) {
                let slot = slots[good.len()];
                good.push((victim, slot, page::seal(image, slot, victim.dirty)));
            }
        }
        self.file.release_all(&slots[good.len()..]);
        if good.is_empty() {
            return Ok(0);
        }
        let written = self.file.write(&slots[..good.len()], &images[..good.len() * PAGE_SIZE], &self.tally);
        written.map_err(|error| self.poison(error))?;
        let mut freed = 0;
        for (victim, slot, crc) in good {
            let word = self.word(victim.page);
            let unchanged = latch::try_latch(word, victim.seen).is_ok();
            if !unchanged {
                self.file.release(slot);
                continue;
            }
            let dirty = self.frames.meta(victim.frame).dirty.load(Ordering::Relaxed);
            if self.is_captured(victim.frame) {
                self.file.release(slot);
                latch::unlatch(word, victim.seen, false);
                continue;
            }
            if dirty == 0 {
                // The checkpoint writer was faster.
                self.file.release(slot);
            } else {
                let displaced = self.map.lock().install(victim.page, slot, crc, victim.dirty);
                displaced.into_iter().for_each(|slot| self.file.release(slot));
            }
            latch::settle_out(word, victim.seen);
            self.frames.put(victim.frame);
            freed += 1;
        }
        self.tally.add(Count::Evictions, freed as u64);
        self.tally.add(Count::EvictionsDirty, freed as u64);
        Ok(freed)
    }
}
