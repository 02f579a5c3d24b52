//! What happened to a page that is not sound, as far as its bytes tell.
//!
//! A single flipped bit is found for certain: the bits of header and trailer are tried one by one, one in the body is
//! computed (a CRC is linear; the fold of old can be run backwards). The rest is evidence: two ends of different
//! LSNs, zeros in whole sectors, another page's number.

use super::bytes::{be16, be32, be64};
use super::header::{
    AT_BODY, AT_CIPHER_SUM, AT_KEY_VERSION, AT_LSN, AT_NUMBER, AT_SPACE, AT_SUM, AT_TYPE, kind_name,
};
use super::judge::{Flaw, Sound, Space, full_size, judge, judge_sum};
use super::layout::Layout;
use super::sums::{self, Algorithm, fold_step, unfold_step};
use crate::finding::{Kind, zero_sectors};
use checksum::Crc32c;

/// A page's trailer.
const TRAILER: usize = 8;

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// What happened.
    pub kind: Kind,
    /// The sum of the bytes.
    pub expected: Option<u32>,
    /// The sum stored in them.
    pub found: Option<u32>,
    /// The evidence.
    pub text: String,
}

/// Finds out about a page that [`judge`] called `flaw`. `usual` is the algorithm of the file's other pages; without
/// `deep` no bit is searched.
#[must_use]
pub fn diagnose(
    space: &Space,
    page: &[u8],
    number: u32,
    flaw: Flaw,
    usual: Algorithm,
    deep: bool,
) -> Diagnosis {
    let (own_number, own_space) = (be32(page, AT_NUMBER), be32(page, AT_SPACE));
    let plain = |kind, text| Diagnosis { kind, expected: None, found: None, text };
    match flaw {
        Flaw::Number if own_space != space.id && !is_hidden(space, page) => {
            plain(Kind::WrongSpace, format!("a sound page, number {own_number} of tablespace {own_space}"))
        }
        Flaw::Number => {
            plain(Kind::Misdirected, format!("a sound page of this tablespace, but number {own_number}"))
        }
        Flaw::Space if is_opaque(space, page) => plain(
            Kind::WrongSpace,
            "a sound page, but compressed or encrypted, which this tablespace is not".to_owned(),
        ),
        Flaw::Space => plain(
            Kind::WrongSpace,
            format!("a sound page, but of tablespace {own_space}; the file's is {}", space.id),
        ),
        Flaw::Future => {
            let (lsn, limit) = (be64(page, AT_LSN), space.lsn_limit);
            plain(Kind::Stale, format!("changed at LSN {lsn}, newer than the end of the log, {limit}"))
        }
        Flaw::Ends => ends(space, page),
        Flaw::Sum => sum(space, page, number, usual, deep),
    }
}

/// Whether the space id cannot be read in this page.
fn is_hidden(space: &Space, page: &[u8]) -> bool {
    space.layout.full_crc32 && !matches!(judge_sum(space, page), Ok((_, true)))
}

/// Whether the body of the page is compressed or encrypted in the way of full_crc32.
fn is_opaque(space: &Space, page: &[u8]) -> bool {
    let is_compressed = full_size(page).is_none_or(|(_, is_compressed)| is_compressed);
    space.layout.full_crc32 && (is_compressed || be32(page, AT_SUM) != 0)
}

/// The sum is right, but the LSN's words at both ends differ: only the trailer can be wrong, which no classic sum
/// covers.
fn ends(space: &Space, page: &[u8]) -> Diagnosis {
    let trailer_at = if space.layout.full_crc32 { page.len() - 8 } else { page.len() - 4 };
    let (head, tail) = (be32(page, AT_LSN + 4), be32(page, trailer_at));
    let (kind, what) = match (head ^ tail).count_ones() {
        1 => (Kind::BitFlip, "one bit of the LSN at the page's end is flipped"),
        _ => (Kind::Torn, "the page's ends are of different LSNs"),
    };
    Diagnosis { kind, expected: None, found: None, text: format!("{what} ({head:08x}, {tail:08x})") }
}

