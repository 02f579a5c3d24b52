//! x86-64: the CRC-32C instruction, and folding by carry-less multiplication for both polynomials (Gopal et al.,
//! "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ", Intel, 2009), in the reflected domain.
//!
//! # How folding works here
//!
//! Sixteen bytes loaded as they lie are the polynomial in which bit `i` of the 128 stands for `x^(127-i)`: the low
//! half `L` holds the high powers. A carry-less product of two 64-bit halves read that way is the product times
//! `x`, and so, to move a block `D` bits towards the front of the message,
//!
//! ```text
//!   block * x^D  =  L * x^(64+D) + H * x^D  =  clmul(L, x^(63+D) mod P) + clmul(H, x^(D-1) mod P)
//! ```
//!
//! with the residues in the upper halves of 64-bit words. Several blocks are moved side by side over the whole
//! stride, then onto each other; at the end one block is reduced to 32 bits by Barrett's method.

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_and_si128, _mm_clmulepi64_si128, _mm_crc32_u8, _mm_crc32_u64,
    _mm_cvtsi32_si128, _mm_extract_epi32, _mm_loadu_si128, _mm_set_epi64x, _mm_slli_si128, _mm_srli_si128,
    _mm_xor_si128, _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_clmulepi64_epi128,
    _mm256_extracti128_si256, _mm256_inserti128_si256, _mm256_loadu_si256, _mm256_setzero_si256,
    _mm256_xor_si256, _mm512_broadcast_i64x2, _mm512_castsi512_si128, _mm512_clmulepi64_epi128,
    _mm512_extracti64x2_epi64, _mm512_inserti64x2, _mm512_loadu_si512, _mm512_setzero_si512,
    _mm512_ternarylogic_epi64, _mm512_xor_si512,
};
use std::marker::PhantomData;

use super::{Kernel, slicing};
use crate::polynomial::{Castagnoli, Polynomial, power_of_x};

pub(super) fn is_available<P: Polynomial>(kernel: Kernel) -> bool {
    let fold128 = || is_x86_feature_detected!("sse4.2") && is_x86_feature_detected!("pclmulqdq");
    let fold256 = || fold128() && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("vpclmulqdq");
    match kernel {
        Kernel::Bitwise | Kernel::Slicing => true,
        Kernel::Instruction => is_castagnoli::<P>() && is_x86_feature_detected!("sse4.2"),
        Kernel::Fold128 => fold128(),
        Kernel::Fold256 => fold256(),
        Kernel::Fold512 => {
            fold256() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")
        }
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
            Kernel::Bitwise | Kernel::Slicing => slicing::slicing::<P>(state, data),
            Kernel::Instruction => instruction(state, data),
            Kernel::Fold128 => fold128::<P>(state, data),
            Kernel::Fold256 => fold256::<P>(state, data),
            Kernel::Fold512 => fold512::<P>(state, data),
        }
    }
}

const fn is_castagnoli<P: Polynomial>() -> bool {
    P::REFLECTED == Castagnoli::REFLECTED
}

/// The constants of a polynomial.
struct Constants<P>(PhantomData<P>);

impl<P: Polynomial> Constants<P> {
    /// Moves a block by 16, 32, 64, 128 and 256 bytes.
    const BY_16: [u64; 2] = Self::fold(16);
    const BY_32: [u64; 2] = Self::fold(32);
    const BY_64: [u64; 2] = Self::fold(64);
    const BY_128: [u64; 2] = Self::fold(128);
    const BY_256: [u64; 2] = Self::fold(256);
    /// Reduces 128 bits to 96, then to 64.
    const REDUCE: [u64; 2] = [Self::residue(95), Self::residue(63)];
    /// `floor(x^64 / P)` and `P` itself, in 33 reflected bits.
    const BARRETT: [u64; 2] = Self::barrett();

    const fn residue(exponent: u64) -> u64 {
        (power_of_x(P::REFLECTED, exponent) as u64) << 32
    }

    const fn fold(bytes: u64) -> [u64; 2] {
        [Self::residue(bytes * 8 + 63), Self::residue(bytes * 8 - 1)]
    }

    const fn barrett() -> [u64; 2] {
        let polynomial = P::REFLECTED.reverse_bits() as u128 | 1 << 32;
        let (mut rest, mut quotient, mut bit) = (1_u128 << 64, 0_u64, 33);
        while bit > 0 {
            bit -= 1;
            if rest >> (bit + 32) & 1 == 1 {
                rest ^= polynomial << bit;
                quotient |= 1 << bit;
            }
        }
        [quotient.reverse_bits() >> 31, (polynomial as u64).reverse_bits() >> 31]
    }
}

