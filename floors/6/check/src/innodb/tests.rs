//! The formats of servers that are not at hand, built by their formulas: MySQL's, and those of old.

use super::bytes::{be32, is_zero};
use super::detect::detect;
use super::diagnose::diagnose;
use super::extents::is_used;
use super::header::{AT_LSN, AT_NUMBER, AT_SPACE, AT_TYPE, kind};
use super::judge::{Flaw, Sound, Space, judge};
use super::layout::Layout;
use super::rewrite::new_sums;
use super::sums::{self, Algorithm, NO_SUM, fold, fold_step, unfold_step};
use crate::finding::Kind;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

const SPACE: u32 = 23;

fn put(page: &mut [u8], at: usize, value: u32) {
    page[at..at + 4].copy_from_slice(&value.to_be_bytes());
}

fn space(layout: Layout) -> Space {
    Space { layout, id: SPACE, has_crypt_data: false, lsn_limit: 1 << 40 }
}

fn layout(flags: u32) -> Layout {
    Layout::decode(flags).expect("flags")
}

/// An index page with a body that repeats nowhere, without its sums.
fn body(size: usize, number: u32, is_zip: bool) -> Vec<u8> {
    let mut state = number;
    let mut page: Vec<u8> = (0..size)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    put(&mut page, AT_NUMBER, number);
    put(&mut page, AT_LSN, 3);
    put(&mut page, AT_LSN + 4, 0x1234_5678);
    page[AT_TYPE..AT_TYPE + 2].copy_from_slice(&kind::INDEX.to_be_bytes());
    page[26..34].fill(0);
    put(&mut page, AT_SPACE, SPACE);
    if !is_zip {
        put(&mut page, size - 4, 0x1234_5678);
    }
    page
}

/// Gives the page the sums of an algorithm.
fn seal(page: &mut [u8], layout: Layout, algorithm: Algorithm) {
    if layout.full_crc32 {
        put(page, 0, 0);
        put(page, page.len() - 8, 0x1234_5678);
    }
    for (at, sum) in new_sums(&space(layout), page, algorithm) {
        put(page, at, sum);
    }
}

/// Every layout with every algorithm that it can have.
fn combinations() -> Vec<(Layout, Algorithm)> {
    let classic = [Algorithm::Crc32, Algorithm::Innodb, Algorithm::None];
    let all = Layout::all().flat_map(|layout| {
        let algorithms = if layout.full_crc32 { &[Algorithm::FullCrc32][..] } else { &classic[..] };
        algorithms.iter().map(move |algorithm| (layout, *algorithm))
    });
    all.collect()
}

#[test]
fn published_values() {
    // Each computed by hand from the formulas in the module's head.
    assert_eq!(fold(b""), 0);
    assert_eq!(fold_step(0, 0), (1_653_893_711_u32 << 8) ^ 1_463_735_687);
    let mut page = vec![0; 16384];
    page[38..47].copy_from_slice(b"123456789");
    let zeros = checksum::crc32c(&[0; 22]);
    assert_eq!(sums::crc(&page), zeros ^ checksum::crc32c(&page[38..16376]));
    let mut zip = vec![0; 1024];
    zip[4] = 1;
    // One in the first of 12 + 2 + 990 bytes: low half 1, high half its count from there on.
    assert_eq!(sums::zip_adler(&zip), (12 + 2 + 990) << 16 | 1);
}

#[test]
fn the_fold_runs_backwards() {
    let mut state = 1;
    for n in 0..100_000_u32 {
        let byte = (n.wrapping_mul(2_654_435_761) >> 24) as u8;
        let after = fold_step(state, byte);
        assert_eq!(unfold_step(after, byte), state);
        state = after;
    }
}

#[test]
fn every_layout_and_algorithm_is_sound_and_any_flip_is_found() {
    for (layout, algorithm) in combinations() {
        let space = space(layout);
        let mut page = body(layout.physical(), 5, layout.zip.is_some());
        seal(&mut page, layout, algorithm);
        assert_eq!(judge(&space, &page, 5), Ok(Sound::Summed(algorithm)), "{layout} {algorithm:?}");
        assert_eq!(judge(&space, &page, 6), Err(Flaw::Number));
        assert!(judge(&Space { id: 1, ..space }, &page, 5).is_err());
        if algorithm == Algorithm::None {
            continue;
        }
        for byte in [0, 1, 7, 22, 25, 40, 777, page.len() / 2, page.len() - 9, page.len() - 1] {
            // The LSN of a compressed page is not summed.
            if layout.zip.is_some() && (16..24).contains(&byte) {
                continue;
            }
            let mut other = page.clone();
            other[byte] ^= 16;
            let flaw = judge(&space, &other, 5).expect_err("a flip is found");
            let found = diagnose(&space, &other, 5, flaw, algorithm, true);
            assert_eq!(found.kind, Kind::BitFlip, "{layout} {algorithm:?} byte {byte}: {}", found.text);
        }
    }
}

