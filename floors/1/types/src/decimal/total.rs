//! A running sum.

use super::{Decimal, DecimalError};

/// The sum of many decimals, exactly as [`Decimal::add`] adds them one by one: as whole units while those fit in 128 bits.
#[derive(Clone, Debug)]
pub struct Total {
    units: i128,
    scale: u8,
    /// The whole sum, where it has more digits.
    long: Option<Box<Decimal>>,
}

impl From<Decimal> for Total {
    fn from(d: Decimal) -> Total {
        match d.long_units() {
            Some(units) => Total { units, scale: d.scale, long: None },
            None => Total { units: 0, scale: d.scale, long: Some(Box::new(d)) },
        }
    }
}

impl Total {
    /// `units * 10^-scale`.
    pub fn of_units(units: i128, scale: u8) -> Total {
        Total { units, scale, long: None }
    }

    /// The sum.
    pub fn value(&self) -> Decimal {
        match &self.long {
            Some(long) => **long,
            None => Decimal::small(self.units, self.scale),
        }
    }

    /// Adds `units * 10^-scale`.
    #[inline]
    pub fn add_units(&mut self, units: i128, scale: u8) -> Result<(), DecimalError> {
        if scale == self.scale
            && self.long.is_none()
            && let Some(sum) = self.units.checked_add(units)
        {
            self.units = sum;
            return Ok(());
        }
        self.set(self.value().add(&Decimal::small(units, scale)))
    }

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, d: &Decimal) -> Result<(), DecimalError> {
        match d.long_units() {
            Some(units) => self.add_units(units, d.scale),
            None => self.set(self.value().add(d)),
        }
    }

    /// Takes a number away again.
    pub fn subtract(&mut self, d: &Decimal) -> Result<(), DecimalError> {
        self.set(self.value().sub(d))
    }

    #[cold]
    fn set(&mut self, sum: Result<Decimal, DecimalError>) -> Result<(), DecimalError> {
        *self = Total::from(sum?);
        Ok(())
    }
}
