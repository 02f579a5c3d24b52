//! Making and opening the page file.

use crate::buffer::Buffer;
use crate::checkpoint::DiskMap;
use crate::counters::Tally;
use crate::error::{Damage, PageError, Result};
use crate::frames::{FramePool, WordArray};
use crate::latch;
use crate::map::{CHUNK_PAGES, Chunk, Entry, Map};
use crate::mapfile::{KIND_CHUNK, KIND_ROOT, ROOT_CHUNKS, Root, decode_chunk, decode_root, read_block};
use crate::page::{PAGE_SIZE, Slot};
use crate::slots::PageFile;
use crate::store::{DirectIo, PoolOptions, Shared, Store};
use crate::superblock::{BlockRef, ROOTS_MAX, Superblock, choose, read_copies, slot_of};
use parking_lot::Mutex;
use platform::file::{Cause, Dir, File, OpenMode};
use runtime::Turn;
use runtime::WaitQueue;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, OnceLock};

/// The page file's name.
pub const FILE_NAME: &str = "penstock.data";
/// Its name while it is being made: a crash leaves no half-made page file under the real name.
const FILE_NAME_NEW: &str = "penstock.data.new";
/// Queues that tasks waiting for loads are spread over.
const LOAD_QUEUES: usize = 64;
/// Most page numbers that the map's three levels reach.
const PAGES_MAX: u32 = (ROOTS_MAX * ROOT_CHUNKS * CHUNK_PAGES) as u32;

const _: () = assert!(ROOTS_MAX * ROOT_CHUNKS * CHUNK_PAGES < 1 << 32 && PAGES_MAX > 1 << 28);

/// What was found in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenReport {
    /// The generation of the checkpoint found.
    pub generation: u64,
    /// The `meta` given to that checkpoint; empty in a new file.
    pub meta: Vec<u8>,
    /// Damage found and healed from second copies; also in [`Store::take_damage`].
    pub damage: Vec<Damage>,
}

impl Store {
    /// Whether the directory holds a page file.
    pub fn exists(dir: &dyn Dir) -> Result<bool> {
        dir.exists(FILE_NAME).map_err(|error| io_error("look for", error))
    }

    /// Makes a page file in `dir`, which must not hold one, and opens it.
    pub fn create(dir: &Arc<dyn Dir>, options: &PoolOptions) -> Result<(Store, OpenReport)> {
        if Store::exists(&**dir)? {
            return Err(unusable("it exists already"));
        }
        let making = |verb| move |error: io::Error| no_space_or(verb, error);
        if dir.exists(FILE_NAME_NEW).map_err(making("look for"))? {
            dir.remove(FILE_NAME_NEW).map_err(making("remove"))?;
        }
        let file = dir.open(FILE_NAME_NEW, OpenMode::NEW).map_err(making("create"))?;
        let unit = PAGE_SIZE as u64;
        let piece = options.extent_min.max(16 * unit).next_multiple_of(unit);
        file.preallocate(0, piece).map_err(making("grow"))?;
        for sequence in 0..2 {
            let superblock = Superblock { sequence, generation: sequence, ..Superblock::default() };
            for copy in 0..2 {
                let slot = slot_of(sequence, copy);
                file.write_all_at(&superblock.encode(copy), slot.offset()).map_err(making("write"))?;
            }
        }
        file.sync_data().map_err(making("force"))?;
        drop(file);
        dir.rename(FILE_NAME_NEW, FILE_NAME).map_err(making("rename"))?;
        dir.sync().map_err(making("force the directory of"))?;
        Store::open(dir, options)
    }

