//! Random numbers that cost next to nothing and can be repeated.

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Random {
        Random(mix(seed ^ 0x5EED_0F9E_4570_CC00))
    }

    /// Any number.
    #[inline]
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number below `end`, which must not be 0.
    #[inline]
    pub fn below(&mut self, end: u64) -> u64 {
        // Multiply and shift: no division, a bias of less than end in 2^64.
        ((u128::from(self.number()) * u128::from(end)) >> 64) as u64
    }
}

/// Mixes the bits of a number; each number has its own.
#[inline]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
