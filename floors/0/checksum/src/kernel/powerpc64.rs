//! POWER8 and later, little-endian: folding ([`super::fold`]) by `vpmsumd`, which multiplies both halves of a block and
//! adds the products: a whole step but for one XOR.
//!
//! In assembly, because the vector types of this architecture are not stable in Rust. Blocks are loaded by `lvx`, the one
//! load of POWER8 that puts the bytes of memory into a register in the order that the products have; it wants
//! alignment, so what stands before the first aligned block goes through tables.

use std::arch::asm;

use super::fold::Constants;
use super::slicing;
use crate::polynomial::Polynomial;

/// Blocks of sixteen bytes that are folded side by side: `vpmsumd` has a latency of six cycles, and one begins in each.
const LANES: usize = 8;
/// Shortest aligned data that is folded.
const FOLDED_MIN: usize = 2 * LANES * 16;

/// A block as `lvx` wants it in memory.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Block([u64; 2]);

pub(super) fn is_available() -> bool {
    /// The vector category with carry-less products (asm/cputable.h).
    const PPC_FEATURE2_VEC_CRYPTO: libc::c_ulong = 0x0200_0000;
    // SAFETY: reads what the kernel told the process at its start.
    unsafe { libc::getauxval(libc::AT_HWCAP2) & PPC_FEATURE2_VEC_CRYPTO != 0 }
}

/// Advances the register `state` over `data`.
///
/// # Safety
/// [`is_available`] said yes.
pub(super) unsafe fn fold<P: Polynomial>(state: u32, data: &[u8]) -> u32 {
    // SAFETY: every pattern of bits is a Block, and the slice is only read.
    let (head, blocks, tail) = unsafe { data.align_to::<Block>() };
    if size_of_val(blocks) < FOLDED_MIN {
        return slicing::slicing::<P>(state, data);
    }
    let state = slicing::slicing::<P>(state, head);
    let (strides, rest) = blocks.as_chunks::<LANES>();
    // SAFETY: the CPU has the instructions, as the caller knows.
    let block = unsafe { fold_blocks::<P>(state, strides, rest) };
    // SAFETY: as above.
    let state = unsafe { reduce::<P>(block) };
    slicing::slicing::<P>(state, tail)
}

