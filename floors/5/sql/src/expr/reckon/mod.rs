//! Numbers reckoned from rows as they are stored, without any of their columns being made a value.
//!
//! A long scan that sums up `price * (1 - discount)` finds out once which columns those are, and at which scales they
//! stand (`build`); of each row it takes integers. What is not as plain as that (another type, another function, a result
//! out of range, a division by zero) is left unsaid, and [`Expr::number`](super::Expr::number) decides over decoded
//! columns; so nothing here has a rule of its own, it only takes the shortest way to the same number.

mod build;

use super::arith::{product, remainder};
use super::screen::Test;
use super::stored::StoredRow;
use std::cmp::Ordering;
use types::Value;
use types::temporal::Date;

/// An expression made ready for many stored rows of one table.
pub struct Reckoning(Way);

enum Way {
    /// Units, and their scale.
    Exact(Exact, u8),
    Real(Real),
}

/// The number that an expression is in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reckoned {
    /// NULL.
    Null,
    /// `units * 10^-scale`.
    Units(i128, u8),
    /// A double.
    Real(f64),
}

/// Units of exact numbers.
enum Exact {
    Column(usize),
    Constant(i128),
    Null,
    /// Units at a larger scale.
    Scaled(Box<Exact>, i128),
    Binary(Operator, Box<[Exact; 2]>, Bounds),
    Chosen(Box<Choice<Exact>>),
    /// A part of a DATE or DATETIME column.
    Part(usize, fn(Date) -> i64),
}

/// Doubles.
enum Real {
    Column(usize),
    Constant(f64),
    Null,
    /// An exact number, whose units are 10 to the power of its scale times as many.
    Exact(Exact, f64),
    Binary(Operator, Box<[Real; 2]>),
    Chosen(Box<Choice<Real>>),
}

/// One of several numbers.
enum Choice<N> {
    /// What stands beside the first condition that holds, or what stands behind them all.
    Case(Box<[(Test, N)]>, N),
    /// The first that is not NULL.
    First(Box<[N]>),
}

/// What is done with two numbers.
#[derive(Clone, Copy, PartialEq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// What an exact result has to fit in.
#[derive(Clone, Copy)]
enum Bounds {
    Signed,
    Unsigned,
    /// A decimal has room.
    Decimal,
}

/// Units up to which a double is exactly the number.
const EXACT_UNITS: u128 = 1 << f64::MANTISSA_DIGITS;

impl Reckoning {
    /// The scale of the numbers, if they are exact.
    pub fn scale(&self) -> Option<u8> {
        match self.0 {
            Way::Exact(_, scale) => Some(scale),
            Way::Real(_) => None,
        }
    }

    /// The number in a row; `None` where it has to be computed from decoded columns.
    #[inline]
    pub fn of_row(&self, row: &mut StoredRow<'_>) -> Option<Reckoned> {
        Some(match &self.0 {
            Way::Exact(exact, scale) => match exact.units(row)? {
                Some(units) => Reckoned::Units(units, *scale),
                None => Reckoned::Null,
            },
            Way::Real(real) => real.of_row(row)?.map_or(Reckoned::Null, Reckoned::Real),
        })
    }
}

impl Reckoned {
    /// The order of two numbers of one kind, the inner `None` where one is NULL; `None` where it is not seen at once.
    #[inline]
    pub fn order(self, other: Reckoned) -> Option<Option<Ordering>> {
        match (self, other) {
            (Reckoned::Null, _) | (_, Reckoned::Null) => Some(None),
            (Reckoned::Units(a, of_a), Reckoned::Units(b, of_b)) if of_a == of_b => Some(Some(a.cmp(&b))),
            (Reckoned::Units(a, of_a), Reckoned::Units(b, of_b)) => {
                let at_most = |units, more| product(units, 10_i128.checked_pow(more)?);
                let more = |of: u8, other: u8| u32::from(other.saturating_sub(of));
                Some(Some(at_most(a, more(of_a, of_b))?.cmp(&at_most(b, more(of_b, of_a))?)))
            }
            (Reckoned::Real(a), Reckoned::Real(b)) => Some(a.partial_cmp(&b)),
            _ => None,
        }
    }
}

/// Integers that units are reckoned in: those of 64 bits stay in registers, and do for the most part.
trait Units: Copy + TryFrom<i128> + From<i64> {
    fn operate(operator: Operator, left: Self, right: Self) -> Option<Self>;
    fn is_within(self, bounds: Bounds) -> bool;
}

