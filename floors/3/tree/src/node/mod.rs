//! A node of the tree: one page's payload as a slotted page.
//!
//! ```text
//!   0 level u8 (0 = leaf) | 1 flags u8 | 2 count u16 | 4 heap start u16 | 6 live bytes u16
//!   8 prefix length u16 | 10 skip u16 | 12 lower fence offset u16 | 14 lower fence length u16
//!  16 upper fence offset u16 | 18 upper fence length u16 | 20 last child u32
//!  24 last insert position u16 | 26 insert run i16 | 28 zero u32
//!  32 slots, 8 bytes each, in key order: head << 32 | record offset << 16 | overflow << 15 | suffix length
//!     free space
//!     heap, growing down from the payload's end: records and the two fences
//!
//!  leaf record   value length u16, key suffix, value
//!  inner record  child u32, key suffix          (the child holds the keys below this separator)
//! ```
//!
//! Invariants: a node holds the keys in [lower fence, upper fence); an empty lower fence is minus infinity, an
//! absent upper one (flag) plus infinity. The common prefix of the two fences is cut from each stored key. All
//! suffixes of a node share their first `skip` bytes; a slot's head is the four bytes after those as a
//! big-endian number, zero-padded, so most comparisons end in the slot array. An inner node with n separators
//! has n + 1 children, the last one in the header; it may have no separator at all.
//!
//! A leaf's record takes at most [`RECORD_MAX`] bytes (longer values go to overflow pages) and a key at most
//! [`KEY_MAX`]: two records and both fences fit any leaf, two separators any inner node, so a split always helps.

mod build;
mod edit;
mod split;
#[cfg(test)]
mod tests;
mod verify;

use std::cmp::Ordering;

use crate::bytes::Bytes;

pub(crate) use build::{Builder, KeyParts};
pub(crate) use edit::{NodeMut, Pieces};
pub(crate) use split::{Split, merge, separator};

/// Bytes of a page that a node uses.
pub(crate) const PAYLOAD: usize = pages::PAYLOAD_SIZE;
/// Longest key.
pub const KEY_MAX: usize = 3500;
/// Longest leaf record beyond its value length field; a key and value that take more are stored with the value
/// in overflow pages.
pub(crate) const RECORD_MAX: usize = PAYLOAD / 4;
/// Bytes before the first slot.
pub(crate) const HEADER: usize = 32;
/// Bytes of a slot.
pub(crate) const SLOT: usize = 8;
/// Most slots that a payload has room for; counts read latch-free are clamped to it.
const SLOTS_MAX: usize = (PAYLOAD - HEADER) / SLOT;
/// Deepest tree that is believed: each level at least doubles the pages and there are 2^32 of them.
pub(crate) const LEVEL_MAX: u8 = 40;

const AT_LEVEL: usize = 0;
const AT_FLAGS: usize = 1;
const AT_COUNT: usize = 2;
const AT_HEAP: usize = 4;
const AT_LIVE: usize = 6;
const AT_PREFIX: usize = 8;
const AT_SKIP: usize = 10;
const AT_LOWER: usize = 12;
const AT_UPPER: usize = 16;
const AT_LAST_CHILD: usize = 20;
const AT_LAST_POSITION: usize = 24;
const AT_RUN: usize = 26;
const HAS_UPPER: u8 = 1;
const OVERFLOW: u16 = 1 << 15;
const SUFFIX_MASK: u16 = 0x0fff;
/// Bytes before the suffix in a leaf's record and in an inner node's.
const LEAF_FIELD: usize = 2;
const INNER_FIELD: usize = 4;

const _: () = {
    assert!(PAYLOAD.is_multiple_of(SLOT) && PAYLOAD <= u16::MAX as usize);
    assert!(AT_RUN + 2 <= HEADER && HEADER.is_multiple_of(SLOT));
    assert!(KEY_MAX <= SUFFIX_MASK as usize);
    assert!(HEADER + 2 * (SLOT + LEAF_FIELD + RECORD_MAX) + 2 * KEY_MAX <= PAYLOAD);
    assert!(HEADER + 2 * (SLOT + INNER_FIELD + KEY_MAX) + 2 * KEY_MAX <= PAYLOAD);
};

/// A node's bytes contradict the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nonsense(pub(crate) &'static str);

/// A slot, unpacked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    head: u32,
    pub(crate) offset: usize,
    pub(crate) suffix_len: usize,
    pub(crate) overflow: bool,
}

impl Slot {
    #[inline]
    fn unpack(word: u64) -> Slot {
        let length = word as u16;
        Slot {
            head: (word >> 32) as u32,
            offset: (word >> 16) as u16 as usize,
            suffix_len: (length & SUFFIX_MASK) as usize,
            overflow: length & OVERFLOW != 0,
        }
    }

    #[inline]
    fn pack(head: u32, offset: usize, suffix_len: usize, overflow: bool) -> u64 {
        let length = suffix_len as u16 | if overflow { OVERFLOW } else { 0 };
        (u64::from(head) << 32) | ((offset as u64) << 16) | u64::from(length)
    }
}