/// Folds two strides and more, then the single blocks behind them, into one block.
///
/// # Safety
/// [`is_available`] said yes.
#[inline]
unsafe fn fold_blocks<P: Polynomial>(state: u32, strides: &[[Block; LANES]], rest: &[Block]) -> Block {
    // In a register the half with the higher powers is the low one, as in memory.
    let constants = [Block(Constants::<P>::BY_128), Block(Constants::<P>::BY_16)];
    let mut block = Block([u64::from(state), 0]);
    // SAFETY: reads `strides` (at least two: the caller's FOLDED_MIN), `rest`, `constants` and `block`, all aligned by
    // their type, and writes `block`; all registers that change are named.
    unsafe {
        asm!(
            // Constants, the register, and the first stride.
            "lvx 18, 0, {constants}",
            "lvx 19, {o16}, {constants}",
            "lvx 16, 0, {block}",
            "lvx 0, 0, {at}",
            "lvx 1, {o16}, {at}",
            "lvx 2, {o32}, {at}",
            "lvx 3, {o48}, {at}",
            "addi {at}, {at}, 64",
            "lvx 4, 0, {at}",
            "lvx 5, {o16}, {at}",
            "lvx 6, {o32}, {at}",
            "lvx 7, {o48}, {at}",
            "addi {at}, {at}, 64",
            "vxor 0, 0, 16",
            "mtctr {strides}",
            "2:",
            "vpmsumd 8, 0, 18",
            "vpmsumd 9, 1, 18",
            "vpmsumd 10, 2, 18",
            "vpmsumd 11, 3, 18",
            "lvx 0, 0, {at}",
            "lvx 1, {o16}, {at}",
            "lvx 2, {o32}, {at}",
            "lvx 3, {o48}, {at}",
            "addi {at}, {at}, 64",
            "vpmsumd 12, 4, 18",
            "vpmsumd 13, 5, 18",
            "vpmsumd 14, 6, 18",
            "vpmsumd 15, 7, 18",
            "lvx 4, 0, {at}",
            "lvx 5, {o16}, {at}",
            "lvx 6, {o32}, {at}",
            "lvx 7, {o48}, {at}",
            "addi {at}, {at}, 64",
            "vxor 0, 0, 8",
            "vxor 1, 1, 9",
            "vxor 2, 2, 10",
            "vxor 3, 3, 11",
            "vxor 4, 4, 12",
            "vxor 5, 5, 13",
            "vxor 6, 6, 14",
            "vxor 7, 7, 15",
            "bdnz 2b",
            // The lanes onto each other.
            "vpmsumd 8, 0, 19",
            "vxor 1, 1, 8",
            "vpmsumd 8, 1, 19",
            "vxor 2, 2, 8",
            "vpmsumd 8, 2, 19",
            "vxor 3, 3, 8",
            "vpmsumd 8, 3, 19",
            "vxor 4, 4, 8",
            "vpmsumd 8, 4, 19",
            "vxor 5, 5, 8",
            "vpmsumd 8, 5, 19",
            "vxor 6, 6, 8",
            "vpmsumd 8, 6, 19",
            "vxor 7, 7, 8",
            // Blocks that are left; there may be none.
            "cmpdi {rest}, 0",
            "beq 4f",
            "mtctr {rest}",
            "3:",
            "vpmsumd 8, 7, 19",
            "lvx 7, 0, {at}",
            "addi {at}, {at}, 16",
            "vxor 7, 7, 8",
            "bdnz 3b",
            "4:",
            "stvx 7, 0, {block}",
            at = inout(reg_nonzero) strides.as_ptr() => _,
            constants = in(reg_nonzero) constants.as_ptr(),
            block = in(reg_nonzero) &raw mut block,
            o16 = in(reg_nonzero) 16,
            o32 = in(reg_nonzero) 32,
            o48 = in(reg_nonzero) 48,
            strides = in(reg) strides.len() - 1,
            rest = in(reg) rest.len(),
            out("ctr") _, out("cr0") _,
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _, out("v6") _, out("v7") _,
            out("v8") _, out("v9") _, out("v10") _, out("v11") _, out("v12") _, out("v13") _, out("v14") _,
            out("v15") _, out("v16") _, out("v18") _, out("v19") _,
            options(nostack),
        );
    }
    block
}

/// `block * x^32 mod P`: the register after the block.
///
/// # Safety
/// [`is_available`] said yes.
#[inline]
unsafe fn reduce<P: Polynomial>(block: Block) -> u32 {
    // SAFETY: as the caller promises.
    let multiply = |a, b| unsafe { carryless(a, b) };
    let [low, high] = block.0;
    // 128 to 96 bits, 96 to 64, and Barrett's method, as on x86-64.
    let [by_96, by_64] = Constants::<P>::REDUCE;
    let bits96 = multiply(low, by_96) ^ u128::from(high) << 32;
    let value = ((multiply(bits96 as u64, by_64) ^ bits96) >> 64) as u64;
    let [quotient_by, polynomial] = Constants::<P>::BARRETT;
    let quotient = multiply(value & 0xFFFF_FFFF, quotient_by) as u64 & 0xFFFF_FFFF;
    ((multiply(quotient, polynomial) as u64 ^ value) >> 32) as u32
}

/// The carry-less product of two words.
///
/// # Safety
/// [`is_available`] said yes.
#[inline]
unsafe fn carryless(a: u64, b: u64) -> u128 {
    let (low, high): (u64, u64);
    // SAFETY: registers only, all that change are named. VSX registers 32 and 33 are vector registers 0 and 1; moves reach
    // their upper halves, so the lower ones are cleared, and the product's lower half is swapped up.
    unsafe {
        asm!(
            "mtvsrd 32, {a}",
            "mtvsrd 33, {b}",
            "vxor 2, 2, 2",
            "xxpermdi 32, 32, 34, 0",
            "xxpermdi 33, 33, 34, 0",
            "vpmsumd 0, 0, 1",
            "mfvsrd {high}, 32",
            "xxpermdi 32, 32, 32, 2",
            "mfvsrd {low}, 32",
            a = in(reg) a,
            b = in(reg) b,
            high = out(reg) high,
            low = lateout(reg) low,
            out("v0") _, out("v1") _, out("v2") _,
            options(pure, nomem, nostack),
        );
    }
    u128::from(high) << 64 | u128::from(low)
}
