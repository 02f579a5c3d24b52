//! Arithmetic of polynomials over GF(2) modulo a CRC polynomial, and the tables made from it.
//!
//! A residue is a `u32` in reflected order: bit 31 stands for `x^0`, bit 0 for `x^31`.

use std::sync::atomic::AtomicU8;

/// The residue 1.
const ONE: u32 = 1 << 31;

/// A CRC polynomial of degree 32. The two that exist are [`Ieee`] and [`Castagnoli`].
pub trait Polynomial: sealed::Tables + Copy + Eq + 'static {
    /// The polynomial without its `x^32`, in reflected order.
    const REFLECTED: u32;
}

/// The polynomial of Ethernet, zlib and the binlog: `0x04C11DB7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ieee;

/// The polynomial of iSCSI, ext4 and our pages: `0x1EDC6F41`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Castagnoli;

impl Polynomial for Ieee {
    const REFLECTED: u32 = 0xEDB8_8320;
}

impl Polynomial for Castagnoli {
    const REFLECTED: u32 = 0x82F6_3B78;
}

pub(crate) mod sealed {
    use super::AtomicU8;

    /// What the kernels need of a polynomial, made by the compiler.
    pub trait Tables {
        /// `SLICES[k][b]`: the residue of byte `b` followed by `k` zero bytes.
        const SLICES: &'static [[u32; 256]; 16];
        /// `ZEROS[i][d]`: the factor that appends `d * 16^i` zero bytes.
        const ZEROS: &'static [[u32; 16]; 16];
        /// Where the choice of kernel is kept.
        fn chosen() -> &'static AtomicU8;
    }
}

macro_rules! tables {
    ($polynomial:ty) => {
        impl sealed::Tables for $polynomial {
            const SLICES: &'static [[u32; 256]; 16] = &slices(<$polynomial as Polynomial>::REFLECTED);
            const ZEROS: &'static [[u32; 16]; 16] = &zeros(<$polynomial as Polynomial>::REFLECTED);

            fn chosen() -> &'static AtomicU8 {
                static CHOSEN: AtomicU8 = AtomicU8::new(0);
                &CHOSEN
            }
        }
    };
}

tables!(Ieee);
tables!(Castagnoli);

/// `residue * x`.
pub(crate) const fn times_x(polynomial: u32, residue: u32) -> u32 {
    // All ones when the coefficient of x^31 is set: without a branch, for the kernels' speed.
    (residue >> 1) ^ (polynomial & (residue & 1).wrapping_neg())
}

/// `a * b`.
pub(crate) const fn multiply(polynomial: u32, a: u32, b: u32) -> u32 {
    let (mut product, mut power, mut bit) = (0, b, 32);
    while bit > 0 {
        bit -= 1;
        product ^= power & ((a >> bit) & 1).wrapping_neg();
        power = times_x(polynomial, power);
    }
    product
}

/// `x^exponent`.
pub(crate) const fn power_of_x(polynomial: u32, mut exponent: u64) -> u32 {
    let (mut result, mut square) = (ONE, ONE >> 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(polynomial, result, square);
        }
        square = multiply(polynomial, square, square);
        exponent >>= 1;
    }
    result
}

/// The factor that appends `bytes` zero bytes to a message: `x^(8 * bytes)`, at most one multiplication for
/// each hexadecimal digit of `bytes` that is not 0.
pub(crate) fn zeros_factor<P: Polynomial>(bytes: u64) -> u32 {
    let (mut factor, mut rest, mut digit) = (ONE, bytes, 0);
    while rest > 0 {
        if rest & 15 != 0 {
            let step = P::ZEROS[digit][(rest & 15) as usize];
            factor = if factor == ONE { step } else { multiply(P::REFLECTED, factor, step) };
        }
        rest >>= 4;
        digit += 1;
    }
    factor
}

const fn slices(polynomial: u32) -> [[u32; 256]; 16] {
    let mut table = [[0; 256]; 16];
    let mut byte = 0;
    while byte < 256 {
        let mut residue = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            residue = times_x(polynomial, residue);
            bit += 1;
        }
        table[0][byte] = residue;
        byte += 1;
    }
    let mut slice = 1;
    while slice < 16 {
        let mut byte = 0;
        while byte < 256 {
            let before = table[slice - 1][byte];
            table[slice][byte] = (before >> 8) ^ table[0][(before & 255) as usize];
            byte += 1;
        }
        slice += 1;
    }
    table
}

const fn zeros(polynomial: u32) -> [[u32; 16]; 16] {
    let mut table = [[ONE; 16]; 16];
    let mut unit = power_of_x(polynomial, 8);
    let mut digit = 0;
    while digit < 16 {
        let mut count = 1;
        while count < 16 {
            table[digit][count] = multiply(polynomial, table[digit][count - 1], unit);
            count += 1;
        }
        unit = multiply(polynomial, table[digit][15], unit);
        digit += 1;
    }
    table
}
