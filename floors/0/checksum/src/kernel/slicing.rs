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
/// residue at its distance comes from a table, and their sum is the new register. Then the same by 8 and by 4.
pub(super) fn slicing<P: Polynomial>(mut state: u32, data: &[u8]) -> u32 {
    let (blocks, mut rest) = data.as_chunks::<16>();
    for block in blocks {
        state = slice::<P, 16>(state, block);
    }
    if let Some((block, after)) = rest.split_first_chunk::<8>() {
        (state, rest) = (slice::<P, 8>(state, block), after);
    }
    if let Some((block, after)) = rest.split_first_chunk::<4>() {
        (state, rest) = (slice::<P, 4>(state, block), after);
    }
    rest.iter()
        .fold(state, |state, byte| (state >> 8) ^ P::SLICES[0][((state ^ u32::from(*byte)) & 255) as usize])
}

#[inline]
fn slice<P: Polynomial, const N: usize>(state: u32, block: &[u8; N]) -> u32 {
    let register = state.to_le_bytes();
    let mut sum = 0;
    for (position, byte) in block.iter().enumerate() {
        let byte = if position < 4 { byte ^ register[position] } else { *byte };
        sum ^= P::SLICES[N - 1 - position][usize::from(byte)];
    }
    sum
}
