//! A page under its exclusive latch.

use crate::latch;
use crate::page::{AT_KIND, AT_TREE, HEADER_SIZE, Kind, PAYLOAD_SIZE, PageNo, TreeNo};
use crate::store::Shared;
use crate::view::PageView;
use crate::words::{self, Words};
use std::ops::Deref;

/// The exclusive latch of a page: reads as `&[u8]` (the payload), writes by methods. Let go when dropped.
///
/// The holder must not wait for anything: no load, no lock, no park. Other writers spin meanwhile, readers retry.
///
/// Why no `&mut [u8]`: readers without a latch copy from the same memory at any time. Their loads are atomic, so the
/// stores must be too; a plain write through `&mut` would be a data race even though its result is thrown away. Plain
/// *reads* by the holder race with nothing, because only the holder stores: that is what [`Deref`] gives, and the
/// borrow checker keeps such a slice from living across a write method. Offsets count from the start of the payload;
/// a range outside of it is a bug and panics.
pub struct PageMut<'s> {
    shared: &'s Shared,
    page: PageNo,
    frame: u32,
    /// The word before it was latched, without HEAT.
    seen: u64,
    /// Something was written under this latch: the version must grow.
    changed: bool,
    _rank: runtime::rank::RankGuard,
}

impl<'s> PageMut<'s> {
    /// Wraps a latch just taken on a word that was `seen`.
    #[inline]
    pub(crate) fn new(shared: &'s Shared, page: PageNo, seen: u64) -> PageMut<'s> {
        let rank = runtime::rank::enter(crate::FLOOR, "page latch");
        PageMut { shared, page, frame: latch::frame_of(seen), seen, changed: false, _rank: rank }
    }

    /// Wraps the latch of a page just allocated into `frame`, on a word that was `seen` naming no frame.
    pub(crate) fn fresh(shared: &'s Shared, page: PageNo, seen: u64, frame: u32) -> PageMut<'s> {
        let seen = latch::in_frame(seen, frame);
        latch::latched_in_frame(shared.word(page), seen);
        // A reader with an old pointer may have taken the page for one that is being loaded, and have parked.
        shared.load_queue(page).wake_all();
        let mut this = PageMut::new(shared, page, seen);
        // Already dirty; the version grows when the latch is let go.
        this.changed = true;
        this
    }

    #[inline(always)]
    fn words(&self) -> &'s Words {
        self.shared.frames.words(self.frame)
    }

    /// The page's number.
    #[inline]
    pub fn page(&self) -> PageNo {
        self.page
    }

    /// What the owner keeps here.
    #[inline]
    pub fn kind(&self) -> Kind {
        Kind(words::get_u8(self.words(), AT_KIND))
    }

    /// The tree that owns the page.
    #[inline]
    pub fn tree(&self) -> TreeNo {
        TreeNo(words::get_u32(self.words(), AT_TREE))
    }

    /// The same page as readers without a latch see it, so that one search serves both; exact while borrowed.
    #[inline]
    pub fn view(&self) -> PageView<'_> {
        PageView::new(self.words())
    }

    /// Changes what the owner keeps here.
    pub fn set_kind(&mut self, kind: Kind) {
        self.touch();
        words::copy_in(self.words(), AT_KIND, &[kind.0]);
    }

    /// Before the first store under this latch: the page becomes dirty, and the checkpoint writer gets its copy.
    #[inline(always)]
    fn touch(&mut self) {
        if !self.changed {
            self.shared.before_change(self.page, self.frame);
            self.changed = true;
        }
    }

    #[inline(always)]
    fn assert_range(at: usize, len: usize) {
        assert!(at <= PAYLOAD_SIZE && len <= PAYLOAD_SIZE - at, "bytes {at}+{len} of a page payload");
    }

    /// Stores `bytes` at `at`.
    #[inline]
    pub fn write_at(&mut self, at: usize, bytes: &[u8]) {
        Self::assert_range(at, bytes.len());
        self.touch();
        words::copy_in(self.words(), at + HEADER_SIZE, bytes);
    }

    /// Stores a byte.
    #[inline]
    pub fn put_u8(&mut self, at: usize, value: u8) {
        self.write_at(at, &[value]);
    }

    /// Stores two bytes, little-endian.
    #[inline]
    pub fn put_u16(&mut self, at: usize, value: u16) {
        self.write_at(at, &value.to_le_bytes());
    }

    /// Stores four bytes, little-endian.
    #[inline]
    pub fn put_u32(&mut self, at: usize, value: u32) {
        self.write_at(at, &value.to_le_bytes());
    }

    /// Stores eight bytes, little-endian.
    #[inline]
    pub fn put_u64(&mut self, at: usize, value: u64) {
        self.write_at(at, &value.to_le_bytes());
    }

    /// Copies `len` bytes from `from` to `to`, overlapping or not.
    #[inline]
    pub fn move_within(&mut self, from: usize, to: usize, len: usize) {
        Self::assert_range(from, len);
        Self::assert_range(to, len);
        self.touch();
        words::move_within(self.words(), from + HEADER_SIZE, to + HEADER_SIZE, len);
    }

    /// Stores `len` times `byte` from `at` on.
    pub fn fill(&mut self, at: usize, len: usize, byte: u8) {
        Self::assert_range(at, len);
        self.touch();
        words::fill(self.words(), at + HEADER_SIZE, len, byte);
    }

    /// Lets `edit` change a private copy of the `len` (at most 256) bytes at `at`, then stores it.
    pub fn edit<R>(&mut self, at: usize, len: usize, edit: impl FnOnce(&mut [u8]) -> R) -> R {
        let mut copy = [0; 256];
        let copy = &mut copy[..len];
        copy.copy_from_slice(&self[at..at + len]);
        let result = edit(copy);
        self.write_at(at, copy);
        result
    }

    /// Replaces the payload by `bytes`, with zeros behind them.
    pub fn replace(&mut self, bytes: &[u8]) {
        self.write_at(0, bytes);
        self.fill(bytes.len(), PAYLOAD_SIZE - bytes.len(), 0);
    }

    /// The latch as its parts, without letting it go: for `Store::free`.
    pub(crate) fn into_parts(self) -> (PageNo, u32, u64) {
        let parts = (self.page, self.frame, self.seen);
        // The word stays latched; only the rank is let go.
        let mut this = std::mem::ManuallyDrop::new(self);
        // SAFETY: `this` is never dropped and never used again, so the guard is dropped exactly once.
        unsafe { std::ptr::drop_in_place(&raw mut this._rank) };
        parts
    }
}

impl Deref for PageMut<'_> {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: while this borrow lives nobody stores into the words: stores need the latch, this value holds it, and
        // its storing methods need it mutably.
        let page = unsafe { words::as_bytes(self.words()) };
        &page[HEADER_SIZE..]
    }
}

impl Drop for PageMut<'_> {
    #[inline]
    fn drop(&mut self) {
        latch::unlatch(self.shared.word(self.page), self.seen, self.changed);
    }
}
