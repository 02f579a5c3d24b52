//! AArch64: the CRC32 extension, which has instructions for both polynomials and which all ARMv8.1 CPUs have, and
//! folding ([`super::fold`]) by `PMULL`, which belongs to the cryptographic extension.

use std::arch::aarch64::{
    __crc32b, __crc32cb, __crc32cd, __crc32d, uint64x2_t, veorq_u64, vgetq_lane_u64, vld1q_u64, vmull_p64,
    vreinterpretq_u64_p128, vsetq_lane_u64,
};
use std::arch::is_aarch64_feature_detected;

use super::Kernel;
use super::fold::Constants;
use crate::polynomial::{Castagnoli, Polynomial};

/// Blocks of sixteen bytes that are folded side by side: `PMULL` has a latency of two to six cycles.
const LANES: usize = 8;

pub(super) fn is_available(kernel: Kernel) -> bool {
    match kernel {
        Kernel::Instruction => is_aarch64_feature_detected!("crc"),
        Kernel::Fold128 => is_aarch64_feature_detected!("crc") && is_aarch64_feature_detected!("aes"),
        _ => false,
    }
}

/// Runs a kernel of this file.
///
/// # Safety
/// [`is_available`] said yes.
#[inline]
pub(super) unsafe fn run<P: Polynomial>(kernel: Kernel, state: u32, data: &[u8]) -> u32 {
    // SAFETY: the caller knows that the CPU has the kernel's instructions.
    unsafe {
        match kernel {
            Kernel::Fold128 => fold128::<P>(state, data),
            _ => instruction::<P>(state, data),
        }
    }
}

#[inline]
#[target_feature(enable = "crc")]
fn word<P: Polynomial>(state: u32, word: u64) -> u32 {
    if P::REFLECTED == Castagnoli::REFLECTED { __crc32cd(state, word) } else { __crc32d(state, word) }
}

/// Eight bytes an instruction.
#[target_feature(enable = "crc")]
fn instruction<P: Polynomial>(mut state: u32, data: &[u8]) -> u32 {
    let (words, rest) = data.as_chunks::<8>();
    for bytes in words {
        state = word::<P>(state, u64::from_le_bytes(*bytes));
    }
    let castagnoli = P::REFLECTED == Castagnoli::REFLECTED;
    for byte in rest {
        state = if castagnoli { __crc32cb(state, *byte) } else { __crc32b(state, *byte) };
    }
    state
}

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> uint64x2_t {
    // SAFETY: sixteen bytes are there, and this load wants no alignment of more than a byte in them.
    unsafe { vld1q_u64(bytes.as_ptr().cast()) }
}

/// Moves `block` by the distance of `by` and adds `next`.
#[inline]
#[target_feature(enable = "neon,aes")]
fn step(block: uint64x2_t, by: [u64; 2], next: uint64x2_t) -> uint64x2_t {
    let low = vreinterpretq_u64_p128(vmull_p64(vgetq_lane_u64::<0>(block), by[0]));
    let high = vreinterpretq_u64_p128(vmull_p64(vgetq_lane_u64::<1>(block), by[1]));
    veorq_u64(veorq_u64(low, high), next)
}

/// Eight blocks of sixteen bytes side by side; the instruction does what is too short, and the reduction.
#[target_feature(enable = "neon,aes,crc")]
fn fold128<P: Polynomial>(state: u32, data: &[u8]) -> u32 {
    let (blocks, rest) = data.as_chunks::<16>();
    let (strides, blocks) = blocks.as_chunks::<LANES>();
    let Some((first, strides)) = strides.split_first() else { return instruction::<P>(state, data) };
    let mut lanes: [uint64x2_t; LANES] = std::array::from_fn(|lane| load(&first[lane]));
    let with_register = vgetq_lane_u64::<0>(lanes[0]) ^ u64::from(state);
    lanes[0] = vsetq_lane_u64::<0>(with_register, lanes[0]);
    for stride in strides {
        for (block, next) in lanes.iter_mut().zip(stride) {
            *block = step(*block, Constants::<P>::BY_128, load(next));
        }
    }
    let mut block = lanes[0];
    for next in &lanes[1..] {
        block = step(block, Constants::<P>::BY_16, *next);
    }
    for next in blocks {
        block = step(block, Constants::<P>::BY_16, load(next));
    }
    // A block before which nothing stands: its sum by the instruction is its residue.
    let low = word::<P>(0, vgetq_lane_u64::<0>(block));
    instruction::<P>(word::<P>(low, vgetq_lane_u64::<1>(block)), rest)
}
