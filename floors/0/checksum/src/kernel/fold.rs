//! Folding by carry-less multiplication (Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ",
//! Intel, 2009), in the reflected domain: what is the same on every architecture.
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

use std::marker::PhantomData;

use crate::polynomial::{Polynomial, power_of_x};

/// The constants of a polynomial.
pub(super) struct Constants<P>(PhantomData<P>);

// Each architecture uses those of its strides.
#[allow(dead_code)]
impl<P: Polynomial> Constants<P> {
    pub(super) const BY_16: [u64; 2] = Self::fold(16);
    pub(super) const BY_32: [u64; 2] = Self::fold(32);
    pub(super) const BY_48: [u64; 2] = Self::fold(48);
    pub(super) const BY_64: [u64; 2] = Self::fold(64);
    pub(super) const BY_128: [u64; 2] = Self::fold(128);
    /// Reduces 128 bits to 96, then to 64.
    pub(super) const REDUCE: [u64; 2] = [Self::residue(95), Self::residue(63)];
    /// `floor(x^64 / P)` and `P` itself, in 33 reflected bits.
    pub(super) const BARRETT: [u64; 2] = Self::barrett();

    const fn residue(exponent: u64) -> u64 {
        (power_of_x(P::REFLECTED, exponent) as u64) << 32
    }

    /// The factors of `L` and `H` that move a block by so many bytes.
    pub(super) const fn fold(bytes: u64) -> [u64; 2] {
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
