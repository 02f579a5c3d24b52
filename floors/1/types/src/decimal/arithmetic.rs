//! Arithmetic, rounding and comparison of decimals.

use std::cmp::Ordering;

use super::wide::{U256, narrow, power_of_ten, wide_div_rem};
use super::{Decimal, DecimalError, MAX_DIGITS};

/// How digits beyond a scale go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, half away from zero.
    HalfUp,
    /// Toward zero.
    Truncate,
    /// Toward plus infinity.
    Ceiling,
    /// Toward minus infinity.
    Floor,
}

/// The magnitude limit of intermediate results.
fn limit() -> U256 {
    power_of_ten(MAX_DIGITS)
}

impl Decimal {
    /// The units with their sign, where they are few: the number is `units * 10^-scale`.
    #[inline]
    pub fn units(self) -> Option<i64> {
        let small = i64::try_from(self.magnitude.to_u64()?).ok()?;
        Some(if self.negative { -small } else { small })
    }

    /// As [`Decimal::units`] where they fit in 128 bits.
    #[inline]
    pub(super) fn long_units(self) -> Option<i128> {
        let units = i128::try_from(self.magnitude.to_u128()?).ok()?;
        Some(if self.negative { -units } else { units })
    }

    /// `units * 10^-scale`, of what is known to be in range.
    #[inline]
    pub(super) fn small(units: i128, scale: u8) -> Decimal {
        Decimal { magnitude: U256::from_u128(units.unsigned_abs()), scale, negative: units < 0 }
    }

    /// The sum, with the larger scale.
    pub fn add(&self, other: &Decimal) -> Result<Decimal, DecimalError> {
        if let (Some(a), Some(b)) = (self.units(), other.units())
            && self.scale == other.scale
        {
            return Ok(Decimal::small(i128::from(a) + i128::from(b), self.scale));
        }
        let most = self.scale.max(other.scale);
        if let (Some(a), Some(b)) = (self.signed_at(most), other.signed_at(most))
            && let Some(sum) = a.checked_add(b)
        {
            return Ok(Decimal::small(sum, most));
        }
        let (a, b, scale) = self.aligned(other)?;
        if self.negative == other.negative {
            let sum = a.checked_add(b).filter(|sum| *sum < limit()).ok_or(DecimalError::Overflow)?;
            return Ok(Decimal::from_parts(self.negative, sum, scale));
        }
        Ok(match a.cmp(&b) {
            Ordering::Less => Decimal::from_parts(other.negative, b.minus(a), scale),
            _ => Decimal::from_parts(self.negative, a.minus(b), scale),
        })
    }

    /// The difference, with the larger scale.
    pub fn sub(&self, other: &Decimal) -> Result<Decimal, DecimalError> {
        self.add(&other.neg())
    }

    /// The product, with the sum of the scales; digits after the point are cut where there is no room for all.
    pub fn mul(&self, other: &Decimal) -> Result<Decimal, DecimalError> {
        let short = usize::from(self.scale) + usize::from(other.scale) <= MAX_DIGITS;
        if let (true, Some(a), Some(b)) = (short, self.units(), other.units()) {
            return Ok(Decimal::small(i128::from(a) * i128::from(b), self.scale + other.scale));
        }
        let negative = self.negative != other.negative;
        let scale = usize::from(self.scale) + usize::from(other.scale);
        if let Some(product) = self.magnitude.checked_mul(other.magnitude)
            && product < limit()
        {
            return Decimal::cut(negative, product, scale);
        }
        let wide = self.magnitude.wide_mul(other.magnitude);
        for dropped in 1..=scale {
            let (quotient, _) = wide_div_rem(&wide, power_of_ten(dropped.min(77)));
            if let Some(product) = narrow(quotient).filter(|p| *p < limit()) {
                return Decimal::cut(negative, product, scale - dropped);
            }
        }
        Err(DecimalError::Overflow)
    }

    /// A number of `scale` digits after the point, cut to what a decimal holds.
    fn cut(negative: bool, magnitude: U256, scale: usize) -> Result<Decimal, DecimalError> {
        if scale <= MAX_DIGITS {
            return Ok(Decimal::from_parts(negative, magnitude, scale as u8));
        }
        let (magnitude, _) = magnitude.div_rem(power_of_ten((scale - MAX_DIGITS).min(77)));
        Ok(Decimal::from_parts(negative, magnitude, MAX_DIGITS as u8))
    }

