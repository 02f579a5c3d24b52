//! A page file looked at without being opened, for tools that check it: where each page lies by the newest checkpoint,
//! and whether the bytes there are the ones that the map names. Reading only; nothing is healed.
//!
//! A server may be running over the file. It does not write to slots that the newest superblock names, so what is
//! found wrong counts only if [`Inspection::sequence`] is still the newest afterwards: look again.

use crate::error::{Damage, PageError, Result, Wrong};
use crate::map::CHUNK_PAGES;
use crate::mapfile::{KIND_CHUNK, KIND_ROOT, ROOT_CHUNKS, decode_chunk, decode_root, read_block};
use crate::open::FILE_NAME;
use crate::page::{self, Expected, PAGE_SIZE, PageNo, Slot, TreeNo, get_u64};
use crate::slots::SUPERBLOCK_SLOTS;
use crate::superblock::{BlockRef, MAGIC, choose, read_copies};
use platform::file::File;

/// Where the magic number lies in a superblock.
const AT_MAGIC: usize = 8;

/// What the newest superblock and its map say.
#[derive(Debug)]
pub struct Inspection {
    /// The checkpoint's generation.
    pub generation: u64,
    /// Counts superblocks: whether this one is still the newest.
    pub sequence: u64,
    /// Damaged superblocks and blocks of the map; of those not healed by a second copy the pages are not known.
    pub damage: Vec<Damage>,
    /// What is wrong with the map's content: byte in the file, and what.
    pub contradictions: Vec<(u64, String)>,
    /// All pages, by their place in the file.
    pub pages: Vec<PagePlace>,
}

/// A page's place and what must lie there.
#[derive(Clone, Copy, Debug)]
pub struct PagePlace(Expected);

impl PagePlace {
    /// The page's number.
    #[must_use]
    pub fn page(&self) -> PageNo {
        self.0.page
    }

    /// The tree that owns it.
    #[must_use]
    pub fn tree(&self) -> TreeNo {
        self.0.tree
    }

    /// Where it starts in the file.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.0.slot.offset()
    }

    /// Judges the bytes found there, fewer than a page where the file ends.
    pub fn check(&self, image: &[u8]) -> std::result::Result<(), Wrong> {
        match image.get(..PAGE_SIZE) {
            Some(image) => page::check(image, &self.0),
            None => Err(Wrong::Short { bytes: image.len() }),
        }
    }
}

/// Whether a file that begins so is a page file: one of its superblocks has the magic number.
#[must_use]
pub fn is_page_file(head: &[u8]) -> bool {
    head.chunks_exact(PAGE_SIZE)
        .take(SUPERBLOCK_SLOTS as usize)
        .any(|image| get_u64(image, AT_MAGIC) == MAGIC)
}

/// Reads superblocks and map. An error where no superblock may be trusted.
pub fn inspect(file: &dyn File) -> Result<Inspection> {
    let read = |slot: Slot, into: &mut [u8]| {
        let offset = slot.offset();
        let name = FILE_NAME.to_owned();
        file.read_at(into, offset).map_err(|source| PageError::Io {
            verb: "read",
            file: name,
            offset,
            source,
        })
    };
    let mut damage = Vec::new();
    let copies = read_copies(&mut vec![0; PAGE_SIZE], read, &mut damage)?;
    let chosen = choose(&copies);
    let superblock = chosen.map_err(|reason| PageError::Unusable { file: FILE_NAME.to_owned(), reason })?;
    let (generation, sequence) = (superblock.generation, superblock.sequence);
    let empty = Inspection { generation, sequence, damage, contradictions: Vec::new(), pages: Vec::new() };
    let slots = file.len().map_err(|source| PageError::Io {
        verb: "read the length of",
        file: FILE_NAME.to_owned(),
        offset: 0,
        source,
    })? / PAGE_SIZE as u64;
    let mut map = MapReader { read: &read, found: empty, used: vec![0; slots as usize / 64 + 1], slots };
    map.walk(&superblock.roots)?;
    let mut found = map.found;
    found.pages.sort_unstable_by_key(PagePlace::offset);
    Ok(found)
}

type Read<'a> = dyn Fn(Slot, &mut [u8]) -> Result<usize> + 'a;

struct MapReader<'a> {
    read: &'a Read<'a>,
    found: Inspection,
    /// Which slots are named already, one bit each.
    used: Vec<u64>,
    slots: u64,
}

impl MapReader<'_> {
    fn walk(&mut self, roots: &[BlockRef]) -> Result<()> {
        for (number, at) in (0..).zip(roots) {
            let Some(image) = self.block(number, KIND_ROOT, at)? else { continue };
            let root = decode_root(&image);
            for (index, at) in (0..).zip(root.iter()) {
                let chunk = number * ROOT_CHUNKS as u32 + index;
                if let Some(image) = self.block(chunk, KIND_CHUNK, at)? {
                    self.chunk(chunk, &image);
                }
            }
        }
        Ok(())
    }

    /// The image of a block; `None` where there is none, or none that is sound.
    fn block(&mut self, number: u32, kind: u8, at: &BlockRef) -> Result<Option<Vec<u8>>> {
        if at.is_none() {
            return Ok(None);
        }
        at.slots.iter().for_each(|slot| self.claim(Slot(*slot), "a block of the map"));
        let mut image = vec![0; PAGE_SIZE];
        match read_block(self.read, FILE_NAME, number, kind, at, &mut image, &mut self.found.damage) {
            Ok(()) => Ok(Some(image)),
            Err(PageError::Damaged(damage)) => {
                self.found.damage.push(*damage);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn chunk(&mut self, number: u32, image: &[u8]) {
        let first = number * CHUNK_PAGES as u32;
        for (index, entry) in (0..).zip(decode_chunk(image).iter()).filter(|(_, entry)| entry.is_written()) {
            let slot = Slot(entry.slot);
            self.claim(slot, "a page");
            self.found.pages.push(PagePlace(Expected {
                page: PageNo(first + index),
                tree: TreeNo(entry.tree),
                slot,
                crc: entry.crc,
                generation: entry.generation,
            }));
        }
    }

    fn claim(&mut self, slot: Slot, what: &str) {
        let (word, bit) = (slot.0 as usize / 64, 1 << (slot.0 % 64));
        let complaint = if u64::from(slot.0) >= self.slots {
            "behind the file's end: it was cut"
        } else if slot.0 < SUPERBLOCK_SLOTS || self.used[word] & bit != 0 {
            "where something else lies"
        } else {
            self.used[word] |= bit;
            return;
        };
        self.found.contradictions.push((slot.offset(), format!("the map puts {what} {complaint}")));
    }
}