/// The first four bytes as a number that orders like them, zero-padded.
#[inline]
pub(crate) fn head_of(bytes: &[u8]) -> u32 {
    if let Some(four) = bytes.first_chunk::<4>() {
        return u32::from_be_bytes(*four);
    }
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    u32::from_be_bytes(four)
}

/// Length of the longest common prefix.
#[inline]
pub(crate) fn common_len(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(x, y)| x == y).count()
}

/// A node being read; through a latch-free view everything it says may be wrong until validated.
pub(crate) struct Node<'a, B: ?Sized> {
    bytes: &'a B,
}

impl<B: ?Sized> Clone for Node<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: ?Sized> Copy for Node<'_, B> {}

impl<'a, B: Bytes + ?Sized> Node<'a, B> {
    #[inline]
    pub(crate) fn new(bytes: &'a B) -> Self {
        Node { bytes }
    }

    #[inline]
    pub(crate) fn level(self) -> u8 {
        self.bytes.word(AT_LEVEL / 8) as u8
    }

    #[inline]
    pub(crate) fn count(self) -> usize {
        ((self.bytes.word(AT_LEVEL / 8) >> (8 * AT_COUNT)) as u16 as usize).min(SLOTS_MAX)
    }

    #[inline]
    pub(crate) fn has_upper(self) -> bool {
        (self.bytes.word(AT_LEVEL / 8) >> (8 * AT_FLAGS)) as u8 & HAS_UPPER != 0
    }

    #[inline]
    pub(crate) fn prefix_len(self) -> usize {
        self.bytes.u16_at(AT_PREFIX) as usize
    }

    /// Where the heap begins.
    pub(crate) fn heap(self) -> usize {
        self.bytes.u16_at(AT_HEAP) as usize
    }

    #[inline]
    fn skip(self) -> usize {
        self.bytes.u16_at(AT_SKIP) as usize
    }

    #[inline]
    pub(crate) fn slot(self, position: usize) -> Slot {
        Slot::unpack(self.bytes.word(HEADER / SLOT + position))
    }

    /// Bytes before the suffix in this node's records.
    #[inline]
    fn field(self) -> usize {
        if self.level() == 0 { LEAF_FIELD } else { INNER_FIELD }
    }

    /// The child left of separator `position`; of the count itself, the last child.
    #[inline]
    pub(crate) fn child(self, position: usize) -> u32 {
        if position < self.count() {
            self.bytes.u32_at(self.slot(position).offset)
        } else {
            self.bytes.u32_at(AT_LAST_CHILD)
        }
    }

    /// Where the value of the record of `slot` begins and how long it is.
    #[inline]
    pub(crate) fn value_range(self, slot: Slot) -> (usize, usize) {
        (slot.offset + LEAF_FIELD + slot.suffix_len, self.bytes.u16_at(slot.offset) as usize)
    }

    /// The first position whose key is not below `key`, and whether it holds `key` itself.
    ///
    /// The key is taken to lie between the fences, hence to share their common prefix: that is what the descent
    /// or the caller's look at the fences has established.
    #[inline]
    pub(crate) fn search(self, key: &[u8]) -> (usize, bool) {
        let count = self.count();
        if count == 0 {
            return (0, false);
        }
        let header = self.bytes.word(AT_PREFIX / 8);
        let prefix_len = header as u16 as usize;
        let skip = (header >> 16) as u16 as usize;
        let field = self.field();
        let mut rest = key.get(prefix_len..).unwrap_or_default();
        if skip > 0 {
            let shared = &rest[..skip.min(rest.len())];
            match self.bytes.compare(self.slot(0).offset + field, skip, shared) {
                Ordering::Equal => rest = &rest[shared.len()..],
                Ordering::Less => return (count, false),
                Ordering::Greater => return (0, false),
            }
        }
        let head = head_of(rest);
        let first = self.first_head(count, head);
        self.search_equal_heads(first, count, head, |slot| self.compare_tail(slot, field + skip, skip, rest))
    }

    /// The first slot whose head is not below `head`.
    ///
    /// Seven probes a round instead of one: their cache misses overlap, and counting needs no branch to be guessed.
    #[inline]
    fn first_head(self, count: usize, head: u32) -> usize {
        let below =
            |position: usize| usize::from(((self.bytes.word(HEADER / SLOT + position) >> 32) as u32) < head);
        let (mut low, mut len) = (0, count);
        while len >= 16 {
            let step = len / 8;
            let passed: usize = (1..8).map(|probe| below(low + probe * step - 1)).sum();
            low += passed * step;
            len = if passed == 7 { len - 7 * step } else { step - 1 };
        }
        low + (0..len).map(|ahead| below(low + ahead)).sum::<usize>()
    }

