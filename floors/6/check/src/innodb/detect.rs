//! Is a file a tablespace, and which? By its first page; where that is damaged, by the others.

use super::bytes::{be16, be32};
use super::header::{AT_BODY, AT_NUMBER, AT_SPACE, AT_TYPE, kind};
use super::judge::{Sound, Space, judge, judge_sum};
use super::layout::Layout;
use std::collections::BTreeMap;

/// Bytes at a file's start that detection looks at.
pub const HEAD_BYTES: usize = 1 << 20;
/// Pages that are tried with each layout.
const PAGES_TRIED: usize = 64;
/// What precedes MariaDB's data about encryption on a first page.
const CRYPT_MAGIC: [u8; 6] = [0x73, 0x0E, 0x0C, 0x52, 0x45, 0x74];

/// What a file turned out to be.
#[derive(Clone, Copy, Debug)]
pub struct Detected {
    /// The tablespace.
    pub space: Space,
    /// The number of the first page in the file: not 0 in the later files of a system tablespace.
    pub first: u32,
    /// Whether the first page said so itself, and is sound.
    pub by_first_page: bool,
}

/// Looks at the first bytes of a file ([`HEAD_BYTES`] or all).
#[must_use]
pub fn detect(head: &[u8]) -> Option<Detected> {
    by_first_page(head).or_else(|| by_other_pages(head))
}

fn by_first_page(head: &[u8]) -> Option<Detected> {
    let layout = Layout::of_first_page(head)?;
    let page = head.get(..layout.physical())?;
    let id = be32(page, AT_SPACE);
    let space = Space { layout, id, has_crypt_data: has_crypt_data(page, layout), lsn_limit: u64::MAX };
    // System tablespaces made by MySQL before 5.1 have no types on their own pages.
    let is_first = (be16(page, AT_TYPE) == kind::FIRST || id == 0) && be32(page, AT_BODY) == id;
    match judge(&space, page, 0) {
        Ok(Sound::Summed(_)) if is_first => Some(Detected { space, first: 0, by_first_page: true }),
        _ => None,
    }
}

/// Whether a first page carries what MariaDB needs to decrypt the others.
fn has_crypt_data(page: &[u8], layout: Layout) -> bool {
    page.get(layout.crypt_data_at()..).is_some_and(|rest| rest.starts_with(&CRYPT_MAGIC))
}

/// The layout under which most pages are sound, if any is.
fn by_other_pages(head: &[u8]) -> Option<Detected> {
    // What the first page says counts first, even if it is damaged elsewhere.
    let layouts = Layout::of_first_page(head).into_iter().chain(Layout::all());
    let mut best: Option<(usize, Detected)> = None;
    for layout in layouts {
        let mut space = Space { layout, id: 0, has_crypt_data: true, lsn_limit: u64::MAX };
        let mut sound = 0;
        let (mut firsts, mut ids) = (Votes::default(), Votes::default());
        for (index, page) in (0..).zip(head.chunks_exact(layout.physical())).take(PAGES_TRIED) {
            let judged = judge_sum(&space, page);
            let Ok((Sound::Summed(_) | Sound::Cipher | Sound::Decompressed(_), has_space_id)) = judged else {
                continue;
            };
            sound += 1;
            firsts.cast(be32(page, AT_NUMBER).checked_sub(index));
            ids.cast(has_space_id.then(|| be32(page, AT_SPACE)));
        }
        let Some((first, count)) = firsts.winner() else { continue };
        let bytes = sound * layout.physical();
        if count * 2 < sound || best.as_ref().is_some_and(|(most, _)| bytes <= *most) {
            continue;
        }
        // Where all others are encrypted, only the first page tells, as far as it can be trusted.
        space.id = ids.winner().map_or_else(|| be32(head, AT_SPACE), |(id, _)| id);
        best = Some((bytes, Detected { space, first, by_first_page: false }));
    }
    best.map(|(_, detected)| detected)
}

/// Counts what pages say.
#[derive(Default)]
struct Votes(BTreeMap<u32, usize>);

impl Votes {
    fn cast(&mut self, vote: Option<u32>) {
        if let Some(vote) = vote {
            *self.0.entry(vote).or_default() += 1;
        }
    }

    /// What most said, and how many.
    fn winner(self) -> Option<(u32, usize)> {
        self.0.into_iter().max_by_key(|(_, count)| *count)
    }
}