impl Units for i64 {
    #[inline]
    fn operate(operator: Operator, left: i64, right: i64) -> Option<i64> {
        match operator {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide => None,
            Operator::Remainder => left.checked_rem(right),
        }
    }

    #[inline]
    fn is_within(self, bounds: Bounds) -> bool {
        match bounds {
            Bounds::Signed | Bounds::Decimal => true,
            Bounds::Unsigned => self >= 0,
        }
    }
}

impl Units for i128 {
    fn operate(operator: Operator, left: i128, right: i128) -> Option<i128> {
        match operator {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => product(left, right),
            Operator::Divide => None,
            Operator::Remainder => remainder(left, right),
        }
    }

    fn is_within(self, bounds: Bounds) -> bool {
        match bounds {
            Bounds::Signed => i64::try_from(self).is_ok(),
            Bounds::Unsigned => u64::try_from(self).is_ok(),
            Bounds::Decimal => true,
        }
    }
}

impl Exact {
    /// The units in a row, the inner `None` for NULL; `None` for what is not said here.
    #[inline]
    fn units(&self, row: &mut StoredRow<'_>) -> Option<Option<i128>> {
        match self.of_row::<i64>(row) {
            Some(units) => Some(units.map(i128::from)),
            None => self.of_row(row),
        }
    }

    fn of_row<U: Units>(&self, row: &mut StoredRow<'_>) -> Option<Option<U>> {
        match self {
            Exact::Column(column) => row.read(*column, |layout, bytes| Some(layout.units(bytes)?.into())),
            Exact::Constant(units) => Some(Some(U::try_from(*units).ok()?)),
            Exact::Null => Some(None),
            Exact::Scaled(exact, factor) => match exact.of_row(row)? {
                None => Some(None),
                Some(units) => Some(Some(U::operate(Operator::Multiply, units, U::try_from(*factor).ok()?)?)),
            },
            Exact::Binary(operator, sides, bounds) => {
                let (left, right) = (sides[0].of_row::<U>(row)?, sides[1].of_row(row)?);
                let (Some(left), Some(right)) = (left, right) else { return Some(None) };
                let units = U::operate(*operator, left, right)?;
                units.is_within(*bounds).then_some(Some(units))
            }
            Exact::Chosen(choice) => choice.of_row(row, Exact::of_row),
            Exact::Part(column, part) => {
                row.read(*column, |layout, bytes| match layout.decode(bytes).ok()? {
                    Value::Date(date) => Some(part(date).into()),
                    Value::DateTime(at, _) => Some(part(at.date).into()),
                    _ => None,
                })
            }
        }
    }
}

impl Real {
    /// As [`Exact::units`].
    fn of_row(&self, row: &mut StoredRow<'_>) -> Option<Option<f64>> {
        match self {
            Real::Column(column) => {
                row.read(*column, |_, bytes| Some(f64::from_le_bytes(bytes.try_into().ok()?)))
            }
            Real::Constant(n) => Some(Some(*n)),
            Real::Null => Some(None),
            Real::Exact(exact, power) => match exact.units(row)? {
                None => Some(None),
                // Both are exact as doubles, so that their quotient is the nearest one to the number.
                Some(units) => (units.unsigned_abs() <= EXACT_UNITS).then(|| Some(units as f64 / power)),
            },
            Real::Binary(operator, sides) => {
                let (left, right) = (sides[0].of_row(row)?, sides[1].of_row(row)?);
                let (Some(left), Some(right)) = (left, right) else { return Some(None) };
                let result = match operator {
                    Operator::Add => left + right,
                    Operator::Subtract => left - right,
                    Operator::Multiply => left * right,
                    Operator::Divide | Operator::Remainder if right == 0.0 => return None,
                    Operator::Divide => left / right,
                    Operator::Remainder => left % right,
                };
                result.is_finite().then_some(Some(result))
            }
            Real::Chosen(choice) => choice.of_row(row, Real::of_row),
        }
    }
}

impl<N> Choice<N> {
    fn of_row<'r, T>(
        &self,
        row: &mut StoredRow<'r>,
        number: impl Fn(&N, &mut StoredRow<'r>) -> Option<Option<T>>,
    ) -> Option<Option<T>> {
        match self {
            Choice::Case(branches, otherwise) => {
                for (test, then) in branches {
                    if test.truth(row)? == Some(true) {
                        return number(then, row);
                    }
                }
                number(otherwise, row)
            }
            Choice::First(numbers) => {
                for each in numbers {
                    if let Some(found) = number(each, row)? {
                        return Some(Some(found));
                    }
                }
                Some(None)
            }
        }
    }
}
