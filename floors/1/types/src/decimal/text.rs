//! Decimals from and to text, integers and doubles.

use super::arithmetic::Rounding;
use super::codec::DIGITS;
use super::wide::U256;
use super::{Decimal, MAX_DIGITS, MAX_SCALE};
use crate::number::{self, NumberPrefix, Parsed};

/// The powers of ten that are doubles.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

impl Decimal {
    /// Appends the number with all digits of its scale: `-12.50`.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.write_padded(0, out);
    }

    /// Appends the number with at least `whole` digits before the point (ZEROFILL).
    pub fn write_padded(&self, whole: usize, out: &mut Vec<u8>) {
        if let Some(small) = self.magnitude.to_u128().and_then(|n| u64::try_from(n).ok())
            && self.scale < 19
        {
            return self.write_small(small, whole, out);
        }
        let digits = self.digits();
        let point = DIGITS - usize::from(self.scale);
        let first = digits[..point].iter().position(|d| *d != 0).unwrap_or(point);
        let first = first.min(point.saturating_sub(whole.max(1)));
        if self.negative {
            out.push(b'-');
        }
        out.extend(digits[first..point].iter().map(|d| b'0' + d));
        if self.scale > 0 {
            out.push(b'.');
            out.extend(digits[point..].iter().map(|d| b'0' + d));
        }
    }

    /// The same for a magnitude of 64 bits.
    fn write_small(&self, magnitude: u64, whole: usize, out: &mut Vec<u8>) {
        let unit = 10_u64.pow(u32::from(self.scale));
        if self.negative {
            out.push(b'-');
        }
        number::write_zerofill(magnitude / unit, whole, out);
        if self.scale > 0 {
            out.push(b'.');
            number::write_zerofill(magnitude % unit, usize::from(self.scale), out);
        }
    }

    /// Reads the number that a string begins with; 0 when there is none. Digits after the point beyond
    /// [`MAX_SCALE`] are rounded away, numbers with too many digits before it become the largest.
    pub fn parse(text: &[u8]) -> Parsed<Decimal> {
        let number = NumberPrefix::parse(text);
        let zeros = number.whole.iter().take_while(|d| **d == b'0').count();
        let whole = &number.whole[zeros..];
        let mut magnitude = U256::ZERO;
        let mut taken = 0;
        for digit in whole.iter().chain(number.fraction).take(MAX_DIGITS) {
            // Cannot overflow: MAX_DIGITS digits fit.
            magnitude = magnitude.mul_add_small(10, u64::from(digit - b'0')).unwrap_or(magnitude);
            taken += 1;
        }
        // value = magnitude * 10^exponent
        let exponent = whole.len() as i64 + i64::from(number.exponent) - taken as i64;
        if magnitude.is_zero() {
            let scale = (-exponent).clamp(0, i64::from(MAX_SCALE)) as u8;
            return Parsed::of_prefix(Decimal::from_parts(false, magnitude, scale), text, &number);
        }
        if exponent > 0 {
            for _ in 0..exponent.min(MAX_DIGITS as i64) {
                match magnitude.mul_add_small(10, 0).filter(|m| *m < super::wide::power_of_ten(MAX_DIGITS)) {
                    Some(more) => magnitude = more,
                    None => {
                        let value = Decimal::largest(number.negative, 65, 0);
                        return Parsed { out_of_range: true, ..Parsed::of_prefix(value, text, &number) };
                    }
                }
            }
            let value = Decimal::from_parts(number.negative, magnitude, 0);
            return Parsed::of_prefix(value, text, &number);
        }
        let mut scale = (-exponent) as u64;
        // More digits after the point than a decimal can count: drop the last ones, far beyond any rounding.
        while scale > MAX_DIGITS as u64 && !magnitude.is_zero() {
            magnitude = magnitude.div_rem_small(10).0;
            scale -= 1;
        }
        let cut = (magnitude.is_zero() || scale > u64::from(MAX_SCALE)) && !number.exponent_overflow;
        let value = Decimal::from_parts(number.negative, magnitude, scale.min(MAX_DIGITS as u64) as u8);
        let value =
            if value.scale > MAX_SCALE { value.round(i32::from(MAX_SCALE), Rounding::HalfUp) } else { value };
        Parsed { cut, ..Parsed::of_prefix(value, text, &number) }
    }

    /// The largest number of DECIMAL(precision, scale), or the smallest.
    pub fn largest(negative: bool, precision: u8, scale: u8) -> Decimal {
        let one = U256::from_u128(1);
        let magnitude = super::wide::power_of_ten(usize::from(precision.min(76))).minus(one);
        Decimal::from_parts(negative, magnitude, scale.min(MAX_SCALE))
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        if let Some(units) = self.units()
            && units.unsigned_abs() < 1 << 53
            && let Some(unit) = EXACT_POWERS.get(usize::from(self.scale))
        {
            // Both are exact doubles, so that the division rounds once.
            return units as f64 / unit;
        }
        let mut text = Vec::with_capacity(80);
        self.write(&mut text);
        std::str::from_utf8(&text).ok().and_then(|t| t.parse().ok()).unwrap_or(0.0)
    }

    /// The decimal of a double's shortest digits; none for infinities and what is too large.
    pub fn from_f64(n: f64) -> Option<Decimal> {
        if !n.is_finite() {
            return None;
        }
        let parsed = Decimal::parse(format!("{n:e}").as_bytes());
        (!parsed.out_of_range).then_some(parsed.value)
    }

    /// The integer nearest to the number, half away from zero; none outside i128.
    pub fn to_i128(&self) -> Option<i128> {
        let whole = self.round(0, Rounding::HalfUp).magnitude.to_u128()?;
        let whole = i128::try_from(whole).ok()?;
        Some(if self.negative { -whole } else { whole })
    }

    /// The nearest i64, clipped to its range.
    pub fn to_i64_saturating(&self) -> i64 {
        let beyond = if self.negative { i64::MIN } else { i64::MAX };
        self.to_i128().and_then(|n| i64::try_from(n).ok()).unwrap_or(beyond)
    }
}

impl std::str::FromStr for Decimal {
    type Err = ();

    /// Exactly a number, nothing else.
    fn from_str(text: &str) -> Result<Decimal, ()> {
        let parsed = Decimal::parse(text.as_bytes());
        if parsed.garbage || parsed.out_of_range { Err(()) } else { Ok(parsed.value) }
    }
}