#[test]
fn two_ends_and_zeros_tell_of_torn_pages() {
    let layout = layout(0);
    let space = space(layout);
    let mut page = body(16384, 9, false);
    seal(&mut page, layout, Algorithm::Crc32);
    let kind_of = |page: &[u8]| {
        let flaw = judge(&space, page, 9).expect_err("damaged");
        diagnose(&space, page, 9, flaw, Algorithm::Crc32, true).kind
    };
    let with = |change: &dyn Fn(&mut [u8])| {
        let mut copy = page.clone();
        change(&mut copy);
        kind_of(&copy)
    };
    let mut newer = body(16384, 9, false);
    newer[5000..6000].fill(7);
    put(&mut newer, AT_LSN + 4, 0x1299_5678);
    put(&mut newer, 16380, 0x1299_5678);
    seal(&mut newer, layout, Algorithm::Crc32);
    assert_eq!(with(&|page| page[..8192].copy_from_slice(&newer[..8192])), Kind::Torn);
    assert_eq!(with(&|page| page[512..].fill(0)), Kind::Torn);
    assert_eq!(with(&|page| page[..1024].fill(0)), Kind::Zeroed);
    assert_eq!(with(&|page| page[300..340].fill(9)), Kind::Content);
    // Fields that a server of before 2004 wrote, which zeroed sectors look like: not taken for good.
    let both = |page: &mut [u8]| {
        page[..512].fill(0);
        page[15872..].fill(0);
        put(page, AT_NUMBER, 9);
        put(page, AT_SPACE, SPACE);
    };
    assert_ne!(with(&both), Kind::Misdirected);
    let mut empty = vec![0; 16384];
    empty[5000] = 16;
    assert_eq!(kind_of(&empty), Kind::BitFlip, "a page that was never written");
    let late = Space { lsn_limit: 5, ..space };
    assert_eq!(judge(&late, &page, 9), Err(Flaw::Future));
    assert_eq!(diagnose(&late, &page, 9, Flaw::Future, Algorithm::Crc32, true).kind, Kind::Stale);
}

#[test]
fn mysqls_compressed_pages_are_decompressed_and_its_encrypted_ones_left() {
    let mut whole = body(16384, 4, false);
    whole[200..16000].fill(b'x');
    seal(&mut whole, layout(0x21), Algorithm::Crc32);
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&whole[38..]).expect("compress");
    let stream = encoder.finish().expect("compress");
    let mut page = whole[..38].to_vec();
    page[26] = 1;
    page[27] = 1;
    page[28..30].copy_from_slice(&kind::INDEX.to_be_bytes());
    page[30..32].copy_from_slice(&(16384_u16 - 38).to_be_bytes());
    page[32..34].copy_from_slice(&(stream.len() as u16).to_be_bytes());
    page[AT_TYPE..AT_TYPE + 2].copy_from_slice(&kind::MYSQL_COMPRESSED.to_be_bytes());
    page.extend_from_slice(&stream);
    page.resize(16384, 0);
    let plain = space(layout(0x21));
    assert_eq!(judge(&plain, &page, 4), Ok(Sound::Decompressed(Algorithm::Crc32)));
    for byte in [0, 20, 27, 31, 40, 38 + stream.len() - 1] {
        let mut other = page.clone();
        other[byte] ^= 64;
        assert!(judge(&plain, &other, 4).is_err(), "byte {byte}");
    }
    let encrypted = space(layout(0x2021));
    assert!(encrypted.layout.mysql_encrypted);
    let mut page = body(16384, 4, false);
    page[AT_TYPE..AT_TYPE + 2].copy_from_slice(&15_u16.to_be_bytes());
    assert_eq!(judge(&encrypted, &page, 4), Ok(Sound::Opaque));
    assert_eq!(judge(&encrypted, &page, 3), Err(Flaw::Number));
    assert!(judge(&plain, &page, 4).is_err());
}

/// A small tablespace: page 0 with flags, then pages of an index.
fn tablespace(flags: u32, algorithm: Algorithm) -> Vec<u8> {
    let layout = layout(flags);
    let size = layout.physical();
    let mut file = Vec::new();
    for number in 0..8 {
        let mut page = body(size, number, layout.zip.is_some());
        if number == 0 {
            page[AT_TYPE..AT_TYPE + 2].copy_from_slice(&kind::FIRST.to_be_bytes());
            put(&mut page, 38, SPACE);
            put(&mut page, 46, 8);
            put(&mut page, 54, flags);
        }
        seal(&mut page, layout, algorithm);
        file.extend_from_slice(&page);
    }
    file
}

