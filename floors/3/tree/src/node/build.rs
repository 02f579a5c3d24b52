//! Building a node's image record by record in key order, for splits, merges, compaction and bulk loads.

use super::{
    AT_COUNT, AT_FLAGS, AT_HEAP, AT_LAST_CHILD, AT_LEVEL, AT_LIVE, AT_LOWER, AT_PREFIX, AT_SKIP, AT_UPPER,
    HAS_UPPER, HEADER, INNER_FIELD, LEAF_FIELD, PAYLOAD, SLOT, Slot, common_len, head_of,
};
use crate::bytes::{Bytes, Payload};

/// A key in two pieces, as a node stores it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyParts<'a> {
    pub(crate) prefix: &'a [u8],
    pub(crate) suffix: &'a [u8],
}

impl<'a> KeyParts<'a> {
    /// A key in one piece.
    pub(crate) fn whole(key: &'a [u8]) -> Self {
        KeyParts { prefix: &[], suffix: key }
    }

    pub(crate) fn len(self) -> usize {
        self.prefix.len() + self.suffix.len()
    }

    pub(crate) fn to_vec(self) -> Vec<u8> {
        [self.prefix, self.suffix].concat()
    }

    /// The pieces without the first `len` bytes.
    fn from(self, len: usize) -> (&'a [u8], &'a [u8]) {
        match self.prefix.get(len..) {
            Some(rest) => (rest, self.suffix),
            None => (&[], self.suffix.get(len - self.prefix.len()..).unwrap_or_default()),
        }
    }
}

/// A node's image under construction.
pub(crate) struct Builder {
    image: Vec<u8>,
    count: usize,
    heap: usize,
    prefix_len: usize,
    leaf: bool,
}

impl Builder {
    /// Begins a node for the keys in [lower, upper); both fences within [`super::KEY_MAX`].
    pub(crate) fn new(level: u8, lower: &[u8], upper: Option<&[u8]>) -> Builder {
        let mut image = vec![0; PAYLOAD];
        let prefix_len = upper.map_or(0, |upper| common_len(lower, upper));
        let mut heap = PAYLOAD;
        for (at, fence) in [(AT_LOWER, lower), (AT_UPPER, upper.unwrap_or_default())] {
            heap -= fence.len();
            image[heap..heap + fence.len()].copy_from_slice(fence);
            image.put_u16(at, heap);
            image.put_u16(at + 2, fence.len());
        }
        image[AT_LEVEL] = level;
        image[AT_FLAGS] = if upper.is_some() { HAS_UPPER } else { 0 };
        image.put_u16(AT_PREFIX, prefix_len);
        Builder { image, count: 0, heap, prefix_len, leaf: level == 0 }
    }

    /// Adds a leaf's record; false when it does not fit.
    #[must_use]
    pub(crate) fn push_leaf(&mut self, key: KeyParts<'_>, value: &[u8], overflow: bool) -> bool {
        let field = (value.len() as u16).to_le_bytes();
        self.push(&field, key, value, overflow)
    }

    /// Adds an inner node's separator with the child below it; false when it does not fit.
    #[must_use]
    pub(crate) fn push_inner(&mut self, key: KeyParts<'_>, child: u32) -> bool {
        self.push(&child.to_le_bytes(), key, &[], false)
    }

    fn push(&mut self, field: &[u8], key: KeyParts<'_>, value: &[u8], overflow: bool) -> bool {
        let (a, b) = key.from(self.prefix_len);
        let len = field.len() + a.len() + b.len() + value.len();
        let slots_end = HEADER + (self.count + 1) * SLOT;
        if slots_end + len > self.heap {
            return false;
        }
        self.heap -= len;
        let mut at = self.heap;
        for piece in [field, a, b, value] {
            self.image[at..at + piece.len()].copy_from_slice(piece);
            at += piece.len();
        }
        let slot = Slot::pack(0, self.heap, a.len() + b.len(), overflow);
        self.image[slots_end - SLOT..slots_end].copy_from_slice(&slot.to_le_bytes());
        self.count += 1;
        true
    }

    /// Bytes still free.
    pub(crate) fn room(&self) -> usize {
        self.heap - HEADER - self.count * SLOT
    }

    /// The finished image; `last_child` is 0 for a leaf.
    pub(crate) fn finish(mut self, last_child: u32) -> Vec<u8> {
        self.image.put_u16(AT_COUNT, self.count);
        self.image.put_u16(AT_HEAP, self.heap);
        self.image.put_u16(AT_LIVE, PAYLOAD - self.heap);
        self.image[AT_LAST_CHILD..AT_LAST_CHILD + 4].copy_from_slice(&last_child.to_le_bytes());
        let field = if self.leaf { LEAF_FIELD } else { INNER_FIELD };
        let skip = match self.count {
            0 => 0,
            count => common_len(suffix(&self.image, field, 0), suffix(&self.image, field, count - 1)),
        };
        set_heads(&mut self.image, self.count, field, skip);
        self.image
    }
}

fn suffix(bytes: &[u8], field: usize, position: usize) -> &[u8] {
    let slot = Slot::unpack(bytes.word(HEADER / SLOT + position));
    let at = slot.offset + field;
    bytes.get(at..at + slot.suffix_len).unwrap_or_default()
}

/// Notes the bytes that all suffixes share and computes each slot's head from those after them.
pub(super) fn set_heads<P: Payload>(payload: &mut P, count: usize, field: usize, skip: usize) {
    payload.put_u16(AT_SKIP, skip);
    for position in 0..count {
        let head = head_of(suffix(payload.bytes(), field, position).get(skip..).unwrap_or_default());
        payload.put(HEADER + position * SLOT + 4, &head.to_le_bytes());
    }
}
