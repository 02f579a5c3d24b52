//! Unsigned 256-bit integers (and 512-bit products), as far as decimals need them.

use std::cmp::Ordering;

/// Four 64-bit limbs, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct U256(pub(super) [u64; 4]);

/// The product of two [`U256`], the lowest limb first.
pub(super) type U512 = [u64; 8];

/// Powers of ten that fit: 10^0 to 10^77.
static POWERS: [U256; 78] = powers();

const fn powers() -> [U256; 78] {
    let mut table = [U256([1, 0, 0, 0]); 78];
    let mut n = 1;
    while n < 78 {
        let mut limbs = table[n - 1].0;
        let (mut carry, mut i) = (0_u128, 0);
        while i < 4 {
            let product = limbs[i] as u128 * 10 + carry;
            limbs[i] = product as u64;
            carry = product >> 64;
            i += 1;
        }
        table[n] = U256(limbs);
        n += 1;
    }
    table
}

/// 10^n for n up to 77.
pub(super) fn power_of_ten(n: usize) -> U256 {
    POWERS[n]
}

impl U256 {
    pub(super) const ZERO: U256 = U256([0; 4]);

    pub(super) const fn from_u128(n: u128) -> U256 {
        U256([n as u64, (n >> 64) as u64, 0, 0])
    }

