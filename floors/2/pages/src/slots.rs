//! The page file: slots taken and given back, growth by large pieces, reads, writes and forces with their errors.
//!
//! Which slots are in use is not stored in the file: whoever opens it claims the slots that the newest map names, and
//! all others are free. A slot given back goes to the free ones at once; that no superblock needs it any more is the
//! map's business.
//!
//! Growth: one task grows the file, by as much as it has (at least `extent_min`, at most `extent_max`), in one
//! preallocated piece; others that need slots meanwhile wait for it.

use crate::counters::{Count, Tally};
use crate::error::{PageError, Result};
use crate::page::{PAGE_SIZE, Slot};
use crate::words::Words;
use parking_lot::Mutex;
use platform::file::{Cause, File};
use runtime::Turn;
use runtime::io::Run;
use std::io;
use std::sync::Arc;

/// Slots at the file's start that hold superblocks.
pub(crate) const SUPERBLOCK_SLOTS: u32 = 4;
/// Most slots in one write: 1 MiB. Longer runs are several writes, in flight together.
const WRITE_SLOTS: usize = 64;

/// Which slots are in use: one bit each.
struct Bitmap {
    words: Vec<u64>,
    /// Slots that the file has.
    count: u32,
    free: u32,
    /// Where the next search begins.
    hint: u32,
}

/// The page file.
pub(crate) struct PageFile {
    file: Arc<dyn File>,
    /// The same file for what a checkpoint writes: round the page cache, or `file` itself.
    runs: Arc<dyn File>,
    bitmap: Mutex<Bitmap>,
    growing: Turn,
    extent_min: u64,
    extent_max: u64,
}

impl PageFile {
    /// The file as it is, with no slot in use but the superblocks'.
    pub(crate) fn new(
        file: Arc<dyn File>,
        runs: Arc<dyn File>,
        extent_min: u64,
        extent_max: u64,
    ) -> Result<PageFile> {
        let unit = PAGE_SIZE as u64;
        let extent_min = extent_min.max(16 * unit).next_multiple_of(unit);
        let this = PageFile {
            bitmap: Mutex::new(Bitmap { words: Vec::new(), count: 0, free: 0, hint: 0 }),
            growing: Turn::new(),
            extent_min,
            extent_max: extent_max.max(extent_min).next_multiple_of(unit),
            file,
            runs,
        };
        let len = this.file.len().map_err(|error| this.error("find the length of", 0, error))?;
        let count = u32::try_from(len / unit).unwrap_or(u32::MAX);
        let mut bitmap = this.bitmap.lock();
        bitmap.extend(count);
        for slot in 0..SUPERBLOCK_SLOTS.min(count) {
            bitmap.claim(slot);
        }
        drop(bitmap);
        Ok(this)
    }

    pub(crate) fn name(&self) -> &str {
        self.file.name()
    }

    /// Slots that the file has.
    pub(crate) fn slot_count(&self) -> u32 {
        self.bitmap.lock().count
    }

    /// Marks a slot as in use; false if it is already, or beyond the file's end.
    pub(crate) fn claim(&self, slot: Slot) -> bool {
        self.bitmap.lock().claim(slot.0)
    }

    /// Gives a slot back.
    pub(crate) fn release(&self, slot: Slot) {
        self.bitmap.lock().release(slot.0);
    }

    /// Gives many slots back.
    pub(crate) fn release_all(&self, slots: &[Slot]) {
        let mut bitmap = self.bitmap.lock();
        slots.iter().for_each(|slot| bitmap.release(slot.0));
    }

    /// Takes `count` slots, side by side as far as possible, growing the file if needed. May wait.
    pub(crate) fn take(&self, count: usize, tally: &Tally) -> Result<Vec<Slot>> {
        let slots = self.take_some(count, tally)?;
        if slots.len() == count {
            return Ok(slots);
        }
        self.release_all(&slots);
        Err(self.no_space())
    }

    /// The same, but without room for all it takes what there is, at least one.
    pub(crate) fn take_some(&self, count: usize, tally: &Tally) -> Result<Vec<Slot>> {
        let mut slots = Vec::with_capacity(count);
        loop {
            let size = {
                let mut bitmap = self.bitmap.lock();
                bitmap.take(count, &mut slots);
                bitmap.count
            };
            if slots.len() == count {
                return Ok(slots);
            }
            match self.grow(size, tally) {
                Ok(()) => {}
                Err(PageError::NoSpace { .. }) if !slots.is_empty() => return Ok(slots),
                Err(error) => {
                    self.release_all(&slots);
                    return Err(error);
                }
            }
        }
    }

    /// Grows the file unless it has grown beyond `size` slots meanwhile. Without room for the piece that is due it tries
    /// smaller ones, down to `extent_min`.
    fn grow(&self, size: u32, tally: &Tally) -> Result<()> {
        let _turn = self.growing.take();
        if self.slot_count() != size {
            return Ok(());
        }
        let unit = PAGE_SIZE as u64;
        let bytes = u64::from(size) * unit;
        let mut piece = bytes.clamp(self.extent_min, self.extent_max);
        loop {
            let slots = u32::try_from((bytes + piece) / unit).map_err(|_| PageError::TooManyPages)?;
            let preallocate = || self.file.preallocate(bytes, piece);
            let done =
                if self.file.raw_fd().is_some() { runtime::offload(preallocate) } else { preallocate() };
            match done {
                Ok(()) => {
                    self.bitmap.lock().extend(slots);
                    tally.one(Count::Growths);
                    return Ok(());
                }
                Err(error) if Cause::of(&error) == Cause::NoSpace && piece > self.extent_min => {
                    piece = (piece / 2).next_multiple_of(unit).max(self.extent_min);
                }
                Err(error) if Cause::of(&error) == Cause::NoSpace => return Err(self.no_space()),
                Err(error) => return Err(self.error("grow", bytes, error)),
            }
        }
    }

