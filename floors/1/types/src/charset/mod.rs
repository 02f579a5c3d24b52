//! Character sets and collations.
//!
//! A [`Charset`] splits bytes into characters and converts; a [`Collation`] orders, folds and hashes them. Both are
//! static data, referred to by [`CollationId`], MariaDB's own number, which stands in definitions, in values and on
//! the wire. Only ids of the registry exist as `CollationId`: deserialising any other is an error.

mod collation;
mod convert;
mod registry;
mod tables;
mod text;
mod uca;

pub use collation::{Collation, Pad};
pub use convert::Conversion;
pub use text::{LikePrefix, LikeRest};

use serde::{Deserialize, Serialize};

/// A character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Charset {
    /// Bytes.
    Binary,
    /// US-ASCII.
    Ascii,
    /// Windows code page 1252, MariaDB's "latin1".
    Latin1,
    /// UTF-8 of the basic plane.
    Utf8mb3,
    /// UTF-8.
    Utf8mb4,
}

/// The number of a collation in the registry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct CollationId(u16);

impl CollationId {
    /// latin1_swedish_ci, MariaDB's server default.
    pub const LATIN1_SWEDISH_CI: CollationId = CollationId(8);
    /// ascii_general_ci.
    pub const ASCII_GENERAL_CI: CollationId = CollationId(11);
    /// utf8mb3_general_ci, the system collation.
    pub const UTF8MB3_GENERAL_CI: CollationId = CollationId(33);
    /// utf8mb4_general_ci.
    pub const UTF8MB4_GENERAL_CI: CollationId = CollationId(45);
    /// utf8mb4_bin.
    pub const UTF8MB4_BIN: CollationId = CollationId(46);
    /// binary.
    pub const BINARY: CollationId = CollationId(63);
    /// utf8mb3_bin.
    pub const UTF8MB3_BIN: CollationId = CollationId(83);
    /// utf8mb4_unicode_ci.
    pub const UTF8MB4_UNICODE_CI: CollationId = CollationId(224);

    /// The collation with MariaDB's number `id`, if it is supported.
    pub fn from_id(id: u16) -> Option<CollationId> {
        registry::position(id).map(|_| CollationId(id))
    }

    /// MariaDB's number.
    pub const fn id(self) -> u16 {
        self.0
    }

    /// The collation.
    #[inline]
    pub fn collation(self) -> &'static Collation {
        registry::get(self.0)
    }

    /// The collation's character set.
    #[inline]
    pub fn charset(self) -> Charset {
        self.collation().charset
    }

    /// The collation's name.
    pub fn name(self) -> &'static str {
        self.collation().name
    }
}

impl TryFrom<u16> for CollationId {
    type Error = String;

    fn try_from(id: u16) -> Result<CollationId, String> {
        CollationId::from_id(id).ok_or_else(|| format!("collation {id} is not known"))
    }
}

impl From<CollationId> for u16 {
    fn from(id: CollationId) -> u16 {
        id.0
    }
}

impl std::fmt::Debug for CollationId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Charset {
    /// All character sets, in the order of SHOW CHARACTER SET.
    pub const ALL: [Charset; 5] =
        [Charset::Latin1, Charset::Ascii, Charset::Utf8mb3, Charset::Utf8mb4, Charset::Binary];

    /// MariaDB's name.
    pub const fn name(self) -> &'static str {
        match self {
            Charset::Binary => "binary",
            Charset::Ascii => "ascii",
            Charset::Latin1 => "latin1",
            Charset::Utf8mb3 => "utf8mb3",
            Charset::Utf8mb4 => "utf8mb4",
        }
    }

    /// The description of SHOW CHARACTER SET.
    pub const fn description(self) -> &'static str {
        match self {
            Charset::Binary => "Binary pseudo charset",
            Charset::Ascii => "US ASCII",
            Charset::Latin1 => "cp1252 West European",
            Charset::Utf8mb3 | Charset::Utf8mb4 => "UTF-8 Unicode",
        }
    }

    /// By name in any case; `utf8` is utf8mb3.
    pub fn by_name(name: &str) -> Option<Charset> {
        if name.eq_ignore_ascii_case("utf8") {
            return Some(Charset::Utf8mb3);
        }
        Charset::ALL.into_iter().find(|charset| charset.name().eq_ignore_ascii_case(name))
    }

    /// The default collation.
    pub const fn default_collation(self) -> CollationId {
        match self {
            Charset::Binary => CollationId::BINARY,
            Charset::Ascii => CollationId::ASCII_GENERAL_CI,
            Charset::Latin1 => CollationId::LATIN1_SWEDISH_CI,
            Charset::Utf8mb3 => CollationId::UTF8MB3_GENERAL_CI,
            Charset::Utf8mb4 => CollationId::UTF8MB4_GENERAL_CI,
        }
    }

    /// The collation `_bin` (binary for binary).
    pub const fn bin_collation(self) -> CollationId {
        match self {
            Charset::Binary => CollationId::BINARY,
            Charset::Ascii => CollationId(65),
            Charset::Latin1 => CollationId(47),
            Charset::Utf8mb3 => CollationId::UTF8MB3_BIN,
            Charset::Utf8mb4 => CollationId::UTF8MB4_BIN,
        }
    }

    /// Bytes of the longest character.
    #[inline]
    pub const fn max_char_bytes(self) -> usize {
        match self {
            Charset::Binary | Charset::Ascii | Charset::Latin1 => 1,
            Charset::Utf8mb3 => 3,
            Charset::Utf8mb4 => 4,
        }
    }

    /// Whether this is one of the UTF-8 sets.
    #[inline]
    pub const fn is_utf8(self) -> bool {
        matches!(self, Charset::Utf8mb3 | Charset::Utf8mb4)
    }
}
