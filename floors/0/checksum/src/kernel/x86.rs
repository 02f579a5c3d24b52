//! x86-64: the CRC-32C instruction, and folding ([`super::fold`]) for both polynomials, 128, 256 and 512 bits at a time.

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _MM_HINT_T0, _mm_and_si128, _mm_clmulepi64_si128, _mm_crc32_u8, _mm_crc32_u64,
    _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_extract_epi32, _mm_extract_epi64,
    _mm_loadu_si128, _mm_prefetch, _mm_set_epi64x, _mm_slli_si128, _mm_srli_si128, _mm_xor_si128,
    _mm256_broadcastsi128_si256, _mm256_castsi256_si128, _mm256_clmulepi64_epi128, _mm256_extracti128_si256,
    _mm256_inserti128_si256, _mm256_loadu_si256, _mm256_setzero_si256, _mm256_xor_si256,
    _mm512_broadcast_i64x2, _mm512_castsi512_si128, _mm512_clmulepi64_epi128, _mm512_extracti64x2_epi64,
    _mm512_inserti64x2, _mm512_loadu_si512, _mm512_set_epi64, _mm512_setzero_si512,
    _mm512_ternarylogic_epi64, _mm512_xor_si512,
};
use std::marker::PhantomData;

use super::fold::Constants;
use super::{Kernel, slicing};
use crate::polynomial::{Castagnoli, Polynomial, multiply, power_of_x};

pub(super) fn is_available<P: Polynomial>(kernel: Kernel) -> bool {
    let fold128 = || is_x86_feature_detected!("sse4.2") && is_x86_feature_detected!("pclmulqdq");
    let fold256 = || fold128() && is_x86_feature_detected!("avx2") && is_x86_feature_detected!("vpclmulqdq");
    let fold512 = || fold256() && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq");
    match kernel {
        Kernel::Bitwise | Kernel::Slicing => true,
        Kernel::Instruction => is_castagnoli::<P>() && is_x86_feature_detected!("sse4.2"),
        Kernel::Fold128 => fold128(),
        Kernel::Fold256 => fold256(),
        Kernel::Fold512 => fold512(),
        Kernel::Fused512 => is_castagnoli::<P>() && fold512(),
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
            Kernel::Fused512 => fused512(state, data),
        }
    }
}

const fn is_castagnoli<P: Polynomial>() -> bool {
    P::REFLECTED == Castagnoli::REFLECTED
}

/// The constants for [`LANES`] blocks of 64 bytes side by side.
struct Lanes<P>(PhantomData<P>);

impl<P: Polynomial> Lanes<P> {
    /// Moves all of them over the whole stride.
    const BY_STRIDE: [u64; 2] = Constants::<P>::fold(64 * LANES as u64);

    /// Moves each of them onto the last.
    const ONTO_LAST: [[u64; 2]; LANES - 1] = {
        let mut distances = [[0; 2]; LANES - 1];
        let mut lane = 0;
        while lane < LANES - 1 {
            distances[lane] = Constants::<P>::fold(64 * (LANES - 1 - lane) as u64);
            lane += 1;
        }
        distances
    };
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

/// Blocks of 64 bytes that are folded side by side.
const LANES: usize = 4;
/// The blocks that are folded at once.
type Stride = [[u8; 64]; LANES];

/// The truth table of `a ^ b ^ c`.
const XOR3: i32 = 0x96;

#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn step512(block: __m512i, by: __m512i, next: __m512i) -> __m512i {
    let low = _mm512_clmulepi64_epi128::<0x00>(block, by);
    let high = _mm512_clmulepi64_epi128::<0x11>(block, by);
    _mm512_ternarylogic_epi64::<XOR3>(low, high, next)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load512(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: sixty-four bytes are there, and this load wants no alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// How far before its turn a stride is asked for, in bytes: the CPU's own prefetching stops at the end of each 4 KiB.
const AHEAD: usize = 2048;

/// Asks for the stride that lies [`AHEAD`] of this one.
#[inline]
#[target_feature(enable = "avx512f")]
fn ahead(stride: &Stride) {
    for block in stride {
        // A hint: an address behind the data's end is no fault.
        _mm_prefetch::<_MM_HINT_T0>(block.as_ptr().wrapping_add(AHEAD).cast());
    }
}

/// The blocks of a stride.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_stride(stride: &Stride) -> [__m512i; LANES] {
    std::array::from_fn(|lane| load512(&stride[lane]))
}

/// The blocks that a message begins with, the register added to the first.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn begin512(first: &Stride, state: u32) -> [__m512i; LANES] {
    let mut lanes = load_stride(first);
    let register = _mm512_inserti64x2::<0>(_mm512_setzero_si512(), _mm_cvtsi32_si128(state as i32));
    lanes[0] = _mm512_xor_si512(lanes[0], register);
    lanes
}

