//! The flags of a tablespace: how large its pages are and how they are summed.
//!
//! ```text
//! full_crc32   bits 0-3 size code (512 << code), 4 = 1, 5-7 compression algorithm
//! classic      bit 0 post-antelope, 1-4 compressed size code (512 << code), 5 atomic blobs, 6-9 page size code
//!              (0: 16 KiB), 10-12 and 14 MySQL's, 13 MySQL's encryption, 16 MariaDB's page compression
//! ```
//!
//! Bit 4 decides: a classic compressed size code is 5 at most, so that it is never set there.

use super::bytes::be32;

/// Where the flags lie on the first page.
pub const AT_FLAGS: usize = 54;

/// How the pages of a tablespace look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Summed in MariaDB's way since 10.4: one CRC-32C over the whole page.
    pub full_crc32: bool,
    /// Bytes of a page in memory.
    pub logical: usize,
    /// Bytes of a page in the file where that is less: ROW_FORMAT=COMPRESSED.
    pub zip: Option<usize>,
    /// MariaDB's PAGE_COMPRESSED.
    pub page_compressed: bool,
    /// MySQL's ENCRYPTION.
    pub mysql_encrypted: bool,
}

impl Layout {
    /// Reads flags; `None` for a combination that no server writes.
    #[must_use]
    pub fn decode(flags: u32) -> Option<Layout> {
        let size = |code: u32| 512_usize << code;
        if flags & 0x10 != 0 {
            let code = flags & 0xF;
            return ((3..=7).contains(&code) && flags >> 8 == 0 && flags >> 5 <= 6).then(|| Layout {
                full_crc32: true,
                logical: size(code),
                zip: None,
                page_compressed: flags >> 5 != 0,
                mysql_encrypted: false,
            });
        }
        let (zip, code) = (flags >> 1 & 0xF, flags >> 6 & 0xF);
        let logical = match code {
            0 => 16 << 10,
            3..=7 => size(code),
            _ => return None,
        };
        let is_old = flags & 1 == 0;
        let zip_fits = zip <= 5 && (zip == 0 || size(zip) <= logical);
        let is_known = flags >> 17 == 0 && flags & 1 << 15 == 0;
        // Compressed rows and long columns off the page came together with the new formats.
        if !zip_fits || !is_known || is_old && (zip != 0 || flags & 1 << 5 != 0) {
            return None;
        }
        Some(Layout {
            full_crc32: false,
            logical,
            zip: (zip != 0).then(|| size(zip)),
            page_compressed: flags & 1 << 16 != 0,
            mysql_encrypted: flags & 1 << 13 != 0,
        })
    }

    /// The layout that a first page names; it need not be sound.
    #[must_use]
    pub fn of_first_page(page: &[u8]) -> Option<Layout> {
        if page.len() < AT_FLAGS + 4 { None } else { Layout::decode(be32(page, AT_FLAGS)) }
    }

    /// Every layout that differs in where pages begin or how they are summed.
    pub fn all() -> impl Iterator<Item = Layout> {
        let plain = Layout {
            full_crc32: false,
            logical: 16 << 10,
            zip: None,
            page_compressed: false,
            mysql_encrypted: false,
        };
        let sizes = (3..=7).map(|code| 512_usize << code);
        let whole = sizes
            .flat_map(move |logical| [true, false].map(|full_crc32| Layout { full_crc32, logical, ..plain }));
        let zips = (1..=5).map(move |code| Layout { zip: Some(512 << code), ..plain });
        whole.chain(zips)
    }

    /// Bytes of a page in the file.
    #[must_use]
    pub fn physical(&self) -> usize {
        self.zip.unwrap_or(self.logical)
    }

    /// Pages of an extent.
    #[must_use]
    pub fn extent_pages(&self) -> usize {
        ((1 << 20) / self.logical).max(64)
    }

    /// Bytes of an extent's descriptor.
    #[must_use]
    pub fn descriptor_bytes(&self) -> usize {
        24 + self.extent_pages() / 4
    }

    /// Where MariaDB keeps what it needs to decrypt, on the first page: behind the descriptors of extents.
    #[must_use]
    pub fn crypt_data_at(&self) -> usize {
        188 + self.physical() / self.extent_pages() * self.descriptor_bytes()
    }
}

impl std::fmt::Display for Layout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let format = if self.full_crc32 { "full_crc32" } else { "classic" };
        write!(f, "{format}, pages of {} KiB", self.logical >> 10)?;
        if let Some(zip) = self.zip {
            write!(f, " compressed to {} KiB", zip >> 10)?;
        }
        if self.page_compressed {
            f.write_str(", page-compressed")?;
        }
        if self.mysql_encrypted { f.write_str(", encrypted by MySQL") } else { Ok(()) }
    }
}