    fn no_space(&self) -> PageError {
        let bytes = u64::from(self.slot_count()) * PAGE_SIZE as u64;
        PageError::NoSpace { file: self.name().to_owned(), bytes }
    }

    /// Reads a slot; gives the bytes that were there, fewer than a page at the file's end.
    pub(crate) fn read(&self, slot: Slot, into: &mut [u8]) -> Result<usize> {
        runtime::io::read_at(&*self.file, into, slot.offset())
            .map_err(|error| self.error("read", slot.offset(), error))
    }

    /// The same, into a frame or other memory of its size.
    pub(crate) fn read_page(&self, slot: Slot, into: &Words) -> Result<usize> {
        runtime::io::read_words_at(&*self.file, into, slot.offset())
            .map_err(|error| self.error("read", slot.offset(), error))
    }

    /// Reads a page once more, from the device itself if there is a way: before its bytes are called wrong.
    pub(crate) fn read_page_again(&self, slot: Slot, into: &Words) -> Result<usize> {
        runtime::io::read_words_at(&*self.runs, into, slot.offset())
            .map_err(|error| self.error("read", slot.offset(), error))
    }

    /// Reads slots, in ascending order, all in flight together. Those side by side are one read.
    pub(crate) fn read_many(&self, reads: &[(Slot, &Words)]) -> Result<()> {
        let runs: Vec<Run> = reads
            .chunk_by(|(slot, _), (next, _)| next.0 == slot.0 + 1)
            .map(|run| Run {
                offset: run[0].0.offset(),
                buffers: run.iter().map(|(_, words)| &words[..]).collect(),
            })
            .collect();
        runtime::io::read_batch(&*self.file, &runs)
            .map_err(|error| self.error("read", runs.first().map_or(0, |run| run.offset), error))
    }

    /// Writes evicted pages, whose images lie one after the other in `images`, to their slots.
    pub(crate) fn write(&self, slots: &[Slot], images: &[u8], tally: &Tally) -> Result<()> {
        self.write_by(&*self.file, slots, images, tally)
    }

    /// The same for a checkpoint. Forces cover both.
    pub(crate) fn write_run(&self, slots: &[Slot], images: &[u8], tally: &Tally) -> Result<()> {
        self.write_by(&*self.runs, slots, images, tally)
    }

    fn write_by(&self, file: &dyn File, slots: &[Slot], images: &[u8], tally: &Tally) -> Result<()> {
        assert_eq!(images.len(), slots.len() * PAGE_SIZE, "an image for each slot");
        let mut writes: Vec<(u64, &[u8])> = Vec::new();
        let mut start = 0;
        for end in 1..=slots.len() {
            let full = end - start == WRITE_SLOTS;
            if full || end == slots.len() || slots[end].0 != slots[end - 1].0 + 1 {
                writes.push((slots[start].offset(), &images[start * PAGE_SIZE..end * PAGE_SIZE]));
                start = end;
            }
        }
        tally.add(Count::Writes, slots.len() as u64);
        runtime::io::write_batch(file, &writes)
            .map_err(|error| self.error("write", slots.first().map_or(0, |slot| slot.offset()), error))
    }

    /// Forces everything written so far.
    pub(crate) fn sync(&self) -> Result<()> {
        runtime::io::sync_data(&*self.file).map_err(|error| self.error("force", 0, error))
    }

    pub(crate) fn error(&self, verb: &'static str, offset: u64, source: io::Error) -> PageError {
        PageError::Io { verb, file: self.name().to_owned(), offset, source }
    }

    /// Slots without a use.
    pub(crate) fn free_slots(&self) -> u32 {
        self.bitmap.lock().free
    }
}

impl Bitmap {
    fn extend(&mut self, count: u32) {
        assert!(count >= self.count, "the page file never shrinks");
        self.words.resize((count as usize).div_ceil(64), 0);
        self.free += count - self.count;
        // Fresh space is one piece: begin there.
        self.hint = self.count;
        self.count = count;
    }

    fn is_used(&self, slot: u32) -> bool {
        self.words[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    fn claim(&mut self, slot: u32) -> bool {
        if slot >= self.count || self.is_used(slot) {
            return false;
        }
        self.words[slot as usize / 64] |= 1 << (slot % 64);
        self.free -= 1;
        true
    }

    fn release(&mut self, slot: u32) {
        assert!(
            slot >= SUPERBLOCK_SLOTS && self.is_used(slot),
            "slot {slot} is given back and was not taken"
        );
        self.words[slot as usize / 64] &= !(1 << (slot % 64));
        self.free += 1;
    }

    /// The first free slot from `from` on.
    fn next_free(&self, from: u32) -> Option<u32> {
        let mut slot = from;
        while slot < self.count {
            let bits = !self.words[slot as usize / 64] >> (slot % 64);
            if bits != 0 {
                let found = slot + bits.trailing_zeros();
                return (found < self.count).then_some(found);
            }
            slot = (slot / 64 + 1) * 64;
        }
        None
    }

    /// Takes free slots, round and round through the file, until `into` holds `count` or none is left.
    fn take(&mut self, count: usize, into: &mut Vec<Slot>) {
        let mut at = self.hint;
        while into.len() < count && self.free > 0 {
            match self.next_free(at) {
                Some(slot) => {
                    self.claim(slot);
                    into.push(Slot(slot));
                    at = slot + 1;
                }
                None => at = 0,
            }
        }
        self.hint = at;
    }
}

#[cfg(test)]
mod tests;
