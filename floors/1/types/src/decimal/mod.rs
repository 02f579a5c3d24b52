//! Exact decimal numbers: a 256-bit magnitude, a scale and a sign.
//!
//! Columns hold up to 65 digits, 38 of them after the point; intermediate results may have up to [`MAX_DIGITS`]
//! digits, as MariaDB's may have 81. No value owns heap memory. Magnitudes below 2^128 take a short path everywhere.
//!
//! The stored form is the log's: groups of nine digits big-endian, top bit flipped, all bits inverted for negative
//! numbers, so that equal (precision, scale) compare as bytes.

mod arithmetic;
mod codec;
mod order;
mod text;
mod total;
mod wide;

pub use arithmetic::{Fit, Rounding};
pub use codec::stored_bytes;
pub(crate) use codec::units_of_word;
pub use total::Total;
use wide::U256;

/// Digits of a DECIMAL column at most.
pub const MAX_PRECISION: u8 = 65;
/// Digits after the point at most.
pub const MAX_SCALE: u8 = 38;
/// Digits of an intermediate result at most.
pub const MAX_DIGITS: usize = 76;

/// An exact decimal number: `magnitude * 10^-scale`, negative or not. Zero is never negative.
#[derive(Clone, Copy)]
pub struct Decimal {
    magnitude: U256,
    scale: u8,
    negative: bool,
}

impl Decimal {
    /// Zero with scale 0.
    pub const ZERO: Decimal = Decimal { magnitude: U256::ZERO, scale: 0, negative: false };

    fn from_parts(negative: bool, magnitude: U256, scale: u8) -> Decimal {
        Decimal { magnitude, scale, negative: negative && !magnitude.is_zero() }
    }

    /// `units * 10^-scale`.
    pub fn new(units: i128, scale: u8) -> Decimal {
        Decimal::from_parts(units < 0, U256::from_u128(units.unsigned_abs()), scale.min(MAX_SCALE))
    }

    /// Digits after the point.
    pub fn scale(&self) -> u8 {
        self.scale
    }

    /// Whether the number is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether the number is zero.
    pub fn is_zero(&self) -> bool {
        self.magnitude.is_zero()
    }
}

/// Why arithmetic gave no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalError {
    /// The result has too many digits before the point.
    Overflow,
    /// The divisor is zero.
    DivisionByZero,
}

impl std::fmt::Display for DecimalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            DecimalError::Overflow => "compute decimal: too many digits",
            DecimalError::DivisionByZero => "compute decimal: division by zero",
        })
    }
}

impl std::error::Error for DecimalError {}

impl From<i64> for Decimal {
    fn from(n: i64) -> Decimal {
        Decimal::new(i128::from(n), 0)
    }
}

impl From<u64> for Decimal {
    fn from(n: u64) -> Decimal {
        Decimal::new(i128::from(n), 0)
    }
}

/// Equal representation: value, and scale too (1.0 is not 1.00); use `cmp_value` for the value alone.
impl PartialEq for Decimal {
    fn eq(&self, other: &Decimal) -> bool {
        self.magnitude == other.magnitude && self.scale == other.scale && self.negative == other.negative
    }
}

impl Eq for Decimal {}

impl std::fmt::Debug for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = Vec::new();
        self.write(&mut text);
        f.write_str(&String::from_utf8_lossy(&text))
    }
}
