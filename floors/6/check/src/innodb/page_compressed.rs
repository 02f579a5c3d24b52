//! Pages that servers compress one by one, in the classic format: nothing of what is in the file is summed, so what
//! comes out is.
//!
//! ```text
//! MariaDB  0 0xDEADBEEF | 24 type 34354 | 32 algorithm u16         | 38 bytes u16 | 40 payload
//! MySQL    0 sum of the page that comes out | 24 type 14 | 26 version | 27 algorithm | 28 type u16 | 30 size u16
//!          | 32 bytes u16 | 38 payload
//! ```

use super::bytes::{be16, be32};
use super::header::{AT_BODY, AT_CIPHER_SUM, AT_KEY_VERSION, AT_LSN, AT_SUM, AT_TYPE, kind};
use super::judge::{Flaw, Sound, Space, classic_algorithm};
use super::sums::{self, NO_SUM};
use flate2::{Decompress, FlushDecompress, Status};

/// MariaDB's algorithm numbers: only zlib is decompressed.
const ZLIB: u16 = 1;
const ALGORITHMS: std::ops::RangeInclusive<u16> = 1..=6;
/// MySQL's: zlib and LZ4.
const MYSQL_ALGORITHMS: std::ops::RangeInclusive<u8> = 1..=2;

/// Judges a page of MariaDB's that says that it is compressed.
pub(super) fn judge_mariadb(space: &Space, page: &[u8]) -> Result<Sound, Flaw> {
    let is_encrypted = be16(page, AT_TYPE) == kind::COMPRESSED_ENCRYPTED;
    let payload_at = if is_encrypted { AT_BODY + 4 } else { AT_BODY + 2 };
    let length = usize::from(be16(page, AT_BODY));
    if length == 0 || length > page.len() - payload_at {
        return Err(Flaw::Sum);
    }
    if is_encrypted {
        // MariaDB writes a sum of the ciphertext and never looks at it: now and then it is one of other bytes.
        let is_right = be32(page, AT_KEY_VERSION) != 0 && be32(page, AT_CIPHER_SUM) == sums::crc(page);
        return if is_right { Ok(Sound::Cipher) } else { Ok(Sound::Opaque) };
    }
    let algorithm = be16(page, AT_CIPHER_SUM + 2);
    if be32(page, AT_SUM) != NO_SUM || !ALGORITHMS.contains(&algorithm) {
        return Err(Flaw::Sum);
    }
    if algorithm != ZLIB {
        return Ok(Sound::Opaque);
    }
    let whole = inflate(&page[payload_at..payload_at + length], page.len()).ok_or(Flaw::Sum)?;
    if whole.len() != space.layout.logical {
        return Err(Flaw::Sum);
    }
    verify(&whole)
}

/// Judges a page of MySQL's that says that it is compressed.
pub(super) fn judge_mysql(page: &[u8]) -> Result<Sound, Flaw> {
    let (algorithm, size, length) = (page[27], usize::from(be16(page, 30)), usize::from(be16(page, 32)));
    // A size of 64 KiB is written as 0.
    let size = if size == 0 { 64 << 10 } else { size };
    let is_possible = length > 0 && length <= page.len() - AT_BODY && size <= page.len() - AT_BODY;
    if !MYSQL_ALGORITHMS.contains(&algorithm) || !is_possible {
        return Err(Flaw::Sum);
    }
    if u16::from(algorithm) != ZLIB {
        return Ok(Sound::Opaque);
    }
    let body = inflate(&page[AT_BODY..AT_BODY + length], size).ok_or(Flaw::Sum)?;
    let mut whole = page[..AT_BODY].to_vec();
    whole[AT_TYPE..AT_TYPE + 2].copy_from_slice(&page[28..30]);
    whole[26..34].fill(0);
    whole.extend_from_slice(&body);
    whole.resize(page.len(), 0);
    verify(&whole)
}

fn verify(whole: &[u8]) -> Result<Sound, Flaw> {
    let algorithm = classic_algorithm(whole).ok_or(Flaw::Sum)?;
    if be32(whole, AT_LSN + 4) != be32(whole, whole.len() - 4) {
        return Err(Flaw::Ends);
    }
    Ok(Sound::Decompressed(algorithm))
}

/// What a zlib stream holds, if that is sound and at most `limit` bytes.
fn inflate(stream: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(limit);
    match Decompress::new(true).decompress_vec(stream, &mut whole, FlushDecompress::Finish) {
        Ok(Status::StreamEnd) => Some(whole),
        _ => None,
    }
}
