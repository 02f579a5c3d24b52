//! A running CRC and the algebra of finished ones.

use std::fmt;
use std::marker::PhantomData;

use crate::kernel::Kernel;
use crate::polynomial::{Castagnoli, Ieee, Polynomial, multiply, zeros_factor};

/// A running CRC-32 (IEEE).
pub type Crc32 = Crc<Ieee>;
/// A running CRC-32C (Castagnoli).
pub type Crc32c = Crc<Castagnoli>;

/// A CRC of the bytes seen so far.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Crc<P: Polynomial> {
    /// The register: the finished value inverted.
    state: u32,
    polynomial: PhantomData<P>,
}

impl<P: Polynomial> Crc<P> {
    /// The CRC of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self::resume(0)
    }

    /// Continues after bytes whose CRC is `value`.
    #[must_use]
    pub const fn resume(value: u32) -> Self {
        Crc { state: !value, polynomial: PhantomData }
    }

    /// Adds `data`, by the best kernel of this CPU.
    #[must_use]
    pub fn update(self, data: &[u8]) -> Self {
        if cfg!(feature = "unsummed") {
            return self;
        }
        Crc { state: Kernel::best::<P>().run::<P>(self.state, data), ..self }
    }

    /// Adds `data` by the kernel given, for tests and benchmarks.
    ///
    /// # Panics
    /// If this CPU cannot run `kernel` for this polynomial.
    #[must_use]
    pub fn update_with(self, kernel: Kernel, data: &[u8]) -> Self {
        assert!(kernel.is_available::<P>(), "this CPU has no {kernel:?} kernel");
        Crc { state: kernel.run::<P>(self.state, data), ..self }
    }

    /// Adds `count` zero bytes, in a time that depends on the digits of `count` only.
    #[must_use]
    pub fn update_zeros(self, count: u64) -> Self {
        if cfg!(feature = "unsummed") {
            return self;
        }
        Crc { state: multiply(P::REFLECTED, self.state, zeros_factor::<P>(count)), ..self }
    }

    /// The CRC of all bytes added.
    #[must_use]
    pub const fn value(self) -> u32 {
        !self.state
    }

    /// The CRC of two parts one after the other, from the CRC `a` of the first and the CRC `b` of the second,
    /// which is `len_b` bytes long.
    #[must_use]
    pub fn combine(a: u32, b: u32, len_b: u64) -> u32 {
        Zeros::<P>::new(len_b).combine(a, b)
    }

    /// The byte and the bit (0 the lowest) in `len` bytes whose flip alone changes their CRC by `difference` (the sum
    /// before XOR the sum after): a CRC is linear, so that depends on the bit's distance from the end only. The one
    /// nearest to the end, where the data is so long that several do; `None` where none does.
    #[must_use]
    pub fn flipped_bit(difference: u32, len: u64) -> Option<(u64, u8)> {
        // The last bit that goes into the register, the highest of the last byte, changes the sum by the polynomial;
        // each bit before it by once more times x.
        let mut change = P::REFLECTED;
        for distance in 0..len * 8 {
            if change == difference {
                return Some((len - 1 - distance / 8, 7 - (distance % 8) as u8));
            }
            change = (change >> 1) ^ if change & 1 != 0 { P::REFLECTED } else { 0 };
        }
        None
    }
}

impl<P: Polynomial> Default for Crc<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: Polynomial> fmt::Debug for Crc<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Crc({:08x})", self.value())
    }
}

/// A length prepared for [`Zeros::combine`]: one multiplication each time, whatever the length.
#[derive(Clone, Copy, Debug)]
pub struct Zeros<P: Polynomial> {
    factor: u32,
    polynomial: PhantomData<P>,
}

impl<P: Polynomial> Zeros<P> {
    /// Prepares for second parts of `len_b` bytes.
    #[must_use]
    pub fn new(len_b: u64) -> Self {
        Zeros { factor: zeros_factor::<P>(len_b), polynomial: PhantomData }
    }

    /// As [`Crc::combine`], for the length prepared.
    #[must_use]
    pub fn combine(&self, a: u32, b: u32) -> u32 {
        // The inversions at start and end cancel: combine(a, b) = a * x^(8 len_b) + b, on finished values.
        multiply(P::REFLECTED, a, self.factor) ^ b
    }
}