    pub(super) const fn is_zero(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The number when it is below 2^64.
    #[inline]
    pub(super) const fn to_u64(self) -> Option<u64> {
        let U256([low, a, b, c]) = self;
        if a | b | c == 0 { Some(low) } else { None }
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

    /// The sum, or none beyond 2^256.
    pub(super) fn checked_add(self, other: U256) -> Option<U256> {
        let mut limbs = [0; 4];
        let mut carry = false;
        for (i, limb) in limbs.iter_mut().enumerate() {
            let (sum, over) = self.0[i].overflowing_add(other.0[i]);
            let (sum, over_by_carry) = sum.overflowing_add(u64::from(carry));
            *limb = sum;
            carry = over | over_by_carry;
        }
        (!carry).then_some(U256(limbs))
    }

    /// The difference; `other` must not be larger.
    pub(super) fn minus(self, other: U256) -> U256 {
        let mut limbs = [0; 4];
        let mut borrow = false;
        for (i, limb) in limbs.iter_mut().enumerate() {
            let (rest, under) = self.0[i].overflowing_sub(other.0[i]);
            let (rest, under_by_borrow) = rest.overflowing_sub(u64::from(borrow));
            *limb = rest;
            borrow = under | under_by_borrow;
        }
        U256(limbs)
    }

    /// The full product.
    pub(super) fn wide_mul(self, other: U256) -> U512 {
        let mut product = [0_u64; 8];
        for (i, a) in self.0.iter().enumerate() {
            let mut carry = 0_u128;
            for (j, b) in other.0.iter().enumerate() {
                let sum = u128::from(*a) * u128::from(*b) + u128::from(product[i + j]) + carry;
                product[i + j] = sum as u64;
                carry = sum >> 64;
            }
            product[i + 4] = carry as u64;
        }
        product
    }

    /// The product, or none beyond 2^256.
    pub(super) fn checked_mul(self, other: U256) -> Option<U256> {
        if let (Some(a), Some(b)) = (self.to_u128(), other.to_u128())
            && let Some(product) = a.checked_mul(b)
        {
            return Some(U256::from_u128(product));
        }
        narrow(self.wide_mul(other))
    }

    /// Quotient and remainder; the divisor must not be zero.
    pub(super) fn div_rem(self, divisor: U256) -> (U256, U256) {
        if let (Some(a), Some(b)) = (self.to_u128(), divisor.to_u128()) {
            return (U256::from_u128(a / b), U256::from_u128(a % b));
        }
        let mut dividend = [0; 8];
        dividend[..4].copy_from_slice(&self.0);
        let (quotient, rest) = wide_div_rem(&dividend, divisor);
        (U256([quotient[0], quotient[1], quotient[2], quotient[3]]), rest)
    }
}

impl Ord for U256 {
    fn cmp(&self, other: &U256) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for U256 {
    fn partial_cmp(&self, other: &U256) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The number when it is below 2^256.
pub(super) fn narrow(wide: U512) -> Option<U256> {
    (wide[4..] == [0; 4]).then(|| U256([wide[0], wide[1], wide[2], wide[3]]))
}

/// Quotient and remainder of a 512-bit dividend (Knuth, volume 2, 4.3.1, algorithm D, on 32-bit digits); the divisor
/// must not be zero.
pub(super) fn wide_div_rem(dividend: &U512, divisor: U256) -> (U512, U256) {
    let divisor = halves::<4, 8>(&divisor.0);
    let n = significant(&divisor);
    assert!(n > 0, "division by zero");
    let dividend = halves::<8, 16>(dividend);
    let m = significant(&dividend);
    let mut quotient = [0_u32; 16];
    if n == 1 {
        let by = u64::from(divisor[0]);
        let mut rest = 0_u64;
        for i in (0..m).rev() {
            let part = rest << 32 | u64::from(dividend[i]);
            quotient[i] = (part / by) as u32;
            rest = part % by;
        }
        return (whole(&quotient), U256([rest, 0, 0, 0]));
    }
    let shift = divisor[n - 1].leading_zeros();
    let mut v = [0_u32; 8];
    shift_left(&divisor[..n], shift, &mut v);
    let mut u = [0_u32; 17];
    shift_left(&dividend[..m], shift, &mut u);
    for j in (0..(m + 1).saturating_sub(n)).rev() {
        quotient[j] = divide_step(&mut u[j..=j + n], &v[..n]);
    }
    let mut rest = [0_u32; 8];
    for i in 0..n {
        let high = if shift == 0 { 0 } else { u64::from(u[i + 1]) << (32 - shift) };
        rest[i] = (u64::from(u[i] >> shift) | high) as u32;
    }
    let rest = std::array::from_fn(|i| u64::from(rest[2 * i + 1]) << 32 | u64::from(rest[2 * i]));
    (whole(&quotient), U256(rest))
}

/// One digit of the quotient; takes its multiple of `v` off `u`, which is one digit longer.
fn divide_step(u: &mut [u32], v: &[u32]) -> u32 {
    let n = v.len();
    let top = u64::from(u[n]) << 32 | u64::from(u[n - 1]);
    let (mut digit, mut rest) = (top / u64::from(v[n - 1]), top % u64::from(v[n - 1]));
    while digit >> 32 != 0 || digit * u64::from(v[n - 2]) > (rest << 32 | u64::from(u[n - 2])) {
        digit -= 1;
        rest += u64::from(v[n - 1]);
        if rest >> 32 != 0 {
            break;
        }
    }
    let (mut borrow, mut carry) = (0_i64, 0_u64);
    for i in 0..n {
        let product = digit * u64::from(v[i]) + carry;
        carry = product >> 32;
        let difference = i64::from(u[i]) - borrow - i64::from(product as u32);
        u[i] = difference as u32;
        borrow = i64::from(difference < 0);
    }
    let difference = i64::from(u[n]) - borrow - carry as i64;
    u[n] = difference as u32;
    if difference < 0 {
        digit -= 1;
        let mut carry = 0_u64;
        for i in 0..n {
            let sum = u64::from(u[i]) + u64::from(v[i]) + carry;
            u[i] = sum as u32;
            carry = sum >> 32;
        }
        u[n] = u[n].wrapping_add(carry as u32);
    }
    digit as u32
}

fn halves<const N: usize, const M: usize>(limbs: &[u64; N]) -> [u32; M] {
    std::array::from_fn(|i| (limbs[i / 2] >> (32 * (i % 2))) as u32)
}

fn whole(digits: &[u32; 16]) -> U512 {
    std::array::from_fn(|i| u64::from(digits[2 * i + 1]) << 32 | u64::from(digits[2 * i]))
}

fn significant(digits: &[u32]) -> usize {
    digits.iter().rposition(|d| *d != 0).map_or(0, |i| i + 1)
}

fn shift_left(from: &[u32], shift: u32, to: &mut [u32]) {
    let mut carry = 0_u64;
    for (i, digit) in from.iter().enumerate() {
        let shifted = u64::from(*digit) << shift | carry;
        to[i] = shifted as u32;
        carry = shifted >> 32;
    }
    if let Some(next) = to.get_mut(from.len()) {
        *next = carry as u32;
    }
}