    /// The quotient as MariaDB computes it: cut (not rounded) after so many groups of nine digits that at least
    /// `self.scale() + increment` digits are there. The result column's scale is `self.scale() + increment`; round to
    /// it when the value is shown or stored, not before.
    pub fn div(&self, other: &Decimal, increment: u8) -> Result<Decimal, DecimalError> {
        if other.is_zero() {
            return Err(DecimalError::DivisionByZero);
        }
        if self.is_zero() {
            // Nothing has no digits, whatever it was divided by.
            return Ok(Decimal::new(0, 0));
        }
        let groups = |scale: u8| usize::from(scale).div_ceil(9) * 9;
        let (a, b) = (groups(self.scale), groups(other.scale));
        let spare = a - usize::from(self.scale) + b - usize::from(other.scale);
        let wanted = (a + b + usize::from(increment).saturating_sub(spare)).div_ceil(9) * 9;
        let negative = self.negative != other.negative;
        let mut scale = wanted.min(MAX_DIGITS);
        loop {
            // magnitude * 10^up / other.magnitude has `scale` digits after the point.
            let up = scale + usize::from(other.scale);
            let quotient = match up.checked_sub(usize::from(self.scale)) {
                Some(up) if up <= 77 => {
                    let dividend = self.magnitude.wide_mul(power_of_ten(up));
                    narrow(wide_div_rem(&dividend, other.magnitude).0)
                }
                Some(_) => None,
                None => {
                    let down = power_of_ten(usize::from(self.scale) - up);
                    let (cut, _) = self.magnitude.div_rem(down);
                    Some(cut.div_rem(other.magnitude).0)
                }
            };
            match quotient.filter(|q| *q < limit()) {
                Some(quotient) => return Ok(Decimal::from_parts(negative, quotient, scale as u8)),
                None if scale == 0 => return Err(DecimalError::Overflow),
                None => scale -= 1,
            }
        }
    }

    /// The remainder, with the dividend's sign and the larger scale.
    pub fn rem(&self, other: &Decimal) -> Result<Decimal, DecimalError> {
        if other.is_zero() {
            return Err(DecimalError::DivisionByZero);
        }
        let (a, b) = (self.magnitude, other.magnitude);
        let power = |digits: u8| power_of_ten(usize::from(digits));
        let rest = if self.scale >= other.scale {
            // A divisor that has no room at the dividend's scale is larger than it.
            b.checked_mul(power(self.scale - other.scale)).map_or(a, |b| a.div_rem(b).1)
        } else {
            wide_div_rem(&a.wide_mul(power(other.scale - self.scale)), b).1
        };
        Ok(Decimal::from_parts(self.negative, rest, self.scale.max(other.scale)))
    }

    /// The number with its sign turned.
    pub fn neg(&self) -> Decimal {
        Decimal::from_parts(!self.negative, self.magnitude, self.scale)
    }

    /// The absolute value.
    pub fn abs(&self) -> Decimal {
        Decimal { negative: false, ..*self }
    }

    /// Both magnitudes at the larger scale, or at a smaller one where that has no room.
    fn aligned(&self, other: &Decimal) -> Result<(U256, U256, u8), DecimalError> {
        if self.scale == other.scale {
            return Ok((self.magnitude, other.magnitude, self.scale));
        }
        let mut scale = self.scale.max(other.scale);
        loop {
            let both = (self.magnitude_at(scale), other.magnitude_at(scale));
            match both {
                (Some(a), Some(b)) => return Ok((a, b, scale)),
                _ if scale == 0 => return Err(DecimalError::Overflow),
                _ => scale -= 1,
            }
        }
    }

    /// The magnitude at another scale, cut; none where it has no room.
    fn magnitude_at(&self, scale: u8) -> Option<U256> {
        if scale >= self.scale {
            let factor = power_of_ten(usize::from(scale - self.scale).min(77));
            return self.magnitude.checked_mul(factor).filter(|m| *m < limit());
        }
        Some(self.magnitude.div_rem(power_of_ten(usize::from(self.scale - scale))).0)
    }

