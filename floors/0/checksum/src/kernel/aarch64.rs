//! AArch64: the CRC32 extension, which has instructions for both polynomials. All ARMv8.1 CPUs have it.

use std::arch::aarch64::{__crc32b, __crc32cb, __crc32cd, __crc32d};
use std::arch::is_aarch64_feature_detected;

use crate::polynomial::{Castagnoli, Polynomial};

pub(super) fn is_available() -> bool {
    is_aarch64_feature_detected!("crc")
}

/// Eight bytes an instruction.
#[target_feature(enable = "crc")]
pub(super) fn instruction<P: Polynomial>(mut state: u32, data: &[u8]) -> u32 {
    let castagnoli = P::REFLECTED == Castagnoli::REFLECTED;
    let (words, rest) = data.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word);
        state = if castagnoli { __crc32cd(state, word) } else { __crc32d(state, word) };
    }
    for byte in rest {
        state = if castagnoli { __crc32cb(state, *byte) } else { __crc32b(state, *byte) };
    }
    state
}
