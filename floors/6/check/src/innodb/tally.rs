//! What the pages of a tablespace are, counted: `innochecksum -S`, and how full the indexes are.

use super::bytes::{be16, be64};
use super::header::{AT_BODY, AT_TYPE, kind, kind_name};
use super::judge::{Sound, Space, full_size};
use super::sums::Algorithm;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;

// The header of an index page, from AT_BODY on.
const AT_HEAP_TOP: usize = AT_BODY + 2;
const AT_GARBAGE: usize = AT_BODY + 8;
const AT_RECORDS: usize = AT_BODY + 16;
const AT_LEVEL: usize = AT_BODY + 26;
const AT_INDEX: usize = AT_BODY + 28;
/// Where the records of an index page begin.
const RECORDS_AT: u64 = 120;
/// Most indexes counted one by one: more is a file that was made to have them.
const INDEXES_MAX: usize = 100_000;

/// Counts of some pages of one tablespace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub pages: u64,
    pub empty: u64,
    pub summed: [u64; Algorithm::ALL.len()],
    pub cipher: u64,
    pub decompressed: u64,
    pub opaque: u64,
    kinds: BTreeMap<u16, u64>,
    indexes: BTreeMap<u64, IndexTally>,
    /// Pages that were never written, by their place in the file.
    pub empty_ranges: Vec<Range<u64>>,
    /// Pages that are not sound, by their place in the file.
    pub suspects: Vec<u64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct IndexTally {
    pages: u64,
    leaves: u64,
    records: u64,
    used: u64,
    levels: u64,
}

impl Tally {
    /// Counts a sound page; `detailed` also what indexes hold.
    pub fn count(&mut self, sound: Sound, page: &[u8], index: u64, space: &Space, detailed: bool) {
        self.pages += 1;
        match sound {
            Sound::Empty => {
                self.empty += 1;
                match self.empty_ranges.last_mut() {
                    Some(last) if last.end == index => last.end += 1,
                    _ => self.empty_ranges.push(index..index + 1),
                }
                return;
            }
            Sound::Summed(algorithm) => self.summed[algorithm as usize] += 1,
            Sound::Cipher => self.cipher += 1,
            Sound::Decompressed(_) => self.decompressed += 1,
            Sound::Opaque => self.opaque += 1,
        }
        let kind = be16(page, AT_TYPE);
        *self.kinds.entry(kind).or_default() += 1;
        let is_index = matches!(kind, kind::INDEX | kind::RTREE | kind::SDI);
        let is_plain = matches!(sound, Sound::Summed(_))
            && (!space.layout.full_crc32 || page[..4] == [0; 4])
            && full_size(page).is_some_and(|(_, is_compressed)| !is_compressed);
        if detailed && is_index && is_plain {
            self.count_index(page);
        }
    }

    fn count_index(&mut self, page: &[u8]) {
        let (number, level) = (be64(page, AT_INDEX), u64::from(be16(page, AT_LEVEL)));
        if self.indexes.len() >= INDEXES_MAX && !self.indexes.contains_key(&number) {
            return;
        }
        let index = self.indexes.entry(number).or_default();
        index.pages += 1;
        index.levels = index.levels.max(level + 1);
        if level == 0 {
            index.leaves += 1;
            index.records += u64::from(be16(page, AT_RECORDS));
            let top = u64::from(be16(page, AT_HEAP_TOP));
            index.used += top.saturating_sub(RECORDS_AT + u64::from(be16(page, AT_GARBAGE)));
        }
    }

    /// Takes over the counts of other pages, which lie behind or before these.
    pub fn add(&mut self, other: Tally) {
        self.pages += other.pages;
        self.empty += other.empty;
        self.cipher += other.cipher;
        self.decompressed += other.decompressed;
        self.opaque += other.opaque;
        self.summed.iter_mut().zip(other.summed).for_each(|(mine, theirs)| *mine += theirs);
        for (kind, count) in other.kinds {
            *self.kinds.entry(kind).or_default() += count;
        }
        for (number, theirs) in other.indexes {
            let mine = self.indexes.entry(number).or_default();
            mine.pages += theirs.pages;
            mine.leaves += theirs.leaves;
            mine.records += theirs.records;
            mine.used += theirs.used;
            mine.levels = mine.levels.max(theirs.levels);
        }
        self.empty_ranges.extend(other.empty_ranges);
        self.suspects.extend(other.suspects);
    }

    /// The algorithm of most pages.
    pub fn usual(&self, space: &Space) -> Algorithm {
        let by_layout = if space.layout.full_crc32 { Algorithm::FullCrc32 } else { Algorithm::Crc32 };
        let most = Algorithm::ALL.into_iter().max_by_key(|algorithm| self.summed[*algorithm as usize]);
        most.filter(|most| self.summed[*most as usize] > 0).unwrap_or(by_layout)
    }

    /// The summary for people and programs.
    pub fn summary(&self, space: &Space) -> Summary {
        let mut kinds: BTreeMap<&'static str, u64> = BTreeMap::new();
        for (kind, count) in &self.kinds {
            *kinds.entry(kind_name(*kind)).or_default() += count;
        }
        if self.empty > 0 {
            *kinds.entry("never written").or_default() += self.empty;
        }
        let mut kinds: Vec<KindCount> =
            kinds.into_iter().map(|(name, pages)| KindCount { name, pages }).collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.pages));
        let room = (space.layout.logical as u64).saturating_sub(RECORDS_AT + 8);
        let indexes = self.indexes.iter().map(|(number, index)| IndexFill {
            index: *number,
            pages: index.pages,
            levels: index.levels,
            leaves: index.leaves,
            records: index.records,
            records_per_leaf: ratio(index.records, index.leaves),
            bytes_per_leaf: ratio(index.used, index.leaves),
            fill_percent: ratio(index.used * 100, index.leaves * room),
        });
        Summary { kinds, indexes: indexes.collect() }
    }
}

/// The quotient with one digit behind the point; 0 of nothing.
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64 * 10.0).round() / 10.0 }
}

/// What the pages of a file are, and how full its indexes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Pages by type, most first.
    pub kinds: Vec<KindCount>,
    /// The indexes whose pages can be read, by number.
    pub indexes: Vec<IndexFill>,
}

/// How many pages are of a type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindCount {
    /// The type's name.
    pub name: &'static str,
    /// How many.
    pub pages: u64,
}

/// How full the pages of an index are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IndexFill {
    /// The index's number.
    pub index: u64,
    /// Its pages.
    pub pages: u64,
    /// Its levels.
    pub levels: u64,
    /// Its leaf pages.
    pub leaves: u64,
    /// Records in leaves.
    pub records: u64,
    /// Records of a leaf, on average.
    pub records_per_leaf: f64,
    /// Bytes of a leaf that records use, on average.
    pub bytes_per_leaf: f64,
    /// The same in percent of what fits.
    pub fill_percent: f64,
}
