//! Primary weights of the Unicode Collation Algorithm as MariaDB's `_unicode_ci` (4.0.0), `_unicode_520_ci` (5.2.0) and
//! `_uca1400_ai_ci` (14.0.0) use them, from tables that `scripts/collation_tables.py` observed, and what languages
//! change in the first. Contractions are sequences of characters that weigh otherwise than one by one.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::Charset;

/// One version's table; loaded at first use.
pub(super) struct Uca {
    file: &'static [u8],
    /// What is taken off each weight so that a space weighs 0x20.
    shift: u16,
    /// Code points beyond this weigh 0xFFFD.
    last: u32,
    implicit: Implicit,
    /// The first character that begins or goes on a contraction; beyond all characters where there is none.
    first_contracted: u32,
    /// What a language weighs otherwise: its number in `tailored.bin`.
    language: Option<u8>,
    loaded: OnceLock<Loaded>,
}

/// Which characters count as unified ideographs where the table says nothing.
#[derive(Clone, Copy)]
enum Implicit {
    Unicode4,
    Unicode14,
}

struct Loaded {
    index: Box<[u16]>,
    pages: Box<[[u32; 256]]>,
    pool: Box<[u16]>,
    /// Shifted weights of the ASCII characters that have exactly one; 0 for the others.
    ascii: [u32; 128],
    /// By first character, the longest first.
    contractions: HashMap<u32, Vec<Contraction>>,
}

struct Contraction {
    /// The characters after the first.
    rest: Box<[u32]>,
    weights: Box<[u16]>,
}

const NO_CONTRACTIONS: u32 = u32::MAX;

const fn table(
    file: &'static [u8],
    space: u16,
    last: u32,
    implicit: Implicit,
    first_contracted: u32,
    language: Option<u8>,
) -> Uca {
    Uca { file, shift: space - 0x20, last, implicit, first_contracted, language, loaded: OnceLock::new() }
}

/// The languages of `tailored.bin`, as collations of `_unicode_ci`'s version name them.
const LANGUAGES: [&str; 23] = [
    "icelandic",
    "latvian",
    "romanian",
    "slovenian",
    "polish",
    "estonian",
    "spanish",
    "swedish",
    "turkish",
    "czech",
    "danish",
    "lithuanian",
    "slovak",
    "spanish2",
    "roman",
    "persian",
    "esperanto",
    "hungarian",
    "sinhala",
    "german2",
    "croatian_mysql561",
    "vietnamese",
    "croatian",
];

static TAILORED_FILE: &[u8] = include_bytes!("data/tailored.bin");

static TAILORED: [Uca; LANGUAGES.len()] = {
    let mut all = [const { table(UNICODE_400_FILE, 0x209, 0xFFFF, Implicit::Unicode4, 0x41, Some(0)) };
        LANGUAGES.len()];
    let mut i = 0;
    while i < LANGUAGES.len() {
        all[i].language = Some(i as u8);
        i += 1;
    }
    all
};

/// The weights of `<language>_ci`.
pub(super) fn tailored(language: &str) -> Option<&'static Uca> {
    LANGUAGES.iter().position(|known| *known == language).map(|i| &TAILORED[i])
}

static UNICODE_400_FILE: &[u8] = include_bytes!("data/unicode_400.uca.bin");
static UNICODE_520_FILE: &[u8] = include_bytes!("data/unicode_520.uca.bin");
static UCA_1400_FILE: &[u8] = include_bytes!("data/uca_1400.uca.bin");

pub(super) static UNICODE_400: Uca =
    table(UNICODE_400_FILE, 0x209, 0xFFFF, Implicit::Unicode4, NO_CONTRACTIONS, None);
pub(super) static UNICODE_520: Uca =
    table(UNICODE_520_FILE, 0x20A, 0x10_FFFF, Implicit::Unicode4, NO_CONTRACTIONS, None);