fn sum(space: &Space, page: &[u8], number: u32, usual: Algorithm, deep: bool) -> Diagnosis {
    let (expected, found) = sums_of(space, page, usual);
    let diagnosis = |kind, text| Diagnosis { kind, expected: Some(expected), found: Some(found), text };
    let flips = if deep { flips(space, page, number) } else { Vec::new() };
    if !flips.is_empty() {
        return diagnosis(Kind::BitFlip, flips_text(&flips));
    }
    if let Some(layout) = other_layout(space, page) {
        let (own_number, own_space) = (be32(page, AT_NUMBER), be32(page, AT_SPACE));
        let text = format!(
            "a sound page, number {own_number} of tablespace {own_space}, of another format: {layout}"
        );
        return diagnosis(Kind::WrongSpace, text);
    }
    if let Some(zeros) = zero_sectors(page) {
        let (kind, part) = match zeros.end == page.len() {
            true => (Kind::Torn, "only the first part was written"),
            false => (Kind::Zeroed, "the first part is missing"),
        };
        return diagnosis(kind, format!("{part}: bytes {}..{} of it are zero", zeros.start, zeros.end));
    }
    if let Some((head, tail)) = different_ends(space, page) {
        let text = format!("the page's ends are of different LSNs ({head:08x}, {tail:08x})");
        return diagnosis(Kind::Torn, text);
    }
    let (own_number, own_space) = (be32(page, AT_NUMBER), be32(page, AT_SPACE));
    let is_own = own_number == number && (own_space == space.id || is_opaque(space, page));
    let text = if is_own {
        format!("the bytes of this {} page are not those that were summed", kind_name(be16(page, AT_TYPE)))
    } else {
        format!("no sum fits, and the header says page {own_number} of tablespace {own_space}")
    };
    diagnosis(Kind::Content, text)
}

/// The sum of the bytes, and the one stored.
fn sums_of(space: &Space, page: &[u8], usual: Algorithm) -> (u32, u32) {
    if space.layout.full_crc32 {
        let size = full_size(page).map_or(page.len(), |(size, _)| size);
        return (sums::full(&page[..size]), be32(page, size - 4));
    }
    let is_zip = space.layout.zip.is_some();
    if space.has_crypt_data && be32(page, AT_KEY_VERSION) != 0 {
        let sum = if is_zip { sums::zip_crc(page) } else { sums::crc(page) };
        return (sum, be32(page, AT_CIPHER_SUM));
    }
    let sum = match (usual, is_zip) {
        (Algorithm::Innodb, true) => sums::zip_adler(page),
        (Algorithm::Innodb, false) => sums::innodb_new(page),
        (_, true) => sums::zip_crc(page),
        (_, false) => sums::crc(page),
    };
    let stored = be32(page, AT_SUM);
    // Of the two that a classic page has, the one that differs.
    if stored == sum && !is_zip { (sum, be32(page, page.len() - TRAILER)) } else { (sum, stored) }
}

/// Each byte and bit whose flip alone makes the page sound.
fn flips(space: &Space, page: &[u8], number: u32) -> Vec<(usize, u8)> {
    let mut copy = page.to_vec();
    let mut sound_with = |byte: usize, bit: u8| {
        copy[byte] ^= 1 << bit;
        let judged = judge(space, &copy, number);
        copy[byte] ^= 1 << bit;
        // What has no sum says nothing.
        judged.is_ok_and(|sound| !matches!(sound, Sound::Opaque | Sound::Summed(Algorithm::None)))
    };
    let body = AT_BODY..page.len() - TRAILER;
    let edges = (0..body.start).chain(body.end..page.len());
    let mut flips: Vec<(usize, u8)> = edges
        .flat_map(|byte| (0..8).map(move |bit| (byte, bit)))
        .filter(|(a, b)| sound_with(*a, *b))
        .collect();
    let in_body = body_candidates(space, page).into_iter().chain(only_bit(page));
    flips.extend(in_body.filter(|(byte, bit)| body.contains(byte) && sound_with(*byte, *bit)));
    flips
}

/// The only bit that is set: a page that was never written has no sum that could tell.
fn only_bit(page: &[u8]) -> Option<(usize, u8)> {
    let mut set = (0..).zip(page).filter(|(_, byte)| **byte != 0);
    let (at, byte) = set.next()?;
    (byte.is_power_of_two() && set.next().is_none()).then(|| (at, byte.trailing_zeros() as u8))
}

