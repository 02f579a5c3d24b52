//! Kernels without special instructions.

use crate::polynomial::{Polynomial, times_x};

/// The definition: divide, bit by bit.
pub(super) fn bitwise<P: Polynomial>(mut state: u32, data: &[u8]) -> u32 {
    for byte in data {
        state ^= u32::from(*byte);
        for _ in 0..8 {
            state = times_x(P::REFLECTED, state);
        }
    }
    state
}

/// Slicing-by-16 (Kounavis and Berry, 2005): the register goes into the first four of sixteen bytes, each byte's
/// residue at its distance comes from a table, and their sum is the new register.
pub(super) fn slicing<P: Polynomial>(mut state: u32, data: &[u8]) -> u32 {
    let (blocks, rest) = data.as_chunks::<16>();
    for block in blocks {
        let register = state.to_le_bytes();
        state = 0;
        for (position, byte) in block.iter().enumerate() {
            let byte = byte ^ register.get(position).copied().unwrap_or(0);
            state ^= P::SLICES[15 - position][usize::from(byte)];
        }
    }
    bytewise::<P>(state, rest)
}

/// One table look-up a byte.
pub(super) fn bytewise<P: Polynomial>(state: u32, data: &[u8]) -> u32 {
    data.iter()
        .fold(state, |state, byte| (state >> 8) ^ P::SLICES[0][((state ^ u32::from(*byte)) & 255) as usize])
}