/// Moves all blocks by their stride and adds the next stride.
#[inline]
#[target_feature(enable = "avx512f,vpclmulqdq")]
fn stride512(lanes: &mut [__m512i; LANES], by: __m512i, stride: &Stride) {
    let next = load_stride(stride);
    for (lane, block) in lanes.iter_mut().enumerate() {
        *block = step512(*block, by, next[lane]);
    }
}

/// Blocks side by side become one, each moved by its own distance; then the blocks of `data` come behind them. Gives
/// the last sixteen bytes' worth.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,avx512f,avx512dq,vpclmulqdq")]
fn merge512<P: Polynomial>(lanes: [__m512i; LANES], data: &[[u8; 64]]) -> __m128i {
    let by = |constants| _mm512_broadcast_i64x2(pair(constants));
    let [before @ .., last] = lanes;
    let mut block = last;
    for (lane, distance) in before.into_iter().zip(Lanes::<P>::ONTO_LAST) {
        block = step512(lane, by(distance), block);
    }
    let by_64 = by(Constants::<P>::BY_64);
    for next in data {
        block = step512(block, by_64, load512(next));
    }
    quarters512::<P>(block)
}

/// The four quarters of a block, the one after the other.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,avx512f,avx512dq,vpclmulqdq")]
fn quarters512<P: Polynomial>(block: __m512i) -> __m128i {
    let [a, b, c] = [Constants::<P>::BY_48, Constants::<P>::BY_32, Constants::<P>::BY_16];
    let by =
        _mm512_set_epi64(0, 0, c[1] as i64, c[0] as i64, b[1] as i64, b[0] as i64, a[1] as i64, a[0] as i64);
    let moved = step512(block, by, _mm512_setzero_si512());
    let first = _mm_xor_si128(_mm512_castsi512_si128(moved), _mm512_extracti64x2_epi64::<1>(moved));
    let last = _mm_xor_si128(_mm512_extracti64x2_epi64::<2>(moved), _mm512_extracti64x2_epi64::<3>(block));
    _mm_xor_si128(first, last)
}

/// Four blocks of sixty-four bytes side by side.
#[target_feature(enable = "sse4.2,pclmulqdq,avx2,vpclmulqdq,avx512f,avx512dq")]
fn fold512<P: Polynomial>(state: u32, data: &[u8]) -> u32 {
    let (blocks, rest) = data.as_chunks::<64>();
    let (strides, blocks) = blocks.as_chunks::<LANES>();
    let Some((first, strides)) = strides.split_first() else { return fold128::<P>(state, data) };
    let mut lanes = begin512(first, state);
    let by = _mm512_broadcast_i64x2(pair(Lanes::<P>::BY_STRIDE));
    for stride in strides {
        ahead(stride);
        stride512(&mut lanes, by, stride);
    }
    finish::<P>(merge512::<P>(lanes, blocks), rest)
}

/// Streams of the instruction beside the folding: each instruction takes three cycles and one can begin in each.
const STREAMS: usize = 4;
/// Bytes of each stream for each stride that is folded. A multiplication of 512 bits and an instruction take the same
/// time, on different ports.
const STREAM_STEP: usize = 4 * LANES;
/// Most steps of streams of one length; longer data goes by turns.
const STEPS_MAX: usize = 204;
/// Shortest data for which the streams pay.
const FUSED_MIN: usize = 3072;

