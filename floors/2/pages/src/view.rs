//! Looking into a page without a latch.

use crate::page::{AT_KIND, AT_TREE, HEADER_SIZE, Kind, PAGE_SIZE, PAYLOAD_SIZE, TreeNo};
use crate::words::{self, Words};
use std::cmp::Ordering;

/// Bytes of a cache line; where lines are longer, some are asked for twice.
const LINE: usize = 64;

/// A page as a reader without a latch sees it: everything is copied out, nothing borrowed.
///
/// Offsets count from the start of the payload. Whatever lies beyond the payload reads as zeros (or as fewer bytes),
/// so lengths and offsets taken from bytes that are not validated yet do no harm; but what is computed from them
/// means nothing until the version has been validated. Also given by [`crate::PageMut::view`], where it is exact.
#[derive(Clone, Copy)]
pub struct PageView<'a> {
    words: &'a Words,
}

impl<'a> PageView<'a> {
    pub(crate) fn new(words: &'a Words) -> PageView<'a> {
        PageView { words }
    }

    /// What the owner keeps here.
    #[inline]
    pub fn kind(&self) -> Kind {
        Kind(words::get_u8(self.words, AT_KIND))
    }

    /// The tree that owns the page.
    #[inline]
    pub fn tree(&self) -> TreeNo {
        TreeNo(words::get_u32(self.words, AT_TREE))
    }

    /// Asks the core to bring the lines of `len` bytes from `at` on near: only a hint.
    #[inline]
    pub fn prefetch(&self, at: usize, len: usize) {
        let first = at.saturating_add(HEADER_SIZE).min(PAGE_SIZE) / 8;
        let last = at.saturating_add(HEADER_SIZE).saturating_add(len).min(PAGE_SIZE).div_ceil(8);
        self.words[first..last.max(first)].iter().step_by(LINE / 8).for_each(platform::mem::prefetch);
    }

    /// The byte at `at`.
    #[inline(always)]
    pub fn u8_at(&self, at: usize) -> u8 {
        words::get_u8(self.words, at.saturating_add(HEADER_SIZE))
    }

    /// Two bytes, little-endian.
    #[inline(always)]
    pub fn u16_at(&self, at: usize) -> u16 {
        words::get_u16(self.words, at.saturating_add(HEADER_SIZE))
    }

    /// Four bytes, little-endian.
    #[inline(always)]
    pub fn u32_at(&self, at: usize) -> u32 {
        words::get_u32(self.words, at.saturating_add(HEADER_SIZE))
    }

    /// Eight bytes, little-endian.
    #[inline(always)]
    pub fn u64_at(&self, at: usize) -> u64 {
        words::get_u64(self.words, at.saturating_add(HEADER_SIZE))
    }

    /// The payload's aligned word number `index`, little-endian: one load, for searches.
    #[inline(always)]
    pub fn word(&self, index: usize) -> u64 {
        words::word(self.words, index.wrapping_add(HEADER_SIZE / 8))
    }

    /// Copies bytes from `at` on into `into`; returns how many there were before the payload's end.
    #[inline]
    pub fn copy_out(&self, at: usize, into: &mut [u8]) -> usize {
        words::copy_out(self.words, at.saturating_add(HEADER_SIZE), into)
    }

    /// Appends at most `len` bytes from `at` on to `into`.
    #[inline]
    pub fn append_to(&self, at: usize, len: usize, into: &mut Vec<u8>) {
        let at = at.min(PAYLOAD_SIZE);
        let len = len.min(PAYLOAD_SIZE - at);
        let start = into.len();
        into.resize(start + len, 0);
        words::copy_out(self.words, at + HEADER_SIZE, &mut into[start..]);
    }

    /// Compares the `len` bytes at `at` (fewer at the payload's end) with `key`, as byte strings.
    #[inline]
    pub fn compare(&self, at: usize, len: usize, key: &[u8]) -> Ordering {
        words::compare(self.words, at.saturating_add(HEADER_SIZE), len, key)
    }

    /// Copies the whole payload.
    pub fn copy_payload(&self, into: &mut [u8; PAYLOAD_SIZE]) {
        words::copy_out(self.words, HEADER_SIZE, into);
    }

    /// Copies header and payload.
    pub(crate) fn copy_page(&self, into: &mut [u8]) {
        debug_assert_eq!(into.len(), PAGE_SIZE);
        words::copy_out(self.words, 0, into);
    }
}
