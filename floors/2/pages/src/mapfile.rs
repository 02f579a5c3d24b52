//! The page map on disk: chunks of entries, roots of chunk references, each block written twice.
//!
//! ```text
//! superblock -> up to 512 roots -> 1022 chunks each -> 1022 entries each
//!
//! block:  0        4        8    12     13    14    16           24    32                            16384
//!         +--------+--------+----+------+-----+-----+------------+-----+-----------------------------+
//!         | crc32c | number | 0  | kind | ver | 0 0 | generation | 0   | 1022 x 16 bytes             |
//!         +--------+--------+----+------+-----+-----+------------+-----+-----------------------------+
//! entry:  slot u32, tree u32, crc32c u32, generation u32         (in a chunk, kind 0xF0; tree 0: free)
//! ref:    slot u32, slot u32, crc32c u32, generation u32         (in a root, kind 0xF1; slot 0: none)
//! ```
//!
//! A block is a page of tree 0 with slot 0, so that both copies have the same bytes and one checksum, which the
//! reference carries: an old or misplaced block does not pass.

use crate::buffer::Buffer;
use crate::error::{Damage, PageError, Result, Wrong};
use crate::map::{CHUNK_HEADER, CHUNK_PAGES, Chunk, ENTRY_SIZE, Entry};
use crate::page::{
    self, AT_KIND, AT_PAGE, AT_VERSION, Expected, HEADER_SIZE, PAGE_SIZE, PAGE_VERSION, PageNo, Slot, TreeNo,
    get_u32, put_u32,
};
use crate::superblock::{BlockRef, REF_SIZE};

pub(crate) const KIND_CHUNK: u8 = 0xF0;
pub(crate) const KIND_ROOT: u8 = 0xF1;
/// Chunks that one root describes.
pub(crate) const ROOT_CHUNKS: usize = CHUNK_PAGES;

const _: () = assert!(CHUNK_HEADER == HEADER_SIZE && REF_SIZE == ENTRY_SIZE);

/// A root's references.
pub(crate) type Root = [BlockRef; ROOT_CHUNKS];

fn block(number: u32, kind: u8, image: &mut [u8]) {
    put_u32(image, AT_PAGE, number);
    image[AT_KIND] = kind;
    image[AT_VERSION] = PAGE_VERSION;
}

/// The image of a chunk, and its checksum.
pub(crate) fn encode_chunk(number: u32, chunk: &Chunk, generation: u64) -> (Vec<u8>, u32) {
    let mut image = vec![0; PAGE_SIZE];
    block(number, KIND_CHUNK, &mut image);
    for (entry, into) in chunk.iter().zip(image[CHUNK_HEADER..].chunks_exact_mut(ENTRY_SIZE)) {
        put_u32(into, 0, entry.slot);
        put_u32(into, 4, entry.tree);
        put_u32(into, 8, entry.crc);
        put_u32(into, 12, entry.generation);
    }
    let crc = page::seal(&mut image, Slot::NONE, generation);
    (image, crc)
}

/// The entries of a chunk's image that has been checked.
pub(crate) fn decode_chunk(image: &[u8]) -> Box<Chunk> {
    let mut chunk = Box::new([Entry::FREE; CHUNK_PAGES]);
    for (entry, from) in chunk.iter_mut().zip(image[CHUNK_HEADER..].chunks_exact(ENTRY_SIZE)) {
        *entry = Entry {
            slot: get_u32(from, 0),
            tree: get_u32(from, 4),
            crc: get_u32(from, 8),
            generation: get_u32(from, 12),
        };
        if entry.tree == 0 {
            *entry = Entry::FREE;
        }
    }
    chunk
}

/// The image of a root, and its checksum.
pub(crate) fn encode_root(number: u32, root: &Root, generation: u64) -> (Vec<u8>, u32) {
    let mut image = vec![0; PAGE_SIZE];
    block(number, KIND_ROOT, &mut image);
    for (chunk, into) in root.iter().zip(image[HEADER_SIZE..].chunks_exact_mut(REF_SIZE)) {
        chunk.encode(into);
    }
    let crc = page::seal(&mut image, Slot::NONE, generation);
    (image, crc)
}

/// The references of a root's image that has been checked.
pub(crate) fn decode_root(image: &[u8]) -> Box<Root> {
    let mut root = Box::new([BlockRef::default(); ROOT_CHUNKS]);
    for (chunk, from) in root.iter_mut().zip(image[HEADER_SIZE..].chunks_exact(REF_SIZE)) {
        *chunk = BlockRef::decode(from);
    }
    root
}

/// Judges a block's image.
pub(crate) fn check_block(image: &[u8], number: u32, kind: u8, at: &BlockRef) -> Result<(), Wrong> {
    let expected = Expected {
        page: PageNo(number),
        tree: TreeNo(0),
        slot: Slot::NONE,
        crc: at.crc,
        generation: at.generation,
    };
    page::check(image, &expected)?;
    if image[AT_KIND] == kind {
        Ok(())
    } else {
        Err(Wrong::Field { name: "kind", found: image[AT_KIND].into() })
    }
}

/// Reads a block by `read`, from its first sound copy, into `image`. Damage found in the file `name` goes to `damage`;
/// both copies bad is an error.
pub(crate) fn read_block(
    read: &dyn Fn(Slot, &mut [u8]) -> Result<usize>,
    name: &str,
    number: u32,
    kind: u8,
    at: &BlockRef,
    image: &mut [u8],
    damage: &mut Vec<Damage>,
) -> Result<()> {
    let mut bad: Vec<Damage> = Vec::new();
    let mut sound = false;
    for slot in at.slots {
        // The second copy is read too, so that its damage is known while the first still heals it.
        let mut copy = Buffer::new(1);
        let bytes = read(Slot(slot), &mut copy)?;
        let judged = if bytes < PAGE_SIZE {
            Err(Wrong::Short { bytes })
        } else {
            check_block(&copy, number, kind, at)
        };
        match judged {
            Ok(()) => {
                if !sound {
                    image.copy_from_slice(&copy);
                }
                sound = true;
            }
            Err(wrong) => bad.push(Damage {
                file: name.to_owned(),
                offset: Slot(slot).offset(),
                what: if kind == KIND_CHUNK { "map chunk" } else { "map root" },
                number,
                wrong,
                healed: false,
            }),
        }
    }
    if !sound {
        let Some(first) = bad.into_iter().next() else { unreachable!("a block has two copies") };
        return Err(PageError::Damaged(Box::new(first)));
    }
    damage.extend(bad.into_iter().map(|bad| Damage { healed: true, ..bad }));
    Ok(())
}

#[cfg(test)]
mod tests;