    /// Opens the page file in `dir` at its newest checkpoint.
    pub fn open(dir: &Arc<dyn Dir>, options: &PoolOptions) -> Result<(Store, OpenReport)> {
        let opened = |direct| open_file(&**dir, direct).map_err(|error| io_error("open", error));
        let file = opened(options.direct == DirectIo::All)?;
        let runs = opened(options.direct != DirectIo::Off)?;
        // A superblock that the kernel still holds in memory after a killed process must not be trusted before it is
        // forced: slots that only its predecessor needs are about to be written over.
        runtime::io::sync_data(&*file).map_err(|error| io_error("force", error))?;
        let mut damage = Vec::new();
        let superblock = read_superblocks(&*file, &mut damage)?;
        let file = PageFile::new(file, runs, options.extent_min, options.extent_max)?;
        let mut disk = DiskMap { sequence: superblock.sequence, ..DiskMap::default() };
        let max_pages = options.max_pages.clamp(1024, PAGES_MAX);
        let chunks = read_map(&file, &superblock.roots, max_pages, &mut disk, &mut damage)?;
        let map = Map::from_chunks(chunks, superblock.generation + 1, max_pages);
        check_map(&file, &map, max_pages)?;
        let shared = new_shared(file, map, disk, max_pages, options)
            .map_err(|error| io_error("map memory for the pool of", error))?;
        damage.iter().for_each(|damage| shared.note_damage(damage.clone()));
        let Superblock { generation, meta, .. } = superblock;
        Ok((Store { shared: Arc::new(shared) }, OpenReport { generation, meta, damage }))
    }

    /// A store whose file lives on a simulated disk in memory: for tests of the rooms above.
    pub fn in_memory(options: &PoolOptions) -> Result<Store> {
        let options = PoolOptions { extent_min: 1 << 20, ..options.clone() };
        Ok(Store::create(&platform::sim::Disk::new(0).dir(), &options)?.0)
    }
}

/// The page file, round the page cache if that is wanted and possible.
fn open_file(dir: &dyn Dir, direct: bool) -> io::Result<Arc<dyn File>> {
    match dir.open(FILE_NAME, OpenMode::WRITE.direct(direct)) {
        Err(error) if direct && error.kind() == io::ErrorKind::InvalidInput => {
            dir.open(FILE_NAME, OpenMode::WRITE)
        }
        opened => opened,
    }
}

fn new_shared(
    file: PageFile,
    map: Map,
    disk: DiskMap,
    max_pages: u32,
    options: &PoolOptions,
) -> io::Result<Shared> {
    let frames = (options.pool_bytes / PAGE_SIZE as u64).clamp(16, latch::FRAMES_MAX - 1);
    Ok(Shared {
        page_words: WordArray::new(max_pages as usize, false, options.interleave)?,
        frames: FramePool::new(frames as u32, options.interleave)?,
        open: AtomicU64::new(map.open),
        map: Mutex::new(map),
        file,
        loads: (0..LOAD_QUEUES).map(|_| WaitQueue::new()).collect(),
        loading: AtomicU32::new(0),
        room: WaitQueue::new(),
        hand: Mutex::new(0),
        evictors: AtomicUsize::new(0),
        checkpoint_turn: Turn::new(),
        disk: Mutex::new(disk),
        capturing: AtomicU64::new(0),
        copies: Mutex::new(BTreeMap::new()),
        copies_len: AtomicUsize::new(0),
        copies_gone: WaitQueue::new(),
        damage: Mutex::new(Vec::new()),
        poison: OnceLock::new(),
        tally: Tally::new(),
    })
}

/// Reads the four copies, chooses, and makes damaged copies good from their twins.
fn read_superblocks(file: &dyn File, damage: &mut Vec<Damage>) -> Result<Superblock> {
    let read = |slot: Slot, into: &mut [u8]| {
        runtime::io::read_at(file, into, slot.offset()).map_err(|error| io_error("read", error))
    };
    let copies = read_copies(&mut Buffer::new(1), read, damage)?;
    let newest = choose(&copies).map_err(unusable)?.clone();
    for place in 0..2 {
        let (bad, copy, good) = match (&copies[place], &copies[place + 2]) {
            (Err(_), Ok(good)) => (place, 0, good),
            (Ok(good), Err(_)) => (place + 2, 1, good),
            _ => continue,
        };
        runtime::io::write_all_at(file, &Buffer::of(&good.encode(copy)), Slot(bad as u32).offset())
            .and_then(|()| runtime::io::sync_data(file))
            .map_err(|error| io_error("mend a superblock of", error))?;
    }
    Ok(newest)
}