/// `JOIN[n][j]`: appends `j + 1` streams of `n` steps to what stands before them, but for a factor of `x^33`, which a
/// product of reflected 32-bit residues and the instruction over it bring.
const JOIN: [[u32; STREAMS]; STEPS_MAX + 1] = {
    let mut table = [[0; STREAMS]; STEPS_MAX + 1];
    let mut j = 0;
    while j < STREAMS {
        let bits = (STREAM_STEP * (j + 1) * 8) as u64;
        let step = power_of_x(Castagnoli::REFLECTED, bits);
        table[1][j] = power_of_x(Castagnoli::REFLECTED, bits - 33);
        let mut n = 2;
        while n <= STEPS_MAX {
            table[n][j] = multiply(Castagnoli::REFLECTED, table[n - 1][j], step);
            n += 1;
        }
        j += 1;
    }
    table
};

/// Most of the data is folded as by [`fold512`], while the instruction runs over four streams of the rest (the way of
/// Peter Cawley's "Faster CRC32-C on x86", 2022).
#[target_feature(enable = "sse4.2,pclmulqdq,avx2,vpclmulqdq,avx512f,avx512dq")]
fn fused512(mut state: u32, mut data: &[u8]) -> u32 {
    const STRIDE: usize = 64 * LANES + STREAMS * STREAM_STEP;
    while data.len() >= FUSED_MIN {
        let steps = (data.len() / STRIDE).min(STEPS_MAX);
        // Blocks that are left over are folded too, unless another turn comes.
        let more = if steps < STEPS_MAX { (data.len() - steps * STRIDE) / 64 } else { 0 };
        let (folded, rest) = data.split_at((steps * LANES + more) * 64);
        let (streamed, rest) = rest.split_at(steps * STREAMS * STREAM_STEP);
        state = fused_turn(state, folded.as_chunks().0, streamed, steps);
        data = rest;
    }
    if data.len() < 64 { instruction(state, data) } else { fold512::<Castagnoli>(state, data) }
}

/// Adds `folded` and then `streamed`, [`STREAMS`] streams of `steps` steps.
#[inline]
#[target_feature(enable = "sse4.2,pclmulqdq,avx2,vpclmulqdq,avx512f,avx512dq")]
fn fused_turn(state: u32, folded: &[[u8; 64]], streamed: &[u8], steps: usize) -> u32 {
    let length = steps * STREAM_STEP;
    let streams: [&[[u8; STREAM_STEP]]; STREAMS] =
        std::array::from_fn(|s| streamed[s * length..(s + 1) * length].as_chunks().0);
    let mut sums = [0_u64; STREAMS];
    let (strides, blocks) = folded.as_chunks::<LANES>();
    let mut lanes = begin512(&strides[0], state);
    let by = _mm512_broadcast_i64x2(pair(Lanes::<Castagnoli>::BY_STRIDE));
    let [a, b, c, d] = streams;
    for ((((stride, a), b), c), d) in strides[1..].iter().zip(a).zip(b).zip(c).zip(d) {
        ahead(stride);
        stride512(&mut lanes, by, stride);
        for (sum, bytes) in sums.iter_mut().zip([a, b, c, d]) {
            *sum = words(*sum, bytes);
        }
    }
    // The folding begins with its first stride loaded, so it is one step ahead of the streams, or more.
    for (sum, stream) in sums.iter_mut().zip(streams) {
        for bytes in &stream[(strides.len() - 1).min(steps)..] {
            *sum = words(*sum, bytes);
        }
    }
    for stride in strides[1..].iter().skip(steps) {
        stride512(&mut lanes, by, stride);
    }
    let block = merge512::<Castagnoli>(lanes, blocks);
    let low = _mm_crc32_u64(0, _mm_cvtsi128_si64(block) as u64);
    let first = _mm_crc32_u64(low, _mm_extract_epi64::<1>(block) as u64);
    let factor = |j: usize| _mm_cvtsi32_si128(JOIN[steps][j] as i32);
    let times = |sum: u64, j| {
        _mm_cvtsi128_si64(_mm_clmulepi64_si128::<0x00>(_mm_cvtsi64_si128(sum as i64), factor(j))) as u64
    };
    let before = times(first, 3) ^ times(sums[0], 2) ^ times(sums[1], 1) ^ times(sums[2], 0);
    _mm_crc32_u64(0, before) as u32 ^ sums[3] as u32
}

#[inline]
#[target_feature(enable = "sse4.2")]
fn words(sum: u64, bytes: &[u8; STREAM_STEP]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().fold(sum, |sum, word| _mm_crc32_u64(sum, u64::from_le_bytes(*word)))
}