pub(super) static UCA_1400: Uca = table(UCA_1400_FILE, 0x209, 0x10_FFFF, Implicit::Unicode14, 0x300, None);

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

    /// Whether the version of Unicode has weights for a character.
    pub(super) fn knows(&self, code: u32) -> bool {
        code <= self.last
    }

    /// Whether a character could begin or go on a contraction.
    pub(super) fn may_contract(&self, code: u32) -> bool {
        code >= self.first_contracted
    }

    /// Whether a capital I has no dot and a small one with a dot its own capital.
    pub(super) fn is_turkish(&self) -> bool {
        self.language.is_some_and(|language| LANGUAGES[usize::from(language)] == "turkish")
    }

    /// Whether the weights of a character can depend on its neighbours.
    pub(super) fn has_contractions(&self) -> bool {
        self.first_contracted != NO_CONTRACTIONS
    }

    /// The weights of the longest contraction of `first` and what follows it in `rest`, and how many bytes of `rest`
    /// belong to it.
    #[inline]
    pub(super) fn contraction(
        &'static self,
        charset: Charset,
        first: u32,
        rest: &[u8],
    ) -> Option<(&'static [u16], usize)> {
        if !self.may_contract(first) {
            return None;
        }
        let candidates = self.loaded().contractions.get(&first)?;
        candidates.iter().find_map(|candidate| {
            let mut at = 0;
            for wanted in &candidate.rest {
                let left = rest.get(at..).filter(|left| !left.is_empty())?;
                let (code, len) = charset.decode(left);
                if code != Some(*wanted) {
                    return None;
                }
                at += len;
            }
            Some((&candidate.weights[..], at))
        })
    }

    /// The implicit weights of a code point without an entry, unshifted.
    #[inline]
    pub(super) fn implicit_weights(&self, code: u32) -> (u16, u16) {
        let base = match (self.implicit, code) {
            (Implicit::Unicode4, 0x3400..=0x4DB5) => 0xFB80,
            (Implicit::Unicode4, 0x4E00..=0x9FA5) | (Implicit::Unicode14, 0x4E00..=0x9FFF) => 0xFB40,
            (
                Implicit::Unicode14,
                0x3400..=0x4DBF
                | 0x2_0000..=0x2_A6DF
                | 0x2_A700..=0x2_B738
                | 0x2_B740..=0x2_B81D
                | 0x2_B820..=0x2_CEA1
                | 0x2_CEB0..=0x2_EBE0
                | 0x3_0000..=0x3_134A,
            ) => 0xFB80,
            _ => 0xFBC0,
        };
        (base + (code >> 15) as u16, (code & 0x7FFF) as u16 | 0x8000)
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
    /// Reads the script's format: see there.
    fn read(uca: &Uca) -> Loaded {
        let file = uca.file;
        let u16_at = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]);
        let count = usize::from(u16_at(0));
        let slots: Vec<usize> = (0..count).map(|i| usize::from(u16_at(2 + 2 * i))).collect();
        let mut index = vec![0; slots.last().map_or(1, |last| last + 1)].into_boxed_slice();
        let (mut pages, mut pool) = (Vec::with_capacity(count), Vec::new());
        let mut at = 2 + 2 * count;
        for (i, slot) in slots.into_iter().enumerate() {
            index[slot] = i as u16 + 1;
            let counts = &file[at..at + 128];
            at += 128;
            pages.push(std::array::from_fn(|code| {
                let weights = u32::from(counts[code / 2] >> (4 * (code % 2)) & 15);
                if weights == 15 {
                    return IMPLICIT;
                }
                let entry = (pool.len() as u32) << 4 | weights;
                pool.extend((0..weights as usize).map(|w| u16_at(at + 2 * w)));
                at += 2 * weights as usize;
                entry
            }));
        }
        let mut contractions = read_contractions(&file[at..]).0;
        if let Some(language) = uca.language {
            let moved = tailoring(language);
            for (code, entry) in moved.iter().filter_map(|(code, list)| Some((*code, alone(list)?))) {
                let slot = (code >> 8) as usize;
                if index[slot] == 0 {
                    pages.push([IMPLICIT; 256]);
                    index[slot] = pages.len() as u16;
                }
                pages[usize::from(index[slot]) - 1][(code & 0xFF) as usize] =
                    (pool.len() as u32) << 4 | entry.weights.len() as u32;
                pool.extend_from_slice(&entry.weights);
            }
            for (code, list) in moved {
                let longer: Vec<Contraction> = list.into_iter().filter(|c| !c.rest.is_empty()).collect();
                if !longer.is_empty() {
                    contractions.insert(code, longer);
                }
            }
        }
        let ascii = std::array::from_fn(|code| {
            let page = index[0].checked_sub(1).map(|page| &pages[usize::from(page)]);
            match page.map(|page| page[code]) {
                // What may begin a contraction is looked at with what follows.
                _ if contractions.contains_key(&(code as u32)) => 0,
                Some(entry) if entry != IMPLICIT && entry & 15 == 1 => {
                    uca.shifted(pool[(entry >> 4) as usize])
                }
                _ => 0,
            }
        });
        Loaded { index, pages: pages.into(), pool: pool.into(), ascii, contractions }
    }
}

/// The entry of a character by itself.
fn alone(list: &[Contraction]) -> Option<&Contraction> {
    list.iter().find(|c| c.rest.is_empty())
}

/// What a language weighs otherwise, by first character.
fn tailoring(language: u8) -> HashMap<u32, Vec<Contraction>> {
    let mut file = TAILORED_FILE;
    for _ in 0..language {
        file = &file[read_contractions(file).1..];
    }
    read_contractions(file).0
}

/// Contractions and the bytes that they take.
fn read_contractions(file: &[u8]) -> (HashMap<u32, Vec<Contraction>>, usize) {
    let u16_at = |at: usize| u16::from_le_bytes([file[at], file[at + 1]]);
    let u32_at = |at: usize| u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]);
    let mut contractions: HashMap<u32, Vec<Contraction>> = HashMap::new();
    let mut at = 2;
    for _ in 0..u16_at(0) {
        let (characters, weights) = (usize::from(file[at]), usize::from(file[at + 1]));
        let (text, list) = (at + 2, at + 2 + 4 * characters);
        let rest = (1..characters).map(|i| u32_at(text + 4 * i)).collect();
        let weights_of = (0..weights).map(|i| u16_at(list + 2 * i)).collect();
        contractions.entry(u32_at(text)).or_default().push(Contraction { rest, weights: weights_of });
        at = list + 2 * weights;
    }
    contractions.values_mut().for_each(|list| list.sort_by_key(|c| std::cmp::Reverse(c.rest.len())));
    (contractions, at)
}