/// The CRC-32C instruction, eight bytes at a time.
#[target_feature(enable = "sse4.2")]
fn instruction(state: u32, data: &[u8]) -> u32 {
    let (words, rest) = data.as_chunks::<8>();
    let wide =
        words.iter().fold(u64::from(state), |state, word| _mm_crc32_u64(state, u64::from_le_bytes(*word)));
    rest.iter().fold(wide as u32, |state, byte| _mm_crc32_u8(state, *byte))
}

/// What is too short to fold.
#[inline]
#[target_feature(enable = "sse4.2")]
fn short<P: Polynomial>(state: u32, data: &[u8]) -> u32 {
    if is_castagnoli::<P>() { instruction(state, data) } else { slicing::slicing::<P>(state, data) }
}

#[inline]
#[target_feature(enable = "sse4.2")]
fn pair(constants: [u64; 2]) -> __m128i {
    _mm_set_epi64x(constants[1] as i64, constants[0] as i64)
}

#[inline]
#[target_feature(enable = "sse4.2")]
fn load128(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: sixteen bytes are there, and this load wants no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Moves `block` by the distance of `by` and adds `next`.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn step128(block: __m128i, by: __m128i, next: __m128i) -> __m128i {
    let low = _mm_clmulepi64_si128::<0x00>(block, by);
    let high = _mm_clmulepi64_si128::<0x11>(block, by);
    _mm_xor_si128(_mm_xor_si128(low, high), next)
}

/// Folds the rest of a message onto `block`, sixteen bytes at a time, and reduces.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn finish<P: Polynomial>(mut block: __m128i, data: &[u8]) -> u32 {
    let by = pair(Constants::<P>::BY_16);
    let (blocks, rest) = data.as_chunks::<16>();
    for next in blocks {
        block = step128(block, by, load128(next));
    }
    short::<P>(reduce::<P>(block), rest)
}

/// `block * x^32 mod P`: the register after the block.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn reduce<P: Polynomial>(block: __m128i) -> u32 {
    let by = pair(Constants::<P>::REDUCE);
    // 128 to 96 bits: L * x^96 mod P, and H moved up by 32 bits.
    let upper = _mm_slli_si128::<4>(_mm_srli_si128::<8>(block));
    let bits96 = _mm_xor_si128(_mm_clmulepi64_si128::<0x00>(block, by), upper);
    // 96 to 64 bits: the 32 highest powers, in bits 32 to 63, times x^64 mod P; the result is in the upper half.
    let bits64 = _mm_xor_si128(_mm_clmulepi64_si128::<0x10>(bits96, by), bits96);
    let value = _mm_srli_si128::<8>(bits64);
    // 64 to 32 bits, by Barrett: q = floor(high * floor(x^64 / P) / x^32), and value - q * P is the residue.
    let barrett = pair(Constants::<P>::BARRETT);
    let low32 = _mm_set_epi64x(0, 0xFFFF_FFFF);
    let high = _mm_and_si128(value, low32);
    let quotient = _mm_and_si128(_mm_clmulepi64_si128::<0x00>(high, barrett), low32);
    let product = _mm_clmulepi64_si128::<0x10>(quotient, barrett);
    _mm_extract_epi32::<1>(_mm_xor_si128(product, value)) as u32
}

/// Eight blocks of sixteen bytes side by side.
#[target_feature(enable = "sse4.2,pclmulqdq")]
fn fold128<P: Polynomial>(state: u32, data: &[u8]) -> u32 {
    let (strides, rest) = data.as_chunks::<128>();
    let register = _mm_cvtsi32_si128(state as i32);
    let Some((first, strides)) = strides.split_first() else {
        let Some((first, rest)) = data.split_first_chunk::<16>() else { return short::<P>(state, data) };
        return finish::<P>(_mm_xor_si128(load128(first), register), rest);
    };
    let load = |stride: &[u8; 128], lane: usize| load128(&stride.as_chunks::<16>().0[lane]);
    let mut lanes: [__m128i; 8] = std::array::from_fn(|lane| load(first, lane));
    lanes[0] = _mm_xor_si128(lanes[0], register);
    let by = pair(Constants::<P>::BY_128);
    for stride in strides {
        for (lane, block) in lanes.iter_mut().enumerate() {
            *block = step128(*block, by, load(stride, lane));
        }
    }
    let by = pair(Constants::<P>::BY_16);
    let mut block = lanes[0];
    for next in &lanes[1..] {
        block = step128(block, by, *next);
    }
    finish::<P>(block, rest)
}

