//! The character sets there are: names, numbers of their collations, how their characters are made of bytes.

use super::{Charset, CollationId};

/// How characters are made of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Bytes that are no characters.
    Binary,
    /// One byte a character, by the table of that number in [`super::bytes`].
    Byte(u8),
    /// UTF-8 of up to so many bytes.
    Utf8(u8),
    /// Two bytes, big-endian; surrogates are characters like others.
    Ucs2,
    /// UTF-16, big-endian.
    Utf16,
    /// UTF-16, little-endian.
    Utf16le,
    /// Four bytes, big-endian.
    Utf32,
}

/// What is known of a character set.
pub(super) struct Info {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) default: CollationId,
    pub(super) bin: CollationId,
    pub(super) encoding: Encoding,
}

const fn info(
    name: &'static str,
    description: &'static str,
    default: u16,
    bin: u16,
    encoding: Encoding,
) -> Info {
    Info { name, description, default: CollationId(default), bin: CollationId(bin), encoding }
}

use Encoding::{Binary, Byte, Ucs2, Utf8, Utf16, Utf16le, Utf32};

/// By the variants of [`Charset`].
static SETS: [Info; Charset::ALL.len()] = [
    info("dec8", "DEC West European", 3, 69, Byte(0)),
    info("cp850", "DOS West European", 4, 80, Byte(1)),
    info("hp8", "HP West European", 6, 72, Byte(2)),
    info("koi8r", "KOI8-R Relcom Russian", 7, 74, Byte(3)),
    info("latin1", "cp1252 West European", 8, 47, Byte(4)),
    info("latin2", "ISO 8859-2 Central European", 9, 77, Byte(5)),
    info("swe7", "7bit Swedish", 10, 82, Byte(6)),
    info("ascii", "US ASCII", 11, 65, Byte(7)),
    info("hebrew", "ISO 8859-8 Hebrew", 16, 71, Byte(8)),
    info("koi8u", "KOI8-U Ukrainian", 22, 75, Byte(9)),
    info("greek", "ISO 8859-7 Greek", 25, 70, Byte(10)),
    info("cp1250", "Windows Central European", 26, 66, Byte(11)),
    info("latin5", "ISO 8859-9 Turkish", 30, 78, Byte(12)),
    info("armscii8", "ARMSCII-8 Armenian", 32, 64, Byte(13)),
    info("utf8mb3", "UTF-8 Unicode", 33, 83, Utf8(3)),
    info("ucs2", "UCS-2 Unicode", 35, 90, Ucs2),
    info("cp866", "DOS Russian", 36, 68, Byte(14)),
    info("keybcs2", "DOS Kamenicky Czech-Slovak", 37, 73, Byte(15)),
    info("macce", "Mac Central European", 38, 43, Byte(16)),
    info("macroman", "Mac West European", 39, 53, Byte(17)),
    info("cp852", "DOS Central European", 40, 81, Byte(18)),
    info("latin7", "ISO 8859-13 Baltic", 41, 79, Byte(19)),
    info("utf8mb4", "UTF-8 Unicode", 45, 46, Utf8(4)),
    info("cp1251", "Windows Cyrillic", 51, 50, Byte(20)),
    info("utf16", "UTF-16 Unicode", 54, 55, Utf16),
    info("utf16le", "UTF-16LE Unicode", 56, 62, Utf16le),
    info("cp1256", "Windows Arabic", 57, 67, Byte(21)),
    info("cp1257", "Windows Baltic", 59, 58, Byte(22)),
    info("utf32", "UTF-32 Unicode", 60, 61, Utf32),
    info("binary", "Binary pseudo charset", 63, 63, Binary),
    info("geostd8", "GEOSTD8 Georgian", 92, 93, Byte(23)),
];

impl Charset {
    pub(super) const fn info(self) -> &'static Info {
        &SETS[self as usize]
    }

    pub(super) const fn encoding(self) -> Encoding {
        self.info().encoding
    }

    /// MariaDB's name.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The description of SHOW CHARACTER SET.
    pub const fn description(self) -> &'static str {
        self.info().description
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
        self.info().default
    }

    /// The collation `_bin` (binary for binary).
    pub const fn bin_collation(self) -> CollationId {
        self.info().bin
    }

    /// Bytes of the longest character.
    #[inline]
    pub const fn max_char_bytes(self) -> usize {
        match self.encoding() {
            Encoding::Binary | Encoding::Byte(_) => 1,
            Encoding::Ucs2 => 2,
            Encoding::Utf8(widest) => widest as usize,
            Encoding::Utf16 | Encoding::Utf16le | Encoding::Utf32 => 4,
        }
    }

    /// Bytes of the shortest character.
    #[inline]
    pub const fn min_char_bytes(self) -> usize {
        match self.encoding() {
            Encoding::Binary | Encoding::Byte(_) | Encoding::Utf8(_) => 1,
            Encoding::Ucs2 | Encoding::Utf16 | Encoding::Utf16le => 2,
            Encoding::Utf32 => 4,
        }
    }

    /// Whether this is one of the UTF-8 sets.
    #[inline]
    pub const fn is_utf8(self) -> bool {
        matches!(self, Charset::Utf8mb3 | Charset::Utf8mb4)
    }

    /// Whether this is an encoding of Unicode.
    #[inline]
    pub const fn is_unicode(self) -> bool {
        !matches!(self.encoding(), Encoding::Binary | Encoding::Byte(_))
    }

    /// Whether the bytes below 0x80 are ASCII's characters and nothing else.
    #[inline]
    pub const fn is_ascii_based(self) -> bool {
        self.min_char_bytes() == 1 && !matches!(self, Charset::Swe7)
    }

    /// Whether all that can be written in `other` can be written here, one an encoding of the basic plane only and
    /// both of one family.
    pub const fn extends(self, other: Charset) -> bool {
        matches!((self, other), (Charset::Utf8mb4, Charset::Utf8mb3))
    }
}
