//! Character sets and collations.
//!
//! A [`Charset`] splits bytes into characters and converts; a [`Collation`] orders, folds and hashes them. Both are
//! static data, referred to by [`CollationId`], MariaDB's own number, which stands in definitions, in values and on
//! the wire. Only ids of the registry exist as `CollationId`: deserialising any other is an error.

mod bytes;
mod collation;
mod convert;
mod registry;
mod sets;
mod tables;
mod text;
mod uca;

pub use collation::{Collation, Pad};
pub use convert::{Conversion, Lost};
pub use text::{LikePrefix, LikeRest};

use serde::{Deserialize, Serialize};

/// A character set. In the order of SHOW CHARACTER SET.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Charset {
    /// DEC's multinational set.
    Dec8,
    /// DOS, western Europe.
    Cp850,
    /// HP Roman-8.
    Hp8,
    /// KOI8-R.
    Koi8r,
    /// Windows code page 1252, MariaDB's "latin1".
    Latin1,
    /// ISO 8859-2.
    Latin2,
    /// Swedish in seven bits.
    Swe7,
    /// US-ASCII.
    Ascii,
    /// ISO 8859-8.
    Hebrew,
    /// KOI8-U.
    Koi8u,
    /// ISO 8859-7.
    Greek,
    /// Windows code page 1250.
    Cp1250,
    /// ISO 8859-9.
    Latin5,
    /// ARMSCII-8.
    Armscii8,
    /// UTF-8 of the basic plane.
    Utf8mb3,
    /// Two bytes a character, the basic plane.
    Ucs2,
    /// DOS, Russian.
    Cp866,
    /// Kamenicky's set for DOS.
    Keybcs2,
    /// Mac, central Europe.
    Macce,
    /// Mac, western Europe.
    Macroman,
    /// DOS, central Europe.
    Cp852,
    /// ISO 8859-13.
    Latin7,
    /// UTF-8.
    Utf8mb4,
    /// Windows code page 1251.
    Cp1251,
    /// UTF-16, big-endian.
    Utf16,
    /// UTF-16, little-endian.
    Utf16le,
    /// Windows code page 1256.
    Cp1256,
    /// Windows code page 1257.
    Cp1257,
    /// UTF-32, big-endian.
    Utf32,
    /// Bytes.
    Binary,
    /// GEOSTD8.
    Geostd8,
}

impl Charset {
    /// All character sets, in the order of SHOW CHARACTER SET.
    pub const ALL: [Charset; 31] = [
        Charset::Dec8,
        Charset::Cp850,
        Charset::Hp8,
        Charset::Koi8r,
        Charset::Latin1,
        Charset::Latin2,
        Charset::Swe7,
        Charset::Ascii,
        Charset::Hebrew,
        Charset::Koi8u,
        Charset::Greek,
        Charset::Cp1250,
        Charset::Latin5,
        Charset::Armscii8,
        Charset::Utf8mb3,
        Charset::Ucs2,
        Charset::Cp866,
        Charset::Keybcs2,
        Charset::Macce,
        Charset::Macroman,
        Charset::Cp852,
        Charset::Latin7,
        Charset::Utf8mb4,
        Charset::Cp1251,
        Charset::Utf16,
        Charset::Utf16le,
        Charset::Cp1256,
        Charset::Cp1257,
        Charset::Utf32,
        Charset::Binary,
        Charset::Geostd8,
    ];
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

    /// The collation whose number clients are told: those that MariaDB has since 10.10 go by an older one.
    pub fn for_clients(self) -> CollationId {
        let older = match self.collation().name.split_once("_uca1400_") {
            Some((charset, _)) => Collation::by_name(&format!("{charset}_unicode_ci")),
            None => None,
        };
        older.map_or(self, |older| older.id)
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
