//! Primary weights of the Unicode Collation Algorithm as MariaDB's `_unicode_ci` (4.0.0) and `_unicode_520_ci`
//! (5.2.0) use them, from tables that `scripts/collation_tables.py` observed.

use std::sync::OnceLock;

/// One version's table; loaded at first use.
pub(super) struct Uca {
    file: &'static [u8],
    /// What is taken off each weight so that a space weighs 0x20.
    shift: u16,
    /// Code points beyond this weigh 0xFFFD.
    last: u32,
    loaded: OnceLock<Loaded>,
}

struct Loaded {
    index: Box<[u16]>,
    pages: Box<[[u32; 256]]>,
    pool: Box<[u16]>,
    /// Shifted weights of the ASCII characters that have exactly one; 0 for the others.
    ascii: [u32; 128],
}

pub(super) static UNICODE_400: Uca = Uca {
    file: include_bytes!("data/unicode_400.uca.bin"),
    shift: 0x209 - 0x20,
    last: 0xFFFF,
    loaded: OnceLock::new(),
};
pub(super) static UNICODE_520: Uca = Uca {
    file: include_bytes!("data/unicode_520.uca.bin"),
    shift: 0x20A - 0x20,
    last: 0x10_FFFF,
    loaded: OnceLock::new(),
};

const IMPLICIT: u32 = u32::MAX;
const REPLACEMENT: &[u16] = &[0xFFFD];

impl PartialEq for Uca {
    fn eq(&self, other: &Uca) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Uca {}

impl std::fmt::Debug for Uca {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Uca(..{:#x})", self.last)
    }
}

impl Uca {
    /// The weights of a code point; none where the implicit rule gives them.
    #[inline]
    pub(super) fn weights(&'static self, code: u32) -> Option<&'static [u16]> {
        if code > self.last {
            return Some(REPLACEMENT);
        }
        let loaded = self.loaded();
        let page = match loaded.index.get((code >> 8) as usize) {
            None | Some(0) => return None,
            Some(page) => &loaded.pages[usize::from(*page) - 1],
        };
        match page[(code & 0xFF) as usize] {
            IMPLICIT => None,
            entry => {
                let start = (entry >> 4) as usize;
                Some(&loaded.pool[start..start + (entry & 15) as usize])
            }
        }
    }

    /// The single weight of an ASCII character; none when it has several or none.
    #[inline]
    pub(super) fn ascii_weight(&'static self, byte: u8) -> Option<u32> {
        let loaded = self.loaded();
        loaded.ascii.get(usize::from(byte)).copied().filter(|weight| *weight != 0)
    }

    #[inline]
    fn loaded(&'static self) -> &'static Loaded {
        self.loaded.get_or_init(|| Loaded::read(self))
    }

    /// A weight in the scale in which a space weighs 0x20.
    #[inline]
    pub(super) fn shifted(&self, weight: u16) -> u32 {
        u32::from(weight).saturating_sub(u32::from(self.shift))
    }

    /// The inverse of [`Uca::shifted`].
    pub(super) fn unshifted(&self, weight: u32) -> u16 {
        (weight + u32::from(self.shift)) as u16
    }
}

impl Loaded {
    fn read(uca: &Uca) -> Loaded {
        let file = uca.file;
        let u16_at = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]);
        let u32_at = |at: usize| u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
        let slots = usize::from(u16_at(0));
        let index = (0..slots).map(|i| u16_at(2 + 2 * i)).collect();
        let at = 2 + 2 * slots;
        let count = u32_at(at) as usize;
        let pages: Box<[[u32; 256]]> =
            (0..count).map(|p| std::array::from_fn(|i| u32_at(at + 4 + p * 1024 + 4 * i))).collect();
        let at = at + 4 + count * 1024;
        let pool: Box<[u16]> = (0..u32_at(at) as usize).map(|i| u16_at(at + 4 + 2 * i)).collect();
        let index: Box<[u16]> = index;
        let ascii = std::array::from_fn(|code| {
            let page = index[0].checked_sub(1).map(|page| &pages[usize::from(page)]);
            match page.map(|page| page[code]) {
                Some(entry) if entry != IMPLICIT && entry & 15 == 1 => {
                    uca.shifted(pool[(entry >> 4) as usize])
                }
                _ => 0,
            }
        });
        Loaded { index, pages, pool, ascii }
    }
}

/// The implicit weights of a code point without an entry, unshifted.
#[inline]
pub(super) fn implicit(code: u32) -> (u16, u16) {
    let base = match code {
        0x3400..=0x4DB5 => 0xFB80,
        0x4E00..=0x9FA5 => 0xFB40,
        _ => 0xFBC0,
    };
    (base + (code >> 15) as u16, (code & 0x7FFF) as u16 | 0x8000)
}
