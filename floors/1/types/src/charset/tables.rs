//! The tables that `scripts/collation_tables.py` observed: general_ci weights, case maps.

use std::sync::OnceLock;

static GENERAL: &[u8] = include_bytes!("data/general_ci.map.bin");

/// A page table as the script writes it: `u16` count, page numbers, pages of 256 `u16`.
struct Map {
    index: &'static [u8],
    pages: Box<[[u16; 256]]>,
}

impl Map {
    fn load(file: &'static [u8]) -> Map {
        let slots = usize::from(u16::from_le_bytes([file[0], file[1]]));
        let (index, pages) = file[2..].split_at(slots);
        let pages = pages
            .chunks_exact(512)
            .map(|page| std::array::from_fn(|i| u16::from_le_bytes([page[2 * i], page[2 * i + 1]])));
        Map { index, pages: pages.collect() }
    }

    #[inline]
    fn get(&self, code: u32) -> u32 {
        match self.index.get((code >> 8) as usize) {
            None | Some(0) => code,
            Some(page) => {
                code & 0xFFFF_0000 | u32::from(self.pages[usize::from(*page) - 1][(code & 0xFF) as usize])
            }
        }
    }
}

/// The weight of a code point under Unicode's general_ci.
#[inline]
pub(super) fn general_weight(code: u32) -> u32 {
    static MAP: OnceLock<Map> = OnceLock::new();
    if code > 0xFFFF { 0xFFFD } else { MAP.get_or_init(|| Map::load(GENERAL)).get(code) }
}

/// The case pairs of one version of Unicode, as MariaDB knows them.
pub(super) struct CasePairs {
    upper_file: &'static [u8],
    lower_file: &'static [u8],
    upper: OnceLock<Map>,
    lower: OnceLock<Map>,
}

impl CasePairs {
    const fn of(upper_file: &'static [u8], lower_file: &'static [u8]) -> CasePairs {
        CasePairs { upper_file, lower_file, upper: OnceLock::new(), lower: OnceLock::new() }
    }

    /// The capital of a code point, or itself.
    pub(super) fn to_upper(&self, code: u32) -> u32 {
        self.upper.get_or_init(|| Map::load(self.upper_file)).get(code)
    }

    /// The small letter of a code point, or itself.
    pub(super) fn to_lower(&self, code: u32) -> u32 {
        self.lower.get_or_init(|| Map::load(self.lower_file)).get(code)
    }
}

/// Those of general_ci, `_bin` and unicode_ci.
pub(super) static CASE: CasePairs =
    CasePairs::of(include_bytes!("data/upper.map.bin"), include_bytes!("data/lower.map.bin"));
pub(super) static CASE_520: CasePairs =
    CasePairs::of(include_bytes!("data/upper_520.map.bin"), include_bytes!("data/lower_520.map.bin"));
pub(super) static CASE_1400: CasePairs =
    CasePairs::of(include_bytes!("data/upper_1400.map.bin"), include_bytes!("data/lower_1400.map.bin"));
