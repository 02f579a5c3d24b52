//! What a node is read through: a slice under a latch, or a latch-free view that may show garbage.
//!
//! Every method is total: an offset or a length beyond the payload reads as zeros or is cut short, so that the
//! code that decides by such bytes cannot fail, only be wrong, and the version check afterwards throws the
//! outcome away.

use std::cmp::Ordering;
use std::ops::Range;

/// Reading of a page's payload at payload-relative offsets.
pub(crate) trait Bytes {
    /// Little-endian number of two bytes; 0 beyond the end.
    fn u16_at(&self, at: usize) -> u16;
    /// Little-endian number of four bytes; 0 beyond the end.
    fn u32_at(&self, at: usize) -> u32;
    /// Little-endian word number `index`; 0 beyond the end.
    fn word(&self, index: usize) -> u64;
    /// Appends `len` bytes from `at` on, or as many as there are.
    fn append_to(&self, at: usize, len: usize, out: &mut Vec<u8>);
    /// Compares the `len` bytes at `at` (or as many as there are) with `with`.
    fn compare(&self, at: usize, len: usize, with: &[u8]) -> Ordering;
}

impl Bytes for [u8] {
    #[inline]
    fn u16_at(&self, at: usize) -> u16 {
        match self.get(at..).and_then(<[u8]>::first_chunk::<2>) {
            Some(bytes) => u16::from_le_bytes(*bytes),
            None => 0,
        }
    }

    #[inline]
    fn u32_at(&self, at: usize) -> u32 {
        match self.get(at..).and_then(<[u8]>::first_chunk::<4>) {
            Some(bytes) => u32::from_le_bytes(*bytes),
            None => 0,
        }
    }

    #[inline]
    fn word(&self, index: usize) -> u64 {
        let at = index.saturating_mul(8);
        match self.get(at..).and_then(<[u8]>::first_chunk::<8>) {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => 0,
        }
    }

    #[inline]
    fn append_to(&self, at: usize, len: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(clamped(self, at, len));
    }

    #[inline]
    fn compare(&self, at: usize, len: usize, with: &[u8]) -> Ordering {
        clamped(self, at, len).cmp(with)
    }
}

/// Writing into a page's payload under its latch. Readers without a latch may be looking, so the page's own room
/// does the stores; tests write into a `Vec`.
pub(crate) trait Payload {
    /// The payload.
    fn bytes(&self) -> &[u8];
    /// Stores `data` at `at`.
    fn put(&mut self, at: usize, data: &[u8]);
    /// Moves the bytes of `range` to `to`; both places may overlap.
    fn shift(&mut self, range: Range<usize>, to: usize);

    /// Stores a little-endian number of two bytes.
    #[inline]
    fn put_u16(&mut self, at: usize, value: usize) {
        self.put(at, &(value as u16).to_le_bytes());
    }
}

impl Payload for Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn put(&mut self, at: usize, data: &[u8]) {
        self[at..at + data.len()].copy_from_slice(data);
    }

    fn shift(&mut self, range: Range<usize>, to: usize) {
        self.copy_within(range, to);
    }
}

/// The part of `bytes` from `at` on, at most `len` long.
#[inline]
fn clamped(bytes: &[u8], at: usize, len: usize) -> &[u8] {
    let rest = bytes.get(at..).unwrap_or_default();
    &rest[..len.min(rest.len())]
}
