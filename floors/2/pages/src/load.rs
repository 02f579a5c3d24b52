//! Bringing pages into frames.
//!
//! One task loads a page: it takes the word's latch in the non-resident state (see `latch`), and others who want the
//! page park until that state ends. The kernel reads straight into a free frame, where the bytes are judged: nobody
//! else stores into it, and no word names it until they were found right. A reader of the frame's former page may
//! still be copying from it, and finds afterwards that its page went.
//!
//! A checkpoint or eviction may move the page while it is being read, and its old slot may be written over before the
//! read reaches the device. So wrong bytes are damage only if the map still names the same slot and writing after the
//! read, and if a second read, round the kernel's page cache where that is possible, finds them too.

use crate::buffer::Buffer;
use crate::counters::Count;
use crate::error::{Damage, PageError, Result, Wrong};
use crate::latch;
use crate::map::Entry;
use crate::page::{self, Expected, PAGE_SIZE, PageNo, Slot, TreeNo};
use crate::store::Shared;
use crate::words::{self, Words};
use runtime::WaitQueue;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most pages brought in together: half a megabyte.
pub(crate) const TOGETHER: usize = 32;
/// Damage kept for the log until it is fetched; beyond that it is only counted.
const DAMAGE_KEPT: usize = 1000;

/// The latch on a word of a page that is not in a frame; ends as "not resident" unless settled.
pub(crate) struct Absent<'a> {
    shared: &'a Shared,
    page: PageNo,
    word: &'a AtomicU64,
    seen: u64,
    /// Taken for the page; given back if it does not get there.
    frame: Option<u32>,
}

impl Drop for Absent<'_> {
    fn drop(&mut self) {
        if let Some(frame) = self.frame {
            self.shared.give_back(frame);
        }
        latch::settle_out(self.word, self.seen);
        self.shared.load_queue(self.page).wake_all();
    }
}

impl Absent<'_> {
    fn settle_in(self, frame: u32) {
        latch::settle_in(self.word, self.seen, frame);
        self.shared.load_queue(self.page).wake_all();
        std::mem::forget(self);
    }
}

impl Shared {
    pub(crate) fn load_queue(&self, page: PageNo) -> &WaitQueue {
        &self.loads[page.0 as usize % self.loads.len()]
    }

    /// Waits until the page is in a frame (latched or not), loading it if nobody else does.
    pub(crate) fn bring_in(&self, page: PageNo) -> Result<()> {
        loop {
            match self.latch_absent(page)? {
                None => return Ok(()),
                Some(absent) => self.load_into(absent)?,
            }
        }
    }