    /// Goes on with a search among the slots from `low` on that have the head looked for.
    #[inline]
    fn search_equal_heads(
        self,
        mut low: usize,
        count: usize,
        head: u32,
        tail: impl Fn(Slot) -> Ordering,
    ) -> (usize, bool) {
        let mut high = low;
        // Mostly one slot or none; galloping finds the end of many.
        let mut reach = 1;
        while high < count && self.slot(high).head == head {
            match tail(self.slot(high)) {
                Ordering::Less => low = high + 1,
                Ordering::Equal => return (high, true),
                Ordering::Greater => break,
            }
            high = low + reach;
            reach *= 2;
        }
        let mut high = high.min(count);
        while low < high {
            let middle = (low + high) / 2;
            let slot = self.slot(middle);
            match slot.head.cmp(&head).then_with(|| tail(slot)) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return (middle, true),
            }
        }
        (low, false)
    }

    /// Compares what follows equal heads.
    #[inline]
    fn compare_tail(self, slot: Slot, before: usize, skip: usize, rest: &[u8]) -> Ordering {
        let stored_len = slot.suffix_len.saturating_sub(skip);
        if stored_len <= 4 || rest.len() <= 4 {
            return stored_len.cmp(&rest.len());
        }
        self.bytes.compare(slot.offset + before + 4, stored_len - 4, &rest[4..])
    }

    /// Position of the child whose range holds `key`.
    #[inline]
    pub(crate) fn child_position(self, key: &[u8]) -> usize {
        let (position, found) = self.search(key);
        position + usize::from(found)
    }

    /// Appends the lower fence.
    pub(crate) fn append_lower(self, out: &mut Vec<u8>) {
        let (at, len) = self.fence(AT_LOWER);
        self.bytes.append_to(at, len, out);
    }

    /// Appends the upper fence, if there is one.
    pub(crate) fn append_upper(self, out: &mut Vec<u8>) -> bool {
        let (at, len) = self.fence(AT_UPPER);
        let has = self.has_upper();
        if has {
            self.bytes.append_to(at, len, out);
        }
        has
    }

    fn fence(self, at: usize) -> (usize, usize) {
        (self.bytes.u16_at(at) as usize, self.bytes.u16_at(at + 2) as usize)
    }

    /// Whether `key` lies between the fences.
    pub(crate) fn covers(self, key: &[u8]) -> bool {
        let (at, len) = self.fence(AT_LOWER);
        if self.bytes.compare(at, len, key) == Ordering::Greater {
            return false;
        }
        self.reaches(key)
    }

    /// Whether `key`, which is above some key of the node, lies below the upper fence.
    #[inline]
    pub(crate) fn reaches(self, key: &[u8]) -> bool {
        let (at, len) = self.fence(AT_UPPER);
        !self.has_upper() || self.bytes.compare(at, len, key) == Ordering::Greater
    }

    /// Bytes of live records, fences and slots.
    pub(crate) fn used(self) -> usize {
        HEADER + self.count() * SLOT + self.bytes.u16_at(AT_LIVE) as usize
    }
}

/// What a stable copy or a latched page gives beyond: checked slices.
impl<'a> Node<'a, [u8]> {
    fn slice(self, at: usize, len: usize) -> Result<&'a [u8], Nonsense> {
        self.bytes.get(at..).and_then(|rest| rest.get(..len)).ok_or(Nonsense("record beyond the page"))
    }

    /// The common prefix of the fences.
    pub(crate) fn prefix(self) -> Result<&'a [u8], Nonsense> {
        self.lower()?.get(..self.prefix_len()).ok_or(Nonsense("prefix longer than the lower fence"))
    }

    pub(crate) fn lower(self) -> Result<&'a [u8], Nonsense> {
        let (at, len) = self.fence(AT_LOWER);
        self.slice(at, len)
    }

    pub(crate) fn upper(self) -> Result<Option<&'a [u8]>, Nonsense> {
        let (at, len) = self.fence(AT_UPPER);
        if self.has_upper() { self.slice(at, len).map(Some) } else { Ok(None) }
    }

    /// The key at a position without the fences' common prefix.
    pub(crate) fn suffix(self, position: usize) -> Result<&'a [u8], Nonsense> {
        let slot = self.slot(position);
        self.slice(slot.offset + self.field(), slot.suffix_len)
    }

    /// The key at a position.
    pub(crate) fn key(self, position: usize) -> Result<KeyParts<'a>, Nonsense> {
        Ok(KeyParts { prefix: self.prefix()?, suffix: self.suffix(position)? })
    }

    /// A leaf's stored value at a position and whether it is a reference to overflow pages.
    pub(crate) fn value(self, position: usize) -> Result<(&'a [u8], bool), Nonsense> {
        let slot = self.slot(position);
        let (at, len) = self.value_range(slot);
        Ok((self.slice(at, len)?, slot.overflow))
    }

    /// Bytes in the heap that the record at a position takes.
    fn record_len(self, position: usize) -> usize {
        let slot = self.slot(position);
        let value_len = if self.level() == 0 { self.value_range(slot).1 } else { 0 };
        self.field() + slot.suffix_len + value_len
    }
}
