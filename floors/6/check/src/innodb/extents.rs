//! Which pages a tablespace has given out: an empty one among them was lost.
//!
//! Every so many pages as a page has bytes, a page holds the descriptors of the extents from there on:
//!
//! ```text
//! page 0, S, 2S, ...:  150 descriptors of 24 + E/4 bytes each
//! descriptor:          20 state u32 (2 some pages free, 3 none free, 4 a segment's) | 24 two bits a page: 1 = free
//! ```

use super::bytes::{be16, be32};
use super::header::{AT_NUMBER, AT_TYPE, kind};
use super::judge::{Space, judge};

const DESCRIPTORS_AT: usize = 150;
const AT_STATE: usize = 20;
const AT_BITMAP: usize = 24;
/// States of an extent of which pages may be in use.
const IN_USE: std::ops::RangeInclusive<u32> = 2..=4;

/// The page of descriptors that tells about page `number`.
#[must_use]
pub fn descriptor_page(space: &Space, number: u32) -> u32 {
    number - number % space.layout.physical() as u32
}

/// Whether page `number` has been given out, by `descriptors`, the page that [`descriptor_page`] names. Nothing
/// is known (`false`) where that is no sound page of descriptors.
#[must_use]
pub fn is_used(space: &Space, descriptors: &[u8], number: u32) -> bool {
    let layout = space.layout;
    let home = descriptor_page(space, number);
    let is_right_kind = matches!(be16(descriptors, AT_TYPE), kind::FIRST | kind::EXTENTS);
    if !is_right_kind || be32(descriptors, AT_NUMBER) != home || judge(space, descriptors, home).is_err() {
        return false;
    }
    let within = (number - home) as usize;
    let (extent, page) = (within / layout.extent_pages(), within % layout.extent_pages());
    let at = DESCRIPTORS_AT + extent * layout.descriptor_bytes();
    let Some(descriptor) = descriptors.get(at..at + layout.descriptor_bytes()) else { return false };
    let is_free = descriptor[AT_BITMAP + page / 4] >> (page % 4 * 2) & 1 == 1;
    IN_USE.contains(&be32(descriptor, AT_STATE)) && !is_free
}
