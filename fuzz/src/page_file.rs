//! A page file with damage: superblocks, map and pages, with their checksums put right again or not.

use std::sync::{Arc, OnceLock};

use checksum::crc32c;
use pages::{FILE_NAME, Kind, PAGE_SIZE, PageNo, PoolOptions, Store, TreeNo, inspect};
use platform::file::{Dir, OpenMode};
use platform::sim::Disk;

/// Slots of the file that edits reach: superblocks, map blocks and pages lie in them.
const SLOTS: usize = 40;

fn options() -> PoolOptions {
    PoolOptions { pool_bytes: 1 << 20, max_pages: 1024, extent_min: 1 << 20, ..PoolOptions::default() }
}

/// A file with two checkpoints.
fn base() -> &'static Disk {
    static BASE: OnceLock<Disk> = OnceLock::new();
    BASE.get_or_init(|| {
        let disk = Disk::new(1);
        let (store, _) = Store::create(&disk.dir(), &options()).expect("an empty disk takes a page file");
        for round in 0..2_u8 {
            for _ in 0..8 {
                store.alloc(TreeNo(1), Kind(1)).expect("room for a page").write_at(0, &[round; 100]);
            }
            let closed = store.checkpoint(|close| {
                close.close();
                b"meta".to_vec()
            });
            closed.expect("a good disk takes a checkpoint");
        }
        drop(store);
        disk
    })
}

/// Takes `data` as edits (slot, two bytes of place, count and whether to put the checksum right, bytes), opens the
/// file with them, looks through it as a checker does, reads every page and writes a checkpoint.
pub fn run(data: &[u8]) {
    let disk = base().snapshot();
    let dir = disk.dir();
    edit(&dir, data);
    look(&dir);
    let Ok((store, _)) = Store::open(&dir, &options()) else { return };
    for page in 0..64 {
        let _ = store.read(PageNo(page), |view| Ok(view.u64_at(0)));
    }
    let _ = store.verify();
    if let Ok(mut page) = store.alloc(TreeNo(2), Kind(1)) {
        page.write_at(0, b"new");
    }
    let _ = store.checkpoint(|close| {
        close.close();
        Vec::new()
    });
}

/// As a checker does: reading only, whatever is found.
fn look(dir: &Arc<dyn Dir>) {
    let file = dir.open(FILE_NAME, OpenMode::READ).expect("the file is there");
    let Ok(found) = inspect(&*file) else { return };
    let mut image = vec![0; PAGE_SIZE];
    for page in &found.pages {
        let bytes = file.read_at(&mut image, page.offset()).expect("a good disk reads");
        let _ = page.check(&image[..bytes]);
    }
}

fn edit(dir: &Arc<dyn Dir>, data: &[u8]) {
    let file = dir.open(FILE_NAME, OpenMode::WRITE).expect("the file is there");
    let mut rest = data;
    while let Some(([slot, low, high, count], after)) = rest.split_first_chunk::<4>() {
        let mut bytes = [0; PAGE_SIZE];
        let offset = (usize::from(*slot) % SLOTS * PAGE_SIZE) as u64;
        file.read_exact_at(&mut bytes, offset).expect("the file is that long");
        let at = usize::from(u16::from_le_bytes([*low, *high])) % PAGE_SIZE;
        let taken = after.len().min(usize::from(*count & 0x7F)).min(PAGE_SIZE - at);
        bytes[at..at + taken].copy_from_slice(&after[..taken]);
        if count & 0x80 != 0 {
            let sum = crc32c(&bytes[4..]);
            bytes[..4].copy_from_slice(&sum.to_le_bytes());
        }
        file.write_all_at(&bytes, offset).expect("the disk is good");
        rest = &after[taken..];
    }
}

/// Edits of each slot: a number in its header or its content, with the checksum put right.
pub fn seeds() -> Vec<Vec<u8>> {
    let edit = |slot: u8, at: u16| {
        let [low, high] = at.to_le_bytes();
        vec![slot, low, high, 0x84, 1, 0, 0, 0]
    };
    let places = [4, 8, 16, 24, 32, 40, 44, 64, 72, 80, 8256];
    (0..SLOTS as u8).flat_map(|slot| places.map(|at| edit(slot, at))).collect()
}