/// Bits in the page's body that one of its sums points to.
fn body_candidates(space: &Space, page: &[u8]) -> Vec<(usize, u8)> {
    let linear = |end: usize, difference: u32| {
        let (byte, bit) = Crc32c::flipped_bit(difference, (end - AT_BODY) as u64)?;
        Some((AT_BODY + byte as usize, bit))
    };
    if space.layout.full_crc32 {
        let size = full_size(page).map_or(page.len(), |(size, _)| size);
        if size < AT_BODY + 4 {
            return Vec::new();
        }
        return linear(size - 4, sums::full(&page[..size]) ^ be32(page, size - 4)).into_iter().collect();
    }
    let stored = [be32(page, AT_SUM), be32(page, AT_CIPHER_SUM)];
    if space.layout.zip.is_some() {
        let sum = sums::zip_crc(page);
        let mut all: Vec<_> = stored.iter().filter_map(|stored| linear(page.len(), sum ^ stored)).collect();
        all.extend(adler_candidates(page));
        return all;
    }
    let sum = sums::crc(page);
    let end = page.len() - TRAILER;
    let mut all: Vec<_> = stored.iter().filter_map(|stored| linear(end, sum ^ stored)).collect();
    all.extend(fold_candidates(page));
    all
}

/// Where one flipped bit of the body makes the fold of old what it was: forwards from the start and backwards from
/// the end, the states must meet around the byte.
fn fold_candidates(page: &[u8]) -> Option<(usize, u8)> {
    // The second sum covers the header only: where it is wrong, the flip is there.
    if be32(page, page.len() - TRAILER) != sums::innodb_old(page) {
        return None;
    }
    let body = &page[AT_BODY..page.len() - TRAILER];
    let mut after = vec![0; body.len() + 1];
    after[body.len()] = be32(page, AT_SUM).wrapping_sub(sums::fold(&page[4..26]));
    for index in (0..body.len()).rev() {
        after[index] = unfold_step(after[index + 1], body[index]);
    }
    let mut state = 0;
    for (index, byte) in body.iter().enumerate() {
        for bit in 0..8 {
            if fold_step(state, byte ^ 1 << bit) == after[index + 1] {
                return Some((AT_BODY + index, bit));
            }
        }
        state = fold_step(state, *byte);
    }
    None
}

/// Where one flipped bit of a compressed page's body explains both halves of its Adler-32.
fn adler_candidates(page: &[u8]) -> Option<(usize, u8)> {
    const BASE: i64 = 65521;
    let (stored, sum) = (be32(page, AT_SUM), sums::zip_adler(page));
    let half = |sum: u32, shift: u32| i64::from(sum >> shift & 0xFFFF);
    let low = (half(stored, 0) - half(sum, 0)).rem_euclid(BASE);
    let high = (half(stored, 16) - half(sum, 16)).rem_euclid(BASE);
    for index in AT_BODY..page.len() {
        let weight = (page.len() - index) as i64;
        for bit in 0..8 {
            // Flipping it back takes away what is set, adds what is not.
            let change = if page[index] >> bit & 1 == 1 { -(1 << bit) } else { 1 << bit };
            if (change - low) % BASE == 0 && (change * weight - high) % BASE == 0 {
                return Some((index, bit));
            }
        }
    }
    None
}

fn flips_text(flips: &[(usize, u8)]) -> String {
    let name = |(byte, bit): &(usize, u8)| format!("bit {bit} of byte {byte}");
    let names: Vec<String> = flips.iter().map(name).collect();
    format!("with {} of the page flipped all is right", names.join(", or "))
}

/// The layout of the same page size under which the page's sum is right.
fn other_layout(space: &Space, page: &[u8]) -> Option<Layout> {
    let is_right = |layout: &Layout| {
        let other = Space { layout: *layout, ..*space };
        let summed = judge_sum(&other, page).is_ok_and(|(sound, _)| match sound {
            Sound::Summed(algorithm) => algorithm != Algorithm::None,
            Sound::Cipher => true,
            _ => false,
        });
        layout.physical() == page.len() && *layout != space.layout && summed
    };
    Layout::all().find(is_right)
}

/// The halves of the LSN at both ends, where both can be read and differ.
fn different_ends(space: &Space, page: &[u8]) -> Option<(u32, u32)> {
    let trailer_at = if space.layout.full_crc32 { page.len() - 8 } else { page.len() - 4 };
    if space.layout.zip.is_some() || is_opaque(space, page) {
        return None;
    }
    let (head, tail) = (be32(page, AT_LSN + 4), be32(page, trailer_at));
    (head != tail).then_some((head, tail))
}