#[test]
fn a_file_is_known_by_its_first_page_or_by_the_others() {
    // MySQL 5.1: no flags at all; 8.0: SDI; MariaDB; with page sizes and compressed ones.
    let cases = [
        (0, Algorithm::Innodb),
        (0, Algorithm::None),
        (0x4021, Algorithm::Crc32),
        (0x21 | 3 << 6, Algorithm::Crc32),
        (0x21 | 7 << 6, Algorithm::Innodb),
        (0x29, Algorithm::Crc32),
        (0x23, Algorithm::Innodb),
        (0x15, Algorithm::FullCrc32),
        (0x13, Algorithm::FullCrc32),
        (0x17, Algorithm::FullCrc32),
    ];
    for (flags, algorithm) in cases {
        let mut file = tablespace(flags, algorithm);
        let known = detect(&file).expect("a tablespace");
        assert!(known.by_first_page && known.space.id == SPACE && known.first == 0, "{flags:x}");
        assert_eq!(known.space.layout, layout(flags));
        if algorithm == Algorithm::None {
            continue;
        }
        // Flags of another size, and a first page of zeros.
        for damage in [0..64, 0..layout(flags).physical()] {
            file[damage].fill(0);
            let guessed = detect(&file).expect("a tablespace still");
            assert!(!guessed.by_first_page && guessed.space.id == SPACE, "{flags:x}");
            assert_eq!(guessed.space.layout.physical(), layout(flags).physical());
        }
    }
    assert!(detect(&[]).is_none());
    assert!(detect(&vec![0; 1 << 20]).is_none());
    assert!(detect(&vec![0xFF; 100_000]).is_none());
}

#[test]
fn impossible_flags_are_refused() {
    for flags in
        [2, 0x20, 0x21 | 6 << 1, 0x21 | 1 << 6, 0x21 | 8 << 6, 1 << 17, 1 << 31, 0x12, 0x18, 0xF5, 0x115]
    {
        assert_eq!(Layout::decode(flags), None, "{flags:x}");
    }
    assert_eq!(layout(0x29).crypt_data_at() % 2, 0);
    // As seen in files of MariaDB.
    let places = [(0x21, 10428), (0x21 | 3 << 6, 1596), (0x21 | 7 << 6, 41148), (0x27, 2748)];
    for (flags, at) in places {
        assert_eq!(layout(flags).crypt_data_at(), at, "{flags:x}");
    }
}

#[test]
fn descriptors_say_which_pages_are_used() {
    let layout = layout(0);
    let space = space(layout);
    let mut page = vec![0; 16384];
    page[AT_TYPE..AT_TYPE + 2].copy_from_slice(&kind::FIRST.to_be_bytes());
    put(&mut page, AT_SPACE, SPACE);
    put(&mut page, AT_LSN + 4, 5);
    put(&mut page, 16380, 5);
    // The second extent belongs to a segment; all its pages but the third are free.
    let at = 150 + 40;
    put(&mut page, at + 20, 4);
    page[at + 24..at + 40].fill(0xFF);
    page[at + 24] = 0b1100_1111 | 0b0010_0000;
    seal(&mut page, layout, Algorithm::Crc32);
    assert!(is_used(&space, &page, 64 + 2));
    assert!(!is_used(&space, &page, 64 + 1) && !is_used(&space, &page, 64 + 3));
    assert!(!is_used(&space, &page, 2), "its extent is not in use");
    page[9000] ^= 1;
    assert!(!is_used(&space, &page, 64 + 2), "a damaged page says nothing");
}

/// Bytes of any kind, under any layout: an answer, never a panic.
#[test]
fn any_bytes_are_judged() {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for layout in Layout::all() {
        for round in 0..40 {
            let mut page: Vec<u8> = (0..layout.physical()).map(|_| next() as u8).collect();
            if round % 2 == 0 {
                // Types that lead into every branch.
                let kinds = [14, 15, 16, 17, 0x8001, 0x803F, 0x8000, 34354, 37401, 17855];
                let kind: u16 = kinds[next() as usize % kinds.len()];
                page[AT_TYPE..AT_TYPE + 2].copy_from_slice(&kind.to_be_bytes());
                put(&mut page, 0, NO_SUM);
            }
            let space = Space { has_crypt_data: true, ..space(layout) };
            if let Err(flaw) = judge(&space, &page, be32(&page, 4)) {
                let found = diagnose(&space, &page, 1, flaw, Algorithm::Innodb, round < 4);
                assert!(!found.text.is_empty());
            }
            assert!(!is_zero(&page));
        }
    }
}