#[inline]
#[target_feature(enable = "avx2,vpclmulqdq")]
fn step256(block: __m256i, by: __m256i, next: __m256i) -> __m256i {
    let low = _mm256_clmulepi64_epi128::<0x00>(block, by);
    let high = _mm256_clmulepi64_epi128::<0x11>(block, by);
    _mm256_xor_si256(_mm256_xor_si256(low, high), next)
}

/// Four blocks of thirty-two bytes side by side.
#[target_feature(enable = "sse4.2,pclmulqdq,avx2,vpclmulqdq")]
fn fold256<P: Polynomial>(state: u32, data: &[u8]) -> u32 {
    let (strides, rest) = data.as_chunks::<128>();
    let Some((first, strides)) = strides.split_first() else { return fold128::<P>(state, data) };
    let load = |stride: &[u8; 128], lane: usize| -> __m256i {
        let bytes = &stride.as_chunks::<32>().0[lane];
        // SAFETY: thirty-two bytes are there, and this load wants no alignment.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    };
    let register = _mm256_inserti128_si256::<0>(_mm256_setzero_si256(), _mm_cvtsi32_si128(state as i32));
    let mut lanes: [__m256i; 4] = std::array::from_fn(|lane| load(first, lane));
    lanes[0] = _mm256_xor_si256(lanes[0], register);
    let by = _mm256_broadcastsi128_si256(pair(Constants::<P>::BY_128));
    for stride in strides {
        for (lane, block) in lanes.iter_mut().enumerate() {
            *block = step256(*block, by, load(stride, lane));
        }
    }
    let by = _mm256_broadcastsi128_si256(pair(Constants::<P>::BY_32));
    let mut block = lanes[0];
    for next in &lanes[1..] {
        block = step256(block, by, *next);
    }
    let by = pair(Constants::<P>::BY_16);
    let whole = step128(_mm256_castsi256_si128(block), by, _mm256_extracti128_si256::<1>(block));
    finish::<P>(whole, rest)
}

#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn step512(block: __m512i, by: __m512i, next: __m512i) -> __m512i {
    /// The truth table of `a ^ b ^ c`.
    const XOR3: i32 = 0x96;
    let low = _mm512_clmulepi64_epi128::<0x00>(block, by);
    let high = _mm512_clmulepi64_epi128::<0x11>(block, by);
    _mm512_ternarylogic_epi64::<XOR3>(low, high, next)
}

/// Four blocks of sixty-four bytes side by side.
#[target_feature(enable = "sse4.2,pclmulqdq,avx2,vpclmulqdq,avx512f,avx512dq")]
fn fold512<P: Polynomial>(state: u32, data: &[u8]) -> u32 {
    let (strides, rest) = data.as_chunks::<256>();
    let Some((first, strides)) = strides.split_first() else { return fold128::<P>(state, data) };
    let load = |stride: &[u8; 256], lane: usize| -> __m512i {
        let bytes = &stride.as_chunks::<64>().0[lane];
        // SAFETY: sixty-four bytes are there, and this load wants no alignment.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    };
    let register = _mm512_inserti64x2::<0>(_mm512_setzero_si512(), _mm_cvtsi32_si128(state as i32));
    let mut lanes: [__m512i; 4] = std::array::from_fn(|lane| load(first, lane));
    lanes[0] = _mm512_xor_si512(lanes[0], register);
    let by = _mm512_broadcast_i64x2(pair(Constants::<P>::BY_256));
    for stride in strides {
        for (lane, block) in lanes.iter_mut().enumerate() {
            *block = step512(*block, by, load(stride, lane));
        }
    }
    let by = _mm512_broadcast_i64x2(pair(Constants::<P>::BY_64));
    let mut block = lanes[0];
    for next in &lanes[1..] {
        block = step512(block, by, *next);
    }
    let by = pair(Constants::<P>::BY_16);
    let mut whole = _mm512_castsi512_si128(block);
    whole = step128(whole, by, _mm512_extracti64x2_epi64::<1>(block));
    whole = step128(whole, by, _mm512_extracti64x2_epi64::<2>(block));
    whole = step128(whole, by, _mm512_extracti64x2_epi64::<3>(block));
    finish::<P>(whole, rest)
}