    /// Rounds to `digits` after the point; negative `digits` round before the point, and leave scale 0.
    ///
    /// The result has exactly `digits` as its scale (0 at least) where there is room for them.
    pub fn round(&self, digits: i32, mode: Rounding) -> Decimal {
        let target = digits.clamp(-(MAX_DIGITS as i32), MAX_DIGITS as i32);
        if target >= i32::from(self.scale) {
            let mut scale = target as u8;
            while scale > self.scale {
                if let Some(magnitude) = self.magnitude_at(scale) {
                    return Decimal::from_parts(self.negative, magnitude, scale);
                }
                scale -= 1;
            }
            return *self;
        }
        let dropped = (i32::from(self.scale) - target).min(77) as usize;
        let unit = power_of_ten(dropped);
        let (mut quotient, rest) = self.magnitude.div_rem(unit);
        let up = match mode {
            Rounding::HalfUp => rest >= unit.minus(rest),
            Rounding::Truncate => false,
            Rounding::Ceiling => !self.negative && !rest.is_zero(),
            Rounding::Floor => self.negative && !rest.is_zero(),
        };
        if up {
            quotient = quotient.checked_add(U256::from_u128(1)).unwrap_or(quotient);
        }
        if target < 0 {
            let factor = power_of_ten(target.unsigned_abs() as usize);
            quotient = quotient.checked_mul(factor).filter(|m| *m < limit()).unwrap_or(U256::ZERO);
        }
        Decimal::from_parts(self.negative, quotient, target.max(0) as u8)
    }

    /// Brings the number to DECIMAL(precision, scale): rounded half away from zero, clipped to the largest number.
    pub fn fit(&self, precision: u8, scale: u8) -> (Decimal, Fit) {
        let rounded = self.round(i32::from(scale), Rounding::HalfUp);
        let largest = power_of_ten(usize::from(precision.min(76))).minus(U256::from_u128(1));
        if rounded.magnitude > largest || rounded.scale != scale {
            return (Decimal::from_parts(self.negative, largest, scale), Fit::OutOfRange);
        }
        let exact = scale >= self.scale || rounded.cmp_value(self).is_eq();
        (rounded, if exact { Fit::Exact } else { Fit::Rounded })
    }

    /// The order of the values, whatever their scales.
    pub fn cmp_value(&self, other: &Decimal) -> Ordering {
        match (self.negative, other.negative) {
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            _ => {}
        }
        let order = if self.scale == other.scale {
            self.magnitude.cmp(&other.magnitude)
        } else if let (Some(a), Some(b)) = (self.small_at(other.scale), other.small_at(self.scale)) {
            a.cmp(&b)
        } else {
            let up =
                |d: &Decimal, to: u8| d.magnitude.wide_mul(power_of_ten(usize::from(to - d.scale).min(77)));
            let scale = self.scale.max(other.scale);
            up(self, scale).iter().rev().cmp(up(other, scale).iter().rev())
        };
        if self.negative { order.reverse() } else { order }
    }

    /// The magnitude of the same number at a larger scale, or at its own, where both are small.
    #[inline]
    fn small_at(&self, scale: u8) -> Option<u128> {
        const POWERS: [u64; 20] = {
            let mut powers = [1; 20];
            let mut i = 1;
            while i < powers.len() {
                powers[i] = powers[i - 1] * 10;
                i += 1;
            }
            powers
        };
        let [low, 0, 0, 0] = self.magnitude.0 else { return None };
        let power = POWERS.get(usize::from(scale.saturating_sub(self.scale)))?;
        Some(u128::from(low) * u128::from(*power))
    }

    /// The units of the same number at a larger scale, or at its own, where both are small.
    #[inline]
    fn signed_at(&self, scale: u8) -> Option<i128> {
        let units = i128::try_from(self.small_at(scale)?).ok()?;
        Some(if self.negative { -units } else { units })
    }

    /// Digits before the point, without leading zeros.
    pub fn whole_digits(&self) -> u8 {
        let digits = self.digits();
        let point = digits.len() - usize::from(self.scale);
        digits[..point].iter().position(|d| *d != 0).map_or(0, |first| (point - first) as u8)
    }

    /// Digits in all: those before the point and the scale, 1 at least.
    pub fn precision(&self) -> u8 {
        (self.whole_digits() + self.scale).max(1)
    }
}

/// What [`Decimal::fit`] had to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Nothing was lost.
    Exact,
    /// Digits after the point were rounded.
    Rounded,
    /// The number was too large, and became the largest.
    OutOfRange,
}
