//! What a page is: its numbers, its header, how its bytes are judged when they come from a file.
//!
//! ```text
//! 0        4        8        12     13    14    16           24      28      32                    16384
//! +--------+--------+--------+------+-----+-----+------------+-------+-------+---------------------+
//! | crc32c | page   | tree   | kind | ver | 0 0 | generation | slot  | 0     | payload             |
//! +--------+--------+--------+------+-----+-----+------------+-------+-------+---------------------+
//! ```
//!
//! Little-endian. The CRC-32C covers bytes 4..16384. `slot` is the place in the file that the page was written to, so
//! a write that went astray is known by its own bytes; `generation` is the one the content belongs to.

use crate::error::Wrong;
use std::fmt;

/// Bytes of a page in memory and of a slot in the file.
pub const PAGE_SIZE: usize = 16384;
/// Bytes of the header in front of the payload.
pub const HEADER_SIZE: usize = 32;
/// Bytes of a page that its tree may use.
pub const PAYLOAD_SIZE: usize = PAGE_SIZE - HEADER_SIZE;

/// Version of the page header's layout.
pub(crate) const PAGE_VERSION: u8 = 1;

pub(crate) const AT_CRC: usize = 0;
pub(crate) const AT_PAGE: usize = 4;
pub(crate) const AT_TREE: usize = 8;
pub(crate) const AT_KIND: usize = 12;
pub(crate) const AT_VERSION: usize = 13;
pub(crate) const AT_GENERATION: usize = 16;
pub(crate) const AT_SLOT: usize = 24;
pub(crate) const AT_ZERO: usize = 28;

const _: () = {
    assert!(AT_PAGE == AT_CRC + 4 && AT_TREE == AT_PAGE + 4 && AT_KIND == AT_TREE + 4);
    assert!(AT_VERSION == AT_KIND + 1 && AT_GENERATION == AT_VERSION + 3);
    assert!(AT_SLOT == AT_GENERATION + 8 && AT_ZERO == AT_SLOT + 4 && HEADER_SIZE == AT_ZERO + 4);
    assert!(HEADER_SIZE.is_multiple_of(8) && PAYLOAD_SIZE == 16352);
};

/// The logical number of a page: stable from `alloc` to `free`, wherever the page lies in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageNo(pub u32);

impl PageNo {
    /// The number that no page has.
    pub const NONE: PageNo = PageNo(0);
}

/// The number of the tree that owns a page; 0 owns none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TreeNo(pub u32);

/// What the owner keeps in the page; the numbers are the owner's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u8);

impl fmt::Display for PageNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for TreeNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A place in the page file: its offset divided by [`PAGE_SIZE`]. 0 is a superblock's, and stands for "none".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Slot(pub u32);

impl Slot {
    pub(crate) const NONE: Slot = Slot(0);

    pub(crate) fn offset(self) -> u64 {
        u64::from(self.0) * PAGE_SIZE as u64
    }
}

pub(crate) fn get_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

pub(crate) fn get_u64(bytes: &[u8], at: usize) -> u64 {
    u64::from(get_u32(bytes, at)) | u64::from(get_u32(bytes, at + 4)) << 32
}

pub(crate) fn put_u32(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

pub(crate) fn put_u64(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

/// Completes the header of a page image on its way to `slot` and returns its CRC.
pub(crate) fn seal(image: &mut [u8], slot: Slot, generation: u64) -> u32 {
    assert_eq!(image.len(), PAGE_SIZE, "a page image has the size of a page");
    put_u64(image, AT_GENERATION, generation);
    put_u32(image, AT_SLOT, slot.0);
    put_u32(image, AT_ZERO, 0);
    let crc = checksum::crc32c(&image[AT_PAGE..]);
    put_u32(image, AT_CRC, crc);
    crc
}

/// What a page image read from `slot` must be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    pub page: PageNo,
    pub tree: TreeNo,
    pub slot: Slot,
    pub crc: u32,
    pub generation: u32,
}

/// Judges a page image: its own checksum first, then whether it is the page, and the writing of it, that the map
/// names. Total over any bytes of a page's length.
pub(crate) fn check(image: &[u8], expected: &Expected) -> Result<(), Wrong> {
    assert_eq!(image.len(), PAGE_SIZE, "a page image has the size of a page");
    let stored = get_u32(image, AT_CRC);
    let found = checksum::crc32c(&image[AT_PAGE..]);
    if stored != found {
        return Err(Wrong::Checksum { expected: expected.crc, stored, found });
    }
    let number = get_u32(image, AT_PAGE);
    if number != expected.page.0 {
        return Err(Wrong::Page { expected: expected.page.0, found: number });
    }
    let tree = get_u32(image, AT_TREE);
    if tree != expected.tree.0 {
        return Err(Wrong::Tree { expected: expected.tree.0, found: tree });
    }
    let slot = get_u32(image, AT_SLOT);
    if slot != expected.slot.0 {
        return Err(Wrong::Slot { expected: expected.slot.0, found: slot });
    }
    if image[AT_VERSION] != PAGE_VERSION {
        return Err(Wrong::Version { expected: PAGE_VERSION, found: image[AT_VERSION] });
    }
    let generation = get_u64(image, AT_GENERATION) as u32;
    if generation != expected.generation {
        return Err(Wrong::Generation { expected: expected.generation, found: generation });
    }
    if found != expected.crc {
        return Err(Wrong::Stale { expected: expected.crc, found });
    }
    Ok(())
}
