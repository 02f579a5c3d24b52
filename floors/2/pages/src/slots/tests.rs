//! Taking and giving back slots.

use super::*;
use platform::file::OpenMode;
use platform::sim::{Disk, Faults, Rng};
use std::collections::BTreeSet;

fn page_file(disk: &Disk) -> PageFile {
    let file = disk.dir().open("f", OpenMode::CREATE).unwrap();
    file.preallocate(0, 20 * PAGE_SIZE as u64).unwrap();
    PageFile::new(file.clone(), file, 0, 40 * PAGE_SIZE as u64).unwrap()
}

#[test]
fn no_slot_is_given_out_twice() {
    let file = page_file(&Disk::new(1));
    let tally = Tally::new();
    let mut rng = Rng::new(1);
    let mut taken: BTreeSet<Slot> = BTreeSet::new();
    for _ in 0..2000 {
        if rng.one_in(3) {
            let back: Vec<Slot> = taken.iter().copied().filter(|_| rng.one_in(3)).collect();
            back.iter().for_each(|slot| assert!(taken.remove(slot)));
            file.release_all(&back);
        } else {
            for slot in file.take(rng.below(12) as usize, &tally).unwrap() {
                assert!(slot.0 >= SUPERBLOCK_SLOTS && slot.0 < file.slot_count());
                assert!(taken.insert(slot), "{slot:?} is in use");
            }
        }
        assert_eq!(file.free_slots() as usize, file.slot_count() as usize - 4 - taken.len());
    }
    assert!(tally.sums().growths > 2);
}

#[test]
fn fresh_space_is_given_out_in_order() {
    let file = page_file(&Disk::new(1));
    let slots = file.take(40, &Tally::new()).unwrap();
    assert!(slots.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1), "{slots:?}");
}

#[test]
fn growth_doubles_up_to_its_limit() {
    let disk = Disk::new(1);
    let file = page_file(&disk);
    let tally = Tally::new();
    let mut sizes = vec![file.slot_count()];
    while file.slot_count() < 200 {
        file.take(1, &tally).unwrap();
        if sizes.last() != Some(&file.slot_count()) {
            sizes.push(file.slot_count());
        }
    }
    assert_eq!(sizes, [20, 40, 80, 120, 160, 200]);
}

#[test]
fn without_room_nothing_is_taken() {
    let disk = Disk::new(1);
    let file = page_file(&disk);
    disk.set_faults(Faults { capacity: Some(30 * PAGE_SIZE as u64), ..Faults::default() });
    let before = file.free_slots();
    let size = 20 * PAGE_SIZE as u64;
    assert!(matches!(file.take(17, &Tally::new()), Err(PageError::NoSpace { bytes, .. }) if bytes == size));
    assert_eq!(file.free_slots(), before);
    assert_eq!(file.take_some(17, &Tally::new()).unwrap().len(), 16);
    assert!(matches!(file.take_some(1, &Tally::new()), Err(PageError::NoSpace { .. })));
    // Twenty slots are due, sixteen are the least.
    disk.set_faults(Faults { capacity: Some(37 * PAGE_SIZE as u64), ..Faults::default() });
    assert_eq!(file.take(10, &Tally::new()).unwrap().len(), 10);
    assert_eq!(file.slot_count(), 36);
}

/// Two files that grow side by side on one file system stay in few pieces.
#[test]
fn growth_by_large_pieces_does_not_fragment() {
    let temp = tempfile::tempdir().unwrap();
    let dir = platform::file::RealDir::new(temp.path(), false).unwrap();
    let open = |name| {
        use platform::file::Dir;
        let file = dir.open(name, OpenMode::CREATE).unwrap();
        PageFile::new(file.clone(), file, 64 << 20, 1 << 30).unwrap()
    };
    let files = [open("a"), open("b")];
    let tally = Tally::new();
    while files[0].slot_count() < 16_384 {
        for file in &files {
            let free = file.free_slots() as usize;
            match file.take(free + 1, &tally) {
                Ok(_) => {}
                // A small disk shows nothing.
                Err(PageError::NoSpace { .. }) => return,
                Err(error) => panic!("{error}"),
            }
        }
    }
    for file in &files {
        // What the file system answers depends on its own free space: 256 MiB in three growths.
        if let Ok(Some(extents)) = file.file.extent_count() {
            assert!(extents <= 12, "{extents} extents for 256 MiB");
        }
    }
}