    /// The latch of a page that is in no frame, waiting for another task's; `None` if the page is in a frame.
    pub(crate) fn latch_absent(&self, page: PageNo) -> Result<Option<Absent<'_>>> {
        let word = self.find_word(page).ok_or(PageError::NotAllocated(page))?;
        loop {
            let seen = latch::look(word);
            if seen & latch::RESIDENT != 0 {
                return Ok(None);
            }
            if seen & latch::LATCHED != 0 {
                let ended = || latch::look(word) & (latch::LATCHED | latch::RESIDENT) != latch::LATCHED;
                self.load_queue(page).wait(|| ended().then_some(()));
            } else if latch::try_latch(word, seen).is_ok() {
                return Ok(Some(Absent { shared: self, page, word, seen, frame: None }));
            }
        }
    }

    /// Loads the page behind an absent latch.
    fn load_into(&self, mut absent: Absent<'_>) -> Result<()> {
        let page = absent.page;
        self.check_poison()?;
        // Allocated and not written: somebody is just taking the number for a new page, the one looked for is gone.
        if !self.map.lock().get(page).is_written() {
            return Err(PageError::NotAllocated(page));
        }
        let frame = self.take_frame()?;
        absent.frame = Some(frame);
        // Relaxed: a hint for who reads ahead.
        self.loading.fetch_add(1, Ordering::Relaxed);
        let read = self.read_page(page, self.frames.words(frame));
        self.loading.fetch_sub(1, Ordering::Relaxed);
        read?;
        self.frames.bind(frame, page, 0);
        absent.settle_in(frame);
        Ok(())
    }

    /// Whether the page is in no frame.
    pub(crate) fn is_absent(&self, page: PageNo) -> bool {
        self.find_word(page).map_or(0, latch::look) & latch::RESIDENT == 0
    }

    /// Brings pages in together: those that are in no frame and in nobody's hands. Never fails: what cannot be
    /// brought in now is left to a load, which says why.
    pub(crate) fn bring_in_many(&self, pages: &[PageNo]) {
        let most = pages.len().min(TOGETHER).min(self.frames.count() as usize / 8);
        let mut absents: Vec<(Absent<'_>, u32, Entry)> = Vec::with_capacity(most);
        if self.make_room(most as u32).is_err() {
            return;
        }
        for &page in pages {
            let Some(word) = self.find_word(page) else { continue };
            let seen = latch::look(word);
            if absents.len() == most || seen & (latch::RESIDENT | latch::LATCHED) != 0 {
                continue;
            }
            // From here on the absent latch ends by itself, whatever happens.
            if latch::try_latch(word, seen).is_err() {
                continue;
            }
            let mut absent = Absent { shared: self, page, word, seen, frame: None };
            let entry = self.map.lock().get(page);
            if entry.is_written()
                && let Some(frame) = self.frames.take()
            {
                absent.frame = Some(frame);
                absents.push((absent, frame, entry));
            }
        }
        absents.sort_by_key(|(_, _, entry)| entry.slot);
        let reads: Vec<(Slot, &Words)> =
            absents.iter().map(|(_, frame, entry)| (Slot(entry.slot), self.frames.words(*frame))).collect();
        if self.file.read_many(&reads).is_err() {
            return;
        }
        self.tally.add(Count::Reads, absents.len() as u64);
        for (absent, frame, entry) in absents {
            if judge(self.frames.words(frame), PAGE_SIZE, absent.page, &entry).is_ok() {
                self.frames.bind(frame, absent.page, 0);
                absent.settle_in(frame);
            }
        }
    }

    /// Takes back the number of a page behind an absent latch.
    pub(crate) fn free_absent(&self, absent: Absent<'_>) -> Result<()> {
        let page = absent.page;
        if !self.map.lock().get(page).is_written() {
            return Err(PageError::NotAllocated(page));
        }
        self.free_number(page);
        drop(absent);
        Ok(())
    }

    /// Reads a page's newest writing from the file into `image`, which nobody else stores into, and judges it. The
    /// caller keeps others from writing the page (its latch in the absent state), so only a checkpoint's or eviction's
    /// end can still move it.
    fn read_page(&self, page: PageNo, image: &Words) -> Result<()> {
        let mut entry = self.map.lock().get(page);
        loop {
            if !entry.is_written() {
                return Err(PageError::NotAllocated(page));
            }
            let slot = Slot(entry.slot);
            let bytes = self.file.read_page(slot, image)?;
            self.tally.one(Count::Reads);
            if judge(image, bytes, page, &entry).is_ok() {
                return Ok(());
            }
            let now = self.map.lock().get(page);
            if now != entry {
                entry = now;
                continue;
            }
            let bytes = self.file.read_page_again(slot, image)?;
            let Err(wrong) = judge(image, bytes, page, &entry) else { return Ok(()) };
            let now = self.map.lock().get(page);
            if now == entry {
                let (file, offset) = (self.file.name().to_owned(), slot.offset());
                let number = page.0;
                return Err(self.damaged(Damage {
                    file,
                    offset,
                    what: "page",
                    number,
                    wrong,
                    healed: false,
                }));
            }
            entry = now;
        }
    }

    /// Reads every page's slot from the file and judges it, in the pool or not. Damage is noted and returned.
    pub(crate) fn verify(&self) -> Result<Vec<Damage>> {
        let mut found = Vec::new();
        let mut buffer = Buffer::new(1);
        let image = buffer.words();
        for chunk in 0.. {
            let pages = self.map.lock().pages_in(chunk);
            let Some(pages) = pages else { break };
            for page in pages {
                match self.read_page(page, image) {
                    Ok(()) | Err(PageError::NotAllocated(_)) => {}
                    Err(PageError::Damaged(damage)) => found.push(*damage),
                    Err(error) => return Err(error),
                }
                runtime::slice_point();
            }
        }
        Ok(found)
    }

    /// Counts damage and keeps it for the log.
    pub(crate) fn damaged(&self, damage: Damage) -> PageError {
        self.note_damage(damage.clone());
        PageError::Damaged(Box::new(damage))
    }

    pub(crate) fn note_damage(&self, damage: Damage) {
        self.tally.one(Count::Damaged);
        if damage.healed {
            self.tally.one(Count::Healed);
        }
        let mut kept = self.damage.lock();
        if kept.len() < DAMAGE_KEPT && !kept.contains(&damage) {
            kept.push(damage);
        }
    }
}

/// Judges what was read into memory that nobody else stores into.
fn judge(image: &Words, bytes: usize, page: PageNo, entry: &Entry) -> Result<(), Wrong> {
    if bytes < PAGE_SIZE {
        return Err(Wrong::Short { bytes });
    }
    let (slot, tree) = (Slot(entry.slot), TreeNo(entry.tree));
    // SAFETY: who reads a page owns the memory that it comes into: a buffer, or a frame taken for it.
    let image = unsafe { words::as_bytes(image) };
    page::check(image, &Expected { page, tree, slot, crc: entry.crc, generation: entry.generation })
}