/// Reads all roots and chunks, and claims their slots.
fn read_map(
    file: &PageFile,
    root_refs: &[BlockRef],
    max_pages: u32,
    disk: &mut DiskMap,
    damage: &mut Vec<Damage>,
) -> Result<Vec<Box<Chunk>>> {
    let read = |slot: Slot, into: &mut [u8]| file.read(slot, into);
    let mut chunks: Vec<Box<Chunk>> = Vec::new();
    let mut image = vec![0; PAGE_SIZE];
    for (number, at) in root_refs.iter().enumerate() {
        let mut root: Box<Root> = Box::new([BlockRef::default(); ROOT_CHUNKS]);
        let first_chunk = number * ROOT_CHUNKS;
        if !at.is_none() {
            let before = damage.len();
            claim_block(file, at)?;
            read_block(&read, FILE_NAME, number as u32, KIND_ROOT, at, &mut image, damage)?;
            root = decode_root(&image);
            if damage.len() > before {
                // Writing any of its chunks writes the root anew.
                disk.heal.insert(first_chunk as u32);
            }
        }
        for (index, at) in root.iter().enumerate().filter(|(_, at)| !at.is_none()) {
            let chunk = first_chunk + index;
            if chunk * CHUNK_PAGES >= max_pages as usize {
                return Err(unusable(format!("it holds more than the {max_pages} page numbers configured")));
            }
            let before = damage.len();
            claim_block(file, at)?;
            read_block(&read, FILE_NAME, chunk as u32, KIND_CHUNK, at, &mut image, damage)?;
            chunks.resize_with(chunk, || Box::new([Entry::FREE; CHUNK_PAGES]));
            chunks.push(decode_chunk(&image));
            if damage.len() > before {
                disk.heal.insert(chunk as u32);
            }
        }
        disk.roots.push((*at, root));
    }
    Ok(chunks)
}

fn claim_block(file: &PageFile, at: &BlockRef) -> Result<()> {
    match at.slots.iter().find(|&&slot| !file.claim(Slot(slot))) {
        None => Ok(()),
        Some(slot) => {
            Err(unusable(format!("a map block's slot {slot} is used twice or beyond the file's end")))
        }
    }
}

/// Claims the slots of all pages. Checks what the rest of the room relies on.
fn check_map(file: &PageFile, map: &Map, max_pages: u32) -> Result<()> {
    for (page, entry) in map.entries() {
        if page.0 == 0 || page.0 >= max_pages {
            return Err(unusable(format!(
                "page {page} is outside of the {max_pages} page numbers configured"
            )));
        }
        let slot = Slot(entry.slot);
        if slot == Slot::NONE || slot.0 >= file.slot_count() {
            return Err(unusable(format!(
                "page {page} belongs at byte {}, outside of the file's {} slots: the file has been cut",
                slot.offset(),
                file.slot_count()
            )));
        }
        if !file.claim(slot) {
            return Err(unusable(format!("page {page} lies at byte {}, which is used twice", slot.offset())));
        }
    }
    Ok(())
}

fn unusable(reason: impl Into<String>) -> PageError {
    PageError::Unusable { file: FILE_NAME.to_owned(), reason: reason.into() }
}

fn io_error(verb: &'static str, source: io::Error) -> PageError {
    PageError::Io { verb, file: FILE_NAME.to_owned(), offset: 0, source }
}

fn no_space_or(verb: &'static str, error: io::Error) -> PageError {
    if Cause::of(&error) == Cause::NoSpace {
        return PageError::NoSpace { file: FILE_NAME.to_owned(), bytes: 0 };
    }
    io_error(verb, error)
}
