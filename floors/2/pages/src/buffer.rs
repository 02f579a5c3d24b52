//! Memory for page images on their way to and from the file, aligned as direct I/O wants it.

use crate::page::PAGE_SIZE;
use crate::words::Words;
use std::ops::{Deref, DerefMut};

/// Alignment of every buffer: the largest logical block of disks sold.
const ALIGN: usize = 4096;
const BLOCKS: usize = PAGE_SIZE / ALIGN;

#[derive(Clone)]
#[repr(C, align(4096))]
struct Block([u8; ALIGN]);

const _: () =
    assert!(size_of::<Block>() == ALIGN && align_of::<Block>() == ALIGN && PAGE_SIZE.is_multiple_of(ALIGN));

/// Some pages of bytes, side by side.
pub(crate) struct Buffer(Vec<Block>);

impl Buffer {
    /// Zeros for so many pages.
    pub(crate) fn new(pages: usize) -> Buffer {
        Buffer(vec![Block([0; ALIGN]); pages * BLOCKS])
    }

    /// The first page as words, to be read into.
    pub(crate) fn words(&mut self) -> &Words {
        assert!(self.0.len() >= BLOCKS, "a page of bytes");
        // SAFETY: so many bytes are there, aligned to more than a word; they are borrowed mutably as long as the words
        // live, and any bytes are valid words.
        unsafe { &*self.0.as_mut_ptr().cast::<Words>() }
    }

    /// A copy of one page's bytes.
    pub(crate) fn of(image: &[u8]) -> Buffer {
        let mut buffer = Buffer::new(image.len() / PAGE_SIZE);
        buffer.copy_from_slice(image);
        buffer
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: blocks are arrays of bytes without padding (asserted above), side by side in the vector.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len() * ALIGN) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `self` is borrowed mutably as long as the slice lives.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len() * ALIGN) }
    }
}
