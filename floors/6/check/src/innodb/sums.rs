//! The checksums of InnoDB pages. S is the page's size, Z the compressed page's; ranges are half open.
//!
//! | name | over | stored at |
//! | --- | --- | --- |
//! | full_crc32 | CRC-32C [0, S-4) | S-4 |
//! | crc32 | CRC-32C [4, 26) XOR CRC-32C [38, S-8) | 0 and S-8 |
//! | innodb, new | fold [4, 26) + fold [38, S-8) | 0 |
//! | innodb, old | fold [0, 26), the new one filled in | S-8 |
//! | none | 0xDEADBEEF | 0 and S-8 |
//! | compressed, crc32 | CRC-32C [4, 16) XOR [24, 26) XOR [34, Z) | 0 |
//! | compressed, innodb | Adler-32 from 0 over [4, 16), [24, 26), [34, Z) | 0 |
//! | compressed, none | 0xDEADBEEF | 0 |

use checksum::crc32c;
use serde::Serialize;

/// What stands in the place of a sum where there is none.
pub const NO_SUM: u32 = 0xDEAD_BEEF;

/// How a page's sum was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// MariaDB's one CRC-32C over the whole page.
    FullCrc32,
    /// CRC-32C over two parts.
    Crc32,
    /// InnoDB's own of old.
    Innodb,
    /// No sum: nothing is known about the page's content.
    None,
}

impl Algorithm {
    /// All, in the order of their numbers.
    pub const ALL: [Algorithm; 4] =
        [Algorithm::FullCrc32, Algorithm::Crc32, Algorithm::Innodb, Algorithm::None];

    /// The name that servers give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::FullCrc32 => "full_crc32",
            Algorithm::Crc32 => "crc32",
            Algorithm::Innodb => "innodb",
            Algorithm::None => "none",
        }
    }
}

/// One step of the fold of old: a state and a byte.
pub const fn fold_step(state: u32, byte: u8) -> u32 {
    let mixed = state ^ byte as u32 ^ 1_653_893_711;
    ((mixed << 8).wrapping_add(state) ^ 1_463_735_687).wrapping_add(byte as u32)
}

/// The state before a byte, from the one after it: the step can be undone, its low byte tells the one above.
pub const fn unfold_step(after: u32, byte: u8) -> u32 {
    let sum = after.wrapping_sub(byte as u32) ^ 1_463_735_687;
    let key = byte as u32 ^ 1_653_893_711;
    // sum = ((state ^ key) << 8) + state: each byte of the state follows from the ones below it.
    let mut state = sum & 0xFF;
    let mut shift = 8;
    while shift < 32 {
        let known = ((state ^ key) << 8).wrapping_add(state);
        state |= (sum.wrapping_sub(known) >> shift & 0xFF) << shift;
        shift += 8;
    }
    state
}

/// InnoDB's fold of old over bytes.
pub fn fold(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |state, byte| fold_step(state, *byte))
}

/// The sum of a whole page in the format full_crc32.
pub fn full(page: &[u8]) -> u32 {
    crc32c(&page[..page.len() - 4])
}

/// crc32 of a classic page.
pub fn crc(page: &[u8]) -> u32 {
    crc32c(&page[4..26]) ^ crc32c(&page[38..page.len() - 8])
}

/// The new sum of the algorithm innodb.
pub fn innodb_new(page: &[u8]) -> u32 {
    fold(&page[4..26]).wrapping_add(fold(&page[38..page.len() - 8]))
}

/// The old sum of the algorithm innodb, which covers the new one too.
pub fn innodb_old(page: &[u8]) -> u32 {
    fold(&page[..26])
}

/// The parts of a compressed page that are summed.
pub fn zip_parts(page: &[u8]) -> [&[u8]; 3] {
    [&page[4..16], &page[24..26], &page[34..]]
}

/// crc32 of a compressed page.
pub fn zip_crc(page: &[u8]) -> u32 {
    zip_parts(page).into_iter().fold(0, |sum, part| sum ^ crc32c(part))
}

/// Adler-32 of a compressed page, which starts with 0 here, not with 1.
pub fn zip_adler(page: &[u8]) -> u32 {
    let (mut low, mut high) = (0_u32, 0_u32);
    for part in zip_parts(page) {
        // Short enough that neither sum overflows before it is reduced.
        for bytes in part.chunks(2048) {
            for byte in bytes {
                low += u32::from(*byte);
                high += low;
            }
            low %= 65521;
            high %= 65521;
        }
    }
    high << 16 | low
}
