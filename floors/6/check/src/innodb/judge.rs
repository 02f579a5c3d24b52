//! Whether a page is sound, as fast as it can be said. Why it is not is the matter of `diagnose`.

use super::bytes::{be16, be32, be64, is_zero};
use super::header::{AT_CIPHER_SUM, AT_KEY_VERSION, AT_LSN, AT_NUMBER, AT_SPACE, AT_SUM, AT_TYPE, kind};
use super::layout::Layout;
use super::page_compressed;
use super::sums::{self, Algorithm, NO_SUM};

/// What is known about a tablespace when its pages are judged.
#[derive(Clone, Copy, Debug)]
pub struct Space {
    /// How its pages look.
    pub layout: Layout,
    /// Its number, which each page carries.
    pub id: u32,
    /// Whether MariaDB may have encrypted pages of it (classic format).
    pub has_crypt_data: bool,
    /// No page was changed after this.
    pub lsn_limit: u64,
}

/// A page that is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// Nothing but zeros: never written.
    Empty,
    /// Its sum is right (or, with [`Algorithm::None`], there is none).
    Summed(Algorithm),
    /// The sum of its ciphertext is right.
    Cipher,
    /// It was decompressed, and the sum of what came out is right.
    Decompressed(Algorithm),
    /// Only its header can be checked: compressed by a library that this is not, or encrypted by MySQL.
    Opaque,
}

/// Why a page is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// No sum fits.
    Sum,
    /// A sum fits, the number is another page's.
    Number,
    /// A sum fits, the page is another tablespace's.
    Space,
    /// A sum fits, but the halves of the LSN at both ends differ.
    Ends,
    /// Everything fits, but the page was changed after the log's end.
    Future,
}

/// Judges the page of number `number`. `page` has the physical size.
pub fn judge(space: &Space, page: &[u8], number: u32) -> Result<Sound, Flaw> {
    let (sound, has_space_id) = match judge_sum(space, page)? {
        (Sound::Empty, _) => return Ok(Sound::Empty),
        summed => summed,
    };
    if be32(page, AT_NUMBER) != number {
        return Err(Flaw::Number);
    }
    if has_space_id && be32(page, AT_SPACE) != space.id {
        return Err(Flaw::Space);
    }
    if be64(page, AT_LSN) > space.lsn_limit {
        return Err(Flaw::Future);
    }
    Ok(sound)
}

/// Judges the content alone, wherever the page should be; also tells whether the space id can be read.
pub fn judge_sum(space: &Space, page: &[u8]) -> Result<(Sound, bool), Flaw> {
    if is_empty(page, space.layout) {
        return Ok((Sound::Empty, false));
    }
    if space.layout.full_crc32 {
        return judge_full(space, page);
    }
    let sound = if space.layout.zip.is_some() { judge_zip(space, page) } else { judge_classic(space, page) };
    sound.map(|sound| (sound, true))
}

/// Nothing but zeros; in classic formats bytes 26 to 33 do not count: old servers kept the LSN of the last flush there.
fn is_empty(page: &[u8], layout: Layout) -> bool {
    let (head, rest) = page.split_at(64);
    if layout.full_crc32 {
        is_zero(head) && is_zero(rest)
    } else {
        is_zero(&head[..26]) && is_zero(&head[34..]) && is_zero(rest)
    }
}

/// The bytes that a page of a full_crc32 tablespace takes, and whether it is compressed; `None` is impossible.
pub fn full_size(page: &[u8]) -> Option<(usize, bool)> {
    let kind = be16(page, AT_TYPE);
    if kind & kind::FULL_COMPRESSED == 0 {
        return Some((page.len(), false));
    }
    let size = usize::from(kind & !kind::FULL_COMPRESSED) << 8;
    (size > 0 && size < page.len()).then_some((size, true))
}

fn judge_full(space: &Space, page: &[u8]) -> Result<(Sound, bool), Flaw> {
    let (size, is_compressed) = full_size(page).ok_or(Flaw::Sum)?;
    let page = &page[..size];
    if sums::full(page) != be32(page, size - 4) {
        return Err(Flaw::Sum);
    }
    let is_encrypted = be32(page, AT_SUM) != 0;
    if !is_compressed && !is_encrypted && be32(page, AT_LSN + 4) != be32(page, size - 8) {
        return Err(Flaw::Ends);
    }
    // The space id of such pages is not for us to read; where the tablespace has none of them, it is another's.
    let is_hidden = is_compressed && space.layout.page_compressed || is_encrypted && space.has_crypt_data;
    Ok((Sound::Summed(Algorithm::FullCrc32), !is_hidden))
}

fn judge_zip(space: &Space, page: &[u8]) -> Result<Sound, Flaw> {
    if space.has_crypt_data
        && be32(page, AT_KEY_VERSION) != 0
        && be32(page, AT_CIPHER_SUM) == sums::zip_crc(page)
    {
        return Ok(Sound::Cipher);
    }
    match be32(page, AT_SUM) {
        stored if stored == sums::zip_crc(page) => Ok(Sound::Summed(Algorithm::Crc32)),
        NO_SUM => Ok(Sound::Summed(Algorithm::None)),
        stored if stored == sums::zip_adler(page) => Ok(Sound::Summed(Algorithm::Innodb)),
        _ => Err(Flaw::Sum),
    }
}

fn judge_classic(space: &Space, page: &[u8]) -> Result<Sound, Flaw> {
    let page_kind = be16(page, AT_TYPE);
    let may_be_compressed = space.layout.page_compressed || be32(page, AT_SUM) == NO_SUM;
    match page_kind {
        kind::COMPRESSED | kind::COMPRESSED_ENCRYPTED if may_be_compressed => {
            return page_compressed::judge_mariadb(space, page);
        }
        kind::MYSQL_COMPRESSED => return page_compressed::judge_mysql(page),
        _ if space.layout.mysql_encrypted && kind::MYSQL_ENCRYPTED.contains(&page_kind) => {
            return Ok(Sound::Opaque);
        }
        _ => {}
    }
    let sound = if space.has_crypt_data
        && be32(page, AT_KEY_VERSION) != 0
        && be32(page, AT_CIPHER_SUM) == sums::crc(page)
    {
        Sound::Cipher
    } else {
        Sound::Summed(classic_algorithm(page).ok_or(Flaw::Sum)?)
    };
    if be32(page, AT_LSN + 4) == be32(page, page.len() - 4) { Ok(sound) } else { Err(Flaw::Ends) }
}

/// The algorithm by which the sums of a classic page are right.
///
/// Servers also take pages for good that have 0 in the first place, or the upper half of the LSN in the second: as
/// MySQL before 4.0.14 wrote them. Zeroed sectors look the same, so this does not.
pub fn classic_algorithm(page: &[u8]) -> Option<Algorithm> {
    let (first, second) = (be32(page, AT_SUM), be32(page, page.len() - 8));
    if first == second {
        if first == sums::crc(page) {
            return Some(Algorithm::Crc32);
        }
        if first == NO_SUM {
            return Some(Algorithm::None);
        }
    }
    let is_old = second == NO_SUM || second == sums::innodb_old(page);
    (is_old && (first == NO_SUM || first == sums::innodb_new(page))).then_some(Algorithm::Innodb)
}
