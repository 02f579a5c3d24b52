//! The superblock: where the map is, and what the engine wants to know at a restart.
//!
//! ```text
//! 0        4        8           16         24           32     36          40      44        48      64        8256
//! +--------+--------+-----------+----------+------------+------+-----------+-------+---------+-------+---------+------+
//! | crc32c | format | magic     | sequence | generation | slot | page size | roots | meta len| zero  | 512 refs| meta |
//! +--------+--------+-----------+----------+------------+------+-----------+-------+---------+-------+---------+------+
//! ref (16 bytes): slot of the first copy, slot of the second copy, crc32c, low half of the generation
//! ```
//!
//! Little-endian; the CRC covers bytes 4..16384. There are two places, used in turn (`sequence` modulo 2), each with
//! two copies; place `p`, copy `c` is slot `p + 2 c`. A checkpoint writes the first copy, forces, writes the second,
//! forces: at any moment at most one copy is in flight, so a crash damages at most one. What each combination means
//! at a restart is in `choose`, and as a table in `docs/on-disk-format.md`.

use crate::error::{Damage, Wrong};
use crate::open::FILE_NAME;
use crate::page::{PAGE_SIZE, Slot, get_u32, get_u64, put_u32, put_u64};
use crate::slots::SUPERBLOCK_SLOTS;

/// Version of everything in the page file.
pub(crate) const FORMAT: u32 = 1;
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"PENSTOCK");
/// Map roots that fit: 512 x 1022 chunks x 1022 pages, 8 TiB of data.
pub(crate) const ROOTS_MAX: usize = 512;
/// More checkpoints than any file lives to see: counts beyond are damage, and may not overflow.
const COUNT_MAX: u64 = 1 << 62;
pub(crate) const REF_SIZE: usize = 16;

const AT_CRC: usize = 0;
const AT_FORMAT: usize = 4;
const AT_MAGIC: usize = 8;
const AT_SEQUENCE: usize = 16;
const AT_GENERATION: usize = 24;
const AT_SLOT: usize = 32;
const AT_PAGE_SIZE: usize = 36;
const AT_ROOTS: usize = 40;
const AT_META_LEN: usize = 44;
const AT_REFS: usize = 64;
const AT_META: usize = AT_REFS + ROOTS_MAX * REF_SIZE;
/// Bytes of the engine's that fit.
pub(crate) const META_MAX: usize = PAGE_SIZE - AT_META;

const _: () = {
    assert!(AT_FORMAT == AT_CRC + 4 && AT_MAGIC == AT_FORMAT + 4 && AT_SEQUENCE == AT_MAGIC + 8);
    assert!(AT_GENERATION == AT_SEQUENCE + 8 && AT_SLOT == AT_GENERATION + 8);
    assert!(AT_PAGE_SIZE == AT_SLOT + 4 && AT_ROOTS == AT_PAGE_SIZE + 4 && AT_META_LEN == AT_ROOTS + 4);
    assert!(AT_META == 8256 && META_MAX == 8128);
};

/// Where the two copies of a map block are, and what it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct BlockRef {
    /// 0: there is no block.
    pub slots: [u32; 2],
    pub crc: u32,
    pub generation: u32,
}

impl BlockRef {
    pub(crate) fn is_none(&self) -> bool {
        self.slots[0] == Slot::NONE.0
    }

    pub(crate) fn encode(&self, into: &mut [u8]) {
        put_u32(into, 0, self.slots[0]);
        put_u32(into, 4, self.slots[1]);
        put_u32(into, 8, self.crc);
        put_u32(into, 12, self.generation);
    }

    pub(crate) fn decode(from: &[u8]) -> BlockRef {
        let slots = [get_u32(from, 0), get_u32(from, 4)];
        BlockRef { slots, crc: get_u32(from, 8), generation: get_u32(from, 12) }
    }
}

/// The superblock's content.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Superblock {
    /// Counts superblocks.
    pub sequence: u64,
    /// The generation that the checkpoint wrote.
    pub generation: u64,
    pub roots: Vec<BlockRef>,
    pub meta: Vec<u8>,
}

/// The slot of a copy.
pub(crate) fn slot_of(sequence: u64, copy: u32) -> Slot {
    Slot((sequence % 2) as u32 + 2 * copy)
}

impl Superblock {
    /// The image of one copy. Roots and meta fit: the caller has checked.
    pub(crate) fn encode(&self, copy: u32) -> Vec<u8> {
        assert!(self.roots.len() <= ROOTS_MAX && self.meta.len() <= META_MAX, "the superblock has room");
        let mut image = vec![0; PAGE_SIZE];
        put_u32(&mut image, AT_FORMAT, FORMAT);
        put_u64(&mut image, AT_MAGIC, MAGIC);
        put_u64(&mut image, AT_SEQUENCE, self.sequence);
        put_u64(&mut image, AT_GENERATION, self.generation);
        put_u32(&mut image, AT_SLOT, slot_of(self.sequence, copy).0);
        put_u32(&mut image, AT_PAGE_SIZE, PAGE_SIZE as u32);
        put_u32(&mut image, AT_ROOTS, self.roots.len() as u32);
        put_u32(&mut image, AT_META_LEN, self.meta.len() as u32);
        for (root, into) in self.roots.iter().zip(image[AT_REFS..AT_META].chunks_exact_mut(REF_SIZE)) {
            root.encode(into);
        }
        image[AT_META..AT_META + self.meta.len()].copy_from_slice(&self.meta);
        let crc = checksum::crc32c(&image[AT_FORMAT..]);
        put_u32(&mut image, AT_CRC, crc);
        image
    }

