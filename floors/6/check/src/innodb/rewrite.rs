//! New sums for pages of a tablespace that nobody has open: for what was changed on purpose, or to be read by a server that
//! wants another algorithm. Nothing else of a page changes; what was damaged stays so, only nobody can tell any more.

use super::bytes::be32;
use super::detect::Detected;
use super::header::{AT_CIPHER_SUM, AT_KEY_VERSION, AT_NUMBER, AT_SPACE, AT_SUM};
use super::judge::{Flaw, Sound, Space, full_size, judge};
use super::sums::{self, Algorithm, NO_SUM};
use platform::file::File;
use std::io;

/// What was done to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Pages that were looked at.
    pub pages: u64,
    /// Pages that got new sums.
    pub rewritten: u64,
    /// Pages that are not sound and were left: of another place, another tablespace, or of no known form.
    pub left: u64,
}

/// Gives pages new sums: those without a right one, by the algorithm `to` or that of the other pages; with `to` also
/// those of another algorithm. The caller has locked the file. Forced when it returns.
pub(crate) fn rewrite(
    file: &dyn File,
    len: u64,
    detected: &Detected,
    to: Option<Algorithm>,
) -> io::Result<Counts> {
    let to = match to {
        Some(to) => (to, true),
        None => (usual(file, len, detected)?, false),
    };
    let space = &detected.space;
    let mut counts = Counts::default();
    each_page(file, len, detected, |at, number, page| {
        counts.pages += 1;
        // The space id of an encrypted page in full_crc32 is not for us to read.
        let is_own =
            be32(page, AT_NUMBER) == number && (be32(page, AT_SPACE) == space.id || space.layout.full_crc32);
        let wants = match judge(space, page, number) {
            Ok(Sound::Summed(algorithm)) => to.1 && algorithm != to.0,
            Ok(_) => false,
            Err(Flaw::Sum) if is_own => true,
            Err(_) => {
                counts.left += 1;
                false
            }
        };
        if !wants {
            return Ok(());
        }
        let sums = new_sums(space, page, to.0);
        for (place, sum) in &sums {
            file.write_all_at(&sum.to_be_bytes(), at + *place as u64)?;
        }
        if sums.is_empty() {
            counts.left += 1
        } else {
            counts.rewritten += 1
        }
        Ok(())
    })?;
    file.sync_data()?;
    Ok(counts)
}

/// The algorithm of most pages.
fn usual(file: &dyn File, len: u64, detected: &Detected) -> io::Result<Algorithm> {
    let mut seen = [0_u64; Algorithm::ALL.len()];
    each_page(file, len, detected, |_, number, page| {
        if let Ok(Sound::Summed(algorithm)) = judge(&detected.space, page, number) {
            seen[algorithm as usize] += 1;
        }
        Ok(())
    })?;
    let default = if detected.space.layout.full_crc32 { Algorithm::FullCrc32 } else { Algorithm::Crc32 };
    let most = Algorithm::ALL.into_iter().max_by_key(|algorithm| seen[*algorithm as usize]);
    Ok(most.filter(|most| seen[*most as usize] > 0).unwrap_or(default))
}

fn each_page(
    file: &dyn File,
    len: u64,
    detected: &Detected,
    mut visit: impl FnMut(u64, u32, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut page = vec![0; detected.space.layout.physical()];
    let size = page.len() as u64;
    for index in 0..len / size {
        file.read_exact_at(&mut page, index * size)?;
        visit(index * size, detected.first.wrapping_add(index as u32), &page)?;
    }
    Ok(())
}

/// The sums that the page should have, and where; none where it has no place for one.
pub(super) fn new_sums(space: &Space, page: &[u8], algorithm: Algorithm) -> Vec<(usize, u32)> {
    if space.layout.full_crc32 {
        let size = full_size(page).map(|(size, _)| size);
        return size.map(|size| (size - 4, sums::full(&page[..size]))).into_iter().collect();
    }
    let is_zip = space.layout.zip.is_some();
    if space.has_crypt_data && be32(page, AT_KEY_VERSION) != 0 {
        return vec![(AT_CIPHER_SUM, if is_zip { sums::zip_crc(page) } else { sums::crc(page) })];
    }
    let second = page.len() - 8;
    match (algorithm, is_zip) {
        (Algorithm::Crc32 | Algorithm::FullCrc32, true) => vec![(AT_SUM, sums::zip_crc(page))],
        (Algorithm::Innodb, true) => vec![(AT_SUM, sums::zip_adler(page))],
        (Algorithm::None, true) => vec![(AT_SUM, NO_SUM)],
        (Algorithm::Crc32 | Algorithm::FullCrc32, false) => {
            let sum = sums::crc(page);
            vec![(AT_SUM, sum), (second, sum)]
        }
        (Algorithm::Innodb, false) => {
            let new = sums::innodb_new(page);
            let mut head = page[..26].to_vec();
            head[..4].copy_from_slice(&new.to_be_bytes());
            vec![(AT_SUM, new), (second, sums::fold(&head))]
        }
        (Algorithm::None, false) => vec![(AT_SUM, NO_SUM), (second, NO_SUM)],
    }
}
