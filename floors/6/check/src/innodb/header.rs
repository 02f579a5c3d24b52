//! The header that all pages of a tablespace share, and the types of pages.
//!
//! ```text
//! 0        4        8       12      16     24     26                 34      38
//! +--------+--------+-------+-------+------+------+------------------+-------+------ - -
//! | sum or | number | prev  | next  | LSN  | type | flush LSN, or    | space | body
//! | key v. |        |       |       |      |      | key version, sum | id    |
//! +--------+--------+-------+-------+------+------+------------------+-------+------ - -
//! ```
//!
//! Behind the body, in the last 8 bytes: the second sum and the low half of the LSN (classic), or the low half of the
//! LSN and the sum (full_crc32). Compressed pages have no such trailer.

/// Where the (new) sum lies; in full_crc32, the version of the key that encrypted the page.
pub const AT_SUM: usize = 0;
/// Where the page's own number lies.
pub const AT_NUMBER: usize = 4;
/// Where the LSN of the last change lies.
pub const AT_LSN: usize = 16;
/// Where the type lies.
pub const AT_TYPE: usize = 24;
/// Where, in a classic tablespace that MariaDB encrypts, the version of the key lies.
pub const AT_KEY_VERSION: usize = 26;
/// Where the sum of such a page's ciphertext lies.
pub const AT_CIPHER_SUM: usize = 30;
/// Where the number of the tablespace lies.
pub const AT_SPACE: usize = 34;
/// Where the body begins.
pub const AT_BODY: usize = 38;

/// Types of pages that matter here.
pub mod kind {
    /// The first page of a tablespace.
    pub const FIRST: u16 = 8;
    /// Descriptors of extents.
    pub const EXTENTS: u16 = 9;
    /// The transaction system's page.
    pub const TRX_SYSTEM: u16 = 7;
    /// MySQL's transparent page compression.
    pub const MYSQL_COMPRESSED: u16 = 14;
    /// MySQL's encryption, and with compression, and of an R-tree.
    pub const MYSQL_ENCRYPTED: [u16; 3] = [15, 16, 17];
    /// MySQL's dictionary information.
    pub const SDI: u16 = 17853;
    /// R-tree.
    pub const RTREE: u16 = 17854;
    /// B-tree.
    pub const INDEX: u16 = 17855;
    /// MariaDB's page compression in the classic format.
    pub const COMPRESSED: u16 = 34354;
    /// The same, encrypted.
    pub const COMPRESSED_ENCRYPTED: u16 = 37401;
    /// In full_crc32: set where the page is compressed; the other bits are its size.
    pub const FULL_COMPRESSED: u16 = 0x8000;
}

/// What a page type is called.
#[must_use]
pub fn kind_name(kind: u16) -> &'static str {
    match kind {
        0 => "allocated",
        2 => "undo log",
        3 => "inodes",
        4 => "change buffer free list",
        5 => "change buffer bitmap",
        6 => "system",
        kind::TRX_SYSTEM => "transaction system",
        kind::FIRST => "tablespace header",
        kind::EXTENTS => "extent descriptors",
        10 => "BLOB",
        11 => "compressed BLOB, first",
        12 => "compressed BLOB",
        13 => "unknown",
        kind::MYSQL_COMPRESSED => "page-compressed (MySQL)",
        15 => "encrypted (MySQL)",
        16 => "compressed and encrypted (MySQL)",
        17 => "encrypted R-tree (MySQL)",
        18 => "instant index root or SDI BLOB",
        19 => "compressed SDI BLOB",
        20 => "legacy doublewrite",
        21 => "rollback segment array",
        22 => "large object index",
        23 => "large object data",
        24 => "large object, first",
        25..=29 => "compressed large object",
        kind::SDI => "SDI index",
        kind::RTREE => "R-tree",
        kind::INDEX => "index",
        kind::COMPRESSED => "page-compressed",
        kind::COMPRESSED_ENCRYPTED => "page-compressed, encrypted",
        kind if kind & kind::FULL_COMPRESSED != 0 => "page-compressed",
        _ => "other",
    }
}
