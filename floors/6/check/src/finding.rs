//! What can be wrong with a file, by kind, place and sums.

use checksum::{Crc, Polynomial};
use platform::file::SECTOR;
use serde::{Serialize, Serializer};
use std::fmt;
use std::ops::Range;

/// The kinds of damage. Each has its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The content is not what its sum was made of, and nothing tells why.
    Content,
    /// One flipped bit explains it.
    BitFlip,
    /// Part of the bytes is of another writing: a write that a crash or a disk cut.
    Torn,
    /// Zeros where something was written.
    Zeroed,
    /// Sound bytes that belong to another place of the file.
    Misdirected,
    /// Sound bytes of another tablespace, tree or log.
    WrongSpace,
    /// Sound bytes of another time: newer than the log, or an older writing of the page.
    Stale,
    /// The file's own structure: impossible flags, a file cut short, events out of place.
    Structure,
    /// The device does not give the bytes.
    Unreadable,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 9] = [
        Kind::Content,
        Kind::BitFlip,
        Kind::Torn,
        Kind::Zeroed,
        Kind::Misdirected,
        Kind::WrongSpace,
        Kind::Stale,
        Kind::Structure,
        Kind::Unreadable,
    ];

    /// The words for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Content => "damaged content",
            Kind::BitFlip => "bit flip",
            Kind::Torn => "torn",
            Kind::Zeroed => "zeroed",
            Kind::Misdirected => "misdirected",
            Kind::WrongSpace => "wrong space",
            Kind::Stale => "of another time",
            Kind::Structure => "structure",
            Kind::Unreadable => "unreadable",
        }
    }

    /// The process's exit code where all damage is of this kind.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Kind::Content => 10,
            Kind::BitFlip => 11,
            Kind::Torn => 12,
            Kind::Zeroed => 13,
            Kind::Misdirected => 14,
            Kind::WrongSpace => 15,
            Kind::Stale => 16,
            Kind::Structure => 17,
            Kind::Unreadable => 18,
        }
    }
}

/// A damaged place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The page's number; `None` for logs and for files as a whole.
    pub page: Option<u64>,
    /// The first byte of it in the file.
    pub from: u64,
    /// The byte behind it.
    pub to: u64,
    /// What happened, as far as the bytes tell.
    pub kind: Kind,
    /// The sum that the bytes have.
    #[serde(serialize_with = "as_hex")]
    pub expected: Option<u32>,
    /// The sum that is stored with them.
    #[serde(serialize_with = "as_hex")]
    pub found: Option<u32>,
    /// The evidence, for people.
    pub text: String,
}

/// Sums as people write them.
fn as_hex<S: Serializer>(sum: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    sum.map(|sum| format!("{sum:08x}")).serialize(serializer)
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(page) = self.page {
            write!(f, "page {page}, ")?;
        }
        write!(f, "bytes {}..{}: {}: {}", self.from, self.to, self.kind.name(), self.text)?;
        if let (Some(expected), Some(found)) = (self.expected, self.found) {
            write!(f, "; checksum expected {expected:08x}, found {found:08x}")?;
        }
        Ok(())
    }
}

/// The byte and bit of `image` whose flip alone explains a sum that differs by `difference`; the sum covers the bytes
/// from `covered` on. Where only the sum differs in one bit, that is it: it lies before them, little-endian.
pub(crate) fn flipped<P: Polynomial>(difference: u32, covered: u64, image: &[u8]) -> Option<(u64, u8)> {
    if difference.is_power_of_two() {
        let bit = difference.trailing_zeros();
        return Some((covered - 4 + u64::from(bit / 8), (bit % 8) as u8));
    }
    let len = (image.len() as u64).checked_sub(covered)?;
    Crc::<P>::flipped_bit(difference, len).map(|(byte, bit)| (covered + byte, bit))
}

/// Whole sectors of zeros at the end of a page, or all of it, or else at its start.
pub(crate) fn zero_sectors(page: &[u8]) -> Option<Range<usize>> {
    let is_zero = |sector: &[u8]| sector.iter().all(|byte| *byte == 0);
    let tail = page.rchunks_exact(SECTOR).take_while(|sector| is_zero(sector)).count() * SECTOR;
    if tail > 0 {
        return Some(page.len() - tail..page.len());
    }
    let head = page.chunks_exact(SECTOR).take_while(|sector| is_zero(sector)).count() * SECTOR;
    (head > 0).then_some(0..head)
}