    /// Judges and reads the copy found in `slot`. Total over any bytes.
    pub(crate) fn decode(image: &[u8], slot: Slot) -> Result<Superblock, Wrong> {
        if image.len() < PAGE_SIZE {
            return Err(Wrong::Short { bytes: image.len() });
        }
        let image = &image[..PAGE_SIZE];
        let stored = get_u32(image, AT_CRC);
        let found = checksum::crc32c(&image[AT_FORMAT..]);
        if stored != found {
            return Err(Wrong::Checksum { expected: stored, stored, found });
        }
        let field = |name, found: u64| Wrong::Field { name, found };
        if get_u64(image, AT_MAGIC) != MAGIC {
            return Err(field("magic", get_u64(image, AT_MAGIC)));
        }
        if get_u32(image, AT_FORMAT) != FORMAT {
            return Err(field("format", get_u32(image, AT_FORMAT).into()));
        }
        if get_u32(image, AT_PAGE_SIZE) != PAGE_SIZE as u32 {
            return Err(field("page size", get_u32(image, AT_PAGE_SIZE).into()));
        }
        let sequence = get_u64(image, AT_SEQUENCE);
        let generation = get_u64(image, AT_GENERATION);
        if sequence > COUNT_MAX || generation > COUNT_MAX {
            return Err(field("sequence or generation", sequence.max(generation)));
        }
        let written_to = get_u32(image, AT_SLOT);
        if written_to != slot.0 {
            return Err(Wrong::Slot { expected: slot.0, found: written_to });
        }
        if u64::from(slot.0 % 2) != sequence % 2 {
            return Err(field("sequence", sequence));
        }
        let (roots, meta_len) = (get_u32(image, AT_ROOTS) as usize, get_u32(image, AT_META_LEN) as usize);
        if roots > ROOTS_MAX {
            return Err(field("roots", roots as u64));
        }
        if meta_len > META_MAX {
            return Err(field("meta len", meta_len as u64));
        }
        let refs = image[AT_REFS..AT_META].chunks_exact(REF_SIZE).take(roots);
        Ok(Superblock {
            sequence,
            generation,
            roots: refs.map(BlockRef::decode).collect(),
            meta: image[AT_META..AT_META + meta_len].to_vec(),
        })
    }
}

/// What the superblock's slots hold.
pub(crate) type Copies = [Result<Superblock, Wrong>; SUPERBLOCK_SLOTS as usize];

/// Reads all copies; damaged ones are told as healed, as [`choose`] fails where they are not. `image` has a page's bytes.
pub(crate) fn read_copies(
    image: &mut [u8],
    read: impl Fn(Slot, &mut [u8]) -> crate::error::Result<usize>,
    damage: &mut Vec<Damage>,
) -> crate::error::Result<Copies> {
    let mut copies = [const { Err(Wrong::Short { bytes: 0 }) }; SUPERBLOCK_SLOTS as usize];
    for (number, copy) in (0..).zip(copies.iter_mut()) {
        let slot = Slot(number);
        let bytes = read(slot, image)?;
        *copy = Superblock::decode(&image[..bytes], slot);
        if let Err(wrong) = *copy {
            let (file, offset) = (FILE_NAME.to_owned(), slot.offset());
            damage.push(Damage { file, offset, what: "superblock", number, wrong, healed: true });
        }
    }
    Ok(copies)
}

/// Chooses among the four copies, given by slot number. `Err` says why none may be used.
///
/// The newest valid copy wins, unless the other place has no valid copy at all: a crash leaves at least one there
/// (the older superblock's, or the first copy of the newer one, forced before the second is touched). Two damaged
/// copies of one place are rot, and may have been the newest superblock: its log position would be lost, and slots
/// that the older one needs may have been written over.
pub(crate) fn choose(copies: &Copies) -> Result<&Superblock, String> {
    for place in 0..2 {
        if let (Err(first), Err(second)) = (&copies[place], &copies[place + 2]) {
            return Err(format!(
                "both copies of superblock place {place} are damaged (byte {}: {first}; byte {}: {second}); one of \
                 them may be the newest, so the other place must not be trusted",
                place * PAGE_SIZE,
                (place + 2) * PAGE_SIZE,
            ));
        }
    }
    let newest = copies.iter().flatten().max_by_key(|copy| copy.sequence);
    newest.ok_or_else(|| "no superblock is valid".to_owned())
}

#[cfg(test)]
mod tests;
