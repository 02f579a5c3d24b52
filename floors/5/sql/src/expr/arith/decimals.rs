//! Decimals where nothing is left: as MariaDB has them there are no digits after the point then, which texts show.

use types::Decimal;
use types::decimal::DecimalError;

type Computed = Result<Decimal, DecimalError>;

fn without_digits(number: Decimal) -> Decimal {
    if number.is_zero() { Decimal::ZERO } else { number }
}

/// Of numbers that are as far from zero on both sides nothing is left.
pub fn sum(a: &Decimal, b: &Decimal) -> Computed {
    a.add(b).map(|sum| if a.is_zero() { sum } else { without_digits(sum) })
}

/// Of equal numbers nothing is left, of zero and zero neither.
pub fn difference(a: &Decimal, b: &Decimal) -> Computed {
    a.sub(b).map(without_digits)
}

/// Zero times a number below zero is nothing.
pub fn product(a: &Decimal, b: &Decimal) -> Computed {
    let product = a.mul(b)?;
    Ok(if a.is_negative() == b.is_negative() { product } else { without_digits(product) })
}

/// What zero is divided by leaves nothing.
pub fn rest(a: &Decimal, b: &Decimal) -> Computed {
    a.rem(b).map(|rest| if a.is_zero() { Decimal::ZERO } else { rest })
}
