//! Character sets of one byte a character and the weights of their collations, from the tables that
//! `scripts/collation_tables.py` observed.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Character sets in `byte_sets.bin`.
const SETS: usize = 24;
/// 256 code points of two bytes, capitals, small letters.
const SET_BYTES: usize = 1024;

static SET_TABLES: &[u8; SETS * SET_BYTES] = include_bytes!("data/byte_sets.bin");
static WEIGHTS: &[u8] = include_bytes!("data/byte_weights.bin");

/// latin1_german2_ci: two weights a character, the second 0 where there is only one.
pub(super) static LATIN1_GERMAN2: &[u8; 512] = include_bytes!("data/latin1_german2_ci.bin");

/// The weights number `index` of `byte_weights.bin`.
pub(super) fn weights(index: usize) -> Option<&'static [u8; 256]> {
    WEIGHTS.get(index * 256..(index + 1) * 256)?.try_into().ok()
}

/// One character set.
#[derive(Clone, Copy)]
pub(super) struct ByteSet(&'static [u8; SET_BYTES], u8);

impl ByteSet {
    pub(super) fn of(index: u8) -> ByteSet {
        let at = usize::from(index) * SET_BYTES;
        let table = SET_TABLES[at..at + SET_BYTES].try_into().expect("a slice of SET_BYTES");
        ByteSet(table, index)
    }

    /// The code point of a byte; none where the set has no character.
    #[inline]
    pub(super) fn code(self, byte: u8) -> Option<u32> {
        let at = usize::from(byte) * 2;
        match u16::from_le_bytes([self.0[at], self.0[at + 1]]) {
            0 if byte != 0 => None,
            code => Some(u32::from(code)),
        }
    }

    #[inline]
    pub(super) fn upper(self, byte: u8) -> u8 {
        self.0[512 + usize::from(byte)]
    }

    #[inline]
    pub(super) fn lower(self, byte: u8) -> u8 {
        self.0[768 + usize::from(byte)]
    }

    /// The byte of a code point.
    pub(super) fn byte(self, code: u32) -> Option<u8> {
        static INVERSES: [OnceLock<HashMap<u16, u8>>; SETS] = [const { OnceLock::new() }; SETS];
        let code = u16::try_from(code).ok()?;
        // Most text is ASCII, which nearly all sets have in its place.
        if code < 0x80 && self.code(code as u8) == Some(u32::from(code)) {
            return Some(code as u8);
        }
        let inverse = INVERSES[usize::from(self.1)].get_or_init(|| {
            // The first byte of several for one code point is the one that is written.
            let pairs = (0..=u8::MAX).rev().filter_map(|byte| Some((self.code(byte)? as u16, byte)));
            pairs.collect()
        });
        inverse.get(&code).copied()
    }
}
