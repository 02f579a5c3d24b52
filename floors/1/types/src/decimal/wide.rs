//! Unsigned 256-bit integers, as far as decimals need them.

/// Four 64-bit limbs, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct U256(pub(super) [u64; 4]);

impl U256 {
    pub(super) const ZERO: U256 = U256([0; 4]);

    pub(super) const fn from_u128(n: u128) -> U256 {
        U256([n as u64, (n >> 64) as u64, 0, 0])
    }

    pub(super) const fn is_zero(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The number when it is below 2^128.
    #[inline]
    pub(super) const fn to_u128(self) -> Option<u128> {
        if self.0[2] | self.0[3] == 0 { Some((self.0[1] as u128) << 64 | self.0[0] as u128) } else { None }
    }

    /// `self * factor + addend`, or none beyond 2^256.
    pub(super) fn mul_add_small(self, factor: u64, addend: u64) -> Option<U256> {
        let mut carry = u128::from(addend);
        let mut limbs = self.0;
        for limb in &mut limbs {
            let product = u128::from(*limb) * u128::from(factor) + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
        (carry == 0).then_some(U256(limbs))
    }

    /// Quotient and remainder of a division by a small number, which must not be zero.
    pub(super) fn div_rem_small(self, divisor: u64) -> (U256, u64) {
        let mut limbs = self.0;
        let mut rest = 0_u64;
        for limb in limbs.iter_mut().rev() {
            let dividend = u128::from(rest) << 64 | u128::from(*limb);
            *limb = (dividend / u128::from(divisor)) as u64;
            rest = (dividend % u128::from(divisor)) as u64;
        }
        (U256(limbs), rest)
    }
}
