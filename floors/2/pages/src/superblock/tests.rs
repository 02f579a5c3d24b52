//! Superblock copies, and the choice among them.

use super::*;
use platform::sim::Rng;

fn superblock(sequence: u64) -> Superblock {
    let root = BlockRef { slots: [7, 9], crc: 0x1234_5678, generation: 3 };
    Superblock { sequence, generation: sequence + 10, roots: vec![root; 5], meta: b"position".to_vec() }
}

/// `Some(sequence)` for a valid copy, in the order of slots.
fn copies(of: [Option<u64>; 4]) -> [Result<Superblock, Wrong>; 4] {
    of.map(|sequence| sequence.map(superblock).ok_or(Wrong::Short { bytes: 0 }))
}

#[test]
fn a_copy_decodes_to_what_was_encoded() {
    for sequence in 0..4 {
        for copy in 0..2 {
            let slot = slot_of(sequence, copy);
            let image = superblock(sequence).encode(copy);
            assert_eq!(Superblock::decode(&image, slot), Ok(superblock(sequence)));
            assert!(Superblock::decode(&image, Slot(slot.0 ^ 2)).is_err(), "a copy in its twin's place");
            assert!(Superblock::decode(&image, Slot(slot.0 ^ 1)).is_err(), "a copy in the other place");
        }
    }
    let full =
        Superblock { roots: vec![BlockRef::default(); ROOTS_MAX], meta: vec![7; META_MAX], ..superblock(1) };
    assert_eq!(Superblock::decode(&full.encode(0), slot_of(1, 0)), Ok(full));
}

/// The table of `docs/on-disk-format.md`.
#[test]
fn every_case_of_the_table_is_decided() {
    let chosen = |of| choose(&copies(of)).map(|superblock| superblock.sequence).ok();
    // Slots: place 0 copy 0, place 1 copy 0, place 0 copy 1, place 1 copy 1. 8 is the newest complete one.
    let cases = [
        ([Some(8), Some(7), Some(8), Some(7)], Some(8)), // at rest
        ([Some(8), None, Some(8), Some(7)], Some(8)),    // 9: first copy torn
        ([Some(8), Some(9), Some(8), Some(7)], Some(9)), // 9: first copy written, second not begun
        ([Some(8), Some(9), Some(8), None], Some(9)),    // 9: second copy torn
        ([Some(8), Some(9), Some(8), Some(9)], Some(9)), // 9 complete
        ([None, Some(7), Some(8), Some(7)], Some(8)),    // rot in the newest, first copy
        ([Some(8), Some(7), None, Some(7)], Some(8)),    // rot in the newest, second copy
        ([Some(8), Some(7), Some(8), None], Some(8)),    // rot in the older one
        ([None, Some(7), None, Some(7)], None),          // both copies of one place: 8 may have been there
        ([Some(8), None, Some(8), None], None),          // both copies of the other: 9 may have been there
        ([None; 4], None),                               // no page file
    ];
    for (of, expected) in cases {
        assert_eq!(chosen(of), expected, "{of:?}");
    }
}

/// Any changed byte is noticed; any bytes at all are judged without a panic, also when their checksum is right.
#[test]
fn changed_copies_do_not_pass() {
    let slot = slot_of(3, 1);
    let good = superblock(3).encode(1);
    let mut rng = Rng::new(1);
    let mut accepted = 0;
    for round in 0..20_000 {
        let mut image = good.clone();
        let at = if round % 2 == 0 { rng.below(80) } else { rng.below(PAGE_SIZE as u64) } as usize;
        image[at] ^= 1 + rng.below(255) as u8;
        assert!(Superblock::decode(&image, slot).is_err(), "byte {at}");
        let crc = checksum::crc32c(&image[4..]);
        image[..4].copy_from_slice(&crc.to_le_bytes());
        if let Ok(decoded) = Superblock::decode(&image, slot) {
            assert!(decoded.roots.len() <= ROOTS_MAX && decoded.meta.len() <= META_MAX);
            accepted += 1;
        }
    }
    assert!(accepted > 1000);
    for len in [0, 3, 63, PAGE_SIZE - 1] {
        assert_eq!(Superblock::decode(&good[..len], slot), Err(Wrong::Short { bytes: len }));
    }
}
